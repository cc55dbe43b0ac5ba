"""The rulesets that matches can be opened with."""

from __future__ import annotations

from flask import Response

from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import answer, encoded
from fairbones.api.front import front
from fairbones.api.operation import Gives, operation
from fairbones.api.resource import Resource

resource = Resource("rulesets", "What can be played.")

# They change with a release of the service only.
_CACHED = "public, max-age=300"

_RULESET_ID: dict[str, object] = {
    "in": "path",
    "name": "ruleset_id",
    "required": True,
    "description": "The id of the ruleset.",
    "schema": {"type": "string"},
    "example": "block",
}


@resource.get("/v1/rulesets")
@operation("listRulesets", {200: Gives("Every ruleset.", "Rulesets", ["rulesets"])})
@callers(PUBLIC)
def list_rulesets() -> Response:
    """List the rulesets

    Every ruleset with its options: allowed values, defaults, meanings, the limits that join
    options, and a paragraph a player can read.
    """
    return answer(encoded({"rulesets": list(front().house.rulesets())}), cache=_CACHED)


@resource.get("/v1/rulesets/<ruleset_id>", _RULESET_ID)
@operation(
    "getRuleset",
    {200: Gives("The ruleset.", "Ruleset", ["ruleset"])},
    problems=["ruleset/unknown"],
)
@callers(PUBLIC)
def get_ruleset(ruleset_id: str) -> Response:
    """Read one ruleset

    The same object as in the list.
    """
    return answer(encoded(front().house.ruleset(ruleset_id)), cache=_CACHED)
