"""`fairbones bots` as a program of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from fairbones.bots.beside import Filler, beside
from fairbones.bots.client import Client
from tests.bench.servers import SERVICE, server
from tests.bots.hall import Hall
from tests.bots.test_company import ends, opened, until_taken
from tests.servers import until

SECONDS = 60.0  # by then something hangs


@contextmanager
def bots(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    argv = [sys.executable, "-m", "fairbones.cli", "bots", *arguments]
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            yield process
        finally:
            process.kill()


def ran(*arguments: str) -> tuple[int, str, str]:
    with bots(*arguments) as process:
        out, err = process.communicate(timeout=SECONDS)
    return process.returncode, out, err


def test_a_match_is_played_and_summed_up(hall: Hall, guest: Client) -> None:
    match = opened(guest)
    code, out, err = ran(hall.url, "--match", match, "--json", "--player", "random")
    told: dict[str, Any] = json.loads(out)
    assert (code, err, told["matches"], told["troubles"]) == (0, "", ends(1), [])
    assert guest.view(match)["status"] == "ended"
    assert told["moves"] > 0
    assert told["receipts_kept"] >= told["moves"]


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_them_cleanly(hall: Hall, guest: Client, signum: int) -> None:
    match = opened(guest, seats=3)
    with bots(hall.url, "--fill", "0", "--rate", "0.01") as process:
        until_taken(guest, match, [0, 1, 2])
        process.send_signal(signum)
        out, err = process.communicate(timeout=SECONDS)
    assert (process.returncode, err) == (0, "")
    assert "3 seats are left as they are" in out
    assert "fixed rule" in out


def test_time_is_over(hall: Hall) -> None:
    code, out, _ = ran(hall.url, "--fill", "0", "--for", "0.2", "--json")
    assert (code, json.loads(out)["seats"]) == (0, 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["http://127.0.0.1:1"], "--match ID, --fill SECONDS or --open N"),
        (["ftp://127.0.0.1", "--open", "1"], "http://HOST:PORT"),
        (["http://h?x=1", "--open", "1"], "http://HOST:PORT"),
        (["http://h", "--match", "xyz"], "32 hex digits"),
        (["http://h", "--open", "1", "--key", "00"], "64 hex digits"),
        (["http://h", "--open", "many"], "not a valid integer"),
        (["http://h", "--fill", "-1"], "range"),
        (["http://h", "--fill", "nan"], "nan"),
        (["http://h:port", "--open", "1"], "http://HOST:PORT"),
        (["http://h:99999", "--open", "1"], "http://HOST:PORT"),
        (["http://[", "--open", "1"], "http://HOST:PORT"),
        (["http://h", "--open", "1", "--api-key-file", "/nowhere/at/all"], "No such file"),
        (["http://h", "--open", "1", "--api-key-file", "/dev/null"], "holds no API key"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(arguments: Sequence[str], said: str) -> None:
    code, out, err = ran(*arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_help_is_where_it_is_everywhere() -> None:
    for option in ("-h", "--help"):
        code, out, err = ran(option)
        assert (code, err) == (0, "")
        assert "--api-key-file FILE" in out


def test_who_opens_shows_its_key(hall: Hall, guest: Client, tmp_path: Path) -> None:
    """And a service that is not there is told of, not waited for in silence."""
    (tmp_path / "key").write_text("fbk_something\n")
    arguments = ("--open", "1", "--seats", "2", "--api-key-file", str(tmp_path / "key"))
    code, out, err = ran(hall.url, *arguments)
    assert (code, err, "fbk_something" in out) == (0, "", False)
    port = hall.port
    hall.close()
    with bots(f"http://127.0.0.1:{port}", "--fill", "0") as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("bots: retrying: the service does not answer")
        process.terminate()
        process.communicate(timeout=SECONDS)


def test_a_match_that_is_not_there(hall: Hall) -> None:
    code, out, err = ran(hall.url, "--match", "00" * 16)
    assert (code, err) == (3, "")
    assert "match/unknown" in out


def test_a_ruleset_that_is_not_there_is_told_once(hall: Hall) -> None:
    code, out, err = ran(hall.url, "--open", "5", "--ruleset", "chess")
    assert (code, err) == (3, "")
    assert out.count("ruleset/unknown") == 1


def test_beside_a_service_matches_are_filled(hall: Hall, guest: Client) -> None:
    filler = beside(0, hall.url).process
    try:
        until_taken(guest, opened(guest), [0, 1])
        filler.terminate()
        assert filler.wait(SECONDS) == 0
    finally:
        filler.kill()
        filler.communicate()


def test_beside_a_service_that_is_gone_they_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their code is not the one by which gunicorn's parent knows a worker that cannot start."""
    monkeypatch.setenv("FAIRBONES_STORE", "redis://:secret@127.0.0.1:1/0")
    filler = beside(0, "http://127.0.0.1:1").process
    try:
        with open(f"/proc/{filler.pid}/environ", "rb") as environ:
            assert b"secret" not in environ.read()
        assert filler.stdin is not None
        filler.stdin.close()
        assert filler.wait(SECONDS) == 0
    finally:
        filler.kill()
        filler.wait()


def test_a_service_brings_its_bots(tmp_path: Path) -> None:
    """They come and go with it, come again when they die, and are none of its workers."""
    with server(tmp_path, {}, (*SERVICE, "--bots", "0")) as service:

        def fillers() -> list[int]:
            return [pid for pid in service.workers() if b"--beside" in command_of(pid)]

        (first,) = fillers()
        os.kill(first, signal.SIGKILL)
        until(lambda: fillers() not in ([], [first]), SECONDS, "other bots")
        (filler,) = fillers()
        client = Client(service.url, endure=SECONDS)
        match = opened(client)
        until_taken(client, match, [0, 1])
        client.close()
    until(lambda: not command_of(filler), SECONDS, "the end of the bots")


def test_bots_that_die_are_started_again(hall: Hall, guest: Client) -> None:
    """After a pause, and never once they were told to end."""
    now = [100.0]
    filler = Filler(0, hall.url, lambda: now[0])
    first = filler.process
    try:
        assert filler.look() is None
        first.kill()
        first.wait(SECONDS)
        said = filler.look()
        assert said is not None
        assert "started again in 5 seconds" in said
        assert (filler.look(), filler.process) == (None, first)
        now[0] += 5
        assert (filler.look(), filler.process is first) == (None, False)
        until_taken(guest, opened(guest), [0, 1])
        filler.terminate()
        assert filler.process.wait(SECONDS) == 0
        last = filler.process
        now[0] += 60
        assert (filler.look(), filler.process is last) == (None, True)
    finally:
        filler.process.kill()
        filler.process.communicate()


def command_of(pid: int) -> bytes:
    """Its command line; nothing once it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""
