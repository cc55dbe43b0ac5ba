"""Counting nothing: the meter of a house whose operator does not ask."""

from __future__ import annotations

from fairbones.house.ports import Meter


class _Silent:
    """See `ports.Meter`."""

    def appended(self, events: int) -> None: ...

    def conflict(self) -> None: ...

    def lock_waited(self, seconds: float) -> None: ...

    def waiting(self, readers: int) -> None: ...

    def history_lost(self, match_id: bytes) -> None: ...


SILENT: Meter = _Silent()
