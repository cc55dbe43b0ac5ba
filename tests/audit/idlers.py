"""Clerks that do not do their work. They are started often, so nothing is imported here."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import Any


def idle(pipe: Any, _order: object) -> None:
    """A clerk that ends or sleeps when it is told to."""
    pipe.send("ready")
    with contextlib.suppress(EOFError):
        while True:
            errand = pipe.recv()
            if errand.source == "die":
                sys.exit(7)
            if errand.source == "sleep":
                time.sleep(60)
            pipe.send({"did": errand.source})


def gone(_pipe: object, _order: object) -> None:
    """A clerk that never begins."""
    sys.exit(1)
