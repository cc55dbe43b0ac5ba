"""SPEC R6 and R7: one hand, from the deal to its end."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.naive.actions import Action, Refused
from tests.naive.rows import Row, option, side_of
from tests.naive.scores import counted, match_winner, score_of
from tests.naive.table import Table
from tests.naive.tiles import Tile, heaviest, tile_id, tile_set

DRAW, DECLINE, PASS, CALL = (Action(kind) for kind in ("draw", "decline", "pass", "call"))


@dataclass
class Hand:
    """Everything that lies on the table or is held, and what the seat on turn has done so far."""

    row: Row
    hands: list[list[Tile]]
    boneyard: list[Tile]
    leader: int
    must_set: Tile | None
    scores: list[int]
    table: Table = field(init=False)
    on_turn: int = field(init=False)
    drawn: bool = False
    given: Tile | None = None
    plays: list[tuple[int, Action]] = field(default_factory=list)
    last: tuple[int, Action] | None = None
    missed: int | None = None
    credited: int = 0

    def __post_init__(self) -> None:
        self.table = Table(option(self.row, "spinner"))
        self.on_turn = self.leader

    def copy(self) -> Hand:
        """The same position once more, to try something out."""
        other = Hand(
            self.row,
            [list(held) for held in self.hands],
            list(self.boneyard),
            self.leader,
            self.must_set,
            list(self.scores),
        )
        other.table, other.on_turn = self.table.copy(), self.on_turn
        other.drawn, other.given, other.plays = self.drawn, self.given, list(self.plays)
        other.last, other.missed, other.credited = self.last, self.missed, self.credited
        return other

    # R6: what a seat may do.

    def seats(self) -> range:
        return range(len(self.hands))

    def counts(self) -> bool:
        """Whether the game counts."""
        return option(self.row, "counting") is not None

    def plays_of(self, seat: int) -> list[Action]:
        """The plays of a seat, whatever it was given: by tile id, then by end."""
        held = sorted(self.hands[seat], key=tile_id)
        if not self.table.laid:
            return [Action("play", tile) for tile in held if self.must_set in (None, tile)]
        ends = [end for end in self.table.ends() if end.open]
        plays = []
        for tile in held:
            values = []
            for end in ends:
                if end.value in tile:
                    if self.counts() or end.value not in values:
                        plays.append(Action("play", tile, end.name))
                    values.append(end.value)
        return plays

    def may_draw(self) -> bool:
        """Whether more than the protected tiles are left, and the game draws."""
        if self.row["drawing"] == "none":
            return False
        return len(self.boneyard) > int(option(self.row, "protected"))

    def seat_at_left(self, seat: int) -> int:
        """SPEC R2."""
        step = 1 if self.row["direction"] == "clockwise" else -1
        return (seat + step) % len(self.hands)

    def giver(self) -> int | None:
        """The seat that gives, while a transfer is due."""
        if not option(self.row, "transfer") or self.given is not None:
            return None
        if self.plays_of(self.on_turn):
            return None
        left = self.seat_at_left(self.on_turn)
        if self.row["last_tile_transfer"] == "exempt" and len(self.hands[left]) == 1:
            return None
        return left

    def to_act(self) -> int:
        """The seat to act: the seat on turn, or the seat that gives."""
        giver = self.giver()
        return self.on_turn if giver is None else giver

    def legal(self) -> list[Action]:
        """What the seat to act may do, in listed form and order; nothing once the hand is over."""
        if self.finish() is not None:
            return []
        plays = self.plays_of(self.on_turn)
        if plays:
            if self.given is not None:
                return [play for play in plays if play.tile == self.given]
            may_decline = self.drawn and option(self.row, "drawn_tile") == "may-play"
            return [*plays, DECLINE] if may_decline else plays
        if self.may_draw():
            return [DRAW]
        giver = self.giver()
        if giver is not None:
            return [Action("give", tile) for tile in sorted(self.hands[giver], key=tile_id)]
        return [PASS]

    def callers(self) -> list[int]:
        """The seats for which `call` is listed (SPEC R10): the opponents of the last play."""
        if self.missed is None or self.last is None or self.finish() is not None:
            return []
        player = side_of(self.row, self.last[0])
        return [seat for seat in self.seats() if side_of(self.row, seat) != player]

    def taken_by_call(self, seat: int) -> int:
        """What a call of that seat is credited with; 0 where it may not call."""
        if seat not in self.callers():
            return 0
        return counted(self.row, self.scores[side_of(self.row, seat)], self.missed or 0)

    def forced(self) -> Action | None:
        """The only legal action, if it is a draw or a pass."""
        legal = self.legal()
        return legal[0] if legal in ([DRAW], [PASS]) else None

    def fixed(self) -> Action | None:
        """The fixed rule: what is done for a seat that does not act."""
        legal = self.legal()
        plays = [action for action in legal if action.kind == "play"]
        gifts = [action for action in legal if action.kind == "give"]
        if plays:
            tile = heaviest([play.tile for play in plays if play.tile is not None])
            play = next(play for play in plays if play.tile == tile)
            claim = self.score(play) if option(self.row, "muggins") else 0
            return play._replace(claim=claim) if claim else play
        if DRAW in legal:
            return DRAW
        if gifts:
            return Action("give", heaviest([gift.tile for gift in gifts if gift.tile is not None]))
        return PASS if PASS in legal else None

    def listed_form(self, action: Action) -> Action:
        """A play in a game that does not count may name any of several equal ends."""
        if action.kind == "play" and action.tile is not None and not self.counts():
            places = self.table.places(action.tile)
            named = [end.value for end in places if end.name == action.end]
            for end in places:
                if named == [end.value]:
                    return action._replace(end=end.name)
        return action

    # What happens when it is done.

    def take(self, seat: int, action: Action) -> Action:
        """Do it, credit what it scores, and say the listed form; Refused if it is not legal."""
        if action.kind == "call":
            points = self.taken_by_call(seat)
            if points == 0:
                raise Refused("nothing to call")
            self.missed = 0
            self._credit(seat, points)
            return action
        action = self.listed_form(action)
        if seat != self.to_act() or action._replace(claim=None) not in self.legal():
            raise Refused("not legal")
        if action.claim is not None:
            most = self.score(action) if option(self.row, "muggins") else 0
            if not 1 <= action.claim <= most:
                raise Refused("claims too much")
        if action.kind == "play":
            self._play(seat, action)
        elif action.kind == "give" and action.tile is not None:
            self.hands[seat].remove(action.tile)
            self.hands[self.on_turn].append(action.tile)
            self.given, self.last, self.credited = action.tile, (seat, action), 0
        else:
            if action == DRAW:
                self.hands[seat].append(self.boneyard.pop(0))
                self.drawn = True
            else:
                self._next_seat()
            self.missed, self.credited = None, 0
        return action

    def _play(self, seat: int, action: Action) -> None:
        points = self.score(action)
        claimed = (action.claim or 0) if option(self.row, "muggins") else points
        self._lay(seat, action)
        self.missed = points - claimed if option(self.row, "muggins") else None
        self._credit(seat, counted(self.row, self.scores[side_of(self.row, seat)], claimed))

    def _lay(self, seat: int, action: Action) -> None:
        assert action.tile is not None
        self.hands[seat].remove(action.tile)
        self.table.lay(action.tile, action.end)
        self.plays.append((seat, action))
        self.last = (seat, action)
        self._next_seat()

    def _credit(self, seat: int, points: int) -> None:
        self.scores[side_of(self.row, seat)] += points
        self.credited = points

    def _next_seat(self) -> None:
        """The first seat after the one on turn that holds a tile; there is none after the end."""
        self.drawn, self.given = False, None
        for step in range(1, len(self.hands) + 1):
            seat = (self.on_turn + step) % len(self.hands)
            if self.hands[seat]:
                self.on_turn = seat
                return

    def score(self, play: Action) -> int:
        """What a play scores (SPEC R10): seen by laying it."""
        if not self.counts():
            return 0
        after = self.copy()
        after._lay(self.on_turn, play)
        return score_of(self.row, after.table.count(), after.out() is not None)

    # R7: the end.

    def out(self) -> int | None:
        """The seat that went out, if the hand is over by domino."""
        if self.last is None:
            return None
        seat, _ = self.last
        group = [seat]
        if option(self.row, "goes_out") == "side":
            group = [
                one for one in self.seats() if side_of(self.row, one) == side_of(self.row, seat)
            ]
        return seat if all(not self.hands[one] for one in group) else None

    def blocked(self) -> bool:
        """Whether nobody can go on."""
        if not self.table.laid:
            return False
        if not self.may_draw() and not any(self.plays_of(seat) for seat in self.seats()):
            return True
        if not option(self.row, "early_block"):
            return False
        laid = [one.tile for one in self.table.laid]
        values = [end.value for end in self.table.ends() if end.open]
        matching = [tile for tile in tile_set(self.row["set"]) if set(tile) & set(values)]
        return all(tile in laid for tile in matching)

    def finish(self) -> str | None:
        """The reason for which the hand is over, or None while it goes on."""
        if self.row["win_at"] == "at-once" and match_winner(self.row, self.scores) is not None:
            return "target"
        if self.out() is not None:
            return "domino"
        return "blocked" if self.blocked() else None

    def causer(self) -> int:
        """The seat that placed the last tile (SPEC R4)."""
        seat, _ = self.plays[-1]
        return seat
