"""The command: its exits, its options, what it reads and what it prints (SPEC 9, codes.md)."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

import fairbones_verify
from fairbones_verify import cli, report
from fairbones_verify.codes import CAUSE
from tests.verifier.draws import lots
from tests.verifier.forgeries import FORGERIES
from tests.verifier.forgeries.making import begun
from tests.verifier.house import House
from tests.verifier.primitives import OTHER, SIGNER, canonical, event_hash, sealed
from tests.verifier.test_documents import at
from tests.verifier.test_verdicts import wrong_points

HOUSE = House().play()
GOOD = HOUSE.transcript()
RUNNING = begun().transcript()

TEXT = {"type": "string"}
NUMBER = {"type": "integer", "minimum": 0}


def shape(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def many(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


STANDINGS = ["disputed", "taken", "both-signed", "not-its-turn", "other-history"]
FAILURE = shape(
    {"code": {"enum": list(CAUSE)}, "number": NUMBER}
    | dict.fromkeys(("where", "expected", "got", "cause"), TEXT),
    seq=NUMBER,
)
JUDGED = shape(
    {
        "verdict": {"enum": ["verified", "refuted"]},
        "exit": {"enum": [0, 1]},
        "match": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
        "events": NUMBER,
        "complete": {"type": "boolean"},
        "convicts": {"type": "boolean"},
        "rounds": shape({"proved": many(NUMBER), "open": many(NUMBER)}),
        "unproved": shape({"forced_steps": NUMBER, "plays": NUMBER}),
        "unchecked": many(shape({"code": TEXT, "text": TEXT})),
        "options": many(shape({"name": TEXT, "published": {}, "here": {}})),
        "version": TEXT,
    },
    failure=FAILURE,
    result=shape({"reason": TEXT, "scores": many(NUMBER)}, winner=NUMBER),
    dropped_deal=shape({"hands": many(many(TEXT)), "boneyard": many(TEXT)}),
    protests=many(
        shape(
            {
                "seat": NUMBER,
                "seq": NUMBER,
                "action": shape({"type": TEXT}, tile=TEXT, end=TEXT, claim=NUMBER, seal=NUMBER),
                "standing": {"enum": STANDINGS},
            }
        )
    ),
)
NOT_JUDGED = shape(
    {
        "verdict": {"enum": ["unreadable", "not-started"]},
        "exit": {"enum": [2, 3]},
        "failure": FAILURE,
        "version": TEXT,
    }
)


@pytest.mark.parametrize(
    ("due", "data"), [(0, GOOD), (1, sealed(wrong_points().events)), (2, b"{}"), (0, RUNNING)]
)
def test_the_verdict_is_the_exit(due: int, data: bytes, run: Any) -> None:
    assert run(data)[0] == due


def test_complete_asks_for_an_end(run: Any) -> None:
    assert run(GOOD, "--complete")[0] == 0
    code, said = run(RUNNING, "--complete")
    assert code == 1
    assert "--complete was asked for" in said
    code, said = run(RUNNING, "--complete", "--json")
    assert (json.loads(said)["verdict"], json.loads(said)["exit"]) == ("verified", 1)


@pytest.mark.parametrize("name", [*FORGERIES, "good", "running", "bad", "drawn", "void"])
def test_json_has_one_form(name: str, run: Any) -> None:
    others = {"good": GOOD, "running": RUNNING, "bad": b"[", "drawn": lots().transcript()}
    others["void"] = House(choose=lambda house, seat: "void").play().transcript()
    data = others[name] if name in others else FORGERIES[name]()[0]
    code, said = run(data, "--json")
    value = json.loads(said)
    jsonschema.validate(value, NOT_JUDGED if code >= 2 else JUDGED)
    assert value["exit"] == code
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "b"],
        ["--nonsense"],
        [GOOD, "--seed"],
        [GOOD, "--comp"],
        [GOOD, "--seed", "x"],
        [GOOD, "--seed", "0=ab"],
        [GOOD, "--key", "no such file"],
        [GOOD, "--key", "ab" * 32],
        [GOOD, "--key", b"nothing"],
        [GOOD, "--key", b'{"keys":[]}'],
        [GOOD, "--key", b'{"keys":[{"key_id":"ab"}]}'],
        [GOOD, "--receipt", "no such file"],
        [GOOD, "--receipt", b"nothing"],
        [GOOD, "--receipt", b'{"receipt":1}'],
        [GOOD, "--receipt", b'{"receipt":{},"receipt":{}}'],
        [GOOD, "--receipt", b'{"receipt":{}}'],
        [GOOD, "--receipt", b"[" * 100_000],
        ["no such file"],
        ["."],
        ["a\0b"],
        ["http://127.0.0.1:1/v1/matches/x"],
        ["http://"],
        ["http://[::1"],
    ],
)
def test_what_cannot_start_is_exit_3(arguments: list[Any], run: Any) -> None:
    code, said = run(*arguments)
    assert code == 3
    assert said.startswith("NOT-STARTED: ")
    code, said = run(*arguments, "--json")
    assert code == 3
    jsonschema.validate(json.loads(said), NOT_JUDGED)


def test_keys(run: Any) -> None:
    hexed = SIGNER.public.hex()
    saved = {"keys": [{"key_id": SIGNER.id, "public_key": hexed, "since": None, "x": 1.5}]}
    forms = [hexed, hexed.upper(), hexed.encode() + b"\n", json.dumps(saved, indent=2).encode()]
    for key in forms:
        code, said = run(GOOD, "--key", key)
        assert code == 0
        assert "key/not-pinned" not in said
    assert run(GOOD, "--key", OTHER.public.hex(), "--key", hexed)[0] == 0
    code, said = run(GOOD, "--key", OTHER.public.hex())
    assert (code, "key/other" in said) == (1, True)


def test_receipts(run: Any) -> None:
    mine = SIGNER.receipt(HOUSE.match, 7, event_hash(HOUSE.events[7]))
    for form in (mine, {"receipt": mine, "events": [], "at": 1.5}):
        code, said = run(GOOD, "--receipt", json.dumps(form, indent=2).encode())
        assert (code, "receipt/none-given" in said) == (0, False)
    other = SIGNER.receipt(HOUSE.match, 7, b"\1" * 32)
    both = ["--receipt", canonical(mine).encode(), "--receipt", canonical(other).encode()]
    code, said = run(GOOD, *both)
    assert (code, "receipt/not-in-transcript" in said) == (1, True)
    assert "two histories" in said


def test_a_dropped_deal(run: Any) -> None:
    house = House()
    house.sit()
    house.reveal(0)
    data = {"reason": "seeds-missing", "missing": [1], "server_seed": house.S.hex()}
    house.say("voided", data, 600_000)
    code, said = run(house.transcript(), "--seed", f"1={house.seeds[1].hex()}", "--json")
    assert code == 0
    assert len(json.loads(said)["dropped_deal"]["hands"]) == 2
    assert run(house.transcript(), "--seed", f"1={house.seeds[0].hex()}")[0] == 3


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--help", "--version"):
        with pytest.raises(SystemExit) as caught:
            cli.main([option])
        assert caught.value.code == 0
    said = capsys.readouterr().out
    for word in (
        "--receipt",
        "--key",
        "--complete",
        "--seed",
        "--openings",
        "--protest",
        "--json",
        "exit codes",
    ):
        assert word in said
    assert f"fairbones-verify {fairbones_verify.__version__}" in said


def test_an_error_of_our_own_is_no_stack_trace(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise RecursionError("\x1b[31m")

    monkeypatch.setattr(cli, "verify", broken)
    code, said = run(GOOD)
    assert code == 3
    assert "please report it" in said
    assert "RecursionError" in said


NASTY = "\x1b[31m<script>alert(1)</script>\u202e\u0007`$(x)`\u200b\\"


@pytest.mark.parametrize(
    "data",
    [
        at("events.0.data.reference", NASTY),
        at("events.1.data.name", NASTY),
        at("events.1.type", NASTY),
        at("protocol", NASTY),
        at("events.0.data.ruleset.id", NASTY),
        canonical({NASTY: 1}).encode(),
    ],
)
def test_strings_of_a_transcript_are_escaped(data: bytes, run: Any) -> None:
    """T33: they can steer neither a terminal nor a page."""
    for more in ([], ["--json"]):
        said = run(data, *more)[1]
        assert re.fullmatch(r"[ -~\n]*", said)
        assert "<" not in said
        assert "script" in said


def test_long_strings_are_cut() -> None:
    assert len(report.shown("x" * 10_000)) < 200


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert cli.colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not cli.colour()
    verdict = fairbones_verify.verify(GOOD)
    assert "\033[1;32mVERIFIED" in verdict.text(colour=True)
    assert "\033" not in verdict.text()


# From an address


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path in ("/v1/matches/abc/transcript", "/file"):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(GOOD)
        elif self.path.startswith("/away"):
            self.send_response(302)
            self.send_header("Location", self.path.partition("?")[2])
            self.end_headers()
        elif self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" " * 1_000_000)
            except OSError:
                pass
        else:
            self.send_error(404)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("path", "due"),
    [
        ("/file", 0),
        ("/v1/matches/abc", 0),
        ("/v1/matches/abc/", 0),
        ("/v1/matches/abc/transcript", 0),
        ("/away?/file", 0),
        ("/away?file:///etc/passwd", 3),
        ("/away?ftp://127.0.0.1/x", 3),
        ("/away?/away?/away", 3),
        ("/v1/matches/other", 3),
        ("/endless", 2),
    ],
)
def test_an_address(path: str, due: int, address: str, run: Any) -> None:
    code, said = run(address + path)
    assert code == due, said
    if due == 3:
        assert "start/url" in said


# Alone


@pytest.mark.parametrize("way", ["path", "folder", "module"])
def test_it_runs_alone(way: str, tmp_path: Path) -> None:
    """`-I -S` and an empty folder: nothing but the package and Python itself."""
    package = Path(fairbones_verify.__file__).parent
    alone, empty = tmp_path / "alone", tmp_path / "empty"
    shutil.copytree(package, alone / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    empty.mkdir()
    (tmp_path / "good").write_bytes(GOOD)
    program = "import sys; sys.path.insert(0, sys.argv.pop(1)); {}sys.exit(main())"
    start = "from fairbones_verify.cli import main; "
    ways = {
        "path": ["-c", program.format(start), str(alone)],
        "folder": [str(alone / package.name)],
        "module": ["-c", program.format(start + "sys.argv[1:1] = ['--json']; "), str(alone)],
    }
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", *ways[way], str(tmp_path / "good")],
        cwd=empty,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "verified" in done.stdout.lower()
    assert not list(empty.iterdir())


def test_standard_input_and_a_reader_that_goes_away() -> None:
    command = [sys.executable, "-m", "fairbones_verify", "-"]
    done = subprocess.run(command, input=GOOD, capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    shell = f"{sys.executable} -m fairbones_verify - | true"
    done = subprocess.run(
        ["bash", "-c", shell], input=GOOD, capture_output=True, check=False, timeout=60
    )
    assert done.stderr == b""


def test_only_the_standard_library_is_imported() -> None:
    package = Path(fairbones_verify.__file__).parent
    names = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names.add(str(node.module).partition(".")[0])
    names -= set(sys.stdlib_module_names)
    assert names <= {"cryptography", "fairbones_verify"}
