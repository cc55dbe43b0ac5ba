"""Every vector and every forgery gets the verdict, the code and the place it has to get."""

from __future__ import annotations

from pathlib import Path

from tests.conformance.asking import Ask, differences
from tests.conformance.reading import Given


def test_scenario(given: Given, ask: Ask, tmp_path: Path) -> None:
    answer = ask([*given.arguments(tmp_path), "--json"])
    found = differences(given, answer)
    assert not found, f"{given.name}: {given.told['about']} (expected, got): {found}"


def test_as_a_process(sample: Given, ask_process: Ask, tmp_path: Path) -> None:
    answer = ask_process([*sample.arguments(tmp_path), "--json"])
    found = differences(sample, answer)
    assert not found, f"{sample.name}: {sample.told['about']} (expected, got): {found}"
    assert answer.err == ""


def test_for_people(sample: Given, ask: Ask, tmp_path: Path) -> None:
    """Without --json: the same exit, the code is named, and nothing steers a terminal."""
    answer = ask(sample.arguments(tmp_path))
    assert answer.exit == sample.expect["exit"], sample.name
    assert sample.expect.get("code", "") in answer.out, sample.name
    assert all(letter == "\n" or letter.isprintable() for letter in answer.out), sample.name
