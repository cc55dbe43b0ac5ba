"""All scenarios by their folder, and the files they are kept in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.forge import cheats, honest, primitives, unreadable
from tests.forge.scenario import Scenario, folder_of

TESTS = Path(__file__).resolve().parents[1]
SOURCES = {
    "vectors/valid": honest.scenarios,
    "forgeries/refuted": cheats.scenarios,
    "forgeries/unreadable": unreadable.scenarios,
    "forgeries/not-started": cheats.not_started,
}
WRITTEN_BY_HAND = {"README.md", ".gitattributes"}


@cache
def scenarios(folder: str) -> tuple[Scenario, ...]:
    """The scenarios of a folder."""
    return tuple(SOURCES[folder]())


@cache
def everything() -> tuple[Scenario, ...]:
    """All scenarios."""
    return tuple(scenario for folder in SOURCES for scenario in scenarios(folder))


def files() -> dict[str, bytes]:
    """Every generated file by its path below `tests`."""
    made = dict(primitives.files("vectors/primitives"))
    for folder in SOURCES:
        made |= folder_of(scenarios(folder), folder)
    return made


def kept() -> dict[str, bytes]:
    """The same, as they lie in the checkout."""
    return {
        path.relative_to(TESTS).as_posix(): path.read_bytes()
        for root in ("vectors", "forgeries")
        for path in sorted((TESTS / root).rglob("*"))
        if path.is_file() and path.name not in WRITTEN_BY_HAND
    }
