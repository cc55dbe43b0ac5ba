"""Keys of seats, seats reserved for them, signatures over something else (SPEC 5.6).

Threats T8, T12, T26, T37, T45, T50.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.seatkeys import move_message, register_message
from fairbones.core.rules import Pass, action_to_json
from tests.forge.cheats.making import Cheat, forged, liar, place, reach
from tests.forge.cheats.papers import IDENTITY, SMALL_ORDER
from tests.forge.curve import L, add_small_order
from tests.forge.house import House, Setup
from tests.forge.keys import HOUSE, seat_key
from tests.forge.liar import Bend, Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

BOTH = (0, 1)


def match(phrase: str, seats: int = 2, **more: Any) -> Liar:
    """A short match in which seats 0 and 1 have a key, before anybody sat down."""
    return liar("block", seats, **{"signed": BOTH, **more}, phrase=f"signed {phrase}")


def ready(house: House) -> bool:
    """The line has begun, and the seat to act has a choice."""
    return bool(house.hand.line) and not isinstance(house.legal()[0], Pass)


def resigned(house: Liar, seat: int, key: SeatKey) -> Bend:
    """A seat is written down under another key, with everything bound to it."""

    def change(data: Json) -> None:
        opened_hash = house.opened_hash
        commitment = client_commitment(opened_hash, seat, key.public, house.seeds[seat])
        data["client_seed_commitment"] = commitment.hex()
        data["public_key"] = key.public.hex()
        data["signature"] = key.joins(opened_hash, seat, commitment=commitment)
        house.keys[seat] = key

    return change


class Weak(SeatKey):
    """A key that the house may write down, and that nobody can sign with."""

    def __init__(self, public: bytes) -> None:
        super().__init__(bytes(32))
        self.public = public


def keys() -> Iterator[Scenario]:
    """303."""
    good = seat_key("signed weak")
    for name, about, public in (
        ("small-order", "A seat's key is of small order.", bytes.fromhex(SMALL_ORDER)),
        ("mixed-order", "A seat's key is of mixed order.", add_small_order(good.public)),
        ("not-canonical", "A seat's key is in a second spelling.", bytes.fromhex("ff" * 31 + "7f")),
    ):
        house = match(f"key {name}", signed=(0,))
        house.bend("seated", resigned(house, 1, Weak(public)), 2)
        house.sit(0)
        # The seed and the moves of such a seat nobody could sign: the match waits.
        house.now += 500
        house.do(house.sitting(1))
        yield forged(
            f"authority-key-{name}",
            about,
            "authority/key",
            house,
            "T26",
            "T34",
        )
    house = match("one key", signed=(0,))
    house.bend("seated", resigned(house, 1, house.keys[0]), 2)
    yield forged(
        "authority-key-twice",
        "Two seats have one key.",
        "authority/key",
        house.start().play(),
        "T26",
    )
    kept = [{"seat": 1, "public_key": IDENTITY}]
    house = match("reserved", opened=lambda data: data.update(reserved=kept))
    house.sit(0)
    yield forged(
        "authority-key-reserved",
        "A seat is reserved for the identity, under which anybody seems to have signed.",
        "authority/key",
        house,
        "T26",
        "T45",
    )


def reserved() -> Iterator[Scenario]:
    """304."""
    mine = [{"seat": 1, "public_key": seat_key("somebody else").public.hex()}]

    def keep(data: Json) -> None:
        data["reserved"] = mine

    def forget(house: Liar) -> Liar:
        """The house seats whom it likes."""
        house.believe(terms=replace(house.state.terms, reserved={}))
        return house

    for name, about, signed in (
        ("other-key", "A seat that is reserved for a key is given to another key.", BOTH),
        ("no-key", "A seat that is reserved for a key is given to a seat without one.", (0,)),
    ):
        house = forget(match(f"reserved {name}", opened=keep, signed=signed)).start().play()
        yield forged(
            f"authority-reserved-{name}",
            about,
            "authority/reserved",
            house,
            "T45",
            seq=place(house, "seated", 2),
        )


# ------------------------------------------------------------------ 307: signed, but not this


Sign = Callable[[Liar, Json], str]


def move_signed(sign: Sign) -> Callable[[Liar], bool]:
    """A move is written with another signature than its player's for this place."""

    def make(house: Liar) -> bool:
        if not reach(house, ready):
            return False
        house.bend("played", lambda data: data.update(signature=sign(house, data)))
        house.play()
        return len(house.lies) == 1

    return make


def _moves(
    house: Liar,
    data: Json,
    *,
    key: SeatKey | None = None,
    opened: bytes | None = None,
    ahead: int = 0,
    prev: bytes | None = None,
    seat: int | None = None,
) -> str:
    """The seat's signature over the move as it stands, but for what is named."""
    state = house.state
    action = {"type": "play"} | {name: data[name] for name in ("tile", "end") if name in data}
    return (key or house.keys[data["seat"]]).moves(
        opened or house.opened_hash,
        state.seq + 1 + ahead,
        prev or state.head,
        data["seat"] if seat is None else seat,
        action,
    )


def by_the_house(house: Liar, data: Json) -> str:
    """The house signs itself, with its receipt key."""
    action = {"type": "play"} | {name: data[name] for name in ("tile", "end") if name in data}
    place_ = house.opened_hash, house.state.seq + 1, house.state.head, data["seat"]
    return HOUSE.say(move_message(*place_, canonical(action)))


def malleable(_: Liar, data: Json) -> str:
    """The true signature with S + L, which is another text for the same."""
    told = bytes.fromhex(data["signature"])
    s = int.from_bytes(told[32:], "little") + L
    return (told[:32] + s.to_bytes(32, "little")).hex()


MOVES: tuple[tuple[str, str, Sign, str], ...] = (
    (
        "other-seat",
        "A move signed by the key of the other seat.",
        lambda house, data: _moves(house, data, key=house.keys[1 - data["seat"]]),
        "T12",
    ),
    (
        "as-other-seat",
        "A move that its player signed for the other seat.",
        lambda house, data: _moves(house, data, seat=1 - data["seat"]),
        "T12",
    ),
    (
        "other-match",
        "A move that its player signed in another match.",
        lambda house, data: _moves(house, data, opened=bytes.fromhex("5e" * 32)),
        "T12",
    ),
    (
        "other-seq",
        "A move that its player signed for a later place.",
        lambda house, data: _moves(house, data, ahead=2),
        "T12",
    ),
    (
        "other-history",
        "A move that its player signed after another event.",
        lambda house, data: _moves(house, data, prev=bytes.fromhex("5e" * 32)),
        "T12",
    ),
    ("by-the-house", "A move that the house has signed with its own key.", by_the_house, "T12"),
    ("malleable", "The signature of a move with S + L.", malleable, "T26"),
    (
        "zeros",
        "A signature of zeros.",
        lambda _house, _data: "00" * 64,
        "T26",
    ),
)


def altered(house: Liar) -> bool:
    """The player signed one move, and the house writes another that fits as well."""
    if not reach(house, lambda it: ready(it) and len(it.legal()) > 1):
        return False
    mine, other = house.plays()[:2]
    assert house.state.round is not None
    listed = action_to_json(mine, house.state.round.position)
    key, seat = house.keys[house.turn], house.turn
    place_ = house.opened_hash, house.state.seq + 1, house.state.head, seat
    signature = key.moves(*place_, listed)
    house.lay(other.tile, other.end, lies={"signature": signature})
    house.play()
    return True


def falsely_signed() -> Iterator[Scenario]:
    """307."""
    code = "authority/signature"
    short = Setup("block", 2, {"hand": 3}, signed=BOTH)
    for name, about, sign, threat in MOVES:
        cheat = Cheat(f"authority-signature-{name}", about, code, short, move_signed(sign))
        yield cheat.forged(threat)
    about = "The player signed another move than stands there."
    yield Cheat("authority-signature-altered", about, code, short, altered).forged("T12")
    yield from joining(code)
    house = match("seed").seat_all()
    house.bend(
        "seeded",
        _signature(
            lambda seat: house.keys[seat].reveals(
                house.opened_hash, bytes.fromhex("5e" * 32), seat, house.seeds[seat]
            )
        ),
    )
    yield forged(
        "authority-signature-seed",
        "A seed that its player showed for another seating: the house wrote a seat anew.",
        code,
        _on(house),
        "T37",
    )
    house = match("leaves").start()
    house.bend("left", _signature(lambda seat: house.keys[seat].leaves(bytes(32), seat)))
    house.leave(house.turn)
    yield forged(
        "authority-signature-left",
        "A leaving that its player signed in another match.",
        code,
        house.play(),
        "T50",
    )
    house = match("leaves early").seat_all()
    house.bend(
        "voided", lambda data: data.update(signature=house.keys[0].leaves(house.opened_hash, 0))
    )
    house.leave(1)
    yield forged(
        "authority-signature-void",
        "Seat 0 signed that it leaves, and the house names seat 1.",
        code,
        house,
        "T50",
    )


def _on(house: Liar) -> Liar:
    house.reveal(*house.state.unrevealed())
    return house.play()


def _signature(made: Callable[[int], str]) -> Bend:
    def change(data: Json) -> None:
        data["signature"] = made(data["seat"])

    return change


def joining(code: str) -> Iterator[Scenario]:
    """What a seat said when it sat down is written otherwise."""
    house = match("renamed", names=True)
    house.bend("seated", lambda data: data.update(name="mallory"))
    yield forged(
        "authority-signature-renamed",
        "The house writes another name than the player signed.",
        code,
        house.start().play(),
        "T12",
    )
    house = match("shown", clear=(1,))
    seed = house.seeds[0]

    def show(data: Json) -> None:
        del data["client_seed_commitment"]
        data["client_seed"] = seed.hex()

    house.bend("seated", show)
    house.start().play()
    yield forged(
        "authority-signature-shown",
        "A seat committed, and the house writes the seed as if it had been shown.",
        code,
        house,
        "T50",
    )
    house = match("shill")
    new = bytes.fromhex("5e" * 32)

    def rewrite(data: Json) -> None:
        house.seeds[1] = new
        key = house.keys[1].public
        data["client_seed_commitment"] = client_commitment(house.opened_hash, 1, key, new).hex()

    house.bend("seated", rewrite, 2)
    yield forged(
        "authority-signature-commitment",
        "The commitment of a seat is rewritten after it was signed.",
        code,
        house.start().play(),
        "T8",
        "T37",
    )
    house = match("replayed")

    def replayed(data: Json) -> None:
        key = house.keys[0]
        commitment = bytes.fromhex(data["client_seed_commitment"])
        message = register_message(bytes(32), 0, key.public, commitment=commitment)
        data["signature"] = key.sign(message)

    house.bend("seated", replayed)
    yield forged(
        "authority-signature-replayed",
        "A seat's registration for another match.",
        code,
        house.start().play(),
        "T8",
        "T12",
    )


PARTS = (keys, reserved, falsely_signed)
