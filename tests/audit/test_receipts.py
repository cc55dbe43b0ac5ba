"""Receipts beside the transcripts (verifier/spec/audit.md, 5)."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path
from typing import Any

from tests.audit.hosts import host, listing
from tests.audit.matches import cut, played, receipts_lost
from tests.audit.running import Json, audit, fill, summary
from tests.verifier.forgeries.making import lost, once
from tests.verifier.house import House
from tests.verifier.primitives import OTHER, SIGNER, canonical, document, rechained
from tests.verifier.test_compare import ONE, TWO

KEY = ("--key", SIGNER.public.hex())
LAST = len(ONE.events) - 1


def receipt(house: House, events: int) -> Json:
    """What the house signed when there were so many events."""
    told: Json = json.loads(cut(house, events))["receipt"]
    return told


def written(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def counts(told: Json) -> dict[str, int]:
    return {name: it for name, it in told["receipts"].items() if isinstance(it, int) and it}


def test_receipts_that_agree(tmp_path: Path) -> None:
    """In every file that has some: alone, in an answer, a keep, evidence, a transcript."""
    kept = [receipt(ONE, k) for k in (1, 3, 4)]
    papers = fill(
        tmp_path / "r",
        {
            "one.json": written(kept[0]),
            "answer.json": written({"events": [], "receipt": kept[1]}),
            "a/keep.json.gz": gzip.compress(written({"receipts": kept, "contrary": []})),
            "transcript.json": ONE.transcript(),
            "notes.txt": b"not ours",
        },
    )
    folder = fill(tmp_path / "f", {"a.json": ONE.transcript()})
    told = summary(folder, *KEY, "--receipts", papers)
    assert (told["exit"], told["whole"]) == (0, True)
    assert counts(told) == {"found": 4, "agree": 4}
    said = audit(folder, *KEY, "--receipts", papers).out
    assert "Receipts beside: 4; 4 agree, 0 contradictions" in said


def test_what_does_not_agree(tmp_path: Path) -> None:
    """A receipt for another event convicts, one beyond the end is told, junk costs nobody else."""
    parted = receipt(TWO, len(TWO.events))
    absent, others = played(5), SIGNER.receipt(ONE.match, 2, b"\7" * 32)
    papers = fill(
        tmp_path / "r",
        {
            "evidence.json": written({"receipts": [receipt(ONE, 3)], "against": [parted]}),
            "beyond.json": written(receipt(ONE, LAST + 1)),
            "absent.json": written(receipt(absent, 3)),
            "forged.json": written({**others, "signature": "00" * 64}),
            "foreign.json": written(OTHER.receipt(absent.match, 2, b"\7" * 32)),
            "junk.json": b"[1]",
        },
    )
    waiting = [k for k in range(5, LAST) if ONE.events[k]["at"] > ONE.events[k - 1]["at"]][-1]
    folder = fill(tmp_path / "f", {"a.json": cut(ONE, waiting), "b.json": played(7).transcript()})
    told = summary(folder, *KEY, "--receipts", papers)
    assert told["transcripts"]["verified"] == 2
    due = {"found": 6, "agree": 1, "unusable": 2, "missing": 1}
    due |= (
        {"contradictions": 1, "convict": 1, "beyond": 1}
        if parted["seq"] < waiting
        else {"beyond": 2}
    )
    assert counts(told) == due
    assert told["exit"] == 1
    listed = {one["source"]: one["what"] for one in told["receipts"]["list"]}
    assert listed["beyond.json"] == "beyond"
    assert listed["forged.json"] == listed["foreign.json"] == "unusable"
    assert told["receipts"]["matches"] == [{"match": absent.match, "receipts": 1, "seq": 2}]
    assert [one["code"] for one in told["receipts"]["unreadable"]] == ["source/receipt"]
    said = audit(folder, *KEY, "--receipts", papers).out
    assert f"not there: match {absent.match}, signed up to event 2" in said


def test_a_receipt_for_another_event_convicts(tmp_path: Path) -> None:
    """SPEC 9.5, under the key that was given; without it, it contradicts all the same."""
    at = next(k for k, (a, b) in enumerate(zip(ONE.events, TWO.events, strict=False)) if a != b)
    other = SIGNER.receipt(ONE.match, at, b"\7" * 32)
    papers = fill(tmp_path / "r", {"r.json": written(other)})
    folder = fill(tmp_path / "f", {"a.json": ONE.transcript(), "short.json": cut(ONE, 1)})
    told = summary(folder, *KEY, "--receipts", papers)
    (one,) = told["receipts"]["list"]
    assert (told["exit"], one["what"], one["transcript"]) == (1, "parted", "a.json")
    assert one["comparison"]["convicts"] is True
    assert counts(told) == {"found": 1, "contradictions": 1, "convict": 1}
    assert "CONVICTS the house" in audit(folder, *KEY, "--receipts", papers).out
    assert counts(summary(folder, "--receipts", papers)) == {"found": 1, "contradictions": 1}


def test_a_receipt_of_another_key(tmp_path: Path) -> None:
    """SPEC 9.7: what another pinned key has signed for a match is not its house's word."""
    foreign = OTHER.receipt(ONE.match, 3, b"\7" * 32)
    papers = fill(tmp_path / "r", {"r.json": written(foreign)})
    folder = fill(tmp_path / "f", {"a.json": ONE.transcript()})
    both = (*KEY, "--key", OTHER.public.hex())
    # There may be such a match under that key; here is none.
    told = summary(folder, *both, "--receipts", papers)
    assert (told["exit"], counts(told)) == (2, {"found": 1, "missing": 1})
    for pinned in (KEY, ()):
        told = summary(folder, *pinned, "--receipts", papers)
        assert (told["exit"], counts(told)) == (0, {"found": 1, "unusable": 1})


def test_each_key_has_its_transcript(tmp_path: Path) -> None:
    """A longer transcript of the match under another key does not take the receipt's place."""
    parted = SIGNER.receipt(ONE.match, 3, b"\7" * 32)
    events = copy.deepcopy(ONE.events)
    events[0]["data"]["key_id"] = OTHER.id
    stolen = canonical(document(rechained(events, ONE.events), OTHER)).encode()
    folder = fill(tmp_path / "f", {"a.json": stolen, "b.json": cut(ONE, 5)})
    papers = fill(tmp_path / "r", {"r.json": written(parted), "s.json": written(receipt(ONE, 2))})
    told = summary(folder, *KEY, "--key", OTHER.public.hex(), "--receipts", papers)
    assert told["histories"]["convict"] == 0
    assert counts(told) == {"found": 2, "agree": 1, "contradictions": 1, "convict": 1}
    assert [one["transcript"] for one in told["receipts"]["list"]] == ["b.json"]


def test_a_missing_match_alone(tmp_path: Path) -> None:
    papers = fill(tmp_path / "r", {"r.json": written(receipt(ONE, 3))})
    folder = fill(tmp_path / "f", {"a.json": played(7).transcript()})
    told = summary(folder, *KEY, "--receipts", papers)
    assert (told["exit"], counts(told)) == (2, {"found": 1, "missing": 1})
    told = summary(folder, "--receipts", papers)
    assert counts(told) == {"found": 1, "missing": 1}


def test_what_the_house_says_it_lost(tmp_path: Path) -> None:
    """SPEC 8.7, 9.7: noted, not held against it."""
    short = House(choose=once("stop")).play()
    gone = receipts_lost(short)
    folder = fill(tmp_path / "f", {"a.json": lost(short, gone)})
    papers = fill(tmp_path / "r", {"r.json": canonical(gone).encode()})
    told = summary(folder, *KEY, "--receipts", papers)
    assert (told["exit"], counts(told)) == (0, {"found": 1, "lost": 1})


def test_receipts_beside_a_service(tmp_path: Path) -> None:
    """Those of a match that the service neither lists nor serves are told."""
    papers = fill(
        tmp_path / "r", {"a.json": written(receipt(ONE, 3)), "b.json": written(receipt(TWO, 1))}
    )
    with host(listing({ONE.match: ONE.transcript()})) as served:
        told = summary(served.url, *KEY, "--receipts", papers)
    assert (told["exit"], told["receipts"]["agree"]) == (0, 2)


def test_no_such_folder(tmp_path: Path) -> None:
    folder = fill(tmp_path / "f", {"a.json": ONE.transcript()})
    told = audit(folder, "--receipts", tmp_path / "no", "--json").json()
    assert told["failure"]["code"] == "start/file"
