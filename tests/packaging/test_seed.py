"""The seed that a test run prints repeats that run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.packaging.checkout import ROOT

SEED_VARIABLE = "FAIRBONES_SEED"

DRAWING_TESTS = """
import random
from pathlib import Path
from hypothesis import given, strategies

DRAWN = Path(__file__).with_name("drawn")

def test_by_hand(seed: random.Random) -> None:
    DRAWN.with_name("hand").write_text(str(seed.random()))

@given(strategies.integers(0, 10**12))
def test_by_hypothesis(number: int) -> None:
    with DRAWN.open("a") as log:
        log.write(f"{number}\\n")
"""


def drawn_numbers(folder: Path, seed: str | None, *options: str) -> tuple[str, str, str]:
    """Run the drawing tests; returns the printed seed and what both kinds of test drew."""
    folder.mkdir()
    (folder / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (folder / "test_drawing.py").write_text(DRAWING_TESTS)
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    env.pop(SEED_VARIABLE, None)
    env |= {} if seed is None else {SEED_VARIABLE: seed}
    env["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
    argv = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, str(folder)]
    ended = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    printed = re.search(rf"fairbones seed: (\d+) \(repeat with {SEED_VARIABLE}=\1\)", ended.stdout)
    assert printed
    return printed[1], (folder / "hand").read_text(), (folder / "drawn").read_text()


def test_same_seed_draws_the_same_numbers_with_and_without_workers(tmp_path: Path) -> None:
    fresh = drawn_numbers(tmp_path / "fresh", None)
    again = drawn_numbers(tmp_path / "again", fresh[0])
    spread = drawn_numbers(tmp_path / "spread", fresh[0], "-n", "2")
    other = drawn_numbers(tmp_path / "other", None)
    assert fresh == again == spread
    assert other[1] != fresh[1]
    assert other[2] != fresh[2]


def test_seed_must_be_a_number(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="has to be a whole number"):
        drawn_numbers(tmp_path / "run", "one")
