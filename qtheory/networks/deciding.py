"""The search for a decision: stable, unstable or undecided, each verdict by a certificate that both checkers accept."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from qtheory.errors import InputError
from qtheory.models.network import AgentNetwork
from qtheory.models.network_classics import first_buffer_first, last_buffer_first
from qtheory.models.network_files import dumps
from qtheory.models.network_parts import RULES
from qtheory.networks import quadratic
from qtheory.networks.budget import Budget, Tick
from qtheory.networks.certificates import (
    cone_claim,
    cycle_claim,
    lyapunov_claim,
    made,
    overload_claim,
    paths_of,
    product_claim,
    quadratic_claim,
    stages_claim,
)
from qtheory.networks.certified import Certified, Rejected
from qtheory.networks.quadratic import Positive, Quadratic
from qtheory.networks.wording import PRODUCT_FORM, about, lines, listed, named, scope
from qtheory.numerics.fluid_paths import Cone, Cycle, starts
from qtheory.proofs.kernel.terms import KernelError
from qtheory.proofs.tactics.effort import COSTS, SECOND
from qtheory.theory import draining
from qtheory.theory.draining import Gone
from qtheory.theory.fluid import FluidModel
from qtheory.theory.lyapunov import Lyapunov, Proof, search
from qtheory.theory.obligations import Stage, has_product_form
from qtheory.theory.stability import VirtualStation, nominal_loads, virtual_stations

LINEAR, PIECEWISE, QUADRATIC = "linear", "piecewise linear", "quadratic"  # kinds of Lyapunov functions
STAGES, PRODUCT = "in stages", "product form"
STEPS, LONG = 80, 160  # segments of a path that looks for a cycle, for a cone
MAX_ORDERS = 150  # complete orders that are tried where priorities leave the order open
MAX_VISITS = 40  # of a network that is searched; a statement of the kernel has at most 60 definitions
LONGEST = 250  # digits of a load; the kernel's numbers may have 400
MAX_PATTERNS = 4000  # of nonempty groups, beyond which nothing is looked for that looks at each
FEW_PATTERNS = 300  # up to which functions that look at each are looked for before stages
# Of the budget, spent when each kind of search ends at the latest; what one leaves is the next one's
STATIONS, FIRST, SECOND_KIND, PATHS = 0.1, 0.35, 0.6, 0.9


@dataclass(frozen=True)
class Decision:
    """What is known of a network's fluid model.

    ``reason``: one line; ``loads``: of each engine; ``certified``: what both checkers have accepted, which alone gives
    the ``verdict``; ``virtual``: virtual stations, the heaviest first; one of ``lyapunov``, ``quadratic``,
    ``stages``, ``product`` (the rates of a product form, by visit), ``cycle`` or ``cone`` (with ``order``, the network
    under the order that has it) and ``overloaded`` (an engine) goes with a verdict; ``searched``: what was tried.
    """

    network: AgentNetwork
    reason: str
    loads: dict[str, Fraction]
    certified: Certified | None = None
    virtual: tuple[VirtualStation, ...] = ()
    lyapunov: Lyapunov | None = None
    quadratic: Quadratic | None = None
    stages: tuple[Stage, ...] = ()
    product: tuple[Fraction, ...] = ()
    cycle: Cycle | None = None
    cone: Cone | None = None
    order: AgentNetwork | None = None
    overloaded: str | None = None
    searched: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.certified is not None and self.certified.network != self.network:
            raise ValueError("the certificate is for another network")

    @property
    def verdict(self) -> str:
        """stable, unstable, or undecided where nothing is certified."""
        return "undecided" if self.certified is None else self.certified.verdict

    @property
    def scope(self) -> str:
        """The orders that the verdict is about, and what it supposes: of a stable model all that its file leaves open,
        of an overloaded one all there are, and of one with a growing path the order that has it."""
        return scope(self)

    @property
    def certificate(self) -> dict[str, Any] | None:
        """The data of a certificate's file."""
        return None if self.certified is None else self.certified.certificate

    def __str__(self) -> str:
        return "\n".join(lines(self))

    __repr__ = __str__

    @cached_property
    def model(self) -> FluidModel:
        """The fluid model that the verdict is about."""
        return FluidModel.of(self.network)

    @property
    def _order(self) -> dict[str, list[str]]:
        """By engine the visits in the order that has the cycle or the cone."""
        assert self.order is not None
        return {e: [n for g in groups for n in g] for e, groups in self.order.groups.items()}

    def to_json(self) -> dict[str, Any]:
        """The decision as plain data, numbers as texts of exact rationals; the certificate is apart."""
        names = [v.name for v in self.network.visits]
        found: dict[str, Any] = {
            "schema": 1, "title": self.network.title, "verdict": self.verdict,
            "checked": self.certified and self.certified.checked, "scope": self.scope, "reason": self.reason,
            "loads": {e: str(x) for e, x in self.loads.items()},
            "virtual_stations": [{"engines": list(v.engines), "visits": list(v.visits), "pushed": list(v.pushed),
                                  "load": str(v.load)} for v in self.virtual],
            "lyapunov": None, "stages": [s.to_json(names) for s in self.stages], "cycle": None, "cone": None,
            "product_form": None, "overloaded": self.overloaded,
            "searched": list(self.searched),
        }  # fmt: skip
        if self.lyapunov is not None:
            pieces = [dict(zip(names, map(str, p), strict=True)) for p in self.lyapunov.pieces]
            kind = LINEAR if self.lyapunov.linear else PIECEWISE
            found["lyapunov"] = {"kind": kind, "pieces": pieces, "decay": str(self.lyapunov.decay),
                                 "floor": str(self.lyapunov.floor)}
        if self.quadratic is not None:
            matrix = {n: dict(zip(names, map(str, row), strict=True))
                      for n, row in zip(names, self.quadratic.matrix, strict=True)}
            found["lyapunov"] = {"kind": QUADRATIC, "matrix": matrix, "decay": str(self.quadratic.decay),
                                 "floor": str(self.quadratic.floor)}
        if self.product:
            found["product_form"] = {"rates": dict(zip(names, map(str, self.product), strict=True)),
                                     "rests_on": PRODUCT_FORM}
        if self.cone is not None and self.order is not None:
            rays = [dict(zip(names, map(str, r[0].start), strict=True)) for r in self.cone.rounds]
            found["cone"] = {"growth": str(self.cone.growth), "order": self._order, "rays": rays,
                             "segments": len(self.cone.rounds[0])}
        if self.cycle is not None and self.order is not None:
            states = [dict(zip(names, map(str, s.start), strict=True)) for s in self.cycle.segments]
            found["cycle"] = {"growth": str(self.cycle.growth), "order": self._order,
                              "duration": str(self.cycle.duration),
                              "requests_a_second": [str(x) for x in self.cycle.rates()],
                              "states": states, "durations": [str(s.duration) for s in self.cycle.segments]}
        return found


def decide(network: AgentNetwork, *, budget: float = 60.0, text: str | None = None,
           early: Callable[[], object] | None = None, report: Callable[[float, float], None] | None = None) -> Decision:
    """Decide whether the network's fluid model is stable; ``budget``: units of work, of the searches and of checking
    what they find; ``text``: the network's file, where it has one, as both checkers are to read it; ``early``: called
    once if no quick answer is found, before the search goes on; ``report``: told (units of work, of how many).

    Stable: every fluid path, under every order that the priorities leave open, drains; then the network with renewal
    arrivals and service times as in Dai (1995), On positive Harris recurrence of multiclass queueing networks, is
    positive recurrent. Unstable: an engine is overloaded, or a fluid path under an order that is allowed returns to
    more than its multiple. Both only if both checkers accept the certificate. InputError for loads of hundreds of
    digits.
    """
    require_network(network)
    work = Budget(budget, early, report)
    model, loads = FluidModel.of(network), nominal_loads(network)
    for engine, load in loads.items():
        if max(load.numerator, load.denominator) >= 10**LONGEST:
            raise InputError(f"the load of {named(engine)} is a number of more than {LONGEST} digits, too long for a "
                             "certificate; round the network's numbers")
    searched: list[str] = []
    heaviest = _heaviest(network, work, searched)
    text = dumps(network) if text is None else text
    known: dict[str, Any] = {"network": network, "loads": loads, "virtual": tuple(heaviest)}
    worst = max(loads, key=lambda e: loads[e])
    if loads[worst] > 1:
        reason = f"{named(worst)} is overloaded: its load is {about(loads[worst])}"
        try:
            return _checked(known, text, overload_claim(network, worst), reason=reason, overloaded=worst)
        except Rejected as error:
            return Decision(reason=f"{reason}, but no certificate is accepted ({error})", **known)
    if network.routed or network.joins:
        why = "routes are random" if network.routed else "visits join"
        searched.append(f"virtual stations: not looked at, {why}")
    if loads[worst] == 1:
        return Decision(reason=f"{named(worst)} has load 1 exactly: on the boundary", **known)
    found = _stable(network, model, searched, known, text, work)
    if found is None:
        found = _unstable(network, heaviest, searched, known, text, work)
    if found is not None:
        return found
    return Decision(reason="no certificate was found", searched=tuple(searched), **known)


def require_network(network: object) -> None:
    if not isinstance(network, AgentNetwork):
        name = repr(network) if isinstance(network, str) else "NAME"
        raise InputError(f"a network is needed, not a value of type {type(network).__name__}; one is read by "
                         f"qtheory.networks.load({name})")


def _heaviest(network: AgentNetwork, work: Budget, searched: list[str]) -> list[VirtualStation]:
    """The virtual stations of the highest loads among those that are looked at."""
    stations: list[VirtualStation] = []
    if len(network.visits) <= MAX_VISITS:
        try:
            for station in virtual_stations(network, tick=work.until(STATIONS)):
                stations.append(station)
        except Gone:
            searched.append("virtual stations: not all within the budget")
    return sorted(stations, key=lambda v: (-v.load, len(v.pushed)))[:5]


def _checked(known: dict[str, Any], text: str, claim: dict[str, Any], proofs: list[Proof] | None = None,
             positive: Positive | None = None, work: Budget | None = None, **found: Any) -> Decision:
    """The decision, once both checkers have read its certificate; Rejected if one refuses it, Gone if the budget
    does not let it be checked."""
    if work is not None and proofs is not None:
        if not work.affords("checked", len(proofs)):
            raise Gone(f"found, but to check its {len(proofs)} proofs takes more than is left of the budget")
        work.spend("checked", len(proofs))
    try:
        certificate = made(known["network"], claim, proofs, positive)
    except (ValueError, KernelError) as error:
        raise Rejected(str(error)) from None
    return Decision(**known, certified=Certified(text, certificate), **found)


def _stable(network: AgentNetwork, model: FluidModel, searched: list[str], known: dict[str, Any], text: str,
            work: Budget) -> Decision | None:
    many = len(model.alpha) > MAX_VISITS
    patterns = math.prod(len(engine) + 1 for engine in model.groups)
    kinds: list[tuple[str, Callable[[FluidModel, Tick], dict[str, Any] | None]]] = [
        (LINEAR, _linear), (f"{PIECEWISE}, one piece an engine", _piecewise), (QUADRATIC, _quadratic)]
    if many:
        searched.append(f"no Lyapunov function: {len(model.alpha)} visits are too many")
        kinds = []
    elif patterns > MAX_PATTERNS:
        searched.append(f"no Lyapunov function for each pattern: {patterns} patterns of nonempty buffers are too many")
        kinds = []
    if not many:
        kinds.insert(0 if patterns > FEW_PATTERNS else len(kinds), (STAGES, _in_stages))
    if has_product_form(network):  # after what says more: of every order, and of other laws
        kinds.insert(1 if patterns > FEW_PATTERNS else 2, (PRODUCT, lambda *_: _product(network)))
    for kind, attempt in kinds:
        last = (kind == STAGES) is (patterns <= FEW_PATTERNS)
        what = {STAGES: "stages in which it drains", PRODUCT: "a product form"}.get(
            kind, f"a Lyapunov function, {kind}")
        if attempt is _quadratic and not quadratic.fits(model):
            searched.append(f"no Lyapunov function, {kind}: joins, or too many visits or patterns")
            continue
        if kind == STAGES and model.has_joins:
            searched.append(f"{what}: not looked for, visits join")
            continue
        try:
            found = attempt(model, work.until(SECOND_KIND if last else FIRST))
            if found is not None:
                if kind not in (STAGES, PRODUCT):
                    found["reason"] = f"a Lyapunov function of the fluid model, {kind}, {found['reason']}"
                return _checked(known, text, searched=tuple(searched), work=work, **found)
            searched.append(f"{what}: none")
        except Gone as gone:
            searched.append(f"{what}: {gone}")
        except Rejected as error:
            searched.append(f"{what}: found, but refused by a checker ({error})")
    return None


def _product(network: AgentNetwork) -> dict[str, Any] | None:
    """The product form of a network, at loads below 1; None where visits that are served as they come differ."""
    first_come = [e.name for e in network.engines if e.policy == "fcfs"]
    if any(len({network.works[v.name] for v in network.visits if v.engine == name}) > 1 for name in first_come):
        return None
    return {"reason": "its product form has a finite sum, since all loads are below 1",
            "product": tuple(network.rates[v.name] for v in network.visits), "claim": product_claim(network)}


def _in_stages(model: FluidModel, tick: Tick) -> dict[str, Any] | None:
    """Sets of visits that empty one after the other."""
    answer = draining.search(model, tick)
    if answer is None:
        return None
    found, proofs = answer
    count = f"{len(found)} stages, one after the other" if len(found) > 1 else "one stage"
    return {"reason": f"the fluid model drains in {count}", "stages": tuple(found), "claim": stages_claim(found),
            "proofs": proofs}


def _linear(model: FluidModel, tick: Tick, linear: bool = True) -> dict[str, Any] | None:
    """A function of pieces, one or one an engine."""
    answer = search(model, linear, tick)
    if answer is None:
        return None
    found, proofs = answer
    return {"reason": f"falls by {about(found.decay)} a second", "lyapunov": found, "claim": lyapunov_claim(found),
            "proofs": proofs}


def _piecewise(model: FluidModel, tick: Tick) -> dict[str, Any] | None:
    return _linear(model, tick, linear=False)


def _quadratic(model: FluidModel, tick: Tick) -> dict[str, Any] | None:
    """A quadratic function that is shown to be positive."""
    answer = quadratic.search(model, tick)
    if answer is None:
        return None
    found, proofs, positive = answer
    reason = f"falls by {about(2 * found.decay)} a second for each request there is"
    return {"reason": reason, "quadratic": found, "claim": quadratic_claim(found), "proofs": proofs,
            "positive": positive}


def _no_paths(network: AgentNetwork) -> str | None:
    """Why growing paths are not looked for; None if they are."""
    if network.joins:
        return "visits join"
    if network.ruled:
        return " and ".join(f"{rule} at {listed(here)}" for policy, rule in RULES.items() if (here := [
            e.name for e in network.engines if e.policy == policy and e.name in network.ruled]))
    return f"{len(network.visits)} visits are too many" if len(network.visits) > MAX_VISITS else None


def _unstable(network: AgentNetwork, heaviest: list[VirtualStation], searched: list[str], known: dict[str, Any],
              text: str, work: Budget) -> Decision | None:
    if why := _no_paths(network):
        searched.append(f"growing cycles and cones of fluid paths: not looked for, {why}")
        return None
    for what, attempt in (("cycles", _cycle), ("cones", _cone)):
        tried = 0
        for order in _orders(network, heaviest):
            if work.left(PATHS) < 0:
                break
            tried += 1
            try:
                found = attempt(order, FluidModel.of(order), work)
                if found is not None:
                    return _checked(known, text, order=order, searched=tuple(searched), work=work, **found)
            except Rejected as error:
                searched.append(f"growing {what} of fluid paths: found, but refused by a checker ({error})")
            except Gone as gone:
                searched.append(f"growing {what} of fluid paths: {gone}")
        searched.append(f"growing {what} of fluid paths under {tried} complete order{'s' * (tried != 1)}: none")
    return None


def _left(work: Budget) -> float:
    """Visits of fluid paths that the budget allows."""
    return work.left(PATHS) * SECOND / COSTS["visit"]


def _cycle(order: AgentNetwork, model: FluidModel, work: Budget) -> dict[str, Any] | None:
    """A growing cycle under a complete order."""
    for eager in (False, True):
        paths = paths_of(model, eager, _left(work))
        for state in starts(len(model.alpha)):
            cycle = paths.cycle(state, STEPS)
            if cycle is not None:
                reason = (f"a fluid path of {len(cycle.segments)} segments grows by the factor {about(cycle.growth)} "
                          f"each time it returns")
                return {"reason": reason, "cycle": cycle, "claim": cycle_claim(order, cycle)}
        work.spend("visit", paths.work)
    return None


def _cone(order: AgentNetwork, model: FluidModel, work: Budget) -> dict[str, Any] | None:
    """A growing cone under a complete order."""
    paths = paths_of(model, most=_left(work))
    for state in starts(len(model.alpha))[:len(model.alpha) + 1]:
        cone = paths.cone(state, LONG)
        if cone is not None:
            reason = (f"fluid paths from a cone of {len(cone.rounds)} rays return to it after {len(cone.rounds[0])} "
                      f"segments, grown at least by the factor {about(cone.growth)}")
            return {"reason": reason, "cone": cone, "claim": cone_claim(order, cone)}
    work.spend("visit", paths.work)
    return None


def _orders(network: AgentNetwork, heaviest: list[VirtualStation]) -> Iterator[AgentNetwork]:
    """Complete orders that the network's priorities allow: those that virtual stations suggest, and some or all."""
    groups = [g for e in network.engines for g in network.groups[e.name]]
    count = math.prod(math.factorial(len(g)) for g in groups)
    likely = [v.order(network) for v in heaviest if v.load > 1]
    some = iter((last_buffer_first(network), first_buffer_first(network)))
    if count <= MAX_ORDERS:  # a product makes all that it is of at once
        some = (network.refined({n: i for g in lines for i, n in enumerate(g)})
                for lines in itertools.product(*(itertools.permutations(g) for g in groups)))
    seen = set()
    for order in itertools.chain(likely, some):
        if order not in seen:
            seen.add(order)
            yield order
