"""The decoder architectures that can be measured, from the shipped ``architectures.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from qtheory.errors import UnknownNameError

BYTES = 2  # of a bf16 number


@dataclass(frozen=True)
class Architecture:
    """A decoder with grouped-query attention, RMS norms, rotary positions and a gated MLP.

    ``name``: as the command line knows it; ``title``: as papers print it; the sizes are counts of layers, heads and
    numbers; ``qk_norm``: queries and keys are normalised by head.
    """

    name: str
    title: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary: int
    qk_norm: bool
    tied_embeddings: bool
    rope_theta: float

    @property
    def kv_bytes(self) -> int:
        """Bytes that one token's keys and values take in all layers."""
        return 2 * self.layers * self.kv_heads * self.head_dim * BYTES

    @property
    def parameters(self) -> int:
        """Number of weights, the embeddings included."""
        attention = self.hidden * self.head_dim * (2 * self.heads + 2 * self.kv_heads)
        norms = 2 * self.hidden + (2 * self.head_dim if self.qk_norm else 0)
        embeddings = self.vocabulary * self.hidden * (1 if self.tied_embeddings else 2)
        return self.layers * (attention + 3 * self.hidden * self.intermediate + norms) + embeddings + self.hidden


@cache
def architectures() -> dict[str, Architecture]:
    """The shipped architectures by name."""
    text = (resources.files(__package__) / "architectures.toml").read_text("utf-8")
    return {name: Architecture(name, **table) for name, table in tomllib.loads(text).items()}


def architecture(name: str) -> Architecture:
    """The architecture of that name; raises UnknownNameError with the nearest."""
    known = architectures()
    if name not in known:
        raise UnknownNameError("architecture", name, list(known))
    return known[name]
