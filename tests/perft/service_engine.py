"""The engine of the service, by its public interface, to be counted and to be watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairbones.core import bones, rules
from fairbones.core.errors import FairbonesError
from tests.perft.engine import Start


def _ids(written: Sequence[str]) -> list[int]:
    return [bones.parse(one) for one in written]


def _texts(tiles: Sequence[int]) -> list[str]:
    return [bones.text(tile) for tile in tiles]


class ServiceEngine:
    """`fairbones.core.rules`, with texts for its tiles and actions."""

    def start(self, start: Start) -> rules.Hand:
        row = rules.resolve(start.ruleset, start.seats, start.options)
        must_set = None if start.must_set is None else bones.parse(start.must_set)
        return rules.deal(
            rules.compile_rules(row, start.seats),
            [_ids(held) for held in start.hands],
            _ids(start.boneyard),
            rules.Lead(start.lead, must_set),
            tuple(start.scores),
        )

    def legal(self, state: rules.Hand) -> Sequence[rules.Action]:
        return rules.legal(state)

    def after(self, state: rules.Hand, action: rules.Action) -> rules.Hand:
        return rules.apply(state, action)

    def over(self, state: rules.Hand) -> str | None:
        finish = rules.finish(state)
        return None if finish is None else finish.reason

    def text(self, action: rules.Action) -> str:
        return rules.write_action(action)

    def read(self, written: str) -> rules.Action:
        return rules.parse_action(written)

    def after_call(self, state: rules.Hand, seat: int) -> rules.Hand | None:
        try:
            after, _ = rules.call(state, seat)
        except FairbonesError:
            return None
        return after

    def seen(self, state: rules.Hand) -> dict[str, Any]:
        table: dict[str, Any] = {
            "ends": [(end.name, end.value, end.weight, end.open) for end in state.ends],
            "count": sum(end.value * end.weight for end in state.ends),
            "scores": list(state.scores),
            "hands": [_texts(list(bones.bits(mask))) for mask in state.hands],
            "boneyard": _texts(state.stock),
        }
        if rules.finish(state) is not None:
            return table
        forced, seats = rules.forced(state), range(state.rules.seats)
        return table | {
            "to_act": rules.to_act(state),
            "forced": None if forced is None else rules.write_action(forced),
            "fixed": rules.write_action(rules.fixed(state)),
            "claimable": {
                rules.write_action(action): self._claimable(state, action)
                for action in rules.legal(state)
                if state.rules.muggins and isinstance(action, rules.Play)
            },
            "call_listed": [seat for seat in seats if rules.CALL in rules.listed(state, seat)],
        }

    def _claimable(self, state: rules.Hand, play: rules.Play) -> int:
        """The highest claim that is taken."""
        claim = 0
        while True:
            try:
                rules.apply(state, rules.Play(play.tile, play.end, claim + 1))
            except FairbonesError:
                return claim
            claim += 1

    def settled(self, state: rules.Hand) -> dict[str, Any]:
        finish = rules.finish(state)
        assert finish is not None
        settlement = rules.settle(state.rules, state, finish)
        return {
            "reason": finish.reason,
            "seat": None if finish.reason == "target" else finish.seat,
            "winner": settlement.winner,
            "points": list(settlement.points),
            "counts": list(settlement.counts),
        }

    def next_lead(
        self, state: rules.Hand, hands: list[list[str]], drawn: int | None
    ) -> tuple[int, str | None]:
        finish = rules.finish(state)
        assert finish is not None
        before = rules.outcome(state, finish, rules.settle(state.rules, state, finish))
        lead = rules.lead(state.rules, [_ids(held) for held in hands], before, drawn)
        return lead.seat, None if lead.must_set is None else bones.text(lead.must_set)
