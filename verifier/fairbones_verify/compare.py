"""Two files of one match, each a transcript or a receipt: do they tell one story (spec/tools.md)?

Where they do not, it matters what the house has signed: a receipt covers its event and, along
the chain, every event before it (SPEC 9.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from . import shape, sources, strictjson
from .codes import CAUSE, NUMBER
from .comparison import Comparison, Parting, Said, Told
from .hashing import event_hash, key_id
from .judge import verify
from .receipts import pin
from .report import Failure, Report
from .signature import Receipt, signed_by

Event = dict[str, Any]

SIGNED_BY = {("pinned", "pinned"): "pinned", ("listed", "listed"): "unpinned"}


class Unreadable(Exception):
    """One of the files is neither; carries the report on it."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.code)
        self.report = report


class OtherMatch(Exception):
    """(the match of the first file, that of the second)."""


class Statement(NamedTuple):
    """What a file says stands at a place, and whether its receipt covers that."""

    event_hash: str
    covered: bool


class Side:
    """One of the two files. A receipt has no events."""

    def __init__(self, receipt: Receipt, events: list[Event], texts: list[str]) -> None:
        self.receipt, self.events = receipt, events
        self.hashes = [event_hash(text).hex() for text in texts]
        self.match: str = events[0]["match"] if events else receipt["match"]
        self.keys: dict[str, bytes] = {}
        self.report: Report | None = None

    def statements(self, seq: int) -> Iterator[Statement]:
        """What it says about one place: by its event there, and by its receipt."""
        if seq < len(self.hashes):
            yield Statement(self.hashes[seq], self.covers(seq))
        if seq == self.receipt["seq"]:
            yield Statement(self.receipt["event_hash"], self.receipt["match"] == self.match)

    def covers(self, seq: int) -> bool:
        """Whether the receipt is for the last event, and the chain leads from there to `seq`."""
        last = len(self.events) - 1
        head = (self.match, last, self.hashes[last])
        if tuple(self.receipt[name] for name in ("match", "seq", "event_hash")) != head:
            return False
        return all(
            (event["match"], event["seq"]) == (self.match, at)
            and (at == seq or event["prev"] == self.hashes[at - 1])
            for at, event in enumerate(self.events[seq:], seq)
        )

    def lost_at(self) -> int | None:
        """8.7: the place where the house says itself that it lost what it had signed."""
        if self.report is None or self.report.verdict != "verified":
            return None
        last = self.events[-1]
        lost = last["type"] == "voided" and last["data"]["reason"] == "history-lost"
        return len(self.events) - 1 if lost else None


def compare(first: bytes, second: bytes, keys: Iterable[bytes | str] = ()) -> Comparison:
    """Compare two files.

    first, second: each a transcript as served, or a receipt in any spacing (alone, or in an
    answer that carries one). keys: as for `verify`. Raises Unreadable, OtherMatch, and
    receipts.NotStarted for a wrong key.
    """
    given = list(keys)
    pinned = pin(given)
    a, b = side("A", first, given), side("B", second, given)
    if a.match != b.match:
        raise OtherMatch(a.match, b.match)
    listed = {**a.keys, **b.keys}
    standings = [standing(one.receipt, pinned, listed) for one in (a, b)]
    told = [Told(it.receipt, how, len(it.events), it.report) for it, how in zip((a, b), standings)]
    found = list(partings(a, b))
    # What one key has lost excuses nothing that another has signed.
    one_key = a.receipt["key_id"] == b.receipt["key_id"]
    lost = (a.lost_at(), b.lost_at()) if one_key else ()
    open_partings = [one for one in found if one.seq not in lost]
    if not open_partings:
        relation, longer = ("history-lost", "") if found else agreement(a, b)
        return Comparison(a.match, relation, longer, told, found[0] if found else None)
    proof = next((one for one in open_partings if one.covered == (True, True)), None)
    signed = "none"
    if proof is not None and one_key:
        signed = SIGNED_BY.get((standings[0], standings[1]), "none")
    if proof is None or signed == "none":
        return Comparison(a.match, "parted", "", told, open_partings[0], signed)
    parting = proof if proof.seq == open_partings[0].seq else open_partings[0]
    return Comparison(a.match, "parted", "", told, parting, signed, proof)


def side(label: str, data: bytes, keys: list[bytes | str]) -> Side:
    """Read one file: what names its protocol is a transcript, the rest a receipt."""
    value = sources.loose(data)
    if isinstance(value, dict) and "protocol" not in value:
        receipt = value if "event_hash" in value else value.get("receipt")
        if isinstance(receipt, dict):
            flaw = shape.lowest(shape.members(receipt, shape.RECEIPT, "the receipt"))
            if flaw is not None:
                words = (f"{label}: {flaw.where}", flaw.expected, flaw.got, CAUSE[flaw.code])
                failure = Failure(flaw.code, NUMBER[flaw.code], *words)
                raise Unreadable(Report("unreadable", failure=failure))
            return Side(receipt, [], [])
    report = verify(data, keys=keys)
    document, _ = strictjson.document(data)
    if report.verdict == "unreadable" or document is None:
        if report.failure is not None:
            report.failure.where = f"{label}: {report.failure.where}"
        raise Unreadable(report)
    it = Side(document.value["receipt"], document.value["events"], document.texts)
    raw = [bytes.fromhex(key["public_key"]) for key in document.value["keys"]]
    it.keys, it.report = {key_id(key): key for key in raw}, report
    return it


def standing(receipt: Receipt, pinned: dict[str, bytes], listed: dict[str, bytes]) -> str:
    """Whose signature a receipt has: "pinned", "listed" in a file, "invalid", or "unknown"."""
    name = receipt["key_id"]
    for word, known in (("pinned", pinned), ("listed", listed)):
        if name in known:
            return word if signed_by(receipt, known[name]) else "invalid"
    return "unknown"


def partings(a: Side, b: Side) -> Iterator[Parting]:
    """Every place worth a look where the two say different things, in order.

    After the first event that differs nothing new is to be seen, but for what the receipts say.
    """
    pairs = enumerate(zip(a.hashes, b.hashes))
    first = next((seq for seq, (one, other) in pairs if one != other), None)
    places = {a.receipt["seq"], b.receipt["seq"]} | (set() if first is None else {first})
    for seq in sorted(places):
        for one in a.statements(seq):
            for other in b.statements(seq):
                if one.event_hash != other.event_hash:
                    sides = (saying(a, seq, one), saying(b, seq, other))
                    yield Parting(seq, sides, (one.covered, other.covered))


def saying(it: Side, seq: int, statement: Statement) -> Said:
    """One side of a parting; the type is known where the file has the event itself."""
    known = seq < len(it.hashes) and it.hashes[seq] == statement.event_hash
    return Said(it.events[seq]["type"] if known else "", statement.event_hash)


def agreement(a: Side, b: Side) -> tuple[str, str]:
    """How files that do not contradict each other lie to each other, and which is longer."""
    if a.events and b.events:
        if len(a.events) == len(b.events):
            return "equal", ""
        return "prefix", "b" if len(a.events) < len(b.events) else "a"
    if not a.events and not b.events:
        return ("equal" if a.receipt["seq"] == b.receipt["seq"] else "apart"), ""
    whole, part = (a, b) if a.events else (b, a)
    return ("covered" if part.receipt["seq"] < len(whole.events) else "apart"), ""
