"""Hands of block planned to their end, so that every request can be made before the clock runs.

Whoever holds all seats' tokens sees all tiles, and in block nobody draws: what is legal follows
from the views of the deal by the plain rules of `tests.bench.plain`.
"""

from __future__ import annotations

import http.client
import json
import random
import re
from dataclasses import dataclass
from typing import Any

from tests.bench.matches import DAY_SECONDS
from tests.bench.plain import PlainHand

SEATS = 4
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Planned:
    """A hand whose head was `dealt`, the requests that play it out, and the head it has then."""

    match: str
    dealt: int
    requests: list[bytes]
    head: int


class Planner:
    """Opens matches over HTTP and plans their one hand; every choice by a die of its own."""

    def __init__(self, port: int, seed: str) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._rnd = random.Random(seed)

    def close(self) -> None:
        self._line.close()

    def ask(self, method: str, path: str, body: object = None, token: str | None = None) -> Json:
        """One request; RuntimeError when it is refused."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        said = None if body is None else json.dumps(body)
        try:
            self._line.request(method, path, said, headers)
            answer = self._line.getresponse()
        except ConnectionError:  # it was idle for as long as connections may be
            self._line.close()
            self._line.request(method, path, said, headers)
            answer = self._line.getresponse()
        told: Json = json.loads(answer.read())
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {told}")
        return told

    def send(self, request: bytes) -> Json:
        """One of the requests of a plan, through the planner's own connection."""
        head, _, body = request.partition(b"\r\n\r\n")
        method, path, _ = head.split(b"\r\n")[0].decode().split(" ")
        token = re.search(rb"Bearer (\S+)", head)
        return self.ask(method, path, json.loads(body), token and token[1].decode())

    def hand(self) -> Planned:
        """A match of one hand, dealt and planned."""
        wanted = {
            "ruleset": "block",
            "seats": SEATS,
            "rounds_max": 1,
            "turn_seconds": DAY_SECONDS,
            "clear_seeds": True,
        }
        match = str(self.ask("POST", "/v1/matches", wanted)["event"]["match"])
        tokens = [self._rnd.randbytes(32).hex() for _ in range(SEATS)]
        for seat, token in enumerate(tokens):
            seed = self._rnd.randbytes(32).hex()
            self.ask("PUT", f"/v1/matches/{match}/seats/{seat}", {"client_seed": seed}, token)
        views = [self.ask("GET", f"/v1/matches/{match}", token=token) for token in tokens]
        return self._plan(match, tokens, views)

    def _plan(self, match: str, tokens: list[str], views: list[Json]) -> Planned:
        hands = [[_tile(it["tile"]) for it in view["you"]["hand"]] for view in views]
        hand = PlainHand(hands, [], draws=False)
        head = dealt = int(views[0]["head"]["seq"])
        if hand.turn != views[0]["turn"]:
            raise RuntimeError("the service lets another seat lead")
        requests = []
        while hand.over() is None:
            kind, tile, end = self._rnd.choice(hand.actions())
            seat = hand.turn
            hand.act(kind, tile, end)
            head += 1
            if tile is None:
                continue  # a pass, which the house makes in the same step
            action = {"type": "play", "tile": f"{tile[0]}-{tile[1]}"}
            if end:
                action["end"] = end
            requests.append(_written(match, tokens[seat], {"seq": head, "action": action}))
        return Planned(match, dealt, requests, head + 2)  # the hand's end and the match's

    def ended(self, planned: Planned) -> bool:
        """Whether all of it was played and signed."""
        view = self.ask("GET", f"/v1/matches/{planned.match}")
        told = view["status"], view["head"]["seq"], view["receipt"]["seq"]
        return told == ("ended", planned.head, planned.head)


def _tile(text: str) -> tuple[int, int]:
    high, low = text.split("-")
    return int(high), int(low)


def _written(match: str, token: str, body: Json) -> bytes:
    """The bytes of one POST, as a lean client writes them."""
    said = json.dumps(body, separators=(",", ":")).encode()
    return (
        f"POST /v1/matches/{match}/actions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(said)}\r\n\r\n"
    ).encode() + said
