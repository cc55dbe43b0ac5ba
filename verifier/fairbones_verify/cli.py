"""The command line: `fairbones-verify FILE|URL|- [options]`, exit 0, 1, 2 or 3 (SPEC 9.1).

`--explain` and `compare` are those of spec/tools.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol

from . import __version__, sources, strictjson
from .codes import CAUSE
from .compare import OtherMatch, Unreadable, compare
from .explain import explain
from .judge import verify
from .receipts import NotStarted
from .report import Failure, Report
from .sought import NoSuchSeal, asked

ABOUT = "Verify the transcript of a Fairbones match, without trusting the house that dealt it."

MORE = """\
Another command: fairbones-verify compare A B, for two files of one match (compare --help).
For a whole folder or service: fairbones-verify audit FOLDER|URL (audit --help).
For a seat or a spectator: fairbones-verify play URL ..., watch URL ... (play --help), --keep FILE.

exit codes:
  0  verified: every check that could be made passed
  1  refuted: a check failed, and the report says which; or --complete and no end
  2  unreadable: not a document this verifier knows
  3  the verifier could not start

A house key (--key) and a receipt of your own (--receipt) make the verdict stronger: only with a
key from elsewhere does a refuted transcript convict the house.
"""

ABOUT_COMPARE = "Compare two files of one match, each a transcript or a receipt."

MORE_COMPARE = """\
exit codes:
  0  consistent: equal, one the beginning of the other, or nothing that both speak of
  1  they contradict each other; with --key it is shown whether the house signed both
  2  unreadable: one of them is neither a transcript nor a receipt
  3  the comparison could not start, for they are of two matches, say
"""

# Causes of the two codes that spec/tools.md adds to those of spec/codes.md.
CAUSES = {
    **CAUSE,
    "start/seal": "a hand or a position that this match does not have",
    "start/other-match": "files of two different matches",
}
USAGE = "fairbones-verify FILE|URL|- [options], or fairbones-verify compare A B [options]"
SHOWN = "an object with a round and its openings, or a saved view of a seat"
SENT = "a move as it was sent, with seq, prev, action and signature"
VALUED = (
    *("--receipt", "--key", "--openings", "--protest", "--seed", "--explain", "--keep"),
    *("--match", "--seat", "--name", "--key-file", "--invite", "--chooser"),  # of play and watch
    *("--seconds", "--evidence"),
)


class Answer(Protocol):
    """What is printed, and the exit code."""

    @property
    def exit(self) -> int: ...

    def json(self) -> str: ...

    def text(self, colour: bool = False) -> str: ...


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
        "--openings",
        metavar="F",
        action="append",
        default=[],
        help="a file with tiles that a seat knew of a running hand (their positions and salts), or "
        "a saved view of the seat: finds a false pass or draw of it; may be repeated",
    )
    it.add_argument(
        "--protest",
        metavar="F",
        action="append",
        default=[],
        help="a file with a move as a seat signed and sent it: says whether it stands there; may "
        "be repeated",
    )
    it.add_argument(
        "--seed",
        metavar="N=HEX",
        action="append",
        default=[],
        help="the client seed of seat N, named missing in a void: shows the deal that was dropped",
    )
    it.add_argument(
        "--explain",
        metavar="SEAL",
        help="ROUND:POSITION of one tile (round 0 is the draw for the lead; the position alone, "
        "where there is only one hand): every hash of it, recomputed",
    )
    it.add_argument("--version", action="version", version=f"fairbones-verify {__version__}")
    return it


def compare_parser() -> Parser:
    """The options of `compare`."""
    it = Parser(
        prog="fairbones-verify",
        description=ABOUT_COMPARE,
        epilog=MORE_COMPARE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    it.add_argument("word", metavar="compare", choices=("compare",), help="this command")
    for name in ("A", "B"):
        it.add_argument(name, help="a file, an http(s) address, or - (standard input)")
    it.add_argument("--json", action="store_true", help="print the result as one JSON object")
    it.add_argument(
        "--key",
        metavar="K",
        action="append",
        default=[],
        help="a key of the house from elsewhere, as for a single file; may be repeated",
    )
    return it


def first_word(given: Sequence[str]) -> str:
    """The first argument that is neither an option nor the value of one; "" after `--`."""
    place = first_place(given)
    return "" if place is None else given[place]


def first_place(given: Sequence[str]) -> int | None:
    """Where that is; None where there is none."""
    words = iter(enumerate(given))
    for place, word in words:
        if word in VALUED:
            next(words, None)
        elif word == "--":
            return None
        elif word == "-" or not word.startswith("-"):
            return place
    return None


def has_keep(given: Sequence[str]) -> bool:
    """Whether `--keep F` or `--keep=F` stands there as an option."""
    ahead = given[: given.index("--")] if "--" in given else given
    return any(word == "--keep" or word.startswith("--keep=") for word in ahead)


def answer_to(given: Sequence[str]) -> Answer:
    """Do what the command line says."""
    word = first_word(given)
    if word == "compare":
        return compared(compare_parser().parse_args(given))
    if word in ("play", "watch") or has_keep(given):
        return attended(word if word in ("play", "watch") else "keep", given)
    return report_on(parser().parse_args(given))


def attended(word: str, given: Sequence[str]) -> Answer:
    """A seat at a table, a spectator, or a keep beside a transcript (spec/client.md)."""
    from .client.commands import answer

    about = "Play or watch a match and check everything as it comes; or verify it with a keep."
    try:
        own = word in ("play", "watch")  # a keep comes with the options of a transcript
        prog = f"fairbones-verify {word}" if own else "fairbones-verify"
        it = Parser(prog=prog, description=about, allow_abbrev=False)
        rest, place = list(given), first_place(given)
        if own and place is not None:
            del rest[place]
        return answer(word, rest, it)
    except (sources.Problem, NotStarted) as problem:
        return not_started(*problem.args)


def compared(arguments: argparse.Namespace) -> Answer:
    """Read two files, then compare."""
    if arguments.A == arguments.B == "-":
        raise Usage("standard input cannot be read twice")
    try:
        keys = [key for given in arguments.key for key in sources.keys(given)]
        first, second = (sources.transcript(one) for one in (arguments.A, arguments.B))
        return compare(first, second, keys)
    except (sources.Problem, NotStarted) as problem:
        return not_started(*problem.args)
    except Unreadable as unreadable:
        return unreadable.report
    except OtherMatch as other:
        one, another = other.args
        return not_started("start/other-match", f"B of match {one}", f"B of match {another}")


def report_on(arguments: argparse.Namespace) -> Answer:
    """Read everything that is named, then judge; explain what is verified, if that was asked."""
    try:
        keys = [key for given in arguments.key for key in sources.keys(given)]
        receipts = [sources.receipt(path) for path in arguments.receipt]
        seeds = [sources.seed(given) for given in arguments.seed]
        openings = [sources.paper(path, "start/openings", SHOWN) for path in arguments.openings]
        protests = [sources.paper(path, "start/protest", SENT) for path in arguments.protest]
        if arguments.explain is not None:
            asked(arguments.explain)
        data = sources.transcript(arguments.source)
    except sources.Problem as problem:
        return not_started(*problem.args)
    except NoSuchSeal as wrong:
        return not_started("start/seal", *wrong.args)
    report = verify(
        data, receipts=receipts, keys=keys, seeds=seeds, openings=openings, protests=protests
    )
    report.must_be_complete = arguments.complete
    document, _ = strictjson.document(data) if arguments.explain is not None else (None, None)
    if document is None or report.exit:
        return report
    try:
        return explain(document, arguments.explain)
    except NoSuchSeal as wrong:
        return not_started("start/seal", *wrong.args)


def not_started(code: str, expected: str, got: str) -> Report:
    """Exit 3."""
    where = "the command line"
    return Report("not-started", failure=Failure(code, 0, where, expected, got, CAUSES[code]))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the result is the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    if first_word(given) == "audit":  # spec/audit.md; late, for nobody else needs a database
        from .audit.command import main as audit

        return audit(given)
    as_json = "--json" in given
    try:
        answer = answer_to(given)
    except Usage as error:
        answer = not_started("start/usage", USAGE, str(error))
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - nobody shall see a stack trace for a verdict
        name = type(error).__name__
        wanted = "no such thing; please report it with the transcript"
        answer = not_started("start/internal", wanted, f"an error in the verifier itself ({name})")
    try:
        sys.stdout.write(answer.json() + "\n" if as_json else answer.text(colour()))
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has gone; the interpreter must not complain about it at its exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return answer.exit


def colour() -> bool:
    """Whether the output is for a terminal that wants colours (NO_COLOR, https://no-color.org)."""
    return (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
