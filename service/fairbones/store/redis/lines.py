"""Connections to one server, and which of them are free.

redis-py speaks the protocol, TLS and the greeting; when to send, when to send again and what a lost
reply means is decided here, for a write must never be sent twice unseen.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Protocol, cast

from redis import connection as theirs
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as LineLost
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as LineSilent
from redis.retry import Retry

from fairbones.core.errors import FairbonesError
from fairbones.store.redis.url import Address, Place

CONNECT_SECONDS = 2.0
READ_SECONDS = 3.0
# So many requests of this process are at one server at once; others wait in turn.
LINES_MAX = 64
WAIT_SECONDS = 15.0

# A command as words, and a reply: bytes, a number, a list, None, or what the server refused with.
Word = bytes | int | str
Command = tuple[Word, ...]
Reply = Any


class Wired(Protocol):
    """What is used of a connection of redis-py, which has few types."""

    def connect(self) -> None: ...
    def can_read(self, timeout: float) -> bool: ...
    def pack_commands(self, commands: Sequence[Command]) -> list[bytes]: ...
    def send_packed_command(self, command: list[bytes], check_health: bool) -> None: ...
    def read_response(
        self, disable_decoding: bool, *, disconnect_on_error: bool = True
    ) -> Reply: ...
    def disconnect(self) -> None: ...


class Unsent(Exception):
    """No command of these was carried out."""


class Unheard(Exception):
    """The commands were sent; what became of them is not known."""


def connection_to(
    place: Place,
    address: Address,
    *,
    user: str | None,
    password: str | None,
    db: int = 0,
    read_seconds: float | None = None,
) -> Wired:
    """A connection that is not connected yet. It repeats nothing by itself."""
    shared: dict[str, Any] = {
        "db": db,
        "username": user,
        "password": password,
        "socket_timeout": READ_SECONDS if read_seconds is None else read_seconds,
        "socket_connect_timeout": CONNECT_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        "retry_on_timeout": False,
        "protocol": 2,
        "driver_info": None,
        "health_check_interval": 0,
    }
    if not address.port:
        return _made("UnixDomainSocketConnection", path=address.host, **shared)
    shared |= {"host": address.host, "port": address.port, "socket_keepalive": True}
    if place.tls:
        return _made(
            "SSLConnection",
            ssl_ca_certs=place.ca,
            ssl_certfile=place.cert,
            ssl_keyfile=place.key,
            **shared,
        )
    return _made("Connection", **shared)


def _made(name: str, **words: Any) -> Wired:
    return cast(Wired, getattr(theirs, name)(**words))


class Line:
    """One connection, used by one request at a time."""

    def __init__(self, connection: Wired) -> None:
        self._connection = connection

    def connect(self) -> None:
        """Raises `Unsent`, or what the server says of a greeting it does not like.

        Somebody in between may take a connection to a server that is gone: so it has to answer.
        """
        try:
            self._connection.connect()
            (reply,) = self.ask([(b"PING",)])
        except Unheard as error:
            raise Unsent from error
        except ResponseError:
            raise
        except (LineLost, LineSilent) as error:
            if type(error) not in (LineLost, LineSilent):
                raise  # a wrong password, or a server that is loading
            raise Unsent from error
        except (RedisError, OSError, ValueError, OverflowError) as error:
            # The last two: a name or a port that the resolver does not even ask about.
            raise Unsent from error
        if isinstance(reply, RedisError):
            raise reply

    def lives(self) -> bool:
        """Whether the server has neither hung up nor said anything unasked."""
        try:
            return not self._connection.can_read(0)
        except (LineLost, OSError):
            return False

    def ask(
        self, commands: Sequence[Command], between: Callable[[], None] | None = None
    ) -> list[Reply]:
        """Send all at once and read a reply to each; refusals are among the replies.

        `between` is called when all is sent and nothing is read. Raises `Unsent`, `Unheard`.
        """
        connection = self._connection
        try:
            connection.send_packed_command(connection.pack_commands(commands), check_health=False)
        except (LineLost, LineSilent, OSError) as error:
            # A server carries out no command of which it has only a part.
            raise (Unsent if len(commands) == 1 else Unheard) from error
        if between is not None:
            between()
        replies: list[Reply] = []
        for _ in commands:
            try:
                replies.append(connection.read_response(disable_decoding=True))
            except ResponseError as error:
                replies.append(error)
            except (LineLost, LineSilent) as error:
                if type(error) in (LineLost, LineSilent):
                    raise Unheard from error
                replies.append(error)  # it is loading, and hangs up
            except (RedisError, OSError) as error:
                raise Unheard from error
        return replies

    def close(self) -> None:
        """Hang up."""
        with suppress(RedisError, OSError):
            self._connection.disconnect()


class Lines:
    """All connections to one server; threads may use it side by side."""

    def __init__(self, make: Callable[[], Line], most: int = LINES_MAX) -> None:
        self._make = make
        self._idle: deque[Line] = deque()
        self._turns = threading.Semaphore(most)
        self._closed = False

    def take(self) -> Line:
        """A line that lives, alone; `give` or `drop` it. Raises as `Line.connect` does."""
        if not self._turns.acquire(timeout=WAIT_SECONDS):
            raise FairbonesError("store/busy", "Too many requests wait for the store; try again.")
        try:
            while True:
                try:
                    line = self._idle.pop()
                except IndexError:
                    return self._make()
                if line.lives():
                    return line
                line.close()
        except BaseException:
            self._turns.release()
            raise

    def give(self, line: Line) -> None:
        """It may be used again."""
        self._idle.append(line)
        self._turns.release()
        if self._closed:
            self.close()

    def drop(self, line: Line) -> None:
        """It may not."""
        line.close()
        self._turns.release()

    def close(self) -> None:
        """Hang up all that are free; those in use follow when they are given back."""
        self._closed = True
        with suppress(IndexError):
            while True:
                self._idle.pop().close()
