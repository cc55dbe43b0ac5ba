"""Illegal moves: plays, draws, passes, declines (threat T13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairbones.core.bones import DOUBLES, SUIT
from fairbones.core.rules import Action, Draw, Pass
from tests.forge.cheats.making import Cheat, reach
from tests.forge.house import House, Setup
from tests.forge.liar import Liar, fitting, held
from tests.forge.scenario import Scenario

T = "T13"
LAST = "It is the seat's last tile, so that nothing after it depends on the ends."
SEEN = "seen when the hand is known."


# ---------------------------------------------------------------- where a cheat can be made


def on_table(house: House) -> bool:
    """The line has begun."""
    return bool(house.hand.ends)


def can_play(house: House) -> bool:
    """The seat on turn must play: the line has begun and a tile fits."""
    return on_table(house) and bool(fitting(house.hand, house.turn))


def one_left(house: House) -> bool:
    """The seat on turn holds one tile."""
    return on_table(house) and len(held(house.hand, house.turn)) == 1


def has_to(action: type[Action], *, drawn: bool = False) -> Callable[[House], bool]:
    """The seat on turn can do nothing but this; with `drawn` it has drawn in this turn."""

    def so(house: House) -> bool:
        fits = on_table(house) and (house.hand.drawn or not drawn)
        return fits and isinstance(house.legal()[0], action)

    return so


def level(house: House) -> bool:
    """Both ends have one value, and a tile that is no double fits."""
    ends = house.hand.ends
    return len(ends) == 2 and ends[0].value == ends[1].value and bool(plain(house))


def plain(house: House) -> list[int]:
    """The fitting tiles of the seat on turn that are no doubles."""
    return [tile for tile in fitting(house.hand, house.turn) if not DOUBLES >> tile & 1]


# ---------------------------------------------------------------- turns and plays


def out_of_turn(shift: int, *, by_time: bool = False) -> Callable[[Liar], bool]:
    """Another seat than the one on turn plays, or its time runs out."""

    def make(house: Liar) -> bool:
        if not reach(house, on_table):
            return False
        house.believe_hand(turn=(house.turn + shift) % house.setup.seats)
        if not fitting(house.hand, house.turn):
            return False
        house.mark()
        if by_time:
            house.touch()
        else:
            house.act(house.legal()[0])
        house.play()
        return True

    return make


def other_first(house: Liar) -> None:
    """The leader sets another tile."""
    house.start()
    must = house.hand.must_set
    house.lay(next(tile for tile in held(house.hand, house.turn) if tile != must), None)
    house.play()


def end_first(house: Liar) -> None:
    """The first tile names an end."""
    house.start()
    must = house.hand.must_set
    assert must is not None
    house.lay(must, None, lies={"end": "left"})
    house.play()


def misfit(house: Liar) -> bool:
    """A last tile that fits nowhere."""
    if not reach(house, one_left) or fitting(house.hand, house.turn):
        return False
    house.lay(held(house.hand, house.turn)[0], "right")
    house.play()
    return True


def wrong_end(house: Liar) -> bool:
    """A last tile at the end it does not fit."""
    if not reach(house, one_left):
        return False
    tile = held(house.hand, house.turn)[0]
    left, right = house.hand.ends
    if not SUIT[left.value] >> tile & 1 or SUIT[right.value] >> tile & 1:
        return False
    house.lay(tile, "right")
    return True


def no_end(house: Liar) -> bool:
    """A last tile that names no end."""
    if not reach(house, one_left) or not fitting(house.hand, house.turn):
        return False
    house.lay(held(house.hand, house.turn)[0], None)
    return True


def other_name(house: Liar) -> bool:
    """Of two equal ends the second is named."""
    if not reach(house, level):
        return False
    house.lay(plain(house)[0], "right")
    house.play()
    return True


def plays() -> Iterator[Scenario]:
    """505 to 509."""
    code = "rules/not-your-turn"
    for ruleset, seats in (("block", 3), ("draw", 2)):
        yield Cheat(
            f"rules-turn-skipped-{ruleset}",
            "The seat on turn is skipped; play goes on from the one that played.",
            code,
            Setup(ruleset, seats, {"hand": 4}, phrase="skip"),
            out_of_turn(1),
        ).forged(T)
    partners = Setup("block", 4, {"hand": 4, "partners": True}, phrase="twice")
    yield Cheat(
        "rules-turn-twice", "A seat plays twice in a row.", code, partners, out_of_turn(-1)
    ).forged(T)
    yield Cheat(
        "rules-turn-timeout",
        "The time of a seat runs out that is not on turn.",
        code,
        Setup("draw", 3, {"hand": 4}, phrase="not its time"),
        out_of_turn(1, by_time=True),
    ).forged(T)
    for ruleset, seats in (("block", 2), ("draw", 4)):
        yield Cheat(
            f"rules-must-set-{ruleset}",
            "The leader sets another tile than must_set.",
            "rules/must-set",
            Setup(ruleset, seats, {"hand": 3}, phrase="must set"),
            other_first,
        ).forged(T)
        yield Cheat(
            f"rules-listed-form-{ruleset}",
            "Both ends have one value and the play names right.",
            "rules/listed-form",
            Setup(ruleset, seats, {"hand": 4}, phrase="listed"),
            other_name,
        ).forged(T)


def ends() -> Iterator[Scenario]:
    """507 and 508."""
    yield Cheat(
        "rules-end-first",
        "The first tile names an end.",
        "rules/end",
        Setup("block", 3, {"hand": 2}, phrase="first end"),
        end_first,
    ).forged(T)
    yield Cheat(
        "rules-end-absent",
        f"A later tile names no end. {LAST}",
        "rules/end",
        Setup("draw", 2, {"hand": 2}, phrase="no end"),
        no_end,
    ).forged(T)
    for ruleset, seats in (("block", 2), ("draw", 3)):
        yield Cheat(
            f"rules-does-not-fit-{ruleset}",
            f"A tile is played that does not fit. {LAST}",
            "rules/does-not-fit",
            Setup(ruleset, seats, {"hand": 3}, auto_forced=False, phrase="misfit"),
            misfit,
        ).forged(T)
    yield Cheat(
        "rules-does-not-fit-end",
        f"A tile is played at the end that it does not fit. {LAST}",
        "rules/does-not-fit",
        Setup("block", 4, {"hand": 2}, phrase="wrong end"),
        wrong_end,
    ).forged(T)


# ---------------------------------------------------------------- draws, passes, declines


def draws_at(until: Callable[[House], bool]) -> Callable[[Liar], bool]:
    """A seat draws where it must not."""

    def make(house: Liar) -> bool:
        if not reach(house, until):
            return False
        house.take()
        house.play()
        return True

    return make


def stops_at(until: Callable[[House], bool], type_: str = "passed") -> Callable[[Liar], bool]:
    """A seat passes or declines where it must not."""

    def make(house: Liar) -> bool:
        if not reach(house, until):
            return False
        house.stop(type_)
        house.play()
        return True

    return make


def then_void(until: Callable[[House], bool]) -> Callable[[Liar], bool]:
    """A seat draws where it must not; then the house gives up, which shows every tile."""

    def make(house: Liar) -> bool:
        if not reach(house, until):
            return False
        house.take()
        house.give_up()
        return True

    return make


def nothing_to_draw(house: House) -> bool:
    """A seat that must play, and no boneyard behind it."""
    return can_play(house) and not house.hand.drawable


def hidden() -> Iterator[Scenario]:
    """510 and 511: most of them can only be seen once the tiles are known."""
    for ruleset, seats, auto in (("block", 2, True), ("block", 4, False), ("draw", 2, False)):
        size = {"hand": 3 if ruleset == "block" else 14}
        yield Cheat(
            f"rules-illegal-pass-{ruleset}-{seats}",
            f"A {'house' if auto else 'seat'}'s pass although a tile fits; {SEEN}",
            "rules/must-play",
            Setup(ruleset, seats, size, auto_forced=auto, phrase="illegal pass"),
            stops_at(nothing_to_draw),
        ).forged(T)
    for seats in (2, 3):
        yield Cheat(
            f"rules-illegal-draw-{seats}",
            f"A draw although a tile fits; {SEEN}",
            "rules/must-play",
            Setup("draw", seats, {"hand": 4}, auto_forced=False, phrase="illegal draw"),
            draws_at(lambda it: can_play(it) and it.hand.drawable > 2),
        ).forged(T)
    yield Cheat(
        "rules-illegal-draw-void",
        f"A draw although a tile fits, in a match that the house voids; {SEEN}",
        "rules/must-play",
        Setup("draw", 4, {"hand": 4}, auto_forced=False, phrase="illegal draw"),
        then_void(lambda it: can_play(it) and it.hand.drawable > 2),
    ).forged(T)
    for seats in (2, 4):
        yield Cheat(
            f"rules-draw-left-out-{seats}",
            "A pass although the boneyard can be drawn from.",
            "rules/must-draw",
            Setup("draw", seats, {"hand": 4}, auto_forced=False, phrase="undrawn"),
            stops_at(has_to(Draw)),
        ).forged(T)
    may = {"hand": 4, "drawn_tile": "may-play"}
    yield Cheat(
        "rules-draw-declined",
        f"A seat declines although nothing fits and it may draw; {SEEN}",
        "rules/must-draw",
        Setup("draw", 2, may, auto_forced=False, phrase="declined"),
        stops_at(has_to(Draw, drawn=True), "declined"),
        alone=("rules/may-not-decline",),
        because="Who holds nothing that fits has nothing to decline either.",
    ).forged(T)


def boneyards() -> Iterator[Scenario]:
    """512."""
    for seats in (2, 3):
        yield Cheat(
            f"rules-block-draw-{seats}",
            "A seat draws in a game without drawing.",
            "rules/may-not-draw",
            Setup("block", seats, {"hand": 5}, auto_forced=False, phrase="block draw"),
            draws_at(has_to(Pass)),
        ).forged(T)
    passes = has_to(Pass)
    for count in (1, 2):
        options = {"hand": 12, "protected": count}
        yield Cheat(
            f"rules-protected-draw-{count}",
            "A protected tile is drawn.",
            "rules/may-not-draw",
            Setup("draw", 2, options, auto_forced=False, phrase="protected draw"),
            draws_at(lambda it: passes(it) and bool(it.hand.stock)),
        ).forged(T)


def declines() -> Iterator[Scenario]:
    """513."""
    code, may = "rules/may-not-decline", {"hand": 4, "drawn_tile": "may-play"}

    def fits_and(drawn: bool) -> Callable[[House], bool]:
        return lambda it: can_play(it) and it.hand.drawn is drawn and len(it.hand.stock) > 3

    yield Cheat(
        "rules-decline-must-play",
        "A drawn tile is declined although drawn tiles must be played.",
        code,
        Setup("draw", 2, {"hand": 4}, auto_forced=False, phrase="decline"),
        stops_at(fits_and(True), "declined"),
    ).forged(T)
    yield Cheat(
        "rules-decline-undrawn",
        "A seat declines that has not drawn in this turn.",
        code,
        Setup("draw", 3, may, phrase="decline"),
        stops_at(fits_and(False), "declined"),
    ).forged(T)
    yield Cheat(
        "rules-decline-block",
        "A seat declines in a game without drawing.",
        code,
        Setup("block", 2, {"hand": 3}, phrase="decline"),
        stops_at(fits_and(False), "declined"),
    ).forged(T)
    yield Cheat(
        "rules-decline-unfit",
        f"A seat declines that holds nothing that fits; {SEEN}",
        code,
        Setup("draw", 2, may | {"hand": 11}, auto_forced=False, phrase="decline unfit"),
        stops_at(has_to(Pass, drawn=True), "declined"),
    ).forged(T)
