"""Honest matches: seeds, voids, clocks, running transcripts, receipts, draws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairbones.core.bones import text
from fairbones.core.match import Stage, Touch
from fairbones.core.rules import Pass
from tests.forge import lots
from tests.forge.honest.serving import honest, whole
from tests.forge.house import House, Setup, find
from tests.forge.judging import expectation
from tests.forge.keys import HOUSE, OTHER
from tests.forge.paper import Json, bundle, receipt, receipt_of, spell
from tests.forge.scenario import Scenario


def seeds() -> Iterator[Scenario]:
    """Clear seeds, names, a reference, opened with any text the form allows."""
    yield honest(
        "clear-seed-one",
        "Seat 1 shows its seed at once, seat 0 commits.",
        whole(options={"hand": 3}, clear=(1,), phrase="one clear"),
    )
    yield honest(
        "clear-seeds-all",
        "Every seat shows its seed at once: no seeded event.",
        whole(seats=3, options={"hand": 3}, clear=(0, 1, 2), phrase="all clear"),
    )
    house = House(Setup("draw", 3, {"hand": 3}, clear=(0,), phrase="any order"))
    house.sit(2, 0, 1)
    house.reveal(2, 1)
    yield honest(
        "seats-in-any-order", "Seats are taken and seeds shown in any order.", house.play()
    )
    reference = 'order 66 / "quoted" \\ ~!'
    house = whole(options={"hand": 3}, names=True, reference=reference, phrase="reference")
    yield honest("reference", "A reference with characters that are escaped in JSON.", house)
    house = whole(options={"hand": 3}, phrase="newline")
    yield Scenario(
        "final-newline",
        "One final newline is tolerated (SPEC 6.6).",
        house.transcript() + b"\n",
        expect=expectation(house.told(), ()),
    )


def voids() -> Iterator[Scenario]:
    """Every reason that does not refute a match."""

    def opened(phrase: str, **more: Any) -> House:
        return House(Setup(options={"hand": 3}, phrase=phrase, **more))

    house = opened("seats missing", seats=3)
    house.sit(1)
    house.touch()
    yield honest("void-seats-missing", "Two of three seats were never taken.", house)
    house = opened("seeds missing", seats=3).seat_all()
    house.reveal(2)
    house.touch()
    yield honest("void-seeds-missing", "Two of three seats never revealed.", house)
    house = opened("last seed missing").seat_all()
    house.reveal(0)
    house.touch()
    yield honest(
        "void-last-seed-missing",
        "The last seed is missing; its owner looks at the deal that was dropped.",
        house,
        "--seed",
        f"1={house.seeds[1].hex()}",
        expect={"dropped_deal": dropped(house)},
    )
    house = opened("left early", seats=2)
    house.sit(0)
    house.leave(0)
    yield honest("void-left-joining", "A seat leaves before the other is taken.", house)
    house = opened("left early", seats=2).seat_all()
    house.reveal(1)
    house.leave(0)
    yield honest("void-left-revealing", "A seat leaves before it reveals.", house)
    house = opened("given up")
    house.give_up()
    yield honest("void-house-at-once", "The house gives up before anybody sat down.", house)
    house = opened("given up").start()
    house.act(house.legal()[0])
    house.give_up()
    yield honest("void-house-in-hand", "The house gives up in the middle of a hand.", house)
    house = opened("history lost").start()
    seq = len(house.events) + 1
    shown = receipt(house.match.hex(), seq, bytes.fromhex("5a" * 32))
    house.lose(shown)
    yield honest("void-history-lost", "A receipt was shown for a head that is lost.", house)
    yield honest(
        "void-history-lost-noted",
        "The receipt of the lost head is given besides: noted, not refuted (SPEC 9.7).",
        house,
        "--receipt",
        "void-history-lost-noted.receipt.json",
        beside={".receipt.json": spell(shown)},
        expect={"unchecked": None},  # a note is due, its wording is free
    )


def dropped(house: House) -> Json:
    """The deal that a missing seed kept from being dealt."""
    twin = House(house.setup).start()
    assert twin.state.round is not None
    dealt = twin.state.round
    order, told = dealt.wash.order, dealt.cut
    return {
        "hands": [[text(order[p]) for p in hand] for hand in told.hands],
        "boneyard": [text(order[p]) for p in told.boneyard],
    }


def clocks() -> Iterator[Scenario]:
    """Time-outs, leavings, abandoned matches."""
    for ruleset, seats in (("block", 2), ("draw", 3)):
        house = House(Setup(ruleset, seats, {"hand": 4}, 1, phrase="slow")).start().play(idle=35)
        yield honest(f"timeouts-{ruleset}", "Seats run out of time now and then.", house)
    house = House(
        Setup("draw", 2, {"hand": 5, "drawn_tile": "may-play"}, auto_forced=False, phrase="slow")
    )
    yield honest(
        "timeouts-own-passes",
        "Time-outs where seats send their draws themselves: the fixed rule draws, too.",
        house.start().play(idle=40),
    )
    for seats in (2, 4):
        house = House(Setup("draw", seats, {"hand": 4}, 1, phrase="leaver")).start()
        house.play(lambda it: bool(it.hand.line))
        if house.playing:
            house.leave((house.turn + 1) % seats)
        yield honest(
            f"leaver-{seats}",
            "A seat leaves; the fixed rule plays for it to the end.",
            house.play(),
        )
    house = House(Setup("block", 3, {"hand": 7}, 2, phrase="all idle")).start().play(idle=100)
    yield honest("abandoned-idle", "Every seat was idle three times: abandoned.", house)
    house = House(Setup("block", 2, {"hand": 7}, 2, phrase="all leave")).start()
    house.leave(0)
    if house.playing:
        house.leave(1)
    yield honest("abandoned-left", "Everybody leaves: abandoned after three turns each.", house)

    def closed(setup: Setup) -> House | None:
        house = House(setup).start()
        while house.playing and house.now + 80_000_000 <= house.state.terms.close_by:
            house.now += 79_000_000
            house.act(house.dice.choice(house.legal()))
        if not house.playing:
            return None
        house.now = house.state.terms.close_by + 1
        house.do(Touch(house.now))
        return house if house.state.stage is Stage.ENDED else None

    yield honest(
        "abandoned-close-by",
        "close_by has passed in the middle of a hand.",
        find(Setup("block", 2, turn_seconds=86_400, phrase="close by"), closed),
    )


def running() -> Iterator[Scenario]:
    """Every stage at which a match can wait."""

    def at(phrase: str = "running", **more: Any) -> House:
        return House(Setup("draw", 2, {"hand": 5}, 2, phrase=phrase, **more))

    yield honest("running-opened", "Only opened: waiting for seats.", at())
    house = at()
    house.sit(1)
    yield honest("running-joining", "One seat is free.", house)
    yield honest("running-seated", "Every seat is taken: waiting for seeds.", at().seat_all())
    house = at().seat_all()
    house.reveal(1)
    yield honest("running-revealing", "One seed is missing.", house)
    yield honest("running-dealt", "Dealt, nothing set yet.", at().start())
    drawn = {"drew": 2}

    def moved(house: House) -> bool:
        types = [event.type for event in house.events]
        return all(types.count(name) >= count for name, count in drawn.items())

    def stopped(setup: Setup) -> House | None:
        house = House(setup).start().play(moved)
        return house if house.playing and house.state.rounds == 1 else None

    house = find(at().setup, stopped)
    yield honest("running-hand-1", "In hand 1, with draws that cannot be proved yet.", house)

    def second(setup: Setup) -> House | None:
        house = House(setup).start().play(lambda it: it.state.rounds == 2)
        if house.playing:
            house.play(lambda it: it.events[-1].type == "played" and it.state.rounds == 2)
        return house if house.playing else None

    house = find(at().setup, second)
    yield honest("running-hand-2", "Hand 1 is proved by its round seed, hand 2 runs.", house)
    options = {"hand": 3, "next_lead": "highest-double"}
    house = find(Setup("block", 2, options, 2, phrase="led again"), second)
    yield honest(
        "running-hand-2-highest-double",
        "Whose double is the highest in hand 2 is not known yet: its first tile is counted.",
        house,
    )
    house = House(Setup("blocking", 2, {"hand": 3}, phrase="drawn")).start()
    house.act(house.legal()[0])
    yield honest(
        "running-lead-drawn",
        "The lead was drawn, and that is proved: the first tile is not counted.",
        house,
    )

    def timed(setup: Setup) -> House | None:
        house = House(setup).start()
        house.touch()
        while house.playing and len(house.events) < 12:
            house.touch()
        return house if house.playing and house.state.rounds == 1 else None

    house = find(Setup("draw", 3, {"hand": 5}, phrase="running fixed"), timed)
    yield honest("running-fixed-steps", "Plays by the fixed rule, not provable yet.", house)
    house = at().start()
    yield honest(
        "running-complete-asked",
        "A valid transcript that stops before its end: exit 1 when --complete was asked.",
        house,
        "--complete",
        expect={"exit": 1},
    )

    def may_pass(setup: Setup) -> House | None:
        house = House(setup).start().play(lambda it: isinstance(it.legal()[0], Pass))
        return house if house.playing else None

    house = find(Setup("block", 2, auto_forced=False, phrase="owes a pass"), may_pass)
    yield honest("running-waits-for-pass", "A seat that must pass has to say so itself.", house)


def receipts() -> Iterator[Scenario]:
    """Pinned keys and receipts from outside."""
    house = whole(options={"hand": 3}, phrase="pinned")
    yield honest("key-pinned", "The house's key is pinned.", house, "--key", HOUSE.public.hex())
    told = house.told()
    for seq in (3, len(told) - 1):
        name = f"receipt-given-{'head' if seq > 3 else 'middle'}"
        yield honest(
            name,
            "A receipt kept by a player is for an event of this transcript.",
            house,
            "--receipt",
            f"{name}.receipt.json",
            beside={".receipt.json": spell(receipt_of(told[seq]))},
        )
    yield Scenario(
        "two-keys",
        "The list of keys has one more than is needed.",
        spell(bundle(told, keys=(OTHER, HOUSE))),
        expect=expectation(told, ()),
    )
    yield Scenario(
        "key-pinned-second",
        "Two keys are pinned; the second is the match's.",
        spell(bundle(told)),
        arguments=("--key", OTHER.public.hex(), "--key", HOUSE.public.hex()),
        expect=expectation(told, ("--key",)),
    )


def of_draw(table: lots.Table) -> Json:
    """What is said of a draw: it has no hands."""
    told = expectation(table.told(), ())
    del told["rounds"]
    return told


def draws() -> Iterator[Scenario]:
    """Lots (SPEC 11)."""
    for name, about, table in lots.honest():
        yield Scenario(name, about, table.transcript(), expect=of_draw(table))
