"""Which modules are tried, and which tests have to see a fault in them.

A mutant meets one course of tests after the other, the quick ones first, until one fails.
"""

from __future__ import annotations

from fnmatch import fnmatch
from typing import NamedTuple


class Row(NamedTuple):
    """A pattern of modules and the courses of tests that cover them, as words for pytest."""

    modules: str
    courses: tuple[tuple[str, ...], ...]


PROTOCOL = "service/fairbones/core/protocol/"
RULES = "service/fairbones/core/rules/"
VERIFIER = "verifier/fairbones_verify/"


def _files(folder: str, names: str) -> tuple[str, ...]:
    """Test files by what stands between `test_` and `.py`."""
    return tuple(f"tests/{folder}/test_{name}.py" for name in names.split())


def _without(folder: str, name: str, test: str) -> tuple[str, ...]:
    """A test left out, because it takes too long for what it sees more than others."""
    return (f"--deselect=tests/{folder}/test_{name}.py::{test}",)


_AGREE = "test_list_judgement_and_step_agree_with_the_text"
_BYTES = _files(
    "protocol", "vectors check_values chain draws streams limits invites canonical tags"
)
_SIGNED = _files("protocol", "seatkeys stranger_keys tags")
_OPTIONS = _files("rules", "rows cases case_files options catalogue")
_WORDING = _files("rules", "notation refusals zero reprs empty_claim")
_PLAY = (
    *_files(
        "rules", "playout foreign_tiles near_the_target after_a_call ends settlement hand points"
    ),
    *_files("naive", "against_service"),
)
_LONG_PLAY = (
    "tests/perft/test_service.py::test_counts",
    *_files("rules", "idle legal"),
    # Half of the time of that file.
    *_without("rules", "legal", f"{_AGREE}[draw-8-set-early_block-count_all]"),
    *_without("rules", "legal", f"{_AGREE}[all-fives-2-muggins-spinner-set-better]"),
)
_PRIMITIVES = (
    *_files("conformance", "primitives_verifier"),
    *_files("verifier", "check_values ed25519"),
)
_CASES = (
    *_files("verifier", "cases rules positions blocked_beside_a_boneyard"),
    *_files("naive", "against_verifier"),
)
_JUDGED = (
    *_files("verifier", "close_by first_tile before_the_loss expected_and_got"),
    *_files("verifier", "waiting deadlines verdicts forgeries"),
)
_SEAT_KEYS = (
    *_files("verifier", "largest_seq seed_in_words seatkeys witness running"),
    *_without("verifier", "seatkeys", "test_every_step_of_a_signed_match_is_verified"),
)
_SCENARIOS = (
    "tests/conformance/test_scenarios.py::test_scenario",
    *_files("conformance", "alone"),
)
_FOR_PEOPLE = ("tests/conformance/test_scenarios.py::test_for_people",)
_REFUTED = (
    *_files("verifier", "refuted"),
    *_without("verifier", "refuted", "test_a_forced_step_left_out_is_found"),
)
_PERFT = ("tests/perft/test_verifier.py::test_counts",)
_DOCUMENTS = (
    *_files("verifier", "where_it_differs flaws_in_words depth_in_pieces many_keys"),
    "tests/verifier/test_documents.py",
    *_without("verifier", "documents", "test_a_hostile_text_costs_little"),
)
_TOLD = _files("verifier", "running explain explain_command words compare")
_COMMANDS = _files("verifier", "example cli witness_command")

# How the verifier tells people what it found; apart from what it finds.
WORDS = (
    "__main__",
    "besides",
    "cli",
    "compare",
    "comparison",
    "explain*",
    "explanation",
    "notes",
    "report",
    "sought",
    "sources",
    "story",
    "words",
    "workings",
)

# The first row that fits counts.
ROWS = (
    *(Row(f"{PROTOCOL}{name}.py", (_SIGNED,)) for name in ("ed25519", "seatkeys")),
    Row(f"{PROTOCOL}*", (_BYTES, _files("protocol", "shuffle"))),
    Row(f"{RULES}meanings.py", (_OPTIONS,)),
    Row(f"{RULES}rulesets.py", (_OPTIONS, _PLAY)),
    Row(f"{RULES}*", ((*_OPTIONS, *_WORDING), _PLAY, _LONG_PLAY)),
    Row(f"{VERIFIER}ed25519.py", (_PRIMITIVES, _SCENARIOS)),
    Row(f"{VERIFIER}strictjson.py", (_PRIMITIVES, _DOCUMENTS, _SCENARIOS)),
    Row(f"{VERIFIER}shape.py", (_DOCUMENTS, _JUDGED, _SCENARIOS, _SEAT_KEYS)),
    Row(f"{VERIFIER}games/*", (_CASES, _JUDGED, _SCENARIOS, _PERFT, _REFUTED)),
    *(
        Row(f"{VERIFIER}{name}.py", (_PRIMITIVES, _CASES, _JUDGED, _SCENARIOS))
        for name in ("hashing", "shuffle", "draws", "deal", "signature")
    ),
    Row(f"{VERIFIER}rulesets.py", (_CASES, _JUDGED, _SCENARIOS, _DOCUMENTS)),
    *(
        Row(f"{VERIFIER}{name}.py", (_TOLD, _FOR_PEOPLE, _COMMANDS, _JUDGED, _SCENARIOS))
        for name in WORDS
    ),
    *(
        Row(f"{VERIFIER}{name}.py", (_SEAT_KEYS, _JUDGED, _SCENARIOS, _TOLD, _COMMANDS))
        for name in ("seatkeys", "witness", "protest")
    ),
    Row(f"{VERIFIER}*", (_JUDGED, _SCENARIOS, _SEAT_KEYS, _TOLD, _REFUTED)),
)

# What is not tried: programs around the judgement, with tests of their own.
APART = tuple(f"{VERIFIER}{folder}/*" for folder in ("audit", "client"))

# What is sampled: the first area with a pattern that fits is the module's.
AREAS = {
    "protocol": (f"{PROTOCOL}*",),
    "rules": (f"{RULES}*",),
    "words": tuple(f"{VERIFIER}{name}.py" for name in WORDS),
    "verifier": (f"{VERIFIER}*",),
}

# How many mutants of an area are tried: of the protocol all that there are.
SAMPLE = {"protocol": 10_000, "rules": 260, "words": 40, "verifier": 360}


def area_of(path: str) -> str | None:
    """The area of a module, None for what is not tried."""
    if any(fnmatch(path, apart) for apart in APART):
        return None
    fits = (name for name, patterns in AREAS.items() if any(fnmatch(path, p) for p in patterns))
    return next(fits, None)


def courses_of(path: str) -> tuple[tuple[str, ...], ...]:
    """The tests of a module, course by course."""
    return next(row.courses for row in ROWS if fnmatch(path, row.modules))


def files_of(path: str) -> tuple[str, ...]:
    """The files of those tests."""
    return _named(courses_of(path))


def quick_files_of(path: str) -> tuple[str, ...]:
    """The files of its quick tests: of all courses but the last."""
    courses = courses_of(path)
    return _named(courses[:-1] or courses)


def _named(courses: tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
    words = (word for course in courses for word in course)
    return tuple(word.partition("::")[0] for word in words if not word.startswith("-"))
