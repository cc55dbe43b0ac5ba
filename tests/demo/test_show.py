"""The whole demo: real processes, real HTTP, the real verifier; and nothing left of it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones.core.rules import catalogue
from fairbones.demo import check, main, show

DEMO = [sys.executable, "-m", "fairbones.cli", "demo"]
PROC = Path("/proc")


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that is also a mark: every descendant inherits it."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def descendants(room: Path) -> Iterator[str]:
    """Processes that were started with this folder for temporary files."""
    mark = f"TMPDIR={room}".encode()
    for path in PROC.glob("[0-9]*/environ"):
        try:
            if mark in path.read_bytes().split(b"\0") and path.parent.name != str(os.getpid()):
                yield (path.parent / "cmdline").read_text()
        except OSError:  # it ended while we looked, or is another user's
            continue


def nothing_is_left(room: Path) -> bool:
    return list(descendants(room)) == [] and list(room.iterdir()) == []


def test_the_whole_demo(room: Path) -> None:
    began = time.monotonic()
    done = subprocess.run(DEMO, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert time.monotonic() - began < 25 * (1 + (os.getloadavg()[0] > 8))
    for told in (
        "ada",
        "Hand 1:",
        "The match is over (target)",
        "VERIFIED",
        "receipt/signature",
        "points/points",
        "deal/seals",
        "authority/signature",
        "receipt/not-in-transcript",
        "All five are refuted, four of them",
        "Now you",
    ):
        assert told in done.stdout
    assert "all 4 seats are signed" in " ".join(done.stdout.split())
    assert "seats/unsigned" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 80
    assert "\x1b" not in done.stdout
    assert nothing_is_left(room)


def test_block_in_a_narrow_window_of_the_c_locale(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = {name: it for name, it in os.environ.items() if not name.startswith("LC_")}
    env |= {"LANG": "C", "COLUMNS": "44"}
    argv = [*DEMO, "--ruleset", "block", "--target", "20", "--glyphs"]
    done = subprocess.run(argv, capture_output=True, timeout=100, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii()
    assert nothing_is_left(room)


@pytest.mark.parametrize("ruleset", ["blocking", "middle-eastern", "all-fives", "fives-and-threes"])
def test_any_game_can_be_shown(
    room: Path, ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """As many seats as it is played with, four at most; its own target, where none is asked for."""
    assert main(["--fast", "--ruleset", ruleset]) == 0
    told = capsys.readouterr().out
    row = next(it for it in catalogue() if it["id"] == ruleset)
    target = next(it["default"] for it in row["options"] if it["name"] == "target")  # type: ignore[attr-defined]
    seats = 2 if ruleset == "blocking" else 4
    assert f"A match of {ruleset} for {seats}, first to {target}." in told
    assert f"the seeds of {seats} strangers" in " ".join(told.split())
    assert ("drawn a bone for the lead" in told) == (ruleset in ("blocking", "fives-and-threes"))
    assert ("in play: " in told) == (ruleset in ("all-fives", "fives-and-threes"))
    assert max(map(len, told.splitlines())) < 80
    assert nothing_is_left(room)


# A shell has its background jobs ignore SIGINT, and whatever they start inherits that.
HEARING = """import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])"""


@pytest.mark.parametrize(
    ("signum", "moment"),
    [(signal.SIGHUP, "1  "), (signal.SIGINT, "2  "), (signal.SIGTERM, "5  ")],
)
def test_a_signal_ends_everything(room: Path, signum: signal.Signals, moment: str) -> None:
    argv = [sys.executable, "-c", HEARING, *DEMO]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        next(line for line in demo.stdout if line.startswith(moment))
        demo.send_signal(signum)
        demo.stdout.read()
        assert demo.stderr.read() == f"the demo was ended by {signum.name}\n"
        assert demo.wait(30) == 128 + signum
    assert nothing_is_left(room)


def test_nobody_reads_on(room: Path) -> None:
    with subprocess.Popen(DEMO, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        demo.stdout.readline()
        demo.stdout.close()
        assert demo.wait(60) == 128 + signal.SIGPIPE
        assert demo.stderr.read() == b""
    assert nothing_is_left(room)


@pytest.mark.parametrize(
    ("verdict", "complaint"),
    [("0", "this forgery is not refuted"), ("1", "does not confirm an honest match")],
)
def test_a_wrong_verdict_fails_the_demo(
    room: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verdict: str,
    complaint: str,
) -> None:
    yes_man = tmp_path_factory.mktemp("verifier")
    (yes_man / "__main__.py").write_text(f"raise SystemExit({verdict})\n")
    monkeypatch.setattr(check, "find_verifier", lambda: yes_man)
    assert main(["--fast", "--target", "1"]) == 1
    assert complaint in capsys.readouterr().err
    assert nothing_is_left(room)


def test_a_wish_that_the_house_refuses_is_told(
    room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the house's own sentence: the demo judges no option itself."""
    for wish, sentence in (
        (["--target", "0"], "target is a whole number from 1 to 10000."),
        (["--option", "target=soon"], "target is a whole number from 1 to 10000."),
        (["--seats", "9"], "Draw is played with 2 to 8 seats."),
        (
            ["--seats", "6"],
            "6 seats of 5 tiles need 30; double-six has 28: choose set 9, or lower hand to 4.",
        ),
        (
            ["--option", "drawing=none"],
            'drawing is always "until-fits" in Draw: leave it out, or choose another ruleset.',
        ),
    ):
        assert main(["--fast", *wish]) == 3
        assert capsys.readouterr().err == f"the house opens no such match: {sentence}\n"
    assert nothing_is_left(room)


@pytest.mark.parametrize("wish", ["target", "=5", ""])
def test_an_option_without_a_value(
    room: Path, wish: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        main(["--option", wish])
    assert refused.value.code == 2
    assert "is not like NAME=VALUE" in capsys.readouterr().err
    assert nothing_is_left(room)


@pytest.mark.parametrize(
    ("wishes", "said", "seconds"),
    [
        ([], {}, 120),
        (["--target", "50"], {"target": 50}, 120),
        (
            ["--option", "partners=true", "--option", "tie=split", "--option", "hand=5"],
            {"partners": True, "tie": "split", "hand": 5},
            120,
        ),
        # Nobody wants to watch players wait who call at once or never.
        (["--option", "muggins=true"], {"muggins": True, "call_seconds": 1}, 120),
        (
            ["--option", "call_seconds=5", "--option", "muggins=true"],
            {"call_seconds": 5, "muggins": True},
            600,
        ),
        (["--option", "call_seconds=soon"], {"call_seconds": "soon"}, 120),
    ],
)
def test_options_as_they_are_asked_for(
    wishes: list[str], said: dict[str, object], seconds: int
) -> None:
    wanted = show.command_line().parse_args(wishes)
    assert show.options_of(wanted) == said
    assert show.seconds(wanted) == seconds


def test_many_seats_and_switches(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--fast", "--ruleset", "fives-and-threes", "--seats", "6", "--target", "20"]
    assert main([*argv, "--option", "hand=3", "--option", "exact_target=false"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    asked = "hand 3; exact_target false; target 20"
    assert f"A match of fives-and-threes for 6, first to 20; {asked}." in told
    assert "seat 5 finn" in told
    assert "nothing is paid for the pips left" in told or "The target of 20 is reached" in told
    assert nothing_is_left(room)


def test_two_pairs(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Named in the order of their seats, and what they do is done by two."""
    assert main(["--fast", "--ruleset", "latin-american"]) == 0
    out = capsys.readouterr().out
    heads = [line for line in out.splitlines() if re.match(r"Hand [0-9]+:", line)]
    assert all(re.fullmatch(r"Hand [0-9]+: \w+ sets with [0-6]-[0-6]", head) for head in heads)
    told = " ".join(out.split())
    ada, ben = "ada and cleo", "ben and dan"
    assert re.search(f"; ({ada}|{ben}) score [0-9]+", told)
    assert re.search(f"The match is over \\(target\\): ({ada}|{ben}) win[.]", told)
    assert re.search(f"score: {ada} [0-9]+, {ben} [0-9]+", told)
    assert not re.search(r"cleo and ada|dan and ben|(and cleo|and dan) (wins|scores)", told)
    assert nothing_is_left(room)


def test_without_the_verifier_nothing_starts(
    room: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As from a wheel: no checkout around the service, and nothing installed."""

    def never(*_: object) -> None:
        pytest.fail("something was started")

    monkeypatch.setattr("fairbones.__file__", str(room / "site" / "lib" / "fairbones" / "x.py"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    monkeypatch.setattr("fairbones.demo.show.perform", never)
    assert main(["--fast"]) == 3
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (
        "the demo cannot start: the verifier is not here; "
        "run pip install ./verifier in a checkout\n"
    )
    with pytest.raises(SystemExit) as helped:
        main(["--help"])
    assert helped.value.code == 0


def test_what_was_checked_can_be_kept(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = room / "kept"
    assert main(["--fast", "--target", "1", "--keep", str(kept)]) == 0
    assert "kept" in capsys.readouterr().out
    assert {"transcript.json", "forged-5.json"} < {path.name for path in kept.iterdir()}
    assert main(["--fast", "--keep", str(kept)]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_a_transcript_fetched_as_the_readme_says_is_no_change() -> None:
    root = Path(__file__).parents[2]
    assert "> transcript.json" in (root / "README.md").read_text(encoding="utf-8")
    assert "/transcript.json" in (root / ".gitignore").read_text(encoding="utf-8").splitlines()
