"""What may not stand where a deal is made, and what two implementations may not share."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from tests.architecture.sources import ROOT, SERVICE, VERIFIER, texts, trees

RUN = 6  # equal lines in a row are no accident
# In pieces, so that this file passes its own test.
UNFINISHED = re.compile("|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK")))
VAGUE = re.compile(r"utils?|helpers?|manager|misc|common|base")
# Lines everybody writes: brackets, bare keywords, imports, the ends of docstrings.
TRIVIAL = re.compile(r"[\W_]*|else:|try:|pass|return|continue|break|(from|import) .*|#.*|@\w+")


def makes_float(node: ast.AST) -> bool:
    """Whether a piece of source makes a float or asks a generator."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, (float, complex))
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator):
            return isinstance(operator, ast.Div)
        case ast.Call(func=ast.Name(id=name)):
            return name in ("float", "complex", "round")
        case ast.Attribute(attr=name):
            return name in ("random", "randrange", "uniform", "sample")
        case ast.Import(names=aliases):
            return any(alias.name in ("random", "math") for alias in aliases)
        case ast.ImportFrom(module=module):
            return module in ("random", "math")
    return False


def floats(tree: ast.Module) -> list[ast.AST]:
    """What in a module makes a float or asks a generator."""
    return [node for node in ast.walk(tree) if makes_float(node)]


def test_no_float_and_no_generator_in_the_dealing_path() -> None:
    """SPEC 2.1: "SHA-256, HMAC-SHA-256, Ed25519 (RFC 8032). Nothing else."; all numbers are
    whole."""
    seen = 0
    for name, tree in trees(SERVICE).items():
        if name.startswith("core/") or name == "house/openings.py":
            assert floats(tree) == [], name
            seen += 1
    assert seen > 20


@pytest.mark.parametrize(
    "planted",
    [
        "import random",
        "from random import choice",
        "x = 1 / 2",
        "x = 0.5",
        "float(x)",
        "a.sample(b)",
    ],
)
def test_a_float_would_be_found(planted: str) -> None:
    """The test above can fail."""
    assert floats(ast.parse(planted))


def runs(text: str) -> set[tuple[str, ...]]:
    """Every six lines in a row that say something, without their indentation."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if not TRIVIAL.fullmatch(line)]
    return {tuple(lines[i : i + RUN]) for i in range(len(lines) - RUN + 1)}


def shared(ours: dict[str, str], theirs: dict[str, str]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Runs of lines that stand in both trees."""
    known = {run: name for name, text in theirs.items() for run in runs(text)}
    return [
        (name, known[run], run) for name, text in ours.items() for run in runs(text) if run in known
    ]


def test_service_and_verifier_share_no_lines() -> None:
    """Two implementations check each other only for as long as neither is a copy of the other."""
    assert shared(texts(SERVICE), texts(VERIFIER)) == []


def test_a_copied_passage_would_be_found() -> None:
    """Six lines carried over, indented otherwise and with blank lines between, are found."""
    name, text = max(texts(SERVICE).items(), key=lambda it: len(runs(it[1])))
    lines = [line.strip() for line in text.splitlines() if not TRIVIAL.fullmatch(line.strip())]
    copied = "\n\n".join(f"        {line}" for line in lines[20 : 20 + RUN])
    assert [found[:2] for found in shared({name: text}, {"copy.py": copied})] == [(name, "copy.py")]
    assert shared({name: text}, {"copy.py": "\n".join(lines[20 : 19 + RUN])}) == []


def test_nothing_is_left_unfinished() -> None:
    """What is not done is not in the tree; a note about it belongs to the plan."""
    for folder in ("service", "verifier", "tests"):
        for name, text in texts(ROOT / folder).items():
            assert not UNFINISHED.search(text), f"{folder}/{name}"


def test_modules_are_named_after_what_they_hold() -> None:
    """Domain nouns: a module for everything ends up holding everything."""
    for folder in (SERVICE, VERIFIER):
        pieces = Counter(
            piece for name in texts(folder) for piece in name.removesuffix(".py").split("/")
        )
        assert [piece for piece in pieces if VAGUE.fullmatch(piece)] == []
