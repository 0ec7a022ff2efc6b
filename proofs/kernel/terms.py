"""Terms and formulas: plain nested tuples, their free variables, substitution and negation.

A term is a Fraction, a variable (str) or a tuple headed by an operation:
  (+, t..) (*, t..) (^, a, b) (exp, t) (log, t) (sqrt, t) (max, a, b) (floor, t)
  (W, k, t)             the Lambert function on branch k in {0, -1}: the w with w e^w = t, w >= -1 or w <= -1
  (sum, i, lo, hi, t)   defined iff lo, hi are integers, hi >= lo - 1, and t is defined at each i
  (int, x, a, b, t)     the Riemann integral; defined iff t is defined on all of [a, b] and integrable there
  (diff, x, t, a)       the two-sided derivative of x -> t at a; defined iff t is differentiable there
  (app, f, t..)         a function symbol, total on the reals
Powers: natural exponents are total (0^0 = 1); a negative integer exponent needs a nonzero base; 0^b = 0 for
b > 0; any other power needs a positive base and is exp(b log a).
"""

from __future__ import annotations

from fractions import Fraction
from operator import is_
from typing import Any, NoReturn

Node = Any  # Fraction | str | tuple; Python has no recursive type that mypy could check usefully here


class KernelError(Exception):
    """The kernel's only error: a certificate or statement that it does not accept."""


def require(condition: bool, why: str) -> None:
    """A check on which soundness rests."""
    if not condition:
        raise KernelError(why)


def require_form(condition: bool, why: str) -> None:
    """A check of shape: without it a malformed input would end in a Python error."""
    if not condition:
        raise KernelError("malformed: " + why)


def require_limit(condition: bool, why: str) -> None:
    """A check of size: without it a hostile input would take too long."""
    if not condition:
        raise KernelError("limit: " + why)


def reject(why: str) -> NoReturn:
    raise KernelError(why)


TERM_ARITY = {"+": (2, 400), "*": (2, 400), "^": (2, 2), "exp": (1, 1), "log": (1, 1), "sqrt": (1, 1),
              "max": (2, 2), "floor": (1, 1)}
ATOMS = {">", ">=", "=", "!=", "isint", "def", "undef"}
TRUE_ATOMS = ATOMS - {"undef"}  # those that assert their term to be defined

MAX_SIZE, MAX_DEPTH = 8_000, 150  # of a term or formula, written out as a tree
ZERO, ONE, MINUS = Fraction(0), Fraction(1), Fraction(-1)


def minus(a: Node, b: Node) -> Node:
    return ("+", a, ("*", MINUS, b))


def neg_term(a: Node) -> Node:
    return ("*", MINUS, a)


def ge(a: Node, b: Node) -> Node:
    return (">=", minus(a, b))


def gt(a: Node, b: Node) -> Node:
    return (">", minus(a, b))


FALSE: Node = ("or",)
FORMULAS = ATOMS | {"and", "or", "imp", "all", "ex"}


def is_formula(node: Node) -> bool:
    return isinstance(node, tuple) and node[0] in FORMULAS


def bounded(nodes: tuple[Node, ...]) -> None:
    """What is made of terms may not outgrow those that can be read."""
    level, count, depth = list(nodes), 0, 0
    while level:
        count, depth = count + len(level), depth + 1
        require_limit(count <= 10 * MAX_SIZE and depth <= 2 * MAX_DEPTH, "a term too large")
        level = [c for node in level if isinstance(node, tuple) for c in node[1:]]


def children(node: Node) -> tuple[tuple[Node, ...], str | None, tuple[Node, ...]]:
    """(subnodes outside any binding, bound variable or None, subnodes under it)."""
    if not isinstance(node, tuple):
        return (), None, ()
    head = node[0]
    if head in ("sum", "int"):
        return (node[2], node[3]), node[1], (node[4],)
    if head == "diff":
        return (node[3],), node[1], (node[2],)
    if head in ("all", "ex"):
        return (), node[1], (node[2],)
    if head in ("W", "app"):
        return node[2:], None, ()
    return node[1:], None, ()


def free(node: Node) -> frozenset[str]:
    """The free variables."""
    names, stack = {node} if isinstance(node, str) else set[str](), [node]
    while stack:
        outer, bound, inner = children(stack.pop())
        stack.extend([c for c in outer if isinstance(c, tuple)])
        names.update([c for c in outer if isinstance(c, str)], free(inner[0]) - {bound} if inner else ())
    return frozenset(names)


def substitute(node: Node, x: str, value: Node) -> Node:
    """node with the term value for the free variable x.

    Sound because a bound variable that would capture a variable of the value is refused, not renamed.
    """
    if isinstance(node, str):
        return value if node == x else node
    if not isinstance(node, tuple):
        return node
    _, bound, inner = children(node)
    if bound is not None and bound != x and bound in free(value):
        require(x not in free(inner[0]), f"substitute: {bound} would be captured")
    first = 2 if bound is not None or node[0] in ("W", "app") else 1
    shadowed = (4 if node[0] in ("sum", "int") else 2) if bound == x else None
    made = (*node[:first], *(part if i == shadowed else substitute(part, x, value)
                             for i, part in enumerate(node[first:], first)))
    return node if all(map(is_, made, node)) else made  # what is untouched stays shared


def negate(formula: Node) -> Node:
    """The exact complement of a formula: true at the points where it is false."""
    head = formula[0]
    if head in ("and", "or"):
        return ("or" if head == "and" else "and", *(negate(f) for f in formula[1:]))
    if head == "imp":
        return ("and", formula[1], negate(formula[2]))
    if head in ("all", "ex"):
        return ("ex" if head == "all" else "all", formula[1], negate(formula[2]))
    t = formula[1]
    if head == "def":
        return ("undef", t)
    if head == "undef":
        return ("def", t)
    opposite = {">": (">=", neg_term(t)), ">=": (">", neg_term(t)), "=": ("!=", t), "!=": ("=", t),
                "isint": ("!=", minus(t, ("floor", t)))}
    return ("or", ("undef", t), opposite[head])


def subterms(term: Node) -> set[Node]:
    """All subterms outside binders, the term itself included: each is defined where the term is (strictness)."""
    found = {term}
    for child in children(term)[0]:
        found |= subterms(child)
    return found


def evidently_defined(formula: Node) -> set[Node]:
    """Terms that are defined wherever the formula is true."""
    if formula[0] == "and":
        return set().union(*(evidently_defined(f) for f in formula[1:]))
    return subterms(formula[1]) if formula[0] in TRUE_ATOMS else set()


def integer(node: Node) -> bool:
    return isinstance(node, Fraction) and node.denominator == 1
