"""The one place that says of a point that it is a linear program's optimum: both checkers, on statements of numbers.

``bound``: wherever the program's rows hold, the objective is at most the value; only the rows that the proof uses are
stated. ``attained``: the point, in numbers, obeys all rows, is nowhere negative, and has that objective; in several
statements where one would be too long. Together they say that the value is the optimum, and that the rows can be met,
so that the bound is not said of nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from qtheory.errors import QTheoryError
from qtheory.numerics.linprog import LinearProgram, Optimum
from qtheory.proofs.checkers import both
from qtheory.proofs.gate import certified
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.builder import Step, apply, certificate, conjunction
from qtheory.proofs.verdict import Verdict

SCHEMA = 1
KEYS = ("schema", "used", "bound", "attained")
LENGTH = 15_000  # characters of a condition or goal, below what the language reads
TERMS = 300  # of a sum without brackets
ZERO = Fraction(0)


class Uncertified(QTheoryError):
    """What was to be an optimum is none, or a checker rejects a proof of it; the message says which statement."""


@dataclass(frozen=True, repr=False)
class CertifiedOptimum:
    """A program, an optimal point and its value; there is none that both checkers have not looked at.

    ``certificate``: {"schema", "used", "bound", "attained"}: places of the rows that the bound states, its certificate,
    and those of the point's statements.
    Raises Uncertified if it does not show that this is the optimum of this program.
    """

    program: LinearProgram
    point: Mapping[str, Fraction]
    certificate: Mapping[str, Any]

    def __repr__(self) -> str:
        return (f"<certified optimum {float(self.value):.9g} of a program of {len(self.program.variables)} variables "
                f"and {len(self.program.rows)} rows>")

    def __post_init__(self) -> None:
        data = self.certificate
        if not isinstance(data, Mapping) or set(data) != {*KEYS} or data["schema"] != SCHEMA:
            raise Uncertified(f"a certificate has the keys {', '.join(KEYS)}, and the schema {SCHEMA}")
        stated = [s for s, _ in point_statements(self.program, self.point)]
        if not isinstance(data["attained"], list) or len(data["attained"]) != len(stated):
            raise Uncertified(f"the point is shown in {len(stated)} statements")
        used = _used(self.program, data["used"])
        for statement, proof in ((bound_statement(self.program, self.value, used), data["bound"]),
                                 *zip(stated, data["attained"], strict=True)):
            if not isinstance(proof, dict) or proof.get("statement") != statement.to_json():
                raise Uncertified(f"{statement.goal[:200]}: the certificate states something else")
            try:
                both(proof)
            except (KernelError, RecursionError) as error:
                raise Uncertified(f"{statement.goal[:200]}: {error}") from None
            if proof["verdict"] != "proved":
                raise Uncertified(f"{statement.goal[:200]} is {proof['verdict']} there")

    @property
    def value(self) -> Fraction:
        """The optimum."""
        return self.program.at(self.point)

    @cached_property
    def verdict(self) -> Verdict:
        """The gate's verdict on the bound, with its statement as it is displayed. The point, which is looked at by
        itself, meets the conditions: no contradiction in them is looked for."""
        stated = bound_statement(self.program, self.value, _used(self.program, self.certificate["used"]))
        return certified(stated, self.certificate["bound"], look=0.0)


def certify(optimum: Optimum) -> CertifiedOptimum:
    """The optimum, certified. Uncertified if a checker does not accept it."""
    program, weights = optimum.program, _weights(optimum)
    used = [i for i, w in enumerate(weights) if w]
    attained = []
    try:
        for stated, values in point_statements(program, optimum.point):
            attained.append(certificate(stated, "proved", _ground(stated, values)))
        bound = bound_statement(program, optimum.value, used)
        proof = certificate(bound, "proved", _combined(program, bound, used, weights))
    except KernelError as error:
        raise Uncertified(f"no proof that {float(optimum.value):.12g} is optimal: {error}") from None
    return CertifiedOptimum(program, optimum.point, {"schema": SCHEMA, "used": used, "bound": proof,
                                                       "attained": attained})


# ---- statements ----

def number(value: Fraction) -> str:
    """As a factor or sum's part."""
    return str(value) if value >= 0 else f"({value})"


def form(coefficients: Mapping[str, Fraction]) -> str:
    """A linear form as text, its terms in brackets where they are many."""
    terms = [("- " if c < 0 else "+ ") + ("" if abs(c) == 1 else f"{abs(c)}*") + x for x, c in coefficients.items()]
    parts = [" ".join(terms[i:i + TERMS]) for i in range(0, len(terms), TERMS)]
    texts = [t[2:] if t.startswith("+ ") else f"-{t[2:]}" for t in parts]
    return " + ".join(f"({t})" for t in texts) if len(texts) > 1 else "".join(texts) or "0"


def row_texts(program: LinearProgram) -> list[str]:
    """The rows and signs of a program, each as a comparison."""
    return [*(f"{form(r.coefficients)} {r.relation} {r.right}" for r in program.rows),
            *(f"{x} >= 0" for x in program.variables)]


def bound_statement(program: LinearProgram, value: Fraction, used: Sequence[int]) -> Statement:
    """Wherever these of the rows and signs hold, the objective is at most ``value``."""
    texts = row_texts(program)
    where = tuple(_all(part) for part in _parts([texts[i] for i in used]) if part)
    return Statement(f"{form(program.objective)} <= {value - program.constant}", where).parsed()


def _used(program: LinearProgram, raw: Any) -> list[int]:
    """The rows and signs that the bound states, by their places in :func:`row_texts`."""
    known = range(len(program.rows) + len(program.variables))
    if not isinstance(raw, list) or not all(type(i) is int and i in known for i in raw):
        raise Uncertified(f"used is a list of places of rows and signs, from 0 to {len(known) - 1}")
    return raw


def _facts(texts: Sequence[str]) -> list[Any]:
    """Each text as a formula."""
    found: list[Any] = []
    for part in _parts(texts):
        read = Statement(_all(part)).parsed().conclusion
        found += read[1:] if read[0] == "and" else (read,)
    return found


def point_statements(program: LinearProgram, point: Mapping[str, Fraction]
                     ) -> Iterator[tuple[Statement, list[Fraction]]]:
    """The point obeys the rows, is nowhere negative, and has this objective: comparisons of numbers with 0, and the
    numbers."""
    def at(coefficients: Mapping[str, Fraction]) -> str:
        terms = [f"{number(c)}*{number(v)}" for x, c in coefficients.items() if (v := point.get(x, ZERO))]
        parts = [" + ".join(terms[i:i + TERMS]) for i in range(0, len(terms), TERMS)]
        return " + ".join(f"({t})" for t in parts) if len(parts) > 1 else "".join(parts) or "0"

    found = [(f"{at(r.coefficients)} {r.relation} {r.right}", r.slack(point)) for r in program.rows]
    found += [(f"{v} >= 0", v) for x in program.variables if (v := point.get(x, ZERO))]
    found.append((f"{at(program.objective)} == {program.at(point) - program.constant}", ZERO))
    values = iter([v for _, v in found])
    for part in _parts([t for t, _ in found]):
        yield Statement(_all(part)).parsed(), [next(values) for _ in part]


def _all(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"And({', '.join(texts)})"


def _parts(texts: Sequence[str]) -> list[list[str]]:
    """The texts in groups that are not too long together."""
    found: list[list[str]] = [[]]
    size = 0
    for text in texts:
        if found[-1] and size + len(text) > LENGTH:
            found.append([])
            size = 0
        found[-1].append(text)
        size += len(text) + 2
    return found


# ---- proofs ----

def _weights(optimum: Optimum) -> list[Fraction]:
    """Of rows and signs, in the order of their texts: value less objective is the sum of their terms, so many times.

    A row ``a <= b`` says b - a >= 0, others a - b >= 0 or = 0: these are taken with the negative price.
    """
    rows = [optimum.prices[r.name] * (1 if r.relation == "<=" else -1) for r in optimum.program.rows]
    return [*rows, *(-optimum.reduced[x] for x in optimum.program.variables)]


def _combined(program: LinearProgram, stated: Statement, used: Sequence[int], weights: Sequence[Fraction]) -> Step:
    texts = row_texts(program)
    facts = tuple(apply("hyp", fact) for fact in _facts([texts[i] for i in used]))
    return apply("combine", stated.conclusion, facts, tuple((weights[i], ((k, 1),), ()) for k, i in enumerate(used)))


def _ground(stated: Statement, values: Sequence[Fraction]) -> Step:
    """Each comparison by its number."""
    goal = stated.conclusion
    leaves = goal[1:] if goal[0] == "and" else (goal,)
    return conjunction(goal, [apply("combine", leaf, (), ((v, (), ()),) if v else ())
                              for leaf, v in zip(leaves, values, strict=True)])
