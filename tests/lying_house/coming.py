"""Lies about who sits and whose seed is whose, up to the deal."""

from __future__ import annotations

from dataclasses import replace

from fairbones.core.match.state import Stage
from fairbones_verify.hashing import commitment
from tests.lying_house.house import LyingHouse, Told
from tests.lying_house.meeting import Planted, secret
from tests.lying_house.written import once, say

OTHERS_KEY = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"  # RFC 8032, 7.1
OTHERS_SEED = bytes.fromhex(secret("seed of another match"))


def shows_early(_house: LyingHouse, told: Told) -> object:
    """The only one who sits shows its seed before the other seat is taken."""
    state = told.state
    if state.stage is not Stage.JOINING or [*state.free_seats()] != [0]:
        return False
    data = {"seat": 1, "client_seed": secret("seed 1"), "seated_hash": state.head.hex()}
    told.type, told.data = "seeded", data
    return None


def copied(_house: LyingHouse, told: Told) -> None:
    """The commitment of seat 0, which sits already."""
    first = told.state.seatings[0]
    assert first is not None
    assert first.commitment is not None
    told.data["client_seed_commitment"] = first.commitment.hex()


def replayed(house: LyingHouse, told: Told) -> None:
    """Seat 1 gets a commitment that somebody made for another match, and later its seed."""
    fits = told.type == "seated" and told.data["seat"] == 1
    if fits and "replayed" not in house.memory:
        elsewhere = commitment(b"\xaa" * 32, 1, OTHERS_SEED, b"")
        house.memory["replayed"] = True
        say(told, "seated", {"seat": 1, "client_seed_commitment": elsewhere.hex()})
    state = told.state
    if told.type == "" and state.stage is Stage.REVEALING and [*state.unrevealed()] == [1]:
        data = {"seat": 1, "client_seed": OTHERS_SEED.hex()}
        data["seated_hash"] = state.seated_hash.hex()
        told.type, told.data = "seeded", data


def reserved(house: LyingHouse, told: Told) -> None:
    """The opening says that seat 1 is kept for a key, and the house does not mind."""
    told.data["reserved"] = [{"seat": 1, "public_key": OTHERS_KEY}]
    house.minded = lambda state: replace(state, terms=replace(state.terms, reserved={}))


def marked(_house: LyingHouse, told: Told) -> None:
    told.data["name"] = "<b>0</b>"


COMING = (
    Planted(
        "shill-reveals-early",
        ("T7",),
        "shows the seed of seat 1 before seat 0 is taken",
        once("", shows_early),
        first=1,
    ),
    Planted(
        "commitment-copied",
        ("T8",),
        "seats seat 1 with the commitment of seat 0",
        once("seated", copied, seat=1),
        first=0,
    ),
    Planted(
        "commitment-replayed",
        ("T8",),
        "seats seat 1 with a commitment from another match, and shows that seed",
        replayed,
        first=0,
    ),
    Planted(
        "reserved-seat-given",
        ("T45",),
        "gives seat 1, reserved for a key, to somebody else",
        once("opened", reserved),
        first=0,
    ),
    Planted(
        "markup-in-name",
        ("T33",),
        "writes markup into the name of seat 0",
        once("seated", marked, seat=0),
        first=0,
    ),
)
