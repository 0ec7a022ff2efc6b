"""Positive recurrence of a Markov chain that is data, by Foster's theorem; trusted beside the kernel.

The parameters come first, with conditions of their own. A state is a list of natural numbers: scalars, and rows of
which the first so many count (the others are like them, and of no matter). In a step something is chosen, by what
``choices`` say of it; then an outcome is drawn, each with a probability. It says what the scalars are next, what is
left of each row, and which rows come, and may speak of an input: values of some law, of which conditions hold surely,
and some terms have stated means. A function of the state is a term of parameters, of scalars and of ``totals``, sums
over the rows. So its value in the next state is written out here, and its mean is a sum over the outcomes: of its value
itself, or, where there is an input, of a bound that is affine in the terms with stated means. Owed is all that Foster's
theorem asks for, that probabilities are such, that next states are states, and that rows which leave count nothing.
What is not proved is part of the statement (``lines``). A certificate is plain data,

  {"schema": 3, "theorem": {..}, "obligations": derivation, "witness": {"instance": [..], "certificate": {..}},
   "possible": {"under": [..], "ways": [[[..], [[chance, [..]], ..]], ..], "proof": derivation or certificate} or null}

The witness is an instance at which all conditions hold. ``possible`` shows that there is such a chain: in every state
one of the ``ways``, definitions of what is chosen and a law of the input, chances with definitions of its values, meets
the conditions and has the stated means; for all parameters, or those ``under`` more conditions, as the instance is.
Where that is assumed, which the statement then says, one certificate shows it at the instance alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from qtheory.proofs.bundle import check_bundle, declarations, hypotheses, names, texts
from qtheory.proofs.checkers import both
from qtheory.proofs.kernel.statements import NAMES_TAKEN, Statement, declared
from qtheory.proofs.kernel.terms import KernelError, Node, reject, require
from qtheory.proofs.kernel.theorem import settled as defined_everywhere

SCHEMA = 3
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
FOSTER, STATE_DEPENDENT = "foster-lyapunov", "foster-lyapunov-state-dependent"
NAMES, SAYS = (FOSTER, STATE_DEPENDENT), "X is positive recurrent"
CONSTANTS = ("lowest", "rate", "most")
# the words with a meaning of what is put into another state: none binds or replaces a name, so that none is captured
PLAIN = {"exp", "log", "sqrt", "LambertW", "floor", "ceiling", "Abs", "Min", "Max", "factorial", "binomial", "And",
         "Or", "Implies", "Natural", "Integer"}
SYMBOLS = {"value", "mean", "change", "size", "probe", *CONSTANTS}
AHEAD = "steps"  # how many of them a function looks ahead


@dataclass(frozen=True)
class State:
    """``scalars``, and ``length`` rows with an entry of each function in ``rows`` at 1, ..., length."""

    scalars: tuple[str, ...]
    rows: tuple[str, ...] = ()
    length: str = ""


@dataclass(frozen=True)
class Outcome:
    """With probability ``chance``: the ``next`` scalars (those that change), the functions of what is ``left`` of each
    row (likewise) and of the rows that ``came``. ``mean``: by terms with stated means (and ``""``, for 1), the
    coefficients of a bound of the function's next value; none where it is its own mean."""

    next: Mapping[str, str] = field(default_factory=dict)
    chance: str = "1"
    left: Mapping[str, str] = field(default_factory=dict)
    came: Mapping[str, str] = field(default_factory=dict)
    mean: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Chain:
    """``functions``: declarations; ``given``: what holds of the parameters; ``space`` and ``row``: which states, and
    which rows in them, there are, ``blank`` such a row. A row stays where ``stay`` is positive after the step, and
    ``many`` rows come. ``height`` falls on some way to the ``root``, and ``rise`` on the way back: from the state
    ``before`` one step leads to the one that is there."""

    given: tuple[str, ...]
    state: State
    outcomes: tuple[Outcome, ...]
    functions: tuple[str, ...] = ()
    space: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    blank: Mapping[str, str] = field(default_factory=dict)
    totals: Mapping[str, str] = field(default_factory=dict)
    choices: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    input: tuple[str, ...] = ()
    moments: Mapping[str, str] = field(default_factory=dict)
    stay: str = ""
    many: str = ""
    root: Mapping[str, str] = field(default_factory=dict)
    height: str = ""
    before: Mapping[str, str] = field(default_factory=dict)
    rise: str = ""


@dataclass(frozen=True)
class Recurrence:
    """That the chain is positive recurrent, for all ``parameters``: ``value`` is at least ``lowest``, and falls by
    ``rate`` in the mean but for the ``exception``, states of size at most ``most``. With a ``horizon``, so many steps
    ahead: value then speaks of ``steps`` too, the mean of each is at most the next in a step, and the first is the
    function. ``words``: what else is said of the chain. ``assumed``: that there is one is a condition, not shown."""

    chain: Chain
    parameters: tuple[str, ...]
    value: str
    exception: str
    rate: str
    most: str
    words: str
    lowest: str = "0"
    let: tuple[str, ...] = ()
    horizon: str = ""
    assumed: bool = False
    goal: None = None

    @property
    def where(self) -> tuple[str, ...]:
        return (*states(self.chain), *self.chain.choices)

    @property
    def axiom(self) -> str:
        return STATE_DEPENDENT if self.horizon else FOSTER


@dataclass(frozen=True)
class Owed:
    """``obligations`` by name, and ``met``, formulas to be proved in whatever text; ``conclusions`` are the axioms'
    formulas, ``given`` the symbols that these introduce."""

    let: tuple[str, ...]
    obligations: Mapping[str, str]
    conclusions: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    met: tuple[Node, ...] = ()


# ---- texts ----

def head(text: str) -> str:
    """What a definition defines."""
    return (WORD.match(text) or reject(f"{text!r} defines nothing"))[0]


def at(text: str, put: Mapping[str, str]) -> str:
    """The text at another state."""
    strange = {*WORD.findall(text)} & NAMES_TAKEN - PLAIN
    require(not strange, f"{text!r} is put into another state, and may not say {', '.join(sorted(strange))}")
    return renamed(text, put)


def renamed(text: str, put: Mapping[str, str]) -> str:
    return WORD.sub(lambda word: put.get(word[0], word[0]), text)


def joined(parts: Sequence[str], by: str = "And") -> str:
    return parts[0] if len(parts) == 1 else f"{by}({', '.join(parts)})" if parts else "1 > 0"


def each(*parts: str) -> str:
    return f"ForAll(i, And(floor(i) == i, i >= 1), {joined(parts)})"


def natural(terms: Iterable[str]) -> list[str]:
    return [f"Natural({term})" for term in terms]


def states(chain: Chain) -> tuple[str, ...]:
    """That the parameters and the state are such."""
    state = chain.state
    rows = (each(*natural(f"{f}(i)" for f in state.rows)), *map(each, chain.row)) if state.rows else ()
    own = tuple(f"{x} in naturals" for x in filter(None, (*state.scalars, state.length)))
    return (*chain.functions, *chain.given, *own, *rows, *chain.space)


def formulas(texts: Iterable[str]) -> list[str]:
    """Memberships as formulas too."""
    kinds = {"naturals": "Natural({})", "integers": "Integer({})"}
    return [f for t in texts for f in ([kinds[t.split()[-1]].format(x) for x in declared(t) if t.split()[-1] in kinds]
                                       if declared(t) else [t])]


def variants(let: Sequence[str], several: Iterable[Sequence[str]]) -> tuple[list[str], list[dict[str, str]]]:
    """Several definitions of the same names, and of all that rests on them, side by side; the new names of each."""
    made, names_of = list[str](), list[dict[str, str]]()
    for n, variant in enumerate(several, 1):
        require(not {head(text) for text in variant} & NAMES_TAKEN, "a definition of a name that has a meaning")
        put, lines = {head(text): f"{head(text)}_{n}" for text in variant}, list(variant)
        for text in let:
            if set(WORD.findall(text)[1:]) & set(put):
                put[head(text)] = f"{head(text)}_{n}"
                lines.append(text)
        made += [renamed(text, put) for text in lines]
        names_of.append(put)
    return made, names_of


# ---- what is owed ----

def owed(claim: Recurrence) -> Owed:
    """The obligations; KernelError where a text speaks of what it may not."""
    due = _owed(claim)
    _speak(claim, due)
    return due


def _shaped(chain: Chain) -> None:
    """KernelError for a chain with a part that is missing, or of nothing."""
    state, moved = chain.state, chain.outcomes
    require(bool(state.rows) == bool(state.length) == bool(chain.stay) and set(chain.blank) == set(state.rows)
            and (bool(state.rows) or not (chain.many or chain.totals)), "rows have a length, stay, and can be blank")
    require(bool(moved) and all(
        set(o.next) <= set(state.scalars) and set(o.left) <= set(state.rows) and set(o.mean) <= {"", *chain.moments}
        and set(o.came) == (set(state.rows) if chain.many else set())
        and all(WORD.fullmatch(f) for f in (*o.left.values(), *o.came.values())) for o in moved),
        "outcomes are of the state's scalars and rows, and bounds of stated means")
    ways = (set(chain.root), set(chain.before), set(state.scalars if chain.height else ()))
    require(ways[0] == ways[1] == ways[2] and bool(chain.height) == bool(chain.rise) and not (chain.height and (
        state.rows or chain.choices or chain.inputs)), "ways are for scalars alone, without choices and input")


def _owed(claim: Recurrence) -> Owed:
    _shaped(claim.chain)
    chain, state, due = claim.chain, claim.chain.state, dict[str, str]()
    value = at(claim.value, {AHEAD: "(0)"}) if claim.horizon else claim.value
    let = [*(f"{x} = Sum({term}, (i, 1, {state.length}))" for x, term in chain.totals.items()), *claim.let]
    means = list[str]()
    for n, outcome in enumerate(chain.outcomes, 1):
        tail = "" if len(chain.outcomes) == 1 else str(n)
        left, came = ({f: use.get(f, f) for f in state.rows} for use in (outcome.left, outcome.came))
        then = {x: f"({outcome.next.get(x, x)})" for x in state.scalars}
        for x, term in chain.totals.items():
            let.append(f"{x}_left{tail} = Sum({at(term, left)}, (i, 1, {state.length}))")
            let += [f"{x}_came{tail} = Sum({at(term, came)}, (i, 1, {chain.many}))"] if chain.many else []
            then[x] = f"({x}_left{tail} + {x}_came{tail})" if chain.many else f"{x}_left{tail}"
        guards = [*([f"{outcome.chance} > 0"] if outcome.chance != "1" else []), *chain.input]

        def under(goal: str, guards: Sequence[str] = guards) -> str:
            return f"Implies({joined(guards)}, {goal})" if guards else goal

        due[f"next{tail}"] = under(joined([*natural(then[x] for x in state.scalars),
                                           *(at(text, then) for text in chain.space)]))
        if state.rows:
            stays = [*natural(f"{left[f]}(i)" for f in state.rows), *(at(text, left) for text in chain.row)]
            gone = [f"{at(term, left)} == 0" for term in chain.totals.values()]
            due[f"rows left{tail}"] = each(f"Or({chain.stay} > 0, {chain.stay} <= 0)",  # that it is defined
                                           f"Implies({chain.stay} > 0, {joined(stays)})",
                                           f"Implies({chain.stay} <= 0, {joined(gone)})")
        if chain.many:
            comes = [*natural(f"{came[f]}(i)" for f in state.rows), *(at(text, came) for text in chain.row)]
            due[f"rows came{tail}"] = under(f"And(Natural({chain.many}), {each(*comes)})")
        after = at(claim.value, then)
        if outcome.mean:
            def bounding(by: Callable[[str], str], of: Mapping[str, str] = outcome.mean) -> str:
                return " + ".join(f"({c})*({by(g)})" if g else f"({c})" for g, c in of.items())

            due[f"mean{tail}"] = under(f"{after} <= {bounding(str)}")
            after = bounding(chain.moments.__getitem__)
        means.append(after if outcome.chance == "1" else f"({outcome.chance})*({after})")
    if chain.outcomes[1:] or chain.outcomes[0].chance != "1":
        chances = [f"({x.chance})" for x in chain.outcomes]
        due["chances"] = joined([*(f"{c} >= 0" for c in chances), f"{' + '.join(chances)} == 1"])
    if state.rows:
        blank = {f"{f}(i)": f"({term})" for f, term in chain.blank.items()}
        due["blank row"] = joined([re.sub(r"\w+\(i\)", lambda x: blank.get(x[0], x[0]), text)
                                   for text in (*natural(blank), *chain.row)])
    due |= _ways(chain) if chain.height else {}
    fall = "change <= -rate"
    if claim.horizon:
        due |= {"steps ahead": f"Implies(Natural({AHEAD}), mean <= {at(claim.value, {AHEAD: f'({AHEAD} + 1)'})})",
                "horizon": f"And(Natural({claim.horizon}), {claim.horizon} >= 1)"}
        fall = f"{at(claim.value, {AHEAD: f'({claim.horizon})'})} <= value - rate*({claim.horizon})"
    due |= {"bounded below": "value >= lowest", "positive rate": "rate > 0", "drift": f"Or({claim.exception}, {fall})",
            "finite set": f"Implies({claim.exception}, size <= most)"}
    rows = f"Sum({' + '.join(f'{f}(i)' for f in state.rows)}, (i, 1, {state.length}))" if state.rows else ""
    let += (f"size = {' + '.join(filter(None, (*state.scalars, state.length, rows)))}",
            f"value = {value}", *(f"{x} = {getattr(claim, x)}" for x in CONSTANTS), f"mean = {' + '.join(means)}",
            *(() if claim.horizon else ("change = mean - value",)))
    return Owed(tuple(let), {f"{claim.axiom}: {x}": goal for x, goal in due.items()})


Way = tuple[Sequence[str], Sequence[tuple[str, Sequence[str]]]]  # what is chosen, and a law of the input


def possible(claim: Recurrence, ways: Sequence[Way], instance: Sequence[str] = ()) -> Owed:
    """That in every state something can be chosen and the input have a law as they are said to; or the law alone, at
    an instance, which makes the choices."""
    chain, known, found = claim.chain, _owed(claim).let, list[str]()
    functions, let = () if instance else _functions(chain), (*instance, *known)
    made, fresh = variants(let, [(*chosen, *values) for chosen, law in ways for _, values in law])
    puts, own = iter(fresh), {*claim.parameters, *_own(chain)}
    free = _chosen(chain, known) - {*own, *chain.inputs, *map(head, known)}
    require({head(text) for chosen, _ in ways for text in chosen} <= (set() if instance else free)
            and {head(text) for _, law in ways for _, values in law for text in values} <= {*chain.inputs},
            "a way defines something else than what is chosen, and the input in its law")
    require(not {head(text) for text in made} & {*own, *_words(claim)}, "a name of a way is taken")
    for chosen, law in ways:
        require(bool(law), "a law has chances")
        at_law = [(c, next(puts)) for c, _ in law]
        for c, _ in law:
            _spoken(c, functions, needed(c, let), False)  # raises where that is no term by itself
        chances = [f"({renamed(c, put)})" for c, put in at_law]
        found.append(joined([
            *valued([renamed(text.partition("=")[0], put) for (_, values), (_, put) in zip(law, at_law, strict=True)
                     for text in (*chosen, *values)], functions, (*let, *made)),
            *(renamed(text, at_law[0][1]) for text in formulas(chain.choices) if not instance),
            *(f"{c} >= 0" for c in chances), f"{' + '.join(chances)} == 1",
            *(renamed(text, put) for _, put in at_law for text in chain.input),
            *(f"{' + '.join(f'{c}*({renamed(g, put)})' for c, (_, put) in zip(chances, at_law, strict=True))} == "
              f"{renamed(m, at_law[0][1])}" for g, m in chain.moments.items())]))
    goal = joined(found, "Or")
    let = needed(goal, (*let, *made))
    require(bool(ways) and _spoken(goal, functions, let, True) <= own, "a way is left open")
    return Owed(let, {f"{claim.axiom}: possible": goal})


def _ways(chain: Chain) -> dict[str, str]:
    """A way of positive probability from each state to the root, and one from the root to it."""
    scalars, (before, root) = chain.state.scalars, ({x: f"({t})" for x, t in y.items()}
                                                    for y in (chain.before, chain.root))
    here = joined([f"{x} == {root[x]}" for x in scalars])
    steps = [(f"({x.chance})", {y: f"({x.next.get(y, y)})" for y in scalars}) for x in chain.outcomes]
    down = [f"And({c} > 0, {at(chain.height, then)} <= {chain.height} - 1)" for c, then in steps]
    up = [joined([f"{at(c, before)} > 0", *(f"{at(then[y], before)} == {y}" for y in scalars)]) for c, then in steps]
    start = joined([*natural(before.values()), *(at(s, before) for s in chain.space),
                    f"{at(chain.rise, before)} <= {chain.rise} - 1", joined(up, "Or")])
    return {"root": joined([*natural(root.values()), *(at(s, root) for s in chain.space)]),
            "heights": joined(natural((chain.height, chain.rise))),
            "way to the root": f"Or({here}, {joined(down, 'Or')})", "way from the root": f"Or({here}, {start})"}


# ---- what each text may speak of ----

def _functions(chain: Chain) -> tuple[str, ...]:
    return declarations((*chain.functions, *chain.given))


def _spoken(text: str, functions: tuple[str, ...], let: tuple[str, ...], formula: bool) -> set[str]:
    """The free names of a text, which is a formula, or a term, by itself."""
    if formula and declared(text):
        return set(declared(text))
    goal, more = (text, ()) if formula else ("probe == 0", (f"probe = {text}",))
    return set(names(Statement(goal, functions, (*needed(text, let), *more)).conclusion))


def _speak(claim: Recurrence, due: Owed) -> None:
    """What is put into another state speaks of a state by its names; of the input speaks nothing that is settled before
    it is drawn."""
    chain, state, functions, own = claim.chain, claim.chain.state, _functions(claim.chain), _own(claim.chain)
    require(claim.words.strip() != "" and all(t.isprintable() for t in (*_texts(to_json(claim)), claim.words)),
            "the words of a chain are left out, or a text has characters that are not seen")
    apart = [*claim.parameters, *own, *chain.inputs, *map(head, due.let), "i", AHEAD]
    require(bool(own) and len(set(apart)) == len(apart), "parameters, state, input and definitions are all different")
    require(all(WORD.fullmatch(x) for x in apart) and not {*apart} & NAMES_TAKEN, "a name is none, or has a meaning")
    require(not _words(claim) & SYMBOLS, f"the claim uses a symbol of the axiom ({', '.join(sorted(SYMBOLS))})")
    symbols = {f for text in functions for f in declared(text)}
    require(all(declared(text, "functions") for text in chain.functions), "functions are declarations")
    require({*state.rows} <= symbols and not symbols & {*state.scalars, state.length}, "rows alone are functions")
    fixed = tuple[str, ...]()  # the definitions that speak of parameters alone
    parameters, scalars, entries = set(claim.parameters), {*state.scalars, *chain.totals}, {*state.rows, "i"}
    for text in claim.let:
        symbol = text.partition("=")[0].strip()
        spoken = _spoken(symbol, functions, due.let, False) - set(WORD.findall(symbol)[1:])
        fixed += (text,) if spoken <= parameters else ()
    for may, kind, several in (
            (parameters | symbols, True, [t for t in chain.given if declared(t, "functions")]),
            (parameters, True, [t for t in chain.given if not declared(t, "functions")]),
            (parameters, False, [*chain.blank.values(), *chain.root.values(), *(getattr(claim, x) for x in CONSTANTS)]),
            (parameters | scalars, True, chain.space), (parameters | entries, True, chain.row),
            (parameters | entries, False, chain.totals.values()),
            (parameters | scalars, False, [claim.horizon or "0"]),
            (parameters | scalars | ({AHEAD} if claim.horizon else set()), False, [claim.value]),
            (parameters | scalars, False, [] if not chain.height else [
                chain.height, chain.rise, *chain.before.values(),
                *(t for o in chain.outcomes for t in (o.chance, *o.next.values()))])):
        for text in several:
            spoken = _spoken(text, functions, fixed, kind)
            require(spoken <= may, f"{text!r} speaks of {', '.join(sorted(spoken - may))}")
    entry = re.compile(rf"\b({'|'.join(state.rows)})\(i\)")
    require(not any({*state.rows, "i"} & set(WORD.findall(entry.sub("", t))) for t in (
        *chain.row, *chain.totals.values())), "a row speaks of another one, or of its number")
    bounds = [t for o in chain.outcomes for t in o.mean.values()]
    before = [*((t, True) for t in (*chain.choices, claim.exception)), *((t, False) for t in (
        *chain.moments.values(), *filter(None, (chain.stay,)),
        *(t for o in chain.outcomes for t in (o.chance, *(f"{f}(1)" for f in o.left.values())))))]
    after = [*((t, False) for t in (*chain.moments, *filter(None, (chain.many,)), *(
        t for o in chain.outcomes for t in (*o.next.values(), *(f"{f}(1)" for f in o.came.values())))))]
    for text, kind in (*before, *((t, False) for t in ("mean", *bounds))):
        require(not _spoken(text, functions, due.let, kind) & {*chain.inputs},
                "what is settled before the input is drawn speaks of it")
    chosen, settled = _chosen(chain, due.let), {*parameters, *own, *chain.inputs}
    for text, kind in (*before, *after, *((t, False) for t in bounds if not claim.horizon)):
        strange = _spoken(text, functions, due.let, kind) - {
            *settled, *chosen, *symbols, *(["i"] if text == chain.stay else [])}
        require(AHEAD not in chosen and not strange, f"{text!r} speaks of {', '.join(sorted(strange))}")
    for text in chain.input:
        strange = _spoken(text, functions, due.let, True) - {*parameters, *chain.inputs}
        require(not strange, f"{text!r}, of the input, speaks of {', '.join(sorted(strange))}")
    require(not {x for t in chain.choices for x in declared(t)} & settled,
             "a choice is none of the parameters, of the state or of the input")
    require(all(declared(t) or _spoken(t, functions, due.let, True) - settled for t in chain.choices),
             "a condition on choices speaks of nothing that is chosen: it would be one on the state")


# ---- the statement ----

def lines(claim: Recurrence) -> tuple[str, ...]:
    """The statement, line by line; what is stated and not proved is said to be so."""
    chain, state = claim.chain, claim.chain.state
    rows = [f"rows {', '.join(f'{f}(i)' for f in state.rows)} for i = 1, ..., {state.length}"] if state.rows else []
    out = [SAYS,
           "; ".join([f"for all {', '.join(claim.parameters)}".rstrip(), *chain.functions, *chain.given]),
           "its states: " + "; ".join([f"natural numbers {', '.join(filter(None, (*state.scalars, state.length)))}",
                                       *rows, *chain.row, *chain.space])]
    out += [f"its choices, by the state, any with {'; '.join(chain.choices)}"] if chain.choices else []
    out += [f"its input ({', '.join(chain.inputs)}), by state, choice and outcome of any law with " + "; ".join(
        (*chain.input, *(f"mean of {g} == {m}" for g, m in chain.moments.items())))] if chain.inputs else []
    for o in chain.outcomes:
        moves = [*(f"{x} becomes {t}" for x, t in o.next.items()),
                 *(f"{f}(i) becomes {t}(i)" for f, t in o.left.items())]
        moves += [f"row i stays where {chain.stay} > 0"] if state.rows else []
        moves += [f"{chain.many} rows {', '.join(f'{t}(i)' for t in o.came.values())} come"] if chain.many else []
        out.append(f"a step, with probability {o.chance}: {'; '.join(moves) or 'none'}")
    let = _owed(claim).let
    out += [f"where {text}" for text in let if text in claim.let or any(text.startswith(x) for x in chain.totals)]
    out.append(f"given that X is a Markov chain with these states and steps: {claim.words}")
    out += [] if chain.height else ["given that X is irreducible"]
    open_ = ["a choice"] * bool(chain.choices) + ["a law of the input"] * bool(chain.inputs)
    return (*out, *([f"given that in every state there is {' with '.join(open_)} as said"] if claim.assumed else []))


# ---- certificates ----

def at_instance(claim: Recurrence, instance: Sequence[str], under: Sequence[str]) -> Statement:
    """That all conditions hold there, where what is defined has a value."""
    goal = joined([*valued([text.partition("=")[0] for text in instance], (), instance),
                   *formulas((*claim.where, *under))])
    statement = Statement(goal, (), needed(goal, (*instance, *_owed(claim).let))).parsed()
    require(not names(statement.conclusion), f"the instance leaves {', '.join(names(statement.conclusion))} open")
    return statement


def valued(heads: Sequence[str], functions: tuple[str, ...], let: Sequence[str]) -> list[str]:
    """That what is defined has a value, without which a condition on it would select nothing: here, and a function,
    with whatever arguments."""
    for text in (text for text in heads if "(" in text):
        total(text, functions, let)
    return [f"{text.strip()} == {text.strip()}" for text in heads if "(" not in text]


def total(text: str, functions: tuple[str, ...], let: Sequence[str]) -> Node:
    """The term, which is defined everywhere."""
    formula, *others = hypotheses(f"({text}) == 0", functions, needed(text, let))
    require(not others and formula[0] == "=" and defined_everywhere(formula[1], ()),
            f"{text.strip()}: not defined everywhere")
    return formula[1]


def needed(goal: str, let: Sequence[str]) -> tuple[str, ...]:
    """Those definitions that the goal rests on."""
    wanted, kept = set(WORD.findall(goal)), list[str]()
    for text in reversed(let):
        if head(text) in wanted:
            kept.insert(0, text)
            wanted |= set(WORD.findall(text))
    return tuple(kept)


def check(data: Any, wanted: Any = None) -> Recurrence:
    """Check a certificate by both checkers; what it proves."""
    require(isinstance(data, dict) and set(data) == {"schema", "theorem", "obligations", "possible", "witness"}
            and data["schema"] == SCHEMA and type(data["schema"]) is int, f"a certificate of schema {SCHEMA}")
    claim, witness = from_json(data["theorem"]), data["witness"]
    require(wanted is None or claim == wanted, "the certificate is for another theorem")
    paid(data["obligations"], claim.where, owed(claim))
    # of parameters alone, for that rows of a state are such says already that there are some
    blank = [s for s in data["obligations"]["steps"] if s["label"] == f"{claim.axiom}: blank row"]
    require(all(not s["rests_on"] and {*s["certificate"]["statement"]["where"]} <= {
        *claim.chain.functions, *claim.chain.given} for s in blank), "a blank row where there may be none")
    require(isinstance(witness, dict) and set(witness) == {"instance", "certificate"} and texts(witness["instance"]),
            "the witness is an instance, with a certificate")
    under, some = list[str](), data["possible"]
    left = bool(claim.chain.choices or claim.chain.inputs)
    require((some is not None) == left and (left or not claim.assumed), "a way, and where it is assumed: only of what "
            "is open")
    if some is not None:
        require(isinstance(some, dict) and set(some) == {"under", "ways", "proof"} and texts(some["under"])
                and isinstance(some["ways"], list) and all(_is_way(way) for way in some["ways"]), "ways")
        under = some["under"]
        require(all(_spoken(text, (), (), True) <= {*claim.parameters} for text in under), "parameters alone")
        shown = possible(claim, some["ways"], witness["instance"] if claim.assumed else ())
        if claim.assumed:
            goal, = shown.obligations.values()
            _met(some["proof"], Statement(goal, (), shown.let))
        else:
            paid(some["proof"], (*states(claim.chain), *under), shown)
    _met(witness["certificate"], at_instance(claim, witness["instance"], under))
    return claim


def paid(bundle: Any, context: tuple[str, ...], due: Owed) -> dict[str, str]:
    """What the derivation proves, all that is due included."""
    standings = check_bundle(bundle)
    require(bundle["context"] == list(context) and bundle["let"] == list(due.let), "a derivation in another context")
    proved = {s["label"]: s["goal"] for s, word in zip(bundle["steps"], standings, strict=True) if word == "proved"}
    for label, goal in due.obligations.items():
        require(proved.get(label) == goal, f"not proved: {label}")
    return proved


def _met(certificate: Any, statement: Statement) -> None:
    both(certificate, statement)
    require(certificate["verdict"] == "proved", "the conditions are not met at the witness")


def _is_way(raw: Any) -> bool:
    return isinstance(raw, list) and len(raw) == 2 and texts(raw[0]) and isinstance(raw[1], list) and all(
        isinstance(x, list) and len(x) == 2 and texts(x[:1]) and texts(x[1]) for x in raw[1])


def to_json(claim: Recurrence) -> dict[str, Any]:
    return {k: v for k, v in json.loads(json.dumps(asdict(claim))).items() if k != "goal"}


def from_json(raw: Any) -> Recurrence:
    """What a certificate is for; KernelError for what is none."""
    def frozen(data: Mapping[str, Any]) -> dict[str, Any]:
        return {k: tuple(tuple(x) if isinstance(x, list) else x for x in v) if isinstance(v, list) else v
                for k, v in data.items()}

    try:
        chain = frozen(raw["chain"])
        chain |= {"state": State(**frozen(chain["state"])), "outcomes": tuple(Outcome(**x) for x in chain["outcomes"])}
        claim = Recurrence(**{**frozen(raw), "chain": Chain(**chain)})
    except (TypeError, KeyError, AttributeError) as error:
        raise KernelError(f"malformed: a chain ({type(error).__name__}: {error})") from None
    kinds = {"tuple": tuple, "Mapping": dict, "str": str, "bool": bool, "State": State, "Chain": Chain, "None": object}
    parts: list[Any] = [claim, claim.chain, claim.chain.state, *claim.chain.outcomes]
    require(all(isinstance(getattr(x, f.name), kinds[str(f.type).partition("[")[0]]) for x in parts for f in fields(x)),
            "malformed: a chain")
    plain = [v for x in parts for v in map(x.__getattribute__, x.__dataclass_fields__) if isinstance(v, tuple | dict)]
    require(all(isinstance(y, str) for v in plain if v is not claim.chain.outcomes
                for y in (v.values() if isinstance(v, dict) else v)), "malformed: texts")
    require(to_json(claim) == raw and texts(_texts(raw)), "malformed: texts")
    return claim


def _chosen(chain: Chain, let: tuple[str, ...]) -> set[str]:
    """Of what the conditions on choices speak."""
    return set().union(*(_spoken(text, _functions(chain), let, True) for text in chain.choices))


def _texts(raw: Any) -> list[Any]:
    """All that it says, but for its words."""
    return [*_values({**raw, "words": "", "assumed": ""}), *raw["chain"]["totals"], *raw["chain"]["moments"]]


def _words(claim: Recurrence) -> set[str]:
    return {w for text in _texts(to_json(claim)) for w in WORD.findall(text)}


def _own(chain: Chain) -> list[str]:
    return [*chain.state.scalars, *filter(None, (chain.state.length,)), *chain.state.rows]


def _values(raw: Any) -> list[Any]:
    """The texts in it, but for the keys of mappings."""
    inside = raw.values() if isinstance(raw, dict) else raw if isinstance(raw, list) else None
    return [raw] if inside is None else [text for v in inside for text in _values(v)]
