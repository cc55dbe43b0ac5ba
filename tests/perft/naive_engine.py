"""The naive engine of tests/naive, to be counted and to be watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.naive.actions import Action, Refused, read_action, write
from tests.naive.hand import CALL, Hand
from tests.naive.leading import Before, later_lead
from tests.naive.rows import option, resolve
from tests.naive.settling import settle
from tests.naive.tiles import Tile, read, text, tile_id
from tests.perft.engine import Start


def tiles(written: Sequence[str]) -> list[Tile]:
    return [read(one) for one in written]


def texts(held: list[Tile]) -> list[str]:
    return [text(tile) for tile in held]


class NaiveEngine:
    """SPEC R4 to R10 by looking at the table."""

    def start(self, start: Start) -> Hand:
        return Hand(
            resolve(start.ruleset, start.seats, start.options),
            [tiles(held) for held in start.hands],
            tiles(start.boneyard),
            start.lead,
            None if start.must_set is None else read(start.must_set),
            list(start.scores),
        )

    def legal(self, state: Hand) -> list[Action]:
        return state.legal()

    def after(self, state: Hand, action: Action) -> Hand:
        after = state.copy()
        after.take(after.to_act(), action)
        return after

    def over(self, state: Hand) -> str | None:
        return state.finish()

    def text(self, action: Action) -> str:
        return write(action)

    def read(self, written: str) -> Action:
        return read_action(written)

    def after_call(self, state: Hand, seat: int) -> Hand | None:
        after = state.copy()
        try:
            after.take(seat, CALL)
        except Refused:
            return None
        return after

    def seen(self, state: Hand) -> dict[str, Any]:
        table: dict[str, Any] = {
            "ends": [tuple(end) for end in state.table.ends()],
            "count": state.table.count(),
            "scores": list(state.scores),
            "hands": [texts(sorted(held, key=tile_id)) for held in state.hands],
            "boneyard": texts(state.boneyard),
        }
        if state.finish() is not None:
            return table
        forced, fixed = state.forced(), state.fixed()
        claims = option(state.row, "muggins")
        return table | {
            "to_act": state.to_act(),
            "forced": forced and write(forced),
            "fixed": fixed and write(fixed),
            "claimable": {
                write(action): state.score(action)
                for action in state.legal()
                if claims and action.kind == "play"
            },
            "call_listed": state.callers(),
        }

    def settled(self, state: Hand) -> dict[str, Any]:
        settlement = settle(state)
        before = self._before(state)
        return {
            "reason": before.reason,
            "seat": None if before.reason == "target" else before.seat,
            "winner": settlement.winner,
            "points": settlement.points,
            "counts": settlement.counts,
        }

    def next_lead(
        self, state: Hand, hands: list[list[str]], drawn: int | None
    ) -> tuple[int, str | None]:
        held = [tiles(one) for one in hands]
        lead = later_lead(state.row, held, self._before(state), drawn)
        return lead.seat, None if lead.must_set is None else text(lead.must_set)

    def _before(self, state: Hand) -> Before:
        reason, out = state.finish(), state.out()
        assert reason is not None
        seat = state.causer() if out is None else out
        return Before(state.leader, reason, seat, settle(state).winner)
