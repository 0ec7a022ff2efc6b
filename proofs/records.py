"""The recorded verdicts, which a fresh run is compared with, and what ``verify --strict`` asks besides."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from qtheory.errors import InputError
from qtheory.files import write_whole
from qtheory.proofs.claims.model import SEVERITIES, Claim
from qtheory.proofs.corpus import claims, paper, referee, shown
from qtheory.proofs.verdict import UNMET, Verdict

RECORDS = resources.files("qtheory.proofs.claims") / "records.json"
SCHEMA = 1
STANDING = ("proved", "checked", "supported")  # the verdicts that a correction may have


# Which verdicts each kind of claim admits; "unknown" is admitted everywhere, with its obstacle (see ``admitted``).
_ANALYTIC = frozenset({"proved", "refuted", "imprecise"})
_PROCESS = _ANALYTIC | {"checked", "supported", "contradicted", "assumed"}
_MEASURED = _ANALYTIC | {"reported"}
ADMITTED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("identity", "inequality", "existence/uniqueness", "limit", "drift", "LP", "expansion", "coupling"),
                    _ANALYTIC),
    **dict.fromkeys(("distributional", "theorem", "algorithm"), _PROCESS),
    **dict.fromkeys(("table value", "empirical"), _MEASURED),
}


def admitted(kind: str, verdict: str, note: str = "") -> bool:
    """Does a claim of this kind admit the verdict?  ``unknown`` must name its obstacle in the note."""
    return bool(note.strip()) if verdict == "unknown" else verdict in ADMITTED.get(kind, frozenset())


@dataclass(frozen=True)
class Difference:
    """Why a run does not stand: a verdict that differs from the record, or what ``--strict`` misses."""

    id: str
    why: str


def records() -> dict[str, dict[str, Any]]:
    """The recorded verdicts, severities, axioms where one rests on some, and digests of what was stated, by id."""
    path = Path(str(RECORDS))
    try:
        return dict(_read(path, path.stat().st_mtime_ns))
    except FileNotFoundError:
        return {}


def current() -> dict[str, dict[str, Any]]:
    """Those records that are on what their claims state now: the others are on another statement, or on none."""
    return {i: r for i, r in records().items() if _is_current(i, r)}


def _is_current(name: str, found: Mapping[str, Any]) -> bool:
    return name in claims() and found.get("stated") == _stated(claims()[name])


_STATED: dict[int, tuple[Claim, str]] = {}  # by a claim's identity: to read its statement takes long


def _stated(claim: Claim) -> str:
    if id(claim) not in _STATED:
        _STATED[id(claim)] = claim, digest(shown(claim))
    return _STATED[id(claim)][1]


@cache
def _read(path: Path, stamp: int) -> dict[str, dict[str, Any]]:
    """What the file holds as of this time: each claim's referee asks for it."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["records"]
        if all(isinstance(r["verdict"], str) and "severity" in r for r in found.values()):
            return dict(found)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise InputError(f"{path}: no records of verdicts: each claim's id with its verdict and severity")


def write_records(verdicts: Iterable[Verdict]) -> None:
    """Put these verdicts into the record, and drop the entries of claims that are no more."""
    known = {i: r for i, r in records().items() if i in claims()}
    known |= {str(v.id): record(v) for v in verdicts if v.id in claims()}
    rows = ",\n".join(f" {json.dumps(i)}: {json.dumps(known[i])}" for i in sorted(known))
    write_whole(Path(str(RECORDS)), f'{{"schema": {SCHEMA}, "records": {{\n{rows}\n}}}}\n')
    _read.cache_clear()  # a second writing may come within the clock's tick


def record(v: Verdict) -> dict[str, Any]:
    """What is recorded of a verdict."""
    axioms = {"axioms": list(v.axioms)} if v.axioms else {}
    unmet = {"satisfiable": "unknown"} if UNMET in v.rests else {}
    return {"verdict": v.verdict, "severity": v.severity, **axioms, **unmet, "stated": digest(v.statement)}


def digest(stated: str) -> str:
    """What binds a record to the statement that it is on, as that is displayed."""
    return hashlib.sha256(stated.encode()).hexdigest()[:16]


def sources(claim: Claim, found: Mapping[str, str] | None = None) -> dict[str, str]:
    """Where each condition of a claim is stated; of an imported result, with its verdict: the one ``found``, or of a
    claim of the corpus the recorded one."""
    out = dict(claim.sources)
    for i in claim.imported:
        verdict, given = word(i) if found is None else found[i], f"given {i}; "
        out = {c: f"given {i} ({verdict}); {text.removeprefix(given)}" if text.startswith(given) else text
               for c, text in out.items()}
    return out


def word(name: str) -> str:
    """The recorded verdict on what the claim states now."""
    found = records().get(name, {})
    return str(found["verdict"]) if found and _is_current(name, found) else "not recorded"


def title(record: Mapping[str, Any]) -> str:
    """The recorded verdict with the axioms that it rests on, and whether its conditions are known to be met."""
    axioms = [f"axioms: {', '.join(record['axioms'])}"] if record.get("axioms") else []
    rests = "; ".join([*axioms, *([UNMET] if record.get("satisfiable") else [])])
    return str(record["verdict"]) + (f" ({rests})" if rests else "")


def write_evidence(verdicts: Iterable[Verdict]) -> None:
    """Keep the records of the simulations that these verdicts rest on, and drop those of claims that are no more."""
    new = {f"{v.id}/{name}": data for v in verdicts if v.id in claims()
           for name, data in v.evidence.get("studies", {}).items()}
    if not new:
        return
    from qtheory.proofs.claims import evidence

    known = {k: e for k, e in evidence.load(evidence.RECORDS).items() if k.partition("/")[0] in claims()}
    evidence.save(evidence.RECORDS, known | {k: evidence.Evidence.from_json(e) for k, e in new.items()})


def differences(verdicts: Iterable[Verdict]) -> list[Difference]:
    """Where the verdicts on claims of the corpus are not those of the record."""
    recorded, out = records(), []
    for v in verdicts:
        if v.id not in claims():
            continue
        before = recorded.get(str(v.id))
        if before is None:
            out.append(Difference(str(v.id), f"{v.verdict}, not recorded yet"))
        elif before.get("stated") != digest(v.statement):
            out.append(Difference(str(v.id), f"the statement changed: {v.verdict} now, and the record is on another"))
        elif before != record(v):
            new, old = (" ".join(filter(None, (title(r), r["severity"]))) for r in (record(v), before))
            out.append(Difference(str(v.id), f"{new}, recorded as {old}"))
    return out


def strict_differences(verdicts: Sequence[Verdict]) -> list[Difference]:
    """What ``--strict`` adds: verdicts that the kind does not admit, missing corrections, conditions that nothing
    states, imported results that are not proved, stale evidence."""
    out = []
    proved = {v.id for v in verdicts if v.verdict in STANDING}
    for v in verdicts:
        if not admitted(str(v.kind), v.verdict, v.note):
            out.append(Difference(str(v.id), f"the kind {v.kind} does not admit the verdict {v.verdict}"
                                  + ("" if v.verdict != "unknown" else " without its obstacle")))
        if v.verdict == "refuted" and v.severity not in SEVERITIES:
            out.append(Difference(str(v.id), f"a refutation needs its severity: {', '.join(SEVERITIES)}"))
        if v.verdict in ("refuted", "contradicted") and not v.corrected_by and not _repaired(str(v.id)):
            out.append(Difference(str(v.id), "refuted, and neither a correction nor a root's repair is named"))
        elif v.corrected_by and v.corrected_by not in proved and not _stands(v.corrected_by):
            out.append(Difference(str(v.id), f"its correction {v.corrected_by!r} is not proved"))
        out += [Difference(str(v.id), f"its reading {r!r} is no claim") for r in v.evidence.get("readings", ())
                if r not in claims() and r not in {w.id for w in verdicts}]
        if v.evidence.get("stale"):
            out.append(Difference(str(v.id), f"stale evidence: {v.evidence['stale']}"))
        out += [Difference(str(v.id), f"it rests on {i}, which is {told}")
                for i, told in v.evidence.get("imported", {}).items() if told not in STANDING and v.id not in claims()]
    for name in sorted({str(v.paper) for v in verdicts if v.id in claims()}):
        out += [d for i in paper(name).items for d in _unstated(claims()[i])]
    return out


def _unstated(claim: Claim) -> list[Difference]:
    """Of a claim under a printed id the paper states each condition; a result that one rests on is proved."""
    whys = [f"the condition {w!r} has no source: only a correction may add one"
            for w in claim.conditions if w not in claim.sources]
    whys += [f"it rests on {i}, which is not recorded as proved" for i in claim.imported
             if word(i) not in STANDING]
    return [Difference(claim.id, why) for why in whys]


def _repaired(name: str) -> bool:
    """Is the claim a remark of the referee's, which the paper does not make, or one whose root names the repair?"""
    claim = claims().get(name)
    if claim is None:
        return False
    root = paper(name.partition(".")[0]).roots.get(claim.marks.get("root", ""))
    return claim.severity == "remark" or (root is not None and bool(root.repair))


def _stands(name: str) -> bool:
    """Is the correction, which may lie outside this run, proved?"""
    return name in claims() and referee(claims()[name]).verdict in STANDING
