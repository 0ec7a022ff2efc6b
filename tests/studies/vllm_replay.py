"""Two recorded runs of vLLM replayed with their own arrivals and limits: a law fitted on half of the requests.

    python tests/studies/vllm_replay.py RUN [KV_TOKENS]

RUN is a folder with ``requests.jsonl`` and ``meta.json`` of casys-kaist/LLMServingSim. The replay is vLLM's scheduler:
each iteration decodes the running requests and spends what is left of the token budget on prompts in order of arrival;
a prompt begins where its whole cache fits; where a block is lacking, the latest request gives up its cache and starts
again, from what is left of it: freed blocks are taken again in the order in which they came free, a request's last
ones first, and what still stands in them is found by the prefix cache. The law ``alpha + beta n + gamma M`` (tokens,
and tokens in caches) is fitted to the times of the first half of the requests by arrival, and predicts those of the
second.
"""

from __future__ import annotations

import json
import sys
from collections import OrderedDict, deque
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]
BESIDE = (0.8, 0.85, 0.9, 0.95)  # quantiles at which the errors are shown beside the table


@dataclass(frozen=True)
class Run:
    """Requests in order of arrival: arrivals, prompt and output lengths, measured first and last tokens (seconds)."""

    arrivals: Array
    prompts: NDArray[np.int64]
    outputs: NDArray[np.int64]
    first: Array
    last: Array
    sequences: int
    budget: int
    cache: int


def read(folder: Path, cache: int | None) -> Run:
    rows = [json.loads(line) for line in (folder / "requests.jsonl").read_text().splitlines()]
    rows.sort(key=lambda row: row["queued_ts"])
    meta = json.loads((folder / "meta.json").read_text())
    known = meta.get("kv_cache", {}).get("num_kv_tokens")
    limits = meta["engine_kwargs"]
    start = rows[0]["queued_ts"]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0] if name != "request_id"}
    return Run(columns["queued_ts"] - start, columns["input_toks"], columns["output_toks"],
               columns["first_token_ts"] - start, columns["last_token_ts"] - start, limits["max_num_seqs"],
               limits["max_num_batched_tokens"], cache or known or 10**9)


class Blocks:
    """The engine's blocks of cache that are free, in the order in which they will be taken; each keeps what stood in it
    last, a request and the number of the block in it."""

    def __init__(self, count: int) -> None:
        self.free: OrderedDict[tuple[int, int], None] = OrderedDict(((-1, i), None) for i in range(count))

    def take(self, count: int) -> None:
        for _ in range(count):
            self.free.popitem(last=False)

    def release(self, owner: int, held: int) -> None:
        for i in reversed(range(held)):
            self.free[owner, i] = None

    def found(self, owner: int, most: int) -> int:
        """How many of the request's first blocks still stand."""
        count = 0
        while count < most and (owner, count) in self.free:
            count += 1
        return count

    def reuse(self, owner: int, count: int) -> None:
        for i in range(count):
            del self.free[owner, i]


def replay(run: Run, law: tuple[float, float, float], block: int = 16) -> tuple[Array, Array]:
    """Times of the first and the last token of each request."""
    count = len(run.arrivals)
    made, done = np.zeros(count, dtype=int), np.zeros(count, dtype=int)  # tokens generated; tokens in the cache
    first, last = np.full(count, np.nan), np.full(count, np.nan)
    waiting: deque[int] = deque()
    running: list[int] = []
    now, arrived, finished = 0.0, 0, 0
    blocks = Blocks(min(run.cache // block, int((run.prompts + run.outputs).sum())))
    held = np.zeros(count, dtype=int)
    while finished < count:
        while arrived < count and run.arrivals[arrived] <= now:
            waiting.append(arrived)
            arrived += 1
        if not running and not waiting:
            now = float(run.arrivals[arrived])
            continue
        room = run.budget
        work: list[tuple[int, int]] = []
        evicted = False
        for i in list(running):
            if i not in running:
                continue
            size = min(room, int(run.prompts[i] + made[i] - done[i]))
            if size <= 0:
                continue
            need = -(-(done[i] + size) // block)
            while len(blocks.free) < need - held[i] and running:
                victim = running.pop()
                evicted = True
                blocks.release(victim, int(held[victim]))
                held[victim] = done[victim] = 0
                work = [(j, s) for j, s in work if j != victim]
                waiting.appendleft(victim)
                if victim == i:
                    break
            if i in running:
                blocks.take(int(need - held[i]))
                held[i] = need
                work.append((i, size))
                room -= size
        while waiting and room > 0 and len(running) < run.sequences and not evicted:
            i = waiting[0]
            whole = int(run.prompts[i] + made[i])
            old = blocks.found(i, (whole - 1) // block)
            if len(blocks.free) < -(-whole // block):
                break
            blocks.reuse(i, old)
            done[i] = old * block
            size = min(room, whole - int(done[i]))
            waiting.popleft()
            running.append(i)
            held[i] = -(-(int(done[i]) + size) // block)
            blocks.take(int(held[i]) - old)
            work.append((i, size))
            room -= size
        tokens, memory = sum(size for _, size in work), sum(done[i] + size for i, size in work)
        now += law[0] + law[1] * tokens + law[2] * memory
        for i, size in work:
            done[i] += size
            if done[i] == run.prompts[i] + made[i]:
                made[i] += 1
                if made[i] == 1:
                    first[i] = now
                if made[i] == run.outputs[i]:
                    last[i] = now
                    blocks.release(i, int(held[i]))
                    held[i] = 0
                    running.remove(i)
                    finished += 1
    return first, last


def measures(run: Run, first: Array, last: Array) -> dict[str, Array]:
    return {"TTFT": first - run.arrivals, "TPOT": (last - first) / np.maximum(run.outputs - 1, 1),
            "latency": last - run.arrivals}


def fitted(run: Run, half: int) -> tuple[float, float, float]:
    """The law with the least median-like error on the first requests: mean size of the logarithmic errors."""
    truth = measures(run, run.first, run.last)

    def loss(logarithms: Array) -> float:
        found = measures(run, *replay(run, tuple(np.exp(logarithms))))
        return float(np.mean([np.abs(np.log(found[n][:half] / truth[n][:half])).mean() for n in ("TPOT", "latency")]))

    start = np.log([0.015, 5e-5, 1e-7])
    found = minimize(loss, start, method="Nelder-Mead",
                     options={"maxfev": 90, "initial_simplex": start + np.vstack([np.zeros(3), 0.5 * np.eye(3)])})
    alpha, beta, gamma = np.exp(found.x)
    return float(alpha), float(beta), float(gamma)


def main(folder: str, cache: int | None) -> None:
    run = read(Path(folder), cache)
    half = len(run.arrivals) // 2
    law = fitted(run, half)
    print(f"{Path(folder).name}: {1e3 * law[0]:.2f} ms + {1e6 * law[1]:.1f} us n + {1e9 * law[2]:.2f} ns M")
    truth, found = measures(run, run.first, run.last), measures(run, *replay(run, law))
    print("| second half | measured median | error | measured p90 | error | measured p99 | error |\n|" + " --- |" * 7)
    for name, values in truth.items():
        cells = []
        for level in (0.5, 0.9, 0.99):
            one, other = np.quantile(values[half:], level), np.quantile(found[name][half:], level)
            cells += [f"{one:.4g} s", f"{100 * (other / one - 1):+.1f} %"]
        print(f"| {name} | " + " | ".join(cells) + " |")
    for which, part in (("second half", slice(half, None)), ("all requests", slice(None))):
        ratios = {name: np.quantile(found[name][part], BESIDE) / np.quantile(truth[name][part], BESIDE)
                  for name in truth}
        beside = [f"{name} " + ", ".join(f"{100 * (x - 1):+.1f} %" for x in each) for name, each in ratios.items()]
        print(f"{which}, at {', '.join(map(str, BESIDE))}: {'; '.join(beside)}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
