"""Members, types and ranges: checks 11 to 19 of spec/codes.md."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tests.forge import lots
from tests.forge.house import House, Setup, find
from tests.forge.keys import HOUSE
from tests.forge.paper import Json, bundle, receipt, relink, spell
from tests.forge.scenario import Insert, Scenario
from tests.forge.unreadable.spelling import unreadable

# For each type: a member to leave out, one of the wrong type, one out of its range.
CHANGES: dict[str, tuple[str, tuple[str, object], tuple[str, object]]] = {
    "opened": ("close_by", ("seats", "2"), ("join_seconds", 86_401)),
    "seated": ("seat", ("seat", True), ("client_seed_commitment", "AB" * 32)),
    "seeded": ("seated_hash", ("client_seed", 0), ("client_seed", "ab" * 31)),
    "dealt": ("aside", ("seals", "none"), ("round", 0)),
    "played": ("salt", ("tile", 27), ("tile", "4-6")),
    "drew": ("seal", ("seal", "3"), ("seal", 6144)),
    "passed": ("seat", ("seat", [1]), ("seat", 64)),
    "declined": ("seat", ("seat", {}), ("seat", 64)),
    "timed_out": ("seat", ("seat", False), ("seat", 64)),
    "left": ("seat", ("seat", "0"), ("seat", 64)),
    "round_ended": ("points", ("counts", {}), ("reason", "won")),
    "match_ended": ("scores", ("winner", "0"), ("winner", 64)),
    "voided": ("server_seed", ("missing", 1), ("missing", [2, 1])),
    "lead_drawn": ("lead", ("seals", "ab"), ("round_seed", "ab" * 31)),
    "gave": ("to", ("seal", "3"), ("seal", 6144)),
    "called": ("points", ("points", "5"), ("points", 0)),
    "drawn": ("result", ("result", ["0"]), ("server_seed", "ab" * 33)),
}


def samples() -> dict[str, Json]:
    """An event of every type, from honest matches; `opened` first."""
    may = {"drawn_tile": "may-play", "hand": 3}

    def all_kinds(setup: Setup) -> House | None:
        house = House(setup).start().play(idle=20)
        kinds = {event.type for event in house.events}
        return house if {"passed", "drew", "declined", "timed_out"} <= kinds else None

    found: dict[str, Json] = {}
    games = find(Setup("draw", 2, {**may, "hand": 8}, names=True, phrase="samples"), all_kinds)
    leaver = House(Setup("block", 3, {"hand": 3}, phrase="samples")).start()
    leaver.leave((leaver.turn + 1) % 3)
    missing = House(Setup("block", 3, phrase="samples"))
    missing.touch()
    drawn = House(Setup("blocking", 2, {"hand": 3}, phrase="samples")).start()

    def gave(setup: Setup) -> House | None:
        house = House(setup).start().play()
        return house if any(event.type == "gave" for event in house.events) else None

    def called(setup: Setup) -> House | None:
        house = House(setup).start().play()
        return house if any(event.type == "called" for event in house.events) else None

    transfer = find(Setup("middle-eastern", 4, {"transfer": True}, phrase="samples"), gave)
    muggins = find(Setup("all-fives", 2, {"muggins": True}, phrase="samples"), called)
    for house in (games, leaver, missing, drawn, transfer, muggins):
        for event in house.told():
            found.setdefault(event["type"], event)
    found["drawn"] = lots.drawn().told()[-1]
    return found


SAMPLES = samples()


def document(*events: Json) -> bytes:
    """The opening and some more events, chained: their shape comes before their sense."""
    return spell(bundle(relink([SAMPLES["opened"], *events])))


def with_data(type_: str, **members: Any) -> bytes:
    """An event of a type with some members of its data changed."""
    event = copy.deepcopy(SAMPLES[type_])
    event["data"] |= members
    if type_ == "opened":
        return spell(bundle(relink([event])))
    return document(event)


def without(type_: str, member: str) -> bytes:
    """An event without a member of its data."""
    event = copy.deepcopy(SAMPLES[type_])
    del event["data"][member]
    if type_ == "opened":
        return spell(bundle(relink([event])))
    return document(event)


def every_type() -> Iterator[Scenario]:
    """11 to 13 for each type of event."""
    for type_, (member, (typed, wrong), (ranged, outside)) in CHANGES.items():
        slug = type_.replace("_", "-")
        yield unreadable(
            f"missing-{slug}", f"{type_} without {member}.", "format/fields", without(type_, member)
        )
        yield unreadable(
            f"unknown-{slug}",
            f"{type_} with a member nobody knows.",
            "format/fields",
            with_data(type_, zeal=1),
        )
        yield unreadable(
            slug,
            f"{typed} of {type_} is {wrong!r}.",
            "format/type",
            with_data(type_, **{typed: wrong}),
        )
        yield unreadable(
            slug,
            f"{ranged} of {type_} is {outside!r}.",
            "format/range",
            with_data(type_, **{ranged: outside}),
        )
    one = SAMPLES["seated"]
    for name, about, code, changes in (
        ("envelope-missing", "An event without its time.", "format/fields", None),
        ("envelope-unknown", "An event with a note.", "format/fields", {"note": "fair"}),
        ("envelope-seq", "seq is text.", "format/type", {"seq": "1"}),
        ("envelope-data", "The data are a list.", "format/type", {"data": []}),
        ("envelope-prev", "prev has capital hex digits.", "format/range", {"prev": "AB" * 32}),
        ("envelope-match", "The match id is too short.", "format/range", {"match": "ab" * 15}),
        ("unknown", "A type nobody knows.", "format/event-type", {"type": "cheated"}),
        ("capital", "A type in capital letters.", "format/event-type", {"type": "Seated"}),
    ):
        events = relink([SAMPLES["opened"], one])
        if changes is None:
            del events[1]["at"]
        else:
            events[1] |= changes
        signed = receipt(one["match"], 1, bytes(32))
        yield unreadable(name, about, code, spell(bundle(events, signed)))
    both = with_data("seated", client_seed="ab" * 32)
    yield unreadable("both-seeds", "A commitment and a clear seed.", "format/fields", both)
    neither = without("seated", "client_seed_commitment")
    yield unreadable("no-seed", "No commitment and no seed.", "format/fields", neither)
    for name, about, entry in (
        ("reserved-missing", "A reserved seat without a hash.", {"seat": 0}),
        (
            "reserved-unknown",
            "A reserved seat with a member nobody knows.",
            _invited(0) | {"by": 1},
        ),
        ("reserved-both", "A seat reserved for an invitation and a key.", _invited(0) | _keyed(0)),
    ):
        data = with_data("opened", reserved=[entry])
        yield unreadable(name, about, "format/fields", data)
    yield from _half_signed()
    lost = {"reason": "seed-lost"}
    for name, about, data in (
        ("void-seed-lost", "The seed is lost, and is shown.", with_data("voided", **lost)),
        (
            "void-missing",
            "Missing seats where the house gave up.",
            with_data("voided", reason="house"),
        ),
        (
            "void-receipt",
            "No receipt of the lost history.",
            with_data("voided", reason="history-lost"),
        ),
    ):
        yield unreadable(name, about, "format/fields", data)


def _invited(seat: int) -> Json:
    return {"seat": seat, "invite_hash": f"{0xAB ^ seat:02x}" * 32}


def _keyed(seat: int) -> Json:
    return {"seat": seat, "public_key": HOUSE.public.hex()}


def _half_signed() -> Iterator[Scenario]:
    """A key without its signature, and signatures where no event of that kind has one."""
    signature: Json = {"signature": "ab" * 64}
    for name, about, type_, members in (
        ("key-alone", "A key of a seat, unsigned.", "seated", {"public_key": HOUSE.public.hex()}),
        ("signature-alone", "A signature of a seat without a key.", "seated", signature),
        ("void-signature", "A signature where seats are missing.", "voided", signature),
        ("timed-out-signature", "A seat signs that it is late.", "timed_out", signature),
    ):
        yield unreadable(name, about, "format/fields", with_data(type_, **members))


def _reserved(*seats: int) -> list[Json]:
    return [_invited(seat) for seat in seats]


def ranges() -> Iterator[Scenario]:
    """13, form by form."""
    cases: tuple[tuple[str, str, str, str, object], ...] = (
        ("name-space", "A name with a blank.", "seated", "name", "a b"),
        ("name-empty", "An empty name.", "seated", "name", ""),
        ("name-long", "A name of 25 characters.", "seated", "name", "a" * 25),
        ("name-newline", "A name that ends with a newline.", "seated", "name", "anna\n"),
        ("name-markup", "A name with markup.", "seated", "name", "<b>anna</b>"),
        ("name-bidi", "A name with a direction override.", "seated", "name", "a\u202eb"),
        ("name-escape", "A name that steers a terminal.", "seated", "name", "\x1b[2J"),
        ("reference-empty", "An empty reference.", "opened", "reference", ""),
        ("reference-long", "A reference of 65 characters.", "opened", "reference", "a" * 65),
        ("reference-umlaut", "A reference that is not ASCII.", "opened", "reference", "\u00e4"),
        ("reference-delete", "U+007F in a reference.", "opened", "reference", "a\x7f"),
        ("reference-emoji", "An emoji in a reference.", "opened", "reference", "\U0001f600"),
        ("seats-none", "No seats.", "opened", "seats", 0),
        ("seats-many", "65 seats.", "opened", "seats", 65),
        ("rounds-none", "No rounds.", "opened", "rounds_max", 0),
        ("rounds-many", "6145 rounds.", "opened", "rounds_max", 6145),
        ("turn-none", "No time for a turn.", "opened", "turn_seconds", 0),
        ("reveal-long", "A second more than a day to reveal.", "opened", "reveal_seconds", 86_401),
        ("entropy", "The seats come before the house.", "opened", "entropy", ["seats", "house"]),
        ("entropy-house", "The house alone.", "opened", "entropy", ["house"]),
        ("key-id", "A key id of 32 digits.", "opened", "key_id", "ab" * 16),
        ("washes", "A wash with a capital digit.", "opened", "washes", ["A" + "b" * 63]),
        ("seals-none", "No seals.", "dealt", "seals", []),
        ("hand-none", "No tiles in a hand.", "dealt", "hand_size", 0),
        ("aside", "A tile set aside that is none.", "dealt", "aside", ["6"]),
        ("must-set", "A tile with a leading zero.", "dealt", "must_set", "06-4"),
        ("tile-blank", "A tile with a blank.", "played", "tile", "6-4 "),
        ("tile-large", "A half of 19.", "played", "tile", "19-0"),
        ("tile-zero", "A tile with two zeros.", "played", "tile", "00-0"),
        ("tile-digits", "Digits of another script.", "played", "tile", "\u0666-\u0664"),
        ("end", "An end that a line has not.", "played", "end", "top"),
        ("end-first", "The arm of a first spinner with a number.", "played", "end", "up-1"),
        ("end-last", "The arm of a twentieth spinner.", "played", "end", "down-20"),
        ("claim-none", "A claim of nothing.", "played", "claim", 0),
        ("lead-wash", "A root that is too short.", "opened", "lead_wash", "ab" * 31),
        ("reserved-order", "Reserved seats out of order.", "opened", "reserved", _reserved(1, 0)),
        ("reserved-twice", "A seat is reserved twice.", "opened", "reserved", _reserved(1, 1)),
        (
            "reserved-one-hash",
            "Two seats are reserved by one invitation.",
            "opened",
            "reserved",
            [_invited(0), _invited(0) | {"seat": 1}],
        ),
        (
            "reserved-hash",
            "A hash too short.",
            "opened",
            "reserved",
            [_invited(0) | {"invite_hash": "ab"}],
        ),
        (
            "reserved-one-key",
            "Two seats are reserved for one key.",
            "opened",
            "reserved",
            [_keyed(0), _keyed(1)],
        ),
        (
            "reserved-key",
            "A key too short.",
            "opened",
            "reserved",
            [{"seat": 0, "public_key": "ab"}],
        ),
        ("signature", "A signature that is cut off.", "played", "signature", "ab" * 63),
        ("signature-capital", "A signature in capitals.", "seeded", "signature", "AB" * 64),
        ("points-none", "A play that scores nothing says so.", "played", "points", 0),
        ("seal", "Position 6144.", "played", "seal", 6144),
        ("missing-twice", "A seat is missing twice.", "voided", "missing", [1, 1]),
        ("void-reason", "A reason nobody knows.", "voided", "reason", "bored"),
        ("match-reason", "A reason nobody knows.", "match_ended", "reason", "domino"),
    )
    for name, about, type_, member, value in cases:
        yield unreadable(name, about, "format/range", with_data(type_, **{member: value}))
    for name, about, member, value in (
        ("boolean", "1 for true.", "auto_forced", 1),
        ("item", "A seal that is a number.", "washes", [1]),
        ("number", "true for 1.", "rounds_max", True),
        ("list", "A list in place of the row.", "ruleset", []),
    ):
        yield unreadable(name, about, "format/type", with_data("opened", **{member: value}))


def documents() -> Iterator[Scenario]:
    """The members around the events."""
    good: Json = bundle([SAMPLES["opened"]])

    def but(**members: object) -> bytes:
        return spell(good | members)

    def less(member: str) -> bytes:
        return spell({name: value for name, value in good.items() if name != member})

    signed, key = good["receipt"], good["keys"][0]
    bare = {name: value for name, value in signed.items() if name != "signature"}
    for name, about, code, data in (
        ("top-receipt", "No receipt.", "format/fields", less("receipt")),
        ("top-keys", "No keys.", "format/fields", less("keys")),
        ("top-protocol", "No protocol.", "format/fields", less("protocol")),
        ("top-unknown", "A member nobody knows.", "format/fields", but(version=1)),
        ("top-empty", "An empty object.", "format/fields", b"{}"),
        ("top-log", "A log proof is not in this edition.", "format/unsupported", but(log={})),
        ("top-2", "The next protocol.", "format/protocol", but(protocol="fairbones/2")),
        ("top-case", "The protocol in capitals.", "format/protocol", but(protocol="FAIRBONES/1")),
        (
            "opened",
            "The match is opened under the next protocol.",
            "format/protocol",
            with_data("opened", protocol="fairbones/2"),
        ),
        ("top-events", "The events are an object.", "format/type", but(events={})),
        ("top-event", "An event is a number.", "format/type", but(events=[SAMPLES["opened"], 1])),
        ("receipt", "The receipt is a list.", "format/type", but(receipt=[signed])),
        ("receipt-member", "A receipt without a signature.", "format/fields", but(receipt=bare)),
        (
            "receipt-short",
            "A signature that is cut off.",
            "format/range",
            but(receipt=signed | {"signature": signed["signature"][:-2]}),
        ),
        (
            "receipt-capital",
            "A signature in capitals.",
            "format/range",
            but(receipt=signed | {"signature": "AB" * 64}),
        ),
        (
            "receipt-seq",
            "The receipt's seq is text.",
            "format/type",
            but(receipt=signed | {"seq": "0"}),
        ),
        ("keys", "A key is text.", "format/type", but(keys=[HOUSE.public.hex()])),
        ("keys-none", "An empty list of keys.", "format/range", but(keys=[])),
        ("keys-many", "65 keys.", "format/range", but(keys=[key] * 65)),
        ("keys-member", "A key with a note.", "format/fields", but(keys=[key | {"note": "x"}])),
        (
            "keys-short",
            "A key that is cut off.",
            "format/range",
            but(keys=[key | {"public_key": "ab" * 31}]),
        ),
        ("none", "No events.", "format/event-count", but(events=[])),
    ):
        yield unreadable(name, about, code, data)


def unsupported() -> Iterator[Scenario]:
    """17: named in the specification, and not in this edition."""
    yield unreadable(
        "opened-log-origin",
        "log_origin of opened.",
        "format/unsupported",
        with_data("opened", log_origin="example.org/log"),
    )
    worse = with_data("opened", log_origin=1, zeal=1, seats="0")
    yield unreadable(
        "first",
        "An unsupported member, an unknown one and a wrong type: the first is reported.",
        "format/unsupported",
        worse,
    )


def sizes() -> Iterator[Scenario]:
    """18 and 19."""
    data = with_data("opened", rounds_max=1000)
    wash = data.index(b'"washes":["') + len(b'"washes":[')
    yield unreadable(
        "bytes",
        "An opening with a thousand washes has more than 65,536 bytes.",
        "format/event-size",
        data,
        Insert(wash, '"' + "ab" * 32 + '",', 999),
    )
    data = with_data("drawn", result=[0])
    place = data.index(b'"result":[0') + len(b'"result":[0')
    yield unreadable(
        "list", "A list of 4,097 items.", "format/event-size", data, Insert(place, ",0", 4096)
    )
    good: bytes = spell(bundle([SAMPLES["opened"]]))
    yield unreadable(
        "many",
        "100,001 events, counted before anything in them is read.",
        "format/event-count",
        good,
        Insert(good.index(b'],"keys"'), ",{}", 100_000),
    )
