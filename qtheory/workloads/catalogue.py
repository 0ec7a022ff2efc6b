"""Workloads by name or file: the papers' named workloads ship as TOML, and a user's own file has the same form.

A file gives ``title``, ``source``, optionally ``paper`` and ``note``, and one or more ``[[class]]`` tables with
``name`` and ``weight`` (both optional for a single class), ``[class.prompt]`` (optional) and ``[class.output]``.
A length table has ``law``, the law's parameters, and optionally ``basis``, what the source prints of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.workloads.base import LengthLaw, positive
from qtheory.workloads.counting import NegativeBinomial, Poisson
from qtheory.workloads.elementary import Deterministic, Geometric, ShiftedExponential, Uniform
from qtheory.workloads.entropy import MaximumEntropy
from qtheory.workloads.files import read_text
from qtheory.workloads.gamma import DiscretisedGamma
from qtheory.workloads.tabulated import Binned, Empirical
from qtheory.workloads.trace import read_trace
from qtheory.workloads.workload import RequestClass, Workload

# law -> its forms: (required keys, optional keys, constructor called with them as keywords)
Form = tuple[tuple[str, ...], tuple[str, ...], Callable[..., LengthLaw]]
LAWS: dict[str, tuple[Form, ...]] = {
    "deterministic": ((("length",), (), Deterministic),),
    "uniform": ((("least", "greatest"), (), Uniform),),
    "geometric": ((("mean",), (), Geometric.with_mean), (("success",), (), Geometric)),
    "poisson": ((("rate",), ("form",), Poisson),),
    "gamma": ((("shape", "mean"), (), DiscretisedGamma.with_mean), (("shape", "rate"), (), DiscretisedGamma)),
    "negative-binomial": (
        (("size", "mean"), (), NegativeBinomial.with_mean),
        (("size", "success"), (), NegativeBinomial),
    ),
    "shifted-exponential": (
        (("shift", "mean"), (), ShiftedExponential.with_mean),
        (("shift", "rate"), (), ShiftedExponential),
    ),
    "empirical": ((("lengths", "counts"), (), Empirical), (("sample",), (), lambda sample: Empirical.of(sample))),
    "binned": ((("edges", "weights"), (), Binned),),
    "maximum-entropy": (
        (
            ("least", "greatest", "mean"),
            ("standard_deviation",),
            lambda least, greatest, mean, standard_deviation=None: MaximumEntropy(
                least, greatest, mean, standard_deviation
            ),
        ),
    ),
}

_FILE_KEYS = ("title", "source", "paper", "note", "class")
_CLASS_KEYS = ("name", "weight", "prompt", "prompt_basis", "output")


def names() -> list[str]:
    """The names of the shipped workloads, in alphabetical order."""
    return sorted(entry.name[:-5] for entry in files(__package__).joinpath("data").iterdir()
                  if entry.name.endswith(".toml"))


def load(name_or_path: str | Path) -> Workload:
    """The workload of a shipped name, of a TOML file, or of a trace as CSV or JSON lines (see `read_trace`).

    What is a `Path`, ends in .toml, .csv or .jsonl, or has a slash is a file; all else is a name. Raises
    UnknownNameError with the nearest names, or InputError with file and place.
    """
    if not isinstance(name_or_path, str | Path):
        raise InputError(f"a workload is given by name or path, not by a {type(name_or_path).__name__}")
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix in (".toml", ".csv", ".jsonl") or "/" in name_or_path:
        if path.suffix in (".csv", ".jsonl"):
            return read_trace(path)
        return _parse(path.stem, str(path), read_text(path, "a workload is a TOML or CSV file"))
    if name_or_path not in names():
        raise UnknownNameError("workload", name_or_path, names())
    resource = files(__package__).joinpath("data", f"{name_or_path}.toml")
    return _parse(name_or_path, f"{name_or_path}.toml", resource.read_text(encoding="utf-8"))


def _parse(name: str, place: str, text: str) -> Workload:
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{place}: nested too deeply; see a shipped workload for the form") from None
    except ValueError as error:  # malformed, or an integer of thousands of digits
        end = f"at line {text.count(chr(10)) + 1}, column {len(text) - text.rfind(chr(10))}"
        raise InputError(f"{place}: {str(error).replace('at end of document', end)}") from None
    _only(place, data, _FILE_KEYS)
    tables = data.get("class")
    if not isinstance(tables, list) or not tables or not all(isinstance(t, dict) for t in tables):
        raise InputError(f"{place}: no [[class]] table; a workload needs at least one class of requests")
    classes = tuple(_class(f"{place}, class {i + 1}", table, len(tables)) for i, table in enumerate(tables))
    title, source, paper, note = (_text(place, data, key) for key in ("title", "source", "paper", "note"))
    for key, value in (("title", title), ("source", source)):
        if not value:
            raise InputError(f"{place}: {key} is missing; say what the workload is and where it is from")
    return Workload(name, title, paper, source, note, classes)


def _class(place: str, table: dict[str, Any], count: int) -> RequestClass:
    _only(place, table, _CLASS_KEYS)
    name = _text(place, table, "name") or ("all" if count == 1 else "")
    if not name:
        raise InputError(f"{place}: name is missing; each of several classes needs one")
    try:
        weight = positive("weight", table.get("weight", 1.0))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if "output" not in table:
        raise InputError(f"{place}: no [class.output] table; an output length is needed")
    output, output_basis = _length(f"{place}, output", table["output"])
    prompt, prompt_basis = None, _text(place, table, "prompt_basis")
    if "prompt" in table:
        prompt, prompt_basis = _length(f"{place}, prompt", table["prompt"])
    return RequestClass(name, weight, prompt, output, prompt_basis, output_basis)


def length_law(place: str, table: object) -> LengthLaw:
    """The length law of a table, as in a workload's file; InputError with the place."""
    return _length(place, table)[0]


def _length(place: str, table: object) -> tuple[LengthLaw, str]:
    if not isinstance(table, dict):
        raise InputError(f"{place}: must be a table with a key law")
    law = table.get("law")
    if not isinstance(law, str):
        raise InputError(f"{place}: law is missing; it must be one of {', '.join(LAWS)}")
    if law not in LAWS:
        raise UnknownNameError(f"law ({place})", law, list(LAWS))
    basis = _text(place, table, "basis")
    given = {key: value for key, value in table.items() if key not in ("law", "basis")}
    for required, optional, construct in LAWS[law]:
        if set(required) <= set(given) <= set(required) | set(optional):
            try:
                return construct(**given), basis
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
            except TypeError:
                raise InputError(f"{place}: a parameter of {law} has the wrong type") from None
    forms = " or ".join(", ".join((*required, *(f"[{o}]" for o in optional))) for required, optional, _ in LAWS[law])
    raise InputError(f"{place}: {law} has {', '.join(sorted(given)) or 'no parameters'}; it takes {forms}")


def _only(place: str, table: dict[str, Any], known: tuple[str, ...]) -> None:
    for key in table:
        if key not in known:
            raise InputError(f"{place}: unknown key {key!r}; known are {', '.join(known)}")


def _text(place: str, table: dict[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str):
        raise InputError(f"{place}: {key} is {value!r}; it must be a string")
    return value
