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
from fairbones.core.rules import MatchEnd, after_hand
from tests.match.playing import NOW, RANDOM, Table, check_match, open_table, types

# Every option that changes the course of a match, in some mixture.
ROWS: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("block", 2, {}),
    ("block", 2, {"hand": 1, "tie": "split"}),
    ("block", 3, {"score": "difference", "difference_mode": "per-opponent", "tie": "starter"}),
    ("block", 4, {"tie": "lightest-tile", "target": 40}),
    ("block", 4, {"partners": True, "tie": "causer"}),
    ("draw", 2, {"drawn_tile": "may-play", "protected": 2}),
    ("draw", 3, {"protected": 1, "score": "difference", "target": 30}),
    ("draw", 4, {"drawn_tile": "may-play", "tie": "split"}),
    ("draw", 4, {"partners": True, "protected": 2, "tie": "starter"}),
)
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
        if rnd.random() < leaving:
            table.do(Leave(table.now, rnd.choice(staying)))
        elif rnd.random() < late or table.now > table.due:
            table.expire()
        else:
            table.act(rnd.choice)
    return table


@pytest.mark.parametrize("way", WAYS, ids=["plain", "own-forced", "clear-seeds"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[1]}-{'-'.join(row[2])}")
def test_a_match_ends_and_keeps_its_promises(
    row: tuple[str, int, dict[str, object]], way: tuple[bool, bool], seed: random.Random
) -> None:
    """SPEC 8: every step of whole matches is looked at by `check_step`, then the match."""
    for late, leaving in ((0.0, 0.0), (0.15, 0.0), (0.1, 0.02)):
        table = play(
            open_table(seed, *row, auto_forced=way[0], clear_seeds=way[1]), seed, late, leaving
        )
        check_match(table)
        check_scores(table)
        check_order(table)
        assert table.state.stage is Stage.ENDED


def check_order(table: Table) -> None:
    """SPEC 8.1: `opened`; one `seated` per seat; one `seeded` per commitment; hands; the end."""
    names = types(table.events)
    seats = table.state.terms.seats
    committed = sum("client_seed_commitment" in event.data for event in table.events)
    expected = ["opened", *["seated"] * seats, *["seeded"] * committed, "dealt"]
    assert names[: len(expected)] == expected
    assert names[-2:] == ["round_ended", "match_ended"]
    count = Counter(names)
    assert count["dealt"] == count["round_ended"]
    assert (count["opened"], count["match_ended"], count["voided"]) == (1, 1, 0)
    for before, name in pairwise(names):
        assert (name == "dealt") <= (before in ("round_ended", "seeded", "seated"))
        assert (before == "timed_out") <= (name in ("played", "drew", "passed"))


def check_scores(table: Table) -> None:
    """SPEC R9: "Scores are sums of points by side", and they decide when the match ends."""
    rules = table.state.terms.rules
    scores = [0] * rules.sides
    end = None
    for event in table.events:
        if event.type == "round_ended":
            assert end is None
            points = event.data["points"]
            assert isinstance(points, list)
            scores = [a + b for a, b in zip(scores, points, strict=True)]
            assert event.data["scores"] == scores
            number = event.data["round"]
            assert isinstance(number, int)
            end = after_hand(rules, scores, number, table.state.terms.rounds_max)
            if event.data["reason"] == "abandoned":
                assert points == [0] * rules.sides
                best = [side for side, score in enumerate(scores) if score == max(scores)]
                end = MatchEnd("abandoned", best[0] if len(best) == 1 else None)
    last = table.events[-1]
    assert last.data["scores"] == scores
    assert end == MatchEnd(last.data["reason"], last.data.get("winner"))  # type: ignore[arg-type]


@given(rnd=RANDOM, row=st.sampled_from(ROWS), way=st.sampled_from(WAYS))
def test_idle_counts_are_those_of_the_text(
    rnd: random.Random, row: tuple[str, int, dict[str, object]], way: tuple[bool, bool]
) -> None:
    """SPEC 8.4: "A seat's idle count goes on from hand to hand, and changes with its moves",
    counted here from the events of a match alone."""
    table = play(
        open_table(rnd, *row, auto_forced=way[0], clear_seeds=way[1]), rnd, late=0.3, leaving=0.01
    )
    idle = [0] * table.state.terms.seats
    gone: set[object] = set()
    late = False
    for event in table.events:
        seat = event.data.get("seat")
        if event.type == "left":
            gone.add(seat)
        if event.type in ("played", "drew", "passed", "declined"):
            assert isinstance(seat, int)
            if late or seat in gone:
                idle[seat] += 1
            elif event.type in ("played", "declined") or not table.state.terms.auto_forced:
                idle[seat] = 0
        late = event.type == "timed_out"
    assert table.state.idle == tuple(idle)
    # The reverse is `check_wait`: a match whose last hand ended by itself may end idle too.
    assert min(idle) >= 3 or table.events[-1].data["reason"] != "abandoned"


@given(rnd=RANDOM, row=st.sampled_from(ROWS), way=st.sampled_from(WAYS))
def test_times_never_go_back_though_the_clock_does(
    rnd: random.Random, row: tuple[str, int, dict[str, object]], way: tuple[bool, bool]
) -> None:
    """SPEC 6.1: "`at` milliseconds since 1970, never less than the event's before"."""
    table = open_table(rnd, *row, auto_forced=way[0], clear_seeds=way[1])
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
