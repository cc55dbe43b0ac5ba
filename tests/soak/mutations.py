"""Every field of every event of short matches changed, one at a time, chained and signed anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from fairbones_verify import verify
from tests.forge import lots
from tests.forge.dice import Dice
from tests.forge.house import House
from tests.forge.mutated_papers import papers
from tests.forge.mutating import Mutation, mutations
from tests.forge.paper import Json
from tests.forge.resigning import Keys
from tests.match.rows import TABLES
from tests.soak.matches import USUAL, setup

ABOUT = """Every field of short random matches, and of voids and draws: other values, other types,
left out, said twice with the same value and with another, and members that do not belong there;
whole events left out, repeated, exchanged. About half of the seats have keys. What they signed is
changed under the old signature and under a new one, and they sign what follows on the changed
chain. All is chained and signed anew by the house, but for the receipt and the keys where those are
changed themselves. None verifies but for the few that leave an honest match (`tolerated` in
tests/forge/mutating.py says which), none that says a thing twice is read at all, and the verifier
never fails itself."""
LONGEST = 45  # events of a match worth changing everywhere
VOIDS = ("missing", "left", "house")
DRAWS: tuple[tuple[lots.Lots, bool], ...] = (
    (lots.Lots(n=5, seats=3, clear=(1,), signed=(0, 1), phrase="mutated order"), True),
    (lots.Lots(kind="numbers", count=9, signed=(1,), phrase="mutated numbers"), True),
    (lots.Lots(seats=3, signed=(2,), phrase="mutated void"), False),
)
ITEMS = len(TABLES) + len(VOIDS) + len(DRAWS)  # one match of every table, and what is no match


@dataclass(frozen=True, slots=True)
class Told:
    """What is changed: honest events, and the keys of their seats."""

    events: list[Json]
    keys: Keys


def told(number: int, seed: int) -> Told:
    """Item `number`: the matches first, then voids and draws, and so on again."""
    again, place = divmod(number, ITEMS)
    if place < len(TABLES):
        house = match(again * len(TABLES) + place, seed)
        return Told(house.told(), house.keys)
    place -= len(TABLES)
    phrase = f"mutations {seed} {again}"
    if place < len(VOIDS):
        house = void(VOIDS[place], again, seed)
        return Told(house.told(), house.keys)
    given, whole = DRAWS[place - len(VOIDS)]
    table = lots.Table(replace(given, phrase=f"{given.phrase} {phrase}")).sit()
    if whole:
        table.reveal().draw()
    else:
        table.reveal(2)
        table.now += 60_000
        table.void("seeds-missing", missing=[0, 1])
    return Told(table.told(), table.keys)


def match(number: int, seed: int) -> House:
    """A short match."""
    attempt = number
    while True:
        house = House(setup(attempt, seed)).start()
        dice = Dice(f"mutations {seed} {attempt}")
        house.play(lambda it: len(it.events) > LONGEST, idle=dice.choice((0, 0, 20)))
        if len(house.events) <= LONGEST:
            return house
        attempt += USUAL  # a match of the same game and seats


def void(how: str, again: int, seed: int) -> House:
    """A match that ended before its deal: one seed was shown, one is missing."""
    dice = Dice(f"void {how} {seed} {again}")
    house = House(replace(setup(dice.below(USUAL), seed), clear=())).seat_all()
    seats = list(house.state.unrevealed())
    missing = dice.choice(seats)
    house.reveal(*(seat for seat in seats if seat != missing))
    if how == "missing":
        house.touch()
    elif how == "left":
        house.leave(missing)
    else:
        house.give_up()
    return house


def judge(mutation: Mutation) -> str:
    """The verdict on one; an assertion where it must not be."""
    report = verify(mutation.data)
    assert report.verdict in ("verified", "refuted", "unreadable"), mutation
    assert report.verdict != "verified" or mutation.may_pass, f"verified: {mutation}"
    assert mutation.code in (None, report.code), f"{report.code}: {mutation}"
    return report.verdict


def every(item: Told) -> Iterator[Mutation]:
    """All mutations of one item: of its events, and of the papers around them."""
    yield from mutations(item.events, item.keys)
    yield from papers(item.events)


def check(number: int, seed: int) -> Counter[str]:
    """All mutations of one item."""
    item = told(number, seed)
    figures: Counter[str] = Counter(
        {
            "matches, voids and draws": 1,
            "events": len(item.events),
            "events with a signature": sum("signature" in one["data"] for one in item.events),
            "seats with a key": len(item.keys),
        }
    )
    for mutation in every(item):
        verdict = judge(mutation)
        figures["mutations"] += 1
        figures["verified, on the allow-list" if verdict == "verified" else verdict] += 1
        figures["mutations signed anew by the seat"] += "signed anew" in mutation.kind
    return figures
