"""Random matches of every game: they end, and house and verifier agree about all that happened."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import fields
from pathlib import Path

from fairbones.core.errors import Illegal
from fairbones.core.match import Act, Command, Stage
from fairbones.core.match.times import late
from fairbones.core.rules import CALL, DRAW, call
from fairbones_verify import verify
from tests.forge.dice import Dice
from tests.forge.house import House, Setup, heaviest
from tests.forge.paper import Json, transcript
from tests.match.rows import TABLES, switched
from tests.soak.progress import ROOT
from tests.soak.watching import Seen, by_service, by_verifier

ABOUT = """Random matches of every ruleset with every number of seats, the published row or options
drawn at random, larger sets among them; with claims and calls, time-outs and leavings. In one of
three every seat has a key and signs what it says, in the others some have. Each ends, no tile is
lost, its events fold to the state that it was played in, and the verifier verifies the whole, the
signatures too, and comes to the same result. One of fifty is looked at closely: the house's fold
and the verifier's table are equal after every event, every point where the match waits verifies,
every cut inside a step that public events show does not, and a verifier in a process of its own
verifies it too."""
VERIFIER = ROOT / "verifier" / "fairbones_verify"
USUAL = 1000 * len(TABLES)
CLOSELY = 50
WHOLLY = 3  # one match of so many has a key at every seat; the tables take turns by another number
HURRIED = Act(0, 0, DRAW)  # any action of a seat's own


def table(number: int) -> tuple[str, int]:
    """The ruleset and the seats of match `number`: all tables take turns."""
    return TABLES[number % len(TABLES)]


def setup(number: int, seed: int) -> Setup:
    """The opening of match `number`. Its targets are low: many short matches find more."""
    game, seats = table(number)
    phrase = f"soak {seed} {number}"
    dice, rnd = Dice(f"setup {phrase}"), random.Random(phrase)
    keys = Dice(f"keys {phrase}")
    every = number % WHOLLY == 0
    signed = tuple(seat for seat in range(seats) if every or keys.chance(40))
    return Setup(
        game,
        seats,
        switched(rnd, game, seats, percent=dice.choice((0, 20, 50))),
        rounds_max=1 + dice.below(4),
        auto_forced=dice.chance(70),
        clear=tuple(seat for seat in range(seats) if dice.chance(20)),
        names=dice.chance(50),
        reference="soak" if dice.chance(30) else None,
        turn_seconds=dice.choice((3, 30)),
        signed=signed,
        reserved=tuple(seat for seat in signed if keys.chance(20)),
        phrase=phrase,
    )


class Watched(House):
    """A house whose heads are noted: what was shown, step by step."""

    def do(self, command: Command) -> None:
        super().do(command)
        self.heads: set[int] = {*getattr(self, "heads", {0}), len(self.events) - 1}


def played(number: int, seed: int) -> Watched:
    """Match `number` to its end."""
    house = Watched(setup(number, seed)).start()
    dice = Dice(f"course {seed} {number}")
    idle = dice.choice((0, 0, 10, 40, 100))
    leaver = dice.choice((0, 0, 0, 2))
    greedy = dice.chance(30)
    while house.playing:
        staying = [seat for seat in range(house.setup.seats) if seat not in house.state.left]
        if dice.chance(60) and called(house, staying, dice):
            continue
        if house.waits_for_calls or dice.chance(idle) or late(house.state, HURRIED, house.now + 2):
            house.touch()
        elif dice.chance(leaver):
            house.leave(dice.choice(staying))
        else:
            action = heaviest(house) if greedy else dice.choice(house.legal())
            house.act(house.claiming(action))
    return house


def called(house: House, staying: list[int], dice: Dice) -> bool:
    """Whether one of the seats took what the last play missed."""
    if house.hand.window is None or late(house.state, Act(0, 0, CALL), house.now + 300):
        return False
    callers = [seat for seat in staying if gain(house, seat)]
    if callers:
        house.call(dice.choice(callers))
    return bool(callers)


def gain(house: House, seat: int) -> int:
    """What a call of that seat would take."""
    try:
        return call(house.hand, seat)[1]
    except Illegal:
        return 0


def check(number: int, seed: int) -> Counter[str]:
    """Play one match and hold both sides against each other; what was counted."""
    house = played(number, seed)
    assert house.state.stage is Stage.ENDED
    told, data = house.told(), house.transcript()
    by_service(house.events, house.state)
    report = verify(data)
    assert report.verdict == "verified", f"match {number}: {report.failure}"
    assert report.as_dict()["result"] == result(told), f"match {number}"
    figures: Counter[str] = Counter()
    if number // len(TABLES) % CLOSELY == 0:
        figures += closely(house, number, told, data)
    game, seats = table(number)
    figures |= Counter(
        {
            "matches": 1,
            f"matches of {game} with {seats} seats": 1,
            "hands": house.state.rounds,
            "events": len(told),
            f"ended by {told[-1]['data']['reason']}": 1,
            f"matches with double-{house.state.terms.rules.set}": 1,
            f"matches with keys at {share(house)}": 1,
            "seats with a key": len(house.keys),
            "seats reserved for a key": len(house.setup.reserved),
            "signatures": sum("signature" in event["data"] for event in told),
        }
    )
    return figures + Counter(event["type"] for event in told)


def share(house: House) -> str:
    """How many of the seats sign what they say."""
    if len(house.keys) == house.setup.seats:
        return "every seat"
    return "some seats" if house.keys else "no seat"


def result(told: list[Json]) -> Json:
    """What the verifier has to say of the end."""
    return {k: v for k, v in told[-1]["data"].items() if k != "server_seed"}


def closely(house: Watched, number: int, told: list[Json], data: bytes) -> Counter[str]:
    """Both sides after every event, and every prefix."""
    _, seen = by_verifier(data)
    folded = by_service(house.events, house.state)
    for seq, (ours, theirs) in enumerate(zip(folded, seen, strict=True)):
        assert ours == theirs, f"match {number}, event {seq}: {differences(ours, theirs)}"
    figures = Counter({"looked at closely": 1, "prefixes": 0, "prefixes inside a step": 0})
    for seq in range(len(told) - 1):
        prefix = verify(transcript(told[: seq + 1]))
        if seq in house.heads:
            assert prefix.verdict == "verified", f"match {number} up to {seq}: {prefix.failure}"
            figures["prefixes"] += 1
        elif told[seq]["type"] in ("timed_out", "round_ended") or told[seq + 1]["type"] == "dealt":
            assert prefix.code == "order/unfinished", f"match {number} up to {seq}: {prefix.code}"
            figures["prefixes inside a step"] += 1
    in_a_process(data)
    return figures


def differences(ours: Seen, theirs: Seen) -> list[str]:
    """What the house holds true and the verifier does not."""
    pairs = [(it.name, getattr(ours, it.name), getattr(theirs, it.name)) for it in fields(ours)]
    return [f"{name}: {one} is not {other}" for name, one, other in pairs if one != other]


def in_a_process(data: bytes) -> None:
    """A verifier that shares nothing with us, not even site-packages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcript.json"
        path.write_bytes(data)
        argv = [sys.executable, "-I", "-S", str(VERIFIER), str(path), "--complete", "--json"]
        ended = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 0, ended.stdout + ended.stderr
