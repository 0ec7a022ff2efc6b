"""Stability certificates as derivations that the kernel checks: every inequality and equation, one step each.

The file is what ``qtheory check`` reads. Its definitions are the network's rates and the function that was found.
:mod:`qtheory.networks.rechecking` holds a file against a network.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from qtheory import __version__
from qtheory.models.network import AgentNetwork
from qtheory.networks.quadratic import Quadratic
from qtheory.numerics.fluid_paths import Cone, Cycle, Paths, Segment
from qtheory.numerics.lp import Form
from qtheory.proofs import bundle
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import Node
from qtheory.proofs.tactics.builder import Step, apply, certificate, conjunction, parts
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import Lyapunov, Obligation, Proof
from qtheory.theory.stability import nominal_loads

Product = tuple[Fraction, tuple[tuple[int, int], ...], tuple[Node, ...]]
STABLE, UNSTABLE = "is stable", "is not stable"
LYAPUNOV, CYCLE, CONE, OVERLOAD = "Lyapunov function", "growing cycle", "growing cone", "overload"


def text(form: Form, letter: str) -> str:
    """The form with variables ``letter`` 1, 2, ... for its 0, 1, ..."""
    terms = [f"{_signed(c)}*{letter}{k + 1}" for k, c in sorted(form.coefficients.items())]
    if form.constant or not terms:
        terms.insert(0, _signed(form.constant))
    return " + ".join(terms)


def _signed(value: Fraction) -> str:
    return str(value) if value >= 0 else f"({value})"


def _title(network: AgentNetwork) -> str:
    return network.title or "the network"


def _names(network: AgentNetwork) -> str:
    """Which number is which visit."""
    return ", ".join(f"{k} = {v.name} at {v.engine}" for k, v in enumerate(network.visits, 1))


def _bundle(title: str, let: Sequence[str], steps: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """A derivation whose certificates are still to be filled in."""
    made: list[dict[str, Any]] = [
        {"label": label, "goal": goal, "verdict": "proved", "rests_on": [], "certificate": None}
        for label, goal in steps
    ]
    return {"schema": bundle.SCHEMA, "derivation": title, "version": __version__, "let": list(let), "context": [],
            "steps": made}


# ---- stable ----

def stable_title(network: AgentNetwork, function: str, explained: str) -> str:
    """What a certificate of stability by this kind of function says that it is."""
    return f"{_title(network)} {STABLE}, by a {function} of its fluid model: {explained}; {_names(network)}"


def lyapunov_title(network: AgentNetwork) -> str:
    """The title for pieces."""
    return stable_title(network, LYAPUNOV, f"L is the largest of L1, ..; R_k is {remaining(network, 'visit k')}, "
                        "v_k its growth at efforts u")


def remaining(network: AgentNetwork, visit: str) -> str:
    """What R_k is, in words."""
    return f"the fluid that has still to end {visit}{', on average over its routes' if network.routed else ''}"


def lyapunov_let(model: FluidModel, found: Lyapunov | Quadratic) -> list[str]:
    """The definitions: rates, pieces or rows, how fast they fall and what the function is at least."""
    let = [f"v{k + 1} = {text(model.rate(k), 'u')}" for k in model.visits]
    for j, piece in enumerate(found.pieces):
        let.append(f"{value_of(j, piece, 'x')} = {text(Form(dict(enumerate(piece))), 'x')}")
    return [*let, f"decay = {found.decay}", f"bottom = {found.floor}"]


def value_of(j: int, piece: Sequence[Fraction], letter: str) -> str:
    """A piece at variables ``letter`` 1, 2, ..; it names those alone that it depends on."""
    used = [f"{letter}{k + 1}" for k, c in enumerate(piece) if c]
    return f"L{j + 1}({', '.join(used)})" if used else f"L{j + 1}"


def facts(o: Obligation) -> list[str]:
    """The texts of an obligation's facts."""
    letter = "u" if o.kind == "drift" else "R"
    return [f"Eq({text(f, letter)}, 0)" for f in o.equal] + [f"{text(f, letter)} >= 0" for f in o.least]


def conclusion(found: Lyapunov | Quadratic, o: Obligation) -> str:
    """The text of what an obligation asks for."""
    letter = "v" if o.kind == "drift" else "R"
    pieces = [value_of(j, p, letter) for j, p in enumerate(found.pieces)]
    if o.kind == "drift":
        return f"{pieces[o.piece]} <= -decay"
    if o.kind == "positive":
        everything = " + ".join(f"R{k + 1}" for k in range(len(found.pieces[0])))
        return f"{' + '.join(pieces)} >= {len(pieces)}*bottom*({everything})"
    return f"({' + '.join(pieces[j] for j in o.others)})/{len(o.others)} >= {pieces[o.piece]}"


def label(network: AgentNetwork, model: FluidModel, o: Obligation) -> str:
    """What a step that meets this obligation may be called."""
    names, visits = [e.name for e in network.engines], [v.name for v in network.visits]
    if o.kind == "positive":
        return "L is positive"
    if o.kind == "compare":
        return f"only {', '.join(names[i] for i in o.others)} nonempty: L{o.piece + 1} is not alone the largest"
    tops = [f"{name}: {'empty' if top is None else ' or '.join(visits[k] for k in engine[top])}"
            for name, engine, top in zip(names, model.groups, o.pattern.tops, strict=True)]
    joined = [f"{visits[k]} keeps up with {visits[p]}" for k, p in o.pattern.joined]
    return f"L{o.piece + 1} falls; first in line at {', '.join([*tops, *joined])}"


def lyapunov_certificate(network: AgentNetwork, model: FluidModel, found: Lyapunov, proofs: Sequence[Proof]
                         ) -> dict[str, Any]:
    """The derivation that ``found`` is a Lyapunov function of the fluid model, each step proved by its multipliers.

    Raises KernelError if the kernel refuses a step.
    """
    return falling_bundle(network, model, lyapunov_title(network), found, proofs)


def falling_bundle(network: AgentNetwork, model: FluidModel, title: str, found: Lyapunov | Quadratic,
                   proofs: Sequence[Proof], first: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """The derivation with the steps ``first``, (label, goal), whose certificates are still to be filled in, and one for
    each proof. Raises KernelError if the kernel refuses a step."""
    steps = [(label(network, model, p.obligation), implication(facts(p.obligation), conclusion(found, p.obligation)))
             for p in proofs]
    made = _bundle(title, lyapunov_let(model, found), [*first, *steps])
    for step, proof in zip(made["steps"][len(first):], proofs, strict=True):
        statement = Statement(step["goal"], (), tuple(made["let"])).parsed()
        step["certificate"] = certificate(statement, "proved", _implication(statement.conclusion, proof))
    return made


def implication(given: Sequence[str], wanted: str) -> str:
    """The text of a step."""
    return f"Implies(And({', '.join(given)}), {wanted})"


def _implication(goal: Node, proof: Proof) -> Step:
    """Facts imply the goal, as a sum of multiples of theirs and a number."""
    o = proof.obligation
    rest = o.goal - sum((f * a for f, a in zip((*o.equal, *o.least), proof.multipliers, strict=True)), Form())
    _, given, wanted = goal
    assumed = tuple(parts(apply("hyp", given)))
    products: list[Product] = [(a, ((i, 1),), ()) for i, a in enumerate(proof.multipliers)]
    if rest.constant:
        products.append((rest.constant, (), ()))
    return apply("imp_intro", given, apply("combine", wanted, assumed, tuple(products)))


# ---- unstable ----

def _growths(model: FluidModel) -> list[str]:
    """g_k, the growth of buffer k at efforts."""
    found = []
    for k, (alpha, mu) in enumerate(zip(model.outside, model.mu, strict=True)):
        shares = dict(model.inflow[k])
        comes = [str(alpha)] if alpha or not _sources(model, k) else []
        comes += [f"{shares[j] * model.mu[j]}*u{j + 1}" for j in _sources(model, k)]
        arguments = ", ".join(f"u{j + 1}" for j in (*_sources(model, k), k))
        found.append(f"g{k + 1}({arguments}) = {' + '.join(comes)} - {mu * (1 - shares.get(k, 0))}*u{k + 1}")
    return found


def _sources(model: FluidModel, k: int) -> tuple[int, ...]:
    """The other visits that requests come from."""
    return tuple(j for j, _ in model.inflow[k] if j != k)


def paths_of(model: FluidModel, eager: bool = False) -> Paths:
    """Exact paths of a fluid model with complete priorities and no joins."""
    order = [[k for g in engine for k in g] for engine in model.groups]
    return Paths(model.outside, model.mu, model.inflow, order, eager)


def cycle_bundle(network: AgentNetwork, model: FluidModel, cycle: Cycle) -> dict[str, Any]:
    paths = paths_of(model)
    ends = paths.ends(cycle.segments)
    steps = []
    for i, (s, end) in enumerate(zip(cycle.segments, ends, strict=True), 1):
        busy = {k for k in model.visits if s.start[k] or end[k]}
        steps.append((f"segment {i}", f"And({_segment(model, s, end, busy)}, {s.duration} > 0)"))
    first, last = cycle.segments[0].start, ends[-1]
    grown = [f"Eq({cycle.growth}*{z}, {y})" for z, y in zip(first, last, strict=True)]
    steps.append(("return", f"And({cycle.growth} > 1, {', '.join(grown)})"))
    return _bundle(_path_title(network, CYCLE, cycle.growth), _growths(model), steps)


def _path_title(network: AgentNetwork, what: str, growth: Fraction) -> str:
    orders = "; ".join(f"{e.name}: {', '.join(n for g in network.groups[e.name] for n in g)}" for e in network.engines)
    return (f"{_title(network)} {UNSTABLE}: a {what} of its fluid model by the factor {growth}; "
            f"buffers z_k grow by g_k of the efforts; order {orders}; {_names(network)}")


def _segment(model: FluidModel, s: Segment, end: tuple[Fraction, ...], full: set[int]) -> str:
    """That the segment obeys the fluid model's equations: balance, signs, and priorities at every engine, where the
    buffers ``full`` are not empty in between."""
    claims = []
    for k in model.visits:
        efforts = ", ".join(str(s.efforts[j]) for j in (*_sources(model, k), k))
        claims.append(f"Eq({s.start[k]} + {s.duration}*g{k + 1}({efforts}), {end[k]})")
    claims += [f"{x} >= 0" for x in (*s.start, *s.efforts, *end, s.duration)]
    for engine in model.groups:
        used: list[int] = []
        busy = False
        for group in engine:
            used += group
            busy = busy or any(k in full for k in group)
            total = " + ".join(str(s.efforts[k]) for k in used)
            claims.append(f"Eq({total}, 1)" if busy else f"{total} <= 1")
    return ", ".join(claims)


def cone_bundle(network: AgentNetwork, model: FluidModel, cone: Cone) -> dict[str, Any]:
    """The steps: the rays' segments, where each ray ends, and how much it has grown."""
    paths = paths_of(model)
    after = [paths.ends(segments) for segments in cone.rounds]
    steps = []
    for position, together in enumerate(zip(*cone.rounds, strict=True), 1):
        if len({s.efforts for s in together}) > 1:
            raise ValueError("the rays part")
        ends = [ray[position - 1] for ray in after]
        full = {k for s, end in zip(together, ends, strict=True) for k in model.visits if s.start[k] or end[k]}
        for ray, (s, end) in enumerate(zip(together, ends, strict=True), 1):
            steps.append((f"segment {position} of ray {ray}", f"And({_segment(model, s, end, full)})"))
    for ray, (segments, weights) in enumerate(zip(cone.rounds, cone.weights, strict=True), 1):
        start, end = segments[0].start, after[ray - 1][-1]
        sums = [" + ".join(f"{w}*{other[0].start[k]}" for w, other in zip(weights, cone.rounds, strict=True))
                for k in model.visits]
        claims = [f"Eq({total}, {z})" for total, z in zip(sums, end, strict=True)] + [f"{w} >= 0" for w in weights]
        content = " + ".join(map(str, end))
        grown = f"{content} >= {cone.growth}*({' + '.join(map(str, start))})"
        steps.append((f"ray {ray} returns", f"And({cone.growth} > 1, {', '.join(claims)}, {grown})"))
    return _bundle(_path_title(network, CONE, cone.growth), _growths(model), steps)


def cone_certificate(network: AgentNetwork, model: FluidModel, cone: Cone) -> dict[str, Any]:
    """The derivation that every state of the cone has a path that returns to it with more content.

    Raises KernelError if an equation is false.
    """
    return _numbers(cone_bundle(network, model, cone))


def cycle_certificate(network: AgentNetwork, model: FluidModel, cycle: Cycle) -> dict[str, Any]:
    """The derivation that the cycle is a path of the fluid model and returns to a multiple of its start.

    Raises KernelError if an equation is false.
    """
    return _numbers(cycle_bundle(network, model, cycle))


def _numbers(made: dict[str, Any]) -> dict[str, Any]:
    """The bundle with certificates for goals that are comparisons of numbers, or implications between forms."""
    for step in made["steps"]:
        statement = Statement(step["goal"], (), tuple(made["let"])).parsed()
        goal = statement.conclusion
        step["certificate"] = certificate(statement, "proved", conjunction(goal, [_number(c) for c in goal[1:]]))
    return made


def _number(goal: Node) -> Step:
    """A true comparison of numbers."""
    value = _value(goal[1])
    return apply("combine", goal, (), ((value, (), ()),) if value else ())


def _value(node: Node) -> Fraction:
    """The value of a term of sums and products of numbers."""
    if isinstance(node, Fraction):
        return node
    values = [_value(c) for c in node[1:]]
    if node[0] == "+":
        return sum(values, Fraction(0))
    if node[0] == "*":
        product = Fraction(1)
        for v in values:
            product *= v
        return product
    return Fraction(values[0] ** values[1])


def overload_bundle(network: AgentNetwork, model: FluidModel, engine: str) -> dict[str, Any]:
    load = nominal_loads(network)[engine]
    here = [k for k, v in enumerate(network.visits) if v.engine == engine]
    work = " + ".join(f"{1 / model.mu[k]}*v{k + 1}" for k in here)
    idle = text(Form(dict.fromkeys(here, Fraction(-1)), Fraction(1)), "u")
    steps = [("work grows", f"Implies(And({idle} >= 0), {work} >= excess)"), ("excess", "And(excess > 0)")]
    title = (f"{_title(network)} {UNSTABLE}: {OVERLOAD} of {engine} at load {load}; v_k is the growth of "
             f"{remaining(network, 'visit k')}, at efforts u; {_names(network)}")
    return _bundle(title, [*(f"v{k + 1} = {text(model.rate(k), 'u')}" for k in here), f"excess = {load - 1}"], steps)


def overload_certificate(network: AgentNetwork, model: FluidModel, engine: str) -> dict[str, Any]:
    """The derivation that the work for an engine grows under every policy. Raises KernelError if it does not."""
    made = overload_bundle(network, model, engine)
    first, second = made["steps"]
    for step in (first, second):
        statement = Statement(step["goal"], (), tuple(made["let"])).parsed()
        goal = statement.conclusion
        if step is first:
            facts = tuple(parts(apply("hyp", goal[1])))
            proof = apply("imp_intro", goal[1], apply("combine", goal[2], facts, ((Fraction(1), ((0, 1),), ()),)))
        else:
            proof = conjunction(goal, [_number(c) for c in goal[1:]])
        step["certificate"] = certificate(statement, "proved", proof)
    return made
