"""Two recorded runs of vLLM replayed with their own arrivals and limits: a law fitted on half of the requests.

    python tests/studies/vllm_replay.py RUN
    python tests/studies/vllm_replay.py --prefixes WORKLOAD.jsonl ... > tests/studies/vllm_prefixes.csv

RUN is a folder with ``requests.jsonl`` and ``meta.json`` of casys-kaist/LLMServingSim (MIT). The replay is vLLM's
scheduler: each iteration decodes the running requests and spends what is left of the token budget on prompts in order
of arrival; a prompt begins where its whole cache fits; where a block is lacking, the latest request gives up its cache
and starts again. Blocks stay named by what stands in them until they are taken again, in the order in which they came
free, a request's last ones first; a request that begins uses the leading ones that still stand, its own or those of an
earlier prompt that begins alike. An iteration is planned while the one before runs, so that a request's blocks are
free for the next iteration but one. Which prompts begin alike is not in the run, but in the workload that was sent,
whose hash the run names: ``vllm_prefixes.csv`` has it, from that repository's ``workloads``.

The law ``alpha + beta n + gamma M`` (tokens, and tokens in caches) is fitted to the times of the first half of the
requests by arrival, and predicts those of the second.
"""

from __future__ import annotations

import csv
import hashlib
import json
import sys
from collections import OrderedDict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Array = NDArray[np.float64]
BESIDE = (0.8, 0.85, 0.9, 0.95)  # quantiles at which the errors are shown beside the table
BLOCK = 16  # tokens of a block of the cache
PREFIXES = Path(__file__).with_name("vllm_prefixes.csv")
Key = tuple[int, int]  # what stands in a block: the first request that had it, and which of its blocks


@dataclass(frozen=True)
class Run:
    """Requests in order of arrival: arrivals, prompt and output lengths, measured first and last tokens (seconds);
    ``alike``: of a request the earlier one that begins alike, and for how many blocks."""

    arrivals: Array
    prompts: NDArray[np.int64]
    outputs: NDArray[np.int64]
    first: Array
    last: Array
    sequences: int
    budget: int
    cache: int
    alike: dict[int, tuple[int, int]]

    def key(self, request: int, block: int) -> Key:
        """What stands in that block of a request."""
        while request in self.alike and block < self.alike[request][1]:
            request = self.alike[request][0]
        return request, block


def read(folder: Path) -> Run:
    rows = [json.loads(line) for line in (folder / "requests.jsonl").read_text().splitlines()]
    rows.sort(key=lambda row: row["queued_ts"])
    meta = json.loads((folder / "meta.json").read_text())
    limits = meta["engine_kwargs"]
    start = rows[0]["queued_ts"]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0] if name != "request_id"}
    place = {int(row["request_id"].rsplit("-")[-1]): i for i, row in enumerate(rows)}
    with PREFIXES.open(newline="") as file:
        alike = {place[int(row["request"])]: (place[int(row["like"])], int(row["blocks"]))
                 for row in csv.DictReader(file) if row["workload"] == meta["dataset_hash"]}
    return Run(columns["queued_ts"] - start, columns["input_toks"], columns["output_toks"],
               columns["first_token_ts"] - start, columns["last_token_ts"] - start, limits["max_num_seqs"],
               limits["max_num_batched_tokens"], meta.get("kv_cache", {}).get("num_kv_tokens", 10**9), alike)


def prefixes(workloads: Sequence[str]) -> None:
    """Print of each request that begins like an earlier one the request most like it, and for how many blocks."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["workload", "request", "like", "blocks"])
    for path in workloads:
        text = Path(path).read_bytes()
        seen: dict[tuple[int, ...], int] = {}
        for i, line in enumerate(text.splitlines()):
            tokens = tuple(json.loads(line)["input_tok_ids"])
            leading = [tokens[: (j + 1) * BLOCK] for j in range(len(tokens) // BLOCK)]
            count = next((j for j, part in enumerate(leading) if part not in seen), len(leading))
            if count:
                out.writerow([hashlib.sha256(text).hexdigest(), i, seen[leading[count - 1]], count])
            for part in leading:
                seen.setdefault(part, i)


class Blocks:
    """The engine's blocks of cache: those that are free in the order in which they will be taken, and what stands in
    each until it is taken again."""

    def __init__(self, count: int) -> None:
        self.free: OrderedDict[int, None] = OrderedDict((i, None) for i in range(count))
        self.users = [0] * count
        self.names: list[Key | None] = [None] * count
        self.places: dict[Key, OrderedDict[int, None]] = {}

    def standing(self, keys: Sequence[Key]) -> list[int]:
        """The blocks in which the leading ones of ``keys`` stand."""
        found = []
        for key in keys:
            if not self.places.get(key):
                break
            found.append(next(iter(self.places[key])))
        return found

    def fit(self, reused: Sequence[int], count: int) -> bool:
        """Whether ``count`` blocks can be had, some of them reused."""
        return count - sum(self.users[block] > 0 for block in reused) <= len(self.free)

    def reuse(self, blocks: Sequence[int]) -> None:
        for block in blocks:
            self.free.pop(block, None)
            self.users[block] += 1

    def take(self, key: Key) -> int:
        block, _ = self.free.popitem(last=False)
        if (old := self.names[block]) is not None:
            del self.places[old][block]
        self.names[block], self.users[block] = key, 1
        self.places.setdefault(key, OrderedDict())[block] = None
        return block

    def release(self, blocks: Sequence[int]) -> None:
        for block in reversed(blocks):
            self.users[block] -= 1
            if not self.users[block]:
                self.free[block] = None


def replay(run: Run, law: tuple[float, float, float]) -> tuple[Array, Array]:
    """Times of the first and the last token of each request."""
    count = len(run.arrivals)
    made, done = np.zeros(count, dtype=int), np.zeros(count, dtype=int)  # tokens generated; tokens in the cache
    first, last = np.full(count, np.nan), np.full(count, np.nan)
    waiting: deque[int] = deque()
    running: list[int] = []
    ended: list[int] = []  # whose blocks the next plan does not have yet
    now, arrived, finished = 0.0, 0, 0
    blocks = Blocks(min(run.cache // BLOCK, int((run.prompts + run.outputs).sum())))
    held: list[list[int]] = [[] for _ in range(count)]

    def grow(i: int, tokens: int) -> None:
        for block in range(len(held[i]), -(-tokens // BLOCK)):
            held[i].append(blocks.take(run.key(i, block)))

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
            while len(blocks.free) < -(-(done[i] + size) // BLOCK) - len(held[i]) and running:
                victim = running.pop()
                evicted = True
                blocks.release(held[victim])
                held[victim], done[victim] = [], 0
                work = [(j, s) for j, s in work if j != victim]
                waiting.appendleft(victim)
                if victim == i:
                    break
            if i in running:
                grow(i, int(done[i]) + size)
                work.append((i, size))
                room -= size
        while waiting and room > 0 and len(running) < run.sequences and not evicted:
            i = waiting[0]
            whole = int(run.prompts[i] + made[i])
            old = blocks.standing([run.key(i, block) for block in range((whole - 1) // BLOCK)])
            if not blocks.fit(old, -(-whole // BLOCK)):
                break
            blocks.reuse(old)
            held[i] = old
            done[i] = len(old) * BLOCK
            size = min(room, whole - int(done[i]))
            waiting.popleft()
            running.append(i)
            grow(i, int(done[i]) + size)
            work.append((i, size))
            room -= size
        for i in ended:
            blocks.release(held[i])
        ended = []
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
                    ended.append(i)
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


def main(folder: str) -> None:
    run = read(Path(folder))
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
    if sys.argv[1] == "--prefixes":
        prefixes(sys.argv[2:])
    else:
        main(sys.argv[1])
