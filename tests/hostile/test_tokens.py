"""Who has not the token is told nothing, and all of them are told the same."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import replace

import pytest

from fairbones.core.protocol.invites import invite_hash
from tests.hostile.conftest import Tables
from tests.hostile.judging import all_refused, problem, refused, untouched
from tests.hostile.running import House
from tests.hostile.table import Table
from tests.hostile.wire import Json, Request, connect, read_answer, send


@pytest.fixture
def table(tables: Tables) -> Table:
    """Dealt; both seats hold tokens."""
    return tables().deal()


def asked(table: Table) -> list[Request]:
    """Every call that a token opens, for seat 0 and on the head."""
    return [
        Request("GET", table.path),
        Request("GET", table.path + "?at=3"),
        table.acting(0, table.to_act()[1][0]),
        table.leaving(0),
    ]


def told(table: Table, requests: Iterable[Request], status: int, code: str) -> list[Json]:
    """Refusals of somebody unknown: five members and not one more."""
    found = all_refused(table, requests, status, code)
    assert all(len(it) == 5 for it in found)
    assert all(it == found[0] for it in found)
    return found


def test_a_guessed_token(table: Table, tables: Tables) -> None:
    """T25: a token of another match, of a refused guest, one letter off or made up: one answer."""
    other = tables()
    other.do(other.sitting(0))
    mine = table.tokens[0]
    guest = secrets.token_urlsafe(32)
    refused(table, table.sitting(0).by(guest), 409, "seat/taken")
    guesses = [
        *(other.tokens[0], other.tokens[1], guest, secrets.token_urlsafe(32)),
        *(mine[:-1] + ("A" if mine[-1] != "A" else "B"), mine + "=", mine.swapcase()),
        *(mine[::-1], "0" * 43, "=" * 256, table.match + table.match),
    ]
    requests = [request.by(it) for request in asked(table) for it in guesses]
    told(table, requests, 401, "auth/token-unknown")


def test_a_guess_is_answered_alike_whatever_the_match_is_at(tables: Tables) -> None:
    """T25, T23: before anybody sits, in play and at the end a stranger's answer is one."""
    stranger = secrets.token_urlsafe(32)
    stages = [tables(), tables().deal(), tables(rounds_max=1).deal().finish()]
    answers: list[Json] = []
    for table in stages:
        requests = (
            Request("GET", table.path),
            table.acting(0, {"type": "pass"}),
            table.leaving(0),
        )
        strangers = [request.by(stranger) for request in requests]
        answers += told(table, strangers, 401, "auth/token-unknown")
    assert all(answer == answers[0] for answer in answers)


WEAK = ("", "x", "a" * 42, "a" * 257, "a" * 42 + "é", "a" * 42 + " b", "a" * 42 + ",", '"' * 43)


@pytest.mark.parametrize("weak", WEAK)
def test_a_weak_token(table: Table, weak: str) -> None:
    """T25: what cannot be 32 random bytes is refused before it is looked up, to sit down too."""
    requests = [*asked(table), table.sitting(0)]
    told(table, [request.by(weak) for request in requests], 400, "auth/token-weak")


@pytest.mark.parametrize(
    "scheme", ["Basic", "Digest", "Token", "bearer:", "Bearer\t", "", "ⒷEARER"]
)
def test_another_scheme(table: Table, scheme: str) -> None:
    """T25: a token that was sent otherwise is no token, and the public view is no answer to it."""
    value = f"{scheme} {table.tokens[0]}".encode().decode("latin-1").strip()
    sent = [replace(it, token=None, fields=(("Authorization", value),)) for it in asked(table)]
    told(table, sent, 401, "auth/token-missing")


def test_no_token(table: Table) -> None:
    """T25: without a header there is the public view, and nothing else."""
    view, *others = asked(table)
    answer = table.house.ask(view)
    assert answer.status == 200
    assert "you" not in answer.told()
    calls = [it.by(None) for it in others if it.method != "GET"]
    empty = [replace(it.by(None), fields=(("Authorization", ""),)) for it in (view, *others)]
    told(table, [*calls, *empty], 401, "auth/token-missing")


def test_several_tokens(table: Table) -> None:
    """T25: two headers, or two tokens in one, are never read as either of them."""
    mine, theirs = table.tokens
    bearers = [("Authorization", f"Bearer {it}") for it in (mine, theirs, mine)]
    for request in asked(table):
        several = [bearers[:2], bearers[1:], [bearers[0], bearers[2]]]
        sent = [replace(request, token=None, fields=tuple(fields)) for fields in several]
        sent += [request.by(f"{mine}{comma}{theirs}") for comma in (",", " ", ";")]
        told(table, sent, 400, "auth/token-weak")


@pytest.mark.parametrize("byte", [0x00, 0x01, 0x0B, 0x0D, 0x1B, 0x7F, 0x80, 0xFF])
def test_odd_bytes_in_a_token(table: Table, byte: int) -> None:
    """T25: a control or a byte that is no ASCII makes no token, and no other header."""
    with untouched(table):
        raw = Request("GET", table.path, token=table.tokens[0] + "?tail").raw()
        answer = send(table.house.port, raw.replace(b"?tail", bytes([byte]) + b"tail"))
        assert answer.code in ("auth/token-weak", "request/malformed")
        problem(answer, 400, answer.code)
        assert len(answer.told()) == 5


@pytest.mark.parametrize(
    "name", ["authorization", "AUTHORIZATION", "X-Authorization", "Proxy-Authorization"]
)
def test_other_headers(table: Table, name: str) -> None:
    """T25: a header's case does not matter, its name does."""
    view = replace(Request("GET", table.path), fields=((name, f"Bearer {table.tokens[1]}"),))
    answer = table.house.ask(view)
    assert answer.status == 200
    assert ("you" in answer.told()) == (name.lower() == "authorization")


@pytest.mark.parametrize("line", [b"Authorization : Bearer ", b" Authorization: Bearer "])
def test_a_header_that_breaks_http(table: Table, line: bytes) -> None:
    """T25: two servers may read it differently, so nobody reads it."""
    raw = Request("GET", table.path).raw()
    raw = raw.replace(b"Host: house\r\n", b"Host: house\r\n" + line + b"x" * 43 + b"\r\n")
    problem(send(table.house.port, raw), 400, "request/malformed")


def test_a_token_in_another_place(table: Table) -> None:
    """T25: a query or a cookie is no place for a token."""
    mine = table.tokens[0]
    for name in ("token", "access_token", "Authorization"):
        request = Request("GET", f"{table.path}?{name}={mine}")
        refused(table, request, 422, "request/unknown-field")
    cookie = Request("GET", table.path, fields=(("Cookie", f"token={mine}"),))
    assert "you" not in table.house.ask(cookie).told()


def test_a_token_opens_its_own_seat(table: Table) -> None:
    """T25, T50: the other seat's token moves and leaves for the other seat alone."""
    seat, listed = table.to_act()
    other = table.tokens[1 - seat]
    refused(table, table.acting(seat, listed[0]).by(other), 409, "rules/not-your-turn")
    refused(table, table.leaving(seat).by(other), 403, "auth/other-seat")
    assert table.get(token=other)["you"]["seat"] == 1 - seat


def test_a_connection_that_had_a_token_has_none(table: Table) -> None:
    """T25, T46: on one connection each request is who it says it is; after a seat a stranger."""
    asks = [table.tokens[0], None, table.tokens[1], "0" * 43, None]
    with connect(table.house.port) as client, client.makefile("rb") as stream:
        client.sendall(
            b"".join(Request("GET", table.path, None, it, (), False).raw() for it in asks)
        )
        answers = [read_answer(stream) for _ in asks]
    assert [answer.status for answer in answers] == [200, 200, 200, 401, 200]
    assert [answer.told().get("you", {}).get("seat") for answer in answers] == [
        0,
        None,
        1,
        None,
        None,
    ]


def test_no_cache_gives_a_seats_view_away(table: Table) -> None:
    """T46: a seat's view is not to be stored, and its ETag is of no use to anybody else."""
    views = {
        token: table.house.ask(Request("GET", table.path, token=token))
        for token in (None, *table.tokens)
    }
    assert len({answer.fields["etag"] for answer in views.values()}) == 3
    for token, answer in views.items():
        assert answer.fields["vary"] == "Authorization"
        assert answer.fields["cache-control"] == ("no-cache" if token is None else "no-store")
        fields = (("If-None-Match", answer.fields["etag"]),)
        for asker in views:
            again = table.house.ask(Request("GET", table.path, token=asker, fields=fields))
            assert again.status == (304 if asker == token else 200)
            assert again.body == b"" or asker != token
        wrong = Request("GET", table.path, token="0" * 43, fields=fields)
        problem(table.house.ask(wrong), 401, "auth/token-unknown")


def test_refusals_show_nothing_of_what_is_hidden(house: House, table: Table) -> None:
    """T23, T13: a seat that asks for every tile in turn learns nothing about those it has not."""
    seat, listed = table.to_act()
    for asker in (seat, 1 - seat):
        mine = {it["tile"] for it in table.get(token=table.tokens[asker])["you"]["hand"]}
        said = set()
        for high in range(7):
            for low in range(high + 1):
                tile = f"{high}-{low}"
                if tile in mine:
                    continue
                request = table.acting(asker, {"type": "play", "tile": tile})
                answer = house.ask(request)
                text = answer.body.decode().replace(tile, "?")
                said.add((answer.status, text))
        assert len(said) == 1, said
        status, _ = said.pop()
        assert status == (422 if asker == seat else 409)
    assert table.to_act() == (seat, listed)


def test_an_invitation(tables: Tables) -> None:
    """T45: a reserved seat is for who has the secret of just that seat."""
    own, foreign = secrets.token_bytes(16), secrets.token_bytes(16)
    table = tables(
        seats=3,
        reserved=[
            {"seat": seat, "invite_hash": invite_hash(secret).hex()}
            for seat, secret in enumerate((own, foreign))
        ],
    )
    for wrong in (None, foreign.hex(), (own + b"\0").hex(), table.match, "00" * 16, "ff" * 64):
        refused(table, table.sitting(0).but(invite=wrong), 403, "seat/reserved")
    refused(table, table.sitting(2, invite=own.hex()), 422, "seat/not-reserved")
    for odd in (own.hex().upper(), own.hex()[:-2], own.hex() + " "):
        if odd != own.hex():
            refused(table, table.sitting(0, invite=odd), 422, "request/range")
    table.do(table.sitting(0, invite=own.hex()))
    refused(table, table.sitting(1, invite=own.hex()), 403, "seat/reserved")


def test_a_secret_in_a_wrong_place_is_not_logged(house: House, table: Table) -> None:
    """T28: in a path, a query, a header, a field or a broken line; nor is it in any answer."""
    secret = secrets.token_hex(32)
    sent = [
        Request("GET", f"/v1/matches/{secret}").raw(),
        Request("GET", f"{table.path}/{secret}").raw(),
        Request("GET", f"{table.path}?{secret}={secret}").raw(),
        Request("GET", table.path, token=secret, fields=(("X-Seed", secret),)).raw(),
        Request("GET", table.path, fields=(("User-Agent", secret), ("Cookie", secret))).raw(),
        table.sitting(0, **{f"x{secret}": secret}).raw(),
        table.acting(0, {"type": secret}).raw(),
        table.sitting(0).at(f"{table.path}/seats/{secret}").raw(),
        f"{secret} / HTTP/1.1\r\n\r\n".encode(),
        f"GET / HTTP/1.1\r\n{secret}\r\n\r\n".encode(),
    ]
    with untouched(table):
        for raw in sent:
            answer = send(house.port, raw)
            named = b"?" in raw.split(b"\r\n")[0] or b"x" + secret.encode() in raw
            assert secret.encode() not in answer.body or named
    house.unharmed()
    assert secret not in house.log.read_text("utf-8")
