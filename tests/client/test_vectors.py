"""The client stops where the vectors say, and nowhere else; the files are those of the command."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairbones_verify.client.guard import Guard
from fairbones_verify.client.lies import Lie
from fairbones_verify.client.sayings import Sayings
from tests.client.cases import FOLDER, files

Json = dict[str, Any]
PATHS = sorted(FOLDER.glob("*.json"))


def guard_of(knows: Json) -> Guard:
    """A client that knows this much."""
    mine = None
    if "seat" in knows:
        key = bytes.fromhex(knows.get("public_key", ""))
        mine = Sayings(knows["seat"], bytes.fromhex(knows["client_seed"]), "", key)
    return Guard(knows["match"], mine, knows.get("house_keys", ()))


def stop_of(vector: Json) -> tuple[int, str, str] | None:
    """The step and the obligation at which the client stops."""
    guard = guard_of(vector["knows"])
    for place, step in enumerate(vector["steps"]):
        try:
            if "send" in step:
                guard.send(step["send"], step["body"], step.get("now"))
            else:
                body = step["text"].encode() if "text" in step else step["body"]
                guard.hear(step["answer"], body, step.get("asked"), step.get("heard"))
        except Lie as lie:
            return place, lie.obligation, str(lie)
    return None


@pytest.mark.parametrize("path", PATHS, ids=lambda it: it.stem)
def test_vector(path: Any) -> None:
    vector = json.loads(path.read_bytes())
    found, due = stop_of(vector), vector.get("stop")
    if due is None:
        assert found is None
    else:
        assert found is not None
        assert found[0] == due["step"], found
        assert found[1] in due["obligations"], found


def test_every_obligation_has_a_vector() -> None:
    named = {
        name
        for path in PATHS
        for name in json.loads(path.read_bytes()).get("stop", {}).get("obligations", ())
    }
    assert named == {f"C{n}" for n in range(1, 14)}


def test_the_files_are_those_of_the_command() -> None:
    """`python -m tests.client` writes them."""
    assert {path.name: path.read_bytes() for path in PATHS} == files()
