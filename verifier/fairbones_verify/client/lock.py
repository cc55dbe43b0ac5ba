"""One process for one keep: two would say two things for one place (SPEC 10, C9)."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from .keep import NoKeep

BUSY = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)


def grab(file: int) -> None:
    """Raises OSError where another process has it. The system lets go of it when a process ends,
    however it ends."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        return
    try:
        import fcntl
    except ImportError:  # a system that has no locks, nor a second process
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """The file `.lock` beside a keep is held for as long as the `with`. It alone says nothing: what
    a killed process leaves is taken over."""
    beside = path.with_name(f"{path.name}.lock")
    file = _held(beside, path)
    try:
        yield
    finally:
        # Gone before it is let go of, so that nobody holds what nobody finds. Windows keeps it.
        with contextlib.suppress(OSError):
            beside.unlink()
        os.close(file)


def _held(beside: Path, path: Path) -> int:
    while True:
        try:
            file = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
        except (OSError, ValueError) as error:
            raise NoKeep(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        try:
            grab(file)
        except OSError as error:
            if error.errno in BUSY:
                os.close(file)
                raise NoKeep(f"{path}: another process is using this keep") from None
            # A file system without locks: better to play than never to play.
        if sys.platform == "win32" or _same(file, beside):
            return file
        os.close(file)  # whoever had it before has just taken it away


def _same(file: int, beside: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file), os.stat(beside))
    except OSError:
        return False
