"""Where every sealed bone lies, as the seeds cut it: each event is checked against it.

What the hashes bind is checked here as it comes (SPEC 4 and 5). Whether a move was legal and a
score is right, the verifier judges at the end, from the whole transcript.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from fairbones.bots.counting import Count
from fairbones.bots.lies import Lie
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.cut import client_commitment, cut, cut_key
from fairbones.core.protocol.wash import round_seed, seal, server_seed_hash, wash, wash_root

Told = Mapping[str, Any]


def heavier(thing: bytes) -> tuple[int, int]:
    """Which of two tiles is heavier: more pips, then the higher high half (SPEC R1)."""
    return sum(thing), max(thing)


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
        self.lead_root = bytes.fromhex(data["lead_wash"]) if "lead_wash" in data else None
        self.seats: int = data["seats"]
        row: Told = data["ruleset"]
        self.hand_size: int = row["hand"]
        self.count = Count(row["spinner"]) if row.get("muggins") is True else None
        self.transfer = row.get("transfer") is True
        self.partners = row.get("partners") is True
        self.left_of = 1 if row.get("direction") == "clockwise" else -1
        most = int(row["set"])
        self.tiles = [bytes((low, high)) for high in range(most + 1) for low in range(high + 1)]
        self.seated: dict[int, Told] = {}
        self.seated_hash = b""
        self.seeds: dict[int, bytes] = {}
        self.round = 0
        self.seals: list[bytes] = []
        self.held: list[set[int]] = [set() for _ in range(self.seats)]
        self.boneyard: deque[int] = deque()
        self.turn: int | None = None  # the seat on turn; another may have to give it a tile
        self.given = False  # whether it was given one in this turn
        self.drawn_lead: int | None = None
        self.missed = 0  # what the last play scored and did not claim
        self.last: int | None = None  # who played it, while others may call
        self.over = False
        self._see: dict[str, Callable[[Event, Told], None]] = {
            "seated": self._seated,
            "seeded": self._seeded,
            "lead_drawn": self._lead_drawn,
            "dealt": self._dealt,
            "played": self._played,
            "drew": self._drew,
            "passed": self._turn_given,
            "declined": self._turn_given,
            "gave": self._gave,
            "called": self._called,
            "round_ended": self._round_ended,
            "match_ended": self._ended,
            "voided": self._ended,
        }

    def see(self, event: Event) -> None:
        """The next event, in order and without gaps."""
        look = self._see.get(event.type)
        if look is not None:
            look(event, event.data)

    def concerns(self, seat: int) -> bool:
        """Whether a seat may have something to do: only its own view says what."""
        if self.turn is None or seat == self.turn:
            return self.turn is not None
        if self.transfer and not self.given and seat == (self.turn + self.left_of) % self.seats:
            return True
        return bool(self.missed) and self.last is not None and not self._together(seat, self.last)

    def _together(self, one: int, other: int) -> bool:
        """Whether two seats are of one side (SPEC R2)."""
        return one == other or (self.partners and (one - other) % 2 == 0)

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
        key = bytes.fromhex(self.seated[seat].get("public_key", ""))
        committed = self.seated[seat].get("client_seed_commitment")
        if client_commitment(self.opened_hash, seat, key, seed).hex() != committed:
            raise Lie("10.6", f"the seed of seat {seat} does not open its commitment")
        self.seeds[seat] = seed

    def _lead_drawn(self, event: Event, data: Told) -> None:
        """The whole wash is opened at once, so nothing about it is left to believe (SPEC 4.5)."""
        seals = [bytes.fromhex(each) for each in data["seals"]]
        if self.lead_root is None or self.drawn_lead is not None or self.round:
            raise Lie("10.6", f"event {event.seq}: there is no lead to draw")
        told = wash(self.match, bytes.fromhex(data["round_seed"]), 0, self.tiles)
        if told.root != self.lead_root or list(told.seals) != seals:
            raise Lie("10.5", "the lead draw was washed again: it has not the root it had")
        key = cut_key(self.opened_hash, self._all_seeds())
        drawn = cut(key, 0, len(seals), self.seats, 1).hands
        tiles = [self.tiles[told.order[position]] for (position,) in drawn]
        if data["lead"] != tiles.index(max(tiles, key=heavier)):
            raise Lie("10.5", f"seat {data['lead']} did not draw the heaviest bone for the lead")
        self.drawn_lead = data["lead"]

    def _dealt(self, _event: Event, data: Told) -> None:
        seeds = self._all_seeds()
        r = data["round"]
        if r != self.round + 1 or r > len(self.roots):
            raise Lie("10.6", f"hand {r} follows hand {self.round}")
        if self.lead_root is not None and self.drawn_lead is None:
            raise Lie("10.6", "the lead was not drawn before the first hand")
        seals = [bytes.fromhex(each) for each in data["seals"]]
        if len(seals) != len(self.tiles) or wash_root(self.match, r, seals) != self.roots[r - 1]:
            raise Lie("10.5", f"hand {r} was washed again: its seals do not hash to its root")
        if data["hand_size"] != self.hand_size:
            raise Lie("10.5", f"hand {r} is dealt with another number of bones")
        if r == 1 and self.drawn_lead not in (None, data["lead"]):
            raise Lie("10.5", f"seat {data['lead']} leads, and seat {self.drawn_lead} drew for it")
        dealt = cut(cut_key(self.opened_hash, seeds), r, len(seals), self.seats, self.hand_size)
        self.round, self.seals, self.turn = r, seals, data["lead"]
        self.given, self.missed, self.last = False, 0, None
        self.held = [set(hand) for hand in dealt.hands]
        self.boneyard = deque(dealt.boneyard)
        if self.count is not None:
            self.count.clear()

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
        if self.count is not None:
            score = self.count.play(data["tile"], data.get("end"))
            self.missed, self.last = score - data.get("claim", 0), seat

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
        self.missed, self.last = 0, None

    def _gave(self, event: Event, data: Told) -> None:
        """What was given, its receiver finds among its own bones, where its seal is opened."""
        seat, to, position = data["seat"], data["to"], data["seal"]
        if position not in self.held[seat] or to != self.turn or self.given:
            raise Lie("10.6", f"event {event.seq}: seat {seat} gives what it may not")
        self.held[seat].discard(position)
        self.held[to].add(position)
        self.given = True

    def _called(self, _event: Event, _data: Told) -> None:
        self.missed = 0

    def _turn_given(self, _event: Event, data: Told) -> None:
        """To the next seat that holds a bone (SPEC R6)."""
        after = [(int(data["seat"]) + step) % self.seats for step in range(1, self.seats + 1)]
        self.turn = next((seat for seat in after if self.held[seat]), after[0])
        self.given, self.missed, self.last = False, 0, None

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
