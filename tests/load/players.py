"""`python -m tests.load.players URL COUNT SEATS FOLDER SECONDS`: bots of one process, watched.

Writes each match's transcript into FOLDER and prints one JSON object: the statuses of all answers,
the matches that ended, and in words what was wrong.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from fairbones.bots.client import Client, Json
from fairbones.bots.company import Company, Wish
from fairbones.bots.lies import Stopped
from fairbones.bots.seat import Seat

ROUNDS = 2
_STATUSES: Counter[int] = Counter()  # a thread more or less: each adds one at a time


class Watched(Client):
    """Notes every status, also of what is asked again; opens short matches."""

    def open(self, wanted: Mapping[str, object]) -> Json:
        return super().open({**wanted, "rounds_max": ROUNDS, "turn_seconds": 3600})

    def _exchange(
        self,
        method: str,
        path: str,
        payload: bytes | None,
        headers: Mapping[str, str],
        timeout: float,
    ) -> tuple[int, float, bytes]:
        told = super()._exchange(method, path, payload, headers, timeout)
        _STATUSES[told[0]] += 1
        return told


class Guests(Company):
    """Keeps the seats that are done."""

    def __init__(self, wish: Wish) -> None:
        super().__init__(wish, Watched)
        self.seats: list[Seat] = []

    def _leave(self, seat: Seat, stopped: Stopped | None) -> None:
        super()._leave(seat, stopped)
        self.seats.append(seat)


def lost(seat: Seat, transcript: bytes) -> str | None:
    """What of all that a seat was shown does not stand in the transcript, in words.

    A receipt was kept only for an event that had been shown, so the events are all there is.
    """
    shown = b",".join(event.raw for event in seat.record.events)
    if not transcript.startswith(b'{"events":[' + shown):
        return f"{seat.match}: what seat {seat.number} was shown is not in the transcript"
    if max(seat.record.receipts, default=-1) != seat.record.head:
        return f"{seat.match}: seat {seat.number} has no receipt for the end"
    return None


def main(url: str, count: str, seats: str, folder: str, seconds: str) -> None:
    """Play COUNT matches of so many seats; give up after SECONDS."""
    guests = Guests(Wish(url, open=int(count), seats=int(seats), seconds=float(seconds)))
    guests.run()
    guests.stop()
    told = guests.tally.as_json()
    wrong = [str(it) for it in (*guests.tally.lies, *guests.tally.troubles)]
    client = Watched(url)
    transcripts: dict[str, bytes] = {}
    for seat in guests.seats:
        if seat.match not in transcripts:
            transcripts[seat.match] = client.transcript(seat.match)
            (Path(folder) / f"{seat.match}.json").write_bytes(transcripts[seat.match])
        missing = lost(seat, transcripts[seat.match])
        if missing is not None:
            wrong.append(missing)
    client.close()
    print(json.dumps({**told, "statuses": dict(_STATUSES), "wrong": wrong}))


if __name__ == "__main__":
    main(*sys.argv[1:])
