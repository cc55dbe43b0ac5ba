"""Pictures stay inside the terminal, whatever it is."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Callable, Mapping
from itertools import pairwise

import pytest

from fairbones.demo.line import Bone, Line, box, columns, glyph
from fairbones.demo.screen import Screen
from fairbones.demo.spectator import Spectator

ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
Json = dict[str, object]
UTF = {"LANG": "en_US.UTF-8", "TERM": "xterm"}


class Paper(io.StringIO):
    """A stream that says what it is."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

    encoding = "utf-8"

    def isatty(self) -> bool:
        return self._terminal


def some_line(seed: random.Random, bones: int) -> Line:
    """A line of that many bones; it may repeat some, which no picture minds."""
    line = Line()
    line.play("6-4", None)
    ends = [6, 4]
    for _ in range(bones - 1):
        side, new = seed.randrange(2), seed.randrange(7)
        pair = sorted((ends[side], new), reverse=True)
        line.play(f"{pair[0]}-{pair[1]}", ("left", "right")[side])
        ends[side] = new
    return line


def test_the_first_bone_lies_with_its_high_half_to_the_left() -> None:
    line = Line()
    line.play("6-4", None)
    line.play("6-2", "left")
    line.play("4-4", "right")
    line.play("5-4", "right")
    assert line.rows(80) == ["[2|6][6|4][4|4][4|5]"]
    assert line.rows(11) == ["[2|6][6|4]", "[4|4][4|5]"]
    assert line.rows(80, new=lambda text: f"<{text}>") == ["[2|6][6|4][4|4]<[4|5]>"]


ARMS = [
    ("4-1", None),
    ("1-1", "right"),
    ("4-4", "left"),
    ("4-3", "left"),
    ("2-1", "right"),
    ("5-1", "up"),
    ("5-5", "up"),
    ("5-0", "up"),
    ("3-1", "down"),
]


def test_the_arms_of_a_spinner_stand_below_the_line() -> None:
    """The example of SPEC R5: each arm with its spinner and its name, from the spinner outwards."""
    line = Line()
    for tile, end in ARMS:
        line.play(tile, end)
    assert len(line) == 9
    assert line.rows(80) == [
        "[3|4][4|4][4|1][1|1][1|2]",
        "1-1 up   [1|5][5|5][5|0]",
        "1-1 down [1|3]",
    ]
    assert line.rows(20, new=lambda text: f"<{text}>") == [
        "[3|4][4|4][4|1][1|1]",
        "[1|2]",
        "1-1 up   [1|5][5|5]",
        "         [5|0]",
        "1-1 down <[1|3]>",
    ]


def test_every_spinner_has_arms_of_its_own() -> None:
    """SPEC R5: "The k-th spinner of a hand has two more ends, named ... `up-k` and `down-k`"."""
    line = Line()
    for tile, end in [("6-6", None), ("6-3", "left"), ("6-2", "right"), ("3-3", "left")]:
        line.play(tile, end)
    for tile, end in [("6-0", "up"), ("4-3", "left"), ("3-1", "down-2")]:
        line.play(tile, end)
    assert line.rows(80) == ["[4|3][3|3][3|6][6|6][6|2]", "6-6 up     [6|0]", "3-3 down-2 [3|1]"]


@pytest.mark.parametrize("width", [1, 7, 23, 58, 99])
@pytest.mark.parametrize("draw", [box, glyph])
def test_rows_are_no_wider_than_asked(
    seed: random.Random, width: int, draw: Callable[[Bone], str]
) -> None:
    line = some_line(seed, 28)
    rows = line.rows(width, draw)
    assert all(columns(row) <= max(width, 5) for row in rows)
    assert "".join(rows) == line.rows(10**6, draw)[0]


def test_touching_halves_are_equal(seed: random.Random) -> None:
    (row,) = some_line(seed, 28).rows(200)
    halves = re.findall(r"\[(\d)\|(\d)\]", row)
    assert len(halves) == 28
    assert all(left[1] == right[0] for left, right in pairwise(halves))


def test_glyphs_lie_along_the_line_and_doubles_across() -> None:
    assert glyph((0, 0)) == "\N{DOMINO TILE VERTICAL-00-00} "
    assert glyph((6, 6)) == "\N{DOMINO TILE VERTICAL-06-06} "
    assert glyph((6, 4)) == "\N{DOMINO TILE HORIZONTAL-06-04} "
    assert glyph((0, 1)) == "\N{DOMINO TILE HORIZONTAL-00-01} "
    assert glyph((9, 1)) == "[9|1]"


# ----------------------------------------------------------------------- screen


def screen(
    monkeypatch: pytest.MonkeyPatch, paper: Paper, width: int, env: dict[str, str] = UTF
) -> Screen:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", "30")
    return Screen(paper, env)


def match_of(events: list[Json], shown: Screen, seats: int = 2, **row: object) -> None:
    spectator = Spectator(shown)
    opened = {
        "ruleset": {"id": "draw", "target": 100, "partners": False, **row},
        "seats": seats,
        "washes": ["ab" * 32] * 2,
        "server_seed_hash": "cd" * 32,
    }
    spectator.see_opened(opened, bytes(32), row)
    for event in events:
        spectator.see(event)


EVENTS: list[Json] = [
    {"type": "seated", "data": {"seat": 0, "name": "n0", "client_seed_commitment": "1" * 64}},
    {"type": "seated", "data": {"seat": 1, "name": "n1", "client_seed_commitment": "2" * 64}},
    {"type": "seeded", "data": {"seat": 0, "client_seed": "0" * 64}},
    {"type": "seeded", "data": {"seat": 1, "client_seed": "1" * 64}},
    {"type": "lead_drawn", "data": {"lead": 1}},
    {
        "type": "dealt",
        "data": {
            "round": 1,
            "seals": ["0" * 64] * 28,
            "hand_size": 7,
            "lead": 1,
            "must_set": "6-6",
        },
    },
    {"type": "played", "data": {"seat": 1, "tile": "6-6"}},
    {"type": "drew", "data": {"seat": 0, "seal": 3}},
    {"type": "played", "data": {"seat": 0, "tile": "6-1", "end": "left"}},
    {"type": "passed", "data": {"seat": 1}},
    {"type": "gave", "data": {"seat": 0, "to": 1, "seal": 5}},
    {"type": "played", "data": {"seat": 1, "tile": "6-2", "end": "right", "points": 10}},
    {"type": "called", "data": {"seat": 0, "points": 5}},
    {"type": "played", "data": {"seat": 0, "tile": "6-3", "end": "up"}},
    {
        "type": "round_ended",
        "data": {"reason": "blocked", "counts": [3, 4], "points": [4, 0], "scores": [4, 0]},
    },
    {
        "type": "match_ended",
        "data": {"reason": "rounds", "winner": 0, "scores": [4, 0], "server_seed": "ef" * 32},
    },
]


@pytest.mark.parametrize("width", [24, 40, 60, 80, 300])
@pytest.mark.parametrize("terminal", [False, True])
def test_no_line_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, width: int, terminal: bool
) -> None:
    paper = Paper(terminal=terminal)
    shown = screen(monkeypatch, paper, width)
    monkeypatch.setattr(shown, "paced", False)
    match_of(EVENTS, shown)
    lines = ESCAPE.sub("", paper.getvalue().replace("\r", "")).splitlines()
    assert max(map(len, lines)) < width
    assert any("[1|6][6|6]" in line for line in lines)
    assert "6-6 up [6|3]" in " ".join(lines)
    assert "scored in play: n0 5, n1 10" in " ".join(" ".join(lines).split())
    assert any("n0 wins" in " ".join(lines[at : at + 3]) for at in range(len(lines)))


def hand_of(
    monkeypatch: pytest.MonkeyPatch,
    end: Json,
    moves: list[tuple[str, Json]],
    row: Mapping[str, object],
    seats: int = 2,
) -> str:
    """What is told of one hand of two bones each that seat 1 leads, as one line."""
    paper = Paper(terminal=False)
    names = [3, 1, 2, 0] if seats == 4 else [1, 0]
    events: list[Json] = [
        {"type": "seated", "data": {"seat": seat, "name": f"n{seat}", "client_seed": "00" * 32}}
        for seat in names
    ]
    dealt = {"round": 2, "seals": ["0" * 64] * 28, "hand_size": 2, "lead": 1}
    events.append({"type": "dealt", "data": dealt})
    events += [{"type": type_, "data": data} for type_, data in moves]
    ended = {"counts": [0] * seats, "points": [0, 0], "scores": [0, 0], **end}
    events.append({"type": "round_ended", "data": ended})
    match_of(events, screen(monkeypatch, paper, 200), seats, **row)
    return " ".join(paper.getvalue().split("Hand 2: ")[1].split())


OUT: list[tuple[str, Json]] = [
    ("played", {"seat": 1, "tile": "6-6"}),
    ("played", {"seat": 0, "tile": "6-1", "end": "left"}),
    ("played", {"seat": 1, "tile": "6-2", "end": "right"}),
]
BLOCK: list[tuple[str, Json]] = [*OUT[:2], ("drew", {"seat": 1, "seal": 5})]


@pytest.mark.parametrize(
    ("end", "moves", "row", "told"),
    [
        (
            {"reason": "domino", "winner": 1, "counts": [3, 0], "points": [0, 3]},
            OUT,
            {},
            "n1 goes out and scores 3. Pips left: n0 3 (1 bone), n1 none.",
        ),
        (
            {"reason": "domino", "winner": 1, "counts": [3, 0]},
            OUT,
            {"settlement": "none"},
            "n1 goes out; nothing is paid for the pips left. Pips left: n0 3 (1 bone), n1 none.",
        ),
        (
            {"reason": "domino", "winner": 1},
            OUT,
            {},
            "n1 goes out; there is nothing to pay. Pips left: n0 0 (1 bone), n1 none.",
        ),
        (
            {"reason": "blocked", "winner": 0, "counts": [3, 9], "points": [9, 0]},
            BLOCK,
            {},
            "Nobody can go on; n0 scores 9. Pips left: n0 3 (1 bone), n1 9 (2 bones). drawn: n1 1",
        ),
        (
            {"reason": "blocked", "winner": 0, "counts": [3, 9]},
            BLOCK,
            {},
            "Nobody can go on; n0 wins it, and nothing is paid. Pips left: n0 3",
        ),
        (
            {"reason": "blocked", "counts": [5, 5]},
            BLOCK,
            {},
            "Nobody can go on; the lightest are level, and nobody scores. Pips left: n0 5",
        ),
        (
            {"reason": "target", "winner": 1, "counts": [3, 9]},
            BLOCK,
            {},
            "The target of 100 is reached. Pips left: n0 3",
        ),
        ({"reason": "abandoned"}, BLOCK, {}, "The hand is broken off. Pips left: n0 0"),
    ],
)
def test_how_a_hand_ended_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
    end: Json,
    moves: list[tuple[str, Json]],
    row: dict[str, object],
    told: str,
) -> None:
    """What was paid and why not; with the bones left, since 0 pips may be a 0-0."""
    text = hand_of(monkeypatch, end, moves, row)
    assert text.startswith("n1 sets with 6-6 [")
    assert f"] {told}" in text


def test_two_partners_do_things(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the plural and in the order of their seats, in whichever they sat down."""
    passed: list[tuple[str, Json]] = [("passed", {"seat": seat}) for seat in (2, 3, 2)]
    moves: list[tuple[str, Json]] = [
        *OUT[:2],
        *passed,
        ("declined", {"seat": 1}),
        ("gave", {"seat": 3, "to": 0, "seal": 1}),
    ]
    end = {"reason": "domino", "winner": 1, "counts": [1, 2, 3, 4], "points": [0, 8]}
    text = hand_of(monkeypatch, end, moves, {"partners": True}, 4)
    assert "n3 goes out; n1 and n3 score 8. Pips left: n0 1 (2 bones)" in text
    assert "passed: n2 2, n3 1; declined: n1 1; given: n3 1 score: n0 and n2 0, n1 and n3 0" in text


def test_options_and_the_goal_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper(terminal=False)
    match_of([], screen(monkeypatch, paper, 200), better="low", protected=2)
    goal = "until a side has 100 and the lowest score wins"
    assert f'for 2, {goal}; better "low"; protected 2. The' in " ".join(paper.getvalue().split())


def test_a_file_gets_plain_text_and_each_line_of_play_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paper = Paper(terminal=False)
    match_of(EVENTS, screen(monkeypatch, paper, 80))
    assert "\x1b" not in paper.getvalue()
    assert paper.getvalue().count("[6|6]") == 1


def test_a_terminal_gets_colour_and_a_picture_that_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    paper = Paper(terminal=True)
    shown = screen(monkeypatch, paper, 80)
    assert shown.paced
    monkeypatch.setattr(shown, "paced", False)
    match_of(EVENTS, shown)
    assert "\x1b[1;33m[1|6]\x1b[0m" in paper.getvalue()
    assert "\x1b[4A" in paper.getvalue()


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = screen(monkeypatch, Paper(terminal=True), 80, UTF | {"NO_COLOR": "1"})
    assert shown.paint("bone", "bad") == "bone"
    assert shown.grows


@pytest.mark.parametrize(
    "env", [{}, {"LANG": "C"}, {"LC_ALL": "C", "LANG": "en_US.UTF-8"}, {"LC_CTYPE": "C.UTF-8"}]
)
def test_without_a_unicode_locale_everything_is_ascii(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str]
) -> None:
    paper = Paper(terminal=False)
    shown = screen(monkeypatch, paper, 80, env)
    shown.title("Title")
    shown.quote("a verifier \u2713 says \u201cfine\u201d")
    assert paper.getvalue().isascii()


def test_a_dumb_terminal_is_not_moved_about(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = screen(monkeypatch, Paper(terminal=True), 80, {"TERM": "dumb"})
    assert (shown.colour, shown.grows, shown.paced) == (False, False, False)
