"""Processes full of bots against one or more services, and the judgement of all that came of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
VERIFIER = ROOT / "verifier" / "fairbones_verify"


@dataclass(frozen=True, slots=True)
class Load:
    """So many matches of so many seats in each of so many processes, for at most `seconds`."""

    processes: int = 2
    matches: int = 3
    seats: int = 2
    seconds: float = 90.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """`wrong` is empty when all is well; `statuses` are those of all answers."""

    ended: int
    moves: int
    events: int
    statuses: dict[int, int]
    wrong: tuple[str, ...]


def burden(urls: Sequence[str], load: Load, folder: Path) -> Outcome:
    """Play it all, the processes spread over the services; every transcript lies in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    asked = [str(it) for it in (load.matches, load.seats, folder, load.seconds)]
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.load.players", urls[at % len(urls)], *asked],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for at in range(load.processes)
    ]
    wrong: list[str] = []
    told: list[dict[str, Any]] = []
    for process in started:
        try:
            out, err = process.communicate(timeout=load.seconds + 60)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
        if process.returncode or err:
            wrong.append(f"a process of players ended with {process.returncode}: {err[-2000:]}")
        else:
            told.append(json.loads(out))
    statuses: Counter[int] = Counter()
    for each in told:
        statuses.update({int(status): count for status, count in each["statuses"].items()})
        wrong += each["wrong"]
    wrong += [f"{count} answers of status {it}" for it, count in statuses.items() if it >= 500]
    ended = sum(each["matches"]["ended"] for each in told)
    wanted = load.processes * load.matches
    if ended != wanted:
        wrong.append(f"{ended} of {wanted} matches ended")
    wrong += judged(folder, wanted)
    return Outcome(
        ended,
        sum(each["moves"] for each in told),
        sum(each["events_checked"] for each in told) // max(1, load.seats),
        dict(statuses),
        tuple(wrong),
    )


def judged(folder: Path, wanted: int) -> list[str]:
    """What the verifier, in a process that shares nothing with the service, has against them."""
    files = sorted(folder.glob("*.json"))
    wrong = [] if len(files) == wanted else [f"{len(files)} transcripts of {wanted} matches"]
    for file in files:
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(VERIFIER), "--complete", str(file)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if done.returncode:
            wrong.append(f"{file.name} is not verified: {done.stdout[-2000:]}{done.stderr[-500:]}")
    return wrong
