"""Gifts against the rules (threats T13, T31)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fairbones.core.match.steps import Draft
from fairbones.core.rules import Give, fixed, giver
from fairbones.core.rules.hand import Finish, Since
from tests.forge.cheats.making import Cheat, reach
from tests.forge.cheats.moves import can_play, on_table
from tests.forge.house import House, Setup
from tests.forge.liar import Liar, fitting, held
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

Make = Callable[[Liar], bool | None]
TRANSFER: dict[str, object] = {"transfer": True}


def due(house: House) -> bool:
    """A transfer is due, and the giver has a choice."""
    seat = giver(house.hand)
    return seat is not None and house.hand.hands[seat].bit_count() > 2


def sat_out(house: Liar) -> bool:
    """A seat passes though it should have been given a tile first."""
    if not reach(house, due):
        return False
    house.stop()
    house.play()
    return True


def given(
    house: Liar, tile: int, *, fixed_: bool = False, owe: bool = True, **lies: object
) -> None:
    """The seat at the left of the one on turn gives it a tile, whatever the rules say."""
    hand = house.hand
    seat = hand.rules.giver[hand.turn]
    masks = list(hand.hands)
    masks[seat] &= ~(1 << tile)
    masks[hand.turn] |= 1 << tile
    after = hand.but(
        hands=tuple(masks),
        since=Since(drawn=False, given=tile, window=None),
        fits=1 << tile & hand.table.suits,
        over=None if masks[seat] else Finish("domino", seat),
    )
    data: Json = {"seat": seat, "to": hand.turn, "seal": house.opening(tile)["seal"]}
    house.moved("gave", data | lies, after, owe=owe, fixed=fixed_)


def kept_from(house: Liar) -> bool:
    """A gift to a seat that can play."""
    if not reach(house, lambda it: on_table(it) and bool(it.hand.fits)):
        return False
    seat = house.hand.rules.giver[house.turn]
    tiles = [t for t in held(house.hand, seat) if house.hand.table.suits >> t & 1]
    if not tiles or len(held(house.hand, seat)) < 3:
        return False
    given(house, tiles[0])
    house.play()
    return True


def twice(house: Liar) -> bool:
    """A seat is given a second tile in one turn."""
    if not reach(house, due):
        return False
    useless = [
        g for g in house.legal() if isinstance(g, Give) and not house.hand.table.suits >> g.tile & 1
    ]
    if len(useless) < 2:
        return False
    given(house, useless[0].tile, owe=False)
    house.honestly()
    given(house, useless[1].tile)
    house.play()
    return True


def another_played(house: Liar) -> bool:
    """A seat that could play was given a tile, and plays its own; the hand runs."""
    if not reach(house, lambda it: on_table(it) and bool(it.hand.fits)):
        return False
    seat, own = house.turn, fitting(house.hand, house.turn)[0]
    end = next(play.end for play in house.plays() if play.tile == own)
    tiles = held(house.hand, house.hand.rules.giver[seat])
    if len(tiles) < 3 or len(held(house.hand, seat)) < 3:
        return False
    given(house, tiles[0], owe=False)
    house.honestly()
    house.lay(own, end, owe=False)
    return house.hand.over is None and bool(house.hand.fits)


def foreign(house: Liar) -> bool:
    """The seal that is given is the receiver's own."""
    if not reach(house, due):
        return False
    own = held(house.hand, house.hand.turn)[0]
    tile = house.legal()[0]
    assert isinstance(tile, Give)
    given(house, tile.tile, seal=house.opening(own)["seal"])
    house.play()
    return True


def lighter_gift(house: Liar) -> bool:
    """After a time-out another tile than the heaviest is given."""
    if not reach(house, due):
        return False
    choice = fixed(house.hand)
    other = next(gift for gift in house.legal() if gift != choice)
    assert isinstance(other, Give)
    house.time_out()
    given(house, other.tile, fixed_=True)
    house.play()
    return True


def too_soon_for_another(house: Liar) -> bool:
    """The time of the seat on turn runs out with the second of the slow one at its left."""
    house.start()
    while house.playing and not slow_beside(house):
        if house.turn == 1:
            house.touch()
        else:
            house.act(house.dice.choice(house.legal()))
    if not house.playing:
        return False
    house.now = house.state.waiting_since + 1_000
    house.mark()
    house.follow(Draft("timed_out", {"seat": house.turn}), house.now)
    return house.playing


def slow_beside(house: House) -> bool:
    """A seat can play; the one at its left was idle three times, itself it was not."""
    hand, idle = house.hand, house.state.idle
    return can_play(house) and idle[hand.rules.giver[hand.turn]] >= 3 > idle[hand.turn]


def wrong_giver(house: Liar) -> bool:
    """The seat at the right gives in place of the one at the left."""
    if not reach(house, due):
        return False
    hand = house.hand
    seat = (hand.turn + 1) % 4
    tile = held(hand, seat)[0]
    masks = list(hand.hands)
    masks[seat] &= ~(1 << tile)
    masks[hand.turn] |= 1 << tile
    after = hand.but(
        hands=tuple(masks),
        since=Since(drawn=False, given=tile, window=None),
        fits=1 << tile & hand.table.suits,
    )
    data: Json = {"seat": seat, "to": hand.turn, "seal": house.opening(tile)["seal"]}
    house.moved("gave", data, after, owe=True, fixed=False)
    house.play()
    return True


def elsewhere(house: Liar) -> bool:
    """The gift is said to go to a seat that is not on turn."""
    if not reach(house, due):
        return False
    gift = house.legal()[0]
    assert isinstance(gift, Give)
    given(house, gift.tile, to=(house.hand.turn + 1) % 4, owe=False)
    return True


def exempt_gave(house: Liar) -> bool:
    """A seat with one tile gives it although that is exempt."""

    def one_left(it: House) -> bool:
        hand = it.hand
        seat = hand.rules.giver[hand.turn]
        stuck = on_table(it) and not hand.fits and hand.given is None
        return stuck and hand.hands[seat].bit_count() == 1

    if not reach(house, one_left):
        return False
    seat = house.hand.rules.giver[house.hand.turn]
    given(house, held(house.hand, seat)[0])
    house.play()
    return True


def gifts() -> Iterator[Scenario]:
    """354, 412, 501, 505 and 514 to 516."""
    cheats: tuple[tuple[str, str, str, Make], ...] = (
        ("must-give", "A seat passes before it was given a tile.", "rules/must-give", sat_out),
        ("may-not-give", "A seat that can play is given a tile.", "rules/may-not-give", kept_from),
        ("given-twice", "A seat is given two tiles in a turn.", "rules/may-not-give", twice),
        ("given-tile", "The receiver plays another tile.", "rules/given-tile", another_played),
        ("fixed-gift", "A time-out gives a lighter tile.", "rules/fixed-step", lighter_gift),
        ("wrong-giver", "The seat at the right gives.", "rules/not-your-turn", wrong_giver),
        ("gave-elsewhere", "The gift goes elsewhere.", "rules/may-not-give", elsewhere),
    )
    for name, about, code, make in cheats:
        setup = Setup("middle-eastern", 4, TRANSFER, phrase=name)
        yield Cheat(f"rules-{name}", about, code, setup, make).forged("T13")
    yield Cheat(
        "rules-gave-foreign",
        "A seal of the receiver's is given.",
        "cut/foreign-seal",
        Setup("middle-eastern", 4, TRANSFER, phrase="gave-foreign"),
        foreign,
        alone=("points/counts", "points/points", "rules/given-tile"),
        because="The tile that really went is in another hand than the file says.",
    ).forged("T13")
    yield Cheat(
        "time-early-timeout-gift",
        "In a running hand a seat's time runs out after the second of the slow one at its left.",
        "time/early-timeout",
        Setup("middle-eastern", 4, TRANSFER, phrase="too soon"),
        too_soon_for_another,
    ).forged("T31")
    exempt = TRANSFER | {"last_tile_transfer": "exempt"}
    yield Cheat(
        "rules-exempt-gave",
        "A last tile is given although it is exempt.",
        "rules/may-not-give",
        Setup("middle-eastern", 4, exempt, auto_forced=False, phrase="exempt gives"),
        exempt_gave,
    ).forged("T13")


PARTS = (gifts,)
