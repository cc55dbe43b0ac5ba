"""The seal that somebody asks about, and where a transcript speaks of it (spec/tools.md)."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from .deal import tile_bytes, tile_set, written
from .hashing import u32
from .strictjson import Document
from .workings import Item

Event = dict[str, Any]
HAND_OVER = ("round_ended", "match_ended", "voided")


class NoSuchSeal(Exception):
    """(what was expected, what was asked for): the match has no such hand or position."""


class Things(NamedTuple):
    """What is washed: names, and the bytes that are sealed, in id order."""

    names: list[str]
    raw: list[bytes]


def things_of(row: dict[str, Any]) -> Things:
    """The tiles of a game, the things of a draw of an order; nothing for drawn numbers."""
    if row["id"] != "lots":
        tiles = tile_set(row["set"])
        return Things([written(tile) for tile in tiles], [tile_bytes(tile) for tile in tiles])
    n = row["n"] if row["kind"] == "order" else 0
    return Things([str(index) for index in range(n)], [u32(index) for index in range(n)])


def asked(seal: str) -> tuple[int | None, int]:
    """`ROUND:POSITION`, or a position alone; raises NoSuchSeal for another text."""
    found = re.fullmatch("(?:([0-9]{1,4}):)?([0-9]{1,4})", seal)
    if found is None:
        raise NoSuchSeal("ROUND:POSITION, as 3:17", seal)
    return None if found[1] is None else int(found[1]), int(found[2])


def numbered(word: str, value: int) -> Item:
    """An item of four bytes: "round 3", "position 17", "seat 0"."""
    return Item(f"{word} {value}", u32(value))


def place_of(event: Event) -> str:
    """An event, as comparisons name it."""
    return f"{event['type']}, event {event['seq']}"


class Sought:
    """One seal of a transcript of the right shape. Raises NoSuchSeal where there is none.

    sealing: the event that shows the seals of its hand, None before. later: the hand's events
    after that. mine: those of them that name this seal. root: W_r as published.
    """

    def __init__(self, document: Document, seal: str) -> None:
        self.events: list[Event] = document.value["events"]
        self.texts = document.texts
        first = self.events[0]
        self.match, self.opened = bytes.fromhex(first["match"]), first["data"]
        self.row: dict[str, Any] = self.opened["ruleset"]
        self.draw = self.row["id"] == "lots"
        self.things = things_of(self.row)
        self.n = len(self.things.names)
        r, self.position = asked(seal)
        if r is None and self.opened["rounds_max"] != 1:
            raise NoSuchSeal("ROUND:POSITION: the match may have several hands", seal)
        self.r = 1 if r is None else r
        self.root, self.root_place = self._root()
        if self.position >= self.n:
            raise NoSuchSeal(f"a position 0 to {self.n - 1}", f"position {self.position}")
        self.sealing, self.later = self._hand()
        self.mine = [one for one in self.later if one["data"].get("seal") == self.position]
        self.played = next((one for one in self.mine if one["type"] == "played"), None)

    @property
    def name(self) -> str:
        """The hand, in words."""
        return "the lead draw" if self.r == 0 else f"hand {self.r}"

    @property
    def complete(self) -> bool:
        """Whether the match is at its end."""
        return self.events[-1]["type"] in ("match_ended", "voided", "drawn")

    def _root(self) -> tuple[str, str]:
        washes, lead = self.opened["washes"], self.opened.get("lead_wash")
        if self.r == 0 and lead is not None:
            return lead, "lead_wash of opened, event 0"
        if 1 <= self.r <= len(washes):
            return washes[self.r - 1], f"washes[{self.r - 1}] of opened, event 0"
        hands = f"a hand 1 to {len(washes)}" if washes else "a match in which something is washed"
        lead_too = "" if lead is None else ", or 0 for the lead draw"
        raise NoSuchSeal(hands + lead_too, f"hand {self.r}")

    def _hand(self) -> tuple[Event | None, list[Event]]:
        for at, event in enumerate(self.events):
            data, kind = event["data"], event["type"]
            if (kind == "lead_drawn" and self.r == 0) or kind == "drawn":
                return event, []
            if kind == "dealt" and data["round"] == self.r:
                rest = self.events[at + 1 :]
                over = [k for k, one in enumerate(rest) if one["type"] in HAND_OVER]
                return event, rest[: over[0] + 1] if over else rest
        return None, []
