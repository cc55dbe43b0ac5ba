"""Schemathesis finds no fault: with requests one by one, and in matches that are played.

Nobody checks that whatever fits its schema is granted: no schema says that a cursor was given by
this house, or which seat is free. Instead each call has to grant a share of what it is asked in
`Walk`, so an API that refuses everything does not pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test
from schemathesis import Case, GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import negative_data_rejection

from fairbones.core.errors import Conflict, FairbonesError, Forbidden, Illegal, Missing, Unreadable
from fairbones.house.contract import HouseContract
from fairbones.house.messages import Matches
from tests.api.sturdy import OPENING
from tests.api.table import Game, Table, token_of
from tests.api.tally import Tally
from tests.api.walking import (
    CHECKS,
    GAMES,
    PLAIN,
    Spoil,
    Walk,
    made_up,
    operations,
    tamed,
)

NAMES = sorted(operations())
SHARE = 0.3
# Few in a usual run, as many as are wanted with another profile of Hypothesis.
REQUESTS, WALKS = settings().max_examples // 2, settings().max_examples * 3 // 5
ANY_TEXT = {"type": "string"}
# To make a request up is slow at first, and a whole match is one example.
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def takes_something(name: str) -> bool:
    """Whether anything in a request of a call can be wrong: not the id of a ruleset, any text."""
    operation = operations()[name]
    kinds = [it.definition["schema"] for it in operation.iter_parameters()]
    return "requestBody" in operation.definition.raw or any(it != ANY_TEXT for it in kinds)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    table = Table(tmp_path_factory.mktemp("schemathesis"))
    yield Game(table, OPENING).start()
    table.close()


def judged(requests: st.SearchStrategy[Case[Any]], game: Game) -> int:
    """Send some of them, and count them; what does not fit its schema has to be refused."""
    sent = 0

    @settings(max_examples=REQUESTS, suppress_health_check=SLOW)
    @given(requests)
    def check(case: Case[Any]) -> None:
        nonlocal sent
        sent += 1
        game.table.now += 1_000
        checks = [*CHECKS, negative_data_rejection]
        tamed(case).call_and_validate(app=game.table.app, checks=checks)

    check()
    return sent


@pytest.mark.parametrize("name", NAMES)
def test_any_request_that_fits_its_schema(game: Game, name: str) -> None:
    """To the match that there is, with the token of a seat of it."""
    operation = operations()[name]
    path = {"match_id": game.address.rpartition("/")[2]} if "{match_id}" in operation.path else {}
    headers = {"Authorization": f"Bearer {token_of(0)}"} if path else {}
    requests = operation.as_strategy(path_parameters=path, headers=headers)
    assert judged(requests, game) >= (
        REQUESTS if name in ("act", "openMatch", "listMatches") else 1
    )


@pytest.mark.parametrize("name", [name for name in NAMES if takes_something(name)])
def test_any_request_that_does_not(game: Game, name: str) -> None:
    """It is refused, and never with a fault."""
    assert judged(made_up(name, GenerationMode.NEGATIVE), game) >= 2


def test_whatever_takes_something_is_asked_for_wrongly() -> None:
    """An empty list of calls would make the test above pass."""
    assert {name for name in NAMES if not takes_something(name)} == set(PLAIN)


# ------------------------------------------------------------------ matches


BOUNDED = settings(max_examples=WALKS, stateful_step_count=30, suppress_health_check=SLOW)
# A planted fault need not be made small.
ONCE = settings(BOUNDED, max_examples=1, stateful_step_count=1, phases=[Phase.generate])


def walk(bounds: settings, spoil: Spoil | None = None) -> Tally:
    """What came of some walks."""
    tally = Tally()

    def made() -> Walk:
        return Walk(tally) if spoil is None else Walk(tally, spoil)

    first = made()
    try:
        first.play_through(GAMES[0])
    finally:
        first.teardown()
    run_state_machine_as_test(made, settings=bounds)  # type: ignore[arg-type]
    return tally


def test_matches_are_played_and_nothing_is_found() -> None:
    tally = walk(BOUNDED)
    tally.require(SHARE)
    assert tally.granted["act"] >= 20
    assert tally.signed >= 5
    # And what is made up is refused at times, or nothing was tried.
    assert sum(tally.refused.values()) >= 5


@pytest.mark.parametrize("opening", GAMES, ids=lambda it: f"{it['ruleset']}-{it['seats']}")
def test_a_match_of_every_game_is_played_through(opening: dict[str, Any]) -> None:
    """Nothing of it is refused."""
    tally = Tally()
    machine = Walk(tally)
    try:
        machine.play_through(opening)
    finally:
        machine.teardown()
    assert [it.status for it in machine.matches] == ["ended", "void"]
    assert not tally.refused
    assert 0 < tally.signed < tally.granted["act"]
    tally.require(1)


# ----------------------------------------------------------- planted faults


class Spoilt:
    """A house of which one use case is another."""

    def __init__(self, house: HouseContract, name: str, other: Callable[..., object]) -> None:
        self.house, self.name, self.other = house, name, other

    def __getattr__(self, name: str) -> object:
        return self.other if name == self.name else getattr(self.house, name)


def spoiling(name: str, other: Callable[..., object]) -> Spoil:
    return lambda house: Spoilt(house, name, other)  # type: ignore[return-value]


def raising(error: Exception) -> Callable[..., object]:
    def refuse(*_: object, **__: object) -> object:
        raise error

    return refuse


REFUSALS: list[tuple[str, str, FairbonesError]] = [
    ("rulesets", "listRulesets", Missing("route/unknown", "no")),
    ("ruleset", "getRuleset", Missing("ruleset/unknown", "no")),
    ("open", "openMatch", Illegal("options/tiles", "no")),
    ("matches", "listMatches", Unreadable("request/cursor", "no")),
    ("sit", "takeSeat", Forbidden("seat/reserved", "no")),
    ("reveal", "revealSeed", Conflict("seed/too-early", "no")),
    ("act", "act", Conflict("rules/not-your-turn", "no")),
    ("leave", "leaveSeat", Conflict("seat/free", "no")),
    ("view", "getMatch", Missing("match/unknown", "no")),
    ("events", "followEvents", Missing("match/unknown", "no")),
    ("transcript", "getTranscript", Missing("match/unknown", "no")),
    ("keys", "listKeys", Missing("route/unknown", "no")),
]


@pytest.mark.parametrize(("method", "name", "error"), REFUSALS, ids=[it[1] for it in REFUSALS])
def test_a_call_that_refuses_everything_is_found(
    method: str, name: str, error: FairbonesError
) -> None:
    """Each refusal is one that the call lists, so that nothing but the share can find it."""
    tally = walk(ONCE, spoiling(method, raising(error)))
    assert tally.share(name) == 0
    with pytest.raises(AssertionError, match=f"'{name}'"):
        tally.require(SHARE)


FAULTS: list[tuple[str, Callable[..., object], str]] = [
    ("keys", raising(ZeroDivisionError()), "Server error"),
    ("ready", raising(Conflict("store/busy", "no")), "Server error"),
    ("keys", raising(Conflict("match/stale", "no")), "match/stale is not listed"),
    ("keys", raising(Conflict("keys/secret", "no")), "keys/secret is in no table"),
    ("keys", lambda: [{"key_id": "x"}], "Response violates schema"),
    ("matches", lambda *_: Matches((), 1, "="), "Response violates schema"),
]


@pytest.mark.parametrize(("method", "other", "words"), FAULTS)
def test_a_wrong_answer_is_found(method: str, other: Callable[..., object], words: str) -> None:
    """A fault, a code that is not of the call, one of no table, and what no schema has."""
    with pytest.raises(FailureGroup, match=words):
        walk(ONCE, spoiling(method, other))
