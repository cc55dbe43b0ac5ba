"""What careless houses have told: each is planted in both worlds, and must be found."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from fairbones.core.bones import pips_of, text
from fairbones.core.errors import Illegal
from fairbones.core.match import MatchState, Round, owed, steps, times, wake
from fairbones.core.rules import Action, Draw, GiveAt, Play, forced, legal
from fairbones.house import acts, listings, reads
from fairbones.house.messages import ListRequest, Matches
from tests.views.worlds import Json

Plant = Callable[[pytest.MonkeyPatch], None]
Game = Json

_DRAW: Game = {"ruleset": "draw", "seats": 3, "rounds_max": 1}
# With few tiles in a hand, whether it fits is often a matter of one of them.
_FEW: Game = {**_DRAW, "options": {"hand": 3}}
_CALLS: Game = {**_FEW, "ruleset": "all-fives", "seats": 2, "options": {"hand": 2, "muggins": True}}
_OWN_STEPS: Game = {**_FEW, "ruleset": "block", "auto_forced": False}


def _in_view(add: Callable[[Json, MatchState], None]) -> Plant:
    """Something more, or else, in every view."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        shown: Callable[[MatchState, int | None, int], Json] = vars(reads)["show"]

        def show(state: MatchState, viewer: int | None, now: int) -> Json:
            made = shown(state, viewer, now)
            if state.round is not None:
                add(made, state)
            return made

        patch.setattr(reads, "show", show)

    return plant


def _dealt(state: MatchState) -> Round:
    assert state.round is not None
    return state.round


def _heaviness(state: MatchState) -> int:
    """A number that follows from who holds which pips."""
    masks = () if state.round is None else state.round.hand.hands
    return sum(k * pips_of(mask) for k, mask in enumerate(masks, 1))


def _weight(made: Json, state: MatchState) -> None:
    stock = _dealt(state).hand.stock
    made["boneyard_pips"] = sum(pips_of(1 << tile) for tile in stock)


def _choices(made: Json, state: MatchState) -> None:
    made["choices"] = len(legal(_dealt(state).hand))


def _order(made: Json, state: MatchState) -> None:
    masks = _dealt(state).hand.hands
    made["seats"] = sorted(made["seats"], key=lambda it: pips_of(masks[it["seat"]]))


def _waking(made: Json, state: MatchState) -> None:
    made["deadline"] = wake(state)


def _long_transcript(patch: pytest.MonkeyPatch) -> None:
    """A text of the same content, padded by what is hidden: HEAD alone would tell."""
    written = reads.transcript

    def transcript(desk: Any, match_id: bytes) -> bytes:
        state = desk.fresh(match_id).state
        return written(desk, match_id) + b" " * _heaviness(state)

    patch.setattr(reads, "transcript", transcript)


def _etag(patch: pytest.MonkeyPatch) -> None:
    """A tag over all that is true, and not over all that is shown."""
    looked = reads.view

    def view(desk: Any, match_id: bytes, token: str | None, at: int | None) -> Any:
        shown, state = looked(desk, match_id, token, at), desk.fresh(match_id).state
        if state.round is None:
            return shown
        made = hashlib.sha256(shown.head_hash + repr(state.round.hand.hands).encode())
        return replace(shown, head_hash=made.digest())

    patch.setattr(reads, "view", view)


def _refusing(refusal: Callable[[int], Illegal]) -> Plant:
    """Refusals that know where a tile is."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        judged = steps.admitted

        def admitted(dealt: Round, seat: int, action: Action | GiveAt) -> Action:
            held = dealt.hand.hands
            if isinstance(action, Play) and not held[seat] >> action.tile & 1:
                holder = next((k for k, mask in enumerate(held) if mask >> action.tile & 1), -1)
                raise refusal(holder)
            return judged(dealt, seat, action)

        for module in (steps, acts):
            patch.setattr(module, "admitted", admitted)

    return plant


def _says_who(holder: int) -> Illegal:
    return Illegal("rules/not-in-hand", f"You do not hold this tile, seat {holder} does.")


def _says_by_code(holder: int) -> Illegal:
    return Illegal("rules/not-in-hand" if holder >= 0 else "rules/must-draw", "No.")


def _says_by_member(holder: int) -> Illegal:
    return Illegal("rules/not-in-hand", "No.", **({"in": "boneyard"} if holder < 0 else {}))


def _early_step(patch: pytest.MonkeyPatch) -> None:
    """A forced step that does not wait for the calls says that it is one (SPEC 8.8)."""
    follows = owed.owed

    def impatient(state: MatchState) -> steps.Draft | None:
        draft = follows(state)
        if draft is not None or state.round is None:
            return draft
        action = forced(state.round.hand)
        return None if action is None else steps.move(state.round, state.round.hand.turn, action)

    patch.setattr(sys.modules["fairbones.core.match.decide"], "owed", impatient)


def _early_deadline(patch: pytest.MonkeyPatch) -> None:
    """A turn without a choice is given less time."""
    due = times.turn_deadline

    def turn_deadline(state: MatchState, dealt: Round) -> int:
        return due(state, dealt) - 7_000 * (forced(dealt.hand) is not None)

    patch.setattr(times, "turn_deadline", turn_deadline)


def _open_draw(patch: pytest.MonkeyPatch) -> None:
    """A draw that says what was drawn."""
    written = steps.move

    def move(dealt: Round, seat: int, action: Action) -> steps.Draft:
        draft = written(dealt, seat, action)
        if isinstance(action, Draw):
            return replace(draft, data={**draft.data, "tile": text(dealt.hand.stock[0])})
        return draft

    for module in (steps, owed):
        patch.setattr(module, "move", move)


def _list(patch: pytest.MonkeyPatch) -> None:
    """A list of matches that tells how heavy their hands are."""
    found = listings.matches

    def matches(desk: Any, request: ListRequest) -> Matches:
        page = found(desk, request)
        items = [dict(item) for item in page.items]
        for item in items:
            state = desk.fresh(bytes.fromhex(str(item["id"]))).state
            item["heaviness"] = _heaviness(state)
        return replace(page, items=items)

    patch.setattr(listings, "matches", matches)


# Each with a game in which it shows.
LEAKS: Mapping[str, tuple[Plant, Game]] = {
    "a count of the boneyard": (_in_view(_weight), _DRAW),
    "how many choices the seat to act has": (_in_view(_choices), _DRAW),
    "an order of the seats by their hands": (_in_view(_order), _DRAW),
    "the moment of the next step": (_in_view(_waking), _CALLS),
    "a length by the pips of a hand": (_long_transcript, _DRAW),
    "an ETag over the hands": (_etag, _DRAW),
    "a refusal whose text tells": (_refusing(_says_who), _DRAW),
    "a refusal whose code tells": (_refusing(_says_by_code), _DRAW),
    "a refusal whose members tell": (_refusing(_says_by_member), _DRAW),
    "a forced step before the calls are over": (_early_step, _CALLS),
    "a deadline by the choice": (_early_deadline, _OWN_STEPS),
    "a draw that is shown": (_open_draw, _DRAW),
    "a list that tells how heavy hands are": (_list, _DRAW),
}
