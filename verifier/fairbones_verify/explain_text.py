"""An explained tile as a page for people (spec/tools.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .report import shown
from .words import plural
from .workings import Shuffled, Working

if TYPE_CHECKING:
    from .explanation import Compared, Explanation, Step

ROW = 32  # bytes in a row of hex
ROWS = 200  # of one item; --json has the rest
HEADS = {
    "server-seed": "The server seed",
    "round-seed": "The seed of the hand",
    "wash-order": "The order of the wash",
    "salt": "The salt",
    "seal": "The seal",
    "wash-root": "The root of the wash",
    "opened-hash": "The hash of the opening",
    "client-seeds": "The seeds of the seats",
    "cut-key": "The key of the cut",
    "cut-map": "The cut",
    "fate": "What became of it",
}


def told(it: Explanation, colour: bool) -> str:
    """The whole page."""
    hand = "the lead draw (hand 0)" if it.r == 0 else f"hand {it.r}"
    tile = it.tile or "not known yet"
    lines = [f"Match {it.match}, {hand}, position {it.position}: {tile}."]
    for number, step in enumerate(it.steps, 1):
        lines += ["", f"{number}. {HEADS[step.name]} (SPEC {step.section})"]
        lines += [f"   {line}" for line in step_lines(step, colour)]
    return "\n".join([*lines, "", *ending(it, colour)]) + "\n"


def ending(it: Explanation, colour: bool) -> Iterator[str]:
    """The sum of all comparisons, and what is missing."""
    for what in it.unknown:
        yield f"Not known yet: {what}."
    wrong = [one for one in it.compared if not one.equal]
    if wrong:
        yield marked(f"{len(wrong)} of {len(it.compared)} DIFFER.", 31, colour)
    else:
        count = plural(len(it.compared), "comparison")
        yield marked(f"{count} with the transcript, all equal.", 32, colour)


def marked(text: str, number: int, colour: bool) -> str:
    """In colour, where there may be any."""
    return f"\033[1;{number}m{text}\033[0m" if colour else text


def step_lines(step: Step, colour: bool) -> Iterator[str]:
    """One step: its words, hashes and comparisons."""
    if step.name != "wash-root":
        yield from step.text
    for hashed in step.hashes:
        yield from hash_lines(hashed)
    if step.name == "wash-root":
        yield from step.text
    if step.shuffle is not None:
        yield from shuffle_lines(step.shuffle)
    for one in step.compared:
        yield from compared_lines(one, colour)
    for what in step.unknown:
        yield f"not known yet: {what}"


def hash_lines(hashed: Working) -> Iterator[str]:
    """The input item by item, each behind its length, then the output."""
    function = "SHA-256" if hashed.key is None else "HMAC-SHA-256"
    yield f"{hashed.name} = {function} of {plural(len(hashed.input), 'byte')}:"
    if hashed.key is not None:
        yield f"  under the key {hashed.key.hex()}"
    for item in hashed.tagged:
        size = len(item.data)
        yield f"  {size:08x}  length of {item.name}: {plural(size, 'byte')}"
        rows = [item.data[at : at + ROW].hex() for at in range(0, size, ROW)]
        yield from (f"    {row}" for row in rows[:ROWS])
        if len(rows) > ROWS:
            yield f"    ... {plural(size - ROW * ROWS, 'byte')} more; --json has all of them"
    yield f"  = {hashed.output.hex()}"
    if hashed.command is not None:
        yield f"  $ {hashed.command}"


def shuffle_lines(it: Shuffled) -> Iterator[str]:
    """The bytes that were read, and the list they give."""
    yield from hash_lines(it.first_block())
    for j, block in enumerate(it.blocks[1:ROWS], 1):
        yield f"block {j}  = {block.hex()}"
    if len(it.blocks) > ROWS:
        yield f"... {plural(len(it.blocks) - ROWS, 'block')} more; --json has all of them"
    yield f"shuffled: {' '.join(map(str, it.result))}"


def compared_lines(one: Compared, colour: bool) -> Iterator[str]:
    """`equal`, or both values."""
    if one.equal:
        yield f"{shown(one.what)}: equal"
        return
    yield f"{shown(one.what)}: {marked('DIFFERS', 31, colour)}"
    yield f"  computed: {shown(one.computed)}"
    yield f"  stands there: {shown(one.stands)}"
