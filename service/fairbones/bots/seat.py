"""One player's whole match: sit, check, reveal, check, play, keep the evidence."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fairbones.bots.client import Client, Json
from fairbones.bots.keys import SeatKey
from fairbones.bots.lies import Lie, Problem, Stopped, Taken, Unreachable, Void
from fairbones.bots.players import Action, Player, claim, speaks_up
from fairbones.bots.record import Record
from fairbones.bots.table import Table
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.cut import client_commitment

LONG_POLL = 10  # seconds
LOST = ("seat/taken", "match/late", "match/over", "match/void")  # to who wanted to sit down
CROWDED_MS = 200, 600  # between two looks where all places to wait in are taken
LATE = ("match/stale", "match/late", "match/over", "match/void", "rules/nothing-missed")
STALE_MAX = 20  # looks in a row that find no turn: then somebody is making fun of us

Pace = Callable[[int], float]


def at_once(_hand: int) -> float:
    """A player that needs no time to think."""
    return 0.0


@dataclass
class Seat:
    """A seat at a table of strangers.

    `client` is this seat's alone. `public_key` is the house's, known from elsewhere. `pace` says
    how many seconds a move is thought about, by hand. `halt` ends the play from outside.
    """

    client: Client
    match: str
    number: int
    name: str
    player: Player
    public_key: bytes
    pace: Pace = at_once
    halt: threading.Event = field(default_factory=threading.Event)
    seed: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    key: SeatKey = field(default_factory=SeatKey)

    def __post_init__(self) -> None:
        self.record = Record(bytes.fromhex(self.match), self.public_key)
        self._table: Table | None = None
        self._wanted: dict[str, object] = {}
        self._seed_signature = ""
        self._sent: Action | None = None
        self._signature = ""  # of what was sent
        self._by_the_clock = False
        self.sits = False
        self.moves = 0  # sent and taken
        self._let_go = -1  # the head at which I hold my tongue
        self._view: Json = {}

    @property
    def table(self) -> Table:
        if self._table is None:
            raise Lie("10.3", "the match does not begin with its opening")
        return self._table

    def play(self) -> None:
        """Play to the end of the match; raises `Stopped` when it cannot."""
        try:
            self._sit()
            self._reveal()
            self._play_on()
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            text = f"an answer of the house has not its shape: {type(error).__name__} {error}"
            raise Unreachable(text) from error

    # ------------------------------------------------------------ before the deal

    def _sit(self) -> None:
        """Commit to the seed and nothing else (SPEC 10.1)."""
        self._follow(0)
        if self.number in self.table.seated:
            raise Taken(f"seat {self.number} was taken by somebody else")
        opened_hash, seat, key = self.table.opened_hash, self.number, self.key
        commitment = client_commitment(opened_hash, seat, key.public, self.seed)
        self._wanted = {
            "name": self.name,
            "client_seed_commitment": commitment.hex(),
            "public_key": key.public.hex(),
            "signature": key.joins(opened_hash, seat, commitment=commitment, name=self.name),
        }
        try:
            told = self.client.sit(self.match, self.number, self.token, self._wanted)
        except Problem as problem:
            if problem.code not in LOST:
                raise
            raise Taken(problem.text) from problem
        self.sits = True
        self._note(told)
        while len(self.table.seated) < self.table.seats and not self.table.over:
            self._follow(LONG_POLL)

    def _reveal(self) -> None:
        """Show the seed only for a seating that the house has signed (SPEC 10.3, 10.4)."""
        table = self.table
        if table.over:
            return
        if table.seated[self.number] != {"seat": self.number, **self._wanted}:
            raise Lie("10.3", "my seat does not stand there as I sent it")
        seated = next(e.seq for e in self.record.events if e.hash == table.seated_hash)
        if max(self.record.receipts, default=-1) < seated:
            raise Lie("10.3", "no receipt covers the last of the seats")
        self._seed_signature = self.key.reveals(
            table.opened_hash, table.seated_hash, self.number, self.seed
        )
        wanted = {
            "client_seed": self.seed.hex(),
            "seated_hash": table.seated_hash.hex(),
            "signature": self._seed_signature,
        }
        self._note(self.client.reveal(self.match, self.number, wanted))
        while not table.round and not table.over:
            self._follow(LONG_POLL)
        if table.round:
            self._look()  # the own openings, before the first move (SPEC 10.5)

    # --------------------------------------------------------------------- moves

    def _play_on(self) -> None:
        idle = 0
        while not self.table.over:
            if not self.table.concerns(self.number) or self.record.head == self._let_go:
                self._follow(LONG_POLL)
                continue
            if self._view["head"]["seq"] != self.record.head:
                self._look()
            actions = self._mine()
            if actions:
                idle = 0
                self._act(actions)
            elif self._view.get("turn") != self.number or self.table.last is not None:
                # Another seat is to act, or may call before the house makes my forced step.
                self._follow(LONG_POLL)
            else:
                idle += 1
                if idle > STALE_MAX:
                    raise Lie("10.6", "it is my turn and I am not let to move")
                time.sleep(0.02 * idle)
                self._look()
        if self.record.events[-1].type == "voided":
            raise Void(f"the match is void: {self.record.events[-1].data['reason']}")

    def _mine(self) -> list[Action]:
        """What I may do at the head, a call only where something was missed."""
        if self._view["head"]["seq"] != self.record.head:
            return []
        listed: list[Action] = self._view["you"]["legal_actions"]
        return [it for it in listed if it["type"] != "call" or self.table.missed]

    def _act(self, actions: list[Action]) -> None:
        if self.halt.wait(self.pace(self.table.round)):
            raise Stopped("told to stop")
        action = self._chosen(actions)
        if action is None:
            self._let_go = self.record.head
            return
        head = self.record.events[-1]
        place = head.seq + 1, head.hash
        self._sent = action
        self._signature = self.key.moves(self.table.opened_hash, *place, self.number, action)
        wanted = {
            "seq": head.seq + 1,
            "prev": head.hash.hex(),
            "action": dict(action),
            "signature": self._signature,
        }
        try:
            self._note(self.client.act(self.match, self.token, wanted))
            self.moves += 1
        except Problem as problem:
            if problem.code not in LATE:
                raise
            if action["type"] == "call":
                self._let_go = head.seq
            self._follow(1)  # my time was up meanwhile, or somebody was faster

    def _chosen(self, actions: list[Action]) -> Action | None:
        """A call, now and then; else what the player plays, with the claim it makes."""
        called = [it for it in actions if it["type"] == "call"]
        if called and speaks_up():
            return called[0]
        moves = [it for it in actions if it["type"] != "call"]
        if not moves:
            return None
        action = self.player(moves)
        if self.table.count is not None and action["type"] == "play":
            claimed = claim(self.table.count.score(action["tile"], action.get("end")))
            return action if claimed is None else {**action, "claim": claimed}
        return action

    # ------------------------------------------------------------------- looking

    def _look(self) -> None:
        """My own view, and the events up to it."""
        view = self.client.view(self.match, self.token)
        self._note({"view": view, "receipt": view["receipt"]})

    def _note(self, answer: Mapping[str, Any]) -> None:
        """An answer with a view: the chain grows to its head before a word of it is believed."""
        view, receipt = answer["view"], answer["receipt"]
        told = answer.get("events", [])
        if told and told[0]["seq"] <= self.record.head + 1:
            self._take(told)
        if view["head"]["seq"] > self.record.head:
            self._follow(0)
        if view["head"]["seq"] <= self.record.head:
            known = self.record.events[view["head"]["seq"]]
            if view["head"]["event_hash"] != known.hash.hex():
                raise Lie("10.6", f"the view is of another event {known.seq} than the one shown")
        self.record.keep(receipt)
        if "you" not in view:
            return
        fresh = view["head"]["seq"] == self.record.head
        if fresh and self.table.round and not self.table.over:
            self.table.check_openings(self.number, view["you"]["hand"])
        self._view = view

    def _follow(self, wait: int) -> None:
        if self.halt.is_set():
            raise Stopped("told to stop")
        answer = self._asked(wait)
        self._take(answer["events"])
        while answer["events"] and answer["head"]["seq"] > self.record.head:
            answer = self.client.events(self.match, self.record.head)
            self._take(answer["events"])
        self.record.keep(answer["receipt"])

    def _asked(self, wait: int) -> Json:
        """The next events; where no more readers may wait, what is there after a moment."""
        try:
            return self.client.events(self.match, self.record.head, wait)
        except Problem as problem:
            if not wait or problem.code != "service/busy":
                raise
        low, high = CROWDED_MS
        self.halt.wait((low + secrets.randbelow(high - low)) / 1000)
        return self.client.events(self.match, self.record.head)

    def _take(self, told: Iterable[Mapping[str, Any]]) -> None:
        for event in self.record.take(told):
            if event.type == "opened":
                self._table = Table(event)
            else:
                self.table.see(event)
            if event.data.get("seat") == self.number:
                self._recognise(event)

    def _recognise(self, event: Event) -> None:
        """What stands there in my name I have sent, or it is the clock's (SPEC 8.4)."""
        if event.type == "timed_out":
            self._by_the_clock = True
            return
        if event.type == "seated":
            known = True  # by anybody, unless my request is answered: then `_reveal` compares
        elif event.type == "seeded":
            known = event.data.get("signature") == self._seed_signature
        elif "signature" in event.data:
            known = event.data["signature"] == self._signature and _same(self._sent, event)
        else:  # the house's own step, which says what I cannot help
            known = self._by_the_clock or event.type in ("drew", "passed")
        if not known:
            raise Lie("10.6", f"event {event.seq}: {event.type} in my name, which I never sent")
        self._by_the_clock = False

    def evidence(self) -> dict[str, object]:
        """Everything kept, JSON-ready: the events as they came and every receipt (SPEC 10.2)."""
        return {
            "match": self.match,
            "seat": self.number,
            "name": self.name,
            "client_seed": self.seed.hex(),
            "events": [event.raw.decode("utf-8") for event in self.record.events],
            "receipts": [self.record.receipts[seq] for seq in sorted(self.record.receipts)],
        }


def _same(sent: Action | None, event: Event) -> bool:
    """Whether a move is what was sent, which was of the listed form (SPEC R6)."""
    members = {"played": ("tile", "end", "claim"), "gave": ("seal",)}.get(event.type, ())
    return sent is not None and all(sent.get(name) == event.data.get(name) for name in members)
