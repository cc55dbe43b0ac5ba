"""Forgeries whose hashes all fit: what is left to find is the lie itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairbones.bots import party
from fairbones.core.protocol import chain
from fairbones.demo.check import find_verifier, outcome
from fairbones.demo.forgery import Change, forge, later_end, more_points, other_bone, other_seals
from tests.demo.little_house import MATCH, LittleHouse, serve

Json = dict[str, Any]


@pytest.fixture(scope="module")
def house() -> LittleHouse:
    """One whole match that somebody has won, and in which another last bone would have fitted.

    Now and then a blocked hand is nobody's; now and then every bone of a number lies on the line.
    """
    while True:
        house = played()
        if "winner" in house.events[-2].data and could_end_otherwise(house):
            return house


def could_end_otherwise(house: LittleHouse) -> bool:
    """Whether a bone that was not played fits where the last one lies."""
    line: list[Json] = [dict(event.data) for event in house.events if event.type == "played"]
    halves = [[int(half) for half in data["tile"].split("-")] for data in line]
    ends = list(halves[0])
    for data, pair in zip(line[1:-1], halves[1:-1], strict=True):
        side = ("left", "right").index(data["end"])
        ends[side] = sum(pair) - ends[side]
    value = ends[("left", "right").index(line[-1]["end"])]
    return sum(value in pair for pair in halves) < 7


def played() -> LittleHouse:
    """A match of seats whose seeds are new every time."""
    house = LittleHouse()
    server = serve(house)
    house.open()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    assert party.main(["--url", url, "--match", MATCH.hex(), "--seconds", "20"]) == party.FINE
    server.shutdown()
    server.server_close()
    return house


@pytest.fixture
def served(house: LittleHouse) -> bytes:
    head = house.events[-1]
    name = chain.key_id(house.public_key)
    signature = house.key.sign(chain.receipt_message(MATCH, head.seq, head.hash))
    receipt = chain.receipt(MATCH, head.seq, head.hash, name, signature)
    raws = [event.raw for event in house.events]
    return chain.transcript(raws, receipt, [(name, house.public_key)])


def differences(old: bytes, new: bytes) -> list[tuple[str, str]]:
    """(event type, member of its data) wherever they differ, but for what must follow."""
    pairs = zip(json.loads(old)["events"], json.loads(new)["events"], strict=True)
    return [
        (a["type"], member)
        for a, b in pairs
        for member in a["data"]
        if a["data"][member] != b["data"][member] and member != "seated_hash"
    ]


def test_a_copy_without_a_change_is_the_same_bytes(house: LittleHouse, served: bytes) -> None:
    assert forge(served, lambda _events: "nothing", house.key.sign) == (served, "nothing")


@pytest.mark.parametrize("change", [later_end, more_points, other_bone, other_seals])
def test_every_hash_of_a_forgery_fits(house: LittleHouse, served: bytes, change: Change) -> None:
    forged, what = forge(served, change, house.key.sign)
    assert what
    told = json.loads(forged)
    prev, seated = chain.NO_PREV, ""
    for seq, event in enumerate(told["events"]):
        assert (event["seq"], event["prev"]) == (seq, prev.hex())
        assert event["data"].get("seated_hash", seated) == seated
        sealed = chain.seal_event(MATCH, seq, prev, event["at"], event["type"], event["data"])
        prev = sealed.hash
        if event["type"] == "seated":
            seated = prev.hex()
    assert told["receipt"]["event_hash"] == prev.hex()
    signature = bytes.fromhex(told["receipt"]["signature"])
    house.key.public_key().verify(signature, chain.receipt_message(MATCH, seq, prev))


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (other_seals, {("dealt", "seals")}),
        (later_end, set()),
        (other_bone, {("played", "tile")}),
        (
            more_points,
            {("round_ended", "points"), ("round_ended", "scores"), ("match_ended", "scores")},
        ),
    ],
)
def test_a_forgery_changes_what_it_says_and_nothing_else(
    served: bytes, change: Change, changed: set[tuple[str, str]]
) -> None:
    forged, _ = forge(served, change)
    assert set(differences(served, forged)) == changed


def test_a_forgery_says_which_it_is(served: bytes) -> None:
    """What stands in the forged copy, and what stood there in truth."""
    events = json.loads(served)["events"]
    names = {it["data"]["seat"]: it["data"]["name"] for it in events if it["type"] == "seated"}
    last = [it["data"]["seat"] for it in events if it["type"] == "played"][-1]
    told = f"in the forgery {names[last]} makes the last move a second later"
    assert forge(served, later_end)[1] == told
    told = "in the forgery two sealed bones of hand 1 have changed places"
    assert forge(served, other_seals)[1] == told
    winner = names[events[-2]["data"]["winner"]]
    _, what = forge(served, more_points)
    assert what == f"the forgery pays {winner} ten points too many for hand 1"
    forged, what = forge(served, other_bone)
    was, now = (
        [it["data"]["tile"] for it in told if it["type"] == "played"][-1]
        for told in (events, json.loads(forged)["events"])
    )
    assert what.endswith(f" ends hand 1 with {now}; in truth it was {was}")
    assert what.startswith(("in the forgery ada ", "in the forgery ben "))


def test_pairs_and_draws_are_forged_too() -> None:
    """Of two partners both are named; nobody is said to have won what nobody did."""
    names = ["ada", "ben", "cleo", "dan"]
    seated = [
        {"type": "seated", "data": {"seat": seat, "name": name}} for seat, name in enumerate(names)
    ]
    end: Json = {"type": "match_ended", "data": {"winner": 1, "scores": [0, 5]}}
    opened: Json = {"type": "opened", "data": {"ruleset": {"partners": True}}}
    won: Json = {"round": 2, "winner": 1, "points": [0, 5], "scores": [0, 5]}
    told = more_points([opened, *seated, {"type": "round_ended", "data": won}, end])
    assert told == "the forgery pays ben and dan ten points too many for hand 2"
    del end["data"]["winner"]
    end["data"]["scores"] = [0, 5]
    lost: Json = {"round": 1, "points": [0, 0], "scores": [0, 5]}
    told = more_points([opened, *seated, {"type": "round_ended", "data": lost}, end])
    assert (lost["points"], lost["scores"], end["data"]["scores"]) == ([10, 0], [10, 5], [10, 5])
    assert told.endswith("ten points too many for hand 1")


def test_the_last_move_is_later_and_nothing_else(served: bytes) -> None:
    """Every time before it stands, and the step of it stays one."""
    told = [json.loads(text)["events"] for text in (served, forge(served, later_end)[0])]
    moved = [after["at"] - before["at"] for before, after in zip(*told, strict=True)]
    last = max(seq for seq, event in enumerate(told[0]) if event["type"] == "played")
    assert moved == [0] * last + [1000] * (len(moved) - last)


def test_the_exchanged_bone_breaks_no_rule_of_play(served: bytes) -> None:
    """Only the seal can tell: it fits where it lies, and lay nowhere before."""
    forged, _ = forge(served, other_bone)
    line = [e["data"] for e in json.loads(forged)["events"] if e["type"] == "played"]
    ends: list[int] = []
    for data in line:
        pair = [int(half) for half in data["tile"].split("-")]
        side = ("left", "right").index(data.get("end", "left"))
        assert not ends or ends[side] in pair
        ends = ends or pair
        if "end" in data:
            ends[side] = sum(pair) - ends[side]
    assert len({data["tile"] for data in line}) == len(line)


def test_without_the_key_the_old_signature_is_all_there_is(served: bytes) -> None:
    forged, _ = forge(served, later_end)
    old, new = json.loads(served)["receipt"], json.loads(forged)["receipt"]
    assert new["signature"] == old["signature"]
    assert new["event_hash"] != old["event_hash"]


def test_the_verifier_is_found_without_being_imported() -> None:
    loaded = f"import sys; sys.path[:0] = {sys.path!r}; "
    code = loaded + (
        "from fairbones.demo.check import find_verifier; print(find_verifier());"
        "assert 'fairbones_verify' not in sys.modules"
    )
    found = subprocess.run(  # another interpreter: this one may have met it in other tests
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    assert Path(found.stdout.strip(), "__main__.py").is_file()


def test_an_installed_verifier_will_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = find_verifier()
    monkeypatch.setattr("fairbones.__file__", str(tmp_path / "a" / "b" / "fairbones.py"))
    monkeypatch.syspath_prepend(str(spec.parent))
    assert find_verifier().samefile(spec)


def test_the_outcome_of_a_report_leaves_out_what_every_report_says() -> None:
    assert outcome("REFUTED\n\nCode: x\n\nMatch 12, 3 events.\nmore") == "REFUTED\n\nCode: x"
    assert outcome("something else") == "something else"
