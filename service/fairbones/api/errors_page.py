"""`docs/errors.md`: every code with its status, cause and remedy."""

from __future__ import annotations

from fairbones.api.codes import CODES

_HEAD = """\
# Errors

Every error is an `application/problem+json` object (RFC 9457):

```json
{"type":"urn:fairbones:problem:match/unknown","title":"No such match","status":404,
 "detail":"There is no such match here.","code":"match/unknown"}
```

Decide by `code`: it is stable and never changes its meaning. `title` is the code in words,
`detail` says what to do in this case, and further members name details: `in` and `field` for a
field that is wrong, `expected`, `maximum`, `head` and so on. What was refused has appended nothing
of its own; a deadline that had passed may have been applied before, as a step of the house.

What breaks HTTP itself is refused before any address is looked at: `fairbones serve` answers with
`request/malformed` in this same form and closes the connection. Its status is 400, or the number
that HTTP has for it: 414 (the address is too long), 417 (another Expect than 100-continue), 431
(the head is too large), 501 (another Transfer-Encoding than chunked). A proxy before it may answer
in its own words.

This page is written by `python3 dev.py openapi`.
"""

_FAMILIES = {
    "json": "The body as text",
    "request": "The request",
    "route": "The address",
    "auth": "Who calls",
    "rate": "How often",
    "match": "The match",
    "receipt": "A receipt that came with an action",
    "ruleset": "The ruleset",
    "options": "Its options",
    "seat": "Seats",
    "seed": "Seeds",
    "signature": "What a seat with a key signs",
    "action": "An action as JSON",
    "tile": "A tile as text",
    "rules": "The rules of play",
    "service": "The service",
    "store": "Its store",
}


def errors_page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for family, title in _FAMILIES.items():
        parts.append(f"## {title}\n\n| code | status | cause | remedy |\n|---|---|---|---|")
        for row in CODES.values():
            if row.code.startswith(f"{family}/"):
                # A target of its own, so that a link can name the code.
                cells = (
                    f'<a id="{row.slug}"></a>`{row.code}`',
                    str(row.status),
                    row.cause,
                    row.remedy,
                )
                parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts.append("")
    return "\n".join(parts)
