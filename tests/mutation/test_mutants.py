"""The faults that are put in: each kind, and none that could not be a program."""

from __future__ import annotations

import ast
import random

import pytest

from tests.mutation import areas, equivalents
from tests.mutation.__main__ import drawn, modules
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.trial import ROOT

EVERY = list(modules("*"))


def read(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


def afters(text: str) -> set[str]:
    return {mutant.after for mutant in mutants("toy.py", text)}


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("x = a < b\n", {"x = a <= b"}),
        ("x = a is not None\n", {"x = a is None"}),
        ("x = (a) not in (b)\n", {"x = (a) in (b)"}),
        ("x = a + b\n", {"x = a - b"}),
        ("x = a % b\n", {"x = a // b"}),
        ("x = 'a' + b\n", set()),
        ("x = 0\n", {"x = 1"}),
        ("x = 7\n", {"x = 8", "x = 6"}),
        ("x = True\n", {"x = False"}),
        ("x = -a\n", {"x = a"}),
        ("x = not a\n", {"x = a"}),
        ("x = a and b\n", {"x = a or b", "x = a", "x = b"}),
        ("x = f(a, b)\n", {"x = f(b, a)"}),
        ("x = f(*a, b)\n", set()),
        ("x = min(a, b)\n", {"x = max(a, b)"}),
        ("x = any(a)\n", {"x = all(a)"}),
        ("x = a[b:]\n", {"x = a[b + 1:]", "x = a[b:-1]"}),
        ("x = a[:b]\n", {"x = a[1:b]", "x = a[:b - 1]"}),
        ("x = a if b else c\n", {"x = a if not b else c"}),
        ("x = [a for a in b if a < c]\n", {"x = [a for a in b if a <= c]",
                                          "x = [a for a in b if not (a < c)]"}),
        ("if a == b:\n    c()\n", {"if a != b:", "pass"}),
        ("raise a\n", {"pass"}),
        ("a.append(b)\n", {"pass"}),
        ("a.b = c\n", {"pass"}),
        ("a += b\n", {"pass", "a -= b"}),
        ("def f():\n    a = b\n    return a\n", {"return None"}),
        ("def f(a):\n    a = b\n    return a\n", {"pass", "return None"}),
        ("def f() -> bool:\n    return a < b\n", {"return a <= b", "return not (a < b)"}),
        ("def f():\n    return None\n", set()),
    ],
)  # fmt: skip
def test_what_can_be_wrong(text: str, due: set[str]) -> None:
    assert afters(text) == due


@pytest.mark.parametrize(
    "text",
    [
        '"""Text of 1 module."""\n',
        "import a\n",
        "def f(a: b[1:2]) -> c[1]: ...\n".replace("...", "'''Text.'''"),
        "a: b[1]\n",
        "@f(1)\ndef g(): '''Text.'''\n",
        "x = f'{1 + a}'\n",
        "if TYPE_CHECKING:\n    x = 1\n",
        "x = 'text'\n",
    ],
)
def test_what_does_not_run_is_left_alone(text: str) -> None:
    assert afters(text) == set()


def test_lines_are_quoted_as_they_stand() -> None:
    text = "a = (\n    'ü', c  # one + two\n    +   d,\n)\n"
    (mutant,) = mutants("toy.py", text)
    assert (mutant.line, mutant.before, mutant.after) == (3, "+ d,", "- d,")
    assert mutant.text == text.replace("+   d", "-   d")


def test_what_reads_the_same_is_told_apart() -> None:
    first, second = mutants("toy.py", "x()\nx()\n")
    assert (first.again, second.again) == (0, 1)
    assert first.key != second.key


def test_every_mutant_is_another_program(seed: random.Random) -> None:
    for path in seed.sample(EVERY, 4):
        text = read(path)
        made = mutants(path, text)
        for mutant in seed.sample(made, min(40, len(made))):
            assert ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(text))
            compile(mutant.text, path, "exec")


def test_the_order_is_that_of_the_seed_and_fair_to_the_areas() -> None:
    chosen = [
        f"{areas.PROTOCOL}draws.py",
        f"{areas.RULES}series.py",
        f"{areas.VERIFIER}words.py",
        f"{areas.VERIFIER}shuffle.py",
    ]
    every = [mutant for path in chosen for mutant in mutants(path, read(path))]
    order = drawn(every, 1, {})
    assert sorted(order) == sorted(every)
    assert order == drawn(list(reversed(every)), 1, {}) != drawn(every, 2, {})
    some = drawn(every, 1, {"rules": 3})
    assert [mutant for mutant in some if mutant.path == chosen[1]] == [
        mutant for mutant in order if mutant.path == chosen[1]
    ][:3]
    first = [areas.area_of(mutant.path) for mutant in order[: 2 * len(areas.AREAS)]]
    assert all(first.count(area) == 2 for area in areas.AREAS), first


def test_every_module_has_tests_and_every_row_modules() -> None:
    assert {areas.area_of(path) for path in EVERY} == set(areas.AREAS) == set(areas.SAMPLE)
    assert not any("/audit/" in path or "/client/" in path for path in EVERY)
    for path in EVERY:
        assert areas.courses_of(path)
    for row in areas.ROWS:
        met = [path for path in EVERY if areas.courses_of(path) is row.courses]
        assert met, row.modules
        assert all((ROOT / name).is_file() for name in areas.files_of(met[0])), row.modules


def test_what_is_listed_as_equivalent_is_left_out() -> None:
    text = "# About.\n\na.py\n- x = 1\n+ x = 2\n= why\n- f()\n+ pass\n@ 1\n= why not\n"
    listed = equivalents.read(text)
    assert set(listed.values()) == {"why", "why not"}
    made = mutants("a.py", "x = 1\nf()\nf()\n")
    kept = [mutant for mutant in made if equivalents.named(mutant) not in listed]
    assert [(m.after, m.again) for m in kept] == [("x = 0", 0), ("pass", 0)]
    assert equivalents.stale(listed, made) == []
    assert equivalents.stale(listed, made[:2]) == list(listed)[1:]
    with pytest.raises(ValueError, match="line 2"):
        equivalents.read("a.py\nwhat is this\n")


def test_the_list_names_modules_and_gives_reasons() -> None:
    for one, why in equivalents.known().items():
        assert one.path in EVERY
        assert why


def test_its_name_outlives_other_changes_of_the_file() -> None:
    assert Mutant("a.py", 1, "b", "c", 0, "t").key == Mutant("a.py", 9, "b", "c", 0, "u").key
