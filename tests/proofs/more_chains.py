"""More Markov chains of textbooks, as data, that are positive recurrent."""

from __future__ import annotations

from chain_uses import ARRIVES, XY, Shown, X, fed, moves, quotient, recurs, split, whole

from qtheory.proofs.chains import Chain, Outcome, State
from qtheory.proofs.proving.lines import Line

MORE: dict[str, Shown] = {
    "Geo/Geo/1": Shown(  # an arrival and an end of service may fall into one slot
        recurs(Chain(("0 < a", "a < s", "s <= 1"), X, moves(
            ("a*(1 - s*Min(x, 1))", "x + 1"), ("(1 - a)*s*Min(x, 1)", "x - 1"),
            ("1 - a*(1 - s*Min(x, 1)) - (1 - a)*s*Min(x, 1)", "x"))), "a s", "x", "x < 1", "s - a", "1"),
        ("x = 3", "a = 1/4", "s = 1/2"), (), {
            **split("x - 1"), "chances": Line(cases=("x - 1",))}),
    "M/M/1 in slots": Shown(
        recurs(Chain(("0 < p", "p < 1/2"), X, moves(("p", "x + 1"), ("(1 - p)*Min(x, 1)", "x - 1"), (
            "(1 - p)*(1 - Min(x, 1))", "x"))), "p", "x", "x < 1", "1 - 2*p", "1"), ("x = 3", "p = 1/4"), (),
        split("x - 1")),
    "a queue served in batches of three": Shown(
        recurs(Chain(("0 <= lam", "lam < 3"), X, (fed("x - D"),), choices=(
            "D in naturals", "Or(And(x >= 3, D == 3), And(x < 3, D == x))"), **ARRIVES),
               "lam", "x", "x < 3", "3 - lam", "3"),
        ("x = 4", "lam = 1/2", "D = 3"), (("1 - lam/3", ("A = 0",)), ("lam/3", ("A = 3",))),
        {**split("x - 3"), "possible": Line(cases=("x - 3",))}, (("D = 3",), ("D = x",))),
    "a gambler who loses in the mean, and is lent one": Shown(
        recurs(Chain(("0 < p", "3*p < 1"), X, moves(
            ("p", "x + 2"), ("(1 - p)*Min(x, 1)", "x - 1"), ("(1 - p)*(1 - Min(x, 1))", "1"))),
               "p", "x", "x < 1", "1 - 3*p", "1"), ("x = 3", "p = 1/4"), (), split("x - 1")),
    "max-weight: the longer of two, with one arrival at most": Shown(
        recurs(Chain(("0 < a", "0 < c", "a + c < 1"), XY, (
            Outcome({"x": "x + 1 - D", "y": "y - H"}, "a"), Outcome({"x": "x - D", "y": "y + 1 - H"}, "c"),
            Outcome({"x": "x - D", "y": "y - H"}, "1 - a - c")), choices=(
            "D in naturals", "H in naturals", "Or(And(x >= y, x >= 1, D == 1, H == 0), And(y > x, D == 0, H == 1), "
            "And(x <= 0, y <= 0, D == 0, H == 0))")), "a c", "x + y", "And(x <= 0, y <= 0)", "1 - a - c", "0"),
        ("x = 1", "y = 2", "a = 1/4", "c = 1/4", "D = 0", "H = 1"), (), {
            **split("x - 1", "y - 1"), "possible": Line(cases=("x - y", "x - 1", "y - 1"))},
        (("D = 1", "H = 0"), ("D = 0", "H = 1"), ("D = 0", "H = 0"))),
    "slotted ALOHA where each of two kinds is held back": Shown(  # success with probability e at least
        recurs(Chain(("0 <= lam", "lam < e", "e <= 1"), X, (
            fed("x - 1", "s*Min(x, 1)"), fed("x", "1 - s*Min(x, 1)")), choices=("s >= e", "s <= 1"), **ARRIVES),
            "lam e", "x", "x < 1", "e - lam", "1"),
        ("x = 3", "lam = 1/4", "e = 1/3", "s = 1/3"), (("1 - lam", ("A = 0",)), ("lam", ("A = 1",))),
        split("x - 1"), (("s = e",),)),
    "M/M/c, uniformised": Shown(
        recurs(Chain(("0 < l", "0 < mu", "c in naturals", "c >= 1", "l + c*mu == 1", "l < c*mu"), X, moves(
            ("l", "x + 1"), ("mu*Min(x, c)", "x - 1"), ("mu*(c - Min(x, c))", "x"))),
               "l mu c", "x", "x < c", "c*mu - l", "c"), ("x = 3", "l = 1/4", "mu = 3/8", "c = 2"), (), {
            **split("x - c"), "chances": Line(cases=("x - c",))}),
    "births that slow down": Shown(
        recurs(Chain((), X, moves(("1/(x + 4)", "x + 1"), ("Min(x, 1)/2", "x - 1"),
                                   ("1 - 1/(x + 4) - Min(x, 1)/2", "x"))), "", "x", "x < 1", "1/10", "1"),
        ("x = 3",), (), {**split("x - 1"), "chances": Line(cases=("x - 1",))}),
    "a token bucket": Shown(  # x packets wait, y tokens of at most n are there; a token comes every slot
        recurs(Chain(("0 < p", "p < 1", "n in naturals", "n >= 1"), XY, (
            Outcome({"x": "x + 1 - D", "y": "y + 1 - D - W"}, "p"),
            Outcome({"x": "x - D", "y": "y + 1 - D - W"}, "1 - p")),
            space=("y <= n",), choices=(
                "D in naturals", "W in naturals", "Or(And(x >= 1, D == 1, W == 0), And(x < 1, D == 0, y < n, W == 0), "
                "And(x < 1, D == 0, y >= n, W == 1))")),
            "p n", "x", "x < 1", "1 - p", "1 + n"), ("x = 1", "y = 1", "p = 1/2", "n = 2", "D = 1", "W = 0"), (), {
            **split("x - 1"), "possible": Line(cases=("x - 1", "y - n"))},
        (("D = 1", "W = 0"), ("D = 0", "W = 0"), ("D = 0", "W = 1"))),
    "an inventory that is filled up": Shown(  # demands of any law, up to level n
        recurs(Chain(("n in naturals", "n >= 1"), X, moves(("1/2*Min(x, 1)", "x - 1"), ("1 - 1/2*Min(x, 1)", "n"))),
               "n", "x", "x <= n", "1/2", "n"), ("x = 1", "n = 2"), (), {
            **split("x - 1", "x - n"), "chances": split("x - 1")["drift"]}),
    "a queue of which a share leaves": Shown(
        recurs(Chain(("0 <= lam", "0 < d", "d < 1"), State(("x",)), (
            fed("0", "d"), fed("x", "1 - d")), **ARRIVES), "lam d", "x", "d*x < lam + 1", "1", "(lam + 1)/d"),
        ("x = 1", "lam = 1/2", "d = 1/2"), whole("lam"), {
            "drift": Line(cases=("d*x - lam - 1",)), "finite set": quotient("d", "x", "lam + 1")}),
}
