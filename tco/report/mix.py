"""What `tco mix` prints: the cheapest number of cards to own, its neighbours, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tco.analysis.answer import conventions, counting, horizon
from tco.analysis.figures import cell, money, price, share, significant
from tco.analysis.mix import MOST_CARDS, Card, Mix, Mixes, Point
from tco.engine.structure import BoundSupply
from tco.errors import printable
from tco.report.columns import LINE, table, width, wrap
from tco.results import Result
from tco.scenario.schema import Api, Own
from tco.scenario.supplies import PRESENT

KINDS = {"own": "own", "rent": "rent", "api": "API"}
RULE = (
    "Why: a card is worth owning while the share of its hours that it works x (p - v) covers F. "
    "In money per card-hour: F is paid busy or not, v for an hour of work, p is what the work of "
    "that hour costs elsewhere."
)
WITHOUT_RULE = (
    "Why: a card is worth owning while it saves more elsewhere than it costs, in money per "
    "card-hour. What is sent on is not paid in proportion to its work, so there is no price p."
)


def render(result: Result, mixes: Mixes) -> str:
    """The screen of `tco mix`, in 100 columns."""
    lines = wrap(result.scenario.name)
    lines += wrap(f"{counting(result)}; {horizon(result)}")
    lines += wrap(f"{conventions(result)}; whole cards, every number tried")
    for mix in mixes.found:
        lines += ["", *wrap(_title(mix), rest="  ")]
        for text in _verdict(result, mix):
            lines += wrap(text, first="  ", rest="    ")
        lines += ["", *_table(mix), ""]
        for text in (*_reasons(result, mix), *_notes(mix)):
            lines += wrap(text, first="  ", rest="    ")
        if lines[-1] == "":
            lines.pop()
    if mixes.left_out:
        lines.append("")
    for name, why in mixes.left_out.items():
        lines += wrap(f"Not counted: {name}: {why}.", rest="  ")
    return "\n".join(printable(line).rstrip() for line in lines)


def _title(mix: Mix) -> str:
    chain = ", then ".join(_supply(supply) for supply in mix.supplies)
    if mix.then is None:
        return f"{mix.option}: {chain}"
    return f"{mix.option} then {mix.then}: {chain} (no chain of the scenario; the cheapest API)"


def _supply(supply: BoundSupply) -> str:
    given = supply.given
    if isinstance(given, Api):
        return "the present APIs" if given.api == PRESENT else f"API {given.api}"
    return f"{given.kind} {supply.card}"


def _cards(mix: Mix, count: int) -> str:
    if count == 0:
        return "no card of its own"
    text = f"{_counted(count, 'card')} of its own"
    if mix.step > 1:
        text += f" ({_counted(count // mix.step, mix.unit)} of {mix.step:,})"
    return text


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _verdict(result: Result, mix: Mix) -> Iterator[str]:
    best, given = mix.cheapest, mix.given
    if best is None:
        yield (
            f"No number of cards up to {mix.points[-2].count:,} serves the whole demand: add a "
            "supply behind them, such as an API."
        )
        return
    cost = money(best.equivalent_monthly_cost, result.currency)
    text = f"Cheapest with {_cards(mix, best.count)}: {cost} a month"
    given_cost = money(given.equivalent_monthly_cost, result.currency)
    the_given = f"{_given(mix)} ({given_cost})"
    more = given.equivalent_monthly_cost - best.equivalent_monthly_cost
    difference = money(abs(more), result.currency)
    if best == given:
        yield f"{text}, as given{' by count: auto' if mix.follows_demand else ''}."
    elif not given.feasible:
        unserved = share(given.unserved_share)
        yield f"{text}; with {the_given} {unserved} of the demand is left unserved."
    elif more < 0:
        yield (
            f"{text}, if all are bought at the start; {the_given} costs {difference} less: it buys "
            "as the load grows."
        )
    else:
        yield f"{text}, {difference} less than with {the_given}."
    if not mix.peak_served:
        yield (
            f"Only up to {MOST_CARDS:,} cards are counted, which do not serve the highest load "
            f"alone{': more may be cheaper still' if mix.at_the_end else ''}."
        )


def _given(mix: Mix) -> str:
    if mix.follows_demand:
        return f"count: auto, up to {_counted(mix.given.count, 'card')}"
    return f"the {mix.given.count:,} given"


def _table(mix: Mix) -> list[str]:
    rows: dict[Point, list[str]] = {}
    one = "one" if mix.step == 1 else f"one {mix.unit}"
    named = (
        (f"{one} fewer", mix.one_fewer),
        ("cheapest", mix.cheapest),
        (f"{one} more", mix.one_more),
        ("as given (auto)" if mix.follows_demand else "as given", mix.given),
    )
    for name, point in named:
        if point is not None:
            rows.setdefault(point, []).append(name)
    unserved = any(not point.feasible for point in rows)
    served = [f"by {_supply(supply)}" for supply in mix.supplies]
    heads = ["", "cards", "equiv/mo", "NPV cost", *served, *(["unserved"] if unserved else [])]
    cells = [
        [
            ", ".join(names),
            f"{point.count:,}",
            cell(point.equivalent_monthly_cost, 2),
            cell(point.npv_of_cost, 0),
            *(_share(x) for x in point.shares),
            *([_share(point.unserved_share)] if unserved else []),
        ]
        for point, names in sorted(rows.items(), key=_place)
    ]
    lines = _grid([heads, *cells])
    if max(width(line) for line in lines) <= LINE:
        return lines
    # the title has the names: the kind of each supply tells them apart, or else its number does
    kinds = [KINDS[supply.given.kind] for supply in mix.supplies]
    apart = len(set(kinds)) == len(kinds)
    short = [f"by {kinds[n] if apart else f'supply {n + 1}'}" for n in range(len(kinds))]
    heads[4 : 4 + len(short)] = short
    return _grid([heads, *cells])


def _place(row: tuple[Point, list[str]]) -> tuple[int, float]:
    return row[0].count, row[0].npv_of_cost


def _grid(rows: list[list[str]]) -> list[str]:
    return [f"  {line}" for line in table(rows)]


def _share(value: float) -> str:
    return share(value) if value > 1e-9 else "-"


def _reasons(result: Result, mix: Mix) -> Iterator[str]:
    if mix.cheapest is None:
        return
    count = mix.cheapest.count
    if mix.one_fewer is not None and not mix.one_fewer.feasible:
        unserved = share(mix.one_fewer.unserved_share)
        unit = _unit(mix, count // mix.step)
        yield f"{unit} is needed: without it {unserved} of the demand is left unserved."
    if mix.last_kept is None and mix.first_refused is None:
        return
    yield RULE if mix.in_proportion else WITHOUT_RULE
    if mix.last_kept is not None:
        yield _card(result, mix, mix.last_kept, "kept")
    if mix.first_refused is not None:
        yield _card(result, mix, mix.first_refused, "refused")


def _card(result: Result, mix: Mix, card: Card, verdict: str) -> str:
    def amount(value: float) -> str:
        return price(float(f"{value:.3g}"), result.currency)

    unit = f"{_unit(mix, card.number)}, {verdict}"
    fixed = f"{'F ' if mix.in_proportion else ''}{amount(card.fixed_cost)}"
    if card.number == 1:
        first = " and ".join(_comes_with_the_first(mix))
        fixed += f" ({first} in it)" if first else ""
    if card.price is None:
        costs = "" if mix.in_proportion else "it costs "
        return f"{unit}: nothing is left for it to do; {costs}{fixed}."
    if not mix.in_proportion:
        return f"{unit}: {_saving(card, amount)}."
    saved = card.served_share * (card.price - card.variable_cost)
    product = (
        f"{share(card.served_share)} of its hours x ({amount(card.price)} - "
        f"{amount(card.variable_cost)}) = {amount(saved)}"
    )
    if amount(saved) == amount(card.fixed_cost):
        beside = "about" if verdict == "kept" else "no more than about"
    else:
        beside = "more than" if saved > card.fixed_cost else "less than"
    return f"{unit}: {product}, {beside} {fixed}."


def _saving(card: Card, amount: Callable[[float], str]) -> str:
    """What a card saves and costs where there is no price of an hour's work."""
    saved = card.served_share * (card.price or 0.0)
    cost = card.fixed_cost + card.served_share * card.variable_cost
    if amount(saved) == amount(cost):
        beside = "about"
    else:
        beside = "more than" if saved > cost else "less than"
    works = f"it works {share(card.served_share)} of its hours and saves {amount(saved)}"
    return f"{works}, {beside} its cost of {amount(cost)}"


def _unit(mix: Mix, number: int) -> str:
    """The n-th card, or the n-th node with the cards it adds."""
    if mix.step == 1:
        return f"card {number:,}"
    return f"{mix.unit} {number:,} (cards {(number - 1) * mix.step + 1:,} to {number * mix.step:,})"


def _comes_with_the_first(mix: Mix) -> Iterator[str]:
    hours = mix.supplies[0].given.staff_hours_per_month
    if hours is not None and hours.value > 0:
        yield f"{significant(hours.value)} hour{'' if hours.value == 1 else 's'} of work a month"
    yield from mix.items_with_cards


def _notes(mix: Mix) -> Iterator[str]:
    if mix.items:
        yield f"The same with every number of cards: {', '.join(mix.items)}."
    if mix.items_with_cards:
        yield f"Paid as soon as there is a card: {', '.join(mix.items_with_cards)}."
    first = mix.supplies[0].given
    sizing = first.sizing if isinstance(first, Own) else None
    if sizing and sizing.spare_replicas and sizing.spare_replicas.value:
        spares = _counted(round(sizing.spare_replicas.value), "replica")
        yield f"Spare among the cards, serving nothing: {spares}."
    given = [supply.given for supply in mix.supplies]
    models = [g.api if isinstance(g, Api) else g.model for g in given]
    named = list(dict.fromkeys(model for model in models if model and model != PRESENT))
    if len(named) > 1:
        yield f"Not modelled: whether {named[0]} can do the work of {' or '.join(named[1:])}."
