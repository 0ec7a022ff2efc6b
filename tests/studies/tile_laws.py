"""The tile law (2) against measured matrix products by their number of tokens: widths, rates, and where it fails.

    python tests/studies/tile_laws.py FOLDER [PICTURE.png]

FOLDER has kernel times in the layout of the package aiconfigurator-core, ``<gpu>/gemm/<engine>/<version>/*.parquet``
(columns m, n, k, gemm_dtype, latency in ms). To each product of m tokens with n x k weights in 16 bits a staircase
``column ceil(m/w) + token m`` is fitted (`qtheory.profiles.fitting`), and printed as a table in Markdown: w and the
rate of full columns with 95 percent intervals, the law's held-out errors, those below one tile, and at the places where
the data have two neighbours m and m + 1 how much the time jumps there, in the median, beside what the law says.
"""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from qtheory.errors import InputError
from qtheory.models.laws import TOKENS, StaircaseLaw
from qtheory.profiles.fitting import LawFit, Settings, fit_law
from qtheory.profiles.measurements import Measurements
from qtheory.report.style import PAGE, STYLES, drawn

GPUS = ("a100_sxm", "h100_sxm", "h200_sxm", "b200_sxm")
SHAPES = {"8B, QKV": (6144, 4096), "70B, QKV": (10240, 8192), "wide": (16384, 8192), "narrow": (1024, 8192)}
HEAD = ("GPU", "product", "m", "width", "rate, TFLOP/s", "held out", "below a tile", "measured jump after 128, 256",
        "law's")


def points(folder: Path, gpu: str, n: int, k: int) -> tuple[Any, Any]:
    """Tokens and the median seconds of a product of that shape, by tokens."""
    import pyarrow.parquet as pq

    files = sorted((folder / gpu / "gemm" / "vllm").glob("*/gemm_perf.parquet"))
    table = pq.read_table(files[-1], filters=[("n", "=", n), ("k", "=", k), ("gemm_dtype", "=", "bfloat16")])
    m, t = np.array(table["m"]), np.array(table["latency"]) / 1e3
    tokens = np.unique(m)
    return tokens, np.array([np.median(t[m == x]) for x in tokens])


def measured(tokens: Any, seconds: Any, name: str) -> Measurements:
    return Measurements(name, {TOKENS: tokens.astype(float)}, seconds)


def jumps(tokens: Any, time: Any) -> list[float]:
    """T(m + 1)/T(m) - 1 at the multiples of 128 whose neighbour is there."""
    at = {int(m): float(t) for m, t in zip(tokens, time, strict=True)}
    return [at[m + 1] / at[m] - 1 for m in (128, 256) if m in at and m + 1 in at]


def row(gpu: str, name: str, n: int, k: int, tokens: Any, seconds: Any, fit: LawFit) -> list[str]:
    law = fit.law
    assert isinstance(law, StaircaseLaw)
    low, high = fit.intervals["t_col"]
    full = law.tile_time / law.t_col + law.token_time  # seconds a token in full columns
    spread = np.sqrt(fit.covariance.array() @ [1 / law.t_col, 1.0] @ [1 / law.t_col, 1.0])
    rate, half = 2 * n * k / full / 1e12, 1.96 * spread / full
    errors = np.abs(np.array(fit.held_out)) if fit.held_out else np.array([np.nan])
    below = law.time(tokens) / seconds - 1
    there, told = jumps(tokens, seconds), jumps(tokens, law.time(tokens))
    small = tokens <= law.t_col
    return [gpu, f"{name} ({n} x {k})", str(tokens.size), f"{law.t_col:.0f} [{low:.0f}, {high:.0f}]",
            f"{rate:.0f} [{rate * (1 - half):.0f}, {rate * (1 + half):.0f}]",
            f"{np.median(errors):.1%}, {np.quantile(errors, 0.9):.0%}",
            f"{below[small].min():+.0%} to {below[small].max():+.0%}",
            ", ".join(f"{j:+.0%}" for j in there) or "-", ", ".join(f"{j:+.0%}" for j in told) or "-"]


def picture(found: dict[tuple[str, str], tuple[Any, Any, LawFit]], path: Path) -> None:
    """Measured times with their fit, a panel a GPU, of the second shape."""
    shape = list(SHAPES)[1]

    def draw(figure: Any) -> None:
        grid = figure.subplots(1, len(GPUS))
        for axes, gpu in zip(grid, GPUS, strict=True):
            axes.set(xscale="log", yscale="log", title=gpu.removesuffix("_sxm").upper(), xlabel="tokens m")
            if (gpu, shape) not in found:
                continue
            tokens, seconds, fit = found[gpu, shape]
            line = np.unique(np.concatenate([np.geomspace(1, tokens[-1], 2000).round(), tokens]))
            axes.plot(line, 1e3 * fit.law.time(line), "-", color=STYLES[1][0], label="staircase, fitted")
            axes.plot(tokens, 1e3 * seconds, ".", color=STYLES[0][0], markersize=3, label="measured")
        grid[0].set(ylabel="ms")
        grid[0].legend()

    path.write_bytes(drawn(draw, (PAGE, 2.2), path.suffix))


def main(folder: str, out: str | None = None) -> int:
    found: dict[tuple[str, str], tuple[Any, Any, LawFit]] = {}
    print("| " + " | ".join(HEAD) + " |\n" + "| --- " * len(HEAD) + "|")
    for gpu, (name, (n, k)) in product(GPUS, SHAPES.items()):
        tokens, seconds = points(Path(folder), gpu, n, k)
        if not tokens.size:
            continue
        try:
            fit = fit_law(StaircaseLaw, measured(tokens, seconds, gpu), Settings())
        except InputError as error:
            print(f"| {gpu} | {name} | {tokens.size} | not told: {error} |")
            continue
        found[gpu, name] = tokens, seconds, fit
        print("| " + " | ".join(row(gpu, name, n, k, tokens, seconds, fit)) + " |", flush=True)
    if out:
        picture(found, Path(out))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
