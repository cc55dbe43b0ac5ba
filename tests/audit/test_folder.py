"""A folder that somebody filled to mislead: each thing a clear line, never a crash or a hang."""

from __future__ import annotations

import ctypes
import gzip
import json
import os
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones_verify.audit import folder as reading
from fairbones_verify.audit.errands import Unread
from tests.audit.matches import opened, played
from tests.audit.running import NOW, Json, audit, fill, summary
from tests.conformance.reading import scenarios
from tests.forge.keys import HOUSE
from tests.verifier.primitives import SIGNER

GOOD = played(1).transcript()
OTHER = opened(2).transcript()


def codes(told: Json, name: str = "unreadable") -> dict[str, str]:
    """Code by source."""
    return {one["source"]: one["code"] for one in told[name]}


def test_files_below_and_packed(tmp_path: Path) -> None:
    files = {
        "one.json": GOOD,
        "a/b/c/two.json.gz": gzip.compress(OTHER),
        "three.json.gz": gzip.compress(GOOD[:99]) + gzip.compress(GOOD[99:]),
        ".hidden/four.json": OTHER,
        "notes.txt": b"not ours",
        "five.JSON": b"not ours either",
    }
    told = summary(fill(tmp_path / "f", files), "--jobs", "2")
    assert (told["exit"], told["whole"]) == (0, True)
    assert told["transcripts"] == {
        "found": 4,
        "verified": 4,
        "refuted": 0,
        "unreadable": 0,
        "unserved": 0,
        "before": 0,
        "skipped_by_list": 0,
    }
    assert told["matches"]["counted"] == 2
    assert told["histories"]["compared"] == 0


def test_what_the_corpus_holds(tmp_path: Path) -> None:
    """A file of tests/vectors and tests/forgeries has the verdict that a single file has."""
    pinned = ["--key", HOUSE.public.hex()]
    wanted = [
        given
        for given in scenarios("vectors/valid", "forgeries/refuted", "forgeries/unreadable")
        if given.told["arguments"] == (pinned if given.expect["verdict"] == "refuted" else [])
        if "insert" not in given.told
    ]
    # A third of them: each is also judged as a single file, in tests/conformance.
    names = {given.name.replace("/", "-") + ".json": given for given in wanted[::3]}
    fill(tmp_path / "f", {name: given.transcript() for name, given in names.items()})
    told = summary(tmp_path / "f", "--jobs", "2", *pinned)
    verdicts = {name: given.expect for name, given in names.items()}
    for verdict in ("verified", "refuted", "unreadable"):
        due = {name for name, expect in verdicts.items() if expect["verdict"] == verdict}
        assert told["transcripts"][verdict] == len(due) > 7
        if verdict != "verified":
            assert {one["source"] for one in told[verdict]} == due
    for one in told["refuted"]:
        failure, expect = one["report"]["failure"], verdicts[one["source"]]
        assert (failure["code"], failure.get("seq")) == (expect["code"], expect.get("seq"))
        assert one["report"]["convicts"] == expect.get("convicts", one["report"]["convicts"])
        assert one["story"]
    for one in told["unreadable"]:
        assert one["code"] == verdicts[one["source"]]["code"]
    assert told["exit"] == 1


def test_exits(tmp_path: Path) -> None:
    good = fill(tmp_path / "good", {"a.json": GOOD})
    junk = fill(tmp_path / "junk", {"a.json": GOOD, "b.json": os.urandom(5000)})
    bad = fill(tmp_path / "bad", {"a.json": GOOD, "b.json": b"[", "c.json": wrong(GOOD)})
    assert [audit(where, "--now", NOW).exit for where in (good, junk, bad)] == [0, 2, 1]
    assert audit(good).out.startswith("NOTHING REFUTED: ")
    assert audit(junk).out.startswith("INCOMPLETE: ")
    assert audit(bad).out.startswith("REFUTED: ")


def wrong(data: bytes) -> bytes:
    """A transcript with one digit changed, which breaks the chain."""
    at = data.index(b'"round_seed":"') + 14
    return data[:at] + (b"0" if data[at : at + 1] != b"0" else b"1") + data[at + 1 :]


def test_it_is_evidence(tmp_path: Path) -> None:
    """What is refuted is told with its report, its place, its hash, and whether it convicts."""
    given = next(it for it in scenarios("forgeries/refuted") if it.name.endswith("points-scores"))
    fill(tmp_path / "f", {"x/forged.json": given.transcript()})
    key = next(one["public_key"] for one in json.loads(given.transcript())["keys"])
    alone, pinned = summary(tmp_path / "f"), summary(tmp_path / "f", "--key", key)
    assert [it["refuted"][0]["report"]["convicts"] for it in (alone, pinned)] == [False, True]
    (one,) = pinned["refuted"]
    assert (one["source"], one["size"]) == ("x/forged.json", len(given.transcript()))
    (house,) = pinned["houses"]
    assert (house["pinned"], house["refuted"], house["convicts"]) == (True, 1, 1)
    assert pinned["keys"] == [house["key_id"]]
    said = audit(tmp_path / "f", "--key", key).out
    assert "points/scores at event" in said
    assert "CONVICTS the house" in said
    assert one["sha256"] in said


def test_what_is_no_transcript(tmp_path: Path) -> None:
    folder = fill(
        tmp_path / "f",
        {
            "empty.json": b"",
            "junk.json": bytes(range(256)) * 40,
            "cut.json": GOOD[:-50],
            "no.json.gz": GOOD,
            "half.json.gz": gzip.compress(GOOD)[:-20],
            "bomb.json.gz": gzip.compress(b" " * 200_000_000, 1),
            "good.json": GOOD,
        },
    )
    with (folder / "huge.json").open("wb") as file:
        file.write(GOOD)
        file.truncate(20_000_000_000)  # it has no such size on disk
    told = summary(folder, "--timeout", "60")
    assert codes(told) == {
        "empty.json": "format/json",
        "junk.json": "format/utf8",
        "cut.json": "format/json",
        "no.json.gz": "source/gzip",
        "half.json.gz": "source/gzip",
        "bomb.json.gz": "format/size",
        "huge.json": "format/size",
    }
    assert (told["exit"], told["transcripts"]["verified"]) == (2, 1)


def test_pipes_and_links(tmp_path: Path) -> None:
    outside = fill(tmp_path / "outside", {"secret.json": OTHER})
    folder = fill(tmp_path / "f", {"in/good.json": GOOD, "in/data": OTHER})
    os.mkfifo(folder / "pipe.json")
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to(folder)
    (folder / "in" / "up").symlink_to("..")
    (folder / "self.json").symlink_to("self.json")
    (folder / "out.json").symlink_to(outside / "secret.json")
    (folder / "away").symlink_to(outside)
    (folder / "gone.json").symlink_to("nothing")
    (folder / "zero.json").symlink_to("/dev/zero")
    (folder / "inside.json").symlink_to("in/data")
    (folder / "dir.json").mkdir()
    told = summary(folder)
    assert codes(told, "unsearched") == {
        "pipe.json": "source/kind",
        "self.json": "source/link",
        "out.json": "source/link",
        "away": "source/link",
        "gone.json": "source/link",
        "zero.json": "source/link",
    }
    assert told["transcripts"]["verified"] == told["transcripts"]["found"] == 2
    assert (told["exit"], told["whole"]) == (2, False)
    said = audit(folder).out
    assert "Not searched:" in said
    assert "(not all of it, see below)" in said


def test_a_pipe_that_was_a_file_when_it_was_found(tmp_path: Path) -> None:
    """Between finding and reading the name may have become something else."""
    path = tmp_path / "x.json"
    os.mkfifo(path)
    for name in (path, tmp_path):
        with pytest.raises(Unread) as caught:
            reading.contents(os.fsencode(name))
        assert caught.value.code == "source/kind"
    with pytest.raises(Unread) as caught:
        reading.contents(os.fsencode(tmp_path / "nothing"))
    assert caught.value.code == "source/file"


def test_a_file_that_changes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fill(tmp_path, {"x.json": GOOD}) / "x.json"
    real, times = os.fstat, iter(range(100))
    changes = 2

    def fstat(handle: int) -> os.stat_result:
        if next(times) % 2 and changes > 0:
            with path.open("ab") as file:
                file.write(b" ")
        return real(handle)

    monkeypatch.setattr(reading, "PAUSE", 0)
    monkeypatch.setattr(os, "fstat", fstat)
    with pytest.raises(Unread) as caught:
        reading.contents(os.fsencode(path))
    assert caught.value.code == "source/changed"
    changes = 0
    assert reading.contents(os.fsencode(path))[0].startswith(GOOD)


def test_somebody_writes_all_the_time(tmp_path: Path) -> None:
    folder = fill(tmp_path / "f", {"calm.json": GOOD, "wild.json": GOOD})
    done = threading.Event()

    def write() -> None:
        with (folder / "wild.json").open("r+b") as file:
            while not done.is_set():
                file.truncate(100)
                file.seek(0)
                file.write(GOOD)
                file.flush()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        told = summary(folder)
    finally:
        done.set()
        writer.join()
    counts = told["transcripts"]
    assert counts["verified"] + counts["unreadable"] == 2
    assert codes(told).keys() <= {"wild.json"}
    assert set(codes(told).values()) <= {"source/changed", "format/json"}


def humbly() -> None:
    """Without what lets root read everything, in a process that is about to begin."""
    if os.geteuid() == 0:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.fixture
def shut(tmp_path: Path) -> Iterator[Path]:
    """A folder of which a part may not be read, and may be again afterwards."""
    folder = fill(tmp_path / "f", {"a.json": GOOD, "b.json": OTHER, "shut/c.json": OTHER})
    (folder / "b.json").chmod(0)
    (folder / "shut").chmod(0)
    yield folder
    (folder / "shut").chmod(0o700)


def test_a_folder_without_rights(shut: Path) -> None:
    listing = ["ls", str(shut / "shut")]
    if not subprocess.run(listing, preexec_fn=humbly, capture_output=True, check=False).returncode:
        pytest.skip("whoever runs this may read everything and cannot help it")
    told = summary(shut, "--resume", shut.parent / "state", preexec_fn=humbly)
    assert (told["exit"], codes(told)) == (2, {"b.json": "source/file"})
    assert codes(told, "unsearched") == {"shut": "source/folder"}
    assert told["unreadable"][0]["got"] == "Permission denied"
    (shut / "b.json").chmod(0o600)  # what could not be read is not written down in the state
    told = summary(shut, "--resume", shut.parent / "state", preexec_fn=humbly)
    assert (told["exit"], codes(told)) == (2, {})


def test_names_that_mislead(tmp_path: Path) -> None:
    """A name is shown as plain text, and the file of that name is read."""
    names = [
        b"\x1b[31m<b>.json",
        b"line\nbreak.json",
        b"\xff\xfe not utf8.json",
        "\u202eright to left.json".encode(),
        b"back\\slash.json",
    ]
    folder = tmp_path / "f"
    folder.mkdir()
    for name in names:
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(b"[")
    told = summary(folder, "--resume", tmp_path / "state")
    assert {one["source"] for one in told["unreadable"]} == {
        "\\u001b[31m\\u003cb\\u003e.json",
        "line\\u000abreak.json",
        "\\udcff\\udcfe not utf8.json",
        "\\u202eright to left.json",
        "back\\u005cslash.json",
    }
    assert summary(folder, "--resume", tmp_path / "state") == told
    audit(folder)


def test_strings_of_a_transcript_are_escaped(tmp_path: Path) -> None:
    nasty = "\x1b[31m<script>alert(1)</script>\u202e\u0007`$(x)`"
    value = json.loads(GOOD)
    value["events"][1]["data"]["name"] = nasty
    value["events"][0]["data"]["reference"] = nasty
    spelled = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    folder = fill(tmp_path / "f", {"a.json": spelled.encode()})
    for said in (audit(folder).out, audit(folder, "--json").out):
        assert "script" in said
        assert "<" not in said


def test_since_and_limit(tmp_path: Path) -> None:
    houses = [opened(k) for k in range(4)]
    early = opened(9)
    files = [house.transcript() for house in houses]
    data = early.forged(lambda events: [event.update(at=1000) for event in events])
    folder = fill(tmp_path / "f", [*files, data, b"junk"])
    told = summary(folder, "--since", "2026-01-01T00:00:00Z")
    assert told["transcripts"] == {
        "found": 6,
        "verified": 4,
        "refuted": 0,
        "unreadable": 1,
        "unserved": 0,
        "before": 1,
        "skipped_by_list": 0,
    }
    assert not told["whole"]
    told = summary(folder, "--limit", "3")
    assert (told["transcripts"]["found"], told["whole"]) == (3, False)
    told = summary(folder, "--limit", "6")
    assert told["whole"]
    assert SIGNER.id in {one["key_id"] for one in told["houses"]}
