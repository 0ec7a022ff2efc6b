"""Conjecture 1 for bounded sizes: the fork-join network is fed forward (``fed_forward``), each agent a queue.

A request is at agent 0, then at 1 and at 2, and when both are done at 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qtheory.proofs.claims.model import Claim

from .fed_forward import NOTE, Network, bounded, instance
from .wording import STATED

UPSTREAM: Mapping[int, tuple[int, ...]] = {0: (), 1: (0,), 2: (0,), 3: (0, 1, 2)}
TOLD = {
    "budget": "l. 290: b^{0}, a token budget", "slots": "l. 290: t_b^{0}, a number of slots",
    "means": "l. 282: mean token sizes at agent {0}; l. 77", "load": "(4.3), l. 290", "rates": STATED["lam >= 0"],
    "queue": "agent {0}", "class": "agent {0}", "there": "l. 282: request i is at {0} when {1}",
    "rule": "(2.6), l. 166 and 168, at agent {0}",
    "chain": "the DTMC of l. 292, assumed irreducible, l. 176, under algorithms that meet the conditions"}


def fork_join(agents: Sequence[int]) -> Network:
    own = {j: (j,) for j in agents}
    return Network({j: UPSTREAM[j] for j in agents}, own, {j: j for j in agents},
                   {j: f"lam*(mp({j}) + md({j}))" for j in agents}, ("lam >= 0",), tuple(agents), {}, TOLD)


def claim(id: str, place: str, line: int | tuple[int, int], agents: Sequence[int], note: str) -> Claim:
    net = fork_join(agents)
    return bounded(id, place, line, net, instance(net, {"lam": "1/4"}, "1/2"),
                   "Under every algorithm that meets (2.6) at each agent, (K_p, K_d)-FCFS ones among them. " + NOTE +
                   note, (("3/4", ("m = 0",)), ("1/4", ("m = 1",))))


CLAIMS: tuple[Claim, ...] = (
    claim("to.sec-4.3.fj-without-3.bounded", "Section 4.3", 294, (0, 1, 2),
          "Without agent 3 three agents are left; a request leaves when tasks 1 and 2 are done."),
    claim("to.conj-1.bounded", "Conjecture 1", (288, 292), (0, 1, 2, 3),
          "Of the conjecture this leaves open sizes without a bound."),
)
