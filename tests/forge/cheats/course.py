"""The course of a match: chain, order, seats, clocks (threats T12, T16, T38)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fairbones.core.match import Seating
from tests.forge import lots
from tests.forge.cheats.making import edited, forged, liar, place, search
from tests.forge.cheats.moves import on_table
from tests.forge.house import House, Setup
from tests.forge.liar import Liar
from tests.forge.paper import Json, event_hash, relink
from tests.forge.scenario import Scenario


def chains() -> Iterator[Scenario]:
    """100 to 103, each with everything after it chained and signed anew."""
    for ruleset, seats in (("block", 2), ("draw", 3)):
        house = liar(ruleset, seats, {"hand": 5}, phrase="chain").start().play()
        seq = place(house, "played", 2)
        yield forged(
            f"chain-match-{ruleset}",
            "One event is of another match.",
            "chain/match",
            edited(house, seq, lambda event: event.update(match="ab" * 16)),
            "T12",
            seq=seq,
        )
        yield forged(
            f"chain-prev-{ruleset}",
            "One event follows another history: its prev is no hash of this chain.",
            "chain/prev",
            wrong_prev(house, seq),
            "T12",
            seq=seq,
        )
        events = edited(house, seq, lambda event: None)
        events[seq]["seq"] += 1
        yield forged(
            f"chain-seq-{ruleset}",
            "One event is numbered one too high; the next are right again.",
            "chain/seq",
            relink_after(events, seq),
            "T12",
            seq=seq,
        )
    house = liar("block", 3, phrase="first prev").start()
    events = house.told()
    events[0]["prev"] = "01" * 32
    yield forged(
        "chain-prev-first",
        "The first event has a prev.",
        "chain/prev",
        relink_after(events[:1], 0),
        "T12",
        seq=0,
    )
    house = liar("draw", 2, {"hand": 5}, phrase="back").start().play()
    seq = place(house, "played", 2)

    def earlier(event: Json) -> None:
        event["at"] = house.events[seq - 1].at - 1

    events = edited(house, seq, earlier)
    yield forged(
        "chain-time-back",
        "The clock goes back by a millisecond.",
        "chain/time",
        same_step(events, seq, house.events[seq].at),
        "T12",
        seq=seq,
    )
    house = liar("block", 2, {"hand": 5}, phrase="moved").start().play()
    events = house.told()
    seq = place(house, "played", 2)
    del events[seq]
    yield forged(
        "chain-event-dropped",
        "An event is left out and nothing is made good.",
        "chain/seq",
        events,
        "T12",
        "T16",
        seq=seq,
        alone=None,
        because="Every later event is misplaced, and the seat's next move out of turn.",
    )
    events = house.told()
    events[seq], events[seq + 1] = events[seq + 1], events[seq]
    yield forged(
        "chain-events-swapped",
        "Two events change places and nothing is made good.",
        "chain/seq",
        events,
        "T12",
        seq=seq,
        alone=None,
        because="The chain is broken at both, and the moves are out of turn.",
    )


def relink_after(events: list[Json], seq: int) -> list[Json]:
    """The hashes after an event made good; the event itself stays as it is."""
    for later in range(seq + 1, len(events)):
        events[later]["prev"] = event_hash(events[later - 1]).hex()
    return events


def wrong_prev(house: House, seq: int) -> list[Json]:
    """An event whose `prev` is the hash of another history."""
    events = house.told()
    events[seq]["prev"] = event_hash({**events[seq - 1], "at": 7}).hex()
    return relink_after(events, seq)


def same_step(events: list[Json], seq: int, at: int) -> list[Json]:
    """Events of the step of `seq` keep its time."""
    for later in range(seq + 1, len(events)):
        if events[later]["at"] == at:
            events[later]["at"] = events[seq]["at"]
    return relink(events)


def orders() -> Iterator[Scenario]:
    """200 to 203."""
    house = liar("block", 2, phrase="no front").start().play()
    yield forged(
        "order-first",
        "The opening is cut off and the rest numbered anew.",
        "order/first",
        relink(house.told()[1:]),
        "T16",
        seq=0,
        alone=None,
        because="Without an opening there is nothing to judge by.",
    )
    for ruleset, type_ in (("block", "left"), ("draw", "voided")):
        house = liar(ruleset, 2, phrase="after end").start().play()
        data: Json = {"seat": 0}
        if type_ == "voided":
            data = {"reason": "house", "server_seed": house.state.secret.hex()}
        house.say(type_, data)
        yield forged(
            f"order-after-end-{type_}",
            f"After its end the match goes on with {type_}.",
            "order/after-end",
            house,
            "T16",
            "T38",
        )
    house = liar("block", 3, phrase="after void")
    house.sit(0)
    house.give_up()
    data = {"seat": 1, "client_seed_commitment": house.commitment(1).hex()}
    house.say("seated", data)
    yield forged(
        "order-after-end-void",
        "Somebody sits down at a match that is void.",
        "order/after-end",
        house,
        "T38",
    )
    house = liar("draw", 2, phrase="opened again").seat_all()
    house.say("opened", house.told()[0]["data"])
    house.reveal(0, 1)
    yield forged(
        "order-opened-again",
        "The match is opened a second time, with the same data.",
        "order/unexpected",
        house,
        "T38",
    )
    house = liar("block", 3, phrase="early seed")
    house.sit(0, 1)
    early_reveal(house, 0)
    house.sit(2)
    yield forged(
        "order-seed-early",
        "A seed is taken before every seat is.",
        "order/unexpected",
        house,
        "T7",
        "T38",
    )
    house = liar("block", 2, phrase="early play").seat_all()
    twin = House(house.setup).start()
    must = twin.told()[-1]["data"]
    opening = next(event for event in twin.play().told() if event["type"] == "played")
    house.say("played", {**opening["data"], "seat": must["lead"]})
    house.reveal(0, 1)
    yield forged(
        "order-play-early",
        "A tile is played before the seeds are shown and the hand is dealt.",
        "order/unexpected",
        house,
        "T38",
    )
    house = liar("draw", 3, phrase="drawn").seat_all()
    table = lots.Table(lots.Lots(n=3, seats=3)).sit().reveal().draw()
    house.say("drawn", table.told()[-1]["data"] | {"server_seed": house.state.secret.hex()})
    yield forged(
        "order-drawn-in-game",
        "A draw's result stands in a game.",
        "order/unexpected",
        house,
        "T38",
    )

    def no_round_end(house: Liar) -> bool:
        house.start().play(on_table)
        if not house.playing:
            return False
        house.say(
            "match_ended",
            {"reason": "rounds", "scores": [0, 0], "server_seed": house.state.secret.hex()},
        )
        return True

    yield forged(
        "order-match-end-early",
        "The match ends in the middle of a hand that is not ended.",
        "order/unexpected",
        search(Setup("block", 2, {"hand": 3}, phrase="no round end"), no_round_end),
        "T16",
        "T38",
    )

    def dealt_again(house: Liar) -> bool:
        house.start()
        house.say("dealt", house.told()[-1]["data"])
        house.play()
        return True

    yield forged(
        "order-dealt-in-hand",
        "The hand is dealt a second time before it is played.",
        "order/unexpected",
        search(Setup("draw", 2, {"hand": 3}, 3, phrase="dealt again"), dealt_again),
        "T11",
        alone=("order/round",),
        because="It has the number of the hand that runs.",
    )


def early_reveal(house: Liar, seat: int) -> None:
    """A seed is written before its time."""
    house.now += 300
    house.say(
        "seeded",
        {
            "seat": seat,
            "client_seed": house.seeds[seat].hex(),
            "seated_hash": house.state.seated_hash.hex(),
        },
        house.now,
    )


def seats() -> Iterator[Scenario]:
    """203."""
    house = liar("draw", 3, phrase="seat nine")
    house.sit(0)
    house.now += 500
    house.say("seated", {"seat": 9, "client_seed_commitment": "5e" * 32}, house.now)
    house.sit(1, 2)
    yield forged(
        "order-seat-unknown", "Somebody sits down beside the table.", "order/seat", house, "T38"
    )
    for ruleset in ("block", "draw"):
        house = liar(ruleset, 2, phrase="seated twice")
        house.sit(0)
        seeds = list(house.seeds)
        house.seeds[0] = bytes.fromhex("77" * 32)
        house.believe(seatings=(None, None))
        house.mark()
        house.sit(0)
        assert seeds[0] != house.seeds[0]
        house.sit(1)
        house.reveal(0, 1)
        yield forged(
            f"order-seated-twice-{ruleset}",
            "Seat 0 is given to a second player, whose seed counts.",
            "order/seat",
            house.play(),
            "T38",
        )

    def reseed(house: Liar) -> bool:
        house.seat_all()
        house.reveal(0)
        first, *others = house.state.seatings
        house.believe(seatings=(_unrevealed(first), *others))
        house.mark()
        house.reveal(0)
        house.reveal(*house.state.unrevealed())
        house.play()
        return True

    yield forged(
        "order-seeded-twice",
        "Seat 0 reveals twice.",
        "order/seat",
        search(Setup("block", 3, {"hand": 3}, phrase="seeded twice"), reseed),
        "T38",
    )
    house = liar("block", 2, phrase="clear seeded", clear=(0,)).seat_all()
    early_reveal(house, 0)
    house.reveal(1)
    yield forged(
        "order-seeded-clear",
        "A seat that showed its seed at once reveals it again.",
        "order/seat",
        house.play(),
        "T38",
        alone=("seed/commitment",),
        because="That seat has no commitment to open.",
    )

    def left_twice(house: Liar) -> bool:
        house.start().play(lambda it: len(it.hand.line) == 2)
        if not house.playing:
            return False
        seat = (house.turn + 1) % 3
        house.leave(seat)
        house.believe(left=house.state.left - {seat})
        house.mark()
        house.leave(seat)
        house.play()
        return True

    yield forged(
        "order-left-twice",
        "A seat leaves twice.",
        "order/seat",
        search(Setup("draw", 3, {"hand": 4}, phrase="left twice"), left_twice),
        "T38",
    )


def _unrevealed(seating: Seating | None) -> Seating:
    assert seating is not None
    return replace(seating, seed=None)
