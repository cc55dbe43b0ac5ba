"""An audit of a folder, as it is shipped: with one process and with two, and beside `verify`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from fairbones_verify import cli, ed25519, seatkeys, signature, verify
from tests.bench.harness import WALL, Bench, Done, Side, Watch
from tests.forge.house import House, Setup

OURS = Path(cli.__file__).parent
MATCHES = {"unsigned": 80, "signed": 16}
ROUNDS = 7  # each round starts processes and waits for them


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """Matches of one hand of block for two, whose seats have no keys, and where both have one."""
    for kind, number in MATCHES.items():
        seats = (0, 1) if kind == "signed" else ()
        yield _bench(kind, _matches(2 if quick else number, seats), folder / f"audit-{kind}")


def _matches(number: int, signed: tuple[int, ...]) -> list[bytes]:
    made = []
    for k in range(number):
        setup = Setup("block", 2, {}, 1, signed=signed, phrase=f"bench {k}")
        made.append(House(setup).start().play().transcript())
    return made


def _bench(kind: str, transcripts: list[bytes], folder: Path) -> Bench:
    folder.mkdir()
    for k, data in enumerate(transcripts):
        (folder / f"{k}.json").write_bytes(data)
    number = len(transcripts)

    def audited(watch: Watch, jobs: int) -> Done:
        words = ["audit", str(folder), "--jobs", str(jobs), "--json", "--quiet"]
        watch.start()
        ended = subprocess.run(
            [sys.executable, "-I", "-S", str(OURS), *words], capture_output=True, check=True
        )
        watch.stop()
        return Done(number, json.loads(ended.stdout)["transcripts"]["verified"])

    def bare(watch: Watch) -> Done:
        plain = ed25519.valid_plain
        ed25519.good_key.cache_clear()
        with patch.object(signature, "valid", plain), patch.object(seatkeys, "valid", plain):
            watch.start()
            reports = [verify(data) for data in transcripts]
            watch.stop()
        return Done(number, sum(one.verdict == "verified" for one in reports))

    return Bench(
        f"audit, {kind}",
        "match",
        f"{number} matches verified",
        (
            Side("one job", "`audit --jobs 1`, processes and all", lambda it: audited(it, 1)),
            Side("two jobs", "`audit --jobs 2`, the same", lambda it: audited(it, 2)),
            Side("verify", "`verify` of each in this process, Ed25519 in plain Python", bare),
        ),
        (("one job", "two jobs"), ("one job", "verify")),
        kinds=(WALL,),
        rounds=ROUNDS,
    )
