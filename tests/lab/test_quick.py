"""The lab in short: honest deals pass, planted faults do not. A fresh seed every time.

False alarms are rarer than one in a million runs; a fault that is missed is rarer still, for each
is dealt more often than it needs to be (`shows`).
"""

from __future__ import annotations

import random
from typing import ClassVar

import pytest

from tests.lab.__main__ import MAIN, OTHERS
from tests.lab.dealing import HANDS, LOT, House, Lots, Match, Table, twins
from tests.lab.faults import FAULTS, Reference, SmallState
from tests.lab.judging import judge
from tests.lab.page import Run, evenness
from tests.lab.progress import Outcome, Part
from tests.lab.tally import Tally
from tests.lab.verdict import Finding, rejected

DEALS = 1_000
RARE = 1e-8  # adjusted; a chi-square of small counts has slightly heavier tails than its name


class TinyState(SmallState):
    """Of 32 bits the repeats show after hundreds of thousands of deals, of 20 after a thousand."""

    bits: ClassVar[int] = 20
    shows = 3_000  # 17 repeats are expected: none has a chance of 3e-8


def dealt(house: House, table: Table, deals: int, seed: random.Random) -> Tally:
    """A tally of some deals."""
    tally = Tally(table)
    for one, two, lots in twins(house, table, str(seed.random()), deals // (2 * HANDS)):
        tally.count(one, two, lots)
    return tally


@pytest.mark.parametrize("table", [MAIN, *OTHERS[:3]], ids=str)
def test_honest_deals_pass(table: Table, seed: random.Random) -> None:
    """SPEC 1: "A deal is uniform, as far as SHA-256 is random"."""
    tally = dealt(House(), table, DEALS, seed)
    assert tally.deals == DEALS
    findings = judge(tally)
    assert len(findings) > 30
    assert rejected(findings, RARE) == []


def test_a_larger_set_passes(seed: random.Random) -> None:
    """Double-nine: 55 tiles, grids of 3,025 cells."""
    assert rejected(judge(dealt(House(), OTHERS[3], 600, seed)), RARE) == []


@pytest.mark.parametrize(
    "fault", [TinyState, *(it for it in FAULTS if it is not SmallState)], ids=lambda it: it.name
)
def test_a_planted_fault_is_rejected(fault: type[House], seed: random.Random) -> None:
    """T21, T5, T6: a statistic that cannot fail says nothing."""
    found = rejected(judge(dealt(fault(), MAIN, fault.shows, seed)))
    assert found, fault.about


def test_a_small_state_is_seen_by_repeats_alone(seed: random.Random) -> None:
    """Each order that a good generator makes of few bits looks even: nothing else can tell."""
    found = rejected(judge(dealt(TinyState(), MAIN, TinyState.shows, seed)), RARE)
    assert [it.name for it in found] == ["wash and cut: repeats"]


def test_thirty_two_bits_show_at_the_size_of_the_page() -> None:
    """The chance that a run of `shows` deals meets no repeat."""
    lists = 2 * SmallState.shows
    assert 18 < lists * (lists - 1) / 2 / 2**32 < 19  # e^-18 is 1.5e-8


def starting(findings: list[Finding], words: str) -> set[str]:
    """The names that begin so."""
    return {it.name for it in findings if it.name.startswith(words)}


def test_equal_deals_of_twins_are_rejected(seed: random.Random) -> None:
    """The statistics of matches with equal client seeds can fail, each of them."""
    tally = Tally(MAIN)
    for one, _, lots in twins(House(), MAIN, str(seed.random()), 50):
        tally.count(one, one, lots)
    findings = judge(tally)
    told = starting(rejected(findings), "same client seeds")
    assert told == starting(findings, "same client seeds")


def test_equal_hands_of_a_match_are_rejected(seed: random.Random) -> None:
    """The statistics of a hand and the next can fail, each of them."""
    tally = Tally(MAIN)
    for one, two, lots in twins(House(), MAIN, str(seed.random()), 50):
        a, b = (Match(it.deals[:1] * HANDS, []) for it in (one, two))
        tally.count(a, b, lots)
    findings = judge(tally)
    assert starting(rejected(findings), "next hand") == starting(findings, "next hand")


def test_lots_that_stick_are_rejected(seed: random.Random) -> None:
    """The statistics of draws without a game can fail, each of them."""
    tally = Tally(MAIN)
    for one, two, lots in twins(House(), MAIN, str(seed.random()), 50):
        stuck = {n: [n - 1] * len(numbers) for n, numbers in lots.numbers.items()}
        tally.count(one, two, Lots(list(range(LOT)), stuck))
    findings = judge(tally)
    for words in ("numbers", "order"):
        assert starting(rejected(findings), words) == starting(findings, words) != set()


def test_p_values_of_a_known_good_shuffle_are_even(seed: random.Random) -> None:
    """Calibration: over a hundred small pieces of another's shuffle each tenth is met as often.

    A statistic with a wrong variance or a wrong number of degrees of freedom would not do that.
    """
    outcome = Outcome(Part(Reference.name, MAIN, 14_400, 0), Tally(MAIN))
    for _ in range(100):
        outcome.add(dealt(Reference(), MAIN, 144, seed))
    findings = evenness(outcome)
    assert len(findings) > 30
    assert rejected(findings, RARE) == []
    assert rejected(outcome.findings, RARE) == []


def test_uneven_p_values_would_be_found() -> None:
    """The test above can fail: here a statistic takes half of its p-values from one tenth."""
    outcome = Outcome(Part(Reference.name, MAIN, 20_000, 0), Tally(MAIN))
    outcome.trail[20_000] = []
    outcome.tenths = {"even": [10] * 10, "uneven": [55, *[5] * 9], "too few": [9, *[0] * 9]}
    assert [it.name for it in evenness(outcome)] == [
        "even: p-values of pieces",
        "uneven: p-values of pieces",
    ]
    assert not Run((outcome,)).well
