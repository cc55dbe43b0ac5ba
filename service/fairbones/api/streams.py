"""The events of a match as a stream of messages (Server-Sent Events of the HTML standard).

A message carries what a waiting request would be answered with, and the seq of the head as its id:
a client that comes back names the last id it has seen and misses nothing.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from typing import Any

from flask import Response, request

from fairbones.api.answers import REVALIDATE, listed, spliced
from fairbones.api.front import Front
from fairbones.api.parameters import AFTER
from fairbones.core.errors import FairbonesError
from fairbones.house.messages import Followed

MEDIA_TYPE = "text/event-stream"
LAST_EVENT_ID = "Last-Event-ID"
COMMENT = b":\n\n"
# When a client that lost its stream comes back: not all of them in one moment.
RETRY_MS = (1_000, 3_000)
# Without a server that says when a client has gone, a stream looks so often.
LOOK_SECONDS = 5.0
# With one it has no reason to stop waiting.
HELD_SECONDS = 600.0

# What a server may put into the environ: `HOLD(comment, seconds)` is a context in which it sends
# the comment after so many silent seconds and ends the request of a client that has gone;
# `GONE()` says whether the client has gone.
HOLD = "fairbones.hold"
GONE = "fairbones.gone"

_log = logging.getLogger("fairbones.api")

Hold = Callable[[bytes, float], contextlib.AbstractContextManager[object]]


def wanted() -> bool:
    """Whether this request asks for a stream."""
    accepted = request.headers.get("Accept")
    if accepted is None or MEDIA_TYPE not in accepted:
        return False  # nearly everybody
    return request.accept_mimetypes.best_match(("application/json", MEDIA_TYPE)) == MEDIA_TYPE


def last_seen(after: int) -> int:
    """Where a client goes on; Unreadable `request/type` or `request/range` for no such id."""
    sent = request.headers.get(LAST_EVENT_ID)
    return after if sent is None else int(AFTER.of(sent, AFTER.maximum, LAST_EVENT_ID, "header"))


def stream(at: Front, match_id: bytes, after: int) -> Response:
    """A stream of the events above `after`; 204 when there are none and never will be.

    Raises what the house does, and Busy `service/busy`, before anything is said.
    """
    followed = at.house.events(match_id, after, 0)
    if followed.over and not followed.events:
        return Response(status=204)
    with contextlib.ExitStack() as held:
        held.enter_context(at.waiting.place())
        told = _Told(at, match_id, after, request.environ)
        answer = Response(told.messages(followed), mimetype=MEDIA_TYPE)
        # Whether or not a single message gets out.
        answer.call_on_close(held.pop_all().close)
    answer.headers["Cache-Control"] = REVALIDATE
    answer.headers["X-Accel-Buffering"] = "no"
    return answer


def message(followed: Followed) -> bytes:
    """Events with the receipt of the head they lead to; their JSON has no line breaks."""
    data = spliced(events=listed(followed.events), receipt=followed.receipt)
    return b"id: %d\ndata: %b\n\n" % (followed.head_seq, data)


@dataclass(slots=True)
class _Told:
    """What one client has been told."""

    at: Front
    match_id: bytes
    after: int
    environ: dict[str, Any]

    def messages(self, followed: Followed) -> Iterator[bytes]:
        """Until the match is over, the service stops or the client has gone."""
        hold, gone = self.environ.get(HOLD), self.environ.get(GONE, _nobody_knows)
        low, high = RETRY_MS
        yield b"retry: %d\n\n" % (low + secrets.randbelow(high - low))
        try:
            while True:
                if followed.events:
                    self.after = followed.head_seq
                    yield message(followed)
                over = followed.over
                # A stream at rest keeps nothing of what it has told.
                del followed
                if over or self.at.stopping:
                    return
                if hold is not None:
                    followed = self._held(hold)
                    continue
                found = yield from self._looking(gone)
                if found is None:
                    return
                followed = found
        except FairbonesError as error:
            _log.error("a stream of events ended: %s", error.code)
        except Exception as error:  # noqa: BLE001 - there is nobody left to answer
            places = [
                f"{it.filename}:{it.lineno}" for it in traceback.extract_tb(error.__traceback__)
            ]
            _log.error(
                "a stream of events ended: %s at %s",
                type(error).__name__,
                " < ".join(reversed(places)),
            )

    def _held(self, hold: Hold) -> Followed:
        with hold(COMMENT, self.at.limits.heartbeat):
            return self.at.house.events(self.match_id, self.after, HELD_SECONDS)

    def _looking(self, gone: Callable[[], bool]) -> Generator[bytes, None, Followed | None]:
        """Wait for events, with a comment now and then; None when the client has gone."""
        heartbeat = self.at.limits.heartbeat
        spoken = time.monotonic()
        while True:
            left = heartbeat - (time.monotonic() - spoken)
            followed = self.at.house.events(self.match_id, self.after, min(LOOK_SECONDS, left))
            if gone():
                return None
            if followed.events or followed.over or self.at.stopping:
                return followed
            if time.monotonic() - spoken >= heartbeat:
                yield COMMENT
                spoken = time.monotonic()


def _nobody_knows() -> bool:
    return False
