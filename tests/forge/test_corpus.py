"""The data in the checkout are what the command makes, and leave no check out."""

from __future__ import annotations

import hashlib

from tests.forge import compared, corpus, counting
from tests.forge.codes import NUMBERS, REFUTING

# Rows of the threat model that a single transcript gives away.
SHOWN = (
    *(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 26),
    *(31, 34, 37, 38, 39, 40, 43, 45, 49, 50, 51, 53),
)
# Those that a verifier alone has to answer for: no game may be left out by accident.
EVERYWHERE = (
    *(1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 13, 14, 15, 16, 17, 19, 20, 26),
    *(37, 38, 39, 43, 49, 50, 51),
)
GAMES_MIN = 3
SIZE_MAX = 6_500_000  # everybody who clones the project downloads it


def test_the_files_are_those_that_would_be_made() -> None:
    made, kept = corpus.files(), corpus.kept()
    assert made.keys() == kept.keys()
    assert [name for name in made if made[name] != kept[name]] == []
    assert sum(map(len, kept.values())) <= SIZE_MAX


def test_every_check_has_a_scenario() -> None:
    met = {scenario.code for scenario in corpus.everything()}
    assert {code for code in NUMBERS if code not in met} == set()
    assert met - {None} <= NUMBERS.keys() | {
        "start/usage",
        "start/key",
        "start/receipt",
        "start/openings",
        "start/protest",
        "start/seed",
    }


def test_every_cheat_a_transcript_can_show_is_there() -> None:
    told = {threat for scenario in corpus.everything() for threat in scenario.threats}
    assert {f"T{number}" for number in SHOWN} - told == set()


def test_every_row_is_shown_in_several_games() -> None:
    forgeries = [it for folder in corpus.FORGERIES for it in corpus.scenarios(folder)]
    found = counting.rows(forgeries, compared.pairs())
    games = {number: set(found[number].games) - {counting.NONE} for number in EVERYWHERE}
    assert {number: names for number, names in games.items() if len(names) < GAMES_MIN} == {}


def test_two_heads_are_compared() -> None:
    """What convicts without a transcript (T43), and pairs that convict nobody."""
    told = [pair.expect for pair in compared.pairs() if "T43" in pair.threats]
    assert len(told) >= GAMES_MIN
    assert all(expect["convicts"] for expect in told)
    assert any(expect.get("convicts") is False for expect in (p.expect for p in compared.pairs()))


def test_every_cheat_has_its_own_transcript() -> None:
    """Two names for one document would count one forgery twice."""
    seen: dict[str, str] = {}
    for scenario in corpus.everything():
        if scenario.verdict not in ("refuted", "unreadable"):
            continue
        mark = hashlib.sha256(scenario.given)
        for content in scenario.beside.values():
            mark.update(content)
        mark.update(repr(scenario.arguments if scenario.beside == {} else ()).encode())
        twin = seen.setdefault(mark.hexdigest(), scenario.name)
        assert twin == scenario.name, f"{twin} and {scenario.name} are one document"


def test_most_refutable_checks_have_several_forgeries() -> None:
    counted = [scenario.code for scenario in corpus.everything() if scenario.code in NUMBERS]
    once = {code for code in NUMBERS if NUMBERS[code] >= REFUTING and counted.count(code) == 1}
    assert len(once) <= 15, sorted(once)
