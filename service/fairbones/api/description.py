"""The API in the words of OpenAPI 3.1: what flask-smorest collects, and what it cannot know."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]
from marshmallow import Schema, fields

from fairbones import __version__
from fairbones.api import access
from fairbones.api.codes import CODES, codes_of
from fairbones.api.operation import Doc
from fairbones.api.problems import MEDIA_TYPE
from fairbones.api.resources import RESOURCES
from fairbones.api.schemas import requests
from fairbones.api.schemas.answers import ANSWERS
from fairbones.api.schemas.fields import Flag, Text, Verbatim, Whole

_ABOUT = """\
Fairbones deals domino games so that anybody can verify every deal, draw, move and score
afterwards. The house washes and seals all tiles before anyone sits down; the players' seeds
decide who gets which sealed tile.

The life of a client: open a match, find one, or be given its id; read the commitments in its
first event; take a seat with a commitment to 32 random bytes; check what must be checked (SPEC 10);
reveal; wait for events and act; fetch the transcript and verify it with a program that is not the
house's.

Requests are strict JSON: no duplicate keys, no nulls, whole numbers only, no unknown fields.
Every error is `application/problem+json` with a stable `code`; docs/errors.md lists them all.
Every answer that shows the head of a match carries the house's receipt for it. An event is
passed on byte for byte, so hash what you receive. The same request to a match again adds nothing of
its own and is answered with the events, the receipt and the view of then; only the view's `now` is
of this moment. To open a match is such a request when it has an `Idempotency-Key`.

A deadline that has passed is applied by whatever request comes next, so even a GET may add events
to a match, and so may a request that is refused. Such events are a step of their own, before that
of the request: a gap between the last seq you hold and the `seq` of the first event in an answer
means that there are events to fetch."""

_SEAT_KEY = """\
A seat's token: made by its client from at least 32 random bytes (43 to 256 characters of
`A-Z a-z 0-9 - . _ ~ + / =`), sent for the first time when the seat is taken, stored as a hash
only, never sent by the house."""

_API_KEY = """\
A key of somebody who may open matches, `fbk_` and 43 characters of base64url: made and handed out
by the operator, stored as a hash only. Where anyone may open, which is the default, none is asked
for and none is looked at."""

# What any call may be answered with, beside what it lists itself.
_ANYWHERE = (
    *("route/unknown", "request/method", "request/malformed", "rate/requests"),
    *("service/bug", "service/not-ready", "service/stopping", *codes_of("store")),
)

_OPTIONS: Doc = {
    "info": {
        "summary": "Provably fair deals for domino games.",
        "description": _ABOUT,
        "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
    },
    "servers": [
        {
            "url": "{address}",
            "description": "Your installation.",
            "variables": {
                "address": {
                    "default": "http://127.0.0.1:8400",
                    "description": "Where the service listens, or the proxy before it.",
                }
            },
        }
    ],
}


_CALL_ORDER = (
    "operationId",
    "summary",
    "description",
    "tags",
    "x-callers",
    "security",
    "parameters",
    "requestBody",
    "responses",
)


def register_api(app: Flask) -> None:
    """Register every resource for serving and for `described`."""
    app.config |= {
        "API_TITLE": "Fairbones",
        "API_VERSION": __version__,
        "OPENAPI_VERSION": "3.1.0",
    }
    plugin = MarshmallowPlugin(schema_name_resolver=_component_name)
    api = Api(app, spec_kwargs={**_OPTIONS, "marshmallow_plugin": plugin})
    # Every call lists its own refusals; flask-smorest's default answer knows another shape.
    api.DEFAULT_ERROR_RESPONSE_NAME = None
    for field, kind in (
        (Whole, "integer"),
        (Flag, "boolean"),
        (Text, "string"),
    ):
        api.register_field(field, kind, None)
    plugin.converter.add_attribute_function(_verbatim)  # type: ignore[union-attr]
    _register_components(api.spec.components)
    for resource in RESOURCES:
        api.register_blueprint(resource.blueprint)


def described(app: Flask) -> Doc:
    """The whole document."""
    api = app.extensions["flask-smorest"]["apis"][""]["ext_obj"]
    found: Doc = json.loads(json.dumps(api.spec.to_dict()))
    schemas = found["components"]["schemas"]
    for foreign in ("ErrorSchema", "PaginationMetadataSchema"):
        schemas.pop(foreign, None)  # flask-smorest's own, which nothing here answers with
    for name, schema in vars(requests).items():
        one_of = getattr(getattr(schema, "Meta", None), "one_of", None)
        if name in schemas and one_of is not None:
            schemas[name]["oneOf"] = [{"required": [field]} for field in one_of]
        together = getattr(getattr(schema, "Meta", None), "together", None)
        if name in schemas and together is not None:
            schemas[name]["dependentRequired"] = {
                field: [other for other in together if other != field] for field in together
            }
    for address, path in found["paths"].items():
        for method, call in path.items():
            if method != "parameters":
                who = access.in_words(frozenset(access.Caller(it) for it in call["x-callers"]))
                call["description"] = f"{call['description']}\n\n{who}"
                path[method] = _ordered(call, _CALL_ORDER)
        found["paths"][address] = _ordered(path, ("parameters",))
    found["info"] = _ordered(found["info"], ("title", "version"))
    return _ordered(found, ("openapi", "info", "servers", "tags", "paths"))


def _ordered(members: Doc, first: tuple[str, ...]) -> Doc:
    """The same members, those that a reader looks for first at the top."""
    return {name: members[name] for name in first if name in members} | members


def _component_name(schema: type[Schema] | Schema) -> str:
    return schema.__name__ if isinstance(schema, type) else type(schema).__name__


def _verbatim(_: object, field: fields.Field[Any], **__: object) -> Doc:
    """An object read by the house is described by a component, not as any object."""
    if isinstance(field, Verbatim):
        return {"$ref": f"#/components/schemas/{field.described_by}"}
    return {}


def _register_components(components: Any) -> None:
    for name, schema in ANSWERS.items():
        components.schema(name, schema)
    components.security_scheme(
        "seatToken", {"type": "http", "scheme": "bearer", "description": _SEAT_KEY}
    )
    components.security_scheme(
        "apiKey", {"type": "http", "scheme": "bearer", "description": _API_KEY}
    )
    components.response(
        "Problem",
        {
            "description": "Any other problem: "
            + ", ".join(f"`{code}`" for code in _ANYWHERE)
            + ".",
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        },
    )
    for name, example in examples().items():
        components.example(name, example)
    for row in CODES.values():
        value = {
            "type": row.uri,
            "title": row.title,
            "status": row.status,
            "detail": row.remedy,
            "code": row.code,
        }
        components.example(row.slug, {"summary": row.cause, "value": value})


@cache
def examples() -> Mapping[str, Doc]:
    """`{"summary","value"}` by name, from the files beside this one: pieces of one real match."""
    folder = files("fairbones.api") / "examples"
    return {
        entry.name.removesuffix(".json"): json.loads(entry.read_text(encoding="utf-8"))
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.name.endswith(".json")
    }
