"""`fairbones backup`: all matches in one file, taken while the service runs, and checked."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairbones.cli.output import Progress, count, matches, moment, remark, say_json
from fairbones.cli.refusal import EXIT_WRONG, refusing
from fairbones.config import Settings, load_settings
from fairbones.core.errors import FairbonesError

if TYPE_CHECKING:
    from fairbones.keys.keyring import Keyring

_SQLITE = b"SQLite format 3\0"


@dataclass(slots=True)
class Checked:
    """What a look through a backup has found; `problems` are sentences."""

    matches: int = 0
    problems: list[str] = field(default_factory=list)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.option(
    "--check",
    "checked",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Check this backup and make none.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@refusing
def backup(folder: Path | None, checked: Path | None, as_json: bool) -> None:
    """Copy all matches into a new file in FOLDER, named by the time, and check it.

    A backup is of the past: never put one back into service as it is. Its matches have gone on, and
    to go on from here would be a second history, which their players can prove. What was over is
    taken from it: `fairbones export --ended-before` with SQLite, where it is a database that
    `fairbones serve` refuses; then, as with a Redis store, where it is an export already,
    `fairbones import --ended-only` (deploy/RUNBOOK.md, Restore a backup).

    Keys are not in it. Keep a copy of FAIRBONES_KEYS elsewhere: without it no backup can be used,
    and whoever has both can read every hand.
    """
    from fairbones.cli.places import shown
    from fairbones.keys.keyring import open_keyring

    if (folder is None) == (checked is None):
        raise click.UsageError("Give a FOLDER for the backup, or --check FILE.")
    settings = load_settings()
    if folder is not None:
        remark(f"the store is {shown(settings)}")
    # First: without them nothing could be checked. Old copies need old keys.
    keys = open_keyring(settings.keys, frozenset(), make=False, retired=True)
    file = _made(settings, folder) if folder is not None else checked
    assert file is not None
    found = _check(keys, file)
    if folder is not None:
        file = _named(file, sound=not found.problems)
    for problem in found.problems:
        remark(problem)
    if as_json:
        told = {"file": str(file), "matches": found.matches, "problems": found.problems}
        say_json(told)
    else:
        sound = "checked" if not found.problems else count(len(found.problems), "problem")
        click.echo(f"{file}: {matches(found.matches)}, {sound}")
        if folder is not None:
            remark(f"the keys are not in it: keep a copy of {settings.keys} in another place")
    sys.exit(EXIT_WRONG if found.problems else 0)


def _made(settings: Settings, folder: Path) -> Path:
    """A copy of everything, not named yet."""
    from fairbones.archive.exporting import chosen, export
    from fairbones.cli.places import database, library, now
    from fairbones.cli.transfer import written
    from fairbones.store.copies import back_up

    if not folder.is_dir():
        # A disk that is not mounted must not become a folder on this one.
        if not folder.absolute().parent.is_dir():
            raise FairbonesError(
                "house/file", f"there is no folder {folder.absolute().parent} to make {folder} in"
            )
        folder.mkdir(mode=0o700)
    made = now()
    stamp = moment(made).translate({ord(it): None for it in "-:"})
    file = folder / f"fairbones-{stamp}.{'jsonl' if settings.shared else 'db'}.unchecked"
    if settings.shared:
        with library(settings) as store, written(file) as out:
            export(out, chosen(store, (), None), made, Progress("copied"))
    else:
        if not database(settings).exists():
            raise FairbonesError("store/none", f"there is no database {database(settings)}")
        back_up(database(settings), file)
    return file


def _named(file: Path, *, sound: bool) -> Path:
    """Its name once it is checked: only what is sound looks like a backup."""
    from fairbones.cli.transfer import name

    checked = file.with_suffix("") if sound else file.with_suffix(".damaged")
    try:
        name(file, checked)
    except FileExistsError:
        raise FairbonesError(
            "house/file", f"{checked} exists; the backup made now is {file}"
        ) from None
    return checked


def _check(keys: Keyring, file: Path) -> Checked:
    if not file.is_file():
        raise FairbonesError("house/file", f"{file} is not a file, and is read more than once")
    with file.open("rb") as content:
        if content.read(len(_SQLITE)) != _SQLITE:
            from fairbones.archive.importing import import_

            content.seek(0)
            result = import_(content, lambda _: True, keys.signer, keys.vault, Progress("checked"))
            told = [f"line {line}: {it}" if line else it for line, it in result.problems]
            return Checked(result.kept, told)
    from fairbones.archive.judging import judge_all
    from fairbones.store.reader import SqliteReader

    with contextlib.closing(SqliteReader(file)) as reader:
        faults = reader.check()
        if faults:
            return Checked(0, faults)
        number, wrong = judge_all(reader, keys.signer, keys.vault, Progress("checked"))
        return Checked(number, [f"match {match_id}: {why}" for match_id, why in wrong.items()])
