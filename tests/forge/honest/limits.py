"""Honest matches at the limits of what is allowed; some go where this house never goes."""

from __future__ import annotations

from collections.abc import Iterator

from fairbones.core.match import GiveUp, Reveal, Sit, deadline
from fairbones.core.rules import Play
from tests.forge.honest.serving import honest, whole
from tests.forge.house import NOON, House, Setup, find
from tests.forge.judging import expectation
from tests.forge.liar import FAST, Liar
from tests.forge.paper import Json, receipt
from tests.forge.scenario import Scenario


def last_moments() -> Iterator[Scenario]:
    """Seats, seeds and plays in their very last millisecond (SPEC 8.3, 8.4: `<=`)."""
    house = Liar(Setup("draw", 2, {"hand": 3}, phrase="last moment"))
    house.sit(0)
    house.now = deadline(house.state) or 0
    house.do(Sit(house.now, 1, None, house.commitment(1)))
    house.reveal(1)
    house.now = deadline(house.state) or 0
    house.do(Reveal(house.now, 0, house.seeds[0], house.state.seated_hash))
    while house.playing:
        action = house.legal()[0]
        assert isinstance(action, Play)
        house.now = (deadline(house.state) or 0) - FAST
        house.lay(action.tile, action.end)
    yield honest(
        "last-moments", "Everything is done in the last millisecond that is allowed.", house
    )

    def longest(data: Json) -> None:
        data["close_by"] = NOON + 604_800_000

    house = Liar(Setup("block", 2, {"hand": 2}, phrase="longest"), longest)
    yield honest("close-by-latest", "close_by is as late as it may be.", house.start().play())


def leaving() -> Iterator[Scenario]:
    """Leavings and abandonments at odd places."""

    def on_turn(setup: Setup) -> House | None:
        house = House(setup).start().play(lambda it: len(it.hand.line) == 2)
        if not house.playing:
            return None
        house.leave(house.turn)
        return house.play()

    setup = Setup("block", 3, {"hand": 4}, phrase="on turn")
    yield honest("leaver-on-turn", "The seat on turn leaves.", find(setup, on_turn))

    def idle_at_the_end(setup: Setup) -> House | None:
        """The last step of a hand makes the last seat idle, and one more deal follows."""
        house = House(setup).start().play(idle=100)
        types = [event.type for event in house.events]
        return house if types[-3:] == ["dealt", "round_ended", "match_ended"] else None

    setup = Setup("draw", 2, {"hand": 3}, 3, phrase="idle at the end")
    yield honest(
        "abandoned-after-deal",
        "Everybody is idle when a hand ends: the next is dealt, and abandoned at once (SPEC 8.5).",
        find(setup, idle_at_the_end),
    )


def odd_places() -> Iterator[Scenario]:
    """Texts and voids that a careless verifier trips over."""
    house = whole(options={"hand": 2}, reference='[[[[[[[[[[[[{{{{"\\"]\\', phrase="brackets")
    yield honest("reference-brackets", "Brackets and quotes in a string are no depth.", house)
    house = whole(options={"hand": 2}, reference="</script><!--", phrase="markup")
    yield honest("reference-markup", "A reference that would end a script of a page.", house)
    liar = Liar(Setup("block", 2, {"hand": 3}, phrase="void in a step")).start()
    liar.time_out()
    liar.do(GiveUp(liar.now))
    yield honest(
        "void-in-step", "The house gives up between a time-out and its step (SPEC 8.1).", liar
    )
    house = House(Setup("draw", 2, {"hand": 3}, phrase="other history")).start()
    house.act(house.legal()[0])
    house.lose(receipt(house.match.hex(), 4, bytes.fromhex("5a" * 32)))
    yield honest(
        "void-history-lost-middle",
        "The receipt shown is for another event at a place in the middle of this chain.",
        house,
    )


def weak_seeds() -> Iterator[Scenario]:
    """Seeds that protect nobody: verified, and noted (SPEC 9.6)."""
    text = b"correct horse battery staple 123"
    for name, about, seeds, note in (
        ("printable", "Seat 0's seed is text.", {0: text}, "seed/printable"),
        (
            "constant",
            "Seat 1's seed is one byte over and over.",
            {1: b"\xff" * 32},
            "seed/printable",
        ),
        (
            "repeated",
            "Two seats have one seed.",
            {0: bytes(range(32)), 1: bytes(range(32))},
            "seed/repeated",
        ),
    ):
        house = House(Setup("block", 2, {"hand": 2}, phrase=f"weak seed {name}"))
        for seat, seed in seeds.items():
            house.seeds[seat] = seed
        house.start().play()
        notes = sorted([*expectation(house.told(), ())["unchecked"], note])
        yield honest(f"seed-{name}", about, house, expect={"unchecked": notes})
