"""The report: the verdict in words and as JSON (SPEC 9, spec/codes.md).

A transcript may be written by an enemy of whoever reads its report. Every string that came from
one is shown as printable ASCII without markup, so that it can steer neither a terminal nor a page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from . import __version__
from .protest import Protest
from .words import listing, plural, ranges

LONGEST = 160

# What the house says by calling a match off (SPEC 8.3, 8.7). That it is true, nobody else says.
VOIDS = {
    "seats-missing": "not every seat was taken in time",
    "seeds-missing": "not every seed was revealed in time",
    "left": "a seat left before the deal",
    "house": "the house could not go on",
    "history-lost": "the house lost events that it had signed",
    "seed-lost": "the house lost its seed",
}

WHO = {
    "seats-missing": "Not taken, says the house",
    "seeds-missing": "Seed not shown, says the house",
    "left": "Who left, says the house",
}

EXITS = {"verified": 0, "refuted": 1, "unreadable": 2, "not-started": 3}

MEANING = {
    "verified": "Every check that could be made passed.",
    "refuted": "A check failed: this is not a fair match as it stands here.",
    "unreadable": "This is not a document that this verifier knows; it was not judged.",
    "not-started": "The verifier could not start.",
}

# Where what failed is the file or the papers around it, and not what the house has signed.
FILE = {
    "order/unfinished": "this file ends in the middle of a step.",
    "key/id": "the list of keys in this file is wrong.",
    "key/missing": "the list of keys in this file is wrong.",
    "key/other": "this file does not go with the key that you gave.",
    "receipt/match": "the receipt in this file does not vouch for it.",
    "receipt/key": "the receipt in this file does not vouch for it.",
    "receipt/not-head": "the receipt in this file does not vouch for it.",
    "receipt/signature": "the receipt in this file does not vouch for it.",
    "receipt/not-in-transcript": "this file and your receipt tell two different stories.",
    "receipt/beyond-end": "this file ends before the event that your receipt is for.",
}
CHAIN = "this file is no unbroken chain of events; it was changed, or put together wrongly."


def shown(text: str, longest: int = LONGEST) -> str:
    """A string of the transcript, made safe to show; a long one is cut."""
    cut = text if len(text) <= longest else text[:longest] + "..."
    letters = []
    for letter in cut:
        if " " <= letter <= "~" and letter not in "<>&`\\":
            letters.append(letter)
        else:
            code = ord(letter)
            letters.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return "".join(letters)


@dataclass
class Failure:
    """The one failure of a report.

    code, number: the check, as in spec/codes.md (number 0 for `start/...`).
    where: the place in words. expected, got: what should stand there and what does.
    cause: what is usually behind it. seq: the place in the list of events, if it is one.
    """

    code: str
    number: int
    where: str
    expected: str
    got: str
    cause: str
    seq: int | None = None

    def __post_init__(self) -> None:
        self.where, self.expected = shown(self.where), shown(self.expected)
        self.got = shown(self.got)


@dataclass
class Report:
    """What the verifier says about a transcript.

    verdict: "verified", "refuted", "unreadable" or "not-started".
    match: the match id, 32 hex digits. events: how many there are.
    story: the failure in one sentence. seats, sides: what they are called in sentences.
    complete: whether the match is at its end. convicts: whether the house is shown to have lied.
    proved, open: numbers of the hands whose tiles are known to the verifier, and of the others.
    forced_steps, plays: how many of these are not yet provable (SPEC 9.4).
    unchecked: (code, text) of what could not be checked.
    options: differences from the published row.
    result: reason, winner and scores of a match that was played to its end. drawn: of a draw.
    voided: the reason of a void, "" where the match was not called off. missing: the seats it
    names. ask_seeds: the seats whose seeds would show the deal that was dropped.
    dropped_deal: the deal that a void has dropped, when the missing seeds were given.
    protests: the moves that seats say they have sent. They change no verdict.
    switched_off: checks that were left out; such a report proves nothing.
    must_be_complete: whether an unfinished match is exit 1.
    """

    verdict: str
    failure: Failure | None = None
    story: str = ""
    match: str = ""
    events: int = 0
    complete: bool = False
    convicts: bool = False
    proved: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    forced_steps: int = 0
    plays: int = 0
    unchecked: list[tuple[str, str]] = field(default_factory=list)
    options: list[dict[str, Any]] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    sides: list[str] = field(default_factory=list)
    result: dict[str, Any] | None = None
    drawn: list[int] | None = None
    voided: str = ""
    missing: list[int] = field(default_factory=list)
    ask_seeds: list[int] = field(default_factory=list)
    dropped_deal: dict[str, Any] | None = None
    protests: list[Protest] = field(default_factory=list)
    switched_off: list[str] = field(default_factory=list)
    must_be_complete: bool = False

    @property
    def exit(self) -> int:
        """The exit code of SPEC 9.1."""
        if self.verdict == "verified" and self.must_be_complete and not self.complete:
            return 1
        return EXITS[self.verdict]

    @property
    def code(self) -> str | None:
        """The code of the failure, if there is one."""
        return None if self.failure is None else self.failure.code

    def as_dict(self) -> dict[str, Any]:
        """The object of `--json`."""
        said: dict[str, Any] = {"verdict": self.verdict, "exit": self.exit, "version": __version__}
        if self.failure is not None:
            said["failure"] = {k: v for k, v in vars(self.failure).items() if v is not None}
        if self.verdict in ("verified", "refuted"):
            said["match"], said["events"] = self.match, self.events
            said["complete"], said["convicts"] = self.complete, self.convicts
            said["rounds"] = {"proved": self.proved, "open": self.open}
            said["unproved"] = {"forced_steps": self.forced_steps, "plays": self.plays}
            said["unchecked"] = [{"code": code, "text": text} for code, text in self.unchecked]
            said["options"] = self.options
            if self.result is not None:
                said["result"] = self.result
            if self.dropped_deal is not None:
                said["dropped_deal"] = self.dropped_deal
            if self.protests:
                said["protests"] = [one.as_dict() for one in self.protests]
        if self.switched_off:
            said["switched_off"] = self.switched_off
        return said

    def json(self) -> str:
        """`--json`: one line of ASCII, safe inside a page."""
        return json.dumps(self.as_dict(), ensure_ascii=True, sort_keys=True)

    def text(self, colour: bool = False) -> str:
        """The report for people."""
        lines = [self._verdict(colour)]
        if self.switched_off:
            lines.append(
                "CHECKS WERE SWITCHED OFF, this report proves nothing: "
                + ", ".join(self.switched_off)
            )
        if self.failure is not None:
            lines += ["", *self._why()]
        if self.verdict in ("verified", "refuted"):
            lines += ["", *self._about()]
            lines += [one.text(self._who(one.seat), self.events) for one in self.protests]
            lines += ["", "What could not be checked:"]
            lines += [f"  - {text} ({code})" for code, text in self.unchecked]
        return "\n".join(lines) + "\n"

    def _verdict(self, colour: bool) -> str:
        word, said = self.verdict.upper(), ": " + MEANING[self.verdict]
        if self.verdict == "verified" and self.exit:
            word, said = "VERIFIED SO FAR", ", but the match is not at its end (--complete)."
        elif self.code is not None and self.verdict == "refuted" and not self.convicts:
            file = CHAIN if self.code.startswith("chain/") else FILE.get(self.code)
            said = said if file is None else f": A check failed: {file}"
        if colour:
            word = f"\033[1;{32 if self.exit == 0 else 31}m{word}\033[0m"
        return word + said

    def _why(self) -> list[str]:
        failure = self.failure
        assert failure is not None
        number = f", check {failure.number}" if failure.number else ""
        lines = [f"In words:     {self.story}"] if self.story else []
        lines += [
            f"Where:        {failure.where}",
            f"Expected:     {failure.expected}",
            f"Stands there: {failure.got}",
        ]
        if failure.cause:
            lines.append(f"Likely cause: {failure.cause}")
        lines.append(f"Code:         {failure.code}{number}")
        if self.verdict == "refuted" and self.convicts:
            lines += ["", "The house is convicted: it signed this itself, under a key you gave."]
        elif failure.code == "receipt/beyond-end":
            lines += [
                "",
                "An older file shows nothing against the house: fetch it again and verify that.",
            ]
            lines.append("If it still ends before your receipt, keep both: they are evidence.")
        elif self.verdict == "refuted":
            lines += ["", "This file is wrong; nothing shows that the house made it."]
        return lines

    def _about(self) -> list[str]:
        lines = [f"Match {self.match}, {self.events} events."]
        if not self.complete:
            lines.append("The match is not at its end in this file.")
            if self.must_be_complete:
                lines.append("--complete was asked for, so this counts as a failure.")
        if self.proved:
            lines.append(f"Hands proved, every tile known: {ranges(self.proved)}.")
        if self.open:
            lines.append(f"Hands not proved: {ranges(self.open)}.")
        if self.forced_steps or self.plays:
            lines.append(f"Not yet provable: {self._unproved()}.")
        if self.result is not None:
            won = self.result.get("winner")
            winner = "nobody" if won is None else shown(self.sides[won])
            pairs = zip(self.sides, self.result["scores"])
            scores = ", ".join(f"{shown(side)}: {score}" for side, score in pairs)
            lines.append(f"Result: {winner} wins ({self.result['reason']}); scores: {scores}.")
        if self.voided:
            lines += self._void()
        if self.drawn is not None:
            more = ", ..." if len(self.drawn) > 50 else ""
            lines.append("Drawn: " + ", ".join(map(str, self.drawn[:50])) + more + ".")
        for option in self.options:
            here, published = json.dumps(option["here"]), json.dumps(option["published"])
            lines.append(
                f"House rule: {option['name']} is {here}; the published row says {published}."
            )
        if self.dropped_deal:
            lines.append("The deal that was dropped:")
            for seat, hand in enumerate(self.dropped_deal["hands"]):
                lines.append(f"  {self._who(seat)}: {' '.join(hand)}")
            lines.append(f"  boneyard: {' '.join(self.dropped_deal['boneyard']) or 'empty'}")
        return lines

    def _who(self, seat: int) -> str:
        return shown(self.seats[seat]) if seat < len(self.seats) else f"seat {seat}"

    def _unproved(self) -> str:
        steps = plural(
            self.forced_steps, "draw, pass, decline or gift", "draws, passes, declines or gifts"
        )
        counts = [steps] if self.forced_steps else []
        counts += [plural(self.plays, "play")] if self.plays else []
        seeds = "the seeds of hands {} are" if len(self.open) > 1 else "the seed of hand {} is"
        yet = "in this file" if self.complete else "shown yet"
        return f"{listing(counts)} ({seeds.format(ranges(self.open))} not {yet})"

    def _void(self) -> list[str]:
        """A match that was called off: why, who is said to be missing, what can be done."""
        lines = [f"The house called the match off ({self.voided}): {VOIDS[self.voided]}."]
        lines.append("Such a match has no result; that the reason is true is the house's word.")
        if self.missing:
            who = listing([self._who(seat) for seat in self.missing])
            lines.append(f"{WHO[self.voided]}: {who}.")
        if self.ask_seeds and not self.dropped_deal:
            given = " ".join(f"--seed {seat}=HEX" for seat in self.ask_seeds)
            them = "that seed" if len(self.ask_seeds) == 1 else "those seeds"
            lines.append(f"Whoever sent {them} can see the deal that was dropped: add {given}.")
        return lines
