"""Receipt, keys and the document around the events changed, one field at a time."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tests.forge.mutable import Path, alike, changes, places, stretched
from tests.forge.mutating import TWICE, Mutation
from tests.forge.paper import Json, bundle, spell

LATER = "zzz_twice"  # stands for what is put in as text


def papers(events: Sequence[Json]) -> Iterator[Mutation]:
    """All of them; none may pass, for nobody else can sign for the house, or name its key."""
    document = bundle(events)
    around = {name: value for name, value in document.items() if name != "events"}
    for path, value in places(around):
        for kind, changed in changes(path, value):
            yield made(document, path, kind, changed)
        yield made(document, path, "absent", None)
        if isinstance(value, dict):
            yield made(document, (*path, "zeal"), "added", 1)
        if isinstance(path[-1], str):
            other = next((it for it in alike(path, value) if it != value), 1)
            yield doubled(document, path, "twice", value, value)
            yield doubled(document, path, "twice, first otherwise", other, value)
            yield doubled(document, path, "twice, then otherwise", value, other)
    signature = document["receipt"]["signature"]
    yield made(document, ("receipt", "signature"), "S + L", stretched(signature))
    yield made(document, ("zeal",), "added", 1)
    yield made(document, ("log",), "added", {})
    for kind, changed in changes(("events",), []):
        yield made(document, ("events",), kind, changed)
    yield made(document, ("events",), "absent", None)
    yield doubled(document, ("events",), "twice", document["events"], document["events"])
    yield doubled(document, ("events",), "twice, first otherwise", [], document["events"])


def made(document: Json, path: Path, kind: str, value: Any) -> Mutation:
    """One place set, left out or added."""
    return Mutation(-1, "document", path, kind, partial(changed_at, document, path, kind, value))


def changed_at(document: Json, path: Path, kind: str, value: Any) -> bytes:
    """The transcript with that change."""
    changed, inner = found(document, path)
    if kind == "absent":
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return spell(changed)


def doubled(document: Json, path: Path, kind: str, first: Any, second: Any) -> Mutation:
    """One member said twice in the text."""
    write = partial(said_twice, document, path, first, second)
    return Mutation(-1, "document", path, kind, write, code=TWICE)


def said_twice(document: Json, path: Path, first: Any, second: Any) -> bytes:
    """The transcript with both."""
    changed, inner = found(document, path)
    inner[path[-1]] = LATER
    name = str(path[-1])
    both = b",".join(spell({name: value})[1:-1] for value in (first, second))
    return spell(changed).replace(spell({name: LATER})[1:-1], both)


def found(document: Json, path: Path) -> tuple[Json, Any]:
    """A copy, and the object or list in it that holds the place."""
    changed = copy.deepcopy(document)
    inner: Any = changed
    for key in path[:-1]:
        inner = inner[key]
    return changed, inner
