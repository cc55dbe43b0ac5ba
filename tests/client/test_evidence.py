"""What is left when a client stops: written first, told in any case, and no more than is proved."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify.client import CHOOSERS, Follower, Guard, Keep, Lie, Seat, Wire, evidence
from fairbones_verify.client.keep import NoKeep
from fairbones_verify.client.outcome import Outcome, attended
from fairbones_verify.hashing import key_id
from fairbones_verify.signature import signed_bytes
from tests.client.houses import Json, Loopback

LIE = Lie("C13", "a false view", 0)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with Loopback(tmp_path_factory.mktemp("house")) as running:
        yield running


def follower(house: Loopback, *keys: bytes) -> Follower:
    """Somebody who has seen the opening of a match."""
    one = Follower(Wire(house.url), Guard(house.open("draw", 2), None, keys))
    one.grace = 0
    one.begin()
    return one


def stopping(one: Follower, folder: Path, lie: Lie = LIE) -> Outcome:
    """Stops at this lie."""

    def course() -> None:
        with one.attending():
            raise lie

    return attended(one, course, str(folder), "")


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_it_is_written_before_the_house_is_asked_again(house: Loopback, tmp_path: Path) -> None:
    one, seen = follower(house), set[str]()
    plain, folder = one.other_story, tmp_path / "e"

    def asked() -> bytes:
        seen.update(files(folder))
        return plain()

    one.other_story = asked  # type: ignore[method-assign]
    outcome = stopping(one, folder)
    assert seen == {"evidence.json", "transcript.json"}
    assert files(folder) == {*seen, "transcript-served-after.json"}
    assert (outcome.exit, outcome.told["obligation"]) == (1, "C13")
    assert str(folder) in outcome.text()


@pytest.mark.parametrize("problem", [KeyboardInterrupt, NoKeep, RuntimeError])
def test_it_stays_whatever_comes_after(
    house: Loopback, tmp_path: Path, problem: type[BaseException]
) -> None:
    """Somebody who waits for the drops of a house has to press Ctrl-C."""
    one, folder = follower(house), tmp_path / "e"

    def asked() -> bytes:
        raise problem("afterwards")

    one.other_story = asked  # type: ignore[method-assign]
    outcome = stopping(one, folder)
    assert (outcome.exit, outcome.told["said"]) == (1, "a false view")
    assert files(folder) == {"evidence.json", "transcript.json"}


def test_the_house_has_a_bounded_time_for_it(house: Loopback) -> None:
    one = follower(house)
    bounds = []

    def ask(*_: object, **__: object) -> Any:
        bounds.append(one.wire.most)
        raise NoKeep

    one.wire.ask = ask  # type: ignore[method-assign]
    before = one.wire.most
    with pytest.raises(NoKeep):
        one.other_story()
    assert bounds[0] <= 20 < before == one.wire.most


def test_a_keep_that_cannot_be_saved_hides_no_lie(house: Loopback, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    seat = Seat(
        Wire(house.url),
        Keep(folder / "keep", house.url, house.open("draw", 2), 0),
        CHOOSERS["first"],
    )
    seat.grace = 0

    def sit() -> None:
        shutil.rmtree(folder)
        raise LIE

    seat._sit = sit  # type: ignore[method-assign]
    outcome = attended(seat, seat.play, str(tmp_path / "e"), "")
    assert (outcome.exit, outcome.told["said"]) == (1, "a false view")
    assert "not in the keep" in outcome.text()
    assert "unsaved" in outcome.told
    assert "evidence.json" in files(tmp_path / "e")


def test_a_folder_that_cannot_be_written(
    house: Loopback, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a temporary one, which is named."""
    (tmp_path / "file").touch()
    (tmp_path / "spare").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "spare"))
    outcome = stopping(follower(house), tmp_path / "file" / "e")
    spare = next((tmp_path / "spare").iterdir())
    assert outcome.exit == 1
    assert f"The evidence is in {spare}." in outcome.text()
    assert str(tmp_path / "file" / "e") in outcome.text()
    assert "transcript-served-after.json" in files(spare)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    outcome = stopping(follower(house), tmp_path / "file" / "e")
    assert outcome.exit == 1
    assert "no evidence on the disk" in outcome.text()


def signed(house: Loopback, match: str, seq: int, hashed: str) -> Json:
    """A receipt of the house."""
    name = key_id(house.signer.public_key)
    message = signed_bytes(bytes.fromhex(match), seq, bytes.fromhex(hashed))
    signature = house.signer.sign(message, name).hex()
    return {"match": match, "seq": seq, "event_hash": hashed, "key_id": name} | {
        "signature": signature
    }


@pytest.mark.parametrize("pinned", [True, False])
def test_two_receipts_convict_under_a_key_that_was_given(house: Loopback, pinned: bool) -> None:
    """Anybody may have made a key, and called it the house's (SPEC 9.5)."""
    one = follower(house, *([house.signer.public_key] if pinned else []))
    chronicle = one.guard.chronicle
    with contextlib.suppress(Lie):
        chronicle.keep(signed(house, chronicle.match, 0, "ab" * 32))
    found = evidence.proof(one.guard, Lie("C2", "two", 0))
    assert found.convicts is pinned
    assert "two different events 0" in found.said
    key = house.signer.public_key
    assert evidence.proof(one.guard, Lie("C2", "two", 0), pinned=[key]).convicts


def test_what_nobody_signed_convicts_nobody(house: Loopback) -> None:
    """A receipt that the house did not sign, however it came to be kept."""
    one = follower(house, house.signer.public_key)
    chronicle = one.guard.chronicle
    true = chronicle.receipts[0]
    for false in (
        {**true, "event_hash": "ab" * 32},
        {**signed(house, "cd" * 16, 0, "ab" * 32)},
        {**signed(house, chronicle.match, 0, "ab" * 32), "key_id": "00" * 8},
    ):
        chronicle.contrary = [false]
        assert not evidence.proof(one.guard, Lie("C2", "two", 0)).convicts
        chronicle.contrary, chronicle.receipts = [], {0: true, 1: false}
        assert not evidence.proof(one.guard, Lie("C2", "two", 0)).convicts
        chronicle.receipts = {0: true}


def test_what_is_served_after_it_counts(house: Loopback, tmp_path: Path) -> None:
    """A transcript without the event that the house has signed, and signed itself."""
    one = follower(house, house.signer.public_key)
    other = one.other_story()
    chronicle = one.guard.chronicle
    hashed = "ab" * 32
    lie = Lie("C2", "another", 0)
    chronicle.receipts = {0: signed(house, chronicle.match, 0, hashed)}
    found = evidence.keep(one.guard, lie, tmp_path / "e", "x", b"")
    assert not found.convicts
    found = evidence.after(found, one.guard, lie, other)
    told = json.loads((tmp_path / "e" / "evidence.json").read_text())
    assert (found.convicts, told["convicts"]) == (True, True)
    assert (tmp_path / "e" / "transcript-served-after.json").read_bytes() == other
    assert "receipt/not-in-transcript" in told["proved"]
    evidence.withdraw(found)
    assert not (tmp_path / "e").exists()
