"""One decorator says everything about a call: what it takes, what it answers, what it refuses.

From it come both the reading of the request and its description in `openapi.yaml`, so neither can
say what the other does not. A view is handed its path values, its query parameters by name, `token`
where a seat may call, `opener` where an API key may be asked for, and `body` where the call takes
one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from flask import Response, request

from fairbones.api import access
from fairbones.api.access import OPENER, SEAT, opener_of_request, token_of_request
from fairbones.api.bodies import read_body
from fairbones.api.codes import CODES, codes_of
from fairbones.api.front import front
from fairbones.api.parameters import Parameter, read_query
from fairbones.api.problems import MEDIA_TYPE
from fairbones.api.schemas.fields import StrictSchema

Doc = dict[str, Any]
View = Callable[..., Response]

QUERY_CODES = ("request/unknown-field", "request/repeated-field")
VALUE_CODES = ("request/type", "request/range")
TOKEN_CODES = ("auth/token-missing", "auth/token-weak", "auth/token-unknown")
KEY_CODES = codes_of("auth", but=["auth/other-seat", *TOKEN_CODES])
BODY_CODES = (
    *codes_of("json"),
    "request/length-required",
    "request/too-large",
    "request/media-type",
    "request/encoding",
    "request/missing-field",
    *VALUE_CODES,
)


@dataclass(frozen=True, slots=True)
class Takes:
    """A JSON body: its schema, and the names of its examples."""

    schema: type[StrictSchema]
    examples: Sequence[str]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Gives:
    """A good answer: what it is, its component schema, the names of its examples, its headers."""

    meaning: str
    schema: str | None = None
    examples: Sequence[str] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    # Examples of what else the same answer may be, by media type.
    texts: Mapping[str, str] = field(default_factory=dict)

    def described(self) -> Doc:
        """As OpenAPI has it."""
        doc: Doc = {"description": self.meaning}
        if self.headers:
            doc["headers"] = {
                name: {"description": meaning, "schema": {"type": "string"}}
                for name, meaning in self.headers.items()
            }
        if self.schema is not None:
            content: Doc = {"schema": {"$ref": f"#/components/schemas/{self.schema}"}}
            if self.examples:
                content["examples"] = _examples(self.examples)
            doc["content"] = {self.media_type: content}
        elif self.media_type != "application/json":
            doc["content"] = {self.media_type: {"schema": {"type": "object"}}}
        for media_type, example in self.texts.items():
            content = doc.setdefault("content", {})
            content[media_type] = {"schema": {"type": "string"}, "example": example}
        return doc


def operation(
    name: str,
    gives: Mapping[int, Gives],
    *,
    takes: Takes | None = None,
    query: Sequence[Parameter] = (),
    headers: Sequence[Doc] = (),
    problems: Sequence[str] = (),
) -> Callable[[View], View]:
    """Describe a view and read its requests. `name` is the operationId.

    `problems` are the codes of the house; those of reading the request follow from the rest.
    """
    schema = takes.schema() if takes is not None else None
    optional = takes is not None and takes.optional
    parameters = {parameter.name: parameter for parameter in query}

    def describe(view: View) -> View:
        who = access.declared(view)
        with_token, with_key = SEAT in who, OPENER in who

        @wraps(view)
        def answer(**values: Any) -> Response:
            at = front()
            if parameters or request.query_string:
                values |= read_query(parameters, {"wait": at.limits.wait_max})
            if with_token:
                values["token"] = token_of_request(who)
            if with_key:
                values["opener"] = opener_of_request(at.ops.openers)
            if schema is not None:
                values["body"] = read_body(schema, at.limits.body_max, optional=optional)
            return view(**values)

        codes = [*QUERY_CODES]
        codes += VALUE_CODES if query else ()
        codes += TOKEN_CODES if with_token else ()
        codes += KEY_CODES if with_key else ()
        if takes is not None:
            codes += [*BODY_CODES, *(() if optional else ("request/body-missing",))]
        doc: Doc = {
            "operationId": name,
            "responses": {
                **{str(status): good.described() for status, good in gives.items()},
                **_refusals([*codes, *problems]),
                "default": {"$ref": "#/components/responses/Problem"},
            },
            "security": _security(who),
            "x-callers": sorted(who),
        }
        described = [*headers, *(parameter.described() for parameter in query)]
        if described:
            doc["parameters"] = described
        if takes is not None:
            doc["requestBody"] = {
                "required": not optional,
                "content": {
                    "application/json": {
                        "schema": takes.schema,
                        "examples": _examples(takes.examples),
                    }
                },
            }
        vars(answer)["_apidoc"] = {"manual_doc": doc}  # where flask-smorest looks
        return answer

    return describe


def _examples(names: Sequence[str]) -> Doc:
    return {name: {"$ref": f"#/components/examples/{name}"} for name in names}


def _security(who: frozenset[access.Caller]) -> list[Doc]:
    if OPENER in who:
        return [{}, {"apiKey": []}]
    if SEAT not in who:
        return []
    return [{"seatToken": []}] if who == {SEAT} else [{}, {"seatToken": []}]


def _refusals(codes: Sequence[str]) -> Doc:
    """The problem answers of a call by status, in the order of the table."""
    rows = [row for code, row in CODES.items() if code in codes]
    assert len(rows) == len(set(codes)), f"not in the table: {set(codes) - CODES.keys()}"
    by_status: dict[int, list[str]] = {}
    for row in rows:
        by_status.setdefault(row.status, []).append(row.code)
    return {
        str(status): {
            "description": "\n".join(
                ["Refused.", ""]
                + [f"- `{code}`: {CODES[code].title}" for code in by_status[status]]
            ),
            "content": {
                MEDIA_TYPE: {
                    "schema": {"$ref": "#/components/schemas/Problem"},
                    "examples": _examples([CODES[code].slug for code in by_status[status]]),
                }
            },
        }
        for status in sorted(by_status)
    }
