"""What the views of one application share: the house they ask and the limits they keep."""

from __future__ import annotations

from dataclasses import dataclass, field

from flask import Flask, current_app

from fairbones.api.limits import Limits, WaitingRoom
from fairbones.api.readiness import Readiness
from fairbones.house.contract import HouseContract
from fairbones.ops import Ops

_PLACE = "fairbones-front"


@dataclass(frozen=True, slots=True)
class Front:
    """One for each application, so that tests can hold several side by side."""

    house: HouseContract
    limits: Limits
    waiting: WaitingRoom
    ops: Ops
    readiness: Readiness = field(default_factory=Readiness)

    @property
    def stopping(self) -> bool:
        """Whether the service ends: whoever waits is answered, nobody new should come."""
        return self.waiting.closed.is_set()

    def stop(self) -> None:
        """The service ends: whoever waits for events is answered now, and it is not ready."""
        self.waiting.closed.set()
        self.house.close()


def set_up(app: Flask, house: HouseContract, limits: Limits, ops: Ops | None = None) -> None:
    """Give an application its front."""
    app.extensions[_PLACE] = Front(house, limits, WaitingRoom(limits.waiters), ops or Ops())


def front_of(app: Flask) -> Front:
    """The front of an application."""
    found = app.extensions[_PLACE]
    assert isinstance(found, Front)
    return found


def front() -> Front:
    """The front of the application that answers now."""
    return front_of(current_app)
