"""Seeds, washes, seals and cuts (threats T2 to T6, T9, T37)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.bones import text
from fairbones.core.match import MatchState, Seating
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.wash import round_seed
from tests.forge import crooked
from tests.forge.cheats.making import forged, liar, place, search, setting
from tests.forge.house import House, Setup
from tests.forge.liar import Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

ELSE = "5e" * 32  # any other seed, hash or salt


def server_seeds() -> Iterator[Scenario]:
    """402 and 417."""
    for ruleset, seats in (("block", 2), ("draw", 3)):
        house = liar(ruleset, seats, phrase="other secret").bend(
            "match_ended", setting("server_seed", ELSE)
        )
        yield forged(
            f"seed-server-{ruleset}",
            "Another server seed is revealed than was committed to.",
            "seed/server-seed",
            house.start().play(),
            "T2",
        )
    house = liar("draw", 2, phrase="other secret").start()
    house.bend("voided", setting("server_seed", ELSE))
    house.give_up()
    yield forged(
        "seed-server-void",
        "A void reveals another server seed.",
        "seed/server-seed",
        house,
        "T2",
    )
    for ruleset, seats in (("block", 3), ("draw", 2)):
        house = liar(ruleset, seats, phrase="other round seed").bend(
            "round_ended", setting("round_seed", ELSE)
        )
        yield forged(
            f"seed-round-{ruleset}",
            "The round seed is not the one that the server seed gives.",
            "seed/round-seed",
            house.start().play(),
            "T2",
        )
    house = liar("draw", 2, rounds_max=2, phrase="other round seed").bend(
        "round_ended", setting("round_seed", ELSE)
    )
    yield forged(
        "seed-round-running",
        "The round seed has not the committed root; the match still runs.",
        "seed/round-seed",
        house.start().play(lambda it: it.state.rounds == 2),
        "T2",
    )

    def other_hand(data: Json) -> None:
        secret = house.state.secret
        data["round_seed"] = round_seed(house.match, secret, 2).hex()

    house = liar("block", 2, rounds_max=2, phrase="seed of 2").bend("round_ended", other_hand)
    yield forged(
        "seed-round-next",
        "Hand 1 ends with the round seed of hand 2.",
        "seed/round-seed",
        house.start().play(lambda it: it.state.rounds == 2),
        "T2",
    )


def roots() -> Iterator[Scenario]:
    """404, and what stands behind it."""
    house = liar("block", 2, {"hand": 3, "target": 1}, 3, opened=root_of(2, ELSE), phrase="root")
    yield forged(
        "wash-root-unplayed",
        "The root of a hand that was never dealt is not the one of the server seed.",
        "wash/root",
        house.start().play(),
        "T4",
        seq=0,
    )

    def swapped(data: Json) -> None:
        data["washes"][1:] = data["washes"][:0:-1]

    house = liar("draw", 3, {"hand": 3, "target": 1}, 3, opened=swapped, phrase="root swapped")
    yield forged(
        "wash-roots-swapped",
        "The roots of hands 2 and 3, never dealt, have changed places.",
        "wash/root",
        house.start().play(),
        "T4",
        seq=0,
    )
    for ruleset in ("block", "draw"):
        yield forged(
            f"wash-doubled-{ruleset}",
            "A wash holds a tile twice, in a part of the boneyard that nobody drew.",
            "wash/root",
            doubled_wash(Setup(ruleset, 2, {"hand": 3}, phrase="doubled")),
            "T4",
            seq=0,
            alone=("seed/round-seed",),
            because="The round seed cannot give that wash either.",
        )
    yield forged(
        "wash-doubled-running",
        "A wash holds a tile twice; the hand is proved, the match still runs.",
        "seed/round-seed",
        doubled_wash(Setup("draw", 2, {"hand": 3}, 2, phrase="doubled"), whole=False),
        "T4",
    )


def root_of(index: int, root: str) -> Callable[[Json], None]:
    """Another root in the list."""

    def change(data: Json) -> None:
        data["washes"][index] = root

    return change


def deal_on(house: Liar, order: list[int]) -> None:
    """Start with hand 1 dealt from a stacked wash."""
    seed = round_seed(house.match, house.state.secret, 1)
    washed = crooked.stacked(house.match, seed, 1, order)

    def seals(data: Json) -> None:
        data["seals"] = [one.hex() for one in washed.seals]
        hand = crooked.dealt_from(house.state, washed).hand
        data["lead"] = hand.leader
        if hand.must_set is not None:
            data["must_set"] = text(hand.must_set)

    def believe(state: MatchState) -> MatchState:
        return replace(state, round=crooked.dealt_from(replace(state, before=None), washed))

    house.bend("dealt", seals).warp("dealt", believe).start()


def doubled_wash(setup: Setup, *, whole: bool = True) -> Liar:
    """A match whose wash 1 has a tile twice, where the cut puts it at the boneyard's end.

    The cut depends on the opening and so on the forged root: the two positions are looked for.
    """
    for first in range(28):
        for second in range(28):
            if first == second:
                continue
            house = try_doubled(setup, first, second)
            tail = crooked.positions(house.state, 1)[-4:]
            if {first, second} <= set(tail):
                house.honestly()
                if whole:
                    house.play()
                else:
                    house.play(lambda it: it.state.rounds == 2)
                    house.lies.append(place(house, "round_ended"))
                return house
    raise LookupError("no cut like that")


def try_doubled(setup: Setup, first: int, second: int) -> Liar:
    """Position `second` holds what `first` holds."""
    plain = House(setup)
    order = crooked.honest_order(plain.match, plain.state.secret, 1)
    order[second] = order[first]
    seed = round_seed(plain.match, plain.state.secret, 1)
    root = crooked.stacked(plain.match, seed, 1, order).root.hex()
    house = Liar(setup, root_of(0, root))
    deal_on(house, order)
    return house


def client_seeds() -> Iterator[Scenario]:
    """405 and 406."""
    for ruleset, seats in (("block", 2), ("draw", 3)):
        house = liar(ruleset, seats, phrase="seated hash").bend(
            "seeded", setting("seated_hash", ELSE)
        )
        yield forged(
            f"seed-seated-hash-{ruleset}",
            "A seed names another seating than the one that stands.",
            "seed/seated-hash",
            house.start().play(),
            "T37",
        )
        house = liar(ruleset, seats, phrase="shill").seat_all()
        shown = house.state.seated_hash
        house.reveal(0)
        told = house.told()[place(house, "seeded")]["data"]
        rewound = liar(ruleset, seats, phrase="shill")
        rewound.sit(*range(seats - 1))
        rewound.seeds[seats - 1] = bytes.fromhex("d5" * 32)
        rewound.sit(seats - 1)
        rewound.bend("seeded", setting("seated_hash", shown.hex()))
        rewound.reveal(*range(seats))
        assert told["seated_hash"] == shown.hex()
        yield forged(
            f"seed-shill-{ruleset}",
            "After seat 0 showed its seed the last seat's commitment was rewritten.",
            "seed/seated-hash",
            rewound.play(),
            "T37",
        )
    for ruleset, seats in (("block", 3), ("draw", 2)):
        house = liar(ruleset, seats, phrase="altered seed").seat_all()
        seed = bytes([house.seeds[0][0] ^ 1]) + house.seeds[0][1:]
        believed(house, 0, seed)
        house.mark()
        house.reveal(0)
        house.reveal(*house.state.unrevealed())
        yield forged(
            f"seed-altered-{ruleset}",
            "One bit of a seat's seed is altered, and the cut follows from it.",
            "seed/commitment",
            house.play(),
            "T6",
            "T9",
        )
    house = liar("block", 2, phrase="swapped seeds").seat_all()
    first, second = house.seeds
    believed(house, 0, second)
    believed(house, 1, first)
    house.mark()
    house.reveal(0, 1)
    yield forged(
        "seed-swapped",
        "Two seats' seeds have changed places.",
        "seed/commitment",
        house.play(),
        "T6",
        "T38",
    )
    other = liar("draw", 2, phrase="another match").seat_all()
    house = liar("draw", 2, phrase="replayed")
    house.sit(0)
    house.now += 500
    house.mark()
    replayed = other.commitment(1)
    data = {"seat": 1, "client_seed_commitment": replayed.hex()}
    house.say("seated", data, house.now)
    house.honestly()
    house.believe(
        seatings=(house.state.seatings[0], _seating(replayed)),
        seated_hash=house.state.head,
        seated_at=house.state.at,
    )
    house.believe(stage=type(house.state.stage)("revealing"))
    house.seeds[1] = other.seeds[1]
    house.believe(
        seatings=(
            house.state.seatings[0],
            _seating(client_commitment(house.state.terms.opened_hash, 1, b"", other.seeds[1])),
        )
    )
    house.reveal(0)
    house.mark()
    house.reveal(1)
    yield forged(
        "seed-replayed",
        "A seat's commitment of another match is used again.",
        "seed/commitment",
        house.play(),
        "T8",
    )


def _seating(commitment: bytes) -> Seating:
    return Seating(None, commitment, None)


def believed(house: Liar, seat: int, seed: bytes) -> None:
    """The house lets another seed of that seat pass."""
    house.seeds[seat] = seed
    seating = house.state.seatings[seat]
    assert seating is not None
    commitment = client_commitment(house.state.terms.opened_hash, seat, b"", seed)
    seatings = list(house.state.seatings)
    seatings[seat] = replace(seating, commitment=commitment)
    house.believe(seatings=tuple(seatings))


def deals() -> Iterator[Scenario]:
    """407 to 411 by their wash; the derived values are in `derived`."""

    def never_shown(house: Liar, drop: bool) -> bool:
        def change(data: Json) -> None:
            if drop:
                data["seals"].pop()
            else:
                data["seals"][27] = ELSE

        house.bend("dealt", change).start().play()
        seen = [event.data.get("seal") for event in house.events]
        held_ = crooked.positions(house.state, 1)[: 2 * house.state.terms.rules.hand]
        return 27 not in seen and 27 not in held_

    for ruleset, drop, what in (
        ("block", False, "One seal, never opened, is not the committed one."),
        ("draw", True, "One seal of the wash is missing."),
    ):
        yield forged(
            f"deal-seals-{'missing' if drop else 'altered'}",
            what,
            "deal/seals",
            search(
                Setup(ruleset, 2, {"hand": 3}, phrase="seals"),
                lambda it, drop=drop: never_shown(it, drop),  # type: ignore[misc]
            ),
            "T3",
        )
    house = liar("draw", 3, phrase="added seal").bend(
        "dealt", lambda data: data["seals"].append(ELSE)
    )
    yield forged("deal-seals-added", "There is a seal too many.", "deal/seals", house.start(), "T3")

    def rewashed(house: Liar) -> bool:
        order = list(range(28))[::-1]
        deal_on(house, order)
        house.play(lambda it: len(it.hand.line) == 3)
        return house.playing

    yield forged(
        "deal-washed-again",
        "The tiles are washed anew after the seeds were known; the hand still runs.",
        "deal/seals",
        search(Setup("block", 2, {"hand": 5}, phrase="washed again"), rewashed),
        "T1",
        "T3",
    )
