"""Everything that can be set from outside: `VARIABLES` is the whole list, docs are held to it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from marshmallow.validate import Length, OneOf, Range, Regexp

PREFIX = "FAIRBONES_"
SQLITE = "sqlite"
LOG_LEVELS = ("debug", "info", "warning", "error")
OPENERS = ("anyone", "keys")

# The schemes of a store; what comes after them is read by the store itself (`store/url`).
_STORE = re.compile(r"sqlite|(?:redis|valkey)s?(?:\+(?:sentinel|cluster))?://\S+|unix://\S+")


@dataclass(frozen=True, slots=True)
class Variable:
    """One row: how a variable is read, what it may be and what it does.

    `field` is its name in `Settings`, `kind` how environs reads it; `default` None means that
    `default_text` says in words what holds. A `secret` value is never shown.
    """

    name: str
    field: str
    kind: str
    default: int | str | None
    default_text: str
    valid: Callable[[Any], object]
    allowed: str
    meaning: str
    secret: bool = False


def _whole(
    name: str, default: int | None, low: int, high: int, meaning: str, default_text: str = ""
) -> Variable:
    return Variable(
        name=PREFIX + name,
        field=name.lower(),
        kind="int",
        default=default,
        default_text=default_text or str(default),
        valid=Range(min=low, max=high),
        allowed=f"a whole number from {low} to {high}",
        meaning=meaning,
    )


def _text(
    name: str,
    default: str | None,
    valid: Callable[[Any], object],
    allowed: str,
    meaning: str,
    default_text: str = "",
    *,
    secret: bool = False,
) -> Variable:
    return Variable(
        name=PREFIX + name,
        field=name.lower(),
        kind="str",
        default=default,
        default_text=default_text or str(default),
        valid=valid,
        allowed=allowed,
        meaning=meaning,
        secret=secret,
    )


def _one_of(name: str, default: str, words: tuple[str, ...], meaning: str) -> Variable:
    return _text(name, default, OneOf(words), "one of " + ", ".join(words), meaning)


VARIABLES: tuple[Variable, ...] = (
    _text(
        "HOST",
        "127.0.0.1",
        Regexp(re.compile(r"[A-Za-z0-9.:_-]+\Z")),
        "a name or an address of this machine",
        "the address to listen on; plain http, so anything but loopback wants a proxy before it",
    ),
    _whole("PORT", 8400, 0, 65_535, "the port to listen on; 0 takes any free port"),
    _text(
        "DATA",
        None,
        Length(min=1),
        "the path of a folder",
        "the data folder: matches, keys and the lock; one process at a time",
        "$XDG_DATA_HOME/fairbones or ~/.local/share/fairbones",
    ),
    _text(
        "STORE",
        SQLITE,
        Regexp(re.compile(rf"(?:{_STORE.pattern})\Z")),
        "`sqlite`, or a URL that begins with redis://, rediss://, unix://, redis+sentinel://, "
        "rediss+sentinel://, redis+cluster:// or rediss+cluster://",
        "where matches are kept: a file of the data folder, or a Redis or Valkey that many "
        "processes and machines share",
        secret=True,
    ),
    _text(
        "STORE_PASSWORD_FILE",
        None,
        Length(min=1),
        "the path of a file",
        "a file with the password of FAIRBONES_STORE, which others may not read",
        "none",
    ),
    _whole(
        "WAIT_REPLICAS",
        0,
        0,
        9,
        "replicas of FAIRBONES_STORE that must have a change before it is answered",
    ),
    _text(
        "KEYS",
        None,
        Length(min=1),
        "the path of a folder",
        "the folder of the key files; machines that share a store have the same keys",
        "the folder keys of FAIRBONES_DATA",
    ),
    _whole(
        "WORKERS",
        None,
        1,
        64,
        "worker processes; with `sqlite` there is one",
        "1 with `sqlite`, else the number of cores",
    ),
    _whole(
        "CONNECTIONS",
        8_000,
        16,
        100_000,
        "connections that may be open in one worker; with `sqlite` the threads count instead",
    ),
    _whole("THREADS", 32, 2, 512, "requests that are answered at the same time with `sqlite`"),
    _whole(
        "WAITERS",
        None,
        0,
        100_000,
        "requests and event streams that may wait for events at the same time in one worker; "
        "with `sqlite` fewer than FAIRBONES_THREADS, else than FAIRBONES_CONNECTIONS",
        "half of FAIRBONES_THREADS, or nine tenths of FAIRBONES_CONNECTIONS",
    ),
    _whole("WAIT_MAX", 30, 0, 120, "seconds that one request may wait for events"),
    _whole(
        "HEARTBEAT", 15, 1, 60, "seconds of silence after which an event stream sends a comment"
    ),
    _whole(
        "SWEEP",
        30,
        0,
        3_600,
        "seconds between two looks at deadlines of matches that nobody touches; 0: never",
    ),
    _whole("BODY_MAX", 65_536, 1_024, 1_048_576, "bytes in the body of a request"),
    _whole("GRACE", 10, 1, 120, "seconds that a stop waits for requests being answered"),
    _whole(
        "PROXIES",
        0,
        0,
        5,
        "trusted proxies in front of the service: so many addresses of X-Forwarded-For count",
    ),
    _one_of("OPENERS", "anyone", OPENERS, "who may open matches; `keys`: who has an API key"),
    _whole(
        "RATE",
        0,
        0,
        1_000_000,
        "requests a minute from one address or with one token; 0: as many as come",
    ),
    _whole(
        "OPEN_COST",
        600_000,
        0,
        10**9,
        "tiles a minute (rounds times tiles of a hand) that the matches of one address or API key "
        "may have washed; 0: as many as come",
    ),
    _one_of(
        "LOG_LEVEL", "info", LOG_LEVELS, "the least that is logged; requests are logged as info"
    ),
)
