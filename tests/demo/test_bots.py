"""A bot plays a match of strangers, and stops at the first lie, naming the obligation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.bots import party
from fairbones.bots.client import Client, read_object
from fairbones.bots.lies import Problem, Unreachable
from fairbones.bots.players import at_random, heavy_first
from fairbones.core.protocol import chain
from tests.demo.little_house import MATCH, SEED, LittleHouse, serve

Json = dict[str, Any]


@pytest.fixture
def house() -> LittleHouse:
    return LittleHouse()


@pytest.fixture
def url(house: LittleHouse) -> Iterator[str]:
    server = serve(house)
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def run(house: LittleHouse, url: str, *more: str) -> int:
    house.open()
    return party.main(["--url", url, "--match", MATCH.hex(), "--seconds", "20", *more])


def test_an_honest_match_is_played_to_its_end(
    house: LittleHouse, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(house, url, "--keep", str(tmp_path), "--key", house.public_key.hex()) == party.FINE
    assert house.events[-1].type == "match_ended"
    assert f"{len(house.events)} events checked" in capsys.readouterr().out
    kept = json.loads((tmp_path / "seat-1.json").read_text())
    assert kept["events"] == [event.raw.decode() for event in house.events]
    assert kept["receipts"][-1] == house.receipt(len(house.events) - 1)
    assert (tmp_path / "seat-1.json").stat().st_mode & 0o077 == 0


# ------------------------------------------------------------------------- lies


def flip(text: str) -> str:
    """Another hex text of the same length."""
    return f"{int(text[0], 16) ^ 1:x}{text[1:]}"


def shown_hand(told: Json) -> list[Json]:
    """A seat's hand in an answer: a view, or one that holds a view."""
    hand: list[Json] = told.get("view", told).get("you", {}).get("hand", [])
    return hand


class Bends:
    """What a lying house writes into its own chain; every hash and receipt fits."""

    @staticmethod
    def seat_renamed(type_: str, data: Json) -> None:
        if type_ == "seated" and data["seat"] == 0:
            data["name"] = "mallory"

    @staticmethod
    def commitment_replaced(type_: str, data: Json) -> None:
        if type_ == "seated" and data["seat"] == 1:
            data["client_seed_commitment"] = flip(data["client_seed_commitment"])

    @staticmethod
    def seed_replaced(type_: str, data: Json) -> None:
        if type_ == "seeded" and data["seat"] == 1:
            data["client_seed"] = flip(data["client_seed"])

    @staticmethod
    def seed_of_another_seating(type_: str, data: Json) -> None:
        if type_ == "seeded":
            data["seated_hash"] = flip(data["seated_hash"])

    @staticmethod
    def washed_again(type_: str, data: Json) -> None:
        if type_ == "dealt":
            data["seals"].reverse()

    @staticmethod
    def tile_exchanged(type_: str, data: Json) -> None:
        if type_ == "played":
            data["tile"] = "6-5" if data["tile"] != "6-5" else "6-4"

    @staticmethod
    def bone_from_elsewhere(type_: str, data: Json) -> None:
        if type_ == "played":
            data["seal"] = (data["seal"] + 1) % 28

    @staticmethod
    def hand_seed_replaced(type_: str, data: Json) -> None:
        if type_ == "round_ended":
            data["round_seed"] = flip(data["round_seed"])

    @staticmethod
    def house_seed_replaced(type_: str, data: Json) -> None:
        if type_ == "match_ended":
            data["server_seed"] = flip(data["server_seed"])


class Twists:
    """What a lying house answers, beside a chain that is in order."""

    @staticmethod
    def signature_wrong(_path: str, told: Json) -> None:
        if "receipt" in told:
            told["receipt"]["signature"] = flip(told["receipt"]["signature"])

    @staticmethod
    def other_key(_path: str, told: Json) -> None:
        if "receipt" in told:
            other = Ed25519PrivateKey.from_private_bytes(b"\x08" * 32)
            seq = told["receipt"]["seq"]
            signed = bytes.fromhex(told["receipt"]["event_hash"])
            message = chain.receipt_message(MATCH, seq, signed)
            told["receipt"]["signature"] = other.sign(message).hex()

    @staticmethod
    def receipt_held_back(_path: str, told: Json) -> None:
        """Signs what was before the last seat, so that the seating could still be rewritten."""
        if "receipt" in told and told["receipt"]["seq"] == 2:
            told["receipt"] = Twists.house.receipt(1)

    @staticmethod
    def history_replaced(path: str, told: Json) -> None:
        if path == "/events" and told["events"] and told["events"][0]["seq"] > 0:
            opened = LittleHouse.written(Twists.house.events[0])
            opened["data"]["rounds_max"] = 2
            told["events"].insert(0, opened)

    @staticmethod
    def event_left_out(path: str, told: Json) -> None:
        if path == "/events" and len(told["events"]) > 1 and told["events"][0]["seq"] > 0:
            del told["events"][0]

    @staticmethod
    def other_bones_shown(_path: str, told: Json) -> None:
        for bone, tile in zip(shown_hand(told)[:2], ("0-0", "1-0"), strict=False):
            bone["tile"] = tile

    @staticmethod
    def bone_kept_from_its_seat(_path: str, told: Json) -> None:
        del shown_hand(told)[:1]

    house: LittleHouse


BENT = {
    "seat_renamed": "10.3",
    "commitment_replaced": "10.3",
    "seed_replaced": "10.6",
    "seed_of_another_seating": "10.6",
    "washed_again": "10.5",
    "tile_exchanged": "10.6",
    "bone_from_elsewhere": "10.6",
    "hand_seed_replaced": "10.6",
    "house_seed_replaced": "10.6",
}
TWISTED = {
    "signature_wrong": "10.2",
    "other_key": "10.2",
    "receipt_held_back": "10.3",
    "history_replaced": "10.3",
    "event_left_out": "10.3",
    "other_bones_shown": "10.5",
    "bone_kept_from_its_seat": "10.5",
}


@pytest.mark.parametrize("lie", BENT)
def test_a_lie_in_the_chain_ends_the_match(
    house: LittleHouse, url: str, lie: str, capsys: pytest.CaptureFixture[str]
) -> None:
    house.bend = getattr(Bends, lie)
    assert run(house, url) == party.LIED
    assert f"(SPEC {BENT[lie]})" in capsys.readouterr().out


@pytest.mark.parametrize("lie", TWISTED)
def test_a_lie_in_an_answer_ends_the_match(
    house: LittleHouse, url: str, lie: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Twists.house = house
    house.twist = getattr(Twists, lie)
    assert run(house, url) == party.LIED
    assert f"(SPEC {TWISTED[lie]})" in capsys.readouterr().out


def test_no_seed_is_shown_before_the_seating_is_signed(house: LittleHouse, url: str) -> None:
    Twists.house = house
    house.twist = Twists.receipt_held_back
    assert run(house, url) == party.LIED
    assert [event.type for event in house.events] == ["opened", "seated", "seated"]


def test_a_move_in_my_name_that_i_never_sent_ends_the_match(
    house: LittleHouse, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def another_of_its_bones(type_: str, data: Json) -> None:
        if type_ == "played":
            at, (high, low) = next(iter(house.hands[data["seat"]].items()))
            data |= {"seal": at, "tile": f"{high}-{low}", "salt": house.wash.salts[at].hex()}

    house.bend = another_of_its_bones
    assert run(house, url) == party.LIED
    assert "in my name" in capsys.readouterr().out


def unsigned(_type: str, data: Json) -> None:
    data.pop("signature", None)


def signed_by_nobody(type_: str, data: Json) -> None:
    if type_ == "played":
        data["signature"] = flip(data["signature"])


@pytest.mark.parametrize(
    ("bend", "obligation"),
    [
        (lambda type_, data: unsigned(type_, data) if type_ == "seated" else None, "10.3"),
        (lambda type_, data: unsigned(type_, data) if type_ == "seeded" else None, "10.6"),
        (lambda type_, data: unsigned(type_, data) if type_ == "played" else None, "10.6"),
        (signed_by_nobody, "10.6"),
    ],
)
def test_what_i_signed_stands_there_with_my_signature(
    house: LittleHouse, url: str, bend: Any, obligation: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """SPEC 5.6: without it nobody else could tell what I said from what the house says of me."""
    house.bend = bend
    assert run(house, url) == party.LIED
    assert f"(SPEC {obligation})" in capsys.readouterr().out


@pytest.mark.parametrize("late", [1, 5, 99])
def test_who_is_late_goes_on_with_what_the_clock_played(
    house: LittleHouse, url: str, late: int
) -> None:
    house.times_out = late
    assert run(house, url) == party.FINE
    told = [event.type for event in house.events]
    assert told.count("timed_out") == min(late, told.count("played"))


@pytest.mark.parametrize("instead", ["sit", "deal"])
def test_a_void_match_is_no_lie(
    house: LittleHouse,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    instead: str,
) -> None:
    told = {"reason": "house", "server_seed": SEED.hex()}

    def void(_seat: int = 0, token: str = "", _body: object = None) -> None:
        house.tokens[token] = 0
        if house.events[-1].type != "voided":
            house.append("voided", told)

    monkeypatch.setattr(house, instead, void)
    assert run(house, url) == party.STOPPED
    assert "void: house" in capsys.readouterr().out


def test_a_service_that_is_not_there_is_said_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = ["--url", "http://127.0.0.1:1", "--match", MATCH.hex()]
    assert party.main(arguments) == party.STOPPED
    assert capsys.readouterr().out.count("\n") == 1


def test_a_match_that_does_not_end_is_given_up(
    house: LittleHouse, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(house, url, "--pace", "5000", "5000", "--seconds", "0.3") == party.STOPPED
    assert "no end in 0.3 s" in capsys.readouterr().out


# ---------------------------------------------------------------------- players


def test_heavy_first_gets_rid_of_pips() -> None:
    plays = [
        {"type": "play", "tile": tile, "end": end}
        for tile, end in [("5-4", "left"), ("6-3", "left"), ("6-3", "right"), ("4-1", "left")]
    ]
    assert heavy_first(plays) == plays[1]
    assert heavy_first([{"type": "draw"}]) == {"type": "draw"}


def test_at_random_chooses_everything_sooner_or_later() -> None:
    plays = [{"type": "play", "tile": tile} for tile in ("6-6", "5-4", "1-0")]
    assert {at_random(plays)["tile"] for _ in range(200)} == {"6-6", "5-4", "1-0"}


# ----------------------------------------------------------------------- client


@pytest.mark.parametrize("answer", [b"[]", b'{"a":1,"a":2}', b'{"a":1.0}', b'{"a":NaN}', b"{"])
def test_the_client_reads_strict_json_only(answer: bytes) -> None:
    with pytest.raises(Unreachable):
        read_object(answer)


def test_a_refusal_carries_its_code(house: LittleHouse, url: str) -> None:
    house.open()
    client = Client(url)
    with pytest.raises(Problem) as refusal:
        client.act(MATCH.hex(), "nobody", {"seq": 9, "action": {"type": "pass"}})
    client.close()
    assert (refusal.value.status, refusal.value.code) == (409, "match/stale")
