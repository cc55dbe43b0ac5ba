"""Just enough of Ed25519's curve to make keys and signatures that a verifier must refuse.

Slow and plain arithmetic on points (RFC 8032); nothing here is for signing.
"""

from __future__ import annotations

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def add(a: Point, b: Point) -> Point:
    """The sum of two points."""
    (x1, y1), (x2, y2) = a, b
    t = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + t, P - 2, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P) % P
    return x, y


def times(n: int, point: Point) -> Point:
    """A multiple of a point."""
    total = IDENTITY
    while n:
        if n & 1:
            total = add(total, point)
        point = add(point, point)
        n >>= 1
    return total


def encode(point: Point) -> bytes:
    """The 32 bytes of a point."""
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Point:
    """The point of 32 canonical bytes."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * ROOT % P
    assert x * x % P == square, "no point"
    return (P - x if x & 1 != sign else x), y


BASE: Point = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def small_order() -> list[Point]:
    """The eight points whose order divides 8."""
    y = 2
    while True:
        y += 1
        try:
            torsion = times(L, decode(y.to_bytes(32, "little")))
        except AssertionError:
            continue
        if times(4, torsion) != IDENTITY:
            return [times(k, torsion) for k in range(8)]


def add_small_order(public: bytes) -> bytes:
    """A key of mixed order: it decodes, and a multiple of 8 of it is that of the key."""
    return encode(add(decode(public), small_order()[1]))
