"""Values of closed terms without rounding: radicals, factorials and logarithms of rationals by their primes.

Enclosures cannot tell equal numbers from close ones, as sqrt(4) written 4**(1/2) from 2.  Each rule here keeps the
value of a term wherever that is defined; whether it is, the enclosures say first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.terms import KernelError, Node, free, integer, require_limit, substitute
from qtheory.proofs.signs import counting

TRIED = 10_000  # divisors; what is left of a number stands for a prime
LARGEST = 20_000  # bits of a power that is carried out
LONGEST = 300  # summands of a sum that is, and the most of a factorial
ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)
Monomials = dict[tuple[tuple[Node, Fraction], ...], Fraction]


def vanishes(term: Node) -> bool:
    """Is a term that has a value shown to be 0?  False says nothing."""
    try:
        return not _reduced(carried_out(term))[0]
    except (KernelError, RecursionError):
        return False


def rational(term: Node) -> Fraction | None:
    """The value of a term that has one, where it is shown to be this rational."""
    try:
        found = carried_out(term)
    except (KernelError, RecursionError):
        return None
    return found if isinstance(found, Fraction) else None


def carried_out(term: Node) -> Node:
    """The term with the same value, in which what is shown to be rational is a number."""
    if not isinstance(term, tuple):
        return term
    if (told := counting(term)) is not None and told.name == "factorial":
        n = carried_out(told.arguments[0])
        if isinstance(n, Fraction) and n.denominator == 1 and 0 <= n <= LONGEST:
            return Fraction(math.factorial(int(n)))
    if term[0] == "sum":
        return _sum(term)
    if term[0] not in ("+", "*", "^", "exp", "log", "sqrt", "max", "floor"):
        return term
    return _number(_rewritten(term[0], [carried_out(c) for c in term[1:]]))


def _rewritten(head: str, parts: list[Node]) -> Node:
    first = parts[0]
    if head == "log":
        return _logarithm(first)
    if head == "exp":
        return _exponential(first)
    if head in ("sqrt", "^"):
        return _power(first, HALF if head == "sqrt" else parts[1])
    if head == "floor":
        ends = _ends(first)
        return Fraction(math.floor(ends[0])) if ends and math.floor(ends[0]) == math.floor(ends[1]) else (head, first)
    if head == "max":
        return _larger(first, parts[1])
    return (head, *parts)


def _larger(a: Node, b: Node) -> Node:
    ends, others = _ends(a), _ends(b)
    if ends and others and (ends[0] >= others[1] or others[0] >= ends[1]):
        return a if ends[0] >= others[1] else b
    return ("max", a, b)


def _number(term: Node) -> Node:
    """The rational that the term is, or the term."""
    if isinstance(term, Fraction):
        return term
    num, den = _reduced(term)
    constant = all(set(m) <= {()} for m in (num, *den))
    return num.get((), ZERO) / math.prod((d[()] for d in den), start=ONE) if constant and all(den) else term


def _reduced(term: Node) -> tuple[Monomials, list[Monomials]]:
    """Numerator and denominators as sums of products of atoms, in which powers of a prime are below 1."""
    forms = Forms()
    num, den = forms.quotient(term)
    return _powers(num, forms), [_powers(dict(f), forms) for f, e in den.items() for _ in range(e)]


def _powers(polynomial: dict[tuple[tuple[int, int], ...], Fraction], forms: Forms) -> Monomials:
    out: Monomials = {}
    for monomial, c in polynomial.items():
        exponents: dict[Node, Fraction] = {}
        for atom, e in monomial:
            base, r = _base(forms.names[atom])
            exponents[base] = exponents.get(base, ZERO) + r * e
        for base in exponents:
            if isinstance(base, Fraction):
                whole = math.floor(exponents[base])
                require_limit(abs(whole) * base.numerator.bit_length() <= LARGEST, "a power too large")
                c *= base ** whole
                exponents[base] -= whole
        key = tuple(sorted(((b, r) for b, r in exponents.items() if r), key=str))
        out[key] = out.get(key, ZERO) + c
    return {key: c for key, c in out.items() if c}


def _base(term: Node) -> tuple[Node, Fraction]:
    """A radical of a rational, or a power of Euler's number, as that and an exponent."""
    if isinstance(term, tuple) and term[0] == "exp" and isinstance(term[1], Fraction):
        return ("exp", ONE), term[1]
    if isinstance(term, tuple) and term[0] == "^" and isinstance(term[1], Fraction) and isinstance(term[2], Fraction):
        return term[1], term[2]
    return term, ONE


def _primes(q: Fraction) -> Iterator[tuple[Fraction, int]]:
    """Primes, or what is left of large numbers, and their exponents in a positive rational."""
    for number, sign in ((q.numerator, 1), (q.denominator, -1)):
        divisor = 2
        while divisor <= TRIED and divisor * divisor <= number:
            count = 0
            while number % divisor == 0:
                number, count = number // divisor, count + 1
            if count:
                yield Fraction(divisor), sign * count
            divisor += 1
        if number > 1:
            yield Fraction(number), sign


def _product(factors: list[Node]) -> Node:
    return ("*", *factors) if len(factors) > 1 else factors[0] if factors else ONE


def _power(base: Node, exponent: Node) -> Node:
    if isinstance(exponent, Fraction) and isinstance(base, Fraction) and base >= 0 and exponent.denominator > 1:
        if base == 0:
            return ZERO if exponent > 0 else ("^", base, exponent)
        return _product([_prime_power(p, e * exponent) for p, e in _primes(base)])
    if isinstance(exponent, Fraction):
        if isinstance(base, Fraction) and integer(exponent) and (base or exponent >= 0):
            size = base.numerator.bit_length() + base.denominator.bit_length()
            return base ** int(exponent) if size * abs(exponent) <= LARGEST else ("^", base, exponent)
        if not integer(exponent) and _positive(base):
            return _exponential(_rewritten("*", [exponent, _logarithm(base)]))
        return ("^", base, exponent)
    return _exponential(("*", exponent, _logarithm(base))) if _positive(base) else ("^", base, exponent)


def _prime_power(p: Fraction, exponent: Fraction) -> Node:
    whole = math.floor(exponent)
    if abs(whole) * p.numerator.bit_length() > LARGEST:
        return ("^", p, exponent)
    rest = exponent - whole
    return p ** whole if not rest else ("*", p ** whole, ("^", p, rest))


def _positive(term: Node) -> bool:
    """Is the term seen to be a product of positive numbers, powers of such and exponentials?"""
    if isinstance(term, Fraction):
        return term > 0
    return isinstance(term, tuple) and (term[0] == "exp" or (term[0] == "*" and all(map(_positive, term[1:])))
                                        or (term[0] == "^" and _positive(term[1])))


def _logarithm(t: Node) -> Node:
    if isinstance(t, Fraction) and t > 0:
        found: list[Node] = [("*", Fraction(e), ("log", p)) for p, e in _primes(t)]
        return ("+", *found) if len(found) > 1 else found[0] if found else ZERO
    if isinstance(t, tuple) and _positive(t):
        if t[0] == "*":
            return ("+", *map(_logarithm, t[1:]))
        return t[1] if t[0] == "exp" else ("*", t[2], _logarithm(t[1]))
    return ("log", t)


def _exponential(t: Node) -> Node:
    """exp(c log(p) + rest) = p^c exp(rest)."""
    forms = Forms()
    num, den = forms.quotient(t)
    if den:
        return ("exp", t) if num else ONE
    factors: list[Node] = []
    rest: list[Node] = []
    for monomial, c in num.items():
        names = [forms.names[atom] for atom, e in monomial for _ in range(e)]
        logs = [a[1] for a in names if isinstance(a, tuple) and a[0] == "log"]
        if len(names) == len(logs) == 1:
            inner = logs[0]
            factors.append(_prime_power(inner, c) if isinstance(inner, Fraction) else ("^", inner, c))
        else:
            rest.append(_product([c, *names]))
    return _product([*factors, *([("exp", ("+", *rest) if len(rest) > 1 else rest[0])] if rest else [])])


def _sum(term: Node) -> Node:
    _, index, low, high, body = term
    ends = [carried_out(e) for e in (low, high)]
    if not all(isinstance(e, Fraction) and e.denominator == 1 for e in ends) or not -1 <= ends[1] - ends[0] < LONGEST:
        return term
    parts = [carried_out(substitute(body, index, Fraction(i))) for i in range(int(ends[0]), int(ends[1]) + 1)]
    return _number(("+", *parts)) if len(parts) > 1 else parts[0] if parts else ZERO


def _ends(term: Node) -> tuple[Fraction, Fraction] | None:
    """An enclosure of a closed term."""
    if isinstance(term, Fraction):
        return term, term
    try:
        return enclose(term, {}, 64) if not free(term) else None
    except KernelError:
        return None


__all__ = ["carried_out", "rational", "vanishes"]
