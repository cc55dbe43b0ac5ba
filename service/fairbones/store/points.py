"""The places at which a write can be cut short; every store passes all of them, in this order.

Crash tests hang a probe on them and kill the process there. In service the probe does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Point(StrEnum):
    """What has happened to a write so far."""

    BEFORE_WRITE = "before-write"
    """Nothing is written yet."""
    AFTER_WRITE = "after-write"
    """Some rows are written, others are not."""
    BEFORE_COMMIT = "before-commit"
    """All is written, nothing is promised."""
    AFTER_COMMIT = "after-commit"
    """All is durable; the caller has not heard of it."""


Probe = Callable[[Point], None]


def unprobed(_point: Point) -> None:
    """The probe of a store in service."""
