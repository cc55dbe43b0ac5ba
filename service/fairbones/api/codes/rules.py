"""What the rules of play refuse."""

from __future__ import annotations

from fairbones.api.codes.row import Row

RULES = (
    Row(
        "action/shape",
        422,
        "Not an action",
        "The action is not one of play, draw, decline and pass, or has other fields.",
        "Echo one of `legal_actions` from your view.",
    ),
    Row(
        "tile/text",
        422,
        "Not a tile",
        'A tile is two numbers joined by a hyphen, like "6-4".',
        "Write the tile as your view shows it.",
    ),
    Row(
        "rules/hand-over",
        409,
        "The hand is over",
        "The hand has ended and the next is not dealt.",
        "Wait for the event `dealt`.",
    ),
    Row(
        "rules/not-your-turn",
        409,
        "Not your turn",
        "Another seat is on turn; `turn` names it.",
        "Wait for events until your view lists legal actions.",
    ),
    Row(
        "rules/not-in-hand",
        422,
        "Not your tile",
        "The seat does not hold this tile.",
        "Echo one of `legal_actions` from your view.",
    ),
    Row(
        "rules/not-listed",
        422,
        "Not a legal action",
        "The action is not among the legal ones.",
        "Echo one of `legal_actions` from your view.",
    ),
    Row(
        "rules/must-set",
        422,
        "Another tile leads",
        "The first tile of hand 1 is fixed; `tile` names it.",
        "Set that tile.",
    ),
    Row(
        "rules/end-not-allowed",
        422,
        "The first tile has no end",
        "The line is empty, so there is no end to play at.",
        "Leave `end` out.",
    ),
    Row(
        "rules/end-needed",
        422,
        "No end named",
        "The line has two ends and the action names none.",
        "Name one of `ends`.",
    ),
    Row(
        "rules/unknown-end",
        422,
        "No such end",
        "The line has no end of that name.",
        "Name one of `ends`.",
    ),
    Row(
        "rules/does-not-fit",
        422,
        "The tile does not fit",
        "No half of the tile equals the value of the end.",
        "Choose a tile or an end that matches.",
    ),
    Row(
        "rules/must-play",
        422,
        "A tile fits",
        "Who holds a tile that fits must play it.",
        "Play one of the tiles in `legal_actions`.",
    ),
    Row(
        "rules/must-draw",
        422,
        "Draw first",
        "No tile fits and the boneyard can be drawn from.",
        "Draw.",
    ),
    Row(
        "rules/may-not-draw",
        422,
        "Nothing to draw",
        "The ruleset has no drawing, or no tile is left to draw.",
        "Pass.",
    ),
    Row(
        "rules/may-not-decline",
        422,
        "Nothing to decline",
        "Only a tile drawn in this turn that fits may be declined, where the options allow it.",
        "Echo one of `legal_actions` from your view.",
    ),
)
