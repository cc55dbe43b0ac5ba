"""C11 by a clock that goes on while the machine sleeps: who slept accuses nobody."""

from __future__ import annotations

import copy
import time
from typing import Any

import pytest

from fairbones_verify.client.clock import JUMP, Mended, sleepless
from fairbones_verify.client.lies import Lie
from tests.client.cases_play import clocks
from tests.client.making import Case
from tests.client.test_vectors import guard_of

Json = dict[str, Any]
HOUR = 3_600_000


class Machine:
    """A clock that stands still in a sleep, and the hour, which does not."""

    def __init__(self) -> None:
        self.running, self.hour = 1_000, 1_700_000_000_000

    def passes(self, milliseconds: int) -> None:
        self.running += milliseconds
        self.hour += milliseconds

    def clock(self) -> Mended:
        return Mended(lambda: self.running, lambda: self.hour)


def test_a_sleep_counts() -> None:
    machine = Machine()
    clock = machine.clock()
    before = clock()
    machine.passes(5_000)
    machine.hour += 14_000
    assert clock() == before + 19_000
    machine.passes(1_000)
    assert clock() == before + 20_000


def test_an_hour_that_is_put_back_takes_nothing() -> None:
    machine = Machine()
    clock = machine.clock()
    before = clock()
    machine.passes(5_000)
    machine.hour -= HOUR
    assert clock() == before + 5_000
    machine.passes(5_000)
    machine.hour += HOUR
    assert clock() >= before + 10_000


def test_clocks_that_run_differently_do_not_add_up() -> None:
    """A hundredth of a second between two looks is no sleep."""
    machine = Machine()
    clock = machine.clock()
    before = clock()
    for _ in range(1_000):
        machine.passes(1_000)
        machine.hour += JUMP // 10
        clock()
    assert clock() == before + 1_000_000


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_it_only_runs_forward(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if system == "win32":
        monkeypatch.delattr(time, "CLOCK_BOOTTIME", raising=False)
        assert isinstance(sleepless(system), Mended)
    clock = sleepless(system)
    told = [clock() for _ in range(100)]
    assert told == sorted(told)
    assert all(isinstance(one, int) for one in told)


def case(name: str) -> Case:
    return next(one for one in clocks() if one.name == name)


def lived(steps: list[Json], machine: Machine, knows: Json, sleeps: int) -> None:
    """A match in which the machine sleeps before the last answer: each step's own clock runs as the
    vector says, and stands still in the sleep."""
    guard, clock = guard_of(knows), machine.clock()
    for place, step in enumerate(steps):
        if "send" in step:
            guard.send(step["send"], step["body"])
            continue
        machine.passes(max(0, step["asked"] - machine.running))
        machine.hour += sleeps if place == len(steps) - 1 else 0
        asked = clock()
        machine.passes(max(0, step["heard"] - machine.running))
        guard.hear(step["answer"], step["body"], asked, clock())


def test_who_slept_through_a_turn_accuses_nobody() -> None:
    """The house's time-out came after 30 seconds; the client was awake for few of them."""
    made = case("c11-clock-put-forward")
    with pytest.raises(Lie) as caught:
        lived(copy.deepcopy(made.steps), Machine(), made.knows, 0)
    assert caught.value.obligation == "C11"
    lived(copy.deepcopy(made.steps), Machine(), made.knows, 30_000)
