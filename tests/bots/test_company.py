"""Bots in company: they join, fill and play among themselves, and leave nothing broken."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest

from fairbones.bots.client import Client
from fairbones.bots.company import Company, Wish
from fairbones.bots.keys import SeatKey
from fairbones.bots.lies import Stopped
from fairbones.bots.seat import Seat
from fairbones_verify import verify
from tests.bots.hall import Hall
from tests.demo.little_house import MATCH, LittleHouse, serve

Json = dict[str, Any]
SECONDS = 60.0  # by then something hangs


def play(url: str, **wish: Any) -> Json:
    """What bots that were wished for have done."""
    company = Company(Wish(url, seconds=SECONDS, **wish))
    company.run()
    company.stop()
    told: Json = company.tally.as_json()
    return told


def opened(client: Client, **more: object) -> str:
    wanted = {"ruleset": "block", "seats": 2, "rounds_max": 1, "turn_seconds": 3600, **more}
    match: str = client.open(wanted)["event"]["match"]
    return match


def ends(ended: int) -> Json:
    return {"ended": ended, "void": 0, "left": 0, "broken": 0}


def test_matches_among_themselves_end_and_verify(
    hall: Hall, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_ones: list[str] = []
    asked = Client.open

    def noting(client: Client, wanted: Json) -> Json:
        told = asked(client, {**wanted, "rounds_max": 1})
        opened_ones.append(told["event"]["match"])
        return told

    monkeypatch.setattr(Client, "open", noting)
    told = play(hall.url, open=3, seats=3, ruleset="draw", players=("random",))
    assert (told["lies"], told["troubles"], told["matches"]) == ([], [], ends(3))
    assert told["seats"] == 9
    for match in opened_ones:
        assert verify(guest.transcript(match)).verdict == "verified"
        view = guest.view(match)
        assert view["status"] == "ended"
        assert all(seat["reserved"] and seat["public_key"] for seat in view["seats"])
    made = sum(len(guest.events(match, -1)["events"]) for match in opened_ones)
    assert told["events_checked"] == 3 * made


def test_a_match_is_joined_in_its_free_seats_only(hall: Hall, guest: Client) -> None:
    key = SeatKey()
    kept = [{"seat": 1, "public_key": key.public.hex()}]
    match = opened(guest, seats=3, reserved=kept)
    company = Company(Wish(hall.url, match=match, seconds=0))
    company._join(match)
    until_taken(guest, match, [0, 2])
    company.stop()
    told: Json = company.tally.as_json()
    assert (told["seats"], told["seats_left"]) == (2, 2)
    assert guest.view(match)["status"] == "joining"
    assert any("fixed rule" in line for line in company.tally.sentences())
    again = play(hall.url, match=match)
    assert [it["text"] for it in again["troubles"]] == ["no seat of this match is free"]


def until_taken(guest: Client, match: str, wanted: list[int]) -> None:
    """Follow the match until just these seats are taken."""
    head, taken = -1, set[int]()
    while sorted(taken) != wanted:
        told = guest.events(match, head, 10)
        assert told["events"], f"{sorted(taken)} are taken, not {wanted}"
        head = told["head"]["seq"]
        taken |= {it["data"]["seat"] for it in told["events"] if it["type"] == "seated"}


def test_who_waits_for_long_is_joined_and_nobody_else(hall: Hall, guest: Client) -> None:
    old, secret = opened(guest, seats=3), SeatKey()
    kept = opened(guest, reserved=[{"seat": 0, "public_key": secret.public.hex()}])
    hidden = opened(guest, listed=False)
    hall.turned += 100
    young = opened(guest)
    house_key = bytes.fromhex(guest.house_keys()[0]["public_key"])
    human = Seat(Client(hall.url), old, 1, "human", lambda actions: actions[0], house_key)
    company = Company(Wish(hall.url, fill=50, seconds=SECONDS))
    outcome: list[Stopped | None] = []

    def live() -> None:
        try:
            human.play()
            outcome.append(None)
        except Stopped as stopped:
            outcome.append(stopped)
        company.end()

    threading.Thread(target=live, daemon=True).start()
    company.run()
    company.stop()
    human.client.close()
    assert (outcome, company.tally.troubles) == ([None], [])
    assert [it["taken"] for it in guest.view(kept)["seats"]] == [False, True]
    for untouched in (hidden, young):
        assert not any(it["taken"] for it in guest.view(untouched)["seats"])
    assert company.tally.troubles == []


def test_a_service_that_is_restarted_is_waited_for(
    hall: Hall, guest: Client, seed: random.Random
) -> None:
    match = opened(guest, seats=2, rounds_max=1)
    guest.close()
    company = Company(Wish(hall.url, match=match, rate=12, seconds=SECONDS))

    def restart() -> None:
        head = guest.events(match, -1)["head"]["seq"]
        while head < 9:
            head = guest.events(match, head, 10)["head"]["seq"]
        guest.close()
        hall.close()
        hall.open()

    other = threading.Thread(target=restart, daemon=True)
    other.start()
    company.run()
    company.stop()
    other.join(SECONDS)
    told: Json = company.tally.as_json()
    assert (told["troubles"], told["matches"]) == ([], ends(1))
    assert verify(guest.transcript(match)).verdict == "verified"


def test_where_nobody_may_wait_they_look_again(tmp_path: Path, seed: random.Random) -> None:
    hall = Hall(tmp_path, seed, waiters=0).open()
    client = Client(hall.url)
    try:
        match = opened(client)
        assert play(hall.url, match=match)["matches"] == ends(1)
    finally:
        client.close()
        hall.close()


def test_a_lie_is_told_and_its_evidence_kept(tmp_path: Path) -> None:
    house = LittleHouse()
    server = serve(house)

    def washed_again(type_: str, data: Json) -> None:
        if type_ == "dealt":
            data["seals"].reverse()

    house.bend = washed_again
    house.open()
    number = server.server_address[1]
    try:
        told = play_known(f"http://127.0.0.1:{number}", tmp_path)
    finally:
        server.shutdown()
        server.server_close()
    assert told["lies"]
    assert told["lies"][0]["text"].endswith("(SPEC 10.5)")
    assert told["matches"] == {"ended": 0, "void": 0, "left": 0, "broken": 1}
    kept = list((tmp_path / MATCH.hex()).iterdir())
    assert kept
    assert all(it.stat().st_mode & 0o077 == 0 for it in kept)


def play_known(url: str, folder: Path) -> Json:
    """At a house that shows no public view, so the seats are known beforehand."""
    company = Company(Wish(url, seconds=SECONDS, keep=folder))
    opening = company._client.events(MATCH.hex(), -1)["events"][0]["data"]
    key = company._house_key(opening["key_id"])
    for number in range(2):
        company._sit(MATCH.hex(), number, key, SeatKey())
    company.run()
    company.stop()
    told: Json = company.tally.as_json()
    return told
