"""Actions and lines as text (SPEC R11), actions as JSON (SPEC R6)."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core import bones
from fairbones.core.errors import Unreadable
from fairbones.core.rules import (
    Action,
    Call,
    Decline,
    Draw,
    Give,
    GiveAt,
    Pass,
    Play,
    action_from_json,
    action_to_json,
    parse_action,
    parse_line,
    write_action,
    write_line,
)
from fairbones.core.rules.actions import END_NAMES

tiles = st.sampled_from(bones.set_tiles(18))
plays = st.builds(
    Play, tiles, st.sampled_from([None, *END_NAMES]), st.none() | st.integers(1, 9999)
)
bare = st.sampled_from([Draw(), Pass(), Decline(), Call()])
actions = st.one_of(plays, bare, st.builds(Give, tiles))
PLACE = {tile: 189 - tile for tile in range(190)}


@given(actions)
def test_there_and_back(action: Action) -> None:
    """What is listed can be sent as it stands; a gift is sent by the place of its seal."""
    sent = action_from_json(action_to_json(action, PLACE))
    if isinstance(action, Give):
        assert sent == GiveAt(PLACE[action.tile])
    else:
        assert sent == action


@given(actions)
def test_text_there_and_back(action: Action) -> None:
    """SPEC R11: "Every tile, action and line has one text form"."""
    assert parse_action(write_action(action)) == action


@given(st.lists(st.tuples(st.integers(0, 7), plays)))
def test_a_line_there_and_back(line: list[tuple[int, Play]]) -> None:
    """SPEC R11: "A line is its plays in order, each `seat:play`, joined by one space"."""
    assert parse_line(write_line(line)) == tuple(line)


@given(st.text(alphabet="0123456789-:@+ adefgiklprtuvw", max_size=24))
def test_no_text_has_two_meanings_and_none_breaks_the_reader(written: str) -> None:
    """What can be read is what would be written; everything else is refused by name."""
    with suppress(Unreadable):
        assert write_action(parse_action(written)) == written
    with suppress(Unreadable):
        assert write_line(parse_line(written)) == written


def test_text_forms() -> None:
    """The example of R11."""
    line = ((0, "4-1", None, None), (1, "1-1", "right", None), (2, "4-4", "left", 10))
    told = [(seat, Play(bones.parse(tile), end, claim)) for seat, tile, end, claim in line]
    assert write_line(told) == "0:4-1 1:1-1@right 2:4-4@left+10"
    assert write_line([]) == ""
    assert write_action(Give(bones.parse("6-4"))) == "give 6-4"


@pytest.mark.parametrize(
    "written",
    ["", "6-4@", "4-6", "6-4@middle", "6-4+0", "6-4+01", "06-4", "give", "give 4-6", "Draw", "6-4 ",
     "20-1", "6-4@left+10+5", "draw@left"],
)  # fmt: skip
def test_other_texts_are_refused(written: str) -> None:
    """Numbers have no leading zeros, the high half comes first."""
    with pytest.raises(Unreadable):
        parse_action(written)


def test_forms() -> None:
    """Tiles are written high half first; a first tile has no end."""
    play = {"type": "play", "tile": "6-4", "end": "left"}
    assert action_to_json(Play(bones.parse("6-4"), "left"), PLACE) == play
    assert action_from_json(play | {"tile": "4-6"}) == Play(bones.parse("6-4"), "left")
    assert action_to_json(Play(bones.parse("6-4"), None), PLACE) == {"type": "play", "tile": "6-4"}
    assert action_to_json(Draw(), PLACE) == {"type": "draw"}
    assert action_to_json(Pass(), PLACE) == {"type": "pass"}
    assert action_to_json(Decline(), PLACE) == {"type": "decline"}
    assert action_to_json(Call(), PLACE) == {"type": "call"}
    assert action_to_json(Give(3), PLACE) == {"type": "give", "seal": 186}
    claimed = Play(bones.parse("6-4"), "up", 10)
    assert action_to_json(claimed, PLACE) == play | {"end": "up", "claim": 10}


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
        {"type": "play", "tile": "6-4", "claim": 0},
        {"type": "play", "tile": "6-4", "claim": "5"},
        {"type": "play", "tile": "6-4", "claim": True},
        {"type": "play", "tile": "6-4", "points": 5},
        {"type": "give", "tile": "6-4"},
        {"type": "give"},
        {"type": "give", "seal": -1},
        {"type": "give", "seal": "3"},
        {"type": "call", "seat": 1},
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
