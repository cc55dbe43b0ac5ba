"""The honest house in a box: the service's own core, with a clock, seeds and players of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self, TypeVar

from fairbones.core.match import (
    Act,
    Command,
    ForKey,
    GiveUp,
    Leave,
    LoseHistory,
    MatchState,
    Open,
    Reveal,
    Sit,
    Stage,
    Touch,
    deadline,
    decide,
    open_match,
)
from fairbones.core.match.times import by_the_house, wake
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.rules import (
    CALL,
    Action,
    Hand,
    Play,
    action_to_json,
    legal,
    may_call,
    resolve,
    scored,
    to_act,
)
from tests.forge.dice import Dice
from tests.forge.keys import HOUSE, seat_key
from tests.forge.paper import Json, transcript

Found = TypeVar("Found", bound="House")
PATIENCE, HURRY, ENOUGH = 4000, 40, 8  # phrases tried, tried for a shorter one, and found
NOON = 1_700_000_000_000  # when every match of the box opens


@dataclass(frozen=True, slots=True)
class Setup:
    """What a match is opened with; `clear` are the seats that show their seed at once, `signed`
    those that have a key, `reserved` those of them that are kept for it.
    """

    ruleset: str = "block"
    seats: int = 2
    options: Mapping[str, object] = field(default_factory=dict)
    rounds_max: int = 1
    auto_forced: bool = True
    clear: tuple[int, ...] = ()
    names: bool = False
    reference: str | None = None
    join_seconds: int = 60
    reveal_seconds: int = 60
    turn_seconds: int = 30
    signed: tuple[int, ...] = ()
    reserved: tuple[int, ...] = ()
    phrase: str = "fairbones"


class House:
    """One match from its opening on. `now` is its clock, `dice` its only chance."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.dice = Dice(f"dice {setup.phrase}")
        self.match = self._secret("match")[:16]
        self.seeds = [self._secret(f"seed {seat}") for seat in range(setup.seats)]
        self.keys = {seat: seat_key(f"{seat} {setup.phrase}") for seat in setup.signed}
        self.now = NOON
        self.events: list[Event] = []
        self.state: MatchState
        self._open()

    def _secret(self, what: str) -> bytes:
        return hashlib.sha256(f"{what} {self.setup.phrase}".encode()).digest()

    def command(self) -> Open:
        """How this match is opened."""
        setup = self.setup
        return Open(
            now=self.now,
            match=self.match,
            server_seed=self._secret("house"),
            key_id=HOUSE.id,
            row=resolve(setup.ruleset, setup.seats, setup.options),
            seats=setup.seats,
            rounds_max=setup.rounds_max,
            join_seconds=setup.join_seconds,
            reveal_seconds=setup.reveal_seconds,
            turn_seconds=setup.turn_seconds,
            auto_forced=setup.auto_forced,
            clear_seeds=bool(setup.clear),
            reference=setup.reference,
            reserved={seat: ForKey(self.keys[seat].public) for seat in setup.reserved},
        )

    def _open(self) -> None:
        event, self.state = open_match(self.command())
        self.events.append(event)

    def do(self, command: Command) -> None:
        """One request: its events are appended."""
        events, self.state = decide(self.state, command)
        self.events.extend(events)

    # ------------------------------------------------------------------ before the deal

    def commitment(self, seat: int) -> bytes:
        """What the seat sends before any seed is known (SPEC 5.1)."""
        key = self.keys[seat].public if seat in self.keys else b""
        return client_commitment(self.opened_hash, seat, key, self.seeds[seat])

    @property
    def opened_hash(self) -> bytes:
        """What commitments and signatures are bound to."""
        return self.state.terms.opened_hash

    def sitting(self, seat: int) -> Sit:
        """How the seat sits down."""
        name = f"player-{seat}" if self.setup.names else None
        told = {"commitment": self.commitment(seat)}
        if seat in self.setup.clear:
            told = {"client_seed": self.seeds[seat]}
        sit = Sit(self.now, seat, name, **told)
        if seat not in self.keys:
            return sit
        key = self.keys[seat]
        signature = key.joins(self.opened_hash, seat, name=name or "", **told)
        return replace(sit, public_key=key.public, signature=bytes.fromhex(signature))

    def sit(self, *seats: int) -> None:
        """These seats are taken, half a second apart."""
        for seat in seats:
            self.now += 500
            self.do(self.sitting(seat))

    def reveal(self, *seats: int) -> None:
        """These seats open their commitments."""
        for seat in seats:
            self.now += 300
            told = self.state.seated_hash, self.seeds[seat]
            signature = None
            if seat in self.keys:
                shown = self.keys[seat].reveals(self.opened_hash, told[0], seat, told[1])
                signature = bytes.fromhex(shown)
            self.do(Reveal(self.now, seat, told[1], told[0], signature))

    def seat_all(self) -> Self:
        """Everybody sits down."""
        self.sit(*self.state.free_seats())
        return self

    def start(self) -> Self:
        """Everybody sits down and reveals: hand 1 is dealt."""
        self.seat_all()
        self.reveal(*self.state.unrevealed())
        return self

    # ------------------------------------------------------------------ play

    @property
    def hand(self) -> Hand:
        """The hand in progress."""
        assert self.state.round is not None
        return self.state.round.hand

    @property
    def turn(self) -> int:
        """The seat to act."""
        return to_act(self.hand)

    def legal(self) -> tuple[Action, ...]:
        """What the seat to act may do."""
        return legal(self.hand)

    @property
    def waits_for_calls(self) -> bool:
        """Whether the next move is the house's own, once the time for calls is over (SPEC 8.8)."""
        return self.state.round is not None and bool(by_the_house(self.state, self.state.round))

    def claiming(self, play: Action) -> Action:
        """A play with its claim: mostly all it scores, sometimes less or nothing (SPEC R10)."""
        if not self.hand.rules.muggins or not isinstance(play, Play):
            return play
        due = scored(self.hand, play)
        claim = due if self.dice.chance(50) else self.dice.below(due + 1)
        return Play(play.tile, play.end, claim) if claim else play

    def acting(self, seat: int, action: Action) -> Act:
        """How the seat sends an action: in its listed form, signed if it has a key."""
        assert self.state.round is not None
        written = action_to_json(action, self.state.round.position)
        if seat not in self.keys:
            return Act(self.now, seat, action, written)
        place = self.opened_hash, self.state.seq + 1, self.state.head, seat
        signature = self.keys[seat].moves(*place, written)
        return Act(self.now, seat, action, written, bytes.fromhex(signature))

    def call(self, seat: int) -> None:
        """A seat calls what the last play missed."""
        self.now += 300
        self.do(self.acting(seat, CALL))

    def act(self, action: Action) -> None:
        """The seat to act acts some time later, but not too late."""
        due = deadline(self.state) or self.now + 1
        self.now = min(self.now + 200 + self.dice.below(1800), due - 1)
        self.do(self.acting(self.turn, action))

    def touch(self) -> None:
        """The clock runs to the moment when somebody has to look, and somebody does."""
        self.now = max(self.now, wake(self.state) or 0)
        self.do(Touch(self.now))

    def leave(self, seat: int) -> None:
        """A seat leaves."""
        self.now += 400
        signature = None
        if seat in self.keys:
            signature = bytes.fromhex(self.keys[seat].leaves(self.opened_hash, seat))
        self.do(Leave(self.now, seat, signature))

    def give_up(self) -> None:
        """The house voids the match."""
        self.now += 400
        self.do(GiveUp(self.now))

    def lose(self, shown: Json) -> None:
        """Somebody showed a receipt for a head that is not here."""
        self.now += 400
        self.do(LoseHistory(self.now, shown))

    @property
    def playing(self) -> bool:
        """Whether a hand is in progress."""
        return self.state.stage is Stage.PLAYING and self.state.round is not None

    def play(
        self,
        until: Callable[[House], bool] = lambda _house: False,
        *,
        idle: int = 0,
        choose: Callable[[House], Action] | None = None,
    ) -> Self:
        """Play on, at random or as `choose` says, to the end or until something is so.

        `idle` is how many turns of a hundred run out of time.
        """
        while self.playing and not until(self):
            if self._called():
                continue
            if self.dice.chance(idle) or self.waits_for_calls:
                self.touch()
            else:
                action = choose(self) if choose else self.dice.choice(self.legal())
                self.act(action if choose else self.claiming(action))
        return self

    def _called(self) -> bool:
        """Whether an opponent called, which it does most times there is something to take."""
        window = self.hand.window
        if window is None or not window.missed or not self.dice.chance(60):
            return False
        callers = [seat for seat in range(self.setup.seats) if may_call(self.hand, seat)]
        seat = self.dice.choice([caller for caller in callers if caller not in self.state.left])
        if self.hand.rules.exact:
            return False
        self.call(seat)
        return True

    # ------------------------------------------------------------------ what is left of it

    def told(self) -> list[Json]:
        """The events as dicts of their own."""
        return [json.loads(event.raw) for event in self.events]

    def transcript(self) -> bytes:
        """What the house would serve."""
        return transcript(self.told())


def heaviest(house: House) -> Action:
    """A greedy player: the heaviest tile first."""
    plays = [action for action in house.legal() if isinstance(action, Play)]
    return max(plays, key=lambda play: play.tile) if plays else house.legal()[-1]


def find(setup: Setup, played: Callable[[Setup], Found | None]) -> Found:
    """A short match in which what is looked for happened, of the first by numbered phrases."""
    found: list[Found] = []
    for number in range(PATIENCE):
        phrase = f"{setup.phrase} {number}" if number else setup.phrase
        house = played(replace(setup, phrase=phrase))
        if house is not None:
            found.append(house)
        if len(found) == ENOUGH or (found and number >= HURRY):
            return min(found, key=lambda one: len(one.events))
    raise LookupError(f"no match like that: {setup}")
