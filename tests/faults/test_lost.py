"""Redis loses what it had answered: the house says so in public and never plays on (SPEC 8.7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairbones_verify import verify
from tests.faults.asking import act, same
from tests.faults.hall import Hall
from tests.faults.judging import verified
from tests.faults.ledger import Client, Ledger, problem
from tests.faults.players import Game
from tests.faults.service import running
from tests.hostile.wire import Json, Request
from tests.servers import Config, Server, redis_server

HALF_A_COMMAND = b"*3\r\n$3\r\nSET\r\n$9\r\nfb:half"


@dataclass
class Losing:
    """A hall on a Redis whose power can be cut."""

    hall: Hall
    redis: Server

    def written(self) -> int:
        """How long the file of its appends is."""
        return self._file().stat().st_size

    def cut(self, size: int) -> None:
        """The power goes, and of the file only so much was on the disk, and half a command."""
        self.redis.kill()
        with self._file().open("r+b") as file:
            file.truncate(size)
            file.seek(size)
            file.write(HALF_A_COMMAND)
        self.redis.start()

    def _file(self) -> Path:
        (found,) = (self.redis.folder / "appendonlydir").glob("*.incr.aof")
        return found


@pytest.fixture(scope="module")
def losing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Losing]:
    """A Valkey that flushes every second, as many are run, and a service with one worker."""
    with (
        redis_server("valkey", Config(appendfsync="everysec")) as redis,
        running(
            tmp_path_factory.mktemp("losing"), STORE=redis.url, WORKERS=1, SWEEP=0, GRACE=2
        ) as service,
    ):
        yield Losing(Hall(service), redis)


@dataclass
class Gone:
    """A match whose last event was answered and is gone. `head` is what is left; `request` and
    `receipt` are of what is not, and `shown` is all that was told before.
    """

    game: Game
    head: int
    request: Request
    receipt: Json
    shown: Ledger

    def said(self) -> None:
        """The match is void by the one event after what is left, which carries the receipt."""
        events = self.game.events()
        assert len(events) == self.head + 2
        shown = self.shown.events[self.game.match]
        assert events[:-1] == [shown[seq] for seq in range(self.head + 1)]
        assert events[-1]["type"] == "voided"
        assert events[-1]["data"]["reason"] == "history-lost"
        assert events[-1]["data"]["receipt"] == self.receipt
        verified(self.game.transcript(), self.shown.receipts[self.game.match])


def gone(losing: Losing, *, service_too: bool = False) -> Gone:
    """The power goes after an action was answered and before it was on the disk."""
    game, request = act(losing.hall)
    head, size = game.head()["seq"], losing.written()
    client, shown = losing.hall.client, losing.hall.ledger
    receipt = client.once(request).told()["receipt"]
    if service_too:
        losing.hall.service.kill()
    losing.cut(size)
    losing.hall.service.revive()
    # The void takes the place of what is lost: the one case in which that is so (SPEC 8.7).
    losing.hall.ledger = client.ledger = Ledger()
    return Gone(game, head, request, receipt, shown)


def test_the_house_has_seen_more(losing: Losing) -> None:
    """A worker remembers what it has shown; whoever looks next finds the match void."""
    it = gone(losing)
    assert it.game.get()["status"] == "void"
    it.said()


def test_the_house_has_seen_more_and_a_player_acts(losing: Losing) -> None:
    """His action is not taken, though it would fit what is left."""
    it = gone(losing)
    problem(losing.hall.client.once(it.request), "match/void")
    it.said()


def test_only_a_player_has_seen_more(losing: Losing) -> None:
    """The service has died too; the receipt that comes with an action makes it say so."""
    it = gone(losing, service_too=True)
    assert it.game.head()["seq"] == it.head
    seat, listed = it.game.to_act()
    further = it.game.acting(seat, listed[0]).but(receipt=it.receipt)
    problem(losing.hall.client.once(further), "match/history-lost")
    it.said()


def test_another_host_has_not_seen_it(losing: Losing, tmp_path: Path) -> None:
    """It cannot know, and plays on from what is left; the one that has shown more ends that."""
    keys = losing.hall.service.data / "keys"
    with running(tmp_path, STORE=losing.redis.url, KEYS=keys, WORKERS=1, SWEEP=0) as second:
        it = gone(losing)
        other = Client(second, Ledger(), second.revive)
        assert other.once(it.request).status == 200
        assert it.game.get()["status"] == "void"
        last = it.game.events()[-1]["data"]
        assert (last["reason"], last["receipt"]) == ("history-lost", it.receipt)
        assert other.once(Request("GET", it.game.path)).told()["status"] == "void"
        verified(it.game.transcript())
        # Two heads were signed for one place. The void says so, and so does a player's receipt.
        report = verify(it.game.transcript(), receipts=[it.receipt])
        assert (report.verdict, report.code) == ("refuted", "receipt/not-in-transcript")


def test_a_match_is_lost_as_a_whole(losing: Losing) -> None:
    """Nothing is left that a void could be appended to: it is said to whoever asks."""
    size = losing.written()
    game, request = act(losing.hall)
    receipt = max(losing.hall.ledger.receipts[game.match], key=lambda it: int(it["seq"]))
    losing.cut(size)
    for _ in range(2):
        answer = losing.hall.client.once(request.but(receipt=receipt))
        problem(answer, "match/history-lost")


def test_half_a_command_at_the_end(losing: Losing) -> None:
    """What was on the disk is whole: the rest is cut off and the match goes on."""
    game, request = act(losing.hall)
    first = losing.hall.client.once(request)
    losing.cut(losing.written())
    same(first, losing.hall.client.ask(request))
    losing.hall.finish(game)
    verified(game.transcript(), losing.hall.ledger.receipts[game.match])


def test_kill_alone_loses_nothing(losing: Losing) -> None:
    """What Redis has answered it has handed to the kernel, flushed or not."""
    game, request = act(losing.hall)
    first = losing.hall.client.once(request)
    losing.redis.kill()
    losing.redis.start()
    same(first, losing.hall.client.ask(request))
    losing.hall.finish(game)
    verified(game.transcript(), losing.hall.ledger.receipts[game.match])
