"""Ask a verifier: ours in this process, or any by its command line (SPEC 9, spec/codes.md)."""

from __future__ import annotations

import contextlib
import io
import json
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairbones_verify import cli
from tests.conformance.reading import Given, Json

SECONDS = 120  # a verifier in a slow language on a busy machine
OURS = Path(cli.__file__).parent


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the exit code and both streams."""

    exit: int
    out: str
    err: str

    def report(self) -> Json:
        """The one JSON object on standard output."""
        told = json.loads(self.out)
        assert isinstance(told, dict)
        return told


Ask = Callable[[Sequence[str]], Answer]


def in_process(arguments: Sequence[str]) -> Answer:
    """Our command line without a process of its own: the same words in, the same words out."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main(list(arguments))
    return Answer(code, out.getvalue(), err.getvalue())


def by_command(command: Sequence[str]) -> Ask:
    """Any verifier as a process."""

    def ask(arguments: Sequence[str]) -> Answer:
        ended = subprocess.run(
            [*command, *arguments], capture_output=True, timeout=SECONDS, check=False
        )
        return Answer(
            ended.returncode, ended.stdout.decode(), ended.stderr.decode(errors="replace")
        )

    return ask


def our_command() -> list[str]:
    """Ours, with nothing but the standard library in reach."""
    return [sys.executable, "-I", "-S", str(OURS)]


def split(command: str) -> list[str]:
    """A command line as a shell would split it."""
    return shlex.split(command)


def differences(given: Given, answer: Answer) -> dict[str, tuple[object, object]]:
    """Member of the report -> (expected, got), where they are not the same."""
    expected = given.expect
    report = answer.report()
    failure = report.get("failure", {})
    got: Json = {**report, "exit": answer.exit}
    got |= {name: failure.get(name) for name in ("code", "number", "seq")}
    if "unchecked" in report:
        got["unchecked"] = sorted(row["code"] for row in report["unchecked"])
    found = {
        name: (value, got.get(name)) for name, value in expected.items() if got.get(name) != value
    }
    if report["exit"] != answer.exit:
        found["exit of the report"] = (answer.exit, report["exit"])
    return found
