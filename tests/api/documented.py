"""`openapi.yaml` as a judge: what was sent and answered is what it says, call by call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import yaml
from werkzeug.test import TestResponse

from fairbones.api.openapi import served_text
from tests.api.table import Table

Json = dict[str, Any]


@cache
def document() -> Json:
    """The description as a reader of YAML has it; nobody changes it."""
    found: Json = yaml.load(served_text(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return found


def operations() -> Iterator[tuple[str, str, Json]]:
    """Address, method and description of every call."""
    for address, path in document()["paths"].items():
        for method, call in path.items():
            if method != "parameters":
                yield address, method, call


@cache
def schema_of(name: str) -> jsonschema.Draft202012Validator:
    """A component of the description as a schema on its own."""
    moved = json.dumps(document()["components"]["schemas"])
    defs = json.loads(moved.replace("#/components/schemas/", "#/$defs/"))
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": defs})


def component(reference: Json) -> str:
    """The name that a `$ref` ends with."""
    return str(reference["$ref"]).rpartition("/")[2]


def examples_of(content: Json) -> dict[str, Any]:
    """The examples of a body by name."""
    named = document()["components"]["examples"]
    return {name: named[component(it)]["value"] for name, it in content.get("examples", {}).items()}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str, Json]]:
    return [
        (re.compile(re.sub(r"\{\w+\}", "[^/]+", address)), method, call)
        for address, method, call in operations()
    ]


def call_of(method: str, address: str) -> Json | None:
    """The call that a request is, if it is one."""
    path = address.partition("?")[0]
    asked = "get" if method == "HEAD" else method.lower()
    for pattern, known, call in _patterns():
        if known == asked and pattern.fullmatch(path):
            return call
    return None


def foreseen(method: str, address: str, answer: TestResponse) -> None:
    """Status and code of a refusal are among those that its call lists."""
    call = call_of(method, address)
    code = answer.get_json()["code"]
    if call is None:
        assert code in ("route/unknown", "request/method"), code
        return
    assert listed_in(call, answer.status_code, code), f"{call['operationId']}: {code} is not listed"


def listed_in(call: Json, status: int, code: str) -> bool:
    """Whether a call foresees a refusal, or every call does."""
    listed = call["responses"].get(str(status))
    if listed is not None and f"`{code}`" in listed["description"]:
        return True
    return f"`{code}`" in document()["components"]["responses"]["Problem"]["description"]


class Judge:
    """Sits at a table: `sent` and `answered` are what it has seen, by operationId."""

    def __init__(self, table: Table) -> None:
        self.sent: list[tuple[str, object]] = []
        self.answered: set[tuple[str, int]] = set()
        self._ask = table.call
        table.call = self.call  # type: ignore[method-assign]

    def call(self, method: str, address: str, body: object = None, **more: Any) -> TestResponse:
        """As `Table.call`; what is not as described fails at once."""
        call = call_of(method, address)
        assert call is not None, f"{method} {address} is not described"
        name = call["operationId"]
        if body is not None:
            content = call["requestBody"]["content"]["application/json"]
            schema_of(component(content["schema"])).validate(body)
            self.sent.append((name, json.loads(json.dumps(body))))
        answer = self._ask(method, address, body, **more)
        self.answered.add((name, answer.status_code))
        assert str(answer.status_code) in call["responses"], f"{name}: {answer.status_code}"
        listed = call["responses"][str(answer.status_code)]
        for header in listed.get("headers", {}):
            optional = header == "Idempotent-Replayed"
            assert optional or header in answer.headers, f"{name}: no {header}"
        if "content" not in listed:
            assert answer.data == b"", name
            return answer
        assert answer.mimetype in listed["content"], f"{name}: {answer.mimetype}"
        schema = listed["content"][answer.mimetype]["schema"]
        if "$ref" in schema:
            schema_of(component(schema)).validate(answer.get_json())
        if answer.status_code >= 400:
            foreseen(method, address, answer)
        return answer
