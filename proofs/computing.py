"""Results that a derivation's step leaves open: derivatives, integrals, expansions, substitutions. None is trusted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.proofs.bundle import names
from qtheory.proofs.context import Context
from qtheory.proofs.decimals import readable, typed_terms
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.grammar import Parser
from qtheory.proofs.kernel.statements import declared
from qtheory.proofs.kernel.terms import KernelError, Node, minus, substitute
from qtheory.proofs.notation import sides
from qtheory.proofs.operating import raw
from qtheory.proofs.plain import term_text
from qtheory.proofs.proving.lines import Line, Proof

BELOW = re.compile(r"([^<>=!]+)(<=?)([^<>=!]+)")  # a comparison that the language's terms have as ``>``
GIVE = "; give the result yourself, with to=..."


def slope(term: Node, x: str, order: int) -> str:
    """The derivative, carried out by the rules."""
    from qtheory.proofs.tactics.builder import Stuck
    from qtheory.proofs.tactics.quotients import shortest

    for _ in range(order):
        term = ("diff", x, term, x)
    try:
        return term_text(shortest(undiff(term)[0]))
    except (KernelError, Stuck, RecursionError):
        raise InputError(f"the derivative of {_clipped(term)} in {x} is not found{GIVE}") from None


def integral(node: Node) -> str:
    """The integral, by an antiderivative at its ends."""
    from qtheory.proofs.tactics.primitives import antiderivative, primitive
    from qtheory.proofs.tactics.quotients import shortest

    _, x, low, high, body = node
    try:
        whole = primitive(body, x)
        if whole is None:
            whole = antiderivative(body, x, frozenset())
        return term_text(shortest(_plain(minus(substitute(whole, x, high), substitute(whole, x, low)))))
    except Exception:  # a computer algebra system fails in ways of its own; nothing is lost but a suggestion
        raise InputError(f"no antiderivative of {_clipped(body)} in {x} is found{GIVE}") from None


def _plain(term: Node) -> Node:
    """The term with what stands in its logarithms and exponentials reduced: 0 for log(0 + 1), 1 for exp(-0)."""
    from qtheory.proofs.tactics.quotients import shortest

    if not isinstance(term, tuple) or term[0] not in ("+", "*", "^", "log", "exp"):
        return term
    parts = tuple(map(_plain, term[1:]))
    if term[0] not in ("log", "exp"):
        return (term[0], *parts)
    inner = shortest(parts[0])
    if inner == (1 if term[0] == "log" else 0):
        return Fraction(term[0] == "exp")
    return (term[0], inner)


def expanded(term: Node) -> str:
    """The term multiplied out."""
    import sympy

    from qtheory.proofs.tactics.bridge import from_sympy, to_sympy
    from qtheory.proofs.tactics.builder import Stuck

    try:
        return term_text(from_sympy(sympy.expand(to_sympy(term))))
    except (Stuck, KernelError, RecursionError):
        raise InputError(f"no expansion of {_clipped(term)} is found{GIVE}") from None


def substituted(goal: str, values: Mapping[str, str], context: Context) -> str:
    """The formula with terms for symbols, all at once, as text; what is written as ``<`` stays so, and E, Var and Pr as
    they were typed."""
    below = BELOW.fullmatch(goal)
    if below and all(side.count("(") == side.count(")") for side in (below[1], below[3])):
        left, right = (substituted(side.strip(), values, context) for side in (below[1], below[3]))
        return f"{left} {below[2]} {right}"
    node = _opaque(goal, context)
    for name in values:
        node = _substituted(node, name, name + "''", goal)
    for name, value in values.items():
        node = _substituted(node, name + "''", _opaque(value, context), goal)
    typed = re.sub(r"\w+", lambda name: _closed(values.get(name[0], name[0])), goal)
    with suppress(InputError):  # in which a bound variable may have been replaced
        if _opaque(typed, context) == node:
            return readable(node, typed)
    return term_text(node)


def _closed(text: str) -> str:
    """The text of a term as one that may stand anywhere."""
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _substituted(node: Node, name: str, value: Node, goal: str) -> Node:
    try:
        return substitute(node, name, value)
    except KernelError as error:
        raise InputError(f"{error} in {goal!r}") from None


def _opaque(text: str, context: Context) -> Node:
    """The text with definitions left as names, but for those in which a symbol may hide that is to be replaced."""
    closed = {n for n, (parameters, term) in context.macros.items() if parameters and names(term) <= {*parameters}}
    open_ones = {name: macro for name, macro in context.macros.items() if name not in closed}
    try:
        return Parser(text, open_ones, {*context.functions, *closed}).whole()
    except KernelError as error:
        raise InputError(str(error)) from None


def instance(goal: str, used: Sequence[str], values: Mapping[str, str]) -> Proof:
    """The formula under all its conditions as a step, at these terms."""
    family = {"naturals": "Natural({})", "integers": "Integer({})"}
    parts: list[str] = []
    for text in dict.fromkeys(used):
        kinds = declared(text)
        parts += [family[text.split()[-1]].format(n) for n in kinds if text.split()[-1] in family] if kinds else [text]
    return Proof((Line(goal, given=tuple(parts), at=tuple(values.items())),))


def opposite(goal: str, context: Context) -> str | None:
    """The opposite of a comparison, as text, E, Var and Pr as they are typed; None for other formulas, and where no
    text says it."""
    node = context.node(goal)
    if node[0] not in (">", ">=", "=", "!="):
        return None
    relation, *terms = sides(node)
    typed = typed_terms(context.statement(goal, ()))
    if any(raw(term) and term not in typed for term in terms):  # an operator without an end has no text of its own
        return None
    turned = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!=", "!=": "=="}[relation]
    left, right = (typed[term] if raw(term) else readable(term, typed.get(term, "")) for term in terms)
    return f"{left} {turned} {right}"


def _clipped(term: Node) -> str:
    text = "this term" if raw(term) else term_text(term)
    return text if len(text) <= 80 else text[:77] + "..."
