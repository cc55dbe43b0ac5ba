"""A seat's whole match over HTTP: sit, check, reveal, check, act, verify (SPEC 10)."""

from __future__ import annotations

from typing import Any

from . import seen, wire
from .choosers import Chooser
from .follower import LONG_POLL, Follower
from .keep import Keep, NoKeep
from .lies import NoGame, Refused
from .wire import Wire
from .words import Voice

Json = dict[str, Any]

LATE = ("match/stale", "match/late", "match/over", "match/void", "rules/nothing-missed")


class Seat(Follower):
    """One seat at the table. `choose` is shown what the seat sees and answers with an action.

    Every request is in the keep before it is sent. `play` raises `Lie`, `HistoryLost`, `NoGame`,
    `Refused`, `Unreachable`; `ValueError` for a chooser that answers what is not legal. Afterwards
    `guard.chronicle.events` is the match, and `keep` has what was kept.
    """

    def __init__(self, wire: Wire, keep: Keep, choose: Chooser) -> None:
        super().__init__(wire, keep.guard())
        self.keep, self.choose = keep, choose
        self._silent = -1  # the head at which there is nothing to call

    def play(self) -> None:
        """From wherever the match stands to its end."""
        try:
            with self.attending():
                self.begin()
                self._find_seat()
                self._sit()
                self._reveal()
                while not self.guard.over:
                    self._turn()
                self.verify()
        except BaseException:
            try:
                self._keep()
            except NoKeep as problem:  # what stopped the match counts, and not what came after it
                self.unsaved = str(problem)
            raise
        self._keep()

    def _keep(self) -> None:
        self.keep.note(self.guard)
        self.keep.save()

    def leave(self) -> None:
        """Leave for good."""
        self._say("leave", "DELETE", f"/seats/{self.keep.seat}", self._voice().leaves())

    def _voice(self) -> Voice:
        return Voice(self.guard.chronicle.hashes[0], self.keep.seat, self.keep.secret)

    def _find_seat(self) -> None:
        seats = self.guard.chronicle.events[0]["data"]["seats"]
        if not 0 <= self.keep.seat < seats:
            raise NoGame(f"there is no seat {self.keep.seat}: this match has 0 to {seats - 1}")

    def _sit(self) -> None:
        keep = self.keep
        if keep.seat not in self.guard.table.seated and not self.guard.over:
            body = self._voice().joins(bytes.fromhex(keep.seed), keep.name)
            if keep.invite:
                body["invite"] = keep.invite
            self._say("seat", "PUT", f"/seats/{keep.seat}", body)

    def _reveal(self) -> None:
        keep = self.keep
        while self.guard.table.stage == "seating" and not self.guard.over:
            self.follow(LONG_POLL)
        table = self.guard.table
        if self.guard.over or keep.seat in table.seeds:
            return
        body = self._voice().reveals(bytes.fromhex(keep.seed), table.seated_hash)
        try:
            self._say("seed", "PUT", f"/seats/{keep.seat}/seed", body)
        except Refused as refused:
            self.follow(0)  # if the seating is another one now, the events say so
            # Anybody may bring a seed; ours may have been brought before.
            if refused.code not in ("seed/revealed", "seed/too-late"):
                raise

    def _turn(self) -> None:
        """Act, if it is for this seat to act; else wait for something to happen."""
        guard, seat = self.guard, self.keep.seat
        hand = guard.table.hand
        if hand is not None and not set(hand.hands[seat]) <= set(guard.known):
            self.look()
            return
        actions = seen.legal(guard.table, seat, guard.known) or []
        calls = [one for one in actions if one["type"] == "call"]
        moves = [one for one in actions if one["type"] != "call"]
        if moves and seen.may_give(guard.table, seat):
            # Whether the seat on turn can play, only the house can know (R6, 3).
            head, view = guard.chronicle.head, self.look()
            if guard.chronicle.head != head:
                return
            moves = moves if "giving_to" in view else []
        missed = hand is not None and hand.missed and guard.chronicle.head != self._silent
        if calls and missed:
            self._act(calls[0])
        elif moves:
            self._act(self._said_before() or self._chosen(moves))
        else:
            self.follow(LONG_POLL)

    def _chosen(self, moves: list[Json]) -> Json:
        """`ValueError` when the chooser has no legal answer: that is no lie of the house."""
        view = seen.outlook(self.guard.table, self.keep.seat, self.guard.known, moves)
        action = self.choose(view)
        if {name: it for name, it in action.items() if name != "claim"} not in moves:
            raise ValueError(f"the chooser answered {action}, and legal are {moves}")
        return action

    def _said_before(self) -> Json | None:
        """The move that was sent for this very place, perhaps before this program was started:
        nobody says two things for one place (C9)."""
        assert self.guard.mine is not None
        for body in self.guard.mine.actions.get(self.guard.chronicle.head + 1, []):
            if body["action"]["type"] != "call":
                return dict(body["action"])
        return None

    def look(self) -> Json:
        """The own view of the head."""
        answer = self.ask("GET", self.address, token=self.keep.token)
        self._hear("view", answer)
        return answer.json()

    def _act(self, action: Json) -> None:
        chronicle, keep = self.guard.chronicle, self.keep
        seq, prev, hand = chronicle.head + 1, chronicle.hashes[-1], self.guard.table.hand
        if hand is not None and hand.muggins and action["type"] == "play" and "claim" not in action:
            worth = seen.worth(hand, keep.seat, action)
            action = {**action, "claim": worth} if worth else action
        if self.guard.clock.late(self.guard.table, keep.seat, wire.now()):
            self.follow(LONG_POLL)
            return
        body = self._voice().acts(seq, prev, action)
        kept = chronicle.receipts.get(chronicle.head)
        try:
            self._say("action", "POST", "/actions", body, kept)
        except Refused as refused:
            if refused.code not in LATE:
                raise
            if action["type"] == "call":
                self._silent = chronicle.head
            if chronicle.head < seq:
                self.follow(0)

    def _say(
        self, to: str, method: str, below: str, body: Json, receipt: Json | None = None
    ) -> None:
        self.guard.send(to, body, wire.now())
        self._keep()
        sent = body if receipt is None else {**body, "receipt": receipt}
        token = None if to == "seed" else self.keep.token
        try:
            answer = self.ask(method, self.address + below, sent, token)
        except Refused as refused:
            self.last = refused.data
            final = 400 <= refused.status < 500 and refused.status != 408
            if to == "seat" and self.guard.mine is not None and final:
                self.guard.mine.answer = "refused"
            self.guard.hear("refusal", refused.told)
            # The match may have come to an end meanwhile; its events say how.
            if not refused.code.startswith("match/") or not (self.follow(0) and self.guard.over):
                raise
            return
        self._hear(to, answer)
