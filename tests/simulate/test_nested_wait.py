"""Nested WAIT with fewer segments than lengths, at rates that vary, against the token-by-token reference."""

import numpy as np
import pytest
from test_engine import PIECEWISE, agree

from qtheory.errors import InputError
from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Discrete, Geometric, StepRate

VARYING = StepRate((6.0, 1.0), (20.0, 30.0))
LENGTHS = Discrete(tuple(map(float, range(1, 31))), (1 / 30,) * 30)


@pytest.mark.parametrize(("thresholds", "ends"), [((3, 2), (10, 30)), ((4, 3, 2, 1), (3, 9, 18, 25)), ((1,), (30,))])
def test_segments_of_several_lengths(thresholds, ends):
    requests = RequestClass("r", Discrete((5.0, 12.0), (0.5, 0.5)), LENGTHS, VARYING)
    got, _ = agree(LLMEngine((requests,), PIECEWISE, "nested-wait", {"thresholds": thresholds, "ends": ends}))
    assert got.total(E.PREEMPTIONS) == 0


def test_no_stage_holds_more_than_its_threshold():
    """A batch of all segments decodes at most n_i at each of their stages, lengths beyond the last end included."""
    requests = RequestClass("r", Discrete((2.0,), (1.0,)), Geometric(0.1), VARYING)
    thresholds, ends = (3, 2), (4, 8)
    model = LLMEngine((requests,), PIECEWISE, "nested-wait", {"thresholds": thresholds, "ends": ends})
    run = run_engine(model, horizon=300.0, records=True)
    longest = run.records[:, 5].max()
    assert longest > 20 and run.requests > 300
    assert run.epochs[:, 4].max() == thresholds[0] * 2
    assert run.epochs[:, 5].max() <= thresholds[0] * ends[0] + thresholds[1] * longest
    assert np.all(run.epochs[:, 1] == 1)


@pytest.mark.parametrize("recompute", [True, False])
def test_short_of_memory_paused_prompts_block_the_engine(recompute):
    """Prompts are evicted and come back; in the end those that wait for their segments' thresholds hold the memory
    that a new prompt would need, and the run says so."""
    requests = RequestClass("r", Discrete((5.0, 12.0), (0.5, 0.5)), LENGTHS, VARYING)
    parameters = {"thresholds": (3, 2), "ends": (10, 30)}
    short = LLMEngine((requests,), PIECEWISE, "nested-wait", parameters, capacity=300, recompute=recompute)
    with pytest.raises(InputError, match=r"'nested-wait' at .* blocked for good.* hold \d+ tokens \(capacity 300"):
        run_engine(short, horizon=400.0, windows=40)
    begun = run_engine(short, horizon=5.0, windows=40)
    assert begun.total(E.PREEMPTIONS) >= 1 and begun.requests >= 10
    ample = run_engine(LLMEngine((requests,), PIECEWISE, "nested-wait", parameters, capacity=3000), horizon=400.0)
    assert ample.total(E.PREEMPTIONS) == 0 and ample.requests > 1000
