"""The numbers of a service for Prometheus; fills `Numbers`, and `Meter` with it.

One process keeps them in a registry of its own. Many processes write them to files in the folder
that PROMETHEUS_MULTIPROC_DIR names, and whichever is asked adds them up: it has to be set before
this module is imported, since prometheus-client looks for it only then.

No label holds anything that a client has made up, so nothing grows with what is sent here.
"""

from __future__ import annotations

import os

import prometheus_client
import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from fairbones import __version__
from fairbones.core.protocol.encoding import PROTOCOL

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"))
# Seconds. An answer may wait for events for up to two minutes, an append takes a few milliseconds.
_ANSWERED_IN = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0)
_WAITED = (0.0001, 0.001, 0.01, 0.1, 1.0, 10.0)

_log = structlog.get_logger("house")

# Else every counter would be told twice, and in many processes only once.
prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """One for each application, so that tests can hold several side by side."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        self._requests = Counter(
            "fairbones_http_requests",
            "Requests answered, by the rule of their address.",
            ("rule", "method", "status"),
            registry=own,
        )
        self._seconds = Histogram(
            "fairbones_http_request_seconds",
            "Seconds until a request was answered, waiting for events and all.",
            ("rule", "method"),
            buckets=_ANSWERED_IN,
            registry=own,
        )
        self._appends = Counter("fairbones_appends", "Steps appended to matches.", registry=own)
        self._events = Counter("fairbones_events", "Events appended to matches.", registry=own)
        self._conflicts = Counter(
            "fairbones_append_conflicts",
            "Appends that came second: another process or thread had appended first.",
            registry=own,
        )
        self._lock_waits = Histogram(
            "fairbones_lock_wait_seconds",
            "Seconds that a request waited for its turn at a match.",
            buckets=_WAITED,
            registry=own,
        )
        self._readers = Gauge(
            "fairbones_waiting_readers",
            "Readers that wait for events now.",
            multiprocess_mode="livesum",
            registry=own,
        )
        self._lost = Counter(
            "fairbones_history_lost",
            "Matches whose shown head the store did not hold: restored from a backup?",
            registry=own,
        )
        self._openings = Counter("fairbones_openings", "Matches opened.", registry=own)
        self._washed = Counter(
            "fairbones_washed_tiles", "Tiles washed for matches that were opened.", registry=own
        )
        self._limited = Counter(
            "fairbones_rate_limited",
            "Requests refused because there had been too many, by the code of the refusal.",
            ("code",),
            registry=own,
        )
        self._store_errors = Counter(
            "fairbones_store_errors",
            "What the store could not do for a request, by the code of the error.",
            ("code",),
            registry=own,
        )
        # Of many processes each says the same: the highest 1 is 1.
        Gauge(
            "fairbones_build_info",
            "Always 1: which version runs and which protocol it speaks.",
            ("version", "protocol"),
            multiprocess_mode="livemax",
            registry=own,
        ).labels(__version__, PROTOCOL).set(1)
        # `labels` looks its child up under a lock; a request knows its own by these.
        self._answered: dict[tuple[str | None, str, int], tuple[Counter, Histogram]] = {}
        self._refused: dict[str, Counter] = {}
        self._failed: dict[str, Counter] = {}

    def appended(self, events: int) -> None:
        self._appends.inc()
        self._events.inc(events)

    def conflict(self) -> None:
        self._conflicts.inc()

    def lock_waited(self, seconds: float) -> None:
        self._lock_waits.observe(seconds)

    def waiting(self, readers: int) -> None:
        self._readers.inc(readers)

    def history_lost(self, match_id: bytes) -> None:
        self._lost.inc()
        _log.error("history lost", match=match_id.hex())

    def answered(self, rule: str | None, method: str, status: int, seconds: float) -> None:
        if method not in _METHODS:
            method = "other"
        known = self._answered.get((rule, method, status))
        if known is None:
            shown = rule or "unmatched"
            known = (
                self._requests.labels(shown, method, str(status)),
                self._seconds.labels(shown, method),
            )
            self._answered[rule, method, status] = known
        known[0].inc()
        known[1].observe(seconds)

    def opened(self, tiles: int) -> None:
        self._openings.inc()
        self._washed.inc(tiles)

    def limited(self, code: str) -> None:
        _child(self._refused, self._limited, code).inc()

    def store_failed(self, code: str) -> None:
        _child(self._failed, self._store_errors, code).inc()

    def exposition(self) -> bytes:
        if _FOLDER not in os.environ:
            return generate_latest(self._registry)
        # What this process holds is in the files too.
        whole = CollectorRegistry()
        MultiProcessCollector(whole)  # type: ignore[no-untyped-call]
        return generate_latest(whole)


def _child(known: dict[str, Counter], counter: Counter, code: str) -> Counter:
    found = known.get(code)
    if found is None:
        found = known[code] = counter.labels(code)
    return found
