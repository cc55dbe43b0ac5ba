"""Why a client stops (SPEC 10): a lie of the house, an admission, or that it cannot go on."""

from __future__ import annotations

from typing import Any


class Lie(Exception):
    """An obligation of SPEC 10 is not met.

    obligation: "C1" to "C13". said: one sentence. seq: the event it is about, where there is one.
    code: the check of spec/codes.md that failed, where one did.
    """

    def __init__(
        self, obligation: str, said: str, seq: int | None = None, code: str | None = None
    ) -> None:
        super().__init__(said)
        self.obligation, self.said, self.seq, self.code = obligation, said, seq, code

    def __str__(self) -> str:
        return f"{self.said} (SPEC 10, {self.obligation})"


class HistoryLost(Exception):
    """The match is void, and the house says itself why: it lost what it had signed (SPEC 8.7).

    seq: the event that says so. head: the last that was seen before.
    """

    def __init__(self, seq: int, head: int) -> None:
        self.seq, self.head = seq, head
        gone = f"events {seq} to {head} are" if head > seq else f"event {seq} is"
        what = f"{gone} lost to it" if head >= seq else "it lost what it had signed"
        super().__init__(f"The house says that {what}, and calls the match off")


class NoGame(Exception):
    """There is nothing here to play or to follow: a draw, or no such seat."""


class SeatTaken(Exception):
    """The seat is somebody else's, and nothing that this client said was taken for it."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is taken by another")


class Gap(Exception):
    """An answer is ahead of the events that are known: fetch those after `after` first."""

    def __init__(self, after: int) -> None:
        super().__init__(f"events after {after} are not known yet")
        self.after = after


class Refused(Exception):
    """The house refused a request: its problem code and what it said.

    data: the answer as it came. told: the object that it is, {} if it is none.
    """

    def __init__(
        self, status: int, code: str, detail: str, told: dict[str, Any], data: bytes
    ) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status, self.code, self.told, self.data = status, code, told, data


class Unreachable(Exception):
    """No answer that can be read, however often it was asked for."""
