"""The theorems of instability speak of the paper's systems: their conditions hold along runs, slot by slot, and break
for schedulers that are stable; what they say grows does so there."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from test_recurrence import ENGINES, LAWS, Model, conditions, modelled, some_states, term

from qtheory.proofs.axiomatic import check_theorem
from qtheory.proofs.claims.axioms import Theorem
from qtheory.proofs.claims.to.models import unmixed
from qtheory.proofs.claims.to.models.chain import Engine, Law, Request, State, by_2_3, chosen, drift, run, tokens
from qtheory.proofs.claims.to.models.instability import FT, VLLM
from qtheory.proofs.claims.to.models.network_instability import THEOREM as NETWORK
from qtheory.proofs.claims.to.models.schedulers import Scheduler, faster_transformer, sarathi, vllm
from qtheory.proofs.corpus import paper
from qtheory.proofs.theorems import referee_theorem

BY_ID = {c.id: c for c in paper("to").claims}
Arrivals = Sequence[tuple[Request, ...]]


def drawn(slots: int, sizes: Sequence[Request], chance: float, seed: int) -> Arrivals:
    rng = random.Random(seed)
    return [(rng.choice(sizes),) if rng.random() < chance else () for _ in range(slots)]


def at(values: Sequence[int]) -> Callable[[int], int]:
    """A function of slots 1, 2, ..."""
    return lambda slot: values[slot - 1]


def ft_path(engine: Engine, path: Sequence[State], batches: Any, arrivals: Arrivals, d: int) -> dict[str, Any]:
    held = [max((left for p, left in x if p == 0), default=0) for _, x in path]
    return {"V": at([sum(p for p, _ in a) for a in arrivals]), "w": at([sum(p for p, _ in x) for _, x in path]),
            "p": at([sum(p for p, _ in y) for y in batches]), "g": at([min(d, h) for h in held]),
            "R": at([r for r, _ in path])}


def vllm_path(engine: Engine, path: Sequence[State], batches: Any, arrivals: Arrivals, d: int) -> dict[str, Any]:
    return {"V": at([sum(p for p, _ in a) for a in arrivals]), "D": at([sum(q for _, q in a) for a in arrivals]),
            "m": at([int(bool(a)) for a in arrivals]), "W": at([sum(p for p, _ in x) for _, x in path]),
            "Q": at([sum(q for p, q in x if p) for _, x in path]),
            "Y": at([sum(q for p, q in x if not p) for _, x in path]),
            "k": at([sum(q for _, q in y) for y in batches]), "u": at([int(any(p for p, _ in x)) for _, x in path])}


PATHS = {"FT": (FT, ft_path), "vLLM": (VLLM, vllm_path)}


def breaks(name: str, engine: Engine, scheduler: Scheduler, sizes: Sequence[Request], chance: Fraction,
           start: State = (0, ())) -> tuple[set[str], int, int]:
    """The conditions that fail along a run, and what waits by the theorem at its middle and at its end."""
    slots, (theorem, functions) = 300, PATHS[name]
    arrivals = drawn(slots, sizes, float(chance), 5)
    path = list(run(engine, scheduler, start, arrivals))
    batches = [chosen(engine, scheduler, x) for x in path]
    d, c = min(q for _, q in sizes), engine.times[1]
    m_p, m_d = (Fraction(sum(s[j] for s in sizes), len(sizes)) for j in (0, 1))
    kappa = Fraction(engine.b, c * (1 + d))
    eta = chance * m_p - kappa if name == "FT" else chance * m_d + engine.b * chance - engine.b
    values = {"lam": chance, "m_p": m_p, "m_d": m_d, "b": engine.b, "t_b": engine.times[-1], "c": c, "d": d,
              "kappa": kappa, "eta": eta / 2, "often": chance, "most": max(q for _, q in sizes)}
    model = Model({x: Fraction(v) for x, v in values.items()}, functions(engine, path, batches, arrivals, d), slots)
    waits = model.functions["w" if name == "FT" else "Y"]
    return {w for w, h in conditions(theorem) if not model.holds(h)}, waits(slots // 2), waits(slots + 1)


RUNS = {
    "FT": ("FT", by_2_3(5, 1, 0, 1), faster_transformer, ((2, 2),), Fraction(19, 20)),
    "FT, other sizes": ("FT", by_2_3(6, 1, 0, 1), faster_transformer, ((2, 3), (3, 3), (4, 4)), Fraction(9, 10)),
    "FT, longer batches": ("FT", by_2_3(6, 2, 0, 1), faster_transformer, ((2, 3), (3, 3)), Fraction(1, 2)),
    "vLLM": ("vLLM", by_2_3(4, 1, 0, 1), vllm, ((1, 3),), Fraction(3, 4)),
    "vLLM, other sizes": ("vLLM", by_2_3(6, 1, 0, 1), vllm, ((1, 2), (3, 2), (2, 3)), Fraction(9, 10))}


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_the_conditions_hold_along_runs_below_load_one(name: str) -> None:
    start: State = (0, ((0, 5), (0, 1), (2, 3)))
    for at_first in ((0, ()), start):
        broken, middle, end = breaks(*RUNS[name], at_first)
        assert broken == set() and end > middle + 15


@pytest.mark.parametrize("name", ["FT", "vLLM"])
def test_a_scheduler_that_mixes_breaks_the_rule_alone(name: str) -> None:
    which, engine, _, sizes, chance = RUNS[name]
    broken, _, end = breaks(which, engine, sarathi, sizes, chance)
    theorem = PATHS[which][0]
    assert broken and broken <= {theorem.where[-2], theorem.where[-3]} and end < 20


# ---- the network, token by token ----

Visit = list[int]  # type 0 (A) or 1 (B), prefill and decode tokens left


def one_token(queue: list[Visit], first: int) -> Visit | None:
    """The visit whose token is loaded: the type with priority first, then its oldest request (decode first is this)."""
    return min(queue, key=lambda v: (v[0] != first, v[1] > 0), default=None)


def network(slots: int, sizes: tuple[int, int], rates: tuple[float, float], seed: int, reverse: bool = False,
            together: bool = True) -> dict[str, list[int]]:
    """Short visits of (1, 1) tokens, long ones of ``sizes`` tokens; what the theorem's functions are in each slot."""
    rng = random.Random(seed)
    engines: tuple[list[Visit], list[Visit]] = ([], [])
    seen: dict[str, list[int]] = {x: [] for x in "azfgxyABUV"}
    for slot in range(slots):
        short = [[v for v in engines[j] if v[0] == j] for j in (0, 1)]
        long = [sum(v[1] + v[2] for v in engines[1 - j] if v[0] == j) for j in (0, 1)]
        came = [int(together and slot == 0) or int(rng.random() < rates[j]) for j in (0, 1)]
        served = [one_token(engines[e], first=e if reverse else 1 - e) for e in (0, 1)]
        ended: list[int] = []
        for e, v in enumerate(served):
            if v is not None:
                v[1 if v[1] else 2] -= 1
                if v[1] + v[2] == 0:
                    engines[e].remove(v)
                    ended += [v[0]] if v[0] == e else []
        loaded = [int(served[1 - j] is not None and served[1 - j][0] == j) for j in (0, 1)]  # type: ignore[index]
        for j in (0, 1):
            engines[1 - j].extend([j, sizes[j] - 1, 1] for _ in range(ended.count(j)))
            engines[j].extend([j, 1, 1] for _ in range(came[j]))
        now = {"a": came[0], "z": came[1], "f": 0 in ended, "g": 1 in ended, "x": loaded[0], "y": loaded[1],
               "A": len(short[0]), "B": len(short[1]), "U": long[0], "V": long[1]}
        for name, value in now.items():
            seen[name].append(int(value))
    return seen


@pytest.mark.later
def test_the_network_s_conditions_hold_token_by_token() -> None:
    slots, sizes, rates = 1500, (60, 12), (Fraction(1, 70), Fraction(1, 25))
    seen = network(slots + 1, sizes, (float(rates[0]), float(rates[1])), 1)
    seen["v"] = [int(u > 0) for u in seen["U"]]
    seen["o"] = [q * v for q, v in zip(seen["V"], seen["v"], strict=True)]
    w_A, w_B = sizes
    eta = ((w_A - w_B) * rates[0] + w_B * rates[1] - 1) / 2
    values = {"l_A": rates[0], "l_B": rates[1], "s_A": 2, "s_B": 2, "w_A": w_A, "w_B": w_B, "eta": eta}
    model = Model({x: Fraction(v) for x, v in values.items()}, {x: at(v) for x, v in seen.items()}, slots)
    assert {w for w, h in conditions(NETWORK) if not model.holds(h)} == set()
    assert any(x and y for x, y in zip(seen["x"], seen["y"], strict=True))  # both begin in one slot, once at least
    assert all(x + y <= 1 or o for x, y, o in zip(seen["x"], seen["y"], seen["o"], strict=True))


@pytest.mark.later
def test_the_network_grows_and_with_the_priorities_reversed_does_not() -> None:
    def present(seen: dict[str, list[int]]) -> int:
        return sum(seen[x][-1] for x in "AUBV")

    assert present(network(8_000, (60, 12), (1 / 70, 1 / 25), 2)) > 1500
    assert present(network(8_000, (60, 12), (1 / 70, 1 / 25), 2, reverse=True)) < 1000


# ---- the claims ----

@pytest.mark.slow
@pytest.mark.parametrize("id", ["to.sec-3.ft-unstable", "to.sec-4.3.wc-not-all-stable"])
def test_each_is_proved_and_checked_again(id: str) -> None:
    claim = BY_ID[id]
    assert claim.theorem is not None and claim.theorem.goal is not None
    verdict = referee_theorem(claim.theorem, claim.proof, 60.0)
    assert (verdict.verdict, verdict.axioms) == ("proved", ("strong-law",))
    assert verdict.certificate is not None
    assert check_theorem(verdict.certificate.data, wanted=claim.theorem) == claim.theorem


WEAKER: dict[str, tuple[Theorem, str, str]] = {
    "as many arrive as can be prefilled": (FT, "lam*m_p > kappa", "lam*m_p >= kappa"),
    "as many arrive as can be decoded": (VLLM, "lam*m_d + b*often > b", "lam*m_d + b*often >= b"),
    "long visits that fit one engine": (NETWORK, "(w_A - w_B)*l_A + w_B*l_B > 1", "(w_A - w_B)*l_A + w_B*l_B >= 1")}


@pytest.mark.slow
@pytest.mark.parametrize("name", WEAKER)
def test_at_the_boundary_nothing_is_proved(name: str) -> None:
    theorem, old, new = WEAKER[name]
    told = next(c for c in paper("to").claims if c.theorem == theorem).proof
    where = tuple(w.replace(old, new) for w in theorem.where)
    steps = tuple(replace(s, by=s.by and tuple(g.replace(old, new) for g in s.by)) for s in told.steps)
    assert where != theorem.where
    verdict = referee_theorem(replace(theorem, where=where), replace(told, steps=steps), 30.0)
    assert verdict.verdict == "unknown" and "not proved: excess" in verdict.note


# ---- what is stable all the same ----

def stable(theorem: Theorem, scheduler: Scheduler, law: Law, f: Callable[[Engine, State], Fraction]) -> set[str]:
    """The conditions that fail in states of the chain; the function and its mean change must be the chain's."""
    rng, broken = random.Random(4), set[str]()
    listed, value, change = conditions(theorem), term(theorem, "value"), term(theorem, "change")
    for engine in ENGINES:
        for state in some_states(engine, scheduler, rng):
            model = modelled(engine, scheduler, law, state, Fraction(1))
            batch = chosen(engine, scheduler, state)
            here = dict(model.values)
            here |= {"Sp": Fraction(sum(p for p, _ in batch)), "P": Fraction(sum(p for p, _ in state[1])),
                     "Ed": Fraction(sum(p == 0 for p, _ in state[1])), "M": Fraction(sum(p or 1 for p, _ in state[1]))}
            model = Model(here, model.functions, model.last)
            assert model.term(value, {}) == f(engine, state)
            assert model.term(change, {}) == drift(engine, scheduler, law, partial(f, engine), state)
            broken |= {w for w, h in listed if not model.holds(h)}
    return broken


@pytest.mark.slow
def test_full_batches_of_one_phase_meet_the_conditions_and_other_unmixed_ones_do_not() -> None:
    def f(engine: Engine, state: State) -> Fraction:
        return tokens(state) + state[0] * engine.rate

    assert stable(unmixed.FULL_BATCHES, unmixed.full_batches, LAWS[0], f) == set()
    assert stable(unmixed.FULL_BATCHES, faster_transformer, LAWS[0], f) == {unmixed.FULL}
    assert stable(unmixed.FULL_BATCHES, sarathi, LAWS[0], f) >= {unmixed.UNMIXED}


def test_unmixed_full_batches_carry_a_load_that_vllm_does_not() -> None:
    arrivals = drawn(800, ((1, 3),), 0.75, 7)
    engine = by_2_3(4, 1, 0, 1)
    left = {s: sum(map(sum, list(run(engine, s, (0, ()), arrivals))[-1][1])) for s in (unmixed.full_batches, vllm)}
    assert left[unmixed.full_batches] < 60 < 500 < left[vllm]
