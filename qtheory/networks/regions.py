"""Where a network is stable, over one to three of its arrival rates: polygons with certificates, and the rest.

No grid and no rule that more load is worse: each polygon's certificate holds at all of its points at once
(:mod:`qtheory.theory.regions`), so that nothing is supposed monotone. The rates at which no engine is overloaded are
cut along the lines on which an engine or a virtual station has load 1; the margin of a part below them is the smallest
distance of a load to 1, so that the part reaches up to the line itself. What is not decided is halved until the budget
is spent, or a part is too small to matter.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.network import AgentNetwork, NetworkError
from qtheory.models.network_files import dumps, parse
from qtheory.networks import cells, quadratic
from qtheory.networks.certificates import lyapunov_claim, quadratic_claim
from qtheory.networks.certified import Rejected
from qtheory.networks.certified_cells import CertifiedCell, certify
from qtheory.networks.deciding import MAX_VISITS, Decision, decide
from qtheory.networks.region_cells import Cell, Region
from qtheory.networks.wording import named
from qtheory.numerics.fluid_paths import Segment
from qtheory.numerics.polytopes import Polytope, apart, at, less, negative
from qtheory.proofs.tactics.effort import SECOND, after, left, spend, spend_again, spent
from qtheory.theory.draining import Gone
from qtheory.theory.draining import search as search_stages
from qtheory.theory.fluid import FluidModel
from qtheory.theory.regions import MOST_RATES, Affine, RateModel
from qtheory.theory.stability import VirtualStation, virtual_stations

MOST_CELLS = 400
SMALLEST = {1: Fraction(1, 10**5), 2: Fraction(1, 10**4), 3: Fraction(1, 10**3)}  # of the whole, by dimension
MOST_STARTS = 500  # push starts of virtual stations that are looked at for a pair of engines
MOST_LINES = 8  # virtual stations along which is cut
MOST_PATTERNS = 120  # beyond which pieces are not looked for on cells
SQUARED = 2000  # visits, squared, for each unit of the budget, beyond which one program may take more than all of it
EVERY = 3  # halvings between which only programs for the whole cell are tried, not what the centre suggests
A_POINT = 2.0  # units of work for a decision at a point


def region(network: AgentNetwork, free: Sequence[str], *, budget: float = 60.0, text: str | None = None) -> Region:
    """The stable and unstable polygons over the arrival rates of these one to three types, the others as they are.

    ``budget``: units of work; ``text``: the network's file, where it has one. InputError for too many types, or for
    one named twice; UnknownNameError for one that the network has not.
    """
    return _explore(network, tuple(free), _free_rates(network, free), budget, text)


def _free_rates(network: AgentNetwork, free: Sequence[str]) -> list[Affine]:
    """Each type's rate: a variable, or as it is."""
    known = [t.name for t in network.types]
    for name in free:
        if name not in known:
            raise UnknownNameError("type", name, known)
    if not 1 <= len(free) <= MOST_RATES or len(set(free)) < len(free):
        raise InputError(f"a region is over the rates of one to {MOST_RATES} different types, not over "
                         f"{', '.join(map(named, free)) or 'none'}")
    rates = [tuple(Fraction(int(t.name == n)) for n in (None, *free)) for t in network.types]
    return [r if any(r) else (t.rate, *r[1:]) for r, t in zip(rates, network.types, strict=True)]


def _scaled_rates(network: AgentNetwork) -> list[Affine]:
    """Each type's rate as a multiple of one factor."""
    return [(Fraction(0), t.rate) for t in network.types]


def factors(network: AgentNetwork, *, budget: float = 60.0, text: str | None = None) -> Region:
    """The stable and unstable intervals of the factor that multiplies all arrival rates; ``budget``, ``text``: as
    :func:`region`."""
    return _explore(network, ("factor",), _scaled_rates(network), budget, text)


def reread(text: str, data: Any) -> Region:
    """The region in a file's data, once both checkers have read its certificates against the network in this text;
    Rejected for one that does not hold, or that says anything else than they do."""
    try:
        network = parse(text)
        axes, rates = tuple(data["axes"]), [tuple(map(Fraction, data["rates"][t.name])) for t in network.types]
        if not (axes == ("factor",) and rates == _scaled_rates(network)) and rates != _free_rates(network, axes):
            raise Rejected("the rates are not those of the axes")

        def read(raw: dict[str, Any]) -> Cell:
            sides = tuple(tuple(map(Fraction, s)) for s in raw["sides"])
            shown = None if raw["certificate"] is None else CertifiedCell(text, raw["certificate"])
            if shown is not None and (shown.polytope.sides, list(shown.rates)) != (sides, rates):
                raise Rejected("a certificate is for another polygon, or for other rates")
            return Cell(Polytope(sides), shown, str(raw["reason"]))

        some, beyond = (tuple(map(read, data[key])) for key in ("cells", "beyond"))
        inside = _whole(load_lines(network, rates))
        whole = inside.trimmed() if inside.full else None
        found = Region(network, axes, tuple(rates), whole, some, beyond)
        _require_parts(found)
        again = found.to_json()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ArithmeticError, RecursionError) as error:
        raise Rejected(f"this is no region of the network: {type(error).__name__}: {str(error)[:200]}") from None
    if again != data or (whole is not None and sum(map(found.share, ("stable", "unstable", "undecided"))) != 1):
        raise Rejected("the file says something else than its certificates")
    return found


def _require_parts(found: Region) -> None:
    """Rejected unless the cells are parts of the whole that share no inside, each with a margin above 0 inside, so that
    its certificate says something at each of its points; and unless what lies beyond is what it is called."""
    for cell in found.cells:
        corners = cell.polytope.vertices
        if found.whole is None or not cell.polytope.full or any(
                at(side, v) < 0 for side in found.whole.sides for v in corners):
            raise Rejected("a cell is no part of the rates without an overloaded engine")
        left = [at(cell.certified.margin, v) for v in corners] if cell.certified else [Fraction(1)]
        if min(left) < 0 or max(left) == 0:
            raise Rejected("a cell reaches beyond what its certificate shows: its margin is not above 0 inside")
    if not all(apart(p.polytope, q.polytope) for p, q in itertools.combinations(found.cells, 2)):
        raise Rejected("two cells overlap")
    lines = load_lines(found.network, found.rates)
    known = {(_beyond(line).sides, _overloaded(engine)) for engine, line in lines.items()}
    for cell in found.beyond:
        if cell.certified is None or (cell.polytope.sides, cell.reason) not in known or (
                cell.certified.margin not in cell.polytope.sides):
            raise Rejected("what lies beyond is not where an engine is overloaded")


def _overloaded(engine: str) -> str:
    return f"the load of {named(engine)} is above 1"


def _positive(d: int) -> list[Affine]:
    """That no free rate is negative."""
    return [tuple(Fraction(int(j == i + 1)) for j in range(d + 1)) for i in range(d)]


def _beyond(line: Affine) -> Polytope:
    """Where an engine is overloaded, from what its load leaves to 1."""
    return Polytope((*_positive(len(line) - 1), negative(line)))


def _whole(lines: Mapping[str, Affine]) -> Polytope:
    """Where no rate is negative and no engine overloaded."""
    d = len(next(iter(lines.values()))) - 1
    return Polytope((*_positive(d), *lines.values()))


def load_lines(network: AgentNetwork, rates: Sequence[Affine]) -> dict[str, Affine]:
    """What each engine's load leaves to 1, as a form in the free rates."""
    model = RateModel.on(network, rates, (), rates[0])
    found = {e.name: [Fraction(1), *([Fraction(0)] * (len(rates[0]) - 1))] for e in network.engines}
    for k, v in enumerate(network.visits):
        for j, c in enumerate((model.alpha[k], *model.slopes[k])):
            found[v.engine][j] -= c / model.mu[k]
    return {name: tuple(row) for name, row in found.items()}


class _Search:
    def __init__(self, network: AgentNetwork, rates: Sequence[Affine], text: str, deadline: float) -> None:
        self.network, self.rates, self.text, self.deadline = network, rates, text, deadline
        self.width = len(rates[0])
        self.model = RateModel.on(network, rates, (), tuple(Fraction(int(j == 0)) for j in range(self.width)))
        self.programs: dict[bool, cells.PiecesOnCells] = {}
        self.one: Affine = tuple(Fraction(int(j == 0)) for j in range(self.width))
        self.few = len(self.model.alpha) ** 2 <= SQUARED * max(left(deadline), 0) and \
            len(list(itertools.islice(self.model.patterns(), MOST_PATTERNS + 1))) <= MOST_PATTERNS

    def on(self, polytope: Polytope, margin: Affine) -> RateModel:
        return RateModel.on(self.network, self.rates, polytope.sides, margin)

    def cell(self, polytope: Polytope, margin: Affine, inside: dict[str, Any], reason: str,
             positive: quadratic.Positive | None = None) -> Cell | None:
        """The cell, once its certificate is accepted."""
        try:
            return Cell(polytope, certify(self.network, self.text, self.rates, polytope, margin, inside, positive),
                        reason)
        except Rejected:
            return None

    def point(self, point: Sequence[Fraction]) -> AgentNetwork | None:
        """The network at these free rates, inside the region; None where they have more digits than its numbers may."""
        try:
            types = tuple(dataclasses.replace(t, rate=at(r, point)) for t, r in
                          zip(self.network.types, self.rates, strict=True))
        except NetworkError:
            return None
        return dataclasses.replace(self.network, types=types)

    def overload(self, number: int, polytope: Polytope, margin: Affine) -> Cell | None:
        inside = {"kind": "overload", "engine": number, "growth": "1"}
        return self.cell(polytope, margin, inside, _overloaded(self.network.engines[number].name))

    def stable(self, polytope: Polytope, margin: Affine) -> Cell | None:
        """By pieces that fall by a multiple of the margin, or by those stages that the priorities suggest."""
        model = self.on(polytope, margin)
        for linear in (True, False) if self.few else ():
            if (not linear and len(model.groups) < 2) or left(self.deadline) < 0:
                continue
            if linear not in self.programs:
                self.programs[linear] = cells.PiecesOnCells(self.model, linear)
            found = cells.pieces(self.programs[linear], model)
            kind = "linear" if linear else "piecewise linear, one piece an engine"
            if found and (cell := self.cell(polytope, margin, found, f"a Lyapunov function, {kind}")):
                return cell
            if linear and not model.has_joins and len(stages := cells.alone(model)) > 1:
                inside = cells.restaged(model, stages)
                if inside and (cell := self.cell(polytope, margin, inside, f"it drains in {len(stages)} stages")):
                    return cell
        return None

    def staged(self, polytope: Polytope, margin: Affine) -> Cell | None:
        """By the stages in which the network at the cell's centre drains, with weights for the whole cell."""
        model = self.on(polytope, margin)
        def tick(kind: str) -> None:
            spend(kind)
            if spent() > most or left(self.deadline) < 0:
                raise Gone

        most = spent() + A_POINT * SECOND
        network = self.point(polytope.centre)
        if model.has_joins or network is None or len(network.visits) > MAX_VISITS:
            return None
        try:
            found = search_stages(FluidModel.of(network), tick)
        except Gone:
            return None
        if found is None or (inside := cells.restaged(model, found[0])) is None:
            return None
        return self.cell(polytope, margin, inside, f"it drains in {len(found[0])} stages")

    def virtual_line(self, station: VirtualStation) -> Affine | None:
        """What the load of a virtual station leaves to 1; None if it is no form, or the priorities forbid it."""
        number = {v.name: k for k, v in enumerate(self.network.visits)}
        left = {e: Fraction(1) for e in station.engines}
        for n in station.pushed:
            k = number[n]
            if any(self.model.slopes[k]):
                return None
            left[self.network.visits[k].engine] -= self.model.alpha[k] / self.model.mu[k]
        for e in station.engines:
            level = {n: i for i, g in enumerate(self.network.groups[e]) for n in g if n not in station.pushed}
            inside = [i for n, i in level.items() if n in station.visits]
            others = [i for n, i in level.items() if n not in station.visits]
            if inside and others and max(inside) > min(others):
                return None
        line = [Fraction(1), *([Fraction(0)] * (self.width - 1))]
        for n in station.visits:
            k = number[n]
            share = self.model.mu[k] * left[self.network.visits[k].engine]
            if share <= 0:
                return None
            for j, c in enumerate((self.model.alpha[k], *self.model.slopes[k])):
                line[j] -= c / share
        return tuple(line)

    def decided(self, polytope: Polytope, margin: Affine | None, over: Affine) -> Cell | None:
        """By what decides the network at the cell's centre: a certificate whose weights serve the whole cell."""
        spend_again(SECOND)  # for the reading of certificates, which counts no work
        network = self.point(polytope.centre)
        if network is None or len(network.visits) > MAX_VISITS:  # of more there is neither function nor path
            return None
        decision = decide(network, budget=min(A_POINT, max(left(self.deadline), 0.1)))
        if decision.cycle is not None or decision.cone is not None:
            return self.growing(polytope, over, decision)
        inside: dict[str, Any] | None = None
        positive = None
        if decision.quadratic is not None:
            inside, reason = quadratic_claim(decision.quadratic), "a Lyapunov function, quadratic"
            shown = quadratic.positive(decision.quadratic.matrix)
            positive = None if shown is None else shown[1]
            inside["floor"] = inside["floor"] if shown is None else str(shown[0])
        elif decision.lyapunov is not None:
            inside, reason = lyapunov_claim(decision.lyapunov), "a Lyapunov function, piecewise linear"
        if inside is None:
            return None
        by = self.one if margin is None else margin
        slower = cells.slowed(self.on(polytope, by), inside)
        return None if slower is None else self.cell(polytope, by, slower, reason, positive)

    def growing(self, polytope: Polytope, over: Affine, decision: Decision) -> Cell | None:
        """By the cycle's or the cone's order of events."""
        assert decision.order is not None
        rounds: Sequence[Sequence[Segment]] = ()
        if decision.cone is not None:
            rounds = decision.cone.rounds
        elif decision.cycle is not None:
            rounds = (decision.cycle.segments,)
        states = [{k for segment in together for k, z in enumerate(segment.start) if z}
                  for together in zip(*rounds, strict=True)]
        full, ends = [], []
        for s, here in enumerate(states):
            then = states[(s + 1) % len(states)]
            full.append(sorted(here | then))
            ends.append(next(iter(sorted(here - then)), -1))
        if -1 in ends:
            return None
        model = self.on(polytope, over)
        order = [[k for g in engine for k in g] for engine in RateModel.of(decision.order).groups]
        found = cells.phases(model, order, full, ends)
        n = len(model.alpha)
        corners = [{n + j: x for j, x in enumerate(v)} for v in polytope.vertices]
        inside = found and cells.growing(model, order, found, corners)
        if not inside:
            return None
        lines = "; ".join(f"{named(e)} serves first {', then '.join(named(n) for g in groups for n in g)}"
                          for e, groups in decision.order.groups.items())
        return self.cell(polytope, over, inside, f"paths of {len(full)} phases that grow: {lines}")


def _explore(network: AgentNetwork, axes: tuple[str, ...], rates: Sequence[Affine], budget: float, text: str | None
             ) -> Region:
    if not 0 < budget < math.inf:
        raise InputError(f"the budget is {budget}; a positive number of units of work is needed")
    search = _Search(network, rates, dumps(network) if text is None else text, after(budget))
    lines = load_lines(network, rates)
    beyond = [search.overload(i, _beyond(line), negative(line)) for i, line in enumerate(lines.values())
              if any(line[1:]) or line[0] < 0]
    whole = _whole(lines)
    known = tuple(b for b in beyond if b is not None)
    if not whole.full:
        return Region(network, axes, tuple(rates), None, (), known)
    whole = whole.trimmed()
    if any(not any(line) for line in lines.values()):  # an engine's load is 1 whatever the free rates are
        return Region(network, axes, tuple(rates), whole, (Cell(whole),), known)
    found = _divided(search, whole, list(lines.values()), _virtual_lines(search, whole))
    return Region(network, axes, tuple(rates), whole, tuple(found), known)


def _divided(search: _Search, whole: Polytope, loads: list[Affine], virtual: list[Affine]) -> list[Cell]:
    """The parts of the whole, decided as far as the budget goes: the largest first."""
    ticket = itertools.count()
    queue: list[tuple[Fraction, int, Polytope, Affine | None, Affine, int]] = []

    def put(parts: Iterable[Polytope], margin: Affine | None, over: Affine, depth: int = 0) -> None:
        for part in parts:
            if part.full:
                heapq.heappush(queue, (-part.volume, next(ticket), part.trimmed(), margin, over, depth))

    for part, margin in _nearest(whole.cut(*virtual), [*loads, *virtual]):
        put([part], margin, search.one)
    for i, line in enumerate(virtual):
        put([whole.cut(*virtual[:i], negative(line))], None, negative(line))
    scale = [max(v[j] for v in whole.vertices) for j in range(whole.dimension)]
    least, found = whole.volume * SMALLEST[whole.dimension], list[Cell]()
    while queue:
        size, _, part, slack, over, depth = heapq.heappop(queue)
        cell = None
        if left(search.deadline) > 0:
            cell = None if slack is None else search.stable(part, slack)
            if cell is None and (slack is None or depth % EVERY == EVERY - 1 or not search.few):
                cell = (slack and search.staged(part, slack)) or search.decided(part, slack, over)
        if cell is not None:
            found.append(cell)
        elif left(search.deadline) <= 0 or -size <= least or len(queue) + len(found) >= MOST_CELLS:
            found.append(Cell(part))
        elif slack is None:
            for piece, nearest in _nearest(part, loads):
                put([piece], nearest, over)
        else:
            put(part.halves(scale), slack, over, depth + 1)
    return found


def _nearest(polytope: Polytope, lines: Sequence[Affine]) -> Iterator[tuple[Polytope, Affine]]:
    """The parts in which each of these forms is the smallest, with the form."""
    for i, line in enumerate(dict.fromkeys(lines)):
        part = polytope.cut(*(less(other, line) for j, other in enumerate(dict.fromkeys(lines)) if j != i))
        if part.full:
            yield part.trimmed(), line


def _virtual_lines(search: _Search, whole: Polytope) -> list[Affine]:
    """What the loads of virtual stations leave to 1, as forms in the free rates: those that the priorities allow, whose
    pushed visits have fixed rates, and that are overloaded somewhere."""
    found: dict[Affine, None] = {}
    for corner in whole.vertices:
        near = [(9 * x + c) / 10 for x, c in zip(corner, whole.centre, strict=True)]
        network = search.point(near)
        if network is None or len(network.visits) > MAX_VISITS:
            continue
        stations = sorted(virtual_stations(network, MOST_STARTS), key=lambda v: (-v.load, len(v.pushed)))
        lines = (line for line in map(search.virtual_line, stations)
                 if line is not None and any(at(line, v) < 0 for v in whole.vertices))
        found |= dict.fromkeys(itertools.islice(lines, 3))
    return list(found)[:MOST_LINES]


__all__ = ["Cell", "Region", "factors", "load_lines", "region"]
