"""Mistakes of whoever starts a client are no lies of the house, and are told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones_verify import sources
from fairbones_verify.client import CHOOSERS, Keep, Seat, Wire
from fairbones_verify.client.lies import NoGame
from tests.client.houses import Loopback
from tests.client.test_playing import together


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with Loopback(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.mark.parametrize("number", [-1, 2, 7])
def test_a_seat_that_is_not_there(house: Loopback, tmp_path: Path, number: int) -> None:
    keep = Keep(tmp_path / "keep.json", house.url, house.open("block", 2), number)
    with pytest.raises(NoGame, match=rf"no seat {number}: this match has 0 to 1"):
        Seat(Wire(house.url), keep, CHOOSERS["first"]).play()


def test_a_chooser_that_knows_no_rules(house: Loopback, tmp_path: Path) -> None:
    match = house.open("block", 2, turn_seconds=1)
    seats = [
        Seat(
            Wire(house.url),
            Keep(tmp_path / f"{number}.json", house.url, match, number),
            lambda _view: {"type": "draw"},
        )
        for number in (0, 1)
    ]
    wrong = together(seats)
    assert [type(one) for one in wrong] == [ValueError, ValueError]
    assert "the chooser answered" in str(wrong[0])


def test_a_transcript_is_no_list_of_keys(tmp_path: Path) -> None:
    """SPEC 9.5: a key comes from elsewhere, or it shows nothing."""
    path = tmp_path / "transcript.json"
    path.write_text('{"events":[],"keys":[{"key_id":"00","public_key":"' + "00" * 32 + '"}]}')
    with pytest.raises(sources.Problem) as caught:
        sources.keys(str(path))
    assert caught.value.args[0] == "start/key"
