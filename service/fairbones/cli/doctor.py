"""`fairbones doctor`: what is wrong with a house, or soon will be."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fairbones.archive.findings import OK, PROBLEM, WARNING, Finding, found
from fairbones.cli.output import coloured, count, say_json
from fairbones.cli.refusal import EXIT_WRONG
from fairbones.config import Settings, load_settings
from fairbones.core.errors import FairbonesError

if TYPE_CHECKING:
    from fairbones.store.reader import SqliteReader

SAMPLE = 20
LOOKED_THROUGH_MAX = 1 << 30  # bytes of a database that are read in a few seconds
_COLOURS = {OK: "green", WARNING: "yellow", PROBLEM: "red"}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--sample",
    type=click.IntRange(0, 100_000),
    default=SAMPLE,
    show_default=True,
    help="Matches whose chain, receipts and sealed seed are checked.",
)
def doctor(as_json: bool, sample: int) -> None:
    """Check the settings, the folder, the keys, the store and a sample of its matches.

    One line for each finding: ok, warning, or problem with what to do about it. No
    match is changed; the service may run meanwhile. Exit code 1 when there is a problem.
    """
    findings: list[Finding] = []
    keys: set[str] = set()
    for finding in _all(sample):
        if finding.about == "keys":
            keys.add(finding.text)
        elif finding.text in keys:
            continue  # what is wrong with a key is in the way of other checks, and told once
        findings.append(finding)
        if not as_json:
            _show(finding)
    problems = sum(finding.level == PROBLEM for finding in findings)
    warnings = sum(finding.level == WARNING for finding in findings)
    if as_json:
        rows = [finding.told() for finding in findings]
        say_json({"problems": problems, "warnings": warnings, "findings": rows})
    else:
        click.echo(f"{count(problems, 'problem')}, {count(warnings, 'warning')}")
    sys.exit(EXIT_WRONG if problems else 0)


def _show(finding: Finding) -> None:
    level = coloured(f"{finding.level:<8}", _COLOURS[finding.level])
    click.echo(f"{level} {finding.about}: {finding.text}")
    if finding.advice:
        click.echo(f"         {finding.advice}")


def _all(sample: int) -> Iterator[Finding]:
    from fairbones.archive import machine
    from fairbones.cli.places import now

    try:
        settings = load_settings()
    except FairbonesError as error:
        for sentence in error.message.splitlines():
            yield Finding("settings", PROBLEM, sentence)
        return
    yield Finding("settings", OK, "every variable is one that is known, with a value that can be")
    yield from found("folder", lambda: machine.folder(settings.data))
    yield from found("disk", lambda: machine.room(settings.data))
    needed = settings.connections if settings.shared else 4 * settings.threads
    yield from machine.files(needed + 200)
    yield from machine.clock(now())
    yield from found("keys", lambda: _keys(settings))
    yield from found("api-keys", lambda: _api_keys(settings))
    yield from found("store", lambda: _store(settings, sample))


def _keys(settings: Settings) -> Iterable[Finding]:
    from fairbones.cli.places import database
    from fairbones.keys.changing import all_files
    from fairbones.keys.files import open_folder, read_key
    from fairbones.keys.keyring import KINDS

    folder = settings.keys
    back = "put the key files back, or set FAIRBONES_KEYS to where they are"
    # A store that is there was made with keys, and new ones are of no use to it.
    make = not settings.shared and not database(settings).exists()
    if not folder.is_dir():
        level = WARNING if make else PROBLEM
        advice = "run: fairbones keys create" if make or _new(settings) else back
        yield Finding("keys", level, f"{folder} is not there", advice)
        return
    open_folder(folder)
    files = [file for file in all_files(folder) if file.state != "retired"]
    for file in files:
        read_key(file, KINDS[file.kind])
    for kind in KINDS:
        usable = [file for file in files if (file.kind, file.state) == (kind, "key")]
        if usable:
            text = f"{count(len(usable), f'{kind} key')}, the newest is {usable[0].key_id}"
            yield Finding("keys", OK, text)
        else:
            text = f"{folder} has no {kind} key"
            advice = "run: fairbones keys create" if not files and make else back
            yield Finding("keys", PROBLEM, text, advice)


def _new(settings: Settings) -> bool:
    """Whether the store is a Redis that can be asked and knows of no keys."""
    from fairbones.cli.places import library

    if not settings.shared:
        return False
    try:
        with library(settings) as store:
            return not store.known_keys()
    except FairbonesError:
        return False


def _api_keys(settings: Settings) -> Iterable[Finding]:
    from fairbones.keys import apikeys

    active = sum(key.revoked is None for key in apikeys.read(settings.keys))
    if settings.openers == "keys" and not active:
        text = "FAIRBONES_OPENERS is keys, and there is no API key: nobody can open a match"
        yield Finding("api-keys", WARNING, text, "run: fairbones keys api create NAME")
    else:
        yield Finding("api-keys", OK, f"{count(active, 'API key')} in use")


def _store(settings: Settings, sample: int) -> Iterable[Finding]:
    from fairbones.archive.sampling import sample as judged
    from fairbones.cli.places import database, library, now
    from fairbones.keys.keyring import open_keyring
    from fairbones.store.reader import SqliteReader
    from fairbones.store.schema import COPY_ADVICE

    if settings.shared:
        yield from _server(settings)
    elif not database(settings).exists():
        text = f"there is no database {database(settings)} yet"
        yield Finding("store", OK, text)
        return
    with library(settings) as store:
        where = settings.store_shown if settings.shared else database(settings)
        yield Finding("store", OK, f"{where} can be read, its schema is current")
        copied = isinstance(store, SqliteReader) and store.copied()
        if copied:
            text = f"{where} is a backup, which no service may go on with"
            yield Finding("store", WARNING, text, COPY_ADVICE)
        if isinstance(store, SqliteReader):
            yield from _pages(store, database(settings))
        keys = open_keyring(settings.keys, store.known_keys(), make=False, retired=copied)
        start = os.urandom(16)
        yield from judged(store, keys.signer, keys.vault, start, sample, now())


def _pages(reader: SqliteReader, path: Path) -> Iterable[Finding]:
    size = path.stat().st_size
    if size > LOOKED_THROUGH_MAX:
        text = f"the database has {size >> 20} MiB, which `fairbones backup` looks through"
        yield Finding("store", OK, text)
        return
    faults = reader.check()
    for fault in faults:
        yield Finding("store", PROBLEM, fault, "restore it from a backup")
    if not faults:
        yield Finding("store", OK, "every page and row of the database is in its place")


def _server(settings: Settings) -> Iterable[Finding]:
    from fairbones.archive.servers import judged, skew
    from fairbones.cli.places import need_redis, now

    need_redis()
    from fairbones.cli.servers import ask

    for said in ask(settings, now):
        yield from judged(said.address, said.info, said.config, settings.wait_replicas)
        yield from skew(said.server_time, said.before, said.after)
