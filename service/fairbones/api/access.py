"""Who may call: every endpoint declares it, and an application with one that does not won't start.

A seat's token is made by its client (at least 32 random bytes) and never travels back. An API key
is made by the operator, who keeps its hash.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

from flask import Flask, request

from fairbones.core.errors import Forbidden, Unreadable
from fairbones.ops import Openers

View = TypeVar("View", bound=Callable[..., object])

_TOKEN = re.compile(r"[A-Za-z0-9_.~+/=-]{43,256}", re.ASCII)
_DECLARED = "fairbones_callers"


class Caller(StrEnum):
    """The four who may call."""

    PUBLIC = "public"
    SEAT = "seat"
    PROOF = "anyone-with-proof"
    OPENER = "opener"


PUBLIC, SEAT, PROOF, OPENER = Caller.PUBLIC, Caller.SEAT, Caller.PROOF, Caller.OPENER

# What a view is handed: no token, the token, or the token when one was sent.
_SAID = {
    frozenset({PUBLIC}): "Anyone may call.",
    frozenset({SEAT}): "Only a seat may call, with its token.",
    frozenset({PROOF}): "Anyone may call: the request proves itself.",
    frozenset({PUBLIC, OPENER}): "Anyone may call; where the operator has it so, only with an API "
    "key.",
    frozenset({PUBLIC, SEAT}): "Anyone may call; with its token a seat is answered as that seat.",
}


def callers(*who: Caller) -> Callable[[View], View]:
    """Declare who may call a view."""
    declared = frozenset(who)
    if declared not in _SAID:
        raise ValueError(f"no such set of callers: {sorted(declared)}")

    def declare(view: View) -> View:
        setattr(view, _DECLARED, declared)
        return view

    return declare


def declared(view: object) -> frozenset[Caller]:
    """Who may call it; empty when nobody said."""
    found: frozenset[Caller] = getattr(view, _DECLARED, frozenset())
    return found


def in_words(who: frozenset[Caller]) -> str:
    """One sentence for the description of the API."""
    return _SAID[who]


def refuse_undeclared(app: Flask) -> None:
    """RuntimeError naming every endpoint that does not declare its callers."""
    open_ones = sorted(name for name, view in app.view_functions.items() if not declared(view))
    if open_ones:
        raise RuntimeError(f"these endpoints do not declare who may call: {', '.join(open_ones)}")


def token_of_request(who: frozenset[Caller]) -> str | None:
    """The bearer token; None where a call may come, and came, without one.

    `auth/token-missing` when a seat must say who it is or the header is of another kind;
    `auth/token-weak` for a token that cannot be 32 random bytes.
    """
    header = request.headers.get("Authorization")
    if header is None and PUBLIC in who:
        return None
    scheme, _, token = (header or "").partition(" ")
    if scheme.lower() != "bearer":
        raise Forbidden("auth/token-missing", "Send Authorization: Bearer and the seat's token.")
    if _TOKEN.fullmatch(token) is None:
        raise Unreadable(
            "auth/token-weak",
            "A token is 43 to 256 characters of A-Z a-z 0-9 - . _ ~ + / =, from at least 32 random "
            "bytes.",
        )
    return token


def opener_of_request(openers: Openers | None) -> str | None:
    """The id of the API key; None where anyone may open, whatever was sent.

    `auth/api-key-missing`, `auth/api-key-unknown`, `auth/api-keys-unreadable`.
    """
    if openers is None:
        return None
    scheme, _, key = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        raise Forbidden("auth/api-key-missing", "Send Authorization: Bearer and your API key.")
    return openers.admitted(key)
