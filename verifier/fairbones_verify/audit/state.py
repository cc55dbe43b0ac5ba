"""STATE: what has been verified, line by line, for an audit that goes on later (spec/audit.md, 6).

Every line is written in one piece at the end of the file, so that a kill costs one line at most.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from typing import Any, BinaryIO

from .errands import Result

EDITION = 1
LONGEST = 1 << 22  # bytes of a first line; it names all keys


def opened(path: str, flags: int) -> int:
    """Open it at once, also where it is a pipe that nobody writes to."""
    flags |= getattr(os, "O_NONBLOCK", 0)
    return os.open(path, flags, 0o666)


class NoState(Exception):
    """(what was expected, what is wrong): the file cannot be gone on with."""


class State:
    """The file. `about` says what is audited; `lines` has to be read to its end before `add`."""

    def __init__(self, path: str, about: dict[str, Any]) -> None:
        self.path, self.about = path, {"audit": EDITION, **about}
        try:
            self.file: BinaryIO = open(path, "a+b", buffering=0, opener=opened)  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise NoState("a file to write to", f"{path}: {reason}") from None
        try:
            if not stat.S_ISREG(os.fstat(self.file.fileno()).st_mode):
                raise NoState("a regular file", f"{path} is none")
            if not held(self.file):
                raise NoState("a file that no other audit writes", f"{path} is being written")
            self._begin()
        except NoState:
            self.file.close()
            raise

    def _begin(self) -> None:
        """Only what begins as a state is one: any other file may be somebody's evidence."""
        with open(self.path, "rb") as reading:
            line = reading.readline(LONGEST)
        if not line:
            self.add(self.about)
            return
        self._same(understood(line) if line.endswith(b"\n") else None)

    def lines(self) -> Iterator[Result]:
        """Every result that was written down. A last line without its end is cut off."""
        good = 0
        with open(self.path, "rb") as reading:
            for line in reading:
                if not line.endswith(b"\n"):
                    break
                found = understood(line)
                if good and found is not None and has_form(found):
                    yield found
                good += len(line)
        self.file.truncate(good)

    def add(self, result: Result) -> None:
        """Write one result down. `source` may be no text that could be encoded, so it is ASCII."""
        line = json.dumps(result, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
        while line:  # a disk that is nearly full takes less than all
            line = line[self.file.write(line) :]

    def close(self) -> None:
        """Leave it to whoever comes next."""
        os.fsync(self.file.fileno())
        self.file.close()

    def _same(self, found: Result | None) -> None:
        if found is None or "audit" not in found:
            raise NoState("a file that an audit has written", f"{self.path} is none")
        for name, value in self.about.items():
            if found.get(name) != value:
                words = f"{self.path} is of an audit with {name} {json.dumps(found.get(name))}"
                raise NoState(f"{name} {json.dumps(value)}", words)


def understood(line: bytes) -> Result | None:
    """A line as it was written, or None."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def has_form(line: Result) -> bool:
    """Whether a line is a result, and not something that came into the file by other ways."""
    names = {"source": str, "size": int, "sha256": str, "verdict": str}
    needed = {"refuted": ("match", "report"), "unreadable": ("unread",)}
    needed["verified"] = ("match", "complete", "facts")
    return all(isinstance(line.get(name), kind) for name, kind in names.items()) and all(
        name in line for name in needed.get(line["verdict"], ("no such verdict",))
    )


def held(file: BinaryIO) -> bool:
    """One audit at a time; where the system knows no such thing, nobody is kept off."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
