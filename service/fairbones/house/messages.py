"""What goes into a use case and what comes out: plain values, no HTTP, no storage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fairbones.core.match import Reservation


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """Parameters of a new match; ranges are those of SPEC 7 (`opened`).

    `listed` False keeps it out of every list. `reserved` says for whom seats are kept.
    """

    ruleset: str
    seats: int
    options: Mapping[str, object] = field(default_factory=dict)
    rounds_max: int = 32
    turn_seconds: int = 60
    join_seconds: int = 600
    reveal_seconds: int = 120
    auto_forced: bool = True
    clear_seeds: bool = False
    reference: str | None = None
    listed: bool = True
    reserved: Mapping[int, Reservation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SitRequest:
    """Exactly one of `commitment` and `client_seed` (32 bytes each).

    `invite` is the secret (16 to 64 bytes) of a seat that needs an invitation. `public_key` and
    `signature` (32 and 64 bytes): both or neither (SPEC 5.6).
    """

    seat: int
    name: str | None = None
    commitment: bytes | None = None
    client_seed: bytes | None = None
    invite: bytes | None = field(default=None, repr=False)
    public_key: bytes | None = None
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class ListRequest:
    """One page of the list of matches; `cursor` as the page before gave it."""

    limit: int
    status: str | None = None
    ruleset: str | None = None
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class ActRequest:
    """One action; `seq` is the number its event will have.

    `action` is the JSON object as sent. `prev` is the head hash the client acted on, `receipt` the
    JSON object it holds for it; both optional. `signature` is of a seat with a key (SPEC 5.6).
    """

    seq: int
    action: Mapping[str, object]
    prev: bytes | None = None
    receipt: Mapping[str, object] | None = None
    signature: bytes | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A new match, or the one an idempotency key named before (`created` False)."""

    match_id: bytes
    event: bytes
    receipt: bytes
    created: bool


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches, the newest first, JSON-ready; without `cursor` there are no more.

    `now` is the house's clock, which a `deadline` among them is measured by.
    """

    items: Sequence[Mapping[str, object]]
    now: int
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a PUT, POST or DELETE on a match answers: canonical JSON pieces.

    `events` are the ones the request appended (or, for a repeated request, had appended then);
    `receipt` and `view` are for the head of that step.
    """

    events: tuple[bytes, ...]
    receipt: bytes
    view: Mapping[str, object]
    appended: bool = True


@dataclass(frozen=True, slots=True)
class Shown:
    """A view with what an edge needs for its headers: `seat` is None for the public view."""

    view: Mapping[str, object]
    receipt: bytes
    head_hash: bytes
    seat: int | None


@dataclass(frozen=True, slots=True)
class Followed:
    """Events after a seq, the head and its receipt. `events` may be empty after a wait.

    `over`: nothing will ever follow this head.
    """

    events: tuple[bytes, ...]
    head_seq: int
    head_hash: bytes
    receipt: bytes
    over: bool = False
