"""The ``[chain]`` of a scenario: a Markov chain on counts alone, its moves and their sizes."""

from __future__ import annotations

import math
from typing import Any

from qtheory.errors import InputError
from qtheory.simulate.counts import CountsChain, Factor, Move
from qtheory.simulate.laws import Discrete
from qtheory.simulate.reading import law_of, number_of, numbers_of, table_of, text_of

CHAIN = ("start", "move"), ("step", "step_each")
MOVE = ("name", "change"), ("rate", "factors", "number", "law", "seconds")
FACTOR = ("kind", "weights"), ("offset", "low", "high")


def _numbers(table: Any, where: str) -> dict[str, Any]:
    """A table of count = number."""
    if not isinstance(table, dict):
        raise InputError(f"{where} must be a table of count = number, not {table!r}")
    return {k: number_of(v, f"{where}.{k}") for k, v in table.items()}


def _list(value: Any, where: str, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{where} must be {what}, not {value!r}")
    return value


def _factor(table: Any, where: str) -> Factor:
    t = table_of(table, where, *FACTOR)
    defaults = {"offset": 0.0, "low": 0.0, "high": math.inf}
    ends = {k: float(number_of(t[k], f"{where}.{k}")) if k in t else d for k, d in defaults.items()}
    return Factor(text_of(t["kind"], f"{where}.kind"), _numbers(t["weights"], f"{where}.weights"), **ends)


def _move(table: Any, where: str) -> Move:
    t = table_of(table, where, *MOVE)
    law = law_of(t.get("law"), f"{where}.law")
    if law is not None and not isinstance(law, Discrete):
        raise InputError(f"{where}.law must be discrete, binomial or poisson: it says how often the move happens")
    seconds = numbers_of(t.get("seconds", [0.0, 0.0]), f"{where}.seconds")
    if len(seconds) != 2:
        raise InputError(f"{where}.seconds must be two numbers: if it happens, and each time")
    factors = _list(t.get("factors", []), f"{where}.factors", "a list of tables")
    return Move(
        text_of(t["name"], f"{where}.name"),
        _numbers(t["change"], f"{where}.change"),
        float(number_of(t.get("rate", 1.0), f"{where}.rate")),
        tuple(_factor(f, f"{where}.factors {i + 1}") for i, f in enumerate(factors)),
        text_of(t.get("number", "all"), f"{where}.number"),
        law,
        (seconds[0], seconds[1]),
    )


def chain_of(table: Any) -> CountsChain:
    """The chain that a ``[chain]`` table describes; raises InputError or UnknownNameError with the place."""
    t = table_of(table, "chain", *CHAIN)
    moves = _list(t["move"], "chain.move", "written as [[chain.move]]")
    step = None if "step" not in t else float(number_of(t["step"], "chain.step"))
    each = _numbers(t.get("step_each", {}), "chain.step_each")
    start = _numbers(t["start"], "chain.start")
    return CountsChain(start, tuple(_move(m, f"move {i + 1}") for i, m in enumerate(moves)), step, each)
