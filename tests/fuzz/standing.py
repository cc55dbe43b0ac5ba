"""A service with three matches at their places, set back to them whenever something was granted.

So every request meets the same: one match in play, one that waits for seats, one that is over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from fairbones.api.front import set_up
from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.core.protocol.invites import invite_hash
from fairbones.house.service import House
from fairbones.keys.signer import ReceiptSigner
from fairbones.keys.vault import SeedVault
from tests.api.table import Game, Table, event_hash, key_of, token_of
from tests.house.memory_store import MemoryStore

INVITE = bytes(range(16))
# Waiting costs nothing here: whether it is done right, other tests say.
LIMITS = Limits(wait_max=0.004)
_DAY = 86_400
_PATIENT = {"turn_seconds": _DAY, "join_seconds": _DAY, "reveal_seconds": _DAY}
PLAYING = {"ruleset": "draw", "seats": 3, "rounds_max": 2, "reference": "<b>&", **_PATIENT}
JOINING = {
    "ruleset": "all-fives",
    "seats": 4,
    "rounds_max": 1,
    "clear_seeds": True,
    "reserved": [
        {"seat": 2, "invite_hash": invite_hash(INVITE).hex()},
        {"seat": 3, "public_key": key_of(3).public.hex()},
    ],
    **_PATIENT,
}
OVER = {"ruleset": "block", "seats": 2, "rounds_max": 1}


class Remembered(Table):
    """A table whose store is in memory."""

    def __post_init__(self) -> None:
        self.kept = MemoryStore()
        self._vault = SeedVault((bytes(range(32)),), entropy=self._chance)
        self._signer = ReceiptSigner((bytes(range(32, 64)),))
        self.house = self._house()
        self.app = build_api(self.house, self.limits)
        self.client = self.app.test_client()

    def _house(self) -> House:
        return House(self.kept, self._vault, self._signer, lambda: self.now, self._chance)

    def _chance(self, n: int, /) -> bytes:
        self.drawn += 1
        return hashlib.sha256(b"chance %d" % self.drawn).digest()[:n]

    def forget(self) -> None:
        """A house that remembers nothing, on the store as it is."""
        self.house = self._house()
        set_up(self.app, self.house, self.limits)


class Standing:
    """The service, and what stands for its ids, hashes and tokens in an input."""

    def __init__(self) -> None:
        self.table = Remembered(Path(), LIMITS)
        self.playing = Game(self.table, PLAYING, signed=(1,)).start()
        while self.playing.view()["turn"] == 1:
            self.playing.play_turn()
        self.joining = Game(self.table, JOINING)
        self.joining.sit(0)
        over = Game(self.table, OVER).start()
        while not over.over:
            over.play_turn()
        self._matches = {it: replace(kept, steps=list(kept.steps), claims=dict(kept.claims))
                         for it, kept in self.table.kept.matches.items()}  # fmt: skip
        self._now, self._drawn = self.table.now, self.table.drawn
        self.words = {
            b"@playing": self.playing.address.encode(),
            b"@joining": self.joining.address.encode(),
            b"@over": over.address.encode(),
            b"@head": event_hash(self.playing.events[-1]).encode(),
            b"@seq": b"%d" % len(self.playing.events),
            b"@turn": token_of(self.playing.view()["turn"]).encode(),
            b"@match": self.playing.events[0]["match"].encode(),
            **{b"@token%d" % seat: token_of(seat).encode() for seat in range(4)},
        }
        self.legal = self.playing.view(self.playing.view()["turn"])["you"]["legal_actions"]
        self.events = self.count()
        self.set_back()

    def count(self) -> int:
        """How many events there are in all matches, and so whether anything was appended."""
        return sum(match.next_seq for match in self.table.kept.matches.values())

    def set_back(self) -> None:
        """As if nothing had been asked."""
        kept = self.table.kept
        kept.matches = {
            it: replace(match, steps=list(match.steps), claims=dict(match.claims))
            for it, match in self._matches.items()
        }
        kept._keys.clear()
        self.table.now, self.table.drawn = self._now, self._drawn
        self.table.forget()

    def filled(self, data: bytes) -> bytes:
        """An input with ids, hashes and tokens in their places."""
        for word, value in self.words.items():
            data = data.replace(word, value)
        return data


@cache
def standing() -> Standing:
    """One for all inputs."""
    return Standing()


def words() -> Iterator[bytes]:
    """What an input may say in place of what is other in every match."""
    yield from standing().words
