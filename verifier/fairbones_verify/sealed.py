"""What was sealed, cut and opened (SPEC 4, 5, 11, R4; checks 400 to 417)."""

from __future__ import annotations

from typing import Any

from . import deal, draws, rulesets
from .deal import Tile
from .games.line import Hand
from .hashing import commitment, digest
from .table import Event, Table
from .words import plural, position

MAX_SEALS = 6_144


def sealed(table: Table, event: Event) -> None:
    """Checks 400 to 417 of one event."""
    name, data = event["type"], event["data"]
    if name in ("match_ended", "voided", "drawn"):
        server_seed(table, data)
    if name == "opened":
        opened(table)
    elif name == "seeded":
        seeded(table, data)
    elif name == "dealt":
        dealt(table, data)
    elif name == "played" and table.hand is not None:
        played(table, table.hand, data)
    elif name == "drew" and table.hand is not None and table.hand.boneyard:
        table.check("cut/draw", table.hand.boneyard[0], data["seal"], position)
    elif name == "round_ended":
        round_seed(table, data["round_seed"])
    elif name == "drawn" and table.server_seed is not None:
        due = draws.draw(table.row, table.match, table.server_seed, table.cut_key)
        table.check("draw/result", due.result, data["result"])
        table.check("draw/result", due.seals, data.get("seals"))


def opened(table: Table) -> None:
    """Checks 400, 401 and 404."""
    row, seats, washes = table.row, table.seats, table.opened["washes"]
    low, high = rulesets.SEATS[row["id"]]
    if not low <= seats <= high:
        table.fail("deal/options", f"{low} to {high} seats", plural(seats, "seat"))
    if table.draw:
        if table.opened["rounds_max"] != 1:
            table.fail("deal/options", "rounds_max 1", f"rounds_max {table.opened['rounds_max']}")
        n, due = row["n"], 1 if row["kind"] == "order" else 0
    else:
        n, due = len(table.tiles()), table.opened["rounds_max"]
        needed = seats * row["hand"] + row.get("protected", 0)
        if needed > n:
            most = f"at most {n} tiles in hands and protected"
            table.fail("deal/options", most, f"{needed} tiles")
        if row["partners"] and seats != 4:
            table.fail("deal/options", "4 seats with partners", plural(seats, "seat"))
    if len(washes) != due:
        said = plural(due, "wash", "washes"), plural(len(washes), "wash", "washes")
        table.fail("deal/wash-count", *said)
    if due * n > MAX_SEALS:
        table.fail("deal/wash-count", f"at most {MAX_SEALS} seals in all", f"{due * n} seals")
    if table.server_seed is None:
        return
    for r, root in enumerate(washes, 1):
        if table.draw:
            washed = draws.wash_of(row, table.match, table.server_seed)
        else:
            washed = table.wash_under(r, deal.round_seed(table.server_seed, table.match, r))
        if washed.root.hex() != root:
            table.fail("wash/root", f"{washed.root.hex()} for hand {r}", root)


def server_seed(table: Table, data: dict[str, Any]) -> None:
    """Checks 402 and 403."""
    if "server_seed" not in data:
        table.fail("seed/not-opened", "the server seed", data["reason"])
        return
    hashed = digest("server-seed", table.match, bytes.fromhex(data["server_seed"])).hex()
    if hashed != table.opened["server_seed_hash"]:
        wanted = f"a seed with the hash {table.opened['server_seed_hash']}"
        table.fail("seed/server-seed", wanted, data["server_seed"])


def seeded(table: Table, data: dict[str, Any]) -> None:
    """Checks 405 and 406."""
    seat, seed = data["seat"], data["client_seed"]
    table.check("seed/seated-hash", table.seated_hash.hex(), data["seated_hash"])
    committed = table.seated[seat].get("client_seed_commitment") if seat in table.seated else None
    if commitment(table.hashes[0], seat, bytes.fromhex(seed)).hex() != committed:
        table.fail("seed/commitment", f"a seed that opens {committed}", seed)


def dealt(table: Table, data: dict[str, Any]) -> None:
    """Checks 407 to 411. The hand begins here, as the cut gives it."""
    row, r, tiles = table.row, data["round"], table.tiles()
    washes = table.opened["washes"]
    if len(data["seals"]) != len(tiles):
        table.fail("deal/seals", f"{len(tiles)} seals", f"{len(data['seals'])} seals")
    elif r <= len(washes):
        seals = [bytes.fromhex(seal) for seal in data["seals"]]
        root = deal.wash_root(table.match, r, seals).hex()
        if root != washes[r - 1]:
            table.fail("deal/seals", f"seals with the root {washes[r - 1]}", root)
    table.check("deal/hand-size", row["hand"], data["hand_size"], lambda n: plural(n, "tile"))
    table.check("deal/aside", [], data["aside"])
    hands, boneyard = deal.cut(table.cut_key, r, len(tiles), table.seats, data["hand_size"])
    washed = table.wash(r)
    lying = None if washed is None else [tiles[i] for i in washed.order]
    lead = None
    if r == 1 and lying is not None:
        lead = deal.first_lead([[lying[position] for position in hand] for hand in hands])
    if data["lead"] >= table.seats:
        table.fail("deal/lead", f"a seat below {table.seats}", table.who(data["lead"]))
    if r > 1:
        table.check("deal/lead", table.lead_next, data["lead"], table.who)
        table.check("deal/must-set", None, data.get("must_set"))
    elif lead is not None:
        table.check("deal/lead", lead[0], data["lead"], table.who)
        table.check("deal/must-set", deal.written(lead[1]), data.get("must_set"))
    elif "must_set" not in data or deal.read(data["must_set"]) not in tiles:
        table.fail("deal/must-set", "a tile of the set", data.get("must_set"))
    must_set = deal.read(data["must_set"]) if "must_set" in data else None
    table.hand = Hand(
        row,
        hands,
        boneyard,
        data["lead"] % table.seats,
        lying,
        must_set,
        data["seals"],
        shown_later(table, r, data["seals"]) if lying is None else None,
    )


def shown_later(table: Table, r: int, seals: list[str]) -> dict[int, Tile]:
    """9.3: the tiles that plays of a running hand open rightly, by position."""
    shown: dict[int, Tile] = {}
    for event in table.events[table.i + 1 :]:
        data = event["data"]
        if event["type"] == "dealt":
            break
        if event["type"] == "played" and data["seal"] < len(seals):
            tile, salt = deal.read(data["tile"]), bytes.fromhex(data["salt"])
            opened = deal.seal(table.match, r, data["seal"], salt, deal.tile_bytes(tile))
            if opened.hex() == seals[data["seal"]]:
                shown[data["seal"]] = tile
    return shown


def played(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 412 to 414."""
    place, tile, held = data["seal"], deal.read(data["tile"]), hand.hands[data["seat"]]
    if place not in held:
        table.fail("cut/foreign-seal", f"one of the positions {sorted(held)}", position(place))
    salt, thing = bytes.fromhex(data["salt"]), deal.tile_bytes(tile)
    seal = deal.seal(table.match, table.round, place, salt, thing).hex()
    table.check("seal/mismatch", dict(enumerate(hand.seals)).get(place), seal)
    if tile not in table.tiles():
        table.fail("deal/duplicate-tile", "a tile of the set", data["tile"])
    elif tile in hand.line:
        table.fail("deal/duplicate-tile", "a tile that is not on the line", data["tile"])


def round_seed(table: Table, got: str) -> None:
    """Check 417."""
    if table.server_seed is not None:
        due = deal.round_seed(table.server_seed, table.match, table.round).hex()
        table.check("seed/round-seed", due, got)
    washes = table.opened["washes"]
    if table.round <= len(washes):
        root = table.wash_under(table.round, bytes.fromhex(got)).root.hex()
        if root != washes[table.round - 1]:
            table.fail(
                "seed/round-seed", f"a seed whose wash has the root {washes[table.round - 1]}", got
            )
