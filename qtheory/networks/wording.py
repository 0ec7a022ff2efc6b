"""A decision about a network in a reader's words, a line each."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from qtheory.models.network_parts import RULES
from qtheory.proofs.visible import visible
from qtheory.theory.fluid import FluidModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qtheory.models.network import AgentNetwork
    from qtheory.networks.deciding import Decision
    from qtheory.networks.quadratic import Quadratic

_PLAIN = re.compile(r"\w[\w.-]*(/[pd])?( [0-9]+)?")  # A1, agent 1, and A1/p, the prompt of a visit
VERDICTS = {"stable": "stable under", "unstable": "not stable under", "undecided": "undecided under"}
FIFO = ", provided that each visit serves its requests in the order of their arrival, which joins rest on"
PRODUCT_FORM = ("Kelly (1979), Reversibility and Stochastic Networks, Chapter 3, and Baskett, Chandy, Muntz and "
                "Palacios (1975), J. ACM 22, for the network's product form")


def named(name: str) -> str:
    """The name of an engine or a visit; in quotes where it is no plain word, and might read like the program's own."""
    return name if _PLAIN.fullmatch(name) else repr(name)


def listed(names: Iterable[str], between: str = ", ") -> str:
    return between.join(map(named, names))


def lines(decision: Decision) -> list[str]:
    """The loads, the verdict with its scope and reason, what was found, and what was searched."""
    title = decision.network.title
    found = [f"network {title!r} (the file's words, not checked)" if title else "network"]
    found += [f"  load of {named(engine)}: {_number(load)}" for engine, load in decision.loads.items()]
    if decision.virtual:
        found.append("  virtual stations, for orders that serve their visits first:")
    for v in decision.virtual:
        pushed = f", after {listed(v.pushed)}," if v.pushed else ""
        found.append(f"    {listed(v.visits)} of {listed(v.engines, ' and ')}{pushed} at load {_number(v.load)}")
    word = "unstable under" if one_order(decision) else VERDICTS[decision.verdict]
    found.append(f"{word} {decision.scope}: {decision.reason}")
    found += _found(decision)
    if decision.certified is not None and decision.certificate is not None:
        found.append(f"  checked: {decision.certified.checked}, {len(decision.certificate['proofs'])} proofs")
    return [visible(line) for line in (*found, *(f"  searched: {s}" for s in decision.searched))]


def about(value: Fraction) -> str:
    """A number in a sentence: exact where that is short, and never 1 for what is not."""
    if value.denominator < 1000:
        return str(value)
    shown = f"{float(value):.9g}"
    return shown if shown != "1" else f"1 {'+' if value > 1 else '-'} {abs(float(value - 1)):.3g}"


def one_order(decision: Decision) -> bool:
    """Whether the verdict is about one order of several that the network's file leaves open."""
    return decision.order is not None and not decision.model.is_static


def scope(decision: Decision) -> str:
    """What a decision is about: the orders of service, and what is supposed of the network besides."""
    network = decision.network
    if decision.overloaded is not None:
        return "any order of service"
    if decision.product:
        single = [e.name for e in network.engines if e.policy != "processor-sharing" and network.groups[e.name]]
        rules = [f"{rule} at {listed(here)}" for rule, here in (
            ("first come, first served", single), ("processor sharing", network.sharing)) if here]
        return " and ".join(rules) + ", with Poisson arrivals and exponential times, where an engine does one " \
            "request's work at a time or shares it equally"
    return some_order(network, ", the one below") if one_order(decision) else every_order(network)


def _orders(network: AgentNetwork) -> str:
    orders = "every work-conserving order"
    if any(e.priority for e in network.engines):
        static = FluidModel.of(network).is_static
        orders = "its priorities" if static else f"{orders} that its priorities leave open"
    return orders


def every_order(network: AgentNetwork) -> str:
    """The orders of service that a network's file leaves open, and what is supposed of them."""
    among = ""
    for policy, rule in RULES.items():
        here = [e.name for e in network.engines if e.policy == policy and (
            e.name in network.ruled or policy != "fcfs") and network.groups[e.name]]
        times = " of exponential times" if policy == "processor-sharing" else ""
        among += f", {rule}{times} at {listed(here)} included" if here else ""
    return _orders(network) + among + (FIFO if network.joins else "")


def some_order(network: AgentNetwork, which: str = "") -> str:
    """One order of service of several that a network's file leaves open; ``which``: in words."""
    return f"{_orders(network).replace('every', 'one', 1)}{which}, and not judged under the others"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} = {float(value):.6g}" if value.denominator < 10**6 \
        else f"{float(value):.9g}"


def _found(decision: Decision) -> list[str]:
    names = [named(v.name) for v in decision.network.visits]
    routes = ", on average over its routes" if decision.network.routed else ""
    if decision.lyapunov is not None:
        pieces = [_sum([(c, f"R({n})") for n, c in zip(names, piece, strict=True)])
                  for piece in decision.lyapunov.pieces]
        return [f"  L = {pieces[0]}" if len(pieces) == 1 else f"  L = max({'; '.join(pieces)})",
                "  where R(v) is the fluid that has still to end visit v" + routes]
    if decision.quadratic is not None:
        return [f"  V = {_square(names, decision.quadratic)}", "  where Z(v) is the fluid at visit v"]
    if decision.product:
        return [*(f"  requests at {named(e)} in equilibrium: {_number(load / (1 - load))} on average" for e, load in
                  decision.loads.items()), f"  rests on: {PRODUCT_FORM}"]
    if decision.stages:
        return _stages(names, decision)
    if decision.order is None:
        return []
    lines = []
    for engine, groups in decision.order.groups.items():
        lines.append(f"  {named(engine)} serves first {listed((n for g in groups for n in g), ', then ')}")
    for ray in () if decision.cone is None else decision.cone.rounds:
        full = ", ".join(f"{_number(z)} at {n}" for n, z in zip(names, ray[0].start, strict=True) if z)
        lines.append(f"  a ray of the cone: {full}")
    if decision.cycle is None:
        return lines
    time = Fraction(0)
    for s in decision.cycle.segments:
        full = ", ".join(f"{_number(z)} at {n}" for n, z in zip(names, s.start, strict=True) if z)
        lines.append(f"  at {float(time):.6g} s: {full}")
        time += s.duration
    lines.append(f"  at {float(time):.6g} s: {_number(decision.cycle.growth)} times the first")
    low, high = (f"{float(x):.4g}" for x in decision.cycle.rates())
    left = low if low == high else f"{low} to {high}"
    return [*lines, f"  so that in the long run {left} requests a second are left over"]


def _stages(names: list[str], decision: Decision) -> list[str]:
    """Each stage's weighted content, in the order in which they empty."""
    told = []
    for number, stage in enumerate(decision.stages, 1):
        content = _sum([(stage.weights[k], f"Z({names[k]})") for k in stage.visits])
        told.append(f"  stage {number}: {content} falls by {_number(stage.decay)} a second until it is 0, and stays 0")
    return [*told, "  where Z(v) is the fluid at visit v, and the stages before are empty"]


def _square(names: list[str], found: Quadratic) -> str:
    """The sum of the entries of its matrix times products of contents."""
    terms = []
    for j, (n, row) in enumerate(zip(names, found.matrix, strict=True)):
        terms += [(row[j], f"Z({n})^2")]
        terms += [(2 * q, f"Z({n}) Z({m})") for m, q in zip(names[j + 1:], row[j + 1:], strict=True)]
    return _sum(terms)


def _sum(terms: list[tuple[Fraction, str]]) -> str:
    """The multiples that are not 0, with their signs."""
    shown = " ".join(f"{'-' if c < 0 else '+'} {'' if abs(c) == 1 else f'{abs(c)} '}{what}" for c, what in terms if c)
    return shown.removeprefix("+ ") if shown else "0"
