"""Cheats in the games that count: points in play, spinners, targets (threats T13, T14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.bones import SUIT, pips_of
from fairbones.core.match import MatchState
from fairbones.core.match.owed import owed
from fairbones.core.rules import Play, scored
from fairbones.core.rules.counting import added
from tests.forge.cheats.making import Cheat, reach, setting
from tests.forge.house import House, Setup
from tests.forge.liar import Liar, held
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

FIVES: dict[str, object] = {"hand": 4}
MUGGINS: dict[str, object] = {"muggins": True, "hand": 4}


def believing(side: int, more: int) -> Callable[[MatchState], MatchState]:
    """The house adds points to a side that were not made."""

    def change(state: MatchState) -> MatchState:
        if state.round is None:
            return state
        hand = state.round.hand
        scores = added(hand.scores, side, more)
        return replace(
            state, scores=scores, round=replace(state.round, hand=hand.but(scores=scores))
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
        ).forged("T13")
    yield Cheat(
        "counted-no-arm",
        "An arm is named in a game without spinners; the file ends there.",
        "rules/does-not-fit",
        Setup("fives-and-threes", 2, FIVES, phrase="no arm"),
        no_arm,
        alone=("points/play",),
        because="What it scores depends on where it lies.",
    ).forged("T13")


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
        return replace(state, round=replace(state.round, hand=hand.but(over=None, fits=fits)))

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
        alone=("order/unfinished",),
        because="The house still owes the end of the hand.",
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
        alone=("deal/lead", "points/match-over"),
        because="A hand that goes on decides neither the next lead nor the match.",
    ).forged("T13")


PARTS = (points, spinners, ends)
