"""The data folder belongs to one process at a time.

The kernel drops the lock when its holder dies, however it dies; so there is no stale lock to
clear away, and a worker that takes over from a dead one waits for it at most.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from fairbones.core.errors import FairbonesError

LOCK_NAME = "lock"
PATIENCE_SECONDS = 3.0
_POLL_SECONDS = 0.05


class DataFolder:
    """A data folder, held from construction to `release` or the end of the process."""

    def __init__(self, path: Path, *, patience: float = PATIENCE_SECONDS) -> None:
        """Make the folder if there is none, and hold it; waits up to `patience` seconds.

        Raises `FairbonesError`: `store/in-use`, `store/folder`.
        """
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._handle = os.open(path / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FairbonesError(
                "store/folder",
                f"the data folder {path} cannot be used ({error.strerror}); set FAIRBONES_DATA "
                "to a folder that this user may write",
            ) from error
        try:
            self._wait(time.monotonic() + patience)
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()} {_parent() or ''}\n".encode(), 0)
        except BaseException as error:
            os.close(self._handle)
            if isinstance(error, OSError):
                raise FairbonesError(
                    "store/folder", f"the data folder {path} cannot be locked ({error.strerror})"
                ) from error
            raise

    def release(self) -> None:
        """Let go; a second call does nothing."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            # The file stays: removing it would let two processes lock two files of one name.
            os.close(handle)

    def _wait(self, deadline: float) -> None:
        while True:
            try:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise self._in_use() from None
                time.sleep(_POLL_SECONDS)
            else:
                return

    def _in_use(self) -> FairbonesError:
        told = [int(it) for it in os.pread(self._handle, 64, 0).split() if it.isdigit()]
        holder = ""
        if told:
            # To end a worker is no use: its parent starts another.
            holder = f" (process {told[-1]}{f', its worker {told[0]}' if told[1:] else ''})"
        return FairbonesError(
            "store/in-use",
            f"another Fairbones{holder} uses the data folder {self.path}; stop it, or set "
            "FAIRBONES_DATA to another folder",
        )


def _parent() -> int | None:
    """The process to stop when it is not this one: of the same command, which forked us."""
    parent = os.getppid()
    try:
        ours, theirs = (Path(f"/proc/{it}/cmdline").read_bytes() for it in ("self", parent))
    except OSError:
        return None
    return parent if ours == theirs else None
