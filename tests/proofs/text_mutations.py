"""Changes of one place in a statement's text: a constant, sign, exponent, index, direction or hypothesis."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from qtheory.proofs.kernel.grammar import FUNCTIONS, PREDICATES, RESERVED, TOKEN
from qtheory.proofs.kernel.statements import Statement

FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
STRICT = {"<=": "<", ">=": ">"}
LOOSE = {"<": "<=", ">": ">="}
EQUATION_ENDS = {"==": ("<", ">", "!="), "!=": ("==",)}
OPPOSITE = {"Increasing": "Decreasing", "Decreasing": "Increasing", "StrictlyIncreasing": "StrictlyDecreasing",
            "StrictlyDecreasing": "StrictlyIncreasing", "Convex": "Concave", "Concave": "Convex",
            "StrictlyConvex": "StrictlyConcave", "StrictlyConcave": "StrictlyConvex", "Eq": "Ne", "Ne": "Eq",
            "Gt": "Lt", "Lt": "Gt", "Ge": "Le", "Le": "Ge"}
STRICTER = {"Increasing": "StrictlyIncreasing", "Decreasing": "StrictlyDecreasing", "Convex": "StrictlyConvex",
            "Concave": "StrictlyConcave", "Ge": "Gt", "Le": "Lt", "Exists": "ExistsUnique"}
OTHER_FUNCTION = {"log": ("exp", "sqrt"), "ln": ("exp",), "exp": ("log", "sqrt"), "sqrt": ("exp", "log"),
                  "Max": ("Min",), "Min": ("Max",), "max": ("min",), "min": ("max",), "floor": ("ceiling",),
                  "ceiling": ("floor",), "Abs": ("exp",), "abs": ("exp",)}
OTHER_JOIN = {"And": ("connective", "Or"), "Or": ("connective", "And"), "Exists": ("quantifier", "ForAll"),
              "ForAll": ("quantifier", "Exists"), "ExistsUnique": ("quantifier", "ForAll")}
OTHER_FAMILY = {"naturals": ("integers", "reals"), "integers": ("reals",)}
SMALL = Fraction(1, 200)
LIMITS = {"SequenceLimit": (0, 2), "Limit": (0,), "limit": (0,), "BigO": (0,)}  # places of functions and their limits


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Mutation:
    """A changed statement; ``near``: a constant changes by at most one percent, or one that is 0 by at most 1/100."""

    statement: Statement
    sort: str
    change: str
    near: bool
    place: tuple[str, int]  # the goal, or which of the conditions or definitions


def mutations(statement: Statement) -> list[Mutation]:
    """All single changes that are tried; many of them leave the statement true or make it meaningless."""
    out: list[Mutation] = []
    names = _names(statement)
    for place, text in _texts(statement):
        found = [*_by_token(text, place[0] == "where", names), *_sides(text, place[0] == "goal", names)]
        if place[0] == "let":
            head, _, body = text.partition("=")
            found += [("offset", f"{head}= ({body.strip()}) {sign} {SMALL}", True) for sign in "+-"]
            found += [("side", f"{head}= ({body.strip()})*({1 + c})", True) for c in (SMALL, -SMALL)]
        elif place[0] == "goal":
            found += _of_limits(text)
        for sort, new, near in found:
            out.append(Mutation(_with(statement, place, new), sort, f"{text}  ->  {new}", near, place))
    for i, text in enumerate(statement.where):
        rest = statement.where[:i] + statement.where[i + 1:]
        out.append(Mutation(replace(statement, where=rest), "condition", f"without {text}", False, ("where", i)))
    return out


def _texts(statement: Statement) -> Iterator[tuple[tuple[str, int], str]]:
    yield ("goal", 0), statement.goal
    for i, text in enumerate(statement.where):
        yield ("where", i), text
    for i, text in enumerate(statement.let):
        yield ("let", i), text


def _with(statement: Statement, place: tuple[str, int], text: str) -> Statement:
    part, i = place
    if part == "goal":
        return replace(statement, goal=text)
    old = statement.where if part == "where" else statement.let
    new = (*old[:i], text, *old[i + 1:])
    return replace(statement, where=new) if part == "where" else replace(statement, let=new)


def _names(statement: Statement) -> list[str]:
    return [v for v in statement.variables if not v.endswith("'")]


def tokens(text: str) -> list[Token]:
    out, at = [], 0
    while match := TOKEN.match(text, at):
        kind = str(match.lastgroup)
        out.append(Token(kind, match[kind], match.start(kind), match.end(kind)))
        at = match.end()
    return out


def _by_token(text: str, hypothesis: bool, variables: list[str]) -> Iterator[tuple[str, str, bool]]:
    items = tokens(text)
    numbers = [] if variables else sorted({t.text for t in items if t.kind == "number"})
    body = next((t.end for t in items if t.text == "="), 0)  # a definition's head is left alone
    for i, token in enumerate(items):
        if token.start < body:
            continue
        before = items[i - 1] if i else None
        after = items[i + 1] if i + 1 < len(items) else None
        if token.kind == "name" and after is not None and after.text == "(" and token.text not in PREDICATES:
            end = _closing(items, i + 1)
            changed = [*_wrapped(text[token.start:end]), *_inner(token.text, text[items[i + 1].end:end - 1])]
            for sort, new, near in changed:
                yield _moved(sort, hypothesis), text[:token.start] + new + text[end:], near
        if token.text in OPPOSITE and after is not None and after.text == "(":
            yield from _added(text, items, i)
        for sort, new, near in _changes(token, before, after, variables, numbers):
            yield _moved(sort, hypothesis), text[:token.start] + new + text[token.end:], near


def _moved(sort: str, hypothesis: bool) -> str:
    """In a hypothesis, a changed number moves a bound and a changed relation is another condition."""
    if not hypothesis:
        return sort
    if sort in ("constant", "factor"):
        return "bound"
    return "condition" if sort in ("direction", "strictness", "relation", "connective", "quantifier") else sort


def _closing(items: list[Token], opening: int) -> int:
    """Where the bracket closes that opens at this token; the text's end if it does not."""
    depth = 0
    for token in items[opening:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return token.end
    return items[-1].end


def _wrapped(call: str) -> Iterator[tuple[str, str, bool]]:
    """Changes of a function's value."""
    yield "sign", f"(-{call})", False
    yield "factor", f"({call}*{1 + SMALL})", True
    yield "factor", f"({call}*{1 - SMALL})", True
    yield "exponent", f"({call}**(201/200))", True
    yield "exponent", f"({call}**(-1))", False
    yield "exponent", f"({call}**2)", False


def _inner(name: str, argument: str) -> Iterator[tuple[str, str, bool]]:
    """Changes of the argument of a function of one number."""
    if name in ("log", "ln", "exp", "sqrt", "floor", "ceil", "ceiling"):
        for share in (1 + SMALL, 1 - SMALL):
            yield "argument", f"{name}(({argument})*({share}))", True
        for sign in "+-":
            yield "argument", f"{name}({argument} {sign} {SMALL})", True


def _added(text: str, items: list[Token], i: int) -> Iterator[tuple[str, str, bool]]:
    """A small term added to the function of a property such as Convex(f, x, domain)."""
    commas = [k for k in range(i, len(items)) if items[k].text == ","]
    inner = next((k for k in commas if _closing(items, i + 1) >= items[k].end
                  and items[k + 1].kind == "name" and items[k + 2].text == ","), None)
    if inner is None:
        return
    x, at = items[inner + 1].text, items[inner].start
    for term in (f"- {x}**2/200", f"+ {x}**3/200", f"- {x}**3/200", f"- {x}/200", f"+ {x}**2/200", f"- 2*{x}**2"):
        yield "term", f"{text[:at]} {term}{text[at:]}", False


def _of_limits(text: str) -> Iterator[tuple[str, str, bool]]:
    """A function or its limit or order scaled by half a percent, or moved by 1/200."""
    items = tokens(text)
    for i, token in enumerate(items[:-1]):
        if token.text not in LIMITS or items[i + 1].text != "(":
            continue
        commas, end = _commas(items, i + 1), _closing(items, i + 1)
        cuts = [items[i + 1].end, *(c.start for c in commas), end - 1]
        starts = [items[i + 1].end, *(c.end for c in commas), end]
        for k in LIMITS[token.text]:
            if k >= len(commas) + 1:
                continue
            first, last = starts[k], cuts[k + 1]
            inner = text[first:last].strip()
            for share in (1 + SMALL, 1 - SMALL):
                yield "side", f"{text[:first]}({inner})*({share}){text[last:]}", True
            for sign in "+-":
                yield "offset", f"{text[:first]}{inner} {sign} {SMALL}{text[last:]}", True


def _commas(items: list[Token], opening: int) -> list[Token]:
    """The commas directly inside the bracket that opens at this token."""
    depth, found = 0, []
    for token in items[opening:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            break
        if depth == 1 and token.text == ",":
            found.append(token)
    return found


def _changes(token: Token, before: Token | None, after: Token | None, variables: list[str],
             numbers: list[str]) -> Iterator[tuple[str, str, bool]]:
    if token.kind == "number":
        yield from _number(Fraction(token.text), before)
        yield from _as_variable(token.text, numbers)
    elif token.kind == "name":
        yield from _name(token, before, after, variables)
    elif token.kind == "op":
        yield from _operator(token, before)


def _number(value: Fraction, before: Token | None) -> Iterator[tuple[str, str, bool]]:
    if before is not None and before.text in ("**", "^"):
        for new, near in ((value * (1 + SMALL), True), (value * (1 - SMALL), True), (value + 1, False),
                          (value - 1, False)):
            yield "exponent", f"({new})", near
        return
    yield "symbol", "oo", False
    if value == 0:
        for new, near in ((Fraction(-1, 100), True), (Fraction(1, 100), True), (Fraction(-1), False)):
            yield "constant", f"({new})", near
        return
    for new, near in ((value * (1 + SMALL), True), (value * (1 - SMALL), True), (value * 2, False), (value + 1, False),
                      (value - 1, False), (value / 2, False)):
        yield "constant", f"({new})", near


def _as_variable(number: str, others: list[str]) -> Iterator[tuple[str, str, bool]]:
    """Changes of a number, one of those given, as variables are changed elsewhere."""
    if number not in others:
        return
    yield "sign", f"(-{number})", False
    for power in ("2", "(-1)", "(1/2)"):
        yield "exponent", f"({number}**{power})", False
    for name in ("log", "exp"):
        yield "function", f"{name}({number})", False
    for shift in ("*10", "/10"):
        yield "scale", f"({number}{shift})", False
    for other in others:
        if other != number:
            yield "symbol", other, False


def _name(token: Token, before: Token | None, after: Token | None,
          variables: list[str]) -> Iterator[tuple[str, str, bool]]:
    name = token.text
    if after is not None and after.text == "(":
        for table, sort in ((OPPOSITE, "direction"), (STRICTER, "strictness")):
            if name in table:
                yield sort, table[name], False
        for other in OTHER_FUNCTION.get(name, ()):
            yield "function", other, False
        if name in OTHER_JOIN:
            yield *OTHER_JOIN[name], False
        return
    for family in OTHER_FAMILY.get(name, ()):
        yield "condition", family, False
    if name in FUNCTIONS or name in PREDICATES or name in OTHER_FAMILY or name in RESERVED:
        return
    for new, near in ((f"({name}*{1 + SMALL})", True), (f"({name}*{1 - SMALL})", True), (f"(2*{name})", False),
                      (f"({name}/2)", False)):
        yield "factor", new, near
    if before is None or before.text not in ("**", "^"):
        for power, near in (("2", False), ("(201/200)", True), ("(1/2)", False), ("(-1)", False)):
            yield "exponent", f"({name}**{power})", near
    yield "sign", f"(-{name})", False
    for step in ("+ 1", "- 1"):
        yield "index", f"({name} {step})", False
    for shift in ("*10", "/10"):
        yield "scale", f"({name}{shift})", False
    for outer in ("log", "exp", "sqrt"):
        yield "function", f"{outer}({name})", False
    for other in variables:
        if other != name:
            yield "symbol", other, False


def _operator(token: Token, before: Token | None) -> Iterator[tuple[str, str, bool]]:
    op = token.text
    unary = before is None or before.text in ("(", ",", "<", "<=", ">", ">=", "==", "!=", "=", "**", "^")
    if op in FLIPPED:
        yield "direction", FLIPPED[op], False
        yield "relation", "==", False
        if op in STRICT:
            yield "strictness", STRICT[op], False
        if op in LOOSE:
            yield "strictness", LOOSE[op], False
    for other in EQUATION_ENDS.get(op, ()):
        yield "direction", other, False
    if op == "-":
        yield "sign", "+", False
    elif op == "+":
        yield "sign", "-", False
    if op in ("+", "-") and not unary:
        yield "operation", "*", False
        yield "coefficient", f"{op} {1 + SMALL}*", True
        yield "coefficient", f"{op} {1 - SMALL}*", True
    elif op == "*":
        yield "operation", "/", False
        yield "operation", "+", False
    elif op == "/":
        yield "operation", "*", False
        yield "operation", "-", False


def _sides(text: str, goal: bool, variables: list[str]) -> Iterator[tuple[str, str, bool]]:
    """A side of the goal's comparison scaled by half a percent, or with a term more, or one of any comparison moved by
    1/200."""
    items = tokens(text)
    for token in items:
        if token.text in FLIPPED or token.text in EQUATION_ENDS:
            yield ("offset" if goal else "bound"), f"{text[:token.start]}+ {SMALL} {text[token.start:]}", True
            yield ("offset" if goal else "bound"), f"{text[:token.end]} {SMALL} +{text[token.end:]}", True
    if not goal or not items:
        return
    depth, middle = 0, []
    offset = 1 if items[0].text in ("Eq", "Gt", "Ge", "Lt", "Le") and items[-1].text == ")" else 0
    for token in items:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == offset and token.text in ({","} if offset else {"<", ">", "<=", ">=", "=="}):
            middle.append(token)
    if len(middle) != 1:
        return
    first = items[1].end if offset else 0
    last = items[-1].start if offset else len(text)
    left, right = text[first:middle[0].start], text[middle[0].end:last]
    link = text[middle[0].start:middle[0].end]
    for share in (1 + SMALL, 1 - SMALL):
        yield "side", f"{text[:first]}({left})*({share}) {link} {right}{text[last:]}", True
        yield "side", f"{text[:first]}{left} {link} ({right})*({share}){text[last:]}", True
    yield "side", f"{text[:first]}{left} {link} ({right})*2{text[last:]}", False
    for sign in "+-":
        yield "offset", f"{text[:first]}{left} {link} {right} {sign} {SMALL}{text[last:]}", True
        for v in variables:
            yield "term", f"{text[:first]}{left} {link} {right} {sign} {v}*{SMALL}{text[last:]}", True
            yield "term", f"{text[:first]}{left} {link} {right} {sign} {v}{text[last:]}", False


__all__ = ["Mutation", "mutations", "tokens"]
