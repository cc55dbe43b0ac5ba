"""What was sealed, cut and opened (SPEC 4, 5, 11, R4; checks 400 to 417)."""

from __future__ import annotations

from typing import Any

from . import deal, draws, rulesets
from .deal import Tile
from .games.hand import Hand
from .games.lead import Asked, drawn_lead, draws_for_lead, lead
from .hashing import commitment, digest
from .shuffle import shuffle
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
    elif name == "lead_drawn":
        lead_drawn(table, data)
    elif name == "dealt":
        dealt(table, data)
    elif name == "played" and table.hand is not None:
        played(table, table.hand, data)
    elif name == "gave" and table.hand is not None:
        holds(table, table.hand, data)
    elif name == "drew" and table.hand is not None and table.hand.boneyard:
        table.check("cut/draw", table.hand.boneyard[0], data["seal"], position)
    elif name == "round_ended":
        round_seed(table, table.round, data["round_seed"])
    elif name == "drawn" and table.server_seed is not None:
        due = draws.draw(table.row, table.match, table.server_seed, table.cut_key)
        table.check("draw/result", due.result, data["result"])
        table.check("draw/result", due.seals, data.get("seals"))


def opened(table: Table) -> None:
    """Checks 400, 401 and 404."""
    row, seats, washes = table.row, table.seats, table.opened["washes"]
    low, high = rulesets.SEATS[row["id"]]
    if not low <= seats <= high:
        few = plural(high, "seat") if low == high else f"{low} to {high} seats"
        table.fail("deal/options", few, plural(seats, "seat"))
    if table.draw:
        if table.opened["rounds_max"] != 1:
            table.fail("deal/options", "rounds_max 1", f"rounds_max {table.opened['rounds_max']}")
        n, due = row["n"], 1 if row["kind"] == "order" else 0
    else:
        n, due = len(table.tiles()), table.opened["rounds_max"]
        problem = misfit(row, seats)
        if problem is not None:
            table.fail("deal/options", *problem)
    if len(washes) != due:
        said = plural(due, "wash", "washes"), plural(len(washes), "wash", "washes")
        table.fail("deal/wash-count", *said)
    if due * n > MAX_SEALS:
        table.fail("deal/wash-count", f"at most {MAX_SEALS} seals in all", f"{due * n} seals")
    due_lead, has_lead = draws_for_lead(row), "lead_wash" in table.opened
    if due_lead != has_lead:
        wash_of_lead = {True: "a wash for the lead", False: "no wash for the lead"}
        table.fail("deal/wash-count", wash_of_lead[due_lead], wash_of_lead[has_lead])
    if table.server_seed is None:
        return
    leads = [(0, table.opened["lead_wash"])] if "lead_wash" in table.opened else []
    for r, root in (*leads, *enumerate(washes, 1)):
        if table.draw:
            washed = draws.wash_of(row, table.match, table.server_seed)
        else:
            washed = table.wash_under(r, deal.round_seed(table.server_seed, table.match, r))
        if washed.root.hex() != root:
            what = f"hand {r}" if r else "the lead draw"
            table.fail("wash/root", f"{washed.root.hex()} for {what}", root)


def misfit(row: dict[str, Any], seats: int) -> tuple[str, str] | None:
    """Check 400: the first condition of R3 that joins options and is broken, as (due, is)."""
    n, dealt, kept = len(deal.tile_set(row["set"])), seats * row["hand"], row.get("protected", 0)
    if dealt + kept > n:
        return f"at most {n} tiles in hands and protected", f"{dealt + kept} tiles"
    if row["partners"] and seats != 4:
        return "4 seats with partners", plural(seats, "seat")
    if row.get("deal_all") and dealt != n:
        return f"all {n} tiles dealt", f"{dealt} tiles"
    if row["count_all"] and row["score"] != "total":
        return "count_all only with score total", f"score {row['score']}"
    return None


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
    seated = table.seated.get(seat, {})
    committed, key = seated.get("client_seed_commitment"), seated.get("public_key", "")
    raw = bytes.fromhex(seed), bytes.fromhex(key)
    if commitment(table.hashes[0], seat, *raw).hex() != committed:
        table.fail("seed/commitment", f"a seed that opens {committed}", seed)


def seals(table: Table, r: int, given: list[str]) -> None:
    """Check 407; r 0 is the lead draw. A root that was not announced is for 401 or 606 to miss."""
    n, root = len(table.tiles()), table.root(r)
    if root is None:
        return
    if len(given) != n:
        table.fail("deal/seals", f"{n} seals", f"{len(given)} seals")
    else:
        found = deal.wash_root(table.match, r, [bytes.fromhex(seal) for seal in given]).hex()
        if found != root:
            table.fail("deal/seals", f"seals with the root {root}", found)


def lead_drawn(table: Table, data: dict[str, Any]) -> None:
    """Checks 407, 410 and 417 of the lead draw (4.5)."""
    seals(table, 0, data["seals"])
    if data["lead"] >= table.seats:
        table.fail("deal/lead", f"a seat below {table.seats}", table.who(data["lead"]))
    washed, tiles = table.wash_under(0, bytes.fromhex(data["round_seed"])), table.tiles()
    if washed.root.hex() == table.root(0):
        places = shuffle(table.cut_key, "cut-map", 0, len(tiles))[: table.seats]
        drawn = [tiles[washed.order[place]] for place in places]
        table.check("deal/lead", drawn_lead(drawn), data["lead"], table.who)
    round_seed(table, 0, data["round_seed"])


def dealt(table: Table, data: dict[str, Any]) -> None:
    """Checks 407 to 411. The hand begins here, as the cut gives it."""
    row, r, tiles = table.row, data["round"], table.tiles()
    seals(table, r, data["seals"])
    table.check("deal/hand-size", row["hand"], data["hand_size"], lambda n: plural(n, "tile"))
    table.check("deal/aside", [], data["aside"])
    hands, boneyard = deal.cut(table.cut_key, r, len(tiles), table.seats, data["hand_size"])
    washed = table.wash(r)
    lying = None if washed is None else [tiles[i] for i in washed.order]
    held = None if lying is None else [[lying[place] for place in hand] for hand in hands]
    if data["lead"] >= table.seats:
        table.fail("deal/lead", f"a seat below {table.seats}", table.who(data["lead"]))
    before = table.before if r > 1 else None
    due = lead(Asked(row, held, table.seats, len(table.scores), table.drawn_lead, before))
    if due.seat is not None:
        table.check("deal/lead", due.seat, data["lead"], table.who)
    must_set = deal.read(data["must_set"]) if "must_set" in data else None
    if due.must_set is not None or not due.must:
        table.check("deal/must-set", due.must_set, must_set, tile_or_nothing)
    elif must_set not in tiles:
        table.fail("deal/must-set", "a tile of the set", data.get("must_set"))
    table.hand = Hand(
        row,
        hands,
        boneyard,
        data["lead"] % table.seats,
        lying,
        must_set,
        data["seals"],
        {**shown_later(table, r, data["seals"]), **table.shown.get(r, {})}
        if lying is None
        else None,
        table.scores,
    )


def tile_or_nothing(tile: Tile | None) -> str:
    """A tile in words, or that there is none."""
    return "nothing" if tile is None else deal.written(tile)


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


def holds(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Check 412."""
    held = hand.hands[data["seat"]]
    if data["seal"] not in held:
        due = f"one of the positions {sorted(held)}"
        table.fail("cut/foreign-seal", due, position(data["seal"]))


def played(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 412 to 414."""
    place, tile = data["seal"], deal.read(data["tile"])
    holds(table, hand, data)
    salt, thing = bytes.fromhex(data["salt"]), deal.tile_bytes(tile)
    seal = deal.seal(table.match, table.round, place, salt, thing).hex()
    table.check("seal/mismatch", dict(enumerate(hand.seals)).get(place), seal)
    if tile not in table.tiles():
        table.fail("deal/duplicate-tile", "a tile of the set", data["tile"])
    elif tile in hand.line.tiles:
        table.fail("deal/duplicate-tile", "a tile that is not on the line", data["tile"])


def round_seed(table: Table, r: int, got: str) -> None:
    """Check 417; r 0 is the lead draw. If its root was not announced, that is for 401 to miss."""
    root = table.root(r)
    if table.server_seed is not None and (r or root is not None):
        due = deal.round_seed(table.server_seed, table.match, r).hex()
        table.check("seed/round-seed", due, got)
    if root is not None and table.wash_under(r, bytes.fromhex(got)).root.hex() != root:
        table.fail("seed/round-seed", f"a seed whose wash has the root {root}", got)
