"""Which kind each file is of, by its beginning, and all files of a kind read together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from filecmp import cmp
from os import SEEK_END
from pathlib import Path

from tco.readings.apis import anthropic, litellm_spend, openai, openrouter_activity
from tco.readings.benchmarks import genai_perf, llama_bench, sglang, vllm
from tco.readings.gpus import dmon, nvidia_smi, prometheus, sacct
from tco.readings.other_kinds import other_kind
from tco.readings.prices import ecb, litellm_prices, openrouter_models, skypilot, vastai
from tco.readings.reading import Asked, Head, Kind, Reading, ReadingError
from tco.readings.texts.cells import Place

LARGEST_HEAD = 64 * 1024
"""Bytes of a file by which its kind is recognised."""

MOST_NAMED = 5

READ = (
    "a log of GPU use (nvidia-smi, Prometheus, sacct), a benchmark (vLLM, SGLang, GenAI-Perf, "
    "llama-bench), an export of API use (OpenAI, Anthropic, LiteLLM, OpenRouter), or prices "
    "(Vast.ai, SkyPilot, LiteLLM, OpenRouter, ECB)"
)
TEXT = "a file of text (CSV or JSON), in UTF-8"


@dataclass(frozen=True)
class NotRead:
    """A file of a folder that was not read: what it is or what is wrong with it, what to do."""

    path: Path
    why: str
    next_step: str


@dataclass(frozen=True)
class Files:
    """What was read, a reading for each kind, and the files of folders that were not."""

    readings: tuple[Reading, ...]
    not_read: tuple[NotRead, ...]


def read_all(paths: Sequence[Path], asked: Asked) -> Files:
    """A reading for each kind of file among these, in the order of ``KINDS``.

    Of a folder every file in it is taken, but not of the folders in it, and no hidden one. A file
    given by its name that cannot be read raises ``ReadingError``; one of a folder is left out and
    told. A file that is given twice, or is the copy of another, is read once. Raises
    ``ReadingError`` when nothing can be read.
    """
    named = [path for path in paths if not path.is_dir()]
    in_folders = [file for path in paths if path.is_dir() for file in files_of(path)]
    not_read: list[NotRead] = []
    # what one reader takes is read together: a usage export beside its costs
    groups: dict[Callable[[Sequence[Path], Asked], Reading], list[Path]] = {}
    for path in [*named, *in_folders]:
        try:
            kind = kind_of(path)
        except ReadingError as error:
            if path in named:
                raise
            not_read.append(NotRead(path, error.found, error.next_step))
            continue
        group = groups.setdefault(kind.read, [])
        copy = next((other for other in group if cmp(other, path, shallow=False)), None)
        if copy is None:
            group.append(path)
        elif not copy.samefile(path):
            why = f"the same content as {copy}, which is read"
            not_read.append(NotRead(path, why, "nothing: it would count twice"))
    readings: list[Reading] = []
    for read in dict.fromkeys(kind.read for kind in KINDS):
        if read in groups:
            readings += _read(read, groups[read], named, asked, not_read)
    if not readings:
        raise _nothing_read(paths, not_read)
    return Files(tuple(readings), tuple(not_read))


def _read(
    read: Callable[[Sequence[Path], Asked], Reading],
    paths: Sequence[Path],
    named: Sequence[Path],
    asked: Asked,
    not_read: list[NotRead],
) -> list[Reading]:
    """The files of a kind together, without those of folders that prove to be faulty."""
    left = list(paths)
    while left:
        try:
            found = _together(read, left, asked)
            return [replace(found, warnings=(*found.warnings, *_unended(left)))]
        except ReadingError as error:
            faulty = [path for path in left if str(path) == error.file] or left
            if any(path in named for path in faulty):
                raise
            not_read += [NotRead(path, _told(error), error.next_step) for path in faulty]
            left = [path for path in left if path not in faulty]
    return []


def _unended(paths: Sequence[Path]) -> Iterator[str]:
    """Tables whose last row has no end of line: a number cut off there looks like another one."""
    for path in paths:
        with path.open("rb") as stream:
            is_json = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
            stream.seek(-1, SEEK_END)
            last = stream.read(1)
        if not is_json and last not in (b"\n", b"\r", b"\0"):
            yield (
                f"{path.name}: its last row has no end of line; if the file was cut off, the last "
                "number is too: compare it with where it came from"
            )


def _together(
    read: Callable[[Sequence[Path], Asked], Reading], paths: Sequence[Path], asked: Asked
) -> Reading:
    """The files read; what the machine refuses, half-way through, is an error of the file."""
    try:
        return read(paths, asked)
    except OSError as error:
        place = Place(str(error.filename or paths[0]))
        raise place.refused(
            error.strerror or "it cannot be read", "a file that can be read", "check the file"
        ) from error
    except MemoryError as error:
        largest = max(paths, key=lambda path: path.stat().st_size)
        raise Place(str(largest)).refused(
            f"more than fits into memory ({largest.stat().st_size / 1e6:,.0f} MB)",
            "a file that fits into memory",
            "export a shorter period, or give the files one at a time",
        ) from error


def _told(error: ReadingError) -> str:
    place = f"line {error.line}: " if error.line is not None else ""
    return f"{place}{error.found}; expected: {error.expected}"


def _nothing_read(paths: Sequence[Path], not_read: Sequence[NotRead]) -> ReadingError:
    where = str(paths[0]) if paths else "no file"
    if not not_read:
        deeper = any(
            inside.is_dir() for path in paths if path.is_dir() for inside in path.iterdir()
        )
        return Place(where).refused(
            "folders, and no file" if deeper else "no file",
            READ,
            f"give the folders in it:  {where}/*" if deeper else "give files, or their folder",
        )
    reasons = [f"{left.path.name}: {left.why}" for left in not_read[:MOST_NAMED]]
    more = len(not_read) - MOST_NAMED
    return Place(where).refused(
        "; ".join(reasons) + (f"; and {more} more" if more > 0 else ""),
        READ,
        "give one of these files by its name to see what is wrong with it and what to do",
    )


def files_of(folder: Path) -> list[Path]:
    """The files of a folder by name; no hidden ones, none of the folders in it.

    Raises ``ReadingError`` for a folder that cannot be opened.
    """
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise Place(str(folder)).refused(
            error.strerror or "it cannot be opened", "a folder of files", "check the path"
        ) from error
    return [path for path in inside if not path.name.startswith(".") and not path.is_dir()]


def kind_of(path: Path) -> Kind:
    """The kind that a file is of, by at most 64 KB of it.

    Raises ``ReadingError`` for a file that cannot be opened, is empty or packed or no text, for
    one of another known kind (with what to give instead) and for one of no kind that is known.
    """
    head = head_of(path)
    for kind in KINDS:
        if kind.recognises(head):
            return kind
    other = other_kind(head)
    if other is not None:
        raise Place(str(path)).refused(f"{other.title}, which is not read", READ, other.instead)
    first = head.lines[0].strip() if head.lines else ""
    begins = f"{first[:40]}{'...' if len(first) > 40 else ''}"
    if head.keys:
        more = "..." if len(head.keys) > MOST_NAMED else ""
        begins = f"JSON with the keys {', '.join(sorted(head.keys)[:MOST_NAMED])}{more}"
    raise Place(str(path), 1).refused(
        f"{begins}  (of no kind that is known)",
        READ,
        "give the file as the program wrote it, with its first lines",
    )


def head_of(path: Path) -> Head:
    """The beginning of a text file.

    Raises ``ReadingError`` for what cannot be opened or is no text.
    """
    place = Place(str(path))
    if path.is_dir():
        raise place.refused("a folder", "a file", "give the folder alone, or files by their names")
    if path.exists() and not path.is_file():
        raise place.refused(
            "no ordinary file (a pipe or a device)", "a file", "save it to a file first"
        )
    try:
        with path.open("rb") as stream:
            content = stream.read(LARGEST_HEAD)
    except OSError as error:
        raise place.refused(
            error.strerror or "it cannot be opened",
            "a file that can be read",
            "check the path" if isinstance(error, FileNotFoundError) else "check its permissions",
        ) from error
    except ValueError as error:  # a name with a zero byte
        raise place.refused(str(error), "the name of a file", "check the path") from error
    if not content.strip(b" \t\r\n\xef\xbb\xbf\x00"):
        raise place.refused(
            "an empty file" if not content else "a file of blanks",
            TEXT,
            "make it again: the program that wrote it may have failed, or may still be running",
        )
    for signs, title, next_step in _PACKED:
        if content.startswith(signs):
            raise place.refused(f"{title}, which is not read", TEXT, next_step)
    if content.startswith(b"PK\x03\x04"):
        title, next_step = _zip(content)
        raise place.refused(f"{title}, which is not read", TEXT, next_step)
    return Head(path, _text(content, place))


_UNPACK = "unpack it and give the file inside"
_PACKED: tuple[tuple[bytes | tuple[bytes, ...], str, str], ...] = (
    (b"\x1f\x8b", "a file packed with gzip", "unpack it:  gunzip FILE"),
    (b"\xfd7zXZ\x00", "a file packed with xz", _UNPACK),
    (b"BZh", "a file packed with bzip2", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a file packed with 7-Zip", _UNPACK),
    (b"%PDF", "a PDF", "export the numbers as CSV or JSON where the PDF comes from"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "open it and save the sheet as CSV UTF-8"),
    (b"SQLite format 3\x00", "a database of SQLite", "export the table as CSV"),
    (b"PAR1", "a file of Parquet", "export the table as CSV"),
    (
        (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM", b"<svg"),
        "a picture",
        "give the file of numbers that the picture was made from",
    ),
)


def _zip(content: bytes) -> tuple[str, str]:
    for sign, title in (
        (b"xl/", "an Excel workbook"),
        (b"opendocument.spreadsheet", "a workbook of LibreOffice"),
    ):
        if sign in content:
            return title, "save the sheet as CSV (CSV UTF-8) and give that"
    return "a file packed with zip", _UNPACK


def _text(content: bytes, place: Place) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        zeros = content.count(b"\0")
        if zeros > len(content) // 4 and b"\0\0" not in content:
            raise place.refused(
                "UTF-16 without the mark it begins with", TEXT, "save it again as UTF-8"
            )
        if zeros:
            raise place.refused(
                "bytes that are no text", TEXT, "check that this is the file you mean"
            )
        # what is not UTF-8 is told by the reader of its kind, with the line
        text = content.decode("utf-8-sig", "replace")
    # the line by which Excel is told the separator is not the head
    return re.sub(r'\A"?sep=."?[,;\t|]*\r?\n', "", text, flags=re.IGNORECASE)


KINDS: tuple[Kind, ...] = (
    nvidia_smi.KIND,
    dmon.KIND,
    prometheus.KIND,
    sacct.KIND,
    vllm.KIND,
    sglang.KIND,
    genai_perf.KIND,
    llama_bench.KIND,
    openai.KIND,
    anthropic.KIND,
    litellm_spend.KIND,
    openrouter_activity.KIND,
    vastai.KIND,
    skypilot.KIND,
    litellm_prices.KIND,
    openrouter_models.KIND,
    ecb.KIND,
)
"""In this order a file is offered to them, and they are shown; exactly one takes it."""
