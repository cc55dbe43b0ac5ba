"""Every field of every event of a transcript changed, one at a time, chained and signed anew."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tests.forge.paper import Json, bundle, event_hash, receipt, relink, spell

Path = tuple[str | int, ...]
MOVES = ("played", "drew", "passed", "declined")
WORDS: dict[str, tuple[str, ...]] = {
    "end": ("left", "right"),
    "reason": (
        *("domino", "blocked", "target", "abandoned", "rounds"),
        *("seats-missing", "seeds-missing", "left", "house", "history-lost", "seed-lost"),
    ),
    "type": (
        *("opened", "seated", "seeded", "dealt", *MOVES),
        *("timed_out", "left", "round_ended", "match_ended", "voided", "drawn", "gave"),
    ),
    "tile": ("0-0", "6-6", "6-5", "5-4", "3-0", "7-0"),
    "must_set": ("0-0", "6-6", "6-5"),
}
ADDED: dict[str, Json] = {
    "seated": {"name": "added", "client_seed": "5e" * 32, "public_key": "5e" * 32},
    "seeded": {"signature": "5e" * 64},
    "played": {"points": 5, "end": "left", "claim": 5, "signature": "5e" * 64},
    "passed": {"signature": "5e" * 64},
    "left": {"signature": "5e" * 64},
    "dealt": {"must_set": "6-6"},
    "round_ended": {"winner": 0},
    "match_ended": {"winner": 0},
    "opened": {"reference": "added", "lead_wash": "5e" * 32},
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One changed transcript: the event, the path inside it, and what was done there."""

    seq: int
    type: str
    path: Path
    kind: str
    write: Callable[[], bytes]  # made only when it is asked for
    may_pass: bool

    @property
    def data(self) -> bytes:
        """The transcript."""
        return self.write()

    def __str__(self) -> str:
        return f"event {self.seq} ({self.type}) {'.'.join(map(str, self.path))}: {self.kind}"


def mutations(events: Sequence[Json]) -> Iterator[Mutation]:
    """All of them; `events` are an honest match."""
    for seq, event in enumerate(events):
        for path, value in places(event):
            for kind, changed in changes(path, value):
                yield made(events, seq, path, kind, changed)
            yield made(events, seq, path, "absent", None)
            if isinstance(path[-1], str):
                yield twice(events, seq, path)
        for name, value in ADDED.get(event["type"], {}).items():
            if name not in event["data"]:
                yield made(events, seq, ("data", name), "added", value)
        yield made(events, seq, ("data", "zeal"), "added", 1)
        yield made(events, seq, ("zeal",), "added", 1)
    yield from moved(events)


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every member, and of every list the first and the last item."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list) and value:
        items = [(at, value[at]) for at in sorted({0, len(value) - 1})]
    for key, item in items:
        yield (*path, key), item
        yield from places(item, (*path, key))


def changes(path: Path, value: Any) -> Iterator[tuple[str, Any]]:
    """Other values of the same type, then other types."""
    for other in (*alike(path, value), None, 1.5, "1", 1, True, [], {}, [value], {"a": value}):
        if other != value or type(other) is not type(value):
            yield f"{json.dumps(other)[:40]}", other


def alike(path: Path, value: Any) -> list[Any]:
    """Values that could stand there."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1), 0, 63, 2**53 - 1]
    if isinstance(value, str):
        name = next((key for key in reversed(path) if isinstance(key, str)), "")
        return [*WORDS.get(name, ()), *respelled(value)]
    if isinstance(value, list):
        return [value[1:], value[:-1], value + value[-1:], value[::-1]]
    return []


def respelled(value: str) -> list[str]:
    """A text with one character changed, in capitals, shorter, longer."""
    flipped = value[:-1] + ("0" if value[-1:] != "0" else "1")
    return [flipped, "0" * len(value), value.upper(), value[:-1], value + "0", ""]


def made(events: Sequence[Json], seq: int, path: Path, kind: str, value: Any) -> Mutation:
    """One place of one event set, left out (`absent`) or added."""
    fine = tolerated(events, seq, path, value)
    write = partial(changed_at, events, seq, path, kind, value)
    return Mutation(seq, events[seq]["type"], path, kind, write, fine)


def changed_at(events: Sequence[Json], seq: int, path: Path, kind: str, value: Any) -> bytes:
    """The transcript with that change."""
    changed = copy.deepcopy(list(events))
    inner: Any = changed[seq]
    for key in path[:-1]:
        inner = inner[key]
    if kind == "absent":
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    repair(events, changed, seq)
    return written(events, changed)


def repair(events: Sequence[Json], changed: list[Json], seq: int) -> None:
    """What a cheat would put right after it: the chain, and the hash that seeds name."""
    seated = [place for place, event in enumerate(events) if event["type"] == "seated"]
    before = event_hash(events[seated[-1]]).hex() if seated else ""
    for later in range(seq + 1, len(changed)):
        changed[later]["prev"] = event_hash(changed[later - 1]).hex()
        if changed[later]["type"] == "seeded" and seq >= seated[0]:
            told = changed[later]["data"]
            if told["seated_hash"] == before:
                told["seated_hash"] = event_hash(changed[seated[-1]]).hex()


def written(events: Sequence[Json], changed: Sequence[Json]) -> bytes:
    """Signed for the match it is of, whatever the changed event says."""
    last = len(changed) - 1
    return spell(bundle(changed, receipt(events[0]["match"], last, event_hash(changed[last]))))


def twice(events: Sequence[Json], seq: int, path: Path) -> Mutation:
    """A member said twice in the text: the second time in another place."""
    write = partial(said_twice, events, seq, path)
    return Mutation(seq, events[seq]["type"], path, "twice", write, may_pass=False)


def said_twice(events: Sequence[Json], seq: int, path: Path) -> bytes:
    """The transcript with that member once more."""
    marked = copy.deepcopy(list(events))
    inner: Any = marked[seq]
    for key in path[:-1]:
        inner = inner[key]
    name, value = str(path[-1]), inner[path[-1]]
    inner["zzz_twice"] = 0
    return written(events, marked).replace(b'"zzz_twice":0', spell({name: value})[1:-1])


def moved(events: Sequence[Json]) -> Iterator[Mutation]:
    """Whole events left out, repeated, or exchanged with the next."""
    for seq in range(1, len(events)):
        type_ = events[seq]["type"]
        less = [*events[:seq], *events[seq + 1 :]]
        # Without its time_out a step is the seat's own, made in its last millisecond; the steps of
        # a seat that never left are its own, too. Both are honest matches of their own.
        fine = type_ in ("timed_out", "left") or seq == len(events) - 1
        yield rechained(events, less, seq, "left out", fine)
        more = [*events[: seq + 1], *events[seq:]]
        yield rechained(events, more, seq, "repeated", may_pass=False)
        if seq + 1 < len(events):
            swapped = copy.deepcopy(list(events))
            swapped[seq : seq + 2] = swapped[seq + 1 : seq - 1 : -1]
            first, second = swapped[seq], swapped[seq + 1]
            first["at"], second["at"] = second["at"], first["at"]
            # Seats and seeds come in any order (SPEC 8.1).
            fine = first["type"] == second["type"] in ("seated", "seeded")
            yield rechained(events, swapped, seq, "exchanged", fine)


def rechained(
    events: Sequence[Json], changed: Sequence[Json], seq: int, kind: str, may_pass: bool
) -> Mutation:
    """A list of events numbered and chained anew."""
    write = partial(chained, events, changed)
    return Mutation(seq, events[seq]["type"], (), kind, write, may_pass)


def chained(events: Sequence[Json], changed: Sequence[Json]) -> bytes:
    """The transcript of events in another order."""
    linked = relink(changed)
    seated = [event for event in linked if event["type"] == "seated"]
    for place, event in enumerate(linked):
        if event["type"] == "seeded" and seated:
            event["data"]["seated_hash"] = event_hash(seated[-1]).hex()
        if place:
            event["prev"] = event_hash(linked[place - 1]).hex()
    return written(events, linked)


def tolerated(events: Sequence[Json], seq: int, path: Path, value: Any) -> bool:
    """Whether a change there may leave an honest match: the allow-list, with its reasons.

    - `at` may be any time inside its limits;
    - what a seat has signed may not change at all; of any other:
    - `name` of `seated` is no part of the protocol's sums;
    - the last tile of a hand may lie at either end that it fits;
    - a seat whose time runs out for the last time may have left instead;
    - whether a void is the house's or a seat's leaving is the house's word.
    """
    event = events[seq]
    if path == ("type",):
        switched = {event["type"], str(value)} == {"timed_out", "left"}
        return switched and "signature" not in event["data"]
    if path == ("at",):
        return True
    if "signature" in event["data"]:
        return False
    if (event["type"], path) == ("seated", ("data", "name")):
        return True
    if event["type"] == "played" and path == ("data", "end"):
        following = events[seq + 1]["type"] if seq + 1 < len(events) else "round_ended"
        return bool(following == "round_ended")
    return event["type"] == "voided" and path == ("data", "reason")
