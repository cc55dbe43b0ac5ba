"""The service itself: where things are, whether it lives, and its own description."""

from __future__ import annotations

from flask import Response

from fairbones import __version__
from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import NO_STORE, REVALIDATE, answer, encoded
from fairbones.api.codes import CODES
from fairbones.api.front import front
from fairbones.api.operation import Gives, operation
from fairbones.api.resource import Resource
from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.encoding import PROTOCOL

resource = Resource("service", "The service itself.")

_EXPOSITION = "text/plain; version=0.0.4; charset=utf-8"
_SOME_NUMBERS = """\
# HELP fairbones_openings_total Matches opened.
# TYPE fairbones_openings_total counter
fairbones_openings_total 12.0
"""
_INDEX = encoded(
    {
        "service": "fairbones",
        "version": __version__,
        "protocol": PROTOCOL,
        "links": {
            "description": "/openapi.yaml",
            "rulesets": "/v1/rulesets",
            "matches": "/v1/matches",
            "open": "/v1/matches",
            "match": "/v1/matches/{id}",
            "keys": "/v1/keys",
            "ready": "/readyz",
        },
    }
)


@resource.get("/")
@operation("getIndex", {200: Gives("Links.", "Index", ["index"])})
@callers(PUBLIC)
def index() -> Response:
    """Find your way

    What this is, and where to go on. `open` takes a POST; write the id of a match for the `{id}` of
    `match`.

    What breaks HTTP itself is refused before any address is looked at. `fairbones serve` answers
    it with a problem too, `request/malformed`, and closes the connection. Its status is 400, or the
    number that HTTP has for it: 414, 417, 431, 501. A proxy before it may answer in its own words.
    """
    return answer(_INDEX, cache=REVALIDATE)


@resource.get("/livez")
@operation("getLiveness", {200: Gives("The process answers.", "Health", ["alive"])})
@callers(PUBLIC)
def livez() -> Response:
    """Does the process answer?

    It asks nobody else: restart the process when this fails.
    """
    return answer(b'{"status":"alive"}')


@resource.get("/readyz")
@operation(
    "getReadiness",
    {200: Gives("The store answers and the keys fit.", "Health", ["ready"])},
    problems=["service/not-ready"],
)
@callers(PUBLIC)
def readyz() -> Response:
    """Can it serve matches?

    Send no requests here while this fails. `because` is the code of the reason: of the store, of
    the keys, or `service/stopping`. A store that had no room for a request is not ready for some
    seconds, or until it takes another, even when it can still be read.
    """
    at = front()
    if at.stopping:
        raise _not_ready("service/stopping")
    try:
        at.house.ready()
    except FairbonesError as error:
        raise _not_ready(error.code) from None
    trouble = at.readiness.trouble
    if trouble is not None:
        raise _not_ready(trouble)
    return answer(b'{"status":"ready"}')


def _not_ready(code: str) -> FairbonesError:
    """Why, in the words of the table: those of the error may name files and servers."""
    row = CODES.get(code) or CODES["service/not-ready"]
    return FairbonesError("service/not-ready", row.cause, because=code)


@resource.get("/metrics")
@operation(
    "getMetrics",
    {200: Gives("All numbers, in text format 0.0.4.", texts={"text/plain": _SOME_NUMBERS})},
)
@callers(PUBLIC)
def metrics() -> Response:
    """How is it doing?

    Numbers for Prometheus, of all processes on this machine together: requests, appends, waiting
    readers, refusals. None is about a match or a person, but they are the operator's business: a
    proxy in front should keep this address to itself.
    """
    made = Response(front().ops.meter.exposition(), content_type=_EXPOSITION)
    made.headers["Cache-Control"] = NO_STORE
    return made


@resource.get("/openapi.yaml")
@operation(
    "getDescription",
    {200: Gives("This description.", media_type="application/yaml")},
)
@callers(PUBLIC)
def description() -> Response:
    """Read this description

    OpenAPI 3.1, the same text as `openapi.yaml` of the source.
    """
    # Not above: what is described there is also this very file.
    from fairbones.api.openapi import served_text

    made = Response(served_text(), mimetype="application/yaml")
    made.headers["Cache-Control"] = "public, max-age=300"
    return made
