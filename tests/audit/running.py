"""The audit as it is shipped: a process with nothing but Python, and what it answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]

from fairbones_verify import cli
from tests.audit.schema import NOT_STARTED, SUMMARY

Json = dict[str, Any]

OURS = Path(cli.__file__).parent
PYTHON = (sys.executable, "-I", "-S", "-W", "error")
SECONDS = 240
NOW = "2030-01-01"  # later than anything in the tests was to be over


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the exit code and both streams."""

    exit: int
    out: str
    err: str

    def json(self) -> Json:
        """The one object on standard output, in its form."""
        assert self.out.count("\n") == 1
        told: Json = json.loads(self.out)
        jsonschema.validate(told, NOT_STARTED if self.exit == 3 else SUMMARY)
        assert told["exit"] == self.exit
        return told


def command(*words: str | Path) -> list[str]:
    """The command line. One clerk is enough, where a test does not ask for more."""
    return [*PYTHON, str(OURS), "audit", "--jobs", "1", *map(str, words)]


def audit(*words: str | Path, **more: Any) -> Answer:
    """Run it to its end. Nothing but plain ASCII may come out of it, and no stack trace."""
    ended = subprocess.run(
        command(*words), capture_output=True, timeout=SECONDS, check=False, **more
    )
    said = Answer(ended.returncode, ended.stdout.decode("ascii"), ended.stderr.decode("ascii"))
    assert "Traceback" not in said.out + said.err
    assert "Warning" not in said.err
    assert all(" " <= letter <= "~" or letter == "\n" for letter in said.out)
    return said


def summary(*words: str | Path, **more: Any) -> Json:
    """The object of an audit; its clock stands still."""
    return audit("--json", "--now", NOW, *words, **more).json()


def begin(*words: str | Path, log: Path) -> subprocess.Popen[bytes]:
    """Begin an audit that is going to be killed; `log` gets what it says."""
    with log.open("wb") as file:
        return subprocess.Popen(command(*words), stdout=file, stderr=file)


def clerks_of(pid: int) -> list[int]:
    """The processes that an audit has started."""
    folder = Path(f"/proc/{pid}/task/{pid}/children")
    return list(map(int, folder.read_text().split()))


def alive(pid: int) -> bool:
    """Whether a process is there, and no more than a name that nobody has asked after."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def fill(folder: Path, files: dict[str, bytes] | Sequence[bytes]) -> Path:
    """A folder with these files."""
    named = files if isinstance(files, dict) else {f"{i:04}.json": it for i, it in enumerate(files)}
    for name, data in named.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def environment(**more: str) -> dict[str, str]:
    """That of this process without what would set up a service."""
    plain = {name: it for name, it in os.environ.items() if not name.startswith("FAIRBONES_")}
    return plain | more
