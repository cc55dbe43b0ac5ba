"""Several transcripts of one match in a folder (verifier/spec/audit.md, 4)."""

from __future__ import annotations

import gzip
from pathlib import Path

from fairbones_verify.audit import course
from fairbones_verify.audit.course import Course
from fairbones_verify.audit.errands import Order
from fairbones_verify.audit.index import Index
from fairbones_verify.audit.progress import Progress
from tests.audit.matches import cut, played, receipts_lost
from tests.audit.running import audit, fill, summary
from tests.verifier.forgeries.making import lost, once
from tests.verifier.house import House
from tests.verifier.primitives import SIGNER, canonical, document
from tests.verifier.test_compare import ONE, TWO

KEY = ("--key", SIGNER.public.hex())
A, B = ONE.transcript(), TWO.transcript()


def test_two_histories_convict(tmp_path: Path) -> None:
    """SPEC 6.4: "never two hashes for one (match, seq)"; each alone verifies."""
    folder = fill(tmp_path / "f", {"x/a.json": A, "y/b.json": B, "z.json": played(5).transcript()})
    told = summary(folder, *KEY)
    assert (told["exit"], told["transcripts"]["verified"]) == (1, 3)
    found = told["histories"]
    assert (found["compared"], found["contradictions"], found["convict"]) == (1, 1, 1)
    (one,) = found["list"]
    sides = [("x/a.json", len(ONE.events)), ("y/b.json", len(TWO.events))]
    assert [one["a"], one["b"]] == [name for name, _ in sorted(sides, key=lambda it: -it[1])]
    assert one["match"] == ONE.match
    assert one["comparison"]["convicts"] is True
    assert told["matches"]["counted"] == 2
    assert "CONVICTS the house" in audit(folder, *KEY).out
    alone = summary(folder)
    assert (alone["exit"], alone["histories"]["convict"]) == (1, 0)
    assert alone["histories"]["list"][0]["comparison"]["signed"] == "unpinned"


def test_beginnings_and_copies_are_no_contradiction(tmp_path: Path) -> None:
    places = [1, 3, 4, len(ONE.events)]  # where it waited
    files = {f"{k}.json": cut(ONE, k) for k in places}
    files |= {"copy.json": A, "packed.json.gz": gzip.compress(A), "newline.json": A + b"\n"}
    told = summary(fill(tmp_path / "f", files), *KEY)
    assert (told["exit"], told["matches"]["counted"]) == (0, 1)
    # Of the copies one counts; the one with a newline is another file of the same events.
    assert told["histories"]["compared"] == 10
    assert told["histories"]["contradictions"] == 0


def test_a_history_that_was_lost(tmp_path: Path) -> None:
    """SPEC 8.7: the house says itself that it lost it."""
    short = House(choose=once("stop")).play()
    assert short.events == ONE.events[: len(short.events)]
    void = lost(short, receipts_lost(short))
    told = summary(fill(tmp_path / "f", {"a.json": A, "b.json": void}), *KEY)
    assert told["histories"]["lost"] == 1
    assert (told["exit"], told["histories"]["contradictions"]) == (0, 0)


def test_a_file_that_somebody_changed(tmp_path: Path) -> None:
    """It is refuted, and the two together convict nobody."""
    value = document(ONE.events)
    value["events"] = [*ONE.events[:-1], {**ONE.events[-1], "at": ONE.events[-1]["at"] + 1}]
    folder = fill(tmp_path / "f", {"a.json": A, "b.json": canonical(value).encode()})
    told = summary(folder, *KEY)
    assert (told["exit"], told["transcripts"]["refuted"]) == (1, 1)
    (one,) = told["histories"]["list"]
    assert (one["comparison"]["signed"], told["histories"]["convict"]) == ("none", 0)


def test_many_transcripts_of_one_match() -> None:
    """Beyond a block not each is compared with each, and that is said."""
    index = Index(Order("folder", "."))
    for k in range(150):
        line = {"source": f"{k:03}", "verdict": "verified", "match": "ab" * 16, "events": 200 - k}
        index.take({**line, "sha256": f"{k:064x}"})
    it = Course(index.order, index, None, Progress(None))  # type: ignore[arg-type]
    groups = [errand.given for errand in it._groups()]
    assert [len(group["sources"]) for group in groups] == [64, 64, 24]
    assert all(group["sources"][0] == "000" for group in groups)
    assert {name for group in groups for name in group["sources"]} == {
        f"{k:03}" for k in range(150)
    }
    within = sum(len(group["sources"]) * (len(group["sources"]) - 1) // 2 for group in groups)
    assert within + it.not_compared == 150 * 149 // 2
    assert course.BLOCK == 64
    index.close()
