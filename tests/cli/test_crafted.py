"""Lines of an export that somebody has made, with the right digests: told, and nothing else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairbones.archive.judging import judge, settled
from fairbones.core.match import wake
from fairbones.keys.keyring import open_keyring
from tests.cli.houses import Place, begun, finished
from tests.cli.test_transfer import resealed

Json = Any
Change = Callable[[Json], None]
NESTED = "[" * 200_000
HASH = "00" * 32


def told(**changes: Json) -> Change:
    """Other words in the list; None takes a word away."""

    def change(match: Json) -> None:
        before = json.loads(match["listing"]["told"]) | changes
        after = {name: it for name, it in before.items() if it is not None}
        match["listing"]["told"] = json.dumps(after, sort_keys=True, separators=(",", ":"))

    return change


def key(text: str, request_hash: str = HASH) -> Change:
    return lambda it: it.update(idempotency={"key": text, "request_hash": request_hash})


def same_token(match: Json) -> None:
    first, second = match["claims"]
    second["token_hash"] = first["token_hash"]


CRAFTED: dict[str, Change] = {
    "nested event": lambda it: it["steps"][0]["events"].__setitem__(0, NESTED),
    "nested last event": lambda it: it["steps"][-1]["events"].__setitem__(-1, NESTED),
    "nested receipt": lambda it: it["steps"][0].update(receipt=NESTED),
    "nested told": lambda it: it["listing"].update(told=NESTED),
    "receipt that is a number": lambda it: it["steps"][0].update(receipt="1" * 5_000),
    "surrogate in an event": lambda it: it["steps"][0]["events"].__setitem__(0, "\ud800"),
    "surrogate in a receipt": lambda it: it["steps"][0].update(receipt="\ud800"),
    "surrogate in told": lambda it: it["listing"].update(told='"\ud800"'),
    "surrogate in a ruleset": lambda it: it["listing"].update(ruleset="\ud800"),
    "surrogate in a status": lambda it: it["listing"].update(status="\ud800"),
    "surrogate in a key": key("\ud800" * 16),
    "long key": key("k" * 10_000_000),
    "key one too long": key("k" * 129),
    "empty key": key(""),
    "key with a space": key("a key with spaces"),
    "key with a line": key("a" * 16 + "\n"),
    "key beyond ASCII": key("\u0661" * 16),
    "key with a short hash": key("k" * 16, "00" * 31),
    "key with a long hash": key("k" * 16, "00" * 33),
    "key without a hash": key("k" * 16, ""),
    "due beyond a row": lambda it: it.update(due=2**70),
    "due before time": lambda it: it.update(due=-1),
    "due that is true": lambda it: it.update(due=True),
    "join_by beyond a row": lambda it: it["listing"].update(join_by=2**70),
    "join_by": lambda it: it["listing"].update(join_by=it["listing"]["join_by"] + 1),
    "taken beyond a row": lambda it: it["listing"].update(taken=2**70),
    "first_seq beyond a row": lambda it: it["steps"][0].update(first_seq=2**70),
    "seat beyond a row": lambda it: it["claims"][0].update(seat=2**70),
    "ruleset": lambda it: it["listing"].update(ruleset="fives"),
    "told is a list": lambda it: it["listing"].update(told="[]"),
    "told is no JSON": lambda it: it["listing"].update(told="{"),
    "told of another ruleset": told(ruleset="fives"),
    "told of more seats": told(seats=4),
    "told of another time": told(opened_at=1),
    "told of more rounds": told(rounds_max=99),
    "told of other turns": told(turn_seconds=5),
    "told of clear seeds": told(clear_seeds=True),
    "told of a reserved seat": told(reserved=[1]),
    "told of a reference": told(reference="cup"),
    "told of what is no option": told(options={"nothing": 1}),
    "told of another option": told(options={"hand": 1}),
    "told of options that are a list": told(options=["hand"]),
    "told of nested options": told(options={"hand": [[[[[[[[[[7]]]]]]]]]]}),
    "told of no options": told(options={}),
    "told of anything": told(status="ended"),
    "told of less": told(seats=None),
    "told with spaces": lambda it: it["listing"].update(told=it["listing"]["told"] + " "),
    "one token": same_token,
    "long token": lambda it: it["claims"][0].update(token_hash="00" * 33),
    "short request": lambda it: it["claims"][0].update(request_hash="00" * 31),
    "no seed": lambda it: it.update(sealed_seed=""),
}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Three matches, two of them in a hand."""
    made = Place(tmp_path_factory.mktemp("crafted") / "data")
    with made.serving(random.Random(1)) as party:
        finished(party), begun(party), begun(party)
    return made


@pytest.fixture(scope="module")
def lines(source: Place) -> list[bytes]:
    return source.run("export", "-").ok().out.encode().splitlines(keepends=True)


@pytest.fixture
def empty(source: Place, tmp_path: Path) -> Place:
    """Another store, with the same keys."""
    other = Place(tmp_path / "other")
    other.data.mkdir(mode=0o700)
    other.keys.symlink_to(source.keys)
    return other


def running(lines: list[bytes]) -> int:
    """The place of a match that is not over and has one after it."""
    return next(number for number in (1, 2) if b"match_ended" not in lines[number])


def ids(lines: list[bytes]) -> list[bytes]:
    return [bytes.fromhex(json.loads(line)["match"]["id"]) for line in lines[1:-1]]


def changed(line: bytes, change: Change) -> bytes:
    """`resealed`, for what has no UTF-8 as well: as the digest is made."""
    try:
        return resealed(line, change)
    except UnicodeEncodeError:
        from fairbones.archive import lines as form

        match = json.loads(line)["match"]
        change(match)
        return form._line({"match": match, "sha256": form._digest(match)}).replace(
            "\ud800".encode("utf-8", "surrogatepass"), b"\\ud800"
        )


@pytest.mark.parametrize("crafted", CRAFTED)
def test_a_crafted_line_is_told_and_the_next_is_kept(
    lines: list[bytes], empty: Place, crafted: str
) -> None:
    number = running(lines)
    bad = list(lines)
    bad[number] = changed(lines[number], CRAFTED[crafted])
    data = b"".join(bad)
    ended = empty.run("import", "--running", "-", "--json", data=data)
    assert ended.code == 1, ended
    problems = ended.json()["problems"]
    assert [it["line"] for it in problems] == [number + 1, 0], problems
    assert all(len(it["problem"]) < 200 and it["problem"].isprintable() for it in problems)
    assert ended.json()["kept"] == 2
    wholes = [empty.whole(it) for it in ids(lines)]
    assert [it is None for it in wholes] == [it == number for it in (1, 2, 3)]
    # Neither do those who only look choke on it.
    assert empty.run("import", "-", data=data).refused()
    assert empty.run("import", "--ended-only", "-", data=data).code == 1
    file = empty.data / "crafted.jsonl"
    file.write_bytes(data)
    checked = empty.run("backup", "--check", str(file), "--json")
    assert (checked.code, checked.json()["matches"]) == (1, 2)


def test_nothing_of_the_header_is_repeated(empty: Place) -> None:
    for version in ('"' + "x" * 100_000 + '"', "[2]", "true", "null", str(2**70), "0", NESTED):
        header = f'{{"format":"fairbones-export","version":{version}}}\n'.encode()
        said = empty.run("import", "--running", "-", data=header).refused()
        assert "not an export" in said


def test_at_every_depth(lines: list[bytes], empty: Place) -> None:
    """Reading and writing JSON do not give up at the same depth."""
    number = running(lines)
    for depth in (*range(880, 1_000, 3), 5_000):
        deep = b'{"match":{"a":' + b"[" * depth + b"]" * depth + b'},"sha256":""}\n'
        bad = b"".join([*lines[:number], deep, *lines[number + 1 :]])
        ended = empty.run("import", "--running", "-", "--json", data=bad)
        assert ended.code == 1
        assert [it["line"] for it in ended.json()["problems"]] == [number + 1, 0]


def test_due_follows_from_the_events(source: Place, lines: list[bytes], empty: Place) -> None:
    """A match far from its sweep would wait for ever; one that is over would be looked at."""
    far = 2**53 - 1
    bad = [lines[0], *(resealed(it, lambda match: match.update(due=far)) for it in lines[1:-1])]
    empty.run("import", "--running", "-", "--json", data=b"".join([*bad, lines[-1]]))
    ring = open_keyring(source.keys, frozenset())
    dues = []
    for match_id in ids(lines):
        whole = empty.whole(match_id)
        state = judge(whole, ring.signer, ring.vault)
        assert whole.due == wake(state)
        dues.append(whole.due)
        early = settled(source.whole(match_id), state).due
        assert early is None if whole.due is None else early <= whole.due
    assert dues.count(None) == 1


def test_a_lower_due_is_kept(lines: list[bytes], empty: Place) -> None:
    number = running(lines)
    low = resealed(lines[number], lambda match: match.update(due=7))
    empty.run("import", "--running", "-", data=b"".join([lines[0], low]))
    assert empty.whole(ids(lines)[number - 1]).due == 7


def test_what_a_house_tells_of_a_match_is_believed(
    place: Place, empty: Place, seed: random.Random, tmp_path: Path
) -> None:
    """Every word that a listing can have."""
    place.data.mkdir(mode=0o700)
    empty.keys.unlink()
    empty.keys.symlink_to(place.keys)
    with place.serving(seed) as party:
        party.open(options={"hand": 6}, reference="cup", clear_seeds=True, turn_seconds=7)
        party.open(listed=False)
    file = str(tmp_path / "told.jsonl")
    place.run("export", file).ok()
    assert b"options" in Path(file).read_bytes()
    assert empty.run("import", "--running", file).ok().out == "2 matches imported, 0 were here\n"
