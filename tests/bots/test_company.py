"""Bots in company: they join, fill and play among themselves, and leave nothing broken."""

from __future__ import annotations

import random
import threading
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from fairbones.bots.client import Client
from fairbones.bots.company import Company, Wish, _pause
from fairbones.bots.keys import SeatKey
from fairbones.bots.lies import Stopped
from fairbones.bots.seat import Seat
from fairbones_verify import verify
from tests.bots.hall import Hall
from tests.demo.little_house import MATCH, LittleHouse, serve
from tests.servers import until

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
    until_taken(guest, old, [1])
    company.run()
    company.stop()
    human.client.close()
    assert (outcome, company.tally.troubles, company.tally.lies) == ([None], [], [])
    assert [it["taken"] for it in guest.view(kept)["seats"]] == [False, True]
    for untouched in (hidden, young):
        assert not any(it["taken"] for it in guest.view(untouched)["seats"])
    assert company.tally.troubles == []


class Rivals(Client):
    """Before one of us looks at a match from its begin, or sits down, somebody else has sat."""

    seats: ClassVar[dict[str, list[int]]] = {}
    human: ClassVar[list[Seat]] = []

    def _sits(self, when: str) -> None:
        for number in self.seats.pop(when, []):
            rival = next(it for it in self.human if it.number == number)
            threading.Thread(target=rival.play, daemon=True).start()
            until(partial(getattr, rival, "sits"), SECONDS, "the rival's seat")

    def view(self, match: str, token: str | None = None) -> Json:
        told = super().view(match, token)
        self._sits("after the look")
        return told

    def sit(self, match: str, seat: int, token: str, wanted: Any) -> Json:
        if seat == 1:
            self._sits("before the seat is asked for")
        return super().sit(match, seat, token, wanted)


@pytest.mark.parametrize("when", ["after the look", "before the seat is asked for"])
def test_somebody_else_is_faster_at_one_seat(
    hall: Hall, guest: Client, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which is neither a lie nor the end of it for those who go to the other seats."""
    match = opened(guest, seats=3)
    house_key = bytes.fromhex(guest.house_keys()[0]["public_key"])
    client = Client(hall.url)
    human = Seat(client, match, 1, "human", lambda actions: actions[0], house_key)
    monkeypatch.setattr(Rivals, "seats", {when: [1]})
    monkeypatch.setattr(Rivals, "human", [human])
    company = Company(Wish(hall.url, fill=0, seconds=SECONDS), Rivals)
    left = company._leave

    def leave(seat: Seat, stopped: Stopped | None) -> None:
        left(seat, stopped)
        if stopped is None:
            company.end()

    monkeypatch.setattr(company, "_leave", leave)
    company.run()
    company.stop()
    client.close()
    told = company.tally.as_json()
    assert (told["lies"], told["troubles"], told["seats"]) == ([], [], 2)
    assert guest.view(match)["status"] == "ended"


def test_a_seat_that_was_lost_leads_to_another_look(
    hall: Hall, guest: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The match has a free seat still: the one that this bot was not sent to."""
    match = opened(guest, seats=2)
    house_key = bytes.fromhex(guest.house_keys()[0]["public_key"])
    client = Client(hall.url)
    human = Seat(client, match, 1, "human", lambda actions: actions[0], house_key)
    monkeypatch.setattr(Rivals, "seats", {"before the seat is asked for": [1]})
    monkeypatch.setattr(Rivals, "human", [human])
    company = Company(Wish(hall.url, fill=0, seconds=SECONDS), Rivals)
    sent: list[int] = []
    sit = company._sit

    def only_one_at_first(match: str, number: int, house_key: str, key: SeatKey) -> None:
        if sent or number == 1:
            sent.append(number)
            sit(match, number, house_key, key)

    monkeypatch.setattr(company, "_sit", only_one_at_first)
    left = company._leave

    def leave(seat: Seat, stopped: Stopped | None) -> None:
        left(seat, stopped)
        if stopped is None:
            company.end()

    monkeypatch.setattr(company, "_leave", leave)
    company.run()
    company.stop()
    client.close()
    assert sent == [1, 0]
    assert (company.tally.lies, company.tally.troubles) == ([], [])
    assert guest.view(match)["status"] == "ended"


def test_the_list_is_not_asked_for_more_often_than_it_helps() -> None:
    assert [_pause(fill) for fill in (0, 3, 8, 10, 3600)] == [1, 1.5, 4, 5, 5]


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
