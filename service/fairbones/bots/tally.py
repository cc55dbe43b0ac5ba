"""What came of all the bots of a process, as its last line tells it."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from fairbones.bots.lies import Lie, Stopped, Taken, Void
from fairbones.bots.seat import Seat

TOLD_MAX = 20


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why one seat stopped; without `match` and with seat -1: why none sat down."""

    match: str
    seat: int
    text: str

    def as_json(self) -> dict[str, object]:
        """JSON-ready; only what there is."""
        told: dict[str, object] = {"text": self.text}
        if self.match:
            told["match"] = self.match
        if self.seat >= 0:
            told["seat"] = self.seat
        return told

    def __str__(self) -> str:
        where = f"{self.match}: " if self.match else ""
        return where + (f"seat {self.seat}: " if self.seat >= 0 else "") + self.text


class Tally:
    """Counts what seats did; threads may add side by side."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._begun = time.monotonic()
        self._matches: dict[str, str] = {}
        self.seats = self.moves = self.events = self.receipts = self.left = 0
        self.lies: list[Trouble] = []
        self.troubles: list[Trouble] = []

    def add(self, seat: Seat, stopped: Stopped | None) -> None:
        """A seat is done; `stopped` says why it did not come to its match's end."""
        with self._guard:
            self.seats += seat.sits
            self.moves += seat.moves
            self.events += len(seat.record.events)
            self.receipts += len(seat.record.receipts)
            if stopped is None:
                self._matches[seat.match] = "ended"
            elif isinstance(stopped, Void):
                self._matches[seat.match] = "void"
            elif isinstance(stopped, Lie):
                self._note(self.lies, seat, stopped)
            elif seat.halt.is_set():
                self.left += seat.sits
                self._matches.setdefault(seat.match, "left")
            elif not isinstance(stopped, Taken):
                self._note(self.troubles, seat, stopped)

    def trouble(self, trouble: Trouble) -> None:
        """What did not come to a seat at all; the same is told once."""
        with self._guard:
            if trouble not in self.troubles:
                self.troubles.append(trouble)

    def _note(self, them: list[Trouble], seat: Seat, stopped: Stopped) -> None:
        self._matches[seat.match] = "broken"
        them.append(Trouble(seat.match, seat.number, str(stopped)))

    def as_json(self) -> dict[str, object]:
        """JSON-ready; `seconds` since the first bot was thought of."""
        with self._guard:
            ends = list(self._matches.values())
            return {
                "seconds": round(time.monotonic() - self._begun, 3),
                "matches": {how: ends.count(how) for how in ("ended", "void", "left", "broken")},
                "seats": self.seats,
                "seats_left": self.left,
                "moves": self.moves,
                "events_checked": self.events,
                "receipts_kept": self.receipts,
                "lies": [it.as_json() for it in self.lies[:TOLD_MAX]],
                "troubles": [it.as_json() for it in self.troubles[:TOLD_MAX]],
            }

    def sentences(self) -> list[str]:
        """The same for a person, a line each."""
        told = self.as_json()
        ends = told["matches"]
        assert isinstance(ends, dict)
        played = (
            f"{ends['ended']} matches played to their end, {ends['void']} void, "
            f"{ends['broken']} broken off"
        )
        did = f"{self.moves} moves of {self.seats} seats in {told['seconds']} s"
        kept = f"{self.events} events checked, {self.receipts} receipts kept"
        lines = ["; ".join((played, did, kept))]
        lines += [f"the house lied: {it}" for it in self.lies]
        lines += map(str, self.troubles[:TOLD_MAX])
        if self.left:
            lines.append(
                f"{self.left} seats are left as they are: when their time runs out the house "
                "plays for them by the fixed rule"
            )
        return lines
