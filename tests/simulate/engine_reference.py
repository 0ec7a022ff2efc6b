"""One LLM engine token by token: every iteration is formed anew from lists of requests. Slow and obvious.

It shares with the compiled loop only the variates and the seconds of an iteration; each policy is written here a
second time, from the papers' text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from qtheory.numerics.estimate import fit_linear_hazard
from qtheory.numerics.special import base_threshold
from qtheory.simulate.engines import LLMEngine

ROLE, GAP, SIZE, PROMPT, OUTPUT, CACHED, ACCEPTED = 1 << 24, 8, 9, 10, 11, 12, 13


@dataclass(eq=False)
class Request:
    kind: int
    arrival: float
    prompt: int
    output: int
    to_prefill: int = 0
    context: int = 0  # tokens in the KV cache
    generated: int = 0
    first: float = -1.0
    last: float = 0.0
    end: float = 0.0
    started: bool = False
    swapped: int = 0
    number: int = 0
    evicted: bool = False
    looked_at: bool = False  # among the oldest that wait, which are ordered
    ready: float = 0.0  # to decode, after a prefill elsewhere
    gaps: list[float] = field(default_factory=list)


class Reference:
    """Run ``engine`` to ``horizon``: ``iterations`` (start, prefill, decode tokens), ``done`` requests."""

    def __init__(self, engine: LLMEngine, horizon: float, seed: int = 0) -> None:
        self.e, self.seed = engine, seed
        self.step = 1 + engine.draft  # tokens of a decode in a batch
        self.lengths: list[tuple[int, int]] = []  # of completed requests: the windows W_L and W_O
        self.since, self.n_obs, self.averaged, self.last_decoding = 0, 0.0, 0, 0
        self.estimates: dict[str, float] = {}
        if "n_default" in engine.parameters:
            p = engine.parameters
            self.n, self.k = p["n_default"], int(p["theta_default"] * p["n_default"])
        self.streams: dict[tuple[int, int], list[float]] = {}
        self.waiting: list[Request] = []
        self.decoding: list[Request] = []
        self.done: list[Request] = []
        self.iterations: list[tuple[float, int, int]] = []
        self.prefilled = self.preempted = self.arrived = self.short = 0
        self.pool: list[Request] = []  # in prefill elsewhere, or waiting to come from there
        self.nodes = [0.0] * self.e.parameters.get("prefill_nodes", 0)
        self.memory: dict[str, int] = {}
        self.overhead = self.now = self.busy = 0.0
        classes = range(len(engine.classes))
        self.next = [self.draw(GAP, k, engine.classes[k].arrivals) if engine.classes[k].arrivals else math.inf
                     for k in classes]  # fmt: skip
        for k in classes:
            for _ in range(engine.concurrency or 0):
                self.arrive(k, 0.0)
        self.go(horizon)

    def go(self, horizon: float) -> None:
        while self.now < horizon:
            self.pull()
            self.join()
            self.iterate()

    def draw(self, role: int, k: int, law) -> float:
        if (role, k) not in self.streams:
            size = 200_000 if role == ACCEPTED else 20_000
            self.streams[role, k] = list(law.sample(size, seed=self.seed, source=role * ROLE + k))[::-1]
        return self.streams[role, k].pop()

    def arrive(self, k: int, time: float) -> Request:
        c = self.e.classes[k]
        prompt, output = int(self.draw(PROMPT, k, c.prompt)), int(self.draw(OUTPUT, k, c.output))
        new = max(1, prompt - int(self.draw(CACHED, k, c.cached))) if c.cached else prompt
        r = Request(k, time, prompt, output, to_prefill=new, context=prompt - new, number=self.arrived)
        self.arrived += 1
        if self.nodes:
            node = self.nodes.index(min(self.nodes))
            r.last = self.nodes[node] = max(time, self.nodes[node]) + self.seconds([(r, prompt)], [])
            r.ready = r.last + self.e.parameters["transfer"] + self.e.parameters["transfer_per_token"] * prompt
            self.pool.append(r)
        else:
            self.waiting.append(r)
        return r

    def join(self) -> None:
        """Requests that have come from the prefill nodes decode while the memory lasts."""
        while self.pool:
            r = min(self.pool, key=lambda r: r.ready)
            needed = self.blocks((r.swapped or r.prompt) + self.step) + sum(map(self.next_blocks, self.decoding))
            if r.ready > self.now or needed > self.free:
                return
            self.pool.remove(r)
            r.context, r.swapped, r.to_prefill, r.started = r.swapped or r.prompt, 0, 0, True
            if r.first < 0:
                r.first = r.last
            self.decoding.append(r)

    def pull(self) -> None:
        while min(self.next) <= self.now:
            k = self.next.index(min(self.next))
            sizes = self.e.classes[k].sizes
            for _ in range(1 if sizes is None else int(self.draw(SIZE, k, sizes))):
                self.arrive(k, self.next[k])
            self.next[k] += self.draw(GAP, k, self.e.classes[k].arrivals)

    @property
    def in_service(self) -> int:
        return len(self.decoding) + sum(r.started for r in self.waiting)

    @property
    def resident(self) -> int:
        return sum(r.context for r in self.decoding + self.waiting if r.started)

    def blocks(self, tokens: int) -> int:
        return math.ceil(tokens / self.e.block)

    def whole(self, r: Request) -> int:
        """Tokens in the KV cache at the end of its prefill, and from then on."""
        return r.swapped or r.context + r.to_prefill

    def next_blocks(self, r: Request) -> int:
        """Blocks that the next decode iteration of ``r`` begins."""
        return self.blocks(self.whole(r) + self.step) - self.blocks(self.whole(r))

    @property
    def free(self) -> float:
        """Blocks that neither decode requests hold nor those in prefill."""
        held = sum(self.blocks(self.whole(r)) for r in self.decoding + self.waiting if r.started)
        return (math.inf if self.e.capacity is None else self.e.capacity // self.e.block) - held

    def fits(self, r: Request, got: list[tuple[Request, int]]) -> bool:
        """Is there room for waiting ``r``, and then for the next token of every request that decodes?"""
        ended = [o for o, _ in got if o.to_prefill == 0]
        later = sum(map(self.next_blocks, self.decoding + ended))
        return self.blocks(self.whole(r) + self.step) + later <= self.free

    def prefills(self, room: float, *, whole=False, pieces=math.inf, fresh=None) -> list[tuple[Request, int]]:
        """Prompt tokens oldest first; new requests only while slots and memory last."""
        if self.e.order != "fcfs":
            return self.ordered_prefills(room, whole, pieces)
        got: list[tuple[Request, int]] = []
        fresh = dict(fresh or {})
        blocked = set()
        for r in list(self.waiting):
            if room <= 0 or len(got) >= pieces:
                break
            if (r.kind in blocked and fresh) or (blocked and not fresh):
                continue
            if whole and r.to_prefill > room:
                blocked.add(r.kind)
                continue
            if not r.started:
                slots = self.e.slots or math.inf
                if fresh.get(r.kind, 1) < 1 or self.in_service >= slots or not self.fits(r, got):
                    blocked.add(r.kind)
                    continue
                if fresh:
                    fresh[r.kind] -= 1
                r.started = True
            tokens = int(min(room, r.to_prefill))
            got.append((r, tokens))
            room -= tokens
            r.to_prefill -= tokens
            r.context += tokens
            if r.to_prefill:
                blocked.add(r.kind)
        return got

    def ordered_prefills(self, room: float, whole: bool, pieces: float) -> list[tuple[Request, int]]:
        """The same in another order, among the K_p oldest; who cannot start stands in nobody's way who has."""
        oldest = self.e.parameters.get("k_p", math.inf)
        for r in self.waiting:
            r.looked_at = r.looked_at or sum(o.looked_at for o in self.waiting) < oldest

        def key(r: Request) -> tuple[int, int, int]:
            rank = r.kind if self.e.order.startswith("class") else 0
            counted = self.e.order == "srpt" or (self.e.order != "class" and not r.started)
            return rank, r.to_prefill if counted and not r.evicted else 0, r.number

        got: list[tuple[Request, int]] = []
        blocked = False
        while room > 0 and len(got) < pieces:
            there = [r for r in self.waiting if r.looked_at and r.to_prefill and (r.started or not blocked)]
            if not there or (whole and min(there, key=key).to_prefill > room):
                break
            r = min(there, key=key)
            if not r.started:
                if self.in_service >= (self.e.slots or math.inf) or not self.fits(r, got):
                    blocked = True
                    continue
                r.started = True
            tokens = int(min(room, r.to_prefill))
            got.append((r, tokens))
            room -= tokens
            r.to_prefill -= tokens
            r.context += tokens
        return got

    def sort_decodes(self) -> None:
        """The K_d that arrived first stand first, by class or by what is left to decode, then by arrival."""
        oldest = len(self.decoding)
        if "k_d" in self.e.parameters:
            self.decoding.sort(key=lambda r: r.number)
            oldest = self.e.parameters["k_d"]
        if self.e.decode_order != "fcfs":
            key = {"class": lambda r: (r.kind, r.number), "srpt": lambda r: (r.output - r.generated, r.number)}
            self.decoding[:oldest] = sorted(self.decoding[:oldest], key=key[self.e.decode_order])

    def by_deadline(self, total: int, until: float) -> list[Request]:
        """The first ``total`` decode requests in the order of deadlines up to ``until``; of equal ones by class."""
        tbt = [c.tbt_slo for c in self.e.classes]
        ordered = sorted(self.decoding, key=lambda r: (r.last + tbt[r.kind], r.kind))
        return [r for r in ordered if r.last + tbt[r.kind] <= until][:total]

    def batch(self) -> tuple[list[tuple[Request, int]], list[Request]]:
        p = self.e.parameters
        d = self.decoding
        match self.e.policy:
            case "sarathi" | "mixed":
                chosen = d[: p["budget"] // self.step]
                return self.prefills(p["budget"] - len(chosen) * self.step), chosen
            case "orca":
                got = self.prefills(p["budget"])
                return got, d[: (p["budget"] - sum(t for _, t in got)) // self.step]
            case "vllm":
                got = self.prefills(p["budget"])
                return got, [] if got else d[: p["budget"] // self.step]
            case "faster-transformer":
                return ([], d[: p["budget"] // self.step]) if d else (self.prefills(p["budget"]), [])
            case "vllm-whole":
                got = self.prefills(p["budget"], whole=True)
                return got, [] if got else list(d)
            case "kp-kd-fcfs":
                chosen = d[: min(p["k_d"], p["budget"] // self.step)]
                return self.prefills(p["budget"] - len(chosen) * self.step, pieces=p["k_p"]), chosen
            case "request-level":
                if self.in_service == 0:
                    self.memory["batch"] = min(p["batch"], len(self.waiting))
                    self.memory["before"] = self.prefilled
                missing = self.memory["batch"] - (self.prefilled - self.memory["before"])
                got = self.prefills(math.inf, pieces=missing) if missing else []
                return got, [] if got else list(d)
            case "rad":
                m = self.memory
                if m.get("decoded") and not d:  # line 9, after the decodes of the batch before
                    m["before"], m["decoded"] = self.prefilled, False
                # Algorithm 1, lines 5 to 18, until a batch is scheduled or nothing is left to do
                while self.waiting or d:
                    in_cycle = self.prefilled - m.get("before", 0)
                    if not (len(d) == p["t_col"] or not self.waiting or in_cycle == p["n"]):
                        m["decoded"] = False
                        return self.prefills(p["t_lcm"], pieces=1), []
                    if d:
                        m["decoded"] = True
                        return [], list(d)
                    m["before"] = self.prefilled
                return [], []
            case "eb":
                if self.due(self.e.slots, p["k"]) or not d:
                    got = self.prefills(math.inf, whole=True)
                    return got, [] if got else list(d)
                return [], list(d)
            case "fcfs-memory":
                chosen = list(d)
                return self.prefills(math.inf, whole=True), chosen
            case "wait":
                limit = p["thresholds"]
                ready = [sum(r.kind == k for r in self.waiting) >= n for k, n in enumerate(limit)]
                fresh = {k: n * ok for k, (n, ok) in enumerate(zip(limit, ready, strict=True))}
                chosen = [r for r in d if ready[r.kind]]
                return self.prefills(math.inf, whole=True, fresh=fresh), chosen
            case "nested-wait":
                stages: dict[int, list[Request]] = {0: [r for r in self.waiting if not r.started]}
                for r in d:
                    stages.setdefault(r.generated + 1, []).append(r)
                firsts = [0, *(end + 1 for end in p["ends"][:-1])]
                run = 0
                while run < len(firsts) and len(stages.get(firsts[run], [])) >= p["thresholds"][run]:
                    run += 1
                chosen = []
                for k in sorted(stages):
                    segment = sum(k >= first for first in firsts)
                    if k > 0 and segment <= run:
                        chosen += stages[k][: p["thresholds"][segment - 1]]
                return self.prefills(math.inf, whole=True, pieces=p["thresholds"][0]) if run else [], chosen
            case "cycles":
                m = self.memory
                if m.get("decode") and not d:
                    m["before"], m["decode"] = self.prefilled, 0
                if not self.waiting or self.prefilled - m.get("before", 0) >= p["n"]:
                    m["decode"] = m.get("decode") or len(d)
                return ([], d[: p["t_col"]]) if m.get("decode") else (self.prefills(p["t_lcm"], pieces=1), [])
            case "slai" | "slai-dynamic":
                mean = self.busy / max(1, len(self.iterations))
                full = p.get("full", math.inf) * (self.e.capacity or math.inf)
                offset = p["offset"] if self.resident < full else p["offset_full"]
                most = min(p["budget"], p["decode_limit"])
                critical = self.by_deadline(most, self.now + offset * mean)
                got = self.prefills(p["budget"] - len(critical))
                room = p["budget"] - sum(t for _, t in got)
                return got, self.by_deadline(min(most, room), math.inf)
            case "distserve":
                return [], list(d)
            case "eb-adaptive":
                return self.exclusive()
            case "eb-plus":
                for _ in self.iterations[self.averaged :]:
                    self.n_obs += p["smoothing"] * (self.last_decoding - self.n_obs)
                self.averaged, self.last_decoding = len(self.iterations), len(d)
                if self.rule_8():
                    return self.exclusive()
                chosen = d[: p["budget"] // self.step]
                return self.prefills(p["budget"] - len(chosen) * self.step), chosen
        raise AssertionError(self.e.policy)

    def due(self, slots: int, k: int) -> bool:
        """Appendix D.6: fillable (N - k) >= n k."""
        fillable = min(slots - self.in_service, len(self.waiting))
        return fillable > 0 and fillable * (slots - k) >= len(self.decoding) * k

    def exclusive(self) -> tuple[list[tuple[Request, int]], list[Request]]:
        """EB(k) with n slots and the gate (23)."""
        p, capacity, mu_o = self.e.parameters, self.e.capacity, self.estimates.get("mu_o", 0.0)
        share = min(0.6, max(0.05, self.n * mu_o * p["kv_safety"] / capacity + p["kv_reserve"]))
        gate = capacity - self.resident >= share * capacity
        if (self.due(self.n, self.k) and gate) or not self.decoding:
            got = self.prefills(math.inf, whole=True, pieces=max(0, self.n - len(self.decoding)))
            return got, [] if got else list(self.decoding)
        return [], list(self.decoding)

    def rule_8(self) -> bool:
        p, e = self.e.parameters, self.estimates
        if not e:
            return False
        r = e["mu_o"] / (e["mu_l"] + e["mu_o"])
        gap = (p["c0"] + p["c1"] * r + p["c2"] * r * r) - (
            p["beta_p"] * e["mu_l"] + p["beta_d"] * e["mu_o"]
        ) / (e["mu_l"] + e["mu_o"])
        fixed = (p["alpha_p"] + p["alpha_d"] * e["zeta"] * e["mu_o"]) / e["theta0"] - p["alpha_mb"] * (1 + e["mu_o"])
        return (gap - p["delta"]) * self.n_obs > fixed / (e["mu_l"] + e["mu_o"])

    def complete(self, request: Request) -> None:
        """A pass of Algorithm 1's loop."""
        p = self.e.parameters
        self.lengths = [*self.lengths, (request.prompt, request.output)][-p["window"] :]
        self.since += 1
        if self.since < p["interval"] or len(self.lengths) < p["least"]:
            return
        fit = fit_linear_hazard([o for _, o in self.lengths])
        if fit.p0 <= 0:
            return
        mu_l, mu_o = np.mean(self.lengths, axis=0)
        root = base_threshold(fit.p0 * p["alpha_p"] / p["alpha_d"])
        t0, z, rho = root.theta0, root.zeta, p["beta_d"] * self.n / p["alpha_d"]
        shift = fit.eta * (1 - t0) ** 2 / (fit.p0**2 * t0) * (z * (t0 / (1 - t0) - z / 2) + rho * (z - t0))
        theta = min(max(t0 + shift, p["theta_min"]), p["theta_max"])
        room = self.e.capacity - math.log(1 / p["risk"]) / (fit.p0**2 * mu_l)
        n = math.floor(room / (mu_l + (1 - theta) / (theta * fit.p0) * math.log(1 / (1 - theta))))
        self.n = int(max(1, min(n, self.e.slots or math.inf)))
        self.k, self.since = int(theta * self.n), 0
        self.estimates = {"mu_l": mu_l, "mu_o": mu_o, "theta0": t0, "zeta": z}

    def wanted(self) -> int:
        """Decode tokens that the next batch may load before prefill is looked at."""
        p, d = self.e.parameters, len(self.decoding)
        if self.e.policy == "cycles" and not self.memory.get("decode"):
            return 0
        fit = p["budget"] // self.step if "budget" in p else d
        return min(d, fit, *(p.get(n, d) for n in ("k_d", "decode_limit", "t_col")))

    def lacks_blocks(self) -> bool:
        """May the next batch begin more blocks than are free?"""
        most = self.wanted() * self.blocks(self.step + self.e.block - 1)
        return self.wanted() > 0 and min(most, sum(map(self.next_blocks, self.decoding))) > self.free

    def preempt(self) -> None:
        self.sort_decodes()
        while self.lacks_blocks():
            r = self.decoding[-1]
            if self.e.policy.startswith("slai"):
                last = max(r.kind for r in self.decoding)
                r = [r for r in self.by_deadline(len(self.decoding), math.inf) if r.kind == last][-1]
            self.decoding.remove(r)
            self.preempted += 1
            r.evicted = r.looked_at = True
            x = r.context
            self.overhead += self.e.overhead[0] + self.e.overhead[1] * x + self.e.overhead[2] * x * x
            r.started = False
            if self.e.recompute:
                r.to_prefill, r.context = x, 0
            else:
                r.to_prefill, r.swapped, r.context = 1, x, 0
            if self.nodes:
                r.swapped, r.context = x, 0
                self.pool.append(r)
            else:
                self.waiting.insert(sum(w.started for w in self.waiting) if self.e.order == "fcfs" else 0, r)

    def seconds(self, got: list[tuple[Request, int]], chosen: list[Request]) -> float:
        p, d = sum(t for _, t in got), len(chosen) * self.step
        n, context = p + d, sum(r.context for r in chosen)
        c = self.e.time.constants
        base = {
            "affine": lambda: c[0] + c[1] * n,
            "piecewise": lambda: c[0] + c[1] * max(0, n - c[2]),
            "concave": lambda: c[0] + c[1] * n + c[2] * min(n, c[3]),
            "staircase": lambda: c[0] * math.ceil(n / c[1]) + c[2] * n,
            "two-affine": lambda: c[0] + c[1] * n if p else c[2] + c[3] * n,
            "mixed-quadratic": lambda: c[0] + (c[1] + c[2] * d / n + c[3] * (d / n) ** 2) * n,
            "memory": lambda: c[0] + c[1] * (context + n),
        }[self.e.time.kind]()
        squares = sum(t * t for _, t in got)
        base += self.e.draft_time if chosen else 0.0
        return base + self.e.time.prefill_attention * squares + self.e.time.decode_attention * context

    def iterate(self) -> None:
        self.preempt()
        got, chosen = self.batch()
        if not got and not chosen:
            self.now = min([*self.next, *(r.ready for r in self.pool if r.ready > self.now)])
            return
        self.iterations.append((self.now, sum(t for _, t in got), len(chosen)))
        end = self.now + self.seconds(got, chosen) + self.overhead
        self.overhead = 0.0
        self.busy += end - self.now
        for r in chosen:
            r.context += 1
            r.generated += 1
            if r.first < 0:
                r.first = end
            else:
                r.gaps.append(end - r.last)
            r.last = end
            if self.e.draft:
                more = min(int(self.draw(ACCEPTED, r.kind, self.e.accepted)), r.output - r.generated)
                r.context += more
                r.generated += more
                r.gaps += [0.0] * more
        if self.e.policy.startswith("slai"):
            self.decoding = [r for r in self.decoding if r not in chosen] + chosen
        ended = sorted((r for r in chosen if r.generated == r.output), key=lambda r: r.number)
        for r in ended:
            self.decoding.remove(r)
        for r, _ in got:
            if r.to_prefill == 0:
                self.waiting.remove(r)
                self.prefilled += 1
                r.looked_at = False
                if r.swapped:
                    r.context, r.swapped = r.swapped, 0
                elif not r.evicted:
                    r.last = end
                    r.first = -1.0 if self.e.policy == "cycles" and r.output else end
                if r.generated == r.output:
                    ended.append(r)
                else:
                    self.decoding.append(r)
        for r in ended:
            r.end = end
            self.done.append(r)
            if "n_default" in self.e.parameters:
                self.complete(r)
            if self.e.concurrency:
                self.arrive(r.kind, end)
        self.now = end
