"""`python3 dev.py oracles [ARGS]`: these tests with ARGS; with `--bench`, the ratios of times."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest


def main(arguments: Sequence[str]) -> int:
    """The exit code of pytest, or of the bench."""
    rest = [it for it in arguments if it != "--bench"]
    if len(rest) < len(arguments):
        from tests.bench.__main__ import main as bench

        return bench(["peers", *rest])
    return int(pytest.main(["tests/oracles", *rest]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
