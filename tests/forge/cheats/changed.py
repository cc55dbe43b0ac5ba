"""Rules changed after the fact: the match is opened under one row and played by another (T15)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fairbones.core.rules import compile_rules, resolve
from tests.forge.cheats.making import forged
from tests.forge.house import Setup, find, heaviest
from tests.forge.liar import Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

T = "T15"
Where = Callable[[list[Json], Liar], int | None]


def played_by(setup: Setup, other: Mapping[str, object], **terms: Any) -> Liar:
    """A match opened as `setup` says and played to its end with other options or terms."""
    house = Liar(setup)
    row = resolve(setup.ruleset, setup.seats, {**setup.options, **other})
    rules = compile_rules(row, setup.seats)
    house.believe(
        terms=replace(house.state.terms, rules=rules, **terms),
        scores=(0,) * rules.sides,
    )
    return house.start()


def first(type_: str, **data: object) -> Where:
    """The first event of a type with these data."""

    def where(events: list[Json], _house: Liar) -> int | None:
        for seq, event in enumerate(events):
            if event["type"] == type_ and data.items() <= event["data"].items():
                return seq
        return None

    return where


def tied_block(events: list[Json], house: Liar) -> int | None:
    """A hand that was blocked with a tie, and given to somebody."""
    seq = first("round_ended", reason="blocked")(events, house)
    if seq is None or "winner" not in events[seq]["data"]:
        return None
    counts = events[seq]["data"]["counts"]
    return (
        seq
        if counts.count(min(counts)) > 1 and seq == first("round_ended")(events, house)
        else None
    )


def own_pips(events: list[Json], house: Liar) -> int | None:
    """A blocked hand whose winner holds something."""
    seq = first("round_ended")(events, house)
    assert seq is not None
    data = events[seq]["data"]
    return seq if data["reason"] == "blocked" and "winner" in data else None


def uneven(events: list[Json], house: Liar) -> int | None:
    """A blocked hand in which an opponent holds fewer pips than the difference takes off."""
    seq = own_pips(events, house)
    if seq is None:
        return None
    data = events[seq]["data"]
    own = min(data["counts"])
    others = [count for count in data["counts"] if count != own]
    each, once = sum(count - own for count in others), sum(others) - own
    return seq if each != once else None


def low_seat(events: list[Json], house: Liar) -> int | None:
    """Seat 0 or 1 goes out, so that seat and side have one number."""
    seq = first("round_ended", reason="domino")(events, house)
    if seq is None or events[seq - 1]["data"]["seat"] > 1:
        return None
    return seq


def late(events: list[Json], house: Liar) -> int | None:
    """A play that comes after the stated time."""
    for seq in range(1, len(events)):
        waited = events[seq]["at"] - events[seq - 1]["at"]
        if events[seq]["type"] == "played" and waited > 1000 * house.setup.turn_seconds:
            return seq
    return None


def rules() -> Iterator[Scenario]:
    """Each option that changes what is due."""
    small = {"hand": 4}
    cases: tuple[tuple[str, str, str, Setup, dict[str, object], dict[str, object], Where], ...] = (
        (
            "tie",
            "A void tie is settled as tie: starter.",
            "points/winner",
            Setup("block", 2, {"hand": 2}),
            {"tie": "starter"},
            {},
            tied_block,
        ),
        (
            "score",
            "The difference is scored where the total is due.",
            "points/points",
            Setup("draw", 2, {"hand": 9}),
            {"score": "difference"},
            {},
            own_pips,
        ),
        (
            "difference-mode",
            "The difference is taken from each opponent, not once.",
            "points/points",
            Setup("block", 3, small | {"score": "difference"}),
            {"difference_mode": "per-opponent"},
            {},
            uneven,
        ),
        (
            "target",
            "The match ends at 10 points, not at 100.",
            "points/match-over",
            Setup("draw", 3, small, 3),
            {"target": 10},
            {},
            first("match_ended", reason="target"),
        ),
        (
            "partners",
            "Everybody plays alone by the row, and the points are those of two sides.",
            "points/points",
            Setup("draw", 4, small),
            {"partners": True},
            {},
            low_seat,
        ),
        (
            "auto-forced",
            "Passes are the house's by the opening, and seats are left to send them.",
            "order/step",
            Setup("block", 2, small),
            {},
            {"auto_forced": False},
            first("passed"),
        ),
        (
            "turn-seconds",
            "A turn has one second by the opening, and two are given.",
            "time/late-action",
            Setup("draw", 2, small, turn_seconds=1),
            {},
            {"turn_ms": 2000},
            late,
        ),
    )
    for name, about, code, setup, other, terms, where in cases:

        def cheated(
            setup: Setup,
            other: dict[str, object] = other,
            terms: dict[str, object] = terms,
            where: Where = where,
        ) -> Liar | None:
            house = played_by(setup, other, **terms)
            house.play(choose=heaviest)
            seq = where(house.told(), house)
            if seq is None:
                return None
            house.lies[:] = [seq]
            return house

        house = find(replace(setup, phrase=f"changed {name}"), cheated)
        yield forged(f"changed-{name}", about, code, house, T)
