"""A real service of two processes, and every command of its operator beside it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairbones_verify import verify
from tests.cli.houses import ROOT, Place


@contextmanager
def served(place: Place, log: Path) -> Iterator[str]:
    """The URL of a service at this place, which ends well."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "fairbones.cli", "serve"],
            cwd=ROOT,
            env=place.process_environment | {"FAIRBONES_PORT": "0", "FAIRBONES_WORKERS": "2"},
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
        )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found is not None, line + log.read_text()
        yield found[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0, log.read_text()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def asked(url: str, body: dict[str, object] | None = None) -> bytes:
    """What the service answers; each time on a connection of its own."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json", "connection": "close"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=30) as answer:
        content: bytes = answer.read()
        return content


def test_the_operator_of_a_running_service(shared: Place, tmp_path: Path) -> None:
    """Keys are rotated, seeds sealed anew, matches copied; no request notices."""

    def opened() -> Any:
        told = json.loads(asked(f"{url}/v1/matches", {"ruleset": "block", "seats": 2}))
        return told["event"]

    shared.run("keys", "create").ok()
    with served(shared, tmp_path / "log") as url:
        old = [opened() for _ in range(2)]
        receipt = shared.run("keys", "rotate", "receipt", "--json").ok().json()["id"]
        shared.run("keys", "rotate", "kek").ok()
        new = [opened() for _ in range(4)]
        assert {event["data"]["key_id"] for event in new} == {receipt}
        papers = {}
        for event in (*old, *new):
            address = f"{url}/v1/matches/{event['match']}/transcript"
            # Whichever process is asked.
            (papers[address],) = {asked(address) for _ in range(6)}
            assert verify(papers[address]).verdict != "refuted"
            assert [it["key_id"] for it in json.loads(papers[address])["keys"]] == [
                event["data"]["key_id"]
            ]
        told = shared.run("keys", "rewrap", "--json").ok().json()
        assert (told["resealed"], told["already"]) == (2, 4)
        shared.run("keys", "retire", *told["unneeded"]).ok()
        shared.run("backup", str(tmp_path / "backups")).ok()
        shared.run("doctor").ok()
        shared.run("prune", "--older-than", "1").ok()
        assert {address: asked(address) for address in papers} == papers
        assert opened()["data"]["key_id"] == receipt
        (row,) = [
            it for it in json.loads(asked(f"{url}/v1/keys"))["keys"] if it["key_id"] == receipt
        ]
        assert row["current"]
