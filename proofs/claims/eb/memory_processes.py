"""Verdicts on the memory of the process itself, each computed from the literal machine of `memory_chain`."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb

from flint import fmpq

from qtheory.proofs.kernel.balls import exp_bounds, log_bounds

from .chain import BITS, Interval, decode_phase
from .memory_chain import NONE, Machine, constant, exact, geometric_sum, increasing, machine, one_slot_tail, plain
from .processes import Verdict, verdict

HALF = Fraction(1, 2)
EXACT = "exact enumeration of the machine of Section 3.1"
DOMINATED = ("Pr(X_max > C) <= E[M] Pr((L_1 + O_1) + ... + (L_N + O_N) > C) for the peak X_max of a decode phase in "
             "steady state, M its number of iterations, O_i iid geometric with p0")
DOMINATED_IFR = DOMINATED + ", whenever the hazard rate is at least p0"
LUNDBERG = "Pr(sup Y_t > x) <= z^x for each z in (0, 1) with E[z^{-DX}] <= 1"
AGES = "Pr(A = a) = phi (1 - phi)^{a-1} with phi = E[idle slots at the end of a phase]/N, in the machine of Section 3.1"
NEW = "a decode phase starts with I >= k new and N - I continuing requests, and I > k with positive probability"
UNION = "Pr(X_0 + sup Y_t > C) <= Pr(X_0 > a) + Pr(sup Y_t > C - a) for every a"
SAWTOOTH = ("each iteration adds one token for each active request; completions take away L + O each; no more than C "
            "is ever held exactly if the largest value before the releases is at most C")


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

def batch_size_judge() -> Verdict:
    """Is N* of (6) the largest batch size with Pr(X_max > C) <= eps?  Neither part: it is unsafe, and not the largest.

    LongBench of Table 9 (mu_L = 2492, mu_O = 11; prompts of that length all) at k = 1, where the law is explicit.
    """
    eps, p, prompt, slots = Fraction(1, 100), Fraction(1, 11), Fraction(2492), 16
    theta = Fraction(1, slots)
    capacity = capacity_for(slots, eps, theta, p, prompt)
    size = batch_size(Fraction(capacity), eps, theta, p, prompt)
    tail = one_slot_tail(size, p, int(capacity - size * prompt))
    if not (theta * size // 1 == 1 and tail > eps):
        return verdict("unknown", EXACT)
    small, larger = _smaller_than_allowed(eps)
    return verdict(
        "refuted", EXACT, counterexample={
            "p0": str(p), "L": "2492 for every request", "theta0": str(theta), "eps": str(eps), "C": str(capacity),
            "N* of (6)": str(size), "k": "1", "Pr(X_max(1, N*) > C)": f"{float(tail):.6f}"},
        **{"nor is N* the largest": f"at p0 = 1/64, L = 1 (Table 10), theta0 = 1/16, C = {small} it is 16, while N = "
                                    f"{larger} outgrows C with probability below 10^-30"})


def _smaller_than_allowed(eps: Fraction) -> tuple[int, int]:
    """A capacity at which (6) gives 16 although 17 is safe: mu_L = 1, mu_O = 64 as in Table 10, k = 1."""
    p, theta, slots = Fraction(1, 64), Fraction(1, 16), 17
    capacity = capacity_for(16, eps, theta, p, Fraction(1))
    assert batch_size(Fraction(capacity), eps, theta, p, Fraction(1)) == 16 and theta * slots // 1 == 1
    # X_max = N L + sum G + N M given that some G is 0; Markov's inequality for z^{X_max}
    z, alive = Fraction(201, 200), (1 - p) ** slots
    tokens = (p / (1 - (1 - p) * z)) ** slots / (1 - alive)
    iterations = (1 - alive) * z**slots / (1 - alive * z**slots)
    assert (1 - p) * z < 1 and alive * z**slots < 1
    assert tokens * iterations < Fraction(1, 10**30) * z ** (capacity - slots)
    return capacity, slots


def domination_judge() -> Verdict:
    """The bound that replaces (6): memory during an iteration is dominated by that of N requests of full length."""
    cases = 0
    for p in (Fraction(1, 4), HALF):
        for slots, k, prompt in ((1, 1, 2), (2, 1, 0), (2, 1, 3), (2, 2, 3), (3, 2, 1), (3, 3, 1), (4, 3, 0)):
            phase = decode_phase(slots, k, p).iterations
            for capacity in range(slots * (prompt + 1), slots * (prompt + 1) + 6):
                exact = machine(slots, k, constant(p), prompt, capacity).exceeds(prompt, capacity, ends=False)
                tokens = capacity - slots * prompt
                if exact > phase * _full_lengths(slots, p, tokens) or not _chernoff_holds(slots, p, tokens):
                    return verdict("refuted", EXACT, statement=DOMINATED, counterexample={
                        "p0": str(p), "N": str(slots), "k": str(k), "L": str(prompt), "C": str(capacity)})
                cases += 1
    return verdict("checked", EXACT, statement=DOMINATED, cases=cases,
                   bound="p0 in {1/4, 1/2}; (N, k, L) in {(1, 1, 2), (2, 1, 0), (2, 1, 3), (2, 2, 3), (3, 2, 1), "
                         "(3, 3, 1), (4, 3, 0)}; 6 capacities C from N (L + 1) on")


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


def domination_ifr_judge() -> Verdict:
    """The same bound under h(t) = p0 + eta t."""
    cases = 0
    for p, eta in ((Fraction(1, 4), Fraction(1, 10)), (Fraction(1, 10), Fraction(3, 10)), (HALF, Fraction(1, 10))):
        for slots, k, prompt in ((2, 1, 0), (2, 1, 3), (2, 2, 1), (3, 2, 1), (4, 3, 0)):
            phase = decode_phase(slots, k, p).iterations
            for capacity in range(slots * (prompt + 1), slots * (prompt + 1) + 6):
                exact = machine(slots, k, increasing(p, eta), prompt, capacity).exceeds(prompt, capacity, ends=False)
                if exact > phase * _full_lengths(slots, p, capacity - slots * prompt):
                    return verdict("refuted", EXACT, statement=DOMINATED_IFR, counterexample={
                        "p0": str(p), "eta": str(eta), "N": str(slots), "k": str(k), "C": str(capacity)})
                cases += 1
    return verdict("checked", EXACT, statement=DOMINATED_IFR, cases=cases,
                   bound="(p0, eta) in {(1/4, 1/10), (1/10, 3/10), (1/2, 1/10)}; (N, k, L) in {(2, 1, 0), (2, 1, 3), "
                         "(2, 2, 1), (3, 2, 1), (4, 3, 0)}; 6 capacities C from N (L + 1) on; M geometric")


# ---- Section 3.3: increasing hazard rates ----

def conservative_judge() -> Verdict:
    """Is (6), at the intercept p0 of an increasing hazard rate (Section 3.4), safe?"""
    p, eta, theta, eps, prompt = HALF, Fraction(1, 20), HALF, Fraction(1, 100), 100
    capacity = capacity_for(2, eps, theta, p, Fraction(prompt))
    size = batch_size(Fraction(capacity), eps, theta, p, Fraction(prompt))
    tail = machine(size, 1, increasing(p, eta), prompt, capacity).exceeds(prompt, capacity, ends=True)
    if size != 2 or tail <= eps:
        return verdict("unknown", EXACT)
    return verdict("refuted", EXACT, counterexample={
        "h(t)": "1/2 + t/20", "L": "100 for every request", "theta0": "1/2", "eps": "1/100", "C": str(capacity),
        "N* of (6)": "2", "k": "1", "Pr(X_max(1, 2) > C)": f"{float(tail):.6f}"})


def same_mean() -> tuple[Machine, Machine, Fraction]:
    """Section 3.1's machine with N = 2, k = 1 under h(t) = 1/10 + 9t/20 and under the constant rate of equal mean."""
    p, eta = Fraction(1, 10), Fraction(9, 20)
    mean = 1 + (1 - p - eta)  # the second token completes
    return Machine(2, 1, increasing(p, eta), 8), Machine(2, 1, constant(1 / mean), 8), mean


def lower_peak_judge() -> Verdict:
    """Is Pr(X_max > C) under an increasing hazard rate at most that under a constant one with the same mean?"""
    increasing_one, constant_one, mean = same_mean()
    tails = [m.exceeds(0, 2, ends=False) for m in (increasing_one, constant_one)]
    if tails[0] <= tails[1]:
        return verdict("unknown", EXACT)
    return verdict("refuted", EXACT, counterexample={
        "N": "2", "k": "1", "L": "0", "C": "2", "h(t)": "1/10 + 9t/20", "mu_O": str(mean),
        "Pr(X_max > C), increasing": f"{float(tails[0]):.6f}", "Pr(X_max > C), constant": f"{float(tails[1]):.6f}"})


def rare_peak_judge() -> Verdict:
    """The same where the constant rate's probability is at most 1/4, for k < N."""
    cases = 0
    for p, eta in ((Fraction(1, 10), Fraction(9, 20)), (Fraction(1, 10), Fraction(3, 10)), (Fraction(1, 4), HALF)):
        rate = 1 / _mean(p, eta)
        for slots, k in ((2, 1), (3, 1), (3, 2)):
            for capacity in range(slots, slots + 7):
                tails = [machine(slots, k, h, 0, capacity).exceeds(0, capacity, ends=False)
                         for h in (increasing(p, eta), constant(rate))]
                if tails[1] <= Fraction(1, 4):
                    if tails[0] > tails[1]:
                        return verdict("refuted", EXACT, counterexample={
                            "p0": str(p), "eta": str(eta), "N": str(slots), "k": str(k), "C": str(capacity)})
                    cases += 1
    return verdict("checked", EXACT, cases=cases, bound="(p0, eta) in {(1/10, 9/20), (1/10, 3/10), (1/4, 1/2)}; (N, k) "
                   "in {(2, 1), (3, 1), (3, 2)}; L = 0; 7 capacities from N on, Pr(X_max > C) <= 1/4 at the constant "
                   "rate of equal mean")


def _mean(p: Fraction, eta: Fraction) -> Fraction:
    mean, alive, t = Fraction(0), Fraction(1), 1
    while alive:
        mean, alive, t = mean + alive, alive * (1 - min(p + eta * t, Fraction(1))), t + 1
    return mean


# ---- Appendix D ----

def start_judge() -> Verdict:
    """Does a decode phase start with exactly k new requests?"""
    p = HALF
    law = Machine(2, 1, constant(p), 3).starts
    both = law[(0, 0)]
    if not both > 0:
        return verdict("unknown", EXACT)
    return verdict("refuted", EXACT, counterexample={
        "N": "2", "k": "1", "p0": "1/2", "trace": "iteration 1: both requests complete; two slots are idle; the next "
        "full batch has 2 new requests and no continuing one", "Pr(2 new requests)": str(both)})


def new_requests_judge() -> Verdict:
    """At least k new requests start a phase, and more with positive probability where k < N."""
    cases = 0
    for p in (Fraction(1, 10), HALF, Fraction(9, 10)):
        for slots, k in ((2, 1), (3, 1), (3, 2), (4, 3)):
            fresh = [batch.count(0) for batch in Machine(slots, k, constant(p), 2).starts]
            if min(fresh) != k or max(fresh) <= k:
                return verdict("refuted", EXACT, statement=NEW, counterexample={"N": str(slots), "k": str(k)})
            cases += 1
    return verdict("checked", EXACT, statement=NEW, cases=cases,
                   bound="p0 in {1/10, 1/2, 9/10}; (N, k) in {(2, 1), (3, 1), (3, 2), (4, 3)}")


def ages_judge() -> Verdict:
    """The law of the age in the machine: a share phi of the requests is new at each start, the rest one phase older."""
    cases = 0
    for p in (Fraction(1, 10), HALF, Fraction(9, 10)):
        for slots in (2, 3, 6):
            for k in range(1, slots):
                phi = decode_phase(slots, k, p).idle / slots
                # a request that is one of N active completes in the phase with probability phi, whatever its age
                if not Fraction(k, slots) < phi <= 1 or phi != _share_completing(slots, k, p):
                    return verdict("refuted", EXACT, statement=AGES, counterexample={"N": str(slots), "k": str(k)})
                cases += 1
    return verdict("checked", EXACT, statement=AGES, cases=cases,
                   bound="p0 in {1/10, 1/2, 9/10}, N in {2, 3, 6}, k < N")


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


def requirement_judge() -> Verdict:
    """Does Pr(sup Y_t > C - E[X_0]) <= eps give Pr(X_max > C) <= eps?

    N = 2, k = 1, p0 = 1/2: X_0 = 2 L + S, sup Y = 2 J, independent; Pr(S = 0) = 1/3, Pr(S = s) = (2/3) 2^-s, Pr(J >= j)
    = 4^-j, so that E[X_0] = 2 L + 4/3; at C = 2 L + 4 and eps = 1/16.
    """
    prompt, capacity, eps = 0, 4, Fraction(1, 16)
    found = machine(2, 1, constant(HALF), prompt, capacity)
    law = Machine(2, 1, constant(HALF), 20).starts
    mean = sum(q * sum(batch) for batch, q in law.items())  # tokens counted up to 20
    excess = Fraction(1, 4) ** int((capacity - mean) // 2 + 1)
    tail = found.exceeds(prompt, capacity, ends=True)
    if not (abs(mean - Fraction(4, 3)) < Fraction(1, 10**4) and excess <= eps < tail):
        return verdict("unknown", EXACT)
    return verdict("refuted", EXACT, counterexample={
        "N": "2", "k": "1", "p0": "1/2", "L": "0", "C": "4", "eps": "1/16", "E[X_0]": "4/3",
        "Pr(sup Y_t > C - E[X_0])": str(excess), "Pr(X_max > C)": str(tail)})


def union_judge() -> Verdict:
    """Pr(X_0 + sup Y > C) <= Pr(X_0 > a) + Pr(sup Y > C - a), in the machine."""
    cases = 0
    for p in (Fraction(1, 4), HALF):
        for slots, k in ((2, 1), (3, 2)):
            for capacity in range(2, 7):
                found = machine(slots, k, constant(p), 0, capacity)
                tail = found.exceeds(0, capacity, ends=True)
                for a in range(capacity + 1):
                    start = sum(q for batch, q in found.starts.items() if sum(batch) > a)
                    rise = sum(q * found.exceeds(0, sum(batch) + capacity - a, ends=True, law={batch: Fraction(1)})
                               for batch, q in found.starts.items() if sum(batch) <= a)
                    if tail > start + rise:
                        return verdict("refuted", EXACT, statement=UNION, counterexample={"C": str(capacity)})
                    cases += 1
    return verdict("checked", EXACT, statement=UNION, cases=cases,
                   bound="p0 in {1/4, 1/2}, (N, k) in {(2, 1), (3, 2)}, C in {2, ..., 6}, a in {0, ..., C}")


def guarantee_judge() -> Verdict:
    """Under the model's own assumptions: a walk from E[X_0] with iid increments DX of D.3 at n = N.

    With probability (1 - p0)^N nobody completes in the first iteration and the memory rises by N, above the room that
    (6) leaves.
    """
    p, prompt, slots, eps = Fraction(1, 11), Fraction(2492), 16, Fraction(1, 100)
    theta = Fraction(1, slots)
    capacity = capacity_for(slots, eps, theta, p, prompt)
    room = capacity - slots * mean_start(theta, p, prompt)[0]
    if not (batch_size(Fraction(capacity), eps, theta, p, prompt) == slots and slots > room and (1 - p) ** slots > eps):
        return verdict("unknown", "the first step of the walk")
    return verdict("refuted", "the first step of the walk", counterexample={
        "p0": str(p), "mu_L": "2492", "theta0": str(theta), "eps": str(eps), "C": str(capacity), "N = N*": str(slots),
        "C - E[X_0]": f"{float(room):.4f}", "Pr(DX = N)": f"{float((1 - p) ** slots):.6f}"})


def sawtooth_judge() -> Verdict:
    """Every path of two requests over four iterations, replayed token by token."""
    cases = 0
    for lengths in product((1, 2, 3, 4), repeat=2):
        for prompts in product((1, 3), repeat=2):
            held, path = list(prompts), []
            for t in range(1, 5):
                active = [i for i in (0, 1) if lengths[i] >= t]
                before = sum(held)
                for i in active:
                    held[i] += 1
                peak = sum(held)
                done = [i for i in active if lengths[i] == t]
                for i in done:
                    assert held[i] == prompts[i] + lengths[i]
                    held[i] = 0
                if peak - before != len(active) or (done and sum(held) >= peak):
                    return verdict("refuted", "replay", counterexample={"lengths": str(lengths)})
                path += [before, peak, sum(held)]
            peaks = path[1::3]
            for capacity in range(max(path) + 2):
                if (max(path) <= capacity) != (max(peaks) <= capacity):
                    return verdict("refuted", "replay", counterexample={"lengths": str(lengths), "C": str(capacity)})
            cases += 1
    return verdict("checked", "replay of every path", statement=SAWTOOTH, cases=cases,
                   bound="two requests, outputs of 1 to 4 tokens, prompts of 1 or 3")


# ---- (22): the supremum of a random walk ----

def supremum_mean_judge() -> Verdict:
    """E[sup] = v/(2|d|)?  The walk with steps +1 (1/4) and -1 (3/4): sup >= m with probability 3^-m."""
    up, down = Fraction(1, 4), Fraction(3, 4)
    ratio = up / down  # Pr(sup >= 1) = r solves r = up + down r^2; of its roots 1 and up/down the second, as d < 0
    assert ratio == up + down * ratio**2
    drift, variance = up - down, 1 - (up - down) ** 2
    mean, printed = ratio / (1 - ratio), variance / (2 * -drift)
    if mean == printed:
        return verdict("unknown", "gambler's ruin")
    return verdict("refuted", "gambler's ruin, exactly", counterexample={
        "steps": "+1 with probability 1/4, -1 with probability 3/4", "d": str(drift), "v": str(variance),
        "E[sup]": str(mean), "v/(2|d|)": str(printed)})


def supremum_tail_judge() -> Verdict:
    """Pr(sup > x) <= exp(-2|d|x/v)?  The same walk."""
    x, drift, variance = Fraction(5), Fraction(-1, 2), Fraction(3, 4)
    tail = Fraction(1, 3) ** int(x + 1)  # sup > 5 means sup >= 6
    printed = exp_bounds(-2 * -drift * x / variance, BITS)[1]
    if tail <= printed:
        return verdict("unknown", "gambler's ruin")
    return verdict("refuted", "gambler's ruin, exactly, and an enclosure of exp", counterexample={
        "steps": "+1 with probability 1/4, -1 with probability 3/4", "x": str(x), "Pr(sup > x)": f"{float(tail):.6f}",
        "exp(-2|d|x/v)": f"{float(printed):.6f}"})


def lundberg_judge() -> Verdict:
    """Pr(max_{t <= T} S_t > x) <= z^x when E[z^{-step}] <= 1: walks of three steps, and the increments of D.3."""
    cases = 0
    for steps, z in _walks():
        if sum(q * z**-s for s, q in steps.items()) > 1:
            return verdict("unknown", "exact enumeration")
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
            if plain(above) > z**x:
                return verdict("refuted", "exact enumeration", statement=LUNDBERG, counterexample={"x": str(x)})
            cases += 1
    return verdict("checked", "exact enumeration", statement=LUNDBERG, cases=cases,
                   bound="steps 1 and -1 (1/4, 3/4), 2 and -1 (1/5, 4/5), D.3 with N in {1, 2}, L = 2, O <= 12 (p0 = "
                         "1/2, longer outputs counted as 12); 10 steps, x in {0, ..., 3}")


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
