"""The count of a line, kept in the head as a player does where points have to be claimed."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Count:
    """One hand's ends (SPEC R5): name to value and weight. `spinner` is the option of that name."""

    spinner: str
    _ends: dict[str, tuple[int, int]] = field(default_factory=dict)
    _arms: int = 0  # doubles with four sides so far
    _alone: bool = False  # whether a double lies alone

    def clear(self) -> None:
        """The next hand."""
        self._ends, self._arms, self._alone = {}, 0, False

    def score(self, tile: str, end: str | None) -> int:
        """What a play would score, nothing changed."""
        return Count(self.spinner, dict(self._ends), self._arms, self._alone).play(tile, end)

    def play(self, tile: str, end: str | None) -> int:
        """Lay a tile, `"6-4"`; what that scores by fives (SPEC R10)."""
        high, low = (int(half) for half in tile.split("-"))
        if end is None:
            self._ends = {"left": (high, 1), "right": (low, 1)}
        else:
            value, _ = self._ends[end]
            self._ends[end] = (high + low - value, 2 if high == low else 1)
            if self._alone:
                across = "right" if end == "left" else "left"
                self._ends[across] = (value, 2)
        self._alone = end is None and high == low
        if high == low and self._spins():
            self._arms += 1
            more = f"-{self._arms}" if self._arms > 1 else ""
            self._ends |= {f"up{more}": (high, 0), f"down{more}": (high, 0)}
        count = sum(value * weight for value, weight in self._ends.values())
        return 0 if count % 5 else count

    def _spins(self) -> bool:
        return self.spinner == "all" or (self.spinner == "first" and not self._arms)
