"""The throughput-optimal paper: its schedulers, as its text describes them."""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import algorithms, simulations

TITLE = "Throughput-Optimal Scheduling Algorithms for LLM Inference and AI Agents"
SECTIONS: tuple[str, ...] = ()  # no section is complete yet
CLAIMS: tuple[Claim, ...] = (*algorithms.CLAIMS, *simulations.CLAIMS)
