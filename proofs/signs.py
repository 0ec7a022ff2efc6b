"""The signs of factorials, binomial coefficients, E, Var and Pr: how they are recognised, and how they look."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from qtheory.proofs.kernel.factorials import binomial, factorial
from qtheory.proofs.kernel.terms import Node, free

SIGNS = {"E": r"\mathbb{E}", "Var": r"\operatorname{Var}", "Pr": r"\Pr"}


class Notation(NamedTuple):
    """A notation's name in the statement language, and its arguments."""

    name: str
    arguments: tuple[Node, ...]


def counting(term: Node) -> Notation | None:
    """n! or n over k, if the term is the very definition of one."""
    def factor(t: Node) -> Node:
        return t[1][3] if t[0] == "exp" and isinstance(t[1], tuple) and t[1][:2] == ("sum", "k'") else None

    if term[0] == "exp":
        n = factor(term)
        return Notation("factorial", (n,)) if n is not None and factorial(n) == term else None
    inner = term[2][1] if term[0] == "*" and len(term) == 3 and "k'" not in free(term) and isinstance(
        term[1], tuple) and isinstance(term[2], tuple) and term[2][0] == "^" else ()
    if isinstance(inner, tuple) and len(inner) == 3 and inner[0] == "*" and isinstance(inner[1], tuple):
        n, k = factor(term[1]), factor(inner[1])
        return Notation("binomial", (n, k)) if None not in (n, k) and binomial(n, k) == term else None
    return None


def operator_sign(name: Callable[[str], str], show: Callable[[Node], str], operator: Notation) -> str:
    """An operator in LaTeX, its laws below the sign."""
    def parameter(a: Node) -> str:
        return f"({', '.join(map(show, a[1:]))})" if isinstance(a, tuple) and a[0] == "range" else show(a)

    sign, arguments = operator
    if sign == "Indicator":
        return rf"\mathbf{{1}}\{{{show(arguments[0])}\}}"
    laws = r",\; ".join(rf"{name(x)} \sim \mathrm{{{law}}}({', '.join(map(parameter, given))})"
                        for _, x, (_, law, *given) in arguments[1:])
    return rf"{SIGNS[sign]}_{{{laws}}}\left[{show(arguments[0])}\right]"
