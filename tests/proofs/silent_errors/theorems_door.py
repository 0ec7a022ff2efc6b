"""False theorems that lean on axioms, by class. What is not shown by axioms is unknown: they refute nothing.

A line changes a true theorem, ``key: text ;; key: text``: the fluid model of a queue, whose work arrives at rate a and
is served at rate c, by the criterion of Dai and Weiss; or a sum of independent draws with mean m, by the strong law.
"""

from __future__ import annotations

from typing import Any

from theorem_uses import BUSY, IDLE, NEAR, TOSS, WORK, Shown, drawn, steps, workload

from .cases import BUDGET
from .doors import quietly

DRAINS = "ForAll(t, And(t >= 0, ({})*t >= w(0)), w(t) == 0)"
QUEUE = {
    "fluid models that do not drain": f"""
= pace: c
rate: 2*c - a ;; goal: {DRAINS.format("2*c - a")}
rate: c ;; goal: {DRAINS.format("c")}
rate: c - a/2 ;; goal: {DRAINS.format("c - a/2")}
growth: a/2 ;; rate: c - a/2 ;; goal: {DRAINS.format("c - a/2")}
growth: 0*a ;; rate: c ;; goal: {DRAINS.format("c")}
weight1: -2 ;; rate: 2*c - a ;; goal: {DRAINS.format("2*c - a")}
part1: 2*B(t) ;; rate: 2*c - a ;; goal: {DRAINS.format("2*c - a")}
without: a < c ;; goal: ForAll(t, And(t >= 0, t >= w(0)), w(t) == 0)
without: {BUSY}
without: {WORK}
""",
    "ends of a fluid model": """
= goal: ForAll(t, And(t >= 0, (c - a)*t >= w(0)), w(t) == 0)
goal: ForAll(t, t >= 0, w(t) == 0)
goal: ForAll(t, And(t >= 0, c*t >= w(0)), w(t) == 0)
goal: ForAll(t, And(t >= 0, (c - a)*t >= 1), w(t) == 0)
goal: ForAll(t, And(t >= 0, (c - a)*t <= w(0)), w(t) == 0)
goal: ForAll(t, And(t >= 0, (c + a)*t >= w(0)), w(t) == 0)
goal: ForAll(t, And(t >= 0, (c - a)*t >= w(0)), w(t) > 0)
goal: ForAll(t, And(t >= 0, (c - a)*t >= w(0)), B(t) == 0)
goal: ForAll(t, t > 0, B(t) == c*t)
goal: Exists(t, t >= 0, w(t) < 0)
goal: w(0) == 0
""",
}

DRAWS = {
    "averages of draws": f"""
= goal: {NEAR}
goal: {NEAR.replace("(m + e)*n", "m*n")}
goal: {NEAR.replace("(m - e)*n", "m*n")}
goal: {NEAR.replace("(m - e)", "(m + e)")}
goal: {NEAR.replace("And(Integer(n), n >= N)", "And(Integer(n), n >= 1)")}
goal: {NEAR.replace("e > 0", "e >= 0")}
goal: {NEAR.replace("m", "2*m").replace("Su2*m", "Sum")}
goal: v(1) == m
goal: ForAll(l, And(Integer(l), l >= 1), v(l) == m)
goal: ForAll(n, And(Integer(n), n >= 1), Sum(v(l), (l, 1, n)) >= m*n)
goal: m > 0
""",
}


def changes(line: str) -> dict[str, Any]:
    return {key.strip(): text.strip() for key, text in (part.split(": ", 1) for part in line.split(" ;; "))}


def by_fluid(line: str, budget: float) -> str:
    return quietly(lambda: Shown(workload(**changes(line)), IDLE, steps()).verdict(2 * max(budget, BUDGET)).verdict)


def by_draws(line: str, budget: float) -> str:
    return quietly(lambda: Shown(drawn((), **changes(line)), TOSS).verdict(2 * max(budget, BUDGET)).verdict)
