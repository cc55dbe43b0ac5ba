"""Tails of the chi-square and the Poisson distribution, as natural logarithms.

Both are the regularised incomplete gamma function, which Python's library does not have. A planted
fault is so unlikely that its p-value is no float any more, so everything here is a logarithm.
"""

from __future__ import annotations

from math import exp, inf, lgamma, log, log1p, pi

_TINY = 1e-300
_CLOSE = 1e-17  # terms below this share of the sum change nothing
# The ends of the Stirling series: 1/12a - 1/360a^3 + 1/1260a^5 - 1/1680a^7 + 1/1188a^9.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188)


def ln_chi_square(statistic: float, freedom: int) -> tuple[float, float]:
    """ln of the chance that chi-square is at most, and at least, `statistic`."""
    return ln_gamma(freedom / 2, statistic / 2)


def ln_poisson(count: int, mean: float) -> float:
    """ln of the chance of `count` events or more where `mean` are expected."""
    return ln_gamma(count, mean)[0] if count else 0.0


def ln_gamma(a: float, x: float) -> tuple[float, float]:
    """ln P(a, x) and ln Q(a, x), the lower and the upper regularised incomplete gamma function.

    The smaller of two tails is computed and the other taken from it: below `a + 1` by the power
    series of P, above by the continued fraction of Q. Both have positive terms only.
    """
    if a <= 0 or x < 0:
        raise ValueError(f"no gamma tail at a = {a}, x = {x}")
    if x == 0:
        return -inf, 0.0
    if x < a + 1:
        lower = min(ln_density(a, x) + log(_series(a, x)), 0.0)
        return lower, _other(lower)
    upper = min(ln_density(a, x) + log(a * _fraction(a, x)), 0.0)
    return _other(upper), upper


def ln_density(a: float, x: float) -> float:
    """ln of `x^a e^-x / Gamma(a + 1)`.

    Its three parts are large and cancel; so they are put together as the distance of x from a,
    which is small where it matters, and the small rest of Stirling's formula.
    """
    return -_distance(a, x) - _rest(a) - log(2 * pi * a) / 2


def _distance(a: float, x: float) -> float:
    """`a ln(a/x) + x - a`, also where x is near a."""
    far = (x - a) / (x + a)
    if abs(far) > 0.1:
        return a * log(a / x) + x - a
    # ln(x/a) = 2 artanh(far), and the first term of its series takes x - a away.
    total, power, k = (x - a) * far, 2 * a * far, 1
    while True:
        power *= far * far
        more = total - power / (2 * k + 1)
        if more == total:
            return total
        total, k = more, k + 1


def _rest(a: float) -> float:
    """What Stirling's formula for `ln Gamma(a + 1)` leaves."""
    if a < 16:
        return lgamma(a + 1) - (a + 0.5) * log(a) + a - log(2 * pi) / 2
    return sum(share / a ** (2 * k + 1) for k, share in enumerate(_STIRLING))


def _series(a: float, x: float) -> float:
    """`1 + x/(a+1) + x^2/((a+1)(a+2)) + ...`"""
    total = term = 1.0
    k = a
    while term > _CLOSE * total:
        k += 1
        term *= x / k
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """`1/(x+1-a - 1(1-a)/(x+3-a - 2(2-a)/(x+5-a - ...` by Lentz's method."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value = d
    k = 1
    while True:
        step = -k * (k - a)
        b += 2
        d = 1 / _away(step * d + b)
        c = _away(b + step / c)
        value *= c * d
        if abs(c * d - 1) < 4e-16:
            return value
        k += 1


def _away(value: float) -> float:
    """The value, or something that can be divided by."""
    return value if abs(value) > _TINY else _TINY


def _other(tail: float) -> float:
    """ln(1 - e^tail)."""
    share = exp(tail)
    return log1p(-share) if share < 1 else -inf
