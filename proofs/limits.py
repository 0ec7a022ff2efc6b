"""What is too long, too large or no number for a search: a statement with its definitions written out, a budget, a
point; and what the writer of a text that cannot be read may have meant."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from qtheory.errors import InputError
from qtheory.proofs.kernel.balls import enclose
from qtheory.proofs.kernel.terms import KernelError, Node, free

MAX_WORDS = 100_000
MAX_DIGITS = 100_000  # of a number that a power of numbers is
MAX_BUDGET = 86_400.0
MAX_SIZE = 300  # as a power of ten, of numbers that a search can start from
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[^\sA-Za-z]")


MEANT = (  # what a kernel's message ends with, and what the writer may have meant
    (re.compile(r"(unexpected|found) '=' in "), "an equation is written with =="),
    (re.compile(r"unexpected '[A-Za-z(]' in "), "a product is written with *"),
    (re.compile(r"^oo stands where a number is needed$"), "a sum or an integral to oo is one whole side of =="),
)

KINDS = {"natural": "in naturals", "integer": "in integers", "whole": "in integers", "real": "in reals",
         "positive": "> 0", "negative": "< 0", "nonnegative": ">= 0", "nonzero": "!= 0"}
SIDE = re.compile(r"\s*(<=|>=|==|!=|<|>|in\b)\s*(.*\S)", re.DOTALL)  # a condition without the term that it is of
WITHIN = re.compile(r"\s*(?:([A-Za-z]\w*)\s+in\s+)?([(\[])\s*([^,]+?)\s*,\s*([^,]+?)\s*([)\]])\s*")


def explained(error: Exception, conditions: Iterable[str] = (), name: str = "") -> InputError:
    """The kernel's message about a text, with what its writer may have meant; the ``conditions`` among which it is,
    and the ``name`` that they are of."""
    said = str(error)
    meant = next(filter(None, (condition_meant(text, name) for text in conditions if repr(text) in said)), "")
    hint = f"write {meant}" if meant else next((h for pattern, h in MEANT if pattern.search(said)), "")
    return InputError(f"{said}; {hint}" if hint else said)


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
