"""Everything that a person reads of a result, as texts and tables of texts.

The terminal and the Markdown page lay these out; they add no words of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tco.analysis import answer as wording
from tco.analysis.answer import Answer
from tco.analysis.axes import TOKENS
from tco.analysis.bases import field_label, rests_on
from tco.analysis.break_even import ALWAYS
from tco.analysis.cases import table as case_table
from tco.analysis.cautions import warnings
from tco.analysis.figures import cell, exact, money, price, share, significant
from tco.analysis.finance import Finance, finance
from tco.analysis.findings import Findings
from tco.analysis.marks import marks
from tco.analysis.moves import moves, sure, why
from tco.analysis.ownership import owned, said
from tco.analysis.staleness import ages, is_price, today
from tco.analysis.tables import Row, Table
from tco.engine.structure import BoundOption
from tco.prices import cards
from tco.results import INCOMPLETE, NEVER, OK, Comparison, Metric, Result
from tco.scenario.inputs import LIVE, Input
from tco.scenario.schema import Api, Own
from tco.scenario.supplies import PRESENT

MARKS = {
    "M": "another model than the baseline's",
    "?": "capacity not checked: no throughput given; busy is an input, not a result",
    "P": "cards that hold one model together: their throughput together is not measured",
    "~": "one printed number, read in two currencies",
    "*": "rests on an assumed input of its own",
}
AROUND = "host, network and rack around the cards"
# what hardware of one's own has beside its price, and the words of which one gives it
OF_HARDWARE = {
    "resale of hardware": ("residual_value",),
    AROUND: ("purchase", "quote"),
    "failures and maintenance": ("failures", "maintenance"),
}
# what this version does not count, whatever the scenario says
NOT_COUNTED = ("quality of the models",)


@dataclass(frozen=True)
class Summary:
    """What a result says, from the title to what was left out; see the fields' functions."""

    title: str
    question: str | None
    counting: str
    conventions: str
    baseline: str | None
    answer: Answer
    costs: Table
    flips: Table | None
    finance: Finance
    why: tuple[str, ...]
    moves: Table | None
    sure: tuple[str, ...]
    cases: Table | None
    rests_on: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]


def summarise(result: Result, findings: Findings | None = None) -> Summary:
    """The texts of a result, and of what was found of it."""
    return Summary(
        title=result.scenario.name,
        question=result.scenario.question,
        counting=f"{wording.counting(result)}; {wording.horizon(result)}",
        conventions=wording.conventions(result),
        baseline=baseline_text(result),
        answer=wording.write_answer(result, findings),
        costs=costs(result) if result.model.has_demand else ownership(result),
        flips=flips(result, findings),
        finance=finance(result),
        why=tuple(why(result, findings)) if findings else (),
        moves=moves(result, findings.tornado) if findings else None,
        sure=tuple(sure(result, findings)) if findings else (),
        cases=_cases(result, findings),
        rests_on=(*rests_on(result), *ages_of_prices(result)),
        warnings=tuple(warnings(result)),
        left_out=tuple(left_out(result)),
    )


def _cases(result: Result, findings: Findings | None) -> Table | None:
    found = findings.cases if findings else None
    return case_table(result, found) if found else None


def baseline_text(result: Result) -> str | None:
    """What everything is compared with, and of which day the prices are."""
    if result.baseline is None:
        return None
    option = result.option(result.baseline)
    chain = [
        wording.supply_text(supply)
        + (
            f" at {wording.given_text(given.output_price, result.currency)} a million output tokens"
            if isinstance(given := supply.given, Api) and given.output_price
            else ""
        )
        for supply in option.supplies
    ]
    text = f"baseline: {option.name}"
    if chain:
        text += f" ({', then '.join(chain)})"
    as_of = result.scenario.as_of
    return f"{text}; as of {as_of}" if as_of else text


def costs(result: Result) -> Table:
    """What every option costs, cheapest first; those that are not ranked last, with the reason."""
    months = result.scenario.months
    heads = (
        "up-front",
        "cash/mo",
        f"cash {months}m",
        "NPV cost",
        "equiv/mo",
        f"{wordless_symbol(result)}/{result.model.counted.lot}",
        "busy",
        "vs base",
    )
    names = (
        "upfront_cost",
        "running_cost_per_month",
        "total_cost",
        "npv_of_cost",
        "equivalent_monthly_cost",
    )
    cents = _cents(result)
    decimals = (cents, 2, cents, cents, 2)
    rows = []
    for option in result.ranked:
        metrics = result.metrics_with_units[option.name]
        note = wording.reason(result, option)
        if not metrics:
            rows.append(Row(option.name, note=note))
            continue
        cells = [_cell(metrics[name], d) for name, d in zip(names, decimals, strict=True)]
        cells.append(_unit_price(metrics.get("levelised_cost")))
        busy = metrics.get("busy_share")
        cells.append(share(busy.value) if busy and busy.value is not None else "-")
        cells.append(_difference(result, option, metrics))
        rows.append(Row(option.name, marks(result, option.name), tuple(cells), note))
    return Table("COSTS", heads, tuple(rows), tuple(_footnotes(result)))


def ownership(result: Result) -> Table:
    """Costs without a demand, beside what somebody printed."""
    months = result.scenario.months
    printed = any("published_difference" in m for m in result.metrics.values())
    heads = ["up-front", "cash/mo", f"cash {months}m", "per month", "NPV cost", "equiv/mo"]
    heads += ["printed", "difference"] if printed else []
    cents = _cents(result)
    shown = (
        ("upfront_cost", cents),
        ("running_cost_per_month", 2),
        ("total_cost", cents),
        ("cost_per_month", 2),
        ("npv_of_cost", cents),
        ("equivalent_monthly_cost", 2),
    )
    rows = []
    for option in result.ranked:
        metrics = result.metrics_with_units[option.name]
        if not metrics:
            rows.append(Row(option.name, note=wording.reason(result, option)))
            continue
        cells = [_cell(metrics[name], decimals) for name, decimals in shown]
        if printed:
            found = metrics.get("published_difference")
            quoted = option.supplies[0].given.published
            cells.append(exact(quoted.per_month.value) if quoted else "-")
            cells.append(_signed(found.value) if found and found.value is not None else "-")
        rows.append(Row(option.name, marks(result, option.name), tuple(cells)))
    notes = list(_footnotes(result))
    if printed:
        sources = [
            supply.given.published.source or "source not stated"
            for option in result.model.complete
            for supply in option.supplies
            if supply.given.published
        ]
        notes.append(
            f"printed: {', '.join(dict.fromkeys(sources))}; difference: per month less printed; "
            f"per month: cash {months}m / {months}"
        )
    return Table("COSTS", tuple(heads), tuple(rows), tuple(notes))


def wordless_symbol(result: Result) -> str:
    """The currency as it stands in the head of a column."""
    return money(0, result.currency).removesuffix("0").strip()


def _cents(result: Result) -> int:
    """Decimals of the large amounts: none, unless all of them are small."""
    largest = max(abs(m["total_cost"] or 0) for m in result.metrics.values() if m)
    return 2 if largest < 1000 else 0


def _cell(metric: Metric, decimals: int) -> str:
    return cell(metric.value, decimals) if metric.value is not None else metric.status


def _unit_price(metric: Metric | None) -> str:
    if metric is None or metric.value is None:
        return "-"
    return significant(metric.value) if 0 < abs(metric.value) < 0.095 else cell(metric.value, 2)


def _signed(value: float) -> str:
    text = cell(value, 2)
    return text if text.startswith("-") or text == "0.00" else f"+{text}"


def _difference(result: Result, option: BoundOption, metrics: dict[str, Metric]) -> str:
    if option.name == result.baseline:
        return "base"
    if result.status[option.name] != OK:
        return "-"
    found = metrics.get("difference_to_baseline")
    return _signed(found.value) if found is not None and found.value is not None else "-"


def _footnotes(result: Result) -> Iterator[str]:
    yield from wording.staying(result)
    used = "".join(marks(result, option.name) for option in result.model.complete)
    for mark, meaning in MARKS.items():
        if mark in used:
            yield f"{mark}  {meaning}"
    yield from _leased(result)
    sold = "cumulative_cost_without_resale"
    if any(option.scope and sold in option.scope.functions for option in result.model.complete):
        yield "cash/mo: what hardware is sold for in it, which may leave less than 0"
    yield from _per_head(result)
    yield from _speed_ups(result)
    yield from _numbers_of_cards(result)
    yield from _boards(result)
    lowest = []
    for option in result.model.complete:
        for supply in option.supplies:
            if "rent_at_lowest_offer" in supply.scope.functions:
                rent = result.months(supply.scope.line("rent_at_lowest_offer"))[1]
                lowest.append(f"{option.name} {money(rent, result.currency)}")
    if lowest:
        yield (
            f"lowest on the board, month 1, a bound that nothing is planned with: "
            f"{', '.join(lowest)}"
        )


def _leased(result: Result) -> Iterator[str]:
    """Options whose costs are those of buying, because the lease is its financing."""
    names = [
        option.name
        for option in result.model.complete
        for supply in option.supplies
        if "right_of_use" in supply.scope.functions
    ]
    if names:
        yield (
            f"leased, so costs and up-front are those of buying and the lease is its financing, "
            f"below: {', '.join(dict.fromkeys(names))}"
        )


def _per_head(result: Result) -> Iterator[str]:
    """What a request or a customer costs a month, where the scenario says how many there are."""
    for name, what in (("cost_per_request", "a request"), ("cost_per_customer", "a customer")):
        found = [
            f"{option.name} {price(_rounded(cost), result.currency)}"
            for option in wording.feasible(result)
            if (cost := result.metrics[option.name].get(name)) is not None
        ]
        if found:
            yield f"{what} costs a month: {', '.join(found)}"


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")


def _speed_ups(result: Result) -> Iterator[str]:
    """How much faster a rented card must be than the baseline's for the same cost of a job."""
    demand = result.model.demand
    if demand is None or demand.kind == "tokens":
        return
    for comparison in result.comparisons:
        found = comparison.metrics.get("break_even_speed_up")
        this = comparison.pair.this.sole
        if found is None or found.value is None or comparison.other != result.baseline:
            continue
        other = comparison.pair.other.sole
        if this is None or other is None or this.card == other.card:
            continue
        rates = [result.value(s.scope.line("work_per_gpu_hour")) for s in (this, other)]
        yield (
            f"{comparison.this} costs the same for a finished job as {comparison.other} at "
            f"{found.value:.4g} times its speed (ratio of the hourly prices); "
            f"here it is {significant(rates[0] / rates[1])} times"
        )


def _numbers_of_cards(result: Result) -> Iterator[str]:
    """How many cards an option has that takes as many as are needed."""
    found = []
    for option in result.model.complete:
        for supply in option.supplies:
            if "most_gpus" not in supply.scope.functions:
                continue
            months = result.months(supply.scope.line("gpus"))[1:]
            first, most = months[0], max(months)
            last = f" to {exact(most)}" if most != first else ""
            found.append(f"{option.name} {exact(first)}{last} {supply.card}")
    if found:
        yield f"cards needed: {', '.join(found)}"


def _boards(result: Result) -> Iterator[str]:
    """Owned cards whose number cannot be bought: they come on boards."""
    found = []
    for option in result.model.complete:
        for supply in option.supplies:
            card = cards.card(str(supply.card)) if supply.given.kind == "own" else None
            count = getattr(supply.given, "count", None)
            if card is None or count is None or isinstance(count, str):
                continue
            if all(count.value % size for size in card.board_sizes):
                sizes = " or ".join(str(size) for size in card.board_sizes)
                found.append(f"{option.name} ({sizes})")
    if found:
        each = ", ".join(dict.fromkeys(found))
        yield f"sold on boards of several cards, so this is a share of one: {each}"


def flips(result: Result, findings: Findings | None = None) -> Table | None:
    """Where the focus overtakes each of the others: months, tokens, hours of work, busy share.

    Where tokens have no closed form against the baseline, they are those that were solved.
    """
    focus = result.focus
    if focus is None:
        return None
    shown = [c for c in result.comparisons if c.this == focus]
    rows = [_flip(result, c) for c in sorted(shown, key=lambda c: _rank(result, c.other))]
    solved = _solved_tokens(result, findings)
    rows = [
        replace(row, cells=(row.cells[0], solved, *row.cells[2:]))
        if solved and row.name == result.baseline and row.cells[1] == "-"
        else row
        for row in rows
    ]
    work = result.model.counted.work
    heads: tuple[str, ...] = (
        "month first / lasting",
        f"{work} a month",
        "hours of work",
        "busy share",
    )
    rented = any("break_even_utilisation" in c.metrics for c in shown)
    if not rented:
        heads, rows = heads[:3], [Row(r.name, r.marks, r.cells[:3], r.note) for r in rows]
    notes = [
        f"month: its end, in cash not discounted, in brackets not rounded up; {work}: discounted / "
        "not; hours of work: a month, below which it is cheaper"
    ]
    if any("(too many)" in row.cells[1] for row in rows):
        notes.append(f"too many: more than {focus} can serve")
    if rented:
        notes.append(
            "busy share: above it owning beats renting the same cards by the busy hour; "
            "discounted / not"
        )
    return Table(f"{focus} against", heads, tuple(rows), tuple(notes))


def _solved_tokens(result: Result, findings: Findings | None) -> str | None:
    """The tokens at which focus and baseline change places: one value, or the first and last."""
    solved = findings.flips if findings else ()
    found = next((one for one in solved if one.over == TOKENS), None)
    if found is None or not found.depending:
        return None
    if not found.served:
        return "at any number" if found.status == ALWAYS else found.status
    places = [found.axis.text(result, crossing.value) for crossing in found.served]
    more = f" to {places[-1]}, {len(places)} times" if places[1:] else ""
    return f"{places[0]}{more}"


def _rank(result: Result, name: str) -> int:
    return [option.name for option in result.ranked].index(name)


def _flip(result: Result, comparison: Comparison) -> Row:
    metrics = comparison.metrics
    cells: tuple[str, ...] = (
        _months(result, comparison),
        _both(metrics.get("break_even_volume"), metrics.get("break_even_volume_undiscounted")),
        _hours(metrics.get("break_even_staff_hours")),
        _shares(
            metrics.get("break_even_utilisation"),
            metrics.get("break_even_utilisation_undiscounted"),
        ),
    )
    return Row(comparison.other, marks(result, comparison.other), cells)


def _months(result: Result, comparison: Comparison) -> str:
    first, lasting, unrounded = (
        comparison.metrics[name].value
        for name in ("break_even_month_first", "break_even_month", "break_even_month_unrounded")
    )
    if lasting is None:
        amount = money(abs(comparison["final_saving"] or 0.0), result.currency)
        start = f"{exact(first)} / {NEVER}" if first is not None else NEVER
        return f"{start}, {amount} short"
    text = f"{exact(lasting if first is None else first)} / {exact(lasting)}"
    return f"{text} ({significant(unrounded)})" if unrounded else text


def _both(discounted: Metric | None, plain: Metric | None) -> str:
    if discounted is None or plain is None:
        return "-"
    one, two = wording.tokens_text(discounted), wording.tokens_text(plain)
    return one if one == two or "too many" in one else f"{one} / {two}"


def _hours(found: Metric | None) -> str:
    if found is None:
        return "-"
    if found.value is None:
        return NEVER if found.status == NEVER else "no price of work"
    return significant(found.value)


def _shares(discounted: Metric | None, plain: Metric | None) -> str:
    if discounted is None or plain is None:
        return "-"
    texts = [share(m.value) if m.value is not None else m.status for m in (discounted, plain)]
    return texts[0] if texts[0] == texts[1] else " / ".join(texts)


def ages_of_prices(result: Result) -> Iterator[tuple[str, str]]:
    """How old each price is in days, and how many have no date; nothing where none has one."""
    dated = ages(result)
    if not dated:
        return
    kinds: dict[str, list[int]] = {}
    for given, days in reversed(dated):
        kinds.setdefault(field_label(given), []).append(days)
    words = []
    for label, found in kinds.items():
        words.append(f"{label} {_numbers(list(dict.fromkeys(found)))}")
    without = [
        given
        for given in result.model.numbers
        if given.quantity and is_price(given) and not given.quantity.as_of
    ]
    words += [f"{len(without)} without a date"] if without else []
    yield f"age of prices on {today(result)}, in days", "; ".join(words)


def _numbers(values: list[int]) -> str:
    """Values in ascending order: a few of them, else the first and the last."""
    if values[5:]:
        return f"{values[0]:,} to {values[-1]:,}"
    return f"({', '.join(f'{value:,}' for value in values)})" if values[1:] else f"{values[0]:,}"


def left_out(result: Result) -> Iterator[str]:
    """What is not counted: by this version, and because the scenario does not give it."""
    yield f"not counted by this version: {', '.join(NOT_COUNTED)}"
    missing = not_given(result)
    if missing:
        yield f"not given, so not counted: {', '.join(missing)}"
    bound = result.model.demand
    if bound is not None:
        flat = [] if bound.curve else ["the load within a month, so no peak"]
        changing = any("growth_factor" in w.scope.functions for w in bound.workloads)
        flat += [] if changing else ["the demand over the months, so no growth"]
        if flat:
            yield f"not given, so flat: {', '.join(flat)}"
        if bound.kind == "tokens" and not _has_tokenisers(result):
            yield "taken as 1: tokens of each model for one of the demand (tokeniser_factor)"
    zeros: dict[str, list[Input]] = {}
    for given in result.model.numbers:
        unpriced = given.name.endswith("_input_price")  # needed, and then asked for, if ever used
        if given.kind == LIVE and given.basis == "default" and not given.value and not unpriced:
            zeros.setdefault(field_label(given), []).append(given)
    if zeros:
        yield f"not given, so 0: {', '.join(_whose(*item) for item in zeros.items())}"
    if any(option.missing for option in result.model.options):
        names = [o.name for o in result.model.options if result.status[o.name] == INCOMPLETE]
        yield f"not costed: {', '.join(names)}"


def not_given(result: Result) -> tuple[str, ...]:
    """Costs and incomes that the scenario leaves out; with whose they are, where others have them.

    They are no inputs of 0: without them the model has no lines of them.
    """
    found = [] if result.scenario.tax is not None else ["tax"]
    holders = list(owned(result))
    for what, words in OF_HARDWARE.items():
        if what == AROUND and result.scenario.other_costs:
            continue
        without = [
            option.name
            for option, _, given in holders
            if not any(said(result, given, word) is not None for word in words)
        ]
        if without:
            found.append(_of_some(what, without, len(holders)))
    priced = [
        (option.name, supply.given.price_path is not None)
        for option in result.model.complete
        for supply in option.supplies
        if not isinstance(supply.given, Own) and getattr(supply.given, "api", None) != PRESENT
    ]
    fixed = [name for name, changes in priced if not changes]
    if fixed:
        found.append(_of_some("changes of prices", fixed, len(priced)))
    return tuple(found)


def _of_some(what: str, names: list[str], number: int) -> str:
    """What is left out, with the options where others give it."""
    if len(names) == number:
        return what
    named = list(dict.fromkeys(names))
    more = f" and {len(named) - 2} more" if named[2:] else ""
    return f"{what} ({', '.join(named[:2])}{more})"


def _has_tokenisers(result: Result) -> bool:
    """Whether any supply says how its model counts tokens."""
    return any(
        supply.given.tokeniser_factor is not None
        for option in result.model.complete
        for supply in option.supplies
    )


def _whose(label: str, group: list[Input]) -> str:
    """What is 0 for some only is named with them."""
    owners = [given.label[len(label) + 2 :] for given in group if len(given.label) > len(label)]
    if not owners:
        return label
    more = f" and {len(owners) - 2} more" if owners[2:] else ""
    return f"{label} ({', '.join(owners[:2])}{more})"
