"""Tables to try things at."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from fairbones.core.match import Stage
from tests.match.playing import Table, open_table

Staged = Callable[[Stage], Table]


@pytest.fixture
def staged(seed: random.Random) -> Staged:
    """A match that stands at a given stage."""

    def at(stage: Stage) -> Table:
        table = open_table(seed)
        if stage is Stage.JOINING:
            table.sit(0)
        elif stage is Stage.REVEALING:
            table.seat_all().reveal(1)
        elif stage is Stage.PLAYING:
            table.deal()
        elif stage is Stage.VOID:
            table.expire()
        else:
            table.deal()
            while table.state.stage is Stage.PLAYING:
                table.act(seed.choice)
        assert table.state.stage is stage
        return table

    return at
