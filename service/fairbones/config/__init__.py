"""The environment, read and checked once: `table.VARIABLES` says what there is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from environs import Env, EnvError

from fairbones.config.passwords import has_password, read_password, shown
from fairbones.config.table import LOG_LEVELS, OPENERS, PREFIX, SQLITE, VARIABLES, Variable
from fairbones.core.errors import FairbonesError

__all__ = [
    "EXIT_REFUSED",
    "FOREIGN",
    "LOG_LEVELS",
    "OPENERS",
    "PREFIX",
    "VARIABLES",
    "Settings",
    "Variable",
    "load_settings",
]

# A service that cannot start says why in one sentence and exits with this.
EXIT_REFUSED = 3
# Read elsewhere: the seed of the tests' randomness.
FOREIGN = frozenset({"FAIRBONES_SEED"})

Values = Mapping[str, int | str | None]


@dataclass(frozen=True, slots=True)
class Settings:
    """The checked configuration; `serving` fills in the `port` really bound when it is 0.

    `store` may carry a password: show `store_shown`.
    """

    host: str
    port: int
    data: Path
    store: str = field(repr=False)
    store_password_file: Path | None
    wait_replicas: int
    keys: Path
    workers: int
    connections: int
    threads: int
    waiters: int
    wait_max: int
    heartbeat: int
    sweep: int
    body_max: int
    grace: int
    proxies: int
    openers: str
    rate: int
    open_cost: int
    log_level: str

    @property
    def address(self) -> str:
        """The URL of the port listened on, without a final slash."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def shared(self) -> bool:
        """Whether other processes use the same store: the Redis mode."""
        return self.store != SQLITE

    @property
    def store_shown(self) -> str:
        """The store without its password."""
        return shown(self.store)

    def store_password(self) -> str | None:
        """The password that FAIRBONES_STORE_PASSWORD_FILE holds now; None: no file is named.

        Raises `FairbonesError("config/password-file")`.
        """
        return None if self.store_password_file is None else read_password(self.store_password_file)


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
            said = "wrong" if variable.secret else repr(os.environ[variable.name])
            problems.append(f"{variable.name} is {said}; it has to be {variable.allowed}.")
    if not problems:
        problems = [told for check in _CHECKS for told in check(values)]
    if problems:
        raise FairbonesError("config/invalid", "\n".join(problems), problems=problems)
    return _settings(values)


def _settings(values: Values) -> Settings:
    numbers = {name: value for name, value in values.items() if isinstance(value, int)}
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    data = _path(texts.get("data", _default_data()))
    shared = texts["store"] != SQLITE
    password_file = texts.get("store_password_file")
    return Settings(
        host=texts["host"],
        port=numbers["port"],
        data=data,
        store=texts["store"],
        store_password_file=None if password_file is None else _path(password_file),
        wait_replicas=numbers["wait_replicas"],
        keys=_path(texts["keys"]) if "keys" in texts else data / "keys",
        workers=numbers.get("workers", _cores() if shared else 1),
        connections=numbers["connections"],
        threads=numbers["threads"],
        waiters=numbers.get("waiters", _waiters(numbers, shared)),
        wait_max=numbers["wait_max"],
        heartbeat=numbers["heartbeat"],
        sweep=numbers["sweep"],
        body_max=numbers["body_max"],
        grace=numbers["grace"],
        proxies=numbers["proxies"],
        openers=texts["openers"],
        rate=numbers["rate"],
        open_cost=numbers["open_cost"],
        log_level=texts["log_level"],
    )


def _waiters(numbers: Mapping[str, int], shared: bool) -> int:
    # Whoever does not wait must find a thread, or a connection, that is free.
    return numbers["connections"] * 9 // 10 if shared else numbers["threads"] // 2


def _some_are_left_to_answer(values: Values) -> Iterator[str]:
    name = "threads" if values["store"] == SQLITE else "connections"
    places, waiters = values[name], values["waiters"]
    if isinstance(places, int) and isinstance(waiters, int) and waiters >= places:
        yield (
            f"FAIRBONES_WAITERS is {waiters}; it has to be less than FAIRBONES_{name.upper()}, "
            f"which is {places}."
        )


def _one_process_has_the_file(values: Values) -> Iterator[str]:
    """What a file cannot do would silently be left undone."""
    if values["store"] != SQLITE:
        return
    if values["workers"] not in (None, 1):
        yield (
            f"FAIRBONES_WORKERS is {values['workers']}; with FAIRBONES_STORE `sqlite` it has to "
            "be 1, name a Redis there to have more."
        )
    if values["wait_replicas"]:
        yield (
            f"FAIRBONES_WAIT_REPLICAS is {values['wait_replicas']}; with FAIRBONES_STORE "
            "`sqlite` it has to be 0, as there are no replicas."
        )
    if values["store_password_file"] is not None:
        yield (
            "FAIRBONES_STORE_PASSWORD_FILE is set; with FAIRBONES_STORE `sqlite` it has to be "
            "unset, as there is no password."
        )


def _one_password(values: Values) -> Iterator[str]:
    store, named = values["store"], values["store_password_file"]
    if store == SQLITE or not isinstance(store, str) or not isinstance(named, str):
        return
    if has_password(store):
        yield (
            "FAIRBONES_STORE has a password, and FAIRBONES_STORE_PASSWORD_FILE another; "
            "leave one of them out."
        )
        return
    try:
        read_password(_path(named))
    except FairbonesError as error:
        yield error.message


_CHECKS: tuple[Callable[[Values], Iterator[str]], ...] = (
    _some_are_left_to_answer,
    _one_process_has_the_file,
    _one_password,
)


def _unknown(environ: Mapping[str, str]) -> list[str]:
    """A misspelt variable would silently do nothing. Its value may be anything: never shown."""
    known = {variable.name for variable in VARIABLES} | FOREIGN
    strange = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return [
        f"{name} is not a variable of Fairbones; `fairbones serve --help` lists them all."
        for name in strange
    ]


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _cores() -> int:
    return min(64, len(os.sched_getaffinity(0)))


def _default_data() -> str:
    # The specification of base directories has relative paths ignored.
    home = os.environ.get("XDG_DATA_HOME", "")
    return f"{home}/fairbones" if home.startswith("/") else "~/.local/share/fairbones"
