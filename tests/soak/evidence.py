"""The page of figures: one section a test, replaced by each run."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.soak.progress import ROOT, Progress

PAGE = ROOT / "docs" / "evidence.md"
HEAD = """# Evidence

Figures of the long tests, written by the commands that stand beside them.
"""


def commit() -> str:
    """What was tested, as git names it; the page of figures itself changes nothing."""
    name = git("describe", "--always") or "no commit"
    changed = git("status", "--porcelain", "--", ".", ":!docs/evidence.md")
    return f"{name}-dirty" if changed else name


def git(*arguments: str) -> str:
    """What git says, or nothing outside of a clone."""
    ended = subprocess.run(
        ["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return ended.stdout.strip()


def section(name: str, about: str, seed: int, progress: Progress) -> str:
    """The text of one section."""
    figures, commits = progress.figures, ", ".join(progress.commits)
    rows = "\n".join(f"| {what} | {number:,} |" for what, number in sorted(figures.items()))
    return (
        f"## {name}\n\n{about}\n\n"
        f"`python3 dev.py soak {name} --count {progress.done} --seed {seed}`, commit {commits}\n\n"
        f"| figure | number |\n|---|---:|\n{rows}\n"
    )


def write(name: str, text: str, page: Path = PAGE) -> None:
    """Replace the section of that name, or add it."""
    old = page.read_text("utf-8") if page.exists() else HEAD
    parts = [part for part in re.split(r"^(?=## )", old, flags=re.MULTILINE) if part]
    kept = [part.rstrip() + "\n" for part in parts if not part.startswith(f"## {name}\n")]
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n".join([*kept, text]), "utf-8")
