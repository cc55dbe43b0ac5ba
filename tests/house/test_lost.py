"""A store that has lost what was shown from it is noticed and never played on (SPEC 8.7).

This is what a fail-over to a replica that had not heard of everything leaves behind.
"""

from __future__ import annotations

import json

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import read_event
from fairbones.house.messages import ActRequest
from tests.house.party import Guests, Json, Party


def begun(party: Party) -> Guests:
    """A match with a few moves."""
    guests = party.open("draw", 3).deal()
    for _ in range(3):
        guests.act(party.rnd.choice)
    return guests


def lose(guests: Guests, steps: int = 1) -> Json:
    """The store forgets the last steps; the receipt for the head that was shown.

    The word about it may stand where another head was signed; a receipt for it is no second one.
    """
    party = guests.party
    kept = party.store.matches[guests.match_id].steps
    receipt: Json = json.loads(kept[-1].receipt)
    del kept[-steps:]
    for place in [it for it in party.receipts.hashes if it[1] > kept[-1].head_seq]:
        del party.receipts.hashes[place], party.receipts.texts[place]
    return receipt


def last(guests: Guests) -> Json:
    event = read_event(guests.stored_events()[-1])
    return {"type": event.type, **event.data}


@pytest.mark.parametrize("touch", ["view", "act", "transcript", "wait"])
@pytest.mark.parametrize("steps", [1, 2])
def test_who_has_shown_more_than_the_store_holds_voids_the_match(
    party: Party, touch: str, steps: int
) -> None:
    """The next that touches it, in whatever way; the lost receipt stands in the last event."""
    guests = begun(party)
    receipt = lose(guests, steps)
    if touch == "act":
        act = ActRequest(seq=receipt["seq"] + 1, action={"type": "pass"})
        with pytest.raises(FairbonesError, match="match/void") as caught:
            guests.house.act(guests.match_id, guests.tokens[0], act)
        assert caught.value.details["head"] == guests.view()["head"]
    elif touch == "wait":
        guests.follow(-1, 0)
    elif touch == "view":
        guests.view()
    else:
        guests.house.transcript(guests.match_id)
    end = last(guests)
    assert (end["type"], end["reason"], end["receipt"]) == ("voided", "history-lost", receipt)
    assert guests.view()["status"] == "void"
    assert party.house._desk._lost == {}
    events = len(guests.stored_events())
    guests.view()
    party.another_house().transcript(guests.match_id)
    assert len(guests.stored_events()) == events


def test_another_history_is_a_lost_one_too(party: Party) -> None:
    """A process that had not seen what was lost has played on: whoever has voids it."""
    guests = begun(party)
    shown = guests.house
    receipt = lose(guests)
    guests.house = party.another_house()
    party.clock.now += 1  # the same move at the same moment would be the same history
    guests.act(party.rnd.choice)  # the house signs twice here, unknowing
    guests.house = shown
    assert guests.view()["status"] == "void"
    assert last(guests)["receipt"] == receipt


def test_what_cannot_be_said_now_is_said_later(party: Party) -> None:
    """The store refuses the word about the loss: the match is not played on meanwhile."""
    guests = begun(party)
    receipt = lose(guests)

    def refuse(_step: object) -> None:
        raise FairbonesError("store/full", "no room")

    party.store.before = refuse
    events = len(guests.stored_events())
    for _ in range(2):
        with pytest.raises(FairbonesError, match="store/full"):
            guests.view()
        with pytest.raises(FairbonesError, match="store/full"):
            guests.act(party.rnd.choice)
    assert len(guests.stored_events()) == events
    party.store.before = lambda _step: None
    assert guests.view()["status"] == "void"
    assert last(guests)["receipt"] == receipt


def test_a_match_that_is_over_stays_as_it_is(party: Party) -> None:
    """Nothing follows an end (SPEC 8.1): what the store holds is shown, and nothing is added."""
    guests = begun(party)
    other = party.another_house()
    receipt = lose(guests)
    token, seq = guests.tokens[0], receipt["seq"]
    request = ActRequest(seq=seq, action={"type": "pass"}, receipt=receipt)
    with pytest.raises(FairbonesError, match="match/history-lost"):
        other.act(guests.match_id, token, request)
    events = guests.stored_events()
    assert guests.view()["status"] == "void"
    assert guests.stored_events() == events


def test_a_match_that_is_gone_with_its_history(party: Party) -> None:
    """Who has seen it says so; who has not believes a receipt of the house's own."""
    guests = begun(party)
    receipt = lose(guests)
    del party.store.matches[guests.match_id]
    for _ in range(2):
        with pytest.raises(FairbonesError, match="match/history-lost"):
            guests.view()
    other = party.another_house()
    act = ActRequest(seq=3, action={"type": "pass"})
    with pytest.raises(FairbonesError, match="match/unknown"):
        other.act(guests.match_id, guests.tokens[0], act)
    shown = ActRequest(seq=3, action={"type": "pass"}, receipt=receipt)
    with pytest.raises(FairbonesError, match="match/history-lost"):
        other.act(guests.match_id, guests.tokens[0], shown)
    forged = receipt | {"event_hash": "00" * 32}
    for false in (forged, receipt | {"key_id": "00" * 8}, {}, receipt | {"seq": "1"}):
        with pytest.raises(FairbonesError, match="match/unknown"):
            other.act(
                guests.match_id,
                guests.tokens[0],
                ActRequest(seq=3, action={"type": "pass"}, receipt=false),
            )


def test_the_operator_is_told(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each match that lost history is counted once for each process that has noticed."""
    heard: list[str] = []
    guests = begun(party)
    monkeypatch.setattr(party.house._desk, "meter", Counting(heard))
    lose(guests)
    guests.view()
    guests.view()
    assert heard.count("history lost") == 1


class Counting:
    """A meter that keeps what it hears."""

    def __init__(self, heard: list[str]) -> None:
        self._heard = heard

    def appended(self, events: int) -> None:
        self._heard.append("appended")

    def conflict(self) -> None:
        self._heard.append("conflict")

    def lock_waited(self, seconds: float) -> None:
        self._heard.append("lock waited")

    def waiting(self, readers: int) -> None:
        self._heard.append("waiting")

    def history_lost(self, match_id: bytes) -> None:
        self._heard.append("history lost")
