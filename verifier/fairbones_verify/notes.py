"""What a report adds to its verdict: what was not checked, odd options, a dropped deal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import deal, rulesets
from .receipts import admitted
from .report import Report
from .table import Table
from .words import listing


def write(
    report: Report,
    table: Table,
    pinned: bool,
    given: list[dict[str, Any]],
    hints: dict[int, bytes],
) -> None:
    """Fill in the rest of a report."""
    note = report.unchecked.append
    report.unchecked += of_seats(table)
    if not pinned:
        note(("key/not-pinned", "The house key was taken from the file itself; give --key."))
    if not given:
        note(("receipt/none-given", "No receipt of your own was compared; give --receipt."))
    if any(admitted(table, one) for one in given):
        note(("receipt/history-lost", "The house admits that it lost what your receipt is for."))
    note(("log/no-proof", "Nothing proves that this match stands in a public log."))
    note(("time/house-word", "All times are the house's word."))
    seeds = list(table.seeds.values())
    if len(set(seeds)) < len(seeds):
        note(("seed/repeated", "Two seats have the same seed."))
    odd = [
        table.who(seat) for seat, seed in sorted(table.seeds.items()) if not random_looking(seed)
    ]
    if odd:
        text = "These seats' seeds are text or one repeated byte, not random: "
        note(("seed/printable", text + ", ".join(odd) + "."))
    if table.opened:
        report.options = rulesets.differences(table.row, table.seats)
    report.seats = [table.who(seat) for seat in range(table.seats)]
    report.sides = [table.side(side) for side in range(len(table.scores))]
    last = table.events[-1]
    if report.verdict == "verified" and last["type"] == "match_ended":
        report.result = {
            k: last["data"][k] for k in ("reason", "winner", "scores") if k in last["data"]
        }
    if report.verdict == "verified" and last["type"] == "drawn":
        report.drawn = last["data"]["result"]
    if last["type"] == "voided":
        report.voided = last["data"]["reason"]
        report.missing = last["data"].get("missing", [])
    seeds_known = {**table.seeds, **hints}
    voided = last["type"] == "voided" and not table.round and report.verdict == "verified"
    may_ask = voided and not table.draw and report.voided == "seeds-missing"
    report.ask_seeds = report.missing if may_ask else []
    if hints and voided and not table.draw and len(seeds_known) == table.seats:
        report.dropped_deal = dropped(table, seeds_known)


def of_seats(table: Table) -> Iterator[tuple[str, str]]:
    """What seats have left undone that would have protected them."""
    silent = [table.who(seat) for seat in range(table.seats) if seat not in table.keys]
    if silent:
        text = "These seats have no key, so what they are said to have done is the house's word: "
        yield "seats/unsigned", text + listing(silent) + "."
    clear = [
        table.who(seat) for seat, data in sorted(table.seated.items()) if "client_seed" in data
    ]
    if clear:
        text = "A seed in the clear protects nobody; these seats sent one: "
        yield "seeds/clear", text + ", ".join(clear) + "."


def random_looking(seed: bytes) -> bool:
    """Whether a seed is neither text nor one byte over and over."""
    return len(set(seed)) > 1 and not all(32 <= byte < 127 for byte in seed)


def dropped(table: Table, seeds: dict[int, bytes]) -> dict[str, Any]:
    """The hands and the boneyard of hand 1 as all the seeds together would have dealt it."""
    key = deal.cut_key(table.hashes[0], [seeds[seat] for seat in range(table.seats)])
    tiles, washed = table.tiles(), table.wash(1)
    if washed is None:
        return {}
    lying = [deal.written(tiles[i]) for i in washed.order]
    hands, boneyard = deal.cut(key, 1, len(tiles), table.seats, table.row["hand"])
    return {
        "hands": [[lying[position] for position in hand] for hand in hands],
        "boneyard": [lying[position] for position in boneyard],
    }
