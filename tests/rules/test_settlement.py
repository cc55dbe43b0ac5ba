"""The laws of the settlement and of the match (SPEC R4, R8, R9)."""

from __future__ import annotations

from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import HIGH, LOW
from fairbones.core.rules import (
    Finish,
    Hand,
    Lead,
    Outcome,
    Rules,
    abandoned,
    after_hand,
    compile_rules,
    deal,
    lead,
    outcome,
    resolve,
    settle,
    won,
)

TIES = ("void", "starter", "causer", "split", "lightest-tile")
SCORES = (("total", "once"), ("difference", "once"), ("difference", "per-opponent"))

Over = tuple[Rules, Hand, Finish, list[list[int]], dict[str, object]]


@st.composite
def overs(draw: st.DrawFn, reason: Literal["domino", "blocked"]) -> Over:
    """A hand that is over, with any tiles left; few pips, so that ties are common."""
    seats = draw(st.integers(2, 4))
    score, mode = draw(st.sampled_from(SCORES))
    options: dict[str, object] = {
        "score": score,
        "difference_mode": mode,
        "tie": draw(st.sampled_from(TIES)),
        "partners": seats == 4 and draw(st.booleans()),
    }
    rules = compile_rules(resolve("block", seats, options), seats)
    pool = draw(st.permutations(range(draw(st.sampled_from([9, 12, 28])))))
    sizes = draw(st.lists(st.integers(1, len(pool) // seats), min_size=seats, max_size=seats))
    if draw(st.booleans()):
        sizes = [1] * seats
    left: list[list[int]] = []
    for size in sizes:
        left.append([*pool[:size]])
        pool = pool[size:]
    seat = draw(st.integers(0, seats - 1))
    if reason == "domino":
        left[seat] = []
    hand = deal(rules, left, (), Lead(draw(st.integers(0, seats - 1)), None))
    return rules, hand, Finish(reason, seat), left, options


def by_side(rules: Rules, left: list[list[int]]) -> list[list[int]]:
    """The tiles left, by side."""
    if rules.sides == rules.seats:
        return left
    return [left[0] + left[2], left[1] + left[3]]


def pips(tiles: list[int]) -> int:
    """Their pips."""
    return sum(HIGH[tile] + LOW[tile] for tile in tiles)


def paid(options: dict[str, object], own: int, others: list[int]) -> int:
    """The points of a winner, as R8 words them."""
    if options["score"] == "total":
        return sum(others)
    if options["difference_mode"] == "once":
        return max(0, sum(others) - own)
    return sum(other - own for other in others if other > own)


@given(overs("domino"))
def test_domino_is_won_by_who_went_out(over: Over) -> None:
    """The side of the seat that went out (even if another side's count is 0 too)."""
    rules, hand, finish, left, options = over
    result = settle(rules, hand, finish)
    totals = [pips(tiles) for tiles in by_side(rules, left)]
    side = finish.seat % rules.sides
    own = totals.pop(side)
    assert result.winner == side
    assert result.points[side] == paid(options, own, totals)
    assert sum(result.points) == result.points[side]
    assert result.counts == tuple(pips(tiles) for tiles in left)
    before = outcome(hand, finish, result)
    assert lead(rules, left, before, None) == Lead(finish.seat, None)


@given(overs("blocked"))
def test_blocked_is_won_by_the_lowest(over: Over) -> None:
    """Blocked: the side with the lowest count, if it is alone."""
    rules, hand, finish, left, options = over
    result = settle(rules, hand, finish)
    sides = by_side(rules, left)
    totals = [pips(tiles) for tiles in sides]
    tied = [side for side, total in enumerate(totals) if total == min(totals)]
    met = [(hand.leader + step) % rules.seats % rules.sides for step in range(rules.seats)]
    first = next(side for side in met if side in tied)
    causer = finish.seat % rules.sides
    lightest = min(tied, key=lambda s: min((HIGH[t] + LOW[t], LOW[t]) for t in sides[s]))
    winner = {
        "void": None,
        "split": None,
        "starter": first,
        "causer": causer if causer in tied else first,
        "lightest-tile": lightest,
    }[str(options["tie"])]
    if len(tied) == 1:
        winner = tied[0]
    assert result.winner == winner
    assert result.counts == tuple(pips(tiles) for tiles in left)
    expected = [0] * rules.sides
    if winner is not None:
        others = totals[:winner] + totals[winner + 1 :]
        expected[winner] = paid(options, totals[winner], others)
    elif options["tie"] == "split":
        rest = sum(totals) - sum(totals[side] for side in tied)
        for side in tied:
            expected[side] = rest // len(tied)
    assert list(result.points) == expected


@given(overs("blocked"))
def test_next_leader_after_a_block(over: Over) -> None:
    """The causer if on the winning side, else the first seat after it that is; none: as before."""
    rules, hand, finish, left, _ = over
    result = settle(rules, hand, finish)
    led = lead(rules, left, outcome(hand, finish, result), None)
    assert led.must_set is None
    if result.winner is None:
        assert led.seat == hand.leader
        return
    order = [(finish.seat + step) % rules.seats for step in range(rules.seats)]
    assert led.seat == next(seat for seat in order if seat % rules.sides == result.winner)


@given(overs("blocked"), st.integers(1, 3))
def test_settlement_knows_no_favourite_seat(over: Over, turned: int) -> None:
    """Turn everybody, leader and causer included, by some seats, and the result turns along."""
    rules, hand, finish, left, _ = over
    seats, sides = rules.seats, rules.sides
    moved = [left[(seat - turned) % seats] for seat in range(seats)]
    other = deal(rules, moved, (), Lead((hand.leader + turned) % seats, None))
    result = settle(rules, hand, finish)
    again = settle(rules, other, Finish("blocked", (finish.seat + turned) % seats))
    winner = None if result.winner is None else (result.winner + turned) % sides
    assert again.winner == winner
    assert again.points == tuple(result.points[(side - turned) % sides] for side in range(sides))


scores_lists = st.lists(st.sampled_from([0, 3, 99, 100, 101]), min_size=2, max_size=4)


@given(scores_lists, st.integers(1, 5), st.integers(1, 5))
def test_match_ends(scores: list[int], played: int, rounds_max: int) -> None:
    """Target first, then the number of hands, otherwise another hand."""
    rules = compile_rules(resolve("block", len(scores), {}), len(scores))
    end = after_hand(rules, scores, played, rounds_max)
    leaders = [side for side, score in enumerate(scores) if score == max(scores)]
    alone = leaders[0] if len(leaders) == 1 else None
    if max(scores) >= 100 and alone is not None:
        assert end is not None
        assert (end.reason, end.winner) == ("target", alone)
    elif played >= rounds_max:
        assert end is not None
        assert (end.reason, end.winner) == ("rounds", alone)
    else:
        assert end is None
    given_up = abandoned(rules, scores)
    assert (given_up.reason, given_up.winner) == ("abandoned", alone)


@st.composite
def options_and_outcomes(draw: st.DrawFn) -> tuple[str, dict[str, object], Outcome]:
    """A row with some way to lead later hands, and how its last hand went."""
    ruleset = draw(st.sampled_from(["block", "middle-eastern", "fives-and-threes"]))
    options: dict[str, object] = {
        "next_lead": draw(st.sampled_from(["winner", "rotate", "highest-double", "same"])),
        "first_lead": draw(st.sampled_from(["highest-double", "draw-for-lead", "top-double"])),
    }
    if ruleset == "middle-eastern":
        options["no_winner_lead"] = draw(st.sampled_from(["first-lead", "same"]))
    seat = st.integers(0, 3)
    return ruleset, options, Outcome(draw(seat), draw(seat), draw(st.none() | seat))


@given(options_and_outcomes(), st.permutations(range(28)), st.integers(0, 3))
def test_later_leads(
    case: tuple[str, dict[str, object], Outcome], tiles: list[int], drawn: int
) -> None:
    """SPEC R4: "`rotate`: the seat after the leader of the last hand, with any tile"."""
    ruleset, options, before = case
    rules = compile_rules(resolve(ruleset, 4, options), 4)
    hands = [tiles[seat * 7 : seat * 7 + 7] for seat in range(4)]
    led = lead(rules, hands, before, drawn)
    by_double = Lead(next(seat for seat in range(4) if 27 in hands[seat]), 27)
    first = Lead(drawn, None) if options["first_lead"] == "draw-for-lead" else by_double
    same = Lead(before.leader, None)
    unwon = first if options.get("no_winner_lead") == "first-lead" else same
    assert (
        led
        == {
            "winner": unwon if before.winner is None else Lead(before.winner, None),
            "rotate": Lead((before.leader + 1) % 4, None),
            "highest-double": by_double,
            "same": same,
        }[str(options["next_lead"])]
    )
    assert lead(rules, hands, None, drawn) == first


@given(overs("blocked"), st.sampled_from(["lowest", "causer"]), st.booleans())
def test_the_causer_wins_where_the_row_says_so(over: Over, winner: str, count_all: bool) -> None:
    """SPEC R8: "the side of the causer (R4), even when its count is higher"."""
    _, hand, finish, left, options = over
    seats = len(left)
    chosen = options | {"block_winner": winner, "count_all": count_all, "score": "total"}
    rules = compile_rules(resolve("block", seats, chosen), seats)
    result = settle(rules, hand, finish)
    totals = [pips(tiles) for tiles in by_side(rules, left)]
    if winner == "causer":
        assert result.winner == finish.seat % rules.sides
    if result.winner is not None:
        own = 0 if count_all else totals[result.winner]
        assert result.points[result.winner] == sum(totals) - own


@given(overs("blocked"))
def test_the_lightest_single_hand_wins_for_its_side(over: Over) -> None:
    """SPEC R8: "what is compared is the lowest count of any one seat of each side"."""
    _, hand, finish, left, options = over
    seats = len(left)
    chosen = options | {"block_count": "lowest-individual"}
    rules = compile_rules(resolve("block", seats, chosen), seats)
    result = settle(rules, hand, finish)
    lowest = min(map(pips, left))
    sides = {seat % rules.sides for seat in range(seats) if pips(left[seat]) == lowest}
    assert len(sides) > 1 or result.winner == sides.pop()


@given(overs("domino"), st.integers(0, 100))
def test_rounded_and_exact(over: Over, score: int) -> None:
    """SPEC R8: "a side whose points would carry its score past the target scores 0 instead"."""
    _, hand, finish, left, options = over
    seats = len(left)
    chosen = options | {"exact_target": True, "target": 100}
    rules = compile_rules(resolve("all-fives", seats, chosen | {"hand": 1}), seats)
    plain = compile_rules(resolve("block", seats, options), seats)
    full = settle(plain, hand, finish).points
    hand = hand.but(scores=(score,) * rules.sides)
    for side, points in enumerate(settle(rules, hand, finish).points):
        rounded = 5 * round(full[side] / 5)
        assert points == (0 if score + rounded > 100 else rounded)


@given(st.lists(st.integers(0, 120), min_size=2, max_size=4))
def test_the_lowest_score_can_be_the_best(scores: list[int]) -> None:
    """SPEC R9: "The **best** score is the highest (`better: "high"`) or the lowest (`"low"`)"."""
    seats = len(scores)
    rules = compile_rules(resolve("block", seats, {"better": "low"}), seats)
    lowest = [side for side, score in enumerate(scores) if score == min(scores)]
    alone = lowest[0] if len(lowest) == 1 else None
    assert won(rules, scores) == (alone if max(scores) >= 100 else None)
    assert abandoned(rules, scores).winner == alone
