"""LibreOffice recalculates the delivered workbook: as it is, and with inputs changed in it.

As delivered and with all inputs changed at once, with three seeds, where the workbook is large or
has every feature, and with twenty inputs of one scenario drawn, one at a time; elsewhere all inputs
at once with one seed, which sees all that the delivered numbers would show. formualizer
recalculates each scenario as delivered and changes each of its inputs. The engine must give the
same numbers at the same changes. ``pytest tests/parity -s`` prints what was done.
"""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from tests.parity.delivered import (
    NAMES,
    SCENARIOS,
    Delivered,
    changed_value,
    numbers,
    rewrite,
)
from tests.recalculation import PROFILE, libreoffice

SEEDS = (1, 2, 3)
EVERY_SEED = ("midteam", "everything", "lease-or-buy")
DRAWN = {"lease-or-buy": 20}


@pytest.mark.parametrize("delivered", SCENARIOS, ids=NAMES, indirect=True)
def test_libreoffice(delivered: Delivered, tmp_path: Path) -> None:
    program = libreoffice()
    inputs = delivered.inputs
    every = delivered.path.stem in EVERY_SEED
    sets: dict[str, dict[str, float]] = {"base": {}} if every else {}
    for seed in SEEDS if every else SEEDS[:1]:
        chance = random.Random(seed)
        sets[f"all-{seed}"] = {given.name: changed_value(given) for given in inputs}
        for given in inputs:
            if not given.whole and given.maximum is None and given.value:
                sets[f"all-{seed}"][given.name] = float(
                    f"{given.value * chance.uniform(1.01, 1.2):.15g}"
                )
    for given in random.Random(0).sample(inputs, DRAWN.get(delivered.path.stem, 0)):
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
