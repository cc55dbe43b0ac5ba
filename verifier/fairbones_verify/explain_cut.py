"""The players' half of an explanation: their seeds, the cut, and what became of the tile."""

from __future__ import annotations

from typing import Any

from .deal import read, weight
from .explain_wash import Washed
from .explanation import Step
from .sought import Event, Sought, numbered, place_of
from .workings import Item, Working, shuffled

NTH = {1: "1st", 2: "2nd", 3: "3rd"}


def nth(number: int) -> str:
    """ "1st", "22nd", "13th"."""
    ending = NTH.get(number % 10, "th") if number % 100 // 10 != 1 else "th"
    return f"{number}{ending[-2:]}"


def cut_steps(sought: Sought, washed: Washed) -> tuple[list[Step], list[dict[str, Any]]]:
    """The steps from the seeds of the seats to the tile's fate, and that fate for programs."""
    opened_hash = opening(sought)
    seeds_step, seeds = client_seeds(sought, opened_hash.hashes[0].output)
    key = cut_key(sought, opened_hash.hashes[0].output, seeds)
    if not key.hashes:
        blank = Step("cut-map", "5.4", unknown=["the cut: it follows from K"])
        return [opened_hash, seeds_step, key, blank], []
    cut, place = cut_map(sought, key.hashes[0].output)
    steps = [opened_hash, seeds_step, key, cut]
    if sought.draw:
        drawn(sought, cut, place, washed)
        return steps, []
    if sought.r == 0:
        lead(sought, cut, place, washed)
        return steps, []
    owner = dealt(sought, cut, place)
    last, told = fate(sought, place, owner)
    return [*steps, last], told


def opening(sought: Sought) -> Step:
    """6.3: the hash of `opened`, to which every later secret is bound."""
    step = Step("opened-hash", "6.3")
    item = Item("event 0 (opened), canonical", sought.texts[0].encode("utf-8"))
    hashed = Working("opened_hash", "event", [item])
    step.hashes.append(hashed)
    if len(sought.events) > 1:
        second = sought.events[1]
        step.compare(f"prev of {place_of(second)}", hashed.output.hex(), second["prev"])
    return step


def client_seeds(sought: Sought, opened_hash: bytes) -> tuple[Step, dict[int, bytes]]:
    """5.1: each seat's seed, and that it is the one the seat committed to."""
    step = Step("client-seeds", "5.1")
    seats: dict[int, Event] = {}
    shown: dict[int, Event] = {}
    for event in sought.events:
        if event["type"] == "seated":
            seats.setdefault(event["data"]["seat"], event)
        if event["type"] in ("seated", "seeded") and "client_seed" in event["data"]:
            shown.setdefault(event["data"]["seat"], event)
    for seat in range(sought.opened["seats"]):
        if seat not in shown:
            step.unknown.append(f"the seed of seat {seat}")
            continue
        seed = shown[seat]["data"]["client_seed"]
        step.text.append(f"seed_{seat} is shown by {place_of(shown[seat])}: {seed}")
        committed = seats.get(seat, shown[seat])["data"].get("client_seed_commitment")
        if committed is not None:
            items = [
                Item("opened_hash", opened_hash),
                numbered("seat", seat),
                public_key(seats.get(seat, shown[seat]), seat),
                Item(f"seed_{seat}", bytes.fromhex(seed)),
            ]
            hashed = Working(f"commitment of seat {seat}", "client-seed", items)
            step.hashes.append(hashed)
            what = f"client_seed_commitment of {place_of(seats[seat])}"
            step.compare(what, hashed.output.hex(), committed)
    seeds = {seat: bytes.fromhex(one["data"]["client_seed"]) for seat, one in shown.items()}
    return step, seeds


def public_key(seated: Event, seat: int) -> Item:
    """The key of a seat; nothing where it has none."""
    key = bytes.fromhex(seated["data"].get("public_key", ""))
    return Item(f"public key of seat {seat}" if key else "no public key", key)


def cut_key(sought: Sought, opened_hash: bytes, seeds: dict[int, bytes]) -> Step:
    """5.3: K, once every seed is shown."""
    step, seats = Step("cut-key", "5.3"), range(sought.opened["seats"])
    if all(seat in seeds for seat in seats):
        items = [Item(f"seed_{seat}", seeds[seat]) for seat in seats]
        step.hashes.append(Working("K", "cut-key", [Item("opened_hash", opened_hash), *items]))
    else:
        step.unknown.append("K: it follows when the seeds of all seats are shown")
    return step


def cut_map(sought: Sought, key: bytes) -> tuple[Step, int]:
    """5.4: the place of the position in the map."""
    step = Step("cut-map", "5.4")
    step.shuffle = shuffled(key, "cut-map", sought.r, sought.n)
    place = step.shuffle.result.index(sought.position)
    step.text.append(f"map[{place}] is {sought.position}.")
    return step, place


def drawn(sought: Sought, step: Step, place: int, washed: Washed) -> None:
    """11.2: in a draw the map says the order of the result."""
    step.text.append(f"So the thing at position {sought.position} is result[{place}] of the draw.")
    if sought.sealing is not None and washed.lying is not None:
        result = sought.sealing["data"]["result"]
        stands = result[place] if place < len(result) else "nothing"
        step.compare(f"result[{place}] of {place_of(sought.sealing)}", washed.tile, stands)


def lead(sought: Sought, step: Step, place: int, washed: Washed) -> None:
    """4.5: the first places of the map are what the seats drew for the lead."""
    seats, shuffle = sought.opened["seats"], step.shuffle
    if place < seats:
        step.text.append(f"So it is the tile that seat {place} drew for the lead.")
    else:
        step.text.append(
            f"No seat drew it for the lead: the seats drew map[0] to map[{seats - 1}]."
        )
    if sought.sealing is None or washed.lying is None or shuffle is None:
        return
    tiles = [washed.lying[position] for position in shuffle.result[:seats]]
    step.text.append("Drawn: " + ", ".join(f"seat {k} {tile}" for k, tile in enumerate(tiles)))
    leader = max(range(seats), key=lambda seat: weight(read(tiles[seat])))
    due, stands = f"seat {leader}", f"seat {sought.sealing['data']['lead']}"
    step.compare(f"lead of {place_of(sought.sealing)}: the heaviest tile", due, stands)


def dealt(sought: Sought, step: Step, place: int) -> int | None:
    """5.4: the seat that was dealt the position, None for the boneyard."""
    seats: int = sought.opened["seats"]
    size: int = sought.row["hand"]
    verb = "was" if sought.sealing is not None else "would have been"
    if sought.sealing is not None:
        step.compare(
            f"hand_size of {place_of(sought.sealing)}", size, sought.sealing["data"]["hand_size"]
        )
    elif not sought.complete:
        verb = "will be"
    if place < seats * size:
        seat, number = divmod(place, size)
        step.text.append(
            f"So it {verb} dealt to seat {seat}, as its {nth(number + 1)} tile of {size}."
        )
        return seat
    number, last = place - seats * size + 1, sought.n - seats * size
    step.text.append(
        f"So it {verb} the {nth(number)} of {last} tiles in the boneyard, from its front."
    )
    kept = sought.row.get("protected", 0)
    if number > last - kept:
        step.text.append(f"It is protected: the last {kept} are never drawn.")
    return None


def fate(sought: Sought, place: int, owner: int | None) -> tuple[Step, list[dict[str, Any]]]:
    """What happened to the tile, each event against who held it then."""
    step, told = Step("fate", "5.4"), []
    front = place - sought.opened["seats"] * sought.row["hand"] + 1
    draws = 0
    for event in sought.later:
        data, kind = event["data"], event["type"]
        draws += kind == "drew"
        if data.get("seal") != sought.position or kind not in ("drew", "gave", "played"):
            continue
        told.append({"seq": event["seq"], "type": kind, "seat": data["seat"]})
        held = "the boneyard" if owner is None else f"seat {owner}"
        where = place_of(event)
        if kind == "drew":
            step.text.append(f"Seat {data['seat']} drew it ({where}).")
            step.compare(f"who held it before {where}", "the boneyard", held)
            step.compare(f"draws of the hand up to {where}", front, draws)
            owner = data["seat"]
        elif kind == "gave":
            told[-1]["to"] = data["to"]
            step.text.append(f"Seat {data['seat']} gave it to seat {data['to']} ({where}).")
            step.compare(f"who held it before {where}", held, f"seat {data['seat']}")
            owner = data["to"]
        else:
            told[-1]["tile"] = data["tile"]
            end = f" at {data['end']}" if "end" in data else ""
            step.text.append(f"Seat {data['seat']} played it as {data['tile']}{end} ({where}).")
            step.compare(f"who held it before {where}", held, f"seat {data['seat']}")
    if sought.sealing is None:
        step.text.append(f"No event deals {sought.name}.")
    elif sought.played is None:
        step.text.append(rest(sought, owner))
    return step, told


def rest(sought: Sought, owner: int | None) -> str:
    """Where a tile is that was not played."""
    over = bool(sought.later) and sought.later[-1]["type"] in (
        "round_ended",
        "match_ended",
        "voided",
    )
    who = "in the boneyard" if owner is None else f"with seat {owner}"
    return (
        f"It was never played: at the end of the hand it was {who}."
        if over
        else f"It is {who} now."
    )
