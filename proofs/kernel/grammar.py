"""The statement language: text to terms and formulas, by a grammar of our own.

Notations that are no primitive operations are written out here, each as its textbook definition.  Names with a
prime cannot be typed, so the variables that a definition binds are never the user's.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

from .terms import (MINUS, ONE, ZERO, KernelError, Node, bounded, children, free, integer, is_formula, minus, neg_term,
                    substitute, subterms)
from .theorem import settled

TOKEN = re.compile(r"\s*(?:(?P<number>(?a:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?))"
                   r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<op>\*\*|<=|>=|==|!=|[-+*/^()<>,=])|(?P<text>\"[^\"]*\"|'[^']*'))")
RELATIONS = {"<": ">", "<=": ">=", ">": ">", ">=": ">=", "==": "=", "!=": "!="}
MAX_LENGTH, MAX_NESTING, MAX_DIGITS = 20_000, 60, 400
OO = "oo"
RESERVED = {OO, "zoo", "nan", "I", "pi", "in", "inf", "infinity", "Infinity"}
APART = "'''"  # after the name of a bound variable that was renamed
Macro = tuple[tuple[str, ...], Node]


class StatementError(KernelError):
    """Text that is no statement; says at which column."""


class Parser:
    """A precedence parser for one piece of text; macros and function symbols are shared by a statement."""

    def __init__(self, text: str, macros: dict[str, Macro], functions: set[str]) -> None:
        if len(text) > MAX_LENGTH:
            raise StatementError(f"a text of {len(text)} characters; at most {MAX_LENGTH} are read")
        self.text, self.macros, self.functions = text, macros, functions
        self.tokens: list[tuple[str, str, int]] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = TOKEN.match(text, at)
            if not match:
                column = at + len(text[at:]) - len(text[at:].lstrip())
                raise StatementError(f"column {column + 1}: unexpected {text[column]!r} in {clip(text)!r}")
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind], match.start(kind)))
            at = match.end()
        self.tokens.append(("end", "", end))
        self.at, self.depth = 0, 0
        self.loose: dict[str, frozenset[str]] = {}  # the free variables of each definition used
        self.random: set[str] = set()  # the names that laws are of; of listed values none is left in what is read

    def fail(self, why: str) -> StatementError:
        return StatementError(f"column {self.tokens[self.at][2] + 1}: {why} in {clip(self.text)!r}")

    def peek(self) -> str:
        return self.tokens[self.at][1]

    def take(self, wanted: str | None = None) -> str:
        kind, value, _ = self.tokens[self.at]
        if wanted is not None and (value != wanted or kind == "text"):
            raise self.fail(f"expected {wanted!r}" + (f", found {value!r}" if value else ", found the end"))
        self.at = min(self.at + 1, len(self.tokens) - 1)
        return value

    def whole(self) -> Node:
        node = self.comparison()
        if self.tokens[self.at][0] != "end":
            raise self.fail(f"unexpected {self.peek()!r}")
        bounded((node,))
        names = self.random | {x.partition(APART)[0] for x in bound(node)}
        captured = sorted(names & frozenset().union(*self.loose.values()))
        if captured:
            raise self.fail(f"{captured[0]} is bound here and free in a definition; give the definition a parameter")
        return node

    def comparison(self) -> Node:
        """A chain a < b <= c, or a term."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail("nested too deeply")
        left, links = self.sum(), []
        while self.peek() in RELATIONS and self.tokens[self.at][0] == "op":
            op = self.take()
            right = self.sum()
            links.append(self.relate(op, left, right))
            left = right
        self.depth -= 1
        if not links:
            return left
        return links[0] if len(links) == 1 else ("and", *links)

    def relate(self, op: str, left: Node, right: Node) -> Node:
        try:
            if op == "==":
                return equation(left, right)
            return compare(RELATIONS[op], *((right, left) if op in ("<", "<=") else (left, right)))
        except ValueError as error:
            raise self.fail(str(error)) from None

    def sum(self) -> Node:
        parts = [self.signed()]
        while self.peek() in ("+", "-"):
            minus_sign = self.take() == "-"
            part = self.term(self.product())
            parts.append(neg_term(part) if minus_sign else part)
        return parts[0] if len(parts) == 1 else ("+", *(self.term(p) for p in parts))

    def term(self, node: Node) -> Node:
        if is_formula(node):
            raise self.fail("a comparison where a term is needed")
        return node

    def signed(self) -> Node:
        if self.peek() == "-":
            return self.negative(self.product)
        if self.peek() == "+":
            self.take()
        return self.product()

    def negative(self, operand: Callable[[], Node]) -> Node:
        self.take()
        value = self.term(operand())
        return -value if isinstance(value, Fraction) else neg_term(value)

    def product(self) -> Node:
        parts = [self.power()]
        while self.peek() in ("*", "/"):
            if self.take() == "*":
                parts.append(self.power())
            else:
                below = self.term(self.power())
                over = isinstance(below, Fraction) and below != 0 and isinstance(parts[-1], Fraction)
                parts.append(parts.pop() / below if over else ("^", below, MINUS))
        return parts[0] if len(parts) == 1 else ("*", *(self.term(p) for p in parts))

    def power(self) -> Node:
        base = self.atom()
        if self.peek() not in ("**", "^"):
            return base
        self.take()
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise self.fail("nested too deeply")
        exponent = self.term(self.negative(self.power) if self.peek() == "-" else self.power())
        self.depth -= 1
        return ("^", self.term(base), exponent)

    def atom(self) -> Node:
        kind, value, _ = self.tokens[self.at]
        if kind == "number":
            self.take()
            if len(value) > MAX_DIGITS or abs(int(re.split("[eE]", value + "e0")[1])) > MAX_DIGITS:
                raise self.fail("a number with too many digits")
            return Fraction(value)
        if value == "(" and kind == "op":
            self.take()
            node = self.comparison()
            self.take(")")
            return node
        if kind != "name":
            raise self.fail(f"expected a term, found {value!r}" if value else "expected a term, found the end")
        if value in RESERVED - {OO}:
            raise self.fail("infinity is written oo" if "inf" in value.lower() else f"{value} is outside the language")
        self.take()
        if self.peek() == "(" and self.tokens[self.at][0] == "op":
            return self.call(value)
        if value in self.macros and not self.macros[value][0]:
            if value not in self.loose:
                self.loose[value] = free(self.macros[value][1])
            return self.macros[value][1]
        if value in FUNCTIONS or value in PREDICATES or value in self.macros or value in self.functions:
            self.at -= 1
            raise self.fail(f"{value} needs its arguments in brackets" + "; Euler's number is exp(1)" * (value == "E"))
        return value

    def call(self, name: str) -> Node:
        start = self.at - 1
        self.take("(")
        arguments: list[Node] = []
        while self.peek() != ")":
            arguments.append(self.argument())
            if self.peek() != ")":
                self.take(",")
        self.take(")")
        try:
            bounded((node := self.meaning(name, arguments),))
            return node
        except (KernelError, TypeError, ValueError) as error:
            self.at = start
            raise self.fail(f"{name}: {str(error).rpartition('() ')[2]}") from None  # without the builder's own name

    def meaning(self, name: str, arguments: list[Node]) -> Node:
        """What a call stands for."""
        if name in self.macros:
            if name not in self.loose:
                self.loose[name] = free(self.macros[name][1]) - set(self.macros[name][0])
            return expand(name, self.macros[name], arguments)
        if name in self.functions:
            if not arguments:
                raise ValueError("needs arguments")
            terms(*arguments)
            return ("app", name, *arguments)
        if name in FUNCTIONS or name in PREDICATES:
            return (FUNCTIONS.get(name) or PREDICATES[name])(*arguments)
        raise ValueError("is not a known function; declare it with 'in functions' or a definition")

    def argument(self) -> Node:
        """A term, a formula, a range (x, a, b), a text such as "+", or n in naturals; the latter three only as
        arguments."""
        kind, value, _ = self.tokens[self.at]
        if kind == "text":
            return ("text", self.take()[1:-1])
        if kind == "name" and self.tokens[self.at + 1][1] == "in":
            if self.atom() != value or value == OO:  # a definition, or infinity
                raise self.fail(f"a variable stands before in, and {value} is none")
            self.take("in")
            return membership(value, self.take())
        if self.peek() == "(" and self.comma_inside():
            self.take()
            parts = [self.comparison()]
            while self.peek() == ",":
                self.take()
                parts.append(self.comparison())
            self.take(")")
            if isinstance(parts[0], str) and isinstance(parts[1], tuple) and parts[1][0] == "law":
                self.random.add(parts[0])
            return ("range", *parts)
        return self.comparison()

    def comma_inside(self) -> bool:
        """Does a comma stand directly inside the bracket that opens here?"""
        level = 0
        for kind, value, _ in self.tokens[self.at:]:
            if kind == "op":
                level += (value == "(") - (value == ")")
                if level == 0 or (level == 1 and value == ","):
                    return level == 1
        return False


def bound(node: Node) -> set[str]:
    """The variables bound in the node, but for those of derivatives, whose point stands beside them."""
    if not isinstance(node, tuple):
        return set()
    outer, name, inner = children(node)
    names = set().union(*(bound(c) for c in (*outer, *inner)))
    return names | {name} if name is not None and node[0] != "diff" else names


def clip(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def plain(node: Node) -> bool:
    return not (isinstance(node, tuple) and node[0] in ("text", "range", "limit", "law"))


def compare(relation: str, left: Node, right: Node) -> Node:
    terms(left, right)
    if right == 0:
        return (relation, left)
    return (relation, minus(left, right))


def terms(*nodes: Node) -> None:
    for n in nodes:
        if is_formula(n) or not plain(n):
            raise ValueError("a term is needed")


def variable(x: Node) -> str:
    if not isinstance(x, str) or x == OO:
        raise ValueError("a variable is needed")
    return x


def membership(name: str, family: str) -> Node:
    if family == "naturals":
        return ("and", ("isint", name), (">=", name))
    if family == "integers":
        return ("isint", name)
    if family == "reals":
        return ("and",)
    raise StatementError(f"{name} in {family}: the families are naturals, integers, reals and functions")


def expand(name: str, macro: Macro, arguments: list[Node]) -> Node:
    parameters, body = macro
    if len(arguments) != len(parameters):
        raise ValueError(f"takes {len(parameters)} arguments")
    values(*arguments)
    unneeded = [a for p, a in zip(parameters, arguments, strict=True) if lazy(body, p)]
    for p in parameters:
        body = substitute(body, p, p + "''")
    for p, a in zip(parameters, arguments, strict=True):
        body = substitute(body, p + "''", a)
    return strict_in(unneeded, body)


def values(*arguments: Node) -> None:
    terms(*arguments)
    if any(OO in free(a) for a in arguments):
        raise ValueError("oo is no number")


def lazy(body: Node, x: str) -> bool:
    """May the body have a value where x has none?  It does where x stands only under a binder, over an empty range."""
    return x not in subterms(body)


def strict_in(arguments: list[Node], body: Node) -> Node:
    """The body, undefined where one of the arguments is."""
    duties = [("*", ZERO, a) for a in arguments if not settled(a, ())]
    return ("+", body, *duties) if duties else body


def valued(formula: Node, *of: Node) -> Node:
    """The formula, and that the values that it speaks of are defined."""
    duties = [("def", v) for v in of if not settled(v, ())]
    return ("and", *duties, formula) if duties else formula


def unused(name: str, *nodes: Node) -> str:
    """The name with primes until it occurs nowhere in the nodes."""
    while any(name in free(n) | bound(n) for n in nodes):
        name += "'"
    return name


# ---- notations for terms ----

def over_range(head: str) -> Callable[[Node, Node], Node]:
    def build(body: Node, span: Node) -> Node:
        x, low, high = ranged(span)
        terms(body)
        if x in free(low) | free(high):  # the ends speak of another x
            y = unused(x + APART, body, low, high)
            x, body = y, substitute(body, x, y)
        return (head, x, low, high, body)

    return build


def ranged(span: Node) -> tuple[str, Node, Node]:
    if not isinstance(span, tuple) or span[0] != "range" or len(span) != 4:
        raise ValueError("needs a range (x, from, to)")
    terms(*span[2:])
    return variable(span[1]), span[2], span[3]


def derivative_of(body: Node, x: Node, times: Node = ONE) -> Node:
    terms(body)
    name = variable(x)
    if not integer(times) or not 1 <= times <= 6:
        raise ValueError("the order of a derivative is a number from 1 to 6")
    for _ in range(int(times)):
        body = ("diff", name, body, name)
    return body


def at_point(body: Node, x: Node, value: Node) -> Node:
    terms(body)
    values(value)
    if variable(x) not in free(body):
        raise ValueError(f"{x} does not occur")
    return strict_in([value] if lazy(body, x) else [], substitute(body, x, value))


def limit_of(body: Node, x: Node, to: Node, side: Node = ("text", "+-")) -> Node:
    terms(body, to)
    return ("limit", body, variable(x), to, sided(side, to))


def sided(side: Node, a: Node) -> str:
    if side not in (("text", "+"), ("text", "-"), ("text", "+-")):
        raise ValueError('the side of a limit is "+", "-" or "+-"')
    if (side[1], a) in (("+", OO), ("-", neg_term(OO))):
        raise ValueError("there is nothing on that side of infinity")
    return str(side[1])


def lambert(u: Node, k: Node = ZERO) -> Node:
    terms(u)
    if k not in (0, -1):
        raise ValueError("the real branches are 0 and -1")
    return ("W", int(k), u)


def unary(build: Callable[..., Node]) -> Callable[[Node], Node]:
    def apply(a: Node) -> Node:
        terms(a)
        return build(a)

    return apply


def folded(build: Callable[[Node, Node], Node]) -> Callable[..., Node]:
    def apply(first: Node, *others: Node) -> Node:
        terms(first, *others)
        for b in others:
            first = build(first, b)
        return first

    return apply


def absolute(a: Node) -> Node:
    return ("max", a, neg_term(a))


FUNCTIONS: dict[str, Callable[..., Node]] = {
    **{name: unary(lambda a, head=head: (head, a)) for name, head in
       (("exp", "exp"), ("log", "log"), ("ln", "log"), ("sqrt", "sqrt"), ("floor", "floor"))},
    **dict.fromkeys(("Max", "max"), folded(lambda a, b: ("max", a, b))),
    **dict.fromkeys(("Min", "min"), folded(lambda a, b: neg_term(("max", neg_term(a), neg_term(b))))),
    **dict.fromkeys(("ceiling", "ceil"), unary(lambda a: neg_term(("floor", neg_term(a))))),
    **dict.fromkeys(("diff", "Derivative"), derivative_of), **dict.fromkeys(("Limit", "limit"), limit_of),
    **dict.fromkeys(("Integral", "integrate"), over_range("int")), "Sum": over_range("sum"), "At": at_point,
    "LambertW": lambert, **dict.fromkeys(("Abs", "abs"), unary(absolute)),
}


# ---- notations for formulas, each written out as its definition ----

def equation(left: Node, right: Node) -> Node:
    """left == right; a limit, or an integral or sum to infinity, on a side is said by epsilon and delta."""
    if improper(right) and not improper(left):
        left, right = right, left
    terms(right)
    if isinstance(left, tuple) and left[0] == "limit":
        return tends(left[1], left[2], left[3], left[4], right)
    if not improper(left):
        return compare("=", left, right)
    partial = (*left[:3], "b'", left[4])
    if left[0] == "int":
        tending = near(partial, right, lambda body: close("b'", OO, "-", body))
    else:
        tending = near(partial, right, lambda body: at_large_integers("b'", body))
    return valued(tending, left[2], right)


def improper(node: Node) -> bool:
    return isinstance(node, tuple) and (node[0] == "limit" or (node[0] in ("int", "sum") and node[3] == OO))


def tends(f: Node, x: str, a: Node, side: str, limit: Node) -> Node:
    """a and the limit are defined; for each neighbourhood of it, f is defined and in it for all x close enough to a."""
    apart(x, a, limit)
    return valued(near(f, limit, lambda body: close(x, a, side, body)), a, limit)


def apart(x: str, *nodes: Node) -> None:
    if any(x in free(n) for n in nodes):
        raise ValueError(f"the variable {x} is bound here and stands outside as well")


def near(f: Node, limit: Node, eventually: Callable[[Node], Node]) -> Node:
    if limit in (OO, neg_term(OO)):
        return ("all", "m'", eventually((">", minus(f, "m'") if limit == OO else minus("m'", f))))
    inside = ("and", (">", minus("e'", minus(f, limit))), (">", ("+", "e'", minus(f, limit))))
    return ("all", "e'", ("imp", (">", "e'"), eventually(inside)))


def close(x: str, a: Node, side: str, body: Node) -> Node:
    """There is a d > 0 such that the body holds for all x != a within d of a on the side; or a bound, at infinity."""
    if a in (OO, neg_term(OO)):
        return ("ex", "d'", ("all", x, ("imp", (">", minus(x, "d'") if a == OO else minus("d'", x)), body)))
    above = (">", minus(x, a)), (">", minus(("+", a, "d'"), x))
    below = (">", minus(a, x)), (">", minus(x, minus(a, "d'")))
    if side == "+-":
        ball: Node = ("and", ("!=", minus(x, a)), above[1], below[1])
    else:
        ball = ("and", *(above if side == "+" else below))
    return ("ex", "d'", ("and", (">", "d'"), ("all", x, ("imp", ball, body))))


def at_large_integers(x: str, body: Node) -> Node:
    return ("ex", "d'", ("all", x, ("imp", ("and", ("isint", x), (">", minus(x, "d'"))), body)))


def sequence_limit(f: Node, n: Node, limit: Node) -> Node:
    """f(n) tends to the limit over the integers n -> oo."""
    terms(f, limit)
    name = variable(n)
    apart(name, limit)
    return valued(near(f, limit, lambda body: at_large_integers(name, body)), limit)


def big_o(f: Node, g: Node, x: Node, a: Node, side: Node = ("text", "+-")) -> Node:
    """a is defined; and |f| <= c |g| for some c, for all x close enough to a."""
    terms(f, g, a)
    apart(variable(x), a)
    most = ("*", "c'", absolute(g))
    bounds = ("and", (">=", minus(most, f)), (">=", ("+", most, f)))
    return valued(("ex", "c'", close(x, a, sided(side, a), bounds)), a)


def formulas(*nodes: Node) -> None:
    for n in nodes:
        if not is_formula(n):
            raise ValueError("a comparison is needed")


def connective(head: str) -> Callable[..., Node]:
    def build(*parts: Node) -> Node:
        formulas(*parts)
        return (head, *parts)

    return build


def implies(a: Node, b: Node) -> Node:
    formulas(a, b)
    return ("imp", a, b)


def for_all(x: Node, where: Node, body: Node) -> Node:
    formulas(where, body)
    return ("all", variable(x), ("imp", where, body))


def exists(x: Node, where: Node, body: Node) -> Node:
    formulas(where, body)
    return ("ex", variable(x), ("and", where, body))


def exists_unique(x: Node, where: Node, body: Node) -> Node:
    """Some x meets both, and every other that does is equal to it."""
    formulas(where, body)
    name = variable(x)
    both = ("and", where, body)
    y = unused("y'", both)
    return ("ex", name, ("and", where, body, ("all", y, ("imp", substitute(both, name, y), ("=", minus(y, name))))))


def monotone(relation: str, sign: int) -> Callable[..., Node]:
    def build(f: Node, x: Node, where: Node) -> Node:
        """f is defined at each x of the domain; and x < y, both in the domain, gives f(x) REL f(y)."""
        terms(f)
        domain = for_all(x, where, ("def", f))
        y = unused("y'", f, where)
        later, there = substitute(f, x, y), substitute(where, x, y)
        step = minus(later, f) if sign > 0 else minus(f, later)
        order = ("imp", ("and", where, there, (">", minus(y, x))), (relation, step))
        return ("and", domain, ("all", x, ("all", y, order)))

    return build


def curved(relation: str, sign: int) -> Callable[..., Node]:
    def build(f: Node, x: Node, where: Node) -> Node:
        """f is defined at each x of the domain; and for x < y in it and 0 < t < 1, f at (1-t) x + t y lies below
        (above) the chord."""
        terms(f)
        domain = for_all(x, where, ("def", f))
        y = unused("y'", f, where)
        later, there = substitute(f, x, y), substitute(where, x, y)
        middle = substitute(f, x, ("+", ("*", minus(ONE, "t'"), x), ("*", "t'", y)))
        chord = ("+", ("*", minus(ONE, "t'"), f), ("*", "t'", later))
        gap = minus(chord, middle) if sign > 0 else minus(middle, chord)
        inside = ("and", where, there, (">", minus(y, x)), (">", "t'"), (">", minus(ONE, "t'")))
        return ("and", domain, ("all", x, ("all", y, ("all", "t'", ("imp", inside, (relation, gap))))))

    return build


whole = unary(lambda x: ("isint", x))
PREDICATES: dict[str, Callable[..., Node]] = {
    "Eq": equation, "Ne": lambda a, b: compare("!=", a, b), "Gt": lambda a, b: compare(">", a, b),
    "Ge": lambda a, b: compare(">=", a, b), "Lt": lambda a, b: compare(">", b, a),
    "Le": lambda a, b: compare(">=", b, a), "Integer": whole, "Natural": lambda a: ("and", whole(a), (">=", a)),
    "And": connective("and"), "Or": connective("or"), "Implies": implies,
    "ForAll": for_all, "Exists": exists, "ExistsUnique": exists_unique, "SequenceLimit": sequence_limit, "BigO": big_o,
    "Increasing": monotone(">=", 1), "StrictlyIncreasing": monotone(">", 1),
    "Decreasing": monotone(">=", -1), "StrictlyDecreasing": monotone(">", -1),
    "Convex": curved(">=", 1), "StrictlyConvex": curved(">", 1),
    "Concave": curved(">=", -1), "StrictlyConcave": curved(">", -1),
}
