"""The counted matches of an audit, and what they add up to (spec/audit.md, 2 and 3)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..notes import random_looking
from .clerk import COUNTED
from .index import Index

Facts = dict[str, Any]


def counted(index: Index) -> Iterator[tuple[bytes, str, Facts]]:
    """Of each match the transcript that counts: its source, the match, its facts."""
    rows = index.rows(
        "select source, match, line from result where verdict = 'verified' or code = ? "
        "order by match, verdict = 'verified' desc, events desc, source",
        COUNTED,
    )
    last = None
    for source, match, line in rows:
        if match != last:
            last = match
            yield source, match, json.loads(line)["facts"]


def count(index: Index, now: int) -> None:
    """Fill the tables that the summary asks."""
    for key_id, convicts in index.rows(
        "select coalesce(key_id, ''), convicts from result where verdict = 'refuted'"
    ):
        index.put("house", key_id, 0, 1, convicts, 0, 0, 0, 0, 0)
    for source, match, facts in counted(index):
        end = facts["end"]
        overdue = end["kind"] == "waiting" and facts["close_by"] < now
        if overdue:
            index.put("overdue", source, match, facts["close_by"])
        index.put("ending", end["kind"], end.get("reason", ""), end.get("knew", ""))
        seats(index, facts)
        seeds(index, match, facts)
        marks(index, match, facts)
        table(index, facts)
        index.put_all("note", [(code,) for code in facts["unchecked"]])
        index.put_all(
            "choice",
            [
                (facts["ruleset"], it["name"], json.dumps(it["published"]), json.dumps(it["here"]))
                for it in facts["options"]
            ],
        )

    # Now that all is there: an index that grows with its table would be slow on disk.
    index.database.execute("create index seed_by_seed on seed (seed)")
    index.database.execute("create index mark_by_value on mark (kind, value)")


def seats(index: Index, facts: Facts) -> None:
    """What is counted by seat, and by the key of the house."""
    abandoned = int(facts["end"]["kind"] == "abandoned")
    voided = int(facts["end"]["kind"] == "voided")
    names = ("timed_out", "left", "withheld")
    index.put_all(
        "seat",
        [
            # Who has a key is known by it alone, whatever the seat and the name.
            (one["public_key"], None, None, *(one[it] for it in names), abandoned)
            if "public_key" in one
            else (None, one["seat"], one.get("name"), *(one[it] for it in names), abandoned)
            for one in facts["seats"]
        ],
    )
    sums = [sum(one[name] for one in facts["seats"]) for name in names]
    index.put("house", facts["key_id"], 1, 0, 0, voided, abandoned, *sums)


def seeds(index: Index, match: str, facts: Facts) -> None:
    """The client seeds that the match shows."""
    keys = {one["seat"]: one.get("public_key") for one in facts["seats"]}
    index.put_all(
        "seed",
        [
            (seed, match, int(seat), keys.get(int(seat)), kind_of(bytes.fromhex(seed)))
            for seat, seed in facts["client_seeds"].items()
        ],
    )


def kind_of(seed: bytes) -> str:
    """Whether a seed looks like one that nobody threw dice for."""
    if random_looking(seed):
        return ""
    return "constant" if len(set(seed)) == 1 else "printable"


def marks(index: Index, match: str, facts: Facts) -> None:
    """What the house has to make anew for every match."""
    rows = [("root", root, match, r) for r, root in facts["roots"]]
    rows.append(("hash", facts["seed_hash"], match, None))
    if "server_seed" in facts:
        rows.append(("seed", facts["server_seed"], match, None))
    index.put_all("mark", rows)


def table(index: Index, facts: Facts) -> None:
    """Who led, who won, what was left in the hands; nothing of a draw."""
    told, partners = facts["table"], facts["partners"]
    if not told["leads"]:
        return
    name = (facts["ruleset"], told["seats"], int(partners))
    winners, leads, match_winner = told["winners"], told["leads"], told.get("winner")
    index.put("play", *name, len(winners), winners.count(-1), int(match_winner == -1))
    chairs = []
    for seat in range(told["seats"]):
        side = seat % 2 if partners else seat
        pips = told["pips"][seat] if told["pips"] else 0
        led = (int(leads[0] == seat), leads.count(seat))
        won = (winners.count(side), int(match_winner == side))
        chairs.append((*name, seat, *led, *won, pips))
    index.put_all("chair", chairs)
