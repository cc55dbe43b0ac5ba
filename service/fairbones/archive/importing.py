"""Matches from an export into a store: each is judged before it is kept, or is refused alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from fairbones.archive import lines
from fairbones.archive.judging import damaged, judge
from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Signer, Vault, Whole

# A store that does not answer ends an import; anything else is about one match.
_STORE = "store/"
Adopt = Callable[[Whole], bool]
Progress = Callable[[int], None]


@dataclass(slots=True)
class Imported:
    """What came of an export: matches kept, matches that were here, what is wrong by line.

    `line` 0 is for what is wrong with the file as a whole.
    """

    kept: int = 0
    here: int = 0
    problems: list[tuple[int, str]] = field(default_factory=list)

    def told(self) -> dict[str, object]:
        """JSON-ready."""
        wrong = [{"line": line, "problem": text} for line, text in self.problems]
        return {"kept": self.kept, "here": self.here, "problems": wrong}


def import_(
    file: BinaryIO, adopt: Adopt, signer: Signer, vault: Vault, progress: Progress
) -> Imported:
    """Judge every line and hand its match to `adopt`, which keeps it or says it is here.

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
            end = _take(number, line, result, adopt, signer, vault)
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
    number: int, line: bytes, result: Imported, adopt: Adopt, signer: Signer, vault: Vault
) -> tuple[int, str] | None:
    """One line; what the last one says, once it is reached."""
    if number == 1:
        try:
            lines.read_header(line)
        except FairbonesError as error:
            if error.code == "house/damaged":
                raise FairbonesError(
                    "house/no-export", "this file is not an export of Fairbones"
                ) from None
            raise
        return None
    if not line.endswith(b"\n"):
        raise damaged("it was cut")
    end = lines.read_footer(line)
    if end is None:
        whole = lines.read(line)
        judge(whole, signer, vault)
        if adopt(whole):
            result.kept += 1
        else:
            result.here += 1
    return end


def _numbered(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(lines.LINE_MAX):
        number += 1
        if len(line) >= lines.LINE_MAX:
            raise FairbonesError("house/no-export", f"line {number} is longer than any match is")
        yield number, line
    if number == 0:
        raise FairbonesError("house/no-export", "this file is empty")
