"""The rules of block and draw once more, as plainly as they can be written (SPEC R1 to R8).

Tiles are pairs, hands are lists, nothing is made beforehand and nothing is shared with the service.
"""

from __future__ import annotations

from collections.abc import Sequence

Tile = tuple[int, int]  # high half, low half
Step = tuple[int, str, str, str]  # seat, what it did, tile and end as text ("" where there is none)
Story = tuple[list[Step], str, int | None, list[int], list[int]]


class PlainHand:
    """One hand, from the deal to its end."""

    def __init__(self, hands: Sequence[Sequence[Tile]], stock: Sequence[Tile], draws: bool) -> None:
        self.hands = [list(tiles) for tiles in hands]
        self.stock = list(stock)
        self.draws = draws
        self.left = self.right = -1
        self.set = False
        self.last = -1
        self.turn, self.must_set = self.lead()

    def lead(self) -> tuple[int, Tile]:
        """The holder of the highest double, else of the heaviest tile (R4)."""
        held = [(tile, seat) for seat, tiles in enumerate(self.hands) for tile in tiles]
        doubles = [(tile, seat) for tile, seat in held if tile[0] == tile[1]]
        tile, seat = max(doubles or held, key=lambda it: (sum(it[0]), it[0][0]))
        return seat, tile

    def fits(self, tile: Tile) -> bool:
        """Whether a tile fits an open end (R5)."""
        return self.left in tile or self.right in tile

    def may_draw(self) -> bool:
        """Whether there is anything to draw (R6)."""
        return self.draws and len(self.stock) > 0

    def over(self) -> str | None:
        """Why the hand is over (R7)."""
        if not self.set:
            return None
        if self.hands[self.last] == []:
            return "domino"
        if any(self.fits(tile) for tiles in self.hands for tile in tiles) or self.may_draw():
            return None
        return "blocked"

    def actions(self) -> list[tuple[str, Tile | None, str]]:
        """What the seat on turn may do, in the listed order (R6)."""
        if not self.set:
            return [("play", self.must_set, "")]
        found: list[tuple[str, Tile | None, str]] = []
        for tile in sorted(self.hands[self.turn]):
            if self.left in tile:
                found.append(("play", tile, "left"))
            if self.right in tile and self.right != self.left:
                found.append(("play", tile, "right"))
        if found:
            return found
        return [("draw", None, "")] if self.may_draw() else [("pass", None, "")]

    def act(self, kind: str, tile: Tile | None, end: str) -> None:
        """Do one of them."""
        if kind == "draw":
            self.hands[self.turn].append(self.stock.pop(0))
            return
        if kind == "play" and tile is not None:
            self.hands[self.turn].remove(tile)
            self.last = self.turn
            if not self.set:
                self.left, self.right = tile
                self.set = True
            elif end == "left":
                self.left = tile[1] if tile[0] == self.left else tile[0]
            else:
                self.right = tile[1] if tile[0] == self.right else tile[0]
        self.turn = (self.turn + 1) % len(self.hands)

    def settle(self, reason: str) -> tuple[int | None, list[int], list[int]]:
        """Winner, points and counts; a tie for lowest is void (R8)."""
        counts = [sum(high + low for high, low in tiles) for tiles in self.hands]
        winner: int | None = self.last
        if reason == "blocked":
            lowest = [seat for seat, count in enumerate(counts) if count == min(counts)]
            winner = lowest[0] if len(lowest) == 1 else None
        points = [0] * len(counts)
        if winner is not None:
            points[winner] = sum(counts) - counts[winner]
        return winner, points, counts


def play(
    hands: Sequence[Sequence[Tile]], stock: Sequence[Tile], draws: bool, choices: Sequence[int]
) -> Story:
    """A whole hand; the n-th action is number `choices[n]`, counted round the list of all."""
    hand = PlainHand(hands, stock, draws)
    steps: list[Step] = []
    while (reason := hand.over()) is None:
        actions = hand.actions()
        kind, tile, end = actions[choices[len(steps)] % len(actions)]
        text = "" if tile is None else f"{tile[0]}-{tile[1]}"
        steps.append((hand.turn, kind, text, end))
        hand.act(kind, tile, end)
    return (steps, reason, *hand.settle(reason))
