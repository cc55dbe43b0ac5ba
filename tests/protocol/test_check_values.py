"""SPEC 12: every check value, computed by the service and compared with the page itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from fairbones.core.bones import parse, set_tiles, text, tile_bytes
from fairbones.core.protocol.cut import client_commitment, cut, cut_key
from fairbones.core.protocol.encoding import Tag
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import round_seed, salt, seal, server_seed_hash, wash, wash_root
from tests.protocol.spec_text import check_values

SERVER_SEED = bytes(range(32))
MATCH = bytes(range(16))
OPENED = b"\xaa" * 32
SEEDS = (b"\x11" * 32, b"\x22" * 32)
R_1 = round_seed(MATCH, SERVER_SEED, 1)
THINGS = [tile_bytes(tile) for tile in set_tiles(6)]
WASH = wash(MATCH, R_1, 1, THINGS)
K = cut_key(OPENED, SEEDS)
CUT = cut(K, 1, 28, 2, 7)

COMPUTED: dict[str, Callable[[], str]] = {
    "server_seed_hash": lambda: server_seed_hash(MATCH, SERVER_SEED).hex(),
    "R_1": R_1.hex,
    "order": lambda: " ".join(map(str, WASH.order)),
    "position 0 holds 1-1": lambda: text(WASH.order[0]),
    "salt_0": WASH.salts[0].hex,
    "seal_0": WASH.seals[0].hex,
    "W_1": WASH.root.hex,
    "commitment of 0": lambda: client_commitment(OPENED, 0, b"", SEEDS[0]).hex(),
    "K": K.hex,
    "map": lambda: " ".join(map(str, (*CUT.hands[0], *CUT.hands[1], *CUT.boneyard))),
    "hand of seat 0": lambda: " ".join(text(WASH.order[p]) for p in CUT.hands[0]),
    'shuffle(K, "cut-map", 1, 300)': lambda: " ".join(
        map(str, shuffle(K, Tag.CUT_MAP, 1, 300)[:8])
    ),
}


def test_every_check_value_is_computed() -> None:
    """SPEC 12 has no value that nobody looks at ("position 0 holds" is a sentence of its own)."""
    assert COMPUTED.keys() - {"position 0 holds 1-1"} == check_values().keys()


@pytest.mark.parametrize("name", check_values())
def test_check_value(name: str) -> None:
    """SPEC 12: every value of the page, from the inputs that stand above it."""
    assert COMPUTED[name]() == check_values()[name]


def test_position_0_holds_the_double_one() -> None:
    """SPEC 12: "position 0 holds 1-1"."""
    assert WASH.order[0] == parse("1-1")


def test_wash_made_at_once_is_the_wash_made_piece_by_piece() -> None:
    """SPEC 4.3: the shared prefixes of `wash` are an economy and change no byte."""
    salts = [salt(R_1, position) for position in range(28)]
    seals = [
        seal(MATCH, 1, position, salts[position], THINGS[index])
        for position, index in enumerate(WASH.order)
    ]
    assert (list(WASH.salts), list(WASH.seals)) == (salts, seals)
    assert wash_root(MATCH, 1, seals) == WASH.root


def test_a_wash_shows_no_salt_in_its_repr() -> None:
    """A secret stands in no repr: a salt opens a seal to whoever guesses 28 tiles."""
    assert all(salt.hex() not in repr(WASH) and repr(salt) not in repr(WASH) for salt in WASH.salts)
