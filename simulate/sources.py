"""Laws of the simulator from the library's own objects: profiles, length laws, named workloads, traces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate.engines import IterationTime
from qtheory.simulate.law_of_values import MOST_TABULATED
from qtheory.simulate.laws import Discrete, Geometric, Law, Listed

if TYPE_CHECKING:
    from qtheory.models.laws import Law as TimeLaw
    from qtheory.workloads import LengthLaw, Workload

# kind of the library's law: kind of the simulator's, and the constants in its order
_KINDS = {
    "affine": ("affine", ("alpha", "beta")),
    "prefill_decode": ("two-affine", ("alpha_p", "beta_p", "alpha_d", "beta_d")),
    "piecewise_linear": ("piecewise", ("c", "a", "b0")),
    "concave": ("concave", ("alpha", "beta", "eta", "b0")),
    "staircase": ("staircase", ("tile_time", "t_col", "token_time")),
    "memory_linear": ("memory", ("d0", "d1")),
}
_TAIL = 2.0**-53  # what one random word resolves


def iteration_time(law: TimeLaw) -> IterationTime:
    """The iteration time by a law of :mod:`qtheory.models.laws`; tokens of context are those of decoding requests.

    Raises InputError for the mixed-batch quadratic: it holds for the one token count at which it was measured.
    """
    if law.kind == "context_affine":
        return IterationTime("affine", (float(law.alpha), float(law.beta)), 0.0, float(law.gamma))  # type: ignore[attr-defined]
    if law.kind not in _KINDS:
        raise InputError(
            f"a law of kind {law.kind!r} gives the time at one token count; the simulator takes {', '.join(_KINDS)}, "
            "context_affine"
        )
    kind, names = _KINDS[law.kind]
    return IterationTime(kind, tuple(float(getattr(law, n)) for n in names))


def profile_time(name: str) -> IterationTime:
    """The iteration time of a hardware profile, by its name or file."""
    from qtheory import profiles

    return iteration_time(profiles.load(name).law)


def length_law(law: LengthLaw) -> Law:
    """A length law of :mod:`qtheory.workloads` as the simulator draws it: tabulated where its tail exceeds 2**-53."""
    from qtheory import workloads

    if isinstance(law, workloads.Geometric) and law.minimum == 1:
        return Geometric.with_mean(law.mean)
    last = law.maximum if law.maximum is not None else law.quantile(1.0 - _TAIL)
    if last > MOST_TABULATED:
        raise InputError(f"{law!r} reaches {last} tokens: more than the {MOST_TABULATED} that the simulator tabulates")
    lengths = np.arange(law.minimum, last + 1)
    weights = np.asarray(law.pmf(lengths), dtype=float)
    kept = weights > 0
    return Discrete(tuple(map(float, lengths[kept])), tuple(weights[kept] / weights.sum()))


def workload_law(name: str, part: str, label: str | None = None) -> Law:
    """The law of ``part`` ("prompt" or "output") of a named workload's class ``label`` (None: its only class)."""
    from qtheory import workloads

    workload = workloads.load(name)
    labels = [c.name for c in workload.classes]
    if label is None and len(labels) > 1:
        raise InputError(f"workload {name!r} has the classes {', '.join(labels)}: say which")
    if label is not None and label not in labels:
        raise UnknownNameError(f"class of workload {name!r}", label, labels)
    law: LengthLaw | None = getattr(workload.classes[labels.index(label) if label is not None else 0], part)
    if law is None:
        raise InputError(f"workload {name!r} says nothing of the {part} lengths")
    return length_law(law)


def trace_law(workload: Workload, part: str, blocks: int | None = None) -> Law:
    """The ``part`` of a workload's trace in its order: "prompt" and "output" lengths, or the gaps of its "arrivals".

    "cached": the tokens of each prompt that a prefix cache of so many ``blocks`` (None: endless) has when it arrives,
    by the hashes of the trace.
    """
    trace = workload.trace
    if trace is None:
        raise InputError(f"workload {workload.name!r} has no trace")
    if part == "arrivals":
        if trace.arrival_times is None:
            raise InputError("this trace has no arrival times")
        return Listed(tuple(np.diff(np.concatenate(([0.0], trace.arrival_times - trace.arrival_times[0])))))
    if part == "cached":
        from qtheory.workloads import shared_prefix

        if trace.prefixes is None or not any(trace.prefixes):
            raise InputError("this trace has no hashes of prompts' blocks")
        return Listed(tuple(map(float, shared_prefix(trace.prefixes, trace.prompt_lengths, blocks))), 0.0)
    lengths = trace.prompt_lengths if part == "prompt" else trace.output_lengths
    return Listed(tuple(map(float, lengths)), float(lengths[-1]))
