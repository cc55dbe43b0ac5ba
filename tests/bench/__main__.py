"""`python -m tests.bench`: measure the service against yardsticks of the same run."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench import (
    appends,
    audit,
    domain,
    engine,
    figures,
    memory,
    opening,
    peers,
    routes,
    seatkeys,
    serving,
    streams,
    verification,
)
from tests.bench.harness import Bench, Outcome, Unequal, measure
from tests.oracles import engines

PARTS: dict[str, Callable[[bool, Path], Iterator[Bench]]] = {
    "domain": domain.benches,
    "routes": routes.benches,
    "opening": opening.benches,
    "rules": engine.benches,
    "verify": verification.benches,
    "keys": seatkeys.benches,
    "audit": audit.benches,
    "memory": memory.benches,
    "appends": appends.benches,
    "serving": serving.benches,
    "streams": streams.benches,
}
# Only where the other engines are installed, and only when asked for: `dev.py oracles --bench`.
PEERS = "peers"
ROUNDS = 15
# A quick run judges no time, so it need not wait for a disk.
_MEMORY = Path("/dev/shm")


def main(arguments: Sequence[str]) -> int:
    """Run what was asked for; exit 1 when two sides did not do equal work."""
    asked = _read(arguments)
    against_peers = asked.parts == [PEERS]
    said = [it for it in arguments if it not in ("--write", "--json")]
    if against_peers:
        told = figures.circumstances([it for it in said if it != PEERS], "oracles --bench")
    else:
        told = figures.circumstances(said)
    outcomes = []
    try:
        for outcome in run(asked.parts or list(PARTS), asked.rounds, quick=asked.quick):
            outcomes.append(outcome)
            if not asked.json:
                print(figures.spoken(outcome), end="\n\n", flush=True)
    except Unequal as unequal:
        print(f"bench: {unequal}", file=sys.stderr)
        return 1
    if asked.json:
        benches = [outcome.as_json() for outcome in outcomes]
        print(json.dumps({**told.as_json(), "quick": asked.quick, "benches": benches}, indent=1))
    if asked.write:
        marks = (figures.PEERS_BEGIN, figures.PEERS_END) if against_peers else ()
        figures.write(figures.block(told, outcomes, *marks))
    if not asked.parts:
        print("bench: not run: peers; `python3 dev.py oracles --bench` has them", file=sys.stderr)
    return 0


def run(parts: Sequence[str], rounds: int, *, quick: bool) -> Iterator[Outcome]:
    """The benches of these parts, one after the other, in a folder that is gone afterwards."""
    home = _MEMORY if quick and os.access(_MEMORY, os.W_OK | os.X_OK) else None
    with tempfile.TemporaryDirectory(prefix="fairbones-bench-", dir=home) as folder:
        for part in parts:
            benches = peers.benches if part == PEERS else PARTS[part]
            for bench in benches(quick, Path(folder)):
                yield measure(bench, 1 if quick else rounds)


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; or all")
    parser.add_argument("--quick", action="store_true", help="one small round: does it run at all?")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default {ROUNDS}")
    parser.add_argument("--json", action="store_true", help="the outcome as JSON")
    parser.add_argument("--write", action="store_true", help="update docs/performance.md")
    asked = parser.parse_args(arguments)
    strange = [part for part in asked.parts if part not in (*PARTS, PEERS)]
    if strange:
        parser.error(f"no such part: {', '.join(strange)}")
    if PEERS in asked.parts and not engines.installed():
        parser.error("peers: `python3 dev.py oracles --bench` has the engines to compare with")
    if asked.rounds < 1:
        parser.error("at least one round")
    if asked.write and (asked.quick or asked.parts not in ([], [PEERS])):
        parser.error("--write is for a whole run: no --quick, no PART but peers")
    return asked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
