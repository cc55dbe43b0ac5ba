"""What nobody signed, and what is dressed up as if a player had (SPEC 5.6).

Threats T10, T12, T31, T37, T50.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.forge import lots
from tests.forge.cheats.making import SHORT, Cheat, forged, reach
from tests.forge.cheats.signed import BOTH, match, ready
from tests.forge.house import Setup
from tests.forge.keys import seat_key
from tests.forge.liar import Bend, Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

# ------------------------------------------------------------------ 305: said by nobody


def invented(house: Liar) -> bool:
    """The house plays for a seat that is there."""
    if not reach(house, ready):
        return False
    house.put(house.plays()[0])
    house.play()
    return True


def drawn_for(house: Liar) -> bool:
    """The house draws for a seat that sends its draws itself."""
    if not reach(house, lambda it: ready(it) and not it.hand.fits):
        return False
    house.take()
    house.play()
    return True


def stripped(type_: str, nth: int = 1) -> Callable[[Liar], bool]:
    """What a seat said is written without its signature."""

    def make(house: Liar) -> bool:
        house.bend(type_, _strip, nth)
        house.start().play()
        return bool(house.lies)

    return make


def _strip(data: Json) -> None:
    del data["signature"]


def unsigned() -> Iterator[Scenario]:
    """305."""
    short = Setup("block", 2, {"hand": 3}, signed=BOTH)
    draws = Setup("draw", 2, {"hand": 2}, auto_forced=False, signed=BOTH)
    gifts = Setup("middle-eastern", 4, {"transfer": True}, signed=(0, 1, 2, 3))
    calls = Setup("all-fives", 2, {"muggins": True, "hand": 4}, signed=BOTH)
    code = "authority/unsigned"
    for cheat in (
        Cheat("authority-unsigned-play", "A move in a player's name.", code, short, invented),
        Cheat("authority-unsigned-draw", "A draw in a player's name.", code, draws, drawn_for),
        Cheat("authority-unsigned-gift", "A gift nobody signed.", code, gifts, stripped("gave")),
        Cheat("authority-unsigned-call", "A call nobody signed.", code, calls, stripped("called")),
        Cheat("authority-unsigned-seed", "A seed nobody signed.", code, short, stripped("seeded")),
    ):
        yield cheat.forged("T12")
    house = match("sent away").start()
    house.bend("left", _strip)
    house.leave(house.turn)
    yield forged(
        "authority-unsigned-left",
        "The house says that a seat has left.",
        code,
        house.play(),
        "T50",
    )
    house = match("void").seat_all()
    house.bend("voided", _strip)
    house.leave(1)
    yield forged(
        "authority-unsigned-void",
        "The house says that a seat left before the deal, which it did not like.",
        code,
        house,
        "T10",
        "T50",
    )
    table = lots.Table(lots.Lots(signed=BOTH), seeded=_strip_once()).sit().reveal().draw()
    yield forged(
        "lots-unsigned-seed", "In a draw: a seed nobody signed.", code, table.told(), "T37", seq=3
    )


def _strip_once() -> Bend:
    done: list[Json] = []

    def change(data: Json) -> None:
        if not done:
            _strip(data)
        done.append(data)

    return change


# ------------------------------------------------------------------ 306: a step of the house


def dressed(type_: str, seat: int) -> Callable[[Liar], bool]:
    """The next such step of the house carries the seat's signature, made for that very place."""

    def make(house: Liar) -> bool:
        def sign(data: Json) -> None:
            data["signature"] = signed_here(house, data, type_)

        house.start()
        house.bend(type_, sign)
        house.play(idle=100 if type_ == "played" else 0)
        said = [event.data.get("seat") for event in house.events if event.seq in house.lies]
        return said == [seat]

    return make


def signed_here(house: Liar, data: Json, type_: str) -> str:
    """The signature of the seat's key over what a move says, for its place."""
    kind = {"played": "play", "drew": "draw", "passed": "pass"}[type_]
    action = {"type": kind} | {name: data[name] for name in ("tile", "end") if name in data}
    key = house.keys.get(data["seat"], seat_key("nobody"))
    seq, prev = house.state.seq + 1, house.state.head
    return key.moves(house.opened_hash, seq, prev, data["seat"], action)


def undue() -> Iterator[Scenario]:
    """306."""
    code = "authority/undue-signature"
    passes = Setup("block", 2, {"hand": 3}, signed=BOTH)
    draws = Setup("draw", 2, {"hand": 2}, signed=BOTH)
    for name, about, setup, type_ in (
        ("pass", "A forced pass is signed, as if the seat had chosen it.", passes, "passed"),
        ("draw", "A forced draw is signed, as if the seat had chosen it.", draws, "drew"),
        ("timeout", "The move after a time-out is signed.", passes, "played"),
    ):
        cheat = Cheat(f"authority-undue-{name}", about, code, setup, dressed(type_, 0))
        yield cheat.forged("T12", "T31")

    def by_nobody(house: Liar) -> bool:
        """A seat without a key is said to have signed."""
        house.start()
        house.bend("played", lambda data: data.update(signature=signed_here(house, data, "played")))
        house.play()
        return house.events[house.lies[0]].data["seat"] == 1

    setup = Setup("block", 2, SHORT, signed=(0,))
    about = "A seat without a key is said to have signed."
    yield Cheat("authority-undue-no-key", about, code, setup, by_nobody).forged("T12")

    def after_leaving(house: Liar) -> bool:
        """What the house plays for a seat that left is signed."""
        house.start()
        seat = house.turn
        house.bend("played", lambda data: data.update(signature=signed_here(house, data, "played")))
        house.leave(seat)
        house.play()
        return house.events[house.lies[0]].data["seat"] == seat

    about = "A step for a seat that has left is signed, as if it were still there."
    yield Cheat("authority-undue-left", about, code, passes, after_leaving).forged("T50")
    house = match("nobody's", signed=(0,)).seat_all()
    house.bend("voided", lambda data: data.update(signature=house.keys[0].leaves(bytes(32), 1)))
    house.leave(1)
    yield forged(
        "authority-undue-void",
        "A void for a seat without a key is signed.",
        code,
        house,
        "T50",
    )


PARTS = (unsigned, undue)
