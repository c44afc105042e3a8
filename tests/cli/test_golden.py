"""What each command prints, whole, for every scenario and every kind of message.

After a wanted change, write the files anew, and read the difference before it is kept:

    UPDATE_GOLDEN=1 pytest tests/cli/test_golden.py -n 0 && git diff tests/cli/golden
"""

import os
import shlex
from pathlib import Path

import pytest

from tco.report.columns import width
from tests.cli.conftest import SCENARIOS, Tco

GOLDEN = Path(__file__).parent / "golden"
MIDTEAM = "scenarios/midteam.yaml"
MEASURED = "files/measured.yaml"
EXPLAIN = f"explain {MIDTEAM}"
CASES = {
    "help": "--help",
    "run-help": "run --help",
    "check-help": "check --help",
    "new-help": "new --help",
    "schema-help": "schema --help",
    "defaults-help": "defaults --help",
    "explain-help": "explain --help",
    "fit-help": "fit --help",
    "mix-help": "mix --help",
    "fit": "fit llama-3-70b",
    "fit-int4": "fit llama-3-70b --precision int4 --context 4096 --sequences 8 --card rtx-4090",
    "fit-unknown": "fit llama-4-70b",
    "fit-workload": "fit --workload lora",
    "fit-workloads": "fit --workload",
    "breakeven-help": "breakeven --help",
    "breakeven": f"breakeven {MIDTEAM} --over tokens",
    "breakeven-month": f"breakeven {MIDTEAM} --over month",
    "breakeven-range": f"breakeven {MIDTEAM} --over tokens --range 40M:60M",
    "breakeven-itself": f"breakeven {MIDTEAM} --over tokens --of api-gpt-4o --against api-gpt-4o",
    "breakeven-unmoved": f"breakeven {MIDTEAM} --over hardware.rtx-4090.price"
    " --of api-deepseek-v3.2",
    "breakeven-unknown": f"breakeven {MIDTEAM} --over token",
    "breakeven-backwards": f"breakeven {MIDTEAM} --over tokens --range 60M:40M",
    "breakeven-not-costed": f"breakeven {MIDTEAM} --over tokens --of rent-a100",
    "breakeven-jumps": "breakeven scenarios/enterprise.yaml --over tokens",
    "sensitivity-help": "sensitivity --help",
    "sensitivity": f"sensitivity {MIDTEAM}",
    "simulate-help": "simulate --help",
    "simulate": f"simulate {MIDTEAM} --draws 1000",
    "simulate-none": "simulate scenarios/five-numbers.yaml",
    "simulate-no-draws": f"simulate {MIDTEAM} --draws 0",
    "attribute-help": "attribute --help",
    "attribute": f"attribute {MIDTEAM}",
    "attribute-switched": "attribute scenarios/article-c-claims.yaml --of reseller-gemini"
    " --against openai-gpt-4o",
    "plot-help": "plot --help",
    "plot": f"plot {MIDTEAM} monthly --formats svg",
    "plot-unknown": f"plot {MIDTEAM} mapp",
    "plot-one-input": f"plot {MIDTEAM} map --x tokens",
    "plot-same-input": f"plot {MIDTEAM} map --x tokens --y tokens",
    "ask-help": "ask --help",
    "ask": 'ask --tokens 30M --own "2x RTX 4090@1599" --rent 0.49 --api 15',
    "ask-nonsense": 'ask --tokens 30M --own "two cards" --api 15',
    "mix-hybrid-peak": "mix scenarios/hybrid-peak.yaml",
    "mix-midteam": f"mix {MIDTEAM}",
    "mix-nothing": "mix scenarios/five-numbers.yaml",
    "explain-level": "explain scenarios/hybrid-peak.yaml level_nodes --option rent",
    "explain-solved": "explain scenarios/enterprise.yaml output_rate --option own-h100 --depth 2",
    "prices-help": "prices --help",
    "prices": "prices",
    "prices-at": "prices --at 2026-05-01",
    "prices-history": "prices rtx-5090 --history",
    "prices-every-history": "prices --history",
    "prices-gpu": "prices h100-sxm",
    "prices-gpu-at": "prices h100-sxm --at 2026-08-31",
    "prices-launch": "prices 'NVIDIA GeForce RTX 4090'",
    "prices-unpriced": "prices h200-sxm",
    "prices-which-gpu": "prices H100",
    "prices-gpu-too-early": "prices rtx-5090 --at 2024-12-31",
    "prices-model": "prices gpt-4o",
    "prices-model-at": "prices openai/gpt-4o-mini --at 2026-11-30",
    "prices-long-context": "prices claude-sonnet-4-5 --history",
    "prices-currency": "prices cny",
    "prices-electricity": "prices us-industrial",
    "prices-server": "prices hgx-h100",
    "prices-unknown": "prices rtx-4009",
    "prices-unknown-model": "prices openai/gpt-4oo",
    "prices-no-day": "prices h100-sxm --at 2026-11",
    "read-help": "read --help",
    "read-folder": "read scenarios/from-logs --gpu rtx-4090 --gpus 2 --tp 1",
    "read-gpu-use": "read scenarios/from-logs/gpu-use.csv",
    "read-throughput": "read scenarios/from-logs/vllm-benchmark.json",
    "read-use-and-costs": "read scenarios/from-logs/openai-usage.csv"
    " scenarios/from-logs/openai-costs.csv",
    "read-offers": "read scenarios/from-logs/vastai-offers.json",
    "read-into": f"read scenarios/from-logs/gpu-use.csv --into {MIDTEAM}",
    "read-into-another-card": f"read scenarios/from-logs/gpu-use.csv --into {MIDTEAM}"
    ":options.own-h100",
    "read-into-no-place": f"read scenarios/from-logs/gpu-use.csv --into {MIDTEAM}:hardwar.rtx-4090",
    "read-of-another-card": "read scenarios/from-logs/gpu-use.csv --gpu h100-sxm",
    "read-a-scenario": f"read {MIDTEAM}",
    "read-nothing-there": "read nowhere.csv",
    "read-no-name": 'read ""',
    "unknown-command": "rum",
    "defaults": "defaults",
    "new": "new mine.yaml",
    "new-midteam": "new mine.yaml --from midteam",
    "new-unknown-starter": "new mine.yaml --from medium",
    "new-over-a-file": f"new {MIDTEAM}",
    "new-without-folder": "new nowhere/mine.yaml",
    **{f"run-{name}": f"run {path} --formats md" for name, path in SCENARIOS.items()},
    **{f"check-{name}": f"check {path}" for name, path in SCENARIOS.items()},
    "run-every-file": "run scenarios/five-numbers.yaml",
    "run-only": f"run {MIDTEAM} --only own-2x4090 --formats md",
    "run-only-unknown": f"run {MIDTEAM} --only own-2x409 --formats md",
    "run-set": f"run {MIDTEAM} --set demand.output_tokens=20M --set site.pue=1.4 --formats md",
    "run-set-unknown": f"run {MIDTEAM} --set demand.output_token=20M",
    "run-set-wrong": f"run {MIDTEAM} --set options.own-2x4090.count=-2",
    "run-infeasible": f"run {MIDTEAM} --only own-2x4090 --set demand.output_tokens=9e9"
    " --formats md",
    "run-quiet": f"run {MIDTEAM} --formats md --quiet",
    "run-unknown-format": f"run {MIDTEAM} --formats pdf",
    "run-no-file": "run scenarios/midtem.yaml",
    "run-folder-is-a-file": f"run {MIDTEAM} -o {MIDTEAM} --formats md",
    "run-without-file": "run",
    "explain": EXPLAIN,
    "explain-option": f"{EXPLAIN} --option own-then-api --supply 2",
    "explain-choices": f"{EXPLAIN} electricity_cost",
    "explain-line": f"{EXPLAIN} electricity_cost --option own-2x4090",
    "explain-deeper": f"{EXPLAIN} electricity_cost --option own-2x4090 --month 3 --depth 3",
    "explain-foreign-price": f"{EXPLAIN} output_price --option api-reseller-yuan",
    "explain-option-line": f"{EXPLAIN} npv_of_cost --option own-2x4090",
    "explain-pair": f"{EXPLAIN} break_even_volume --option own-2x4090 --against api-gpt-4o",
    "explain-time": f"{EXPLAIN} discount_factor --month 12",
    "explain-input": f"{EXPLAIN} output_rate",
    "explain-set": f"{EXPLAIN} pue --set site.pue=1.4",
    "explain-unknown-line": f"{EXPLAIN} elctricity_cost",
    "explain-unknown-option": f"{EXPLAIN} electricity_cost --option own-2x409",
    "explain-not-costed": f"{EXPLAIN} rent_cost --option rent-a100",
    "explain-no-such-supply": f"{EXPLAIN} staff_cost --option own-2x4090 --supply 2",
    "explain-not-of-it": f"{EXPLAIN} rent_cost --option own-2x4090",
    "explain-no-such-month": f"{EXPLAIN} discount_factor --month 37",
    "explain-calendar": "explain scenarios/article-c-ownership.yaml hours --month 2",
    "check-measured": f"check {MEASURED}",
    "run-measured": f"run {MEASURED} --formats md",
    "explain-measured": f"explain {MEASURED} electricity_cost --option own --depth 2",
    "explain-measured-load": f"explain {MEASURED} load_level",
    "explain-chinese": "explain scenarios/chinese.yaml electricity_cost --option 双卡4090",
}


@pytest.mark.parametrize("name", CASES)
def test_prints_what_it_printed(tco: Tco, name: str) -> None:
    command = CASES[name]
    result = tco(*shlex.split(command))
    found = f"$ tco {command}".rstrip() + f"\n{result.stdout}"
    found += f"--- stderr\n{result.stderr}" if result.stderr else ""
    found += f"--- exit code {result.exit_code}\n"
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(found, encoding="utf-8", newline="\n")
    assert path.is_file(), f"{path.name} is missing: UPDATE_GOLDEN=1 pytest {__file__} -n 0"
    assert found == path.read_text(encoding="utf-8")


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_lines_fit_into_100_columns(name: str) -> None:
    if name.startswith(("run", "check", "defaults", "prices")) or name == "explain-deeper":
        for line in (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            assert line.startswith("$") or width(line) <= 100, line
