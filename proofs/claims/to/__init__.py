"""The throughput-optimal paper, section by section."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import (
    algorithms,
    appendix_b,
    appendix_c_1,
    appendix_c_2,
    appendix_c_3,
    appendix_c_5,
    fluid_stability,
    fork_join,
    instability,
    network_instability,
    recurrence,
    recurrence_named,
    recurrence_oldest,
    recurrence_parallel,
    recurrence_requests,
    rybko_stolyar,
    section_1,
    section_2,
    section_3,
    section_4,
    simulations,
    unmixed,
)

TITLE = "Throughput-Optimal Scheduling Algorithms for LLM Inference and AI Agents"
SECTIONS: tuple[str, ...] = (
    "Abstract and Section 1", "Section 2", "Section 2.1", "Section 2.2", "Section 2.3", "Section 3", "Section 4",
    "Section 4.1", "Section 4.2", "Section 4.3", "Section 5", "Appendix A", "Appendix B", "Appendix C")
CLAIMS: tuple[Claim, ...] = (
    *algorithms.CLAIMS, *simulations.CLAIMS, *section_1.CLAIMS, *section_2.CLAIMS, *section_3.CLAIMS,
    *section_4.CLAIMS, *appendix_b.CLAIMS, *appendix_c_1.CLAIMS, *appendix_c_2.CLAIMS, *appendix_c_3.CLAIMS,
    *appendix_c_5.CLAIMS, *fluid_stability.CLAIMS, *recurrence.CLAIMS, *recurrence_named.CLAIMS,
    *recurrence_oldest.CLAIMS, *recurrence_parallel.CLAIMS, *recurrence_requests.CLAIMS, *fork_join.CLAIMS,
    *rybko_stolyar.CLAIMS, *instability.CLAIMS, *network_instability.CLAIMS, *unmixed.CLAIMS)
