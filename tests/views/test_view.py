"""What a view says, and what it never says."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import bits, parse, text, tile_bytes
from fairbones.core.match import Act, GiveUp, Leave, MatchState, Stage, decide
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.wash import seal
from fairbones.core.rules import action_from_json, legal
from fairbones.core.views import view
from tests.match.playing import RANDOM, Table, open_table

Json = dict[str, Any]
PUBLIC = {"id", "status", "ruleset", "now", "seats", "scores", "waiting_for", "head"}
TABLE = {"turn", "line", "ends", "boneyard"}


def course(rnd: random.Random, ruleset: str = "draw", seats: int = 3) -> Iterator[Table]:
    """A match at every head of it, from `opened` to its end, with somebody leaving on the way."""
    table = open_table(rnd, ruleset, seats)
    yield table
    for seat in range(seats):
        table.sit(seat)
        yield table
    for seat in range(seats):
        table.reveal(seat)
        yield table
    while table.state.stage is Stage.PLAYING:
        table.now += rnd.randrange(300)
        if not table.state.left and table.state.rounds == 2:
            table.do(Leave(table.now, rnd.randrange(seats)))
        else:
            table.act(rnd.choice)
        yield table


def look(table: Table, viewer: int | None) -> Json:
    """A view, which has to be plain JSON without nulls."""
    told = view(table.state, viewer, table.now)
    assert json.loads(canonical(told)) == told
    return told


@given(rnd=RANDOM, ruleset=st.sampled_from(["block", "draw"]))
def test_a_view_says_what_everybody_may_know(rnd: random.Random, ruleset: str) -> None:
    """Each member of a view, from the state it shows."""
    for table in course(rnd, ruleset):
        state = table.state
        told = look(table, None)
        assert told.keys() - PUBLIC <= TABLE | {"round", "deadline", "result"}
        assert told.keys() >= PUBLIC
        assert told["status"] == state.stage.value
        assert told["head"] == {"seq": state.seq, "event_hash": state.head.hex()}
        assert ("deadline" in told) == (state.stage not in (Stage.ENDED, Stage.VOID))
        assert ("result" in told) == (state.stage in (Stage.ENDED, Stage.VOID))
        assert (told.keys() & TABLE == TABLE) == (state.round is not None)
        assert [seat["taken"] for seat in told["seats"]] == [s is not None for s in state.seatings]
        if state.round is None:
            continue
        hand = state.round.hand
        assert [seat["count"] for seat in told["seats"]] == [m.bit_count() for m in hand.hands]
        assert told["boneyard"] == len(hand.stock)
        assert told["waiting_for"] == [hand.turn]
        assert [(laid["seat"], parse(laid["tile"]), laid.get("end")) for laid in told["line"]] == [
            (seat, play.tile, play.end) for seat, play in hand.line
        ]
        assert [end["value"] for end in told["ends"]] == [end.value for end in hand.ends]


@given(RANDOM)
def test_a_seat_sees_its_own_hand_and_what_proves_it(rnd: random.Random) -> None:
    """SPEC 10.5: "the own openings (position, salt, tile) open the seals of `dealt`"."""
    for table in course(rnd):
        state = table.state
        for seat in range(3):
            told = look(table, seat)
            own = told.pop("you")
            assert told == look(table, None)
            assert own["seat"] == seat
            if state.round is None:
                assert (own["hand"], own["legal_actions"]) == ([], [])
                continue
            held = [*bits(state.round.hand.hands[seat])]
            assert [parse(one["tile"]) for one in own["hand"]] == held
            for one in own["hand"]:
                salt, thing = bytes.fromhex(one["salt"]), tile_bytes(parse(one["tile"]))
                opened = seal(state.terms.match, state.rounds, one["seal"], salt, thing)
                assert opened == state.round.wash.seals[one["seal"]]
                drawn = set(state.round.cut.hands[seat]) | set(state.round.cut.boneyard)
                assert one["seal"] in drawn
            assert bool(own["legal_actions"]) == (seat == state.turn)


@given(RANDOM)
def test_every_legal_action_can_be_sent_as_it_stands(rnd: random.Random) -> None:
    """Each element of `legal_actions` can be echoed back, and they are all there are."""
    for table in course(rnd, "draw", 2):
        turn = table.state.turn
        if turn is None:
            continue
        assert table.state.round is not None
        told = look(table, turn)["you"]["legal_actions"]
        actions = [action_from_json(json.loads(json.dumps(one))) for one in told]
        assert actions == list(legal(table.state.round.hand))
        events, _ = decide(table.state, Act(table.now, turn, rnd.choice(actions)))
        assert events


def strings(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif isinstance(value, str):
        yield value


def secrets_of(state: MatchState, viewer: int | None) -> set[str]:
    """What this viewer must not find: seeds, foreign salts, whose tile opens which seal."""
    found = {state.secret.hex()}
    dealt = state.round
    if dealt is not None:
        found.add(dealt.seed.hex())
        own = 0 if viewer is None else dealt.hand.hands[viewer]
        laid = {play.tile for _, play in dealt.hand.line}
        for tile, position in dealt.position.items():
            if not own >> tile & 1:
                found.add(dealt.wash.salts[position].hex())
                if tile not in laid:
                    found.add(text(tile))
    return found


@given(RANDOM)
def test_no_view_holds_a_secret(rnd: random.Random) -> None:
    """T23: no foreign tile, no salt of one, no boneyard, no seed, in any view of a whole match."""
    for table in course(rnd):
        for viewer in (None, 0, 1, 2):
            told = look(table, viewer)
            found = set(strings(told)) & secrets_of(table.state, viewer)
            assert found == set()
            assert ("you" in told) == (viewer is not None)
            for inner in strings({key: told[key] for key in told if key != "you"}):
                assert not re.fullmatch(r"[0-9a-f]{64}", inner) or inner == table.state.head.hex()


def test_the_order_of_a_hand_says_nothing(seed: random.Random) -> None:
    """A hand is listed by tile, not by when a tile was dealt or drawn."""
    for table in course(seed):
        for seat in range(3):
            listed = [parse(one["tile"]) for one in look(table, seat)["you"]["hand"]]
            assert listed == sorted(listed)


@pytest.mark.parametrize("stage", ["joining", "revealing", "playing"])
def test_a_void_match_shows_why(stage: str, seed: random.Random) -> None:
    """SPEC 7: the reason, and who was missing; no table, no deadline, nobody waited for."""
    table = open_table(seed, "block", 3)
    if stage != "joining":
        table.seat_all()
    if stage == "playing":
        for seat in range(3):
            table.reveal(seat)
    table.do(GiveUp(table.now))
    told = look(table, 0)
    assert told["result"] == {"reason": "house"}
    assert told["waiting_for"] == []
    assert told["you"] == {"seat": 0, "hand": [], "legal_actions": []}
    late = open_table(seed, "block", 3)
    late.sit(1)
    late.expire()
    assert look(late, None)["result"] == {"reason": "seats-missing", "missing": [0, 2]}


def test_a_seat_that_left_is_shown_as_gone(seed: random.Random) -> None:
    """SPEC 8.4: its turns are played by the fixed rule: nothing is left for it to do."""
    table = open_table(seed, "block", 4).deal()
    gone = (table.turn + 1) % 4
    table.do(Leave(table.now, gone))
    assert [seat.get("left") for seat in look(table, None)["seats"]].count(True) == 1
    assert look(table, gone)["you"]["legal_actions"] == []
    assert len(look(table, gone)["you"]["hand"]) == 7
