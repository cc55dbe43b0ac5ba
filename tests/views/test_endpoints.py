"""No answer of any call depends on what its reader cannot see: status, headers, body, length.

Whole matches are played in two worlds that differ in two hidden tiles. What is compared are whole
answers over HTTP, so that nothing between the view and the wire can add what the view left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.match.rows import RULESETS, TABLES, switched
from tests.views.asking import looking
from tests.views.leaks import LEAKS
from tests.views.twins import TellsApart, Twins
from tests.views.worlds import Json, hold_the_cut

ENOUGH = 15  # answers that have to be compared in a match, or another one is played
MATCHES_MAX = 40


@pytest.fixture(autouse=True)
def _one_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    hold_the_cut(monkeypatch)


def game(rnd: random.Random, ruleset: str, seats: int, percent: int = 0) -> Json:
    """What opens a match, with options at random."""
    return {
        "ruleset": ruleset,
        "seats": seats,
        "rounds_max": rnd.choice((1, 1, 1, 2)),
        "auto_forced": rnd.random() < 0.7,
        "options": switched(rnd, ruleset, seats, percent, sets=(6,)),
    }


def compared(
    rnd: random.Random, draw: Callable[[], Json], *, signed: bool, often: float = 0.15
) -> Twins:
    """A match in which enough was compared; each try is of a body drawn anew.

    A body with a hand of one tile and no boneyard may have too little to compare for ever.
    """
    for _ in range(MATCHES_MAX):
        body = draw()
        seats = range(body["seats"])
        keys = rnd.sample(seats, rnd.randint(1, len(seats))) if signed else ()
        twins = Twins(rnd, body, keys).play(0.25, often)
        if twins.compared >= ENOUGH:
            return twins
    raise AssertionError(f"nothing to compare in {MATCHES_MAX} matches, the last {body}")


@pytest.mark.parametrize("signed", [False, True], ids=["unsigned", "signed"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_call_tells_what_is_hidden(ruleset: str, signed: bool, seed: random.Random) -> None:
    """T23, T24: whoever sees neither of two tiles gets the same answer in either world."""
    counts = [seats for name, seats in TABLES if name == ruleset]
    seats = seed.choice(counts[1:4] or counts)
    compared(seed, lambda: game(seed, ruleset, seats), signed=signed)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_nor_with_options(ruleset: str, seed: random.Random) -> None:
    """The same with switches at random."""
    counts = [seats for name, seats in TABLES if name == ruleset]
    body = game(seed, ruleset, seed.choice(counts), 40)
    twins = Twins(seed, body, signed_at_random(seed, body)).play(0.25, 0.15)
    assert twins.exchanges or twins.compared == 0


@pytest.mark.parametrize(
    ("ruleset", "options"),
    [
        ("all-fives", {"muggins": True}),
        ("all-fives", {"muggins": True, "partners": True, "spinner": "all"}),
        ("all-fives", {"muggins": True, "call_seconds": 1, "hand": 3}),
        ("middle-eastern", {"transfer": True}),
        ("middle-eastern", {"transfer": True, "last_tile_transfer": "exempt"}),
    ],
    ids=["calls", "partners", "few tiles", "gifts", "exempt"],
)
def test_nor_calls_nor_gifts(ruleset: str, options: Json, seed: random.Random) -> None:
    """Where tiles change hands in secret, and where a forced step waits for the calls (SPEC 8.8):
    until these are over nothing is appended in one world that is not in the other.
    """

    def draw() -> Json:
        return {**game(seed, ruleset, 4), "options": options, "auto_forced": True}

    compared(seed, draw, signed=False, often=0.2)


def test_who_holds_one_of_the_two_is_shown_it(seed: random.Random) -> None:
    """The exchange is one: its holder sees another hand in an answer of the same shape."""
    for _ in range(MATCHES_MAX):
        twins = Twins(seed, game(seed, "block", 2)).begin()
        twins.part()
        if twins.other is not None and len(twins.holders) == 2:
            break
    assert twins.other is not None
    for seat in (0, 1):
        looks = [it.told(it.ask(looking(seat), twins.now)) for it in (twins.one, twins.other)]
        assert looks[0].body != looks[1].body
        assert looks[0][:2] == looks[1][:2] or looks[0].length != looks[1].length


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_would_be_found(
    name: str, seed: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A test of leaks that cannot fail says nothing: each of these is found in a few matches."""
    plant, body = LEAKS[name]
    plant(monkeypatch)
    with pytest.raises(TellsApart):
        for _ in range(MATCHES_MAX):
            Twins(seed, body).play(0.4, 0.3)


def signed_at_random(rnd: random.Random, body: Json) -> list[int]:
    """Some seats, or none."""
    return [seat for seat in range(body["seats"]) if rnd.random() < 0.4]
