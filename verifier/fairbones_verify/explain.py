"""One tile explained, from the wash to where it ended (spec/tools.md): every hash, recomputed.

Nothing here is believed: what can be computed is, and what the transcript says stands beside it,
`equal` or not. In a verified transcript it always is; here anybody can see why.
"""

from __future__ import annotations

from .explain_cut import cut_steps
from .explain_wash import wash_steps
from .explanation import Explanation
from .sought import Sought
from .strictjson import Document


def explain(document: Document, seal: str) -> Explanation:
    """Explain one seal of a transcript that has the right shape.

    seal: `ROUND:POSITION`, round 0 for the lead draw; a position alone where `rounds_max` is 1.
    Raises sought.NoSuchSeal where the match has no such hand or position.
    """
    sought = Sought(document, seal)
    first, washed = wash_steps(sought)
    second, fate = cut_steps(sought, washed)
    return Explanation(
        sought.match.hex(),
        sought.r,
        sought.position,
        washed.tile,
        [*first, *second],
        fate,
        sought.complete,
    )
