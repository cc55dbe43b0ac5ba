"""A match before the verifier: as it was, and as cheats would have it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.demo.check import REFUTED, VERIFIED, Checker, outcome
from fairbones.demo.children import Children, Trouble
from fairbones.demo.forgery import (
    Change,
    Sign,
    forge,
    later_end,
    more_points,
    other_bone,
    other_seals,
)
from fairbones.demo.screen import Screen

UNSIGNED = "seats/unsigned"


class Trial:
    """On one transcript, in the folder `desk`; `Trouble` when a verdict is not as it must be."""

    def __init__(
        self,
        screen: Screen,
        children: Children,
        desk: Path,
        served: bytes,
        public_key: str,
        seats: int,
    ) -> None:
        self._screen = screen
        self._desk = desk
        self._served = served
        self._public_key = public_key
        self._seats = seats
        self._checker = Checker(children, desk)
        self._receipts: list[str] = []

    def verify(self, evidence: Path) -> None:
        """`evidence` is the folder where the players keep theirs."""
        self._screen.title("5  Anybody checks it")
        self._desk.mkdir(parents=True, exist_ok=True)
        (self._desk / "transcript.json").write_bytes(self._served)
        self._receipts = list(self._kept_receipts(evidence))
        self._screen.say(
            f"The transcript, {len(self._served):,} bytes as served, lies in a new folder with "
            f"{len(self._receipts)} receipts that the players kept. A program that shares no line "
            "of code with the house reads it there; of the house it knows the public key:"
        )
        code, report, command = self._checker.check(
            "transcript.json", self._public_key, self._receipts
        )
        self._screen.say(f"$ {command}", "quiet")
        self._screen.quote(report)
        if code != VERIFIED:
            raise Trouble(f"the verifier does not confirm an honest match (exit code {code})")
        if UNSIGNED in report:
            raise Trouble("the players have keys, and the verifier finds seats without")
        self._screen.say(
            "So: every bone lay sealed before anybody sat down, the seeds of "
            f"{self._seats} strangers cut them, all {self._seats} seats are signed, so that every "
            "move is its player's own, every move was legal, every score is right, and nothing was "
            "changed since.",
            "good",
        )

    def _kept_receipts(self, evidence: Path) -> Iterable[str]:
        """Of each seat the one it showed its seed upon, and the last: the chain is one."""
        shown: dict[int, dict[str, Any]] = {}
        for path in sorted(evidence.glob("seat-*.json")):
            receipts = json.loads(path.read_text("utf-8"))["receipts"]
            seating = next(it for it in receipts if it["seq"] >= self._seats)
            shown |= {receipt["seq"]: receipt for receipt in (seating, receipts[-1])}
        for seq, receipt in sorted(shown.items()):
            name = f"receipt-{seq}.json"
            (self._desk / name).write_text(json.dumps(receipt), "utf-8")
            yield name

    def cheat(self, keys: Path) -> None:
        """`keys` is the folder with the house's private key: for once we are a crooked house."""
        self._screen.title("6  And if somebody cheats?")
        self._screen.say("Five copies are forged now; in each, every hash is made to fit again.")
        house = self._house_key(keys).sign
        tries: list[tuple[str, Change, Sign | None, list[str], str]] = [
            ("A stranger, who cannot sign", later_end, None, [], "receipt/signature"),
            ("The house, which can", more_points, house, [], "points/points"),
            ("The house again", other_seals, house, [], "deal/seals"),
            ("The house, in a player's name", other_bone, house, [], "authority/signature"),
            (
                "The house breaks no rule, but the players kept its receipts",
                later_end,
                house,
                self._receipts,
                "receipt/not-in-transcript",
            ),
        ]
        for number, (who, change, sign, receipts, expected) in enumerate(tries, 1):
            name = f"forged-{number}.json"
            forged, what = forge(self._served, change, sign)
            (self._desk / name).write_bytes(forged)
            code, report, _ = self._checker.check(name, self._public_key, receipts)
            self._screen.say()
            self._screen.say(f"{number}. {who}: {what}.")
            self._screen.quote(outcome(report))
            if code != REFUTED or expected not in report:
                raise Trouble(f"this forgery is not refuted for {expected} (exit code {code})")
            self._screen.pause(1)
        self._screen.say()
        self._screen.say("All five are refuted, four of them with proof against the house.", "good")

    def _house_key(self, keys: Path) -> Ed25519PrivateKey:
        for path in keys.glob("receipt-*.key"):
            key = Ed25519PrivateKey.from_private_bytes(path.read_bytes())
            if key.public_key().public_bytes_raw().hex() == self._public_key:
                return key
        raise Trouble(f"the house's private key is not in {keys}")
