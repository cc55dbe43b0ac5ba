"""Sealing of server seeds, and that no secret slips out of the objects that hold one."""

from __future__ import annotations

import copy
import io
import json
import pickle
import sys
import traceback

import pytest
import structlog
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.errors import FairbonesError
from fairbones.keys.signer import ReceiptSigner
from fairbones.keys.vault import SeedVault, kek_id
from fairbones.logs import redact

KEK, OLD_KEK = bytes(range(32)), bytes(range(100, 132))
MATCH, OTHER_MATCH = b"m" * 16, b"n" * 16
SEED = bytes.fromhex("c0ffee" * 10 + "abcd")


def refused(vault: SeedVault, match_id: bytes, sealed: bytes) -> FairbonesError:
    with pytest.raises(FairbonesError) as caught:
        vault.open(match_id, sealed)
    assert caught.value.code == "house/seed-sealed"
    return caught.value


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
def test_what_is_sealed_opens_again(seed: bytes, match_id: bytes) -> None:
    vault = SeedVault([KEK])
    sealed = vault.seal(match_id, seed)
    assert vault.open(match_id, sealed) == seed
    assert seed not in sealed


def test_the_form_of_a_sealed_seed() -> None:
    sealed = SeedVault([KEK]).seal(MATCH, SEED)
    assert len(sealed) == 1 + 8 + 12 + 32 + 16
    assert sealed[:1] == b"\x01"
    assert sealed[1:9].hex() == kek_id(KEK)
    # It lies on disks: opened here by hand, so that nobody changes it unawares.
    assert AESGCM(KEK).decrypt(sealed[9:21], sealed[21:], sealed[:9] + MATCH) == SEED


def test_no_nonce_comes_twice() -> None:
    vault = SeedVault([KEK])
    assert len({vault.seal(MATCH, SEED)[9:21] for _ in range(500)}) == 500


def test_a_seed_opens_for_its_own_match_only() -> None:
    vault = SeedVault([KEK])
    refused(vault, OTHER_MATCH, vault.seal(MATCH, SEED))


def test_every_bit_counts() -> None:
    vault = SeedVault([KEK])
    sealed = vault.seal(MATCH, SEED)
    for place in range(len(sealed)):
        for bit in (1, 128):
            changed = bytearray(sealed)
            changed[place] ^= bit
            refused(vault, MATCH, bytes(changed))
    for length in range(len(sealed)):
        refused(vault, MATCH, sealed[:length])
    refused(vault, MATCH, sealed + b"\0")


def test_an_older_key_still_opens() -> None:
    sealed = SeedVault([OLD_KEK]).seal(MATCH, SEED)
    vault = SeedVault([KEK, OLD_KEK])
    assert vault.open(MATCH, sealed) == SEED
    assert vault.seal(MATCH, SEED)[1:9].hex() == kek_id(KEK)


def test_a_missing_key_is_named() -> None:
    sealed = SeedVault([OLD_KEK]).seal(MATCH, SEED)
    error = refused(SeedVault([KEK]), MATCH, sealed)
    assert kek_id(OLD_KEK) in error.message
    assert error.details == {"key_id": kek_id(OLD_KEK)}


@pytest.mark.parametrize(("match_id", "seed"), [(MATCH, SEED[:31]), (b"short", SEED)])
def test_a_wrong_size_is_a_mistake_that_shows_nothing(match_id: bytes, seed: bytes) -> None:
    with pytest.raises(ValueError, match="32") as caught:
        SeedVault([KEK]).seal(match_id, seed)
    assert not shows(str(caught.value), seed)


# ---------------------------------------------------------------- nothing slips out

HOLDERS = [SeedVault([KEK, OLD_KEK]), ReceiptSigner([KEK, OLD_KEK])]
SECRETS = (KEK, OLD_KEK, SEED)


def shows(text: str, secret: bytes) -> bool:
    forms = (secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret))[1:-1])
    return any(form in text for form in forms)


@pytest.mark.parametrize("holder", HOLDERS, ids=lambda it: type(it).__name__)
def test_no_text_of_a_holder_shows_a_secret(holder: object) -> None:
    names = [name for name in dir(holder) if not name.startswith("__")]
    texts = [repr(holder), str(holder), f"{holder}", repr([holder])]
    texts += [repr(getattr(holder, name)) for name in names]
    for secret in SECRETS:
        assert not shows("\n".join(texts), secret)


@pytest.mark.parametrize("holder", HOLDERS, ids=lambda it: type(it).__name__)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_holder_cannot_be_pickled_or_copied(holder: object, protocol: int) -> None:
    with pytest.raises(TypeError, match="stays in its process"):
        pickle.dumps(holder, protocol)
    with pytest.raises(TypeError):
        copy.deepcopy(holder)


def test_a_traceback_with_all_its_variables_shows_no_secret() -> None:
    """Even a log that is told to show the variables of every frame."""

    def failing_entropy(_n: int) -> bytes:
        raise OSError("no entropy")

    out = io.StringIO()
    structlog.configure(
        processors=[
            structlog.processors.ExceptionRenderer(
                structlog.tracebacks.ExceptionDictTransformer(
                    show_locals=True, locals_max_string=10_000
                )
            ),
            redact,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,
    )
    try:
        try:
            SeedVault([KEK], entropy=failing_entropy).seal(MATCH, SEED)
        except OSError:
            assert any(
                shows(repr(frame.f_locals), SEED)
                for frame, _ in traceback.walk_tb(sys.exc_info()[2])
            )
            structlog.get_logger().exception("sealing failed")
    finally:
        structlog.reset_defaults()
    line = json.loads(out.getvalue())
    assert line["exception"][0]["frames"][-1]["name"] == "failing_entropy"
    assert "[redacted]" in out.getvalue()
    for secret in SECRETS:
        assert not shows(out.getvalue(), secret)
        assert not shows(json.loads(json.dumps(repr(line))), secret)
