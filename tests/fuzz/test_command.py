"""The command counts, stops, goes on, and keeps what fails; a fault that is planted is found."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import GiveUp
from fairbones.house.desk import Desk
from fairbones_verify import report
from tests.fuzz import target_transcripts
from tests.fuzz.__main__ import main
from tests.fuzz.mutator import mutated, spelled
from tests.fuzz.running import TARGETS, Run, Target


def listed(folder: Path) -> list[str]:
    """What was kept as failing."""
    return [path.name for path in folder.glob("*.bin")]


def test_it_counts_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["transcripts", "--seconds", "0.5", "--seed", "7", "--cache", str(tmp_path)]
    assert main(given) == 0
    first = capsys.readouterr().out
    assert first.startswith("transcripts, seed 7: ")
    assert "unreadable format/json" in first
    begun = Run(TARGETS["transcripts"], 7, tmp_path)
    begun.resume()
    assert main([*given, "--resume"]) == 0
    gone_on = Run(TARGETS["transcripts"], 7, tmp_path)
    gone_on.resume()
    assert gone_on.done > begun.done > 0
    assert sum(gone_on.outcomes.values()) > sum(begun.outcomes.values())
    assert gone_on.pool[: len(begun.pool)] == begun.pool


def test_what_fails_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exit 1, and a file with the very bytes."""

    def outcome(data: bytes) -> str:
        if b"\x1b" in data or b"NaN" in data:
            raise RecursionError
        return "fine"

    target = Target("transcripts", outcome, target_transcripts.corpus, ())
    monkeypatch.setitem(TARGETS, "transcripts", target)
    found = tmp_path / "found"
    given = ["transcripts", "--seconds", "30", "--cache", str(tmp_path), "--found", str(found)]
    assert main(given) == 1
    (name,) = listed(found)
    assert name.startswith("transcripts-")
    with pytest.raises(RecursionError):
        outcome((found / name).read_bytes())
    assert f"failed: {found / name}" in capsys.readouterr().out


def test_a_seed_gives_the_same_inputs(tmp_path: Path) -> None:
    runs = [Run(TARGETS["transcripts"], 3, tmp_path / str(k)) for k in range(2)]
    for run in runs:
        run.go(60, 40)
    assert runs[0].outcomes == runs[1].outcomes
    assert runs[0].pool == runs[1].pool


def failing(target: Target, inputs: int = 1_500) -> bool:
    """Whether a run finds a fault."""
    return Run(target, random.randrange(10**9), Path()).go(60, inputs) is not None


def test_a_report_that_shows_a_text_as_it_is_would_be_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report, "shown", lambda text, _longest=160: text)
    assert failing(TARGETS["transcripts"])


def test_a_refusal_that_appends_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that gives up whenever it is asked for what it refuses."""
    change = Desk.change

    def careless(desk: Desk, match_id: bytes, ask: Any) -> Any:
        try:
            return change(desk, match_id, ask)
        except FairbonesError:
            with suppress(FairbonesError):
                desk.append(desk.fresh(match_id), GiveUp(desk.clock()))
            raise

    monkeypatch.setattr(Desk, "change", careless)
    assert failing(TARGETS["requests"])


def test_a_fault_of_the_service_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any exception is a 500, and that is in no description."""
    monkeypatch.setattr("fairbones.api.strict_json._walk", lambda value, _path: value.nothing)
    assert failing(TARGETS["requests"])


def test_a_text_that_comes_back_raw_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that repeats letters that are not ASCII, or worse."""

    def dumps(value: object, **_: object) -> str:
        return spelled(value).decode("utf-8", "replace")

    monkeypatch.setattr("fairbones.api.problems.json", SimpleNamespace(dumps=dumps))
    assert failing(TARGETS["requests"])


def test_changes_are_of_all_kinds() -> None:
    """No change does nothing, and none fails."""
    for target in TARGETS.values():
        corpus, rnd = target.corpus(), random.Random(1)
        made = [mutated(rnd, rnd.choice(corpus), corpus, target.changes) for _ in range(200)]
        assert len({*made}) > 150
