"""A clerk: a process that reads and verifies what it is told to, one errand after the other.

In a process of its own a transcript that takes too long, or the memory of the machine, costs that
transcript its verdict and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
from multiprocessing.connection import Connection
from typing import Any

from .. import strictjson
from ..compare import OtherMatch, Unreadable, compare
from ..comparison import Comparison
from ..hashing import event_hash
from ..judge import verify
from . import folder, service, vouchers
from .errands import Errand, Order, Result, Unread
from .facts import facts

COUNTED = "seed/not-opened"  # the one failure behind which the counts of a match stand


def serve(pipe: Connection, order: Order) -> None:
    """Do errands until the audit has gone."""
    # Ctrl-C reaches us too, and is the audit's to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pipe.send("ready")
        while True:
            pipe.send(done(order, pipe.recv()))
    except (EOFError, OSError):
        return


def done(order: Order, errand: Errand) -> Result:
    """Do one errand. Raises nothing."""
    work = {
        "verify": verified,
        "page": listed,
        "group": grouped,
        "pair": paired,
        "receipts": vouching,
        "held": vouched,
    }[errand.kind]
    try:
        return work(order, errand)
    except Unread as unread:
        return unread.result()
    except Exception as error:  # noqa: BLE001 - one transcript must not end an audit
        name = type(error).__name__
        return Unread("source/verifier", "no error in the verifier itself", name).result()


def fetched(order: Order, source: str) -> tuple[bytes, dict[str, Any]]:
    """The bytes of a transcript, and the size and hash of what they came in; packed, `content` is
    the hash of the transcript itself."""
    if order.kind == "service":
        raw = service.transcript(order.place, source, order.seconds)
        size, data = len(raw), raw
    else:
        raw, size = folder.contents(os.path.join(os.fsencode(order.place), os.fsencode(source)))
        data = folder.unpacked(source, raw)
    stamp = {"size": size, "sha256": hashlib.sha256(raw).hexdigest()}
    return data, stamp if data is raw else {**stamp, "content": hashlib.sha256(data).hexdigest()}


def listed(order: Order, errand: Errand) -> Result:
    """A page of the list of matches."""
    return service.page(order.place, errand.source, order.seconds)._asdict()


def verified(order: Order, errand: Errand) -> Result:
    """The verdict on one transcript and what it adds to the counts; the line of STATE."""
    data, stamp = fetched(order, errand.source)
    before = errand.given.get("before")
    opened, false = opened_at(data), Result()
    if order.since is not None and opened is not None:
        false = misdated(opened, errand.given.get("listed"))
        if opened < order.since:
            return {"before": True, **false}
    if before is not None and all(before[name] == stamp[name] for name in ("size", "sha256")):
        return {"same": True, **false}
    report = verify(data, keys=order.keys)
    told: Result = {"source": errand.source, **stamp, "verdict": report.verdict, **false}
    if report.verdict == "unreadable":
        failure = report.failure
        assert failure is not None
        names = ("code", "where", "expected", "got")
        return {**told, "unread": {name: getattr(failure, name) for name in names}}
    value = json.loads(data)
    first = value["events"][0]
    if order.kind == "service" and first["match"] != errand.source:
        return Unread("source/match", errand.source, first["match"]).result()
    told |= {"match": report.match, "events": report.events, "receipt": value["receipt"]}
    if first["type"] == "opened":
        told["key_id"] = first["data"]["key_id"]
    if report.verdict == "refuted":
        told |= {"convicts": report.convicts, "story": report.story, "report": report.as_dict()}
    if report.verdict == "verified" or report.code == COUNTED:
        told["facts"] = facts(value["events"], report.options, [c for c, _ in report.unchecked])
        told["complete"] = report.complete
    if before is not None and "receipt" in before:
        told |= remembered(order, data, before["receipt"])
    if order.save and (report.verdict == "refuted" or "history" in told):
        told["saved"] = saved(order, errand.source, data, stamp["sha256"])
    return told


def opened_at(data: bytes) -> int | None:
    """When the match was opened, where the text says it first, as every transcript does."""
    prefix = b'{"events":[{"at":'
    digits = data[len(prefix) : len(prefix) + 17].partition(b",")[0]
    return int(digits) if data.startswith(prefix) and digits.isdigit() else None


def misdated(opened: int, listed: int | None) -> Result:
    """A list that tells another time: whoever asks by --since is led past matches by such a row."""
    if listed is None or listed == opened:
        return {}
    due = f"the time {opened} in the list, as the transcript says"
    return {"misdated": Unread("source/list", due, f"{listed}").result()}


def remembered(order: Order, data: bytes, receipt: dict[str, Any]) -> Result:
    """How a transcript goes with the receipt that the same source had in an earlier audit."""
    try:
        found = compare(data, json.dumps(receipt).encode("ascii"), order.keys)
    except (Unreadable, OtherMatch):
        return {}
    told: Result = {"compared": found.relation}
    if found.exit:
        told["history"] = {"receipt": receipt, "comparison": found.as_dict()}
    return told


def saved(order: Order, source: str, data: bytes, digest: str) -> str:
    """Save what a service has served: it may serve something else tomorrow."""
    for name in (f"{source}-{digest[:16]}.json", f"{source}-{digest}.json"):
        path = os.path.join(order.save, name)
        try:
            with open(path, "xb") as file:
                file.write(data)
        except FileExistsError:
            if not is_there(path, data):
                continue
        except OSError as error:
            return f"could not be saved: {error.strerror}"
        return name
    return "could not be saved: another file has its name"


def is_there(path: str, data: bytes) -> bool:
    """Whether a file has these very bytes."""
    try:
        return folder.contents(os.fsencode(path))[0] == data
    except Unread:
        return False


def grouped(order: Order, errand: Errand) -> Result:
    """Of several transcripts of one match, the pairs that are not each the beginning of another.

    Also whoever is refuted, or whose receipt may speak of another place, is looked at closely.
    """
    chains: list[tuple[list[bytes], bool]] = []
    for place, source in enumerate(errand.given["sources"]):
        data = as_before(order, source, errand.given["sha256"][place])
        document, _ = strictjson.document(data)
        texts = [] if document is None else document.texts
        chains.append(([event_hash(text) for text in texts], errand.given["plain"][place]))
    pairs, plain = [], 0
    for i, (longer, good) in enumerate(chains):
        for j, (shorter, fine) in enumerate(chains[i + 1 :], i + 1):
            if good and fine and longer[: len(shorter)] == shorter:
                plain += 1
            else:
                pairs.append([i, j])
    return {"pairs": pairs, "plain": plain}


def paired(order: Order, errand: Errand) -> Result:
    """Two transcripts compared."""
    sides = zip(errand.given["sources"], errand.given["sha256"])
    first, second = (as_before(order, source, digest) for source, digest in sides)
    found: Comparison = compare(first, second, order.keys)
    return {"relation": found.relation, "comparison": found.as_dict()}


def vouching(order: Order, errand: Errand) -> Result:
    """The receipts in a file."""
    return vouchers.read(order, errand.source)


def vouched(order: Order, errand: Errand) -> Result:
    """The receipts of a match and a key held against its transcript, if there is one."""
    digest = errand.given["sha256"]
    data = as_before(order, errand.source, digest) if digest else None
    return vouchers.held(order, data, errand.given["receipts"], errand.given["elsewhere"])


def as_before(order: Order, source: str, digest: str) -> bytes:
    """The bytes of a transcript that was verified in this audit."""
    data, stamp = fetched(order, source)
    if stamp.get("content", stamp["sha256"]) != digest:
        raise Unread("source/changed", "the file that was verified", "another")
    return data
