"""The types of events (SPEC 7), as answers show them."""

from __future__ import annotations

from fairbones.api.schemas.pieces import (
    Json,
    constant,
    flag,
    items,
    record,
    ref,
    said,
    text,
    whole,
)

_DAY = 86_400
_SEAT: Json = {"seat": ref("Seat")}
_COUNTS = items(ref("Points"), "By seat: the pips left in its hand.")
_SCORES = items(ref("Points"), "By side: all points so far.")


def _signed(message: str) -> Json:
    """The signature of an event that a seat has said."""
    meaning = (
        f"Of the seat's key over the `{message}` message of SPEC 5.6; absent for a seat without a "
        "key and for what the house does itself."
    )
    return {"signature": said("Signature", meaning)}


_OPENED = record(
    "A match is open: every hand is washed and sealed.",
    {
        "protocol": constant("fairbones/1"),
        "entropy": {"const": ["house", "seats"], "description": "Who adds to a deal."},
        "ruleset": {
            "type": "object",
            "description": "The whole row after defaults (SPEC R3).",
            "required": ["id", "hand"],
            "additionalProperties": {"type": ["boolean", "integer", "string"]},
        },
        "seats": whole("How many seats.", 1, 64),
        "rounds_max": whole("The most hands.", 1, 6144),
        "server_seed_hash": ref("Hex32"),
        "washes": items(ref("Hex32"), "The root of every hand's seals.", 1),
        "key_id": ref("KeyId"),
        "auto_forced": flag("Forced draws and passes are played by the house."),
        "clear_seeds": flag("Seeds in the clear are taken."),
        "reserved": items(
            record(
                "A reserved seat.",
                _SEAT,
                {
                    "invite_hash": said("Hex32", "The hash of its invitation's secret."),
                    "public_key": said("Hex32", "The key that it is taken with or not at all."),
                },
                oneOf=[{"required": ["invite_hash"]}, {"required": ["public_key"]}],
            ),
            "Seats that need an invitation or a key, in the order of their numbers.",
        ),
        "join_seconds": whole("To take every seat.", 1, _DAY),
        "reveal_seconds": whole("To reveal every seed.", 1, _DAY),
        "turn_seconds": whole("For a turn.", 1, _DAY),
        "close_by": said("Millis", "When the match is over in any case."),
    },
    {
        "reference": text("The opener's own name for it.", pattern="^[ -~]{1,64}$"),
        "lead_wash": said("Hex32", "The root of the lead draw's seals, where the lead is drawn."),
    },
)

_SEATED = record(
    "A seat is taken, with a commitment or a seed in the clear.",
    _SEAT,
    {
        "name": text("A pseudonym.", pattern="^[A-Za-z0-9_-]{1,24}$"),
        "client_seed_commitment": ref("Hex32"),
        "client_seed": ref("Hex32"),
        "public_key": said("Hex32", "The seat's Ed25519 key, if it has one (SPEC 5.6)."),
        "signature": said("Signature", "Of that key over the `register` message."),
    },
    oneOf=[{"required": ["client_seed_commitment"]}, {"required": ["client_seed"]}],
    dependentRequired={"public_key": ["signature"], "signature": ["public_key"]},
)

_DATA: dict[str, Json] = {
    "opened": _OPENED,
    "seated": _SEATED,
    "seeded": record(
        "A seat has revealed its seed.",
        {**_SEAT, "client_seed": ref("Hex32"), "seated_hash": ref("Hex32")},
        _signed("seed"),
    ),
    "lead_drawn": record(
        "Each seat has drawn a tile; the heaviest leads. The whole wash is opened (SPEC 4.5).",
        {
            "seals": items(ref("Hex32"), "The seals of all tiles by position.", 1),
            "round_seed": said("Hex32", "Opens every seal of it."),
            "lead": ref("Seat"),
        },
    ),
    "dealt": record(
        "A hand is dealt.",
        {
            "round": whole("The hand, from 1.", 1),
            "seals": items(ref("Hex32"), "The seals of all tiles by position.", 1),
            "hand_size": whole("Tiles of each seat.", 1),
            "lead": ref("Seat"),
            "aside": items(ref("Tile"), "Tiles the rules set aside."),
        },
        {"must_set": said("Tile", "The first tile, when it is fixed.")},
    ),
    "played": record(
        "A tile is played and its seal opened.",
        {**_SEAT, "tile": ref("Tile"), "seal": ref("Position"), "salt": ref("Hex32")},
        {
            "end": said("End", "Absent for the first tile of a hand."),
            "claim": whole("With `muggins`: what the seat claims.", 1),
            "points": whole("What its side is credited with; absent for nothing.", 1),
            **_signed("move"),
        },
    ),
    "drew": record(
        "A tile is drawn; which one is its seat's secret.",
        {**_SEAT, "seal": ref("Position")},
        _signed("move"),
    ),
    "gave": record(
        "A seat gave the one on turn a tile; which one is a secret of the two.",
        {**_SEAT, "to": ref("Seat"), "seal": ref("Position")},
        _signed("move"),
    ),
    "called": record(
        "A seat took what the last play scored and did not claim.",
        {**_SEAT, "points": whole("What its side is credited with.", 1)},
        _signed("move"),
    ),
    "passed": record("A seat could neither play nor draw.", _SEAT, _signed("move")),
    "declined": record("A seat kept a drawn tile that fits.", _SEAT, _signed("move")),
    "timed_out": record("A turn's deadline has passed.", _SEAT),
    "left": record("A seat has left for good.", _SEAT, _signed("leave")),
    "round_ended": record(
        "A hand is over; its round seed opens every seal of it.",
        {
            "round": whole("The hand.", 1),
            "reason": text("Why.", one_of=("domino", "blocked", "target", "abandoned")),
            "counts": _COUNTS,
            "points": items(ref("Points"), "By side: what the end of the hand pays."),
            "scores": _SCORES,
            "round_seed": ref("Hex32"),
        },
        {"winner": said("Side", "Absent when nobody won.")},
    ),
    "match_ended": record(
        "The match is over; the server seed opens everything.",
        {
            "reason": text("Why.", one_of=("target", "rounds", "abandoned")),
            "scores": _SCORES,
            "server_seed": ref("Hex32"),
        },
        {"winner": said("Side", "Absent for a draw.")},
    ),
    "voided": record(
        "The match is void.",
        {
            "reason": text(
                "Why.",
                one_of=(
                    "seats-missing",
                    "seeds-missing",
                    "left",
                    "house",
                    "history-lost",
                    "seed-lost",
                ),
            )
        },
        {
            "missing": items(ref("Seat"), "The seats that are missing, or left."),
            "receipt": said("Receipt", "For `history-lost`: the receipt the house was shown."),
            "signature": said(
                "Signature",
                "For `left`: of the seat's key over the `leave` message; absent without a key.",
            ),
            "server_seed": said("Hex32", "Absent for `seed-lost` only."),
        },
    ),
}


def _component(event_type: str) -> str:
    return "".join(word.capitalize() for word in event_type.split("_")) + "Event"


def _event(event_type: str, data: Json) -> Json:
    meaning = data.pop("description")
    return record(
        meaning,
        {
            "match": ref("Hex16"),
            "seq": whole("0, 1, 2, ..."),
            "prev": said("Hex32", "The hash of the event before; zeros at seq 0."),
            "at": ref("Millis"),
            "type": constant(event_type),
            "data": data,
        },
    )


EVENTS: Json = {
    **{_component(name): _event(name, dict(data)) for name, data in _DATA.items()},
    "Event": {
        "description": "One event of a match, in canonical form: hash the bytes as they come.",
        "oneOf": [ref(_component(name)) for name in _DATA],
        "discriminator": {
            "propertyName": "type",
            "mapping": {name: f"#/components/schemas/{_component(name)}" for name in _DATA},
        },
    },
}
