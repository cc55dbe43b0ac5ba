"""`fairbones keys`: what is printed, what is refused, and matches that go on over a rotation."""

from __future__ import annotations

import json
import random
import stat
from contextlib import ExitStack

import pytest

from fairbones.archive import rewrapping
from fairbones.keys.files import key_files
from fairbones.keys.vault import sealed_under
from fairbones_verify import verify
from tests.cli.houses import Place, begun, finished


def test_a_house_begins_with_two_keys(place: Place) -> None:
    ended = place.process("keys", "create", "--json").ok()
    told = ended.json()["keys"]
    assert [(it["kind"], it["number"], it["newest"]) for it in told] == [
        ("receipt", 1, True),
        ("kek", 1, True),
    ]
    assert set(told[0]) - set(told[1]) == {"public_key"}
    assert place.run("keys", "list", "--json").json() == ended.json()
    assert "has keys already" in place.run("keys", "create").refused()
    for path in place.keys.glob("*.key"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_secret_is_printed(place: Place) -> None:
    said = ""
    for words in ("create", "rotate receipt", "rotate kek", "list", "list --json"):
        ended = place.run("keys", *words.split()).ok()
        said += ended.out + ended.err
    secrets = [it.read_bytes() for it in place.keys.glob("*.key")]
    assert len(secrets) == 4
    assert all(secret.hex() not in said for secret in secrets)


def test_a_store_that_knows_keys_wants_them_back(either: Place, seed: random.Random) -> None:
    """New ones would be of no use to it, and nothing says so anywhere."""
    with either.serving(seed) as party:
        party.open()
    away = either.data / "away"
    either.keys.rename(away)
    said = either.run("keys", "create").refused()
    assert "put the key files back" in said
    assert all(f"{path.name.split('-')[0]}-" in said for path in away.glob("*.key"))
    assert not either.keys.exists()
    told = either.run("doctor", "--json")
    advice = " ".join(it["advice"] for it in told.json()["findings"] if it["level"] == "problem")
    assert (told.code, "put the key files back" in advice, "create" in advice) == (1, True, False)
    if either.store == "sqlite":
        assert "put it back" in either.run("keys", "rewrap").refused()
    either.run("keys", "create", "--anyway").ok()
    assert "put the key files back" in either.run("sweep").refused()


def test_one_kind_of_key_alone_is_not_made_anew(place: Place, seed: random.Random) -> None:
    with place.serving(seed) as party:
        party.open()
    next(place.keys.glob("kek-*.key")).unlink()
    for words in (("create",), ("rotate", "kek")):
        said = place.run("keys", *words).refused()
        assert "put" in said, said
        assert "run `fairbones keys create`" not in said
    findings = place.run("doctor", "--json").json()["findings"]
    assert "create" not in " ".join(it["advice"] for it in findings)


def test_a_store_that_cannot_be_asked_is_no_hindrance(place: Place) -> None:
    ended = place.run("keys", "create", FAIRBONES_STORE="redis://:secret@127.0.0.1:1/0").ok()
    assert "could not be asked" in ended.err
    assert "secret" not in ended.err


def test_what_cannot_be_is_refused(place: Place) -> None:
    assert "keys create" in place.run("keys", "rotate", "kek").refused()
    assert "there is no folder" in place.run("keys", "rewrap").refused()
    place.run("keys", "create").ok()
    assert "no API key" in place.run("keys", "api", "revoke", "0" * 8).refused()
    assert "one line" in place.run("keys", "api", "create", "a\nb").refused()
    assert place.run("keys", "rotate", "other").code == 2
    assert "there is no database" in place.run("keys", "rewrap").refused()
    assert "/dev/null" in place.run("keys", "list", FAIRBONES_KEYS="/dev/null").refused()
    place.keys.chmod(0o755)
    assert "chmod 700" in place.run("keys", "rotate", "kek").refused()


def test_other_variables_are_judged_first(place: Place) -> None:
    said = place.run("keys", "list", FAIRBONES_KEY="x").refused()
    assert "FAIRBONES_KEY is not a variable" in said


def test_api_keys(place: Place) -> None:
    made = place.process("keys", "api", "create", "the lobby").ok()
    text = made.out.strip()
    assert text.startswith("fbk_")
    told = place.run("keys", "api", "create", "bots", "--json").ok().json()
    listed = place.run("keys", "api", "list").ok().out
    assert "the lobby" in listed
    assert text not in listed
    revoked = place.run("keys", "api", "revoke", told["id"], "--json").ok().json()
    assert revoked["id"] == told["id"]
    rows = place.run("keys", "api", "list", "--json").ok().json()["keys"]
    assert [(row["name"], "revoked" in row) for row in rows] == [
        ("the lobby", False),
        ("bots", True),
    ]
    assert json.loads((place.keys / "api-keys.json").read_bytes())["version"] == 1


def test_matches_go_on_over_a_rotation(either: Place, seed: random.Random) -> None:
    """The old match under its old key to the end, the new one under the new; both verify."""
    with ExitStack() as stack:
        one = stack.enter_context(either.serving(seed))
        # In SQLite mode one process has the store; the second is one that came later.
        two = one if either.store == "sqlite" else stack.enter_context(either.serving(seed))
        old = begun(one)
        old_key = one.receipts.keys
        receipt = either.run("keys", "rotate", "receipt", "--json").ok().json()["id"]
        kek = either.run("keys", "rotate", "kek", "--json").ok().json()["id"]
        one.receipts.keys = {
            str(told["key_id"]): bytes.fromhex(str(told["public_key"]))
            for told in list(two.house.keys())
        }
        two.receipts = one.receipts
        assert list(one.receipts.keys) == [receipt, *old_key]
        new = one.open(rounds_max=1)
        new.house = old.house = two.house
        for guests in (old, new.deal()):
            guests.party.clock = two.clock
            guests.play_out()
        papers = [two.house.transcript(it.match_id) for it in (old, new)]
    signed = [json.loads(paper)["receipt"]["key_id"] for paper in papers]
    assert signed == [*old_key, receipt]
    assert [verify(paper).verdict for paper in papers] == ["verified", "verified"]
    assert sealed_under(either.whole(new.match_id).stored.sealed_seed) == kek
    # And over a restart, which wants all of the keys that the store was told of.
    with either.serving(seed) as later:
        assert [later.house.transcript(it.match_id) for it in (old, new)] == papers


def test_seeds_are_sealed_anew(either: Place, seed: random.Random) -> None:
    with either.serving(seed) as party:
        played = [finished(party), begun(party), party.open()]
        (old,) = [file.key_id for file in key_files(either.keys, "kek")]
        papers = [party.house.transcript(it.match_id) for it in played]
    newer = either.run("keys", "rotate", "kek", "--json").ok().json()["id"]
    assert (
        f"seeds of 3 matches are sealed under kek-{old}"
        in either.run("keys", "retire", old).refused()
    )
    told = either.process("keys", "rewrap", "--json").ok().json()
    assert told == {
        "newest": newer,
        "resealed": 3,
        "already": 0,
        "unneeded": [old],
        "problems": {},
    }
    for guests in played:
        assert sealed_under(either.whole(guests.match_id).stored.sealed_seed) == newer
    again = either.run("keys", "rewrap").ok().out
    assert "0 seeds sealed" in again
    assert f"fairbones keys retire {old}" in again
    either.run("keys", "retire", old).ok()
    states = [row["state"] for row in either.run("keys", "list", "--json").json()["keys"]]
    assert states == ["key", "key", "retired"]
    with either.serving(seed) as party:
        assert [party.house.transcript(it.match_id) for it in played] == papers


def test_an_interrupted_rewrap_goes_on(
    place: Place, seed: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place.serving(seed) as party:
        match_ids = [party.open().match_id for _ in range(4)]
    newer = place.run("keys", "rotate", "kek", "--json").ok().json()["id"]
    run = rewrapping.rewrap
    sealed = 0

    def dying(library, vault, newest, under, progress, reseal):  # type: ignore[no-untyped-def]
        def reseal_two(*words: bytes) -> bool:
            nonlocal sealed
            sealed += 1
            if sealed == 3:
                raise KeyboardInterrupt
            return bool(reseal(*words))

        return run(library, vault, newest, under, progress, reseal_two)

    with monkeypatch.context() as patched:
        patched.setattr(rewrapping, "rewrap", dying)
        assert place.run("keys", "rewrap").code == 1
    under = [sealed_under(place.whole(it).stored.sealed_seed) for it in match_ids]
    assert under.count(newer) == 2
    told = place.run("keys", "rewrap", "--json").ok().json()
    assert (told["resealed"], told["already"]) == (2, 2)


def test_a_seed_whose_key_is_gone_is_named(place: Place, seed: random.Random) -> None:
    with place.serving(seed) as party:
        match_id = party.open().match_id
    (old,) = key_files(place.keys, "kek")
    newer = place.run("keys", "rotate", "kek", "--json").ok().json()["id"]
    old.path.rename(old.path.with_suffix(".retired"))
    ended = place.run("keys", "rewrap", "--json")
    assert ended.code == 1
    assert ended.json()["newest"] == newer
    assert old.key_id in ended.json()["problems"][match_id.hex()]
    assert f"rename {old.path.with_suffix('.retired')} to {old.path.name}" in ended.err
    assert match_id.hex() in ended.err


def test_with_sqlite_the_service_must_not_run(place: Place, seed: random.Random) -> None:
    from fairbones.store.folder import DataFolder

    with place.serving(seed) as party:
        party.open()
    held = DataFolder(place.data)
    try:
        for words in (("keys", "rewrap"), ("sweep",), ("prune", "--older-than", "1")):
            assert "another Fairbones" in place.run(*words).refused()
    finally:
        held.release()
