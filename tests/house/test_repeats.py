"""The same request twice, or another one in its place: safe to send again, refused to replace."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.house.messages import Answer, SitRequest
from tests.house.party import Guests, Json, Party


def same(again: Answer, first: Answer) -> bool:
    """Whether a repeated request was answered as the first one, and added nothing."""
    assert not again.appended
    return (again.events, again.receipt, again.view) == (first.events, first.receipt, first.view)


def code(call: object, *arguments: object, **more: object) -> str:
    """The code of a refusal."""
    assert callable(call)
    with pytest.raises(FairbonesError) as caught:
        call(*arguments, **more)
    return caught.value.code


def move_on(guests: Guests, steps: int = 4) -> None:
    """Let the match grow."""
    for _ in range(steps):
        if guests.view()["status"] == "playing":
            guests.act(guests.party.rnd.choice)


def test_sitting_down_again(party: Party) -> None:
    """The same token and request is a no-op; nothing is ever replaced."""
    guests = party.open("block", 3)
    first = guests.sit(1)
    assert same(guests.sit(1), first)
    stored = guests.stored_events()
    request = guests.sit_request(1)
    others = (
        replace(request, name="q1"),
        replace(request, name=None),
        replace(request, commitment=b"\x01" * 32),
        SitRequest(1, "p1", None, b"\x01" * 32),
    )
    for other in others:
        assert code(guests.house.sit, guests.match_id, guests.tokens[1], other) == "seat/taken"
    for token in (guests.tokens[0], guests.tokens[1] + "0", ""):
        assert code(guests.house.sit, guests.match_id, token, request) == "seat/taken"
    for seat in (0, 2):
        moved = guests.sit_request(seat)
        sit = guests.house.sit
        assert code(sit, guests.match_id, guests.tokens[1], moved) == "seat/token-reused"
    assert guests.stored_events() == stored
    guests.sit(0)
    guests.sit(2)
    for seat in range(3):
        guests.reveal(seat)
    move_on(guests)
    assert same(guests.sit(1), first)
    assert same(party.another_house().sit(guests.match_id, guests.tokens[1], request), first)


def test_a_refused_seat_is_not_claimed(party: Party) -> None:
    """A token whose request was refused holds nothing: its player may try another seat."""
    guests = party.open()
    guests.sit(0)
    copied = replace(guests.sit_request(1), commitment=guests.sit_request(0).commitment)
    sit = guests.house.sit
    assert code(sit, guests.match_id, guests.tokens[1], copied) == "seat/duplicate-seed"
    assert code(sit, guests.match_id, "t", SitRequest(7, "x", bytes(32))) == "seat/unknown"
    assert guests.sit(1).appended


def test_revealing_again(party: Party) -> None:
    """SPEC 5.2: whoever brings a seed again gets the answer of the first time."""
    guests = party.open("draw", 2).seat_all()
    first = guests.reveal(0)
    assert same(guests.reveal(0), first)
    second = guests.reveal(1)
    assert same(guests.reveal(1), second)
    move_on(guests)
    assert same(guests.reveal(0), first)
    assert same(guests.reveal(1), second)
    last = [event for event in guests.events() if event.type == "seated"][-1]
    reveal = guests.house.reveal
    assert code(reveal, guests.match_id, 0, bytes(32), last.hash) == "seed/too-late"
    assert code(reveal, guests.match_id, 0, guests.seeds[0], bytes(32)) == "seed/too-late"


def test_a_false_seed_leaves_the_true_one_welcome(party: Party) -> None:
    """SPEC 8.1: one `seeded` for each seat; a wrong seed, seat or seating is none."""
    guests = party.open().seat_all()
    last = guests.events()[-1]
    reveal, match_id = guests.house.reveal, guests.match_id
    assert code(reveal, match_id, 0, guests.seeds[1], last.hash) == "seed/mismatch"
    assert code(reveal, match_id, 1, guests.seeds[0], last.hash) == "seed/mismatch"
    assert code(reveal, match_id, 0, guests.seeds[0], guests.opened_hash) == "seed/other-seating"
    assert code(reveal, match_id, 2, guests.seeds[0], last.hash) == "seat/unknown"
    assert guests.reveal(0).appended
    assert code(reveal, match_id, 0, bytes(32), last.hash) == "seed/revealed"


def test_acting_again_after_the_match_moved_on(party: Party) -> None:
    """T27: the same action for the same seq gives the same events and receipt, for ever."""
    guests = party.open("draw", 3, auto_forced=False).deal()
    done = []
    while guests.view()["status"] == "playing":
        done.append(guests.act(party.rnd.choice))
    stored = guests.stored_events()
    restarted = party.another_house()
    for seat, action, seq, first in party.rnd.sample(done, min(25, len(done))):
        assert same(guests.send(seat, action, seq), first)
        guests.house, kept = restarted, guests.house
        assert same(guests.send(seat, action, seq), first)
        guests.house = kept
    assert guests.stored_events() == stored


def low_first(action: Json) -> Json:
    """The same play with its tile written the other way round."""
    return action | {"tile": "-".join(reversed(action["tile"].split("-")))}


def test_another_spelling_is_the_same_action(party: Party) -> None:
    """SPEC R6, listed form: low half first and the other of two equal ends are accepted, events
    carry the listed form, and any spelling repeats any other."""
    tiles = ends = 0
    while not (tiles and ends):
        guests = party.open("block", 2).deal()
        while guests.view()["status"] == "playing":
            view = guests.view()
            values = [end["value"] for end in view["ends"]]
            action = guests.view(view["turn"])["you"]["legal_actions"][0]
            spellings = [action, low_first(action)]
            if len(values) == 2 and values[0] == values[1]:
                assert action["end"] == "left"
                spellings += [action | {"end": "right"}, low_first(action) | {"end": "right"}]
                ends += 1
            tiles += spellings[1] != action
            seq = view["head"]["seq"] + 1
            party.rnd.shuffle(spellings)
            first = guests.send(view["turn"], spellings[0], seq)
            event = guests.events()[seq].data
            assert {name: event.get(name) for name in ("tile", "end")} == {
                "tile": action["tile"],
                "end": action.get("end"),
            }
            move_on(guests, 1)
            for spelling in spellings:
                assert same(guests.send(view["turn"], spelling, seq), first)


def test_another_action_at_a_seq_that_is_taken(party: Party) -> None:
    """A stale request is told where the match stands, and nothing is appended."""
    guests = party.open("block", 2).deal()
    seat, action, seq, _ = guests.act(lambda actions: actions[0])
    stored = guests.stored_events()
    head = guests.view()["head"]
    receipt = json.loads(guests.house.view(guests.match_id, None).receipt)
    for sent in ({"type": "pass"}, {"type": "draw"}, low_first(action) | {"end": "up"}):
        for number in range(len(stored)):
            with pytest.raises(FairbonesError) as caught:
                guests.send(seat, sent, number)
            assert caught.value.code == "match/stale"
            where = {"seq": number, "head": head, "receipt": receipt}
            assert caught.value.details == where
    for number in (head["seq"] + 2, 2**32 - 1):
        assert code(guests.send, seat, action, number) == "match/stale"
    assert code(guests.send, 1 - seat, action, seq) == "match/stale"
    assert guests.stored_events() == stored


def test_an_action_meant_for_another_chain(party: Party) -> None:
    """`prev` is the head the client acted on: with another one it decided on another position."""
    guests = party.open("block", 2).deal()
    view = guests.view(guests.view()["turn"])
    seat, seq = view["turn"], view["head"]["seq"] + 1
    action = view["you"]["legal_actions"][0]
    for prev in (bytes(32), guests.opened_hash):
        assert code(guests.send, seat, action, seq, prev=prev) == "match/stale"
    prev = bytes.fromhex(view["head"]["event_hash"])
    first = guests.send(seat, action, seq, prev=prev)
    assert same(guests.send(seat, action, seq, prev=prev), first)
    assert code(guests.send, seat, action, seq, prev=bytes(32)) == "match/stale"


def refused_actions() -> Sequence[Json]:
    """What no seat can do as it sets the first tile."""
    return [
        {"type": "pass"},
        {"type": "draw"},
        {"type": "decline"},
        {"type": "play", "tile": "9-9", "end": "left"},
        {"type": "play", "tile": "19-1"},
        {"type": "play"},
        {"type": "jump"},
        {},
    ]


def test_a_refused_action_changes_nothing(party: Party) -> None:
    """Unreadable, illegal and stale are three things; none of them leaves a trace."""
    guests = party.open("draw", 2).deal()
    before = [guests.view(seat) for seat in (None, 0, 1)]
    stored = guests.stored_events()
    turn, seq = before[0]["turn"], before[0]["head"]["seq"] + 1
    for action in refused_actions():
        family = code(guests.send, turn, action, seq).partition("/")[0]
        assert family in ("rules", "action", "tile")
    assert [guests.view(seat) for seat in (None, 0, 1)] == before
    assert guests.stored_events() == stored


def test_too_early_and_too_late(party: Party) -> None:
    """An action outside a hand is told so, whatever its seq."""
    guests = party.open()
    guests.sit(0)
    assert code(guests.send, 0, {"type": "pass"}, 5) == "match/not-dealt"
    guests.sit(1)
    assert code(guests.send, 0, {"type": "pass"}, 3) == "match/not-dealt"
    guests.reveal(0)
    guests.reveal(1)
    guests.play_out()
    head = guests.view()["head"]["seq"]
    assert code(guests.send, 0, {"type": "pass"}, head + 1) == "match/over"


def test_who_comes_second_learns_where_the_match_stands(party: Party) -> None:
    """T27: every conflict names the head it ran into, with its receipt (SPEC 6.4)."""
    guests = party.open("block", 2)
    guests.sit(0)
    sit, reveal, match_id = guests.house.sit, guests.house.reveal, guests.match_id
    late: list[tuple[str, Callable[[], Answer]]]
    late = [("seat/taken", lambda: sit(match_id, guests.tokens[1], guests.sit_request(0)))]
    late.append(("seed/too-early", lambda: reveal(match_id, 0, bytes(32), bytes(32))))
    late.append(("match/not-dealt", lambda: guests.send(0, {"type": "pass"}, 2)))
    late.append(("match/void", lambda: guests.send(0, {"type": "pass"}, 3)))
    for expected, call in late:
        if expected == "match/void":
            guests.house.leave(match_id, 0, guests.tokens[0])
        with pytest.raises(FairbonesError, match=expected) as caught:
            call()
        shown = guests.house.view(match_id, None)
        assert caught.value.details == {
            "head": shown.view["head"],
            "receipt": json.loads(shown.receipt),
        }
