"""What an explained tile consists of: steps, their hashes, what was compared (spec/tools.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import __version__
from .explain_text import told
from .workings import Shuffled, Working


class Compared(NamedTuple):
    """Something computed, and what stands in the transcript."""

    what: str
    computed: str
    stands: str

    @property
    def equal(self) -> bool:
        """Whether they are the same."""
        return self.computed == self.stands

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {**self._asdict(), "equal": self.equal}


@dataclass
class Step:
    """One step of the way: what it says in words, its hashes, what was compared.

    name: stable, for programs. section: of SPEC. unknown: what is not known yet.
    """

    name: str
    section: str
    text: list[str] = field(default_factory=list)
    hashes: list[Working] = field(default_factory=list)
    shuffle: Shuffled | None = None
    compared: list[Compared] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)

    def compare(self, what: str, computed: object, stands: object) -> None:
        """Put a value of the transcript beside what it should be."""
        self.compared.append(Compared(what, str(computed), str(stands)))

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        said: dict[str, Any] = {
            "step": self.name,
            "section": self.section,
            "text": self.text,
            "hashes": [hashed.as_dict() for hashed in self.hashes],
            "compared": [one.as_dict() for one in self.compared],
            "unknown": self.unknown,
        }
        if self.shuffle is not None:
            said["shuffle"] = self.shuffle.as_dict()
        return said


@dataclass
class Explanation:
    """All steps for one seal. tile: "6-4", or in a draw the number of the thing; "" if not known.

    fate: the events with this seal, in order.
    """

    match: str
    r: int
    position: int
    tile: str
    steps: list[Step]
    fate: list[dict[str, Any]]
    complete: bool = True

    @property
    def compared(self) -> list[Compared]:
        """Every comparison of every step."""
        return [one for step in self.steps for one in step.compared]

    @property
    def unknown(self) -> list[str]:
        """What is not known yet, in all steps."""
        return [one for step in self.steps for one in step.unknown]

    @property
    def equal(self) -> bool:
        """Whether everything that was compared is the same."""
        return all(one.equal for one in self.compared)

    @property
    def exit(self) -> int:
        """0, or 1 where something differs."""
        return 0 if self.equal else 1

    def as_dict(self) -> dict[str, Any]:
        """The object of `--json` (spec/tools.md)."""
        said: dict[str, Any] = {
            "verdict": "verified",
            "exit": self.exit,
            "match": self.match,
            "complete": self.complete,
            "round": self.r,
            "position": self.position,
            "equal": self.equal,
            "steps": [step.as_dict() for step in self.steps],
            "fate": self.fate,
            "unknown": self.unknown,
            "version": __version__,
        }
        if self.tile:
            said["tile"] = self.tile
        return said

    def json(self) -> str:
        """One line of ASCII."""
        return json.dumps(self.as_dict(), ensure_ascii=True, sort_keys=True)

    def text(self, colour: bool = False) -> str:
        """The same for people."""
        return told(self, colour)
