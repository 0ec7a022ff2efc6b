"""The theorems of stable fluid models speak of the paper's: their conditions hold along fluid paths of an engine, by
whatever rule it serves, and break where it idles; what they say falls does so there, at the rate they say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from modelling import Model, Undefined, conditions

from qtheory.numerics.fluid_paths import Paths
from qtheory.proofs.axiomatic import check_theorem, owed
from qtheory.proofs.bundle import names
from qtheory.proofs.claims.axioms import DAI_WEISS
from qtheory.proofs.claims.to.models.fluid_stability import ONE, TWO, Fluid
from qtheory.proofs.corpus import paper
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.proving.lines import Line
from qtheory.proofs.theorems import referee_theorem

BY_ID = {c.id: c for c in paper("to").claims}
LAST = 12  # whole times 1, 2, ..., at which the formulas have a value
Means = Sequence[tuple[Fraction, int, int]]  # of each type: arrival rate, prefill and decode tokens
Steps = Sequence[dict[str, list[Fraction]]]  # at times 0, 1, ...: what is known of each phase


def path(means: Means, speed: Fraction, start: Sequence[Fraction], rule: Callable[[int], list[int]],
         works: Fraction = Fraction(1)) -> list[dict[str, list[Fraction]]]:
    """Of each phase, by whole times from 0 on: Z, B, the slope of B, and whether the path is differentiable there.

    ``rule(n)`` is the order of the phases (p of a type, then d of it) from time n - 1/2 to n + 1/2; ``works``: the part
    of the engine that works.
    """
    sizes = [m for _, *pair in means for m in pair]
    alpha = [r if f == 0 else Fraction(0) for r, *_ in means for f in (0, 1)]
    inflow = [[] if k % 2 == 0 else [(k - 1, Fraction(1))] for k in range(len(sizes))]
    Z, B, now, out = list(start), [Fraction(0)] * len(sizes), Fraction(0), list[dict[str, list[Fraction]]]()
    rates: tuple[Fraction, ...] = ()
    corner = False
    for n in range(LAST + 1):
        paths = Paths(alpha, [works * speed / m for m in sizes], inflow, [rule(n)])
        until = n + Fraction(1, 2)
        while now < until:
            found = paths.direction(frozenset(k for k, z in enumerate(Z) if z > 0))
            assert found is not None
            efforts, growth = found
            corner = corner or (now == n and bool(rates) and rates != efforts)
            rates = efforts
            left = [-z / g for z, g in zip(Z, growth, strict=True) if g < 0 < z]
            ends = min([until, *(now + x for x in left), *([Fraction(n)] if now < n else [])])
            if now == n:
                out.append({"Z": list(Z), "B": list(B), "dB": [u * works * speed for u in efforts],
                            "regular": [Fraction(n > 0 and not corner)]})
                corner = False
            Z = [z + g * (ends - now) for z, g in zip(Z, growth, strict=True)]
            B = [x + u * works * speed * (ends - now) for x, u in zip(B, efforts, strict=True)]
            now = ends
    return out


def valued(steps: Steps, what: str, phase: int, by: Fraction | int = 1) -> Callable[[int], Fraction]:
    return lambda n: by * steps[n][what][phase]


def slope(steps: Steps, phase: int) -> Callable[[int], Fraction]:
    """The derivative of what is served, at regular times."""
    def at(n: int) -> Fraction:
        if not steps[n]["regular"][0]:
            raise Undefined
        return steps[n]["dB"][phase]

    return at


def model(fluid: Fluid, means: Means, b: int, t_b: int, steps: Steps) -> Model:
    """The path as a model of the theorem's formulas."""
    values: dict[str, Any] = {"b": b, "t_b": t_b, "t_p": t_b, "m_b": means[0][2]}
    functions: dict[str, Any] = {}
    for k, ((j, rate), (mean, m_p, m_d)) in enumerate(zip(fluid.types.items(), means, strict=True)):
        values |= {rate: mean, f"m_p{j}": m_p, f"m_d{j}": m_d}
        for f, (y, m) in enumerate((("p", m_p), ("d", m_d))):
            for name, what, by in (("Z", "Z", Fraction(1)), ("W", "Z", Fraction(m)), ("B", "B", Fraction(1)),
                                   ("F", "B", Fraction(1, m))):
                functions[f"{name}_{y}{j}"] = valued(steps, what, 2 * k + f, by)
            functions[f"dB_{y}{j}"] = slope(steps, 2 * k + f)
    return Model({x: Fraction(v) for x, v in values.items()}, functions, LAST)


def failing(fluid: Fluid, at: Model) -> set[str]:
    return {w for w, h in conditions(fluid.theorem) if not at.holds(h)}


def following(fluid: Fluid, load: str = "", **terms: str) -> dict[str, Any]:
    """What is owed, what the axiom concludes, and the goal, each as a formula; of another load, if it is given with
    what it grows by and its weights of the parts."""
    theorem = fluid.theorem
    if load:
        (use,) = theorem.uses
        theorem = replace(theorem, let=(f"f(t) = {load}", *theorem.let[1:]),
                          uses=(replace(use, terms={**use.terms, **terms}),))
    due = owed(theorem)
    functions = tuple(w for w in theorem.where if declared(w, "functions"))
    texts = {**due.obligations, "axiom": due.conclusions[0], "goal": theorem.goal}
    return {name: Statement(text, functions, due.let).conclusion for name, text in texts.items()}


def drawn(fluid: Fluid, rng: random.Random, load: Fraction) -> tuple[Means, int, int]:
    """Types of this load in all, and the engine that they load so."""
    b, t_b = rng.randint(6, 30), rng.randint(1, 3)
    parts = [rng.randint(1, 4) for _ in fluid.types]
    sizes = [(rng.randint(1, 6), rng.randint(1, 6)) for _ in fluid.types]
    speed = Fraction(b, t_b)
    rates = [load * speed * part / sum(parts) for part in parts]
    return [(r / (p + d), p, d) for r, (p, d) in zip(rates, sizes, strict=True)], b, t_b


def start(fluid: Fluid, rng: random.Random) -> list[Fraction]:
    drawn = [rng.randint(0, 5) for _ in range(2 * len(fluid.types))]
    return [Fraction(x, max(1, sum(drawn))) for x in drawn]


RULES: dict[str, Callable[[int, random.Random], Callable[[int], list[int]]]] = {
    "prefill first": lambda phases, rng: lambda n: sorted(range(phases), key=lambda k: k % 2),
    "decode first": lambda phases, rng: lambda n: sorted(range(phases), key=lambda k: -(k % 2)),
    "any": lambda phases, rng: lambda n: rng.sample(range(phases), phases)}


def false(formulas: dict[str, Any], at: Model) -> set[str]:
    return {x for x, formula in formulas.items() if not at.holds(formula)}


@pytest.mark.slow
@pytest.mark.parametrize("fluid", [ONE, TWO], ids=["one type", "two types"])
@pytest.mark.parametrize("name", RULES)
def test_fluid_paths_below_load_one_meet_the_conditions_and_empty(name: str, fluid: Fluid) -> None:
    held = emptied = 0
    for seed in range(5):
        rng = random.Random(seed)
        means, b, t_b = drawn(fluid, rng, Fraction(rng.randint(5, 18), 20))
        speed = Fraction(b, t_b)
        steps = path(means, speed, start(fluid, rng), RULES[name](2 * len(means), rng))
        at = model(fluid, means, b, t_b, steps)
        assert failing(fluid, at) == set()
        assert false(following(fluid), at) == set()
        held += sum(any(x["Z"]) for x in steps[1:])
        rate = speed - sum(mean * (m_p + m_d) for mean, m_p, m_d in means)
        emptied += sum(m_p + m_d for _, m_p, m_d in means) / rate <= LAST
    assert held >= 3 and emptied >= 3


def test_an_engine_that_idles_breaks_one_condition_alone() -> None:
    rng = random.Random(3)
    means, b, t_b = drawn(TWO, rng, Fraction(9, 10))
    steps = path(means, Fraction(b, t_b), start(TWO, rng), RULES["any"](4, rng), works=Fraction(1, 2))
    at = model(TWO, means, b, t_b, steps)
    assert failing(TWO, at) == {TWO.busy}
    assert f"{DAI_WEISS.name}: drift" in false(following(TWO), at)


def test_overload_breaks_the_load_condition_alone() -> None:
    means, b, t_b = [(Fraction(9), 1, 1)], 16, 1
    steps = path(means, Fraction(16), [Fraction(1), Fraction(0)], RULES["prefill first"](2, random.Random(0)))
    at = model(ONE, means, b, t_b, steps)
    assert failing(ONE, at) == {ONE.load[-1]}
    assert false(following(ONE), at) >= {f"{DAI_WEISS.name}: positive rate", "goal"}


def test_the_printed_load_does_not_fall_at_the_rate() -> None:
    """While prefill tokens alone are served (C.19)'s f grows, on a path that meets all conditions."""
    means, b, t_b = [(Fraction(1, 20), 200, 200)], 41, 1
    steps = path(means, Fraction(41), [Fraction(1), Fraction(0)], RULES["prefill first"](2, random.Random(0)))
    at = model(ONE, means, b, t_b, steps)
    assert failing(ONE, at) == set()
    printed = following(ONE, "m_p*Z_p(t) + (m_p + m_d)*Z_d(t)", growth="lam*m_p", weight1="m_d/m_p",
                        weight2="-(m_p + m_d)/m_d")
    assert false(printed, at) == {f"{DAI_WEISS.name}: drift", "axiom"} and not false(following(ONE), at)


def test_levels_below_zero_solve_all_other_equations() -> None:
    """That Z >= 0 is needed: an engine that serves prefill tokens whether there are any or not."""
    flow, zero = [Fraction(5 * n) for n in range(LAST + 1)], Fraction(0)
    steps = [{"Z": [1 + n - x, x], "B": [x, zero], "dB": [Fraction(5), zero], "regular": [Fraction(1)]}
             for n, x in enumerate(flow)]
    at = model(ONE, [(Fraction(1), 1, 1)], 5, 1, steps)
    assert failing(ONE, at) == {ONE.levels}
    assert "goal" in false(following(ONE), at)


# ---- the claims ----

IDS = {"to.prop-2a": ONE, "to.app-C.any-wc": ONE, "to.sec-4.2.fluid-stable": TWO}
EMPTY = {1: "And(Z_p(t) == 0, Z_d(t) == 0)", 2: "And(Z_p1(t) == 0, Z_d1(t) == 0, Z_p2(t) == 0, Z_d2(t) == 0)"}


@pytest.mark.slow
@pytest.mark.parametrize("id", ["to.prop-2a", "to.sec-4.2.fluid-stable"])
def test_the_fluid_model_is_stable(id: str) -> None:
    claim, theorem = BY_ID[id], IDS[id].theorem
    verdict = referee_theorem(theorem, claim.proof, 30.0)
    assert (verdict.verdict, verdict.axioms) == ("proved", (DAI_WEISS.name,))
    assert verdict.certificate is not None
    assert check_theorem(verdict.certificate.data, theorem) == theorem


def test_the_claims_are_of_definition_3() -> None:
    """One time for all solutions: T is of the numbers alone; every phase is empty from it on."""
    for id, fluid in IDS.items():
        claim, theorem = BY_ID[id], fluid.theorem
        assert claim.theorem == theorem and set(claim.sources) == set(theorem.where)
        assert theorem.goal == f"And(T > 0, ForAll(t, t >= T, {EMPTY[len(fluid.types)]}))"
        functions = tuple(w for w in theorem.where if declared(w, "functions"))
        time = Statement("T == 0", functions, theorem.let).conclusion
        assert names(time) <= set(theorem.parameters) and not set(functions) & set(theorem.parameters)
        assert not any(re.search(r"K_?[pd]", w) for w in theorem.where)  # no (K_p, K_d) is singled out


NEEDED = {"any load": ONE.load[-1], "full batches that take longer": "t_p == t_b", "any algorithm": ONE.busy,
          "levels below 0": ONE.levels, "any start": ONE.start}
STUCK = {"any load": "falls", "full batches that take longer": "falls", "any algorithm": "dai-weiss: drift",
         "levels below 0": "requests", "any start": "at first"}


def lacking(steps: tuple[Line, ...], condition: str) -> tuple[Line, ...]:
    """The steps, none of which names the condition."""
    return tuple(replace(s, by=None if s.by is None else tuple(b for b in s.by if b != condition),
                         proof=lacking(s.proof, condition)) for s in steps)


@pytest.mark.slow
@pytest.mark.parametrize("name", NEEDED)
def test_each_of_these_conditions_is_needed(name: str) -> None:
    without = NEEDED[name]
    theorem = replace(ONE.theorem, where=tuple(w for w in ONE.theorem.where if w != without))
    told = BY_ID["to.prop-2a"].proof
    steps = lacking(told.steps, without)
    verdict = referee_theorem(theorem, replace(told, steps=steps), 4.0)
    assert len(theorem.where) == len(ONE.theorem.where) - 1
    assert verdict.verdict == "unknown" and not verdict.axioms
    assert f"not proved: {STUCK[name]} " in verdict.note
