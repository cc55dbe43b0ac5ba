"""`python -m tests.lying_house` tells every lie and writes docs/lying-house.md."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.lying_house.meeting import meet
from tests.lying_house.page import PATH, page
from tests.lying_house.tales import TALES


def main() -> int:
    """Write the page."""
    meetings = []
    for planted in TALES:
        with tempfile.TemporaryDirectory() as folder:
            meetings.append((planted, meet(planted, Path(folder))))
    PATH.write_text(page(meetings), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
