"""The password of a store in a file of its own, and URLs without theirs."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from fairbones.core.errors import FairbonesError

_PASSWORD_MAX = 4_096
_WITH_PASSWORD = re.compile(r"[a-z+]+://[^/@]*:[^/@]+@.*", re.DOTALL)
_USER = re.compile(r"://[^/@]*@")


def has_password(store: str) -> bool:
    """Whether a store's URL carries a password."""
    return _WITH_PASSWORD.match(store) is not None


def shown(store: str) -> str:
    """A store's URL without user, password and options, for people and logs."""
    return _USER.sub("://", store).partition("?")[0]


def read_password(path: Path) -> str:
    """The first line of the file; `FairbonesError("config/password-file")` in one sentence.

    The file has to be a regular one that nobody but its owner and its group may read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise _refusal(path, f"cannot be read ({error.strerror}); name a file that can") from None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise _refusal(path, "is not a file; name one that holds the password")
        if status.st_mode & stat.S_IRWXO:
            raise _refusal(path, "can be read by everybody; run `chmod o= FILE` on it")
        text = os.read(handle, _PASSWORD_MAX + 1)
    finally:
        os.close(handle)
    lines = text.splitlines()
    if len(lines) != 1 or not lines[0] or len(text) > _PASSWORD_MAX:
        raise _refusal(path, "has to hold one line, which is the password")
    try:
        return lines[0].decode()
    except UnicodeDecodeError:
        raise _refusal(path, "has to hold UTF-8 text") from None


def _refusal(path: Path, words: str) -> FairbonesError:
    return FairbonesError("config/password-file", f"FAIRBONES_STORE_PASSWORD_FILE: {path} {words}.")
