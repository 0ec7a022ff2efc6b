"""Monomials as whole numbers, a field of bits for the exponent of each atom: products are sums, quotients differences.

A search for combinations makes products by the hundred thousand, most of them in vain, and looks each up by its
monomials.  Behind the field of an atom lies one for a factor of denominators, so that a summand over its denominators
is one number too.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from qtheory.proofs.kernel.poly import Monomial, Poly
from qtheory.proofs.tactics.builder import Stuck

WIDTH = 20  # bits of a field, of which the last is free, for comparisons
STEP = 2 * WIDTH  # from the field of an atom to that of the next
LARGEST = 1 << WIDTH - 4  # exponent: what is left is room for products
Packed = dict[int, Any]  # a polynomial: coefficients, int or Fraction, by monomial


@lru_cache(maxsize=100_000)
def packed(monomial: Monomial) -> int:
    """The monomial as a number; Stuck if an exponent is too large for products."""
    if any(e > LARGEST for _, e in monomial):
        raise Stuck("an exponent is too large")
    return sum([e << STEP * atom for atom, e in monomial])


@lru_cache(maxsize=100_000)
def unpacked(number: int) -> Monomial:
    """The monomial that the number stands for, but for what is below the fraction bar."""
    out = []
    number = split(number)[0]
    while number:
        atom = ((number & -number).bit_length() - 1) // STEP
        exponent = number >> STEP * atom & (1 << WIDTH) - 1
        out.append((atom, exponent))
        number -= exponent << STEP * atom
    return tuple(out)


def packed_poly(poly: Poly) -> Packed:
    return {packed(m): c for m, c in poly.items()}


def unpacked_poly(poly: Packed) -> Poly:
    return {unpacked(m): c for m, c in poly.items()}


@lru_cache(maxsize=100_000)
def atoms_of(number: int) -> int:
    """The atoms as the digits of a number."""
    return sum([1 << a for a, _ in unpacked(number)])


def all_atoms(monomials: Iterable[int]) -> int:
    """Those of any of the monomials as the digits of a number."""
    atoms = 0
    for m in monomials:
        atoms |= atoms_of(m)
    return atoms


def below_bar(exponents: Iterable[tuple[int, int]]) -> int:
    """(number of a factor, exponent) for each factor of a denominator, as a number."""
    return packed(tuple(exponents)) << WIDTH


def exponents_below(number: int) -> Monomial:
    """(number of a factor, exponent) for each factor below the fraction bar."""
    return unpacked(number >> WIDTH)


@lru_cache(maxsize=100_000)
def split(number: int) -> tuple[int, int]:
    """What is above the fraction bar, and what is below it."""
    above = number & _repeated((1 << WIDTH) - 1, number.bit_length() // STEP + 1)
    return above, number - above


def quotients(number: int, divisors: Iterable[int]) -> dict[int, int]:
    """The number over those of the divisors that divide it; none of them may be below 0."""
    free = _free_bits(number)
    marked = number | free  # in each field the free bit stays where nothing has to be borrowed
    return {n: number - n for n in divisors if n <= number and (marked - n) & free == free}


def _free_bits(number: int) -> int:
    return _repeated(1 << WIDTH - 1 | 1 << STEP - 1, number.bit_length() // STEP + 1)


@lru_cache(maxsize=1000)
def _repeated(bits: int, count: int) -> int:
    return sum([bits << STEP * i for i in range(count)])


__all__ = ["Packed", "all_atoms", "atoms_of", "below_bar", "exponents_below", "packed", "packed_poly", "quotients",
           "split", "unpacked", "unpacked_poly"]
