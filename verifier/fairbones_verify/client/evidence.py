"""What is left when a client stops: a folder for whoever has to be convinced, without secrets.

`evidence.json` has everything that was seen and sent; `transcript.json` the signed part of the
chain, for any verifier; `receipt-N.json` what the house signed against it; `protest-N.json` each
own signed move that does not stand there (SPEC 9.9); `transcript-served-after.json` what the house
tells now.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from ..hashing import PROTOCOL, key_id
from ..judge import verify
from ..report import shown
from ..seatkeys import ACTIONS, action_of
from ..strictjson import canonical
from .guard import Guard
from .lies import Lie

Json = dict[str, Any]

ALONE = "Only this client saw it, so it is one word against another."


class Proof(NamedTuple):
    """Whether what is kept convicts the house before others, and what is proved in a sentence."""

    convicts: bool
    said: str


def signed_part(guard: Guard) -> bytes | None:
    """A transcript up to the last event that there is a receipt for; None while there is none."""
    chronicle, key = guard.chronicle, guard.chronicle.key
    hashes = [one.hex() for one in chronicle.hashes]
    heads = [
        seq
        for seq, one in chronicle.receipts.items()
        if seq < len(hashes) and one["event_hash"] == hashes[seq]
    ]
    if not heads or key is None:
        return None
    document = {
        "protocol": PROTOCOL,
        "events": chronicle.events[: max(heads) + 1],
        "receipt": chronicle.receipts[max(heads)],
        "keys": [{"key_id": key_id(key), "public_key": key.hex()}],
    }
    return canonical(document).encode("utf-8")


def proof(guard: Guard, lie: Lie, other: bytes = b"") -> Proof:
    """What the receipts and the chain prove to somebody who knows the house's key.

    other: the transcript as the house serves it after the lie.
    """
    chronicle = guard.chronicle
    beside = [*chronicle.receipts.values(), *chronicle.contrary]
    data, key = signed_part(guard), chronicle.key
    whose = "the key that you gave" if chronicle.pinned else "a key that only the house vouches for"
    said = {one["event_hash"]: one["seq"] for one in beside}
    twice = [seq for seq in said.values() if list(said.values()).count(seq) > 1]
    if twice and key is not None:
        words = f"The house has signed two different events {twice[0]}, under {whose}."
        return Proof(True, words)
    if data is None or key is None:
        return Proof(False, ALONE)
    reports = [
        verify(data, keys=[key], receipts=beside),
        verify(data, keys=[key], openings=dealt(guard)),
        verify(other, keys=[key], receipts=beside),
    ]
    for report in reports:
        if report.convicts:
            words = f"The house has signed this, under {whose} ({report.code}): {report.story}"
            return Proof(True, words)
    if lie.obligation == "C10" and guard.mine is not None and not guard.mine.public_key:
        return Proof(False, f"The house has signed it. This seat has no key, so: {ALONE.lower()}")
    return Proof(False, ALONE)


def dealt(guard: Guard) -> list[Json]:
    """The openings of hands that stand in the chain."""
    rounds = {e["data"]["round"] for e in guard.chronicle.events if e["type"] == "dealt"}
    return [one for one in guard.openings() if one["round"] in rounds]


def protests(guard: Guard) -> list[Json]:
    """Own signed moves that do not stand where they were said."""
    mine, events = guard.mine, guard.chronicle.events
    bodies = [] if mine is None else [b for said in mine.actions.values() for b in said]
    return [
        body
        for body in bodies
        if "signature" in body
        and not (
            body["seq"] < len(events)
            and events[body["seq"]]["type"] in ACTIONS
            and action_of(events[body["seq"]]) == body["action"]
        )
    ]


def keep(guard: Guard, lie: Lie, folder: Path, url: str, last: bytes, other: bytes = b"") -> Proof:
    """Write the folder, anew beside one that is there."""
    found = proof(guard, lie, other)
    folder = free(folder)
    os.makedirs(folder)
    mine, chronicle = guard.mine, guard.chronicle
    told: Json = {
        "obligation": lie.obligation,
        "said": shown(lie.said, 2000),
        "proved": found.said,
        "convicts": found.convicts,
        "url": url,
        "match": chronicle.match,
        "events": chronicle.texts,
        "receipts": [chronicle.receipts[seq] for seq in sorted(chronicle.receipts)],
        "against": chronicle.contrary,
        "openings": guard.openings(),
        "last_answer": last.decode("utf-8", "backslashreplace"),
    }
    if lie.seq is not None:
        told["seq"] = lie.seq
    if lie.code is not None:
        told["code"] = lie.code
    if mine is not None:
        actions = [body for seq in sorted(mine.actions) for body in mine.actions[seq]]
        told["seat"] = mine.seat
        told["sent"] = {"seat": mine.seated, "seed": mine.seeded, "actions": actions}
        told["sent"]["seat"].pop("invite", None)
    write(folder / "evidence.json", told)
    data = signed_part(guard)
    if data is not None:
        (folder / "transcript.json").write_bytes(data)
    if other:
        (folder / "transcript-served-after.json").write_bytes(other)
    for receipt in chronicle.contrary:
        write(free(folder / f"receipt-{receipt['seq']}.json"), receipt)
    for body in protests(guard):
        write(free(folder / f"protest-{body['seq']}.json"), body)
    return Proof(found.convicts, f"{found.said} The evidence is in {folder}.")


def free(path: Path) -> Path:
    """A name that is not taken."""
    name, number = path, 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return name


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="ascii")
