"""The service computes every vector of `tests/vectors/primitives`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from fairbones.core.protocol import chain, cut, draws, wash
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.encoding import MAC, H, Tag, enc
from fairbones.core.protocol.shuffle import shuffle
from fairbones.keys.signer import ReceiptSigner

Json = dict[str, Any]
FOLDER = Path(__file__).resolve().parents[1] / "vectors" / "primitives"


def cases(name: str) -> list[Any]:
    """The cases of one file; an empty file would let a test pass that tests nothing."""
    found: list[Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["cases"]
    assert found
    return found


def raw(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


def each(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", cases(name))


@each("enc")
def test_enc(case: Json) -> None:
    assert enc(*raw(case["items"])).hex() == case["enc"]


@each("hash")
def test_hash(case: Json) -> None:
    tag, items = Tag(case["tag"]), raw(case["items"])
    if "key" in case:
        assert MAC(bytes.fromhex(case["key"]), tag, *items).hex() == case["mac"]
    else:
        assert H(tag, *items).hex() == case["hash"]


@each("shuffle")
def test_shuffle(case: Json) -> None:
    key = bytes.fromhex(case["key"])
    assert shuffle(key, Tag(case["tag"]), case["r"], case["n"]) == case["result"]


@each("wash")
def test_wash(case: Json) -> None:
    match, seed = bytes.fromhex(case["match"]), bytes.fromhex(case["server_seed"])
    assert wash.server_seed_hash(match, seed).hex() == case["server_seed_hash"]
    round_seed = wash.round_seed(match, seed, case["r"])
    assert round_seed.hex() == case["round_seed"]
    made = wash.wash(match, round_seed, case["r"], raw(case["things"]))
    assert list(made.order) == case["order"]
    assert list(made.salts) == raw(case["salts"])
    assert list(made.seals) == raw(case["seals"])
    assert made.root.hex() == case["root"]


@each("cut")
def test_cut(case: Json) -> None:
    opened, seeds = bytes.fromhex(case["opened_hash"]), raw(case["seeds"])
    for seat, seed in enumerate(seeds):
        made = cut.client_commitment(opened, seat, b"", seed)
        assert made.hex() == case["commitments"][seat]
    key = cut.cut_key(opened, seeds)
    assert key.hex() == case["cut_key"]
    dealt = cut.cut(key, case["r"], case["n"], len(seeds), case["hand_size"])
    assert [list(hand) for hand in dealt.hands] == case["hands"]
    assert list(dealt.boneyard) == case["boneyard"]


@each("canonical")
def test_canonical(case: Json) -> None:
    assert canonical(case["value"]).hex() == case["canonical"]


@each("event")
def test_event(case: Json) -> None:
    told = case["event"]
    match, prev = bytes.fromhex(told["match"]), bytes.fromhex(told["prev"])
    event = chain.seal_event(match, told["seq"], prev, told["at"], told["type"], told["data"])
    assert (event.raw.hex(), event.hash.hex()) == (case["canonical"], case["hash"])


@each("receipt")
def test_receipt(case: Json) -> None:
    assert chain.key_id(bytes.fromhex(case["public_key"])) == case["key_id"]
    event_hash = bytes.fromhex(case["event_hash"])
    message = chain.receipt_message(bytes.fromhex(case["match"]), case["seq"], event_hash)
    assert message.hex() == case["message"]


def test_the_test_key_signs_the_vectors() -> None:
    """Ed25519 has one signature for a key and a message (RFC 8032)."""
    about = json.loads((FOLDER / "receipt.json").read_text("utf-8"))["about"]
    signer = ReceiptSigner([hashlib.sha256(about.split("'")[1].encode()).digest()])
    own = [case for case in cases("receipt") if case["key_id"] == signer.key_id]
    assert own
    for case in own:
        assert signer.sign(bytes.fromhex(case["message"])).hex() == case["signature"]


@each("lots")
def test_lots(case: Json) -> None:
    secret, key = bytes.fromhex(case["server_seed"]), bytes.fromhex(case["cut_key"])
    n = case["n"]
    if case["kind"] == "numbers":
        assert draws.draw_numbers(secret, key, n, case["count"]) == case["result"]
        return
    seed = wash.round_seed(bytes.fromhex(case["match"]), secret, 1)
    order = shuffle(seed, Tag.WASH_ORDER, 1, n)
    assert draws.draw_order(tuple(order), shuffle(key, Tag.CUT_MAP, 1, n)) == case["result"]
