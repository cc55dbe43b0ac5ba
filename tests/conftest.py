"""One seed for everything random in the tests, so that a failure can be repeated."""

from __future__ import annotations

import os
import random
import secrets
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent
SEED_VARIABLE = "FAIRBONES_SEED"

# Hypothesis notes facts about the source even without a database; keep them out of sight.
os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", str(ROOT / ".cache" / "hypothesis"))

# Two busy cores make single examples slow now and then, which is no failure. Where CI is set
# Hypothesis would draw the same numbers in every run, whatever the seed.
settings.register_profile(
    "dev", max_examples=25, deadline=None, database=None, print_blob=True, derandomize=False
)
settings.register_profile(
    "soak",
    parent=settings.get_profile("dev"),
    max_examples=2_000,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("dev")


def run_seed() -> int:
    """The seed of this run: the reader's, or a fresh one that the workers inherit."""
    text = os.environ.setdefault(SEED_VARIABLE, str(secrets.randbelow(10**9)))
    try:
        return int(text)
    except ValueError:
        raise pytest.UsageError(f"{SEED_VARIABLE} has to be a whole number, not {text!r}") from None


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hand the seed to Hypothesis before it looks at its own option."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(run_seed())


def pytest_report_header() -> str:
    """Show how to repeat this run."""
    return f"fairbones seed: {run_seed()} (repeat with {SEED_VARIABLE}={run_seed()})"


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> random.Random:
    """Randomness that depends on the run's seed and the test, not on the tests before it."""
    return random.Random(f"{run_seed()} {request.node.nodeid}")
