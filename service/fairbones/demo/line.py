"""The line of play as a picture (SPEC R5): bones side by side, wrapped to a width.

The arms of a spinner stand in rows of their own below it, each with its name and its spinner.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import zip_longest

Bone = tuple[int, int]  # as it lies: the left half, the right half
Paint = Callable[[str], str]

HORIZONTAL = 0x1F031  # of 0-0; U+1F031 to U+1F061 lie flat
VERTICAL = 0x1F063  # of 0-0; doubles lie across the line
LARGEST_GLYPH = 6


def box(bone: Bone) -> str:
    """`[6|4]`, in any font and encoding."""
    return f"[{bone[0]}|{bone[1]}]"


def glyph(bone: Bone) -> str:
    """The domino of Unicode and a blank: many fonts draw it wider than its one column."""
    left, right = bone
    if max(bone) > LARGEST_GLYPH:
        return box(bone)
    first = VERTICAL if left == right else HORIZONTAL
    return chr(first + 7 * left + right) + " "


class Line:
    """One hand's line; `play` as the events tell it."""

    def __init__(self) -> None:
        self._bones: deque[Bone] = deque()
        self._arms: dict[str, list[Bone]] = {}
        self._doubles: list[int] = []
        self._newest: tuple[str | None, int] = None, 0  # an arm or the line, and the place in it

    def __len__(self) -> int:
        return len(self._bones) + sum(map(len, self._arms.values()))

    def play(self, tile: str, end: str | None) -> None:
        """Lay a bone. The first lies with its high half to the left; the others as they fit."""
        high, low = (int(half) for half in tile.split("-"))
        if end is None:
            self._bones.append((high, low))
            self._newest = None, 0
        else:
            touching = self.touching(end)
            grown = (touching, high + low - touching)
            if end == "left":
                self._bones.appendleft((grown[1], touching))
                self._newest = None, 0
            else:
                arm = self._bones if end == "right" else self._arms.setdefault(end, [])
                arm.append(grown)
                self._newest = None if end == "right" else end, len(arm) - 1
        if high == low:
            self._doubles.append(high)

    def touching(self, end: str) -> int:
        """The number that a bone at this end has to have."""
        if end == "left":
            return self._bones[0][0]
        if end == "right":
            return self._bones[-1][1]
        return self._arms[end][-1][1] if end in self._arms else self._spinner(end)

    def _spinner(self, end: str) -> int:
        """The number of the double that an arm begins at: `up-3` at the third of the hand."""
        return self._doubles[int(end.partition("-")[2] or 1) - 1]

    def rows(
        self, width: int, draw: Callable[[Bone], str] = box, new: Paint | None = None
    ) -> list[str]:
        """The picture; `new` paints the bone that was laid last. At least one bone a row."""
        rows = self._wrapped(None, self._bones, width, draw, new)
        labels = {end: f"{self._spinner(end)}-{self._spinner(end)} {end} " for end in self._arms}
        wide = max(map(len, labels.values()), default=0)
        for end, label in labels.items():
            arm = self._wrapped(end, self._arms[end], width - wide, draw, new)
            rows += [f"{head:{wide}}{row}" for head, row in zip_longest([label], arm, fillvalue="")]
        return rows

    def _wrapped(
        self,
        end: str | None,
        bones: Iterable[Bone],
        width: int,
        draw: Callable[[Bone], str],
        new: Paint | None,
    ) -> list[str]:
        cells = [draw(bone) for bone in bones]
        widest = max(map(columns, cells), default=1)
        if new is not None and cells and self._newest[0] == end:
            cells[self._newest[1]] = new(cells[self._newest[1]])
        many = max(1, width // widest)
        return ["".join(cells[at : at + many]) for at in range(0, len(cells), many)]


def columns(text: str) -> int:
    """How wide drawn bones are at worst: some terminals give a domino of Unicode two columns."""
    return sum(2 if ord(each) >= HORIZONTAL else 1 for each in text)
