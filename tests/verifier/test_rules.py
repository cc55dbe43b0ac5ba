"""Sentences of the rules (spec/rules.md), held against random tiles."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from fairbones_verify.deal import first_lead, lightness, pips, tile_set, weight
from fairbones_verify.games import points
from fairbones_verify.games.line import Hand
from tests.verifier.primitives import BLOCK, DRAW

TILES = tile_set(6)
seeds = st.integers(0, 10**9)


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
    lead = first_lead(hands)
    assert lead is not None
    seat, tile = lead
    assert tile in hands[seat]
    rivals = [one for one in tiles if one[0] == one[1]] or tiles
    assert all(weight(tile) >= weight(one) for one in rivals)


def table(seed: int) -> tuple[random.Random, Hand]:
    rng = random.Random(seed)
    row = {**rng.choice([BLOCK, DRAW]), "drawn_tile": rng.choice(["must-play", "may-play"])}
    row["protected"] = rng.choice([0, 1, 2])
    seats, size = rng.randint(2, 4), rng.randint(1, 6)
    places = rng.sample(range(28), 28)
    hands = [places[seat * size : (seat + 1) * size] for seat in range(seats)]
    return rng, Hand(row, hands, places[seats * size :], 0, TILES)


@given(seeds)
def test_r5_to_r7_a_hand_is_always_played_to_its_end(seed: int) -> None:
    """The hand ends at once; a play is never forced; the tiles of the line fit each other."""
    rng, hand = table(seed)
    for _ in range(400):
        if hand.over() is not None:
            break
        legal = hand.legal()
        assert legal
        assert hand.fixed_step() in legal
        forced = hand.forced()
        assert forced is None or legal == [forced]
        assert (forced is None) == any(step.type == "played" for step in legal)
        step, seat = rng.choice(legal), hand.turn
        if step.tile is not None:
            before = sorted((hand.left, hand.right))
            place = next(p for p in hand.hands[seat] if TILES[p] == step.tile)
            hand.play(seat, place, step.tile, step.end)
            if step.end is not None:
                met = before[0] if before[0] in step.tile else before[1]
                assert met in step.tile
            assert hand.left in {half for tile in hand.line for half in tile}
        elif step.type == "drew":
            hand.draw(seat, hand.boneyard[0])
            assert hand.turn == seat
        else:
            hand.next_turn(seat)
            assert hand.turn == (seat + 1) % len(hand.hands)
    assert hand.over() in ("domino", "blocked")
    # Played one after another from the first, every tile met an end: halves pair up.
    odd = {half for half in range(7) if sum(t.count(half) for t in hand.line) % 2}
    assert odd <= {hand.left, hand.right}
    held = [place for places in (*hand.hands, hand.boneyard) for place in places]
    assert len(held) + len(hand.line) == 28


@given(seeds)
def test_r8_the_settlement(seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.randint(2, 4)
    tie = rng.choice(["void", "starter", "causer", "split", "lightest-tile"])
    score = rng.choice(["total", "difference"])
    mode = rng.choice(["once", "per-opponent"])
    row = {**BLOCK, "tie": tie, "score": score, "difference_mode": mode}
    row["partners"] = seats == 4 and rng.random() < 0.5
    tiles = rng.sample(TILES[:12], 2 * seats)
    hands = [tiles[seat::seats] for seat in range(seats)]
    sides = points.sides_of(row, seats)
    counts = points.by_side([sum(map(pips, hand)) for hand in hands], sides)
    causer, leader = rng.randrange(seats), rng.randrange(seats)
    winner = points.winner(row, counts, hands, "blocked", causer, leader)
    scored = points.points(row, counts, "blocked", winner)
    level = [side for side in range(sides) if counts[side] == min(counts)]
    if winner is not None:
        assert winner in level
        assert all(points == 0 for side, points in enumerate(scored) if side != winner)
        if score == "total":
            assert scored[winner] == sum(counts) - counts[winner]
        assert scored[winner] <= sum(counts)
    else:
        assert len(level) > 1
        assert tie in ("void", "split")
        share = (sum(counts) - sum(counts[side] for side in level)) // len(level)
        due = share if tie == "split" else 0
        assert scored == [due if side in level else 0 for side in range(sides)]
    next_lead = points.next_lead(winner, causer, leader, sides, seats)
    if winner is None:
        assert next_lead == leader
    else:
        assert next_lead % sides == winner
        if causer % sides == winner:
            assert next_lead == causer


@given(st.lists(st.integers(0, 150), min_size=2, max_size=4), st.integers(1, 5))
def test_r9_the_match(scores: list[int], hand: int) -> None:
    """Several sides at or over the target and level: another hand."""
    end = points.match_end(BLOCK, scores, "domino", hand, 5)
    alone = scores.count(max(scores)) == 1
    if max(scores) >= 100 and alone:
        assert end == ("target", scores.index(max(scores)))
    elif hand == 5:
        assert end == ("rounds", scores.index(max(scores)) if alone else None)
    else:
        assert end is None
    assert points.match_end(BLOCK, scores, "abandoned", hand, 5) is not None
