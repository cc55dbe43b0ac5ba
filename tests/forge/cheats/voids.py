"""False excuses: voids that cannot stand, receipts nobody signed, lost seeds (T10, T40, T51)."""

from __future__ import annotations

from collections.abc import Iterator

from fairbones.core.match.steps import void
from tests.forge.cheats.making import forged, liar
from tests.forge.keys import OTHER
from tests.forge.liar import Liar
from tests.forge.paper import receipt
from tests.forge.scenario import Scenario

J, R, H = "joining", "revealing", "hand"
BLAMES: tuple[tuple[str, str, str, list[int], str], ...] = (
    ("seats-taken", R, "seats-missing", [1], "Seats are said to be missing: all are taken."),
    ("seats-list", J, "seats-missing", [0], "Two seats are free, one is named missing."),
    ("seats-blame", J, "seats-missing", [0, 1, 2], "A seat is named missing that is taken."),
    ("seeds-early", J, "seeds-missing", [0, 1, 2], "Seeds are missing before all seats are taken."),
    ("seeds-list", R, "seeds-missing", [2], "Two seeds are missing, one seat is named."),
    ("seeds-blame", R, "seeds-missing", [0, 1, 2], "A seat is blamed that has revealed."),
    ("seeds-shown", H, "seeds-missing", [1], "Seeds are said to be missing after the deal."),
    ("left-late", H, "left", [1], "A seat that leaves a hand that is dealt voids it."),
    ("left-two", R, "left", [0, 1], "Two seats leave with one event."),
    ("left-free", J, "left", [0], "A seat leaves that nobody sits on."),
)


def waiting(stage: str, ruleset: str = "block", seats: int = 3) -> Liar:
    """A match that has waited a little too long for seats, for seeds or in hand 1."""
    house = liar(ruleset, seats, {"hand": 3}, phrase=f"void {stage}")
    if stage == J:
        house.sit(1)
    elif stage == R:
        house.seat_all()
        house.reveal(0)
    else:
        house.start()
    house.now += 70_000
    return house


def blames() -> Iterator[Scenario]:
    """206 without a receipt."""
    for name, stage, reason, missing, about in BLAMES:
        house = waiting(stage)
        house.mark()
        house.follow(void(house.state, reason, missing=missing), house.now)
        yield forged(f"order-void-{name}", about, "order/void", house, "T10", "T40")


def losses() -> Iterator[Scenario]:
    """206 and 302 with a receipt, 403."""
    for name, about in (
        ("other-match", "The receipt for the lost history is of another match."),
        ("own-chain", "The receipt for the lost history is of this very chain."),
    ):
        house = waiting(H, "draw", 2)
        own = name == "own-chain"
        match = house.match.hex() if own else "ab" * 16
        house.mark()
        house.lose(receipt(match, 3, house.events[3].hash if own else bytes(32)))
        yield forged(f"order-void-lost-{name}", about, "order/void", house, "T51")
    for name, about in (
        ("signature", "The receipt for the lost history is not signed by the house's key."),
        ("key", "The receipt for the lost history is of another key."),
    ):
        house = waiting(H, "draw", 3)
        shown = receipt(house.match.hex(), 9, bytes(32), OTHER)
        if name == "signature":
            shown["key_id"] = house.state.terms.key_id
        house.mark()
        house.lose(shown)
        yield forged(f"authority-receipt-{name}", about, "authority/receipt", house, "T51")
    for stage in (J, H):
        house = waiting(stage)
        house.say("voided", {"reason": "seed-lost"}, house.now)
        yield forged(
            f"seed-lost-{stage}",
            "The house says its seed is lost.",
            "seed/not-opened",
            house,
            "T51",
        )
