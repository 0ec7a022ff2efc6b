"""Conjecture 1 on simulated runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qtheory.proofs.claims.cases import Model

if TYPE_CHECKING:
    from qtheory.proofs.claims.evidence import Study

def fork_join_growth(run: Any) -> float:
    """As ``growth``, of a network: requests present at its four agents over requests that arrive."""
    from qtheory.simulate.kernel import agent_layout as L

    half = run.windows // 2
    born = run.types[:, :, L.BORN].sum(axis=1)
    return float((run.present[-1] - run.present[half - 1]) / (born[-1] - born[half - 1]))


def fork_join_studies() -> Mapping[str, Study]:
    """50 random instances of Conjecture 1 that meet (4.3), each at a highest load between 0.6 and 0.95."""
    from qtheory.proofs.claims.evidence import Study
    from qtheory.simulate.agent_instances import random_fork_joins, slots_for

    return {
        f"instance-{i}": Study(
            hypothesis=f"random fork-join {i} of 50, first come first served in each phase, {model.phases}, "
            f"{model.lengths} lengths: from the middle to the end of the horizon the number present grows by less "
            "than 1 % of the arrivals",
            model=model, value=fork_join_growth, low=-0.01, high=0.01, horizon=slots_for(model, 100_000),
            replications=20, error_rate=0.0001,
        )
        for i, model in enumerate(random_fork_joins(50))
    }  # fmt: skip


FORK_JOINS = Model(studies=fork_join_studies)
