"""Runs on the memory of the process itself, each computed from the literal machine of `memory_chain`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from flint import fmpq

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome, Undecided
from qtheory.proofs.claims.phase_starts import start_exceeds
from qtheory.proofs.kernel.balls import exp_bounds, log_bounds

from .chain import BITS, Interval, decode_phase
from .memory_chain import NONE, Machine, constant, exact, geometric_sum, increasing, machine, one_slot_tail, plain

HALF = Fraction(1, 2)
EXACT = "exact enumeration of the machine of Section 3.1"


def mean_start(theta: Fraction, p: Fraction, prompt: Fraction) -> Interval:
    """Bounds for E[X_0]/N of App. D.2: mu_L + ((1 - theta)/(theta p0)) ln(1/(1 - theta))."""
    low, high = log_bounds(1 / (1 - theta), BITS)
    weight = (1 - theta) / (theta * p)
    return prompt + weight * low, prompt + weight * high


def batch_size(capacity: Fraction, eps: Fraction, theta: Fraction, p: Fraction, prompt: Fraction) -> int:
    """N* of (6); ValueError where the enclosures leave it open."""
    mean, log = mean_start(theta, p, prompt), log_bounds(1 / eps, BITS)
    room = [capacity - end / (p * p * prompt) for end in (log[1], log[0])]
    low, high = room[0] / mean[1] // 1, room[1] / mean[0] // 1
    if low != high:
        raise ValueError(f"N* is {low} or {high}")
    return int(low)


def capacity_for(size: int, eps: Fraction, theta: Fraction, p: Fraction, prompt: Fraction) -> int:
    """The least whole capacity at which (6) gives this batch size."""
    mean, log = mean_start(theta, p, prompt)[1], log_bounds(1 / eps, BITS)[1]
    return int(-(-(size * mean + log / (p * p * prompt)) // 1))


# ---- Proposition 3.3 ----

def batch_size_run() -> Outcome:
    """Is N* of (6) the largest batch size with Pr(X_max > C) <= eps?  It is unsafe, and not the largest."""
    return _unsafe(**_smaller_than_allowed(Fraction(1, 100)))


def safety_run() -> Outcome:
    """Is N* of (6) safe?"""
    return _unsafe()


def _unsafe(**evidence: str) -> Outcome:
    """ShareGPT of Table 9 (mu_L = 105, mu_O = 280; prompts of that length all) at N* = 256 and theta0 = 3/10: the
    memory at a phase's start exceeds C already, and X_max is at least X_0."""
    eps, p, prompt, slots, theta = Fraction(1, 100), Fraction(1, 280), 105, 256, Fraction(3, 10)
    capacity = capacity_for(slots, eps, theta, p, Fraction(prompt))
    size, k = batch_size(Fraction(capacity), eps, theta, p, Fraction(prompt)), int(theta * slots)
    tail = start_exceeds(slots, k, p, capacity - slots * prompt)
    return shown(size == slots and tail > eps, {
        "p0": p, "L": "105 for every request", "theta0": theta, "eps": eps, "C": capacity, "N* of (6)": size, "k": k,
        "Pr(X_max(76, N*) > C), at least": f"{int(1000 * tail) / 1000}"},
        "the phases of the machine of Section 3.1 from one start to the next, all probabilities rounded down",
        **_one_idle_slot(eps), **evidence)


def _one_idle_slot(eps: Fraction) -> dict[str, str]:
    """LongBench of Table 9 (mu_L = 2492, mu_O = 11; prompts of that length all) at k = 1, where the law is explicit."""
    p, prompt, slots = Fraction(1, 11), Fraction(2492), 16
    theta = Fraction(1, slots)
    capacity = capacity_for(slots, eps, theta, p, prompt)
    size = batch_size(Fraction(capacity), eps, theta, p, prompt)
    tail = one_slot_tail(size, p, int(capacity - size * prompt))
    if not (size == slots and tail > eps):
        return {}
    return {"exactly, far outside mu_L << 1/p0": f"at p0 = {p}, L = {prompt} (LongBench), k = 1 and C = {capacity} it "
                                                 f"is {size}, which outgrows C with probability {float(tail):.3f}"}


def _smaller_than_allowed(eps: Fraction) -> dict[str, str]:
    """A capacity at which (6) gives 16 although 17 is safe: mu_L = 1, mu_O = 64 as in Table 10, k = 1."""
    p, theta, slots = Fraction(1, 64), Fraction(1, 16), 17
    capacity = capacity_for(16, eps, theta, p, Fraction(1))
    # X_max = N L + sum G + N M given that some G is 0; Markov's inequality for z^{X_max}
    z, alive = Fraction(201, 200), (1 - p) ** slots
    tokens = (p / (1 - (1 - p) * z)) ** slots / (1 - alive)
    iterations = (1 - alive) * z**slots / (1 - alive * z**slots)
    if not (batch_size(Fraction(capacity), eps, theta, p, Fraction(1)) == 16 and theta * slots // 1 == 1
            and (1 - p) * z < 1 and alive * z**slots < 1
            and tokens * iterations < Fraction(1, 10**30) * z ** (capacity - slots)):
        return {}
    return {"nor is N* the largest": f"at p0 = 1/64 and L = 1 (p0 and L of Table 10), theta0 = 1/16, C = "
                                     f"{capacity} it is 16, while N "
                                     f"= {slots} outgrows C with probability below 10^-30"}


@every("p0 in {1/4, 1/2}; (N, k, L) in {(1, 1, 2), (2, 1, 0), (2, 1, 3), (2, 2, 3), (3, 2, 1), (3, 3, 1), (4, 3, 0)}; "
       "6 capacities C from N (L + 1) on", EXACT)
def domination_run() -> Iterator[Case]:
    """The bound that replaces (6): memory during an iteration is dominated by that of N requests of full length."""
    for p in (Fraction(1, 4), HALF):
        for slots, k, prompt in ((1, 1, 2), (2, 1, 0), (2, 1, 3), (2, 2, 3), (3, 2, 1), (3, 3, 1), (4, 3, 0)):
            phase = decode_phase(slots, k, p).iterations
            for capacity in range(slots * (prompt + 1), slots * (prompt + 1) + 6):
                tail = machine(slots, k, constant(p), prompt, capacity).exceeds(prompt, capacity, ends=False)
                tokens = capacity - slots * prompt
                bad = tail > phase * _full_lengths(slots, p, tokens) or not _chernoff_holds(slots, p, tokens)
                yield {"p0": p, "N": slots, "k": k, "L": prompt, "C": capacity} if bad else None


def _chernoff_holds(slots: int, p: Fraction, tokens: int) -> bool:
    """Pr(O_1 + ... + O_N > tokens) <= exp(-N I(r)), r = tokens/N - 1 above the mean (1 - p)/p of O_i - 1; with z = r/
    ((1 - p)(1 + r)) the right side is the rational z^{-N r} (p/(1 - (1 - p) z))^N (eb.prop-3.3.rate)."""
    r = Fraction(tokens - slots, slots)
    if r <= (1 - p) / p:
        return True
    z = r / ((1 - p) * (1 + r))
    return _full_lengths(slots, p, tokens) <= z ** -(tokens - slots) * (p / (1 - (1 - p) * z)) ** slots


def _full_lengths(slots: int, p: Fraction, tokens: int) -> Fraction:
    """Pr(O_1 + ... + O_N > tokens); O_i - 1 is geometric on 0, 1, ..."""
    return 1 - geometric_sum(slots, p, tokens - slots)[-1] if tokens >= slots else Fraction(1)


@every("(p0, eta) in {(1/4, 1/10), (1/10, 3/10), (1/2, 1/10)}; (N, k, L) in {(2, 1, 0), (2, 1, 3), (2, 2, 1), (3, 2, "
       "1), (4, 3, 0)}; 6 capacities C from N (L + 1) on; M geometric", EXACT)
def domination_ifr_run() -> Iterator[Case]:
    """The same bound under h(t) = p0 + eta t."""
    for p, eta in ((Fraction(1, 4), Fraction(1, 10)), (Fraction(1, 10), Fraction(3, 10)), (HALF, Fraction(1, 10))):
        for slots, k, prompt in ((2, 1, 0), (2, 1, 3), (2, 2, 1), (3, 2, 1), (4, 3, 0)):
            phase = decode_phase(slots, k, p).iterations
            for capacity in range(slots * (prompt + 1), slots * (prompt + 1) + 6):
                tail = machine(slots, k, increasing(p, eta), prompt, capacity).exceeds(prompt, capacity, ends=False)
                bad = tail > phase * _full_lengths(slots, p, capacity - slots * prompt)
                yield {"p0": p, "eta": eta, "N": slots, "k": k, "L": prompt, "C": capacity} if bad else None


# ---- Section 3.3: increasing hazard rates ----

def conservative_run() -> Outcome:
    """Is (6), at the intercept p0 of an increasing hazard rate (Section 3.4), safe?"""
    p, eta, theta, eps, prompt = HALF, Fraction(1, 20), HALF, Fraction(1, 100), 100
    capacity = capacity_for(2, eps, theta, p, Fraction(prompt))
    size = batch_size(Fraction(capacity), eps, theta, p, Fraction(prompt))
    tail = machine(size, 1, increasing(p, eta), prompt, capacity).exceeds(prompt, capacity, ends=True)
    return shown(size == 2 and tail > eps, {
        "h(t)": "1/2 + t/20", "L": "100 for every request", "theta0": theta, "eps": eps, "C": capacity,
        "N* of (6)": size, "k": 1, "Pr(X_max(1, 2) > C)": f"{float(tail):.6f}"}, EXACT)


def same_mean() -> tuple[Machine, Machine, Fraction]:
    """Section 3.1's machine with N = 2, k = 1 under h(t) = 1/10 + 9t/20 and under the constant rate of equal mean."""
    p, eta = Fraction(1, 10), Fraction(9, 20)
    mean = 1 + (1 - p - eta)  # the second token completes
    return Machine(2, 1, increasing(p, eta), 8), Machine(2, 1, constant(1 / mean), 8), mean


def lower_peak_run() -> Outcome:
    """Is Pr(X_max > C) under an increasing hazard rate at most that under a constant one with the same mean?"""
    increasing_one, constant_one, mean = same_mean()
    tails = [m.exceeds(0, 2, ends=False) for m in (increasing_one, constant_one)]
    return found(shown(tails[0] > tails[1], {
        "N": 2, "k": 1, "L": 0, "C": 2, "h(t)": "1/10 + 9t/20", "mu_O": mean,
        "Pr(X_max > C), increasing": f"{float(tails[0]):.6f}", "Pr(X_max > C), constant": f"{float(tails[1]):.6f}"},
        EXACT))


@every("(p0, eta) in {(1/10, 9/20), (1/10, 3/10), (1/4, 1/2)}; (N, k) in {(2, 1), (3, 1), (3, 2)}; L = 0; 7 capacities "
       "from N on, Pr(X_max > C) <= 1/4 at the constant rate of equal mean", EXACT)
def rare_peak_run() -> Iterator[Case]:
    """The same where the constant rate's probability is at most 1/4, for k < N."""
    for p, eta in ((Fraction(1, 10), Fraction(9, 20)), (Fraction(1, 10), Fraction(3, 10)), (Fraction(1, 4), HALF)):
        rate = 1 / _mean(p, eta)
        for slots, k in ((2, 1), (3, 1), (3, 2)):
            for capacity in range(slots, slots + 7):
                tails = [machine(slots, k, h, 0, capacity).exceeds(0, capacity, ends=False)
                         for h in (increasing(p, eta), constant(rate))]
                if tails[1] <= Fraction(1, 4):
                    yield {"p0": p, "eta": eta, "N": slots, "k": k, "C": capacity} if tails[0] > tails[1] else None


def _mean(p: Fraction, eta: Fraction) -> Fraction:
    mean, alive, t = Fraction(0), Fraction(1), 1
    while alive:
        mean, alive, t = mean + alive, alive * (1 - min(p + eta * t, Fraction(1))), t + 1
    return mean


# ---- Appendix D ----

@every("p0 in {1/10, 1/2, 9/10}; (N, k) in {(2, 1), (3, 1), (3, 2), (4, 3)}", EXACT)
def new_requests_run() -> Iterator[Case]:
    """At least k new requests start a phase, and more with positive probability where k < N."""
    for p in (Fraction(1, 10), HALF, Fraction(9, 10)):
        for slots, k in ((2, 1), (3, 1), (3, 2), (4, 3)):
            fresh = [batch.count(0) for batch in Machine(slots, k, constant(p), 2).starts]
            yield None if min(fresh) == k < max(fresh) else {"p0": p, "N": slots, "k": k}


@every("p0 in {1/10, 1/2, 9/10}, N in {2, 3, 6}, k < N", EXACT)
def ages_run() -> Iterator[Case]:
    """The law of the age in the machine: a share phi of the requests is new at each start, the rest one phase older."""
    for p, slots in product((Fraction(1, 10), HALF, Fraction(9, 10)), (2, 3, 6)):
        for k in range(1, slots):
            phi = decode_phase(slots, k, p).idle / slots
            # a request that is one of N active completes in the phase with probability phi, whatever its age
            good = Fraction(k, slots) < phi <= 1 and phi == _share_completing(slots, k, p)
            yield None if good else {"p0": p, "N": slots, "k": k, "phi": phi}


def _share_completing(slots: int, k: int, p: Fraction) -> Fraction:
    """Pr(a given request completes in a phase): it is followed through the chain of the other N - 1."""
    value: dict[int, Fraction] = {}  # others active -> the probability from there
    for others in range(slots):
        done, stay = p, Fraction(0)
        for d in range(others + 1):
            q = (1 - p) * comb(others, d) * p**d * (1 - p) ** (others - d)
            if slots - 1 - (others - d) >= k:
                continue
            if d == 0:
                stay = q
            else:
                done += q * value[others - d]
        value[others] = done / (1 - stay)
    return value[slots - 1]


def requirement_run() -> Outcome:
    """Does Pr(sup Y_t > C - E[X_0]) <= eps give Pr(X_max > C) <= eps?

    N = 2, k = 1, p0 = 1/2: X_0 = 2 L + S, sup Y = 2 J, independent; Pr(S = 0) = 1/3, Pr(S = s) = (2/3) 2^-s, Pr(J >= j)
    = 4^-j, so that E[X_0] = 2 L + 4/3; at C = 2 L + 4 and eps = 1/16.  The machine, which counts tokens up to 20, has
    the law of S below that.
    """
    prompt, capacity, eps, cap, mean = 1, 6, Fraction(1, 16), 20, Fraction(10, 3)
    law = {sum(batch): q for batch, q in Machine(2, 1, constant(HALF), cap).starts.items()}
    as_said = law[0] == Fraction(1, 3) and all(law[s] == Fraction(2, 3) / 2**s for s in range(1, cap))
    excess = Fraction(1, 4) ** int((capacity - mean) // 2 + 1)
    tail = machine(2, 1, constant(HALF), prompt, capacity).exceeds(prompt, capacity, ends=True)
    return shown(as_said and excess <= eps < tail, {
        "N": 2, "k": 1, "p0": "1/2", "L": prompt, "C": capacity, "eps": eps, "E[X_0]": mean,
        "Pr(sup Y_t > C - E[X_0])": excess, "Pr(X_max > C)": tail}, EXACT)


@every("p0 in {1/4, 1/2}, (N, k) in {(2, 1), (3, 2)}, C in {2, ..., 6}, a in {0, ..., C}", EXACT)
def union_run() -> Iterator[Case]:
    """Pr(X_0 + sup Y > C) <= Pr(X_0 > a) + Pr(sup Y > C - a), in the machine; of the starts with X_0 > a the second
    term is left out, which makes the bound sharper."""
    for p in (Fraction(1, 4), HALF):
        for slots, k in ((2, 1), (3, 2)):
            for capacity in range(2, 7):
                found = machine(slots, k, constant(p), 0, capacity)
                tail = found.exceeds(0, capacity, ends=True)
                for a in range(capacity + 1):
                    start = sum(q for batch, q in found.starts.items() if sum(batch) > a)
                    rise = sum(q * found.exceeds(0, sum(batch) + capacity - a, ends=True, law={batch: Fraction(1)})
                               for batch, q in found.starts.items() if sum(batch) <= a)
                    yield {"p0": p, "N": slots, "k": k, "C": capacity, "a": a} if tail > start + rise else None


@every("two requests, outputs of 1 to 4 tokens, prompts of 1 or 3", "replay of every path")
def sawtooth_run() -> Iterator[Case]:
    """Every path of two requests over four iterations, replayed token by token."""
    for lengths, prompts in product(product((1, 2, 3, 4), repeat=2), product((1, 3), repeat=2)):
        held, path, good = list(prompts), [], True
        for t in range(1, 5):
            active = [i for i in (0, 1) if lengths[i] >= t]
            before = sum(held)
            for i in active:
                held[i] += 1
            peak = sum(held)
            for i in (i for i in active if lengths[i] == t):
                good = good and held[i] == prompts[i] + lengths[i]
                held[i] = 0
            good = good and peak - before == len(active) and (t not in lengths or sum(held) < peak)
            path += [before, peak, sum(held)]
        good = good and all((max(path) <= c) == (max(path[1::3]) <= c) for c in range(max(path) + 2))
        yield None if good else {"lengths": lengths, "prompts": prompts, "trace": path}


# ---- (22): the supremum of a random walk ----

def supremum_mean_run() -> Outcome:
    """E[sup] = v/(2|d|)?  The walk with steps +1 (1/4) and -1 (3/4): sup >= m with probability 3^-m."""
    up, down = Fraction(1, 4), Fraction(3, 4)
    ratio = up / down  # Pr(sup >= 1) = r solves r = up + down r^2; of its roots 1 and up/down the second, as d < 0
    drift, variance = up - down, 1 - (up - down) ** 2
    mean, printed = ratio / (1 - ratio), variance / (2 * -drift)
    return shown(ratio == up + down * ratio**2 and drift < 0 and mean != printed, {
        "steps": "+1 with probability 1/4, -1 with probability 3/4", "d": drift, "v": variance, "E[sup]": mean,
        "v/(2|d|)": printed}, "gambler's ruin, exactly")


def supremum_tail_run() -> Outcome:
    """Pr(sup > x) <= exp(-2|d|x/v)?  The same walk."""
    x, drift, variance = Fraction(5), Fraction(-1, 2), Fraction(3, 4)
    tail = Fraction(1, 3) ** int(x + 1)  # sup > 5 means sup >= 6
    printed = exp_bounds(-2 * -drift * x / variance, BITS)[1]
    return shown(tail > printed, {
        "steps": "+1 with probability 1/4, -1 with probability 3/4", "x": x, "Pr(sup > x)": f"{float(tail):.6f}",
        "exp(-2|d|x/v)": f"{float(printed):.6f}"}, "gambler's ruin, exactly, and an enclosure of exp")


@every("steps 1 and -1 (1/4, 3/4), 2 and -1 (1/5, 4/5), D.3 with N in {1, 2}, L = 2, O <= 12 (p0 = 1/2, longer outputs "
       "counted as 12); a z each; 10 steps, x in {0, ..., 3}", "exact enumeration")
def lundberg_run() -> Iterator[Case]:
    """Pr(max_{t <= T} S_t > x) <= z^x when E[z^{-step}] <= 1: walks of three steps, and the increments of D.3."""
    for steps, z in _walks():
        if not (0 < z < 1 and sum(steps.values()) == 1 and sum(q * z**-s for s, q in steps.items()) <= 1):
            yield Undecided("a walk without an exponent")
        chances = [(s, exact(q)) for s, q in steps.items()]
        for x in range(4):
            paths, above = {0: fmpq(1)}, NONE
            for _ in range(10):
                later: dict[int, fmpq] = {}
                for at, weight in paths.items():
                    for s, q in chances:
                        if at + s > x:
                            above += weight * q
                        else:
                            later[at + s] = later.get(at + s, NONE) + weight * q
                paths = later
            yield {"steps": steps, "x": x, "z": z} if plain(above) > z**x else None


def _walks() -> Iterator[tuple[dict[int, Fraction], Fraction]]:
    """Steps with their law, and a z just above the root of E[z^{-step}] = 1 in (0, 1)."""
    yield {1: Fraction(1, 4), -1: Fraction(3, 4)}, Fraction(1, 3)
    two = {2: Fraction(1, 5), -1: Fraction(4, 5)}
    yield two, _root(two)
    one = {1: HALF}  # of one request: +1, or 1 - 2 - O
    for o in range(1, 13):
        one[-1 - o] = HALF * (HALF**o if o < 12 else HALF**11)
    yield one, _root(one)
    pair: dict[int, Fraction] = {}
    for (a, q), (b, r) in product(one.items(), repeat=2):
        pair[a + b] = pair.get(a + b, Fraction(0)) + q * r
    yield pair, _root(one)


def _root(steps: dict[int, Fraction]) -> Fraction:
    """By bisection below 1: E[z^{-step}] is convex in ln z, below 1 between the root and 1."""
    low, high = Fraction(1, 100), Fraction(99, 100)
    while sum(q * high**-s for s, q in steps.items()) > 1:
        high = (1 + high) / 2
    for _ in range(12):
        middle = (low + high) / 2
        if sum(q * middle**-s for s, q in steps.items()) > 1:
            low = middle
        else:
            high = middle
    return Fraction(int(high * 10**6) + 1, 10**6)
