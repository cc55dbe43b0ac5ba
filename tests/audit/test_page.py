"""The example of docs/audit.md is what the audit says."""

from __future__ import annotations

import re
from pathlib import Path

from tests.audit.matches import SIXTY, dealt, opened, played, revealed, void
from tests.audit.running import audit, fill
from tests.verifier.forgeries.making import edit
from tests.verifier.primitives import SIGNER

PAGE = Path(__file__).resolve().parents[2] / "docs" / "audit.md"


def example(folder: Path) -> str:
    """A folder with something of everything, audited."""
    houses = [played(k) for k in range(4)]
    houses += [played(9, choose=lambda house, seat: "timeout"), opened(10)]
    houses += [void(dealt(11), "house"), void(dealt(12), "house")]
    houses += [void(revealed(13, 0), "house"), void(opened(14), "house")]
    houses += [
        void(revealed(15 + seat, seat), "seeds-missing", SIXTY, missing=[1 - seat])
        for seat in (0, 1)
    ]
    files = {f"{house.match}.json": house.transcript() for house in houses}
    fill(folder, {**files, "forged.json": edit(played(8), "round_ended", counts=[9, 9])})
    key = SIGNER.public.hex()
    return audit(folder, "--now", "2026-11-01", "--quiet", "--key", key).out


def test_the_example_is_what_an_audit_says(tmp_path: Path) -> None:
    """Line by line; three dots stand for what is left out."""
    page = PAGE.read_text("utf-8").partition("## What comes out\n\n```\n")[2].partition("```\n")[0]
    assert len(page) > 500
    said = example(tmp_path / "f").replace(str(tmp_path / "f"), "/srv/saved-transcripts")
    pieces = [re.escape(piece) for piece in page.split("...")]
    assert re.fullmatch(".*?".join(pieces), said, re.S), said
