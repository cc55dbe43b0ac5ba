"""What clients were told, kept for the judgement; and a client that asks until it is answered."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable

from tests.faults.service import Service
from tests.hostile.judging import PROBLEM
from tests.hostile.wire import Answer, Json, Request

# Refusals of a request that something came before; the player looks again.
OVERTAKEN = frozenset({"match/stale", "match/late", "match/over", "match/void"})
PATIENCE_SECONDS = 30.0


class Ledger:
    """All that was acknowledged: by match, each event and each receipt that an answer carried."""

    def __init__(self) -> None:
        self.events: dict[str, dict[int, Json]] = defaultdict(dict)
        self.receipts: dict[str, list[Json]] = defaultdict(list)
        self.figures: Counter[str] = Counter()
        self._guard = threading.Lock()

    def note(self, answer: Answer) -> None:
        """Keep what this answer shows. An event that was shown before is the same again."""
        told = answer.told()
        shown = [*told.get("events", []), *([told["event"]] if "event" in told else [])]
        with self._guard:
            for event in shown:
                known = self.events[event["match"]].setdefault(event["seq"], event)
                assert known == event, f"two events {event['seq']} of {event['match']}"
            if "receipt" in told:
                kept = self.receipts[told["receipt"]["match"]]
                if told["receipt"] not in kept:
                    kept.append(told["receipt"])

    def count(self, what: str, number: int = 1) -> None:
        """One more of these."""
        with self._guard:
            self.figures[what] += number


class Client:
    """Sends a request until it is answered: the same bytes again, whatever happened (SPEC 8.2).

    `mend` is called when no answer comes, to start again what has died.
    """

    def __init__(self, service: Service, ledger: Ledger, mend: Callable[[], None]) -> None:
        self.service = service
        self.ledger = ledger
        self._mend = mend

    def ask(self, request: Request) -> Answer:
        """The first answer that is not 503, kept in the ledger."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                answer = self.once(request)
            except OSError:
                self.ledger.count("requests without an answer")
                self._mend()
            else:
                if answer.status != 503:
                    return answer
                self.ledger.count(f"answered 503 {answer.code}")
            assert time.monotonic() < deadline, f"no answer to {request.method} {request.path}"
            time.sleep(0.02)

    def once(self, request: Request) -> Answer:
        """One try. OSError when no answer comes; a refusal has the one shape (RFC 9457)."""
        answer = self.service.send(request)
        assert answer.status != 500, self.service.incidents()
        if answer.status >= 400:
            problem(answer)
        self.ledger.note(answer)
        return answer


def problem(answer: Answer, code: str | None = None) -> Json:
    """A refusal, in its shape; nothing of the inside is told."""
    told = answer.told()
    assert answer.fields["content-type"] == "application/problem+json"
    assert list(told)[:5] == PROBLEM
    assert answer.status != 503 or answer.fields["retry-after"].isdecimal()
    assert b"Traceback" not in answer.body
    assert b".py" not in answer.body
    assert code in (None, told["code"]), told
    return told


def unanswered(client: Client, request: Request) -> None:
    """Send a request that no answer comes to."""
    with contextlib.suppress(OSError):
        answer = client.once(request)
        raise AssertionError(f"answered: {answer.status} {json.dumps(answer.told())}")
