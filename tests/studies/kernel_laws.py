"""Every law fitted to iteration times from kernels: held-out errors, where each fails, and profiles.

    python tests/studies/kernel_laws.py [--tables TABLES] [--write FOLDER] GPU,ENGINE,MODEL,TP ...

For each set prints, of each law, the median and the 95th percentile of the held-out error, where the best law misses
most, and the error of the critical rate that follows from it. ``--write`` leaves there the profile of the
``context_affine`` law of each set.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from qtheory.models.laws import LAWS
from qtheory.profiles import kernels
from qtheory.profiles.files import to_toml
from qtheory.profiles.fitted import profile_from_fit, slug
from qtheory.profiles.fitting import FitReport, fit, fit_law
from qtheory.profiles.kernels.points import measurements
from qtheory.profiles.quality import Quality, capacity_markdown, markdown, quality


def pair(report: FitReport, chosen: kernels.Engine) -> str:
    """Errors of the prefill and decode pair, which cannot tell mixed iterations, on the others."""
    data = measurements(chosen, "pair")
    found = fit_law(LAWS["prefill_decode"], data, report.settings)
    sizes = np.abs(np.array(found.held_out))
    return f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.95):.0f} %"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables")
    parser.add_argument("--write", type=Path)
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
        for kind in ("affine", "piecewise_linear", "staircase", "memory_linear", "context_affine"):
            sizes = np.abs(np.array(report.of(kind).held_out))
            cells.append(f"{100 * np.median(sizes):.1f} %, {100 * np.quantile(sizes, 0.95):.0f} %")
        best = found[-1].best.law.kind.replace("_", " ")
        rows.append(f"| {gpu}, {engine}, {model}, TP {degree} | {' | '.join([*cells, pair(report, chosen), best])} |")
        if options.write:
            title = gpu.removesuffix("_sxm").removesuffix("_server").replace("_", " ").upper()
            file = slug(f"{title} {model} tp{degree} {engine} kernels")
            profile = profile_from_fit(report, kind="context_affine", name=file, gpu=title,
                                       note="Fitted to sums of measured kernels over the batches of serving.")
            (options.write / f"{file}.toml").write_text(to_toml(profile), "utf-8")
    heads = ("set", "affine", "piecewise linear", "staircase", "memory linear", "context affine", "pair (unmixed)",
             "best")
    print("| " + " | ".join(heads) + " |\n|" + " --- |" * len(heads))
    print("\n".join(rows))
    print("\n" + markdown(found))
    print(capacity_markdown(found))


if __name__ == "__main__":
    main()
