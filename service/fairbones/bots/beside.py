"""Bots beside a service: `fairbones serve --bots SECONDS` starts them as a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys


def beside(seconds: float, address: str) -> subprocess.Popen[bytes]:
    """Start bots that fill the open seats of matches that have waited so long; `terminate` it.

    They end by themselves when the caller is gone, however it went, for then their standard input
    does. They never exit with the code by which gunicorn's parent knows a worker that cannot start,
    and know nothing of the service's settings, which may hold a password.
    """
    plain = {name: it for name, it in os.environ.items() if not name.startswith("FAIRBONES_")}
    return subprocess.Popen(
        [sys.executable, "-m", "fairbones.cli", "bots", address, f"--fill={seconds:g}", "--beside"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=plain,
    )
