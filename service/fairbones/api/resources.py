"""All resources, in the order in which the description shows them."""

from __future__ import annotations

from fairbones.api import actions, events, keys, matches, rulesets, seats, service, transcripts

RESOURCES = (
    rulesets.resource,
    matches.resource,
    seats.resource,
    actions.resource,
    events.resource,
    transcripts.resource,
    keys.resource,
    service.resource,
)
