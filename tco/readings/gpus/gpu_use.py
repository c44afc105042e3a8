"""What logs of GPUs say of their use and power, whatever wrote them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

import numpy as np

from tco.prices.cards import card as known_card
from tco.prices.gpu_names import Gpu, gpu_of
from tco.readings.gpus.integration import (
    COLUMN,
    COLUMNS,
    HOUR,
    SECOND,
    Log,
    Numbers,
    Sums,
    Track,
    microseconds,
    together,
)
from tco.readings.reading import (
    FEW_WEEKS,
    WEEK,
    Asked,
    Dropped,
    Entry,
    Period,
    Reading,
    ReadingError,
    Source,
    Table,
)
from tco.readings.weeks import left_over, shortfall, significant, weekly

WEEK_HOURS = 168
DAY_HOURS = 24
MOST_LEVELS = 24
SAME_CLOCK = 65 * 60 * SECOND
"""By how much logs of one machine may overlap: a clock put back by an hour, and a few minutes."""
MOST_WATTS = 10_000.0
"""No card draws so much: a number above it is none."""
MANY_HOLES = 0.1
DRAWN = 0.4
"""Share of its rated power above which a card is at work, whatever its use is said to be."""
UNKNOWN_DRAWN = 200.0
"""The same in watts, of a card whose rated power is not known."""

ROUNDING = 0.005
"""Use is told in whole percent: full use may be half of one less, and what it drew as much more."""
LOG_POWER = "log it too (power.draw, DCGM_FI_DEV_POWER_USAGE)"

COMMAND = (
    "nvidia-smi --query-gpu=timestamp,index,uuid,name,utilization.gpu,power.draw "
    "--format=csv -l 10 -f gpus.csv"
)
MIG_FILE = "what would do: an export of DCGM_FI_PROF_GR_ENGINE_ACTIVE from Prometheus"
CUT_BY_MIG = f"it is cut into parts by MIG, and the use of the whole is not known; {MIG_FILE}"


@dataclass
class _Card:
    """GPUs of one name: ``subject`` is the card of the scenario, None if it is not known."""

    name: str
    subject: str | None
    tracks: list[Track] = field(default_factory=list)

    @property
    def title(self) -> str:
        """What it is called on the screen."""
        return self.subject or self.name or "the GPU"

    def between(self, begin: int, end: int) -> Sums:
        """Of the hours from ``begin`` up to ``end``, over all GPUs of the card."""
        return together(Sums(t.hours.between(begin, end).sum(axis=0)) for t in self.tracks)

    @property
    def sums(self) -> Sums:
        """Over all that was measured, over all GPUs of the card."""
        return together(track.sums for track in self.tracks)


def reading(
    kind: str,
    log: Log,
    paths: Sequence[Path],
    asked: Asked,
    *,
    used: int,
    rows_are: str = "samples",
    dropped: Sequence[Dropped] = (),
    remarks: Sequence[str] = (),
    warnings: Sequence[str] = (),
    name_field: str = "name",
    without_power: str = LOG_POWER,
) -> Reading:
    """What a log that has been taken to its end says of its cards and of their load.

    ``without_power`` is what to say where no power is known.

    Raises ``ReadingError`` for a log without a sample, for one of another GPU than asked for, and
    for one in which several GPUs cannot be told apart.
    """
    log.finish()
    if not any(track.samples for track in log.tracks.values()):
        raise _without_samples(paths, dropped)
    if any(not t.device.is_known and t.comes_in_bunches() for t in log.tracks.values()):
        raise ReadingError(
            str(paths[0]),
            None,
            None,
            "rows that come in bunches, as of several GPUs, and no column that tells which GPU",
            "a column index, uuid or pci.bus_id, so that the GPUs are integrated one by one",
            f"log it again with  {COMMAND}",
        )
    period = log.period
    told, warned = list(remarks), list(warnings)
    cards = _cards(log, paths, asked, name_field, told, warned)
    warned.extend(filter(None, [shortfall(period)]))
    told.extend(filter(None, [left_over(period)]))
    _tell_time(log, period, told, warned)
    entries = [
        entry
        for card in cards
        for entry in _card_entries(card, log, period, told, warned, without_power)
    ]
    entries.extend(_load(cards, log, period, told))
    tables = [_gpu_table(log)]
    weeks = _week_table(cards, log, period)
    return Reading(
        kind=kind,
        sources=tuple(Source.of(path) for path in paths),
        used=used,
        rows_are=rows_are,
        dropped=tuple(dropped),
        period=period if log.dated else None,
        entries=tuple(entries),
        tables=(*tables, *weeks),
        remarks=tuple(told),
        warnings=tuple(warned),
        gpus={card.subject: len(card.tracks) for card in cards if card.subject},
    )


def _without_samples(paths: Sequence[Path], dropped: Sequence[Dropped]) -> ReadingError:
    why = "; ".join(f"{d.rows:,} with {d.why}" for d in dropped) or "a head and nothing under it"
    line = min((d.first_line for d in dropped if d.first_line), default=None)
    return ReadingError(
        str(paths[0]),
        line,
        None,
        f"no row that can be used: {why}",
        "rows with the use or the power of a GPU",
        f"log it again with  {COMMAND}",
    )


def _cards(
    log: Log,
    paths: Sequence[Path],
    asked: Asked,
    name_field: str,
    told: list[str],
    warned: list[str],
) -> list[_Card]:
    """The cards that numbers are written for."""
    wanted = gpu_of(asked.gpu) if asked.gpu else None
    cards: dict[str, _Card] = {}
    others: dict[str, None] = {}
    for track in log.tracks.values():
        device = track.device
        if not track.samples:
            continue
        found = gpu_of(device.name, device.hint) if device.name else None
        if found and wanted and not _may_be(found, wanted):
            others[device.name] = None
            continue
        subject = asked.gpu or (found and not found.ambiguous and (found.card or found.name))
        name = subject or device.name
        if found and found.ambiguous and not subject and name not in cards:
            warned.append(
                f"{device.name} may be {' or '.join(found.ambiguous)}: add --gpu and one of them "
                "to write its numbers"
            )
        cards.setdefault(name, _Card(device.name, subject or None)).tracks.append(track)
    if others and not cards:
        raise ReadingError(
            str(paths[0]),
            None,
            name_field,
            ", ".join(others),
            f"{asked.gpu}: the use and the power of one GPU do not size another",
            f"log it on a {asked.gpu} with  {COMMAND}",
        )
    if others:
        told.append(f"left out, as --gpu {asked.gpu} asks: {', '.join(others)}")
    if "" in cards:
        warned.append(
            "the file does not name the GPU: add --gpu and the name of the card, or log the "
            "column name too"
        )
    return list(cards.values())


def _may_be(found: Gpu, wanted: Gpu) -> bool:
    mine = {found.name, *found.ambiguous} - {None}
    return bool(mine & {wanted.name, *wanted.ambiguous})


def _tell_time(log: Log, period: Period | None, told: list[str], warned: list[str]) -> None:
    tracks = [track for track in log.tracks.values() if track.samples]
    if period is None:
        told.append("no times: each sample counts alike, and no energy is known")
        if all(track.samples == 1 for track in tracks):
            warned.append("one sample of each GPU: a moment, not its use over time")
        return
    if not period.length:
        warned.append("one moment only, not the use over time; no energy is known")
        return
    if not all(track.device.is_known for track in tracks):
        warned.append("no column tells the GPU (index, uuid): the rows are taken to be of one")
    told.append("integrated by the trapezoid over the real gaps between the samples of each GPU")
    integrals = [part for track in tracks for part in (track.busy, track.watts)]
    holes = sum(part.holes for part in integrals)
    if holes:
        longest = max(part.longest_gap or 0 for part in integrals)
        seconds = max(
            sum(track.busy.hole_seconds for track in tracks),
            sum(track.watts.hole_seconds for track in tracks),
        )
        measured = sum(
            max(sums.busy_seconds, sums.watt_seconds) for sums in (t.sums for t in tracks)
        )
        text = (
            f"gaps longer than {longest / 60 / SECOND:.4g} minutes are not integrated: "
            f"{seconds / 3600:.4g} GPU-hours in all, beside {measured / 3600:.4g} measured"
        )
        (warned if seconds > MANY_HOLES * (seconds + measured) else told).append(text)
    if any(track.clock_put_back for track in tracks):
        told.append(
            "the clock was put back by an hour on a Sunday night (end of summer time): the hour "
            "that occurs twice is counted twice, once each"
        )
    if any(track.clock_put_forward for track in tracks):
        told.append(
            "the clock was put forward by an hour on a Sunday night (start of summer time): the "
            "hour that it leaves out is no gap"
        )
    shared = max((part.shared for part in integrals), default=0)
    if shared:
        rows = sum(max(track.busy.shared, track.watts.shared) for track in tracks)
        told.append(f"rows that share GPU and moment with another ({rows:,}): their mean is taken")


def _card_entries(
    card: _Card,
    log: Log,
    period: Period | None,
    told: list[str],
    warned: list[str],
    without_power: str,
) -> Iterable[Entry]:
    """The numbers of one card, over the whole weeks where there are two or more."""
    parts = _in_parts(card)
    if parts:
        warned.append(
            f"{card.title}: no busy share, no idle and no busy power are written: {parts}"
        )
        return
    weeks = _weeks(card, log, period)
    over = together(weeks.values()) if weeks else card.sums
    _tell_power(card, over, told, warned, without_power)
    if card.subject is None:
        return
    for name, label in NUMBERS:
        value = getattr(over, name)
        if value is None:
            continue
        by_week = {n: getattr(week, name) for n, week in weeks.items()}
        known = {n: number for n, number in by_week.items() if number is not None}
        spread = weekly(period, known)
        content = {"value": value}
        if spread:
            # the whole weeks together are not the mean of the weeks where some were measured less
            content |= {"low": min(spread.low, value), "high": max(spread.high, value)}
        yield Entry(
            "card",
            card.subject,
            name,
            {part: significant(number) for part, number in content.items()},
            label,
            _shown(name, *content.values()),
            note=spread.note if spread else None,
            day=_day(log, period),
        )


def _day(log: Log, period: Period | None) -> date | None:
    return period.last_day if period and log.dated else None


NUMBERS = (
    ("utilisation", "busy share of the time"),
    ("idle_power", "power at 0 % use"),
    ("active_power", "power when busy"),
)


def _shown(name: str, value: float, low: float | None = None, high: float | None = None) -> str:
    def unit(number: float) -> str:
        return f"{number * 100:.4g} %" if name == "utilisation" else f"{number:.5g} W"

    between = f" ({unit(low)} to {unit(high)})" if low is not None and high is not None else ""
    return unit(value) + between


def _in_parts(card: _Card) -> str | None:
    """Why the use that a log says of a card is not that of the whole card; None if it is."""
    doubt = next((track.device.doubt for track in card.tracks if track.device.doubt), None)
    if doubt:
        return doubt
    if not card.sums.busy_samples:
        return f"no use is known, only power, as with MIG; {MIG_FILE}"
    rated = known_card(card.subject or "")
    for track in card.tracks:
        power = track.sums.mean_power
        least = DRAWN * rated.tdp if rated else UNKNOWN_DRAWN
        if track.sums.busy_samples and not track.most_busy and power and power > least:
            return (
                f"GPU {track.device.label} draws {power:.4g} W at 0 % use, as with MIG; {MIG_FILE}"
            )
    return None


def _weeks(card: _Card, log: Log, period: Period | None) -> dict[int, Sums]:
    """What was measured in each whole week; empty where fewer than two were."""
    if period is None or log.begin is None:
        return {}
    first = _hour(period.begin, log.begin)
    weeks = {
        week: card.between(first + week * WEEK_HOURS, first + (week + 1) * WEEK_HOURS)
        for week in range(period.whole_weeks)
    }
    weeks = {week: sums for week, sums in weeks.items() if sums.busy_samples or sums.watt_samples}
    return weeks if len(weeks) >= FEW_WEEKS else {}


def _hour(moment: datetime, begin: int) -> int:
    return (microseconds(moment) - begin) // HOUR


def _tell_power(
    card: _Card, over: Sums, told: list[str], warned: list[str], without_power: str
) -> None:
    if not over.watt_samples:
        warned.append(f"{card.title}: no power is known: {without_power}")
    elif over.idle_power is None and over.hot_samples:
        told.append(
            f"{card.title}: never seen at 0 % use, so no idle power; the busy power is the mean "
            f"of the samples at 90 % use or more ({over.hot_samples:,.0f})"
        )
    elif over.idle_power is None:
        warned.append(
            f"{card.title}: never seen at 0 % use nor at 90 % or more: neither idle nor busy power "
            "is written"
        )
    elif over.active_power is not None:
        assert over.mean_power is not None
        told.append(
            f"{card.title}: busy power such that idle x (1 - busy share) + busy x busy share is "
            f"the mean power measured, {over.mean_power:.5g} W"
        )
        most = max(track.most_watts for track in card.tracks)
        if over.active_power > most * (1 + ROUNDING):
            warned.append(
                f"{card.title}: the busy power that gives the energy measured, "
                f"{over.active_power:.5g} W, is above the most that was drawn, {most:.5g} W: at "
                "little use it draws much more than idle"
            )
    elif over.utilisation:
        warned.append(
            f"{card.title}: it drew no more at work than at 0 % use: no busy power is written"
        )


def _load(cards: Sequence[_Card], log: Log, period: Period | None, told: list[str]) -> list[Entry]:
    """The hourly means of use over all GPUs, as levels of load; none under a day."""
    whole = [card for card in cards if not _in_parts(card)]
    if period is None or log.begin is None or not whole:
        return []
    first, last = _hour(period.begin, log.begin), _hour(period.end, log.begin) + 1
    if period.whole_weeks >= FEW_WEEKS:
        last = first + period.whole_weeks * WEEK_HOURS
    hours = np.zeros((last - first, len(COLUMNS)))
    for card in whole:
        for track in card.tracks:
            at = max(track.hours.first - first, 0)
            of = track.hours.between(first, last)
            hours[at : at + len(of)] += of
    # an hour of which less than half was measured is none
    measured = hours[hours[:, COLUMN["busy_seconds"]] >= 1800]
    use = measured[:, COLUMN["busy"]] / measured[:, COLUMN["busy_seconds"]]
    if len(use) < DAY_HOURS or not use.any():
        return []
    levels, shares = levels_of(use)
    if len(levels) == 1:
        content: dict[str, object] = {"loads": "flat"}
        shown = "flat"
    else:
        content = {"loads": list(levels), "shares": list(shares)}
        shown = f"the highest hour {levels[0] / use.mean():.3g} times the mean"
    is_reduced = len(np.unique(_rounded(use))) > len(levels)
    told.append(
        f"load: the mean use of all GPUs in each of {len(use):,} hours"
        + (f", as {len(levels)} levels: the highest hour as it is" if is_reduced else "")
    )
    return [Entry("demand", "", "load", content, "load by the hour", shown, day=_day(log, period))]


def levels_of(hourly: Numbers) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """At most 24 levels of load in falling order, and the share of the hours at each.

    Up to 24 different loads are all kept. Of more the highest is as it is, and the rest are in bins
    of about the same hours at their mean, so that the mean over all hours stays what it is.

    >>> levels_of(np.array([0.5, 0.25, 1.0, 0.25]))
    ((1.0, 0.5, 0.25), (0.25, 0.25, 0.5))
    >>> levels, shares = levels_of(np.arange(231.0))
    >>> len(levels), levels[:2], shares[:2]
    (24, (230.0, 224.5), (0.00432900432900433, 0.0432900432900433))
    """
    falling = np.sort(_rounded(hourly))[::-1]
    parts = np.split(falling, np.flatnonzero(np.diff(falling)) + 1)
    if len(parts) > MOST_LEVELS:
        parts = [parts[0], *np.array_split(falling[len(parts[0]) :], MOST_LEVELS - 1)]
    hours: dict[float, int] = {}
    for part in parts:
        level = float(_rounded(part.mean()))
        hours[level] = hours.get(level, 0) + len(part)
    # as many digits as a scenario keeps
    return tuple(hours), tuple(float(f"{n / len(falling):.15g}") for n in hours.values())


def _rounded(values: Numbers) -> Numbers:
    """Shares to nine decimals, finer than any log and coarser than what adding up leaves over."""
    return np.round(values, 9)


HEAD = ("GPU", "card", "samples", "hours measured", "busy", "mean W", "W at 0 %", "W busy", "kWh")


def _gpu_table(log: Log) -> Table:
    tracks = [track for track in log.tracks.values() if track.samples]
    rows = [
        _gpu_row(t.device.label, t.device.name, t.samples, t.sums, doubt=bool(t.device.doubt))
        for t in tracks
    ]
    if len(tracks) > 1:
        *most, idle, busy, energy = _gpu_row(
            "all",
            "",
            sum(track.samples for track in tracks),
            together(track.sums for track in tracks),
            doubt=any(track.device.doubt for track in tracks),
        )
        if len({track.device.name for track in tracks}) > 1:
            # of different cards it is the power of none
            idle = busy = "-"
        rows.append((*most, idle, busy, energy))
    return Table("GPUs", (HEAD, *rows), _TABLE_NOTES)


_TABLE_NOTES = ("over all that was measured; hours are those between samples, holes left out",)


def _gpu_row(
    label: str, name: str, samples: int, sums: Sums, *, doubt: bool = False
) -> tuple[str, ...]:
    seconds = max(sums.busy_seconds, sums.watt_seconds)
    busy, powers = sums.utilisation, _powers(sums)
    if doubt:
        busy, powers = None, (sums.mean_power, None, None)
    return (
        label,
        name or "-",
        f"{samples:,}",
        _amount(seconds / 3600) if seconds else "-",
        "-" if busy is None else f"{busy * 100:.4g} %",
        *("-" if watts is None else f"{watts:,.2f}" for watts in powers),
        _amount(sums.joules / 3.6e6) if sums.watt_seconds else "-",
    )


def _amount(number: float) -> str:
    """Four digits, or more before the point."""
    return f"{number:,.0f}" if number >= 1000 else f"{number:.4g}"


def _powers(sums: Sums) -> tuple[float | None, ...]:
    return sums.mean_power, sums.idle_power, sums.active_power


def _week_table(cards: Sequence[_Card], log: Log, period: Period | None) -> list[Table]:
    rows = []
    for card in cards:
        for week, sums in _weeks(card, log, period).items():
            assert period is not None
            begin = f"{period.begin + week * WEEK:%Y-%m-%d %H:%M}"
            _, _, _, *numbers = _gpu_row("", "", 0, sums)
            rows.append((begin if log.dated else f"week {week + 1}", card.title, *numbers))
    return [Table("Whole weeks", (("from", "card", *HEAD[3:]), *rows))] if rows else []
