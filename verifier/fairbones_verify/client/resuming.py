"""A keep, and what the command line says of the same seat (spec/client.md)."""

from __future__ import annotations

import contextlib
import re
import secrets
from argparse import Namespace
from pathlib import Path

from .keep import Keep, NoKeep, replace


def begun(path: Path, given: Namespace, keys: list[str]) -> Keep:
    """The keep of `play`, with what is given: a new one, or the one that is there."""
    try:
        there = path.exists()
    except (OSError, ValueError) as error:
        raise NoKeep(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if not there:
        kept = Keep(path, given.url, given.match, given.seat, given.name, given.invite, keys)
        if given.key_file or given.no_key:
            kept.secret_key = secret_key(Path(given.key_file)) if given.key_file else ""
        kept.save()
        return kept
    kept = Keep.load(path)
    if (kept.match, kept.seat) != (given.match, given.seat):
        raise NoKeep(f"{path}: of another match or another seat")
    _agreed(kept, given)
    kept.pin(keys)
    kept.save()
    return kept


def _agreed(kept: Keep, given: Namespace) -> None:
    """What the house may have taken stays as it is; before that everything may still be changed."""
    if kept.spoken:
        _contradicted(kept, given)
        kept.moved = given.url if given.url != kept.url else ""
        return
    kept.url = given.url
    kept.name, kept.invite = given.name or kept.name, given.invite or kept.invite
    if given.key_file or given.no_key:
        secret = secret_key(Path(given.key_file)) if given.key_file else ""
        if secret != kept.secret_key:  # what was refused was said with another key
            kept.secret_key, kept.sent = secret, {}


def _contradicted(kept: Keep, given: Namespace) -> None:
    for option, said, stands in (
        ("--name", given.name, kept.name),
        ("--invite", given.invite, kept.invite),
    ):
        if said and said != stands:
            raise NoKeep(f"{kept.path}: the seat was asked for with another {option}, or none")
    if given.no_key and kept.secret_key:
        raise NoKeep(f"{kept.path}: the seat has a key, so --no-key comes too late")
    if given.key_file:
        path = Path(given.key_file)
        if not path.exists() or secret_key(path) != kept.secret_key:
            raise NoKeep(f"{kept.path}: the seat was asked for with another key than --key-file's")


def secret_key(path: Path) -> str:
    """64 hex digits; made, for their owner alone, where there is no such file."""
    try:
        if not path.exists():
            # Another process may be faster; one key is as good as another.
            with contextlib.suppress(FileExistsError):
                replace(path, secrets.token_hex(32) + "\n", new=True)
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except (OSError, ValueError) as error:
        raise NoKeep(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise NoKeep(f"{path}: a secret key is 64 hex digits")
    return text
