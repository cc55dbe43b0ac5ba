"""What stands between a client and a house has its hiccups. They end no match and are no lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify.client import CHOOSERS, Keep, Lie, Refused, Seat, Unreachable, Wire, wire
from tests.audit.hosts import Asked, host
from tests.client.houses import Loopback
from tests.client.test_playing import together

Json = dict[str, Any]
Say = Callable[[Asked], None]
PAGE = b"<!doctype html><title>We will be back</title>"


def page(status: int) -> Say:
    return lambda asked: asked.say(PAGE, status, Content_Type="text/html", Retry_After="2")


HICCUPS: dict[str, Say] = {
    **{str(status): page(status) for status in (429, 500, 502, 503, 504)},
    "a page": page(200),
    "a page without a type": lambda asked: asked.say(PAGE),
    "nothing": lambda asked: asked.say(b"", 200, Content_Type="application/json"),
    "no content": lambda asked: asked.say(b"", 204),
    "another type": lambda asked: asked.say({}, 200, Content_Type="text/plain"),
}


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long the client would have waited."""
    told: list[float] = []
    monkeypatch.setattr(wire, "pause", told.append)
    return told


@pytest.mark.parametrize("name", HICCUPS)
def test_it_is_asked_again(name: str, pauses: list[float]) -> None:
    times = iter(range(9))

    def answer(asked: Asked) -> None:
        if next(times) < 2:
            HICCUPS[name](asked)
        else:
            asked.say({"x": 1}, 200, Content_Type="application/json; charset=utf-8")

    with host(answer) as served:
        assert Wire(served.url).ask("GET", "/v1/keys").json() == {"x": 1}
        assert len(served.asked) == 3
    assert all(one > 0 for one in pauses[1:])


@pytest.mark.parametrize("name", HICCUPS)
def test_in_the_end_nobody_is_there(name: str, pauses: list[float]) -> None:
    with host(HICCUPS[name]) as served, pytest.raises(Unreachable) as caught:
        Wire(served.url).ask("GET", "/v1/keys")
    assert (name if name.isdigit() else "no house") in str(caught.value)
    assert len(served.asked) == len(pauses) == wire.TRIES


@pytest.mark.parametrize(("after", "waits"), [("7", 7.0), ("99999", 30.0), ("soon", 0.1)])
def test_it_waits_as_long_as_it_is_asked_to(after: str, waits: float, pauses: list[float]) -> None:
    busy: Say = lambda asked: asked.say(b"", 429, Retry_After=after)  # noqa: E731
    with host(busy) as served, pytest.raises(Unreachable):
        Wire(served.url).ask("GET", "/v1/keys")
    assert pauses[1] == waits


def test_no_longer_than_a_request_may_take() -> None:
    """The pause that would go beyond it is not begun."""
    with host(lambda asked: asked.say(b"", 503, Retry_After="30")) as served:
        with pytest.raises(Unreachable):
            Wire(served.url, most=5.0).ask("GET", "/v1/keys")
        assert len(served.asked) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_sent_elsewhere(status: int, pauses: list[float]) -> None:
    """Another address might be another house."""

    def answer(asked: Asked) -> None:
        asked.say(b"", status, Location="http://127.0.0.1:1/v1/keys")

    with host(answer) as served, pytest.raises(Unreachable) as caught:
        Wire(served.url).ask("GET", "/v1/keys")
    assert "give the address of the house itself" in str(caught.value)
    assert len(served.asked) == 1


@pytest.mark.parametrize("text", [b"[]", b"1.5", b'{"a":', b'{"a":1,"a":2}', b'{"a":null}'])
def test_json_that_is_malformed_is_a_lie(text: bytes) -> None:
    """It calls itself ours, so it is the house's word (C6)."""
    ours: Say = lambda asked: asked.say(text, 200, Content_Type="application/json")  # noqa: E731
    with host(ours) as served, pytest.raises(Lie) as caught:
        Wire(served.url).ask("GET", "/v1/keys").json()
    assert caught.value.obligation == "C6"


def test_a_refusal_is_none_of_it() -> None:
    with host(lambda asked: asked.say({"code": "match/unknown"}, 404)) as served:
        with pytest.raises(Refused):
            Wire(served.url).ask("GET", "/v1/keys")
        assert len(served.asked) == 1


class Hiccups(Loopback):
    """A house behind a gateway: of each request the answer gets lost once, and the request itself
    once, in turn. What was asked is told in `asked`."""

    def wsgi(self) -> Any:
        self.asked: dict[tuple[str, str], int] = {}
        return self._through

    def _through(self, environ: Json, start: Any) -> Any:
        seat = environ.get("HTTP_AUTHORIZATION", "")
        what = environ["REQUEST_METHOD"], environ["PATH_INFO"] + environ["QUERY_STRING"] + seat
        times = self.asked[what] = self.asked.get(what, 0) + 1
        lost = times == 1 and len(self.asked) % 3 == 0
        passed = not lost or len(self.asked) % 2 == 0
        if passed:
            kept: list[Any] = []

            def starting(*said: Any) -> Callable[[bytes], object]:
                kept.extend(said)
                return lambda _data: None

            data = b"".join(self.app(environ, starting))
        if not lost:
            start(*kept[:2])
            return [data]
        start("502 Bad Gateway", [("Content-Type", "text/html"), ("Content-Length", "45")])
        return [PAGE]


@pytest.fixture
def hiccups(tmp_path: Path) -> Iterator[Hiccups]:
    (tmp_path / "house").mkdir()
    with Hiccups(tmp_path / "house") as running:
        yield running


def test_a_match_is_played_in_spite_of_them(hiccups: Hiccups, tmp_path: Path) -> None:
    """Every request is safe to repeat: what was done is answered as it was."""
    match = hiccups.open("draw", 2, rounds_max=1)
    seats = [
        Seat(
            Wire(hiccups.url),
            Keep(tmp_path / f"{n}.json", hiccups.url, match, n),
            CHOOSERS["first"],
        )
        for n in (0, 1)
    ]
    assert together(seats) == []
    assert all(seat.guard.over for seat in seats)
