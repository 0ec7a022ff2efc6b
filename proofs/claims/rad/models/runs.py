"""What the printed schedulers do on small inputs, and on the inputs that show where they stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import product

from qtheory.proofs.claims.cases import Case, every, found, shown
from qtheory.proofs.claims.outcomes import Outcome
from qtheory.proofs.claims.replay import LINES, Gpu, Request, at, broken, inputs, replayed

from .schedulers import Slai, another, another_by_its_text, distserve, rad, rad_by_its_text, request_level, sarathi
from .tiles import Node

SMALL: dict[str, Sequence[int]] = {"prompts": (1, 2, 3), "outputs": (1, 2), "arrivals": (0, 1, 4)}
BOUND = "up to {most} requests, L^P in {{1, 2, 3}}, L^D in {{1, 2}}, arrivals at 0, 1 and 4"
CORRECTED = "replay of the corrected lines"


def started(gpu: Gpu) -> list[str]:
    """The requests in the order of their first prefill iterations."""
    return [i[3:i.index(",")] for batch in gpu.batches for i in batch if i.startswith("PI") and ", 1, " in i]


def most_in_a_row(gpu: Gpu) -> int:
    """The most requests whose prefill starts without a decode iteration in between."""
    most = now = 0
    for batch in gpu.batches:
        now = 0 if batch[0].startswith("DI") else now + (", 1, " in batch[0])
        most = max(most, now)
    return most


def path(gpu: Gpu) -> str:
    return "; ".join(" + ".join(b) for b in gpu.batches)


# ---- Algorithm 1 ----


def rad_run() -> Outcome:
    """Line 13 with i = 1: of a prompt that is a multiple of t_lcm (Assumption 3) the last token is never computed."""
    return replayed([Request("R1", 4, 1)], lambda gpu: rad(gpu, 2, 2, 2), n=2, t_col=2, t_lcm=2)


@every(BOUND.format(most=2) + ", n in {1, 2, 3}, t_col and t_lcm in {1, 2}", LINES)
def rad_corrected_run() -> Iterator[Case]:
    for n, t_col, t_lcm in product((1, 2, 3), (1, 2), (1, 2)):
        for one, two in zip(inputs(**SMALL, most=2), inputs(**SMALL, most=2), strict=True):
            gpu, text = Gpu(one), Gpu(two)
            why = (broken(gpu, one, partial(rad, n=n, t_col=t_col, t_lcm=t_lcm, count=1))
                   or broken(text, two, partial(rad_by_its_text, n=n, t_col=t_col, t_lcm=t_lcm)))
            if gpu.batches != text.batches:
                why = why or f"{gpu.batches} against the text's {text.batches}"
            if max(map(len, gpu.batches), default=0) > t_col or started(gpu) != [str(r) for r in one]:
                why = why or str(gpu.batches)
            yield at(one, why, n=n, t_col=t_col, t_lcm=t_lcm) if why else None


def empty_output_run() -> Outcome:
    """L^D = 0: the last prefill iteration samples the stop token, and line 7 has the request decode on."""
    return found(replayed([Request("R1", 2, 0)], lambda gpu: rad(gpu, 2, 2, 2, count=1), n=2, t_col=2, t_lcm=2))


@every("up to 2 requests, L^P in {1, 2}, L^D in {0, 1, 2}, arrivals at 0, 1 and 4, n in {1, 2, 3}, t_col in {1, 2}",
       LINES)
def empty_output_corrected_run() -> Iterator[Case]:
    for n, t_col in product((1, 2, 3), (1, 2)):
        for requests in inputs((1, 2), (0, 1, 2), SMALL["arrivals"], most=2):
            gpu = Gpu(requests)
            why = broken(gpu, requests, partial(rad, n=n, t_col=t_col, t_lcm=2, count=1, leaves=True))
            if () in gpu.batches or max(map(len, gpu.batches)) > t_col or started(gpu) != [str(r) for r in requests]:
                why = why or str(gpu.batches)
            yield at(requests, why, n=n, t_col=t_col) if why else None


def early_end_run() -> Outcome:
    """t*_col = 128, outputs of one length: the first 128 requests stop together, and D is empty. n is what Theorem 2
    asks for with epsilon = 9/10."""
    node, n, t_col = Node(), 20_000, 128
    slack = (t_col - 1)*node.worst(256, 1)/(Fraction(9, 10)*node.effective(256, 1))
    gpu = Gpu([Request(f"R{j}", 256, 1) for j in range(1, n + 1)])
    rad(gpu, n, t_col, 256, count=1)
    first = next(m for m, batch in enumerate(gpu.batches) if batch[0].startswith("DI"))
    prefilled = len({i for batch in gpu.batches[:first] for i in batch})
    return shown(len(gpu.batches[first]) == prefilled < n and n > slack, {
        "requests": f"{n}, all with L^P = 256, L^D = 1, pending at the start", "n": n, "t_col": t_col, "t_lcm": 256,
        "trace": f"n > {float(slack):.0f} at epsilon = 9/10; "
                 f"batches 1 to {first} prefill R1 to R{prefilled}; batch {first + 1} is their "
                 f"last decode iteration, D is empty, the cycle ends: {n - prefilled} are left"},
        "replay of Algorithm 1, line 13 as rad.alg-1.corrected has it")


# ---- Algorithm 2 ----


def another_run() -> Outcome:
    """Line 7 stops before the last prompt token."""
    return replayed([Request("R1", 4, 1)], lambda gpu: another(gpu, 2, 2, 2), n=2, t_col=2, t_lcm=2)


@every(BOUND.format(most=2) + ", n in {1, 2, 3}, t_col and t_lcm in {1, 2}", LINES)
def another_corrected_run() -> Iterator[Case]:
    for n, t_col, t_lcm in product((1, 2, 3), (1, 2), (1, 2)):
        for requests in inputs(**SMALL, most=2):
            gpu = Gpu(requests)
            why = broken(gpu, requests, partial(another, n=n, t_col=t_col, t_lcm=t_lcm, count=1))
            if (started(gpu) != [str(r) for r in requests] or max(map(len, gpu.batches), default=0) > t_col
                    or most_in_a_row(gpu) > n):
                why = why or str(gpu.batches)
            yield at(requests, why, n=n, t_col=t_col, t_lcm=t_lcm) if why else None


@every(BOUND.format(most=2) + ", n in {1, 2, 3}, t_col and t_lcm in {1, 2}", LINES)
def another_text_run() -> Iterator[Case]:
    """The text's cycles, batch by batch, against the corrected lines'."""
    for n, t_col, t_lcm in product((1, 2, 3), (1, 2), (1, 2)):
        for one, two in zip(inputs(**SMALL, most=2), inputs(**SMALL, most=2), strict=True):
            gpu, text = Gpu(one), Gpu(two)
            another(gpu, n, t_col, t_lcm, count=1)
            why = broken(text, two, partial(another_by_its_text, n=n, t_col=t_col, t_lcm=t_lcm))
            if gpu.batches != text.batches:
                why = why or f"{gpu.batches} against the text's {text.batches}"
            yield at(one, why, n=n, t_col=t_col, t_lcm=t_lcm) if why else None


def first_token_run() -> Outcome:
    """t_col = 1, two requests of two tokens: R2's prefill iteration samples its first, while R1 has yet to decode."""
    requests = [Request("R1", 1, 2), Request("R2", 1, 2)]
    gpu = Gpu(requests)
    another(gpu, 2, 1, 1, count=1)
    prefill, decode = gpu.batches.index(("PI(R2, 1, 1)",)), gpu.batches.index(("DI(R2)",))
    why = (f"{path(gpu)}: R2's first token comes with batch {prefill + 1}, its place in D_active with batch "
           f"{decode + 1}")
    return shown(prefill + 1 < decode, at(requests, why, n=2, t_col=1, t_lcm=1), CORRECTED)


def decoded_in_turn(gpu: Gpu, requests: Sequence[Request]) -> bool:
    """Is each request decoded as often as it has to be, in consecutive batches?"""
    places = {r: [m for m, b in enumerate(gpu.batches) if f"DI({r})" in b] for r in requests}
    return all(m and m == list(range(m[0], m[0] + r.output)) for r, m in places.items())


@every(BOUND.format(most=2) + ", n in {1, 2, 3}, t_col in {1, 2}, t_lcm = 2", LINES)
def consecutive_run() -> Iterator[Case]:
    for n, t_col in product((1, 2, 3), (1, 2)):
        for requests in inputs(**SMALL, most=2):
            gpu = Gpu(requests)
            why = broken(gpu, requests, partial(another, n=n, t_col=t_col, t_lcm=2, count=1))
            if not decoded_in_turn(gpu, requests):
                why = why or str(gpu.batches)
            yield at(requests, why, n=n, t_col=t_col) if why else None


# ---- Algorithm 3 ----


def request_level_run() -> Outcome:
    """Mode is Decode at line 2, and neither line 5 nor line 12 asks for it."""
    return replayed([Request("R1", 2, 1), Request("R2", 2, 2)], lambda gpu: request_level(gpu, 2), b=2)


@every(BOUND.format(most=3) + ", b in {1, 2, 3}", LINES)
def request_level_corrected_run() -> Iterator[Case]:
    for b in (1, 2, 3):
        for requests in inputs(**SMALL, most=3):
            gpu = Gpu(requests)
            why = broken(gpu, requests, partial(request_level, b=b, line_5="Decode")) or _mixes(gpu, requests, b)
            if started(gpu) != [str(r) for r in requests]:
                why = why or str(gpu.batches)
            yield at(requests, why, b=b) if why else None


def _mixes(gpu: Gpu, requests: Sequence[Request], b: int) -> str:
    """A prefill while an earlier group has yet to complete, or a group of more than b."""
    left: dict[str, int] = {}
    group, decoding = 0, False
    for batch in gpu.batches:
        if batch[0].startswith("PI"):
            if decoding and left:
                return f"a prefill while {', '.join(left)} decode: {gpu.batches}"
            group, decoding = (1 if decoding else group + 1), False
            name = batch[0][3:batch[0].index(",")]
            left[name] = next(r.output for r in requests if r.name == name)
            if group > b:
                return f"{group} in a group: {gpu.batches}"
            continue
        decoding = True
        if [i[3:-1] for i in batch] != list(left):
            return f"not all active requests decode: {gpu.batches}"
        left = {name: count - 1 for name, count in left.items() if count > 1}
    return ""


# ---- Algorithm 4 ----


def sarathi_run() -> Outcome:
    """A prompt shorter than the budget: the while of line 11 never sees the prompt's end."""
    return replayed([Request("R1", 2, 1)], lambda gpu: sarathi(gpu, 4), tau_budget=4)


def sarathi_counted_run() -> Outcome:
    """With L_j^P - i + 1 in line 12 as well."""
    return replayed([Request("R1", 2, 1)], lambda gpu: sarathi(gpu, 4, count=1), tau_budget=4)


SARATHI = ("with \"while tau < tau_budget and i <= L_j^P\" in line 11 and L_j^P - i + 1 in line 12, Algorithm 4 serves "
           "every request, loads at most the budget, every decode-phase request in each batch, and never leaves a "
           "prompt token and a free place in the same batch")


@every(BOUND.format(most=2) + ", a budget of 1 to 4", LINES)
def sarathi_corrected_run() -> Iterator[Case]:
    for budget in (1, 2, 3, 4):
        for requests in inputs(**SMALL, most=2):
            gpu = Gpu(requests)
            why = (broken(gpu, requests, partial(sarathi, budget=budget, count=1, ends=True))
                   or _wasteful(gpu, requests, budget))
            yield at(requests, why, tau_budget=budget) if why else None


def _wasteful(gpu: Gpu, requests: Sequence[Request], budget: int) -> str:
    """Replay the batches: who is in which phase follows from them, and each must hold what line 5 to 16 want."""
    left = {r.name: r.prompt for r in requests}
    decodes = {r.name: r.output for r in requests}
    clock = min(r.arrival for r in requests)
    for batch in gpu.batches:
        ready = [r for r in requests if left[r.name] == 0 and decodes[r.name] > 0]
        here = [r for r in requests if left[r.name] > 0 and r.arrival <= clock]
        if not ready and not here:
            clock = min(r.arrival for r in requests if left[r.name] > 0)
            here = [r for r in requests if left[r.name] > 0 and r.arrival <= clock]
        chunks = {i[3:i.index(",")]: int(i[i.rindex(",") + 1:-1]) for i in batch if i.startswith("PI")}
        tokens = sum(chunks.values()) + len(ready)
        if sorted(i[3:-1] for i in batch if i.startswith("DI")) != sorted(r.name for r in ready):
            return f"not every decode-phase request is in the batch: {gpu.batches}"
        if tokens != min(budget, len(ready) + sum(left[r.name] for r in here)):
            return f"{tokens} tokens in a batch: {gpu.batches}"
        for r in ready:
            decodes[r.name] -= 1
        for name, c in chunks.items():
            left[name] -= c
        clock += 1
    return ""


def below_run() -> Outcome:
    """Two prompts of one token fill a budget of two and decode together: as many as the budget, not fewer."""
    requests, most = [Request("R1", 1, 2), Request("R2", 1, 2)], [0]
    gpu = Gpu(requests)
    sarathi(gpu, 2, count=1, ends=True, most=most)
    return shown(most[0] >= 2, at(requests, f"{path(gpu)}: |D| = {most[0]}", tau_budget=2), CORRECTED)


@every("up to 3 requests, L^P in {1, 2}, L^D in {1, 3}, arrivals at 0 and 1, budget 1 to 3", LINES)
def at_most_run() -> Iterator[Case]:
    for budget in (1, 2, 3):
        for requests in inputs((1, 2), (1, 3), (0, 1), most=3):
            most = [0]
            why = broken(Gpu(requests), requests, partial(sarathi, budget=budget, count=1, ends=True, most=most))
            if most[0] > budget:
                why = why or f"|D| = {most[0]}"
            yield at(requests, why, tau_budget=budget) if why else None


# ---- Algorithm 5 ----


@every(BOUND.format(most=3), LINES)
def distserve_run() -> Iterator[Case]:
    for requests in inputs(**SMALL, most=3):
        prefill, decode = Gpu(requests), Gpu([])
        why = broken(prefill, requests, partial(distserve, decode=decode))
        if prefill.batches != [(f"PI({r}, 1, {r.prompt})",) for r in requests]:
            why = why or str(prefill.batches)
        if not decoded_in_turn(decode, requests):
            why = why or str(decode.batches)
        yield at(requests, why) if why else None


# ---- SLAI ----

def slai_states() -> list[Slai]:
    times = [t for count in range(4) for t in product((0, 1, 2, 3), repeat=count)]
    queues = [q for count in range(3) for q in product((1, 3), repeat=count)]
    return [Slai(1, t, a, q) for t in times for a in queues[:3] for q in queues]


@every("up to 3 decodes with last schedulable times 0 to 3 at time 1, up to 1 active and 2 new prompts of 1 or 3 "
       "tokens, tau_budget in {1, 2, 4}, alpha in {3, 5}, beta in {1, 2}", LINES)
def slai_run() -> Iterator[Case]:
    for state in slai_states():
        busy = len(state.last_times) + len(state.active)
        for budget, alpha, beta in product((1, 2, 4), (3, 5), (1, 2)):
            decodes, chunks = state.batch(budget, alpha, beta)
            begun = max(0, len(chunks) - len(state.active))
            urgent = [state.last_times[j] for j in decodes if state.now >= state.last_times[j]]
            bad = (len(decodes) + sum(chunks) > budget or len(decodes) > beta or (begun and busy + begun > alpha)
                   or urgent != sorted(state.last_times)[: len(urgent)])
            yield {"state": state, "tau_budget": budget, "alpha": alpha, "beta": beta} if bad else None


@every("up to 3 new prompts of 1 or 3 tokens, each of a paying or of a free-tier user, up to 1 active one, up to 2 "
       "decodes with last schedulable times 0 and 2 at 1, tau_budget in {1, 2, 4}, alpha in {1, 3}, beta in {1, 2}",
       LINES)
def slai_priority_run() -> Iterator[Case]:
    """New prompts in their order, paying users first, each of these shortest first, as SLAI (SPF) has them."""
    times = [t for count in range(3) for t in product((0, 2), repeat=count)]
    users = [q for count in range(4) for q in product(((0, 1), (0, 3), (1, 1), (1, 3)), repeat=count)]
    for last_times, active, new in product(times, ((), (1,), (3,)), users):
        order = sorted(new, key=lambda one: (-one[0], one[1]))  # (paying, prompt)
        for budget, alpha, beta in product((1, 2, 4), (1, 3), (1, 2)):
            _, chunks = Slai(1, last_times, active, tuple(tokens for _, tokens in order)).batch(budget, alpha, beta)
            begun = order[:max(0, len(chunks) - len(active))]
            left = order[len(begun):]
            bad = (any(not paying for paying, _ in begun) and any(paying for paying, _ in left)) or any(
                one[0] == two[0] and one[1] > two[1] for one in begun for two in left)
            yield {"new": new, "begun": begun, "tau_budget": budget, "alpha": alpha} if bad else None
