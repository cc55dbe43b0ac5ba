"""`--explain`: every hash of one tile, recomputed and compared (spec/tools.md)."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify import strictjson
from fairbones_verify.explain import explain
from fairbones_verify.explain_cut import nth
from fairbones_verify.explanation import Explanation
from fairbones_verify.sought import NoSuchSeal
from tests.forge.house import House as Box
from tests.forge.house import Setup
from tests.verifier.draws import lots
from tests.verifier.forgeries.making import begun
from tests.verifier.house import House
from tests.verifier.primitives import DRAW, Event, canonical, enc, written

VALID = Path(__file__).resolve().parents[1] / "vectors" / "valid"
ENDS = ("match_ended", "voided", "drawn")
PROGRAMS = ("bash", "openssl", "basenc", "tr", "sha256sum")
HOUSE = House(3, DRAW, 3, choose=lambda house, seat: "play").play()
DRAWER = next(i for i, event in enumerate(HOUSE.events) if event["type"] == "drew")
STEPS = [
    *("server-seed", "round-seed", "wash-order", "salt", "seal", "wash-root"),
    *("opened-hash", "client-seeds", "cut-key", "cut-map", "fate"),
]


def document(data: bytes) -> strictjson.Document:
    found, flaw = strictjson.document(data)
    assert found is not None
    assert flaw is None
    return found


def told(events: list[Event], seal: str) -> Explanation:
    """Events explained as they stand, unsigned and unchecked."""
    texts = [canonical(event) for event in events]
    return explain(strictjson.Document({"events": events}, texts), seal)


def differing(it: Explanation) -> set[str]:
    return {step.name for step in it.steps if not all(one.equal for one in step.compared)}


def outputs(it: Explanation) -> dict[str, str]:
    return {one.name: one.output.hex() for step in it.steps for one in step.hashes}


def test_every_tile_of_a_match_is_explained_as_it_was_dealt() -> None:
    """Against the house of the tests, which knows its own secrets."""
    r, seen = 0, set()
    for start, event in enumerate(HOUSE.events):
        if event["type"] != "dealt":
            continue
        r, end = r + 1, start + 1
        while HOUSE.events[end]["type"] != "round_ended":
            end += 1
        HOUSE.r = r
        for i in range(28):
            it = told(HOUSE.events, f"{r}:{i}")
            assert (it.tile, it.equal, it.unknown) == (written(HOUSE.tile(i)), True, [])
            assert [step.name for step in it.steps] == STEPS
            out = outputs(it)
            assert out[f"R_{r}"] == HOUSE.R[r - 1].hex()
            assert out[f"salt_{i}"] == HOUSE.salts[r - 1][i].hex()
            assert out[f"seal_{i}"] == HOUSE.seals[r - 1][i].hex()
            assert out[f"W_{r}"] == HOUSE.events[0]["data"]["washes"][r - 1]
            assert out["K"] == HOUSE.K.hex()
            assert it.steps[2].shuffle is not None
            assert it.steps[2].shuffle.result == HOUSE.orders[r - 1]
            mine = [e for e in HOUSE.events[start:end] if e["data"].get("seal") == i]
            assert [(e["seq"], e["type"], e["seat"]) for e in it.fate] == [
                (e["seq"], e["type"], e["data"]["seat"]) for e in mine
            ]
            seen |= {one["type"] for one in it.fate} or {"nothing"}
    assert (r > 1, seen) == (True, {"drew", "played", "nothing"})


@pytest.mark.parametrize("name", sorted(path.name for path in VALID.glob("*.transcript.json")))
def test_the_vectors_are_equal_throughout(name: str) -> None:
    found = document((VALID / name).read_bytes())
    opened = found.value["events"][0]["data"]
    if not opened["washes"]:
        with pytest.raises(NoSuchSeal):
            explain(found, "1:0")
        return
    seals = {(1, 0), (len(opened["washes"]), 0)} | ({(0, 0)} if "lead_wash" in opened else set())
    r = 0
    for event in found.value["events"]:
        r += event["type"] == "dealt"
        if event["type"] == "gave":
            seals.add((r, event["data"]["seal"]))
    for r, position in sorted(seals):
        it = explain(found, f"{r}:{position}")
        assert it.equal, it.text()
        assert it.complete == (found.value["events"][-1]["type"] in ENDS)
        assert it.tile or not it.complete


@pytest.mark.parametrize(
    ("position", "place", "words"),
    [
        (0, 0, "dealt to seat 0, as its 1st tile of 7"),
        (8, 8, "dealt to seat 1, as its 2nd tile of 7"),
        (20, 20, "dealt to seat 2, as its 7th tile of 7"),
        (21, 21, "the 1st of 7 tiles in the boneyard"),
        (23, 23, "the 3rd of 7 tiles in the boneyard"),
        (27, 27, "the 7th of 7 tiles in the boneyard"),
    ],
)
def test_the_cut_says_whose_it_was(position: int, place: int, words: str) -> None:
    """SPEC 5.4: seat k is dealt the positions `map[k*h .. k*h+h-1]`."""
    cut = told(HOUSE.events, "1:0").steps[9].shuffle
    assert cut is not None
    said = told(HOUSE.events, f"1:{cut.result[place]}").steps[9].text
    assert said[0] == f"map[{place}] is {cut.result[place]}."
    assert words in said[1]


def test_a_commitment_names_the_key_of_its_seat() -> None:
    """SPEC 5.1."""
    house = House(3, DRAW, 3, keys=(1,)).play()
    it = told(house.events, "1:0")
    assert it.equal, it.text()
    commitments = [one for one in it.steps[7].hashes if one.tag == "client-seed"]
    names = [[item.name for item in one.items] for one in commitments]
    assert [items[2] for items in names] == [
        "no public key",
        "public key of seat 1",
        "no public key",
    ]
    assert commitments[1].items[2].data == house.signers[1].public


def test_protected_tiles_are_named() -> None:
    """R3: "the last tiles of the boneyard, never drawn, never scored"."""
    house = House(0, {**DRAW, "protected": 2}).play()
    cut = told(house.events, "1:0").steps[9].shuffle
    assert cut is not None
    said = [told(house.events, f"1:{cut.result[place]}").steps[9].text for place in (25, 26, 27)]
    assert ["protected" in " ".join(text) for text in said] == [False, True, True]


def change(kind: str, nth: int = 0, **members: Any) -> Callable[[list[Event]], None]:
    place = HOUSE.index(kind, nth)
    return lambda events: events[place]["data"].update(members)


def other_tile(events: list[Event]) -> None:
    events[DRAWER + 1 :] = [event for event in events[DRAWER + 1 :] if event["type"] != "drew"]
    for event in events[DRAWER:]:
        if event["data"].get("seal") == SEAL and event["type"] == "played":
            event["data"].update(tile="9-9", salt="ab" * 32)


def seals_changed(events: list[Event]) -> None:
    events[HOUSE.index("dealt")]["data"]["seals"][SEAL] = "ab" * 32


def wash_changed(events: list[Event]) -> None:
    events[0]["data"]["washes"][0] = "ab" * 32


def drawn_by_a_wrong_seat(events: list[Event]) -> None:
    events[DRAWER]["data"]["seat"] = (events[DRAWER]["data"]["seat"] + 1) % 3


def drawn_late(events: list[Event]) -> None:
    first, second = (e for e in events if e["type"] == "drew" and e["seq"] in (DRAWER, SECOND))
    first["data"], second["data"] = second["data"], first["data"]


def stolen(events: list[Event]) -> None:
    events[DRAWER]["type"] = "passed"


SEAL: int = HOUSE.events[DRAWER]["data"]["seal"]
SECOND: int = next(e["seq"] for e in HOUSE.events[DRAWER + 1 :] if e["type"] == "drew")
PLAYED = any(
    e["type"] == "played" and e["data"]["seal"] == SEAL
    for e in HOUSE.events[DRAWER : HOUSE.index("round_ended")]
)


@pytest.mark.parametrize(
    ("lie", "steps"),
    [
        (change("match_ended", server_seed="ab" * 32), "all of the wash"),
        (change("round_ended", round_seed="ab" * 32), {"round-seed"}),
        (other_tile, {"wash-order", "salt"}),
        (seals_changed, {"seal", "wash-root"}),
        (wash_changed, {"wash-root", "opened-hash", "client-seeds", "cut"}),
        (change("opened", server_seed_hash="ab" * 32), {"server-seed", "opened-hash", "cut"}),
        (change("seated", client_seed_commitment="ab" * 32), {"client-seeds"}),
        (change("seeded", client_seed="ab" * 32), {"client-seeds", "cut"}),
        (change("dealt", hand_size=6), {"cut-map"}),
        (change("dealt", seals=["ab" * 32]), {"seal", "wash-root"}),
        (drawn_by_a_wrong_seat, {"fate"}),
        (drawn_late, {"fate"}),
        (stolen, {"fate"}),
    ],
)
def test_what_differs_is_said(lie: Callable[[list[Event]], None], steps: Any) -> None:
    """A change to the transcript shows in the steps that it touches, and only there. With another
    K ("cut") the tile lies elsewhere, and its fate may differ too."""
    assert PLAYED
    assert differing(told(HOUSE.events, f"1:{SEAL}")) == set()
    events = copy.deepcopy(HOUSE.events)
    lie(events)
    it = told(events, f"1:{SEAL}")
    assert (it.equal, it.exit) == (False, 1)
    assert "DIFFERS" in it.text()
    assert " DIFFER.\n" in it.text()
    found = differing(it)
    if isinstance(steps, str):
        assert found >= {"server-seed", "round-seed", "salt", "seal", "wash-root"}
        return
    if "cut" in steps:
        found, steps = found - {"fate", "cut-map", "client-seeds"}, steps - {"cut", "client-seeds"}
    assert found == steps


def test_a_running_hand_tells_only_what_is_public() -> None:
    house = begun()
    it = told(house.events, "1:4")
    assert (it.tile, it.equal, it.fate, it.complete) == ("", True, [], False)
    assert len(it.unknown) == 5
    text = it.text() + it.json()
    for secret in (house.S, house.R[0], house.salts[0][4]):
        assert secret.hex() not in text
    assert house.seals[0][4].hex() in text
    assert "with seat" in text or "in the boneyard now" in text
    # A tile that was played is known at once, by what its play shows.
    stopped = House(choose=lambda house, seat: "stop" if len(house.events) > 8 else "play").play()
    seal = next(e["data"]["seal"] for e in stopped.events if e["type"] == "played")
    shown = told(stopped.events, f"1:{seal}")
    assert shown.tile == written(stopped.tile(seal))
    assert (shown.equal, [one["type"] for one in shown.fate]) == (True, ["played"])
    assert outputs(shown)[f"seal_{seal}"] == stopped.seals[0][seal].hex()
    # And what is not dealt yet has no seals to show.
    later = told(stopped.events, "2:0")
    assert "W_2" not in outputs(later)
    assert any("when it is dealt" in what for what in later.unknown)
    assert "will be" in later.text()


def test_a_hand_that_was_never_dealt_is_explained_once_the_seed_is_shown() -> None:
    """SPEC 4.4: "Once S is known every root is recomputed, played or not"."""
    house = House(choose=lambda house, seat: "void").play()
    it = told(house.events, "3:9")
    house.r = 3
    assert (it.tile, it.equal, it.unknown) == (written(house.tile(9)), True, [])
    assert outputs(it)["W_3"] == house.events[0]["data"]["washes"][2]
    assert "would have been" in it.text()


def test_without_every_seed_there_is_no_cut() -> None:
    house = House()
    house.sit()
    house.reveal(0)
    data = {"reason": "seeds-missing", "missing": [1], "server_seed": house.S.hex()}
    house.say("voided", data, 600_000)
    it = told(house.events, "1:9")
    house.r = 1
    assert it.tile == written(house.tile(9))
    assert "the seed of seat 1" in it.unknown
    assert [step.name for step in it.steps] == STEPS[:-1]


def test_a_round_seed_alone_is_believed_for_the_root_it_gives() -> None:
    """SPEC 9.3: without S the seed of `round_ended` opens the hand."""
    end = HOUSE.index("round_ended") + 1
    it = told(HOUSE.events[:end], f"1:{SEAL}")
    assert (it.tile != "", it.equal, len(it.unknown)) == (True, True, 2)
    events = copy.deepcopy(HOUSE.events[:end])
    events[-1]["data"]["round_seed"] = "ab" * 32
    assert differing(told(events, f"1:{SEAL}")) == {"wash-order", "salt", "seal", "wash-root"}


def test_a_draw() -> None:
    house = lots()
    for i in range(10):
        it = told(house.events, str(i))
        assert (it.tile, it.equal) == (str(house.orders[0][i]), True)
    events = copy.deepcopy(house.events)
    events[-1]["data"]["result"].reverse()
    assert differing(told(events, "0")) == {"cut-map"}
    with pytest.raises(NoSuchSeal):
        told(lots(kind="numbers").events, "0")


def test_the_lead_draw() -> None:
    """SPEC 4.5: round 0, all tiles of the set, and seat k's tile is at place k of the map."""
    box = Box(Setup(ruleset="blocking")).start()
    events = box.told()
    drawn = next(event for event in events if event["type"] == "lead_drawn")
    said = []
    for i in range(28):
        it = told(events, f"0:{i}")
        assert (it.equal, it.fate) == (True, [])
        assert it.tile != ""
        assert it.steps[5].compared[1].what == "lead_wash of opened, event 0"
        said += [line for line in it.steps[-1].text if line.startswith("So it is the tile that")]
    assert len(said) == 2
    drawn["data"]["lead"] = 1 - drawn["data"]["lead"]
    assert differing(told(events, "0:3")) == {"cut-map"}
    with pytest.raises(NoSuchSeal):
        told(HOUSE.events, "0:3")


def test_a_tile_that_was_given() -> None:
    """R6: the seat at the left of one that cannot play gives it a tile."""
    events = copy.deepcopy(HOUSE.events)
    played = next(
        e for e in events[DRAWER:] if (e["type"], e["data"].get("seal")) == ("played", SEAL)
    )
    giver, to = played["data"]["seat"], (played["data"]["seat"] + 1) % 3
    gift = {"seat": giver, "to": to, "seal": SEAL}
    events.insert(played["seq"], {**played, "type": "gave", "data": gift})
    played["data"]["seat"] = to
    it = told(events, f"1:{SEAL}")
    assert it.equal
    assert [one["type"] for one in it.fate] == ["drew", "gave", "played"]
    assert it.fate[1] == {"seq": played["seq"], "type": "gave", "seat": giver, "to": to}
    for wrong in ({"seat": to}, {"to": giver}):
        changed = copy.deepcopy(events)
        changed[played["seq"]]["data"].update(wrong)
        assert differing(told(changed, f"1:{SEAL}")) == {"fate"}


def test_what_is_shown_is_what_is_hashed() -> None:
    """SPEC 2.2: each item behind its length; the commands print the outputs."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    hashes = [one for step in told(HOUSE.events, f"1:{SEAL}").steps for one in step.hashes]
    script, due = "", []
    for one in hashes:
        assert one.input == enc(*[item.data for item in one.tagged])
        if one.command is not None:
            script += one.command + "\n"
            due.append(one.output.hex())
    assert len(due) == 8
    if missing:
        words = f"NOT CHECKED: the commands; apt-get install {' '.join(missing)}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(words)
    argv = ["bash", "-eu", "-o", "pipefail", "-c", script]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=True)
    assert [line.split()[0] for line in done.stdout.splitlines()] == due


@pytest.mark.parametrize(
    ("number", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (21, "21st")],
)
def test_ordinals(number: int, said: str) -> None:
    assert nth(number) == said
