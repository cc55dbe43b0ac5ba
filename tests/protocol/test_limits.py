"""The limits as the text has them, and not what a constant says today."""

from __future__ import annotations

import pytest

from fairbones.core.protocol.encoding import Tag
from fairbones.core.protocol.shuffle import SHUFFLE_MAX, shuffle
from fairbones.core.protocol.wash import WASHED_MAX


def test_the_largest_shuffle() -> None:
    """SPEC 3: "1 <= n <= 65,536"."""
    assert SHUFFLE_MAX == 65_536
    with pytest.raises(ValueError, match="1 to 65536 things, not 65537"):
        shuffle(bytes(32), Tag.CUT_MAP, 1, 65_537)


def test_the_most_washed_things() -> None:
    """SPEC 4.4: "`R * N <= 6144`"; no set has a size that would tell it from 6143."""
    assert WASHED_MAX == 6_144
