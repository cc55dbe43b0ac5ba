"""`fairbones-verify play`, `watch` and `--keep` (spec/client.md)."""

from __future__ import annotations

import math
import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

from .. import sources
from ..hashing import key_id
from ..judge import verify
from ..receipts import pin
from ..report import Report, shown
from .admission import excused
from .choosers import CHOOSERS
from .course import Seat
from .follower import Follower
from .guard import Guard
from .keep import Keep, NoKeep
from .lies import Lie, SeatTaken, Unreachable
from .lock import alone
from .outcome import Outcome, attended, told
from .resuming import begun
from .wire import Wire

Json = dict[str, Any]
SEATS = 64


def options(it: ArgumentParser) -> ArgumentParser:
    """What `play` and `watch` have in common."""
    it.add_argument("url", metavar="URL", help="where the house listens")
    it.add_argument("--match", metavar="ID", required=True, help="the match, 32 hex digits")
    it.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    it.add_argument("--verbose", action="store_true", help="tell each event on standard error")
    it.add_argument("--evidence", metavar="DIR", help="the folder for evidence, if it comes to it")
    it.add_argument(
        "--key", metavar="K", action="append", default=[], help="a key of the house from elsewhere"
    )
    return it


def play_options(it: ArgumentParser) -> ArgumentParser:
    options(it)
    it.add_argument("--seat", metavar="N", type=int, required=True, help="the seat, from 0")
    it.add_argument("--name", default="", help="a pseudonym; public, never erased")
    key = it.add_mutually_exclusive_group()
    key.add_argument(
        "--key-file",
        metavar="F",
        help="the seat's secret key, made if there is none; else a new one",
    )
    key.add_argument("--no-key", action="store_true", help="sign nothing")
    it.add_argument("--invite", metavar="HEX", default="", help="the secret of a reserved seat")
    it.add_argument(
        "--keep",
        metavar="F",
        help="goes on where a run was broken off (fairbones-MATCH-SEAT.keep.json)",
    )
    it.add_argument(
        "--chooser", choices=sorted(CHOOSERS), default="heaviest", help="who plays (heaviest)"
    )
    return it


def watch_options(it: ArgumentParser) -> ArgumentParser:
    options(it)
    it.add_argument("--seconds", type=float, default=3600.0, help="how long to watch at most")
    return it


def keep_options(it: ArgumentParser) -> ArgumentParser:
    it.add_argument("source", metavar="FILE|URL|-", nargs="?", help="default: from the house")
    it.add_argument("--keep", metavar="F", required=True, help="the keep of a seat")
    it.add_argument("--json", action="store_true", help="print the report as one JSON object")
    it.add_argument(
        "--key", metavar="K", action="append", default=[], help="a key of the house from elsewhere"
    )
    it.add_argument("--complete", action="store_true", help="an unfinished match is a failure")
    return it


def pinned(given: Sequence[str]) -> list[str]:
    """The keys of the house on the command line; `NotStarted` for one that is no good key."""
    keys = [key.lower() for one in given for key in sources.keys(one)]
    pin(keys)
    return keys


def checked(given: Namespace) -> None:
    """What the command line says of the match, before any file is named after it."""
    if not re.fullmatch("[0-9a-f]{32}", given.match):
        raise sources.Problem("start/usage", "--match: 32 lowercase hex digits", given.match)
    if not 0 <= getattr(given, "seat", 0) < SEATS:
        wanted = f"--seat: a number 0 to {SEATS - 1}"
        raise sources.Problem("start/usage", wanted, str(given.seat))
    seconds = getattr(given, "seconds", 0.0)
    if not 0 <= seconds < math.inf:
        raise sources.Problem("start/usage", "--seconds: a number", str(seconds))


def not_started(problem: Exception) -> Outcome:
    said = shown(str(problem))
    return Outcome("not-started", {"said": said}, [said])


def play(given: Namespace) -> Outcome:
    """One seat, to the end of the match."""
    checked(given)
    keys = pinned(given.key)
    path = Path(given.keep or f"fairbones-{given.match}-{given.seat}.keep.json")
    name = given.evidence or f"fairbones-{given.match}-{given.seat}.evidence"
    try:
        with alone(path):
            wire = Wire(given.url)
            seat = Seat(wire, begun(path, given, keys), CHOOSERS[given.chooser])
            seat.watching = (lambda from_: told(seat, from_)) if given.verbose else None
            how = "checked as they came and once more at the end"
            if not given.json:
                sys.stderr.write(f"Playing seat {given.seat}; the keep is {shown(str(path))}.\n")
            outcome = attended(seat, seat.play, name, how)
            if outcome.result == "not-started" and path.exists():
                outcome.lines.append(f"The keep is {path}: the same command goes on with it.")
            return outcome
    except (NoKeep, Unreachable) as problem:
        return not_started(problem)


def watch(given: Namespace) -> Outcome:
    """A spectator, to the end of the match or of its time."""
    checked(given)
    keys = pinned(given.key)
    try:
        follower = Follower(Wire(given.url), Guard(given.match, None, keys))
    except Unreachable as problem:
        return not_started(problem)
    follower.watching = (lambda from_: told(follower, from_)) if given.verbose else None
    name = given.evidence or f"fairbones-{given.match}.evidence"
    how = "checked as they came and once more at the end"
    return attended(follower, lambda: follower.watch(given.seconds), name, how)


def kept(given: Namespace) -> Report | Outcome:
    """A transcript, with all that a keep has beside it."""
    try:
        keep = Keep.load(Path(given.keep))
    except NoKeep as problem:
        return not_started(problem)
    keep.pin(pinned(getattr(given, "key", ())))
    data = sources.transcript(given.source or f"{keep.url.rstrip('/')}/v1/matches/{keep.match}")
    other = other_key(keep, data)
    if other is not None:
        return other
    guard = keep.guard()
    # What the house named first holds the chain, but nobody gave it: it pins nothing here (9.5).
    beside: Json = {"receipts": [*keep.receipts, *keep.contrary], "keys": keep.pinned}
    report = verify(data, **beside)
    if report.verdict == "verified":
        document = sources.loose(data)
        seen = {e["data"]["round"] for e in document["events"] if e["type"] == "dealt"}
        beside["openings"] = [one for one in keep.openings if one["round"] in seen]
        beside["protests"] = [b for b in keep.sent.get("actions", []) if "signature" in b]
        if keep.seat in report.ask_seeds:
            beside["seeds"] = [(keep.seat, bytes.fromhex(keep.seed))]
        report = verify(data, **beside)
        report.protests = [one for one in report.protests if one.standing != "taken"]
    report.must_be_complete = given.complete
    if report.exit:
        return report
    try:
        guard.chronicle.list_keys(document["keys"])
        guard.hear("events", {**document, "head": document["receipt"]})
    except Lie as lie:
        if excused(guard, lie, data) is not None:
            return report
        return stopped(keep, lie)
    except SeatTaken as taken:
        return not_started(taken)
    return report


def stopped(keep: Keep, lie: Lie) -> Outcome:
    """A lie that only the keep shows."""
    members: Json = {"match": keep.match, "obligation": lie.obligation, "said": lie.said}
    if lie.code is not None:
        members["code"] = lie.code
    return Outcome("stopped", members, [f"{shown(lie.said)} (SPEC 10, {lie.obligation})."])


def other_key(keep: Keep, data: bytes) -> Outcome | None:
    """C2: the match is signed with one key, the one that was given or named first."""
    if keep.against:
        said = "the key that you gave is not the key of the match"
        return stopped(keep, Lie("C2", said, 0, "key/other"))
    document = sources.loose(data)
    try:
        first = document["events"][0]
        named, match = first["data"]["key_id"], first["match"]
    except (LookupError, TypeError):
        return None
    held = key_id(bytes.fromhex(keep.first_named))
    if not keep.first_named or match != keep.match or named == held or not isinstance(named, str):
        return None
    said = f"the match is signed with the key {shown(named)}; the house named {held} first"
    return stopped(keep, Lie("C2", said, 0, "key/other"))


Do = Callable[[Namespace], "Report | Outcome"]
COMMANDS: dict[str, tuple[Callable[[ArgumentParser], object], Do]] = {
    "play": (play_options, play),
    "watch": (watch_options, watch),
    "keep": (keep_options, kept),
}


def answer(word: str, given: Sequence[str], it: ArgumentParser) -> Report | Outcome:
    """What `play`, `watch` or `keep` has to say. `sources.Problem` or `NotStarted` when
    what is given is of no use."""
    options_of, do = COMMANDS[word]
    options_of(it)
    return do(it.parse_args(given))
