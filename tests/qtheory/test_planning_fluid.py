"""The fluid model under each policy: it obeys its equations, and comes to the plan as the paper says."""

from __future__ import annotations

import numpy as np
import pytest

from qtheory.errors import InputError, UnknownNameError
from qtheory.numerics.switching import follow
from qtheory.planning.derivations import DERIVATIONS
from qtheory.theory.planning import eight_class_instance, plan, two_class_instance
from qtheory.theory.planning.fluid import POLICIES, FluidModel, FluidPath

TWO = two_class_instance()
BUNDLED, SEPARATE = plan(TWO), plan(TWO, "separate")
PATHS: dict[tuple[str, str], FluidPath] = {}


def path(charging: str, policy: str) -> FluidPath:
    if (charging, policy) not in PATHS:
        PATHS[charging, policy] = FluidModel(BUNDLED if charging == "bundled" else SEPARATE, policy).path(400.0)
    return PATHS[charging, policy]


@pytest.mark.parametrize("policy", POLICIES)
def test_slots_and_flows(policy: str) -> None:
    """(33) to (35) at every time; what entered is where it should be: arrivals less abandonments and completions."""
    found = path("separate", policy)
    share, b = float(SEPARATE.mixed_share), TWO.batch
    for amount, most in ((found.x, share), (found.y_m, (b - 1) * share), (found.y_s, b * (1 - share))):
        assert (amount >= -1e-7).all() and (amount.sum(axis=1) <= most + 1e-5).all()
    times = found.times
    mu_m, mu_s = (np.array([float(v) for v in r]) for r in (TWO.mu_m, TWO.mu_s))
    left = 0.1 * (found.q_p + found.q_d) + mu_m * found.y_m + mu_s * found.y_s
    flows = np.array([0.5, 0.5]) - left
    steps = np.diff(times)[:, None]
    whole = (steps * (flows[1:] + flows[:-1]) / 2).sum(axis=0)
    here = (found.q_p + found.x + found.q_d + found.y_m + found.y_s)[-1]
    assert here == pytest.approx(whole, rel=0.02)


def test_an_empty_queue_is_a_birth_of_exponentials() -> None:
    """Before the first slot is scarce: x(t) = (lambda/mu)(1 - exp(-mu t)), class by class."""
    found = FluidModel(BUNDLED, "gate-and-route").path(0.2)
    mu = np.array([float(v) for v in TWO.mu_p])
    assert found.x[-1] == pytest.approx(0.5 / mu * (1 - np.exp(-mu * 0.2)), rel=1e-6)


@pytest.mark.later
def test_the_sli_aware_router_comes_to_the_plan_itself() -> None:
    """Proposition EC.2; the gate's part is Lemma EC.3."""
    found = path("bundled", "sli-aware")
    assert found.distance(BUNDLED)[-1] < 1e-5
    assert found.q_p[-1] == pytest.approx([float(v) for v in BUNDLED.q_p], abs=1e-5)
    assert found.q_d[-1].sum() < 1e-5


@pytest.mark.later
@pytest.mark.parametrize(("rate", "charging"), [(2, "bundled"), (5, "separate")])
def test_eight_classes_come_to_their_plan(rate: int, charging: str) -> None:
    """Where nobody need wait, all classes come to be equally far from their targets, and share what slots there are."""
    best = plan(eight_class_instance(rate), charging)
    found = FluidModel(best, "general-sli-aware").path(150.0)
    assert found.revenue(best)[-1] == pytest.approx(float(best.value), rel=1e-4)
    assert found.x[-1] == pytest.approx([float(v) for v in best.x], abs=1e-4)
    assert len(found.switches) < 200


@pytest.mark.later
def test_the_greedy_router_earns_as_much_with_other_occupancies() -> None:
    """Section 6.2: the reward is optimal, the classes' decode occupancies are not the plan's."""
    found = path("bundled", "gate-and-route")
    assert found.revenue(BUNDLED)[-1] == pytest.approx(float(BUNDLED.value), rel=1e-5)
    assert found.x[-1] == pytest.approx([float(v) for v in BUNDLED.x], rel=1e-4)
    assert found.distance(BUNDLED)[-1] > 1
    assert found.y_m[-1].sum() == pytest.approx(float(sum(BUNDLED.y_m)), rel=1e-4)


def test_prioritize_and_route_reaches_the_separate_optimum() -> None:
    found = path("separate", "prioritize-and-route")
    assert found.revenue(SEPARATE)[-1] == pytest.approx(float(SEPARATE.value), rel=1e-5)


def test_weights_keep_the_plans_decode_queue() -> None:
    """Proposition EC.3, where a class has no queue in the plan, too."""
    found = path("separate", "general-sli-aware")
    assert found.distance(SEPARATE)[-1] < 1e-4
    assert found.q_d[-1] == pytest.approx([float(v) for v in SEPARATE.q_d], abs=1e-3)


def test_work_falls_while_anybody_waits() -> None:
    """Lemma EC.6 along a path that begins with a decode queue."""
    model = FluidModel(BUNDLED, "gate-and-route")
    solo, mixed = model.capacity / 2
    start = model.start(q_p=1.0, x=[float(v) for v in BUNDLED.x], q_d=2.0, y_s=solo, y_m=mixed)
    found = model.path(200.0, start)
    work = (found.q_d + found.y_m + found.y_s) @ (1 / np.array([float(v) for v in TWO.mu_m]))
    waits = found.q_d.sum(axis=1) > 1e-4
    falls = np.diff(work)[waits[:-1] & waits[1:]]
    assert len(falls) > 5 and (falls <= 1e-5).all()


@pytest.mark.parametrize("name", DERIVATIONS)
def test_lyapunov_functions_are_derived(name: str) -> None:
    found = DERIVATIONS[name]()
    assert [s.standing for s in found.steps] == ["proved"] * len(found.steps) and found.proved


def test_a_switched_system_turns_where_it_should() -> None:
    """z' = -2 above 0 and -1/2 below: the time of the switch is exact."""
    found = follow(lambda z: bool(z[0] > 0), lambda z, up: np.array([-2.0 if up else -0.5]), lambda z: z,
                   np.array([1.0]), 2.0)
    assert found.switches[0] == pytest.approx(0.5, abs=1e-8) and found.states[-1][0] == pytest.approx(-0.75, abs=1e-6)
    assert found.at(0.25)[0] == pytest.approx(0.5, abs=1e-6)


def test_bad_input() -> None:
    with pytest.raises(UnknownNameError, match="nearest: gate-and-route"):
        FluidModel(BUNDLED, "gate-and-rout")
    with pytest.raises(InputError, match="a positive number is needed"):
        FluidModel(BUNDLED, "sli-aware").path(0)
    with pytest.raises(InputError, match="the slots hold"):
        FluidModel(BUNDLED, "sli-aware").start(x=1.0)
    with pytest.raises(InputError, match="at least 0"):
        FluidModel(BUNDLED, "sli-aware").start(q_p=-1.0)
