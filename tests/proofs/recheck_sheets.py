"""Certificates written by hand: every rule of the format is applied at least once, each sheet ends in its goal."""

from __future__ import annotations

from typing import Any

TAGS = {"sum": 1, "int": 1, "diff": 1, "all": 1, "ex": 1, "app": 1, "W": 1}


class Sheet:
    """A certificate in the making: nested lists become nodes, steps are numbered as they are added."""

    def __init__(self, goal: str, where: tuple[str, ...] = (), verdict: str = "proved") -> None:
        self.statement = {"let": [], "where": list(where), "goal": goal}
        self.verdict = verdict
        self.nodes: list[Any] = []
        self.steps: list[Any] = []

    def node(self, nested: Any) -> int:
        if isinstance(nested, str):
            raw: Any = nested
        else:
            tag = TAGS.get(nested[0], 0)
            raw = [*nested[:1 + tag], *(self.node(k) for k in nested[1 + tag:])]
        if raw not in self.nodes:
            self.nodes.append(raw)
        return self.nodes.index(raw)

    def step(self, rule: str, *arguments: Any) -> int:
        """Add a step; nested terms are given as N(..), everything else is taken as it is."""
        self.steps.append([rule, *(self.node(a.nested) if isinstance(a, N) else a for a in arguments)])
        return len(self.steps) - 1

    def certificate(self) -> dict[str, Any]:
        return {"schema": 2, "verdict": self.verdict, "statement": self.statement, "nodes": self.nodes,
                "steps": self.steps, "main": len(self.steps) - 1, "witness": None}


class N:
    """A nested expression as an argument."""

    def __init__(self, nested: Any) -> None:
        self.nested = nested


def neg(t: Any) -> list[Any]:
    return ["*", "-1", t]


def sub(a: Any, b: Any) -> list[Any]:
    return ["+", a, neg(b)]


def exponential() -> Sheet:
    """exp(x) + exp(-x) >= 2 from exp(u) >= 1 + u twice."""
    s = Sheet("exp(x) + exp(-x) >= 2")
    goal = [">=", sub(["+", ["exp", "x"], ["exp", neg("x")]], "2")]
    a = s.step("exp_above_tangent", N("x"), [])
    b = s.step("exp_above_tangent", N(neg("x")), [])
    one = s.node("1")
    s.step("combine", N(goal), [a, b], [[one, [[0, 1]], []], [one, [[1, 1]], []]])
    return s


def division() -> Sheet:
    """x/y + y/x >= 2 for x, y > 0: the gap is (x - y)^2/(x y)."""
    s = Sheet("x/y + y/x >= 2", ("x > 0", "y > 0"))
    a, b = s.step("hyp", N([">", "x"])), s.step("hyp", N([">", "y"]))
    left = ["+", ["*", "x", ["^", "y", "-1"]], ["*", "y", ["^", "x", "-1"]]]
    square = s.node(sub("x", "y"))
    s.step("combine", N([">=", sub(left, "2")]), [a, b], [[s.node("1"), [[0, -1], [1, -1]], [square]]])
    return s


def mean() -> Sheet:
    """-log(1-x) > x on (0, 1) by the mean value theorem from 0."""
    s = Sheet("-log(1-x) > x", ("0 < x < 1",))
    f = ["+", neg(["log", sub("1", "t")]), neg("t")]
    inner = ["*", ["^", sub("1", "t"), "-1"], ["+", "0", ["*", "1", "-1"]]]
    slope = ["+", ["*", inner, "-1"], ["*", "1", "-1"]]
    low, high = s.step("hyp", N([">", "x"])), s.step("hyp", N([">", sub("1", "x")]))
    order = s.step("combine", N([">", sub("x", "0")]), [low], [[s.node("1"), [[0, 1]], []]])
    end = s.step("hyp", N([">=", sub("x", "t")]))
    one = s.node("1")
    room = s.step("combine", N([">", sub("1", "t")]), [high, end], [[one, [[0, 1]], []], [one, [[1, 1]], []]])
    domain = s.step("defined", N(f), [room])
    start = s.step("hyp", N([">", sub("t", "0")]))
    rate = s.step("combine", N([">", slope]), [room, start], [[one, [[0, -1], [1, 1]], []]])
    gain = s.step("mean_value", "t", N(f), N("0"), N("x"), order, domain, rate)
    unit = s.step("combine", N([">", sub("1", "0")]), [], [[one, [], []]])
    zero = s.step("combine", N(["=", ["log", sub("1", "0")]]), [s.step("log_one"), unit], [[one, [[0, 1]], []]])
    s.step("instance", s.step("log_exp", N("u"), []), "u", N("0"), [])
    s.step("combine", N([">", sub(neg(["log", sub("1", "x")]), "x")]), [gain, zero, high],
           [[one, [[0, 1]], []], [s.node("-1"), [[1, 1]], []]])
    return s


def bernoulli() -> Sheet:
    """2^n >= 1 + n for natural n by induction."""
    s = Sheet("2**n >= 1 + n", ("n in naturals",))
    power = ["^", "2", "n"]
    phi = [">=", sub(power, ["+", "1", "n"])]
    zero_term = s.node("0")
    whole = s.step("integral_polynomial", zero_term, [])
    one = s.node("1")
    start = s.step("combine", N([">=", sub(["^", "2", "0"], ["+", "1", "0"])]), [], [])
    is_n, above = s.step("hyp", N(["isint", "n"])), s.step("hyp", N([">=", sub("n", "0")]))
    case = s.step("hyp", N(phi))
    up = s.step("power_step", N("2"), N("n"), [is_n])
    nn = s.node("1")
    step = s.step("combine", N([">=", sub(["^", "2", ["+", "n", "1"]], ["+", "1", ["+", "n", "1"]])]),
                  [up, case, above], [[nn, [[0, 1]], []], [s.node("2"), [[1, 1]], []], [nn, [[2, 1]], []]])
    everything = s.step("induction", "n", N("0"), N(phi), whole, start, step)
    here = s.step("all_elim", everything, N("n"), [])
    plain = s.step("hyp", N([">=", "n"]))
    shifted = s.step("combine", N([">=", sub("n", "0")]), [plain], [[one, [[0, 1]], []]])
    both = s.step("and_intro", [is_n, shifted])
    s.step("imp_elim", here, both)
    return s


def total() -> Sheet:
    """The first two steps of a sum, and a sum over nothing."""
    s = Sheet("Sum(i, (i, 1, 0)) == 0")
    one = s.step("integral_polynomial", N("1"), [])
    s.step("sum_empty", N(["sum", "i", "1", "0", "i"]), [one])
    return s


def sum_of_two() -> Sheet:
    s = Sheet("Sum(i, (i, 1, n)) == Sum(i, (i, 1, n - 1)) + n", ("Sum(i, (i, 1, n)) >= 0", "Integer(n)", "n >= 1"))
    whole = ["sum", "i", "1", "n", "i"]
    there = s.step("hyp", N([">=", whole]))
    n, one = s.step("hyp", N(["isint", "n"])), s.step("integral_polynomial", N("1"), [])
    above = s.step("hyp", N([">=", sub("n", "1")]))
    s.step("sum_last", N(whole), [there, n, one, above])
    return s


def root() -> Sheet:
    """There is an x in [1, 2] with x^2 = 2."""
    s = Sheet("Exists(x, 1 < x < 2, x**2 - 2 == 0)")
    f = sub(["^", "x", "2"], "2")
    order = s.step("combine", N([">", sub("2", "1")]), [], [[s.node("1"), [], []]])
    domain = s.step("defined", N(f), [])
    low = s.step("ball", N([">", neg(sub(["^", "1", "2"], "2"))]), [], None, 53)
    high = s.step("ball", N([">", sub(["^", "2", "2"], "2")]), [], None, 53)
    found = s.step("intermediate_value", "x", N(f), N("1"), N("2"), order, domain, low, high)
    body = ["and", [">", sub("x", "1")], [">", sub("2", "x")], ["=", f]]
    here = s.step("hyp", N(body))
    bounds = s.step("and_intro", [s.step("and_elim", here, 0), s.step("and_elim", here, 1)])
    both = s.step("and_intro", [bounds, s.step("and_elim", here, 2)])
    wanted = ["ex", "x", ["and", ["and", [">", sub("x", "1")], [">", sub("2", "x")]], ["=", f]]]
    again = s.step("ex_intro", N(wanted), N("x"), both, [])
    s.step("ex_elim", found, "x", again)
    return s


def integral() -> Sheet:
    """The integral of 2 x from 0 to 3."""
    s = Sheet("Integral(2*x, (x, 0, 3)) == 3**2 - 0**2")
    f, F = ["*", "2", "x"], ["^", "x", "2"]
    order = s.step("ball", N([">=", sub("3", "0")]), [], None, 53)
    domain, primitive = s.step("defined", N(f), []), s.step("defined", N(F), [])
    slope = ["*", "2", ["^", "x", "1"], "1"]
    rate = s.step("combine", N(["=", sub(slope, f)]), [], [])
    whole = ["int", "x", "0", "3", f]
    s.step("fundamental_theorem", N(whole), N(F), order, domain, primitive, rate)
    return s


def integral_below() -> Sheet:
    """The integral of x from 0 to 3 is less than that of 3."""
    s = Sheet("Integral(x, (x, 0, 3)) < (3 + 3 + 3) - (0 + 0 + 0)")
    order = s.step("ball", N([">", sub("3", "0")]), [], None, 53)
    primitive = ["+", "x", "x", "x"]
    domains = [s.step("defined", N(f), []) for f in ("x", primitive)]
    less = s.step("hyp", N([">", sub("3", "x")]))
    rate = s.step("combine", N([">", sub(["+", "1", "1", "1"], "x")]), [less], [[s.node("1"), [[0, 1]], []]])
    s.step("fundamental_theorem", N(["int", "x", "0", "3", "x"]), N(primitive), order, *domains, rate)
    return s


def integral_above() -> Sheet:
    """The integral of x^2 from 0 to a is at least that of 0, also where a = 0."""
    s = Sheet("Integral(x**2, (x, 0, a)) >= 0 - 0", ("a >= 0",))
    order = s.step("combine", N([">=", sub("a", "0")]), [s.step("hyp", N([">=", "a"]))],
                   [[s.node("1"), [[0, 1]], []]])
    domains = [s.step("defined", N(f), []) for f in (["^", "x", "2"], "0")]
    rate = s.step("combine", N([">=", sub(["^", "x", "2"], "0")]), [], [[s.node("1"), [], [s.node("x")]]])
    s.step("fundamental_theorem", N(["int", "x", "0", "a", ["^", "x", "2"]]), N("0"), order, *domains, rate)
    return s


def flipped() -> Sheet:
    s = Sheet("Integral(x, (x, 1, 0)) + Integral(x, (x, 0, 1)) == 0", ("Integral(x, (x, 0, 1)) > 0",))
    fact = s.step("hyp", N([">", ["int", "x", "0", "1", "x"]]))
    s.step("integral_flip", N(["int", "x", "1", "0", "x"]), [fact])
    return s


def slope() -> Sheet:
    s = Sheet("diff(x**2, x) == 2*x")
    term = ["diff", "x", ["^", "x", "2"], "x"]
    carried = s.step("differentiate", N(term), [])
    s.step("combine", N(["=", sub(term, ["*", "2", "x"])]), [carried], [[s.node("1"), [[0, 1]], []]])
    return s


def slope_nearby() -> Sheet:
    """Functions that agree around a point have one derivative there."""
    s = Sheet("diff(x + 0, x) == diff(x, x)")
    f, low, high, one = ["+", "x", "0"], sub("x", "1"), ["+", "x", "1"], s.node("1")
    same = s.step("combine", N(["=", sub(["+", "y", "0"], "y")]), [], [])
    sides = [s.step("combine", N([">", t]), [], [[one, [], []]]) for t in (sub("x", low), sub(high, "x"))]
    carried = s.step("differentiate", N(["diff", "x", "x", "x"]), [])
    s.step("derivative_near", N(["diff", "x", f, "x"]), N("x"), "y", N(low), N(high), same, [*sides, carried])
    return s


def slope_of_integral() -> Sheet:
    """The derivative of an integral in its upper end, where it is known to be defined."""
    s = Sheet("diff(Integral(exp(-t), (t, 0, x)), x) == exp(-x)", ("Integral(exp(-t), (t, 0, x)) >= 0",))
    whole = ["int", "t", "0", "x", ["exp", neg("t")]]
    term = ["diff", "x", whole, "x"]
    carried = s.step("differentiate", N(term), [s.step("hyp", N([">=", whole]))])
    s.step("combine", N(["=", sub(term, ["exp", neg("x")])]), [carried], [[s.node("1"), [[0, 1]], []]])
    return s


def growing_integral() -> Sheet:
    """An integral grows with its upper end, by the mean value theorem."""
    s = Sheet("Integral(3, (t, 0, 2)) - Integral(3, (t, 0, 1)) > 0")
    above, below = s.step("hyp", N([">=", sub("x", "1")])), s.step("hyp", N([">=", sub("2", "x")]))
    one = s.node("1")
    positive = s.step("combine", N([">=", sub("x", "0")]), [above], [[one, [[0, 1]], []], [one, [], []]])
    primitive = ["*", "3", "t"]
    equal = s.step("combine", N(["=", sub(["*", "1", "3"], "3")]), [], [])
    value = s.step("fundamental_theorem", N(["int", "t", "0", "x", "3"]), N(primitive), positive,
                   s.step("defined", N("3"), []), s.step("defined", N(primitive), []), equal)
    domain = s.step("defined", N(["int", "t", "0", "x", "3"]), [value, below])
    rate = s.step("ball", N([">", ["*", ["+", "3", ["*", "0", "0"]], "1"]]), [], None, 53)
    order = s.step("ball", N([">", sub("2", "1")]), [], None, 53)
    s.step("mean_value", "x", N(["int", "t", "0", "x", "3"]), N("1"), N("2"), order, domain, rate)
    return s


def no_point() -> Sheet:
    """A derivative at an undefined point is undefined, though it would be that of a constant: to be rejected."""
    s = Sheet("At(diff(x, x), x, log(-1)) == 1")
    term = ["diff", "x", "2", ["log", "-1"]]
    s.step("differentiate", N(term), [])
    return s


def undefined_somewhere() -> Sheet:
    """log(x) > 0 is refuted at x = -1, where it is undefined."""
    s = Sheet("log(x) > 0", (), "refuted")
    bad = s.step("ball", N([">=", neg("-1")]), [], None, 53)
    none = s.step("undefined", N(["log", "-1"]), N(["log", "-1"]), bad)
    either = ["or", ["undef", ["log", "-1"]], [">=", neg(["log", "-1"])]]
    s.step("and_intro", [s.step("or_intro", none, N(either))])
    s.step("ex_intro", N(["ex", "x", ["and", ["or", ["undef", ["log", "x"]], [">=", neg(["log", "x"])]]]]), N("-1"),
           len(s.steps) - 1, [])
    return s


def cases() -> Sheet:
    """max(x, 0) >= x by cases, absurdity and clash."""
    s = Sheet("Max(x, 0) - x >= 0")
    three = s.step("trichotomy", N("x"), [])
    goal = [">=", sub(["max", "x", "0"], "x")]
    bounds = s.step("max_bounds", N("x"), N("0"), [])
    upper = s.step("and_elim", bounds, 0)
    no = s.step("absurd", s.step("hyp", N([">", "0"])), N(goal))
    s.step("cut", s.step("hyp", N([">", "0"])), no)
    middle = s.step("excluded_middle", N(goal))
    s.step("imp_intro", N(goal), upper)
    left, right = s.step("hyp", N([">", "x"])), s.step("hyp", N(["or", ["undef", "x"], [">=", neg("x")]]))
    s.step("clash", left, right, N(goal))
    s.step("all_intro", "y", middle)
    s.step("or_elim", three, [upper, upper, upper], N(goal))
    return s


def lambert() -> Sheet:
    """W(u) e^W(u) = u where it is defined, and W(x e^x) = x for x >= -1."""
    s = Sheet("LambertW(x*exp(x)) - x == 0", ("x >= -1",))
    w = ["W", 0, ["*", "x", ["exp", "x"]]]
    equation = s.step("combine", N(["=", sub(["*", "x", ["exp", "x"]], ["*", "x", ["exp", "x"]])]), [], [])
    given = s.step("hyp", N([">=", sub("x", "-1")]))
    side = s.step("combine", N([">=", ["+", "x", "1"]]), [given], [[s.node("1"), [[0, 1]], []]])
    value = s.step("lambert_value", N(w), N("x"), equation, side)
    s.step("lambert_equation", N(w), [value])
    s.step("combine", N(["=", sub(w, "x")]), [value], [[s.node("1"), [[0, 1]], []]])
    return s


def functions() -> Sheet:
    """One use of each of the facts about exp, log, powers, roots and floor."""
    s = Sheet("exp(log(x)) == x", ("x > 0", "n in naturals"))
    x, n = s.step("hyp", N([">", "x"])), s.step("hyp", N(["isint", "n"]))
    s.step("log_product", N("x"), N("x"), [x])
    s.step("log_power", N("x"), N("y"), [x])
    s.step("log_below_tangent", N("x"), [x])
    s.step("log_below_tangent", N("x"), [x, s.step("hyp", N(["!=", sub("x", "1")]))])
    s.step("power_exp", N("x"), N("y"), [x])
    s.step("exp_multiple", N("y"), N("n"), [n])
    s.step("exp_multiple", N("y"), N("-2"), [n])
    s.step("exp_sum", N("x"), N("y"), [])
    s.step("exp_positive", N(["log", "x"]), [x])
    s.step("exp_zero")
    s.step("sqrt_square", N("x"), [s.step("defined", N(["sqrt", "x"]), [x])])
    s.step("condition", s.step("hyp", N([">", ["log", ["^", "y", "-2"]]])), N(["^", "y", "-2"]))
    s.step("condition", s.step("hyp", N([">", ["log", ["^", "y", "-2"]]])), N(["log", ["^", "y", "-2"]]))
    s.step("condition", s.step("hyp", N(["isint", ["sqrt", "y"]])), N(["sqrt", "y"]))
    s.step("floor_bounds", N(["log", "x"]), [x])
    s.step("zero_power", N("y"))
    s.step("gap", n, s.step("hyp", N([">", "n"])))
    s.step("integral_polynomial", N(sub(["^", "n", "3"], ["*", "2", "n"])), [n])
    equal = s.step("hyp", N(["=", sub("x", "y")]))
    s.step("rewrite", equal, x, "z", N([">", "z"]), N("x"), N("y"))
    s.step("exp_log", N("x"), [x])
    return s


def enclosed() -> Sheet:
    """x exp(-x) < 1/2 on [0, 2], by subdivision."""
    s = Sheet("1/2 - x*exp(-x) > 0", ("x - 0 >= 0", "2 - x >= 0"))
    goal = [">", ["+", "1/2", neg(["*", "x", ["exp", neg("x")]])]]
    s.step("ball", N(goal), [["x", "0", "2"]], refined(5), 40)
    return s


def refined(levels: int, low: int = 0, high: int = 2 ** 6) -> Any:
    """A bisection of [0, 2] in 2^levels parts."""
    if levels == 0:
        return None
    middle = (low + high) // 2
    return ["x", f"{middle}/32", refined(levels - 1, low, middle), refined(levels - 1, middle, high)]


SHEETS = [exponential, division, mean, bernoulli, total, sum_of_two, root, integral, integral_below, integral_above,
          flipped, slope, slope_nearby, slope_of_integral, growing_integral, undefined_somewhere, cases, lambert,
          functions, enclosed]
