"""The project's Python as text and trees, read once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SERVICE = ROOT / "service" / "fairbones"
VERIFIER = ROOT / "verifier" / "fairbones_verify"


@cache
def texts(folder: Path) -> dict[str, str]:
    """Path below the folder to text, for every module."""
    found = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.py"))
    }
    assert found, folder
    return found


@cache
def trees(folder: Path) -> dict[str, ast.Module]:
    """The same, parsed."""
    return {name: ast.parse(text) for name, text in texts(folder).items()}


def imported(name: str, tree: ast.Module, package: str) -> Iterator[str]:
    """Every module a module imports, in full: relative ones too, wherever the import stands."""
    parts = [package, *name.removesuffix(".py").split("/")][:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = parts[: len(parts) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield base
            # `from fairbones import store` names a module only in its second half.
            yield from (f"{base}.{alias.name}" for alias in node.names)
