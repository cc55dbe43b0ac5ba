"""The house's half of an explanation: from the server seed to the root of the wash (SPEC 4)."""

from __future__ import annotations

from typing import NamedTuple

from .deal import wash
from .explanation import Step
from .sought import Event, Sought, numbered, place_of
from .workings import Item, Working, shuffled


class Seed(NamedTuple):
    """A seed of the house and the event that shows it."""

    value: bytes
    event: Event


class Washed(NamedTuple):
    """What is known of the wash: the tile's name, and every tile's where the seed is known."""

    tile: str
    lying: list[str] | None


def server_seed_of(sought: Sought) -> Seed | None:
    """S, which the last event shows (SPEC 9.3)."""
    last = sought.events[-1]
    shown = last["data"].get("server_seed")
    return None if shown is None else Seed(bytes.fromhex(shown), last)


def round_seed_of(sought: Sought) -> Seed | None:
    """R_r as an event shows it."""
    for event in sought.events:
        data = event["data"]
        r = {"round_ended": data.get("round"), "lead_drawn": 0}.get(event["type"])
        if r == sought.r and "round_seed" in data:
            return Seed(bytes.fromhex(data["round_seed"]), event)
    return None


def wash_steps(sought: Sought) -> tuple[list[Step], Washed]:
    """The steps of the wash, and what they found out."""
    secret, shown = server_seed_of(sought), round_seed_of(sought)
    first = server_seed(sought, secret)
    second, seed = round_seed(sought, secret, shown)
    if seed is None:
        third, fourth, fifth, tile = (
            unknown_order(sought),
            salt_shown(sought),
            *sealed_shown(sought),
        )
        return [first, second, third, fourth, fifth, root_shown(sought)], Washed(tile, None)
    third, order = wash_order(sought, seed)
    names = [sought.things.names[index] for index in order]
    fourth, salt = salted(sought, seed)
    thing = order[sought.position]
    fifth = sealed(sought, salt, Item(named(sought, thing), sought.things.raw[thing]))
    sixth = root(sought, wash(sought.match, seed, sought.r, sought.things.raw).seals)
    found = Washed(names[sought.position], names)
    return [first, second, third, fourth, fifth, sixth], found


def named(sought: Sought, thing: int) -> str:
    """A thing in words: its bytes are what the seal hides."""
    name = sought.things.names[thing]
    return f"the thing {name}" if sought.draw else f"the tile {name}, low half first"


def server_seed(sought: Sought, seed: Seed | None) -> Step:
    """4.1."""
    step = Step("server-seed", "4.1")
    if seed is None:
        step.unknown.append("the server seed S: the last event of the match shows it")
        return step
    items = [Item("match id", sought.match), Item("S", seed.value)]
    hashed = Working("server_seed_hash", "server-seed", items)
    step.text.append(f"S is shown by {place_of(seed.event)}; its hash was published first.")
    step.hashes.append(hashed)
    published = sought.opened["server_seed_hash"]
    step.compare("server_seed_hash of opened, event 0", hashed.output.hex(), published)
    return step


def round_seed(
    sought: Sought, secret: Seed | None, shown: Seed | None
) -> tuple[Step, bytes | None]:
    """4.2: from S; else as it is shown, and then the root of its wash speaks for it."""
    step, name = Step("round-seed", "4.2"), f"R_{sought.r}"
    if secret is not None:
        items = [Item("match id", sought.match), numbered("round", sought.r)]
        hashed = Working(name, "round-seed", items, secret.value)
        step.hashes.append(hashed)
        if shown is not None:
            what = f"round_seed of {place_of(shown.event)}"
            step.compare(what, hashed.output.hex(), shown.value.hex())
        return step, hashed.output
    if shown is None:
        step.unknown.append(f"the round seed {name}: it is shown when {sought.name} is over")
        return step, None
    step.text.append(f"{name} is shown by {place_of(shown.event)}: {shown.value.hex()}")
    step.unknown.append(f"that {name} comes from S (that it made this wash, the root shows)")
    return step, shown.value


def wash_order(sought: Sought, seed: bytes) -> tuple[Step, list[int]]:
    """4.3: what lies at the position."""
    step = Step("wash-order", "4.3")
    step.shuffle = shuffled(seed, "wash-order", sought.r, sought.n)
    order, position = step.shuffle.result, sought.position
    thing = order[position]
    name = sought.things.names[thing]
    step.text.append(
        f"order[{position}] is {thing}: position {position} holds list[{thing}], {name}."
    )
    if sought.played is not None:
        step.compare(f"tile of {place_of(sought.played)}", name, sought.played["data"]["tile"])
    return step, order


def unknown_order(sought: Sought) -> Step:
    """The same, while the round seed is secret."""
    step = Step("wash-order", "4.3")
    step.unknown.append(f"the order of the wash: it follows from R_{sought.r}")
    return step


def salted(sought: Sought, seed: bytes) -> tuple[Step, bytes]:
    """4.3: the salt of the position."""
    step = Step("salt", "4.3")
    items = [numbered("position", sought.position)]
    hashed = Working(f"salt_{sought.position}", "salt", items, seed)
    step.hashes.append(hashed)
    if sought.played is not None:
        stands = sought.played["data"]["salt"]
        step.compare(f"salt of {place_of(sought.played)}", hashed.output.hex(), stands)
    return step, hashed.output


def salt_shown(sought: Sought) -> Step:
    """The same, while only a play can have shown it."""
    step, name = Step("salt", "4.3"), f"salt_{sought.position}"
    if sought.played is None:
        step.unknown.append(
            f"{name}: it is shown when the tile is played, or follows from the seed"
        )
    else:
        salt = sought.played["data"]["salt"]
        step.text.append(f"{name} is shown by {place_of(sought.played)}: {salt}")
    return step


def sealed(sought: Sought, salt: bytes, thing: Item) -> Step:
    """4.3: the seal, against the one the event of the deal shows."""
    step = Step("seal", "4.3")
    items = [
        Item("match id", sought.match),
        numbered("round", sought.r),
        numbered("position", sought.position),
        Item(f"salt_{sought.position}", salt),
        thing,
    ]
    hashed = Working(f"seal_{sought.position}", "seal", items)
    step.hashes.append(hashed)
    seals = shown_seals(sought)
    if seals is None:
        step.text.append(f"No event shows the seals of {sought.name}: it was not dealt.")
    else:
        stands = seals[sought.position].hex() if sought.position < len(seals) else "nothing"
        assert sought.sealing is not None
        what = f"seals[{sought.position}] of {place_of(sought.sealing)}"
        step.compare(what, hashed.output.hex(), stands)
    return step


def sealed_shown(sought: Sought) -> tuple[Step, str]:
    """The same from a play alone; and the name of the tile, "" while nobody has shown it."""
    if sought.played is not None:
        data = sought.played["data"]
        name = data["tile"]
        if name in sought.things.names:
            thing = sought.things.names.index(name)
            item = Item(named(sought, thing), sought.things.raw[thing])
            return sealed(sought, bytes.fromhex(data["salt"]), item), name
    step, seals = Step("seal", "4.3"), shown_seals(sought)
    if seals is not None and sought.position < len(seals):
        step.text.append(f"seal_{sought.position} is {seals[sought.position].hex()}")
    step.unknown.append(f"the tile at position {sought.position}: its seal is not opened yet")
    return step, ""


def shown_seals(sought: Sought) -> list[bytes] | None:
    """The seals as the event of the deal shows them; None before there is one."""
    if sought.sealing is None:
        return None
    return [bytes.fromhex(seal) for seal in sought.sealing["data"].get("seals", [])]


def root(sought: Sought, seals: list[bytes]) -> Step:
    """4.3: the seal among all of its hand, whose one hash was published before the match."""
    step = Step("wash-root", "4.3")
    shown = shown_seals(sought)
    if shown is not None and sought.sealing is not None:
        same = sum(a == b for a, b in zip(seals, shown)) - abs(len(seals) - len(shown))
        what = f"seals of {place_of(sought.sealing)} that are the computed ones"
        step.compare(what, len(seals), same)
    into_root(sought, step, seals)
    return step


def root_shown(sought: Sought) -> Step:
    """The same over the seals as they are shown."""
    step, shown = Step("wash-root", "4.3"), shown_seals(sought)
    if shown is None:
        step.text.append(f"The root of the wash is published: {sought.root} ({sought.root_place}).")
        step.unknown.append(f"the seals of {sought.name}: they are shown when it is dealt")
    else:
        into_root(sought, step, shown)
    return step


def into_root(sought: Sought, step: Step, seals: list[bytes]) -> None:
    items = [
        Item("match id", sought.match),
        numbered("round", sought.r),
        Item(f"seal_0 to seal_{len(seals) - 1}, joined", b"".join(seals)),
    ]
    hashed = Working(f"W_{sought.r}", "wash-root", items)
    at = 32 * sought.position
    step.text.append(f"seal_{sought.position} is bytes {at} to {at + 31} of the last item.")
    step.hashes.append(hashed)
    step.compare(sought.root_place, hashed.output.hex(), sought.root)
