"""Many statistics, one verdict: how unlikely the worst of them is, given how many there are.

The rule of a run: all p-values of honest deals are adjusted together (Holm). The house is rejected
when one of them is at most `ALARM`; so an honest run is rejected once in ten thousand, or less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, inf, log

ALARM = 1e-4  # the chance of a false alarm that a run may have


@dataclass(frozen=True, slots=True)
class Finding:
    """One statistic: its value, its degrees of freedom, and ln of its p-value."""

    name: str
    value: float
    freedom: int
    ln_p: float

    @property
    def p(self) -> str:
        """The p-value as text, however small."""
        return written(self.ln_p)


def holm(ln_ps: Sequence[float]) -> list[float]:
    """ln of the p-values adjusted for how many there are (Holm), in the order given.

    If nothing is wrong, the chance that any of them is at most alpha is at most alpha, however
    they hang together.
    """
    ranked = sorted(range(len(ln_ps)), key=ln_ps.__getitem__)
    adjusted, highest = [0.0] * len(ln_ps), float("-inf")
    for rank, which in enumerate(ranked):
        highest = max(highest, ln_ps[which] + log(len(ln_ps) - rank))
        adjusted[which] = min(highest, 0.0)
    return adjusted


def rejected(findings: Sequence[Finding], alarm: float = ALARM) -> list[Finding]:
    """The statistics that reject, all taken together; the strongest first."""
    adjusted = holm([it.ln_p for it in findings])
    found = [it for it, ln_p in zip(findings, adjusted, strict=True) if ln_p <= log(alarm)]
    return sorted(found, key=lambda it: it.ln_p)


def below(findings: Sequence[Finding], share: float) -> int:
    """How many p-values are below a share. That share of them is expected to be."""
    return sum(it.ln_p < log(share) for it in findings)


def written(ln_p: float) -> str:
    """A p-value of which only the logarithm fits into a float."""
    if ln_p == -inf:
        return "0"
    power = ln_p / log(10)
    if power > -3:
        return f"{10**power:.3f}"
    exponent = floor(power)
    digits = f"{10 ** (power - exponent):.1f}"
    return f"1.0e{exponent + 1}" if digits == "10.0" else f"{digits}e{exponent}"
