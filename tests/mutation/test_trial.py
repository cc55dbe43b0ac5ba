"""The trial itself: a toy project in which one test is missing, and it is known which."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.mutation import page, runs
from tests.mutation.kept import Results
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.page import Figures, Tried
from tests.mutation.runs import Broken, Ended, Took
from tests.mutation.trial import Copy, Fate, Verdict, copied

MODULE = "service/toy.py"
TOY = """def small(n):
    return 0 <= n < 10

def down(n):
    while n:
        n -= 1
    return "down"
"""
# That 10 itself is not small is what no test says.
TESTS = """from toy import down, small

def test_small():
    assert small(0) and small(9)
    assert not small(-1) and not small(11)

def test_down():
    assert down(3) == "down"
"""
COURSE = (("tests/test_toy.py",),)
# Nor that `down` does anything on its way: what ends it sooner is missed as well.
MISSED = {"return 0 <= n <= 10", "while not n:"}
SEEN = {"return 0 < n < 10", "pass"}  # `n -= 1` left out


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name, text in ((MODULE, TOY), ("tests/test_toy.py", TESTS)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "CPU_SECONDS_MORE", 1)


def toys(*afters: str) -> list[Mutant]:
    made = mutants(MODULE, TOY)
    return [mutant for mutant in made if not afters or mutant.after in afters]


def test_what_no_test_sees_survives_and_the_rest_does_not(project: Path) -> None:
    with copied(1, project) as copy:
        fates = {mutant.after: copy.judge(mutant, COURSE) for mutant in toys(*MISSED, *SEEN)}
        assert (copy.root / MODULE).read_text() == TOY
    assert (project / MODULE).read_text() == TOY
    assert not copy.root.exists()
    assert {after for after, verdict in fates.items() if verdict.fate == "survived"} == MISSED
    assert fates["pass"].fate == "timed out"
    assert fates["return 0 < n < 10"] == Verdict("killed", "tests/test_toy.py::test_small")


class Scripted(Copy):
    """A copy whose tests are not run: of each course is told how it ends."""

    def __init__(self, copy: Copy, ends: dict[str, Ended]) -> None:
        super().__init__(copy.root, copy.nursery)
        self.ends, self.asked = ends, list[str]()

    def _run(self, course: tuple[str, ...], usual: Took | None) -> Ended:
        if usual is None:
            return Ended(0, "")
        self.asked += course
        return self.ends[course[0]]


PASSED, HANGS = Ended(0, ""), Ended(None, "")
FAILED = Ended(1, "F\nFAILED tests/t.py::test_b[one two]\n1 failed")
NOT_FOUND = Ended(4, "ERROR: not found: tests/t.py::test_old")


@pytest.mark.parametrize(
    ("first", "quick", "slow", "verdict", "asked"),
    [
        # What survives one course meets the next.
        (None, PASSED, FAILED, Verdict("killed", "tests/t.py::test_b[one"), "quick slow"),
        (None, FAILED, PASSED, Verdict("killed", "tests/t.py::test_b[one"), "quick"),
        (None, PASSED, PASSED, Verdict("survived", ""), "quick slow"),
        (None, HANGS, PASSED, Verdict("timed out", ""), "quick"),
        # A test that is asked first decides where it fails, and else says nothing.
        (FAILED, PASSED, PASSED, Verdict("killed", "tests/t.py::test_b[one"), "first"),
        (PASSED, PASSED, PASSED, Verdict("survived", ""), "first quick slow"),
        (NOT_FOUND, PASSED, PASSED, Verdict("survived", ""), "first quick slow"),
        (HANGS, PASSED, PASSED, Verdict("survived", ""), "first quick slow"),
    ],
)
def test_the_course_of_a_trial(
    project: Path, first: Ended | None, quick: Ended, slow: Ended, verdict: Verdict, asked: str
) -> None:
    ends = {"quick": quick, "slow": slow} | ({"first": first} if first else {})
    suspects = ("first",) if first else ()
    with copied(1, project) as real:
        copy = Scripted(real, ends)
        assert copy.judge(toys()[0], (("quick",), ("slow",)), suspects) == verdict
    assert copy.asked == asked.split()


def test_tests_that_fail_anyway_judge_nothing(project: Path) -> None:
    (project / "tests/test_toy.py").write_text("def test_toy():\n    assert False\n")
    with copied(1, project) as copy, pytest.raises(Broken, match="without a mutant"):
        copy.judge(toys()[0], COURSE)


def test_the_copy_is_tried_and_not_the_checkout(project: Path) -> None:
    """The venv knows the checkout too, and a mutant is not met there."""
    for package in ("service/fairbones", "verifier/fairbones_verify"):
        (project / package).mkdir(parents=True)
        (project / package / "__init__.py").write_text("HERE = 1\n")
    (project / "tests/test_toy.py").write_text(
        "import fairbones, fairbones_verify\n\n"
        "def test_here():\n    assert fairbones.HERE == fairbones_verify.HERE == 1\n"
    )
    with copied(1, project) as copy:
        for package in ("service/fairbones", "verifier/fairbones_verify"):
            mutant = mutants(f"{package}/__init__.py", "HERE = 1\n")[0]
            assert copy.judge(mutant, COURSE).fate == "killed"


def test_verdicts_are_kept_while_they_hold(tmp_path: Path) -> None:
    killed, survived = toys()[:2]
    first = Results(3, resume=False, folder=tmp_path)
    first.keep(killed, Verdict("killed", "t"), "module", "tests")
    first.keep(survived, Verdict("survived", ""), "module", "tests")
    second = Results(3, resume=True, folder=tmp_path)
    assert second.of(killed, "module", "tests") == Verdict("killed", "t")
    assert second.of(survived, "module", "tests") == Verdict("survived", "")
    assert second.of(killed, "module", "other tests") == Verdict("killed", "t")
    assert second.of(survived, "module", "other tests") is None
    assert second.of(killed, "other module", "tests") is None
    assert Results(3, resume=False, folder=tmp_path).of(killed, "module", "tests") is None


def test_the_tests_that_saw_most_are_known(tmp_path: Path) -> None:
    results = Results(3, resume=False, folder=tmp_path)
    for mutant, by in zip(
        toys(), ("t.py::a[1]", "t.py::b", "t.py::a[2]", "t.py", ""), strict=False
    ):
        results.keep(mutant, Verdict("killed", by), "module", "tests")
    assert results.killers(MODULE, ["t.py"], 2) == ("t.py::a", "t.py::b")
    assert results.killers(MODULE, ["t.py"], 1) == ("t.py::a",)
    assert results.killers(MODULE, ["slow.py"], 2) == ()
    assert results.killers("service/other.py", ["t.py"], 2) == ()


def test_the_page_names_what_survived(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(page, "area_of", lambda _: "toys")
    seen, missed = toys("return 0 < n < 10")[0], toys("return 0 <= n <= 10")[0]
    same = toys("return None")[0]
    fates: list[tuple[Mutant, Fate]] = [
        (seen, "killed"), (missed, "survived"), (same, "equivalent")
    ]  # fmt: skip
    told = [Tried(mutant, Verdict(fate, "")) for mutant, fate in fates]
    figures = Figures(Counter({MODULE: 9}), 4, told)
    text = page.text(figures, "python3 dev.py mutate --seed 1")
    assert "| **toys** | 9 | 3 | 1 | 0 | 1 | 1 |" in text
    assert f"| {MODULE} | 9 | 3 | 1 | 0 | 1 | 1 |" in text
    assert "3 of 4" in text
    assert "- return 0 <= n < 10\n+ return 0 <= n <= 10\n" in text
    assert "return 0 < n < 10" not in text
    file = tmp_path / "page.md"
    file.write_text(f"By hand.\n\n{page.BEGIN}\nold\n{page.END}\n\nMore.\n")
    page.write(text, file)
    assert file.read_text() == f"By hand.\n\n{text}\n\nMore.\n"
    file.write_text("By hand.\n")
    with pytest.raises(ValueError, match="no place"):
        page.write(text, file)
