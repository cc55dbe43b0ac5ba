"""Values of `dealt` that follow from others, stated wrongly and played by (threats T13, T39)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.bones import bits, text
from fairbones.core.match import MatchState
from fairbones.core.match.dealing import deal_round
from fairbones.core.rules import Lead, Outcome, deal, lead
from tests.forge.cheats.making import Cheat, dropping, forged, liar, place, setting
from tests.forge.house import House, Setup
from tests.forge.liar import Liar, believed, held
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

BOTH = ("T13", "T39")


def must_set(state: MatchState, tile: int | None) -> MatchState:
    """The leader has to set that tile, or any."""
    assert state.round is not None
    hand = believed(state.round.hand, must_set=tile)
    return replace(state, round=replace(state.round, hand=hand))


def lead_with(house: Liar, other: Lead) -> None:
    """The next hand is led like that."""

    def tell(data: Json) -> None:
        data["lead"] = other.seat
        if other.must_set is not None:
            data["must_set"] = text(other.must_set)

    def believe(state: MatchState) -> MatchState:
        assert state.round is not None
        hand = state.round.hand
        held = [list(bits(mask)) for mask in hand.hands]
        led = deal(hand.rules, held, hand.stock, other, hand.scores)
        return replace(state, round=replace(state.round, hand=led))

    house.bend("dealt", tell).warp("dealt", believe)


def next_seat_leads(house: Liar) -> bool:
    """The seat after the winner leads hand 2."""

    def believe(state: MatchState) -> MatchState:
        rules = state.terms.rules
        seat = rules.after[lead(rules, (), state.before, None).seat]
        return replace(state, before=Outcome(seat, seat, rules.side_of[seat]))

    house.start().warp("round_ended", believe)
    house.play(lambda it: it.state.rounds == 2)
    if house.state.rounds < 2:
        return False
    house.lies.append(place(house, "dealt", 2))
    house.play()
    return True


def led_by(shift: int) -> Callable[[Liar], None]:
    """Hand 1 is led by another seat, or (0) with another tile of the right one."""

    def make(house: Liar) -> None:
        house.seat_all()
        honest = House(house.setup).start()
        leader = (honest.turn + shift) % house.setup.seats
        tile = next(t for t in held(honest.hand, leader) if t != honest.hand.must_set)
        lead_with(house, Lead(leader, tile))
        house.reveal(*range(house.setup.seats))
        house.lies.append(place(house, "dealt"))
        house.play()

    return make


def free_choice(house: Liar) -> None:
    """Hand 1 begins with any tile."""
    house.bend("dealt", dropping("must_set"))
    house.warp("dealt", lambda state: must_set(state, None)).start().play()


def bound(house: Liar) -> None:
    """Hand 2 begins with a tile that is prescribed."""

    def tell(data: Json) -> None:
        hand = deal_round(house.state).hand
        data["must_set"] = text(held(hand, hand.turn)[0])

    def believe(state: MatchState) -> MatchState:
        assert state.round is not None
        return must_set(state, held(state.round.hand, state.round.hand.turn)[0])

    house.start().bend("dealt", tell).warp("dealt", believe)
    house.play()


def leads() -> Iterator[Scenario]:
    """410 and 411."""
    for ruleset, seats in (("block", 3), ("draw", 2)):
        yield Cheat(
            f"deal-lead-{ruleset}",
            "Another seat than the winner leads hand 2.",
            "deal/lead",
            Setup(ruleset, seats, {"hand": 3}, 2, phrase="lead"),
            next_seat_leads,
        ).forged(*BOTH)
    yield Cheat(
        "deal-lead-first",
        "Hand 1 is led by a seat that does not hold the highest double.",
        "deal/lead",
        Setup("block", 3, {"hand": 3}, phrase="first lead"),
        led_by(1),
        alone=("deal/must-set",),
        because="The tile that leads is in another hand.",
    ).forged(*BOTH)
    for ruleset, seats in (("block", 2), ("draw", 4)):
        yield Cheat(
            f"deal-must-set-{ruleset}",
            "The leader has to set another tile than its highest double.",
            "deal/must-set",
            Setup(ruleset, seats, {"hand": 3}, phrase="must set tile"),
            led_by(0),
        ).forged(*BOTH)
    yield Cheat(
        "deal-must-set-absent",
        "In hand 1 the leader may set any tile.",
        "deal/must-set",
        Setup("draw", 3, {"hand": 3}, phrase="free choice"),
        free_choice,
    ).forged("T39")
    yield Cheat(
        "deal-must-set-later",
        "In hand 2 the leader is told which tile to set.",
        "deal/must-set",
        Setup("block", 2, {"hand": 3}, 2, phrase="bound"),
        bound,
    ).forged("T39")


def values() -> Iterator[Scenario]:
    """408 and 409."""
    for ruleset, seats in (("block", 2), ("draw", 3)):
        house = liar(ruleset, seats, phrase="hand size").seat_all()
        more = replace(house.state.terms.rules, hand=3)
        house.believe(terms=replace(house.state.terms, rules=more))
        house.reveal(*range(seats))
        house.lies.append(place(house, "dealt"))
        yield forged(
            f"deal-hand-size-{ruleset}",
            "Every seat is dealt three tiles where the rules say two.",
            "deal/hand-size",
            house.play(),
            "T15",
            "T39",
        )
    house = liar("draw", 2, phrase="aside").bend("dealt", setting("aside", ["0-0"]))
    yield forged(
        "deal-aside", "A tile is said to be set aside.", "deal/aside", house.start().play(), "T39"
    )
