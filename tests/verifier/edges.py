"""Edge cases of Ed25519 on which libraries disagree, computed and not copied (SPEC 2.4).

`python -m tests.verifier.edges` writes edges.json; a test compares it with what is computed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from fairbones_verify.ed25519 import BASE, L, P, Point, add, decode, encode, negative, sum_of
from tests.verifier.primitives import Signer

FILE = Path(__file__).with_name("edges.json")

SIGNER = Signer(bytes(range(32)))
MESSAGE = b"the bones are sealed"
IDENTITY = (1).to_bytes(32, "little")


def torsion() -> list[Point]:
    """The eight points of small order: multiples of one of order 8."""
    for y in range(2, 100):
        point = decode(y.to_bytes(32, "little"))
        if point is not None:
            small = sum_of([(L, point)])
            if encode(sum_of([(4, small)])) != IDENTITY:
                return [sum_of([(i, small), (8, BASE), (L - 8, BASE)]) for i in range(8)]
    raise AssertionError("one in two points has a part of order 8")


def challenge(R: bytes, A: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(R + A + message).digest(), "little") % L


def vector(about: str, A: bytes, R: bytes, S: int, message: bytes, valid: bool) -> dict[str, Any]:
    signature = R + S.to_bytes(32, "little")
    return {
        "about": about,
        "key": A.hex(),
        "message": message.hex(),
        "signature": signature.hex(),
        "valid": valid,
    }


def satisfied(A: Point, R: Point, S: int, k: int) -> bool:
    """The equation alone, without a look at what kind of points these are."""
    return encode(add(sum_of([(S, BASE)]), negative(sum_of([(k, A)])))) == encode(R)


def vectors() -> list[dict[str, Any]]:
    key, a, found = SIGNER.public, SIGNER.a, []
    A = decode(key)
    assert A is not None
    good = SIGNER.sign(MESSAGE)
    R, S = good[:32], int.from_bytes(good[32:], "little")

    def note(
        about: str, A: bytes, R: bytes, S: int, message: bytes = MESSAGE, ok: bool = False
    ) -> None:
        found.append(vector(about, A, R, S, message, ok))

    note("an honest signature", key, R, S, ok=True)
    note("another message", key, R, S, b"the bones are open")
    note("S + L: the same signature in another spelling", key, R, S + L)
    note("S with its highest bits set", key, R, S | 7 << 253)
    note("R with its sign turned", key, R[:31] + bytes([R[31] ^ 128]), S)

    # R = identity, S = k a: the equation holds, and the criterion asks nothing of R's order.
    k = challenge(IDENTITY, key, MESSAGE)
    note("R is the identity and the equation holds", key, IDENTITY, k * a % L, ok=True)
    odd = (P + 1).to_bytes(32, "little")
    k = challenge(odd, key, MESSAGE)
    note("R is the identity, not canonical", key, odd, k * a % L)
    minus = bytes([1] + [0] * 30 + [128])
    k = challenge(minus, key, MESSAGE)
    note("R is the identity with x = 0 and sign 1", key, minus, k * a % L)

    for i, small in enumerate(torsion()):
        raw = encode(small)
        note(f"a key of small order, {i} times a point of order 8, S = 0", raw, IDENTITY, 0)
        # The equation holds where k times the key is the identity: try messages until it does.
        message = next(
            text
            for text in (MESSAGE + bytes([n]) for n in range(256))
            if satisfied(small, decode(IDENTITY) or BASE, 0, challenge(IDENTITY, raw, text))
        )
        note(f"the same, {i}, and the equation holds", raw, IDENTITY, 0, message)
        if i:
            mixed = encode(add(A, small))
            r = 12345
            R2 = encode(sum_of([(r, BASE)]))
            message = next(
                text
                for text in (MESSAGE + bytes([n]) for n in range(256))
                if challenge(R2, mixed, text) % 8 == 0
            )
            s = (r + challenge(R2, mixed, message) * a) % L
            note(f"a key of mixed order, {i}, and the equation holds", mixed, R2, s, message)
            s = (r + challenge(R2, mixed, MESSAGE) * a) % L
            note(f"a key of mixed order, {i}, holds only times 8", mixed, R2, s)
            R3 = encode(add(sum_of([(r, BASE)]), small))
            s = (r + challenge(R3, key, MESSAGE) * a) % L
            note(f"R of mixed order, {i}, holds only times 8", key, R3, s)

    for y in range(19):
        if decode(y.to_bytes(32, "little")) is not None:
            raw = (y + P).to_bytes(32, "little")
            note(f"a key that is not canonical, y = p + {y}", raw, IDENTITY, 0)
    note("the identity with sign 1 as a key", minus, IDENTITY, 0)
    two = (P - 1 | 1 << 255).to_bytes(32, "little")
    note("the point of order 2 with sign 1 as a key", two, IDENTITY, 0)
    off = next(y for y in range(2, 99) if decode(y.to_bytes(32, "little")) is None)
    note("a key that is no point", off.to_bytes(32, "little"), IDENTITY, 0)
    note("R is no point", key, off.to_bytes(32, "little"), S)
    return found


def text() -> str:
    about = "Edge cases of the one Ed25519 criterion of SPEC 2.4. Public domain (CC0)."
    return json.dumps({"about": about, "vectors": vectors()}, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
