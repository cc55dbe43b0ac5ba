"""The line of play as a picture (SPEC R5): bones side by side, wrapped to a width."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

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
        self._newest = 0

    def __len__(self) -> int:
        return len(self._bones)

    def play(self, tile: str, end: str | None) -> None:
        """Lay a bone. The first lies with its high half to the left; the others as they fit."""
        high, low = (int(half) for half in tile.split("-"))
        if end is None:
            self._bones.append((high, low))
            self._newest = 0
        elif end == "left":
            touching = self._bones[0][0]
            self._bones.appendleft((high + low - touching, touching))
            self._newest = 0
        else:
            touching = self._bones[-1][1]
            self._bones.append((touching, high + low - touching))
            self._newest = len(self._bones) - 1

    def rows(
        self, width: int, draw: Callable[[Bone], str] = box, new: Paint | None = None
    ) -> list[str]:
        """The picture; `new` paints the bone that was laid last. At least one bone a row."""
        cells = [draw(bone) for bone in self._bones]
        widest = max(map(columns, cells), default=1)
        if new is not None and cells:
            cells[self._newest] = new(cells[self._newest])
        many = max(1, width // widest)
        return ["".join(cells[at : at + many]) for at in range(0, len(cells), many)]


def columns(text: str) -> int:
    """How wide drawn bones are at worst: some terminals give a domino of Unicode two columns."""
    return sum(2 if ord(each) >= HORIZONTAL else 1 for each in text)
