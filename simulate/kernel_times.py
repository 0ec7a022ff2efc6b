"""The sum of measured kernels as an engine's clock, and how a scenario names it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from qtheory.errors import InputError
from qtheory.simulate.kernel import engine_kernels as K
from qtheory.simulate.kernel import engine_layout as E

if TYPE_CHECKING:
    from qtheory.profiles.kernels import Engine

TOKENS = 16_384  # of the tables over an iteration's tokens; an iteration of more grows in proportion


@dataclass(frozen=True)
class KernelTime:
    """Seconds of an iteration as ``scale`` times the sum of its kernels, ``per_iteration`` seconds and ``per_request``
    for each of its requests.

    ``kernels`` says which kernels they are, ``digest`` is that of their times. Made by :meth:`of`.
    """

    kernels: str
    digest: str
    scale: float = 1.0
    per_iteration: float = 0.0
    per_request: float = 0.0
    tables: np.ndarray = field(repr=False, compare=False, default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        for name in ("scale", "per_iteration", "per_request"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0) or (name == "scale" and value == 0):
                raise InputError(f"{name} = {value}: a finite number of at least 0 is wanted, a scale above 0")

    @classmethod
    def of(cls, engine: Engine, scale: float = 1.0, per_iteration: float = 0.0, per_request: float = 0.0) -> KernelTime:
        """The clock of an engine of :mod:`qtheory.profiles.kernels`, with what it takes beyond its kernels (s)."""
        from qtheory.profiles.kernels import Load

        if engine.data_parallel > 1:
            raise InputError(f"attention spread by requests over {engine.data_parallel} groups, each with a batch: "
                             "the simulator's engine has one")
        counts = np.arange(1.0, TOKENS + 1)
        by_tokens = engine.seconds(Load(counts))
        sampled = engine.parts(Load(0.0, sampled=counts))["head"]
        sequences = 2.0 ** (np.arange(K.LEVELS) / K.LEVELS_AN_OCTAVE)[:, None]
        tokens = 2.0 ** (np.arange(K.KNOTS) / K.KNOTS_AN_OCTAVE)[None, :]
        prefill = engine.parts(Load(0.0, prefills=sequences, length=tokens))["prefill attention"]
        decode = engine.parts(Load(0.0, decodes=sequences, context=tokens))["decode attention"]
        tables = np.concatenate([[0.0], by_tokens, [0.0], sampled, np.log2(prefill).ravel(), np.log2(decode).ravel()])
        measured = engine.tables
        name = (f"{measured.gpu}, {measured.engine} {measured.versions['gemm'][0]}, {engine.shape.title}, "
                f"TP {engine.tensor_parallel}, {engine.dtype or engine.shape.dtype}")
        return cls(name, hashlib.sha256(tables.tobytes()).hexdigest(), scale, per_iteration, per_request, tables)

    def least(self, tokens: float) -> float:
        """A time that no iteration falls below (s): that of one token, without attention."""
        return float(self.scale * self.tables[1] + self.per_iteration)

    def check(self, tokens: float) -> None:
        """Measured times are positive: nothing is wrong with them."""

    def encode(self) -> tuple[int, np.ndarray]:
        """The kernel's number of the law, and its parameters."""
        head = np.array([self.per_iteration, self.per_request, self.scale, TOKENS, 0.0, 0.0])
        return E.KERNELS, np.concatenate([head, self.tables])


def kernel_time(gpu: str, engine: str, model: str, tensor_parallel: int = 1, tables: str | None = None,
                scale: float = 1.0, per_iteration: float = 0.0, per_request: float = 0.0) -> KernelTime:
    """The clock by names: GPU and engine of measured tables, a model's shape; ``tables`` a folder of one's own."""
    from qtheory.profiles import kernels

    chosen = kernels.Engine(kernels.tables(gpu, engine, tables), kernels.shape(model), tensor_parallel)
    return KernelTime.of(chosen, scale, per_iteration, per_request)
