"""The points of plays and calls, of a hand and of the match (checks 600 to 609)."""

from __future__ import annotations

from typing import Any

from . import deal
from .games import points
from .games.hand import Hand
from .table import Event, Table
from .words import plural


def counting(table: Table, event: Event) -> None:
    """Checks 600 to 609."""
    name, data, hand = event["type"], event["data"], table.hand
    if name == "played" and hand is not None:
        play_points(table, hand, data)
    elif name == "called" and hand is not None:
        due = hand.counted(data["seat"], hand.missed) if hand.window is not None else 0
        table.check("points/call", due, data["points"], in_points)
    elif name == "round_ended" and hand is not None:
        round_points(table, hand, data)
    elif name == "dealt" and table.round:
        end = match_end(table)
        if end is not None:
            table.fail("points/match-over", f"match_ended ({end[0]})", name)
    elif name == "match_ended":
        table.check("points/scores", table.scores, data["scores"], table.by_side)
        end = match_end(table)
        if end is None:
            table.fail("points/match-over", "dealt", name)
        else:
            table.check("points/match-reason", end[0], data["reason"])
            table.check("points/match-winner", end[1], data.get("winner"), table.side)


def in_points(n: int) -> str:
    """Points in words."""
    return plural(n, "point") if n else "nothing"


def match_end(table: Table) -> tuple[str, int | None] | None:
    """R9: how the match ends now, or None."""
    most = table.opened["rounds_max"]
    return points.match_end(table.row, table.scores, table.ended, table.round, most)


def play_points(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Check 600: with `muggins` the claim is credited, else all that the play scores."""
    seat = data["seat"]
    earned = hand.score(seat, deal.read(data["tile"]), data.get("end"))
    if hand.muggins:
        earned = min(earned, data.get("claim", 0))
    table.check("points/play", hand.counted(seat, earned), data.get("points", 0), in_points)


def round_points(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 601 to 605."""
    reason, over = data["reason"], hand.over()
    if reason != "abandoned" and over is not None:
        # A hand that is not over is 504's; where it is, the truth settles it, not the word.
        table.check("points/reason", over, reason)
        reason = over
    known, sides = hand.tiles is not None, len(table.scores)
    counts = None if known else [0] * table.seats
    end = hand.ended(reason, counts)
    if known:
        table.check("points/counts", list(end.counts), data["counts"], table.by_seat)
    by_tiles = reason == "blocked" and table.row["block_winner"] == "lowest"
    if known or not by_tiles:
        due = points.winner(table.row, end)
        table.check("points/winner", due, data.get("winner"), table.side)
    if known or reason in ("abandoned", "target") or len(data["points"]) != sides:
        paid = points.points(table.row, end, data.get("winner"))
        table.check("points/points", paid, data["points"], table.by_side)
    sums = [score + more for score, more in zip(table.scores, data["points"])]
    table.check("points/scores", sums, data["scores"], table.by_side)
