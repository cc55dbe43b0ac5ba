"""One tree of errors: what went wrong has a stable code and a sentence that says what to do."""

from __future__ import annotations


class FairbonesError(Exception):
    """The root. `code` is `family/name` and never changes its meaning; `details` are JSON-ready."""

    code: str
    message: str
    details: dict[str, object]

    def __init__(self, code: str, message: str, /, **details: object) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.details = details

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class Unreadable(FairbonesError):
    """The input has not the shape that is asked for; nothing was judged."""


class Illegal(FairbonesError):
    """Well-formed, but a rule of the game or of the protocol forbids it."""


class Stale(FairbonesError):
    """It was meant for a state that has passed: look again, then decide again."""


class Conflict(FairbonesError):
    """It contradicts something already done, which is never replaced."""


class Forbidden(FairbonesError):
    """Who asks has not the right to it."""


class Missing(FairbonesError):
    """There is no such thing."""
