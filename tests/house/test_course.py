"""A match from `open` to its transcript, as its players and a spectator see it."""

from __future__ import annotations

import json

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import replay
from fairbones.core.protocol.chain import read_event
from fairbones.house.contract import HouseContract
from fairbones.house.messages import OpenRequest
from fairbones.house.ports import Signer as SignerPort
from fairbones.house.ports import Store
from tests.house.party import Guests, Json, Party


def refusal(call: object, *arguments: object, **more: object) -> FairbonesError:
    """The error of a call that has to be refused."""
    assert callable(call)
    with pytest.raises(FairbonesError) as caught:
        call(*arguments, **more)
    return caught.value


def test_the_doubles_fill_the_ports(party: Party) -> None:
    """The type checker compares them with the protocols; this keeps the lines from rotting."""
    store: Store = party.store
    signer: SignerPort = party.signer
    house: HouseContract = party.house
    assert store.load(bytes(16)) is None
    assert signer.key_id == party.signer.key_id
    house.ready()


@pytest.mark.parametrize(("ruleset", "seats"), [("block", 2), ("draw", 3), ("block", 4)])
def test_a_whole_match(party: Party, ruleset: str, seats: int) -> None:
    """SPEC 8.1: open, sit, reveal, play, and a transcript that says it all."""
    guests = party.open(ruleset, seats)
    assert guests.view()["status"] == "joining"
    for seat in range(seats):
        answer = guests.sit(seat)
        assert answer.appended
        assert [read_event(raw).type for raw in answer.events] == ["seated"]
        assert answer.view["you"] == {"seat": seat, "hand": [], "legal_actions": []}
    assert guests.view()["status"] == "revealing"
    for seat in range(seats):
        assert guests.reveal(seat).appended
    assert guests.view()["status"] == "playing"
    guests.play_out()
    assert guests.view()["status"] == "ended"
    told = check_transcript(guests)
    assert told["events"][-1]["type"] == "match_ended"


def check_transcript(guests: Guests) -> Json:
    """SPEC 6.6: "all events from seq 0 to the head, the receipt for exactly the last one"."""
    raw = guests.house.transcript(guests.match_id)
    told: Json = json.loads(raw)
    spelled = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert raw == spelled.encode()
    stored = guests.stored_events()
    assert [json.loads(event) for event in stored] == told["events"]
    events = [read_event(event) for event in stored]
    assert [event.seq for event in events] == list(range(len(events)))
    assert [event.prev for event in events] == [bytes(32), *(event.hash for event in events[:-1])]
    receipt = guests.party.receipts.note(
        json.dumps(told["receipt"], separators=(",", ":")).encode()
    )
    assert (receipt["seq"], receipt["event_hash"]) == (events[-1].seq, events[-1].hash.hex())
    assert told["keys"] == [
        {"key_id": name, "public_key": key.hex()} for name, key in guests.party.signer.public_keys()
    ]
    return told


def test_a_transcript_can_be_had_at_any_time(party: Party) -> None:
    """SPEC 9.4: a transcript without its end is a transcript."""
    guests = party.open()
    check_transcript(guests)
    guests.seat_all()
    check_transcript(guests)
    guests.reveal(0)
    guests.reveal(1)
    check_transcript(guests)
    guests.act(party.rnd.choice)
    check_transcript(guests)


def test_opening_again_with_the_same_key(party: Party) -> None:
    """An Idempotency-Key names one match: the same request finds it, another is refused."""
    request = OpenRequest("block", 2, {"target": 50}, reference="table 5")
    first = party.house.open(request, "key")
    again = party.house.open(request, "key")
    assert first.created
    assert not again.created
    assert (again.match_id, again.event, again.receipt) == (
        first.match_id,
        first.event,
        first.receipt,
    )
    other = OpenRequest("block", 2, {"target": 51}, reference="table 5")
    assert refusal(party.house.open, other, "key").code == "request/key-reused"
    assert party.house.open(request, "another key").match_id != first.match_id
    assert party.house.open(request).match_id != first.match_id
    assert len(party.store.matches) == 3


def test_what_cannot_be_opened_leaves_nothing(party: Party) -> None:
    """A refused opening keeps no match and no key."""
    bad = (
        OpenRequest("chess", 2),
        OpenRequest("block", 9),
        OpenRequest("block", 2, {"colour": "red"}),
        OpenRequest("block", 2, {"hand": 15}),
        OpenRequest("block", 2, rounds_max=220),
    )
    for request in bad:
        assert refusal(party.house.open, request, "key").code.startswith(("ruleset/", "options/"))
    assert party.store.matches == {}
    assert party.house.open(OpenRequest("block", 2), "key").created


def test_rulesets_and_keys(party: Party) -> None:
    """The catalogue names every ruleset; the keys are those that receipts name."""
    assert [told["id"] for told in party.house.rulesets()] == [
        *("block", "block-partners", "draw", "blocking"),
        *("middle-eastern", "latin-american", "all-fives", "fives-and-threes"),
    ]
    assert party.house.ruleset("draw")["id"] == "draw"
    assert refusal(party.house.ruleset, "chess").code == "ruleset/unknown"
    assert party.house.keys() == [
        {
            "key_id": party.signer.key_id,
            "public_key": party.signer.public_key.hex(),
            "current": True,
        }
    ]


def test_a_match_that_is_not_there(party: Party) -> None:
    """Every call on an unknown match says so, and keeps nothing of it."""
    guests = party.open()
    guests.match_id = bytes(16)
    for call in (
        lambda: guests.sit(0),
        lambda: guests.house.reveal(bytes(16), 0, bytes(32), bytes(32)),
        lambda: guests.leave(0),
        lambda: guests.send(0, {"type": "pass"}, 1),
        guests.view,
        lambda: guests.follow(-1, 5.0),
        lambda: guests.house.transcript(bytes(16)),
    ):
        assert refusal(call).code == "match/unknown"


def test_tokens_open_one_seat(party: Party) -> None:
    """T25: a wrong token is refused, never shown the public view; another's moves nothing."""
    guests, others = party.open().deal(), party.open().deal()
    for token in ("", "x", others.tokens[0], guests.tokens[0][:-1], guests.tokens[0].upper()):
        error = refusal(guests.house.view, guests.match_id, token)
        assert error.code == "auth/token-unknown"
        assert refusal(guests.house.leave, guests.match_id, 0, token).code == "auth/token-unknown"
    error = refusal(guests.house.leave, guests.match_id, 0, guests.tokens[1])
    assert error.code == "auth/other-seat"
    waiting = 1 - guests.view()["turn"]
    head = guests.view()["head"]["seq"]
    for tile in guests.view(waiting)["you"]["hand"]:
        played = {"type": "play", "tile": tile["tile"]}
        error = refusal(guests.send, waiting, played, head + 1)
        assert error.code == "rules/not-your-turn"
    assert guests.view()["head"]["seq"] == head


def test_a_past_position_is_the_one_that_was_shown(party: Party) -> None:
    """SPEC 6.4: only heads were shown, so a seq inside a step shows the end of that step."""
    guests = party.open("draw", 3)
    shown = [guests.view(None)]
    guests.seat_all()
    for seat in range(3):
        guests.reveal(seat)
    seen = {}
    while guests.view()["status"] == "playing":
        for seat in range(3):
            view = guests.view(seat)
            seen[seat, view["head"]["seq"]] = view
        guests.act(party.rnd.choice)
    assert guests.view(None, 0) == shown[0]
    for (seat, seq), view in party.rnd.sample(sorted(seen.items()), 12):
        assert guests.view(seat, seq) == view
    head = guests.view()["head"]["seq"]
    assert guests.view(None, head) == guests.view()
    for step in party.store.matches[guests.match_id].steps:
        assert guests.view(None, step.first_seq)["head"]["seq"] == step.head_seq
    for seq in (-1, head + 1):
        assert refusal(guests.view, None, seq).code == "match/no-such-seq"


def test_events_from_anywhere(party: Party) -> None:
    """Events with a seq above the one a reader has, whole steps or not."""
    guests = party.open("draw", 2).deal()
    for _ in range(6):
        if guests.view()["status"] == "playing":
            guests.act(party.rnd.choice)
    stored = guests.stored_events()
    for after in range(-1, len(stored) + 2):
        followed = guests.follow(after)
        assert list(followed.events) == stored[after + 1 :]
        assert followed.head_seq == len(stored) - 1


def test_leaving_early_and_late(party: Party) -> None:
    """SPEC 8.3, 8.4: before the deal it voids, after it the fixed rule plays on."""
    guests = party.open().seat_all()
    answer = guests.leave(1)
    assert answer.view["status"] == "void"
    assert answer.view["result"] == {"reason": "left", "missing": [1]}
    again = guests.leave(1)
    assert (again.events, again.receipt, again.appended) == (answer.events, answer.receipt, False)
    assert refusal(guests.leave, 0).code == "match/void"
    guests = party.open().deal()
    answer = guests.leave(0)
    assert answer.view["seats"][0]["left"] is True  # type: ignore[index]
    if guests.view()["status"] == "playing":
        guests.act(party.rnd.choice)
    again = guests.leave(0)
    assert (again.events, again.receipt, again.appended) == (answer.events, answer.receipt, False)
    assert again.view == answer.view


def test_the_store_holds_a_match_that_folds(party: Party) -> None:
    """What is stored is the match: its fold is the state, whoever makes it."""
    guests = party.open("draw", 4).deal().play_out()
    events = [read_event(raw) for raw in guests.stored_events()]
    state = replay(events, party.server_seeds[0])
    assert state.head.hex() == guests.view()["head"]["event_hash"]


def test_a_match_keeps_the_key_it_was_opened_with(party: Party) -> None:
    """SPEC 6.5: "A match is signed by the key of its `opened` to its end"."""
    guests = party.open()
    old = party.signer.key_id
    party.signer.rotate(party.rnd.randbytes(32))
    party.receipts.keys |= dict(party.signer.public_keys())
    assert party.signer.key_id != old
    newer = party.open()
    for each, name in ((guests, old), (newer, party.signer.key_id)):
        each.deal()
        each.act(party.rnd.choice)
        told = json.loads(each.house.transcript(each.match_id))
        assert told["receipt"]["key_id"] == name
        assert [key["key_id"] for key in told["keys"]] == [name]
        assert told["events"][0]["data"]["key_id"] == name
    listed = party.house.keys()
    assert [key["current"] for key in listed] == [True, False]
