"""What the reader's terminal can show, and how to stay inside it."""

from __future__ import annotations

import shutil
import textwrap
import time
from collections.abc import Mapping, Sequence
from typing import TextIO

WIDEST = 100  # longer lines are hard to read, however wide the window is
NARROWEST = 24
LABEL = 12  # so that a hash beside a label still fits into 80 columns
LOWEST = 16  # rows that a picture redrawn in place may need

_STYLES = {"title": "1", "quiet": "2", "good": "32", "bad": "31", "new": "1;33", "": ""}


class Screen:
    """Plain text for everybody; colour, pictures that grow and pauses for people at a terminal."""

    def __init__(self, out: TextIO, env: Mapping[str, str], *, fast: bool = False) -> None:
        self._out = out
        terminal = out.isatty() and env.get("TERM", "dumb") != "dumb"
        columns, rows = shutil.get_terminal_size((80, 24))
        self.width = max(NARROWEST, min(columns, WIDEST)) - 1  # no terminal wraps the last column
        self.colour = terminal and not env.get("NO_COLOR")
        self.grows = terminal and rows >= LOWEST
        self.paced = terminal and not fast
        self.unicode = _speaks_unicode(out, env)
        self._drawn = 0

    def paint(self, text: str, style: str) -> str:
        """`text` in a style, where there is colour; never changes how wide it is."""
        code = _STYLES[style]
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and code else text

    def say(self, text: str = "", style: str = "", indent: int = 2) -> None:
        """A paragraph, wrapped."""
        margin = " " * indent
        lines = textwrap.wrap(text, self.width, initial_indent=margin, subsequent_indent=margin)
        self._write([self.paint(line, style) for line in lines] or [""])

    def title(self, text: str) -> None:
        """The head of a part, with some time to take in the last one."""
        self.pause(0.5)
        rule = ("\u2500" if self.unicode else "-") * max(0, self.width - len(text) - 1)
        self._write(["", self.paint(f"{text} {rule}"[: self.width], "title")])

    def row(self, label: str, value: str = "") -> None:
        """A label and what it is; a value is cut where the line ends."""
        text = f"  {label:<{LABEL}}{value}".rstrip()
        self._write([text if len(text) <= self.width else text[: self.width - 2] + ".."])

    def quote(self, text: str) -> None:
        """Another program's output as it is, but for what this terminal cannot show."""
        for line in text.splitlines():
            inside = len(line) - len(line.lstrip())
            cut = textwrap.wrap(line, self.width - 4, subsequent_indent=" " * (inside % 8 + 2))
            self._write([f"  | {part}" for part in cut] or ["  |"])

    def grow(self, lines: Sequence[str]) -> None:
        """Draw a picture over the last one that grew, if any. Lines are no wider than `width`."""
        up = f"\x1b[{self._drawn}A" if self._drawn else ""
        self._out.write(up + "".join(f"\r\x1b[K{line}\n" for line in lines) + "\x1b[J")
        self._out.flush()
        self._drawn = len(lines)

    def settle(self, lines: Sequence[str]) -> None:
        """The finished picture: what follows goes beneath it."""
        if self.grows:
            self.grow(lines)
        else:
            self._write(lines)
        self._drawn = 0

    def pause(self, seconds: float) -> None:
        """Time to read, for somebody who reads along."""
        if self.paced:
            time.sleep(seconds)

    def _write(self, lines: Sequence[str]) -> None:
        self._drawn = 0
        encoding = self._out.encoding if self.unicode else "ascii"
        for line in lines:
            self._out.write(line.encode(encoding, "replace").decode(encoding) + "\n")
        self._out.flush()


def _speaks_unicode(out: TextIO, env: Mapping[str, str]) -> bool:
    """Python writes UTF-8 even in the C locale, where a terminal may show anything for it."""
    names = ["LC_ALL", "LC_CTYPE", "LANG"]
    if env.get("LC_CTYPE") == "C.UTF-8":
        names.remove("LC_CTYPE")  # in the C locale Python itself sets this (PEP 538)
    locale = next((env[name] for name in names if env.get(name)), "")
    says = "utf" in locale.lower()
    return says and (out.encoding or "").lower().replace("-", "").startswith("utf")
