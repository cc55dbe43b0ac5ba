"""A service, those who play there, and the judgement of all of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from fairbones.house.ports import Store
from fairbones.store.redis import open_redis
from fairbones.store.sqlite import SqliteStore
from tests.faults.judging import judge, kept
from tests.faults.ledger import Client, Ledger
from tests.faults.players import Clock, Game
from tests.faults.service import Service
from tests.hostile.wire import Request


@dataclass
class Hall:
    """A service that is started again when it dies, and everything that is played there."""

    service: Service
    ledger: Ledger = field(default_factory=Ledger)
    games: list[Game] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client = Client(self.service, self.ledger, self.service.revive)
        self.clock = Clock(self.client)

    def open(self, request: Request, signed: tuple[int, ...] = ()) -> Game:
        """A match that is judged at the end."""
        game = Game(self.client, request, signed)
        self.games.append(game)
        return game

    def deal(self, request: Request, signed: tuple[int, ...] = ()) -> Game:
        """The same, with everybody seated and the first hand dealt."""
        game = self.open(request, signed)
        game.deal()
        return game

    def finish(self, game: Game) -> None:
        """To the end, whatever became of it."""
        for _ in game.steps(random.Random(game.match), self.clock):
            pass

    @contextmanager
    def store(self) -> Iterator[Store]:
        """What the service has left behind, seen without it."""
        url = self.service.store
        made = open_redis(url) if url else SqliteStore(self.service.data / "fairbones.db")
        with closing(made):
            yield made

    def judge(self) -> Counter[str]:
        """Everything acknowledged is there, in the service and in what it leaves behind."""
        figures = judge(self.ledger, self.games)
        figures.update(self.ledger.figures)
        code = self.service.stop()
        assert code == 0, (code, self.service.log.read_text("utf-8")[-2000:])
        incidents = self.service.incidents()
        assert not incidents, incidents
        with self.store() as store:
            figures.update(kept(self.ledger, store, self.games))
        return figures
