"""Bodies that are bombs: deep, long, doubled, huge, endless. Refused by code; others are served."""

from __future__ import annotations

import contextlib
import json

import pytest

from tests.hostile.conftest import Tables
from tests.hostile.judging import problem, untouched
from tests.hostile.running import ALIVE, House
from tests.hostile.table import Table, opening
from tests.hostile.wire import Answer, Request, connect, read_answer

LIMIT = 65_536
MANY = [f"{number:x}" for number in range(6_000)]


@pytest.fixture(scope="module")
def table(house: House) -> Table:
    """One match for all bombs: none of them does anything to it."""
    return Table(house, opening(rounds_max=1)).deal()


def members(names: list[str], value: str = "1") -> bytes:
    return ("{" + ",".join(f'"{name}":{value}' for name in names) + "}").encode()


def action(inside: bytes) -> bytes:
    """A body whose `action` is this."""
    return b'{"seq":1,"action":' + inside + b"}"


BODIES: dict[str, tuple[bytes, int, str]] = {
    "9 deep": (b'{"a":' * 8 + b"{}" + b"}" * 8, 400, "json/depth"),
    "65,536 deep": (b"[" * LIMIT, 400, "json/depth"),
    "13,000 objects deep": (b'{"a":' * 13_000, 400, "json/depth"),
    "brackets in strings": (b'{"a":"' + b"[{" * 30_000 + b'"}', 422, "request/unknown-field"),
    "quotes and backslashes": (b'{"a":"' + b'\\"' * 30_000 + b'"}', 422, "request/unknown-field"),
    "a string that never ends": (b'{"a":"' + b"\\\\" * 30_000, 400, "json/syntax"),
    "6,000 unknown members": (members(MANY), 422, "request/unknown-field"),
    "6,000 members, the last twice": (members([*MANY, MANY[-1]]), 400, "json/duplicate-key"),
    "one key 9,000 times": (members(["a"] * 9_000), 400, "json/duplicate-key"),
    "seq 7,000 times": (members(["seq"] * 7_000), 400, "json/duplicate-key"),
    "6,000 members of an action": (action(members(MANY)), 422, "action/shape"),
    "a tile of 60,000 letters": (
        action(b'{"type":"play","tile":"' + b"6" * 60_000 + b'"}'),
        422,
        "tile/text",
    ),
    "65,000 digits": (b'{"seq":' + b"9" * 65_000 + b"}", 400, "json/number"),
    "an exponent of 60,000 digits": (b'{"seq":1e' + b"9" * 60_000 + b"}", 400, "json/number"),
    "15,000 bad numbers": (b'{"a":[' + b"-1," * 15_000 + b"1]}", 400, "json/number"),
    "30,000 numbers": (b'{"a":[' + b"1," * 30_000 + b"1]}", 422, "request/unknown-field"),
    "13,000 nulls": (b'{"a":[' + b"null," * 13_000 + b"1]}", 400, "json/null"),
    "10,000 half characters": (b'{"a":"' + b"\\ud800" * 10_000 + b'"}', 400, "json/surrogate"),
    "half a character as a key": (b'{"\\udc00":1}', 400, "json/surrogate"),
    "60,000 spaces": (b" " * 60_000, 400, "json/syntax"),
    "NUL bytes": (b"\0" * 60_000, 400, "json/syntax"),
    "no UTF-8": (b'{"a":"' + b"\xff" * 60_000 + b'"}', 400, "json/utf8"),
    "a terminal's escapes": (b'{"\x1b[2J":1}', 400, "json/syntax"),
    "names of Python": (members(["__class__", "__init__"]), 422, "request/unknown-field"),
    "one byte too many": (b'{"a":"' + b"a" * (LIMIT - 7) + b'"}', 413, "request/too-large"),
    "a string of 1 MB": (b'{"a":"' + b"a" * 1_000_000 + b'"}', 413, "request/too-large"),
    "4 MB of brackets": (b"[" * (4 << 20), 413, "request/too-large"),
}


def exploded(house: House, raw: bytes) -> Answer:
    """What came back, although the house may hang up before all of it is sent."""
    with connect(house.port) as client, client.makefile("rb") as stream:
        with contextlib.suppress(ConnectionError):
            client.sendall(raw)
        return read_answer(stream)


@pytest.mark.parametrize("name", BODIES)
def test_a_bomb(table: Table, name: str) -> None:
    """T20, T36: a code, nothing appended, nobody harmed; nothing of it is echoed at length."""
    body, status, code = BODIES[name]
    seat, _ = table.to_act()
    request = Request("POST", f"{table.path}/actions", body, table.tokens[seat])
    with untouched(table):
        answer = exploded(table.house, request.raw())
        problem(answer, status, code)
        assert len(answer.body) < 1_000
        assert answer.body.isascii()
        assert b"\x1b" not in answer.body
    assert table.house.ask(ALIVE).status == 200


OPENINGS: dict[str, tuple[dict[str, object], str]] = {
    "hands without end": (
        {"rounds_max": 6_144, "options": {"set": 18, "hand": 7}},
        "options/washes",
    ),
    "seats without end": ({"seats": 64}, "ruleset/seats"),
    "600 reservations": (
        {"reserved": [{"seat": 0, "invite_hash": "5a" * 32}] * 600},
        "request/range",
    ),
    "a long reference": ({"reference": "x" * 60_000}, "request/range"),
    "an option of 60,000 letters": ({"options": {"x" * 60_000: 1}}, "options/unknown"),
    "3,000 options": ({"options": dict.fromkeys(MANY[:3_000], 1)}, "options/unknown"),
    "years to join": ({"join_seconds": 2**53 - 1}, "request/range"),
}


@pytest.mark.parametrize("name", OPENINGS)
def test_a_huge_opening(house: House, name: str) -> None:
    """T36: what would be much work is refused before it is begun."""
    more, code = OPENINGS[name]
    wanted = {"ruleset": "draw", "seats": 2, "rounds_max": 1, **more}
    answer = house.ask(Request("POST", "/v1/matches", json.dumps(wanted).encode()))
    problem(answer, 422, code)
    assert len(answer.body) < 2_000


LENGTHS = ("65537", "9" * 18, "9" * 400, "-1", "+5", "0x10", "5, 5", "5 5", "")


@pytest.mark.parametrize("length", LENGTHS)
def test_a_length_that_is_a_lie(table: Table, length: str) -> None:
    """T36: nobody waits for what is not welcome, nor reads a length in two ways."""
    raw = Request("POST", f"{table.path}/actions", b"12345", table.tokens[0]).raw()
    with untouched(table):
        answer = exploded(
            table.house, raw.replace(b"Content-Length: 5", b"Content-Length: " + length.encode())
        )
        big = length.isdigit()
        problem(answer, 413 if big else 400, str(answer.code))
        assert answer.code in (
            ("request/too-large",) if big else ("request/malformed", "request/body-missing")
        )


SMUGGLED = {
    "length and chunks": b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: 60\r\n\r\n",
    "chunked twice": b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked, misspelt": b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked with a tab": b"Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "chunked by folding": b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "a bad chunk": b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
    "a negative chunk": b"Transfer-Encoding: chunked\r\n\r\n-5\r\n\r\n",
    "a chunk that lies": b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}}\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", SMUGGLED)
def test_nothing_is_smuggled(table: Table, name: str) -> None:
    """T36, T20: a request whose end is doubtful is the last of its connection."""
    hidden = Request("DELETE", f"{table.path}/seats/0", None, table.tokens[0]).raw()
    head = f"POST {table.path}/actions HTTP/1.1\r\nHost: house\r\n".encode()
    with untouched(table), connect(table.house.port) as client, client.makefile("rb") as stream:
        client.sendall(head + SMUGGLED[name] + hidden)
        answer = read_answer(stream)
        assert 400 <= answer.status <= 501, name
        assert answer.status != 500
        with contextlib.suppress(ConnectionError):
            assert stream.read() == b""


def test_chunks_without_end(table: Table) -> None:
    """T36: a body that never ends is given up when it is too long."""
    head = (
        f"POST {table.path}/actions HTTP/1.1\r\nHost: house\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    with untouched(table), connect(table.house.port) as client, client.makefile("rb") as stream:
        with contextlib.suppress(ConnectionError):
            client.sendall(head.encode())
            for _ in range(64):
                client.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")
        problem(read_answer(stream), 413, "request/too-large")
    table.house.unharmed()


def test_chunks_are_gathered(tables: Tables) -> None:
    """T36: an honest body in chunks moves, cut wherever it is."""
    table = tables().deal()
    seat, listed = table.to_act()
    request = table.acting(seat, listed[0])
    body = request.body or b""
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(it), it) for it in pieces) + b"0\r\n\r\n"
    raw = request.raw()[: -len(body)]
    length = f"Content-Length: {len(body)}".encode()
    answer = exploded(table.house, raw.replace(length, b"Transfer-Encoding: chunked") + chunks)
    assert answer.status == 200
