"""Statistical evidence for claims: a hypothesis about a simulated mean, its test, and the record of a run.

A study says which model is run, with which seeds and how often, which number is read off each replication, and in
which range the claim puts its mean. The test is Student's interval at 1 - 2 error_rate: inside the range the claim is
*supported*, outside *contradicted*, else undecided. So "supported" for a mean outside the range, and "contradicted"
for a mean inside it, each have at most the error rate, if the replications' values are normal or many.

A record is current as long as the statement, the study, the function that reads the number off and the simulator's
sources are what they were: it carries their hash. On a mismatch it is stale, and only a new run helps.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from qtheory.errors import InputError
from qtheory.simulate.fingerprint import fingerprint
from qtheory.simulate.runs import Simulated, replicate
from qtheory.simulate.statistics import student

RECORDS = Path(__file__).with_name("evidence.json")
VERDICTS = ("supported", "contradicted", "undecided")


@dataclass(frozen=True)
class Study:
    """What is run for a claim.

    ``statement``: the claim's, as printed from its object; ``model``: a Network, an LLMEngine or a CountsChain;
    ``value(run)``: a number a replication, a function of a module; ``low``, ``high``: where the claim puts its mean
    (infinite: no limit); ``horizon`` in s; seeds are (``seed``, 0), (``seed``, 1), ..., one a replication.
    """

    statement: str
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

    def __post_init__(self) -> None:
        if not self.low <= self.high or not (math.isfinite(self.low) or math.isfinite(self.high)):
            raise InputError(f"a study needs low <= high, one of them finite, not {self.low}, {self.high}")
        if self.replications < 5 or not 0 < self.error_rate < 0.5:
            raise InputError("a study needs at least 5 replications and an error rate in (0, 0.5)")
        if "<locals>" in self.value.__qualname__ or "<lambda>" in self.value.__qualname__:
            raise InputError("the value of a study must be a function of a module: its source is part of the record")

    def fingerprint(self) -> str:
        """The hash of everything that the result depends on."""
        settings = (self.low, self.high, self.horizon, self.replications, self.seed, self.windows, self.error_rate)
        source = inspect.getsource(self.value)
        return fingerprint(self.statement, self.hypothesis, repr(self.model), source, settings)


@dataclass(frozen=True)
class Evidence:
    """The record of a study: what a verdict's ``evidence`` holds."""

    hypothesis: str
    test: str
    error_rate: float
    seeds: str
    sample_size: int
    horizon: float
    estimate: float
    interval: tuple[float, float]
    range: tuple[float | None, float | None]
    verdict: str
    fingerprint: str

    def stale(self, study: Study) -> bool:
        """Whether the statement, the study or the simulator is no longer what the record rests on."""
        return self.fingerprint != study.fingerprint()

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
        if data["verdict"] not in VERDICTS:
            raise InputError(f"the verdict of a record is one of {', '.join(VERDICTS)}, not {data['verdict']!r}")
        return cls(**{**data, "interval": tuple(data["interval"]), "range": tuple(data["range"])})


def run_study(study: Study, executor: Executor | None = None) -> Evidence:
    """Run the study and judge it."""
    options = {"horizon": study.horizon, "windows": study.windows, "seed": study.seed}
    runs = replicate(study.model, replications=study.replications, executor=executor, **options)
    interval = student([study.value(r) for r in runs], 1.0 - 2.0 * study.error_rate)
    if study.low <= interval.low and interval.high <= study.high:
        verdict = "supported"
    elif interval.high < study.low or study.high < interval.low:
        verdict = "contradicted"
    else:
        verdict = "undecided"
    return Evidence(
        hypothesis=study.hypothesis,
        test=f"Student's interval at {1.0 - 2.0 * study.error_rate:g} for the mean of independent replications, "
        "inside or outside the range",
        error_rate=study.error_rate,
        seeds=f"({study.seed}, 0) to ({study.seed}, {study.replications - 1})",
        sample_size=study.replications,
        horizon=study.horizon,
        estimate=interval.estimate,
        interval=(interval.low, interval.high),
        range=tuple(v if math.isfinite(v) else None for v in (study.low, study.high)),  # type: ignore[arg-type]
        verdict=verdict,
        fingerprint=study.fingerprint(),
    )


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


def judged(name: str, studies: Mapping[str, Study], rerun: bool = False) -> dict[str, Any]:
    """The fields of the verdict on the claim ``name``: supported if every study supports it, contradicted if one
    contradicts it. Evidence that is stale or missing leaves it unknown and says how to run it again."""
    records = load(RECORDS)
    found = {k: standing(s, records.get(f"{name}/{k}"), rerun=rerun) for k, s in studies.items()}
    old = [f"{k} is {s.state}" for k, s in found.items() if s.state != "current"]
    if old:
        again = f"run: qtheory verify {name} --rerun-evidence --update-records"
        return {"verdict": "unknown", "note": f"stale evidence: {', '.join(old)}; {again}",
                "evidence": {"stale": ", ".join(old)}}  # fmt: skip
    kept = {k: s.evidence for k, s in found.items() if s.evidence is not None}
    verdicts = {e.verdict for e in kept.values()}
    verdict = "contradicted" if "contradicted" in verdicts else "supported" if verdicts == {"supported"} else "unknown"
    note = {"note": "the simulations decide neither way"} if verdict == "unknown" else {}
    method = f"statistics of {sum(e.sample_size for e in kept.values())} simulated runs"
    return {"verdict": verdict, "method": method, "evidence": {"studies": {k: e.to_json() for k, e in kept.items()}},
            **note}  # fmt: skip


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
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps({k: records[k].to_json() for k in sorted(records)}, indent=1) + "\n", encoding="utf-8")
    part.replace(path)
