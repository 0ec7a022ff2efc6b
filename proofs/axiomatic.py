"""What a claim that uses axioms owes, and the check of a certificate that pays it; trusted beside the kernel.

A theorem says: for all values of its parameters that meet the conditions on these alone, and then for all functions
that meet the other conditions, the goal. No condition has another free variable, so none can tie a constant to a time
or an index. Where an axiom is about random variables, the functions are random: with probability 1 they meet the
conditions, and the goal.
Several theorems, a tuple, are stated together where a sentence states them together: each has symbols of its own, and
its own certificate, in a list under ``theorem``.

The obligations are formulas: an axiom's hypotheses, in which its symbols are defined as the claim's terms, under the
claim's conditions. What cannot be a formula is part of the statement (``lines``). A certificate is plain data,

  {"schema": 2, "theorem": {..}, "obligations": derivation, "conclusion": derivation or null,
   "witness": {"instance": [..], "derivation": derivation}}

The obligations are made anew from the axioms' file, and each must be a proved step of the first derivation, whose
context is the claim's conditions. Where the axioms' conclusions are formulas, the claim's goal must be a proved step of
the second one, whose context are the conditions and these conclusions; a symbol that they say exists is new there.

The witness shows that something meets the conditions: an instance, definitions of all parameters and functions by terms
that are defined everywhere, or step by step from 1 on (``w(1) = a; w(l + 1) = b``). For a theorem of random draws it
must be a random one: the draws are the tosses of a ``coin`` with the values ``low`` and ``high``, about which nothing
is known, and the mean lies strictly between. So the conditions hold along all paths of independent tosses with this
mean, and none of them ties the draws to each other, to a constant, or to what is concluded. Something must also meet
each guard in the goal there. Each certificate is checked by the kernel and by the second checker.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any, TypeAlias

from qtheory.proofs import chains
from qtheory.proofs.bundle import declarations, hypotheses, names
from qtheory.proofs.chains import WORD, Owed, Recurrence, total
from qtheory.proofs.claims.axioms import AXIOMS, CONSTANT, Theorem, Use
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import ONE, KernelError, Node, reject, require, subterms

SCHEMA = 2
KEYS = {"schema", "theorem", "obligations", "conclusion", "witness"}
EACH = re.compile(r"\{([^{}]*#[^{}]*)\}")
STEPWISE = re.compile(r"([A-Za-z]\w*)\(1\) = ([^;]*); \1\(l \+ 1\) = ([^;]*)")
INDEX = "ForAll(l, And(Integer(l), l >= 1), {})"
TOSSES = INDEX.format("Or(coin(l) == low, coin(l) == high)")
Stated: TypeAlias = Theorem | Recurrence | tuple[Theorem | Recurrence, ...]


def is_theorem(data: Any) -> bool:
    return isinstance(data, dict) and "theorem" in data


def said(theorem: Theorem | Recurrence) -> str:
    """What the theorem concludes, in a line."""
    if isinstance(theorem, Recurrence):
        return chains.SAYS
    given = "".join(f"for some {symbol}, " for use in theorem.uses for symbol in _symbols(use)[1])
    return "with probability 1, " * _random(theorem) + given + theorem.goal


def lines(theorem: Stated) -> tuple[str, ...]:
    """The whole statement, line by line, what is no formula in it included: shown wherever its verdict is."""
    if isinstance(theorem, tuple):
        return ("each of these", *(f"({n}) {line}" for n, part in enumerate(theorem, 1) for line in lines(part)))
    if isinstance(theorem, Recurrence):
        return chains.lines(theorem)
    functions = declarations(theorem.where)
    others = [w for w in theorem.where if w not in functions]
    alone = [w for w in others if _spoken(w, functions, theorem.let) <= set(theorem.parameters)]
    parts = (("for all ", theorem.parameters, alone), (
        "for all random " if _random(theorem) else "for all ", functions, [w for w in others if w not in alone]))
    words = [(text, use.words.get(slot)) for use in theorem.uses for slot, text in AXIOMS[use.axiom].words.items()]
    spoken = WORD.findall(" ".join(text for text, _ in words))
    told = (*("; ".join([kind + ", ".join(who), *given]) for kind, who, given in parts if who or given),
            *(f"where {definition}" for definition in theorem.let),
            *(f"given that {text}: {own}" for text, own in words),
            *(f"with {x} = {t}" for use in theorem.uses for x, t in use.terms.items() if x.partition("(")[0] in spoken))
    # what exists may depend on all that is given, and comes after it
    return (*told, said(theorem)) if any(_symbols(use)[1] for use in theorem.uses) else (said(theorem), *told)


def rests_on(theorem: Theorem | Recurrence) -> dict[str, dict[str, Any]]:
    """Each axiom with its source, and what the theorem puts for its symbols and words."""
    if isinstance(theorem, Recurrence):
        return {theorem.axiom: {"source": AXIOMS[theorem.axiom].source, "words": {"chain": theorem.words}, "terms": {
            x: getattr(theorem, x) for x in ("value", "exception", "horizon", *chains.CONSTANTS)}}}
    return {u.axiom: {"source": AXIOMS[u.axiom].source, "terms": dict(u.terms), "words": dict(u.words)}
            for u in theorem.uses}


def owed(theorem: Stated) -> Owed:
    """The obligations of a theorem. KernelError where an axiom is unknown, or not used as it is meant."""
    if isinstance(theorem, tuple):
        return Owed((), {f"({n}) {label}": goal for n, part in enumerate(theorem, 1)
                         for label, goal in owed(part).obligations.items()})
    if isinstance(theorem, Recurrence):
        return chains.owed(theorem)
    require(_seen(theorem), "a text with characters that are not seen")
    named = [u.axiom for u in theorem.uses]
    require(bool(named) and len(set(named)) == len(named), "a theorem uses an axiom, and none twice")
    let, obligations, conclusions, introduces = [*theorem.let], dict[str, str](), list[str](), list[str]()
    for use in theorem.uses:
        axiom = (AXIOMS.get(use.axiom) if use.axiom not in chains.NAMES else None) or reject(f"no axiom {use.axiom!r}")
        symbols, given, several = _symbols(use)
        require(set(use.terms) == set(symbols) and set(use.words) == set(axiom.words),
                f"{use.axiom}: its terms are {sorted(axiom.terms)}, its words {sorted(axiom.words)}")
        require(all(w.strip() for w in use.words.values()), f"{use.axiom}: words are left out")
        own, new = {s.partition("(")[0] for s in symbols}, {s.partition("(")[0] for s in (*symbols, *given)}
        mine = (*theorem.where, *theorem.let, *theorem.parameters, *use.terms.values())
        require(not new & set(WORD.findall(" ".join(mine))) and not own & set(WORD.findall(theorem.goal)),
                f"{use.axiom}: the claim uses a symbol of the axiom ({', '.join(sorted(new))})")
        let += [f"{symbol} = {use.terms[symbol]}" for symbol in symbols]
        obligations |= {f"{axiom.name}: {name}": owing for title, text in axiom.hypotheses.items() for name, owing in
                        zip(_each(title, several), _each(_all(text, several), several), strict=True)}
        conclusions.append(_all(axiom.conclusion, several))
        introduces += given
    due = Owed(tuple(let), obligations, tuple(conclusions), tuple(introduces))
    _speaks_of_its_own(theorem, due)
    return due


def _random(theorem: Theorem) -> bool:
    return any(AXIOMS[u.axiom].tossed for u in theorem.uses)


def _symbols(use: Use) -> tuple[dict[str, str], list[str], range]:
    """An axiom's symbols, each with what its term may speak of; those that its conclusion introduces; and how many
    there are of those that stand for several."""
    axiom = AXIOMS[use.axiom]
    many = sum("#" in s for s in axiom.terms)
    several = range(1, 1 + (len(use.terms) - len(axiom.terms) + many) // max(1, many))
    return {s: kind for t, kind in axiom.terms.items() for s in _each(t, several)}, [
        s for t in axiom.gives for s in _each(t, several)], several


def _each(text: str, several: range) -> list[str]:
    return [text.replace("#", str(i)) for i in several] if "#" in text else [text]


def _all(text: str, several: range) -> str:
    return EACH.sub(lambda match: "".join(_each(match[1], several)), text)


def _speaks_of_its_own(theorem: Theorem, due: Owed) -> None:
    """A constant speaks of parameters alone, a term or formula of functions too, and of nothing else that is free."""
    functions, fixed = declarations(theorem.where), set(theorem.parameters)
    symbols = {f for text in functions for f in declared(text)}
    require(len(fixed) == len(theorem.parameters) and not fixed & symbols, "a parameter is named twice, or a function")
    for use in theorem.uses:
        for symbol, kind in _symbols(use)[0].items():
            may = fixed if kind == CONSTANT else {*fixed, *symbols, *WORD.findall(symbol.partition("(")[2])}
            _closed(f"{symbol} == 0", functions, due.let, may, f"{use.axiom}: {symbol}")
    for text in theorem.where:
        _closed(text, functions, due.let, fixed | symbols)
    new, heads = introduced(due.given)
    _closed(theorem.goal, (*functions, *new), due.let, fixed | symbols | heads)


def _closed(text: str, functions: tuple[str, ...], let: tuple[str, ...], may: set[str], what: str = "") -> None:
    loose = _spoken(text, functions, let) - may
    require(not loose, f"{what or text} speaks of {', '.join(sorted(loose))}")


def _spoken(text: str, functions: tuple[str, ...], let: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(names, hypotheses(text, functions, let)))


def introduced(given: tuple[str, ...]) -> tuple[tuple[str, ...], set[str]]:
    """The declarations of the functions that a conclusion introduces, and the names of all that it does."""
    heads = [s.partition("(") for s in given]
    return tuple(f"{name} in functions" for name, bracket, _ in heads if bracket), {name for name, *_ in heads}


def at_instance(theorem: Theorem, due: Owed, instance: tuple[str, ...]) -> tuple[tuple[str, ...], Owed]:
    """The context in which the witness's steps are proved, and what they are to say."""
    explicit, random = tuple(text for text in instance if ";" not in text), _random(theorem)
    stepwise = [STEPWISE.fullmatch(text) or reject(f"{text}: not w(1) = a; w(l + 1) = b") for text in instance
                if ";" in text]
    let, symbols = (*explicit, *due.let), [*["coin"] * random, *(match[1] for match in stepwise)]
    require(len(set(symbols)) == len(symbols), "a function is defined twice")
    functions = (f"{', '.join(symbols)} in functions",) * bool(symbols)
    context = [*functions, *[TOSSES] * random]
    for name in (*theorem.parameters, *["low", "high"] * random):
        require(not names(total(name, functions, let)), f"the instance leaves {name} open")
    for text in explicit:
        total(text.partition("=")[0], functions, let)
    for n, (name, first, step) in enumerate((match.groups() for match in stepwise), len(symbols) - len(stepwise)):
        known, after = set(symbols[:n]), total(step, functions, let)
        here = {s for s in subterms(after) if isinstance(s, tuple) and s[:2] == ("app", name)}
        require(names(total(first, functions, let)) <= known and names(after) <= {*known, name, "l"}
                and here <= {("app", name, "l")}, f"{name} is not defined by what stands before it")
        context += [f"{name}(1) == {first}", INDEX.format(f"{name}(l + 1) == {step}")]
    goals = {label: goal for use in theorem.uses for label, goal in AXIOMS[use.axiom].tossed.items()}
    goals |= {text: text for text in theorem.where if text not in declarations(theorem.where)}
    for goal in goals.values():
        _closed(goal, functions, let, set(symbols), f"at the instance, {goal}")
    met = Statement(theorem.goal, (*functions, *introduced(due.given)[0]), let).owed
    return tuple(context), Owed(let, goals, met=tuple(flat for formula in met for flat in _flat(formula)))


def _flat(formula: Node) -> tuple[Node, ...]:
    """The parts of a formula whose conjunctions, within existences too, are flat and without what is plainly true."""
    if formula[0] == "ex":
        return (("ex", formula[1], ("and", *_flat(formula[2]))),)
    if formula[0] == "and":
        return tuple(part for f in formula[1:] for part in _flat(f))
    return () if formula == (">", ONE) else (formula,)


def check_theorem(data: Any, wanted: Theorem | Recurrence | None = None) -> Theorem | Recurrence:
    """Check a certificate, by both checkers; the theorem that it proves, given the axioms. KernelError for all else."""
    if isinstance(data, dict) and isinstance(data.get("theorem"), dict) and "chain" in data["theorem"]:
        return chains.check(data, wanted)
    require(isinstance(data, dict) and set(data) == KEYS, f"a certificate by axioms has the keys {sorted(KEYS)}")
    require(type(data["schema"]) is int and data["schema"] == SCHEMA, f"schema {SCHEMA} is read here")
    found, witness = from_json(data["theorem"]), data["witness"]
    theorem = found if isinstance(found, Theorem) else reject("several theorems have a certificate each")
    require(wanted is None or theorem == wanted, "the certificate is for another theorem")
    due = owed(theorem)
    _paid(data["obligations"], theorem.where, due)
    context = (*theorem.where, *introduced(due.given)[0], *due.conclusions)
    _paid(data["conclusion"], context, Owed(due.let, {"conclusion": theorem.goal}))
    require(isinstance(witness, dict) and set(witness) == {"instance", "derivation"}
            and isinstance(witness["instance"], list) and all(isinstance(text, str) for text in witness["instance"]),
            "the witness is an instance and a derivation")
    _paid(witness["derivation"], *at_instance(theorem, due, tuple(witness["instance"])))
    return theorem


def _paid(bundle: Any, context: tuple[str, ...], due: Owed) -> None:
    proved = chains.paid(bundle, context, due)
    functions = declarations(context)
    shown = {flat for goal in proved.values() for h in hypotheses(goal, functions, due.let) for flat in _flat(h)}
    require(shown >= set(due.met), "a guard of the goal is not seen to be met")


def to_json(theorem: Theorem) -> dict[str, Any]:
    return dict(json.loads(json.dumps(asdict(theorem))))


def from_json(raw: Any) -> Stated:
    """The theorem that a certificate is for, or several of a list of certificates; KernelError for what is none."""
    if isinstance(raw, dict) and "chain" in raw:
        return chains.from_json(raw)
    try:
        if isinstance(raw, list):
            parts = (from_json(part["theorem"]) for part in raw)
            return tuple(part for part in parts if not isinstance(part, tuple))  # fewer than certificates: rejected
        uses = tuple(Use(**u) for u in raw["uses"])
        theorem = Theorem(tuple(raw["where"]), tuple(raw["parameters"]), uses, tuple(raw["let"]), raw["goal"])
        require(to_json(theorem) == raw and _seen(theorem), "a theorem of texts")
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise KernelError(f"malformed: a theorem ({type(error).__name__}: {error})") from None
    return theorem


def _seen(theorem: Theorem) -> bool:
    """Are its texts made of characters that are seen?"""
    put = (t for u in theorem.uses for t in (u.axiom, *u.terms, *u.terms.values(), *u.words, *u.words.values()))
    texts = (*theorem.where, *theorem.parameters, *theorem.let, theorem.goal, *put)
    return all(isinstance(text, str) and text.isprintable() for text in texts)
