"""Group commit: whatever waits to be written goes to the disk in one transaction.

Who finds nobody writing writes at once and waits for no one. Who comes meanwhile waits; when the
writer is done it tells those it wrote for, and the first that waits writes for all that do. So a
commit costs one wait for the disk, however many it is for, and a lone write costs what it did.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeVar, cast

from fairbones.core.errors import FairbonesError

# How long a write waits for its turn.
QUEUE_SECONDS = 15.0
# More would make the first of them wait for the last for no gain: the disk is waited for once.
TOGETHER_MAX = 256

T = TypeVar("T")
# What to do in the transaction. It may be called again, after all it did was undone. It looks
# before it writes: what it raises as an answer (`SeqTaken`, a conflict) comes before its first row.
Job = Callable[[sqlite3.Connection], T]


# What came of a write that nobody told anything of: whoever wrote for it was stopped.
_UNTOLD = BaseException("not told")


class Ticket:
    """One write, and what came of it once it had its turn."""

    __slots__ = ("_error", "_result", "job", "leads", "turn")

    def __init__(self, job: Job[object]) -> None:
        self.job = job
        self.leads = False
        # Held until this write is done, or until its thread is to write for all.
        self.turn = threading.Lock()
        self.turn.acquire()
        self._result: object = None
        self._error: BaseException | None = _UNTOLD

    def succeed(self, result: object) -> None:
        """It is written, as far as the commit goes."""
        self._result, self._error = result, None

    def fail(self, error: BaseException) -> None:
        """It is not; the error is for its thread alone."""
        self._error = error

    def untell(self) -> None:
        """What was written was undone, and may be written again."""
        self._error = _UNTOLD

    def outcome(self) -> object:
        """What its thread is told: what the job returned, or the error raised."""
        if self._error is None:
            return self._result
        raise closed() if self._error is _UNTOLD else self._error


class Queue:
    """Whose turn it is to write. `commit` writes these, and tells each what came of it."""

    def __init__(self, commit: Callable[[list[Ticket]], None], name: str) -> None:
        self._commit = commit
        self._name = name
        self._guard = threading.Lock()
        self._idle = threading.Condition(self._guard)
        self._waiting: deque[Ticket] = deque()
        self._writing = False
        self._closed = False

    def write(self, job: Job[T]) -> T:
        """What the job returned, once that is durable; or what it, or the commit, raised.

        Raises `FairbonesError`: `store/busy`, `store/closed`; then it was not tried.
        """
        ticket = Ticket(job)
        with self._guard:
            if self._closed:
                raise closed()
            leads = not self._writing
            self._writing = True
            if not leads:
                self._waiting.append(ticket)
        if leads or self._waited(ticket):
            self._lead(ticket)
        return cast("T", ticket.outcome())

    def close(self) -> None:
        """Refuse whatever waits, and wait for what is being written."""
        with self._guard:
            self._closed = True
            refused = list(self._waiting)
            self._waiting.clear()
            for ticket in refused:
                ticket.fail(closed())
                ticket.turn.release()
            while self._writing:
                self._idle.wait()

    def _waited(self, ticket: Ticket) -> bool:
        """Wait until it is written, or (True) until its thread has to write."""
        try:
            if not ticket.turn.acquire(timeout=QUEUE_SECONDS):
                if self._left(ticket):
                    raise FairbonesError(
                        "store/busy", f"too many writes wait for {self._name}; try again"
                    )
                # Its transaction has begun: only who waits for it knows how it ends.
                ticket.turn.acquire()
        except BaseException:
            # A signal: nobody may wait for a thread that is gone.
            if not self._left(ticket) and ticket.leads:
                self._hand_over()
            raise
        return ticket.leads

    def _left(self, ticket: Ticket) -> bool:
        """Whether it still waited, and does not any more."""
        with self._guard:
            try:
                self._waiting.remove(ticket)
            except ValueError:
                return False
            return True

    def _lead(self, mine: Ticket) -> None:
        with self._guard:
            tickets = [mine]
            while self._waiting and len(tickets) < TOGETHER_MAX:
                tickets.append(self._waiting.popleft())
        try:
            self._commit(tickets)
        finally:
            # Whoever writes next begins while these are still waking up.
            self._hand_over()
            for ticket in tickets[1:]:
                ticket.turn.release()

    def _hand_over(self) -> None:
        with self._guard:
            if self._waiting:
                following = self._waiting.popleft()
                following.leads = True
                following.turn.release()
            else:
                self._writing = False
                self._idle.notify_all()


def closed() -> FairbonesError:
    """What is told to who comes too late."""
    return FairbonesError("store/closed", "the service is stopping; try again")
