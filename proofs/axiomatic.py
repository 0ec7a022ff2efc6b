"""What a claim that uses axioms owes, and the check of a certificate that pays it; trusted beside the kernel.

A theorem says: for all values of its parameters that meet the conditions on these alone, and then for all functions
that meet the other conditions, the goal. No condition has another free variable, so none can tie a constant to a time
or an index. Where an axiom is about random variables, the functions are random: with probability 1 they meet the
conditions, and the goal.

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
mean, and none of them ties the draws to each other, to a constant, or to what is concluded. Each certificate is checked
by the kernel and by the second checker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NoReturn

from qtheory.proofs.bundle import check_bundle, hypotheses, names
from qtheory.proofs.claims.axioms import ANY, AXIOMS, CONSTANT, STATE, Axiom, State, Theorem, Use
from qtheory.proofs.kernel.statements import Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node, subterms
from qtheory.proofs.kernel.theorem import settled

SCHEMA = 2
KEYS = {"schema", "theorem", "obligations", "conclusion", "witness"}
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
EACH = re.compile(r"\{([^{}]*#[^{}]*)\}")
STEPWISE = re.compile(r"([A-Za-z]\w*)\(1\) = ([^;]*); \1\(l \+ 1\) = ([^;]*)")
INDEX = "ForAll(l, And(Integer(l), l >= 1), {})"
TOSSES = INDEX.format("Or(coin(l) == low, coin(l) == high)")
SIZE, STATES = "size", "states"
MEMBERS = {"naturals": "Natural({})", "integers": "Integer({})"}


@dataclass(frozen=True)
class Owed:
    """``obligations`` by name; ``conclusions`` are the axioms' formulas, ``given`` the symbols that these introduce."""

    let: tuple[str, ...]
    obligations: Mapping[str, str]
    conclusions: tuple[str, ...]
    given: tuple[str, ...]


def is_theorem(data: Any) -> bool:
    return isinstance(data, dict) and "theorem" in data


def said(theorem: Theorem) -> str:
    """What the theorem concludes, in a line."""
    if theorem.goal is None:
        return "; ".join(_axiom(u).conclusion for u in theorem.uses)
    given = "".join(f"for some {symbol}, " for symbol in owed(theorem).given)
    return "with probability 1, " * _random(theorem) + given + theorem.goal


def lines(theorem: Theorem) -> tuple[str, ...]:
    """The whole statement, line by line, what is no formula in it included: shown wherever its verdict is."""
    functions, fixed = _functions(theorem), set(theorem.parameters)
    others = [w for w in theorem.where if w not in functions]
    alone = [w for w in others if _spoken(w, functions, theorem.let) <= fixed]
    out = [said(theorem)]
    if fixed or alone:
        out.append("; ".join([f"for all {', '.join(theorem.parameters)}", *alone]))
    if functions or alone != others:
        kind = "for all random" if _random(theorem) else "for all"
        out.append("; ".join([f"{kind} {', '.join(functions)}", *(w for w in others if w not in alone)]))
    out += [f"where {definition}" for definition in theorem.let]
    for use in theorem.uses:
        out += [f"given that {words}: {use.words[slot]}" for slot, words in _axiom(use).words.items()]
        out += [f"with {x} = {y}" for x, y in use.terms.items() if x.partition("(")[0] in
                WORD.findall(" ".join(_axiom(use).words.values()))]
    return tuple(out)


def rests_on(theorem: Theorem) -> dict[str, dict[str, Any]]:
    """Each axiom with its source, and what the theorem puts for its symbols and words."""
    return {u.axiom: {"source": _axiom(u).source, "terms": {**u.terms, **u.sets}, "words": dict(u.words)}
            for u in theorem.uses}


def owed(theorem: Theorem) -> Owed:
    """The obligations of a theorem. KernelError where an axiom is unknown, or not used as it is meant."""
    _require(bool(theorem.uses), "a theorem uses an axiom")
    _require(len({u.axiom for u in theorem.uses}) == len(theorem.uses), "an axiom is used twice")
    _require(all(str(text).isprintable() for text in _leaves(to_json(theorem))), "a text with unprintable characters")
    due = Owed(theorem.let, {}, (), ())
    for use in theorem.uses:
        axiom = _axiom(use)
        _require(axiom.formal == (theorem.goal is not None),
                 "a goal is for axioms that conclude with a formula, for these alone")
        symbols, several = _symbols(use)
        given = [s for t in axiom.gives for s in _each(t, several)]
        _meant(use, theorem, symbols, given)
        named = {f"{axiom.name}: {name}": h.format(**use.sets) for title, text in axiom.hypotheses.items()
                 for name, h in zip(_each(title, several), _each(_written(text, several), several), strict=True)}
        let = [f"{symbol} = {use.terms[symbol]}" for symbol in symbols]
        if use.state is not None:
            let.append(f"{SIZE} = {_size(use.state)}")
            named[f"{axiom.name}: {STATES}"] = _naturals(use.state)
        due = Owed((*due.let, *let), {**due.obligations, **named},
                   (*due.conclusions, *[_written(axiom.conclusion, several)] * axiom.formal), (*due.given, *given))
    _speaks_of_its_own(theorem, due)
    return due


def _axiom(use: Use) -> Axiom:
    _require(use.axiom in AXIOMS, f"no axiom {use.axiom!r}")
    return AXIOMS[use.axiom]


def _random(theorem: Theorem) -> bool:
    return any(_axiom(u).tossed for u in theorem.uses)


def _symbols(use: Use) -> tuple[dict[str, str], range]:
    """The axiom's symbols, each with what its term may speak of; and how often those that stand for several do."""
    terms = _axiom(use).terms
    many = sum("#" in s for s in terms)
    several = range(1, 1 + (len(use.terms) - len(terms) + many) // max(1, many))
    return {s: kind for t, kind in terms.items() for s in _each(t, several)}, several


def _each(text: str, several: range) -> list[str]:
    return [text.replace("#", str(i)) for i in several] if "#" in text else [text]


def _written(text: str, several: range) -> str:
    return EACH.sub(lambda match: "".join(_each(match[1], several)), text)


def _meant(use: Use, theorem: Theorem, symbols: Mapping[str, str], given: list[str]) -> None:
    axiom = _axiom(use)
    for what, put, wanted in (("terms", use.terms, symbols), ("words", use.words, axiom.words),
                              ("sets", use.sets, axiom.sets)):
        _require(set(put) == set(wanted), f"{use.axiom}: its {what} are {sorted(wanted)}")
    _require(all(w.strip() for w in use.words.values()), f"{use.axiom}: words are left out")
    named = use.state is not None and bool(_named(use.state))
    _require(named == axiom.on_states, f"{use.axiom}: a state is named where it is about states")
    own, new = {s.partition("(")[0] for s in symbols} | {SIZE}, {s.partition("(")[0] for s in given}
    texts = (*theorem.where, *theorem.let, *theorem.parameters, *use.terms.values(),
             *use.sets.values(), *(() if use.state is None else _named(use.state)))
    spoken = {w for text in texts for w in WORD.findall(text)}
    _require(not (own | new) & spoken and not own & set(WORD.findall(theorem.goal or "")),
             f"{use.axiom}: the claim uses a symbol of the axiom ({', '.join(sorted(own | new))})")


def _speaks_of_its_own(theorem: Theorem, due: Owed) -> None:
    """A constant speaks of parameters alone, a term or formula of functions too, and of nothing else that is free."""
    functions, fixed = _functions(theorem), set(theorem.parameters)
    symbols = {f for text in functions for f in declared(text)}
    _require(len(fixed) == len(theorem.parameters) and not fixed & symbols, "a parameter is named twice, or a function")
    for use in theorem.uses:
        state = set[str]() if use.state is None else _state(use.state, symbols, fixed, due.let)
        may = {CONSTANT: fixed, STATE: fixed | state, ANY: fixed | symbols}
        for symbol, kind in _symbols(use)[0].items():
            spoken = _spoken(f"{symbol} == 0", functions, due.let) - set(WORD.findall(symbol.partition("(")[2]))
            strange = spoken - may[kind]
            _require(not strange or (kind == ANY and use.state is not None),
                     f"{use.axiom}: {symbol} speaks of {', '.join(sorted(strange))}")
        for text in use.sets.values():
            Statement(text, functions, due.let).parsed()  # a formula by itself, wherever it is put
    if all(use.state is None for use in theorem.uses):
        for text in theorem.where:
            _closed(text, functions, due.let, fixed | symbols)
        new, heads = introduced(due.given)
        _closed(theorem.goal or "1 > 0", (*functions, *new), due.let, fixed | symbols | heads)


def _closed(text: str, functions: tuple[str, ...], let: tuple[str, ...], may: set[str]) -> None:
    loose = _spoken(text, functions, let) - may
    _require(not loose, f"{text}: {', '.join(sorted(loose))} is no parameter, no function, and not bound")


def introduced(given: tuple[str, ...]) -> tuple[tuple[str, ...], set[str]]:
    """The declarations of the symbols that a conclusion introduces, and their names."""
    heads = [s.partition("(") for s in given]
    return tuple(f"{name} in functions" for name, bracket, _ in heads if bracket), {name for name, *_ in heads}


def _spoken(text: str, functions: tuple[str, ...], let: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(names, hypotheses(text, functions, let)))


def _functions(theorem: Theorem) -> tuple[str, ...]:
    return tuple(text for text in theorem.where if declared(text, "functions"))


def _state(state: State, symbols: set[str], fixed: set[str], let: tuple[str, ...]) -> set[str]:
    defined = {text.partition("=")[0].partition("(")[0].strip() for text in let}
    _require(not set(_named(state)) & (fixed | defined | {"i"}), "the state is made of variables of its own")
    _require(set(state.rows) <= symbols and not symbols & {*state.scalars, state.length},
             "rows of a state are functions, its scalars and its length variables")
    _require(bool(state.rows) == bool(state.length), "rows have a length")
    return set(_named(state))


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


def at_instance(theorem: Theorem, due: Owed, instance: tuple[str, ...]) -> tuple[tuple[str, ...], Owed]:
    """The context in which the witness's steps are proved, and what they are to say."""
    explicit, random = tuple(text for text in instance if ";" not in text), _random(theorem)
    stepwise = [STEPWISE.fullmatch(text) or _reject(f"{text}: not w(1) = a; w(l + 1) = b") for text in instance
                if ";" in text]
    let, symbols = (*explicit, *due.let), [*["coin"] * random, *(match[1] for match in stepwise)]
    _require(len(set(symbols)) == len(symbols), "a function is defined twice")
    functions = (f"{', '.join(symbols)} in functions",) * bool(symbols)
    context = [*functions, *[TOSSES] * random]
    for name in (*theorem.parameters, *["low", "high"] * random):
        _require(not names(_total(name, functions, let)), f"the instance leaves {name} open")
    for text in explicit:
        _total(text.partition("=")[0], functions, let)
    for n, (name, first, step) in enumerate((match.groups() for match in stepwise), len(symbols) - len(stepwise)):
        known, after = set(symbols[:n]), _total(step, functions, let)
        here = {s for s in subterms(after) if isinstance(s, tuple) and s[:2] == ("app", name)}
        _require(names(_total(first, functions, let)) <= known and names(after) <= {*known, name, "l"}
                 and here <= {("app", name, "l")}, f"{name} is not defined by what stands before it")
        context += [f"{name}(1) == {first}", INDEX.format(f"{name}(l + 1) == {step}")]
    goals = {label: goal for use in theorem.uses for label, goal in _axiom(use).tossed.items()}
    for text in theorem.where:
        family = text.split()[-1]
        each = [MEMBERS[family].format(x) for x in declared(text) if family in MEMBERS]
        goals |= {text: f"And({', '.join(each)})"} if each else {} if declared(text) else {text: text}
    for goal in goals.values():
        _closed(goal, functions, let, set(symbols))
    return tuple(context), Owed(let, goals, (), ())


def _total(text: str, functions: tuple[str, ...], let: tuple[str, ...]) -> Node:
    """The term, which is defined everywhere."""
    (formula, *others) = hypotheses(f"({text}) == 0", functions, let)
    _require(not others and formula[0] == "=" and settled(formula[1], ()), f"{text}: not defined everywhere")
    return formula[1]


def check_theorem(data: Any, wanted: Theorem | None = None) -> Theorem:
    """Check a certificate, by both checkers; the theorem that it proves, given the axioms. KernelError for all else."""
    _require(isinstance(data, dict) and set(data) == KEYS, f"a certificate by axioms has the keys {sorted(KEYS)}")
    _require(type(data["schema"]) is int and data["schema"] == SCHEMA, f"schema {SCHEMA} is read here")
    theorem, witness = from_json(data["theorem"]), data["witness"]
    _require(wanted is None or theorem == wanted, "the certificate is for another theorem")
    due = owed(theorem)
    _paid(data["obligations"], theorem.where, due)
    if theorem.goal is None:
        _require(data["conclusion"] is None, "a conclusion that nothing states")
    else:
        context = (*theorem.where, *introduced(due.given)[0], *due.conclusions)
        _paid(data["conclusion"], context, Owed(due.let, {"conclusion": theorem.goal}, (), ()))
    _require(isinstance(witness, dict) and set(witness) == {"instance", "derivation"} and _texts(witness["instance"]),
             "the witness is an instance and a derivation")
    _paid(witness["derivation"], *at_instance(theorem, due, tuple(witness["instance"])))
    return theorem


def _paid(bundle: Any, context: tuple[str, ...], due: Owed) -> None:
    standings = check_bundle(bundle)
    _require(bundle["context"] == list(context) and bundle["let"] == list(due.let), "a derivation in another context")
    found = {step["label"]: (step["goal"], standing) for step, standing in zip(bundle["steps"], standings, strict=True)}
    for label, goal in due.obligations.items():
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


def _reject(why: str) -> NoReturn:
    raise KernelError(why)


def _require(condition: bool, why: str) -> None:
    if not condition:
        _reject(why)
