"""The memory of an audit does not grow with the number of matches: aggregates, lists on disk."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.audit.matches import revealed
from tests.audit.running import NOW, OURS, SECONDS, fill

FEW, MANY = 80, 800
LOOSELY = 1.2
# The most that the process itself held, and any of those it waited for, in KiB. (What rusage says
# of the process itself is that of whoever has started it, if that was larger.)
WEIGHED = """
import re, resource, sys
sys.path.insert(0, sys.argv.pop(1))
from fairbones_verify.cli import main
if __name__ == "__main__":
    main(sys.argv[1:])
    own = re.search("VmHWM:\\s+([0-9]+) kB", open("/proc/self/status").read())[1]
    sys.stderr.write(f"{own} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
"""


def files(number: int) -> dict[str, bytes]:
    """Matches that show a seed each; every fourth is no transcript, every fourth is refuted."""
    made = {}
    for k in range(number):
        data = revealed(k, 0).transcript() if k % 4 else b"junk"
        made[f"{k % 50}/{k}.json"] = data.replace(b'"seq":0', b'"seq":1') if k % 4 == 1 else data
    return made


def weighed(folder: Path, state: Path) -> tuple[int, int]:
    words = ["audit", folder, "--jobs", "2", "--quiet", "--now", NOW, "--json", "--resume", state]
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WEIGHED, str(OURS.parent), *map(str, words)],
        capture_output=True,
        timeout=SECONDS,
        check=True,
    )
    told = json.loads(ended.stdout)
    number = sum(len(names) for _, _, names in os.walk(folder))
    assert told["transcripts"]["verified"] == number // 2
    assert len(told["refuted"]) == len(told["unreadable"]) == number // 4
    own, clerks = map(int, ended.stderr.split())
    return own, clerks


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc")
def test_ten_times_the_matches_take_the_same_memory(tmp_path: Path) -> None:
    made = files(MANY)
    few = fill(tmp_path / "few", dict(list(made.items())[:FEW]))
    many = fill(tmp_path / "many", made)
    small, large = weighed(few, tmp_path / "s"), weighed(many, tmp_path / "l")
    print(f"KiB at most, own and a clerk's: {small} for {FEW} matches, {large} for {MANY}")
    assert large[0] < LOOSELY * small[0]
    assert large[1] < LOOSELY * small[1]
    # Gone on with, all of it is read from the state.
    again = weighed(many, tmp_path / "l")
    assert again[0] < LOOSELY * small[0]
