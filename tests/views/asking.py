"""Every question that can be put to a match, by everybody who can put one."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping

from fairbones.core.bones import set_tiles, text
from fairbones.core.match import Stage
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.rules.actions import END_NAMES
from tests.api.table import key_of, seed_of, token_of
from tests.views.worlds import Json, Request, World

STRANGER = 99  # whose token nobody has taken a seat with
Asked = tuple[int | None, Request]  # the viewer, None: the public; and the question


def opening(body: Json) -> Request:
    """The first request of all."""
    return Request("POST", "/v1/matches", body=lambda _: body)


def sitting(seat: int, signed: Collection[int]) -> Request:
    """Take a seat."""

    def body(world: World) -> Json:
        opened, name = world.events[0].hash, f"player-{seat}"
        key = key_of(seat) if seat in signed else None
        commitment = client_commitment(opened, seat, key.public if key else b"", seed_of(seat))
        told: Json = {"client_seed_commitment": commitment.hex(), "name": name}
        if key is not None:
            told["public_key"] = key.public.hex()
            told["signature"] = key.joins(opened, seat, commitment=commitment, name=name)
        return told

    return Request("PUT", f"{{}}/seats/{seat}", token_of(seat), body)


def revealing(seat: int, signed: Collection[int]) -> Request:
    """Show a seed."""

    def body(world: World) -> Json:
        seated = [event for event in world.events if event.type == "seated"][-1].hash
        told: Json = {"client_seed": seed_of(seat).hex(), "seated_hash": seated.hex()}
        if seat in signed:
            opened = world.events[0].hash
            told["signature"] = key_of(seat).reveals(opened, seated, seat, seed_of(seat))
        return told

    return Request("PUT", f"{{}}/seats/{seat}/seed", body=body)


def leaving(seat: int, signed: Collection[int], token: int | None = None) -> Request:
    """Leave for good; with another seat's token it is refused."""

    def body(world: World) -> Json:
        opened = world.events[0].hash
        return {"signature": key_of(seat).leaves(opened, seat)} if seat in signed else {}

    return Request("DELETE", f"{{}}/seats/{seat}", token_of(seat if token is None else token), body)


def acting(
    seat: int, action: Mapping[str, object], signed: Collection[int], ahead: int = 0
) -> Request:
    """Act on the head, or `ahead` of it."""

    def body(world: World) -> Json:
        seq, prev = len(world.events) + ahead, world.events[-1].hash
        told: Json = {"seq": seq, "prev": prev.hex(), "action": action}
        if seat in signed:
            opened = world.events[0].hash
            told["signature"] = key_of(seat).moves(opened, seq, prev, seat, action)
        return told

    return Request("POST", "{}/actions", token_of(seat), body)


def looking(seat: int | None = None, below: str = "", method: str = "GET") -> Request:
    """Look at something of the match."""
    return Request(method, "{}" + below, None if seat is None else token_of(seat))


def holding(seat: int | None) -> Request:
    """Look again with the ETag in hand."""

    def headers(world: World) -> dict[str, str]:
        whom = "public" if seat is None else seat
        return {"If-None-Match": f'"{world.events[-1].hash.hex()}-{whom}"'}

    return Request("GET", "{}", None if seat is None else token_of(seat), headers=headers)


def by_anybody(world: World, rnd: random.Random, signed: Collection[int]) -> list[Asked]:
    """What needs no seat, in every state of a match; refusals too."""
    head, seats = len(world.events) - 1, world.state.terms.seats
    past, seat = rnd.randint(0, head), rnd.randrange(seats)
    of_all = [
        "/v1/matches?limit=3",
        "/v1/matches?status=playing",
        f"/v1/rulesets/{world.state.terms.row['id']}",
        *("/v1/keys", "/v1/rulesets", "/readyz", "/"),
    ]
    asked = [Request("GET", address) for address in of_all]
    asked += [
        looking(),
        holding(None),
        looking(below=f"?at={past}"),
        looking(below=f"?at={head + 1}"),
        looking(method="HEAD"),
        looking(method="OPTIONS"),
        looking(below="/events"),
        looking(below=f"/events?after={past}"),
        looking(below=f"/events?after={head}&wait=0.002"),
        looking(below="/events", method="HEAD"),
        looking(below="/transcript"),
        looking(below="/transcript", method="HEAD"),
        looking(below="/actions"),
        looking(below="/actions", method="OPTIONS"),
        looking(seat=STRANGER),
        looking(below="/actions", method="POST"),
        revealing(seat, signed),
        leaving(seat, signed, STRANGER),
        leaving(seat, signed, (seat + 1) % seats),
        sitting(seat, ()),
        acting(STRANGER, {"type": "pass"}, ()),
    ]
    return [(None, request) for request in asked]


def by_seat(
    world: World, seat: int, rnd: random.Random, signed: Collection[int]
) -> Iterator[Asked]:
    """What a seat is shown, and what it is answered that tries all kinds of things."""
    head = len(world.events) - 1
    yield seat, looking(seat)
    yield seat, holding(seat)
    yield seat, looking(seat, f"?at={rnd.randint(0, head)}")
    yield seat, looking(seat, method="HEAD")
    for action in universe(world, rnd):
        yield seat, acting(seat, action, signed)
    tried = {"type": "draw"}
    yield seat, acting(seat, tried, signed, ahead=rnd.choice((-2, -1, 1, 2)))
    yield seat, acting(seat, tried, () if seat in signed else (seat,))


def universe(world: World, rnd: random.Random) -> list[Json]:
    """Actions of every kind, whoever may do them; the exchanged tiles are among those tried."""
    rules = world.state.terms.rules
    tiles = [rnd.choice(set_tiles(rules.set)) for _ in range(3)]
    places: list[int] = [rnd.randrange(len(set_tiles(rules.set))), 9_999]
    if world.state.stage is Stage.PLAYING and (swap := world.swap) is not None:
        tiles += [world.dealt.wash.order[place] for place in swap.places]
        places += swap.places
    ends: list[str | None] = [None, "left", "right", rnd.choice(END_NAMES)]
    made: list[Json] = [{"type": kind} for kind in ("draw", "pass", "decline", "call")]
    made += [{"type": "give", "seal": place} for place in places]
    for tile in tiles:
        end = rnd.choice(ends)
        play: Json = {"type": "play", "tile": text(tile)}
        play |= {} if end is None else {"end": end}
        play |= {"claim": rnd.choice((1, 5, 10, 99))} if rnd.random() < 0.3 else {}
        made.append(play)
    return made
