"""Any bytes as a request: an answer that `openapi.yaml` has, and nothing appended by a refusal.

An input is a line `METHOD address`, lines `Name: value`, an empty line and the body; `@playing`
and the like stand for what `standing` knows. Whatever it says, some request comes of it.
"""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from werkzeug.test import TestResponse, run_wsgi_app
from werkzeug.wrappers import Request as Sent

from fairbones.api.codes import CODES
from fairbones.api.problems import MEDIA_TYPE
from tests.api.documented import call_of, component, examples_of, foreseen, operations, schema_of
from tests.fuzz.hostile import VALUES, WORDS
from tests.fuzz.mutator import USUAL
from tests.fuzz.standing import INVITE, standing

Json = dict[str, Any]
# What a refusal may leave behind: the end of a match whose history the house has lost (SPEC 8.7).
_VOIDS = "match/history-lost"
# What is said of an address or a method that no call has.
_NO_CALL = ("route/unknown", "request/method", "match/unknown", "seat/unknown")
_NAME = re.compile(rb"[^A-Za-z0-9_-]")
_METHOD = re.compile(rb"[^A-Z]")
_LINES = re.compile(rb"[\r\n\0]")


class Asked(NamedTuple):
    """A request as a server has read it."""

    method: str
    address: str
    headers: list[tuple[str, str]]
    body: bytes


def one(data: bytes) -> None:
    """Raises where the service answers what it may not."""
    outcome(data)


def outcome(data: bytes) -> str:
    """Status and code of the answer, or the call that was granted."""
    at = standing()
    asked = read(at.filled(data))
    try:
        answer = ask(asked)
        appended = at.count() - at.events
        return judged(asked, answer, appended)
    finally:
        if at.count() != at.events:
            at.set_back()


def read(data: bytes) -> Asked:
    """A request out of anything: what no server lets through is left out."""
    head, _, body = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    method, _, address = first.partition(b" ")
    headers = []
    for line in lines:
        name, _, value = line.partition(b":")
        if name := _NAME.sub(b"", name):
            headers.append((name.decode(), _LINES.sub(b"", value.strip()).decode("latin-1")))
    text = _LINES.sub(b"", address).decode("latin-1") or "/"
    return Asked(_METHOD.sub(b"", method).decode() or "GET", text, headers, body)


def ask(asked: Asked) -> TestResponse:
    """As a server hands it to the application; the client's own reading changes nothing."""
    path, _, query = asked.address.partition("?")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": asked.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path.encode("latin-1")).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(asked.body)),
        "wsgi.input": io.BytesIO(asked.body),
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in asked.headers:
        key = name.upper().replace("-", "_")
        plain = key in ("CONTENT_TYPE", "CONTENT_LENGTH")
        environ[key if plain else f"HTTP_{key}"] = value
    answered = run_wsgi_app(standing().table.app.wsgi_app, environ, buffered=True)
    return TestResponse(*answered, request=Sent(environ))


def judged(asked: Asked, answer: TestResponse, appended: int) -> str:
    """What became of it; AssertionError for anything that is not described."""
    status = answer.status_code
    for name, value in answer.headers:
        assert value.isascii(), name
        assert value.isprintable(), name
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    if status < 400:
        return granted(asked, answer, appended)
    if asked.method == "HEAD":
        assert answer.data == b""
        assert appended == 0
        assert status != 500
        return f"{status} HEAD"
    assert answer.mimetype == MEDIA_TYPE, answer.text
    told: Json = json.loads(answer.data)
    code = told["code"]
    assert code in CODES, code
    assert told["status"] == status == CODES[code].status < 500, answer.text
    assert appended == 0 or code == _VOIDS, code
    # What it repeats of the request is escaped: letters of ASCII, in a type no browser renders.
    assert answer.text.isascii()
    assert answer.text.isprintable()
    schema_of("Problem").validate(told)
    if call_of(asked.method, answer.request.path) is None:
        assert code in _NO_CALL, code
    else:
        foreseen(asked.method, answer.request.path, answer)
    return f"{status} {code}"


def granted(asked: Asked, answer: TestResponse, appended: int) -> str:
    """A good answer: in the shape that its call has, and of a look nothing comes."""
    if asked.method in ("GET", "HEAD", "OPTIONS"):
        assert appended == 0
    if asked.method == "OPTIONS":
        assert answer.data == b""
        return f"{answer.status_code} OPTIONS"
    call = call_of(asked.method, answer.request.path)
    assert call is not None, answer.request.path
    listed = call["responses"][str(answer.status_code)]
    name = f"{answer.status_code} {call['operationId']}"
    if "content" not in listed or asked.method == "HEAD":
        assert answer.data == b""
        return name
    assert answer.mimetype in listed["content"]
    schema = listed["content"][answer.mimetype]["schema"]
    if "$ref" in schema:
        schema_of(component(schema)).validate(json.loads(answer.data))
    return name


def corpus() -> list[bytes]:
    """Each call as its description shows it, about the matches that stand here."""
    found: list[bytes] = []
    for address, method, call in operations():
        for where in ("@playing", "@joining") if "{match_id}" in address else ("",):
            place = address.replace("/v1/matches/{match_id}", where)
            place = place.replace("{seat}", "1").replace("{ruleset_id}", "draw")
            token = "Authorization: Bearer @turn\n" if call["security"] else ""
            content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
            bodies = [*examples_of(content).values()] or [None]
            found += [written(method.upper(), place, token, body) for body in bodies]
    return found + 3 * meant()


def written(method: str, address: str, headers: str, body: object) -> bytes:
    """An input that says this."""
    if body is None:
        return f"{method} {address}\n{headers}\n".encode()
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":")).replace('"@seq"', "@seq")
    return f"{method} {address}\n{headers}Content-Type: application/json\n\n{text}".encode()


def meant() -> list[bytes]:
    """Requests that the matches here grant, or refuse for what they say and not for their shape."""
    turn, newcomer = "Authorization: Bearer @turn\n", "Authorization: Bearer @token1\n"
    there: Json = {"seq": "@seq", "prev": "@head"}
    receipt = {"match": "@match", "seq": "@seq", "event_hash": "@head", "key_id": "00" * 8}
    shown: Json = {"receipt": {**receipt, "signature": "00" * 64}}
    seat: Json = {"client_seed_commitment": "cd" * 32, "name": "ann"}
    actions = [*standing().legal, {"type": "pass"}, {"type": "give", "seal": 3}]
    moves = [{**there, "action": action} for action in actions]
    seed = {"client_seed": "00" * 32, "seated_hash": "@head"}
    rows: list[tuple[str, str, str, object]] = [
        *(("POST", "@playing/actions", turn, move) for move in moves),
        ("POST", "@playing/actions", turn, {**moves[0], **shown}),
        ("PUT", "@joining/seats/1", newcomer, seat),
        ("PUT", "@joining/seats/2", newcomer, {**seat, "invite": INVITE.hex()}),
        ("PUT", "@joining/seats/1", newcomer, {"client_seed": "ef" * 32}),
        ("DELETE", "@joining/seats/0", "Authorization: Bearer @token0\n", {}),
        ("PUT", "@joining/seats/0/seed", "", seed),
        ("GET", "@playing?at=3", turn, None),
        ("GET", "@playing/events?after=2&wait=0.001", "", None),
        ("GET", "@over", "", None),
        ("GET", "@over/transcript", "", None),
        ("GET", "@playing", 'If-None-Match: "@head-public"\n', None),
        ("GET", "/v1/matches?limit=1&status=joining&ruleset=draw", "", None),
        ("OPTIONS", "@playing/actions", "Origin: null\n", None),
        ("HEAD", "@playing", "", None),
    ]
    return [written(*row) for row in rows]


_NAMES = (
    *("Authorization", "Content-Type", "Content-Length", "Content-Encoding", "If-None-Match"),
    *("Transfer-Encoding", "Idempotency-Key", "Accept", "Host", "Range", "Expect", "Cookie"),
    *("X-Forwarded-Host", "X-HTTP-Method-Override", "Origin", "Forwarded"),
)


def other_header(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A header more, or one that says something else."""
    name = rnd.choice(_NAMES)
    words: list[str] = [*WORDS.values(), "Bearer @token0", "chunked", "0", "-1", "9" * 30, "*"]
    words += ["application/json; charset=utf-8", "text/html", "gzip", 'W/"@head-0"', "Bearer"]
    line = f"\n{name}: {_LINES.sub(b'', rnd.choice(words).encode()).decode()}"
    at = data.find(b"\n")
    return data[:at] + line.encode() + data[at:]


def other_address(rnd: random.Random, data: bytes, _others: Sequence[bytes]) -> bytes:
    """Another method, address or question."""
    first, _newline, rest = data.partition(b"\n")
    method, _, address = first.partition(b" ")
    match rnd.randrange(5):
        case 0:
            method = rnd.choice((b"GET", b"PUT", b"POST", b"DELETE", b"PATCH", b"HEAD", b"TRACE"))
        case 1:
            names = (b"at", b"after", b"wait", b"limit", b"status", b"ruleset", b"cursor", b"x")
            value = rnd.choice((b"0", b"-1", b"%00", b"1e3", b"%ff", b"", rnd.choice(VALUES)[:99]))
            address += rnd.choice((b"?", b"&")) + rnd.choice(names) + b"=" + value
        case 2:
            parts = address.split(b"/")
            parts[rnd.randrange(len(parts))] = rnd.choice(
                (b"", b"..", b"%2e", b"%2f", b"%00", b"7")
            )
            address = b"/".join(parts)
        case 3:
            address += rnd.choice((b"/", b"%0a", b"/actions", b"/seats/1", b"/events", b"//", b";"))
        case _:
            below = ("", "/actions", "/seats/1", "/seats/0/seed", "/transcript", "/events")
            address = (rnd.choice(("@playing", "@joining", "@over")) + rnd.choice(below)).encode()
    return method + b" " + address + b"\n" + rest


def in_the_body(rnd: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The body alone is another, so that address and token still are what they were."""
    head, gap, body = data.partition(b"\n\n")
    if not body:
        return data
    # Numbers that stand for another are texts for as long as the body is read as JSON.
    quoted = body.replace(b":@seq", b':"@seq"')
    changed = rnd.choice(USUAL)(rnd, quoted, [other.partition(b"\n\n")[2] for other in others])
    return head + gap + changed.replace(b'"@seq"', b"@seq")


CHANGES = (other_header, other_address, *(in_the_body,) * 8)
