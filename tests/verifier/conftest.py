"""The command as its tests run it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairbones_verify import cli


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command on bytes or with arguments; (exit, output)."""

    def go(*arguments: str | bytes) -> tuple[int, str]:
        given = [one if isinstance(one, str) else "" for one in arguments]
        for place, one in enumerate(arguments):
            if isinstance(one, bytes):
                path = tmp_path / f"file{place}"
                path.write_bytes(one)
                given[place] = str(path)
        code = cli.main(given)
        said = capsys.readouterr()
        assert not said.err
        assert said.out.isascii()
        return code, said.out

    return go
