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


MAX_SIZE, MAX_DEPTH = 8_000, 150  # of a term or formula, written out as a tree
ATOMS = {">", ">=", "=", "!=", "isint", "def", "undef"}
TRUE_ATOMS = ATOMS - {"undef"}  # those that assert their term to be defined
CONNECTIVES = {"and", "or", "imp", "all", "ex"}
FORMULAS = ATOMS | CONNECTIVES
LABELLED = {"sum", "int", "diff", "all", "ex", "app", "W"}  # a name or number stands first, which is no subnode
# How many subnodes a node has, at least and at most
ARITY = {"+": (2, 400), "*": (2, 400), "^": (2, 2), "exp": (1, 1), "log": (1, 1), "sqrt": (1, 1), "max": (2, 2),
         "floor": (1, 1), "W": (1, 1), "sum": (3, 3), "int": (3, 3), "diff": (2, 2), "app": (1, MAX_SIZE),
         **dict.fromkeys(ATOMS, (1, 1)), "and": (0, MAX_SIZE), "or": (0, MAX_SIZE), "imp": (2, 2), "all": (1, 1),
         "ex": (1, 1)}
ZERO, ONE, TWO, MINUS = Fraction(0), Fraction(1), Fraction(2), Fraction(-1)


def minus(a: Node, b: Node) -> Node:
    return ("+", a, ("*", MINUS, b))


def neg_term(a: Node) -> Node:
    return ("*", MINUS, a)


def ge(a: Node, b: Node) -> Node:
    return (">=", minus(a, b))


def gt(a: Node, b: Node) -> Node:
    return (">", minus(a, b))


FALSE: Node = ("or",)


def is_formula(node: Node) -> bool:
    return isinstance(node, tuple) and node[0] in FORMULAS


def bounded(nodes: tuple[Node, ...], sizes: dict[int, tuple[Node, int]] | None = None) -> None:
    """What is made of terms may not outgrow those that can be read.

    ``sizes`` of nodes counted before are kept by their identity, which is theirs as long as they stand there too.
    """
    total, known = 0, {} if sizes is None else sizes
    for node in nodes:
        if id(node) not in known:
            level, count, depth = [node], 0, 0
            while level and count <= 10 * MAX_SIZE:
                count, depth = count + len(level), depth + 1
                level = [c for t in level if isinstance(t, tuple) for c in t[1:]]
            known[id(node)] = node, count if depth <= 2 * MAX_DEPTH else 10 * MAX_SIZE + 1
        total += known[id(node)][1]
    require_limit(total <= 10 * MAX_SIZE, "a term too large")


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
    names, nodes = set[str](), [node]
    for t in nodes:  # which grow in number
        if isinstance(t, str):
            names.add(t)
        elif isinstance(t, tuple) and t[0] not in LABELLED:
            nodes += t[1:]
        elif isinstance(t, tuple):
            outer, bound, inner = children(t)
            nodes += outer
            names |= free(inner[0]) - {bound} if inner else set()
    return frozenset(names)


def substitute(node: Node, x: str, value: Node) -> Node:
    """node with the term value for the free variable x.

    Sound because a bound variable that would capture a variable of the value is refused, not renamed.
    """
    if not isinstance(node, tuple):
        return value if isinstance(node, str) and node == x else node
    if node[0] in LABELLED:
        _, bound, inner = children(node)
        if bound is not None and bound != x and bound in free(value):
            require(x not in free(inner[0]), f"substitute: {bound} would be captured")
        shadowed = (4 if node[0] in ("sum", "int") else 2) if bound == x else None
        made = (*node[:2], *[part if i == shadowed else substitute(part, x, value)
                             for i, part in enumerate(node[2:], 2)])
    else:
        made = (node[0], *[substitute(part, x, value) if isinstance(part, tuple) else
                           value if isinstance(part, str) and part == x else part for part in node[1:]])
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


def subterms(term: Node) -> list[Node]:
    """Subterms outside binders, as often as they occur, the term itself first: each is defined where that is."""
    found = [term]
    for t in found:  # which grow in number
        if isinstance(t, tuple):
            found += children(t)[0] if t[0] in LABELLED else t[1:]
    return found


def evidently_defined(formula: Node) -> list[Node]:
    """Terms that are defined wherever the formula is true (strictness)."""
    if formula[0] == "and":
        return [s for f in formula[1:] for s in evidently_defined(f)]
    return subterms(formula[1]) if formula[0] in TRUE_ATOMS else []


def integer(node: Node) -> bool:
    return type(node) is Fraction and node.denominator == 1
