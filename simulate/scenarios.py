"""Scenarios: a TOML file that says what to simulate. Every key is known or refused, with its place in the file.

The tables of keys below are read by the parser and by the schema (:mod:`qtheory.simulate.schema`) alike.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate import laws, measures
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel.policies import POLICIES, REALS
from qtheory.simulate.networks import JobClass, Network, Station
from qtheory.simulate.sources import profile_time, trace_law, workload_law

SHIPPED = Path(__file__).parent / "data"

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
TOP = (
    ("horizon", "class"),
    ("title", "claim", "station", "engine", "compare", "expect", "sweep", "windows", "replications", "seed",
     "confidence"),
)  # fmt: skip
STATION = ("name",), ("servers", "discipline", "batch")
JOBS = ("name", "station", "service"), ("arrivals", "sizes", "priority", "patience", "routes")
ORDERS = ("order", "decode_order")
SLOS = ("ttft_slo", "tbt_slo", "latency_slo")
REQUESTS = ("name", "prompt", "output"), ("arrivals", "sizes", *SLOS)
EXPECT = ("says", "variant"), ("stability", "measure", "higher_than")
SWEEP = ("key", "values"), ()
VERDICTS = ("stable", "unstable")


@dataclass(frozen=True)
class Expectation:
    """What a paper ``says``, to be judged: that ``variant`` has this ``stability``, or a higher ``measure`` than
    ``than``."""

    says: str
    variant: str
    stability: str = ""
    measure: str = ""
    than: str = ""


@dataclass(frozen=True)
class Scenario:
    """``variants``: label -> model, run on the same random numbers; seconds; ``claim``: what a paper says of it."""

    title: str
    claim: str
    variants: Mapping[str, Network | LLMEngine]
    horizon: float
    windows: int
    replications: int
    seed: int
    confidence: float
    expectations: tuple[Expectation, ...] = ()


@dataclass(frozen=True)
class Point:
    """One point of a sweep: ``settings`` (key of the scenario: value) and the scenario with them."""

    settings: Mapping[str, Any]
    scenario: Scenario


def _keys(table: Any, where: str, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, Any]:
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


def _number(value: Any, where: str) -> Any:
    if isinstance(value, list):
        return tuple(_number(v, where) for v in value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} must be a number, not {value!r}")
    return value


def _option(name: str, value: Any, where: str) -> Any:
    if name in ORDERS:
        return str(value)
    if name not in BOOLEANS:
        return _number(value, f"{where}.{name}")
    if not isinstance(value, bool):
        raise InputError(f"{where}.{name} must be true or false, not {value!r}")
    return value


def _law(table: Any, where: str) -> laws.Law | None:
    if table is None:
        return None
    if not isinstance(table, dict) or "law" not in table:
        raise InputError(f"{where} must be a table with a law, such as {{law = 'exponential', mean = 2.0}}")
    part = where.rpartition(".")[2]
    if table["law"] == "workload":
        t = _keys(table, where, ("law", "name"), ("class",))
        return workload_law(str(t["name"]), part, t.get("class"))
    if table["law"] == "trace":
        from qtheory.workloads import read_trace

        return trace_law(read_trace(str(_keys(table, where, ("law", "file"))["file"])), part)
    if table["law"] not in LAWS:
        raise UnknownNameError(f"law in {where}", str(table["law"]), sorted([*LAWS, "workload", "trace"]))
    make, names, *more = LAWS[table["law"]]
    optional = more[0] if more else ()
    _keys(table, where, ("law", *names), optional)
    others = {n: _option(n, table[n], where) for n in optional if n in table}
    try:
        law: laws.Law = make(*(_number(table[n], f"{where}.{n}") for n in names), **others)
    except TypeError as error:
        raise InputError(f"{where}: {error}") from None
    return law


def _sure(table: Any, where: str) -> laws.Law:
    law = _law(table, where)
    assert law is not None  # the key is needed, so the table is there
    return law


def _station(table: Any, number: int) -> Station:
    where = f"station {number}"
    t = _keys(table, where, *STATION)
    servers, batch = (_number(t.get(k, 1), f"{where}.{k}") for k in ("servers", "batch"))
    return Station(str(t["name"]), servers, str(t.get("discipline", "fcfs")), batch)


def _job_class(table: Any, number: int) -> JobClass:
    where = f"class {number}"
    t = _keys(table, where, *JOBS)
    return JobClass(
        str(t["name"]),
        str(t["station"]),
        _sure(t["service"], f"{where}.service"),
        _law(t.get("arrivals"), f"{where}.arrivals"),
        _law(t.get("sizes"), f"{where}.sizes"),
        _number(t.get("priority", 0), f"{where}.priority"),
        _law(t.get("patience"), f"{where}.patience"),
        {k: _number(v, f"{where}.routes.{k}") for k, v in _keys_of(t.get("routes", {}), where).items()},
    )


def _keys_of(table: Any, where: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InputError(f"{where}.routes must be a table of class = probability")
    return table


def _request_class(table: Any, number: int) -> RequestClass:
    where = f"class {number}"
    t = _keys(table, where, *REQUESTS)
    return RequestClass(
        str(t["name"]),
        _sure(t["prompt"], f"{where}.prompt"),
        _sure(t["output"], f"{where}.output"),
        _law(t.get("arrivals"), f"{where}.arrivals"),
        _law(t.get("sizes"), f"{where}.sizes"),
        **{k: float(_number(t[k], f"{where}.{k}")) for k in SLOS if k in t},
    )


ATTENTION = ("prefill_attention", "decode_attention")


def _time(table: Any, where: str) -> IterationTime:
    """A law with its constants, or that of a hardware profile; attention on top of either."""
    if isinstance(table, dict) and "profile" in table:
        t = _keys(table, where, ("profile",), ATTENTION)
        law = profile_time(str(t["profile"]))
    else:
        t = _keys(table, where, ("law", "constants"), (*ATTENTION, "source"))
        constants = _number(t["constants"], f"{where}.constants")
        if not isinstance(constants, tuple):
            raise InputError(f"{where}.constants must be a list, not {constants!r}")
        law = IterationTime(str(t["law"]), constants)
    squares, contexts = (float(_number(t.get(k, 0.0), f"{where}.{k}")) for k in ATTENTION)
    return IterationTime(law.kind, law.constants, squares, contexts)


OPTIONS = ("capacity", "slots", "saturated", "concurrency", "recompute", "overhead", *ORDERS)


def _engine(table: Any, classes: tuple[RequestClass, ...], where: str) -> LLMEngine:
    if not isinstance(table, dict) or table.get("policy") not in POLICIES:
        raise UnknownNameError(f"policy in {where}", str(dict(table or {}).get("policy")), sorted(POLICIES))
    names = POLICIES[table["policy"]][1] + REALS.get(table["policy"], ())
    t = _keys(table, where, ("policy", "time", *names), OPTIONS)
    law = _time(t["time"], f"{where}.time")
    options: dict[str, Any] = {k: tuple(t[k]) if isinstance(t[k], list) else t[k] for k in OPTIONS if k in t}
    for k, v in options.items():
        _option(k, list(v) if isinstance(v, tuple) else v, where)
    parameters = {n: _number(t[n], f"{where}.{n}") for n in names}
    return LLMEngine(classes, law, t["policy"], parameters, **options)


def _variants(document: dict[str, Any]) -> dict[str, Network | LLMEngine]:
    tables, stations = document["class"], document.get("station", [])
    if not isinstance(tables, list) or not isinstance(stations, list):
        raise InputError("classes are written as [[class]], stations as [[station]]")
    if "engine" not in document:
        places = tuple(_station(s, i + 1) for i, s in enumerate(stations))
        return {"network": Network(places, tuple(_job_class(c, i + 1) for i, c in enumerate(tables)))}
    classes = tuple(_request_class(c, i + 1) for i, c in enumerate(tables))
    base = document["engine"]
    others = document.get("compare", [])
    if not isinstance(base, dict) or not isinstance(others, list) or not all(isinstance(o, dict) for o in others):
        raise InputError("the engine is written as [engine], what it is compared with as [[compare]]")
    variants: dict[str, Network | LLMEngine] = {}
    for i, table in enumerate([base, *others]):
        # A comparison names what differs; parameters of another policy are dropped with it.
        kept = {k: v for k, v in base.items() if k in ("time", *OPTIONS)} if i else {}
        merged = {**kept, **table}
        engine = _engine(merged, classes, "engine" if i == 0 else f"compare {i}")
        variants[engine.policy if engine.policy not in variants else f"{engine.policy} {i + 1}"] = engine
    return variants


def _expectations(tables: Any, labels: Mapping[str, Network | LLMEngine]) -> tuple[Expectation, ...]:
    if not isinstance(tables, list):
        raise InputError("what a paper says is written as [[expect]]")
    found = []
    for i, table in enumerate(tables):
        where = f"expect {i + 1}"
        t = _keys(table, where, *EXPECT)
        e = Expectation(
            str(t["says"]), str(t["variant"]), str(t.get("stability", "")), str(t.get("measure", "")),
            str(t.get("higher_than", "")),
        )  # fmt: skip
        if bool(e.stability) == bool(e.measure) or bool(e.measure) != bool(e.than):
            raise InputError(f"{where} has either a stability, or a measure and higher_than")
        for label in (e.variant, *filter(None, [e.than])):
            if label not in labels:
                raise UnknownNameError(f"variant in {where}", label, list(labels))
        if e.measure and isinstance(labels[e.variant], Network):
            raise InputError(f"{where}: a network is the only variant: there is nothing to compare it with")
        known = list(measures.of_engine(labels[e.variant])) if e.measure else []
        if e.measure and e.measure not in known:
            raise UnknownNameError(f"measure in {where}", e.measure, known)
        if e.stability and e.stability not in VERDICTS:
            raise UnknownNameError(f"stability in {where}", e.stability, list(VERDICTS))
        found.append(e)
    return tuple(found)


def _scenario(document: dict[str, Any], name: str) -> Scenario:
    _keys(document, "the scenario", *TOP)
    if ("engine" in document) == ("station" in document):
        raise InputError("a scenario has either stations or an engine")
    numbers = {k: _number(document.get(k, d), k) for k, d in DEFAULTS.items()}
    if not numbers["horizon"] > 0 or not 0 < numbers["confidence"] < 1:
        raise InputError("the horizon must be positive and the confidence strictly between 0 and 1")
    for k in ("windows", "replications", "seed"):
        if numbers[k] != int(numbers[k]) or numbers[k] < (k != "seed"):
            raise InputError(f"{k} must be a whole number, not {numbers[k]}")
    variants = _variants(document)
    expected = _expectations(document.get("expect", []), variants)
    title, claim = str(document.get("title", name)), str(document.get("claim", ""))
    return Scenario(title, claim, variants, **numbers, expectations=expected)


def _set(document: dict[str, Any], key: str, value: Any) -> None:
    """Put ``value`` at a dotted key such as ``class.1.arrivals.rate``; lists count from 1. The key must be there."""
    place: Any = document
    holder: Any = None
    at: Any = None
    for part in key.split("."):
        holder = place
        if isinstance(place, list):
            if not part.isdigit() or not 1 <= int(part) <= len(place):
                raise InputError(f"sweep: {part!r} in {key!r} is none of the numbers 1 to {len(place)}")
            at = int(part) - 1
        elif isinstance(place, dict):
            if part not in place:
                raise UnknownNameError(f"key in sweep {key!r}", part, sorted(place))
            at = part
        else:
            raise InputError(f"sweep: {key!r} goes on after a value")
        place = place[at]
    holder[at] = value


def _points(document: dict[str, Any], name: str) -> list[Point]:
    sweeps = document.get("sweep", [])
    if not isinstance(sweeps, list):
        raise InputError("what is varied is written as [[sweep]]")
    tables = [_keys(t, f"sweep {i + 1}", *SWEEP) for i, t in enumerate(sweeps)]
    for i, t in enumerate(tables):
        if not isinstance(t["values"], list) or not t["values"]:
            raise InputError(f"sweep {i + 1}.values must be a list with at least one value")
    keys = [str(t["key"]) for t in tables]
    points = []
    for values in itertools.product(*(t["values"] for t in tables)):
        changed = copy.deepcopy(document)
        for key, value in zip(keys, values, strict=True):
            _set(changed, key, value)
        points.append(Point(dict(zip(keys, values, strict=True)), _scenario(changed, name)))
    return points


def parse_points(text: str, name: str = "scenario") -> list[Point]:
    """The points of the scenario in ``text``, one without settings if nothing is varied; the product of all sweeps.

    Raises InputError with the place of what is wrong.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: {error}") from None
    try:
        return _points(document, name)
    except (InputError, UnknownNameError) as error:
        raise InputError(f"{name}: {error}") from None


def parse(text: str, name: str = "scenario") -> Scenario:
    """The scenario in ``text``; raises InputError with the place of what is wrong, and for a sweep."""
    points = parse_points(text, name)
    if points[0].settings:
        raise InputError(f"{name}: this scenario is a sweep of {len(points)} points; read it by parse_points")
    return points[0].scenario


DEFAULTS = {"horizon": 0.0, "windows": 200, "replications": 10, "seed": 0, "confidence": 0.95}


def read(path: str | Path) -> tuple[str, str]:
    """The text and the name of a scenario file, or of one of those shipped by its name."""
    file = Path(path)
    shipped = SHIPPED / f"{path}.toml"
    if not file.exists() and shipped.exists():
        file = shipped
    try:
        return file.read_text(encoding="utf-8"), file.name
    except FileNotFoundError:
        known = sorted(p.stem for p in SHIPPED.glob("*.toml"))
        raise UnknownNameError("scenario file", str(path), known) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def load(path: str | Path) -> Scenario:
    """A scenario from a file, or one of those shipped by its name."""
    return parse(*read(path))


def with_changes(scenario: Scenario, **changes: Any) -> Scenario:
    """The scenario with the changes that are not None."""
    return dataclasses.replace(scenario, **{k: v for k, v in changes.items() if v is not None})
