"""A statement's texts and the formulas that they mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .endless import settle
from .errors import demand
from .graph import Node, complement, conjunction, make
from .judgement import evidently_defined
from .lowering import TAKEN, Definition, Lowering, membership
from .notations import formulas, values
from .syntax import is_name, parse

MAX_CONDITIONS = 60
MAX_SIZE = 80_000  # of what is stated, written out as a tree


class Statement:
    """Wherever each of ``hypotheses`` is true, ``conclusion`` is true; free variables are real."""

    def __init__(self, raw: Any) -> None:
        """Read {"let": [..], "where": [..], "goal": ".."}; raises RecheckError if it is no statement."""
        demand(isinstance(raw, dict) and set(raw) == {"let", "where", "goal"}, "not a statement")
        where, let, goal = raw["where"], raw["let"], raw["goal"]
        demand(isinstance(where, list) and isinstance(let, list), "a statement's texts stand in lists")
        demand(all(isinstance(t, str) for t in (*where, *let, goal)), "a statement consists of texts")
        demand(len(where) + len(let) <= MAX_CONDITIONS, "limit: conditions")
        self.functions = {name for w in where for name in self.declared(w) if self.family(w) == "functions"}
        demand(not self.functions & TAKEN, "a function symbol has a meaning already")
        self.definitions: dict[str, Definition] = {}
        for text in let:
            self.define(text)
        found = dict.fromkeys(part for w in where for part in self.conjuncts(self.condition(w)))
        self.hypotheses = tuple(found)
        stated = self.formula(goal)
        demand(sum(f.size for f in (*self.hypotheses, stated)) <= MAX_SIZE, "limit: a long statement")
        for f in (*self.hypotheses, stated):
            demand("oo" not in f.free, "oo stands where a number is needed")
        self.conclusion = strict(stated)

    @staticmethod
    def words(text: str) -> list[str]:
        return text.replace(",", " ").split()

    def family(self, text: str) -> str:
        return self.words(text)[-1]

    @classmethod
    def declared(cls, text: str) -> list[str]:
        """The names of a condition ``a, b in FAMILY``, else none."""
        words = cls.words(text)
        *between, last = text.split(",")  # a comma stands between two names
        single = all(map(str.strip, between)) and len(last.split()) >= 3 and last.split()[-2] == "in"
        fits = single and all(map(is_name, words))
        return words[:-2] if fits else []

    def value(self, text: str) -> Any:
        return Lowering(self.definitions, self.functions).meaning(parse(text))

    def formula(self, text: str) -> Node:
        (value,) = formulas(self.value(text))
        return settle(value)

    def define(self, text: str) -> None:
        """Enter ``name = term`` or ``name(x, y) = term``."""
        head, sign, body = text.partition("=")
        name, bracket, inside = (s.strip() for s in head.strip().partition("("))
        parameters: tuple[str, ...] = ()
        if bracket:
            demand(inside.endswith(")"), "a definition's bracket is not closed")
            parameters = tuple(p.strip() for p in inside[:-1].split(","))
        names = {name, *parameters}
        demand(bool(sign) and len(names) == 1 + len(parameters), "a definition has the form f(x) = term")
        demand(all(map(is_name, names)), "a definition has the form f(x) = term")
        taken = names & (TAKEN | self.functions | self.definitions.keys())
        demand(not taken, "a name in a definition has a meaning already")
        reader = Lowering(self.definitions, self.functions)
        (term,) = values(reader.meaning(parse(body)))
        demand(term.size <= MAX_SIZE, "limit: a long definition")
        demand(set(parameters) <= term.free - reader.loose, "a parameter is unused, or free in a definition used")
        self.definitions[name] = parameters, term
        spoken = set[str]().union(*(body.free - set(own) for own, body in self.definitions.values()))
        demand(name not in spoken, f"{name} is used in its definition or before it; put a definition before its use")

    def condition(self, text: str) -> Node:
        names = self.declared(text)
        if not names:
            return self.formula(text)
        family = text.split()[-1]
        if family == "functions":
            return conjunction()
        taken = set(names) & (TAKEN | self.functions | self.definitions.keys())
        demand(not taken, "a name in a condition has another meaning already")
        return conjunction(*(membership(n, family) for n in names))

    def conjuncts(self, f: Node) -> list[Node]:
        return [p for k in f.kids for p in self.conjuncts(k)] if f.op == "and" else [f]

    @property
    def refutation(self) -> Node:
        """At some point the hypotheses are true and the conclusion is not."""
        return closed(conjunction(*self.hypotheses, complement(self.conclusion)))

    @property
    def witnesses(self) -> tuple[Node, ...]:
        """What has to be met somewhere, or the statement says nothing: its guards, each where it stands, and else
        its conditions."""
        def whole(f: Node) -> Node:
            return closed(conjunction(*self.hypotheses, f))

        found = tuple(dict.fromkeys(guards(self.conclusion, whole)))
        return found or ((closed(conjunction(*self.hypotheses)),) if self.hypotheses else ())


def at(raw: dict[str, Any], functions: list[Any]) -> Statement:
    """The statement for these functions instead of its symbols: each defined everywhere, as any function is."""
    if not functions:
        return Statement(raw)
    kept = [w for w in raw["where"] if not (w.split()[-1:] == ["functions"] and Statement.declared(w))]
    alone = Statement({"where": [], "let": functions, "goal": "0 == 0"})
    demand(all(evidently_defined(term) for _, term in alone.definitions.values()), "a function may be undefined")
    return Statement({"where": kept, "let": [*functions, *raw["let"]], "goal": raw["goal"]})


def closed(f: Node) -> Node:
    """The existential closure, the first name outermost."""
    for name in sorted(f.free)[::-1]:
        f = make("ex", f, tag=name)
    return f


def guards(f: Node, place: Callable[[Node], Node]) -> list[Node]:
    """That each innermost guard that the user wrote is met; ``place`` puts a formula where f stands."""
    match f.op:
        case "and" | "or":
            return [g for k in f.kids for g in guards(k, place)]
        case "all":
            return guards(f.kids[0], lambda g: place(make("ex", g, tag=f.tag)))
        case "ex" if f.kids[0].op == "and" and f.kids[0].kids:
            first, *rest = f.kids[0].kids
            behind = [g for k in rest for g in guards(
                k, lambda g: place(make("ex", conjunction(first, g), tag=f.tag)))]
            return guards(first, lambda g: place(make("ex", g, tag=f.tag))) + behind
        case "ex":
            return guards(f.kids[0], lambda g: place(make("ex", g, tag=f.tag)))
        case "imp":
            guard, body = f.kids
            if any(name.endswith("'") for name in guard.free):
                return []  # a notation's own guard, which is always met
            return guards(body, lambda g: place(conjunction(guard, g))) or [place(guard)]
    return []


def strict(goal: Node) -> Node:
    """The goal, and that every part of a disjunction in it has a value, also where another part is true."""
    match goal.op:
        case "and":
            return conjunction(*map(strict, goal.kids))
        case "or":
            return conjunction(*map(meaningful, goal.kids), make("or", *map(strict, goal.kids)))
        case "imp":
            return make("imp", goal.kids[0], strict(goal.kids[1]))
        case "all" | "ex":
            return make(goal.op, strict(goal.kids[0]), tag=goal.tag)
    return goal


def meaningful(f: Node) -> Node:
    """The atoms' terms have values wherever the guards before them hold; nothing is asked of an existence, which is
    true or false whatever its body's values are."""
    match f.op:
        case "and" | "or":
            return conjunction(*map(meaningful, f.kids))
        case "imp":
            return make("imp", f.kids[0], meaningful(f.kids[1]))
        case "all":
            return make("all", meaningful(f.kids[0]), tag=f.tag)
        case "ex":
            return conjunction()
    return make("def", f.kids[0])
