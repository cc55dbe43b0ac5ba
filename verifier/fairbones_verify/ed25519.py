"""Ed25519 by the one criterion of SPEC 2.4, in plain integers.

`cryptography` is used for the last equation when it is there, because it is fifty times faster.
It never decides what a good key is: on keys of small or mixed order libraries differ.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from typing import Callable

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)  # a square root of -1

# x, y, z and t with x = X/Z, y = Y/Z, xy = T/Z: adding needs no division.
Point = tuple[int, int, int, int]

IDENTITY: Point = (0, 1, 1, 0)


def add(a: Point, b: Point) -> Point:
    """The sum of two points; the formula is complete, so it doubles as well."""
    one = (a[1] - a[0]) * (b[1] - b[0]) % P
    two = (a[1] + a[0]) * (b[1] + b[0]) % P
    three = 2 * a[3] * b[3] * D % P
    four = 2 * a[2] * b[2] % P
    e, f, g, h = two - one, four - three, four + three, two + one
    return e * f % P, g * h % P, f * g % P, e * h % P


def negative(a: Point) -> Point:
    """The point that adds with `a` to the identity."""
    return -a[0] % P, a[1], a[2], -a[3] % P


def sum_of(pairs: list[tuple[int, Point]]) -> Point:
    """The sum of all `[scalar]point`, bit by bit for all of them together."""
    result = IDENTITY
    for bit in range(max(scalar.bit_length() for scalar, _ in pairs) - 1, -1, -1):
        result = add(result, result)
        for scalar, point in pairs:
            if scalar >> bit & 1:
                result = add(result, point)
    return result


def encode(a: Point) -> bytes:
    """The 32 bytes of a point: y, and the lowest bit of x on top."""
    inverse = pow(a[2], -1, P)
    x, y = a[0] * inverse % P, a[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(raw: bytes) -> Point | None:
    """The point of a canonical encoding, or None (SPEC 2.4)."""
    number = int.from_bytes(raw, "little")
    y, sign = number & (1 << 255) - 1, number >> 255
    if len(raw) != 32 or y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE: Point = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little")) or IDENTITY


@lru_cache(maxsize=1024)
def good_key(key: bytes) -> Point | None:
    """The point of a key SPEC 2.4 accepts: canonical, prime order, not the identity. Else None."""
    point = decode(key)
    if point is None or key == encode(IDENTITY):
        return None
    return point if encode(sum_of([(L, point)])) == encode(IDENTITY) else None


# A seat signs all that it does: from this many signatures on, a table of its key pays.
OFTEN = 4
WINDOW = 4


@lru_cache(maxsize=1024)
def uses(key: bytes) -> Iterator[int]:  # noqa: ARG001 - each key has a count of its own
    """How often a key has been asked for, once more with every `next`."""
    return count(1)


@lru_cache(maxsize=72)
def table(point: Point) -> list[list[Point]]:
    """For each window of a scalar, what each of its values times the point comes to."""
    rows = []
    for _ in range(0, L.bit_length(), WINDOW):
        row = [IDENTITY, point]
        while len(row) < 1 << WINDOW:
            row.append(add(row[-1], point))
        rows.append(row)
        point = add(row[-1], point)
    return rows


def times(scalar: int, point: Point) -> Point:
    """`[scalar]point` for a scalar below L, without doubling anything."""
    result = IDENTITY
    for row in table(point):
        result = add(result, row[scalar % len(row)])
        scalar >>= WINDOW
    return result


def difference(scalar: int, k: int, key: bytes, point: Point) -> Point:
    """`[scalar]B - [k]A`, A being the point of the key."""
    if next(uses(key)) < OFTEN:
        return sum_of([(scalar, BASE), (k, negative(point))])
    return add(times(scalar, BASE), times(k, negative(point)))


def valid_plain(key: bytes, message: bytes, signature: bytes) -> bool:
    """SPEC 2.4 in full, with nothing but integers."""
    point = good_key(key)
    scalar = int.from_bytes(signature[32:], "little")
    if point is None or len(signature) != 64 or scalar >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    # [S]B - [k]A must be R byte for byte: no multiplying away of small parts (cofactorless).
    return encode(difference(scalar, k, key, point)) == signature[:32]


def valid_fast(key: bytes, message: bytes, signature: bytes) -> bool:
    """The same verdict; only the last equation is left to `cryptography`."""
    scalar = int.from_bytes(signature[32:], "little")
    if good_key(key) is None or len(signature) != 64 or scalar >= L:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


valid: Callable[[bytes, bytes, bytes], bool] = valid_plain
try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    Ed25519PublicKey.from_public_bytes(encode(BASE))
except Exception:  # noqa: BLE001, S110 - absent or broken, the plain way always works
    pass
else:
    valid = valid_fast
