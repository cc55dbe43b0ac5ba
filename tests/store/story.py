"""A small match as bytes, and the writes that tell it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fairbones.house.ports import Listing, Opening, SeatClaim, Standing, Step, Store, Stored, Whole


def match_id(number: int = 1) -> bytes:
    return number.to_bytes(16, "big")


def step(first_seq: int, events: int = 1, by: str = "") -> Step:
    bodies = tuple(f"event {seq} {by}".encode() for seq in range(first_seq, first_seq + events))
    return Step(first_seq, bodies, f"receipt {first_seq} {by}".encode())


def claim(seat: int, by: str = "") -> SeatClaim:
    return SeatClaim(seat, f"token {by}".encode(), f"request {by}".encode())


def opening(number: int = 1, key: tuple[str, bytes] | None = None) -> Opening:
    return Opening(match_id(number), b"sealed %d" % number, step(0), key)


def standing(status: str, taken: int = 1) -> Standing:
    return Standing(status, taken, 2 - taken)


def listing(ruleset: str = "block", join_by: int = 1_000, told: bytes = b"told") -> Listing:
    return Listing(ruleset, join_by, told, standing("joining"))


KEY = ("the-key", b"the-request")


@dataclass(frozen=True)
class Write:
    """One write of the story below: opens the match when `claimed` and `added` are no step."""

    added: Step
    claimed: SeatClaim | None = None
    moved: Standing | None = None

    def do(self, store: Store) -> None:
        if self.added.first_seq == 0:
            store.create(Opening(match_id(), b"sealed", self.added, KEY, listing()))
        else:
            store.append(match_id(), self.added, self.claimed, self.moved)


STORY: tuple[Write, ...] = (
    Write(step(0)),
    Write(step(1), claim(0)),
    Write(step(2, events=5), claim(1), standing("playing", 2)),
    Write(step(7, events=3)),
    Write(step(10), None, standing("ended", 2)),
)
# What is listed after so many writes of the story.
LISTED: tuple[list[Standing], ...] = (
    [],
    [standing("joining")],
    [standing("joining")],
    [standing("playing", 2)],
    [standing("playing", 2)],
    [standing("ended", 2)],
)


def told(writes: int) -> Stored | None:
    """What is kept after so many writes of the story."""
    if not writes:
        return None
    done = STORY[:writes]
    claims = tuple(write.claimed for write in done if write.claimed is not None)
    return Stored(match_id(), b"sealed", tuple(write.added for write in done), claims)


_STORED = told(len(STORY))
assert _STORED is not None
# All that is kept at the end of the story, once its match was looked at.
WHOLE = Whole(_STORED, KEY, replace(listing(), standing=LISTED[-1][0]), 1_790_000_000_000)
