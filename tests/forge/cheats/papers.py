"""Receipts and keys, and what nobody can be asked to judge (threats T16, T17, T19, T43, T49)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fairbones.core.protocol.chain import key_id
from tests.forge.cheats.making import PINNED, SHORT, liar
from tests.forge.curve import add_small_order
from tests.forge.house import House, Setup
from tests.forge.keys import HOUSE, OTHER
from tests.forge.paper import (
    Json,
    bundle,
    event_hash,
    receipt,
    receipt_at,
    receipt_of,
    relink,
    spell,
)
from tests.forge.scenario import Scenario

SMALL_ORDER = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
IDENTITY = "01" + "00" * 31


def begun(ruleset: str = "block", seats: int = 2, phrase: str = "papers") -> House:
    """An honest match that has just begun: here only the papers beside it lie."""
    house = liar(ruleset, seats, SHORT if seats < 4 else {}, phrase=phrase)
    house.sit(0)
    return house


def papers(
    name: str,
    about: str,
    code: str,
    document: Json,
    *threats: str,
    alone: Sequence[str] = (),
    because: str = "",
    arguments: tuple[str, ...] = (),
    beside: Any = None,
) -> Scenario:
    """A scenario whose events are honest; nobody can say who made such a file."""
    return Scenario(
        name,
        about,
        spell(document),
        code,
        threats=threats,
        arguments=arguments,
        beside=beside or {},
        alone=frozenset({code, *alone}),
        because=because,
    )


def keys() -> Iterator[Scenario]:
    """800 to 802."""
    events = begun(phrase="keys").told()
    honest = bundle(events)["keys"]
    stranger = OTHER.listed()
    for name, about, listed in (
        (
            "id",
            "A key has the id of another.",
            [*honest, stranger | {"key_id": "0123456789abcdef"}],
        ),
        ("twice", "A key is listed twice.", honest * 2),
        ("small-order", "A key of small order is listed.", [*honest, key_of(SMALL_ORDER)]),
        ("identity", "The identity is listed as a key.", [*honest, key_of(IDENTITY)]),
        (
            "not-a-point",
            "A key is listed that is no point of the curve.",
            [*honest, key_of("02" * 32)],
        ),
        (
            "not-canonical",
            "A key is listed in a second spelling.",
            [*honest, key_of("ff" * 31 + "7f")],
        ),
        ("mixed-order", "A key of mixed order is listed.", [*honest, key_of(mixed_order())]),
    ):
        yield papers(
            f"key-{name}", about, "key/id", bundle(events) | {"keys": listed}, "T26", "T34"
        )
    yield papers(
        "key-missing",
        "The key of the match is not among the keys.",
        "key/missing",
        bundle(events, keys=(OTHER,)),
        "T19",
        alone=("receipt/signature",),
        because="Without the key no signature of it can be valid.",
    )
    yield papers(
        "key-other",
        "The house's key is pinned, and the match is signed by another.",
        "key/other",
        bundle(events),
        "T19",
        "T49",
        arguments=("--key", OTHER.public.hex()),
    )


def key_of(public: str) -> Json:
    """A listed key with its right id."""
    return {"key_id": key_id(bytes.fromhex(public)), "public_key": public}


def mixed_order() -> str:
    """The house's key plus a point of order 8: the sum has not prime order."""
    return add_small_order(HOUSE.public).hex()


def receipts() -> Iterator[Scenario]:
    """803 to 806."""
    house = begun("draw", 3, "receipts")
    events = house.told()
    good = receipt_at(events)
    before = receipt_of(events[-2])
    yield papers(
        "receipt-match",
        "The receipt is of another match.",
        "receipt/match",
        bundle(events, receipt("ab" * 16, good["seq"], bytes.fromhex(good["event_hash"]))),
    )
    for name, about, signed in (
        ("before", "The receipt is for the event before the last.", before),
        (
            "other-hash",
            "The receipt is for another last event.",
            receipt(good["match"], good["seq"], bytes(32)),
        ),
        (
            "other-seq",
            "The receipt is for the last event at another place.",
            receipt(good["match"], good["seq"] + 1, bytes.fromhex(good["event_hash"])),
        ),
    ):
        yield papers(
            f"receipt-not-head-{name}", about, "receipt/not-head", bundle(events, signed), "T16"
        )
    yield papers(
        "receipt-cut-off",
        "The last event is cut off, and the receipt is for it.",
        "receipt/not-head",
        bundle(events[:-1], good),
        "T16",
    )
    yield papers(
        "receipt-key",
        "The receipt names another key, though the match's key signed it.",
        "receipt/key",
        bundle(events, good | {"key_id": OTHER.id}, keys=(HOUSE, OTHER)),
        "T19",
    )
    flipped = f"{int(good['signature'][0], 16) ^ 1:x}" + good["signature"][1:]
    for name, about, signature in (
        ("flipped", "One bit of the signature is flipped.", flipped),
        (
            "other-key",
            "The receipt is signed by another key under the name of the match's.",
            receipt_at(events, OTHER)["signature"],
        ),
        ("not-reduced", "S of the signature is not below the order.", more_than_order(good)),
        ("other-event", "The signature is that of the receipt before.", before["signature"]),
        ("zero", "The signature is all zeros.", "00" * 64),
    ):
        yield papers(
            f"receipt-signature-{name}",
            about,
            "receipt/signature",
            bundle(events, good | {"signature": signature}),
            "T26",
            "T49",
        )


def framed() -> Iterator[Scenario]:
    """9.5: whoever holds another pinned key can sign false events of a match; its house did not."""
    events = begun(phrase="framed").told()
    events[-1]["at"] = events[-2]["at"] - 1
    false = relink(events)
    document = bundle(false, receipt_at(false, OTHER), keys=(HOUSE, OTHER))
    name = "chain-time-other-key"
    yield Scenario(
        name,
        "A clock runs backwards, and another pinned key has signed that, not the match's.",
        spell(document),
        "chain/time",
        len(false) - 1,
        threats=("T49",),
        arguments=(*PINNED, "--key", OTHER.public.hex()),
        expect={"convicts": False},
        alone=frozenset({"chain/time", "receipt/key", "receipt/signature"}),
        because="The receipt is of a key that is not the match's: that is found after the events.",
    )


def more_than_order(signed: Json) -> str:
    """The same signature with S + L: valid for libraries that do not look."""
    order = 2**252 + 27742317777372353535851937790883648493
    number = int.from_bytes(bytes.fromhex(signed["signature"][64:]), "little") + order
    return str(signed["signature"][:64] + number.to_bytes(32, "little").hex())


def histories() -> Iterator[Scenario]:
    """807 and 808."""
    for ruleset, seats, options in (
        ("block", 2, {"hand": 4}),
        ("draw", 4, {"hand": 4}),
        ("all-fives", 2, {"hand": 3}),
        ("fives-and-threes", 2, {"hand": 3}),
    ):
        house = House(Setup(ruleset, seats, options, phrase="two histories")).start()
        house.play(lambda it: len(it.hand.line) > 1)
        other = House(house.setup).start()
        other.dice.block()
        other.now += 1
        while other.playing and len(other.events) < len(house.events):
            other.act(other.legal()[-1])
        shown = receipt_of(other.told()[len(house.events) - 2])
        assert shown["event_hash"] != house.events[shown["seq"]].hash.hex()
        name = f"receipt-two-histories-{ruleset}"
        yield Scenario(
            name,
            "A player holds a receipt for another event at a place of this transcript.",
            house.play().transcript(),
            "receipt/not-in-transcript",
            threats=("T17", "T43"),
            arguments=(*PINNED, "--receipt", f"{name}.receipt.json"),
            beside={".receipt.json": spell(shown)},
            expect={"convicts": True},
            alone=frozenset({"receipt/not-in-transcript"}),
        )
    house = House(Setup("draw", 2, {"hand": 3}, phrase="longer")).start()
    house.play(lambda it: len(it.hand.line) > 0)
    short = house.transcript()
    house.play()
    name = "receipt-beyond-end"
    yield Scenario(
        name,
        "A player holds a receipt for a later event than the last one here.",
        short,
        "receipt/beyond-end",
        threats=("T16", "T18"),
        arguments=("--receipt", f"{name}.receipt.json"),
        beside={".receipt.json": spell(receipt_of(house.told()[-1]))},
        alone=frozenset({"receipt/beyond-end"}),
    )


def strangers() -> Iterator[Scenario]:
    """Exit 3: the verifier is asked something that cannot be answered."""
    house = begun("block", 3, "strangers")
    data, last = house.transcript(), house.told()[-1]
    other = begun("block", 3, "other strangers")
    cases: tuple[tuple[str, str, bytes], ...] = (
        ("match", "The receipt given is of another match.", spell(receipt_of(other.told()[-1]))),
        ("key", "The receipt given is signed by an unknown key.", spell(receipt_of(last, OTHER))),
        (
            "signature",
            "The signature of the receipt given is not valid.",
            spell(receipt_of(last) | {"signature": "00" * 64}),
        ),
        ("cut-off", "The receipt given is cut off.", spell(receipt_of(last))[:-20]),
    )
    for name, about, content in cases:
        full = f"start-receipt-{name}"
        yield Scenario(
            full,
            about,
            data,
            "start/receipt",
            arguments=("--receipt", f"{full}.receipt.json"),
            beside={".receipt.json": content},
            shared="start-receipt-match",
        )
    # Of two keys that are pinned only one is the key of this match: what the other has signed is
    # nothing that the house of this match said, whatever it says (SPEC 9.5, 9.7).
    both = (*PINNED, "--key", OTHER.public.hex())
    for name, about, arguments, signed in (
        ("pinned-key", "It is signed by another pinned key, for another event.", both, False),
        ("pinned-key-same", "It is signed by another pinned key, for this event.", both, True),
        (
            "pinned-key-alone",
            "It is signed by the one pinned key, not the match's.",
            both[2:],
            False,
        ),
    ):
        full = f"start-receipt-{name}"
        hash_ = event_hash(last) if signed else bytes(32)
        yield Scenario(
            full,
            about,
            data,
            "start/receipt",
            threats=("T49",),
            arguments=(*arguments, "--receipt", f"{full}.receipt.json"),
            beside={".receipt.json": spell(receipt(last["match"], last["seq"], hash_, OTHER))},
            shared="start-receipt-match",
        )
    for name, about, key in (
        ("short", "The key given is cut off.", HOUSE.public.hex()[:-2]),
        ("small-order", "The key given is of small order.", SMALL_ORDER),
    ):
        yield Scenario(
            f"start-key-{name}",
            about,
            data,
            "start/key",
            arguments=("--key", key),
            shared="start-receipt-match",
        )
    void = House(Setup("draw", 2, SHORT, phrase="seed given")).seat_all()
    void.reveal(0)
    void.touch()
    for name, about, given in (
        ("seat", "A seed is given for a seat that is not there.", f"2={void.seeds[1].hex()}"),
        ("mismatch", "The seed given does not open the seat's commitment.", "1=" + "5e" * 32),
        ("form", "The seed given is no number and 32 bytes.", "1=5e5e"),
    ):
        yield Scenario(
            f"start-seed-{name}",
            about,
            void.transcript(),
            "start/seed",
            arguments=("--seed", given),
            shared="start-seed-seat",
        )
    yield Scenario(
        "start-usage",
        "An option nobody knows.",
        data,
        "start/usage",
        arguments=("--trust-me",),
        shared="start-receipt-match",
    )
