"""Keys of seats: checks 303 and 304, and the commitment that names a key (SPEC 5.1, T8, T26)."""

from __future__ import annotations

from fairbones_verify.ed25519 import BASE, L, P, Point, add, decode, encode, sum_of
from tests.verifier import edges
from tests.verifier.draws import lots
from tests.verifier.forgeries.making import forgery
from tests.verifier.forgeries.resigned import BOTH
from tests.verifier.house import House
from tests.verifier.primitives import OTHER, H, Signer, event_hash, rechained, u32
from tests.verifier.signing import seat_signer


class Small(Signer):
    """A signer under a key of no order to speak of: one signature is good for everything."""

    def __init__(self, public: bytes) -> None:
        super().__init__(b"")
        self.public = public

    def sign(self, said: bytes) -> bytes:
        return edges.IDENTITY + bytes(32)


class Mixed(Signer):
    """A key with a part of small order; it signs so that the equation holds all the same."""

    def __init__(self, secret: bytes, small: Point) -> None:
        super().__init__(secret)
        self.public = encode(add(decode(self.public) or BASE, small))

    def sign(self, said: bytes) -> bytes:
        for r in range(1, 1_000):
            R = encode(sum_of([(r, BASE)]))
            k = edges.challenge(R, self.public, said)
            if k % 8 == 0:
                return R + ((r + k * self.a) % L).to_bytes(32, "little")
        raise AssertionError("one in eight would do")


def with_key(signer: Signer) -> bytes:
    house = House(keys=BOTH, rounds=1)
    house.signers[1] = signer
    return house.play().transcript()


@forgery("authority/key")
def identity_as_a_key() -> bytes:
    return with_key(Small(edges.IDENTITY))


@forgery("authority/key")
def key_of_small_order() -> bytes:
    return with_key(Small(encode(edges.torsion()[1])))


@forgery("authority/key")
def key_in_another_spelling() -> bytes:
    return with_key(Small((P + 1).to_bytes(32, "little")))


@forgery("authority/key")
def key_of_mixed_order() -> bytes:
    return with_key(Mixed(b"m" * 32, edges.torsion()[1]))


@forgery("authority/key")
def one_key_in_two_seats() -> bytes:
    return with_key(seat_signer(0, 0))


@forgery("authority/key")
def key_of_small_order_in_a_draw() -> bytes:
    def weak(house: House) -> None:
        house.signers[1] = Small(edges.IDENTITY)

    return lots(keys=BOTH, prepare=weak).transcript()


@forgery("authority/key")
def seat_reserved_for_no_key() -> bytes:
    house = House(reserved=[{"seat": 1, "public_key": edges.IDENTITY.hex()}])
    house.sit(0)
    return house.transcript()


# Promises: check 304


def promised(*keys: int) -> bytes:
    key = seat_signer(0, 1).public.hex()
    return House(keys=keys, reserved=[{"seat": 1, "public_key": key}]).play().transcript()


@forgery("authority/reserved")
def taken_without_a_key() -> bytes:
    return promised(0)


@forgery("authority/reserved")
def taken_with_another_key() -> bytes:
    house = House(keys=BOTH, reserved=[{"seat": 1, "public_key": seat_signer(0, 1).public.hex()}])
    house.signers[1] = OTHER
    return house.play().transcript()


# The commitment names the key (5.1, T8)


class Forgetful(House):
    """Seat 1 commits as if it had another key, or none."""

    named = b""

    def sit(self, *seats: int) -> None:
        super().sit(*seats)
        event = next(e for e in self.events if e["type"] == "seated" and e["data"]["seat"] == 1)
        hashed = H("client-seed", event_hash(self.events[0]), u32(1), self.named, self.seeds[1])
        event["data"]["client_seed_commitment"] = hashed.hex()
        opened = event_hash(self.events[0])
        rechained(self.events, self.events, lambda event: self.resign(event, opened))


@forgery("seed/commitment")
def committed_without_the_key() -> bytes:
    return Forgetful(keys=BOTH).play().transcript()


@forgery("seed/commitment")
def committed_with_the_key_of_another() -> bytes:
    house = Forgetful(keys=BOTH)
    house.named = house.signers[0].public
    return house.play().transcript()
