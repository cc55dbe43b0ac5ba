"""The export format: JSON, a line for each thing, so that files of any size are read in order.

The first line is `{"format":"fairbones-export","version":1,"made":MS}`. Each line after it is
`{"match":{...},"sha256":HEX}`, where the digest is of the canonical text of that object: sorted
keys, no spaces, UTF-8. The last is `{"end":{"matches":N,"sha256":HEX}}`, the digest of all bytes
before it: a file without it was cut.

A match is `{"id","sealed_seed","steps":[{"first_seq","events":[TEXT],"receipt":TEXT}],
"claims":[{"seat","token_hash","request_hash"}],"idempotency","listing","due"}`. Bytes are hex, but
events and receipts are their exact text: nothing is written anew. `idempotency` is null or
`{"key","request_hash"}`, `listing` null or `{"ruleset","join_by","told","status","taken","open"}`.
The seed stays sealed: who reads the file without the key-encryption key learns no hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fairbones.archive.judging import MISSHAPEN, damaged
from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.canonical import INTEGER_MAX
from fairbones.house.ports import Listing, SeatClaim, Standing, Step, Stored, Whole

FORMAT, VERSION = "fairbones-export", 1
LINE_MAX = 64 * 1024 * 1024

Json = Mapping[str, Any]


def header(made: int) -> bytes:
    """The first line; `made` is when it was begun, ms since 1970."""
    return _line({"format": FORMAT, "version": VERSION, "made": made})


def read_header(line: bytes) -> None:
    """Raises `house/no-export` for what is none, `house/newer-export` for a later format."""
    told = _object(line)
    version = told.get("version")
    if told.get("format") != FORMAT or type(version) is not int or not 0 < version <= INTEGER_MAX:
        raise FairbonesError("house/no-export", "this file is not an export of Fairbones")
    if version != VERSION:
        raise FairbonesError(
            "house/newer-export",
            f"this export has format {version} and this Fairbones knows {VERSION}; "
            "install the one that wrote it",
        )


def footer(matches: int, digest: str) -> bytes:
    """The last line."""
    return _line({"end": {"matches": matches, "sha256": digest}})


def read_footer(line: bytes) -> tuple[int, str] | None:
    """What the last line says; None for a line that is another."""
    end = _object(line).get("end")
    if not isinstance(end, dict):
        return None
    try:
        return _int(end, "matches"), _str(end, "sha256")
    except (ValueError, KeyError):
        raise damaged("it is not the last line that was written") from None


def write(whole: Whole) -> bytes:
    """The line of a match."""
    told = _told(whole)
    return _line({"match": told, "sha256": _digest(told)})


def read(line: bytes) -> Whole:
    """The match of a line, as far as its form goes; `house/damaged` otherwise."""
    outer = _object(line)
    told = outer.get("match")
    try:
        if not isinstance(told, dict) or outer.get("sha256") != _digest(told):
            raise damaged("it is not as it was written")
        return _whole(told)
    except MISSHAPEN:
        raise damaged("a part of it is missing or misshapen") from None


def _told(whole: Whole) -> Json:
    stored, listing = whole.stored, whole.listing
    key = whole.idempotency
    return {
        "id": stored.match_id.hex(),
        "sealed_seed": stored.sealed_seed.hex(),
        "steps": [
            {
                "first_seq": step.first_seq,
                "events": [raw.decode("utf-8") for raw in step.events],
                "receipt": step.receipt.decode("utf-8"),
            }
            for step in stored.steps
        ],
        "claims": [
            {
                "seat": claim.seat,
                "token_hash": claim.token_hash.hex(),
                "request_hash": claim.request_hash.hex(),
            }
            for claim in stored.claims
        ],
        "idempotency": None if key is None else {"key": key[0], "request_hash": key[1].hex()},
        "listing": None
        if listing is None
        else {
            "ruleset": listing.ruleset,
            "join_by": listing.join_by,
            "told": listing.told.decode("utf-8"),
            "status": listing.standing.status,
            "taken": listing.standing.taken,
            "open": listing.standing.open,
        },
        "due": whole.due,
    }


def _whole(told: Json) -> Whole:
    key, listing = told["idempotency"], told["listing"]
    return Whole(
        stored=Stored(
            match_id=_hex(told, "id", 16),
            sealed_seed=_hex(told, "sealed_seed"),
            steps=tuple(
                Step(
                    _int(step, "first_seq"),
                    tuple(text.encode("utf-8") for text in step["events"]),
                    _str(step, "receipt").encode("utf-8"),
                )
                for step in told["steps"]
            ),
            claims=tuple(
                SeatClaim(_int(it, "seat"), _hex(it, "token_hash"), _hex(it, "request_hash"))
                for it in told["claims"]
            ),
        ),
        idempotency=None if key is None else (_str(key, "key"), _hex(key, "request_hash")),
        listing=None if listing is None else _listing(listing),
        due=None if told["due"] is None else _int(told, "due"),
    )


def _listing(told: Json) -> Listing:
    standing = Standing(_str(told, "status"), _int(told, "taken"), _int(told, "open"))
    text = _str(told, "told").encode("utf-8")
    return Listing(_str(told, "ruleset"), _int(told, "join_by"), text, standing)


def _object(line: bytes) -> Json:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise damaged("it is not JSON") from None
    if not isinstance(told, dict):
        raise damaged("it is not an object")
    return told


def _text(told: Json) -> bytes:
    # A lone surrogate, which no export has, would not be written at all.
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _line(told: Json) -> bytes:
    return _text(told) + b"\n"


def _digest(told: Json) -> str:
    return hashlib.sha256(_text(told)).hexdigest()


def _int(told: Json, name: str) -> int:
    value = told[name]
    if type(value) is not int or not 0 <= value <= INTEGER_MAX:
        raise ValueError(name)
    return value


def _str(told: Json, name: str) -> str:
    value = told[name]
    if not isinstance(value, str):
        raise ValueError(name)
    return value


def _hex(told: Json, name: str, size: int | None = None) -> bytes:
    value = bytes.fromhex(_str(told, name))
    if size is not None and len(value) != size:
        raise ValueError(name)
    return value
