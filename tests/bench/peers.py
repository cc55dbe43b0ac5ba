"""The rules engine against other people's: the same new deals, the same plays, the same results.

Every round has deals that neither side has met, for our engine remembers where plays lead: deals
that came round again would measure its memory. It has played other hands before, as a service has.
What is to be played is found out in another process, so that this one does not learn it. Both sides
are dealt before their time starts: what is measured is play, from the first tile to what it pays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from fairbones.core.rules import (
    Hand,
    Rules,
    Settlement,
    admit,
    apply,
    compile_rules,
    deal,
    finish,
    legal,
    play_out,
    resolve,
    settle,
)
from tests.bench.harness import BUSY, Bench, Done, Side, Watch
from tests.oracles.following import LEAD, Script, lot_of
from tests.oracles.pairing import Pairing, Way

# The modules of tests/oracles that have a `PAIRINGS`, importable where the engines are.
_PEERS = ("dominoes_peer", "spiel_peer", "fives_peer")
PLAYED_BEFORE = 3000  # hands, until what is remembered is about as much as it will be
QUICK_HANDS = 3

Batch = Callable[[int], Sequence[Script]]
Played = tuple[Hand, Settlement]
Play = Callable[[Rules, Hand, Script], Played]


def benches(quick: bool, _folder: Path) -> Iterator[Bench]:
    """Whole hands of four games. ModuleNotFoundError where an engine is not installed."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        for module in _PEERS:
            for index, pairing in enumerate(_pairings(module)):
                # Two benches, not two sides: the second would know the hands of the first.
                for own, (did, play) in _OWN.items():
                    batch = _batches(other, quick, (module, index, own))
                    yield _bench(pairing, own, did, play, batch, quick)


def scripts(module: str, index: int, own: str, number: int, hands: int) -> list[Script]:
    """Hands played at random by both engines at once; each list of plays is found to be equal."""
    pairing = _pairings(module)[index]
    rules = _rules(pairing)
    rnd = random.Random(f"{pairing.name} {own} {number}")
    made: list[Script] = []
    while len(made) < hands:
        script = pairing.script(rules, rnd)
        made += [] if script is None else [script]
    return made


def _pairings(module: str) -> tuple[Pairing, ...]:
    found: tuple[Pairing, ...] = import_module(f"tests.oracles.{module}").PAIRINGS
    return found


def _rules(pairing: Pairing) -> Rules:
    return compile_rules(resolve(pairing.ruleset, pairing.seats, pairing.options), pairing.seats)


def _batches(other: Executor, quick: bool, of: tuple[str, int, str]) -> Batch:
    """The hands of each round, made when its first side asks for them."""
    module, index, own = of
    hands = QUICK_HANDS if quick else _pairings(module)[index].hands
    known: list[list[Script]] = []

    def batch(number: int) -> Sequence[Script]:
        while len(known) <= number:
            made = other.submit(scripts, module, index, own, len(known), hands)
            known.append(made.result())
        return known[number]

    return batch


def _bench(
    pairing: Pairing,
    own: str,
    did: str,
    play: Play,
    batch: Batch,
    quick: bool,
) -> Bench:
    rules = _rules(pairing)
    _play_others(rules, QUICK_HANDS if quick else PLAYED_BEFORE)
    rounds = count()

    def ours(watch: Watch) -> Done:
        hands = batch(next(rounds))
        dealt = [(_dealt(rules, script), script) for script in hands]
        watch.start()
        played = [play(rules, hand, script) for hand, script in dealt]
        watch.stop()
        return Done(len(hands), [pairing.tell(*it) for it in played])

    def theirs(way: Way) -> Callable[[Watch], Done]:
        rounds = count()

        def run(watch: Watch) -> Done:
            hands = batch(next(rounds))
            dealt = [(pairing.dealt(script.lot), script.theirs) for script in hands]
            watch.start()
            for hand, plays in dealt:
                way.play(hand, plays)
            watch.stop()
            return Done(len(hands), [pairing.told(hand) for hand, _ in dealt])

        return run

    return Bench(
        f"peers, {pairing.name}, {own}",
        "hand",
        f"every list of plays; {pairing.equal}",
        (Side(own, did, ours), *(Side(way.name, way.did, theirs(way)) for way in pairing.ways)),
        tuple((way.name, own) for way in pairing.ways),
        kinds=BUSY,
    )


def _dealt(rules: Rules, script: Script) -> Hand:
    return deal(rules, script.lot.hands, script.lot.stock, LEAD)


def _own(rules: Rules, hand: Hand, script: Script) -> Played:
    indices = iter(script.ours)
    return _settled(rules, play_out(hand, lambda listed: listed[next(indices)]))


def _stepped(rules: Rules, hand: Hand, script: Script) -> Played:
    for index in script.ours:
        hand = apply(hand, legal(hand)[index])
    return _settled(rules, hand)


def _admitted(rules: Rules, hand: Hand, script: Script) -> Played:
    for index in script.ours:
        hand = apply(hand, admit(hand, hand.turn, legal(hand)[index]))
    return _settled(rules, hand)


def _settled(rules: Rules, hand: Hand) -> Played:
    over = finish(hand)
    assert over is not None
    return hand, settle(rules, hand, over)


def _play_others(rules: Rules, hands: int) -> None:
    """Other hands at random, whose positions are remembered."""
    rnd = random.Random("others")
    for _ in range(hands):
        lot = lot_of(rnd, rules)
        hand = deal(rules, lot.hands, lot.stock, LEAD)
        while actions := legal(hand):
            hand = apply(hand, rnd.choice(actions))


# By name: what is done, and how.
_OWN: Mapping[str, tuple[str, Play]] = {
    "ours": ("`play_out`, which lists, and refuses what is not listed; settle", _own),
    "stepped": ("`legal`, `apply`, which refuses what is not listed; settle", _stepped),
    "admitted": ("`legal`, `admit`, `apply`, settle: what a seat's move meets", _admitted),
}
