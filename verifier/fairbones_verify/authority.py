"""Authority and time: who may say this, and when (SPEC 5.2, 8.1 to 8.7; checks 300 to 356)."""

from __future__ import annotations

from .games.line import MOVES
from .signature import signed_by
from .table import Event, Table

WEEK = 604_800_000


def authority(table: Table, event: Event) -> None:
    """Checks 300 to 302."""
    data = event["data"]
    if event["type"] == "seated":
        others = [one for seat, one in table.seated.items() if seat != data["seat"]]
        if "client_seed" in data:
            committed = any("client_seed_commitment" in one for one in others)
            if not table.opened["clear_seeds"]:
                table.fail("authority/clear-seed", "a commitment", "a clear seed")
            elif table.draw and len(others) == table.seats - 1 and not committed:
                # 11.1: a draw of clear seeds alone would be the house's own choice.
                table.fail("authority/clear-seed", "one seat that committed", "clear seeds only")
        for member in ("client_seed_commitment", "client_seed"):
            if member in data and data[member] in [one.get(member) for one in others]:
                table.fail("authority/duplicate-seed", "one of its own", data[member])
    elif event["type"] == "voided" and "receipt" in data:
        receipt = data["receipt"]
        if receipt["key_id"] != table.opened["key_id"]:
            table.fail("authority/receipt", table.opened["key_id"], receipt["key_id"])
        elif table.match_key is None or not signed_by(receipt, table.match_key):
            table.fail("authority/receipt", "a signature of the match's key", "none that is valid")


def times(table: Table, event: Event) -> None:
    """Checks 350 to 356. All times are milliseconds since 1970 and the house's word."""
    name, data, at, opened = event["type"], event["data"], event["at"], table.opened
    if name == "opened":
        turns = 60 * opened["rounds_max"] * opened["turn_seconds"]
        least = 1000 * (opened["join_seconds"] + opened["reveal_seconds"] + turns)
        low, high = at + min(least, WEEK), at + WEEK
        if not low <= opened["close_by"] <= high:
            table.fail("time/close-by", f"{low} to {high}", opened["close_by"])
        return
    seats_due = table.opened_at + 1000 * opened["join_seconds"]
    seeds_due = table.seated_at + 1000 * opened["reveal_seconds"]
    if name == "seated" and at > seats_due:
        table.fail("time/late-seat", f"{seats_due} or earlier", at)
    if name == "seeded" and at > seeds_due:
        table.fail("time/late-seed", f"{seeds_due} or earlier", at)
    if name == "voided" and data["reason"] in ("seats-missing", "seeds-missing"):
        due = seats_due if data["reason"] == "seats-missing" else seeds_due
        if at < due:
            table.fail("time/early-void", f"{due} or later", at)
    if name == "timed_out" and table.waits() and at < table.deadline():
        table.fail("time/early-timeout", f"{table.deadline()} or later", at)
    if name in MOVES and own(table, event) and table.waits() and at > table.deadline():
        table.fail("time/late-action", f"{table.deadline()} or earlier", at)
    abandons = name in ("round_ended", "match_ended") and data["reason"] == "abandoned"
    if at > opened["close_by"] and name != "voided" and not abandons:
        table.fail("time/after-close", f"{opened['close_by']} or earlier", at)


def own(table: Table, event: Event) -> bool:
    """8.2: whether a move is a seat's own action and not the house's step."""
    forced = event["type"] in ("drew", "passed") and table.opened["auto_forced"]
    return not forced and not table.is_fixed(event)
