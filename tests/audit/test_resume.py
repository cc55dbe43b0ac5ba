"""An audit that is killed and goes on: STATE (verifier/spec/audit.md, 6)."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest

from tests.audit.matches import cut, opened, played, revealed
from tests.audit.running import NOW, Json, alive, audit, begin, clerks_of, fill, summary
from tests.conformance.reading import scenarios
from tests.verifier.primitives import OTHER, SIGNER

HOUSES = [played(k) for k in range(4)]
FILES = [house.transcript() for house in HOUSES]


def lines(state: Path) -> list[Json]:
    """What was written down, without the first line."""
    return [json.loads(line) for line in state.read_bytes().split(b"\n")[1:-1]]


def known(folder: Path, state: Path) -> int:
    """How many transcripts an audit did not verify again."""
    said = audit(folder, "--resume", state, "--now", NOW).err
    found = re.search(r"([0-9]+) known before", said)
    return int(found[1]) if found else 0


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All kinds of transcripts, also several of one match."""
    folder = tmp_path_factory.mktemp("corpus")
    given = scenarios("vectors/valid", "forgeries/refuted", "forgeries/unreadable")
    for one in given[::5]:
        if "insert" not in one.told:
            fill(folder, {f"{one.name}.json": one.transcript()})
    return folder


def test_killed_in_the_middle(corpus: Path, tmp_path: Path) -> None:
    """The same summary as of an audit that nobody killed, and nothing is verified twice."""
    words = ("--key", SIGNER.public.hex(), "--jobs", "2")
    uninterrupted = summary(corpus, *words)
    state, kills = tmp_path / "state", 0
    for more in (5, 40):
        process = begin(corpus, *words, "--resume", state, log=tmp_path / "log")
        due = (len(lines(state)) if state.exists() else 0) + more
        end = time.monotonic() + 60
        while not state.exists() or state.read_bytes().count(b"\n") <= due:
            assert process.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < end
            time.sleep(0.01)
        clerks = clerks_of(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        kills += process.wait() == -signal.SIGKILL
        while any(map(alive, clerks)):  # nobody is left behind
            assert time.monotonic() < end
            time.sleep(0.01)
    assert kills == 2
    done = len(lines(state))
    found = uninterrupted["transcripts"]["found"]
    assert 45 <= done < found
    said = audit("--json", "--now", NOW, corpus, *words, "--resume", state)
    assert said.json() == uninterrupted
    assert f"{done} known before" in said.err
    assert len(lines(state)) == found
    assert len({line["source"] for line in lines(state)}) == found
    again = audit("--json", "--now", NOW, corpus, *words, "--resume", state)
    assert again.json() == uninterrupted
    assert f"{found} known before" in again.err


def test_broken_off_by_its_user(corpus: Path, tmp_path: Path) -> None:
    """Ctrl-C: no word of complaint, and nobody is left behind."""
    state, log = tmp_path / "state", tmp_path / "log"
    process = begin(corpus, "--resume", state, "--jobs", "2", "--quiet", log=log)
    end = time.monotonic() + 60
    while not state.exists() or state.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < end
        time.sleep(0.01)
    clerks = clerks_of(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(30) == 130
    while any(map(alive, clerks)):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert log.read_bytes() == b""
    assert len(lines(state)) >= 2


def test_stopped_for_a_while(tmp_path: Path) -> None:
    """Ctrl-Z, and later on: nobody has been slow meanwhile."""
    houses = [opened(200 + k).transcript() for k in range(40)]
    folder, state = fill(tmp_path / "f", houses), tmp_path / "state"
    words = ("--timeout", "2", "--quiet", "--json", "--resume", state)
    process = begin(folder, *words, log=tmp_path / "log")
    end = time.monotonic() + 60
    while not state.exists() or state.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < end
        time.sleep(0.01)
    everybody = [process.pid, *clerks_of(process.pid)]
    for sent in (signal.SIGSTOP, signal.SIGCONT):
        for pid in everybody:
            os.kill(pid, sent)
        time.sleep(6 if sent == signal.SIGSTOP else 0)
    assert process.wait(60) == 0
    assert json.loads((tmp_path / "log").read_bytes())["transcripts"]["verified"] == 40


def test_a_line_that_was_cut(tmp_path: Path) -> None:
    """Every byte may have been the last that was written."""
    folder, state = fill(tmp_path / "f", FILES), tmp_path / "state"
    whole = summary(folder, "--resume", state)
    text = state.read_bytes()
    head, *rest = text.splitlines(keepends=True)
    middle = len(head) + len(rest[0]) + len(rest[1])
    for size in (0, len(head), middle, len(text) - 1):
        state.write_bytes(text[:size])
        assert summary(folder, "--resume", state) == whole
        assert state.read_bytes().startswith(head)
        assert {one["source"] for one in lines(state)} == {one["source"] for one in lines(state)}
        assert len(lines(state)) == len(FILES)


ODD = [
    b'{"source":7}\n',
    b'{"source":"0001.json"}\n',
    b'{"source":"0001.json","size":1,"sha256":"ab","verdict":"verified"}\n',
    b'{"source":"0001.json","size":1,"sha256":"ab","verdict":"fine"}\n',
]


def test_a_line_that_is_not_understood(tmp_path: Path) -> None:
    """It is passed over, and its transcript is verified again."""
    folder, state = fill(tmp_path / "f", FILES), tmp_path / "state"
    whole = summary(folder, "--resume", state)
    text = state.read_bytes().splitlines(keepends=True)
    text[2] = b"\xff{nonsense\n"
    state.write_bytes(b"".join([*text[:3], b"[]\n", *ODD, *text[3:]]))
    assert summary(folder, "--resume", state) == whole
    assert known(folder, state) == len(FILES)


def test_a_file_that_was_changed(tmp_path: Path) -> None:
    """By size and hash: also where name, size and time are as they were."""
    folder, state = fill(tmp_path / "f", FILES), tmp_path / "state"
    summary(folder, "--resume", state)
    path = folder / "0001.json"
    stamp, text = path.stat(), path.read_bytes()
    at = text.index(b'"round_seed":"') + 14
    path.write_bytes(text[:at] + (b"1" if text[at : at + 1] == b"0" else b"0") + text[at + 1 :])
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert path.stat().st_size == stamp.st_size
    said = audit("--json", "--now", NOW, folder, "--resume", state)
    told = said.json()
    assert "3 known before" in said.err
    assert (told["exit"], [one["source"] for one in told["refuted"]]) == (1, ["0001.json"])
    assert told["matches"]["counted"] == 3
    path.write_bytes(text)
    assert summary(folder, "--resume", state)["exit"] == 0


def test_a_match_that_went_on(tmp_path: Path) -> None:
    """What is known of it is the beginning of what is there now."""
    house, state = HOUSES[0], tmp_path / "state"
    folder = fill(tmp_path / "f", {"a.json": cut(house, 5), "b.json": FILES[1]})
    told = summary(folder, "--resume", state)
    assert told["matches"]["waiting"]["hands"] == 0
    fill(folder, {"a.json": house.transcript()})
    told = summary(folder, "--resume", state)
    assert (told["exit"], told["matches"]["played"]) == (0, 2)
    assert told["histories"]["compared"] == 1
    assert known(folder, state) == 2
    assert told == summary(folder, "--resume", state)


def test_a_receipt_of_an_earlier_audit_convicts(tmp_path: Path) -> None:
    """The state keeps the receipts: a house that tells another story later is found out."""
    house, state, key = revealed(5, 0), tmp_path / "state", ("--key", SIGNER.public.hex())
    folder = fill(tmp_path / "f", {"a.json": house.transcript(), "b.json": FILES[1]})
    assert summary(folder, *key, "--resume", state)["exit"] == 0
    other = house.forged(lambda events: events[1].update(at=events[1]["at"] + 1))
    fill(folder, {"a.json": other})
    for _ in range(2):
        told = summary(folder, *key, "--resume", state)
        (one,) = told["histories"]["list"]
        assert (told["exit"], told["transcripts"]["verified"]) == (1, 2)
        assert (one["a"], one["b"]) == ("a.json", "an earlier audit")
        assert one["comparison"]["convicts"] is True
        assert one["receipt"]["signature"]
        assert told["histories"]["convict"] == 1
    fill(folder, {"a.json": house.transcript()})  # put back: it is not forgotten
    assert summary(folder, *key, "--resume", state)["histories"]["convict"] == 2
    assert "an earlier audit" in audit(folder, *key, "--resume", state).out


def test_what_has_gone(tmp_path: Path) -> None:
    folder, state = fill(tmp_path / "f", [*FILES, b"junk"]), tmp_path / "state"
    assert summary(folder, "--resume", state)["gone"] == []
    (folder / "0002.json").unlink()
    (folder / "0004.json").unlink()
    told = summary(folder, "--resume", state)
    match = HOUSES[2].match
    assert told["gone"] == [{"source": "0002.json", "match": match}, {"source": "0004.json"}]
    assert (told["exit"], told["transcripts"]["found"]) == (0, 3)
    assert "not there any more" in audit(folder, "--resume", state).out
    assert summary(folder, "--resume", state, "--limit", "1")["gone"] == []


def test_a_folder_may_be_moved(tmp_path: Path) -> None:
    folder, state = fill(tmp_path / "f", FILES), tmp_path / "state"
    summary(folder, "--resume", state)
    shutil.move(folder, tmp_path / "g")
    assert known(tmp_path / "g", state) == len(FILES)


def test_a_state_of_something_else(tmp_path: Path) -> None:
    folder, state = fill(tmp_path / "f", FILES[:1]), tmp_path / "state"
    summary(folder, "--resume", state)
    before = state.read_bytes()
    words: list[list[str | Path]] = [
        [folder, "--key", OTHER.public.hex()],
        ["http://127.0.0.1:1"],
    ]
    for more in words:
        told = audit(*more, "--resume", state, "--json").json()
        assert told["failure"]["code"] == "start/state"
    assert state.read_bytes() == before
    edited = before.replace(b'"version":"', b'"version":"9')
    for text in (b"hello\n", b"{}\n", b'{"audit":2}\n', edited):
        state.write_bytes(text)
        told = audit(folder, "--resume", state, "--json").json()
        assert told["failure"]["code"] == "start/state"
        assert state.read_bytes() == text
    told = audit(folder, "--resume", tmp_path / "no" / "such" / "folder", "--json").json()
    assert told["failure"]["code"] == "start/state"


def refused(path: Path, *words: str | Path) -> None:
    """The audit does not start, and the file is as it was."""
    before = path.read_bytes(), path.stat().st_mtime_ns
    told = audit(*words, "--json").json()
    assert told["failure"]["code"] in ("start/state", "start/file"), told
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_evidence_in_place_of_a_state(tmp_path: Path) -> None:
    """A transcript as it was served has no end of line; nor has half of a first line."""
    folder, state = fill(tmp_path / "f", FILES[:1]), tmp_path / "state"
    summary(folder, "--resume", state)
    head = state.read_bytes().splitlines(keepends=True)[0]
    for text in (FILES[1], FILES[1] + b"\n", b"x", b"\n", b"{}", head[:-1], b"\n" + head):
        state.write_bytes(text)
        refused(state, folder, "--resume", state)
    transcript = folder / "0000.json"
    refused(transcript, folder, "--resume", transcript)
    link = tmp_path / "link"
    link.symlink_to(transcript)
    refused(transcript, folder, "--resume", link)
    assert link.is_symlink()
    for odd in (folder, tmp_path / "pipe", Path("/dev/null")):
        if odd.name == "pipe":
            os.mkfifo(odd)
        told = audit(folder, "--resume", odd, "--json").json()
        assert told["failure"]["code"] == "start/state", odd


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to every file")
def test_a_state_that_is_read_only(tmp_path: Path) -> None:
    folder, state = fill(tmp_path / "f", FILES[:1]), tmp_path / "state"
    summary(folder, "--resume", state)
    state.chmod(0o444)
    refused(state, folder, "--resume", state)


def test_out_is_written_over_nothing_else(tmp_path: Path) -> None:
    """Only what an earlier audit wrote there goes, and a file without a byte."""
    folder, out, state = fill(tmp_path / "f", FILES[:1]), tmp_path / "out", tmp_path / "state"
    told = summary(folder, "--out", out, "--resume", state)
    out.write_bytes(b"")
    for _ in range(2):
        assert summary(folder, "--out", out) == told
        assert json.loads(out.read_bytes()) == told
    refused(state, folder, "--out", state)
    transcript, link = folder / "0000.json", tmp_path / "link"
    link.symlink_to(transcript)
    refused(transcript, folder, "--out", transcript)
    refused(transcript, folder, "--out", link)
    part = tmp_path / "out.part"
    part.write_bytes(FILES[0])
    refused(part, folder, "--out", out)
    part.write_bytes(b"")  # what a kill has left
    assert summary(folder, "--out", out) == told
    assert not part.exists()
    out.chmod(0o444)
    refused(out, folder, "--out", out)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for odd in (folder, pipe, Path("/dev/null")):
        words = audit(folder, "--out", odd, "--json").json()
        assert words["failure"]["code"] == "start/file", odd
    assert not Path("/dev/null").is_file()
    both = tmp_path / "both"
    words = audit(
        folder, "--out", both, "--resume", tmp_path / "f" / ".." / "both", "--json"
    ).json()
    assert words["failure"]["code"] == "start/usage"
    assert not both.exists()
    assert {path.name for path in folder.iterdir()} == {"0000.json"}


def test_two_audits_with_one_state(tmp_path: Path) -> None:
    folder, state = fill(tmp_path / "f", FILES[:1]), tmp_path / "state"
    summary(folder, "--resume", state)
    fcntl = pytest.importorskip("fcntl")
    with state.open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        told = audit(folder, "--resume", state, "--json").json()
        assert told["failure"]["code"] == "start/state"
        assert "being written" in told["failure"]["got"]
    assert summary(folder, "--resume", state)["exit"] == 0


def test_an_unfinished_match_is_overdue_later(tmp_path: Path) -> None:
    """The clock is that of the audit, whatever is written down."""
    folder, state = fill(tmp_path / "f", [opened(7).transcript()]), tmp_path / "state"
    early = summary(folder, "--resume", state, "--now", "2026-01-01")
    late = summary(folder, "--resume", state)
    assert [len(told["overdue"]) for told in (early, late)] == [0, 1]
