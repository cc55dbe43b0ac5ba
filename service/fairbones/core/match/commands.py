"""What can be asked of a match. Time, entropy and identity arrive as fields: the core has no hands.

`now` is milliseconds since 1970; ids, seeds, hashes, keys and signatures are raw bytes. What a seat
says carries its signature, which is due when the seat has a key (SPEC 5.6).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fairbones.core.match.reservations import Reservation
from fairbones.core.rules import Action, GiveAt


@dataclass(frozen=True, slots=True)
class Open:
    """A new match; `row` is complete (`rules.resolve`), `match` and `server_seed` are fresh.

    `reserved` says for whom seats are kept.
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
    reserved: Mapping[int, Reservation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sit:
    """Take a seat with a commitment or, where the match allows it, a clear seed.

    `invite` is the secret (16 to 64 bytes) of a seat that needs an invitation. With `public_key`
    the seat has a key from now on.
    """

    now: int
    seat: int
    name: str | None = None
    commitment: bytes | None = None
    client_seed: bytes | None = None
    invite: bytes | None = field(default=None, repr=False)
    public_key: bytes | None = None
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reveal:
    """Open a commitment, naming the seating it was made for (SPEC 10.4)."""

    now: int
    seat: int
    client_seed: bytes
    seated_hash: bytes
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """One action of a seat; a gift may name the tile by its position, as a request does.

    `written` is the JSON object of the action as it was sent: a signature is over its very form.
    """

    now: int
    seat: int
    action: Action | GiveAt
    written: Mapping[str, object] = field(default_factory=dict)
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A seat leaves for good."""

    now: int
    seat: int
    signature: bytes | None = None


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
