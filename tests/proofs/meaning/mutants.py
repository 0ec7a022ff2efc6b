"""Misreadings put into each lowering, and how soon the campaign finds them.

A misreading is a replacement in the source of one checker's reader; the changed checker is imported from a copy of its
package.  Only statements that it reads otherwise than the intact one are evaluated: on the others both say the same.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kernel_copies import copied

import qtheory.proofs.kernel
import qtheory.proofs.recheck

from .campaign import Formulas, Reader, Tally, as_tuple, compared, kernel_reading, second_reading
from .generator import drawn

PACKAGES = {"kernel": Path(qtheory.proofs.kernel.__file__ or "").parent,
            "second": Path(qtheory.proofs.recheck.__file__ or "").parent}
INTACT: dict[str, Reader] = {"kernel": kernel_reading, "second": second_reading}


@dataclass(frozen=True)
class Change:
    """In the file, this text becomes that one; it occurs there once."""

    file: str
    old: str
    new: str


def kernel(old: str, new: str, file: str = "grammar.py") -> Change:
    return Change(file, old, new)


def second(old: str, new: str, file: str = "notations.py") -> Change:
    return Change(file, old, new)


# What is misread: the change in the kernel, the change in the second checker.
MUTANTS: dict[str, tuple[Change, Change]] = {
    "the point of a limit may be undefined": (
        kernel("lambda body: close(x, a, side, body)), a, limit)", "lambda body: close(x, a, side, body)), limit)"),
        second("close_to(x, point, side, body)), point, value)", "close_to(x, point, side, body)), value)")),
    "the point of BigO may be undefined": (
        kernel("return valued((\"ex\", \"c'\", close(x, a, sided(side, a), bounds)), a)",
               "return (\"ex\", \"c'\", close(x, a, sided(side, a), bounds))"),
        second("return valued(make(\"ex\", close_to(name, p, where, within), tag=\"c'\"), p)",
               "return make(\"ex\", close_to(name, p, where, within), tag=\"c'\")")),
    "an argument of a definition may be undefined": (
        kernel("return strict_in(unneeded, body)", "return body"),
        second("return strictly(body, arguments, result)", "return result", "lowering.py")),
    "an argument of At may be undefined": (
        kernel("return strict_in([value] if lazy(body, x) else [], substitute(body, x, value))",
               "return substitute(body, x, value)"),
        second("return strictly(f, [(name, point)], replace(f, name, point))", "return replace(f, name, point)")),
    "the value of a limit may be undefined in a disjunction": (
        kernel("lambda body: close(x, a, side, body)), a, limit)", "lambda body: close(x, a, side, body)), a)"),
        second("close_to(x, point, side, body)), point, value)", "close_to(x, point, side, body)), point)")),
    "the point itself is near the point": (
        kernel('ball: Node = ("and", ("!=", minus(x, a)), above[1], below[1])', 'ball = ("and", above[1], below[1])'),
        second('near = conjunction(relation("!=", v, point), upper, lower)', "near = conjunction(upper, lower)")),
    "the sides are changed": (
        kernel('(above if side == "+" else below)', '(above if side == "-" else below)'),
        second('    if side == "+":\n', '    if side == "-":\n')),
    "the distance may be negative": (
        kernel('return ("ex", "d\'", ("and", (">", "d\'"), ("all", x, ("imp", ball, body))))',
               'return ("ex", "d\'", ("all", x, ("imp", ball, body)))'),
        second('return make("ex", conjunction(make(">", d), make("all", make("imp", near, body), tag=x)), tag="d\'")',
               'return make("ex", make("all", make("imp", near, body), tag=x), tag="d\'")')),
    "a limit is approached from one side of its value": (
        kernel('inside = ("and", (">", minus("e\'", minus(f, limit))), (">", ("+", "e\'", minus(f, limit))))',
               'inside = ("and", (">", minus("e\'", minus(f, limit))))'),
        second('within = conjunction(make(">", difference(e, error)), make(">", add(e, error)))',
               'within = conjunction(make(">", difference(e, error)))')),
    "-oo is oo": (
        kernel('minus(f, "m\'") if limit == OO else minus("m\'", f)', 'minus(f, "m\'")'),
        second('make("all", eventually(relation(">", var("m\'"), f)), tag="m\'")',
               'make("all", eventually(relation(">", f, var("m\'"))), tag="m\'")')),
    "BigO bounds from above alone": (
        kernel('bounds = ("and", (">=", minus(most, f)), (">=", ("+", most, f)))',
               'bounds = ("and", (">=", minus(most, f)))'),
        second('within = conjunction(make(">=", difference(most, a)), make(">=", add(most, a)))',
               'within = conjunction(make(">=", difference(most, a)))')),
    "sequences run over the reals": (
        kernel('("imp", ("and", ("isint", x), (">", minus(x, "d\'"))), body)', '("imp", (">", minus(x, "d\'")), body)'),
        second('far = conjunction(make("isint", var(x)), relation(">", var(x), var("d\'")))',
               'far = relation(">", var(x), var("d\'"))')),
    "one part of a disjunction saves the others": (
        kernel('return ("and", *(in_domain(f) for f in goal[1:]), ("or", *(strict(f) for f in goal[1:])))',
               'return ("or", *(strict(f) for f in goal[1:]))', "statements.py"),
        second('return conjunction(*map(meaningful, goal.kids), make("or", *map(strict, goal.kids)))',
               'return make("or", *map(strict, goal.kids))', "statement.py")),
    "a guard has to be defined": (
        kernel('return (head, goal[1], strict(goal[2]))', 'return ("and", in_domain(goal[1]), (head, goal[1], '
               'strict(goal[2]))) if head == "imp" else (head, goal[1], strict(goal[2]))', "statements.py"),
        second('return make("imp", goal.kids[0], strict(goal.kids[1]))', 'return conjunction(meaningful(goal.kids[0]), '
               'make("imp", goal.kids[0], strict(goal.kids[1])))', "statement.py")),
    "existence by implication": (
        kernel('return ("ex", variable(x), ("and", where, body))', 'return ("ex", variable(x), ("imp", where, body))'),
        second('return make("ex", conjunction(*formulas(where, body)), tag=Mark.variable(x))',
               'return make("ex", make("imp", *formulas(where, body)), tag=Mark.variable(x))')),
    "all by conjunction": (
        kernel('return ("all", variable(x), ("imp", where, body))',
               'return ("all", variable(x), ("and", where, body))'),
        second('return make("all", make("imp", *formulas(where, body)), tag=Mark.variable(x))',
               'return make("all", conjunction(*formulas(where, body)), tag=Mark.variable(x))')),
    "unique need not be": (
        kernel('("and", where, body, ("all", y, ("imp", substitute(both, name, y), ("=", minus(y, name)))))',
               '("and", where, body)'),
        second("conjunction(condition, property_, single)", "conjunction(condition, property_)")),
    "strictly increasing is increasing": (
        kernel('"StrictlyIncreasing": monotone(">", 1)', '"StrictlyIncreasing": monotone(">=", 1)'),
        second('"StrictlyIncreasing": _monotone(">", True)', '"StrictlyIncreasing": _monotone(">=", True)')),
    "decreasing is increasing": (
        kernel("step = minus(later, f) if sign > 0 else minus(f, later)", "step = minus(later, f)"),
        second("step = relation(sign, second, first) if rising else relation(sign, first, second)",
               "step = relation(sign, second, first)")),
    "the domain of a shape holds at one end alone": (
        kernel('order = ("imp", ("and", where, there, (">", minus(y, x))), (relation, step))',
               'order = ("imp", ("and", where, (">", minus(y, x))), (relation, step))'),
        second('ordered = conjunction(domain, replace(domain, name, y), relation(">", y, var(name)))',
               'ordered = conjunction(domain, relation(">", y, var(name)))')),
    "chords end in their ends": (
        kernel('(">", "t\'"), (">", minus(ONE, "t\'")))', '(">=", "t\'"), (">", minus(ONE, "t\'")))'),
        second('relation(">", y, var(name)), make(">", t),', 'relation(">", y, var(name)), make(">=", t),')),
    "convex is concave": (
        kernel("gap = minus(chord, middle) if sign > 0 else minus(middle, chord)", "gap = minus(middle, chord)"),
        second("bow = relation(sign, chord, middle) if convex else relation(sign, middle, chord)",
               "bow = relation(sign, middle, chord)")),
    "<= is <": (
        kernel('"<=": ">="', '"<=": ">"'), second('"<=": ">="', '"<=": ">"', "lowering.py")),
    "a chain is its first link": (
        kernel('links[0] if len(links) == 1 else ("and", *links)', "links[0]"),
        second("links[0] if len(links) == 1 else conjunction(*links)", "links[0]", "lowering.py")),
    "Min is Max": (
        kernel('folded(lambda a, b: neg_term(("max", neg_term(a), neg_term(b))))',
               'folded(lambda a, b: ("max", a, b))'),
        second('return opposite(make("max", opposite(a), opposite(b)))', 'return make("max", a, b)')),
    "ceiling is floor": (
        kernel('unary(lambda a: neg_term(("floor", neg_term(a))))', 'unary(lambda a: ("floor", a))'),
        second('return opposite(make("floor", opposite(a)))', 'return make("floor", a)')),
    "derivatives are of the first order": (
        kernel("for _ in range(int(times)):", "for _ in range(1):"),
        second("for _ in range(order or 0):", "for _ in range(1):")),
    "Natural may be negative": (
        kernel('"Natural": lambda a: ("and", whole(a), (">=", a))', '"Natural": lambda a: whole(a)'),
        second('"Natural": lambda a, /: conjunction(_whole(a), make(">=", a))', '"Natural": lambda a, /: _whole(a)')),
    "masses may be negative": (
        kernel('for d in (v, ("sqrt", p))]', "for d in (v, p)]", "laws.py"),
        second("for t in (v, root(p))]", "for t in (v, p)]", "laws.py")),
    "masses need not sum to 1": (
        kernel("return Law(\"+\", ZERO, ZERO, ZERO, (*duties, one(total)),",
               "return Law(\"+\", ZERO, ZERO, ZERO, (*duties,),",
               "laws.py"),
        second("return _listed(name, pairs, *each, is_one(total))", "return _listed(name, pairs, *each)", "laws.py")),
    "a geometric law begins at 0": (
        kernel('return Law("sum", ONE, OO, weight, (("log", p)',
               'return Law("sum", ZERO, OO, weight, (("log", p)', "named.py"),
        second('return Law(name, "sum", ONE, OO, mul(p', 'return Law(name, "sum", ZERO, OO, mul(p', "laws.py")),
    "a geometric law may have p = 0": (
        kernel('ONE, OO, weight, (("log", p), ("sqrt"', 'ONE, OO, weight, (("sqrt", p), ("sqrt"', "named.py"),
        second("log(p), root(q))", "root(p), root(q))", "laws.py")),
    "a variance is a second moment": (
        kernel('minus(square, ("^", mean(clauses, g), TWO)), square)', "square, square)", "operators.py"),
        second("difference(second, power(average(laws, t), TWO)), second)", "second, second)", "operators.py")),
    "a binomial law stops before n": (
        kernel('return Law("sum", ZERO, n, weight', 'return Law("sum", ZERO, minus(n, ONE), weight', "named.py"),
        second('return Law(name, "sum", ZERO, n, weight',
               'return Law(name, "sum", ZERO, difference(n, ONE), weight', "laws.py")),
    "a strict bound is not strict": (
        kernel('(minus(up, ONE) if above else ("+", down, ONE)) if relation == ">"',
               '(down if above else up) if relation == ">"',
               "events.py"),
        second("    if strict:\n", "    if False:\n", "operators.py")),
    "an indicator of > is one of >=": (
        kernel('return minus(ONE, indicator((">=", neg_term(u))))', 'return indicator((">=", u))', "events.py"),
        second('return no(indicator(make(">=", opposite(a.kids[0]))))',
               'return indicator(make(">=", a.kids[0]))', "operators.py")),
    "parameters of endless laws may be undefined": (
        kernel("    return _settled(valued(body, ", "    return body or ((body, ", "endless.py"),
        second("    if whole is meaning:\n", "    if value is None:\n", "endless.py")),
    "a uniform law is not normalised": (
        kernel('return Law("int", a, b, ("^", minus(b, a), MINUS)', 'return Law("int", a, b, ONE', "named.py"),
        second("power(width, MINUS_ONE), log(width))", "ONE, log(width))", "laws.py")),
    "factorials begin at 0": (
        kernel('ONE, n, ("log", ', 'MINUS, n, ("log", ', "factorials.py"),
        second('make("sum", ONE, n, log', 'make("sum", MINUS_ONE, n, log', "factorials.py")),
    "0 to a power -1 is defined": (
        kernel('parts.append(parts.pop() / below if over else ("^", below, MINUS))',
               'parts.append(parts.pop() / below if over else ("max", ("^", below, MINUS), ("^", below, MINUS))'
               ' if below != ZERO else ONE)'),
        second("factors.append(power(t, MINUS_ONE))",
               "factors.append(power(t, MINUS_ONE) if t is not ZERO else number(1))", "lowering.py")),
}


@contextlib.contextmanager
def misreading(checker: str, change: Change) -> Iterator[Reader]:
    """The reader of a copy of the checker with the change."""
    source = (PACKAGES[checker] / change.file).read_text(encoding="utf-8")
    assert source.count(change.old) == 1, f"{checker} {change.file}: {source.count(change.old)} of {change.old}"
    changed = compile(source.replace(change.old, change.new), change.file, "exec")
    with copied(PACKAGES[checker], {change.file: changed}) as package:
        yield reader_of(checker, package)


def reader_of(checker: str, package: str) -> Reader:
    """What the package's reader makes of a statement."""
    statements = importlib.import_module(f"{package}.{'statements' if checker == 'kernel' else 'statement'}")
    refusal = getattr(importlib.import_module(f"{package}.{'terms' if checker == 'kernel' else 'errors'}"),
                      "KernelError" if checker == "kernel" else "RecheckError")

    def read(texts: dict[str, Any]) -> Formulas | None:
        try:
            if checker == "kernel":
                s = statements.Statement.from_json(texts)
                return s.hypotheses, s.conclusion
            s = statements.Statement(texts)
            return tuple(map(as_tuple, s.hypotheses)), as_tuple(s.conclusion)
        except refusal:
            return None

    return read


@cache
def _texts(number: int) -> dict[str, Any]:
    return drawn(number)[0].texts()


@cache
def _intact(checker: str, number: int) -> Formulas | None:
    return INTACT[checker](_texts(number))


def found_after(checker: str, change: Change, first: int = 0, most: int = 10_000) -> int | None:
    """The number of statements, from the ``first`` on, after which the campaign finds the misreading; None if it does
    not. What is read as it was need not be compared."""
    with misreading(checker, change) as misread:
        for number in range(first, most):
            reading = misread(_texts(number))
            if reading is not None and reading != _intact(checker, number):
                tally = Tally()
                compared(number, {checker: misread}, tally, stop=True)
                if tally.findings:
                    return number + 1
    return None
