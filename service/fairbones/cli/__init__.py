"""The command line: the service, its keys, what an operator does with matches, the demo."""

from __future__ import annotations

import importlib
import sys
from functools import partial
from typing import Any

import click

from fairbones import __version__
from fairbones.cli import backup, doctor, keys, prune, sweep, transfer
from fairbones.cli.refusal import refuse
from fairbones.config import VARIABLES, Settings, load_settings
from fairbones.core.errors import FairbonesError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fairbones")
def main() -> None:
    """A provably fair dealing service for domino games."""


def _variables() -> str:
    """The table of `config` as the end of a help page; \\b keeps its lines apart."""
    rows = (
        f"\b\n{row.name}\n  {row.meaning}\n  {row.allowed}; default: {row.default_text}"
        for row in VARIABLES
    )
    return "\n\n".join(("The service is set up by variables of the environment:", *rows))


@main.command(epilog=_variables())
@click.option(
    "--bots",
    type=click.IntRange(0, 86_400),
    metavar="SECONDS",
    help="Let bots take the free seats of matches that have waited so long.",
)
def serve(bots: int | None) -> None:
    """Run the service until SIGTERM or Ctrl-C."""
    # Late, as everywhere here: --help and a misspelt variable need no web server.
    from fairbones.serving import serve as run

    def create_app(settings: Settings) -> Any:
        # In the worker process, where a refusal is told and the data folder is held.
        return _named("fairbones.app", "create_app")(settings)

    try:
        beside = None if bots is None else partial(_named("fairbones.bots.beside", "beside"), bots)
        run(load_settings(), create_app, beside)
    except FairbonesError as error:
        refuse(error)


@main.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def openapi(arguments: tuple[str, ...]) -> None:
    """Write openapi.yaml; --check compares it with the code."""
    sys.exit(_named("fairbones.api.openapi", "main")(list(arguments)))


@main.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def demo(arguments: tuple[str, ...]) -> None:
    """Play a provably fair deal, from commitment to check."""
    sys.exit(_named("fairbones.demo", "main")(list(arguments)))


@main.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bots(arguments: tuple[str, ...]) -> None:
    """Let bots play at a service: join, fill, or among themselves."""
    _named("fairbones.cli.bots", "bots").main(list(arguments), prog_name="fairbones bots")


def _named(module: str, name: str) -> Any:
    return getattr(importlib.import_module(module), name)


for _command in (
    keys.keys,
    transfer.export,
    transfer.import_,
    backup.backup,
    prune.prune,
    sweep.sweep,
    doctor.doctor,
):
    main.add_command(_command)
