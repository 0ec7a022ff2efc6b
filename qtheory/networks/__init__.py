"""Is an agent network stable? Verdicts with certificates that the kernel checks."""

from __future__ import annotations

from qtheory.networks.deciding import Decision, decide

__all__ = ["Decision", "decide"]
