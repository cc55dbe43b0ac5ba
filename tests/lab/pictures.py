"""Pictures of a run, as SVG. They are drawn on white, with words, and legible without colours."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, log
from pathlib import Path

from tests.lab.page import Run
from tests.lab.progress import Outcome
from tests.lab.verdict import ALARM, Finding, holm

LINE = 18
# Too rare .. as expected .. too frequent, in standard deviations.
SCALE = ("#08519c", "#3182bd", "#9ecae1", "#f7f7f7", "#fdae6b", "#e6550d", "#a63603")
STEPS = (-6.0, -4.0, -2.5, 2.5, 4.0, 6.0)
# The fault matrix: not rejected, then by the number of digits of the p-value.
SHADES = ("#ffffff", "#deebf7", "#9ecae1", "#4292c6", "#08519c")
SHOWN = ("honest", "naive-swap", "coin-sort")


def draw(run: Run, folder: Path) -> list[Path]:
    """Every picture that the run has something for."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn: list[Path] = []
    shown = [next(iter(run.of(name)), None) for name in SHOWN]
    for name, picture in (
        ("wash", washes([it for it in shown if it is not None])),
        ("p-values", spread(run.of("honest", "reference"))),
        ("faults", matrix([*run.of("honest")[:1], *run.faults])),
    ):
        path = folder / f"{name}.svg"
        path.write_text(picture, "utf-8")
        drawn.append(path)
    return drawn


def washes(outcomes: Sequence[Outcome]) -> str:
    """Tile x position of the wash: each cell by how far it is from what is expected."""
    size, left, top = 9, 40, 50
    parts: list[str] = []
    width = left
    for outcome in outcomes:
        tiles, deals = outcome.part.table.tiles, outcome.tally.deals
        awaited = deals / tiles
        deviation = (awaited * (1 - 1 / tiles)) ** 0.5
        cells = outcome.tally.grids["wash"]
        squares: dict[str, list[str]] = defaultdict(list)
        for at, seen in enumerate(cells):
            z = (seen - awaited) / deviation
            colour = SCALE[sum(z > step for step in STEPS)]
            y, x = divmod(at, tiles)
            squares[colour].append(f"M{width + x * size} {top + y * size}h{size}v{size}h-{size}z")
        parts += [f'<path fill="{it}" d="{"".join(paths)}"/>' for it, paths in squares.items()]
        edge = size * tiles
        parts.append(f'<path fill="none" stroke="#666" d="M{width} {top}h{edge}v{edge}h-{edge}z"/>')
        parts.append(text(width, top - 12, f"{outcome.part.house}, {deals:,} deals"))
        parts.append(text(width, top + edge + LINE, "tile 0-0 ... highest"))
        width += edge + 30
    height = top + size * max(it.part.table.tiles for it in outcomes) + 2 * LINE
    parts.append(text(8, top - 30, "Position of the wash (down) x tile (across)", bold=True))
    words = ("under -6", "-6..-4", "-4..-2.5", "within 2.5", "2.5..4", "4..6", "over 6")
    x = left
    for colour, word in zip(SCALE, words, strict=True):
        parts.append(
            f'<rect x="{x}" y="{height}" width="14" height="14" fill="{colour}" stroke="#666"/>'
        )
        parts.append(text(x + 18, height + 12, word))
        x += 100
    parts.append(text(x, height + 12, "standard deviations"))
    return svg(max(width, x + 160), height + 26, parts)


def spread(outcomes: Sequence[Outcome]) -> str:
    """The p-values of good houses in order, against those of chance: points on the diagonal."""
    left, top, edge = 60, 50, 360
    found = sorted(it.ln_p for outcome in outcomes for it in outcome.findings if it.freedom)
    many = len(found)
    deepest = max(ceil(-found[0] / log(10)), ceil(log(many) / log(10)) + 1)
    parts = [text(8, 20, f"{many} p-values of honest deals, in order", bold=True)]

    def at(ln_p: float) -> float:
        return edge * (-ln_p / log(10)) / deepest

    for power in range(deepest + 1):
        step = edge * power / deepest
        label = "1" if not power else f"1e-{power}"
        x, y = left + step, top + edge - step
        parts.append(f'<path stroke="#ddd" d="M{x:.1f} {top}v{edge}M{left} {y:.1f}h{edge}"/>')
        parts.append(text(left + step - 8, top + edge + LINE, label))
        parts.append(text(left - 44, top + edge - step + 4, label))
    parts.append(f'<path stroke="#666" d="M{left} {top + edge}l{edge} -{edge}"/>')
    # The least p-value that the verdict lets pass.
    limit = min(at(log(ALARM / many)), edge)
    if limit < edge:
        across = f'd="M{left} {top + edge - limit:.1f}h{edge}"'
        parts.append(f'<path stroke="#a63603" stroke-dasharray="4 3" {across}/>')
    for rank, ln_p in enumerate(found):
        x, y = at(log((rank + 0.5) / many)), at(ln_p)
        parts.append(
            f'<circle cx="{left + x:.1f}" cy="{top + edge - y:.1f}" r="2.5" fill="#08519c"/>'
        )
    parts.append(text(left, top + edge + 2 * LINE, "across: expected of chance; up: found"))
    return svg(left + edge + 40, top + edge + 3 * LINE, parts)


def matrix(outcomes: Sequence[Outcome]) -> str:
    """Statistics x faults: digits of the adjusted p-value where it rejects."""
    columns = [(it.part.house, by_kind(it.findings)) for it in outcomes]
    names = list(columns[0][1])
    left, top, width = 290, 110, 58
    parts = [text(8, 20, "Which statistic sees which fault", bold=True)]
    parts.append(text(8, 38, "a number n: rejected with p < 1e-n, adjusted"))
    for number, (house, _) in enumerate(columns):
        x, y = left + number * width + width / 2, top - 8
        turned = f'transform="rotate(-40 {x} {y})"'
        parts.append(f'<text x="{x}" y="{y}" {turned} font-size="12">{escape(house)}</text>')
    for line, name in enumerate(names):
        y = top + line * LINE
        parts.append(text(8, y + 13, name))
        for number, (_, found) in enumerate(columns):
            digits = max(0, int(-found.get(name, 0.0) / log(10)))
            shade = 0
            if digits >= -log(ALARM) / log(10):
                shade = 1 + sum(digits >= limit for limit in (10, 100, 1000))
            x = left + number * width
            parts.append(
                f'<rect x="{x}" y="{y}" width="{width}" height="{LINE}" fill="{SHADES[shade]}" '
                'stroke="#ccc"/>'
            )
            if shade:
                colour = "#fff" if shade > 2 else "#000"
                parts.append(text(x + 6, y + 13, f"{digits}", colour=colour))
    return svg(left + len(columns) * width + 40, top + len(names) * LINE + 10, parts)


def by_kind(findings: Sequence[Finding]) -> dict[str, float]:
    """ln of the adjusted p-value by statistic; of one that each seat has, the least."""
    adjusted = holm([it.ln_p for it in findings])
    least: dict[str, float] = {}
    for it, ln_p in zip(findings, adjusted, strict=True):
        kind = re.sub(r" of seat \d+", " of a seat", it.name)
        least[kind] = min(least.get(kind, 0.0), ln_p)
    return least


def text(x: float, y: float, words: str, *, bold: bool = False, colour: str = "#000") -> str:
    """Words."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="12" fill="{colour}"{weight}>{escape(words)}</text>'
    )


def svg(width: float, height: float, parts: Iterable[str]) -> str:
    """A document."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" font-family="sans-serif">\n'
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )
