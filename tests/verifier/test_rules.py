"""Sentences of the rules (spec/rules.md) against random tiles, and a second reading of them."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones_verify.deal import Tile, first_lead, lightness, pips, tile_set, weight
from fairbones_verify.games import points
from fairbones_verify.games.hand import Hand, Step
from fairbones_verify.games.lead import Asked, Before, lead
from fairbones_verify.games.line import Line
from fairbones_verify.games.position import act, actions, begin, result, to_act
from tests.verifier import bones, scoring
from tests.verifier.rows import ROWS, SEATS, published, random_row

TILES = tile_set(6)
seeds = st.integers(0, 10**9)
names = st.sampled_from(list(ROWS))


def test_r1_no_two_tiles_of_a_set_are_level() -> None:
    assert [len(tile_set(n)) for n in (6, 9, 12, 15, 18)] == [28, 55, 91, 136, 190]
    assert sum(map(pips, TILES)) == 168
    for order in (weight, lightness):
        assert len(set(map(order, TILES))) == 28
    assert weight((6, 3)) > weight((5, 4))  # as many pips and a higher high half
    assert lightness((6, 3)) < lightness((5, 4))  # as many pips and a lower low half


@given(seeds)
def test_r4_the_highest_double_leads(seed: int) -> None:
    """If nobody holds a double, the seat that holds the heaviest tile leads."""
    rng = random.Random(seed)
    tiles = rng.sample(TILES, 9)
    if rng.random() < 0.5:
        tiles = [tile for tile in tiles if tile[0] != tile[1]] or [(1, 0)]
    hands = [tiles[seat::3] for seat in range(3)]
    found = first_lead(hands)
    assert found is not None
    seat, tile = found
    assert tile in hands[seat]
    rivals = [one for one in tiles if one[0] == one[1]] or tiles
    assert all(weight(tile) >= weight(one) for one in rivals)


def test_r4_later_leads() -> None:
    """SPEC R4: the four ways, after a domino, after a block, after a hand that nobody won."""
    row = published("middle-eastern", 4)
    hands = [[(3, 3)], [(6, 5)], [(5, 5)], [(1, 0)]]

    def led(next_lead: str, before: Before, **more: Any) -> tuple[int | None, Tile | None]:
        asked = Asked({**row, "next_lead": next_lead, **more}, hands, 4, 4, 1, before)
        found = lead(asked)
        assert found.must is (found.must_set is not None)
        return found.seat, found.must_set

    out, void = Before("domino", 3, 0, 3), Before("blocked", 1, 3, None)
    assert led("winner", out) == (3, None)
    assert led("winner", Before("blocked", 1, 0, 0)) == (0, None)
    assert led("winner", void) == (2, (5, 5))
    assert led("winner", void, no_winner_lead="same") == (3, None)
    assert led("winner", void, first_lead="draw-for-lead") == (1, None)
    assert (led("rotate", void), led("same", void)) == ((0, None), (3, None))
    assert led("highest-double", out) == (2, (5, 5))
    partners = Asked(published("latin-american", 4), None, 4, 2, None, Before("blocked", 1, 0, 0))
    assert lead(partners).seat == 2  # the first seat after the causer that is on the winning side
    unknown = lead(Asked(row, None, 4, 4))
    assert (unknown.seat, unknown.must_set, unknown.must) == (None, None, True)


def test_r5_the_example_of_the_specification() -> None:
    """SPEC R5: "4-1 (5); 1-1 right, the spinner (6); 4-4 left (10); ..."."""
    line, counts = Line("first", True), []
    for tile, end in (
        ((4, 1), None),
        ((1, 1), "right"),
        ((4, 4), "left"),
        ((4, 3), "left"),
        ((2, 1), "right"),
        ((5, 1), "up"),
        ((5, 5), "up"),
        ((5, 0), "up"),
        ((3, 1), "down"),
    ):
        assert end in line.places(tile)
        line.lay(tile, end)
        counts.append(line.count())
    assert counts == [5, 6, 10, 5, 5, 10, 15, 5, 8]


def test_r5_a_lone_double() -> None:
    """SPEC R5: "5-5 (10); 5-0 left, and 5-5 is still the right end, of weight 2 (10); ..."."""
    line, counts, arms = Line("first", True), [], []
    for tile, end in (((5, 5), None), ((5, 0), "left"), ((5, 1), "right"), ((6, 5), "down")):
        assert end in line.places(tile)
        line.lay(tile, end)
        counts.append(line.count())
        arms.append([one.is_open for one in line.ends[2:]])
    assert counts == [10, 10, 1, 7]
    assert arms == [[False, False], [False, False], [True, True], [True, True]]


@given(seeds, st.sampled_from(["first", "all", "none"]), st.sampled_from([6, 9, 18]))
def test_r5_two_readings_of_the_line_agree(seed: int, spinner: str, n: int) -> None:
    """Every end, its value, its weight, whether it is open, after every tile."""
    rng, line, left = random.Random(seed), Line(spinner, True), tile_set(n)
    plays: list[tuple[Tile, str]] = []
    while True:
        fitting = [tile for tile in left if line.fits(tile)]
        if not fitting or len(plays) > 60:
            break
        tile = rng.choice(fitting)
        end = rng.choice(line.places(tile))
        line.lay(tile, end)
        left.remove(tile)
        plays.append((tile, end or ""))
        due = bones.ends_of(plays, spinner)
        assert [(e.name, e.value, e.weight, e.is_open) for e in line.ends] == due
        assert line.count() == bones.count_of(due)
        for other in left:
            assert line.places(other) == bones.fitting(due, other, True)


def dealt(seed: int, name: str) -> tuple[random.Random, Hand]:
    """A hand of a random row, before its first tile; hands may be smaller than a deal."""
    rng = random.Random(seed)
    seats = rng.choice(SEATS[name])
    row = random_row(rng, name, seats)
    tiles = tile_set(row["set"])
    size = row["hand"] if row.get("deal_all") else rng.randint(1, min(row["hand"], 6))
    cut = rng.sample(tiles, len(tiles))
    hands = [cut[seat * size : (seat + 1) * size] for seat in range(seats)]
    return rng, begin(row, hands, cut[seats * size :], rng.randrange(seats))


def check_turn(hand: Hand, legal: list[Step]) -> None:
    """SPEC R6: what is listed, forced and fixed go together."""
    plays = [step for step in legal if step.type == "played"]
    gifts = [step for step in legal if step.type == "gave"]
    fixed, forced = hand.fixed_step(), hand.forced()
    assert fixed is not None
    assert fixed._replace(claim=None) in legal
    assert forced is None or legal == [forced]
    assert (forced is None) == bool(plays or gifts)
    assert fixed.type == ("played" if plays else "gave" if gifts else legal[0].type)
    if plays or gifts:
        tiles = [step.tile for step in plays or gifts if step.tile is not None]
        assert fixed.tile == max(tiles, key=weight)
    order = [(step.tile[0], step.tile[1]) for step in plays if step.tile is not None]
    assert order == sorted(order)
    if gifts:
        assert to_act(hand) == hand.left_of(hand.turn)
        assert hand.can_play(hand.turn) is False


@given(seeds, names)
def test_r5_to_r10_a_hand_is_always_played_to_its_end(seed: int, name: str) -> None:
    """The hand ends at once; a play is never forced; no tile is lost; the points are the ends'."""
    rng, hand = dealt(seed, name)
    row, tiles = hand.row, sorted(hand.tiles or [])
    before, plays = list(hand.scores), []
    for _ in range(2_000):
        if hand.over() is not None:
            break
        legal = actions(hand)
        if hand.may_call(to_act(hand)):
            assert legal.pop() == Step("called")
        check_turn(hand, legal)
        step, seat = rng.choice(legal), to_act(hand)
        if hand.muggins and step.tile is not None:
            score = hand.score(seat, step.tile, step.end)
            step = step._replace(claim=rng.randint(0, score) or None)
        earned = act(hand, step)
        if step.type == "played":
            assert step.tile is not None
            plays.append((step.tile, step.end or ""))
            due = bones.ends_of(plays, row.get("spinner", "none"))
            worth = scoring.worth(row, bones.count_of(due))
            out = row.get("out_points", 0) if hand.is_out([*map(len, hand.hands)], seat) else 0
            counted = (step.claim or 0) if hand.muggins else worth + out
            assert earned == scoring.admitted(row, before[seat % hand.sides], counted)
            before[seat % hand.sides] += earned
            if hand.muggins:
                assert hand.missed == worth + out - counted
        assert hand.scores == before
        lying = [place for places in (*hand.hands, hand.boneyard) for place in places]
        assert sorted([(hand.tiles or [])[place] for place in lying] + hand.line.tiles) == tiles
    reason = hand.over()
    assert reason is not None
    check_settlement(hand, reason)
    assert actions(hand) == []


def check_settlement(hand: Hand, reason: str) -> None:
    """SPEC R8, read twice."""
    end = result(hand)
    held = [hand.held(seat) or [] for seat in range(len(hand.hands))]
    seat = hand.causer if reason == "blocked" else hand.last
    over = scoring.Over(reason, seat, hand.leader, held, hand.scores)
    assert end is not None
    assert end.winner == scoring.winner_of(hand.row, over)
    assert end.points == scoring.points_of(hand.row, over, end.winner)


def test_a_copy_of_a_hand_knows_nothing_of_the_first() -> None:
    _, hand = dealt(7, "all-fives")
    other = hand.copy()
    act(other, other.legal()[0])
    assert (hand.line.tiles, len(other.line.tiles)) == ([], 1)
    assert sum(map(len, hand.hands)) == sum(map(len, other.hands)) + 1
    assert hand.scores == [0] * hand.sides


@given(seeds, names)
def test_r8_the_settlement_of_a_block(seed: int, name: str) -> None:
    """Blocks come about rarely: here are many, each read twice."""
    rng = random.Random(seed)
    seats = rng.choice(SEATS[name])
    row = random_row(rng, name, seats)
    tiles = rng.sample(TILES[:12] if seats < 6 else TILES, 2 * seats)
    hands = [tiles[seat::seats] for seat in range(seats)]
    sides, counts = points.sides_of(row, seats), [sum(map(pips, hand)) for hand in hands]
    scores = [rng.randint(0, row["target"] + 5) for _ in range(sides)]
    causer, leader = rng.randrange(seats), rng.randrange(seats)
    end = points.Ended("blocked", causer, leader, hands, counts, scores)
    over = scoring.Over("blocked", causer, leader, hands, scores)
    winner = points.winner(row, end)
    assert winner == scoring.winner_of(row, over)
    paid = points.points(row, end, winner)
    assert paid == scoring.points_of(row, over, winner)
    if winner is not None:
        assert all(one == 0 for side, one in enumerate(paid) if side != winner)
        assert paid[winner] <= sum(counts) + 2
    assert not row["exact_target"] or all(
        one == 0 or one + score <= row["target"] for one, score in zip(paid, scores, strict=True)
    )


@given(st.lists(st.integers(0, 150), min_size=2, max_size=8), st.integers(1, 5))
@pytest.mark.parametrize("better", ["high", "low"])
def test_r9_the_match(better: str, scores: list[int], hand: int) -> None:
    """Several sides at or over the target and level: another hand."""
    row = {**ROWS["block"], "better": better}
    top = max(scores) if better == "high" else min(scores)
    alone = scores.count(top) == 1
    best = scores.index(top) if alone else None
    end = points.match_end(row, scores, "domino", hand, 5)
    if max(scores) >= 100 and alone:
        assert end == ("target", best)
    elif hand == 5:
        assert end == ("rounds", best)
    else:
        assert end is None
    assert points.match_end(row, scores, "abandoned", hand, 5) == ("abandoned", best)
