"""What closed forms lose under measured laws: the table ``regret`` by the kind of law.

    python tests/studies/regret_summary.py

Prints Markdown: a row for each kind of law, over all profiles with a law by tokens, the exclusive-batching paper's
workloads with prompts, and 256 slots.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qtheory.report import tables

HEADS = ("law", "profiles", "rows", "base threshold loses: median, most", "best threshold certified", "(7) right",
         "wrong", "open", "N_safe over N: least, median, most", "(6) unsafe")


def row(law: str, rows: list[dict[str, Any]]) -> str:
    loss, size = np.array([r["loss"] for r in rows]), np.array([r["safe"] / r["N"] for r in rows])
    known = [r for r in rows if r["by_law"] in ("mixed", "exclusive")]
    right = sum(r["by_7"] == r["by_law"] for r in known)
    cells = [law if law != "prefill decode" else "prefill and decode", len({r["profile"] for r in rows}), len(rows),
             f"{abs(np.median(loss)):.2f} %, {loss.max():.2f} %", sum(bool(r["certain"]) for r in rows), right,
             len(known) - right, sum(r["by_law"] == "open" for r in rows),
             f"{size.min():.3g}, {np.median(size):.3g}, {size.max():.3g}", int((size < 1).sum())]
    return "| " + " | ".join(map(str, cells)) + " |"


def main() -> None:
    rows = tables.regret().to_dict()["rows"]
    print("| " + " | ".join(HEADS) + " |\n| --- |" + " ---: |" * (len(HEADS) - 1))
    for law in dict.fromkeys(r["law"] for r in rows):
        print(row(law, [r for r in rows if r["law"] == law]))


if __name__ == "__main__":
    main()
