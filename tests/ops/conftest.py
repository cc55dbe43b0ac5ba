"""An application around a fake house, with whatever operator's side a test gives it."""

from __future__ import annotations

import io
import json
import logging
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from fairbones.logs import configure_logging
from tests.api.fake_house import FakeHouse


class Log:
    """What was written to stderr, as lines of JSON."""

    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    """The service's own log, at its most talkative."""
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    monkeypatch.setattr(sys, "stderr", stream)
    # Another test of this process may have silenced everybody.
    monkeypatch.setattr(root.manager, "disable", logging.NOTSET)
    configure_logging("debug")
    yield Log(stream)
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def house() -> FakeHouse:
    return FakeHouse()
