"""Vidur's engine on the model of ``bench_engine``: Sarathi, budget 768, every request there at time 0.

Its event loop, scheduler and requests run as they are; the time of an iteration is our law instead of its trained
predictor, and metrics are off, so that the loop alone is timed. Run with a Python that has Vidur (PyPI ``vidur``):
``python vidur_engine.py REQUESTS PROMPT OUTPUT BUDGET C A B0``;
prints the seconds of processor time that it took, and those that it simulated.
"""

from __future__ import annotations

import sys
import tempfile
import time
from types import SimpleNamespace
from typing import Any

from vidur.config import (
    CacheConfig,
    ClusterConfig,
    FixedRequestLengthGeneratorConfig,
    MetricsConfig,
    ReplicaConfig,
    SarathiSchedulerConfig,
    SimulationConfig,
    StaticRequestIntervalGeneratorConfig,
    SyntheticRequestGeneratorConfig,
)
from vidur.execution_time_predictor import ExecutionTimePredictorRegistry
from vidur.simulator import Simulator


class Law:
    """c + a max(0, tokens - b0) seconds, where Vidur looks for its predictor."""

    def __init__(self, c: float, a: float, b0: float) -> None:
        self.c, self.a, self.b0 = c, a, b0

    def get_execution_time(self, batch: Any, pipeline_stage: int) -> SimpleNamespace:
        seconds = self.c + self.a * max(0.0, batch.total_num_q_tokens - self.b0)
        return SimpleNamespace(total_time=seconds, model_time=seconds, model_time_ms=1e3 * seconds)


def main() -> None:
    requests, prompt, output, budget = map(int, sys.argv[1:5])
    law = Law(*map(float, sys.argv[5:8]))
    ExecutionTimePredictorRegistry.get = classmethod(lambda cls, *_, **__: law)  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder:
        lengths = FixedRequestLengthGeneratorConfig(prefill_tokens=prompt, decode_tokens=output)
        config = SimulationConfig(
            cluster_config=ClusterConfig(
                replica_config=ReplicaConfig(num_pipeline_stages=1, tensor_parallel_size=1),
                cache_config=CacheConfig(num_blocks=1_000_000),
                replica_scheduler_config=SarathiSchedulerConfig(batch_size_cap=4096, chunk_size=budget),
            ),
            request_generator_config=SyntheticRequestGeneratorConfig(
                length_generator_config=lengths,
                interval_generator_config=StaticRequestIntervalGeneratorConfig(),
                num_requests=requests,
            ),
            metrics_config=MetricsConfig(write_metrics=False, enable_chrome_trace=False, output_dir=folder),
        )
        simulator = Simulator(config)
        begin = time.process_time()
        simulator.run()
        print(time.process_time() - begin, simulator._time)


if __name__ == "__main__":
    main()
