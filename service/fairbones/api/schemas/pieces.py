"""Small words to write JSON Schema with, and the values that many answers share."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def ref(name: str) -> Json:
    """A component."""
    return {"$ref": f"#/components/schemas/{name}"}


def text(meaning: str, *, pattern: str | None = None, one_of: tuple[str, ...] = ()) -> Json:
    """A string."""
    made: Json = {"type": "string", "description": meaning}
    if pattern is not None:
        made["pattern"] = pattern
    if one_of:
        made["enum"] = list(one_of)
    return made


def constant(value: str) -> Json:
    """A string with one value."""
    return {"type": "string", "const": value}


def whole(meaning: str, minimum: int = 0, maximum: int | None = None) -> Json:
    """A whole number."""
    made: Json = {"type": "integer", "minimum": minimum, "description": meaning}
    if maximum is not None:
        made["maximum"] = maximum
    return made


def flag(meaning: str) -> Json:
    """true or false."""
    return {"type": "boolean", "description": meaning}


def said(name: str, meaning: str) -> Json:
    """A component with a meaning of its own in this place."""
    return {**ref(name), "description": meaning}


def items(of: Json, meaning: str, at_least: int | None = None) -> Json:
    """A list."""
    made: Json = {"type": "array", "items": of, "description": meaning}
    if at_least is not None:
        made["minItems"] = at_least
    return made


def record(meaning: str, needed: Json, optional: Json | None = None, **more: Any) -> Json:
    """An object of known members; `needed` are always there."""
    return {
        "type": "object",
        "description": meaning,
        "required": list(needed),
        "properties": {**needed, **(optional or {})},
        "additionalProperties": False,
        **more,
    }


def hex_text(length: int, meaning: str) -> Json:
    """Bytes as lowercase hex."""
    return {"type": "string", "pattern": f"^[0-9a-f]{{{2 * length}}}$", "description": meaning}


_ACTIONS = ("Play", "Draw", "Decline", "Give", "Pass", "Call")

PIECES: Json = {
    "Hex16": hex_text(16, "16 bytes as lowercase hex."),
    "Hex32": hex_text(32, "32 bytes as lowercase hex."),
    "Signature": hex_text(64, "An Ed25519 signature (SPEC 2.4)."),
    "KeyId": hex_text(8, "The first 16 hex digits of the hash of a public key (SPEC 6.5)."),
    "Seat": whole("The number of a seat, from 0.", 0, 63),
    "Side": whole("A side: a seat, or with partners seat mod 2.", 0, 63),
    "Millis": whole("Milliseconds since 1970."),
    "Points": whole("Points."),
    "Position": whole("A position of the hand's wash.", 0, 6143),
    "Tile": text(
        "A tile, high half first (SPEC R1). Only in an action that a seat without a key sends the "
        "low half may stand first.",
        pattern="^(1?[0-9])-(1?[0-9])$",
    ),
    "End": text(
        "An end of the line (SPEC R5): `left`, `right`, and the arms of a spinner.",
        pattern="^(left|right|(up|down)(-([2-9]|1[0-9]))?)$",
    ),
    "Options": {
        "type": "object",
        "description": "Option names with their values; GET /v1/rulesets lists both.",
        "additionalProperties": {"type": ["boolean", "integer", "string"]},
    },
    "Play": record(
        "Play a tile.",
        {
            "type": constant("play"),
            "tile": said(
                "Tile",
                "A seat without a key may write the low half first too; the event has it high half "
                "first.",
            ),
        },
        {
            "end": said("End", "Where; absent for the first tile of a hand."),
            "claim": whole(
                "With `muggins` only: the points that the seat claims, at most what the play "
                "scores. `legal_actions` carry none: count for yourself.",
                1,
            ),
        },
    ),
    "Draw": record("Draw the front tile of the boneyard.", {"type": constant("draw")}),
    "Decline": record(
        "Keep a drawn tile that fits, which ends the turn.", {"type": constant("decline")}
    ),
    "Give": record(
        "Give the tile at this position to the seat on turn, which cannot play.",
        {"type": constant("give"), "seal": ref("Position")},
    ),
    "Pass": record("Give the turn on, with nothing to play or draw.", {"type": constant("pass")}),
    "Call": record(
        "With `muggins`: take the points that the last play scored and did not claim.",
        {"type": constant("call")},
    ),
    "Action": {
        "description": "One action of a seat (SPEC R6, R10).",
        "oneOf": [ref(name) for name in _ACTIONS],
        "discriminator": {
            "propertyName": "type",
            "mapping": {name.lower(): f"#/components/schemas/{name}" for name in _ACTIONS},
        },
    },
    "Receipt": record(
        "The house's signature over a head (SPEC 6.4). Keep every one.",
        {
            "match": ref("Hex16"),
            "seq": whole("The seq of the head."),
            "event_hash": said("Hex32", "The hash of the head's event."),
            "key_id": ref("KeyId"),
            "signature": ref("Signature"),
        },
    ),
    "Head": record(
        "The last event of a match.",
        {"seq": whole("Its seq."), "event_hash": said("Hex32", "Its hash (SPEC 6.3).")},
    ),
}
