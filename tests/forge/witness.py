"""What a seat can put beside a transcript (SPEC 9.9): openings, a saved view, a protest."""

from __future__ import annotations

import json
from collections.abc import Sequence

from fairbones.core.bones import text
from fairbones.core.rules import Action
from tests.forge.house import House
from tests.forge.liar import held
from tests.forge.paper import Json


def opening(house: House, tile: int) -> Json:
    """Position, tile and salt of one tile of the running hand."""
    dealt = house.state.round
    assert dealt is not None
    position = dealt.position[tile]
    return {"seal": position, "tile": text(tile), "salt": dealt.wash.salts[position].hex()}


def openings(house: House, seat: int, tiles: Sequence[int] | None = None) -> Json:
    """What the seat holds of the running hand, or some of it."""
    shown = held(house.hand, seat) if tiles is None else tiles
    return {"round": house.state.rounds, "openings": [opening(house, tile) for tile in shown]}


def view(house: House, seat: int) -> Json:
    """The same inside an answer that the seat saved; what else stands there is ignored."""
    told = openings(house, seat)
    return {
        "round": told["round"],
        "turn": {"seat": house.turn},
        "you": {"seat": seat, "hand": told["openings"]},
        "left": None,
        "share": 0.5,
    }


def protest(house: House, seat: int, action: Action) -> Json:
    """The request that the seat sends to act now, signed for this place."""
    act = house.acting(seat, action)
    assert act.signature is not None
    return {
        "seq": house.state.seq + 1,
        "prev": house.state.head.hex(),
        "action": dict(act.written or {}),
        "signature": act.signature.hex(),
    }


def standing(sent: Json, seat: int, how: str) -> Json:
    """What a report says of a protest."""
    return {"seat": seat, "seq": sent["seq"], "action": sent["action"], "standing": how}


def page(paper: Json) -> bytes:
    """A paper as a player would have kept it: in any spacing."""
    return (json.dumps(paper, indent=1) + "\n").encode()
