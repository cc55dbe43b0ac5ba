"""The evidence: everything a verifier needs, in the bytes that were hashed."""

from __future__ import annotations

from flask import Response

from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import REVALIDATE, answer
from fairbones.api.front import front
from fairbones.api.operation import Gives, operation
from fairbones.api.paths import MATCH_ID
from fairbones.api.resource import Resource

resource = Resource("transcripts", "The evidence to verify.")


@resource.get("/v1/matches/<match_id>/transcript", MATCH_ID)
@operation(
    "getTranscript",
    {200: Gives("The transcript in canonical form: save it as is.", "Transcript", ["transcript"])},
    problems=["match/unknown"],
)
@callers(PUBLIC)
def get_transcript(match_id: bytes) -> Response:
    """Fetch the transcript

    All events, the receipt of the last one and the house's public keys (SPEC 6.6). It is valid in
    the middle of a match: finished hands verify at once. A program that reformats it makes it
    unreadable for verifiers.
    """
    return answer(front().house.transcript(match_id), cache=REVALIDATE)
