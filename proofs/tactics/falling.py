"""Closed forms of partial sums and integrals of polynomials with weights that fall, which SymPy's polynomials give.

A weight is a power a^k of a number, or the exponential of a multiple of k; the closed form is an expression in the end
and in what the weights are there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy

from qtheory.proofs.kernel.terms import MINUS, ONE, ZERO, Node, free, integer, minus, neg_term, substitute
from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
from qtheory.proofs.tactics.builder import Stuck
from qtheory.proofs.tactics.order import replaced

END, B, U = "b'", sympy.Symbol("b'", real=True), sympy.Symbol("u'", real=True)


@dataclass(frozen=True)
class Decay:
    """What the summand falls with: ``power`` is u at the end b', and ``rate`` the s of u (1 + s b/m)^m <= 1."""

    power: Node
    rate: Node
    ratio: Node | None = None  # of one weight to that before it, where they are powers
    size: Decay | None = None  # where the ratio's sign is not known, that of the absolute value


@dataclass
class Names:
    """Symbols for powers, which SymPy would write in its own way."""

    terms: dict[str, Node] = field(default_factory=dict)
    made: dict[Any, Node] = field(default_factory=dict)

    def symbol(self, term: Node) -> Any:
        name = next((n for n, t in self.terms.items() if t == term), f"a{len(self.terms)}'''''")
        self.terms[name] = term
        return sympy.Symbol(name, real=True)

    def read(self, term: Node) -> Any:
        """The term as an expression: what SymPy need not look into is a symbol."""
        if isinstance(term, tuple) and term[0] not in ("+", "*") and not (term[0] == "^" and integer(term[2])):
            return self.symbol(term)
        if isinstance(term, tuple):
            parts = [self.read(t) for t in term[1:]]
            return {"+": sympy.Add, "*": sympy.Mul, "^": sympy.Pow}[term[0]](*parts)
        return to_sympy(term)

    def term(self, expression: Any) -> Node:
        if expression not in self.made:
            t = from_sympy(sympy.factor(expression))
            for name in free(t) & self.terms.keys():
                t = substitute(t, name, self.terms[name])
            self.made[expression] = t
        return self.made[expression]


@dataclass(frozen=True)
class Piece:
    """A part of an integrand: factor(k) times the weight exp(-rate k), its integral primitive(k) times the weight;
    ``products`` are what it is in the integrand, coefficients and products of exponentials."""

    weight: Node
    primitive: Any
    products: tuple[tuple[Any, Node], ...]


@dataclass(frozen=True)
class Form:
    """A partial sum or integral of factor(k) times what falls: its value is primitive(end) u - start, in B and U."""

    decays: dict[Any, Decay]
    value: Any
    factor: Any  # of k; in a sum, of k and times the weight
    primitive: Any  # of k, times a^(k - 1) in a sum, or the weight before it
    k: Any
    fall: Node
    ratio: Node | None = None  # in a sum whose weight at the end is u: of one weight to that before it
    product: bool = False  # in a sum: the weight is written as a product of others
    pieces: tuple[Piece, ...] = ()  # of an integral with several weights


def closed(t: Node, low: Node, names: Names) -> Form:
    """The partial sum or integral from ``low`` in closed form."""
    try:
        return written(t, low, names)
    except sympy.PolynomialError:
        raise Stuck("not a polynomial but for its weight") from None


def written(t: Node, low: Node, names: Names) -> Form:
    head, x, _, _, body = t
    falling = list(dict.fromkeys(falling_in(body, x)))
    if not falling:
        raise Stuck("no geometric or exponential weight")
    if len(falling) > 1:
        return several(t, low, falling, names)
    fall, k, start = falling[0], sympy.Symbol(x, real=True), names.read(low)
    summand = names.read(replaced(body, fall, str(U)))
    if any(x in free(names.terms.get(symbol.name, ZERO)) for symbol in summand.free_symbols):
        raise Stuck("the summand is no polynomial but for its weight")
    weight = sympy.Poly(sympy.expand(summand), U)
    if weight.degree() != 1 or weight.eval(0) != 0:
        return several(t, low, falling, names)
    factor = weight.coeff_monomial(U)
    if head == "sum" and (fall[0] != "^" or fall[2] != minus(x, ONE)):
        ratio, decay = decaying(fall, x, names)
        a = names.read(ratio)
        p = _summed(sympy.Poly(factor, k), a)
        value = a * p.subs(k, B + 1) * U - p.subs(k, start) * names.symbol(replaced(fall, x, low))
        return Form({U: decay}, value, factor, p, k, fall, ratio)
    if head == "sum":
        base = names.read(fall[1])
        p, decay = _summed(sympy.Poly(factor, k), base), Decay(("^", fall[1], END), names.term(1 - base), fall[1])
        first, last = ONE if low == ONE else ("^", fall[1], before(low)), B + 1
    else:
        rate = sympy.cancel(-names.read(fall[1]) / k) if fall[0] == "exp" else k
        if rate.has(k):
            raise Stuck("no exponential weight")
        p, decay = _integrated(sympy.Poly(factor, k), rate), Decay(replaced(fall, x, END), names.term(rate))
        first, last = ONE if low == ZERO else replaced(fall, x, low), B
    value = p.subs(k, last) * U - p.subs(k, start) * (1 if first == ONE else names.symbol(first))
    return Form({U: decay}, value, factor, p, k, fall)


def several(t: Node, low: Node, falling: Sequence[Node], names: Names) -> Form:
    """An integral whose integrand holds several weights, or powers of one: they are multiplied out."""
    head, x, _, _, body = t
    if head == "sum":
        return multiplied(t, low, falling, names)
    if any(fall[0] != "exp" for fall in falling):
        raise Stuck("no single weight")
    k, start, marks = sympy.Symbol(x, real=True), names.read(low), []
    for i, fall in enumerate(falling):
        marks.append(sympy.Symbol(f"w{i}'''''", real=True))
        body = replaced(body, fall, str(marks[-1]))
    rates = [names.read(decaying(fall, x, names)[1].rate) for fall in falling]
    groups: dict[Any, list[tuple[Any, Node]]] = {}
    for powers, coefficient in sympy.Poly(sympy.expand(names.read(body)), *marks).terms():
        rate = sympy.expand(sum(n * r for n, r in zip(powers, rates, strict=True)))
        factors = [("^", f, Fraction(int(n))) for f, n in zip(falling, powers, strict=True) if n]
        product: Node = factors[0] if len(factors) == 1 else ("*", *factors)
        groups.setdefault(rate, []).append((coefficient, product))
    decays, pieces, value = {}, [], sympy.Integer(0)
    for i, (rate, products) in enumerate(groups.items()):
        g = sympy.Poly(sum(c for c, _ in products), k)
        if rate == 0 or any(x in free(names.terms.get(symbol.name, ZERO)) for symbol in g.free_symbols):
            raise Stuck("a part of the integrand without a weight")
        u, p, term = sympy.Symbol(f"u{i}'", real=True), _integrated(g, rate), names.term(rate)
        weight: Node = ("exp", neg_term(("*", term, x)))
        decays[u] = Decay(replaced(weight, x, END), term)
        pieces.append(Piece(weight, p, tuple(products)))
        first = 1 if low == ZERO else names.symbol(replaced(weight, x, low))
        value += p.subs(k, B) * u - p.subs(k, start) * first
    return Form(decays, value, None, None, k, falling[0], pieces=tuple(pieces))


def multiplied(t: Node, low: Node, falling: Sequence[Node], names: Names) -> Form:
    """A sum whose summand is a polynomial times a product of weights: that is c a^(k - 1)."""
    _, x, _, _, body = t
    k, marks, bases, scales = sympy.Symbol(x, real=True), [], list[Node](), list[Node]()
    for i, fall in enumerate(falling):
        marks.append(sympy.Symbol(f"w{i}'''''", real=True))
        body = replaced(body, fall, str(marks[-1]))
    ((powers, coefficient), *others) = sympy.Poly(sympy.expand(names.read(body)), *marks).terms()
    if others or any(x in free(names.terms.get(symbol.name, ZERO)) for symbol in coefficient.free_symbols):
        raise Stuck("no single weight")
    for fall, n in zip(falling, powers, strict=True):
        exponent = sympy.Poly(names.read(fall[1 if fall[0] == "exp" else 2]), k)
        slope, rest = exponent.coeff_monomial(k), exponent.coeff_monomial(1)
        if exponent.degree() != 1 or (fall[0] == "^" and not slope.is_Integer):
            raise Stuck("no geometric weight")
        for made, e in ((bases, n * slope), (scales, n * (slope + rest))):  # c^(s k + r) = (c^s)^(k - 1) c^(s + r)
            made.append(("exp", names.term(e)) if fall[0] == "exp" else raised(fall[1], names.term(e)))
    base: Node = ("*", *bases)
    factor = coefficient * sympy.Mul(*(names.read(scale) for scale in scales))
    p = _summed(sympy.Poly(factor, k), names.symbol(base))
    first = 1 if low == ONE else names.symbol(("^", base, before(low)))
    decay = Decay(("^", base, END), minus(ONE, base), base)
    return Form({U: decay}, p.subs(k, B + 1) * U - p.subs(k, names.read(low)) * first, factor, p, k,
                ("^", base, before(x)), product=True)


def raised(base: Node, n: Node) -> Node:
    return base if n == ONE else ONE if n == ZERO else ("^", base, n)


def decaying(fall: Node, x: str, names: Names) -> tuple[Node, Decay]:
    """The ratio of one weight to that before it, and the weight at b' with the rate of its decay."""
    inverse = fall[0] == "^" and fall[2] == MINUS
    power = fall[1] if inverse else fall
    k = sympy.Symbol(x, real=True)
    slope = sympy.cancel(names.read(power[1 if power[0] == "exp" else 2]) / k)
    if slope.has(k):
        raise Stuck("no geometric or exponential weight")
    if power[0] == "exp":
        rate = names.term(slope if inverse else -slope)
        return ("exp", neg_term(rate)), Decay(replaced(fall, x, END), rate)
    if slope not in (1, -1):
        raise Stuck("no geometric weight")
    base: Node = power[1]
    if inverse != (slope == -1):
        base = 1 / base if isinstance(base, Fraction) else ("^", base, MINUS)
    return base, Decay(replaced(fall, x, END), names.term(1 - names.read(base)), base)


def before(low: Node) -> Node:
    return low - 1 if isinstance(low, Fraction) else minus(low, ONE)


def falling_in(body: Node, x: str) -> Iterator[Node]:
    if isinstance(body, tuple):
        power = body[1] if body[0] == "^" and body[2] == MINUS else body
        if isinstance(power, tuple) and ((power[0] == "^" and x in free(power[2]) and x not in free(power[1]))
                                         or (power[0] == "exp" and x in free(power))):
            yield body
        elif body[0] in ("+", "*", "^", "max"):
            for part in body[1:]:
                yield from falling_in(part, x)


def _summed(g: Any, a: Any) -> Any:
    """The polynomial P with P(k + 1) a - P(k) = g(k)."""
    found: dict[int, Any] = {}
    for j in range(g.degree(), -1, -1):
        above = sum(found[i] * sympy.binomial(i, j) for i in found)
        found[j] = sympy.factor((g.coeff_monomial(g.gen**j) - a * above) / (a - 1))
    return sum(c * g.gen**j for j, c in found.items())


def _integrated(g: Any, rate: Any) -> Any:
    """The polynomial Q with Q' - rate Q = g."""
    found: dict[int, Any] = {}
    for j in range(g.degree(), -1, -1):
        found[j] = sympy.factor(((j + 1) * found.get(j + 1, 0) - g.coeff_monomial(g.gen**j)) / rate)
    return sum(c * g.gen**j for j, c in found.items())


def partial(t: Node) -> Iterator[Node]:
    """The sums and integrals up to b' in a term."""
    if isinstance(t, tuple):
        if t[0] in ("sum", "int") and t[3] == END:
            yield t
            return
        for part in t[1:]:
            yield from partial(part)


__all__ = ["END", "B", "Decay", "Form", "Names", "U", "before", "closed", "decaying", "falling_in", "partial",
           "replaced"]
