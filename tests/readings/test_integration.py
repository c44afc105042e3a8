"""Use and power integrated over time: closed forms, order, chunks, holes and clocks."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.readings.gpus.integration import HOUR, SECOND, Device, Log, Sums

ONE = Device("0", "0")
TWO = Device("1", "1")
# 2026-06-29 10:00:00, a Monday
BEGIN = 1_782_727_200 * SECOND


def sums_of(log: Log, device: Device = ONE) -> Sums:
    return log.tracks[device].sums


def logged(
    seconds: Sequence[float],
    busy: Sequence[float],
    watts: Sequence[float],
    *,
    cuts: Sequence[int] = (),
    begin: int = BEGIN,
) -> Log:
    """A log of one GPU, taken in the parts that it is cut into."""
    log = Log(begin)
    times = begin + np.round(np.array(seconds) * SECOND).astype(np.int64)
    for part in np.split(np.arange(len(times)), sorted(cuts)):
        log.add(ONE, times[part], np.array(busy, float)[part], np.array(watts, float)[part])
    log.finish()
    return log


def test_two_samples_by_hand() -> None:
    # 60 s from 100 W to 300 W: 60 x 200 = 12,000 J; use from 0 to 1: 30 s of 60
    sums = sums_of(logged([0, 60], [0, 1], [100, 300]))
    assert sums.joules == pytest.approx(12_000)
    assert sums.utilisation == pytest.approx(0.5)
    assert sums.mean_power == pytest.approx(200)
    assert sums.idle_power == 100
    # 100 x 0.5 + 300 x 0.5 = 200
    assert sums.active_power == pytest.approx(300)


def test_unequal_gaps_weigh_by_their_length() -> None:
    # 10 s at 0 % and 20 W, 10 s between, 100 s at 100 % and 320 W
    sums = sums_of(logged([0, 10, 20, 120], [0, 0, 1, 1], [20, 20, 320, 320]))
    assert sums.utilisation == pytest.approx((10 * 0 + 10 * 0.5 + 100 * 1) / 120)
    assert sums.joules == pytest.approx(10 * 20 + 10 * 170 + 100 * 320)


pieces = st.lists(
    st.tuples(st.integers(1, 290), st.floats(0, 1), st.floats(0, 1000)), min_size=1, max_size=60
)


@given(pieces)
def test_the_energy_of_any_piecewise_linear_power_is_its_closed_form(
    corners: list[tuple[int, float, float]],
) -> None:
    seconds = np.concatenate(([0], np.cumsum([gap for gap, _, _ in corners])))
    watts = np.array([50.0, *(w for _, _, w in corners)])
    busy = np.array([0.0, *(b for _, b, _ in corners)])
    # each corner weighs half the time to its neighbours
    weights = (np.diff(seconds, prepend=0) + np.diff(seconds, append=seconds[-1])) / 2
    sums = sums_of(logged(seconds.tolist(), busy.tolist(), watts.tolist()))
    assert sums.joules == pytest.approx(float(weights @ watts), rel=1e-9)
    assert sums.busy == pytest.approx(float(weights @ busy), rel=1e-9, abs=1e-9)
    assert sums.watt_seconds == pytest.approx(float(seconds[-1]))


@given(pieces, st.data())
def test_parts_change_nothing(corners: list[tuple[int, float, float]], data: st.DataObject) -> None:
    seconds = np.cumsum([gap for gap, _, _ in corners]).tolist()
    busy, watts = [b for _, b, _ in corners], [w for _, _, w in corners]
    cuts = data.draw(st.lists(st.integers(0, len(seconds)), max_size=5))
    whole = logged(seconds, busy, watts)
    parts = logged(seconds, busy, watts, cuts=cuts)
    assert sums_of(parts).values == pytest.approx(sums_of(whole).values, rel=1e-12)
    assert parts.tracks[ONE].hours.sums.shape[1] == whole.tracks[ONE].hours.sums.shape[1]
    assert parts.period == whole.period


@given(pieces, pieces, st.randoms())
def test_the_order_in_which_gpus_interleave_does_not_matter(
    one: list[tuple[int, float, float]], two: list[tuple[int, float, float]], random: object
) -> None:
    samples = []
    for device, corners in ((ONE, one), (TWO, two)):
        moment = BEGIN
        for gap, busy, watts in corners:
            moment += gap * SECOND
            samples.append((device, moment, busy, watts))

    def taken(order: list[tuple[Device, int, float, float]]) -> dict[Device, np.ndarray]:
        log = Log(BEGIN)
        for device, moment, busy, watts in order:
            log.add(device, np.array([moment]), np.array([busy]), np.array([watts]))
        log.finish()
        return {device: track.sums.values for device, track in log.tracks.items()}

    by_gpu = taken(samples)
    by_time = taken(sorted(samples, key=lambda sample: sample[1]))
    for device in (ONE, TWO):
        assert by_time[device] == pytest.approx(by_gpu[device], rel=1e-12)


def test_many_samples_settle_the_usual_gap_in_whatever_parts_they_come() -> None:
    # 1,500 samples a second apart, then one after ten minutes: a hole
    seconds = [*range(1500), 1499 + 600, 1499 + 601]
    busy, watts = [0.5] * len(seconds), [100.0] * len(seconds)
    for cuts in ((), (1,), (999, 1000, 1001), (1500,), tuple(range(100, 1500, 100))):
        log = logged(seconds, busy, watts, cuts=cuts)
        assert sums_of(log).joules == pytest.approx(100 * (1499 + 1))
        assert log.tracks[ONE].watts.holes == 1
        assert log.tracks[ONE].watts.hole_seconds == 600


@pytest.mark.parametrize(
    ("usual", "longest_measured"),
    # five minutes where samples are close, ten usual gaps where they are not
    [(10, 300), (60, 600), (600, 6000)],
)
def test_a_gap_is_a_hole_beyond_five_minutes_and_ten_usual_gaps(
    usual: int, longest_measured: int
) -> None:
    before = [usual * n for n in range(20)]
    for gap, is_hole in ((longest_measured, False), (longest_measured + 1, True)):
        seconds = [*before, before[-1] + gap]
        log = logged(seconds, [1] * len(seconds), [100] * len(seconds))
        assert log.tracks[ONE].watts.holes == is_hole
        measured = before[-1] + (0 if is_hole else gap)
        assert sums_of(log).joules == pytest.approx(100 * measured)


def test_hours_are_cut_where_they_end() -> None:
    # power rises from 0 W by 1 W a minute for three hours, sampled every 4 minutes and 10 hours
    # late: hour n holds the mean of its ends, 30 + 60 n watts
    seconds = [240 * n for n in range(46)]
    log = logged(seconds, [0.5] * 46, [second / 60 for second in seconds])
    hours = log.tracks[ONE].hours.between(0, 3)
    joules = [Sums(hour).joules for hour in hours]
    assert joules == pytest.approx([3600 * 30, 3600 * 90, 3600 * 150])
    assert [Sums(hour).watt_seconds for hour in hours] == pytest.approx([3600] * 3)


def test_a_gap_over_several_hours_is_shared_among_them() -> None:
    # samples 90 minutes apart, each 1 h 30 of the line from 0 to 90 W and on
    seconds = [5400 * n for n in range(5)]
    log = logged(seconds, [0] * 5, [second / 60 for second in seconds])
    joules = [Sums(hour).joules for hour in log.tracks[ONE].hours.between(0, 6)]
    assert joules == pytest.approx([3600 * (30 + 60 * n) for n in range(6)])


def test_a_cell_that_is_missing_costs_its_quantity_alone() -> None:
    nan = float("nan")
    sums = sums_of(logged([0, 10, 20], [0, nan, 1], [100, 200, 300]))
    # use is a line from 0 to 1 over 20 s, power one from 100 to 300
    assert sums.utilisation == pytest.approx(0.5)
    assert sums.joules == pytest.approx(20 * 200)
    assert (sums.idle_samples, sums.busy_samples, sums.watt_samples) == (1, 2, 3)


def test_rows_of_one_moment_count_once_as_their_mean() -> None:
    # twice each: the same areas, not twice of them
    once = sums_of(logged([0, 10, 20], [0, 0.5, 1], [100, 200, 300]))
    log = logged([0, 0, 10, 10, 20, 20], [0, 0, 0.5, 0.5, 1, 1], [100, 100, 150, 250, 300, 300])
    twice = sums_of(log)
    assert twice.joules == pytest.approx(once.joules)
    assert twice.busy == pytest.approx(once.busy)
    assert log.tracks[ONE].watts.shared == 3


def test_a_clock_that_goes_back_leaves_out_what_is_before_it() -> None:
    log = Log(BEGIN)
    times = BEGIN + SECOND * np.array([0, 10, 20, 5, 15, 30])
    kept = log.add(ONE, times, np.zeros(6), np.full(6, 100.0))
    log.finish()
    assert kept.tolist() == [True, True, True, False, False, True]
    assert sums_of(log).joules == pytest.approx(30 * 100)
    late = log.tracks[ONE]
    assert late.samples == 4


# 2026-10-25 is the Sunday on which clocks go back from three to two in Europe
SUNDAY = 1_792_893_600 * SECOND  # 02:00 as the clock shows it
AUTUMN = [*range(0, 3600, 10), *range(0, 3600, 10), 3600]


@pytest.mark.parametrize("cut", [None, 100, 360, 361, 500])
def test_the_end_of_summer_time_costs_nothing(cut: int | None) -> None:
    log = Log(SUNDAY)
    times = SUNDAY + SECOND * np.array(AUTUMN)
    kept = []
    for part in np.split(np.arange(len(times)), [cut] if cut else []):
        kept += log.add(
            ONE, times[part], np.full(len(part), 0.5), np.full(len(part), 100.0)
        ).tolist()
    log.finish()
    assert all(kept)
    # two real hours
    assert sums_of(log).joules == pytest.approx(7200 * 100)
    assert log.tracks[ONE].clock_put_back == 1


@pytest.mark.parametrize(
    ("begin", "local"), [(SUNDAY, False), (SUNDAY - 24 * HOUR, True), (SUNDAY + 6 * HOUR, True)]
)
def test_only_a_local_clock_on_a_sunday_night_is_put_back(begin: int, local: bool) -> None:
    log = Log(begin, local=local)
    times = begin + SECOND * np.array(AUTUMN)
    kept = log.add(ONE, times, np.full(len(times), 0.5), np.full(len(times), 100.0))
    log.finish()
    assert int((~kept).sum()) == 359  # the row of 02:59:50 stands again
    assert sums_of(log).joules == pytest.approx(3600 * 100)


# 2026-03-29 is the Sunday on which clocks go forward from two to three in Europe
SPRING = 1_774_749_600 * SECOND  # 02:00 as the clock shows it before


def shown(real: np.ndarray, change: int, hours: int) -> np.ndarray:
    """What a local clock shows that is changed by so many hours at a moment."""
    return np.where(real < change, real, real + hours * HOUR)


@given(
    gap=st.one_of(st.integers(1, 60), st.integers(61, 1800)),
    # 3:00 shows 2:00 from then on, or 2:00 shows 3:00
    change=st.sampled_from([(SUNDAY + HOUR, -1), (SPRING, 1)]),
    before=st.integers(7 * 3600, 9 * 3600),
    gpus=st.integers(1, 3),
    data=st.data(),
)
@settings(max_examples=40, deadline=None)
def test_a_change_of_the_clock_changes_no_hours_and_no_share(
    gap: int, change: tuple[int, int], before: int, gpus: int, data: st.DataObject
) -> None:
    real = change[0] - before * SECOND + gap * SECOND * np.arange(16 * 3600 // gap)
    devices = [Device(str(n), str(n)) for n in range(gpus)]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(real)), max_size=4)))

    def taken(times: np.ndarray, *, local: bool) -> Log:
        log = Log(int(times[0]), local=local)
        for part in np.split(np.arange(len(times)), cuts):
            log.saw(times[part])
            for device in devices:
                rows = len(part)
                assert log.add(device, times[part], np.full(rows, 0.25), np.full(rows, 90.0)).all()
        log.finish()
        return log

    universal = taken(real, local=False)
    local = taken(shown(real, *change), local=True)
    assert local.period is not None
    assert universal.period is not None
    assert local.period.length == universal.period.length
    for device in devices:
        assert sums_of(local, device).values == pytest.approx(sums_of(universal, device).values)
        assert sums_of(local, device).utilisation == pytest.approx(0.25)
        assert local.tracks[device].busy.holes == 0
        back, forward = (
            local.tracks[device].clock_put_back,
            local.tracks[device].clock_put_forward,
        )
        assert (back, forward) == ((1, 0) if change[1] < 0 else (0, 1))


def minutes_from(begin: int, *minutes: float) -> np.ndarray:
    return begin + np.round(np.array(minutes) * 60 * SECOND).astype(np.int64)


# stamps of 20 minutes before and after an hour that is missing, from two o'clock
FORWARD = [-80, -60, -40, -20, 60, 80, 100]


def put_forward(begin: int, minutes: Sequence[float], *, local: bool = True) -> int:
    log = Log(begin, local=local)
    times = minutes_from(begin, *minutes)
    log.saw(times)
    log.add(ONE, times, np.ones(len(times)), np.full(len(times), 100.0))
    log.finish()
    return log.tracks[ONE].clock_put_forward


DAYS = 24 * HOUR


@pytest.mark.parametrize(
    ("begin", "minutes", "forward"),
    [
        pytest.param(SPRING, FORWARD, 1, id="two o'clock in March"),
        # New York's is on the second Sunday of March, Sydney's on the first one of October
        pytest.param(SPRING - 21 * DAYS, FORWARD, 1, id="three weeks before"),
        pytest.param(SPRING + 27 * 7 * DAYS, FORWARD, 1, id="Sunday 2026-10-04"),
        # in Lisbon from one to two, in Helsinki from three to four, in Santiago from midnight
        pytest.param(SPRING - HOUR, FORWARD, 1, id="one o'clock"),
        pytest.param(SPRING + HOUR, FORWARD, 1, id="three o'clock"),
        pytest.param(SPRING - 2 * HOUR, FORWARD, 1, id="midnight"),
        # no clock is changed then
        pytest.param(SPRING + 3 * HOUR, FORWARD, 0, id="five o'clock"),
        pytest.param(SPRING + DAYS, FORWARD, 0, id="a Monday"),
        pytest.param(SPRING - DAYS, FORWARD, 0, id="a Saturday"),
        pytest.param(SPRING + 13 * 7 * DAYS, FORWARD, 0, id="a Sunday in June"),
        # what is missing is no hour of the clock
        pytest.param(SPRING + HOUR // 2, FORWARD, 0, id="from half past two"),
        pytest.param(SPRING, [-60, -40, -20, 40, 60], 0, id="less than an hour more"),
        pytest.param(SPRING, [-80, -60, -40, -20, 80, 100], 0, id="twenty minutes more"),
        pytest.param(SPRING, [-80, -60, -40, -20, 120, 140], 0, id="two hours"),
    ],
)
def test_an_hour_is_left_out_where_a_clock_is_put_forward(
    begin: int, minutes: list[float], forward: int
) -> None:
    assert put_forward(begin, minutes) == forward
    # stamps with a zone are never shifted
    assert put_forward(begin, minutes, local=False) == 0


def test_an_hour_in_which_another_gpu_was_logged_is_not_left_out() -> None:
    one, two = minutes_from(SPRING, *FORWARD), minutes_from(SPRING, *range(-80, 120, 20))
    log = Log(int(one[0]))
    log.saw(np.sort(np.concatenate((one, two))))
    for device, times in ((ONE, one), (TWO, two)):
        log.add(device, times, np.ones(len(times)), np.full(len(times), 100.0))
    log.finish()
    assert [log.tracks[d].clock_put_forward for d in (ONE, TWO)] == [0, 0]
    # 80 minutes are less than ten usual gaps: integrated, three hours in all
    assert sums_of(log, ONE).busy == sums_of(log, TWO).busy == 3 * 3600


def test_another_machine_has_a_clock_of_its_own() -> None:
    one, two = minutes_from(SPRING, *FORWARD), minutes_from(SPRING, *range(-80, 120, 20))
    log = Log(int(one[0]))
    for device, times, machine in ((TWO, two, 1), (ONE, one, 2)):
        log.saw(times, machine)
        log.add(device, times, np.ones(len(times)), np.full(len(times), 100.0))
    log.finish()
    # one hour less than the stamps say
    assert (sums_of(log, ONE).busy, sums_of(log, TWO).busy) == (2 * 3600, 3 * 3600)


@pytest.mark.parametrize(
    ("begin", "minutes", "missed", "hours"),
    [
        # from 0:40 to 3:40 on the clock are two hours
        (SPRING, FORWARD, [-80, 60, 100], 2),
        # from 1:40 to 2:40 are two hours where it is put back at three
        (SUNDAY + HOUR, [-80, -60, -40, -20, -60, -40, -20, 0, 20, 40], [-80, 20, 40], 3),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_a_gpu_that_was_not_logged_at_the_change_has_the_same_clock(
    begin: int, minutes: list[float], missed: list[float], hours: int, *, late: bool
) -> None:
    one, two = minutes_from(begin, *minutes), minutes_from(begin, *missed[late:])
    log = Log(int(one[0]))
    log.saw(one)
    for device, times in ((ONE, one), (TWO, two)):
        log.add(device, times, np.ones(len(times)), np.full(len(times), 100.0))
    log.finish()
    assert log.tracks[ONE].last == log.tracks[TWO].last
    assert sums_of(log, ONE).busy == hours * 3600


def test_without_times_each_sample_counts_alike() -> None:
    log = Log(None)
    log.add(ONE, None, np.array([0.0, 1.0, 1.0, 0.0]), np.array([20.0, 300.0, 320.0, 40.0]))
    log.finish()
    sums = sums_of(log)
    assert (sums.utilisation, sums.mean_power, sums.idle_power) == (0.5, 170.0, 30.0)
    assert sums.active_power == 310.0
    assert sums.joules == 0
    assert log.period is None


@given(
    st.lists(st.tuples(st.integers(1, 60), st.floats(0.01, 1), st.floats(100, 700)), min_size=1),
    st.floats(5, 90),
)
def test_idle_and_busy_power_give_the_energy_measured(
    corners: list[tuple[int, float, float]], idle: float
) -> None:
    seconds = np.concatenate(([0], np.cumsum([gap for gap, _, _ in corners]))).tolist()
    log = logged(seconds, [0.0, *(b for _, b, _ in corners)], [idle, *(w for _, _, w in corners)])
    sums = sums_of(log)
    busy, active, idle_watts = sums.utilisation, sums.active_power, sums.idle_power
    assert busy is not None
    assert active is not None
    assert idle_watts is not None
    mean = idle_watts * (1 - busy) + active * busy
    assert mean * sums.watt_seconds == pytest.approx(sums.joules, rel=1e-9)


def test_a_card_that_was_never_idle_draws_the_mean_of_its_hot_samples() -> None:
    sums = sums_of(logged([0, 10, 20], [0.5, 0.9, 1], [200, 300, 320]))
    assert sums.idle_power is None
    assert sums.active_power == pytest.approx((300 + 320) / 2)


def test_a_card_that_was_neither_idle_nor_hot_has_no_such_powers() -> None:
    sums = sums_of(logged([0, 10], [0.5, 0.6], [200, 300]))
    assert (sums.idle_power, sums.active_power) == (None, None)


def test_a_card_that_draws_less_at_work_has_no_busy_power() -> None:
    sums = sums_of(logged([0, 10], [0, 1], [100, 50]))
    assert (sums.idle_power, sums.active_power) == (100.0, None)


def test_hours_before_the_first_one_are_kept() -> None:
    # a file that holds one GPU after the other may begin with the one that was logged later
    log = Log(BEGIN)
    log.add(ONE, BEGIN + SECOND * np.array([0, 10]), np.ones(2), np.full(2, 100.0))
    early = BEGIN - 3 * HOUR + SECOND * np.array([0, 10])
    log.add(TWO, early, np.ones(2), np.full(2, 100.0))
    log.finish()
    assert sums_of(log, TWO).joules == pytest.approx(1000)
    assert Sums(log.tracks[TWO].hours.between(-3, -2)[0]).joules == pytest.approx(1000)
    period = log.period
    assert period is not None
    assert period.length.total_seconds() == 3 * 3600 + 10
