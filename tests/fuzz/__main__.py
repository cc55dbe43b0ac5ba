"""Fuzz one target for a while: exit 0, or 1 with the input that failed in a file."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path

from tests.fuzz.running import CACHE, FOUND, TARGETS, Run, write_found


def main(argv: list[str]) -> int:
    """0 when everything held."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on where this seed was stopped")
    parser.add_argument("--found", type=Path, default=FOUND, help="the folder for what fails")
    parser.add_argument("--cache", type=Path, default=CACHE, help="the folder for how far it came")
    given = parser.parse_args(argv)
    logging.disable()
    run = Run(TARGETS[given.target], given.seed, given.cache)
    if given.resume:
        run.resume()
    failing = run.go(given.seconds)
    run.keep()
    print(run.report())
    if failing is None:
        return 0
    print(f"failed: {write_found(run.target, failing, given.found)}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
