"""The verifier computes every vector of `tests/vectors/primitives`, with code of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairbones_verify import deal, draws, ed25519, hashing, seatkeys, signature, strictjson
from fairbones_verify.shuffle import shuffle
from tests.conformance.reading import TESTS, Json

FOLDER = TESTS / "vectors" / "primitives"


def each(name: str) -> pytest.MarkDecorator:
    found: list[Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["cases"]
    assert found
    return pytest.mark.parametrize("case", found)


def raw(texts: list[str]) -> list[bytes]:
    return [bytes.fromhex(text) for text in texts]


@each("enc")
def test_enc(case: Json) -> None:
    assert hashing.enc(*raw(case["items"])).hex() == case["enc"]


@each("hash")
def test_hash(case: Json) -> None:
    items = raw(case["items"])
    if "key" in case:
        made = hashing.mac(bytes.fromhex(case["key"]), case["tag"], *items)
        assert made.hex() == case["mac"]
    else:
        assert hashing.digest(case["tag"], *items).hex() == case["hash"]


@each("shuffle")
def test_shuffle(case: Json) -> None:
    made = shuffle(bytes.fromhex(case["key"]), case["tag"], case["r"], case["n"])
    assert made == case["result"]


@each("wash")
def test_wash(case: Json) -> None:
    match, seed = bytes.fromhex(case["match"]), bytes.fromhex(case["server_seed"])
    assert hashing.digest("server-seed", match, seed).hex() == case["server_seed_hash"]
    round_seed = deal.round_seed(seed, match, case["r"])
    assert round_seed.hex() == case["round_seed"]
    made = deal.wash(match, round_seed, case["r"], raw(case["things"]))
    assert made.order == case["order"]
    assert made.salts == raw(case["salts"])
    assert made.seals == raw(case["seals"])
    assert made.root.hex() == case["root"]


@each("cut")
def test_cut(case: Json) -> None:
    opened, seeds = bytes.fromhex(case["opened_hash"]), raw(case["seeds"])
    for seat, seed in enumerate(seeds):
        assert hashing.commitment(opened, seat, seed).hex() == case["commitments"][seat]
    key = deal.cut_key(opened, seeds)
    assert key.hex() == case["cut_key"]
    hands, boneyard = deal.cut(key, case["r"], case["n"], len(seeds), case["hand_size"])
    assert (hands, boneyard) == (case["hands"], case["boneyard"])


@each("canonical")
def test_canonical(case: Json) -> None:
    assert strictjson.canonical(case["value"]).encode().hex() == case["canonical"]


@each("event")
def test_event(case: Json) -> None:
    text = strictjson.canonical(case["event"])
    assert text.encode().hex() == case["canonical"]
    assert hashing.event_hash(text).hex() == case["hash"]


@each("receipt")
def test_receipt(case: Json) -> None:
    key = bytes.fromhex(case["public_key"])
    assert hashing.key_id(key) == case["key_id"]
    event_hash = bytes.fromhex(case["event_hash"])
    made = signature.signed_bytes(bytes.fromhex(case["match"]), case["seq"], event_hash)
    assert made.hex() == case["message"]
    assert signature.signed_by(case, key)


@each("ed25519")
@pytest.mark.parametrize("path", [ed25519.valid_plain, ed25519.valid], ids=["plain", "fast"])
def test_ed25519(case: Json, path: Any) -> None:
    words = (case["public_key"], case["message"], case["signature"])
    assert path(*raw(list(words))) is case["valid"], case["about"]


@each("seatkeys")
def test_seatkeys(case: Json) -> None:
    event, seat = case["event"], case["seat"]
    said = seatkeys.message(bytes.fromhex(case["opened_hash"]), event, seat)
    assert said is not None
    assert said.hex() == case["message"]
    if "action" in case:
        assert strictjson.canonical(seatkeys.action_of(event)) == case["action"]
    key, signature = raw([case["public_key"], case["signature"]])
    assert ed25519.valid(key, said, signature) is case["valid"]


@each("lots")
def test_lots(case: Json) -> None:
    row: Json = {name: case[name] for name in ("kind", "n", "count") if name in case}
    match, secret = bytes.fromhex(case["match"]), bytes.fromhex(case["server_seed"])
    made = draws.draw(row, match, secret, bytes.fromhex(case["cut_key"]))
    assert made.result == case["result"]
