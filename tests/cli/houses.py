"""A house on a real store and real key files, with players, and the command line beside it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from fairbones.cli import main
from fairbones.cli.places import WholeStore
from fairbones.house.service import House
from fairbones.keys.keyring import Keyring, open_keyring
from fairbones.store.sqlite import SqliteStore
from tests.house.party import Guests, Party, Receipts

STORE = "fairbones: the store is "
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    def ok(self) -> Ended:
        """It must have done what it was asked."""
        assert self.code == 0, self
        return self

    def refused(self) -> str:
        """The one sentence of a refusal, which is all that it says but for which store it is."""
        assert (self.code, self.out) == (3, ""), self
        said = [it for it in self.err.splitlines() if not it.startswith(STORE)]
        assert len(said) == 1, self
        assert said[0].startswith("fairbones: "), self
        return said[0]

    def json(self) -> Any:
        """The one JSON object on standard output."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Place:
    """Where a house is: its data folder, and its store when that is a server."""

    data: Path
    store: str = "sqlite"

    @property
    def keys(self) -> Path:
        return self.data / "keys"

    @property
    def database(self) -> Path:
        return self.data / "fairbones.db"

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a command here, and no others of ours."""
        return {"FAIRBONES_DATA": str(self.data), "FAIRBONES_STORE": self.store}

    @property
    def process_environment(self) -> dict[str, str]:
        """The same with all else that a process needs."""
        plain = {key: it for key, it in os.environ.items() if not key.startswith("FAIRBONES_")}
        return plain | self.environment | {"PYTHONPATH": str(ROOT / "service")}

    def run(self, *words: str, data: bytes | None = None, **variables: str) -> Ended:
        """A command, in this process."""
        return run(*words, data=data, environment=self.environment | variables)

    def process(self, *words: str, data: bytes | None = None) -> Ended:
        """A command as a process of its own."""
        ended = subprocess.run(
            [sys.executable, "-m", "fairbones.cli", *words],
            env=self.process_environment,
            input=data,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def open_store(self) -> WholeStore:
        """A handle of its own."""
        if self.store == "sqlite":
            self.data.mkdir(exist_ok=True, mode=0o700)
            return SqliteStore(self.database)
        from fairbones.store.redis import open_redis

        return open_redis(self.store)

    @contextmanager
    def serving(self, rnd: random.Random) -> Iterator[Party]:
        """A house here, as a process of the service would have it."""
        with closing(self.open_store()) as store:
            ring = open_keyring(self.keys, store.known_keys(), remember=store.remember_keys)
            yield party(store, ring, rnd)

    def whole(self, match_id: bytes) -> Any:
        """All that is kept of a match."""
        with closing(self.open_store()) as store:
            return store.whole(match_id)


def run(
    *words: str, data: bytes | None = None, environment: Mapping[str, str] | None = None
) -> Ended:
    """A command in this process, with these variables of ours alone."""
    clear: dict[str, str | None] = {it: None for it in os.environ if it.startswith("FAIRBONES_")}
    done = CliRunner().invoke(main, list(words), input=data, env=clear | dict(environment or {}))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Ended(done.exit_code, done.stdout, done.stderr)


def party(store: WholeStore, ring: Keyring, rnd: random.Random) -> Party:
    """Players, and a house on this store with these keys."""
    made = Party(rnd)
    made.house = House(store, ring.vault, ring.signer, made.clock, made.entropy)
    made.receipts = Receipts(dict(ring.signer.public_keys()))
    return made


def finished(party: Party) -> Guests:
    """A match played to its end."""
    guests = party.open(rounds_max=1).deal().play_out()
    assert guests.view()["status"] == "ended"
    return guests


def begun(party: Party) -> Guests:
    """A match in the middle of a hand."""
    guests = party.open(rounds_max=3).deal()
    guests.act(lambda actions: actions[0])
    assert guests.view()["status"] == "playing"
    return guests


def transcripts(party: Party, match_ids: Sequence[bytes]) -> list[bytes]:
    """The evidence of matches, as the house gives it."""
    return [party.house.transcript(match_id) for match_id in match_ids]
