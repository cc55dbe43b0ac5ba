"""Run one long test from where it stopped, and write down what it found."""

from __future__ import annotations

import argparse
import signal
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from multiprocessing import Pool

from tests.soak import evidence, kills, matches, mutations
from tests.soak.progress import Progress

Check = Callable[[int, int], Counter[str]]  # the number of an item and the seed; what it counted
TESTS: dict[str, tuple[str, Check, int]] = {
    "kills": (kills.ABOUT, kills.check, kills.USUAL),
    "matches": (matches.ABOUT, matches.check, matches.USUAL),
    "mutations": (mutations.ABOUT, mutations.check, mutations.ITEMS),
}


def _item(check: Check, seed: int, number: int) -> Counter[str]:
    return check(number, seed)


def main(argv: list[str]) -> int:
    """0 when everything held; an assertion names what did not."""
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("name", choices=TESTS)
    parser.add_argument("--count", type=int, help="how many items in all, earlier runs included")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    about, check, usual = TESTS[given.name]
    count = usual if given.count is None else given.count
    progress, commit = Progress(given.name, given.seed), evidence.commit()
    with Pool(initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)) as pool:
        # In order, so that what is done is a number, and a run may be stopped anywhere.
        ahead = pool.imap(partial(_item, check, given.seed), range(progress.done, count))
        for figures in ahead:
            progress.count(figures, commit)
            if sys.stderr.isatty():
                print(f"\r{progress.done} of {count}", end="", file=sys.stderr, flush=True)
    text = evidence.section(given.name, about, given.seed, progress)
    evidence.write(given.name, text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
