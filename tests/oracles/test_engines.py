"""Where other engines are not installed, that is said, and with it what installs them."""

from __future__ import annotations

import pytest

from tests.oracles import engines


def test_none_is_a_skip_that_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "installed", dict)
    with pytest.raises(pytest.skip.Exception, match=r"NOT RUN: .*`python3 dev\.py oracles`"):
        engines.wanted()


def test_some_are_a_failure_that_names_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "installed", lambda: {"dominoes": "6.1.0"})
    with pytest.raises(ModuleNotFoundError, match=r"all-fives-domino, open-spiel: .*dev\.py"):
        engines.wanted()
