"""The table of codes and the source agree: no code without a row, no row without a source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import fairbones
from fairbones.api.codes import CODES
from fairbones.api.errors_page import errors_page

SOURCE = Path(fairbones.__file__).parent
CODE = re.compile(r"[a-z]+(?:-[a-z]+)*/[a-z0-9]+(?:-[a-z0-9]+)*")
FAMILIES = {code.partition("/")[0] for code in CODES}

# Raised where no request comes from, or turned into another answer before they leave.
INSIDE = {
    "deal/unknown-tile": "a deal given to the rules by a test or a tool",
    "deal/duplicate-tile": "the same",
    "deal/missing-tile": "the same",
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
    seen = [raised_in(SOURCE / layer) for layer in ("core", "house", "api")]
    raised = set().union(*(found for found, _ in seen))
    assert len(raised) > 50
    assert "match/late" in raised
    assert set().union(*(unknown for _, unknown in seen)) == set()
    outside = {
        code for code in raised - CODES.keys() if code.partition("/")[0] not in INNER_FAMILIES
    }
    assert outside == set(INSIDE)


def test_every_row_has_a_source() -> None:
    folders = ("core", "house")
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
        assert row.status in {400, 401, 403, 404, 405, 409, 410, 411, 413, 415, 422, 500, 503}
        assert row.cause.endswith("."), row.code
        assert row.remedy.endswith(("}", ".")), row.code
        assert not row.title.endswith("."), row.code


def test_the_page_lists_every_code_once() -> None:
    page = errors_page()
    for code in CODES:
        assert page.count(f"</a>`{code}` ") == 1, code
