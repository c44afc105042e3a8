"""What `tco check` says of the files that numbers were read from: which of them have changed.

This alone opens them; a run has the same bytes whether they are there or not.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tco.analysis.files import known_of, listed
from tco.engine.structure import given_quantities
from tco.scenario.fields import Known
from tco.scenario.schema import Scenario

MOST_FIELDS = 4
WARNING = "warning: "
# what a number is called by the whole of which it is a part
PARTS = (".median", ".minimum", ".value")


class _Unread(Exception):
    """A file whose content is not known, with the reason."""


@dataclass
class _Named:
    """A file as a scenario names it: the fields that were read from each of its contents.

    ``together`` are the files that those fields were read from, this one among them.
    """

    path: str
    fields: dict[str, dict[str, None]] = field(default_factory=dict)
    together: dict[str, dict[str, None]] = field(default_factory=dict)

    def add(self, where: str, known: Known, sha256: str) -> None:
        """Note a field that was read from the file when it had this content."""
        self.fields.setdefault(sha256, {})[where] = None
        together = self.together.setdefault(sha256, {})
        together.update((os.path.normpath(file.path), None) for file in known.files)


def files_now(scenario: Scenario) -> Iterator[str]:
    """A line for each file that numbers were read from, and for each content that it then had."""
    folder = Path(scenario.path).parent
    for named in _named(scenario):
        try:
            now = _sha256(folder / named.path)
        except _Unread as reason:
            fields = dict.fromkeys(name for names in named.fields.values() for name in names)
            yield f"{WARNING}{named.path}: {reason}; {_were_read(fields)} from it"
            continue
        for sha256, fields in named.fields.items():
            if sha256 == now:
                yield f"{named.path}: unchanged since {_were_read(fields)} from it"
                continue
            files = [_typed(folder / path) for path in named.together[sha256]]
            command = shlex.join(["tco", "read", *files, "--into", scenario.path])
            yield (
                f"{WARNING}{named.path}: changed since {_were_read(fields)} from it; read it "
                f"again with  {command}"
            )


def _named(scenario: Scenario) -> Iterable[_Named]:
    """The files in the order of the scenario; one that is written in two ways is one."""
    found: dict[str, _Named] = {}
    for where, known in _numbers(scenario):
        for file in known.files:
            one = os.path.normpath(file.path)
            found.setdefault(one, _Named(file.path)).add(where, known, file.sha256)
    return found.values()


def _numbers(scenario: Scenario) -> Iterator[tuple[str, Known]]:
    """Every number with the field it stands in, then those that a case says otherwise."""
    given = list(known_of(scenario))
    yield from ((_field(known), known) for known in given)
    lines = {(known.path, known.line) for known in given}
    for case in scenario.in_cases:
        for known in given_quantities(case.scenario):
            if (known.path, known.line) not in lines:
                yield f"{_field(known)} of {case.path}", known


def _typed(path: Path) -> str:
    """A path as an argument: one that begins with a hyphen is no option."""
    plain = Path(os.path.normpath(path)).as_posix()
    return f"./{plain}" if plain.startswith("-") else plain


def _field(known: Known) -> str:
    return next(
        (known.path.removesuffix(part) for part in PARTS if known.path.endswith(part)), known.path
    )


def _were_read(fields: Iterable[str]) -> str:
    names = list(fields)
    return f"{listed(names, MOST_FIELDS)} {'were' if names[1:] else 'was'} read"


def _sha256(path: Path) -> str:
    """The SHA-256 of a file's content, read piece by piece. Raises `_Unread` with the reason."""
    try:
        # a pipe or a device would be waited for, or have no end
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise _Unread("no file that can be read" if not path.is_dir() else "a folder, no file")
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        raise _Unread("missing, put it back or correct the path") from None
    except PermissionError:
        raise _Unread("unreadable, it may not be opened") from None
    except (OSError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or str(fault)
        raise _Unread(f"unreadable, {why.lower()}") from None
