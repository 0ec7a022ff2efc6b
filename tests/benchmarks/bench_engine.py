"""Simulated requests a minute of the compiled engine: Sarathi-Serve, budget 768, saturated, prompts of 256 tokens.

Histograms of TTFT and of the times between tokens are on. Beside it Vidur's engine on the same model, where a Python
that has Vidur is named by VIDUR_PYTHON or is the one that runs this. Times are processor time, so that what else the
machine does counts little. Run as ``python tests/benchmarks/bench_engine.py``: prints the figures and exits 1 where a
promised one is missed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from qtheory.simulate.engine_runs import run_engine
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel import engine_layout as E
from qtheory.simulate.laws import Deterministic, Geometric

BUDGET, PROMPT = 768, 256
PROMISED_MILLIONS, PROMISED_GROWTH = 50.0, 3.0
OUTPUTS = (64, 256, 1024, 4096, 16384, 65536)
# Llama-3-70B on two A100 as the throughput-optimal paper prints it: c = 45.5 ms, a = 0.30 ms a token, b0 = 64.
TIME = IterationTime("piecewise", (0.0455, 0.00030, 64.0))


def engine(mean_output: int) -> LLMEngine:
    requests = RequestClass("r", Deterministic(PROMPT), Geometric.with_mean(mean_output))
    return LLMEngine((requests,), TIME, "sarathi", {"budget": BUDGET}, saturated=True)


def seconds_a_request(mean_output: int, requests: int) -> float:
    """Seconds a completed request, best of three; the throughput must be that of a full budget."""
    full = BUDGET / (TIME.constants[0] + TIME.constants[1] * (BUDGET - TIME.constants[2]))
    horizon = requests * (PROMPT + mean_output) / full
    best = float("inf")
    for seed in range(3):
        begin = time.process_time()
        run = run_engine(engine(mean_output), horizon=horizon, seed=seed)
        best = min(best, (time.process_time() - begin) / run.requests)
        tokens = (run.total(E.PREFILL_TOKENS) + run.total(E.DECODE_TOKENS)) / run.seconds
        assert abs(tokens / full - 1.0) < 1e-9, tokens
        assert run.histogram[E.TBT].sum() == run.total(E.DECODE_TOKENS)
    return best


def vidur_seconds_a_request(requests: int = 2000) -> float | None:
    """Seconds a request of Vidur's event loop with outputs of 256 tokens; None where it is not installed."""
    python = os.environ.get("VIDUR_PYTHON", sys.executable)
    if subprocess.run([python, "-c", "import vidur"], capture_output=True).returncode:
        return None
    program = Path(__file__).with_name("vidur_engine.py")
    command = [python, program, *map(str, (requests, PROMPT, 256, BUDGET, *TIME.constants))]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    seconds, simulated = map(float, out.split())
    full = BUDGET / (TIME.constants[0] + TIME.constants[1] * (BUDGET - TIME.constants[2]))
    # The same model: the tokens of all requests at full batches, but for the ends of the run.
    assert 1.0 <= simulated * full / (requests * (PROMPT + 256)) < 1.2, simulated
    return seconds / requests


def main() -> int:
    begin = time.process_time()
    run_engine(engine(64), horizon=10.0)
    print(f"the loop loads or compiles in {time.process_time() - begin:.2f} s (not counted)")
    cost = {mean: seconds_a_request(mean, 300_000 if mean <= 1024 else 100_000) for mean in OUTPUTS}
    for mean, seconds in cost.items():
        print(f"outputs of mean {mean}: {seconds * 1e9:.0f} ns a request, {60e-6 / seconds:.1f} million a minute")
    speed, growth = 60e-6 / cost[256], cost[65536] / cost[1024]
    print(f"requests a minute at mean 256: {speed:.1f} million, promised {PROMISED_MILLIONS:g}; ratio "
          f"{speed / PROMISED_MILLIONS:.3g}" + ("" if speed >= PROMISED_MILLIONS else "  MISSED"))  # fmt: skip
    print(f"cost at mean 65536 over that at 1024: {growth:.2f}, promised at most {PROMISED_GROWTH:g}"
          + ("" if growth <= PROMISED_GROWTH else "  MISSED"))  # fmt: skip
    vidur = vidur_seconds_a_request()
    if vidur is None:
        print("Vidur is not installed: pip install vidur, or name its Python in VIDUR_PYTHON")
    else:
        print(f"Vidur's engine: {60 / vidur:,.0f} requests a minute; ratio {vidur / cost[256]:,.0f}")
    return int(speed < PROMISED_MILLIONS or growth > PROMISED_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
