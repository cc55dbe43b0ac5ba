"""Matches from an export into a store: each is judged before it is kept, or is refused alone."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from fairbones.archive import lines
from fairbones.archive.judging import MISSHAPEN, damaged, judge, settled
from fairbones.archive.matches import ended_at
from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Signer, Vault, Whole

# A store that does not answer ends an import; anything else is about one match.
_STORE = "store/"
Adopt = Callable[[Whole], bool]
Progress = Callable[[int], None]


@dataclass(slots=True)
class Imported:
    """What came of an export: matches kept, matches that were here, matches left out because they
    are not over, what is wrong by line.

    `line` 0 is for what is wrong with the file as a whole.
    """

    kept: int = 0
    here: int = 0
    left: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)

    def told(self) -> dict[str, object]:
        """JSON-ready."""
        wrong = [{"line": line, "problem": text} for line, text in self.problems]
        counts = {"kept": self.kept, "here": self.here, "left": self.left}
        return {**counts, "problems": wrong}


def unended(file: BinaryIO) -> int:
    """How many matches of an export are not over; what is wrong with it is for `import_` to tell.

    Raises `house/no-export` and `house/newer-export` as that does.
    """
    found = 0
    for number, line in _numbered(file):
        if number == 1:
            _header(line)
            continue
        with contextlib.suppress(FairbonesError):
            if lines.read_footer(line) is not None:
                break
            found += _goes_on(lines.read(line))
    return found


def import_(
    file: BinaryIO,
    adopt: Adopt,
    signer: Signer,
    vault: Vault,
    progress: Progress,
    *,
    ended_only: bool = False,
) -> Imported:
    """Judge every line and hand its match to `adopt`, which keeps it or says it is here.

    With `ended_only` matches that are not over are judged and left out.

    Raises `FairbonesError` (`house/no-export`, `house/newer-export`) before the first match, and
    `store/...` when the store fails: the same import again goes on where it was.
    """
    result = Imported()
    digest = hashlib.sha256()
    end: tuple[int, str] | None = None
    seen = 0
    for number, line in _numbered(file):
        if end is not None:
            result.problems.append((number, "it stands after the last line"))
            break
        try:
            if number == 1:
                _header(line)
            else:
                end = _take(line, result, adopt, signer, vault, ended_only=ended_only)
        except FairbonesError as error:
            if number == 1 or error.code.startswith(_STORE):
                raise
            result.problems.append((number, error.message))
        if end is None:
            digest.update(line)
            seen += number > 1
            progress(seen)
    if end is None:
        result.problems.append((0, "the end is missing: the file was cut"))
    elif end != (seen, digest.hexdigest()):
        result.problems.append((0, "the file is not the one that was written"))
    return result


def _take(
    line: bytes,
    result: Imported,
    adopt: Adopt,
    signer: Signer,
    vault: Vault,
    *,
    ended_only: bool,
) -> tuple[int, str] | None:
    """One line after the first; what the last one says, once it is reached."""
    if len(line) >= lines.LINE_MAX:  # its rest was passed over
        raise damaged("it is longer than any match is")
    if not line.endswith(b"\n"):
        raise damaged("it was cut")
    end = lines.read_footer(line)
    if end is None:
        whole = lines.read(line)
        whole = settled(whole, judge(whole, signer, vault))
        if ended_only and _goes_on(whole):
            result.left += 1
        elif adopt(whole):
            result.kept += 1
        else:
            result.here += 1
    return end


def _header(line: bytes) -> None:
    try:
        lines.read_header(line)
    except FairbonesError as error:
        if error.code != "house/damaged":
            raise
        raise FairbonesError("house/no-export", "this file is not an export of Fairbones") from None


def _goes_on(whole: Whole) -> bool:
    """Whether a match is not over; of one that cannot be read that far, nobody knows."""
    try:
        return ended_at(whole) is None
    except MISSHAPEN:
        return True


def _numbered(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(lines.LINE_MAX):
        number += 1
        rest = line
        while len(rest) >= lines.LINE_MAX and not rest.endswith(b"\n"):
            if number == 1:
                raise FairbonesError("house/no-export", "line 1 is longer than any match is")
            rest = file.readline(lines.LINE_MAX)
        yield number, line
    if number == 0:
        raise FairbonesError("house/no-export", "this file is empty")
