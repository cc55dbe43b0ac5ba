"""Which other people's engines are here: an optional group, installed by one command."""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest

# The distributions of the group `oracles` (pyproject.toml), by their names in a lock.
ENGINES = ("all-fives-domino", "dominoes", "open-spiel")
NOT_RUN = (
    "NOT RUN: our engine against other people's, an optional group, in CI too; "
    "`python3 dev.py oracles` installs them and runs it"
)


def installed() -> dict[str, str]:
    """The versions of those that are here."""
    found: dict[str, str] = {}
    for name in ENGINES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def wanted() -> None:
    """Skip the module that calls this, in words, where none is here; fail where some are not."""
    found = installed()
    if not found:
        pytest.skip(NOT_RUN, allow_module_level=True)
    missing = sorted(set(ENGINES) - set(found))
    if missing:
        raise ModuleNotFoundError(f"{', '.join(missing)}: run `python3 dev.py oracles`")


def module(name: str) -> Any:
    """A module of theirs. They have no types, and most environments do not have them."""
    return importlib.import_module(name)
