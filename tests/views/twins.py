"""Two worlds in lockstep, and the one thing they may never do: tell a viewer which one it is in."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from fairbones.core.bones import text, tile_bytes
from fairbones.core.match import MatchState, Stage, deadline
from fairbones.core.match.times import calls_until
from fairbones.core.protocol.chain import Event
from fairbones.core.rules import finish, to_act
from tests.api.table import NOON
from tests.views.asking import (
    Asked,
    acting,
    by_anybody,
    by_seat,
    leaving,
    looking,
    opening,
    revealing,
    sitting,
)
from tests.views.test_exchange import BONEYARD, hidden
from tests.views.worlds import Answer, Exchange, Json, Request, World

TRIES = 2  # exchanges of each kind that are tried at one point of a match
MOVES_MAX = 400


class TellsApart(AssertionError):
    """A viewer was answered otherwise although it sees neither of the two tiles."""


@dataclass
class Twins:
    """A match in one world, asked in the same breath in another while there is one.

    `log` are the requests that moved the match, each with its moment and how many events there
    were afterwards; `compared` counts answers, `exchanges` the other worlds there were.
    """

    rnd: random.Random
    body: Json
    signed: Collection[int] = ()
    now: int = NOON
    one: World = field(default_factory=lambda: World(0, None))
    other: World | None = None
    holders: set[int] = field(default_factory=set)
    log: list[tuple[int, Request, int]] = field(default_factory=list)
    compared: int = 0
    exchanges: int = 0

    # ------------------------------------------------------------- asking

    def ask(self, viewer: int | None, request: Request) -> Answer:
        """The answer, after it was compared if the viewer must not tell the worlds apart."""
        self.now += 1
        before = len(self.one.events)
        answer = self.one.told(self.one.ask(request, self.now))
        if len(self.one.events) > before:
            self.log.append((self.now, request, len(self.one.events)))
        if self.other is not None:
            there = self.other.told(self.other.ask(request, self.now))
            if self._parted(before):
                self.other = None
            elif viewer not in self.holders:
                self.compared += 1
                if answer != there:
                    raise TellsApart(f"{viewer}: {request.method} {request.address}", answer, there)
        if self.other is not None:
            self._see(before)
        return answer

    def _parted(self, before: int) -> bool:
        """Whether a hidden tile has come into play, by a step that only its holder may explain."""
        one, other = self.one, self.other
        assert other is not None
        here, there = one.stated(before), other.stated(before)
        same = 0
        while here[same : same + 1] == there[same : same + 1] and same < len(here):
            same += 1
        self._note_holders(self.one.events[before : before + same])
        if here == there and one.state.turn == other.state.turn:
            return False
        apart = before + same
        if not may_part(one.before(apart), other.before(apart), self.holders, self.now):
            raise TellsApart("what was appended", here, there)
        return True

    def _note_holders(self, events: Sequence[Event]) -> None:
        """Whoever is given or draws one of the two sees it."""
        assert self.other is not None
        assert self.other.swap is not None
        for event in events:
            data: Json = dict(event.data)
            if event.type in ("drew", "gave") and data["seal"] in self.other.swap.places:
                self.holders |= {int(data[who]) for who in ("seat", "to") if who in data}

    def _see(self, after: int) -> None:
        """A hand that is over is open to all."""
        if any(e.type in ("round_ended", "voided") for e in self.one.events[after:]):
            self.other = None

    def survey(self, share: float) -> None:
        """Questions of everybody, a part of them; what is granted is a move like any other."""
        asked: list[Asked] = by_anybody(self.one, self.rnd, self.signed)
        for seat in range(self.one.state.terms.seats):
            asked += by_seat(self.other or self.one, seat, self.rnd, self.signed)
        for viewer, request in asked:
            if self.other is None:
                return
            if viewer not in self.holders and self.rnd.random() < share:
                self.ask(viewer, request)

    # ----------------------------------------------------------- exchanges

    def part(self) -> None:
        """Begin another world at this point of the match, if one is found that could be."""
        swaps = [swap for _ in range(6 * TRIES) if (swap := self._swap()) is not None]
        swaps.sort(key=self._leaves_the_choice)
        for swap in dict.fromkeys((*swaps[:TRIES], *swaps[-TRIES:])):
            if self._begin(swap):
                return

    def _leaves_the_choice(self, swap: Exchange) -> bool:
        """Whether the seat on turn can play in both worlds, or in neither: the duller exchanges."""
        dealt = self.one.dealt
        mask, suits = dealt.hand.hands[dealt.hand.turn], dealt.hand.table.suits
        two = sum(1 << dealt.wash.order[place] for place in swap.places)
        swapped = mask ^ two if (mask & two).bit_count() == 1 else mask
        return bool(mask & suits) is bool(swapped & suits)

    def _swap(self) -> Exchange | None:
        """Two positions that hide tiles in two places, or twice in the boneyard."""
        state, rnd = self.one.state, self.rnd
        places = {place: tiles for place, tiles in hidden(state).items() if tiles}
        boneyard = len(places.get(BONEYARD, ())) > 1
        if boneyard and (len(places) < 2 or rnd.random() < 0.2):
            tiles = rnd.sample(places[BONEYARD], 2)
        elif len(places) > 1:
            tiles = [rnd.choice(places[place]) for place in rnd.sample(sorted(places), 2)]
        else:
            return None
        dealt = self.one.dealt
        return Exchange(dealt.number, *(dealt.position[tile] for tile in tiles))

    def _begin(self, swap: Exchange) -> bool:
        """Ask everything again that moved the match: the same must have come of it."""
        other = World(1, swap)
        for now, request, events in self.log:
            other.ask(request, now)
            if len(other.events) != events:
                return False
        if other.stated(0) != self.one.stated(0) or other.state.turn != self.one.state.turn:
            return False
        check_exchange(self.one, other, swap)
        self.other, self.exchanges = other, self.exchanges + 1
        hands = self.one.dealt.cut.hands
        self.holders = {seat for seat, places in enumerate(hands) if {*places} & {*swap.places}}
        self._note_holders(self.one.events)
        return True

    # ------------------------------------------------------------- playing

    def begin(self) -> Twins:
        """Opened, everybody seated and every seed shown: the first hand is dealt."""
        self.ask(None, opening(self.body))
        seats = range(self.one.state.terms.seats)
        for seat in seats:
            self.ask(seat, sitting(seat, self.signed))
        for seat in seats:
            self.ask(None, revealing(seat, self.signed))
        return self

    def play(self, share: float, often: float) -> Twins:
        """A whole match; surveys of that share of the questions, that often."""
        self.begin()
        for _ in range(MOVES_MAX):
            if self.one.state.stage is not Stage.PLAYING:
                break
            if self.other is None and self.rnd.random() < 0.7:
                self.part()
            if self.rnd.random() < often:
                self.survey(share)
            self._step()
        return self

    def _step(self) -> None:
        """The match goes on: a move, a moment later, a deadline, a seat that leaves."""
        state, rnd = self.one.state, self.rnd
        if state.round is None or state.turn is None:
            return
        seat, due, chance = state.turn, deadline(state), rnd.random()
        if state.round.hand.window is not None and chance < 0.6:
            self._wait_for_calls(state)
        elif chance > 0.98 and not state.left and state.terms.seats > 2:
            leaver = rnd.randrange(state.terms.seats)
            self.ask(leaver, leaving(leaver, self.signed))
        elif chance > 0.95 and due is not None:
            self.now = max(self.now, due + rnd.choice((-1, 0)))
            self.ask(None, looking(below=f"/events?after={len(self.one.events) - 1}"))
        else:
            self._move(seat)

    def _wait_for_calls(self, state: MatchState) -> None:
        """Look shortly before the time for calls is over, and when it is."""
        assert state.round is not None
        until = calls_until(state, state.round)
        for moment in (until - 3, until - 1):
            self.now = max(self.now, moment)
            self.ask(None, looking())

    def _move(self, seat: int) -> None:
        """A move that both worlds have, of another tile than the two if there is one."""
        if seat in self.one.state.left:
            self.now += 1_000  # the house plays for it once the time for calls is over
            self.ask(None, looking())
            return
        self.ask(seat, looking(seat))
        moves = self._moves(seat)
        if not moves:  # forced, while others may call
            self.now += 1_000
            self.ask(None, looking())
            return
        action = dict(self.rnd.choice(moves))
        if action["type"] == "play" and self.one.state.terms.rules.muggins:
            claim = {"claim": self.rnd.choice((5, 10, 15))} if self.rnd.random() < 0.4 else {}
            self.ask(seat, acting(seat, action | claim, self.signed))
            if self.one.state.turn != seat:
                return
        self.ask(seat, acting(seat, action, self.signed))

    def _moves(self, seat: int) -> list[Json]:
        """What a seat may do here, and there for as long as that leaves a choice."""
        here = self.one.moves(seat)
        if self.other is None:
            return here
        assert self.other.swap is not None
        there = self.other.moves(seat)
        order = self.one.dealt.wash.order
        two = [text(order[place]) for place in self.other.swap.places]
        shared = [it for it in here if it in there and it.get("tile") not in two]
        if not shared:
            self.other = None
        return shared or here


def may_part(one: MatchState, other: MatchState, holders: Collection[int], now: int) -> bool:
    """Whether two worlds may go apart from here: by the end of a hand, which opens it, or by a
    step of who holds one of the two tiles, once the time for calls is over (SPEC 8.2, 8.8).
    """
    if one.round is None or other.round is None:
        return False
    hands = one.round.hand, other.round.hand
    if any(finish(hand) is not None for hand in hands):
        return True
    if to_act(hands[0]) != to_act(hands[1]):
        return hands[0].turn in holders  # whether it can play, all see by whom is waited for
    if to_act(hands[0]) not in holders:
        return False
    return hands[0].window is None or now >= calls_until(one, one.round)


def check_exchange(one: World, other: World, swap: Exchange) -> None:
    """The two worlds are what they shall be: salts, seeds, cut and all other tiles are equal."""
    here, there = one.dealt, other.dealt
    assert (here.seed, here.cut, here.wash.salts) == (there.seed, there.cut, there.wash.salts)
    pairs = list(zip(here.wash.order, there.wash.order, strict=True))
    assert {place for place, (a, b) in enumerate(pairs) if a != b} == {swap.p, swap.q}
    assert tile_bytes(here.wash.order[swap.p]) == tile_bytes(there.wash.order[swap.q])
    assert one.events[0].hash != other.events[0].hash
