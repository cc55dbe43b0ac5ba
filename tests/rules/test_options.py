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


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"[0-9]+", text)]


_SPEC = Path(__file__).resolve().parents[2] / "verifier" / "spec" / "rules.md"
_TEXT = _SPEC.read_text("utf-8")
_PUBLISHED: list[dict[str, Any]] = [
    json.loads(row)
    for block in re.findall(r"```json\n(.*?)\n```", _TEXT, re.S)
    for row in block.splitlines()
]
# The table under the rows: ruleset, seats, hands by seats, fixed options.
_TABLE: dict[str, tuple[list[int], list[int], set[str]]] = {
    found[1]: (
        _numbers(found[2]),
        _numbers(found[3]),
        set(re.findall(r"`([a-z_]+)`", found[4])),
    )
    for found in re.finditer(
        r"^\| `([a-z-]+)` \| ([0-9 to]+) \| ([0-9 /]+) \| (.*) \|$", _TEXT, re.M
    )
}


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
    fewest = RULESETS[published["id"]].seats[0]
    assert _exact(resolve(published["id"], fewest, {})) == _exact(published)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_seats_hands_and_fixed_options_are_the_published_ones(ruleset: Any) -> None:
    """The table under the rows of R3."""
    seats, hands, fixed = _TABLE[ruleset.id]
    assert list(ruleset.seats) == list(range(seats[0], seats[-1] + 1))
    assert [ruleset.hand_by_seats[n] for n in ruleset.seats] == hands
    assert ruleset.fixed == fixed


def test_values_are_the_published_ones() -> None:
    """The table of options: where each is, and what it may be."""
    options = _TEXT[_TEXT.index("| option | in | values |") :]
    rows = dict(re.findall(r"^\| `([a-z_]+)` \| [^|]+ \| ([^|]+) \|", options, re.M))
    assert rows.keys() == OPTIONS.keys()
    for name, told in rows.items():
        option = OPTIONS[name]
        if isinstance(option, Span):
            assert _numbers(told) == [option.minimum, option.maximum], name
        else:
            values = [json.loads(value) for value in re.findall(r"`([^`]+)`", told)]
            assert _exact(values) == _exact(list(option.values)), name


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
    ruleset = described["id"]
    seats = 4 if 4 in RULESETS[ruleset].seats else 2
    whole = any(option["name"] == "deal_all" for option in described["options"])
    for option in described["options"]:
        name = option["name"]
        values = option.get("values") or [option["minimum"], option["maximum"]]
        for value in values:
            chosen = {name: value}
            if name == "hand" and (value > 1 or whole):
                code = "options/whole-set" if whole else "options/tiles"
                assert _refusal(ruleset, seats, chosen) == code
                continue
            if name == "set" and whole and value != 6:
                if value != 15:
                    assert _refusal(ruleset, seats, chosen) == "options/whole-set"
                    continue
                chosen["hand"] = 34
            if name == "partners" and value and seats != 4:
                assert _refusal(ruleset, seats, chosen) == "options/partners"
                continue
            row = resolve(ruleset, seats, chosen)
            assert _exact(row[name]) == _exact(value)
            compile_rules(row, seats)
        for wrong in (None, "no such value", -1, 10**6, 1.0, [], *map(_disguised, values)):
            code = _refusal(ruleset, seats, {name: wrong})
            fixed = name in RULESETS[ruleset].fixed
            assert code == ("options/fixed" if fixed else "options/value")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"target": 0}, "target is a whole number from 1 to 10000."),
        ({"hand": "7"}, "hand is a whole number from 1 to 95."),
        ({"partners": 1}, "partners is false or true."),
        ({"protected": 3}, "protected is 0, 1 or 2."),
        ({"score": None}, 'score is "total" or "difference".'),
        ({"set": 7}, "set is 6, 9, 12, 15 or 18."),
        (
            {"win_at": "at-once"},
            'win_at is always "hand-end" in Draw: leave it out, or choose another ruleset.',
        ),
        (
            {"count_all": True, "score": "difference"},
            "count_all goes with score: total: choose that score, or leave count_all out.",
        ),
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
    """The catalogue says the same of `hand` as the rows."""
    entries: list[dict[str, Any]] = catalogue()
    for entry in entries:
        (hand,) = (option for option in entry["options"] if option["name"] == "hand")
        for seats, size in hand["default_by_seats"].items():
            row = RULESETS[entry["id"]]
            assert row.hand_by_seats[int(seats)] == size
            if int(seats) * size <= 28:
                assert resolve(entry["id"], int(seats), {})["hand"] == size
            else:
                assert _refusal(entry["id"], int(seats), {}) == "options/tiles"


@pytest.mark.parametrize("ruleset", ["block", "draw", "all-fives", "fives-and-threes"])
def test_tiles_suffice_or_are_refused(ruleset: str) -> None:
    """SPEC R3: "`seats * hand + protected <=` the tiles of the set"."""
    drawing = "protected" in RULESETS[ruleset].row
    protections: tuple[int, ...] = (0, 1, 2) if drawing else (0,)
    for seats, hand, protected in itertools.product(range(2, 9), range(1, 16), protections):
        for n, tiles in ((6, 28), (9, 55)):
            options: dict[str, object] = {"hand": hand, "set": n}
            if drawing:
                options["protected"] = protected
            if seats * hand + protected <= tiles:
                assert resolve(ruleset, seats, options)["hand"] == hand
            else:
                assert _refusal(ruleset, seats, options) == "options/tiles"


@pytest.mark.parametrize(
    ("ruleset", "seats", "options", "told", "details"),
    [
        (
            "draw",
            6,
            {},
            "6 seats of 5 tiles need 30; double-six has 28: choose set 9, or lower hand to 4.",
            {"needed": 30, "tiles": 28, "set": 9, "hand": 4},
        ),
        (
            "block",
            8,
            {},
            "8 seats of 7 tiles need 56; double-six has 28: choose set 12, or lower hand to 3.",
            {"needed": 56, "tiles": 28, "set": 12, "hand": 3},
        ),
        (
            "draw",
            4,
            {"hand": 7, "protected": 2},
            (
                "4 seats of 7 tiles and 2 protected need 30; double-six has 28: choose set 9, or "
                "lower hand to 6, or lower protected to 0."
            ),
            {"needed": 30, "tiles": 28, "set": 9, "hand": 6},
        ),
        (
            "draw",
            8,
            {"hand": 95, "protected": 1, "set": 18},
            (
                "8 seats of 95 tiles and 1 protected need 761; double-eighteen has 190: lower hand "
                "to 23."
            ),
            {"needed": 761, "tiles": 190, "hand": 23},
        ),
    ],
)
def test_too_many_tiles_are_counted_out(
    ruleset: str, seats: int, options: dict[str, object], told: str, details: dict[str, int]
) -> None:
    """With what would do: the smallest set for these hands, the largest hand of this set."""
    with pytest.raises(Illegal) as caught:
        resolve(ruleset, seats, options)
    assert (caught.value.message, caught.value.details) == (told, {"seats": seats, **details})
    for name in ("set", "hand"):
        if name in details:
            resolve(ruleset, seats, options | {name: details[name]})
    assert _refusal(ruleset, seats, options | {"hand": details["hand"] + 1}) == "options/tiles"


def test_the_seats_are_looked_at_before_the_tiles() -> None:
    """Whoever wants partners at six seats does not have to find a set for them first."""
    assert _refusal("draw", 9, {"partners": True, "hand": 95}) == "ruleset/seats"
    assert _refusal("draw", 6, {"partners": True}) == "options/partners"
    assert _refusal("middle-eastern", 4, {"hand": 95}) == "options/whole-set"


@pytest.mark.parametrize("described", catalogue(), ids=lambda entry: str(entry["id"]))
def test_limits_and_refusals_name_options_of_the_row(described: dict[str, Any]) -> None:
    """Block has nothing protected, so nobody is told to protect less."""
    names = {option["name"] for option in described["options"]}
    told = " ".join(limit["text"] for limit in described["limits"])
    if "deal_all" not in names:
        with pytest.raises(Illegal) as caught:
            resolve(described["id"], described["seats"]["maximum"], {"hand": 95})
        told += caught.value.message
    assert OPTIONS.keys() & set(re.findall(r"[a-z_]+", told)) <= names


@pytest.mark.parametrize("n", [6, 9, 12, 15, 18])
def test_the_whole_set_is_dealt_where_it_must_be(n: int) -> None:
    """SPEC R3: "`deal_all` needs `seats * hand =` the tiles of the set"."""
    fit = [
        hand
        for hand in range(1, 96)
        if 4 * hand <= (n + 1) * (n + 2) // 2
        and _code("middle-eastern", 4, {"set": n, "hand": hand}) is None
    ]
    assert fit == {6: [7], 15: [34]}.get(n, [])


def _code(ruleset: str, seats: int, options: dict[str, object]) -> str | None:
    try:
        resolve(ruleset, seats, options)
    except Illegal as refused:
        return refused.code
    return None


@pytest.mark.parametrize("seats", [2, 3, 5, 6, 7, 8])
def test_partners_need_four(seats: int) -> None:
    """SPEC R3: "`partners` needs 4 seats"."""
    options: dict[str, object] = {"partners": True, "set": 12}
    assert _refusal("block", seats, options) == "options/partners"
    assert _refusal("fives-and-threes", seats, options) == "options/partners"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_rules_know_no_ruleset(ruleset: Any) -> None:
    """Behaviour hangs on options: the same row under another name gives the same rules."""
    for seats in ruleset.seats:
        row = resolve(ruleset.id, seats, {"hand": 7 if "deal_all" in ruleset.row else 3})
        assert compile_rules(row, seats) == compile_rules(row | {"id": "renamed"}, seats)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_pair_of_values_compiles(ruleset: Any) -> None:
    """Every value of every option has its place in a table of the engine, with every other."""
    seats = 4 if 4 in ruleset.seats else 2
    options = {n: c.values for n, c in OPTIONS.items() if isinstance(c, Choice)}
    free = [n for n in ruleset.row if n in options and n not in ruleset.fixed and n != "set"]
    tried = 0
    for one, other in itertools.combinations(free, 2):
        for values in itertools.product(options[one], options[other]):
            chosen: dict[str, object] = {one: values[0], other: values[1]}
            code = _code(ruleset.id, seats, chosen)
            if code is None:
                compile_rules(resolve(ruleset.id, seats, chosen), seats)
                tried += 1
            else:
                assert code in ("options/count-all", "options/partners")
    assert tried > 100


def test_unknown_values_do_not_compile() -> None:
    """A row nobody resolved is not guessed at."""
    row = resolve("draw", 2, {})
    for name in ("drawing", "drawn_tile", "score", "tie", "first_lead", "next_lead"):
        with pytest.raises(KeyError):
            compile_rules(row | {name: "otherwise"}, 2)
    assert isinstance(OPTIONS["target"], Span)
    with pytest.raises(KeyError):
        compile_rules(row | {"target": True}, 2)


@pytest.mark.parametrize("seats", [0, 1, 9, -2, True, 2.0, "2", None])
def test_other_numbers_of_seats_are_refused(seats: Any) -> None:
    """2 to 8 seats, a whole number; 4 where there are partners."""
    assert _refusal("block", seats, {}) == "ruleset/seats"
    assert _refusal("latin-american", seats, {}) == "ruleset/seats"
