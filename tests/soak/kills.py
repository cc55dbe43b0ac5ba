"""Matches under load whose service, and whose store, are killed again and again."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.hall import Hall
from tests.faults.load import bout
from tests.faults.service import running
from tests.servers import Config, redis_server

ABOUT = """Matches of random rulesets and seats, some with keys, played side by side over HTTP while
kill -9 comes at random moments and at random points of a write: to the service, to one of its
workers, to Redis, to the service and Redis at once. Each item is a service with several kills, one
in two on a file, one in two with two workers on a Valkey that flushes every write. The players send
the same bytes again until they are answered. Every event that was acknowledged is still there,
every match goes on and ends, every transcript verifies with all the receipts that its players hold,
and no place of a match was signed twice, in what was shown and in what is kept."""
KILLS = 5
USUAL = 40
AWAY_SECONDS = 0.5


def check(number: int, seed: int, kills: int = KILLS) -> Counter[str]:
    """One service and its kills; what was counted."""
    rnd = random.Random(f"kills {seed} {number}")
    with tempfile.TemporaryDirectory() as folder:
        figures = (on_redis if number % 2 else on_a_file)(Path(folder), rnd, kills)
    figures["services"] = 1
    return figures


def on_a_file(folder: Path, rnd: random.Random, kills: int) -> Counter[str]:
    """In SQLite mode."""
    with running(folder, SWEEP=1) as service:
        hall = Hall(service)
        return judged(hall, bout(hall, rnd, kills))


def on_redis(folder: Path, rnd: random.Random, kills: int) -> Counter[str]:
    """In Redis mode, with two workers."""
    with (
        redis_server("valkey", Config(appendfsync="always")) as redis,
        running(folder, STORE=redis.url, WORKERS=2, SWEEP=1, GRACE=2) as service,
    ):
        hall = Hall(service)

        def redis_dies() -> None:
            redis.kill()
            time.sleep(rnd.random() * AWAY_SECONDS)
            redis.start()

        def both_die() -> None:
            service.kill()
            redis_dies()

        others = (("Redis", redis_dies), ("the service and Redis", both_die))
        return judged(hall, bout(hall, rnd, kills, others))


def judged(hall: Hall, figures: Counter[str]) -> Counter[str]:
    """With those of the judgement, a zero among them."""
    figures.update(hall.judge())
    return figures
