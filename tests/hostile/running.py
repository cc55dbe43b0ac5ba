"""A real house on a free port, and rivals in processes of their own; each ended by its own pid."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.audit.running import environment
from tests.hostile import rival
from tests.hostile.wire import Answer, Request, parsed, send

READY = re.compile(r"listening on http://127\.0\.0\.1:(\d+) ")
ALIVE = Request("GET", "/livez")


@dataclass(frozen=True, slots=True)
class House:
    """A running service: where it listens, and what it has logged."""

    port: int
    log: Path
    process: subprocess.Popen[str]

    def ask(self, request: Request) -> Answer:
        """One request on a connection of its own."""
        return send(self.port, request.raw())

    def unharmed(self) -> None:
        """It lives, it answers, and nothing went wrong inside it."""
        assert self.process.poll() is None
        assert self.ask(ALIVE).status == 200
        text = self.log.read_text("utf-8")
        assert "Traceback" not in text
        lines = [json.loads(line) for line in text.split("\n")[:-1]]
        assert [it for it in lines if it["level"] not in ("debug", "info")] == []
        assert [it for it in lines if it.get("status") == 500] == []


@contextlib.contextmanager
def running(folder: Path, **settings: object) -> Iterator[House]:
    """`fairbones serve` on a free port, at its most talkative."""
    ours = {"PORT": "0", "DATA": str(folder / "data"), "LOG_LEVEL": "debug"} | settings
    log = folder / "log"
    with log.open("wb") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "fairbones.cli", "serve"],
            env=environment(**{f"FAIRBONES_{name}": str(value) for name, value in ours.items()}),
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout is not None
    try:
        found = READY.search(process.stdout.readline())
        assert found is not None, log.read_text()
        yield House(int(found[1]), log, process)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def make_keys(folder: Path) -> None:
    """The keys of a house that does not make its own, in the data folder of `running`."""
    subprocess.run(
        [sys.executable, "-m", "fairbones.cli", "keys", "create"],
        env=environment(FAIRBONES_DATA=str(folder / "data")),
        check=True,
        capture_output=True,
    )


class Rivals:
    """Several client processes that strike together."""

    def __init__(self, count: int) -> None:
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(rival.__file__))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(count)
        ]

    def strike(self, port: int, raws: Sequence[bytes]) -> list[bytes]:
        """The requests dealt out to the processes in turn; the answers in their order."""
        count = min(len(self._processes), len(raws))
        armed = self._processes[:count]
        for place, process in enumerate(armed):
            share = [raw.hex() for raw in raws[place::count]]
            self._tell(process, json.dumps({"port": port, "raws": share}))
        for process in armed:
            assert self._hear(process) == "ready"
        for process in armed:
            self._tell(process, "go")
        answers = [b""] * len(raws)
        for place, process in enumerate(armed):
            answers[place::count] = map(bytes.fromhex, json.loads(self._hear(process)))
        return answers

    def _tell(self, process: subprocess.Popen[str], line: str) -> None:
        assert process.stdin is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()

    def _hear(self, process: subprocess.Popen[str]) -> str:
        assert process.stdout is not None
        return process.stdout.readline().strip()

    def end(self) -> None:
        """Their input ends, and so do they."""
        for process in self._processes:
            try:
                process.communicate(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


@dataclass(frozen=True, slots=True)
class AtOnce:
    """Sends requests at one moment, from `rivals` or from threads of this process."""

    port: int
    rivals: Rivals | None

    def __call__(self, *requests: Request) -> list[Answer]:
        raws = [request.raw() for request in requests]
        if self.rivals is None:
            return [parsed(raw) for raw in rival.volley(self.port, raws)]
        return [parsed(raw) for raw in self.rivals.strike(self.port, raws)]
