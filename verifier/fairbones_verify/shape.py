"""The shape of a document (SPEC 6, 7; checks 11 to 19): fields, types, ranges of every event.

Nothing here looks from one event to another; whatever needs that is the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Callable, NamedTuple

from . import rulesets
from .codes import NUMBER
from .hashing import PROTOCOL
from .strictjson import MAX_NUMBER, Document, Flaw, canonical

MAX_EVENTS = 100_000
MAX_EVENT_BYTES = 65_536
MAX_LIST = 4_096


class Kind(NamedTuple):
    """What may stand in a field: its JSON type, a test of its own value, and words for both."""

    type: type
    words: str
    test: Callable[[Any], object]
    items: Any | None = None  # the Kind of each item of a list


def text(pattern: str, words: str) -> Kind:
    return Kind(str, words, re.compile(pattern).fullmatch)


def number(low: int, high: int) -> Kind:
    return Kind(int, f"a number {low} to {high}", lambda value: low <= value <= high)


def one_of(*values: str) -> Kind:
    return Kind(str, "one of " + ", ".join(values), values.__contains__)


def list_of(items: Kind, low: int = 0, high: int = MAX_NUMBER) -> Kind:
    few = f"{low} or more, each " if high == MAX_NUMBER else f"{low} to {high}, each "
    return Kind(list, "a list of " + few + items.words, lambda v: low <= len(v) <= high, items)


def _tile(value: str) -> bool:
    high, _, low = value.partition("-")
    return 18 >= int(high) >= int(low)


def _ascending(value: list[int]) -> bool:
    return all(a < b for a, b in zip(value, value[1:]))


HEX8 = text("[0-9a-f]{16}", "16 lowercase hex digits")
HEX16 = text("[0-9a-f]{32}", "32 lowercase hex digits")
HEX32 = text("[0-9a-f]{64}", "64 lowercase hex digits")
HEX64 = text("[0-9a-f]{128}", "128 lowercase hex digits")
TILE_FORM = re.compile("(0|1?[1-9]|10)-(0|1?[1-9]|10)")
TILE = Kind(
    str, "a tile, high half first", lambda v: TILE_FORM.fullmatch(v) is not None and _tile(v)
)
COUNT = number(0, MAX_NUMBER)
SEAT = number(0, 63)
ROUND = number(1, 6_144)
POSITION = number(0, 6_143)
SECONDS = number(1, 86_400)
FLAG = Kind(bool, "true or false", lambda _: True)
OBJECT = Kind(dict, "an object", lambda _: True)
LIST = Kind(list, "a list", lambda _: True)
ANY_TEXT = Kind(str, "a string", lambda _: True)
# R5: the ends of the line; the set double-18 has 19 doubles, so there are at most 19 spinners.
END = one_of(
    "left", "right", "up", "down", *(f"{side}-{k}" for k in range(2, 20) for side in ("up", "down"))
)
MISSING = Kind(list, "seats in ascending order", _ascending, SEAT)
PARTIES = Kind(list, '["house","seats"]', ["house", "seats"].__eq__, ANY_TEXT)

ENVELOPE = {
    "match": HEX16,
    "seq": COUNT,
    "prev": HEX32,
    "at": COUNT,
    "type": ANY_TEXT,
    "data": OBJECT,
}
RECEIPT = {
    "match": HEX16,
    "seq": number(0, 2**32 - 1),  # it is signed as four bytes
    "event_hash": HEX32,
    "key_id": HEX8,
    "signature": HEX64,
}
KEY = {"key_id": HEX8, "public_key": HEX32}
RESERVED = {"seat": SEAT, "invite_hash?": HEX32, "public_key?": HEX32}

# SPEC 7. A name with "?" may be absent; whether it must be is not the shape's to say.
DATA: dict[str, dict[str, Kind]] = {
    "opened": {
        "protocol": ANY_TEXT,
        "entropy": PARTIES,
        "ruleset": OBJECT,
        "seats": number(1, 64),
        "rounds_max": ROUND,
        "server_seed_hash": HEX32,
        "washes": list_of(HEX32),
        "key_id": HEX8,
        "auto_forced": FLAG,
        "clear_seeds": FLAG,
        "reserved": LIST,
        "join_seconds": SECONDS,
        "reveal_seconds": SECONDS,
        "turn_seconds": SECONDS,
        "close_by": COUNT,
        "reference?": text("[ -~]{1,64}", "1 to 64 printable ASCII characters"),
        "lead_wash?": HEX32,
    },
    "seated": {
        "seat": SEAT,
        "name?": text("[A-Za-z0-9_-]{1,24}", "1 to 24 of A-Z a-z 0-9 _ -"),
        "client_seed_commitment?": HEX32,
        "client_seed?": HEX32,
        "public_key?": HEX32,
        "signature?": HEX64,
    },
    "seeded": {"seat": SEAT, "client_seed": HEX32, "seated_hash": HEX32, "signature?": HEX64},
    "dealt": {
        "round": ROUND,
        "seals": list_of(HEX32, 1),
        "hand_size": number(1, 6_144),
        "lead": SEAT,
        "must_set?": TILE,
        "aside": list_of(TILE),
    },
    "lead_drawn": {"seals": list_of(HEX32, 1), "round_seed": HEX32, "lead": SEAT},
    "played": {
        "seat": SEAT,
        "tile": TILE,
        "end?": END,
        "seal": POSITION,
        "salt": HEX32,
        "claim?": number(1, MAX_NUMBER),
        "points?": number(1, MAX_NUMBER),
        "signature?": HEX64,
    },
    "drew": {"seat": SEAT, "seal": POSITION, "signature?": HEX64},
    "gave": {"seat": SEAT, "to": SEAT, "seal": POSITION, "signature?": HEX64},
    "called": {"seat": SEAT, "points": number(1, MAX_NUMBER), "signature?": HEX64},
    "passed": {"seat": SEAT, "signature?": HEX64},
    "declined": {"seat": SEAT, "signature?": HEX64},
    "timed_out": {"seat": SEAT},
    "left": {"seat": SEAT, "signature?": HEX64},
    "round_ended": {
        "round": ROUND,
        "reason": one_of("domino", "blocked", "target", "abandoned"),
        "winner?": SEAT,
        "counts": list_of(COUNT),
        "points": list_of(COUNT),
        "scores": list_of(COUNT),
        "round_seed": HEX32,
    },
    "match_ended": {
        "reason": one_of("target", "rounds", "abandoned"),
        "winner?": SEAT,
        "scores": list_of(COUNT),
        "server_seed": HEX32,
    },
    "voided": {
        "reason": one_of(
            "seats-missing", "seeds-missing", "left", "house", "history-lost", "seed-lost"
        ),
        "missing?": MISSING,
        "receipt?": OBJECT,
        "signature?": HEX64,
        "server_seed?": HEX32,
    },
    "drawn": {"seals?": list_of(HEX32), "result": list_of(COUNT), "server_seed": HEX32},
}

# Named in SPEC, but "not in this edition".
LATER: dict[str, frozenset[str]] = {
    "opened": frozenset({"log_origin"}),
}

# SPEC 7: which members a `voided` has, by its reason.
BY_REASON: dict[str, frozenset[str]] = {
    "seats-missing": frozenset({"missing", "server_seed"}),
    "seeds-missing": frozenset({"missing", "server_seed"}),
    "left": frozenset({"missing", "server_seed"}),
    "house": frozenset({"server_seed"}),
    "history-lost": frozenset({"receipt", "server_seed"}),
    "seed-lost": frozenset(),
}


def members(value: dict[str, Any], wanted: dict[str, Kind], where: str) -> Iterator[Flaw]:
    """Checks 11 to 13 of one object."""
    known = 0
    for name, kind in wanted.items():
        bare = name.rstrip("?")
        if bare not in value:
            if bare == name:
                yield Flaw("format/fields", where, f"a member {name}", "nothing")
            continue
        known += 1
        yield from content(value[bare], kind, f"{where}.{bare}")
    if known != len(value):
        extra = min(set(value) - {name.rstrip("?") for name in wanted})
        yield Flaw("format/fields", where, "no other member", extra)


def content(value: Any, kind: Kind, where: str) -> Iterator[Flaw]:
    """Checks 12 and 13 of one value: its type before its range."""
    if not is_a(value, kind.type):
        yield Flaw("format/type", where, kind.words, spoken(value))
        return
    if kind.items is not None:
        foreign = [item for item in value if not is_a(item, kind.items.type)]
        if foreign:
            yield Flaw("format/type", where, kind.words, spoken(foreign[0]))
            return
        outside = [item for item in value if not kind.items.test(item)]
        if outside:
            yield Flaw("format/range", where, kind.words, spoken(outside[0]))
    if not kind.test(value):
        yield Flaw("format/range", where, kind.words, spoken(value))


def is_a(value: Any, wanted: type) -> bool:
    """Whether a JSON value has exactly this type: `true` is no number here."""
    return type(value) is wanted


def spoken(value: Any) -> str:
    """A JSON value for the report; a long one is cut there."""
    if isinstance(value, str) or value is None:
        return value or "nothing"
    return f"{len(value)} items" if isinstance(value, (list, dict)) else str(canonical(value))


def of_event(event: Any, size: str, where: str) -> Iterator[Flaw]:
    """Everything that is wrong with the shape of one event, in no order."""
    if type(event) is not dict:
        yield Flaw("format/type", where, "an object", spoken(event))
        return
    yield from members(event, ENVELOPE, where)
    # An event deeper than 8 has an unknown member or a wrong type, both of which go first.
    if len(size) * 4 > MAX_EVENT_BYTES and len(size.encode("utf-8")) > MAX_EVENT_BYTES:
        yield Flaw("format/event-size", where, f"at most {MAX_EVENT_BYTES} bytes", "more")
    name, data = event.get("type"), event.get("data")
    if not isinstance(name, str):
        return
    if name not in DATA:
        yield Flaw("format/event-type", where, "a known type", name)
    elif isinstance(data, dict):
        yield from of_data(name, data, f"{where}.data")


def of_data(name: str, data: dict[str, Any], where: str) -> Iterator[Flaw]:
    """The same for the `data` of an event of a known type."""
    later = LATER.get(name, frozenset()) & set(data)
    if later:
        yield Flaw("format/unsupported", where, "a member of this edition", min(later))
    yield from members({k: v for k, v in data.items() if k not in later}, DATA[name], where)
    for value in data.values():
        if isinstance(value, list) and len(value) > MAX_LIST:
            yield Flaw("format/event-size", where, f"lists of at most {MAX_LIST}", spoken(value))
    if name == "opened":
        yield from of_opened(data, where)
    elif name == "seated":
        yield from one_of_two(data, "client_seed", "client_seed_commitment", where)
        if ("public_key" in data) != ("signature" in data):
            yield Flaw("format/fields", where, "a public_key with a signature, or neither", "one")
    elif name == "voided":
        yield from of_void(data, where)


def of_opened(data: dict[str, Any], where: str) -> Iterator[Flaw]:
    """What only `opened` has: the reserved seats, the protocol, the ruleset."""
    if isinstance(data.get("reserved"), list):
        yield from of_reserved(data["reserved"], where + ".reserved")
    if isinstance(data.get("protocol"), str) and data["protocol"] != PROTOCOL:
        yield Flaw("format/protocol", where + ".protocol", PROTOCOL, data["protocol"])
    if isinstance(data.get("ruleset"), dict):
        for code, option, expected, got in rulesets.flaws(data["ruleset"]):
            yield Flaw(code, f"{where}.ruleset.{option}", expected, spoken(got))


def of_reserved(entries: list[Any], where: str) -> Iterator[Flaw]:
    """The seats that are promised to somebody, each once and in ascending order."""
    seats = []
    for place, entry in enumerate(entries):
        here = f"{where}[{place}]"
        if type(entry) is not dict:
            yield Flaw("format/type", here, "an object", spoken(entry))
            continue
        yield from members(entry, RESERVED, here)
        yield from one_of_two(entry, "invite_hash", "public_key", here)
        if is_a(entry.get("seat"), int):
            seats.append(entry["seat"])
    if not _ascending(seats):
        yield Flaw("format/range", where, "seats in ascending order", spoken(seats))
    for member, words in (("invite_hash", "an invitation"), ("public_key", "a key")):
        said = [one[member] for one in entries if type(one) is dict and member in one]
        again = [one for place, one in enumerate(said) if one in said[:place]]
        if again:
            yield Flaw("format/range", where, f"{words} for each seat", spoken(again[0]))


def one_of_two(value: dict[str, Any], first: str, second: str, where: str) -> Iterator[Flaw]:
    """Check 11: of two members exactly one is there."""
    if (first in value) == (second in value):
        yield Flaw("format/fields", where, f"a {first} or a {second}", "not one")


def of_void(data: dict[str, Any], where: str) -> Iterator[Flaw]:
    """The members of a `voided`, which depend on its reason."""
    reason = data.get("reason")
    if isinstance(reason, str) and reason in BY_REASON:
        due = BY_REASON[reason]
        for member in ("missing", "receipt", "server_seed"):
            if (member in data) != (member in due):
                words = "a member " if member in due else "no member "
                yield Flaw("format/fields", where, words + member, "the opposite")
        if "signature" in data and reason != "left":
            yield Flaw("format/fields", where, "no member signature", "the opposite")
    if isinstance(data.get("receipt"), dict):
        yield from members(data["receipt"], RECEIPT, where + ".receipt")


def lowest(flaws: Iterator[Flaw]) -> Flaw | None:
    """The flaw to report: 17 goes before 11 (what is not in this edition is not "unknown")."""
    return min(
        flaws, key=lambda it: 10.5 if it.code == LATER_CODE else NUMBER[it.code], default=None
    )


LATER_CODE = "format/unsupported"


def flaw(document: Document) -> Flaw | None:
    """Checks 11 to 19 of a whole document: the first flaw, or None."""
    value = document.value
    if "log" in value:
        return Flaw(LATER_CODE, "the document", "no member log", "log")
    top = {
        "protocol": ANY_TEXT,
        "events": LIST,
        "receipt": OBJECT,
        "keys": LIST,
    }
    found = lowest(members(value, top, "the document"))
    if found is None and value["protocol"] != PROTOCOL:
        found = Flaw("format/protocol", "the document", PROTOCOL, value["protocol"])
    if found is None and not 1 <= len(value["events"]) <= MAX_EVENTS:
        words = f"1 to {MAX_EVENTS} events"
        found = Flaw("format/event-count", "the document", words, str(len(value["events"])))
    for seq, event in enumerate(value["events"] if found is None else ()):
        found = lowest(of_event(event, document.texts[seq], f"events[{seq}]"))
        if found is not None:
            return found
    return found or lowest(members(value["receipt"], RECEIPT, "receipt")) or of_keys(value["keys"])


def of_keys(keys: list[Any]) -> Flaw | None:
    """Checks 11 to 13 of `keys`."""
    if not 1 <= len(keys) <= 64:
        return Flaw("format/range", "keys", "1 to 64 keys", str(len(keys)))
    for place, key in enumerate(keys):
        where = f"keys[{place}]"
        if type(key) is not dict:
            return Flaw("format/type", where, "an object", spoken(key))
        found = lowest(members(key, KEY, where))
        if found is not None:
            return found
    return None
