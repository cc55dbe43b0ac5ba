"""The keep: whose key it holds, what may be changed beside it, and what it is not taken for."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify.cli import main
from fairbones_verify.client import (
    CHOOSERS,
    Keep,
    Lie,
    Refused,
    Seat,
    SeatTaken,
    Unreachable,
    Wire,
)
from fairbones_verify.client.keep import NoKeep
from fairbones_verify.client.lock import alone
from fairbones_verify.client.resuming import secret_key
from fairbones_verify.client.signing import public_key
from tests.client.houses import Json, Loopback

OTHER = public_key(b"\x07" * 32).hex()
Said = Callable[..., tuple[int, Json]]


@dataclass
class Played:
    """A match at its end. text: the keep of seat 0, which was given no key of the house."""

    house: Loopback
    match: str
    text: str
    transcript: bytes

    @property
    def key(self) -> str:
        return self.house.signer.public_key.hex()

    def again(self, path: Path, **changed: Any) -> Path:
        """The keep at another place, changed by hand: without its sum, as an older one."""
        value = {**json.loads(self.text), **changed}
        if changed:
            del value["sha256"]
        path.write_text(json.dumps(value))
        return path


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("played")
    with Loopback(folder) as house:
        match = house.open("draw", 2, rounds_max=1)
        keeps = [Keep(folder / f"{n}.json", house.url, match, n) for n in (0, 1)]
        seats = [Seat(Wire(house.url), keep, CHOOSERS["first"]) for keep in keeps]
        other = threading.Thread(target=seats[1].play, daemon=True)
        other.start()
        seats[0].play()
        other.join(60)
        yield Played(house, match, keeps[0].path.read_text(), seats[0].other_story())


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """The exit code and the object of a command."""

    def run(*words: object) -> tuple[int, Json]:
        code = main([*map(str, words), "--json"])
        told: Json = json.loads(capsys.readouterr().out)
        return code, told

    return run


def play(played: Played, keep: Path, *more: object, url: str = "") -> list[object]:
    """The words of the command."""
    words = ["play", url or played.house.url, "--match", played.match, "--seat", 0]
    return [*words, "--keep", keep, "--evidence", keep.with_name("evidence"), *more]


# Whose key it is


def test_the_first_key_is_kept_and_is_nobodys_gift(played: Played) -> None:
    value = json.loads(played.text)
    assert (value["pinned"], value["first_named"]) == ([], played.key)


def test_a_key_that_nobody_gave_pins_nothing(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever sat on the wire in the first run may have named it (SPEC 9.5)."""
    path = played.again(tmp_path / "keep")
    words = [str(word) for word in play(played, path)]
    assert main(words) == 0
    assert "its own word" in capsys.readouterr().out
    assert main(["--keep", str(path)]) == 0
    assert "key/not-pinned" in capsys.readouterr().out
    assert main(["--keep", str(path), "--key", played.key]) == 0
    assert "key/not-pinned" not in capsys.readouterr().out
    assert main([*words, "--key", played.key.upper()]) == 0
    assert "its own word" not in capsys.readouterr().out
    assert json.loads(path.read_text())["pinned"] == [played.key]
    assert main([*words]) == 0
    assert "its own word" not in capsys.readouterr().out


def test_it_convicts_only_under_a_key_that_was_given(tmp_path: Path, said: Said) -> None:
    """The keep of a match in which a "house" named a key, and a false transcript under it."""
    folder = Path(__file__).resolve().parents[1] / "forgeries" / "refuted"
    path = folder / "points-scores.transcript.json"
    document = json.loads(path.read_bytes())
    match, key = document["events"][0]["match"], document["keys"][0]["public_key"]
    keep = Keep(tmp_path / "keep", "http://localhost", match, 0, first_named=key)
    keep.save()
    code, told = said("--keep", keep.path, path)
    assert (code, told["verdict"], told["convicts"]) == (1, "refuted", False)
    code, told = said("--keep", keep.path, path, "--key", key)
    assert (code, told["verdict"], told["convicts"]) == (1, "refuted", True)
    value = json.loads(keep.path.read_text())
    for name in ("pinned", "first_named", "sha256"):  # as it was before the two were apart
        del value[name]
    keep.path.write_text(json.dumps({**value, "house_keys": [key]}))
    assert said("--keep", keep.path, path)[1]["convicts"] is False


def test_the_first_key_stays_the_only_one(played: Played, tmp_path: Path, said: Said) -> None:
    """C2, also in a later run."""
    changed: Json = {"first_named": OTHER, "receipts": [], "sent": {}, "openings": []}
    path = played.again(tmp_path / "keep", **changed)
    for words in (play(played, path), ["--keep", path]):
        code, told = said(*words)
        assert (code, told["obligation"], told["code"]) == (1, "C2", "key/other")
        assert not told.get("convicts")


def test_a_key_that_is_not_the_one_of_the_match(played: Played, tmp_path: Path, said: Said) -> None:
    """It is a lie or a slip, and a slip does not stay in the keep."""
    path = played.again(tmp_path / "keep")
    for words in (play(played, path), ["--keep", path]):
        code, told = said(*words, "--key", OTHER)
        assert (code, told["obligation"], told["code"]) == (1, "C2", "key/other")
        assert json.loads(path.read_text())["pinned"] == []
    assert said(*play(played, path, "--key", OTHER, "--key", played.key))[0] == 0
    assert json.loads(path.read_text())["pinned"] == [OTHER, played.key]


# What is said beside it


@pytest.mark.parametrize(
    "more", [["--name", "ann"], ["--invite", "ab"], ["--no-key"], ["--key-file", "seat.key"]]
)
def test_what_contradicts_the_keep_is_refused(
    played: Played, tmp_path: Path, said: Said, more: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = played.again(tmp_path / "keep")
    code, told = said(*play(played, path, *more))
    assert (code, told["result"]) == (3, "not-started")
    assert more[0] in told["said"]
    assert path.read_text() == played.again(tmp_path / "same").read_text()
    assert not (tmp_path / "seat.key").exists()  # no key is made to be refused


def test_before_anything_is_sent_everything_may_be_changed(tmp_path: Path, said: Said) -> None:
    with Loopback(tmp_path) as house:
        match = house.open("draw", 2)
        path, key = tmp_path / "keep", tmp_path / "key"
        words = ["--match", match, "--seat", 0, "--keep", path]
        assert said("play", "http://127.0.0.1:99999", *words, "--name", "ann")[0] == 3
        Keep(path, "http://localhost:1", match, 0, "ann").save()
        seat_is(house, match)  # so that it ends at once
        more = ("--name", "bob", "--key-file", key, "--key", house.signer.public_key.hex())
        assert said("play", house.url, *words, *more)[0] == 3
    kept = Keep.load(path)
    assert (kept.name, kept.url, kept.secret_key) == ("bob", house.url, key.read_text().strip())
    assert kept.pinned == [house.signer.public_key.hex()]


def test_a_house_may_move(played: Played, tmp_path: Path, said: Said) -> None:
    """Its new address is kept once the match is found there, with every receipt."""
    path = played.again(tmp_path / "keep", url="http://127.0.0.1:9/was-here")
    assert said(*play(played, path, url="http://127.0.0.1:99999"))[0] == 3
    assert Keep.load(path).url == "http://127.0.0.1:9/was-here"
    assert said(*play(played, path))[0] == 0
    assert Keep.load(path).url == played.house.url


# A seat that is somebody else's


def seat_is(house: Loopback, match: str, commitment: str = "ab" * 32) -> None:
    """Somebody takes seat 0."""
    body = {"client_seed_commitment": commitment}
    Wire(house.url).ask("PUT", f"/v1/matches/{match}/seats/0", body, "t" * 43)


def test_a_taken_seat_is_no_lie(tmp_path: Path, said: Said) -> None:
    with Loopback(tmp_path) as house:
        match = house.open("draw", 2)
        seat_is(house, match)
        path = tmp_path / "keep"
        code, told = said("play", house.url, "--match", match, "--seat", 0, "--keep", path)
        assert (code, told["said"]) == (3, "seat 0 is taken by another")
        code, told = said("--keep", path)
        assert (code, told["said"]) == (3, "seat 0 is taken by another")


@pytest.mark.parametrize("lost", ["the answer", "nothing"])
def test_a_seat_that_went_to_another(tmp_path: Path, lost: str) -> None:
    """Refused, or without an answer: in the next run it is no lie either."""
    with Loopback(tmp_path) as house:
        match = house.open("draw", 2)
        path = tmp_path / "keep"
        seat = Seat(Wire(house.url), Keep(path, house.url, match, 0), CHOOSERS["first"])
        plain = seat.wire.ask

        def ask(method: str, *more: Any, **others: Any) -> Any:
            if method == "PUT":
                seat_is(house, match)
                if lost == "the answer":
                    raise Unreachable("cut off")
            return plain(method, *more, **others)

        seat.wire.ask = ask  # type: ignore[method-assign]
        with pytest.raises((Refused, Unreachable)):
            seat.play()
        kept = Keep.load(path)
        assert kept.sent["answer"] == ("" if lost == "the answer" else "refused")
        assert kept.spoken is (lost == "the answer")
        with pytest.raises(SeatTaken):
            Seat(Wire(house.url), kept, CHOOSERS["first"]).play()


@pytest.mark.parametrize("answer", ["taken", "refused", ""])
def test_what_is_ours_stands_as_it_was_sent(played: Played, tmp_path: Path, answer: str) -> None:
    """C10: under our commitment another name; whatever the answer to the request was."""
    sent = json.loads(played.text)["sent"]
    sent["seat"], sent["answer"] = {**sent["seat"], "name": "ann"}, answer
    kept = Keep.load(played.again(tmp_path / "keep", sent=sent))
    with pytest.raises(Lie) as caught:
        Seat(Wire(played.house.url), kept, CHOOSERS["first"]).play()
    assert caught.value.obligation == "C10"


def test_what_was_taken_is_not_given_to_another(played: Played, tmp_path: Path) -> None:
    sent = json.loads(played.text)["sent"]
    assert sent["answer"] == "taken"
    sent["seat"] = {"client_seed_commitment": "ab" * 32}
    kept = Keep.load(played.again(tmp_path / "keep", sent=sent, secret_key=""))
    with pytest.raises(Lie) as caught:
        Seat(Wire(played.house.url), kept, CHOOSERS["first"]).play()
    assert caught.value.obligation == "C10"


# One process


def test_two_processes_do_not_share_a_keep(played: Played, tmp_path: Path, said: Said) -> None:
    """They would say two things for one place (C9)."""
    path = played.again(tmp_path / "keep")
    with alone(path):
        code, told = said(*play(played, path))
        assert code == 3
        assert "another process" in told["said"]
    assert said(*play(played, path))[0] == 0
    assert not list(tmp_path.glob("*.lock"))


# Damage


def test_a_changed_digit_is_found(played: Played, tmp_path: Path, said: Said) -> None:
    """Wherever it stands."""
    path = tmp_path / "keep"
    value = json.loads(played.text)
    for name in ("receipts", "seed", "token", "openings", "sent", "first_named"):
        whole = json.dumps(value[name])
        place = max(i for i, letter in enumerate(whole) if letter in "0123456789")
        digit = "1" if whole[place] != "1" else "2"
        other = {**value, name: json.loads(whole[:place] + digit + whole[place + 1 :])}
        path.write_text(json.dumps(other))
        code, told = said(*play(played, path))
        assert (code, "damaged" in told["said"]) == (3, True), name


def bad_receipt(value: Json) -> Json:
    last = value["receipts"][-1]
    hashed = f"{int(last['event_hash'][0], 16) ^ 1:x}{last['event_hash'][1:]}"
    return {"receipts": [*value["receipts"][:-1], {**last, "event_hash": hashed}]}


DAMAGE: dict[str, Callable[[Json], Json]] = {
    "a receipt that nobody signed": bad_receipt,
    "one that contradicts": lambda it: {"contrary": bad_receipt(it)["receipts"][-1:]},
    "a receipt twice": lambda it: {"receipts": it["receipts"][:1] * 2},
    "receipts": lambda it: {"receipts": [1]},
    "sent": lambda it: {"sent": []},
    "a seat": lambda it: {"sent": {"seat": {"client_seed_commitment": 1}}},
    "another key": lambda it: {"secret_key": "22" * 32},
    "another seed": lambda it: {"seed": "22" * 32},
    "actions": lambda it: {"sent": {"actions": [1]}},
    "an action": lambda it: {"sent": {"actions": [{"seq": 1, "prev": "00" * 32, "action": {}}]}},
    "openings": lambda it: {"openings": [{"round": 1, "openings": [{"seal": 0}]}]},
    "a hand": lambda it: {"openings": [7]},
    "pinned": lambda it: {"pinned": ["00" * 32]},
    "pinned, no list": lambda it: {"pinned": "00" * 32},
    "house_keys": lambda it: {"house_keys": {}},
    "first_named": lambda it: {"first_named": None},
    "url": lambda it: {"url": 7},
    "seat": lambda it: {"seat": "0"},
    "name": lambda it: {"name": 7},
    "token": lambda it: {"token": "a\nb"},
    "secret_key": lambda it: {"secret_key": "00"},
    "match": lambda it: {"match": "00"},
    "more": lambda it: {"more": 1},
}


@pytest.mark.parametrize("name", DAMAGE)
def test_what_cannot_be_so_is_refused(
    played: Played, tmp_path: Path, said: Said, name: str
) -> None:
    """An honest house is not accused for it, nor does the program fail."""
    path = played.again(tmp_path / "keep", **DAMAGE[name](json.loads(played.text)))
    with pytest.raises(NoKeep):
        Keep.load(path)
    for words in (play(played, path), [f"--keep={path}"]):
        code, told = said(*words)
        assert (code, told["result"]) == (3, "not-started"), told
    assert not list(tmp_path.glob("evidence*"))


def test_a_keep_of_before_is_gone_on_with(played: Played, tmp_path: Path) -> None:
    value = json.loads(played.text)
    for name in ("pinned", "first_named", "sha256"):
        del value[name]
    (tmp_path / "keep").write_text(json.dumps({**value, "house_keys": [played.key]}))
    kept = Keep.load(tmp_path / "keep")
    assert (kept.pinned, kept.first_named) == ([], played.key)


# The seat's key


def test_a_key_file_is_there_as_a_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", killed)
        with pytest.raises(KeyboardInterrupt):
            secret_key(path)
    assert list(tmp_path.iterdir()) == []
    made = secret_key(path)
    assert secret_key(path) == made
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(NoKeep):
        secret_key(tmp_path / "nowhere" / "key")
    with pytest.raises(NoKeep):
        secret_key(tmp_path)


def test_a_system_without_locks_plays_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with alone(tmp_path / "keep"), alone(tmp_path / "keep"):
        pass
    assert list(tmp_path.iterdir()) == []
