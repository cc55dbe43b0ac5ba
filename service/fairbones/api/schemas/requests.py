"""The bodies that calls take. Each schema is made once, when its resource is imported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import fields, post_load, pre_load, validates_schema

from fairbones.api.schemas.fields import (
    MISSING,
    RANGE,
    SEQ_MAX,
    UNKNOWN,
    Fault,
    Flag,
    Hex,
    HexText,
    Name,
    Secret,
    Strict,
    StrictSchema,
    Text,
    Verbatim,
    Whole,
    out_of_range,
    wrong,
    wrong_type,
)
from fairbones.core.match import ForInvite, ForKey
from fairbones.core.match import Reservation as Kept
from fairbones.core.rules.options import OPTIONS
from fairbones.house.messages import ActRequest, OpenRequest

_DAY = 86_400


def _one_of(members: Mapping[str, Any], one: str, other: str) -> None:
    """That exactly one of two members is there."""
    if one not in members and other not in members:
        raise wrong(Fault(MISSING, f"send it, or {other}."), one)
    if one in members and other in members:
        raise wrong(Fault(RANGE, f"not together with {one}.", "absent"), other)


class Reservation(StrictSchema):
    """A seat that is kept for whoever brings the secret of its invitation, or for a key."""

    seat = Whole(0, 63, "The seat.", required=True)
    invite_hash = Hex(
        32,
        'H("invite", secret) of SPEC 2.3 and 7; the secret has 16 to 64 random bytes, new for '
        "each seat.",
    )
    public_key = Hex(32, "The Ed25519 key that the seat is taken with or not at all (SPEC 5.6).")

    class Meta(StrictSchema.Meta):
        one_of = ("invite_hash", "public_key")

    @validates_schema
    def _exactly_one(self, members: Mapping[str, Any], **_: object) -> None:
        _one_of(members, *self.Meta.one_of)

    @post_load
    def _kept(self, members: dict[str, Any], **_: object) -> tuple[int, Kept]:
        key = members.get("public_key")
        return members["seat"], ForKey(key) if key else ForInvite(members["invite_hash"])


class OpenMatch(StrictSchema):
    """POST /v1/matches. Ranges are those of SPEC 7; the ruleset narrows some of them."""

    ruleset = Name("[a-z0-9-]{1,32}", "the id of a ruleset", "The id of a ruleset.", required=True)
    seats = Whole(1, 64, "How many seats play.", required=True)
    options = Verbatim("Options", "The options that differ from the ruleset's row.")
    rounds_max = Whole(
        1, 6144, "The most hands this match may have; all are washed now.", load_default=32
    )
    turn_seconds = Whole(1, _DAY, "Seconds a seat has for its turn.", load_default=60)
    join_seconds = Whole(1, _DAY, "Seconds from now to take every seat.", load_default=600)
    reveal_seconds = Whole(
        1, _DAY, "Seconds from the last seat taken to reveal every seed.", load_default=120
    )
    auto_forced = Flag("The house plays forced draws and passes at once.", load_default=True)
    clear_seeds = Flag(
        "Seats may send their seed in the clear, which protects nobody.", load_default=False
    )
    reference = Text(
        "[ -~]{1,64}",
        "1 to 64 printable ASCII characters",
        "Your own name for the match; public, never erased.",
    )
    listed = Flag(
        "GET /v1/matches lists the match. false: never; whoever has its id may look all the same.",
        load_default=True,
    )
    reserved = fields.List(
        fields.Nested(Reservation(), error_messages={"type": wrong_type("object")}),  # type: ignore[dict-item]
        load_default=list,
        error_messages={"invalid": wrong_type("array")},  # type: ignore[dict-item]
        metadata={
            "description": "Seats that need an invitation or a key, each once; without order.",
            "maxItems": 64,
        },
    )

    @pre_load
    def _options_apart(self, members: Mapping[str, Any], **_: object) -> Mapping[str, Any]:
        for name in members:
            if name in OPTIONS:
                text = "not a field of this call; options of the ruleset go in `options`."
                raise wrong(Fault(UNKNOWN, text), name)
        return members

    @validates_schema
    def _each_seat_once(self, members: Mapping[str, Any], **_: object) -> None:
        seen: dict[int, Kept] = {}
        for index, (seat, kept) in enumerate(members["reserved"]):
            field = f"reserved.{index}"
            if seat >= members["seats"]:
                raise wrong(out_of_range(0, members["seats"] - 1), f"{field}.seat")
            if seat in seen:
                raise wrong(Fault(RANGE, "reserve a seat once.", "another seat"), f"{field}.seat")
            if kept in seen.values():
                if isinstance(kept, ForKey):
                    fault = Fault(RANGE, "reserve one seat for a key.", "another key")
                    raise wrong(fault, f"{field}.public_key")
                fault = Fault(RANGE, "make a secret for each seat.", "another hash")
                raise wrong(fault, f"{field}.invite_hash")
            seen[seat] = kept

    @post_load
    def _request(self, members: dict[str, Any], **_: object) -> OpenRequest:
        return OpenRequest(**members | {"reserved": dict(members["reserved"])})


class TakeSeat(StrictSchema):
    """PUT .../seats/{n}: a name, and exactly one of commitment and seed."""

    name = Text(
        "[A-Za-z0-9_-]{1,24}",
        "1 to 24 letters (a to z, A to Z), digits, hyphens and underscores",
        "A pseudonym; public, never erased.",
    )
    client_seed_commitment = Hex(32, "The commitment to your client seed (SPEC 5.1).")
    client_seed = Hex(32, "The seed in the clear, only where the match allows it.")
    invite = Secret(
        16, 64, "The secret of a reserved seat's invitation; kept by nobody, good for this seat."
    )
    public_key = Hex(
        32,
        "An Ed25519 key of your own; all that the seat says from now on is signed by it. Public, "
        "never erased.",
    )
    signature = Hex(
        64, "With `public_key`: its Ed25519 signature over the `register` message of SPEC 5.6."
    )

    class Meta(StrictSchema.Meta):
        one_of = ("client_seed_commitment", "client_seed")
        together = ("public_key", "signature")

    @validates_schema
    def _exactly_one(self, members: Mapping[str, Any], **_: object) -> None:
        _one_of(members, *self.Meta.one_of)


class RevealSeed(StrictSchema):
    """PUT .../seats/{n}/seed."""

    client_seed = Hex(32, "The seed that the seat committed to.", required=True)
    seated_hash = Hex(
        32,
        "The hash of the last `seated` event, computed from the event by you.",
        required=True,
    )
    signature = Hex(
        64, "Of a seat with a key: over the `seed` message of SPEC 5.6; absent for any other."
    )


class LeaveSeat(StrictSchema):
    """DELETE .../seats/{n}."""

    signature = Hex(
        64, "Of a seat with a key: over the `leave` message of SPEC 5.6; absent for any other."
    )


class HeldReceipt(StrictSchema):
    """A receipt as the house sent it (SPEC 6.4)."""

    match = HexText(16, "The match.", required=True)
    seq = Whole(0, SEQ_MAX, "The seq of the receipted event.", required=True)
    event_hash = HexText(32, "Its hash.", required=True)
    key_id = HexText(8, "The key it is signed with.", required=True)
    signature = HexText(64, "The house's Ed25519 signature.", required=True)


class Act(StrictSchema):
    """POST .../actions."""

    seq = Whole(0, SEQ_MAX, "The seq that the action's event will have.", required=True)
    action = Verbatim("Action", "One of `legal_actions` of your view.", required=True)
    prev = Hex(32, "The hash of the head you decided on.")
    signature = Hex(
        64,
        "Of a seat with a key: over the `move` message of SPEC 5.6, with this `seq` and the hash "
        "of the head before it; absent for any other seat.",
    )
    receipt = fields.Nested(
        HeldReceipt(),
        error_messages={"type": wrong_type("object")},  # type: ignore[dict-item]
        metadata={"description": "The one you hold for `prev`: a house that lost it must say so."},
    )

    @post_load
    def _request(self, members: dict[str, Any], **_: object) -> ActRequest:
        return ActRequest(**members)

    def quick(self, _members: Mapping[str, object]) -> ActRequest | None:
        """The dearest part of the request that there are most of: the same fields are asked."""
        loaded: dict[str, Any] = {}
        for name, value in _members.items():
            field = self.fields.get(name)
            if not isinstance(field, Strict) or field.fault(value) is not None:
                return None
            loaded[name] = field.loaded(value)
        return ActRequest(**loaded) if "seq" in loaded and "action" in loaded else None
