"""A very small house: two seats, one hand of `block`, real hashes and receipts.

It can be taught to lie in two ways. `bend(type, data)` changes an event before it is sealed into
the chain and receipted, so that no hash gives it away; `twist(path, answer)` changes an answer.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.core.protocol import chain, cut, wash

Json = dict[str, Any]

MATCH = bytes(range(16))
SEED = bytes(range(32))
SEATS, HAND, WAIT_MAX = 2, 7, 2.0
NONE: Mapping[str, str] = {}
PAIRS = [(high, low) for high in range(7) for low in range(high + 1)]
TILES = [bytes((low, high)) for high, low in PAIRS]


class LittleHouse:
    """Answers as the API does. One lock: two players and a spectator are all its guests."""

    def __init__(self) -> None:
        self.bend: Callable[[str, Json], object] = lambda _type, _data: None
        self.twist: Callable[[str, Json], object] = lambda _path, _answer: None
        self.key = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
        self.public_key = self.key.public_key().public_bytes_raw()
        self.events: list[chain.Event] = []
        self.tokens: dict[str, int] = {}
        self.seeds: dict[int, bytes] = {}
        self.hands: list[dict[int, tuple[int, int]]] = []
        self.ends: list[int] = []
        self.turn: int | None = None
        self.times_out = 0  # so many actions come too late
        self.grown = threading.Condition()

    def open(self) -> None:
        seed = wash.round_seed(MATCH, SEED, 1)
        self.wash = wash.wash(MATCH, seed, 1, TILES)
        row = {"id": "block", "hand": HAND, "set": 6, "target": 100}
        self.append(
            "opened",
            {
                "protocol": "fairbones/1",
                "ruleset": row,
                "seats": SEATS,
                "rounds_max": 1,
                "server_seed_hash": wash.server_seed_hash(MATCH, SEED).hex(),
                "washes": [self.wash.root.hex()],
                "key_id": chain.key_id(self.public_key),
            },
        )

    def append(self, type_: str, data: Json) -> None:
        self.bend(type_, data)
        prev = self.events[-1].hash if self.events else chain.NO_PREV
        now = time.time_ns() // 1_000_000
        self.events.append(chain.seal_event(MATCH, len(self.events), prev, now, type_, data))

    def receipt(self, seq: int) -> Json:
        event = self.events[seq]
        signature = self.key.sign(chain.receipt_message(MATCH, seq, event.hash))
        name = chain.key_id(self.public_key)
        told: Json = json.loads(chain.receipt(MATCH, seq, event.hash, name, signature))
        return told

    # ------------------------------------------------------------------ the API

    def answer(self, method: str, url: str, token: str | None, body: Json) -> tuple[int, Json]:
        parts = urlsplit(url)
        path, query = parts.path.removeprefix(f"/v1/matches/{MATCH.hex()}"), parse_qs(parts.query)
        with self.grown:
            first = len(self.events)
            seat = self.tokens.get(token or "")
            if path == "/v1/keys":
                key = self.public_key
                told: Json = {
                    "keys": [
                        {"key_id": chain.key_id(key), "public_key": key.hex(), "current": True}
                    ]
                }
            elif path == "/events":
                told = self.follow(int(query["after"][0]), float(query["wait"][0]))
            else:
                if path.endswith("/seed"):
                    self.reveal(int(path.split("/")[2]), body)
                elif path.startswith("/seats/"):
                    self.sit(int(path.split("/")[2]), str(token), body)
                    seat = self.tokens[str(token)]
                elif path == "/actions":
                    if body["seq"] != len(self.events) or seat is None or seat != self.turn:
                        return 409, {"code": "match/stale", "detail": "Look again."}
                    if self.times_out:
                        self.times_out -= 1
                        self.append("timed_out", {"seat": seat})
                        self.act(seat, self.legal(seat)[-1])
                        return 409, {"code": "match/stale", "detail": "Your time was up."}
                    self.act(seat, body["action"], {"signature": body["signature"]})
                receipt, shown = self.receipt(len(self.events) - 1), self.view(seat)
                told = {**shown, "receipt": receipt}
                if method != "GET":
                    news = [self.written(event) for event in self.events[first:]]
                    told = {"events": news, "receipt": receipt, "view": shown}
            self.twist(path, told)
            self.grown.notify_all()
            return 200, told

    @staticmethod
    def written(event: chain.Event) -> Json:
        told: Json = json.loads(event.raw)
        return told

    def head(self) -> Json:
        return {"seq": len(self.events) - 1, "event_hash": self.events[-1].hash.hex()}

    def follow(self, after: int, wait: float) -> Json:
        self.grown.wait_for(lambda: len(self.events) > after + 1, min(wait, WAIT_MAX))
        told = [self.written(event) for event in self.events[after + 1 :]]
        return {"events": told, "head": self.head(), "receipt": self.receipt(len(self.events) - 1)}

    def view(self, seat: int | None) -> Json:
        shown: Json = {"status": "playing", "head": self.head()}
        if seat is not None:
            hand = self.hands[seat].items() if self.hands else []
            shown["you"] = {
                "seat": seat,
                "hand": [
                    {"seal": at, "tile": f"{a}-{b}", "salt": self.wash.salts[at].hex()}
                    for at, (a, b) in hand
                ],
                "legal_actions": self.legal(seat) if seat == self.turn else [],
            }
        return shown

    # ------------------------------------------------------------------ the game

    def sit(self, seat: int, token: str, body: Json) -> None:
        self.tokens[token] = seat
        self.append("seated", {"seat": seat, **body})

    def reveal(self, seat: int, body: Json) -> None:
        self.seeds[seat] = bytes.fromhex(body["client_seed"])
        self.append("seeded", {"seat": seat, **body})
        if len(self.seeds) == SEATS:
            self.deal()

    def deal(self) -> None:
        key = cut.cut_key(self.events[0].hash, [self.seeds[seat] for seat in range(SEATS)])
        dealt = cut.cut(key, 1, len(TILES), SEATS, HAND)
        order = self.wash.order
        self.hands = [{at: PAIRS[order[at]] for at in hand} for hand in dealt.hands]
        best = [max((a == b, a + b, a) for a, b in hand.values()) for hand in self.hands]
        self.turn = best.index(max(best))
        seals = [each.hex() for each in self.wash.seals]
        self.append(
            "dealt",
            {"round": 1, "seals": seals, "hand_size": HAND, "lead": self.turn, "aside": []},
        )

    def legal(self, seat: int) -> list[Json]:
        hand = list(self.hands[seat].values())
        if not self.ends:
            lead = max(hand, key=lambda it: (it[0] == it[1], sum(it), it[0]))
            return [{"type": "play", "tile": f"{lead[0]}-{lead[1]}"}]
        sides = dict(zip(self.ends[::-1], ("right", "left"), strict=True))
        return [
            {"type": "play", "tile": f"{a}-{b}", "end": side}
            for a, b in hand
            for value, side in sides.items()
            if value in (a, b)
        ]

    def act(self, seat: int, action: Mapping[str, str], signed: Mapping[str, str] = NONE) -> None:
        assert action in self.legal(seat)
        pair = tuple(int(half) for half in action["tile"].split("-"))
        at = next(at for at, held in self.hands[seat].items() if held == pair)
        del self.hands[seat][at]
        if self.ends:
            side = ("left", "right").index(action["end"])
            self.ends[side] = sum(pair) - self.ends[side]
        else:
            self.ends = list(pair)
        told = {**action, **signed, "seat": seat, "seal": at, "salt": self.wash.salts[at].hex()}
        del told["type"]
        self.append("played", told)
        self.settle(seat)

    def settle(self, seat: int) -> None:
        other = 1 - seat
        if not self.hands[seat] or not (self.legal(0) or self.legal(1)):
            self.finish("blocked" if self.hands[seat] else "domino")
        elif self.legal(other):
            self.turn = other
        else:
            self.append("passed", {"seat": other})

    def finish(self, reason: str) -> None:
        counts = [sum(a + b for a, b in hand.values()) for hand in self.hands]
        points = [0, 0]
        told: Json = {"round": 1, "reason": reason, "counts": counts, "points": points}
        if counts[0] != counts[1]:
            winner = counts.index(min(counts))
            points[winner] = max(counts)
            told["winner"] = winner
        seed = wash.round_seed(MATCH, SEED, 1).hex()
        self.append("round_ended", {**told, "scores": points, "round_seed": seed})
        self.turn = None
        self.append(
            "match_ended",
            {"reason": "rounds", "scores": points, "server_seed": SEED.hex()},
        )


def serve(house: LittleHouse) -> ThreadingHTTPServer:
    """Put it behind real HTTP; the caller shuts it down."""

    class Door(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 10

        def reply(self) -> None:
            size = int(self.headers.get("Content-Length", 0))
            body = json.loads(self.rfile.read(size) or b"{}")
            token = self.headers.get("Authorization", "").removeprefix("Bearer ") or None
            status, told = house.answer(self.command, self.path, token, body)
            payload = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

        def do_GET(self) -> None:
            self.reply()

        def do_PUT(self) -> None:
            self.reply()

        def do_POST(self) -> None:
            self.reply()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    return server
