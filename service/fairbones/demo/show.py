"""The demo from beginning to end: house, players, spectator, verifier, cheats."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import fairbones
from fairbones.bots.client import Client
from fairbones.bots.lies import Problem, Unreachable
from fairbones.core.protocol.chain import seal_event
from fairbones.core.rules import catalogue
from fairbones.demo import check
from fairbones.demo.children import Child, Children, Interrupted, Signals, Trouble
from fairbones.demo.line import box, glyph
from fairbones.demo.screen import Screen
from fairbones.demo.spectator import Spectator
from fairbones.demo.trial import Trial

READY = "fairbones is listening on "
SECONDS = 120.0
CANNOT_START = 3  # as `fairbones serve` has it
SEATS = 4  # at most, unless the reader wants more
START_SECONDS = 30.0
# By id: the most seats it is played with.
RULESETS = {str(it["id"]): cast("dict[str, int]", it["seats"])["maximum"] for it in catalogue()}
THINKING_MS = ("170", "50")  # in hand 1, later: nobody wants to watch ten hands that closely


class Refused(Exception):
    """The house opens no such match; its own sentence says why."""


class Show:
    """One run. `folder` is new, ours, and removed afterwards."""

    def __init__(
        self, screen: Screen, children: Children, folder: Path, wanted: argparse.Namespace
    ) -> None:
        self.screen = screen
        self.children = children
        self.folder = folder
        self.wanted = wanted
        self.seats = min(SEATS, RULESETS[wanted.ruleset]) if wanted.seats is None else wanted.seats
        self.data = folder / "house"
        self.evidence = folder / "evidence"
        self.desk = Path(wanted.keep or folder / "desk").absolute()

    def run(self) -> None:
        """Raises `Trouble` where something is not as it must be."""
        if self.desk.exists() and any(self.desk.iterdir()):
            raise Trouble(f"{self.desk} is not empty; name a new folder")
        self.screen.say("Fairbones: a deal that nobody can rig, and anybody can check.", "title", 0)
        url = self._open_house()
        client = Client(url)
        try:
            match, public_key = self._open_match(client)
            self._watch(client, match, self._seat_bots(url, match, public_key))
            served = client.transcript(match)
        except Unreachable:
            if self.house.process.poll() is not None:
                raise self.house.trouble("ended in the middle") from None
            raise
        finally:
            client.close()
        trial = Trial(self.screen, self.children, self.desk, served, public_key, self.seats)
        trial.verify(self.evidence)
        trial.cheat(self.data / "keys")
        self._farewell()

    # ------------------------------------------------------------- house and players

    def _open_house(self) -> str:
        env = plain_environment() | {
            "FAIRBONES_PORT": "0",
            "FAIRBONES_DATA": str(self.data),
            "FAIRBONES_LOG_LEVEL": "warning",
        }
        argv = [sys.executable, "-m", "fairbones.cli", "serve"]
        self.house = self.children.start("service", argv, self.folder, env)
        return self.house.wait_for(READY, START_SECONDS).removeprefix(READY).split(" ")[0]

    def _open_match(self, client: Client) -> tuple[str, str]:
        """The match id and the public key that it is signed with."""
        self.screen.title("1  The house washes and seals")
        options = options_of(self.wanted)
        wanted = {"ruleset": self.wanted.ruleset, "seats": self.seats, "options": options}
        try:
            opened = client.open(wanted)["event"]
        except Problem as problem:
            raise Refused(problem.text) from None
        keys = {key["key_id"]: str(key["public_key"]) for key in client.house_keys()}
        public_key = keys[opened["data"]["key_id"]]
        sealed = seal_event(
            bytes.fromhex(opened["match"]), 0, bytes(32), opened["at"], "opened", opened["data"]
        )
        draw = glyph if self.wanted.glyphs and self.screen.unicode else box
        self.spectator = Spectator(self.screen, draw)
        self.spectator.see_opened(opened["data"], sealed.hash, options)
        self.screen.row("signed with", public_key)
        return opened["match"], public_key

    def _seat_bots(self, url: str, match: str, public_key: str) -> Child:
        pace = THINKING_MS if self.screen.paced else ("0", "0")
        argv = [sys.executable, "-m", "fairbones.bots", "--url", url, "--match", match]
        argv += ["--key", public_key, "--keep", str(self.evidence), "--pace", *pace]
        argv += ["--seconds", str(seconds(self.wanted))]
        return self.children.start("players", argv, self.folder, plain_environment())

    def _watch(self, client: Client, match: str, bots: Child) -> None:
        """Follow the public events to the end of the match, as anybody may."""
        after = 0
        while not self.spectator.over:
            for event in client.events(match, after, 5)["events"]:
                self.spectator.see(event)
                after = event["seq"]
            if bots.process.poll() is not None and not self.spectator.over:
                after = self._catch_up(client, match, after, bots)
        code, said = bots.finish(20)
        if code or self.spectator.void:
            raise bots.trouble("did not come to the end of the match")
        self.screen.say(said.removeprefix("bots: ") + ".", "quiet")

    def _catch_up(self, client: Client, match: str, after: int, bots: Child) -> int:
        """The players are gone: what is there by now is all there will be."""
        for event in client.events(match, after)["events"]:
            self.spectator.see(event)
            after = event["seq"]
        if not self.spectator.over:
            raise bots.trouble("left the table")
        return after

    def _farewell(self) -> None:
        screen = self.screen
        command = "python3 dev.py" if in_checkout() else "fairbones"
        screen.title("Now you")
        look = "/v1/rulesets, /v1/keys and /openapi.yaml"
        ways = {
            f"{command} serve": f"a house of your own at http://127.0.0.1:8400; look at {look}",
            "README.md": "how to open a match, and how to write a client",
            "verifier/SPEC.md": "every byte, enough to write a verifier of your own",
        }
        if self.wanted.keep is None:
            ways[f"{command} demo --keep FOLDER"] = "another one, which leaves you all its files"
        for label, text in ways.items():
            screen.say(label)
            screen.say(text, indent=6)
        if self.wanted.keep is not None:
            screen.say(f"All that was checked here is in {self.desk}.")


def in_checkout() -> bool:
    """Whether `dev.py` is there, beside the service."""
    return (Path(fairbones.__file__).resolve().parents[2] / "dev.py").is_file()


def plain_environment() -> dict[str, str]:
    """Ours without the settings of another house."""
    return {name: it for name, it in os.environ.items() if not name.startswith("FAIRBONES_")}


def main(arguments: Sequence[str] | None) -> int:
    """Exit 0: all as it must be. 1: not. 3: it cannot start. 128 and more: a signal ended it."""
    wanted = command_line().parse_args(arguments)
    try:
        check.find_verifier()
    except Trouble as trouble:
        complain(f"the demo cannot start: {trouble}")
        return CANNOT_START
    screen = Screen(sys.stdout, os.environ, fast=wanted.fast)
    try:
        with Signals(seconds(wanted)) as signals:
            perform(screen, wanted, signals)
        return 0
    except Refused as refused:
        complain(f"the house opens no such match: {refused}")
        return CANNOT_START
    except (Trouble, Unreachable) as trouble:
        complain(f"the demo failed: {trouble}")
    except (KeyError, TypeError, ValueError, IndexError) as error:
        complain(f"the demo failed: the service answers strangely: {error!r}")
    except Interrupted as interrupted:
        complain(f"the demo was ended by {interrupted}")
        return 128 + interrupted.signum
    except BrokenPipeError:  # nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except OSError as error:
        complain(f"the demo failed: {error}")
    return 1


def perform(screen: Screen, wanted: argparse.Namespace, signals: Signals) -> None:
    """One show; whatever comes of it, no process and no file is left."""
    children = Children(signals)
    folder = None
    try:
        with signals.held():
            folder = Path(tempfile.mkdtemp(prefix="fairbones-demo-"))
        Show(screen, children, folder, wanted).run()
    finally:
        try:
            signals.hold()
        finally:  # even of a signal in that very moment
            children.stop_all()
            if folder is not None:
                shutil.rmtree(folder, ignore_errors=True)


def complain(text: str) -> None:
    """On the error stream, in the reader's encoding, whatever a child wrote."""
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.flush()
        print(text, file=sys.stderr, flush=True)


def command_line() -> argparse.ArgumentParser:
    """What the demo can be asked for."""
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument("--fast", action="store_true", help="no pauses")
    parser.add_argument("--glyphs", action="store_true", help="draw with Unicode's dominoes")
    parser.add_argument(
        "--ruleset",
        choices=tuple(RULESETS),
        default="draw",
        metavar="NAME",
        help=f"what is played: {', '.join(RULESETS)} (draw)",
    )
    parser.add_argument("--keep", metavar="FOLDER", help="leave transcripts and receipts there")
    parser.add_argument("--target", type=int, help="points that end the match (as the game has it)")
    parser.add_argument("--seats", type=int, metavar="N", help="how many play (4, or 2)")
    parser.add_argument(
        "--option",
        type=option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a switch of the game, as GET /v1/rulesets lists them; any number of times",
    )
    return parser


def options_of(wanted: argparse.Namespace) -> dict[str, object]:
    """What the match is opened with, beside ruleset and seats."""
    options: dict[str, object] = dict(wanted.option)
    if wanted.target is not None:
        options["target"] = wanted.target
    if options.get("muggins") is True:
        # The players call at once or never: nobody wants to watch them wait.
        options.setdefault("call_seconds", 1)
    return options


def seconds(wanted: argparse.Namespace) -> float:
    """How long a run may take: longer where the house waits for calls."""
    wait = options_of(wanted).get("call_seconds")
    return SECONDS * max(1, min(wait, 60)) if type(wait) is int else SECONDS


def option(text: str) -> tuple[str, object]:
    """`NAME=VALUE`: true, false and whole numbers as such, else text. The house judges it."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not like NAME=VALUE")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if re.fullmatch(r"-?[0-9]{1,15}", value, re.ASCII) else value
