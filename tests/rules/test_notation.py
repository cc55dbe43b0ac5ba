"""Actions as JSON (SPEC R6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core import bones
from fairbones.core.errors import Unreadable
from fairbones.core.rules import Decline, Draw, Pass, Play, action_from_json, action_to_json

plays = st.builds(
    Play, st.sampled_from(bones.set_tiles(18)), st.sampled_from([None, "left", "right"])
)
actions = st.one_of(plays, st.just(Draw()), st.just(Pass()), st.just(Decline()))


@given(actions)
def test_there_and_back(action: Play | Draw | Pass | Decline) -> None:
    """What is listed can be sent as it stands."""
    assert action_from_json(action_to_json(action)) == action


def test_forms() -> None:
    """Tiles are written high half first; a first tile has no end."""
    play = {"type": "play", "tile": "6-4", "end": "left"}
    assert action_to_json(Play(bones.parse("6-4"), "left")) == play
    assert action_from_json(play | {"tile": "4-6"}) == Play(bones.parse("6-4"), "left")
    assert action_to_json(Play(bones.parse("6-4"), None)) == {"type": "play", "tile": "6-4"}
    assert action_to_json(Draw()) == {"type": "draw"}
    assert action_to_json(Pass()) == {"type": "pass"}
    assert action_to_json(Decline()) == {"type": "decline"}


@pytest.mark.parametrize(
    "written",
    [
        None,
        "draw",
        [],
        {},
        {"type": None},
        {"type": ["draw"]},
        {"type": "knock"},
        {"type": "Draw"},
        {"type": "draw", "tile": "6-4"},
        {"type": "pass", "reason": "none"},
        {"type": "play"},
        {"type": "play", "end": "left"},
        {"type": "play", "tile": 25},
        {"type": "play", "tile": ["6-4"]},
        {"type": "play", "tile": "6-4", "end": None},
        {"type": "play", "tile": "6-4", "end": 0},
        {"type": "play", "tile": "6-4", "claim": 5},
        {"tile": "6-4", "end": "left"},
    ],
)
def test_other_shapes_are_refused(written: object) -> None:
    """An unknown type or field is refused, never ignored."""
    with pytest.raises(Unreadable) as caught:
        action_from_json(written)
    assert caught.value.code == "action/shape"


def test_tile_text_has_its_own_code() -> None:
    """A well-shaped play of no tile."""
    with pytest.raises(Unreadable) as caught:
        action_from_json({"type": "play", "tile": "64"})
    assert caught.value.code == "tile/text"
