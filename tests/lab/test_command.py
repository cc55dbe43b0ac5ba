"""The command: it says what it found, draws it, goes on where it stopped, and knows its page."""

from __future__ import annotations

import ast
import json
import random
import re
from math import exp, factorial, log2
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fairbones.core.bones import tile_count
from tests.bench.figures import circumstances, write
from tests.lab import page, pictures
from tests.lab.__main__ import MAIN, main
from tests.lab.dealing import Table
from tests.lab.faults import FAULTS
from tests.lab.page import Run, seen_from
from tests.lab.progress import ROOT, Outcome, Part, run
from tests.lab.tally import Tally
from tests.lab.verdict import Finding

TEXT = page.PAGE.read_text("utf-8")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Pieces are smaller: nothing is judged here, and much is dealt twice."""
    monkeypatch.setattr("tests.lab.progress.PIECE", 200)
    return 200


def silent(deals: int) -> None:
    """Nobody is told how far it has come."""


def test_a_run_says_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], seed: random.Random
) -> None:
    number = seed.randrange(10**9)
    argv = ["--deals", "1000", "--seed", str(number), "--only", "honest", "coin-sort"]
    argv += ["--cores", "1", "--json", "--pictures", str(tmp_path / "pictures")]
    assert main(argv, tmp_path) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["well"] is True
    honest, fault = told["parts"]
    assert (honest["house"], honest["deals"], honest["rejected"]) == ("honest", 1000, [])
    assert fault["house"] == "coin-sort"
    assert fault["rejected"]
    assert fault["seen_from"] == 1000
    assert {"name", "value", "freedom", "p", "log10_p"} == fault["findings"][0].keys()
    drawn = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert drawn == {"wash.svg", "p-values.svg", "faults.svg"}
    for path in (tmp_path / "pictures").iterdir():
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    assert main(argv[:-3], tmp_path) == 0  # again, from what was kept, as text
    told_again = capsys.readouterr().out
    assert "1 of 1 planted faults are rejected" in told_again
    assert "honest: draw for 4, double-6, 1,000 deals" in told_again


def test_a_run_goes_on_where_it_stopped(tmp_path: Path, seed: random.Random, small: int) -> None:
    """Stopped after a piece and taken up again it is the run that was not stopped."""
    number, table = seed.randrange(10**9), Table("block", 2)
    half, asked = (Part("honest", table, many * small, number) for many in (1, 2))
    run(half, silent, tmp_path, 1)
    said: list[int] = []
    second = run(asked, said.append, tmp_path, 1)
    assert said == [2 * small]
    whole = run(asked, silent, tmp_path / "other", 1)
    assert second.findings == whole.findings
    assert second.tenths == whole.tenths
    assert run(asked, said.append, tmp_path, 1).findings == whole.findings
    assert said == [2 * small], "nothing was left to deal"
    fewer = run(half, said.append, tmp_path, 1)
    assert said == [2 * small, small], "more than was asked for is another sample"
    assert fewer.tally.deals == small


def test_what_was_kept_of_other_code_does_not_count(
    tmp_path: Path, seed: random.Random, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = Part("honest", Table("block", 2), small, seed.randrange(10**9))
    run(part, silent, tmp_path, 1)
    monkeypatch.setattr("tests.lab.progress._sources", lambda: "another shuffle")
    said: list[int] = []
    run(part, said.append, tmp_path, 1)
    assert said == [small]


@pytest.mark.parametrize(
    "argv",
    [
        ["--deals", "1500"],
        ["--deals", "0"],
        ["--ruleset", "block", "--seats", "5"],
        ["--ruleset", "poker"],
        ["--cores", "0"],
        ["--write", "--only", "honest"],
        ["--pictures", "x", "--only", "reference"],
    ],
)
def test_what_makes_no_run_is_refused(argv: list[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        main(argv, tmp_path)


def outcome(house: str, trail: dict[int, float]) -> Outcome:
    """An outcome of one statistic: ln p by number of deals."""
    made = Outcome(Part(house, MAIN, 1000, 1), Tally(MAIN))
    made.trail = {n: [Finding("it", 5.0, 3, ln_p)] for n, ln_p in trail.items()}
    return made


def test_a_fault_is_seen_from_where_it_is_never_missed_again() -> None:
    assert seen_from(outcome("modulo", {1000: -50.0, 2000: -1.0, 5000: -50.0, 9000: -60.0})) == 5000
    assert seen_from(outcome("modulo", {1000: -50.0, 2000: -1.0})) is None


def test_an_alarm_and_a_missed_fault_are_told() -> None:
    """Both make the command fail, and each is named."""
    honest = outcome("honest", {1000: -40.0})
    missed = outcome("coin-sort", {1000: -1.0})
    early = outcome("small-state", {1000: -1.0})
    assert not Run((honest,)).well
    assert "REJECTED" in page.verdict(Run((honest,)))
    assert not Run((missed,)).well
    assert "NOT FOUND" in page.verdict(Run((missed,)))
    assert Run((early,)).well
    assert "is to be expected" in page.verdict(Run((early,)))


def test_figures_are_written_where_the_page_has_them(
    tmp_path: Path, seed: random.Random, small: int
) -> None:
    parts = [Part(it, MAIN, small, seed.randrange(10**9)) for it in ("honest", "low-bits")]
    found = Run(tuple(run(it, silent, tmp_path, 1) for it in parts))
    drawn = pictures.draw(found, tmp_path / "pictures")
    text = page.block(circumstances(["--deals", "1000"], "lab"), found, drawn)
    copy = tmp_path / "page.md"
    copy.write_text(TEXT, "utf-8")
    write(text, copy)
    told = copy.read_text("utf-8")
    assert "`python3 dev.py lab --deals 1000`" in told
    assert "| `low-bits` |" in told
    assert told.count("](pictures/") == len(drawn) == 3
    assert told.split(page.BEGIN)[0] == TEXT.split(page.BEGIN)[0]


# ---------------------------------------------------------------- the page


def test_the_page_has_one_block() -> None:
    assert (TEXT.count(page.BEGIN), TEXT.count(page.END)) == (1, 1)


def test_the_page_shows_every_fault_rejected() -> None:
    """What stands there is of a run that found them all, and its pictures are there."""
    for fault in FAULTS:
        (row,) = re.findall(rf"^\| `{fault.name}` .*$", TEXT, re.MULTILINE)
        assert "not seen" not in row
    assert f"{len(FAULTS)} of {len(FAULTS)} planted faults are rejected" in TEXT
    shown = re.findall(r"\]\((pictures/[^)]+)\)", TEXT)
    assert len(shown) == 3
    assert [it for it in shown if not (page.PAGE.parent / it).is_file()] == []


def absent(cited: str) -> bool:
    """Whether a test that is named is not there."""
    path, _, name = cited.partition("::")
    file = ROOT / "tests" / path
    return not file.is_file() or f"\ndef {name}(" not in file.read_text("utf-8")


def test_the_page_cites_what_is_there() -> None:
    """Tests by name, links, threats, and sections of SPEC, in the text and in the table."""
    cited = [it for it in re.findall(r"`([^`]+)`", TEXT) if "::" in it]
    assert len(cited) > 15
    assert [it for it in cited if absent(it)] == []
    assert absent("lab/test_command.py::test_nothing")
    for link in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (page.PAGE.parent / link).exists(), link
    asked = TEXT.split("| asked |")[1].split("\n\n")[0].splitlines()[2:]
    assert len(asked) > 8
    numbers = {it for row in asked for it in row.split(" | ")[2].split(", ")}
    numbers |= set(re.findall(r"SPEC (\d+(?:\.\d+)?)", TEXT))
    folder = ROOT / "verifier"
    spec = "".join((folder / it).read_text("utf-8") for it in ("SPEC.md", "spec/draws.md"))
    for number in numbers:
        assert re.search(rf"^(## {number}\. |{re.escape(number)} )", spec, re.MULTILINE), number
    threats = (ROOT / "docs" / "threat-model.md").read_text("utf-8")
    for threat in set(re.findall(r"\bT\d+\b", TEXT)):
        assert f"| {threat} |" in threats, threat


def test_the_sizes_on_the_page() -> None:
    """How many orders a set has, and how many of them seeds of 256 bits can give."""
    rows = re.findall(
        r"^\| double-[a-z]+ \| (\d+) \| 2\^([\d.]+) \| (.+) \| (.+) \|$", TEXT, re.MULTILINE
    )
    assert [int(tiles) for tiles, *_ in rows] == [tile_count(n) for n in (6, 9, 12, 15, 18)]
    for tiles, told, one, both in rows:
        orders = log2(factorial(int(tiles)))
        assert f"{orders:.2f}" == told
        for bits, word in ((256, one), (512, both)):
            assert word == ("all" if bits > orders else f"1 of 2^{orders - bits:.2f}")
    # Of the orders of a double-nine, so many are missed if each seed takes one at random.
    assert factorial(55) * exp(-(2**256 / factorial(55))) < 1e-300
    assert round(256 - log2(factorial(28))) == 158
    assert "2^158 seeds" in TEXT
    assert round(2**256 / factorial(55), -2) == 9_100
    for hands, told in ((4, "2^159.74"), (8, "2^312.48")):
        dealt = 7 * hands
        ways = factorial(190) // factorial(190 - dealt) // factorial(7) ** hands
        assert f"2^{log2(ways):.2f}" == told
        assert told in TEXT


def test_the_service_takes_its_seeds_from_the_system() -> None:
    """One call makes the house, and it hands over `os.urandom`; nothing in the service imports a
    generator that is not for secrets.
    """
    service = ROOT / "service" / "fairbones"
    tree = ast.parse((service / "app.py").read_text("utf-8"))
    (made,) = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "House"
    ]
    assert "os.urandom" in [ast.unparse(it) for it in made.args]
    for path in service.rglob("*.py"):
        names = re.findall(r"^\s*(?:import|from) (\w+)", path.read_text("utf-8"), re.MULTILINE)
        assert "random" not in names, path
