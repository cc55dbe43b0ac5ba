"""`compare`: two files of one match, and what the house has signed (spec/tools.md)."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from fairbones_verify import cli, verify
from fairbones_verify.compare import OtherMatch, Unreadable, compare
from fairbones_verify.comparison import Comparison
from fairbones_verify.receipts import NotStarted
from tests.forge.house import House as Box
from tests.forge.house import Setup
from tests.forge.keys import HOUSE as BOX_KEY
from tests.forge.paper import receipt_of
from tests.verifier.forgeries.making import lost, once
from tests.verifier.house import House
from tests.verifier.primitives import (
    OTHER,
    SIGNER,
    canonical,
    document,
    event_hash,
    rechained,
    sealed,
)
from tests.verifier.test_cli import NOT_JUDGED, NUMBER, TEXT, many, shape

# One match id, one opening, and then two stories that the house tells and signs.
ONE = House().play()
TWO = House(choose=once("timeout")).play()
SHORTER = min(len(ONE.events), len(TWO.events))
N = next(i for i in range(SHORTER) if ONE.events[i] != TWO.events[i])
KEY = [SIGNER.public]

SIDE = shape({"event_hash": TEXT}, type=TEXT)
PLACE = shape({"seq": NUMBER, "a": SIDE, "b": SIDE})
FILE = shape(
    {
        "kind": {"enum": ["receipt", "transcript"]},
        "receipt": shape({"seq": NUMBER, "event_hash": TEXT, "key_id": TEXT, "signature": TEXT}),
    },
    events=NUMBER,
    verdict={"enum": ["verified", "refuted"]},
    code=TEXT,
)
RELATIONS = ["equal", "prefix", "covered", "apart", "history-lost", "parted"]
COMPARED = shape(
    {"relation": {"enum": RELATIONS}, "exit": {"enum": [0, 1]}, "match": TEXT, "version": TEXT}
    | {"convicts": {"type": "boolean"}, "files": many(FILE)},
    longer={"enum": ["a", "b"]},
    parted=PLACE,
    proof=PLACE,
    signed={"enum": ["pinned", "unpinned", "none"]},
)


def receipt(house: House, seq: int, signer: Any = SIGNER) -> dict[str, Any]:
    found: dict[str, Any] = signer.receipt(house.match, seq, event_hash(house.events[seq]))
    return found


def paper(value: Any) -> bytes:
    return json.dumps(value, indent=1).encode()


def both_ways(a: bytes, b: bytes, keys: list[bytes]) -> Comparison:
    """Compare, and see that the order of the files makes no difference."""
    it, turned = compare(a, b, keys), compare(b, a, keys)
    assert (it.relation, it.signed, it.exit) == (turned.relation, turned.signed, turned.exit)
    for one in (it, turned):
        value = json.loads(one.json())
        jsonschema.validate(value, COMPARED)
        assert one.text().startswith("CONTRADICTION: " if one.exit else "CONSISTENT: ")
    return it


def test_two_histories_convict() -> None:
    """SPEC 6.4: "never two hashes for one (match, seq)"."""
    assert 5 < N < len(ONE.events) - 1
    a, b = ONE.transcript(), TWO.transcript()
    assert verify(a).verdict == verify(b).verdict == "verified"
    it = both_ways(a, b, KEY)
    assert (it.relation, it.exit, it.signed, it.convicts) == ("parted", 1, "pinned", True)
    assert it.parting is not None
    assert it.proof == it.parting
    assert it.parting.seq == N
    assert [side.event_hash for side in it.parting.sides] == [
        event_hash(house.events[N]).hex() for house in (ONE, TWO)
    ]
    assert [side.type for side in it.parting.sides] == [h.events[N]["type"] for h in (ONE, TWO)]
    assert f"They part at event {N}:" in it.text()
    assert "convicted" in it.text()


def test_without_a_pinned_key_nobody_is_convicted() -> None:
    """SPEC 9.5: only "under a key that was pinned"."""
    for keys in ([], [OTHER.public]):
        it = both_ways(ONE.transcript(), TWO.transcript(), keys)
        assert (it.exit, it.signed, it.convicts) == (1, "unpinned", False)
        assert "only with --key" in it.text()


def test_the_house_in_the_box_signs_two_histories() -> None:
    """The same with what the service's own core appends."""
    first, second = (Box(Setup()).start() for _ in range(2))
    parted = len(first.events)
    second.touch()
    files = [box.play().transcript() for box in (first, second)]
    it = both_ways(files[0], files[1], [BOX_KEY.public])
    assert (it.relation, it.convicts) == ("parted", True)
    assert it.parting is not None
    assert it.parting.seq == parted
    kept = [paper(receipt_of(box.told()[parted], BOX_KEY)) for box in (first, second)]
    it = both_ways(kept[0], kept[1], [BOX_KEY.public])
    assert (it.exit, it.convicts) == (1, True)
    assert it.parting is not None
    assert (it.parting.seq, [side.type for side in it.parting.sides]) == (parted, ["", ""])


@pytest.mark.parametrize("length", [N, N + 1, len(ONE.events)])
def test_a_beginning_is_no_contradiction(length: int) -> None:
    beginning = sealed(ONE.events[:length])
    it = both_ways(ONE.transcript(), beginning, KEY)
    same = length == len(ONE.events)
    assert (it.relation, it.exit, it.convicts) == ("equal" if same else "prefix", 0, False)
    assert it.longer == ("" if same else "a")
    assert compare(beginning, ONE.transcript()).longer == ("" if same else "b")
    assert (both_ways(beginning, TWO.transcript(), KEY).exit, length > N) in ((0, False), (1, True))


def test_receipts_and_transcripts() -> None:
    whole = ONE.transcript()
    mine, theirs, early = receipt(ONE, N + 2), receipt(TWO, N + 2), receipt(TWO, N - 1)
    cases: list[tuple[bytes, bytes, str]] = [
        (whole, paper(mine), "covered"),
        (whole, paper({"receipt": early, "at": 1.5}), "covered"),
        (whole, paper(theirs), "parted"),
        (paper(mine), paper(theirs), "parted"),
        (paper(mine), paper(mine), "equal"),
        (paper(mine), paper(early), "apart"),
        (sealed(ONE.events[:N]), paper(theirs), "apart"),
        (whole, paper(receipt(TWO, SHORTER - 1)), "parted"),
    ]
    for a, b, relation in cases:
        it = both_ways(a, b, KEY)
        assert it.relation == relation
        assert it.convicts == (relation == "parted")
    assert both_ways(paper(mine), paper(theirs), []).signed == "none"
    assert both_ways(whole, paper(theirs), []).signed == "unpinned"


def spoiled(one: dict[str, Any]) -> dict[str, Any]:
    return {**one, "signature": "ab" * 64}


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (spoiled(receipt(TWO, N)), "the signature of B is NOT valid"),
        (receipt(TWO, N, OTHER), "of different keys"),
        ({**receipt(TWO, N), "event_hash": "ab" * 32}, "the signature of B is NOT valid"),
        ({**receipt(TWO, N, OTHER), "key_id": SIGNER.id}, "the signature of B is NOT valid"),
    ],
)
def test_a_contradiction_without_proof(other: dict[str, Any], why: str) -> None:
    """Anybody can write down a receipt; only a signature under one key makes it the house's."""
    keys = [SIGNER.public, OTHER.public]
    it = both_ways(ONE.transcript(), paper(other), keys)
    assert (it.exit, it.signed, it.convicts) == (1, "none", False)
    assert why in compare(ONE.transcript(), paper(other), keys).text()


def test_a_file_that_somebody_changed_convicts_nobody() -> None:
    """The receipt covers an event only along a chain that holds (SPEC 9.5)."""
    for relinked in (False, True):
        events = copy.deepcopy(ONE.events)
        events[N]["at"] += 1
        value = document(ONE.events)
        value["events"] = rechained(events, ONE.events) if relinked else events
        changed = canonical(value).encode()
        assert verify(changed).verdict == "refuted"
        it = both_ways(ONE.transcript(), changed, KEY)
        assert (it.exit, it.signed) == (1, "none")
        assert it.parting is not None
        assert it.parting.seq == N
        text = compare(ONE.transcript(), changed, KEY).text()
        assert "the receipt of B does not cover what B says there" in text


def test_what_is_covered_after_a_break_still_counts() -> None:
    """A break in the chain takes nothing from what both receipts say themselves."""
    events = copy.deepcopy(TWO.events[: N + 3])
    events[N]["at"] += 1
    value = document(TWO.events[: N + 3])
    value["events"] = events
    it = both_ways(ONE.transcript(), canonical(value).encode(), KEY)
    assert (it.convicts, it.exit) == (True, 1)
    assert it.parting is not None
    assert it.proof is not None
    assert (it.parting.seq, it.proof.seq) == (N, N + 2)
    assert "What both receipts cover" in it.text()


def test_events_of_wrong_numbers_are_not_covered() -> None:
    """A signed chain that leaves a number out says nothing certain about its places."""
    events = copy.deepcopy(ONE.events)
    del events[N]
    prev = event_hash(events[N - 1]).hex()
    for event in events[N:]:
        event["prev"], prev = prev, ""
        prev = event_hash(event).hex()
    it = both_ways(ONE.transcript(), sealed(events), KEY)
    assert it.parting is not None
    assert it.parting.covered in ((True, False), (False, True))


def test_a_lost_history_is_admitted() -> None:
    """SPEC 8.7: "It is the one event that may stand where another head was signed"."""
    cut = House(choose=once("stop")).play()
    at = len(cut.events)
    assert cut.events == ONE.events[:at]
    void = lost(cut, receipt(ONE, at + 1))
    assert verify(void).verdict == "verified"
    for other in (ONE.transcript(), paper(receipt(ONE, at))):
        it = both_ways(void, other, KEY)
        assert (it.relation, it.exit, it.convicts) == ("history-lost", 0, False)
    assert both_ways(void, paper(receipt(ONE, at + 1)), KEY).relation == "apart"
    # But not for what was changed before it, nor by a file that does not verify.
    assert both_ways(void, TWO.transcript(), KEY).exit == (1 if at > N else 0)
    it = both_ways(void, ONE.transcript(), [OTHER.public])
    assert (it.relation, it.convicts) == ("parted", False)


@pytest.mark.parametrize("wrong", [b"", b"[]", b"{}", b"\xff", b'{"protocol":1}', b'{"receipt":7}'])
def test_what_is_neither_is_unreadable(wrong: bytes) -> None:
    for pair, label in (((wrong, ONE.transcript()), "A: "), ((ONE.transcript(), wrong), "B: ")):
        with pytest.raises(Unreadable) as caught:
            compare(*pair)
        report = caught.value.report
        assert report.exit == 2
        assert report.failure is not None
        assert report.failure.where.startswith(label)


@pytest.mark.parametrize(
    ("member", "value", "code"),
    [
        ("seq", 2**32, "format/range"),
        ("seq", "7", "format/type"),
        ("signature", "AB" * 64, "format/range"),
        ("more", 1, "format/fields"),
    ],
)
def test_a_receipt_has_a_shape(member: str, value: Any, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        compare(ONE.transcript(), paper({**receipt(ONE, 3), member: value}))
    assert caught.value.report.code == code


def test_what_cannot_be_compared() -> None:
    other = House(1).play()
    for one in (other.transcript(), paper(receipt(other, 3))):
        with pytest.raises(OtherMatch):
            compare(ONE.transcript(), one)
    with pytest.raises(NotStarted):
        compare(ONE.transcript(), ONE.transcript(), ["ab" * 32])


# The command

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    files: dict[str, bytes] = {
        "one": ONE.transcript(),
        "two": TWO.transcript(),
        "kept": paper(receipt(TWO, N)),
        "other": House(1).play().transcript(),
        "wrong": b"{}",
        "compare": ONE.transcript(),
    }
    for name, data in files.items():
        Path(name).write_bytes(data)

    def go(*words: str) -> tuple[int, str]:
        code = cli.main(words)
        said = capsys.readouterr()
        assert not said.err
        assert re.fullmatch(r"[ -~\n]*", said.out)
        return code, said.out

    return go


PIN = SIGNER.public.hex()


@pytest.mark.parametrize(
    ("words", "due"),
    [
        ("compare one one", 0),
        ("compare one two", 1),
        ("--json compare one two", 1),
        (f"--key {PIN} compare one kept", 1),
        (f"compare one --key={PIN} two --json", 1),
        ("compare one compare", 0),
        ("compare one wrong", 2),
        ("compare wrong one --json", 2),
        ("compare one other", 3),
        ("compare one other --json", 3),
        ("compare one", 3),
        ("compare", 3),
        ("compare one two kept", 3),
        ("compare one nothing", 3),
        ("compare one two --key nothing", 3),
        ("compare one two --complete", 3),
        ("compare - -", 3),
        ("./compare", 0),
        ("-- compare", 0),
        ("--receipt compare one", 0),
        ("one two", 3),
    ],
)
def test_the_command(words: str, due: int, run: Run) -> None:
    code, said = run(*words.split())
    assert code == due, said
    if "--json" in words:
        value = json.loads(said)
        assert value["exit"] == due
        if due == 3:
            assert value["failure"]["code"] == "start/other-match"
            match = json.loads(ONE.transcript())["events"][0]["match"]
            assert value["failure"]["expected"] == f"B of match {match}"
            assert value["failure"]["got"].startswith("B of match ")
            value["failure"]["code"] = "start/usage"  # the scheme knows the codes of codes.md
        jsonschema.validate(value, NOT_JUDGED if due > 1 else COMPARED)
    elif due == 1:
        assert said.startswith("CONTRADICTION: ")


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["compare", "--help"])
    assert caught.value.code == 0
    said = capsys.readouterr().out
    assert "exit codes" in said
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    assert "compare A B" in capsys.readouterr().out
