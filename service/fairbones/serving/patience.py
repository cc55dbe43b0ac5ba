"""How long both workers wait for a client, and how much they keep for it meanwhile."""

from __future__ import annotations

# A request has to be here so long after its first byte.
ARRIVAL_SECONDS = 10.0
# How long an answer may stand still.
STALL_SECONDS = 10
# How long, and how many at once, answered clients may take to hang up: a connection that is closed
# while its client still sends is reset, and the end of the answer with it.
LEAVING_SECONDS = 2.0
LEAVING_MAX = 256
# Bytes of requests that are unfinished or not answered yet, of all clients together.
HELD_BYTES = 64 << 20
# A stop gives a request that is on its way so long.
STOP_SECONDS = 2.0
