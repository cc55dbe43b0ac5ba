"""Whole matches of every game through the house: calls, gifts and the lead draw among them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import replay
from fairbones.core.protocol.chain import read_event
from fairbones.house.messages import Answer
from tests.house.party import Guests, Json, Party
from tests.match.rows import TABLES

MUGGINS = {"muggins": True, "call_seconds": 5, "target": 200}
TRANSFER = {"transfer": True, "target": 10_000}
CALL: Json = {"type": "call"}


GAMES = [table for table in TABLES if table[1] in (2, 4)]


@pytest.mark.parametrize(("ruleset", "seats"), GAMES)
def test_every_game_is_played_to_its_end(party: Party, ruleset: str, seats: int) -> None:
    """SPEC 8.1: from `opened` to `match_ended`, and what is stored folds to what is shown."""
    guests = party.open(ruleset, seats, rounds_max=2).deal().play_out()
    assert guests.view()["status"] == "ended"
    drawn = [event.type for event in guests.events()].count("lead_drawn")
    assert drawn == ("lead_wash" in guests.events()[0].data)
    state = replay(guests.events(), party.server_seeds[0])
    assert state.head.hex() == guests.view()["head"]["event_hash"]
    assert list(state.scores) == guests.view()["scores"]


def code(call: object, *arguments: object) -> str:
    """The code of a refusal."""
    assert callable(call)
    with pytest.raises(FairbonesError) as caught:
        call(*arguments)
    return caught.value.code


def same(again: Answer, first: Answer) -> bool:
    """Whether a repeated request was answered as the first one but for the clock."""
    assert not again.appended
    views = [{**answer.view, "now": 0} for answer in (again, first)]
    return (again.events, again.receipt, views[0]) == (first.events, first.receipt, views[1])


def test_a_match_with_calls(party: Party) -> None:
    """SPEC 8.8, R10: nobody claims anything, and whoever is quickest takes it; the same call again
    is answered as the first time, however far the match has come."""
    guests = party.open("all-fives", 3, options=MUGGINS).deal()
    done: list[tuple[int, int, Answer]] = []
    while guests.wait()[1]["status"] == "playing":
        guests.act(party.rnd.choice)
        done += called(guests, party.rnd.sample(range(3), 3))
    assert done
    assert {event.type for event in guests.events()} >= {"called", "played"}
    assert not any("claim" in event.data for event in guests.events())
    stored = guests.stored_events()
    restarted = party.another_house()
    for seat, seq, first in done[:12]:
        assert same(guests.send(seat, CALL, seq), first)
        guests.house, kept = restarted, guests.house
        assert same(guests.send(seat, CALL, seq), first)
        guests.house = kept
        other = (seat + 1) % 3
        assert code(guests.send, other, CALL, seq) in ("match/stale", "match/over")
    assert guests.stored_events() == stored


def called(guests: Guests, seats: Sequence[int]) -> list[tuple[int, int, Answer]]:
    """Everybody tries to call, in that order: one at most does."""
    done: list[tuple[int, int, Answer]] = []
    refusals: set[str] = set()
    for seat in seats:
        view = guests.view(seat)
        if view["status"] != "playing":
            break
        seq = view["head"]["seq"] + 1
        if CALL in view["you"]["legal_actions"]:
            try:
                done.append((seat, seq, guests.send(seat, CALL, seq)))
            except FairbonesError as error:
                refusals.add(error.code)
        else:
            assert code(guests.send, seat, CALL, seq) == "rules/may-not-call"
    assert refusals <= {"rules/nothing-missed"}
    assert len(done) <= 1
    return done


def test_a_match_with_gifts(party: Party) -> None:
    """SPEC R6, 3: a gift is sent by its position; the same again is answered as the first time."""
    guests = party.open("middle-eastern", 4, options=TRANSFER, rounds_max=6).deal()
    gifts: list[tuple[int, Json, int, Answer]] = []
    while guests.view()["status"] == "playing":
        seat, action, seq, answer = guests.act(party.rnd.choice)
        if action["type"] == "give":
            gifts.append((seat, action, seq, answer))
            event = read_event(answer.events[0])
            assert (event.type, event.data["seal"]) == ("gave", action["seal"])
            assert event.data["seat"] == seat
    assert gifts
    for seat, action, seq, first in gifts:
        assert same(guests.send(seat, action, seq), first)
        other = action | {"seal": (action["seal"] + 1) % 28}
        assert code(guests.send, seat, other, seq) == "match/over"


def test_a_tile_of_somebody_else_is_not_named(party: Party) -> None:
    """T23: who tries to give what it does not hold learns nothing about it."""
    guests = party.open("middle-eastern", 4, options=TRANSFER, rounds_max=6).deal()
    while "giving_to" not in guests.view():
        guests.act(party.rnd.choice)
    seq, turn = guests.view()["head"]["seq"] + 1, guests.view()["turn"]
    for seat in range(4):
        held = {one["seal"] for one in guests.view(seat)["you"]["hand"]}
        for position in {*range(30)} - (held if seat == turn else set()):
            with pytest.raises(FairbonesError) as caught:
                guests.send(seat, {"type": "give", "seal": position}, seq)
            wanted: tuple[str, Json] = ("rules/not-in-hand", {})
            if seat != turn:
                wanted = ("rules/not-your-turn", {"turn": turn})
            assert (caught.value.code, caught.value.details) == wanted
            assert "-" not in caught.value.message


def test_a_game_without_transfer_says_so(party: Party) -> None:
    """Before it is asked whose turn it is, and of which tile: no other would do."""
    guests = party.open("block", 2).deal()
    seq = guests.view()["head"]["seq"] + 1
    for seat in range(2):
        for position in range(30):
            assert code(guests.send, seat, {"type": "give", "seal": position}, seq) == (
                "rules/may-not-give"
            )


def test_a_waiting_reader_wakes_when_the_calls_are_over(party: Party) -> None:
    """SPEC 8.8: the forced step is "appended by the first request after that"; until then all is
    still, for everybody, whatever the step will be."""
    seen: set[bool] = set()
    while len(seen) < 2:
        guests = party.open("all-fives", 2, options=MUGGINS).deal()
        while guests.wait()[1]["status"] == "playing" and len(seen) < 2:
            guests.act(party.rnd.choice)
            view = guests.view()
            if view["status"] != "playing" or view["head"]["seq"] != len(guests.events()) - 1:
                continue
            if guests.events()[-1].type != "played":
                continue
            at = guests.events()[-1].at
            assert view["deadline"] == at + 20_000
            head = view["head"]["seq"]
            party.clock.now = at + 4_999
            assert guests.follow(head, 0.0).events == ()
            party.clock.now = at + 5_000
            types = [read_event(raw).type for raw in guests.follow(head, 0.0).events]
            assert types[:1] in ([], ["drew"], ["passed"])
            seen.add(bool(types))
