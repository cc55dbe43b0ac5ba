"""The table of codes and the source agree: no code without a row, no row without a source."""

from __future__ import annotations

import ast
import re
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
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                family = node.value.partition("/")[0]
                known = family in FAMILIES or node.value in INSIDE
                if known and CODE.fullmatch(node.value):
                    found.add(node.value)
    return found


def raised_in(folder: Path) -> set[str]:
    """The codes of errors made in a folder: the first argument of anything named like one."""
    errors = {
        "FairbonesError",
        "Unreadable",
        "Illegal",
        "Stale",
        "Conflict",
        "Forbidden",
        "Missing",
    }
    found = set()
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
                continue
            first = node.args[0]
            named = node.func.id in errors or node.func.id in (
                "refuse",
                "Condition",
                "Fault",
                "Busy",
            )
            if named and isinstance(first, ast.Constant) and CODE.fullmatch(str(first.value)):
                found.add(str(first.value))
    return found


def test_every_code_that_can_reach_an_answer_has_a_row() -> None:
    raised = raised_in(SOURCE / "core") | raised_in(SOURCE / "house") | raised_in(SOURCE / "api")
    assert len(raised) > 50
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
