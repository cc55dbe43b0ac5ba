"""The same house with a thumb on the scale: it says what it is told and believes it afterwards.

Everything that is not the cheat itself is still the service's own core, so a forgery goes on as
consistently as a real house would: with one check switched off it has to verify.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Self

from fairbones.core.bones import LOW, PIPS, SUIT, bits, text
from fairbones.core.match import Command, MatchState, deadline, open_match
from fairbones.core.match.evolve import begin, evolve
from fairbones.core.match.owed import owed
from fairbones.core.match.steps import Draft, move
from fairbones.core.match.table import TABLE
from fairbones.core.protocol.chain import NO_PREV, Event, seal_event
from fairbones.core.rules import Action, Finish, Hand, Line, Play, apply, legal
from fairbones.core.rules.actions import PLAYS
from fairbones.core.rules.ends import BARE, SINGLE, Ends
from fairbones.core.rules.hand import NOTHING
from fairbones.core.rules.lines import CountedLine, plain_line
from tests.forge.house import House, Setup
from tests.forge.paper import Json

Bend = Callable[[Json], object]
Warp = Callable[[MatchState], MatchState]
FAST = 700  # milliseconds a lying seat takes for its move


class Liar(House):
    """`bend` changes what is written, `warp` what the house believes after it was written."""

    def __init__(self, setup: Setup, opened: Bend | None = None) -> None:
        self._opened = opened
        self._bends: dict[str, list[Bend | None]] = {}
        self._warps: dict[str, list[Warp | None]] = {}
        self.lies: list[int] = [0] if opened else []  # where they stand
        super().__init__(setup)

    def _open(self) -> None:
        event, self.state = open_match(self.command())
        if self._opened is not None:
            data = copy.deepcopy(dict(event.data))
            self._opened(data)
            event = seal_event(self.match, 0, NO_PREV, self.now, "opened", data)
            self.state = begin(event, self.state.secret)
        self.events.append(event)

    def bend(self, type_: str, change: Bend, nth: int = 1) -> Self:
        """The `nth` event of that type from now on is written with `change` made to its data."""
        self._bends.setdefault(type_, []).extend([None] * (nth - 1) + [change])
        return self

    def warp(self, type_: str, change: Warp, nth: int = 1) -> Self:
        """After the `nth` event of that type from now on the house believes something else."""
        self._warps.setdefault(type_, []).extend([None] * (nth - 1) + [change])
        return self

    def do(self, command: Command) -> None:
        """One request, with the cheats that wait for its events."""
        at = max(command.now, self.state.at)
        self.follow(TABLE[self.state.stage, type(command)](self.state, command), at)

    def follow(self, draft: Draft | None, at: int | None = None) -> None:
        """Write a draft, and what is owed after it."""
        at = self.state.at if at is None else at
        while draft is not None:
            data: Json = copy.deepcopy(dict(draft.data))
            waiting = self._bends.get(draft.type)
            change = waiting.pop(0) if waiting else None
            if change is not None:
                self.mark()
                change(data)
            event = self._append(draft.type, data, at)
            self.state = evolve(self.state, event)
            believing = self._warps.get(draft.type)
            believe = believing.pop(0) if believing else None
            if believe is not None:
                self.state = believe(self.state)
            draft = owed(self.state)

    def _append(self, type_: str, data: Json, at: int) -> Event:
        event = seal_event(self.match, self.state.seq + 1, self.state.head, at, type_, data)
        self.events.append(event)
        return event

    def say(self, type_: str, data: Json, at: int | None = None, *, go_on: bool = False) -> Event:
        """Write any event; the house believes nothing by it, except that it was written."""
        self.mark()
        event = self._append(type_, data, self.state.at if at is None else at)
        self.state = replace(self.state, seq=event.seq, head=event.hash, at=event.at)
        if go_on:
            self.follow(owed(self.state))
        return event

    def mark(self) -> None:
        """The next event is a lie."""
        self.lies.append(len(self.events))

    def believe(self, **fields: Any) -> None:
        """Change what the house holds true of the match."""
        self.state = replace(self.state, **fields)

    def believe_hand(self, **fields: Any) -> None:
        """Change what the house holds true of the hand in progress."""
        assert self.state.round is not None
        self.believe(round=replace(self.state.round, hand=believed(self.hand, **fields)))

    # ------------------------------------------------------------------ moves against the rules

    def opening(self, tile: int) -> Json:
        """Position, salt and tile of what the house believes of the wash."""
        dealt = self.state.round
        assert dealt is not None
        position = dealt.position[tile]
        return {
            "tile": text(tile),
            "seal": position,
            "salt": dealt.wash.salts[position].hex(),
        }

    def moved(self, type_: str, data: Json, hand: Hand, *, owe: bool, fixed: bool) -> None:
        """Write a move whatever the rules say of it, and go on from `hand`.

        With `fixed` it is the house's step for a seat (SPEC 8.4), else the seat's own or one that
        is forced; that decides its time and the idle count.
        """
        forced = self.state.terms.auto_forced and type_ in ("drew", "passed")
        if not (fixed or forced):
            self.now += FAST
        seat = data["seat"]
        self.say(type_, data, max(self.now, self.state.at))
        count = self.state.idle[seat] + 1 if fixed else self.state.idle[seat] if forced else 0
        idle = (*self.state.idle[:seat], count, *self.state.idle[seat + 1 :])
        assert self.state.round is not None
        self.believe(
            idle=idle,
            waiting_since=self.state.at,
            fixed_due=False,
            round=replace(self.state.round, hand=hand),
        )
        if owe:
            self.follow(owed(self.state))

    def lay(
        self,
        tile: int,
        end: str | None,
        *,
        owe: bool = True,
        fixed: bool = False,
        lies: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        """The seat on turn plays any tile at any end; `lies` are written instead of the truth."""
        hand, seat = self.hand, self.turn
        data: Json = {"seat": seat, **self.opening(tile)}
        if end is not None:
            data["end"] = end
        after = believed(
            hand,
            hands=tuple(mask & ~(1 << tile) for mask in hand.hands),
            stock=tuple(t for t in hand.stock if t != tile),
            table=_laid(hand, tile, end),
            turn=(seat + 1) % hand.rules.seats,
            drawn=False,
            laid=(hand.laid, seat, Play(tile, end), 0),
        )
        self.moved("played", data | dict(lies), after, owe=owe, fixed=fixed)

    def put(self, action: Action, *, owe: bool = True, fixed: bool = False) -> None:
        """The same for a play out of a list of actions."""
        assert isinstance(action, Play)
        assert self.state.round is not None
        if action in legal(self.hand):
            data = dict(move(self.state.round, self.turn, action).data)
            self.moved("played", data, apply(self.hand, action), owe=owe, fixed=fixed)
        else:
            self.lay(action.tile, action.end, owe=owe, fixed=fixed)

    def plays(self) -> list[Play]:
        """The legal plays of the seat on turn."""
        return [action for action in self.legal() if isinstance(action, Play)]

    def take(self, tile: int | None = None, *, owe: bool = True, fixed: bool = False) -> None:
        """The seat on turn draws any tile of the boneyard, by default its front one."""
        hand, seat = self.hand, self.turn
        tile = hand.stock[0] if tile is None else tile
        after = believed(
            hand,
            hands=_given(hand.hands, seat, tile),
            stock=tuple(t for t in hand.stock if t != tile),
            drawn=True,
        )
        data = {"seat": seat, "seal": self.opening(tile)["seal"]}
        self.moved("drew", data, after, owe=owe, fixed=fixed)

    def stop(self, type_: str = "passed", *, owe: bool = True, fixed: bool = False) -> None:
        """The seat on turn passes or declines."""
        hand = self.hand
        after = believed(hand, turn=(hand.turn + 1) % hand.rules.seats, drawn=False)
        self.moved(type_, {"seat": hand.turn}, after, owe=owe, fixed=fixed)

    def time_out(self) -> None:
        """Write `timed_out` at its time, and stop before the step that has to follow."""
        self.now = deadline(self.state) or self.now
        self.say("timed_out", {"seat": self.turn}, self.now)
        self.lies.pop()  # nothing false in that

    def honestly(self) -> None:
        """What was written so far was no lie."""
        self.lies.clear()


def _given(hands: tuple[int, ...], seat: int, tile: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] | 1 << tile, *hands[seat + 1 :])


def believed(hand: Hand, **fields: Any) -> Hand:
    """The hand with other fields, and what follows from them: what fits, whether it is over."""
    opening, since = hand.opening, hand.since
    if "must_set" in fields:
        opening = opening._replace(must_set=fields.pop("must_set"))
    if "drawn" in fields:
        since = NOTHING._replace(drawn=fields.pop("drawn"))
    other = hand.but(opening=opening, since=since, **fields)
    fits = other.hands[other.turn] & other.table.suits
    if other.laid is None:
        free = other.must_set is None
        return other.but(fits=fits if free else 1 << (other.must_set or 0), over=None)
    causer = other.laid[1]
    over = None if other.hands[causer] else Finish("domino", causer)
    stuck = not any(mask & other.table.suits for mask in other.hands)
    if over is None and stuck and not other.drawable:
        over = Finish("blocked", causer)
    return other.but(fits=0 if over else fits, over=over)


def _laid(hand: Hand, tile: int, end: str | None) -> Line:
    """The line after any tile at any end, though it may not fit, or the end be closed."""
    table = hand.table
    if not table.ends:
        return _found(table.after(PLAYS[None][tile].code))
    place = next((i for i, one in enumerate(table.ends) if one.name == end), 1)
    ends, played = list(table.ends), PLAYS[table.ends[place].name][tile]
    if not ends[place].open:
        ends[place] = BARE[place][ends[place].value]
        table = _line(table, tuple(ends))
    after = table.after(played.code)
    if after is not None:
        return after
    ends[place] = SINGLE[place][_other(tile, ends[place].value)]
    return _line(table, tuple(ends))


def _line(like: Line, ends: Ends) -> Line:
    """A line of the same game with those ends."""
    return CountedLine(ends, like.most) if isinstance(like, CountedLine) else plain_line(ends)


def _found(line: Line | None) -> Line:
    assert line is not None
    return line


def _other(tile: int, value: int) -> int:
    return PIPS[tile] - value if SUIT[value] >> tile & 1 else LOW[tile]


def held(hand: Hand, seat: int) -> list[int]:
    """The tiles a seat holds."""
    return list(bits(hand.hands[seat]))


def fitting(hand: Hand, seat: int) -> list[int]:
    """The tiles of a seat that fit an open end."""
    return [t for t in held(hand, seat) if any(SUIT[end.value] >> t & 1 for end in hand.ends)]
