"""The judge: a document in, a verdict out (SPEC 9).

One pass over the events. Each is checked against the table in the order of the numbers of
spec/codes.md, and then believed: `take` makes its statement the new state of the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import codes, deal, notes, shape, story, strictjson, witness
from .authority import authority, times
from .counting import counting
from .games import points
from .games.hand import MOVES, Hand
from .games.lead import Before, draws_for_lead
from .hashing import event_hash
from .order import chain, finish, order
from .protest import Protest
from .receipts import NotStarted, closing, convicts, key_of, pin, usable
from .report import Failure, Report
from .rules import rules
from .sealed import sealed
from .seatkeys import sound
from .signature import Receipt
from .strictjson import Flaw
from .table import Event, Refuted, Table

ENDS = ("match_ended", "voided", "drawn")


def verify(
    data: bytes,
    *,
    receipts: Iterable[Receipt] = (),
    keys: Iterable[bytes | str] = (),
    seeds: Iterable[tuple[int, bytes]] = (),
    openings: Iterable[Any] = (),
    protests: Iterable[Any] = (),
    without: Iterable[str] = frozenset(),
) -> Report:
    """The verdict on a transcript (SPEC 9). Raises nothing; see `Report.verdict`.

    data: the transcript as it was served.
    receipts: receipts from elsewhere for the same match, as decoded JSON objects.
    keys: public keys of the house known from elsewhere ("pinned"), 32 bytes or 64 hex digits each.
    seeds: (seat, 32 bytes) of seats that a void names missing; shows the deal that was dropped.
    openings: objects with the tiles that a seat knew of a hand, or its saved views (SPEC 9.9).
    protests: moves as seats have sent and signed them, decoded JSON objects (SPEC 9.9).
    without: codes of checks to leave out. Only tests of forgeries have a use for this.
    """
    off = frozenset(without)
    document, flaw = strictjson.document(data)
    if document is not None and flaw is None:
        flaw = shape.flaw(document)
    if document is None or flaw is not None:
        return unreadable(flaw, document)
    value, given = document.value, list(receipts)
    first = value["events"][0]
    try:
        pinned = pin(keys)
        name, match_key = key_of(value, pinned)
        for receipt in given:
            usable(receipt, first["match"], name, match_key)
        hashes = [event_hash(text) for text in document.texts]
        events, match = value["events"], bytes.fromhex(first["match"])
        hinted = [witness.seed(hashes[0], events, seat, seed) for seat, seed in seeds]
        shown = [tile for one in openings for tile in witness.openings(one, match, events)]
        protested = [witness.protest(one, events, hashes) for one in protests]
    except NotStarted as problem:
        code, expected, got = problem.args
        words = ("the command line", expected, got, codes.CAUSE[code])
        return Report("not-started", failure=Failure(code, 0, *words))
    table = Table(value["events"], hashes, match_key, off)
    for r, position, tile in shown:
        table.shown.setdefault(r, {})[position] = tile
    failure: Failure | None = None
    try:
        run(table, protested)
        closing(table, value, pinned, given)
    except Refuted as refuted:
        failure = refuted.failure
    report = Report("verified" if failure is None else "refuted", failure=failure)
    report.story = "" if failure is None else story.told(table, failure)
    report.match = first["match"]
    report.events = len(hashes)
    report.complete = value["events"][-1]["type"] in ENDS
    report.convicts = failure is not None and convicts(table, value, pinned, given, failure)
    report.proved, report.open = table.proved, table.open
    report.forced_steps, report.plays = table.forced_steps, table.plays
    report.switched_off = sorted(off)
    report.protests = protested
    notes.write(report, table, bool(pinned), given, dict(hinted))
    return report


def unreadable(flaw: Flaw | None, document: strictjson.Document | None) -> Report:
    """The report on a document that cannot be judged."""
    code, where, expected, got = flaw or Flaw("format/json", "the document", "", "")
    failure = Failure(code, codes.NUMBER[code], where, expected, got, codes.CAUSE[code])
    said = "" if document is None else story.no_transcript(document.value)
    return Report("unreadable", failure=failure, story=said)


def run(table: Table, protested: list[Protest] | None = None) -> None:
    """Checks 100 to 799 on every event; raises Refuted at the first that fails.

    Of each move that is protested about it is seen whether its seat could act at that place.
    """
    moves = protested or []
    for i, event in enumerate(table.events):
        table.i = i
        witness.at_the_table(table, moves)
        chain(table, event)
        if order(table, event):
            authority(table, event)
            times(table, event)
            sealed(table, event)
            rules(table, event)
            counting(table, event)
            take(table, event)
    table.i = len(table.events)
    witness.at_the_table(table, moves)
    finish(table)


def take(table: Table, event: Event) -> None:
    """What an event says becomes the state of the table."""
    name, data, at = event["type"], event["data"], event["at"]
    if name == "opened":
        table.stage, table.opened_at = "seating", at
        table.idle = [0] * table.seats
        if not table.draw:
            table.scores = [0] * points.sides_of(table.row, table.seats)
    elif name in ("seated", "seeded"):
        seating(table, event)
    elif name == "lead_drawn":
        table.stage, table.drawn_lead = "ready to deal", data["lead"] % table.seats
    elif name == "dealt":
        table.stage, table.round, table.waiting_since = "hand", data["round"], at
        table.open.append(data["round"])
    elif name == "left":
        table.left.add(data["seat"])
    elif name == "round_ended":
        close_hand(table, data["reason"], data.get("winner"))
        table.ended, table.scores = data["reason"], list(data["scores"])
        table.stage = "between hands"
    elif name in ENDS:
        close_hand(table, name, None)
        table.stage = "ended"
    elif table.hand is not None:
        in_hand(table, table.hand, event)


def in_hand(table: Table, hand: Hand, event: Event) -> None:
    """A move, a call, or a seat that runs out of time."""
    data = event["data"]
    if event["type"] in MOVES:
        move(table, hand, event)
    elif event["type"] == "called":
        hand.call(data["seat"], data["points"])
    else:
        table.owed = data["seat"]
        # The giver of a transfer may run out of time without being on turn (R6).
        if data["seat"] not in hand.actors():
            hand.turn = data["seat"]


def seating(table: Table, event: Event) -> None:
    """A seat is taken, or its seed known. With the last seed the cut is fixed (SPEC 5.3)."""
    data = event["data"]
    if event["type"] == "seated":
        seat, key = data["seat"], data.get("public_key")
        table.keys.pop(seat, None)
        if key is not None:
            table.keys[seat] = bytes.fromhex(key) if sound(table, seat, key) else None
        table.seated[seat] = data
        table.seated_at, table.seated_hash = event["at"], table.hashes[table.i]
        if len(table.seated) == table.seats:
            table.stage = "seeding"
    if "client_seed" in data:
        table.seeds[data["seat"]] = bytes.fromhex(data["client_seed"])
    if table.stage == "seeding" and len(table.seeds) == table.seats:
        opened_hash = table.hashes[0]
        table.cut_key = deal.cut_key(opened_hash, [table.seeds[s] for s in range(table.seats)])
        table.stage = "ready to draw" if table.draw else "ready to deal"
        if draws_for_lead(table.row):
            table.stage = "ready to draw for the lead"


def close_hand(table: Table, reason: str, winner: int | None) -> None:
    """The running hand ends; it is proved when its tiles were known all along."""
    hand = table.hand
    if hand is not None:
        seat = hand.causer if reason == "blocked" else hand.last
        table.before = Before(reason, seat, hand.leader, winner)
        if hand.tiles is not None and table.open:
            table.proved.append(table.open.pop())
    table.hand, table.owed = None, None


def move(table: Table, hand: Hand, event: Event) -> None:
    """A play, a draw, a gift, a pass or a decline."""
    name, data = event["type"], event["data"]
    seat, fixed = data["seat"], table.is_fixed(event)
    if hand.tiles is None:
        table.forced_steps += name != "played"
        # 9.4: whose first tile had to be set, hidden tiles tell.
        sets_first = hand.must_set is not None and not hand.line.tiles
        table.plays += name == "played" and (fixed or sets_first)
    # 8.4: forced draws and passes of the house neither count nor reset.
    if fixed:
        table.idle[seat] += 1
    elif name not in ("drew", "passed") or not table.opened["auto_forced"]:
        table.idle[seat] = 0
    if name == "played":
        tile, end = deal.read(data["tile"]), data.get("end")
        hand.play(seat, data["seal"], tile, end, data.get("claim"), data.get("points", 0))
    elif name == "drew":
        hand.draw(seat, data["seal"])
    elif name == "gave":
        hand.give(seat, data["to"], data["seal"])
    else:
        hand.skip(seat, name == "passed")
    table.owed, table.waiting_since = None, event["at"]
