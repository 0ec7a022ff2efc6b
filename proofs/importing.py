"""SymPy objects to the statement language, through a whitelist; every assumption becomes an explicit condition.

Nothing is evaluated or simplified here: the object is written out as text, and the kernel's grammar reads that.
Symbols without assumptions are taken to be real, as everywhere in the statement language; assumptions that it cannot
say are refused, and so are two symbols of one name, of which a bound variable would catch both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import sympy

from qtheory.errors import InputError
from qtheory.proofs.kernel.statements import NAMES_TAKEN

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,40}")
MAX_DEPTH = 100
# an assumption of a symbol -> the condition that says it; "" where real variables meet it anyway
CONDITIONS: dict[tuple[str, bool], str] = {
    ("positive", True): "{} > 0", ("nonnegative", True): "{} >= 0", ("negative", True): "{} < 0",
    ("nonpositive", True): "{} <= 0", ("nonzero", True): "{} != 0", ("zero", True): "{} == 0",
    ("zero", False): "{} != 0", ("integer", True): "{} in integers", ("even", True): "Integer({}/2)",
    ("odd", True): "Integer(({} - 1)/2)",
    ("positive", False): "{} <= 0", ("nonnegative", False): "{} < 0", ("negative", False): "{} >= 0",
    ("nonpositive", False): "{} > 0",
    **{(name, True): "" for name in ("real", "complex", "finite", "commutative", "hermitian", "extended_real")},
    **{(name, False): "" for name in ("imaginary", "infinite")},
}
LARGER = {"complex", "hermitian", "extended_real"}  # these admit more than the reals
SUM, PRODUCT, POWER, ATOM = range(4)


def is_sympy(value: object) -> bool:
    return isinstance(value, sympy.Basic)


def statement_texts(goal: Any, where: Iterable[Any]) -> tuple[str, tuple[str, ...]]:
    """The goal and the conditions as text, each a string or a SymPy object, with the symbols' own assumptions added.

    Raises InputError where an object is outside the whitelist.
    """
    writer = Writer()
    text = writer.statement(goal, "goal")
    conditions = [writer.statement(c, "condition") for c in where]
    return text, (*conditions, *(said for said, _ in writer.assumptions() if said not in conditions))


class Writer:
    """Writes SymPy objects as statement text and collects the symbols that it meets."""

    def __init__(self) -> None:
        self.symbols: dict[str, sympy.Symbol] = {}
        self.free: dict[str, sympy.Symbol] = {}
        self.bound: list[sympy.Symbol] = []
        self.depth = 0

    def statement(self, value: Any, role: str) -> str:
        if isinstance(value, str):
            return value
        if value is True or value is False or value in (sympy.true, sympy.false):
            raise InputError(f"the {role} is the bare truth value {value}: SymPy or Python has already evaluated it; "
                             "give it as a string")
        if not is_sympy(value):
            raise InputError(f"the {role} is of type {type(value).__name__}; a string or a SymPy object is needed")
        try:
            return self.write(value)[0]
        except RecursionError:
            raise InputError(f"the {role} is nested too deeply") from None

    def assumptions(self) -> list[tuple[str, str]]:
        """(condition, name), one for each assumption that the user declared of a free symbol."""
        out = []
        for name, symbol in self.free.items():
            declared = dict(symbol._assumptions.generator)
            if declared.get("integer") and declared.get("nonnegative"):
                out.append((f"{name} in naturals", name))
                declared = {k: v for k, v in declared.items() if k not in ("integer", "nonnegative")}
            out += [(text, name) for text in (CONDITIONS[item].format(name) for item in declared.items()) if text]
        return out

    def write(self, e: Any) -> tuple[str, int]:
        """(text, how tightly it binds)."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InputError("a SymPy object nested too deeply")
        method = WRITERS.get(type(e), Writer.number if isinstance(e, sympy.Rational) else Writer.unknown)
        out = method(self, e)
        self.depth -= 1
        return out

    def at_least(self, level: int, e: Any) -> str:
        text, binds = self.write(e)
        return text if binds >= level else f"({text})"

    def plain(self, e: Any) -> str:
        return self.write(e)[0]

    def symbol(self, s: sympy.Symbol) -> tuple[str, int]:
        if s not in self.bound:
            self.free[s.name] = s
        return self.name(s), ATOM

    def name(self, s: Any) -> str:
        """The name of a symbol, which no other symbol has, bound or free."""
        if type(s) is not sympy.Symbol:
            raise InputError(f"{str(s)[:40]!r} is a {type(s).__name__[:40]!r}; use a Symbol with a name of its own")
        if not NAME.fullmatch(s.name) or s.name in NAMES_TAKEN:
            raise InputError(f"the symbol name {s.name[:40]!r} cannot be used: letters, digits and _ are needed, and "
                             "no name of the statement language")
        if self.symbols.setdefault(s.name, s) != s:
            raise InputError(f"two different symbols are named {s.name}: their assumptions differ; give one of them "
                             "another name")
        for item in s._assumptions.generator.items():
            if item not in CONDITIONS or (item[0] in LARGER and not s.is_real):
                raise InputError(f"the assumption {item[0]}={item[1]} of the symbol {s.name} has no counterpart in "
                                 "the statement language, whose variables are real")
        return str(s.name)

    def binds(self, s: Any, met: Iterable[str], where: str) -> str:
        """The name of a bound variable, whose assumptions say no more than its range."""
        name = self.name(s)
        for assumption, value in s._assumptions.generator.items():
            if CONDITIONS[assumption, value] and not (value and assumption in met):
                why = "does not hold around each point" if where == "Derivative" else "is not what its range says"
                raise InputError(f"the assumption {assumption}={value} of {name}, bound in a {where}, {why}; use a "
                                 "symbol without it")
        return name

    def number(self, e: Any) -> tuple[str, int]:
        if len(str(e)) > 400:
            raise InputError("a number with too many digits")
        return str(e), SUM if e < 0 else ATOM if e.is_Integer else PRODUCT

    def float(self, e: Any) -> tuple[str, int]:
        raise InputError(f"the floating-point number {e} is not exact; write Rational(1, 10) or a string for 0.1")

    def add(self, e: Any) -> tuple[str, int]:
        out = ""
        for part in e.as_ordered_terms():
            text, binds = self.write(part)
            text = text if binds >= PRODUCT or text.startswith("-") else f"({text})"
            out += (f" - {text[1:]}" if text.startswith("-") else f" + {text}") if out else text
        return out, SUM

    def mul(self, e: Any) -> tuple[str, int]:
        """Numerator over denominator; a negative coefficient becomes a sign in front of the whole product."""
        above, below = [], []
        sign = ""
        for f in e.as_ordered_factors():
            if f.is_Rational and f < 0:
                sign, f = ("" if sign else "-"), -f
            if f.is_Rational:
                above += [] if f.p == 1 else [str(f.p)]
                below += [] if f.q == 1 else [str(f.q)]
            elif f.is_Pow and f.exp.is_Integer and f.exp < 0:
                below.append(self.at_least(POWER, f.base if f.exp == -1 else sympy.Pow(f.base, -f.exp, evaluate=False)))
            else:
                above.append(self.at_least(POWER, f))
        return sign + "/".join(["*".join(above) or "1", *below]), SUM if sign else PRODUCT

    def pow(self, e: Any) -> tuple[str, int]:
        base, exponent = e.base, e.exp
        if exponent == sympy.Rational(1, 2):
            return f"sqrt({self.plain(base)})", ATOM
        if base == sympy.E:
            return f"exp({self.plain(exponent)})", ATOM
        if exponent == -1:
            return f"1/{self.at_least(POWER, base)}", PRODUCT
        return f"{self.at_least(ATOM, base)}**{self.at_least(ATOM, exponent)}", POWER

    def call(self, e: Any) -> tuple[str, int]:
        """A function that the grammar knows under its SymPy name."""
        return f"{type(e).__name__}({', '.join(self.plain(a) for a in e.args)})", ATOM

    def unknown(self, e: Any) -> tuple[str, int]:
        kind = type(e).__name__ if NAME.fullmatch(type(e).__name__) else "this"
        if isinstance(e, sympy.Symbol):
            self.name(e)
        if isinstance(e, sympy.core.function.AppliedUndef):
            raise InputError(f"{kind} is not a known function; give the goal as a string and declare it with "
                             f"'{kind} in functions'")
        raise InputError(f"{kind} is outside the statement language: {str(e)[:60]!r}")

    def relation(self, e: Any) -> tuple[str, int]:
        sign = {"Equality": "==", "Unequality": "!=", "GreaterThan": ">=", "StrictGreaterThan": ">", "LessThan": "<=",
                "StrictLessThan": "<"}[type(e).__name__]
        return f"{self.at_least(SUM, e.lhs)} {sign} {self.at_least(SUM, e.rhs)}", -1

    def over_range(self, e: Any) -> tuple[str, int]:
        """Sum or Integral; with several ranges the first is the innermost, as in SymPy."""
        kind = type(e).__name__
        if any(len(limit) != 3 for limit in e.limits):
            raise InputError(f"{kind} needs its ends: (x, from, to)")
        self.bound += [limit[0] for limit in e.limits]
        text = self.plain(e.function)
        for x, low, high in e.limits:
            if kind == "Sum" and (high - low).is_Rational and high - low < -1:
                raise InputError(f"the range ({x}, {low}, {high}) of a Sum runs backwards, for SymPy minus a sum")
            self.bound.remove(x)
            if kind == "Sum":
                met = {name for name in ("positive", "nonnegative") if getattr(low, f"is_{name}")}
                met |= {"integer", *(("nonzero",) if low.is_positive or high.is_negative else ())}
            else:  # between its ends, whichever is the larger; but for one point, on which no integral depends
                inside = low.is_extended_nonnegative and high.is_extended_nonnegative
                met = {"positive", "nonnegative", "nonzero"} if inside else set()
            text = f"{kind}({text}, ({self.binds(x, met, kind)}, {self.plain(low)}, {self.plain(high)}))"
        return text, ATOM

    def derivative(self, e: Any) -> tuple[str, int]:
        text = self.plain(e.expr)
        for x, times in e.variable_count:  # what holds at a point alone, as integer, says nothing of those around it
            self.binds(x, ("positive", "negative", "nonzero"), "Derivative")
            text = f"diff({text}, {self.plain(x)}, {times})"
        return text, ATOM

    def limit(self, e: Any) -> tuple[str, int]:
        f, x, to, side = e.args
        self.bound.append(x)
        body = self.plain(f)
        self.bound.remove(x)
        met = ("positive", "nonnegative", "nonzero") if to.is_positive or (to.is_zero and str(side) == "+") else ()
        return f'Limit({body}, {self.binds(x, met, "Limit")}, {self.plain(to)}, "{side}")', ATOM

    def infinity(self, e: Any) -> tuple[str, int]:
        return ("oo", ATOM) if e is sympy.oo else ("-oo", SUM)


def _constant(text: str) -> Callable[[Writer, Any], tuple[str, int]]:
    return lambda writer, e: (text, ATOM)


WRITERS: dict[type, Callable[[Writer, Any], tuple[str, int]]] = {
    sympy.Symbol: Writer.symbol, sympy.Float: Writer.float, type(sympy.E): _constant("exp(1)"),
    **dict.fromkeys((type(sympy.oo), type(-sympy.oo)), Writer.infinity),
    sympy.Add: Writer.add, sympy.Mul: Writer.mul, sympy.Pow: Writer.pow,
    **dict.fromkeys((sympy.exp, sympy.log, sympy.Max, sympy.Min, sympy.Abs, sympy.floor, sympy.ceiling, sympy.LambertW,
                     sympy.And, sympy.Or, sympy.Implies), Writer.call),
    **dict.fromkeys((sympy.Eq, sympy.Ne, sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt), Writer.relation),
    **dict.fromkeys((sympy.Sum, sympy.Integral), Writer.over_range),
    sympy.Derivative: Writer.derivative, sympy.Limit: Writer.limit,
}
