"""The rule book of the verifier, by its `position`, to be counted and to be watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairbones_verify.deal import Tile, read, written
from fairbones_verify.games import lead as leads
from fairbones_verify.games import notation, position
from fairbones_verify.games.hand import Hand, Step
from tests.naive.rows import resolve
from tests.perft.engine import Start

CALL = Step("called")


def _tiles(texts: Sequence[str]) -> list[Tile]:
    return [read(one) for one in texts]


class VerifierEngine:
    """`fairbones_verify.games`; the row is that of SPEC R3, for the verifier makes none."""

    def start(self, start: Start) -> Hand:
        return position.begin(
            resolve(start.ruleset, start.seats, start.options),
            [_tiles(held) for held in start.hands],
            _tiles(start.boneyard),
            start.lead,
            None if start.must_set is None else read(start.must_set),
            start.scores,
        )

    def legal(self, state: Hand) -> list[Step]:
        return [step for step in position.actions(state) if step != CALL]

    def after(self, state: Hand, action: Step) -> Hand:
        after = state.copy()
        position.act(after, action)
        return after

    def over(self, state: Hand) -> str | None:
        return state.over()

    def text(self, action: Step) -> str:
        return notation.text_of(action)

    def read(self, text: str) -> Step:
        step = notation.step_from(text)
        assert step is not None, text
        return step

    def after_call(self, state: Hand, seat: int) -> Hand | None:
        if CALL not in position.actions(state, seat):
            return None
        after = state.copy()
        return after if position.act(after, CALL, seat) else None

    def seen(self, state: Hand) -> dict[str, Any]:
        tiles = state.tiles
        assert tiles is not None
        table: dict[str, Any] = {
            "ends": [(end.name, end.value, end.weight, end.is_open) for end in state.line.ends],
            "count": state.line.count(),
            "scores": list(state.scores),
            "hands": [
                [written(tile) for tile in sorted(self._held(state, seat))]
                for seat in range(len(state.hands))
            ],
            "boneyard": [written(tiles[place]) for place in state.boneyard],
        }
        if state.over() is not None:
            return table
        forced, fixed = state.forced(), state.fixed_step()
        assert fixed is not None
        seats = range(len(state.hands))
        return table | {
            "to_act": position.to_act(state),
            "forced": None if forced is None else notation.text_of(forced),
            "fixed": notation.text_of(fixed),
            "claimable": {
                notation.text_of(step): state.score(state.turn, step.tile, step.end)
                for step in self.legal(state)
                if state.muggins and step.type == "played" and step.tile is not None
            },
            "call_listed": [seat for seat in seats if CALL in position.actions(state, seat)],
        }

    def _held(self, state: Hand, seat: int) -> list[Tile]:
        held = state.held(seat)
        assert held is not None
        return held

    def settled(self, state: Hand) -> dict[str, Any]:
        result, before = position.result(state), self._before(state)
        assert result is not None
        return {
            "reason": result.reason,
            "seat": None if result.reason == "target" else before.seat,
            "winner": result.winner,
            "points": result.points,
            "counts": result.counts,
        }

    def _before(self, state: Hand) -> leads.Before:
        result = position.result(state)
        assert result is not None
        seat = state.causer if result.reason == "blocked" else state.last
        return leads.Before(result.reason, seat, state.leader, result.winner)

    def next_lead(
        self, state: Hand, hands: list[list[str]], drawn: int | None
    ) -> tuple[int, str | None]:
        held = [_tiles(one) for one in hands]
        before = self._before(state)
        asked = leads.Asked(state.row, held, len(hands), state.sides, drawn, before)
        lead = leads.lead(asked)
        assert lead.seat is not None
        return lead.seat, None if lead.must_set is None else written(lead.must_set)
