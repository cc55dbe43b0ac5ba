"""Draws without a game, for the house of the tests (spec/draws.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.verifier.house import House
from tests.verifier.primitives import MAC, shuffle, u32


def drawn_event(house: House) -> None:
    """The last event of a draw (spec/draws.md)."""
    data: dict[str, Any] = {"server_seed": house.S.hex()}
    n = house.row["n"]
    if house.row["kind"] == "order":
        cut = shuffle(house.K, "cut-map", 1, n)
        data["seals"] = [seal.hex() for seal in house.seals[0]]
        data["result"] = [house.orders[0][position] for position in cut]
    else:
        key, width = MAC(house.S, "draw-key", house.K), 1 if n <= 256 else 4
        data["result"] = []
        for i in range(house.row["count"]):
            stream = b"".join(MAC(key, "draw", u32(i), u32(j)) for j in range(8))
            draws = [
                int.from_bytes(stream[at : at + width], "big")
                for at in range(0, len(stream), width)
            ]
            accepted = 256**width - 256**width % n
            data["result"].append(next(v for v in draws if v < accepted) % n)
    house.say("drawn", data)


def lots(
    seed: int = 0,
    kind: str = "order",
    seats: int = 2,
    n: int = 10,
    prepare: Callable[[House], object] = lambda house: None,
    **more: Any,
) -> House:
    """A draw without a game, played to its end."""
    row = {"id": "lots", "kind": kind, "n": n, **({"count": 5} if kind == "numbers" else {})}
    house = House(seed, row, seats, rounds=1, **more)
    prepare(house)
    house.sit()
    house.reveal()
    drawn_event(house)
    return house
