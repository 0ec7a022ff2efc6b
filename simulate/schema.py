"""The JSON schema of a scenario, from the tables that its parser reads."""

from __future__ import annotations

from typing import Any

from qtheory.simulate import agent_tables as T
from qtheory.simulate import chains as C
from qtheory.simulate import reading as R
from qtheory.simulate import scenarios as S
from qtheory.simulate.agents import LENGTHS, PHASES
from qtheory.simulate.counts import Factor, Move
from qtheory.simulate.engines import IterationTime
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.meanings import meaning
from qtheory.simulate.networks import BLOCKING, RULES
from qtheory.simulate.routing import RULES as ROUTES
from qtheory.simulate.routing import tables as F

_NUMBER: dict[str, Any] = {"type": "number"}
_NUMBERS: dict[str, Any] = {"type": "array", "items": _NUMBER, "minItems": 1}
_TEXT: dict[str, Any] = {"type": "string"}


def _value(key: str) -> dict[str, Any]:
    """What may stand at a key of any table."""
    if key in R.BOOLEANS:
        return {"type": "boolean"}
    if key in R.LISTS:
        return _NUMBERS
    return _TEXT if key in R.TEXTS else _NUMBER


def _table(what: str, needed: tuple[str, ...], optional: tuple[str, ...] = (), **known: Any) -> dict[str, Any]:
    """A table with these keys and no other; ``what``: where their meanings stand."""
    properties = {k: {**known.get(k, _value(k)), "description": meaning(what, k)} for k in (*needed, *optional)}
    return {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}


def _law() -> dict[str, Any]:
    tables = [
        _table("law", ("law", *names), *more, law={"const": name}) for name, (_, names, *more) in R.LAWS.items()
    ]
    tables.append(_table("law", ("law", "name"), ("class",), law={"const": "workload"}))
    tables.append(_table("law", ("law", "file"), ("blocks",), law={"const": "trace"}))
    return {"oneOf": tables}


def _time() -> dict[str, Any]:
    kinds = {"enum": list(IterationTime.KINDS)}
    return {
        "oneOf": [
            _table("time", ("profile",), S.ATTENTION),
            _table("time", ("kernels",), S.OVERHEADS,
                   kernels=_table("kernels", *S.KERNELS, gpu=_TEXT, engine=_TEXT, model=_TEXT, tables=_TEXT)),
            _table("time", ("law", "constants"), (*S.ATTENTION, "source"), law=kinds),
        ]
    }


def _engine(partial: bool) -> dict[str, Any]:
    """The [engine] table; ``partial``: a [[compare]] table, which names only what differs."""
    whole: dict[str, Any] = {"type": "integer", "minimum": 1}
    either = {"anyOf": [whole, {"type": "array", "items": whole, "minItems": 1}]}
    tables = []
    for policy in POLICIES.values():
        known: dict[str, Any] = {n: either if n in policy.lists else whole for n in policy.whole}
        known |= {"time": {"$ref": "#/$defs/time"}, "policy": {"const": policy.name}}
        known |= dict.fromkeys(policy.real, _NUMBER)
        needed: tuple[str, ...] = ("policy", *policy.parameters)
        optional: tuple[str, ...]
        needed, optional = (needed, ("time", *S.OPTIONS)) if partial else (("time", *needed), S.OPTIONS)
        tables.append(_table("engine", needed, optional, **known))
    return {"oneOf": tables}


def _chain(law: dict[str, Any]) -> dict[str, Any]:
    numbers = {"type": "object", "additionalProperties": _NUMBER}
    whole = {"type": "object", "additionalProperties": {"type": "integer"}}
    factor = _table("factor", *C.FACTOR, kind={"enum": list(Factor.KINDS)}, weights=numbers)
    move = _table(
        "move", *C.MOVE, change=whole, factors={"type": "array", "items": factor}, law=law,
        number={"enum": list(Move.NUMBERS)},
        seconds={"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2},
    )  # fmt: skip
    return _table("chain", *C.CHAIN, start=whole, step_each=numbers,
                  move={"type": "array", "minItems": 1, "items": move})


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of a scenario file, as the TOML reads in JSON."""
    law = {"$ref": "#/$defs/law"}
    names = ("arrivals", "service", "sizes", "patience", "prompt", "output", "cached")
    laws: dict[str, Any] = dict.fromkeys(names, law)
    routes = {"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}}
    agents: dict[str, Any] = {"length_law": {"enum": list(LENGTHS)}, "phases": {"enum": list(PHASES)}}
    fleet: dict[str, Any] = {"time": {"$ref": "#/$defs/time"}, "rule": {"enum": list(ROUTES)},
                             "prefixes": _table("prefixes", *F.PREFIXES)}
    jobs, requests = _table("jobs", *S.JOBS, **laws, routes=routes), _table("requests", *S.REQUESTS, **laws)
    tables: dict[str, Any] = {
        "class": {"type": "array", "minItems": 1, "items": {"anyOf": [jobs, requests]}},
        "station": {"type": "array", "minItems": 1, "items": _table(
            "station", *S.STATION, blocking={"enum": list(BLOCKING)})},
        "dispatcher": {"type": "array", "items": _table(
            "dispatcher", *S.DISPATCHER, rule={"enum": list(RULES)}, arrivals=law, sizes=law,
            to={"type": "array", "minItems": 1, "items": _TEXT})},
        "engine": _engine(partial=False),
        "chain": _chain(law),
        "agents": _table("agents", *T.AGENTS, **agents),
        "fleet": _table("fleet", *F.FLEET, **fleet),
        "compare": {"type": "array",
                    "items": {"anyOf": [_engine(partial=True), _table("agents", (), sum(T.AGENTS, ()), **agents),
                                        _table("fleet", (), sum(F.FLEET, ()), **fleet)]}},
        "expect": {"type": "array", "items": _table("expect", *S.EXPECT, stability={"enum": list(S.VERDICTS)})},
        "sweep": {"type": "array", "items": {**_table("sweep", *S.SWEEP, values={"type": "array", "minItems": 1}),
                                             "oneOf": [{"required": ["values"]}, {"required": [*S.SWEEP[1][1:]]}]}},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A scenario of qtheory simulate",
        **_table("scenario", *S.TOP, **tables),
        "oneOf": [
            {"required": ["engine", "class"]},
            {"required": ["fleet", "class"]},
            {"required": ["station", "class"]},
            {"required": ["chain"], "not": {"required": ["class"]}},
            {"required": ["agents"], "not": {"required": ["class"]}},
        ],
        "$defs": {"law": _law(), "time": _time()},
    }
