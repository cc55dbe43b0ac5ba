"""The table of codes and the source agree: no code without a row, no row without a source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from marshmallow import Schema

import fairbones
from fairbones.api.codes import CODES
from fairbones.api.errors_page import errors_page
from fairbones.api.schemas import requests
from fairbones.core.rules.options import OPTIONS

SOURCE = Path(fairbones.__file__).parent
CODE = re.compile(r"[a-z]+(?:-[a-z]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")
FAMILIES = {code.partition("/")[0] for code in CODES}

# Raised where no request comes from, or turned into another answer before they leave.
INSIDE = {
    "deal/unknown-tile": "a deal given to the rules by a test or a tool",
    "deal/duplicate-tile": "the same",
    "deal/missing-tile": "the same",
    "action/text": "the text form of an action, which no request has",
}
# What makes an error from a code, in any layer.
MAKERS = frozenset(
    ("FairbonesError", "Unreadable", "Illegal", "Stale", "Conflict", "Forbidden", "Missing")
) | {"refuse", "Condition", "Fault", "Busy"}
INNER_FAMILIES = ("store", "house", "config", "start")


def codes_in(folder: Path) -> set[str]:
    """Every string of the source that is a code of ours."""
    found = set()
    for tree in trees(folder):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                family = node.value.partition("/")[0]
                known = family in FAMILIES or node.value in INSIDE
                if known and CODE.fullmatch(node.value):
                    found.add(node.value)
    return found


@cache
def parsed(path: Path) -> ast.Module:
    """A module, read once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def trees(folder: Path) -> Iterator[ast.Module]:
    """Every module below a folder."""
    return map(parsed, sorted(folder.rglob("*.py")))


def constants(tree: ast.Module) -> dict[str, str]:
    """The strings that a module gives a name."""
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found |= {it.id: value.value for it in targets if isinstance(it, ast.Name)}
    return found


def last_name(node: ast.expr) -> str:
    """`c` of `c` and of `a.b.c`."""
    return getattr(node, "id", getattr(node, "attr", ""))


def raised_in(folder: Path) -> tuple[set[str], set[str]]:
    """The codes of errors made in a folder: the first argument of anything named like one.

    A string, or a constant of this module or of any other; a `code` that is handed on was made
    elsewhere. With them what is nothing of these.
    """
    elsewhere = {name: text for tree in trees(SOURCE) for name, text in constants(tree).items()}
    found, unknown = set(), set()
    for tree in trees(folder):
        named = elsewhere | constants(tree)
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and node.args and last_name(node.func) in MAKERS):
                continue
            first = node.args[0]
            text = first.value if isinstance(first, ast.Constant) else named.get(last_name(first))
            if isinstance(text, str) and CODE.fullmatch(text):
                found.add(text)
            elif last_name(first) != "code":
                unknown.add(ast.unparse(first))
    return found, unknown


def test_codes_that_are_constants_are_seen(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(
        'GONE: Final = "match/gone"\n'
        'Stale(GONE, "..."), errors.Stale("match/lost", "..."), Stale(decide.LATE, "...")\n'
        "Stale(made(), '...'), Stale(other.code, '...')\n"
    )
    assert raised_in(tmp_path) == ({"match/gone", "match/lost", "match/late"}, {"made()"})


def test_every_code_that_can_reach_an_answer_has_a_row() -> None:
    seen = [raised_in(SOURCE / layer) for layer in ("core", "house", "api", "ops")]
    raised = set().union(*(found for found, _ in seen))
    assert len(raised) > 50
    assert "match/late" in raised
    assert set().union(*(unknown for _, unknown in seen)) == set()
    outside = {
        code for code in raised - CODES.keys() if code.partition("/")[0] not in INNER_FAMILIES
    }
    assert outside == set(INSIDE)


def test_every_row_has_a_source() -> None:
    folders = ("core", "house", "ops", "store")
    used = set().union(*(codes_in(SOURCE / folder) for folder in folders))
    api = {
        code
        for path in (SOURCE / "api").rglob("*.py")
        if path.parent.name != "codes"
        for code in re.findall(CODE, path.read_text(encoding="utf-8"))
    }
    assert set(CODES) - used - api == set()


def test_rows_are_whole_sentences_with_known_statuses() -> None:
    for row in CODES.values():
        assert row.status in {400, 401, 403, 404, 405, 409, 410, 411, 413, 415, 422, 429, 500, 503}
        for text in (row.cause, row.remedy):
            assert text.endswith("."), row.code
            assert text[0].isupper() or text[0] == "`", row.code
        assert not row.title.endswith("."), row.code


# ------------------------------------------------------------------ sentences


# Whose second argument (the first, for the last two) is a sentence for whoever asked.
TELLERS = {**dict.fromkeys(MAKERS | {"problem"}, 1), "_shapeless": 0}
# Not literal here: made of sentences that are looked at where they are written.
HANDED_ON = {
    "message",
    "condition.text",
    "row.cause",
    "row.remedy",
    "error.message",
    "text.format(path=path)",  # the store's lines for the operator
}
# Names of members and options, which stand at the beginning of a sentence as they are.
WORDS = {
    name
    for schema in vars(requests).values()
    if isinstance(schema, type) and issubclass(schema, Schema)
    for name in schema._declared_fields
} | set(OPTIONS)


class Sentences:
    """The beginnings and the ends that the messages of one module may have."""

    def __init__(self, tree: ast.Module) -> None:
        self.named: dict[str, list[ast.expr]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.named.setdefault(node.targets[0].id, []).append(node.value)
            if isinstance(node, ast.FunctionDef):
                made = [it.value for it in ast.walk(node) if isinstance(it, ast.Return)]
                self.named.setdefault(f"{node.name}()", []).extend(it for it in made if it)

    def edges(self, node: ast.expr) -> set[tuple[str, str]]:
        """`(text, text)` for a literal, the first and the last piece of what is put together; a
        value is its expression in braces. ValueError for what is no literal.
        """
        match node:
            case ast.Constant(value=str(text)):
                return {(text, text)}
            case ast.FormattedValue(value=value):
                return {(f"{{{ast.unparse(value)}}}",) * 2}
            case ast.JoinedStr(values=[first, *_, last] | [first as last]):
                return self.joined(first, last)
            case ast.BinOp(left=left, right=right):
                return self.joined(left, right)
            case ast.IfExp(body=one, orelse=other):
                return self.edges(one) | self.edges(other)
            case ast.Name(id=name) if name in self.named:
                return set().union(*map(self.edges, self.named[name]))
            case ast.Call(func=ast.Name(id=name)) if f"{name}()" in self.named:
                return set().union(*map(self.edges, self.named[f"{name}()"]))
        raise ValueError(ast.unparse(node))

    def joined(self, first: ast.expr, last: ast.expr) -> set[tuple[str, str]]:
        return {(begin, end) for begin, _ in self.edges(first) for _, end in self.edges(last)}


def told_in(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Who tells, and what, of everything that can reach an answer."""
    for node in ast.walk(tree):
        name = last_name(node.func) if isinstance(node, ast.Call) else ""
        at = TELLERS.get(name)
        if not isinstance(node, ast.Call) or at is None or len(node.args) <= at:
            continue
        code = node.args[0].value if isinstance(node.args[0], ast.Constant) else ""
        # A line for the operator, which stands behind "fairbones: " and never leaves the house.
        if str(code).partition("/")[0] not in INNER_FAMILIES:
            yield name, node.args[at]


def unlike_sentences(tree: ast.Module) -> tuple[list[str], set[str]]:
    """The messages of a module that are no sentences, and those that are not written there."""
    sentences, wrong, unread = Sentences(tree), [], set()
    for name, message in told_in(tree):
        try:
            edges = sentences.edges(message)
        except ValueError as error:
            unread.add(str(error))
            continue
        for begin, end in edges:
            word = re.match(r"\w*", begin)
            # A fault stands behind the name of its field.
            begins = name == "Fault" or begin[0].isupper() or begin[0] == "{"
            begins = begins or (word is not None and word[0] in WORDS)
            # The text of a fault is looked at where it is written.
            if not begins or not end.endswith((".", "{fault.text}")):
                wrong.append(ast.unparse(message))
    return wrong, unread


def test_every_detail_is_a_sentence() -> None:
    """It begins with a capital, a value or the name of a member, and ends with a full stop."""
    judged = [unlike_sentences(tree) for tree in trees(SOURCE)]
    assert [text for wrong, _ in judged for text in wrong] == []
    assert set().union(*(unread for _, unread in judged)) == HANDED_ON
    assert sum(len(list(told_in(tree))) for tree in trees(SOURCE)) > 100


@pytest.mark.parametrize(
    ("source", "fine"),
    [
        ("Illegal('a/b', 'Play.')", True),
        ("Illegal('a/b', 'play.')", False),
        ("Illegal('a/b', 'Play')", False),
        ("Illegal('a/b', f'{text} fits.')", True),
        ("Illegal('a/b', f'{text} fits: {other}')", False),
        ("Illegal('a/b', 'seq is ahead.')", True),
        ("Illegal('a/b', 'Do: ' + ('play.' if x else 'pass'))", False),
        ("message = 'Play.'; message = 'or not.'; Illegal('a/b', message)", False),
        ("def made():\n  return 'no'\nIllegal('a/b', made())", False),
        ("Fault(TYPE, 'send it.')", True),
        ("Fault(TYPE, 'send it')", False),
        ("FairbonesError('store/full', 'the disk is full')", True),
    ],
)
def test_what_is_no_sentence_is_seen(source: str, fine: bool) -> None:
    wrong, unread = unlike_sentences(ast.parse(source))
    assert (wrong == [], unread) == (fine, set())


def test_the_page_lists_every_code_once() -> None:
    page = errors_page()
    for code in CODES:
        assert page.count(f"</a>`{code}` ") == 1, code
