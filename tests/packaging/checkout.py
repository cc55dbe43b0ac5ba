"""What belongs to this checkout, as the packaging tests need to know it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = ROOT / "verifier"

# Where there is no git to ask: folders that never belong to the project.
FOREIGN = {".git", ".venv", ".cache", ".hypothesis", "__pycache__", "build", "dist"}


def project_files() -> list[Path]:
    """Every file that is committed or would be by `git add .`."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        argv = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        ended = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
        if ended.returncode == 0:  # git may distrust the folder of another user
            names = filter(None, ended.stdout.split("\0"))
            return sorted(path for path in map(ROOT.joinpath, names) if path.is_file())
    found = (path for path in ROOT.rglob("*") if path.is_file())
    return sorted(path for path in found if FOREIGN.isdisjoint(path.relative_to(ROOT).parts))


def project_texts() -> dict[str, str]:
    """The text files of the project, by their path within it."""
    texts = {}
    for path in project_files():
        content = path.read_bytes()
        if b"\0" not in content:
            texts[path.relative_to(ROOT).as_posix()] = content.decode("utf-8", "replace")
    return texts


def copy_project(target: Path) -> Path:
    """A copy as a fresh clone would have it."""
    for path in project_files():
        copy = target / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    return target
