"""The exclusive-batching paper (arXiv:2606.00516): Sections 3.1 to 3.2.1 and Appendix B."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import algorithms, appendix_b_fluid, appendix_b_optimum, beyond, corrections, section_3_1, section_3_2_1

TITLE = "Threshold-Based Exclusive Batching for LLM Inference"
SECTIONS = ("Section 3.1", "Section 3.2", "Section 3.2.1", "Appendix B.1", "Appendix B.2", "Appendix B.3",
            "Appendices B.4-B.6", "Appendices B.7-B.9")
CLAIMS: tuple[Claim, ...] = (*section_3_1.CLAIMS, *section_3_2_1.CLAIMS, *appendix_b_fluid.CLAIMS,
                             *appendix_b_optimum.CLAIMS, *corrections.CLAIMS, *beyond.CLAIMS,
                             *algorithms.CLAIMS)
