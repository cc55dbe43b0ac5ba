"""Idempotency keys: they open one match each, and are of no other use."""

from __future__ import annotations

import secrets
from dataclasses import replace

import pytest

from tests.hostile.judging import problem
from tests.hostile.running import AtOnce, House
from tests.hostile.table import Table, opening
from tests.hostile.wire import Answer, Request, send

ONE = opening(rounds_max=1)


def keyed(key: str, request: Request = ONE) -> Request:
    return replace(request, fields=(("Idempotency-Key", key),))


def fresh() -> str:
    return secrets.token_urlsafe(24)


def match_of(answer: Answer) -> str:
    """The match that was opened, now or before."""
    assert answer.status == 201, answer.body
    told = answer.told()
    assert answer.fields["location"] == f"/v1/matches/{told['event']['match']}"
    return str(told["event"]["match"])


def test_another_body_under_a_known_key(house: House) -> None:
    """T27: the key stays with its first body, and the refusal tells nothing of it."""
    key = fresh()
    first = house.ask(keyed(key))
    match = match_of(first)
    for other in (
        ONE.but(seats=3),
        ONE.but(turn_seconds=60),
        ONE.but(listed=False),
        ONE.but(reference="x"),
        ONE.but(options={"hand": 5}),
        ONE.but(reserved=[{"seat": 0, "invite_hash": "5a" * 32}]),
    ):
        answer = house.ask(keyed(key, other))
        problem(answer, 409, "request/key-reused")
        assert match.encode() not in answer.body
    assert match_of(house.ask(keyed(key))) == match


def test_the_same_body_in_another_spelling(house: House) -> None:
    """T27: the order of members, white space and what is the default anyway are no other body."""
    key = fresh()
    match = match_of(house.ask(keyed(key)))
    told = ONE.told()
    again = [
        ONE.saying(dict(reversed(told.items()))),
        replace(ONE, body=b" \n" + (ONE.body or b"") + b"\n "),
        ONE.but(auto_forced=True, listed=True),
    ]
    for request in again:
        answer = house.ask(keyed(key, request))
        assert match_of(answer) == match
        assert answer.fields["idempotent-replayed"] == "true"


def test_a_failed_opening_keeps_no_key(house: House) -> None:
    """T27: a refusal opened nothing, so the same key opens the good request after it."""
    key = fresh()
    for bad, status, code in (
        (ONE.but(seats=1), 422, "ruleset/seats"),
        (ONE.but(options={"hand": 500}), 422, "options/value"),
        (replace(ONE, body=b"{"), 400, "json/syntax"),
        (ONE.but(ruleset="none"), 404, "ruleset/unknown"),
    ):
        problem(house.ask(keyed(key, bad)), status, code)
    answer = house.ask(keyed(key))
    match_of(answer)
    assert "idempotent-replayed" not in answer.fields


def test_a_key_is_no_token(house: House) -> None:
    """T25, T27: whoever knows a key and its body is led to the match, and holds nothing there."""
    key = fresh()
    table = Table(house, keyed(key))
    table.deal()
    answer = house.ask(keyed(key).by(secrets.token_urlsafe(32)))
    assert match_of(answer) == table.match
    assert set(answer.told()) == {"event", "receipt"}
    problem(house.ask(Request("GET", table.path, token=key * 2)), 401, "auth/token-unknown")


BAD = {
    "empty": b"",
    "short": b"a" * 15,
    "long": b"a" * 129,
    "huge": b"a" * 7_000,
    "space": b"a" * 16 + b" b",
    "tab": b"a" * 16 + b"\tb",
    "no ASCII": b"\xff" * 16,
    "UTF-8": "é".encode() * 16,
    "two": b"a" * 20 + b"\r\nIdempotency-Key: " + b"b" * 20,
}
BROKEN = {"NUL": b"\0", "bell": b"\x07", "escape": b"\x1b[2J", "line": b"\r", "delete": b"\x7f"}


def with_key(key: bytes) -> bytes:
    return keyed("KEY", ONE).raw().replace(b"KEY", key)


@pytest.mark.parametrize("name", BAD)
def test_an_unusable_key(house: House, name: str) -> None:
    """T20, T27: refused by its code, and not cut, joined or taken as none."""
    answer = send(house.port, with_key(BAD[name]))
    if name == "two" and answer.status == 201:
        # Joined by a comma, as HTTP has it: another key, and no longer either of the two.
        for one in ("a" * 20, "b" * 20):
            assert match_of(house.ask(keyed(one))) != match_of(answer)
        return
    problem(answer, 400, "request/idempotency-key")


@pytest.mark.parametrize("name", BROKEN)
def test_a_control_in_a_key(house: House, name: str) -> None:
    """T20: such a head is no HTTP, or the key is none."""
    answer = send(house.port, with_key(b"a" * 16 + BROKEN[name] + b"b" * 16))
    assert answer.code in ("request/malformed", "request/idempotency-key")
    problem(answer, 400, answer.code)
    assert BROKEN[name] not in answer.body


def test_many_keys(at_once: AtOnce) -> None:
    """T27: each opens its own match, and all of them are still known afterwards."""
    keys = [fresh() for _ in range(15)]
    found = [match_of(answer) for answer in at_once(*map(keyed, keys))]
    assert len(set(found)) == len(keys)
    assert [match_of(answer) for answer in at_once(*map(keyed, keys[::-1]))] == found[::-1]
