"""A folder of transcripts: what is in it, and how a file of it is read (spec/audit.md, 1).

Whoever fills the folder may want to stop the audit, or lead it elsewhere: so nothing is opened
that is no regular file, no link leads out, and nothing is read without a limit.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import time
import zlib
from collections.abc import Iterator
from typing import NamedTuple, Optional

from ..strictjson import MAX_BYTES
from .errands import Unread

NAMES = (b".json", b".json.gz")
TRIES = 3
PAUSE = 0.1
# A pipe that is opened like this gives an end of file at once, instead of waiting for a writer.
FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Entry(NamedTuple):
    """`kind`: "file", "folder", or "" for a place that is not searched for the reason `why`."""

    kind: str
    path: bytes
    why: Optional[Unread] = None


def entries(root: bytes, folder: bytes) -> Iterator[Entry]:
    """What there is in one folder, `folder` being its path below `root`, b"" for itself."""
    try:
        with os.scandir(os.path.join(root, folder)) as found:
            for one in found:
                entry = entry_of(root, os.path.join(folder, one.name), one)
                if entry is not None:
                    yield entry
    except OSError as error:
        yield Entry("", folder or b".", unreadable("source/folder", "a folder to search", error))


def entry_of(root: bytes, path: bytes, one: os.DirEntry[bytes]) -> Entry | None:
    """One name in a folder; None when it is no concern of ours."""
    ours = path.endswith(NAMES)
    try:
        if one.is_symlink():
            return linked(root, path, ours)
        if one.is_dir(follow_symlinks=False):
            return Entry("folder", path)
        regular = one.is_file(follow_symlinks=False)
    except OSError as error:
        return Entry("", path, unreadable("source/file", "a readable file", error))
    if not ours:
        return None
    if regular:
        return Entry("file", path)
    return Entry("", path, Unread("source/kind", "a regular file", "something else"))


def linked(root: bytes, path: bytes, ours: bool) -> Entry | None:
    """A link: followed to a file inside the folder, and nowhere else."""
    target = os.path.realpath(os.path.join(root, path))
    inside = target.startswith(os.path.join(os.path.realpath(root), b""))
    if os.path.isdir(target):
        if inside or target == os.path.realpath(root):
            return None  # that folder is searched itself
    elif not ours:
        return None
    elif inside and os.path.isfile(target):
        return Entry("file", path)
    return Entry("", path, Unread("source/link", "a link to a file inside the folder", "another"))


def contents(path: bytes) -> tuple[bytes, int]:
    """The bytes of a file, one more than the limit at most, and its size."""
    for attempt in range(TRIES):
        time.sleep(PAUSE * attempt)
        found = at_once(path)
        if found is not None:
            return found
    raise Unread("source/changed", "a file that stays as it is", f"changed {TRIES} times")


def at_once(path: bytes) -> tuple[bytes, int] | None:
    """The same, unless the file was changed meanwhile."""
    try:
        handle = os.open(path, FLAGS)
        try:
            before = os.fstat(handle)
            if not stat.S_ISREG(before.st_mode):
                raise Unread("source/kind", "a regular file", "something else")
            with open(handle, "rb", closefd=False) as opened:
                data = opened.read(MAX_BYTES + 1)
            after = os.fstat(handle)
        finally:
            os.close(handle)
    except (OSError, ValueError) as error:
        raise unreadable("source/file", "a readable file", error) from None
    same = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    whole = len(data) == min(before.st_size, MAX_BYTES + 1)
    return (data, before.st_size) if same and whole else None


def unpacked(path: str, raw: bytes) -> bytes:
    """The transcript in a file, up to one byte more than the limit."""
    if not path.endswith(".gz") or len(raw) > MAX_BYTES:
        return raw
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as packed:
            return packed.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise Unread("source/gzip", "a gzip of a transcript", str(error)) from None


def unreadable(code: str, expected: str, error: Exception) -> Unread:
    """What the system says."""
    return Unread(code, expected, getattr(error, "strerror", None) or str(error))
