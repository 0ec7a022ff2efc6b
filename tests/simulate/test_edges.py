"""What policies do at the edges of their papers' text: outputs of length 0, and traces that end."""

import subprocess
import sys

import numpy as np
import pytest
from engine_reference import Reference
from test_policies_by_hand import SECOND, iterations

from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Discrete, Exponential, Listed


def of(prompts, outputs, arrivals):
    return RequestClass("r", Listed(prompts, 1.0), Listed(outputs, 1.0), arrivals=Listed(arrivals))


def test_a_cycle_of_rad_without_decodes_ends_at_once():
    """Algorithm 1, lines 6 to 9: with n = 2 and outputs of length 0 the cycle of A and B ends when B is prefilled, for
    no request is left to decode; C, which waits, follows without a pause, whenever the next request comes."""
    requests = of((1, 1, 1, 1), (0, 0, 0, 0), (0.0, 0.0, 0.0, 50.0))
    run = run_engine(LLMEngine((requests,), SECOND, "rad", {"n": 2, "t_col": 4, "t_lcm": 1}), horizon=60.0, windows=2,
                     records=True)  # fmt: skip
    assert iterations(run) == [(0, 1, 0), (1, 1, 0), (2, 1, 0), (50, 1, 0)]


def test_an_idle_rad_stays_in_its_cycle():
    """Line 5: with nothing there nothing is done, so that the cycle of A goes on with B and C, and D waits for the
    decodes of C."""
    requests = of((1, 1, 1, 1), (0, 0, 3, 1), (0.0, 10.0, 0.0, 0.0))
    run = run_engine(LLMEngine((requests,), SECOND, "rad", {"n": 3, "t_col": 4, "t_lcm": 1}), horizon=30.0, windows=2,
                     records=True)  # fmt: skip
    assert iterations(run) == [(0, 1, 0), (10, 1, 0), (11, 1, 0), (12, 0, 1), (13, 0, 1), (14, 0, 1), (15, 1, 0),
                               (16, 0, 1)]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_rad_with_short_outputs_is_the_papers(seed):
    requests = RequestClass("r", Discrete((1, 2, 5), (0.3, 0.3, 0.4)), Discrete((0, 1, 2), (0.5, 0.3, 0.2)),
                            Exponential.with_rate(0.5))  # fmt: skip
    engine = LLMEngine((requests,), SECOND, "rad", {"n": 1 + seed % 3, "t_col": 2, "t_lcm": 2})
    run = run_engine(engine, horizon=300.0, windows=2, seed=seed, records=True)
    slow = Reference(engine, 300.0, seed)
    mine, other = np.array(iterations(run)), np.array(slow.iterations)
    assert mine.shape == other.shape and mine.shape[0] > 100
    np.testing.assert_allclose(mine, other, rtol=1e-12)


@pytest.mark.parametrize(("policy", "parameters"), [
    ("wait", {"thresholds": 2}), ("nested-wait", {"thresholds": [2, 1], "ends": [1, 5]})])  # fmt: skip
def test_below_its_threshold_the_last_of_a_trace_is_left_over(policy, parameters):
    """Two of three are prefilled together; the third waits for company for ever, and their type pauses with it."""
    requests = of((3, 3, 3), (1, 1, 1), (0.5, 0.5, 0.5))
    run = run_engine(LLMEngine((requests,), SECOND, policy, parameters), horizon=40.0, windows=4, records=True)
    assert iterations(run) == [(1, 6, 0)]
    assert run.requests == 0 and run.present.tolist() == [3, 3, 3, 3] and run.total(E.IDLE_TIME) == 39.0


@pytest.mark.slow
def test_any_module_may_be_imported_first():
    code = """
import importlib, pkgutil, sys
import qtheory.simulate as root
names = [m.name for m in pkgutil.walk_packages(root.__path__, "qtheory.simulate.")]
for name in names:
    for loaded in [n for n in sys.modules if n.startswith("qtheory.simulate")]:
        del sys.modules[loaded]
    importlib.import_module(name)
print(len(names))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and int(done.stdout) > 60, done.stderr
