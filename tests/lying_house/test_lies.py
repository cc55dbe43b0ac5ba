"""Every lie over HTTP: who has to stop stops, at the first answer that could show it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from fairbones_verify.compare import compare
from fairbones_verify.strictjson import canonical
from tests.lying_house.meeting import SPECTATOR, Meeting, Planted, meet
from tests.lying_house.page import PATH, page
from tests.lying_house.tales import HONEST, TALES
from tests.lying_house.unseen import UNSEEN

THREATS = PATH.with_name("threat-model.md")
Met = Callable[[Planted], Meeting]


@pytest.fixture(scope="module")
def met(tmp_path_factory: pytest.TempPathFactory) -> Met:
    """Each meeting once."""

    @cache
    def meeting(name: str) -> Meeting:
        planted = next(one for one in (HONEST, *TALES) if one.name == name)
        return meet(planted, Path(tmp_path_factory.mktemp(name)))

    return lambda planted: meeting(planted.name)


def test_an_honest_match_is_played_to_its_end(met: Met) -> None:
    """A client that stops at everything would pass all the tests below."""
    honest = met(HONEST)
    assert (honest.stops, honest.troubles) == ({}, {})
    assert honest.chain[-1]["type"] == "match_ended"


@pytest.mark.parametrize("planted", TALES, ids=lambda it: it.name)
def test_a_lie_is_caught_by_whom_it_can_be_seen(planted: Planted, met: Met) -> None:
    told = met(planted)
    assert told.lies or told.house.twisted or "cut" in planted.name, "the lie was not told"
    assert set(told.stops) == set(planted.caught), (told.stops, told.troubles)
    assert told.troubles == {}


@pytest.mark.parametrize("planted", TALES, ids=lambda it: it.name)
def test_no_earlier_answer_could_have_shown_it(planted: Planted, met: Met) -> None:
    """Everything that a client had accepted when it stopped verifies: with its own tiles too.
    (Where its last head does, those before it do.)"""
    told = met(planted)
    for who, stop in told.stops.items():
        last = max((head for head in told.heads if head < stop.accepted), default=None)
        if last is not None:
            assert told.verdict(last, stop.openings).verdict == "verified", (who, last)
        found = told.first_refuted(who)
        if found is not None and stop.obligation == "C6":
            assert stop.accepted <= found, (who, "an answer that shows the lie was accepted")
        if stop.obligation != "C6":
            # Told by what only the client knows: it did not wait for the transcript.
            assert found is None or stop.accepted <= found, who


def test_two_histories_convict_when_they_meet(met: Met) -> None:
    """SPEC 9.5: nobody stops, and the receipts of two people prove it."""
    planted = next(one for one in TALES if one.name == "two-histories")
    told = met(planted)
    last = [max(told.receipts[who], key=lambda it: int(it["seq"])) for who in (0, SPECTATOR)]
    assert last[0]["seq"] == last[1]["seq"]
    first, second = (canonical(one).encode() for one in last)
    answer = compare(first, second, [told.house.signer.public_key])
    assert answer.exit == 1
    assert '"convicts": true' in answer.json()


def test_no_row_of_the_threat_model_is_missing() -> None:
    """Each has a lie, or a line that says why it has none; never both."""
    rows = set(re.findall(r"^\| (T[0-9]+) \|", THREATS.read_text(encoding="utf-8"), re.M))
    told = {row for planted in TALES for row in planted.threats}
    assert len(rows) > 50
    assert told | set(UNSEEN) == rows
    assert not told & set(UNSEEN)


def test_the_page_says_what_happened(met: Met) -> None:
    """docs/lying-house.md; `python -m tests.lying_house` writes it."""
    told = page((planted, met(planted)) for planted in TALES)
    assert told == PATH.read_text(encoding="utf-8")
