"""A thread of each process that tells the others of appends, and clears up behind them.

Nothing here has to succeed for an append to stand: a wake-up that is lost costs a reader one look,
and what is left in an outbox is fed by the next that comes to the match, or by a sweep of all.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

from fairbones.core.errors import FairbonesError
from fairbones.store.redis import keys, lists
from fairbones.store.redis.wire import Wire

# A message: who says so (skipped by himself), then ids.
NAME_BYTES = 8
ID_BYTES = 16
IDS_MAX = 1000
# One process in so long looks for outboxes that dead ones have left.
SWEEP_SECONDS = 300
FIRST_SWEEP_SECONDS = 5
_PAUSE_SECONDS = 1.0
# Between two messages, so that each tells of all that grew meanwhile.
_BREATH_SECONDS = 0.005
_CLOSE_SECONDS = 2.0


class Feeder:
    """Takes notes from any thread at no cost, and works them off in its own."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.name = os.urandom(NAME_BYTES)
        self._changed = threading.Condition()
        self._grown: dict[bytes, None] = {}
        self._shown: dict[bytes, bytes] = {}
        self._owed: dict[bytes, None] = {}
        self._busy = False
        self._idle = False
        self._closing = False
        self._thread: threading.Thread | None = None

    def grown(self, match_id: bytes) -> None:
        """Others may want to know."""
        self._note(lambda: self._grown.setdefault(match_id))

    def shown(self, match_id: bytes, rev: bytes) -> None:
        """The lists show this revision: its outbox can go."""
        self._note(lambda: self._shown.__setitem__(match_id, rev))

    def owed(self, match_id: bytes) -> None:
        """The lists may not show this match as it is."""
        self._note(lambda: self._owed.setdefault(match_id))

    def drain(self, seconds: float = _CLOSE_SECONDS) -> bool:
        """Wait until there is nothing left to do; False when there still is."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._busy or self._any()), seconds)

    def close(self) -> None:
        """Work off what is noted, within reason, and end."""
        thread = self._thread
        if thread is None:
            return
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if thread is not threading.current_thread():
            thread.join(_CLOSE_SECONDS)

    def _note(self, note: Callable[[], object]) -> None:
        with self._changed:
            note()
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._run, name="feeder", daemon=True)
                self._thread.start()
            if self._idle:
                self._changed.notify_all()

    def _any(self) -> bool:
        return bool(self._grown or self._shown or self._owed)

    def _run(self) -> None:
        sweep_at = time.monotonic() + FIRST_SWEEP_SECONDS
        while True:
            with self._changed:
                left = max(0.0, sweep_at - time.monotonic())
                self._idle = True
                self._changed.wait_for(lambda: self._closing or self._any(), left)
                self._idle = False
                if self._closing and not self._any():
                    return
                grown, self._grown = list(self._grown), {}
                shown, self._shown = self._shown, {}
                owed, self._owed = list(self._owed), {}
                self._busy = True
            try:
                self._work(grown, shown, owed)
                if time.monotonic() >= sweep_at:
                    sweep_at = time.monotonic() + SWEEP_SECONDS
                    self._sweep()
                if grown:
                    with self._changed:
                        self._changed.wait_for(lambda: self._closing, _BREATH_SECONDS)
            except FairbonesError as error:
                # Wake-ups are late by now; outboxes stay where they are until somebody comes.
                with self._changed:
                    if error.code != "store/corrupt":
                        self._owed |= dict.fromkeys(owed)
                    if self._closing:
                        return
                    self._changed.wait_for(lambda: self._closing, _PAUSE_SECONDS)
            finally:
                with self._changed:
                    self._busy = False
                    self._changed.notify_all()

    def _work(self, grown: list[bytes], shown: dict[bytes, bytes], owed: list[bytes]) -> None:
        wire = self._wire
        channel = keys.wake(wire.place.db)
        for start in range(0, len(grown), IDS_MAX):
            said = self.name + b"".join(grown[start : start + IDS_MAX])
            wire.write(channel, (b"PUBLISH", channel, said))
        for match_id, rev in shown.items():
            lists.clear(wire, match_id, rev)
        if owed:
            lists.feed(wire, owed)

    def _sweep(self) -> None:
        """Once in a while, for all processes."""
        lease = (b"SET", keys.LEASE, self.name, b"NX", b"EX", SWEEP_SECONDS)
        if self._wire.write(keys.LEASE, lease)[0] is None:
            return
        if lists.is_made(self._wire):
            lists.feed_leftovers(self._wire)
        else:
            lists.rebuild(self._wire)
