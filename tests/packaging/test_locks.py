"""The lock files pin everything, and say nothing about where it comes from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement

from tests.oracles.engines import ENGINES
from tests.packaging.checkout import ROOT, VERIFIER

RUNTIME = ROOT / "requirements" / "runtime.txt"
DEV = ROOT / "requirements" / "dev.txt"
ORACLES = ROOT / "requirements" / "oracles.txt"
PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[0-9][0-9a-z.]*)(?: ; (?P<marker>.+?))? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
VERIFIER_PROJECT = tomllib.loads((VERIFIER / "pyproject.toml").read_text())


def pins(lock: Path) -> dict[str, str]:
    """The version that a lock file holds of each distribution."""
    matches = map(PIN.fullmatch, lock.read_text().splitlines())
    return {match["name"]: match["version"] for match in matches if match}


def requirements(*texts: str) -> list[Requirement]:
    return [Requirement(text) for text in texts]


RUNTIME_NEEDS = requirements(
    *PROJECT["project"]["dependencies"],
    *PROJECT["project"]["optional-dependencies"]["redis"],
)
DEV_NEEDS = requirements(
    *PROJECT["dependency-groups"]["dev"],
    *PROJECT["build-system"]["requires"],
    *VERIFIER_PROJECT["build-system"]["requires"],
)


ORACLE_NEEDS = requirements(*PROJECT["dependency-groups"]["oracles"])


@pytest.mark.parametrize("lock", [RUNTIME, DEV, ORACLES], ids=lambda lock: lock.name)
def test_lock_holds_pins_and_hashes_only(lock: Path) -> None:
    lines = lock.read_text().splitlines()
    strange = [line for line in lines if not (PIN.fullmatch(line) or HASH.fullmatch(line))]
    assert strange == []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if pin := PIN.fullmatch(line):
            assert HASH.fullmatch(following), f"{pin['name']} has no hash"
            Marker(pin["marker"] or "python_version > '3'")
        else:
            assert line.endswith("\\") == bool(HASH.fullmatch(following)), line


@pytest.mark.parametrize(
    ("lock", "needs"),
    [
        (RUNTIME, RUNTIME_NEEDS),
        (DEV, [*RUNTIME_NEEDS, *DEV_NEEDS]),
        (ORACLES, [*RUNTIME_NEEDS, *DEV_NEEDS, *ORACLE_NEEDS]),
    ],
    ids=["runtime", "dev", "oracles"],
)
def test_every_dependency_is_locked_within_its_range(lock: Path, needs: list[Requirement]) -> None:
    locked = pins(lock)
    for need in needs:
        name = need.name.lower().replace("_", "-")
        assert name in locked
        assert need.specifier.contains(locked[name]), f"{need} but {locked[name]}"


def test_tests_run_on_the_versions_that_are_deployed() -> None:
    assert pins(RUNTIME).items() <= pins(DEV).items() <= pins(ORACLES).items()


def test_service_is_deployed_without_the_tools() -> None:
    assert pins(RUNTIME).keys().isdisjoint(need.name for need in DEV_NEEDS)


def test_other_engines_are_nobody_elses_need() -> None:
    """They are other people's code, and only `dev.py oracles` brings it in."""
    names = {need.name for need in ORACLE_NEEDS}
    assert names == set(ENGINES)
    assert names.isdisjoint(pins(RUNTIME) | pins(DEV))


def test_verifier_needs_nothing() -> None:
    assert VERIFIER_PROJECT["project"]["dependencies"] == []
    assert "optional-dependencies" not in VERIFIER_PROJECT["project"]
