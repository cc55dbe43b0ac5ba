"""Everything that can be set from outside: `VARIABLES` is the whole list, docs are held to it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from environs import Env, EnvError
from marshmallow.validate import Length, OneOf, Range, Regexp

from fairbones.core.errors import FairbonesError

PREFIX = "FAIRBONES_"
# A service that cannot start says why in one sentence and exits with this.
EXIT_REFUSED = 3
# Read elsewhere: the seed of the tests' randomness.
FOREIGN = frozenset({"FAIRBONES_SEED"})


@dataclass(frozen=True, slots=True)
class Variable:
    """One row: how a variable is read, what it may be and what it does.

    `field` is its name in `Settings`, `kind` how environs reads it; `default` None means that
    `default_text` says in words what holds.
    """

    name: str
    field: str
    kind: str
    default: int | str | None
    default_text: str
    valid: Callable[[Any], object]
    allowed: str
    meaning: str


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
    )


LOG_LEVELS = ("debug", "info", "warning", "error")


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
    _whole("THREADS", 32, 2, 512, "requests that are answered at the same time"),
    _whole(
        "WAITERS",
        None,
        0,
        511,
        "requests that may wait for events at the same time; fewer than FAIRBONES_THREADS",
        "half of FAIRBONES_THREADS",
    ),
    _whole("WAIT_MAX", 30, 0, 120, "seconds that one request may wait for events"),
    _whole("BODY_MAX", 65_536, 1_024, 1_048_576, "bytes in the body of a request"),
    _whole("GRACE", 10, 1, 120, "seconds that a stop waits for requests being answered"),
    _text(
        "LOG_LEVEL",
        "info",
        OneOf(LOG_LEVELS),
        "one of " + ", ".join(LOG_LEVELS),
        "the least that is logged; requests are logged as info",
    ),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The checked configuration; `serving` fills in the `port` really bound when it is 0."""

    host: str
    port: int
    data: Path
    threads: int
    waiters: int
    wait_max: int
    body_max: int
    grace: int
    log_level: str

    @property
    def address(self) -> str:
        """The URL of the port listened on, without a final slash."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


def load_settings() -> Settings:
    """Read and check the environment.

    Raises `FairbonesError("config/invalid")`; its message has one sentence a line for each
    thing that is wrong, and `details["problems"]` has them as a list.
    """
    env = Env()
    problems = _unknown(os.environ)
    values: dict[str, int | str | None] = {}
    for variable in VARIABLES:
        read = getattr(env, variable.kind)
        try:
            values[variable.field] = read(variable.name, variable.default, validate=variable.valid)
        except EnvError:
            problems.append(
                f"{variable.name} is {os.environ[variable.name]!r}; "
                f"it has to be {variable.allowed}."
            )
    threads, waiters = values.get("threads"), values.get("waiters")
    if isinstance(threads, int) and isinstance(waiters, int) and waiters >= threads:
        problems.append(
            f"FAIRBONES_WAITERS is {waiters}; it has to be less than FAIRBONES_THREADS, "
            f"which is {threads}."
        )
    if problems:
        raise FairbonesError("config/invalid", "\n".join(problems), problems=problems)
    return _settings(values)


def _settings(values: Mapping[str, int | str | None]) -> Settings:
    numbers = {name: value for name, value in values.items() if isinstance(value, int)}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    return Settings(
        host=texts["host"],
        port=numbers["port"],
        data=Path(texts.get("data", _default_data())).expanduser().absolute(),
        threads=numbers["threads"],
        waiters=numbers.get("waiters", numbers["threads"] // 2),
        wait_max=numbers["wait_max"],
        body_max=numbers["body_max"],
        grace=numbers["grace"],
        log_level=texts["log_level"],
    )


def _unknown(environ: Mapping[str, str]) -> list[str]:
    """A misspelt variable would silently do nothing. Its value may be anything: never shown."""
    known = {variable.name for variable in VARIABLES} | FOREIGN
    strange = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return [
        f"{name} is not a variable of Fairbones; `fairbones serve --help` lists them all."
        for name in strange
    ]


def _default_data() -> str:
    # The specification of base directories has relative paths ignored.
    home = os.environ.get("XDG_DATA_HOME", "")
    return f"{home}/fairbones" if home.startswith("/") else "~/.local/share/fairbones"
