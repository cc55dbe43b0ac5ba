"""How a match went for a client: for people, for programs, and the evidence when it was a lie."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable

from .. import __version__
from ..report import shown
from ..story import act
from . import evidence
from .follower import Follower
from .keep import NoKeep
from .lies import HistoryLost, Lie, NoGame, Refused, SeatTaken, Unreachable

Json = dict[str, Any]

EXITS = {"verified": 0, "history-lost": 0, "stopped": 1, "not-started": 3}


@dataclass
class Outcome:
    """How a match went for a client. told: further members for `--json`; lines: for people."""

    result: str
    told: Json = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    @property
    def exit(self) -> int:
        return EXITS[self.result]

    def json(self) -> str:
        said = {"result": self.result, "exit": self.exit, "version": __version__, **self.told}
        return json.dumps(said, ensure_ascii=True, sort_keys=True)

    def text(self, colour: bool = False) -> str:
        word = self.result.upper()
        if colour:
            word = f"\033[1;{31 if self.exit else 32}m{word}\033[0m"
        return "\n".join([word, *self.lines]) + "\n"


def told(follower: Follower, from_: int) -> None:
    """New events, on standard error."""
    table = follower.guard.table
    for event in follower.guard.chronicle.events[from_:]:
        sys.stderr.write(f"{event['seq']}: {shown(act(table, event))}\n")


def ended(follower: Follower, how: str) -> Outcome:
    """Nothing was found."""
    chronicle = follower.guard.chronicle
    last = chronicle.events[-1]
    members: Json = {"match": chronicle.match, "events": len(chronicle.events)}
    members["complete"] = follower.guard.over
    seat = follower.guard.seat
    who = "Watched" if seat is None else f"Seat {seat}"
    lines = [f"{who}, match {chronicle.match}: {len(chronicle.events)} events, {how}."]
    if last["type"] == "match_ended":
        members["scores"] = last["data"]["scores"]
        winner = last["data"].get("winner")
        won = "a draw" if winner is None else f"side {winner} wins"
        lines.append(f"Scores by side: {members['scores']}; {won}.")
    if last["type"] == "voided":
        lines.append(f"The house called the match off ({last['data']['reason']}).")
    if not chronicle.pinned:
        lines.append("The house's key was its own word; give --key to have it pinned.")
    return Outcome("verified", members, lines)


def given_up(follower: Follower, admitted: HistoryLost) -> Outcome:
    """SPEC 8.7: void, by the house's own admission. Nothing is proved but that."""
    match, said = follower.guard.chronicle.match, f"{admitted}."
    members: Json = {"match": match, "said": said, "seq": admitted.seq, "seen": admitted.head + 1}
    more = "The receipts of what is lost show it; keep them."
    return Outcome("history-lost", members, [f"Match {match}. {said} (SPEC 8.7)", more])


class Finding:
    """A lie, once one is found: it is told whatever happens afterwards. The evidence is written
    before the house is asked anything more, which it may answer never."""

    def __init__(self, follower: Follower, folder: Path) -> None:
        self.follower, self.folder = follower, folder
        self.lie: Lie | None = None
        self.proved = evidence.Proof(False, "")

    def note(self, lie: Lie) -> None:
        """Write the evidence, once."""
        if self.lie is not None:
            return
        self.lie, one = lie, self.follower
        url = f"{one.wire.host}:{one.wire.port or ''}"
        try:
            self.proved = evidence.keep(one.guard, lie, self.folder, url, one.last)
        except Exception as error:  # noqa: BLE001 - no fault of ours may hide a lie of the house
            said = f"The evidence could not be made ({type(error).__name__})."
            self.proved = evidence.Proof(False, said)

    def withdraw(self) -> None:
        evidence.withdraw(self.proved)

    def outcome(self, lie: Lie) -> Outcome:
        """What the house told after it belongs to the evidence, too."""
        one, found = self.follower, self.proved
        try:
            found = evidence.after(found, one.guard, lie, one.other)
        except Exception as error:  # noqa: BLE001 - as above; what is written stays
            found = found._replace(said=f"{found.said} ({type(error).__name__} afterwards.)")
        said = shown(found.said, 2000)
        members: Json = {"match": one.guard.chronicle.match, "obligation": lie.obligation}
        members.update(said=shown(lie.said, 2000), proved=said, convicts=found.convicts)
        if lie.seq is not None:
            members["seq"] = lie.seq
        if lie.code is not None:
            members["code"] = lie.code
        lines = [f"{shown(lie.said, 2000)} (SPEC 10, {lie.obligation}).", said]
        if one.unsaved:
            members["unsaved"] = shown(one.unsaved)
            lines.append(f"What was seen last is not in the keep: {shown(one.unsaved)}.")
        return Outcome("stopped", members, lines)


def attended(follower: Follower, course: Callable[[], object], name: str, how: str) -> Outcome:
    """Go through a match; whatever stops it becomes the outcome."""
    finding = Finding(follower, Path(name))
    follower.stopping = finding.note
    try:
        course()
    except HistoryLost as admitted:
        finding.withdraw()
        return given_up(follower, admitted)
    except Lie as lie:
        finding.note(lie)
        return finding.outcome(lie)
    except (Exception, KeyboardInterrupt) as problem:
        if finding.lie is not None:  # it came while the house was asked once more
            return finding.outcome(finding.lie)
        if isinstance(problem, (NoGame, Refused, SeatTaken, Unreachable, NoKeep)):
            return Outcome("not-started", {"said": shown(str(problem))}, [shown(str(problem))])
        raise
    return ended(follower, how)
