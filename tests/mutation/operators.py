"""The faults: what can be changed at one place of a tree, as a change of its text.

Only what runs is changed: no annotation, decorator, docstring, import or text of a message.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple


class Change(NamedTuple):
    """Other text between two offsets of the file's bytes."""

    start: int
    end: int
    text: str


def changed(data: bytes, change: Change) -> bytes:
    """A text with a change."""
    return data[: change.start] + change.text.encode("utf-8") + data[change.end :]


COMPARISONS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
ARITHMETIC = {
    "+": "-",
    "-": "+",
    "*": "//",
    "//": "*",
    "/": "*",
    "%": "//",
    "**": "*",
    "<<": ">>",
    ">>": "<<",
    "&": "|",
    "|": "&",
    "^": "|",
}
OPPOSITES = {"any": "all", "all": "any", "min": "max", "max": "min"}
# Of these no argument is first, or the other order is an error that any test sees.
NO_ORDER = frozenset({"min", "max", "isinstance"})
SIGNS: dict[type[ast.AST], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Div: "/",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.And: "and",
    ast.Or: "or",
}
# What needs no brackets wherever it stands.
ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List, ast.Dict)
Located = ast.expr | ast.stmt


class Source:
    """The text of a module, its tree and where its nodes lie."""

    def __init__(self, text: str) -> None:
        self.data = text.encode("utf-8")
        self.tree = ast.parse(text)
        self._lines = [0]
        for line in self.data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def start(self, node: Located) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: Located) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: Located) -> str:
        return self.data[self.start(node) : self.end(node)].decode("utf-8")

    def operand(self, node: ast.expr) -> str:
        """Its text, in brackets where it might fall apart elsewhere."""
        return self.text(node) if isinstance(node, ATOMS) else f"({self.text(node)})"

    def lines(self, node: ast.stmt) -> tuple[int, int]:
        """Where a statement's lines start and end, its decorators and what stands behind it too."""
        first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
        assert node.end_lineno is not None
        return self._lines[first - 1], self._lines[node.end_lineno]

    def over(self, node: Located, text: str) -> Change:
        return Change(self.start(node), self.end(node), text)

    def sign(self, left: Located, right: Located, old: str, new: str) -> Iterator[Change]:
        """The sign between two nodes: it stands outside their text, brackets or not."""
        start, stop = self.end(left), self.start(right)
        comments = re.compile(rb"#[^\n]*")
        between = comments.sub(lambda found: b" " * len(found[0]), self.data[start:stop])
        found = re.search(rb"\s+".join(re.escape(word) for word in old.encode().split()), between)
        if found is not None:
            yield Change(start + found.start(), start + found.end(), new)


def expression(source: Source, node: ast.expr) -> Iterator[Change]:
    """What can be wrong with an expression by itself."""
    if isinstance(node, ast.Compare):
        sides = (node.left, *node.comparators)
        for left, sign, right in zip(sides, node.ops, node.comparators, strict=False):
            old = SIGNS[type(sign)]
            yield from source.sign(left, right, old, COMPARISONS[old])
    elif isinstance(node, ast.BoolOp):
        yield from _junction(source, node)
    elif isinstance(node, ast.BinOp) and SIGNS.get(type(node.op)) in ARITHMETIC:
        if not any(isinstance(side, (ast.JoinedStr, ast.List, ast.Tuple)) or _is_text(side)
                   for side in (node.left, node.right)):  # fmt: skip
            old = SIGNS[type(node.op)]
            yield from source.sign(node.left, node.right, old, ARITHMETIC[old])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub, ast.Invert)):
        yield source.over(node, source.operand(node.operand))
    elif isinstance(node, ast.Constant):
        yield from _constant(source, node)
    elif isinstance(node, ast.Call):
        yield from _call(source, node)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        yield from _slice(source, node.slice, source.end(node.value))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))


def _junction(source: Source, node: ast.BoolOp) -> Iterator[Change]:
    """`and` for `or`, and each operand left out."""
    old = SIGNS[type(node.op)]
    for left, right in zip(node.values, node.values[1:], strict=False):
        yield from source.sign(left, right, old, "or" if old == "and" else "and")
    for gone in range(len(node.values)):
        kept = [each for at, each in enumerate(node.values) if at != gone]
        yield source.over(node, f" {old} ".join(map(source.operand, kept)))


def _constant(source: Source, node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield source.over(node, str(not node.value))
    elif isinstance(node.value, int):
        yield source.over(node, str(node.value + 1))
        if node.value > 0:
            yield source.over(node, str(node.value - 1))


def _call(source: Source, node: ast.Call) -> Iterator[Change]:
    """Neighbouring arguments exchanged; `any` for `all`, `min` for `max`."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in OPPOSITES:
        yield source.over(node.func, OPPOSITES[name])
    if name in NO_ORDER:
        return
    for left, right in zip(node.args, node.args[1:], strict=False):
        if ast.Starred in (type(left), type(right)) or source.text(left) == source.text(right):
            continue
        start, end = source.start(left), source.end(right)
        between = source.data[source.end(left) : source.start(right)].decode("utf-8")
        yield Change(start, end, source.text(right) + between + source.text(left))


def _slice(source: Source, node: ast.Slice, after: int) -> Iterator[Change]:
    """A bound one further in; those that are numbers are changed as numbers."""
    if node.lower is None:
        at = source.data.index(b"[", after) + 1
        yield Change(at, at, "1")
    elif not isinstance(node.lower, ast.Constant):
        yield source.over(node.lower, f"{source.operand(node.lower)} + 1")
    if node.upper is not None and not isinstance(node.upper, ast.Constant):
        yield source.over(node.upper, f"{source.operand(node.upper)} - 1")
    elif node.upper is None and node.step is None:
        first = after if node.lower is None else source.end(node.lower)
        at = source.data.index(b":", first) + 1
        yield Change(at, at, "-1")


def condition(source: Source, node: ast.expr) -> Iterator[Change]:
    """A condition turned round, where no other change does that."""
    if isinstance(node, ast.Constant):
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return
    one = isinstance(node, ast.Compare) and len(node.ops) == 1
    if one and SIGNS[type(node.ops[0])] not in ("<", "<=", ">", ">="):  # type: ignore[attr-defined]
        return
    yield source.over(node, f"not {source.operand(node)}")


def returned(source: Source, node: ast.Return, annotation: ast.expr | None) -> Iterator[Change]:
    """What a function answers: nothing, or for a yes a no. Nothing for a no is for mypy to see."""
    if node.value is None or _is_none(node.value):
        return
    if isinstance(annotation, ast.Name) and annotation.id == "bool":
        yield from condition(source, node.value)
    else:
        yield source.over(node, "return None")


def statement(source: Source, node: ast.stmt, bound: dict[str, int]) -> Iterator[Change]:
    """A statement that does not happen; `bound`: how often the function binds each name."""
    if isinstance(node, ast.AugAssign) and SIGNS.get(type(node.op)) in ARITHMETIC:
        old = SIGNS[type(node.op)]
        yield from source.sign(node.target, node.value, f"{old}=", f"{ARITHMETIC[old]}=")
    if isinstance(node, (ast.Raise, ast.AugAssign, ast.Break, ast.Continue, ast.Delete)):
        yield source.over(node, "pass")
    elif isinstance(node, ast.Expr):
        if not _is_text(node.value):
            yield source.over(node, "pass")
    elif isinstance(node, ast.Assign) and all(_rebinds(one, bound) for one in node.targets):
        yield source.over(node, "pass")


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _rebinds(target: ast.expr, bound: dict[str, int]) -> bool:
    """Whether without the assignment there is still something there: only then a test is asked."""
    if isinstance(target, ast.Name):
        return bound.get(target.id, 0) > 1
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(_rebinds(each, bound) for each in target.elts)
    return True
