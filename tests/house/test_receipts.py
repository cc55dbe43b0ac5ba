"""SPEC 6.4, 8.7: every head shown is signed once; a lost history is admitted, not played on."""

from __future__ import annotations

import copy
import json

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import read_event, receipt_message
from fairbones.house.ports import SeqTaken, Step
from tests.house.party import Guests, Json, Party, Signer


def test_a_head_is_signed_once(party: Party) -> None:
    """SPEC 6.4: "The house signs every head it shows, once": reading signs nothing."""
    guests = party.open("draw", 3).deal().play_out()
    steps = party.store.matches[guests.match_id].steps
    heads = [read_event(step.events[-1]) for step in steps]
    wanted = [receipt_message(event.match, event.seq, event.hash) for event in heads]
    assert party.signer.signed == wanted
    guests.view(0)
    guests.view(None, 3)
    guests.follow(-1)
    guests.house.transcript(guests.match_id)
    guests.sit(0)
    guests.reveal(1)
    party.another_house().view(guests.match_id, None)
    assert party.signer.signed == wanted


def test_every_step_keeps_the_receipt_of_its_head(party: Party) -> None:
    """SPEC 6.6: "the receipt for exactly the last one", whatever seq a reader asks for."""
    guests = party.open("draw", 2).deal().play_out()
    for step in party.store.matches[guests.match_id].steps:
        told = party.receipts.note(step.receipt)
        assert told["seq"] == step.head_seq
        assert told["event_hash"] == read_event(step.events[-1]).hash.hex()
    assert len(party.receipts.hashes) == len(party.store.matches[guests.match_id].steps)


def test_a_lost_race_shows_no_receipt(party: Party) -> None:
    """SPEC 6.4: "never two hashes for one (match, seq)": what lost a race was signed, and kept
    from everybody."""
    guests, rival = party.open().deal(), party.another_house()
    view = guests.view()
    turn, seq = view["turn"], view["head"]["seq"] + 1
    first = True

    def overtaken(_step: Step) -> None:
        nonlocal first
        if first:
            first = False
            party.clock.now = view["deadline"]
            rival.view(guests.match_id, None)  # which lets the turn run out

    party.store.before = overtaken
    action = guests.view(turn)["you"]["legal_actions"][0]
    with pytest.raises(FairbonesError, match="match/stale"):
        guests.send(turn, action, seq)
    assert guests.events()[seq].type == "timed_out"
    steps = party.store.matches[guests.match_id].steps
    heads = [read_event(step.events[-1]) for step in steps]
    stored = {receipt_message(event.match, event.seq, event.hash) for event in heads}
    (lost,) = set(party.signer.signed) - stored
    assert lost[-32:].hex() not in party.receipts.hashes.values()


def test_a_lost_history_voids_in_public(party: Party) -> None:
    """SPEC 8.7: "`voided` with `history-lost` carries a receipt the house was shown"."""
    guests = party.open().deal()
    view = guests.view()
    told = guests.foreign_receipt(view["head"]["seq"] + 4, bytes(32))
    action = guests.view(0)["you"]["hand"][0]["tile"]
    with pytest.raises(FairbonesError) as caught:
        guests.send(0, {"type": "play", "tile": action}, view["head"]["seq"] + 5, receipt=told)
    assert caught.value.code == "match/history-lost"
    last = guests.events()[-1]
    assert last.type == "voided"
    assert last.data["reason"] == "history-lost"
    assert last.data["receipt"] == told
    assert last.data["server_seed"] == party.server_seeds[-1].hex()
    assert last.seq == view["head"]["seq"] + 1
    # The answer shows the head that it made, and so the receipt for it (SPEC 6.4).
    assert caught.value.details["head"] == {"seq": last.seq, "event_hash": last.hash.hex()}
    assert caught.value.details["receipt"]["event_hash"] == last.hash.hex()  # type: ignore[index]
    assert guests.view()["result"] == {"reason": "history-lost"}
    # Whoever asks again is told the same, and nothing more is appended.
    with pytest.raises(FairbonesError, match="match/history-lost"):
        guests.send(0, {"type": "play", "tile": action}, view["head"]["seq"] + 5, receipt=told)
    assert guests.events()[-1] == last
    raw = json.loads(guests.house.transcript(guests.match_id))
    assert raw["events"][-1]["data"]["receipt"] == told


@pytest.mark.parametrize("stage", ["joining", "revealing", "playing"])
def test_another_hash_at_a_known_seq_is_a_lost_history_too(party: Party, stage: str) -> None:
    """SPEC 8.7: "valid under the match's key, for a (seq, hash) that is not in this match's
    chain", at any stage."""
    guests = party.open()
    guests.sit(0)
    if stage != "joining":
        guests.sit(1)
    if stage == "playing":
        guests.reveal(0)
        guests.reveal(1)
    assert guests.view()["status"] == stage
    with pytest.raises(FairbonesError, match="match/history-lost"):
        guests.send(0, {"type": "pass"}, 3, receipt=guests.foreign_receipt(1, b"\x01" * 32))
    assert guests.view()["status"] == "void"


def test_a_receipt_that_is_on_the_chain_changes_nothing(party: Party) -> None:
    """SPEC 8.7 speaks of a head "that is not in this match's chain"; any other is welcome."""
    guests = party.open().deal()
    for _ in range(4):
        view = guests.view(guests.view()["turn"])
        seq, seat = view["head"]["seq"] + 1, view["turn"]
        raw = party.rnd.choice(party.store.matches[guests.match_id].steps).receipt
        action = view["you"]["legal_actions"][0]
        assert guests.send(seat, action, seq, receipt=json.loads(raw)).appended
        assert not guests.send(seat, action, seq, receipt=json.loads(raw)).appended


def wrong_receipts(guests: Guests) -> dict[str, Json]:
    """Receipts that this house did not give for this match, or not in this spelling."""
    true = guests.foreign_receipt(40, b"\xab" * 32)
    ours = guests.party.signer
    message = receipt_message(guests.match_id, 40, b"\xab" * 32)
    stranger = Signer(guests.party.rnd.randbytes(32))
    older = ours.retire(guests.party.rnd.randbytes(32))
    by = {
        name: {"key_id": signer.key_id, "signature": signer.sign(message).hex()}
        for name, signer in (("stranger", stranger), ("older", older))
    }
    return {
        "another signature": true | {"signature": "00" * 64},
        "another hash": true | {"event_hash": "cd" * 32},
        "another seq": true | {"seq": 41},
        "a seq that is no number": true | {"seq": "40"},
        "a seq that is true": true | {"seq": True},
        "a seq that cannot be signed": true | {"seq": 2**32},
        "a negative seq": true | {"seq": -1},
        "another key id": true | {"key_id": "00" * 8},
        "a stranger's": true | by["stranger"],
        "a stranger's under our id": true | by["stranger"] | {"key_id": ours.key_id},
        "of another key of ours": true | by["older"],
        "capitals": true | {"event_hash": true["event_hash"].upper()},
        "blanks": true | {"signature": " " + true["signature"]},
        "short": true | {"signature": true["signature"][:-2]},
        "no hex": true | {"event_hash": "x" * 64},
        "a member more": true | {"note": "x"},
        "a member less": {name: true[name] for name in true if name != "key_id"},
        "no signature": {name: true[name] for name in true if name != "signature"},
    }


def test_a_forged_receipt_is_refused(party: Party) -> None:
    """SPEC 8.7 and check 302: what is carried must be "validly signed by the match's key"; a
    false one would let a losing seat void its match."""
    guests = party.open().deal()
    stored = guests.stored_events()
    view = guests.view(guests.view()["turn"])
    action = view["you"]["legal_actions"][0]
    for name, told in wrong_receipts(guests).items():
        with pytest.raises(FairbonesError) as caught:
            guests.send(view["turn"], action, view["head"]["seq"] + 1, receipt=told)
        assert caught.value.code == "receipt/invalid", name
    assert guests.stored_events() == stored


def test_a_receipt_for_another_match(party: Party) -> None:
    """SPEC 9.7: a receipt "must be for the same match"."""
    guests, others = party.open().deal(), party.open().deal()
    stored = guests.stored_events()
    told = others.foreign_receipt(40, bytes(32))
    for receipt_ in (told, {}, {"match": 5}):
        with pytest.raises(FairbonesError, match="receipt/other-match"):
            guests.send(0, {"type": "pass"}, 1, receipt=receipt_)
    assert guests.stored_events() == stored


def test_a_restored_backup_is_not_played_on(party: Party) -> None:
    """SPEC 8.7 as it happens: the store is set back, a player still holds the receipt."""
    guests = party.open("draw", 2).deal()
    backup = copy.deepcopy(party.store.matches)
    seat, _, _, answer = guests.act(party.rnd.choice)
    held = json.loads(answer.receipt)
    party.store.matches = backup
    guests.house = party.another_house()
    head = guests.view()["head"]["seq"]
    with pytest.raises(FairbonesError, match="match/history-lost"):
        guests.send(seat, {"type": "pass"}, head + 1, receipt=held)
    # Perhaps the one (match, seq) with two hashes: the second is the admission itself.
    last = read_event(guests.stored_events()[-1])
    assert (last.seq, last.data["receipt"]) == (head + 1, held)


def test_a_history_that_comes_late_is_not_lost(party: Party) -> None:
    """A store that shows a step late (another process wrote it) loses nothing: the receipt is
    judged anew after the race that its own `voided` loses."""
    guests, rival = party.open("block", 2).deal(), party.another_house()
    view = guests.view()
    turn, seq = view["turn"], view["head"]["seq"] + 1
    action = guests.view(turn)["you"]["legal_actions"][0]
    guests.house, kept = rival, guests.house
    first = guests.send(turn, action, seq)
    guests.house = kept
    hidden = party.store.matches[guests.match_id].steps.pop()

    def comes_late(_step: Step) -> None:
        party.store.before = lambda _step: None
        party.store.matches[guests.match_id].steps.append(hidden)
        raise SeqTaken

    party.store.before = comes_late
    again = guests.send(turn, action, seq, receipt=json.loads(first.receipt))
    assert not again.appended
    assert again.receipt == first.receipt
    assert guests.view()["status"] == first.view["status"]
