"""What calls answer. Answers are spliced from the house's bytes, so these only describe them."""

from __future__ import annotations

from fairbones.api.codes import CODES
from fairbones.api.schemas.events import EVENTS
from fairbones.api.schemas.pieces import (
    PIECES,
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
from fairbones.core.match import Stage

_RECEIPT: Json = {"receipt": said("Receipt", "For the head that this answer shows.")}

_OPTION = record(
    "An option of a ruleset: either `values`, or `minimum` and `maximum`.",
    {
        "name": text("Its name."),
        "meaning": text("What it decides."),
        "default": {"type": ["boolean", "integer", "string"], "description": "Its default."},
    },
    {
        "default_by_seats": {
            "type": "object",
            "description": "Its default for each number of seats, where that differs.",
            "additionalProperties": {"type": "integer"},
        },
        "values": {
            "type": "array",
            "items": {"type": ["boolean", "integer", "string"]},
            "description": "The values it may have.",
        },
        "minimum": whole("The least value."),
        "maximum": whole("The greatest value."),
    },
)
_RULESET = record(
    "A game that can be opened.",
    {
        "id": text("What POST /v1/matches names."),
        "title": text("Its name."),
        "text": text("The rules, for a player."),
        "seats": record(
            "How many may play.", {"minimum": whole("At least."), "maximum": whole("At most.")}
        ),
        "options": items(_OPTION, "By name."),
        "limits": items(
            record(
                "A condition that joins options.",
                {"code": text("The problem code when it is broken."), "text": text("In words.")},
            ),
            "Conditions that join options.",
        ),
    },
)

_SEAT_SHOWN = record(
    "A seat as everybody sees it.",
    {
        "seat": ref("Seat"),
        "taken": flag("Somebody sits there."),
        "count": whole("How many tiles it holds."),
        "score": said("Points", "The points of its side so far, those of this hand included."),
    },
    {
        "name": text("Its pseudonym."),
        "public_key": said("Hex32", "The key that signs all that it says; absent without one."),
        "reserved": flag(
            "It needs an invitation, or the key that `opened` names; absent otherwise."
        ),
        "left": flag("It has left for good; absent otherwise."),
    },
)
_LAID = record(
    "A tile on the table.",
    {"seat": ref("Seat"), "tile": ref("Tile"), "seal": ref("Position")},
    {
        "end": said("End", "Where it was played; absent for the first."),
        "points": whole("What its side was credited with; absent for nothing.", 1),
    },
)
_OPEN_END = record(
    "An open end.",
    {"end": ref("End"), "value": whole("The number to match.", 0, 18)},
    {"weight": whole("In games that count: how often its value is counted (SPEC R5).", 0, 2)},
)
_OWN = record(
    "What only this seat sees.",
    {
        "seat": ref("Seat"),
        "hand": items(
            record(
                "A tile with what opens its seal.",
                {"seal": ref("Position"), "tile": ref("Tile"), "salt": ref("Hex32")},
            ),
            "Its tiles.",
        ),
        "legal_actions": items(
            ref("Action"),
            "What it may do now; each can be sent as it stands. Off its turn empty, but for `call` "
            "with `muggins`; empty too where the house makes a forced step after the time for "
            "calls.",
        ),
    },
)
_STATUS = text("Where the match stands.", one_of=tuple(stage.value for stage in Stage))
_LISTED = record(
    "A match as its last touch left it. `seats` less `taken` are free, `open` of them for anybody.",
    {
        "id": ref("Hex16"),
        "status": _STATUS,
        "ruleset": text("The id of its ruleset."),
        "seats": whole("How many seats.", 1, 64),
        "taken": whole("How many of them are taken.", 0, 64),
        "open": whole("How many of them are free and need no invitation and no key.", 0, 64),
        "opened_at": ref("Millis"),
        "rounds_max": whole("The most hands.", 1, 6144),
        "turn_seconds": whole("Seconds a seat has for its turn.", 1, 86_400),
        "clear_seeds": flag("Seeds in the clear are taken."),
    },
    {
        "options": said("Options", "The options it was opened with; absent when there were none."),
        "reserved": items(
            ref("Seat"), "The seats that need an invitation or a key, taken ones too.", 1
        ),
        "reference": text("The opener's own name for it.", pattern="^[ -~]{1,64}$"),
        "deadline": said("Millis", "While it is `joining`: until when seats can be taken."),
    },
)
_VIEW_NEEDED: Json = {
    "id": ref("Hex16"),
    "status": _STATUS,
    "ruleset": text("The id of its ruleset."),
    "now": said("Millis", "The house's clock when it answered."),
    "seats": items(_SEAT_SHOWN, "By seat."),
    "scores": items(ref("Points"), "By side."),
    "waiting_for": items(ref("Seat"), "The seats that the match waits for."),
    "head": ref("Head"),
}
_VIEW_OPTIONAL: Json = {
    "round": whole("The hand, once one was dealt.", 1),
    "deadline": said(
        "Millis",
        "When the wait is over, and after which the seat to act is late; absent when the match "
        "waits for nobody. With `muggins` a time-out comes no earlier than the end of the time for "
        "calls.",
    ),
    "turn": said("Seat", "The seat to act, while a hand is played: on turn, or about to give."),
    "giving_to": said(
        "Seat",
        "While `turn` has to give a tile: the seat that gets it, which is on turn and cannot play; "
        "absent otherwise.",
    ),
    "line": items(_LAID, "The tiles on the table in the order they were played."),
    "ends": items(_OPEN_END, "The open ends of the line."),
    "count": whole("In games that count, without `muggins`: the count of the line (SPEC R10)."),
    "boneyard": whole("How many tiles are in the boneyard."),
    "result": record(
        "How it came to its end.",
        {"reason": text("As in `match_ended` or `voided`.")},
        {
            "winner": said("Side", "The side that won, if one did."),
            "missing": items(ref("Seat"), "The seats that were missing, or left."),
        },
    ),
    "you": _OWN,
}

ANSWERS: Json = {
    **PIECES,
    **EVENTS,
    "Ruleset": _RULESET,
    "Rulesets": record("Every ruleset.", {"rulesets": items(ref("Ruleset"), "All of them.")}),
    "OpenedMatch": record("A new match.", {"event": ref("OpenedEvent"), **_RECEIPT}),
    "Matches": record(
        "A page of the list of matches.",
        {
            "matches": items(_LISTED, "The last opened first."),
            "now": said("Millis", "The house's clock when it answered."),
        },
        {"cursor": text("Leads to the next page; absent on the last.", pattern="^[A-Za-z0-9_-]+$")},
    ),
    "View": record(
        "A match as the caller may see it.", {**_VIEW_NEEDED, **_RECEIPT}, _VIEW_OPTIONAL
    ),
    "Step": record(
        "What a request that moves a match did: its own step alone. What came before it, such as "
        "a move of another seat or a deadline that had passed, is not in it: when `events[0].seq` "
        "is not the one after the last you hold, fetch the events in between. The same request "
        "again is answered with the same events and the same receipt, and with the view of that "
        "step too, however far the match has come since: only its `now` is of this moment.",
        {
            "events": items(ref("Event"), "The events it added, with all that followed from it."),
            **_RECEIPT,
            "view": record(
                "The match after them; `now` is of this answer.", _VIEW_NEEDED, _VIEW_OPTIONAL
            ),
        },
    ),
    "Followed": record(
        "Events after a seq.",
        {"events": items(ref("Event"), "In the order of their seq."), "head": ref("Head")}
        | _RECEIPT,
    ),
    "Transcript": record(
        "All there is to verify (SPEC 6.6).",
        {
            "protocol": constant("fairbones/1"),
            "events": items(ref("Event"), "All, from seq 0.", 1),
            **_RECEIPT,
            "keys": items(
                record(
                    "A receipt key.",
                    {"key_id": ref("KeyId"), "public_key": said("Hex32", "Ed25519.")},
                ),
                "The keys of its receipts.",
                1,
            ),
        },
    ),
    "Keys": record(
        "The house's receipt keys.",
        {
            "keys": items(
                record(
                    "A key.",
                    {
                        "key_id": ref("KeyId"),
                        "public_key": said("Hex32", "Ed25519."),
                        "current": flag("New matches are signed with it."),
                    },
                ),
                "Newest first.",
            )
        },
    ),
    "Index": record(
        "Where to go on.",
        {
            "service": constant("fairbones"),
            "version": text("The version of the service."),
            "protocol": constant("fairbones/1"),
            "links": {
                "type": "object",
                "description": "Addresses by what they lead to: `open` takes a POST, `match` needs "
                "the id of a match in place of `{id}`.",
                "additionalProperties": {"type": "string"},
            },
        },
    ),
    "Health": record("It is well.", {"status": text("How.", one_of=("alive", "ready"))}),
    "Problem": {
        "type": "object",
        "description": "What went wrong and what to do (RFC 9457). More members may name details.",
        "required": ["type", "title", "status", "detail", "code"],
        "properties": {
            "type": text("The code as a URI: a name, not an address."),
            "title": text("The code in words, always the same."),
            "status": whole("The HTTP status.", 400, 599),
            "detail": text("What to do in this case."),
            "code": text("Stable: decide by this.", one_of=tuple(CODES)),
            "in": text("Where the `field` stood.", one_of=("body", "query", "header")),
            "field": text("The path of the field that is wrong."),
            "expected": text("What the field should have been."),
            "head": said("Head", "Of what came too late or second: where the match stands."),
            "receipt": said("Receipt", "For that head."),
            "incident": text("For `service/bug`: what the log knows it by."),
        },
    },
}
