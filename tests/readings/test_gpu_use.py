"""What a log of GPUs says: numbers over whole weeks, the load by the hour, what is warned of."""

from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.readings.gpus.gpu_use import levels_of
from tco.readings.gpus.nvidia_smi import KIND
from tco.readings.reading import Asked, Reading
from tests.readings.logs import Sample, column, entry, every, lost, smi, values, written

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)


def read(folder: Path, *samples: list[Sample], gpu: str | None = "rtx-4090") -> Reading:
    paths = [written(folder, smi(part), f"{n}.csv") for n, part in enumerate(samples)]
    return KIND.read(paths, Asked(gpu=gpu))


def weeks(*shares: float, rest: timedelta = timedelta(0)) -> list[Sample]:
    """Samples each five minutes: in week n the GPU is busy for so much of the time."""
    edges = [n * WEEK.total_seconds() for n in range(1, len(shares) + 1)]

    def of(seconds: float) -> tuple[float, float]:
        week = sum(seconds >= edge for edge in edges)
        share = shares[week] if week < len(shares) else 1.0
        within = seconds % 86_400
        return (100, 300) if within < share * 86_400 else (0, 30)

    return every(300, len(shares) * WEEK + rest, of)


def test_two_whole_weeks_give_low_and_high(tmp_path: Path) -> None:
    found = read(tmp_path, weeks(0.25, 0.75))
    use = entry(found, "utilisation")
    # half of the five minutes before a busy stretch is busy, half of those at its end is not
    assert use.content["value"] == pytest.approx(0.5, abs=1e-3)
    assert use.content["low"] == pytest.approx(0.25, abs=1e-3)
    assert use.content["high"] == pytest.approx(0.75, abs=1e-3)
    assert use.note == "low and high: the lowest and highest of 2 whole weeks"
    assert use.day == date(2026, 7, 13)
    assert use.shown == "50 % (25 % to 75 %)"
    assert found.warnings == ()


def test_what_is_over_after_the_whole_weeks_is_left_out_and_said(tmp_path: Path) -> None:
    with_rest = read(tmp_path, weeks(0.25, 0.75, rest=3 * DAY))
    without = read(tmp_path, weeks(0.25, 0.75))
    for field in ("utilisation", "idle_power", "active_power"):
        assert entry(with_rest, field).content == entry(without, field).content
    assert (
        "the values are those of 2 whole weeks; 3 days after them are left over"
        in with_rest.remarks
    )


def test_under_two_weeks_all_that_was_measured_counts(tmp_path: Path) -> None:
    found = read(tmp_path, weeks(0.25, rest=3 * DAY))
    use = entry(found, "utilisation")
    assert use.content == {"value": pytest.approx((7 * 0.25 + 3) / 10, abs=1e-3)}
    assert use.note is None
    assert found.warnings == (
        "1 whole week: two are needed to plan with (article C); no low and high written",
    )


def test_the_numbers_give_the_energy_that_was_measured(tmp_path: Path) -> None:
    found = read(tmp_path, weeks(0.2, 0.4, 0.9))
    number = values(found)
    use, idle, busy = (number[f] for f in ("utilisation", "idle_power", "active_power"))
    (energy,) = column(found, "kWh")
    hours = 3 * 168
    assert (idle * (1 - use) + busy * use) * hours / 1000 == pytest.approx(
        float(energy.replace(",", "")), rel=1e-3
    )


def test_a_week_of_which_little_was_measured_weighs_little(tmp_path: Path) -> None:
    samples = weeks(0.25, 0.75)
    edge = 8 * 86_400
    # of the second week the first day alone, and the last sample, so that two weeks are spanned
    cut = [sample for sample in samples if sample[0] < edge] + samples[-1:]
    found = read(tmp_path, cut)
    use = entry(found, "utilisation")
    assert use.content["value"] == pytest.approx((7 * 0.25 + 0.75) / 8, abs=1e-3)
    assert use.content["low"] == pytest.approx(0.25, abs=1e-3)
    assert use.content["high"] == pytest.approx(0.75, abs=1e-3)
    # 6 of 14 days are a hole
    (holes,) = (text for text in found.warnings if "not integrated" in text)
    assert holes == (
        "gaps longer than 50 minutes are not integrated: 144.1 GPU-hours in all, beside 191.9 "
        "measured"
    )


def test_a_short_hole_is_said_without_alarm(tmp_path: Path) -> None:
    samples = [s for s in every(10, DAY, lambda _: (50, 200)) if not 3600 < s[0] < 7200]
    found = read(tmp_path, samples)
    (holes,) = (text for text in found.remarks if "not integrated" in text)
    assert holes == (
        "gaps longer than 5 minutes are not integrated: 1 GPU-hours in all, beside 23 measured"
    )
    assert column(found, "kWh") == ["4.6"]


def test_the_load_is_the_use_of_each_hour(tmp_path: Path) -> None:
    # busy for all of the first 6 hours of the day, idle after them
    found = read(tmp_path, every(60, DAY, lambda s: (100, 300) if s < 6 * 3600 else (0, 30)))
    load = entry(found, "load")
    assert (load.room, load.subject) == ("demand", "")
    # half of the last minute of the sixth hour, in which it goes idle, is not busy
    assert load.content["loads"] == pytest.approx([1, 1 - 0.5 / 60, 0], abs=1e-9)
    assert load.content["shares"] == pytest.approx([5 / 24, 1 / 24, 18 / 24], abs=1e-15)
    # 1 over (5 + 1 - 0.5 / 60) / 24
    assert load.shown == "the highest hour 4.01 times the mean"
    assert "load: the mean use of all GPUs in each of 24 hours" in found.remarks


def test_the_load_is_that_of_all_gpus(tmp_path: Path) -> None:
    samples = every(60, DAY, lambda s: (100, 300) if s < 12 * 3600 else (0, 30))
    other = [(seconds, 1, 50.0, 150.0) for seconds, _, _, _ in samples]
    found = read(tmp_path, sorted([*samples, *other]))
    load = entry(found, "load").content
    # eleven hours at (100 + 50) / 2, one of which the last half minute is not busy, twelve at 25
    twelfth = (1 - 0.5 / 60 + 0.5) / 2
    assert load["loads"] == pytest.approx([0.75, twelfth, 0.25], abs=1e-9)
    assert load["shares"] == pytest.approx([11 / 24, 1 / 24, 12 / 24], abs=1e-15)


def test_a_load_that_never_changes_is_flat(tmp_path: Path) -> None:
    found = read(tmp_path, every(60, DAY, lambda _: (30, 100)))
    assert (entry(found, "load").content, entry(found, "load").shown) == ({"loads": "flat"}, "flat")


def test_under_a_day_there_is_no_load(tmp_path: Path) -> None:
    found = read(tmp_path, every(60, timedelta(hours=23), lambda _: (50, 200)))
    assert [e for e in found.entries if e.field == "load"] == []


def test_a_load_of_nothing_is_none(tmp_path: Path) -> None:
    found = read(tmp_path, every(60, DAY, lambda _: (0, 30)))
    assert [e for e in found.entries if e.field == "load"] == []
    assert values(found) == {"utilisation": 0.0, "idle_power": 30.0}


def test_one_hour_of_eight_weeks_counts_as_one(tmp_path: Path) -> None:
    # 1,344 hours at steps from 2 % to 6.5 % but one in which the GPU is busy all the time
    peak = 700

    def of(seconds: float) -> tuple[float, float]:
        hour, within = divmod(seconds, 3600)
        share = 2 + hour % 28 / 6
        return (100, 300) if hour == peak or (hour == peak + 1 and not within) else (share, 40)

    found = read(tmp_path, every(600, 8 * WEEK, of))
    load = entry(found, "load").content
    loads, shares = np.array(load["loads"]), np.array(load["shares"])
    assert len(loads) == len(shares) == 24
    assert list(loads) == sorted(loads, reverse=True)
    assert (loads[0], shares[0]) == (1.0, pytest.approx(1 / 1344, abs=1e-15))
    assert sum(load["shares"]) == pytest.approx(1, abs=1e-14)
    # the other 1,343 hours are in 23 bins of 58 or 59
    hours = np.round(shares[1:] * 1344)
    assert hours.sum() == 1343
    assert set(hours) == {58, 59}
    # the mean is that of the whole weeks, and the peak stands over it as it was measured
    use = entry(found, "utilisation").content["value"]
    assert loads @ shares == pytest.approx(use, abs=1e-6)
    assert entry(found, "load").shown == f"the highest hour {1 / use:.3g} times the mean"
    assert (
        "load: the mean use of all GPUs in each of 1,344 hours, as 24 levels: the highest hour as "
        "it is"
    ) in found.remarks


@given(
    st.lists(st.integers(0, 1000), min_size=24, max_size=1500).filter(any),
)
def test_levels_keep_the_mean_and_the_highest_hour(thousandths: list[int]) -> None:
    hourly = np.array(thousandths) / 1000
    levels, shares = (np.array(part) for part in levels_of(hourly))
    assert 1 <= len(levels) == len(shares) <= 24
    assert (np.diff(levels) < 0).all()
    assert shares.sum() == pytest.approx(1, abs=1e-13)
    assert levels @ shares == pytest.approx(hourly.mean(), abs=1e-9)
    assert levels[0] == hourly.max()
    assert shares[0] == pytest.approx((hourly == hourly.max()).mean(), abs=1e-14)


@pytest.mark.parametrize("different", [2, 24, 25, 400])
def test_up_to_24_different_loads_are_all_kept(different: int) -> None:
    # each for three hours
    levels, shares = levels_of(np.tile(np.arange(1.0, different + 1), 3))
    assert len(levels) == min(different, 24)
    if different <= 24:
        assert levels == tuple(float(n) for n in range(different, 0, -1))
        assert shares == pytest.approx([1 / different] * different, abs=1e-15)


def test_the_time_of_a_clock_that_was_put_back_is_counted(tmp_path: Path) -> None:
    # Sunday 2026-10-25: from 01:00 to 03:00, then from 02:00 to 04:00 again
    begin = datetime(2026, 10, 25, 1)
    clock = [*range(0, 7200, 60), *range(3600, 10801, 60)]
    path = written(tmp_path, smi([(float(s), 0, 50.0, 200.0) for s in clock], begin=begin))
    found = KIND.read([path], Asked(gpu="rtx-4090"))
    assert found.dropped == ()
    # four real hours
    assert column(found, "hours measured") == ["4"]
    assert column(found, "kWh") == ["0.8"]
    assert PUT_BACK in found.remarks


PUT_BACK = (
    "the clock was put back by an hour on a Sunday night (end of summer time): the hour that "
    "occurs twice is counted twice, once each"
)
PUT_FORWARD = (
    "the clock was put forward by an hour on a Sunday night (start of summer time): the hour that "
    "it leaves out is no gap"
)


@pytest.mark.parametrize(
    ("begin", "change", "hours", "remark"),
    [
        # Sunday 2026-10-25, 03:00 is 02:00; Sunday 2026-03-29, 02:00 is 03:00
        (datetime(2026, 10, 12), datetime(2026, 10, 25, 3), -1, PUT_BACK),
        (datetime(2026, 3, 16), datetime(2026, 3, 29, 2), 1, PUT_FORWARD),
    ],
)
@pytest.mark.parametrize("gap", [600, 1200, 1800])
def test_three_weeks_over_a_change_of_the_clock_are_three_weeks(
    tmp_path: Path, begin: datetime, change: datetime, hours: int, remark: str, gap: int
) -> None:
    # busy for a quarter of each real day, from its beginning
    edge = (change - begin).total_seconds()
    samples = []
    for n in range(3 * 168 * 3600 // gap + 1):
        seconds = float(n * gap)
        use, watts = (100.0, 300.0) if seconds % 86_400 < 21_600 else (0.0, 30.0)
        clock = seconds if seconds < edge else seconds + hours * 3600
        samples += [(clock, gpu, use, watts) for gpu in (0, 1)]
    path = written(tmp_path, smi(samples, begin=begin))
    found = KIND.read([path], Asked(gpu="rtx-4090"))
    assert found.dropped == ()
    assert found.warnings == ()
    assert remark in found.remarks
    assert column(found, "hours measured") == ["504", "504", "1,008"]
    assert column(found, "hours measured", 1) == ["336"] * 3
    # half of the gap before a busy stretch is busy too, half of that at its end is not; the first
    # day has none before it
    busy = (21 * 21_600 - gap / 2 + gap / 2) / (21 * 86_400)
    use = entry(found, "utilisation").content
    assert use["value"] == pytest.approx(busy, abs=1e-6) == pytest.approx(0.25)
    assert use["high"] - use["low"] < gap / (7 * 86_400)
    assert found.period is not None
    assert found.period.length == timedelta(weeks=3)


def test_a_missing_hour_of_another_day_is_a_gap(tmp_path: Path) -> None:
    # Monday 2026-03-30 from 02:00 to 03:00
    begin = datetime(2026, 3, 30)
    clock = [*range(0, 7200, 60), *range(10800, 14401, 60)]
    path = written(tmp_path, smi([(float(s), 0, 50.0, 200.0) for s in clock], begin=begin))
    found = KIND.read([path], Asked(gpu="rtx-4090"))
    # the last minute before it is lost with it
    hours = (7140 + 3600) / 3600
    assert column(found, "kWh") == [f"{hours * 0.2:.4g}"]
    assert PUT_FORWARD not in found.remarks


def test_a_clock_that_goes_back_otherwise_costs_rows(tmp_path: Path) -> None:
    clock = [*range(0, 600, 10), *range(300, 900, 10)]
    found = read(tmp_path, [(float(s), 0, 50.0, 200.0) for s in clock])
    # rows from 300 to 580 stand again before the last one, 590; that of 590 shares its moment
    assert lost(found) == {"a moment before that of a row above it": (29, 62)}
    assert column(found, "kWh") == [f"{890 * 200 / 3.6e6:.4g}"]
    assert "rows that share GPU and moment with another (1): their mean is taken" in found.remarks


def test_a_busy_power_above_what_was_drawn_is_warned_of(tmp_path: Path) -> None:
    # at 10 % use it draws 120 W already: (120 - 20 x 0.9) / 0.1 = 1,020 W would be busy
    found = read(tmp_path, [(0, 0, 0, 20), *((10.0 * n, 0, 10.0, 120.0) for n in range(1, 400))])
    assert any("is above the most that was drawn, 120 W" in text for text in found.warnings)


@pytest.mark.parametrize(("use", "is_told"), [(100.0, False), (99.6, False), (99.0, True)])
def test_a_busy_power_above_by_no_more_than_rounding_is_not_warned_of(
    tmp_path: Path, use: float, is_told: bool
) -> None:
    # above 20 W idle 270 W at 99.6 % are 271.08 W at 100 %: 291.08 W is 0.4 % above 290 W, and
    # at 99 % they are 272.73 W: 292.73 W is 0.9 % above
    found = read(tmp_path, [(0, 0, 0, 20), *((10.0 * n, 0, use, 290.0) for n in range(1, 50))])
    assert values(found)["active_power"] == pytest.approx(20 + 270 / (use / 100), rel=1e-5)
    assert any("is above the most that was drawn" in text for text in found.warnings) == is_told


def test_a_card_that_draws_less_at_work_has_no_busy_power(tmp_path: Path) -> None:
    found = read(tmp_path, [(0, 0, 0, 100), (10, 0, 0, 100), (20, 0, 100, 50)])
    assert set(values(found)) == {"utilisation", "idle_power"}
    assert found.warnings[-1] == (
        "rtx-4090: it drew no more at work than at 0 % use: no busy power is written"
    )


def test_a_card_never_seen_idle_or_hot_has_neither_power(tmp_path: Path) -> None:
    found = read(tmp_path, [(0, 0, 40, 200), (10, 0, 60, 250)])
    assert set(values(found)) == {"utilisation"}
    assert found.warnings[-1] == (
        "rtx-4090: never seen at 0 % use nor at 90 % or more: neither idle nor busy power is "
        "written"
    )


def test_the_whole_weeks_are_shown(tmp_path: Path) -> None:
    found = read(tmp_path, weeks(0.25, 0.75))
    assert [table.title for table in found.tables] == ["GPUs", "Whole weeks"]
    assert column(found, "from", 1) == ["2026-06-29 10:00", "2026-07-06 10:00"]
    assert column(found, "hours measured", 1) == ["168", "168"]
    assert column(found, "busy", 1) == ["25 %", "75 %"]
