"""Seats: taking one, revealing its seed, leaving it for good."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response

from fairbones.api.access import PROOF, SEAT, callers
from fairbones.api.answers import stepped
from fairbones.api.codes import codes_of
from fairbones.api.front import front
from fairbones.api.operation import Gives, Takes, operation
from fairbones.api.paths import MATCH_ID, SEAT_NUMBER
from fairbones.api.resource import Resource
from fairbones.api.schemas.requests import LeaveSeat, RevealSeed, TakeSeat
from fairbones.house.messages import SitRequest

resource = Resource("seats", "Taking a seat, revealing its seed, leaving it.")

_SEAT = "/v1/matches/<match_id>/seats/<seat>"
_ENDED = ("match/over", "match/void")


@resource.put(_SEAT, MATCH_ID, SEAT_NUMBER)
@operation(
    "takeSeat",
    {
        201: Gives("The seat is yours.", "Step", ["took-seat", "took-seat-signed"]),
        200: Gives("The seat was yours: the same token and body came before.", "Step"),
    },
    takes=Takes(
        TakeSeat, ["take-seat", "take-seat-signed", "take-seat-clear", "take-seat-invited"]
    ),
    problems=[
        "match/unknown",
        "match/late",
        *_ENDED,
        *codes_of("seat", but=["seat/free", "seat/has-left"]),
        *codes_of("signature", but=["signature/other-form"]),
    ],
)
@callers(SEAT)
def take_seat(match_id: bytes, seat: int, token: str, body: Mapping[str, object]) -> Response:
    """Take a seat

    You make the token: at least 32 random bytes, new for every seat, known to nobody else. It
    holds the seat from now on and is stored as a hash only. Send the commitment to your client
    seed; the seed itself only where the match was opened with `clear_seeds`. A seat that the view
    shows as `reserved` is for whoever was given its invitation, whose secret is sent as `invite`,
    or for the key that `opened` names; any other seat takes no `invite`.

    With a `public_key` of yours, new for the match or not, everything that the seat says from now
    on is signed by it, beginning with this: `signature` proves that you have the other half (SPEC
    5.6). It stands in the events, so that the house can neither invent nor change what you did. The
    commitment contains the key (SPEC 5.1).

    The same token and body again change nothing and answer 200 with the
    events, the receipt and the view of then, whose `now` alone is of this moment; anything else on
    a taken seat is refused. The answer carries this request's own step alone: when `events[0].seq`
    is not the one after the last you hold, fetch the events in between.
    """
    sent = SitRequest(
        seat=seat,
        name=_text(body.get("name")),
        commitment=_bytes(body.get("client_seed_commitment")),
        client_seed=_bytes(body.get("client_seed")),
        invite=_bytes(body.get("invite")),
        public_key=_bytes(body.get("public_key")),
        signature=_bytes(body.get("signature")),
    )
    answered = front().house.sit(match_id, token, sent)
    return stepped(answered, 201 if answered.appended else 200)


def _text(value: object) -> str | None:
    assert value is None or isinstance(value, str)
    return value


def _bytes(value: object) -> bytes | None:
    assert value is None or isinstance(value, bytes)
    return value


@resource.put(f"{_SEAT}/seed", MATCH_ID, SEAT_NUMBER)
@operation(
    "revealSeed",
    {
        200: Gives(
            "The seed is revealed; the last one deals hand 1.", "Step", ["revealed-seed", "dealt"]
        )
    },
    takes=Takes(RevealSeed, ["reveal-seed", "reveal-seed-signed"]),
    problems=[
        "match/unknown",
        "match/late",
        "seat/unknown",
        *_ENDED,
        *codes_of("seed"),
        *codes_of("signature", but=["signature/other-form"]),
    ],
)
@callers(PROOF)
def reveal_seed(match_id: bytes, seat: int, body: Mapping[str, bytes]) -> Response:
    """Reveal a seed

    Once every seat is taken. It needs no token: a seed that opens the commitment proves itself,
    with the `signature` where the seat has a key, and anybody may deliver it. An `Authorization`
    header is not even read: leave it out, and the view that comes back is the public one in any
    case. Before you reveal, check what SPEC 10.3 says, and compute `seated_hash` from the event you
    hold. The same again is a no-op, answered with the events, the receipt and the view of then,
    whose `now` alone is of this moment. The answer carries this request's own step alone: when
    `events[0].seq` is not the one after the last you hold, fetch the events in between.
    """
    shown = body["client_seed"], body["seated_hash"], body.get("signature")
    return stepped(front().house.reveal(match_id, seat, *shown))


@resource.delete(_SEAT, MATCH_ID, SEAT_NUMBER)
@operation(
    "leaveSeat",
    {200: Gives("The seat has left.", "Step", ["left-seat"])},
    takes=Takes(LeaveSeat, ["leave-seat", "leave-seat-signed"], optional=True),
    problems=[
        "match/unknown",
        "match/late",
        "auth/other-seat",
        "seat/unknown",
        "seat/free",
        "seat/has-left",
        *codes_of("signature", but=["signature/other-form"]),
        *_ENDED,
    ],
)
@callers(SEAT)
def leave_seat(match_id: bytes, seat: int, token: str, body: Mapping[str, bytes]) -> Response:
    """Leave for good

    Before the deal this voids the match at once, naming the seat. After it the match goes on and
    the seat's turns are played by the fixed rule, each step at once. A seat with a key signs that
    it leaves (SPEC 5.6); what the house plays for it afterwards is unsigned.

    A deadline that has passed is applied first, as a step of its own (the time-out and what the
    fixed rule plays). The answer carries the request's own step alone: when `events[0].seq` is not
    the one after the last you hold, fetch the events in between.
    """
    return stepped(front().house.leave(match_id, seat, token, body.get("signature")))
