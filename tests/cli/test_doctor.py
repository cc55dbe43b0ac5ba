"""`fairbones doctor`: planted faults, each found and told with what to do."""

from __future__ import annotations

import os
import random
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from fairbones.archive import machine, servers
from fairbones.archive.findings import OK, PROBLEM, WARNING
from fairbones.store.folder import DataFolder
from tests.cli.houses import Ended, Place, begun, finished
from tests.servers import Server


def findings(ended: Ended, level: str) -> dict[str, dict[str, Any]]:
    """The findings of a level, by their text."""
    return {it["text"]: it for it in ended.json()["findings"] if it["level"] == level}


def one(ended: Ended, level: str, part: str) -> dict[str, Any]:
    """The one finding of this level that says this."""
    found = [it for text, it in findings(ended, level).items() if part in text]
    assert len(found) == 1, ended.out
    return found[0]


@pytest.fixture
def played(either: Place, seed: random.Random) -> Place:
    either.data.mkdir(mode=0o700)
    with either.serving(seed) as party:
        finished(party), begun(party), party.open()
    return either


@pytest.fixture
def kept(place: Place, seed: random.Random) -> Place:
    place.data.mkdir(mode=0o700)
    with place.serving(seed) as party:
        finished(party), begun(party)
    return place


def test_a_sound_house(played: Place) -> None:
    """Beside a service that runs, in a process of its own."""
    held = DataFolder(played.data)
    try:
        ended = played.process("doctor").ok()
        told = played.run("doctor", "--json").ok()
    finally:
        held.release()
    assert ended.out.endswith(f"0 problems, {told.json()['warnings']} warnings\n") or (
        ended.out.endswith("0 problems, 1 warning\n")
    )
    assert "\x1b" not in ended.out
    one(told, OK, "of 3 matches hold")
    assert findings(told, PROBLEM) == {}
    if played.store != "sqlite":
        one(told, WARNING, "no replica")
        one(told, OK, "every move is on its disk")
        one(told, OK, "drops nothing")


def test_a_place_without_a_house(place: Place) -> None:
    told = place.run("doctor", "--json").ok()
    assert one(told, WARNING, "keys is not there")["advice"] == "run: fairbones keys create"
    one(told, OK, "there is no database")


def test_wrong_settings_are_the_first_finding(place: Place) -> None:
    ended = place.run("doctor", "--json", FAIRBONES_PORT="x", FAIRBONES_KEEYS="y")
    assert ended.code == 1
    assert len(findings(ended, PROBLEM)) == 2
    assert ended.json()["problems"] == 2


def test_a_key_that_others_can_read(kept: Place) -> None:
    next(kept.keys.glob("kek-*.key")).chmod(0o644)
    ended = kept.run("doctor", "--json")
    assert ended.code == 1
    assert one(ended, PROBLEM, "chmod 600")["about"] == "keys"
    assert ended.json()["problems"] == 1  # the store's, which is the same, is told once


def test_a_missing_key(kept: Place) -> None:
    path = next(kept.keys.glob("receipt-*.key"))
    path.rename(kept.data / "away")
    ended = kept.run("doctor", "--json")
    assert ended.code == 1
    one(ended, PROBLEM, "has no receipt key")
    one(ended, PROBLEM, "the database was made with other keys")


def test_api_keys(kept: Place) -> None:
    told = kept.run("doctor", "--json", FAIRBONES_OPENERS="keys").ok()
    assert "keys api create" in one(told, WARNING, "nobody can open")["advice"]
    kept.run("keys", "api", "create", "lobby").ok()
    one(kept.run("doctor", "--json", FAIRBONES_OPENERS="keys").ok(), OK, "1 API key in use")
    (kept.keys / "api-keys.json").write_bytes(b"{}")
    one(kept.run("doctor", "--json"), PROBLEM, "not a list of API keys")


def test_a_corrupt_database(kept: Place) -> None:
    content = bytearray(kept.database.read_bytes())
    for page in range(4, len(content) // 4096, 3):
        content[page * 4096 : page * 4096 + 200] = bytes(200)
    kept.database.write_bytes(content)
    ended = kept.run("doctor", "--json")
    assert ended.code == 1
    assert {it["about"] for it in findings(ended, PROBLEM).values()} <= {"store", "matches"}


def test_a_match_that_somebody_changed(kept: Place) -> None:
    with closing(sqlite3.connect(kept.database)) as db:
        db.execute("UPDATE match SET sealed_seed = zeroblob(69)")
        db.commit()
    ended = kept.run("doctor", "--json")
    assert ended.code == 1
    assert len(findings(ended, PROBLEM)) == 2
    assert all("put back its key file" in text for text in findings(ended, PROBLEM))
    assert kept.run("doctor", "--json", "--sample", "0").code == 0


def test_another_database(kept: Place) -> None:
    kept.database.unlink()
    with closing(sqlite3.connect(kept.database)) as db:
        db.execute("CREATE TABLE other (x)")
    one(kept.run("doctor", "--json"), PROBLEM, "another program")


def test_the_folder(tmp_path: Path) -> None:
    (private := tmp_path / "data").mkdir(mode=0o700)
    assert [it.level for it in machine.folder(private)] == [OK]
    private.chmod(0o755)
    (found,) = machine.folder(private)
    assert (found.level, found.advice) == (WARNING, f"chmod 700 {private}")
    assert [it.level for it in machine.folder(tmp_path / "none")] == [WARNING]
    if os.geteuid() == 0:
        os.chown(private, 12_345, -1)
        assert [it.level for it in machine.folder(private)] == [PROBLEM]


def test_room_files_and_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [it.level for it in machine.room(tmp_path / "not" / "there")] != []
    for free, level in ((2 << 30, OK), (512 << 20, WARNING), (1 << 20, PROBLEM)):
        with monkeypatch.context() as patched:
            usage = type("Usage", (), {"free": free})
            patched.setattr("shutil.disk_usage", lambda _, usage=usage: usage)
            assert [it.level for it in machine.room(tmp_path)] == [level]
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY:
        assert [it.level for it in machine.files(soft + 1)] == [WARNING]
    assert [it.level for it in machine.files(1)] == [OK]
    assert [it.level for it in machine.clock(0)] == [PROBLEM]
    assert [it.level for it in machine.clock(1_800_000_000_000)] == [OK]


def test_a_clock_behind_the_matches(kept: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairbones.cli.places.now", lambda: 1_699_999_000_000)
    ended = kept.run("doctor", "--json")
    one(ended, PROBLEM, "years behind")
    one(ended, WARNING, "ahead of this clock")


# ---------------------------------------------------------------- servers


@contextmanager
def settings(server: Server, **changed: str) -> Iterator[None]:
    """With another configuration for a while."""
    client = server.client()
    before = {name: str(client.config_get(name)[name]) for name in changed}
    for name, value in changed.items():
        client.config_set(name, value)
    yield
    for name, value in before.items():
        client.config_set(name, value)


@pytest.mark.parametrize(
    ("changed", "level", "said"),
    [
        ({"maxmemory-policy": "volatile-lru"}, PROBLEM, "maxmemory-policy is volatile-lru"),
        ({"appendfsync": "everysec"}, WARNING, "appendfsync is everysec"),
        ({"appendfsync": "no"}, PROBLEM, "appendfsync is no"),
        ({"appendonly": "no"}, PROBLEM, "appendonly is off"),
    ],
    ids=lambda it: "-".join(it.values()) if isinstance(it, dict) else "",
)
def test_a_server_that_forgets(
    shared: Place, valkey: Server, changed: dict[str, str], level: str, said: str
) -> None:
    shared.run("keys", "create").ok()
    with settings(valkey, **changed):
        ended = shared.run("doctor", "--json")
    assert one(ended, level, said)["advice"].startswith("CONFIG SET")
    assert ended.code == (level == PROBLEM)


def test_a_server_that_tells_nothing(shared: Place, valkey: Server) -> None:
    """As where somebody else runs it."""
    rules = ("on", "nopass", "~*", "&*", "+@all", "-config")
    client: Any = valkey.client()
    client.execute_command("ACL", "SETUSER", "guest", *rules)
    place = Place(shared.data, valkey.url.replace("://", "://guest:any@"))
    place.run("keys", "create").ok()
    told = place.run("doctor", "--json").ok()
    client.execute_command("ACL", "DELUSER", "guest")
    one(told, WARNING, "does not tell its configuration")
    assert "guest" not in told.out


def test_a_server_that_is_not_there(shared: Place, tmp_path: Path) -> None:
    place = Place(shared.data, "redis://127.0.0.1:1/0")
    place.run("keys", "create").ok()
    ended = place.run("doctor", "--json")
    assert ended.code == 1
    one(ended, PROBLEM, "cannot be reached")


def test_the_client_is_an_extra(shared: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    shared.run("keys", "create").ok()
    monkeypatch.setattr("fairbones.cli.places.find_spec", lambda _: None)
    assert "pip install 'fairbones[redis]'" in shared.run("sweep").refused()
    one(shared.run("doctor", "--json"), PROBLEM, "pip install")


GOOD = {"valkey_version": "8.1.0", "role": "master", "connected_slaves": 2}
SAFE = {
    "appendonly": "yes",
    "appendfsync": "always",
    "min-replicas-to-write": "1",
}


@pytest.mark.parametrize(
    ("info", "config", "wait", "level", "said"),
    [
        ({"valkey_version": "7.0.1"}, {}, 0, PROBLEM, "7.2 is needed"),
        ({"role": "slave"}, {}, 0, PROBLEM, "is a replica"),
        ({"connected_slaves": 0}, {}, 1, PROBLEM, "waits for 1"),
        ({"maxmemory_policy": "allkeys-lru"}, {}, 1, PROBLEM, "maxmemory-policy is allkeys-lru"),
        ({}, {"min-replicas-to-write": "0"}, 1, WARNING, "min-replicas-to-write is 0"),
        ({"aof_last_write_status": "err"}, {}, 0, PROBLEM, "its last write"),
        ({"maxmemory": 100, "used_memory": 81}, {}, 0, WARNING, "81 %"),
    ],
)
def test_what_a_server_says(
    info: dict[str, object], config: dict[str, str], wait: int, level: str, said: str
) -> None:
    assert {it.level for it in servers.judged("here", GOOD, SAFE, 1)} == {OK}
    found = list(servers.judged("here", GOOD | info, SAFE | config, wait))
    worst = [it for it in found if it.level != OK]
    assert [it.level for it in worst] == [level]
    assert said in worst[0].text
    assert worst[0].advice


def test_old_redis_and_other_clocks() -> None:
    told = {"redis_version": "6.0.9", "role": "master", "connected_slaves": 1}
    assert next(it.level for it in servers.judged("here", told, SAFE, 0)) == PROBLEM
    told["redis_version"] = "6.2.0"
    assert {it.level for it in servers.judged("here", told, SAFE, 0)} == {OK}
    assert list(servers.skew(10_000, 10_000, 10_001)) == []
    assert [it.level for it in servers.skew(10_000, 13_000, 13_001)] == [WARNING]
    assert [it.level for it in servers.skew(19_000, 13_000, 13_001)] == [WARNING]
