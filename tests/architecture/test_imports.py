"""Imports go one way. The tables below are the architecture; a new part needs a row."""

from __future__ import annotations

import ast
import sys

import pytest

from tests.architecture.sources import SERVICE, VERIFIER, imported, trees

# What each part of the service may import of the service, its own modules aside.
CORE = "fairbones.core"
MAY: dict[str, tuple[str, ...]] = {
    "core/errors": (),
    "core/bones": ("fairbones.core.errors",),
    "core/protocol": ("fairbones.core.errors",),
    "core/rules": ("fairbones.core.bones", "fairbones.core.errors"),
    "core/match": (CORE,),
    "core/views": (CORE,),
    "house": (CORE,),
    "store": (CORE, "fairbones.house.ports"),
    "keys": (CORE, "fairbones.house.ports"),
    "hooks": (CORE, "fairbones.house.ports"),
    "archive": (CORE, "fairbones.house.ports"),
    # What the operator has set is handed in; how it is counted or kept, the edge does not know.
    "api": (CORE, "fairbones.house.contract", "fairbones.house.messages", "fairbones.ops"),
    "ops": (CORE, "fairbones.house.ports"),
    "logs": (),
    # The composition root: the only place that knows concrete classes of more than one edge.
    "app": ("fairbones",),
    "config": (CORE,),
    "wsgi": ("fairbones",),
    "cli": ("fairbones",),
    "serving": (CORE, "fairbones.config", "fairbones.logs"),
    # Guests: they meet the house over HTTP alone.
    "bots": (CORE,),
    "demo": (CORE, "fairbones.bots"),
}
EDGES = {"api", "store", "keys", "hooks", "archive"}
# The core has no hands: no clock, no entropy, no files, no network, no log. This much is pure.
PURE = {
    "__future__",
    "bisect",
    "collections",
    "dataclasses",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "json",
    "operator",
    "re",
    "types",
    "typing",
}


def part(name: str) -> str:
    """Which part of the service a module belongs to."""
    pieces = name.removesuffix(".py").split("/")
    return "/".join(pieces[:2]) if pieces[0] == "core" else pieces[0]


def inside(module: str, packages: tuple[str, ...]) -> bool:
    """Whether a module is one of these packages or in one."""
    return any(module == package or module.startswith(package + ".") for package in packages)


def strangers(name: str, tree: ast.Module) -> set[str]:
    """The modules of the service that a module imports and may not."""
    own = "fairbones." + part(name).replace("/", ".")
    allowed = (own, *MAY[part(name)])
    modules = {it for it in imported(name, tree, "fairbones") if inside(it, ("fairbones",))}
    # `from fairbones.x import y` is named twice, as fairbones.x and as fairbones.x.y.
    modules -= {it for it in modules if it == "fairbones" or it == "fairbones.__version__"}
    return {it for it in modules if not inside(it, allowed) and not harmless(it, modules, allowed)}


def harmless(module: str, modules: set[str], allowed: tuple[str, ...]) -> bool:
    """A package that is named only on the way to something allowed below it."""
    below = [it for it in modules if it.startswith(module + ".")]
    return bool(below) and all(inside(it, allowed) for it in below)


def parts() -> set[str]:
    """Every part of the service."""
    names = {part(name) for name in trees(SERVICE)}
    return names - {"__init__", "core/__init__"}


def test_every_part_of_the_service_has_a_row() -> None:
    """A part nobody thought of would be allowed anything, or nothing."""
    assert parts() <= MAY.keys()
    assert {name for name in MAY if name.startswith("core/")} <= parts()


@pytest.mark.parametrize("of", sorted(MAY))
def test_imports_of_the_service_go_one_way(of: str) -> None:
    """house knows ports, edges know the house, nobody knows an edge but the composition root."""
    for name, tree in trees(SERVICE).items():
        if part(name) == of:
            assert strangers(name, tree) == set(), name


def test_edges_never_import_each_other() -> None:
    """HTTP in; databases and keys out: each can be exchanged without the others noticing."""
    for name, tree in trees(SERVICE).items():
        if part(name) in EDGES:
            others = tuple(f"fairbones.{edge}" for edge in EDGES - {part(name)})
            modules = set(imported(name, tree, "fairbones"))
            assert {it for it in modules if inside(it, others)} == set(), name


def test_the_core_has_no_hands() -> None:
    """Time, entropy and identity arrive as fields of a command."""
    for name, tree in trees(SERVICE).items():
        if name.startswith("core/"):
            roots = {it.partition(".")[0] for it in imported(name, tree, "fairbones")}
            # Judging a signature is arithmetic, which the library does without hands.
            pure = PURE | {"cryptography"} if name == "core/protocol/ed25519.py" else PURE
            assert roots - pure - {"fairbones"} == set(), name
            called = {
                node.func.id
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            }
            assert called & {"open", "print", "input", "eval", "exec", "__import__"} == set(), name


def test_the_house_needs_only_python_and_the_core() -> None:
    """Use cases run without Flask, without a database and without cryptography's keys."""
    for name, tree in trees(SERVICE).items():
        if part(name) == "house":
            roots = {it.partition(".")[0] for it in imported(name, tree, "fairbones")}
            assert roots <= sys.stdlib_module_names | {"fairbones"}, name
            hands = {"os", "random", "secrets", "socket", "sqlite3", "logging", "pathlib"}
            assert roots & hands == set(), name


def test_service_and_verifier_never_import_each_other() -> None:
    """Two implementations check each other only for as long as neither knows the other."""
    for name, tree in trees(SERVICE).items():
        roots = {it.partition(".")[0] for it in imported(name, tree, "fairbones")}
        assert "fairbones_verify" not in roots, name
    for name, tree in trees(VERIFIER).items():
        roots = {it.partition(".")[0] for it in imported(name, tree, "fairbones_verify")}
        assert "fairbones" not in roots, name


PLANTED = {
    "core/rules/x.py": "from fairbones.core.protocol.encoding import H",
    "core/protocol/x.py": "import fairbones.core.rules",
    "core/match/x.py": "from fairbones.house.ports import Step",
    "house/x.py": "from fairbones.store.sqlite import SqliteStore",
    "store/x.py": "from fairbones.house.desk import Desk",
    "api/x.py": "def f():\n    from fairbones import keys",
    "keys/x.py": "from ..store import sqlite",
    "bots/x.py": "import fairbones.house.service",
    "demo/x.py": "from fairbones import app",
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_wrong_import_would_be_found(name: str) -> None:
    """The tables forbid what they are there to forbid, however the import is written."""
    assert strangers(name, ast.parse(PLANTED[name])) != set()
