"""The check values of SPEC section 12, and the tables of the specification, against our own."""

from __future__ import annotations

import json
import re
from pathlib import Path

from fairbones_verify import codes, deal, hashing, rulesets
from fairbones_verify.shuffle import shuffle

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
    text = (SPEC / "spec" / "rules.md").read_text("utf-8")
    rows = [json.loads(row) for row in re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)]
    for row in rows:
        assert {**rulesets.ROWS[row["id"]].published, "hand": 7} == row
    assert [row["id"] for row in rows] == list(rulesets.ROWS)
    hands = re.findall(
        r"^`(\w+)`: (\d) to (\d) seats, `hand` (\d) / (\d) / (\d)", text, re.MULTILINE
    )
    for name, low, high, *numbers in hands:
        assert rulesets.SEATS[name] == (int(low), int(high))
        assert rulesets.ROWS[name].hand == dict(zip((2, 3, 4), map(int, numbers), strict=True))
    for option, values in re.findall(
        r"^\| `(\w+)` \| (?:both|draw) \| (.*?) \|", text, re.MULTILINE
    ):
        listed = [json.loads(value) for value in re.findall(r"`(.*?)`", values)]
        if option in rulesets.RANGES or option == "drawing":
            continue
        ours = rulesets.ROWS["draw"].published[option]
        assert listed == [ours, *rulesets.OTHERS.get(option, ())], option
