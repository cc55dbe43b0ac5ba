"""Lies in the chain: what stands in an event that the house has chained and signed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fairbones.core.bones import text
from fairbones.core.match.commands import Act, Open, Reveal
from fairbones.core.match.dealing import wash_hand
from fairbones.core.match.state import MatchState, Stage
from fairbones.core.match.steps import move
from fairbones.core.match.times import deadline
from fairbones.core.protocol.cut import cut_key
from fairbones.core.protocol.wash import seal, wash_root
from fairbones.core.rules import compile_rules, legal
from tests.client.houses import Json
from tests.forge.liar import believed
from tests.lying_house.house import LyingHouse, Told

Bend = Callable[[LyingHouse, Told], object]
SPENT = "told"


def flip(digits: str) -> str:
    """Another hex text of the same length."""
    return f"{int(digits[0], 16) ^ 1:x}{digits[1:]}"


def once(kind: str, change: Callable[[LyingHouse, Told], object], **where: object) -> Bend:
    """Bend the first event of this kind whose data has these members. False: not this one."""

    def bend(house: LyingHouse, told: Told) -> None:
        fits = told.type == kind and all(told.data.get(k) == v for k, v in where.items())
        if fits and SPENT not in house.memory and change(house, told) is not False:
            house.memory[SPENT] = True

    return bend


def put(**members: object) -> Callable[[LyingHouse, Told], object]:
    """Other members."""
    return lambda _house, told: told.data.update(members)


def flipped(member: str) -> Callable[[LyingHouse, Told], object]:
    return lambda _house, told: told.data.update({member: flip(told.data[member])})


def say(told: Told, kind: str, data: Json, at: int | None = None) -> None:
    """Write another event than the one that was due, and believe it."""
    told.type, told.data, told.meant = kind, data, True
    told.at = told.at if at is None else at


# Before the deal


def one_tile_twice(position: int) -> Bend:
    """Another tile is sealed at a position than the house says it is."""

    def bend(house: LyingHouse, told: Told) -> None:
        if told.type == "opened":
            assert isinstance(told.command, Open)
            rules = compile_rules(told.command.row, told.command.seats)
            wash = wash_hand(told.command.match, told.command.server_seed, 1, rules)
            pairs = [(high, low) for high in range(7) for low in range(high + 1)]
            high, low = pairs[wash.order[(position + 1) % 28]]
            seals = list(wash.seals)
            match = told.command.match
            seals[position] = seal(match, 1, position, wash.salts[position], bytes((low, high)))
            house.memory["seals"] = [one.hex() for one in seals]
            told.data["washes"][0] = wash_root(match, 1, seals).hex()
        if told.type == "dealt" and told.data["round"] == 1:
            told.data["seals"] = house.memory["seals"]

    return bend


def cut_otherwise(_house: LyingHouse, told: Told) -> object:
    """The seeds are put together the wrong way round."""
    seatings = [one for one in told.state.seatings if one is not None]
    if sum(one.seed is not None for one in seatings) + 1 < told.state.terms.seats:
        return False

    def believe(state: MatchState) -> MatchState:
        seeds = [one.seed or b"" for one in state.seatings if one is not None]
        return replace(state, cut_key=cut_key(state.terms.opened_hash, seeds[::-1]))

    told.believe = believe
    return None


def void_of_seeds(leap: bool) -> Callable[[LyingHouse, Told], object]:
    """The seed of seat 0 came in time, and the house calls the match off because of it."""

    def change(_house: LyingHouse, told: Told) -> None:
        assert isinstance(told.command, Reveal)
        missing = list(told.state.unrevealed())
        data = {"reason": "seeds-missing", "missing": missing}
        data["server_seed"] = told.state.secret.hex()
        say(told, "voided", data, deadline(told.state) if leap else None)

    return change


def clear_seed(_house: LyingHouse, told: Told) -> None:
    told.data["client_seed"] = told.data.pop("client_seed_commitment")


def seated_again(house: LyingHouse, told: Told) -> object:
    if told.state.stage is not Stage.REVEALING:
        return False
    data = {"seat": 1, "client_seed_commitment": "ab" * 32}
    told.type, told.data = "seated", data
    return None


# In a hand


def waits_for(told: Told, seat: int) -> bool:
    """Whether the step is over and this seat is to act."""
    return told.state.round is not None and told.state.turn == seat


def invented(house: LyingHouse, told: Told) -> object:
    """The house plays a legal tile for seat 0, which never said so."""
    if not waits_for(told, 0) or told.state.round is None:
        return False
    draft = move(told.state.round, 0, legal(told.state.round.hand)[0])
    say(told, draft.type, dict(draft.data))
    return None


def another(_house: LyingHouse, told: Told) -> object:
    """A tile that the seat may play, but not the one that it played."""
    if told.state.round is None or not isinstance(told.command, Act):
        return False
    return exchanged(told)


def exchanged(told: Told) -> object:
    assert told.state.round is not None
    for action in reversed(legal(told.state.round.hand)):
        draft = move(told.state.round, int(told.data["seat"]), action)
        if draft.type == "played" and draft.data["tile"] != told.data["tile"]:
            signed = {k: v for k, v in told.data.items() if k == "signature"}
            say(told, "played", {**draft.data, **signed})
            return None
    return False


def not_the_heaviest(_house: LyingHouse, told: Told) -> object:
    """After a time-out the house plays what it likes."""
    return exchanged(told) if told.state.fixed_due else False


def passes(_house: LyingHouse, told: Told) -> object:
    """Seat 0 can play, and the house lets it pass."""
    if not waits_for(told, 0) or told.state.round is None or not told.state.round.hand.laid:
        return False
    say(told, "passed", {"seat": 0})
    dealt = told.state.round
    hand = believed(dealt.hand, turn=1, drawn=False)
    told.instead = lambda state: replace(
        state, waiting_since=told.at, round=replace(dealt, hand=hand)
    )
    return None


def from_the_end(_house: LyingHouse, told: Told) -> object:
    """The last tile of the boneyard instead of its front."""
    assert told.state.round is not None
    stock = told.state.round.hand.stock
    if len(stock) < 2:
        return False
    told.data["seal"] = told.state.round.position[stock[-1]]
    return None


def out_of_the_boneyard(_house: LyingHouse, told: Told) -> object:
    """A tile that lies in the boneyard is played; it opens its seal and fits."""
    if told.state.round is None or not isinstance(told.command, Act):
        return False
    dealt, fits = told.state.round, told.state.round.hand.table.suits
    for tile in dealt.hand.stock:
        if fits >> tile & 1 and told.data.get("end") is not None:
            place = dealt.position[tile]
            salt = dealt.wash.salts[place].hex()
            told.data.update(tile=text(tile), seal=place, salt=salt)
            return None
    return False


def other_tile(_house: LyingHouse, told: Told) -> None:
    told.data["tile"] = "6-5" if told.data["tile"] != "6-5" else "6-4"


def timed_out(leap: bool) -> Callable[[LyingHouse, Told], object]:
    """Seat 0 has acted, and the house says that its time was up."""

    def change(_house: LyingHouse, told: Told) -> object:
        if told.state.round is None or not isinstance(told.command, Act):
            return False
        say(told, "timed_out", {"seat": 0}, deadline(told.state) if leap else None)
        return None

    return change


def at_the_deadline(_house: LyingHouse, told: Told) -> object:
    """A move came a millisecond before the end of its time: who can say that it did not?"""
    due = deadline(told.state)
    if told.state.round is None or due is None or told.command.now + 1 < due:
        return False
    say(told, "timed_out", {"seat": 0}, due)
    return None


def no_such_end(_house: LyingHouse, told: Told) -> object:
    if "end" not in told.data:
        return False
    told.data["end"] = "up"
    return None


def leaves(_house: LyingHouse, told: Told) -> object:
    if not waits_for(told, 1):
        return False
    say(told, "left", {"seat": 0})
    return None


def late(_house: LyingHouse, told: Told) -> object:
    if not isinstance(told.command, Act):
        return False
    told.at = (deadline(told.state) or 0) + 1
    return None


def abandoned(_house: LyingHouse, told: Told) -> object:
    if not waits_for(told, 1) or told.state.round is None or not told.state.round.hand.laid:
        return False
    data = {"round": told.state.rounds, "reason": "abandoned", "counts": [0, 0], "points": [0, 0]}
    data.update(scores=[0, 0], round_seed=told.state.round.seed.hex())
    told.type, told.data = "round_ended", data
    return None


def seed_lost(_house: LyingHouse, told: Told) -> object:
    if not waits_for(told, 1):
        return False
    told.type, told.data = "voided", {"reason": "seed-lost"}
    return None


def history_lost(invented: bool) -> Callable[[LyingHouse, Told], object]:
    """A void with a receipt: of the last head, or of one beyond it with a signature of nobody's."""

    def change(house: LyingHouse, told: Told) -> object:
        if not waits_for(told, 1):
            return False
        state, more = told.state, 4 * invented
        match = state.terms.match.hex()
        receipt = house.receipt(match, state.seq + more, b"\7" * 32 if invented else state.head)
        if invented:
            receipt["signature"] = flip(receipt["signature"])
        data = {"reason": "history-lost", "receipt": receipt, "server_seed": state.secret.hex()}
        told.type, told.data = "voided", data
        return None

    return change


def added(member: str, place: int, more: int) -> Callable[[LyingHouse, Told], object]:
    def change(_house: LyingHouse, told: Told) -> None:
        told.data[member][place] += more

    return change


def other_lead(_house: LyingHouse, told: Told) -> None:
    told.data["lead"] = 1 - told.data["lead"]


def later(_house: LyingHouse, told: Told) -> None:
    told.at += 1000


def over_already(_house: LyingHouse, told: Told) -> None:
    data = {"reason": "target", "scores": list(told.state.scores), "winner": 1}
    data["server_seed"] = told.state.secret.hex()
    told.type, told.data = "match_ended", data
