"""Conjecture 1 for bounded sizes: the fork-join network is fed forward (``fed_forward``), each agent a queue.

A request is at agent 0, then at 1 and at 2, and when both are done at 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qtheory.proofs.claims.cases import Model

from .fed_forward import Network, bounded, instance
from .sources import STATED

UPSTREAM: Mapping[int, tuple[int, ...]] = {0: (), 1: (0,), 2: (0,), 3: (0, 1, 2)}
TOLD = {
    "budget": "l. 290: b^{0}, a token budget", "slots": "l. 290: t_b^{0}, a number of slots",
    "means": "l. 284: mean token sizes at agent {0}; l. 77", "load": "(4.3), l. 290", "rates": STATED["lam >= 0"],
    "queue": "agent {0}", "class": "agent {0}", "there": "l. 284: request i is at {0} when {1}",
    "rule": "(2.6), l. 166 and 168, at agent {0}",
    "chain": "the DTMC of l. 292 under algorithms that meet the conditions; its states are those of these that it can "
             "take, l. 130, and it is assumed irreducible on them, as in l. 176"}


def fork_join(agents: Sequence[int]) -> Network:
    own = {j: (j,) for j in agents}
    return Network({j: UPSTREAM[j] for j in agents}, own, {j: j for j in agents},
                   {j: f"lam*(mp({j}) + md({j}))" for j in agents}, ("lam >= 0",), tuple(agents), {}, TOLD)


def among(agents: Sequence[int]) -> Model:
    net = fork_join(agents)
    return bounded(net, instance(net, {"lam": "1/4"}, "1/2"), (("3/4", ("m = 0",)), ("1/4", ("m = 1",))))


WITHOUT_3 = among((0, 1, 2))
ALL_AGENTS = among((0, 1, 2, 3))
