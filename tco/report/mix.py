"""What `tco mix` prints: the cheapest number of cards to own, its neighbours, and why."""

from __future__ import annotations

from collections.abc import Iterator

from tco.analysis.answer import conventions, counting, horizon
from tco.analysis.figures import cell, money, price, share, significant
from tco.analysis.mix import MOST_CARDS, Card, Mix, Mixes, Point
from tco.engine.structure import BoundSupply
from tco.errors import printable
from tco.report.columns import LINE, table, width, wrap
from tco.results import Result
from tco.scenario.schema import Api

RULE = (
    "Why: a card is worth owning while the share of its hours that it works x (p - v) covers F. "
    "In money per card-hour: F is paid busy or not, v for an hour of work, p is what the work of "
    "that hour costs elsewhere."
)


def render(result: Result, mixes: Mixes) -> str:
    """The screen of `tco mix`, in 100 columns."""
    lines = wrap(result.scenario.name)
    lines += wrap(f"{counting(result)}; {horizon(result)}")
    lines += wrap(f"{conventions(result)}; whole cards, counted one by one")
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
        return f"API {given.api}"
    return f"{given.kind} {supply.card}"


def _cards(count: int) -> str:
    if count == 0:
        return "no card of its own"
    return f"{count:,} card{'s' if count > 1 else ''} of its own"


def _verdict(result: Result, mix: Mix) -> Iterator[str]:
    best, given = mix.cheapest, mix.given
    if best is None:
        yield (
            f"No number of cards up to {len(mix.points) - 2:,} serves the whole demand: add a "
            "supply behind them, such as an API."
        )
        return
    cost = money(best.equivalent_monthly_cost, result.currency)
    text = f"Cheapest with {_cards(best.count)}: {cost} a month"
    if best.count == given.count:
        yield f"{text}, as given."
    elif not given.feasible:
        unserved = share(given.unserved_share)
        yield f"{text}; the {given.count:,} given leave {unserved} of the demand unserved."
    else:
        more = given.equivalent_monthly_cost - best.equivalent_monthly_cost
        yield (
            f"{text}, {money(more, result.currency)} less than with the {given.count:,} given "
            f"({money(given.equivalent_monthly_cost, result.currency)})."
        )
    if not mix.peak_served:
        yield (
            f"Only up to {MOST_CARDS:,} cards are counted, which do not serve the highest load "
            f"alone{': more may be cheaper still' if mix.at_the_end else ''}."
        )


def _table(mix: Mix) -> list[str]:
    rows: dict[int, tuple[list[str], Point]] = {}
    named = (
        ("one fewer", mix.one_fewer),
        ("cheapest", mix.cheapest),
        ("one more", mix.one_more),
        ("as given", mix.given),
    )
    for name, point in named:
        if point is not None:
            rows.setdefault(point.count, ([], point))[0].append(name)
    unserved = any(not point.feasible for _, point in rows.values())
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
        for _, (names, point) in sorted(rows.items())
    ]
    lines = _grid([heads, *cells])
    if max(width(line) for line in lines) <= LINE:
        return lines
    # long names of supplies go below the table
    numbers = [f"by {supply.number}" for supply in mix.supplies]
    heads[4 : 4 + len(numbers)] = numbers
    named_below = [f"{supply.number} {_supply(supply)}" for supply in mix.supplies]
    return _grid([heads, *cells]) + wrap(", ".join(named_below), first="  ", rest="    ")


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
        yield f"card {count:,} is needed: without it {unserved} of the demand is left unserved."
    if not mix.in_proportion:
        yield "What is sent on is not paid in proportion to its work: no rule for one card."
        return
    if mix.last_kept is None and mix.first_refused is None:
        return
    yield RULE
    if mix.last_kept is not None:
        yield _card(result, mix, mix.last_kept, "kept")
    if mix.first_refused is not None:
        yield _card(result, mix, mix.first_refused, "refused")


def _card(result: Result, mix: Mix, card: Card, verdict: str) -> str:
    def amount(value: float) -> str:
        return price(float(f"{value:.3g}"), result.currency)

    fixed = f"F {amount(card.fixed_cost)}"
    if card.number == 1:
        first = " and ".join(_comes_with_the_first(mix))
        fixed += f" ({first} in it)" if first else ""
    if card.price is None:
        return f"card {card.number:,}, {verdict}: nothing is left for it to do; {fixed}."
    saved = card.served_share * (card.price - card.variable_cost)
    product = (
        f"{share(card.served_share)} of its hours x ({amount(card.price)} - "
        f"{amount(card.variable_cost)}) = {amount(saved)}"
    )
    if amount(saved) == amount(card.fixed_cost):
        beside = "about" if verdict == "kept" else "no more than about"
    else:
        beside = "more than" if saved > card.fixed_cost else "less than"
    return f"card {card.number:,}, {verdict}: {product}, {beside} {fixed}."


def _comes_with_the_first(mix: Mix) -> Iterator[str]:
    hours = mix.supplies[0].given.staff_hours_per_month
    if hours is not None and hours.value > 0:
        yield f"{significant(hours.value)} hours of work a month"
    yield from mix.items_with_cards


def _notes(mix: Mix) -> Iterator[str]:
    if mix.items:
        yield f"The same with every number of cards: {', '.join(mix.items)}."
    if mix.items_with_cards:
        yield f"Paid as soon as there is a card: {', '.join(mix.items_with_cards)}."
    given = [supply.given for supply in mix.supplies]
    models = [g.api if isinstance(g, Api) else g.model for g in given]
    named = list(dict.fromkeys(model for model in models if model))
    if len(named) > 1:
        yield f"Not modelled: whether {named[0]} can do the work of {' or '.join(named[1:])}."
