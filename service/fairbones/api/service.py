"""The service itself: where things are, whether it lives, and its own description."""

from __future__ import annotations

from flask import Response

from fairbones import __version__
from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import REVALIDATE, answer, encoded
from fairbones.api.front import front
from fairbones.api.operation import Gives, operation
from fairbones.api.resource import Resource
from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.encoding import PROTOCOL

resource = Resource("service", "The service itself.")

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

    Send no requests here while this fails.
    """
    try:
        front().house.ready()
    except FairbonesError as error:
        raise FairbonesError("service/not-ready", "Try again soon.", because=error.code) from None
    return answer(b'{"status":"ready"}')


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
