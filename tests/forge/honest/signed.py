"""Honest matches whose seats have keys: what is signed there, and what is not (SPEC 5.6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.forge.honest.serving import honest, whole
from tests.forge.house import House, Setup, find
from tests.forge.scenario import Scenario

Played = Callable[[Setup], House | None]
BOTH = (0, 1)


def saying(*wanted: str, idle: int = 0) -> Played:
    """Matches in which all of that happened: signed events, and after a `-` unsigned ones."""

    def played(setup: Setup) -> House | None:
        house = House(setup).start().play(idle=idle)
        told = {f"{'' if 'signature' in it.data else '-'}{it.type}" for it in house.events}
        return house if told.issuperset(wanted) else None

    return played


def seats() -> Iterator[Scenario]:
    """Who has a key, and which of its actions carry a signature."""
    setup = Setup("draw", 2, {"hand": 3}, signed=BOTH, names=True, phrase="signed all")
    yield honest(
        "signed-all",
        "Both seats have a key; the house's forced draws are unsigned.",
        find(setup, saying("played", "-drew")),
    )
    setup = Setup("block", 3, {"hand": 3}, 2, signed=(1,), phrase="signed some")
    yield honest(
        "signed-some", "One of three seats has a key; two hands.", find(setup, saying("-passed"))
    )
    options = {"hand": 4, "drawn_tile": "may-play"}
    setup = Setup("draw", 2, options, auto_forced=False, signed=BOTH, phrase="signed draws")
    yield honest(
        "signed-own-steps",
        "auto_forced is false: draws, passes and declines are the seats' own, and signed.",
        find(setup, saying("drew", "declined")),
    )
    setup = Setup("middle-eastern", 4, {"transfer": True}, signed=(0, 1, 2, 3), phrase="signed")
    yield honest(
        "signed-gifts",
        "A gift's signature names the position, never the tile.",
        find(setup, saying("gave")),
    )
    options = {"muggins": True, "hand": 4}
    setup = Setup("all-fives", 2, options, signed=BOTH, phrase="signed calls")
    yield honest(
        "signed-calls", "Claims and calls are signed.", find(setup, saying("called", "-drew"))
    )
    setup = Setup("block", 2, {"hand": 4}, signed=BOTH, phrase="signed slow")
    yield honest(
        "signed-timeouts",
        "The move after a time-out is the house's, and unsigned.",
        find(setup, saying("played", "-played", idle=40)),
    )
    more = {"options": {"hand": 2}, "signed": BOTH}
    yield honest(
        "signed-clear-seed",
        "A seat with a key shows its seed at once.",
        whole(clear=(1,), phrase="signed clear", **more),
    )
    yield honest(
        "signed-reserved",
        "Seat 1 is reserved for a key, and taken with it.",
        whole(reserved=(1,), phrase="signed reserved", **more),
    )
    house = House(Setup(options={"hand": 2}, signed=(0,), reserved=(0,), phrase="kept"))
    yield honest("signed-reserved-free", "A seat reserved for a key is free yet.", house)


def leaving() -> Iterator[Scenario]:
    """Before the deal in `voided`, after it in `left`."""
    setup = Setup(options={"hand": 3}, seats=3, signed=BOTH, phrase="signed leaver")
    house = House(setup)
    house.sit(1)
    house.leave(1)
    yield honest("signed-left-joining", "A seat signs that it leaves, before the deal.", house)
    house = House(setup).seat_all()
    house.reveal(2)
    house.leave(2)
    yield honest(
        "signed-left-unsigned", "The seat that leaves has no key: the void is unsigned.", house
    )
    house = House(setup).seat_all()
    house.reveal(0, 2)
    house.touch()
    yield honest("signed-seed-missing", "Nobody signs that a seed is missing.", house)

    def left(setup: Setup) -> House | None:
        house = House(setup).start()
        house.leave((house.turn + 1) % 2)
        told = [event.type for event in house.play().events]
        return house if told[told.index("left") :].count("played") > 2 else None

    setup = Setup(options={"hand": 3}, signed=BOTH, phrase="signed left")
    yield honest(
        "signed-left",
        "A seat signs that it leaves; what the house plays for it is unsigned.",
        find(setup, left),
    )
