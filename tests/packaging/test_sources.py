"""What no file of the project may hold, whoever writes it."""

from __future__ import annotations

import ast
import re
import sys

import pytest

from tests.packaging.checkout import ROOT, VERIFIER, project_texts

LONGEST_FILE = 400
SOURCE_SUFFIXES = (".py", ".sh", ".js", ".css", ".html", ".ci/run")

# Each host is in pieces, so that this file passes its own test.
REGISTRY_HOSTS = [
    ("py", "pi.org"),
    ("py", "pi.python.org"),
    ("pythonho", "sted.org"),
    ("deb.deb", "ian.org"),
    ("security.deb", "ian.org"),
    ("ftp.deb", "ian.org"),
    ("npm", "js.org"),
    ("npm", "js.com"),
    ("crates", ".io"),
    ("proxy.gol", "ang.org"),
    ("docker", ".io"),
    ("gh", "cr.io"),
]
HOST = re.compile("|".join(re.escape("".join(pieces)) for pieces in REGISTRY_HOSTS), re.IGNORECASE)
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:" + "|".join(("root", "work", "home")) + ")/")


def offences(pattern: re.Pattern[str]) -> list[str]:
    """Where the project's text matches, as path, line and match."""
    return [
        f"{name}:{number}: {match[0]}"
        for name, text in project_texts().items()
        for number, line in enumerate(text.splitlines(), 1)
        for match in pattern.finditer(line)
    ]


def test_no_registry_is_named() -> None:
    assert offences(HOST) == []


def test_no_path_of_one_machine() -> None:
    assert offences(MACHINE_PATH) == []


def test_no_source_file_is_too_long_to_read() -> None:
    lengths = {
        name: len(text.splitlines())
        for name, text in project_texts().items()
        if name.endswith(SOURCE_SUFFIXES)
    }
    assert "dev.py" in lengths
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def imported_packages(tree: ast.AST) -> set[str]:
    """The top-level packages that a module imports from outside its own."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add(str(node.module).partition(".")[0])
    return found


class WithoutAttempts(ast.NodeTransformer):
    """Empties each `try` that has an answer to a failure."""

    def visit_Try(self, node: ast.Try) -> ast.Try:
        self.generic_visit(node)
        node.body = [] if node.handlers else node.body
        return node


def test_verifier_needs_only_python_and_itself() -> None:
    allowed = sys.stdlib_module_names | {"fairbones_verify"}
    modules = sorted((VERIFIER / "fairbones_verify").rglob("*.py"))
    assert modules
    trees = {path.name: WithoutAttempts().visit(ast.parse(path.read_text())) for path in modules}
    strangers = {name: imported_packages(tree) - allowed for name, tree in trees.items()}
    assert {name: packages for name, packages in strangers.items() if packages} == {}


@pytest.mark.parametrize(
    ("package", "stranger"),
    [("service/fairbones", "fairbones_verify"), ("verifier/fairbones_verify", "fairbones")],
)
def test_neither_knows_the_other(package: str, stranger: str) -> None:
    modules = sorted((ROOT / package).rglob("*.py"))
    assert modules
    guilty = [
        path for path in modules if stranger in imported_packages(ast.parse(path.read_text()))
    ]
    assert guilty == []
