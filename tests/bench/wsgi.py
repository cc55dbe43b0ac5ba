"""The real service and a bare Flask application, asked through WSGI without a socket."""

from __future__ import annotations

import io
import json
import os
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask, request
from werkzeug.test import EnvironBuilder

from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.house.messages import ActRequest, OpenRequest, SitRequest
from fairbones.house.service import House
from fairbones.keys.keyring import Keyring, open_keyring
from fairbones.store.sqlite import SqliteStore
from tests.bench.harness import Watch
from tests.bench.matches import DAY_SECONDS

Environ = dict[str, Any]
Json = dict[str, Any]


def bare_app(answers: Mapping[str, Json]) -> Flask:
    """What Flask itself takes for JSON in and JSON out: two routes that do nothing else.

    `POST /actions` answers by the `seq` in the request's body, `GET /NAME` by the name.
    """
    app = Flask("bare", static_folder=None, template_folder=None)

    @app.post("/actions")
    def take() -> Json:
        return answers[str(request.get_json()["seq"])]

    @app.get("/<name>")
    def give(name: str) -> Json:
        return answers[name]

    return app


def posting(path: str, body: object, token: str | None = None) -> Environ:
    """The environ of a POST with a JSON body; `sent` makes a fresh copy of it."""
    return _environ("POST", path, json.dumps(body).encode(), token)


def getting(path: str, token: str | None = None) -> Environ:
    """The environ of a GET."""
    return _environ("GET", path, None, token)


def _environ(method: str, path: str, body: bytes | None, token: str | None) -> Environ:
    headers = [("User-Agent", "bench"), ("Accept", "*/*")]
    if token is not None:
        headers.append(("Authorization", f"Bearer {token}"))
    content = None if body is None else "application/json"
    builder = EnvironBuilder(path, method=method, headers=headers, data=body, content_type=content)
    try:
        environ: Environ = builder.get_environ()
    finally:
        builder.close()
    environ["bench.body"] = body or b""
    return environ


def ask(app: Flask, environ: Environ, watch: Watch | None = None) -> bytes:
    """The body of the answer, which must be a good one; only the application is on the watch."""
    sent = {**environ, "wsgi.input": io.BytesIO(environ["bench.body"])}
    said: list[str] = []

    def start_response(status: str, *_: object) -> Any:
        said.append(status)

    if watch is not None:
        watch.start()
    chunks: Iterable[bytes] = app(sent, start_response)
    body = b"".join(chunks)
    if watch is not None:
        watch.stop()
    close = getattr(chunks, "close", None)
    if close is not None:
        close()
    if not said[0].startswith("2"):
        raise RuntimeError(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}: {said[0]}")
    return body


@dataclass(frozen=True, slots=True)
class Seated:
    """A match in the service, and the tokens of its seats."""

    match_id: bytes
    tokens: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/v1/matches/{self.match_id.hex()}"


@dataclass(frozen=True, slots=True)
class Rig:
    """The service on a database of its own, which commits as in production (WAL, FULL)."""

    store: SqliteStore
    keys: Keyring
    house: House
    app: Flask
    rnd: random.Random

    def another_house(self) -> House:
        """A house that has seen nothing yet, on the same database."""
        return House(self.store, self.keys.vault, self.keys.signer, now, os.urandom)

    def seated(self, ruleset: str, seats: int, target: int = 100, rounds_max: int = 32) -> Seated:
        """A match whose first hand is dealt."""
        opened = self.house.open(
            OpenRequest(
                ruleset,
                seats,
                {"target": target},
                rounds_max=rounds_max,
                turn_seconds=DAY_SECONDS,
                clear_seeds=True,
            )
        )
        tokens = tuple(self.rnd.randbytes(32).hex() for _ in range(seats))
        for seat, token in enumerate(tokens):
            seed = self.rnd.randbytes(32)
            self.house.sit(opened.match_id, token, SitRequest(seat, f"p{seat}", client_seed=seed))
        return Seated(opened.match_id, tokens)

    def next_action(self, match: Seated) -> tuple[str, Json] | None:
        """The token of the seat on turn and a request of its own; None when the match is over."""
        turn = self.house.view(match.match_id, None).view.get("turn")
        if not isinstance(turn, int):
            return None
        token = match.tokens[turn]
        shown: Any = self.house.view(match.match_id, token).view
        action = self.rnd.choice(shown["you"]["legal_actions"])
        return token, {"seq": shown["head"]["seq"] + 1, "action": action}

    def act(self, match: Seated, token: str, body: Json) -> None:
        """Do what `next_action` told, straight in the house."""
        self.house.act(match.match_id, token, ActRequest(body["seq"], body["action"]))


def now() -> int:
    """The service's own clock."""
    return time.time_ns() // 1_000_000


@contextmanager
def rig(folder: Path, seed: str) -> Iterator[Rig]:
    """The service in a folder; everything is closed behind it."""
    folder.mkdir(parents=True, exist_ok=True)
    keys = open_keyring(folder / "keys", frozenset())
    store = SqliteStore(folder / "bench.db")
    try:
        house = House(store, keys.vault, keys.signer, now, os.urandom)
        yield Rig(store, keys, house, build_api(house, Limits()), random.Random(seed))
    finally:
        store.close()
