"""Short lists: what a check of a scenario found, and what is used when something is not given."""

from __future__ import annotations

from tco.analysis import answer, cautions
from tco.analysis.figures import exact
from tco.analysis.staleness import oldest_prices
from tco.errors import printable
from tco.report.changed import files_now
from tco.report.columns import fill, width, wrap
from tco.results import Result
from tco.scenario.defaults import ESTIMATES, NEUTRAL, WHEN_ESTIMATED
from tco.scenario.defaults import STAFF_YARDSTICKS as YARDSTICKS


def checked(result: Result) -> str:
    """What `tco check` says of a scenario that can be run."""
    model = result.model
    lines = wrap(
        f"{result.scenario.path}: valid; {len(model.complete)} of {len(model.options)} options "
        "can be costed"
    )
    texts = [answer.counting(result)]
    for option in result.ranked:
        reason = answer.reason(result, option)
        texts += [f"{option.name}: {reason}"] if reason else []
    texts += oldest_prices(result)
    texts += [f"warning: {warning}" for warning in cautions.warnings(result)]
    texts += files_now(result.scenario)
    for text in texts:
        lines += wrap(text, first="  ", rest="    ")
    return "\n".join(printable(line) for line in lines)


def defaults() -> str:
    """The neutral defaults, then the estimates that no run of this version uses."""
    rows = []
    for default in NEUTRAL:
        value = default.value if isinstance(default.value, str) else exact(default.value)
        if default.field == "hourly_cost":
            value = ", ".join(f"{exact(x)} {code}" for code, x in YARDSTICKS.items())
        unit = default.unit.replace("{currency}", "money")
        rows.append((default.field, value, unit, default.why))
    lines = ["Used when a scenario does not give them (each is listed by tco run):", ""]
    lines += _rows([("field", "value", "unit", "why"), *rows])
    lines += ["", f"Estimates of costs that are often left out: {WHEN_ESTIMATED}.", ""]
    lines += _rows(
        [
            ("cost", "value", "low", "high"),
            *((e.item, e.value, e.low, e.high) for e in ESTIMATES),
        ]
    )
    lines += ["", "low and high: 1 in 10 is lower, 1 in 10 is higher"]
    return "\n".join(lines)


def _rows(rows: list[tuple[str, str, str, str]]) -> list[str]:
    """Rows in columns, with a last column that wraps."""
    places = [min(max(width(row[n]) for row in rows), 34) for n in range(3)]
    start = sum(places) + 8
    lines = []
    for row in rows:
        cells = [wrap(row[n], places=places[n]) for n in range(3)]
        cells.append(wrap(row[3], places=100 - start))
        for n in range(max(len(cell) for cell in cells)):
            texts = [
                fill(cell[n] if n < len(cell) else "", places[i] if i < 3 else 0)
                for i, cell in enumerate(cells)
            ]
            lines.append(("  " + "  ".join(texts)).rstrip())
    return lines
