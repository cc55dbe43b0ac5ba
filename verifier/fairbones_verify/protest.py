"""A move that a seat signed and that may stand otherwise in the transcript (SPEC 9.9)."""

from __future__ import annotations

from typing import Any, NamedTuple

from .words import plural

NOTHING = "this says nothing against the house."


class Protest(NamedTuple):
    """The move, and how the transcript stands to it.

    action: as in SPEC 5.6. standing: "disputed", "taken", "both-signed", "not-its-turn" or
    "other-history". there: the type of the event at its place, "" where the file has none.
    """

    seat: int
    seq: int
    action: dict[str, Any]
    standing: str
    there: str

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        said = {"seat": self.seat, "seq": self.seq, "action": self.action}
        return {**said, "standing": self.standing}

    def text(self, who: str, events: int) -> str:
        """The same for people, in a file of so many events."""
        said = " ".join(str(self.action[k]) for k in ("type", "tile") if k in self.action)
        said += f" at the {self.action['end']} end" if "end" in self.action else ""
        said += f" with a claim of {self.action['claim']}" if "claim" in self.action else ""
        said += f" from position {self.action['seal']}" if "seal" in self.action else ""
        signed = f"Protest: {who} signed '{said}' for event {self.seq}"
        if self.standing == "taken":
            return f"{signed}, and that stands there."
        if self.standing == "both-signed":
            both = "what stands there it signed too, for the same place"
            return f"{signed}; {both}. It signed both: {NOTHING}"
        if self.standing == "not-its-turn":
            stands = f" ({self.there} stands there)" if self.there else ""
            turn = f"it was not its turn there{stands}, so no such move could be taken"
            return f"{signed}; {turn}: {NOTHING}"
        if self.seq > events:
            short = f"this file has only {plural(events, 'event')}"
            return f"{signed}; {short}, so it may be another history or a later part of this one."
        if self.standing == "other-history":
            return f"{signed} of another history: the event that it names before is not here."
        there = f"what stands there is not that ({self.there})" if self.there else ""
        words = there or "this file ends before it"
        return f"{signed}; {words}. Whether it came in time is one word against another."
