"""The theorems of Rybko-Stolyar's network with reversed priorities speak of its chain, with bounded sizes and without a
bound: their conditions hold along a literal run of it, and the functions and their mean changes are those that are
enumerated there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from modelling import Model, conditions, term

from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.to.models import reversed_priorities
from qtheory.proofs.claims.to.models.chain import Engine, Request, by_2_3
from qtheory.proofs.claims.to.models.fed_forward import fed_forward
from qtheory.proofs.claims.to.models.rybko_stolyar import REVERSED
from qtheory.proofs.claims.to.models.schedulers import sarathi

THEOREM = fed_forward(REVERSED)[0]
AGENTS: Sequence[Engine] = (by_2_3(5, 1, 0, 1), by_2_3(6, 1, 1, 4))
LONGEST = 8  # tokens of a visit, at most
Job = tuple[int, Request, Request]  # type 0 (A) or 1 (B), which is where it begins; (P, D) of its visits
Network = tuple[tuple[int, int], tuple[Job, ...]]  # R of the agents; requests, oldest first
A, B, LONG_B = (0, (2, 1), (5, 2)), (1, (1, 2), (4, 3)), (1, (6, 2), (1, 1))
LAW: Sequence[tuple[Fraction, tuple[Job, ...]]] = (
    (Fraction(17, 20), ()), (Fraction(1, 10), (A,)), (Fraction(1, 40), (B,)), (Fraction(1, 40), (A, LONG_B, B)))
CLASS = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}  # of a type's first or second visit


@dataclass(frozen=True)
class Rule:
    first: bool = True  # first visits have priority
    mixed: bool = True  # tokens without priority fill what is left of a batch


def visits(e: int, requests: Sequence[Job]) -> list[list[tuple[int, int]]]:
    """The requests with a first visit at agent e, and those at their second visit there: (number, visit)."""
    first = [(i, 0) for i, (kind, (_, d), _) in enumerate(requests) if kind == e and d > 0]
    return [first, [(i, 1) for i, (kind, (_, d), _) in enumerate(requests) if kind != e and d == 0]]


def batch(e: int, state: Network, rule: Rule, agents: Sequence[Engine] = AGENTS) -> dict[tuple[int, int], Request]:
    """What agent e loads: tokens with priority, and others only where these do not fill the batch."""
    (clocks, requests), loads, room = state, dict[tuple[int, int], Request](), agents[e].b
    if clocks[e]:
        return loads
    groups = visits(e, requests)
    for group in groups if rule.first else groups[::-1]:
        if room and (rule.mixed or not loads):
            loads |= dict(zip(group, sarathi([requests[i][1 + v] for i, v in group], room), strict=True))
        room = agents[e].b - sum(map(sum, loads.values()))
    return loads


def after(state: Network, loads: Sequence[dict[tuple[int, int], Request]], arrivals: tuple[Job, ...],
          agents: Sequence[Engine] = AGENTS) -> Network:
    clocks, requests = state
    every = {k: x for of_agent in loads for k, x in of_agent.items()}
    left = []
    for i, (kind, *sizes) in enumerate(requests):
        first, second = ((p - every.get((i, v), (0, 0))[0], d - every.get((i, v), (0, 0))[1])
                         for v, (p, d) in enumerate(sizes))
        left.append((kind, first, second))
    r = [r - 1 if r else agents[e].times[sum(map(sum, loads[e].values()))] - 1 for e, r in enumerate(clocks)]
    return (r[0], r[1]), (*(x for x in left if x[2][1]), *arrivals)


def by_class(requests: Sequence[Job]) -> list[list[Request]]:
    """The tokens of each class, request by request."""
    columns: list[list[Request]] = [[(0, 0)] * len(requests) for _ in range(4)]
    for i, (kind, *sizes) in enumerate(requests):
        for v in (0, 1):
            columns[CLASS[kind, v]][i] = sizes[v]
    return columns


def of_queue(tokens: Sequence[int]) -> list[int]:
    """From classes to queues: each type's first visits, and all of each agent."""
    return [tokens[0], tokens[1], tokens[0] + tokens[2], tokens[1] + tokens[3]]


def contents(requests: Sequence[Job]) -> list[int]:
    return of_queue([sum(map(sum, column)) for column in by_class(requests)])


def constants() -> tuple[dict[str, Fraction], dict[str, list[Fraction]], list[Fraction]]:
    """The arrival rates, what describes agents and queues, and the weights."""
    rate = [sum((w for w, a in LAW for x in a if x[0] == kind), Fraction(0)) for kind in (0, 1)]
    brought = [sum((w * contents(a)[j] for w, a in LAW), Fraction(0)) for j in range(4)]
    s = [sum((w * contents(a)[j] ** 2 for w, a in LAW), Fraction(0)) for j in range(4)]
    mean = [[sum((w * by_class(a)[c][i][n] for w, a in LAW for i in range(len(a))), Fraction(0)) / rate[kind]
             for (kind, _), c in sorted(CLASS.items(), key=lambda x: x[1])] for n in (0, 1)]
    b, t = [Fraction(x.b) for x in AGENTS], [Fraction(x.times[-1]) for x in AGENTS]
    w = [x / y for x, y in zip(b, t, strict=True)]
    big = [4 * LONGEST * b[j % 2] ** 2 + 3 * b[j % 2] ** 2 + s[j] for j in range(4)]
    k = [Fraction(0)] * 4
    for j in (3, 2, 1, 0):
        k[j] = (1 + sum(k[i] * big[i] for i in REVERSED.below(j))) / (2 * (w[j % 2] - brought[j]))
    return {"l_A": rate[0], "l_B": rate[1]}, {"b": b, "t": t, "mp": mean[0], "md": mean[1], "s": s, "w": w,
                                              "al": brought, "C": big}, k


def value(state: Network, k: Sequence[Fraction]) -> Fraction:
    return sum((k[j] * (tokens + state[0][j % 2] * AGENTS[j % 2].rate) ** 2
                for j, tokens in enumerate(contents(state[1]))), Fraction(0))


def modelled(state: Network, loads: Sequence[dict[tuple[int, int], Request]]) -> Model:
    """The theorem's variables in a state of the chain."""
    (clocks, requests), (rates, known, k) = state, constants()
    functions: dict[str, Any] = {name: lambda j, x=x: x[j] for name, x in known.items()}
    functions["z"] = lambda i: i % 2
    able, loaded = [0] * 4, [0] * 4
    for c, column in enumerate(by_class(requests)):
        here = {i for e in (0, 1) for group in visits(e, requests) for i, v in group if CLASS[requests[i][0], v] == c}
        n = [(p or 1) if i in here else 0 for i, (p, _) in enumerate(column)]
        able[c] = sum(n)
        taken = {i: x for batch in loads for (i, v), x in batch.items() if CLASS[requests[i][0], v] == c}
        loaded[c] = sum(map(sum, taken.values()))
        left = [(f"{name}{c}", [x[m] - taken.get(i, (0, 0))[m] for i, x in enumerate(column)])
                for m, name in enumerate("xy")]
        now = (f"p{c}", [p for p, _ in column]), (f"d{c}", [d for _, d in column]), (f"n{c}", n)
        for name, numbers in (*now, *left):
            functions[name] = lambda i, x=numbers: x[i - 1]
    next_clocks = after(state, loads, ())[0]
    columns = {"S": of_queue(loaded), "M": of_queue(able), "T": contents(requests), "R": list(next_clocks)}
    rate = [AGENTS[j % 2].rate for j in range(4)]
    columns |= {"f": [columns["T"][j] + clocks[j % 2] * rate[j] for j in range(4)],
                "g": [columns["T"][j] - columns["S"][j] + next_clocks[j % 2] * rate[j] for j in range(4)]}
    functions |= {name: lambda j, x=x: x[j] for name, x in columns.items()}
    values = {**rates, "L": LONGEST, "kinds": 1, "q": len(requests), "r0": clocks[0], "r1": clocks[1],
              **{f"k{j}": k[j] for j in range(4)}}
    return Model({x: Fraction(v) for x, v in values.items()}, functions, len(requests))


def along(theorem: Recurrence, agents: Sequence[Engine], law: Sequence[tuple[Fraction, tuple[Job, ...]]],
          start: tuple[Job, ...], rule: Rule, slots: int, model_of: Callable[..., Model],
          value: Callable[[Network], Fraction]) -> Iterator[tuple[set[str], Model, Fraction]]:
    """In each state of a run, from the requests ``start`` on: the conditions that fail, the theorem's variables, and
    the mean change of the function. The function and its mean change must be those that are counted there."""
    listed, lyapunov, change = conditions(theorem), term(theorem, "value"), term(theorem, "change")
    rng, state, single = random.Random(7), ((0, 0), start), [(x,) for x in dict.fromkeys(start)]
    for _ in range(slots):
        loads = [batch(e, state, rule, agents) for e in (0, 1)]
        model, now = model_of(state, loads), value(state)
        assert model.term(lyapunov, {}) == now
        mean = sum((w * value(after(state, loads, a, agents)) for w, a in law), Fraction(0))
        assert model.term(change, {}) == mean - now
        yield {w for w, h in listed if not model.holds(h)}, model, mean - now
        state = after(state, loads, rng.choice([(), (), *single, (A, B)]), agents)


def breaks(rule: Rule, slots: int = 40) -> set[str]:
    """The conditions that fail along a run."""
    broken, (_, known, k) = set[str](), constants()
    most = sum((k[j] * known["C"][j] for j in range(4)), Fraction(0))
    start = A, B, A, LONG_B, B, A, B, A
    found = along(THEOREM, AGENTS, LAW, start, rule, slots, modelled, lambda state: value(state, k))
    for failing, model, change in found:
        if not failing:  # the bound that the drift's proof comes to
            assert change <= most - sum(model.functions["f"](j) for j in range(4))
        broken |= failing
    return broken


@pytest.mark.slow
def test_the_conditions_hold_along_a_run_with_reversed_priorities() -> None:
    assert breaks(Rule()) == set()


@pytest.mark.slow
@pytest.mark.parametrize("rule, queues", [(Rule(first=False), "01"), (Rule(mixed=False), "23")])
def test_other_rules_break_those_of_the_slot_alone(rule: Rule, queues: str) -> None:
    """The printed priorities break those of first visits; batches of one class those of the agents."""
    broken = breaks(rule)
    assert broken and all(w.startswith("Or(And(r") for w in broken)
    assert {j for j in "0123" if any(f"S({j}) ==" in w for w in broken)} <= set(queues)


WITHOUT_BOUND = reversed_priorities.theorem()
UNIT = by_2_3(5, 1, 0, 1), by_2_3(5, 1, 0, 1)
FEW: Sequence[tuple[Fraction, tuple[Job, ...]]] = (
    (Fraction(7, 10), ()), (Fraction(1, 5), (A,)), (Fraction(1, 10), (B,)))


def of_classes(numbers: Sequence[Fraction]) -> list[Fraction]:
    """From classes to queues."""
    return [numbers[0], numbers[1], numbers[0] + numbers[2], numbers[1] + numbers[3]]


def described() -> tuple[dict[str, Fraction], dict[str, list[Fraction]]]:
    """What the theorem's parameters are for batches of one slot; each type has sizes of its own."""
    rate = [w for w, _ in FEW[1:]]
    sizes = [(A, B)[kind][1 + v] for (kind, v), _ in sorted(CLASS.items(), key=lambda x: x[1])]
    b, mp, md = Fraction(UNIT[0].b), [Fraction(p) for p, _ in sizes], [Fraction(d) for _, d in sizes]
    sq = [d * (d + p) for p, d in zip(mp, md, strict=True)]
    by_agent = [(rate[0], 0, rate[1], 2), (rate[1], 1, rate[0], 3)]
    gap = [b - sum(r * (mp[c] + md[c]) for r, c in (x[:2], x[2:])) for x in by_agent]
    big = [1 + sum(r * sq[c] for r, c in (x[:2], x[2:])) for x in by_agent]
    c = min(x / y for x, y in zip(gap, big, strict=True))
    mu = [p + d + c * s for p, d, s in zip(mp, md, sq, strict=True)]
    al = of_classes([rate[0] * mu[0], rate[1] * mu[1], rate[1] * mu[2], rate[0] * mu[3]])
    brought = [[mu[0], 0, mu[0], mu[3]], [0, mu[1], mu[2], mu[1]]]  # by a request of a type, to each queue
    s = [sum(r * x[j] ** 2 for r, x in zip(rate, brought, strict=True)) for j in range(4)]
    long = b / c
    room = b + long + b * (b + long)
    level = [b**2 + 2 * b * (room + (mu[j] if j > 1 else 0)) + s[j] for j in range(4)]
    k = [Fraction(0)] * 4
    for j in (3, 2, 1, 0):
        k[j] = (1 + (k[3 - j] * level[3 - j] if j < 2 else 0)) / (2 * (b - al[j]))
    none = Fraction(0)
    return ({"l_A": rate[0], "l_B": rate[1], "b": b, "c": c, "D": long, "room": room,
             **{f"k{j}": k[j] for j in range(4)}},
            {"mp": mp, "md": md, "sq": sq, "mu": mu, "al": al, "s": s, "Q": s, "C": level,
             "gap": [none, none, *gap], "big": [none, none, *big]})


def row_by_row(state: Network, loads: Sequence[dict[tuple[int, int], Request]]) -> Model:
    """The theorem's variables in a state of the chain, the rows of which are the visits that are there."""
    values, known = described()
    functions: dict[str, Any] = {name: lambda j, x=x: x[j] for name, x in known.items()}
    there = [(i, v, kind) for i, (kind, (_, d), _) in enumerate(state[1]) for v in (0, 1) if (v == 0) == (d > 0)]
    taken = {x: n for batch in loads for x, n in batch.items()}
    for c in range(4):
        rows = [(state[1][i][1 + v] if CLASS[kind, v] == c else (0, 0), (i, v)) for i, v, kind in there]
        left = [[n - taken.get(x, (0, 0))[m] if n else 0 for m, n in enumerate(size)] for size, x in rows]
        for name, numbers in ((f"p{c}", [s[0] for s, _ in rows]), (f"d{c}", [s[1] for s, _ in rows]),
                              (f"x{c}", [x[0] for x in left]), (f"y{c}", [x[1] for x in left])):
            functions[name] = lambda i, x=numbers: x[i - 1]
    loaded = [sum(sum(taken.get((i, v), (0, 0))) for i, v, kind in there if CLASS[kind, v] == c) for c in range(4)]
    filled = of_classes([Fraction(x) for x in loaded])
    ends = [sum(v == 0 and kind == e and state[1][i][1][1] == taken.get((i, v), (0, 0))[1] for i, v, kind in there)
            for e in (0, 1)]
    functions |= {"S": lambda j: filled[j], "K": lambda j: int(filled[j] < values["b"]), "ends": lambda j: ends[j]}
    return Model({**values, "q": Fraction(len(there))}, functions, len(there))


def weighed(state: Network) -> Fraction:
    """The sum of the weighted squares of what each queue is to serve, in the mean."""
    (values, known), worth = described(), [Fraction(0)] * 4
    for kind, *sizes in state[1]:
        v = 0 if sizes[0][1] else 1
        p, d = sizes[v]
        c, queue = CLASS[kind, v], 2 if CLASS[kind, v] in (0, 2) else 3
        here = p + d + values["c"] * d * (d + p)
        worth[queue] += here
        if v == 0:
            worth[c] += here
            worth[5 - queue] += known["mu"][5 - queue]  # what follows at the other agent
    return sum((values[f"k{j}"] * n**2 for j, n in enumerate(worth)), Fraction(0))


def fails(rule: Rule, slots: int = 30) -> set[str]:
    """As `breaks`, of the theorem for sizes without a bound."""
    found = along(WITHOUT_BOUND, UNIT, FEW, (A, B, A, B, B, A, B, A), rule, slots, row_by_row, weighed)
    return set[str]().union(*(failing for failing, _, _ in found))


@pytest.mark.slow
def test_the_conditions_without_a_bound_hold_along_a_run_with_reversed_priorities() -> None:
    assert fails(Rule()) == set()


@pytest.mark.slow
@pytest.mark.parametrize("rule, queues", [(Rule(first=False), "01"), (Rule(mixed=False), "23")])
def test_other_rules_break_those_of_the_slot_without_a_bound(rule: Rule, queues: str) -> None:
    broken = fails(rule)
    assert broken and {j for j in "0123" if any(f"K({j}) == 0" in w for w in broken)} <= set(queues)
