"""The keep: one file with all that a seat must not lose (SPEC 10, C2).

It holds secrets, so it is for its owner alone. It is written whole, beside the old one, and then
put in its place: before anything is sent, what is sent is on the disk.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..receipts import pin
from ..sources import loose
from . import keepform
from .guard import Guard
from .sayings import Sayings
from .signing import public_key

Json = dict[str, Any]
FORMAT = "fairbones-keep/1"


class NoKeep(Exception):
    """The file is no keep, or cannot be read or written."""


@dataclass
class Keep:
    """url, match, seat, name: where the seat is.

    pinned: keys of the house that were given from elsewhere. first_named: the key of the match, ""
    before it is known. Each holds the chain (C2); but what the house named is its own word.

    seed, token, secret_key: 32 bytes in hex, a text, 32 bytes in hex or "" for none. sent: the
    requests, as `Sayings` has them. receipts, contrary: every receipt. openings: by hand, what the
    seat was shown.

    Not in the file. against: keys that were given, and the match has another. moved: an address
    that is taken over once the match is found there.
    """

    path: Path
    url: str
    match: str
    seat: int
    name: str = ""
    invite: str = field(default="", repr=False)
    pinned: list[str] = field(default_factory=list)
    first_named: str = ""
    seed: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    secret_key: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    sent: Json = field(default_factory=dict)
    receipts: list[Json] = field(default_factory=list)
    contrary: list[Json] = field(default_factory=list)
    openings: list[Json] = field(default_factory=list)
    against: list[str] = field(default_factory=list, init=False, repr=False, compare=False)
    moved: str = field(default="", init=False, repr=False, compare=False)

    @classmethod
    def load(cls, path: Path) -> Keep:
        """A keep that was written before; `NoKeep` says what is wrong with it."""
        try:
            value = loose(path.read_bytes())
        except (OSError, ValueError) as error:
            raise NoKeep(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise NoKeep(f"{path}: not a {FORMAT} file")
        written = value.pop("sha256", None)  # absent: of an earlier version
        if written is not None and written != keepform.checksum(value):
            raise NoKeep(f"{path}: changed or damaged since it was written")
        del value["format"]
        value = keepform.of_before(value)
        flaw = keepform.wrong(value)
        if flaw is not None:
            raise NoKeep(f"{path}: not a {FORMAT} file that this version knows: {flaw}")
        return cls(path, **value)

    def value(self) -> Json:
        """The members of the file."""
        value = {"format": FORMAT, **asdict(self)}
        for name in ("path", "against", "moved"):
            del value[name]
        return {**value, "sha256": keepform.checksum(value)}

    def save(self) -> None:
        """Write it: whole or not at all, for its owner alone."""
        try:
            replace(self.path, json.dumps(self.value(), indent=1) + "\n")
        except (OSError, ValueError) as error:
            raise NoKeep(f"{self.path}: {getattr(error, 'strerror', None) or error}") from None

    @property
    def house_keys(self) -> list[str]:
        """The keys that the chain is held to: those that were given, else the first that was
        named."""
        return self.pinned or [one for one in (self.first_named,) if one]

    def pin(self, keys: list[str]) -> None:
        """Keys of the house that are given now. Where the match is known to have another, they stay
        out of the file, and the match is not in order (C2, `key/other`)."""
        all_of_them = list(dict.fromkeys([*self.pinned, *(one.lower() for one in keys)]))
        if self.first_named and self.first_named not in all_of_them:
            self.against = all_of_them
        else:
            self.pinned = all_of_them

    @property
    def spoken(self) -> bool:
        """Whether the house may have taken something that this seat said."""
        return bool(self.sent.get("seat")) and self.sent.get("answer") != "refused"

    @property
    def secret(self) -> bytes | None:
        """The seat's own secret key, if it has one."""
        return bytes.fromhex(self.secret_key) or None

    def guard(self) -> Guard:
        """A client's memory with everything in it that was kept."""
        public = public_key(self.secret) if self.secret else b""
        mine = Sayings(self.seat, bytes.fromhex(self.seed), self.name, public)
        mine.seated, mine.seeded = self.sent.get("seat", {}), self.sent.get("seed", {})
        mine.left, mine.answer = self.sent.get("leave"), self.sent.get("answer", "")
        for body in self.sent.get("actions", []):
            mine.actions.setdefault(body["seq"], []).append(body)
        guard = Guard(self.match, mine, self.against or self.pinned)
        guard.chronicle.first = pin([self.first_named] if self.first_named else [])
        guard.chronicle.receipts = {one["seq"]: one for one in self.receipts}
        guard.chronicle.contrary = list(self.contrary)
        guard.remember(self.openings)
        return guard

    def note(self, guard: Guard) -> None:
        """Take over what the guard knows by now."""
        mine, chronicle = guard.mine, guard.chronicle
        assert mine is not None
        actions = [body for seq in sorted(mine.actions) for body in mine.actions[seq]]
        self.sent = {"seat": mine.seated, "answer": mine.answer}
        self.sent.update(seed=mine.seeded, actions=actions)
        if mine.left is not None:
            self.sent["leave"] = mine.left
        self.receipts = [chronicle.receipts[seq] for seq in sorted(chronicle.receipts)]
        self.contrary = list(chronicle.contrary)
        named = next((one["key_id"] for one in chronicle.receipts.values()), "")
        key = chronicle.key or chronicle.known(named)
        if not self.first_named and key is not None and chronicle.receipts:
            self.first_named = key.hex()
        if self.moved and chronicle.covered(chronicle.head):
            self.url, self.moved = self.moved, ""
        self.openings = guard.openings()


def replace(path: Path, text: str, *, new: bool = False) -> None:
    """Write a file beside and put it in its place, for its owner alone: no moment has half of it.

    new: only where there is none (else FileExistsError).
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    # The mode is that of a new file; an old one of this name would keep its own.
    beside.unlink(missing_ok=True)
    file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(file, "w", encoding="ascii") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        if not new:
            os.replace(beside, path)
            return
        try:
            os.link(beside, path)
        except FileExistsError:
            raise
        except (OSError, AttributeError):  # a file system without hard links
            os.replace(beside, path)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink()
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
