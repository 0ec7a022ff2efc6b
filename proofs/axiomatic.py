"""What a claim that uses axioms owes, and the check of a certificate that pays it; trusted beside the kernel.

The obligations are formulas: an axiom's hypotheses, in which its symbols are defined as the claim's terms and its sets
are the claim's formulas, under the claim's conditions. A certificate is plain data,

  {"schema": 1, "theorem": {..}, "obligations": derivation, "conclusion": derivation or null,
   "witness": {"instance": [..], "certificate": {..}}}

The obligations are made anew from the axioms' file, and each must be a proved step of the first derivation, whose
context is the claim's conditions. Where the axioms' conclusions are formulas, the claim's goal must be a proved step of
the second one, whose context are the conditions and these conclusions. The witness is an instance, definitions of all
variables and functions, at which the conditions and conclusions hold: without it nothing is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from qtheory.proofs import chains
from qtheory.proofs.bundle import check_bundle, names
from qtheory.proofs.chains import Recurrence
from qtheory.proofs.claims.axioms import ANY, AXIOMS, CONSTANT, Axiom, State, Theorem, Use
from qtheory.proofs.kernel.certificate import check as kernel_check
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError

SCHEMA = 1
KEYS = {"schema", "theorem", "obligations", "conclusion", "witness"}
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
SIZE, STATES = "size", "states"
MEMBERS = {"naturals": "Natural({})", "integers": "Integer({})"}


@dataclass(frozen=True)
class Owed:
    """``obligations`` by name; ``conclusions`` are the axioms' formulas."""

    let: tuple[str, ...]
    obligations: Mapping[str, str]
    conclusions: tuple[str, ...]


def is_theorem(data: Any) -> bool:
    return isinstance(data, dict) and "theorem" in data


def said(theorem: Theorem | Recurrence) -> str:
    """What the theorem concludes, in a line."""
    if isinstance(theorem, Recurrence):
        return chains.lines(theorem)[0]
    if theorem.goal is not None:
        almost = any(AXIOMS[u.axiom].almost_surely for u in theorem.uses if u.axiom in AXIOMS)
        return f"with probability 1, {theorem.goal}" if almost else theorem.goal
    return "; ".join(AXIOMS[u.axiom].conclusion for u in theorem.uses if u.axiom in AXIOMS)


def rests_on(theorem: Theorem | Recurrence) -> dict[str, dict[str, Any]]:
    """Each axiom with its source, and what the theorem puts for its symbols and words."""
    if isinstance(theorem, Recurrence):
        terms = {x: getattr(theorem, x) for x in ("value", "exception", "horizon", *chains.CONSTANTS)}
        return {theorem.axiom: {"source": AXIOMS[theorem.axiom].source, "terms": terms,
                                "words": {"chain": theorem.words}}}
    return {u.axiom: {"source": AXIOMS[u.axiom].source, "terms": {**u.terms, **u.sets}, "words": dict(u.words)}
            for u in theorem.uses if u.axiom in AXIOMS}


def owed(theorem: Theorem) -> Owed:
    """The obligations of a theorem. KernelError where an axiom is unknown, or not used as it is meant."""
    _require(bool(theorem.uses), "a theorem uses an axiom")
    _require(len({u.axiom for u in theorem.uses}) == len(theorem.uses), "an axiom is used twice")
    let, formulas = list(theorem.let), dict[str, str]()
    for use in theorem.uses:
        axiom = _meant(use, theorem)
        let += [f"{symbol} = {use.terms[symbol]}" for symbol in axiom.terms]
        if use.state is not None:
            let.append(f"{SIZE} = {_size(use.state)}")
            formulas[f"{axiom.name}: {STATES}"] = _naturals(use.state)
        formulas |= {f"{axiom.name}: {name}": h.format(**use.sets) for name, h in axiom.hypotheses.items()}
    kinds = {AXIOMS[u.axiom].formal for u in theorem.uses}
    _require(kinds == {theorem.goal is not None}, "a goal is for axioms that conclude with a formula, for these alone")
    conclusions = tuple(AXIOMS[u.axiom].conclusion for u in theorem.uses) if theorem.goal is not None else ()
    for use in theorem.uses:
        _speaks_of_its_own(use, theorem, tuple(let))
    return Owed(tuple(let), formulas, conclusions)


def _meant(use: Use, theorem: Theorem) -> Axiom:
    axiom = AXIOMS.get(use.axiom)
    if axiom is None:
        raise KernelError(f"no axiom {use.axiom!r}")
    for what, given, wanted in (("terms", use.terms, axiom.terms), ("words", use.words, axiom.words),
                                ("sets", use.sets, axiom.sets)):
        _require(set(given) == set(wanted), f"{use.axiom}: its {what} are {sorted(wanted)}")
    _require(all(w.strip() for w in use.words.values()), f"{use.axiom}: words are left out")
    named = use.state is not None and bool(_named(use.state))
    _require(named == axiom.on_states, f"{use.axiom}: a state is named where it is about states")
    own = {s.partition("(")[0] for s in axiom.terms} | {SIZE}
    texts = (*theorem.where, *theorem.let, *theorem.parameters, theorem.goal or "", *use.terms.values(),
             *use.sets.values(), *(() if use.state is None else _named(use.state)))
    _require(not own & {w for text in texts for w in WORD.findall(text)},
             f"{use.axiom}: the claim uses a symbol of the axiom ({', '.join(sorted(own))})")
    return axiom


def _speaks_of_its_own(use: Use, theorem: Theorem, let: tuple[str, ...]) -> None:
    """Each term speaks of what it may: a constant of parameters alone, a function of the state of the state too."""
    axiom, functions = AXIOMS[use.axiom], _functions(theorem)
    state: set[str] = set()
    if use.state is not None:
        state = set(_named(use.state))
        defined = {text.partition("=")[0].partition("(")[0].strip() for text in let}
        _require(not state & (set(theorem.parameters) | defined | {"i"}), "the state is made of variables of its own")
        symbols = {f for text in functions for f in declared(text)}
        _require(set(use.state.rows) <= symbols and not symbols & {*use.state.scalars, use.state.length},
                 "rows of a state are functions, its scalars and its length variables")
        _require(bool(use.state.rows) == bool(use.state.length), "rows have a length")
    for symbol, kind in axiom.terms.items():
        index = symbol.partition("(")[2].rstrip(")")
        spoken = names(Statement(f"{symbol} == 0", functions, let).conclusion) - {index}
        strange = spoken - set(theorem.parameters) - (state if kind != CONSTANT else set())
        _require(kind == ANY or not strange, f"{use.axiom}: {symbol} speaks of {', '.join(sorted(strange))}")
    for text in use.sets.values():
        Statement(text, functions, let).parsed()  # a formula by itself, wherever it is put


def _named(state: State) -> tuple[str, ...]:
    return tuple(filter(None, (*state.scalars, state.length, *state.rows)))


def _size(state: State) -> str:
    row = f"Sum({' + '.join(f'{f}(i)' for f in state.rows)}, (i, 1, {state.length}))" if state.rows else ""
    return " + ".join(filter(None, (*state.scalars, state.length, row)))


def _naturals(state: State) -> str:
    entries = [f"Natural({f}(i))" for f in state.rows]
    rows = [f"ForAll(i, And(floor(i) == i, 1 <= i, i <= {state.length}), And({', '.join(entries)}))"] if entries else []
    scalars = [f"Natural({x})" for x in filter(None, (*state.scalars, state.length))]
    return f"And({', '.join([*scalars, *rows])})"


def _functions(theorem: Theorem) -> tuple[str, ...]:
    return tuple(text for text in theorem.where if declared(text, "functions"))


def at_instance(theorem: Theorem, due: Owed, instance: tuple[str, ...]) -> Statement:
    """That all conditions and the axioms' conclusions hold at the instance."""
    conditions = []
    for text in theorem.where:
        family = text.split()[-1]
        own = declared(text)
        conditions += [MEMBERS[family].format(x) for x in own if family in MEMBERS] if own else [text]
    goal = f"And({', '.join([*conditions, *due.conclusions, '1 > 0'])})"
    statement = Statement(goal, (), (*instance, *due.let)).parsed()
    left = names(statement.conclusion)
    _require(not left, f"the instance leaves {', '.join(sorted(left))} open")
    return statement


def check_theorem(data: Any, also: Callable[[Any], None] | None = None,
                  wanted: Theorem | Recurrence | None = None) -> Theorem | Recurrence:
    """Check a certificate with the kernel; the theorem that it proves, given the axioms.

    ``also`` is called with each certificate in it, for a second checker. Raises KernelError for all else.
    """
    if isinstance(data, dict) and isinstance(data.get("theorem"), dict) and "chain" in data["theorem"]:
        _require(wanted is None or isinstance(wanted, Recurrence), "the certificate is for another theorem")
        return chains.check(data, also, wanted if isinstance(wanted, Recurrence) else None)
    _require(isinstance(data, dict) and set(data) == KEYS, f"a certificate by axioms has the keys {sorted(KEYS)}")
    _require(type(data["schema"]) is int and data["schema"] == SCHEMA, f"schema {SCHEMA} is read here")
    theorem = from_json(data["theorem"])
    _require(wanted is None or theorem == wanted, "the certificate is for another theorem")
    due = owed(theorem)
    _paid(data["obligations"], theorem.where, due.let, due.obligations, also)
    if theorem.goal is None:
        _require(data["conclusion"] is None, "a conclusion that nothing states")
    else:
        _paid(data["conclusion"], (*theorem.where, *due.conclusions), due.let, {"conclusion": theorem.goal}, also)
    witness = data["witness"]
    _require(isinstance(witness, dict) and set(witness) == {"instance", "certificate"} and _texts(witness["instance"]),
             "the witness is an instance and its certificate")
    statement = at_instance(theorem, due, tuple(witness["instance"]))
    kernel_check(witness["certificate"], statement)
    _require(witness["certificate"]["verdict"] == "proved", "the conditions are not met at the witness")
    if also is not None:
        also(witness["certificate"])
    return theorem


def _paid(bundle: Any, context: tuple[str, ...], let: tuple[str, ...], goals: Mapping[str, str],
          also: Callable[[Any], None] | None) -> None:
    standings = check_bundle(bundle, also)
    _require(bundle["context"] == list(context) and bundle["let"] == list(let), "a derivation in another context")
    found = {step["label"]: (step["goal"], standing) for step, standing in zip(bundle["steps"], standings, strict=True)}
    for label, goal in goals.items():
        _require(found.get(label) == (goal, "proved"), f"not proved: {label}")


def to_json(theorem: Theorem) -> dict[str, Any]:
    return dict(_plain(asdict(theorem)))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value


def from_json(raw: Any) -> Theorem:
    """The theorem that a certificate is for; KernelError for what is none."""
    try:
        uses = tuple(Use(**{**u, "state": None if u["state"] is None else State(
            tuple(u["state"]["scalars"]), tuple(u["state"]["rows"]), u["state"]["length"])}) for u in raw["uses"])
        theorem = Theorem(tuple(raw["where"]), tuple(raw["parameters"]), uses, tuple(raw["let"]), raw["goal"])
    except (TypeError, KeyError, AttributeError) as error:
        raise KernelError(f"malformed: a theorem ({type(error).__name__}: {error})") from None
    filled = {**raw, "goal": raw["goal"] or "", "uses": [{**u, "state": u["state"] or ""} for u in raw["uses"]]}
    _require(to_json(theorem) == raw and _texts(_leaves(filled)), "malformed: a theorem")
    return theorem


def _leaves(raw: Any) -> list[Any]:
    if isinstance(raw, dict):
        return [*raw, *(leaf for v in raw.values() for leaf in _leaves(v))]
    if isinstance(raw, list):
        return [leaf for v in raw for leaf in _leaves(v)]
    return [raw]


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _require(condition: bool, why: str) -> None:
    if not condition:
        raise KernelError(why)
