"""The bench against other engines runs, and finds equal results; no time is judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.bench import peers
from tests.bench.harness import Unequal, measure
from tests.oracles import engines

engines.wanted()

from tests.oracles import dominoes_peer  # noqa: E402


def test_every_bench_finds_equal_results(tmp_path: Path) -> None:
    outcomes = [measure(bench, 1) for bench in peers.benches(quick=True, _folder=tmp_path)]
    names = {outcome.bench.name for outcome in outcomes}
    assert len(names) == len(outcomes) == 12
    assert {outcome.bench.sides[1].name for outcome in outcomes} == {
        "dominoes",
        "open-spiel",
        "all-fives-domino",
    }


def test_another_result_ends_the_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairing = replace(dominoes_peer.PAIRINGS[0], told=lambda game: len(game.moves))
    monkeypatch.setattr(dominoes_peer, "PAIRINGS", (pairing,))
    benches = peers.benches(quick=True, _folder=tmp_path)
    with pytest.raises(Unequal, match="who played what"):
        measure(next(benches), 1)
