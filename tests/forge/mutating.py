"""Every field of a transcript changed, one at a time, chained and signed anew.

Each is given another value, another type, left out, said twice in the text, and beside it stands
what does not belong there. What a seat with a key has said is changed under its old signature,
as a house would, and under a new one, as a house could with that seat; later seats sign on the
changed chain. `mutated_papers` does the same with receipt, keys and the document itself.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.forge.mutable import Path, added, alike, changes, places, reordered, stretched
from tests.forge.paper import Json, bundle, event_hash, receipt, relink, spell
from tests.forge.resigning import Keys, carry_on, sign

NOBODY: Keys = {}
TWICE = "format/duplicate-key"


@dataclass(frozen=True, slots=True)
class Mutation:
    """One changed transcript: the event, the path inside it, and what was done there."""

    seq: int
    type: str
    path: Path
    kind: str
    write: Callable[[], bytes]  # made only when it is asked for
    may_pass: bool = False
    code: str | None = None  # of the one check that has to find it, where that is known

    @property
    def data(self) -> bytes:
        """The transcript."""
        return self.write()

    def __str__(self) -> str:
        return f"event {self.seq} ({self.type}) {'.'.join(map(str, self.path))}: {self.kind}"


def mutations(events: Sequence[Json], keys: Keys = NOBODY) -> Iterator[Mutation]:
    """All of them; `events` are an honest match, `keys` those of its seats."""
    make = partial(made, events, keys)
    for seq, event in enumerate(events):
        for path, value in places(event):
            for kind, changed in changes(path, value):
                yield make(seq, path, kind, changed)
            yield make(seq, path, "absent", None)
            if isinstance(path[-1], str):
                yield from twice(events, seq, path, value)
            if "signature" in event["data"] and path != ("data", "signature"):
                for changed in alike(path, value):
                    if changed != value:
                        kind = f"{json.dumps(changed)[:40]}, signed anew"
                        yield make(seq, path, kind, changed, anew=True)
        for path, value in added(event):
            yield make(seq, path, "added", value)
        for kind, other in borrowed(events, seq):
            yield make(seq, ("data", "signature"), kind, other)
    yield from moved(events, keys)


def made(
    events: Sequence[Json],
    keys: Keys,
    seq: int,
    path: Path,
    kind: str,
    value: Any,
    *,
    anew: bool = False,
) -> Mutation:
    """One place of one event set, left out (`absent`) or added."""
    fine = tolerated(events, seq, path, value, anew=anew)
    write = partial(changed_at, events, keys, seq, path, kind, value, anew)
    return Mutation(seq, events[seq]["type"], path, kind, write, fine)


def changed_at(
    events: Sequence[Json], keys: Keys, seq: int, path: Path, kind: str, value: Any, anew: bool
) -> bytes:
    """The transcript with that change, and everybody after it going on from there."""
    changed = copied(events, seq)
    inner: Any = changed[seq]
    for key in path[:-1]:
        inner = inner[key]
    if kind == "absent":
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    if anew:
        sign(changed, seq, keys)
    if isinstance(changed[seq].get("type"), str):
        carry_on(changed, keys, seq + 1)
    return written(events, changed)


def copied(events: Sequence[Json], seq: int) -> list[Json]:
    """The events to be changed: one of them anywhere, of the others what `carry_on` writes."""
    copies = [{**event, "data": {**event["data"]}} for event in events]
    copies[seq] = copy.deepcopy(events[seq])
    return copies


def written(events: Sequence[Json], changed: Sequence[Json]) -> bytes:
    """Signed for the match it is of, whatever the changed event says."""
    last = len(changed) - 1
    return spell(bundle(changed, receipt(events[0]["match"], last, event_hash(changed[last]))))


def borrowed(events: Sequence[Json], seq: int) -> Iterator[tuple[str, str]]:
    """Other signatures for an event that has one: those around it, and a second spelling."""
    data = events[seq]["data"]
    if "signature" not in data:
        return
    yield "S + L", stretched(data["signature"])
    for other in (*events[:seq][-2:], *events[seq + 1 :][:2]):
        if "signature" in other["data"]:
            yield f"the signature of event {other['seq']}", other["data"]["signature"]


def twice(events: Sequence[Json], seq: int, path: Path, value: Any) -> Iterator[Mutation]:
    """A member said twice in the text: with the same value, and with another before or behind."""
    others = [other for other in alike(path, value) if other != value][:1] or [1]
    for kind, said in (
        ("twice", (value, value)),
        ("twice, first otherwise", (others[0], value)),
        ("twice, then otherwise", (value, others[0])),
    ):
        write = partial(said_twice, events, seq, path, said)
        yield Mutation(seq, events[seq]["type"], path, kind, write, code=TWICE)


def said_twice(events: Sequence[Json], seq: int, path: Path, said: tuple[Any, Any]) -> bytes:
    """The transcript with that member in the text two times, one right after the other."""
    marked = copied(events, seq)
    inner: Any = marked[seq]
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = "zzz_twice"
    name = str(path[-1])
    first, second = (spell({name: value})[1:-1] for value in said)
    return written(events, marked).replace(spell({name: "zzz_twice"})[1:-1], first + b"," + second)


def moved(events: Sequence[Json], keys: Keys) -> Iterator[Mutation]:
    """Whole events left out, repeated, or exchanged with the next."""
    remake = partial(rechained, events, keys)
    for seq in range(1, len(events)):
        less = [*events[:seq], *events[seq + 1 :]]
        yield remake(less, seq, "left out", may_be_missing(events, seq))
        yield remake([*events[: seq + 1], *events[seq:]], seq, "repeated", False)
        if seq + 1 < len(events):
            first, second = events[seq]["type"], events[seq + 1]["type"]
            # Seats and seeds come in any order (SPEC 8.1).
            fine = first == second in ("seated", "seeded")
            yield remake(reordered(events, seq), seq, "exchanged", fine)


def rechained(
    events: Sequence[Json],
    keys: Keys,
    changed: Sequence[Json],
    seq: int,
    kind: str,
    may_pass: bool,
) -> Mutation:
    """A list of events numbered, chained and signed anew."""
    write = partial(chained, events, keys, changed)
    return Mutation(seq, events[seq]["type"], (), kind, write, may_pass)


def chained(events: Sequence[Json], keys: Keys, changed: Sequence[Json]) -> bytes:
    """The transcript of events in another order."""
    linked = relink(changed)
    carry_on(linked, keys, 1)
    return written(events, linked)


# ---------------------------------------------------------------------- the allow-list


def may_be_missing(events: Sequence[Json], seq: int) -> bool:
    """Whether a match without that event may be an honest one.

    - The last event may not have been yet.
    - Without its `timed_out` a step is the seat's own, made in its last millisecond, unless the
      seat has a key: then it had signed it. Without its `left` a seat's steps are its own, or
      forced ones, which nobody signs.
    - A seed that was shown in vain may not have been shown, where the void does not tell.
    """
    type_ = events[seq]["type"]
    if seq == len(events) - 1 or type_ == "left":
        return True
    if type_ == "timed_out":
        return not has_key(events, events[seq]["data"]["seat"])
    last = events[-1]
    told = last["type"] != "voided" or last["data"]["reason"] == "seeds-missing"
    return type_ == "seeded" and not dealt(events) and not told


def tolerated(
    events: Sequence[Json], seq: int, path: Path, value: Any, *, anew: bool = False
) -> bool:
    """Whether a change there may leave an honest match: the allow-list, with its reasons.

    - `at` may be any time inside its limits: nobody signs times but the house;
    - what a seat has signed may not change at all, but by that seat (`anew`). Then, or unsigned:
    - `name` of `seated` is no part of the protocol's sums;
    - a tile may lie at either of two ends that it fits, where nothing is laid at either in
      the rest of the hand, as after its last tile, or where the tile is a double, which leaves
      both ends as they were;
    - a seat without a key whose time runs out for the last time may have left instead;
    - whether a void is the house's or the leaving of a seat without a key, and of which, is the
      house's word;
    - what a seat committed to or showed binds nothing in a match that was void before the deal.
    """
    event = events[seq]
    type_, data = event["type"], event["data"]
    if path == ("type",):
        switched = {type_, str(value)} == {"timed_out", "left"}
        return switched and not has_key(events, data["seat"])
    if path == ("at",):
        return True
    if "signature" in data and not anew:
        return False
    if type_ == "seated" and path[-1] in ("client_seed_commitment", "client_seed"):
        return not dealt(events)
    if (type_, path) == ("seated", ("data", "name")):
        return True
    if type_ == "played" and path == ("data", "end"):
        low, high = data["tile"].split("-")
        return low == high or not {data.get("end"), str(value)} & covered_later(events, seq)
    return type_ == "voided" and path[:2] in (("data", "reason"), ("data", "missing"))


def covered_later(events: Sequence[Json], seq: int) -> set[str]:
    """The ends at which tiles are laid after event `seq` in the same hand."""
    ends: set[str] = set()
    for event in events[seq + 1 :]:
        if event["type"] == "round_ended":
            break
        if event["type"] == "played":
            ends.add(event["data"]["end"])
    return ends


def has_key(events: Sequence[Json], seat: int) -> bool:
    """Whether that seat sat down with a key."""
    return any(
        event["type"] == "seated"
        and event["data"]["seat"] == seat
        and "public_key" in event["data"]
        for event in events
    )


def dealt(events: Sequence[Json]) -> bool:
    """Whether the seeds have decided something."""
    return any(event["type"] in ("dealt", "lead_drawn", "drawn") for event in events)
