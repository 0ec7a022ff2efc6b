"""The policies of a cluster that mixes prefill and decode, by name: which gate, which router, planned or not.

Source: arXiv:2602.02987v1, Sections 4.1, 4.2.1, 5.1, EC.6 (policies) and 6.3 (ablations).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qtheory.errors import InputError, UnknownNameError

GATES = ("occupancy", "priority", "queue", "fcfs")
ROUTERS = ("greedy", "split", "weighted", "immediate", "prefill-first")


@dataclass(frozen=True)
class Policy:
    """A gate, a router, and whether GPUs are partitioned.

    ``gate``: which waiting class a free prefill slot is given to. "occupancy": the one that is most below its target,
    least ``(X_i - n x*_i)/x*_i``, ties by the largest queue deviation ``Q_i - n q*_i``, classes without target last;
    "priority": the largest ``D_i/P_i``; "queue": the largest queue deviation, and only a positive one, so that backlogs
    stay at the plan's; "fcfs": who came first.

    ``router``: where a decode goes. "greedy": one buffer, first come first served; to GPUs without prefill first, then
    beside a prefill. "split": at the end of its prefill it is sent to solo GPUs with chance p_s,i, else to mixed ones,
    each with a buffer of its own. "weighted": the same, and a freed slot takes a class by the weights pi of EC.6.
    "immediate": it stays on its GPU, in the slot of its prefill. "prefill-first": as "greedy", but a free slot of a GPU
    without prefill is offered to the gate before it is offered to the buffer.

    ``planned``: M = ceil(n x*) GPUs take prefills, with a slot that is reserved for them, and the others none. Else any
    GPU without a prefill and with a free slot takes one.
    """

    gate: str
    router: str
    planned: bool = True

    def __post_init__(self) -> None:
        for what, name, known in (("gate", self.gate, GATES), ("router", self.router, ROUTERS)):
            if name not in known:
                raise UnknownNameError(what, name, list(known))
        if self.planned and self.router in ("immediate", "prefill-first"):
            raise InputError(f"router {self.router!r} is for GPUs that are not partitioned (planned=False)")
        if not self.planned and self.router in ("split", "weighted"):
            raise InputError(f"router {self.router!r} sends decodes to parts of the cluster (planned=True)")

    @property
    def name(self) -> str:
        """Its name, or what it is made of where it has none."""
        names = [name for name, policy in POLICIES.items() if policy == self]
        return names[0] if names else f"{self.gate} gate, {self.router} router, " + ("" if self.planned else "not ") + \
            "planned"


# Section 6.3 calls GG-SP "our proposed policy", which is gate-and-route. The gate of GI-WSP and GF-WSP is "our
# queue-length based Gate": without a partition the occupancy gate holds nobody back, the one by queues does.
POLICIES: Mapping[str, Policy] = {
    "gate-and-route": Policy("occupancy", "greedy"),
    "prioritize-and-route": Policy("priority", "greedy"),
    "sli-aware": Policy("occupancy", "split"),
    "general-sli-aware": Policy("occupancy", "weighted"),
    "GG-SP": Policy("occupancy", "greedy"),
    "FI-WSP": Policy("fcfs", "immediate", planned=False),
    "GI-WSP": Policy("queue", "immediate", planned=False),
    "GF-WSP": Policy("queue", "prefill-first", planned=False),
    "FG-SP": Policy("fcfs", "greedy"),
}


def policy_of(policy: Policy | str) -> Policy:
    """The policy of that name, or the policy itself; UnknownNameError, with the names, for another."""
    if isinstance(policy, Policy):
        return policy
    if policy not in POLICIES:
        raise UnknownNameError("policy", policy, list(POLICIES))
    return POLICIES[policy]


__all__ = ["GATES", "POLICIES", "ROUTERS", "Policy", "policy_of"]
