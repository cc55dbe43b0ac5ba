"""A match in process, and what must hold after every step of it whatever was asked."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from fairbones.bots.keys import SeatKey
from fairbones.core.bones import bits, mask_of, parse, set_tiles
from fairbones.core.errors import Illegal
from fairbones.core.match import (
    Act,
    Command,
    Leave,
    MatchState,
    Open,
    Reservation,
    Reveal,
    Round,
    Sit,
    Stage,
    Touch,
    deadline,
    decide,
    open_match,
    replay,
    wake,
)
from fairbones.core.match.times import by_the_house, late
from fairbones.core.protocol.chain import Event, read_event
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.rules import (
    CALL,
    Action,
    Hand,
    action_to_json,
    call,
    finish,
    forced,
    legal,
    resolve,
    to_act,
)

NOW = 1_700_000_000_000
# One number behind everything random in an example, so that shrinking it is quick.
RANDOM = st.builds(random.Random, st.integers(0, 2**32 - 1))
Choose = Callable[[tuple[Action, ...]], Action]
Told = list[tuple[str, dict[str, object]]]


@dataclass
class Table:
    """One match, its events so far, its players' seeds and a clock that the test moves.

    `keys` are those of the seats that have one.
    """

    state: MatchState
    events: list[Event]
    seeds: list[bytes]
    now: int = NOW
    steps: list[tuple[Event, ...]] = field(default_factory=list)
    keys: dict[int, SeatKey] = field(default_factory=dict)

    def do(self, command: Command) -> tuple[Event, ...]:
        """Put a command to the match, and look at what came of it."""
        before = self.state
        events, self.state = decide(before, command)
        check_step(before, command, events, self.state)
        self.events.extend(events)
        if events:
            self.steps.append(events)
        return events

    def sit(self, seat: int, clear: bool = False) -> tuple[Event, ...]:
        """Seat a player, who commits to its seed or shows it."""
        return self.do(self.sitting(seat, clear))

    def sitting(self, seat: int, clear: bool = False) -> Sit:
        """How a player sits down, with its key if it has one."""
        seed, opened_hash = self.seeds[seat], self.state.terms.opened_hash
        key = self.keys.get(seat)
        told = {"client_seed": seed}
        if not clear:
            public = key.public if key else b""
            told = {"commitment": client_commitment(opened_hash, seat, public, seed)}
        sit = Sit(self.now, seat, f"p{seat}", **told)
        if key is None:
            return sit
        signature = key.joins(opened_hash, seat, name=f"p{seat}", **told)
        return replace(sit, public_key=key.public, signature=bytes.fromhex(signature))

    def reveal(self, seat: int) -> tuple[Event, ...]:
        """Reveal the seed of a seat that committed."""
        return self.do(self.revealing(seat))

    def revealing(self, seat: int) -> Reveal:
        """How a player reveals."""
        seed, seated_hash = self.seeds[seat], self.state.seated_hash
        signature = None
        if seat in self.keys:
            told = self.keys[seat].reveals(self.state.terms.opened_hash, seated_hash, seat, seed)
            signature = bytes.fromhex(told)
        return Reveal(self.now, seat, seed, seated_hash, signature)

    def acting(self, seat: int, action: Action) -> Act:
        """How a player sends an action in its listed form."""
        state, signature = self.state, None
        written = action_to_json(action, self.dealt.position)
        if seat in self.keys:
            place = state.terms.opened_hash, state.seq + 1, state.head, seat
            signature = bytes.fromhex(self.keys[seat].moves(*place, written))
        return Act(self.now, seat, action, written, signature)

    def leaving(self, seat: int) -> Leave:
        """How a player leaves."""
        signature = None
        if seat in self.keys:
            told = self.keys[seat].leaves(self.state.terms.opened_hash, seat)
            signature = bytes.fromhex(told)
        return Leave(self.now, seat, signature)

    def seat_all(self) -> Table:
        """Everybody sits and commits."""
        for seat in range(self.state.terms.seats):
            self.sit(seat)
        return self

    def deal(self) -> Table:
        """Everybody sits and reveals: hand 1 is dealt."""
        self.seat_all()
        for seat in range(self.state.terms.seats):
            self.reveal(seat)
        return self

    def act(self, choose: Choose) -> tuple[Event, ...]:
        """The seat to act takes one of its legal actions, or the house its step after the calls."""
        hand = self.hand
        if by_the_house(self.state, self.dealt) is not None:
            return self.expire()
        return self.do(self.acting(to_act(hand), choose(legal(hand))))

    def call(self, seat: int) -> tuple[Event, ...]:
        """A seat takes what was missed."""
        return self.do(self.acting(seat, CALL))

    def callers(self) -> list[int]:
        """The seats that may call with success, if there is time for it."""
        if late(self.state, Act(self.now, 0, CALL), self.now):
            return []
        seats = range(self.state.terms.seats)
        return [k for k in seats if k not in self.state.left and taking(self.hand, k)]

    def touch(self, at: int | None = None) -> tuple[Event, ...]:
        """Look at the clock."""
        return self.do(Touch(self.now if at is None else at))

    def expire(self) -> tuple[Event, ...]:
        """Let the moment come from which a touch changes something, and touch."""
        moment = wake(self.state)
        assert moment is not None
        self.now = max(self.now, moment)
        return self.touch()

    @property
    def due(self) -> int:
        """The deadline that everybody is told."""
        limit = deadline(self.state)
        assert limit is not None
        return limit

    @property
    def turn(self) -> int:
        """The seat to act, which must be there."""
        assert self.state.turn is not None
        return self.state.turn

    @property
    def dealt(self) -> Round:
        """The hand in progress with its wash, which must be there."""
        assert self.state.round is not None
        return self.state.round

    @property
    def hand(self) -> Hand:
        """The hand in progress, which must be there."""
        return self.dealt.hand


def open_table(
    rnd: random.Random,
    ruleset: str = "block",
    seats: int = 2,
    options: Mapping[str, object] | None = None,
    *,
    rounds_max: int = 3,
    join_seconds: int = 60,
    reveal_seconds: int = 40,
    turn_seconds: int = 20,
    auto_forced: bool = True,
    clear_seeds: bool = False,
    reserved: Mapping[int, Reservation] | None = None,
) -> Table:
    """A match that was just opened."""
    event, state = open_match(
        Open(
            now=NOW,
            match=rnd.randbytes(16),
            server_seed=rnd.randbytes(32),
            key_id="00" * 8,
            row=resolve(ruleset, seats, options or {}),
            seats=seats,
            rounds_max=rounds_max,
            join_seconds=join_seconds,
            reveal_seconds=reveal_seconds,
            turn_seconds=turn_seconds,
            auto_forced=auto_forced,
            clear_seeds=clear_seeds,
            reserved=reserved or {},
        )
    )
    return Table(state, [event], [rnd.randbytes(32) for _ in range(seats)])


def taking(hand: Hand, seat: int) -> int:
    """What a call of that seat would take (SPEC R10)."""
    try:
        return call(hand, seat)[1]
    except Illegal:
        return 0


def told(events: tuple[Event, ...]) -> Told:
    """Types and data of some events, without what makes a chain of them."""
    return [(event.type, dict(event.data)) for event in events]


def types(events: tuple[Event, ...] | list[Event]) -> list[str]:
    """The types of some events."""
    return [event.type for event in events]


def check_step(
    before: MatchState, command: Command, events: tuple[Event, ...], after: MatchState
) -> None:
    """What SPEC 6.1 and 8.2 say of every step."""
    if not events:
        assert after is before
        return
    assert {event.at for event in events} == {max(command.now, before.at)}
    prev, seq = before.head, before.seq
    for event in events:
        assert (event.match, event.seq, event.prev) == (before.terms.match, seq + 1, prev)
        assert read_event(event.raw) == event
        prev, seq = event.hash, event.seq
    assert (after.head, after.seq, after.at) == (prev, seq, events[-1].at)
    check_wait(after)
    check_tiles(after)


def check_wait(state: MatchState) -> None:
    """SPEC 8.2: "a head always waits: for seats, for seeds, for the seat to act (R6), or, with
    `muggins`, for the time of 8.8"."""
    if state.stage is Stage.JOINING:
        assert state.free_seats()
    elif state.stage is Stage.REVEALING:
        assert state.unrevealed()
        assert not state.free_seats()
    elif state.stage is Stage.PLAYING:
        assert state.round is not None
        hand = state.round.hand
        assert finish(hand) is None
        assert legal(hand)
        assert not state.fixed_due
        assert state.match_end is None
        assert min(state.idle) < 3
        assert state.scores == hand.scores
        assert (hand.window is None) or state.terms.rules.muggins
        if hand.window is None:
            assert to_act(hand) not in state.left
            assert forced(hand) is None or not state.terms.auto_forced
    else:
        assert state.round is None
        assert deadline(state) is None


def check_tiles(state: MatchState) -> None:
    """SPEC R1: a set "holds every pair `high-low`" once: in hands, boneyard and line together."""
    if state.round is None:
        return
    hand = state.round.hand
    places = [tile for mask in hand.hands for tile in bits(mask)]
    places += [*hand.stock, *(play.tile for _, play, _ in hand.line)]
    assert sorted(places) == list(set_tiles(state.terms.rules.set))


def check_match(table: Table) -> None:
    """What holds of a whole match: one `opened`, dense hands, a fold that gives the same state."""
    stored = [read_event(event.raw) for event in table.events]
    assert replay(stored, table.state.secret) == table.state
    rounds = [event.data["round"] for event in stored if event.type == "dealt"]
    assert rounds == list(range(1, len(rounds) + 1))
    for number in rounds:
        check_hand(stored, number)


def check_hand(events: list[Event], number: object) -> None:
    """SPEC 5.5: each position is opened or drawn once at most, and no tile twice."""
    begin = next(e.seq for e in events if e.type == "dealt" and e.data["round"] == number)
    hand = []
    for event in events[begin + 1 :]:
        if event.type in ("round_ended", "voided"):
            break
        hand.append(event)
    played = [event.data for event in hand if event.type == "played"]
    tiles = [parse(str(data["tile"])) for data in played]
    assert mask_of(tiles).bit_count() == len(tiles)
    assert len({data["seal"] for data in played}) == len(played)
    drawn = [event.data["seal"] for event in hand if event.type == "drew"]
    assert len(set(drawn)) == len(drawn)
