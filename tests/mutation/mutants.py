"""Every mutant of a module: the changes of `operators`, each a module that can be compiled."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tests.mutation.operators import (
    Change,
    Source,
    changed,
    condition,
    expression,
    returned,
    statement,
)

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Mutant(NamedTuple):
    """One fault: the lines it changes, as they stand and as they would stand."""

    path: str
    line: int
    before: str
    after: str
    again: int  # 0, or how many mutants of the file above it read the same
    text: str

    @property
    def key(self) -> str:
        """Its name between runs; lines may move."""
        return f"{self.path}\n{self.before}\n{self.after}\n{self.again}"


def mutants(path: str, text: str) -> list[Mutant]:
    """The mutants of a module, in the order of its lines."""
    source, seen, found = Source(text), Counter[tuple[str, str]](), []
    for part in source.tree.body:
        # Only the part that is changed is compiled: a class or function, not the whole file.
        first, last = source.lines(part)
        same = ast.dump(ast.parse(source.data[first:last]))
        for change in sorted(set(_changes(source, part, Place(Counter(), None)))):
            other = Change(change.start - first, change.end - first, change.text)
            if not _is_another(changed(source.data[first:last], other), same):
                continue
            before, after = _lines(source, change)
            line = source.data.count(b"\n", 0, change.start) + 1
            whole = changed(source.data, change).decode("utf-8")
            found.append(Mutant(path, line, before, after, seen[before, after], whole))
            seen[before, after] += 1
    return found


def _is_another(data: bytes, same: str) -> bool:
    """Whether a text is a program, and not the one that it was made from."""
    try:
        return ast.dump(ast.parse(data)) != same
    except SyntaxError:
        return False


def _lines(source: Source, change: Change) -> tuple[str, str]:
    """The lines that a change touches, before and after, each as one."""
    start = source.data.rfind(b"\n", 0, change.start) + 1
    end = source.data.find(b"\n", change.end)
    head, tail = source.data[start : change.start], source.data[change.end : end]
    before = source.data[start:end].decode("utf-8")
    after = head.decode("utf-8") + change.text + tail.decode("utf-8")
    return " ".join(before.split()), " ".join(after.split())


class Place(NamedTuple):
    """The function around a node: how often it binds each name, what it returns."""

    bound: Counter[str]
    returns: ast.expr | None


def _changes(source: Source, node: ast.AST, place: Place) -> Iterator[Change]:
    """What can be changed at a node and below."""
    if isinstance(node, ast.If) and _says(node.test, "TYPE_CHECKING"):
        return
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        place = Place(_bound(node), None if isinstance(node, ast.Lambda) else node.returns)
    if isinstance(node, ast.Return):
        yield from returned(source, node, place.returns)
    elif isinstance(node, ast.stmt):
        yield from statement(source, node, place.bound)
    elif isinstance(node, ast.expr):
        yield from expression(source, node)
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        yield from condition(source, node.test)
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield from condition(source, test)
    for child in _running(node):
        yield from _changes(source, child, place)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node that do something when the program runs."""
    if isinstance(node, (ast.JoinedStr, ast.Import, ast.ImportFrom)):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield child


def _says(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _bound(function: Function) -> Counter[str]:
    """How often a function binds each of its names, its parameters included."""
    names = Counter(part.arg for part in ast.walk(function.args) if isinstance(part, ast.arg))
    for part in ast.walk(function):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            names[part.id] += 1
    return names
