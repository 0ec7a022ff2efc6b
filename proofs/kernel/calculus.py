"""Derivatives of terms, and which terms are continuous, by their shape.

``derivative(f, x)`` is a literal term f' with: at every point where f and f' are both defined, and f is defined
on an interval around it or x runs in such an interval, f is differentiable in x with derivative f'.  No subterm
that contains x is ever simplified away: f' carries u^-1 for log u, (sqrt u)^-1 for sqrt u, a^-1 for a power with
a variable exponent, exp(-W)(1+W)^-1 for W(u).  So where f and f' are defined, each of them is in the open part
of its domain, where it is differentiable, and the chain rule applies.

An integral of g over t from a to b depends on x by its upper end alone, and its f' is (g(b) + 0 g'(b)) b'.  Where
that is defined, so are g and its literal derivative at b: g is then defined around b.  What has a literal
derivative is continuous where it is defined, so G(y) = int_a^y g is defined and differentiable around b, G' = g, and
the chain rule applies to G(b(x)).  Without g'(b) the end might be the last point at which g is defined.
"""

from __future__ import annotations

from fractions import Fraction

from .terms import MINUS, ONE, ZERO, Node, bounded, free, integer, neg_term, reject, require, substitute


def derivative(f: Node, x: str) -> Node:
    if f == x:
        return ONE
    if x not in free(f):
        return ZERO
    head = f[0]
    if head == "+":
        return ("+", *(derivative(t, x) for t in f[1:]))
    if head == "*":
        parts = [("*", derivative(t, x), *f[1:i + 1], *f[i + 2:]) for i, t in enumerate(f[1:]) if x in free(t)]
        return parts[0] if len(parts) == 1 else ("+", *parts)
    if head == "^" and f[2] == 0:  # not 0 u^-1 u', which is undefined where u is 0
        return ("*", ZERO, derivative(f[1], x))
    if head == "^" and integer(f[2]):
        return ("*", f[2], ("^", f[1], f[2] - 1), derivative(f[1], x))
    if head == "^":
        require(x not in free(f[2]), "derivative: the variable stands in an exponent; write exp(b log a)")
        return ("*", f[2], f, ("^", f[1], MINUS), derivative(f[1], x))
    if head == "exp":
        return ("*", f, derivative(f[1], x))
    if head == "log":
        return ("*", ("^", f[1], MINUS), derivative(f[1], x))
    if head == "sqrt":
        return ("*", Fraction(1, 2), ("^", f, MINUS), derivative(f[1], x))
    if head == "W":
        return ("*", ("exp", neg_term(f)), ("^", ("+", ONE, f), MINUS), derivative(f[2], x))
    if head == "sum":
        require(x not in free(f[2]) | free(f[3]), "derivative: the variable stands in the ends of a sum")
        return ("sum", f[1], f[2], f[3], derivative(f[4], x))
    if head == "int":
        _, t, a, b, g = f
        require(x not in free(a) | (free(g) - {t}), "derivative: not only the upper end of an integral moves")
        return ("*", ("+", substitute(g, t, b), ("*", ZERO, substitute(derivative(g, t), t, b))), derivative(b, x))
    reject(f"derivative: {head} is not differentiated")


def continuous(f: Node, x: str) -> bool:
    """Is f, wherever it is defined on an interval of x, continuous there?  By its shape alone.

    An integral from a fixed a to b(x), defined for all these x, changes by at most a bound of its integrand, which
    is bounded between a and each b(x), times the change of the end, whatever else the integrand is.
    """
    if x not in free(f) or f == x:
        return True
    head = f[0]
    if head in ("+", "*", "exp", "log", "sqrt", "max", "W"):
        return all(continuous(t, x) for t in f[1:])
    if head == "^":
        return x not in free(f[2]) and continuous(f[1], x)
    if head == "sum":
        return x not in free(f[2]) | free(f[3]) and continuous(f[4], x)
    if head == "int":
        return x not in free(f[2]) | (free(f[4]) - {f[1]}) and continuous(f[3], x)
    return False


def undiff(term: Node) -> tuple[Node, list[Node]]:
    """The term with each derivative carried out, and the terms whose definedness makes that right.

    A term that is defined together with its literal derivative is defined around the point (see above).  So of
    each inner obligation the derivative is an obligation too; then the inner derivative equals the literal one
    around the point, and the outer derivative may be taken of that.
    """
    if not isinstance(term, tuple):
        return term, []
    head = term[0]
    if head == "diff":
        _, x, body, at = term
        inner, duties = undiff(body)
        point, more = undiff(at)
        slope = derivative(inner, x)
        around = [derivative(d, x) for d in duties]
        duties = [substitute(d, x, point) for d in [*duties, *around, inner, slope]]
        bounded((slope, *duties))
        return substitute(slope, x, point), [*more, point, *duties]
    if head in ("sum", "int", "app"):
        return term, []
    first = 2 if head == "W" else 1
    parts = [undiff(t) for t in term[first:]]
    return (*term[:first], *(p[0] for p in parts)), [d for p in parts for d in p[1]]
