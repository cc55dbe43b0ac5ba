"""SPEC 8.3, 8.4: leaving before the deal and after it; the house's own ways out."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import Act, GiveUp, Leave, LoseHistory, Stage
from fairbones.core.protocol.wash import server_seed_hash
from fairbones.core.rules import legal
from tests.match.playing import Table, check_match, open_table, told, types

Staged = Callable[[Stage], Table]
BEFORE_THE_END = [Stage.JOINING, Stage.REVEALING, Stage.PLAYING]


@pytest.mark.parametrize("stage", [Stage.JOINING, Stage.REVEALING])
def test_leaving_before_the_deal_voids(stage: Stage, staged: Staged) -> None:
    """SPEC 8.3: "`voided` for `left` stands only while seats or seeds are missing; `missing` names
    one seated seat"."""
    table = staged(stage)
    ((name, data),) = told(table.do(Leave(table.now, 0)))
    assert name == "voided"
    assert data == {"reason": "left", "missing": [0], "server_seed": table.state.secret.hex()}


def test_an_empty_seat_cannot_leave(staged: Staged) -> None:
    """SPEC 8.3: "`missing` names one seated seat"."""
    with pytest.raises(FairbonesError, match="seat/free"):
        staged(Stage.JOINING).do(Leave(0, 1))


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize(("ruleset", "seats"), [("block", 2), ("draw", 3), ("draw", 4)])
def test_the_fixed_rule_plays_for_who_has_left(
    ruleset: str, seats: int, auto: bool, seed: random.Random
) -> None:
    """SPEC 8.4: "from then on its turns are played by the fixed rule, each step at once"."""
    table = open_table(seed, ruleset, seats, auto_forced=auto).deal()
    gone = table.turn
    events = table.do(Leave(table.now, gone))
    assert types(events)[:2] == ["left", "played"]
    assert table.turn != gone
    with pytest.raises(FairbonesError, match="seat/has-left"):
        table.do(Leave(table.now, gone))
    while table.state.stage is Stage.PLAYING:
        assert table.turn != gone
        assert table.state.round is not None
        with pytest.raises(FairbonesError, match="seat/has-left"):
            table.do(Act(table.now, gone, legal(table.state.round.hand)[0]))
        table.now += 1_000
        table.act(seed.choice)
    assert "timed_out" not in types(table.events)
    assert table.state.match_end is not None
    assert table.state.match_end.reason != "abandoned"
    check_match(table)


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("options", [{}, {"protected": 2, "drawn_tile": "may-play"}])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_leaving_ends_the_match_at_once(
    seats: int, options: dict[str, object], auto: bool, seed: random.Random
) -> None:
    """SPEC 8.5: when every seat is idle the house ends it "in the same step"; that terminates."""
    table = open_table(
        seed, "draw", seats, {"target": 10_000, **options}, rounds_max=200, auto_forced=auto
    ).deal()
    for seat in seed.sample(range(seats), seats):
        assert table.state.stage is Stage.PLAYING
        events = table.do(Leave(table.now, seat))
    assert table.state.stage is Stage.ENDED
    assert [event.data["reason"] for event in events[-2:]] == ["abandoned"] * 2
    assert len(events) < 400
    check_match(table)


def test_a_leader_that_left_can_play_a_whole_match(seed: random.Random) -> None:
    """SPEC 8.5 asks for "every seat's idle count": with hands of one tile the leader goes out at
    once and leads again, nobody else has a turn, and `rounds_max` is what ends the step."""
    table = open_table(seed, "draw", 3, {"hand": 1, "target": 10_000}, rounds_max=219).deal()
    gone = table.turn
    events = table.do(Leave(table.now, gone))
    assert types(events) == [
        "left", *["played", "round_ended", "dealt"] * 218, "played", "round_ended", "match_ended"
    ]  # fmt: skip
    assert events[-1].data["reason"] == "rounds"
    check_match(table)


def test_a_seat_that_left_idles_alone(seed: random.Random) -> None:
    """SPEC 8.5: one that plays is enough to go on, however often the others are played for."""
    table = open_table(seed, "block", 4, rounds_max=2).deal()
    for seat in (0, 1, 2):
        table.do(Leave(table.now, seat))
    while table.state.stage is Stage.PLAYING:
        assert table.turn == 3
        table.act(seed.choice)
    assert max(table.state.idle[:3]) > 3
    assert table.events[-1].data["reason"] != "abandoned"


@pytest.mark.parametrize("stage", BEFORE_THE_END)
def test_the_house_can_void_at_any_time(stage: Stage, staged: Staged) -> None:
    """SPEC 8.3: "`house`, `history-lost` and `seed-lost` may stand anywhere after `opened`"."""
    table = staged(stage)
    ((name, data),) = told(table.do(GiveUp(table.now)))
    assert (name, data) == (
        "voided",
        {"reason": "house", "server_seed": table.state.secret.hex()},
    )
    table = staged(stage)
    ((name, data),) = told(table.do(LoseHistory(table.now, {"seq": 9})))
    assert (name, data) == (
        "voided",
        {
            "reason": "history-lost",
            "receipt": {"seq": 9},
            "server_seed": table.state.secret.hex(),
        },
    )


@pytest.mark.parametrize("stage", BEFORE_THE_END)
def test_every_void_shows_the_seed_that_was_committed(stage: Stage, staged: Staged) -> None:
    """SPEC 7: "`server_seed` hex32, for every reason but `seed-lost`"."""
    table = staged(stage)
    (event,) = table.do(GiveUp(table.now))
    seed = bytes.fromhex(str(event.data["server_seed"]))
    hashed = server_seed_hash(table.state.terms.match, seed).hex()
    assert hashed == table.events[0].data["server_seed_hash"]


def test_the_seed_is_in_no_event_before_the_last(staged: Staged) -> None:
    """SPEC 7: `match_ended` and `voided` alone carry `server_seed`."""
    table = staged(Stage.ENDED)
    secret = table.state.secret.hex().encode()
    assert [secret in event.raw for event in table.events].count(True) == 1
    assert secret in table.events[-1].raw
