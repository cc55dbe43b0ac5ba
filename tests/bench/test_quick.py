"""The benches still run, and what they say has the shape that is promised. No time is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import figures
from tests.bench.__main__ import PARTS, main
from tests.bench.harness import Bench, Done, Side, Unequal, Watch, measure


def test_quick_runs_every_bench(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["quick"] is True
    assert {"command", "commit", "python", "cores", "load"} <= told.keys()
    names = [bench["name"] for bench in told["benches"]]
    assert len(set(names)) == len(names) >= len(PARTS)
    for bench in told["benches"]:
        sides = {side["name"]: side["medians"] for side in bench["sides"]}
        assert len(sides) >= 2, bench["name"]
        assert bench["equal"]
        assert bench["ratios"]
        for ratio in bench["ratios"]:
            assert {ratio["of"], ratio["to"]} <= sides.keys()
            assert ratio["kind"] in sides[ratio["of"]]
            assert len(ratio["quartiles"]) == 2


def _bench(*results: object) -> Bench:
    def side(name: str, result: object) -> Side:
        def run(watch: Watch) -> Done:
            watch.start()
            order.append(name)
            watch.stop()
            return Done(1, result)

        return Side(name, "nothing", run)

    order: list[str] = []
    sides = tuple(side(name, it) for name, it in zip("ab", results, strict=True))
    return Bench("it", "unit", "the results", sides, (("a", "b"),))


def test_unequal_work_is_never_compared() -> None:
    with pytest.raises(Unequal, match="it: a and b"):
        measure(_bench(1, 2), 3)


def test_a_bench_has_as_many_rounds_as_it_says() -> None:
    outcome = measure(_bench(1, 1), 4)
    assert outcome.rounds == 4
    assert [(it.of, it.to, it.kind) for it in outcome.ratios] == [
        ("a", "b", "cpu"),
        ("a", "b", "wall"),
    ]


def test_figures_are_written_where_the_page_has_them(tmp_path: Path) -> None:
    told = figures.circumstances(["--rounds", "2"])
    text = figures.block(told, [measure(_bench(1, 1), 2)])
    page = tmp_path / "page.md"
    page.write_text(f"before\n{figures.BEGIN}\nold\n{figures.END}\nafter\n")
    figures.write(text, page)
    written = page.read_text()
    assert written == f"before\n{text}\nafter\n"
    assert "`python3 dev.py bench --rounds 2`" in written
    page.write_text("no figures here")
    with pytest.raises(ValueError, match="0 blocks"):
        figures.write(text, page)


def test_the_page_has_one_block() -> None:
    text = figures.PAGE.read_text(encoding="utf-8")
    assert (text.count(figures.BEGIN), text.count(figures.END)) == (1, 1)
