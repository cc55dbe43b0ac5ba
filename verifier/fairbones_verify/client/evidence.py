"""What is left when a client stops: a folder for whoever has to be convinced, without secrets.

`evidence.json` has everything that was seen and sent; `transcript.json` the signed part of the
chain, for any verifier; `receipt-N.json` what the house signed against it; `protest-N.json` each
own signed move that does not stand there (SPEC 9.9); `transcript-served-after.json` what the house
tells now. That comes last: the rest is on the disk before a house that lies is asked once more.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from ..hashing import PROTOCOL, key_id
from ..judge import verify
from ..receipts import pin
from ..report import shown
from ..seatkeys import ACTIONS, action_of
from ..signature import Receipt, signed_by
from ..strictjson import canonical
from .guard import Guard
from .lies import Lie

Json = dict[str, Any]

ALONE = "Only this client saw it, so it is one word against another."
VOUCHED = " It convicts nobody before who does not know that key as the house's."


class Proof(NamedTuple):
    """Whether what is kept convicts the house before others, and what is proved in a sentence.

    convicts: as 9.5 has it, so only under a pinned key. folder: where the evidence is; where: that
    in words, which are in `said` too.
    """

    convicts: bool
    said: str
    folder: Path | None = None
    where: str = ""


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


def proof(
    guard: Guard, lie: Lie, other: bytes = b"", pinned: Iterable[bytes | str] | None = None
) -> Proof:
    """What the receipts and the chain prove to somebody who knows the house's key.

    other: the transcript as the house serves it after the lie. pinned: that key; else those that
    this client was given. A key that only the house vouches for may be anybody's.
    """
    chronicle = guard.chronicle
    given = chronicle.pinned if pinned is None else pin(pinned)
    signed = list(valid([*chronicle.receipts.values(), *chronicle.contrary], guard))
    key = chronicle.key or next((chronicle.known(one["key_id"]) for one in signed), None)
    if key is None:
        return Proof(False, ALONE)
    known = key_id(key) in given
    whose = "the key that you gave" if known else "a key that only the house vouches for"
    hashes: dict[int, set[str]] = {}
    for one in signed:
        hashes.setdefault(one["seq"], set()).add(one["event_hash"])
    twice = min((seq for seq, found in hashes.items() if len(found) > 1), default=None)
    if twice is not None:
        words = f"The house has signed two different events {twice}, under {whose}."
        return Proof(known, words if known else words + VOUCHED)
    data = signed_part(guard)
    reports = [verify(other, keys=[key], receipts=signed)]
    if data is not None:
        reports[:0] = [
            verify(data, keys=[key], receipts=signed),
            verify(data, keys=[key], openings=dealt(guard)),
        ]
    for report in reports:
        if report.convicts:
            words = f"The house has signed this, under {whose} ({report.code}): {report.story}"
            return Proof(known, words if known else words + VOUCHED)
    keyless = guard.mine is not None and not guard.mine.public_key
    if data is not None and lie.obligation == "C10" and keyless:
        return Proof(False, f"The house has signed it. This seat has no key, so: {ALONE.lower()}")
    return Proof(False, ALONE)


def valid(receipts: list[Receipt], guard: Guard) -> Iterable[Receipt]:
    """Those that somebody else would take: of this match, and signed with its key."""
    for one in receipts:
        key = guard.chronicle.known(one["key_id"])
        if key is not None and one["match"] == guard.chronicle.match and signed_by(one, key):
            yield one


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
    """Write the folder, anew beside one that is there; where that fails, a temporary one."""
    found, why = proof(guard, lie, other), ""
    for fallback in (False, True):
        try:
            into = Path(tempfile.mkdtemp(prefix="fairbones-")) if fallback else free(folder)
            os.makedirs(into, exist_ok=fallback)
            _write_all(into, guard, lie, found, url, last)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            why = why or f" It could not be written to {folder} ({reason})."
            continue
        where = f"The evidence is in {into}.{why}"
        found = Proof(found.convicts, f"{found.said} {where}", into, where)
        return after(found, guard, lie, other)
    where = f"There is no evidence on the disk.{why}"
    return Proof(found.convicts, f"{found.said} {where}", None, where)


def after(found: Proof, guard: Guard, lie: Lie, other: bytes) -> Proof:
    """Add what the house tells after the lie, and what it proves."""
    if not other:
        return found
    now = proof(guard, lie, other)
    if found.folder is not None:
        with contextlib.suppress(OSError, ValueError):
            (found.folder / "transcript-served-after.json").write_bytes(other)
            path = found.folder / "evidence.json"
            told = json.loads(path.read_bytes())
            told.update(proved=now.said, convicts=now.convicts)
            beside = path.with_name("evidence.json.new")
            write(beside, told)
            os.replace(beside, path)
    return Proof(now.convicts, f"{now.said} {found.where}", found.folder, found.where)


def withdraw(found: Proof) -> None:
    """It was the house's own admission, and no lie (SPEC 8.7)."""
    if found.folder is not None:
        shutil.rmtree(found.folder, ignore_errors=True)


def _write_all(folder: Path, guard: Guard, lie: Lie, found: Proof, url: str, last: bytes) -> None:
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
        seated = {name: one for name, one in mine.seated.items() if name != "invite"}
        told["sent"] = {"seat": seated, "seed": mine.seeded, "actions": actions}
        if mine.left is not None:
            told["sent"]["leave"] = mine.left
    write(folder / "evidence.json", told)
    data = signed_part(guard)
    if data is not None:
        (folder / "transcript.json").write_bytes(data)
    for receipt in chronicle.contrary:
        write(free(folder / f"receipt-{receipt['seq']}.json"), receipt)
    for body in protests(guard):
        write(free(folder / f"protest-{body['seq']}.json"), body)


def free(path: Path) -> Path:
    """A name that is not taken."""
    name, number = path, 1
    while name.exists():
        number += 1
        name = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return name


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="ascii")
