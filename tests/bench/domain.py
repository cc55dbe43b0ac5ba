"""The domain's time for one action, in units of a bare Flask request."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from fairbones.core.match import decide
from tests.bench.harness import BUSY, Bench, Done, Side, Watch
from tests.bench.matches import Move, played, signed, signer
from tests.bench.wsgi import ask, bare_app, posting


def benches(quick: bool, _folder: Path) -> Iterator[Bench]:
    """A play that is a step by itself, and the mean over a whole match with its deals."""
    match = played("block", 4, 2 if quick else 12)
    single = [it for it in match.moves if [event.type for event in it.events] == ["played"]]
    yield _bench("domain, one play", single)
    yield _bench("domain, mean of a match", match.moves)


def _bench(name: str, moves: Sequence[Move]) -> Bench:
    seqs = [it.events[0].seq for it in moves]
    app = bare_app({str(seq): {"seq": seq} for seq in seqs})
    key = signer()
    heads = [it.events[-1].hash for it in moves]
    requests = [posting("/actions", _request(it)) for it in moves]

    def deciding(watch: Watch) -> Done:
        watch.start()
        steps = [decide(it.before, it.command) for it in moves]
        watch.stop()
        return _checked([events[-1].hash for events, _ in steps])

    def signing(watch: Watch) -> Done:
        ends = []
        watch.start()
        for it in moves:
            events, _ = decide(it.before, it.command)
            ends.append((events[-1].hash, signed(key, events[-1])))
        watch.stop()
        return _checked([head for head, _ in ends])

    def asking(watch: Watch) -> Done:
        answers = [ask(app, it, watch) for it in requests]
        return Done(len(answers), [json.loads(it)["seq"] for it in answers])

    def _checked(found: list[bytes]) -> Done:
        # The chain is the whole result of a step: one hash that is off, and all was not done.
        if found != heads:
            raise AssertionError("a step came out otherwise than it was played")
        return Done(len(moves), seqs)

    return Bench(
        name,
        "action",
        "every head hash is the one that was played; the request that Flask read has the seq of "
        "the event that the domain made",
        (
            Side("unsigned", "decide, evolve, canonical form, chain hash", deciding),
            Side("signed", "the same, and the receipt: Ed25519 and its canonical form", signing),
            Side("Flask", "a bare Flask route that reads the same request as JSON", asking),
        ),
        (("unsigned", "Flask"), ("signed", "Flask")),
        kinds=BUSY,
    )


def _request(move: Move) -> dict[str, object]:
    data = move.events[0].data
    action = {"type": "play", "tile": data["tile"], "end": data.get("end", "left")}
    return {"seq": move.events[0].seq, "action": action}
