"""What the operator of a service sees and sets: its numbers, its limits, and who may open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from fairbones.house.ports import Meter


class Numbers(Meter, Protocol):
    """What is counted at the edge, beside what the house counts."""

    def answered(self, rule: str | None, method: str, status: int, seconds: float) -> None:
        """A request to the address of this rule (None: of no rule) was answered."""

    def opened(self, tiles: int) -> None:
        """A match was opened, for which so many tiles were washed."""

    def limited(self, code: str) -> None:
        """A request was refused because there had been too many."""

    def store_failed(self, code: str) -> None:
        """The store could not do what a request needed."""

    def exposition(self) -> bytes:
        """All numbers in the text format of Prometheus, version 0.0.4."""


class Rates(Protocol):
    """How often and how dearly one caller may ask."""

    def request(self, address: str, credentials: str | None) -> None:
        """One request from an address, with what it sent as Authorization.

        `FairbonesError("rate/requests")` with `retry_after`, in seconds.
        """

    def opening(self, address: str, opener: str | None, tiles: int) -> None:
        """A match for which so many tiles are to be washed, for an address or the key of this id.

        `FairbonesError("rate/openings")` with `retry_after`, or without when it never fits.
        """


class Openers(Protocol):
    """Who may open matches."""

    def admitted(self, key: str) -> str:
        """The id of this API key; `FairbonesError("auth/api-key-unknown")` when it is none."""


def _numbers() -> Numbers:
    # Late: in many processes the library has to find their folder in the environment first.
    from fairbones.ops.metrics import Metrics

    return Metrics()


@dataclass(frozen=True, slots=True)
class Ops:
    """The operator's side of one application.

    `rates` None: nobody is limited. `openers` None: anyone may open. `proxies` is how many
    proxies in front are trusted to say whose request it is.
    """

    meter: Numbers = field(default_factory=_numbers)
    rates: Rates | None = None
    openers: Openers | None = None
    proxies: int = 0
