"""The command line of `audit`, its page of the specification, and what it says meanwhile."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify import cli
from fairbones_verify.audit import clerks, command, errands
from fairbones_verify.audit.clerks import Clerks, NoClerks
from fairbones_verify.audit.errands import Errand, Order
from fairbones_verify.audit.progress import Progress, lasting
from tests.audit import schema
from tests.audit.idlers import gone, idle
from tests.audit.matches import opened
from tests.audit.running import NOW, OURS, PYTHON, audit, fill, summary
from tests.audit.running import command as command_line
from tests.packaging.checkout import VERIFIER
from tests.packaging.test_distributions import oldest_python
from tests.packaging.test_pyz import NAME, build

ROOT = Path(__file__).resolve().parents[2]
SPEC = (ROOT / "verifier" / "spec" / "audit.md").read_text("utf-8")
GOOD = opened(1).transcript()


def test_the_page_names_every_option() -> None:
    said = set(re.findall(r"^\| `(--[a-z]+)", SPEC, re.M))
    known = {it for action in command.parser()._actions for it in action.option_strings}
    assert said == known - {"-h", "--help", "--version"}


def test_the_page_names_every_code() -> None:
    said = set(re.findall(r"`((?:source|start)/[a-z-]+)`", SPEC))
    assert said == set(errands.CAUSES)


def test_the_page_names_every_member() -> None:
    """Those of the object, of the lists in it, and the words for what the house knew."""
    words = set(re.findall(r"[a-z][a-z_0-9-]*", SPEC))

    def names(form: dict[str, Any]) -> set[str]:
        inner = form.get("properties", {})
        below = [*inner.values(), *([form["items"]] if "items" in form else [])]
        return set(inner).union(*map(names, below))

    assert names(schema.SUMMARY) <= words
    table = SPEC.partition("| `knew` | |")[2].partition("\n\n")[0]
    assert re.findall("^\\| `([a-z-]+)`", table, re.M) == schema.KNEW
    order = re.search(r'`\{("exit".*?)\}`\. All', SPEC, re.S)
    assert order is not None
    assert re.findall('"([a-z_]+)"', order[1]) == list(schema.SUMMARY["properties"])


def test_the_specification_lists_the_page() -> None:
    assert "(spec/audit.md)" in (ROOT / "verifier" / "SPEC.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ([], "start/usage"),
        (["a", "b"], "start/usage"),
        (["."], "start/file"),
        (["no such folder"], "start/file"),
        (["http://"], "start/url"),
        (["http://u:p@127.0.0.1/"], "start/url"),
        (["http://127.0.0.1:1"], "start/url"),
        ([".", "--jobs", "0"], "start/usage"),
        ([".", "--jobs", "many"], "start/usage"),
        ([".", "--timeout", "0"], "start/usage"),
        ([".", "--limit", "-1"], "start/usage"),
        ([".", "--now", "yesterday"], "start/usage"),
        ([".", "--now", "2026-02-30"], "start/usage"),
        ([".", "--nonsense"], "start/usage"),
        ([".", "--key", "ab"], "start/key"),
        ([".", "--key", "00" * 32], "start/key"),
        ([".", "--out", "no/such/folder/x"], "start/file"),
        ([".", "--save", "x"], "start/usage"),
        ([".", "--resume", "."], "start/state"),
        (["a\x1b[31m<b>"], "start/file"),
    ],
)
def test_what_cannot_start(words: list[str], code: str, tmp_path: Path) -> None:
    told = audit(*words, "--json", cwd=tmp_path).json()
    assert (told["exit"], told["failure"]["code"]) == (3, code)
    if code == "start/file":
        said = audit(*words, cwd=tmp_path)
        assert (said.exit, said.out.startswith("NOT-STARTED: ")) == (3, True)
    assert [path.name for path in tmp_path.iterdir()] == []


def test_help() -> None:
    said = audit("--help")
    assert said.exit == 0
    for word in ("--resume", "--key", "--jobs", "exit codes", "spec/audit.md"):
        assert word in said.out
    assert "audit FOLDER|URL" in cli.MORE


def test_a_file_called_audit_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "audit").write_bytes(GOOD)
    argv = [*PYTHON, str(OURS), "./audit"]
    ended = subprocess.run(argv, cwd=tmp_path, capture_output=True, check=False, timeout=60)
    assert (ended.returncode, ended.stdout[:8]) == (0, b"VERIFIED")


def test_times() -> None:
    assert command.moment("1767225600000") == command.moment("2026-01-01") == 1_767_225_600_000
    assert command.moment("2026-01-01T00:00:01Z") == 1_767_225_601_000


def test_jobs_make_no_difference(tmp_path: Path) -> None:
    folder = fill(tmp_path / "f", [opened(k).transcript() for k in range(9)] + [b"["])
    assert summary(folder, "--jobs", "1") == summary(folder, "--jobs", "4")


def test_out_is_whole_or_not_there(tmp_path: Path) -> None:
    folder, out = fill(tmp_path / "f", [GOOD]), tmp_path / "out.json"
    told = summary(folder, "--out", out)
    assert json.loads(out.read_text("ascii")) == told
    said = audit(folder, "--out", out, "--now", NOW)
    assert said.out.startswith("NOTHING REFUTED")
    assert json.loads(out.read_text("ascii")) == told
    before = out.read_bytes()
    (folder / "0000.json").unlink()
    assert audit(folder, "--out", out).exit == 3
    assert (out.read_bytes(), sorted(path.name for path in tmp_path.iterdir())) == (
        before,
        ["f", "out.json"],
    )


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    folder = fill(tmp_path / "f", [b"[" for _ in range(300)])
    process = subprocess.Popen(
        command_line(folder, "--json", "--quiet"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    assert (said, process.returncode) == (b"", 2)


@pytest.mark.parametrize("python", [sys.executable, oldest_python()], ids=["this", "oldest"])
def test_in_one_file(python: str, tmp_path: Path) -> None:
    """fairbones-verify.pyz starts its own clerks, with Python alone."""
    assert build(VERIFIER, "--output", str(tmp_path)).returncode == 0
    folder = fill(tmp_path / "f", [GOOD, b"["])
    words = ["audit", str(folder), "--json", "--jobs", "2", "--quiet"]
    argv = [python, "-I", "-S", "-W", "error", str(tmp_path / NAME), *words]
    ended = subprocess.run(argv, cwd=folder, capture_output=True, check=False, timeout=120)
    assert (ended.returncode, ended.stderr) == (2, b"")
    assert json.loads(ended.stdout)["transcripts"]["verified"] == 1


def test_quiet_and_not(tmp_path: Path) -> None:
    folder = fill(tmp_path / "f", [GOOD, b"["])
    assert audit(folder, "--quiet").err == ""
    said = audit(folder).err
    assert re.fullmatch(r"verifying: 2 of 2, [0-9.]+ a second; 1 unreadable\n", said)


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rate is that of what was really verified, and so is the time that is left."""
    clock = [100.0]
    monkeypatch.setattr("fairbones_verify.audit.progress.time.monotonic", lambda: clock[0])
    screen, paper = Screen(), io.StringIO()
    for stream in (screen, paper):
        it = Progress(stream)
        it.begin("verifying", 4_000)
        for _ in range(1_000):
            it.step("verified", fresh=False)
        for k in range(1_000):
            clock[0] += 0.05
            it.step("verified" if k else "refuted")
        it.end()
        lines = re.split("[\r\n]", stream.getvalue())
        assert lines[-2].strip() == (
            "verifying: 2,000 of 4,000, 20.0 a second; 1 refuted, 1,000 known before"
        )
    assert "\r" in screen.getvalue()
    assert "\r" not in paper.getvalue()
    assert "1,200 of 4,000, 20.0 a second, about 2 min 20 s left" in paper.getvalue()
    assert [lasting(it) for it in (0.2, 12, 200, 3_720)] == [
        "0 s",
        "12 s",
        "3 min 20 s",
        "1 h 2 min",
    ]


# The clerks


def test_a_clerk_that_dies_or_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs one transcript its verdict, and nothing else."""
    monkeypatch.setattr(clerks, "serve", idle)
    monkeypatch.setattr(clerks, "GRACE", 0.2)
    names = ["a", "die", "b", "sleep", "c", "die", "d", *map(str, range(20))]
    staff = Clerks(Order("folder", ".", seconds=1), 2)
    begun = time.monotonic()
    done = [result for _, result in staff.results(Errand("verify", name, {}) for name in names)]
    staff.close()
    assert time.monotonic() - begun < 30
    assert len(done) == len(names)
    trouble = [result["unread"] for result in done if "unread" in result]
    assert sorted(one["got"] for one in trouble) == ["it ended with 7", "it ended with 7", "none"]
    assert {one["code"] for one in trouble} == {"source/verifier"}


def test_clerks_that_do_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clerks, "serve", gone)
    staff = Clerks(Order("folder", "."), 2)
    with pytest.raises(NoClerks):
        list(staff.results([Errand("verify", "a", {})]))
    staff.close()
