"""Event streams that wait, in a worker that holds thousands of them.

A stream that waits is a stack at rest. One timer sends the comments that keep connections open,
for all of them, and the system says at once when a client hangs up: nobody is woken to find out.
"""

from __future__ import annotations

import threading
import time
from typing import Any

import gevent  # type: ignore[import-untyped]
from gevent.thread import LockType  # type: ignore[import-untyped]

from fairbones.serving.bodies import gone
from fairbones.serving.log import REQUEST_ID

# What an app finds in its environ: `hold(comment, seconds)`, a context in which its stream waits
# and the server sends `comment` after so many seconds of silence. A client that has hung up ends
# the request there.
HOLD = "fairbones.hold"
_TICK_SECONDS = 1.0
_ACQUIRE = LockType.acquire.__code__
_WAIT = threading.Condition.wait.__code__
# What the log and gunicorn need of a request until its end.
_TOLD = ("REQUEST_METHOD", "PATH_INFO", "REMOTE_ADDR", REQUEST_ID)


def _rests(greenlet: Any) -> bool:
    """Whether it waits to be notified by a condition.

    Only there an exception leaves everything in order. In any other wait, say for the lock that a
    condition gives back, it would leave a lock that nobody holds to be released.
    """
    frame = greenlet.gr_frame
    if frame is None or frame.f_code is not _ACQUIRE or frame.f_back is None:
        return False
    return frame.f_back.f_code is _WAIT


class Streams:
    """All streams of this worker that wait, the longest silent first."""

    def __init__(self) -> None:
        self._silent: dict[Hold, None] = {}

    def start(self) -> None:
        """Keep them alive from now on."""
        gevent.spawn(self._beat)

    def _beat(self) -> None:
        while True:
            gevent.sleep(_TICK_SECONDS)
            now = time.monotonic()
            for hold in list(self._silent):
                if now - hold.since < hold.seconds:
                    break
                self._silent.pop(hold, None)
                self._silent[hold] = None
                if not hold.beat(now):
                    gevent.get_hub().loop.run_callback(hold.part)

    def enter(self, hold: Hold) -> None:
        """A stream begins to wait."""
        hold.since = time.monotonic()
        self._silent[hold] = None

    def leave(self, hold: Hold) -> None:
        """It has something to say."""
        self._silent.pop(hold, None)


class Hold:
    """One stream, which waits now and then. Made for each request, and mostly never used."""

    __slots__ = (
        "_chunked",
        "_comment",
        "_environ",
        "_greenlet",
        "_sock",
        "_streams",
        "_watcher",
        "gone",
        "seconds",
        "since",
    )

    def __init__(self, streams: Streams, sock: Any, environ: dict[str, Any]) -> None:
        self._streams = streams
        self._sock = sock
        self._environ: dict[str, Any] | None = environ
        self._chunked = environ["SERVER_PROTOCOL"] == "HTTP/1.1"
        self._greenlet: Any = None
        self._watcher: Any = None
        self._comment = b""
        # The client has hung up, or takes nothing.
        self.gone = False
        self.seconds = 0.0
        self.since = 0.0

    def __call__(self, comment: bytes, seconds: float) -> Hold:
        self.seconds = seconds
        if self._watcher is None:
            self._comment = b"%X\r\n%b\r\n" % (len(comment), comment) if self._chunked else comment
            self._greenlet = gevent.getcurrent()
            self._watcher = gevent.get_hub().loop.io(self._sock.fileno(), 1)
            self._watcher.start(self._heard)
            self._forget_the_request()
        return self

    def __enter__(self) -> None:
        if self.gone:
            raise gevent.GreenletExit
        self._streams.enter(self)

    def __exit__(self, *_: object) -> None:
        self._streams.leave(self)

    def beat(self, now: float) -> bool:
        """Say the comment; False when nobody takes it, and then the stream has to end."""
        try:
            # Never waits: who has not read for so long that the system is full is not there.
            sent = self._sock._sock.send(self._comment)
        except OSError:
            sent = 0
        self.since = now
        if sent < len(self._comment):
            self.gone = True
        return not self.gone

    def end(self) -> None:
        """The request is over."""
        if self._watcher is not None:
            self._watcher.stop()
            self._watcher.close()
            self._watcher = self._greenlet = None

    def _heard(self) -> None:
        # Whatever else it says is for later; to hear of it once is enough.
        self._watcher.stop()
        if gone(self._sock):
            self.gone = True
            self.part()

    def part(self) -> None:
        """In the hub: end the stream of a client that has gone, unless it is not at rest."""
        if self._greenlet is not None and _rests(self._greenlet):
            self._greenlet.throw(gevent.GreenletExit())

    def _forget_the_request(self) -> None:
        """A stream lives for hours: it does not need the fields of its request any more."""
        if self._environ is not None:
            kept = {name: self._environ[name] for name in _TOLD if name in self._environ}
            self._environ.clear()
            self._environ.update(kept)
            self._environ = None
