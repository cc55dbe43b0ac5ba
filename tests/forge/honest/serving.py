"""How an honest match becomes a scenario."""

from __future__ import annotations

from typing import Any

from tests.forge.house import House, Setup
from tests.forge.judging import expectation
from tests.forge.scenario import Scenario


def honest(name: str, about: str, house: House, *arguments: str, **more: Any) -> Scenario:
    """A scenario of a match as the house served it."""
    expect = expectation(house.told(), arguments) | dict(more.pop("expect", {}))
    expect = {name: value for name, value in expect.items() if value is not None}
    return Scenario(name, about, house.transcript(), arguments=arguments, expect=expect, **more)


def whole(**setup: Any) -> House:
    """A match played to its end."""
    return House(Setup(**setup)).start().play()
