"""JSON lines on stderr, and the processor through which no secret gets.

A line is redacted twice: by the names of its fields, and by what looks like a secret in any
text. 32 random bytes are 64 hex digits or 43 characters of base64url; only fields that are
public by SPEC (hashes, keys, signatures) may be that long.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from functools import lru_cache
from typing import Any

import structlog

REDACTED = "[redacted]"
PUBLIC_FIELDS = frozenset(
    {
        "client_seed_commitment",
        "event_hash",
        "head_hash",
        "opened_hash",
        "prev",
        "public_key",
        "seals",
        "seated_hash",
        "server_seed_hash",
        "signature",
        "washes",
    }
)

# A word anywhere in a name, or a name that ends in "key".
_SECRET_NAME = re.compile(
    r"(?:^|_)(?:authorization|bearer|cookie|credentials?|invites?|kek|nonces?|passphrase"
    r"|passw(?:or)?ds?|private|salts?|secrets?|seeds?|tokens?|vault)(?:_|$)"
    r"|(?:^|_)keys?$"
)
_WORD_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_LONG = re.compile(r"[A-Za-z0-9_-]{43,}")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[^\s,;'\"]+")
_BYTES = re.compile(r"""\bb(['"])(?:\\.|(?!\1)[^\\])*\\x(?:\\.|(?!\1)[^\\])*\1""")
_PUBLIC = re.compile(r"[0-9a-f]{0,128}")
_MAX_DEPTH = 8


@lru_cache(maxsize=1024)
def is_secret_name(name: str) -> bool:
    """Whether a field of this name is never shown, whatever it holds."""
    plain = _WORD_BREAK.sub("_", name).lower().strip("_")
    return plain not in PUBLIC_FIELDS and _SECRET_NAME.search(plain) is not None


def scrub(text: str) -> str:
    """`text` without anything that may be a secret."""
    if len(text) >= 43:
        text = _LONG.sub(REDACTED, text)
    if "\\x" in text:
        text = _BYTES.sub(REDACTED, text)
    if " " in text:
        text = _BEARER.sub(REDACTED, text)
    return text


def redact(
    _logger: object, _method: str, line: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """The structlog processor; it has to come after everything that adds to a line."""
    return {name: _clean(name, value, 0) for name, value in line.items()}


def _clean(name: str, value: object, depth: int) -> object:
    if is_secret_name(name):
        return REDACTED
    if isinstance(value, str):
        if name in PUBLIC_FIELDS and _PUBLIC.fullmatch(value):
            return value
        return scrub(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return REDACTED
    if depth == _MAX_DEPTH:
        return REDACTED
    if isinstance(value, Mapping):
        return {scrub(str(key)): _clean(str(key), item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(name, item, depth + 1) for item in value]
    return scrub(repr(value))


def _chain() -> list[Any]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        # The text of a traceback, never the values of its variables.
        structlog.processors.format_exc_info,
    ]


def configure_logging(level: str) -> None:
    """Send structlog and the standard library's loggers to stderr; `level` as in `config`."""
    number = getattr(logging, level.upper())
    structlog.configure(
        processors=[*_chain(), redact, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, *_chain()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                redact,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
