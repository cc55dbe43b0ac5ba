"""Tiles that come from the wrong place or are not what was sealed (threats T3 to T6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.bones import SUIT, text, tile_id
from fairbones.core.match import MatchState, Round
from fairbones.core.protocol.cut import cut_key
from fairbones.core.protocol.wash import round_seed
from fairbones.core.rules import Draw, Hand
from tests.forge import crooked
from tests.forge.cheats.making import Cheat, forged, liar, reach, setting
from tests.forge.cheats.moves import can_play, has_to, on_table
from tests.forge.cheats.seals import ELSE, deal_on, root_of
from tests.forge.house import House, Setup, find
from tests.forge.liar import Liar, fitting, held
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

SIX_SIX = tile_id(6, 6)
RUNS = "the hand still runs."


def fits(hand: Hand, tile: int) -> bool:
    """Whether a tile fits an open end, whoever holds it."""
    return any(SUIT[end.value] >> tile & 1 for end in hand.ends)


# Positions (412).


def seeds_reversed(house: Liar) -> bool:
    """The cut is made with the seeds in the wrong order, and the leader's tile is foreign."""

    def dealt(state: MatchState) -> Round:
        key = cut_key(state.terms.opened_hash, list(reversed(house.seeds)))
        seed = round_seed(house.match, state.secret, 1)
        order = crooked.honest_order(house.match, state.secret, 1)
        washed = crooked.stacked(house.match, seed, 1, order)
        return crooked.dealt_from(replace(state, before=None), washed, key)

    def tell(data: Json) -> None:
        hand = dealt(house.state).hand
        data["lead"], data["must_set"] = hand.leader, text(hand.must_set or 0)

    house.bend("dealt", tell).warp("dealt", lambda state: replace(state, round=dealt(state)))
    house.start()
    house.honestly()
    size, leader = house.state.terms.rules.hand, house.turn
    own = crooked.positions(house.state, 1)[leader * size : (leader + 1) * size]
    house.mark()
    house.act(house.legal()[0])
    return house.playing and house.told()[house.lies[0]]["data"]["seal"] not in own


def exchanged(whose: str) -> Callable[[Liar], bool]:
    """A tile of the seat on turn is exchanged for one from elsewhere, which is played."""

    def make(house: Liar) -> bool:
        if not reach(house, on_table):
            return False
        seat, hand = house.turn, house.hand
        other = (seat + 1) % house.setup.seats
        source = list(hand.stock) if whose == "boneyard" else held(hand, other)
        wanted = [tile for tile in source if fits(hand, tile)]
        if not wanted:
            return False
        given, taken = held(hand, seat)[0], wanted[0]
        masks = [mask & ~(1 << taken) & ~(1 << given) for mask in hand.hands]
        masks[seat] |= 1 << taken
        stock = tuple(given if tile == taken else tile for tile in hand.stock)
        if whose != "boneyard":
            masks[other] |= 1 << given
        house.believe_hand(hands=tuple(masks), stock=stock)
        house.mark()
        house.act(next(play for play in house.plays() if play.tile == taken))
        return house.playing

    return make


def beyond(house: Liar) -> bool:
    """Position 28 of a wash of 28."""
    house.start()
    tile = house.hand.must_set
    assert tile is not None
    house.lay(tile, None, lies={"seal": 28})
    return house.playing


def cuts() -> Iterator[Scenario]:
    """412."""
    code = "cut/foreign-seal"
    for ruleset, seats in (("block", 2), ("draw", 3)):
        yield Cheat(
            f"cut-seed-order-{ruleset}",
            f"The cut is made with the seeds in the wrong order; {RUNS}",
            code,
            Setup(ruleset, seats, {"hand": 5}, phrase="seed order"),
            seeds_reversed,
        ).forged("T6")
    for whose, ruleset, seats in (
        ("boneyard", "block", 2),
        ("boneyard", "draw", 2),
        ("neighbour", "block", 4),
    ):
        yield Cheat(
            f"cut-tile-from-{whose}-{ruleset}",
            f"A tile of a hand is exchanged for one of the {whose}; {RUNS}",
            code,
            Setup(ruleset, seats, {"hand": 5}, phrase="swapped tile"),
            exchanged(whose),
        ).forged("T5")
    yield Cheat(
        "cut-position-unknown",
        "A tile is opened at a position that the wash has not.",
        code,
        Setup("draw", 3, {"hand": 3}, phrase="beyond"),
        beyond,
        alone=("seal/mismatch",),
        because="Where no seal is nothing can be opened.",
    ).forged("T12")


# Openings (413, 414).


def other_tile(house: Liar) -> bool:
    """A tile is played with the opening of another."""
    if not reach(house, can_play):
        return False
    tile = fitting(house.hand, house.turn)[0]
    spare = next((t for t in held(house.hand, house.turn) if t != tile), None)
    if spare is None:
        return False
    told = house.opening(spare)
    end = next(end.name for end in house.hand.ends if SUIT[end.value] >> tile & 1)
    house.lay(tile, end, lies={"seal": told["seal"], "salt": told["salt"]})
    return house.playing


def stacked_house(setup: Setup, changes: dict[int, int]) -> Liar:
    """A house that washed hand 1 with other tiles at some positions, and committed to that."""
    plain = House(setup)
    order = crooked.honest_order(plain.match, plain.state.secret, 1)
    for position, tile in changes.items():
        order[position] = tile
    seed = round_seed(plain.match, plain.state.secret, 1)
    root = crooked.stacked(plain.match, seed, 1, order).root.hex()
    house = Liar(setup, root_of(0, root))
    deal_on(house, order)
    house.honestly()
    return house


def position_of(setup: Setup, tile: int) -> int:
    """Where the honest wash of hand 1 has a tile."""
    plain = House(setup)
    return crooked.honest_order(plain.match, plain.state.secret, 1).index(tile)


def open_at(house: Liar, position: int) -> Json:
    """The opening of one of two positions that hold a tile."""
    assert house.state.round is not None
    return {"seal": position, "salt": house.state.round.wash.salts[position].hex()}


def doubled(setup: Setup) -> Liar | None:
    """The 6-6 lies in seat 0's hand and once more in seat 1's; both seals open."""
    first = position_of(setup, SIX_SIX)
    for second in range(28):
        house = stacked_house(setup, {second: SIX_SIX})
        at, size = crooked.positions(house.state, 1), house.state.terms.rules.hand
        if first in at[:size] and second in at[size : 2 * size]:
            house.lay(SIX_SIX, None, owe=False, lies=open_at(house, first))
            house.honestly()
            house.lay(SIX_SIX, "left", owe=False, lies=open_at(house, second))
            return house
    return None


def stranger(setup: Setup) -> Liar | None:
    """A tile of a larger set lies where the 0-0 was, and fits the 6-6 that leads."""
    place = position_of(setup, 0)
    house = stacked_house(setup, {place: tile_id(7, 6)})
    at, size = crooked.positions(house.state, 1), house.state.terms.rules.hand
    if house.turn or house.hand.must_set != SIX_SIX or place not in at[size : 2 * size]:
        return None
    house.act(house.legal()[0])
    house.honestly()
    house.lay(tile_id(7, 6), "left", owe=False)
    return house


def openings() -> Iterator[Scenario]:
    """413 and 414."""
    for ruleset, seats in (("block", 3), ("draw", 2)):
        yield Cheat(
            f"seal-other-tile-{ruleset}",
            f"A seal is opened as another tile than it holds; {RUNS}",
            "seal/mismatch",
            Setup(ruleset, seats, {"hand": 5}, phrase="other tile"),
            other_tile,
        ).forged("T3", "T5")
    for ruleset, seats in (("block", 2), ("draw", 4)):
        house = liar(ruleset, seats, phrase="other salt").bend("played", setting("salt", ELSE))
        yield forged(
            f"seal-other-salt-{ruleset}",
            "A seal is opened with a salt that is not its own.",
            "seal/mismatch",
            house.start().play(),
            "T3",
        )
    yield forged(
        "deal-tile-twice",
        f"A wash has a tile twice; both are played, {RUNS}",
        "deal/duplicate-tile",
        find(Setup("block", 2, {"hand": 7}, auto_forced=False, phrase="twice"), doubled),
        "T4",
    )
    yield forged(
        "deal-tile-unknown",
        f"A wash holds the 7-6, which a double-six set has not; {RUNS}",
        "deal/duplicate-tile",
        find(Setup("draw", 2, {"hand": 9}, auto_forced=False, phrase="stranger"), stranger),
        "T4",
    )


# Draws (415).


def moved_up(house: Liar) -> bool:
    """A tile that fits is drawn where the front one would not fit."""
    if not reach(house, has_to(Draw)) or len(house.hand.stock) < 4:
        return False
    front, *behind = house.hand.stock
    wanted = [tile for tile in behind if fits(house.hand, tile)]
    if not wanted or fits(house.hand, front):
        return False
    house.take(wanted[0])
    house.play()
    return True


def last_drawn(house: Liar) -> bool:
    """The very last tile is drawn."""
    if not reach(house, has_to(Draw)) or len(house.hand.stock) < 4:
        return False
    house.take(house.hand.stock[-1])
    return house.playing


def draws() -> Iterator[Scenario]:
    """415."""
    for seats in (2, 3, 4):
        yield Cheat(
            f"cut-draw-moved-up-{seats}",
            "A tile that fits is moved up the boneyard for the seat that draws.",
            "cut/draw",
            Setup("draw", seats, {"hand": 4}, auto_forced=False, phrase="moved up"),
            moved_up,
        ).forged("T5")
    options = {"hand": 4, "protected": 1}
    yield Cheat(
        "cut-draw-protected",
        f"A protected tile is drawn while others lie there; {RUNS}",
        "cut/draw",
        Setup("draw", 2, options, auto_forced=False, phrase="last"),
        last_drawn,
    ).forged("T5")
