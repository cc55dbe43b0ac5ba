"""One keep, one process: the lock beside it (SPEC 10, C9)."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from fairbones_verify.client.keep import NoKeep
from fairbones_verify.client.lock import alone


def test_what_a_killed_process_leaves_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / "keep.lock").touch()
    for _ in range(2):
        with alone(tmp_path / "keep"):
            pass


def test_many_take_turns(tmp_path: Path) -> None:
    """Nobody holds a file that the one before has taken away."""
    inside, most, done = 0, 0, 0

    def work() -> None:
        nonlocal inside, most, done
        end = time.monotonic() + 20
        while time.monotonic() < end:
            try:
                with alone(tmp_path / "keep"):
                    inside += 1
                    most = max(most, inside)
                    time.sleep(0.002)
                    inside -= 1
                    done += 1
                    return
            except NoKeep:
                time.sleep(0.001)

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, done) == (1, 12)
