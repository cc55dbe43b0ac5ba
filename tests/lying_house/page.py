"""docs/lying-house.md: which lie is caught by whom and when. `python -m tests.lying_house`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.lying_house.meeting import SPECTATOR, Meeting, Planted
from tests.lying_house.unseen import UNSEEN

PATH = Path(__file__).resolve().parents[2] / "docs" / "lying-house.md"

HEAD = """\
# A lying house

Each lie of this table was told by a house over HTTP to two players and a spectator, clients that
do what [SPEC 10](../verifier/SPEC.md) says (`fairbones-verify play` and `watch`). Where a lie is
about one seat, it is about seat 0. Every row is a test, and one more holds this page against what
happened: `python -m tests.lying_house` writes it anew. Every row of the threat model has a lie here
or a line in the table below.

A cell says at what the client stopped, and by which obligation, with the check of
[codes.md](../verifier/spec/codes.md) where one failed. *Later* means that no answer before could
have shown the lie to that client: the verifier accepts all that the house had signed until then.
*Never* means that the match went on to its end for that client, and verified. *Proof*: whether
what one of the clients keeps convicts the house before somebody who knows its key (SPEC 9.5);
else it is one word against another.

| lie | row of the [threat model](threat-model.md) | seat 0 | seat 1 | spectator | proof |
|---|---|---|---|---|---|
"""

TAIL = """
## Rows that no single client can see

`race-ordered` above is never seen: which of two requests came first, a move or the end of its
time, is the house's word wherever both may be true (SPEC 8.4, 8.8), and a client's own clock is no
finer than the way to the house is long. A second off would show (`time-out-by-the-clock`).

These rows of the threat model have no lie above, because nothing is said to a client that could be
false.

| row | why there is nothing to stop at | who does see it |
|---|---|---|
{rows}

## A house that admits it

A house whose store was set back, and which is shown the receipt of what it lost, has to call the
match off with it (`history-lost`, SPEC 8.7). That is no lie: a client ends with the outcome
`history-lost`, which is neither *verified* nor *stopped* (`tests/client/test_history_lost.py`). It
is one only where the chain before that void is the one that was seen, and every receipt that was
kept fits. Else it is `older-head`, `taken-back`, `history-not-lost` or `history-never-signed`.

## What this shows of the limits

- A house can say anything in the name of a seat that has no key, and only that seat knows. With a
  key everybody sees it.
- What only an answer says (an opening, a list of legal moves, a score in a view) is not signed. The
  client stops, and convinces nobody.
- Whoever has the house's key is the house for all that anybody can tell: `stolen-key` convicts a
  house that has not lied.
- A clock that is put forward is seen by who was there, and by nobody who reads the transcript.
- Two histories that never meet are both in order. Who keeps receipts can lay them side by side
  (`fairbones-verify compare`).
"""


def row(planted: Planted, met: Meeting) -> str:
    """One lie."""
    cells = [cell(met, who) for who in (0, 1, SPECTATOR)]
    if planted.name == "two-histories":
        proof = "with both receipts"
    else:
        proof = "yes" if any(stop.convicts for stop in met.stops.values()) else "no"
    threats = ", ".join(planted.threats)
    return f"| `{planted.name}`: {planted.about} | {threats} | {' | '.join(cells)} | {proof} |"


def cell(met: Meeting, who: int) -> str:
    """Where one client stopped."""
    stop = met.stops.get(who)
    if stop is None:
        return "never"
    by = stop.obligation + (f" `{stop.code}`" if stop.code else "")
    if stop.obligation != "C6" or stop.seq is None:
        there = stop.seq is not None and stop.seq in met.lies and stop.seq < len(met.chain)
        return (f"`{met.chain[stop.seq or 0]['type']}`, " if there else "an answer, ") + by
    found = met.first_refuted(who)
    assert found is not None
    before = max((head for head in met.heads if head < found), default=-1)
    step = [event["type"] for event in met.chain[before + 1 : found + 1]]
    if before < stop.seq <= found:
        return f"`{met.chain[stop.seq]['type']}`, {by}"
    shown = next((kind for kind in ("round_ended", "played") if kind in step), step[0])
    return f"later, at `{shown}`, {by}"


def page(meetings: Iterable[tuple[Planted, Meeting]]) -> str:
    """The whole page."""
    rows = [f"| {name} | {one.reason} | {one.sees} |" for name, one in UNSEEN.items()]
    return (
        HEAD + "\n".join(row(*one) for one in meetings) + "\n" + TAIL.format(rows="\n".join(rows))
    )
