"""SPEC 8.8 with a clock in the test's hand: the time for calls, and what must not show in it."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import Act, Leave, Stage, deadline, wake
from fairbones.core.match.state import IDLE_LIMIT
from fairbones.core.match.times import by_the_house
from fairbones.core.protocol.chain import Event
from fairbones.core.rules import CALL, DRAW, PASS, Play, forced, legal, scored, to_act
from fairbones.core.views import view
from tests.match.claims import claiming
from tests.match.playing import Table, check_match, open_table, taking, types

CALL_MS = 5_000
TURN_MS = 20_000
Wanted = Callable[[Table], bool]


def muggins(seed: random.Random, seats: int = 3, **more: object) -> Table:
    """A match whose plays have to be claimed, dealt."""
    auto = more.pop("auto_forced", True) is True
    options = {"muggins": True, "call_seconds": 5, "target": 10_000, **more}
    return open_table(seed, "all-fives", seats, options, rounds_max=9, auto_forced=auto).deal()


def reach(seed: random.Random, wanted: Wanted, seats: int = 3, **more: object) -> Table:
    """A match right after a play, the clock at that play, where something is so."""
    while True:
        table = muggins(seed, seats, **more)
        while table.state.stage is Stage.PLAYING:
            table.now += seed.randrange(500)
            events = play_on(table, seed)
            if types(events)[-1] == "played" and wanted(table):
                return table


def play_on(table: Table, seed: random.Random) -> tuple[Event, ...]:
    """The seat to act plays and claims something; or the house makes its step."""
    return table.act(lambda actions: claiming(table.hand, seed.choice(actions), seed))


def no_choice(table: Table) -> bool:
    """The seat to act has to draw or pass."""
    return forced(table.hand) is not None


def has_choice(table: Table) -> bool:
    """It has not."""
    return not no_choice(table)


def missed(table: Table) -> bool:
    """Somebody may call with success."""
    return bool(table.callers())


def refusal(table: Table, command: Act | Leave) -> str:
    """The code of a refusal."""
    with pytest.raises(FairbonesError) as caught:
        table.do(command)
    return caught.value.code


def test_the_step_of_a_play_ends_with_the_play(seed: random.Random) -> None:
    """SPEC 8.8: "So the step of a play ends with the play, unless the play ends the hand"."""
    table = muggins(seed, target=1)
    plays = 0
    while table.state.stage is Stage.PLAYING:
        for event, after in zip(table.steps[-1], table.steps[-1][1:], strict=False):
            if event.type == "played":
                assert after.type == "round_ended"
        plays += types(table.steps[-1]).count("played")
        table.act(seed.choice)
    assert plays > 5


def test_a_forced_step_waits(seed: random.Random) -> None:
    """SPEC 8.8: "it begins a step of its own, with `at >=` the end of the wait, appended by the
    first request after that"."""
    table = reach(seed, no_choice)
    played, seat = table.state.at, to_act(table.hand)
    assert table.due == played + TURN_MS
    assert table.touch(played + CALL_MS - 1) == ()
    events = table.touch(played + CALL_MS + 7)
    assert events[0].type in ("drew", "passed")
    assert events[0].data["seat"] == seat
    assert {event.at for event in events} == {played + CALL_MS + 7}


def test_a_choice_is_waited_for(seed: random.Random) -> None:
    """SPEC 8.8: "The seats' own moves do not wait", nor does the end of their time for calls end
    anything."""
    table = reach(seed, has_choice)
    played = table.state.at
    for later in (1, CALL_MS - 1, CALL_MS, CALL_MS + 1, TURN_MS - 1):
        assert table.touch(played + later) == ()
    assert types(table.act(seed.choice))[0] == "played"
    assert table.state.at == table.now


def test_what_is_forced_is_the_houses_alone(seed: random.Random) -> None:
    """SPEC 8.2: with `auto_forced` nobody sends a forced step; the time for calls changes nothing
    about that."""
    table = reach(seed, lambda it: forced(it.hand) == DRAW)
    seat = to_act(table.hand)
    assert refusal(table, Act(table.now, seat, DRAW)) == "rules/wait-for-calls"
    shown = view(table.state, seat, table.now)["you"]
    assert shown["legal_actions"] == [{"type": "call"}]  # type: ignore[index]
    other = (seat + 1) % 3
    assert refusal(table, Act(table.now, other, DRAW)) == "rules/not-your-turn"


def test_without_auto_forced_a_seat_does_not_wait(seed: random.Random) -> None:
    """SPEC 8.8: "The seats' own moves do not wait"."""
    table = reach(seed, lambda it: forced(it.hand) == DRAW, auto_forced=False)
    (event,) = table.do(Act(table.now, to_act(table.hand), DRAW))
    assert event.type == "drew"
    assert table.hand.window is None


def test_any_opponent_may_call(seed: random.Random) -> None:
    """SPEC R10: "any opponent of the player that has not left may call: the first call is
    credited with all that was missed"."""
    table = reach(seed, missed, 4, partners=True)
    player, *_ = table.hand.line[-1]
    assert table.callers() == [seat for seat in range(4) if seat % 2 != player % 2]
    waiting, idle, scores = table.state.waiting_since, table.state.idle, table.state.scores
    caller = seed.choice(table.callers())
    gain = taking(table.hand, caller)
    table.now += 17
    (event,) = table.call(caller)
    assert (event.type, event.data) == ("called", {"seat": caller, "points": gain})
    assert (table.state.waiting_since, table.state.idle) == (waiting, idle)
    assert table.state.scores[caller % 2] == scores[caller % 2] + gain
    for seat in range(4):
        wanted = "may-not-call" if seat % 2 == player % 2 else "nothing-missed"
        assert refusal(table, Act(table.now, seat, CALL)) == f"rules/{wanted}"


def test_who_has_left_calls_no_more(seed: random.Random) -> None:
    """SPEC R10: an opponent "that has not left"."""
    table = reach(seed, missed, 4)
    caller = next(seat for seat in table.callers() if seat != to_act(table.hand))
    table.do(Leave(table.now, caller))
    assert refusal(table, Act(table.now, caller, CALL)) == "seat/has-left"


@pytest.mark.parametrize("wanted", [no_choice, has_choice])
def test_until_when_can_be_called(wanted: Wanted, seed: random.Random) -> None:
    """SPEC 8.8: "a `called` has `at <=` the deadline (8.4), reckoned as if the seat to act had a
    choice"."""
    table = reach(seed, lambda it: wanted(it) and missed(it))
    caller, played = table.callers()[0], table.state.at
    assert refusal(table, Act(played + TURN_MS + 1, caller, CALL)) == "match/late"
    table.now = played + TURN_MS  # nobody has touched it: the house has not moved yet
    assert types(table.call(caller))[0] == "called"


def idle_player(table: Table) -> bool:
    """The seat to act has been idle three times: without calls it would have one second."""
    return table.state.idle[to_act(table.hand)] >= IDLE_LIMIT


@pytest.mark.parametrize("wanted", [no_choice, has_choice])
def test_no_turn_ends_before_the_time_for_calls(wanted: Wanted, seed: random.Random) -> None:
    """SPEC 8.4: the deadline is "never before the end of the wait for calls (8.8)", whether the
    seat to act may choose or not."""
    while True:
        table = muggins(seed)
        while table.state.stage is Stage.PLAYING:
            if table.hand.window is not None and idle_player(table) and wanted(table):
                break
            if to_act(table.hand) == 1:
                table.expire()
            else:
                play_on(table, seed)
        if table.state.stage is Stage.PLAYING and table.callers():
            break
    played = table.state.at
    table.now = played + CALL_MS
    before = table.state
    assert table.due == played + CALL_MS
    for later in (1_000, 1_001, CALL_MS - 1):
        assert table.touch(played + later) == ()
    assert refusal(table, Act(played + CALL_MS + 1, 1, PASS)) == "match/late"
    if wanted is has_choice:
        assert types(table.do(Act(played + CALL_MS, 1, legal(table.hand)[0])))[0] == "played"
        table.state = before
    table.call(table.callers()[0])
    table.state = before
    first = table.touch(played + CALL_MS)[0]
    assert first.type == ("timed_out" if wanted is has_choice else "drew") or first.type == "passed"


def test_a_seat_that_left_is_played_for_after_the_calls(seed: random.Random) -> None:
    """SPEC 8.8: a step of a seat that has left waits too; that it does is no secret."""
    table = reach(seed, has_choice)
    played, seat = table.state.at, to_act(table.hand)
    table.now += 1_000
    assert types(table.do(Leave(table.now, seat))) == ["left"]
    assert table.due == wake(table.state) == played + CALL_MS
    shown = view(table.state, None, table.now)
    assert (shown["turn"], shown["waiting_for"]) == (seat, [])
    for caller in table.callers():
        assert caller != seat
    assert table.touch(played + CALL_MS - 1) == ()
    events = table.touch(played + CALL_MS)
    assert (events[0].type, events[0].data["seat"]) == ("played", seat)
    assert events[0].data.get("claim", 0) == events[0].data.get("points", 0)


def test_leaving_after_the_time_for_calls_is_a_step_of_its_own(seed: random.Random) -> None:
    """SPEC 8.8: "it begins a step of its own ..., appended by the first request after that"."""
    table = reach(seed, has_choice)
    seat = to_act(table.hand)
    table.now += CALL_MS + 2_000
    assert types(table.do(Leave(table.now, seat))) == ["left"]
    assert types(table.touch())[0] == "played"


def test_leaving_in_the_time_of_a_forced_step(seed: random.Random) -> None:
    """SPEC 8.8: "`left` and `called` may stand in that wait, also where the next step is
    forced"."""
    table = reach(seed, lambda it: no_choice(it) and missed(it))
    played, caller = table.state.at, table.callers()[0]
    table.now += 500
    table.call(caller)
    table.do(Leave(table.now, (to_act(table.hand) + 1) % 3))
    assert table.due == played + TURN_MS
    assert table.touch(played + CALL_MS - 1) == ()
    assert table.touch(played + CALL_MS)[0].type in ("drew", "passed")


def test_the_move_after_a_time_out_does_not_wait(seed: random.Random) -> None:
    """SPEC 8.8: "no turn runs out in the wait (8.4)", after which a time-out is one step; a play of
    the fixed rule claims all that it scores."""
    table = reach(seed, has_choice)
    events = table.expire()
    assert types(events)[:2] == ["timed_out", "played"]
    assert types(events)[2:] in ([], ["round_ended", "dealt"])
    assert events[1].data.get("claim", 0) == events[1].data.get("points", 0)
    if table.hand.window is not None:
        assert table.hand.window.missed == 0


def test_all_who_left_are_played_for_step_by_step(seed: random.Random) -> None:
    """SPEC 8.5, 8.8: each play waits for calls, and the match is abandoned in the step in which
    the last seat has been idle three times."""
    table = muggins(seed, hand=7)
    for seat in range(3):
        if table.state.stage is Stage.PLAYING:
            table.do(Leave(table.now, seat))
    while table.state.stage is Stage.PLAYING:
        steps = table.expire()
        assert types(steps).count("played") <= 1 + types(steps).count("dealt")
    assert table.events[-1].data["reason"] == "abandoned"
    assert types(table.steps[-1])[-3] in ("played", "drew", "passed")
    check_match(table)


def test_a_call_can_win_at_once(seed: random.Random) -> None:
    """SPEC R7, 1: with `win_at: at-once` the target is looked at after a call too."""

    def winning(table: Table) -> bool:
        scores = list(table.state.scores)
        for seat in table.callers():
            scores[seat] += taking(table.hand, seat)
        return max(scores) >= 5 and scores[0] != scores[1] and bool(table.callers())

    table = reach(seed, winning, 2, target=5, win_at="at-once")
    caller = table.callers()[0]
    events = table.call(caller)
    assert types(events) == ["called", "round_ended", "match_ended"]
    assert events[1].data["reason"] == "target"
    assert events[2].data["winner"] == caller
    assert events[1].data["points"] == [0, 0]


def test_the_end_of_the_match_comes_first(seed: random.Random) -> None:
    """SPEC 8.5: after `close_by` nothing but the end stands, a step that waits for calls least."""
    table = reach(seed, no_choice)
    close = table.state.terms.close_by
    events = table.touch(close + 1)
    assert types(events) == ["round_ended", "match_ended"]


@pytest.mark.parametrize("auto", [True, False])
def test_nothing_public_tells_a_forced_step(auto: bool, seed: random.Random) -> None:
    """SPEC 8.8: the deadline and the view of everybody but the seat itself are made of what is
    public; only the moment at which the house moves, and it moves in public, is not."""
    moments = set()
    for wanted in (no_choice, has_choice):
        table = reach(seed, wanted, auto_forced=auto)
        assert deadline(table.state) == table.state.at + TURN_MS
        moments.add(by_the_house(table.state, table.dealt) is None)
        shown = view(table.state, None, table.now)
        assert shown["waiting_for"] == [to_act(table.hand)]
    assert moments == ({True, False} if auto else {True})


def test_a_claim_is_at_most_the_score(seed: random.Random) -> None:
    """SPEC R10: "a higher claim is illegal", and one that is lower leaves the rest missed."""
    table = reach(seed, lambda it: has_choice(it) and any(scored(it.hand, p) for p in plays(it)))
    play = next(play for play in plays(table) if scored(table.hand, play))
    score, seat = scored(table.hand, play), to_act(table.hand)
    high = Play(play.tile, play.end, score + 1)
    assert refusal(table, Act(table.now, seat, high)) == "rules/claim"
    (event, *_) = table.do(Act(table.now, seat, Play(play.tile, play.end, score - 1 or None)))
    assert event.data["claim"] == event.data["points"] == score - 1


def plays(table: Table) -> list[Play]:
    """The plays that the seat to act may make."""
    shown = table.hand.table.plays(table.hand.fits) if table.hand.fits else ()
    return list(shown)
