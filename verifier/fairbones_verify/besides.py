"""What the table knows besides, for the sentences of story.py. Nothing here judges anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from . import deal
from .report import Failure
from .seatkeys import signer
from .table import Event, Table
from .words import listing, plural

STAGES = {
    "seating": "not all seats are taken",
    "seeding": "not all seeds are shown",
    "ready to draw for the lead": "the seats have to draw for the lead",
    "ready to deal": "a hand has to be dealt",
    "ready to draw": "the draw is due",
    "hand": "a hand is being played",
    "between hands": "the next hand or the end is due",
}


class Case(NamedTuple):
    """A failure at an event, and the table as the failure found it."""

    table: Table
    event: Event
    failure: Failure


def before(at: Case) -> str:
    """Check 102."""
    if not at.table.i:
        return "names an event before it, and there is none"
    return (
        "does not name the hash of the event before it: one of the two was changed, or does not"
        " belong there"
    )


def seat(at: Case) -> str:
    """Check 203."""
    named = [at.event["data"][member] for member in ("seat", "to") if member in at.event["data"]]
    if not named:
        return f"a seat is promised to somebody and there are only {at.table.seats}, counted from 0"
    if max(named) >= at.table.seats:
        return f"this match has only {plural(at.table.seats, 'seat')}, counted from 0"
    done = {"seated": "that seat is taken", "left": "it has left"}
    return done.get(at.event["type"], "its seed is known") + " already"


def clear(at: Case) -> str:
    """Check 300."""
    if at.table.opened["clear_seeds"]:
        return "no seat has committed, so the house alone chose"
    return "this match asks for commitments"


def twin(at: Case) -> str:
    """Check 301: whose seed it is."""
    names = ("client_seed_commitment", "client_seed")
    same = [seat for seat, one in at.table.seated.items() if at.failure.got in map(one.get, names)]
    return listing([at.table.who(seat) for seat in same if seat != at.event["data"]["seat"]])


def bad_key(at: Case) -> str:
    """Check 303."""
    if at.event["type"] == "opened":
        named = (one for one in at.table.opened["reserved"] if "public_key" in one)
        seat = next(one["seat"] for one in named if one["public_key"] == at.failure.got)
        return f"the key that seat {seat} is reserved for is no good key: it would prove nothing"
    if at.failure.expected == "a key of its own":
        same = [s for s, one in at.table.seated.items() if one.get("public_key") == at.failure.got]
        return f"its key is that of {listing([at.table.who(other) for other in same])}"
    return "its key is no good key: what is signed under such a key proves nothing"


def who_signs(at: Case) -> str:
    """Checks 305 and 307: the seat whose signature is due."""
    seat = signer(at.table, at.event)
    return "nobody" if seat is None else at.table.who(seat)


def unsigned(at: Case) -> str:
    """Check 306: why no signature is due."""
    if at.event["data"].get("seat") in at.table.keys:
        return "this is a step of the house, which no seat signs"
    return "whoever is said to have signed it has no key"


def washed(at: Case) -> str:
    """Check 404: of which hand."""
    if at.failure.got == at.table.opened.get("lead_wash"):
        return "the lead draw"
    return f"hand {at.table.opened['washes'].index(at.failure.got) + 1}"


def lies(at: Case) -> str:
    """Check 412: where a position is, if not in the hand it is played from."""
    place, hand = at.event["data"]["seal"], at.table.hand
    if hand is not None:
        for owner, held in enumerate(hand.hands):
            if place in held:
                return f"in the hand of {at.table.who(owner)}"
        if place in hand.boneyard:
            return "in the boneyard"
    return "not there, or not there any more"


def tile_at(table: Table, place: int) -> str | None:
    """The tile at a position, where it is known."""
    tiles = table.hand.tiles if table.hand is not None else None
    return deal.written(tiles[place]) if tiles is not None and place < len(tiles) else None


def holds(at: Case) -> str:
    """Check 413: what the seal does hold."""
    there = tile_at(at.table, at.event["data"]["seal"])
    if there is None:
        return ""
    return " with this salt" if there == at.event["data"]["tile"] else f"; it holds {there}"


def front(at: Case) -> str:
    """Check 415: which tile should have been drawn, and which was."""
    yard = at.table.hand.boneyard if at.table.hand is not None else []
    due, got = tile_at(at.table, yard[0]), tile_at(at.table, at.event["data"]["seal"])
    return "" if due is None or got is None else f": {due} was due, {got} was taken"


def over(at: Case) -> str:
    """Check 500: why a hand is over."""
    hand, reason = at.table.hand, None if at.table.hand is None else at.table.hand.over()
    if hand is None or reason == "blocked":
        return "nobody can play or draw"
    if reason == "target":
        return "the match is won by the points of a play or a call"
    return f"{at.table.who(hand.last)} has no tile left"


def goes_on(at: Case) -> str:
    """Check 504: why a hand is not over."""
    if at.event["data"]["reason"] == "abandoned":
        return "the match may not be abandoned here"
    if at.table.hand is None or not at.table.hand.line.tiles:
        return "no tile has been played yet"
    if at.event["data"]["reason"] == "target":
        return "the match is not won by points of this hand"
    drawable = at.table.hand.may_draw()
    return "there are tiles to draw" if drawable else "somebody holds a tile that fits"


def end(at: Case) -> str:
    """Check 507."""
    if "end" in at.event["data"]:
        return "the first tile lies at no end"
    return "it does not say at which end"


def goes_on_or_not(at: Case) -> str:
    """Check 606."""
    over = at.event["type"] == "dealt"
    return "the match is over" if over else "the match is not over: another hand is due"


def playable(at: Case) -> str:
    """Check 510: what could have been played."""
    hand, seat = at.table.hand, at.event["data"]["seat"]
    if hand is None or at.failure.got == "every seat passed in a row":
        return "nobody has played since every seat passed; one of them could have"
    tiles = hand.held(seat) if hand.line.tiles else []  # before the first tile every tile fits
    if tiles is None:
        tiles = [hand.shown[place] for place in hand.hands[seat] if place in hand.shown]
    fitting = [deal.written(tile) for tile in tiles if hand.fits(tile)]
    return f"it holds a tile that fits: {', '.join(fitting)}" if fitting else "every tile fits"


def no_gift(at: Case) -> str:
    """Check 515: why nothing may be given."""
    hand, data = at.table.hand, at.event["data"]
    if hand is None or not hand.row.get("transfer"):
        return "in this game nobody gives a tile away"
    if data["to"] != hand.turn:
        return f"it is the turn of {at.table.who(hand.turn)}"
    if not hand.line.tiles:
        return "no tile has been played yet"
    if hand.given is not None:
        return "there was a gift in this turn already"
    if hand.exempt(data["seat"]):
        return "nobody gives a last tile away"
    return f"{at.table.who(hand.turn)} can play"


def claims(at: Case) -> str:
    """Check 517: what may be claimed."""
    return "no claims" if at.failure.expected == "nothing" else at.failure.expected


def no_call(at: Case) -> str:
    """Check 518: why nothing may be called."""
    hand, seat = at.table.hand, at.event["data"]["seat"]
    if hand is None or not hand.muggins:
        return "in this game nobody calls"
    if hand.window is None:
        return "the last move is not a play"
    if seat in at.table.left:
        return "that seat has left"
    return "that is no opponent of who played"


MORE: dict[str, Callable[[Case], str]] = {
    "chain/prev": before,
    "order/unexpected": lambda at: STAGES[at.table.stage],
    "order/seat": seat,
    "authority/clear-seed": clear,
    "authority/duplicate-seed": twin,
    "authority/key": bad_key,
    "authority/unsigned": who_signs,
    "authority/undue-signature": unsigned,
    "authority/signature": who_signs,
    "wash/root": washed,
    "cut/foreign-seal": lies,
    "seal/mismatch": holds,
    "cut/draw": front,
    "rules/hand-over": over,
    "rules/fixed-step": lambda at: at.table.who((at.table.must_step() or [0])[0]),
    "rules/not-over": goes_on,
    "rules/end": end,
    "rules/listed-form": lambda at: at.failure.expected.partition(":")[0],
    "rules/must-play": playable,
    "rules/may-not-give": no_gift,
    "rules/claim": claims,
    "rules/may-not-call": no_call,
    "points/match-over": goes_on_or_not,
}
