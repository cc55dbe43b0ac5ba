"""Whole matches, played at random: what SPEC says of every one of them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal
from fairbones.core.match import Leave, Stage, replay
from fairbones.core.rules import MatchEnd, abandoned, after_hand
from tests.match.claims import claiming
from tests.match.playing import NOW, RANDOM, Table, check_match, open_table, types
from tests.match.rows import TABLES, switched

# Whether the house takes forced steps, and whether seeds may be shown at once.
WAYS = ((True, False), (False, False), (True, True))


def play(table: Table, rnd: random.Random, late: float = 0.0, leaving: float = 0.0) -> Table:
    """Seat everybody in any order, then play at random; now and then somebody is late or leaves."""
    state = table.state
    seats = list(range(state.terms.seats))
    rnd.shuffle(seats)
    for seat in seats:
        table.sit(seat, clear=state.terms.clear_seeds and rnd.random() < 0.7)
    for seat in rnd.sample(table.state.unrevealed(), len(table.state.unrevealed())):
        table.reveal(seat)
    while table.state.stage is Stage.PLAYING:
        table.now += rnd.randrange(900)
        staying = [seat for seat in seats if seat not in table.state.left]
        callers = table.callers()
        if rnd.random() < leaving:
            if staying and table.now <= table.due:
                table.do(Leave(table.now, rnd.choice(staying)))
            else:
                table.expire()
        elif callers and rnd.random() < 0.7:
            table.call(rnd.choice(callers))
        elif rnd.random() < late or table.now > table.due:
            table.expire()
        else:
            table.act(lambda actions: claiming(table.hand, rnd.choice(actions), rnd))
    return table


def some_table(rnd: random.Random, way: tuple[bool, bool], share: int = 30) -> Table:
    """A match of any game at any number of seats, with switches at random."""
    return open_one(rnd, *rnd.choice(TABLES), way, share)


def open_one(
    rnd: random.Random, ruleset: str, seats: int, way: tuple[bool, bool], share: int = 30
) -> Table:
    """A match of that game, with switches at random."""
    options = switched(rnd, ruleset, seats, share)
    return open_table(
        rnd, ruleset, seats, options, rounds_max=2, auto_forced=way[0], clear_seeds=way[1]
    )


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_a_match_ends_and_keeps_its_promises(ruleset: str, seats: int, seed: random.Random) -> None:
    """SPEC 8: every step of whole matches is looked at by `check_step`, then the match."""
    for late, leaving in ((0.0, 0.0), (0.15, 0.0), (0.1, 0.02)):
        table = open_one(seed, ruleset, seats, seed.choice(WAYS), seed.choice((0, 30, 60)))
        check_whole(play(table, seed, late, leaving))


@pytest.mark.parametrize("partners", [False, True])
@pytest.mark.parametrize("auto", [False, True])
def test_calls_are_made_and_missed(partners: bool, auto: bool, seed: random.Random) -> None:
    """SPEC R10, 8.8: the same of matches in which a good deal is claimed, missed and called."""
    options = {"muggins": True, "spinner": "all", "partners": partners}
    claims = calls = 0
    while not (claims and calls):
        table = open_table(seed, "all-fives", 4, options, rounds_max=3, auto_forced=auto)
        check_whole(play(table, seed, 0.1, 0.01))
        claims += sum("claim" in event.data for event in table.events)
        calls += types(table.events).count("called")


@pytest.mark.parametrize("last", ["wins", "exempt"])
def test_gifts_are_made(last: str, seed: random.Random) -> None:
    """SPEC R6, 3: the same of matches in which tiles change hands."""
    options = {"transfer": True, "last_tile_transfer": last, "target": 10_000}
    table = open_table(seed, "middle-eastern", 4, options, rounds_max=6)
    check_whole(play(table, seed, 0.1, 0.01))
    assert "gave" in types(table.events)


def check_whole(table: Table) -> None:
    """Everything that holds of a whole match."""
    check_match(table)
    check_scores(table)
    check_order(table)
    assert table.state.stage is Stage.ENDED


def check_order(table: Table) -> None:
    """SPEC 8.1: `opened`; one `seated` per seat; one `seeded` per commitment; hands; the end."""
    names = types(table.events)
    seats = table.state.terms.seats
    committed = sum("client_seed_commitment" in event.data for event in table.events)
    lead = ["lead_drawn"] * table.state.terms.rules.draws_for_lead
    expected = ["opened", *["seated"] * seats, *["seeded"] * committed, *lead, "dealt"]
    assert names[: len(expected)] == expected
    assert names[-2:] == ["round_ended", "match_ended"]
    count = Counter(names)
    assert count["dealt"] == count["round_ended"]
    assert (count["opened"], count["match_ended"], count["voided"]) == (1, 1, 0)
    for before, name in pairwise(names):
        assert (name == "dealt") <= (before in ("round_ended", "seeded", "seated", "lead_drawn"))
        assert (before == "timed_out") <= (name in ("played", "drew", "passed", "gave"))
        assert (name == "called") <= (before in ("played", "left"))


def check_scores(table: Table) -> None:
    """SPEC R9: "Scores are sums of points by side: those of plays and calls (R10), credited at
    once, and those of settlements", and they decide when the match ends."""
    rules = table.state.terms.rules
    scores = [0] * rules.sides
    end = None
    for event in table.events:
        if event.type in ("played", "called"):
            seat, points = event.data["seat"], event.data.get("points", 0)
            assert isinstance(seat, int)
            assert isinstance(points, int)
            assert points or "points" not in event.data
            scores[rules.side_of[seat]] += points
        if event.type == "round_ended":
            assert end is None
            paid = event.data["points"]
            assert isinstance(paid, list)
            scores = [a + b for a, b in zip(scores, paid, strict=True)]
            assert event.data["scores"] == scores
            number = event.data["round"]
            assert isinstance(number, int)
            end = after_hand(rules, scores, number, table.state.terms.rounds_max)
            if event.data["reason"] == "abandoned":
                assert paid == [0] * rules.sides
                end = abandoned(rules, scores)
    last = table.events[-1]
    assert last.data["scores"] == scores
    assert end == MatchEnd(last.data["reason"], last.data.get("winner"))  # type: ignore[arg-type]


@given(rnd=RANDOM, way=st.sampled_from(WAYS))
def test_idle_counts_are_those_of_the_text(rnd: random.Random, way: tuple[bool, bool]) -> None:
    """SPEC 8.4: "A seat's idle count goes on from hand to hand, and changes with its moves",
    counted here from the events of a match alone."""
    table = play(some_table(rnd, way), rnd, late=0.3, leaving=0.01)
    idle = [0] * table.state.terms.seats
    gone: set[object] = set()
    late = False
    for event in table.events:
        seat = event.data.get("seat")
        if event.type == "left":
            gone.add(seat)
        if event.type in ("played", "drew", "passed", "declined", "gave"):
            assert isinstance(seat, int)
            if late or seat in gone:
                idle[seat] += 1
            elif event.type in ("played", "declined", "gave") or not table.state.terms.auto_forced:
                idle[seat] = 0
        late = event.type == "timed_out"
    assert table.state.idle == tuple(idle)
    # The reverse is `check_wait`: a match whose last hand ended by itself may end idle too.
    assert min(idle) >= 3 or table.events[-1].data["reason"] != "abandoned"


@given(rnd=RANDOM, way=st.sampled_from(WAYS))
def test_times_never_go_back_though_the_clock_does(
    rnd: random.Random, way: tuple[bool, bool]
) -> None:
    """SPEC 6.1: "`at` milliseconds since 1970, never less than the event's before"."""
    table = some_table(rnd, way)
    for seat in range(table.state.terms.seats):
        table.now = NOW + rnd.randrange(-5_000, 5_000)
        table.sit(seat)
    for seat in range(table.state.terms.seats):
        table.now = NOW + rnd.randrange(-5_000, 5_000)
        table.reveal(seat)
    for _ in range(30):
        if table.state.stage is Stage.PLAYING:
            table.now = table.state.at + rnd.randrange(-20_000, 5_000)
            table.act(rnd.choice)
    times = [event.at for event in table.events]
    assert times == sorted(times)


def test_seeds_decide_who_gets_what(seed: random.Random) -> None:
    """SPEC 5.3: "K = H("cut-key", opened_hash, seed_0, ...)": one other seed, another deal."""
    table = open_table(seed, "draw", 3)
    table.seat_all()
    table.reveal(2)
    table.reveal(0)
    table.reveal(1)
    begun = replay(table.events[:1], table.state.secret)
    seeds = [*table.seeds[:2], seed.randbytes(32)]
    other = Table(begun, table.events[:1], seeds).deal()
    assert table.state.round is not None
    assert other.state.round is not None
    assert table.state.round.wash == other.state.round.wash
    assert table.state.round.cut != other.state.round.cut


def test_more_hands_than_can_be_washed_are_refused(seed: random.Random) -> None:
    """SPEC 4.4: `R * N <= 6144`."""
    most = 6144 // tile_count(6)
    open_table(seed, rounds_max=most)
    with pytest.raises(Illegal) as caught:
        open_table(seed, rounds_max=most + 1)
    assert caught.value.code == "options/washes"
