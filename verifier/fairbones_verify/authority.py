"""Authority and time: who may say this, and when (SPEC 5.2, 5.6, 8.1 to 8.7; checks 300 to 357)."""

from __future__ import annotations

from .games.hand import MOVES
from .seatkeys import signatures
from .signature import signed_by
from .table import Event, Table
from .words import span, utc

WEEK = 604_800_000


def authority(table: Table, event: Event) -> None:
    """Checks 300 to 307."""
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
    signatures(table, event)


def times(table: Table, event: Event) -> None:
    """Checks 350 to 357. All times are milliseconds since 1970 and the house's word."""
    name, data, at, opened = event["type"], event["data"], event["at"], table.opened
    if name == "opened":
        hands = opened["rounds_max"] * longest_hand(table)
        least = 1000 * (opened["join_seconds"] + opened["reveal_seconds"] + hands)
        low, high = at + min(least, WEEK), at + WEEK
        if not low <= opened["close_by"] <= high:
            table.fail("time/close-by", f"{utc(low)} to {utc(high)}", utc(opened["close_by"]))
        return
    seats_due = table.opened_at + 1000 * opened["join_seconds"]
    seeds_due = table.seated_at + 1000 * opened["reveal_seconds"]
    if name == "seated":
        not_later(table, "time/late-seat", seats_due, at)
    if name == "seeded":
        not_later(table, "time/late-seed", seeds_due, at)
    if name == "voided" and data["reason"] in ("seats-missing", "seeds-missing"):
        due = seats_due if data["reason"] == "seats-missing" else seeds_due
        not_earlier(table, "time/early-void", due, at)
    if name == "timed_out" and table.waits():
        not_earlier(table, "time/early-timeout", table.deadline(data["seat"]), at)
    if name in MOVES and table.is_own(event) and table.waits():
        not_later(table, "time/late-action", table.deadline(data["seat"]), at)
    if name == "called" and (table.waits() or table.calls_wait()):
        not_later(table, "time/late-action", table.deadline(data["seat"]), at)
    abandons = name in ("round_ended", "match_ended") and data["reason"] == "abandoned"
    if name != "voided" and not abandons:
        not_later(table, "time/after-close", opened["close_by"], at)
    if name in MOVES and not table.is_own(event) and table.calls_wait():
        not_earlier(table, "time/early-step", table.calls_until(), at)


def longest_hand(table: Table) -> int:
    """8.5: the seconds that a hand may take in which everybody moves at the last moment."""
    turn = int(table.opened["turn_seconds"])
    if table.draw:
        return 60 * turn
    tiles = len(table.tiles())
    calls = tiles * int(table.row["call_seconds"]) if table.row.get("muggins") else 0
    return max(60, 2 * tiles) * turn + calls


def not_later(table: Table, code: str, due: int, at: int) -> None:
    """A deadline: what comes after it is late."""
    if at > due:
        table.fail(code, f"{utc(due)} or earlier", f"{utc(at)}, {span(at - due)} late")


def not_earlier(table: Table, code: str, due: int, at: int) -> None:
    """A deadline that has to be waited for."""
    if at < due:
        table.fail(code, f"{utc(due)} or later", f"{utc(at)}, {span(due - at)} early")
