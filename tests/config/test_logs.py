"""Log lines are JSON, and no secret gets into one."""

from __future__ import annotations

import io
import json
import logging
import secrets
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from fairbones.logs import PUBLIC_FIELDS, REDACTED, configure_logging, is_secret_name, redact

HEX = "ab" * 32


@pytest.fixture
def out(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    monkeypatch.setattr(sys, "stderr", stream)
    configure_logging("info")
    yield stream
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.getvalue().splitlines()]


def cleaned(**fields: object) -> dict[str, Any]:
    return dict(redact(None, "info", fields))


def test_a_line_is_one_json_object(out: io.StringIO) -> None:
    structlog.get_logger().info("a match was opened\n", match="00" * 16, seq=3, ok=True)
    (line,) = lines(out)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "a match was opened\n",
        "level": "info",
        "match": "00" * 16,
        "seq": 3,
        "ok": True,
    }


def test_the_level_holds_for_everybody(out: io.StringIO) -> None:
    structlog.get_logger().debug("no")
    logging.getLogger("werkzeug").debug("no")
    logging.getLogger("werkzeug").warning("token=%s", HEX)
    (line,) = lines(out)
    assert line["logger"] == "werkzeug"
    assert line["event"] == f"token={REDACTED}"


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "HTTP_AUTHORIZATION",
        "x-seat-token",
        "seatToken",
        "tokens",
        "token_hash",
        "server_seed",
        "clientSeed",
        "round-seed",
        "seed",
        "seeds",
        "sealed_seed",
        "salt",
        "invite",
        "secret",
        "client_secret",
        "password",
        "passwd",
        "Cookie",
        "set-cookie",
        "private",
        "private_key",
        "kek",
        "key",
        "idempotency_key",
        "credentials",
    ],
)
def test_a_field_named_like_a_secret_is_never_shown(name: str) -> None:
    value = "short"
    for held in (value, [value], {"deep": value}, (1, value), value.encode(), 12345):
        assert cleaned(**{name: held}) == {name: REDACTED}
        assert cleaned(outer={name: held}) == {"outer": {name: REDACTED}}


@pytest.mark.parametrize("name", ["key_id", "ruleset", "seat", "proceeds", "seated", "monkey"])
def test_other_fields_are_shown(name: str) -> None:
    assert not is_secret_name(name)
    assert cleaned(**{name: "x"}) == {name: "x"}


@pytest.mark.parametrize(
    "text",
    [
        HEX,
        HEX.upper(),
        f"seed {HEX} was wrong",
        f"({HEX})",
        f"{HEX}{HEX}",
        f"path/v1/{HEX}/x",
        "IbUMatnOO6Zn6E_cG-RLCbssGgq4kvtmFxyvCb2SrNw",
        "Authorization: Bearer short.one",
        "got bearer abc=, sorry",
        f"KeyError({bytes.fromhex(HEX)!r})",
        "b'it\\'s \\xff'",
    ],
)
def test_what_looks_like_a_secret_is_not_shown_in_any_text(text: str) -> None:
    for line in (
        cleaned(event=text),
        cleaned(x=[text]),
        cleaned(x={text: 1}),
        cleaned(x={"y": text}),
    ):
        shown = json.dumps(line)
        assert REDACTED in shown
        for part in (HEX, HEX.upper(), "short.one", "abc=", "\\\\xab", "\\\\xff", text):
            assert part not in shown


@pytest.mark.parametrize("name", sorted(PUBLIC_FIELDS))
def test_public_hashes_are_shown(name: str) -> None:
    assert cleaned(**{name: HEX}) == {name: HEX}
    assert cleaned(**{name: [HEX, HEX]}) == {name: [HEX, HEX]}
    # Whatever else lies in such a field is not.
    assert cleaned(**{name: f"Bearer {HEX}"}) == {name: REDACTED}


def test_objects_and_bytes_are_not_shown_as_they_are() -> None:
    class Holder:
        def __repr__(self) -> str:
            return f"Holder({HEX})"

    assert cleaned(a=Holder(), b=b"x", c=bytearray(b"x")) == {
        "a": f"Holder({REDACTED})",
        "b": REDACTED,
        "c": REDACTED,
    }


# In a field that is public by SPEC a hash is shown.
private_names = st.text(max_size=8).filter(lambda name: name not in PUBLIC_FIELDS)


@given(
    st.recursive(
        st.just(HEX) | st.text(max_size=5) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(private_names, inner, max_size=3)
        ),
        max_leaves=30,
    )
)
def test_no_nesting_hides_a_secret(value: object) -> None:
    assert HEX not in json.dumps(cleaned(value=value))


def test_an_exception_is_told_without_its_variables(out: io.StringIO) -> None:
    seed = secrets.token_bytes(32)
    try:
        raise ValueError(f"bad {seed.hex()} {seed!r}")
    except ValueError:
        structlog.get_logger().exception("failed")
        logging.getLogger("x").exception("failed too")
    for line in lines(out):
        assert "ValueError: bad" in line["exception"]
        assert "test_logs.py" in line["exception"]
    assert seed.hex() not in out.getvalue()
    assert repr(seed)[2:-1] not in "".join(line["exception"] for line in lines(out))
