"""Somebody who holds no seat: tells a match from its public events alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from fairbones.core.protocol.cut import cut, cut_key
from fairbones.demo.line import Bone, Line, box
from fairbones.demo.screen import Screen

Json = Mapping[str, Any]

_NO_OPTIONS: Json = MappingProxyType({})


class Spectator:
    """Feed it the events with their hashes, in order; `over` when nothing follows."""

    def __init__(self, screen: Screen, draw: Callable[[Bone], str] = box) -> None:
        self._screen = screen
        self._draw = draw
        self._opened: Json = {}
        self._opened_hash = b""
        self._names: dict[int, str] = {}
        self._seeds: dict[int, bytes] = {}
        self._line = Line()
        self._bones: Counter[int] = Counter()
        self._boneyard = 0
        self._scored: Counter[int] = Counter()  # in this hand, before its end, by side
        self._done: dict[str, Counter[int]] = {}  # in this hand, what is no play, by seat
        self._placed = 0  # the seat that has put down the last bone
        self._head = ""
        self._last = ""
        self.over = False
        self.void = ""
        self._tell: dict[str, Callable[[Json], None]] = {
            "seated": self._seated,
            "seeded": self._seeded,
            "lead_drawn": self._lead_drawn,
            "dealt": self._dealt,
            "played": self._played,
            "drew": self._drew,
            "gave": self._gave,
            "called": self._called,
            "passed": self._passed,
            "declined": self._declined,
            "timed_out": self._timed_out,
            "left": self._left,
            "round_ended": self._round_ended,
            "match_ended": self._match_ended,
            "voided": self._voided,
        }

    def see_opened(self, data: Json, opened_hash: bytes, options: Json = _NO_OPTIONS) -> None:
        """The first event: what the house has bound itself to; `options` were asked for."""
        self._opened, self._opened_hash = data, opened_hash
        row, screen = data["ruleset"], self._screen
        goal = f"first to {row['target']}"
        if row.get("better") == "low":
            goal = f"until a side has {row['target']} and the lowest score wins"
        asked = "".join(f"; {name} {json.dumps(value)}" for name, value in options.items())
        screen.say(
            f"A match of {row['id']} for {data['seats']}, {goal}{asked}. The house has "
            f"washed {len(data['washes'])} hands and sealed every bone, before anybody sits down:"
        )
        screen.row("seed's hash", data["server_seed_hash"])
        for hand, root in enumerate(data["washes"][:2], 1):
            screen.row(f"hand {hand}", root)
        screen.row("...")

    def see(self, event: Json) -> None:
        """The next event."""
        tell = self._tell.get(event["type"])
        if tell is not None:
            tell(event["data"])

    def name(self, seat: int) -> str:
        return self._names.get(seat, f"seat {seat}")

    def _label(self, seat: int) -> str:
        return f"seat {seat} {self.name(seat)}"

    def _seated(self, data: Json) -> None:
        if not self._names:
            self._screen.title("2  The players sit down")
            self._screen.say(
                "Each throws 32 random bytes, its seed, and shows no more than their hash:"
            )
        seat = data["seat"]
        self._names[seat] = data.get("name", f"seat {seat}")
        hidden = data.get("client_seed_commitment") or data["client_seed"]
        self._screen.row(self._label(seat), hidden)
        self._screen.pause(0.15)

    def _seeded(self, data: Json) -> None:
        if not self._seeds:
            self._screen.title("3  The players cut")
            self._screen.say(
                "Each has checked that its seat stands there as it was sent, and that the house "
                "has signed for all seats. Now they show their seeds:"
            )
        seat = data["seat"]
        self._seeds[seat] = bytes.fromhex(data["client_seed"])
        self._screen.row(self._label(seat), data["client_seed"])
        self._screen.pause(0.15)

    def _lead_drawn(self, data: Json) -> None:
        self._screen.say(
            f"Each has drawn a bone for the lead; {self.name(data['lead'])} has the heaviest."
        )

    def _dealt(self, data: Json) -> None:
        seals, size = len(data["seals"]), data["hand_size"]
        seats = int(self._opened["seats"])
        if data["round"] == 1:
            self._show_cut(seals, size)
            self._screen.title("4  The match")
        self._line = Line()
        self._bones = Counter(dict.fromkeys(range(seats), size))
        self._boneyard = seals - seats * size
        self._scored.clear()
        self._done = {"drawn": Counter(), "passed": Counter(), "declined": Counter()}
        self._done["given"] = Counter()
        self._head, self._last = f"Hand {data['round']}: {self.name(data['lead'])} leads", ""

    def _show_cut(self, seals: int, size: int) -> None:
        """Anyone can compute the cut; it says which sealed bones, not what they are."""
        seats = int(self._opened["seats"])
        if len(self._seeds) < seats:
            return
        key = cut_key(self._opened_hash, [self._seeds[seat] for seat in range(seats)])
        self._screen.say("All seeds together say who gets which of the sealed bones of hand 1:")
        for seat, hand in enumerate(cut(key, 1, seals, seats, size).hands):
            places = " ".join(f"{place:>2}" for place in hand)
            self._screen.row(self._label(seat), places)

    def _played(self, data: Json) -> None:
        seat, tile, end = data["seat"], data["tile"], data.get("end")
        if not self._line:
            self._head = self._head.removesuffix("leads") + f"sets with {tile}"
        self._bones[seat] -= 1
        self._placed = seat
        self._line.play(tile, end)
        self._last = f"{self.name(seat)} plays {tile}" + (f" {end}" if end else "")
        if "points" in data:
            self._last += f" for {data['points']}"
            self._scored[self._side_of(seat)] += data["points"]
        self._grow()

    def _drew(self, data: Json) -> None:
        self._bones[data["seat"]] += 1
        self._boneyard -= 1
        self._does("drawn", data, "draws")

    def _gave(self, data: Json) -> None:
        seat, to = data["seat"], data["to"]
        self._bones[seat] -= 1
        self._bones[to] += 1
        self._placed = seat
        self._does("given", data, f"gives {self.name(to)} a bone")

    def _called(self, data: Json) -> None:
        self._last = f"{self.name(data['seat'])} calls {data['points']} that were missed"
        self._scored[self._side_of(data["seat"])] += data["points"]
        self._grow()

    def _passed(self, data: Json) -> None:
        self._does("passed", data, "passes")

    def _declined(self, data: Json) -> None:
        self._does("declined", data, "keeps what it drew")

    def _timed_out(self, data: Json) -> None:
        self._last = f"{self.name(data['seat'])} is out of time"
        self._grow()

    def _left(self, data: Json) -> None:
        self._last = f"{self.name(data['seat'])} has left"
        self._grow()

    def _does(self, what: str, data: Json, told: str) -> None:
        """Something that is no play: counted for the end of the hand."""
        self._done[what][data["seat"]] += 1
        self._last = f"{self.name(data['seat'])} {told}"
        self._grow()

    def _grow(self) -> None:
        if self._screen.grows:
            self._screen.grow(self._picture(self._last, fresh=True))

    def _picture(self, below: str, *, fresh: bool = False) -> list[str]:
        screen = self._screen
        new = (lambda text: screen.paint(text, "new")) if fresh else None
        rows = self._line.rows(screen.width - 2, self._draw, new)
        held = "  ".join(f"{self.name(seat)} {count}" for seat, count in self._bones.items())
        if self._boneyard:
            held += f"  boneyard {self._boneyard}"
        lines = [self._head[: screen.width], *("  " + row for row in rows)]
        if fresh:
            lines += [f"  {below}"[: screen.width], f"  bones: {held}"[: screen.width]]
        return lines

    def _round_ended(self, data: Json) -> None:
        screen = self._screen
        screen.settle(self._picture(""))
        left = ", ".join(self._pips_left(seat, n) for seat, n in enumerate(data["counts"]))
        screen.say(f"{self._ending(data)}. Pips left: {left}.")
        done = [f"{what}: {self._listed(it)}" for what, it in self._done.items() if it]
        if done:
            screen.say("; ".join(done), "quiet")
        if self._scored:
            played = ", ".join(f"{self._side(s)} {n}" for s, n in sorted(self._scored.items()))
            screen.say(f"scored in play: {played}", "quiet")
        screen.say(f"score: {self._scores(data)}", "quiet")
        screen.pause(0.25)

    def _listed(self, done: Counter[int]) -> str:
        return ", ".join(f"{self.name(seat)} {n}" for seat, n in sorted(done.items()))

    def _pips_left(self, seat: int, pips: int) -> str:
        """With how many bones: 0 pips may be a 0-0 that somebody could not get rid of."""
        bones = self._bones[seat]
        if not bones:
            return f"{self.name(seat)} none"
        return f"{self.name(seat)} {pips} ({bones} bone{'s' if bones > 1 else ''})"

    def _ending(self, data: Json) -> str:
        """How a hand ended and what it pays (SPEC R7, R8)."""
        row, points = self._opened["ruleset"], data["points"]
        if data["reason"] not in ("domino", "blocked"):
            return {"target": f"The target of {row['target']} is reached"}.get(
                data["reason"], "The hand is broken off"
            )
        out = f"{self.name(self._placed)} goes out"
        ending = out if data["reason"] == "domino" else "Nobody can go on"
        paid = [side for side, each in enumerate(points) if each]
        if ending == out and paid == [self._placed] and not row["partners"]:
            return f"{ending} and scores {points[self._placed]}"
        if paid:
            told = " and ".join(f"{self._side(s)} {self._verb('score')} {points[s]}" for s in paid)
        elif row.get("settlement") == "none":
            told = "nothing is paid for the pips left"
        elif ending == out:
            told = "there is nothing to pay"
        elif "winner" in data:
            told = f"{self._side(data['winner'])} {self._verb('win')} it, and nothing is paid"
        else:
            told = "the lightest are level, and nobody scores"
        return f"{ending}; {told}"

    def _side_of(self, seat: int) -> int:
        return seat % 2 if self._opened["ruleset"]["partners"] else seat

    def _side(self, side: int) -> str:
        """The names of a side: a seat, or two partners in the order of seats (SPEC R2)."""
        if not self._opened["ruleset"]["partners"]:
            return self.name(side)
        return " and ".join(self.name(seat) for seat in sorted(self._names) if seat % 2 == side)

    def _verb(self, plural: str) -> str:
        """What a side does: two partners `win`, one player `wins`."""
        return plural if self._opened["ruleset"]["partners"] else plural + "s"

    def _scores(self, data: Json) -> str:
        return ", ".join(f"{self._side(side)} {n}" for side, n in enumerate(data["scores"]))

    def _match_ended(self, data: Json) -> None:
        self.over = True
        won = "nobody wins"
        if "winner" in data:
            won = f"{self._side(data['winner'])} {self._verb('win')}"
        self._screen.say()
        self._screen.say(f"The match is over ({data['reason']}): {won}. The house shows its seed:")
        self._screen.row("its seed", data["server_seed"])

    def _voided(self, data: Json) -> None:
        self.over, self.void = True, str(data["reason"])
