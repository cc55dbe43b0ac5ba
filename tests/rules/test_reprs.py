"""What a failing test shows of a line and of a play."""

from __future__ import annotations

import pytest

from fairbones.core.rules import Play
from fairbones.core.rules.lines import EMPTY


@pytest.mark.parametrize("counts", [True, False])
def test_a_line_shows_its_ends(counts: bool) -> None:
    line = EMPTY[counts, "none"].after(Play(25, None).code)
    assert line is not None
    assert repr(line).startswith(f"{type(line).__name__}({line.ends!r}")


def test_a_play_shows_what_it_was_made_from() -> None:
    assert repr(Play(25, "left", 5)) == "Play(tile=25, end='left', claim=5)"
