"""Cheats in the games that count: points in play, claims, calls, spinners, targets (T13, T14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.bones import SUIT, pips_of
from fairbones.core.match import MatchState, deadline
from fairbones.core.match.owed import owed
from fairbones.core.match.steps import asked, move
from fairbones.core.match.times import by_the_house, calls_until
from fairbones.core.rules import CALL, Play, apply, may_call, scored
from fairbones.core.rules.counting import added
from tests.forge.cheats.making import Cheat, reach, setting
from tests.forge.house import House, Setup
from tests.forge.liar import Liar, held
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

FIVES: dict[str, object] = {"hand": 4}
MUGGINS: dict[str, object] = {"muggins": True, "hand": 4}
NO_MEANING = "Such a line of play has no meaning to go on from."


def believing(side: int, more: int) -> Callable[[MatchState], MatchState]:
    """The house adds points to a side that were not made."""

    def change(state: MatchState) -> MatchState:
        if state.round is None:
            return state
        hand = state.round.hand
        scores = added(hand.scores, side, more)
        return replace(
            state, scores=scores, round=replace(state.round, hand=hand._replace(scores=scores))
        )

    return change


def false_play(more: int) -> Callable[[Liar], bool]:
    """A play in the middle of a hand is credited with so many points more (or less)."""

    def make(house: Liar) -> bool:
        def ready(it: House) -> bool:
            action = it.legal()[0]
            made = scored(it.hand, action) if isinstance(action, Play) else -1
            return len(it.hand.line) > 1 and (made > 0 if more < 0 else made >= 0)

        if not reach(house, ready):
            return False
        action = house.legal()[0]
        assert isinstance(action, Play)
        points = scored(house.hand, action) + more
        if points < 0:
            return False

        def change(data: Json) -> None:
            data["points"] = points
            if not points:
                del data["points"]

        side = house.hand.rules.side_of[house.turn]
        house.bend("played", change).warp("played", believing(side, more))
        house.act(action)
        if not house.playing:
            return False
        house.play()
        return True

    return make


def past_target(house: Liar) -> bool:
    """A play that carries the score past an exact target is credited all the same."""

    def ready(it: House) -> bool:
        hand, action = it.hand, it.legal()[0]
        if not isinstance(action, Play) or not hand.ends:
            return False
        made, side = scored(hand, action), hand.rules.side_of[it.turn]
        return hand.scores[side] + made > hand.rules.target

    if not reach(house, ready):
        return False
    made, side = scored(house.hand, house.legal()[0]), house.hand.rules.side_of[house.turn]  # type: ignore[arg-type]
    house.bend("played", setting("points", made)).warp("played", believing(side, made))
    house.act(house.legal()[0])
    if not house.playing:
        return False
    house.play()
    return True


def points() -> Iterator[Scenario]:
    """600 in both games."""
    for ruleset, seats in (("all-fives", 2), ("fives-and-threes", 3)):
        setup = Setup(ruleset, seats, FIVES, phrase=f"{ruleset} credit")
        step = 5 if ruleset == "all-fives" else 1
        yield Cheat(
            f"counted-more-{ruleset}",
            "A play is credited with more than it scores.",
            "points/play",
            setup,
            false_play(step),
        ).forged("T14")
        yield Cheat(
            f"counted-less-{ruleset}",
            "A play is credited with less than it scores.",
            "points/play",
            setup,
            false_play(-step),
        ).forged("T14")
    yield Cheat(
        "counted-past-target",
        "A score past an exact target is counted.",
        "points/play",
        Setup("fives-and-threes", 2, {"target": 5, "win_at": "hand-end"}, phrase="past"),
        past_target,
        alone=None,
        because="With a score past an exact target no later credit means anything.",
    ).forged("T14")

    def not_rounded(house: Liar) -> bool:
        def raw(data: Json) -> None:
            side = data["winner"]
            total = sum(data["counts"]) - data["counts"][side]
            data["scores"][side] += total - data["points"][side]
            data["points"][side] = total

        house.bend("round_ended", raw).start()
        house.play()
        data = house.told()[house.lies[0]]["data"]
        return bool(max(data["points"]) % 5)

    yield Cheat(
        "counted-not-rounded",
        "The settlement is not rounded to five.",
        "points/points",
        Setup("all-fives", 2, {"hand": 3}, phrase="raw"),
        not_rounded,
    ).forged("T14")


# ---------------------------------------------------------------- spinners


def closed_arm(house: Liar) -> bool:
    """A tile is played at a side of the spinner before two others are covered."""

    def ready(it: House) -> bool:
        arms = [end for end in it.hand.ends if not end.open]
        tiles = held(it.hand, it.turn)
        return bool(arms) and any(_has(tile, arms[0].value) for tile in tiles)

    if not reach(house, ready):
        return False
    arm = next(end for end in house.hand.ends if not end.open)
    tile = next(t for t in held(house.hand, house.turn) if _has(t, arm.value))
    house.lay(tile, arm.name, owe=False)
    return True


def no_arm(house: Liar) -> bool:
    """A tile is played at `up` although there is no spinner."""
    if not reach(house, lambda it: len(it.hand.line) > 1):
        return False
    house.lay(held(house.hand, house.turn)[0], "right", owe=False, lies={"end": "up"})
    return True


def _has(tile: int, value: int) -> bool:
    return bool(SUIT[value] >> tile & 1)


def spinners() -> Iterator[Scenario]:
    """508 at arms."""
    for spinner in ("first", "all"):
        yield Cheat(
            f"counted-closed-arm-{spinner}",
            "A spinner's side is played at before two others are covered; the file ends there.",
            "rules/does-not-fit",
            Setup("all-fives", 2, FIVES | {"spinner": spinner}, phrase=f"closed {spinner}"),
            closed_arm,
            alone=None,
            because=NO_MEANING,
        ).forged("T13")
    yield Cheat(
        "counted-no-arm",
        "An arm is named in a game without spinners; the file ends there.",
        "rules/does-not-fit",
        Setup("fives-and-threes", 2, FIVES, phrase="no arm"),
        no_arm,
        alone=None,
        because=NO_MEANING,
    ).forged("T13")


# ---------------------------------------------------------------- muggins


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
    house.believe(round=replace(house.state.round, hand=hand._replace(since=since)))
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


def late_call(house: Liar) -> bool:
    """A call after the time of the seat to act has run out."""
    if not open_window(house, missed=True) or house.waits_for_calls:
        return False
    window = house.hand.window
    assert window is not None
    dealt = house.state.round
    assert dealt is not None
    house.now = max(deadline(house.state) or 0, calls_until(house.state, dealt)) + 1
    house.mark()
    seat = next(s for s in range(house.setup.seats) if may_call(house.hand, s))
    house.follow(asked(dealt, seat, CALL), house.now)
    house.touch()
    house.play()
    return True


def muggins() -> Iterator[Scenario]:
    """355, 357, 517, 518 and 609."""
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
    for name, about, code, make, goes_on in (
        ("invented-call", "A call takes what was not missed.", "points/call", invented_call, True),
        ("greedy-call", "A call takes more than was missed.", "points/call", greedy_call, True),
        ("own-call", "The player calls its own play.", "rules/may-not-call", own_call, False),
        ("stale-call", "A call after a draw.", "rules/may-not-call", stale_call, False),
        (
            "early-step",
            "A forced draw does not wait for calls.",
            "time/early-step",
            early_step,
            True,
        ),
    ):
        yield Cheat(
            f"counted-{name}",
            about,
            code,
            replace(on, phrase=name),
            make,
            alone=() if goes_on else ("points/call",),
            because="" if goes_on else "Nothing can be taken there.",
        ).forged("T14")


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


# ---------------------------------------------------------------- ends


def on_after_target(house: Liar) -> bool:
    """The target is reached at once, and the hand is played on."""

    def believe(state: MatchState) -> MatchState:
        if state.round is None:
            return state
        hand = state.round.hand
        if hand.over is None or hand.over.reason != "target":
            return state
        fits = hand.hands[hand.turn] & hand.table.suits
        return replace(state, round=replace(state.round, hand=hand._replace(over=None, fits=fits)))

    house.start()
    while house.playing:
        if not isinstance(house.legal()[0], Play):
            house.touch()
            continue
        house.warp("played", believe)
        house.act(house.legal()[0])
        if house.state.round is None:
            return False
        if max(house.hand.scores) >= house.hand.rules.target:
            if not house.hand.fits or 0 in house.hand.hands:
                return False
            house.lies.append(len(house.events))
            house.act(house.legal()[0])
            return True
    return False


def renamed(house: Liar) -> bool:
    """A hand that the target ended is called a domino."""
    house.bend("round_ended", setting("reason", "domino"))
    honest = House(house.setup).start().play()
    reasons = [event.data["reason"] for event in honest.events if event.type == "round_ended"]
    if reasons != ["target"]:
        return False
    house.start().play()
    return True


def partner_left(house: Liar) -> bool:
    """A hand is ended by domino when one of two partners is out."""

    def one_out(it: House) -> bool:
        return 0 in it.hand.hands

    if not reach(house, one_out):
        return False
    data: Json = {
        "round": 1,
        "reason": "domino",
        "winner": house.hand.hands.index(0) % 2,
        "counts": [pips_of(mask) for mask in house.hand.hands],
        "points": [0, 0],
        "scores": list(house.state.scores),
        "round_seed": house.state.round.seed.hex(),  # type: ignore[union-attr]
    }
    house.say("round_ended", data)
    house.believe(round=None)
    house.follow(owed(replace(house.state, match_end=None)))
    return True


def ends() -> Iterator[Scenario]:
    """500, 504 and 601 of targets, sides and early blocks."""
    once = Setup("fives-and-threes", 2, {"target": 3, "exact_target": False}, phrase="once")
    yield Cheat(
        "counted-on-after-target",
        "The target is reached at once, and somebody plays on.",
        "rules/hand-over",
        once,
        on_after_target,
        alone=None,
        because="A match that was won has no next play.",
    ).forged("T14")
    yield Cheat(
        "counted-target-called-domino",
        "A hand ended by the target is called a domino.",
        "points/reason",
        once,
        renamed,
    ).forged("T14")
    yield Cheat(
        "counted-one-partner-out",
        "The hand is ended when one of two partners is out.",
        "rules/not-over",
        Setup("fives-and-threes", 4, {"hand": 3, "partners": True}, phrase="one out"),
        partner_left,
        alone=None,
        because="A hand that goes on has no settlement.",
    ).forged("T13")
    yield Cheat(
        "counted-late-call",
        "A call after the seat to act has run out of time.",
        "time/late-action",
        Setup("all-fives", 3, MUGGINS, phrase="late call"),
        late_call,
    ).forged("T14")


PARTS = (points, spinners, muggins, ends)
