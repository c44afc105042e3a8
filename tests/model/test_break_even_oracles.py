"""Break-evens with a known outcome that are asked of the solver or have no crossing at all.

BE-01, BE-02, BE-03, BE-06 and BE-08, MET-01 and AUD-01 are in `test_oracles`, BE-10 is in
`test_engineering_oracles`: the closed forms of the model. Here are BE-04, BE-05, BE-07 and BE-09,
and what the solver makes of the others.
"""

from typing import Any

import numpy as np
import pytest

from tco.analysis.break_even import break_even, break_even_months
from tests.model.conftest import Ask

HOURS = 730


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=1e-10, abs=1e-9)


BUY_OR_RENT = """
demand: {{gpu_hours: {hours}, card: l40s}}
site: {{electricity_price: {electricity}, pue: {pue}}}
options:
  own: {{own: l40s, count: 1, price: {price}, active_power: {busy} W, idle_power: {idle} W,
        speed_up: 1}}
  rent: {{rent: l40s, count: 1, price: 3.06, billed: busy, speed_up: 1}}
baseline: rent
other_costs: [{{name: running, amount: {running}, per: month, options: [own]}}]
"""
CARD: dict[str, Any] = {
    "hours": 365,
    "electricity": 0,
    "pue": 1,
    "price": 0,
    "busy": 0,
    "idle": 0,
    "running": 0,
}


def shares(ask: Ask, **given: Any) -> tuple[str, list[float]]:
    """What is said of the busy share, and the shares at which the cheaper one changes."""
    result = ask(BUY_OR_RENT.format(**{**CARD, **given}))
    found = break_even(result, "utilisation", "own", "rent")
    return found.status, [crossing.value for crossing in found.crossings]


def test_be_01_the_month_from_the_two_courses(ask: Ask) -> None:
    text = f"""
demand: {{output_tokens: 1 M}}
options:
  own: {{own: l40s, count: 1, price: 30000, tdp: 0}}
  rent: {{rent: l40s, count: 1, price: {1340.28 / HOURS}}}
baseline: rent
other_costs: [{{name: running, amount: 100, per: month, options: [own]}}]
"""
    (only,) = break_even_months(ask(text), "own", "rent").cash.crossings
    assert only.inside == close(30_000 / (1_340.28 - 100))
    assert only.month == 25


def test_be_02_utilisation_of_a_fixed_cost(ask: Ask) -> None:
    assert shares(ask, running=956) == ("crosses", [close(956 / (3.06 * HOURS))])


def test_be_03_utilisation_with_electricity_in_proportion_to_use(ask: Ask) -> None:
    found = shares(ask, price=30_000, busy=700, electricity=0.10)
    expected = 30_000 / 36 / (HOURS * (3.06 - 0.7 * 0.10))
    assert round(expected, 10) == 0.3817901376
    assert found == ("crosses", [close(expected)])


def test_be_04_an_idle_card_takes_power_too(ask: Ask) -> None:
    """The floor of an idle card is paid in all hours, being busy what it takes more."""
    found = shares(ask, price=30_000, busy=700, idle=100, electricity=0.10, pue=1.2)
    idle, busy = (watts / 1000 * 0.10 * 1.2 for watts in (100, 700))
    fixed = 30_000 / 36 + idle * HOURS
    assert found == ("crosses", [close(fixed / (HOURS * (3.06 - (busy - idle))))])


def test_be_05_above_all_hours_there_is_no_crossing(ask: Ask) -> None:
    """2,500 a month against at most 3.06 x 730: 111.9 % of the hours."""
    assert round(2_500 / (3.06 * HOURS), 10) == 1.1191691288
    assert shares(ask, running=2_500) == ("never", [])


def test_be_05_where_an_hour_of_ones_own_costs_more_there_is_none(ask: Ask) -> None:
    """3.20 for a busy hour of one's own against 3.06."""
    assert shares(ask, running=100, busy=1_000, electricity=3.2) == ("never", [])


def test_be_05_without_a_fixed_cost_owning_is_always_cheaper(ask: Ask) -> None:
    status, found = shares(ask, busy=700, electricity=0.10)
    assert (status, found) == ("always", [])


def test_be_06_tokens(ask: Ask) -> None:
    text = """
demand: {{output_tokens: 50 M}}
site: {{electricity_price: {electricity}}}
options:
  own: {{own: l40s, count: 1, price: 0, active_power: 500 W, idle_power: 0, output_rate: 250}}
  api: {{api: model, output_price: 8}}
baseline: api
other_costs: [{{name: fixed, amount: 956, per: month, options: [own]}}]
"""
    for electricity, mtok in ((0.90, 956 / 7.5), (0, 119.5)):
        (only,) = break_even(ask(text.format(electricity=electricity)), "tokens").crossings
        assert only.value == close(mtok * 1e6)


def test_be_07_each_replica_is_repaid_anew_until_the_fifth_for_good(ask: Ask) -> None:
    """A replica of 250 a month for every 100 Mtok, against 3 a Mtok: 83.3 Mtok for each."""
    result = ask(f"""
demand: {{output_tokens: 50 M}}
hardware: {{l40s: {{price: 9000, tdp: 0, output_rate: {100e6 / (3600 * HOURS)!r}}}}}
options:
  own: {{own: l40s, count: auto}}
  api: {{api: model, output_price: 3}}
baseline: api
""")
    found = break_even(result, "tokens", between=(0.0, 1e9))
    assert found.exhaustive
    up = [crossing for crossing in found.crossings if crossing.above == "own"]
    down = [crossing for crossing in found.crossings if crossing.above == "api"]
    mtok = [crossing.value / 1e6 for crossing in up]
    assert mtok == close([n * 250 / 3 for n in range(1, 6)])
    assert [round(x, 1) for x in mtok] == [83.3, 166.7, 250.0, 333.3, 416.7]
    assert not any(crossing.jump for crossing in up)
    # each replica more is bought just above what those before it serve
    assert [crossing.value / 1e6 for crossing in down] == pytest.approx(
        [100, 200, 300, 400], rel=1e-8
    )
    assert all(crossing.jump and crossing.served for crossing in down)
    assert all(np.nextafter(crossing.value, np.inf) == crossing.after for crossing in down)
    assert found.lasting == up[-1]
    assert found.first == up[0]


def test_be_08_the_speed_up_that_a_dearer_card_needs(ask: Ask) -> None:
    """3.06 against 0.49 an hour, both paid for the hours that the same work takes."""
    result = ask("""
demand: {output_tokens: 1 M}
options:
  fast: {rent: h100-sxm, count: 1, billed: busy, price: 3.06, output_rate: 200}
  slow: {rent: rtx-4090, count: 1, billed: busy, price: 0.49, output_rate: 100}
baseline: slow
""")
    found = break_even(result, "options.fast.output_rate", "fast", "slow")
    (only,) = found.crossings
    assert only.value / 100 == close(3.06 / 0.49)
    assert round(only.value / 100, 6) == 6.244898
    assert (only.below, only.above) == ("slow", "fast")


@pytest.mark.parametrize("rate", ["0%", "10%"])
def test_be_09_prices_by_a_straight_line_through_two_points(ask: Ask, rate: str) -> None:
    """x0 + (NPV of the other - NPV of this) / discounted quantity, whatever the rate."""
    text = BUY_OR_RENT.format(**{**CARD, "price": 30_000, "busy": 700, "electricity": 0.10})
    result = ask(text, rate=rate)
    npv = {name: result.metrics[name]["npv_of_cost"] or 0.0 for name in ("own", "rent")}
    ahead = npv["rent"] - npv["own"]
    factor = result.value("annuity_factor")
    quantities = {
        "hardware-price": (30_000, 1.0),
        "rental-price": (3.06, -365 * factor),
        "electricity-price": (0.10, 0.7 * 365 * factor),
    }
    for word, (used, quantity) in quantities.items():
        found = break_even(result, word, "own", "rent", between=(0.0, 1e5 if used > 1e3 else 50.0))
        expected = used + ahead / quantity
        if expected < 0:
            # a price below 0 is none: never, or always
            assert found.crossings == ()
            continue
        assert [crossing.value for crossing in found.crossings] == close([expected])
        assert found.straight


@pytest.mark.parametrize(
    ("price", "upfront", "share"), [(2.0, 0, 2 / 3.06), (1.7, 1752, 1.9 / 3.06)]
)
def test_be_10_reserved_against_by_the_hour(
    ask: Ask, price: float, upfront: float, share: float
) -> None:
    """Busy hours at which a card that is paid for all hours is worth it."""
    result = ask(f"""
demand: {{gpu_hours: 100, card: l40s}}
options:
  reserved: {{rent: l40s, count: 1, speed_up: 1,
             reserved: {{price: {price}, upfront: {upfront}, term_months: 12}}}}
  hourly: {{rent: l40s, count: 1, price: 3.06, billed: busy, speed_up: 1}}
baseline: hourly
""")
    (only,) = break_even(result, "gpu-hours", "reserved", "hourly", (0.0, 700.0)).crossings
    assert only.value / HOURS == close(share)
