"""What a failure is about, in one sentence for each check. Nothing here judges anything.

`{act}` is the false event in words, `{expected}` and `{got}` are those of the failure, `{more}` is
what the table knows besides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from . import deal
from .report import LONGEST, Failure, shown
from .table import Event, Table
from .words import listing, plural

SENTENCES = {
    "chain/match": "event {i} is of another match than the first event",
    "chain/seq": "the event at place {i} of the list says that it is {got}",
    "chain/prev": "event {i} {more}",
    "chain/time": "event {i} is dated {got}: no event is earlier than the one before it",
    "order/first": "the list begins with {got}; a match begins with opened",
    "order/after-end": "the match is at its end, and yet {act}",
    "order/unexpected": "{act}, which has no place here: {more}",
    "order/seat": "{act}, but {more}",
    "order/round": "{act}, but {expected} is due",
    "order/step": "{act} at {got}: it belongs to the step of the event before, at the same time",
    "order/void": "{act}, but not as it may be; expected: {expected}",
    "order/unfinished": "the file ends in the middle of a step: what is missing is {expected}",
    "authority/clear-seed": "{act} with a seed in the clear: {more}",
    "authority/duplicate-seed": "{act} with the very seed or commitment of {more}",
    "authority/receipt": "the receipt that the house shows for what it lost is not validly signed"
    " by the key of this match",
    "time/close-by": "the last moment of this match (close_by) is {got}; it has to be {expected}",
    "time/late-seat": "{act} at {got}",
    "time/late-seed": "{act} at {got}",
    "time/early-void": "{act} at {got}",
    "time/early-timeout": "{act} at {got}",
    "time/late-action": "{act} at {got}",
    "time/after-close": "{act} at {got}: the match had to be over (close_by)",
    "deal/options": "this match asks for {got}; possible is {expected}",
    "deal/wash-count": "the house announced {got} at the start; due is {expected}",
    "seed/server-seed": "the seed that the house shows at the end does not have the hash that the"
    " house gave at the start",
    "seed/not-opened": "the house never shows its seed, so no tile can be proved",
    "wash/root": "the house's seed does not give the wash that was announced for hand {more}",
    "seed/seated-hash": "{act} for another seating than the one that stands here",
    "seed/commitment": "{act}, but it is not the one that this seat committed to",
    "deal/seals": "{act}, but its seals are not those that were announced at the start",
    "deal/hand-size": "{act} with {got} for each seat; by the rules it is {expected}",
    "deal/aside": "{act} with tiles set aside; by the rules none is",
    "deal/lead": "{act} and {got} is to lead; by the rules it is {expected}",
    "deal/must-set": "{act} and the first tile has to be {got}; by the rules it is {expected}",
    "cut/foreign-seal": "{act}, but that position is {more}",
    "seal/mismatch": "{act}, but the seal there does not hold it{more}",
    "deal/duplicate-tile": "{act}; expected: {expected}",
    "cut/draw": "{act}, but the front of the boneyard is {expected}{more}",
    "draw/result": "the result is not the one that the seeds give",
    "seed/round-seed": "{act}, but the seed shown for it is not the one that its tiles were sealed"
    " with",
    "rules/hand-over": "{act}, but the hand is over: {more}",
    "rules/fixed-step": "{act}{end}, but the house had to move for {more}; expected: {expected}",
    "rules/abandon": "{act}, but no seat has made its last three moves itself: the match had to be"
    " abandoned",
    "rules/forced-step": "{act}, but first was due: {expected}",
    "rules/not-over": "{act}, but it goes on: {more}",
    "rules/not-your-turn": "{act}, but it is the turn of {expected}",
    "rules/must-set": "{act}, but the first tile has to be {expected}",
    "rules/end": "{act}{end}, but {more}",
    "rules/does-not-fit": "{act}{end}, which does not fit; expected: {expected}",
    "rules/listed-form": "{act}{end}, but where both ends are alike it is written down as left",
    "rules/must-play": "{act}, although {more}",
    "rules/must-draw": "{act} with tiles left to draw: it has to draw first",
    "rules/may-not-draw": "{act}, but there is nothing to draw",
    "rules/may-not-decline": "{act}, which is not allowed here",
    "points/play": "{act} and is given {got}; a play by itself scores nothing here",
    "points/reason": "{act}, but the true reason is {expected}",
    "points/counts": "{act}; the pips left in the hands are {expected}; the house counts {got}",
    "points/winner": "{act} and given to {got}; by the rules the winner is {expected}",
    "points/points": "{act}; its points are {expected}; the house gives {got}",
    "points/scores": "{act}; the scores are then {expected}; the house writes {got}",
    "points/match-over": "{act}, but {more}",
    "points/match-reason": "{act}, but the true reason is {expected}",
    "points/match-winner": "{act} and given to {got}; by the rules the winner is {expected}",
    "key/id": "the entry {where} in this file is wrong: another id, no good key, or there twice",
    "key/missing": "the key that this match names is not among the keys in this file",
    "key/other": "this match names the key {got}; you gave {expected}",
    "receipt/match": "the receipt in this file is of another match",
    "receipt/key": "the receipt in this file is of another key than the match",
    "receipt/not-head": "the receipt in this file is not for its last event",
    "receipt/signature": "the signature of the receipt in this file is not valid",
    "receipt/not-in-transcript": "your receipt is for {expected}; in this file that event has"
    " another hash",
    "receipt/beyond-end": "your receipt is for {expected}; in this file {got}",
}

STAGES = {
    "seating": "not all seats are taken",
    "seeding": "not all seeds are shown",
    "ready to deal": "a hand has to be dealt",
    "ready to draw": "the draw is due",
    "hand": "a hand is being played",
    "between hands": "the next hand or the end is due",
}

ACTS = {
    "opened": "the match is opened",
    "seated": "{who} sits down",
    "seeded": "{who} shows a seed",
    "dealt": "hand {round} is dealt",
    "played": "{who} plays {tile} from position {seal}",
    "drew": "{who} draws position {seal}",
    "passed": "{who} passes",
    "declined": "{who} declines to play",
    "timed_out": "{who} runs out of time",
    "left": "{who} leaves",
    "round_ended": "hand {round} is ended ({reason})",
    "match_ended": "the match is ended ({reason})",
    "voided": "the match is called off ({reason})",
    "drawn": "the draw is made",
}

TRANSCRIPT = ("events", "keys", "protocol", "receipt")


def told(table: Table, failure: Failure) -> str:
    """The sentence for a failure. `table` is as the failure found it."""
    event = table.events[table.i] if table.i < len(table.events) else None
    more = MORE.get(failure.code)
    said = SENTENCES[failure.code].format(
        i=table.i,
        act="" if event is None else act(table, event),
        end="" if event is None else where_to(event),
        where=failure.where,
        expected=failure.expected,
        got=failure.got,
        more="" if event is None or more is None else more(Case(table, event, failure)),
    )
    # "Hand 3 is dealt" says already which hand it is.
    if event is not None and event["type"] not in ("dealt", "round_ended") and table.hand:
        said = f"hand {table.round}: {said}"
    return shown(said[0].upper() + said[1:] + ".", 5 * LONGEST)


def no_transcript(value: dict[str, Any]) -> str:
    """What to say about a JSON object that has not the members of a transcript; else nothing."""
    missing = [name for name in TRANSCRIPT if name not in value]
    if not missing:
        return ""
    return (
        f"This is JSON, but not a transcript: it has no {listing(missing)}. "
        "Fetch .../transcript of the match and save it as served."
    )


def act(table: Table, event: Event) -> str:
    """An event as somebody would tell it."""
    data = event["data"]
    who = table.who(data["seat"]) if "seat" in data else ""
    if "name" in data:  # it sits down just now
        who = f"seat {data['seat']} ({data['name']})"
    return ACTS[event["type"]].format(**{**data, "who": who})


def where_to(event: Event) -> str:
    """The end at which a tile is laid down."""
    return f" at the {event['data']['end']} end" if "end" in event["data"] else ""


# What the table knows besides.


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
    if at.event["data"]["seat"] >= at.table.seats:
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


def washed(at: Case) -> str:
    """Check 404: of which hand."""
    return str(at.table.opened["washes"].index(at.failure.got) + 1)


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
    hands = at.table.hand.hands if at.table.hand is not None else []
    out = [at.table.who(seat) for seat, held in enumerate(hands) if not held]
    return f"{listing(out)} has no tile left" if out else "nobody can play or draw"


def goes_on(at: Case) -> str:
    """Check 504: why a hand is not over."""
    if at.event["data"]["reason"] == "abandoned":
        return "the match may not be abandoned here"
    if at.table.hand is None or not at.table.hand.line:
        return "no tile has been played yet"
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
    tiles = hand.held(seat)
    if tiles is None:
        tiles = [hand.shown[place] for place in hand.hands[seat] if place in hand.shown]
    fitting = [deal.written(tile) for tile in tiles if hand.fits(tile)]
    return f"it holds a tile that fits: {', '.join(fitting)}" if fitting else "every tile fits"


MORE: dict[str, Callable[[Case], str]] = {
    "chain/prev": before,
    "order/unexpected": lambda at: STAGES[at.table.stage],
    "order/seat": seat,
    "authority/clear-seed": clear,
    "authority/duplicate-seed": twin,
    "wash/root": washed,
    "cut/foreign-seal": lies,
    "seal/mismatch": holds,
    "cut/draw": front,
    "rules/hand-over": over,
    "rules/fixed-step": lambda at: at.table.who(at.table.must_step() or 0),
    "rules/not-over": goes_on,
    "rules/end": end,
    "rules/must-play": playable,
    "points/match-over": goes_on_or_not,
}
