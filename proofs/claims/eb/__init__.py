"""The exclusive-batching paper (arXiv:2606.00516): Sections 3.1 to 3.3 and Appendices B to D."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import (
    algorithms,
    appendix_b_fluid,
    appendix_b_optimum,
    appendix_c,
    appendix_c_maximum,
    appendix_d,
    beyond,
    corrections,
    memory_corrections,
    section_3_1,
    section_3_2_1,
    section_3_2_2,
    section_3_3,
    section_3_5,
)

TITLE = "Threshold-Based Exclusive Batching for LLM Inference"
SECTIONS = ("Section 3.1", "Section 3.2", "Section 3.2.1", "Section 3.2.2", "Appendix B.1", "Appendix B.2",
            "Appendix B.3", "Appendices B.4-B.6", "Appendices B.7-B.9", "Appendix C", "Appendices C.1-C.2",
            "Appendices C.3-C.4", "Appendix C.5", "Appendices C.6-C.8", "Section 3.3", "Section 3.5", "Appendix D",
            "Appendices D.1-D.2", "Appendix D.3", "Appendix D.4", "Appendix D.5", "Appendix D.6")
CLAIMS: tuple[Claim, ...] = (*section_3_1.CLAIMS, *section_3_2_1.CLAIMS, *appendix_b_fluid.CLAIMS,
                             *appendix_b_optimum.CLAIMS, *corrections.CLAIMS, *beyond.CLAIMS,
                             *algorithms.CLAIMS, *section_3_2_2.CLAIMS, *appendix_c.CLAIMS, *appendix_c_maximum.CLAIMS,
                             *section_3_3.CLAIMS, *appendix_d.CLAIMS, *memory_corrections.CLAIMS,
                             *section_3_5.CLAIMS)
