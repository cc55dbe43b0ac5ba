"""The commands of spec/example.md, run as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

VERIFIER = Path(__file__).resolve().parents[2] / "verifier"
EXAMPLE = VERIFIER / "spec" / "example.md"
PROGRAMS = ("bash", "openssl", "xxd", "sha256sum", "cut", "tr", "seq", "paste")
MARK = "-- end of block --"


def blocks() -> list[tuple[str, str]]:
    """Pairs of commands and what they are said to print."""
    text = EXAMPLE.read_text("utf-8")
    return re.findall(r"```sh\n(.*?)```\n(?:```text\n(.*?)```)?", text, re.DOTALL)


@pytest.fixture(scope="module")
def printed() -> list[str]:
    """What the blocks print, run as one session."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        words = f"NOT CHECKED: spec/example.md; apt-get install {' '.join(missing)}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(words)
    script = "".join(f"{commands}echo '{MARK}'\n" for commands, _ in blocks())
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout.split(MARK + "\n")[:-1]


@pytest.mark.parametrize("place", range(len(blocks())))
def test_the_commands_print_what_stands_beside_them(place: int, printed: list[str]) -> None:
    assert printed[place] == blocks()[place][1]


def test_every_check_value_of_the_specification_is_computed() -> None:
    values = re.search(r"## 12\. Check values\n(.*?)\n\[spec/example", spec(), re.DOTALL)
    assert values is not None
    results = "\n".join(said for _, said in blocks())
    lines = re.findall(r"^    (.+)$", values[1], re.MULTILINE)
    assert len(lines) == 12
    for line in lines:
        value = re.split(r"\s{2,}|\b(?=[0-9a-f]{64}$)|begins |holds |seat 0 ", line)[-1]
        assert value in results, line


def spec() -> str:
    return (VERIFIER / "SPEC.md").read_text("utf-8")
