"""Tables of the exclusive-batching paper (arXiv:2606.00516) whose derived columns follow from their printed ones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from statistics import mean

from qtheory.proofs.claims.eb.models.printed import exact
from qtheory.proofs.claims.eb.models.tables import TABLES
from qtheory.report.reproduce_rows import Progress, Reproduced, Row

PRINTED = "Each number is computed from the printed ones of its row, as they stand: half a unit of their last digits "
DIGITS = PRINTED + "may move it by more than the difference."


def derived(quantity: str, x: str, y: str) -> float:
    """A quantity of `qtheory.proofs.claims.eb.models.printed` at two printed cells."""
    return float(exact(quantity, Fraction(x), Fraction(y)))


def ratios(progress: Progress) -> Reproduced:
    """Table 1: FLOP per byte."""
    cells = TABLES[1].rows
    rows = [Row(gpu, "FLOP/B", float(c["flop-per-byte"]), derived("ratio", c["bandwidth"], c["fp16"]))
            for gpu, c in cells.items()]
    return Reproduced("GPU specifications", ("FLOP/B is FP16 in TFLOPS over the bandwidth in TB/s. " + DIGITS,), rows)


def gains(number: int, title: str, models: tuple[str, ...], progress: Progress) -> Reproduced:
    """Tables 2 and 17: % Diff. of EB(khat*) over v1 for each model (column prefix), and the averages."""
    return Reproduced(title, ("% Diff. is the throughput of EB(k̂*) over that of v1, less 1; an average is the mean of "
                              "the computed ones. " + DIGITS,), list(_gains(number, models)), "percent")


def _gains(number: int, models: tuple[str, ...]) -> Iterator[Row]:
    cells = TABLES[number].rows
    found: dict[str, list[float]] = {m: [] for m in models}
    for row, c in cells.items():
        for m in models:
            printed = float(c[f"{m}.diff"])
            if row.endswith("average"):
                yield Row(row, f"{m} average", printed, mean(found[m]))
                found[m] = []
            else:
                found[m].append(derived("gain", c[f"{m}.v1"], c[f"{m}.eb"]))
                yield Row(row, f"{m} % Diff.", printed, found[m][-1])


def across_models(progress: Progress) -> Reproduced:
    """Table 6: delta of EB over v1."""
    rows = [Row(model, "Δ", float(c["delta"]), derived("gain", c["v1"], c["eb"]))
            for model, c in TABLES[6].rows.items()]
    return Reproduced("Throughput at 128K tokens of context", ("Δ is EB over v1, less 1. " + DIGITS,), rows, "percent")
