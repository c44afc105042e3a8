"""Use and power of GPUs integrated over time, as their samples come.

Samples of each GPU are integrated by the trapezoid over the real gaps between them, power into
energy and use into busy time. A gap longer than five minutes and than ten times the usual one is a
hole: nothing is known of it, so it is not integrated, and its length is said. Sums are kept by the
hour from the first moment, so that memory does not grow with the rows.

Power of an idle card is the mean of the samples at 0 % use. Power of a busy card is such that

    idle power x (1 - busy share) + busy power x busy share = mean power measured,

so that a scenario with the three numbers uses the energy that was measured.

A local clock is put back or put forward by an hour at a full hour of a Sunday night. Which it was
is told by the usual gap: a stamp that is an hour earlier, or an hour later, than that gap after the
stamp before it. Samples more than half an hour apart do not tell it surely.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from tco.readings.reading import Period

Numbers = NDArray[np.float64]
Moments = NDArray[np.int64]
Mask = NDArray[np.bool_]

SECOND = 1_000_000
"""Moments are counted in microseconds."""
HOUR = 3600 * SECOND
LEAST_HOLE = 300 * SECOND
HOLE_IN_USUAL_GAPS = 10
GAPS_TO_SETTLE = 1000
"""The usual gap is the median of so many first gaps."""
LATE = 15 * 60 * SECOND
"""How late the first sample after a clock was put back may be, if not half the usual gap more."""
UNEVEN = 15 * SECOND
"""How far the gap at a clock put forward may be from the usual one, if not half of that."""
LATEST_CHANGE = 4 * HOUR
"""Clocks are put back and forward from midnight to four on a Sunday."""
MONTHS_FORWARD = (3, 4, 9, 10)
"""In which clocks are put forward: in spring, of the north and of the south."""
HOT = 0.9
"""Use from which on a card that was never seen idle is taken to draw its busy power."""
LOCAL = "local time of the machine, the zone is not stated"


@dataclass(frozen=True)
class Device:
    """A GPU of a log: ``identity`` tells it from the others, ``label`` is how it is shown.

    ``name`` is the card as the log spells it, ``hint`` what may tell which one that is. ``doubt``
    says why the use that is logged is not that of the whole card. ``is_known``: the log says which
    GPU a row is of; without that several GPUs cannot be told apart.
    """

    identity: str
    label: str
    name: str = ""
    hint: str = ""
    doubt: str | None = None
    is_known: bool = True


COLUMNS: tuple[str, ...] = (
    *("busy_seconds", "busy", "watt_seconds", "joules"),
    *("busy_samples", "busy_total", "watt_samples", "watt_total"),
    *("idle_samples", "idle_watts", "hot_samples", "hot_watts"),
)
COLUMN = {name: place for place, name in enumerate(COLUMNS)}


@dataclass
class Sums:
    """Sums over samples and over the time between them.

    ``busy`` is in seconds of full use, ``joules`` in watt-seconds; ``*_seconds`` is how long each
    was measured, ``*_samples`` and ``*_total`` count and add the samples alike. ``idle`` are
    samples at 0 % use, ``hot`` those at 90 % or more, with their watts.
    """

    values: Numbers = field(default_factory=lambda: np.zeros(len(COLUMNS)))

    def __getattr__(self, name: str) -> float:
        if name not in COLUMN:
            raise AttributeError(name)
        return float(self.values[COLUMN[name]])

    @property
    def utilisation(self) -> float | None:
        """Share of the time measured that the card was busy, or of the samples without times."""
        if self.busy_seconds:
            return self.busy / self.busy_seconds
        return self.busy_total / self.busy_samples if self.busy_samples else None

    @property
    def mean_power(self) -> float | None:
        """Mean watts over the time measured, or of the samples without times."""
        if self.watt_seconds:
            return self.joules / self.watt_seconds
        return self.watt_total / self.watt_samples if self.watt_samples else None

    @property
    def idle_power(self) -> float | None:
        """Mean watts of the samples at 0 % use."""
        return self.idle_watts / self.idle_samples if self.idle_samples else None

    @property
    def active_power(self) -> float | None:
        """Watts of a busy card: what, with the idle watts, makes the mean power measured.

        Of a card that was never idle, the mean of the samples at 90 % use or more. None of one
        that drew less at work than idle, which no busy power explains.
        """
        busy, mean, idle = self.utilisation, self.mean_power, self.idle_power
        if idle is None:
            return self.hot_watts / self.hot_samples if self.hot_samples else None
        if not busy or mean is None:
            return None
        power = (mean - idle * (1 - busy)) / busy
        return power if power >= idle else None


def together(parts: Iterable[Sums]) -> Sums:
    """The sums of several stretches or GPUs as those of one."""
    return Sums(np.sum([part.values for part in parts], axis=0))


class _Hours:
    """Sums by the hour, counted from the first moment of the log; hours before it are negative."""

    def __init__(self) -> None:
        self.first = 0
        self.sums = np.zeros((0, len(COLUMNS)))

    def add(self, column: str, first: int, amounts: Numbers) -> None:
        """Add amounts of consecutive hours, ``first`` the first of them."""
        before = max(self.first - first, 0) if len(self.sums) else 0
        if not len(self.sums):
            self.first = first
        after = max(first + len(amounts) - self.first - len(self.sums), 0)
        if before or after:
            # room to grow in, so that not every hour copies the others
            after += min(len(self.sums), 10_000) if after else 0
            self.sums = np.pad(self.sums, ((before, after), (0, 0)))
            self.first -= before
        begin = first - self.first
        self.sums[begin : begin + len(amounts), COLUMN[column]] += amounts

    def between(self, begin: int, end: int) -> Numbers:
        """The sums of the hours from ``begin`` up to ``end``; shape (hours, columns)."""
        low, high = max(begin - self.first, 0), max(end - self.first, 0)
        return self.sums[low:high]


class _Integral:
    """One quantity of one GPU over time, integrated hour by hour as its samples come."""

    def __init__(self, amount: str, seconds: str) -> None:
        self.amount, self.seconds = amount, seconds
        self.times: Moments = np.zeros(0, np.int64)
        self.values: Numbers = np.zeros(0)
        self.longest_gap: float | None = None
        self.usual_gap = 0.0
        self.first_times: Moments = self.times
        self.holes = 0
        self.hole_seconds = 0.0
        self.shared = 0

    def add(self, times: Moments, values: Numbers, begin: int, hours: _Hours) -> None:
        """Take samples in the order of time; the last moment waits for others of that moment."""
        known = ~np.isnan(values)
        if not known.all():
            times, values = times[known], values[known]
        if not len(times):
            return
        self.times = np.concatenate((self.times, times))
        self.values = np.concatenate((self.values, values))
        if self.longest_gap is None and len(self.times) > GAPS_TO_SETTLE:
            self._settle()
        if self.longest_gap is not None:
            self._integrate(begin, hours, last=False)

    def finish(self, begin: int, hours: _Hours) -> None:
        """Take what still waits."""
        if len(self.times):
            self._settle()
            self._integrate(begin, hours, last=True)

    def _settle(self) -> None:
        if self.longest_gap is not None:
            return
        self.first_times = self.times[: GAPS_TO_SETTLE + 1]
        gaps = np.diff(np.unique(self.first_times))
        self.usual_gap = float(np.median(gaps)) if len(gaps) else 0.0
        self.longest_gap = max(LEAST_HOLE, HOLE_IN_USUAL_GAPS * self.usual_gap)

    def _integrate(self, begin: int, hours: _Hours, *, last: bool) -> None:
        assert self.longest_gap is not None
        # the last moment but one is kept as the beginning of the next stretch
        first = np.flatnonzero(np.diff(self.times, prepend=self.times[0] - 1))
        count = np.diff(first, append=len(self.times))
        times, values = self.times[first], np.add.reduceat(self.values, first) / count
        if not last:
            if len(times) < 2:
                return
            keep = first[-1]
            waiting = self.times[keep:], self.values[keep:]
            times, values, count = times[:-1], values[:-1], count[:-1]
            self.times = np.concatenate((times[-1:], waiting[0]))
            self.values = np.concatenate((values[-1:], waiting[1]))
        self.shared += int(count.sum() - len(count))
        if len(times) < 2:
            return
        gaps = np.diff(times)
        measured = gaps <= self.longest_gap
        if not measured.all():
            self.holes += int((~measured).sum())
            self.hole_seconds += float(gaps[~measured].sum()) / SECOND
        earliest, latest = int((times[0] - begin) // HOUR), int((times[-1] - begin) // HOUR)
        if latest > earliest:
            # the line between two samples is cut at the full hours, which leaves its area as it is
            full = begin + HOUR * np.arange(earliest + 1, latest + 1)
            place = np.searchsorted(times, full)
            values = np.insert(values, place, np.interp(full, times, values))
            times = np.insert(times, place, full)
            measured = np.insert(measured, place - 1, measured[place - 1])
            gaps = np.diff(times)
        seconds = gaps * measured / SECOND
        hour = (times[:-1] - begin) // HOUR - earliest
        areas = seconds * (values[1:] + values[:-1]) / 2
        hours.add(self.seconds, earliest, _by_hour(hour, seconds))
        hours.add(self.amount, earliest, _by_hour(hour, areas))


def _by_hour(hour: Moments, amounts: Numbers | None = None) -> Numbers:
    """How many there are of each hour, or what they add up to; shape (hours,)."""
    return np.bincount(hour, amounts).astype(np.float64)


@dataclass
class LocalClock:
    """The clock of a machine: what it showed on the last Sunday night, and where it was changed.

    ``changes`` has the full hour at which it was changed, as it showed it before, and the hours to
    add from then on: 1 where it was put back, -1 where it was put forward.
    """

    night: Moments = field(default_factory=lambda: np.zeros(0, np.int64))
    changes: list[tuple[int, int]] = field(default_factory=list)

    def saw(self, times: Moments) -> None:
        """Keep the stamps of a Sunday night, of whatever GPU they are."""
        # from ten in the evening until six
        found = times[_is_sunday(times + 2 * HOUR, 8 * HOUR)]
        if len(found):
            found = np.unique(np.concatenate((self.night, found)))
            self.night = found[found >= found[-1] - 8 * HOUR]

    def leaves_out_an_hour(self, begin: int, end: int) -> bool:
        """Whether there is a whole hour between two stamps in which no GPU was logged."""
        between = self.night[(self.night > begin) & (self.night < end)]
        return bool((np.diff(between, prepend=begin, append=end) >= HOUR).any())


class Track:
    """What is known of one GPU."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.hours = _Hours()
        self.busy = _Integral("busy", "busy_seconds")
        self.watts = _Integral("joules", "watt_seconds")
        self.first: int | None = None
        self.last: int | None = None
        self.shift = 0
        self.changes: set[tuple[int, int]] = set()
        self.clock_gaps: Moments = np.zeros(0, np.int64)
        self.samples = 0
        self.most_busy = 0.0
        self.most_watts = 0.0

    @property
    def sums(self) -> Sums:
        """Over all that was measured."""
        return Sums(self.hours.sums.sum(axis=0))

    @property
    def clock_put_back(self) -> int:
        """How many times its clock was put back by an hour."""
        return sum(hours > 0 for _, hours in self.changes)

    @property
    def clock_put_forward(self) -> int:
        """How many times its clock was put forward by an hour."""
        return sum(hours < 0 for _, hours in self.changes)

    def in_order(self, times: Moments, clock: LocalClock | None) -> tuple[Moments, Mask]:
        """The moments with the changes of a local clock put right, and which rows come in order.

        Other rows that lie before a row above them are not in order. ``clock`` is None where the
        stamps have a zone.
        """
        previous = times[0] if self.last is None else self.last - self.shift * HOUR
        before = np.concatenate(([previous], times[:-1]))
        if clock is not None:
            shift = self.shift + np.cumsum(self._changes(before, times, clock))
            self.shift = int(shift[-1])
            times = times + HOUR * shift
        latest = np.maximum.accumulate(times)
        if self.last is not None:
            latest = np.maximum(latest, self.last)
        self.last = int(latest[-1])
        return times, times >= latest

    def _changes(self, before: Moments, times: Moments, clock: LocalClock) -> Moments:
        """By how many hours the clock is put right at each row; shape (rows,)."""
        gaps = times - before
        if len(self.clock_gaps) < GAPS_TO_SETTLE:
            known = np.concatenate((self.clock_gaps, gaps[gaps > 0]))
            self.clock_gaps = known[:GAPS_TO_SETTLE]
        hours = np.zeros(len(times), np.int64)
        elsewhere = self._changes_elsewhere(before, times, clock)
        may_be = ((gaps < 0) & (gaps >= -HOUR)) | (gaps > HOUR)
        may_be &= _is_sunday(times + HOUR, 7 * HOUR)
        may_be[[*elsewhere.values()]] = False
        for place in np.flatnonzero(may_be).tolist():
            change = self._change(int(before[place]), int(times[place]), clock)
            if change is not None and change not in self.changes:
                self.changes.add(change)
                hours[place] = change[1]
                if change not in clock.changes:
                    clock.changes.append(change)
        for change, place in elsewhere.items():
            if change not in self.changes:
                self.changes.add(change)
                hours[place] += change[1]
        return hours

    def _changes_elsewhere(
        self, before: Moments, times: Moments, clock: LocalClock
    ) -> dict[tuple[int, int], int]:
        """The first row after each change that other GPUs show, which is of this one's clock too.

        Rows of a GPU that was not logged just when its clock was changed do not show it.
        """
        found = {}
        for hour, step in clock.changes:
            passes = (before < hour) & (times >= (hour if step > 0 else hour + HOUR))
            passes[0] |= self.last is None and times[0] >= hour
            if (hour, step) not in self.changes and passes.any():
                found[hour, step] = int(np.argmax(passes))
        return found

    def _change(self, before: int, after: int, clock: LocalClock) -> tuple[int, int] | None:
        """How the clock was changed between two stamps, as in ``LocalClock.changes``, or not."""
        usual = float(np.median(self.clock_gaps)) if len(self.clock_gaps) else 0.0
        if after < before:
            hour = -(-before // HOUR) * HOUR
            gap = after + HOUR - before
            is_changed = hour <= after + HOUR and gap <= max(LATE, 1.5 * usual)
            change = hour, 1
        else:
            hour = (before // HOUR + 1) * HOUR
            gap = after - HOUR - before
            is_changed = (
                hour + HOUR <= after
                and abs(gap - usual) <= max(UNEVEN, usual / 2)
                and moment_of(hour).month in MONTHS_FORWARD
                and clock.leaves_out_an_hour(before, after)
            )
            change = hour, -1
        # after more than an hour it is not known which full hour it was
        is_changed &= gap <= HOUR and bool(_is_sunday(np.array([hour]), LATEST_CHANGE)[0])
        return change if is_changed else None

    def add(self, times: Moments, busy: Numbers, watts: Numbers, begin: int) -> None:
        """Take samples in the order of time."""
        self.busy.add(times, busy, begin, self.hours)
        self.watts.add(times, watts, begin, self.hours)
        self.first = int(times[0]) if self.first is None else self.first
        self.count(busy, watts, (times - begin) // HOUR)

    def count(self, busy: Numbers, watts: Numbers, hour: Moments) -> None:
        """Count samples and add them up, each alike, by the hour."""
        self.samples += len(busy)
        self.most_busy = max(self.most_busy, np.nanmax(busy, initial=0.0))
        self.most_watts = max(self.most_watts, np.nanmax(watts, initial=0.0))
        first = int(hour.min())
        hour = hour - first
        has_busy, has_watts = ~np.isnan(busy), ~np.isnan(watts)
        for name, of, amounts in (
            ("busy", has_busy, busy),
            ("watt", has_watts, watts),
        ):
            self.hours.add(f"{name}_samples", first, _by_hour(hour[of]))
            self.hours.add(f"{name}_total", first, _by_hour(hour[of], amounts[of]))
        for name, of in (
            ("idle", has_watts & (busy == 0)),
            ("hot", has_watts & (busy >= HOT)),
        ):
            if of.any():
                self.hours.add(f"{name}_samples", first, _by_hour(hour[of]))
                self.hours.add(f"{name}_watts", first, _by_hour(hour[of], watts[of]))

    def finish(self, begin: int) -> None:
        """Take the samples that still wait."""
        self.busy.finish(begin, self.hours)
        self.watts.finish(begin, self.hours)

    def comes_in_bunches(self) -> bool:
        """Whether the gaps are those of several GPUs asked one after the other."""
        first = max(self.watts.first_times, self.busy.first_times, key=len)
        gaps = np.diff(np.unique(first))
        if len(gaps) < 3:
            return False
        between = np.percentile(gaps, 90)
        return bool((gaps < between / 10).mean() > 0.3)


def _is_sunday(moments: Moments, latest: int) -> Mask:
    """Whether moments lie on a Sunday, no later than so long after midnight."""
    day, within = np.divmod(moments, 24 * HOUR)
    # 1970-01-01 was a Thursday
    is_sunday: Mask = (day % 7 == 3) & (within <= latest)
    return is_sunday


class Log:
    """The samples of one or more files, integrated as they come.

    ``begin`` is the first moment of the log in microseconds, None for a log without times;
    ``local``: its moments are of a local clock; ``dated``: they have a date, not the hour alone,
    so that the period may be told. Several logs of one machine are given one after
    the other, in the order of time.
    """

    def __init__(self, begin: int | None, *, local: bool = True, dated: bool = True) -> None:
        self.begin = begin
        self.local = local
        self.dated = dated
        self.tracks: dict[Device, Track] = {}
        self.clocks: dict[int, LocalClock] = {}
        self.clock = self.clocks.setdefault(0, LocalClock())

    def saw(self, times: Moments, machine: int = 0) -> None:
        """Take note of the stamps of all GPUs of a machine, before their rows are added.

        An hour in which any of them was logged was not left out by the clock.
        """
        self.clock = self.clocks.setdefault(machine, LocalClock())
        if self.local:
            self.clock.saw(times)

    def add(self, device: Device, times: Moments | None, busy: Numbers, watts: Numbers) -> Mask:
        """Take rows of a GPU as they stand in a log; which of them are in order and were taken.

        ``times`` in microseconds, ``busy`` as shares, ``watts`` in watts, all of shape (rows,);
        a busy share or watts that are not known are not a number.
        """
        track = self.tracks.setdefault(device, Track(device))
        if not len(busy):
            return np.ones(0, bool)
        if times is None or self.begin is None:
            track.count(busy, watts, np.zeros(len(busy), np.int64))
            return np.ones(len(busy), bool)
        times, in_order = track.in_order(times, self.clock if self.local else None)
        if not in_order.all():
            times, busy, watts = times[in_order], busy[in_order], watts[in_order]
        if len(times):
            track.add(times, busy, watts, self.begin)
        return in_order

    def finish(self) -> None:
        """Take the samples that still wait; to be called once, after the last rows."""
        if self.begin is not None:
            for track in self.tracks.values():
                track.finish(self.begin)

    @property
    def period(self) -> Period | None:
        """From the first sample taken to the last; None for a log without times."""
        firsts = [track.first for track in self.tracks.values() if track.first is not None]
        lasts = [track.last for track in self.tracks.values() if track.last is not None]
        if self.begin is None or not firsts:
            return None
        zone = LOCAL if self.local else "UTC"
        return Period(moment_of(min(firsts)), moment_of(max(lasts)), zone)


_EPOCH = datetime(1970, 1, 1)


def moment_of(microseconds: int) -> datetime:
    """The moment so many microseconds after the beginning of 1970."""
    return _EPOCH + timedelta(microseconds=microseconds)


def microseconds(moment: datetime) -> int:
    """Microseconds from the beginning of 1970."""
    return (moment - _EPOCH) // timedelta(microseconds=1)
