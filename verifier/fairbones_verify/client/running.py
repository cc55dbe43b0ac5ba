"""The judge beside a match that goes on (SPEC 10, C6): every check that can be made, at once.

What a later event tells of a hand that runs (a tile, its seed) counts from its beginning (9.3). So
the running hand is judged anew with every answer, from a copy of the table before its `dealt`; the
whole match once more when the server seed is known.
"""

from __future__ import annotations

import copy
from typing import Callable

from .. import story
from ..authority import authority, times
from ..counting import counting
from ..deal import Tile
from ..judge import ENDS, take
from ..order import chain, finish, order
from ..rules import rules
from ..sealed import sealed
from ..table import Event, Refuted, Table
from . import own
from .chronicle import Chronicle
from .lies import Lie

CHECKS: tuple[Callable[[Table, Event], object], ...] = (authority, times, sealed, rules, counting)


class Running:
    """`table` is the match as its events tell it so far.

    besides: looks at every event, with the table before it, ahead of the checks. seat: whose
    knowledge counts, None for a spectator. known: by hand, the tiles that were opened for it.
    """

    def __init__(
        self,
        chronicle: Chronicle,
        besides: Callable[[Table, Event], object],
        seat: int | None = None,
    ) -> None:
        self.chronicle, self.besides, self.seat = chronicle, besides, seat
        self.known: dict[int, dict[int, Tile]] = {}
        self._table: Table | None = None
        self._before: Table | None = None  # as it was before the running hand

    @property
    def table(self) -> Table:
        if self._table is None:
            raise Lie("C9", "the match does not begin with its opening", 0, "order/first")
        return self._table

    def judge(self) -> None:
        """Check everything up to the head, where the match has to wait or to be over."""
        if not self.chronicle.events:
            return
        table = self._beginning()
        try:
            for i in range(table.i, len(table.events)):
                table.i = i
                self._one(table, table.events[i])
            table.i = len(table.events)
            finish(table)
        except Refuted as refuted:
            failure = refuted.failure
            said = story.told(table, failure)
            raise Lie("C6", f"event {table.i}: {said}", failure.seq, failure.code) from None
        if self.seat is not None:
            own.waits(table, self.seat, self.known.get(table.round, {}))
        self._table = table

    def _beginning(self) -> Table:
        events, hashes = self.chronicle.events, self.chronicle.hashes
        last = events[-1]["type"] in ENDS
        if self._before is None or last:
            table = Table(events, hashes, self.chronicle.key)
            table.shown = self.known  # 9.9: what the seat was shown is known from the deal on
            return table
        table = twin(self._before)
        table.match_key = self.chronicle.key
        for event in events[table.i :]:
            if event["type"] == "round_ended":
                raw = bytes.fromhex(event["data"]["round_seed"])
                table.round_seeds.setdefault(event["data"]["round"], raw)
        return table

    def _one(self, table: Table, event: Event) -> None:
        if event["type"] == "dealt":
            self._before = twin(table)
        known = self.known.get(table.round, {})
        chain(table, event)
        if table.i:
            self.besides(table, event)
        if not order(table, event):
            return
        if self.seat is not None:
            own.judge(table, event, self.seat, known)
        for check in CHECKS:
            check(table, event)
        take(table, event)


def twin(table: Table) -> Table:
    """A copy that what happens to the other does not change. Events and washes are shared."""
    shared = (table.events, table.hashes, table.washes, table.opened, table.row, table.shown)
    return copy.deepcopy(table, {id(one): one for one in shared})
