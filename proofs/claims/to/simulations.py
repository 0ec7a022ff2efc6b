"""Claims of the throughput-optimal paper that rest on simulated runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qtheory.proofs.claims.model import Claim

if TYPE_CHECKING:
    from qtheory.proofs.claims.evidence import Study

OPTIMAL = "Orca and Sarathi-serve are throughput-optimal"
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
            statement=OPTIMAL,
            hypothesis=f"{policy}, budget {BUDGET}, prompts of {PROMPT} and outputs of {OUTPUT} tokens (Figure 1), "
            f"Poisson arrivals, iteration times of {PROFILE}, load {LOAD} by (2.7): from the middle to the end of the "
            "horizon the number present grows by less than 1 % of the arrivals",
            model=LLMEngine((requests,), profile_time(PROFILE), policy, {"budget": BUDGET}),
            value=growth, low=-0.01, high=0.01, horizon=2000.0, replications=20,
        )
        for policy in ("orca", "sarathi")
    }  # fmt: skip


CLAIMS: tuple[Claim, ...] = (
    Claim("to.abs.optimal-systems", "Abstract", "Evaluations of real-world systems show that Orca and Sarathi-serve "
          "are throughput-optimal", (12, 12), "theorem", studies=optimal_studies,
          note="Simulated at one load below 1, of one workload on one engine: evidence for the statement, no proof. "
               "At the same rate vanilla vLLM is unstable (scenario to-figure-1-rates)."),
)
