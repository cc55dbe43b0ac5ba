"""The lab deals what the service deals, and a planted fault stays where it was planted."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from fairbones.core.match.dealing import deal_round, draw_lead
from fairbones.core.protocol import cut, wash
from fairbones.core.protocol.draws import draw_numbers
from fairbones.core.protocol.encoding import Tag, u32
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import round_seed
from fairbones.core.rules import drawn_lead
from tests.forge.house import House as Service
from tests.forge.house import Setup
from tests.lab.__main__ import MAIN, OTHERS
from tests.lab.dealing import HANDS, LOT, NUMBERS, House, Table, twins
from tests.lab.faults import FAULTS, HOUSES, NaiveSwap, Reference
from tests.lab.tally import drawn


@pytest.mark.parametrize("table", [MAIN, *OTHERS], ids=str)
def test_the_lab_deals_as_the_service_does(table: Table, seed: random.Random) -> None:
    """SPEC 4, 5: from the same seeds the same hands, the same boneyard, the same lead draw."""
    setup = Setup(
        table.ruleset,
        table.seats,
        {"set": table.set},
        rounds_max=HANDS,
        phrase=str(seed.random()),
    )
    state = Service(setup).start().state

    class Same(House):
        def key(self, opened_hash: bytes, seeds: Sequence[bytes]) -> bytes:
            return state.cut_key

    match = Same().match(table, state.terms.match, state.secret, [])
    for r, deal in enumerate(match.deals, 1):
        # Only the seeds and the number of a hand decide what is dealt, not how the last was played.
        dealt = deal_round(replace(state, rounds=r - 1, before=None))
        assert list(deal.order) == list(dealt.wash.order)
        positions = [p for part in (*dealt.cut.hands, dealt.cut.boneyard) for p in part]
        assert list(deal.map) == positions
        assert list(deal.tiles) == [dealt.wash.order[p] for p in positions]
    if table.rules.draws_for_lead:
        assert drawn_lead(match.drawn) == draw_lead(state)[1]
    else:
        assert match.drawn == []


def test_draws_are_those_of_the_text(seed: random.Random) -> None:
    """SPEC 11.2, 11.3."""
    match, server, key = seed.randbytes(16), seed.randbytes(32), seed.randbytes(32)

    class Same(House):
        def key(self, opened_hash: bytes, seeds: Sequence[bytes]) -> bytes:
            return key

    lots = Same().lots(match, server, [])
    washed = wash.wash(match, round_seed(match, server, 1), 1, [u32(it) for it in range(LOT)])
    positions = shuffle(key, Tag.CUT_MAP, 1, LOT)
    assert lots.order == [washed.order[p] for p in positions]
    assert lots.numbers == {n: draw_numbers(server, key, n, many) for n, many in NUMBERS.items()}


def test_matches_are_the_same_again_and_no_other(seed: random.Random) -> None:
    """A phrase gives the same deals; each match has seeds of its own but for the twins'."""
    phrase = str(seed.random())
    first, again = ([*twins(House(), MAIN, phrase, 3)] for _ in range(2))
    assert first == again
    orders = {tuple(deal.order) for one, two, _ in first for it in (one, two) for deal in it.deals}
    cuts = {tuple(deal.map) for one, two, _ in first for it in (one, two) for deal in it.deals}
    assert len(orders) == len(cuts) == 3 * 2 * HANDS


@pytest.mark.parametrize("fault", [*FAULTS, Reference], ids=lambda it: it.name)
def test_a_fault_deals_whole_sets_and_leaves_no_trace(
    fault: type[House], seed: random.Random
) -> None:
    """Whatever is wrong, every tile is dealt once; and afterwards the service is as it was."""
    for one, two, lots in twins(fault(), MAIN, str(seed.random()), 4):
        for deal in (*one.deals, *two.deals):
            for things in deal:
                assert sorted(things) == list(range(28))
        assert sorted(lots.order) == list(range(LOT))
    assert vars(wash)["shuffle"] is vars(cut)["shuffle"] is shuffle
    assert len(wash.salt(bytes(32), 0)) == 32


def test_a_fault_is_at_work_in_wash_and_cut(seed: random.Random) -> None:
    """Planted in the service's own modules; out of the same seeds other deals come."""
    phrase = str(seed.random())
    ((honest, _, _),) = twins(House(), MAIN, phrase, 1)
    ((naive, _, _),) = twins(NaiveSwap(), MAIN, phrase, 1)
    assert honest.deals[0].order != naive.deals[0].order
    assert honest.deals[0].map != naive.deals[0].map


def test_what_a_shuffle_drew_is_found(seed: random.Random) -> None:
    """SPEC 3: the draws that are found make the same list again."""
    things = shuffle(seed.randbytes(32), Tag.CUT_MAP, 1, 28)
    made = list(range(28))
    for i, j in reversed([*enumerate(drawn(things))][1:]):
        made[i], made[j] = made[j], made[i]
    assert made == things


def test_houses_have_names_of_their_own() -> None:
    assert len(HOUSES) == len(FAULTS) + 2
