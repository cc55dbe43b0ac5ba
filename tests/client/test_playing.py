"""Seats and spectators at a real house, over HTTP, as people start them."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify.client import CHOOSERS, Follower, Guard, Keep, Lie, Seat, Wire
from fairbones_verify.client.keep import NoKeep
from tests.client.houses import Json, Loopback

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = [sys.executable, "-I", "-S", str(ROOT / "verifier" / "fairbones_verify")]
GAMES: list[tuple[str, int, Json]] = [
    ("draw", 2, {"rounds_max": 2}),
    ("draw", 3, {"rounds_max": 1, "options": {"drawn_tile": "may-play"}, "auto_forced": False}),
    ("block", 4, {"rounds_max": 2, "options": {"partners": True}}),
    ("all-fives", 2, {"rounds_max": 1, "options": {"muggins": True, "call_seconds": 1}}),
    ("fives-and-threes", 4, {"rounds_max": 1, "options": {"partners": True}}),
    ("middle-eastern", 4, {"rounds_max": 1, "options": {"transfer": True}}),
    ("blocking", 2, {"rounds_max": 2}),
]
KEYED = (1, 3, 5)  # seats 0 and 2 of these have a key


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with Loopback(tmp_path_factory.mktemp("house")) as running:
        yield running


def together(seats: list[Seat]) -> list[BaseException]:
    """All seats play; what went wrong."""
    wrong: list[BaseException] = []

    def one(seat: Seat) -> None:
        try:
            seat.play()
        except BaseException as error:  # noqa: BLE001 - the test says which
            wrong.append(error)

    threads = [threading.Thread(target=one, args=(seat,), daemon=True) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return wrong


@pytest.mark.parametrize(
    ("ruleset", "seats", "more", "keyed"),
    [(*game, number in KEYED) for number, game in enumerate(GAMES)],
    ids=[
        game[0] + "-keyed" * (number in KEYED) + f"-{number}" for number, game in enumerate(GAMES)
    ],
)
def test_every_game_is_played_to_its_end(
    house: Loopback, tmp_path: Path, ruleset: str, seats: int, more: Json, keyed: bool
) -> None:
    match = house.open(ruleset, seats, **more)
    players = []
    for number in range(seats):
        keep = Keep(tmp_path / f"{number}.json", house.url, match, number, f"p{number}")
        if not keyed or number % 2:
            keep.secret_key = ""
        players.append(Seat(Wire(house.url), keep, CHOOSERS["heaviest" if number else "first"]))
    assert together(players) == []
    spectator = Follower(Wire(house.url), Guard(match, None, [house.signer.public_key]))
    spectator.begin()
    spectator.verify()
    assert spectator.guard.over
    for player in players:
        kept = Keep.load(player.keep.path)
        assert len(kept.receipts) > 3
        assert kept.house_keys == [house.signer.public_key.hex()]
        assert stat.S_IMODE(player.keep.path.stat().st_mode) == 0o600


class Killed(BaseException):
    """The program is gone, in the middle of something."""


@pytest.mark.parametrize("after", [0, 1, 2, 4])
@pytest.mark.parametrize("lost", ["request", "answer"])
def test_a_killed_client_goes_on(house: Loopback, tmp_path: Path, after: int, lost: str) -> None:
    """The keep is written before anything is sent: whatever got lost, nothing is said twice."""
    match = house.open("draw", 2, rounds_max=1)
    other = Seat(Wire(house.url), Keep(tmp_path / "1.json", house.url, match, 1), CHOOSERS["first"])
    thread = threading.Thread(target=other.play, daemon=True)
    thread.start()
    path = tmp_path / "0.json"
    seat = Seat(Wire(house.url), Keep(path, house.url, match, 0), CHOOSERS["first"])
    plain, said = seat.wire.ask, 0

    def ask(method: str, *more: Any, **others: Any) -> Any:
        nonlocal said
        if method == "GET":
            return plain(method, *more, **others)
        said += 1
        if said <= after:
            return plain(method, *more, **others)
        if lost == "answer":
            plain(method, *more, **others)
        raise Killed

    seat.wire.ask = ask  # type: ignore[method-assign]
    with pytest.raises(Killed):
        kill(seat)
    before = path.read_bytes()
    again = Seat(Wire(house.url), Keep.load(path), CHOOSERS["heaviest"])
    assert json.loads(before)["sent"] == again.keep.sent
    again.play()
    thread.join(60)
    assert not thread.is_alive()
    assert again.guard.over


def kill(seat: Seat) -> None:
    """Play without the tidying up that a killed program does not do either."""
    seat.begin()
    seat._sit()
    seat._reveal()
    while not seat.guard.over:
        seat._turn()
    raise AssertionError("nothing was cut off")


def test_the_commands(house: Loopback, tmp_path: Path) -> None:
    """`play`, `watch` and `--keep` in a plain Python without site packages."""
    match = house.open("draw", 2, rounds_max=1)
    told = [house.url, "--match", match, "--json"]
    started = [
        subprocess.Popen(
            [*VERIFIER, *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            text=True,
        )
        for words in (
            ["play", *told, "--seat", "0", "--name", "ann", "--key-file", "ann.key"],
            ["play", *told, "--seat", "1", "--chooser", "first"],
            ["watch", *told, "--key", house.signer.public_key.hex()],
        )
    ]
    answers = [json.loads(one.communicate(timeout=120)[0]) for one in started]
    assert [one["result"] for one in answers] == ["verified"] * 3
    assert len({one["events"] for one in answers}) == 1
    assert stat.S_IMODE((tmp_path / "ann.key").stat().st_mode) == 0o600
    keep = tmp_path / f"fairbones-{match}-0.keep.json"
    done = subprocess.run(
        [*VERIFIER, "--keep", str(keep), "--json"], capture_output=True, text=True, check=False
    )
    report = json.loads(done.stdout)
    assert (done.returncode, report["verdict"], report["complete"]) == (0, "verified", True)
    assert "receipt/none-given" not in {one["code"] for one in report["unchecked"]}


def test_a_watcher_does_not_watch_for_ever(house: Loopback, tmp_path: Path) -> None:
    match = house.open("draw", 2, rounds_max=1)
    began = time.monotonic()
    done = subprocess.run(
        [*VERIFIER, "watch", house.url, "--match", match, "--seconds", "1", "--json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)["complete"] is False
    assert time.monotonic() - began < 20


def test_evidence_is_left_for_others(house: Loopback, tmp_path: Path) -> None:
    """A lie leaves a folder that any verifier can be run on, and no secret in it."""
    from fairbones_verify.client import evidence

    match = house.open("draw", 2, rounds_max=1)
    players = [
        Seat(Wire(house.url), Keep(tmp_path / f"{n}.json", house.url, match, n), CHOOSERS["first"])
        for n in (0, 1)
    ]
    assert together(players) == []
    guard = players[0].guard
    found = evidence.keep(guard, Lie("C13", "a false view"), tmp_path / "e", "x", b"{}", b"")
    assert not found.convicts
    text = (tmp_path / "e" / "evidence.json").read_text()
    assert json.loads(text)["obligation"] == "C13"
    assert players[0].keep.token not in text
    done = subprocess.run(
        [*VERIFIER, str(tmp_path / "e" / "transcript.json"), "--complete"],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0


@pytest.mark.parametrize("text", ["", "{}", '{"format": "fairbones-keep/1"}', "[1]", '{"a": 1'])
def test_what_is_no_keep_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keep.json"
    path.write_text(text)
    with pytest.raises(NoKeep):
        Keep.load(path)
