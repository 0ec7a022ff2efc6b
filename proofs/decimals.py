"""Numbers at a point, for display: comparisons decided by the kernel's enclosures, and sides as decimals."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from contextlib import suppress
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.calculus import undiff
from qtheory.proofs.kernel.factorials import factorial
from qtheory.proofs.kernel.grammar import FUNCTIONS
from qtheory.proofs.kernel.statements import Statement, conjuncts
from qtheory.proofs.kernel.terms import KernelError, Node
from qtheory.proofs.notation import sides
from qtheory.proofs.plain import term_text

LONG, SHORT = 60, 10  # characters of an interval that is shortened, and digits of its ends then
INTERVAL = re.compile(r"\[-?\d+(?:/\d+)?, -?\d+(?:/\d+)?\]")  # what a claim's own code comes upon may be a list
MOST = 20  # of factorials and exponents whose value is worked out
BITS = 160  # of the enclosures that are shown as decimals
Box = Mapping[str, tuple[Fraction, Fraction]]


def sides_at(statement: Statement, point: Mapping[str, Any]) -> list[str]:
    """Both sides of the comparisons of the goal that the point breaks, as decimals; as they are typed where a notation
    of the language, such as E or Indicator, is written out in them."""
    box, typed = boxed(point), typed_terms(statement)
    out = []
    for atom in conjuncts(statement.conclusion):
        if atom[0] in (">", ">=", "=", "!=") and not fulfilled(atom, box):
            shown = [(side, decimal(side, box)) for side in sides(atom)[1:] if not isinstance(side, Fraction | str)]
            out += [f"{readable(side, typed.get(side, ''))} {number}" for side, number in shown if number is not None]
    return out


def typed_terms(statement: Statement) -> dict[Node, str]:
    """The terms that the goal, or a part of its conjunction, compares, with the texts that the author typed."""
    found: dict[Node, str] = {}
    left = [statement.goal.strip()]
    for text in left:  # which grow in number
        if text.startswith("And(") and text.endswith(")"):
            left += outside(text[4:-1], ",")
            continue
        for term in outside(text, "<=|>=|==|!=|<|>"):
            with suppress(KernelError):
                compared = Statement(f"{term} > side_", statement.where, statement.let).conclusion
                found |= {sides(atom)[1]: term for atom in conjuncts(compared) if atom[0] == ">"}
    return found


def readable(term: Node, typed: str) -> str:
    """The term's text; as it was typed where a notation of the language is written out in it."""
    written_out = term_text(term)
    kept = set(re.findall(r"\w+", written_out))
    return typed if FUNCTIONS.keys() & set(re.findall(r"\w+", typed)) - kept else written_out


def outside(text: str, mark: str) -> list[str]:
    """The text cut where the mark, a pattern, stands outside all brackets."""
    depth, ends = 0, [(0, 0)]
    for match in re.finditer(rf"[()]|{mark}", text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0 and match[0] not in "()":
            ends.append(match.span())
    return [text[a:b].strip() for (_, a), (b, _) in zip(ends, [*ends[1:], (len(text), 0)], strict=True)]


def boxed(point: Mapping[str, Any]) -> Box:
    """The point, of texts "1/3" or "[1/3, 3/8]", as a box of rational intervals for ``enclose``."""
    box = {}
    for x, value in point.items():
        ends = str(value).strip("[]").split(",")
        box[x] = (Fraction(ends[0].strip()), Fraction(ends[-1].strip()))
    return box


def short(value: str) -> str:
    """A text; of an interval with long ends, one of short decimals around it."""
    if len(value) <= LONG or not INTERVAL.fullmatch(value):
        return value
    ends = zip(map(Fraction, value[1:-1].split(",")), (ROUND_FLOOR, ROUND_CEILING), strict=True)
    rounded = (Context(SHORT, way).divide(Decimal(q.numerator), Decimal(q.denominator)) for q, way in ends)
    return f"[{', '.join(map(str, rounded))}]"


def fulfilled(atom: Node, box: Box) -> bool | None:
    """Is the comparison true at the point?  None where the enclosures do not decide."""
    try:
        low, high = enclose(atom[1], dict(box), BITS)
    except KernelError:
        return None
    return compared(atom[0], low, high)


def compared(relation: str, low: Fraction, high: Fraction) -> bool | None:
    """How a number in [low, high] compares with 0; None where the interval does not tell."""
    sure = {">": low > 0, ">=": low >= 0, "=": low == high == 0, "!=": low > 0 or high < 0}
    never = {">": high <= 0, ">=": high < 0, "=": low > 0 or high < 0, "!=": low == high == 0}
    return True if sure[relation] else False if never[relation] else None


def exact(term: Node, box: Box) -> Fraction | None:
    """The rational value, where arithmetic gives it, with log(1), exp(0) and factorials; else None."""
    if isinstance(term, Fraction):
        return term
    if isinstance(term, str):
        low, high = box.get(term, (Fraction(0), Fraction(1)))
        return low if low == high else None
    if term[0] == "exp" and isinstance(term[1], tuple) and term[1][0] == "sum" and term == factorial(term[1][3]):
        n = exact(term[1][3], box)
        return Fraction(math.factorial(int(n))) if n is not None and n.denominator == 1 and 0 <= n <= MOST else None
    if term[0] not in ("+", "*", "^", "log", "exp"):
        return None
    values = [v for part in term[1:] if (v := exact(part, box)) is not None]
    if len(values) < len(term) - 1:
        return None
    if term[0] in ("+", "*"):
        return sum(values, Fraction(0)) if term[0] == "+" else math.prod(values, start=Fraction(1))
    if term[0] == "^":
        base, power = values
        plain = power.denominator == 1 and abs(power) <= MOST and (
            base > 0 or (term[2] == power and (base != 0 or power > 0)))
        return base ** int(power) if plain else None
    return Fraction(term[0] == "exp") if values[0] == (term[0] == "log") else None


def decimal(term: Node, box: Box) -> str | None:
    """The term's value in short: exact, or enclosed by the kernel's balls, or else (integrals) a float's word."""
    try:
        known = exact(term, box)
        low, high = enclose(undiff(term)[0], dict(box), BITS) if known is None else (known, known)
        if low == high and low.denominator < 10**6 and abs(low.numerator) < 10**12:
            return f"= {low}"
        a, b = f"{float(low):.12g}", f"{float(high):.12g}"
        return f"≈ {a}" if a == b else f"in [{a}, {b}]"
    except KernelError:
        from qtheory.proofs.tactics.numeric import evaluate

        value = evaluate(term, {x: float(low + high) / 2 for x, (low, high) in box.items()})
        return f"≈ {value:.6g}" if math.isfinite(value) else None
    except OverflowError:
        return None
