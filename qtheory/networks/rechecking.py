"""Certificate files held against a network: nothing is believed that the kernel and the network do not say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork
from qtheory.networks import certificates as C
from qtheory.networks import quadratic_certificates
from qtheory.networks.quadratic import Quadratic, falls
from qtheory.numerics.fluid_paths import Cone, Cycle, Segment
from qtheory.proofs import bundle
from qtheory.proofs.kernel.terms import KernelError
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import Lyapunov, Obligation, obligations

_EFFORT = re.compile(r"Eq\((\S+) \+ (\S+)\*g\d+\(([^)]*)\), \S+\)")
_FACT = re.compile(r"Eq\([^,]*, 0\)|[^,\s][^,]* >= 0")
_WEIGHT = re.compile(r"(?<= )([\d/]+) >= 0")
_TERM = re.compile(r"(\(?-?[\d/]+\)?)\*x(\d+)")


def recheck(network: AgentNetwork, data: Any) -> str:
    """The verdict, "stable" or "unstable", that a certificate file proves of this network's fluid model.

    The kernel must accept each step, and the steps must be those that this network asks for: they are made anew from
    the network and what the file says was found. Raises KernelError if not.
    """
    standings = bundle.check_bundle(data)
    if not standings or set(standings) != {"proved"}:
        raise KernelError("a step is not proved")
    title = data["derivation"]
    for step in data["steps"]:
        if step["certificate"]["statement"] != {"let": data["let"], "where": [], "goal": step["goal"]}:
            raise KernelError(f"step {step['label']}: the certificate's statement is worded in another way")
    try:
        if title == C.lyapunov_title(network):
            _require_lyapunov(network, data)
            return "stable"
        if title == quadratic_certificates.title(network):
            _require_quadratic(network, data)
            return "stable"
        _require_same(data, _path(network, title, [step["goal"] for step in data["steps"]]))
        return "unstable"
    except (ValueError, IndexError, KeyError, ZeroDivisionError, InputError) as error:
        raise KernelError(f"this is no certificate for the network ({error})") from None


def _require_lyapunov(network: AgentNetwork, data: dict[str, Any]) -> None:
    model, (pieces, decay, floor) = FluidModel.of(network), _numbers(network, data["let"])
    if len(pieces) not in (1, len(network.engines)):
        raise KernelError("there is one piece, or one for each engine")
    found = Lyapunov(pieces, decay, floor)
    _require_let(data, model, found)
    _require_covered(network, model, found, data["steps"], obligations(model, found))


def _require_quadratic(network: AgentNetwork, data: dict[str, Any]) -> None:
    model, (rows, decay, floor) = FluidModel.of(network), _numbers(network, data["let"])
    if model.has_joins or len(rows) != len(model.alpha):
        raise KernelError("there is one row for each visit, and no visit joins others")
    matrix = tuple(Lyapunov(rows, decay, floor).weights(model, k) for k in model.visits)
    found = Quadratic.of(model, matrix, decay, floor)
    _require_let(data, model, found)
    asked = quadratic_certificates.about_form(model, found)
    if [(step["label"], step["goal"]) for step in data["steps"][:len(asked)]] != asked:
        raise KernelError("the form is not shown to be symmetric and positive")
    _require_covered(network, model, found, data["steps"][len(asked):], falls(model, found))


def _require_let(data: dict[str, Any], model: FluidModel, found: Lyapunov | Quadratic) -> None:
    if data["let"] != C.lyapunov_let(model, found) or data["context"]:
        raise KernelError("the certificate is for another network")


def _require_covered(network: AgentNetwork, model: FluidModel, found: Lyapunov | Quadratic,
                     steps: Sequence[dict[str, Any]], wanted: Iterable[Obligation]) -> None:
    """Every obligation is met by a step with its conclusion that uses no other facts than the obligation's."""
    proved: dict[str, list[tuple[set[str], str]]] = {}
    for step in steps:
        inside, _, conclusion = step["goal"].removeprefix("Implies(And(").removesuffix(")").rpartition("), ")
        given = _FACT.findall(inside)
        if C.implication(given, conclusion) != step["goal"]:
            raise KernelError(f"step {step['label']} is of no known form")
        proved.setdefault(conclusion, []).append((set(given), step["label"]))
    nameless = {step["label"] for step in steps}
    for o in wanted:
        allowed, name = set(C.facts(o)), C.label(network, model, o)
        covering = [label for given, label in proved.get(C.conclusion(found, o), ()) if given <= allowed]
        if not covering:
            raise KernelError(f"nothing shows: {name}")
        nameless -= {name} & set(covering)
    if nameless:
        raise KernelError(f"step {min(nameless)} is not what it is called")


def _require_same(data: dict[str, Any], expected: dict[str, Any]) -> None:
    for key in ("derivation", "let", "context"):
        if data[key] != expected[key]:
            raise KernelError(f"{key}: the certificate is for another network")
    said, asked = ([(s["label"], s["goal"], s["rests_on"]) for s in d["steps"]] for d in (data, expected))
    if said != asked:
        raise KernelError("the steps are not those that the network asks for")


def _path(network: AgentNetwork, title: str, goals: Sequence[str]) -> dict[str, Any]:
    """The derivation of a cycle or an overload, made anew."""
    if f"{C.UNSTABLE}: a {C.CYCLE}" in title:
        ordered = _ordered(network, title)
        return C.cycle_bundle(ordered, FluidModel.of(ordered), _cycle(goals))
    if f"{C.UNSTABLE}: a {C.CONE}" in title:
        ordered = _ordered(network, title)
        return C.cone_bundle(ordered, FluidModel.of(ordered), _cone(goals))
    [engine] = [e.name for e in network.engines if f"{C.OVERLOAD} of {e.name} at load" in title]
    return C.overload_bundle(network, FluidModel.of(network), engine)


def _numbers(network: AgentNetwork, let: Sequence[str]
             ) -> tuple[tuple[tuple[Fraction, ...], ...], Fraction, Fraction]:
    """The pieces or rows, the decay and the floor that the definitions give."""
    pieces, numbers = [], {}
    for line in let:
        name, _, body = line.partition(" = ")
        if name.startswith("L"):
            found = {int(k) - 1: Fraction(c.strip("()")) for c, k in _TERM.findall(body)}
            pieces.append(tuple(found.get(k, Fraction(0)) for k in range(len(network.visits))))
        elif name in ("decay", "bottom"):
            numbers[name] = Fraction(body)
    if numbers["decay"] <= 0 or numbers["bottom"] <= 0:
        raise KernelError("decay and bottom must be positive")
    return tuple(pieces), numbers["decay"], numbers["bottom"]


def _ordered(network: AgentNetwork, title: str) -> AgentNetwork:
    """The network under the complete order that the title names, within the network's own priorities."""
    named = re.search(r"; order (.*); 1 = ", title)
    if named is None:
        raise KernelError("the title names no order")
    if network.first_come:
        raise KernelError("a cycle under priorities says nothing of first come, first served")
    lines = [part.partition(": ")[2].split(", ") for part in named[1].split("; ")]
    place = {n: i for line in lines for i, n in enumerate(line)}
    if {v.name for v in network.visits} - set(place):
        raise KernelError("the order that the title names is for other visits")
    return network.refined(place)


def _segment(goal: str) -> Segment:
    found = _EFFORT.findall(goal)
    efforts = tuple(Fraction(arguments.split(", ")[-1]) for _, _, arguments in found)
    return Segment(tuple(Fraction(z) for z, _, _ in found), efforts, Fraction(found[0][1]))


def _growth(goal: str) -> Fraction:
    growth = re.match(r"And\((\S+) > 1", goal)
    if growth is None:
        raise KernelError("no growth")
    return Fraction(growth[1])


def _cycle(goals: Sequence[str]) -> Cycle:
    return Cycle(tuple(_segment(goal) for goal in goals[:-1]), _growth(goals[-1]))


def _cone(goals: Sequence[str]) -> Cone:
    returns = [goal for goal in goals if goal.startswith("And(") and " > 1, " in goal]
    rays = len(returns)
    segments = [_segment(goal) for goal in goals[:-rays]]
    weights = tuple(tuple(Fraction(w) for w in _WEIGHT.findall(goal)) for goal in returns)
    return Cone(tuple(tuple(segments[ray::rays]) for ray in range(rays)), weights, _growth(returns[0]))
