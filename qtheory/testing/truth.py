"""Is a formula true at a place?  Three values: true, false, undecided; each of the first two shown by enclosures."""

from __future__ import annotations

from fractions import Fraction

from qtheory.proofs.decimals import compared
from qtheory.proofs.kernel.balls import Interval
from qtheory.proofs.kernel.statements import conjuncts
from qtheory.proofs.kernel.terms import ZERO, KernelError, Node, free, substitute, subterms
from qtheory.proofs.notation import sides
from qtheory.proofs.tactics.branches import failures
from qtheory.proofs.tactics.elimination import linear
from qtheory.testing.exact import rational, vanishes
from qtheory.testing.places import PRECISIONS, Place, solved
from qtheory.testing.series import UndecidedError, shown

AGREEMENT = 80  # bits to which two sides that are shown to be no different must agree
ENUMERATED = 1000  # integers that a bounded quantifier runs through at most
ATOMS = (">", ">=", "=", "!=", "isint", "def", "undef")


def truth(formula: Node, at: Place) -> bool | None:
    """True or False where the enclosures decide; None where they do not.

    Sides that are the same number, or rationals, are compared exactly.  Else an equation, and the equality of a
    ``>=``, counts as true where both sides agree to ``AGREEMENT`` bits and no enclosure tells them apart.
    """
    head = formula[0]
    if head in ("and", "or"):
        found = [truth(f, at) for f in formula[1:]]
        decisive = head == "or"
        return decisive if decisive in found else None if None in found else not decisive
    if head == "imp":
        first = truth(formula[1], at)
        return True if first is False else truth(formula[2], at) if first else None
    if head == "all":
        return _bounded(formula, at)
    if head == "ex":
        return _exists(formula, at)
    return _atom(head, formula[1], at)


# ---- atoms ----

def _atom(head: str, term: Node, at: Place) -> bool | None:
    if head in ("def", "undef"):
        there = _defined(term, at)
        return None if there is None else there == (head == "def")
    found: Interval | None = None
    for bits in PRECISIONS:
        found = at.enclose(term, bits)
        if found is None:
            return False if _defined(term, at) is False else None
        decided = _whole(found) if head == "isint" else compared(head, *found)
        if decided is not None:
            return decided
        if bits == PRECISIONS[0] and (number := _value(term, at)) is not None:
            return number.denominator == 1 if head == "isint" else compared(head, number, number)
    return True if head in ("=", ">=") and found and _agree(term, found, at) else None


def _value(term: Node, at: Place) -> Fraction | None:
    """The value of a term that has one here, where it is shown to be this rational."""
    try:
        ground = at.plain(at.term(term))
    except (KernelError, UndecidedError):
        return None
    return ZERO if vanishes(ground) else rational(ground)


def _whole(found: Interval) -> bool | None:
    low, high = found
    if low == high:
        return low.denominator == 1
    return False if low.__floor__() == high.__floor__() < low else None


def _agree(term: Node, found: Interval, at: Place) -> bool:
    """Is the difference less than 2^-AGREEMENT of what is subtracted?"""
    if not isinstance(term, tuple) or term[0] != "+":
        return False
    parts = [at.enclose(t, PRECISIONS[-1]) for t in term[1:]]  # of which each is at least what is shown
    size = sum(min(abs(p[0]), abs(p[1])) for p in parts if p is not None and p[0] * p[1] > 0)
    return all(abs(e) <= size / 2**AGREEMENT for e in found)


def _defined(term: Node, at: Place) -> bool | None:
    """Has the term a value here?  False where the condition of one of its operations is shown to fail."""
    if at.enclose(term, PRECISIONS[0]) is not None:
        return True
    for part in sorted(subterms(term), key=lambda s: len(str(s))):
        partial = isinstance(part, tuple) and part[0] in ("log", "sqrt", "^")
        if partial and any(truth(f, at) for f in failures(part)):
            return False
    return None


# ---- quantifiers ----

def _bounded(formula: Node, at: Place) -> bool | None:
    """A universal statement about the integers of a finite range."""
    span = _range(formula, at)
    if span is None:
        return None
    undecided = False
    for i in span:
        found = truth(substitute(formula[2], formula[1], Fraction(i)), at)
        if found is False:
            return False
        undecided |= found is None
    return None if undecided else True


def _range(formula: Node, at: Place) -> range | None:
    """The integers to which the premises of ("all", x, imp) confine x."""
    _, x, body = formula
    if body[0] != "imp":
        return None
    premises = (conjuncts(body[1]))
    lows: list[Fraction] = []
    highs: list[Fraction] = []
    for atom in premises:
        pair = linear(atom[1], x) if atom[0] in (">", ">=") and x in free(atom) else None
        if pair is None or not isinstance(pair[0], Fraction):
            continue
        bound = at.enclose(("*", Fraction(-1) / pair[0], pair[1]), 64)
        if bound is not None:
            (lows if pair[0] > 0 else highs).append(bound[0] if pair[0] > 0 else bound[1])
    whole = any(whole_number(atom, x) for atom in premises)
    if not (whole and lows and highs) or min(highs) - max(lows) > ENUMERATED:
        return None
    return range(max(lows).__ceil__(), min(highs).__floor__() + 1)


def whole_number(atom: Node, x: str) -> bool:
    """Does the atom say that x is an integer?"""
    return atom in (("isint", x), ("=", ("+", ("floor", x), ("*", Fraction(-1), x))))


def _exists(formula: Node, at: Place) -> bool | None:
    """Is there such an x?  A second one, where the formula says that there is no other, is a no."""
    x, body, unique = existence(formula) or (None, None, False)
    if x is None:
        return None
    fresh = x + "_'"  # the case may have a variable of the same name
    literals = conjuncts(substitute(body, x, fresh))
    found, left = solved(literals, (fresh,), at)
    if left:
        return None
    met = [p for p in found if all(truth(lit, p) for lit in literals)]
    if unique and len(met) > 1:
        return False
    return True if met else None


def existence(formula: Node) -> tuple[str, Node, bool] | None:
    """(x, what it meets, whether no other does) of an existential statement about the root of an equation."""
    _, x, body = formula
    parts = (conjuncts(body))
    unique = parts[-1][0] == "all" if parts else False
    parts = parts[:-1] if unique else parts
    good = all(p[0] in ATOMS for p in parts) and any(p[0] == "=" and x in free(p) for p in parts)
    return (x, ("and", *parts), unique) if good else None


def finite(formula: Node) -> bool:
    """Can ``truth`` say anything about the formula at a single case?"""
    head = formula[0]
    if head in ("and", "or", "imp"):
        return all(finite(f) for f in formula[1:])
    if head == "all":
        body = formula[2]
        ranged = body[0] == "imp" and any(whole_number(a, formula[1]) for a in conjuncts(body[1]))
        return ranged and finite(body)
    if head == "ex":
        return existence(formula) is not None and not _applied(existence(formula))
    return not _applied(formula)


def _applied(node: object) -> bool:
    """Does a function symbol occur?"""
    return isinstance(node, tuple) and (node[:1] == ("app",) or any(_applied(c) for c in node))


# ---- what is said of a failure ----

def failing(formula: Node, at: Place) -> list[str]:
    """The atoms that make the formula false, with the values of both sides."""
    out = []
    for part in conjuncts(formula):
        if truth(part, at) is False:
            out.append(_described(part, at))
    return out


def _described(part: Node, at: Place) -> str:
    if part[0] not in (">", ">=", "=", "!="):
        return shown(part)
    relation, left, right = sides(part)
    symbol = {"=": "=="}.get(relation, relation)
    values = [decimal(side, at) for side in (left, right)]
    sizes = [f"{shown(side)} = {value}" for side, value in zip((left, right), values, strict=True)
             if not isinstance(side, Fraction)]
    return f"{shown(left)} {symbol} {shown(right)}" + (f"   ({', '.join(sizes)})" if sizes else "")


def decimal(term: Node, at: Place) -> str:
    """The term's value in up to 17 digits, or that it has none."""
    found = at.enclose(term, 64)
    if found is None:
        return "undefined" if _defined(term, at) is False else "not enclosed"
    low, high = found
    if low == high and low.denominator < 10**6 and abs(low.numerator) < 10**12:
        return str(low)
    try:
        return f"{float((low + high) / 2):.17g}"
    except OverflowError:
        return "too large for a float"
