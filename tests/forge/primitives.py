"""The small things everything is built from, as vectors (SPEC 2 to 6, 11)."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from fairbones.core.bones import set_tiles, tile_bytes
from fairbones.core.protocol import chain, cut, draws, wash
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.encoding import MAC, H, Tag, enc, u32
from fairbones.core.protocol.shuffle import shuffle
from tests.forge import seatsigning, signatures
from tests.forge.dice import Dice
from tests.forge.keys import HOUSE, HOUSE_PHRASE, OTHER
from tests.forge.paper import Json

MATCH = bytes(range(16))
SERVER_SEED = bytes(range(32))


def encodings() -> list[Json]:
    """`enc` of items as hex (SPEC 2.2)."""
    rows: Sequence[Sequence[bytes]] = (
        (),
        (b"",),
        (b"", b""),
        (b"ab",),
        (b"a", b"b"),
        (b"", b"ab"),
        (u32(7), b"\x00"),
        (bytes(32), bytes(300)),
    )
    return [{"items": [it.hex() for it in row], "enc": enc(*row).hex()} for row in rows]


def hashes() -> list[Json]:
    """`H` and, with a key, `MAC` (SPEC 2.3)."""
    dice = Dice("hashes")
    told: list[Json] = []
    for tag in (Tag.SERVER_SEED, Tag.SEAL, Tag.WASH_ROOT, Tag.CLIENT_SEED, Tag.CUT_KEY, Tag.EVENT):
        items = [dice.block()[: dice.below(33)] for _ in range(dice.below(4))]
        told.append(
            {"tag": tag.value, "items": [it.hex() for it in items], "hash": H(tag, *items).hex()}
        )
    for tag in (Tag.ROUND_SEED, Tag.WASH_ORDER, Tag.SALT, Tag.CUT_MAP, Tag.DRAW_KEY, Tag.DRAW):
        key, items = dice.block(), [u32(dice.below(7)) for _ in range(dice.below(3))]
        told.append(
            {
                "tag": tag.value,
                "key": key.hex(),
                "items": [it.hex() for it in items],
                "mac": MAC(key, tag, *items).hex(),
            }
        )
    return told


def shuffles() -> list[Json]:
    """The shuffle at sizes where its width, its rejections and its ends show (SPEC 3)."""
    sizes = (1, 2, 3, 28, 55, 129, 200, 255, 256, 257, 300, 900)
    told = []
    for place, n in enumerate(sizes):
        key = Dice(f"shuffle {n}").block()
        tag = (Tag.CUT_MAP, Tag.WASH_ORDER)[place % 2]
        r = place + 1
        told.append(
            {"key": key.hex(), "tag": tag.value, "r": r, "n": n, "result": shuffle(key, tag, r, n)}
        )
    return told


def washes() -> list[Json]:
    """The wash of a double-six set and of the things of a draw (SPEC 4, 11.2)."""
    told = []
    six = [tile_bytes(tile) for tile in set_tiles(6)]
    for r, things in ((1, six), (2, six), (1, [u32(index) for index in range(5)])):
        seed = wash.round_seed(MATCH, SERVER_SEED, r)
        made = wash.wash(MATCH, seed, r, things)
        told.append(
            {
                "match": MATCH.hex(),
                "server_seed": SERVER_SEED.hex(),
                "server_seed_hash": wash.server_seed_hash(MATCH, SERVER_SEED).hex(),
                "r": r,
                "things": [thing.hex() for thing in things],
                "round_seed": seed.hex(),
                "order": list(made.order),
                "salts": [salt.hex() for salt in made.salts],
                "seals": [seal.hex() for seal in made.seals],
                "root": made.root.hex(),
            }
        )
    return told


def cuts() -> list[Json]:
    """Commitments, the cut key and the hands by position (SPEC 5)."""
    told = []
    for seats, hand, things, r in ((2, 7, 28, 1), (3, 5, 28, 2), (4, 7, 28, 32), (4, 1, 28, 3)):
        dice = Dice(f"cut {seats} {hand}")
        opened, seeds = dice.block(), [dice.block() for _ in range(seats)]
        key = cut.cut_key(opened, seeds)
        dealt = cut.cut(key, r, things, seats, hand)
        told.append(
            {
                "opened_hash": opened.hex(),
                "seeds": [seed.hex() for seed in seeds],
                "commitments": [
                    cut.client_commitment(opened, seat, b"", seed).hex()
                    for seat, seed in enumerate(seeds)
                ],
                "cut_key": key.hex(),
                "r": r,
                "n": things,
                "hand_size": hand,
                "hands": [list(held) for held in dealt.hands],
                "boneyard": list(dealt.boneyard),
            }
        )
    return told


def spellings() -> list[Json]:
    """Values and their only spelling (SPEC 6.2), as hex of UTF-8."""
    values: Sequence[Json] = (
        {},
        {"b": 1, "a": 2, "_": 3, "10": 4, "9": 5},
        {"a": [], "b": {}, "c": [[], [{}]]},
        {"a": True, "b": False, "c": 0, "d": 2**53 - 1},
        {"a": "".join(map(chr, range(0x20)))},
        {"a": '"\\/', "b": "\x7f\x80\u00e4"},
        {"a": "\u2028\u2029\ufeff\ufffe", "b": "\U0001f600\U0010ffff"},
        {"a": "e\u0301\u00e9"},
        {"a": "</script>&'`"},
    )
    return [{"value": value, "canonical": canonical(value).hex()} for value in values]


def events() -> list[Json]:
    """Events as bytes and their hashes in a chain (SPEC 6.1 to 6.3)."""
    first = chain.seal_event(MATCH, 0, chain.NO_PREV, 1_700_000_000_000, "left", {"seat": 0})
    second = chain.seal_event(MATCH, 1, first.hash, 1_700_000_000_001, "passed", {"seat": 1})
    return [
        {"event": json.loads(event.raw), "canonical": event.raw.hex(), "hash": event.hash.hex()}
        for event in (first, second)
    ]


def receipts() -> list[Json]:
    """Key ids, the signed bytes and the signature (SPEC 6.4, 6.5)."""
    told = []
    for key, seq in ((HOUSE, 0), (HOUSE, 17), (OTHER, 2**32 - 1)):
        event_hash = Dice(f"receipt {seq}").block()
        told.append(
            {
                "match": MATCH.hex(),
                "seq": seq,
                "event_hash": event_hash.hex(),
                "public_key": key.public.hex(),
                "key_id": key.id,
                "message": chain.receipt_message(MATCH, seq, event_hash).hex(),
                "signature": key.sign(MATCH, seq, event_hash).hex(),
            }
        )
    return told


def lots() -> list[Json]:
    """Orders and numbers (SPEC 11)."""
    key = Dice("lots").block()
    told: list[Json] = []
    for n in (1, 2, 6, 300):
        seed = wash.round_seed(MATCH, SERVER_SEED, 1)
        order = shuffle(seed, Tag.WASH_ORDER, 1, n)
        result = draws.draw_order(tuple(order), shuffle(key, Tag.CUT_MAP, 1, n))
        told.append({"kind": "order", "n": n, "result": result})
    for n, count in ((1, 3), (2, 20), (6, 20), (129, 20), (256, 9), (257, 9), (65_536, 9)):
        result = draws.draw_numbers(SERVER_SEED, key, n, count)
        told.append({"kind": "numbers", "n": n, "count": count, "result": result})
    shared = {"match": MATCH.hex(), "server_seed": SERVER_SEED.hex(), "cut_key": key.hex()}
    return [shared | row for row in told]


SAID = (
    "SPEC 5.6. TEST KEYS, never trust them: `key_seed` is the private half (RFC 8032). "
    "`message` is what the seat signs for `event` to stand there; of a move `action` is the "
    "canonical form of what it does. A case that is not valid was signed for something else."
)
ABOUT: dict[str, tuple[str, Callable[[], Sequence[Any]]]] = {
    "enc": ("SPEC 2.2. Items and enc as hex.", encodings),
    "hash": ("SPEC 2.3. H, or with a key MAC; everything as hex.", hashes),
    "shuffle": ("SPEC 3.", shuffles),
    "wash": ("SPEC 4. `things` are the bytes of what is washed, in list order.", washes),
    "cut": ("SPEC 5. All seats without keys; hands and boneyard are positions.", cuts),
    "canonical": ("SPEC 6.2. The canonical form as hex of its UTF-8 bytes.", spellings),
    "event": ("SPEC 6.3. The second event follows the first.", events),
    "receipt": (
        f"SPEC 6.4, 6.5. TEST KEYS, never trust them. The first: SHA-256 of '{HOUSE_PHRASE}'.",
        receipts,
    ),
    "ed25519": ("SPEC 2.4. What a library has to accept and to refuse.", signatures.cases),
    "seatkeys": (SAID, seatsigning.cases),
    "lots": ("SPEC 11.", lots),
}


def files(folder: str) -> dict[str, bytes]:
    """The files by path."""
    made = {}
    for name, (about, cases) in ABOUT.items():
        rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases())
        text = f'{{"about":{json.dumps(about)},\n"cases":[\n{rows}\n]}}\n'
        made[f"{folder}/{name}.json"] = text.encode()
    return made
