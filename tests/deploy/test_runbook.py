"""The runbook: every alert is in it, its blocks are shell, and its drills do what they say."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from fairbones.core.errors import FairbonesError
from fairbones.house.messages import ActRequest
from tests.cli.houses import Place, begun, finished
from tests.conftest import run_seed
from tests.deploy.running import OPENING, environment, fetch, make_keys, service
from tests.deploy.texts import BIN, DEPLOY, ROOT
from tests.servers import Config, need, redis_server, sentinel_of, until
from tests.servers.programs import binary

TEXT = (DEPLOY / "RUNBOOK.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.S)
BLOCKS = BLOCK.findall(TEXT)
README = (DEPLOY / "README.md").read_text(encoding="utf-8")


def sections() -> dict[str, str]:
    """Heading to text, of alerts and drills alike."""
    parts = re.split(r"^### (.+)\n", TEXT, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def drill(name: str) -> str:
    """The blocks of a drill that are run, as one script."""
    return "\n".join(text for kind, text in BLOCK.findall(sections()[name]) if kind == "sh")


# What every other drill counts on.
BEFORE = "Before any drill"
# The drills below that are run; all others have no block of this kind.
DRILLS = {
    BEFORE,
    "Back up",
    "Restore a backup",
    "Rotate the receipt key",
    "Rotate the key-encryption key",
    "Full disk",
    "From SQLite to Redis",
    "Fail over Redis",
    "What we owe the players",
}


def test_every_drill_with_a_block_to_run_is_run() -> None:
    assert {name for name in sections() if drill(name)} == DRILLS
    assert {kind for kind, _ in BLOCKS} == {"sh", "bash"}


def test_every_alert_is_explained() -> None:
    rules = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())["groups"]
    found = sections()
    for rule in (rule for group in rules for rule in group["rules"]):
        file, _, anchor = rule["annotations"]["runbook"].partition("#")
        assert file == "RUNBOOK.md"
        [heading] = [name for name in found if name.lower() == anchor]
        assert "**Meaning.**" in found[heading]
        assert "**Do.**" in found[heading]
    named = {rule["alert"] for group in rules for rule in group["rules"]} - {"FairbonesAbsent"}
    assert {name for name in found if name.startswith("Fairbones")} == named


def links(text: str) -> list[str]:
    return [link for link in re.findall(r"\]\(([^)]+)\)", text) if not link.startswith("http")]


@pytest.mark.parametrize("text", [TEXT, README], ids=["RUNBOOK", "README"])
def test_every_link_leads_somewhere(text: str) -> None:
    assert links(text)
    for link in links(text):
        file, _, anchor = link.partition("#")
        assert (DEPLOY / file).exists(), link
        if anchor:
            there = (DEPLOY / file).read_text()
            headings = re.findall(r"^#+ (.+)$", there, re.M)
            assert anchor in [name.lower().replace(" ", "-") for name in headings], link


def test_every_drill_that_is_named_is_there() -> None:
    names = set(sections())
    asides = re.findall(r"(?:\(|: |to |see )\*([A-Z][^*]+)\*", TEXT)
    assert asides
    shown = {"Requests", "Waits for a match", "Store", "Time of writes"}  # of the dashboard
    assert set(asides) - shown <= names


def test_every_test_that_is_named_is_there() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", TEXT + README)
    assert len(set(named)) >= 5
    for name in named:
        assert (ROOT / name).exists(), name


def parsed(script: str) -> str:
    done = subprocess.run(
        ["bash", "-n"], input=script, capture_output=True, text=True, check=False, timeout=20
    )
    return done.stderr


def test_every_block_is_shell() -> None:
    for _, script in BLOCKS:
        assert parsed(script) == "", script
    for script in re.findall(r"(?:^    .+\n)+", README, re.M):
        assert parsed(script) == "", script


def test_what_is_no_shell_is_found() -> None:
    assert parsed('LAST=$(ls "$BACKUPS"\n')


# ------------------------------------------------------------------ drills


class Desk:
    """An operator's shell beside a house with a match that is over and one that goes on."""

    def __init__(self, folder: Path, over: bytes, running: bytes) -> None:
        self.place = Place(folder / "house")
        self.service = {"DATA": str(self.place.data)}
        self.over, self.running = over, running
        self.work = folder / "work"
        self.work.mkdir()

    def run(self, script: str, **more: str) -> str:
        """All that a script said; it has to go through."""
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"{drill(BEFORE)}\n{script}"],
            cwd=self.work,
            env=environment(**self.service)
            | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
            | {"BACKUPS": str(self.work / "backups"), "WORK": str(self.work)}
            | more,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def as_with_redis(self, url: str) -> None:
        """The settings of a service whose workers share a Redis."""
        self.service |= {"STORE": url, "WORKERS": "4", "CONNECTIONS": "200"}

    def kept(self, place: Place) -> set[str]:
        """The matches of a store."""
        with closing(place.open_store()) as store:
            return {it.hex() for it in store.ids(None, 100)}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, bytes]:
    """A data folder, the match in it that is over and the one that goes on."""
    place = Place(tmp_path_factory.mktemp("house") / "house")
    with place.serving(random.Random(f"{run_seed()} runbook")) as party:
        return place.data, finished(party).match_id, begun(party).match_id


@pytest.fixture
def desk(tmp_path: Path, house: tuple[Path, bytes, bytes]) -> Desk:
    shutil.copytree(house[0], tmp_path / "house")
    return Desk(tmp_path, *house[1:])


@pytest.fixture(scope="module")
def databases() -> Iterator[Iterator[str]]:
    """URLs of empty databases, of one server for all the drills here."""
    with redis_server("valkey", Config(appendfsync="always")) as server:
        base = server.url.rpartition("/")[0] if server.url.count("/") > 2 else server.url
        yield (f"{base}/{number}" for number in range(16))


@pytest.fixture
def valkey(databases: Iterator[str]) -> str:
    return next(databases)


def test_back_up_and_restore(desk: Desk) -> None:
    """What was over comes back; what ran stays behind, and is not played on from an old copy."""
    said = desk.run(drill("Back up") + "\n" + drill("Restore a backup"))
    assert "2 matches, checked" in said
    assert "1 match imported" in said
    there = desk.kept(Place(desk.work / "new"))
    assert there == {desk.over.hex()}


def test_back_up_and_restore_in_redis_mode(
    desk: Desk, valkey: str, databases: Iterator[str]
) -> None:
    """The same, and not a step of it comes to the Redis that the service has."""
    desk.run(drill("From SQLite to Redis"), REDIS=valkey)
    live = Place(desk.place.data, valkey)
    desk.as_with_redis(valkey)
    desk.run(drill("Back up"))
    with closing(live.open_store()) as store:
        assert store.forget(desk.over)
    restored = drill("Restore a backup")
    for target in ("sqlite", next(databases)):
        said = desk.run(f'LAST=$(echo "$BACKUPS"/*)\n{restored}', NEW=target)
        assert "1 match imported" in said
        assert desk.kept(Place(desk.work / "new", target)) == {desk.over.hex()}
    assert desk.kept(live) == {desk.running.hex()}


def test_the_store_of_the_service_is_not_restored_into(desk: Desk, valkey: str) -> None:
    desk.as_with_redis(valkey)
    restored = drill("Restore a backup")
    with pytest.raises(AssertionError, match="NEW is the store of the service"):
        desk.run(f"LAST=any.jsonl\n{restored}", NEW=valkey)


def test_rotate_the_receipt_key(desk: Desk) -> None:
    before = desk.run("fairbones keys list")
    desk.run(drill("Rotate the receipt key"))
    after = [line for line in desk.run("fairbones keys list").splitlines() if "receipt" in line]
    assert before.count("receipt") == 1
    assert len(after) == 3
    assert sum("newest" in line for line in after) == 1
    assert not any("prepared" in line for line in after)


def test_rotate_the_key_encryption_key(desk: Desk) -> None:
    said = desk.run(drill("Rotate the key-encryption key"))
    assert "2 seeds sealed under" in said
    listed = [line for line in desk.run("fairbones keys list").splitlines() if "kek" in line]
    assert len(listed) == 2
    assert sum("retired" in line for line in listed) == 1
    desk.run("fairbones doctor")


def test_full_disk(desk: Desk) -> None:
    said = desk.run('mkdir "$BACKUPS"\n' + drill("Full disk"))
    assert "1 match exported" in said
    assert "1 match would be forgotten, 1 stay" in said
    # The players here live in the past; but what runs is never let go of, however old.
    assert desk.kept(desk.place) == {desk.running.hex()}


def test_from_sqlite_to_redis(desk: Desk, valkey: str) -> None:
    said = desk.run(drill("From SQLite to Redis"), REDIS=valkey)
    assert "2 matches imported" in said
    there = Place(desk.place.data, valkey)
    assert desk.kept(there) == {desk.over.hex(), desk.running.hex()}
    for match_id in (desk.over, desk.running):
        assert there.whole(match_id).stored.steps == desk.place.whole(match_id).stored.steps


def test_fail_over_redis(tmp_path: Path) -> None:
    """A planned one, under a service with a match: it goes on, and nothing is lost."""
    need("curl", "apt-get install curl")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "redis-cli").symlink_to(Path(binary("valkey")).with_name("valkey-cli"))
    make_keys(tmp_path / "keys")
    with (
        redis_server("valkey", Config(appendfsync="always")) as primary,
        redis_server("valkey", Config(appendfsync="always", replica_of=primary)),
        sentinel_of("valkey", primary, name="fairbones") as sentinel,
        service(tmp_path, STORE=sentinel.url, KEYS=str(tmp_path / "keys"), WORKERS="1") as it,
    ):
        base = f"http://127.0.0.1:{it.port}"
        match = json.loads(fetch(f"{base}/v1/matches", OPENING)[1])["event"]["match"]
        until(sentinel.knows_a_replica)
        subprocess.run(
            ["bash", "-euo", "pipefail", "-c", drill("Fail over Redis")],
            env=os.environ
            | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
            | {"SENTINEL": str(sentinel.port), "BASE": base},
            check=True,
            capture_output=True,
            timeout=90,
        )
        assert sentinel.promoted() != primary.port
        status, body = fetch(f"{base}/v1/matches/{match}")
        assert (status, json.loads(body)["head"]["seq"]) == (200, 0)
        assert "\nfairbones_history_lost_total 0.0" in it.get("/metrics")[1]


def test_what_was_lost_can_be_told(desk: Desk, seed: random.Random) -> None:
    """An old copy put back, which nobody should: the service voids what a player holds more of."""
    place, old = desk.place, desk.work / "old.db"
    with place.serving(seed) as party:
        guests = begun(party)
    shutil.copy2(place.database, old)
    with place.serving(seed) as party:
        guests.house = party.house
        *_, answer = guests.act(lambda actions: actions[0])
    shutil.copy2(old, place.database)
    receipt = json.loads(answer.receipt)
    with place.serving(seed) as party:
        guests.house = party.house
        seat, seq = int(guests.view()["turn"]), receipt["seq"] + 1
        act = ActRequest(seq=seq, action={"type": "pass"}, receipt=receipt)
        with pytest.raises(FairbonesError, match="match/history-lost"):
            party.house.act(guests.match_id, guests.tokens[seat], act)
    assert desk.run(drill("What we owe the players")).split()[0] == guests.match_id.hex()


def test_a_newer_store_is_refused_in_the_words_of_the_runbook(desk: Desk) -> None:
    with closing(sqlite3.connect(desk.place.database)) as db:
        db.execute("PRAGMA user_version = 999")
    [quoted] = re.findall(r'the words "(.+?)"', sections()["Upgrade"])
    said = desk.place.process("doctor")
    assert said.code == 1
    assert quoted in said.out
