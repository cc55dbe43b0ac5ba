"""`fairbones bots URL`: players for whoever has nobody to play with."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from urllib.parse import urlsplit

import click

from fairbones.bots.company import Company, Wish
from fairbones.bots.players import PLAYERS

FINE, LIED, STOPPED = 0, 1, 3
_HEX_ID = re.compile(r"[0-9a-f]{32}")
_HEX_KEY = re.compile(r"[0-9a-f]{64}")


class _Told(Exception):
    """A signal asked us to end."""


def _match_id(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and _HEX_ID.fullmatch(text) is None:
        raise click.BadParameter("the id of a match is 32 hex digits")
    return text


def _key(_context: click.Context, _option: click.Parameter, text: str | None) -> str | None:
    if text is not None and _HEX_KEY.fullmatch(text) is None:
        raise click.BadParameter("a public key is 64 hex digits")
    return text


def _url(_context: click.Context, _argument: click.Parameter, text: str) -> str:
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or re.search(r"[?#@\s]", text):
        raise click.BadParameter("the address of a service is http://HOST:PORT")
    return text.rstrip("/")


def _finite(_context: click.Context, option: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a number for {option.opts[0]}")
    return value


def _api_key(_context: click.Context, _option: click.Parameter, file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        text = file.read_text(encoding="ascii").strip()
    except OSError as error:
        raise click.BadParameter(f"{file}: {error.strerror}") from None
    except ValueError:
        text = ""
    if re.fullmatch(r"[\x21-\x7e]{1,256}", text) is None:
        raise click.BadParameter(f"{file} holds no API key, which is one word on one line")
    return text


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("url", callback=_url)
@click.option("--match", metavar="ID", callback=_match_id, help="Take every free seat of a match.")
@click.option(
    "--fill",
    type=click.FloatRange(0, 86_400),
    metavar="SECONDS",
    callback=_finite,
    help="Follow the list of matches, and take the free seats of those that have waited so long.",
)
@click.option(
    "--open",
    "count",
    type=click.IntRange(0, 1_000_000),
    default=0,
    metavar="N",
    help="Open N matches and play them among themselves.",
)
@click.option("--ruleset", default="block", show_default=True, help="What to open.")
@click.option("--seats", type=click.IntRange(1, 64), default=2, show_default=True)
@click.option(
    "--player",
    "players",
    type=click.Choice(tuple(PLAYERS)),
    multiple=True,
    default=("heavy-first", "random"),
    show_default=True,
    help="How seats play, in turn; may be given several times.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0, 100_000),
    default=0.0,
    metavar="N",
    callback=_finite,
    help="At most N moves a second, all bots together. [default: as fast as they can]",
)
@click.option(
    "--for",
    "seconds",
    type=click.FloatRange(0),
    metavar="SECONDS",
    callback=_finite,
    help="Stop after so long.",
)
@click.option("--key", metavar="HEX", callback=_key, help="The house's public key, if you know it.")
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Where the evidence of a seat that was lied to goes.",
)
@click.option(
    "--api-key-file",
    "api_key",
    type=click.Path(path_type=Path),
    metavar="FILE",
    callback=_api_key,
    help="The API key for --open, where the service asks for one.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the summary as one JSON object.")
@click.option("--beside", is_flag=True, hidden=True)
def bots(
    url: str,
    match: str | None,
    fill: float | None,
    count: int,
    ruleset: str,
    seats: int,
    players: tuple[str, ...],
    rate: float,
    seconds: float | None,
    key: str | None,
    keep: Path | None,
    api_key: str | None,
    as_json: bool,
    beside: bool,
) -> None:
    """Let bots play at the service at URL: ordinary clients that check all that they are shown.

    They commit to their seeds, look at the house's before they show them, and keep every receipt.
    SIGTERM or Ctrl-C ends them at once: the seats that they leave are played by the fixed rule when
    their time runs out. Exits with 0, with 1 when the house lied, with 3 when it could not be
    played.
    """
    if match is None and fill is None and not count:
        raise click.UsageError("Say what to do: --match ID, --fill SECONDS or --open N.")
    wish = Wish(url, match, fill, count, ruleset, seats, players, rate, seconds, key, keep, api_key)
    company = Company(wish, say=lambda text: print(f"bots: {text}", file=sys.stderr, flush=True))
    with contextlib.suppress(_Told):
        _on_signals(_end)
        if beside:
            threading.Thread(target=_until_alone, args=(company,), daemon=True).start()
        company.run()
        _on_signals(signal.SIG_IGN)
    company.stop()
    told = company.tally
    if as_json:
        print(json.dumps(told.as_json()))
    else:
        for sentence in told.sentences():
            print(f"bots: {sentence}")
    sys.exit(LIED if told.lies else STOPPED if told.troubles and not beside else FINE)


def _on_signals(what: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, what)


def _end(_signum: int, _frame: FrameType | None) -> None:
    _on_signals(signal.SIG_DFL)  # a second one is in a hurry
    raise _Told


def _until_alone(company: Company) -> None:
    """Whoever started us holds the other end of our standard input for as long as it lives."""
    while os.read(0, 1024):  # not through `sys.stdin`, whose lock outlives this thread
        pass
    company.end()
