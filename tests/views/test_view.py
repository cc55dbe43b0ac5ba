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
from fairbones.core.match.times import by_the_house
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.wash import seal
from fairbones.core.rules import (
    CALL,
    Give,
    GiveAt,
    action_from_json,
    giver,
    legal,
    may_call,
    to_act,
)
from fairbones.core.views import view
from tests.match.claims import claiming
from tests.match.playing import RANDOM, Table, open_table, taking, types

Json = dict[str, Any]
PUBLIC = {"id", "status", "ruleset", "now", "seats", "scores", "waiting_for", "head"}
TABLE = {"turn", "line", "ends", "boneyard"}
GAMES = ["block", "draw", "fives-and-threes", "all-fives", "muggins"]


def course(rnd: random.Random, ruleset: str = "draw", seats: int = 3) -> Iterator[Table]:
    """A match at every head of it, from `opened` to its end, with somebody leaving on the way."""
    options: dict[str, object] = {}
    if ruleset == "muggins":
        ruleset, options = "all-fives", {"muggins": True}
    table = open_table(rnd, ruleset, seats, options)
    yield table
    for seat in range(seats):
        table.sit(seat)
        yield table
    for seat in range(seats):
        table.reveal(seat)
        yield table
    while table.state.stage is Stage.PLAYING:
        table.now += rnd.randrange(300)
        if not table.state.left and table.state.rounds == 2 and table.now <= table.due:
            table.do(Leave(table.now, rnd.randrange(seats)))
        else:
            table.act(lambda actions: claiming(table.hand, rnd.choice(actions), rnd))
        yield table


def look(table: Table, viewer: int | None) -> Json:
    """A view, which has to be plain JSON without nulls."""
    told = view(table.state, viewer, table.now)
    assert json.loads(canonical(told)) == told
    return told


@given(rnd=RANDOM, ruleset=st.sampled_from(GAMES))
def test_a_view_says_what_everybody_may_know(rnd: random.Random, ruleset: str) -> None:
    """Each member of a view, from the state it shows."""
    for table in course(rnd, ruleset):
        state = table.state
        told = look(table, None)
        assert told.keys() - PUBLIC <= TABLE | {"round", "deadline", "result", "count"}
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
        assert told["turn"] == to_act(hand)
        assert told["waiting_for"] == [] if to_act(hand) in state.left else [to_act(hand)]
        assert [
            (laid["seat"], parse(laid["tile"]), laid.get("end"), laid.get("points", 0))
            for laid in told["line"]
        ] == [(seat, play.tile, play.end, points) for seat, play, points in hand.line]
        open_ends = [end for end in hand.ends if end.open]
        assert [(end["end"], end["value"]) for end in told["ends"]] == [
            (end.name, end.value) for end in open_ends
        ]
        weights = [end.weight for end in open_ends if hand.rules.counts]
        assert [end["weight"] for end in told["ends"] if "weight" in end] == weights
        # With muggins nobody counts for the players (SPEC R10).
        assert ("count" in told) == (hand.rules.counts and not hand.rules.muggins)
        if "count" in told:
            assert told["count"] == sum(end.value * end.weight for end in hand.ends)
        for seat, one in enumerate(told["seats"]):
            assert one["score"] == told["scores"][hand.rules.side_of[seat]]
        assert tuple(told["scores"]) == hand.scores


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


ROWS: list[tuple[str, int, dict[str, object]]] = [
    ("draw", 2, {"drawn_tile": "may-play"}),
    ("middle-eastern", 4, {"transfer": True}),
    ("all-fives", 3, {"spinner": "all"}),
    ("all-fives", 4, {"muggins": True, "partners": True}),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{'-'.join(row[2])}")
@pytest.mark.parametrize("auto", [True, False])
def test_every_legal_action_can_be_sent_as_it_stands(
    row: tuple[str, int, dict[str, object]], auto: bool, seed: random.Random
) -> None:
    """Each element of `legal_actions` can be echoed back, and they are all there are. A call is
    listed whether or not there is anything to take, so that the list tells nothing."""
    table = open_table(seed, *row, rounds_max=2, auto_forced=auto).deal()
    while table.state.stage is Stage.PLAYING:
        waits = by_the_house(table.state, table.dealt) is not None
        for seat in range(row[1]):
            told = look(table, seat)["you"]["legal_actions"]
            actions = [action_from_json(json.loads(json.dumps(one))) for one in told]
            wanted = [*legal(table.hand)] if seat == table.turn and not waits else []
            wanted += [CALL] if may_call(table.hand, seat) else []
            at = [
                Give(table.dealt.wash.order[action.seal]) if isinstance(action, GiveAt) else action
                for action in actions
            ]
            assert at == wanted
            for action in actions:
                if action != CALL or taking(table.hand, seat):
                    assert decide(table.state, Act(table.now, seat, action))[0]
        table.act(lambda actions: claiming(table.hand, seed.choice(actions), seed))


@pytest.mark.parametrize("last", ["wins", "exempt"])
def test_a_gift_is_seen_by_the_two(last: str, seed: random.Random) -> None:
    """SPEC 7: "the tile stays private to the two": the receiver finds it in its hand, opened."""
    met = 0
    while not met:
        options: dict[str, object] = {"transfer": True, "last_tile_transfer": last}
        table = open_table(seed, "middle-eastern", 4, options).deal()
        while table.state.stage is Stage.PLAYING:
            giving, to = giver(table.hand), table.hand.turn
            rounds = table.state.rounds
            # For whom is told to all, while a tile is due and not a moment longer.
            for viewer in (None, 0, 1, 2, 3):
                told = look(table, viewer).get("giving_to")
                assert told == (to if giving is not None else None)
            events = table.act(seed.choice)
            if giving is None or table.state.round is None or table.state.rounds != rounds:
                continue
            met += 1
            position = events[0].data["seal"]
            assert events[0].data == {"seat": giving, "to": to, "seal": position}
            held = [[x["seal"] for x in look(table, k)["you"]["hand"]] for k in range(4)]
            assert [position in one for one in held] == [
                seat == to and "played" not in types(events) for seat in range(4)
            ]


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
        laid = {play.tile for _, play, _ in dealt.hand.line}
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
