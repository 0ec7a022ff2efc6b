"""Stable fluid models, Definition 3: the engine of one type (Proposition 2(a)) and of two (Section 4.2).

Functions of a time t: a work-conserving fluid model solution, Definition 2. The load is the tokens that are left,
f = (m_p + m_d) Z_p + m_d Z_d, summed over the types: its first value, what has arrived, less what is served, B_p and
B_d, which are Lipschitz continuous by (C.12). Where both are differentiable, so is the solution: these times are the
regular ones of Definition 1, and there f falls at rate delta if it is positive. No equation of an algorithm is used
but (C.17).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qtheory.proofs.claims.axioms import DAI_WEISS, Theorem, Use
from qtheory.proofs.claims.cases import Model

from .sources import LOAD, SAME, STATED, TWO_TYPES, sourced


def always(*parts: str) -> str:
    """The parts, at each time."""
    return f"ForAll(t, t >= 0, {_all(parts)})"


def late(*parts: str) -> str:
    """The parts, from T on."""
    return f"ForAll(t, t >= T, {_all(parts)})"


def _all(parts: tuple[str, ...]) -> str:
    return parts[0] if len(parts) == 1 else f"And({', '.join(parts)})"


@dataclass(frozen=True)
class Fluid:
    """The fluid model of requests of some types: for each the suffix of its symbols and its arrival rate. ``load`` are
    the conditions on the load, ``more`` the parameters that they name besides, ``sources`` where they are stated."""

    types: Mapping[str, str]
    load: tuple[str, ...]
    more: tuple[str, ...]
    sources: Mapping[str, str]
    similarly: str = ""

    def each(self, *texts: str) -> list[str]:
        """The texts, type by type: ``_j`` is the type's suffix, ``l_j`` its rate."""
        return [text.replace("l_j", rate).replace("_j", j) for j, rate in self.types.items() for text in texts]

    def total(self, *texts: str) -> str:
        return " + ".join(self.each(*texts))

    @property
    def conditions(self) -> dict[str, str]:
        """Each condition, with the paper's sentence that states it."""
        like, out, time = self.similarly, dict[str, str](), f"at each t >= 0, l. 514{self.similarly}"
        names = self.each(*(f"{x}_{y}_j" for x in "BFZW" for y in "pd"))
        out[f"{', '.join(names)} in functions"] = f"(C.15), l. 526: a fluid model solution{like}"
        means = self.each("l_j >= 0", "m_p_j >= 1", "m_d_j >= 1")
        out |= {c: STATED.get(c) or self.sources[c] for c in (*means, "b >= 1", "t_b >= 1", *self.load)}
        out |= dict.fromkeys(map(always, self.each("Z_p_j(t) == Z_p_j(0) + l_j*t - F_p_j(t)")),
                             f"(C.10), l. 516, {time}")
        out |= dict.fromkeys(map(always, self.each("Z_d_j(t) == Z_d_j(0) + F_p_j(t) - F_d_j(t)")),
                             f"(C.11), l. 517, {time}")
        out |= dict.fromkeys(self.each("B_p_j(0) == 0", "B_d_j(0) == 0"), f"(C.12), l. 518{like}")
        grown = "And(0 <= B_f(t) - B_f(s), B_f(t) - B_f(s) <= (t - s)*b/t_b)"
        out |= dict.fromkeys((always(f"ForAll(s, And(0 <= s, s <= t), {grown.replace('B_f', x)})")
                              for x in self.each("B_p_j", "B_d_j")), f"(C.12), l. 518, {time}")
        out |= dict.fromkeys(map(always, self.each(*(f"F_{y}_j(t) == B_{y}_j(t)/m_{y}_j" for y in "pd"))),
                             f"(C.13), l. 519, {time}; 'B_f(f)' is B_f(t), as (C.26) has it")
        out |= dict.fromkeys(map(always, self.each(*(f"W_{y}_j(t) == m_{y}_j*Z_{y}_j(t)" for y in "pd"))),
                             f"(C.14), l. 520, {time}")
        out[self.levels] = f"(C.4) and (C.5), l. 498 and 499, for their fluid counterparts, l. 522{like}"
        out[self.busy] = (f"(C.17), l. 538{like}; a regular time, Def. 1, l. 534, is one at which the solution is "
                          "differentiable: B_p and B_d are, and F, Z and W with them, by (C.10) to (C.14)")
        out[self.start] = f"Def. 3, l. 545: |Z(0)| <= 1{like}"
        return out

    @property
    def levels(self) -> str:
        return always(*self.each("Z_p_j(t) >= 0", "Z_d_j(t) >= 0"))

    def regular(self, *parts: str) -> str:
        """The parts, at each regular time."""
        smooth = self.each("Abs(diff(B_p_j(t), t)) >= 0", "Abs(diff(B_d_j(t), t)) >= 0")
        return f"ForAll(t, And(t > 0, {', '.join(smooth)}), {_all(parts)})"

    @property
    def served(self) -> str:
        """Tokens served a slot, at a regular time."""
        return self.total("diff(B_p_j(t), t)", "diff(B_d_j(t), t)")

    @property
    def busy(self) -> str:
        return self.regular(f"Or({self.total('W_p_j(t)', 'W_d_j(t)')} <= 0, {self.served} == b/t_b)")

    @property
    def parts(self) -> tuple[str, ...]:
        """The tokens that are served, phase by phase."""
        return tuple(self.each("B_p_j(t)", "B_d_j(t)"))

    @property
    def come(self) -> str:
        """The tokens that arrive a slot."""
        return self.total("l_j*(m_p_j + m_d_j)")

    @property
    def start(self) -> str:
        return f"{self.total('Z_p_j(0)', 'Z_d_j(0)')} <= 1"

    @property
    def empty(self) -> tuple[str, ...]:
        return tuple(self.each("Z_p_j(t) == 0", "Z_d_j(t) == 0"))

    @property
    def theorem(self) -> Theorem:
        let = (f"f(t) = {self.total('(m_p_j + m_d_j)*Z_p_j(t) + m_d_j*Z_d_j(t)')}", f"come = {self.come}",
               "delta = b/t_b - come", f"T = ({self.total('m_p_j + m_d_j')})/delta")
        terms = {"load(t)": "f(t)", "growth": "come", "pace": "b/t_b", "rate": "delta"}
        for i, part in enumerate(self.parts, 1):
            terms |= {f"part{i}(t)": part, f"weight{i}": "-1"}
        use = Use(DAI_WEISS.name, terms)
        parameters = (*self.each("l_j", "m_p_j", "m_d_j"), "b", "t_b", *self.more)
        return Theorem(tuple(self.conditions), parameters, (use,), let, f"And(T > 0, {late(*self.empty)})")

    @property
    def model(self) -> Model:
        return Model(self.theorem, sources=sourced(self.theorem.where, self.conditions), budget=60)


ONE = Fluid({"": "lam"}, ("t_p == t_b", "m_b == m_d", "lam*(m_p + m_b) < b/t_p"), ("t_p", "m_b"), {})
TWO = Fluid({"1": "l1", "2": "l2"}, (LOAD, SAME), ("t_p",), TWO_TYPES,
            "; for two types 'developed similarly', l. 264")

ONE_TYPE, BOTH_TYPES = ONE.model, TWO.model
