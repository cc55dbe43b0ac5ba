"""`compare A B` (spec/tools.md): an aid that a verifier may lack; one that has it answers so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.asking import Ask
from tests.conformance.reading import TESTS, Json

FOLDER = TESTS / "vectors" / "compared"
PAIRS = [path for path in sorted(FOLDER.glob("*.json")) if "." not in path.stem]
FAILURES = ("code", "seq")
PLACES = ("parted", "proof")  # told by their place alone


def judged(path: Path, ask: Ask) -> tuple[Json, Json]:
    """What is expected of a pair, and those members of the answer."""
    told = json.loads(path.read_text("utf-8"))
    files = [str(FOLDER / name) for name in told["files"]]
    answer = ask(["compare", *files, "--json", *told["arguments"]])
    report = answer.report()
    code = report.get("failure", {}).get("code")
    if code in ("start/usage", "start/file") and answer.exit == 3:
        pytest.skip("this verifier does not compare")
    got = {**report, "exit": answer.exit} | {
        name: report.get("failure", {}).get(name) for name in FAILURES
    }
    got |= {name: report[name]["seq"] for name in PLACES if name in report}
    assert report["exit"] == answer.exit
    return told["expect"], {name: got.get(name) for name in told["expect"]}


@pytest.mark.parametrize("path", PAIRS, ids=[path.stem for path in PAIRS])
def test_pair(path: Path, ask: Ask) -> None:
    expected, got = judged(path, ask)
    assert got == expected


def test_pairs_agree_and_part() -> None:
    """A list of one sort would show little."""
    expects = [json.loads(path.read_text("utf-8"))["expect"] for path in PAIRS]
    assert {expect["exit"] for expect in expects} == {0, 1, 2, 3}
    assert {expect.get("convicts") for expect in expects} == {True, False, None}
    relations = {"equal", "prefix", "covered", "apart", "history-lost", "parted"}
    assert {expect["relation"] for expect in expects if "relation" in expect} == relations
