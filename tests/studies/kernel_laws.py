"""Every law fitted to iteration times from kernels: held-out errors, where each fails, and profiles.

    python tests/studies/kernel_laws.py [--tables TABLES] [--write FOLDER] [--csv FILE] GPU,ENGINE,MODEL,TP ...

For each set prints, of each law, the median and the 95th percentile of the held-out error, where the best law misses
most, and the error of the critical rate that follows from it. ``--write`` leaves there the profile of the
``context_affine`` law of each set and, where another law errs less, that law's; ``--csv`` the errors of all laws, which
the table ``profiles-laws`` shows.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from qtheory.models.laws import LAWS, TOKENS
from qtheory.profiles import kernels
from qtheory.profiles.files import to_toml
from qtheory.profiles.fitted import profile_from_fit, slug
from qtheory.profiles.fitting import FitReport, fit, fit_law
from qtheory.profiles.kernels.points import measurements
from qtheory.profiles.quality import Quality, capacity_errors, capacity_markdown, markdown, quality, worst_band

COLUMNS = ("gpu", "engine", "version", "model", "tensor_parallel", "law", "batches", "median", "p95", "band_from",
           "band_to", "band_error", "worst_at", "worst_error", "rate_error")


def pair(report: FitReport, chosen: kernels.Engine) -> str:
    """Errors of the prefill and decode pair, which cannot tell mixed iterations, on the others."""
    data = measurements(chosen, "pair")
    found = fit_law(LAWS["prefill_decode"], data, report.settings)
    sizes = np.abs(np.array(found.held_out))
    return f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.95):.0f} %"


def append(file: Path, report: FitReport) -> None:
    """A row for each law that was fitted."""
    new, data, rates = not file.exists(), report.data, capacity_errors(report)
    with file.open("a", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        if new:
            writer.writerow(COLUMNS)
        for found in report.fits:
            if found.held_out is not None:
                errors = np.array(found.held_out)
                miss = worst_band(data.columns[TOKENS], errors)
                sizes = [float(f"{x:.4g}") for x in (np.median(np.abs(errors)), np.quantile(np.abs(errors), 0.95),
                                                     miss.size, miss.error, rates[found.law.kind])]
                writer.writerow((data.gpu, data.provenance["engine"], data.provenance["engine_version"], data.model,
                                 data.tensor_parallel, found.law.kind, errors.size, *sizes[:2], int(miss.least),
                                 int(miss.most), sizes[2], int(miss.tokens), *sizes[3:]))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("sets", nargs="+")
    options = parser.parse_args()
    found: list[Quality] = []
    rows = []
    for name in options.sets:
        gpu, engine, model, degree = name.split(",")
        chosen = kernels.Engine(kernels.tables(gpu, engine, options.tables), kernels.shape(model), int(degree))
        report = fit(measurements(chosen, "serving"))
        found.append(quality(report))
        cells = []
        for kind in ("affine", "piecewise_linear", "concave", "staircase", "memory_linear", "context_affine"):
            if kind in report.not_fitted:  # the times do not bend that way: the affine law again
                cells.append("")
                continue
            sizes = np.abs(np.array(report.of(kind).held_out))
            cells.append(f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.95):.0f} %")
        best = found[-1].best.law.kind.replace("_", " ")
        rows.append(f"| {gpu}, {engine}, {model}, TP {degree} | {' | '.join([*cells, pair(report, chosen), best])} |")
        if options.csv:
            append(options.csv, report)
        if options.write:
            title = gpu.removesuffix("_sxm").removesuffix("_server").replace("_", " ").upper()
            short = model.replace("llama-3.1", "llama")  # a page's width is all that a name and its model have
            file = slug(f"{title.replace(' PRO', '')} {short} {engine.replace('trtllm', 'trt')} kernels")
            for kind in dict.fromkeys(("context_affine", report.best().law.kind)):
                full = file if kind == "context_affine" else f"{file.removesuffix('-kernels')}-{slug(kind)}"
                profile = profile_from_fit(report, kind=kind, name=full, gpu=title,
                                           note="Fitted to sums of measured kernels over the batches of serving.")
                (options.write / f"{full}.toml").write_text(to_toml(profile), "utf-8")
    heads = ("set", "affine", "piecewise linear", "concave", "staircase", "memory linear", "context affine",
             "pair (unmixed)", "best")
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    print("\n".join(rows))
    print("\n" + markdown(found))
    print(capacity_markdown(found))


if __name__ == "__main__":
    main()
