"""Honest matches: the games, their options, and how hands end and are led."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from fairbones.core.rules import Decline
from tests.forge.honest.serving import honest, whole
from tests.forge.house import House, Setup, find, heaviest
from tests.forge.scenario import Scenario

Played = Callable[[Setup], House | None]


def games() -> Iterator[Scenario]:
    """Both games, every number of seats, as published but for short matches."""
    for ruleset in ("block", "draw"):
        for seats in (2, 3, 4):
            house = whole(ruleset=ruleset, seats=seats, phrase=f"{ruleset} {seats}", names=True)
            yield honest(
                f"{ruleset}-{seats}-seats",
                f"One hand of {ruleset} with {seats} seats, as published but for rounds_max 1.",
                house,
            )
    for ruleset, seats, target in (("block", 3, 60), ("draw", 2, 40)):

        def played(setup: Setup) -> House | None:
            house = House(setup).start().play()
            return house if 2 <= house.state.rounds < setup.rounds_max else None

        house = find(
            Setup(ruleset, seats, {"target": target, "hand": 4}, 4, phrase="target"), played
        )
        yield honest(
            f"{ruleset}-{seats}-seats-target",
            f"Several hands of {ruleset}, ended by the target before rounds_max.",
            house,
        )


def ended_by(reason: str) -> Played:
    """A finished match whose first hand ended like that."""

    def played(setup: Setup) -> House | None:
        house = House(setup).start().play()
        ends = [event.data for event in house.events if event.type == "round_ended"]
        return house if ends[0]["reason"] == reason else None

    return played


def tie(setup: Setup) -> House | None:
    """A hand blocked with a tie for the lowest count, and something to score."""
    house = House(setup).start()
    while house.playing:
        before = house.state
        house.act(heaviest(house))
        ended = [event.data for event in house.events if event.type == "round_ended"]
        if not ended:
            continue
        assert before.round is not None
        sides = before.terms.rules
        counts: Any = ended[0]["counts"]
        totals = [0] * sides.sides
        for seat, count in enumerate(counts):
            totals[sides.side_of[seat]] += count
        tied = totals.count(min(totals))
        rest = sum(total for total in totals if total != min(totals))
        if ended[0]["reason"] != "blocked" or tied < 2 or tied == len(totals) or rest < tied:
            return None
    return house


def scoring() -> Iterator[Scenario]:
    """Options of the settlement."""
    for mode in ("once", "per-opponent"):
        options = {"score": "difference", "difference_mode": mode, "hand": 4}
        house = find(Setup("block", 3, options, phrase=f"difference {mode}"), ended_by("blocked"))
        yield honest(f"difference-{mode}", f"A blocked hand scored by difference, {mode}.", house)
    for value in ("void", "starter", "causer", "split", "lightest-tile"):
        for ruleset, seats in (("block", 3), ("draw", 4)):
            options = {"tie": value, "hand": 2 if ruleset == "block" else 6}
            house = find(Setup(ruleset, seats, options, phrase=f"tie {value}"), tie)
            yield honest(
                f"tie-{value}-{ruleset}",
                f"A blocked hand whose lowest count two sides share; tie is {value}.",
                house,
            )
    for ruleset, reason in (("block", "blocked"), ("draw", "domino")):
        house = find(Setup(ruleset, 4, {"partners": True}, 1, phrase="partners"), ended_by(reason))
        yield honest(f"partners-{ruleset}", f"Partners; the hand ended {reason}.", house)


def led_by_partner(setup: Setup) -> House | None:
    """A blocked hand that the causer's opponents won: another seat than the causer leads next."""
    house = House(setup).start().play(lambda it: it.state.rounds == 2)
    ends = [event.data for event in house.events if event.type == "round_ended"]
    placed = [event.data for event in house.events if event.type == "played"]
    if not ends or house.state.rounds < 2 or "winner" not in ends[0]:
        return None
    causer: Any = placed[-1]["seat"]
    if ends[0]["reason"] != "blocked" or causer % 2 == ends[0]["winner"]:
        return None
    return house.play()


def leads() -> Iterator[Scenario]:
    """Who sets first."""
    yield honest(
        "lead-after-lost-block",
        "The causer lost the blocked hand: the first seat after it on the winning side leads.",
        find(Setup("block", 4, {"partners": True, "hand": 5}, 2, phrase="lead"), led_by_partner),
    )

    def no_double(setup: Setup) -> House | None:
        house = House(setup).start()
        must = house.events[-1].data["must_set"]
        return None if str(must)[0] == str(must)[2] else house.play()

    yield honest(
        "lead-without-doubles",
        "Nobody holds a double: the heaviest tile leads.",
        find(Setup("draw", 2, {"hand": 3}, phrase="no doubles"), no_double),
    )

    def void_block(setup: Setup) -> House | None:
        house = House(setup).start().play()
        first = next(event.data for event in house.events if event.type == "round_ended")
        return house if house.state.rounds == 2 and "winner" not in first else None

    yield honest(
        "lead-after-void-tie",
        "Nobody won the first hand: its leader leads again.",
        find(Setup("block", 2, {"hand": 2}, 2, phrase="void tie"), void_block),
    )


def boneyards() -> Iterator[Scenario]:
    """Drawing, declining, protected tiles."""
    for protected in (1, 2):

        def emptied(setup: Setup) -> House | None:
            house = House(setup).start().play()
            return house if any(event.type == "passed" for event in house.events) else None

        options = {"protected": protected, "hand": 7}
        house = find(Setup("draw", 2, options, phrase=f"protected {protected}"), emptied)
        yield honest(
            f"protected-{protected}",
            f"The boneyard is drawn down to {protected} protected, and a seat passes.",
            house,
        )

    def declined(setup: Setup) -> House | None:
        def choose(house: House) -> Any:
            offered = [action for action in house.legal() if isinstance(action, Decline)]
            return offered[0] if offered else house.dice.choice(house.legal())

        house = House(setup).start().play(choose=choose)
        return house if any(event.type == "declined" for event in house.events) else None

    for seats in (2, 3):
        may = {"drawn_tile": "may-play", "hand": 3}
        house = find(Setup("draw", seats, may, phrase="decline"), declined)
        yield honest(f"declines-{seats}", "Drawn tiles that fit are declined.", house)
    for ruleset, seats, hand in (("block", 2, 1), ("block", 2, 14), ("draw", 4, 7), ("draw", 3, 1)):
        house = whole(ruleset=ruleset, seats=seats, options={"hand": hand}, phrase="hand size")
        yield honest(
            f"hand-{hand}-{ruleset}-{seats}", f"{seats} seats with {hand} tiles each.", house
        )
    for ruleset in ("block", "draw"):

        def passed(setup: Setup) -> House | None:
            house = House(setup).start().play()
            return house if any(event.type == "passed" for event in house.events) else None

        setup = Setup(ruleset, 2, {"hand": 9}, auto_forced=False, phrase="own passes")
        yield honest(
            f"own-passes-{ruleset}",
            "auto_forced is false: the seats send their draws and passes themselves.",
            find(setup, passed),
        )
    yield honest(
        "counter-clockwise",
        "direction is a label: the turn order is the same.",
        whole(options={"direction": "counter-clockwise", "hand": 3}, phrase="direction"),
    )
