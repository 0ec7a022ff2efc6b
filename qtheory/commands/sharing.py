"""The options of commands whose simulations run side by side: processes of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from concurrent.futures import Executor

Workers = Annotated[int, typer.Option(
    "--workers", min=1, help="Processes that share the simulation; the results do not depend on them.")]
Dask = Annotated[str | None, typer.Option(
    "--dask", help="Workers of a Dask cluster instead: tcp://HOST:PORT, or the scheduler's file.")]


@contextmanager
def sharing(workers: int, dask: str | None) -> Iterator[Executor | None]:
    """The executor that the options ask for; None for this process alone."""
    if dask is None and workers == 1:
        yield None
        return
    from qtheory.simulate.workers import cluster, processes

    with cluster(dask) if dask is not None else processes(workers) as executor:
        yield executor
