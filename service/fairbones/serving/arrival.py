"""How much of what a client has sent is its next request: the framing of HTTP/1.1, nothing else.

gunicorn checks and parses a request; this only finds its end, so that no thread has to wait for
it. Where the two could disagree nothing is lost: a thread sees the bytes up to `Arrival.end` and
then the end of the connection, so whatever gunicorn would read on for is given up at once.
"""

from __future__ import annotations

import re
from enum import Enum, auto

# All the fields of a head together; each has a limit of its own in gunicorn.
HEAD_BYTES = 16_384
# The line before a chunk, with the extensions nobody uses.
_CHUNK_LINE_BYTES = 256
_CHUNK_LINE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?")
# A length of more digits is a length above every limit.
_LENGTH_DIGITS = 18


class State(Enum):
    """What to do with a connection that has sent something."""

    MORE = auto()
    READY = auto()
    HEAD_TOO_LARGE = auto()
    BODY_TOO_LARGE = auto()


class Arrival:
    """One request on its way. `look` is asked again whenever there is more; it never goes back
    over what it has seen, so a client that sends byte by byte costs no more than another.
    """

    __slots__ = (
        "_body_max",
        "_chunks",
        "_decoded",
        "_line_max",
        "_raw_max",
        "_scanned",
        "_start",
        "end",
        "expects",
        "whole",
    )

    def __init__(self, body_max: int, line_max: int) -> None:
        self._body_max = body_max
        self._line_max = line_max
        self._scanned = 0
        # Where the next chunk begins, once the head has said that there are chunks.
        self._chunks: int | None = None
        self._decoded = 0
        self._start = 0
        self._raw_max = 0
        # Where the request ends: 0 until that is known.
        self.end = 0
        # Whether the request ends there for certain. After any other the connection cannot go on.
        self.whole = False
        # Whether the client waits to be told that its body is welcome.
        self.expects = False

    def look(self, data: bytearray) -> State:
        """`data`: everything the client has sent since the last request."""
        if self._chunks is not None:
            return self._look_at_chunks(data)
        if not self.end:
            return self._look_at_head(data)
        return self._ready() if len(data) >= self.end else State.MORE

    def _look_at_head(self, data: bytearray) -> State:
        # An empty line before a request is ignored, by gunicorn too; but only one.
        start = 2 if data[:2] == b"\r\n" else 0
        head_end = data.find(b"\r\n\r\n", max(start, self._scanned - 3))
        self._scanned = len(data)
        line_end = data.find(b"\r\n", start)
        line = (line_end if line_end >= 0 else len(data) - 2) - start
        if line > self._line_max:
            return self._refusable(data)
        if (head_end + 4 if head_end >= 0 else len(data)) > HEAD_BYTES:
            return State.HEAD_TOO_LARGE
        if head_end < 0:
            # A line that ends in another way is refused now rather than waited on.
            bare = data.count(b"\n") != data.count(b"\r\n")
            return self._refusable(data) if bare else State.MORE
        return self._framed(data, bytes(data[start:head_end]), head_end + 4)

    def _framed(self, data: bytearray, head: bytes, body: int) -> State:
        """The head is here: how long is the body?"""
        request_line, *lines = head.split(b"\r\n")
        fields: dict[bytes, list[bytes]] = {}
        for line in lines:
            name, _, value = line.partition(b":")
            fields.setdefault(name.lower(), []).append(value.strip(b" \t").lower())
        lengths = fields.get(b"content-length", [])
        codings = b",".join(fields.get(b"transfer-encoding", []))
        self.expects = request_line.endswith(b"HTTP/1.1") and fields.get(b"expect") == [
            b"100-continue"
        ]
        if codings:
            if lengths or codings.rpartition(b",")[2].strip(b" \t") != b"chunked":
                return self._refusable(data)
            self._start = self._chunks = body
            # Chunks of one byte each cost six; nobody who means well sends many of those.
            self._raw_max = 2 * self._body_max + HEAD_BYTES
            return self._look_at_chunks(data)
        if not lengths:
            self.end = body
            return self._ready()
        if len(lengths) > 1 or not lengths[0].isdigit():
            return self._refusable(data)
        length = int(lengths[0]) if len(lengths[0]) <= _LENGTH_DIGITS else self._body_max + 1
        if length > self._body_max:
            # The app refuses it by its length alone; the body is never read.
            self.end = body
            return State.READY
        self.end = body + length
        return self._ready() if len(data) >= self.end else State.MORE

    def _look_at_chunks(self, data: bytearray) -> State:
        assert self._chunks is not None
        while True:
            here = self._chunks
            line_end = data.find(b"\r\n", here, here + _CHUNK_LINE_BYTES)
            if line_end < 0:
                too_long = len(data) - here >= _CHUNK_LINE_BYTES
                return self._refusable(data) if too_long else self._more_chunks(data)
            found = _CHUNK_LINE.fullmatch(data[here:line_end])
            if found is None:
                return self._refusable(data)
            size = int(found[1], 16)
            if size == 0:
                return self._look_at_trailers(data, line_end)
            if self._decoded + size > self._body_max:
                return State.BODY_TOO_LARGE
            after = line_end + 2 + size
            if len(data) < after + 2:
                return self._more_chunks(data)
            if data[after : after + 2] != b"\r\n":
                return self._refusable(data)
            self._decoded += size
            self._chunks = after + 2

    def _look_at_trailers(self, data: bytearray, line_end: int) -> State:
        if data[line_end + 2 : line_end + 4] == b"\r\n":
            self.end = line_end + 4
            return self._ready()
        last = data.find(b"\r\n\r\n", line_end + 2, line_end + 2 + HEAD_BYTES)
        if last >= 0:
            self.end = last + 4
            return self._ready()
        if len(data) - line_end > HEAD_BYTES:
            return State.HEAD_TOO_LARGE
        return self._more_chunks(data)

    def _more_chunks(self, data: bytearray) -> State:
        return State.BODY_TOO_LARGE if len(data) - self._start > self._raw_max else State.MORE

    def _ready(self) -> State:
        self.whole = True
        return State.READY

    def _refusable(self, data: bytearray) -> State:
        """gunicorn says what is wrong with it."""
        self.end = len(data)
        return State.READY
