"""The same cheats in the other line games, and those of lead draws and gifts (T13, T14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from fairbones.core.match import MatchState
from fairbones.core.rules import Outcome, lead
from tests.forge.cheats.making import Cheat, dropping, forged, liar, place, reach, setting
from tests.forge.cheats.moves import on_table
from tests.forge.cheats.owing import forced_by_time
from tests.forge.cheats.points import more_for, wrong_count
from tests.forge.house import Setup
from tests.forge.liar import Liar, fitting, held
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

Make = Callable[[Liar], bool | None]
TRANSFER: dict[str, object] = {"transfer": True}
# Every game but the two that the other modules cheat in, each with a short hand.
GAMES: tuple[tuple[str, int, Mapping[str, object]], ...] = (
    ("block-partners", 4, {"hand": 3}),
    ("blocking", 2, {"hand": 3}),
    ("middle-eastern", 4, {}),
    ("latin-american", 4, {"hand": 3}),
    ("all-fives", 2, {"hand": 3}),
    ("fives-and-threes", 3, {"hand": 3}),
    ("draw", 5, {"set": 9, "hand": 3}),
)


def misplayed(house: Liar) -> bool:
    """A seat plays a tile that does not fit, when it holds another that does."""
    if not reach(house, lambda it: on_table(it) and bool(fitting(it.hand, it.turn))):
        return False
    wrong = [
        tile for tile in held(house.hand, house.turn) if tile not in fitting(house.hand, house.turn)
    ]
    if not wrong or house.hand.hands[house.turn].bit_count() < 2:
        return False
    house.lay(wrong[0], "left", owe=False)
    return True


def passed_up(house: Liar) -> bool:
    """A seat passes although it can play."""
    if not reach(house, lambda it: on_table(it) and bool(fitting(it.hand, it.turn))):
        return False
    house.stop()
    house.play()
    return True


def next_seat_leads(house: Liar) -> bool:
    """The seat after the right one leads hand 2."""

    def believe(state: MatchState) -> MatchState:
        rules = state.terms.rules
        assert state.before is not None
        if state.before.winner is None:
            return state  # who leads then may hang on the new hands
        right = lead(rules, ((),) * rules.seats, state.before, state.drawn).seat
        seat = rules.after[right]
        # By any way to lead: the one before it led, and its side won with its tile.
        before = (seat - 1) % rules.seats if rules.after[state.before.leader] == right else seat
        return replace(state, before=Outcome(before, seat, rules.side_of[seat]))

    house.start().warp("round_ended", believe)
    house.play(lambda it: it.state.rounds == 2)
    won = any(e.type == "round_ended" and "winner" in e.data for e in house.events)
    if house.state.rounds < 2 or not won:
        return False
    house.lies.append(place(house, "dealt", 2))
    house.play()
    return True


def other_winner(data: Json) -> None:
    """The next side is named, with the points of the right one; somebody, where nobody won."""
    data["winner"] = (data.get("winner", 0) + 1) % len(data["points"])


def after_all(*bends: tuple[str, Callable[[Json], object]]) -> Make:
    """A whole match in which the first events of some types are bent."""

    def make(house: Liar) -> bool:
        for type_, change in bends:
            house.bend(type_, change)
        house.start().play()
        return bool(house.lies)

    return make


def games() -> Iterator[Scenario]:
    """Points, counts, leads, winners, skipped forced steps and illegal moves in every game."""
    for ruleset, seats, options in GAMES:

        def setup(
            phrase: str,
            rounds: int = 1,
            game: tuple[str, int, Mapping[str, object]] = (ruleset, seats, options),
        ) -> Setup:
            return Setup(*game, rounds, phrase=f"{game[0]} {phrase}")

        yield Cheat(
            f"games-counts-{ruleset}",
            "One pip too many is counted in a seat's hand; the points are right.",
            "points/counts",
            setup("counts"),
            after_all(("round_ended", wrong_count)),
        ).forged("T14")
        yield Cheat(
            f"games-points-{ruleset}",
            "A point too many for side 0 at the end of a hand; the scores follow from it.",
            "points/points",
            setup("points"),
            after_all(("round_ended", more_for(0))),
        ).forged("T14")

        yield Cheat(
            f"games-winner-{ruleset}",
            "Another side is named winner of the hand.",
            "points/winner",
            setup("winner"),
            after_all(("round_ended", other_winner)),
            alone=("points/points",) if ruleset != "fives-and-threes" else (),
            because="The points are those of the right side."
            if ruleset != "fives-and-threes"
            else "",
        ).forged("T14")
        yield Cheat(
            f"games-scores-{ruleset}",
            "Ten more in the scores than were made; the end of the match follows from it.",
            "points/scores",
            setup("scores"),
            after_all(
                (
                    "round_ended",
                    lambda data: data["scores"].__setitem__(1, data["scores"][1] + 10),
                )
            ),
        ).forged("T14")
        yield Cheat(
            f"games-lead-{ruleset}",
            "The seat after the right one leads hand 2.",
            "deal/lead",
            setup("lead", 2),
            next_seat_leads,
        ).forged("T13")
        yield Cheat(
            f"games-forced-step-{ruleset}",
            "A forced step is skipped: the time of the seat is said to have run out.",
            "rules/forced-step",
            setup("forced"),
            forced_by_time,
        ).forged("T13")
        yield Cheat(
            f"games-does-not-fit-{ruleset}",
            "A tile is played that does not fit, in place of one that does; the file ends there.",
            "rules/does-not-fit",
            setup("misfit"),
            misplayed,
        ).forged("T13")
        if ruleset in ("block-partners", "latin-american"):
            yield Cheat(
                f"games-must-play-{ruleset}",
                "A seat passes although it holds a tile that fits.",
                "rules/must-play",
                setup("pass"),
                passed_up,
            ).forged("T13")


def lead_draws() -> Iterator[Scenario]:
    """401, 404, 407, 410, 417 and 202 of the lead draw."""
    options: dict[str, object] = {"hand": 2}
    drawn = Setup("blocking", 2, options, phrase="lead draw")
    house = Liar(drawn, dropping("lead_wash"))
    yield forged(
        "lead-wash-absent",
        "The rules draw for the lead and no wash for it is published.",
        "deal/wash-count",
        house.start().play(),
        "T39",
    )
    house = liar("block", 2, options, opened=setting("lead_wash", "ab" * 32), phrase="no lead draw")
    yield forged(
        "lead-wash-unneeded",
        "A wash for the lead is published though nobody draws.",
        "deal/wash-count",
        house.start().play(),
        "T39",
        alone=("wash/root",),
        because="Nothing washed like that is known.",
    )
    house = Liar(drawn, setting("lead_wash", "cd" * 32))
    yield forged(
        "lead-wash-root",
        "The root of the lead draw's wash is another.",
        "wash/root",
        house.start().play(),
        "T2",
        seq=0,
        alone=("deal/seals", "seed/round-seed"),
        because="What is drawn does not come from it.",
    )

    def other_lead(house: Liar) -> bool:
        house.bend("lead_drawn", lambda data: data.update(lead=1 - data["lead"]))
        house.start().play()
        return True

    yield Cheat(
        "lead-drawn-other", "The seat with the lighter tile leads.", "deal/lead", drawn, other_lead
    ).forged("T13")
    for name, change, code in (
        ("seals", lambda data: data["seals"].reverse(), "deal/seals"),
        ("seed", setting("round_seed", "ef" * 32), "seed/round-seed"),
    ):
        house = Liar(replace(drawn, phrase=f"lead {name}")).bend("lead_drawn", change)
        yield forged(
            f"lead-drawn-{name}",
            f"The {name} of the lead draw are others.",
            code,
            house.start().play(),
            "T2",
        )


PARTS = (games, lead_draws)
