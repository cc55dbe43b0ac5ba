"""What became of the requests of a stateful run."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.api.documented import operations


@dataclass
class Tally:
    """How many requests of each call were granted, and refused; actions with a signature."""

    granted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    signed: int = 0

    def share(self, name: str) -> float:
        """The part of a call's requests that was granted; 0 for a call that nobody made."""
        return self.granted[name] / max(1, self.granted[name] + self.refused[name])

    def require(self, share: float) -> None:
        """AssertionError naming every call that grants less than its share."""
        names = [call["operationId"] for _, _, call in operations()]
        short = {name: self.share(name) for name in names if self.share(name) < share}
        assert not short, f"less than {share:.0%} was granted: {short}"
