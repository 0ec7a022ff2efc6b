"""What a researcher would type first: each true statement is proved, its false neighbour refuted, twice checked."""

from __future__ import annotations

import json

import pytest

from qtheory.proofs.kernel.certificate import check
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.recheck import certifies
from qtheory.proofs.tactics.search import search

UNIT = "And(0 <= x, x < 1)"
ERLANG = ("b in functions; n in naturals; m in naturals; a > 0; b(0) == 1; "
          "ForAll(k, And(k in naturals, k < m), b(k + 1) == a*b(k)/(k + 1 + a*b(k)))")
CLASSICS: list[tuple[str, str, str, str]] = [  # verdict, goal, conditions separated by ;, kind
    ("proved", "Concave(log(x), x, x > 0)", "", "curvature"),
    ("refuted", "Convex(log(x), x, x > 0)", "", "curvature"),
    ("proved", f"Convex(x/(1 - x), x, {UNIT})", "", "curvature"),
    ("proved", "StrictlyConvex(x*log(x), x, x > 0)", "", "curvature"),
    ("proved", "StrictlyConvex(exp(a*x), x, x == x)", "a > 0", "curvature"),
    ("refuted", "StrictlyConvex(exp(a*x), x, x == x)", "a >= 0", "curvature"),
    ("proved", "Convex(-log(1 - x)/a, x, And(0 < x, x < 1))", "a > 0", "curvature"),
    ("proved", f"StrictlyConvex(x**2/(1 - x), x, {UNIT})", "", "curvature"),
    ("refuted", "Convex(x**3, x, And(-1 <= x, x <= 1))", "", "curvature"),
    ("proved", "Increasing(1 - exp(-a*x), x, x >= 0)", "a >= 0", "monotone"),
    ("proved", "StrictlyDecreasing(x*exp(-x), x, x >= 1)", "", "monotone"),
    ("refuted", "StrictlyDecreasing(x*exp(-x), x, x >= 9/10)", "", "monotone"),
    ("proved", "limit(log(x)/x, x, oo) == 0", "", "limit"),
    ("refuted", "limit(log(x)/x, x, oo) == 1/100", "", "limit"),
    ("proved", "limit(x*log(x), x, 0, '+') == 0", "", "limit"),
    ("proved", "limit(x*exp(-x), x, oo) == 0", "", "limit"),
    ("proved", "limit(exp(-a*x), x, oo) == 0", "a > 0", "limit"),
    ("refuted", "limit(exp(-a*x), x, oo) == 0", "a >= 0", "limit"),
    ("proved", "limit((1 - exp(-a*t))/t, t, 0, '+') == a", "a >= 0", "limit"),
    ("proved", "limit((exp(x) - 1)/x, x, 0) == 1", "", "limit"),
    ("refuted", "limit((exp(x) - 1)/x, x, 0) == 99/100", "", "limit"),
    ("proved", "limit(log(1 + x)/x, x, 0) == 1", "", "limit"),
    ("proved", "limit(x**2, x, a) == a**2", "a > 0", "limit"),
    ("refuted", "limit(1/x, x, 0) == 1", "", "limit"),
    ("proved", "ExistsUnique(x, x > 0, exp(-x) == x)", "", "root"),
    ("refuted", "ExistsUnique(x, x > 0, exp(x) == 3*x)", "", "root"),
    ("proved", "Integral(exp(-p*t), (t, 0, T)) == (1 - exp(-p*T))/p", "p > 0; T >= 0", "integral"),
    ("refuted", "Integral(exp(-p*t), (t, 0, T)) == (1 - exp(-p*T))/p", "p >= 0; T >= 0", "integral"),
    ("proved", "Integral(1/(1 - t), (t, 0, x)) == -log(1 - x)", "0 < x < 1", "integral of a negative log's argument"),
    ("proved", "Integral(exp(-t**2), (t, 0, x)) >= 0", "x >= 0", "integral bound"),
    ("proved", "Integral(exp(-t**2), (t, 0, 1)) <= 1", "", "integral bound"),
    ("proved", "Integral(exp(-t**2), (t, 0, x)) <= x", "x >= 0", "integral bound"),
    ("proved", "diff(Integral(exp(-t**2), (t, 0, x)), x) == exp(-x**2)", "x > 0", "slope of an integral"),
    ("proved", "diff(Integral(sqrt(1 - t), (t, 0, x)), x) == sqrt(1 - x)", "0 < x < 1", "slope of an integral"),
    ("proved", "3*x + 2*y <= 8", "x + y <= 3; x <= 2; x >= 0; y >= 0", "linear programme"),
    ("refuted", "3*x + 2*y <= 79/10", "x + y <= 3; x <= 2; x >= 0; y >= 0", "linear programme"),
    ("proved", "Exists(x, And(0 <= x, x <= 2), Exists(y, And(y >= 0, x + y <= 3), 3*x + 2*y == 8))", "",
     "linear programme"),
    ("proved", "Sum(i**2, (i, 1, n)) == n*(n + 1)*(2*n + 1)/6", "n in naturals", "induction"),
    ("refuted", "Sum(i**2, (i, 1, n)) == n*(n + 1)*(2*n + 1)/6 + Max(0, n - 5)", "n in naturals", "induction"),
    ("proved", "2**n > n", "n in naturals", "induction"),
    ("refuted", "2**n >= n**2", "n in naturals", "induction"),
    ("proved", "2**n >= n**2", "n in naturals; n >= 4", "induction"),
    ("proved", "Sum(r**k, (k, 0, n)) == (1 - r**(n + 1))/(1 - r)", "r != 1; n in naturals", "induction"),
    ("proved", "And(b(n) > 0, b(n) <= 1)", f"n <= m; {ERLANG}", "a recursion of m steps"),
    ("proved", "Implies(n <= m, And(b(n) > 0, b(n) <= 1))", ERLANG, "a recursion of m steps"),
    ("unknown", "And(b(n) > 0, b(n) <= 1)", f"n <= m + 1; {ERLANG}", "and one more, of which nothing is said"),
    ("proved", "0**x == 0", "x > 0", "power of zero"),
    ("proved", "0**(x + 1) == 0", "x >= 0", "power of zero"),
    ("proved", "x**a*x**b == x**(a + b)", "x >= 0; a > 0; b > 0", "power of zero"),
    ("refuted", "0**x == 0", "x >= 0", "power of zero"),
    ("proved", "sqrt(x**2) == Abs(x)", "", "root"),
    ("refuted", "sqrt(x**2) == x", "", "root"),
    ("proved", "b*(1 - a*l) > l*c", "b/(c + a*b) > l; a > 0; b > 0; c > 0", "a load condition without its denominator"),
    ("refuted", "b*(1 - a*l) > l*c", "b/(c + a*b) >= l; a > 0; b > 0; c > 0", "and with a tie"),
]


@pytest.mark.sliced(4)
@pytest.mark.studied(2, "induction: 2**n >= n**2_0")
@pytest.mark.parametrize("verdict, goal, where, kind", CLASSICS, ids=[f"{c[3]}: {c[1]}" for c in CLASSICS])
def test_classics(verdict: str, goal: str, where: str, kind: str) -> None:
    statement = Statement(goal, tuple(filter(None, where.split("; "))))
    found = search(statement, budget=40.0)
    assert found.verdict == verdict, found.obstacle
    if verdict == "unknown":
        return
    data = json.loads(json.dumps(found.certificate))
    check(data, statement)
    assert certifies(data, statement.to_json())
