"""What can be asked of a match. Time, entropy and identity arrive as fields: the core has no hands.

`now` is milliseconds since 1970; ids, seeds and hashes are raw bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairbones.core.rules import Action, GiveAt


@dataclass(frozen=True, slots=True)
class Open:
    """A new match; `row` is complete (`rules.resolve`), `match` and `server_seed` are fresh.

    `reserved` are the invite hashes (32 bytes) of the seats that need an invitation.
    """

    now: int
    match: bytes
    server_seed: bytes = field(repr=False)
    key_id: str
    row: Mapping[str, object]
    seats: int
    rounds_max: int
    join_seconds: int
    reveal_seconds: int
    turn_seconds: int
    auto_forced: bool = True
    clear_seeds: bool = False
    reference: str | None = None
    reserved: Mapping[int, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat with a commitment or, where the match allows it, a clear seed.

    `invite` is the secret (16 to 64 bytes) of a reserved seat.
    """

    now: int
    seat: int
    name: str | None = None
    commitment: bytes | None = None
    client_seed: bytes | None = None
    invite: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Reveal:
    """Open a commitment, naming the seating it was made for (SPEC 10.4)."""

    now: int
    seat: int
    client_seed: bytes
    seated_hash: bytes


@dataclass(frozen=True, slots=True)
class Act:
    """One action of a seat; a gift may name the tile by its position, as a request does."""

    now: int
    seat: int
    action: Action | GiveAt


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat leaves for good."""

    now: int
    seat: int


@dataclass(frozen=True, slots=True)
class Touch:
    """Look at the clock: a deadline that has passed is applied, else nothing happens."""

    now: int


@dataclass(frozen=True, slots=True)
class LoseHistory:
    """Void a match because of a valid receipt for a head that is not in it (SPEC 8.7)."""

    now: int
    receipt: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The house cannot go on: void, and counted against it."""

    now: int


Command = Sit | Reveal | Act | Leave | Touch | LoseHistory | GiveUp
