"""The table of a service's clients: whether each one's arrivals are Poisson, by windows in which the rate is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qtheory import __version__
from qtheory.errors import InputError
from qtheory.report.table import Column, Math, Table, Value
from qtheory.workloads import Client, read_clients

LEAST = 30  # requests of a window below which its variation tells little
LEVEL = 0.01
COLUMNS = (
    Column("client", "client", "the client's number in the file's name", text=True),
    Column("requests", "requests", "number of requests, from the windows' rates"),
    Column("windows", "windows", f"windows with at least {LEAST} requests, of all with any"),
    Column("gap_variation", Math("c_A^2", "c_A²"), "median over those windows of the squared coefficient of variation "
           "of the times between arrivals; 1 for Poisson", digits=3),
    Column("rejected", "rejected", "share of those windows in which a Poisson law is rejected at level 0.01", digits=2),
    Column("p_poisson", Math("p_P", "p Poisson"), "p-value: Poisson within every window", digits=2),
    Column("dispersion", Math("I", "I"), "variance over mean of the windows' arrivals, all windows; 1 for Poisson at a "
           "constant rate", digits=3),
    Column("p_rate", Math("p_{rate}", "p rate"), "p-value: Poisson at one rate (chi-square)", digits=2),
)


def table(folders: tuple[str | Path, ...]) -> Table:
    """One row a client of each folder, and one for all of a folder together; InputError for no folder."""
    if not folders:
        raise InputError("no clients given; name their folder, such as --workload servegen/")
    rows: list[tuple[Value, ...]] = []
    for folder in folders:
        clients = read_clients(folder)
        rows += [_row(client) for client in clients]
        rows.append(_sum(clients))
    return Table(
        name="clients", title="Clients of a service", label="tab:clients", columns=COLUMNS, rows=tuple(rows),
        version=__version__,
        caption=("Whether clients' requests come as a Poisson process. In a window of n requests the coefficient of "
                 "variation c of the times between them has (c - 1) sqrt(n) near a standard normal law, with a "
                 "spread below 1 for small n, so that the tests keep their level. The last row is of all clients: "
                 f"windows, the share rejected, and the dispersion of their sum. From qtheory {__version__}.",),
        provenance=tuple({"folder": str(folder)} for folder in folders),
    )


def _counts(client: Client) -> np.ndarray:
    """Requests in each window, the last as long as the one before it."""
    length = np.diff(client.starts)
    return client.rates * (np.append(length, length[-1:]) if len(length) else 1.0)


def _deviations(client: Client) -> np.ndarray:
    """(c - 1) sqrt(n) of the windows with enough requests."""
    counts = _counts(client)
    enough = counts >= LEAST
    return np.asarray((client.variations[enough] - 1) * np.sqrt(counts[enough]))


def _row(client: Client) -> tuple[Value, ...]:
    from scipy import stats

    counts, deviations = _counts(client), _deviations(client)
    some = len(deviations) > 0
    return (client.name, round(counts.sum()), len(deviations),
            float(np.median(client.variations[counts >= LEAST]) ** 2) if some else None,
            float(np.mean(_rejected(deviations))) if some else None,
            float(stats.chi2.sf((deviations**2).sum(), len(deviations))) if some else None, *_dispersion(counts))


def _sum(clients: tuple[Client, ...]) -> tuple[Value, ...]:
    deviations = np.concatenate([_deviations(client) for client in clients])
    totals: dict[float, float] = {}
    for client in clients:
        for start, count in zip(client.starts, _counts(client), strict=True):
            totals[float(start)] = totals.get(float(start), 0.0) + float(count)
    counts = np.array(list(totals.values()))
    return ("all", round(counts.sum()), len(deviations), None,
            float(np.mean(_rejected(deviations))) if len(deviations) else None, None, *_dispersion(counts))


def _rejected(deviations: np.ndarray) -> np.ndarray:
    from scipy import stats

    return 2 * stats.norm.sf(np.abs(deviations)) < LEVEL


def _dispersion(counts: np.ndarray) -> tuple[Value, Value]:
    """Variance over mean, and the p-value of a constant rate."""
    from scipy import stats

    if len(counts) < 2 or not counts.sum():
        return None, None
    index = float(counts.var(ddof=1) / counts.mean())
    return index, float(stats.chi2.sf(index * (len(counts) - 1), len(counts) - 1))
