"""The folder of a report is written whole or not at all."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tco.analysis.findings import Findings
from tco.analysis.summary import summarise
from tco.cli.running import FORMATS as CHOICES
from tco.errors import OutputError
from tco.report import folder
from tco.report.folder import FORMATS, folder_name, write_all, write_report
from tco.report.plots import KINDS
from tco.results import Result


def text(content: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(content, encoding="utf-8")

    return write


def fail(fault: BaseException) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text("half", encoding="utf-8")
        raise fault

    return write


def everything(place: Path) -> dict[str, str]:
    return {
        path.relative_to(place).as_posix(): path.read_text(encoding="utf-8")
        for path in place.rglob("*")
        if path.is_file()
    }


def test_writes_files_and_folders(tmp_path: Path) -> None:
    write_all(tmp_path / "a/b", {"one.txt": text("1"), "charts/two.txt": text("2")})
    assert everything(tmp_path) == {"a/b/one.txt": "1", "a/b/charts/two.txt": "2"}


@pytest.mark.parametrize("fault", [ValueError("a fault"), KeyboardInterrupt(), OSError(28, "full")])
def test_a_failure_leaves_the_earlier_report(tmp_path: Path, fault: BaseException) -> None:
    target = tmp_path / "report"
    write_all(target, {"one.txt": text("1"), "two.txt": text("2")})
    before = everything(tmp_path)
    with pytest.raises((type(fault), OutputError)):
        write_all(target, {"one.txt": text("new"), "two.txt": fail(fault)})
    assert everything(tmp_path) == before
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def test_the_last_files_are_made_from_those_that_are_finished(tmp_path: Path) -> None:
    place = tmp_path / "r"
    made: list[Path] = []

    def later(path: Path) -> None:
        made.append(path)

    def finish() -> list[str]:
        made[0].write_text("drawn", encoding="utf-8")
        return ["a note"]

    def copy(path: Path) -> None:
        path.write_text((path.parent / "charts/a.svg").read_text("utf-8") + " twice", "utf-8")

    notes = write_all(
        place,
        {"charts/a.svg": later, "one.txt": text("1")},
        finish=finish,
        last={"page.html": copy},
        kept=["one.txt", "page.html"],
    )
    assert notes == ["a note"]
    assert everything(place) == {"one.txt": "1", "page.html": "drawn twice"}


def test_a_page_that_fails_leaves_the_earlier_report(tmp_path: Path) -> None:
    write_all(tmp_path / "r", {"one.txt": text("1")})
    with pytest.raises(ValueError, match="a fault"):
        write_all(
            tmp_path / "r", {"one.txt": text("2")}, last={"page.html": fail(ValueError("a fault"))}
        )
    assert everything(tmp_path) == {"r/one.txt": "1"}


def test_a_failure_leaves_no_folders(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a fault"):
        write_all(tmp_path / "a/b/c", {"one.txt": fail(ValueError("a fault"))})
    assert list(tmp_path.iterdir()) == []


def test_what_else_lies_in_the_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "report").mkdir()
    (tmp_path / "report/mine.txt").write_text("mine", encoding="utf-8")
    write_all(tmp_path / "report", {"one.txt": text("1")})
    assert everything(tmp_path) == {"report/mine.txt": "mine", "report/one.txt": "1"}


@pytest.mark.parametrize("lock", [".~lock.two.xlsx#", "~$two.xlsx"])
def test_a_file_that_is_open_elsewhere_is_refused(tmp_path: Path, lock: str) -> None:
    write_all(tmp_path, {"one.txt": text("1"), "two.xlsx": text("2")})
    (tmp_path / lock).touch()
    before = everything(tmp_path)
    with pytest.raises(OutputError, match=r"two\.xlsx could not be written") as fault:
        write_all(tmp_path, {"one.txt": text("new"), "two.xlsx": text("new")})
    assert "open in another program" in str(fault.value)
    assert everything(tmp_path) == before


def test_a_file_that_the_system_holds_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_all(tmp_path / "r", {"one.txt": text("1"), "two.txt": text("2")})
    before = everything(tmp_path)
    opened = Path.open

    def refuse(path: Path, mode: str = "r", **more: object) -> object:
        if mode == "r+b" and path.name == "two.txt":
            raise PermissionError(13, "in use", str(path))
        return opened(path, mode, **more)  # type: ignore[call-overload]

    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", refuse)
        with pytest.raises(OutputError, match=r"two\.txt could not be written"):
            write_all(tmp_path / "r", {"one.txt": text("new"), "two.txt": text("new")})
    assert everything(tmp_path) == before


def test_a_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "r/two.txt").mkdir(parents=True)
    with pytest.raises(OutputError, match="a folder has this name"):
        write_all(tmp_path / "r", {"one.txt": text("1"), "two.txt": text("2")})
    assert everything(tmp_path) == {}


@pytest.mark.parametrize("target", ["file", "file/under", "file/under/that"])
def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError) as fault:
        write_all(tmp_path / target, {"one.txt": text("1")})
    assert fault.value.why == f"{tmp_path / 'file'} is a file, not a folder"
    assert everything(tmp_path) == {"file": "mine"}


def test_a_folder_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path))

    monkeypatch.setattr(folder.tempfile, "TemporaryDirectory", refuse)
    with pytest.raises(OutputError, match="it may not be changed"):
        write_all(tmp_path / "r", {"one.txt": text("1")})


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("a/b.yaml", "b"),
        ("..yaml", "scenario"),
        (". .yaml", "scenario"),
        ("...yaml", "scenario"),
        ("a\nb.yaml", "a_b"),
        ("a\u202eb.yaml", "a_b"),
        ("CON.yaml", "_CON"),
        ("nul.a.yaml", "_nul.a"),
        ('a<>:"|?*.yaml', "a_______"),
        ("客服机器人.yaml", "客服机器人"),
        ("-rf.yaml", "-rf"),
        ("\udcff.yaml", "_"),
        ("n" * 250 + ".yaml", "n" * 150),
        ("客" * 80 + ".yaml", "客" * 50),
    ],
)
def test_any_file_name_gives_a_safe_folder(file: str, name: str) -> None:
    assert folder_name(file) == name


def test_only_what_is_asked_for_is_written(midteam: Result, tmp_path: Path) -> None:
    target, files, notes = write_report(
        midteam, Findings(midteam), summarise(midteam), tmp_path, ("json", "svg")
    )
    assert target == tmp_path / "midteam"
    charts = [f"charts/{kind}.svg" for kind in KINDS]
    assert sorted(files) == sorted(everything(target)) == sorted([*charts, "result.json"])
    assert notes == []


def test_the_command_offers_what_can_be_written() -> None:
    assert CHOICES == FORMATS
