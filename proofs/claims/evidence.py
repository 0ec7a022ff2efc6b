"""Statistical evidence for claims: a hypothesis about a simulated mean, its test, and the record of a run.

A study says which model is run, with which seeds and how often, which number is read off each replication, and in
which range the claim puts its mean. The test is Student's interval at 1 - 2 error_rate: inside the range the claim is
*supported*, outside *contradicted*, else undecided. So "supported" for a mean outside the range, and "contradicted"
for a mean inside it, each have at most the error rate, if the replications' values are normal or many.

A record holds the number of each replication; the interval is worked out from these whenever it is asked for, and
the gate gives the word: none is stored. It is current as long as it is, to the letter, what the claim, the study and
its numbers make: it carries a hash of the claim's id and words, the study, the function that reads the number off,
the simulator's sources and the numbers. Otherwise it is stale, and only a new run helps.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qtheory.errors import InputError, blaming
from qtheory.files import write_whole
from qtheory.simulate.fingerprint import fingerprint
from qtheory.simulate.runs import Simulated, replicate
from qtheory.simulate.statistics import Interval, student

if TYPE_CHECKING:
    from qtheory.proofs.claims.model import Claim

RECORDS = Path(__file__).with_name("evidence.json")


@dataclass(frozen=True)
class Study:
    """What is run for a claim.

    ``model``: a Network, an LLMEngine or a CountsChain; ``value(run)``: a number a replication, a function of a
    module; ``low``, ``high``: where the claim puts its mean (infinite: no limit); ``horizon`` in s; seeds are
    (``seed``, 0), (``seed``, 1), ..., one a replication. ``claim`` and ``statement``, the claim's id with the study's
    name and the claim's words, are put in by ``studies``.
    """

    hypothesis: str
    model: Simulated
    value: Callable[[Any], float]
    low: float
    high: float
    horizon: float
    replications: int
    seed: int = 0
    windows: int = 200
    error_rate: float = 0.001
    claim: str = ""
    statement: str = ""

    def __post_init__(self) -> None:
        if not self.low <= self.high or not (math.isfinite(self.low) or math.isfinite(self.high)):
            raise InputError(f"a study needs low <= high, one of them finite, not {self.low}, {self.high}")
        if self.replications < 5 or not 0 < self.error_rate < 0.5:
            raise InputError("a study needs at least 5 replications and an error rate in (0, 0.5)")
        if not inspect.isfunction(self.value) or "<" in self.value.__qualname__:  # <lambda>, <locals>
            raise InputError("the value of a study must be a function of a module: its source is part of the record")

    def fingerprint(self, values: Sequence[float]) -> str:
        """The hash of everything that the result depends on, and of the result."""
        settings = (self.low, self.high, self.horizon, self.replications, self.seed, self.windows, self.error_rate)
        source = inspect.getsource(self.value)
        return fingerprint(self.claim, self.statement, self.hypothesis, repr(self.model), source, settings,
                           tuple(values))


def studies(claim: Claim) -> dict[str, Study]:
    """The claim's studies by name, bound to its id and its words."""
    assert claim.studies is not None
    with blaming(f"the code of the studies of {claim.id!r}"):
        named = dict(claim.studies())
        return {name: replace(study, claim=f"{claim.id}/{name}", statement=claim.says) for name, study in named.items()}


@dataclass(frozen=True)
class Evidence:
    """The record of a study: the numbers of its replications, and what they make."""

    hypothesis: str
    error_rate: float
    seeds: str
    horizon: float
    range: tuple[float | None, float | None]
    values: tuple[float, ...]
    result: str  # the mean and its interval, for the reader
    fingerprint: str

    @classmethod
    def of(cls, study: Study, values: Sequence[float]) -> Evidence:
        """What these numbers, one a replication, make of the study."""
        if len(values) != study.replications or not all(isinstance(v, float) and math.isfinite(v) for v in values):
            raise InputError(f"the study needs {study.replications} finite numbers, one a replication")
        low, high = (v if math.isfinite(v) else None for v in (study.low, study.high))
        return cls(study.hypothesis, study.error_rate, f"({study.seed}, 0) to ({study.seed}, {study.replications - 1})",
                   study.horizon, (low, high), tuple(values), str(_interval(values, study.error_rate)),
                   study.fingerprint(values))

    @property
    def estimate(self) -> float:
        return _interval(self.values, self.error_rate).estimate

    @property
    def interval(self) -> tuple[float, float]:
        found = _interval(self.values, self.error_rate)
        return found.low, found.high

    @property
    def test(self) -> str:
        return (f"Student's interval at {1.0 - 2.0 * self.error_rate:g} for the mean of {self.sample_size} independent "
                "replications, inside or outside the range")

    @property
    def sample_size(self) -> int:
        return len(self.values)

    @property
    def side(self) -> str:
        """Where the interval lies: "inside" the range, "outside", or "across" an end of it."""
        (bottom, top), (low, high) = self.interval, self.range
        if (low is None or low <= bottom) and (high is None or top <= high):
            return "inside"
        return "outside" if (low is not None and top < low) or (high is not None and high < bottom) else "across"

    def stale(self, study: Study) -> bool:
        """Is this anything but what the claim, the study, the simulator and these numbers make?"""
        try:
            return self != Evidence.of(study, self.values)
        except InputError:
            return True

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Evidence:
        """The record of ``to_json``; raises InputError for anything else."""
        names = set(cls.__dataclass_fields__)
        if not isinstance(data, Mapping) or set(data) != names:
            odd = sorted(names ^ set(data)) if isinstance(data, Mapping) else [repr(data)]
            raise InputError(f"a record of evidence has the keys {', '.join(sorted(names))}; see {', '.join(odd)}")
        if not isinstance(data["range"], list | tuple) or not isinstance(data["values"], list | tuple):
            raise InputError("in a record of evidence range and values are lists")
        return cls(**{**data, "range": tuple(data["range"]), "values": tuple(data["values"])})


def _interval(values: Sequence[float], error_rate: float) -> Interval:
    return student(values, 1.0 - 2.0 * error_rate)


def run_study(study: Study, executor: Executor | None = None) -> Evidence:
    """Run the study."""
    options = {"horizon": study.horizon, "windows": study.windows, "seed": study.seed}
    runs = replicate(study.model, replications=study.replications, executor=executor, **options)
    return Evidence.of(study, [float(study.value(r)) for r in runs])


@dataclass(frozen=True)
class Standing:
    """What ``state`` a claim's evidence is in: "current", "stale" or "missing"; the record, if there is one."""

    state: str
    evidence: Evidence | None


def standing(study: Study, record: Evidence | None, *, rerun: bool = False) -> Standing:
    """The recorded evidence if it is current; with ``rerun`` the study is run again, whatever the record."""
    if rerun:
        return Standing("current", run_study(study))
    if record is None:
        return Standing("missing", None)
    return Standing("stale" if record.stale(study) else "current", record)


def load(path: Path) -> dict[str, Evidence]:
    """Records by the claim's id; none if there is no file. Raises InputError for what is no such file."""
    if not path.exists():
        return {}
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return {str(k): Evidence.from_json(v) for k, v in data.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise InputError(f"{path}: no records of evidence: {error}") from None


def save(path: Path, records: Mapping[str, Evidence]) -> None:
    """Write the records, ids in order; the file is whole or as it was."""
    write_whole(path, _text(records))


def _text(records: Mapping[str, Evidence]) -> str:
    """A line a field: numbers side by side, and a change of one stands by itself."""
    rows = [f" {json.dumps(k)}: {{\n" + ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in
                                                 records[k].to_json().items()) + "\n }" for k in sorted(records)]
    return "{\n" + ",\n".join(rows) + "\n}\n"
