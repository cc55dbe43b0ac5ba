"""`fairbones prune` and `fairbones sweep`: what is over goes, what is not over goes on."""

from __future__ import annotations

import random
import signal
import subprocess
import sys

import pytest

from fairbones.core.errors import Conflict
from fairbones.house.ports import Opening, Step
from tests.cli.houses import Place, begun, finished


def test_old_matches_are_forgotten_for_good(either: Place, seed: random.Random) -> None:
    with either.serving(seed) as party:
        over, going = finished(party), begun(party)
        waiting = party.open()
    first = either.whole(over.match_id).stored.steps[0]
    dry = either.run("prune", "--older-than", "30", "--dry-run").ok()
    assert dry.out == "1 match would be forgotten, 2 stay\n"
    assert either.whole(over.match_id) is not None
    told = either.process("prune", "--older-than", "30", "--json").ok().json()
    assert told == {"forgotten": 1, "kept": 2, "dry_run": False}
    assert either.run("prune", "--older-than", "30").ok().out == "0 matches forgotten, 2 stay\n"
    assert either.whole(over.match_id) is None
    assert None not in (either.whole(going.match_id), either.whole(waiting.match_id))
    store = either.open_store()
    try:
        with pytest.raises(Conflict) as caught:
            store.create(Opening(over.match_id, b"sealed", Step(0, first.events, first.receipt)))
        assert caught.value.code == "match/id-used"
    finally:
        store.close()


def test_what_is_young_stays(place: Place, seed: random.Random) -> None:
    with place.serving(seed) as party:
        finished(party)
    days = "9999"
    assert place.run("prune", "--older-than", days).ok().out == "0 matches forgotten, 1 stay\n"


@pytest.mark.parametrize("words", [(), ("--older-than", "0"), ("--older-than", "soon"), ("30",)])
def test_an_age_is_asked_for(place: Place, words: tuple[str, ...]) -> None:
    ended = place.run("prune", *words)
    assert (ended.code, ended.out) == (2, "")


def test_deadlines_are_applied(either: Place, seed: random.Random) -> None:
    """By the clock of this machine, by which those of the story are long over."""
    with either.serving(seed) as party:
        over, going, waiting = finished(party), begun(party), party.open()
    told = either.process("sweep", "--json").ok().json()
    # The one that is over was known to be, from its last step on.
    assert (told["matches"], told["failed"]) == (2, 0)
    assert told["steps"] >= 2
    for guests in (over, going, waiting):
        assert either.whole(guests.match_id).due is None
    assert either.run("sweep").ok().out == "matches 0, steps 0, failed 0\n"
    with either.serving(seed) as party:
        view = party.house.view(waiting.match_id, None).view
    assert view["status"] == "void"


def test_a_sweep_takes_so_many(place: Place, seed: random.Random) -> None:
    with place.serving(seed) as party:
        for _ in range(3):
            party.open()
    said = [place.run("sweep", "--limit", "2", "--json").ok().json()["matches"] for _ in range(3)]
    assert said == [2, 1, 0]
    assert place.run("sweep", "--limit", "0").code == 2


def test_a_sweep_goes_on_until_it_is_stopped(place: Place, seed: random.Random) -> None:
    with place.serving(seed) as party:
        party.open()
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "fairbones.cli", "sweep", "--every", "1"],
        env=place.process_environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(2)]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        process.stdout.close()
    finally:
        process.kill()
        process.wait()
    assert said == ["matches 1, steps 1, failed 0\n", "matches 0, steps 0, failed 0\n"]
