"""Tactics: integrals by the fundamental theorem."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qtheory.proofs.kernel.calculus import derivative
from qtheory.proofs.kernel.terms import (
    ONE,
    Node,
    free,
    ge,
    gt,
    minus,
    neg_term,
    substitute,
)
from qtheory.proofs.tactics.builder import Step, Stuck, apply, fresh, hyp
from qtheory.proofs.tactics.simplify import antiderivative

if TYPE_CHECKING:
    from qtheory.proofs.tactics.solve import Prover

Facts = Sequence[Step]
RELATIONS = (">", ">=", "=", "!=")
MAX_LEAVES = 1500


class Integrals:
    """An antiderivative by SymPy, differentiated back by the kernel."""

    def integral(self: Prover, term: Node, facts: Facts, turn: bool = True) -> Step:
        """int_a^b f = F(b) - F(a), with F by SymPy; ``turn``: the ends may stand in the other order."""
        self.tick()
        _, x, a, b, f = term
        facts = [*facts, *self.define(a, facts), *self.define(b, facts)]
        positive = frozenset(v for v in free(term) if self.quick((">", v), facts))
        primitive = antiderivative(f, x, positive)
        try:
            order = self.atom(ge(b, a), facts)
        except Stuck:
            if not turn:
                raise
            return self.flip(term, self.integral(("int", x, b, a, f), facts, turn=False), facts)
        z = fresh("z", term, primitive, [s.concl for s in facts], [h for s in facts for h in s.hyps])
        fz, pz = substitute(f, x, z), substitute(primitive, x, z)
        closed = [*facts, hyp(ge(z, a)), hyp(ge(b, z))]
        domain = apply("defined", fz, (*closed, *self.define(fz, closed)))
        whole = apply("defined", pz, (*closed, *self.define(pz, closed)))
        inside = [*facts, hyp(gt(z, a)), hyp(gt(b, z))]
        slope = self.atom(("=", minus(derivative(pz, z), fz)), inside)
        named = ("int", z, a, b, fz)
        step = apply("fundamental_theorem", named, pz, order, domain, whole, slope)
        return step if named == term else self.rename(term, x, a, b, f, primitive, facts)

    def rename(self: Prover, term: Node, x: str, a: Node, b: Node, f: Node, primitive: Node, facts: Facts) -> Step:
        """The same with the integral's own variable, which must then be free in no fact."""
        if any(x in free(h) for s in facts for h in s.hyps) or x in free(a) | free(b):
            raise Stuck(f"the integration variable {x} has another meaning outside")
        facts = [s for s in facts if x not in free(s.concl)]
        closed = [*facts, hyp(ge(x, a)), hyp(ge(b, x))]
        domain = apply("defined", f, (*closed, *self.define(f, closed)))
        whole = apply("defined", primitive, (*closed, *self.define(primitive, closed)))
        inside = [*facts, hyp(gt(x, a)), hyp(gt(b, x))]
        slope = self.atom(("=", minus(derivative(primitive, x), f)), inside)
        return apply("fundamental_theorem", term, primitive, self.atom(ge(b, a), facts), domain, whole, slope)

    def flip(self: Prover, term: Node, flipped: Step, facts: Facts) -> Step:
        turn = apply("integral_flip", term, (flipped, *facts))
        value = neg_term(flipped.concl[1][2][2])
        return apply("combine", ("=", minus(term, value)), (turn, flipped, *facts),
                     ((ONE, ((0, 1),), ()), (-ONE, ((1, 1),), ())))
