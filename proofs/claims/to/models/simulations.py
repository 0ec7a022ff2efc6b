"""Claims of the throughput-optimal paper that rest on simulated runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qtheory.proofs.claims.cases import Model

if TYPE_CHECKING:
    from qtheory.proofs.claims.evidence import Study

CONJECTURE = ("Under any (K_p^j, K_d^j)-FCFS work-conserving scheduling algorithm at agent j, the DTMC describing the "
              "system is positive recurrent.")
PROMPT, OUTPUT, BUDGET, LOAD = 129, 112, 512, 0.95
PROFILE = "a100-codellama-34b-tp2-vidur"


def growth(run: Any) -> float:
    """Of the requests that arrive in the second half of the run, the fraction by which the number present grows."""
    from qtheory.simulate.kernel import engine_layout as E

    half = run.windows // 2
    present = run.sums[:, E.PRESENT_AT_END]
    return float((present[-1] - present[half - 1]) / run.sums[half:, E.REQUESTS_IN].sum())


def optimal_studies() -> Mapping[str, Study]:
    """Figure 1's requests at load 0.95 by (2.7): the mean tokens that arrive in a full batch's time, over its size."""
    from qtheory import profiles
    from qtheory.proofs.claims.evidence import Study
    from qtheory.simulate.engines import LLMEngine, RequestClass
    from qtheory.simulate.laws import Deterministic, Exponential
    from qtheory.simulate.sources import profile_time

    rate = LOAD * BUDGET / ((PROMPT + OUTPUT) * float(profiles.load(PROFILE).law.time(BUDGET)))
    requests = RequestClass("request", Deterministic(PROMPT), Deterministic(OUTPUT), Exponential.with_rate(rate))
    return {
        policy: Study(
            hypothesis=f"{policy}, budget {BUDGET}, prompts of {PROMPT} and outputs of {OUTPUT} tokens (Figure 1), "
            f"Poisson arrivals, iteration times of {PROFILE}, load {LOAD} by (2.7): from the middle to the end of the "
            "horizon the number present grows by less than 1 % of the arrivals",
            model=LLMEngine((requests,), profile_time(PROFILE), policy, {"budget": BUDGET}),
            value=growth, low=-0.01, high=0.01, horizon=2000.0, replications=20,
        )
        for policy in ("orca", "sarathi")
    }  # fmt: skip


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


OPTIMAL_SYSTEMS = Model(studies=optimal_studies)
FORK_JOINS = Model(studies=fork_join_studies)
