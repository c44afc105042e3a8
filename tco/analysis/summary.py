"""Everything that a person reads of a result, as texts and tables of texts.

The terminal and the Markdown page lay these out; they add no words of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath

from tco.analysis import answer as wording
from tco.analysis.answer import Answer
from tco.analysis.figures import cell, exact, money, price, share, significant, tokens
from tco.analysis.marks import marks
from tco.engine.missing import input_tokens, output_tokens, points_of
from tco.engine.structure import BoundOption
from tco.prices import cards
from tco.prices.list_prices import retirement
from tco.results import INCOMPLETE, NEVER, OK, Comparison, Metric, Result
from tco.scenario.inputs import DEFINITION, FIELDS, LIVE, STRUCTURAL, Input
from tco.scenario.schema import Api, Quantity, Rent
from tco.scenario.throughput import input_per_output

MARKS = {
    "M": "another model than the baseline's",
    "?": "capacity not checked: no throughput given; busy is an input, not a result",
    "P": "cards that hold one model together: their throughput together is not measured",
    "~": "one printed number, read in two currencies",
    "*": "rests on an assumed input of its own",
}
BASES = ("measured", "quoted", "published", "assumed", "not stated", "known", "solved", "default")
# the price of the makers' list for each price of a scenario
PRICES_OF_LIST = {
    "output_price": "output_price",
    "input_price": "input_price",
    "cache_read_price": "cache_read_price",
    "cache_write_price": "cache_write_price",
    "cache_write_1h_price": "cache_write_hour_price",
}
# what this version does not count, whatever the scenario says
NOT_COUNTED = (
    "tax",
    "resale of hardware",
    "failures and repairs",
    "changes of prices",
    "quality of the models",
)


@dataclass(frozen=True)
class Row:
    """One line of a table; ``note`` is a sentence in place of the cells, or below them."""

    name: str
    marks: str = ""
    cells: tuple[str, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class Table:
    """A table of texts: the heads of the columns after the name, then the rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


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
    rests_on: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    left_out: tuple[str, ...]


def summarise(result: Result) -> Summary:
    """The texts of a result."""
    return Summary(
        title=result.scenario.name,
        question=result.scenario.question,
        counting=f"{wording.counting(result)}; {wording.horizon(result)}",
        conventions=wording.conventions(result),
        baseline=baseline_text(result),
        answer=wording.write_answer(result),
        costs=costs(result) if result.model.has_demand else ownership(result),
        flips=flips(result),
        rests_on=tuple(rests_on(result)),
        warnings=tuple(warnings(result)),
        left_out=tuple(left_out(result)),
    )


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
        yield f"sold on boards of several cards, so this is a share of one: {', '.join(found)}"


def flips(result: Result) -> Table | None:
    """Where the focus overtakes each of the others: months, tokens, hours of work, busy share."""
    focus = result.focus
    if focus is None:
        return None
    shown = [c for c in result.comparisons if c.this == focus]
    rows = [_flip(result, c) for c in sorted(shown, key=lambda c: _rank(result, c.other))]
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


def _rank(result: Result, name: str) -> int:
    return [option.name for option in result.ranked].index(name)


def _flip(result: Result, comparison: Comparison) -> Row:
    metrics = comparison.metrics
    cells: tuple[str, ...] = (
        _months(result, comparison),
        _both(metrics.get("break_even_volume"), metrics.get("break_even_volume_undiscounted")),
        _hours(metrics["break_even_staff_hours"]),
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


def _hours(found: Metric) -> str:
    if found.value is None:
        return NEVER if found.status == NEVER else "no price of work"
    return significant(found.value)


def _shares(discounted: Metric | None, plain: Metric | None) -> str:
    if discounted is None or plain is None:
        return "-"
    texts = [share(m.value) if m.value is not None else m.status for m in (discounted, plain)]
    return texts[0] if texts[0] == texts[1] else " / ".join(texts)


def rests_on(result: Result) -> Iterator[tuple[str, str]]:
    """The inputs by how they are known: the basis, and the inputs in words."""
    found: dict[str, list[Input]] = {}
    for given in result.model.numbers:
        if given.kind not in (DEFINITION, STRUCTURAL):
            found.setdefault(given.basis, []).append(given)
    for basis in BASES:
        inputs = found.get(basis, [])
        if basis == "default":
            inputs = [given for given in inputs if given.value != 0]
        if inputs:
            yield _basis_text(basis), "; ".join(_named(result, inputs))
        elif basis == "measured":
            yield basis, "no input"


def _basis_text(basis: str) -> str:
    words = {
        "not stated": "basis not stated",
        "known": "known of cards and models",
        "solved": "solved before the months are run",
        "default": "default, not given",
    }
    return words.get(basis, basis)


def _named(result: Result, inputs: list[Input]) -> Iterator[str]:
    """Inputs in words: one with its value, several of a kind with their number."""
    kinds: dict[str, list[Input]] = {}
    for given in inputs:
        kinds.setdefault(field_label(given), []).append(given)
    for label, group in kinds.items():
        values = list(dict.fromkeys(value_text(result, given) for given in group))
        if len(values) == 1:
            yield f"{label} {values[0]}"
        else:
            yield f"{label} ({', '.join(values[:5])}{', ...' if values[5:] else ''})"


def field_label(given: Input) -> str:
    """What an input is, in the middle of a sentence, without whose it is."""
    labels = [field.label for field in FIELDS.values()]
    matching = [x for x in labels if given.label == x or given.label.startswith(f"{x}, ")]
    label = max(matching, key=len) if matching else given.label.partition(", row ")[0]
    if label == FIELDS["amount"].label:
        return given.label.removeprefix(f"{label}, ")
    return label[0].lower() + label[1:] if label[1:2].islower() else label


def value_text(result: Result, given: Input) -> str:
    """The value of an input, with as much of its unit as its label leaves open."""
    unit = given.unit_text
    if unit.startswith("fraction"):
        return f"{share(given.value)}{' a year' if unit.endswith('year') else ''}"
    if unit == "tokens/month":
        return tokens(given.value)
    currency, _, per = unit.partition("/")
    quoted = given.quantity.currency if given.quantity else None
    if given.name.startswith("fx_"):
        return f"{exact(given.value)} {unit}"
    if currency == (quoted or result.currency):
        return price(given.value, currency) + ("/kWh" if per == "kWh" else "")
    known = {
        "W/GPU": " W",
        "tokens/s/GPU": " tokens/s",
        "tokens/s": " tokens/s",
        "months": " months",
        "billion": " billion",
        "GB": " GB",
        "hours": " hours",
        "GPU-hours": " hours",
    }
    return exact(given.value) + known.get(unit, "")


def warnings(result: Result) -> Iterator[str]:
    """Values that the scenario gives and nothing reads.

    The file is named without its folder, so that outputs are the same wherever it lies. What an
    option that is not costed would read is no reason to warn.
    """
    file = PurePath(result.scenario.path).name
    if result.scenario.months < 12:
        for cost in result.scenario.other_costs:
            if cost.per == "year":
                yield (
                    f"{cost.name} falls due in month 12: never within {result.scenario.months} "
                    "months"
                )
    yield from _terms_of_rent(result)
    yield from _list_prices(result)
    yield from _retired(result)
    yield from _other_mixes(result)
    for quantity in result.model.unread():
        place = f"{file}, line {quantity.line}" if quantity.line else "set on the command line"
        yield f"{place}: {quantity.path} is given and no option reads it"


def _list_prices(result: Result) -> Iterator[str]:
    """Prices of a named provider that are not its list prices, and models it no longer serves."""
    for option in result.model.options:
        for given in result.scenario.options[option.name].supplies:
            if not isinstance(given, Api) or (given.provider is None and given.price is None):
                continue
            # the list is large: it is read only where a provider is named
            from tco.prices.list_prices import ListPrice, differences, list_price

            listed = list_price(given.provider, given.api, result.scenario.as_of)
            if not isinstance(listed, ListPrice):
                continue
            quoted = {
                listed_as: value
                for name, listed_as in PRICES_OF_LIST.items()
                if (value := _in_usd(result, getattr(given, name))) is not None
            }
            for difference in differences(quoted, listed):
                yield f"{option.name}: {difference}"


def _terms_of_rent(result: Result) -> Iterator[str]:
    """Terms of rented cards that cannot be, or that go on after the last month."""
    for option in result.model.complete:
        for supply in option.supplies:
            given, scope = supply.given, supply.scope
            if not isinstance(given, Rent):
                continue
            months = result.scenario.months
            if given.reserved is not None and given.reserved.term_months.value > months:
                yield (
                    f"{option.name}: its term of {exact(given.reserved.term_months.value)} months "
                    f"goes on after month {months}; what is owed then is not counted"
                )
            if given.sessions is not None:
                billed = result.months(scope.line("billed_gpu_hours"))
                gpus, hours = scope.find("gpus"), result.months("hours")
                assert isinstance(gpus, str)
                inputs = result.model.inputs
                held = [inputs[gpus].value] * len(hours) if gpus in inputs else result.months(gpus)
                month = next(
                    (m for m, b in enumerate(billed) if b > held[m] * hours[m] * (1 + 1e-9)), None
                )
                if month is not None:
                    paid, there = (
                        significant(billed[month]),
                        significant(held[month] * hours[month]),
                    )
                    yield (
                        f"{option.name}: its sessions bill {paid} GPU-hours in month {month}, and "
                        f"its cards have {there}: fewer sessions, or more cards"
                    )


def _retired(result: Result) -> Iterator[str]:
    """Models that their maker does not serve, or will not to the last month."""
    scenario = result.scenario
    if scenario.as_of is None and scenario.start is None:
        return  # without a date nobody is late
    found: dict[str, list[str]] = {}
    for name, option in scenario.options.items():
        for given in option.supplies:
            known = retirement(given.api, None) if isinstance(given, Api) else None
            if known is not None:
                assert isinstance(given, Api)
                found.setdefault(f"{given.api} of {known.provider} is {known}", []).append(name)
    for said, names in found.items():
        yield f"{', '.join(names)}: {said}"


def _in_usd(result: Result, quantity: Quantity | None) -> float | None:
    """A price in USD for a million tokens; None where it is not given or not in dollars."""
    if quantity is None or (quantity.currency or result.currency) != "USD":
        return None
    return quantity.value


def _other_mixes(result: Result) -> Iterator[str]:
    """Throughput measured at another mix of input and output than the workload's."""
    demand = result.scenario.demand
    if demand is None or demand.kind != "tokens":
        return
    read, written = input_tokens(result.scenario), output_tokens(result.scenario)
    if not written:
        return
    said = set()
    for option in result.model.complete:
        for supply in option.supplies:
            if isinstance(supply.given, Api):
                continue
            points = points_of(result.scenario, supply.given)
            measured = input_per_output(points[0]) if len(points) == 1 else None
            if measured is None or points[0].path in said:
                continue
            wanted = read / written
            low, high = sorted((measured, wanted))
            if high > 2 * low:
                said.add(points[0].path)
                yield (
                    f"{points[0].path} was measured at {significant(measured)} input tokens for "
                    f"each output token, the workload has {significant(wanted)}: measure at its "
                    f"mix, or give a second point so that prefill and decode are told apart"
                )


def left_out(result: Result) -> Iterator[str]:
    """What is not counted: by this version, and because the scenario does not give it."""
    not_counted = list(NOT_COUNTED)
    owns = [
        supply
        for option in result.model.complete
        for supply in option.supplies
        if supply.given.kind == "own"
    ]
    if not owns:
        not_counted.remove("resale of hardware")
        not_counted.remove("failures and repairs")
    elif not result.scenario.other_costs:
        not_counted.insert(1, "host, network and rack around the cards")
    yield f"not counted by this version: {', '.join(not_counted)}"
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
