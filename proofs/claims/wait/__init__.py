"""The WAIT paper, "Optimizing LLM Inference: Fluid-Guided Online Scheduling with Memory Constraints"."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import algorithms

TITLE = "Optimizing LLM Inference: Fluid-Guided Online Scheduling with Memory Constraints"
SECTIONS: tuple[str, ...] = ()  # no section is complete yet
CLAIMS: tuple[Claim, ...] = algorithms.CLAIMS
