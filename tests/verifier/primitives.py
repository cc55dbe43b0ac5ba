"""The bytes of SPEC for the house of the tests: encoding, hashes, the shuffle, signing.

Written from SPEC alone; it shares nothing with the verifier but the arithmetic of the curve.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

from fairbones_verify import ed25519

private: Callable[[bytes], Any] | None = None
with contextlib.suppress(ImportError):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private = Ed25519PrivateKey.from_private_bytes

Event = dict[str, Any]

BLOCK = json.loads(
    '{"better":"high","block_count":"side","block_winner":"lowest","count_all":false,'
    '"difference_mode":"once","direction":"clockwise","drawing":"none","exact_target":false,'
    '"first_lead":"highest-double","hand":7,"id":"block","next_lead":"winner","partners":false,'
    '"score":"total","set":6,"target":100,"tie":"void","win_at":"hand-end"}'
)
DRAW = {
    **BLOCK,
    "id": "draw",
    "drawing": "until-fits",
    "drawn_tile": "must-play",
    "early_block": False,
    "protected": 0,
}


def u32(n: int) -> bytes:
    return n.to_bytes(4, "big")


def enc(*items: bytes) -> bytes:
    return b"".join(u32(len(item)) + item for item in items)


def H(tag: str, *items: bytes) -> bytes:
    return hashlib.sha256(enc(b"fairbones/1/" + tag.encode(), *items)).digest()


def MAC(key: bytes, tag: str, *items: bytes) -> bytes:
    message = enc(b"fairbones/1/" + tag.encode(), *items)
    return hmac.new(key, message, hashlib.sha256).digest()


def shuffle(key: bytes, tag: str, r: int, n: int) -> list[int]:
    width = 1 if n <= 256 else 4
    data, order = b"", list(range(n))
    j = at = 0
    for i in reversed(range(1, n)):
        m = i + 1
        while True:
            while len(data) < at + width:
                data += MAC(key, tag, u32(r), u32(j))
                j += 1
            v = int.from_bytes(data[at : at + width], "big")
            at += width
            if v < 256**width - 256**width % m:
                break
        order[i], order[v % m] = order[v % m], order[i]
    return order


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def event_hash(event: Event) -> bytes:
    return H("event", canonical(event).encode())


class Signer:
    """RFC 8032 signing, in plain integers. With `cryptography` the same, but in no time."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        h = hashlib.sha512(secret).digest()
        self.a = int.from_bytes(h[:32], "little") & (1 << 254) - 8 | 1 << 254
        self.prefix = h[32:]
        self.public = ed25519.encode(ed25519.sum_of([(self.a, ed25519.BASE)]))
        self.id = H("key", self.public).hex()[:16]

    def sign(self, message: bytes) -> bytes:
        return self.sign_plain(message) if private is None else private(self.secret).sign(message)

    def sign_plain(self, message: bytes) -> bytes:
        r = int.from_bytes(hashlib.sha512(self.prefix + message).digest(), "little") % ed25519.L
        R = ed25519.encode(ed25519.sum_of([(r, ed25519.BASE)]))
        k = int.from_bytes(hashlib.sha512(R + self.public + message).digest(), "little")
        return R + ((r + k * self.a) % ed25519.L).to_bytes(32, "little")

    def receipt(self, match: str, seq: int, hashed: bytes) -> dict[str, Any]:
        message = enc(b"fairbones/1/receipt", bytes.fromhex(match), u32(seq), hashed)
        return {
            "match": match,
            "seq": seq,
            "event_hash": hashed.hex(),
            "key_id": self.id,
            "signature": self.sign(message).hex(),
        }


SIGNER = Signer(b"the house of the tests, 32 bytes")
OTHER = Signer(b"somebody else's key with 32 byte")

TILES = [(high, low) for high in range(7) for low in range(high + 1)]


def written(tile: tuple[int, int]) -> str:
    return f"{tile[0]}-{tile[1]}"


def heavy(tile: tuple[int, int]) -> tuple[int, int]:
    return sum(tile), tile[0]


def rechained(
    events: list[Event],
    original: list[Event],
    sign: Callable[[Event], object] = lambda event: None,
) -> list[Event]:
    """Number and chain events again; a true `seated_hash` stays true. `sign` signs them anew."""
    true = [event_hash(event).hex() for event in original if event["type"] == "seated"][-1:]
    seated = prev = "0" * 64
    for seq, event in enumerate(events):
        event["seq"], event["prev"] = seq, prev
        if event["type"] == "seeded" and [event["data"].get("seated_hash")] == true:
            event["data"]["seated_hash"] = seated
        sign(event)
        prev = event_hash(event).hex()
        seated = prev if event["type"] == "seated" else seated
    return events


def document(events: list[Event], signer: Signer = SIGNER) -> dict[str, Any]:
    last = events[-1]
    return {
        "protocol": "fairbones/1",
        "events": events,
        "receipt": signer.receipt(last["match"], len(events) - 1, event_hash(last)),
        "keys": [{"key_id": signer.id, "public_key": signer.public.hex()}],
    }


def sealed(events: list[Event]) -> bytes:
    return canonical(document(events)).encode()
