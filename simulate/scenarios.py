"""Scenarios: a TOML file that says what to simulate. Every key is known or refused, with its place in the file.

The tables of keys below are read by the parser and by the schema (:mod:`qtheory.simulate.schema`) alike.
"""

from __future__ import annotations

import copy
import dataclasses
import itertools
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from qtheory.errors import InputError, UnknownNameError
from qtheory.simulate import measures
from qtheory.simulate.agent_tables import agents_of
from qtheory.simulate.agents import SlottedAgents
from qtheory.simulate.bootstrap import Bootstrapped
from qtheory.simulate.chains import chain_of
from qtheory.simulate.checks import MOST, kind, whole
from qtheory.simulate.counts import CountsChain
from qtheory.simulate.engines import IterationTime, LLMEngine, RequestClass
from qtheory.simulate.kernel.policies import POLICIES
from qtheory.simulate.kernel_times import KernelTime, kernel_time
from qtheory.simulate.networks import Dispatcher, JobClass, Network, Station
from qtheory.simulate.reading import (
    ORDERS,
    beside,
    law_of,
    needed_law,
    number_of,
    numbers_of,
    table_of,
    text_of,
    value_of,
)
from qtheory.simulate.routing.fleets import RoutedFleet
from qtheory.simulate.routing.tables import fleets_of
from qtheory.simulate.showing import InALine
from qtheory.simulate.sources import profile_time
from qtheory.simulate.streams import MOST_WINDOWS

SHIPPED = Path(__file__).parent / "data"
Model: TypeAlias = Network | LLMEngine | CountsChain | SlottedAgents | RoutedFleet

TOP = (
    ("horizon",),
    ("class", "title", "claim", "station", "dispatcher", "engine", "chain", "agents", "fleet", "compare", "expect",
     "sweep", "windows", "replications", "seed", "confidence", "bootstrap", "percentiles"),
)  # fmt: skip
STATION = ("name",), ("servers", "discipline", "batch", "capacity", "blocking")
DISPATCHER = ("name", "rule", "to"), ("arrivals", "sizes")
JOBS = ("name", "station", "service"), ("arrivals", "sizes", "priority", "patience", "routes")
SLOS = ("ttft_slo", "tbt_slo", "latency_slo", "tpot_slo")
REQUESTS = ("name", "prompt", "output"), ("arrivals", "sizes", "cached", *SLOS)
EXPECT = ("says", "variant"), ("stability", "measure", "higher_than")
SWEEP = ("key",), ("values", "from", "to", "count")
VERDICTS = ("stable", "unstable")
MODELS = ("station", "engine", "chain", "agents", "fleet")
PERCENTILES = (50, 99)
WITH = {"class": ("station", "engine", "fleet"), "compare": ("engine", "agents", "fleet"), "dispatcher": ("station",)}


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
class Scenario(InALine):
    """``variants``: label -> model, run on the same random numbers; seconds; ``claim``: what a paper says of it.

    ``percentiles``: which of delays are reported. ``bootstrap``: requests in a block of the block bootstrap of traces
    (:mod:`qtheory.simulate.bootstrap`); 0 for none.
    """

    title: str
    claim: str
    variants: Mapping[str, Model]
    horizon: float
    windows: int
    replications: int
    seed: int
    confidence: float
    bootstrap: int = 0
    expectations: tuple[Expectation, ...] = ()
    percentiles: tuple[float, ...] = PERCENTILES

    @property
    def line(self) -> str:
        return (f"scenario {self.title!r}: {', '.join(self.variants)}; {self.replications} replications of "
                f"{self.horizon:,g} s")

    def __str__(self) -> str:
        """The line, each variant and kind of request in a line, and what a paper says."""
        claim = " ".join(self.claim.split())
        kinds = dict.fromkeys(c.line for m in self.variants.values() for c in getattr(m, "classes", ())
                              if isinstance(c, InALine))
        return "\n".join([
            self.line, *(f"  {label}: {model.line}" for label, model in self.variants.items()),
            *(f"  {line}" for line in kinds), *[f"  what the paper says: {claim}"] * bool(claim),
        ])  # fmt: skip


@dataclass(frozen=True)
class Point:
    """One point of a sweep: ``settings`` (key of the scenario: value) and the scenario with them."""

    settings: Mapping[str, Any]
    scenario: Scenario


def _station(table: Any, number: int) -> Station:
    where = f"station {number}"
    t = table_of(table, where, *STATION)
    return Station(**{k: value_of(k, v, where) for k, v in t.items()})


def _job_class(table: Any, number: int) -> JobClass:
    where = f"class {number}"
    t = table_of(table, where, *JOBS)
    return JobClass(
        text_of(t["name"], f"{where}.name"),
        text_of(t["station"], f"{where}.station"),
        needed_law(t["service"], f"{where}.service"),
        law_of(t.get("arrivals"), f"{where}.arrivals"),
        law_of(t.get("sizes"), f"{where}.sizes"),
        number_of(t.get("priority", 0), f"{where}.priority"),  # type: ignore[arg-type]
        law_of(t.get("patience"), f"{where}.patience"),
        {k: number_of(v, f"{where}.routes.{k}") for k, v in _keys_of(t.get("routes", {}), where).items()},
    )


def _dispatcher(table: Any, number: int) -> Dispatcher:
    where = f"dispatcher {number}"
    t = table_of(table, where, *DISPATCHER)
    if not isinstance(t["to"], list):
        raise InputError(f"{where}.to must be a list of classes")
    return Dispatcher(
        text_of(t["name"], f"{where}.name"),
        text_of(t["rule"], f"{where}.rule"),
        tuple(text_of(name, f"{where}.to") for name in t["to"]),
        law_of(t.get("arrivals"), f"{where}.arrivals"),
        law_of(t.get("sizes"), f"{where}.sizes"),
    )


def _keys_of(table: Any, where: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InputError(f"{where}.routes must be a table of class = probability")
    return table


def _request_class(table: Any, number: int) -> RequestClass:
    where = f"class {number}"
    t = table_of(table, where, *REQUESTS)
    return RequestClass(
        text_of(t["name"], f"{where}.name"),
        needed_law(t["prompt"], f"{where}.prompt"),
        needed_law(t["output"], f"{where}.output"),
        law_of(t.get("arrivals"), f"{where}.arrivals"),
        law_of(t.get("sizes"), f"{where}.sizes"),
        cached=law_of(t.get("cached"), f"{where}.cached"),
        **{k: float(number_of(t[k], f"{where}.{k}")) for k in SLOS if k in t},
    )


ATTENTION = ("prefill_attention", "decode_attention")


OVERHEADS = ("scale", "per_iteration", "per_request")
KERNELS = ("gpu", "engine", "model"), ("tensor_parallel", "tables")


def _time(table: Any, where: str) -> IterationTime | KernelTime:
    """A law with its constants, or that of a hardware profile, attention on top of either; or a sum of kernels."""
    if isinstance(table, dict) and "kernels" in table:
        t = table_of(table, where, ("kernels",), OVERHEADS)
        names = table_of(t["kernels"], f"{where}.kernels", *KERNELS)
        gpu, engine, model = (text_of(names[k], f"{where}.kernels.{k}") for k in KERNELS[0])
        tables = text_of(names["tables"], f"{where}.kernels.tables") if "tables" in names else None
        degree = whole(f"{where}.kernels.tensor_parallel", names.get("tensor_parallel", 1))
        beyond = {k: float(number_of(t[k], f"{where}.{k}")) for k in OVERHEADS if k in t}
        try:
            return kernel_time(gpu, engine, model, degree, tables, **beyond)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    if isinstance(table, dict) and "profile" in table:
        t = table_of(table, where, ("profile",), ATTENTION)
        law = profile_time(text_of(t["profile"], f"{where}.profile"))
        kind, constants, context = law.kind, law.constants, law.decode_attention
    else:
        t = table_of(table, where, ("law", "constants"), (*ATTENTION, "source"))
        text_of(t.get("source", ""), f"{where}.source")
        kind, constants = text_of(t["law"], f"{where}.law"), numbers_of(t["constants"], f"{where}.constants")
        context = 0.0
    squares, contexts = (float(number_of(t.get(k, 0.0), f"{where}.{k}")) for k in ATTENTION)
    try:
        return IterationTime(kind, constants, squares, context + contexts)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


OPTIONS = ("capacity", "block", "slots", "saturated", "concurrency", "recompute", "overhead", "draft", "acceptance",
           "draft_time", *ORDERS)  # fmt: skip


def _engine(table: dict[str, Any], classes: tuple[RequestClass, ...], where: str) -> LLMEngine:
    if text_of(table.get("policy"), f"{where}.policy") not in POLICIES:
        raise UnknownNameError(f"policy in {where}", table["policy"], sorted(POLICIES))
    names = POLICIES[table["policy"]].parameters
    t = table_of(table, where, ("policy", "time", *names), OPTIONS)
    law = _time(t["time"], f"{where}.time")
    options: dict[str, Any] = {k: value_of(k, t[k], where) for k in OPTIONS if k in t}
    read = {n: numbers_of if isinstance(t[n], list) else number_of for n in names}
    parameters: dict[str, Any] = {n: read[n](t[n], f"{where}.{n}") for n in names}
    return LLMEngine(classes, law, t["policy"], parameters, **options)


def _variants(document: dict[str, Any]) -> dict[str, Model]:
    if "agents" in document:
        return dict(agents_of(document["agents"], document.get("compare", [])))
    if "chain" in document:
        return {"chain": chain_of(document["chain"])}
    tables, stations, dispatchers = document["class"], document.get("station", []), document.get("dispatcher", [])
    if not all(isinstance(t, list) for t in (tables, stations, dispatchers)):
        raise InputError("classes are written as [[class]], stations as [[station]], dispatchers as [[dispatcher]]")
    if "engine" not in document and "fleet" not in document:
        places = tuple(_station(s, i + 1) for i, s in enumerate(stations))
        ways = tuple(_dispatcher(d, i + 1) for i, d in enumerate(dispatchers))
        return {"network": Network(places, tuple(_job_class(c, i + 1) for i, c in enumerate(tables)), ways)}
    classes = tuple(_request_class(c, i + 1) for i, c in enumerate(tables))
    if "fleet" in document:
        return dict(fleets_of(document["fleet"], document.get("compare", []), classes, _time))
    base = document["engine"]
    others = document.get("compare", [])
    if not isinstance(base, dict) or not isinstance(others, list) or not all(isinstance(o, dict) for o in others):
        raise InputError("the engine is written as [engine], what it is compared with as [[compare]]")
    variants: dict[str, Model] = {}
    for i, table in enumerate([base, *others]):
        # A comparison names what differs; parameters of another policy are dropped with it.
        kept = {k: v for k, v in base.items() if k in ("time", *OPTIONS)} if i else {}
        merged = {**kept, **table}
        engine = _engine(merged, classes, "engine" if i == 0 else f"compare {i}")
        variants[engine.policy if engine.policy not in variants else f"{engine.policy} {i + 1}"] = engine
    return variants


def _expectations(tables: Any, labels: Mapping[str, Model]) -> tuple[Expectation, ...]:
    if not isinstance(tables, list):
        raise InputError("what a paper says is written as [[expect]]")
    found = []
    for i, table in enumerate(tables):
        where = f"expect {i + 1}"
        t = table_of(table, where, *EXPECT)
        e = Expectation(*(text_of(t.get(k, ""), f"{where}.{k}") for k in (*EXPECT[0], *EXPECT[1])))
        if bool(e.stability) == bool(e.measure) or bool(e.measure) != bool(e.than):
            raise InputError(f"{where} has either a stability, or a measure and higher_than")
        for label in (e.variant, *filter(None, [e.than])):
            if label not in labels:
                raise UnknownNameError(f"variant in {where}", label, list(labels))
        if e.measure and not isinstance(labels[e.variant], LLMEngine):
            raise InputError(f"{where}: measures are compared between engines; of {e.variant} give a stability")
        known = list(measures.of_engine(labels[e.variant])) if e.measure else []
        if e.measure and e.measure not in known:
            raise UnknownNameError(f"measure in {where}", e.measure, known)
        if e.stability and e.stability not in VERDICTS:
            raise UnknownNameError(f"stability in {where}", e.stability, list(VERDICTS))
        found.append(e)
    return tuple(found)


def _scenario(document: dict[str, Any], name: str) -> Scenario:
    table_of(document, "the scenario", *TOP)
    models = [k for k in MODELS if k in document]
    if len(models) != 1:
        given = " and ".join(models) or "none of them"
        raise InputError(f"a scenario has stations, an engine, a chain, agents or a fleet, not {given}")
    for key, with_it in WITH.items():
        if key in document and models[0] not in with_it:
            raise InputError(f"a {models[0]} takes no {key}")
        if key == "class" and key not in document and models[0] in with_it:
            raise InputError("the scenario lacks class")
    numbers = {k: number_of(document.get(k, d), k) for k, d in DEFAULTS.items()}
    if not numbers["horizon"] > 0 or not 0 < numbers["confidence"] < 1:
        raise InputError("the horizon must be positive and the confidence strictly between 0 and 1")
    for k, least, most in (("windows", 1, MOST_WINDOWS), ("replications", 1, MOST), ("seed", 0, MOST),
                           ("bootstrap", 0, MOST)):
        numbers[k] = whole(k, numbers[k], least, most)
    variants = _variants(document)
    if numbers["bootstrap"]:
        for model in variants.values():
            if not isinstance(model, LLMEngine):
                raise InputError("a block bootstrap draws from the traces of an engine's requests; this is no engine")
            Bootstrapped(model, int(numbers["bootstrap"]))
    expected = _expectations(document.get("expect", []), variants)
    title, claim = (text_of(document.get(k, d), k) for k, d in (("title", name), ("claim", "")))
    wanted = percentiles_of(numbers_of(document.get("percentiles", list(PERCENTILES)), "percentiles"))
    return Scenario(title, claim, variants, **numbers, expectations=expected, percentiles=wanted)  # type: ignore[arg-type]


def percentiles_of(values: Sequence[float]) -> tuple[float, ...]:
    """The percentiles, in their order; raises InputError for what is none."""
    if not values or not all(0 < v < 100 for v in values):
        raise InputError(f"percentiles are numbers strictly between 0 and 100, at least one, not {list(values)}")
    return tuple(dict.fromkeys(values))


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


def _varied(table: dict[str, Any], where: str) -> list[Any]:
    """The values of a sweep: those listed, or ``count`` of them at equal distances ``from`` one ``to`` another."""
    if "values" in table:
        if len(table) > 2 or not isinstance(table["values"], list) or not table["values"]:
            raise InputError(f"{where}.values must be a list with at least one value, without from, to and count")
        return list(table["values"])
    first, last = (number_of(table.get(k), f"{where}.{k}") for k in ("from", "to"))
    count = whole(f"{where}.count", number_of(table.get("count"), f"{where}.count"), 2, 10**6)
    # to 12 digits, so that what is shown and written is what was meant
    return [float(f"{first + (last - first) * i / (count - 1):.12g}") for i in range(count)]


def _points(document: dict[str, Any], name: str, folder: Path) -> list[Point]:
    sweeps = document.get("sweep", [])
    if not isinstance(sweeps, list):
        raise InputError("what is varied is written as [[sweep]]")
    tables = [table_of(t, f"sweep {i + 1}", *SWEEP) for i, t in enumerate(sweeps)]
    varied = [_varied(t, f"sweep {i + 1}") for i, t in enumerate(tables)]
    keys = [text_of(t["key"], f"sweep {i + 1}.key") for i, t in enumerate(tables)]
    points = []
    for values in itertools.product(*varied):
        changed = copy.deepcopy(document)
        for key, value in zip(keys, values, strict=True):
            _set(changed, key, value)
        points.append(Point(dict(zip(keys, values, strict=True)), _scenario(beside(changed, folder), name)))
    return points


def parse_points(text: str, name: str = "scenario", folder: Path = Path()) -> list[Point]:
    """The points of the scenario in ``text``, one without settings if nothing is varied; the product of all sweeps.

    ``folder``: where the trace files that it names are. Raises InputError with the place of what is wrong.
    """
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise InputError(f"{name}: nested too deeply to be a scenario") from None
    except ValueError as error:  # malformed, or an integer of thousands of digits
        raise InputError(f"{name}: {error}") from None
    try:
        return _points(document, name, folder)
    except (InputError, UnknownNameError) as error:
        raise InputError(f"{name}: {error}") from None


def parse(text: str, name: str = "scenario", folder: Path = Path()) -> Scenario:
    """The scenario in ``text``; raises InputError with the place of what is wrong, and for a sweep."""
    points = parse_points(text, name, folder)
    if points[0].settings:
        raise InputError(f"{name}: this scenario is a sweep of {len(points)} points; read it by parse_points")
    return points[0].scenario


DEFAULTS = {"horizon": 0.0, "windows": 200, "replications": 10, "seed": 0, "confidence": 0.95, "bootstrap": 0}


def read(path: str | Path) -> tuple[str, str, Path]:
    """The text, the name and the folder of a scenario file, or of one of those shipped by its name."""
    if not isinstance(path, str | Path):
        raise InputError(f"a scenario is a file's path or the name of a shipped one, not {kind(path)}")
    file = Path(path)
    shipped = SHIPPED / f"{path}.toml"
    if not file.exists() and shipped.exists():
        file = shipped
    try:
        return file.read_text(encoding="utf-8"), file.name, file.parent
    except FileNotFoundError:
        if file.suffix or file.parent != Path():  # no shipped name has an ending or a folder
            raise InputError(f"{file}: no such file") from None
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
