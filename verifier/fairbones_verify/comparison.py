"""The result of comparing two files, in words and as JSON (spec/tools.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import __version__
from .report import Report, shown
from .signature import Receipt
from .words import plural

LABELS = ("A", "B")

MEANING = {
    "equal": "Both say the same.",
    "prefix": "One is the beginning of the other.",
    "covered": "The receipt is for an event of the transcript.",
    "apart": "They speak of different places, so there is nothing to compare.",
    "history-lost": "They part where the house says itself that it lost its history (SPEC 8.7).",
    "parted": "They tell two different stories of one match.",
}

SIGNED = {
    "pinned": "The house is convicted: it signed both, under the key {key} that you gave.",
    "unpinned": "Both are signed under the key {key}, which stands in the files themselves: only "
    "with --key is it shown whose key that is.",
    "none": "Nothing here shows that the house signed both:",
}

STANDING = {
    "pinned": "valid under a key that you gave",
    "listed": "valid under a key that stands in the files",
    "invalid": "NOT valid",
    "unknown": "not checked, for its key stands in neither file and was not given",
}


class Said(NamedTuple):
    """What one file says about a place; type "" where only a receipt speaks."""

    type: str
    event_hash: str

    def as_dict(self) -> dict[str, str]:
        """For `--json`."""
        return {k: v for k, v in self._asdict().items() if v}


class Parting(NamedTuple):
    """A place where two files differ, and whether the receipt of each covers what it says."""

    seq: int
    sides: tuple[Said, Said]
    covered: tuple[bool, bool]

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {"seq": self.seq, "a": self.sides[0].as_dict(), "b": self.sides[1].as_dict()}

    def lines(self) -> Iterator[str]:
        """For people."""
        for label, side in zip(LABELS, self.sides):
            kind = f"{shown(side.type)}, " if side.type else ""
            yield f"  {label}: {kind}hash {side.event_hash}"


class Told(NamedTuple):
    """One file: its receipt, how that is signed, how many events, the verdict on them."""

    receipt: Receipt
    standing: str
    events: int
    report: Report | None

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        names = ("seq", "event_hash", "key_id")
        receipt = {name: self.receipt[name] for name in names}
        said: dict[str, Any] = {
            "kind": "receipt" if self.report is None else "transcript",
            "receipt": {**receipt, "signature": self.standing},
        }
        if self.report is not None:
            said["events"], said["verdict"] = self.events, self.report.verdict
            if self.report.code is not None:
                said["code"] = self.report.code
        return said

    def words(self) -> str:
        """For people."""
        signed = f"for event {self.receipt['seq']} is {STANDING[self.standing]}"
        if self.report is None:
            return f"a receipt; the signature {signed}."
        code = "" if self.report.code is None else f" ({self.report.code})"
        many = plural(self.events, "event")
        return f"a transcript of {many}, {self.report.verdict}{code}; its receipt {signed}."


@dataclass
class Comparison:
    """What two files are to each other.

    relation: "equal", "prefix", "covered", "apart", "history-lost" or "parted". longer: "a" or
    "b" for a prefix. parting: the first place where they differ. signed: for "parted", whether
    both stories are signed under one key, "pinned", "unpinned" or "none"; proof: where.
    """

    match: str
    relation: str
    longer: str
    files: list[Told]
    parting: Parting | None = None
    signed: str = ""
    proof: Parting | None = None

    @property
    def exit(self) -> int:
        """0 when they are consistent, 1 when they contradict each other."""
        return 1 if self.relation == "parted" else 0

    @property
    def convicts(self) -> bool:
        """Whether the house is shown to have signed two histories (SPEC 9.5)."""
        return self.signed == "pinned"

    def as_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        said: dict[str, Any] = {
            "relation": self.relation,
            "exit": self.exit,
            "match": self.match,
            "convicts": self.convicts,
            "files": [one.as_dict() for one in self.files],
            "version": __version__,
        }
        if self.longer:
            said["longer"] = self.longer
        for name, place in (("parted", self.parting), ("proof", self.proof)):
            if place is not None:
                said[name] = place.as_dict()
        if self.signed:
            said["signed"] = self.signed
        return said

    def json(self) -> str:
        """One line of ASCII."""
        return json.dumps(self.as_dict(), ensure_ascii=True, sort_keys=True)

    def text(self, colour: bool = False) -> str:
        """The same for people."""
        word = "CONTRADICTION" if self.exit else "CONSISTENT"
        if colour:
            word = f"\033[1;{31 if self.exit else 32}m{word}\033[0m"
        lines = [f"{word}: {MEANING[self.relation]}", "", f"Match {self.match}."]
        for label, one in zip(LABELS, self.files):
            lines.append(f"{label}: {one.words()}")
        if self.longer:
            lines.append(f"{self.longer.upper()} is the longer one.")
        if self.parting is not None:
            lines += ["", f"They part at event {self.parting.seq}:", *self.parting.lines()]
        if self.proof is not None and self.proof != self.parting:
            lines += [f"What both receipts cover is event {self.proof.seq}:", *self.proof.lines()]
        if self.signed:
            key = self.files[0].receipt["key_id"]
            lines += ["", SIGNED[self.signed].format(key=key), *self._why_not()]
        return "\n".join(lines) + "\n"

    def _why_not(self) -> Iterator[str]:
        """Why a contradiction is no proof."""
        if self.signed != "none" or self.parting is None:
            return
        for label, one, covered in zip(LABELS, self.files, self.parting.covered):
            if not covered:
                yield f"  the receipt of {label} does not cover what {label} says there"
            elif one.standing in ("invalid", "unknown"):
                yield f"  the signature of {label} is {STANDING[one.standing]}"
        if self.files[0].receipt["key_id"] != self.files[1].receipt["key_id"]:
            yield "  the receipts are of different keys"
