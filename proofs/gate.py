"""The gate: the one module that gives the words proved, refuted, checked, supported and contradicted.

Each word is given on evidence that is looked at here, whenever it is asked for, and says exactly what is displayed:

- ``certified``: *proved* or *refuted*, where the kernel and the second checker both accept a certificate for exactly
  this statement, read anew from its texts.  Point, witness and undefined subterm are read off the certificate.  What
  is proved of a statement whose conditions nothing meets says nothing, and is not called proved.
- ``by_axioms``: *proved*, where both checkers accept all that a theorem's axioms ask for.
- ``computed``: *refuted* or *checked*, where a claim's own code, run again, comes upon an input at which the claim
  fails, or holds in each of all cases up to a bound.
- ``simulated``: *supported* or *contradicted*, by where the interval of a simulated mean lies.
- ``declared``: what a claim may say of itself: that it is reported, assumed, imprecise, or unknown and why.

Nothing that is stored or said elsewhere (a search's answer, a cache, a record, a claim) gives a word.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qtheory.errors import InputError, blaming
from qtheory.proofs.bundle import check_bundle, declarations, hypotheses
from qtheory.proofs.checkers import both
from qtheory.proofs.decimals import sides_at
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, require
from qtheory.proofs.places import place, telling
from qtheory.proofs.plain import term_text, undefined_term
from qtheory.proofs.printing import statement_latex, statement_text
from qtheory.proofs.verdict import DECLARED, SEAL, Certificate, Verdict
from qtheory.proofs.visible import tex_escape

if TYPE_CHECKING:
    from qtheory.proofs.axiomatic import Stated
    from qtheory.proofs.claims.model import Claim

CODE = "qtheory.proofs.claims."
SHARED = tuple(CODE + name for name in ("axioms", "model", "outcomes"))  # of all claims: no claim's own
OWN = "own code: "  # what follows are its author's words
WORD = re.compile(r"[A-Za-z_]\w*")
LOOK = 1.0  # seconds of work in which conditions that no witness meets are looked at for a contradiction


class Vacuous(KernelError):
    """A proof of a statement whose conditions, or a guard of whose goal, nothing meets."""


def certified(statement: Statement, data: Any, *, look: float = LOOK) -> Verdict:
    """Proved or refuted, as the certificate says; KernelError where a checker rejects it for exactly this statement,
    Vacuous where nothing meets the conditions, which is looked for as long as ``look`` says."""
    anew, data = flat(statement), plain(data)
    _, reader = both(data, anew)
    word, point, undefined, witness, evidence = data["verdict"], None, None, None, dict[str, Any]()
    if word == "refuted":
        there = place(data, reader, data["main"], len(anew.variables))
        point, failing = there.texts(there.point), there.symbolic(anew.conclusion)
        undefined, speaks = (None, there.inner) if failing is None else (  # y' is a shape's second point, no user's y
            term_text(undefined_term(anew.conclusion, failing)), free(failing))
        inner = ", ".join(f"{x} = {value}" for x, value in there.texts(there.inner).items() if x in speaks)
        method = f"with {inner}" if inner else "counterexample"
        evidence, used = {"sides": sides_at(anew, point)} if point and failing is None else {}, anew.where
    else:
        method, used = telling(data, data["main"]), used_conditions(anew, reader.steps[data["main"]].hyps)
        if data["witness"]:
            functions = data.get("functions", [])
            met = place(data, reader, data["witness"][0], quantified(anew.interpreted(functions).owed[0]))
            witness = {**met.texts(met.point or met.inner), **concerning(statement_text(anew), instance(functions))}
        elif anew.owed:
            require_met(anew, look, [(t.hyps, t.concl) for t in reader.steps])
            evidence = {"satisfiable": "unknown"}
    return Verdict(
        statement_text(anew), word, latex=statement_latex(anew), hypotheses=used, method=method,
        certificate=Certificate(data), counterexample=point, witness=witness, undefined=undefined, evidence=evidence,
        seal=SEAL)


def unknown(statement: Statement, why: str) -> Verdict:
    """Neither proved nor refuted; says why."""
    anew = flat(statement)
    return Verdict(statement_text(anew), "unknown", latex=statement_latex(anew), hypotheses=anew.where, note=why)


def plain(data: Any) -> Any:
    """The data as a file would hold it: a copy that nobody else can change."""
    try:
        return json.loads(json.dumps(data))
    except (TypeError, ValueError, RecursionError) as error:
        raise KernelError(f"malformed: a certificate is JSON ({type(error).__name__})") from None


def flat(statement: Statement) -> Statement:
    """The statement read anew from its texts, each in one line."""
    def line(text: str) -> str:
        return " ".join(text.split())

    return Statement(line(statement.goal), tuple(map(line, statement.where)), tuple(map(line, statement.let))).parsed()


def used_conditions(statement: Statement, used: frozenset[Node]) -> tuple[str, ...]:
    """The texts of the conditions of which a part is used."""
    functions = declarations(statement.where)
    return tuple(text for text in statement.where if not used.isdisjoint(hypotheses(text, functions, statement.let)))


def require_met(statement: Statement, look: float, said: Sequence[tuple[frozenset[Node], Node]]) -> None:
    """Vacuous where it is proved, within so many seconds of work, that nothing meets the conditions or a guard; that
    may be seen by what a proof ``said`` on its way, and from which hypotheses."""
    from qtheory.proofs.vacuous import why_vacuous

    why = why_vacuous(statement, look, said) if look > 0 else None
    if why is not None:
        raise Vacuous(why)


def about(verdict: Verdict, statement: Statement) -> Verdict:
    """The verdict, which must be on this statement: what an untrusted caller hands on is compared once more."""
    if verdict.statement != statement_text(flat(statement)):
        raise KernelError("the verdict is on another statement")
    return verdict


def by_derivation(data: Any, *, look: float = LOOK) -> list[str]:
    """The standings of a derivation's steps (proved, conditional, refuted, unknown), by both checkers.

    KernelError for a file that does not prove or refute what it says, Vacuous as for a statement by itself.
    """
    data = plain(data)
    standings, said = check_bundle(data), []
    for step, standing in zip(data["steps"], standings, strict=True):
        if standing in ("proved", "conditional"):
            statement = Statement.from_json(step["certificate"]["statement"])
            said += [(frozenset[Node](), statement.conclusion)] * (standing == "proved")
            if unmet(step["certificate"]):  # what its proof says on the way is looked at
                certified(statement, step["certificate"], look=look)
    require_met(Statement("0 == 0", tuple(data["context"]), tuple(data["let"])), look, said)
    return standings


def unmet(data: Any) -> bool:
    """Has the certificate conditions, and no witness that they can be met?"""
    return data["witness"] is None and Statement.from_json(data["statement"]).owed != ()


def instance(definitions: Iterable[str]) -> dict[str, str]:
    """What is defined, and as what."""
    return {head.strip(): body.strip() for head, _, body in (text.partition("=") for text in definitions)}


def concerning(text: str, definitions: dict[str, str]) -> dict[str, str]:
    """The definitions of names in the text, and those in which these are put."""
    kept, words = dict[str, str](), set(WORD.findall(text))
    for head, body in reversed(definitions.items()):
        if head.partition("(")[0] in words:
            kept, words = {head: body, **kept}, words | set(WORD.findall(body))
    return kept


def quantified(formula: Node) -> int:
    """How many quantifiers close the formula."""
    return 1 + quantified(formula[2]) if formula[0] == "ex" else 0


def stated(theorem: Stated) -> str:
    """The theorem as it is displayed, what is no formula in it included: a line each."""
    from qtheory.proofs.axiomatic import lines

    return "\n".join(" ".join(line.split()) for line in lines(theorem))


def by_axioms(theorem: Stated, data: Any) -> Verdict:
    """Proved, given the axioms; KernelError where a checker rejects what they ask for, for exactly this theorem. Of
    several each is, by a certificate of its own, and is displayed whole as it was checked."""
    from qtheory.proofs.axiomatic import check_theorem, owed, rests_on, said
    from qtheory.proofs.claims.axioms import Theorem

    data = plain(data)
    if isinstance(theorem, tuple):
        require(isinstance(data, dict) and [*data] == ["theorem"] and isinstance(data["theorem"], list)
                and 1 < len(theorem) == len(data["theorem"]), "several theorems have a certificate each")
        parts = [by_axioms(part, found) for part, found in zip(theorem, data["theorem"], strict=True)]
        return Verdict(
            "\n".join(("each of these", *(f"({n}) {line}" for n, v in enumerate(parts, 1)
                                          for line in v.statement.split("\n")))),
            "proved", hypotheses=tuple(dict.fromkeys(text for v in parts for text in v.hypotheses)),
            method=f"{len(parts)} theorems, each by axioms", certificate=Certificate(data), seal=SEAL,
            axioms=tuple(dict.fromkeys(name for v in parts for name in v.axioms)),
            rests_on=tuple(f"({n}) {text}" for n, v in enumerate(parts, 1) for text in v.rests_on),
            evidence={"satisfiable": "unknown"} if any("satisfiable" in v.evidence for v in parts) else {})
    theorem = check_theorem(data, theorem)
    owing, told = len(owed(theorem).obligations), rests_on(theorem)
    exists = isinstance(theorem, Theorem) or not theorem.assumed  # an instance shows nothing of other states
    words = [f"axiom {name} ({axiom['source']})" + "".join(f"; {slot}: {put}" for slot, put in axiom["words"].items())
             for name, axiom in told.items()]
    return Verdict(
        stated(theorem), "proved", latex=rf"\text{{{tex_escape(said(theorem))}}}" if theorem.goal is None else "",
        hypotheses=theorem.where, method=f"{owing} obligation{'s' * (owing > 1)} of axioms",
        axioms=tuple(told), rests_on=tuple(" ".join(text.split()) for text in words), certificate=Certificate(data),
        witness=instance(data["witness"]["instance"]) if exists else None, seal=SEAL,
        evidence={"axioms": told, **({} if exists else {"satisfiable": "unknown"})})


def computed(claim: Claim) -> Verdict:
    """Refuted, checked or unknown, by what the claim's own code comes upon."""
    from qtheory.proofs.claims.outcomes import Fails, Holds, Undecided

    assert claim.run is not None
    says = claim.says or claim.quote
    with blaming(f"the code of {claim.id!r}"):  # which its author wrote
        found, code = claim.run(), written(claim.run)
        match found:
            case Fails(point, method, evidence) if point:
                return Verdict(
                    says, "refuted", method=f"{OWN}{method}", rests_on=code, evidence={"own": dict(evidence)},
                    counterexample={str(x): str(v) for x, v in point.items()}, seal=SEAL)
            case Holds(int(cases), str(bound), method, evidence) if cases > 0 and bound.strip():
                return Verdict(says, "checked", method=f"{OWN}{method}", rests_on=code, seal=SEAL,
                               evidence={"own": dict(evidence), "cases": cases, "bound": bound})
            case Undecided(why):
                return Verdict(says, "unknown", note=str(why), rests_on=code)
        raise InputError(f"the code of {claim.id!r} returned {str(found)[:80]!r}: neither an input at which the claim "
                         "fails, nor that it holds in some cases, nor why it does not decide")


def written(run: Callable[[], Any]) -> tuple[str, ...]:
    """Where the code of a claim is written: its function, and what its module uses in turn: modules of the library
    that are not counted as trusted, other files and packages, by name; not the standard library."""
    function: Any = run
    while hasattr(function, "func"):  # of a partial application
        function = function.func
    first = getattr(function, "__module__", "?")
    modules = [first]
    for name in modules:  # which grow in number
        held = vars(sys.modules[name]).values() if name in sys.modules else ()
        used = {str(getattr(v, "__module__", None) or getattr(v, "__name__", "")) for v in held}
        used = {m if m.startswith("qtheory.") else m.partition(".")[0] for m in used}
        modules += sorted(m for m in used - {*modules, *SHARED, *sys.stdlib_module_names, "", "qtheory.errors"}
                          if m.startswith(CODE) or not m.startswith("qtheory.proofs."))
    return (f"code {first}.{getattr(function, '__qualname__', type(function).__name__)}",
            *(f"code {module}" for module in modules[1:]))


def simulated(claim: Claim, rerun: bool = False) -> Verdict:
    """Supported if each study's interval lies within the range that the claim gives, contradicted if one lies outside
    its range, else unknown; unknown too where evidence is stale or missing, which says how to run it again."""
    from qtheory.proofs.claims import evidence

    studied: Any = claim.studies
    studies, records = evidence.studies(claim), evidence.load(evidence.RECORDS)
    found = {k: evidence.standing(s, records.get(s.claim), rerun=rerun) for k, s in studies.items()}
    old = ", ".join(f"{k} is {s.state}" for k, s in found.items() if s.state != "current")
    if old or not found:
        again = "qtheory verify --rerun-evidence runs it again; with --update-records the corpus keeps that"
        return Verdict(claim.says, "unknown", note=f"stale evidence: {old}; {again}", evidence={"stale": old})
    kept = {k: s.evidence for k, s in found.items() if s.evidence is not None}
    words = {side(e.interval, (studies[k].low, studies[k].high)) for k, e in kept.items()}
    word = "contradicted" if "contradicted" in words else "supported" if words == {"supported"} else "unknown"
    runs, made = sum(e.sample_size for e in kept.values()), "run now" if rerun else "recorded, and not run again"
    return Verdict(
        claim.says, word, method=f"statistics of {runs} simulated runs, {made}", seal=SEAL,
        rests_on=(*(f"simulation {k}, {made}: {e.hypothesis}; {e.test} {studies[k].low:g} to {studies[k].high:g}"
                    for k, e in kept.items()), *written(studied)),
        note="the simulations decide neither way" if word == "unknown" else "",
        evidence={"studies": {k: e.to_json() for k, e in kept.items()}})


def side(interval: tuple[float, float], within: tuple[float, float]) -> str:
    """What an interval for a mean says of a range: it lies inside, outside, or neither."""
    (bottom, top), (low, high) = interval, within
    if low <= bottom <= top <= high:
        return "supported"
    return "contradicted" if bottom <= top < low or high < bottom <= top else "unknown"


def declared(claim: Claim) -> Verdict:
    """What the claim says of itself; InputError for a word that is earned on evidence alone."""
    word = str(claim.verdict)
    if word not in DECLARED or (word == "unknown" and not claim.note.strip()):
        raise InputError(f"the claim {claim.id!r} declares {word!r}: a claim may declare {', '.join(DECLARED)} (with "
                         "its obstacle in the note); other words are earned on evidence")
    evidence: Mapping[str, Any] = {"readings": list(claim.readings)} if claim.readings else {}
    return Verdict(claim.quote, word, evidence=evidence)
