"""dev.py chooses its way to an environment, and says plainly when there is none."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import dev
from tests.packaging.checkout import ROOT

EVERYTHING = dev.Machine(uv="uv", venv=True, pip="pip", apt="apt-get")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout of only what dev.py reads."""
    locks = ("requirements/dev.txt", "requirements/oracles.txt")
    for name in ("dev.py", "pyproject.toml", "verifier/pyproject.toml", *locks):
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy)
    return tmp_path


@pytest.fixture
def venv(tmp_path: Path) -> dev.Venv:
    """An environment away from the real ones."""
    return dev.Venv(tmp_path / "venv", dev.VENV.lock)


def dev_py(checkout: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """Run a checkout's dev.py on a machine that has only Python."""
    env = {"PATH": str(checkout / "nothing"), "HOME": str(checkout), **extra}
    argv = [sys.executable, str(checkout / "dev.py"), *arguments]
    return subprocess.run(argv, env=env, capture_output=True, text=True, check=False)


def pretend_ready(checkout: Path, script: str, venv: str = "VENV") -> None:
    """Give a checkout a finished environment whose Python is a shell script."""
    python = checkout / getattr(dev, venv).folder.relative_to(ROOT) / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    at = f"dev.{venv}"
    stamp = f"import dev; ({at}.folder / dev.STAMP).write_text(dev.fingerprint({at}))"
    subprocess.run([sys.executable, "-c", stamp], cwd=checkout, check=True)


# ------------------------------------------------------------------ choosing


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (EVERYTHING, ["uv", "venv", "pip", "apt"]),
        (dev.Machine(venv=True, apt="apt-get"), ["venv", "apt"]),
        (dev.Machine(pip="pip", apt="apt-get"), ["pip", "apt"]),
        (dev.Machine(apt="apt-get"), ["apt"]),
        (dev.Machine(), []),
    ],
)
def test_ways_come_in_order(machine: dev.Machine, expected: list[str]) -> None:
    assert dev.ways(machine) == expected


def test_every_way_has_a_builder() -> None:
    assert list(dev.BUILDERS) == dev.ways(EVERYTHING)


def test_next_way_is_tried_on_a_clean_slate(
    venv: dev.Venv, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(_machine: dev.Machine, venv: dev.Venv) -> None:
        venv.folder.mkdir()
        raise dev.Trouble("no network")

    def whole(_machine: dev.Machine, venv: dev.Venv) -> None:
        venv.folder.mkdir()

    monkeypatch.setattr(dev, "BUILDERS", {"uv": half, "venv": whole})
    dev.build(EVERYTHING, venv)
    assert venv.folder.is_dir()


def test_all_failures_are_told_in_one_sentence(
    venv: dev.Venv, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_machine: dev.Machine, _venv: dev.Venv) -> None:
        raise dev.Trouble("no network")

    monkeypatch.setattr(dev, "BUILDERS", {"uv": broken, "apt": broken})
    with pytest.raises(dev.Trouble, match=r"run this again: uv: no network; apt: no network$"):
        dev.build(dev.Machine(uv="uv", apt="apt-get"), venv)
    assert not venv.folder.exists()


def test_failed_step_quotes_its_first_error() -> None:
    script = "echo Looking; echo 'ERROR: no such thing.'; echo Bye; exit 1"
    with pytest.raises(dev.Trouble, match=r"^ERROR: no such thing$"):
        dev.must("sh", "-c", script)


def test_missing_program_is_named() -> None:
    with pytest.raises(dev.Trouble, match="not-there: No such file"):
        dev.must("not-there")


# ------------------------------------------------------------- from the outside


def test_bare_machine_is_told_what_to_install(checkout: Path) -> None:
    hide = (
        "import sys; sys.modules['ensurepip'] = None; import runpy; sys.argv = ['dev.py', 'setup']"
    )
    argv = [sys.executable, "-c", f"{hide}; runpy.run_path('dev.py', run_name='__main__')"]
    env = {"PATH": str(checkout / "nothing")}
    ended = subprocess.run(argv, cwd=checkout, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    assert ended.stderr == (
        "dev.py: install uv or pip (Debian: python3-venv) and run this again: neither is here\n"
    )


def test_missing_lock_is_told_without_a_trace(checkout: Path) -> None:
    (checkout / "requirements" / "dev.txt").unlink()
    ended = dev_py(checkout, "setup")
    assert ended.returncode == 3
    assert ended.stdout == ""
    assert ended.stderr.startswith("dev.py: put this right and run it again: ")
    assert "dev.txt" in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [["lnt"], ["setup", "now"], []])
def test_wrong_use_shows_the_right_one(checkout: Path, arguments: list[str]) -> None:
    ended = dev_py(checkout, *arguments)
    assert "usage: python3 dev.py COMMAND" in ended.stdout
    assert ended.returncode == (2 if arguments else 0)


def test_program_gets_its_arguments_and_settings_and_keeps_its_exit_code(checkout: Path) -> None:
    pretend_ready(checkout, 'echo "$FAIRBONES_PORT $*"; exit 7')
    ended = dev_py(checkout, "serve", "--workers", "2", FAIRBONES_PORT="8001")
    assert ended.stdout == "8001 -m fairbones.cli serve --workers 2\n"
    assert ended.returncode == 7


def test_other_engines_have_an_environment_of_their_own(checkout: Path) -> None:
    pretend_ready(checkout, 'echo "$VIRTUAL_ENV $PATH $*"; exit 7', "ORACLES")
    ended = dev_py(checkout, "oracles", "--bench", "--rounds", "3")
    entered, path, *argv = ended.stdout.split()
    assert entered == str(checkout / ".cache" / "oracles-venv")
    assert path.startswith(f"{entered}/bin:")
    assert argv == ["-m", "tests.oracles", "--bench", "--rounds", "3"]
    assert ended.returncode == 7
    assert not (checkout / ".venv").exists()


def test_tests_run_after_failed_linters_and_the_run_fails(checkout: Path) -> None:
    pretend_ready(checkout, 'test "$2" = pytest && echo "1 passed $*"')
    ended = dev_py(checkout, "test", "--", "-k", "deal")
    *before, last = ended.stdout.splitlines()
    assert last == "1 passed -m pytest -n auto -k deal"
    assert before[-1].startswith("== lint FAILED, and with it this run: ruff check, ")
    assert ended.returncode == 1


def test_pytest_without_tests_is_a_failure(checkout: Path) -> None:
    pretend_ready(checkout, 'test "$2" != pytest || exit 5')
    assert dev_py(checkout, "test").returncode == 5


def test_clean_leaves_the_sources(checkout: Path) -> None:
    pretend_ready(checkout, "exit 0")
    pretend_ready(checkout, "exit 0", "ORACLES")
    (checkout / "verifier" / "__pycache__").mkdir()
    assert dev_py(checkout, "clean").returncode == 0
    left = {path.name for path in checkout.rglob("*") if path.is_dir()}
    assert left == {"requirements", "verifier"}


# ------------------------------------------------------------- staying in step


def ready(checkout: Path, venv: str) -> str:
    """What a checkout says of one of its environments."""
    at = f"dev.{venv}"
    probe = [sys.executable, "-c", f"import dev; print(dev.ready({at}, dev.fingerprint({at})))"]
    ended = subprocess.run(probe, cwd=checkout, capture_output=True, text=True, check=True)
    return ended.stdout.strip()


@pytest.mark.parametrize(
    ("venv", "other", "lock"), [("VENV", "ORACLES", "dev.txt"), ("ORACLES", "VENV", "oracles.txt")]
)
def test_environment_is_stale_once_its_lock_changes(
    checkout: Path, venv: str, other: str, lock: str
) -> None:
    for each in (venv, other):
        pretend_ready(checkout, "exit 0", each)
    assert ready(checkout, venv) == "True"
    with (checkout / "requirements" / lock).open("a") as text:
        text.write("\n")
    assert ready(checkout, venv) == "False"
    assert ready(checkout, other) == "True"


def test_moved_environment_is_stale(checkout: Path) -> None:
    pretend_ready(checkout, "exit 0")
    moved = checkout.rename(checkout.with_name("moved"))
    assert ready(moved, "VENV") == "False"


def test_second_set_up_waits_for_the_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    order: list[str] = []

    def second() -> None:
        with dev.checkout_to_ourselves():
            order.append("second")

    with dev.checkout_to_ourselves():
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(0.1)
        order.append("first")
    waiting.join(timeout=10)
    assert order == ["first", "second"]


# ------------------------------------------------------------------- signals


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """dev.py in the middle of running a child that notes its id and then sleeps."""
    script = f"echo $$ > {tmp_path}/id.new; mv {tmp_path}/id.new {tmp_path}/id; exec sleep 60"
    program = f"import dev; dev.run(['sh', '-c', {script!r}])"
    runner = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, text=True, stdin=subprocess.DEVNULL
    )
    yield runner
    runner.kill()
    runner.wait()


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_signal_ends_the_child_too(
    runner: subprocess.Popen[str], signum: signal.Signals, tmp_path: Path
) -> None:
    note = tmp_path / "id"
    deadline = time.monotonic() + 20
    while not note.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    runner.send_signal(signum)
    assert runner.wait(timeout=20) == 128 + signum
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text()), 0)
