"""The exclusive-batching paper (arXiv:2606.00516), section by section."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import (
    algorithms,
    appendix_a,
    appendix_a_linear,
    appendix_b_fluid,
    appendix_b_optimum,
    appendix_c,
    appendix_c_maximum,
    appendix_d,
    appendix_e,
    appendix_e_tests,
    appendix_f,
    appendix_f_disaggregation,
    beyond,
    corrections,
    memory_corrections,
    section_1,
    section_3_1,
    section_3_2_1,
    section_3_2_2,
    section_3_3,
    section_3_4,
    section_3_5,
    section_4,
    section_4_4,
)

TITLE = "Threshold-Based Exclusive Batching for LLM Inference"
SECTIONS = ("Section 3.1", "Section 3.2", "Section 3.2.1", "Section 3.2.2", "Appendix B.1", "Appendix B.2",
            "Appendix B.3", "Appendices B.4-B.6", "Appendices B.7-B.9", "Appendix C", "Appendices C.1-C.2",
            "Appendices C.3-C.4", "Appendix C.5", "Appendices C.6-C.8", "Section 3.3", "Section 3.4", "Section 3.5",
            "Appendix A.3", "Appendix A.4", "Appendix D",
            "Appendices D.1-D.2", "Appendix D.3", "Appendix D.4", "Appendix D.5", "Appendix D.6",
            "Abstract and Section 1", "Section 2", "Section 4.1", "Section 4.2", "Section 4.3", "Section 4.4",
            "Section 4.5", "Appendix A.1", "Appendix A.2", "Appendix E.1", "Appendix E.2", "Appendix E.3",
            "Appendix E.4", "Appendix E.5", "Appendix F.1", "Appendix F.2", "Appendix F.3", "Appendix F.4")
CLAIMS: tuple[Claim, ...] = (*section_3_1.CLAIMS, *section_3_2_1.CLAIMS, *appendix_b_fluid.CLAIMS,
                             *appendix_b_optimum.CLAIMS, *corrections.CLAIMS, *beyond.CLAIMS,
                             *algorithms.CLAIMS, *section_3_2_2.CLAIMS, *appendix_c.CLAIMS, *appendix_c_maximum.CLAIMS,
                             *section_3_3.CLAIMS, *section_3_4.CLAIMS, *appendix_d.CLAIMS, *memory_corrections.CLAIMS,
                             *section_3_5.CLAIMS, *appendix_a.CLAIMS,
                             *section_1.CLAIMS, *section_4.CLAIMS, *section_4_4.CLAIMS, *appendix_a_linear.CLAIMS,
                             *appendix_e.CLAIMS, *appendix_e_tests.CLAIMS,
                             *appendix_f.CLAIMS, *appendix_f_disaggregation.CLAIMS)
