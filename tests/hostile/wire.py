"""Requests as bytes and answers as they come: nothing between is tidied up by a library."""

from __future__ import annotations

import io
import json
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

Json = dict[str, Any]
PATIENCE = 30


@dataclass(frozen=True, slots=True)
class Request:
    """One request; `body` is sent as it stands."""

    method: str
    path: str
    body: bytes | None = None
    token: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    close: bool = True

    def raw(self) -> bytes:
        """The bytes on the wire."""
        lines = [f"{self.method} {self.path} HTTP/1.1", "Host: house"]
        if self.token is not None:
            lines.append(f"Authorization: Bearer {self.token}")
        if self.body is not None:
            lines += ["Content-Type: application/json", f"Content-Length: {len(self.body)}"]
        lines += [f"{name}: {value}" for name, value in self.fields]
        if self.close:
            lines.append("Connection: close")
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + (self.body or b"")

    def told(self) -> Json:
        """The body as an object."""
        found: Json = json.loads(self.body or b"{}")
        return found

    def but(self, **members: Any) -> Request:
        """The same with other members of its body; None takes one away."""
        told = self.told() | members
        return self.saying({name: value for name, value in told.items() if value is not None})

    def saying(self, body: Json) -> Request:
        """The same with another body."""
        return replace(self, body=json.dumps(body).encode())

    def at(self, path: str) -> Request:
        """The same sent elsewhere."""
        return replace(self, path=path)

    def by(self, token: str | None) -> Request:
        """The same by somebody else."""
        return replace(self, token=token)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    fields: Mapping[str, str]
    body: bytes = field(repr=False)

    def told(self) -> Json:
        """The body as an object."""
        found: Json = json.loads(self.body)
        return found

    @property
    def code(self) -> str | None:
        """The code of a refusal."""
        code: str | None = self.told().get("code")
        return code

    def timeless(self) -> Json:
        """What a repeated request is answered with too: all but the moment."""
        told = self.told()
        told["view"] = {name: value for name, value in told["view"].items() if name != "now"}
        return told


def read_answer(stream: BinaryIO) -> Answer:
    """The next answer of a connection. ConnectionError when there is none."""
    line = stream.readline()
    if not line:
        raise ConnectionError("hung up without an answer")
    version, status, _ = line.decode("ascii").split(" ", 2)
    assert version in ("HTTP/1.1", "HTTP/1.0")
    fields: dict[str, str] = {}
    while text := stream.readline().decode("latin-1").strip():
        name, _, value = text.partition(":")
        fields[name.lower()] = value.strip()
    length = int(fields.get("content-length", "0"))
    body = stream.read(length)
    assert len(body) == length
    return Answer(int(status), fields, body)


def parsed(raw: bytes) -> Answer:
    """The one answer in these bytes, and nothing after it."""
    stream = io.BytesIO(raw)
    answer = read_answer(stream)
    assert stream.read() == b""
    return answer


def connect(port: int) -> socket.socket:
    """A connection to the house that waits long, not for ever."""
    return socket.create_connection(("127.0.0.1", port), PATIENCE)


def send(port: int, raw: bytes) -> Answer:
    """These bytes on a connection of their own, and the answer."""
    with connect(port) as client, client.makefile("rb") as stream:
        client.sendall(raw)
        return read_answer(stream)
