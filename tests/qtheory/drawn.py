"""Profiles and workloads with given constants, for the tests of the tables."""

from __future__ import annotations

from qtheory.profiles.schema import Constant, HardwareProfile, LawTable, Source
from qtheory.workloads import Deterministic, Geometric, RequestClass, Workload

PAIR = "a100-40gb-qwen-8b"
VIDUR_PAIR = "a100-llama3-70b-tp2-vidur-pair"  # its constants have a covariance


def pair(alpha_p: float, beta_p: float, alpha_d: float, beta_d: float, name: str = "drawn",
         gpu: str = "GPU") -> HardwareProfile:
    """A profile with a prefill and decode pair; seconds, seconds a token."""
    units = {"alpha_p": "s", "beta_p": "s/token", "alpha_d": "s", "beta_d": "s/token"}
    values = {"alpha_p": alpha_p, "beta_p": beta_p, "alpha_d": alpha_d, "beta_d": beta_d}
    constants = {key: Constant(value=values[key], unit=unit) for key, unit in units.items()}
    law = LawTable(kind="prefill_decode", constants=constants)
    source = Source(measurements="drawn.csv")
    return HardwareProfile.model_validate({"name": name, "gpu": gpu, "source": source, "law": law})


def requests(mean: float, prompt: int | None, name: str = "drawn", source: str = "drawn") -> Workload:
    """Geometric outputs of this mean, and prompts of one length, where one is given."""
    law = None if prompt is None else Deterministic(prompt)
    return Workload(name, "drawn", "", source, "", (RequestClass("all", 1.0, law, Geometric.with_mean(mean)),))
