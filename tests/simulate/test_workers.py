"""The same bits of every kind of model with any number of processes."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from test_engine import engine
from test_engine_statistics import mixed_chain, opened
from test_runs import NETWORK

from qtheory.simulate.runs import replicate

MODELS = {"network": (NETWORK, 500.0), "engine": (opened(8.0), 50.0), "two classes": (engine("sarathi"), 100.0),
          "chain": (mixed_chain(6, 20, 10.0), 50.0)}  # fmt: skip


@pytest.fixture(scope="module")
def alone():
    return {name: replicate(model, replications=4, horizon=horizon, seed=9) for name, (model, horizon) in
            MODELS.items()}  # fmt: skip


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_workers_gives_the_same_bits(workers, alone):
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for name, (model, horizon) in MODELS.items():
            spread = replicate(model, replications=4, executor=pool, horizon=horizon, seed=9)
            for a, b in zip(alone[name], spread, strict=True):
                arrays = {k: v for k, v in vars(a).items() if isinstance(v, np.ndarray)}
                assert len(arrays) >= 4 and a.replication == b.replication
                assert all(v.tobytes() == getattr(b, k).tobytes() for k, v in arrays.items())
