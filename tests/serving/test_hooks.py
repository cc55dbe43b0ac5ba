"""What gunicorn is told and asks: files for connections, one voice, a store that is away."""

from __future__ import annotations

import dataclasses
import os
import resource
from pathlib import Path
from types import SimpleNamespace

import pytest

from fairbones.config import Settings, load_settings
from fairbones.core.errors import FairbonesError
from fairbones.serving import hooks, serve
from fairbones.serving.hooks import files_for, gunicorn_settings, made, refuse
from fairbones.serving.tokens import Tokens

AWAY = FairbonesError("store/unreachable", "the store is away")


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("FAIRBONES_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(hooks._Family, "refusals", None)
    monkeypatch.setattr(hooks._Family, "successor", None)
    monkeypatch.setattr(hooks, "AWAY_SECONDS", 0.0)


def shared(**more: object) -> Settings:
    settings = dataclasses.replace(load_settings(), store="redis://x", workers=3)
    return dataclasses.replace(settings, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("soft", "hard", "wanted", "given", "room"),
    [
        (1_024, 1_048_576, 8_000, 8_384, 8_000),
        (1_024, 4_096, 8_000, 4_096, 3_712),
        (20_000, 20_000, 8_000, None, 8_000),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, 8_000, None, 8_000),
        (1_024, resource.RLIM_INFINITY, 8_000, 8_384, 8_000),
        (256, 256, 8_000, 256, 16),
    ],
)
def test_as_many_files_as_connections_need(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, wanted: int, given: int | None, room: int
) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr("resource.getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr("resource.setrlimit", lambda _, limits: asked.append(limits))
    assert files_for(wanted) == room
    assert asked == ([] if given is None else [(given, hard)])


def test_a_store_chooses_the_worker() -> None:
    told = gunicorn_settings(load_settings())
    assert told["worker_class"] == "fairbones.serving.worker.HouseWorker"
    assert (told["workers"], told["threads"]) == (1, 32)
    told = gunicorn_settings(shared(connections=100))
    assert told["worker_class"] == "fairbones.serving.crowd.CrowdWorker"
    assert (told["workers"], told["threads"], told["worker_connections"]) == (3, 1, 100)


def test_wrong_settings_end_a_gunicorn_of_ones_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FAIRBONES_PORT", "x")
    with pytest.raises(SystemExit) as ended:
        gunicorn_settings()
    assert ended.value.code == 3
    assert capsys.readouterr().err.startswith("fairbones: FAIRBONES_PORT is 'x'; it has to be")


def test_tokens_are_taken_by_all_who_were_forked() -> None:
    tokens = Tokens(3)
    child = os.fork()
    if not child:
        os._exit(0 if tokens.take() else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert [tokens.take() for _ in range(4)] == [True, True, False, False]
    assert [Tokens(0).take()] == [False]


def test_many_workers_refuse_in_one_voice(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hooks._Family, "refusals", Tokens(1))
    monkeypatch.setattr(hooks, "SECOND_SECONDS", 0.0)
    for _ in range(3):
        with pytest.raises(SystemExit):
            refuse(AWAY)
    assert capsys.readouterr().err == "fairbones: the store is away\n"


def test_the_first_workers_do_not_wait_for_a_store() -> None:
    def make() -> None:
        raise AWAY

    with pytest.raises(SystemExit):
        made(make)


def test_a_successor_waits_until_it_is_told_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    signs: list[int] = []
    worker = SimpleNamespace(alive=True, age=3, notify=lambda: signs.append(1))
    server = SimpleNamespace(cfg=SimpleNamespace(workers=2))
    hooks.post_fork(server, SimpleNamespace(age=2))
    found = [hooks._Family.successor]
    hooks.post_fork(server, worker)
    assert [*found, hooks._Family.successor] == [None, worker]

    def make() -> str:
        if len(signs) < 3:
            raise AWAY
        return "an app"

    assert made(make) == "an app"
    assert len(signs) == 3

    def other() -> None:
        raise FairbonesError("store/newer", "made by a newer version")

    with pytest.raises(SystemExit):
        made(other)
    worker.alive = False
    signs.clear()
    with pytest.raises(SystemExit):
        made(make)


def test_the_numbers_of_a_dead_worker_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(tmp_path))
    for pid in (7, 8):
        (tmp_path / f"gauge_livesum_{pid}.db").touch()
        (tmp_path / f"counter_{pid}.db").touch()
    hooks.child_exit(None, SimpleNamespace(pid=7))
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left == ["counter_7.db", "counter_8.db", "gauge_livesum_8.db"]


def test_a_shared_store_needs_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairbones.serving.find_spec", lambda name: None)
    with pytest.raises(FairbonesError) as refused:
        serve(shared(), lambda _: None)
    assert refused.value.code == "start/extra"
    assert "fairbones[redis]" in refused.value.message
