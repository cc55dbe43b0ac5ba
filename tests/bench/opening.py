"""Opening a match of 32 hands, in units of the hashes that it cannot do without."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Iterator
from pathlib import Path

from fairbones.core.match import open_match
from fairbones.core.match.dealing import things
from fairbones.core.protocol.encoding import Tag, tagged, u32
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import round_seed, wash_root
from fairbones.core.rules import compile_rules
from tests.bench.harness import BUSY, Bench, Done, Side, Watch
from tests.bench.matches import order
from tests.bench.wsgi import ask, bare_app, posting, rig

HANDS = 32
# Of one wash: the key, what each salt is the MAC of, and each seal's hash but for the salt.
Floor = tuple[bytes, list[bytes], list[tuple[bytes, bytes]]]


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """The domain's part against bare hashes, and the whole route against bare Flask."""
    yield _washes()
    with rig(folder / "opening", "opening") as service:
        openings = 2 if quick else 10
        body = {"ruleset": "block", "seats": 4, "seq": 0}
        app = bare_app({"0": {"opened": True}})
        sent = posting("/v1/matches", {"ruleset": "block", "seats": 4})
        plain = posting("/actions", body)

        def opening(watch: Watch) -> Done:
            answers = [json.loads(ask(service.app, sent, watch)) for _ in range(openings)]
            washed = [len(it["event"]["data"]["washes"]) for it in answers]
            return Done(openings, all(number == HANDS for number in washed))

        def bare(watch: Watch) -> Done:
            answers = [json.loads(ask(app, plain, watch)) for _ in range(openings)]
            return Done(openings, all(it["opened"] for it in answers))

        yield Bench(
            "POST match",
            "request",
            f"each request is answered, by the service with {HANDS} washes",
            (
                Side("service", f"the whole route: {HANDS} hands washed, kept, signed", opening),
                Side("Flask", "a bare Flask route that reads the same body", bare),
            ),
            (("service", "Flask"),),
        )


def _washes() -> Bench:
    command = order(random.Random("opening"), "block", 4, HANDS, 100)
    tiles = things(compile_rules(command.row, command.seats))
    prepared: list[Floor] = []
    for r in range(1, HANDS + 1):
        key = round_seed(command.match, command.server_seed, r)
        placed = shuffle(key, Tag.WASH_ORDER, r, len(tiles))
        salted = [tagged(Tag.SALT, u32(i)) for i in range(len(tiles))]
        sealed = [
            _around_the_salt(tagged(Tag.SEAL, command.match, u32(r), u32(i), bytes(32), tiles[at]))
            for i, at in enumerate(placed)
        ]
        prepared.append((key, salted, sealed))

    def opening(watch: Watch) -> Done:
        watch.start()
        event, _ = open_match(command)
        watch.stop()
        return Done(1, event.data["washes"])

    def hashing(watch: Watch) -> Done:
        hands = []
        watch.start()
        for key, salted, sealed in prepared:
            salts = [hmac.digest(key, message, "sha256") for message in salted]
            hands.append(
                [
                    hashlib.sha256(head + salt + tail).digest()
                    for (head, tail), salt in zip(sealed, salts, strict=True)
                ]
            )
        watch.stop()
        roots = [wash_root(command.match, r, seals).hex() for r, seals in enumerate(hands, 1)]
        return Done(1, roots)

    return Bench(
        "opening",
        "match",
        f"the {HANDS} roots are equal",
        (
            Side("open_match", f"{HANDS} hands of 28 washed and sealed, `opened` made", opening),
            Side("hashes", f"{HANDS} x (28 HMAC + 28 SHA-256) of messages made before", hashing),
        ),
        (("open_match", "hashes"),),
        kinds=BUSY,
    )


def _around_the_salt(message: bytes) -> tuple[bytes, bytes]:
    """A seal's message in two pieces, without the 32 bytes of the salt that stand between."""
    at = message.index(bytes(32), len(message) - 32 - 6)
    return message[:at], message[at + 32 :]
