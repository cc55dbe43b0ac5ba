"""The checks of the specification and their numbers, read from its own tables."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "verifier" / "spec" / "codes.md"
_ROW = re.compile(r"^\| ([0-9]+) \| `([a-z-]+/[a-z0-9-]+)` \|", re.MULTILINE)

NUMBERS: dict[str, int] = {
    code: int(number) for number, code in _ROW.findall(TABLES.read_text(encoding="utf-8"))
}
REFUTING = 100  # numbers below make a document unreadable (spec/codes.md)


def verdict_of(code: str) -> str:
    """What a failure of that check makes of a transcript."""
    if code.startswith("start/"):
        return "not-started"
    return "refuted" if NUMBERS[code] >= REFUTING else "unreadable"
