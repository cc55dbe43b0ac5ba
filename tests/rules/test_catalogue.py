"""What the catalogue tells people and programs (SPEC R3): never one in the place of the other."""

from __future__ import annotations

from fairbones.core.rules.options import CONDITIONS
from fairbones.core.rules.rulesets import RULESETS


def test_limits_have_codes_and_sentences() -> None:
    for limit in CONDITIONS:
        assert limit.code.startswith("options/")
        assert limit.text.endswith(".")


def test_rulesets_have_titles_and_texts() -> None:
    for ruleset in RULESETS.values():
        assert ruleset.title.casefold().replace(" ", "-").startswith(ruleset.id[:5])
        assert len(ruleset.title) < 30
        assert ruleset.text.endswith(".")
