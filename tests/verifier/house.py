"""A house of our own: it deals, plays at random and signs, written from SPEC alone.

`House` appends events as SPEC 8.2 says; `forged` changes some and seals the chain again, so that a
forgery is wrong in one thing only.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.verifier.primitives import (
    BLOCK,
    MAC,
    SIGNER,
    TILES,
    Event,
    H,
    event_hash,
    heavy,
    rechained,
    sealed,
    shuffle,
    u32,
    written,
)


class House:
    """One match. `choose(house, seat)` is asked at every wait and returns "play", "decline" (a play
    where it may not), "timeout", "leave N", "close", "void", "stop", or what is to be done instead:
    a function of the house that says whether the match is at its end.
    """

    def __init__(
        self,
        seed: int = 0,
        row: dict[str, Any] = BLOCK,
        seats: int = 2,
        rounds: int = 3,
        clear: tuple[int, ...] = (),
        choose: Callable[[House, int], Any] = lambda house, seat: "play",
        washes: Callable[[House], None] = lambda house: None,
        **opened: Any,
    ) -> None:
        self.rng = random.Random(seed)
        self.row, self.seats, self.rounds, self.clear = dict(row), seats, rounds, clear
        self.choose = choose
        self.S, self.match = self.rng.randbytes(32), self.rng.randbytes(16).hex()
        self.events: list[Event] = []
        self.at = 1_790_000_000_000
        self.stopped = False
        self.patience = 3  # the idle count that abandons a match
        self.house_forces = opened.get("auto_forced", True)
        game = row["id"] != "lots"
        self.sides: int = 2 if game and row["partners"] else seats
        self.scores = [0] * self.sides
        self.left: set[int] = set()
        self.idle = [0] * seats
        self.seeds = [self.rng.randbytes(32) for _ in range(seats)]
        mid = bytes.fromhex(self.match)
        count = rounds if game else int(row["kind"] == "order")
        self.things = [[bytes(t[::-1]) for t in TILES] for _ in range(count)]
        if not game and count:
            self.things = [[u32(i) for i in range(row["n"])]]
        self.R = [MAC(self.S, "round-seed", mid, u32(r + 1)) for r in range(count)]
        self.orders = [
            shuffle(self.R[r], "wash-order", r + 1, len(self.things[r])) for r in range(count)
        ]
        washes(self)  # a house that lies about its washes does it here
        self.salts = [
            [MAC(seed, "salt", u32(i)) for i in range(len(order))]
            for seed, order in zip(self.R, self.orders, strict=True)
        ]
        self.seals = [
            [
                H("seal", mid, u32(r + 1), u32(i), self.salts[r][i], self.things[r][thing])
                for i, thing in enumerate(self.orders[r])
            ]
            for r in range(count)
        ]
        roots = [
            H("wash-root", mid, u32(r + 1), b"".join(seals)).hex()
            for r, seals in enumerate(self.seals)
        ]
        self.opened = {
            "protocol": "fairbones/1",
            "entropy": ["house", "seats"],
            "ruleset": self.row,
            "seats": seats,
            "rounds_max": rounds,
            "server_seed_hash": H("server-seed", mid, self.S).hex(),
            "washes": roots,
            "key_id": SIGNER.id,
            "auto_forced": True,
            "clear_seeds": bool(clear),
            "reserved": [],
            "join_seconds": 600,
            "reveal_seconds": 60,
            "turn_seconds": 30,
            "close_by": self.at + 604_800_000,
            **opened,
        }
        self.say("opened", self.opened)

    # Saying things

    def say(self, kind: str, data: dict[str, Any], later: int | None = 0) -> Event:
        """Append an event, `later` ms after the last one; None: a random while."""
        self.at += self.rng.randint(0, 4_000) if later is None else later
        prev = event_hash(self.events[-1]).hex() if self.events else "0" * 64
        event = {
            "match": self.match,
            "seq": len(self.events),
            "prev": prev,
            "at": self.at,
            "type": kind,
            "data": data,
        }
        self.events.append(event)
        return event

    # The course of a match

    def play(self) -> House:
        """From the first seat to the end, or to where `choose` stops it."""
        self.sit()
        self.reveal()
        for r in range(1, self.rounds + 1):
            self.deal(r)
            if self.play_hand(r):
                break
        return self

    def sit(self, *seats: int) -> None:
        opened = event_hash(self.events[0])
        for seat in seats or self.rng.sample(range(self.seats), self.seats):
            data: dict[str, Any] = {"seat": seat}
            if seat in self.clear:
                data["client_seed"] = self.seeds[seat].hex()
            else:
                hashed = H("client-seed", opened, u32(seat), b"", self.seeds[seat])
                data["client_seed_commitment"] = hashed.hex()
            if self.rng.random() < 0.5:
                data["name"] = f"seat_{seat}"
            self.say("seated", data, None)

    def reveal(self, *seats: int) -> None:
        seated = event_hash(self.events[-1]).hex()
        order = seats or self.rng.sample(range(self.seats), self.seats)
        for seat in order:
            if seat not in self.clear:
                data = {"seat": seat, "client_seed": self.seeds[seat].hex(), "seated_hash": seated}
                self.say("seeded", data, None)
        self.K = H("cut-key", event_hash(self.events[0]), *self.seeds)

    def tile(self, position: int) -> tuple[int, int]:
        thing = self.things[self.r - 1][self.orders[self.r - 1][position]]
        return thing[1], thing[0]

    def deal(self, r: int) -> None:
        self.r, h = r, self.row["hand"]
        cut = shuffle(self.K, "cut-map", r, 28)
        self.hands = [cut[k * h : k * h + h] for k in range(self.seats)]
        self.bone = cut[self.seats * h :]
        self.line: list[tuple[int, int]] = []
        self.ends = [-1, -1]
        self.drawn = False
        data: dict[str, Any] = {
            "round": r,
            "seals": [seal.hex() for seal in self.seals[r - 1]],
            "hand_size": h,
            "aside": [],
        }
        if r == 1:
            held = [(self.tile(p), seat) for seat in range(self.seats) for p in self.hands[seat]]
            doubles = [one for one in held if one[0][0] == one[0][1]]
            must, self.lead = max(doubles or held, key=lambda one: heavy(one[0]))
            data["must_set"] = written(must)
        self.must = data.get("must_set")
        self.turn = self.causer = self.lead
        self.say("dealt", {**data, "lead": self.lead})

    def fits(self, position: int) -> list[str]:
        """The ends a tile fits, in order; [""] for the first tile."""
        tile = self.tile(position)
        if not self.line:
            return [""] if self.must in (None, written(tile)) else []
        ends = ["left"] if self.ends[0] in tile else []
        return ends + ["right"] * (self.ends[1] in tile and self.ends[0] != self.ends[1])

    def can_draw(self) -> bool:
        draws: bool = self.row["drawing"] == "until-fits"
        return draws and len(self.bone) > int(self.row["protected"])

    def over(self) -> str | None:
        if self.line and not self.hands[self.causer]:
            return "domino"
        stuck = not any(self.fits(p) for hand in self.hands for p in hand)
        return "blocked" if self.line and stuck and not self.can_draw() else None

    def fixed(self, later: int | None = 0) -> None:
        """The move of the fixed rule, or the forced one, for the seat on turn."""
        playable = [p for p in self.hands[self.turn] if self.fits(p)]
        if playable:
            best = max(playable, key=lambda p: heavy(self.tile(p)))
            self.put(best, self.fits(best)[0], later)
        elif self.can_draw():
            self.say("drew", {"seat": self.turn, "seal": self.bone[0]}, later)
            self.hands[self.turn].append(self.bone.pop(0))
            self.drawn = True
        else:
            self.say("passed", {"seat": self.turn}, later)
            self.next()

    def next(self) -> None:
        self.turn, self.drawn = (self.turn + 1) % self.seats, False

    def put(self, position: int, end: str, later: int | None) -> None:
        tile = self.tile(position)
        data: dict[str, Any] = {
            "seat": self.turn,
            "tile": written(tile),
            "seal": position,
            "salt": self.salts[self.r - 1][position].hex(),
        }
        if end:
            data["end"] = end
            which = end == "right"
            self.ends[which] = tile[0] + tile[1] - self.ends[which]
        else:
            self.ends = list(tile)
        self.say("played", data, later)
        self.hands[self.turn].remove(position)
        self.line.append(tile)
        self.causer = self.turn
        self.next()

    def play_hand(self, r: int) -> bool:
        """Play hand r to its end. True when no other follows."""
        while True:
            over, seat = self.over(), self.turn
            if over:
                return self.settle(over)
            if min(self.idle) >= self.patience:
                return self.settle("abandoned")
            playable = [p for p in self.hands[seat] if self.fits(p)]
            if seat in self.left:
                self.idle[seat] += 1
                self.fixed()
                continue
            if not playable and self.house_forces:
                self.fixed()
                continue
            if self.wait(seat, playable):
                return True

    def wait(self, seat: int, playable: list[int]) -> bool:
        """The match waits for a seat with a choice. True when the match is at its end."""
        what = self.choose(self, seat)
        if callable(what):
            return bool(what(self))
        deadline = 1_000 if self.idle[seat] >= 3 else 30_000
        if what == "stop":
            self.stopped = True
            return True
        if what == "void":
            self.say("voided", {"reason": "house", "server_seed": self.S.hex()}, None)
            return True
        if what == "close":
            self.at = self.events[0]["data"]["close_by"] + 1
            return self.settle("abandoned")
        if what.startswith("leave"):
            who = int(what.split()[1])
            self.say("left", {"seat": who}, self.rng.randint(0, 100))
            self.left.add(who)
            return False
        if what == "timeout":
            self.say("timed_out", {"seat": seat}, deadline + self.rng.randint(0, 500))
            self.idle[seat] += 1
            self.fixed()
            return False
        self.idle[seat] = 0
        later = self.rng.randint(0, deadline - 700)
        if what == "decline" and playable and self.drawn and self.row["drawn_tile"] == "may-play":
            self.say("declined", {"seat": seat}, later)
            self.next()
        elif playable:
            position = self.rng.choice(playable)
            self.put(position, self.rng.choice(self.fits(position)), later)
        else:
            self.fixed(later)
        return False

    # The end of a hand

    def settle(self, reason: str) -> bool:
        counts = [sum(sum(self.tile(p)) for p in hand) for hand in self.hands]
        sums = [sum(counts[side :: self.sides]) for side in range(self.sides)]
        winner, points = self.result(reason, sums)
        self.scores = [a + b for a, b in zip(self.scores, points, strict=True)]
        data: dict[str, Any] = {"round": self.r, "reason": reason, "counts": counts}
        if winner is not None:
            data["winner"] = winner
            self.lead = next(
                seat
                for k in range(self.seats)
                if (seat := (self.causer + k) % self.seats) % self.sides == winner
            )
        data |= {"points": points, "scores": self.scores, "round_seed": self.R[self.r - 1].hex()}
        self.say("round_ended", data)
        best = [side for side in range(self.sides) if self.scores[side] == max(self.scores)]
        if reason == "abandoned":
            why = "abandoned"
        elif max(self.scores) >= self.row["target"] and len(best) == 1:
            why = "target"
        elif self.r == self.rounds:
            why = "rounds"
        else:
            return False
        end: dict[str, Any] = {"reason": why, "scores": self.scores, "server_seed": self.S.hex()}
        if len(best) == 1:
            end["winner"] = best[0]
        self.say("match_ended", end)
        return True

    def result(self, reason: str, sums: list[int]) -> tuple[int | None, list[int]]:
        points, tie, sides = [0] * self.sides, self.row["tie"], self.sides
        level = [side for side in range(sides) if sums[side] == min(sums)]
        if reason == "abandoned":
            return None, points
        around = [(self.lead + k) % self.seats % sides for k in range(self.seats)]
        if reason == "domino":
            winner = self.causer % sides
        elif len(level) == 1:
            winner = level[0]
        elif tie == "causer" and self.causer % sides in level:
            winner = self.causer % sides
        elif tie in ("starter", "causer"):
            winner = next(side for side in around if side in level)
        elif tie == "lightest-tile":
            held = [
                (sum(self.tile(p)), self.tile(p)[1], seat % sides)
                for seat in range(self.seats)
                for p in self.hands[seat]
                if seat % sides in level
            ]
            winner = min(held)[2]
        else:
            if tie == "split":
                rest = sum(sums) - sum(sums[side] for side in level)
                for side in level:
                    points[side] = rest // len(level)
            return None, points
        others = [sums[side] for side in range(sides) if side != winner]
        if self.row["score"] == "total":
            points[winner] = sum(others)
        elif self.row["difference_mode"] == "once":
            points[winner] = max(0, sum(others) - sums[winner])
        else:
            points[winner] = sum(max(0, other - sums[winner]) for other in others)
        return winner, points

    # What goes out

    def transcript(self) -> bytes:
        return sealed(self.events)

    def forged(self, *changes: Callable[[list[Event]], object]) -> bytes:
        """The transcript after changes to its events, chained and signed again."""
        events = copy.deepcopy(self.events)
        for change in changes:
            change(events)
        return sealed(rechained(events, self.events))

    def index(self, kind: str, nth: int = 0) -> int:
        """The place of the nth event of a type; -1 is the last."""
        return [i for i, event in enumerate(self.events) if event["type"] == kind][nth]
