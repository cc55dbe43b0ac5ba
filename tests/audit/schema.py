"""The forms of what an audit answers, as verifier/spec/audit.md, 3 has them."""

from __future__ import annotations

from typing import Any

TEXT = {"type": "string", "pattern": r"^[ -%'-;=?-_a-~]*$"}  # no markup
NUMBER = {"type": "integer", "minimum": 0}
FLAG = {"type": "boolean"}
ANY: dict[str, Any] = {}


def shape(required: dict[str, Any], **optional: Any) -> dict[str, Any]:
    """An object with these members and no others."""
    return {
        "type": "object",
        "properties": {**required, **optional},
        "required": list(required),
        "additionalProperties": False,
    }


def many(items: Any) -> dict[str, Any]:
    """A list."""
    return {"type": "array", "items": items}


def texts(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, TEXT)


def numbers(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, NUMBER)


BLAME = numbers("matches", "timed_out", "left", "withheld", "abandoned")
TROUBLE = shape(texts("source", "code", "where", "expected", "got"))
USE = {"match": TEXT}


def again(name: str, **use: Any) -> dict[str, Any]:
    """`repeated` and its list."""
    entry = shape({name: TEXT, "times": NUMBER, "uses": many(shape(USE, **use))})
    return {"repeated": NUMBER, "list": many(entry)}


SEED = shape(
    {"seed": TEXT, "times": NUMBER, "matches": NUMBER}
    | {"uses": many(shape({"match": TEXT, "seat": NUMBER}, key=TEXT))}
)
ODD = shape({"seed": TEXT, "kind": {"enum": ["printable", "constant"]}, "times": NUMBER})
CHAIR = shape(numbers("led_first", "led", "hands_won", "matches_won", "pips"))
KNEW = ["dealt", "all-seeds", "no-seat", "no-seed", "all-but-one", "some-seeds"]

SUMMARY = shape(
    {
        "exit": {"enum": [0, 1, 2]},
        "source": TEXT,
        "kind": {"enum": ["folder", "service"]},
        "whole": FLAG,
        "now": NUMBER,
        "keys": many(TEXT),
        "transcripts": shape(
            numbers("found", "verified", "refuted", "unreadable", "unserved", "before")
            | numbers("skipped_by_list")
        ),
        "refuted": many(
            shape(
                texts("source", "sha256", "story") | {"size": NUMBER, "report": {"type": "object"}},
                saved=TEXT,
            )
        ),
        "unreadable": many(TROUBLE),
        "unsearched": many(TROUBLE),
        "unserved": many(TROUBLE),
        "histories": shape(
            numbers("compared", "contradictions", "convict", "lost", "not_compared")
            | {
                "list": many(
                    shape(
                        texts("match", "a", "b") | {"comparison": {"type": "object"}},
                        receipt={"type": "object"},
                        saved=TEXT,
                    )
                )
            }
        ),
        "receipts": shape(
            numbers("found", "agree", "contradictions", "beyond", "lost", "unusable", "missing")
            | numbers("convict")
            | {
                "list": many(
                    shape(
                        {"source": TEXT, "match": TEXT, "seq": NUMBER, "what": TEXT},
                        transcript=TEXT,
                        comparison={"type": "object"},
                    )
                ),
                "matches": many(shape({"match": TEXT, "receipts": NUMBER, "seq": NUMBER})),
                "unreadable": many(TROUBLE),
            }
        ),
        "gone": many(shape({"source": TEXT}, match=TEXT)),
        "matches": shape(
            numbers("counted", "played", "drawn", "abandoned", "voided")
            | {"waiting": shape(numbers("seats", "seeds", "hands", "overdue"))}
        ),
        "overdue": many(shape({"source": TEXT, "match": TEXT, "close_by": NUMBER})),
        "voids": shape(
            {
                "total": NUMBER,
                "list": many(shape({"reason": TEXT, "knew": {"enum": KNEW}, "matches": NUMBER})),
            }
        ),
        "abandoned": shape(numbers("idle", "close_by")),
        "seats": shape(
            {
                "signed": shape({"list": many(shape({"key": TEXT} | BLAME)), "more": NUMBER}),
                "weak": shape(
                    {"list": many(shape({"seat": NUMBER} | BLAME, name=TEXT)), "more": NUMBER}
                ),
            }
        ),
        "houses": many(
            shape(
                {"key_id": TEXT, "pinned": FLAG}
                | numbers("counted", "refuted", "convicts", "voided", "abandoned")
                | numbers("timed_out", "left", "withheld")
            )
        ),
        "client_seeds": shape(
            {
                "shown": NUMBER,
                "repeated": shape({"within": NUMBER, "between": NUMBER, "list": many(SEED)}),
                "odd": shape({"printable": NUMBER, "constant": NUMBER, "list": many(ODD)}),
            }
        ),
        "server_seeds": shape(
            {"shown": NUMBER, **again("seed"), "hashes": shape(again("server_seed_hash"))}
        ),
        "roots": shape({"announced": NUMBER, **again("root", round=NUMBER)}),
        "options": many(
            shape(texts("ruleset", "name") | {"published": ANY, "here": ANY, "matches": NUMBER})
        ),
        "tables": many(
            shape(
                {"ruleset": TEXT, "partners": FLAG, "by_seat": many(CHAIR)}
                | numbers("seats", "matches", "hands", "nobody", "drawn")
            )
        ),
        "unchecked": many(shape({"code": TEXT, "matches": NUMBER})),
        "version": TEXT,
    }
)

NOT_STARTED = shape(
    {
        "verdict": {"enum": ["not-started"]},
        "exit": {"enum": [3]},
        "failure": shape(texts("code", "where", "expected", "got", "cause") | {"number": NUMBER}),
        "version": TEXT,
    }
)
