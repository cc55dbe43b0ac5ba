"""One verdict of many statistics: how often an honest run is rejected."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import exp, inf, log

import pytest

from tests.lab.verdict import ALARM, Finding, below, holm, rejected, written

RUNS, STATISTICS = 4_000, 40


def test_holm_by_hand() -> None:
    """Four p-values, adjusted as in the definition."""
    adjusted = holm([log(p) for p in (0.03, 0.001, 0.8, 0.02)])
    assert [exp(it) for it in adjusted] == pytest.approx([0.06, 0.004, 0.8, 0.06])
    assert holm([]) == []
    assert holm([-inf, log(0.5)]) == [-inf, log(0.5)]


def apart(rnd: random.Random) -> list[float]:
    """Statistics that know nothing of each other."""
    return [rnd.random() for _ in range(STATISTICS)]


def together(rnd: random.Random) -> list[float]:
    """All the same."""
    return [rnd.random()] * STATISTICS


def halves(rnd: random.Random) -> list[float]:
    """Two that exclude each other's tails."""
    one = rnd.random()
    return [one, 1 - one] * (STATISTICS // 2)


@pytest.mark.parametrize("hang", [apart, together, halves])
def test_honest_runs_are_rejected_no_more_often_than_the_rule_says(
    hang: Callable[[random.Random], list[float]], seed: random.Random
) -> None:
    """However they hang together. With an alarm of 1 in 20, for 1 in 10,000 takes too long; the
    rule is linear in it: the least of T p-values has to be below alarm / T.
    """
    alarm = 0.05
    alarms = 0
    for _ in range(RUNS):
        findings = [Finding("it", 0.0, 1, log(p)) for p in hang(seed)]
        alarms += bool(rejected(findings, alarm))
    # Six standard deviations above what is allowed.
    assert alarms <= RUNS * alarm + 6 * (RUNS * alarm * (1 - alarm)) ** 0.5


def test_the_alarm_is_one_in_ten_thousand() -> None:
    """An alarm needs the least p-value at or below 1e-4 by the number of them."""
    assert ALARM == 1e-4
    fine = [Finding("fine", 0.0, 1, log(0.5))] * 99
    assert rejected([*fine, Finding("odd", 0.0, 1, log(1.01e-6))]) == []
    (found,) = rejected([*fine, Finding("odd", 0.0, 1, log(0.99e-6))])
    assert found.name == "odd"
    assert below([*fine, found], 0.01) == 1


@pytest.mark.parametrize(
    ("ln_p", "text"),
    [
        (0.0, "1.000"),
        (log(0.0123), "0.012"),
        (log(4.26e-7), "4.3e-7"),
        (log(9.99e-7), "1.0e-6"),
        (-1e6 * log(10) + log(2.5), "2.5e-1000000"),
        (-inf, "0"),
    ],
)
def test_p_values_are_written_however_small(ln_p: float, text: str) -> None:
    assert written(ln_p) == text
