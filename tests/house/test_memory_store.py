"""The store that the house's tests stand on keeps lists as the real one does."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from fairbones.house.ports import Wanted
from fairbones.store.sqlite import SqliteStore
from tests.house.memory_store import MemoryStore
from tests.store.story import listing, match_id, opening, standing, step


def test_both_stores_list_the_same(seed: random.Random, tmp_path: Path) -> None:
    memory, file = MemoryStore(), SqliteStore(tmp_path / "fairbones.db")
    for number in range(1, 30):
        told = listing(seed.choice(["block", "draw"]), seed.randrange(4))
        new = replace(opening(number), listing=told if seed.random() < 0.9 else None)
        moved = standing(seed.choice(["joining", "ended"]))
        for store in (memory, file):
            store.create(new)
            store.append(match_id(number), step(1), None, moved)
    for _ in range(60):
        wanted = Wanted(
            seed.randint(1, 9),
            seed.choice([None, "joining", "ended"]),
            seed.choice([None, "block", "draw"]),
            seed.choice([None, 1]),
            seed.choice([None, match_id(seed.randint(1, 31))]),
        )
        assert memory.listed(wanted) == file.listed(wanted), wanted
    file.close()
