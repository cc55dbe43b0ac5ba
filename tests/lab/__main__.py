"""`python -m tests.lab`: many deals of the protocol, judged, beside deals of planted faults."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import active_children
from pathlib import Path

from fairbones.core.errors import Illegal
from tests.bench import figures
from tests.lab import page, pictures
from tests.lab.dealing import Table
from tests.lab.faults import HOUSES
from tests.lab.progress import FOLDER, PIECE, Outcome, Part, run

USUAL = 200_000
MAIN = Table()
# Honest deals for these too, a tenth as many: no boneyard, two seats, a draw for the lead, a larger
# set.
OTHERS = (
    Table("block", 4),
    Table("all-fives", 2),
    Table("fives-and-threes", 3),
    Table("draw", 4, 9),
)


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """0 when honest deals pass and every fault that can be seen at this size is seen."""
    asked = _read(arguments)
    told = figures.circumstances(arguments, "lab")
    outcomes = []
    for part in parts(asked):
        outcomes.append(_dealt(part, folder, asked.cores))
        if not asked.json:
            print(page.spoken(outcomes[-1]), end="\n\n", flush=True)
    found = page.Run(tuple(outcomes))
    if asked.json:
        print(json.dumps(page.as_json(told, found), indent=1))
    else:
        print(page.verdict(found))
    if asked.pictures is not None:
        pictures.draw(found, asked.pictures)
    if asked.write:
        figures.write(page.block(told, found, pictures.draw(found, page.PICTURES)), page.PAGE)
    return 0 if found.well else 1


def parts(asked: argparse.Namespace) -> Iterator[Part]:
    """What is dealt: all houses at one table, the honest one at others too."""
    table = Table(asked.ruleset, asked.seats, asked.set)
    houses = asked.only or list(HOUSES)
    for house in houses:
        yield Part(house, table, asked.deals, asked.seed)
        if house == "honest" and table == MAIN and asked.deals >= 10 * PIECE:
            tenth = asked.deals // (10 * PIECE) * PIECE
            yield from (Part(house, other, tenth, asked.seed) for other in OTHERS)


def _dealt(part: Part, folder: Path, cores: int) -> Outcome:
    def said(deals: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{part}: {deals:,} of {part.deals:,} ", end="", file=sys.stderr, flush=True)

    outcome = run(part, said, folder, cores)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return outcome


def _read(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="dev.py lab", description=__doc__)
    parser.add_argument("--deals", type=int, default=USUAL, help=f"whole thousands; {USUAL:,}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ruleset", default=MAIN.ruleset, help=f"default {MAIN.ruleset}")
    parser.add_argument("--seats", type=int, default=MAIN.seats, help=f"default {MAIN.seats}")
    parser.add_argument("--set", type=int, default=MAIN.set, help=f"double-{MAIN.set} by default")
    parser.add_argument(
        "--only", nargs="+", metavar="HOUSE", choices=list(HOUSES), help=f"of {', '.join(HOUSES)}"
    )
    cores = len(os.sched_getaffinity(0))
    parser.add_argument("--cores", type=int, default=cores, help="processes; default: all cores")
    parser.add_argument("--json", action="store_true", help="the outcome as JSON")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="draw pictures there")
    parser.add_argument("--write", action="store_true", help="update docs/statistics.md")
    asked = parser.parse_args(arguments)
    if asked.deals < PIECE or asked.deals % PIECE:
        parser.error(f"--deals: whole thousands, at least {PIECE:,}")
    if asked.cores < 1:
        parser.error("--cores: at least one")
    try:
        Table(asked.ruleset, asked.seats, asked.set).rules  # noqa: B018
    except Illegal as illegal:
        parser.error(str(illegal))
    whole = not asked.only and Table(asked.ruleset, asked.seats, asked.set) == MAIN
    if asked.write and not whole:
        parser.error("--write is for a whole run at the usual table: no --only")
    if asked.pictures is not None and asked.only and "honest" not in asked.only:
        parser.error("--pictures shows the honest house beside the others")
    return asked


def _stop(*_: object) -> None:
    """End at once, and the processes too: what was dealt is kept every few seconds.

    A pool that is wound up in order waits for locks, which a process that was ended may hold.
    """
    for child in active_children():
        child.kill()
    os._exit(128 + signal.SIGTERM)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    sys.exit(main(sys.argv[1:]))
