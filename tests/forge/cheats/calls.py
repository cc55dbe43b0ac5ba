"""Cheats with claims, calls and the time for them (threats T13, T14, T24, T53)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.match import deadline
from fairbones.core.match.owed import owed
from fairbones.core.match.steps import Draft, admitted, move
from fairbones.core.match.times import by_the_house, calls_until
from fairbones.core.rules import CALL, Play, apply, may_call, scored
from tests.forge.cheats.counted import FIVES, believing
from tests.forge.cheats.making import Cheat, reach
from tests.forge.house import House, Setup
from tests.forge.liar import FAST, Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

MUGGINS: dict[str, object] = {"muggins": True, "hand": 4}


def claimed(change: Callable[[Json, int], None], more: int) -> Callable[[Liar], bool]:
    """A play of which something else is claimed than can be."""

    def make(house: Liar) -> bool:
        if not reach(house, lambda it: isinstance(it.legal()[0], Play) and len(it.hand.line) > 1):
            return False
        action = house.legal()[0]
        assert isinstance(action, Play)
        due = scored(house.hand, action)
        dealt = house.state.round
        assert dealt is not None
        # Written as it is told, folded as it was: a claim of all that is due.
        seat = house.turn
        claim = Play(action.tile, action.end, due) if due else action
        data = dict(move(dealt, seat, claim).data)
        change(data, due)
        after = apply(house.hand, claim)
        house.moved("played", data, after, owe=False, fixed=False)
        house.state = believing(house.hand.rules.side_of[seat], more)(house.state)
        house.follow(owed(house.state))
        if not house.playing:
            return False
        house.play()
        return True

    return make


def overclaim(data: Json, due: int) -> None:
    """Five more than it scores are claimed, and credited."""
    data["claim"] = data["points"] = due + 5


def called(house: Liar, seat: int, points: int, *, owe: bool = True) -> None:
    """A call is written, whatever the rules say of it."""
    house.now += 100
    house.say("called", {"seat": seat, "points": points}, house.now)
    house.state = believing(house.hand.rules.side_of[seat], points)(house.state)
    if owe:
        house.play()


def open_window(house: Liar, missed: bool) -> bool:
    """A play after which something is missed, or nothing; the hand goes on."""

    def ready(it: House) -> bool:
        window = it.hand.window
        return window is not None and bool(window.missed) == missed

    return reach(house, ready)


def invented_call(house: Liar) -> bool:
    """A call takes points though nothing was missed."""
    if not open_window(house, missed=False):
        return False
    window = house.hand.window
    assert window is not None
    called(house, 1 - window.seat, 5)
    return True


def greedy_call(house: Liar) -> bool:
    """A call takes five more than was missed."""
    if not open_window(house, missed=True):
        return False
    window = house.hand.window
    assert window is not None
    hand = house.hand
    since = hand.since._replace(window=window._replace(missed=0))
    assert house.state.round is not None
    house.believe(round=replace(house.state.round, hand=hand.but(since=since)))
    called(house, 1 - window.seat, window.missed + 5)
    return True


def own_call(house: Liar) -> bool:
    """The player itself calls what it missed."""
    if not open_window(house, missed=True):
        return False
    window = house.hand.window
    assert window is not None
    called(house, window.seat, window.missed, owe=False)
    return True


def stale_call(house: Liar) -> bool:
    """A call after the next draw."""
    if not reach(house, lambda it: it.events[-1].type == "drew" and it.hand.drawn):
        return False
    called(house, 1 - house.turn, 5, owe=False)
    return True


def early_step(house: Liar) -> bool:
    """The house draws for a seat before the time for calls is over."""
    if not reach(house, lambda it: it.waits_for_calls):
        return False
    dealt = house.state.round
    assert dealt is not None
    action = by_the_house(house.state, dealt)
    assert action is not None
    house.mark()
    house.follow(move(dealt, house.turn, action), calls_until(house.state, dealt) - 1)
    house.now = house.state.at
    house.play()
    return True


def early_time_out(house: Liar) -> bool:
    """A time-out that does not wait for calls, which tells that the seat had a choice."""
    if not reach(house, lambda it: it.hand.window is not None and not it.waits_for_calls):
        return False
    dealt = house.state.round
    assert dealt is not None
    house.now = calls_until(house.state, dealt) - 1
    assert house.now > house.state.waiting_since + house.state.terms.turn_ms
    house.mark()
    house.follow(Draft("timed_out", {"seat": house.turn}), house.now)
    house.play()
    return True


def late_move(house: Liar) -> bool:
    """A seat plays after its time and the time for calls, which was the longer one."""
    if not reach(house, lambda it: it.hand.window is not None and not it.waits_for_calls):
        return False
    dealt = house.state.round
    assert dealt is not None
    house.now = calls_until(house.state, dealt) + 1 - FAST
    house.put(house.legal()[0])
    house.play()
    return True


def late_call(house: Liar, *, forced: bool = False) -> bool:
    """A call after the time of the seat to act has run out, whether or not it has a choice."""
    if not open_window(house, missed=True) or house.waits_for_calls is not forced:
        return False
    window = house.hand.window
    assert window is not None
    dealt = house.state.round
    assert dealt is not None
    house.now = max(deadline(house.state) or 0, calls_until(house.state, dealt)) + 1
    house.mark()
    seat = next(s for s in range(house.setup.seats) if may_call(house.hand, s))
    house.follow(move(dealt, seat, admitted(dealt, seat, CALL)), house.now)
    house.touch()
    house.play()
    return True


def muggins() -> Iterator[Scenario]:
    """354, 355, 357, 517, 518 and 609."""
    on = Setup("all-fives", 2, MUGGINS, phrase="muggins")
    yield Cheat(
        "counted-overclaim",
        "More is claimed than the play scores.",
        "rules/claim",
        on,
        claimed(overclaim, 5),
        alone=("points/play",),
        because="What is claimed in excess is credited as well.",
    ).forged("T14")
    yield Cheat(
        "counted-claim-without-muggins",
        "A claim in a game without muggins.",
        "rules/claim",
        Setup("all-fives", 2, FIVES, phrase="no muggins"),
        claim_added,
    ).forged("T13")
    for name, about, code, make in (
        ("invented-call", "A call takes what was not missed.", "points/call", invented_call),
        ("greedy-call", "A call takes more than was missed.", "points/call", greedy_call),
    ):
        yield Cheat(f"counted-{name}", about, code, replace(on, phrase=name), make).forged("T14")
    yield Cheat(
        "counted-own-call",
        "The player calls its own play.",
        "rules/may-not-call",
        replace(on, phrase="own-call"),
        own_call,
    ).forged("T14")
    yield Cheat(
        "counted-stale-call",
        "A call after a draw.",
        "rules/may-not-call",
        replace(on, phrase="stale-call"),
        stale_call,
        alone=("points/call",),
        because="Nothing can be taken there.",
    ).forged("T14")
    yield Cheat(
        "counted-early-step",
        "A forced draw does not wait for calls.",
        "time/early-step",
        replace(on, phrase="early-step"),
        early_step,
    ).forged("T53")
    yield Cheat(
        "counted-late-call",
        "A call after the seat to act has run out of time.",
        "time/late-action",
        Setup("all-fives", 3, MUGGINS, phrase="late call"),
        late_call,
    ).forged("T53")
    yield Cheat(
        "counted-late-call-forced",
        "A call after the deadline, which is reckoned as well where the next seat has to draw.",
        "time/late-action",
        replace(on, phrase="late call"),
        lambda house: late_call(house, forced=True),
    ).forged("T53")
    short = Setup("all-fives", 2, {**MUGGINS, "call_seconds": 60}, turn_seconds=20, phrase="short")
    yield Cheat(
        "counted-early-timeout",
        "A turn is shorter than the time for calls, and the time-out does not wait for the calls.",
        "time/early-timeout",
        short,
        early_time_out,
    ).forged("T24", "T53")
    yield Cheat(
        "counted-late-move",
        "A turn is shorter than the time for calls, and a seat plays after both.",
        "time/late-action",
        replace(short, phrase="late move"),
        late_move,
    ).forged("T53")


def claim_added(house: Liar) -> bool:
    """Something is claimed where points need no claim."""
    if not reach(house, lambda it: isinstance(it.legal()[0], Play) and len(it.hand.line) > 1):
        return False
    dealt, action = house.state.round, house.legal()[0]
    assert dealt is not None
    data = {**move(dealt, house.turn, action).data, "claim": 1}
    house.moved("played", data, apply(house.hand, action), owe=True, fixed=False)
    house.play()
    return True


PARTS = (muggins,)
