"""What the views of one application share: the house they ask and the limits they keep."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, current_app

from fairbones.api.limits import Limits, WaitingRoom
from fairbones.house.contract import HouseContract

_PLACE = "fairbones-front"


@dataclass(frozen=True, slots=True)
class Front:
    """One for each application, so that tests can hold several side by side."""

    house: HouseContract
    limits: Limits
    waiting: WaitingRoom


def set_up(app: Flask, house: HouseContract, limits: Limits) -> None:
    """Give an application its front."""
    app.extensions[_PLACE] = Front(house, limits, WaitingRoom(limits.waiters))


def front_of(app: Flask) -> Front:
    """The front of an application."""
    found = app.extensions[_PLACE]
    assert isinstance(found, Front)
    return found


def front() -> Front:
    """The front of the application that answers now."""
    return front_of(current_app)
