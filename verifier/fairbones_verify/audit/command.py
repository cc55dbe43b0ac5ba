"""The command line of `audit` (spec/audit.md)."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sqlite3
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Callable, NoReturn

from .. import __version__, sources
from ..codes import CAUSE
from ..receipts import NotStarted, pin
from ..report import Failure, Report
from . import service
from .clerks import Clerks, NoClerks
from .counts import count
from .course import Course
from .errands import CAUSES, Order
from .finding import NothingThere
from .index import Index
from .out import NoOut, Out, same_file
from .progress import Progress
from .prose import lines
from .state import NoState, State
from .summary import Summary, spelled

ABOUT = "Verify every match of a folder of transcripts or of a service, and count."

MORE = """\
exit codes:
  0  nothing was refuted and everything was readable
  1  a transcript was refuted, or what the house has signed or listed contradicts it
  2  none of that, but something was unreadable, missing or could not be searched
  3  the audit could not start, or not be brought to an end

spec/audit.md says what each count means.
"""
USAGE = "fairbones-verify audit FOLDER|URL [options]"
FORMS = "milliseconds since 1970, 2026-01-31 or 2026-01-31T12:00:00Z"


class NotDone(Exception):
    """(code, what was expected, what is wrong): exit 3."""


class Parser(argparse.ArgumentParser):
    """argparse exits with 2 on a wrong command line; 2 means something else here."""

    def error(self, message: str) -> NoReturn:
        raise NotDone("start/usage", USAGE, message)


def moment(text: str) -> int:
    """A TIME of the command line, in milliseconds since 1970."""
    if re.fullmatch("[0-9]{1,15}", text):
        return int(text)
    found = re.fullmatch("([0-9]{4}-[0-9]{2}-[0-9]{2})(T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)?", text)
    try:
        if found is not None:
            time_of_day = (found[2] or "T00:00:00Z")[:-1]
            read = datetime.fromisoformat(found[1] + time_of_day).replace(tzinfo=timezone.utc)
            return max(0, int(read.timestamp()) * 1000)
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(FORMS)


def between(low: int, high: int) -> Callable[[str], int]:
    """A number of the command line."""

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,9}", text) and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(f"a number {low} to {high}")

    return read


def parser() -> Parser:
    """The options, each of them explained."""
    it = Parser(
        prog="fairbones-verify",
        description=ABOUT,
        epilog=MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = it.add_argument
    add("word", metavar="audit", choices=("audit",), help="this command")
    add("source", metavar="FOLDER|URL", help="a folder, or the http(s) address of a service")
    add("--json", action="store_true", help="print the summary as one JSON object")
    add("--out", metavar="FILE", help="write that object into a file, too")
    add(
        "--key",
        metavar="K",
        action="append",
        default=[],
        help="a key of the house from elsewhere, as for a single file; may be repeated",
    )
    jobs = min(8, os.cpu_count() or 1)
    add("--jobs", metavar="N", type=between(1, 64), default=jobs, help="processes (%(default)s)")
    add("--resume", metavar="STATE", help="note there what is done, and go on with what is noted")
    add("--now", metavar="TIME", type=moment, help=f"judge what is overdue by this: {FORMS}")
    add("--since", metavar="TIME", type=moment, help="only matches opened then or later")
    add("--limit", metavar="N", type=between(1, 10**9), help="the first N transcripts only")
    add(
        "--timeout",
        metavar="S",
        type=between(1, 3600),
        default=300,
        help="seconds that one transcript may take (%(default)s)",
    )
    add("--save", metavar="FOLDER", help="save there what a service serves and is refuted")
    add("--receipts", metavar="FOLDER", help="hold the receipts in it against the transcripts")
    add("--quiet", action="store_true", help="say nothing on standard error")
    add("--version", action="version", version=f"fairbones-verify {__version__}")
    return it


def main(given: Sequence[str]) -> int:
    """Run the command; the result is the exit code."""
    try:
        return audited(parser().parse_args(given))
    except NotDone as problem:
        report = not_done(*problem.args)
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - nobody shall see a stack trace for a verdict
        got = f"an error in the verifier itself ({type(error).__name__})"
        report = not_done("start/internal", "no such thing; please report it", got)
    sys.stdout.write(report.json() + "\n" if "--json" in given else report.text())
    sys.stdout.flush()
    return report.exit


def not_done(code: str, expected: str, got: str) -> Report:
    """Exit 3, in the form of a single file."""
    cause = {**CAUSE, **CAUSES}[code]
    return Report("not-started", failure=Failure(code, 0, "the audit", expected, got, cause))


def audited(wanted: argparse.Namespace) -> int:
    """The whole audit, and its summary printed."""
    try:
        keys = [key for one in wanted.key for key in sources.keys(one)]
        pinned = sorted(pin(keys))
    except (sources.Problem, NotStarted) as problem:
        raise NotDone(*problem.args) from None
    order = order_of(wanted, keys)
    now = int(time.time() * 1000) if wanted.now is None else wanted.now
    progress = Progress(None if wanted.quiet else sys.stderr)
    try:
        with contextlib.ExitStack() as stack:
            if wanted.out is not None and same_file(wanted.out, wanted.resume):
                raise NotDone("start/usage", USAGE, "--out and --resume name one file")
            out = None if wanted.out is None else stack.enter_context(Out(wanted.out))
            state = None
            if wanted.resume is not None:
                state = State(wanted.resume, about(order))
                stack.callback(state.close)
            index = Index(order)
            stack.callback(index.close)
            with contextlib.closing(Clerks(order, wanted.jobs, progress.tick)) as clerks:
                course = Course(order, index, clerks, progress, wanted.limit, state)
                course.run()
            count(index, now)
            summary = Summary(course, now, pinned)
            if out is not None:
                out.write(spelled(summary.members()))
            code = summary.exit
            try:
                print_all(summary, wanted.json)
            except BrokenPipeError:
                # Whoever read us has gone; the interpreter must not complain about it at its exit.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return code
    except NoOut as problem:
        raise NotDone("start/file", *problem.args) from None
    except NoState as problem:
        raise NotDone("start/state", *problem.args) from None
    except NothingThere as problem:
        raise NotDone(*problem.args) from None
    except NoClerks:
        raise NotDone("start/internal", "processes that start", "none does") from None
    except (sqlite3.Error, OSError) as error:
        got = getattr(error, "strerror", None) or str(error)
        raise NotDone("start/file", "room for files", got) from None


def about(order: Order) -> dict[str, object]:
    """What has to be the same for an audit to go on. A folder may have been moved."""
    return {
        "kind": order.kind,
        "service": order.place if order.kind == "service" else "",
        "keys": sorted(key.lower() for key in order.keys),
        "version": __version__,
    }


def order_of(wanted: argparse.Namespace, keys: list[str]) -> Order:
    """What the clerks have to know."""
    if wanted.receipts and not os.path.isdir(wanted.receipts):
        raise NotDone("start/file", "a folder with receipts", wanted.receipts)
    receipts = os.path.abspath(wanted.receipts) if wanted.receipts else ""
    more = {"keys": keys, "since": wanted.since, "seconds": wanted.timeout, "receipts": receipts}
    if re.match(r"(?i)https?://", wanted.source):
        place = service.address(wanted.source)
        if not place:
            raise NotDone("start/url", "the address of a service", wanted.source)
        save = wanted.save or ""
        if save:
            try:
                os.makedirs(save, exist_ok=True)
            except OSError as error:
                raise NotDone(
                    "start/file", "a folder to save to", f"{save}: {error.strerror}"
                ) from None
        return Order("service", place, **more, save=os.path.abspath(save) if save else "")
    if not os.path.isdir(wanted.source):
        raise NotDone("start/file", "a folder, or an http(s) address", wanted.source)
    if wanted.save:
        raise NotDone("start/usage", USAGE, "--save is for a service: files are kept already")
    return Order("folder", os.path.abspath(wanted.source), **more)


def print_all(summary: Summary, as_json: bool) -> None:
    """The summary, piece by piece."""
    if as_json:
        sys.stdout.writelines(spelled(summary.members()))
        sys.stdout.write("\n")
    else:
        colour = (
            sys.stdout.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        for line in lines(summary, colour):
            sys.stdout.write(line + "\n")
    sys.stdout.flush()
