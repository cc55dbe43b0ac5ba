"""All scenarios by their folder, and the files they are kept in."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tests.forge import cheats, compared, counting, honest, primitives, unreadable
from tests.forge.scenario import Scenario, folder_of

TESTS = Path(__file__).resolve().parents[1]
SOURCES = {
    "vectors/valid": honest.scenarios,
    "forgeries/refuted": cheats.scenarios,
    "forgeries/witnessed": cheats.witnessed_steps,
    "forgeries/unreadable": unreadable.scenarios,
    "forgeries/not-started": cheats.not_started,
}
FORGERIES = tuple(folder for folder in SOURCES if folder.startswith("forgeries/"))
PAGE = "../docs/forgeries.md"  # what they come to, below `tests` like all the rest
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
    made = primitives.files("vectors/primitives") | compared.files("vectors/compared")
    for folder in SOURCES:
        made |= folder_of(scenarios(folder), folder)
    forgeries = (it for folder in FORGERIES for it in scenarios(folder))
    made[PAGE] = counting.page(forgeries, compared.pairs()).encode()
    return made


def kept() -> dict[str, bytes]:
    """The same, as they lie in the checkout."""
    page = {PAGE: (TESTS / PAGE).read_bytes()} if (TESTS / PAGE).exists() else {}
    return page | {
        path.relative_to(TESTS).as_posix(): path.read_bytes()
        for root in ("vectors", "forgeries")
        for path in sorted((TESTS / root).rglob("*"))
        if path.is_file() and path.name not in WRITTEN_BY_HAND
    }
