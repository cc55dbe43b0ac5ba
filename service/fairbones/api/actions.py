"""The moves of a seat."""

from __future__ import annotations

from flask import Response

from fairbones.api.access import SEAT, callers
from fairbones.api.answers import stepped
from fairbones.api.codes import codes_of
from fairbones.api.front import front
from fairbones.api.operation import Gives, Takes, operation
from fairbones.api.paths import MATCH_ID
from fairbones.api.resource import Resource
from fairbones.api.schemas.requests import Act
from fairbones.house.messages import ActRequest

_ACTS = ["act-play", "act-signed", "act-draw", "act-give", "act-claim", "act-call"]
_DONE = ["acted", "acted-signed", "drew", "gave", "claimed", "called"]

resource = Resource("actions", "The moves of a seat.")


@resource.post("/v1/matches/<match_id>/actions", MATCH_ID)
@operation(
    "act",
    {200: Gives("The action stands, with all that followed from it.", "Step", _DONE)},
    takes=Takes(Act, _ACTS),
    problems=[
        *codes_of("match", but=["match/no-such-seq"]),
        *codes_of("receipt"),
        "seat/has-left",
        *codes_of("signature"),
        "action/shape",
        "tile/text",
        *codes_of("rules"),
    ],
)
@callers(SEAT)
def act(match_id: bytes, token: str, body: ActRequest) -> Response:
    """Play, draw, decline, give, pass or call

    `seq` is the number the action's event will have: one more than the head you decided on. When
    something came before, nothing is added and the answer is `match/stale` with the head; so it is
    when `prev` is another hash than the house has there. The same action with the same `seq` again
    gets the same events and receipt, so a retry is safe; the view is of that step too, but its
    `now` is of this moment. With a `receipt` for a head that the house has lost, the match is
    voided in public.

    A seat with a key signs the action for its place: `signature` is over `seq`, the hash of the
    event before it and the action as it is sent (SPEC 5.6), and it stands in the event. So it is
    sent as `legal_actions` has it, with at most a `claim` added. A seat without a key may write a
    tile low half first, and name either of two equal ends.

    With `muggins` a play may carry a `claim`, and any opponent may `call` until the next move. For
    the `call_seconds` after a play the house makes no forced step and lets no turn run out.

    A deadline that has passed is applied first, as a step of its own (the time-out and what the
    fixed rule plays): an action decided before it is then `match/stale`, or the match is over. The
    answer carries the action's own step alone: when `events[0].seq` is not the one after the last
    you hold, fetch the events in between.
    """
    return stepped(front().house.act(match_id, token, body))
