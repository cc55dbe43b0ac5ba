"""One hand by our engine and by another at once, compared before and after every play."""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from fairbones.core.bones import set_tiles
from fairbones.core.rules import (
    Action,
    Hand,
    Lead,
    Play,
    Rules,
    apply,
    deal,
    legal,
    settle,
)

# A play in the words of the other engine, made comparable.
Word = Hashable
# Every hand is led by seat 0 with any tile: the one lead that all of them can be told.
LEAD = Lead(0, None)


@dataclass(frozen=True, slots=True)
class Lot:
    """What is dealt: tile ids by seat, ascending, and the boneyard in the order of drawing."""

    hands: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]


class Ending(NamedTuple):
    """How a hand came out; `seat` went out or placed the last tile, `counts` are left by seat."""

    reason: str
    seat: int
    counts: tuple[int, ...]


class Peer(Protocol):
    """A hand of another engine, already dealt."""

    def listed(self) -> list[Word]:
        """What it may play, in the other engine's own order; here it draws and passes."""

    def turn(self) -> int:
        """The seat whose plays were listed."""

    def named(self, hand: Hand, play: Play) -> Word:
        """What the other engine calls one of our plays."""

    def unlisted(self, hand: Hand) -> frozenset[Word]:
        """The plays that it is known not to list although they are legal."""

    def take(self, index: int) -> None:
        """Make the play that stands there in the list."""

    def scores(self) -> tuple[int, ...]:
        """What plays have scored so far, by side."""

    def ending(self) -> Ending | None:
        """How it came out, once nothing is left to play; None: it goes on."""


@dataclass(slots=True)
class Script:
    """A hand as indexes into what each engine lists: ours at every step, theirs at every play."""

    lot: Lot
    ours: list[int] = field(default_factory=list)
    theirs: list[int] = field(default_factory=list)
    steps: list[tuple[int, Action]] = field(default_factory=list)


class Unlike(AssertionError):
    """The engines differ."""


def lot_of(rnd: random.Random, rules: Rules) -> Lot:
    """A deal for those rules."""
    tiles = list(set_tiles(rules.set))
    rnd.shuffle(tiles)
    size, seats = rules.hand, rules.seats
    hands = tuple(tuple(sorted(tiles[seat * size :][:size])) for seat in range(seats))
    return Lot(hands, tuple(tiles[seats * size :]))


def follow(
    rules: Rules, lot: Lot, peer: Peer, rnd: random.Random, leads: int | None = None
) -> tuple[Script, Hand]:
    """Play at random what both engines list; `Unlike` where one lists or does another thing.

    `leads` is the tile of the first play, None: any. Where all that is legal is what the other
    engine is known not to list, the hand is left there: it has no end.
    """
    script = Script(lot)
    hand = deal(rules, lot.hands, lot.stock, LEAD)
    while actions := legal(hand):
        index = 0
        if isinstance(actions[0], Play):
            words = [peer.named(hand, it) for it in actions if isinstance(it, Play)]
            unlisted = peer.unlisted(hand)
            both = [at for at, word in enumerate(words) if word not in unlisted]
            if not both:
                return script, hand
            theirs = peer.listed()
            _same(script, "who plays", hand.turn, peer.turn())
            _same(script, "legal plays", set(words) - unlisted, set(theirs))
            _same(script, "plays listed once", len(set(theirs)), len(theirs))
            index = rnd.choice(both)
            if leads is not None and not hand.line:
                index = [it.tile for it in actions if isinstance(it, Play)].index(leads)
            script.theirs.append(theirs.index(words[index]))
            peer.take(script.theirs[-1])
        script.ours.append(index)
        script.steps.append((hand.turn, actions[index]))
        hand = apply(hand, actions[index])
        _same(script, "scores", hand.scores, peer.scores())
    _same(script, "how it ended", ending(rules, hand), peer.ending())
    return script, hand


def ending(rules: Rules, hand: Hand) -> Ending | None:
    """How our hand came out."""
    over = hand.over
    if over is None:
        return None
    return Ending(over.reason, over.seat, settle(rules, hand, over).counts)


def _same(script: Script, what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise Unlike(f"{what}: {ours!r}, theirs {theirs!r}; {script.lot}, {script.steps}")
