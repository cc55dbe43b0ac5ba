"""Every count of verifier/spec/audit.md, 3, on matches made for it."""

from __future__ import annotations

import types
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify import verify
from fairbones_verify.audit import tallies
from fairbones_verify.audit.counts import count, kind_of
from fairbones_verify.audit.errands import Order
from fairbones_verify.audit.facts import knew
from fairbones_verify.audit.index import Index
from tests.audit.matches import (
    SIXTY,
    STEP,
    course,
    cut,
    dealt,
    opened,
    played,
    receipts_lost,
    revealed,
    seated,
    void,
    with_seeds,
)
from tests.audit.running import Json, fill, summary
from tests.verifier import opening
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, SIGNER
from tests.verifier.signing import seat_signer

THREE: dict[str, Any] = {"seats": 3}


def by_pair(told: Json) -> dict[tuple[str, str], int]:
    return {(one["reason"], one["knew"]): one["matches"] for one in told["voids"]["list"]}


def test_voids_by_what_the_house_knew(tmp_path: Path) -> None:
    """spec/audit.md: "The first that holds"; a match without its seed is counted although it is
    refuted."""
    houses = [
        void(opened(1), "house"),
        void(seated(2, 0), "seats-missing", STEP + 10_000, missing=[1]),
        void(seated(3, 0), "left", missing=[0]),
        void(revealed(4, 0), "seeds-missing", SIXTY, missing=[1]),
        void(revealed(5, 2, **THREE), "seeds-missing", SIXTY, missing=[0, 1]),
        void(revealed(6, 0, 1, **THREE), "house"),
        void(revealed(7, **THREE), "house"),
        void(dealt(8), "house"),
        void(dealt(9), "house"),
        void(revealed(10, 0, 1), "house"),
        void(dealt(11), "seed-lost"),
        void(opened(12), "seed-lost"),
    ]
    lost = dealt(13)
    houses.append(void(lost, "history-lost", receipt=receipts_lost(lost)))
    for house in houses:
        report = verify(house.transcript())
        assert report.verdict == "verified" or report.code == "seed/not-opened", report.story
    told = summary(fill(tmp_path / "f", [house.transcript() for house in houses]))
    assert by_pair(told) == {
        ("house", "no-seat"): 1,
        ("seats-missing", "no-seed"): 1,
        ("left", "no-seed"): 1,
        ("seeds-missing", "all-but-one"): 1,
        ("seeds-missing", "some-seeds"): 1,
        ("house", "all-but-one"): 1,
        ("house", "no-seed"): 1,
        ("house", "dealt"): 2,
        ("house", "all-seeds"): 1,
        ("seed-lost", "dealt"): 1,
        ("seed-lost", "no-seat"): 1,
        ("history-lost", "dealt"): 1,
    }
    assert told["voids"]["total"] == told["matches"]["voided"] == 13
    assert (told["exit"], told["transcripts"]["refuted"]) == (1, 2)
    (house_,) = told["houses"]
    assert house_["key_id"] == SIGNER.id
    names = ("counted", "refuted", "convicts", "voided", "withheld", "left")
    assert [house_[name] for name in names] == [13, 2, 0, 13, 3, 1]


def test_a_clear_seed_is_known_at_once() -> None:
    """A seat that sat with its seed in the clear has shown it."""
    house = seated(1, 0, 1, clear=(0,), seats=2)
    assert knew(void(house, "house").events) == "all-but-one"


def test_how_matches_end(tmp_path: Path) -> None:
    idle = played(20, choose=lambda house, seat: "timeout")
    late = played(21, choose=lambda house, seat: "close")
    assert idle.events[-1]["data"]["reason"] == late.events[-1]["data"]["reason"] == "abandoned"
    running = [opened(22), seated(23, 1), revealed(24, 0), revealed(25), dealt(26)]
    houses = [played(27), played(28), idle, late, *running]
    folder = fill(tmp_path / "f", [house.transcript() for house in houses])
    told = summary(folder)
    assert told["matches"] == {
        "counted": 9,
        "played": 2,
        "drawn": 0,
        "abandoned": 2,
        "voided": 0,
        "waiting": {"seats": 2, "seeds": 2, "hands": 1, "overdue": 5},
    }
    assert told["abandoned"] == {"idle": 1, "close_by": 1}
    assert [one["match"] for one in told["overdue"]] == [house.match for house in running]
    close_by = running[0].events[0]["data"]["close_by"]
    assert {one["close_by"] for one in told["overdue"]} == {close_by}
    told = summary(folder, "--now", str(close_by))
    assert (told["overdue"], told["now"]) == ([], close_by)
    assert len(summary(folder, "--now", str(close_by + 1))["overdue"]) == 5
    assert told["exit"] == 0


def naive(houses: list[House]) -> dict[tuple[int, str | None], Counter[str]]:
    """Time-outs and so on by (seat, name), counted event by event."""
    counts: dict[tuple[int, str | None], Counter[str]] = {}
    for house in houses:
        last = house.events[-1]
        names = {
            event["data"]["seat"]: event["data"].get("name")
            for event in house.events
            if event["type"] == "seated"
        }
        for seat, name in names.items():
            row = counts.setdefault((seat, name), Counter())
            row["matches"] += 1
            row["abandoned"] += last["data"].get("reason") == "abandoned"
            for event in house.events:
                if event["type"] in ("timed_out", "left") and event["data"]["seat"] == seat:
                    row[event["type"]] += 1
            blamed = {"left": "left", "seeds-missing": "withheld"}.get(last["data"].get("reason"))
            if blamed and seat in last["data"]["missing"]:
                row[blamed] += 1
    return counts


def test_who_runs_out_of_time(tmp_path: Path) -> None:
    def slow(house: House, seat: int) -> str:
        return "timeout" if seat == 1 and house.rng.random() < 0.4 else "play"

    def goes(house: House, seat: int) -> str:
        return "play" if house.left or len(house.events) < 9 else "leave 2"

    houses = [played(30 + k, choose=slow) for k in range(6)]
    houses += [played(40 + k, choose=goes, seats=3) for k in range(3)]
    houses += [played(50, choose=lambda house, seat: "timeout"), played(51)]
    houses += [void(seated(52, 0), "left", missing=[0])]
    houses += [void(revealed(53, 0), "seeds-missing", SIXTY, missing=[1])]
    told = summary(fill(tmp_path / "f", [house.transcript() for house in houses]))
    expected = naive(houses)
    names = ("timed_out", "left", "withheld", "abandoned")
    guilty = {who: row for who, row in expected.items() if any(row[name] for name in names)}
    weak = told["seats"]["weak"]
    assert {(one["seat"], one.get("name")) for one in weak["list"]} == set(guilty)
    for one in weak["list"]:
        row = guilty[one["seat"], one.get("name")]
        assert [one[name] for name in ("matches", *names)] == [
            row[name] for name in ("matches", *names)
        ]
    sums = [sum(one[name] for name in names) for one in weak["list"]]
    assert sums == sorted(sums, reverse=True)
    assert weak["more"] == len(expected) - len(guilty)
    assert told["seats"]["signed"] == {"list": [], "more": 0}
    (house_,) = told["houses"]
    for name in ("timed_out", "left", "withheld"):
        assert house_[name] == sum(row[name] for row in expected.values())
    assert sum(row["timed_out"] for row in expected.values()) > 5


def test_a_seat_with_a_key_is_known_by_it() -> None:
    """Whatever its name and number; and it is no weak label then."""
    index = Index(Order("folder", "."))
    facts: Json = {
        "ruleset": "block",
        "partners": False,
        "key_id": "ab" * 8,
        "close_by": 0,
        "end": {"kind": "played"},
        "client_seeds": {},
        "seed_hash": "00" * 32,
        "roots": [],
        "options": [],
        "unchecked": [],
        "table": {"seats": 2, "leads": [], "winners": [], "pips": []},
    }
    for match in range(3):
        mine = {"seat": match % 2, "name": f"n{match}", "public_key": "cd" * 32}
        other = {"seat": 1 - match % 2, "name": "eve"}
        counts = {"timed_out": match, "left": 0, "withheld": 1}
        line = {"source": f"{match}", "verdict": "verified", "match": f"{match:032x}"}
        seats = [{**mine, **counts}, {**other, **counts}]
        index.take({**line, "facts": {**facts, "seed_hash": f"{match:064x}", "seats": seats}})
    count(index, 0)
    told = tallies.seats(index)
    zero = {"left": 0, "abandoned": 0}
    assert list(told["signed"]["list"]) == [
        {"key": "cd" * 32, "matches": 3, "timed_out": 3, "withheld": 3, **zero}
    ]
    assert [(one["seat"], one["name"], one["matches"]) for one in told["weak"]["list"]] == [
        (1, "eve", 2),
        (0, "eve", 1),
    ]
    index.close()


def test_a_seat_that_signs(tmp_path: Path) -> None:
    """One key in two matches, in another seat and under another name each time."""
    houses = []
    for seed, seat in ((140, 0), (141, 1)):
        house = opened(seed, keys=(seat,), choose=lambda house, seat: "timeout")
        house.signers = {seat: seat_signer(7, 0)}
        houses.append(course(house))
    told = summary(fill(tmp_path / "f", [house.transcript() for house in houses]))
    assert (told["transcripts"]["verified"], told["matches"]["abandoned"]) == (2, 2)
    (row,) = told["seats"]["signed"]["list"]
    assert (row["key"], row["matches"]) == (seat_signer(7, 0).public.hex(), 2)
    others = told["seats"]["weak"]["list"]
    timed_out = sum(it["type"] == "timed_out" for house in houses for it in house.events)
    assert row["timed_out"] + sum(one["timed_out"] for one in others) == timed_out


def test_client_seeds_used_again(tmp_path: Path) -> None:
    one, two, three = b"\1\2" * 16, b"\3\4" * 16, b"\5\6" * 16
    text, flat = b"correct horse battery staple 123", b"\7" * 32
    houses = [
        course(with_seeds(opened(60), one, two)),
        course(with_seeds(opened(61), three, one)),
        course(with_seeds(opened(62), three, three)),
        course(with_seeds(opened(63), text, flat)),
        course(with_seeds(opened(64), flat, b"\x08\x09" * 16)),
    ]
    told = summary(fill(tmp_path / "f", [house.transcript() for house in houses]))
    found = told["client_seeds"]
    assert (found["shown"], found["repeated"]["within"], found["repeated"]["between"]) == (10, 1, 3)
    assert [(it["seed"], it["times"], it["matches"]) for it in found["repeated"]["list"]] == [
        (three.hex(), 3, 2),
        (one.hex(), 2, 2),
        (flat.hex(), 2, 2),
    ]
    uses = found["repeated"]["list"][0]["uses"]
    expected = [(houses[1].match, 0), (houses[2].match, 0), (houses[2].match, 1)]
    assert [(use["match"], use["seat"]) for use in uses] == sorted(expected)
    assert (found["odd"]["printable"], found["odd"]["constant"]) == (1, 2)
    assert found["odd"]["list"] == [
        {"seed": flat.hex(), "kind": "constant", "times": 2},
        {"seed": text.hex(), "kind": "printable", "times": 1},
    ]
    assert told["exit"] == 0


@pytest.mark.parametrize(
    ("seed", "kind"),
    [(b"A" * 32, "constant"), (b"A~ " * 10 + b"zz", "printable"), (b"\x7f" + b"A" * 31, "")],
)
def test_odd_seeds(seed: bytes, kind: str) -> None:
    assert kind_of(seed) == kind


def test_what_a_house_uses_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same server seed in two matches; a root, and a hash of a seed, announced in two."""
    random = opening.random.Random  # type: ignore[attr-defined]

    class Lazy(random):  # type: ignore[misc, valid-type]
        """A house that throws its dice for the seed once and for all."""

        thrown = 0

        def randbytes(self, n: int) -> bytes:
            self.thrown += 1
            return b"\x11" * 32 if self.thrown == 1 else bytes(super().randbytes(n))

    with monkeypatch.context() as patched:
        patched.setattr(opening, "random", types.SimpleNamespace(Random=Lazy))
        lazy = [played(70), played(71)]
    assert lazy[0].S == lazy[1].S
    assert lazy[0].match != lazy[1].match
    first = opened(72)
    copied = {name: first.events[0]["data"][name] for name in ("washes", "server_seed_hash")}
    second = opened(73)
    copy = second.forged(lambda events: events[0]["data"].update(copied))
    files = [house.transcript() for house in (*lazy, first)]
    told = summary(fill(tmp_path / "f", [*files, copy]))
    assert told["exit"] == 0
    seeds, roots = told["server_seeds"], told["roots"]
    assert (seeds["shown"], seeds["repeated"]) == (2, 1)
    pair = [{"match": match} for match in sorted(house.match for house in lazy)]
    assert seeds["list"] == [{"seed": "11" * 32, "times": 2, "uses": pair}]
    assert seeds["hashes"]["repeated"] == 1
    assert (roots["announced"], roots["repeated"]) == (4, 1)
    uses = [{"match": it, "round": 1} for it in sorted(house.match for house in (first, second))]
    assert roots["list"] == [{"root": copied["washes"][0][:32], "times": 2, "uses": uses}]


def test_house_rules(tmp_path: Path) -> None:
    rows: list[Json] = [{"target": 50}, {"target": 50, "tie": "starter"}, {"target": 60}, {}]
    houses = [played(80 + k, row={**BLOCK, **row}) for k, row in enumerate(rows)]
    told = summary(fill(tmp_path / "f", [house.transcript() for house in houses]))
    block = {"ruleset": "block"}
    assert told["options"] == [
        {**block, "name": "target", "published": 100, "here": 50, "matches": 2},
        {**block, "name": "target", "published": 100, "here": 60, "matches": 1},
        {**block, "name": "tie", "published": "void", "here": "starter", "matches": 1},
    ]


def test_tables(tmp_path: Path) -> None:
    """Leads, winners and pips, against a count of events."""
    houses = [played(90 + k, seats=2 + k % 2, rounds=3) for k in range(8)]
    pairs = {**BLOCK, "partners": True}
    houses += [played(110 + k, seats=4, row=pairs, rounds=2) for k in range(3)]
    houses.append(played(120, choose=lambda house, seat: "timeout"))
    told = summary(fill(tmp_path / "f", [house.transcript() for house in houses]))
    assert [(it["seats"], it["partners"]) for it in told["tables"]] == [
        (2, False),
        (3, False),
        (4, True),
    ]
    for table in told["tables"]:
        seats = table["seats"]
        mine = [house for house in houses if house.seats == seats]
        events = [event for house in mine for event in house.events]
        hands = [
            event["data"]
            for event in events
            if event["type"] == "round_ended" and event["data"]["reason"] != "abandoned"
        ]
        ends = [
            event["data"]
            for event in events
            if event["type"] == "match_ended" and event["data"]["reason"] != "abandoned"
        ]
        leads = [event["data"] for event in events if event["type"] == "dealt"]
        assert (table["matches"], table["hands"]) == (len(mine), len(hands))
        assert table["nobody"] == sum("winner" not in hand for hand in hands)
        assert table["drawn"] == sum("winner" not in end for end in ends)
        for seat, row in enumerate(table["by_seat"]):
            side = seat % 2 if table["partners"] else seat
            assert row == {
                "led_first": sum(it["lead"] == seat and it["round"] == 1 for it in leads),
                "led": sum(it["lead"] == seat for it in leads),
                "hands_won": sum(hand.get("winner") == side for hand in hands),
                "matches_won": sum(end.get("winner") == side for end in ends),
                "pips": sum(hand["counts"][seat] for hand in hands),
            }


def test_a_match_counts_once(tmp_path: Path) -> None:
    """The longest verified transcript of it; what is refuted counts for nothing."""
    house = played(130, choose=lambda house, seat: "timeout", rounds=2)
    whole = house.transcript()
    files = {"b.json": whole, "deep/a.json": whole, "c.json": cut(house, 3)}
    alone = summary(fill(tmp_path / "alone", {"b.json": whole}))
    told = summary(fill(tmp_path / "f", files))
    ours = ("matches", "seats", "client_seeds", "server_seeds", "roots", "tables", "voids")
    assert {name: told[name] for name in ours} == {name: alone[name] for name in ours}
    assert told["transcripts"]["verified"] == 3
    assert told["histories"]["compared"] == 1
    assert told["exit"] == 0
