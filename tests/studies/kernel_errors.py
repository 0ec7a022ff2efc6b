"""How far interpolated kernel times are from held-out measured ones, for every GPU and engine of a folder of tables.

    python tests/studies/kernel_errors.py [TABLES]

prints a Markdown table; without TABLES, of the installed package ``aiconfigurator-core``. Each cell has the median and
the 90th percentile of the size of the error, and the number of held-out measurements.
"""

from __future__ import annotations

import sys

from qtheory.profiles import kernels
from qtheory.profiles.kernels.held_out import held_out, markdown


def main(tables: str | None) -> None:
    found = {f"{gpu}, {engine}": held_out(kernels.tables(gpu, engine, tables))
             for gpu in kernels.gpus(tables) for engine in kernels.engines(gpu, tables)}
    print(markdown(found), end="")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
