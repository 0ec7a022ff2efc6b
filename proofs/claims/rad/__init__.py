"""The tiling paper, "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice": its printed schedulers."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import algorithms

TITLE = "Optimal Scheduling Algorithms for LLM Inference: Theory and Practice"
SECTIONS: tuple[str, ...] = ()  # no section is complete yet
CLAIMS: tuple[Claim, ...] = algorithms.CLAIMS
