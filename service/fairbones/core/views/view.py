"""One function decides what is seen of a match, by the public or by a seat.

Everything public is public in the events too; what a seat sees more is its own hand with the
salts that prove it (SPEC 10.5) and the list of what it may do.
"""

from __future__ import annotations

from fairbones.core.bones import bits, text
from fairbones.core.match import MatchState, Round, Stage, deadline
from fairbones.core.rules import CALL, action_to_json, forced, giver, listed, to_act

Json = dict[str, object]


def view(state: MatchState, viewer: int | None, now: int) -> Json:
    """The view of seat `viewer`, or of the public (None), at `now` (ms). JSON-ready, no nulls."""
    shown: Json = {
        "id": state.terms.match.hex(),
        "status": state.stage.value,
        "ruleset": state.terms.row["id"],
        "now": now,
        "seats": [_seat(state, seat) for seat in range(state.terms.seats)],
        "scores": list(state.scores),
        "waiting_for": _waiting_for(state),
        "head": {"seq": state.seq, "event_hash": state.head.hex()},
    }
    if state.rounds:
        shown["round"] = state.rounds
    due = deadline(state)
    if due is not None:
        shown["deadline"] = due
    if state.round is not None:
        shown |= _table(state.round)
    result = _result(state)
    if result is not None:
        shown["result"] = result
    if viewer is not None:
        shown["you"] = _own(state, viewer)
    return shown


def _result(state: MatchState) -> Json | None:
    """How a match came to its end."""
    if state.stage is Stage.ENDED and state.match_end is not None:
        end: Json = {"reason": state.match_end.reason}
        if state.match_end.winner is not None:
            end["winner"] = state.match_end.winner
        return end
    if state.stage is Stage.VOID:
        void: Json = {"reason": state.reason}
        if state.missing is not None:
            void["missing"] = list(state.missing)
        return void
    return None


def _waiting_for(state: MatchState) -> list[int]:
    if state.stage is Stage.JOINING:
        return list(state.free_seats())
    if state.stage is Stage.REVEALING:
        return list(state.unrevealed())
    # A seat that has left is on turn for as long as others may call, and not waited for.
    return [] if state.turn is None or state.turn in state.left else [state.turn]


def _seat(state: MatchState, seat: int) -> Json:
    """A seat as everybody sees it: how many tiles, never which."""
    shown: Json = {
        "seat": seat,
        "taken": state.seatings[seat] is not None,
        "count": state.round.hand.hands[seat].bit_count() if state.round is not None else 0,
        "score": state.scores[state.terms.rules.side_of[seat]],
    }
    seating = state.seatings[seat]
    if seating is not None and seating.name is not None:
        shown["name"] = seating.name
    if seating is not None and seating.public_key is not None:
        shown["public_key"] = seating.public_key.hex()
    if seat in state.terms.reserved:
        shown["reserved"] = True
    if seat in state.left:
        shown["left"] = True
    return shown


def _table(dealt: Round) -> Json:
    """The hand in progress as it lies on the table."""
    hand = dealt.hand
    line: list[Json] = []
    for seat, play, points in hand.line:
        laid: Json = {"seat": seat, "tile": text(play.tile), "seal": dealt.position[play.tile]}
        if play.end is not None:
            laid["end"] = play.end
        if points:
            laid["points"] = points
        line.append(laid)
    ends: list[Json] = []
    for end in hand.ends:
        if end.open:
            ends.append({"end": end.name, "value": end.value})
            if hand.rules.counts:
                ends[-1]["weight"] = end.weight
    shown: Json = {
        "turn": to_act(hand),
        "line": line,
        "ends": ends,
        "boneyard": len(hand.stock),
    }
    if giver(hand) is not None:
        shown["giving_to"] = hand.turn  # all see that it cannot play (SPEC R6, 3)
    if hand.rules.counts and not hand.rules.muggins:  # with it counting is the players' affair
        shown["count"] = sum(end.value * end.weight for end in hand.ends)
    return shown


def _own(state: MatchState, seat: int) -> Json:
    """The seat's own tiles, each with what opens its seal, and what it may do."""
    own: Json = {"seat": seat, "hand": [], "legal_actions": []}
    if state.round is None:
        return own
    dealt = state.round
    own["hand"] = [
        {
            "seal": dealt.position[tile],
            "tile": text(tile),
            "salt": dealt.wash.salts[dealt.position[tile]].hex(),
        }
        for tile in bits(dealt.hand.hands[seat])
    ]
    if seat not in state.left:
        actions = listed(dealt.hand, seat, state.left)
        if state.terms.auto_forced and forced(dealt.hand) is not None:
            # The house makes that step once the time for calls is over (SPEC 8.8).
            actions = tuple(action for action in actions if action == CALL)
        own["legal_actions"] = [action_to_json(action, dealt.position) for action in actions]
    return own
