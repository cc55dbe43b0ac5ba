"""The check values of SPEC section 12, and the tables of the specification, against our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairbones_verify import codes, deal, hashing, rulesets
from fairbones_verify.shuffle import shuffle
from tests.verifier import rows

SPEC = Path(__file__).resolve().parents[2] / "verifier"


def test_check_values() -> None:
    text = (SPEC / "SPEC.md").read_text("utf-8").partition("## 12. Check values")[2]
    S, match, opened = bytes(range(32)), bytes(range(16)), b"\xaa" * 32
    tiles = deal.tile_set(6)
    seed = deal.round_seed(S, match, 1)
    wash = deal.wash(match, seed, 1, [deal.tile_bytes(tile) for tile in tiles])
    key = deal.cut_key(opened, [b"\x11" * 32, b"\x22" * 32])
    hands, boneyard = deal.cut(key, 1, 28, 2, 7)
    lying = [deal.written(tiles[thing]) for thing in wash.order]
    cut_map = [*hands[0], *hands[1], *boneyard]
    for value in (
        f"server_seed_hash {hashing.digest('server-seed', match, S).hex()}\n",
        f"R_1              {seed.hex()}\n",
        f"order            {' '.join(map(str, wash.order))}\n",
        f"position 0 holds {lying[0]}\n",
        f"salt_0           {wash.salts[0].hex()}\n",
        f"seal_0           {wash.seals[0].hex()}\n",
        f"W_1              {wash.root.hex()}\n",
        f"commitment of 0  {hashing.commitment(opened, 0, bytes([0x11] * 32)).hex()}\n",
        f"K                {key.hex()}\n",
        f"map              {' '.join(map(str, cut_map))}\n",
        f"hand of seat 0   {' '.join(lying[position] for position in hands[0])}\n",
        'shuffle(K, "cut-map", 1, 300) begins '
        + " ".join(map(str, shuffle(key, "cut-map", 1, 300)[:8])),
    ):
        assert value in text, value


def test_the_registry_is_the_table_of_the_specification() -> None:
    text = (SPEC / "spec" / "codes.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) \| `([a-z0-9/-]+)` \| .* \| ?([^|]*?) ?\|$", text, re.MULTILINE)
    table = [(int(number), code, cause.replace("**", "")) for number, code, cause in rows]
    assert table == list(codes.CHECKS)


def test_the_reasons_not_to_start_are_those_of_the_specification() -> None:
    text = (SPEC / "spec" / "codes.md").read_text("utf-8")
    named = set(re.findall(r"`(start/[a-z]+)`", text))
    assert named | {"start/internal"} == set(codes.STARTS)


def test_the_tags_are_those_of_the_specification() -> None:
    text = (SPEC / "SPEC.md").read_text("utf-8").partition("2.3 ")[2].partition("2.4 ")[0]
    rows = re.findall(r"^\| (`.*?`) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    due = [
        tag
        for tags, _, where in rows
        for tag in re.findall(r"`([a-z-]+)`", tags)
        if "not" not in where
    ]
    assert sorted(hashing.TAGS) == sorted(due)


def test_the_rows_are_those_of_the_specification() -> None:
    assert list(rulesets.ROWS) == list(rows.ROWS)
    for name, row in rows.ROWS.items():
        ours = rulesets.ROWS[name]
        assert {**ours.published, "hand": row["hand"]} == row
        assert ours.hand == dict(zip(rows.SEATS[name], rows.HANDS[name], strict=True))
        assert rulesets.SEATS[name] == (rows.SEATS[name][0], rows.SEATS[name][-1])
        assert rulesets.flaws(row) == []


def stands_in(where: str, name: str) -> bool:
    """Whether an option of the table of SPEC R3 is one of a ruleset."""
    kinds = {
        "all": list(rows.ROWS),
        "drawing": ["draw", "blocking", "all-fives"],
        "counting": ["all-fives", "fives-and-threes"],
    }
    return name in kinds.get(where, [where])


@pytest.mark.parametrize("name", rows.ROWS)
def test_the_values_are_those_of_the_specification(name: str) -> None:
    """SPEC R3: a row has the options of the table and no others, each with the values listed."""
    row = rows.ROWS[name]
    # `win_at` is listed for the games that count: "elsewhere always `"hand-end"`".
    listed = {option for option, (where, _) in rows.VALUES.items() if stands_in(where, name)}
    assert set(row) == {*listed, "id", "win_at"}
    for option, (_, values) in rows.VALUES.items():
        if option not in row or not values:
            continue
        allowed = values
        if option in rows.FIXED[name]:
            allowed = [row[option]]
        for value in [*values, *range(62), "other"]:
            flaws = rulesets.flaws({**row, option: value})
            right = any(value == one and type(value) is type(one) for one in allowed)
            assert (flaws == []) is right, (option, value)
            if flaws:
                kind = "type" if type(value) is not type(row[option]) else "ruleset"
                assert [code for code, *_ in flaws] == [f"format/{kind}"]
        gone = {key: value for key, value in row.items() if key != option}
        assert [code for code, *_ in rulesets.flaws(gone)] == ["format/ruleset"]


def test_an_option_of_another_ruleset_is_unknown() -> None:
    """Checks 13 and 16."""
    for name, row in rows.ROWS.items():
        for option, value in [(o, v) for r in rows.ROWS.values() for o, v in r.items()]:
            if option not in row:
                (flaw,) = rulesets.flaws({**row, option: value})
                assert flaw[0] == "format/ruleset", (name, option)


def test_what_is_a_range_is_not_listed() -> None:
    """Checks 13 and 16: "an option whose values are a range (`hand`, `target`, `call_seconds`;"."""
    span = r"^\| `(\w+)` \| [\w-]+ \| (\d+) to (\d+) \|"
    text = (SPEC / "spec" / "rules.md").read_text("utf-8")
    spans = {name: (int(low), int(high)) for name, low, high in re.findall(span, text, re.M)}
    assert set(spans) == {"hand", "target", "call_seconds"}
    assert set(spans) == {option for option, (_, values) in rows.VALUES.items() if not values}
    for row in rows.ROWS.values():
        for option, (low, high) in spans.items():
            for value in (low - 1, low, high, high + 1) if option in row else ():
                found = [code for code, *_ in rulesets.flaws({**row, option: value})]
                assert found == ([] if low <= value <= high else ["format/range"])
