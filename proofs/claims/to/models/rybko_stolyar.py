"""The network of Rybko-Stolyar type with the priorities reversed, for bounded sizes: it is fed forward then.

Classes 0 and 3 are type A's first visit, to agent 1, and its second one, to agent 2; classes 1 and 2 type B's, to agent
2 and to agent 1. The queues (``fed_forward``) are each type's first visits, which have priority and so an agent for
themselves, and all tokens of each agent. Agents 1 and 2 are numbered 0 and 1.
"""

from __future__ import annotations

from .fed_forward import Network, bounded, instance

REVERSED = Network(
    upstream={0: (), 1: (), 2: (1,), 3: (0,)}, classes={0: (0,), 1: (1,), 2: (0, 2), 3: (1, 3)},
    agent={0: 0, 1: 1, 2: 0, 3: 1},
    brings={0: "l_A*(mp(0) + md(0))", 1: "l_B*(mp(1) + md(1))", 2: "l_A*(mp(0) + md(0)) + l_B*(mp(2) + md(2))",
            3: "l_B*(mp(1) + md(1)) + l_A*(mp(3) + md(3))"},
    rates=("l_A >= 0", "l_B >= 0"), all_there=(2, 3), follows={0: 2, 1: 3},
    told={
        "budget": "l. 308: the token budget of agent {0} (0 for the paper's agent 1, 1 for its agent 2)",
        "slots": "l. 308, where it is 1: a number of slots, of agent {0}",
        "means": "(4.4) and (4.5), l. 310 to 316: mean token sizes of class {0}; l. 77",
        "load": "l. 308 and 318: the load of the agent is below 1",
        "rates": "l. 308: requests of a type a slot, in the mean", "queue": "queue {0}", "class": "class {0}",
        "there": "l. 298: request i has tokens of {0} to load when {1}, and none of the other type's classes",
        "rule": "work-conserving (2.6), l. 166 and 168, with the priorities of l. 322, of queue {0}",
        "chain": "the chain of l. 322 under algorithms that meet the conditions; its states are those of these that it "
                 "can take, l. 130, and it is assumed irreducible on them, as in l. 176"})

OTHER_PRIORITIES = bounded(
    REVERSED, instance(REVERSED, {"l_A": "1/8", "l_B": "1/8"}, "1/4 + floor(j/2)/4", "1/2 + floor(j/2)/2"),
    (("3/4", ("m = 0",)), *(("1/8", ("m = 1", *(f"{x}{j}(i) = {int(j in mine)} + 0*i" for j in range(4)
                                               for x in ("vp", "vd")))) for mine in ((0, 3), (1, 2)))))
