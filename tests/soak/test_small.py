"""The long tests, short: a few items each, of another seed every time."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.match.rows import TABLES
from tests.soak import evidence, kills, matches, mutations
from tests.soak.progress import Progress

EVERY = range(len(TABLES))
FEW = 3  # kills of a service
SHARE = 200  # mutations of an item that are tried here


@pytest.mark.parametrize("table", EVERY)
def test_house_and_verifier_agree(table: int, seed: random.Random) -> None:
    figures = matches.check(table, seed.randrange(10**9))
    assert figures["matches"] == 1
    assert figures["prefixes"] > 1


@pytest.mark.parametrize("number", range(mutations.ITEMS))
def test_no_mutation_verifies(number: int, seed: random.Random) -> None:
    """Not all of an item's mutations here: a share of them, drawn anew."""
    item = mutations.told(number, seed.randrange(10**9))
    chosen = seed.sample(list(mutations.every(item)), SHARE)
    verdicts = Counter(mutations.judge(mutation) for mutation in chosen)
    assert verdicts["refuted"] > 5, verdicts
    assert verdicts["unreadable"] > 20, verdicts


@pytest.mark.parametrize("mode", range(2))
def test_kills_lose_nothing(mode: int, seed: random.Random) -> None:
    """On a file, and on Redis."""
    figures = kills.check(mode, seed.randrange(10**9), FEW)
    assert figures["kills"] == FEW
    assert figures["matches ended"] == figures["transcripts verified"] > 0
    assert figures["acknowledged events found again"] > 0


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first = Progress("matches", 3, tmp_path)
    first.count(Counter(events=5), "abc")
    second = Progress("matches", 3, tmp_path)
    second.count(Counter(events=2), "abc")
    second.count(Counter(hands=1), "def")
    third = Progress("matches", 3, tmp_path)
    assert (third.done, third.figures) == (3, Counter(events=7, hands=1))
    assert third.commits == ["abc", "def"]
    assert Progress("matches", 4, tmp_path).done == 0


def test_a_section_is_replaced(tmp_path: Path) -> None:
    page = tmp_path / "evidence.md"
    for name, number in (("matches", 1), ("mutations", 2), ("matches", 3)):
        progress = Progress(name, number, tmp_path)
        progress.count(Counter(events=number), "abc")
        evidence.write(name, evidence.section(name, "About.", number, progress), page)
    told = page.read_text("utf-8")
    assert told.startswith("# Evidence\n")
    assert told.count("## matches\n") == 1
    assert "| events | 3 |" in told
    assert "| events | 1 |" not in told
