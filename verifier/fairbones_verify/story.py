"""What a failure is about, in one sentence for each check. Nothing here judges anything.

`{act}` is the false event in words, `{expected}` and `{got}` are those of the failure, `{more}` is
what the table knows besides.
"""

from __future__ import annotations

from typing import Any

from .besides import MORE, Case
from .report import LONGEST, Failure, shown
from .table import Event, Table
from .words import listing

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
    "authority/key": "{act}, but {more}",
    "authority/reserved": "{act} without the key that this seat is reserved for",
    "authority/unsigned": "{act}, but {more} has a key and has not signed it",
    "authority/undue-signature": "{act} with a signature, but {more}",
    "authority/signature": "{act}, but {more} has not signed this: the signature is for something"
    " else, or of another key",
    "time/close-by": "the last moment of this match (close_by) is {got}; it has to be {expected}",
    "time/late-seat": "{act} at {got}",
    "time/late-seed": "{act} at {got}",
    "time/early-void": "{act} at {got}",
    "time/early-timeout": "{act} at {got}",
    "time/late-action": "{act} at {got}",
    "time/early-step": "{act} at {got}: the time for calls after a play was not over",
    "time/after-close": "{act} at {got}: the match had to be over (close_by)",
    "deal/options": "this match asks for {got}; possible is {expected}",
    "deal/wash-count": "the house announced {got} at the start; due is {expected}",
    "seed/server-seed": "the seed that the house shows at the end does not have the hash that the"
    " house gave at the start",
    "seed/not-opened": "the house never shows its seed, so no tile can be proved",
    "wash/root": "the house's seed does not give the wash that was announced for {more}",
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
    "rules/listed-form": "{act}{end}, but where ends are alike it is written down as {more}",
    "rules/must-play": "{act}, although {more}",
    "rules/must-draw": "{act} with tiles left to draw: it has to draw first",
    "rules/may-not-draw": "{act}, but there is nothing to draw",
    "rules/may-not-decline": "{act}, which is not allowed here",
    "rules/must-give": "{act}, but before that it has to be given a tile; expected: {expected}",
    "rules/may-not-give": "{act}, but {more}",
    "rules/given-tile": "{act}{end}, but it has to play the tile it was given, from {expected}",
    "rules/claim": "{act}{end} and claims {got}; the rules allow {more}",
    "rules/may-not-call": "{act}, but {more}",
    "points/play": "{act}{end} and is credited with {got}; by the rules it is {expected}",
    "points/reason": "{act}, but the true reason is {expected}",
    "points/counts": "{act}; the pips left in the hands are {expected}; the house counts {got}",
    "points/winner": "{act} and given to {got}; by the rules the winner is {expected}",
    "points/points": "{act}; its points are {expected}; the house gives {got}",
    "points/scores": "{act}; the scores are then {expected}; the house writes {got}",
    "points/match-over": "{act}, but {more}",
    "points/match-reason": "{act}, but the true reason is {expected}",
    "points/call": "{act} and takes {got}; what was missed and counts is {expected}",
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

ACTS = {
    "opened": "the match is opened",
    "seated": "{who} sits down",
    "seeded": "{who} shows a seed",
    "lead_drawn": "the seats draw for the lead",
    "dealt": "hand {round} is dealt",
    "played": "{who} plays {tile} from position {seal}",
    "drew": "{who} draws position {seal}",
    "gave": "{who} gives {to} position {seal}",
    "called": "{who} calls",
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
    to = table.who(data["to"]) if "to" in data else ""
    return ACTS[event["type"]].format(**{**data, "who": who, "to": to})


def where_to(event: Event) -> str:
    """The end at which a tile is laid down."""
    return f" at the {event['data']['end']} end" if "end" in event["data"] else ""
