"""`fairbones sweep`: deadlines of matches that nobody touches."""

from __future__ import annotations

import os
import signal
import threading

import click

from fairbones.cli.output import remark, say_json
from fairbones.cli.refusal import refusing
from fairbones.config import load_settings


@click.command()
@click.option(
    "--every",
    type=click.IntRange(1, 86_400),
    metavar="SECONDS",
    help="Go on until SIGTERM or Ctrl-C, so many seconds apart.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=500,
    show_default=True,
    help="Matches looked at in one sweep.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line for each sweep.")
@refusing
def sweep(every: int | None, limit: int, as_json: bool) -> None:
    """Apply deadlines that have passed to matches that nobody touches.

    The service does so itself every FAIRBONES_SWEEP seconds; this is for a Redis store whose
    services do not. With SQLite the service must be stopped.
    """
    from fairbones.cli.places import now, shown, to_change
    from fairbones.house.service import House

    settings = load_settings()
    remark(f"the store is {shown(settings)}")
    stopped = threading.Event()
    with to_change(settings) as opened:
        house = House(opened.store, opened.keys.vault, opened.keys.signer, now, os.urandom)
        if every is not None:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: stopped.set())
        while True:
            swept = house.sweep(limit)
            told = {"matches": swept.matches, "steps": swept.steps, "failed": swept.failed}
            if as_json:
                say_json(told)
            else:
                click.echo(", ".join(f"{name} {it}" for name, it in told.items()))
            if every is None or stopped.wait(every):
                return
