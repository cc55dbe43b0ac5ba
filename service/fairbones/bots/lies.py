"""Why a client stops: every reason ends its match for good."""

from __future__ import annotations


class Stopped(Exception):
    """The seat goes no further; the text is one sentence for a person."""


class Lie(Stopped):
    """The house showed something that it may not: `obligation` is the item of SPEC 10."""

    def __init__(self, obligation: str, text: str) -> None:
        super().__init__(f"{text} (SPEC {obligation})")
        self.obligation = obligation


class Void(Stopped):
    """The match was called off in public."""


class Taken(Stopped):
    """Somebody else was faster, before anything was played: no trouble."""


class Unreachable(Stopped):
    """The service does not answer, or says that it will not."""


class Problem(Unreachable):
    """An RFC 9457 answer: the service understood and refused."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(f"{status} {code}: {text}")
        self.status = status
        self.code = code
        self.text = text
