"""The house's public keys."""

from __future__ import annotations

from flask import Response

from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import REVALIDATE, answer, encoded
from fairbones.api.front import front
from fairbones.api.operation import Gives, operation
from fairbones.api.resource import Resource

resource = Resource("keys", "Who signs.")


@resource.get("/v1/keys")
@operation("listKeys", {200: Gives("Every receipt key, newest first.", "Keys", ["keys"])})
@callers(PUBLIC)
def list_keys() -> Response:
    """List the house's keys

    The public keys that receipts are signed with. Pin them once, from a source you trust: a key
    that comes with a transcript proves nothing.
    """
    return answer(encoded({"keys": list(front().house.keys())}), cache=REVALIDATE)
