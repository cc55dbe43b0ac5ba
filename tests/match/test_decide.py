"""`decide` and `evolve` as functions: same input, same output; nothing but events is remembered."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.errors import FairbonesError
from fairbones.core.match import (
    Act,
    Command,
    GiveUp,
    Leave,
    LoseHistory,
    Sit,
    Stage,
    Touch,
    decide,
    replay,
)
from fairbones.core.match.evolve import evolve
from fairbones.core.protocol.chain import read_event
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.rules import legal
from tests.match.playing import RANDOM, Table, open_table, told, types


@given(rnd=RANDOM, seats=st.integers(2, 4))
def test_decide_is_a_function_of_its_arguments(rnd: random.Random, seats: int) -> None:
    """SPEC 8.2: a step follows "without a choice": the same command gives the same bytes."""
    table = open_table(rnd, "draw", seats).deal()
    while table.state.stage is Stage.PLAYING:
        assert table.state.round is not None
        action = rnd.choice(legal(table.state.round.hand))
        here = [seat for seat in range(seats) if seat not in table.state.left]
        commands: list[Command] = [
            Act(table.now, table.turn, action),
            Touch(table.due),
            Leave(table.now, rnd.choice(here)),
            GiveUp(table.now),
        ]
        command = rnd.choice(commands)
        first = decide(table.state, command)
        assert decide(table.state, command) == first
        folded = replay([read_event(event.raw) for event in table.events], table.state.secret)
        assert decide(folded, command) == first
        table.do(command)


def test_the_state_decide_returns_is_the_fold_of_its_events(seed: random.Random) -> None:
    """Storage, recovery and play are one fold: event by event the states are equal."""
    table = open_table(seed, "draw", 3).deal()
    state = replay(table.events, table.state.secret)
    assert state == table.state
    while table.state.stage is Stage.PLAYING:
        for event in table.act(seed.choice):
            state = evolve(state, read_event(event.raw))
        assert state == table.state


def test_no_repr_shows_a_secret(seed: random.Random) -> None:
    """A secret stands in no repr before its event: server seed, round seeds, salts, hands."""
    table = open_table(seed, "draw", 3)
    server = table.state.secret
    shown = [repr(table)]
    table.deal()
    while table.state.stage is Stage.PLAYING:
        shown.append(repr(table.state))
        dealt = table.state.round
        assert dealt is not None
        for secret in (server, dealt.seed, *dealt.wash.salts):
            assert repr(secret) not in shown[-1]
            assert secret.hex() not in shown[-1]
        assert "order" not in shown[-1]
        assert "stock" not in shown[-1]
        table.act(seed.choice)
    assert all(repr(server) not in text for text in shown)


# ------------------------------------------------------------------------------ seats and seeds


def refused(table: Table, command: Command) -> str:
    """The code of a refusal."""
    with pytest.raises(FairbonesError) as caught:
        table.do(command)
    return caught.value.code


def test_a_seat_is_taken_once(seed: random.Random) -> None:
    """SPEC 8.1: "one `seated` for each seat, in any order of seats"."""
    table = open_table(seed, "block", 3)
    table.sit(2)
    assert refused(table, Sit(table.now, 2, None, b"\1" * 32)) == "seat/taken"
    assert refused(table, Sit(table.now, 3, None, b"\1" * 32)) == "seat/unknown"
    table.sit(0)
    (event,) = table.sit(1)
    assert event.hash == table.state.seated_hash
    assert table.state.stage is Stage.REVEALING


def test_no_two_commitments_are_equal(seed: random.Random) -> None:
    """SPEC 8.1: "No two commitments, and no two clear seeds, of a match are equal"."""
    table = open_table(seed, clear_seeds=True)
    table.do(Sit(table.now, 0, None, b"\1" * 32))
    assert refused(table, Sit(table.now, 1, None, b"\1" * 32)) == "seat/duplicate-seed"
    table = open_table(seed, clear_seeds=True)
    table.do(Sit(table.now, 1, None, None, b"\1" * 32))
    assert refused(table, Sit(table.now, 0, None, None, b"\1" * 32)) == "seat/duplicate-seed"


def test_a_clear_seed_only_where_the_match_takes_it(seed: random.Random) -> None:
    """SPEC 5.2: "or with its seed in the clear where `opened.clear_seeds` is true"."""
    table = open_table(seed)
    assert refused(table, Sit(table.now, 0, None, None, b"\1" * 32)) == "seat/clear-seed"
    assert refused(table, Sit(table.now, 0)) == "seat/no-seed"


def test_clear_seeds_of_all_deal_at_once(seed: random.Random) -> None:
    """SPEC 8.2: "when every seat sat with a clear seed, the last `seated`)...hand 1 is `dealt`"."""
    table = open_table(seed, clear_seeds=True)
    table.sit(1, clear=True)
    assert types(table.sit(0, clear=True))[:2] == ["seated", "dealt"]


def test_a_seat_with_a_clear_seed_has_nothing_to_reveal(seed: random.Random) -> None:
    """SPEC 5.2: "each seat that committed reveals its seed"."""
    table = open_table(seed, clear_seeds=True)
    table.sit(0, clear=True)
    table.sit(1)
    assert table.state.unrevealed() == (1,)
    with pytest.raises(FairbonesError, match="seed/not-committed"):
        table.reveal(0)
    assert types(table.reveal(1))[:2] == ["seeded", "dealt"]


def test_a_reveal_opens_its_commitment_and_names_the_seating(seed: random.Random) -> None:
    """SPEC 10.4: "Reveal naming `seated_hash`, the hash of the last `seated`"."""
    table = open_table(seed)
    table.sit(0)
    with pytest.raises(FairbonesError, match="seed/too-early"):
        table.reveal(0)
    table.sit(1)
    table.seeds[0], kept = bytes(32), table.seeds[0]
    with pytest.raises(FairbonesError, match="seed/mismatch"):
        table.reveal(0)
    table.seeds[0] = table.seeds[1]
    with pytest.raises(FairbonesError, match="seed/mismatch"):
        table.reveal(0)
    table.seeds[0] = kept
    (event,) = table.reveal(0)
    assert told((event,)) == [
        (
            "seeded",
            {
                "seat": 0,
                "client_seed": kept.hex(),
                "seated_hash": table.state.seated_hash.hex(),
            },
        )
    ]
    with pytest.raises(FairbonesError, match="seed/revealed"):
        table.reveal(0)


def test_a_commitment_is_bound_to_its_seat_and_match(seed: random.Random) -> None:
    """SPEC 5.1: `H("client-seed", opened_hash, u32(seat), public_key, seed)`."""
    table, foreign = open_table(seed), open_table(seed)
    client = table.seeds[0]
    here, there = table.state.terms.opened_hash, foreign.state.terms.opened_hash
    for commitment in (
        client_commitment(here, 1, b"", client),
        client_commitment(there, 0, b"", client),
    ):
        tried = Table(table.state, list(table.events), table.seeds)
        tried.do(Sit(tried.now, 0, None, commitment))
        tried.sit(1)
        with pytest.raises(FairbonesError, match="seed/mismatch"):
            tried.reveal(0)


def test_history_lost_carries_the_receipt_it_was_shown(seed: random.Random) -> None:
    """SPEC 8.7: "`voided` with `history-lost` carries a receipt the house was shown"."""
    table = open_table(seed).deal()
    shown = {"match": table.state.terms.match.hex(), "seq": 99, "event_hash": "ab" * 32}
    (event,) = table.do(LoseHistory(table.now, shown))
    assert event.data["receipt"] == shown
