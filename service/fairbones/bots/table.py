"""Where every sealed bone lies, as the seeds cut it: each event is checked against it.

What the hashes bind is checked here as it comes (SPEC 4 and 5). Whether a move was legal and a
score is right, the verifier judges at the end, from the whole transcript.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairbones.bots.lies import Lie
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.cut import client_commitment, cut, cut_key
from fairbones.core.protocol.wash import round_seed, seal, server_seed_hash, wash, wash_root

Told = Mapping[str, Any]


def tile_bytes(text: str) -> bytes:
    """The two bytes of "6-4", low half first (SPEC R1)."""
    high, low = text.split("-")
    return bytes((int(low), int(high)))


class Table:
    """One match as its events told it so far. `see` raises `Lie`; positions are ints."""

    def __init__(self, opened: Event) -> None:
        data: Told = opened.data
        self.match = opened.match
        self.opened_hash = opened.hash
        self.roots = [bytes.fromhex(root) for root in data["washes"]]
        self.server_seed_hash = bytes.fromhex(data["server_seed_hash"])
        self.seats: int = data["seats"]
        self.hand_size: int = data["ruleset"]["hand"]
        most = int(data["ruleset"]["set"])
        self.tiles = [bytes((low, high)) for high in range(most + 1) for low in range(high + 1)]
        self.seated: dict[int, Told] = {}
        self.seated_hash = b""
        self.seeds: dict[int, bytes] = {}
        self.round = 0
        self.seals: list[bytes] = []
        self.held: list[set[int]] = [set() for _ in range(self.seats)]
        self.boneyard: deque[int] = deque()
        self.turn: int | None = None
        self.over = False
        self._see: dict[str, Callable[[Event, Told], None]] = {
            "seated": self._seated,
            "seeded": self._seeded,
            "dealt": self._dealt,
            "played": self._played,
            "drew": self._drew,
            "passed": self._turn_given,
            "declined": self._turn_given,
            "round_ended": self._round_ended,
            "match_ended": self._ended,
            "voided": self._ended,
        }

    def see(self, event: Event) -> None:
        """The next event, in order and without gaps."""
        look = self._see.get(event.type)
        if look is not None:
            look(event, event.data)

    def check_openings(self, seat: int, openings: Iterable[Told]) -> None:
        """A seat's own hand: exactly the positions the cut gave it, each opening its seal."""
        told = list(openings)
        if {opening["seal"] for opening in told} != self.held[seat] or len(told) != len(
            self.held[seat]
        ):
            raise Lie("10.5", f"hand {self.round}: the bones shown are not those of the cut")
        for opening in told:
            self._opens(opening["seal"], opening["salt"], opening["tile"], "10.5")

    def _seated(self, event: Event, data: Told) -> None:
        seat = data["seat"]
        if self.seeds or seat in self.seated or not 0 <= seat < self.seats:
            raise Lie("10.3", f"seat {seat} is taken a second time, or too late")
        chosen = {"client_seed_commitment", "client_seed"} & set(data)
        secrets = [each[name] for each in self.seated.values() for name in chosen if name in each]
        if len(chosen) != 1 or data[min(chosen)] in secrets:
            raise Lie("10.3", f"seat {seat} sits without a commitment of its own")
        self.seated[seat] = data
        self.seated_hash = event.hash

    def _seeded(self, _event: Event, data: Told) -> None:
        seat, seed = data["seat"], bytes.fromhex(data["client_seed"])
        if len(self.seated) < self.seats or seat in self.seeds:
            raise Lie("10.6", f"seat {seat} cannot show a seed here")
        if data["seated_hash"] != self.seated_hash.hex():
            raise Lie("10.6", f"the seed of seat {seat} was shown for another seating")
        committed = self.seated[seat].get("client_seed_commitment")
        if client_commitment(self.opened_hash, seat, b"", seed).hex() != committed:
            raise Lie("10.6", f"the seed of seat {seat} does not open its commitment")
        self.seeds[seat] = seed

    def _dealt(self, _event: Event, data: Told) -> None:
        seeds = self._all_seeds()
        r = data["round"]
        if r != self.round + 1 or r > len(self.roots):
            raise Lie("10.6", f"hand {r} follows hand {self.round}")
        seals = [bytes.fromhex(each) for each in data["seals"]]
        if len(seals) != len(self.tiles) or wash_root(self.match, r, seals) != self.roots[r - 1]:
            raise Lie("10.5", f"hand {r} was washed again: its seals do not hash to its root")
        if data["hand_size"] != self.hand_size:
            raise Lie("10.5", f"hand {r} is dealt with another number of bones")
        dealt = cut(cut_key(self.opened_hash, seeds), r, len(seals), self.seats, self.hand_size)
        self.round, self.seals, self.turn = r, seals, data["lead"]
        self.held = [set(hand) for hand in dealt.hands]
        self.boneyard = deque(dealt.boneyard)

    def _all_seeds(self) -> list[bytes]:
        """Every seat's seed in seat order, with those that sat in the clear (SPEC 5.2)."""
        seeds = dict(self.seeds)
        for seat, data in self.seated.items():
            if "client_seed" in data:
                seeds[seat] = bytes.fromhex(data["client_seed"])
        if len(seeds) != self.seats:
            raise Lie("10.6", "a hand is dealt before every seed is shown")
        return [seeds[seat] for seat in range(self.seats)]

    def _played(self, event: Event, data: Told) -> None:
        seat, position = data["seat"], data["seal"]
        if position not in self.held[seat]:
            raise Lie("10.6", f"event {event.seq}: seat {seat} plays a bone that it does not hold")
        self._opens(position, data["salt"], data["tile"], "10.6")
        self.held[seat].discard(position)
        self._turn_given(event, data)

    def _opens(self, position: int, salt: str, tile: str, obligation: str) -> None:
        opened = seal(self.match, self.round, position, bytes.fromhex(salt), tile_bytes(tile))
        if opened != self.seals[position]:
            text = f"hand {self.round}: the {tile} does not open the seal of position {position}"
            raise Lie(obligation, text)

    def _drew(self, event: Event, data: Told) -> None:
        seat, position = data["seat"], data["seal"]
        if not self.boneyard or self.boneyard.popleft() != position:
            raise Lie("10.6", f"event {event.seq}: seat {seat} draws past the front bone")
        self.held[seat].add(position)

    def _turn_given(self, _event: Event, data: Told) -> None:
        self.turn = (int(data["seat"]) + 1) % self.seats

    def _round_ended(self, _event: Event, data: Told) -> None:
        told = wash(self.match, bytes.fromhex(data["round_seed"]), self.round, self.tiles)
        if told.root != self.roots[self.round - 1]:
            raise Lie("10.6", f"the seed of hand {self.round} is not the one it was washed with")
        self.turn = None

    def _ended(self, _event: Event, data: Told) -> None:
        self.over, self.turn = True, None
        seed = bytes.fromhex(data.get("server_seed", ""))
        if server_seed_hash(self.match, seed) != self.server_seed_hash:
            raise Lie("10.6", "the house's seed is not the one it committed to")
        for r, root in enumerate(self.roots, 1):
            if wash(self.match, round_seed(self.match, seed, r), r, self.tiles).root != root:
                raise Lie("10.6", f"hand {r} was stacked: the house's seed gives another wash")
