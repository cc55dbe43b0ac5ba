"""A load of any size against services that are started for it."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from tests.bench.servers import on_a_shared_store, server
from tests.load.loading import Load, burden


def main(arguments: Sequence[str]) -> int:
    """0 when every match ended, verified and lost nothing, and no answer was a 5xx."""
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("--store", default="sqlite", help="as FAIRBONES_STORE; default sqlite")
    parser.add_argument("--services", type=int, default=1, help="in Redis mode; default 1")
    parser.add_argument("--processes", type=int, default=4, help="of players; default 4")
    parser.add_argument("--matches", type=int, default=10, help="each process plays; default 10")
    parser.add_argument("--seats", type=int, default=4, help="of each match; default 4")
    parser.add_argument("--seconds", type=float, default=600.0, help="give up after; default 600")
    asked = parser.parse_args(arguments)
    if asked.services > 1 and asked.store == "sqlite":
        parser.error("--services: SQLite mode is one service")
    load = Load(asked.processes, asked.matches, asked.seats, asked.seconds)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fairbones-load-")))
        # A reader for every seat, so that nobody is told to come again.
        waiters = load.processes * load.matches * load.seats
        room: dict[str, object] = {
            "THREADS": min(512, 2 * waiters + 8),
            "WAITERS": min(480, waiters),
        }
        if asked.store != "sqlite":
            room = on_a_shared_store(asked.store, folder / "keys")
        urls = [
            stack.enter_context(server(folder / f"data-{at}", room)).url
            for at in range(asked.services)
        ]
        begun = time.monotonic()
        outcome = burden(urls, load, folder / "transcripts")
        seconds = round(time.monotonic() - begun, 1)
    print(json.dumps({**asdict(outcome), "seconds": seconds}, indent=1))
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
