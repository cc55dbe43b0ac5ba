"""`--explain` on the command line: exits, failures, and the object of `--json` (spec/tools.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from fairbones_verify import cli
from tests.verifier.draws import lots
from tests.verifier.forgeries.making import begun
from tests.verifier.house import House
from tests.verifier.primitives import DRAW, sealed
from tests.verifier.test_cli import NOT_JUDGED, NUMBER, TEXT, many, shape
from tests.verifier.test_explain import STEPS
from tests.verifier.test_verdicts import wrong_points

HOUSE = House(3, DRAW, 3).play()
HASHED = shape(
    {"name": TEXT, "function": {"enum": ["H", "MAC"]}, "input": TEXT, "output": TEXT}
    | {"items": many(shape({"name": TEXT, "length": NUMBER, "bytes": TEXT}))},
    key=TEXT,
    command=TEXT,
)
STEP = shape(
    {"step": {"enum": STEPS}, "section": TEXT, "text": many(TEXT), "hashes": many(HASHED)}
    | {"unknown": many(TEXT)}
    | {
        "compared": many(
            shape({"what": TEXT, "computed": TEXT, "stands": TEXT, "equal": {"type": "boolean"}})
        )
    },
    shuffle=shape(
        {"tag": TEXT, "key": TEXT, "round": NUMBER, "n": NUMBER}
        | {"blocks": many(TEXT), "result": many(NUMBER)}
    ),
)
EXPLAINED = shape(
    {"verdict": {"const": "verified"}, "exit": {"enum": [0, 1]}, "match": TEXT, "version": TEXT}
    | {"complete": {"type": "boolean"}, "equal": {"type": "boolean"}, "unknown": many(TEXT)}
    | {"round": NUMBER, "position": NUMBER, "steps": many(STEP)}
    | {"fate": many(shape({"seq": NUMBER, "type": TEXT, "seat": NUMBER}, to=NUMBER, tile=TEXT))},
    tile=TEXT,
)


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def go(data: bytes, *more: str) -> tuple[int, str]:
        (tmp_path / "file").write_bytes(data)
        code = cli.main([str(tmp_path / "file"), *more])
        said = capsys.readouterr()
        assert not said.err
        assert re.fullmatch(r"[ -~\n]*", said.out)
        return code, said.out

    return go


@pytest.mark.parametrize("data", [HOUSE.transcript(), begun().transcript(), lots().transcript()])
def test_the_command(data: bytes, run: Any) -> None:
    code, said = run(data, "--explain", "1:9")
    assert (code, said.count("1. The server seed")) == (0, 1)
    assert "position 9" in said
    code, said = run(data, "--explain", "1:9", "--json")
    assert code == 0
    jsonschema.validate(json.loads(said), EXPLAINED)
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "seal", ["", "x", "1", "1:", ":1", "1:28", "0:0", "4:0", "1:2:3", "-1:2", "1:٣"]
)
def test_a_seal_that_is_not_there(seal: str, run: Any) -> None:
    code, said = run(HOUSE.transcript(), f"--explain={seal}", "--json")
    value = json.loads(said)
    assert (code, value["failure"]["code"]) == (3, "start/seal")
    value["failure"]["code"] = "start/usage"  # the scheme knows the codes of codes.md
    jsonschema.validate(value, NOT_JUDGED)


def test_what_does_not_verify_is_not_explained(run: Any) -> None:
    bad = sealed(wrong_points().events)
    for data, more, due in (
        (bad, [], 1),
        (b"{}", [], 2),
        (begun().transcript(), ["--complete"], 1),
    ):
        plain = run(data, *more)
        assert plain[0] == due
        assert run(data, *more, "--explain", "1:9") == plain
        assert run(data, *more, "--explain", "99:99") == plain
