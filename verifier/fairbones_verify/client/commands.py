"""`fairbones-verify play`, `watch` and `--keep` (spec/client.md)."""

from __future__ import annotations

import re
import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Callable

from .. import sources
from ..judge import verify
from ..receipts import NotStarted
from ..report import Report, shown
from .admission import excused
from .choosers import CHOOSERS
from .course import Seat
from .follower import Follower
from .guard import Guard
from .keep import Keep, NoKeep
from .lies import Lie, Unreachable
from .outcome import Outcome, attended, told
from .wire import Wire

Json = dict[str, Any]


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
    it.add_argument("--keep", metavar="F", help="the keep; one that is there is gone on with")
    it.add_argument("--chooser", choices=sorted(CHOOSERS), default="heaviest", help="who plays")
    return it


def watch_options(it: ArgumentParser) -> ArgumentParser:
    options(it)
    it.add_argument("--seconds", type=float, default=3600.0, help="how long to watch at most")
    return it


def keep_options(it: ArgumentParser) -> ArgumentParser:
    it.add_argument("source", metavar="FILE|URL|-", nargs="?", help="default: from the house")
    it.add_argument("--keep", metavar="F", required=True, help="the keep of a seat")
    it.add_argument("--json", action="store_true", help="print the report as one JSON object")
    it.add_argument("--complete", action="store_true", help="an unfinished match is a failure")
    return it


def pinned(given: Sequence[str]) -> list[str]:
    return [key for one in given for key in sources.keys(one)]


def play(given: Namespace) -> Outcome:
    """One seat, to the end of the match."""
    keys = pinned(given.key)
    path = Path(given.keep or f"fairbones-{given.match}-{given.seat}.keep.json")
    try:
        kept = Keep.load(path) if path.exists() else None
        if kept is not None and (kept.match, kept.seat) != (given.match, given.seat):
            raise NoKeep(f"{path}: of another match or another seat")
        if kept is None:
            kept = Keep(path, given.url, given.match, given.seat, given.name, given.invite, keys)
            if given.key_file or given.no_key:
                kept.secret_key = secret_key(Path(given.key_file)) if given.key_file else ""
            kept.save()
        seat = Seat(Wire(given.url), kept, CHOOSERS[given.chooser])
    except (NoKeep, NotStarted, Unreachable) as problem:
        return Outcome("not-started", {"said": shown(str(problem))}, [shown(str(problem))])
    seat.watching = (lambda from_: told(seat, from_)) if given.verbose else None
    name = given.evidence or f"fairbones-{given.match}-{given.seat}.evidence"
    return attended(seat, seat.play, name, "checked as they came and once more at the end")


def secret_key(path: Path) -> str:
    """64 hex digits; made, for their owner alone, where there is no such file."""
    if not path.exists():
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(secrets.token_hex(32) + "\n", encoding="ascii")
    text = path.read_text(encoding="ascii", errors="replace").strip()
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise NoKeep(f"{path}: a secret key is 64 hex digits")
    return text


def watch(given: Namespace) -> Outcome:
    """A spectator, to the end of the match or of its time."""
    keys = pinned(given.key)
    try:
        follower = Follower(Wire(given.url), Guard(given.match, None, keys))
    except (NotStarted, Unreachable) as problem:
        return Outcome("not-started", {"said": shown(str(problem))}, [shown(str(problem))])
    follower.watching = (lambda from_: told(follower, from_)) if given.verbose else None
    name = given.evidence or f"fairbones-{given.match}.evidence"
    how = "checked as they came and once more at the end"
    return attended(follower, lambda: follower.watch(given.seconds), name, how)


def kept(given: Namespace) -> Report | Outcome:
    """A transcript, with all that a keep has beside it."""
    try:
        keep = Keep.load(Path(given.keep))
    except NoKeep as problem:
        return Outcome("not-started", {"said": shown(str(problem))}, [shown(str(problem))])
    data = sources.transcript(given.source or f"{keep.url.rstrip('/')}/v1/matches/{keep.match}")
    guard = keep.guard()
    beside: Json = {"receipts": [*keep.receipts, *keep.contrary], "keys": keep.house_keys}
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
        members: Json = {"match": keep.match, "obligation": lie.obligation, "said": lie.said}
        return Outcome("stopped", members, [f"{shown(lie.said)} (SPEC 10, {lie.obligation})."])
    return report


Do = Callable[[Namespace], "Report | Outcome"]
COMMANDS: dict[str, tuple[Callable[[ArgumentParser], object], Do]] = {
    "play": (play_options, play),
    "watch": (watch_options, watch),
    "keep": (keep_options, kept),
}


def answer(word: str, given: Sequence[str], it: ArgumentParser) -> Report | Outcome:
    """What `play`, `watch` or `keep` has to say. `sources.Problem` when a file is of no use."""
    options_of, do = COMMANDS[word]
    options_of(it)
    return do(it.parse_args(given))
