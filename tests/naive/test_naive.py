"""The naive engine against the examples of SPEC and a few sentences of R1 to R11."""

from __future__ import annotations

import random

import pytest

from tests.naive.actions import Action, Refused, read_action, write, write_line
from tests.naive.hand import CALL, DECLINE, DRAW, PASS, Hand
from tests.naive.leading import highest_double
from tests.naive.match import Match
from tests.naive.rows import FIXED, PUBLISHED, SEATS, VALUES, Row, resolve, side_of
from tests.naive.settling import settle
from tests.naive.table import End, Table
from tests.naive.tiles import Tile, heaviest, lightest, read, tile_id, tile_set

# The example of R5: the tile, its end, the count after it.
EXAMPLE = (
    ("4-1", None, 5),
    ("1-1", "right", 6),
    ("4-4", "left", 10),
    ("4-3", "left", 5),
    ("2-1", "right", 5),
    ("5-1", "up", 10),
    ("5-5", "up", 15),
    ("5-0", "up", 5),
    ("3-1", "down", 8),
)


def tiles(written: str) -> list[Tile]:
    """The tiles of a text such as "6-4 1-0"."""
    return [read(one) for one in written.split()]


def hand(
    ruleset: str,
    held: list[str],
    boneyard: str = "",
    options: Row | None = None,
    leader: int = 0,
    scores: list[int] | None = None,
) -> Hand:
    """A hand in which the seats hold that, whatever a deal is."""
    row = resolve(ruleset, len(held), options or {})
    points = scores or [0] * (2 if row["partners"] else len(held))
    return Hand(row, [tiles(one) for one in held], tiles(boneyard), leader, None, points)


def run(it: Hand, *steps: str) -> list[int]:
    """Take steps such as "0:6-4@left"; what each was credited."""
    credited = []
    for step in steps:
        seat, _, action = step.partition(":")
        it.take(int(seat), read_action(action))
        credited.append(it.credited)
    return credited


def test_example_of_r5() -> None:
    """The counts of the example, tile by tile, and the last ends."""
    table = Table("first")
    counts = []
    for tile, end, _ in EXAMPLE:
        table.lay(read(tile), end)
        counts.append(table.count())
    assert counts == [count for _, _, count in EXAMPLE]
    assert table.ends() == [
        End("left", 3, 1, True),
        End("right", 2, 1, True),
        End("up", 0, 1, True),
        End("down", 3, 1, True),
    ]


def test_tiles() -> None:
    """R1: ids count through the set, and heavy is not the opposite of light."""
    assert [tile_id(tile) for tile in tile_set(6)] == list(range(28))
    assert heaviest(tiles("6-3 5-4")) == lightest(tiles("6-3 5-4")) == (6, 3)
    for wrong in ("3-6", "6-", "06-4", "6-4 ", "6_4"):
        with pytest.raises(ValueError, match="no tile"):
            read(wrong)


def test_rows_stand_in_the_text() -> None:
    """R3: eight rows, every option with a value of the table."""
    assert set(PUBLISHED) == set(SEATS) == set(FIXED)
    for name, row in PUBLISHED.items():
        assert resolve(name, SEATS[name][0], {}) == row
        assert all(row[option] in VALUES[option] for option in row if option != "id")
        assert set(FIXED[name]) <= set(row)
    assert {option for row in PUBLISHED.values() for option in row} == {*VALUES, "id"}


@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    [
        ("bones", 2, {}),
        ("blocking", 3, {}),
        ("block", 2, {"protected": 0}),
        ("block", 2, {"target": True}),
        ("block", 4, {"partners": 1}),
        ("block", 3, {"partners": True}),
        ("draw", 2, {"drawing": "none"}),
        ("draw", 4, {"hand": 7, "protected": 1}),
        ("middle-eastern", 4, {"hand": 6}),
        ("block", 2, {"count_all": True, "score": "difference"}),
    ],
)
def test_refused_rows(ruleset: str, seats: int, options: Row) -> None:
    """R3: what is no row of a match."""
    with pytest.raises(Refused):
        resolve(ruleset, seats, options)


def test_lone_double() -> None:
    """R5: two halves once; then both halves at the side that is not covered."""
    table = Table("none")
    table.lay((5, 5), None)
    assert table.count() == 10
    table.lay((5, 0), "left")
    assert table.ends() == [End("left", 0, 1, True), End("right", 5, 2, True)]
    table.lay((6, 5), "right")
    assert table.count() == 6


def test_every_double_has_arms() -> None:
    """R5: with `all` the arms of the k-th spinner have its number, and open when it is passed."""
    table = Table("all")
    for tile, end in (((6, 6), None), ((6, 5), "left"), ((5, 5), "left"), ((6, 4), "right")):
        table.lay(tile, end)
    assert [end.name for end in table.ends() if not end.open] == ["up-2", "down-2"]
    for tile, end in (((5, 0), "left"), ((6, 0), "up"), ((0, 0), "up"), ((5, 1), "down-2")):
        table.lay(tile, end)
    assert [tuple(end) for end in table.ends()] == [
        ("left", 0, 1, True),
        ("right", 4, 1, True),
        ("up", 0, 2, True),
        ("down", 6, 0, True),
        ("up-2", 5, 0, True),
        ("down-2", 1, 1, True),
        ("up-3", 0, 0, False),
        ("down-3", 0, 0, False),
    ]


def test_turn_of_draw() -> None:
    """R6: draw until one fits, which may be declined; the protected tile stays."""
    it = hand(
        "draw", ["6-3 6-0", "1-1 2-2"], "5-5 4-3 0-0", {"drawn_tile": "may-play", "protected": 1}
    )
    run(it, "0:6-3")
    assert it.legal() == [DRAW]
    assert it.forced() == DRAW
    run(it, "1:draw", "1:draw")
    assert it.legal() == [Action("play", (4, 3), "right"), DECLINE]
    run(it, "1:decline")
    assert it.to_act() == 0
    run(it, "0:6-0@left")
    assert it.finish() == "domino"


def test_transfer() -> None:
    """R6: the seat before gives, the tile given has to be played; a last tile ends the hand."""
    it = hand("middle-eastern", ["4-2 6-2 5-5", "1-0 1-1", "4-4", "3-3"], "", {"transfer": True})
    run(it, "0:4-2")
    assert it.to_act() == 0
    assert [write(one) for one in it.legal()] == ["give 5-5", "give 6-2"]
    assert it.forced() is None
    run(it, "0:give 6-2")
    assert [write(one) for one in it.legal()] == ["6-2@right"]
    run(it, "1:6-2@right", "2:4-4@left")
    assert it.out() == 2
    other = hand("middle-eastern", ["4-2 6-2", "1-0 1-1", "4-4", "3-3"], "", {"transfer": True})
    run(other, "0:4-2", "0:give 6-2")
    assert (other.finish(), other.out()) == ("domino", 0)
    assert settle(other).points == [1 + 2 + 8 + 8 + 6, 0, 0, 0]


def test_muggins() -> None:
    """R10: a claim is credited, the rest goes to who calls first; a call is listed all the same."""
    it = hand("all-fives", ["5-5 1-0", "6-2 1-1"], "3-3", {"muggins": True})
    assert run(it, "0:5-5+4") == [4]
    assert it.callers() == [1]
    assert run(it, "1:call") == [6]
    assert it.callers() == [1]
    with pytest.raises(Refused):
        it.take(1, CALL)
    run(it, "1:draw")
    assert it.callers() == []
    assert it.scores == [4, 6]


def test_both_partners_go_out() -> None:
    """R6, R7: who is out is passed over; the point comes with the second of the side."""
    options: Row = {"partners": True}
    it = hand("fives-and-threes", ["6-1", "4-0 6-4", "2-0", "5-5 3-3"], "", options)
    assert run(it, "0:6-1", "1:6-4@left") == [0, 1]
    assert run(it, "2:pass", "3:pass", "1:4-0@left", "2:2-0@left") == [0, 0, 0, 2]
    assert it.finish() == "domino"
    assert it.out() == 2


def test_who_holds_nothing_is_not_on_turn() -> None:
    """R6: the next seat is the first after the one on turn that holds a tile."""
    it = hand("fives-and-threes", ["6-1", "6-0", "5-5 1-1", "5-0"], "", {"partners": True})
    run(it, "0:6-1", "1:6-0@left", "2:1-1@right")
    assert it.on_turn == 3
    assert it.finish() is None
    assert it.row["goes_out"] == "side"


def test_notation() -> None:
    """R11: there and back, and nothing else."""
    for written in ("6-4", "6-4@left", "12-11@down-12+35", "draw", "decline", "pass", "call"):
        assert write(read_action(written)) == written
    assert write(read_action("give 6-4")) == "give 6-4"
    for wrong in ("", "6-4@up-1", "6-4@left+0", "give", "give 4-6", "6-4@left+05", "Draw", "6-4@"):
        with pytest.raises(ValueError, match="is no"):
            read_action(wrong)
    assert write_line([(0, Action("play", (4, 1))), (1, read_action("1-1@right+5"))]) == (
        "0:4-1 1:1-1@right+5"
    )


@pytest.mark.parametrize("ruleset", sorted(PUBLISHED))
def test_random_matches_end(ruleset: str, seed: random.Random) -> None:
    """A match of every ruleset, played at random: tiles stay together, scores are what was paid."""
    seats = SEATS[ruleset][-1] if ruleset != "all-fives" else 4
    options: Row = {"target": 40}
    if ruleset in ("draw", "block", "fives-and-threes"):
        options |= {"set": 12}
    row = resolve(ruleset, seats, options)
    match = Match(row, seats, 6, [(0, 0), (5, 5), *tile_set(3)][:seats])
    while match.end is None:
        order = tile_set(row["set"])
        seed.shuffle(order)
        size = row["hand"]
        hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
        it = match.deal(hands, order[seats * size :])
        while match.hand is not None:
            match.act(it.to_act(), seed.choice(it.legal()))
            left = [tile for held in it.hands for tile in held]
            whole = left + it.boneyard + [one.tile for one in it.table.laid]
            assert sorted(whole) == tile_set(row["set"])
        assert match.settlement is not None
        paid = [a + b for a, b in zip(it.scores, match.settlement.points, strict=True)]
        assert match.scores == paid
        assert all(side_of(row, seat) < len(paid) for seat in range(seats))
    assert match.end.reason in ("target", "rounds")


def test_highest_double_before_heavier_tiles() -> None:
    """R4: 0-0, the only double, leads before 6-5."""
    lead = highest_double([tiles("6-5 6-4"), tiles("0-0 1-0")])
    assert lead == (1, (0, 0))


def test_a_pass_is_taken_only_where_it_is_listed() -> None:
    """R6: who can play must."""
    it = hand("block", ["6-3 1-1", "3-3 2-2"])
    run(it, "0:6-3")
    for action in (PASS, DRAW, DECLINE, CALL, Action("play", (2, 2), "left")):
        with pytest.raises(Refused):
            it.take(1, action)
