"""The command line: `fairbones-verify FILE|URL|- [options]`, exit 0, 1, 2 or 3 (SPEC 9.1)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from . import __version__, sources
from .codes import CAUSE
from .judge import verify
from .report import Failure, Report

ABOUT = "Verify the transcript of a Fairbones match, without trusting the house that dealt it."

MORE = """\
exit codes:
  0  verified: every check that could be made passed
  1  refuted: a check failed, and the report says which; or --complete and no end
  2  unreadable: not a document this verifier knows
  3  the verifier could not start

A house key (--key) and a receipt of your own (--receipt) make the verdict stronger: only with a
key from elsewhere does a refuted transcript convict the house.
"""


class Usage(Exception):
    """The command line makes no sense."""


class Parser(argparse.ArgumentParser):
    """argparse exits with 2 on a wrong command line; 2 means something else here."""

    def error(self, message: str) -> NoReturn:
        raise Usage(message)


def parser() -> Parser:
    """The options, each of them explained."""
    it = Parser(
        prog="fairbones-verify",
        description=ABOUT,
        epilog=MORE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    it.add_argument(
        "source",
        metavar="FILE|URL|-",
        help="a transcript: a file, an http(s) address of it or its match, or - (standard input)",
    )
    it.add_argument("--json", action="store_true", help="print the report as one JSON object")
    it.add_argument(
        "--receipt",
        metavar="F",
        action="append",
        default=[],
        help="a file with a receipt you kept, or a saved answer that carries one; may be repeated",
    )
    it.add_argument(
        "--key",
        metavar="K",
        action="append",
        default=[],
        help="a key of the house from elsewhere: 64 hex digits, a file with them, or a saved "
        "list of keys; may be repeated",
    )
    it.add_argument(
        "--complete",
        action="store_true",
        help="a match that is not at its end is a failure (exit 1)",
    )
    it.add_argument(
        "--seed",
        metavar="N=HEX",
        action="append",
        default=[],
        help="the client seed of seat N, named missing in a void: shows the deal that was dropped",
    )
    it.add_argument("--version", action="version", version=f"fairbones-verify {__version__}")
    return it


def report_on(arguments: argparse.Namespace) -> Report:
    """Read everything that is named, then judge."""
    try:
        keys = [key for given in arguments.key for key in sources.keys(given)]
        receipts = [sources.receipt(path) for path in arguments.receipt]
        seeds = [sources.seed(given) for given in arguments.seed]
        data = sources.transcript(arguments.source)
    except sources.Problem as problem:
        return not_started(*problem.args)
    report = verify(data, receipts=receipts, keys=keys, seeds=seeds)
    report.must_be_complete = arguments.complete
    return report


def not_started(code: str, expected: str, got: str) -> Report:
    """Exit 3."""
    where = "the command line"
    return Report("not-started", failure=Failure(code, 0, where, expected, got, CAUSE[code]))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    as_json = "--json" in given
    try:
        report = report_on(parser().parse_args(given))
    except Usage as error:
        report = not_started("start/usage", "fairbones-verify FILE|URL|- [options]", str(error))
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - nobody shall see a stack trace for a verdict
        name = type(error).__name__
        wanted = "no such thing; please report it with the transcript"
        report = not_started("start/internal", wanted, f"an error in the verifier itself ({name})")
    try:
        sys.stdout.write(report.json() + "\n" if as_json else report.text(colour()))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has gone; the interpreter must not complain about it at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return report.exit


def colour() -> bool:
    """Whether the output is for a terminal that wants colours (NO_COLOR, https://no-color.org)."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
