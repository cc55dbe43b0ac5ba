"""The files of deploy/, and how a program judges one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
# Programs that come with the locked packages.
BIN = Path(sys.executable).parent


def judged(argv: list[str | Path], **more: str) -> tuple[int, str]:
    """The exit code of a program and all that it said."""
    done = subprocess.run(
        [str(it) for it in argv],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
        env=more or None,
    )
    return done.returncode, done.stdout + done.stderr


def planted(path: Path, target: Path, old: str, new: str) -> Path:
    """A copy of a file at `target`, with an error in it."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, old
    target.write_text(text.replace(old, new, 1), encoding="utf-8")
    return target
