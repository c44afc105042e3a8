"""What `tco simulate` prints: how often each option is the cheapest, and what it may cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tco.analysis.answer import conventions, counting, horizon
from tco.analysis.figures import money
from tco.analysis.ranges import Ranged, correlations
from tco.analysis.uncertainty import OptionOutcome, Simulation, points, sentence
from tco.errors import printable
from tco.report.columns import LINE, fill, table, width, wrap
from tco.results import Result

INDENT = "  "
NOTHING = (
    "Nothing is varied: no number that the model reads has a low or a high. Give them to what is "
    "uncertain, the 1-in-10 low and the 1-in-10 high:  price: {value: 1599, low: 1400, high: 2800}"
)
SPREAD = (
    "Low and high are P10 and P90. Amounts are spread evenly on a logarithmic scale, shares on "
    "that of their odds, rates a year on that of 1 + rate, below and above the value each at its "
    "own width. Numbers that are not named here stay at their values."
)


def render(result: Result, found: Simulation | None) -> str:
    """The screen of `tco simulate`, in 100 columns."""
    lines = wrap(result.scenario.name)
    lines += wrap(f"{counting(result)}; {horizon(result)}")
    lines += wrap(conventions(result))
    if found is None:
        texts = [NOTHING]
    else:
        lines += wrap(
            f"{found.draws:,} draws of {_counted(len(found.varied), 'input')}, seed {found.seed}, "
            "the same for every option"
        )
        lines += ["", *_options(result, found), ""]
        texts = list(_remarks(result, found))
    for text in texts:
        lines += wrap(text, rest=INDENT)
    if found is not None:
        lines += ["", *varied_table(result, found.varied), "", *wrap(SPREAD, rest=INDENT)]
        for text in _joined(result, found):
            lines += wrap(text, rest=INDENT)
    return "\n".join(printable(line).rstrip() for line in lines)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _options(result: Result, found: Simulation) -> list[str]:
    currency = result.currency
    always = all(option.serves == 1 for option in found.options)
    heads = ["cheapest in", "95 % interval", "regret"] if found.ranked else ["mean"]
    heads += ["NPV P10", "P50", "P90", *([] if always else ["serves in"])]
    rows = []
    for option in found.options:
        cells = list(_chance(result, option)) if found.ranked else [money(option.mean, currency)]
        cells += [money(x, currency) for x in (option.p10, option.p50, option.p90)]
        cells += [] if always else [f"{points(option.serves)} %"]
        rows.append((option.name, cells))
    return named_rows("option", heads, rows)


def named_rows(
    title: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]
) -> list[str]:
    """A table with a name before each row; a name that is too long has a line of its own."""
    numbers = table([heads, *(cells for _, cells in rows)], left=0)
    places = max(width(line) for line in numbers)
    room = min(max(width(title), *(width(name) for name, _ in rows)), LINE - places - 2)
    lines = []
    for name, line in zip([title, *(name for name, _ in rows)], numbers, strict=True):
        shown = name
        if width(name) > room:
            lines += wrap(name, rest=INDENT)
            shown = ""
        lines.append(f"{fill(shown, room)}  {fill(line, places, right=True)}")
    return lines


def _chance(result: Result, option: OptionOutcome) -> Iterator[str]:
    assert option.chance is not None
    assert option.chance_low is not None
    assert option.chance_high is not None
    yield f"{points(option.chance)} %"
    yield f"{points(option.chance_low)} to {points(option.chance_high)}"
    regret = option.expected_regret
    yield "-" if regret is None else money(regret, result.currency)


def _remarks(result: Result, found: Simulation) -> Iterator[str]:
    said = sentence(result, found)
    if said is None:
        yield "There is no demand, so nothing is ranked: add one to ask what is the cheapest."
        return
    yield said
    if found.none_serves:
        yield (
            f"In {points(found.none_serves)} % of the draws no option serves the whole demand; "
            "with the chances of the options that adds up to 100 %."
        )
    yield (
        "Regret is the present value that an option costs above the cheapest one of the draw, on "
        "average over the draws in which it serves the demand."
    )
    if found.perfect_information is not None:
        worth = money(found.perfect_information, result.currency)
        yield (
            f"To know the draw before deciding would be worth {worth} at most: the least regret, "
            f"that of {found.least_regret}, of the options that serve whenever any does."
        )


def varied_table(result: Result, numbers: Sequence[Ranged]) -> list[str]:
    """Every number that is varied with its P10, value and P90."""
    rows = []
    for number in numbers:
        ends = [
            "-" if end is None else number.text(result, end)
            for end in (number.low, number.value, number.high)
        ]
        rows.append((number.label, ends))
    return named_rows("varied", ["low (P10)", "value", "high (P90)"], rows)


def _joined(result: Result, found: Simulation) -> Iterator[str]:
    labels = {number.path: number.label for number in found.varied}
    for (one, other), correlation in correlations(result).items():
        yield f"Correlated: {labels[one]} with {labels[other]}, {correlation:g}."
    if found.set_aside:
        yield (
            f"Not varied though a range is given: {', '.join(found.set_aside)} (what shapes the "
            "model before it is run, or belongs to an option that is not costed)."
        )
