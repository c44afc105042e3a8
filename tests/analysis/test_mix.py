"""The cheapest whole number of owned cards: the rule, counting, and both on scenarios."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from tco.analysis import mix as mixing
from tco.analysis.mix import (
    Card,
    Mix,
    Mixes,
    cheapest_base,
    enumerate_base,
    mixes,
    served_share_of_unit,
    worth_owning,
)
from tco.cli import main
from tco.engine.load import curve_of
from tco.engine.options import build
from tco.engine.structure import Model
from tco.errors import ScenarioError
from tco.report.columns import width
from tco.report.mix import render
from tco.results import Result, evaluate, run
from tco.scenario.loading import read

Ask = Callable[..., Result]


# Load-duration curves


def uniform(levels: int) -> tuple[list[float], list[float]]:
    """A load that is anything from 0 to 100 equally often, by the midpoints of its levels."""
    return [(k + 0.5) * 100 / levels for k in range(levels)], [1 / levels] * levels


# HYB-01. Costs are straight lines in the load between whole numbers of units, and with 100 n levels
# no level straddles one: midpoints are exact, and only rounding is left, 1e-12 of about 100.
HYB_01 = (1.2, 0.1, 3.1)  # F, v and p


@pytest.mark.parametrize("levels", [100, 2400])
def test_a_load_of_0_to_100_units_owns_60(levels: int) -> None:
    base = cheapest_base(*uniform(levels), 1.0, *HYB_01)
    assert base.units == 60  # P(load > 60) = 0.4 = 1.2 / (3.1 - 0.1)
    served, bought = 60 - 60**2 / 200, (100 - 60) ** 2 / 200
    assert base.cost == pytest.approx(1.2 * 60 + 0.1 * served + 3.1 * bought, abs=1e-10)
    assert base.cost == pytest.approx(101.0, abs=1e-10)
    # the 60th works 40.5 % of its hours, the 61st 39.5 %: 0.015 an hour to either side
    assert base.cost_of_one_fewer == pytest.approx(101.0 + 0.405 * 3.0 - 1.2, abs=1e-10)
    assert base.cost_of_one_more == pytest.approx(101.0 + 1.2 - 0.395 * 3.0, abs=1e-10)
    costs = enumerate_base(*uniform(levels), 1.0, *HYB_01)
    assert costs[0] == pytest.approx(3.1 * 50, abs=1e-10)  # 155: all bought
    assert costs[100] == pytest.approx(1.2 * 100 + 0.1 * 50, abs=1e-10)  # 125: all owned


def test_units_of_a_tenth_come_as_near_to_the_continuous_optimum() -> None:
    # the unit between 59.9 and 60 works 40.05 % of its hours, the next 39.95 %
    base = cheapest_base(*uniform(1000), 0.1, 0.12, 0.01, 0.31)
    assert base.units == 600
    assert base.cost == pytest.approx(101.0, abs=1e-10)


def test_the_continuous_optimum_is_never_rounded() -> None:
    # 10 for 39 % of the hours, else 1, in units of 10; F / (p - v) = 0.4. In fractions one would
    # own 1 / 10 of a unit, which rounds to none; whole, the first works 0.39 + 0.61 / 10 = 45.1 %.
    load = ([10.0, 1.0], [0.39, 0.61])
    base = cheapest_base(*load, 10.0, 0.4, 0.0, 1.0)
    assert base.units == 1
    assert base.cost_of_one_fewer == pytest.approx(0.451)
    assert base.cost == pytest.approx(0.4)
    assert enumerate_base(*load, 10.0, 0.4, 0.0, 1.0) == pytest.approx([0.451, 0.4, 0.8])


def test_the_rule_agrees_with_counting_on_generated_curves() -> None:
    owned = set()
    for seed in range(200):
        draw = np.random.default_rng(seed)
        levels = draw.uniform(0, 1000, draw.integers(1, 25)).tolist()
        shares = draw.dirichlet(np.ones(len(levels))).tolist()
        capacity = float(draw.uniform(20, 400))
        fixed, variable, price = draw.uniform(0, [2, 1, 4]).tolist()
        base = cheapest_base(levels, shares, capacity, fixed, variable, price)
        costs = enumerate_base(levels, shares, capacity, fixed, variable, price)
        around = [base.cost_of_one_fewer, base.cost, base.cost_of_one_more]
        expected = [costs[base.units - 1] if base.units else None]
        expected += costs[base.units : base.units + 2]
        assert around == [x if x is None else pytest.approx(x, rel=1e-9) for x in expected], seed
        # where another number costs as much, either is right
        assert base.cost == pytest.approx(min(costs), rel=1e-9), seed
        owned.add(base.units)
    assert 0 in owned
    assert len(owned) > 10


@pytest.mark.parametrize(
    ("fixed", "variable", "price"),
    [(1.0, 0.0, 1.0), (1.1, 0.0, 1.0), (0.0, 1.0, 1.0), (0.1, 2.0, 1.0)],
    ids=["F = p - v", "F > p - v", "p = v", "p < v"],
)
def test_none_is_owned_where_none_can_pay(fixed: float, variable: float, price: float) -> None:
    load = ([50.0], [1.0])
    assert not worth_owning(1.0, fixed, variable, price)
    base = cheapest_base(*load, 10.0, fixed, variable, price)
    assert (base.units, base.cost_of_one_fewer) == (0, None)
    assert base.cost == pytest.approx(min(enumerate_base(*load, 10.0, fixed, variable, price)))


def test_a_unit_that_costs_nothing_is_owned_only_while_it_has_work() -> None:
    assert cheapest_base([50.0], [1.0], 20.0, 0.0, 0.0, 1.0).units == 3  # 2.5 units


def test_a_unit_serves_what_lies_between_its_neighbours() -> None:
    load = ([25.0, 5.0], [0.5, 0.5])
    shares = [served_share_of_unit(n, *load, 10.0) for n in (1, 2, 3, 4)]
    assert shares == [0.5 * 1 + 0.5 * 0.5, 0.5, 0.25, 0]
    assert sum(shares) == 0.5 * 2.5 + 0.5 * 0.5


@pytest.mark.parametrize(
    ("levels", "shares", "capacity", "says"),
    [
        ([1.0, 2.0], [0.5, 0.4], 1.0, "sum to 0.9"),
        ([1.0], [1.0], 0.0, "capacity"),
        ([-1.0], [1.0], 1.0, "below 0"),
    ],
)
def test_a_curve_that_is_none_is_refused(
    levels: list[float], shares: list[float], capacity: float, says: str
) -> None:
    for count in (cheapest_base, enumerate_base):
        with pytest.raises(ValueError, match=says):
            count(levels, shares, capacity, 1.0, 0.0, 2.0)


# Scenarios

# A card costs 3600 / 36 = 100 a month, works 0.36 M tokens an hour and 262.8 M a month of 730
# hours, and draws 0.05 kW idle and 0.45 kW busy at 0.10 a kWh.
CARD = "own: rtx-4090, price: 3600, output_rate: 100, idle_power: 50 W, active_power: 450 W"
COMMON = "discount_rate: 0%\nsite: {electricity_price: 0.10}\n"
API = "{api: big, output_price: 1}"
FULL = 0.36 * 730  # M tokens a month of a busy card, which cost as many dollars as API


def scenario(cards_of_work: float, option: str, *more: str) -> str:
    demand = f"demand: {{output_tokens: {FULL * cards_of_work:.4f} M}}\n"
    return demand + COMMON + "options:\n" + "".join(f"  {line}\n" for line in (option, *more))


def chain(count: int = 1, extra: str = "", rest: str = API) -> str:
    return f"chain: [{{{CARD}, count: {count}{extra}}}, {rest}]"


def cost(cards: int, work: float) -> float:
    """A month's cost by hand: the cards, idle watts, busy watts, and the API for the rest."""
    busy = min(cards, work)
    idle = 0.05 * 0.10 * 730 * cards
    return 100 * cards + idle + 0.40 * 0.10 * 730 * busy + FULL * (work - busy)


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    def ask(text: str) -> Result:
        path = tmp_path / "case.yaml"
        path.write_text("name: case\n" + text, encoding="utf-8")
        return run(path)

    return ask


def only(found: Mixes) -> Mix:
    (mix,) = found.found
    return mix


def refusal(result: Result, option: str | None = None) -> ScenarioError:
    with pytest.raises(ScenarioError) as fault:
        mixes(result, option)
    return fault.value


@pytest.mark.parametrize(("work", "count"), [(2.5, 3), (2.4, 2), (0.4, 0), (3.0, 3)])
def test_a_flat_load_is_counted_by_hand(ask: Ask, work: float, count: int) -> None:
    # F = 100 / 730 + 0.005 = 0.142; half a card saves 0.5 x (0.36 - 0.04) = 0.16, 0.4 only 0.128
    mix = only(mixes(ask(scenario(work, chain()))))
    costs = [cost(cards, work) for cards in range(len(mix.points))]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)
    assert [point.npv_of_cost for point in mix.points] == pytest.approx([36 * x for x in costs])
    assert mix.peak_served
    assert mix.cheapest is not None
    assert mix.cheapest.count == count == int(np.argmin(costs))
    assert mix.cheapest.shares == pytest.approx((min(count / work, 1), max(1 - count / work, 0)))
    assert mix.given.count == 1
    assert mix.one_more is not None
    assert mix.one_more.count == count + 1
    # and the rule on a curve of one level says the same
    fixed = 100 / 730 + 0.05 * 0.10
    base = cheapest_base([work], [1.0], 1.0, fixed, 0.04, 0.36)
    assert base.units == count
    assert 730 * base.cost == pytest.approx(costs[count])


def test_the_words_of_the_rule_are_those_of_the_last_card_and_the_next(ask: Ask) -> None:
    mix = only(mixes(ask(scenario(2.4, chain()))))
    fixed = 100 / 730 + 0.05 * 0.10
    assert mix.last_kept is not None
    assert mix.first_refused is not None
    for card, number, share in ((mix.last_kept, 2, 1.0), (mix.first_refused, 3, 0.4)):
        assert card.number == number
        assert card.served_share == pytest.approx(share)
        assert card.fixed_cost == pytest.approx(fixed)
        assert card.variable_cost == pytest.approx(0.4 * 0.10)
        assert card.price == pytest.approx(0.36)  # 0.36 M tokens an hour at 1 a million


def test_neighbours_differ_by_what_the_rule_says(ask: Ask) -> None:
    """F - s (p - v) for each hour of the card, also discounted and with the work of running it."""
    text = scenario(2.5, chain(extra=", staff_hours_per_month: 1")).replace("0%", "10%")
    mix = only(mixes(ask(text + "staff: {hourly_cost: 20}\n")))
    for before, after in zip(mix.points, mix.points[1:], strict=False):
        card = mixing._card(before, after, 1)
        assert isinstance(card, Card)
        saved = card.served_share * ((card.price or 0) - card.variable_cost)
        difference = after.equivalent_monthly_cost - before.equivalent_monthly_cost
        assert difference == pytest.approx(730 * (card.fixed_cost - saved))
    last = mixing._card(mix.points[-2], mix.points[-1], 1)
    assert last is not None
    assert last.price is None


def test_work_that_the_first_card_brings_is_borne_by_all(ask: Ask) -> None:
    # 200 a month: the first card alone would not pay, three together do
    text = scenario(2.5, chain(extra=", staff_hours_per_month: 1"))
    mix = only(mixes(ask(text + "staff: {hourly_cost: 200}\n")))
    costs = [cost(0, 2.5), *(200 + cost(cards, 2.5) for cards in range(1, 5))]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)
    assert costs[1] > costs[0] > costs[3]
    assert mix.cheapest is not None
    assert mix.cheapest.count == 3


def test_no_card_is_the_rest_of_the_chain_and_all_cards_are_owning(ask: Ask) -> None:
    alone = f"own: {{{CARD}, count: 4}}"
    result = ask(scenario(2.5, chain(9), f"api: {API}", alone))
    mix = only(mixes(result))
    for point, option in ((mix.points[0], "api"), (mix.points[4], "own")):
        assert point.npv_of_cost == pytest.approx(result.metrics[option]["npv_of_cost"])
    # a number that is given far above those counted has a row of its own
    assert mix.given.count == 9
    assert mix.given.npv_of_cost == pytest.approx(result.metrics["chain"]["npv_of_cost"])


def test_cards_are_owned_that_rented_ones_cannot_replace(ask: Ask) -> None:
    # two held rented cards at 0.01 an hour: the third card of work must be owned, no more
    rest = "{rent: rtx-4090, count: 2, price: 0.01, output_rate: 100}"
    mix = only(mixes(ask(scenario(3.0, chain(2, rest=rest)))))
    assert [point.feasible for point in mix.points] == [False, True, True, True, True]
    assert mix.points[0].unserved_share == pytest.approx(1 / 3)
    assert mix.cheapest is not None
    assert mix.cheapest.count == 1
    assert mix.last_kept is None
    assert not mix.in_proportion


def test_the_price_elsewhere_is_that_of_the_work_taken_over(ask: Ask) -> None:
    """Rented by the busy hour at 0.20, then an API at 0.36 for the same work."""
    rest = f"{{rent: rtx-4090, count: 1, price: 0.20, output_rate: 100, billed: busy}}, {API}"
    mix = only(mixes(ask(scenario(2.5, chain(1, rest=rest)))))
    # the first two save API only; the second half of an hour of the third saves renting
    cards = [mixing._card(*pair, step=1) for pair in zip(mix.points, mix.points[1:], strict=False)]
    prices = [card.price for card in cards if card is not None]
    assert prices[:3] == pytest.approx([0.36, (0.36 + 0.20) / 2, 0.20])
    assert mix.in_proportion
    assert mix.cheapest is not None
    assert mix.cheapest.count == 2  # 0.5 x (0.20 - 0.04) is less than F = 0.142


def test_without_a_chain_the_cheapest_plain_api_is_put_behind(ask: Ask) -> None:
    lines = (
        f"own: {{{CARD}, count: 1}}",
        f"dear: {API}",
        "cheap: {api: small, output_price: 0.9}",
        "yuan: {api: odd, output_price: 0.5 CNY}",
        "dollar: {api: odd, output_price: 0.5}",
    )
    result = ask(scenario(2.5, *lines) + "exchange_rates: {CNY: 7.10 CNY/USD}\n")
    mix = only(mixes(result))
    assert (mix.option, mix.then) == ("own", "cheap")
    # what is sent on costs a tenth less than with the dear one
    expected = [cost(n, 2.5) - 0.1 * FULL * max(2.5 - n, 0) for n in range(5)]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(expected)
    screen = render(result, mixes(result))
    assert "own then cheap" in screen


def test_an_offered_mix_bears_the_cost_items_of_both(ask: Ask) -> None:
    text = scenario(2.5, f"own: {{{CARD}, count: 1}}", f"api: {API}") + (
        "other_costs:\n"
        "  - {name: rack, amount: 50, per: month, options: [own]}\n"
        "  - {name: gateway, amount: 7, per: month, options: [api]}\n"
    )
    result = ask(text)
    mix = only(mixes(result))
    costs = [7 + cost(0, 2.5), *(50 + 7 + cost(cards, 2.5) for cards in range(1, 5))]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)
    assert (mix.items, mix.items_with_cards) == (("gateway",), ("rack",))
    first = mixing._card(mix.points[0], mix.points[1], 1)
    assert first is not None
    assert first.fixed_cost == pytest.approx((50 + 100) / 730 + 0.05 * 0.10)
    assert first.price == pytest.approx(0.36)
    assert "Paid as soon as there is a card: rack." in render(result, mixes(result))


def test_a_chain_is_asked_for_by_its_name(ask: Ask) -> None:
    other = chain(2).replace("chain:", "other:")
    result = ask(scenario(2.5, chain(), other, f"own: {{{CARD}, count: 1}}", f"api: {API}"))
    assert [mix.option for mix in mixes(result).found] == ["chain", "other"]
    assert [mix.option for mix in mixes(result, "other").found] == ["other"]
    assert [mix.then for mix in mixes(result, "own").found] == ["api"]


def test_a_chain_that_cannot_be_counted_is_named(ask: Ask) -> None:
    blind = f"blind: [{{own: l40s, count: 1, price: 900}}, {API}]"
    result = ask(scenario(2.5, chain(), blind))
    assert "throughput" in mixes(result).left_out["blind"]
    assert "Not counted: blind" in render(result, mixes(result))


def test_counting_ends_somewhere_and_says_so(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mixing, "MOST_CARDS", 2)
    result = ask(scenario(9.5, chain()))
    mix = only(mixes(result))
    assert len(mix.points) == 4  # 0, 1, 2 and one more
    assert not mix.peak_served
    assert mix.at_the_end
    assert mix.first_refused is None
    assert "more may be cheaper still" in " ".join(render(result, mixes(result)).split())


@pytest.mark.parametrize(
    ("options", "found", "add"),
    [
        ((f"api: {API}",), "no option that owns first", "own-then-api"),
        ((f"own: {{{CARD}, count: 3}}",), "no API", "{api: gpt-4o"),
        (("own: {own: rtx-4090, count: 1, price: 1}", f"api: {API}"), "no throughput", "rate"),
        ((f"c: [{{{CARD}, count: 1}}, {{{CARD}, count: 1}}, {API}]",), "more owned", "API"),
    ],
)
def test_a_scenario_with_nothing_to_mix_says_what_to_add(
    ask: Ask, options: tuple[str, ...], found: str, add: str
) -> None:
    fault = refusal(ask(scenario(2.5, *options)))
    assert found in fault.found
    assert add in fault.next_step


def test_without_demand_there_is_nothing_to_divide(ask: Ask) -> None:
    fault = refusal(ask(f"options:\n  own: {{{CARD}, count: 1}}\n"))
    assert (fault.field, fault.next_step) == ("demand", "add demand.output_tokens")


def test_an_unknown_option_is_refused_with_the_nearest(ask: Ask) -> None:
    fault = refusal(ask(scenario(2.5, chain())), "chian")
    assert (fault.found, fault.next_step) == ("chian", "did you mean chain?")


# Load curves through the engine

DAY = (1, 1, 1, 1, 1, 2, 3, 5, 8, 10, 10, 9, 8, 9, 10, 9, 8, 6, 5, 4, 3, 2, 2, 1)


@pytest.mark.parametrize(
    ("load", "count"),
    [(DAY, 3), (DAY[::-1], 3), ((1,) * 23 + (50,), 1), ("office-hours", 0), ("flat", 4)],
    ids=["a day", "the day backwards", "one peak", "office hours", "flat"],
)
def test_counting_agrees_with_the_rule_on_the_load_curve(
    ask: Ask, load: str | tuple[int, ...], count: int
) -> None:
    """F, v and p by hand, levels and shares of the curve, against every number in the engine.

    F / (p - v) is 51 %: the third card of the day works 58 %, the second beside the peak 34 %, and
    in office hours no card works more than 50 of 168 hours.
    """
    text = scenario(4.0, chain()).replace("discount_rate: 0%", "discount_rate: 10%")
    shape = load if isinstance(load, str) else list(load)
    mix = only(mixes(ask(text.replace(" M}", f" M, load: {shape}}}"))))
    annuity = sum(1.10 ** (-month / 12) for month in range(1, 37))
    fixed = 3600 / annuity / 730 + 0.05 * 0.10
    levels, shares = curve_of(load, None) or ((1.0,), (1.0,))
    rates = [4 * 0.36e6 * level for level in levels]
    rule = (rates, shares, 0.36e6, fixed, 0.40 * 0.10, 0.36)
    costs = [point.equivalent_monthly_cost / 730 for point in mix.points]
    assert costs == pytest.approx(enumerate_base(*rule), rel=1e-9)
    base = cheapest_base(*rule)
    assert mix.cheapest is not None
    assert mix.cheapest.count == base.units == count
    assert mix.cheapest.equivalent_monthly_cost == pytest.approx(730 * base.cost, rel=1e-9)
    for card in (mix.last_kept, mix.first_refused):
        if card is not None and card.price is not None:
            served = served_share_of_unit(card.number, rates, shares, 0.36e6)
            assert card.served_share == pytest.approx(served, rel=1e-9)
            assert (card.fixed_cost, card.variable_cost) == pytest.approx((fixed, 0.04))
            assert card.price == pytest.approx(0.36)


def drawn(seed: int) -> tuple[Model, int, int]:
    """A scenario with a load curve, a number of cards for a part of it and one for all of it."""
    draw = np.random.default_rng(seed)
    load = draw.integers(0, 1000, draw.integers(2, 13)).tolist()
    load[0] = max(load) + 1
    work, growth = draw.uniform(0.2, 6.0), int(draw.integers(0, 4)) * 25
    demand = f"{{output_tokens: {FULL * work:.6f} M, load: {load}, growth_per_year: {growth}%}}"
    rented = "{rent: rtx-4090, price: 0.2, output_rate: 100, count: auto, billed: needed}"
    short = "{rent: rtx-4090, price: 0.2, output_rate: 60, count: 1, billed: busy}"
    owned = f"{{{CARD}, count: 1}}"
    text = (
        f"name: drawn\nmonths: 6\ndemand: {demand}\nsite: {{electricity_price: 0.10}}\n"
        f"options:\n  chain: [{owned}, {rented}]\n  short: [{owned}, {short}]\n"
        f"  own: {owned}\n  rent: {rented}\n"
    )
    peak = work * (1 + growth / 100) ** (5 / 12) * max(load) / np.mean(load)
    return build(read(text.encode(), "drawn.yaml")), int(peak // 2), int(np.ceil(peak))


def test_chains_on_drawn_load_curves_lose_nothing_and_end_in_their_parts() -> None:
    left_unserved = 0
    for seed in range(60):
        model, some, enough = drawn(seed)
        options = {option.name: option for option in model.options}
        counts = {
            options[name].supplies[0].scope.inputs["count"]: [0, some, enough]
            for name in ("chain", "short", "own")
        }
        arrays = evaluate(model, counts)

        for name in ("npv_of_cost", "equivalent_monthly_cost", "total_served_work"):
            chained, owned, rented = (
                arrays[options[option].line(name)][0] for option in ("chain", "own", "rent")
            )
            assert chained[0] == pytest.approx(rented[0], rel=1e-12), seed
            assert chained[2] == pytest.approx(owned[2], rel=1e-12), seed
        demanded = arrays["work_demanded"][1:]
        for option in model.options:
            served = sum(arrays[s.scope.line("served_work")][1:] for s in option.supplies)
            unserved = arrays[option.line("unserved_work")][1:]
            assert np.abs((served + unserved) / demanded - 1).max() <= 1e-12, seed
            left_unserved += bool(unserved.max() > 0)
    assert left_unserved > 60  # own and short with too few cards


def test_numbers_of_cards_are_draws_of_one_evaluation(ask: Ask) -> None:
    model = ask(scenario(2.5, chain())).model
    count = model.options[0].supplies[0].scope.inputs["count"]
    line = model.options[0].line("equivalent_monthly_cost")
    together = evaluate(model, {count: [1, 2, 3]})[line]
    assert together.shape == (1, 3)
    alone = [evaluate(model, {count: n})[line][0, 0] for n in (1, 2, 3)]
    assert together[0] == pytest.approx(alone, rel=1e-12)


# What the scenario may say of the cards


def test_cards_that_follow_the_demand_are_tried_as_fixed_numbers(ask: Ask) -> None:
    result = ask(scenario(2.4, chain().replace("count: 1", "count: auto")))
    mix = only(mixes(result))
    assert [p.equivalent_monthly_cost for p in mix.points] == pytest.approx(
        [cost(n, 2.4) for n in range(5)]
    )
    assert mix.follows_demand
    assert mix.given == mix.points[3]  # what the peak needs, bought at once under a level demand
    assert mix.given.npv_of_cost == pytest.approx(result.metrics["chain"]["npv_of_cost"])
    screen = " ".join(render(result, mixes(result)).split())
    assert "less than with count: auto, up to 3 cards" in screen
    assert "one more, as given (auto)" in screen


def test_cards_that_are_bought_as_the_load_grows_may_cost_less_than_any_number(ask: Ask) -> None:
    # one card of work for 18 months, then three
    growth = ", growth: [{month: 1, factor: 1}, {month: 19, factor: 3}]}"
    text = scenario(1.0, chain().replace("count: 1", "count: auto")).replace(" M}", f" M{growth}")
    result = ask(text)
    mix = only(mixes(result))
    halves = [(cost(n, 1) + cost(n, 3)) / 2 for n in range(5)]
    assert [p.equivalent_monthly_cost for p in mix.points] == pytest.approx(halves)
    # two cards less are idle for the first half
    given = halves[3] - 2 * 0.05 * 0.10 * 730 / 2
    assert mix.given.count == 3
    assert mix.given.equivalent_monthly_cost == pytest.approx(given)
    assert mix.given not in mix.points
    assert mix.cheapest is not None
    assert mix.cheapest.count == 3
    assert mix.cheapest.shares == pytest.approx((1, 0))
    assert mix.points[1].shares == pytest.approx((0.5, 0.5))  # of all work, not of the months
    screen = " ".join(render(result, mixes(result)).split())
    assert f"count: auto, up to 3 cards (${given:.0f}) costs $3.65 less" in screen


def test_cards_of_a_node_are_counted_together(ask: Ask) -> None:
    result = ask(scenario(5.5, chain(3, extra=", sizing: {gpus_per_node: 4}")))
    mix = only(mixes(result))
    assert (mix.unit, mix.step) == ("node", 4)
    assert [point.count for point in mix.points] == [0, 4, 8, 12]
    assert [p.equivalent_monthly_cost for p in mix.points] == pytest.approx(
        [cost(n, 5.5) for n in (0, 4, 8, 12)]
    )
    assert mix.given == mix.points[1]  # three cards fill a node
    # the second node works 1.5 / 4 of its hours: 0.375 x 0.32 is less than F
    assert mix.cheapest == mix.points[1]
    assert mix.first_refused is not None
    assert mix.first_refused.number == 2
    assert mix.first_refused.served_share == pytest.approx(0.375)
    screen = " ".join(render(result, mixes(result)).split())
    assert "Cheapest with 4 cards of its own (1 node of 4)" in screen
    assert "one node more 8" in screen
    assert "node 2 (cards 5 to 8), refused: 37.5 % of its hours" in screen


@pytest.mark.parametrize(
    ("sizing", "unit", "step"),
    [
        ("gpus_per_replica: 2", "replica", 2),
        ("gpus_per_replica: 2, gpus_per_node: 8", "node", 8),
        ("gpus_per_replica: 16, gpus_per_node: 8", "replica", 16),
        ("gpus_per_replica: 3, gpus_per_node: 2", "replica", 4),
        ("busy_ceiling: 50%", "card", 1),
    ],
)
def test_what_is_counted_adds_to_what_is_served(
    ask: Ask, sizing: str, unit: str, step: int
) -> None:
    mix = only(mixes(ask(scenario(2.5, chain(extra=f", sizing: {{{sizing}}}")))))
    assert (mix.unit, mix.step) == (unit, step)
    assert [point.count for point in mix.points] == [step * n for n in range(len(mix.points))]
    assert mix.points[0].shares[0] < mix.points[1].shares[0]
    assert mix.given.count in (1, 2, 8)  # whole nodes
    assert mix.points[-1].shares == pytest.approx((1, 0))


def test_a_spare_serves_nothing_and_says_so(ask: Ask) -> None:
    result = ask(scenario(2.5, chain(extra=", sizing: {spare_replicas: 1}")))
    mix = only(mixes(result))
    costs = [cost(0, 2.5), *(cost(n, 2.5) + 103.65 for n in range(5))]  # 100 and idle watts
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)
    assert mix.cheapest is not None
    assert mix.cheapest.count == 4
    assert "Spare among the cards, serving nothing: 1 replica." in render(result, mixes(result))


def test_hours_that_are_rented_while_needed_have_no_price_of_work(ask: Ask) -> None:
    # 2.5 cards of work: the third rented card is paid whole for half an hour's work
    rest = f"{{rent: rtx-4090, count: auto, price: 0.20, output_rate: 100, billed: needed}}, {API}"
    result = ask(scenario(2.5, chain(1, rest=rest)))
    mix = only(mixes(result))
    rented = [
        100 * n + 3.65 * n + 29.2 * min(n, 2.5) + 0.20 * 730 * max(3 - n, 0) for n in range(5)
    ]
    rented[4] = cost(4, 2.5)
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(rented)
    assert not mix.in_proportion
    # card 3 saves a whole hour at 0.20 and costs F 0.142 + half of 0.04
    assert mix.cheapest is not None
    assert mix.cheapest.count == 3
    screen = " ".join(render(result, mixes(result)).split())
    assert "no price p" in screen
    assert (
        "card 3, kept: it works 50 % of its hours and saves $0.2, more than its cost of $0.162"
        in screen
    )


def test_a_least_bill_is_no_price_of_work(ask: Ask) -> None:
    result = ask(
        scenario(2.5, chain(rest="{api: big, output_price: 1, commitment: {amount: 200}}"))
    )
    mix = only(mixes(result))
    assert not mix.in_proportion
    sent = [FULL * max(2.5 - n, 0) for n in range(5)]
    costs = [cost(n, 2.5) - bill + max(bill, 200) for n, bill in enumerate(sent)]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)


@pytest.mark.parametrize(
    ("demand", "speed", "rest"),
    [
        ("tasks: 182500, task: image", "tasks_per_hour: 100", "{api: big, task_price: 0.0036}"),
        (
            "gpu_hours: 1825, card: rtx-4090", "speed_up: 1",
            "{rent: rtx-4090, count: 9, price: 0.36, billed: busy}",
        ),
    ],
    ids=["tasks", "hours of work"],
)  # fmt: skip
def test_tasks_and_hours_of_work_are_counted_as_tokens_are(
    ask: Ask, demand: str, speed: str, rest: str
) -> None:
    """2.5 cards of work, which cost 0.36 an hour elsewhere."""
    own = CARD.replace("output_rate: 100", speed)
    text = f"demand: {{{demand}}}\n{COMMON}options:\n  chain: [{{{own}, count: 1}}, {rest}]\n"
    result = ask(text)
    mix = only(mixes(result))
    costs = [cost(n, 2.5) for n in range(5)]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)
    assert mix.in_proportion
    assert "card 3, kept: 50 % of its hours x ($0.36 - $0.04)" in render(result, mixes(result))


def test_what_cannot_move_is_paid_with_every_number_of_cards(ask: Ask) -> None:
    text = (
        "demand:\n  workloads:\n"
        f"    chat: {{output_tokens: {FULL * 5} M, present: api, addressable: 50%}}\n"
        f"    mail: {{output_tokens: {FULL} M, present: api}}\n"
        f"{COMMON}options:\n  {chain()}\n  api: {API}\n  stay: {{api: present}}\n"
    )
    result = ask(text)
    mix = only(mixes(result))
    costs = [2.5 * FULL + cost(n, 3.5) for n in range(6)]
    assert [point.equivalent_monthly_cost for point in mix.points] == pytest.approx(costs)
    assert mix.points[0].npv_of_cost == pytest.approx(result.metrics["api"]["npv_of_cost"])
    assert mix.points[0].npv_of_cost == pytest.approx(result.metrics["stay"]["npv_of_cost"])
    assert mix.items == ("what stays of chat on api",)


def test_a_model_that_does_not_fit_is_not_counted(ask: Ask) -> None:
    fault = refusal(ask(scenario(2.5, chain(extra=", model: llama-3-70b"), f"api: {API}")))
    assert fault.found == "a model that does not fit rtx-4090"
    assert "gpus_per_replica" in fault.next_step


# The command


def command(path: Path, *arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(main, ["mix", str(path), *arguments], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def test_the_command_prints_the_number_its_neighbours_and_why(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text("name: case\n" + scenario(2.4, chain()), encoding="utf-8")
    code, screen, errors = command(path)
    assert (code, errors) == (0, "")
    assert max(width(line) for line in screen.splitlines()) <= 100
    text = " ".join(screen.split())
    best, given, fewer, more = (cost(n, 2.4) for n in (2, 1, 1, 3))
    assert f"Cheapest with 2 cards of its own: ${best:.0f} a month" in text
    assert f"${given - best:.0f} less than with the 1 given (${given:.0f})" in text
    assert f"one fewer, as given 1 {fewer:.2f}" in text
    assert f"cheapest 2 {best:.2f}" in text
    assert f"one more 3 {more:.2f}" in text
    assert "83.3 % 16.7 %" in text  # 2 / 2.4 and the rest
    assert "card 2, kept: 100 % of its hours x ($0.36 - $0.04) = $0.32, more than F $0.142" in text
    assert "card 3, refused: 40 % of its hours x ($0.36 - $0.04) = $0.128, less than F" in text


SCENARIOS = Path(__file__).parents[2] / "scenarios"


def test_the_hybrid_scenario_gives_the_number_with_its_neighbours() -> None:
    code, screen, errors = command(SCENARIOS / "hybrid-peak.yaml")
    assert (code, errors) == (0, "")
    assert max(width(line) for line in screen.splitlines()) <= 100
    result = run(SCENARIOS / "hybrid-peak.yaml")
    given = result.metrics["own-rent-api"]["equivalent_monthly_cost"]
    assert f"cheapest, as given      2    {given:.2f}" in screen
    assert "own-rent-api: own rtx-4090, then rent rtx-4090, then API deepseek-v3.2" in screen
    assert "Cheapest with 2 cards of its own" in screen
    assert "by own  by rent  by API" in screen
    # the second card works in the day's hours, a third one only in the two of the evening
    assert "card 2, kept: it works 39.6 % of its hours" in screen
    assert f"card 3, refused: it works {200 / 24:.2f} % of its hours" in screen


def test_a_team_of_middle_size_owns_none_before_a_cheap_api() -> None:
    code, screen, _ = command(SCENARIOS / "midteam.yaml")
    assert code == 0
    # 50 M at 0.42; one card works 50 / (800 x 3600 x 730 / 1e6) = 2.38 % of its hours
    assert (
        "Cheapest with no card of its own: $21 a month, $408 less than with the 1 given" in screen
    )
    assert "card 1, refused: 2.38 % of its hours" in screen


def test_long_names_of_supplies_stay_in_100_columns(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    rest = f"{{rent: rtx-4090, count: 1, price: 0.2, output_rate: 100}}, {{api: {'m' * 50}, "
    path.write_text(
        "name: case\n" + scenario(2.4, chain(rest=f"{rest}output_price: 1}}")), encoding="utf-8"
    )
    code, screen, _ = command(path)
    assert code == 0
    assert max(width(line) for line in screen.splitlines()) <= 100


def test_nothing_to_mix_is_a_message_and_code_1(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text("name: case\n" + scenario(2.4, f"api: {API}"), encoding="utf-8")
    code, screen, errors = command(path)
    assert (code, screen) == (1, "")
    for part in ("case.yaml", "found:", "expected:", "next:"):
        assert part in errors
