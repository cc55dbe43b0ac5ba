"""Commands to whoever holds a key, and what is done when an answer does not come.

A read is sent again. A write is sent again only if it cannot have been carried out: nothing was
sent, or the server has said so. A write whose reply is lost is `store/unknown-outcome`.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence

from redis.exceptions import (
    AskError,
    BusyLoadingError,
    MovedError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
)
from redis.exceptions import TimeoutError as LineSilent

from fairbones.core.errors import FairbonesError
from fairbones.store.points import Point, Probe, unprobed
from fairbones.store.redis.failures import closed, refusal, unknown_outcome, unreachable
from fairbones.store.redis.lines import Command, Line, Lines, Reply, Unheard, Unsent, connection_to
from fairbones.store.redis.scripts import Script
from fairbones.store.redis.topology import is_master, moved_to, topology
from fairbones.store.redis.url import Address, Place

# So often a server may point to another one, or a line may turn out dead, for one request.
TRIES = 4
WAIT_MS = 1000


class Wire:
    """All servers of one place; threads may use it side by side."""

    def __init__(self, place: Place, wait_replicas: int = 0, probe: Probe = unprobed) -> None:
        self.place = place
        self._wait_replicas = wait_replicas
        self._probe = probe
        self._topology = topology(place)
        self._lines: dict[Address, Lines] = {}
        self._guard = threading.Lock()
        self._closed = False

    # ------------------------------------------------------------ one server, one round trip

    def read(self, key: bytes, *commands: Command) -> list[Reply]:
        """Replies to commands that change nothing, all on the slot of `key`.

        Raises `FairbonesError`; no refusal is among the replies.
        """
        return self._sent(key, commands, again=True)

    def write(self, key: bytes, *commands: Command) -> list[Reply]:
        """As `read`, for commands that change something, the same if it is done twice or not.

        `store/unknown-outcome` when they may have been carried out.
        """
        if not self._wait_replicas:
            return self._sent(key, commands)
        *replies, reached = self._sent(key, (*commands, (b"WAIT", self._wait_replicas, WAIT_MS)))
        if reached < self._wait_replicas:
            raise unknown_outcome(self.place)
        return replies

    def run(self, script: Script, keys: Sequence[bytes], *args: bytes | int | str) -> Reply:
        """The reply of a script that changes keys of one slot, as `write`."""
        return self._script(script, keys, args, None)

    def run_probed(self, script: Script, keys: Sequence[bytes], *args: bytes | int | str) -> Reply:
        """As `run`, and past the points of a write but the last."""
        self._probe(Point.BEFORE_WRITE)
        return self._script(script, keys, args, self._halfway)

    def look(self, script: Script, keys: Sequence[bytes], *args: bytes | int | str) -> Reply:
        """The reply of a script that may run any number of times."""
        try:
            return self._sent(keys[0], [_called(script, keys, args)], again=True)[0]
        except NoScriptError:
            return self._sent(keys[0], [_taught(script, keys, args)], again=True)[0]

    # ------------------------------------------------------------ many keys, many servers

    def read_many(self, commands: Sequence[tuple[bytes, Command]]) -> list[Reply]:
        """Replies to commands that change nothing, each on the slot of its key."""
        batches: defaultdict[Address, list[int]] = defaultdict(list)
        for index, (key, _) in enumerate(commands):
            batches[self._holder(key)].append(index)
        replies: list[Reply] = [None] * len(commands)
        for indexes in batches.values():
            found = self.read(commands[indexes[0]][0], *(commands[it][1] for it in indexes))
            for index, reply in zip(indexes, found, strict=True):
                replies[index] = reply
        return replies

    def holders(self) -> tuple[Address, ...]:
        """Every server that holds keys."""
        self._refuse_closed()
        return self._topology.holders()

    def holder(self, key: bytes = b"") -> Address:
        """The server that holds this key; any of them hears of everything that is published."""
        return self._holder(key)

    def read_at(self, address: Address, *commands: Command) -> list[Reply]:
        """As `read`, of this server whatever it holds."""
        return self._sent(b"", commands, again=True, at=address)

    def look_again(self) -> None:
        """Another server may be the master by now."""
        self._topology.look_again()

    def close(self) -> None:
        """Hang up; every later call is `store/closed`."""
        self._closed = True
        with self._guard:
            for lines in self._lines.values():
                lines.close()

    # ------------------------------------------------------------ how

    def _halfway(self) -> None:
        self._probe(Point.AFTER_WRITE)
        self._probe(Point.BEFORE_COMMIT)

    def _script(
        self,
        script: Script,
        keys: Sequence[bytes],
        args: Sequence[bytes | int | str],
        between: Callable[[], None] | None,
    ) -> Reply:
        wait: tuple[Command, ...] = ()
        if self._wait_replicas:
            wait = ((b"WAIT", self._wait_replicas, WAIT_MS),)
        try:
            replies = self._sent(keys[0], [_called(script, keys, args), *wait], between=between)
        except NoScriptError:
            # It was not carried out; so it is sent whole, and known from then on.
            replies = self._sent(keys[0], [_taught(script, keys, args), *wait])
        if wait and replies[1] < self._wait_replicas:
            raise unknown_outcome(self.place)
        return replies[0]

    def _sent(
        self,
        key: bytes,
        commands: Sequence[Command],
        *,
        again: bool = False,
        at: Address | None = None,
        between: Callable[[], None] | None = None,
    ) -> list[Reply]:
        """Replies without a refusal; a `NoScriptError` is raised as it is."""
        address = at or self._holder(key)
        asking = False
        failures: list[FairbonesError] = []
        for _ in range(TRIES):
            try:
                replies = self._asked(address, commands, asking, between)
                refused = _first_refusal(replies)
                if refused is None:
                    return replies
                if isinstance(refused, AskError):
                    # ASK is for one key of a slot that is moving; MOVED is for good.
                    address = moved_to(refused, address)
                    asking = not isinstance(refused, MovedError)
                    if not asking:
                        self.look_again()
                    continue
                failures.append(_temporary(refused, address))
            except Unsent as error:
                failures.append(unreachable(address, error))
            except Unheard as error:
                if not again:
                    raise unknown_outcome(address) from error
                failures.append(unreachable(address))
                if isinstance(error.__cause__, LineSilent):
                    break  # it had its time
            if len(failures) > 1:
                break
            self.look_again()
            asking = False
            address = at or self._holder(key)
        raise failures[-1] if failures else unreachable(address)

    def _asked(
        self,
        address: Address,
        commands: Sequence[Command],
        asking: bool,
        between: Callable[[], None] | None,
    ) -> list[Reply]:
        lines = self._at(address)
        try:
            line = lines.take()
        except RedisError as error:
            raise refusal(error, address) from error
        try:
            replies = _asking(line, commands) if asking else line.ask(commands, between)
        except BaseException:
            lines.drop(line)
            raise
        if any(isinstance(it, ReadOnlyError | BusyLoadingError) for it in replies):
            # Behind one name there may be another server by now.
            lines.drop(line)
        else:
            lines.give(line)
        return replies

    def _holder(self, key: bytes) -> Address:
        self._refuse_closed()
        return self._topology.holder(key)

    def _refuse_closed(self) -> None:
        if self._closed:
            raise closed()

    def _at(self, address: Address) -> Lines:
        lines = self._lines.get(address)
        if lines is None:
            with self._guard:
                self._refuse_closed()
                lines = self._lines.setdefault(address, Lines(lambda: self._line(address)))
        return lines

    def _line(self, address: Address) -> Line:
        place = self.place
        line = Line(
            connection_to(place, address, user=place.user, password=place.password, db=place.db)
        )
        line.connect()
        # Sentinels may name a server that is not promoted yet, or not any more.
        if place.kind == "sentinel" and not _leads(line):
            line.close()
            raise Unsent
        return line


def _called(script: Script, keys: Sequence[bytes], args: Sequence[bytes | int | str]) -> Command:
    return (b"EVALSHA", script.sha, len(keys), *keys, *args)


def _taught(script: Script, keys: Sequence[bytes], args: Sequence[bytes | int | str]) -> Command:
    return (b"EVAL", script.text, len(keys), *keys, *args)


def _asking(line: Line, commands: Sequence[Command]) -> list[Reply]:
    """Replies of a server that takes over a slot; ASKING is for one command."""
    asking: Command = (b"ASKING",)
    return line.ask([it for command in commands for it in (asking, command)])[1::2]


def _leads(line: Line) -> bool:
    try:
        return is_master(line)
    except Unheard:
        return False


def _temporary(refused: RedisError, address: Address) -> FairbonesError:
    """The error for a refusal that another server, or another line, may not have; raises others."""
    if isinstance(refused, NoScriptError):
        raise refused
    failure = refusal(refused, address)
    if isinstance(refused, ReadOnlyError | BusyLoadingError):
        return failure
    raise failure from refused


def _first_refusal(replies: Sequence[Reply]) -> RedisError | None:
    return next((it for it in replies if isinstance(it, RedisError)), None)
