"""Ed25519 for the keys and signatures of strangers, by the one criterion (SPEC 2.4).

The library refuses S >= L and compares the bytes of R without the cofactor, which is the criterion
for a signature. It takes any key: that one is canonical and of prime order is judged here.
"""

from __future__ import annotations

from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

KEY_BYTES = 32

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_ORDER = 2**252 + 27742317777372353535851937790883648493
_QUARTER = pow(2, (_P - 1) // 4, _P)  # a square root of -1

# A point is (X : Y : Z : T) with x = X/Z, y = Y/Z and T = XY/Z (RFC 8032, 5.1.4).
Point = tuple[int, int, int, int]
_NEUTRAL: Point = (0, 1, 1, 0)


@lru_cache(maxsize=4096)  # a seat's key is asked for at every move; each answer took a millisecond
def is_key(public_key: bytes) -> bool:
    """Whether the bytes are a public key that is accepted: canonical, of prime order."""
    point = _point(public_key)
    return point is not None and not _is_neutral(point) and _is_neutral(_times(_ORDER, point))


def is_signed(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether an accepted key has signed the message."""
    if not is_key(public_key):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def _point(encoded: bytes) -> Point | None:
    """The point of a canonical encoding, None for anything else."""
    if len(encoded) != KEY_BYTES:
        return None
    number = int.from_bytes(encoded, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= _P:
        return None
    square = (
        (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    )  # the divisor is never 0: -d is no square
    x = pow(square, (_P + 3) // 8, _P)
    if x * x % _P != square:
        x = x * _QUARTER % _P
        if x * x % _P != square:
            return None
    if x & 1 != sign:
        x = _P - x
    if x == _P:  # 0 has no other sign
        return None
    return x, y, 1, x * y % _P


def _sum(one: Point, other: Point) -> Point:
    """Complete: any two points, the same one twice too."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % _P, (y1 + x1) * (y2 + x2) % _P
    c, d = 2 * _D * t1 * t2 % _P, 2 * z1 * z2 % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(factor: int, point: Point) -> Point:
    result = _NEUTRAL
    for bit in bin(factor)[2:]:
        result = _sum(result, result)
        if bit == "1":
            result = _sum(result, point)
    return result


def _is_neutral(point: Point) -> bool:
    x, y, z, _ = point
    return x % _P == 0 and (y - z) % _P == 0
