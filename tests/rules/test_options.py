"""Rows and their options (SPEC R3)."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import catalogue, compile_rules, resolve
from fairbones.core.rules.options import OPTIONS, Choice, Span
from fairbones.core.rules.rulesets import RULESETS

_SPEC = Path(__file__).resolve().parents[2] / "verifier" / "spec" / "rules.md"
_PUBLISHED: list[dict[str, Any]] = [
    json.loads(row) for row in re.findall(r"```json\n(.*?)\n```", _SPEC.read_text("utf-8"), re.S)
]


def _refusal(ruleset: str, seats: int, options: dict[str, object]) -> str:
    with pytest.raises(Illegal) as caught:
        resolve(ruleset, seats, options)
    return caught.value.code


def _detail(options: dict[str, object]) -> str:
    with pytest.raises(Illegal) as caught:
        resolve("draw", 2, options)
    return caught.value.message


def _exact(value: object) -> str:
    return json.dumps(value)  # unlike ==, it tells true from 1, and an order from another


@pytest.mark.parametrize("published", _PUBLISHED, ids=lambda row: str(row["id"]))
def test_row_is_the_published_one(published: dict[str, Any]) -> None:
    """The keys of a row are exactly those of its ruleset; the rows of the text are the rows."""
    assert _exact(resolve(published["id"], 2, {})) == _exact(published)


def test_every_ruleset_is_published() -> None:
    """No row is missing in the text and none is there for nothing."""
    assert [row["id"] for row in _PUBLISHED] == list(RULESETS)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_option_is_explained_and_its_default_allowed(ruleset: Any) -> None:
    """A row's key without a line in the table, or a default the table refuses, is a mistake."""
    for name, default in ruleset.row.items():
        assert OPTIONS[name].allows(default), name
    assert ruleset.fixed <= set(ruleset.row)
    assert all(OPTIONS["hand"].allows(hand) for hand in ruleset.hand_by_seats.values())


def test_no_option_is_for_nobody() -> None:
    """Every option of the table is in a row."""
    assert set(OPTIONS) == {"hand"}.union(*(ruleset.row for ruleset in RULESETS.values()))


@pytest.mark.parametrize("described", catalogue(), ids=lambda entry: str(entry["id"]))
def test_every_advertised_value_can_be_chosen(described: dict[str, Any]) -> None:
    """What the catalogue offers opens a match and can be played; what lies beside is refused."""
    assert json.loads(json.dumps(described)) == described
    seats = described["seats"]["maximum"]
    ruleset = described["id"]
    for option in described["options"]:
        name = option["name"]
        values = option.get("values") or [option["minimum"], option["maximum"]]
        for value in values:
            if name == "hand" and value > 1:
                assert _refusal(ruleset, seats, {name: value}) == "options/tiles"
                continue
            row = resolve(ruleset, seats, {name: value})
            assert _exact(row[name]) == _exact(value)
            compile_rules(row, seats)
        for wrong in (None, "no such value", -1, 10**6, 1.0, [], *map(_disguised, values)):
            code = _refusal(ruleset, seats, {name: wrong})
            assert code == ("options/fixed" if name == "drawing" else "options/value")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"target": 0}, "target is a whole number from 1 to 10000."),
        ({"hand": "7"}, "hand is a whole number from 1 to 95."),
        ({"partners": 1}, "partners is false or true."),
        ({"protected": 3}, "protected is 0, 1 or 2."),
        ({"score": None}, 'score is "total" or "difference".'),
        ({"set": 9}, "set is always 6 here."),
        (
            {"drawing": "none"},
            'drawing is always "until-fits" in Draw: leave it out, or choose another ruleset.',
        ),
    ],
)
def test_a_refusal_says_what_could_be_chosen(options: dict[str, object], told: str) -> None:
    """Whoever reads the sentence alone knows what to send."""
    assert _detail(options) == told


def test_an_unknown_option_is_named_and_so_are_the_known() -> None:
    """As much of a made-up name as anybody needs to see."""
    told = _detail({"taget": 50})
    assert told.startswith('Draw has no option "taget". It has: better, block_count, ')
    assert all(name in told for name in (*RULESETS["draw"].row, "hand"))
    assert len(_detail({"x" * 10_000: 1})) == len(_detail({"x" * 64: 1}))


def _disguised(value: object) -> object:
    # A value Python takes for equal, of another JSON type.
    if isinstance(value, bool):
        return int(value)
    return value == 1 if value in (0, 1) else float(value) if isinstance(value, int) else [value]


def test_defaults_by_seats() -> None:
    """`block` 7 / 7 / 7, `draw` 7 / 5 / 5; the catalogue says the same as the row."""
    entries: list[dict[str, Any]] = catalogue()
    hands = {
        str(entry["id"]): option["default_by_seats"]
        for entry in entries
        for option in entry["options"]
        if option["name"] == "hand"
    }
    assert hands == {"block": {"2": 7, "3": 7, "4": 7}, "draw": {"2": 7, "3": 5, "4": 5}}
    for ruleset, by_seats in hands.items():
        for seats, hand in by_seats.items():
            assert resolve(ruleset, int(seats), {})["hand"] == hand


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_tiles_suffice_or_are_refused(ruleset: str) -> None:
    """`seats * hand + protected <= tiles of the set`."""
    protections: tuple[int, ...] = (0, 1, 2) if ruleset == "draw" else (0,)
    for seats, hand, protected in itertools.product((2, 3, 4), range(1, 16), protections):
        options: dict[str, object] = {"hand": hand}
        if ruleset == "draw":
            options["protected"] = protected
        if seats * hand + protected <= 28:
            assert resolve(ruleset, seats, options)["hand"] == hand
        else:
            assert _refusal(ruleset, seats, options) == "options/tiles"


def test_rules_know_no_ruleset() -> None:
    """Behaviour hangs on options: the same row under another name gives the same rules."""
    for ruleset, seats in itertools.product(RULESETS, (2, 3, 4)):
        row = resolve(ruleset, seats, {})
        assert compile_rules(row, seats) == compile_rules(row | {"id": "renamed"}, seats)


def test_every_mixture_compiles() -> None:
    """Every value of every option has its place in a table of the engine."""
    for ruleset in RULESETS.values():
        names = [n for n in ruleset.row if n not in ruleset.fixed]
        choices = [c.values for n in names if isinstance(c := OPTIONS[n], Choice)]
        keys = [n for n in names if isinstance(OPTIONS[n], Choice)]
        for mixture in itertools.product(*choices):
            compile_rules(resolve(ruleset.id, 4, dict(zip(keys, mixture, strict=True))), 4)


def test_unknown_values_do_not_compile() -> None:
    """A row nobody resolved is not guessed at."""
    row = resolve("draw", 2, {})
    for name in ("drawing", "drawn_tile", "score", "tie", "first_lead", "next_lead"):
        with pytest.raises(KeyError):
            compile_rules(row | {name: "otherwise"}, 2)
    assert isinstance(OPTIONS["target"], Span)
    with pytest.raises(KeyError):
        compile_rules(row | {"target": True}, 2)


@pytest.mark.parametrize("seats", [0, 1, 5, -2, True, 2.0, "2", None])
def test_other_numbers_of_seats_are_refused(seats: Any) -> None:
    """2 to 4 seats, a whole number."""
    assert _refusal("block", seats, {}) == "ruleset/seats"
