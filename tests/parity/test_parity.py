"""Every input of every scenario is changed in the delivered workbook and in the engine.

Both must give the same numbers.
``pytest tests/parity -s`` prints what was done for each scenario. formualizer recalculates each
input in turn; LibreOffice the file as delivered, all inputs changed at once with three seeds, and
twenty inputs drawn.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import formualizer
import numpy as np
import pytest

from tco.scenario.inputs import LIVE, Input
from tests.parity.delivered import Delivered, changed_value, numbers, rewrite
from tests.recalculation import PROFILE, libreoffice

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").rglob("*.yaml"))
NAMES = [scenario.stem for scenario in SCENARIOS]
SEEDS, DRAWN = (1, 2, 3), 20

# inputs that may move nothing, by the end of their name, and why; for one scenario or for all
UNMOVED = {
    ("*", "tolerance"): "1e-9 and 1.07e-9 of an amount separate the same amounts",
    ("article-c-ownership", "months_per_year"): "the discount rate is 0",
    ("article-c-ownership", "hourly_cost"): "no hours of work are given and nothing is compared",
}


@pytest.fixture(scope="module")
def delivered(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Delivered:
    scenario: Path = request.param
    return Delivered(scenario, tmp_path_factory.mktemp(scenario.stem))


def _load(path: Path) -> formualizer.Workbook:
    book = formualizer.load_workbook(str(path))
    book.evaluate_all()
    return book


def _cells(
    delivered: Delivered, book: formualizer.Workbook
) -> dict[str, dict[tuple[int, int], object]]:
    months = delivered.result.scenario.months + 1
    found: dict[str, dict[tuple[int, int], object]] = {}
    for place in delivered.places:
        columns = range(7, 7 + months) if place.months else [4]
        sheet = found.setdefault(place.sheet, {})
        for column in columns:
            sheet[place.row, column] = book.get_value(place.sheet, place.row, column)
    return found


def _moves(base: Mapping[str, np.ndarray], changed: Mapping[str, np.ndarray]) -> bool:
    return any(not np.array_equal(base[name], changed[name]) for name in base)


def _reason(scenario: str, given: Input) -> str | None:
    return UNMOVED.get(("*", given.name)) or UNMOVED.get((scenario, given.name))


@pytest.mark.parametrize("delivered", SCENARIOS, ids=NAMES, indirect=True)
def test_each_input_in_turn_with_formualizer(delivered: Delivered, tmp_path: Path) -> None:
    base = delivered.expected({})
    assert {place.line for place in delivered.places} == set(base), "every line has its row"
    path = rewrite(delivered.path, tmp_path / "stripped.xlsx", lambda sheet, text: text)
    book = _load(path)
    compared, worst, wrong = delivered.compare(_cells(delivered, book), base)
    changed, moved, unmoved = 0, 0, []
    for given in delivered.inputs:
        row, column = _position(delivered.input_cells[given.name])
        value = changed_value(given)
        assert value != given.value
        book.set_value("Inputs", row, column, value)
        book.evaluate_all()
        expected = delivered.expected({given.name: value})
        count, gap, different = delivered.compare(_cells(delivered, book), expected)
        compared, worst, wrong = compared + count, max(worst, gap), wrong + different
        changed += given.kind == LIVE
        if _moves(base, expected):
            moved += given.kind == LIVE
        else:
            unmoved.append(given)
        book.set_value("Inputs", row, column, given.value)
    live = [given for given in delivered.inputs if given.kind == LIVE]
    still = [given for given in unmoved if given.kind == LIVE]
    print(
        f"\n{delivered.path.stem}: {len(live)} live inputs, {changed} changed, {moved} moved, "
        f"{len(still)} unmoved, {compared:,} cells compared, worst difference {worst:.1e}"
    )
    for given in unmoved:
        print(f"  unmoved: {given.name}: {_reason(delivered.path.stem, given)}")
    assert not wrong, "\n".join(map(str, wrong[:5]))
    assert compared > 0
    assert changed == len(live) > 0
    assert all(_reason(delivered.path.stem, given) for given in unmoved)
    assert len(still) * 20 <= len(live)


@pytest.mark.parametrize("delivered", SCENARIOS, ids=NAMES, indirect=True)
def test_libreoffice(delivered: Delivered, tmp_path: Path) -> None:
    program = libreoffice()
    inputs = delivered.inputs
    sets: dict[str, dict[str, float]] = {"base": {}}
    for seed in SEEDS:
        chance = random.Random(seed)
        sets[f"all-{seed}"] = {given.name: changed_value(given) for given in inputs}
        for given in inputs:
            if not given.whole and given.maximum is None and given.value:
                sets[f"all-{seed}"][given.name] = float(
                    f"{given.value * chance.uniform(1.01, 1.2):.15g}"
                )
    for given in random.Random(0).sample(inputs, min(DRAWN, len(inputs))):
        sets[f"one-{given.name}"] = {given.name: changed_value(given)}
    for name, changes in sets.items():
        delivered.edited(changes, tmp_path / f"{name}.xlsx")
    _recalculate(program, tmp_path, list(sets))
    compared, worst, wrong = 0, 0.0, []
    for name, changes in sets.items():
        cells = numbers(tmp_path / "out" / f"{name}.xlsx")
        count, gap, different = delivered.compare(cells, delivered.expected(changes))
        compared, worst, wrong = compared + count, max(worst, gap), wrong + different
    print(
        f"\n{delivered.path.stem}: {len(sets)} LibreOffice runs, {compared:,} cells compared, "
        f"worst difference {worst:.1e}"
    )
    assert compared > 0
    assert not wrong, "\n".join(map(str, wrong[:5]))


def test_a_formula_broken_on_purpose_does_not_survive(tmp_path: Path) -> None:
    delivered = Delivered(next(s for s in SCENARIOS if s.stem == "midteam"), tmp_path)
    place = next(p for p in delivered.places if p.line == "o1/s1/electricity_cost")

    def spoil(sheet: str, text: str) -> str:
        if sheet != place.sheet:
            return text
        row = re.search(rf'<row r="{place.row}".*?</row>', text)
        assert row
        spoiled = row[0].replace("*", "+")
        assert spoiled != row[0]
        return text.replace(row[0], spoiled)

    path = rewrite(delivered.path, tmp_path / "broken.xlsx", spoil)
    _, _, wrong = delivered.compare(_cells(delivered, _load(path)), delivered.expected({}))
    lines = {difference.place.line for difference in wrong}
    assert {"o1/s1/electricity_cost", "o1/npv_of_cost", "o1/equivalent_monthly_cost"} <= lines


def test_a_broken_formula_is_seen_by_libreoffice_behind_its_right_cached_value(
    tmp_path: Path,
) -> None:
    program = libreoffice()
    delivered = Delivered(next(s for s in SCENARIOS if s.stem == "five-numbers"), tmp_path)
    place = next(p for p in delivered.places if p.line == "o2/s1/rent_cost")

    def spoil(sheet: str, text: str) -> str:
        row = re.search(rf'<row r="{place.row}".*?</row>', text)
        if sheet != place.sheet or not row:
            return text
        return text.replace(row[0], row[0].replace("*", "+"))

    rewrite(delivered.path, tmp_path / "broken.xlsx", spoil)
    _recalculate(program, tmp_path, ["broken"])
    cells = numbers(tmp_path / "out" / "broken.xlsx")
    _, _, wrong = delivered.compare(cells, delivered.expected({}))
    assert "o2/s1/rent_cost" in {difference.place.line for difference in wrong}


def _recalculate(program: str, folder: Path, names: list[str]) -> None:
    profile = folder / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(PROFILE, encoding="utf-8")
    command = [program, "--headless", "--norestore",
               f"-env:UserInstallation={(folder / 'profile').as_uri()}",
               "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", str(folder / "out"),
               *[str(folder / f"{name}.xlsx") for name in names]]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=550, check=False)
    missing = [name for name in names if not (folder / "out" / f"{name}.xlsx").exists()]
    assert not missing, done.stdout + done.stderr


def _position(cell: str) -> tuple[int, int]:
    match = re.fullmatch(r"([A-Z]+)(\d+)", cell)
    assert match
    column = 0
    for letter in match[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(match[2]), column
