"""The frozen state of a match: everything an event has told so far, and the house's secret.

Hands are derived from the secret and never stored (SPEC 4, 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fairbones.core.match.reservations import Reservation
from fairbones.core.protocol.cut import Cut
from fairbones.core.protocol.wash import Wash
from fairbones.core.rules import Hand, MatchEnd, Outcome, Rules, to_act

IDLE_LIMIT = 3  # turns in a row without an action of its own (SPEC 8.4, 8.5)


class Stage(StrEnum):
    """Where a match stands; the rows of the lifecycle table."""

    JOINING = "joining"
    REVEALING = "revealing"
    PLAYING = "playing"
    ENDED = "ended"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Terms:
    """What `opened` fixed for good. Times in milliseconds."""

    match: bytes
    opened_hash: bytes
    opened_at: int
    row: Mapping[str, object]
    rules: Rules
    seats: int
    rounds_max: int
    key_id: str
    auto_forced: bool
    clear_seeds: bool
    join_ms: int
    reveal_ms: int
    turn_ms: int
    close_by: int
    reserved: Mapping[int, Reservation]


@dataclass(frozen=True, slots=True)
class Seating:
    """A taken seat. `seed` is known once it was sent in the clear or revealed; a `public_key`
    signs everything that the seat says (SPEC 5.6).
    """

    name: str | None
    commitment: bytes | None
    seed: bytes | None
    public_key: bytes | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A hand in progress: its wash, its cut and the state of play.

    `position` maps a tile id to its place in the wash.
    """

    number: int
    seed: bytes = field(repr=False)
    wash: Wash = field(repr=False)
    cut: Cut
    position: Mapping[int, int] = field(repr=False)
    hand: Hand = field(repr=False)


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match after its event `seq`. `secret` is the server seed and stays out of every repr.

    `scores` are by side, with everything credited so far in the hand that is played (SPEC R9).
    """

    secret: bytes = field(repr=False)
    terms: Terms
    stage: Stage
    seq: int
    head: bytes
    at: int
    seatings: tuple[Seating | None, ...]
    scores: tuple[int, ...]
    idle: tuple[int, ...]
    left: frozenset[int] = frozenset()
    seated_hash: bytes = b""
    seated_at: int = 0
    cut_key: bytes = b""
    rounds: int = 0  # hands dealt so far
    round: Round | None = None
    drawn: int | None = None  # the seat that won the lead draw (SPEC 4.5)
    before: Outcome | None = None  # of the hand before; None: hand 1 is the next or the first
    match_end: MatchEnd | None = None  # owed or given
    waiting_since: int = 0
    fixed_due: bool = False  # `timed_out` stands, its action is owed
    missing: tuple[int, ...] | None = None  # of a void
    reason: str | None = None  # of a void

    @property
    def turn(self) -> int | None:
        """The seat to act (SPEC R6), while a hand is in progress."""
        return to_act(self.round.hand) if self.round is not None else None

    def key_of(self, seat: int) -> bytes | None:
        """The key of a seat; None without one, or while nobody sits there."""
        seating = self.seatings[seat]
        return seating.public_key if seating is not None else None

    def free_seats(self) -> tuple[int, ...]:
        """Seats nobody has taken."""
        return tuple(k for k, seating in enumerate(self.seatings) if seating is None)

    def unrevealed(self) -> tuple[int, ...]:
        """Seats that committed and have not revealed."""
        return tuple(
            k for k, seating in enumerate(self.seatings) if seating and seating.seed is None
        )
