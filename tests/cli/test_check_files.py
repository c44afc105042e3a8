"""`tco check` and the files that numbers were read from: the same, changed, missing, unreadable."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Tco

CONTENT = b"timestamp, utilization.gpu [%]\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
OTHER = hashlib.sha256(b"another content").hexdigest()
HEAD = "name: a\ndemand: {output_tokens: 50 M}\noptions:\n"
FIELD = "options.api.output_price"


def scenario(**files: str) -> str:
    """A scenario with one number that was read from files: their paths and digests."""
    named = ", ".join(f"'{path}': {sha256}" for path, sha256 in files.items())
    price = f"{{value: 15, basis: quoted, files: {{{named}}}}}"
    return f"{HEAD}  api: {{api: m, output_price: {price}}}\n"


@pytest.fixture
def said(folder: Path, tco: Tco) -> Callable[[str], list[str]]:
    """What the check says of files, each as one line; it never fails for them."""

    def check(text: str, path: str = "a.yaml") -> list[str]:
        (folder / path).write_text(text, encoding="utf-8")
        result = tco("check", path)
        assert result.exit_code == 0
        assert result.stderr == ""
        joined = result.stdout.replace("\n    ", " ").splitlines()
        return [line.strip() for line in joined if "read from it" in line or "read it" in line]

    return check


Said = Callable[[str], list[str]]


def test_a_file_that_is_as_it_was(folder: Path, said: Said) -> None:
    (folder / "gpu.csv").write_bytes(CONTENT)
    expected = [f"gpu.csv: unchanged since {FIELD} was read from it"]
    assert said(scenario(**{"gpu.csv": SHA256})) == expected
    assert said(scenario(**{"gpu.csv": SHA256.upper()})) == expected
    whole = str(folder / "gpu.csv")
    assert said(scenario(**{whole: SHA256}))[0].startswith(f"{whole}: unchanged")


def test_a_file_that_has_changed(folder: Path, said: Said) -> None:
    (folder / "gpu.csv").write_bytes(CONTENT + b"one byte more")
    assert said(scenario(**{"gpu.csv": SHA256})) == [
        f"warning: gpu.csv: changed since {FIELD} was read from it; read it again with "
        "tco read gpu.csv --into a.yaml"
    ]


def test_a_file_that_is_missing(said: Said) -> None:
    assert said(scenario(**{"logs/gpu.csv": SHA256})) == [
        f"warning: logs/gpu.csv: missing, put it back or correct the path; {FIELD} was read from it"
    ]


def test_files_that_were_read_together_are_read_again_together(folder: Path, said: Said) -> None:
    for name in ("week 1.csv", "-2.csv"):
        (folder / name).write_bytes(CONTENT)
    assert said(scenario(**{"week 1.csv": SHA256, "-2.csv": OTHER})) == [
        f"week 1.csv: unchanged since {FIELD} was read from it",
        f"warning: -2.csv: changed since {FIELD} was read from it; read it again with "
        "tco read 'week 1.csv' ./-2.csv --into a.yaml",
    ]


def test_paths_start_from_the_folder_of_the_scenario(
    folder: Path, said: Callable[[str, str], list[str]]
) -> None:
    (folder / "files" / "gpu.csv").write_bytes(CONTENT)
    (folder / "gpu.csv").write_bytes(b"another file of that name")
    text = scenario(**{"gpu.csv": SHA256, "../gpu.csv": SHA256})
    assert said(text, "files/a.yaml") == [
        f"gpu.csv: unchanged since {FIELD} was read from it",
        f"warning: ../gpu.csv: changed since {FIELD} was read from it; read it again with "
        "tco read files/gpu.csv gpu.csv --into files/a.yaml",
    ]


def _folder(path: Path) -> None:
    path.mkdir()


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _device(path: Path) -> None:
    path.symlink_to("/dev/zero")  # it has no end


def _circle(path: Path) -> None:
    path.symlink_to(path.name)


def _within_a_file(path: Path) -> None:
    path.parent.rmdir()
    path.parent.write_bytes(CONTENT)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_folder, "a folder, no file"),
        (_pipe, "no file that can be read"),
        (_device, "no file that can be read"),
        (_circle, "unreadable, too many levels of symbolic links"),
        (_within_a_file, "missing, put it back or correct the path"),
    ],
)
def test_what_is_no_file_is_not_waited_for(
    folder: Path, said: Said, make: Callable[[Path], None], reason: str
) -> None:
    (folder / "logs").mkdir()
    make(folder / "logs" / "gpu.csv")
    assert said(scenario(**{"logs/gpu.csv": SHA256})) == [
        f"warning: logs/gpu.csv: {reason}; {FIELD} was read from it"
    ]


@pytest.mark.parametrize("path", ["~/gpu.csv", "https://example.com/a.csv", "C:\\logs\\a.csv", "?"])
def test_what_is_no_path_here_is_missing(said: Said, path: str) -> None:
    assert said(scenario(**{path: SHA256}))[0].startswith(f"warning: {path}: missing, ")


def test_a_name_that_no_file_system_takes(said: Said) -> None:
    path = "a" * 500
    (line,) = said(scenario(**{path: SHA256}))
    assert "unreadable, file name too long" in line


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "unreadable, it may not be opened"),
        (OSError(errno.EIO, "Input/output error"), "unreadable, input/output error"),
        (ValueError("embedded null byte"), "unreadable, embedded null byte"),
    ],
)
def test_a_fault_while_a_file_is_read(
    folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch, fault: Exception, reason: str
) -> None:
    (folder / "gpu.csv").write_bytes(CONTENT)

    def fails(*_: object) -> None:
        raise fault

    monkeypatch.setattr(hashlib, "file_digest", fails)
    assert said(scenario(**{"gpu.csv": SHA256})) == [
        f"warning: gpu.csv: {reason}; {FIELD} was read from it"
    ]


def test_a_file_is_opened_once_however_many_numbers_name_it(
    folder: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine prices, of which two were read when the file had another content."""
    opened = []
    really = hashlib.file_digest

    def noted(stream: Any, name: str) -> Any:
        opened.append(name)
        return really(stream, name)

    monkeypatch.setattr(hashlib, "file_digest", noted)
    (folder / "prices.csv").write_bytes(CONTENT)
    paths = ("prices.csv", "./prices.csv", "files/../prices.csv")
    options = "".join(
        f"  m{n}: {{api: m, output_price: {{value: {n}, "
        f"files: {{{paths[n % 3]}: {SHA256 if n < 8 else OTHER}}}}}}}\n"
        for n in range(1, 10)
    )
    first = ", ".join(f"options.m{n}.output_price" for n in range(1, 5))
    assert said(f"{HEAD}{options}") == [
        f"./prices.csv: unchanged since {first} and 3 more were read from it",
        "warning: ./prices.csv: changed since options.m8.output_price and options.m9.output_price "
        "were read from it; read it again with tco read prices.csv --into a.yaml",
    ]
    assert opened == ["sha256"]


def test_a_run_is_the_same_whatever_becomes_of_the_files(folder: Path, tco: Tco) -> None:
    def written() -> dict[str, bytes]:
        result = tco(
            "run", "files/measured.yaml", "--formats", "xlsx,html,csv,json,md", "-o", "out"
        )
        assert result.exit_code == 0
        found = {path.name: path.read_bytes() for path in (folder / "out/measured").iterdir()}
        return {**found, "screen": result.stdout.encode()}

    before = written()
    assert len(before) == 5 + 1
    assert all(b"logs/gpu.csv" in before[name] for name in ("report.html", "result.json", "screen"))
    (folder / "files/logs/gpu.csv").write_bytes(b"changed")
    shutil.rmtree(folder / "files/usage")
    shutil.rmtree(folder / "files/runs")
    assert written() == before
