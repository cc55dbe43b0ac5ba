"""What a bot holds true of a table of strangers, event by event, in every game."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fairbones.bots.lies import Lie
from fairbones.bots.table import Table
from fairbones.core.match import Stage
from fairbones.core.protocol.chain import Event
from fairbones.core.rules import to_act
from fairbones.core.views import view
from tests.match import playing
from tests.match.claims import claiming
from tests.match.rows import TABLES, switched

Json = dict[str, Any]


def match(
    seed: random.Random, ruleset: str, seats: int, options: Json, rounds_max: int = 2
) -> playing.Table:
    """A match that was dealt."""
    return playing.open_table(seed, ruleset, seats, options, rounds_max=rounds_max).deal()


def seen(table: playing.Table) -> Table:
    """A bot's table after all events so far."""
    told = Table(table.events[0])
    for event in table.events[1:]:
        told.see(event)
    return told


def follow(told: Table, table: playing.Table, after: int) -> int:
    """Show a bot what is new; the seq of the head."""
    for event in table.events[after + 1 :]:
        told.see(event)
    return table.events[-1].seq


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_an_honest_match_is_believed(ruleset: str, seats: int, seed: random.Random) -> None:
    """SPEC 10.5, 10.6: every seat finds its bones where the cut and the gifts have put them, and
    whoever is to act knows that it may be its turn."""
    table = match(seed, ruleset, seats, switched(seed, ruleset, seats, sets=(6, 9)))
    told, head = seen(table), table.events[-1].seq
    while table.state.stage is Stage.PLAYING:
        assert told.concerns(to_act(table.hand))
        for seat in range(seats):
            own: Json = view(table.state, seat, table.now)["you"]  # type: ignore[assignment]
            told.check_openings(seat, own["hand"])
        table.act(lambda actions: claiming(table.hand, seed.choice(actions), seed))
        head = follow(told, table, head)
    assert told.over
    assert not any(told.concerns(seat) for seat in range(seats))


@pytest.mark.parametrize("spinner", ["first", "all", "none"])
@pytest.mark.parametrize("partners", [False, True])
def test_a_bot_counts_as_the_rules_do(spinner: str, partners: bool, seed: random.Random) -> None:
    """SPEC R10: what a play scored and did not claim; and whom it concerns."""
    options = {"muggins": True, "spinner": spinner, "partners": partners, "target": 10_000}
    table = match(seed, "all-fives", 4, options, rounds_max=6)
    told, head, missed = seen(table), table.events[-1].seq, 0
    while table.state.stage is Stage.PLAYING:
        window = table.hand.window
        assert told.missed == (0 if window is None else window.missed)
        missed += bool(told.missed)
        for seat in table.callers():
            assert told.concerns(seat)
        if table.callers() and seed.random() < 0.5:
            table.call(table.callers()[0])
        else:
            table.act(lambda actions: claiming(table.hand, seed.choice(actions), seed))
        head = follow(told, table, head)
    assert missed


def lie(events: list[Event], type_: str, change: Callable[[Json], object]) -> Lie:
    """What a bot says when the first event of a type is another one than it was."""
    told = Table(events[0])
    for event in events[1:]:
        if event.type == type_:
            data = copy.deepcopy({**event.data})
            change(data)
            with pytest.raises(Lie) as caught:
                told.see(replace(event, data=data))
            return caught.value
        told.see(event)
    raise AssertionError(f"no {type_}")


def test_a_lead_draw_is_checked(seed: random.Random) -> None:
    """SPEC 4.5: its wash is the one in `opened`, the cut is the seeds', the heaviest leads."""
    events = match(seed, "blocking", 2, {}).events
    other = "ab" * 32
    assert "heaviest" in str(lie(events, "lead_drawn", lambda it: it.update(lead=1 - it["lead"])))
    assert "washed" in str(lie(events, "lead_drawn", lambda it: it.update(round_seed=other)))
    assert "washed" in str(lie(events, "lead_drawn", lambda it: it["seals"].reverse()))
    assert "drew for it" in str(lie(events, "dealt", lambda it: it.update(lead=1 - it["lead"])))
    without = [event for event in events if event.type != "lead_drawn"]
    assert "not drawn" in str(lie(without, "dealt", lambda _it: None))


def test_a_lead_draw_has_to_be_one_of_the_rules(seed: random.Random) -> None:
    """SPEC 8.1: `lead_drawn` where the rules draw for the lead, once."""
    events = match(seed, "blocking", 2, {}).events
    (drawn,) = (event for event in events if event.type == "lead_drawn")
    plain = match(seed, "block", 2, {}).events
    dealt = next(event.seq for event in plain if event.type == "dealt")
    plain.insert(dealt, drawn)
    assert "no lead to draw" in str(lie(plain, "lead_drawn", lambda _it: None))
    twice = Table(events[0])
    for event in events[1 : drawn.seq + 1]:
        twice.see(event)
    with pytest.raises(Lie, match="no lead to draw"):
        twice.see(drawn)


def gift(seed: random.Random) -> playing.Table:
    """A match with a gift in it, which its receiver has kept."""
    while True:
        table = match(seed, "middle-eastern", 4, {"transfer": True}, rounds_max=9)
        while table.state.stage is Stage.PLAYING:
            events = table.act(seed.choice)
            names = playing.types(events)
            if names == ["gave", "passed"]:
                return table


def test_a_gift_is_checked(seed: random.Random) -> None:
    """Check 412: a giver gives what it holds, to the seat on turn; SPEC 10.5: the receiver finds
    it among its own, where its seal is opened."""
    table = gift(seed)
    events = table.events
    given = next(event for event in reversed(events) if event.type == "gave")
    seat, to, position = given.data["seat"], given.data["to"], given.data["seal"]
    told = seen(table)
    own: Json = view(table.state, int(str(to)), table.now)["you"]  # type: ignore[assignment]
    assert position in [opening["seal"] for opening in own["hand"]]
    told.check_openings(int(str(to)), own["hand"])
    tile = next(opening["tile"] for opening in own["hand"] if opening["seal"] == position)
    other = "6-6" if tile == "0-0" else "0-0"
    for change in ({"tile": other}, {"salt": "ab" * 32}):
        bent = [it | change if it["seal"] == position else it for it in own["hand"]]
        with pytest.raises(Lie, match=r"10\.5"):
            told.check_openings(int(str(to)), bent)
    with pytest.raises(Lie, match=r"10\.5"):
        told.check_openings(int(str(to)), [it for it in own["hand"] if it["seal"] != position])
    before = [event for event in events if event.seq < given.seq]
    for wrong in (
        {"to": seat},
        {"seat": (int(str(seat)) + 1) % 4},
        {"seal": 9_999},
    ):
        bot = Table(before[0])
        for event in before[1:]:
            bot.see(event)
        with pytest.raises(Lie, match="gives what it may not"):
            bot.see(replace(given, data={**given.data, **wrong}))
    bot.see(given)
    with pytest.raises(Lie, match="gives what it may not"):
        bot.see(given)
