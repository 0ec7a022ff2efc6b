"""Algorithms 1 to 5 and the text of SLAI, line by line; a keyword is where a correction differs from the print.

``count``: what is added to L^P(R) - i, the tokens left from i on; the print adds 0, the correction 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from qtheory.proofs.claims.replay import DI, PI, Gpu, Iteration, Loop, Request


def rad(gpu: Gpu, n: int, t_col: int, t_lcm: int, *, count: int = 0, leaves: bool = False) -> None:
    """Algorithm 1, until no request is left and none is to come; ``leaves``: at lines 17 and 18 as at lines 8 and 9, a
    request that has sampled the stop token does not go on to D."""
    P: list[Request] = []
    D: list[Request] = []  # 1
    requests_in_cycle = 0  # 2
    while True:  # 3
        P += gpu.arrivals()  # 4
        if not P and not D:  # 5
            if not gpu.wait():
                return
        elif len(D) == t_col or not P or requests_in_cycle == n:  # 6
            gpu.schedule(*(DI(R) for R in D))  # 7
            D = [R for R in D if not R.stopped]  # 8
            if not D:
                requests_in_cycle = 0  # 9
        else:  # 10
            R, i = P[0], 1  # 11
            loop = Loop("lines 12 to 16", gpu)
            while R.prefilled < R.prompt:  # 12
                loop.visit(i, R.prefilled)
                c = min(t_lcm, R.prompt - i + count)  # 13
                gpu.schedule(PI(R, i, c))  # 14
                i += c  # 15
            P.remove(R)
            D += [] if leaves and R.stopped else [R]  # 17
            requests_in_cycle += 1  # 18
            if leaves and not D:
                requests_in_cycle = 0


def rad_by_its_text(gpu: Gpu, n: int, t_col: int, t_lcm: int) -> None:
    """Section 4.2: "at the completion of a batch, the next batch is selected as follows"; one batch a pass."""
    waiting: list[Request] = []
    decoding: list[Request] = []
    started = 0
    while True:
        waiting += gpu.arrivals()
        begun = waiting[0].prefilled > 0 if waiting else False
        if not waiting and not decoding:
            if not gpu.wait():
                return
        elif begun or not (len(decoding) == t_col or not waiting or started == n):
            first = waiting[0]
            started += not begun
            gpu.schedule(PI(first, first.prefilled + 1, min(t_lcm, first.prompt - first.prefilled)))
            if first.prefilled == first.prompt:
                decoding.append(waiting.pop(0))
        else:
            gpu.schedule(*(DI(r) for r in decoding))
            decoding = [r for r in decoding if not r.stopped]
            started = started if decoding else 0


def another(gpu: Gpu, n: int, t_col: int, t_lcm: int, *, count: int = 0) -> None:
    """Algorithm 2, with arrivals taken in at line 4, as in Algorithms 1, 3 and 4; no printed line says so."""
    P: list[Request] = []
    D: list[Request] = []  # 1
    while True:  # 2
        requests_in_cycle, before = 0, len(gpu.batches)  # 3
        P += gpu.arrivals()
        while P and requests_in_cycle < n:  # 4
            R, i = P[0], 1  # 5
            loop = Loop("lines 6 to 10", gpu)
            while R.prefilled < R.prompt:  # 6
                loop.visit(i, R.prefilled)
                c = min(t_lcm, R.prompt - i + count)  # 7
                gpu.schedule(PI(R, i, c))  # 8
                i += c  # 9
            P.remove(R)
            D.append(R)  # 11
            requests_in_cycle += 1  # 12
            P += gpu.arrivals()
        D_active, D = D[:t_col], D[t_col:]  # 14, 15
        while D_active:  # 16
            gpu.schedule(*(DI(R) for R in D_active))  # 17
            D_active = [R for R in D_active if not R.stopped]  # 18
            room = t_col - len(D_active)
            D_active, D = D_active + D[:room], D[room:]  # 19
        if len(gpu.batches) == before and not gpu.wait():
            return


def another_by_its_text(gpu: Gpu, n: int, t_col: int, t_lcm: int) -> None:
    """Appendix D: a cycle's prefills, "up to n ... (if enough are available)", each in chunks of the least common
    multiple but for a prompt's last; then its decodes, the first t_col active, each that stops replaced by the next."""
    waiting: list[Request] = []
    while (arrived := gpu.arrivals()) or waiting or gpu.wait():
        waiting += arrived
        cycle: list[Request] = []
        while waiting and len(cycle) < n:
            first = waiting.pop(0)
            while first.prefilled < first.prompt:
                gpu.schedule(PI(first, first.prefilled + 1, min(t_lcm, first.prompt - first.prefilled)))
            cycle.append(first)
            waiting += gpu.arrivals()
        while cycle:
            gpu.schedule(*(DI(r) for r in cycle[:t_col]))
            cycle = [r for r in cycle if not r.stopped]


def request_level(gpu: Gpu, b: int, *, line_5: str = "Prefill") -> None:
    """Algorithm 3; ``line_5``: the mode that line 5 asks for."""
    P: list[Request] = []
    D: list[Request] = []  # 1
    mode = "Decode"  # 2
    idle: set[tuple[str, int]] = set()  # states since the last batch or arrival
    while True:  # 3
        P += gpu.arrivals()  # 4
        if (mode, len(P)) in idle and not gpu.wait():
            return
        idle.add((mode, len(P)))
        before = len(gpu.batches)
        if mode == line_5:  # 5
            if D:  # 6
                gpu.schedule(*(DI(R) for R in D))  # 7
                D = [R for R in D if not R.stopped]  # 8
            else:
                mode = "Prefill"  # 10
        elif mode == "Prefill":  # 12
            for R in P[:b]:  # 13 to 15
                gpu.schedule(PI(R, 1, R.prompt))  # 16
                D.append(R)  # 17
            P = P[b:]
            mode = "Decode"  # 20
        if len(gpu.batches) > before:
            idle.clear()


def sarathi(gpu: Gpu, budget: int, *, count: int = 0, ends: bool = False, most: list[int] | None = None) -> None:
    """Algorithm 4; ``ends``: line 11 ends with the prompt too. ``most[0]`` becomes the largest |D| at line 9."""
    P: list[Request] = []
    D: list[Request] = []  # 1
    index: dict[Request, int] = {}
    while True:  # 2
        P += gpu.arrivals()  # 3
        B: list[Iteration] = [DI(R) for R in D]  # 4 to 8
        tau = len(D)  # 9
        if most is not None:
            most[0] = max(most[0], tau)
        for R in P:  # 10
            i = index.get(R, 1)
            loop = Loop("lines 11 to 16", gpu)
            while tau < budget and not (ends and i > R.prompt):  # 11
                loop.visit(tau, i)
                c = min(budget - tau, R.prompt - i + count)  # 12
                B.append(PI(R, i, c))  # 13
                tau += c  # 14
                i += c  # 15
            index[R] = i
        if not B:
            if not gpu.wait():
                return
            continue
        gpu.schedule(*B)  # 18
        D += [R for R in P if R.prefilled == R.prompt]  # 19 to 23
        P = [R for R in P if R.prefilled < R.prompt]
        D = [R for R in D if not R.stopped]  # 24 to 28


def distserve(prefill: Gpu, decode: Gpu) -> None:
    """Algorithm 5: the two nodes side by side, one batch a unit of time each; a transfer takes no time."""
    P: list[Request] = []  # 1
    D: list[Request] = []  # 12
    sent: list[Request] = []
    while True:  # 2 and 13
        P += prefill.arrivals()  # 3
        D += sent  # 14
        sent = []
        if not P and not D:
            if not prefill.wait():
                return
            decode.clock = prefill.clock
            continue
        now = prefill.clock
        if P:  # 4 to 6
            prefill.schedule(PI(P[0], 1, P[0].prompt))  # 7, 8
            sent.append(P.pop(0))  # 9, 10
        if D:  # 15 to 17
            decode.schedule(*(DI(R) for R in D))  # 18
            D = [R for R in D if not R.stopped]  # 19
        prefill.clock = decode.clock = now + 1


@dataclass(frozen=True)
class Slai:
    """What SLAI sees at a decision point, times in integers: for each decode-phase request its last schedulable time;
    the prompt tokens left of active and of new prefill-phase requests, those in their order."""

    now: int
    last_times: tuple[int, ...]
    active: tuple[int, ...]
    new: tuple[int, ...]

    def batch(self, budget: int, alpha: int, beta: int) -> tuple[list[int], list[int]]:
        """(decode-phase requests, chunks of prefill-phase requests, active ones first) of the batch, steps (1) to (4),
        each kept within the token budget, the cap on active requests and the decode limit."""
        order = sorted(range(len(self.last_times)), key=lambda j: self.last_times[j])
        critical = [j for j in order if self.now >= self.last_times[j]]  # (1)
        decodes = critical[: min(beta, budget)]  # (2)
        left = budget - len(decodes)
        chunks: list[int] = []
        room = alpha - len(self.last_times) - len(self.active)
        for number, tokens in enumerate(self.active + self.new):  # (3)
            if left <= 0 or number >= len(self.active) + room:
                break
            chunks.append(min(tokens, left))
            left -= chunks[-1]
        for j in order:  # (4)
            if j not in critical and left > 0 and len(decodes) < beta:
                decodes.append(j)
                left -= 1
        return decodes, chunks
