"""How the tables of a scenario are read: keys that are known, numbers, laws; each error names its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate import laws
from qtheory.simulate.checks import whole
from qtheory.simulate.sources import trace_law, workload_law

# law in a scenario: the function that makes it, its keys, and those that may be left out
LAWS: dict[str, tuple[Any, ...]] = {
    "deterministic": (laws.Deterministic, ("value",)),
    "exponential": (laws.Exponential, ("mean",)),
    "poisson-process": (laws.Exponential.with_rate, ("rate",)),
    "erlang": (laws.Erlang, ("stages", "mean")),
    "hyperexponential": (laws.HyperExponential, ("weights", "means")),
    "empirical": (laws.Empirical, ("values",)),
    "listed": (laws.Listed, ("values",), ("beyond",)),
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
# What may stand at a key of any table; at all others a number.
BOOLEANS = ("periodic", "saturated", "recompute", "one_token")
LISTS = ("values", "weights", "percentiles", "means", "rates", "lengths", "overhead", "constants")
ORDERS = ("order", "decode_order")
TEXTS = ("name", "station", "discipline", "blocking", "rule", "title", "claim", "source", "says", "variant",
         "measure", "higher_than", "stability", "key", "profile", "file", "class", "network", "length_law", "phases",
         *ORDERS)  # fmt: skip
_GREATEST = 2**1023  # of a whole number: what is greater is no floating-point number


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


def number_of(value: Any, where: str) -> float:
    """``value`` if it is a number; raises InputError otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or abs(value) > _GREATEST:
        raise InputError(f"{where} must be a number, not {value!r}")
    return value


def numbers_of(value: Any, where: str) -> tuple[float, ...]:
    """A list of numbers as a tuple; raises InputError otherwise."""
    if not isinstance(value, list):
        raise InputError(f"{where} must be a list of numbers, not {value!r}")
    return tuple(number_of(v, f"{where} {i + 1}") for i, v in enumerate(value))


def text_of(value: Any, where: str) -> str:
    """``value`` if it is text; raises InputError otherwise."""
    if not isinstance(value, str):
        raise InputError(f"{where} must be text, not {value!r}")
    return value


def value_of(name: str, value: Any, where: str) -> Any:
    """The value of the key ``name``: text, true or false, a list of numbers or a number, as the key asks."""
    at = f"{where}.{name}"
    if name in TEXTS:
        return text_of(value, at)
    if name in LISTS:
        return numbers_of(value, at)
    if name not in BOOLEANS:
        return number_of(value, at)
    if not isinstance(value, bool):
        raise InputError(f"{at} must be true or false, not {value!r}")
    return value


def law_of(table: Any, where: str) -> laws.Law | None:
    """The law that a table describes; None where there is no table. Raises InputError, or UnknownNameError."""
    if table is None:
        return None
    if not isinstance(table, dict) or not isinstance(table.get("law"), str):
        raise InputError(f"{where} must be a table with a law, such as {{law = 'exponential', mean = 2.0}}")
    part = where.rpartition(".")[2]
    if table["law"] == "workload":
        t = table_of(table, where, ("law", "name"), ("class",))
        label = text_of(t["class"], f"{where}.class") if "class" in t else None
        return workload_law(text_of(t["name"], f"{where}.name"), part, label)
    if table["law"] == "trace":
        from qtheory.workloads import read_trace

        t = table_of(table, where, ("law", "file"), ("blocks",) if part == "cached" else ())
        blocks = whole(f"{where}.blocks", number_of(t["blocks"], f"{where}.blocks")) if "blocks" in t else None
        return trace_law(read_trace(text_of(t["file"], f"{where}.file")), part, blocks)
    if table["law"] not in LAWS:
        raise UnknownNameError(f"law in {where}", table["law"], sorted([*LAWS, "workload", "trace"]))
    make, names, *more = LAWS[table["law"]]
    optional = more[0] if more else ()
    table_of(table, where, ("law", *names), optional)
    others = {n: value_of(n, table[n], where) for n in optional if n in table}
    values = [value_of(n, table[n], where) for n in names]
    try:
        made: laws.Law = make(*values, **others)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return made


def needed_law(table: Any, where: str) -> laws.Law:
    """The law of a key that is needed."""
    law = law_of(table, where)
    assert law is not None  # the key is needed, so the table is there
    return law


def beside(value: Any, folder: Path) -> Any:
    """The tables of a document with the files that they name looked for in ``folder``, not where one works."""
    if isinstance(value, list):
        return [beside(v, folder) for v in value]
    if not isinstance(value, dict):
        return value
    table = {k: beside(v, folder) for k, v in value.items()}
    if table.get("law") == "trace" and isinstance(table.get("file"), str):
        table["file"] = str(folder / table["file"])
    if isinstance(table.get("network"), str) and table["network"].endswith(".toml"):
        table["network"] = str(folder / table["network"])
    return table
