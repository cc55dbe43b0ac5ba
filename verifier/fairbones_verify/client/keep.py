"""The keep: one file with all that a seat must not lose (SPEC 10, C2).

It holds secrets, so it is for its owner alone. It is written whole, beside the old one, and then
put in its place: before anything is sent, what is sent is on the disk.
"""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..sources import loose
from .guard import Guard
from .sayings import Sayings
from .signing import public_key

Json = dict[str, Any]
FORMAT = "fairbones-keep/1"


class NoKeep(Exception):
    """The file is no keep, or cannot be read or written."""


@dataclass
class Keep:
    """url, match, seat, name: where the seat is. house_keys: pinned, or the first that was named.

    seed, token, secret_key: 32 bytes in hex, a text, 32 bytes in hex or "" for none. sent: the
    requests, as `Sayings` has them. receipts, contrary: every receipt. openings: by hand, what the
    seat was shown.
    """

    path: Path
    url: str
    match: str
    seat: int
    name: str = ""
    invite: str = field(default="", repr=False)
    house_keys: list[str] = field(default_factory=list)
    seed: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    secret_key: str = field(default_factory=lambda: secrets.token_hex(32), repr=False)
    sent: Json = field(default_factory=dict)
    receipts: list[Json] = field(default_factory=list)
    contrary: list[Json] = field(default_factory=list)
    openings: list[Json] = field(default_factory=list)

    @classmethod
    def load(cls, path: Path) -> Keep:
        """A keep that was written before."""
        try:
            value = loose(path.read_bytes())
        except OSError as error:
            raise NoKeep(f"{path}: {error.strerror}") from None
        if not isinstance(value, dict) or value.pop("format", None) != FORMAT:
            raise NoKeep(f"{path}: not a {FORMAT} file")
        try:
            kept = cls(path, **value)
            bytes.fromhex(kept.match + kept.seed + kept.secret_key + "".join(kept.house_keys))
        except (TypeError, ValueError):
            raise NoKeep(f"{path}: not a {FORMAT} file that this version knows") from None
        return kept

    def save(self) -> None:
        """Write it: whole or not at all, for its owner alone."""
        value = {"format": FORMAT, **asdict(self)}
        del value["path"]
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            # The mode is that of a new file; an old one of this name would keep its own.
            beside.unlink(missing_ok=True)
            file = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w", encoding="ascii") as opened:
                json.dump(value, opened, indent=1)
                opened.write("\n")
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(beside, self.path)
            folder = os.open(self.path.parent, os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
        except OSError as error:
            raise NoKeep(f"{self.path}: {error.strerror}") from None

    @property
    def secret(self) -> bytes | None:
        """The seat's own secret key, if it has one."""
        return bytes.fromhex(self.secret_key) or None

    def guard(self) -> Guard:
        """A client's memory with everything in it that was kept."""
        public = public_key(self.secret) if self.secret else b""
        mine = Sayings(self.seat, bytes.fromhex(self.seed), self.name, public)
        mine.seated, mine.seeded = self.sent.get("seat", {}), self.sent.get("seed", {})
        mine.left = self.sent.get("leave")
        for body in self.sent.get("actions", []):
            mine.actions.setdefault(body["seq"], []).append(body)
        guard = Guard(self.match, mine, self.house_keys)
        guard.chronicle.receipts = {one["seq"]: one for one in self.receipts}
        guard.chronicle.contrary = list(self.contrary)
        guard.remember(self.openings)
        return guard

    def note(self, guard: Guard) -> None:
        """Take over what the guard knows by now."""
        mine, chronicle = guard.mine, guard.chronicle
        assert mine is not None
        actions = [body for seq in sorted(mine.actions) for body in mine.actions[seq]]
        self.sent = {"seat": mine.seated, "seed": mine.seeded, "actions": actions}
        if mine.left is not None:
            self.sent["leave"] = mine.left
        self.receipts = [chronicle.receipts[seq] for seq in sorted(chronicle.receipts)]
        self.contrary = list(chronicle.contrary)
        if not self.house_keys and chronicle.key is not None:
            self.house_keys = [chronicle.key.hex()]
        self.openings = guard.openings()
