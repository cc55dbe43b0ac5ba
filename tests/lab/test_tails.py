"""The tails of chi-square and Poisson, against sums of fifty digits and published values."""

from __future__ import annotations

import random
from decimal import Decimal, localcontext
from fractions import Fraction
from math import exp, expm1, factorial, inf, isclose, log

import pytest

from tests.lab.tails import ln_chi_square, ln_gamma, ln_poisson

CLOSE = 1e-10
DIGITS = 80


def arctangent(inverse: int) -> Decimal:
    """arctan(1 / inverse), as exact as the sums are: far out a tail is what is left of 1."""
    total, power, k = Decimal(0), Decimal(1) / inverse, 0
    while power > Decimal(10) ** (-3 * DIGITS):
        total += (-1) ** k * power / (2 * k + 1)
        power /= inverse * inverse
        k += 1
    return total


def upper(freedom: int, x: Fraction) -> Decimal:
    """Q(freedom / 2, x) in closed form: a finite sum, and for odd freedom erfc beside it."""
    with localcontext() as context:
        context.prec = 3 * DIGITS
        at = Decimal(x.numerator) / Decimal(x.denominator)
        a = Decimal(freedom % 2) / 2
        total = Decimal(0)
        if freedom % 2:
            root = (16 * arctangent(5) - 4 * arctangent(239)).sqrt()
            # erf by its series with positive terms, then its complement.
            term = 2 * at.sqrt() * (-at).exp() / root
            series, k = Decimal(0), 0
            while k < at or term > Decimal(10) ** (-2 * DIGITS):
                series += term
                k += 1
                term *= 2 * at / (2 * k + 1)
            total, term = 1 - series, at.sqrt() * (-at).exp() / (root / 2)
            a += 1
        else:
            term, a = (-at).exp(), Decimal(1)
        for _ in range(freedom // 2):
            total += term
            term *= at / a
            a += 1
        return +total


def agree(freedom: int, x: Fraction) -> None:
    """Both tails are those of the sum."""
    lower_ln, upper_ln = ln_gamma(freedom / 2, float(x))
    with localcontext() as context:
        context.prec = 3 * DIGITS
        true = upper(freedom, x)
        for found, wanted in ((upper_ln, true), (lower_ln, 1 - true)):
            if wanted > Decimal(10) ** -DIGITS:
                # A difference of logarithms is a relative error of the tail itself.
                assert abs(Decimal(found) - wanted.ln()) < Decimal(CLOSE), (freedom, x)


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 9, 20, 27, 31, 32, 33, 108, 350, 378, 729])
def test_tails_are_those_of_the_closed_form(freedom: int, seed: random.Random) -> None:
    """Near the middle, where the method changes, and far out on both sides."""
    middle = Fraction(freedom, 2)
    for share in (Fraction(1, 4), Fraction(9, 10), 1, Fraction(11, 10), Fraction(3, 2)):
        agree(freedom, middle * share)
    agree(freedom, middle + 1)
    for _ in range(3):
        agree(freedom, Fraction(seed.randrange(1, 3 * freedom * 1000), 2000))


@pytest.mark.parametrize("freedom", [2916, 3000, 8100])
def test_tails_with_many_degrees_of_freedom(freedom: int) -> None:
    """The grids of larger sets: 54^2, 90^2. Even ones alone have a sum without erfc."""
    middle = Fraction(freedom, 2)
    for share in (Fraction(19, 20), 1, Fraction(21, 20)):
        agree(freedom, middle * share)


@pytest.mark.parametrize(
    ("freedom", "quantile", "tail"),
    [
        (1, 3.841458820694124, 0.05),
        (1, 6.634896601021213, 0.01),
        (2, 5.991464547107979, 0.05),
        (3, 7.814727903251179, 0.05),
        (5, 11.070497693516351, 0.05),
        (10, 18.307038053275146, 0.05),
        (10, 23.209251158954356, 0.01),
        (100, 124.34211340400407, 0.05),
    ],
)
def test_tails_are_those_of_the_tables(freedom: int, quantile: float, tail: float) -> None:
    """Quantiles as tables of chi-square have them."""
    assert isclose(exp(ln_chi_square(quantile, freedom)[1]), tail, rel_tol=CLOSE)


def test_far_out_it_is_a_logarithm() -> None:
    """With two degrees of freedom the upper tail is exp(-x/2), beyond any float."""
    assert isclose(ln_chi_square(1e6, 2)[1], -5e5, rel_tol=1e-12)
    assert ln_chi_square(1e6, 729)[1] < -490_000
    assert ln_chi_square(0.0, 5) == (-inf, 0.0)
    with pytest.raises(ValueError, match="no gamma tail"):
        ln_gamma(0.0, 1.0)


@pytest.mark.parametrize("mean", [1e-12, 0.5, 18.6])
def test_poisson(mean: float) -> None:
    """At least k events: one less the sum of the chances of fewer."""
    assert ln_poisson(0, mean) == 0.0
    assert isclose(ln_poisson(1, mean), log(-expm1(-mean)), abs_tol=CLOSE)
    chance = sum(exp(-mean) * mean**k / factorial(k) for k in range(5, 120))
    assert isclose(exp(ln_poisson(5, mean)), chance, rel_tol=CLOSE)
