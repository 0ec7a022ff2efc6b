"""The theorems of the fork-join network speak of its chain: their conditions hold along literal runs of it, and the
function and its mean change are those that are enumerated there; nothing is proved at load 1."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from modelling import UNMIXED, Model, conditions, conserving, term

from qtheory.proofs.axiomatic import owed
from qtheory.proofs.claims.to.models.chain import Engine, Request, by_2_3
from qtheory.proofs.claims.to.models.fed_forward import fed_forward, instance
from qtheory.proofs.claims.to.models.fork_join import UPSTREAM, fork_join
from qtheory.proofs.claims.to.models.schedulers import Scheduler, sarathi
from qtheory.proofs.proving.lines import Proof
from qtheory.proofs.theorems import referee_theorem

THREE, FOUR = (0, 1, 2), (0, 1, 2, 3)
Tasks = tuple[Request, ...]  # (P, D) of a request at each agent
Network = tuple[tuple[int, ...], tuple[Tasks, ...]]  # R of each agent; requests, oldest first
Law = Sequence[tuple[Fraction, tuple[Tasks, ...]]]
AGENTS: Sequence[Engine] = (by_2_3(5, 1, 0, 1), by_2_3(4, 1, 1, 2), by_2_3(3, 1, 0, 1), by_2_3(6, 2, 0, 1))
LAW: Law = ((Fraction(9, 10), ()), (Fraction(3, 40), (((2, 3), (1, 1), (1, 2), (4, 2)),)),
            (Fraction(1, 40), (((1, 1), (2, 2), (1, 1), (1, 3)), ((5, 1), (1, 3), (2, 1), (1, 1)))))
NAMED = conserving(9, 9)


def at_agent(j: int, request: Tasks, eager: bool = False) -> bool:
    """Agent 0 has it first, then 1 and 2, then 3 when both are done; ``eager``: when one of these is."""
    before = [request[k][1] == 0 for k in UPSTREAM[j]]
    there = all(before) or (eager and j == 3 and before[0] and any(before[1:]))
    return there and request[j][1] > 0


def batches(scheduler: Scheduler, state: Network, agents: Sequence[int], eager: bool = False) -> list[list[Request]]:
    """What each agent loads of each request of the network."""
    clocks, requests = state
    out = []
    for j in agents:
        here = [i for i, x in enumerate(requests) if at_agent(j, x, eager)]
        loads = [(0, 0)] * len(requests)
        if clocks[j] == 0:
            chosen = scheduler([requests[i][j] for i in here], AGENTS[j].b)
            for i, load in zip(here, chosen, strict=True):
                loads[i] = load
        out.append(loads)
    return out


def after(state: Network, loaded: list[list[Request]], arrivals: tuple[Tasks, ...], agents: Sequence[int]) -> Network:
    clocks, requests = state
    left = [tuple((x[j][0] - loaded[j][i][0], x[j][1] - loaded[j][i][1]) for j in agents)
            for i, x in enumerate(requests)]
    new = tuple(r - 1 if r else AGENTS[j].times[sum(map(sum, loaded[j]))] - 1
                for j, r in zip(agents, clocks, strict=True))
    came = [x[:len(agents)] for x in arrivals]
    return new, tuple(x for x in (*left, *came) if any(d for _, d in x))


def constants(agents: Sequence[int]) -> tuple[Fraction, dict[str, list[Fraction]], list[Fraction]]:
    """lambda, what describes each agent, and the weights."""
    lam = sum((w * len(a) for w, a in LAW), Fraction(0))
    mean = [[sum((w * x[j][n] for w, a in LAW for x in a), Fraction(0)) / lam for j in agents] for n in (0, 1)]
    s = [sum((w * sum(sum(x[j]) for x in a) ** 2 for w, a in LAW), Fraction(0)) for j in agents]
    b, t = ([Fraction(f(AGENTS[j])) for j in agents] for f in (lambda e: e.b, lambda e: e.times[-1]))
    al = [lam * (p + d) for p, d in zip(*mean, strict=True)]
    big = [4 * 12 * x ** 2 + 3 * x ** 2 + y for x, y in zip(b, s, strict=True)]
    k = [Fraction(0)] * len(agents)
    for j in reversed(agents):
        k[j] = (1 + sum(k[i] * big[i] for i in agents if j in UPSTREAM[i])) / (2 * (b[j] / t[j] - al[j]))
    return lam, {"b": b, "t": t, "mp": mean[0], "md": mean[1], "s": s, "al": al, "C": big,
                 "w": [x / y for x, y in zip(b, t, strict=True)]}, k


def value(state: Network, agents: Sequence[int], k: list[Fraction]) -> Fraction:
    """The sum of the weighted squares, of all tokens for an agent that are in the network, and of its clock."""
    return sum((k[j] * (sum(sum(x[j]) for x in state[1]) + state[0][j] * AGENTS[j].rate) ** 2 for j in agents),
               Fraction(0))


def modelled(state: Network, loaded: list[list[Request]], agents: Sequence[int], eager: bool = False) -> Model:
    """The theorem's variables in a state of the chain."""
    clocks, requests = state
    lam, of_agent, k = constants(agents)
    next_clocks = after(state, loaded, (), agents)[0]
    functions: dict[str, Any] = {name: lambda j, x=x: x[j] for name, x in of_agent.items()}
    functions["z"] = lambda i: i % 2
    columns: dict[str, list[Any]] = {x: [] for x in "SRfgTM"}
    for j in agents:
        able = [(x[j][0] or 1) if at_agent(j, x, eager) else 0 for x in requests]
        for name, column in ((f"p{j}", [x[j][0] for x in requests]), (f"d{j}", [x[j][1] for x in requests]),
                             (f"n{j}", able), *((f"{name}{j}", [x[j][n] - y[n] for x, y in zip(
                                 requests, loaded[j], strict=True)]) for n, name in enumerate("xy"))):
            functions[name] = lambda i, c=column: c[i - 1]
        all_tokens, load = sum(sum(x[j]) for x in requests), sum(map(sum, loaded[j]))
        rate = AGENTS[j].rate
        for name, x in (("S", load), ("R", next_clocks[j]), ("T", all_tokens), ("M", sum(able)),
                        ("f", all_tokens + clocks[j] * rate), ("g", all_tokens - load + next_clocks[j] * rate)):
            columns[name].append(x)
    functions |= {name: lambda j, c=c: c[j] for name, c in columns.items()}
    values = {"lam": lam, "L": 12, "kinds": 1, "q": len(requests), **{f"r{j}": clocks[j] for j in agents},
              **{f"k{j}": k[j] for j in agents}}
    return Model({x: Fraction(v) for x, v in values.items()}, functions, len(requests))


def breaks(agents: Sequence[int], scheduler: Scheduler, eager: bool = False, slots: int = 40) -> set[str]:
    """The conditions that fail along a run; the function and its mean change must be the chain's in each state."""
    theorem = fed_forward(fork_join(agents))[0]
    listed, lyapunov, change = conditions(theorem), term(theorem, "value"), term(theorem, "change")
    rng, broken, (_, of_agent, k) = random.Random(6), set[str](), constants(agents)
    most = sum((k[j] * of_agent["C"][j] for j in agents), Fraction(0))
    sizes = [x for _, a in LAW for x in a]
    state: Network = ((0,) * len(agents), tuple(rng.choice(sizes)[:len(agents)] for _ in range(5)))
    for _ in range(slots):
        loaded = batches(scheduler, state, agents, eager)
        model = modelled(state, loaded, agents, eager)
        now = value(state, agents, k)
        assert model.term(lyapunov, {}) == now
        mean = sum((w * value(after(state, loaded, a, agents), agents, k) for w, a in LAW), Fraction(0))
        assert model.term(change, {}) == mean - now
        failing = {w for w, h in listed if not model.holds(h)}
        if not failing:  # the bound that the drift's proof comes to
            assert mean - now <= most - sum(model.functions["f"](j) for j in agents)
        broken |= failing
        state = after(state, loaded, (rng.choice(sizes),) if rng.random() < 0.3 else (), agents)
    return broken


@pytest.mark.sliced(8)
@pytest.mark.studied(2, "Sarathi-Serve-agents1")  # one run of four agents, which take longest
@pytest.mark.parametrize("agents", [THREE, pytest.param(FOUR, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", NAMED)
def test_the_conditions_hold_along_runs_of_the_network(name: str, agents: Sequence[int]) -> None:
    assert breaks(agents, NAMED[name]) == set()


@pytest.mark.slow
@pytest.mark.parametrize("scheduler", UNMIXED)
def test_other_schedulers_break_the_rule_of_the_slot_alone(scheduler: Scheduler) -> None:
    broken = breaks(FOUR, scheduler)
    assert broken and all(w.startswith("Or(And(r") for w in broken)


@pytest.mark.slow
def test_a_network_that_does_not_join_is_another() -> None:
    broken = breaks(FOUR, sarathi, eager=True)
    assert broken and all("n3(i)" in w for w in broken)


LOAD, WEIGHT = "al(0) < w(0)", "2*k0*(w(0) - al(0)) == 1"


@pytest.mark.slow
@pytest.mark.parametrize("changed, numbers, why", [
    ({LOAD: "al(0) <= w(0)", WEIGHT: "k0 > 0"}, {}, "not proved: pays 0"),
    ({LOAD: "al(0) <= w(0)"}, {"lam": "1", "al(j)": "2 + 0*j"}, "the conditions are not seen to be met")])
def test_at_load_one_nothing_is_proved(changed: dict[str, str], numbers: dict[str, str], why: str) -> None:
    """With other weights the steps fail; those that the theorem has, 1/(2 (b/t_b - load)), do not exist there."""
    net = fork_join((0,))
    (theorem, steps, _), met = fed_forward(net), instance(net, {"lam": "1/4"}, "1/2")
    assert {LOAD, WEIGHT} <= set(theorem.where)
    given = tuple(changed.get(w, w) for w in theorem.chain.given)
    told = Proof(tuple(replace(s, by=s.by and tuple(changed.get(g, g) for g in s.by)) for s in steps),
                 law=(("3/4", ("m = 0",)), ("1/4", ("m = 1",))),
                 instance=tuple(f"{x} = {numbers[x]}" if (x := text.partition(" = ")[0]) in numbers else text
                                for text in met))
    verdict = referee_theorem(replace(theorem, chain=replace(theorem.chain, given=given)), told, 10.0)
    assert verdict.verdict == "unknown" and why in verdict.note


def test_what_is_owed_is_all_of_foster_s_hypotheses() -> None:
    assert set(owed(fed_forward(fork_join(FOUR))[0]).obligations) == {
        f"foster-lyapunov: {x}" for x in ("next", "rows left", "rows came", "mean", "blank row", "bounded below",
                                          "positive rate", "drift", "finite set")}
