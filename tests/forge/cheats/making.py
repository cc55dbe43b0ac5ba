"""How a lying house becomes a scenario: chained and signed by its own key, one false event."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.forge.house import House, Setup, find
from tests.forge.keys import HOUSE
from tests.forge.liar import Bend, Liar
from tests.forge.paper import Json, relink, transcript
from tests.forge.scenario import Scenario

PINNED = ("--key", HOUSE.public.hex())
SHORT: Mapping[str, object] = {"hand": 2}  # short matches keep the files small


def liar(
    ruleset: str = "block",
    seats: int = 2,
    options: Mapping[str, object] = SHORT,
    rounds_max: int = 1,
    *,
    opened: Bend | None = None,
    **more: Any,
) -> Liar:
    """A house that may lie, before anybody sat down."""
    return Liar(Setup(ruleset, seats, options, rounds_max, **more), opened)


def search(setup: Setup, cheat: Callable[[Liar], bool | None]) -> Liar:
    """The first match in which the cheat could be made; `cheat` says False where it could not."""

    def tried(setup: Setup) -> Liar | None:
        house = Liar(setup)
        return house if cheat(house) is not False else None

    return find(setup, tried)


def reach(house: Liar, until: Callable[[Any], bool]) -> bool:
    """An honest start, up to where something is so; False when it never is."""
    house.start().play(until)
    return house.playing


@dataclass(frozen=True, slots=True)
class Cheat:
    """A forgery that has to be looked for: `make` says False where it could not be made."""

    name: str
    about: str
    code: str
    setup: Setup
    make: Callable[[Liar], bool | None]
    alone: tuple[str, ...] | None = ()
    because: str = ""

    def forged(self, *threats: str) -> Scenario:
        """The scenario."""
        house = search(self.setup, self.make)
        return forged(
            self.name,
            self.about,
            self.code,
            house,
            *threats,
            alone=self.alone,
            because=self.because,
        )


def forged(
    name: str,
    about: str,
    code: str,
    house: House | Sequence[Json],
    *threats: str,
    seq: int | None = None,
    alone: Sequence[str] | None = (),
    because: str = "",
    **more: Any,
) -> Scenario:
    """A forgery; its false event is the first lie of the house, where `seq` says nothing else.

    `alone` are further checks that have to be off with its own (None: nothing helps), and
    `because` says why they stand.
    """
    if isinstance(house, House):
        if seq is None:
            assert isinstance(house, Liar)
            seq = house.lies[0]
        data = house.transcript()
    else:
        data = transcript(house)
    assert bool(because) == (alone is None or bool(alone)), name
    expect: Json = {} if code.startswith("chain/") else {"convicts": True}
    return Scenario(
        name=name,
        about=about,
        transcript=data,
        code=code,
        seq=seq,
        threats=threats,
        arguments=PINNED,
        expect=expect | more.pop("expect", {}),
        alone=None if alone is None else frozenset({code, *alone}),
        because=because,
        **more,
    )


def edited(house: House, seq: int, change: Callable[[Json], object]) -> list[Json]:
    """The events with one of them changed afterwards, and chained anew."""
    events = house.told()
    change(events[seq])
    return relink(events)


def place(house: House | Sequence[Json], type_: str, nth: int = 1) -> int:
    """Where the `nth` event of a type stands; negative counts from the end."""
    events = house.told() if isinstance(house, House) else house
    places = [seq for seq, event in enumerate(events) if event["type"] == type_]
    return places[nth - 1 if nth > 0 else nth]


def setting(name: str, value: object) -> Bend:
    """A bend that states something else."""

    def change(data: Json) -> None:
        data[name] = value

    return change


def dropping(name: str) -> Bend:
    """A bend that leaves a member out."""

    def change(data: Json) -> None:
        del data[name]

    return change
