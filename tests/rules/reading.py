"""A naive reading of SPEC R5 to R7 and R10, to hold the engine against.

It shares no code with the engine: it takes tiles apart by their text, works on lists, and looks at
the table as a person does.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from fairbones.core.bones import bits, text
from fairbones.core.rules import Action, Decline, Draw, Give, Hand, Pass, Play

# Why the rules refuse an action.
CODES = {
    "rules/claim",
    "rules/closed-end",
    "rules/does-not-fit",
    "rules/end-needed",
    "rules/end-not-allowed",
    "rules/given-tile",
    "rules/hand-over",
    "rules/may-not-call",
    "rules/may-not-decline",
    "rules/may-not-draw",
    "rules/may-not-give",
    "rules/must-draw",
    "rules/must-give",
    "rules/must-play",
    "rules/must-set",
    "rules/not-in-hand",
    "rules/not-your-turn",
    "rules/nothing-missed",
    "rules/unknown-end",
}


def halves(tile: int) -> list[int]:
    """The halves of a tile, read from its text."""
    return [int(half) for half in text(tile).split("-")]


def places(hand: Hand, tile: int) -> list[str]:
    """The open ends one half of the tile equals, in order."""
    return [end.name for end in hand.ends if end.open and end.value in halves(tile)]


def is_over(hand: Hand) -> bool:
    """R7: somebody is out, or nobody holds a tile that fits and nobody may draw."""
    rules = hand.rules
    held = [list(bits(mask)) for mask in hand.hands]
    if not hand.line:
        return False
    best = rules.best(hand.scores)
    if rules.at_once and max(hand.scores) >= rules.target and hand.scores.count(best) == 1:
        return True
    for side in range(rules.sides):
        of_side = [held[seat] for seat in range(rules.seats) if rules.side_of[seat] == side]
        if [] in of_side and (not rules.side_out or of_side == [[]] * len(of_side)):
            return True
    off = [tile for tiles in held for tile in tiles]
    if rules.early_block and not any(places(hand, tile) for tile in [*off, *hand.stock]):
        return True
    if any(places(hand, tile) for tile in off):
        return False
    return not rules.draws or len(hand.stock) <= rules.protected


def naive(hand: Hand) -> list[tuple[Action, Action]]:
    """What the seat to act may send and the listed form of each, in the listed order."""
    if is_over(hand):
        return []
    rules = hand.rules
    tiles = list(bits(hand.hands[hand.turn]))
    if not hand.line:
        free = hand.must_set is None
        first = [Play(t, None) for t in tiles if free or t == hand.must_set]
        return [(play, play) for play in first]
    if hand.given is not None:
        tiles = [hand.given]
    value = {end.name: end.value for end in hand.ends}
    found: list[tuple[Action, Action]] = []
    for tile in tiles:
        for name in places(hand, tile):
            same = next(end for end in places(hand, tile) if value[end] == value[name])
            found.append((Play(tile, name), Play(tile, name if rules.counts else same)))
    giver = rules.giver[hand.turn] if rules.giver else 0
    gifts = list(bits(hand.hands[giver]))
    if found:
        if hand.drawn and rules.may_decline:
            found.append((Decline(), Decline()))
    elif rules.draws and len(hand.stock) > rules.protected:
        found.append((Draw(), Draw()))
    elif rules.giver and hand.given is None and not (rules.last_exempt and len(gifts) == 1):
        found += [(Give(tile), Give(tile)) for tile in gifts]
    else:
        found.append((Pass(), Pass()))
    return found


def acting(hand: Hand) -> int:
    """The seat to act, by what it may do."""
    actions = naive(hand)
    if actions and isinstance(actions[0][0], Give):
        return hand.rules.giver[hand.turn]
    return hand.turn


@dataclass(slots=True)
class Side:
    """One side of a tile on the table: the end it would be, and whether a tile lies against it."""

    end: str
    value: int
    covered: bool = False


@dataclass(slots=True)
class Placed:
    """A tile on the table: the sides its line goes through, and the arms of a spinner."""

    double: bool
    through: list[Side]
    arms: list[Side]

    @property
    def open(self) -> list[Side]:
        """Its sides that can be played at (SPEC R5)."""
        across = [side for side in self.through if not side.covered]
        return across or [side for side in self.arms if not side.covered]

    @property
    def counts(self) -> int:
        """What it adds to the count of a line of several tiles (SPEC R5, R10)."""
        across = [side.value for side in self.through if not side.covered]
        return sum(across) * (2 if self.double else 1)


@dataclass(slots=True)
class Table:
    """Every tile on the table with its sides, never an end with a weight."""

    spinners: int  # how many doubles may be one
    tiles: list[Placed] = field(default_factory=list)

    def lay(self, play: Play) -> None:
        """Put a tile down; that it fits is not asked here."""
        high, low = halves(play.tile)
        if play.end is None:
            through = [Side("left", high), Side("right", low)]
        else:
            at = next(s for it in self.tiles for s in it.open if s.end == play.end)
            at.covered = True
            other = low if at.value == high else high
            through = [Side(play.end, at.value, covered=True), Side(play.end, other)]
        made = sum(1 for it in self.tiles if it.arms) + 1
        arms: list[Side] = []
        if high == low and made <= self.spinners:
            behind = "" if made == 1 else f"-{made}"
            arms = [Side(f"up{behind}", high), Side(f"down{behind}", high)]
        self.tiles.append(Placed(high == low, through, arms))

    @property
    def open(self) -> dict[str, int]:
        """The value of each open end by its name."""
        return {side.end: side.value for it in self.tiles for side in it.open}

    @property
    def count(self) -> int:
        """The count of the line: a lone tile's two halves, else what the tiles add."""
        if len(self.tiles) == 1:
            return sum(side.value for side in self.tiles[0].through)
        return sum(it.counts for it in self.tiles)


SPINNERS = {"none": 0, "first": 1, "all": 19}


def table_of(hand: Hand, spinner: str) -> Table:
    """The table as it is after the plays of a hand."""
    table = Table(SPINNERS[spinner])
    for _, play, _ in hand.line:
        table.lay(play)
    return table


def score_of(count: int, counting: str) -> int:
    """R10: by fives the count itself, by fives-and-threes how often each goes into it."""
    if counting == "fives":
        return count if count in range(5, 1000, 5) else 0
    return sum(count // by for by in (5, 3) if count % by == 0)
