"""Run one long test from where it stopped, and write down what it found."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable

from tests.soak import evidence, matches, mutations
from tests.soak.progress import Progress

TESTS: dict[str, tuple[str, Callable[[int, int], Counter[str]], int]] = {
    "matches": (matches.ABOUT, matches.check, 600),
    "mutations": (mutations.ABOUT, mutations.check, 24),
}


def main(argv: list[str]) -> int:
    """0 when everything held; an assertion names what did not."""
    parser = argparse.ArgumentParser(prog="tests.soak", description=__doc__)
    parser.add_argument("name", choices=TESTS)
    parser.add_argument("--count", type=int, help="how many matches in all, earlier runs included")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(argv)
    about, check, usual = TESTS[given.name]
    count = usual if given.count is None else given.count
    progress, commit = Progress(given.name, given.seed), evidence.commit()
    while progress.done < count:
        progress.count(check(progress.done, given.seed), commit)
        if sys.stderr.isatty():
            print(f"\r{progress.done} of {count}", end="", file=sys.stderr, flush=True)
    text = evidence.section(given.name, about, given.seed, progress)
    evidence.write(given.name, text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
