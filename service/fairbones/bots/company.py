"""Many bots in one process: they join a match, fill what waits too long, or play by themselves.

They meet the service over HTTP alone, as anybody does, with a thread and a connection a seat. A
service that is restarted is waited for: every request of theirs may be sent again.
"""

from __future__ import annotations

import contextlib
import itertools
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from fairbones.bots.client import Client, Json
from fairbones.bots.keys import SeatKey
from fairbones.bots.lies import Lie, Problem, Stopped, Unreachable
from fairbones.bots.party import NAMES, keep, public_key
from fairbones.bots.players import PLAYERS
from fairbones.bots.seat import Seat
from fairbones.bots.tally import Tally, Trouble
from fairbones.bots.tempo import Tempo

SEATS_MAX = 256  # bots that play at one moment
ENDURE_SECONDS = 60.0  # a service that is restarted comes back within this
TICK_SECONDS = 1.0  # between two looks at the clock
LOOK_SECONDS = 1.0, 5.0  # between two looks at the list of matches, at least and at most
AGAIN_SECONDS = 30.0  # between two words about a service that does not answer
PAGES_MAX = 20
STOP_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What bots are to do. `match` is an id; `fill` is in seconds that a match has waited;
    `open` matches of `ruleset` for `seats`; `rate` in moves a second, 0 without limit; `seconds`
    is when to stop, None: when all is done, or never with `fill`. `key` is the house's, pinned;
    `api_key` goes with what is opened.
    """

    url: str
    match: str | None = None
    fill: float | None = None
    open: int = 0
    ruleset: str = "block"
    seats: int = 2
    players: tuple[str, ...] = ("heavy-first", "random")
    rate: float = 0.0
    seconds: float | None = None
    key: str | None = None
    keep: Path | None = None
    api_key: str | None = field(default=None, repr=False)


class Company:
    """The bots of this process. `run` in the main thread; a signal may raise out of it.

    `client` is how they ask; `say` is told in a sentence of a service that does not answer.
    """

    def __init__(
        self,
        wish: Wish,
        client: type[Client] = Client,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.wish = wish
        self.tally = Tally()
        self._over = threading.Event()
        again = Again(say)
        self._make_client = partial(client, wish.url, endure=ENDURE_SECONDS, again=again)
        self._client = self._make_client(halt=self._over, api_key=wish.api_key)
        self._tempo = Tempo(wish.rate)
        self._keys: dict[str, str] = {}
        self._players = itertools.cycle(wish.players)
        self._running: dict[int, Seat] = {}  # by identity
        self._done: queue.SimpleQueue[tuple[Seat, Stopped | None]] = queue.SimpleQueue()
        self._shunned: set[str] = set()  # matches that a seat left in trouble

    def run(self) -> None:
        """Until there is nothing left to do or the time is over."""
        wish, to_open, next_look = self.wish, self.wish.open, 0.0
        end = None if wish.seconds is None else time.monotonic() + wish.seconds
        if wish.match is not None:
            self._attend(partial(self._join, wish.match), wish.match)
        while not self._over.is_set() and (end is None or time.monotonic() < end):
            if to_open and len(self._running) + wish.seats <= SEATS_MAX:
                to_open -= 1
                if not self._attend(self._open_one, ""):
                    to_open = 0  # the next would be refused as well
            elif wish.fill is not None and time.monotonic() >= next_look:
                self._attend(self._fill, "")
                next_look = time.monotonic() + _pause(wish.fill)
            elif wish.fill is None and not to_open and not self._running:
                return
            else:
                self._wait(TICK_SECONDS if end is None else min(TICK_SECONDS, _left(end)))

    def end(self) -> None:
        """Let `run` return, from any thread."""
        self._over.set()

    def stop(self) -> None:
        """Everybody stops where they are; what is kept for evidence is written down."""
        for seat in self._running.values():
            seat.halt.set()
        until = time.monotonic() + STOP_SECONDS
        while self._running and time.monotonic() < until:
            self._wait(_left(until))
        for seat in list(
            self._running.values()
        ):  # they wait for an answer, and end with the process
            self._leave(seat, Stopped("told to stop"))
        self._client.close()

    def _attend(self, task: Callable[[], object], match: str) -> bool:
        """Do it, or note why not."""
        try:
            task()
        except (Stopped, KeyError, TypeError, ValueError, IndexError) as error:
            if self._over.is_set():
                return False
            text = str(error) if isinstance(error, Stopped) else "the service answers strangely"
            self.tally.trouble(Trouble(match, -1, text))
            return False
        return True

    def _wait(self, seconds: float) -> None:
        with contextlib.suppress(queue.Empty):
            self._leave(*self._done.get(timeout=max(0.0, seconds)))

    def _leave(self, seat: Seat, stopped: Stopped | None) -> None:
        """A seat is done. Who was lied to takes the others of its match along."""
        if self._running.pop(id(seat), None) is None:
            return
        self.tally.add(seat, stopped)
        if isinstance(stopped, Lie | Problem):
            self._shunned.add(seat.match)
        if isinstance(stopped, Lie):
            for other in self._running.values():
                if other.match == seat.match:
                    other.halt.set()
            if self.wish.keep is not None:
                keep([seat], self.wish.keep / seat.match)

    # ------------------------------------------------------------------ matches

    def _join(self, match: str) -> None:
        """Take every seat of a match that is free and kept for nobody."""
        if not self._take(match):
            raise Unreachable("no seat of this match is free")

    def _take(self, match: str) -> int:
        """Send a bot to every free seat that none is on its way to; how many."""
        coming = {seat.number for seat in self._running.values() if seat.match == match}
        free = [
            it["seat"]
            for it in self._client.view(match)["seats"]
            if not it["taken"] and "reserved" not in it and it["seat"] not in coming
        ]
        if not free:
            return 0
        opened = self._client.events(match, -1)["events"][0]["data"]
        key = self._house_key(opened["key_id"])
        for number in free:
            self._sit(match, number, key, SeatKey())
        return len(free)

    def _open_one(self) -> None:
        """A match whose seats are kept for the keys of its bots, so that nobody comes between."""
        keys = [SeatKey() for _ in range(self.wish.seats)]
        reserved = [
            {"seat": number, "public_key": key.public.hex()} for number, key in enumerate(keys)
        ]
        opened = self._client.open(
            {"ruleset": self.wish.ruleset, "seats": self.wish.seats, "reserved": reserved}
        )["event"]
        house_key = self._house_key(opened["data"]["key_id"])
        for number, key in enumerate(keys):
            self._sit(opened["match"], number, house_key, key)

    def _fill(self) -> None:
        """Sit down wherever somebody has waited for long enough.

        Each match is looked at as long as seats of it are free: somebody else may have been faster
        at one of them and not at the others.
        """
        assert self.wish.fill is not None
        for told, now in self._joining():
            match = told["id"]
            coming = sum(it.match == match and not it.sits for it in self._running.values())
            if match in self._shunned or told["open"] <= coming:
                continue
            waited = (now - told["opened_at"]) / 1000
            if waited < self.wish.fill or len(self._running) + told["open"] > SEATS_MAX:
                continue
            self._attend(partial(self._take, match), match)

    def _joining(self) -> Iterator[tuple[Json, int]]:
        cursor = None
        listed = set()
        for _ in range(PAGES_MAX):
            page = self._client.joining(cursor)
            for told in page["matches"]:
                listed.add(told["id"])
                yield told, page["now"]
            cursor = page.get("cursor")
            if cursor is None:
                self._shunned &= listed  # the others have begun, or never will
                return

    def _house_key(self, key_id: str) -> str:
        if key_id not in self._keys:
            self._keys[key_id] = public_key(self._client, key_id, self.wish.key).hex()
        return self._keys[key_id]

    def _sit(self, match: str, number: int, house_key: str, key: SeatKey) -> None:
        halt = threading.Event()
        seat = Seat(
            self._make_client(halt=halt),
            match,
            number,
            NAMES[number % len(NAMES)] + str(number // len(NAMES) or ""),
            PLAYERS[next(self._players)],
            bytes.fromhex(house_key),
            pace=self._tempo,
            halt=halt,
            key=key,
        )
        # A thread that waits for an answer must not keep the process alive.
        self._running[id(seat)] = seat
        threading.Thread(target=self._life, args=(seat,), name=seat.name, daemon=True).start()

    def _life(self, seat: Seat) -> None:
        stopped: Stopped | None = Stopped("broke off")
        try:
            seat.play()
            stopped = None
        except Stopped as reason:
            stopped = reason
        finally:
            seat.client.close()
            self._done.put((seat, stopped))


class Again:
    """Says once in a while that a service is asked again; threads may call it side by side."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._guard = threading.Lock()
        self._next = 0.0

    def __call__(self, why: str) -> None:
        with self._guard:
            if time.monotonic() < self._next:
                return
            self._next = time.monotonic() + AGAIN_SECONDS
        self._say(f"retrying: {why}")


def _pause(fill: float) -> float:
    """Half of what a match waits is soon enough to look again."""
    least, most = LOOK_SECONDS
    return min(most, max(least, fill / 2))


def _left(until: float) -> float:
    return max(0.0, until - time.monotonic())
