"""The file of `--out`: begun at once, so that no audit is lost for it, and whole at its end.

What lies there already may be evidence, or the state of an audit. So nothing is written over but
what an earlier audit wrote into such a file, and a file without a byte (spec/audit.md).
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterable
from typing import TextIO

OURS = re.compile(rb'\{"exit": [012], "source": "')
HEAD = 64


class NoOut(Exception):
    """(what was expected, what is wrong): the file cannot be written to."""


class Out:
    """The file; beside it, until the end, what becomes of it."""

    def __init__(self, path: str) -> None:
        self.path, self.part = path, f"{path}.part"
        try:
            for one in (self.path, self.part):
                may_go(one)
            self.file: TextIO = open(self.part, "w", encoding="ascii", newline="\n")  # noqa: SIM115
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise NoOut("a file to write to", f"{path}: {reason}") from None

    def __enter__(self) -> Out:  # noqa: PYI034 - Self is of a later Python
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()
        with contextlib.suppress(OSError):  # written, or of no use
            os.unlink(self.part)

    def write(self, pieces: Iterable[str]) -> None:
        """All of it, in one go as far as anybody can see."""
        self.file.writelines(pieces)
        self.file.write("\n")
        self.file.close()
        may_go(self.path)  # an audit takes long: look again
        os.replace(self.part, self.path)


def may_go(path: str) -> None:
    """Refuse what is there, unless it may be written over."""
    try:
        what = os.stat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(what.st_mode):
        raise NoOut("a regular file, or none yet", f"{path} is something else")
    if not what.st_mode & 0o222:
        raise NoOut("a file to write to", f"{path} is read-only")
    with open(path, "rb") as reading:
        head = reading.read(HEAD)
    if head and not OURS.match(head):
        raise NoOut("a file of an earlier --out, or none yet", f"{path} is another file")


def same_file(one: str, other: str | None) -> bool:
    """Whether two names are of one file, which need not be there yet."""
    return other is not None and os.path.realpath(one) == os.path.realpath(other)
