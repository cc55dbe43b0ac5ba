"""Honest matches in which everything happens now and then, of every ruleset."""

from __future__ import annotations

import random
from collections.abc import Collection
from typing import Any

from tests.verifier.house import House
from tests.verifier.rows import ROWS, SEATS, random_row
from tests.verifier.signing import seat_signer


def any_match(
    seed: int,
    name: str | None = None,
    keys: Collection[int] | None = None,
    house: type[House] = House,
    **given: Any,
) -> House:
    """A match of a ruleset (any, if none is named) with random switches, seats and actions.

    `keys`: the seats that have one; random ones, if that is not said.
    """
    rng = random.Random(seed)
    name = name or rng.choice(list(ROWS))
    seats, idle = rng.choice(SEATS[name]), rng.choice([0, 0, 0.2, 0.9])

    def choose(house: House, seat: int) -> str:
        chance = rng.random()
        if chance < 0.02 and len(house.left) < seats:
            return f"leave {rng.choice([s for s in range(seats) if s not in house.left])}"
        if chance < 0.03:
            return rng.choice(["close", "void", "stop"])
        if chance < 0.1 + idle:
            return "decline" if chance < 0.1 else "timeout"
        return "call" if rng.random() < 0.3 else "play"

    row = random_row(rng, name, seats, rng.choice([0.1, 0.5]))
    clear = tuple(seat for seat in range(seats) if rng.random() < 0.1)
    more: dict[str, Any] = {"clear": clear, "auto_forced": rng.random() < 0.7}
    some = rng.sample(range(seats), rng.randint(1, seats)) if rng.random() < 0.6 else []
    keys = some if keys is None else [seat for seat in keys if seat < seats]
    if rng.random() < 0.3:
        promised = sorted(rng.sample(range(seats), rng.randint(1, seats)))
        more["reserved"] = [
            {"seat": seat, "public_key": seat_signer(seed, seat).public.hex()}
            if seat in keys and rng.random() < 0.6
            else {"seat": seat, "invite_hash": rng.randbytes(32).hex()}
            for seat in promised
        ]
    more = {"keys": keys, **more, **given}
    return house(seed, row, seats, rng.randint(1, 5), choose=choose, **more).play()
