"""Random matches of every kind: they end, and house and verifier agree after every event."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from fairbones.core.match import Stage
from fairbones_verify import verify
from tests.forge.dice import Dice
from tests.forge.house import House, Setup, heaviest
from tests.forge.paper import transcript
from tests.soak.progress import ROOT
from tests.soak.watching import by_service, by_verifier

ABOUT = """Random matches of both games with 2, 3 and 4 seats and random options, time-outs and
leavings. Each ends, no tile is lost, the house's fold and the verifier's table are equal after
every event, every point where the match waits verifies, every cut inside a step that public events
show does not, and a verifier in a process of its own verifies the whole."""
VERIFIER = ROOT / "verifier" / "fairbones_verify"
TABLES = tuple((game, seats) for game in ("block", "draw") for seats in (2, 3, 4))
VALUES: dict[str, tuple[object, ...]] = {
    "tie": ("void", "starter", "causer", "split", "lightest-tile"),
    "score": ("total", "difference"),
    "difference_mode": ("once", "per-opponent"),
    "target": (1, 20, 50, 100),
    "direction": ("clockwise", "counter-clockwise"),
}


def setup(number: int, seed: int) -> Setup:
    """The opening of match `number`; the six kinds of tables take turns."""
    game, seats = TABLES[number % len(TABLES)]
    phrase = f"soak {seed} {number}"
    dice = Dice(f"setup {phrase}")
    options = {name: dice.choice(values) for name, values in VALUES.items() if dice.chance(50)}
    if game == "draw":
        options["protected"] = dice.below(3)
        options["drawn_tile"] = dice.choice(("must-play", "may-play"))
    options["partners"] = seats == 4 and dice.chance(50)
    most = (28 - int(str(options.get("protected", 0)))) // seats
    if dice.chance(60):
        options["hand"] = 1 + dice.below(most)
    return Setup(
        game,
        seats,
        options,
        rounds_max=1 + dice.below(6),
        auto_forced=dice.chance(70),
        clear=tuple(seat for seat in range(seats) if dice.chance(20)),
        names=dice.chance(50),
        reference="soak" if dice.chance(30) else None,
        phrase=phrase,
    )


def played(number: int, seed: int) -> House:
    """Match `number` to its end."""
    house = House(setup(number, seed)).start()
    dice = Dice(f"course {seed} {number}")
    idle = dice.choice((0, 0, 10, 40, 100))
    leaver = dice.choice((0, 0, 0, 2))
    choose = heaviest if dice.chance(30) else None
    while house.playing:
        going = house.play(lambda it: not dice.below(20), idle=idle, choose=choose).playing
        if going and dice.chance(leaver * 10):
            staying = [s for s in range(house.setup.seats) if s not in house.state.left]
            house.leave(dice.choice(staying))
        elif going:
            house.act(dice.choice(house.legal()))
    return house


def check(number: int, seed: int) -> Counter[str]:
    """Play one match and hold both sides against each other; what was counted."""
    house = played(number, seed)
    assert house.state.stage is Stage.ENDED
    told, data = house.told(), house.transcript()
    report, seen = by_verifier(data)
    assert report.verdict == "verified", f"match {number}: {report.failure}"
    for seq, (ours, theirs) in enumerate(
        zip(by_service(house.events, house.state.secret), seen, strict=True)
    ):
        assert ours == theirs, f"match {number}, event {seq}: {ours} is not {theirs}"
    waits = [
        seq
        for seq in range(len(told) - 1)
        if seq < house.setup.seats or told[seq + 1]["at"] != told[seq]["at"]
    ]
    figures = Counter({"prefixes": 0, "prefixes inside a step": 0})
    for seq in range(len(told) - 1):
        prefix = verify(transcript(told[: seq + 1]))
        if seq in waits:
            assert prefix.verdict == "verified", f"match {number} up to {seq}: {prefix.failure}"
            figures["prefixes"] += 1
        elif told[seq]["type"] in ("timed_out", "round_ended") or told[seq + 1]["type"] == "dealt":
            assert prefix.code == "order/unfinished", f"match {number} up to {seq}: {prefix.code}"
            figures["prefixes inside a step"] += 1
    in_a_process(data)
    game, seats = TABLES[number % len(TABLES)]
    figures |= Counter(
        {
            "matches": 1,
            f"matches of {game} with {seats} seats": 1,
            "hands": house.state.rounds,
            "events": len(told),
            f"ended by {told[-1]['data']['reason']}": 1,
        }
    )
    return figures + Counter(event["type"] for event in told)


def in_a_process(data: bytes) -> None:
    """A verifier that shares nothing with us, not even site-packages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcript.json"
        path.write_bytes(data)
        argv = [sys.executable, "-I", "-S", str(VERIFIER), str(path), "--complete", "--json"]
        ended = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
