"""Authority and time: checks 300 to 356."""

from __future__ import annotations

from tests.verifier.draws import lots
from tests.verifier.forgeries.making import (
    begun,
    forgery,
    lost,
    once,
    shift,
)
from tests.verifier.house import House
from tests.verifier.primitives import OTHER, SIGNER


@forgery("authority/clear-seed")
def clear_seed() -> bytes:
    return House(clear=(1,), clear_seeds=False).play().transcript()


@forgery("authority/clear-seed")
def draw_of_clear_seeds() -> bytes:
    return lots(clear=(0, 1)).transcript()


@forgery("authority/duplicate-seed")
def duplicate_seed() -> bytes:
    house = House(clear=(0, 1))
    house.seeds[1] = house.seeds[0]
    return house.play().transcript()


@forgery("authority/receipt")
def invented_receipt() -> bytes:
    house = begun()
    receipt = OTHER.receipt(house.match, 3, b"\1" * 32)
    return lost(house, {**receipt, "key_id": SIGNER.id})


@forgery("authority/receipt")
def receipt_of_another_key() -> bytes:
    house = begun()
    return lost(house, OTHER.receipt(house.match, 3, b"\1" * 32))


# Time


@forgery("time/close-by")
def close_by() -> bytes:
    return House(close_by=1_790_000_000_000 + 604_800_001).play().transcript()


@forgery("time/late-seat")
def late_seat() -> bytes:
    house = House().play()
    return shift(house, 2, 600_001)


@forgery("time/late-seed")
def late_seed() -> bytes:
    house = House().play()
    return shift(house, house.index("seeded", 1), 60_001)


@forgery("time/early-void")
def early_void() -> bytes:
    house = House()
    house.sit()
    house.say(
        "voided", {"reason": "seeds-missing", "missing": [0, 1], "server_seed": house.S.hex()}
    )
    return house.transcript()


@forgery("time/early-timeout")
def early_timeout() -> bytes:
    house = House(choose=once("timeout")).play()
    return shift(house, house.index("timed_out"), -501)


@forgery("time/late-action")
def late_action() -> bytes:
    house = House().play()
    return shift(house, house.index("played", 1), 30_001)


@forgery("time/after-close")
def after_close() -> bytes:
    house = House(choose=once("timeout")).play()
    return shift(house, house.index("timed_out"), 604_800_000)
