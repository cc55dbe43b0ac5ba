"""What may not be written, told to a user who really may not.

Where the tests run as root, a process of its own becomes another user first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones.store.sqlite import SqliteStore
from tests.store.rig import ROOT
from tests.store.story import match_id

NOBODY = 65534

# All is imported before, for the sources may be out of the other user's sight.
TRY = """
import os, sys
from pathlib import Path
from fairbones.core.errors import FairbonesError
from fairbones.store.folder import DataFolder
from fairbones.store.sqlite import SqliteStore
from tests.store.story import opening
what, place, nobody = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(nobody)
    os.setuid(nobody)
assert os.geteuid() != 0
try:
    if what == "hold":
        DataFolder(place).release()
    else:
        SqliteStore(place).create(opening(77))
    print("done")
except FairbonesError as error:
    print(error.code)
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """The other user's own, with no folder around it that only we may enter."""
    made = Path(tempfile.mkdtemp(prefix="fairbones-"))
    yield made
    made.chmod(0o700)
    shutil.rmtree(made)


def tries(what: str, place: Path, folder: Path) -> str:
    """What comes of it: `done`, or the code of the refusal."""
    if os.geteuid() == 0:
        try:
            for path in (folder, *folder.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        except OSError as error:
            pytest.skip(f"there is no other user here ({error.strerror})")
    ended = subprocess.run(
        [sys.executable, "-c", TRY, what, str(place), str(NOBODY)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'service'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.parametrize(
    ("file_mode", "folder_mode"),
    [(0o400, 0o500), (0o400, 0o700), (0o600, 0o500), (0o000, 0o700), (0o600, 0o000)],
)
def test_a_database_that_may_not_be_written(folder: Path, file_mode: int, folder_mode: int) -> None:
    place = folder / "fairbones.db"
    SqliteStore(place).close()
    place.chmod(file_mode)
    folder.chmod(folder_mode)
    assert tries("create", place, folder) == "store/read-only"
    # It was for these modes and nothing else. What lies beside the file has taken its mode.
    folder.chmod(0o700)
    for path in folder.iterdir():
        path.chmod(0o600)
    assert tries("create", place, folder) == "done"
    kept = SqliteStore(place)
    assert kept.load(match_id(77)) is not None
    kept.close()


def test_a_folder_that_may_not_be_written(folder: Path) -> None:
    folder.chmod(0o500)
    assert tries("hold", folder, folder) == "store/folder"
    folder.chmod(0o700)
    assert tries("hold", folder, folder) == "done"
