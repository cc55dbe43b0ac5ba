"""A client's memory of one match, and its conscience (SPEC 10). It neither sends nor fetches.

`send` is asked before a request goes out, `hear` is told every answer in the order in which they
came. Either raises `Lie` where the client has to stop. So the same lines judge a match over HTTP
and the vectors of spec/client.md.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from .. import deal
from ..judge import ENDS, verify
from ..table import Event, Table
from . import own, seen, view
from .chronicle import Chronicle
from .clock import Clock
from .lies import Gap, Lie, SeatTaken
from .running import Running
from .sayings import Sayings

Json = dict[str, Any]
MOST_KEYS = 64  # as in a transcript (6.6)
# What a request asks for, as the events of its answer have it.
ASKED = {"seat": ("seated",), "seed": ("seeded",), "leave": ("left", "voided")}


class Guard:
    """mine: what the own seat has said; None for a spectator. keys: the house's, from elsewhere."""

    def __init__(
        self, match: str, mine: Sayings | None = None, keys: Sequence[bytes | str] = ()
    ) -> None:
        self.mine = mine
        self.chronicle = Chronicle(match, keys)
        self.shown: dict[int, dict[int, Json]] = {}  # by hand and position, as it was shown
        self.clock = Clock()
        self._sent: dict[str, Json] = {}  # what was sent last, to each
        self._ahead = -1  # the head of a view that came before the events up to it
        self.running = Running(self.chronicle, self._each, None if mine is None else mine.seat)

    @property
    def table(self) -> Table:
        """The match up to the head."""
        return self.running.table

    @property
    def seat(self) -> int | None:
        return None if self.mine is None else self.mine.seat

    @property
    def over(self) -> bool:
        """Whether nothing can follow the head."""
        return bool(self.chronicle.events) and self.chronicle.events[-1]["type"] in ENDS

    @property
    def known(self) -> dict[int, Any]:
        """The own tiles of the running hand, by position."""
        return self.running.known.get(self.table.round, {})

    def openings(self) -> list[Json]:
        """Everything that was opened to the seat, in the form of SPEC 9.9."""
        return [
            {"round": r, "openings": [shown[place] for place in sorted(shown)]}
            for r, shown in sorted(self.shown.items())
            if shown
        ]

    def remember(self, openings: list[Json]) -> None:
        """What was opened to the seat before this program was started anew."""
        for hand in openings:
            shown = {one["seal"]: one for one in hand["openings"]}
            self.shown[hand["round"]] = shown
            self.running.known[hand["round"]] = {
                place: deal.read(one["tile"]) for place, one in shown.items()
            }

    # Before something is sent

    def send(self, to: str, body: Json, now: int | None = None) -> None:
        """Whether this may be sent to `seat`, `seed`, `action` or `leave` now; it is noted."""
        mine, chronicle = self.mine, self.chronicle
        if mine is None or not chronicle.events or not chronicle.covered(chronicle.head):
            raise Lie("C9", "I was about to speak on a head that the house has not signed")
        if to == "seat":
            mine.seats(chronicle, body)
        elif to == "seed":
            mine.reveals(chronicle, self.table, body)
        elif to == "leave":
            mine.left = dict(body)
        else:
            self._acts(mine, body, now)
        self._sent[to] = dict(body)

    def _acts(self, mine: Sayings, body: Json, now: int | None) -> None:
        hand = self.table.hand
        if hand is None or own.mine(self.table, mine.seat, self.known) is None:
            raise Lie("C5", "I was about to act before all my tiles were opened to me")
        if self.clock.late(self.table, mine.seat, now):
            # The house could take it or leave it, whichever suits.
            raise Lie("C11", "I was about to act when my time was certainly up")
        plain = {k: v for k, v in body["action"].items() if k != "claim"}
        if plain not in (seen.legal(self.table, mine.seat, self.known) or ()):
            raise Lie("C13", "I was about to do what is not legal by my own reckoning")
        mine.acts(self.chronicle, body)

    # What was answered

    def hear(
        self, to: str, body: Any, asked: int | None = None, heard: int | None = None
    ) -> list[Event]:
        """An answer; the events that are new in it. `Gap` when others have to be fetched first.

        to: `keys`, `opened`, `events`, `view`, `transcript` (its bytes), `refusal`, or what was
        sent. asked, heard: the client's own clock (ms).
        """
        try:
            return self._heard(to, body, asked, heard)
        except (Lie, Gap, SeatTaken):
            raise
        except Exception as error:  # C6: what cannot be read is not passed over
            said = f"an answer cannot be read ({type(error).__name__})"
            raise Lie("C6", said) from error

    def _heard(self, to: str, body: Any, asked: int | None, heard: int | None) -> list[Event]:
        if to == "transcript":
            self._transcript(body)
            return []
        if not isinstance(body, dict):
            raise Lie("C6", "an answer is no object")
        if to == "refusal":
            self._refused(body)
            return []
        if to == "keys":
            self._keys(body.get("keys"))
            return []
        if to == "seat" and self.mine is not None:
            self.mine.answer = "taken"  # whatever stands there now stands in my name
        told = {"opened": [body.get("event")], "view": []}.get(to, body.get("events"))
        new, receipt = self._grown(told, body.get("receipt"))
        self._whole(to, receipt)
        self.clock.note(new, asked, heard)
        # The events go before all that an answer says besides: they are signed.
        if new:
            self.running.judge()
        self._head(to, body, receipt)
        self._granted(to, told)
        shown = body if to == "view" else body.get("view")
        if shown is not None and not isinstance(shown, dict):
            raise Lie("C6", "the view of an answer is no object")
        if shown is not None and receipt["seq"] == self.chronicle.head:
            self._viewed(to, shown)
        return new

    def _keys(self, told: Any) -> None:
        if not isinstance(told, list) or len(told) > MOST_KEYS:
            raise Lie("C2", f"what the house names is no list of at most {MOST_KEYS} keys")
        self.chronicle.list_keys(told)

    def _grown(self, told: Any, receipt: Any) -> tuple[list[Event], Json]:
        """The chain and the receipt; of a false answer the receipt is kept all the same."""
        try:
            new = self.chronicle.take(told)
        except Lie:
            with contextlib.suppress(Lie):
                self.chronicle.keep(receipt)
            raise
        return new, self.chronicle.keep(receipt)

    def _whole(self, to: str, receipt: Json) -> None:
        """C12: an answer shows every event up to the head that its receipt is for."""
        head, seq = self.chronicle.head, receipt["seq"]
        if seq <= head:
            return
        if to == "view":
            self._ahead = seq
            raise Gap(head)
        try:
            self.running.judge()
        except Lie as lie:
            if lie.code != "order/unfinished":  # that comes of what is left out
                raise
        raise Lie("C12", f"event {seq} is signed, and the answer ends with event {head}", seq)

    def _head(self, to: str, body: Json, receipt: Json) -> None:
        """C2, C12: the head is the one that is signed, and none goes back.

        But an answer to what was sent may be one that was lost before: it is of its own step.
        """
        told, seq = body if to in ("events", "view") else body.get("view"), receipt["seq"]
        due = {"seq": seq, "event_hash": receipt["event_hash"]}
        head = told.get("head", due) if isinstance(told, dict) else due
        if not isinstance(head, dict) or {name: head.get(name) for name in due} != due:
            raise Lie("C2", "the receipt is not for the head that is shown", seq)
        if to == "events" or (to == "view" and seq != self._ahead):
            self._not_back(seq)
        if to == "view":
            self._ahead = -1

    def _granted(self, to: str, told: Any) -> None:
        """C12: what was asked for stands in the step that answers it."""
        sent = self._sent.get(to)
        if sent is None or self.mine is None:
            return
        seat = self.mine.seat
        if to == "action":
            stands = [e for e in told if e["seq"] == sent["seq"]]
        else:
            stands = [e for e in told if e["type"] in ASKED[to]]
        if not any(seat in (e["data"].get("seat"), *e["data"].get("missing", ())) for e in stands):
            raise Lie("C12", f"the house grants my {to}, and its answer does not have it")

    def _refused(self, body: Json) -> None:
        """Who is refused is told a head, too: it is held against what was seen (C2, C12)."""
        if "head" not in body and "receipt" not in body:
            return
        receipt = self.chronicle.keep(body.get("receipt"))
        if body.get("head") != {name: receipt[name] for name in ("seq", "event_hash")}:
            raise Lie("C2", "the receipt is not for the head that is shown", receipt["seq"])
        self._not_back(receipt["seq"])

    def _not_back(self, seq: int) -> None:
        head = self.chronicle.head
        if seq < head:
            said = f"the house is back at event {seq}; it has signed event {head}"
            raise Lie("C12", said, seq)

    def _each(self, table: Table, event: Event) -> None:
        """What only this seat can say of an event; `table` is as it was before it."""
        if self.mine is not None:
            self.mine.recognise(table, event)
        self.clock.judge(table, event, self.seat)

    def _viewed(self, to: str, shown: Json) -> None:
        """C5 and C13: the own openings, and all that a view tells of the head."""
        you, seat = shown.get("you"), self.seat
        try:
            view.compare(self.table, shown)
        except Lie:
            if seat is not None and isinstance(you, dict):
                # What it opens is evidence all the same, and may convict the house.
                with contextlib.suppress(Lie):
                    self._opened(seat, you.get("hand"))
            raise
        if seat is None or (you is None and to != "view"):
            return
        if not isinstance(you, dict):
            raise Lie("C5", "my view does not show me my hand")
        self._opened(seat, you.get("hand"))
        view.compare_own(self.table, shown, you, seat, self.known)

    def _opened(self, seat: int, hand: Any) -> None:
        tiles = own.openings(self.table, seat, hand)
        kept = self.shown.setdefault(self.table.round, {})
        kept.update({one["seal"]: one for one in hand})
        known = self.running.known.setdefault(self.table.round, {})
        if not set(tiles) <= set(known):
            known.update(tiles)
            self.running.judge()

    def _transcript(self, data: bytes) -> None:
        """C7: the very chain that was seen, with every receipt, under the key that was kept."""
        chronicle = self.chronicle
        kept = list(chronicle.receipts.values()) + chronicle.contrary
        key = chronicle.key
        report = verify(data, receipts=kept, keys=[] if key is None else [key])
        if report.verdict != "verified":
            code = report.code or report.verdict
            place = None if report.failure is None else report.failure.seq
            raise Lie("C7", f"the transcript does not verify ({code}): {report.story}", place, code)
        if report.events <= chronicle.head:
            raise Lie("C7", "the transcript ends before what I saw", report.events)
