"""LibreOffice recalculates the delivered workbook: as it is, and with inputs changed in it.

It is the second referee: formualizer takes every scenario, LibreOffice those of `RECALCULATED`,
which have between them every function of the model and every form of formula that the workbook of
any scenario has (`test_every_form_of_formula_is_recalculated_by_libreoffice`). All inputs are
changed at once, in one scenario with three seeds, in one with twenty inputs drawn, one at a time;
where a scenario has cases, the last is chosen and changed. As delivered are recalculated those of
`AS_DELIVERED`, which have between them every kind of sheet. The engine must give the same numbers
at the same changes, and words, totals and checks must say what was cached. To start LibreOffice
takes longer than to recalculate a workbook, so the workbooks of several scenarios are handed to it
at once.
``pytest tests/parity -s`` prints what was done.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.parity.delivered import (
    RECALCULATED,
    SCENARIOS,
    Delivered,
    changed_value,
    rewrite,
    values,
)
from tests.parity.words import disagreements
from tests.recalculation import PROFILE, libreoffice

SEEDS = {"lease-or-buy": (1, 2, 3)}
DRAWN = {"training-run": 20}
AS_DELIVERED = ("midteam", "everything", "lease-or-buy")
AT_ONCE = 7  # scenarios

Changes = tuple[int, dict[str, float]]  # the case that is chosen, and {input: value}


def _sets(delivered: Delivered) -> dict[str, Changes]:
    """What is changed in a scenario's workbook, by the name of the changed file."""
    inputs, name = delivered.inputs, delivered.path.stem
    last = max(len(delivered.cases) - 1, 0)
    sets: dict[str, Changes] = {f"{name}-base": (0, {})} if name in AS_DELIVERED else {}
    for seed in SEEDS.get(name, (1,)):
        chance = random.Random(seed)
        changes = {given.name: changed_value(given) for given in inputs}
        for given in inputs:
            if not given.whole and given.maximum is None and given.value:
                changes[given.name] = float(f"{given.value * chance.uniform(1.01, 1.2):.15g}")
        sets[f"{name}-all-{seed}"] = last, changes
    for given in random.Random(0).sample(inputs, DRAWN.get(name, 0)):
        sets[f"{name}-one-{given.name}"] = 0, {given.name: changed_value(given)}
    return sets


@pytest.fixture(scope="module")
def recalculated(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    deliver: Callable[[Path], Delivered],
) -> Callable[[Path], Path]:
    """The folder with the recalculated files of a scenario, several scenarios in one start."""
    program = libreoffice()
    wanted = {item.callspec.params.get("delivered")
              for item in request.session.items if hasattr(item, "callspec")}  # fmt: skip
    chosen = [scenario for scenario in SCENARIOS if scenario in wanted]

    @cache
    def batch(number: int) -> Path:
        folder = tmp_path_factory.mktemp("libreoffice")
        names = []
        for scenario in chosen[number * AT_ONCE : (number + 1) * AT_ONCE]:
            for name, (case, changes) in _sets(deliver(scenario)).items():
                deliver(scenario).edited(changes, folder / f"{name}.xlsx", case)
                names.append(name)
            vars(deliver(scenario)).pop("book", None)
        _recalculate(program, folder, names)
        return folder / "out"

    return lambda scenario: batch(chosen.index(scenario) // AT_ONCE)


@pytest.mark.parametrize("delivered", RECALCULATED, ids=lambda s: s.stem, indirect=True)
def test_libreoffice(delivered: Delivered, recalculated: Callable[[Path], Path]) -> None:
    folder = recalculated(delivered.scenario)
    sets = _sets(delivered)
    compared, worst, wrong = 0, 0.0, []
    for name, (case, changes) in sets.items():
        cells = values(folder / f"{name}.xlsx")
        count, gap, different = delivered.compare(cells, delivered.expected(changes, case))
        compared, worst, wrong = compared + count, max(worst, gap), wrong + different
        if not changes and not case:
            assert disagreements(delivered.book, lambda s, r, c, v=cells: v[s].get((r, c))) == []
    print(
        f"\n{delivered.path.stem}: {len(sets)} LibreOffice runs, {compared:,} cells compared, "
        f"worst difference {worst:.1e}"
    )
    assert compared > 0
    assert not wrong, "\n".join(map(str, wrong[:5]))


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
    cells = values(tmp_path / "out" / "broken.xlsx")
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
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, check=False)
    missing = [name for name in names if not (folder / "out" / f"{name}.xlsx").exists()]
    assert not missing, done.stdout + done.stderr
