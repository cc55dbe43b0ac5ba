"""What an operator meets: a full disk, a second service on the folder, a damaged file."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones.store.points import Point
from tests.faults.hall import Hall
from tests.faults.judging import judge
from tests.faults.ledger import problem, unanswered
from tests.faults.planting import BEFORE_REPLY, Fault
from tests.faults.players import Game
from tests.faults.service import Refused, Service, running
from tests.hostile.table import opening
from tests.hostile.wire import Request

KILOBYTES = 4_000
ROOM = 300  # of them are not taken away
MOUNT = 'mount -t tmpfs -o size={size}k none "{place}" && exec "$@"'


def disk(place: Path) -> tuple[str, ...]:
    """A small disk at a folder, for one process and its children; it ends with them."""
    unshare = shutil.which("unshare")
    if os.geteuid() != 0 or unshare is None:
        pytest.skip("only root can mount a disk")
    if subprocess.run([unshare, "-m", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    place.mkdir()
    return (unshare, "-m", "sh", "-c", MOUNT.format(size=KILOBYTES, place=place), "sh")


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Hall]:
    """A service on a small disk."""
    with running(tmp_path, *disk(tmp_path / "data"), SWEEP=0) as service:
        yield Hall(service)


def test_a_full_disk(small: Hall) -> None:
    """Nothing is lost, what is there can be read, and it goes on when there is room."""
    service, client = small.service, small.client
    # The disk is where only the service sees it.
    seen = Path(f"/proc/{service.pid}/root{service.data}")
    ballast = seen / "ballast"
    ballast.write_bytes(b"x" * (KILOBYTES - ROOM) * 1024)
    games = [small.deal(opening(), (0,))]
    request = fill(small, games)
    for _ in range(3):
        problem(client.once(request), "store/full")
        problem(client.once(opening()), "store/full")
    judge(small.ledger, games, ended=False)
    # The one that takes over finds the disk as full as it was.
    with service.plan.planted(Fault(BEFORE_REPLY, "kill-worker")):
        unanswered(client, request)
    problem(client.once(request), "store/full")
    judge(small.ledger, games, ended=False)
    ballast.unlink()
    for game in games:
        small.finish(game)
    judge(small.ledger, games)


def fill(hall: Hall, games: list[Game]) -> Request:
    """Play until there is no room; what could not be done."""
    for _ in range(2_000):
        game = games[-1]
        moves = game.options()
        if not moves:
            games.append(hall.deal(opening(), (0,)))
            continue
        request = game.acting(*moves[0])
        answer = hall.client.once(request)
        if answer.status == 503:
            problem(answer, "store/full")
            return request
    raise AssertionError("it is never full")


@pytest.mark.parametrize("point", [Point.BEFORE_WRITE, Point.AFTER_WRITE, Point.BEFORE_COMMIT])
def test_a_disk_that_fails(hall: Hall, point: Point) -> None:
    """Nothing is appended, and the same request is taken when the disk is well again."""
    game = hall.deal(opening(), (0,))
    before = game.head()
    seat, listed = game.to_act()
    request = game.acting(seat, listed[0])
    with hall.service.plan.planted(Fault(point, "break")):
        problem(hall.client.once(request), "store/failed")
        assert game.head() == before
    assert hall.client.once(request).status == 200
    assert game.head()["seq"] > before["seq"]
    hall.finish(game)


def test_a_second_service_on_the_folder(hall: Hall, tmp_path: Path) -> None:
    """It is told so in one sentence; the first goes on as if nothing had been."""
    game = hall.deal(opening(), (0,))
    second = Service(tmp_path, DATA=hall.service.data)
    with pytest.raises(Refused) as caught:
        second.start()
    second.kill()
    refused_in_one_sentence(caught.value, str(hall.service.data))
    game.turn()
    hall.finish(game)


def harm(path: Path, how: str) -> None:
    """Ruin a database."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        if how == "head":
            file.write(b"\x55" * 100)
        elif how == "pages":
            file.seek(4096)
            file.write(b"\x55" * (size - 4096))
        else:
            file.truncate(size // 2 // 4096 * 4096)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, bytes]]:
    """A service that was stopped in peace, and its database."""
    with running(tmp_path_factory.mktemp("stopped"), SWEEP=0) as service:
        Hall(service).open(opening(), (0,)).deal()
        assert service.stop() == 0
        path = service.data / "fairbones.db"
        assert not path.with_name("fairbones.db-wal").exists()
        yield service, path.read_bytes()


@pytest.mark.parametrize("how", ["head", "pages", "half"])
def test_a_damaged_file(stopped: tuple[Service, bytes], how: str) -> None:
    """Refused at the start, and not made worse."""
    service, whole = stopped
    path = service.data / "fairbones.db"
    path.write_bytes(whole)
    harm(path, how)
    before = path.read_bytes()
    with pytest.raises(Refused) as caught:
        service.start()
    refused_in_one_sentence(caught.value, "fairbones.db")
    assert path.read_bytes() == before


def refused_in_one_sentence(refused: Refused, word: str) -> None:
    """Exit code 3 and one line for people, without a stack trace."""
    assert refused.code == 3, refused
    told = [it for it in refused.said.splitlines() if not it.startswith("{")]
    assert len(told) == 1, refused.said
    assert told[0].startswith("fairbones: ")
    assert word in told[0]
    assert "Traceback" not in refused.said
