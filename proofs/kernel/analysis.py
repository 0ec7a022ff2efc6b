"""Rules of calculus: mean value, intermediate value, fundamental theorem, derivatives carried out."""

from __future__ import annotations

from .calculus import continuous, derivative, undiff
from .terms import (Node, free, ge, gt, minus, neg_term, require, require_form, substitute)
from .theorem import Theorem, all_hyps, rule, settled


def on_closed(thm: Theorem, x: str, a: Node, b: Node) -> frozenset[Node]:
    """The hypotheses besides a <= x <= b of a theorem about all such x; they must not speak of x."""
    rest = thm.hyps - {ge(x, a), ge(b, x)}
    require(all(x not in free(h) for h in rest), f"another hypothesis on the closed interval speaks of {x}")
    return rest


def on_open(thm: Theorem, x: str, a: Node, b: Node) -> frozenset[Node]:
    """The hypotheses besides a < x < b (or a <= x <= b) of a theorem about all such x."""
    rest = thm.hyps - {gt(x, a), gt(b, x), ge(x, a), ge(b, x)}
    require(all(x not in free(h) for h in rest), f"another hypothesis on the open interval speaks of {x}")
    return rest


def ordered(thm: Theorem, x: str, a: Node, b: Node) -> None:
    require(thm.concl in (ge(b, a), gt(b, a)), "the ends of the interval may be in the other order")
    require(x not in free(a) | free(b), f"an end of the interval speaks of {x}")


def continuous_on(thm: Theorem, f: Node, x: str, a: Node, b: Node) -> frozenset[Node]:
    """The hypotheses under which f is defined, and so continuous, on [a, b]."""
    require(continuous(f, x), "the function may be discontinuous where it is defined")
    require(thm.concl == ("def", f), "the function may be undefined on the closed interval")
    return on_closed(thm, x, a, b)


def across(slope: Theorem, order: Theorem, a: Node, b: Node) -> str:
    """The relation to zero of the change over [a, b] that a slope of this sign gives: none if b may be a."""
    return ">=" if slope.concl[0] == ">" and order.concl != gt(b, a) else str(slope.concl[0])


@rule("name", "term", "term", "term", "thm", "thm", "thm")
def mean_value(x: str, f: Node, a: Node, b: Node, order: Theorem, domain: Theorem, slope: Theorem) -> Theorem:
    """f(b) - f(a) has the sign of f' on (a, b): it is f'(c) (b - a) for some c there (Lagrange).

    f is defined and so continuous on [a, b]; on (a, b) the literal derivative is defined and has one sign.
    """
    ordered(order, x, a, b)
    hyps = order.hyps | continuous_on(domain, f, x, a, b) | on_open(slope, x, a, b)
    require(slope.concl == (slope.concl[0], derivative(f, x)), "mean_value: not about the literal derivative")
    require(slope.concl[0] in (">", ">=", "="), "mean_value: the derivative has no sign")
    return Theorem(hyps, (across(slope, order, a, b), minus(substitute(f, x, b), substitute(f, x, a))))


@rule("name", "term", "term", "term", "thm", "thm", "thm", "thm")
def intermediate_value(x: str, f: Node, a: Node, b: Node, order: Theorem, domain: Theorem, low: Theorem,
                       high: Theorem) -> Theorem:
    """f(a) <= 0 <= f(b) and f continuous on [a, b] give a root in [a, b]; where strict, not at that end."""
    ordered(order, x, a, b)
    hyps = all_hyps(order, low, high) | continuous_on(domain, f, x, a, b)
    at_a, at_b = neg_term(substitute(f, x, a)), substitute(f, x, b)
    require(low.concl in ((">", at_a), (">=", at_a)), "intermediate_value: f(a) may be positive")
    require(high.concl in ((">", at_b), (">=", at_b)), "intermediate_value: f(b) may be negative")
    root = ("and", (low.concl[0], minus(x, a)), (high.concl[0], minus(b, x)), ("=", f))
    return Theorem(hyps, ("ex", x, root))


@rule("term", "term", "thm", "thm", "thm", "thm")
def fundamental_theorem(integral: Node, F: Node, order: Theorem, domain: Theorem, primitive: Theorem,
                        slope: Theorem) -> Theorem:
    """int_a^b f = F(b) - F(a) for a <= b, f and F continuous on [a, b], F' = f on (a, b).

    Where F' - f has a sign, so has the difference: the slope of F less the integral up to x is F' - f.
    """
    require_form(isinstance(integral, tuple) and integral[0] == "int", "fundamental_theorem needs an integral")
    _, x, a, b, f = integral
    ordered(order, x, a, b)
    hyps = order.hyps | continuous_on(domain, f, x, a, b) | continuous_on(primitive, F, x, a, b)
    above, below = minus(derivative(F, x), f), minus(f, derivative(F, x))
    require(slope.concl[0] in (">", ">=", "="), "fundamental_theorem: F' - f has no sign")
    require(slope.concl[1] in (above, below), "fundamental_theorem: not about F' - f")
    change = minus(substitute(F, x, b), substitute(F, x, a))
    gain = minus(change, integral) if slope.concl[1] == above and slope.concl[0] != "=" else minus(integral, change)
    return Theorem(hyps | on_open(slope, x, a, b), (across(slope, order, a, b), gain))


@rule("term", "thms")
def integral_flip(integral: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """int_a^b f = -int_b^a f where the latter is defined."""
    require_form(isinstance(integral, tuple) and integral[0] == "int", "integral_flip needs an integral")
    _, x, a, b, f = integral
    other = ("int", x, b, a, f)
    require(settled(other, facts), "integral_flip: the integral may be undefined")
    return Theorem(all_hyps(*facts), ("=", ("+", integral, other)))


@rule("term", "term", "name", "term", "term", "thm", "thms")
def derivative_near(t: Node, g: Node, y: str, low: Node, high: Node, same: Theorem,
                    facts: tuple[Theorem, ...]) -> Theorem:
    """The derivative of f at a is that of g, where this is defined, if f = g on an open interval that holds a."""
    require_form(isinstance(t, tuple) and t[0] == "diff", "derivative_near needs a derivative")
    _, x, f, a = t
    other = ("diff", x, g, a)
    require(y not in (free(f) | free(g)) - {x} | free(low) | free(high), f"derivative_near: {y} is not fresh")
    require(same.concl == ("=", minus(substitute(f, x, y), substitute(g, x, y))), "derivative_near: another equation")
    require({gt(a, low), gt(high, a)} <= {s.concl for s in facts}, "derivative_near: the point may lie outside")
    require(settled(other, facts), "derivative_near: the other derivative may be undefined")
    return Theorem(on_open(same, y, low, high) | all_hyps(*facts), ("=", minus(t, other)))


@rule("term", "thms")
def differentiate(t: Node, facts: tuple[Theorem, ...]) -> Theorem:
    """A term equals itself with its derivatives carried out, where all that this needs is defined."""
    plain, duties = undiff(t)
    require(all(settled(d, facts) for d in (plain, *duties)), "differentiate: a derivative may be undefined")
    return Theorem(all_hyps(*facts), ("=", minus(t, plain)))


