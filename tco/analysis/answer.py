"""The answer in sentences: what is cheapest, what the answer turns on, and where it flips.

Every output prints these same texts. Nothing is calculated here: each number is a line of the model
or a metric of the result, and is only looked up, compared and worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from tco.analysis.closeness import TOO_CLOSE, closeness_texts
from tco.analysis.figures import exact, megatokens, money, price, share, significant, tokens
from tco.analysis.marks import marks, models_of, other_models
from tco.analysis.moves import ranges_that_turn, too_close
from tco.engine.missing import replacement_of
from tco.engine.slices import NEAR
from tco.engine.structure import BoundOption, BoundSupply
from tco.results import NEVER, OK, Comparison, Metric, Result
from tco.scenario.schema import Api, Demand, Own, Quantity
from tco.scenario.supplies import PRESENT

if TYPE_CHECKING:
    from tco.analysis.findings import Findings

# when the cash of a month counts, as part of a sentence on discounting
TIMINGS = {
    "month-end": "",
    "mid-month": " from the middle of each month",
    "year-end": " from the end of each year",
}
LOSSES = {
    "elsewhere": "losses used elsewhere",
    "carried": "losses carried forward",
    "worthless": "losses worthless",
}
MOST_CLOSE = 2  # pairs that are too close to call, before the rest are counted
CARDS_COUNT_OUTPUT = "the capacity of cards counts output tokens only here"


@dataclass(frozen=True)
class Answer:
    """What the result says.

    ``verdict`` are its sentences, the most important first; ``conditions`` hold only together with
    ``focus``, the sentence they belong to; ``remarks`` come after them. ``turning`` are those of
    the conditions that an input's own range may break.
    """

    verdict: tuple[str, ...]
    focus: str | None = None
    conditions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    turning: tuple[str, ...] = ()


def counting(result: Result) -> str:
    """How work is counted: printed by every output."""
    demand = result.scenario.demand
    if demand is None:
        return "no demand: costs only, nothing is ranked"
    if demand.kind != "tokens":
        text = f"{exact(_month_1(demand, demand.kind))} {result.model.counted.work} a month"
        return f"{text}{_shape(result)}"
    output = _month_1(demand, "output_tokens") + _month_1(demand, "reasoning_tokens")
    read = _month_1(demand, "input_tokens")
    if not read:
        text = f"{tokens(output)} output tokens and 0 input tokens a month: all counted as output"
        return f"{text}{counted_by(result)}{_shape(result)}"
    if not output:
        text = f"0 output tokens and {tokens(read)} input tokens a month: all counted as input"
        return f"{text}{_shape(result)}"
    text = f"{tokens(output)} output tokens and {tokens(read)} input tokens a month, priced apart"
    cards = any(supply.card for option in result.model.complete for supply in option.supplies)
    told_apart = "prefilled_per_output" in result.model.time.functions
    cards = cards and not told_apart
    return f"{text}{_shape(result)}; {CARDS_COUNT_OUTPUT}" if cards else f"{text}{_shape(result)}"


def _month_1(demand: Demand, field: str) -> float:
    """The work of month 1 of all workloads together."""
    given: list[Quantity | None] = [getattr(part, field) for part in demand.parts.values()]
    return sum(quantity.value for quantity in given if quantity is not None)


def _shape(result: Result) -> str:
    """How the work lies within a month and over the months, where it is not flat."""
    bound = result.model.demand
    assert bound is not None
    words = []
    if len(bound.workloads) > 1:
        words.append(f"in {len(bound.workloads)} workloads")
    seasonal = any(w.given.season for w in bound.workloads)
    growing = any("growth_factor" in w.scope.functions for w in bound.workloads)
    work = result.months("work_demanded")
    if growing and not seasonal and work[1] and work[2:]:
        words.append(
            f"in month {len(work) - 1} {work[-1] / work[1]:.3g} times as much as in month 1"
        )
    elif growing:
        words.append("changing over the months")
    if seasonal:
        words.append("with a season")
    if bound.curve is not None:
        words.append(f"peak {significant(bound.curve[0][0])} times the mean")
    return f"; {', '.join(words)}" if words else ""


def staying(result: Result) -> Iterator[str]:
    """What stays where it is in every option."""
    bound = result.model.demand
    for workload in bound.workloads if bound else ():
        if workload.stays:
            assert workload.given.addressable is not None
            if workload.given.addressable.value == 1:
                continue
            kept = share(1 - workload.given.addressable.value)
            inner = f"{workload.scope.name or 'w1'}/present/api_cost"
            bill = money(_equivalent(result, inner), result.currency)
            name = workload.name or "the work"
            yield (
                f"{kept} of {name} stays on {workload.given.present} in every option: "
                f"{bill} a month, counted in each row"
            )


def _equivalent(result: Result, line: str) -> float:
    """The even monthly payment that a monthly cost comes to."""
    amounts = zip(result.months(line), result.months("discount_factor"), strict=True)
    return sum(amount * factor for amount, factor in amounts) / result.value("annuity_factor")


def counted_by(result: Result) -> str:
    """Whose counting a demand of output tokens alone is, where the scenario names a source."""
    demand = result.scenario.demand
    tokens = demand.output_tokens if demand else None
    # a file that was read counted what there was: how it is looked at is not its doing
    if tokens is None or not tokens.source or tokens.files:
        return ""
    return f", as {tokens.source} counts"


def horizon(result: Result) -> str:
    """Which months are looked at."""
    scenario = result.scenario
    months = f"{scenario.months} month{'s' if scenario.months > 1 else ''}"
    return f"{months} from {scenario.start}" if scenario.start else f"{months}, numbered"


def conventions(result: Result) -> str:
    """Currency, discounting, hours and tax in a few words."""
    inputs = result.model.inputs
    hours = (
        f"{exact(inputs['hours_per_month'].value)} hours a month"
        if "hours_per_month" in inputs
        else "calendar hours"
    )
    rate = share(inputs["discount_rate"].value)
    changed = result.scenario.settings
    told = f"; set for this run: {', '.join(changed)}" if changed else ""
    rate = f"{rate} a year{TIMINGS[result.scenario.cash_timing]}"
    return f"{result.currency}, discounted at {rate}, {hours}, {tax_words(result)}{told}"


def tax_words(result: Result) -> str:
    """Whether costs are before tax, or after which tax and with what use of losses."""
    tax = result.scenario.tax
    if tax is None:
        return "before tax"
    return f"after tax at {share(tax.rate.value)}, {LOSSES[tax.losses]}"


def month_name(result: Result, month: int) -> str:
    """A month by its number, and by the calendar where the scenario has a start.

    Month 1 is the start; month 0, the decision date, shares its calendar month.
    """
    start = result.scenario.start
    if start is None:
        return f"month {month}"
    year, first = (int(part) for part in start.split("-"))
    passed = first - 1 + max(month - 1, 0)
    return f"month {month} ({year + passed // 12}-{passed % 12 + 1:02d})"


def stem(result: Result) -> str:
    """The name of the scenario's file, without folder and ending."""
    return PurePath(result.scenario.path).stem


def feasible(result: Result) -> list[BoundOption]:
    """The options that serve the whole demand, cheapest first."""
    return [option for option in result.ranked if result.status[option.name] == OK]


def equivalent(result: Result, option: str) -> float:
    """Equivalent monthly cost of an option."""
    value = result.metrics[option]["equivalent_monthly_cost"]
    assert value is not None
    return value


def reason(result: Result, option: BoundOption) -> str | None:
    """Why an option is not ranked, and what would mend it; None when it is."""
    status = result.status[option.name]
    if option.missing is not None:
        return f"{option.missing.what}: add {option.missing.add}"
    if status == OK:
        return None
    unfit = "; ".join(_does_not_fit(result, option))
    if unfit:
        return unfit
    metrics = result.metrics[option.name]
    unserved = metrics["total_unserved_work"]
    demanded = result.value(option.line("total_demanded_work"))
    what = "output tokens" if result.model.counted.lot == "Mtok" else result.model.counted.work
    months = result.months(option.line("unserved_work"))
    first = next(month for month, left in enumerate(months) if left > demanded * 1e-12)
    begins = f", from {month_name(result, first)} on" if first > 1 else ""
    return (
        f"leaves {tokens(unserved or 0)} of {tokens(demanded)} {what} unserved over "
        f"{result.scenario.months} months{begins}: add cards or a supply after it"
    )


def _does_not_fit(result: Result, option: BoundOption) -> Iterator[str]:
    """Which model fits which card not, and by how much."""
    for supply in option.supplies:
        if "tensor_parallel_not_allowed" in supply.scope.functions and result.value(
            supply.scope.line("tensor_parallel_not_allowed")
        ):
            inputs = result.model.inputs
            together, heads, kv_heads = (
                exact(inputs[supply.scope.inputs[name]].value)
                for name in ("gpus_per_replica", "heads", "kv_heads")
            )
            yield (
                f"{together} cards cannot share out {heads} query heads and {kv_heads} KV heads: "
                "change sizing.gpus_per_replica"
            )
        if "does_not_fit" in supply.scope.functions and result.value(
            supply.scope.line("does_not_fit")
        ):
            needed, usable, short = (
                significant(result.value(supply.scope.line(name)))
                for name in ("needed_gb_per_gpu", "usable_gb", "shortfall_gb")
            )
            model = getattr(supply.given, "model", None) or replacement_of(result.scenario)
            see = "" if model in result.scenario.models else f": see  tco fit {model}"
            yield (
                f"{model} does not fit {supply.card}: {needed} GB needed on each card, {usable} GB "
                f"usable, {short} GB short{see}"
            )
        if (
            "serving_replicas" in supply.scope.functions
            and not any(result.months(supply.scope.line("serving_replicas")))
            and any(result.months(supply.scope.line("gpus")))
        ):
            yield (
                f"its {supply.card} leave no replica to serve: the size of a replica and the "
                "spares (sizing) take them all"
            )


def write_answer(result: Result, findings: Findings | None = None) -> Answer:
    """The answer of a result; with its findings, also what the ranges of the inputs turn."""
    if not result.model.has_demand:
        return _costs_only(result)
    ranked = feasible(result)
    if not ranked:
        return Answer(
            ("No option serves the whole demand.",), remarks=tuple(_staff_unknown(result))
        )
    verdict = [_cheapest(result, ranked), *_ambiguous(result), *leases(result)]
    if not result.value("total_demanded_volume"):
        verdict.insert(0, "There is no work that can move: these are the costs of standing by.")
    close, apart = closeness_texts(result)
    if close[MOST_CLOSE:]:
        more = len(close) - MOST_CLOSE
        close = [*close[:MOST_CLOSE], f"{TOO_CLOSE} are {more} more pairs of alike options."]
    if findings is not None and not close:
        both = (too_close(result, findings.first_two), too_close(result, findings.tornado))
        close = [text for text in both if text is not None][:1]
    verdict = [*close, *verdict]
    if result.focus is None:
        return Answer(tuple(verdict), remarks=(*apart, *_staff_unknown(result)))
    turning = tuple(ranges_that_turn(result, findings.tornado)) if findings else ()
    return Answer(
        tuple(verdict),
        _focus(result, result.focus),
        (*_conditions(result, result.focus), *turning),
        (*apart, *_remarks(result, result.focus)),
        turning,
    )


def _costs_only(result: Result) -> Answer:
    staffed = [
        option.name
        for option in result.model.complete
        if result.metrics[option.name]["average_staff_hours"]
    ]
    staff = (
        f"Hours of work are counted for {', '.join(staffed)}."
        if staffed
        else "Staff is 0: no hours of work are given."
    )
    close, apart = closeness_texts(result)
    costs_only = "Costs only: no demand is given, so nothing is ranked and no answer flips."
    return Answer((*close, *leases(result), costs_only, staff), remarks=tuple(apart))


def leases(result: Result) -> Iterator[str]:
    """Whether each lease is worth more than buying."""
    tax = result.scenario.tax
    after_tax = tax is not None and tax.losses == "elsewhere"
    rate = f"the borrowing rate {'after' if after_tax else 'before'} tax"
    for option in result.model.complete:
        for supply in option.supplies:
            if "net_advantage_of_leasing" not in supply.scope.functions:
                continue
            worth = result.value(supply.scope.line("net_advantage_of_leasing"))
            size = money(abs(worth), result.currency)
            if abs(worth) < 0.005:  # what rounding leaves
                yield f"{option.name}: leasing and buying are worth the same at {rate}."
                continue
            better, worse = ("leasing", "buying") if worth > 0 else ("buying", "leasing")
            yield f"{option.name}: {better} is better than {worse}, by {size} at {rate}."


def _cheapest(result: Result, ranked: list[BoundOption]) -> str:
    best, base = ranked[0].name, result.baseline
    cost = money(equivalent(result, best), result.currency)
    if len(ranked) == 1:
        chosen = len(result.model.options) < len(result.scenario.options)
        among = "Of the options chosen, only" if chosen else "Only"
        return f"{among} {best} serves the demand: {cost} a month."
    alike = [option.name for option in ranked if _same_cost(result, best, option.name)]
    if len(alike) > 1:
        return f"No difference: {' and '.join(alike)} cost the same, {cost} a month."
    if best == base:
        second = ranked[1].name
        next_cost = money(equivalent(result, second), result.currency)
        return f"Cheapest is the baseline, {best}: {cost} a month; next {second}, {next_cost}."
    if best == result.focus:
        return f"Cheapest of all: {best}."
    other = ", with another model than the baseline's" if "M" in marks(result, best) else ""
    return f"Cheapest of all{other}: {best}, {cost} a month{_gap(result, best)}."


def _same_cost(result: Result, one: str, another: str) -> bool:
    """Whether two options cost the same but for rounding."""
    costs = equivalent(result, one), equivalent(result, another)
    return abs(costs[0] - costs[1]) <= NEAR * max(abs(costs[0]), abs(costs[1]))


def _gap(result: Result, name: str) -> str:
    """How an option stands to the baseline, as the end of a sentence."""
    base = result.baseline
    found = result.metrics_with_units[name].get("difference_to_baseline")
    if base is None or found is None or found.value is None or name == base:
        return ""
    cost = money(equivalent(result, base), result.currency)
    size = money(abs(found.value), result.currency)
    if size == money(0, result.currency):
        return f", the same as {base}"
    return f", {size} {'less' if found.value < 0 else 'more'} than {base} ({cost})"


def _ambiguous(result: Result) -> Iterator[str]:
    """One printed number that is read in two currencies: both readings, against the focus."""
    twins: dict[tuple[str, float], list[BoundOption]] = {}
    for option in feasible(result):
        if "~" in marks(result, option.name) and option.sole:
            given = option.sole.given
            assert isinstance(given, Api)
            assert given.output_price is not None
            twins.setdefault((given.api, given.output_price.value), []).append(option)
    for (model, number), options in twins.items():
        readings = [
            f"as {_billed_in(result, option)} ({option.name}) "
            f"{money(equivalent(result, option.name), result.currency)} a month"
            f"{_beside_focus(result, option)}"
            for option in options
        ]
        outcomes = {_beside_focus(result, option) for option in options}
        turns = "It turns on one cell" if len(outcomes) > 1 else "One cell has two readings"
        yield (
            f"{turns}: {model} is printed at {exact(number)} in two currencies; "
            f"{'; '.join(readings)}."
        )


def _billed_in(result: Result, option: BoundOption) -> str:
    assert option.sole is not None
    assert isinstance(option.sole.given, Api)
    quoted = option.sole.given.output_price
    return (quoted.currency if quoted else None) or result.currency


def _beside_focus(result: Result, option: BoundOption) -> str:
    focus = result.focus
    if focus is None or focus == option.name:
        return ""
    difference = result.comparison(focus, option.name)["equivalent_difference"]
    assert difference is not None
    return f", where {focus} is {'cheaper' if difference < 0 else 'dearer'}"


def _focus(result: Result, name: str) -> str:
    cost = money(equivalent(result, name), result.currency)
    comparison = _against_baseline(result, name)
    text = f"{name}: {cost} a month{_gap(result, name)}"
    if comparison is None:
        return f"{text}; there is no baseline to compare it with. It holds only if"
    text = f"{text}, {pays_back(result, comparison)}"
    if (comparison["equivalent_difference"] or 0.0) < 0:
        return f"{text}; ONLY IF"
    found = comparison.metrics.get("break_even_staff_hours")
    if found is None:
        return f"{text}; it holds ONLY IF"
    if found.value is not None:
        return f"{text}; it would win ONLY IF"
    counted = _staff_counted(result, result.option(name))
    return f"{text}; no saving of hours of work flips that [{counted}]. Even that holds ONLY IF"


def pays_back(result: Result, comparison: Comparison) -> str:
    """When the lasting break-even comes, or by how much it is missed."""
    found = comparison.metrics["break_even_month"]
    if found.value is None:
        short = comparison["final_saving"] or 0.0
        amount = money(abs(short), result.currency)
        return f"never paid back: {amount} short at month {result.scenario.months}"
    if found.value == 0:
        return "ahead from the first day"
    return f"paid back in {month_name(result, int(found.value))}"


def _against_baseline(result: Result, name: str) -> Comparison | None:
    base = result.baseline
    if base is None or base == name or result.status[base] != OK:
        return None
    return result.comparison(name, base)


def _conditions(result: Result, name: str) -> Iterator[str]:
    option = result.option(name)
    yield from _staff_condition(result, option)
    for supply in option.supplies:
        if supply.card:
            yield _rate_condition(result, supply)
    yield from _model_condition(result, option)


def _staff_condition(result: Result, option: BoundOption) -> Iterator[str]:
    comparison = _against_baseline(result, option.name)
    bracket = f"[{_staff_counted(result, option)}]"
    if comparison is None:
        yield f"its hours of work are as given; no baseline, so no flip {bracket}"
        return
    found = comparison.metrics.get("break_even_staff_hours")
    if found is None:
        yield f"its hours of work are as given: none is solved for, with losses so taxed {bracket}"
    elif found.value is not None:
        yield f"running it takes under {significant(found.value)} hours of work a month {bracket}"
    elif found.status != NEVER:
        yield f"hours of work stay free: no cost of one is given, so none can flip it {bracket}"


def _staff_counted(result: Result, option: BoundOption) -> str:
    hours = result.metrics[option.name]["average_staff_hours"]
    given = any(supply.given.staff_hours_per_month for supply in option.supplies)
    text = f"{significant(hours or 0)} counted" if given else "staff is 0: not given"
    base = result.baseline
    if base and base != option.name and result.status[base] == OK:
        other = result.metrics[base]["average_staff_hours"] or 0.0
        if given or other:
            text += f", {significant(other)} for {base}"
    return f"{text}; {work_price(result)}"


def work_price(result: Result) -> str:
    """What an hour of work costs, and whether that is given."""
    inputs = result.model.inputs
    hourly = inputs.get("hourly_cost") or inputs.get("quoted_hourly_cost")
    if hourly is None:
        return "an hour of work has no price"
    amount = (
        price(hourly.value, hourly.quantity.currency or result.currency)
        if (hourly.quantity)
        else price(hourly.value, result.currency)
    )
    if hourly.quantity is None:
        return f"an hour at {amount} is a yardstick, not given"
    return f"an hour at {amount}"


def _rate_condition(result: Result, supply: BoundSupply) -> str:
    what = supply_text(supply)
    bound = result.model.demand
    peaks = "peaks not modelled" if bound is None or bound.curve is None else "peak counted"
    if not supply.measured:
        line = supply.scope.line("required_output_rate")
        needed = significant(result.value(line))
        peak = ""
        if "required_peak_output_rate" in supply.scope.functions:
            most = result.value(supply.scope.line("required_peak_output_rate"))
            peak = f", {significant(most)} at peak"
        return f"{what} sustains {needed} tokens/s on average{peak} [not measured; {peaks}]"
    rate, basis = _work_rate(result, supply)
    return f"{what} gives {rate}, busy {_busy(result, supply)} [{basis}; {peaks}]"


def _busy(result: Result, supply: BoundSupply) -> str:
    """How busy cards are on average, and in their busiest month where that is another share."""
    held = sum(result.months(supply.scope.line("gpu_hours")))
    busy = sum(result.months(supply.scope.line("busy_gpu_hours")))
    mean = share(busy / held if held else 0.0)
    most = share(max(result.months(supply.scope.line("busy_share"))))
    hours = "paid" if getattr(supply.given, "billed", "held") == "needed" else "their"
    if most == mean:
        return f"{mean} of {'the time' if hours == 'their' else 'the paid hours'}"
    return f"{mean} of {hours} hours, {most} in the busiest month"


def _work_rate(result: Result, supply: BoundSupply) -> tuple[str, str]:
    """What a card does in an hour or second, and how that is known."""
    names = ("output_rate", "point_output_rate", "tasks_per_hour", "hours_per_task", "speed_up")
    name = next((n for n in names if n in supply.scope.inputs), None)
    given = result.model.inputs[supply.scope.inputs[name]] if name else None
    quantity = given.quantity if given else None
    basis = quantity.basis if quantity and quantity.basis else "no basis stated"
    if name in ("output_rate", None, "point_output_rate"):
        found = supply.scope.find("output_rate")
        assert isinstance(found, str)
        inputs = result.model.inputs
        value = inputs[found].value if found in inputs else result.months(found)[-1]
        return f"{significant(value) if name != 'output_rate' else exact(value)} tokens/s a card", (
            basis if name else "solved from measured points"
        )
    assert given is not None
    lot = result.model.counted.lot
    words = {
        "tasks_per_hour": f"{exact(given.value)} {result.model.counted.work} an hour a card",
        "hours_per_task": f"one {lot} in {_duration(given.value)} of a card",
        "speed_up": f"{exact(given.value)} {result.model.counted.work} in an hour of a card",
    }
    return words[str(name)], basis


def _duration(hours: float) -> str:
    """Hours, or seconds where hours would be a small fraction."""
    return f"{exact(hours)} hours" if hours >= 0.1 else f"{significant(hours * 3600)} s"


def supply_text(supply: BoundSupply) -> str:
    """A supply in words: ``2x rtx-4090``, ``rented 2x rtx-4090`` or ``API gpt-4o``."""
    given = supply.given
    if isinstance(given, Api):
        return "the present APIs" if given.api == PRESENT else f"API {given.api}"
    if isinstance(given.count, str):
        count = f"as many {supply.card} as needed"
    else:
        count = f"{exact(given.count.value)}x {supply.card}"
    return count if isinstance(given, Own) else f"rented {count}"


def _model_condition(result: Result, option: BoundOption) -> Iterator[str]:
    base = result.option(result.baseline) if result.baseline else None
    wanted = list(models_of(result, base)) if base else []
    if base is None or base.name == option.name or not wanted:
        return
    own = other_models(result, option, base)
    unnamed = [
        supply
        for supply in option.supplies
        if not isinstance(supply.given, Api)
        and not (supply.given.model or replacement_of(result.scenario))
    ]
    if not own and not unnamed:
        return
    if own and unnamed:
        subject = f"its models {', '.join(own)} and that of its cards"
    else:
        subject = f"its model {', '.join(own)}".rstrip()
    known = "not given, not modelled" if unnamed else "not modelled"
    yield f"{subject} can replace {', '.join(wanted)} [{known}]"


def _remarks(result: Result, focus: str) -> Iterator[str]:
    """The cheapest chain with own hardware where it beats the focus, else nothing."""
    for option in feasible(result):
        if option.name == focus:
            return
        kinds = [supply.given.kind for supply in option.supplies]
        if "own" in kinds and len(kinds) > 1:
            cost = money(equivalent(result, option.name), result.currency)
            yield (
                f"Cheaper than {focus}: {option.name}, a chain with hardware of its own, "
                f"{cost} a month{_gap(result, option.name)}."
            )
            return


def _staff_unknown(result: Result) -> Iterator[str]:
    hours = {
        option.name: result.metrics[option.name]["average_staff_hours"] or 0.0
        for option in result.model.complete
    }
    staffed = [f"{name} {significant(value)}" for name, value in hours.items() if value]
    counted = f"Hours of work a month: {', '.join(staffed)}" if staffed else "Staff is 0: not given"
    yield f"{counted}; {work_price(result)}. With one option to choose from, nothing flips."


def tokens_text(found: Metric | None) -> str:
    """A break-even in tokens a month, or the word for why there is none."""
    if found is None:
        return "-"
    if found.value is None:
        return "at any number" if found.status == "always" else found.status
    lot = found.unit.partition("/")[0]
    text = megatokens(found.value) if lot == "Mtok" else f"{significant(found.value)}"
    return f"{text} (too many)" if found.status == "beyond capacity" else text


def given_text(quantity: Quantity, currency: str) -> str:
    """An amount of the scenario in the currency in which it is given."""
    return price(quantity.value, quantity.currency or currency)
