"""The table ``eb-crossover``: condition (7), mixed against exclusive batching, on measured hardware.

Source: "Threshold-Based Exclusive Batching for LLM Inference" (arXiv:2606.00516), Proposition 3.4. The numbers come
from `qtheory.theory.crossover` and `qtheory.theory.threshold`.
"""

from __future__ import annotations

from collections.abc import Iterator

from qtheory import __version__
from qtheory.models.laws import PrefillDecodeLaw
from qtheory.profiles.schema import HardwareProfile
from qtheory.report.base_threshold import (
    K0,
    Threshold,
    intervals_of,
    intervals_sentence,
    profiles_sentence,
    provenance,
    require_covariance,
    threshold,
    with_ends,
    workloads_sentence,
)
from qtheory.report.inputs import with_prompts
from qtheory.report.table import Column, Math, Note, Table, Text, Value, ends_of
from qtheory.theory import crossover
from qtheory.theory.threshold import numeric, switching_threshold
from qtheory.workloads import Workload

GAP = Math(r"\beta^e_{\mathrm{MB}}-\beta^w_{\mathrm{EB}}", "β_MB^e - β_EB^w")
TP_MB, TP_EB = Math(r"\mathrm{TP}_{\mathrm{MB}}", "TP_MB"), Math(r"\mathrm{TP}_{\mathrm{EB}}", "TP_EB")
MILLION = 1e6  # tokens: costs are in seconds per million tokens

COLUMNS = (
    Column("profile", "profile", "hardware profile", text=True, group=True),
    Column("workload", "workload", "named workload", text=True, once=True),
    Column("r", Math("r", "r"), "decode ratio mu_O/(mu_L + mu_O)", digits=3, once=True),
    Column("theta0", Math(r"\theta_0", "θ0"), "base threshold, the solution of (3)", digits=3, once=True,
           printed=False),
    Column("N", Math("N", "N"), "batch size", "requests", bare=True),
    Column("k0", K0, "switching threshold floor(theta0 N)", "requests", bare=True),
    Column("gap", GAP, "left-hand side of (7)", "s/Mtoken", digits=3),
    *ends_of("gap", r"\Delta", "Δ", "s/Mtoken", digits=3),
    Column("bound", "largest gap", "right-hand side of (7), zeta at k0*/N", "s/Mtoken", digits=3),
    *ends_of("bound", "B", "B", "s/Mtoken", digits=3),
    Column("mixed", TP_MB, "throughput of mixed batching", "requests/s", digits=3),
    *ends_of("mixed", r"\mathrm{TP}_{\mathrm{MB}}", "TP_MB", "requests/s", digits=3),
    Column("exclusive", TP_EB, "fluid throughput of exclusive batching at k0*", "requests/s", digits=3),
    *ends_of("exclusive", r"\mathrm{TP}_{\mathrm{EB}}", "TP_EB", "requests/s", digits=3),
    Column("faster", "faster", "the discipline of the higher throughput", text=True),
    Column("lead", "lead", "throughput of mixed less that of exclusive batching", "requests/s", digits=3,
           printed=False),
    *ends_of("lead", "D", "D", "requests/s", digits=3),
    Column("undecided", "undecided", "the interval of the lead holds 0", printed=False),
    Column("break_even", "break-even", "cost per token of a mixed batch at which the two are even", "s/Mtoken",
           digits=3, printed=False),
    Column("alpha_MB", "alpha_MB", "fixed time of a mixed batch", "s", printed=False),
    Column("beta_MB", "beta_MB", "cost per token of a mixed batch", "s/token", printed=False),
    Column("workload_source", "source", "source of the workload", text=True, printed=False),
    Column("qtheory", "qtheory", "version of qtheory", text=True, printed=False),
)


# With the ends of intervals printed, the throughputs and what leads to them stay in the data formats.
HIDDEN = tuple(f"{name}{end}" for name in ("mixed", "exclusive", "lead") for end in ("", "_low", "_high"))
HELD: Text = (" with ", K0, " held fixed, those of the left-hand side of (7) as ", Math(r"\Delta^\pm", "Δ±"),
              ", of its right-hand side as ", Math(r"B^\pm", "B±"),
              " (those of the throughputs are in the data formats)")


def table(
    profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], batches: tuple[int, ...],
    intervals: bool = False,
) -> Table:
    """Both sides of (7) for profiles with a prefill and decode pair, workloads with a mean prompt length, and batch
    sizes (requests). A mixed batch has the profile's prefill law: a decode token costs what a prefill token does.

    The data formats hold the ends of intervals wherever the profile has a covariance; ``intervals`` prints those of
    both sides.
    """
    if intervals:
        require_covariance(profiles)
    usable = with_prompts(workloads)
    rows = tuple(row for profile in profiles for workload in usable for row in _rows(profile, workload, batches))
    return Table(
        name="eb-crossover", title="Mixed against exclusive batching",
        caption=_caption(profiles, usable, intervals) + (intervals_sentence(HELD) if intervals else ()),
        label="tab:eb-crossover", columns=with_ends(COLUMNS, HIDDEN) if intervals else COLUMNS, rows=rows,
        version=__version__, provenance=tuple(provenance(profile) for profile in profiles),
        notes=(Note("faster", "undecided", (
            "the 95 percent interval of the difference of the throughputs holds 0.",)),),
    )


def _rows(profile: HardwareProfile, workload: Workload, batches: tuple[int, ...]) -> Iterator[tuple[Value, ...]]:
    law, numbers = profile.law, threshold(profile, workload)
    assert isinstance(law, PrefillDecodeLaw)  # threshold() has raised otherwise
    mu_L = float(workload.prompt.mean)
    for N in batches:
        k0 = int(switching_threshold(numbers.theta0, N))

        def computed(law: PrefillDecodeLaw, N: int = N, k0: int = k0) -> list[float]:
            return _compared(law, numbers, mu_L, k0, N)

        values: list[Value] = [*computed(law)]
        ends: list[tuple[Value, Value]] = [(None, None)] * 5
        ends = [*(intervals_of(computed, profile) or ends)]
        faster = break_even = undecided = None
        if k0 == 0:
            for lacking in (1, 3, 4):
                values[lacking], ends[lacking] = None, (None, None)
        else:
            gap, bound, mixed, exclusive, _ = computed(law)
            low, high = ends[4]
            undecided = None if low is None or high is None else bool(float(low) <= 0 <= float(high))
            faster, break_even = "MB" if mixed > exclusive else "EB", bound + law.beta_p * MILLION - gap
        ended = [x for value, pair in zip(values, ends, strict=True) for x in (value, *pair)]
        yield (profile.name, workload.name, numbers.mu_O / (mu_L + numbers.mu_O), numbers.theta0, N, k0,
               *ended[:-3], faster, *ended[-3:], undecided, break_even, law.alpha_p, law.beta_p, workload.source,
               __version__)


def _compared(law: PrefillDecodeLaw, numbers: Threshold, mu_L: float, k0: int, N: int) -> list[float]:
    """Both sides of (7) in s/Mtoken, the throughputs of the two disciplines and their difference; 0 for what k0* = 0
    lacks."""
    lengths, fixed = {"mu_L": mu_L, "mu_O": numbers.mu_O}, {"alpha_p": law.alpha_p, "alpha_d": law.alpha_d}
    cost = float(crossover.numeric("exclusive_cost", beta_p=law.beta_p, beta_d=law.beta_d, **lengths))
    mixed = float(crossover.numeric("mixed_throughput", N=N, alpha_MB=law.alpha_p, beta_MB=law.beta_p, **lengths))
    if k0 == 0:
        return [(law.beta_p - cost) * MILLION, 0.0, mixed, 0.0, 0.0]
    bound = float(crossover.numeric("largest_gap", k=k0, N=N, alpha_MB=law.alpha_p, **fixed, **lengths))
    exclusive = float(numeric("throughput", k=k0, N=N, p0=numbers.p0, beta_p=law.beta_p, beta_d=law.beta_d, mu_L=mu_L,
                              **fixed))
    return [(law.beta_p - cost) * MILLION, bound * MILLION, mixed, exclusive, mixed - exclusive]


def _caption(profiles: tuple[HardwareProfile, ...], workloads: tuple[Workload, ...], intervals: bool) -> Text:
    compared = "" if intervals else ", and the throughputs that it compares"
    return (
        f"The two sides of (7) of arXiv:2606.00516{compared}: mixed batching is the faster one where ", GAP,
        " is below the largest gap, the right-hand side, which is negative where a mixed batch is dear to launch. A "
        "mixed batch has the profile's prefill law, ",
        Math(r"\alpha_{\mathrm{MB}}=\alpha_p", "α_MB = α_p"), " and ",
        Math(r"\beta^e_{\mathrm{MB}}=\beta_p", "β_MB^e = β_p"),
        ": no interference beyond a decode token's costing what a prefill token does; the data formats hold the "
        "cost per token at which the two are even. ",
        Math(r"\zeta", "ζ"), " is taken at ", Math(r"k_0^\ast/N", "k0*/N"),
        ". Costs are in seconds per million tokens. Left out where ",
        Math(r"k_0^\ast = 0", "k0* = 0"),
        ". " + profiles_sentence(profiles) + " " + workloads_sentence(workloads),
        f" Computed by qtheory {__version__}.",
    )
