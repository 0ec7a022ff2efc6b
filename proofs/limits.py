"""What is too long, too large or no number for a search: a statement with its definitions written out, a budget, a
point; and what the writer of a text that cannot be read may have meant."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.grammar import FUNCTIONS, PREDICATES
from qtheory.proofs.kernel.terms import KernelError, Node, free

MAX_WORDS = 100_000
MAX_DIGITS = 100_000  # of a number that a power of numbers is
MAX_BUDGET = 86_400.0
MAX_SIZE = 300  # as a power of ten, of numbers that a search can start from
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[^\sA-Za-z]")


MEANT = tuple((re.compile(pattern), hint) for pattern, hint in (  # what a kernel's message has, what its writer meant
    (r"unexpected '=' in .*=>", "at least is written >=, and an implication Implies(a, b)"),
    (r"unexpected '=' in .*=<", "at most is written <="),
    (r"(unexpected|found) '=' in ", "an equation is written with =="),
    (r"unexpected '\w' in .*\bnot\b", "the opposite of a comparison is written instead of not"),
    (r"unexpected '[A-Za-z(]' in ", "a product is written with *"),
    (r"^oo stands where a number is needed$", "a sum or an integral to oo is one whole side of =="),
    (r"unexpected '\|' in ", "an absolute value is written abs(x)"),
    (r"unexpected '!' in ", "a factorial is written factorial(n)"),
    (r"unexpected '%' in ", "what is left of n by m is written n - m*floor(n/m)"),
    (r"found '/' in .*//", "a whole quotient is written floor(n/m)"),
    (r"(unexpected|found) '[\[{]' in ", "brackets are round"),
    (r"unexpected '(and|&)' in ", "both are said by And(a, b), or one by one"),
    (r"unexpected 'or' in ", "one of two is said by Or(a, b)"),
    (r"unexpected 'if' in ", "a goal under a condition is written Implies(condition, goal)"),
    (r"unexpected ':' in ", "for all is written ForAll(x, x > 0, ...)"),
    (r"unexpected \"'\" in ", "a derivative is written diff(f(x), x)"),
    (r"unexpected '\\\\' in ", "this is not LaTeX: a fraction is written a/b, a name lam"),
    (r"unexpected '\.' in .*[A-Za-z]\.[A-Za-z]", "a function stands without its module, as exp(x)"),
    (r": log: takes 1 ", "the logarithm to base 2 is written log(x)/log(2)"),
    *((f"unexpected '[{signs}]' in ", f"{word} is written {written}") for signs, word, written in (
        ("≥⩾", "at least", ">="), ("≤⩽", "at most", "<="), ("≠", "unequal", "!="), ("·×⋅∗", "a product", "*"),
        ("−–", "minus", "-"), ("∞", "infinity", "oo"), ("√", "a root", "sqrt(x)"), ("²³", "a power", "x**2"),
        ("∑", "a sum", "Sum(f, (k, 1, n))"), ("∫", "an integral", "Integral(f, (x, 0, 1))"),
        ("∈", "membership", "in"))),
))
INSTEAD = {name: written for names, written in (  # of functions that the language has under another name, or not
    ("log2 lb", "log(x)/log(2)"), ("log10 lg", "log(x)/log(10)"), ("log1p", "log(1 + x)"), ("expm1", "exp(x) - 1"),
    ("pow power", "x**y"), ("C comb choose nCr binom", "binomial(n, k)"), ("fact", "factorial(n)"),
    ("gamma", "factorial(n - 1)"), ("sum", "Sum(f, (k, 1, n))"),
    ("prod Product product", "exp(Sum(log(f), (k, 1, n))), where its factors are positive"),
    ("int integral", "Integral(f, (x, 0, 1))"), ("lim", "limit(f, x, 0)"), ("derivative", "diff(f, x)"),
    ("P Prob prob", "Pr(X > 1, (X, Exponential(mu)))"), ("Expectation", "E(X, (X, Exponential(mu)))"),
    ("round", "floor(x + 1/2)"), ("mod Mod", "n - m*floor(n/m)"), ("fabs", "abs(x)"), ("cbrt", "x**(1/3)"),
    ("sinh", "(exp(x) - exp(-x))/2"), ("cosh", "(exp(x) + exp(-x))/2"), ("tanh", "(exp(2*x) - 1)/(exp(2*x) + 1)"),
    ("e", "exp(1), where Euler's number is meant"), ("forall", "ForAll(x, x > 0, ...)"),
    ("exists", "Exists(x, x > 0, ...)"),
) for name in names.split()}
OUTSIDE = frozenset(("sin", "cos", "tan", "cot", "erf", "erfc", "sign", "sgn", "argmax", "argmin", "gcd"))
KNOWN = sorted({*FUNCTIONS, *PREDICATES})
CALLED = re.compile(r"column \d+: ([A-Za-z]\w*): (is not a known function|a term is needed)")
GREEK = re.compile("unexpected '([Α-ω])'")

KINDS = {"natural": "in naturals", "integer": "in integers", "whole": "in integers", "real": "in reals",
         "positive": "> 0", "negative": "< 0", "nonnegative": ">= 0", "nonzero": "!= 0"}
SIDE = re.compile(r"\s*(<=|>=|==|!=|<|>|in\b)\s*(.*\S)", re.DOTALL)  # a condition without the term that it is of
WITHIN = re.compile(r"\s*(?:([A-Za-z]\w*)\s+in\s+)?([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])\s*")


def explained(error: Exception, conditions: Iterable[str] = (), name: str = "") -> InputError:
    """The kernel's message about a text, with what its writer may have meant; the ``conditions`` among which it is,
    and the ``name`` that they are of."""
    said = str(error)
    meant = next(filter(None, (condition_meant(text, name) for text in conditions if repr(text) in said)), "")
    return InputError(f"{said}; write {meant}" if meant else hinted(said))


def hinted(said: str) -> str:
    """A kernel's message about a text, with what its writer may have meant."""
    called, greek = CALLED.search(said), GREEK.search(said)
    hint = (instead(called[1]) if called else f"a name is in Latin letters, as {_latin(greek[1])}" if greek else
            next((h for pattern, h in MEANT if pattern.search(said)), ""))
    return f"{said}; {hint}" if hint else said


def instead(name: str) -> str:
    """How what the function means is written, or the one that was meant; empty where none is near."""
    if name in INSTEAD:
        return f"{name} is written {INSTEAD[name]}"
    if name in OUTSIDE:
        return f"the language has no {name}"
    same = [known for known in KNOWN if known.lower() == name.lower()]
    near = same or (get_close_matches(name, KNOWN, n=1, cutoff=0.75) if len(name) > 2 else [])
    return f"did you mean {near[0]}?" if near else ""


def _latin(letter: str) -> str:
    """The English name of a Greek letter; lambda's as the papers' tables have it."""
    name = unicodedata.name(letter, "x").split()[-1].lower()
    return {"lamda": "lam"}.get(name, name)


def condition_meant(text: str, name: str = "") -> str:
    """How a condition is written that is given without its symbol (``> 0``), in words (``natural``, ``n is positive``)
    or as an interval; empty for any other text."""
    if side := SIDE.fullmatch(text):
        if side[1] != "in":
            return repr(f"{name or 'x'} {side[1]} {side[2]}")
        text = side[2]
    if within := WITHIN.fullmatch(text):
        of, left, low, high, right = within.groups()
        return repr(f"{low} <{'=' * (left == '[')} {of or name or 'x'} <{'=' * (right == ']')} {high}")
    words = re.findall(r"\w+", re.sub(r"\bis an?\b|(?<=non)-", "", text, flags=re.IGNORECASE))
    plain = [word.lower().removesuffix("s") for word in words]
    said = [word for word in plain if word in KINDS]
    rest = [word for word, bare in zip(words, plain, strict=True)
            if bare not in {*KINDS, "number"} and word not in ("is", "in")]
    if not said or len(rest) > 1 or "not" in rest or re.search(r"[^\w\s:,-]", text):
        return ""
    of = rest[0] if rest else name or ("n" if {"natural", "integer", "whole"} & set(said) else "x")
    return " and ".join(repr(f"{of} {KINDS[word]}") for word in dict.fromkeys(said))


def require_short(goal: str, where: Sequence[str], let: Sequence[str]) -> None:
    """Raise InputError where definitions of definitions would blow a statement up beyond any use."""
    lengths: dict[str, int] = {}

    def length(text: str) -> int:
        return sum(lengths.get(word, 1) for word in WORD.findall(text))

    for text in let:
        head, _, body = text.partition("=")
        name = head.partition("(")[0].strip()
        lengths[name] = length(body)
        if lengths[name] > MAX_WORDS:
            raise InputError(f"the definition of {name[:40]!r}, written out, has more than {MAX_WORDS} words")
    if sum(map(length, (goal, *where))) > MAX_WORDS:
        raise InputError(f"the statement, written out, has more than {MAX_WORDS} words")


def require_budget(budget: object, most: float = MAX_BUDGET) -> float:
    """The seconds that a search may take; InputError for what is no such number."""
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not 0 < budget <= most:
        raise InputError(f"the budget is {repr(budget)[:40]}; a number of seconds between 0 and {most:g} is needed")
    return float(budget)


def require_number(name: str, value: Node) -> None:
    """Raise InputError where a variable's value is none that a search can start from."""
    if free(value):
        raise InputError(f"the value of {name} speaks of {min(free(value))}; write a number, as in {name} = 1/100")
    try:
        ends = enclose(value, {}, 64)
    except KernelError as error:
        raise InputError(f"the value of {name} is not computed: {error}") from None
    if any(abs(_log10(end.numerator) - _log10(end.denominator)) > MAX_SIZE for end in ends):
        raise InputError(f"the value of {name} is beyond 10**{MAX_SIZE}, or nearer to 0 than 10**-{MAX_SIZE}: nothing "
                         "is looked for there")


def require_writable(formulas: Iterable[Node]) -> None:
    """Raise InputError where a power of numbers, such as 9**9**9, has more digits than anyone could write down."""
    for formula in formulas:
        _digits(formula)


def _digits(node: Node) -> float:
    """log10 of the size of a power of numbers (of a number, that of its numerator or denominator); NaN of all else."""
    if isinstance(node, Fraction):
        return max(_log10(node.numerator), _log10(node.denominator))
    parts = [_digits(part) for part in node[1:]] if isinstance(node, tuple) else []
    if not parts or node[0] != "^":
        return math.nan
    base, exponent = parts
    if math.isnan(base + exponent) or base == 0:
        return base  # a power of 0, 1 or -1 is no larger
    size = base * 10**exponent if exponent < 300 else math.inf
    if size > MAX_DIGITS:
        raise InputError(f"a power of numbers has more than {MAX_DIGITS} digits; write a smaller exponent, or a name")
    return size


def _log10(whole: int) -> float:
    """Of the size of a whole number; 0 of 0."""
    return math.log10(abs(whole)) if whole else 0.0
