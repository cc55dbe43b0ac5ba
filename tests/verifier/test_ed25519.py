"""One criterion (SPEC 2.4), the same with and without a library."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from fairbones_verify import ed25519
from tests.verifier import edges
from tests.verifier.primitives import Signer

Path = Callable[[bytes, bytes, bytes], bool]

# RFC 8032, 7.1: secret key, public key, message, signature.
RFC_8032 = (
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
            "d25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
            "387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
            "4a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
)

VECTORS = json.loads(edges.FILE.read_text("utf-8"))["vectors"]


@pytest.fixture(params=["plain", "fast"])
def valid(request: pytest.FixtureRequest) -> Path:
    if request.param == "plain":
        return ed25519.valid_plain
    pytest.importorskip("cryptography", reason="NOT CHECKED: the fast path needs cryptography")
    return ed25519.valid_fast


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_rfc_8032(secret: str, public: str, message: str, signature: str, valid: Path) -> None:
    signer = Signer(bytes.fromhex(secret))
    assert signer.public.hex() == public
    assert signer.sign(bytes.fromhex(message)).hex() == signature
    assert valid(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["about"] for vector in VECTORS])
def test_edge(vector: dict[str, Any], valid: Path) -> None:
    raw = [bytes.fromhex(vector[name]) for name in ("key", "message", "signature")]
    assert valid(*raw) == vector["valid"]


def test_the_edges_are_those_that_are_computed() -> None:
    assert edges.FILE.read_text("utf-8") == edges.text()


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["about"] for vector in VECTORS])
def test_a_key_that_is_asked_often(vector: dict[str, Any]) -> None:
    """By then the plain path has a table of its multiples."""
    raw = [bytes.fromhex(vector[name]) for name in ("key", "message", "signature")]
    told = {ed25519.valid_plain(*raw) for _ in range(ed25519.OFTEN + 2)}
    assert told == {vector["valid"]}


def test_both_ways_to_multiply_agree(seed: random.Random) -> None:
    signer = Signer(seed.randbytes(32))
    point = ed25519.decode(signer.public)
    assert point is not None
    scalars = [0, 1, 2, 15, 16, ed25519.L - 1, 2**252 - 1, 2**252]
    for scalar in [*scalars, *(seed.randrange(ed25519.L) for _ in range(10))]:
        due = ed25519.encode(ed25519.sum_of([(scalar, point), (0, point)]))
        assert ed25519.encode(ed25519.times(scalar, point)) == due


def test_both_paths_agree_on_many_signatures_of_a_key(seed: random.Random) -> None:
    signer = Signer(seed.randbytes(32))
    for round_ in range(2 * ed25519.OFTEN):
        message = seed.randbytes(round_)
        good = signer.sign_plain(message)
        assert good == signer.sign(message)
        for said in (good, good[:32] + seed.randrange(ed25519.L).to_bytes(32, "little")):
            assert ed25519.valid_plain(signer.public, message, said) is (said == good)
            assert ed25519.valid(signer.public, message, said) is (said == good)


def test_signatures_of_any_length_are_only_wrong(valid: Path) -> None:
    signer = Signer(b"x" * 32)
    good = signer.sign(b"m")
    assert valid(signer.public, b"m", good)
    for bad in (b"", good[:63], good + b"\0", good[:32]):
        assert not valid(signer.public, b"m", bad)
    for key in (b"", signer.public[:31], signer.public + b"\0"):
        assert not valid(key, b"m", good)


def test_one_bit_changed_is_found(valid: Path, seed: random.Random) -> None:
    signer = Signer(seed.randbytes(32))
    message = seed.randbytes(40)
    signature = signer.sign(message)
    assert valid(signer.public, message, signature)
    for _ in range(10):
        bit = seed.randrange(512)
        bad = bytearray(signature)
        bad[bit // 8] ^= 1 << bit % 8
        assert not valid(signer.public, message, bytes(bad))


def test_the_plain_path_is_there_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib.util
    import sys

    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    spec = importlib.util.spec_from_file_location("plain_ed25519", ed25519.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.valid is module.valid_plain
