"""What it costs that seats sign: for the house an action, for a verifier a whole match."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from fairbones.bots.keys import SeatKey
from fairbones.core.match import Act, MatchState, Stage, decide, open_match
from fairbones.core.protocol.chain import transcript
from fairbones.core.protocol.ed25519 import is_signed
from fairbones.core.rules import legal, to_act
from fairbones_verify import ed25519, seatkeys, signature, verify
from tests.bench.harness import BUSY, Bench, Done, Side, Watch
from tests.bench.matches import order, signed, signer
from tests.match.playing import Table

HANDS = 11  # of four-handed block: some 300 events
ALL, NONE = range(4), range(0)


@dataclass(frozen=True, slots=True)
class Course:
    """A match, the same whoever signs: every action with the state before it, and the whole."""

    acts: tuple[tuple[MatchState, Act], ...]
    events: int
    signatures: int
    transcript: bytes


def benches(quick: bool, _folder: Path) -> Iterator[Bench]:
    """A play in the house's core, and the whole match before a verifier."""
    hands = 1 if quick else HANDS
    keyed, plain = _course(hands, ALL), _course(hands, NONE)
    yield _play(keyed, plain)
    yield _verify(keyed, plain)


def _course(hands: int, keyed: range) -> Course:
    rnd = random.Random(f"seat keys {hands}")
    event, state = open_match(order(rnd, "block", 4, hands, 10_000))
    keys = [SeatKey(rnd.randbytes(32)) for _ in ALL]
    seeds = [rnd.randbytes(32) for _ in ALL]
    table = Table(state, [event], seeds, keys={seat: keys[seat] for seat in keyed}).deal()
    acts = []
    while table.state.stage is Stage.PLAYING:
        # The cut does not hang on keys: with and without them the same is dealt and played.
        command = table.acting(to_act(table.hand), rnd.choice(legal(table.hand)))
        acts.append((table.state, command))
        table.do(command)
    key = signer()
    text = transcript(
        [it.raw for it in table.events],
        signed(key, table.events[-1]),
        [(key.key_id, key.public_key)],
    )
    said = sum("signature" in it.data for it in table.events)
    return Course(tuple(acts), len(table.events), said, text)


def _play(keyed: Course, plain: Course) -> Bench:
    played = [act.written for _, act in keyed.acts]

    def deciding(watch: Watch, course: Course) -> Done:
        watch.start()
        steps = [decide(state, act) for state, act in course.acts]
        watch.stop()
        told = [
            {name: step[0].data[name] for name in ("tile", "end") if name in step[0].data}
            for step, _ in steps
        ]
        return Done(len(steps), [{"type": "play", **it} for it in told])

    def library(watch: Watch) -> Done:
        key = SeatKey(bytes(32))
        said = bytes.fromhex(key.sign(b"it"))
        watch.start()
        good = [is_signed(key.public, b"it", said) for _ in played]
        watch.stop()
        return Done(len(played), [it for it, taken in zip(played, good, strict=True) if taken])

    return Bench(
        "a seat's key, one action",
        "action",
        "the same plays are taken; for each of them a signature is good",
        (
            Side(
                "signed",
                "decide: the seat's signature is judged, too",
                lambda w: deciding(w, keyed),
            ),
            Side("unsigned", "decide, for a seat without a key", lambda w: deciding(w, plain)),
            Side("signature", "one signature judged, its key being known", library),
        ),
        (("signed", "unsigned"), ("signed", "signature")),
        kinds=BUSY,
    )


def _verify(keyed: Course, plain: Course) -> Bench:
    def verifying(watch: Watch, course: Course, *, fast: bool = False) -> Done:
        ed25519.good_key.cache_clear()
        valid = ed25519.valid_fast if fast else ed25519.valid_plain
        with patch.object(signature, "valid", valid), patch.object(seatkeys, "valid", valid):
            watch.start()
            report = verify(course.transcript)
            watch.stop()
        if report.events != course.events:
            raise AssertionError(report.text())
        return Done(course.events, (report.verdict, report.complete))

    return Bench(
        f"verify {keyed.events} events, {keyed.signatures} signed",
        "event",
        "verified, to the end",
        (
            Side(
                "plain", "every seat signs: Ed25519 in plain Python", lambda w: verifying(w, keyed)
            ),
            Side(
                "library",
                "every seat signs: Ed25519 of `cryptography`",
                lambda w: verifying(w, keyed, fast=True),
            ),
            Side("unsigned", "the same match without keys", lambda w: verifying(w, plain)),
        ),
        (("plain", "unsigned"), ("library", "unsigned")),
        kinds=BUSY,
    )
