"""Matches from store to store: hash for hash, whole or refused, as often as you like."""

from __future__ import annotations

import hashlib
import json
import random
import stat
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairbones.archive.exporting import chosen, export
from fairbones.archive.importing import import_
from fairbones.house.ports import Stored, Whole
from fairbones.keys.files import key_files
from fairbones.keys.keyring import open_keyring
from fairbones.keys.vault import sealed_under
from fairbones_verify import verify
from tests.cli.houses import Place, begun, finished, transcripts


def texts(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def undue(file: Path) -> list[Any]:
    """The matches of an export, but for when they are due."""
    told = [json.loads(line)["match"] for line in texts(file)[1:-1]]
    return [it | {"due": None} for it in told]


def resealed(line: bytes, change: Callable[[Any], None]) -> bytes:
    """A line with another match in it, and the digest of that."""
    told = json.loads(line)["match"]
    change(told)
    text = json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    digest = hashlib.sha256(text).hexdigest()
    return b'{"match":' + text + b',"sha256":"' + digest.encode() + b'"}\n'


@pytest.fixture
def exported(place: Place, seed: random.Random, tmp_path: Path) -> Path:
    """Three matches, one over and two not."""
    with place.serving(seed) as party:
        finished(party), begun(party), party.open()
    place.run("export", str(tmp_path / "three.jsonl")).ok()
    return tmp_path / "three.jsonl"


@pytest.fixture
def empty(place: Place, tmp_path: Path) -> Place:
    """Another store, with the same keys."""
    other = Place(tmp_path / "other")
    other.data.mkdir(mode=0o700)
    other.keys.symlink_to(place.keys)
    return other


def test_there_and_back_again(
    place: Place, shared: Place, empty: Place, seed: random.Random, tmp_path: Path
) -> None:
    """SQLite to Valkey to SQLite, and a match that is played on in each."""
    with place.serving(seed) as party:
        over, going = finished(party), begun(party)
        listless = party.open(listed=False)
        match_ids = [it.match_id for it in (over, going, listless)]
        papers = transcripts(party, match_ids)
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    said = place.process("export", str(first)).ok()
    assert said.out == ""
    assert said.err.splitlines() == [
        f"fairbones: the store is {place.database}",
        "fairbones: 3 matches exported",
    ]
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert (
        shared.process("import", "--running", str(first)).ok().out
        == "3 matches imported, 0 were here\n"
    )
    shared.run("export", str(second)).ok()
    # The header has the time; and the lines stand in the order of ids in both.
    # When to look next follows from the events, and is put right on the way in.
    assert undue(second) == undue(first)
    with shared.serving(seed) as party:
        assert transcripts(party, match_ids) == papers
        going.party.house = going.house = party.house
        going.play_out()
        paper = party.house.transcript(going.match_id)
        assert verify(paper).verdict == "verified"
    piped = shared.run("export", "-").ok()
    assert empty.run("import", "--running", "-", "--json", data=piped.out.encode()).ok().json() == {
        "kept": 3,
        "here": 0,
        "left": 0,
        "problems": [],
    }
    with empty.serving(seed) as party:
        assert transcripts(party, match_ids) == [papers[0], paper, papers[2]]
    for match_id in match_ids:
        assert replace(empty.whole(match_id), due=0) == replace(shared.whole(match_id), due=0)


def test_twice_is_once(exported: Path, empty: Place) -> None:
    assert (
        empty.run("import", "--running", str(exported)).ok().out
        == "3 matches imported, 0 were here\n"
    )
    assert (
        empty.run("import", "--running", str(exported)).ok().out
        == "0 matches imported, 3 were here\n"
    )


def test_matches_that_are_not_over_are_taken_when_it_is_said(
    place: Place, exported: Path, empty: Place, seed: random.Random
) -> None:
    """From a file and from a pipe: a second history is nobody's default."""
    content = exported.read_bytes()
    for words, data in (((str(exported),), None), (("-",), content)):
        said = empty.run("import", *words, data=data).refused()
        assert "nothing is imported: 2 matches of this file are not over" in said
        assert "--ended-only" in said
        assert "out of service for good" in said
        assert not empty.database.exists()
    piped = empty.process("import", "-", data=content)
    assert (piped.code, "second history" in piped.err) == (3, True)
    ended = empty.run("import", "--ended-only", "--json", "-", data=content).ok()
    assert ended.json() == {"kept": 1, "here": 0, "left": 2, "problems": []}
    assert "2 matches left out: not over" in ended.err
    over = next(it for it in texts(exported)[1:-1] if b"match_ended" in it)
    assert empty.whole(bytes.fromhex(json.loads(over)["match"]["id"])) is not None
    # What is over needs no word; neither does a file in which nothing of ours can be read.
    place.run("export", str(exported) + ".over", "--ended-before", "2040-01-01").ok()
    told = empty.process("import", "-", data=Path(f"{exported}.over").read_bytes()).ok()
    assert told.out == "0 matches imported, 1 were here\n"
    assert empty.run("import", "--ended-only", "--running", str(exported)).code == 2


def test_a_seed_under_a_retired_key_comes_under_one_that_is_read(
    place: Place, exported: Path, empty: Place, seed: random.Random
) -> None:
    """The service that is started next reads no retired key."""
    (old,) = key_files(place.keys, "kek")
    newer = place.run("keys", "rotate", "kek", "--json").ok().json()["id"]
    place.run("keys", "rewrap").ok()
    place.run("keys", "retire", old.key_id).ok()
    assert place.run("backup", "--check", str(exported)).ok().out.endswith("3 matches, checked\n")
    empty.run("import", "--running", str(exported)).ok()
    match_ids = [bytes.fromhex(json.loads(it)["match"]["id"]) for it in texts(exported)[1:-1]]
    for match_id in match_ids:
        assert sealed_under(empty.whole(match_id).stored.sealed_seed) == newer
    with empty.serving(seed) as party:
        assert len(transcripts(party, match_ids)) == 3


def test_a_choice_of_matches(place: Place, seed: random.Random, tmp_path: Path) -> None:
    with place.serving(seed) as party:
        over, going = finished(party).match_id.hex(), begun(party).match_id.hex()

    def ids(*words: str) -> list[str]:
        told = [
            json.loads(line) for line in place.run("export", "-", *words).ok().out.split("\n")[:-1]
        ]
        assert told[-1]["end"]["matches"] == len(told) - 2
        return [it["match"]["id"] for it in told[1:-1]]

    assert ids() == sorted([over, going])
    assert ids("--match", going, "--match", over, "--match", going) == [going, over]
    assert ids("--ended-before", "2040-01-01") == [over]
    assert ids("--ended-before", "2001-01-01T00:00:00Z") == []
    file = tmp_path / "file"
    assert "no match 0000" in place.run("export", str(file), "--match", "0" * 32).refused()
    assert place.run("export", str(file), "--match", "zz").code == 2
    assert place.run("export", str(file), "--ended-before", "soon").code == 2
    assert list(tmp_path.glob("file*")) == []


def test_a_file_is_not_written_over(place: Place, exported: Path) -> None:
    before = exported.read_bytes()
    assert "exists" in place.run("export", str(exported)).refused()
    assert exported.read_bytes() == before
    assert "No such file" in place.run("export", "/nowhere/at/all").refused()
    assert "No such file" in place.run("import", "--running", "/nowhere/at/all").refused()


DAMAGES: dict[str, Callable[[Any], None]] = {
    "event": lambda it: it["steps"][0]["events"].__setitem__(
        0, it["steps"][0]["events"][0].replace('"seats":2', '"seats":3')
    ),
    "spelling": lambda it: it["steps"][0]["events"].__setitem__(
        0, " " + it["steps"][0]["events"][0]
    ),
    "no event": lambda it: it["steps"][0]["events"].clear(),
    "no step": lambda it: it["steps"].clear(),
    "order": lambda it: it["steps"][0].update(first_seq=1),
    "no number": lambda it: it["steps"][0].update(first_seq="0"),
    "receipt": lambda it: it["steps"][0].update(
        receipt=it["steps"][0]["receipt"].replace('"signature":"', '"signature":"00')
    ),
    "no receipt": lambda it: it["steps"][0].update(receipt="{}"),
    "other id": lambda it: it.update(id="00" * 16),
    "short id": lambda it: it.update(id="00"),
    "seed": lambda it: it.update(sealed_seed=it["sealed_seed"][:-2] + "00"),
    "claim": lambda it: it["claims"].append(
        {"seat": 1, "token_hash": "00" * 32, "request_hash": "00" * 32}
    ),
    "never due": lambda it: it.update(due=None),
    "standing": lambda it: it["listing"].update(status="ended"),
    "free seats": lambda it: it["listing"].update(open=1),
    "listing": lambda it: it.update(listing=[]),
    "nothing": lambda it: it.clear(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_match_is_refused_alone(
    place: Place, empty: Place, seed: random.Random, damage: str
) -> None:
    """Whoever changes a line can make its digest too: the match itself is judged."""
    with place.serving(seed) as party:
        ids = sorted(party.open().match_id for _ in range(3))
    lines = place.run("export", "-").ok().out.encode().splitlines(keepends=True)
    lines[2] = resealed(lines[2], DAMAGES[damage])
    ended = empty.run("import", "--running", "-", "--json", data=b"".join(lines))
    assert ended.code == 1
    told = ended.json()
    assert told["kept"] == 2
    assert [it["line"] for it in told["problems"]] == [2 + 1, 0]
    assert "fairbones: line 3: " in ended.err
    assert [empty.whole(it) is not None for it in ids] == [True, False, True]


def test_damage_that_nobody_meant(exported: Path, empty: Place, seed: random.Random) -> None:
    """One byte anywhere: at most its line is lost, and it is told."""
    lines = texts(exported)
    for _ in range(25):
        number = seed.randrange(1, len(lines))
        damaged = bytearray(lines[number])
        damaged[seed.randrange(len(damaged) - 1)] ^= 1 << seed.randrange(8)
        content = [*lines[:number], bytes(damaged), *lines[number + 1 :]]
        ended = empty.run("import", "--running", "-", "--json", data=b"".join(content))
        assert ended.code == 1, damaged
        assert ended.json()["problems"]
    assert empty.run("import", "--running", str(exported), "--json").ok().json()["problems"] == []


def test_a_cut_file_is_noticed(exported: Path, empty: Place) -> None:
    lines = texts(exported)
    for cut in (b"".join(lines[:-1]), b"".join(lines)[:-1], b"".join(lines[:2]), lines[0]):
        ended = empty.run("import", "--running", "-", data=cut)
        assert ended.code == 1
        assert "the end is missing" in ended.err
    for other in ([*lines[:1], *lines[2:]], [*lines[:1], lines[2], lines[1], *lines[3:]]):
        ended = empty.run("import", "--running", "-", data=b"".join(other))
        assert ended.code == 1
        assert "not the one that was written" in ended.err
    longer = empty.run("import", "--running", "-", data=b"".join([*lines, lines[1]]))
    assert longer.code == 1
    assert "after the last line" in longer.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"nothing of ours\n", "not an export"),
        (b'{"format":"other"}\n', "not an export"),
        (b"[]\n", "not an export"),
        (b'{"format":"fairbones-export","version":2}\n', "has format 2"),
        (b"SQLite format 3\0" + bytes(range(256)), "not an export"),
        (b"[" * 100_000, "not an export"),
    ],
)
def test_what_is_no_export_is_refused(
    place: Place, empty: Place, content: bytes, said: str
) -> None:
    place.run("keys", "create").ok()
    assert said in empty.run("import", "--running", "-", data=content).refused()


def test_matches_of_another_house_are_refused(exported: Path, tmp_path: Path) -> None:
    stranger = Place(tmp_path / "stranger")
    assert "keys create" in stranger.run("import", "--running", str(exported)).refused()
    stranger.run("keys", "create").ok()
    ended = stranger.run("import", "--running", str(exported), "--json")
    assert ended.code == 1
    assert ended.json()["kept"] == 0
    assert all("which is not here" in it["problem"] for it in ended.json()["problems"])


def test_another_history_is_refused_and_told(
    place: Place, empty: Place, seed: random.Random, exported: Path, tmp_path: Path
) -> None:
    """It was played on here after it was imported: neither side is taken back."""
    empty.run("import", "--running", str(exported)).ok()
    over = next(line for line in texts(exported)[1:-1] if json.loads(line)["match"]["claims"] == [])
    match_id = bytes.fromhex(json.loads(over)["match"]["id"])
    with empty.serving(seed) as party:
        party.clock.now += 10**9
        party.house.view(match_id, None)
    before = empty.whole(match_id)
    ended = empty.run("import", "--running", str(exported), "--json")
    assert (ended.code, ended.json()["here"]) == (1, 2)
    assert empty.whole(match_id) == before


def test_one_match_at_a_time_is_in_memory(
    exported: Path, empty: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line too long to be a match is passed over in parts, and the next one is read."""
    from fairbones.archive import lines

    content = texts(exported)
    longest = max(map(len, content))
    content.insert(1, b"x" * (3 * longest) + b"\n")
    monkeypatch.setattr(lines, "LINE_MAX", longest + 1)
    ended = empty.run("import", "--running", "-", "--json", data=b"".join(content))
    assert (ended.code, ended.json()["kept"]) == (1, 3)
    assert "line 2: it is longer than any match is" in ended.err
    endless = empty.run("import", "--running", "-", data=b"x" * (3 * longest))
    assert "longer than any match" in endless.refused()


class Endless:
    """A library of so many matches, each made when it is asked for."""

    def __init__(self, whole: Whole, size: int) -> None:
        self._whole = whole
        self._size = size

    def ids(self, after: bytes | None, limit: int) -> tuple[bytes, ...]:
        first = 0 if after is None else int.from_bytes(after, "big") + 1
        last = min(first + limit, self._size)
        return tuple(number.to_bytes(16, "big") for number in range(first, last))

    def whole(self, match_id: bytes) -> Whole:
        # A copy of all its bytes.
        steps = tuple(
            replace(step, events=tuple(bytes(bytearray(raw)) for raw in step.events))
            for step in self._whole.stored.steps
        )
        return replace(self._whole, stored=replace(self._whole.stored, steps=steps))

    def load(self, match_id: bytes) -> Stored:
        return self.whole(match_id).stored

    def known_keys(self) -> frozenset[str]:
        return frozenset()


def test_memory_does_not_grow_with_the_number_of_matches(
    place: Place, seed: random.Random, tmp_path: Path
) -> None:
    with place.serving(seed) as party:
        match_id = finished(party).match_id
    whole = place.whole(match_id)
    ring = open_keyring(place.keys, frozenset())

    def peak(size: int) -> int:
        with (tmp_path / f"{size}").open("w+b") as file:
            tracemalloc.start()
            library = Endless(whole, size)
            export(file, chosen(library, (), None), 0, lambda _: None)
            file.seek(0)
            result = import_(file, lambda _: True, ring.signer, ring.vault, lambda _: None)
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
        assert (result.kept, result.problems) == (size, [])
        return most

    few, many = peak(3), peak(30)
    kept = (tmp_path / "30").stat().st_size - (tmp_path / "3").stat().st_size
    assert many - few < kept / 2  # Python's own free lists grow a little
