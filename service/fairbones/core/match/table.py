"""Everything that moves a match, in one table.

A row is a stage, a column a command (`TABLE[stage, command]`). A cell is the rule in `steps` that
turns the command into the first event of a step, or a refusal. What follows without a choice is
not here: `owed` says it, after every event. The rules of this file:
- every pair of a stage and a command has a cell; a test tries them all;
- a cell that refuses leaves no trace: the caller keeps the state it had;
- nothing else in the service makes the first event of a step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairbones.core.errors import Conflict
from fairbones.core.match import steps
from fairbones.core.match.commands import Act, GiveUp, Leave, LoseHistory, Reveal, Sit, Touch
from fairbones.core.match.state import MatchState, Stage
from fairbones.core.match.steps import Draft

Cell = Callable[[MatchState, Any], Draft | None]


def refuse(code: str, message: str) -> Cell:
    """A cell that always refuses."""

    def refused(_state: MatchState, _command: object) -> Draft | None:
        raise Conflict(code, message)

    return refused


FULL = refuse("seat/taken", "Every seat of this match is taken: open another match.")
EARLY_SEED = refuse("seed/too-early", "Reveal once every seat is taken, not before.")
LATE_SEED = refuse("seed/too-late", "The seeds of this match are complete: play on.")
NO_HAND = refuse("match/not-dealt", "No hand is dealt yet: wait for seats and seeds.")
OVER = refuse("match/over", "This match has ended: fetch its transcript and verify it.")
VOID = refuse("match/void", "This match is void: nothing can be added to it.")


def nothing(_state: MatchState, _command: object) -> Draft | None:
    """A touch that finds nothing to do."""
    return None


J, R, P, E, V = Stage.JOINING, Stage.REVEALING, Stage.PLAYING, Stage.ENDED, Stage.VOID

# fmt: off
TABLE: Mapping[tuple[Stage, type], Cell] = {
    (J, Sit): steps.sit,           (R, Sit): FULL,                (P, Sit): FULL,
    (J, Reveal): EARLY_SEED,       (R, Reveal): steps.reveal,     (P, Reveal): LATE_SEED,
    (J, Act): NO_HAND,             (R, Act): NO_HAND,             (P, Act): steps.act,
    (J, Leave): steps.leave_early, (R, Leave): steps.leave_early, (P, Leave): steps.leave,
    (J, Touch): steps.seats_late,  (R, Touch): steps.seeds_late,  (P, Touch): steps.turn_late,
    (J, LoseHistory): steps.lose,  (R, LoseHistory): steps.lose,  (P, LoseHistory): steps.lose,
    (J, GiveUp): steps.give_up,    (R, GiveUp): steps.give_up,    (P, GiveUp): steps.give_up,

    (E, Sit): OVER,                (V, Sit): VOID,
    (E, Reveal): OVER,             (V, Reveal): VOID,
    (E, Act): OVER,                (V, Act): VOID,
    (E, Leave): OVER,              (V, Leave): VOID,
    (E, Touch): nothing,           (V, Touch): nothing,
    (E, LoseHistory): OVER,        (V, LoseHistory): VOID,
    (E, GiveUp): OVER,             (V, GiveUp): VOID,
}
# fmt: on
