"""Keys and receipts: what the house signed, and whose word that is (SPEC 6.4, 9.5, 9.7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import ed25519, shape
from .hashing import key_id
from .order import chain_holds
from .report import Failure
from .signature import Receipt, signed_by
from .strictjson import Flaw
from .table import Table


class NotStarted(Exception):
    """What was given beside the transcript is of no use: (code, what was expected, what it is)."""


def closing(
    table: Table, value: dict[str, Any], pinned: dict[str, bytes], given: list[Receipt]
) -> None:
    """Checks 800 to 808, once."""
    listed(table, value["keys"], pinned)
    own_receipt(table, value["receipt"])
    beside(table, [one for one in given if not admitted(table, one)])


def listed(table: Table, keys: list[dict[str, Any]], pinned: dict[str, bytes]) -> None:
    """Checks 800 to 802."""
    name = table.opened["key_id"]
    named: set[str] = set()
    for place, key in enumerate(keys):
        where, raw = f"keys[{place}]", bytes.fromhex(key["public_key"])
        if key_id(raw) != key["key_id"]:
            table.fail("key/id", key_id(raw), key["key_id"], where)
        if ed25519.good_key(raw) is None:
            table.fail("key/id", "a key of prime order", key["public_key"], where)
        if key["key_id"] in named:
            table.fail("key/id", "every key once", key["key_id"], where)
        named.add(key["key_id"])
    if name not in named:
        table.fail("key/missing", f"the key {name}", ", ".join(sorted(named)), "keys")
    if pinned and name not in pinned:
        table.fail("key/other", " or ".join(sorted(pinned)), name, "the key of the match")


def own_receipt(table: Table, receipt: Receipt) -> None:
    """Checks 803 to 806, on the receipt of the transcript."""
    name, last, where = table.opened["key_id"], len(table.events) - 1, "the receipt"
    if receipt["match"] != table.match.hex():
        table.fail("receipt/match", table.match.hex(), receipt["match"], where)
    if receipt["key_id"] != name:
        table.fail("receipt/key", name, receipt["key_id"], where)
    got = (receipt["seq"], receipt["event_hash"])
    due = (last, table.hashes[last].hex())
    if got != due:
        words = [f"event {seq} with the hash {hashed}" for seq, hashed in (due, got)]
        table.fail("receipt/not-head", words[0], words[1], where)
    if table.match_key is None or not signed_by(receipt, table.match_key):
        table.fail(
            "receipt/signature", f"a signature of the key {name}", "none that is valid", where
        )


def beside(table: Table, given: list[Receipt]) -> None:
    """Checks 807 and 808, on receipts from elsewhere."""
    last, where = len(table.events) - 1, "a receipt given"
    for one in given:
        if one["seq"] <= last and one["event_hash"] != table.hashes[one["seq"]].hex():
            due = f"event {one['seq']} with the hash {one['event_hash']}"
            table.fail("receipt/not-in-transcript", due, table.hashes[one["seq"]].hex(), where)
    for one in given:
        if one["seq"] > last:
            table.fail("receipt/beyond-end", f"event {one['seq']}", f"{last} is the last", where)


def admitted(table: Table, receipt: Receipt) -> bool:
    """9.7: whether the house has said itself that it lost what this receipt is for."""
    last, end = table.events[-1], len(table.events) - 1
    lost = last["type"] == "voided" and last["data"]["reason"] == "history-lost"
    if not lost or receipt["seq"] < end:
        return False
    return receipt["seq"] > end or bool(receipt["event_hash"] != table.hashes[end].hex())


def key_of(value: dict[str, Any], pinned: dict[str, bytes]) -> tuple[str, bytes | None]:
    """9.8: the id of the match's key, "" without an `opened`, and that key where it is known."""
    first = value["events"][0]
    name = first["data"]["key_id"] if first["type"] == "opened" else ""
    listed = {key["key_id"]: bytes.fromhex(key["public_key"]) for key in reversed(value["keys"])}
    key = pinned.get(name) or listed.get(name)
    return name, key


def convicts(
    table: Table,
    value: dict[str, Any],
    pinned: dict[str, bytes],
    given: list[Receipt],
    failure: Failure,
) -> bool:
    """9.5: whether what is false is the house's own word, and not that of whoever made the file."""
    receipt, last = value["receipt"], len(table.events) - 1
    # Another key that was pinned speaks for its own owner, and not for the house of this match.
    name, _ = key_of(value, pinned)
    key = pinned.get(receipt["key_id"]) if name in ("", receipt["key_id"]) else None
    head = (receipt["match"], receipt["seq"], receipt["event_hash"])
    if head != (table.match.hex(), last, table.hashes[last].hex()):
        return False
    if key is None or not signed_by(receipt, key):
        return False
    if failure.seq is not None:
        return chain_holds(table.events, table.hashes, failure.seq)
    # Keys and receipts are not in the chain: anybody could have put them into the file. Two
    # receipts of one pinned key for one place are another matter.
    return failure.code == "receipt/not-in-transcript" and any(
        one["key_id"] == receipt["key_id"]
        and signed_by(one, key)
        and one["seq"] <= last
        and one["event_hash"] != table.hashes[one["seq"]].hex()
        and not admitted(table, one)
        and chain_holds(table.events, table.hashes, one["seq"])
        for one in given
    )


def pin(keys: Iterable[bytes | str]) -> dict[str, bytes]:
    """The keys given from outside, by their ids."""
    pinned: dict[str, bytes] = {}
    for key in keys:
        try:
            raw = bytes.fromhex(key) if isinstance(key, str) else key
        except ValueError:
            raw = b""
        if ed25519.good_key(raw) is None:
            raise NotStarted("start/key", "an Ed25519 key of prime order, 64 hex digits", str(key))
        pinned[key_id(raw)] = raw
    return pinned


def signed_in(receipt: Receipt, name: str, key: bytes | None) -> bool:
    """9.7: whether a receipt is validly signed under the match's key, `name` being its id."""
    if key is None or receipt["key_id"] != name or key_id(key) != name:
        return False
    return signed_by(receipt, key)


def usable(receipt: Any, match: str, name: str, key: bytes | None) -> None:
    """9.7: a receipt from outside must be for this match and under the match's key.

    What anybody else has signed for it, be that key pinned too, is nothing that its house said.
    """
    found = "not an object"
    if isinstance(receipt, dict):
        flaw = shape.lowest(shape.members(receipt, shape.RECEIPT, "receipt"))
        if flaw is None and receipt["match"] != match:
            flaw = Flaw("", "", "", f"a receipt of match {receipt['match']}")
        if flaw is None and receipt["key_id"] != name:
            flaw = Flaw("", "", "", f"a receipt under another key, {receipt['key_id']}")
        if flaw is None and not signed_in(receipt, name, key):
            flaw = Flaw("", "", "", "not validly signed under that key")
        if flaw is None:
            return
        found = f"{flaw.where} {flaw.got}".strip()
    under = f"under its key {name}" if name else "under its key, which it does not name"
    raise NotStarted("start/receipt", f"a valid receipt of match {match} {under}", found)
