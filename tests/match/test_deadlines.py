"""SPEC 8.3 to 8.5 with a clock in the test's hand: who is late, and what happens then."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import HIGH, LOW, bits, text
from fairbones.core.errors import Stale
from fairbones.core.match import Act, Leave, Reveal, Stage
from fairbones.core.match.times import by_the_house
from fairbones.core.rules import Play, legal, to_act
from tests.match.playing import NOW, RANDOM, Table, open_table, told, types

DAY = 86_400_000
Staged = Callable[[Stage], Table]


@pytest.mark.parametrize("taken", [k for n in range(3) for k in combinations(range(3), n)])
def test_seats_that_are_missing(taken: tuple[int, ...], seed: random.Random) -> None:
    """SPEC 8.3: "has `at >=` that deadline, and its `missing` are exactly the seats not seated"."""
    table = open_table(seed, "block", 3)
    for seat in taken:
        table.now += 1_000
        table.sit(seat)
    assert table.due == NOW + 60_000
    assert table.touch(NOW + 59_999) == ()
    missing = [seat for seat in range(3) if seat not in taken]
    assert told(table.touch(NOW + 60_000)) == [
        (
            "voided",
            {
                "reason": "seats-missing",
                "missing": missing,
                "server_seed": table.state.secret.hex(),
            },
        )
    ]
    assert (table.state.reason, table.state.missing) == ("seats-missing", tuple(missing))


@pytest.mark.parametrize("shown", [k for n in range(3) for k in combinations(range(3), n)])
def test_seeds_that_are_missing(shown: tuple[int, ...], seed: random.Random) -> None:
    """SPEC 8.3: "`seeded` has `at <=` the last `seated`'s `at + 1000 * reveal_seconds`"."""
    table = open_table(seed, "block", 3)
    for seat in (1, 2, 0):
        table.now += 7_000
        table.sit(seat)
    for seat in shown:
        table.now += 1_000
        table.reveal(seat)
    assert table.due == NOW + 21_000 + 40_000
    assert table.touch(table.due - 1) == ()
    ((name, data),) = told(table.touch(table.due))
    missing = [seat for seat in range(3) if seat not in shown]
    assert (name, data["reason"], data["missing"]) == ("voided", "seeds-missing", missing)


def test_only_seats_that_committed_can_have_missing_seeds(seed: random.Random) -> None:
    """SPEC 8.3: "(the seats that committed and have not revealed)"."""
    table = open_table(seed, "block", 3, clear_seeds=True)
    table.sit(0, clear=True)
    table.sit(1)
    table.sit(2)
    ((_, data),) = told(table.expire())
    assert data["missing"] == [1, 2]


def test_at_the_deadline_both_are_possible(seed: random.Random) -> None:
    """SPEC 8.3, 8.4: an action has `at <=` the deadline, `timed_out` has `at >=` it."""
    table = open_table(seed).deal()
    table.now = table.due
    on_time = Table(table.state, list(table.events), table.seeds, table.now)
    assert types(on_time.act(seed.choice))[0] == "played"
    assert types(table.touch())[:2] == ["timed_out", "played"]


@pytest.mark.parametrize("stage", [Stage.JOINING, Stage.REVEALING, Stage.PLAYING])
def test_after_the_deadline_nothing_of_a_seats_own(stage: Stage, staged: Staged) -> None:
    """SPEC 8.3, 8.4: whoever forgot to touch first gets no event that would be refuted."""
    table = staged(stage)
    free, due = table.state, table.due

    def own() -> None:
        if stage is Stage.JOINING:
            table.sit(1)
        elif stage is Stage.REVEALING:
            table.reveal(0)
        else:
            table.act(lambda actions: actions[0])

    table.now = due + 1
    for call in (own, lambda: table.do(Leave(table.now, 0))):
        with pytest.raises(Stale, match="match/late"):
            call()
    assert table.state is free
    assert types(table.touch())[0] in ("voided", "timed_out")
    table.state, table.now = free, due
    own()
    assert table.state.at == due


def test_a_turn_runs_out(seed: random.Random) -> None:
    """SPEC 8.4: "The deadline is the `at` of that event plus `1000 * turn_seconds`"."""
    table = open_table(seed, "block", 3).deal()
    table.now += 5_000
    table.act(seed.choice)
    assert table.due == NOW + 5_000 + 20_000
    turn = table.turn
    assert table.touch(table.due - 1) == ()
    events = table.touch(table.due + 77)
    assert told(events)[0] == ("timed_out", {"seat": turn})
    assert {event.at for event in events} == {NOW + 25_077}
    assert table.due == NOW + 25_077 + 20_000


def heaviest_first(table: Table) -> tuple[str, str | None]:
    """The fixed rule of SPEC R6, read aloud: an event's type, and its tile and end in short."""
    hand = table.hand
    playable: list[tuple[int, int, int, str | None]] = []
    for tile in bits(hand.hands[hand.turn]):
        if not hand.ends and hand.must_set in (None, tile):
            playable.append((HIGH[tile] + LOW[tile], HIGH[tile], tile, None))
        if hand.given not in (None, tile):
            continue
        for end in hand.ends:
            if end.open and end.value in (HIGH[tile], LOW[tile]):
                playable.append((HIGH[tile] + LOW[tile], HIGH[tile], tile, end.name))
                break
    if playable:
        _, _, tile, name = max(playable, key=lambda it: it[:2])
        return "played", f"{text(tile)} {name}"
    if hand.rules.draws and len(hand.stock) > hand.rules.protected:
        return "drew", None
    if to_act(hand) == hand.turn:
        return "passed", None
    heaviest = max(bits(hand.hands[to_act(hand)]), key=lambda t: (HIGH[t] + LOW[t], HIGH[t]))
    return "gave", str(table.dealt.position[heaviest])


@given(
    rnd=RANDOM,
    row=st.sampled_from(
        [
            ("block", 3, {}),
            ("draw", 2, {"drawn_tile": "may-play"}),
            ("draw", 4, {"protected": 2}),
            ("middle-eastern", 4, {"transfer": True}),
            ("all-fives", 3, {"muggins": True, "spinner": "all"}),
        ]
    ),
    auto=st.booleans(),
)
def test_the_house_has_no_choice(
    rnd: random.Random, row: tuple[str, int, dict[str, object]], auto: bool
) -> None:
    """SPEC R6, the fixed rule: "the first of these that is legal: play the heaviest tile
    that can be played"."""
    table = open_table(rnd, *row, auto_forced=auto).deal()
    while table.state.stage is Stage.PLAYING:
        if rnd.random() < 0.5 or by_the_house(table.state, table.dealt) is not None:
            table.act(rnd.choice)
            continue
        hand, seat = table.hand, table.turn
        wanted, tile = heaviest_first(table)
        _, step = table.expire()[:2]
        assert step.type == wanted
        assert step.data["seat"] == seat
        if wanted == "played":
            assert f"{step.data['tile']} {step.data.get('end')}" == tile
            # With muggins it claims all that the play scores.
            assert step.data.get("claim") == step.data.get("points")
        if wanted == "gave":
            assert (str(step.data["seal"]), step.data["to"]) == (tile, hand.turn)


def late(table: Table, seat: int, seed: random.Random, times: int) -> None:
    """Seat `seat` lets that many turns run out, the others act at once."""
    while times and table.state.stage is Stage.PLAYING:
        if table.turn == seat:
            table.expire()
            times -= 1
        else:
            table.act(seed.choice)


def to_turn_of(table: Table, seat: int, seed: random.Random) -> None:
    """The others act at once until it is that seat's turn."""
    while table.turn != seat:
        table.act(seed.choice)


def test_three_in_a_row_leave_one_second(seed: random.Random) -> None:
    """SPEC 8.4: "plus 1,000 instead for a seat whose idle count is 3 or more"."""
    table = open_table(seed, "block", 3, rounds_max=30).deal()
    for times in (1, 2, 3, 4):
        late(table, 1, seed, 1)
        to_turn_of(table, 1, seed)
        assert table.state.idle[1] == times
        assert table.due == table.state.at + (20_000 if times < 3 else 1_000)
    table.now += 1_000  # at the deadline, so in time
    table.act(seed.choice)
    assert table.state.idle[1] == 0
    to_turn_of(table, 1, seed)
    assert table.due == table.state.at + 20_000


def test_idleness_goes_on_from_hand_to_hand(seed: random.Random) -> None:
    """SPEC 8.4: "A seat's idle count goes on from hand to hand"."""
    table = open_table(seed, "block", 2, {"target": 10_000}, rounds_max=9).deal()
    while table.state.rounds < 3 or table.state.idle[0] < 8:
        late(table, 0, seed, 1)
    timed_out = types(table.events).count("timed_out")
    assert table.state.idle[0] == timed_out


def test_forced_steps_neither_count_nor_reset(seed: random.Random) -> None:
    """SPEC 8.4: "a draw or a pass forced by the house under `auto_forced`": as it was."""
    met = 0
    for _ in range(6):
        table = open_table(seed, "draw", 2, rounds_max=4).deal()
        while table.state.stage is Stage.PLAYING:
            if table.turn == 0:
                table.expire()
                continue
            before = table.state.idle[0]
            events = table.act(seed.choice)
            assert table.state.idle[0] == before
            met += any(e.type in ("drew", "passed") and e.data["seat"] == 0 for e in events)
    assert met


def test_own_draws_and_passes_reset_without_auto_forced(seed: random.Random) -> None:
    """SPEC 8.2: "With `auto_forced: false` seats send their draws and passes themselves"."""
    met = 0
    for _ in range(10):
        table = open_table(seed, "draw", 2, auto_forced=False).deal()
        while table.state.stage is Stage.PLAYING:
            turn = table.turn
            assert table.state.round is not None
            actions = legal(table.state.round.hand)
            if not isinstance(actions[0], Play) and 0 < table.state.idle[turn] < 3:
                (event, *_) = table.act(seed.choice)
                assert table.state.idle[turn] == 0
                met += event.type in ("drew", "passed")
            elif seed.random() < 0.5:
                table.expire()
            else:
                table.act(seed.choice)
    assert met


def test_a_late_draw_keeps_the_turn(seed: random.Random) -> None:
    """SPEC 8.4: "the seat stays on turn if that move was a draw", and a new wait begins."""
    met = 0
    for _ in range(8):
        table = open_table(seed, "draw", 2, auto_forced=False).deal()
        while table.state.stage is Stage.PLAYING:
            turn = table.turn
            assert table.state.round is not None
            if isinstance(legal(table.state.round.hand)[0], Play):
                table.act(seed.choice)
                continue
            events = table.expire()
            if types(events) == ["timed_out", "drew"]:
                met += 1
                assert table.turn == turn
                idle = table.state.idle[turn]
                assert table.due == events[-1].at + (1_000 if idle >= 3 else 20_000)
    assert met > 5


def test_leaving_does_not_move_anothers_deadline(seed: random.Random) -> None:
    """SPEC 8.4: "`left` by another seat and `called` do not begin it anew"."""
    table = open_table(seed, "block", 4).deal()
    due = table.due
    other = (table.turn + 2) % 4
    table.now += 4_321
    assert types(table.do(Leave(table.now, other))) == ["left"]
    assert table.due == due
    assert table.touch(due - 1) == ()
    assert types(table.touch(due))[0] == "timed_out"


def test_everybody_idle_abandons_in_the_same_step(seed: random.Random) -> None:
    """SPEC 8.5: "every seat's idle count is 3 or more, the house ends it in the same step"."""
    table = open_table(seed, "block", 2, {"hand": 14}, rounds_max=30).deal()
    while table.state.stage is Stage.PLAYING:
        idle = min(table.state.idle)
        events = table.expire()
        assert idle < 3
    assert types(events)[:2] == ["timed_out", "played"]
    assert types(events)[-2:] == ["round_ended", "match_ended"]
    assert [event.data["reason"] for event in events[-2:]] == ["abandoned"] * 2
    assert events[-2].data["points"] == [0, 0]
    assert "winner" not in events[-2].data
    assert min(table.state.idle) == 3


def test_a_hand_that_ends_by_itself_is_settled_first(seed: random.Random) -> None:
    """SPEC 8.5: "(After a hand's own end the next is first dealt as usual.)"."""
    met = False
    for _ in range(60):
        table = open_table(seed, "block", 2, {"hand": 3, "target": 10_000}).deal()
        while table.state.stage is Stage.PLAYING:
            events = table.expire()
        names = types(events)
        assert names[-2:] == ["round_ended", "match_ended"]
        met |= names[-4:] == ["round_ended", "dealt", "round_ended", "match_ended"]
    assert met


def test_a_match_is_over_at_its_own_time(seed: random.Random) -> None:
    """SPEC 8.5: "After it no event may have a later `at` but `voided`, and `round_ended` and
    `match_ended` with reason `abandoned`"."""
    table = open_table(seed, "block", 2, {"target": 10_000}, turn_seconds=86_400, rounds_max=9)
    table.deal()
    close_by = table.state.terms.close_by
    assert close_by == NOW + 7 * DAY
    while table.due <= close_by:
        table.now = table.due  # everybody thinks as long as allowed
        table.act(seed.choice)
    assert table.due == close_by + 1
    assert table.touch(close_by) == ()
    events = table.touch(close_by + 1)
    assert types(events) == ["round_ended", "match_ended"]
    assert [event.data["reason"] for event in events] == ["abandoned"] * 2
    assert {event.at for event in events} == {close_by + 1}


@pytest.mark.parametrize(
    ("join", "reveal", "turn", "rounds", "span"),
    [
        (1, 1, 1, 1, 62_000),
        (600, 120, 60, 32, 115_920_000),
        (86_400, 86_400, 86_400, 219, 604_800_000),
        (60, 60, 100, 100, 600_120_000),
        (60, 60, 101, 100, 604_800_000),
    ],
)
def test_close_by(
    join: int, reveal: int, turn: int, rounds: int, span: int, seed: random.Random
) -> None:
    """SPEC 8.5: `D = 1000 * (join_seconds + reveal_seconds + rounds_max * (T * turn_seconds +
    C))`, "T is 60 or, if that is more, twice the tiles of the set"."""
    table = open_table(
        seed, join_seconds=join, reveal_seconds=reveal, turn_seconds=turn, rounds_max=rounds
    )
    assert table.state.terms.close_by == NOW + span
    assert table.events[0].data["close_by"] == NOW + span


def test_one_touch_applies_one_turn(seed: random.Random) -> None:
    """SPEC 8.4: "exactly one move of that seat by the fixed rule": a long sleep costs one turn,
    and everything after it is counted from the touch."""
    table = open_table(seed, "block", 4, turn_seconds=1).deal()
    events = table.touch(table.due + 50_000)
    assert types(events).count("timed_out") == 1
    assert table.due == events[-1].at + 1_000


def test_a_clock_that_went_back_brings_no_deadline(seed: random.Random) -> None:
    """SPEC 6.1: `at` is never less than before; a deadline is met by the clock, not by the head."""
    table = open_table(seed).deal()
    table.now += 10_000
    table.act(seed.choice)
    head = table.state.at
    assert table.touch(head - 50_000) == ()
    table.now = head - 50_000
    for event in table.act(seed.choice):
        assert event.at == head
    assert table.due == head + 20_000


def test_commands_carry_the_time_and_nothing_reads_it_twice(seed: random.Random) -> None:
    """SPEC 8.2: one step, one `at`, however much follows."""
    table = open_table(seed, "draw", 4).seat_all()
    for seat in (0, 1, 2):
        table.reveal(seat)
    table.now += 3_333
    events = table.do(Reveal(table.now, 3, table.seeds[3], table.state.seated_hash))
    assert types(events)[:2] == ["seeded", "dealt"]
    assert {event.at for event in events} == {NOW + 3_333}
    assert table.state.round is not None
    action = legal(table.state.round.hand)[0]
    assert table.do(Act(table.now + 1, table.turn, action))[0].at == NOW + 3_334
