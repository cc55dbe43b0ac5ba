"""`fairbones prune`: matches that are long over."""

from __future__ import annotations

import click

from fairbones.cli.output import Progress, matches, remark, say_json
from fairbones.cli.refusal import refusing
from fairbones.config import load_settings

_DAY_MS = 86_400_000


@click.command()
@click.option(
    "--older-than",
    "days",
    type=click.IntRange(1, 36_500),
    required=True,
    metavar="DAYS",
    help="Matches that were over so many days ago.",
)
@click.option("--dry-run", is_flag=True, help="Say how many, and forget none.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@refusing
def prune(days: int, dry_run: bool, as_json: bool) -> None:
    """Forget matches that are over, for good.

    A match that is not over is never touched, however old. Ids stay used for ever, so a forgotten
    match is never followed by another of its id. Export them first: who holds no transcript then
    can prove nothing any more. With a Redis store the service may run; with SQLite stop it.
    """
    from fairbones.archive.pruning import prune as run
    from fairbones.cli.places import now, shown, to_change, to_read

    settings = load_settings()
    remark(f"the store is {shown(settings)}")
    before = now() - days * _DAY_MS
    progress = Progress("looked at")
    if dry_run:
        with to_read(settings) as looked:
            result = run(looked.store, before, lambda _: True, progress)
    else:
        with to_change(settings) as held:
            result = run(held.store, before, held.store.forget, progress)
    if as_json:
        say_json({"forgotten": result.forgotten, "kept": result.kept, "dry_run": dry_run})
    else:
        would = "would be forgotten" if dry_run else "forgotten"
        click.echo(f"{matches(result.forgotten)} {would}, {result.kept} stay")
