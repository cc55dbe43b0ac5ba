"""What has to hold after an attack: one history, one receipt for each head, nothing appended."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairbones.core.protocol.chain import receipt_message
from tests.api.table import event_hash
from tests.hostile.table import Table
from tests.hostile.wire import Answer, Json, Request

VERIFIER = Path(__file__).resolve().parents[2] / "verifier" / "fairbones_verify"
PROBLEM = ["type", "title", "status", "detail", "code"]


def verified(transcript: bytes, *more: str) -> None:
    """A verifier in a process of its own, without even site-packages, finds nothing wrong."""
    argv = [sys.executable, "-I", "-S", str(VERIFIER), "-", "--json", *more]
    ended = subprocess.run(argv, input=transcript, capture_output=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def one_history(table: Table, answers: Iterable[Answer] = ()) -> list[Json]:
    """The events: dense, chained, verified, one for each seq; and every head that was shown in
    these answers is one of them, under one receipt.
    """
    transcript = table.transcript()
    told = json.loads(transcript)
    events: list[Json] = told["events"]
    assert [it["seq"] for it in events] == list(range(len(events)))
    hashes = [event_hash(it) for it in events]
    assert [it["prev"] for it in events[1:]] == hashes[:-1]
    verified(transcript)
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["keys"][0]["public_key"]))
    seen: dict[int, Json] = {}
    for answer in answers:
        for head, receipt in shown(answer.told()):
            seq = receipt["seq"]
            assert (seq, receipt["event_hash"]) == (head["seq"], head["event_hash"])
            assert receipt["match"] == table.match
            assert hashes[seq] == receipt["event_hash"]
            assert seen.setdefault(seq, receipt) == receipt
            message = receipt_message(bytes.fromhex(table.match), seq, bytes.fromhex(hashes[seq]))
            public.verify(bytes.fromhex(receipt["signature"]), message)
    return events


def shown(told: Json) -> list[tuple[Json, Json]]:
    """The heads that an answer shows, each with its receipt: there is no head without one."""
    heads = [told["head"]] if "head" in told else []
    heads += [told["view"]["head"]] if "view" in told else []
    assert not heads or "receipt" in told, told
    return [(head, told["receipt"]) for head in heads]


def problem(answer: Answer, status: int, code: str) -> Json:
    """A refusal in the one shape, with the head where it came too late or second."""
    assert (answer.status, answer.code) == (status, code), answer.body
    assert answer.fields["content-type"] == "application/problem+json"
    assert answer.fields["cache-control"] == "no-store"
    told = answer.told()
    assert list(told)[:5] == PROBLEM
    assert told["status"] == status
    assert b"Traceback" not in answer.body
    assert b".py" not in answer.body
    if status == 410 or code == "match/stale":
        assert shown(told)
    return told


@contextlib.contextmanager
def untouched(table: Table) -> Iterator[Json]:
    """Nothing is appended: the head and the bytes of the transcript are as before."""
    head, transcript = table.head(), table.transcript()
    yield head
    assert table.head() == head
    assert table.transcript() == transcript


def refused(table: Table, request: Request, status: int, code: str) -> Json:
    """The request gets this refusal, and nothing is appended."""
    return all_refused(table, [request], status, code)[0]


def all_refused(table: Table, requests: Iterable[Request], status: int, code: str) -> list[Json]:
    """So does each of these."""
    with untouched(table) as head:
        found = [problem(table.house.ask(request), status, code) for request in requests]
    assert all(shown_head == head for told in found for shown_head, _ in shown(told))
    return found


def same(again: Answer, first: Answer) -> None:
    """A repeated request was answered as it was the first time."""
    assert again.status == 200, again.body
    assert again.timeless() == first.timeless()
