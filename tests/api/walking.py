"""Schemathesis at a real table: it makes requests up, and judges every answer by `openapi.yaml`.

`Walk` is the run that plays: ids, tokens, seeds, cursors and actions go from the answers into the
next requests, and what nothing depends on is made up around them. Now and then a whole request is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from schemathesis import Case, CheckContext, GenerationMode, Response
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from fairbones.api.codes import CODES
from fairbones.api.problems import MEDIA_TYPE
from fairbones.app import build_api
from fairbones.core.match import Stage
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.invites import invite_hash
from fairbones.house.contract import HouseContract
from tests.api.documented import document, listed_in
from tests.api.table import Json, Table, event_hash, key_of, seed_of, token_of
from tests.api.tally import Tally

Spoil = Callable[[HouseContract], HouseContract]

GAMES: tuple[Json, ...] = (
    {"ruleset": "block", "seats": 2},
    {"ruleset": "draw", "seats": 3},
    {"ruleset": "all-fives", "seats": 2, "options": {"target": 50}},
    {"ruleset": "all-fives", "seats": 2, "options": {"muggins": True, "call_seconds": 5}},
    {"ruleset": "middle-eastern", "seats": 4, "options": {"transfer": True}},
)
# A request is a second later than the last: nothing may run out on the way.
_PATIENT: Json = {"turn_seconds": 80_000, "join_seconds": 80_000, "reveal_seconds": 80_000}
PLAIN = (
    *("getIndex", "getLiveness", "getReadiness", "getDescription", "listRulesets", "listKeys"),
    *("getRuleset", "getMetrics"),
)
_LOOKS = ("getMatch", "followEvents", "getTranscript")
_STEPS = {"joining": "takeSeat", "revealing": "revealSeed", "playing": "act"}
# One request of four is made up altogether.
ASTRAY = st.integers(0, 3).map(lambda number: number == 3)
ACTIONS_MAX = 300  # more than any match of one hand has


def documented(_: CheckContext, response: Response, case: Case[Any]) -> bool | None:
    """A refusal is a problem of the table, with a code that its call lists."""
    if response.status_code < 400:
        return None
    assert response.headers["content-type"] == [MEDIA_TYPE]
    told = response.json()
    code = told["code"]
    assert code in CODES, f"{code} is in no table"
    assert told["status"] == response.status_code == CODES[code].status, code
    assert listed_in(case.operation.definition.raw, response.status_code, code), (
        f"{code} is not listed"
    )
    return None


CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    documented,
]


@cache
def operations() -> dict[str, Any]:
    """Every call by its operationId, as Schemathesis has read it."""
    loaded = schemathesis.openapi.from_dict(document())
    found: dict[str, Any] = {}
    for it in loaded.get_all_operations():
        assert isinstance(it, Ok), it
        found[it.ok().definition.raw["operationId"]] = it.ok()
    return found


@cache
def made_up(name: str, mode: GenerationMode) -> st.SearchStrategy[Case[Any]]:
    """Requests for a call: as described, or wrong in some way."""
    made: st.SearchStrategy[Case[Any]] = operations()[name].as_strategy(generation_mode=mode)
    return made


def tamed(case: Case[Any]) -> Case[Any]:
    """Without what only takes time: thousands of hands to wash, and waiting for events."""
    if isinstance(case.body, dict) and "rounds_max" in case.body:
        case.body["rounds_max"] = 1
    if "wait" in case.query:
        case.query["wait"] = 0
    return case


@dataclass
class Seated:
    """A match as its players know it; seats of `signed` have a key."""

    id: str
    seats: int
    opened_hash: bytes
    invites: dict[int, bytes]
    signed: frozenset[int]
    status: str = "joining"
    seated_hash: str = ""
    taken: set[int] = field(default_factory=set)
    revealed: set[int] = field(default_factory=set)

    def note(self, told: Json | None) -> bool:
        """Learn from the answer to a step; False for a refusal."""
        if told is None:
            return False
        for event in told["events"]:
            if event["type"] == "seated":
                self.taken.add(event["data"]["seat"])
                self.seated_hash = event_hash(event)
            elif event["type"] == "seeded":
                self.revealed.add(event["data"]["seat"])
        self.status = told["view"]["status"]
        return True


class Walk(RuleBasedStateMachine):
    """Plays matches, and asks for everything else, in any order. `spoil` plants a fault."""

    def __init__(self, tally: Tally, spoil: Spoil = lambda house: house) -> None:
        super().__init__()
        self.tally = tally
        self.folder = tempfile.TemporaryDirectory()
        self.table = Table(Path(self.folder.name))
        self.app = build_api(spoil(self.table.house), self.table.limits)
        self.matches: list[Seated] = []

    def teardown(self) -> None:
        """Leave nothing behind."""
        self.table.close()
        self.folder.cleanup()

    # ------------------------------------------------------------ requests

    def send(self, case: Case[Any]) -> Json | None:
        """Send it and judge the answer, which is None for a refusal."""
        self.table.now += 1_000
        answer = tamed(case).call_and_validate(app=self.app, checks=CHECKS)
        name = case.operation.definition.raw["operationId"]
        if answer.status_code >= 300:
            self.tally.refused[name] += 1
            return None
        self.tally.granted[name] += 1
        no_json = name in ("getDescription", "getMetrics")
        found: Json = {} if no_json else answer.json()
        return found

    def ask(
        self,
        name: str,
        match: Seated | None = None,
        *,
        seat: int | None = None,
        token: int | None = None,
        body: Json | None = None,
        query: Json | None = None,
    ) -> Json | None:
        """A request of which every part is known; the token is that of a seat."""
        path: Json = {} if match is None else {"match_id": match.id}
        if seat is not None:
            path["seat"] = seat
        headers = {} if token is None else {"Authorization": f"Bearer {token_of(token)}"}
        more: Json = {} if body is None else {"body": body, "media_type": "application/json"}
        return self.send(
            operations()[name].Case(
                path_parameters=path, headers=headers, query=query or {}, **more
            )
        )

    def stray(self, name: str, data: st.DataObject) -> None:
        """A request that is made up, about a match that there is if possible."""
        wrong = data.draw(st.booleans())
        mode = GenerationMode.NEGATIVE if wrong else GenerationMode.POSITIVE
        case = data.draw(made_up(name, mode))
        if not wrong and self.matches and "match_id" in case.path_parameters:
            case.path_parameters["match_id"] = data.draw(st.sampled_from(self.matches)).id
            case.headers["Authorization"] = f"Bearer {token_of(data.draw(st.integers(0, 3)))}"
        self.send(case)

    # ------------------------------------------------------------- playing

    def open(self, game: Json, **more: object) -> Seated | None:
        """A new match; its last seat needs an invitation, the one before is kept for a key, and of
        the others every second has one.
        """
        last, secret = game["seats"] - 1, bytes(range(16))
        kept: list[Json] = [{"seat": last, "invite_hash": invite_hash(secret).hex()}]
        kept.append({"seat": last - 1, "public_key": key_of(last - 1).public.hex()})
        signed = frozenset({last - 1, *range(0, last, 2)})
        body = {"rounds_max": 1, **more, **_PATIENT, **game, "reserved": kept}
        told = self.ask("openMatch", body=body)
        if told is None:
            return None
        event = told["event"]
        opened_hash = bytes.fromhex(event_hash(event))
        invites = {last: secret}
        self.matches.append(Seated(event["match"], game["seats"], opened_hash, invites, signed))
        return self.matches[-1]

    def sit(self, match: Seated, seat: int) -> bool:
        """A player takes a seat."""
        key = key_of(seat).public if seat in match.signed else b""
        commitment = client_commitment(match.opened_hash, seat, key, seed_of(seat))
        body: Json = {"client_seed_commitment": commitment.hex()}
        if key:
            body["public_key"] = key.hex()
            told = key_of(seat).joins(match.opened_hash, seat, commitment=commitment)
            body["signature"] = told
        if seat in match.invites:
            body["invite"] = match.invites[seat].hex()
        return match.note(self.ask("takeSeat", match, seat=seat, token=seat, body=body))

    def reveal(self, match: Seated, seat: int) -> bool:
        """A player reveals a seed."""
        body = {"client_seed": seed_of(seat).hex(), "seated_hash": match.seated_hash}
        if seat in match.signed:
            place = match.opened_hash, bytes.fromhex(match.seated_hash), seat
            body["signature"] = key_of(seat).reveals(*place, seed_of(seat))
        return match.note(self.ask("revealSeed", match, seat=seat, body=body))

    def act(self, match: Seated, choose: Callable[[list[Json]], Json]) -> bool:
        """The seat to act does what it may; False when that was refused or there is none."""
        public = self.ask("getMatch", match)
        view = public and self.ask("getMatch", match, token=public.get("turn"))
        if not view:
            return False
        match.status = view["status"]
        moves = view["you"]["legal_actions"] if "you" in view else []
        if all(it["type"] == "call" for it in moves):
            return bool(match.status == "playing")  # the house makes the next step
        head = view["head"]
        seat, action = view["turn"], choose(moves)
        body = {"seq": head["seq"] + 1, "prev": head["event_hash"], "action": action}
        if seat in match.signed:
            place = body["seq"], bytes.fromhex(body["prev"]), seat
            body["signature"] = key_of(seat).moves(match.opened_hash, *place, action)
        granted = match.note(self.ask("act", match, token=seat, body=body))
        self.tally.signed += granted and "signature" in body
        return granted

    def leave(self, match: Seated, seat: int) -> bool:
        """A player leaves."""
        body = {}
        if seat in match.signed:
            body["signature"] = key_of(seat).leaves(match.opened_hash, seat)
        return match.note(self.ask("leaveSeat", match, seat=seat, token=seat, body=body or None))

    def go_on(self, match: Seated, choose: Callable[[list[Json]], Json]) -> bool:
        """What the match waits for; False when that was refused or there is nothing."""
        for seat in range(match.seats):
            if match.status == "joining" and seat not in match.taken:
                return self.sit(match, seat)
            if match.status == "revealing" and seat not in match.revealed:
                return self.reveal(match, seat)
        return match.status == "playing" and self.act(match, choose)

    def list_all(self, query: Json) -> None:
        """Page by page."""
        told = self.ask("listMatches", query=query)
        while told is not None and "cursor" in told:
            told = self.ask("listMatches", query={**query, "cursor": told["cursor"]})

    def plain(self, name: str) -> None:
        """A call that needs no match."""
        path = {"ruleset_id": "draw"} if name == "getRuleset" else {}
        self.send(operations()[name].Case(path_parameters=path))

    def waiting(self) -> list[Seated]:
        """The matches that wait for somebody."""
        return [it for it in self.matches if it.status in _STEPS]

    def play_through(self, game: Json) -> None:
        """From the opening to the transcript, and a match that a seat leaves; then all the rest."""
        match = self.open(game)
        if match is not None:
            for _ in range(ACTIONS_MAX):
                if not self.go_on(match, lambda moves: moves[0]):
                    break
            self.ask("followEvents", match, query={"after": 0})
            self.ask("getTranscript", match)
        left = self.open(GAMES[0], listed=True)
        if left is not None and self.sit(left, 0):
            self.leave(left, 0)
        self.list_all({"limit": 1})
        for name in PLAIN:
            self.plain(name)

    # --------------------------------------------------------------- rules

    @initialize(game=st.sampled_from(GAMES), steps=st.integers(0, 12))
    def begin_a_match(self, game: Json, steps: int) -> None:
        """Any number of players at the table, or on with the game."""
        match = self.open(game)
        for _ in range(steps):
            if match is not None:
                self.go_on(match, lambda moves: moves[0])

    @rule(data=st.data(), game=st.sampled_from(GAMES), astray=ASTRAY)
    def open_a_match(self, data: st.DataObject, game: Json, astray: bool) -> None:
        """With what schemathesis makes up for the members that no game depends on."""
        if astray:
            self.stray("openMatch", data)
            return
        made = data.draw(made_up("openMatch", GenerationMode.POSITIVE)).body
        assert isinstance(made, dict)
        free = ("reference", "listed", "auto_forced", "clear_seeds")
        self.open(game, **{name: made[name] for name in free if name in made})

    @precondition(lambda self: self.waiting())
    @rule(data=st.data(), astray=ASTRAY)
    def go_on_with_a_match(self, data: st.DataObject, astray: bool) -> None:
        """The next step of one that waits for somebody, or another than it waits for."""
        if astray:
            self.stray(data.draw(st.sampled_from(sorted(_STEPS.values()))), data)
        else:
            match = data.draw(st.sampled_from(self.waiting()))
            self.go_on(match, lambda moves: data.draw(st.sampled_from(moves)))

    @precondition(lambda self: any(it.taken for it in self.waiting()))
    @rule(data=st.data(), astray=ASTRAY)
    def leave_a_match(self, data: st.DataObject, astray: bool) -> None:
        """Somebody who sits there, or anybody."""
        if astray:
            self.stray("leaveSeat", data)
            return
        match = data.draw(st.sampled_from([it for it in self.waiting() if it.taken]))
        seat = data.draw(st.sampled_from(sorted(match.taken)))
        self.leave(match, seat)

    @precondition(lambda self: self.matches)
    @rule(data=st.data(), name=st.sampled_from(_LOOKS), astray=ASTRAY)
    def look_at_a_match(self, data: st.DataObject, name: str, astray: bool) -> None:
        """As it is, as it was, its events, its transcript."""
        if astray:
            self.stray(name, data)
            return
        match = data.draw(st.sampled_from(self.matches))
        query: Json = {}
        if name == "getMatch" and data.draw(st.booleans()):
            query["at"] = 0
        if name == "followEvents":
            query = {"after": data.draw(st.integers(-1, 50)), "wait": 0}
        self.ask(name, match, query=query)

    @rule(data=st.data(), astray=ASTRAY)
    def list_matches(self, data: st.DataObject, astray: bool) -> None:
        """All pages of a list."""
        if astray:
            self.stray("listMatches", data)
            return
        conditions: dict[str, st.SearchStrategy[str]] = {
            "status": st.sampled_from([stage.value for stage in Stage]),
            "ruleset": st.sampled_from([game["ruleset"] for game in GAMES]),
        }
        limit = {"limit": st.integers(1, 100)}
        self.list_all(data.draw(st.fixed_dictionaries(limit, optional=conditions)))

    @rule(data=st.data(), name=st.sampled_from(PLAIN), astray=ASTRAY)
    def ask_for_the_rest(self, data: st.DataObject, name: str, astray: bool) -> None:
        """What needs no match."""
        if astray and name == "getRuleset":
            self.stray(name, data)
        else:
            self.plain(name)
