"""The commands of the README do what the README says, against a service as it is shipped."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = re.findall(r"```sh\n(.*?)```", README, re.S)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.S)
READY = re.compile(r"listening on (http://127\.0\.0\.1:\d+) ")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service on a free port; ended by the pid that was started."""
    settings = {"FAIRBONES_PORT": "0", "FAIRBONES_DATA": str(tmp_path_factory.mktemp("house"))}
    server = subprocess.Popen(
        [sys.executable, "-m", "fairbones.cli", "serve"],
        env=os.environ | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        line = server.stdout.readline()
        found = READY.search(line)
        assert found is not None, line
        yield found[1]
    finally:
        server.terminate()
        server.wait(20)
        assert server.stdout is not None
        server.stdout.close()


def run(argv: list[str], folder: Path, base: str) -> subprocess.CompletedProcess[str]:
    """Run in a folder where `verifier/` is, as it is in a checkout."""
    (folder / "verifier").symlink_to(ROOT / "verifier")
    return subprocess.run(
        argv,
        cwd=folder,
        env=os.environ | {"BASE": base},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def missing_programs() -> list[str]:
    return [name for name in ("bash", "curl", "openssl", "xxd") if shutil.which(name) is None]


@pytest.mark.skipif(
    bool(missing_programs()) and not os.environ.get("CI"),
    reason=f"needs {missing_programs()}: apt-get install curl openssl xxd",
)
def test_the_shell_blocks_play_and_verify(base: str, tmp_path: Path) -> None:
    done = run(["bash", "-eu", "-c", "\n".join(SHELL)], tmp_path, base)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"type":"played"' in done.stdout
    told = json.loads(next(line for line in done.stdout.splitlines() if '"verdict":' in line))
    assert (told["verdict"], told["complete"]) == ("verified", False)
    # The file twice, both seats, the spectator and the keep; then the audit.
    assert done.stdout.count("VERIFIED") == 6
    assert "NOTHING REFUTED" in done.stdout


def test_the_python_block_plays_a_match_that_verifies(base: str, tmp_path: Path) -> None:
    assert len(PYTHON) == 1
    done = run([sys.executable, "-I", "-c", PYTHON[0]], tmp_path, base)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "scores:" in done.stdout
    verifier = [sys.executable, "-I", "-S", str(ROOT / "verifier" / "fairbones_verify")]
    verdict = subprocess.run(
        [*verifier, "--complete", "--json", "transcript.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr


def test_every_path_the_readme_links_is_there() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert link.startswith("http") or (ROOT / link).exists(), link
