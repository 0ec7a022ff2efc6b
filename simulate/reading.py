"""How the tables of a scenario are read: keys that are known, numbers, laws; each error names its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate import laws
from qtheory.simulate.sources import trace_law, workload_law

# law in a scenario: the function that makes it, its keys, and those that may be left out
LAWS: dict[str, tuple[Any, ...]] = {
    "deterministic": (laws.Deterministic, ("value",)),
    "exponential": (laws.Exponential, ("mean",)),
    "poisson-process": (laws.Exponential.with_rate, ("rate",)),
    "erlang": (laws.Erlang, ("stages", "mean")),
    "hyperexponential": (laws.HyperExponential, ("weights", "means")),
    "empirical": (laws.Empirical, ("values",)),
    "listed": (laws.Listed, ("values",)),
    "discrete": (laws.Discrete, ("values", "weights")),
    "binomial": (laws.Discrete.binomial, ("trials", "chance")),
    "poisson": (laws.Discrete.poisson, ("mean",)),
    "uniform": (laws.Uniform, ("low", "high")),
    "geometric": (laws.Geometric.with_mean, ("mean",)),
    "lognormal": (laws.LogNormal, ("location", "spread")),
    "weibull": (laws.Weibull, ("scale", "shape")),
    "piecewise-poisson": (laws.StepRate, ("rates", "lengths"), ("periodic",)),
    "sinusoid-poisson": (laws.WaveRate, ("rate", "amplitude", "period"), ("phase",)),
}
BOOLEANS = ("periodic", "saturated", "recompute")
ORDERS = ("order", "decode_order")


def table_of(table: Any, where: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """``table`` if it has the needed keys and no unknown one; raises InputError or UnknownNameError otherwise."""
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table, not {table!r}")
    for key in table:
        if key not in needed + optional:
            raise UnknownNameError(f"key in {where}", key, sorted(needed + optional))
    missing = [k for k in needed if k not in table]
    if missing:
        raise InputError(f"{where} lacks {', '.join(missing)}")
    return table


def number_of(value: Any, where: str) -> Any:
    """``value`` if it is a number, a tuple if it is a list of them; raises InputError otherwise."""
    if isinstance(value, list):
        return tuple(number_of(v, where) for v in value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} must be a number, not {value!r}")
    return value


def option(name: str, value: Any, where: str) -> Any:
    """The value of a key that need not be there: a word, true or false, or a number."""
    if name in ORDERS:
        return str(value)
    if name not in BOOLEANS:
        return number_of(value, f"{where}.{name}")
    if not isinstance(value, bool):
        raise InputError(f"{where}.{name} must be true or false, not {value!r}")
    return value


def law_of(table: Any, where: str) -> laws.Law | None:
    """The law that a table describes; None where there is no table. Raises InputError, or UnknownNameError."""
    if table is None:
        return None
    if not isinstance(table, dict) or "law" not in table:
        raise InputError(f"{where} must be a table with a law, such as {{law = 'exponential', mean = 2.0}}")
    part = where.rpartition(".")[2]
    if table["law"] == "workload":
        t = table_of(table, where, ("law", "name"), ("class",))
        return workload_law(str(t["name"]), part, t.get("class"))
    if table["law"] == "trace":
        from qtheory.workloads import read_trace

        return trace_law(read_trace(str(table_of(table, where, ("law", "file"))["file"])), part)
    if table["law"] not in LAWS:
        raise UnknownNameError(f"law in {where}", str(table["law"]), sorted([*LAWS, "workload", "trace"]))
    make, names, *more = LAWS[table["law"]]
    optional = more[0] if more else ()
    table_of(table, where, ("law", *names), optional)
    others = {n: option(n, table[n], where) for n in optional if n in table}
    try:
        made: laws.Law = make(*(number_of(table[n], f"{where}.{n}") for n in names), **others)
    except (TypeError, InputError) as error:
        raise InputError(f"{where}: {error}") from None
    return made


def needed_law(table: Any, where: str) -> laws.Law:
    """The law of a key that is needed."""
    law = law_of(table, where)
    assert law is not None  # the key is needed, so the table is there
    return law


def beside(value: Any, folder: Path) -> Any:
    """The tables of a document with the trace files that they name looked for in ``folder``, not where one works."""
    if isinstance(value, list):
        return [beside(v, folder) for v in value]
    if not isinstance(value, dict):
        return value
    table = {k: beside(v, folder) for k, v in value.items()}
    if table.get("law") == "trace" and isinstance(table.get("file"), str):
        table["file"] = str(folder / table["file"])
    return table
