"""The thread that sweeps: it goes on whatever goes wrong, and ends when told."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import structlog.testing

from fairbones.core.errors import FairbonesError
from fairbones.house.sweep import Swept
from fairbones.serving import sweeper
from fairbones.serving.sweeper import LIMIT, Sweeper

NOTHING = Swept(0, 0, 0)


class Told:
    """A sweep that does one thing after the other, then nothing, and says when it has."""

    def __init__(self, *acts: Swept | Exception) -> None:
        self._acts = list(acts)
        self.done = threading.Event()
        self.asked: list[int] = []

    def __call__(self, limit: int) -> Swept:
        self.asked.append(limit)
        act = self._acts.pop(0) if self._acts else NOTHING
        if not self._acts:
            self.done.set()
        if isinstance(act, Exception):
            raise act
        return act


def swept(told: Told, seconds: float = 0.001) -> list[tuple[str, str]]:
    """What is logged until it has done all it was told."""
    made = Sweeper(told, seconds)
    with structlog.testing.capture_logs() as lines:
        made.start()
        assert told.done.wait(10)
        made.stop()
        made.join()
    return [(line["log_level"], line["event"]) for line in lines]


def test_what_it_did_is_told_and_nothing_is_not() -> None:
    told = Told(NOTHING, Swept(3, 2, 0), NOTHING)
    assert swept(told) == [("info", "applied deadlines")]
    assert set(told.asked) == {LIMIT}


@pytest.mark.parametrize(
    ("error", "level"),
    [(FairbonesError("store/unreachable", "away"), "warning"), (KeyError("a secret"), "error")],
)
def test_it_goes_on_after_an_error(error: Exception, level: str) -> None:
    told = Told(error, error, Swept(1, 1, 0))
    what = (level, "could not look for deadlines")
    assert swept(told) == [what, what, ("info", "applied deadlines")]


def test_what_went_wrong_is_told_by_place_alone() -> None:
    with structlog.testing.capture_logs() as lines:
        Sweeper(Told(KeyError("a secret")), 1)._looked()
    (line,) = lines
    assert line["kind"] == "KeyError"
    assert "test_sweeper.py:" in line["at"]
    assert "secret" not in str(line)


def test_more_than_fits_into_one_look_is_done_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause is between looks that found little: this one would never end."""
    monkeypatch.setattr(sweeper, "BREATH_SECONDS", 0.0)
    pauses: list[float] = []

    class Counting(Sweeper):
        def _pause(self) -> float:
            pauses.append(1)
            return 0.0 if len(pauses) == 1 else 3_600.0

    told = Told(Swept(LIMIT, 1, 0), Swept(LIMIT, 0, 1), Swept(3, 0, 0))
    made = Counting(told, 30)
    made.start()
    assert told.done.wait(10)
    made.stop()
    made.join()
    assert len(told.asked) == 3
    assert not made._thread or not made._thread.is_alive()


def test_a_store_that_fails_at_every_match_is_not_asked_at_once() -> None:
    assert Sweeper(Told(Swept(LIMIT, 0, LIMIT)), 1)._looked() is False
    assert Sweeper(Told(Swept(LIMIT, 0, LIMIT - 1)), 1)._looked() is True


def test_zero_is_never() -> None:
    made = Sweeper(Told(), 0)
    made.start()
    assert made._thread is None
    made.stop()
    made.join()


def test_processes_do_not_sweep_together() -> None:
    pause: Callable[[], float] = Sweeper(Told(), 30)._pause
    found = {pause() for _ in range(200)}
    assert len(found) > 20
    assert all(15 <= seconds <= 45 for seconds in found)
