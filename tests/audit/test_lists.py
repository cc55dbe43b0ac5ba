"""What a service's list says of times, and what it hides with `--since` (spec/audit.md, 1)."""

from __future__ import annotations

import pytest

from tests.audit.hosts import Asked, host
from tests.audit.running import audit, summary
from tests.audit.test_service import FIRST, MATCHES, SECOND, YOUNG


def rows(*given: tuple[str, object]) -> dict[str, object]:
    """A page of a list that says of each match when it was opened."""
    return {"matches": [{"id": name, "opened_at": at} for name, at in given], "now": 9}


def test_matches_before_since() -> None:
    """What the list calls older is not asked for, nor what is behind it; and that is told."""

    def answer(asked: Asked) -> None:
        if "cursor=old" in asked.path:
            asked.say({**rows((SECOND, YOUNG - 10)), "cursor": "older"})
        elif "cursor=older" in asked.path:
            raise AssertionError
        elif "limit" in asked.path:
            asked.say({**rows((FIRST, YOUNG)), "cursor": "old"})
        else:
            asked.say(MATCHES[FIRST])

    with host(answer) as served:
        told = summary(served.url, "--since", str(YOUNG - 5))
        said = audit(served.url, "--since", str(YOUNG - 5)).out
        assert not [path for path in served.asked if "older" in path]
    assert (told["exit"], told["whole"], told["transcripts"]["found"]) == (0, False, 1)
    assert told["transcripts"]["skipped_by_list"] == 1
    assert "Not asked for: 1, and what the list has behind them." in said


def test_a_list_that_calls_everything_old() -> None:
    """It hides every match from --since: nothing was looked at, and the exit says so."""

    def answer(asked: Asked) -> None:
        assert "limit" in asked.path
        asked.say(rows((FIRST, YOUNG - 10), (SECOND, YOUNG - 20)))

    with host(answer) as served:
        told = summary(served.url, "--since", str(YOUNG - 5))
        said = audit(served.url, "--since", str(YOUNG - 5))
    counts = told["transcripts"]
    assert (told["exit"], counts["found"], counts["skipped_by_list"]) == (2, 0, 2)
    assert said.exit == 2
    assert said.out.startswith("INCOMPLETE")
    with host(lambda asked: asked.say(rows())) as served:
        assert summary(served.url, "--since", str(YOUNG))["exit"] == 0


@pytest.mark.parametrize("at", [None, 0, 5, -1, 1.5, "x", True, 10**30, 1_704_067_199_999])
def test_a_time_that_cannot_be_hides_no_match(at: object) -> None:
    """Before the protocol there was no match: the transcript is asked for, and says when."""

    def answer(asked: Asked) -> None:
        name = asked.path.removeprefix("/v1/matches/").removesuffix("/transcript")
        asked.say(rows((FIRST, at), (SECOND, at)) if "limit" in asked.path else MATCHES[name])

    with host(answer) as served:
        told = summary(served.url, "--since", str(YOUNG - 5))
    counts = told["transcripts"]
    assert (counts["found"], counts["verified"], counts["skipped_by_list"]) == (2, 2, 0)
    said = type(at) is int and 0 <= at < 2**53
    assert [one["code"] for one in told["unsearched"]] == ["source/list"] * (2 * said)
    assert told["exit"] == 2 * said


def test_a_list_that_tells_another_time() -> None:
    """Found where the transcript is asked for: such a list may hide others."""
    given = [(FIRST, YOUNG), (SECOND, YOUNG + 1)]

    def answer(asked: Asked) -> None:
        name = asked.path.removeprefix("/v1/matches/").removesuffix("/transcript")
        asked.say(rows(*given) if "limit" in asked.path else MATCHES[name])

    with host(answer) as served:
        told = summary(served.url, "--since", str(YOUNG))
        late = summary(served.url, "--since", str(YOUNG + 1))
        assert summary(served.url)["exit"] == 0
    (one,) = told["unsearched"]
    assert (told["exit"], one["code"], SECOND in one["source"]) == (2, "source/list", True)
    assert one["got"] == str(YOUNG + 1)
    assert (late["exit"], late["transcripts"]["before"], len(late["unsearched"])) == (2, 1, 1)


def test_old_and_known_matches_in_turn() -> None:
    """A list that goes round, with an old match in every page, comes to an end."""

    def answer(asked: Asked) -> None:
        listed = {**rows((FIRST, YOUNG), (SECOND, YOUNG - 10)), "cursor": "again"}
        asked.say(listed if "limit" in asked.path else MATCHES[FIRST])

    with host(answer) as served:
        told = summary(served.url, "--since", str(YOUNG - 5))
    assert (told["exit"], [one["code"] for one in told["unsearched"]]) == (2, ["source/list"])
