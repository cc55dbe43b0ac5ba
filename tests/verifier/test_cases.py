"""The worked cases of the rules (tests/cases) against the rule book of the verifier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.verifier.worked import QUESTIONS, Case, answers

FOLDER = Path(__file__).resolve().parents[1] / "cases"

FILES: dict[str, list[Case]] = {
    path.name: json.loads(path.read_text("utf-8"))["cases"]
    for path in sorted(FOLDER.glob("*.json"))
}
CASES = [case for cases in FILES.values() for case in cases]


def differs(case: Case, expect: dict[str, Any]) -> list[str]:
    """The answers that are not what is expected."""
    got = answers(case)
    wrong = []
    for name, due in expect.items():
        if name == "error":
            # The service names its refusals; a verifier only knows that the move is not legal.
            right = (got["error"] is None) == (due is None)
        elif name == "hands":
            right = got[name] == [sorted(tiles) for tiles in due]
        else:
            # `true` and `1` are different values.
            right = json.dumps(got[name], sort_keys=True) == json.dumps(due, sort_keys=True)
        wrong += [] if right else [name]
    return wrong


def changed(value: Any) -> Any:
    """Another value in the place of an expected one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return {**value, "more": 1}
    if isinstance(value, list):
        return [*value, ["6-6"]]
    return "something else"


def test_every_file_is_read_and_every_id_is_used_once() -> None:
    assert "block_draw.json" in FILES
    assert all(FILES.values())
    names = [case["id"] for case in CASES]
    assert len(set(names)) == len(names)
    assert {case["ask"] for case in CASES} <= {*QUESTIONS, "row"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    assert not differs(case, case["expect"]), case["says"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_with_another_expected_value_fails(case: Case) -> None:
    for name, due in case["expect"].items():
        other = changed(due) if name != "error" or due is None else None
        assert differs(case, {name: other}) == [name]
