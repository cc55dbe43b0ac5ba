"""Steps that were owed: fixed rule, forced steps, ends of hands (threats T13, T16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairbones.core.match import deadline
from fairbones.core.match.owed import owed
from fairbones.core.match.steps import abandon
from fairbones.core.rules import Play, fixed
from tests.forge.cheats.making import Cheat, reach
from tests.forge.cheats.moves import can_play, on_table
from tests.forge.house import House, Setup, heaviest
from tests.forge.liar import FAST, Liar, fitting, held
from tests.forge.scenario import Scenario

T = "T13"


def due_tile(house: House) -> int:
    """The tile of the fixed rule, where it plays."""
    choice = fixed(house.hand)
    assert isinstance(choice, Play)
    return choice.tile


def lighter(house: Liar) -> list[Play]:
    """Plays of another tile than the fixed rule's."""
    return [play for play in house.plays() if play.tile != due_tile(house)]


# ---------------------------------------------------------------- the fixed rule


def kinder(house: Liar) -> bool:
    """A lighter tile after a time-out."""
    if not reach(house, lambda it: can_play(it) and len(it.legal()) > 2) or not lighter(house):
        return False
    choice = lighter(house)[0]
    house.time_out()
    house.put(choice, fixed=True)
    house.play()
    return True


def two_ends(house: House) -> bool:
    """The tile of the fixed rule fits two different ends."""
    if not can_play(house):
        return False
    tiles = [action.tile for action in house.legal() if isinstance(action, Play)]
    return tiles.count(due_tile(house)) == 2


def other_end(house: Liar) -> bool:
    """The right tile at the wrong end."""
    if not reach(house, two_ends):
        return False
    tile = due_tile(house)
    house.time_out()
    house.lay(tile, "right", fixed=True)
    house.play()
    return True


def draws_instead(house: Liar) -> bool:
    """A draw for a seat that can play."""
    if not reach(house, lambda it: can_play(it) and len(it.hand.stock) > 3):
        return False
    house.time_out()
    house.take(fixed=True)
    house.play()
    return True


def leaver(house: Liar) -> bool:
    """A lighter tile for a seat that has left."""
    if not reach(house, lambda it: can_play(it) and len(it.legal()) > 1) or not lighter(house):
        return False
    choice, seat = lighter(house)[0], house.turn
    house.now += FAST
    house.say("left", {"seat": seat}, house.now)
    house.honestly()
    house.believe(left=house.state.left | {seat})
    house.put(choice, fixed=True)
    house.play()
    return True


def other_seat(house: Liar) -> bool:
    """The next seat plays after the time-out of this one."""
    if not reach(house, on_table):
        return False
    seat = (house.turn + 1) % house.setup.seats
    if not fitting(house.hand, seat):
        return False
    house.time_out()
    house.believe_hand(turn=seat)
    house.put(fixed(house.hand), fixed=True)
    house.play()
    return True


def fixed_steps() -> Iterator[Scenario]:
    """501."""
    code = "rules/fixed-step"
    for ruleset, seats in (("block", 2), ("draw", 3)):
        yield Cheat(
            f"rules-fixed-step-{ruleset}",
            "After a time-out the house plays another tile than the heaviest.",
            code,
            Setup(ruleset, seats, {"hand": 5}, phrase="kinder"),
            kinder,
        ).forged(T)
    yield Cheat(
        "rules-fixed-step-end",
        "After a time-out the house plays the right tile at the second end that it fits.",
        code,
        Setup("block", 3, {"hand": 4}, phrase="other end"),
        other_end,
    ).forged(T)
    yield Cheat(
        "rules-fixed-step-draws",
        "After a time-out the house draws for a seat that can play.",
        code,
        Setup("draw", 2, {"hand": 4}, phrase="draws instead"),
        draws_instead,
        alone=("rules/must-play",),
        because="To draw with a tile that fits is against the rules for everybody.",
    ).forged(T)
    yield Cheat(
        "rules-fixed-step-leaver",
        "For a seat that has left the house plays another tile than the heaviest.",
        code,
        Setup("block", 4, {"hand": 4}, phrase="leaver"),
        leaver,
    ).forged(T)
    yield Cheat(
        "rules-fixed-step-seat",
        "After the time-out of one seat another one plays.",
        code,
        Setup("draw", 3, {"hand": 4}, phrase="other seat"),
        other_seat,
        alone=("rules/not-your-turn",),
        because="That other seat is not on turn.",
    ).forged(T)


# ---------------------------------------------------------------- forced steps


def forced_next(house: Liar) -> bool:
    """The house stops before a pass or a draw that it owes."""
    house.start().play(can_play)
    while house.playing:
        house.put(house.dice.choice(house.legal()), owe=False)
        house.honestly()
        due = owed(house.state)
        if due is not None and due.type in ("passed", "drew"):
            return True
        house.follow(due)
        house.play(can_play)
    return False


def forced_by_leaving(house: Liar) -> bool:
    """Somebody else leaves before the house writes it."""
    if not forced_next(house):
        return False
    other = (house.turn + 1) % house.setup.seats
    house.now += FAST
    house.say("left", {"seat": other}, house.now)
    house.believe(left=house.state.left | {other})
    house.follow(owed(house.state))
    house.play()
    return True


def forced_by_time(house: Liar) -> bool:
    """The seat's time runs out before the house writes it."""
    if not forced_next(house):
        return False
    house.now = max(house.now, deadline(house.state) or 0)
    house.say("timed_out", {"seat": house.turn}, house.now)
    house.believe(fixed_due=True)
    house.follow(owed(house.state))
    house.play()
    return True


def forced() -> Iterator[Scenario]:
    """503."""
    for ruleset, seats in (("block", 2), ("draw", 2), ("draw", 4)):
        yield Cheat(
            f"rules-forced-timeout-{ruleset}-{seats}",
            "A seat runs out of time whose pass or draw was the house's to write at once.",
            "rules/forced-step",
            Setup(ruleset, seats, {"hand": 4}, phrase="forced"),
            forced_by_time,
        ).forged(T)
    yield Cheat(
        "rules-forced-left",
        "A seat leaves while the house still owes a forced step.",
        "rules/forced-step",
        Setup("block", 3, {"hand": 4}, phrase="forced"),
        forced_by_leaving,
    ).forged(T)


# ---------------------------------------------------------------- the end of a hand


def hand_over(house: Liar, reason: str) -> bool:
    """Play to the end of a hand, and stop before `round_ended` if it ends like that."""
    house.start().play(on_table)
    while house.playing:
        action = heaviest(house)
        if isinstance(action, Play):
            house.put(action, owe=False)
            house.honestly()
            due = owed(house.state)
            if due is not None and due.data.get("reason") == reason:
                return True
            house.follow(due)
        else:
            house.act(action)
    return False


def pass_after_block(house: Liar) -> bool:
    """The next seat passes, though the hand is over."""
    if not hand_over(house, "blocked"):
        return False
    house.stop()
    return True


def left_after_domino(house: Liar) -> bool:
    """The next seat leaves, though the hand is over."""
    if not hand_over(house, "domino"):
        return False
    house.say("left", {"seat": house.turn}, house.now)
    house.believe(left=house.state.left | {house.turn})
    house.follow(owed(house.state))
    return True


def cut_short(reason: str) -> Callable[[Liar], bool]:
    """A hand that goes on is ended, without winner or points."""

    def make(house: Liar) -> bool:
        if not reach(house, lambda it: len(it.hand.line) > 2):
            return False
        assert house.state.round is not None
        house.bend("round_ended", lambda data: data.update(reason=reason))
        house.follow(abandon(house.state, house.state.round))
        return True

    return make


def never_abandoned(house: Liar) -> bool:
    """Everybody is idle three times; then somebody plays on."""
    house.start()
    while house.playing:
        idle, seat = house.state.idle, house.turn
        others = min(count for other, count in enumerate(idle) if other != seat)
        plays = not on_table(house) or bool(fitting(house.hand, seat))
        if others < 3 or idle[seat] != 2 or not plays:
            house.touch()
            continue
        house.time_out()
        house.put(fixed(house.hand), owe=False, fixed=True)
        if not held(house.hand, seat) or not fitting(house.hand, house.turn):
            return False
        house.honestly()
        house.mark()
        house.act(house.legal()[0])
        house.play()
        return True
    return False


def hand_ends() -> Iterator[Scenario]:
    """500, 502 and 504."""
    yield Cheat(
        "rules-hand-over-pass",
        "A pass stands between the block and round_ended.",
        "rules/hand-over",
        Setup("block", 2, {"hand": 3}, phrase="pass after block"),
        pass_after_block,
    ).forged(T)
    yield Cheat(
        "rules-hand-over-left",
        "A seat leaves between the last tile and round_ended.",
        "rules/hand-over",
        Setup("draw", 3, {"hand": 3}, phrase="left after domino"),
        left_after_domino,
    ).forged(T)
    for reason in ("abandoned", "blocked", "domino"):
        ruleset, seats = ("block", 2) if reason == "blocked" else ("draw", 3)
        behind = reason != "abandoned"
        because = "Nobody has won a hand that goes on, nor has a match that goes on an end."
        yield Cheat(
            f"rules-not-over-{reason}",
            f"A hand that goes on is ended as {reason}.",
            "rules/not-over",
            Setup(ruleset, seats, {"hand": 5}, phrase="cut short"),
            cut_short(reason),
            alone=("points/winner", "points/match-reason") if behind else (),
            because=because if behind else "",
        ).forged(T)
    for ruleset, seats in (("block", 2), ("draw", 3)):
        yield Cheat(
            f"rules-not-abandoned-{ruleset}",
            "Everybody was idle three times, and the match goes on.",
            "rules/abandon",
            Setup(ruleset, seats, {"hand": 7}, phrase="goes on"),
            never_abandoned,
        ).forged(T)
