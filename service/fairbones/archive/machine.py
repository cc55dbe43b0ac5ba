"""What a house asks of its machine: a private folder, room, files to open, the right time."""

from __future__ import annotations

import os
import resource
import shutil
from collections.abc import Iterator
from pathlib import Path

from fairbones.archive.findings import OK, PROBLEM, WARNING, Finding

MIB = 1024 * 1024
# A running service stops at a full disk; a match is about 0.1 MiB.
ROOM_LEAST, ROOM_GOOD = 64 * MIB, 1024 * MIB
# Before the first release of this program nobody ran it.
EPOCH_MS = 1_700_000_000_000


def folder(path: Path) -> Iterator[Finding]:
    """The data folder is there, ours, and nobody else's."""
    if not path.is_dir():
        text = f"{path} is not there yet"
        yield Finding("folder", WARNING, text, "it is made when the service starts")
        return
    status = path.stat()
    if status.st_uid != os.geteuid():
        advice = f"run this as the user of the service, or: chown {os.geteuid()} {path}"
        yield Finding("folder", PROBLEM, f"{path} belongs to user {status.st_uid}", advice)
    elif not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        yield Finding("folder", PROBLEM, f"{path} cannot be written", f"chmod 700 {path}")
    elif status.st_mode & 0o077:
        text = f"{path} can be looked into by others"
        yield Finding("folder", WARNING, text, f"chmod 700 {path}")
    else:
        yield Finding("folder", OK, f"{path} is ours alone")


def room(path: Path) -> Iterator[Finding]:
    """The disk under a folder."""
    at = path
    while not at.exists():
        at = at.parent
    free = shutil.disk_usage(at).free
    level = PROBLEM if free < ROOM_LEAST else WARNING if free < ROOM_GOOD else OK
    advice = "" if level == OK else "free some, or move the folder to another disk"
    yield Finding("disk", level, f"{free // MIB} MiB are free under {path}", advice)


def files(needed: int) -> Iterator[Finding]:
    """How many files and connections a process may have open."""
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        yield Finding(
            "files", OK, f"a process started here may open {needed} files and connections"
        )
        return
    yield Finding(
        "files",
        WARNING,
        f"a process started here may open {soft} files, and the settings allow for {needed}",
        f"raise it to {needed} for the service (ulimit -n, LimitNOFILE=)",
    )


def clock(now: int) -> Iterator[Finding]:
    """Deadlines are by this clock."""
    if now < EPOCH_MS:
        text = "the clock of this machine is years behind"
        yield Finding("clock", PROBLEM, text, "set it by a time server")
    else:
        yield Finding("clock", OK, "the clock of this machine has a time that can be")
