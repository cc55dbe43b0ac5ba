"""What the events have said so far, and what SPEC 8 and 9.3 derive from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from . import deal
from .codes import CAUSE, NUMBER
from .deal import Tile, Wash
from .games.hand import Hand
from .games.lead import Before
from .hashing import digest
from .report import Failure

Event = dict[str, Any]


class Refuted(Exception):
    """The first failure, which ends the pass."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.code)
        self.failure = failure


class Table:
    """The state of a match between two events, and the one place where a check fails.

    `events` have the right shape; `hashes` are theirs; `match_key` is the house's key for this
    match, where known; `without` are the codes of checks that are switched off.
    """

    def __init__(
        self,
        events: list[Event],
        hashes: list[bytes],
        match_key: bytes | None = None,
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.events, self.hashes = events, hashes
        self.match_key, self.without = match_key, without
        # 9.9: the tiles that a seat shows beside the transcript, by hand and position.
        self.shown: dict[int, dict[int, Tile]] = {}
        self.i = 0
        self.stage = "start"
        self.opened: dict[str, Any] = {}
        self.row: dict[str, Any] = {}
        self.seats = 0
        self.opened_at = self.seated_at = self.waiting_since = 0
        self.seated: dict[int, dict[str, Any]] = {}
        # 5.6: the seats that have a key; None where it is none that may be relied on (303).
        self.keys: dict[int, bytes | None] = {}
        self.seeds: dict[int, bytes] = {}
        self.seated_hash = b""
        self.cut_key = b""
        self.round = 0
        self.hand: Hand | None = None
        self.ended = ""  # the reason of the last round_ended
        self.before: Before | None = None  # what the next lead depends on (R4)
        self.drawn_lead: int | None = None  # the seat of `lead_drawn`
        self.scores: list[int] = []
        self.left: set[int] = set()
        self.idle: list[int] = []
        self.owed: int | None = None  # the seat whose move must follow its timed_out
        self.proved: list[int] = []
        self.open: list[int] = []
        self.forced_steps = self.plays = 0

        first = events[0]
        self.match = bytes.fromhex(first["match"])
        self.server_seed: bytes | None = None
        seed = events[-1]["data"].get("server_seed")
        if seed is not None and first["type"] == "opened":
            raw = bytes.fromhex(seed)
            if digest("server-seed", self.match, raw).hex() == first["data"]["server_seed_hash"]:
                self.server_seed = raw
        # 9.3: of each hand the first. The lead draw needs none of it: its one event shows its seed.
        self.round_seeds: dict[int, bytes] = {}
        for event in events:
            if event["type"] == "round_ended":
                raw = bytes.fromhex(event["data"]["round_seed"])
                self.round_seeds.setdefault(event["data"]["round"], raw)
        self.washes: dict[tuple[int, bytes], Wash] = {}

    def fail(self, code: str, expected: object, got: object, where: str = "") -> None:
        """A check failed: the pass ends here, unless this check is switched off."""
        # Without an `opened` there is nothing to go on with.
        if code in self.without and code != "order/first":
            return
        seq: int | None = None
        if NUMBER[code] < 800:
            seq = self.i
            name = self.events[seq]["type"] if seq < len(self.events) else "missing"
            where = f"event {seq} ({name})"
        got = "nothing" if got is None else got
        expected = "nothing" if expected is None else expected
        number, cause = NUMBER[code], CAUSE[code]
        raise Refuted(Failure(code, number, where, str(expected), str(got), cause, seq))

    def check(
        self, code: str, expected: Any, got: Any, words: Callable[[Any], object] | None = None
    ) -> None:
        """The usual check: what is expected must stand there. `words` says either to people."""
        if expected != got:
            said = (expected, got) if words is None else (words(expected), words(got))
            self.fail(code, *said)

    # Who is who, in words

    def who(self, seat: int) -> str:
        """A seat, with its name where it has one."""
        name = self.seated.get(seat, {}).get("name")
        return f"seat {seat}" + (f" ({name})" if name else "")

    def side(self, side: int | None) -> str:
        """A side: the seat itself, or the partners."""
        if side is None:
            return "nobody"
        if not self.row.get("partners"):
            return self.who(side)
        # Names have no spaces; a side that there is not has no seats.
        names = [self.who(seat)[5:] for seat in range(side, self.seats, 2)] if side < 2 else []
        return f"side {side}" + (f" (seats {', '.join(names)})" if names else "")

    def by_seat(self, numbers: Sequence[int]) -> str:
        """One number for each seat."""
        return ", ".join(f"{self.who(seat)}: {number}" for seat, number in enumerate(numbers))

    def by_side(self, numbers: Sequence[int]) -> str:
        """One number for each side."""
        return ", ".join(f"{self.side(side)}: {number}" for side, number in enumerate(numbers))

    # What was washed (SPEC 4, 9.3)

    @property
    def draw(self) -> bool:
        """Whether this is a draw without a game (section 11)."""
        return bool(self.row["id"] == "lots")

    def tiles(self) -> list[Tile]:
        """The tiles of a hand in id order; no published ruleset sets any aside (4.3)."""
        return deal.tile_set(self.row["set"])

    def wash_under(self, r: int, seed: bytes) -> Wash:
        """The wash of hand r under a round seed."""
        if (r, seed) not in self.washes:
            things = [deal.tile_bytes(tile) for tile in self.tiles()]
            self.washes[r, seed] = deal.wash(self.match, seed, r, things)
        return self.washes[r, seed]

    def wash(self, r: int) -> Wash | None:
        """The wash of hand r where it is known: from S, or from a round seed that fits `W_r`."""
        if self.server_seed is not None:
            return self.wash_under(r, deal.round_seed(self.server_seed, self.match, r))
        if r not in self.round_seeds or self.root(r) is None:
            return None
        washed = self.wash_under(r, self.round_seeds[r])
        return washed if washed.root.hex() == self.root(r) else None

    def root(self, r: int) -> str | None:
        """The root that was announced for hand r (0: the lead draw), where one was."""
        if r == 0:
            return self.opened.get("lead_wash")
        roots: list[str] = self.opened["washes"]
        return roots[r - 1] if r <= len(roots) else None

    # What is owed, and who is waited for (SPEC 8.2, 8.4, 8.5)

    def must_abandon(self) -> bool:
        """8.5: every seat has three moves behind it that were not its own."""
        return (
            self.hand is not None
            and self.owed is None
            and self.hand.over() is None
            and min(self.idle) >= 3
        )

    def must_step(self) -> list[int]:
        """The seat whose next move is the house's to make by the fixed rule, if there is one.

        Two where it cannot be told which of them is to act. 8.5 goes before it: a match that must
        be abandoned has no further steps of seats that left.
        """
        if self.owed is not None:
            return [self.owed]
        actors = [] if self.hand is None else self.hand.actors()
        return actors if self.left.issuperset(actors) and not self.must_abandon() else []

    def calls_wait(self) -> bool:
        """8.8: whether a step of the house has to wait here until nobody may call any more.

        Seats need not: to them the match waits as ever.
        """
        return (
            self.hand is not None
            and self.hand.window is not None
            and self.owed is None
            and self.hand.over() is None
            and not self.must_abandon()
        )

    def must_force(self) -> str | None:
        """The draw or pass the house must append, as far as the tiles are known."""
        if self.hand is None or not self.opened["auto_forced"]:
            return None
        step = self.hand.forced()
        return None if step is None else step.type

    def waits(self) -> bool:
        """Whether the match waits for the seat to act: a hand runs and nothing is owed."""
        return (
            self.hand is not None
            and self.hand.over() is None
            and not self.must_step()
            and not self.must_abandon()
            and self.must_force() is None
        )

    def deadline(self, asks: int) -> int:
        """8.4: until when the seat to act may act; `asks`, if it may be that one (R6).

        Where two may be it the seat on turn stands for both against anybody else.
        """
        actors = [asks] if self.hand is None else self.hand.actors()
        slow = self.idle[asks if asks in actors else actors[0]] >= 3
        due = self.waiting_since + (1000 if slow else 1000 * int(self.opened["turn_seconds"]))
        return max(due, self.calls_until()) if self.calls_wait() else due

    def calls_until(self) -> int:
        """8.8: until when the house closes no window of calls (the last event but calls and
        leavings is a play, and the wait began with it)."""
        return self.waiting_since + 1000 * int(self.row["call_seconds"])

    def is_fixed(self, event: Event) -> bool:
        """Whether a move was made for its seat: after timed_out, or since it has left."""
        return self.owed is not None or event["data"]["seat"] in self.left

    def is_own(self, event: Event) -> bool:
        """8.2: whether a move or a call is a seat's own action and not the house's step."""
        name = event["type"]
        forced = name in ("drew", "passed") and self.opened["auto_forced"]
        return name == "called" or (not forced and not self.is_fixed(event))
