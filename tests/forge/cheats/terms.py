"""Openings nobody could play, seats, draws without a game (threats T8, T15, T36, T39)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.forge import lots
from tests.forge.cheats.making import forged, liar
from tests.forge.cheats.seals import ELSE
from tests.forge.house import NOON
from tests.forge.lots import Lots, Table
from tests.forge.paper import Json
from tests.forge.scenario import Scenario


def options() -> Iterator[Scenario]:
    """400."""

    def row(**values: object) -> Callable[[Json], None]:
        def change(data: Json) -> None:
            data["ruleset"] = data["ruleset"] | values

        return change

    for name, about, ruleset, seats, values in (
        ("partners-2", "Partners with 2 seats.", "block", 2, {"partners": True}),
        ("partners-3", "Partners with 3 seats.", "draw", 3, {"partners": True}),
        ("hand", "Three hands of 10 need more tiles than the set has.", "block", 3, {"hand": 10}),
        (
            "protected",
            "Two hands of 14 leave nothing to protect.",
            "draw",
            2,
            {"hand": 14, "protected": 1},
        ),
    ):
        house = liar(ruleset, seats, opened=row(**values), phrase=f"options {name}")
        yield forged(f"deal-options-{name}", about, "deal/options", house, "T15", seq=0)
    house = liar("block", 2, opened=row(partners=True), phrase="options played")
    yield forged(
        "deal-options-played",
        "Partners with 2 seats, played to its end.",
        "deal/options",
        house.start().play(),
        "T15",
        seq=0,
    )
    for seats in (1, 9):

        def stretched(data: Json, seats: int = seats) -> None:
            data["seats"] = seats

        house = liar("draw", 2, opened=stretched, phrase=f"options {seats}")
        yield forged(
            f"deal-options-seats-{seats}",
            f"Draw is not played by {seats}.",
            "deal/options",
            house,
            "T15",
            seq=0,
        )
    table = Table(Lots(rounds_max=2))
    yield forged(
        "deal-options-lots-rounds",
        "A draw of two rounds.",
        "deal/options",
        table.told(),
        "T15",
        seq=0,
    )


def washes() -> Iterator[Scenario]:
    """401."""

    def more(data: Json) -> None:
        data["washes"].append(data["washes"][0])

    def fewer(data: Json) -> None:
        data["washes"].pop()

    def rounds(data: Json) -> None:
        data["rounds_max"] = 220
        data["washes"] = [ELSE] * 220
        data["close_by"] = NOON + 604_800_000

    for name, about, ruleset, change in (
        ("more", "There are more washes than rounds_max.", "block", more),
        ("fewer", "There are fewer washes than rounds_max.", "draw", fewer),
    ):
        house = liar(ruleset, 3, rounds_max=2, opened=change, phrase=f"washes {name}")
        yield forged(
            f"deal-washes-{name}", about, "deal/wash-count", house.seat_all(), "T39", seq=0
        )
    house = liar("block", 2, opened=rounds, phrase="washes many", turn_seconds=3600)
    yield forged(
        "deal-washes-many",
        "220 washes of 28 tiles are more than 6144.",
        "deal/wash-count",
        house,
        "T36",
        seq=0,
    )
    table = Table(Lots(kind="numbers"), opened=lambda data: data.update(washes=[ELSE]))
    yield forged(
        "deal-washes-numbers",
        "Numbers are drawn from no wash, and there is one.",
        "deal/wash-count",
        table.told(),
        "T39",
        seq=0,
    )


def seeds() -> Iterator[Scenario]:
    """300 and 301."""
    for ruleset, seats in (("block", 2), ("draw", 3)):

        def closed(data: Json) -> None:
            data["clear_seeds"] = False

        house = liar(ruleset, seats, clear=(0,), opened=closed, phrase="clear seed")
        house.believe(terms=replace(house.state.terms, clear_seeds=True))
        house.start()
        yield forged(
            f"authority-clear-seed-{ruleset}",
            "A seat shows its seed where seeds have to be committed to.",
            "authority/clear-seed",
            house.play(),
            "T7",
            seq=1,
        )
    house = liar("block", 3, phrase="copied commitment")
    house.sit(0)
    house.now += 500
    house.say("seated", {"seat": 2, "client_seed_commitment": house.commitment(0).hex()}, house.now)
    yield forged(
        "authority-commitment-copied",
        "A seat sends the commitment of another one.",
        "authority/duplicate-seed",
        house,
        "T8",
    )
    house = liar("draw", 3, clear=(0, 1), phrase="copied seed")
    house.sit(0)
    house.seeds[1] = house.seeds[0]
    first = house.state.seatings[0]
    assert first is not None
    house.believe(seatings=(replace(first, seed=bytes(32)), None, None))
    house.mark()
    house.sit(1)
    house.believe(seatings=(first, *house.state.seatings[1:]))
    house.sit(2)
    house.reveal(2)
    yield forged(
        "authority-seed-copied",
        "A seat sends the clear seed of another one.",
        "authority/duplicate-seed",
        house.play(),
        "T8",
    )


def draws() -> Iterator[Scenario]:
    """416, and the other checks of a draw (SPEC 11)."""

    def bent(
        name: str,
        about: str,
        code: str,
        change: Callable[[Json], object],
        *threats: str,
        alone: tuple[str, ...] = (),
        because: str = "",
        **what: object,
    ) -> Scenario:
        table = Table(Lots(**what), drawn=change).sit().reveal().draw()  # type: ignore[arg-type]
        return forged(
            f"lots-{name}",
            about,
            code,
            table.told(),
            *threats,
            seq=len(table.told()) - 1,
            alone=alone,
            because=because,
        )

    def swap(data: Json) -> None:
        data["result"][:2] = data["result"][1::-1]

    def one_more(data: Json) -> None:
        data["result"][0] = (data["result"][0] + 1) % 6

    yield bent("order-swapped", "Two places of an order are exchanged.", "draw/result", swap, "T5")
    yield bent(
        "order-short",
        "The last thing of an order is missing.",
        "draw/result",
        lambda data: data["result"].pop(),
        "T5",
    )
    yield bent(
        "order-seals",
        "A seal is not the committed one.",
        "draw/result",
        lambda data: data["seals"].__setitem__(3, ELSE),
        "T3",
    )
    yield bent(
        "numbers-changed",
        "A throw of the die is one more.",
        "draw/result",
        one_more,
        "T5",
        kind="numbers",
        count=5,
        seats=3,
    )
    yield bent(
        "numbers-added",
        "A number too many is drawn.",
        "draw/result",
        lambda data: data["result"].append(1),
        "T5",
        kind="numbers",
        count=5,
    )
    yield bent(
        "numbers-range",
        "A number is drawn that is not below n.",
        "draw/result",
        lambda data: data["result"].__setitem__(0, 6),
        "T5",
        kind="numbers",
        count=2,
    )
    yield bent(
        "server-seed",
        "Another server seed is revealed.",
        "seed/server-seed",
        lambda data: data.update(server_seed=ELSE),
        "T2",
    )
    table = Table(Lots(), opened=lambda data: data.update(washes=[ELSE])).sit().reveal().draw()
    yield forged(
        "lots-root",
        "The root is not that of the server seed's wash.",
        "wash/root",
        table.told(),
        "T4",
        seq=0,
    )
    table = Table(Lots(seats=3)).sit()
    table.seeds[1] = bytes.fromhex(ELSE)
    yield forged(
        "lots-seed-altered",
        "A seat's seed is altered, and the draw follows from it.",
        "seed/commitment",
        table.reveal().draw().told(),
        "T6",
        "T9",
        seq=5,
    )
    table = Table(Lots()).sit().reveal()
    table.now += 1
    yield forged(
        "lots-late",
        "The result is not in the step of the last seed.",
        "order/step",
        table.draw().told(),
        "T35",
        seq=5,
    )
    table = Table(Lots(seats=3)).sit().reveal(0, 1)
    yield forged(
        "lots-early",
        "The result stands before the last seed.",
        "order/unexpected",
        table.draw().told(),
        "T7",
        seq=6,
    )
    table = Table(Lots()).sit().reveal()
    yield forged(
        "lots-unfinished",
        "Every seed is shown and the result is missing.",
        "order/unfinished",
        table.told(),
        "T16",
        seq=5,
    )
    table = lots.drawn()
    table.write("dealt", {"round": 1, "seals": [ELSE], "hand_size": 1, "lead": 0, "aside": []})
    yield forged(
        "lots-dealt-after",
        "A hand is dealt after a draw.",
        "order/after-end",
        table.told(),
        "T38",
        seq=6,
    )
    table = Table(Lots()).sit().reveal()
    table.write("dealt", {"round": 1, "seals": [ELSE], "hand_size": 1, "lead": 0, "aside": []})
    yield forged(
        "lots-dealt",
        "A hand is dealt in a draw.",
        "order/unexpected",
        table.told(),
        "T38",
        seq=5,
        alone=None,
        because="A draw has no hands to judge it by.",
    )
