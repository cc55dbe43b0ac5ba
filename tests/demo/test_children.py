"""Nobody is left behind, and trouble is told with the child's own last words."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones.demo.children import Child, Children, Interrupted, Signals, Trouble


@pytest.fixture
def signals() -> Iterator[Signals]:
    with Signals(60) as signals:
        yield signals


@pytest.fixture
def children(signals: Signals) -> Iterator[Children]:
    children = Children(signals)
    yield children
    children.stop_all()


def start(children: Children, code: str, folder: Path) -> Child:
    return children.start("child", [sys.executable, "-u", "-c", code], folder, dict(os.environ))


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_the_line_that_is_waited_for(children: Children, tmp_path: Path) -> None:
    child = start(children, "print('one'); print('ready at 5'); input()", tmp_path)
    assert child.wait_for("ready", 10) == "ready at 5"
    code, output = child.finish(10)
    assert code == 1  # nobody types for it
    assert "EOFError" in output


def test_a_child_that_ends_too_soon_is_quoted(children: Children, tmp_path: Path) -> None:
    child = start(children, "print('the disk is full'); raise SystemExit(3)", tmp_path)
    with pytest.raises(Trouble, match=r"did not start.*(\n.*)*the disk is full"):
        child.wait_for("ready", 10)


def test_a_child_that_hangs_is_given_up(children: Children, tmp_path: Path) -> None:
    child = start(children, "print('hm'); import time; time.sleep(60)", tmp_path)
    with pytest.raises(Trouble, match=r"within 0.3 seconds\n  \| hm"):
        child.wait_for("hm", 10)
        child.finish(0.3)


def test_a_child_that_ignores_us_is_killed(children: Children, tmp_path: Path) -> None:
    stubborn = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up');"
        "time.sleep(60)"
    )
    child = start(children, stubborn, tmp_path)
    child.wait_for("up", 10)
    child.stop(grace=0.2)
    assert gone(child.process.pid)


def test_no_such_program(children: Children, tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="cannot be started"):
        children.start("child", [str(tmp_path / "nothing")], tmp_path, {})


def test_a_signal_waits_until_it_may_come(signals: Signals) -> None:
    done = []
    with pytest.raises(Interrupted) as interrupted, signals.held():
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.05)
        done.append("held")
    assert done == ["held"]
    assert interrupted.value.signum == signal.SIGTERM
    os.kill(os.getpid(), signal.SIGTERM)  # one was enough
    time.sleep(0.05)


def test_the_whole_time_is_bounded() -> None:
    with pytest.raises(Trouble, match=r"longer than 0.1 seconds"), Signals(0.1):
        time.sleep(5)
