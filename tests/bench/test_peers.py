"""The bench against other engines, as far as it goes without them."""

from __future__ import annotations

import pytest

from tests.bench import figures
from tests.bench.__main__ import main
from tests.oracles import engines


def test_without_the_engines_the_command_that_has_them_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "installed", dict)
    with pytest.raises(SystemExit) as ended:
        main(["peers", "--quick"])
    assert ended.value.code == 2
    assert "`python3 dev.py oracles --bench`" in capsys.readouterr().err


def test_its_figures_are_not_written_with_those_of_other_parts() -> None:
    with pytest.raises(SystemExit):
        main(["rules", "--write"])


def test_the_page_has_one_block_for_it() -> None:
    text = figures.PAGE.read_text(encoding="utf-8")
    assert (text.count(figures.PEERS_BEGIN), text.count(figures.PEERS_END)) == (1, 1)
    assert text.index(figures.END) < text.index(figures.PEERS_BEGIN)
