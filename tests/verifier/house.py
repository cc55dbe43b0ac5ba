"""A house of our own: it deals, plays at random and signs, written from SPEC alone.

`House` appends events as SPEC 8.2 says. The seats, the seeds and the papers are in opening.py, the
line in bones.py, the points in scoring.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from tests.verifier.bones import Plays, Tile, count_of, ends_of, fitting
from tests.verifier.opening import Opening
from tests.verifier.primitives import BLOCK, heavy, shuffle, written
from tests.verifier.scoring import (
    Over,
    admitted,
    alone,
    points_of,
    sums_of,
    winner_of,
    won,
    worth,
)


class House(Opening):
    """One match. `choose(house, seat)` is asked at every wait and returns "play", "decline" (a play
    where it may not), "timeout", "leave N", "call" (a play where nobody may), "close", "void",
    "stop", or what is to be done instead: a function of the house that says whether the match is at
    its end.
    """

    def __init__(
        self,
        seed: int = 0,
        row: dict[str, Any] = BLOCK,
        seats: int = 2,
        rounds: int = 3,
        clear: tuple[int, ...] = (),
        choose: Callable[[Any, int], Any] = lambda house, seat: "play",
        washes: Callable[[Any], None] = lambda house: None,
        keys: Collection[int] = (),
        **opened: Any,
    ) -> None:
        super().__init__(seed, row, seats, rounds, clear, washes, keys, **opened)
        self.choose = choose
        self.stopped = False
        self.patience = 3  # the idle count that abandons a match
        self.house_forces = opened.get("auto_forced", True)
        game = row["id"] != "lots"
        self.sides: int = 2 if game and row["partners"] else seats
        self.counts = "counting" in row
        self.muggins: bool = row.get("muggins", False)
        self.scores = [0] * self.sides
        self.left: set[int] = set()
        self.idle = [0] * seats
        self.lead = 0
        self.by_tile = not self.draws_lead  # the next hand is led by whoever holds a tile

    def play(self) -> House:
        """From the first seat to the end, or to where `choose` stops it."""
        self.sit()
        self.reveal()
        self.draw_lead()
        for r in range(1, self.rounds + 1):
            self.deal(r)
            if self.play_hand(r):
                break
        return self

    # The deal (SPEC 5.4, R4)

    def tile(self, position: int) -> Tile:
        thing = self.things[self.r - 1][self.orders[self.r - 1][position]]
        return thing[1], thing[0]

    def deal(self, r: int) -> None:
        self.r, h = r, self.row["hand"]
        cut = shuffle(self.K, "cut-map", r, self.n)
        self.hands = [cut[k * h : k * h + h] for k in range(self.seats)]
        self.bone = cut[self.seats * h :]
        self.plays: Plays = []
        self.ends = ends_of([], "")
        self.drawn = False
        self.given: int | None = None
        self.window: int | None = None
        self.missed = 0
        data: dict[str, Any] = {
            "round": r,
            "seals": [seal.hex() for seal in self.seals[r - 1]],
            "hand_size": h,
            "aside": [],
        }
        if self.by_tile:
            held = [(self.tile(p), seat) for seat in range(self.seats) for p in self.hands[seat]]
            doubles = [one for one in held if one[0][0] == one[0][1]]
            must, self.lead = max(doubles or held, key=lambda one: heavy(one[0]))
            data["must_set"] = written(must)
        self.must = data.get("must_set")
        self.turn = self.causer = self.last = self.lead
        self.leader = self.lead
        self.say("dealt", {**data, "lead": self.lead})
        self.wait_from = self.at

    @property
    def line(self) -> list[Tile]:
        return [tile for tile, _ in self.plays]

    # What may be done (SPEC R5 to R7)

    def fits(self, position: int) -> list[str]:
        """The ends a tile fits, in order; [""] for the first tile."""
        tile = self.tile(position)
        if not self.plays and self.must not in (None, written(tile)):
            return []
        return fitting(self.ends, tile, self.counts)

    def playable(self, seat: int) -> list[int]:
        return [p for p in self.hands[seat] if self.fits(p)]

    def can_draw(self) -> bool:
        draws: bool = self.row["drawing"] == "until-fits"
        return draws and len(self.bone) > int(self.row["protected"])

    def giver(self, seat: int) -> int:
        """The seat at the left of another."""
        return (seat + (1 if self.row["direction"] == "clockwise" else -1)) % self.seats

    def actor(self) -> int:
        """The seat to act: the one on turn, or the one that has to give it a tile."""
        giver = self.giver(self.turn)
        exempt = len(self.hands[giver]) == 1 and self.row.get("last_tile_transfer") == "exempt"
        given = not self.row.get("transfer") or self.given is not None or exempt
        return self.turn if given or self.playable(self.turn) else giver

    def over(self) -> str | None:
        if self.row["win_at"] == "at-once" and won(self.row, self.scores) is not None:
            return "target"
        if self.is_out(self.last):
            return "domino"
        if not self.plays:
            return None
        if self.row.get("early_block") and self.used_up():
            return "blocked"
        stuck = not any(self.fits(p) for hand in self.hands for p in hand)
        return "blocked" if stuck and not self.can_draw() else None

    def used_up(self) -> bool:
        """Whether every tile that could be played lies on the line."""
        values = {end.value for end in self.ends if end.open}
        return all(tile in self.line for tile in self.tiles if values & set(tile))

    def is_out(self, seat: int) -> bool:
        side = range(seat % self.sides, self.seats, self.sides)
        seats = side if self.row.get("goes_out") == "side" else [seat]
        return not any(self.hands[one] for one in seats)

    def score(self, position: int, end: str) -> int:
        """SPEC R10: what the seat on turn would score with a tile."""
        ends = ends_of([*self.plays, (self.tile(position), end)], self.row.get("spinner", "none"))
        hand = self.hands[self.turn]
        self.hands[self.turn] = [p for p in hand if p != position]
        out = self.is_out(self.turn) and self.row.get("out_points", 0)
        self.hands[self.turn] = hand
        return worth(self.row, count_of(ends)) + int(out)

    def admitted(self, seat: int, points: int) -> int:
        return admitted(self.row, self.scores[seat % self.sides], points)

    # Moves

    def fixed(self, later: int | None = 0, own: bool = False) -> None:
        """The move of the fixed rule, or the forced one, for the seat to act; `own`: by it."""
        playable, actor = self.playable(self.turn), self.actor()
        by = self.turn if own and not self.house_forces else None
        if actor != self.turn:
            self.give(max(self.hands[actor], key=lambda p: heavy(self.tile(p))), later, own)
        elif playable:
            best = max(playable, key=lambda p: heavy(self.tile(p)))
            self.put(best, self.fits(best)[0], later, own=own)
        elif self.can_draw():
            self.say("drew", {"seat": self.turn, "seal": self.bone[0]}, later, by)
            self.hands[self.turn].append(self.bone.pop(0))
            self.drawn = True
            self.moved(None)
        else:
            self.say("passed", {"seat": self.turn}, later, by)
            self.next()
            self.moved(None)

    def next(self) -> None:
        after = [(self.turn + k) % self.seats for k in range(1, self.seats + 1)]
        self.turn = next((seat for seat in after if self.hands[seat]), after[0])
        self.drawn, self.given = False, None

    def moved(self, window: int | None) -> None:
        self.wait_from, self.window = self.at, window

    def give(self, position: int, later: int | None, own: bool = False) -> None:
        giver = self.giver(self.turn)
        data = {"seat": giver, "to": self.turn, "seal": position}
        self.say("gave", data, later, giver if own else None)
        self.hands[giver].remove(position)
        self.hands[self.turn].append(position)
        self.given, self.last = position, giver
        self.moved(None)

    def put(
        self,
        position: int,
        end: str,
        later: int | None,
        claim: int | None = None,
        own: bool = False,
    ) -> None:
        """A play; with muggins it claims all that it scores, or what is given."""
        seat, score = self.turn, self.score(position, end)
        data: dict[str, Any] = {
            "seat": seat,
            "tile": written(self.tile(position)),
            "seal": position,
            "salt": self.salts[self.r - 1][position].hex(),
        }
        earned = score
        if self.muggins:
            earned = score if claim is None else claim
            data |= {"claim": earned} if earned else {}
        points = self.admitted(seat, earned)
        data |= {"points": points} if points else {}
        data |= {"end": end} if end else {}
        self.say("played", data, later, seat if own else None)
        self.hands[seat].remove(position)
        self.plays.append((self.tile(position), end))
        self.ends = ends_of(self.plays, self.row.get("spinner", "none"))
        self.causer = self.last = seat
        self.scores[seat % self.sides] += points
        self.missed = score - earned
        self.next()
        self.moved(seat if self.muggins else None)

    def callers(self) -> list[int]:
        """The seats whose call would be taken (SPEC R10)."""
        if self.window is None or not self.missed:
            return []
        own = self.window % self.sides
        seats = [seat for seat in range(self.seats) if seat % self.sides != own]
        return [s for s in seats if s not in self.left and self.admitted(s, self.missed)]

    def call(self, seat: int, later: int | None) -> None:
        points = self.admitted(seat, self.missed)
        self.say("called", {"seat": seat, "points": points}, later, seat)
        self.scores[seat % self.sides] += points
        self.missed = 0

    # The course of a hand (SPEC 8.2 to 8.8)

    def play_hand(self, r: int) -> bool:
        """Play hand r to its end. True when no other follows."""
        while True:
            over, seat = self.over(), self.actor()
            if over:
                return self.settle(over)
            if min(self.idle) >= self.patience:
                return self.settle("abandoned")
            able = bool(self.playable(self.turn)) or seat != self.turn
            owes = seat in self.left or (not able and self.house_forces)
            if owes and self.window is None:
                self.idle[seat] += seat in self.left
                self.fixed()
            elif self.wait(seat, owes):
                return True

    def wait(self, seat: int, owes: bool) -> bool:
        """The match waits for a seat that may choose; `owes`: only for the time of 8.8, and then
        the house makes its step. True when the match is at its end.
        """
        what = self.choose(self, seat)
        if callable(what):
            return bool(what(self))
        window = 0 if self.window is None else 1_000 * self.row["call_seconds"]
        deadline = max(window, 1_000 if self.idle[seat] >= 3 else 30_000)
        gone = self.at - self.wait_from
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
            self.say("left", {"seat": who}, self.rng.randint(0, 100), who)
            self.left.add(who)
            return False
        if what == "call" and self.callers() and gone <= deadline:
            self.call(self.rng.choice(self.callers()), self.rng.randint(0, deadline - gone))
            return False
        if owes:
            self.idle[seat] += seat in self.left
            self.fixed(max(0, window - gone) + self.rng.randint(0, 500))
        elif what == "timeout" or gone > deadline:
            later = max(0, deadline - gone) + self.rng.randint(0, 500)
            self.say("timed_out", {"seat": seat}, later)
            self.idle[seat] += 1
            self.fixed()
        else:
            self.act(seat, what, self.rng.randint(0, deadline - min(deadline, max(700, gone))))
        return False

    def act(self, seat: int, what: str, later: int) -> None:
        """A seat's own move."""
        playable = self.playable(self.turn)
        self.idle[seat] = 0
        if seat != self.turn:
            self.give(self.rng.choice(self.hands[seat]), later, own=True)
        elif what == "decline" and playable and self.drawn and self.row["drawn_tile"] == "may-play":
            self.say("declined", {"seat": seat}, later, seat)
            self.next()
            self.moved(None)
        elif playable:
            position = self.rng.choice(playable)
            end = self.rng.choice(self.fits(position))
            score = self.score(position, end) if self.muggins else 0
            claim = (
                self.rng.choice([score, score, 0, self.rng.randint(0, score)]) if score else None
            )
            self.put(position, end, later, claim, own=True)
        else:
            self.fixed(later, own=True)

    # The end of a hand (SPEC R8, R9)

    def settle(self, reason: str) -> bool:
        hands = [[self.tile(p) for p in hand] for hand in self.hands]
        seat = self.causer if reason == "blocked" else self.last
        over = Over(reason, seat, self.leader, hands, list(self.scores))
        winner, points = self.result(reason, sums_of(over))
        self.scores = [a + b for a, b in zip(self.scores, points, strict=True)]
        data: dict[str, Any] = {"round": self.r, "reason": reason}
        data["counts"] = [sum(map(sum, hand)) for hand in hands]
        if winner is not None:
            data["winner"] = winner
        data |= {
            "points": points,
            "scores": list(self.scores),
            "round_seed": self.R[self.r - 1].hex(),
        }
        self.say("round_ended", data)
        self.lead_after(over, winner)
        if reason == "abandoned":
            why = "abandoned"
        elif won(self.row, self.scores) is not None:
            why = "target"
        elif self.r == self.rounds:
            why = "rounds"
        else:
            return False
        end: dict[str, Any] = {"reason": why, "scores": self.scores, "server_seed": self.S.hex()}
        best = alone(self.row, self.scores)
        if best is not None:
            end["winner"] = best
        self.say("match_ended", end)
        return True

    def result(self, reason: str, sums: list[int]) -> tuple[int | None, list[int]]:
        """Winner and points. A house that pays whom it likes says otherwise."""
        hands = [[self.tile(p) for p in hand] for hand in self.hands]
        seat = self.causer if reason == "blocked" else self.last
        over = Over(reason, seat, self.leader, hands, self.scores)
        winner = winner_of(self.row, over)
        return winner, points_of(self.row, over, winner)

    def lead_after(self, over: Over, winner: int | None) -> None:
        """SPEC R4, later hands: who leads next, or that the new tiles will tell."""
        kind, self.by_tile = self.row["next_lead"], False
        if kind == "highest-double":
            self.by_tile = True
        elif kind == "rotate":
            self.lead = (self.leader + 1) % self.seats
        elif kind == "same":
            self.lead = self.leader
        elif winner is not None:
            around = [(over.seat + k) % self.seats for k in range(self.seats)]
            self.lead = next(seat for seat in around if seat % self.sides == winner)
        elif self.row.get("no_winner_lead") == "first-lead":
            self.by_tile = not self.draws_lead
            self.lead = self.first_drawn if self.draws_lead else self.leader
        else:
            self.lead = self.leader
