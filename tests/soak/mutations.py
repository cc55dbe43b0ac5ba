"""Every field of every event of short matches changed, one at a time, chained and signed anew."""

from __future__ import annotations

from collections import Counter

from fairbones_verify import verify
from tests.forge.dice import Dice
from tests.forge.house import House
from tests.forge.mutating import Mutation, mutations
from tests.soak.matches import USUAL, setup

ABOUT = """Every field of every event of short random matches: other values, other types, left out,
said twice; whole events left out, repeated, exchanged. Chained and signed anew, none verifies but
for the few that leave an honest match (`tolerated` in tests/forge/mutating.py says which), and the
verifier never fails itself."""
LONGEST = 45  # events of a match worth changing everywhere


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


def judge(mutation: Mutation) -> str:
    """The verdict on one; an assertion where it must not be."""
    report = verify(mutation.data)
    assert report.verdict in ("verified", "refuted", "unreadable"), mutation
    assert report.verdict != "verified" or mutation.may_pass, f"verified: {mutation}"
    return report.verdict


def check(number: int, seed: int) -> Counter[str]:
    """All mutations of one match."""
    house = match(number, seed)
    figures: Counter[str] = Counter({"matches": 1, "events": len(house.events)})
    for mutation in mutations(house.told()):
        verdict = judge(mutation)
        figures["mutations"] += 1
        figures["verified, on the allow-list" if verdict == "verified" else verdict] += 1
    return figures
