"""A service, honest or not: each trick a clear line, never a crash or a hang."""

from __future__ import annotations

import itertools
import json
import time
import urllib.request
from pathlib import Path

import pytest

from fairbones_verify.audit import service
from tests.audit.hosts import Answer, Asked, dripping, host, listing, page, real
from tests.audit.matches import cut, opened, played
from tests.audit.running import NOW, Json, audit, summary
from tests.audit.test_folder import codes, wrong
from tests.verifier.primitives import SIGNER

HOUSES = [played(k) for k in range(3)] + [opened(k) for k in range(10, 14)]
MATCHES = {house.match: house.transcript() for house in HOUSES}
FIRST, SECOND = HOUSES[0].match, HOUSES[1].match
YOUNG = HOUSES[0].events[0]["at"]


def test_a_list_page_by_page() -> None:
    with host(listing(MATCHES, size=3)) as served:
        told = summary(served.url, "--jobs", "2")
        assert (told["exit"], told["kind"], told["whole"]) == (0, "service", True)
        assert told["source"] == served.url
        assert told["transcripts"]["verified"] == 7
        assert len([path for path in served.asked if "limit=100" in path]) == 3
        assert len(served.asked) == 10
    for given in ("/", "/v1", "/v1/", "/v1/matches", "/v1/matches/"):
        assert service.address(f"http://h:80{given}") == "http://h:80"
    assert service.address("https://h/deep/v1/matches") == "https://h/deep"
    for given in (
        "http://",
        "http://u:p@h",
        "http://h/?x=1",
        "http://h/#x",
        "http://h:x",
        "ftp://h",
    ):
        assert service.address(given) == ""


def test_what_a_service_gives_out_for_a_match() -> None:
    served_wrong = {**MATCHES, FIRST: MATCHES[SECOND], SECOND: wrong(MATCHES[SECOND])}
    served_wrong["ab" * 16] = b"<html>"
    answer = listing(served_wrong)

    def lying(asked: Asked) -> None:
        if "cd" * 16 in asked.path:
            asked.say({"code": "match/unknown"}, 404)
        elif "limit" in asked.path:
            asked.say(page([*served_wrong, "cd" * 16]))
        else:
            answer(asked)

    with host(lying) as served:
        told = summary(served.url)
        at = f"{served.url}/v1/matches/"
        assert codes(told) == {f"{at}{'ab' * 16}/transcript": "format/json"}
        assert codes(told, "unserved") == {
            f"{at}{FIRST}/transcript": "source/match",
            f"{at}{'cd' * 16}/transcript": "source/gone",
        }
    assert [one["source"] for one in told["refuted"]] == [f"{at}{SECOND}/transcript"]
    assert (told["exit"], told["transcripts"]["found"]) == (1, 9)


def test_what_is_refuted_is_saved(tmp_path: Path) -> None:
    """The house may serve something else tomorrow."""
    bad = wrong(MATCHES[FIRST])
    with host(listing({**MATCHES, FIRST: bad})) as served:
        told = summary(served.url, "--save", tmp_path / "kept")
    (one,) = told["refuted"]
    assert (tmp_path / "kept" / one["saved"]).read_bytes() == bad
    assert [path.name for path in (tmp_path / "kept").iterdir()] == [one["saved"]]


LISTS: dict[str, tuple[bytes | Json, int]] = {
    "no JSON": (b"<html>", 200),
    "a list": (b"[]", 200),
    "no list": ({"matches": {}}, 200),
    "no ids": ({"matches": [{"id": "../../etc/passwd"}]}, 200),
    "numbers": ({"matches": [7]}, 200),
    "a cursor that is a path": ({"matches": [], "cursor": "../x"}, 200),
    "a cursor that is a number": ({"matches": [], "cursor": 7}, 200),
    "duplicate keys": (b'{"matches":[],"matches":[]}', 200),
    "nesting": (b'{"matches":' + b"[" * 100_000, 200),
    "an error": ({"code": "x"}, 500),
    "nothing": (b"", 204),
    "too large": (b'{"matches":[' + b" " * 2_000_000 + b"]}", 200),
}


@pytest.mark.parametrize("name", LISTS)
def test_no_list(name: str) -> None:
    body, status = LISTS[name]
    with host(lambda asked: asked.say(body, status)) as served:
        told = audit(served.url, "--json").json()
        assert (told["exit"], told["failure"]["code"]) == (3, "start/url")
        assert len(served.asked) == 1


def test_the_second_page_is_no_list() -> None:
    """What was listed before is verified all the same."""
    first = page([FIRST], "next")

    def answer(asked: Asked) -> None:
        if "cursor" in asked.path:
            asked.say(b"<html>")
        elif "limit" in asked.path:
            asked.say(first)
        else:
            asked.say(MATCHES[FIRST])

    with host(answer) as served:
        told = summary(served.url)
    assert codes(told, "unsearched") == {f"{served.url}/v1/matches?cursor=next": "source/list"}
    assert (told["exit"], told["whole"], told["transcripts"]["verified"]) == (2, False, 1)


def test_a_list_that_goes_round() -> None:
    pages = itertools.count()

    def answer(asked: Asked) -> None:
        if "limit" in asked.path:
            asked.say(page([FIRST], f"c{next(pages) % 2}"))
        else:
            asked.say(MATCHES[FIRST])

    with host(answer) as served:
        told = summary(served.url)
        assert len(served.asked) == 3
    (one,) = told["unsearched"]
    assert (told["exit"], one["code"]) == (2, "source/list")
    assert "no match that was not listed before" in one["got"]


def test_a_list_without_end() -> None:
    """It is read as far as was asked for."""
    numbers = itertools.count()

    def answer(asked: Asked) -> None:
        if "limit" in asked.path:
            names = [f"{next(numbers):032x}" for _ in range(100)]
            asked.say(page(names, f"after-{names[-1]}"))
        else:
            asked.say({"code": "match/unknown"}, 404)

    with host(answer) as served:
        told = summary(served.url, "--limit", "250")
        assert len([path for path in served.asked if "limit" in path]) == 3
    assert (told["exit"], told["whole"], told["transcripts"]["found"]) == (1, False, 250)
    assert told["transcripts"]["unserved"] == 250
    assert told["unsearched"] == []


def test_what_is_saved_is_written_over_nothing(tmp_path: Path) -> None:
    """Another file of that name stays as it is; the same one is not written twice."""
    folder = tmp_path / "kept"
    broken = {FIRST: wrong(MATCHES[FIRST])}
    with host(listing(broken)) as served:
        first = summary(served.url, "--save", folder)["refuted"][0]["saved"]
        assert summary(served.url, "--save", folder)["refuted"][0]["saved"] == first
        (folder / first).write_bytes(b"mine")
        second = summary(served.url, "--save", folder)["refuted"][0]["saved"]
        assert second != first
        (folder / second).write_bytes(b"mine, too")
        third = summary(served.url, "--save", folder)["refuted"][0]["saved"]
    assert third.startswith("could not be saved")
    assert (folder / first).read_bytes() == b"mine"
    assert (folder / second).read_bytes() == b"mine, too"
    assert len(list(folder.iterdir())) == 2


def answering(asked: Asked, rest: Answer) -> None:
    """An honest list, and for transcripts whatever a test says."""
    if "limit" in asked.path:
        asked.say(page([FIRST, SECOND]))
    else:
        rest(asked)


def endless(asked: Asked) -> None:
    asked.send_response(200)
    asked.end_headers()
    while True:
        asked.wfile.write(b" " * 1_000_000)


def headers_in_drops(asked: Asked) -> None:
    for _ in range(200):
        asked.wfile.write(b"X")
        asked.wfile.flush()
        time.sleep(0.1)


def cut_off(asked: Asked) -> None:
    asked.send_response(200)
    asked.send_header("Content-Length", "100000")
    asked.end_headers()
    asked.wfile.write(MATCHES[FIRST][:100])


def no_http(asked: Asked) -> None:
    asked.wfile.write(b"hello\r\n\r\n")


def chunks(asked: Asked) -> None:
    asked.protocol_version = "HTTP/1.1"
    asked.send_response(200)
    asked.send_header("Transfer-Encoding", "chunked")
    asked.end_headers()
    asked.wfile.write(b"ffffff\r\nabc")
    asked.close_connection = True


TRICKS: dict[str, tuple[Answer, set[str]]] = {
    "drops": (dripping, {"source/url", "source/verifier"}),
    "drops of headers": (headers_in_drops, {"source/url", "source/verifier"}),
    "silence": (lambda asked: time.sleep(30), {"source/url", "source/verifier"}),
    "no end": (endless, {"format/size"}),
    "cut off": (cut_off, {"source/url"}),
    "chunks": (chunks, {"source/url"}),
    "away": (lambda asked: asked.say(b"", 302, Location="http://127.0.0.1:1/"), {"source/url"}),
    "to a file": (lambda asked: asked.say(b"", 301, Location="file:///etc"), {"source/url"}),
    "in circles": (lambda asked: asked.say(b"", 307, Location=asked.path), {"source/url"}),
    "no HTTP": (no_http, {"source/url"}),
    "an error": (lambda asked: asked.say(b"", 500), {"source/url"}),
    "escapes": (
        lambda asked: asked.say(b"", 302, Location="\x1b[31m<script>"),
        {"source/url"},
    ),
}


@pytest.mark.parametrize("name", TRICKS)
def test_a_service_that_plays_tricks(name: str) -> None:
    trick, due = TRICKS[name]
    with host(lambda asked: answering(asked, trick)) as served:
        begun = time.monotonic()
        told = summary(served.url, "--timeout", "3", "--jobs", "2")
        assert time.monotonic() - begun < 60
    assert set(codes(told).values()) <= due
    assert (told["exit"], told["transcripts"]["unreadable"]) == (2, 2)


def test_a_busy_service_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    times: dict[str, list[float]] = {}

    def answer(asked: Asked) -> None:
        tries = times.setdefault(asked.path, [])
        tries.append(time.monotonic())
        if len(tries) == 1:
            asked.say(b"", 503, Retry_After="2")
        elif len(tries) == 2:
            asked.say(b"", 429)
        else:
            listing({FIRST: MATCHES[FIRST]})(asked)

    with host(answer) as served:
        told = summary(served.url)
    assert (told["exit"], told["transcripts"]["verified"]) == (0, 1)
    for tries in times.values():
        assert len(tries) == 3
        assert tries[1] - tries[0] > 1.9
        assert tries[2] - tries[1] > 0.9


def test_a_service_that_goes_silent() -> None:
    """After so many in a row nobody waits for the rest."""
    names = [f"{k:032x}" for k in range(300)]

    def answer(asked: Asked) -> None:
        if "limit" in asked.path and "cursor" not in asked.path:
            asked.say(page(names))
        else:
            asked.say(b"", 503)

    with host(answer) as served:
        told = summary(served.url, "--timeout", "1", "--jobs", "8")
    assert 20 <= told["transcripts"]["unreadable"] <= 40
    (one,) = told["unsearched"]
    assert one["code"] == "source/url"
    assert "were not asked for" in one["got"]
    assert (told["exit"], told["whole"]) == (2, False)


def test_resuming_a_service(tmp_path: Path) -> None:
    """What was at its end is not even fetched again; what was not is, and has to go on."""
    running = HOUSES[2]
    words = ("--resume", tmp_path / "state", "--key", SIGNER.public.hex())
    before = {**MATCHES, running.match: cut(running, 3)}
    with host(listing(before)) as served:
        port = served.server_port
        assert summary(served.url, *words)["matches"]["waiting"]["seeds"] == 1
        served.asked.clear()
        assert summary(served.url, *words)["matches"]["waiting"]["seeds"] == 1
        fetched = [path for path in served.asked if "transcript" in path]
        assert len(fetched) == 5  # four that were only opened, and this one
        served.answer = listing(MATCHES)
        told = summary(served.url, *words)
        assert (told["exit"], told["histories"]["compared"]) == (0, 1)
        served.answer = listing({name: it for name, it in MATCHES.items() if name != SECOND})
        told = summary(served.url, *words)
        (gone,) = told["gone"]
        assert gone == {
            "source": f"{served.url}/v1/matches/{SECOND}/transcript",
            "match": SECOND,
        }
    assert port


def test_a_service_that_tells_another_story_later(tmp_path: Path) -> None:
    house = opened(20)
    house.sit()
    other = house.forged(lambda events: events[1].update(at=events[1]["at"] + 1))
    words = ("--resume", tmp_path / "state", "--key", SIGNER.public.hex(), "--save", tmp_path / "s")
    with host(listing({house.match: house.transcript()})) as served:
        assert summary(served.url, *words)["exit"] == 0
        served.answer = listing({house.match: other})
        told = summary(served.url, *words)
    (one,) = told["histories"]["list"]
    assert (told["exit"], one["comparison"]["convicts"]) == (1, True)
    assert (tmp_path / "s" / one["saved"]).read_bytes() == other


def posted(url: str, body: Json) -> Json:
    request = urllib.request.Request(url, json.dumps(body).encode(), method="POST")
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=20) as answer:
        told: Json = json.load(answer)
        return told


def test_a_real_house(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`fairbones serve`, matches played by its bots over HTTP, and the list in several pages."""
    from fairbones.bots import party

    with real(tmp_path / "data") as url:
        ids = [
            str(posted(f"{url}/v1/matches", body)["event"]["match"])
            for body in (
                {"ruleset": "block", "seats": 2, "rounds_max": 1},
                {"ruleset": "draw", "seats": 3, "rounds_max": 2, "options": {"target": 50}},
                {"ruleset": "block", "seats": 2, "listed": False},
                *({"ruleset": "block", "seats": 4} for _ in range(99)),
            )
        ]
        for name in ids[:2]:
            assert party.main(["--url", url, "--match", name, "--seconds", "60"]) == party.FINE
        with urllib.request.urlopen(f"{url}/v1/keys", timeout=20) as answer:
            key = json.load(answer)["keys"][0]["public_key"]
        words = (url, "--key", key, "--jobs", "2", "--resume", tmp_path / "state")
        told = summary(*words, "--out", tmp_path / "out.json")
        assert (told["exit"], told["whole"]) == (0, True)
        assert told["transcripts"]["found"] == told["transcripts"]["verified"] == 101
        assert (told["matches"]["played"], told["matches"]["waiting"]["seats"]) == (2, 99)
        assert ids[2] not in (tmp_path / "out.json").read_text()
        assert json.loads((tmp_path / "out.json").read_text()) == told
        assert [one["pinned"] for one in told["houses"]] == [True]
        assert told["client_seeds"]["shown"] == 5
        assert {(it["name"], it["here"]) for it in told["options"]} == {("target", 50)}
        again = summary(*words)
        assert again == told
        said = audit(*words, "--now", NOW)
    assert said.out.startswith("NOTHING REFUTED: ")
    assert "2 played to their end" in said.out
    capsys.readouterr()
