"""``result.json``: what programs read of a result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from tco import __version__
from tco.analysis import answer as wording
from tco.analysis import summary as screen
from tco.analysis.files import Origin, origin, origin_of
from tco.analysis.findings import Findings
from tco.analysis.marks import marks
from tco.analysis.staleness import ages
from tco.analysis.statement import Statement, by_fiscal_year
from tco.engine.internal_rate import InternalRate
from tco.engine.structure import BoundOption, Supply
from tco.results import Metric, Result
from tco.scenario.fields import Known
from tco.scenario.inputs import LIVE, SOLVED
from tco.scenario.schema import Api, Own

SCHEMA = "tco-result/1"


def result_json(result: Result, findings: Findings | None = None) -> bytes:
    """The result as JSON in UTF-8: numbers, or null with a status that says why there is none."""
    text = json.dumps(record(result, findings), ensure_ascii=False, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def record(result: Result, findings: Findings | None = None) -> dict[str, Any]:
    """The content of ``result.json``. It names no folder, machine or time."""
    scenario, inputs = result.scenario, result.model.inputs
    hours = inputs.get("hours_per_month")
    notes = screen.summarise(result, findings)
    return {
        "schema": SCHEMA,
        "tool": {"name": "gpu-tco", "version": __version__},
        "scenario": {
            "name": scenario.name,
            "question": scenario.question,
            "file": PurePath(scenario.path).name.encode("utf-8", "replace").decode(),
            "digest": scenario.digest,
            "settings": list(scenario.settings),
        },
        "conventions": {
            "currency": result.currency,
            "months": scenario.months,
            "start": scenario.start,
            "as_of": scenario.as_of,
            "hours_per_month": hours.value if hours else "calendar",
            "discount_rate": inputs["discount_rate"].value,
            "counting": wording.counting(result),
            "cash_timing": scenario.cash_timing,
            "fiscal_year_end": scenario.fiscal_year_end,
            "tax": wording.tax_words(result),
        },
        "baseline": result.baseline,
        "focus": result.focus,
        "options": [_option(result, option) for option in result.ranked],
        "comparisons": [
            {
                "this": c.this,
                "other": c.other,
                "metrics": _metrics(c.metrics),
                "irr": _rates(result.internal_rates[c.pair.number]),
            }
            for c in result.comparisons
        ],
        **(_found(findings) if findings else {}),
        "inputs": _inputs(result),
        "notes": [
            *notes.answer.verdict,
            *([notes.answer.focus] if notes.answer.focus else []),
            *notes.answer.conditions,
            *notes.answer.remarks,
            *notes.finance.texts,
            *(f"warning: {warning}" for warning in notes.warnings),
            *notes.left_out,
        ],
    }


def _found(findings: Findings) -> dict[str, Any]:
    """What follows from the result: break-evens, tornado, draws, attribution and cases."""
    drawn, moved, parts = findings.simulation, findings.tornado, findings.attribution
    return {
        "break_evens": [
            {
                "over": found.over,
                "this": found.this,
                "other": found.other,
                "status": found.status,
                "value_used": found.axis.base,
                "from": found.low,
                "to": found.high,
                "unit": found.axis.unit,
                "crossings": [
                    {"value": c.value, "below": c.below, "above": c.above, "jump": c.jump}
                    for c in found.crossings
                ],
            }
            for found in findings.flips
        ],
        "sensitivity": moved
        and {
            "this": moved.this,
            "other": moved.other,
            "gap_per_month": moved.base,
            "bars": [
                {"inputs": list(bar.inputs), "at_low": bar.at_low, "at_high": bar.at_high}
                for bar in moved.bars
            ],
        },
        "simulation": drawn
        and {
            "draws": drawn.draws,
            "seed": drawn.seed,
            "none_serves": drawn.none_serves,
            "options": [
                {
                    "name": option.name,
                    "chance": option.chance,
                    "chance_interval": [option.chance_low, option.chance_high],
                    "expected_regret": option.expected_regret,
                    "npv_of_cost": {"p10": option.p10, "p50": option.p50, "p90": option.p90},
                }
                for option in drawn.options
            ],
        },
        "attribution": parts
        and {
            "this": parts.this,
            "other": parts.other,
            "gap_per_month": parts.gap,
            "parts": {part.label: part.difference for part in parts.parts},
        },
        "cases": [
            {
                "name": case.name,
                "inputs": dict(case.values),
                "cheapest": case.cheapest,
                "equivalent_monthly_cost": dict(case.monthly),
            }
            for case in (findings.cases.cases if findings.cases else ())
        ],
    }


def _inputs(result: Result) -> list[dict[str, Any]]:
    """Every number of the scenario with what is known of it, and the load within a month."""
    days = {given.name: old for given, old in ages(result)}
    found = [
        {
            "name": given.name,
            "label": given.label,
            "value": given.value,
            "unit": given.unit_text,
            "low": given.quantity.low if given.quantity else None,
            "high": given.quantity.high if given.quantity else None,
            "path": given.path,
            "age_days": days.get(given.name),
            **_known(given.quantity, given.basis, origin(result, given)),
        }
        for given in result.model.numbers
        if given.kind in (LIVE, SOLVED)
    ]
    load = result.scenario.demand.load if result.scenario.demand else None
    if load is not None and load.path:
        known = _known(load, load.basis or "not stated", origin_of(load))
        values = load.shape if isinstance(load.shape, str) else list(load.shape)
        shares = {"shares": list(load.shares)} if load.shares else {}
        found.append({"name": "load", "value": values, **shares, "path": load.path, **known})
    return found


def _known(given: Known | None, basis: str, read: Origin | None) -> dict[str, Any]:
    """Who says so, of what day it is, and which files it was read from."""
    return {
        "line": given.line if given else None,
        "basis": basis,
        "source": given.source if given else None,
        "as_of": given.as_of if given else None,
        "files": {file.path: file.sha256 for file in read.files} if read else {},
        "note": given.note if given else None,
    }


def _option(result: Result, option: BoundOption) -> dict[str, Any]:
    supplies = result.scenario.options[option.name].supplies
    return {
        "name": option.name,
        "status": result.status[option.name],
        "reason": wording.reason(result, option),
        "marks": marks(result, option.name) if not option.missing else "",
        "chain": [_supply(supply) for supply in supplies],
        "metrics": _metrics(result.metrics_with_units[option.name]),
        "by_fiscal_year": _statement(by_fiscal_year(result, option.name)),
    }


def _statement(statement: Statement) -> dict[str, dict[str, float]]:
    """The amounts of each fiscal year, by the name of the line."""
    return {
        period: {row.line: row.amounts[place] for row in statement.rows}
        for place, period in enumerate(statement.periods)
    }


def _rates(found: InternalRate) -> dict[str, Any]:
    """The rates of return: those of a month, and effective ones of a year."""
    return {
        "status": found.status,
        "reason": found.reason,
        "monthly": list(found.roots),
        "annual": list(found.annual),
    }


def _supply(supply: Supply) -> dict[str, Any]:
    if isinstance(supply, Api):
        return {"kind": "api", "api": supply.api, "provider": supply.provider}
    card = supply.own if isinstance(supply, Own) else supply.rent
    return {
        "kind": supply.kind,
        "card": card,
        "count": supply.count if isinstance(supply.count, str) else supply.count.value,
    }


def _metrics(metrics: Mapping[str, Metric]) -> dict[str, Any]:
    return {
        name: {"value": metric.value, "unit": metric.unit, "status": metric.status}
        for name, metric in metrics.items()
    }
