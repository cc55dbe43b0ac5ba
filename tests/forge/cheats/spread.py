"""Cheats that are tried in a game or two elsewhere, tried in others: no row hangs on one game.

`docs/forgeries.md` counts them by row of the threat model, by check and by game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fairbones.core.rules import Draw, Pass
from tests.forge.cheats.course import early_reveal
from tests.forge.cheats.making import SHORT, Cheat, forged, liar, reach, setting
from tests.forge.cheats.moves import on_table
from tests.forge.cheats.papers import begun, papers
from tests.forge.cheats.seals import ELSE, believed, deal_on
from tests.forge.house import Setup
from tests.forge.keys import OTHER
from tests.forge.liar import Liar
from tests.forge.paper import Json, bundle, receipt_at
from tests.forge.scenario import Scenario

GAMES: dict[str, tuple[int, Json]] = {
    "draw": (3, dict(SHORT)),
    "all-fives": (2, dict(SHORT)),
    "fives-and-threes": (3, dict(SHORT)),
    "blocking": (2, dict(SHORT)),
    "latin-american": (4, {}),
    "middle-eastern": (4, {}),
}


def at(ruleset: str, phrase: str, rounds_max: int = 1, **more: Any) -> Liar:
    """A short match of that game, before anybody sat down."""
    seats, options = GAMES[ruleset]
    return liar(ruleset, seats, options, rounds_max, phrase=f"spread {phrase}", **more)


def early(house: Liar) -> Liar:
    """Played to its second or third tile, where the file ends."""
    house.start().play(lambda it: len(it.hand.line) > 1)
    return house


def seating() -> Iterator[Scenario]:
    """Before the deal (T6 to T9, T37, T38, T51)."""
    for ruleset in ("all-fives", "middle-eastern"):
        house = at(ruleset, "copied")
        house.sit(0)
        house.now += 500
        copied = {"seat": 1, "client_seed_commitment": house.commitment(0).hex()}
        house.say("seated", copied, house.now)
        yield forged(
            f"authority-commitment-copied-{ruleset}",
            "A seat sends the commitment of another one.",
            "authority/duplicate-seed",
            house,
            "T8",
        )
    for ruleset in ("all-fives", "latin-american"):
        house = at(ruleset, "altered").seat_all()
        seed = bytes([house.seeds[0][0] ^ 1]) + house.seeds[0][1:]
        believed(house, 0, seed)
        house.mark()
        house.reveal(0)
        house.reveal(*house.state.unrevealed())
        yield forged(
            f"seed-altered-{ruleset}",
            "One bit of a seat's seed is altered, and the cut follows from it.",
            "seed/commitment",
            house.play(lambda it: len(it.hand.line) > 1),
            "T6",
            "T9",
        )
    house = at("fives-and-threes", "early seed")
    house.sit(0, 1)
    early_reveal(house, 0)
    house.sit(2)
    yield forged(
        "order-seed-early-fives-and-threes",
        "A seed is taken before every seat is.",
        "order/unexpected",
        house,
        "T7",
        "T38",
    )
    house = at("all-fives", "seated hash").bend("seeded", setting("seated_hash", ELSE))
    yield forged(
        "seed-seated-hash-all-fives",
        "A seed names another seating than the one that stands.",
        "seed/seated-hash",
        early(house),
        "T37",
    )
    for ruleset in ("all-fives", "latin-american"):
        house = at(ruleset, "seed lost").seat_all()
        house.now += 70_000
        house.say("voided", {"reason": "seed-lost"}, house.now)
        yield forged(
            f"seed-lost-{ruleset}",
            "The house says its seed is lost.",
            "seed/not-opened",
            house,
            "T51",
        )


def dealing() -> Iterator[Scenario]:
    """Washes, seals, hands (T1 to T3, T5, T11, T15, T39)."""
    for ruleset in ("draw", "all-fives", "latin-american"):
        house = at(ruleset, "washed again")
        deal_on(house, list(range(28))[::-1])
        house.play(lambda it: len(it.hand.line) > 1)
        yield forged(
            f"deal-washed-again-{ruleset}",
            "The tiles are washed anew after the seeds were known; the hand still runs.",
            "deal/seals",
            house,
            "T1",
            "T3",
        )
    for ruleset in ("all-fives", "middle-eastern"):
        house = at(ruleset, "other salt").bend("played", setting("salt", ELSE), 2)
        yield forged(
            f"seal-other-salt-{ruleset}",
            "A play opens its seal with another salt.",
            "seal/mismatch",
            early(house),
            "T3",
        )
    yield Cheat(
        "cut-draw-moved-up-all-fives",
        "A tile is moved up the boneyard for a seat that draws.",
        "cut/draw",
        Setup("all-fives", 2, SHORT, auto_forced=False, phrase="spread moved up"),
        moved_up,
    ).forged("T5")
    for ruleset in ("all-fives", "blocking"):
        house = at(ruleset, "dealt again", 2).start()
        house.say("dealt", house.told()[-1]["data"])
        yield forged(
            f"order-dealt-in-hand-{ruleset}",
            "The hand is dealt a second time before it is played.",
            "order/unexpected",
            house,
            "T11",
            alone=("order/round",),
            because="It has the number of the hand that runs.",
        )
    house = at("latin-american", "hand size").bend("dealt", setting("hand_size", 6))
    yield forged(
        "deal-hand-size-latin-american",
        "Six tiles are said to be dealt, and seven are.",
        "deal/hand-size",
        early(house),
        "T15",
        "T39",
    )
    house = at("all-fives", "other secret").seat_all()
    house.bend("voided", setting("server_seed", ELSE))
    house.give_up()
    yield forged(
        "seed-server-all-fives",
        "A void reveals another server seed.",
        "seed/server-seed",
        house,
        "T2",
    )


def moved_up(house: Liar) -> bool:
    """A seat that must draw gets the second tile of the boneyard."""
    if not reach(house, lambda it: on_table(it) and isinstance(it.legal()[0], Draw)):
        return False
    if len(house.hand.stock) < 4 or house.waits_for_calls:
        return False
    house.take(house.hand.stock[1])
    return True


def saying() -> Iterator[Scenario]:
    """What seats are made to say, and ends (T16, T38, T50)."""
    for ruleset in ("draw", "all-fives"):
        house = at(ruleset, "sent away", signed=(0, 1)).start()
        house.play(lambda it: not isinstance(it.legal()[0], Pass))
        house.bend("left", lambda data: data.pop("signature"))
        house.leave(0)
        yield forged(
            f"authority-unsigned-left-{ruleset}",
            "The house says that a seat has left.",
            "authority/unsigned",
            house,
            "T50",
        )
    house = at("fives-and-threes", "void", signed=(1,)).seat_all()
    house.bend("voided", lambda data: data.pop("signature"))
    house.leave(1)
    yield forged(
        "authority-unsigned-void-fives-and-threes",
        "The house says that a seat left before the deal, which it did not like.",
        "authority/unsigned",
        house,
        "T10",
        "T50",
    )
    for ruleset in ("all-fives", "blocking"):
        house = at(ruleset, "unfinished").start().play()
        yield forged(
            f"order-unfinished-{ruleset}",
            "The last hand is over and the end of the match is cut off.",
            "order/unfinished",
            house.told()[:-1],
            "T16",
            seq=len(house.events) - 1,
        )
    house = at("fives-and-threes", "after end")
    house.sit(0)
    house.give_up()
    house.say("left", {"seat": 0})
    yield forged(
        "order-after-end-fives-and-threes",
        "A seat leaves a match that is void.",
        "order/after-end",
        house,
        "T16",
        "T38",
    )


def signing() -> Iterator[Scenario]:
    """Receipts and keys (T19, T26, T49)."""
    for ruleset in ("all-fives", "latin-american"):
        seats, _ = GAMES[ruleset]
        events = begun(ruleset, seats, f"key other {ruleset}").told()
        yield papers(
            f"key-other-{ruleset}",
            "The house's key is pinned, and the match is signed by another.",
            "key/other",
            bundle(events),
            "T19",
            "T49",
            arguments=("--key", OTHER.public.hex()),
        )
    for ruleset in ("all-fives", "middle-eastern"):
        seats, _ = GAMES[ruleset]
        events = begun(ruleset, seats, f"signature {ruleset}").told()
        stolen = receipt_at(events, OTHER)["signature"]
        yield papers(
            f"receipt-signature-other-key-{ruleset}",
            "The receipt is signed by another key under the name of the match's.",
            "receipt/signature",
            bundle(events, receipt_at(events) | {"signature": stolen}),
            "T26",
            "T49",
        )


PARTS = (seating, dealing, saying, signing)
