"""What comes to one line or to a number is a name for it and no line of its own."""

from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tco.engine.graph import Graph, InputSpecification, Scope
from tco.engine.options import build
from tco.engine.settling import resolve, settle
from tco.engine.structure import Model
from tco.scenario.loading import load, read
from tco.units import Factor, Money, unit_of
from tests.scenario.everything import ALL

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").rglob("*.yaml"))
INPUTS = {"price": unit_of(Money), "rate": unit_of(Factor)}
# names for what an option leaves out, which nothing reads there: all-in colocation has no bill for
# power, and a workload of several has no price of its own to solve for
UNREAD = {"active_power", "discounted_output_charge"}


def capex(price, rate) -> Money:
    """What is bought."""
    return price * rate


def site_cost(electricity_cost, room_cost) -> Money:
    """Two terms."""
    return electricity_cost + room_cost


def cash_cost(capex, site_cost) -> Money:
    """Two terms, one of them of two."""
    return capex + site_cost


def settled(
    functions: list[Callable[..., Any]], keep: tuple[str, ...] = (), **aliases: str | int
) -> Scope:
    """A scope of a supply with what is left of some functions."""
    scope = Scope("o1/s1", inputs={name: name for name in INPUTS}, aliases=dict(aliases))
    settle(scope, {function.__name__: function for function in functions}, keep)
    return scope


def test_a_sum_with_one_term_is_another_name_for_it() -> None:
    scope = settled([capex, site_cost, cash_cost], electricity_cost=0, room_cost="price")
    assert scope.aliases["site_cost"] == "price"
    assert list(scope.functions) == ["capex", "cash_cost"]


def test_a_sum_without_terms_is_0_and_what_reads_it_too() -> None:
    scope = settled([capex, site_cost, cash_cost], electricity_cost=0, room_cost=0)
    assert scope.aliases["site_cost"] == 0
    # the one term that is left of the whole is what is bought
    assert scope.aliases["cash_cost"] == "o1/s1/capex"
    assert list(scope.functions) == ["capex"]


def test_a_product_with_nothing_is_0_and_with_1_its_other_factor() -> None:
    def yearly_cost(price, share) -> Money:
        """A share of a price."""
        return price * share

    def share_left(share) -> Factor:
        """A number that comes of a number."""
        return 1 - share

    assert settled([yearly_cost], share=0).aliases["yearly_cost"] == 0
    assert settled([yearly_cost], share=1).aliases["yearly_cost"] == "price"
    # 1 - 0 is 1; what is left of 1 - 1 is to be computed
    assert settled([share_left], share=0).aliases["share_left"] == 1
    assert list(settled([share_left], share=1).functions) == ["share_left"]


def test_a_line_that_computes_something_stays() -> None:
    scope = settled([capex, site_cost], electricity_cost="price", room_cost="capex")
    assert list(scope.functions) == ["capex", "site_cost"]
    assert scope.aliases == {"electricity_cost": "price", "room_cost": "capex"}


def test_a_literal_returned_is_a_number() -> None:
    def nothing() -> Money:
        """Nothing to pay."""
        return 0

    assert settled([nothing]).aliases == {"nothing": 0}


def test_what_is_kept_stays_a_line_whatever_it_comes_to() -> None:
    scope = settled(
        [site_cost, cash_cost],
        keep=("site_cost", "cash_cost"),
        electricity_cost=0,
        room_cost="price",
        capex=0,
    )
    assert list(scope.functions) == ["site_cost", "cash_cost"]
    assert not {"site_cost", "cash_cost"} & set(scope.aliases)
    # what reads it reads the line, not what the line comes to
    other = settled(
        [site_cost, cash_cost], keep=("site_cost",), electricity_cost=0, room_cost=0, capex=0
    )
    assert other.aliases["cash_cost"] == "o1/s1/site_cost"


def test_the_order_of_the_functions_does_not_matter() -> None:
    for order in permutations([capex, site_cost, cash_cost]):
        scope = settled(list(order), electricity_cost=0, room_cost=0)
        assert scope.aliases["cash_cost"] == "o1/s1/capex"
        assert list(scope.functions) == ["capex"]


def test_an_alias_of_a_line_that_is_still_to_be_placed_is_followed() -> None:
    """The room's cost is another name for the supply's own bill, which comes to an input."""

    def bill(price, surcharge) -> Money:
        """A price and what is added to it."""
        return price + surcharge

    for order in ([site_cost, bill], [bill, site_cost]):
        scope = settled(order, electricity_cost=0, room_cost="o1/s1/bill", surcharge=0)
        assert scope.aliases["bill"] == "price"
        assert scope.aliases["site_cost"] == "price"
        assert not scope.functions


def test_what_a_scope_around_knows_is_found() -> None:
    outer = Scope("", inputs={"price": "price"}, aliases={"room_cost": 0})
    inner = Scope("o1", around=outer, aliases={"electricity_cost": "price"})
    settle(inner, {"site_cost": site_cost})
    assert inner.aliases["site_cost"] == "price"


def opening_balance(previous_balance) -> Money:
    """Last month's balance."""
    return previous_balance


def balance(opening_balance, interest, paid) -> Money:
    """A corkscrew."""
    return opening_balance + interest - paid


def interest(opening_balance, rate) -> Money:
    """Interest on what was owed."""
    return opening_balance * rate


CORKSCREW: list[Callable[..., Any]] = [opening_balance, balance, interest]


def test_a_loop_stays_a_loop() -> None:
    """Last month's value is no other name: it is another number."""
    for order in permutations(CORKSCREW):
        scope = settled(list(order), paid="price")
        assert set(scope.functions) == {"opening_balance", "balance", "interest"}
        inputs = {name: InputSpecification(unit) for name, unit in INPUTS.items()}
        values = {"price": np.array([[-10.0]]), "rate": np.array([[0.5]])}
        found = Graph([scope], inputs).evaluate(values, 2)["o1/s1/balance"]
        # 10 a month, and half of what was owed
        np.testing.assert_allclose(found[:, 0], [10, 10 * 1.5 + 10, (10 * 1.5 + 10) * 1.5 + 10])


def test_a_loop_loses_the_terms_that_are_not_there() -> None:
    scope = settled(CORKSCREW, rate=0, paid=0)
    assert scope.aliases["interest"] == 0
    # without interest and payment the balance is what it was
    assert scope.aliases["balance"] == "o1/s1/opening_balance"
    assert list(scope.functions) == ["opening_balance"]


# resolve


def test_a_name_stands_for_what_its_name_stands_for() -> None:
    """A chain through two scopes ends at a line, at an input or at a number."""
    supply = Scope("o1/s1", functions={"capex": capex})
    supply.aliases.update(cost="o1/s1/capex", paid="o1/s1/cost", free=0, worth="price")
    option = Scope("o1", aliases={"a": "o1/s1/paid", "b": "o1/s1/free", "c": "o1/s1/worth"})
    option.aliases.update(d="o1/a", e="o1/b", f=-1)
    resolve([option, supply])
    assert supply.aliases == {
        "cost": "o1/s1/capex", "paid": "o1/s1/capex", "free": 0, "worth": "price"
    }  # fmt: skip
    assert option.aliases == {
        "a": "o1/s1/capex", "b": 0, "c": "price", "d": "o1/s1/capex", "e": 0, "f": -1
    }  # fmt: skip


def test_a_line_is_the_end_of_a_chain() -> None:
    """Where a scope has both, the function goes before the alias, as in `Scope.find`."""
    scope = Scope("o1", aliases={"capex": 0, "cost": "o1/capex"}, functions={"capex": capex})
    resolve([scope])
    assert scope.aliases["cost"] == "o1/capex"


# the scenarios that are delivered


def dangling(model: Model) -> set[tuple[str, str]]:
    """Names of scopes that stand for nothing: no number, no line, no input."""
    known = {*model.graph.lines, *model.graph.inputs}
    return {
        (scope.name, name)
        for scope in model.scopes
        for name, found in scope.aliases.items()
        if not isinstance(found, int) and found not in known
    }


@pytest.mark.parametrize(
    "given",
    [
        *(pytest.param(path, id=path.stem) for path in SCENARIOS),
        *(pytest.param(text, id=f"all-{n}") for n, text in enumerate(ALL)),
    ],
)
def test_no_name_is_left_dangling(given: Path | str) -> None:
    scenario = load(given) if isinstance(given, Path) else read(given.encode(), "s.yaml")
    alone = [option.name for option in build(scenario).complete]
    model = build(scenario, pairs=[(alone[0], other) for other in alone[1:]])
    assert sum(len(scope.aliases) for scope in model.scopes) > 50
    assert {name for _, name in dangling(model)} <= UNREAD
    # and one that is would be seen
    model.scopes[0].aliases["cash_cost"] = "o1/s1/no_such_line"
    assert (model.scopes[0].name, "cash_cost") in dangling(model)


def test_what_a_scenario_does_not_give_leaves_no_row_behind() -> None:
    """A plain purchase has neither discount nor upkeep: its net price is its price, for good."""
    model = build(
        read(
            b"name: a\ndemand: {output_tokens: 5 M}\n"
            b"options: {x: {own: rtx-4090, count: 1, price: 1599}}\n",
            "s.yaml",
        )
    )
    (supply,) = [scope for scope in model.scopes if scope.name == "o1/s1"]
    assert supply.aliases["net_price"] == supply.aliases["unit_cost"] == "o1_s1_price"
    assert supply.aliases["upkeep_cost"] == supply.aliases["site_cost"] == 0
    left_out = {"net_price", "unit_cost", "upkeep_cost", "site_cost"}
    assert not {supply.line(name) for name in left_out} & set(model.graph.lines)
    # what such a purchase does have stays, and reads the price itself
    assert "o1_s1_price" in model.graph.reads("o1/s1/hardware_cost")
