"""`fairbones export` and `fairbones import`: matches from store to store."""

from __future__ import annotations

import contextlib
import os
import re
import sys
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
    from fairbones.cli.places import library, now

    before = None if ended_before is None else _ms(ended_before)
    with library(load_settings()) as store, written(file) as out:
        number = run(out, chosen(store, match_ids, before), now(), Progress("exported"))
    remark(f"{matches(number)} exported")


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@refusing
def import_(file: Path, as_json: bool) -> None:
    """Keep the matches of an export, FILE or standard input for `-`.

    Each is checked before: its chain, its receipts against the keys in FAIRBONES_KEYS, its seed. A
    line that is damaged changes nothing and is told. Matches that are here already are passed over:
    run it again after an interruption. In the list of matches each stands where it was imported.
    Guard the file as you guard the database.
    """
    from fairbones.archive.importing import import_ as run
    from fairbones.cli.places import to_change

    with _source(file) as source, to_change(load_settings(), make=True) as opened:
        result = run(
            source, opened.store.adopt, opened.keys.signer, opened.keys.vault, Progress("read")
        )
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
    if file.exists():
        raise FairbonesError("house/file", f"{file} exists; name another file")
    unfinished = file.with_name(f"{file.name}.unfinished")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            os.fchmod(handle, 0o600)
            yield out
            out.flush()
            os.fsync(handle)
        unfinished.rename(file)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def _source(file: Path) -> contextlib.AbstractContextManager[BinaryIO]:
    if str(file) == "-":
        return contextlib.nullcontext(sys.stdin.buffer)
    return file.open("rb")


def _ms(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp()) * 1000
