"""Every function of the model stands in a workbook that is recalculated."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import tco.model
from tco.engine.options import build
from tco.results import run_scenario
from tco.scenario.loading import load
from tests.parity.delivered import SCENARIOS

# functions that no scenario binds, and why
ELSEWHERE = {
    "fit.decode_bound": "a measured throughput is held against it when a scenario is read",
    "fit.active_weights_gb": "a measured throughput is held against it when a scenario is read",
}


def test_every_model_function_is_recalculated_in_some_scenario() -> None:
    bound = set()
    for path in SCENARIOS:
        scenario = load(path)
        model = run_scenario(scenario).model
        assert build(scenario).graph.lines.keys() <= model.graph.lines.keys()
        bound |= {line.function for line in model.graph.lines.values()}
    unbound = set()
    for module in pkgutil.iter_modules(tco.model.__path__):
        loaded = importlib.import_module(f"tco.model.{module.name}")
        for name, function in vars(loaded).items():
            own = inspect.isfunction(function) and function.__module__ == loaded.__name__
            if own and function not in bound:
                unbound.add(f"{module.name}.{name}")
    assert sorted(unbound) == sorted(ELSEWHERE)
