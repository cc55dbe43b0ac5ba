"""What SPEC.md prints, read from its text: tests compare with the page, not with a copy of it."""

from __future__ import annotations

import re
from pathlib import Path

SPEC = Path(__file__).resolve().parents[2] / "verifier" / "SPEC.md"


def section(number: int) -> str:
    """The text of one numbered section."""
    found = re.search(rf"^## {number}\. .*?(?=^## |\Z)", SPEC.read_text("utf-8"), re.M | re.S)
    assert found is not None
    return found[0]


def check_values() -> dict[str, str]:
    """The names and values of section 12."""
    rows = re.findall(
        r"^ {4}(\S.*?)(?: {2,}| begins | (?=[0-9a-f]{64}$))(\S.*)$", section(12), re.M
    )
    return dict(rows)


def tags() -> dict[str, tuple[str, str]]:
    """Tag to what uses it and where, as the table of 2.3 says."""
    found: dict[str, tuple[str, str]] = {}
    for named, used_by, where in re.findall(r"^\| (`.*?) \| (.*?) \| (.*?) \|$", section(2), re.M):
        for tag in re.findall(r"`([a-z-]+)`", named):
            assert tag not in found, f"{tag} stands twice in the table"
            found[tag] = (used_by, where)
    return found
