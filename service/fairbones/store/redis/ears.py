"""One thread of each process that hears which matches have grown elsewhere."""

from __future__ import annotations

import threading
import time
from contextlib import suppress

from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as LineSilent

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Ears
from fairbones.store.redis import keys
from fairbones.store.redis.feeder import ID_BYTES, NAME_BYTES
from fairbones.store.redis.lines import Wired, connection_to
from fairbones.store.redis.wire import Wire

# After so much silence it asks whether anybody is there, and whether it is still the right one.
SILENCE_SECONDS = 5.0
_PAUSES = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)


class Listener:
    """Rings `ears` from `start` to `close`. `name` is that of this process's own messages."""

    def __init__(self, wire: Wire, ears: Ears, name: bytes) -> None:
        self._wire = wire
        self._ears = ears
        self._name = name
        self._channel = keys.wake(wire.place.db)
        self._closing = threading.Event()
        self._connection: Wired | None = None
        self._thread = threading.Thread(target=self._run, name="listener", daemon=True)

    def start(self) -> None:
        """From now on; until it is connected the ears are deaf."""
        self._ears.deaf(True)
        self._thread.start()

    def close(self) -> None:
        """Hang up and end."""
        self._closing.set()
        connection = self._connection
        if connection is not None:
            with suppress(RedisError, OSError, AttributeError):
                connection.disconnect()
        self._thread.join(SILENCE_SECONDS)

    def _run(self) -> None:
        failures = 0
        while not self._closing.is_set():
            since = time.monotonic()
            # Whatever ends a connection, another one is made: nobody else can hear for us.
            with suppress(RedisError, OSError, FairbonesError, AttributeError, ValueError):
                self._listen()
            if self._closing.is_set():
                return
            self._ears.deaf(True)
            self._wire.look_again()
            failures = 0 if time.monotonic() - since > SILENCE_SECONDS else failures + 1
            self._closing.wait(_PAUSES[min(failures, len(_PAUSES) - 1)])

    def _listen(self) -> None:
        place = self._wire.place
        address = self._wire.holder()
        connection = connection_to(
            place,
            address,
            user=place.user,
            password=place.password,
            read_seconds=SILENCE_SECONDS,
        )
        self._connection = connection
        try:
            connection.connect()
            _say(connection, b"SUBSCRIBE", self._channel)
            connection.read_response(disable_decoding=True)
            self._ears.deaf(False)
            # What was said before is lost.
            self._ears.ring_all()
            asked = False
            looked = time.monotonic()
            while not self._closing.is_set():
                if time.monotonic() - looked >= SILENCE_SECONDS:
                    # A master that is cut off goes on talking to those who are with it.
                    looked = time.monotonic()
                    self._wire.look_again()
                    if self._wire.holder() != address:
                        return
                try:
                    reply = connection.read_response(
                        disable_decoding=True, disconnect_on_error=False
                    )
                except LineSilent:
                    if asked:
                        return
                    _say(connection, b"PING")
                    asked = True
                    continue
                asked = False
                if isinstance(reply, ResponseError):
                    return
                if reply[0] == b"message":
                    self._hear(reply[2])
        finally:
            connection.disconnect()

    def _hear(self, said: bytes) -> None:
        if said[:NAME_BYTES] == self._name:
            return  # rung at once, when it was appended
        for start in range(NAME_BYTES, len(said), ID_BYTES):
            self._ears.ring(said[start : start + ID_BYTES])


def _say(connection: Wired, *words: bytes) -> None:
    connection.send_packed_command(connection.pack_commands([words]), check_health=False)
