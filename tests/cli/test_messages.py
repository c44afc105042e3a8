"""Bad input ends in a message and exit code 1, wrong usage in 2; nobody sees a traceback."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Tco

GOOD = """\
name: good
demand: {output_tokens: 50 M}
options:
  own: {own: rtx-4090, count: 2, price: 1599}
  api: {api: gpt-4o, output_price: 15}
"""
NESTED = "[" * 3000 + "]" * 3000
ALIASES = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
BAD: dict[str, bytes] = {
    "unknown key": GOOD.replace("count", "cuont").encode(),
    "wrong type": GOOD.replace("1599", "[1]").encode(),
    "percent as a number": GOOD.replace("1599", "1599, utilisation: 70").encode(),
    "negative price": GOOD.replace("1599", "-1").encode(),
    "missing exchange rate": GOOD.replace("15}", "8 CNY}").encode(),
    "unknown card": GOOD.replace("rtx-4090", "rtx-4099").encode(),
    "duplicate option": (GOOD + "  api: {api: gpt-4o, output_price: 15}\n").encode(),
    "no options": b"name: a\noptions: {}\n",
    "YAML syntax": GOOD.replace("}", "").encode(),
    "full-width punctuation": GOOD.replace("count: 2,", "count： 2，").encode(),
    "not UTF-8": GOOD.replace("good", "gut für").encode("latin-1"),
    "exploding aliases": ALIASES.encode(),
    "deep nesting": f"name: {NESTED}\n".encode(),
    "too large": GOOD.encode() + b"# " + b"x" * 2_100_000,
    "NaN": GOOD.replace("1599", ".nan").encode(),
    "tag that runs code": GOOD.replace("1599", "!!python/object/apply:os.system [id]").encode(),
    "control character": GOOD.replace("good", '"a\\x1b[31m"').encode(),
    "long name": GOOD.replace("good", "n" * 300).encode(),
    "empty": b"",
    "binary": bytes(range(256)),
    "a list": b"- 1\n",
    "overflow": GOOD.replace("1599", "1e308").encode(),
    "only incomplete options": b"name: a\noptions: {a: {rent: rtx-4090, count: 1}}\n",
}
COMMANDS = (("run",), ("check",), ("explain",))


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_a_message(tco: Tco, folder: Path, command: tuple[str], kind: str) -> None:
    (folder / "bad.yaml").write_bytes(BAD[kind])
    result = tco(*command, "bad.yaml")
    assert result.exit_code == 1
    assert result.stdout == ""
    for part in ("bad.yaml", "found:", "expected:", "next:"):
        assert part in result.stderr
    assert "Traceback" not in result.stderr
    assert not (folder / "reports").exists()


def test_good_input_is_none_of_them(tco: Tco, folder: Path) -> None:
    (folder / "good.yaml").write_text(GOOD, encoding="utf-8")
    assert tco("run", "good.yaml", "--formats", "json").exit_code == 0


@pytest.mark.parametrize("file", ["missing.yaml", ".", "good.yaml/x"])
def test_a_file_that_cannot_be_read_is_a_message(tco: Tco, folder: Path, file: str) -> None:
    (folder / "good.yaml").write_text(GOOD, encoding="utf-8")
    result = tco("run", file)
    assert result.exit_code == 1
    assert "next:" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["run"],
        ["run", "scenarios/midteam.yaml", "--formats", ""],
        ["run", "scenarios/midteam.yaml", "--month", "1"],
        ["explain", "scenarios/midteam.yaml", "hours", "--month", "x"],
        ["explain", "scenarios/midteam.yaml", "hours", "--depth", "0"],
        ["new"],
        ["new", "a.yaml", "--from", "nothing"],
        ["defalts"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2(tco: Tco, arguments: list[str]) -> None:
    assert tco(*arguments).exit_code == 2


def test_quiet_prints_nothing(tco: Tco, folder: Path) -> None:
    result = tco("run", "scenarios/midteam.yaml", "--quiet", "--formats", "json")
    assert (result.exit_code, result.output) == (0, "")
    assert (folder / "reports/midteam/result.json").is_file()


def test_the_starters_run(tco: Tco) -> None:
    for start in ("five-numbers", "midteam"):
        assert tco("new", f"{start}.yaml", "--from", start).exit_code == 0
        assert tco("run", f"{start}.yaml", "--formats", "json").exit_code == 0


def test_new_does_not_overwrite(tco: Tco, folder: Path) -> None:
    assert tco("new", "a.yaml").exit_code == 0
    (folder / "a.yaml").write_text("mine", encoding="utf-8")
    assert tco("new", "a.yaml").exit_code == 1
    assert (folder / "a.yaml").read_text(encoding="utf-8") == "mine"


def test_schema_is_the_committed_one(tco: Tco) -> None:
    committed = ROOT / "tco/scenario/scenario.schema.json"
    assert tco("schema").stdout == committed.read_text(encoding="utf-8")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "tco", *arguments]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def test_a_pipe_that_closes_is_quiet(folder: Path) -> None:
    process = subprocess.Popen(
        command("explain", "scenarios/midteam.yaml"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() in (0, 1)


def test_a_terminal_of_few_characters_shows_escapes(folder: Path) -> None:
    done = subprocess.run(
        command("run", "scenarios/chinese.yaml", "--formats", "json"),
        env=environment(PYTHONIOENCODING="cp1252"),
        capture_output=True,
        check=True,
    )
    assert b"\\u5ba2" in done.stdout


def test_no_colour_when_piped_or_refused(tco: Tco) -> None:
    assert "\x1b" not in tco("run", "scenarios/midteam.yaml", "--formats", "json").output


def test_help_is_quick_because_it_imports_little(folder: Path) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", "import sys, tco.cli; print(*sys.modules)"],
        env=environment(),
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split()
    assert not {"numpy", "pandas", "pydantic", "matplotlib", "xlsxwriter"} & set(loaded)


def test_a_run_needs_no_pandas(folder: Path) -> None:
    program = (
        "import sys; from tco.cli import main\n"
        "main(['run', 'scenarios/midteam.yaml', '--quiet'], standalone_mode=False)\n"
        "assert 'numpy' in sys.modules and 'xlsxwriter' in sys.modules\n"
        "assert 'pandas' not in sys.modules, 'a half second more'\n"
        "assert 'matplotlib' not in sys.modules, 'the painter has a process of its own'"
    )
    subprocess.run([sys.executable, "-c", program], env=environment(), check=True)


def wait_for(found: Path, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not found.exists():
        assert time.monotonic() < end, f"{found} did not appear"
        time.sleep(0.01)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL, which Windows lacks")
def test_a_killed_run_leaves_the_earlier_report_whole(tco: Tco, folder: Path) -> None:
    assert tco("run", "scenarios/midteam.yaml", "--formats", "csv,json,md").exit_code == 0
    report = folder / "reports/midteam"
    before = {path.name: path.read_bytes() for path in report.iterdir()}
    # the run stops in the middle of writing, says so, and waits to be killed
    program = (
        "import time; from pathlib import Path; import tco.report.folder as folder\n"
        "def stop(*_): Path('writing').touch(); time.sleep(600)\n"
        "folder.summary_markdown = stop\n"
        "from tco.cli import main\n"
        "main(['run', 'scenarios/midteam.yaml', '--set', 'demand.output_tokens=1M',"
        " '--formats', 'csv,json,md'])"
    )
    process = subprocess.Popen([sys.executable, "-c", program], env=environment())
    wait_for(folder / "writing")
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    assert {path.name: path.read_bytes() for path in report.iterdir()} == before
    # and the next run works, whatever the killed one left
    assert tco("run", "scenarios/midteam.yaml", "--formats", "csv,json,md").exit_code == 0
    assert {path.name: path.read_bytes() for path in report.iterdir()} == before
