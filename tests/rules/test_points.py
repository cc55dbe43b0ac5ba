"""The line and its points against the table as a person sees it (SPEC R5, R10)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import DOUBLES, set_tiles, tile_id
from fairbones.core.rules import (
    Hand,
    Line,
    Play,
    Rules,
    apply,
    compile_rules,
    finish,
    legal,
    parse_line,
    resolve,
    scored,
)
from fairbones.core.rules.actions import PLAYS
from fairbones.core.rules.ends import CLOSED, SINGLE, Ends
from fairbones.core.rules.lines import EMPTY, CountedLine
from tests.rules.games import COUNTING, Game, dealt, games, steps
from tests.rules.reading import SPINNERS, Table, score_of, table_of


def compare(hand: Hand, spinner: str) -> None:
    """What is open, with what value, and what all ends count, against the table."""
    table = table_of(hand, spinner)
    assert {end.name: end.value for end in hand.ends if end.open} == table.open
    assert sum(end.value * end.weight for end in hand.ends) == table.count


@given(games(COUNTING), st.randoms(use_true_random=False))
def test_a_line_is_what_lies_on_the_table(game: Game, rnd: random.Random) -> None:
    """SPEC R5: "They come into being closed when it is played, and open when two sides of it are
    covered".
    """
    hand = dealt(game.rules, rnd)
    for step in steps(hand, rnd):
        compare(step.after, str(game.row["spinner"]))


@given(games(COUNTING), st.randoms(use_true_random=False))
def test_what_a_play_scores(game: Game, rnd: random.Random) -> None:
    """SPEC R10: "`out_points` are added when the play meets the condition of a domino", and
    SPEC R10: "The claim is credited; the rest is **missed**".
    """
    row, rules = game
    for step in steps(dealt(rules, rnd), rnd):
        if not isinstance(step.action, Play):
            continue
        wanted = score_of(table_of(step.after, str(row["spinner"])).count, str(row["counting"]))
        side = [
            seat for seat in range(rules.seats) if seat % rules.sides == step.seat % rules.sides
        ]
        out = side if row.get("goes_out") == "side" else [step.seat]
        if not any(step.after.hands[seat] for seat in out):
            extra = row.get("out_points", 0)
            assert isinstance(extra, int)
            wanted += extra
        assert scored(step.before, step.action) == wanted
        claimed = (step.action.claim or 0) if rules.muggins else wanted
        assert claimed <= wanted
        room = rules.target - step.before.scores[rules.side_of[step.seat]]
        counted = 0 if row["exact_target"] and claimed > room else claimed
        assert step.points == step.after.line[-1][2] == counted
        if step.after.window is not None:
            assert step.after.window == (step.seat, wanted - claimed)


@given(games(COUNTING), st.randoms(use_true_random=False))
def test_scores_are_sums_of_credits(game: Game, rnd: random.Random) -> None:
    """SPEC R9: "Scores are sums of points by side: those of plays and calls (R10), credited at
    once".
    """
    rules = game.rules
    scores = [0] * rules.sides
    for step in steps(dealt(rules, rnd), rnd):
        scores[rules.side_of[step.seat]] += step.points
        assert list(step.after.scores) == scores
        if rules.exact:
            assert max(scores) <= rules.target


def test_the_example_of_the_text() -> None:
    """SPEC R5: "Example (`all-fives`; the count of R10 after each)"."""
    rules = compile_rules(resolve("all-fives", 2, {}), 2)
    line = parse_line(
        "0:4-1 1:1-1@right 0:4-4@left 1:4-3@left 0:2-1@right 1:5-1@up 0:5-5@up 1:5-0@up 0:3-1@down"
    )
    table, counts = rules.empty, []
    for _, play in line:
        table = _after(table, play)
        counts.append(table.count)
    assert counts == [5, 6, 10, 5, 5, 10, 15, 5, 8]


@pytest.mark.parametrize("spinner", list(SPINNERS))
@pytest.mark.parametrize("first", ["5-5", "5-4"])
def test_the_second_tile_leaves_the_lone_double_at_the_other_side(spinner: str, first: str) -> None:
    """SPEC R5: "the double is still the end at the other side, whose weight becomes 2"."""
    (_, opened), (_, second) = parse_line(f"0:{first} 1:5-0@left")
    line = _after(EMPTY[True, spinner], opened)
    double = first == "5-5"
    assert line.count == (10 if double else 9)
    after = _after(line, second)
    assert after.ends[1].weight == (2 if double else 1)
    assert after.count == (10 if double else 4)


@pytest.mark.parametrize(("n", "reached"), [(6, 70), (9, 160), (12, 270), (15, 430), (18, 600)])
def test_every_count_has_a_score(n: int, reached: int) -> None:
    """However many high tiles stand out on however many arms."""
    row = resolve("all-fives", 2, {"set": n, "spinner": "all", "hand": 7})
    rules = compile_rules(row, 2)
    double = PLAYS[None][tile_id(n, n)]
    line = _after(rules.empty, double)
    left = set(set_tiles(n)) - {double.tile}
    table, most = Table(SPINNERS["all"]), 0
    table.lay(double)
    while plays := [p for tile in left if line.suits >> tile & 1 for p in line.plays(1 << tile)]:
        # Doubles first, for their arms; then whatever counts most.
        best = max(plays, key=lambda p: (DOUBLES >> p.tile & 1, _after(line, p).count))
        line = _after(line, best)
        left.discard(best.tile)
        table.lay(best)
        assert line.count == table.count
        assert rules.scores[line.count] == score_of(line.count, "fives")
        most = max(most, line.count)
    assert most > reached


def _after(line: Line, play: Play) -> Line:
    after = line.after(play.code)
    assert after is not None
    return after


class Faulty(CountedLine):
    """A line that grows wrongly in one respect: `wrong` makes the ends it has of the right ones."""

    def __init__(self, ends: Ends, most: int, lone: bool = False) -> None:
        super().__init__(self.wrong(ends), most, lone)

    def wrong(self, ends: Ends) -> Ends:
        """The ends, spoilt."""
        raise NotImplementedError

    def after(self, code: int) -> CountedLine | None:
        """As it is, spoilt."""
        after = super().after(code)
        return None if after is None else type(self)(after.ends, after.most, after.lone)


class ClosedArms(Faulty):
    """Arms never open."""

    def wrong(self, ends: Ends) -> Ends:
        return tuple(
            CLOSED[place][end.value] if end.weight == 0 else end for place, end in enumerate(ends)
        )


class CountedOnce(Faulty):
    """A double counts once."""

    def wrong(self, ends: Ends) -> Ends:
        return tuple(
            SINGLE[place][end.value] if end.weight == 2 else end for place, end in enumerate(ends)
        )


class Forgetful(Faulty):
    """The lone double is forgotten."""

    def __init__(self, ends: Ends, most: int, lone: bool = False) -> None:
        super().__init__(ends, most)

    def wrong(self, ends: Ends) -> Ends:
        return ends


FAULTS: dict[str, Line] = {
    "arms never open": ClosedArms((), 4),
    "a double counts once": CountedOnce((), 4),
    "the lone double is forgotten": Forgetful((), 4),
    "every double is a spinner": EMPTY[True, "all"],
    "no double is one": EMPTY[True, "none"],
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_line_is_seen(fault: str, seed: random.Random) -> None:
    """The comparison has teeth: it refuses lines that grow wrongly in one respect."""
    honest = compile_rules(resolve("all-fives", 2, {}), 2)

    def compare_many(rules: Rules) -> None:
        for _ in range(60):
            hand = dealt(rules, seed)
            while actions := legal(hand):
                hand = apply(hand, seed.choice(actions))
                compare(hand, "first")
            assert finish(hand) is not None

    compare_many(honest)
    with pytest.raises(AssertionError):
        compare_many(replace(honest, empty=FAULTS[fault]))
