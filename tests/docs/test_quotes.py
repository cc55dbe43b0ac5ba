"""A test that quotes the specification quotes it as it stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "verifier" / "SPEC.md", *sorted((ROOT / "verifier" / "spec").glob("*.md"))]
QUOTE = re.compile(r"SPEC\s+[A-Z]?[\d.]+[^\"]{0,80}?\"([^\"]{12,})\"", re.S)


def plain(text: str) -> str:
    """Without line breaks, emphasis and capitals: a quotation may begin in mid-sentence."""
    return re.sub(r"\s+", " ", text.replace("**", "")).lower()


def docstrings() -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
                yield str(path.relative_to(ROOT)), ast.get_docstring(node) or ""


def test_quotations_stand_in_the_specification() -> None:
    pages = plain("\n".join(page.read_text(encoding="utf-8") for page in PAGES))
    quoted = [(path, quote) for path, text in docstrings() for quote in QUOTE.findall(text)]
    assert len(quoted) > 50
    missing = [
        f"{path}: {quote}"
        for path, quote in quoted
        for part in plain(quote).split("...")
        if part.strip(" .;:,") not in pages
    ]
    assert not missing, "\n".join(missing)
