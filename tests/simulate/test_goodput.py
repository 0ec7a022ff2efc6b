"""Time per output token, and goodput by it: by hand where one request is alone, else against the records."""

from dataclasses import replace

import numpy as np
import pytest

from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic
from qtheory.simulate.measures import ENGINE
from qtheory.simulate.request_records import recorded, tpot
from qtheory.simulate.scenarios import load, with_changes


@pytest.mark.parametrize(("limit", "met"), [(0.11, True), (0.1099, False)])
def test_a_request_alone_takes_the_time_of_a_decode_iteration_for_each_token(limit, met):
    """Prompts of 10 tokens in 0.2 s, then 7 iterations of 0.11 s: the limit is met where it is exactly the time."""
    requests = RequestClass("r", Deterministic(10.0), Deterministic(7.0), Deterministic(5.0), tpot_slo=limit)
    run = LLMEngine((requests,), IterationTime("affine", (0.1, 0.01)), "sarathi", {"budget": 64}).run(
        horizon=1001.0, windows=10, records=True)  # fmt: skip
    assert run.requests == 200 and tpot(run) == pytest.approx(0.11, rel=1e-12)
    assert ENGINE["mean TPOT, s"].value(run) == pytest.approx(0.11, rel=1e-12)
    assert ENGINE["fraction within every limit"].value(run) == met


def test_a_request_of_one_token_has_no_time_per_token_and_meets_every_limit_on_it():
    requests = RequestClass("r", Deterministic(10.0), Deterministic(0.0), Deterministic(5.0), tpot_slo=1e-9)
    run = LLMEngine((requests,), IterationTime("affine", (0.1, 0.01)), "sarathi", {"budget": 64}).run(
        horizon=101.0, windows=10, records=True)  # fmt: skip
    assert run.class_sums[:, 0, E.TPOT_OUT].sum() == 0 and np.isnan(tpot(run)).all()
    assert ENGINE["fraction within every limit"].value(run) == 1


@pytest.mark.parametrize("name", ["policy-sarathi", "policy-cycles", "policy-distserve", "policy-nested-wait",
                                  "policy-eb"])  # fmt: skip
def test_sums_histogram_and_goodput_are_those_of_the_records(name):
    """Joint attainment as in the exclusive-batching paper, Appendix F.3: both targets met by one request."""
    scenario = with_changes(load(name), horizon=60.0, windows=50)
    (model,) = scenario.variants.values()
    (free,) = recorded(scenario).values()
    times, first = tpot(free), free.records[:, 2] - free.records[:, 1]
    limits = {"tpot_slo": float(np.nanquantile(times, 0.6)) + 1e-7, "ttft_slo": float(np.quantile(first, 0.7)) + 1e-7}
    classes = tuple(replace(c, latency_slo=float("inf"), tbt_slo=float("inf"), **limits) for c in model.classes)
    run = replace(model, classes=classes).run(horizon=60.0, windows=50, records=True)
    assert np.array_equal(run.records, free.records)  # limits of these kinds change no schedule
    assert run.class_sums[:, :, E.TPOT_SUM].sum() == pytest.approx(np.nansum(times))
    assert run.class_sums[:, :, E.TPOT_OUT].sum() == np.isfinite(times).sum() == run.histogram[E.TPOT].sum()
    met = ~(times > limits["tpot_slo"]) & (first <= limits["ttft_slo"])
    assert 0 < met.sum() < len(met) and run.total(E.GOOD) == met.sum()
