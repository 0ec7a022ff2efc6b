"""Slotted networks of LLM engines: a trace by hand, the literal reference slot by slot, closed forms, conservation."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from agents_reference import Reference

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork, Engine, RequestType, Visit
from qtheory.models.network_classics import fork_join, reentrant_line, rybko_stolyar, rybko_stolyar_agents
from qtheory.simulate import agent_instances, measures
from qtheory.simulate import agent_runs as R
from qtheory.simulate import agents as A
from qtheory.simulate.agents import SlottedAgents, length_law, positive_poisson
from qtheory.simulate.kernel import agent_layout as L
from qtheory.simulate.laws import Geometric, Listed
from qtheory.simulate.runs import replicate
from qtheory.simulate.scenarios import load
from qtheory.simulate.statistics import stability
from qtheory.simulate.statistics.intervals import student

NONE = Listed((1e9,))


def compared(agents, slots, seed=0):
    """The run with windows of one slot, after each slot as the reference's history says it, and the reference."""
    run = agents.run(horizon=slots * float(agents.slot_seconds), windows=slots, seed=seed)
    held = run.visits[:, :, [L.PRESENT, L.DECODING, L.PROMPTS, L.OUTPUTS]]
    loads = np.diff(run.engines[:, :, L.LOADED], axis=0, prepend=np.zeros((1, run.engines.shape[1]), dtype=int))
    return run, [list(map(tuple, row)) for row in held.tolist()], loads.tolist(), Reference(agents, slots, seed)


@pytest.mark.later
def test_twelve_iterations_by_hand():
    """Budgets of 3 tokens, priority to B1 over A1 and to A2 over B2: requests a1, a2 stand at A1 and b1, b2 at B2, and
    a3 arrives in slot 4. In slot 4 one token is left for the two decodes at A1, and a1 has it."""
    types = (RequestType("A", 1, (Visit("A1", "1", 2, 2), Visit("A2", "2", 3, 1, ("A1",)))),
             RequestType("B", 1, (Visit("B2", "2", 1, 1), Visit("B1", "1", 3, 2, ("B2",)))))
    engines = (Engine("1", 3, policy="priority", priority=("B1", "A1")),
               Engine("2", 3, policy="priority", priority=("A2", "B2")))
    agents = SlottedAgents(AgentNetwork(engines, types), "fixed", gaps={"A": Listed((4.5,)), "B": NONE},
                           start={"A1": 2, "B2": 2})
    none = (0, 0, 0, 0)
    by_hand = [  # loads of both agents; (requests, in decode, prompt, output) at A1, A2, B2, B1
        ([3, 2], [(2, 1, 1, 4), none, (2, 2, 0, 2), none]),
        ([2, 2], [(2, 2, 0, 3), none, none, (2, 0, 6, 4)]),
        ([3, 0], [(2, 2, 0, 3), none, none, (2, 1, 3, 4)]),
        ([3, 0], [(2, 2, 0, 3), none, none, (2, 1, 1, 3)]),
        ([3, 0], [(2, 1, 2, 4), (1, 0, 3, 1), none, (1, 1, 0, 2)]),
        ([3, 3], [(2, 1, 1, 3), (1, 1, 0, 1), none, (1, 1, 0, 1)]),
        ([3, 1], [(1, 1, 0, 2), (1, 0, 3, 1), none, none]),
        ([1, 3], [(1, 1, 0, 1), (1, 1, 0, 1), none, none]),
        ([1, 1], [none, (1, 0, 3, 1), none, none]),
        ([0, 3], [none, (1, 1, 0, 1), none, none]),
        ([0, 1], [none] * 4),
        ([0, 0], [none] * 4),
    ]
    run, held, loads, reference = compared(agents, 12)
    assert list(zip(loads, held, strict=True)) == by_hand
    assert list(zip(reference.loads, reference.history, strict=True)) == by_hand
    assert run.types[-1].tolist() == [[3, 3], [2, 2]] and run.left_over == 0
    assert run.present.tolist() == [4, 4, 4, 4, 4, 4, 2, 2, 1, 1, 0, 0]


def drawn(seed):
    """A random network of 1 to 3 engines, types that fork and join among them, loaded on both sides of 1."""
    r = random.Random(seed)
    names = [f"e{i}" for i in range(r.randint(1, 3))]
    types, visits = [], []
    for a in range(r.randint(1, 3)):
        own = []
        for i in range(r.randint(1, 4)):
            prompt, output = r.choice([(r.randint(1, 9), r.randint(1, 9)), (r.randint(1, 9), 0), (0, r.randint(1, 9))])
            after = tuple(r.sample([v.name for v in own], r.randint(r.randint(0, 1), min(2, i)))) if i else ()
            own.append(Visit(f"{a}.{i}", r.choice(names), prompt, output, after))
        types.append(RequestType(f"t{a}", Fraction(r.randint(1, 8), 40), tuple(own)))
        visits += own
    engines = []
    for name in names:
        here = [v.name for v in visits if v.engine == name]
        r.shuffle(here)
        cut = r.randint(1, len(here)) if here else 0
        groups = [(*here[:cut],), *((n,) for n in here[cut:])] if here and r.random() < 0.7 else ()
        policy = "priority" if groups else r.choice(["fcfs", "work-conserving"])
        engines.append(Engine(name, r.randint(1, 12), r.choice([1, 1, 2, Fraction(3, 2)]), policy, tuple(groups)))
    network = AgentNetwork(tuple(engines), tuple(types))
    agents = SlottedAgents(network, r.choice(A.LENGTHS), r.choice(A.PHASES), r.random() < 0.85)
    if r.random() < 0.5:
        times = {e.name: [0, *sorted(r.randint(1, int(e.batch_time / agents.slot_seconds))
                                     for _ in range(int(e.budget) - 1)), int(e.batch_time / agents.slot_seconds)]
                 for e in engines}  # fmt: skip
        agents = replace(agents, times=times)
    straight = [t.visits[0].name for a, t in enumerate(types) if not agents.forks(a)]
    return replace(agents, start={n: r.randint(0, 30) for n in straight},
                   gaps={types[0].name: Geometric(0.3)} if r.random() < 0.3 else {})


@pytest.mark.later
def test_the_reference_agrees_slot_by_slot():
    seen = {"forks": 0, "shared": 0, "long": 0, "together": 0}
    partial = np.zeros(2, dtype=int)
    for seed in range(40):
        agents = drawn(seed)
        run, held, loads, reference = compared(agents, 150, seed)
        assert held == reference.history, seed
        assert loads == reference.loads and run.present.tolist() == reference.present, seed
        partial += reference.partial
        seen["forks"] += agents.any_forks
        seen["shared"] += any(len(g) > 1 for groups in agents.network.groups.values() for g in groups)
        seen["long"] += max(e.batch_time / agents.slot_seconds for e in agents.network.engines) > 1
        seen["together"] += not agents.one_token
    assert min(seen.values()) >= 3 and partial.min() >= 20  # each kind is among them


def test_rows_grow_and_windows_change_nothing():
    agents = SlottedAgents(rybko_stolyar_agents(), start={"A1": 700})
    whole, parts = (agents.run(horizon=3000, windows=w, seed=2) for w in (1, 60))
    assert whole.visits[-1].tolist() == parts.visits[-1].tolist() and whole.events == parts.events
    assert whole.left_over > R.FIRST_ROWS * 2  # the rows were doubled more than once
    assert parts.level.sum() * 50 == parts.visits[-1, :, L.AREA].sum()
    again = agents.run(horizon=3000, windows=60, seed=2, progress=lambda done, of: None)
    other = agents.run(horizon=3000, windows=60, seed=2, replication=1)
    assert np.array_equal(again.visits, parts.visits) and not np.array_equal(other.visits, parts.visits)


def test_a_slotted_queue_has_its_mean():
    """Poisson arrivals of one-token requests, one token a slot: L = rho + rho^2/(2(1 - rho)), Pollaczek-Khinchine."""
    rho = 0.8
    line = reentrant_line(["1"], [1], Fraction(8, 10))
    runs = replicate(SlottedAgents(line, "fixed"), replications=20, horizon=100_000, windows=20, seed=1)
    mean = student(np.array([r.level[2:].mean() for r in runs]), 0.999, "requests")
    assert mean.low < rho + rho**2 / (2 * (1 - rho)) < mean.high and mean.high - mean.low < 0.15


def test_lengths():
    law = positive_poisson(32.0)
    assert law.mean == pytest.approx(32, rel=1e-13) and law.values[0] >= 1
    for k in (20, 32, 45):  # as Poisson(32)
        assert law.weights[law.values.index(k)] == pytest.approx(math.exp(k * math.log(32) - 32 - math.lgamma(k + 1)),
                                                                 rel=1e-9)
    small = positive_poisson(1.5)
    rate = small.weights[1] / small.weights[0] * 2
    assert small.mean == pytest.approx(1.5, rel=1e-12) and rate / -math.expm1(-rate) == pytest.approx(1.5, rel=1e-9)
    assert positive_poisson(1.0).mean == 1 and length_law(Fraction(7), "fixed").mean == 7
    assert length_law(Fraction(5, 2), "geometric").mean == 2.5


def test_the_papers_instance_grows_and_its_reversal_does_not():
    runs = {net: replicate(SlottedAgents(net), replications=5, horizon=20_000, windows=40)
            for net in (rybko_stolyar_agents(), rybko_stolyar_agents().reversed_priority())}
    up, down = (stability(r) for r in runs.values())
    assert up.verdict == "unstable" and down.verdict == "stable"
    for r in next(iter(runs.values())):
        loaded, busy = r.engines[-1, :, L.LOADED], r.engines[-1, :, L.BATCHES]
        assert (loaded <= 768 * busy).all() and (busy <= 20_000).all()


@pytest.mark.parametrize("variant", ["rybko-stolyar-agents", "rybko-stolyar-agents-reversed"])
def test_the_shipped_scenario_is_the_reference_slot_by_slot_and_its_measures_are_its_counts(variant):
    slots = 600
    run, held, loads, reference = compared(load("rybko-stolyar-tokens").variants[variant], slots)
    assert (held, loads) == (reference.history, reference.loads)
    # who is there in the course of a slot was there after the slot before
    present = dict(zip([v.name for v in run.model.network.visits],
                       np.array([[0] * 4] + [[visit[0] for visit in slot] for slot in held[:-1]]).T, strict=True))
    assert measures.agents_at("A1").value(run) == pytest.approx(present["A1"].mean(), rel=1e-12)
    assert measures.agent_tokens("agent 1").value(run) == pytest.approx(np.mean([a for a, _ in loads]))
    left = run.types[-1, :, L.LEFT]
    assert measures.agent_requests("A").value(run) == pytest.approx(left[0] / slots) and left.sum() == reference.left
    there = present["A1"].sum() + present["A2"].sum()
    assert measures.agent_sojourn("A").value(run) == pytest.approx(there / left[0])


@pytest.mark.slow
def test_instances_of_the_paper():
    printed, turned = (agent_instances.figure_8("1/2", reversed_priority=r).network for r in (False, True))
    assert printed == rybko_stolyar_agents("1/2") and turned == printed.reversed_priority()
    drawn = agent_instances.random_fork_joins(8, seed=3, loads=(0.7, 0.9))
    assert drawn == agent_instances.random_fork_joins(8, seed=3, loads=(0.7, 0.9))
    for agents in drawn:
        network = agents.network
        assert [v.after for v in network.visits] == [(), ("0",), ("0",), ("1", "2")]
        highest = max(network.types[0].rate * w for w in network.works.values())
        assert 0.7 <= float(highest) <= 0.9
        horizon = agent_instances.slots_for(agents, 120_000)
        runs = replicate(agents, replications=5, horizon=horizon, seed=1)
        assert stability(runs).verdict == "stable"  # as Conjecture 1 says
        assert 60_000 < runs[0].types[-1, 0, L.BORN] < 240_000
        at_last = runs[0].visits[-1]
        assert at_last[3, L.CAME] <= min(at_last[1, L.ENDED], at_last[2, L.ENDED])  # the join waits for both


def test_work_to_come_counts():
    """Before any batch the backlog is the start's mean work: that of A1 its own and that of A2, of A2 its own."""
    agents = SlottedAgents(rybko_stolyar_agents(), start={"A1": 300, "A2": 500}, gaps={"A": NONE, "B": NONE})
    run = agents.run(horizon=2, windows=2)
    loaded = run.engines[0, :, L.LOADED].sum()
    assert run.backlog[0] * 768 == pytest.approx(300 * (64 + 544) + 500 * 544 - loaded, rel=0.01)
    assert run.present.tolist() == [800, 800]


def test_a_failure_of_the_simulator_is_found():
    agents = SlottedAgents(rybko_stolyar_agents("1/2"))
    from qtheory.simulate.kernel.agent_slots import advance

    for column in ("visits", "types", "integers"):
        model = agents.arrays(np.array([0, 0], dtype=np.uint64), 100)
        state = R._new_state(model, 3, 4096, False)
        advance(model, state, 3)
        R._check(model, state)
        if column == "integers":
            state.integers[L.IDLED] = 1
        else:
            getattr(state, column)[0, 0] += 1
        with pytest.raises(AssertionError):
            R._check(model, state)


SECOND_PROCESS = """
from numba.core import event
recorder = event.RecordingListener()
event.register("numba:compile", recorder)
from qtheory.models.network_classics import fork_join
from qtheory.simulate.agents import SlottedAgents
SlottedAgents(fork_join()).run(horizon=200)
print(len(recorder.buffer))
"""


@pytest.mark.slow
def test_a_second_process_compiles_nothing():
    SlottedAgents(fork_join()).run(horizon=200)
    out = subprocess.run([sys.executable, "-c", SECOND_PROCESS], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["0"]


@pytest.mark.parametrize(("options", "message"), [
    ({"lengths": "pareto"}, "unknown law of lengths 'pareto'"),
    ({"phases": "prompt first"}, "unknown order of phases"),
    ({"slot": Fraction(2, 3)}, "no whole number of slots"),
    ({"slot": Fraction(0)}, "a slot of 0 seconds is not positive"),
    ({"times": {"agent 1": [0, 1]}}, "give the slots of batches of 0, 1, .., 768 tokens, the last 1"),
    ({"times": {"agent 3": []}}, "unknown engine 'agent 3'"),
    ({"gaps": {"C": NONE}}, "unknown type 'C'"),
    ({"start": {"A3": 1}}, "unknown visit 'A3'"),
    ({"start": {"A1": -1}}, "at least 0"),
])
def test_bad_models(options, message):
    with pytest.raises((InputError, UnknownNameError), match=message):
        SlottedAgents(rybko_stolyar_agents(), **options)


def test_bad_networks_and_runs():
    with pytest.raises(InputError, match="visit '1', prompt: a length is 1 token or more"):
        SlottedAgents(rybko_stolyar())
    with pytest.raises(InputError, match="a fixed length cannot have the mean 5/2"):
        SlottedAgents(reentrant_line(["A"], ["5/2"]), "fixed")
    with pytest.raises(InputError, match="no whole number of tokens"):
        SlottedAgents(AgentNetwork((Engine("A", Fraction(5, 2)),), (RequestType("t", 1, (Visit("1", "A", 1),)),)))
    shared = AgentNetwork((Engine("A", 4, policy="processor-sharing"),), (
        RequestType("s", 1, (Visit("1", "A", 2),)), RequestType("t", 1, (Visit("2", "A", 2),))))
    with pytest.raises(InputError, match="engine 'A' shares its time; the token-level model serves in turn"):
        SlottedAgents(shared)
    with pytest.raises(InputError, match="requests that fork or join start before no visit"):
        SlottedAgents(fork_join(), start={"0": 1})
    agents = SlottedAgents(rybko_stolyar_agents())
    for options in ({"horizon": 100, "windows": 200}, {"horizon": 2.0**31, "windows": 2}):
        with pytest.raises(InputError, match="no whole numbers of slots"):
            agents.run(**options)
    with pytest.raises(InputError, match="keeps no records"):
        agents.run(horizon=200, records=True)


def test_slots_whose_length_is_no_float_are_counted_in_whole():
    """91/2000 s, the printed 45.5 ms: the same run as with slots of a second."""
    runs = [SlottedAgents(rybko_stolyar_agents(batch_time=time)).run(horizon=float(4000 * time), windows=20)
            for time in (Fraction(1), Fraction(91, 2000))]
    assert [r.slots for r in runs] == [4000, 4000] and runs[0].events > 1000
    assert (runs[0].visits == runs[1].visits).all() and (runs[0].engines == runs[1].engines).all()
    with pytest.raises(InputError, match="no whole numbers of slots"):
        runs[1].model.run(horizon=182.01, windows=20)
