"""The same bits of every kind of model with any number of processes."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from test_engine import engine
from test_engine_statistics import mixed_chain, opened
from test_runs import NETWORK

from qtheory.simulate.engines import LLMEngine
from qtheory.simulate.experiments import run_scenarios
from qtheory.simulate.networks import Network
from qtheory.simulate.runs import replicate
from qtheory.simulate.scenarios import parse_points, read, with_changes

MODELS = {"network": (NETWORK, 500.0), "engine": (opened(8.0), 50.0), "two classes": (engine("sarathi"), 100.0),
          "chain": (mixed_chain(6, 20, 10.0), 50.0)}  # fmt: skip


@pytest.fixture(scope="module")
def alone():
    return {name: replicate(model, replications=4, horizon=horizon, seed=9) for name, (model, horizon) in
            MODELS.items()}  # fmt: skip


@pytest.mark.sliced(3)
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_workers_gives_the_same_bits(workers, alone):
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for name, (model, horizon) in MODELS.items():
            spread = replicate(model, replications=4, executor=pool, horizon=horizon, seed=9)
            for a, b in zip(alone[name], spread, strict=True):
                arrays = {k: v for k, v in vars(a).items() if isinstance(v, np.ndarray)}
                assert len(arrays) >= 4 and a.replication == b.replication
                assert all(v.tobytes() == getattr(b, k).tobytes() for k, v in arrays.items())


def test_each_kind_of_model_and_policy_is_compiled_before_its_replications_are_shared_out(monkeypatch):
    """Else each worker would compile the same loop for itself, for a minute."""
    log = []

    class Recorded(ThreadPoolExecutor):
        def submit(self, *arguments):
            log.append("submitted")
            return super().submit(*arguments)

    for kind in (LLMEngine, Network):
        plain = kind.run

        def noted(self, plain=plain, **options):
            log.append(type(self).__name__ if options["horizon"] < 1.0 else "whole")
            return plain(self, **options)

        monkeypatch.setattr(kind, "run", noted)
    scenarios = [with_changes(parse_points(*read(name))[0].scenario, horizon=20.0, replications=2, windows=50)
                 for name in ("policy-sarathi", "policy-orca", "mm1")]  # fmt: skip
    with Recorded(1) as pool:
        results = dict(run_scenarios([(s, None) for s in scenarios], executor=pool))
    assert sorted(results) == [0, 1, 2] and 3 <= log.count("submitted") <= 6
    assert sorted(log[:3]) == ["LLMEngine", "LLMEngine", "Network"]  # two policies
    assert log[3] == "submitted" and log.count("whole") == 6
