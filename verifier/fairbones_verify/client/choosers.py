"""Simple players: what to do, out of what is legal. Each is shown `seen.outlook`."""

from __future__ import annotations

from typing import Any, Callable

from .. import deal

Json = dict[str, Any]
Chooser = Callable[[Json], Json]


def first(view: Json) -> Json:
    """The first legal action."""
    legal: list[Json] = view["legal"]
    return legal[0]


def heaviest(view: Json) -> Json:
    """The heaviest tile that fits, at the first end that it fits (R1)."""
    plays = [one for one in view["legal"] if one["type"] == "play"]
    if not plays:
        return first(view)
    return max(plays, key=lambda one: deal.weight(deal.read(one["tile"])))


CHOOSERS: dict[str, Chooser] = {"first": first, "heaviest": heaviest}
