"""A proof in a statement's own language: its texts read as formulas and terms, for the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from qtheory.errors import InputError
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, substitute
from qtheory.proofs.limits import require_number
from qtheory.proofs.proving.lines import Line, Proof
from qtheory.proofs.tactics.reading import Reader


@dataclass(frozen=True)
class Lemma:
    """A formula to be proved, and the terms that are then put for some of its free variables, where these terms are
    defined only under a condition; lemmas that serve its own proof alone; the variable, with the end of its interval,
    along which the mean value theorem gives the formula's comparisons; terms on whose signs they are split; and a
    variable for induction.  ``uses``: the labels of the lemmas that it may use, by default all before it."""

    formula: Node
    at: Mapping[str, Node]
    where: Node | None = None
    by: tuple[Lemma, ...] = ()
    along: tuple[str, Node] | None = None
    cases: tuple[Node, ...] = ()
    induction: str = ""
    uses: tuple[str, ...] | None = None
    label: str = ""
    place: str = ""


@dataclass(frozen=True)
class Speed:
    """The rate of a limit, as ``qtheory.proofs.proving.lines.Rate`` says."""

    constant: Node
    within: Node
    less: Node | None = None
    root: bool = False


@dataclass(frozen=True)
class Guidance:
    """What a search is told; see ``qtheory.proofs.proving.lines.Proof``."""

    lemmas: tuple[Lemma, ...] = ()
    witness: Mapping[str, Node] = field(default_factory=dict)
    rates: Mapping[str, Speed] = field(default_factory=dict)
    orders: Mapping[str, tuple[Node, Node]] = field(default_factory=dict)
    antiderivatives: Mapping[str, tuple[Node, ...]] = field(default_factory=dict)
    bracket: tuple[Node, Node] | None = None
    goal: Lemma | None = None

    def __bool__(self) -> bool:
        return self != Guidance()


NOTHING = Guidance()


def named(name: str, label: str) -> bool:
    """Does the reference mean the step of this label?  Of a step that stands for several, all."""
    return label == name or label.startswith(f"{name}.")


class _Texts:
    """Reads the texts of a proof; InputError, with the place in the proof, for what cannot be read."""

    def __init__(self, statement: Statement) -> None:
        self.reader = Reader(statement)

    def formula(self, text: str) -> Node:
        return self.reader.goal(text)

    def term(self, text: str) -> Node:
        node = self.formula("({}) == 0".format(text.replace("'", "_prime")))[1]
        for name in free(node):  # the variables of epsilon and delta, which a statement cannot name
            node = substitute(node, name, name.replace("_prime", "'"))
        return node

    def lemmas(self, steps: Sequence[Line], known: Sequence[str] = ()) -> tuple[Lemma, ...]:
        labels = list(known)
        out = []
        for step in steps:
            try:
                out.append(self.lemma(step, labels))
            except KernelError as error:
                raise InputError(f"{step.place}: {error}" if step.place else str(error)) from None
            labels.append(step.label)
        return tuple(out)

    def lemma(self, step: Line, labels: Sequence[str]) -> Lemma:
        for name in step.by or ():
            if not any(named(name, label) for label in labels):
                raise KernelError(f"there is no step {name!r} before this one")
        if step.points or step.limit or step.way:
            raise KernelError("this way is for the steps of a theorem by axioms")
        return Lemma(self.formula(step.text), {x: self.term(t) for x, t in step.at},
                     self.formula(step.where) if step.where else None, self.lemmas(step.proof, labels),
                     (step.slope[0], self.term(step.slope[1])) if step.slope else None,
                     tuple(map(self.term, step.cases)), step.over, step.by, step.label, step.place)


def guidance(statement: Statement, proof: Proof | None) -> Guidance:
    """The proof for the search. InputError for a text that cannot be read, with its place."""
    if not proof:
        return NOTHING
    texts = _Texts(statement)
    steps = texts.lemmas(proof.steps)
    try:
        return Guidance(
            steps, {x: texts.term(t) for x, t in proof.witness},
            {r.x: Speed(texts.term(r.constant), texts.term(r.within), texts.term(r.less) if r.less else None, r.root)
             for r in proof.rates},
            {o.x: (texts.term(o.constant), texts.term(o.within)) for o in proof.orders},
            {x: tuple(map(texts.term, ts)) for x, ts in proof.antiderivatives},
            (texts.term(proof.bracket[0]), texts.term(proof.bracket[1])) if proof.bracket else None,
            None if proof.goal == Line() else texts.lemma(
                replace(proof.goal, formula=statement.goal), [step.label for step in proof.steps]))
    except KernelError as error:
        raise InputError(f"{proof.source or 'the proof'}, {proof.name}: {error}") from None


def place(statement: Statement, point: Mapping[str, str]) -> dict[str, Node]:
    """A point at which to look for a counterexample first. InputError for a text that cannot be read."""
    texts = _Texts(statement)
    try:
        values = {x: texts.term(t) for x, t in point.items()}
        for x, value in values.items():
            require_number(x, value)
        return values
    except (KernelError, InputError) as error:
        raise InputError(f"the place of a counterexample: {error}") from None


__all__ = ["NOTHING", "Guidance", "Lemma", "Speed", "guidance", "named", "place"]
