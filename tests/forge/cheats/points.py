"""Wrong points, winners, scores and ends (threat T14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal

from fairbones.core.match import MatchState
from fairbones.core.rules import MatchEnd
from tests.forge.cheats.counted import believing
from tests.forge.cheats.making import Cheat, forged, liar, search, setting
from tests.forge.house import Setup, heaviest
from tests.forge.liar import Bend, Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

T = "T14"
SHORT_REASONS: tuple[tuple[int, Literal["target", "rounds"]], ...] = ((2, "target"), (3, "rounds"))


def more_for(side: int, extra: int = 1) -> Bend:
    """Points for a side that are believed in everything after."""

    def change(data: Json) -> None:
        data["points"][side] += extra
        data["scores"][side] += extra

    return change


def credited(state: MatchState) -> MatchState:
    """The house counts five points for the seat that played last."""
    if state.round is None or state.round.hand.causer is None:
        return state
    return believing(state.round.hand.causer, 5)(state)


def blocked(house: Liar) -> bool:
    """A hand played until it is blocked."""
    house.start().play(lambda it: it.events[-1].type == "round_ended", choose=heaviest)
    ends = [event.data for event in house.events if event.type == "round_ended"]
    return ends[0]["reason"] == "blocked"


def counting() -> Iterator[Scenario]:
    """600 to 602."""
    house = liar(phrase="points at a play").bend("played", setting("points", 5), 2)
    house.warp("played", credited, 2)
    yield forged("points-play", "A play scores 5 in block.", "points/play", house.start().play(), T)
    for ruleset, seats, reason in (("block", 2, "blocked"), ("draw", 3, "target")):

        def domino(house: Liar, reason: str = reason) -> bool:
            house.bend("round_ended", setting("reason", reason)).start().play()
            ends = [event.data for event in house.events if event.type == "round_ended"]
            return 0 in ends[0]["counts"]  # type: ignore[operator]

        yield forged(
            f"points-reason-{reason}",
            f"A domino is called {reason}.",
            "points/reason",
            search(Setup(ruleset, seats, {"hand": 3}, phrase="reason"), domino),
            T,
        )

    def block(house: Liar) -> bool:
        house.bend("round_ended", setting("reason", "domino"))
        house.start().play()
        ends = [event.data for event in house.events if event.type == "round_ended"]
        return 0 not in ends[0]["counts"]  # type: ignore[operator]

    yield forged(
        "points-reason-domino",
        "A block is called a domino.",
        "points/reason",
        search(Setup("block", 3, {"hand": 3}, phrase="reason"), block),
        T,
    )
    for ruleset, seats in (("block", 4), ("draw", 2)):
        house = liar(ruleset, seats, phrase="counts").bend("round_ended", wrong_count)
        yield forged(
            f"points-counts-{ruleset}",
            "One pip too many is counted in a seat's hand; the points are right.",
            "points/counts",
            house.start().play(),
            T,
        )
    house = liar("draw", 2, rounds_max=2, phrase="counts").bend("round_ended", wrong_count)
    yield forged(
        "points-counts-running",
        "The wrong count stands in a hand that its round seed proves; the match still runs.",
        "points/counts",
        house.start().play(lambda it: it.state.rounds == 2),
        T,
    )
    house = liar("block", 2, {"hand": 7}, phrase="counts idle").bend("round_ended", wrong_count)
    yield forged(
        "points-counts-abandoned",
        "The counts of an abandoned hand are wrong.",
        "points/counts",
        house.start().play(idle=100),
        T,
    )


def wrong_count(data: Json) -> None:
    """One pip more in the fullest hand."""
    counts = data["counts"]
    counts[counts.index(max(counts))] += 1


def hands() -> Iterator[Scenario]:
    """603 to 605."""
    for ruleset, seats in (("block", 3), ("draw", 2)):
        house = liar(ruleset, seats, phrase="winner").bend("round_ended", another_winner)
        yield forged(
            f"points-winner-{ruleset}",
            "Another seat is named winner of the hand, with the points it would have.",
            "points/winner",
            house.start().play(),
            T,
        )
    house = liar("draw", 4, {"hand": 3, "partners": True}, phrase="winner by seat")
    house.bend("round_ended", lambda data: data.update(winner=data["winner"] + 2))
    yield forged(
        "points-winner-seat",
        "With partners the seat is named in place of its side.",
        "points/winner",
        house.start().play(),
        T,
        alone=("points/points",),
        because="The points are those of a side that exists.",
    )
    house = liar("draw", 2, phrase="no winner").bend("round_ended", nobody_won)
    yield forged(
        "points-winner-absent",
        "Somebody won the hand; nobody is named, and nobody scores.",
        "points/winner",
        house.start().play(),
        T,
    )

    def nobody(house: Liar) -> bool:
        house.bend("round_ended", given_away)
        house.start().play()
        counts = house.told()[house.lies[0]]["data"]["counts"]
        return bool(counts[0] == counts[1] > 0)

    yield forged(
        "points-winner-void-tie",
        "A void tie is given to seat 0.",
        "points/winner",
        search(Setup("block", 2, {"hand": 2}, phrase="void tie"), nobody),
        T,
    )
    for ruleset, seats in (("block", 2), ("draw", 4)):
        house = liar(ruleset, seats, rounds_max=2, phrase="points").bend("round_ended", more_for(0))
        yield forged(
            f"points-points-{ruleset}",
            "A point too many for seat 0; scores and match end follow from it.",
            "points/points",
            house.start().play(),
            T,
        )
    house = liar("block", 2, phrase="long points").bend(
        "round_ended", lambda data: data["points"].append(0)
    )
    yield forged(
        "points-points-list",
        "Points for a side that does not exist.",
        "points/points",
        house.start().play(),
        T,
    )

    def halves(house: Liar) -> bool:
        house.bend("round_ended", rounded_up)
        blocked(house)
        data = house.told()[house.lies[0]]["data"]
        return sum(data["points"]) > 0 and "winner" not in data and not house.playing

    yield forged(
        "points-split-rounding",
        "The remainder of a split is rounded up, not dropped.",
        "points/points",
        search(Setup("block", 3, {"hand": 2, "tie": "split"}, phrase="up"), halves),
        T,
    )

    def difference(house: Liar) -> bool:
        blocked(house)
        data = house.told()[house.lies[0]]["data"]
        return bool(data["reason"] == "blocked" and "winner" in data)

    setup = Setup("block", 3, {"hand": 4, "score": "difference"}, phrase="as total")
    yield forged(
        "points-difference-total",
        "The winner's own pips are not taken off although the score is a difference.",
        "points/points",
        search(setup, lambda it: difference(it.bend("round_ended", own_kept))),
        T,
    )
    house = liar("draw", 2, {"hand": 7}, phrase="points idle").bend("round_ended", more_for(1, 9))
    yield forged(
        "points-abandoned",
        "An abandoned hand gives points.",
        "points/points",
        house.start().play(idle=100),
        T,
    )
    house = liar("block", 3, rounds_max=2, phrase="scores").bend(
        "round_ended", lambda data: data["scores"].__setitem__(1, data["scores"][1] + 10)
    )
    yield forged(
        "points-scores",
        "Ten more in the scores than were won; the match end follows from it.",
        "points/scores",
        house.start().play(),
        T,
    )
    house = liar("block", 2, rounds_max=3, phrase="forgotten").bend(
        "round_ended", lambda data: data.update(scores=list(data["points"])), 2
    )
    yield forged(
        "points-scores-forgotten",
        "The scores of hand 2 forget hand 1.",
        "points/scores",
        house.start().play(),
        T,
    )
    house = liar("block", 4, phrase="last scores").bend(
        "match_ended", lambda data: data["scores"].__setitem__(0, data["scores"][0] + 1)
    )
    yield forged(
        "points-scores-match",
        "match_ended states other scores than the last hand.",
        "points/scores",
        house.start().play(),
        T,
    )


def another_winner(data: Json) -> None:
    """The next side wins, with the points it would have."""
    if "winner" in data:
        winner = (data["winner"] + 1) % len(data["points"])
        total = sum(data["counts"]) - data["counts"][winner]
        data["winner"] = winner
        data["scores"] = data["points"] = [
            total if side == winner else 0 for side in range(len(data["counts"]))
        ]


def nobody_won(data: Json) -> None:
    """Nobody wins, and nobody has points."""
    del data["winner"]
    data["scores"] = data["points"] = [0 for _ in data["points"]]


def given_away(data: Json) -> None:
    """A void tie is won by seat 0, with the points that would be."""
    if "winner" not in data:
        data["winner"] = 0
        data["scores"] = data["points"] = [sum(data["counts"][1:]), 0]


def rounded_up(data: Json) -> None:
    """A split in which no pip is lost."""
    if any(data["points"]):
        rest = sum(c for c, p in zip(data["counts"], data["points"], strict=True) if not p)
        share = -(-rest // sum(1 for p in data["points"] if p))
        data["scores"] = data["points"] = [share if p else 0 for p in data["points"]]


def own_kept(data: Json) -> None:
    """The total in place of the difference."""
    if "winner" in data:
        total = sum(data["counts"]) - data["counts"][data["winner"]]
        data["scores"] = data["points"] = [
            total if side == data["winner"] else 0 for side in range(len(data["counts"]))
        ]


def not_yet(state: MatchState) -> MatchState:
    """The house does not see that the match is over."""
    return replace(state, match_end=None)


def played_on(house: Liar) -> bool:
    """The target is reached, and another hand is dealt."""
    house.warp("round_ended", not_yet).start()
    house.play(lambda it: it.state.rounds == 2)
    if house.state.rounds < 2 or max(house.state.scores) < house.state.terms.rules.target:
        return False
    house.lies.append(len(house.events) - 1)
    house.play()
    return True


def cut_short(reason: Literal["target", "rounds"]) -> Callable[[Liar], bool]:
    """The match is ended after its first hand of three."""

    def over(state: MatchState) -> MatchState:
        ahead = state.scores.index(max(state.scores))
        return replace(state, match_end=MatchEnd(reason, ahead))

    def make(house: Liar) -> bool:
        house.warp("round_ended", over).start().play()
        house.lies.append(len(house.events) - 1)
        return max(house.state.scores) > min(house.state.scores)

    return make


def level(house: Liar) -> bool:
    """A match that nobody wins is given to seat 1."""
    house.bend("match_ended", setting("winner", 1)).start().play()
    return len(set(house.state.scores)) == 1


def next_wins(data: Json) -> None:
    """The next seat is the winner of the match."""
    data["winner"] = (data["winner"] + 1) % len(data["scores"])


def matches() -> Iterator[Scenario]:
    """606 to 608."""
    target = {"hand": 4, "target": 20}
    for ruleset in ("block", "draw"):
        yield Cheat(
            f"points-played-on-{ruleset}",
            "The target is reached, another hand is dealt.",
            "points/match-over",
            Setup(ruleset, 2, target, 3, phrase="on"),
            played_on,
        ).forged(T)
    for seats, reason in SHORT_REASONS:
        yield Cheat(
            f"points-cut-short-{reason}",
            f"The match is ended by {reason} after one hand of three, below the target.",
            "points/match-over",
            Setup("draw", seats, {"hand": 3}, 3, phrase="short"),
            cut_short(reason),
        ).forged(T)
    house = liar("block", 2, phrase="match reason").bend("match_ended", setting("reason", "target"))
    yield forged(
        "points-match-reason",
        "The last hand was played, the target is said to be reached.",
        "points/match-reason",
        house.start().play(),
        T,
    )
    house = liar("draw", 3, {"hand": 7}, phrase="match reason idle").bend(
        "match_ended", setting("reason", "rounds")
    )
    yield forged(
        "points-match-reason-abandoned",
        "An abandoned match is called played out.",
        "points/match-reason",
        house.start().play(idle=100),
        T,
    )
    for seats in (2, 4):
        house = liar("draw", seats, phrase="match winner").bend("match_ended", next_wins)
        yield forged(
            f"points-match-winner-{seats}",
            "Another seat is named winner of the match.",
            "points/match-winner",
            house.start().play(),
            T,
        )
    yield Cheat(
        "points-match-winner-draw",
        "Nobody is ahead, seat 1 is named winner.",
        "points/match-winner",
        Setup("block", 2, {"hand": 2}, phrase="level"),
        level,
    ).forged(T)
