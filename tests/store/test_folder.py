"""The data folder's lock, between real processes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.store.folder import DataFolder

HOLD = """
import sys, time
from pathlib import Path
from fairbones.store.folder import DataFolder
held = DataFolder(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


@contextmanager
def holder(folder: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def test_a_second_process_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with holder(tmp_path) as process:
        with pytest.raises(FairbonesError) as caught:
            DataFolder(tmp_path, patience=0.1)
        assert caught.value.code == "store/in-use"
        assert caught.value.message == (
            f"another Fairbones (process {process.pid}) uses the data folder {tmp_path}; stop it, "
            "or set FAIRBONES_DATA to another folder"
        )


def test_of_a_worker_the_parent_is_named_too(tmp_path: Path) -> None:
    """For it would start another one."""
    forked = HOLD.replace("held =", "import os\nif os.fork():\n    time.sleep(60)\nheld =")
    forked = forked.replace('"held"', "os.getpid()").replace("sleep(60)", "sleep(30)")
    process = subprocess.Popen(
        [sys.executable, "-c", forked, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            assert process.stdout is not None
            worker = int(process.stdout.readline())
            with pytest.raises(FairbonesError, match="store/in-use") as caught:
                DataFolder(tmp_path, patience=0)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
    holder = f"(process {process.pid}, its worker {worker})"
    assert caught.value.message.startswith(f"another Fairbones {holder} uses the data folder")


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    for _ in range(3):
        with holder(tmp_path) as process:
            process.send_signal(signal.SIGKILL)
            process.wait()
            DataFolder(tmp_path, patience=1).release()


def test_a_successor_waits_a_little(tmp_path: Path) -> None:
    first = DataFolder(tmp_path)
    with holder_soon(tmp_path) as process:
        time.sleep(0.3)
        first.release()
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"


@contextmanager
def holder_soon(folder: Path) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def test_one_process_holds_it_once(tmp_path: Path) -> None:
    held = DataFolder(tmp_path / "new" / "folder")
    assert stat.S_IMODE(held.path.stat().st_mode) == 0o700
    with pytest.raises(FairbonesError, match="store/in-use"):
        DataFolder(held.path, patience=0)
    held.release()
    held.release()
    DataFolder(held.path, patience=0).release()


def test_what_is_not_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(FairbonesError) as caught:
        DataFolder(tmp_path / "file")
    assert caught.value.code == "store/folder"
    assert "FAIRBONES_DATA" in caught.value.message
