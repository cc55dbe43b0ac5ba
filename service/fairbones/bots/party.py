"""The bots' process: one thread a seat, each with its own connection, token and seed."""

from __future__ import annotations

import argparse
import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from fairbones.bots.client import Client
from fairbones.bots.lies import Lie, Stopped
from fairbones.bots.players import PLAYERS
from fairbones.bots.seat import Seat
from fairbones.core.protocol.chain import key_id

NAMES = ("ada", "ben", "cleo", "dan", "eve", "finn", "gwen", "hugo")

FINE, LIED, STOPPED = 0, 1, 3


def main(arguments: Sequence[str]) -> int:
    """Exit 0: played to its end. 1: the house lied. 3: it could not be played."""
    wanted = _parser().parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda _signum, _frame: sys.exit(128 + signal.SIGTERM))
    try:
        seats = gather(wanted)
    except Stopped as stopped:
        print(f"bots: {stopped}", flush=True)
        return STOPPED
    except (KeyError, TypeError, ValueError, IndexError) as error:
        print(f"bots: the service answers strangely: {error!r}", flush=True)
        return STOPPED
    try:
        return play(seats, wanted.seconds)
    finally:
        if wanted.keep is not None:
            keep(seats, wanted.keep)


def gather(wanted: argparse.Namespace) -> list[Seat]:
    """The seats of the match, each with a player, before anybody sits down."""
    host = Client(wanted.url)
    opened = host.events(wanted.match, -1)["events"][0]["data"]
    key = public_key(host, opened["key_id"], wanted.key)
    host.close()
    slow, brisk = (seconds / 1000 for seconds in wanted.pace)
    return [
        Seat(
            Client(wanted.url),
            wanted.match,
            number,
            NAMES[number % len(NAMES)] + str(number // len(NAMES) or ""),
            PLAYERS[wanted.players[number % len(wanted.players)]],
            key,
            lambda hand: slow if hand == 1 else brisk,
        )
        for number in range(opened["seats"])
    ]


def public_key(client: Client, wanted_id: str, pinned: str | None) -> bytes:
    """The house's key: the pinned one, or else the one it names itself."""
    if pinned is not None:
        return bytes.fromhex(pinned)
    for told in client.house_keys():
        key = bytes.fromhex(told["public_key"])
        if told["key_id"] == wanted_id == key_id(key):
            return key
    raise Stopped("the house does not show the key that this match is signed with")


def play(seats: Sequence[Seat], seconds: float) -> int:
    """Play side by side; the first trouble stops everybody."""
    done: queue.SimpleQueue[tuple[Seat, Stopped | None]] = queue.SimpleQueue()

    def life(seat: Seat) -> None:
        stopped: Stopped | None = Stopped("broke off")
        try:
            seat.play()
            stopped = None
        except Stopped as reason:
            stopped = reason
        finally:
            seat.client.close()
            done.put((seat, stopped))

    for seat in seats:
        # A thread that waits for an answer must not keep the process alive.
        threading.Thread(target=life, args=(seat,), name=seat.name, daemon=True).start()
    clock = threading.Timer(seconds, done.put, [(seats[0], Stopped(f"no end in {seconds:g} s"))])
    clock.daemon = True
    clock.start()
    for _ in seats:
        seat, stopped = done.get()
        if stopped is not None:
            for other in seats:
                other.halt.set()
            print(f"bots: seat {seat.number} ({seat.name}) stops: {stopped}", flush=True)
            return LIED if isinstance(stopped, Lie) else STOPPED
    clock.cancel()
    receipts = sum(len(seat.record.receipts) for seat in seats)
    events = len(seats[0].record.events)
    print(f"bots: {events} events checked by each of {len(seats)}, {receipts} receipts kept")
    return FINE


def keep(seats: Sequence[Seat], folder: Path) -> None:
    """Write down what each seat has, whatever came of it."""
    folder.mkdir(parents=True, exist_ok=True)
    for seat in seats:
        path = folder / f"seat-{seat.number}.json"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(seat.evidence(), file)


def _players(text: str) -> list[str]:
    names = text.split(",")
    if not set(names) <= set(PLAYERS):
        raise argparse.ArgumentTypeError(f"players are {', '.join(PLAYERS)}")
    return names


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m fairbones.bots", description=__doc__)
    parser.add_argument("--url", required=True, help="where the service listens")
    parser.add_argument("--match", required=True, metavar="ID", help="an open match, no seat taken")
    parser.add_argument("--key", metavar="HEX", help="the house's public key, if you know it")
    parser.add_argument(
        "--players",
        type=_players,
        default=["heavy-first", "random"],
        metavar="A,B,...",
        help=f"by seat, over and over: {', '.join(PLAYERS)}",
    )
    parser.add_argument(
        "--pace",
        type=int,
        nargs=2,
        default=(0, 0),
        metavar="MS",
        help="how long a move is thought about: in hand 1, later",
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the evidence goes")
    parser.add_argument("--seconds", type=float, default=600, help="give up after (600)")
    return parser
