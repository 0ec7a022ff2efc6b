"""The table ``eb-threshold``: the base threshold of exclusive batching on measured hardware.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Proposition 3.1 and (4). All
numbers come from `qtheory.theory.threshold` and `qtheory.numerics.special`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import NamedTuple

from qtheory import __version__
from qtheory.errors import InputError
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.numerics.special import base_threshold
from qtheory.profiles.schema import HardwareProfile
from qtheory.profiles.uncertainty import propagate
from qtheory.report.table import Column, Math, Note, Table, Text, Value, ends_of
from qtheory.theory.threshold import numeric, switching_threshold
from qtheory.workloads import Geometric, Workload

Ends = tuple[Value, Value]  # of an interval; None where there is none

MU_O = Math(r"\mu_O", "μ_O")
P0 = Math("p_0", "p0")
K0 = Math(r"k_0^\ast", "k0*")
RATIO = Math(r"p_0\alpha_p/\alpha_d", "p0·α_p/α_d")


COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True, group=True),
    Column("workload", "workload", "named workload", text=True, once=True),
    Column("mu_O", MU_O, "mean output length", "tokens", digits=4, trim=True, once=True),
    Column("p0", P0, "constant hazard rate of the geometric law with mean mu_O", "1/iteration", digits=3, once=True),
    Column("ratio", RATIO, "right-hand side of (3), p0 alpha_p/alpha_d", digits=3, once=True),
    *ends_of("ratio", r"\gamma", "γ", digits=3, once=True),
    Column("theta0", Math(r"\theta_0", "θ0"), "base threshold, the solution of (3)", digits=3, once=True),
    *ends_of("theta0", r"\theta_0", "θ0", digits=3, once=True),
    Column("zeta", Math(r"\zeta", "ζ"), "-ln(1 - theta0)", digits=3, once=True),
    *ends_of("zeta", r"\zeta", "ζ", digits=3, once=True),
    Column("N", Math("N", "N"), "batch size", "requests", bare=True),
    Column("k0", K0, "switching threshold floor(theta0 N)", "requests", bare=True),
    *ends_of("k0", r"k_0", "k0", "requests"),
    Column("throughput", Math(r"\mathrm{TP}_{\mathrm{EB}}", "TP_EB"), "fluid throughput at k0*", "requests/s",
           digits=3),
    *ends_of("throughput", r"\mathrm{TP}", "TP", "requests/s", digits=3),
    Column("mu_L", Math(r"\mu_L", "μ_L"), "mean prompt length", "tokens", digits=4, printed=False),
    Column("extrapolated", "extrapolated", "an iteration of the cycle lies outside the law's range", printed=False),
    Column("gpu", "GPU", "GPU of the profile", text=True, printed=False),
    Column("model", "model", "model of the profile", text=True, printed=False),
    Column("engine", "engine", "engine and version of the profile", text=True, printed=False),
    Column("profile_source", "source", "source of the profile's constants", text=True, printed=False),
    Column("workload_source", "source", "source of the workload", text=True, printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


class Threshold(NamedTuple):
    """The numbers of one profile and workload: tokens, per iteration, and pure numbers."""

    mu_O: float
    p0: float
    ratio: float
    theta0: float
    zeta: float


def table(
    profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], batches: tuple[int, ...],
    intervals: bool = False,
) -> Table:
    """The table for profiles with a prefill and decode pair, workloads and batch sizes (requests).

    The data formats hold the ends of intervals wherever the profile has a covariance; ``intervals`` prints them.
    """
    if intervals:
        require_covariance(profiles)
    rows = tuple(row for profile in profiles for workload in workloads for row in _rows(profile, workload, batches))
    return Table(
        name="eb-threshold",
        title="Base threshold of exclusive batching",
        caption=_caption(profiles, workloads, intervals) + (intervals_sentence(_HELD) if intervals else ()),
        label="tab:eb-threshold",
        columns=with_ends(COLUMNS, _HIDDEN) if intervals else COLUMNS,
        rows=rows,
        version=__version__,
        provenance=tuple(provenance(profile) for profile in profiles),
        notes=(Note("throughput", "extrapolated", (
            "the prefill of ", Math(r"k_0^\ast\mu_L", "k0*·μ_L"), " tokens or the decode iteration of ",
            Math("N", "N"), " tokens lies outside the range of token counts of the profile's law.")),),
    )


# With the ends of intervals printed, what leads to theta0 stays in the data formats, and so do k0's ends.
_HIDDEN = ("p0", "ratio", "ratio_low", "ratio_high", "zeta", "zeta_low", "zeta_high", "k0_low", "k0_high")


def require_covariance(profiles: tuple[HardwareProfile, ...]) -> None:
    """Raise InputError unless some profile has the covariance that intervals are computed from."""
    if not any(_has_covariance(profile) for profile in profiles):
        raise InputError(f"no profile of {', '.join(p.name for p in profiles)} has a covariance of its constants, from "
                         "which intervals could be computed; fits of measurements record it")


def with_ends(columns: tuple[Column, ...], hidden: tuple[str, ...]) -> tuple[Column, ...]:
    """The columns with the ends of intervals printed, each beside its number; the ``hidden`` ones are not."""
    ended = {c.name.removesuffix("_low") for c in columns if c.name.endswith("_low")}
    ends = {f"{name}{end}" for name in ended for end in ("", "_low", "_high")}
    return tuple(replace(c, printed=c.name not in hidden and (c.printed or c.name in ends)) for c in columns)


def threshold(profile: HardwareProfile, workload: Workload) -> Threshold:
    """The base threshold of a profile with a prefill and decode pair, at the constant hazard rate whose geometric
    law has the workload's mean output length. InputError, naming both, for constants that cannot be used."""
    return threshold_with(pair_of(profile), profile, workload)


def threshold_with(law: PrefillDecodeLaw, profile: HardwareProfile, workload: Workload) -> Threshold:
    """The base threshold with the constants of ``law`` in place of the profile's own."""
    try:
        mean = float(workload.output.mean)
        p0 = Geometric.with_mean(mean).success
        ratio = float(numeric("ratio", p0=p0, alpha_p=law.alpha_p, alpha_d=law.alpha_d))
        solved = base_threshold(ratio)
    except InputError as error:
        raise InputError(f"profile {profile.name}, workload {workload.name}: {error}") from None
    return Threshold(mean, p0, ratio, float(solved.theta0), float(solved.zeta))


def _rows(profile: HardwareProfile, workload: Workload, batches: tuple[int, ...]) -> Iterator[tuple[Value, ...]]:
    numbers = threshold(profile, workload)
    mu_L = None if any(c.prompt is None for c in workload.classes) else float(workload.prompt.mean)
    for batch in batches:
        k0 = int(switching_threshold(numbers.theta0, batch))
        throughput = _throughput(pair_of(profile), numbers.p0, mu_L, k0, batch)
        outside = throughput is not None and mu_L is not None and not (
            _in_range(profile, k0 * mu_L) and _in_range(profile, batch))
        ratio, theta0, zeta, switches, rates = _ends(profile, workload, numbers, mu_L, k0, batch)
        yield (
            profile.name, workload.name, numbers.mu_O, numbers.p0, numbers.ratio, *ratio, numbers.theta0, *theta0,
            numbers.zeta, *zeta, batch, k0, *switches, throughput, *rates, mu_L, outside, profile.gpu, profile.model,
            _engine(profile), source(profile), workload.source, __version__,
        )


def _ends(
    profile: HardwareProfile, workload: Workload, numbers: Threshold, mu_L: float | None, k0: int, batch: int
) -> tuple[Ends, ...]:
    """Intervals of the ratio, theta0, zeta, k0* and the throughput: by the delta method, k0* held fixed in the last;
    k0*'s from those of theta0."""
    def computed(law: PrefillDecodeLaw) -> list[float]:
        return [*threshold_with(law, profile, workload)[2:], _throughput(law, numbers.p0, mu_L, k0, batch) or 0.0]

    found = intervals_of(computed, profile)
    if found is None:
        return ((None, None),) * 5
    ratio, theta0, zeta, rates = ((max(low, 0.0), high) for low, high in found)
    theta0 = theta0[0], min(theta0[1], 1.0)
    low, high = (int(switching_threshold(end, batch)) for end in theta0)
    return ratio, theta0, zeta, (low, high), (None, None) if mu_L is None or k0 == 0 else rates


def intervals_of(
    computed: Callable[[PrefillDecodeLaw], list[float]], profile: HardwareProfile
) -> list[tuple[float, float]] | None:
    """95 percent intervals of numbers computed from the profile's law; None without a covariance."""
    if not _has_covariance(profile):
        return None
    found = propagate(computed, profile)
    return list(zip(found.low.tolist(), found.high.tolist(), strict=True))


def _has_covariance(profile: HardwareProfile) -> bool:
    return profile.law_table is not None and profile.law_table.covariance is not None


def _throughput(law: PrefillDecodeLaw, p0: float, mu_L: float | None, k0: int, batch: int) -> float | None:
    """(4) with zeta at k0*/N, as in the claim eb.eq-4.rounded; None at k0* = 0, which is no threshold."""
    if mu_L is None or k0 == 0:
        return None
    return float(numeric("throughput", k=k0, N=batch, p0=p0, alpha_p=law.alpha_p, alpha_d=law.alpha_d,
                         beta_p=law.beta_p, beta_d=law.beta_d, mu_L=mu_L))


def _in_range(profile: HardwareProfile, tokens: float) -> bool:
    law = profile.law_table
    least, most = (law.tokens_min, law.tokens_max) if law else (None, None)
    return (least is None or tokens >= least) and (most is None or tokens <= most)


def pair_of(profile: HardwareProfile) -> PrefillDecodeLaw:
    """The profile's law, which must be a prefill and decode pair."""
    law = profile.law
    if not isinstance(law, PrefillDecodeLaw):
        raise InputError(f"profile {profile.name} has the law {law.kind}; a prefill_decode pair is needed")
    return law


def _engine(profile: HardwareProfile) -> str | None:
    return " ".join(part for part in (profile.engine, profile.engine_version) if part) or None


def source(profile: HardwareProfile) -> str:
    """Paper and place, or the file of measurements."""
    of = profile.source
    return f"{of.paper}, {of.place}" if of.paper else f"measurements {of.measurements}"


def about(profile: HardwareProfile) -> str:
    """The profile with its model, GPU, more than one GPU's tensor parallelism, and engine."""
    parallel = f"tensor parallel {profile.tensor_parallel}" if (profile.tensor_parallel or 1) > 1 else None
    return f"{profile.name} ({', '.join(x for x in (profile.model, profile.gpu, parallel, _engine(profile)) if x)})"


def provenance(profile: HardwareProfile) -> dict[str, Value]:
    return {
        "profile": profile.name, "gpu": profile.gpu, "model": profile.model, "engine": _engine(profile),
        "tensor_parallel": profile.tensor_parallel, "source": source(profile),
    }


_HELD: Text = (", with ", Math(r"k_0^\ast", "k0*"), " held fixed in the throughput")


def intervals_sentence(held: Text) -> Text:
    """What the printed ends are; ``held``: what was held fixed in them."""
    return (" Minus and plus mark the ends of 95 percent intervals: the covariance of the fitted constants by the "
            "delta method", *held, "; the law's own misfit is not in them.")


def _caption(profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], intervals: bool) -> Text:
    """What was computed, from which profiles and workloads, and by what."""
    printed = (Math(r"\zeta = -\ln(1-\theta_0)", "ζ = -ln(1 - θ0)"), "; ")
    return (
        Math(r"\theta_0", "θ0"), " solves (3) of arXiv:2606.00516 at the constant hazard rate ",
        Math(r"p_0 = 1/\mu_O", "p0 = 1/μ_O"), "; ", *(() if intervals else printed),
        Math(r"k_0^\ast = \lfloor\theta_0 N\rfloor", "k0* = ⌊θ0 N⌋"), "; ",
        Math(r"\mathrm{TP}_{\mathrm{EB}}", "TP_EB"), " is the fluid throughput (4) with its logarithm taken at ",
        Math(r"k_0^\ast/N", "k0*/N"), ", left out where no mean prompt length is known or ",
        Math(r"k_0^\ast = 0", "k0* = 0"), ". ",
        profiles_sentence(profiles) + " " + workloads_sentence(workloads) + f" Computed by qtheory {__version__}.",
    )


def profiles_sentence(profiles: tuple[HardwareProfile, ...]) -> str:
    """Each profile with GPU, model and engine; those of one source share its citation."""
    by_source: dict[str, list[str]] = {}
    for profile in profiles:
        by_source.setdefault(source(profile), []).append(about(profile))
    parts = [f"{', '.join(named)} from {origin}" for origin, named in by_source.items()]
    return ("Profile: " if len(profiles) == 1 else "Profiles: ") + "; ".join(parts) + "."


def workloads_sentence(workloads: tuple[Workload, ...]) -> str:
    """The workloads' sources, what they have in common said once."""
    sources: dict[str, list[str]] = {}
    for workload in workloads:
        sources.setdefault(workload.source, []).append(workload.name)
    kind = "Workload" if len(workloads) == 1 else "Workloads"
    if len(sources) == 1:
        return f"{kind} {', '.join(w.name for w in workloads)} from {workloads[0].source}."
    fields = zip(*(source.split(", ")[:-1] for source in sources), strict=False)  # of each something is left to name
    common = [field[0] for field in takewhile(lambda field: len(set(field)) == 1, fields)]
    parts = [f"{', '.join(source.split(', ')[len(common):])} ({', '.join(named)})" for source, named in sources.items()]
    return f"{kind} from {', '.join([*common, '; '.join(parts)])}."
