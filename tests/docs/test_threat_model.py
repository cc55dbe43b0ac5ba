"""The threat model cites what is there: tests, scenarios, checks, refusals, sections, figures."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
PAGE = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
SPEC = "\n".join(
    path.read_text("utf-8")
    for path in (ROOT / "verifier" / "SPEC.md", *sorted((ROOT / "verifier" / "spec").glob("*.md")))
)
CODES = (ROOT / "verifier" / "spec" / "codes.md").read_text("utf-8")
ERRORS = (ROOT / "docs" / "errors.md").read_text("utf-8")
EVIDENCE = (ROOT / "docs" / "evidence.md").read_text("utf-8")
ATTACKS = (ROOT / "docs" / "decisions" / "0003-attacks-on-the-protocol.md").read_text("utf-8")
FOLDERS = (
    *(TESTS / "forgeries").iterdir(),
    TESTS / "vectors" / "valid",
    TESTS / "vectors" / "compared",
)
STATUSES = {"stopped", "caught afterwards", "disclosed", "open"}
LAST = 53  # a number once given is never given again: vectors use it

LINES = [line for line in PAGE.splitlines() if re.match(r"\| T\d+ \|", line)]
CELLS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in LINES]
ROWS = {cells[0].strip(): cells for cells in CELLS}


def quoted(text: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", text)


@cache
def scenarios() -> dict[str, tuple[str, ...]]:
    """Every scenario by name, with the threats it stands for."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in FOLDERS:
        for path in folder.glob("*.json") if folder.is_dir() else ():
            if "." in path.stem:  # what lies beside a scenario is named NAME.SORT.json
                continue
            told = json.loads(path.read_text("utf-8"))
            found[path.stem] = tuple(told.get("threats", ()))
    return found


@cache
def functions(path: Path) -> set[str]:
    """The functions at the top of a module."""
    tree = ast.parse(path.read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def missing(cited: str) -> bool:
    """Whether a cell of proofs names something that is not there."""
    path, _, name = cited.partition("::")
    if name:
        return not (TESTS / path).is_file() or name not in functions(TESTS / path)
    return cited not in scenarios() and not ("/" in cited and (TESTS / cited).is_file())


def test_every_number_has_one_row_in_order() -> None:
    assert [cells[0].strip() for cells in CELLS] == [f"T{number}" for number in range(1, LAST + 1)]
    assert {len(cells) for cells in CELLS} == {6}


@pytest.mark.parametrize("number", ROWS)
def test_a_row_cites_what_is_there(number: str) -> None:
    _, _, _, stops, proof, status = ROWS[number]
    assert [cited for cited in quoted(proof) if missing(cited)] == []
    words = quoted(status)
    assert words
    assert set(words) <= STATUSES
    # Nothing is called stopped or caught for which nothing is shown.
    assert quoted(proof) or set(words) <= {"disclosed", "open"}
    assert bool(quoted(proof)) != (proof == "none")
    for code in quoted(stops):
        refusal = re.fullmatch(r"(\d{3}) ([a-z]+/[a-z-]+)", code)
        if refusal:
            assert f"`{refusal[2]}` | {refusal[1]} |" in ERRORS, code
        elif re.fullmatch(r"[a-z]+/[a-z0-9-]+", code):
            assert f"`{code}`" in CODES, code


@pytest.mark.parametrize("number", ROWS)
def test_a_threat_with_scenarios_cites_one_of_its_own(number: str) -> None:
    own = {name for name, threats in scenarios().items() if number in threats}
    if own:
        assert own & set(quoted(ROWS[number][4]))


def test_every_number_in_use_has_a_row() -> None:
    used = {threat for threats in scenarios().values() for threat in threats}
    for path in TESTS.rglob("*.py"):
        if path != Path(__file__):
            text = path.read_text("utf-8")
            used |= set(re.findall(r"\bT[1-9]\d?\b(?=[\"',:.;)]| to T\d| and T\d)", text))
    assert len(used) > 30
    assert used - set(ROWS) == set()
    assert set(re.findall(r"\bT\d+\b", PAGE)) == set(ROWS)


def test_tests_named_outside_the_rows_are_there() -> None:
    text = "\n".join(line for line in PAGE.splitlines() if line not in LINES)
    cited = [it for it in quoted(text) if "::" in it]
    assert cited
    assert [it for it in cited if missing(it)] == []
    paths = [it for it in quoted(text) if re.fullmatch(r"tests/[\w/.*]+", it)]
    assert [it for it in paths if it != "tests/" and not [*ROOT.glob(it)]] == []


def test_every_section_cited_is_there() -> None:
    for number in sorted(set(re.findall(r"SPEC (R?\d+(?:\.\d+)?)", PAGE))):
        section, _, part = number.partition(".")
        text = re.split(rf"^## {section}\. ", SPEC, maxsplit=1, flags=re.MULTILINE)[-1]
        assert text != SPEC, number
        if part:  # a paragraph, or a line of a numbered list; draws have a page of their own
            heading = rf"^(?:{section}\.{part} |(?:\*\*)?{part}\. )"
            text = SPEC if section == "11" else re.split(r"^## ", text, flags=re.MULTILINE)[0]
            assert re.search(heading, text, re.MULTILINE), number


@pytest.mark.parametrize("page", ["docs/threat-model.md", "SECURITY.md", "CONTRIBUTING.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    path = ROOT / page
    for link in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
        assert link.startswith("http") or (path.parent / link).exists(), link


def test_the_figures_are_those_of_the_evidence() -> None:
    """Whoever runs the long tests anew has to look at what this page says of them."""
    told = PAGE.split("## What an adversary tried")[1]
    numbers = set(re.findall(r"\d{1,3}(?:,\d{3})+", told))
    numbers |= set(re.findall(r"(?<![,\d])(\d+) (?:random )?(?:matches|events)", told))
    assert len(numbers) > 8
    assert {number for number in numbers if f" {number} |" not in EVIDENCE} == set()
    (attacks,) = re.findall(r"lists (\d+) attacks", told)
    assert int(attacks) == len(re.findall(r"^\| \d+ \|", ATTACKS, re.MULTILINE))


@pytest.mark.parametrize("cited", ["house/test_races.py::test_nothing", "no-such-forgery", "api/x"])
def test_a_wrong_citation_would_be_found(cited: str) -> None:
    assert missing(cited)
