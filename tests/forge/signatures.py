"""Ed25519 signatures at the edges where libraries differ (SPEC 2.4)."""

from __future__ import annotations

import hashlib

from tests.forge.curve import BASE, IDENTITY, L, P, Point, add, decode, encode, small_order, times
from tests.forge.keys import HOUSE_PHRASE
from tests.forge.paper import Json

MESSAGE = b"the bones are sealed"


def scalar_of(phrase: str) -> int:
    """The secret scalar of a test key (RFC 8032, 5.1.5)."""
    digest = bytearray(hashlib.sha512(hashlib.sha256(phrase.encode()).digest()).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    return int.from_bytes(digest, "little")


SECRET = scalar_of(HOUSE_PHRASE)
KEY: Point = times(SECRET, BASE)


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    """k of RFC 8032."""
    return int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L


def signed(
    key: bytes, message: bytes, nonce: int, *, torsion: Point = IDENTITY, spelled: bytes = b""
) -> bytes:
    """A signature by the secret scalar under any spelling of a key, R moved by a torsion point."""
    r = spelled or encode(add(times(nonce, BASE), torsion))
    s = (nonce + challenge(r, key, message) * SECRET) % L
    return r + s.to_bytes(32, "little")


def case(about: str, key: bytes, message: bytes, signature: bytes, valid: bool) -> Json:
    """One row."""
    return {
        "about": about,
        "public_key": key.hex(),
        "message": message.hex(),
        "signature": signature.hex(),
        "valid": valid,
    }


def cases() -> list[Json]:
    """Accepted and refused ones, each with its reason."""
    key, torsion = encode(KEY), small_order()
    good = signed(key, MESSAGE, 12345)
    r, s = good[:32], int.from_bytes(good[32:], "little")
    rows = [
        case("valid", key, MESSAGE, good, True),
        case("valid, empty message", key, b"", signed(key, b"", 999), True),
        case("another message", key, MESSAGE + b".", good, False),
        case("R with one bit flipped", key, MESSAGE, bytes([r[0] ^ 1]) + good[1:], False),
        case("S with one bit flipped", key, MESSAGE, good[:32] + flip(good[32:]), False),
        case("S + L", key, MESSAGE, r + (s + L).to_bytes(32, "little"), False),
        case("S = L", key, MESSAGE, r + L.to_bytes(32, "little"), False),
        case("all zeros", key, MESSAGE, bytes(64), False),
        case("S and R exchanged", key, MESSAGE, good[32:] + r, False),
    ]
    for order, point in ((2, torsion[4]), (4, torsion[2]), (8, torsion[1])):
        moved = signed(key, MESSAGE, 777, torsion=point)
        rows.append(
            case(
                f"R plus a point of order {order}: only with the cofactor",
                key,
                MESSAGE,
                moved,
                False,
            )
        )
    rows += [
        case("R is the identity, the equation holds", key, MESSAGE, signed(key, MESSAGE, 0), True),
        case(
            "R is the identity in a second spelling (y + p)",
            key,
            MESSAGE,
            signed(key, MESSAGE, 0, spelled=(P + 1).to_bytes(32, "little")),
            False,
        ),
        case(
            "R is the identity with the sign of x set",
            key,
            MESSAGE,
            signed(key, MESSAGE, 0, spelled=(1 | 1 << 255).to_bytes(32, "little")),
            False,
        ),
    ]
    return rows + weak_keys(torsion)


def flip(data: bytes) -> bytes:
    """One bit the other way."""
    return bytes([data[0] ^ 1]) + data[1:]


def weak_keys(torsion: list[Point]) -> list[Json]:
    """Keys that no signature can be trusted under, with equations that hold all the same."""
    rows = []
    for point, order in zip(torsion, (1, 8, 4, 8, 2, 8, 4, 8), strict=True):
        key = encode(point)
        message, nonce = MESSAGE, 5
        r = encode(times(nonce, BASE))
        number = 0
        while challenge(r, key, message) % order:
            number += 1
            message = MESSAGE + b" %d" % number
        signature = r + nonce.to_bytes(32, "little")
        what = "the identity" if order == 1 else f"a key of order {order}"
        rows.append(case(f"{what}, the equation holds", key, message, signature, False))
    mixed = encode(add(KEY, torsion[1]))
    message, number = MESSAGE, 0
    while challenge(encode(times(31, BASE)), mixed, message) % 8:
        number += 1
        message = MESSAGE + b" %d" % number
    rows.append(
        case(
            "a key of mixed order, the equation holds even without the cofactor",
            mixed,
            message,
            signed(mixed, message, 31),
            False,
        )
    )
    for about, number in (
        ("the identity in a second spelling (y + p)", P + 1),
        ("the identity with the sign of x set", 1 | 1 << 255),
        ("y = p - 1 with the sign of x set", P - 1 | 1 << 255),
        ("a key that is no point", next_non_point()),
        ("y = 2^255 - 1", 2**255 - 1),
    ):
        key = number.to_bytes(32, "little")
        signature = encode(times(5, BASE)) + (5).to_bytes(32, "little")
        rows.append(case(f"key: {about}", key, MESSAGE, signature, False))
    return rows


def next_non_point() -> int:
    """The first y that no point of the curve has."""
    y = 2
    while True:
        try:
            decode(y.to_bytes(32, "little"))
        except AssertionError:
            return y
        y += 1
