"""Certificates for a whole cell of free rates at once: searched by linear programs, exact to their tight sides.

Where the margin is 0 on a side of the cell, such as that on which an engine has load 1, the weights that prove the rest
obey equations there, which no rounding of floats would meet; so the programs are solved in rationals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from qtheory.networks.certificates import stages_claim
from qtheory.numerics.linprog import Infeasible, LinearProgram, Row, Unbounded, solve
from qtheory.numerics.lp import ONE, ZERO, Form, highs, roundings, solve_exactly
from qtheory.proofs.tactics.effort import spend
from qtheory.theory.boxes import Box, Tree, leaves
from qtheory.theory.fluid import Pattern
from qtheory.theory.lyapunov import Pieces, Program, below
from qtheory.theory.obligations import Stage, draining, falling
from qtheory.theory.regions import Affine, RateModel, form, moved

SHARE = Fraction(1, 10**4)  # of the decay, that weights which must be positive are at least
MOST_COLUMNS = 1200  # of a program that is solved in rationals
LEAST = Fraction(1, 10**9)  # a decay, for weights of at most 1, below which none is believed in
Phase = tuple[list[Affine], list[int], int]  # efforts, what may be full, what ends it


class PiecesOnCells(Pieces):
    """The program for pieces whose decay is column 0 times a margin, in every pattern: made once for a network without
    a cell, and filled in by :meth:`on` with a cell's facts and margin."""

    model: RateModel

    def __init__(self, model: RateModel, linear: bool) -> None:
        self.places: list[tuple[list[int], int]] = []  # by formula the rows of the free rates, and of the constant
        super().__init__(model, linear, self.slack * SHARE)
        self.require_falls()
        self.compare(Form())

    def _pattern(self, pattern: Pattern) -> None:
        equal, least = self.model.equations(pattern)
        for j in falling(pattern, self.linear):
            goal: dict[int, Form] = {v: Form() for v in range(len(self.model.alpha) + len(self.model.slopes[0]))}
            constant = Form()
            for k in self.model.visits:
                rate = self.model.rate(k)
                constant -= self.coefficient(j, k) * rate.constant
                for v, c in rate.coefficients.items():
                    goal[v] = goal[v] - self.coefficient(j, k) * c
            first, last = len(self.rows) + 2 * len(self.model.alpha), len(self.rows) + 2 * len(goal)
            self.places.append((list(range(first, last, 2)), last))
            self.follow((pattern, j), goal, constant, equal, least)

    def on(self, model: RateModel) -> tuple[list[Form], list[bool]]:
        """(rows, which columns are free) of the program for the model's cell and margin."""
        rows, free, n = list(self.rows), list(self.free), len(model.alpha)
        for rates, last in self.places:
            prices = range(len(free), len(free) + len(model.cell))
            free += [False] * len(model.cell)
            for j, row in enumerate(rates):
                more = Form({0: -model.margin.coefficients.get(n + j, ZERO),
                             **{y: -f.coefficients.get(n + j, ZERO) for y, f in zip(prices, model.cell, strict=True)}})
                rows[row], rows[row + 1] = rows[row] + more, rows[row + 1] - more
            rows[last] += Form({0: -model.margin.constant,
                                **{y: -f.constant for y, f in zip(prices, model.cell, strict=True)}})
        return rows, free


def exact_largest(count: int, rows: Sequence[Form], free: Sequence[bool]) -> list[Fraction] | None:
    """The point at which x_0 is largest, exactly, where every row is >= 0 and x_j is unless ``free``; None if there is
    none, or in floats none with x_0 above :data:`LEAST`."""
    likely = highs([-1.0] + [0.0] * (count - 1), rows, free)
    if likely is None or likely[0] < LEAST:
        return None
    coefficients: list[dict[str, Fraction]] = []
    for row in rows:
        line: dict[str, Fraction] = {}
        for j, c in row.coefficients.items():
            line[f"x{j}"] = -c
            if free[j]:
                line[f"y{j}"] = c
        coefficients.append(line)
    made = tuple(Row(f"r{i}", line, "<=", row.constant) for i, (line, row) in
                 enumerate(zip(coefficients, rows, strict=True)) if line)
    if any(row.constant < 0 for row in rows if not row.coefficients):
        return None
    try:
        point = solve(LinearProgram({"x0": ONE}, made)).point
    except (Infeasible, Unbounded, ArithmeticError):
        return None
    return [point.get(f"x{j}", ZERO) - (point.get(f"y{j}", ZERO) if free[j] else ZERO) for j in range(count)]


def pieces(program: PiecesOnCells, model: RateModel) -> dict[str, Any] | None:
    """A claim of pieces with a decay that is a multiple of the margin on the whole cell; None if there is none.
    ``program``: the network's."""
    rows, free = program.on(model)
    spend("column", len(free) * 10)
    each = [(j, k) for j in range(1 if program.linear else len(model.groups)) for k in model.visits]
    if len(free) > MOST_COLUMNS:
        x = highs([-1.0] + [0.0] * (len(free) - 1), rows, free)
        return None if x is None or x[0] < LEAST else \
            _rounded(model, [float(x[program.columns["c", *at]]) for at in each])
    exact = exact_largest(len(free), rows, free)
    return None if exact is None or exact[0] < LEAST else _claim(
        model, [exact[program.columns["c", *at]] for at in each], exact[0])


def _rounded(model: RateModel, best: Sequence[float]) -> dict[str, Any] | None:
    """The claim by simple weights near the best ones in floats; None if these are no weights."""
    for weights in roundings(best)[:3]:
        found = _claim(model, weights, ONE)
        slower = found and slowed(model, found)
        if slower:
            return slower
    return None


def _claim(model: RateModel, weights: Sequence[Fraction], decay: Fraction) -> dict[str, Any] | None:
    n = len(model.alpha)
    rows = [list(weights[i:i + n]) for i in range(0, len(weights), n)]
    total = [sum(column, ZERO) for column in zip(*rows, strict=True)]
    floor = min(total) if model.has_joins else min(sum((total[j] * times for j, times in come.items()), ZERO)
                                                   / sum(come.values()) for come in model.to_come)
    if floor <= 0:
        return None
    return {"kind": "pieces", "pieces": [list(map(str, r)) for r in rows], "decay": str(decay),
            "floor": str(floor / len(rows))}


def phases(model: RateModel, order: Sequence[Sequence[int]], full: Sequence[Sequence[int]], ends: Sequence[int]
           ) -> list[Phase] | None:
    """The phases in which these visits may hold fluid, with their efforts: at each engine what comes before the first
    of them is kept empty, this one gets the rest, and those after it nothing. None where that is no effort."""
    found: list[Phase] = []
    for some, end in zip(full, ends, strict=True):
        n = len(model.alpha)
        rows: list[Form] = []
        for line in order:
            first = next((i for i, k in enumerate(line) if k in some), len(line))
            rows += [model.fills[k] for k in line[:first]]
            if first < len(line):
                rows.append(Form(dict.fromkeys(line[:first + 1], ONE), -ONE))
                rows += [Form({k: ONE}) for k in line[first + 1:]]
        matrix = [[row.coefficients.get(k, ZERO) for k in range(n)] for row in rows]
        solved = [solve_exactly(matrix, [-(row.constant if j < 0 else row.coefficients.get(n + j, ZERO))
                                         for row in rows]) for j in range(-1, len(model.slopes[0]))]
        if any(s is None for s in solved):
            return None
        efforts = [tuple(s[k] for s in solved if s is not None) for k in range(n)]
        found.append((efforts, sorted(some), end))
    return found


def growing(model: RateModel, order: Sequence[Sequence[int]], found: Sequence[Phase],
            corners: Sequence[Mapping[int, Fraction]]) -> dict[str, Any] | None:
    """A claim that paths of these phases grow on the whole cell, whose ``corners`` give the free rates' variables;
    None if no weights show it."""
    n = len(model.alpha)
    weight = {(s, k): 1 + i for i, (s, k) in enumerate((s, k) for s, (_, full, _) in enumerate(found) for k in full)}
    rows = [Form({}, ONE) - Form({j: ONE}) for j in weight.values()]
    begin = set(found[-1][1]) - {found[-1][2]}
    ended = {end for _, _, end in found}
    if not begin & ended:
        return None
    rows += [Form({weight[0, k]: ONE, 0: -SHARE}) if k in ended else Form({weight[0, k]: -ONE}) for k in sorted(begin)]
    emptying = None
    for s, (efforts, full, end) in enumerate(found):
        later = (s + 1) % len(found)
        rows += [Form({weight[later, k]: ONE, weight[s, k]: -ONE} if later != s else {}) for k in full if k != end]
        rise = {k: moved(model, k, [form(e, n) for e in efforts]) for k in full}
        for at in corners:
            margin = model.margin.at(at)
            rows.append(Form({**{weight[s, k]: rise[k].at(at) for k in full}, 0: -margin}))
            fall = -rise[end].at(at)
            if margin > 0:
                emptying = fall / margin if emptying is None else min(emptying, fall / margin)
            elif fall < 0:
                return None
    if emptying is None or emptying <= 0:
        return None
    spend("program")
    x = exact_largest(1 + len(weight), rows, [False] * (1 + len(weight)))
    if x is None or x[0] < LEAST:
        return None
    listed = [{"efforts": [list(map(str, e)) for e in efforts], "full": list(full), "ends": end,
               "weights": [str(x[weight[s, k]]) if (s, k) in weight else "0" for k in model.visits]}
              for s, (efforts, full, end) in enumerate(found)]
    return {"kind": "growing", "order": [list(line) for line in order], "phases": listed, "growth": str(x[0]),
            "emptying": str(emptying)}


def alone(model: RateModel) -> list[Stage]:
    """The visits in stages by who needs whom: a visit depends on those that come before it in requests' ways and on
    those that its engine serves before it or beside it. Each stage looks at every pattern; its weights are 1."""
    import networkx as nx

    needs = nx.DiGraph()
    needs.add_nodes_from(model.visits)
    for k in model.visits:
        needs.add_edges_from((k, j) for j, _ in model.inflow[k])
    for engine in model.groups:
        for i, group in enumerate(engine):
            needs.add_edges_from((k, j) for k in group for before in engine[:i + 1] for j in before if j != k)
    parts = nx.condensation(needs)
    order = [sorted(parts.nodes[n]["members"]) for n in reversed(list(nx.topological_sort(parts)))]
    tree = _every(Box.whole(model))
    return [Stage(tuple(ONE if k in part else ZERO for k in model.visits), ONE, tree) for part in order]


def _every(box: Box) -> Tree:
    """The tree whose leaves are the patterns."""
    at = next(box.splits(), None)
    if at is None:
        return ()
    some, none = box.split(*at)
    return (*at, _every(some), _every(none))


def restaged(model: RateModel, found: Sequence[Stage]) -> dict[str, Any] | None:
    """The claim that the model drains in stages of these visits and trees, with the best weights for the whole cell;
    None if there are none."""
    again: list[Stage] = []
    drained: list[int] = []
    for stage in found:
        program = Program(model)
        weight = {k: Form({program.column(k, free=False): ONE}) for k in stage.visits}
        for k in stage.visits:
            program.rows += [weight[k] - program.slack * SHARE, Form({}, ONE) - weight[k]]
        for number, box in enumerate(leaves(stage.tree, Box.whole(model))):
            if box.none(model, stage.visits, drained):
                continue
            constant = program.slack * -model.margin.constant
            goal = {v: program.slack * -model.margin.coefficients.get(v, ZERO)
                    for v in range(len(model.alpha) + len(model.slopes[0]))}
            for k in stage.visits:
                constant -= weight[k] * model.fills[k].constant
                for v, c in model.fills[k].coefficients.items():
                    goal[v] = goal[v] - weight[k] * c
            program.follow(number, goal, constant, *box.equations(model, drained))
        spend("column", len(program.free) * 30)
        x = exact_largest(len(program.free), program.rows, program.free) if len(program.free) <= MOST_COLUMNS else None
        if x is None or x[0] < LEAST:
            return None
        weights = tuple(x[program.columns[k]] if k in weight else ZERO for k in model.visits)
        again.append(Stage(weights, x[0], stage.tree))
        drained += stage.visits
    return stages_claim(again)


def slowed(model: RateModel, inside: dict[str, Any]) -> dict[str, Any] | None:
    """The claim that the model drains with a decay small enough for the whole cell; None if there is none."""
    slowest = 1.0
    for o in draining(model, _with_decay(inside, ONE)):
        if o.forms is None or o.letter != "u":
            continue
        goal, equal, least = o.forms
        base, program = goal + model.margin, Program(model)
        falls = {v: Form({}, base.coefficients.get(v, ZERO)) - program.slack * model.margin.coefficients.get(v, ZERO)
                 for v in range(len(model.alpha) + len(model.slopes[0]))}
        program.follow("falls", falls, Form({}, base.constant) - program.slack * model.margin.constant, equal, least)
        spend("program")
        program.rows.append(Form({}, ONE) - program.slack)
        x = highs([-1.0] + [0.0] * (len(program.free) - 1), program.rows, program.free)
        if x is None or x[0] < LEAST:
            return None
        slowest = min(slowest, float(x[0]))
    return _with_decay(inside, below(slowest / 2))


def _with_decay(inside: dict[str, Any], decay: Fraction) -> dict[str, Any]:
    if inside["kind"] == "stages":
        return {**inside, "stages": [{**s, "decay": str(decay)} for s in inside["stages"]]}
    return {**inside, "decay": str(decay)}
