"""A lie meets two players and a spectator, all over HTTP; who stops where is written down."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from fairbones_verify.client import (
    CHOOSERS,
    Chooser,
    Follower,
    Guard,
    Keep,
    Lie,
    Refused,
    Seat,
    Wire,
    evidence,
)
from fairbones_verify.client.lies import Unreachable
from fairbones_verify.judge import verify
from fairbones_verify.report import Report
from fairbones_verify.strictjson import canonical
from tests.client.houses import Json
from tests.forge.paper import event_hash
from tests.lying_house.house import Asked, LyingHouse, Told

SPECTATOR = -1
ALL = (0, 1, SPECTATOR)
PATIENCE = 120.0  # seconds for a whole meeting


@dataclass(frozen=True)
class Planted:
    """One lie. threats: rows of the threat model. about: what the house does, in a sentence.

    caught: who has to stop. opening: what the match is opened with. keyed: whether seat 0 has a
    key. first: who sits before anybody else comes. waits: how many milliseconds of its turn seat 0
    lets pass, where it has a choice.
    """

    name: str
    threats: tuple[str, ...]
    about: str
    bend: Callable[[LyingHouse, Told], object] = lambda _house, _told: None
    twist: Callable[[Asked], object] = lambda _asked: None
    caught: tuple[int, ...] = ALL
    opening: Json = field(default_factory=dict)
    keyed: bool = False
    first: int | None = None
    waits: int = 0


@dataclass(frozen=True)
class Stop:
    """Where somebody stopped. accepted: how many events had been found in order before."""

    obligation: str
    code: str
    seq: int | None
    said: str
    convicts: bool
    accepted: int
    openings: list[Json]


@dataclass
class Meeting:
    """lies: the seqs of the false events. chain, heads: the house's own, and what it signed.

    receipts: what each person kept.
    """

    house: LyingHouse
    stops: dict[int, Stop]
    troubles: dict[int, str]
    chain: list[Json]
    heads: list[int]
    receipts: dict[int, list[Json]]
    _found: dict[int, int | None] = field(default_factory=dict)

    @property
    def lies(self) -> list[int]:
        return self.house.lies

    def signed(self, head: int) -> bytes:
        """The transcript that the house would have served with this head."""
        events = self.chain[: head + 1]
        key, last = self.house.signer.public_key, events[-1]
        document = {
            "protocol": "fairbones/1",
            "events": events,
            "receipt": self.house.receipt(last["match"], head, event_hash(last)),
            "keys": [{"key_id": events[0]["data"]["key_id"], "public_key": key.hex()}],
        }
        return canonical(document).encode()

    def verdict(self, head: int, openings: list[Json]) -> Report:
        """The verifier's word on the house's chain up to a head."""
        dealt = {e["data"]["round"] for e in self.chain[: head + 1] if e["type"] == "dealt"}
        known = [one for one in openings if one["round"] in dealt]
        return verify(self.signed(head), keys=[self.house.signer.public_key], openings=known)

    def first_refuted(self, who: int) -> int | None:
        """The first head at which the verifier, with what this person knows, finds the lie. What is
        refuted stays so, whatever follows."""
        if who not in self._found:
            openings = self.stops[who].openings if who in self.stops else []
            place = bisect_left(
                self.heads,
                True,
                key=lambda head: self.verdict(head, openings).verdict != "verified",
            )
            self._found[who] = self.heads[place] if place < len(self.heads) else None
        return self._found[who]


def secret(what: str) -> str:
    """A secret that is the same every time."""
    return hashlib.sha256(what.encode()).hexdigest()


class Company:
    """Two players and a spectator, each with a thread of their own."""

    def __init__(self, planted: Planted, house: LyingHouse, match: str, folder: Path) -> None:
        self.key = house.signer.public_key
        self.stops: dict[int, Stop] = {}
        self.troubles: dict[int, str] = {}
        self.people: dict[int, Follower] = {}
        for number in (0, 1):
            keep = Keep(folder / f"{number}.json", house.url, match, number)
            keep.seed, keep.token = secret(f"seed {number}"), secret(f"token {number}")
            keep.secret_key = secret("key 0") if planted.keyed and not number else ""
            choose = CHOOSERS["first"] if number else waiting(house, planted.waits)
            self.people[number] = Seat(Wire(house.door(number)), keep, choose)
        self.people[SPECTATOR] = Follower(Wire(house.door("spectator")), Guard(match))
        self.resting: dict[int, int] = {}  # who waits for more than the head that is told here
        for number, one in self.people.items():
            one.grace = 0
            one.follow = self._resting(number, one)  # type: ignore[assignment, method-assign]
        self.threads = {
            number: threading.Thread(target=self._attend, args=(number,), daemon=True)
            for number in self.people
        }

    def _resting(self, number: int, one: Follower) -> Callable[[float], list[Json]]:
        follow = one.follow

        def following(wait: float) -> list[Json]:
            if wait:
                self.resting[number] = one.guard.chronicle.head
            try:
                return follow(wait)
            finally:
                self.resting.pop(number, None)

        return following

    def all_rest(self, head: int) -> bool:
        """Whether whoever is still there has looked at all that this head shows. Only then may the
        clock go on, or it would be chance who sees a lie where."""
        there = {
            number
            for number, thread in self.threads.items()
            if thread.is_alive() and number not in self.stops and number not in self.troubles
        }
        return all(self.resting.get(number) == head for number in there)

    def _attend(self, number: int) -> None:
        """One person's whole match."""
        one, accepted = self.people[number], [0]
        one.watching = lambda _first: accepted.append(one.guard.chronicle.head + 1)
        try:
            if isinstance(one, Seat):
                one.play()
            else:
                one.watch(PATIENCE)
        except Lie as lie:
            key = self.key  # before somebody who has it from elsewhere
            proved = evidence.proof(one.guard, lie, one.other, [key]).convicts
            shown = one.guard.openings()
            self.stops[number] = Stop(
                lie.obligation, lie.code or "", lie.seq, lie.said, proved, accepted[-1], shown
            )
        except (Refused, Unreachable) as problem:
            self.troubles[number] = str(problem)
        except Exception as error:  # noqa: BLE001 - a test says which
            self.troubles[number] = f"{type(error).__name__}: {error}"


def waiting(house: LyingHouse, milliseconds: int) -> Chooser:
    """A player that lets time pass wherever it has a choice, and then goes on."""

    def choose(view: Json) -> Json:
        if len({one.get("tile") for one in view["legal"]}) > 1:
            house.ahead += milliseconds
        return CHOOSERS["first"](view)

    return choose


def meet(planted: Planted, folder: Path) -> Meeting:
    """Play it through."""
    with contextlib.ExitStack() as stack:
        house = stack.enter_context(LyingHouse(folder, planted.bend, planted.twist))
        if planted.waits:
            stack.enter_context(house.everybodys_clock())
        opening = {"ruleset": "draw", "seats": 2, "rounds_max": 1, "options": {"target": 20}}
        match = house.open(**{**opening, **planted.opening})
        company = Company(planted, house, match, folder)
        end = time.monotonic() + PATIENCE
        if planted.first is not None:
            company.threads[planted.first].start()
            while planted.first in house.state(match).free_seats():
                assert time.monotonic() < end, f"{planted.name}: {company.troubles}"
                time.sleep(0.01)
        for number, thread in company.threads.items():
            if number != planted.first:
                thread.start()
        while any(thread.is_alive() for thread in company.threads.values()):
            assert time.monotonic() < end, f"{planted.name}: nobody goes on"
            silent = {*company.stops, *company.troubles}
            if silent - {SPECTATOR} and company.all_rest(house.state(match).seq):
                house.skip(match, silent)
            time.sleep(0.01)
        kept = house.house._desk.fresh(bytes.fromhex(match))
        return Meeting(
            house,
            company.stops,
            company.troubles,
            [json.loads(raw) for raw in kept.events()],
            [step.head_seq for step in kept.steps],
            {
                who: list(one.guard.chronicle.receipts.values())
                for who, one in company.people.items()
            },
        )
