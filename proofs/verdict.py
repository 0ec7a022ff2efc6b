"""The verdict on a statement: the record that every face of the referee returns, prints and writes as JSON.

The words that are earned (``proved``, ``refuted``, ``checked``, ``supported``, ``contradicted``) are given by
``qtheory.proofs.gate`` alone: a verdict with one of them cannot be made, nor changed in what it says, anywhere else.
"""

from __future__ import annotations

import hmac
import html
import json
import multiprocessing
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import InitVar, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from qtheory.files import write_whole
from qtheory.proofs.decimals import short
from qtheory.proofs.visible import flowing, tex_escape, visible

EARNED = frozenset(("proved", "refuted", "checked", "supported", "contradicted"))
DECLARED = ("imprecise", "reported", "assumed", "unknown")
VERDICTS = ("proved", "refuted", "checked", "supported", "contradicted", *DECLARED)
# What may be said of a verdict once it is given; all else is what was certified.
ANNOTATIONS = frozenset(("id", "paper", "place", "kind", "severity", "seconds", "evidence", "corrected_by", "coq",
                         "note", "rests_on"))
READ = ("rank", "root", "reading")  # what readers say of a claim, kept with its evidence
SEAL = object()  # of the gate: what is made with it has been earned
UNMET = "satisfiable: unknown"

class Certificate:
    """The certificate of a verdict: plain data that ``qtheory check`` re-checks with both checkers.

    It is held as text: what is changed in ``data`` changes nothing here.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._text = json.dumps(data, separators=(",", ":"))
        self.path: str | None = None
        self.steps = sum(len(c["steps"]) for c in _certificates(data))  # that the checkers re-check, of all in it

    @property
    def data(self) -> Any:
        """The data, anew each time."""
        return json.loads(self._text)

    def save(self, path: str | Path) -> Path:
        """Write the certificate as JSON, whole or not at all; raises InputError where the file cannot be written."""
        target = Path(path)
        write_whole(target, self._text + "\n")
        self.path = str(target)
        return target

    def __repr__(self) -> str:
        return f"<certificate of {self.steps} steps{', saved at ' + self.path if self.path else ''}>"


def _certificates(data: Any) -> Iterator[Mapping[str, Any]]:
    """The certificates in a theorem's or a derivation's data, or what is one itself."""
    if isinstance(data, Mapping) and "nodes" in data:
        yield data
    elif isinstance(data, Mapping | list):
        for part in data.values() if isinstance(data, Mapping) else data:
            yield from _certificates(part)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says about one statement, and what that rests on.

    ``statement`` is the text that the checkers read, or the words of a claim whose own code is run; lines after the
    first are what a theorem takes as given.  ``latex`` is printed from the parsed formulas.  ``hypotheses`` are the
    conditions that a proof used, else all that are stated; ``undefined`` is the subterm without a value at the
    counterexample.  ``counterexample`` and ``witness`` map variables to exact rationals "1/3" or isolating intervals
    "[1/3, 3/8]".  ``rests_on`` lists what else must be right: axioms with their words, code by module, simulations,
    claims whose results are taken as conditions.
    What they and ``evidence`` hold is plain data that cannot be changed.  Pickled, a verdict is for processes of the
    same run alone, which share a key; what is kept for longer is its certificate.
    A verdict has no truth value: compare ``verdict.verdict`` with "proved".
    """

    statement: str
    verdict: str
    id: str | None = None
    paper: str | None = None
    place: str | None = None
    kind: str | None = None
    latex: str = ""
    hypotheses: tuple[str, ...] = ()
    severity: str | None = None
    method: str = ""
    axioms: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    seconds: float = 0.0
    certificate: Certificate | None = None
    counterexample: Mapping[str, Any] | None = None
    witness: Mapping[str, Any] | None = None
    undefined: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    corrected_by: str | None = None
    coq: str | None = None
    note: str = ""
    seal: InitVar[object] = None

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("a verdict is of no other kind: what another said of itself would be believed")

    def __post_init__(self, seal: object) -> None:
        if type(self.verdict) is not str or self.verdict not in VERDICTS:
            raise ValueError(f"{self.verdict!r} is no verdict; the verdicts are {', '.join(VERDICTS)}")
        if self.verdict in EARNED and seal is not SEAL:
            raise ValueError(f"the word {self.verdict!r} is given by qtheory.proofs.gate alone, on evidence")
        for name in ("counterexample", "witness", "evidence"):
            object.__setattr__(self, name, _frozen(getattr(self, name)))

    def __reduce__(self) -> tuple[Any, ...]:
        said = pickle.dumps([_jsonable(v) if isinstance(v, Mapping) else v for v in (getattr(self, n) for n in FIELDS)])
        return _unpickled, (said, _signature(said))

    def annotated(self, **said: Any) -> Verdict:
        """The verdict with more said of it: an id, a place, a note, seconds; never with another statement, word,
        certificate or counterexample.  Evidence, and what it rests on, is added and does not replace what is there."""
        if strange := set(said) - ANNOTATIONS:
            raise ValueError(f"{', '.join(sorted(strange))}: what a verdict was given for cannot be changed")
        if "evidence" in said:
            said["evidence"] = {**said["evidence"], **self.evidence}
        said["rests_on"] = (*self.rests_on, *said.get("rests_on", ()))
        return Verdict(**{n: getattr(self, n) for n in FIELDS} | said, seal=SEAL)

    def with_note(self, *notes: str) -> Verdict:
        """With sentences added to its note; a clause that ends without a stop is ended by a semicolon."""
        joined = ""
        for note in filter(None, (self.note, *notes)):
            joined += (" " if joined.endswith((".", "!", "?")) else "; " if joined else "") + note
        return self.annotated(note=joined)

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict has no truth value; compare its .verdict, for example v.verdict == 'proved'")

    def to_json(self) -> dict[str, Any]:
        """The record as JSON data, in the order of the contract."""
        order = ("id", "paper", "place", "kind", "statement", "latex", "hypotheses", "verdict", "severity", "method",
                 "axioms", "rests_on", *READ, "seconds", "certificate", "counterexample", "witness", "undefined",
                 "evidence", "corrected_by", "coq", "note")
        out = {name: _jsonable(self.evidence.get(name) if name in READ else getattr(self, name)) for name in order}
        out["certificate"] = None if self.certificate is None else self.certificate.path
        out["seconds"] = round(self.seconds, 4)
        return out

    @property
    def rests(self) -> str:
        """What the word stands on besides its certificate, in a few words; nothing where that is all."""
        axioms = [f"axioms: {', '.join(self.axioms)}"] * bool(self.axioms)
        return "; ".join([*axioms, *([UNMET] if self.evidence.get("satisfiable") == "unknown" else [])])

    @property
    def title(self) -> str:
        """The verdict with what it rests on, in a few words."""
        extra = [part for part in (self.rests, self.severity) if part]
        return self.verdict + (f" ({visible('; '.join(extra))})" if extra else "")

    def __str__(self) -> str:
        first, *more = self.statement.split("\n")
        lines = [f"{self.title}  {visible(first)}   ({'; '.join(self.details())})"]
        return "\n".join([*lines, *(f"  {visible(line)}" for line in more), *self.reasons()])

    def reasons(self) -> list[str]:
        """Indented lines: what it rests on, the counterexample, what it gives, the witness, and the note."""
        return [f"  {lead}{visible(text)}" for _, lead, text in self._told()]

    def _told(self) -> list[tuple[str, str, str]]:
        """(heading, words before it in plain text, text), a line each."""
        out = [("rests on", "rests on ", text) for text in self.rests_on]
        if self.counterexample:
            out.append(("counterexample", "at ", point_text(self.counterexample)))
            out += [("", "", str(side)) for side in self.evidence.get("sides", ())]
        if self.undefined:
            out.append(("undefined", "undefined there: ", self.undefined))
        if self.witness:
            out.append(("witness", "the conditions hold at ", point_text(self.witness)))
        return [*out, *([("note", "", flowing(self.note))] if self.note else [])]

    def details(self) -> list[str]:
        """Method, time, and what the checkers re-checked."""
        steps = [f"both checkers re-checked {self.certificate.steps} steps"] if self.certificate else []
        return ([visible(self.method)] if self.method else []) + [f"{self.seconds:.2f} s", *steps]

    __repr__ = __str__

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle \\text{{{tex_escape(self.title)}: }} {self.latex}$" if self.latex else ""

    def _repr_html_(self) -> str:
        colour = {"proved": "#1a7f37", "refuted": "#b3261e"}.get(self.verdict, "#57606a")
        stated = "<br>".join(f"<code>{html.escape(visible(line))}</code>" for line in self.statement.split("\n"))
        rows = [("verdict", f'<b style="color:{colour}">{html.escape(self.title)}</b>'), ("statement", stated)]
        rows += [(name, html.escape(visible(text))) for name, _, text in self._told()]
        rows.append(("how", html.escape("; ".join(self.details()))))
        return "<table>" + "".join(f"<tr><th>{n}</th><td>{v}</td></tr>" for n, v in rows) + "</table>"


def _of_its_parts(self: Verdict, state: object) -> NoReturn:
    raise pickle.UnpicklingError("a verdict is made by the gate, not of its parts")


# Here, for the dataclass of Python 3.11.2 puts one of its own in place of the class's
Verdict.__setstate__ = _of_its_parts  # type: ignore[attr-defined]


def point_text(point: Mapping[str, Any]) -> str:
    """A counterexample or witness in a line: exact numbers, or intervals with the only root of an equation, which are
    shown a little wider where their ends are long; what a run tells may have commas itself."""
    parts = [f"{x} {'in' if str(v).startswith('[') else '='} {short(str(v))}" for x, v in point.items()]
    return ("; " if any(", " in part and " in [" not in part for part in parts) else ", ").join(parts)


def _frozen(value: Any) -> Any:
    """Plain data that cannot be changed; what is no such data as its text."""
    if isinstance(value, Mapping):
        return MappingProxyType({str(k): _frozen(v) for k, v in value.items()})
    return tuple(map(_frozen, value)) if isinstance(value, tuple | list) else _jsonable(value)


def _signature(said: bytes) -> bytes:
    return hmac.digest(bytes(multiprocessing.current_process().authkey), said, "sha256")


def _unpickled(said: bytes, signature: bytes) -> Verdict:
    if not hmac.compare_digest(_signature(said), signature):
        raise pickle.UnpicklingError("a pickled verdict is of the run that gave it; elsewhere, check its certificate")
    return Verdict(**dict(zip(FIELDS, pickle.loads(said), strict=True)), seal=SEAL)


def _jsonable(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): _jsonable(v) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [_jsonable(v) for v in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)


FIELDS = tuple(f.name for f in fields(Verdict))
