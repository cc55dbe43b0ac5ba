"""`fairbones export` and `fairbones import`: matches from store to store."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import click

from fairbones.cli.output import Progress, matches, remark, say_json
from fairbones.cli.refusal import EXIT_WRONG, refusing
from fairbones.config import load_settings
from fairbones.core.errors import FairbonesError

_DATES = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"]


def _match_ids(
    _context: click.Context, _parameter: click.Parameter, told: tuple[str, ...]
) -> tuple[bytes, ...]:
    for text in told:
        if re.fullmatch(r"[0-9a-f]{32}", text) is None:
            raise click.BadParameter(f"{text!r} is not the id of a match, which has 32 hex digits.")
    return tuple(map(bytes.fromhex, told))


@click.command()
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--match",
    "match_ids",
    callback=_match_ids,
    multiple=True,
    metavar="ID",
    help="Only this match; may be given again.",
)
@click.option(
    "--ended-before",
    type=click.DateTime(_DATES),
    metavar="DATE",
    help="Only matches that were over before this time, UTC.",
)
@refusing
def export(file: Path, match_ids: tuple[bytes, ...], ended_before: datetime | None) -> None:
    """Write matches to FILE, or to standard output for `-`.

    Every event, receipt and hash as it is, seeds sealed: the store that imports them needs the same
    keys. The service may run meanwhile; a match that goes on is exported as it is at that moment.
    The file is JSON lines; the last one tells whether all is there.
    """
    from fairbones.archive.exporting import chosen
    from fairbones.archive.exporting import export as run
    from fairbones.cli.places import library, now, shown

    settings = load_settings()
    remark(f"the store is {shown(settings)}")
    before = None if ended_before is None else _ms(ended_before)
    with library(settings) as store, written(file) as out:
        number = run(out, chosen(store, match_ids, before), now(), Progress("exported"))
    remark(f"{matches(number)} exported")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--ended-only", is_flag=True, help="Leave out matches that are not over.")
@click.option(
    "--running",
    is_flag=True,
    help="Take matches that are not over too: the old store will never serve again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@refusing
def import_(file: Path, ended_only: bool, running: bool, as_json: bool) -> None:
    """Keep the matches of an export, FILE or standard input for `-`.

    A match that is not over would go on from where the file has it. Its players may hold receipts
    for what came after, and then the house has signed two histories: they can prove that. So a file
    with such matches is refused, but for one of two: --ended-only, as for every backup; or
    --running, to move a house whose old store is out of service for good and was so when the
    export was made.

    Each is checked before: its chain, its receipts against the keys in FAIRBONES_KEYS, its seed. A
    line that is damaged changes nothing and is told. Matches that are here already are passed over:
    run it again after an interruption. In the list of matches each stands where it was imported.
    Guard the file as you guard the database.
    """
    from fairbones.archive.importing import import_ as run
    from fairbones.cli.places import shown, to_change

    if ended_only and running:
        raise click.UsageError("Give --ended-only or --running, not both.")
    settings = load_settings()
    remark(f"the store is {shown(settings)}")
    with _source(file) as given, contextlib.ExitStack() as stack:
        source = given
        if not ended_only and not running:
            source = stack.enter_context(_again(given))
            _refuse_unended(source)
        opened = stack.enter_context(to_change(settings, make=True, retired=True))
        result = run(
            source,
            opened.adopt,
            opened.keys.signer,
            opened.keys.vault,
            Progress("read"),
            ended_only=ended_only,
        )
    if result.left:
        remark(f"{matches(result.left)} left out: not over")
    for line, problem in result.problems:
        remark(f"line {line}: {problem}" if line else problem)
    if as_json:
        say_json(result.told())
    else:
        click.echo(f"{matches(result.kept)} imported, {result.here} were here")
    sys.exit(EXIT_WRONG if result.problems else 0)


@contextlib.contextmanager
def written(file: Path) -> Iterator[BinaryIO]:
    """A new file (0600), whole and durable when nothing goes wrong inside, else none at all."""
    if str(file) == "-":
        yield sys.stdout.buffer
        return
    if os.path.lexists(file):
        raise _exists(file)
    # A name of its own, for two commands may be given one file at one moment.
    unfinished = file.with_name(f"{file.name}.{secrets.token_hex(4)}.unfinished")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(unfinished, flags, 0o600)
    except OSError as error:
        raise FairbonesError("house/file", f"{file}: {error.strerror}") from None
    try:
        with os.fdopen(handle, "wb") as out:
            os.fchmod(handle, 0o600)
            yield out
            out.flush()
            os.fsync(handle)
        name(unfinished, file)
    except FileExistsError:
        unfinished.unlink(missing_ok=True)
        raise _exists(file) from None
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def name(unfinished: Path, file: Path) -> None:
    """Give a file its name, durably. Unlike a renaming it never replaces one that is there: that
    is `FileExistsError`.
    """
    from fairbones.store.connections import sync_folder

    os.link(unfinished, file)
    unfinished.unlink()
    sync_folder(file.parent)


def _exists(file: Path) -> FairbonesError:
    return FairbonesError("house/file", f"{file} exists; name another file")


def _refuse_unended(source: BinaryIO) -> None:
    """`house/second-history` where matches are not over; else the source is at its begin again."""
    from fairbones.archive.importing import unended

    number = unended(source)
    if number:
        raise FairbonesError(
            "house/second-history",
            f"nothing is imported: {matches(number)} of this file {_are(number)} not over and "
            "would go on from this copy, a second history where a service has gone on with the "
            "first; give --ended-only to leave such out, or --running to move a house whose old "
            "store is out of service for good",
        )
    source.seek(0)


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


@contextlib.contextmanager
def _again(source: BinaryIO) -> Iterator[BinaryIO]:
    """The same bytes in what can be read twice: a pipe goes into a file without a name."""
    if source.seekable():
        yield source
        return
    with tempfile.TemporaryFile() as kept:
        shutil.copyfileobj(source, kept)
        kept.seek(0)
        yield kept


def _source(file: Path) -> contextlib.AbstractContextManager[BinaryIO]:
    if str(file) == "-":
        return contextlib.nullcontext(sys.stdin.buffer)
    return file.open("rb")


def _ms(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp()) * 1000
