"""Two files of one match held against each other (spec/tools.md): `compare A B`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.forge.house import House, Setup
from tests.forge.keys import HOUSE, OTHER
from tests.forge.paper import Json, bundle, receipt, receipt_of, spell
from tests.forge.scenario import EXITS

PINNED = ("--key", HOUSE.public.hex())
TABLES: tuple[tuple[str, int, Json], ...] = (
    ("block", 2, {"hand": 3}),
    ("draw", 3, {"hand": 3}),
    ("all-fives", 2, {"hand": 3}),
    ("middle-eastern", 4, {}),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """One question; `expect` are members of the answer, with those of its failure."""

    name: str
    about: str
    first: bytes
    second: bytes
    expect: Json
    threats: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()

    def files(self) -> dict[str, bytes]:
        """Every file by name."""
        told: Json = {"name": self.name, "about": self.about}
        if self.threats:
            told["threats"] = list(self.threats)
        told["files"] = [f"{self.name}.a.json", f"{self.name}.b.json"]
        told |= {"arguments": list(self.arguments), "expect": self.expect}
        return {
            f"{self.name}.json": (json.dumps(told, indent=1) + "\n").encode(),
            f"{self.name}.a.json": self.first,
            f"{self.name}.b.json": self.second,
        }


def parted(convicts: bool, signed: str, **more: object) -> Json:
    """They tell two stories."""
    return {"exit": 1, "relation": "parted", "convicts": convicts, "signed": signed, **more}


def agreeing(relation: str, **more: object) -> Json:
    """They do not contradict each other."""
    return {"exit": 0, "relation": relation, "convicts": False, **more}


def histories(ruleset: str, seats: int, options: Json) -> tuple[list[Json], list[Json], int]:
    """Two honest-looking courses of one match, and the place where they part."""
    setup = Setup(ruleset, seats, options, phrase=f"compared {ruleset}")
    one = House(setup).start()
    one.play(lambda it: len(it.hand.line) > 1)
    other = House(setup).start()
    other.play(lambda it: len(it.hand.line) > 1)
    at = len(one.events)
    one.act(one.legal()[0])
    other.now += 1000
    other.act(other.legal()[-1])
    assert one.told()[:at] == other.told()[:at]
    assert one.told()[at] != other.told()[at]
    return one.told(), other.told(), at


def receipts() -> Iterator[Pair]:
    """Two receipts: what two players can do who saved nothing else (SPEC 9.7)."""
    for ruleset, seats, options in TABLES:
        one, other, at = histories(ruleset, seats, options)
        heads = spell(receipt_of(one[at])), spell(receipt_of(other[at]))
        yield Pair(
            f"compare-two-heads-{ruleset}",
            "Two receipts for one place of a match, with two hashes, under a pinned key.",
            *heads,
            expect=parted(True, "pinned", proof=at),
            threats=("T17", "T43"),
            arguments=PINNED,
        )
    one, other, at = histories(*TABLES[0])
    head, rival = receipt_of(one[at]), receipt_of(other[at])
    strange = receipt_of(other[at], OTHER)
    flipped = f"{int(rival['signature'][0], 16) ^ 1:x}" + rival["signature"][1:]
    keys = (*PINNED, "--key", OTHER.public.hex())
    rows: tuple[tuple[str, str, Json, Json, tuple[str, ...]], ...] = (
        ("unknown-key", "No key is at hand.", rival, parted(False, "none"), ()),
        (
            "other-key",
            "Two keys signed: that convicts neither.",
            strange,
            parted(False, "none"),
            keys,
        ),
        (
            "flipped",
            "One of the signatures is not valid.",
            rival | {"signature": flipped},
            parted(False, "none"),
            PINNED,
        ),
        ("same", "One and the same receipt.", head, agreeing("equal"), PINNED),
        ("apart", "Receipts of two places.", receipt_of(one[at - 1]), agreeing("apart"), PINNED),
    )
    for name, about, second, expect, arguments in rows:
        more = {"parted": at} if expect["relation"] == "parted" else {}
        yield Pair(
            f"compare-receipts-{name}",
            about,
            spell(head),
            spell(second),
            expect | more,
            arguments=arguments,
        )
    for name, about, second, code, verdict in (
        (
            "other-match",
            "A receipt of another match.",
            match_of(head),
            "start/other-match",
            "not-started",
        ),
        ("no-seq", "A receipt without its place.", less(head), "format/fields", "unreadable"),
    ):
        expect = {"exit": EXITS[verdict], "verdict": verdict, "code": code}
        yield Pair(f"compare-receipts-{name}", about, spell(head), spell(second), expect)


def match_of(head: Json) -> Json:
    """The same words about another match."""
    return receipt("ab" * 16, head["seq"], bytes.fromhex(head["event_hash"]))


def less(head: Json) -> Json:
    """A receipt that does not say where."""
    return {name: value for name, value in head.items() if name != "seq"}


def transcripts() -> Iterator[Pair]:
    """A transcript and a receipt, and two transcripts."""
    for ruleset, seats, options in TABLES[:3]:
        one, other, at = histories(ruleset, seats, options)
        whole = spell(bundle(one))
        yield Pair(
            f"compare-kept-receipt-{ruleset}",
            "A receipt that a player kept is for another event than stands in the transcript.",
            whole,
            spell(receipt_of(other[at])),
            parted(True, "pinned", proof=at),
            ("T17", "T43"),
            PINNED,
        )
    one, other, at = histories(*TABLES[1])
    whole, rival = spell(bundle(one)), spell(bundle(other))
    yield Pair(
        "compare-two-transcripts",
        "Two transcripts that part; the key stands only in the files.",
        whole,
        rival,
        parted(False, "unpinned", parted=at, proof=at),
        ("T17",),
    )
    yield Pair(
        "compare-receipt-covered",
        "A receipt for an event of the transcript.",
        whole,
        spell(receipt_of(one[at - 1])),
        agreeing("covered"),
        arguments=PINNED,
    )
    begun = spell(bundle(one[:at]))
    yield Pair(
        "compare-prefix",
        "One is the beginning of the other.",
        begun,
        whole,
        agreeing("prefix", longer="b"),
    )
    yield Pair("compare-equal", "The same twice.", begun, begun, agreeing("equal"))
    yield Pair(
        "compare-receipt-later",
        "A receipt for an event that the transcript does not reach.",
        begun,
        spell(receipt_of(one[at])),
        agreeing("apart"),
        ("T16",),
    )
    unsigned = spell(bundle(other, receipt_of(other[at]) | {"signature": "00" * 64}))
    yield Pair(
        "compare-nobody-signed",
        "Two transcripts that part, one of them signed by nobody.",
        whole,
        unsigned,
        parted(False, "none", parted=at),
        ("T49",),
        PINNED,
    )
    yield from lost(*TABLES[0])


def lost(ruleset: str, seats: int, options: Json) -> Iterator[Pair]:
    """The house was set back, was shown a receipt, and said so (SPEC 8.7)."""
    house = House(Setup(ruleset, seats, options, phrase="compared lost")).start()
    house.play(lambda it: len(it.hand.line) > 0)
    later = House(replace(house.setup)).start()
    later.play(lambda it: len(it.hand.line) > 1)
    shown = receipt_of(later.told()[len(house.events)])
    house.lose(shown)
    yield Pair(
        "compare-history-lost",
        "They part where the house says itself that it lost its history.",
        house.transcript(),
        spell(shown),
        agreeing("history-lost"),
        ("T51",),
        PINNED,
    )
    at = len(house.events) - 1
    yield Pair(
        "compare-history-lost-other-key",
        "What the house says it lost excuses nothing that another key has signed.",
        house.transcript(),
        spell(receipt_of(later.told()[at], OTHER)),
        parted(False, "none", parted=at),
        ("T51",),
        (*PINNED, "--key", OTHER.public.hex()),
    )


def pairs() -> Sequence[Pair]:
    """All of them."""
    return (*receipts(), *transcripts())


def files(folder: str) -> dict[str, bytes]:
    """The files by path."""
    return {f"{folder}/{name}": text for pair in pairs() for name, text in pair.files().items()}
