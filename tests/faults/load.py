"""Matches of random rulesets played side by side while their service is killed at random."""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tests.faults.hall import Hall
from tests.faults.planting import POINTS, Fault, Then
from tests.faults.players import drawn
from tests.servers import until

PLAYERS = 4
LEAVING = 4  # of 1000 steps
NTH_MAX = 60
MOMENT_SECONDS = 0.5
HIT_SECONDS = 60.0
Others = Sequence[tuple[str, Callable[[], None]]]


@dataclass
class Load:
    """Players who open match after match until they are told that it is enough."""

    hall: Hall
    rnd: random.Random
    players: int = PLAYERS

    def __post_init__(self) -> None:
        self._enough = threading.Event()
        self._errors: list[BaseException] = []

    @contextlib.contextmanager
    def on(self) -> Iterator[None]:
        """Inside, they play; then each finishes its match. What went wrong with one is raised."""
        seeds = [self.rnd.randrange(10**9) for _ in range(self.players)]
        threads = [threading.Thread(target=self._play, args=(seed,)) for seed in seeds]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._enough.set()
            for thread in threads:
                thread.join()
        if self._errors:
            raise self._errors[0]

    def _play(self, seed: int) -> None:
        rnd = random.Random(seed)
        try:
            while not self._enough.is_set() and not self._errors:
                game = self.hall.open(*drawn(rnd))
                for _ in game.steps(rnd, self.hall.clock, LEAVING):
                    if self._errors:
                        return
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            self._errors.append(error)

    def kill(self, others: Others) -> str:
        """One kill -9 now or at the next passage of a point; what was killed, and where."""
        if others and self.rnd.randrange(2):
            name, kill = self.rnd.choice(others)
            time.sleep(self.rnd.random() * MOMENT_SECONDS)
            kill()
            self.hall.service.revive()
            return f"kills of {name}, at any moment"
        if not self.rnd.randrange(4):
            time.sleep(self.rnd.random() * MOMENT_SECONDS)
            self.hall.service.kill()
            self.hall.service.revive()
            return "kills of the service, at any moment"
        point, whole = self.rnd.choice(POINTS), self.rnd.random() < 0.5
        self._at(point, "kill" if whole else "kill-worker")
        whom = "the service" if whole else "a worker"
        return f"kills of {whom}, {point}"

    def _at(self, point: str, then: Then) -> None:
        plan = self.hall.service.plan
        nth = 1 + self.rnd.randrange(NTH_MAX)
        with plan.planted(Fault(point, then, nth)):
            until(lambda: plan.hit() or self._errors, HIT_SECONDS, f"nobody comes to {point}")
            if self._errors:
                raise self._errors[0]
        self.hall.service.revive()


def bout(hall: Hall, rnd: random.Random, kills: int, others: Others = ()) -> Counter[str]:
    """So many kills under load; every match is played to its end.

    `others`: what else can be killed, by name; each returns when it has died and may run again.
    """
    load, figures = Load(hall, rnd), Counter[str]()
    with load.on():
        for _ in range(kills):
            figures[load.kill(others)] += 1
            figures["kills"] += 1
    return figures
