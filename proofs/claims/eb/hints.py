"""Strategies of the search by name. They need no trust."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HINTS: Mapping[str, Mapping[str, Any]] = {
    "fig-2.rule": {"lemmas": ("zeta > 0", "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O) > 0",
        ("Implies(And(s > 0, g > h + 1/s*(y - x)), x + g*s > y + h*s)", {"s": "mu_L + mu_O",
        "x": "alpha_MB*(1 + mu_O)/N", "y": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}),
        ("Implies(And(b > 0, a > b), 1/b > 1/a)", {"a": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "b": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)"}))},
    "sec-3.1.large-k.idle": {"lemmas": ["ForAll(z, And(0 < z, z < 1), z + (1 - z)*log(1 - z) > 0)"]},
    "sec-3.1.large-k.backlog.corrected": {"lemmas": ("And(0 < k/N, k/N < j/N, j/N < 1, theta0 <= k/N)",
        "alpha_d/p0*((theta0)/(1 - (theta0)) + log(1 - (theta0))) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - x",
        "b": "1 - y"}, "And(0 < x, x <= y, y < 1)"),
        (("Implies(And(0 < x, x <= y, y < 1), (x)/(1 - (x)) + log(1 - (x)) <= (y)/(1 - (y)) + log(1 " "- (y)))"),
        {"x": "theta0", "y": "k/N"}), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(0 < x, x < y, y < 1), -x*log(1 - y) + y*log(1 - x) > (y - x)*((x)/(1 - (x)) "
        "+ log(1 - (x))))"), {"x": "k/N", "y": "j/N"}),
        (("Implies(And(q > 0, q*g == A, x < y, g <= P, x*u + y*v > (y - x)*P), y*(A - q*v) < x*(A + " "q*u))"),
        {"q": "alpha_d/p0", "g": "(theta0)/(1 - (theta0)) + log(1 - (theta0))", "A": "alpha_p", "x": "k/N", "y": "j/N",
        "u": "-log(1 - j/N)", "v": "log(1 - k/N)", "P": "(k/N)/(1 - (k/N)) + log(1 - (k/N))"}),
        ("Implies(And(n > 0, k > 0, j > 0, m > 0, j/n*U < k/n*V), m/k*(U + c*k) < m/j*(V + c*j))", {"n": "N", "k": "k",
        "j": "j", "U": "alpha_p - alpha_d/p0*log(1 - k/N)", "V": "alpha_p - alpha_d/p0*log(1 - j/N)",
        "c": "beta_d/p0 + beta_p*mu_L", "m": "m"}))},
    "sec-3.1.small-k.throughput.corrected": {"lemmas": ("And(0 < k/N, k/N < j/N, j/N < 1, theta0 >= j/N)",
        "alpha_d/p0*((theta0)/(1 - (theta0)) + log(1 - (theta0))) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - x",
        "b": "1 - y"}, "And(0 < x, x <= y, y < 1)"),
        (("Implies(And(0 < x, x <= y, y < 1), (x)/(1 - (x)) + log(1 - (x)) <= (y)/(1 - (y)) + log(1 " "- (y)))"),
        {"x": "j/N", "y": "theta0"}), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"}, "And(0 < a, a < b)"),
        ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))", {"a": "a", "b": "b"}),
        ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(0 < x, x < y, y < 1), -x*log(1 - y) + y*log(1 - x) < (y - x)*((y)/(1 - (y)) "
        "+ log(1 - (y))))"), {"x": "k/N", "y": "j/N"}),
        (("Implies(And(q > 0, q*g == A, x < y, P <= g, x*u + y*v < (y - x)*P), y*(A - q*v) > x*(A + " "q*u))"),
        {"q": "alpha_d/p0", "g": "(theta0)/(1 - (theta0)) + log(1 - (theta0))", "A": "alpha_p", "x": "k/N", "y": "j/N",
        "u": "-log(1 - j/N)", "v": "log(1 - k/N)", "P": "(j/N)/(1 - (j/N)) + log(1 - (j/N))"}),
        "And(-log(1 - k/N) > 0, -log(1 - j/N) > 0)", ("Implies(And(a > 0, p > 0, l > 0, A > 0), A + a/p*l > 0)",
        {"a": "alpha_d", "p": "p0", "l": "-log(1 - k/N)", "A": "alpha_p"}),
        ("Implies(And(a > 0, p > 0, l > 0, A > 0), A + a/p*l > 0)", {"a": "alpha_d", "p": "p0", "l": "-log(1 - j/N)",
        "A": "alpha_p"}), "And(beta_d/p0 >= 0, beta_p*mu_L >= 0)",
        (("Implies(And(n > 0, k > 0, j > 0, U > 0, V > 0, c >= 0, W == U + c*k, Z == V + c*j, j/n*U "
        "> k/n*V), k/W < j/Z)"), {"n": "N", "k": "k", "j": "j", "U": "alpha_p - alpha_d/p0*log(1 - k/N)",
        "V": "alpha_p - alpha_d/p0*log(1 - j/N)", "c": "beta_d/p0 + beta_p*mu_L", "W": "cycle(k/N)",
        "Z": "cycle(j/N)"}))},
    "sec-3.1.decoupled.fluid": {"rate": {"b": ("1/theta0", "1")},
        "lemmas": (("And(-log(1 - theta0) > 0, beta_p*mu_L + beta_d/p0 >= 0, (alpha_p - alpha_d/p0*log(1 - "
        "theta0)) > 0)"), ("Implies(And(floor(b) == b, b >= 1), And(floor(theta0*b) >= 0, floor(theta0*b) <= "
        "theta0*b, floor(theta0*b) > theta0*b - 1))"),
        ("Implies(And(n >= 1, k >= 0, k <= t*n), And(k/n >= 0, k/n <= t))", {"n": "b", "k": "floor(theta0*b)",
        "t": "theta0"}, "And(floor(b) == b, b >= 1)"),
        (("Implies(And(0 <= x, x <= theta0), And((alpha_p - alpha_d/p0*log(1 - x)) > 0, (alpha_p - "
        "alpha_d/p0*log(1 - x)) <= (alpha_p - alpha_d/p0*log(1 - theta0)), theta0*(alpha_p - "
        "alpha_d/p0*log(1 - x)) >= x*(alpha_p - alpha_d/p0*log(1 - theta0))))"), {"x": "floor(theta0*b)/b"},
        "And(floor(b) == b, b >= 1)", ("alpha_d/p0*((theta0)/(1 - (theta0)) + log(1 - (theta0))) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - x",
        "b": "1 - theta0"}, "And(0 <= x, x <= theta0)"),
        (("Implies(And(q > 0, y > 0, A == q*(y*d + m), l - m <= (y - x)*d), y*(A - q*l) >= x*(A - " "q*m))"),
        {"q": "alpha_d/p0", "y": "theta0", "d": "1/(1 - theta0)", "m": "log(1 - theta0)", "A": "alpha_p",
        "l": "log(1 - x)", "x": "x"}, "And(0 <= x, x <= theta0)", ("q*y*((y - x)*d - (l - m)) >= 0",)),
        ("Implies(And(0 <= x, x <= y, y < 1), And(-log(1 - x) >= 0, -log(1 - x) <= -log(1 - y)))", {"x": "x",
        "y": "theta0"}, "And(0 <= x, x <= theta0)"))), ("Implies(And(n > 0, x == k/n, t*U >= x*V), t*n*U >= k*V)",
        {"n": "b", "k": "floor(theta0*b)", "x": "floor(theta0*b)/b", "t": "theta0",
        "U": "(alpha_p - alpha_d/p0*log(1 - floor(theta0*b)/b))", "V": "(alpha_p - alpha_d/p0*log(1 - theta0))"},
        "And(floor(b) == b, b >= 1)"),
        (("Implies(And(n > 0, t > 0, k >= 0, k <= t*n, k > t*n - 1, U > 0, V > 0, U <= V, b >= 0, "
        "t*n*U >= k*V, C == U + b*k, D == V + b*(t*n)), And((k/C)/(t*n/D) - 1 <= 1/t/n, "
        "(k/C)/(t*n/D) - 1 >= -(1/t)/n))"), {"n": "b", "k": "floor(theta0*b)", "t": "theta0",
        "U": "(alpha_p - alpha_d/p0*log(1 - floor(theta0*b)/b))", "V": "(alpha_p - alpha_d/p0*log(1 - theta0))",
        "b": "beta_p*mu_L + beta_d/p0", "C": "cycle(floor(theta0*b)/b, b)", "D": "cycle(theta0, b)"},
        "And(floor(b) == b, b >= 1)"))},
    "sec-3.1.decoupled.differs": {"lemmas": (("floor(theta0*N) == 1", {}, "",
        ("(theta0)/(1 - (theta0)) + log(1 - (theta0)) == 1/4", "(1/2)/(1 - (1/2)) + log(1 - (1/2)) > 1/4",
        "(1/4)/(1 - (1/4)) + log(1 - (1/4)) < 1/4",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - x",
        "b": "1 - y"}, "And(0 < x, x < 1, 0 < y, y < 1)"),
        (("Implies(And(0 < x, x < 1, 0 < y, y < 1), (y)/(1 - (y)) + log(1 - (y)) - ((x)/(1 - (x)) + "
        "log(1 - (x))) >= (y - x)*x/((1 - x)*(1 - y)))"), {"x": "1/2", "y": "theta0"}),
        (("Implies(And(0 < x, x < 1, 0 < y, y < 1), (y)/(1 - (y)) + log(1 - (y)) - ((x)/(1 - (x)) + "
        "log(1 - (x))) >= (y - x)*x/((1 - x)*(1 - y)))"), {"x": "theta0", "y": "1/4"}),
        ("Implies(And(g < 0, g >= e*c, c > 0), e < 0)",
        {"g": "(theta0)/(1 - (theta0)) + log(1 - (theta0)) - ((1/2)/(1 - (1/2)) + log(1 - (1/2)))",
        "e": "theta0 - 1/2", "c": "1/2/((1 - 1/2)*(1 - theta0))"}), ("Implies(And(g < 0, g >= e*c, c > 0), e < 0)",
        {"g": "(1/4)/(1 - (1/4)) + log(1 - (1/4)) - ((theta0)/(1 - (theta0)) + log(1 - (theta0)))",
        "e": "1/4 - theta0", "c": "theta0/((1 - theta0)*(1 - 1/4))"}), "And(theta0*N >= 1, theta0*N < 2)",
        "floor(theta0*N) >= 1", "floor(theta0*N) <= 1")), "And(2/N == 1/2, 1/N == 1/4)",
        "And(-log(1 - 2/N) < 3/4, -log(1 - 1/N) > 1/4)", "And(cycle(2/N) < 14, cycle(1/N) > 7)", "cycle(2/N) > 0",
        ("Implies(And(0 < c, c < 14, d > 7), 2/c > 1/d)", {"c": "cycle(2/N)", "d": "cycle(1/N)"}))},
    "sec-3.1.fluid.small-p0": {"rate": {"p0": ("2", "1/2")},
        "lemmas": ("Implies(And(0 < p0, p0 < 1/2), And(log(1 - p0) < -p0, -log(1 - p0) <= p0 + 2*p0**2))",
        "log(1 - theta) < 0", "beta_d*N*theta >= 0", "-alpha_d*log(1 - theta) > 0",
        (("Implies(And(0 < p, p < q, q <= p + 2*p**2, l > 0, b >= 0), And((l/p + b/p)/(l/q + b/p) - "
        "1 >= 0, (l/p + b/p)/(l/q + b/p) - 1 <= 2*p))"), {"p": "p0", "q": "-log(1 - p0)",
        "l": "-alpha_d*log(1 - theta)", "b": "beta_d*N*theta"}, "And(0 < p0, p0 < 1/2)"))},
    "sec-3.1.every-threshold": {"rate": {"b": (("(theta*(alpha_p - alpha_d/p0*log(1 - theta0)) + theta0*(alpha_p - alpha_d/p0*log(1 - "
        "theta)))/(theta0*theta*(beta_d/p0 + beta_p*mu_L))"), "1")},
        "lemmas": (("And((beta_d/p0 + beta_p*mu_L) > 0, -log(1 - theta) > 0, -log(1 - theta0) > 0, (alpha_p - "
        "alpha_d/p0*log(1 - theta)) > 0, (alpha_p - alpha_d/p0*log(1 - theta0)) > 0)"),
        ("(theta*(alpha_p - alpha_d/p0*log(1 - theta0)) + theta0*(alpha_p - alpha_d/p0*log(1 - "
        "theta)))/(theta0*theta*(beta_d/p0 + beta_p*mu_L)) > 0"),
        (("Implies(And(n > 0, t > 0, z > 0, b > 0, s > 0, r > 0, C == b*n*t + s, D == b*n*z + r), "
        "And((t*n/C)/(z*n/D) - 1 <= (t*r + z*s)/(z*t*b)/n, (t*n/C)/(z*n/D) - 1 >= -(t*r + " "z*s)/(z*t*b)/n))"),
        {"n": "b", "t": "theta", "z": "theta0", "b": "(beta_d/p0 + beta_p*mu_L)",
        "s": "(alpha_p - alpha_d/p0*log(1 - theta))", "r": "(alpha_p - alpha_d/p0*log(1 - theta0))",
        "C": "cycle(theta, b)", "D": "cycle(theta0, b)"}))},
    "sec-3.1.neighbours": {"lemmas": ("And(floor(theta0*N) >= 1, floor(theta0*N) <= theta0*N, (floor(theta0*N) + 1) > theta0*N)",
        ("Implies(j < floor(theta0*N), TP(j, N) < TP(floor(theta0*N), N))", {}, "",
        (("Implies(j < floor(theta0*N), And(j >= 1, floor(theta0*N) < N, 0 < j/N, j/N < "
        "floor(theta0*N)/N, floor(theta0*N)/N <= theta0))"),
        (("Implies(And(0 < x, x < y, y <= theta0), y*(alpha_p - alpha_d/p0*log(1 - x)) > x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(j)/N", "y": "(floor(theta0*N))/N"}, "j < floor(theta0*N)",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - y",
        "b": "1 - theta0"}, "And(0 < x, x < y, y <= theta0)"), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < "
        "(y - x)*e), y*(A - q*l) > x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - y)"}, "And(0 < x, x < y, y <= theta0)", ("q*y*(d - e) >= 0", "A - q*m >= q*y*e",
        "A - q*l > A - q*m - q*(y - x)*e")))), ("Implies(And(n > 0, y*U > x*V, x == j/n, y == b/n), b*U > j*V)",
        {"n": "N", "j": "j", "b": "floor(theta0*N)", "x": "(j)/N", "y": "(floor(theta0*N))/N",
        "U": "(alpha_p - alpha_d/p0*log(1 - (j)/N))", "V": "(alpha_p - alpha_d/p0*log(1 - (floor(theta0*N))/N))"},
        "j < floor(theta0*N)"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(j)/N", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "j < floor(theta0*N)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(floor(theta0*N))/N",
        "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "j < floor(theta0*N)"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, b > 0, U > 0, V > 0, b >= 0, b*U > j*V), 1/(U/j + b) < 1/(V/b + b))", {"j": "j",
        "b": "beta_p*mu_L + beta_d/p0", "U": "(alpha_p - alpha_d/p0*log(1 - (j)/N))",
        "V": "(alpha_p - alpha_d/p0*log(1 - (floor(theta0*N))/N))"}, "j < floor(theta0*N)"))),
        ("Implies(j > (floor(theta0*N) + 1), TP((floor(theta0*N) + 1), N) > TP(j, N))", {}, "",
        (("Implies(j > (floor(theta0*N) + 1), And((floor(theta0*N) + 1) >= 1, theta0 <= "
        "(floor(theta0*N) + 1)/N, (floor(theta0*N) + 1)/N < j/N, j/N < 1))"),
        (("Implies(And(theta0 <= x, x < y, y < 1), y*(alpha_p - alpha_d/p0*log(1 - x)) < x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "((floor(theta0*N) + 1))/N", "y": "(j)/N"}, "j > (floor(theta0*N) + 1)",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - theta0",
        "b": "1 - x"}, "And(theta0 <= x, x < y, y < 1)"), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m "
        "- l < (x - y)*e), y*(A - q*l) < x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - x)"}, "And(theta0 <= x, x < y, y < 1)", ("q*t*(e - d) >= 0", "A - q*l <= q*x*e",
        "A - q*m > A - q*l + q*(y - x)*e")))), ("Implies(And(n > 0, y*U < x*V, x == j/n, y == b/n), b*U < j*V)",
        {"n": "N", "j": "(floor(theta0*N) + 1)", "b": "j", "x": "((floor(theta0*N) + 1))/N", "y": "(j)/N",
        "U": "(alpha_p - alpha_d/p0*log(1 - ((floor(theta0*N) + 1))/N))",
        "V": "(alpha_p - alpha_d/p0*log(1 - (j)/N))"}, "j > (floor(theta0*N) + 1)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "((floor(theta0*N) + 1))/N",
        "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "j > (floor(theta0*N) + 1)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(j)/N", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "j > (floor(theta0*N) + 1)"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, b > 0, U > 0, V > 0, b >= 0, b*U < j*V), 1/(U/j + b) > 1/(V/b + b))",
        {"j": "(floor(theta0*N) + 1)", "b": "beta_p*mu_L + beta_d/p0",
        "U": "(alpha_p - alpha_d/p0*log(1 - ((floor(theta0*N) + 1))/N))",
        "V": "(alpha_p - alpha_d/p0*log(1 - (j)/N))"}, "j > (floor(theta0*N) + 1)"))))},
    "sec-3.2.1.geometric": {"rate": {"b'": ("1/p0**2", "1")},
        "lemmas": ((("ForAll(n, And(floor(n) == n, n >= 1), And(Sum(S(t), (t, 0, n)) - 1/p0 <= 0, Sum(S(t), "
        "(t, 0, n)) - 1/p0 >= -1/p0**2/n))"), {}, "", ("ForAll(n, And(floor(n) == n, n >= 0), S(n) == (1 - p0)**n)",
        "ForAll(n, And(floor(n) == n, n >= 0), (1 - p0)**n >= 0)",
        "ForAll(n, And(floor(n) == n, n >= 0), (1 - p0)**n*(1 + n*p0) <= 1)",
        "ForAll(n, And(floor(n) == n, n >= 0), Sum(S(t), (t, 0, n)) == 1/p0 - (1 - p0)*S(n)/p0)",
        (("Implies(And(0 < p, p <= 1, n >= 1, q >= 0, q*(1 + n*p) <= 1), And((1 - p)*q/p >= 0, (1 - "
        "p)*q/p <= 1/p**2/n))"), {"p": "p0", "q": "(1 - p0)**n", "n": "n"}, "And(floor(n) == n, n >= 1)"))),)},
    "sec-3.2.1.TP-EB.corrected": {"lemmas": ("Td == (beta_d*k - alpha_d*log(1 - k/N))/p0",
        ("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "k/N"}),
        (("Implies(And(k > 0, p > 0, A > 0, a > 0, l > 0, b >= 0, c >= 0, m > 0, t == (b*k + "
        "a*l)/p), k/(t + A + c*k*m) == 1/((A + a*l/p)/k + (c*m + b/p)))"), {"k": "k", "p": "p0", "A": "alpha_p",
        "a": "alpha_d", "l": "-log(1 - k/N)", "b": "beta_d", "c": "beta_p", "m": "mu_L", "t": "Td"}))},
    "prop-3.1": {"rate": {"n": ("1", "2")},
        "lemmas": ((("Implies(And(0 <= theta0, theta0 <= 1, Psi(theta0) == p0*alpha_p/alpha_d, floor(n) == n, "
        "n >= 2), And(kstar(n)/n - theta0 < 1/n, theta0 - kstar(n)/n < 1/n))"), {}, "",
        ("And(1 <= kstar(n), kstar(n) < n, floor(kstar(n)) == kstar(n))", "theta0 < 1",
        ("Implies(And(0 <= x, x < 1, (x)/(1 - (x)) + log(1 - (x)) > 0), x > 0)", {"x": "theta0"}, "",
        ("log(1 - x) <= -x", "x*(x/(1 - x)) > 0")), ("kstar(n) < theta0*n + 1", {}, "",
        (("Implies(kstar(n) >= theta0*n + 1, TP(kstar(n) - 1, n) > TP(kstar(n), n))", {}, "",
        (("Implies(kstar(n) >= theta0*n + 1, And(kstar(n) - 1 >= 1, theta0 <= (kstar(n) - 1)/n, "
        "(kstar(n) - 1)/n < kstar(n)/n, kstar(n)/n < 1))"),
        (("Implies(And(theta0 <= x, x < y, y < 1), y*(alpha_p - alpha_d/p0*log(1 - x)) < x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(kstar(n) - 1)/n", "y": "(kstar(n))/n"}, "kstar(n) >= theta0*n + 1",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - theta0",
        "b": "1 - x"}, "And(theta0 <= x, x < y, y < 1)"), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m "
        "- l < (x - y)*e), y*(A - q*l) < x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - x)"}, "And(theta0 <= x, x < y, y < 1)", ("q*t*(e - d) >= 0", "A - q*l <= q*x*e",
        "A - q*m > A - q*l + q*(y - x)*e")))), ("Implies(And(n > 0, y*U < x*V, x == j/n, y == j/n), j*U < j*V)",
        {"n": "n", "j": "kstar(n)", "x": "(kstar(n) - 1)/n", "y": "(kstar(n))/n",
        "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) - 1)/n))", "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))"},
        "kstar(n) >= theta0*n + 1"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(kstar(n) - 1)/n", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) >= theta0*n + 1"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(kstar(n))/n",
        "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) >= theta0*n + 1"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, j > 0, U > 0, V > 0, b >= 0, j*U < j*V), 1/(U/j + b) > 1/(V/j + b))", {"j": "kstar(n)",
        "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) - 1)/n))", "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))",
        "b": "beta_p*mu_L + beta_d/p0"}, "kstar(n) >= theta0*n + 1"))),
        "Implies(kstar(n) >= theta0*n + 1, kstar(n) - 1 >= 1)",
        "Implies(kstar(n) >= theta0*n + 1, TP(kstar(n) - 1, n) <= TP(kstar(n), n))")), ("kstar(n) > theta0*n - 1", {},
        "", (("Implies(kstar(n) <= theta0*n - 1, TP(kstar(n), n) < TP(kstar(n) + 1, n))", {}, "",
        (("Implies(kstar(n) <= theta0*n - 1, And(kstar(n) + 1 < n, 0 < kstar(n)/n, kstar(n)/n < "
        "(kstar(n) + 1)/n, (kstar(n) + 1)/n <= theta0))"),
        (("Implies(And(0 < x, x < y, y <= theta0), y*(alpha_p - alpha_d/p0*log(1 - x)) > x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(kstar(n))/n", "y": "(kstar(n) + 1)/n"}, "kstar(n) <= theta0*n - 1",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - y",
        "b": "1 - theta0"}, "And(0 < x, x < y, y <= theta0)"), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < "
        "(y - x)*e), y*(A - q*l) > x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - y)"}, "And(0 < x, x < y, y <= theta0)", ("q*y*(d - e) >= 0", "A - q*m >= q*y*e",
        "A - q*l > A - q*m - q*(y - x)*e")))), ("Implies(And(n > 0, y*U > x*V, x == j/n, y == j/n), j*U > j*V)",
        {"n": "n", "j": "kstar(n) + 1", "x": "(kstar(n))/n", "y": "(kstar(n) + 1)/n",
        "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))", "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) + 1)/n))"},
        "kstar(n) <= theta0*n - 1"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(kstar(n))/n", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) <= theta0*n - 1"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(kstar(n) + 1)/n",
        "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) <= theta0*n - 1"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, j > 0, U > 0, V > 0, b >= 0, j*U > j*V), 1/(U/j + b) < 1/(V/j + b))",
        {"j": "kstar(n) + 1", "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))",
        "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) + 1)/n))", "b": "beta_p*mu_L + beta_d/p0"},
        "kstar(n) <= theta0*n - 1"))), "Implies(kstar(n) <= theta0*n - 1, kstar(n) + 1 < n)",
        "Implies(kstar(n) <= theta0*n - 1, TP(kstar(n) + 1, n) <= TP(kstar(n), n))")),
        ("Implies(And(n > 0, j < t*n + 1, j > t*n - 1), And(j/n - t < 1/n, t - j/n < 1/n))", {"n": "n",
        "j": "kstar(n)", "t": "theta0"}))),)},
    "eq-3.lambert": {"lemmas": ((("And(LambertW(-exp(-1 - gamma), -1) <= -1, LambertW(-exp(-1 - gamma), "
        "-1)*exp(LambertW(-exp(-1 - gamma), -1)) == -exp(-1 - gamma))"), {}, "",
        ("Exists(v, And(v <= -1, v >= -4 - 2*gamma), v*exp(v) == -exp(-1 - gamma))",
        "LambertW(-exp(-1 - gamma), -1) == v")), ("exp(a + b) == exp(a)*exp(b)",
        {"a": "-1 - gamma - LambertW(-exp(-1 - gamma), -1)", "b": "LambertW(-exp(-1 - gamma), -1)"}),
        ("Implies(And(e > 0, v*e == -f, c == h*e, c == f), -v == h)", {"e": "exp(LambertW(-exp(-1 - gamma), -1))",
        "f": "exp(-1 - gamma)",
        "c": "exp(-1 - gamma - LambertW(-exp(-1 - gamma), -1) + LambertW(-exp(-1 - gamma), -1))",
        "h": "exp(-1 - gamma - LambertW(-exp(-1 - gamma), -1))", "v": "LambertW(-exp(-1 - gamma), -1)"}),
        ("Implies(And(a > 0, a == exp(b)), log(a) == b)", {"a": "-LambertW(-exp(-1 - gamma), -1)",
        "b": "-1 - gamma - LambertW(-exp(-1 - gamma), -1)"}),
        ("Implies(And(-v == exp(-1 - g - v), g > 0, v <= -1), v < -1)", {"v": "LambertW(-exp(-1 - gamma), -1)",
        "g": "gamma"}), (("Implies(v < -1, And(1/v < 0, 1/v > -1, 1 - (1 + 1/v) > 0, 1/(1 - (1 + 1/v)) == -v, log(1 "
        "- (1 + 1/v)) == -log(-v)))"), {"v": "LambertW(-exp(-1 - gamma), -1)"}),
        ("Implies(And(x < 0, y == -v, l == -m, m == -1 - g - v, x*v == 1), (1 + x)*y + l == g)",
        {"x": "1/LambertW(-exp(-1 - gamma), -1)", "v": "LambertW(-exp(-1 - gamma), -1)",
        "y": "1/(1 - (1 + 1/LambertW(-exp(-1 - gamma), -1)))", "l": "log(1 - (1 + 1/LambertW(-exp(-1 - gamma), -1)))",
        "m": "log(-LambertW(-exp(-1 - gamma), -1))", "g": "gamma"}))},
    "eq-3.second-root": {"bracket": ("1 - exp(gamma + 2)", "0"), "lemmas": ("exp(gamma + 2) > 1",)},
    "prop-3.1.independent": {"lemmas": (("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))",
        {"a": "1 - x", "b": "1 - y"}, "And(0 < x, x < 1, 0 < y, y < 1)"),
        (("Implies(And(0 < x, x < 1, 0 < y, y < 1), (y)/(1 - (y)) + log(1 - (y)) - ((x)/(1 - (x)) + "
        "log(1 - (x))) >= (y - x)*x/((1 - x)*(1 - y)))"), {"x": "theta", "y": "phi"}),
        (("Implies(And(0 < x, x < 1, 0 < y, y < 1), (y)/(1 - (y)) + log(1 - (y)) - ((x)/(1 - (x)) + "
        "log(1 - (x))) >= (y - x)*x/((1 - x)*(1 - y)))"), {"x": "phi", "y": "theta"}),
        "T(theta) == theta*(alpha_d/(p0*(1 - theta)) + (beta_d*N/p0 + beta_p*N*mu_L))",
        (("Implies(And(p > 0, a > 0, x < 1, -a*log(1 - x)/p + A + c*x == x*(a/(p*(1 - x)) + c)), "
        "(x)/(1 - (x)) + log(1 - (x)) == p*A/a)"), {"p": "p0", "a": "alpha_d", "A": "alpha_p",
        "c": "(beta_d*N/p0 + beta_p*N*mu_L)", "x": "theta"}),
        "T2(phi) == phi*(alpha_d2/(q0*(1 - phi)) + (beta_d2*N2/q0 + beta_p2*N2*mu_L2))",
        (("Implies(And(p > 0, a > 0, x < 1, -a*log(1 - x)/p + A + c*x == x*(a/(p*(1 - x)) + c)), "
        "(x)/(1 - (x)) + log(1 - (x)) == p*A/a)"), {"p": "q0", "a": "alpha_d2", "A": "alpha_p2",
        "c": "(beta_d2*N2/q0 + beta_p2*N2*mu_L2)", "x": "phi"}), ("Implies(And(u == A, v == B, A == B), u == v)",
        {"u": "(theta)/(1 - (theta)) + log(1 - (theta))", "v": "(phi)/(1 - (phi)) + log(1 - (phi))",
        "A": "p0*alpha_p/alpha_d", "B": "q0*alpha_p2/alpha_d2"}),
        "And((1 - theta)*(1 - phi) > 0, (1 - phi)*(1 - theta) > 0)", ("Implies(And(d > 0, x > 0, 0 >= e*x/d), e <= 0)",
        {"d": "(1 - theta)*(1 - phi)", "x": "theta", "e": "phi - theta"}),
        ("Implies(And(d > 0, x > 0, 0 >= e*x/d), e <= 0)", {"d": "(1 - phi)*(1 - theta)", "x": "phi",
        "e": "theta - phi"}), ("Implies(And(x - y <= 0, y - x <= 0), x == y)", {"x": "theta", "y": "phi"}))},
    "sec-3.2.1.accurate.rounding": {"lemmas": (("And(k/N - theta0 < 1/N, theta0 - k/N < 1/N)", {}, "",
        (("k < theta0*N + 1", {}, "", (("Implies(k >= theta0*N + 1, TP(k - 1, N) > TP(k, N))", {}, "",
        ("Implies(k >= theta0*N + 1, And(k - 1 >= 1, theta0 <= (k - 1)/N, (k - 1)/N < k/N, k/N < 1))",
        (("Implies(And(theta0 <= x, x < y, y < 1), y*(alpha_p - alpha_d/p0*log(1 - x)) < x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(k - 1)/N", "y": "(k)/N"}, "k >= theta0*N + 1",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - theta0",
        "b": "1 - x"}, "And(theta0 <= x, x < y, y < 1)"), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m "
        "- l < (x - y)*e), y*(A - q*l) < x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - x)"}, "And(theta0 <= x, x < y, y < 1)", ("q*t*(e - d) >= 0", "A - q*l <= q*x*e",
        "A - q*m > A - q*l + q*(y - x)*e")))), ("Implies(And(n > 0, y*U < x*V, x == j/n, y == k/n), k*U < j*V)",
        {"n": "N", "j": "k - 1", "k": "k", "x": "(k - 1)/N", "y": "(k)/N",
        "U": "(alpha_p - alpha_d/p0*log(1 - (k - 1)/N))", "V": "(alpha_p - alpha_d/p0*log(1 - (k)/N))"},
        "k >= theta0*N + 1"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(k - 1)/N", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "k >= theta0*N + 1"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(k)/N", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "k >= theta0*N + 1"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, k > 0, U > 0, V > 0, b >= 0, k*U < j*V), 1/(U/j + b) > 1/(V/k + b))", {"j": "k - 1",
        "k": "k", "U": "(alpha_p - alpha_d/p0*log(1 - (k - 1)/N))", "V": "(alpha_p - alpha_d/p0*log(1 - (k)/N))",
        "b": "beta_p*mu_L + beta_d/p0"}, "k >= theta0*N + 1"))), "Implies(k >= theta0*N + 1, k - 1 >= 1)",
        "Implies(k >= theta0*N + 1, TP(k - 1, N) <= TP(k, N))")), ("k > theta0*N - 1", {}, "",
        (("Implies(k <= theta0*N - 1, TP(k, N) < TP(k + 1, N))", {}, "",
        ("Implies(k <= theta0*N - 1, And(k + 1 < N, 0 < k/N, k/N < (k + 1)/N, (k + 1)/N <= theta0))",
        (("Implies(And(0 < x, x < y, y <= theta0), y*(alpha_p - alpha_d/p0*log(1 - x)) > x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(k)/N", "y": "(k + 1)/N"}, "k <= theta0*N - 1",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - y",
        "b": "1 - theta0"}, "And(0 < x, x < y, y <= theta0)"), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < "
        "(y - x)*e), y*(A - q*l) > x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - y)"}, "And(0 < x, x < y, y <= theta0)", ("q*y*(d - e) >= 0", "A - q*m >= q*y*e",
        "A - q*l > A - q*m - q*(y - x)*e")))), ("Implies(And(n > 0, y*U > x*V, x == j/n, y == k/n), k*U > j*V)",
        {"n": "N", "j": "k", "k": "k + 1", "x": "(k)/N", "y": "(k + 1)/N",
        "U": "(alpha_p - alpha_d/p0*log(1 - (k)/N))", "V": "(alpha_p - alpha_d/p0*log(1 - (k + 1)/N))"},
        "k <= theta0*N - 1"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(k)/N", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "k <= theta0*N - 1"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(k + 1)/N", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "k <= theta0*N - 1"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, k > 0, U > 0, V > 0, b >= 0, k*U > j*V), 1/(U/j + b) < 1/(V/k + b))", {"j": "k",
        "k": "k + 1", "U": "(alpha_p - alpha_d/p0*log(1 - (k)/N))", "V": "(alpha_p - alpha_d/p0*log(1 - (k + 1)/N))",
        "b": "beta_p*mu_L + beta_d/p0"}, "k <= theta0*N - 1"))), "Implies(k <= theta0*N - 1, k + 1 < N)",
        "Implies(k <= theta0*N - 1, TP(k + 1, N) <= TP(k, N))")),
        ("Implies(And(n > 0, k < t*n + 1, k > t*n - 1), And(k/n - t < 1/n, t - k/n < 1/n))", {"n": "N", "k": "k",
        "t": "theta0"}))), ("Implies(And(a < b, -a < b), Abs(a) < b)", {"a": "k/N - theta0", "b": "1/N"}))},
    "sec-3.2.1.accurate.limit": {"rate": {"n": ("1", "2")},
        "lemmas": ((("Implies(And(floor(n) == n, n >= 2), And(kstar(n)/n - theta0 < 1/n, theta0 - kstar(n)/n < "
        "1/n))"), {}, "", ("And(1 <= kstar(n), kstar(n) < n, floor(kstar(n)) == kstar(n))", ("kstar(n) < theta0*n + 1",
        {}, "", (("Implies(kstar(n) >= theta0*n + 1, TP(kstar(n) - 1, n) > TP(kstar(n), n))", {}, "",
        (("Implies(kstar(n) >= theta0*n + 1, And(kstar(n) - 1 >= 1, theta0 <= (kstar(n) - 1)/n, "
        "(kstar(n) - 1)/n < kstar(n)/n, kstar(n)/n < 1))"),
        (("Implies(And(theta0 <= x, x < y, y < 1), y*(alpha_p - alpha_d/p0*log(1 - x)) < x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(kstar(n) - 1)/n", "y": "(kstar(n))/n"}, "kstar(n) >= theta0*n + 1",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - theta0",
        "b": "1 - x"}, "And(theta0 <= x, x < y, y < 1)"), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m "
        "- l < (x - y)*e), y*(A - q*l) < x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - x)"}, "And(theta0 <= x, x < y, y < 1)", ("q*t*(e - d) >= 0", "A - q*l <= q*x*e",
        "A - q*m > A - q*l + q*(y - x)*e")))), ("Implies(And(n > 0, y*U < x*V, x == j/n, y == j/n), j*U < j*V)",
        {"n": "n", "j": "kstar(n)", "x": "(kstar(n) - 1)/n", "y": "(kstar(n))/n",
        "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) - 1)/n))", "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))"},
        "kstar(n) >= theta0*n + 1"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(kstar(n) - 1)/n", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) >= theta0*n + 1"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(kstar(n))/n",
        "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) >= theta0*n + 1"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, j > 0, U > 0, V > 0, b >= 0, j*U < j*V), 1/(U/j + b) > 1/(V/j + b))", {"j": "kstar(n)",
        "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) - 1)/n))", "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))",
        "b": "beta_p*mu_L + beta_d/p0"}, "kstar(n) >= theta0*n + 1"))),
        "Implies(kstar(n) >= theta0*n + 1, kstar(n) - 1 >= 1)",
        "Implies(kstar(n) >= theta0*n + 1, TP(kstar(n) - 1, n) <= TP(kstar(n), n))")), ("kstar(n) > theta0*n - 1", {},
        "", (("Implies(kstar(n) <= theta0*n - 1, TP(kstar(n), n) < TP(kstar(n) + 1, n))", {}, "",
        (("Implies(kstar(n) <= theta0*n - 1, And(kstar(n) + 1 < n, 0 < kstar(n)/n, kstar(n)/n < "
        "(kstar(n) + 1)/n, (kstar(n) + 1)/n <= theta0))"),
        (("Implies(And(0 < x, x < y, y <= theta0), y*(alpha_p - alpha_d/p0*log(1 - x)) > x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "(kstar(n))/n", "y": "(kstar(n) + 1)/n"}, "kstar(n) <= theta0*n - 1",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - y",
        "b": "1 - theta0"}, "And(0 < x, x < y, y <= theta0)"), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < "
        "(y - x)*e), y*(A - q*l) > x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - y)"}, "And(0 < x, x < y, y <= theta0)", ("q*y*(d - e) >= 0", "A - q*m >= q*y*e",
        "A - q*l > A - q*m - q*(y - x)*e")))), ("Implies(And(n > 0, y*U > x*V, x == j/n, y == j/n), j*U > j*V)",
        {"n": "n", "j": "kstar(n) + 1", "x": "(kstar(n))/n", "y": "(kstar(n) + 1)/n",
        "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))", "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) + 1)/n))"},
        "kstar(n) <= theta0*n - 1"), ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)",
        {"x": "(kstar(n))/n", "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) <= theta0*n - 1"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "(kstar(n) + 1)/n",
        "a": "alpha_d", "p": "p0", "A": "alpha_p"}, "kstar(n) <= theta0*n - 1"), "beta_p*mu_L + beta_d/p0 >= 0",
        ("Implies(And(j > 0, j > 0, U > 0, V > 0, b >= 0, j*U > j*V), 1/(U/j + b) < 1/(V/j + b))",
        {"j": "kstar(n) + 1", "U": "(alpha_p - alpha_d/p0*log(1 - (kstar(n))/n))",
        "V": "(alpha_p - alpha_d/p0*log(1 - (kstar(n) + 1)/n))", "b": "beta_p*mu_L + beta_d/p0"},
        "kstar(n) <= theta0*n - 1"))), "Implies(kstar(n) <= theta0*n - 1, kstar(n) + 1 < n)",
        "Implies(kstar(n) <= theta0*n - 1, TP(kstar(n) + 1, n) <= TP(kstar(n), n))")),
        ("Implies(And(n > 0, j < t*n + 1, j > t*n - 1), And(j/n - t < 1/n, t - j/n < 1/n))", {"n": "n",
        "j": "kstar(n)", "t": "theta0"}))),)},
    "eq-4.lower-bound": {"lemmas": ("And(floor(theta0*N) > 0, floor(theta0*N)/N > 0, floor(theta0*N)/N <= theta0)",
        ("Implies(And(0 < x, x <= t, t < 1), And(-log(1 - x) > 0, -log(1 - x) <= -log(1 - t)))",
        {"x": "floor(theta0*N)/N", "t": "theta0"}),
        (("Implies(And(j > 0, A > 0, a > 0, p > 0, l > 0, l <= z, b >= 0), And((A + a*l/p)/j + b > "
        "0, (A + a*l/p)/j + b <= (A + a*z/p)/j + b))"), {"j": "floor(theta0*N)", "A": "alpha_p", "a": "alpha_d",
        "p": "p0", "l": "-log(1 - floor(theta0*N)/N)", "z": "-log(1 - theta0)", "b": "beta_p*mu_L + beta_d/p0"}),
        ("Implies(And(u > 0, u <= v), 1/v <= 1/u)",
        {"u": ("(alpha_p - alpha_d/p0*log(1 - floor(theta0*N)/N))/floor(theta0*N) + beta_p*mu_L + " "beta_d/p0"),
        "v": "(alpha_p - alpha_d/p0*log(1 - theta0))/floor(theta0*N) + beta_p*mu_L + beta_d/p0"},
        "floor(theta0*N) > 0"))},
    "sec-3.2.2.waiting-cost": {"lemmas": ("zeta(theta) > 0", "sqrt(p0**2 + 2*eta*zeta(theta)) > p0",
        "diff(dur(theta, eta), theta) == 1/((1 - theta)*sqrt(p0**2 + 2*eta*zeta(theta)))",
        "diff(zeta(theta)/p0, theta) == 1/((1 - theta)*p0)", ("Implies(And(u > 0, p > 0, h > p), 1/(u*h) < 1/(u*p))",
        {"u": "1 - theta", "h": "sqrt(p0**2 + 2*eta*zeta(theta))", "p": "p0"}),
        ("Implies(And(c > 0, a < b), c*a < c*b)", {"c": "alpha_d + beta_d*N*(1 - theta)",
        "a": "diff(dur(theta, eta), theta)", "b": "diff(zeta(theta)/p0, theta)"}))},
    "sec-3.2.2.higher.fluid": {"primitives": {"s": ()},
        "lemmas": ((("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) "
        ">= 0, Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) <= n*(1 - exp(-p*u))/p, "
        "Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) >= n*(1 - exp(-p*u))/p - n*e*u**3/6))"), {"u": "u"}, "",
        (("Implies(v >= 0, And(exp(-v) <= 1, exp(-v) >= 1 - v))", {"v": "e*s**2/2"}),
        ("exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)", {"s": "s"}),
        ("Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))", {"s": "s"}),
        (("Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) <= exp(-p*s), exp(-p*s - "
        "e*s**2/2) >= exp(-p*s) - e*s**2/2))"), {"s": "s"})), ("u", "0")),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), ((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= 0)"), {"u": "u"}, "", (), ("u", "0")),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, w > 0, 0 < q, q < 1, 0 < y, y < 1, (y/(1 "
        "- y) + log(1 - y)) == p*w/a, (a*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) + "
        "w + f*n*m*q) == q*At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + "
        "w + f*n*m*x), x), x, q)), q > y)"), {"a": "alpha_d", "p": "p0", "e": "eta", "b": "beta_d", "n": "N",
        "w": "alpha_p", "f": "beta_p", "m": "mu_L", "y": "theta0", "q": "theta"}, "",
        ((("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < q, q < 1), And(((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) > 0, p*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) + e*((-p + "
        "sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2 == -log(1 - q), (p + e*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e)) > 0, At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + "
        "w + f*n*m*x), x), x, q) == (a/(1 - q) + b*n)/(p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - " "q))))/e)) + f*n*m))"),
        {"q": "q"}, "", ("-log(1 - q) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"z": "-log(1 - q)"}),
        "p**2 + 2*e*(-log(1 - q)) > 0", "sqrt(p**2 + 2*e*(-log(1 - q))) > 0",
        "sqrt(p**2 + 2*e*(-log(1 - q))) == (p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))",
        "(p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)) > 0",
        ("Implies(And(v == log(1 - q), q < 1), exp(v) == 1 - q)",
        {"v": ("-p*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - " "q))))/e)**2/2")}),
        ("At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + b*Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + w + f*n*m*x), x), x, q) "
        "== (a/(1 - q) + b*n)/sqrt(p**2 + 2*e*(-log(1 - q))) + f*n*m"))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, 0 < x, x < 1, p*w == g*a, p*T + "
        "e*T**2/2 == -log(1 - x), (p + e*T) > 0, v == (a/(1 - x) + b*n)/(p + e*T) + f*n*m, a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w + f*n*m*x == x*v), (x/(1 - x) + log(1 "
        "- x)) - g == (e*T**2/2 + e*g*T/p + b/a*((p + e*T)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, T)) - n*(1 - exp(-p*T - e*T**2/2)))))"), {"x": "q", "T": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)",
        "g": "p*w/a", "v": ("At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + b*Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + w + f*n*m*x), x), x, q)")}, "",
        (("Implies(And(u == -log(1 - x), 0 < x, x < 1), And(exp(u) == 1/(1 - x), exp(-u) == 1 - x))",
        {"u": "p*T + e*T**2/2"}),
        (("Implies(And(a > 0, p > 0, h > 0, h == p + e*T, p*w == g*a, v == (a/(1 - x) + b*n)/h + l, "
        "a*T + b*i + w + l*x == x*v, p*T + e*T**2/2 == z, L == 1 - x, x < 1), x/(1 - x) - z - g "
        "== e*T**2/2 + e*g*T/p + b/a*(h*i - n*(1 - L)))"), {"h": "(p + e*T)", "L": "exp(-p*T - e*T**2/2)",
        "i": "Integral(n*exp(-p*s - e*s**2/2), (s, 0, T))", "z": "-log(1 - x)", "l": "f*n*m"}, "", ("w == g*a/p",
        "a*T + b*i + w == x*((a/(1 - x) + b*n)/h)", "a*T*h + b*i*h + w*h == a*(x/(1 - x)) + b*n*x")))),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), ((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= 0)"), {"u": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "", (),
        ("u", "0")), "p*w/a > 0", ("Implies(And(a > 0, b >= 0, i >= 0), b/a*i >= 0)",
        {"i": ("((p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) - n*(1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2)))")}),
        ("Implies(And(p > 0, e > 0, d > 0, g > 0, i >= 0, j == e*d**2/2 + e*g*d/p + i), j > 0)",
        {"d": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)", "g": "p*w/a",
        "i": ("b/a*((p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) - n*(1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2)))"),
        "j": "(q/(1 - q) + log(1 - q)) - p*w/a"}, "", ("e*d**2/2 > 0", "e*g*d/p > 0")),
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "y", "v": "q"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))), "q/(1 - q)**2 > 0",
        ("Implies(And(j > 0, k > 0, -j >= k*l), l < 0)", {"j": "(q/(1 - q) + log(1 - q)) - p*w/a", "k": "q/(1 - q)**2",
        "l": "y - q"}))))},
    "sec-3.2.2.higher.no-token-cost": {"lemmas": ("zeta(theta) < theta/(1 - theta)",
        (("Implies(And(a > 0, p > 0, e > 0, t > 0, a*t + c == a*(y/(p + e*t)), p*t + e*t**2/2 == z, "
        "z < y), y - z > p*c/a)"), {"p": "p0", "e": "eta", "t": "T", "a": "alpha_d", "c": "alpha_p",
        "z": "zeta(theta)", "y": "theta/(1 - theta)"}), "Psi(theta) > Psi(theta0)",
        ("Implies(And(0 < a, a <= b, b < 1), Psi(a) <= Psi(b))", {"a": "theta", "b": "theta0"}))},
    "sec-3.2.2.higher.corrected": {"lemmas": ("zeta(theta0) > 0", ("Implies(x > 0, slope(x) > 0)",
        {"x": "zeta(theta0)"}))},
    "sec-3.2.2.differs.formula": {"witness": {"n": "alpha_d*p0**2*theta0/(beta_d*eta*(1 - theta0)*(zeta(theta0) - theta0))"},
        "lemmas": ("And(theta0 < zeta(theta0), zeta(theta0) < theta0/(1 - theta0))",
        ("Implies(And(0 < x, x < z, z < y), z*(y - z/2) > 0)", {"x": "theta0", "z": "zeta(theta0)",
        "y": "theta0/(1 - theta0)"}))},
    "thm-3.2.fluid": {"primitives": {"s": ()},
        "order": {"eta": (("(((((((1 + (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0) + "
        "((p0*alpha_p/alpha_d) + 2)**2)*(2*(p0*alpha_p/alpha_d) + 2 + (beta_d*N/alpha_d)) + "
        "(beta_d*N/alpha_d)*((p0*alpha_p/alpha_d) + 2)**4)/p0**4)*((1 - theta0)**2/theta0) + (((1 "
        "+ (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))/p0**2)*((((1 + "
        "(beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0)/p0**2)/theta0**2)"),
        "p0**2/(4*(1 + beta_d*N/alpha_d))")},
        "lemmas": ((("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) "
        ">= 0, Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) <= n*(1 - exp(-p*u))/p, "
        "Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) >= n*(1 - exp(-p*u))/p - n*e*u**3/6))"), {"u": "u"}, "",
        (("Implies(v >= 0, And(exp(-v) <= 1, exp(-v) >= 1 - v))", {"v": "e*s**2/2"}),
        ("exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)", {"s": "s"}),
        ("Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))", {"s": "s"}),
        (("Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) <= exp(-p*s), exp(-p*s - "
        "e*s**2/2) >= exp(-p*s) - e*s**2/2))"), {"s": "s"})), ("u", "0")),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), ((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= 0)"), {"u": "u"}, "", (), ("u", "0")),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) <= n*e*(u/p - (1 - exp(-p*u))/p**2), ((p + "
        "e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= "
        "n*e*(u/p - (1 - exp(-p*u))/p**2) - n*e**2*u**4/24))"), {"u": "u"}, "", (), ("u", "0")),
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, 4*e*(1 + r) <= p**2, 0 < x, x < 1, 0 < y, y < "
        "1, T > 0, p*T + e*T**2/2 == -log(1 - x), (y/(1 - y) + log(1 - y)) == g, (x/(1 - x) + "
        "log(1 - x)) - g == (e*T**2/2 + e*g*T/p + k), k >= 0, k <= r*e*(T/p - (1 - "
        "exp(-p*T))/p**2), k >= r*e*(T/p - (1 - exp(-p*T))/p**2) - r*e**2*T**4/24, c == -log(1 - "
        "y)), And(x - y - e*((c**2/2 + g*c + r*(c - y))/p**2)*((1 - y)**2/y) <= e**2*(((((((1 + "
        "r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)*((((1 + r)*(g + "
        "2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2), x - y - e*((c**2/2 + g*c + r*(c - "
        "y))/p**2)*((1 - y)**2/y) >= -e**2*(((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + "
        "(g + 2)**2)*(2*g + 2 + r) + r*(g + 2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 "
        "+ g*(g + 2))/p**2)*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2)))"), {"k": "k"}, "",
        ("-log(1 - x) > 0", "c > 0", "p*T <= -log(1 - x)", "T <= -log(1 - x)/p",
        ("Implies(v > 0, exp(-v) <= 1 - v + v**2/2)", {"v": "p*T"}), "(T/p - (1 - exp(-p*T))/p**2) <= T**2/2",
        "r*e*(T/p - (1 - exp(-p*T))/p**2) <= r*e*(T**2/2)", "k <= r*e*T**2/2", "exp(-log(1 - x)) == 1/(1 - x)",
        "x/(1 - x) == 1/(1 - x) - 1",
        (("Implies(And(0 < p, 0 < e, 0 <= r, 0 < g, 4*e*(1 + r) <= p**2, 0 < z, 0 < T, T <= z/p, k "
        "<= r*e*T**2/2, exp(z) - 1 - z - g == (e*T**2/2 + e*g*T/p + k)), z < g + 2)"), {"z": "-log(1 - x)"}, "",
        ("exp(z) >= 1 + z + z**2/2", "e*(1 + r)*T**2 <= e*(1 + r)*(z/p)**2", "e*(1 + r)*(z/p)**2 <= z**2/4",
        "e*g*T/p <= e*g*(z/p)/p", "4*e*r >= 0", "4*e <= p**2", "g*z*(4*e) <= g*z*p**2", "e*g*(z/p)/p <= g*z/4",
        "z**2/2 <= g + z**2/8 + g*z/4", "Implies(And(z**2/2 <= g + z**2/8 + g*z/4, g > 0), z < g + 2)")),
        "T < (g + 2)/p", "T**2 <= ((g + 2)/p)**2", "e*g*T/p <= e*g*((g + 2)/p)/p",
        "r*e*T**2/2 <= r*e*((g + 2)/p)**2/2", "e*T**2/2 <= e*((g + 2)/p)**2/2",
        "(e*T**2/2 + e*g*T/p + k) <= e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)", "(e*T**2/2 + e*g*T/p + k) >= 0",
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "x", "v": "y"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))),
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "y", "v": "x"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))), "x/(1 - x)**2*(x - y) >= (e*T**2/2 + e*g*T/p + k)",
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)**2*(x - y)", "x/(1 - x)**2 > 0",
        ("Implies(And(q*l >= i, i >= 0, q > 0), l >= 0)", {"q": "x/(1 - x)**2", "l": "x - y",
        "i": "(e*T**2/2 + e*g*T/p + k)"}),
        (("Implies(And(0 < y, y <= x, x < 1, z == -log(1 - x), c == -log(1 - y)), And(z - c >= x - "
        "y, x/(1 - x) - y/(1 - y) - (z - c) >= y/(1 - y)*(z - c)))"), {"z": "-log(1 - x)"}, "",
        ((("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) <= u/v - 1, log(u/v) == "
        "log(u) - log(v)))"), {"u": "1 - y", "v": "1 - x"}), "(1 - y)/(1 - x) - 1 == (x - y)/(1 - x)",
        "1 - 1/((1 - y)/(1 - x)) == (x - y)/(1 - y)", "(x - y)/(1 - y) >= x - y",
        "x/(1 - x) - y/(1 - y) == (x - y)/(1 - x)*(1/(1 - y))", ("Implies(And(d <= f, q > 0), d*q <= f*q)",
        {"d": "z - c", "f": "(x - y)/(1 - x)", "q": "1/(1 - y)"}),
        "(z - c)*(1/(1 - y)) - (z - c) == y/(1 - y)*(z - c)")),
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)*(-log(1 - x) - c)", ("Implies(And(f > 0, i <= w, i >= f*l), l <= w/f)",
        {"l": "-log(1 - x) - c", "f": "y/(1 - y)", "w": "e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)",
        "i": "(e*T**2/2 + e*g*T/p + k)"}, "", ("f*l <= w", "1/f*(f*l) <= 1/f*w")),
        ("e*(u/p**2)/(y/(1 - y)) == e*(u*(1 - y)/y)/p**2", {"u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))"}),
        (("Implies(And(p > 0, e > 0, T > 0, p*T + e*T**2/2 == z, z < h, z - c >= 0, z - c <= "
        "e*v/p**2, c > 0), And(T <= h/p, c/p <= h/p, T - c/p <= e*(v + h**2)/p**3, c/p - T <= " "e*(v + h**2)/p**3))"),
        {"z": "-log(1 - x)", "h": "g + 2", "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)"}, "", ("p*T <= h",
        "T <= h/p", "c/p <= h/p", "T**2 <= (h/p)**2", "e*T**2/2 <= e*h**2/p**2", "e*T**2/2 >= 0",
        "p*(T - c/p) == z - c - e*T**2/2", "e*v/p**2 >= 0", "e*h**2/p**2 >= 0",
        "e*(v + h**2)/p**2 == e*v/p**2 + e*h**2/p**2",
        ("Implies(And(l == d - i, i >= 0, d >= 0, d <= u, i <= j, q == u + j), And(l <= q, -l <= q))",
        {"l": "p*(T - c/p)", "d": "z - c", "i": "e*T**2/2", "u": "e*v/p**2", "j": "e*h**2/p**2",
        "q": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "T - c/p",
        "i": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "c/p - T",
        "i": "e*(v + h**2)/p**2"}))), (("Implies(And(p > 0, T > 0, t > 0, T - t <= m, t - T <= m), And((T/p - (1 - "
        "exp(-p*T))/p**2) - (t/p - (1 - exp(-p*t))/p**2) <= m/p, (T/p - (1 - exp(-p*T))/p**2) - "
        "(t/p - (1 - exp(-p*t))/p**2) >= -m/p))"), {"t": "c/p",
        "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)"}, "",
        (("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*T"}),
        ("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*t"}), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*T",
        "v": "-p*t"}, "", ("exp(u) == exp(v)*exp(u - v)",)), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*t",
        "v": "-p*T"}, "", ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(p > 0, T - t <= m, t - T <= m, 0 < j, j < 1, 0 < f, f < 1, j >= f*(1 - p*T + "
        "p*t), f >= j*(1 - p*t + p*T)), And(T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) <= m/p, T/p "
        "- (1 - j)/p**2 - (t/p - (1 - f)/p**2) >= -m/p))"), {"j": "exp(-p*T)", "f": "exp(-p*t)"}, "",
        ("T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) == (T - t)/p + (j - f)/p**2", "j - f <= -j*p*(T - t)",
        "(j - f)/p**2 <= -j*(T - t)/p", "(1 - j)*(T - t) <= m", "(1 - j)*(T - t)/p <= m/p", "j - f >= -f*p*(T - t)",
        "(j - f)/p**2 >= -f*(T - t)/p", "(1 - f)*(T - t) >= -m", "(1 - f)*(T - t)/p >= -m/p")))),
        "exp(-p*(c/p)) == 1 - y",
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, T > 0, t > 0, T <= h, t <= h, T - t <= m, t - T "
        "<= m, i - j <= m/p, i - j >= -m/p, k <= r*e*i, k >= r*e*i - r*e**2*T**4/24), "
        "And((e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) <= e*(m*(h + (g + r)/p) + "
        "r*e*h**4), (e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) >= -e*(m*(h + (g + r)/p) " "+ r*e*h**4)))"),
        {"h": "(g + 2)/p", "t": "c/p", "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)",
        "i": "(T/p - (1 - exp(-p*T))/p**2)", "j": "c/p/p - y/p**2"}, "", ("m >= 0",
        "T**2/2 - t**2/2 == (T - t)*((T + t)/2)", "(T + t)/2 <= h", "(T + t)/2 > 0",
        ("Implies(And(l <= m, -l <= m, 0 < d, d <= h, m >= 0), And(l*d <= m*h, l*d >= -m*h))", {"l": "T - t",
        "d": "(T + t)/2"}, "", ("l*d <= m*d", "l*d >= -m*d", "m*d <= m*h")), "e*(T**2/2 - t**2/2) <= e*(m*h)",
        "e*(T**2/2 - t**2/2) >= -e*(m*h)", "e*(g*T/p - g*t/p) <= e*(m*g/p)", "e*(g*T/p - g*t/p) >= -e*(m*g/p)",
        "r*e*(i - j) <= e*(m*r/p)", "r*e*(i - j) >= -e*(m*r/p)", "T**4 <= h**4", "r*e**2*T**4 <= r*e**2*h**4",
        "r*e**2*T**4 >= 0", "r*e**2*h**4 >= 0",
        "e*(m*(h + (g + r)/p) + r*e*h**4) == e*(m*h) + e*(m*g/p) + e*(m*r/p) + r*e**2*h**4")),
        "((c**2/2 + g*c + r*(c - y))/p**2) == (c/p)**2/2 + g*(c/p)/p + r*(c/p/p - y/p**2)",
        ("e*(e*u/p**3*(h/p + (g + r)/p) + r*e*(h/p)**4) == e**2*((u*(h + g + r) + r*h**4)/p**4)",
        {"u": "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)", "h": "g + 2"}),
        (("Implies(And(e > 0, 0 < y, y <= x, x < 1, G >= y/(1 - y)**2*(x - y), x/(1 - x)**2*(x - y) "
        ">= G, x - y <= e*v, G >= 0, G <= e*u, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(x - y "
        "- e*B*((1 - y)**2/y) <= e**2*(m*((1 - y)**2/y) + u*v/y**2), x - y - e*B*((1 - y)**2/y) "
        ">= -e**2*(m*((1 - y)**2/y) + u*v/y**2)))"), {"G": "(e*T**2/2 + e*g*T/p + k)",
        "B": "((c**2/2 + g*c + r*(c - y))/p**2)",
        "m": ("((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)"), "u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2",
        "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2"}, "", ("(1 - y)**2/y > 0",
        ("Implies(And(q > 0, q*i == 1, G >= i*l), G*q >= l)", {"q": "(1 - y)**2/y", "i": "y/(1 - y)**2", "l": "x - y"},
        "", ("q*G >= q*(i*l)", "q*(i*l) == l")), ("Implies(And(q > 0, q*i == 1, i*l >= G), l >= G*q)",
        {"q": "(1 - x)**2/x", "i": "x/(1 - x)**2", "l": "x - y"}, "", ("q*(i*l) >= q*G", "q*(i*l) == l")),
        "1/y - 1/x <= (x - y)/y**2", "(1 - x)**2/x == 1/x - 2 + x", "(1 - y)**2/y == 1/y - 2 + y",
        "(1 - x)**2/x >= (1 - y)**2/y - (x - y)/y**2", ("Implies(And(G >= 0, f >= q - d), G*f >= G*q - G*d)",
        {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2"}),
        ("Implies(And(0 <= G, G <= i, 0 <= d, d <= j), And(G*d <= i*j, i*j >= 0))", {"i": "e*u", "d": "x - y",
        "j": "e*v"}), "G*((x - y)/y**2) <= e**2*(u*v/y**2)", "e**2*(u*v/y**2) >= 0",
        (("Implies(And(q > 0, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(G*q <= e*B*q + e**2*m*q, "
        "G*q >= e*B*q - e**2*m*q))"), {"q": "(1 - y)**2/y"}),
        (("Implies(And(q > 0, G*q >= l, l >= G*f, G*f >= G*q - G*d, G*d <= e**2*h, e**2*h >= 0, G*q "
        "<= e*B*q + e**2*m*q, G*q >= e*B*q - e**2*m*q), And(l - e*B*q <= e**2*(m*q + h), l - "
        "e*B*q >= -e**2*(m*q + h)))"), {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2", "l": "x - y",
        "h": "u*v/y**2"}))))),
        ("Implies(And(0 < eta, eta < p0**2/(4*(1 + beta_d*N/alpha_d))), And(0 < th(eta), th(eta) < "
        "1, cyc(th(eta), eta) == th(eta)*At(diff(cyc(x, eta), x), x, th(eta))))"),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, w > 0, e < p**2/(4*(1 + b*n/a)), 0 < q, "
        "q < 1, 0 < y, y < 1, (y/(1 - y) + log(1 - y)) == p*w/a, (a*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e))) + w + f*n*m*q) == q*At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - "
        "x))))/e) + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - "
        "x))))/e))) + w + f*n*m*x), x), x, q)), And(q - y - e*(((-log(1 - y))**2/2 + "
        "(p*w/a)*(-log(1 - y)) + (b*n/a)*((-log(1 - y)) - y))/p**2)*((1 - y)**2/y) <= "
        "e**2*(((((((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - y)/y) + "
        "((p*w/a) + 2)**2)*(2*(p*w/a) + 2 + (b*n/a)) + (b*n/a)*((p*w/a) + 2)**4)/p**4)*((1 - "
        "y)**2/y) + (((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))/p**2)*((((1 + "
        "(b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - y)/y)/p**2)/y**2), q - y - "
        "e*(((-log(1 - y))**2/2 + (p*w/a)*(-log(1 - y)) + (b*n/a)*((-log(1 - y)) - y))/p**2)*((1 "
        "- y)**2/y) >= -e**2*(((((((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - "
        "y)/y) + ((p*w/a) + 2)**2)*(2*(p*w/a) + 2 + (b*n/a)) + (b*n/a)*((p*w/a) + "
        "2)**4)/p**4)*((1 - y)**2/y) + (((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + "
        "2))/p**2)*((((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - " "y)/y)/p**2)/y**2)))"),
        {"a": "alpha_d", "p": "p0", "e": "eta", "b": "beta_d", "n": "N", "w": "alpha_p", "f": "beta_p", "m": "mu_L",
        "y": "theta0", "q": "th(eta)"}, "And(0 < eta, eta < p0**2/(4*(1 + beta_d*N/alpha_d)))",
        ((("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < q, q < 1), And(((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) > 0, p*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) + e*((-p + "
        "sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2 == -log(1 - q), (p + e*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e)) > 0, At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + "
        "w + f*n*m*x), x), x, q) == (a/(1 - q) + b*n)/(p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - " "q))))/e)) + f*n*m))"),
        {"q": "q"}, "", ("-log(1 - q) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"z": "-log(1 - q)"}),
        "p**2 + 2*e*(-log(1 - q)) > 0", "sqrt(p**2 + 2*e*(-log(1 - q))) > 0",
        "sqrt(p**2 + 2*e*(-log(1 - q))) == (p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))",
        "(p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)) > 0",
        ("Implies(And(v == log(1 - q), q < 1), exp(v) == 1 - q)",
        {"v": ("-p*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - " "q))))/e)**2/2")}),
        ("At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + b*Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + w + f*n*m*x), x), x, q) "
        "== (a/(1 - q) + b*n)/sqrt(p**2 + 2*e*(-log(1 - q))) + f*n*m"))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, 0 < x, x < 1, p*w == g*a, p*T + "
        "e*T**2/2 == -log(1 - x), (p + e*T) > 0, v == (a/(1 - x) + b*n)/(p + e*T) + f*n*m, a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w + f*n*m*x == x*v), (x/(1 - x) + log(1 "
        "- x)) - g == (e*T**2/2 + e*g*T/p + b/a*((p + e*T)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, T)) - n*(1 - exp(-p*T - e*T**2/2)))))"), {"x": "q", "T": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)",
        "g": "p*w/a", "v": ("At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + b*Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + w + f*n*m*x), x), x, q)")}, "",
        (("Implies(And(u == -log(1 - x), 0 < x, x < 1), And(exp(u) == 1/(1 - x), exp(-u) == 1 - x))",
        {"u": "p*T + e*T**2/2"}),
        (("Implies(And(a > 0, p > 0, h > 0, h == p + e*T, p*w == g*a, v == (a/(1 - x) + b*n)/h + l, "
        "a*T + b*i + w + l*x == x*v, p*T + e*T**2/2 == z, L == 1 - x, x < 1), x/(1 - x) - z - g "
        "== e*T**2/2 + e*g*T/p + b/a*(h*i - n*(1 - L)))"), {"h": "(p + e*T)", "L": "exp(-p*T - e*T**2/2)",
        "i": "Integral(n*exp(-p*s - e*s**2/2), (s, 0, T))", "z": "-log(1 - x)", "l": "f*n*m"}, "", ("w == g*a/p",
        "a*T + b*i + w == x*((a/(1 - x) + b*n)/h)", "a*T*h + b*i*h + w*h == a*(x/(1 - x)) + b*n*x")))),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), ((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= 0)"), {"u": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "", (),
        ("u", "0")), (("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) <= n*e*(u/p - (1 - exp(-p*u))/p**2), ((p + "
        "e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= "
        "n*e*(u/p - (1 - exp(-p*u))/p**2) - n*e**2*u**4/24))"), {"u": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "",
        (), ("u", "0")), "p*w/a > 0", "b*n/a >= 0",
        (("Implies(And(a > 0, b >= 0, i >= 0, i <= n*e*h, i >= n*e*h - n*e**2*d**4/24), And(b/a*i "
        ">= 0, b/a*i <= b*n/a*e*h, b/a*i >= b*n/a*e*h - b*n/a*e**2*d**4/24))"),
        {"i": ("((p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) - n*(1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2)))"),
        "h": ("(((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)/p - (1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e)))/p**2)"), "d": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "", ("b/a >= 0",
        "b/a*i <= b/a*(n*e*h)", "b/a*i >= b/a*(n*e*h - n*e**2*d**4/24)")),
        ("Implies(And(r >= 0, e < p**2/(4*(1 + r))), 4*e*(1 + r) <= p**2)", {"r": "b*n/a"}, "", ("4*(1 + r) > 0",
        "e*(4*(1 + r)) < p**2/(4*(1 + r))*(4*(1 + r))")),
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, 4*e*(1 + r) <= p**2, 0 < x, x < 1, 0 < y, y < "
        "1, T > 0, p*T + e*T**2/2 == -log(1 - x), (y/(1 - y) + log(1 - y)) == g, (x/(1 - x) + "
        "log(1 - x)) - g == (e*T**2/2 + e*g*T/p + k), k >= 0, k <= r*e*(T/p - (1 - "
        "exp(-p*T))/p**2), k >= r*e*(T/p - (1 - exp(-p*T))/p**2) - r*e**2*T**4/24, c == -log(1 - "
        "y)), And(x - y - e*((c**2/2 + g*c + r*(c - y))/p**2)*((1 - y)**2/y) <= e**2*(((((((1 + "
        "r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)*((((1 + r)*(g + "
        "2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2), x - y - e*((c**2/2 + g*c + r*(c - "
        "y))/p**2)*((1 - y)**2/y) >= -e**2*(((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + "
        "(g + 2)**2)*(2*g + 2 + r) + r*(g + 2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 "
        "+ g*(g + 2))/p**2)*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2)))"), {"g": "(p*w/a)",
        "r": "(b*n/a)", "c": "(-log(1 - y))", "x": "q", "T": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)",
        "k": ("(b/a*((p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) - n*(1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2))))")}, "", ("-log(1 - x) > 0",
        "c > 0", "p*T <= -log(1 - x)", "T <= -log(1 - x)/p", ("Implies(v > 0, exp(-v) <= 1 - v + v**2/2)",
        {"v": "p*T"}), "(T/p - (1 - exp(-p*T))/p**2) <= T**2/2", "r*e*(T/p - (1 - exp(-p*T))/p**2) <= r*e*(T**2/2)",
        "k <= r*e*T**2/2", "exp(-log(1 - x)) == 1/(1 - x)", "x/(1 - x) == 1/(1 - x) - 1",
        (("Implies(And(0 < p, 0 < e, 0 <= r, 0 < g, 4*e*(1 + r) <= p**2, 0 < z, 0 < T, T <= z/p, k "
        "<= r*e*T**2/2, exp(z) - 1 - z - g == (e*T**2/2 + e*g*T/p + k)), z < g + 2)"), {"z": "-log(1 - x)"}, "",
        ("exp(z) >= 1 + z + z**2/2", "e*(1 + r)*T**2 <= e*(1 + r)*(z/p)**2", "e*(1 + r)*(z/p)**2 <= z**2/4",
        "e*g*T/p <= e*g*(z/p)/p", "4*e*r >= 0", "4*e <= p**2", "g*z*(4*e) <= g*z*p**2", "e*g*(z/p)/p <= g*z/4",
        "z**2/2 <= g + z**2/8 + g*z/4", "Implies(And(z**2/2 <= g + z**2/8 + g*z/4, g > 0), z < g + 2)")),
        "T < (g + 2)/p", "T**2 <= ((g + 2)/p)**2", "e*g*T/p <= e*g*((g + 2)/p)/p",
        "r*e*T**2/2 <= r*e*((g + 2)/p)**2/2", "e*T**2/2 <= e*((g + 2)/p)**2/2",
        "(e*T**2/2 + e*g*T/p + k) <= e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)", "(e*T**2/2 + e*g*T/p + k) >= 0",
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "x", "v": "y"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))),
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "y", "v": "x"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))), "x/(1 - x)**2*(x - y) >= (e*T**2/2 + e*g*T/p + k)",
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)**2*(x - y)", "x/(1 - x)**2 > 0",
        ("Implies(And(q*l >= i, i >= 0, q > 0), l >= 0)", {"q": "x/(1 - x)**2", "l": "x - y",
        "i": "(e*T**2/2 + e*g*T/p + k)"}),
        (("Implies(And(0 < y, y <= x, x < 1, z == -log(1 - x), c == -log(1 - y)), And(z - c >= x - "
        "y, x/(1 - x) - y/(1 - y) - (z - c) >= y/(1 - y)*(z - c)))"), {"z": "-log(1 - x)"}, "",
        ((("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) <= u/v - 1, log(u/v) == "
        "log(u) - log(v)))"), {"u": "1 - y", "v": "1 - x"}), "(1 - y)/(1 - x) - 1 == (x - y)/(1 - x)",
        "1 - 1/((1 - y)/(1 - x)) == (x - y)/(1 - y)", "(x - y)/(1 - y) >= x - y",
        "x/(1 - x) - y/(1 - y) == (x - y)/(1 - x)*(1/(1 - y))", ("Implies(And(d <= f, q > 0), d*q <= f*q)",
        {"d": "z - c", "f": "(x - y)/(1 - x)", "q": "1/(1 - y)"}),
        "(z - c)*(1/(1 - y)) - (z - c) == y/(1 - y)*(z - c)")),
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)*(-log(1 - x) - c)", ("Implies(And(f > 0, i <= w, i >= f*l), l <= w/f)",
        {"l": "-log(1 - x) - c", "f": "y/(1 - y)", "w": "e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)",
        "i": "(e*T**2/2 + e*g*T/p + k)"}, "", ("f*l <= w", "1/f*(f*l) <= 1/f*w")),
        ("e*(u/p**2)/(y/(1 - y)) == e*(u*(1 - y)/y)/p**2", {"u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))"}),
        (("Implies(And(p > 0, e > 0, T > 0, p*T + e*T**2/2 == z, z < h, z - c >= 0, z - c <= "
        "e*v/p**2, c > 0), And(T <= h/p, c/p <= h/p, T - c/p <= e*(v + h**2)/p**3, c/p - T <= " "e*(v + h**2)/p**3))"),
        {"z": "-log(1 - x)", "h": "g + 2", "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)"}, "", ("p*T <= h",
        "T <= h/p", "c/p <= h/p", "T**2 <= (h/p)**2", "e*T**2/2 <= e*h**2/p**2", "e*T**2/2 >= 0",
        "p*(T - c/p) == z - c - e*T**2/2", "e*v/p**2 >= 0", "e*h**2/p**2 >= 0",
        "e*(v + h**2)/p**2 == e*v/p**2 + e*h**2/p**2",
        ("Implies(And(l == d - i, i >= 0, d >= 0, d <= u, i <= j, q == u + j), And(l <= q, -l <= q))",
        {"l": "p*(T - c/p)", "d": "z - c", "i": "e*T**2/2", "u": "e*v/p**2", "j": "e*h**2/p**2",
        "q": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "T - c/p",
        "i": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "c/p - T",
        "i": "e*(v + h**2)/p**2"}))), (("Implies(And(p > 0, T > 0, t > 0, T - t <= m, t - T <= m), And((T/p - (1 - "
        "exp(-p*T))/p**2) - (t/p - (1 - exp(-p*t))/p**2) <= m/p, (T/p - (1 - exp(-p*T))/p**2) - "
        "(t/p - (1 - exp(-p*t))/p**2) >= -m/p))"), {"t": "c/p",
        "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)"}, "",
        (("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*T"}),
        ("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*t"}), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*T",
        "v": "-p*t"}, "", ("exp(u) == exp(v)*exp(u - v)",)), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*t",
        "v": "-p*T"}, "", ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(p > 0, T - t <= m, t - T <= m, 0 < j, j < 1, 0 < f, f < 1, j >= f*(1 - p*T + "
        "p*t), f >= j*(1 - p*t + p*T)), And(T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) <= m/p, T/p "
        "- (1 - j)/p**2 - (t/p - (1 - f)/p**2) >= -m/p))"), {"j": "exp(-p*T)", "f": "exp(-p*t)"}, "",
        ("T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) == (T - t)/p + (j - f)/p**2", "j - f <= -j*p*(T - t)",
        "(j - f)/p**2 <= -j*(T - t)/p", "(1 - j)*(T - t) <= m", "(1 - j)*(T - t)/p <= m/p", "j - f >= -f*p*(T - t)",
        "(j - f)/p**2 >= -f*(T - t)/p", "(1 - f)*(T - t) >= -m", "(1 - f)*(T - t)/p >= -m/p")))),
        "exp(-p*(c/p)) == 1 - y",
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, T > 0, t > 0, T <= h, t <= h, T - t <= m, t - T "
        "<= m, i - j <= m/p, i - j >= -m/p, k <= r*e*i, k >= r*e*i - r*e**2*T**4/24), "
        "And((e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) <= e*(m*(h + (g + r)/p) + "
        "r*e*h**4), (e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) >= -e*(m*(h + (g + r)/p) " "+ r*e*h**4)))"),
        {"h": "(g + 2)/p", "t": "c/p", "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)",
        "i": "(T/p - (1 - exp(-p*T))/p**2)", "j": "c/p/p - y/p**2"}, "", ("m >= 0",
        "T**2/2 - t**2/2 == (T - t)*((T + t)/2)", "(T + t)/2 <= h", "(T + t)/2 > 0",
        ("Implies(And(l <= m, -l <= m, 0 < d, d <= h, m >= 0), And(l*d <= m*h, l*d >= -m*h))", {"l": "T - t",
        "d": "(T + t)/2"}, "", ("l*d <= m*d", "l*d >= -m*d", "m*d <= m*h")), "e*(T**2/2 - t**2/2) <= e*(m*h)",
        "e*(T**2/2 - t**2/2) >= -e*(m*h)", "e*(g*T/p - g*t/p) <= e*(m*g/p)", "e*(g*T/p - g*t/p) >= -e*(m*g/p)",
        "r*e*(i - j) <= e*(m*r/p)", "r*e*(i - j) >= -e*(m*r/p)", "T**4 <= h**4", "r*e**2*T**4 <= r*e**2*h**4",
        "r*e**2*T**4 >= 0", "r*e**2*h**4 >= 0",
        "e*(m*(h + (g + r)/p) + r*e*h**4) == e*(m*h) + e*(m*g/p) + e*(m*r/p) + r*e**2*h**4")),
        "((c**2/2 + g*c + r*(c - y))/p**2) == (c/p)**2/2 + g*(c/p)/p + r*(c/p/p - y/p**2)",
        ("e*(e*u/p**3*(h/p + (g + r)/p) + r*e*(h/p)**4) == e**2*((u*(h + g + r) + r*h**4)/p**4)",
        {"u": "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)", "h": "g + 2"}),
        (("Implies(And(e > 0, 0 < y, y <= x, x < 1, G >= y/(1 - y)**2*(x - y), x/(1 - x)**2*(x - y) "
        ">= G, x - y <= e*v, G >= 0, G <= e*u, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(x - y "
        "- e*B*((1 - y)**2/y) <= e**2*(m*((1 - y)**2/y) + u*v/y**2), x - y - e*B*((1 - y)**2/y) "
        ">= -e**2*(m*((1 - y)**2/y) + u*v/y**2)))"), {"G": "(e*T**2/2 + e*g*T/p + k)",
        "B": "((c**2/2 + g*c + r*(c - y))/p**2)",
        "m": ("((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)"), "u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2",
        "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2"}, "", ("(1 - y)**2/y > 0",
        ("Implies(And(q > 0, q*i == 1, G >= i*l), G*q >= l)", {"q": "(1 - y)**2/y", "i": "y/(1 - y)**2", "l": "x - y"},
        "", ("q*G >= q*(i*l)", "q*(i*l) == l")), ("Implies(And(q > 0, q*i == 1, i*l >= G), l >= G*q)",
        {"q": "(1 - x)**2/x", "i": "x/(1 - x)**2", "l": "x - y"}, "", ("q*(i*l) >= q*G", "q*(i*l) == l")),
        "1/y - 1/x <= (x - y)/y**2", "(1 - x)**2/x == 1/x - 2 + x", "(1 - y)**2/y == 1/y - 2 + y",
        "(1 - x)**2/x >= (1 - y)**2/y - (x - y)/y**2", ("Implies(And(G >= 0, f >= q - d), G*f >= G*q - G*d)",
        {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2"}),
        ("Implies(And(0 <= G, G <= i, 0 <= d, d <= j), And(G*d <= i*j, i*j >= 0))", {"i": "e*u", "d": "x - y",
        "j": "e*v"}), "G*((x - y)/y**2) <= e**2*(u*v/y**2)", "e**2*(u*v/y**2) >= 0",
        (("Implies(And(q > 0, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(G*q <= e*B*q + e**2*m*q, "
        "G*q >= e*B*q - e**2*m*q))"), {"q": "(1 - y)**2/y"}),
        (("Implies(And(q > 0, G*q >= l, l >= G*f, G*f >= G*q - G*d, G*d <= e**2*h, e**2*h >= 0, G*q "
        "<= e*B*q + e**2*m*q, G*q >= e*B*q - e**2*m*q), And(l - e*B*q <= e**2*(m*q + h), l - "
        "e*B*q >= -e**2*(m*q + h)))"), {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2", "l": "x - y",
        "h": "u*v/y**2"}))))))),
        ("delta(theta0, eta) == eta*(((-log(1 - theta0))**2/2 + (p0*alpha_p/alpha_d)*(-log(1 - "
        "theta0)) + (beta_d*N/alpha_d)*((-log(1 - theta0)) - theta0))/p0**2)*((1 - " "theta0)**2/theta0)"),
        "p0*alpha_p/alpha_d > 0", "beta_d*N/alpha_d >= 0", "p0**2/(4*(1 + beta_d*N/alpha_d)) > 0",
        (("Implies(And(p > 0, g > 0, r >= 0, 0 < y, y < 1), (((((((1 + r)*(g + 2)**2/2 + g*(g + "
        "2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + 2)**4)/p**4)*((1 - y)**2/y) + (((1 + "
        "r)*(g + 2)**2/2 + g*(g + 2))/p**2)*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - " "y)/y)/p**2)/y**2) > 0)"),
        {"p": "p0", "y": "theta0", "g": "(p0*alpha_p/alpha_d)", "r": "(beta_d*N/alpha_d)"}, "",
        ("((1 + r)*(g + 2)**2/2 + g*(g + 2)) > 0", ("Implies(And(u > 0, 0 < y, y < 1), u*(1 - y)/y > 0)",
        {"u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))"}),
        "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2) > 0", "r*(g + 2)**4 >= 0",
        "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) > 0",
        ("((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + " "2)**4)/p**4) > 0"),
        "(1 - y)**2/y > 0")), (("Implies(And(l - d <= e**2*q, l - d >= -e**2*q, i == d), And(q*e**2 - (l - i) >= 0, "
        "q*e**2 + (l - i) >= 0))"), {"l": "th(eta) - theta0",
        "d": ("eta*(((-log(1 - theta0))**2/2 + (p0*alpha_p/alpha_d)*(-log(1 - theta0)) + "
        "(beta_d*N/alpha_d)*((-log(1 - theta0)) - theta0))/p0**2)*((1 - theta0)**2/theta0)"), "e": "eta",
        "q": ("(((((((1 + (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0) + "
        "((p0*alpha_p/alpha_d) + 2)**2)*(2*(p0*alpha_p/alpha_d) + 2 + (beta_d*N/alpha_d)) + "
        "(beta_d*N/alpha_d)*((p0*alpha_p/alpha_d) + 2)**4)/p0**4)*((1 - theta0)**2/theta0) + (((1 "
        "+ (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))/p0**2)*((((1 + "
        "(beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0)/p0**2)/theta0**2)"),
        "i": "delta(theta0, eta)"}, "And(0 < eta, eta < p0**2/(4*(1 + beta_d*N/alpha_d)))"))},
    "thm-3.2.kept-ages.corrected": {"lemmas": ("And(0 < exp(-x), exp(-x) < 1)", "exp(-2*x) == exp(-x)**2",
        (("Implies(And(0 < q, q < 1), x**2*q*(1 + q)/(2*(1 - q)**3)*(1 - q)**2 + q*(x**2*q*(1 + "
        "q)/(2*(1 - q)**3) + (1 - q)/q*(q*(2*x*(1 + q) - x**2*(1 + 2*q))/(2*(1 - q)**3) - "
        "3*x**2*q**2*(1 + q)/(2*(1 - q)**4)))*(1 - q) == q*x*(2*(1 - q**2) - x*q*(3 + q))/(2*(1 - " "q)**2))"),
        {"q": "exp(-x)"}))},
    "thm-3.2.kept-ages.slopes": {"lemmas": ("And(0 < exp(-x), exp(-x) < 1)",)},
    "thm-3.2.positive": {"lemmas": ("And(theta0 < zeta(theta0), zeta(theta0) < theta0/(1 - theta0))",
        ("Implies(And(0 < x, x < z, z < y), z*(y - z/2) > 0)", {"x": "theta0", "z": "zeta(theta0)",
        "y": "theta0/(1 - theta0)"}), "beta_d*N/alpha_d*(zeta(theta0) - theta0) >= 0",
        "eta*(1 - theta0)**2/(p0**2*theta0) > 0", ("Implies(And(c > 0, a > 0, b >= 0), c*(a + b) > 0)",
        {"c": "eta*(1 - theta0)**2/(p0**2*theta0)", "a": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)",
        "b": "beta_d*N/alpha_d*(zeta(theta0) - theta0)"}))},
    "sec-3.2.2.rho.formula": {"lemmas": ("And(theta0 < zeta(theta0), zeta(theta0) < theta0/(1 - theta0))",
        "eta*(1 - theta0)**2/(p0**2*theta0)*beta_d/alpha_d*(zeta(theta0) - theta0) > 0")},
    "prop-3.3.fluid-peak": {"lemmas": ("exp(p0*(x0 + t) - 1) >= p0*(x0 + t)",
        "exp(p0*x0 - 1) == exp(p0*(x0 + t) - 1)*exp(-p0*t)", "exp(-p0*(1/p0 - x0)) == exp(p0*x0 - 1)",
        ("Implies(And(n > 0, e > 0, p > 0, y >= p*s, g == y*e), n*e*s <= n/p*g)", {"n": "N", "e": "exp(-p0*t)",
        "p": "p0", "y": "exp(p0*(x0 + t) - 1)", "s": "x0 + t", "g": "exp(p0*x0 - 1)"}))},
    "prop-3.3.generating": {"rate": {"n": ("p0/(1 - y)**2", "2")},
        "lemmas": ((("Implies(And(floor(n) == n, n >= 1), Sum(p0*y**g, (g, 0, n)) == p0/(1 - y) - "
        "y**n*(p0*y/(1 - y)))"), {}, "And(floor(n) == n, n >= 2)"),
        ("Implies(And(floor(b) == b, b >= 1, 0 < x, x < 1), (1 - x)**b*(1 + b*x) <= 1)", {"b": "n", "x": "1 - y"},
        "And(floor(n) == n, n >= 2)"),
        (("Implies(And(b >= 1, 0 < y, y < 1, q > 0, p > 0, q*(1 + b*(1 - y)) <= 1), And(q*(p*y/(1 - "
        "y)) >= 0, q*(p*y/(1 - y)) <= p/(1 - y)**2/b))"), {"b": "n", "q": "y**n", "p": "p0"},
        "And(floor(n) == n, n >= 2)"))},
    "prop-3.3.rate": {"lemmas": ("r > 0", "1 - (1 - p0)*z > 0",
        "log((1 + r)*(1 - (1 - p0)*z)) <= (1 + r)*(1 - (1 - p0)*z) - 1",
        "log((1 - p0)*z*(1 + r)/r) <= (1 - p0)*z*(1 + r)/r - 1",
        "log((1 + r)*(1 - (1 - p0)*z)) == log(1 + r) + log(1 - (1 - p0)*z)",
        "log((1 - p0)*z*(1 + r)/r) == log(z) - log(r/((1 - p0)*(1 + r)))",
        "log(p0/(1 - (1 - p0)*z)) == log(p0) - log(1 - (1 - p0)*z)", "log(p0*(1 + r)) == log(p0) + log(1 + r)",
        ("Implies(And(r > 0, a <= s - 1, b <= u - 1, s + r*u == 1 + r), -a - r*b >= 0)",
        {"a": "log((1 + r)*(1 - (1 - p0)*z))", "b": "log((1 - p0)*z*(1 + r)/r)", "s": "(1 + r)*(1 - (1 - p0)*z)",
        "u": "(1 - p0)*z*(1 + r)/r"}))},
    "prop-3.3.rate.positive": {"lemmas": ("r > 0", "p0*(1 + r) > 1",
        "log(r/((1 - p0)*(1 + r))) >= 1 - (1 - p0)*(1 + r)/r", ("Implies(u > 1, log(u) < u - 1)", {"u": "p0*(1 + r)"}),
        ("Implies(And(r > 0, l >= 1 - w, w*r == r - s), r*l >= s)", {"l": "log(r/((1 - p0)*(1 + r)))",
        "w": "(1 - p0)*(1 + r)/r", "s": "p0*(1 + r) - 1"}))},
    "prop-3.3.safe": {"lemmas": (("Implies(And(m > 0, e > 0, x >= log(m/e)), m*exp(-x) <= e)", {"m": "M", "e": "eps",
        "x": "N*rate(r)"}),)},
    "eq-6": {"lemmas": ("log(1/(1 - theta)) > 0", "m > 0",
        ("Implies(y > 0, And(floor(z/y)*y <= z, (floor(z/y) + 1)*y > z))", {"y": "m",
        "z": "C - log(1/eps)/(p0**2*mu_L)"}))},
    "eq-6.rounding": {"lemmas": ("ForAll(z, And(0 < z, z < 1), -log(1 - z) - z > 0)",
        "StrictlyDecreasing(-(1 - x)/x*log(1 - x), x, And(0 < x, x < 1))")},
    "sec-3.4.converges.threshold": {"lemmas": (("Implies(And(0 < u, u < 1), And(log(1/(1 - u)) == -log(1 - u), -log(1 - u) > u))",
        {"u": "theta0"}), ("Implies(And(c >= 0, b >= 0, d > 0, j >= i, r > 0), c*(w + b*i/r*d) <= c*(w + b*j/r*d))",
        {"c": "eta*(1 - theta0)**2/(p0**2*theta0)", "b": "beta_d", "r": "alpha_d", "d": "zeta(theta0) - theta0",
        "i": "n", "j": "l", "w": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)"}),
        ("Implies(u <= v, Max(u, a) <= Max(v, a))", {"u": "theta0 + deltaN(theta0, eta, n)",
        "v": "theta0 + deltaN(theta0, eta, l)", "a": "theta_min"}), ("Implies(u <= v, Min(u, b) <= Min(v, b))",
        {"u": "Max(theta0 + deltaN(theta0, eta, n), theta_min)",
        "v": "Max(theta0 + deltaN(theta0, eta, l), theta_min)", "b": "theta_max"}))},
    "sec-3.4.converges.batch": {"lemmas": (("Implies(And(0 < u, u < 1), And(log(1/(1 - u)) == -log(1 - u), -log(1 - u) > u))",
        {"u": "x"}), ("Implies(And(0 < u, u < 1), And(log(1/(1 - u)) == -log(1 - u), -log(1 - u) > u))", {"u": "y"}),
        ("Implies(And(0 < u, u <= v, v < 1), log(1 - u) - log(1 - v) <= (v - u)/(1 - v))", {"u": "x", "v": "y"}),
        (("Implies(And(0 < x, x <= y, y < 1, p > 0, f >= x, g >= y, g - f <= (y - x)/(1 - y), h > "
        "0), And(h + (1 - y)/(y*p)*g > 0, h + (1 - y)/(y*p)*g <= h + (1 - x)/(x*p)*f))"), {"f": "log(1/(1 - x))",
        "g": "log(1/(1 - y))", "p": "p0", "h": "mu_L"}), ("Implies(And(r >= 0, 0 < b, b <= a), r/a <= r/b)",
        {"r": "C - vbar*log(1/eps)", "a": "m(x)", "b": "m(y)"}), ("Implies(u <= v, floor(u) <= floor(v))",
        {"u": "fits(x)", "v": "fits(y)"}))},
    "prop-3.4.by-eq-4": {"lemmas": ("zeta > 0",
        ("And(alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O) > 0, (alpha_p + alpha_d*zeta*mu_O)/k0 "
        "+ beta_EB*(mu_L + mu_O) > 0)"),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, g - h < 1/s*(v - u)), 1/x > " "1/y)"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, 1/x > 1/y), g - h < 1/s*(v " "- u))"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}))},
    "prop-3.4.corrected": {"lemmas": (("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "k0/N"}), "zeta > 0",
        ("And(alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O) > 0, (alpha_p + alpha_d*zeta*mu_O)/k0 "
        "+ beta_EB*(mu_L + mu_O) > 0)"),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, g - h < 1/s*(v - u)), 1/x > " "1/y)"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, 1/x > 1/y), g - h < 1/s*(v " "- u))"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}))},
    "eq-7": {"lemmas": ("zeta > 0",
        ("And(alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O) > 0, (alpha_p + alpha_d*zeta*mu_O)/k0 "
        "+ beta_EB*(mu_L + mu_O) > 0)"),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, 1/x > 1/y), g - h < 1/s*(v " "- u))"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}))},
    "eq-7.sign": {"lemmas": (("Implies(And(s > 0, n > 0, 0 < t, t < 1, (a/(1 - t) - m)/(n*s) > 0), m*(1 - t) < a)",
        {"s": "mu_L + mu_O", "n": "N", "t": "theta0", "m": "alpha_MB*(1 + mu_O)", "a": "alpha_d*mu_O"}),
        ("Implies(And(s > 0, n > 0, 0 < t, t < 1, m*(1 - t) < a), (a/(1 - t) - m)/(n*s) > 0)", {"s": "mu_L + mu_O",
        "n": "N", "t": "theta0", "m": "alpha_MB*(1 + mu_O)", "a": "alpha_d*mu_O"}))},
    "sec-3.5.O-1-N": {"order": {"n": ("(1 + Abs(A))/(mu_L + mu_O)", "1")}, "rate": {"n": ("(1 + Abs(A))/(mu_L + mu_O)",
        "1")}},
    "sec-3.5.saturated": {"order": {"n": ("(1 + Abs(A))/(1)", "1")}, "rate": {"n": ("(1 + Abs(A))/(1)", "1")}},
    "sec-3.5.theta-gap": {"order": {"eta": ("1 + Abs(g)", "1")}},
    "sec-3.5.theta-gap.in-N": {"lemmas": (("Implies(And(0 < x, x < 1), -log(1 - x) > x)", {"x": "theta0"}),
        (("Implies(And(e > 0, p > 0, t > 0, t < 1, b > 0, a > 0, z > t), e*(1 - " "t)**2/(p**2*t)*(b/a*(z - t)) > 0)"),
        {"e": "eta", "p": "p0", "t": "theta0", "b": "beta_d", "a": "alpha_d", "z": "zeta"}), "v > 0"),
        "witness": {"N": "(c + Abs(u))/v + 1"}},
    "sec-3.5.bias": {"order": {"n": ("(1 + Abs(B))/(mu_L + mu_O)", "1")}, "rate": {"n": ("(1 + Abs(B))/(mu_L + mu_O)",
        "1")}},
    "eq-8.reversal": {"lemmas": ("zeta > 0", "RHS == R(n)")},
    "sec-3.5.light.corrected": {"rate": {"n": ("A/(mu_L + mu_O)", "0", "1")}},
    "sec-3.5.heavy.corrected": {"witness": {"M": "A/((mu_L + mu_O)*(beta_MB - beta_EB - delta))"},
        "lemmas": (("Implies(And(a > 0, s > 0, g > 0, n > a/(s*g)), a/(n*s) < g)", {"a": "A", "s": "mu_L + mu_O",
        "g": "beta_MB - beta_EB - delta", "n": "n"}, "And(beta_MB - beta_EB > delta, n > 0)"),)},
    "sec-3.5.endpoints.zero": {"lemmas": ("zeta > 0", "RHS == R(n)",
        ("And(alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O) > 0, (alpha_p + alpha_d*zeta*mu_O)/k0 "
        "+ beta_EB*(mu_L + mu_O) > 0)"),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, g - h > 1/s*(v - u)), 1/x < " "1/y)"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}),
        (("Implies(And(x > 0, y > 0, s > 0, x == u + g*s, y == v + h*s, 1/x < 1/y), g - h > 1/s*(v " "- u))"),
        {"x": "alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O)",
        "y": "(alpha_p + alpha_d*zeta*mu_O)/k0 + beta_EB*(mu_L + mu_O)", "s": "mu_L + mu_O",
        "u": "alpha_MB*(1 + mu_O)/N", "v": "(alpha_p + alpha_d*zeta*mu_O)/k0", "g": "beta_MB", "h": "beta_EB"}))},
    "sec-4.3.2.model-size.corrected": {"lemmas": ("RHS(s*alpha_p, s*alpha_d, s*alpha_MB) == s*RHS(alpha_p, alpha_d, alpha_MB)",
        ("Implies(And(u > 0, n > 0, w < v), 1/u*(v/n - w/n) > 0)", {"u": "mu_L + mu_O", "n": "N",
        "w": "alpha_MB*(1 + mu_O)", "v": "(alpha_p + alpha_d*zeta*mu_O)/theta0"}),
        ("Implies(And(s > 1, r > 0), s*r > r)", {"r": "RHS(alpha_p, alpha_d, alpha_MB)"}))},
    "app-A.3.kappa-rtx.crossover": {"lemmas": ("c1 + c2*(r + 1) == 0", "c2 == kappa*(c0 + c1 + c2)/2",
        "-c2*r < c0 + c1 + c2", "-c2 >= 1155/200*(c0 + c1 + c2)")},
    "app-A.3.ii.gain.corrected": {"lemmas": (("x**2 >= 0", {"x": "a*(1 - r) - b*r"}),)},
    "app-B.geometric": {"rate": {"b'": ("4/p0**2", "1")},
        "lemmas": ((("ForAll(n, And(floor(n) == n, n >= 1), And(Sum(t*(p0*(1 - p0)**(t - 1)), (t, 1, n)) - "
        "1/p0 <= 0, Sum(t*(p0*(1 - p0)**(t - 1)), (t, 1, n)) - 1/p0 >= -4/p0**2/n))"), {}, "",
        ("ForAll(n, And(floor(n) == n, n >= 0), (1 - p0)**n*(1 + n*p0 + n*(n - 1)*p0**2/2) <= 1)",
        "ForAll(n, And(floor(n) == n, n >= 0), (1 - p0)**n*(1 + n*p0)**2 <= 4)",
        "ForAll(n, And(floor(n) == n, n >= 0), (1 - p0)**n >= 0)",
        "ForAll(n, And(floor(n) == n, n >= 0), (1 - p0)**n*(n + 1/p0) <= 4/(p0*(1 + n*p0)))",
        ("ForAll(n, And(floor(n) == n, n >= 0), Sum(t*(p0*(1 - p0)**(t - 1)), (t, 1, n)) == 1/p0 - "
        "(1 - p0)**n*(n + 1/p0))"),
        ("ForAll(n, And(floor(n) == n, n >= 1), And((1 - p0)**n*(n + 1/p0) >= 0, 4/(p0*(1 + n*p0)) "
        "<= 4/p0**2/n))"))),)},
    "app-B.1.error.size": {"lemmas": ("And((1 - p0)**t >= 0, (1 - p0)**t <= 1)",
        ("Implies(And(q >= 0, q <= 1), And(q*(1 - q) >= 0, q*(1 - q) <= 1/4))", {"q": "(1 - p0)**t"}),
        ("Implies(And(w >= 0, w <= 1/4, n > 0), And(w/n >= 0, w/n <= 1/(4*n)))", {"w": "(1 - p0)**t*(1 - (1 - p0)**t)",
        "n": "N"}), ("Implies(And(u >= 0, n > 0, u <= 1/(4*n)), sqrt(u) <= 1/(2*sqrt(n)))",
        {"u": "(1 - p0)**t*(1 - (1 - p0)**t)/N", "n": "N"}))},
    "app-B.1.relative": {"order": {"p0": ("2*z*exp(z)", "1/2")},
        "lemmas": ("Implies(And(0 < p0, p0 < 1/2), And(log(1 - p0) < -p0, -log(1 - p0) <= p0 + 2*p0**2))",
        "Implies(And(0 < p0, p0 < 1/2), (1 - p0)**(z/p0) == exp(z/p0*log(1 - p0)))",
        ("Implies(And(0 < p0, p0 < 1/2), And(0 <= -z - z/p0*log(1 - p0), -z - z/p0*log(1 - p0) <= " "2*z*p0))"),
        ("Implies(And(0 <= u, u <= w, w <= z), And(exp(u) >= 1, exp(u) - 1 <= w*exp(z)))",
        {"u": "-z - z/p0*log(1 - p0)", "w": "2*z*p0"}, "And(0 < p0, p0 < 1/2)"),
        ("Implies(And(0 < p0, p0 < 1/2), exp(-p0*(z/p0))/exp(z/p0*log(1 - p0)) == exp(-z - " "z/p0*log(1 - p0)))"))},
    "rem-B.1.small-p0": {"rate": {"p0": ("1 - 2*log(1 - theta)", "1/2"), "q": ("2*(1 - theta)", "1/2")},
        "lemmas": ("log(1 - theta) < 0",
        "Implies(And(0 < p0, p0 < 1/2), And(log(1 - p0) < -p0, -log(1 - p0) <= p0 + 2*p0**2))",
        ("Implies(And(0 < p0, p0 < 1/2), And(ceil(log(1 - theta)/log(1 - p0)) >= log(1 - "
        "theta)/log(1 - p0), ceil(log(1 - theta)/log(1 - p0)) < log(1 - theta)/log(1 - p0) + 1))"),
        ("Implies(And(k > 0, f >= l/k, f < l/k + 1), And(f*k >= l, f*k <= l + k))", {"k": "-log(1 - p0)",
        "l": "-log(1 - theta)", "f": "ceil(log(1 - theta)/log(1 - p0))"}, "And(0 < p0, p0 < 1/2)"),
        ("Implies(And(0 < q, l > 0, q*c >= l), c > 0)", {"q": "-log(1 - p0)", "l": "-log(1 - theta)",
        "c": "ceil(log(1 - theta)/log(1 - p0))"}, "And(0 < p0, p0 < 1/2)"),
        (("Implies(And(0 < p, p < q, q <= p + 2*p**2, p < 1/2, l > 0, c > 0, q*c >= l, q*c <= l + "
        "q), And(p*c <= l + p, (1 + 2*p)*(p*c) >= l))"), {"q": "-log(1 - p0)", "l": "-log(1 - theta)",
        "c": "ceil(log(1 - theta)/log(1 - p0))", "p": "p0"}, "And(0 < p0, p0 < 1/2)"),
        ("Implies(And(0 < p, l > 0, (1 + 2*p)*y >= l), y >= l - 2*l*p)", {"p": "p0", "l": "-log(1 - theta)",
        "y": "p0*ceil(log(1 - theta)/log(1 - p0))"}, "And(0 < p0, p0 < 1/2)"),
        "Implies(And(0 < q, q < 1/2), And(log(1 - q) < -q, -log(1 - q) <= q + 2*q**2))",
        ("Implies(And(0 < q, q < 1/2), And(ceil(log(1 - theta)/log(1 - q)) >= log(1 - theta)/log(1 "
        "- q), ceil(log(1 - theta)/log(1 - q)) < log(1 - theta)/log(1 - q) + 1))"),
        ("Implies(And(k > 0, f >= l/k, f < l/k + 1), And(f*k >= l, f*k <= l + k))", {"k": "-log(1 - q)",
        "l": "-log(1 - theta)", "f": "ceil(log(1 - theta)/log(1 - q))"}, "And(0 < q, q < 1/2)"),
        ("Implies(And(0 < q, q < 1/2), (1 - q)**ceil(log(1 - theta)/log(1 - q)) == exp(ceil(log(1 "
        "- theta)/log(1 - q))*log(1 - q)))"),
        ("Implies(And(a <= b, a >= b + c), And(exp(a) <= exp(b), exp(a) >= exp(b)*(1 + c)))",
        {"a": "ceil(log(1 - theta)/log(1 - q))*log(1 - q)", "b": "log(1 - theta)", "c": "log(1 - q)"},
        "And(0 < q, q < 1/2)"), "exp(log(1 - theta)) == 1 - theta",
        (("Implies(And(w == e, b == 1 - t, e <= b, e >= b*(1 + c), c >= -q - 2*q**2, q > 0, q < "
        "1/2, t < 1), And(1 - w - t >= 0, 1 - w - t <= 2*(1 - t)*q))"),
        {"w": "(1 - q)**ceil(log(1 - theta)/log(1 - q))", "e": "exp(ceil(log(1 - theta)/log(1 - q))*log(1 - q))",
        "b": "exp(log(1 - theta))", "t": "theta", "c": "log(1 - q)", "q": "q"}, "And(0 < q, q < 1/2)"))},
    "app-B.3.source-1-size.half": {"lemmas": ((("ForAll(i, i >= 32, And(log(i + 1) - log(i) >= 1/(i + 1), log(i + 1) - log(i) <= "
        "102/100/(i + 1)))"), {}, "",
        ((("Implies(i >= 32, And(log(i + 1) - log(i) >= 1/(i + 1), log(i + 1) - log(i) <= 102/100/(i " "+ 1)))"), {},
        "", (("Implies(And(0 < u, u <= 1/33), And(-log(1 - u) >= u, -log(1 - u) <= u + 33/64*u**2))",
        {"u": "1/(i + 1)"}, "i >= 32"), "Implies(i >= 32, log(i) - log(i + 1) == log(1 - 1/(i + 1)))",
        "Implies(i >= 32, And(1/(i + 1) > 0, 1/(i + 1) <= 1/33))")),)),
        ("Implies(ForAll(i, i >= 32, And(log(i + 1) - log(i) >= 1/(i + 1), log(i + 1) - log(i) <= "
        "102/100/(i + 1))), And(Sum(1/(m + j), (j, 1, k)) <= log(m + k) - log(m), log(m + k) - "
        "log(m) <= 102/100*Sum(1/(m + j), (j, 1, k))))"), "log(1 - k/(m + k)) == log(m) - log(m + k)")},
    "app-B.3.source-2-stop.fluid": {"lemmas": (("Implies(a <= b, exp(a) <= exp(b))", {"a": "-p0*ceil(s)",
        "b": "-p0*s"}), ("Implies(a < b, exp(a) < exp(b))", {"a": "-p0*s", "b": "-p0*(ceil(s) - 1)"}))},
    "app-B.3.source-2-bounded.bound": {"lemmas": ("s > 0", "And(ceil(s) >= s, ceil(s) < s + 1)",
        ("Implies(a <= b, And(exp(a) <= exp(b), exp(b) - exp(a) <= exp(b)*(b - a)))", {"a": "-p0*ceil(s)",
        "b": "-p0*s"}), ("Implies(v > 0, 1 - exp(-v) >= v*exp(-v))", {"v": "p0*s"}),
        (("Implies(And(p > 0, a > 0, b >= 0, s > 0, t >= s, t < s + 1, e > 0, e >= f, e - f <= "
        "p*e*(t - s), 1 - e >= p*s*e), And((a*t + b*(1 - f)/p)/(a*s + b*(1 - e)/p) - 1 >= 0, (a*t "
        "+ b*(1 - f)/p)/(a*s + b*(1 - e)/p) - 1 <= 1/s))"), {"p": "p0", "a": "alpha_d", "b": "beta_d*N", "s": "s",
        "t": "ceil(s)", "e": "exp(-p0*s)", "f": "exp(-p0*ceil(s))"}))},
    "app-B.3.source-2-bounded.remains.corrected": {"witness": {"e": "Min((ceil(s) - s)/s, (exp(-p0*s) - exp(-p0*ceil(s)))/theta)"},
        "lemmas": ("s > 0", ("Implies(a < b, exp(a) < exp(b))", {"a": "-p0*ceil(s)", "b": "-p0*s"}),
        "And((ceil(s) - s)/s > 0, (exp(-p0*s) - exp(-p0*ceil(s)))/theta > 0)",
        ("Implies(And(a > 0, b > 0), And(Min(a, b) > 0, Min(a, b) <= a, Min(a, b) <= b))", {"a": "(ceil(s) - s)/s",
        "b": "(exp(-p0*s) - exp(-p0*ceil(s)))/theta"}),
        (("Implies(And(p > 0, a > 0, b >= 0, n > 0, s > 0, t > s, e > f, h > 0, h == 1 - e, s*w <= "
        "t - s, h*w <= e - f), (a*t + b*n*(1 - f)/p)/(a*s + b*n*(1 - e)/p) - 1 >= w)"), {"p": "p0", "a": "alpha_d",
        "b": "beta_d", "t": "ceil(s)", "e": "exp(-p0*s)", "f": "exp(-p0*ceil(s))", "h": "theta",
        "w": "Min((ceil(s) - s)/s, (exp(-p0*s) - exp(-p0*ceil(s)))/theta)", "n": "n", "s": "s"}))},
    "app-B.3.source-3.order": {"order": {"N": ("1/theta", "1")}},
    "app-B.3.source-4-gap.corrected": {"order": {"p0": ("2", "1/2")}},
    "app-B.3.source-4-order": {"order": {"p0": ("2", "1/2"), "x": ("2", "1/2")},
        "lemmas": ("Implies(And(0 < x, x < 1/2), And(log(1 - x) < -x, -log(1 - x) <= x + 2*x**2))",
        ("Implies(And(0 < x, x < 1/2), And(0 < th(x), th(x) < 1, 0 < ph(x), ph(x) < 1, (th(x))/(1 "
        "- (th(x))) + log(1 - (th(x))) == x*(alpha_p/alpha_d), (ph(x))/(1 - (ph(x))) + log(1 - "
        "(ph(x))) == -log(1 - x)*(alpha_p/alpha_d)))"), ("Implies(And(a > 0, g == x*a, h == L*a, L >= x), g <= h)",
        {"x": "x", "a": "alpha_p/alpha_d", "g": "(th(x))/(1 - (th(x))) + log(1 - (th(x)))",
        "h": "(ph(x))/(1 - (ph(x))) + log(1 - (ph(x)))", "L": "-log(1 - x)"}, "And(0 < x, x < 1/2)"),
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (v)/(1 - (v)) + log(1 - (v)) - ((u)/(1 - (u)) + "
        "log(1 - (u))) >= (v - u)*u/((1 - u)*(1 - v)))"), {"u": "ph(x)", "v": "th(x)"}, "And(0 < x, x < 1/2)",
        (("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - u",
        "b": "1 - v"}, "And(0 < u, u < 1, 0 < v, v < 1)"),)), ("Implies(And(c > 0, d >= (v - u)*c, d <= 0), v <= u)",
        {"c": "ph(x)/((1 - ph(x))*(1 - th(x)))",
        "d": "(th(x))/(1 - (th(x))) + log(1 - (th(x))) - ((ph(x))/(1 - (ph(x))) + log(1 - (ph(x))))", "u": "ph(x)",
        "v": "th(x)"}, "And(0 < x, x < 1/2)"),
        (("Implies(And(0 < t, t <= s, s < 1), s*((t)/(1 - (t)) + log(1 - (t))) <= t*((s)/(1 - (s)) "
        "+ log(1 - (s))))"), {"t": "th(x)", "s": "ph(x)"}, "And(0 < x, x < 1/2)", (), ("s", "t")),
        ("Implies(And(a > 0, g == x*a, h == L*a, s*g <= t*h), s*x <= t*L)", {"t": "th(x)", "s": "ph(x)",
        "L": "-log(1 - x)", "a": "alpha_p/alpha_d", "g": "(th(x))/(1 - (th(x))) + log(1 - (th(x)))",
        "h": "(ph(x))/(1 - (ph(x))) + log(1 - (ph(x)))"}, "And(0 < x, x < 1/2)"),
        ("Implies(And(x > 0, t > 0, s*x <= t*L, L <= x + 2*x**2), s <= t*(1 + 2*x))", {"t": "th(x)", "s": "ph(x)",
        "L": "-log(1 - x)"}, "And(0 < x, x < 1/2)"),
        ("Implies(And(t > 0, s <= t*(1 + 2*x), t <= s), And(s/t - 1 >= 0, s/t - 1 <= 2*x))", {"s": "ph(x)",
        "t": "th(x)"}, "And(0 < x, x < 1/2)"),
        "Implies(And(0 < p0, p0 < 1/2), And(log(1 - p0) < -p0, -log(1 - p0) <= p0 + 2*p0**2))", "log(1 - theta) < 0",
        "beta_d*N*theta >= 0", "-alpha_d*log(1 - theta) > 0",
        (("Implies(And(0 < p, p < q, q <= p + 2*p**2, l > 0, b >= 0), And((l/p + b/p)/(l/q + b/p) - "
        "1 >= 0, (l/p + b/p)/(l/q + b/p) - 1 <= 2*p))"), {"p": "p0", "q": "-log(1 - p0)",
        "l": "-alpha_d*log(1 - theta)", "b": "beta_d*N*theta"}, "And(0 < p0, p0 < 1/2)"))},
    "app-B.3.source-4-N.Td.corrected": {"lemmas": (("Implies(And(0 < x, x < 1), And(-log(1 - x) > x, log(1 - x) < 0))",
        {"x": "p0"}), ("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "theta"}),
        (("Implies(And(p > 0, q > p, l > 0, a > 0, b > 0, n > 0, m > n, t > 0), (a*l/p + "
        "b*n*t/p)/(a*(-l)/(-q) + b*n*t/p) > (a*l/p + b*m*t/p)/(a*(-l)/(-q) + b*m*t/p))"), {"p": "p0",
        "q": "-log(1 - p0)", "l": "-log(1 - theta)", "a": "alpha_d", "b": "beta_d", "n": "N", "m": "N2",
        "t": "theta"}))},
    "app-B.3.source-4-impact": {"lemmas": (("Implies(And(0 < p, p <= 1/100), And(-log(1 - p) <= p + 3*p**2/5, -log(1 - p) > p))",
        {"p": "p0"}), ("Implies(And(0 < x, x < 1), (x)/(1 - (x)) + log(1 - (x)) <= x**2/(1 - x))", {"x": "theta"}),
        "alpha_p/alpha_d > 0",
        (("Implies(And(r > 0, p > 0, p <= 1/100, l > p, l <= p + 3*p**2/5, u == p*r, v == l*r), "
        "And(v > u, v - u <= 6/1000*u))"), {"r": "alpha_p/alpha_d", "p": "p0", "l": "-log(1 - p0)",
        "u": "(theta)/(1 - (theta)) + log(1 - (theta))", "v": "(phi)/(1 - (phi)) + log(1 - (phi))"}),
        "And((1 - theta)*(1 - phi) > 0, (1 - phi)*(1 - theta) > 0)",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - x",
        "b": "1 - y"}, "And(0 < x, x < 1, 0 < y, y < 1)"),
        (("Implies(And(0 < x, x < 1, 0 < y, y < 1), (y)/(1 - (y)) + log(1 - (y)) - ((x)/(1 - (x)) + "
        "log(1 - (x))) >= (y - x)*x/((1 - x)*(1 - y)))"), {"x": "phi", "y": "theta"}),
        ("Implies(And(d > 0, y > 0, 0 > e*y/d), e < 0)", {"d": "(1 - phi)*(1 - theta)", "y": "phi",
        "e": "theta - phi"}),
        (("Implies(And(0 < x, x < 1, 0 < y, y < 1), (y)/(1 - (y)) + log(1 - (y)) - ((x)/(1 - (x)) + "
        "log(1 - (x))) >= (y - x)*x/((1 - x)*(1 - y)))"), {"x": "theta", "y": "phi"}),
        ("Implies(And(w <= 6/1000*s, s <= a, w >= b), b <= 6/1000*a)",
        {"w": "(phi)/(1 - (phi)) + log(1 - (phi)) - ((theta)/(1 - (theta)) + log(1 - (theta)))",
        "s": "(theta)/(1 - (theta)) + log(1 - (theta))", "a": "theta**2/(1 - theta)",
        "b": "(phi - theta)*theta/((1 - theta)*(1 - phi))"}),
        ("Implies(And(x > 0, c > 0, d > 0, e*x/(c*d) <= 6/1000*(x**2/c)), e <= 6/1000*x*d)", {"x": "theta",
        "c": "1 - theta", "d": "1 - phi", "e": "phi - theta"}),
        ("Implies(And(0 < x, 0 < y, y < 1, e <= 6/1000*x*(1 - y)), e < 1/100*x)", {"x": "theta", "y": "phi",
        "e": "phi - theta"}), ("Implies(And(e > 0, e < b), Abs(e) < b)", {"e": "phi - theta", "b": "1/100*theta"}))},
    "app-B.3.source-4-dominated.in-use": {"lemmas": (("Implies(And(0 < p, p <= 1/100), -log(1 - p) <= p + 51/100*p**2)",
        {"p": "p0"}), "gap(p0) <= 51/100*p0", ("Implies(And(n >= 64, n <= 2048), And(sqrt(n) > 0, sqrt(n) <= 46))",
        {"n": "N"}), "1/(4*sqrt(N)) >= 1/184")},
    "app-B.3.source-4-dominated.every-N.corrected": {"witness": {"N": "floor((2000/3*C)**2) + 65"},
        "lemmas": (("Implies(And(0 < p, p <= 1/100), -log(1 - p) >= p + p**2/2)", {"p": "p0"}), "gap(p0) >= p0/2",
        "gap(p0) >= 3/2000", ("Implies(And(C > 0, n > (2000/3*C)**2), C/sqrt(n) < 3/2000)", {"C": "C",
        "n": "floor((2000/3*C)**2) + 65"}))},
    "table-8.fluctuation": {"order": {"N": ("1/(c*p0)", "1")}, "rate": {"n": ("1/(c*p0)", "1", "sqrt")},
        "lemmas": ((("Implies(And(0 < c, c <= 1, 0 < p, p <= 1, N > 0), And(c*N*p*(1 - p) >= 0, c*N*p*(1 - p) "
        "<= N))"), {"c": "c", "p": "p0", "N": "N"}, "N > 1"),
        ("Implies(And(a >= 0, b > 0, a <= b), sqrt(a) <= sqrt(b))", {"a": "c*N*p0*(1 - p0)", "b": "N"}, "N > 1"),
        "Implies(N > 1, sqrt(c*N*p0*(1 - p0))/(c*N*p0) <= 1/(c*p0)/sqrt(N))",
        (("Implies(And(0 < c, c <= 1, 0 < p, p <= 1, N > 0), And(c*N*p*(1 - p) >= 0, c*N*p*(1 - p) " "<= N))"),
        {"c": "c", "p": "p0", "N": "n"}, "n > 1"), ("Implies(And(a >= 0, b > 0, a <= b), sqrt(a) <= sqrt(b))",
        {"a": "c*n*p0*(1 - p0)", "b": "n"}, "n > 1"),
        "Implies(n > 1, sqrt(c*n*p0*(1 - p0))/(c*n*p0) <= 1/(c*p0)/sqrt(n))")},
    "table-8.rounding": {"order": {"N": ("1/theta", "1")}, "rate": {"n": ("1/theta", "1")}},
    "table-8.fluid.small-p0": {"rate": {"p0": ("t + 1", "1/2")},
        "lemmas": ("Implies(And(0 < p0, p0 < 1/2), And(log(1 - p0) < -p0, -log(1 - p0) <= p0 + 2*p0**2))",
        "Implies(And(0 < p0, p0 < 1/2), (1 - p0)**t == exp(t*log(1 - p0)))",
        ("Implies(And(0 < p0, p0 < 1/2), And(t*log(1 - p0) + p0*t <= 0, t*log(1 - p0) + p0*t >= " "-t*p0))"),
        ("Implies(u <= 0, And(exp(u) <= 1, exp(u) >= 1 + u))", {"u": "t*log(1 - p0) + p0*t"}, "And(0 < p0, p0 < 1/2)"),
        "Implies(And(0 < p0, p0 < 1/2), exp(t*log(1 - p0))/exp(-p0*t) == exp(t*log(1 - p0) + p0*t))")},
    "lem-B.2.at-1": {"rate": {"theta": ("1/2", "1", "1/2"), "x": ("1", "1/2"), "y": ("4", "1/2", "sqrt")},
        "lemmas": ("Implies(And(0 < y, y < 1), log(1 - y) >= 2 - 2/sqrt(1 - y))",)},
    "lem-B.4": {"lemmas": (("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))",
        {"a": "1 - theta", "b": "1 - theta0"}, "And(0 < theta, theta < 1)"),
        ("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "theta"}, "And(0 < theta, theta < 1)"),
        "alpha_d/p0*((theta0)/(1 - (theta0)) + log(1 - (theta0))) == alpha_p",
        ("Implies(And(q > 0, q*g == A, z + g >= x*r), q*x*r <= q*z + A)", {"q": "alpha_d/p0",
        "g": "(theta0)/(1 - (theta0)) + log(1 - (theta0))", "A": "alpha_p", "z": "-log(1 - theta)", "x": "theta",
        "r": "1/(1 - theta0)"}, "And(0 < theta, theta < 1)"), "And(beta_d*N/p0 >= 0, beta_p*N*mu_L >= 0)",
        "theta0*(alpha_d/(p0*(1 - theta0)) + beta_d*N/p0 + beta_p*N*mu_L) == T(theta0)",
        ("Implies(And(s > 0, U > 0, x > 0, x*s <= U, t > 0, V == t*s), x/U <= t/V)", {"x": "theta",
        "s": "alpha_d/(p0*(1 - theta0)) + beta_d*N/p0 + beta_p*N*mu_L", "U": "T(theta)", "t": "theta0",
        "V": "T(theta0)"}, "And(0 < theta, theta < 1)"))},
    "lem-B.4.cost": {"lemmas": (("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))",
        {"a": "1 - theta", "b": "1 - theta0"}), ("Implies(And(0 < x, x < 1), -log(1 - x) > 0)", {"x": "theta"}),
        "alpha_d/p0*((theta0)/(1 - (theta0)) + log(1 - (theta0))) == alpha_p",
        ("Implies(And(q > 0, q*g == A, z + g >= x*r), q*x*r <= q*z + A)", {"q": "alpha_d/p0",
        "g": "(theta0)/(1 - (theta0)) + log(1 - (theta0))", "A": "alpha_p", "z": "-log(1 - theta)", "x": "theta",
        "r": "1/(1 - theta0)"}), "And(beta_d*N/p0 >= 0, beta_p*N*mu_L >= 0)",
        ("Implies(And(s > 0, U > 0, x > 0, x*s <= U), x/U <= 1/s)", {"x": "theta",
        "s": "alpha_d/(p0*(1 - theta0)) + beta_d*N/p0 + beta_p*N*mu_L", "U": "T(theta)"}))},
    "lem-B.4.at-0": {"rate": {"theta": ("2*alpha_d/p0", "1/2")},
        "lemmas": (("Implies(And(0 < theta, theta < 1/2), And(theta/(1 - theta) + log(1 - theta) <= 2*theta, "
        "theta/(1 - theta) + log(1 - theta) >= 0))"),
        ("Implies(And(0 < theta, theta < 1/2), Phi(theta) == alpha_p - alpha_d/p0*(theta/(1 - "
        "theta) + log(1 - theta)))"), ("Implies(And(a > 0, s >= 0, s <= 2*x), And(a*s >= 0, a*s <= 2*a*x))",
        {"a": "alpha_d/p0", "s": "theta/(1 - theta) + log(1 - theta)", "x": "theta"}, "And(0 < theta, theta < 1/2)"))},
    "lem-B.4.at-1": {"rate": {"theta": ("alpha_d/p0/2", "alpha_d/p0 + alpha_p", "1/2"), "x": ("alpha_d/p0", "0",
        "1/2")}},
    "lem-B.4.unimodal": {"lemmas": (("Implies(And(0 < x, x < y, y <= theta0), R(x) < R(y))", {"x": "x", "y": "y'"}, "",
        ("Implies(And(theta0 <= x, x < y, y < 1), And(0 < x, 0 < y, x < 1))",
        (("Implies(And(0 < x, x < y, y <= theta0), y*(alpha_p - alpha_d/p0*log(1 - x)) > x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "x", "y": "y"}, "And(0 < x, x < y, y <= theta0)",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - y",
        "b": "1 - theta0"}, "And(0 < x, x < y, y <= theta0)"), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < "
        "(y - x)*e), y*(A - q*l) > x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - y)"}, "And(0 < x, x < y, y <= theta0)", ("q*y*(d - e) >= 0", "A - q*m >= q*y*e",
        "A - q*l > A - q*m - q*(y - x)*e")))), "beta_d*N/p0 + beta_p*N*mu_L >= 0",
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "x", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(0 < x, x < y, y <= theta0)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "y", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(0 < x, x < y, y <= theta0)"),
        (("Implies(And(0 < x, 0 < y, U > 0, V > 0, c >= 0, W == U + c*x, Z == V + c*y, y*U > x*V), " "x/W < y/Z)"),
        {"x": "x", "y": "y", "c": "beta_d*N/p0 + beta_p*N*mu_L", "U": "(alpha_p - alpha_d/p0*log(1 - x))",
        "V": "(alpha_p - alpha_d/p0*log(1 - y))", "W": "T(x)", "Z": "T(y)"}, "And(0 < x, x < y, y <= theta0)"))),
        ("Implies(And(theta0 <= x, x < y, y < 1), R(x) > R(y))", {"x": "z", "y": "y'"}, "",
        ("Implies(And(theta0 <= x, x < y, y < 1), And(0 < x, 0 < y, x < 1))",
        (("Implies(And(theta0 <= x, x < y, y < 1), y*(alpha_p - alpha_d/p0*log(1 - x)) < x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "x", "y": "y"}, "And(theta0 <= x, x < y, y < 1)",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - theta0",
        "b": "1 - x"}, "And(theta0 <= x, x < y, y < 1)"), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m "
        "- l < (x - y)*e), y*(A - q*l) < x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - x)"}, "And(theta0 <= x, x < y, y < 1)", ("q*t*(e - d) >= 0", "A - q*l <= q*x*e",
        "A - q*m > A - q*l + q*(y - x)*e")))), "beta_d*N/p0 + beta_p*N*mu_L >= 0",
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "x", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(theta0 <= x, x < y, y < 1)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "y", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(theta0 <= x, x < y, y < 1)"),
        (("Implies(And(0 < x, 0 < y, U > 0, V > 0, c >= 0, W == U + c*x, Z == V + c*y, y*U < x*V), " "x/W > y/Z)"),
        {"x": "x", "y": "y", "c": "beta_d*N/p0 + beta_p*N*mu_L", "U": "(alpha_p - alpha_d/p0*log(1 - x))",
        "V": "(alpha_p - alpha_d/p0*log(1 - y))", "W": "T(x)", "Z": "T(y)"}, "And(theta0 <= x, x < y, y < 1)"))),
        ("Implies(And(0 < theta, theta < 1, theta != theta0), R(theta) < R(theta0))", {}, "",
        (("Implies(And(0 < x, x < y, y <= theta0), R(x) < R(y))", {"x": "theta", "y": "theta0"}, "",
        ("Implies(And(theta0 <= x, x < y, y < 1), And(0 < x, 0 < y, x < 1))",
        (("Implies(And(0 < x, x < y, y <= theta0), y*(alpha_p - alpha_d/p0*log(1 - x)) > x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "x", "y": "y"}, "And(0 < x, x < y, y <= theta0)",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - y",
        "b": "1 - theta0"}, "And(0 < x, x < y, y <= theta0)"), ("Implies(u > 1, log(u) < u - 1)", {"u": "b/a"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(b/a > 1, b/a > 0, log(b/a) == log(b) - log(a)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(b) - log(a) < b/a - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < y, x < y, q*(t*d + n) == A, e <= d, m - n <= (t - y)*d, l - m < "
        "(y - x)*e), y*(A - q*l) > x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - y)"}, "And(0 < x, x < y, y <= theta0)", ("q*y*(d - e) >= 0", "A - q*m >= q*y*e",
        "A - q*l > A - q*m - q*(y - x)*e")))), "beta_d*N/p0 + beta_p*N*mu_L >= 0",
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "x", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(0 < x, x < y, y <= theta0)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "y", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(0 < x, x < y, y <= theta0)"),
        (("Implies(And(0 < x, 0 < y, U > 0, V > 0, c >= 0, W == U + c*x, Z == V + c*y, y*U > x*V), " "x/W < y/Z)"),
        {"x": "x", "y": "y", "c": "beta_d*N/p0 + beta_p*N*mu_L", "U": "(alpha_p - alpha_d/p0*log(1 - x))",
        "V": "(alpha_p - alpha_d/p0*log(1 - y))", "W": "T(x)", "Z": "T(y)"}, "And(0 < x, x < y, y <= theta0)"))),
        ("Implies(And(theta0 <= x, x < y, y < 1), R(x) > R(y))", {"x": "theta0", "y": "theta"}, "",
        ("Implies(And(theta0 <= x, x < y, y < 1), And(0 < x, 0 < y, x < 1))",
        (("Implies(And(theta0 <= x, x < y, y < 1), y*(alpha_p - alpha_d/p0*log(1 - x)) < x*(alpha_p "
        "- alpha_d/p0*log(1 - y)))"), {"x": "x", "y": "y"}, "And(theta0 <= x, x < y, y < 1)",
        ("alpha_d/p0*(theta0*(1/(1 - theta0)) + log(1 - theta0)) == alpha_p",
        ("Implies(And(a > 0, b > 0), And(log(a/b) <= a/b - 1, log(a/b) == log(a) - log(b)))", {"a": "1 - theta0",
        "b": "1 - x"}, "And(theta0 <= x, x < y, y < 1)"), ("Implies(And(0 < u, u < 1), log(u) < u - 1)", {"u": "a/b"},
        "And(0 < a, a < b)"), ("Implies(And(0 < a, a < b), And(a/b < 1, a/b > 0, log(a/b) == log(a) - log(b)))",
        {"a": "a", "b": "b"}), ("Implies(And(0 < a, a < b), log(a) - log(b) < a/b - 1)", {"a": "1 - y", "b": "1 - x"},
        "And(0 < x, x < y, y < 1)"),
        (("Implies(And(q > 0, 0 < t, t <= x, x < y, q*(t*d + n) == A, d <= e, n - l <= (x - t)*e, m "
        "- l < (x - y)*e), y*(A - q*l) < x*(A - q*m))"), {"q": "alpha_d/p0", "A": "alpha_p", "t": "theta0",
        "d": "1/(1 - theta0)", "n": "log(1 - theta0)", "x": "x", "y": "y", "l": "log(1 - x)", "m": "log(1 - y)",
        "e": "1/(1 - x)"}, "And(theta0 <= x, x < y, y < 1)", ("q*t*(e - d) >= 0", "A - q*l <= q*x*e",
        "A - q*m > A - q*l + q*(y - x)*e")))), "beta_d*N/p0 + beta_p*N*mu_L >= 0",
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "x", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(theta0 <= x, x < y, y < 1)"),
        ("Implies(And(0 < x, x < 1, a > 0, p > 0, A > 0), A - a/p*log(1 - x) > 0)", {"x": "y", "a": "alpha_d",
        "p": "p0", "A": "alpha_p"}, "And(theta0 <= x, x < y, y < 1)"),
        (("Implies(And(0 < x, 0 < y, U > 0, V > 0, c >= 0, W == U + c*x, Z == V + c*y, y*U < x*V), " "x/W > y/Z)"),
        {"x": "x", "y": "y", "c": "beta_d*N/p0 + beta_p*N*mu_L", "U": "(alpha_p - alpha_d/p0*log(1 - x))",
        "V": "(alpha_p - alpha_d/p0*log(1 - y))", "W": "T(x)", "Z": "T(y)"}, "And(theta0 <= x, x < y, y < 1)"))),
        "Or(theta < theta0, theta > theta0)", "Implies(Or(theta < theta0, theta > theta0), R(theta) < R(theta0))")))},
    "app-C.1.log": {"lemmas": ("exp(-p0*t - eta*t**2/2) > 0",
        ("Implies(And(N > 0, x > 0), log(N*x) == log(N) + log(x))", {"x": "exp(-p0*t - eta*t**2/2)", "N": "N"}))},
    "app-C.2.stop": {"lemmas": ("exp(-p0*T - eta*T**2/2) == 1 - theta",)},
    "app-C.2.xi": {"lemmas": ("zeta(theta) > 0",
        "sqrt(p0**2 + 2*eta*zeta(theta))**2 == p0**2*sqrt(1 + 2*xi(theta))**2",
        ("Implies(And(p > 0, s > 0, r > 0, s**2 == p**2*r**2), s == p*r)", {"p": "p0",
        "s": "sqrt(p0**2 + 2*eta*zeta(theta))", "r": "sqrt(1 + 2*xi(theta))"}))},
    "app-C.2.sqrt": {"order": {"xi": ("1/2", "1"), "x": ("1/2", "1")},
        "lemmas": ((("Implies(x > 0, And(sqrt(1 + 2*x) >= 1 + x - x**2/2, sqrt(1 + 2*x) <= 1 + x - x**2/2 + "
        "x**3/2))"), {"x": "xi"}, "xi > 0", (), ("x", "0")),
        (("Implies(x > 0, And(sqrt(1 + 2*x) >= 1 + x - x**2/2, sqrt(1 + 2*x) <= 1 + x - x**2/2 + " "x**3/2))"), {}, "",
        (), ("x", "0")))},
    "eq-17": {"order": {"eta": ("zeta(theta)**3/(2*p0**5)", "1")}, "lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}, "And(0 < eta, eta < 1)"),
        (("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(t < z/p, t - (z/p - "
        "e*z**2/(2*p**3)) >= 0, t - (z/p - e*z**2/(2*p**3)) <= e**2*z**3/(2*p**5)))"), {"p": "p0", "e": "eta",
        "t": "dur(theta, eta)", "z": "zeta(theta)"}, "And(0 < eta, eta < 1)"))},
    "eq-17.T1": {"lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), (("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(t < z/p, t - (z/p - "
        "e*z**2/(2*p**3)) >= 0, t - (z/p - e*z**2/(2*p**3)) <= e**2*z**3/(2*p**5)))"), {"p": "p0", "e": "eta",
        "t": "dur(theta, eta)", "z": "zeta(theta)"}))},
    "app-C.3.upper": {"primitives": {"s": ()}, "order": {"eta": ("N*zeta(theta)**3/(2*p0**5)", "p0**2/zeta(theta)")},
        "lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}, "And(0 < eta, eta < p0**2/zeta(theta))"),
        (("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(t < z/p, t - (z/p - "
        "e*z**2/(2*p**3)) >= 0, t - (z/p - e*z**2/(2*p**3)) <= e**2*z**3/(2*p**5)))"), {"p": "p0", "e": "eta",
        "t": "dur(theta, eta)", "z": "zeta(theta)"}, "And(0 < eta, eta < p0**2/zeta(theta))"),
        ("Implies(And(p > 0, z > 0, e > 0, e < p**2/z), z/p - e*z**2/(2*p**3) > 0)", {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}, "And(0 < eta, eta < p0**2/zeta(theta))", ("e*z < p**2",)),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < a, a <= b), And(Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, b)) - Integral(n*exp(-p*s)*exp(-e*s**2/2), (s, 0, a)) >= 0, Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, b)) - Integral(n*exp(-p*s)*exp(-e*s**2/2), (s, 0, a)) <= n*(b - a)))"), {"p": "p0",
        "e": "eta", "n": "N", "a": "zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3)", "b": "dur(theta, eta)"},
        "And(0 < eta, eta < p0**2/zeta(theta))",
        ((("Implies(And(p > 0, e > 0, n > 0, 0 < a), And(Integral(n*exp(-p*s - e*s**2/2), (s, 0, a)) "
        ">= Integral(n*exp(-p*s)*exp(-e*s**2/2), (s, 0, a)), Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, a)) <= Integral(n*exp(-p*s)*exp(-e*s**2/2), (s, 0, a))))"), {}, "", (), ("a", "0")),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < a, a <= b), And(Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, b)) >= Integral(n*exp(-p*s - e*s**2/2), (s, 0, a)), Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, b)) <= Integral(n*exp(-p*s - e*s**2/2), (s, 0, a)) + n*(b - a)))"), {}, "", (), ("b",
        "a")))), ("Implies(And(n > 0, i - g >= 0, i - g <= n*d, d <= y), And(i - g >= 0, i - g <= n*y))", {"n": "N",
        "i": "cum(theta, eta)", "g": ("Integral(N*exp(-p0*s)*exp(-eta*s**2/2), (s, 0, zeta(theta)/p0 - "
        "eta*zeta(theta)**2/(2*p0**3)))"), "d": "dur(theta, eta) - (zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3))",
        "y": "eta**2*zeta(theta)**3/(2*p0**5)"}, "And(0 < eta, eta < p0**2/zeta(theta))"))},
    "app-C.3.first-order": {"primitives": {"s": ("n*(-exp(-p*s)/p + e/2*exp(-p*s)*(s**2/p + 2*s/p**2 + 2/p**3))",
        "n*(-exp(-p*s)/p + e/2*exp(-p*s)*(s**2/p + 2*s/p**2 + 2/p**3)) + n*e**2*s**5/40")},
        "order": {"eta": (("N*((zeta(theta)**4/4 + zeta(theta)**2*(1 + zeta(theta))/2)/p0**5 + "
        "zeta(theta)**5/p0**5/40)"), "1")},
        "lemmas": ((("Implies(And(0 < eta, eta < 1), And(cum(theta, eta) - N*theta/p0 - eta*N/p0**3*((1 - "
        "theta)*zeta(theta) - theta) >= 0, cum(theta, eta) - N*theta/p0 - eta*N/p0**3*((1 - "
        "theta)*zeta(theta) - theta) <= (N*((zeta(theta)**4/4 + zeta(theta)**2*(1 + "
        "zeta(theta))/2)/p0**5 + zeta(theta)**5/p0**5/40))*eta**2))"), {}, "", ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}),
        (("Implies(And(p > 0, e > 0, n > 0, d > 0), And(Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) "
        ">= n*((1 - exp(-p*d))/p - e/p**3 + e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)), "
        "Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) <= n*((1 - exp(-p*d))/p - e/p**3 + "
        "e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)) + n*e**2*d**5/40))"), {"n": "N", "p": "p0", "e": "eta",
        "d": "dur(theta, eta)"}, "", (("Implies(v >= 0, And(exp(-v) >= 1 - v, exp(-v) <= 1 - v + v**2/2))",
        {"v": "e*s**2/2"}), "exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)",
        "Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))",
        (("Implies(And(u > 0, u <= 1, v >= 0, f >= 1 - v, f <= 1 - v + v**2/2), And(u*f >= u*(1 - "
        "v), u*f <= u*(1 - v) + v**2/2))"), {"u": "exp(-p*s)", "v": "e*s**2/2", "f": "exp(-e*s**2/2)"}),
        ("Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) >= exp(-p*s)*(1 - e*s**2/2), "
        "exp(-p*s - e*s**2/2) <= exp(-p*s)*(1 - e*s**2/2) + e**2*s**4/8))"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= "
        "n*((1 - exp(-p*d))/p - e/p**3 + e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)))"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) <= "
        "n*((1 - exp(-p*d))/p - e/p**3 + e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)) + " "n*e**2*d**5/40)"))),
        ("Implies(x >= 0, And(exp(x) >= 1 + x, exp(x)*(1 - x) <= 1))", {"x": "eta*dur(theta, eta)**2/2"}),
        "exp(log(1 - theta)) == 1 - theta",
        ("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(-p*t < 0, t <= z/p))", {"p": "p0", "e": "eta",
        "t": "dur(theta, eta)", "z": "zeta(theta)"}), ("exp(x + l) == exp(l)*exp(x)", {"x": "eta*dur(theta, eta)**2/2",
        "l": "log(1 - theta)"}), ("Implies(a >= b, exp(a) >= exp(b))", {"a": "-p0*dur(theta, eta)",
        "b": "eta*dur(theta, eta)**2/2 + log(1 - theta)"}), ("Implies(a >= b, exp(a) >= exp(b))",
        {"a": "eta*dur(theta, eta)**2/2 + log(1 - theta)", "b": "-p0*dur(theta, eta)"}),
        ("Implies(y < 0, exp(y) <= 1)", {"y": "-p0*dur(theta, eta)"}),
        ("Implies(And(a >= b, b >= a, b == c*d, c == u, a <= 1), And(a == u*d, u*d <= 1))",
        {"a": "exp(-p0*dur(theta, eta))", "b": "exp(eta*dur(theta, eta)**2/2 + log(1 - theta))",
        "c": "exp(log(1 - theta))", "d": "exp(eta*dur(theta, eta)**2/2)", "u": "1 - theta"}),
        (("Implies(And(p > 0, e > 0, t > 0, q > 0, w == e*t**2/2, h >= 1 + w, h*(1 - w) <= 1, q*h "
        "<= 1, p*t + w == z), And((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - "
        "(1 - q)/p - e/p**3*(q*z - (1 - q)) >= 0, (1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + "
        "2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - (1 - q)) <= e**2*(z**4/4 + z**2*(1 + " "z)/2)/p**5))"),
        {"p": "p0", "e": "eta", "t": "dur(theta, eta)", "q": "1 - theta", "z": "zeta(theta)",
        "h": "exp(eta*dur(theta, eta)**2/2)", "w": "eta*dur(theta, eta)**2/2"}, "", ("w >= 0", "t <= z/p", "p*t <= z",
        "e*t**2 <= e*z**2/p**2", "w <= e*z**2/(2*p**2)", "q*(1 - h + w*h) >= 0", "1 - h + w*h <= w**2*h",
        "w**2*(q*h) <= w**2", "q*(1 - h + w*h) <= w**2", "(h - 1)*(p*t + 1) - w >= 0",
        "(h - 1)*(p*t + 1) - w <= w*h*(1 + z)", "w*(1 + z)*(q*h) <= w*(1 + z)", "q*((h - 1)*(p*t + 1) - w) >= 0",
        "q*((h - 1)*(p*t + 1) - w) <= w*(1 + z)",
        ("(1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - "
        "(1 - q)) == q*(1 - h + w*h)/p + e*(q*((h - 1)*(p*t + 1) - w))/p**3"), "w**2 <= e**2*z**4/(4*p**4)", "z >= 0",
        ("Implies(And(w <= a, y >= 1), w*y <= a*y)", {"w": "w", "a": "e*z**2/(2*p**2)", "y": "1 + z"}),
        "w**2/p <= e**2*z**4/(4*p**5)", "e*(w*(1 + z))/p**3 <= e**2*z**2*(1 + z)/(2*p**5)",
        "And(q*(1 - h + w*h)/p >= 0, q*(1 - h + w*h)/p <= w**2/p)",
        ("And(e*(q*((h - 1)*(p*t + 1) - w))/p**3 >= 0, e*(q*((h - 1)*(p*t + 1) - w))/p**3 <= "
        "e*(w*(1 + z))/p**3)"))),
        (("Implies(And(p > 0, e > 0, n > 0, t > 0, t <= z/p, x == q*h, (1 - q*h)/p - e/p**3 + "
        "e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - (1 - q)) >= 0, (1 - "
        "q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - (1 - "
        "q)) <= e**2*(z**4/4 + z**2*(1 + z)/2)/p**5, i >= n*((1 - x)/p - e/p**3 + e/2*x*(t**2/p + "
        "2*t/p**2 + 2/p**3)), i <= n*((1 - x)/p - e/p**3 + e/2*x*(t**2/p + 2*t/p**2 + 2/p**3)) + "
        "n*e**2*t**5/40), And(i - n*(1 - q)/p - e*n/p**3*(q*z - (1 - q)) >= 0, i - n*(1 - q)/p - "
        "e*n/p**3*(q*z - (1 - q)) <= e**2*(n*((z**4/4 + z**2*(1 + z)/2)/p**5 + z**5/p**5/40))))"), {"p": "p0",
        "e": "eta", "t": "dur(theta, eta)", "q": "1 - theta", "z": "zeta(theta)", "h": "exp(eta*dur(theta, eta)**2/2)",
        "x": "exp(-p0*dur(theta, eta))", "n": "N", "i": "cum(theta, eta)"}, "",
        (("Implies(And(t > 0, t <= y), t**5 <= y**5)", {"t": "t", "y": "z/p"}),
        ("i - n*(1 - q)/p - e*n/p**3*(q*z - (1 - q)) == (i - n*((1 - x)/p - e/p**3 + e/2*x*(t**2/p "
        "+ 2*t/p**2 + 2/p**3))) + n*((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) "
        "- (1 - q)/p - e/p**3*(q*z - (1 - q)))"),
        ("n*((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z "
        "- (1 - q))) >= 0"),
        ("n*((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z "
        "- (1 - q))) <= n*(e**2*(z**4/4 + z**2*(1 + z)/2)/p**5)"), "n*e**2*t**5/40 <= n*e**2*(z/p)**5/40")))),
        ("N*exp(-p0*T0)*(-zeta(theta)**2/(2*p0**3)) - N/2*Integral(s**2*exp(-p0*s), (s, 0, T0)) == "
        "N/p0**3*((1 - theta)*zeta(theta) - theta)"))},
    "eq-18": {"primitives": {"s": ("n*(-exp(-p*s)/p + e/2*exp(-p*s)*(s**2/p + 2*s/p**2 + 2/p**3))",
        "n*(-exp(-p*s)/p + e/2*exp(-p*s)*(s**2/p + 2*s/p**2 + 2/p**3)) + n*e**2*s**5/40")},
        "order": {"eta": (("N*((zeta(theta)**4/4 + zeta(theta)**2*(1 + zeta(theta))/2)/p0**5 + "
        "zeta(theta)**5/p0**5/40)"), "1")},
        "lemmas": ((("Implies(And(0 < eta, eta < 1), And(cum(theta, eta) - N*theta/p0 - eta*N/p0**3*((1 - "
        "theta)*zeta(theta) - theta) >= 0, cum(theta, eta) - N*theta/p0 - eta*N/p0**3*((1 - "
        "theta)*zeta(theta) - theta) <= (N*((zeta(theta)**4/4 + zeta(theta)**2*(1 + "
        "zeta(theta))/2)/p0**5 + zeta(theta)**5/p0**5/40))*eta**2))"), {}, "", ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}),
        (("Implies(And(p > 0, e > 0, n > 0, d > 0), And(Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) "
        ">= n*((1 - exp(-p*d))/p - e/p**3 + e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)), "
        "Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) <= n*((1 - exp(-p*d))/p - e/p**3 + "
        "e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)) + n*e**2*d**5/40))"), {"n": "N", "p": "p0", "e": "eta",
        "d": "dur(theta, eta)"}, "", (("Implies(v >= 0, And(exp(-v) >= 1 - v, exp(-v) <= 1 - v + v**2/2))",
        {"v": "e*s**2/2"}), "exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)",
        "Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))",
        (("Implies(And(u > 0, u <= 1, v >= 0, f >= 1 - v, f <= 1 - v + v**2/2), And(u*f >= u*(1 - "
        "v), u*f <= u*(1 - v) + v**2/2))"), {"u": "exp(-p*s)", "v": "e*s**2/2", "f": "exp(-e*s**2/2)"}),
        ("Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) >= exp(-p*s)*(1 - e*s**2/2), "
        "exp(-p*s - e*s**2/2) <= exp(-p*s)*(1 - e*s**2/2) + e**2*s**4/8))"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= "
        "n*((1 - exp(-p*d))/p - e/p**3 + e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)))"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) <= "
        "n*((1 - exp(-p*d))/p - e/p**3 + e/2*exp(-p*d)*(d**2/p + 2*d/p**2 + 2/p**3)) + " "n*e**2*d**5/40)"))),
        ("Implies(x >= 0, And(exp(x) >= 1 + x, exp(x)*(1 - x) <= 1))", {"x": "eta*dur(theta, eta)**2/2"}),
        "exp(log(1 - theta)) == 1 - theta",
        ("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), And(-p*t < 0, t <= z/p))", {"p": "p0", "e": "eta",
        "t": "dur(theta, eta)", "z": "zeta(theta)"}), ("exp(x + l) == exp(l)*exp(x)", {"x": "eta*dur(theta, eta)**2/2",
        "l": "log(1 - theta)"}), ("Implies(a >= b, exp(a) >= exp(b))", {"a": "-p0*dur(theta, eta)",
        "b": "eta*dur(theta, eta)**2/2 + log(1 - theta)"}), ("Implies(a >= b, exp(a) >= exp(b))",
        {"a": "eta*dur(theta, eta)**2/2 + log(1 - theta)", "b": "-p0*dur(theta, eta)"}),
        ("Implies(y < 0, exp(y) <= 1)", {"y": "-p0*dur(theta, eta)"}),
        ("Implies(And(a >= b, b >= a, b == c*d, c == u, a <= 1), And(a == u*d, u*d <= 1))",
        {"a": "exp(-p0*dur(theta, eta))", "b": "exp(eta*dur(theta, eta)**2/2 + log(1 - theta))",
        "c": "exp(log(1 - theta))", "d": "exp(eta*dur(theta, eta)**2/2)", "u": "1 - theta"}),
        (("Implies(And(p > 0, e > 0, t > 0, q > 0, w == e*t**2/2, h >= 1 + w, h*(1 - w) <= 1, q*h "
        "<= 1, p*t + w == z), And((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - "
        "(1 - q)/p - e/p**3*(q*z - (1 - q)) >= 0, (1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + "
        "2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - (1 - q)) <= e**2*(z**4/4 + z**2*(1 + " "z)/2)/p**5))"),
        {"p": "p0", "e": "eta", "t": "dur(theta, eta)", "q": "1 - theta", "z": "zeta(theta)",
        "h": "exp(eta*dur(theta, eta)**2/2)", "w": "eta*dur(theta, eta)**2/2"}, "", ("w >= 0", "t <= z/p", "p*t <= z",
        "e*t**2 <= e*z**2/p**2", "w <= e*z**2/(2*p**2)", "q*(1 - h + w*h) >= 0", "1 - h + w*h <= w**2*h",
        "w**2*(q*h) <= w**2", "q*(1 - h + w*h) <= w**2", "(h - 1)*(p*t + 1) - w >= 0",
        "(h - 1)*(p*t + 1) - w <= w*h*(1 + z)", "w*(1 + z)*(q*h) <= w*(1 + z)", "q*((h - 1)*(p*t + 1) - w) >= 0",
        "q*((h - 1)*(p*t + 1) - w) <= w*(1 + z)",
        ("(1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - "
        "(1 - q)) == q*(1 - h + w*h)/p + e*(q*((h - 1)*(p*t + 1) - w))/p**3"), "w**2 <= e**2*z**4/(4*p**4)", "z >= 0",
        ("Implies(And(w <= a, y >= 1), w*y <= a*y)", {"w": "w", "a": "e*z**2/(2*p**2)", "y": "1 + z"}),
        "w**2/p <= e**2*z**4/(4*p**5)", "e*(w*(1 + z))/p**3 <= e**2*z**2*(1 + z)/(2*p**5)",
        "And(q*(1 - h + w*h)/p >= 0, q*(1 - h + w*h)/p <= w**2/p)",
        ("And(e*(q*((h - 1)*(p*t + 1) - w))/p**3 >= 0, e*(q*((h - 1)*(p*t + 1) - w))/p**3 <= "
        "e*(w*(1 + z))/p**3)"))),
        (("Implies(And(p > 0, e > 0, n > 0, t > 0, t <= z/p, x == q*h, (1 - q*h)/p - e/p**3 + "
        "e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - (1 - q)) >= 0, (1 - "
        "q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z - (1 - "
        "q)) <= e**2*(z**4/4 + z**2*(1 + z)/2)/p**5, i >= n*((1 - x)/p - e/p**3 + e/2*x*(t**2/p + "
        "2*t/p**2 + 2/p**3)), i <= n*((1 - x)/p - e/p**3 + e/2*x*(t**2/p + 2*t/p**2 + 2/p**3)) + "
        "n*e**2*t**5/40), And(i - n*(1 - q)/p - e*n/p**3*(q*z - (1 - q)) >= 0, i - n*(1 - q)/p - "
        "e*n/p**3*(q*z - (1 - q)) <= e**2*(n*((z**4/4 + z**2*(1 + z)/2)/p**5 + z**5/p**5/40))))"), {"p": "p0",
        "e": "eta", "t": "dur(theta, eta)", "q": "1 - theta", "z": "zeta(theta)", "h": "exp(eta*dur(theta, eta)**2/2)",
        "x": "exp(-p0*dur(theta, eta))", "n": "N", "i": "cum(theta, eta)"}, "",
        (("Implies(And(t > 0, t <= y), t**5 <= y**5)", {"t": "t", "y": "z/p"}),
        ("i - n*(1 - q)/p - e*n/p**3*(q*z - (1 - q)) == (i - n*((1 - x)/p - e/p**3 + e/2*x*(t**2/p "
        "+ 2*t/p**2 + 2/p**3))) + n*((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) "
        "- (1 - q)/p - e/p**3*(q*z - (1 - q)))"),
        ("n*((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z "
        "- (1 - q))) >= 0"),
        ("n*((1 - q*h)/p - e/p**3 + e/2*q*h*(t**2/p + 2*t/p**2 + 2/p**3) - (1 - q)/p - e/p**3*(q*z "
        "- (1 - q))) <= n*(e**2*(z**4/4 + z**2*(1 + z)/2)/p**5)"), "n*e**2*t**5/40 <= n*e**2*(z/p)**5/40")))),)},
    "eq-18.small-theta": {"order": {"theta": ("1", "1/2"), "x": ("1", "1/2"), "y": ("1", "1/2")}},
    "eq-18.reduces": {"primitives": {"s": ("-n*exp(-p*s)/p",)}, "lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), ("Implies(And(p > 0, e > 0, t > 0, p*t + e*t**2/2 == z), -p*t > -z)", {"p": "p0",
        "e": "eta", "t": "dur(theta, eta)", "z": "zeta(theta)"}), ("Implies(a > b, exp(a) > exp(b))",
        {"a": "-p0*dur(theta, eta)", "b": "log(1 - theta)"}), "exp(log(1 - theta)) == 1 - theta",
        (("Implies(And(n > 0, p > 0, e > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) <= "
        "n/p*(1 - exp(-p*d)))"), {"n": "N", "p": "p0", "e": "eta", "d": "dur(theta, eta)"}),
        ("Implies(And(n > 0, p > 0, x > 1 - t, i <= n/p*(1 - x)), i < n*t/p)", {"n": "N", "p": "p0", "t": "theta",
        "x": "exp(-p0*dur(theta, eta))", "i": "cum(theta, eta)"}))},
    "app-C.4.T": {"primitives": {"s": ()}, "lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}))},
    "app-C.4.substituted": {"order": {"eta": ("alpha_d*c1 + beta_d*c2", "r")},
        "lemmas": ((("Implies(And(a > 0, b >= 0, x <= c*s, x >= -c*s, y <= d*s, y >= -d*s), And(a*x + b*y <= "
        "(a*c + b*d)*s, a*x + b*y >= -(a*c + b*d)*s))"), {"a": "alpha_d", "b": "beta_d", "c": "c1", "d": "c2",
        "s": "eta**2", "x": "D(eta) - (zeta(theta)/p0 - eta*zeta(theta)**2/(2*p0**3))",
        "y": "C(eta) - (N*theta/p0 + eta*N/p0**3*((1 - theta)*zeta(theta) - theta))"}, "And(0 < eta, eta < r)"),)},
    "app-C.5.Phi": {"primitives": {"s": ()}, "lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), "sqrt(p0**2 + 2*eta*zeta(theta)) == p0 + eta*dur(theta, eta)",
        "diff(dur(theta, eta), theta) == 1/((1 - theta)*sqrt(p0**2 + 2*eta*zeta(theta)))",
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(theta, eta)"}), "alpha_d*dur(theta, eta) > 0", "cyc(theta, eta) > 0",
        ("diff(theta/cyc(theta, eta), theta) == (cyc(theta, eta) - theta*At(diff(cyc(x, eta), x), "
        "x, theta))/cyc(theta, eta)**2"), ("Implies(And(c > 0, d == g/c**2, d == 0), g == 0)", {"c": "cyc(theta, eta)",
        "d": "diff(theta/cyc(theta, eta), theta)",
        "g": "cyc(theta, eta) - theta*At(diff(cyc(x, eta), x), x, theta)"}))},
    "app-C.5.Phi.no-token-cost": {"lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), "sqrt(p0**2 + 2*eta*zeta(theta)) == p0 + eta*dur(theta, eta)",
        "diff(dur(theta, eta), theta) == 1/((1 - theta)*sqrt(p0**2 + 2*eta*zeta(theta)))",
        "alpha_d*dur(theta, eta) > 0", "cyd(theta, eta) > 0")},
    "app-C.5.Dtheta": {"primitives": {"s": ()},
        "order": {"eta": (("(((((((1 + (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0) + "
        "((p0*alpha_p/alpha_d) + 2)**2)*(2*(p0*alpha_p/alpha_d) + 2 + (beta_d*N/alpha_d)) + "
        "(beta_d*N/alpha_d)*((p0*alpha_p/alpha_d) + 2)**4)/p0**4)*((1 - theta0)**2/theta0) + (((1 "
        "+ (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))/p0**2)*((((1 + "
        "(beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0)/p0**2)/theta0**2)"),
        "p0**2/(4*(1 + beta_d*N/alpha_d))")},
        "lemmas": ((("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) "
        ">= 0, Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) <= n*(1 - exp(-p*u))/p, "
        "Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) >= n*(1 - exp(-p*u))/p - n*e*u**3/6))"), {"u": "u"}, "",
        (("Implies(v >= 0, And(exp(-v) <= 1, exp(-v) >= 1 - v))", {"v": "e*s**2/2"}),
        ("exp(-p*s - e*s**2/2) == exp(-p*s)*exp(-e*s**2/2)", {"s": "s"}),
        ("Implies(And(p > 0, s >= 0), And(exp(-p*s) > 0, exp(-p*s) <= 1))", {"s": "s"}),
        (("Implies(And(p > 0, e > 0, s >= 0), And(exp(-p*s - e*s**2/2) <= exp(-p*s), exp(-p*s - "
        "e*s**2/2) >= exp(-p*s) - e*s**2/2))"), {"s": "s"})), ("u", "0")),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), ((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= 0)"), {"u": "u"}, "", (), ("u", "0")),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) <= n*e*(u/p - (1 - exp(-p*u))/p**2), ((p + "
        "e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= "
        "n*e*(u/p - (1 - exp(-p*u))/p**2) - n*e**2*u**4/24))"), {"u": "u"}, "", (), ("u", "0")),
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, 4*e*(1 + r) <= p**2, 0 < x, x < 1, 0 < y, y < "
        "1, T > 0, p*T + e*T**2/2 == -log(1 - x), (y/(1 - y) + log(1 - y)) == g, (x/(1 - x) + "
        "log(1 - x)) - g == (e*T**2/2 + e*g*T/p + k), k >= 0, k <= r*e*(T/p - (1 - "
        "exp(-p*T))/p**2), k >= r*e*(T/p - (1 - exp(-p*T))/p**2) - r*e**2*T**4/24, c == -log(1 - "
        "y)), And(x - y - e*((c**2/2 + g*c + r*(c - y))/p**2)*((1 - y)**2/y) <= e**2*(((((((1 + "
        "r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)*((((1 + r)*(g + "
        "2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2), x - y - e*((c**2/2 + g*c + r*(c - "
        "y))/p**2)*((1 - y)**2/y) >= -e**2*(((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + "
        "(g + 2)**2)*(2*g + 2 + r) + r*(g + 2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 "
        "+ g*(g + 2))/p**2)*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2)))"), {"k": "k"}, "",
        ("-log(1 - x) > 0", "c > 0", "p*T <= -log(1 - x)", "T <= -log(1 - x)/p",
        ("Implies(v > 0, exp(-v) <= 1 - v + v**2/2)", {"v": "p*T"}), "(T/p - (1 - exp(-p*T))/p**2) <= T**2/2",
        "r*e*(T/p - (1 - exp(-p*T))/p**2) <= r*e*(T**2/2)", "k <= r*e*T**2/2", "exp(-log(1 - x)) == 1/(1 - x)",
        "x/(1 - x) == 1/(1 - x) - 1",
        (("Implies(And(0 < p, 0 < e, 0 <= r, 0 < g, 4*e*(1 + r) <= p**2, 0 < z, 0 < T, T <= z/p, k "
        "<= r*e*T**2/2, exp(z) - 1 - z - g == (e*T**2/2 + e*g*T/p + k)), z < g + 2)"), {"z": "-log(1 - x)"}, "",
        ("exp(z) >= 1 + z + z**2/2", "e*(1 + r)*T**2 <= e*(1 + r)*(z/p)**2", "e*(1 + r)*(z/p)**2 <= z**2/4",
        "e*g*T/p <= e*g*(z/p)/p", "4*e*r >= 0", "4*e <= p**2", "g*z*(4*e) <= g*z*p**2", "e*g*(z/p)/p <= g*z/4",
        "z**2/2 <= g + z**2/8 + g*z/4", "Implies(And(z**2/2 <= g + z**2/8 + g*z/4, g > 0), z < g + 2)")),
        "T < (g + 2)/p", "T**2 <= ((g + 2)/p)**2", "e*g*T/p <= e*g*((g + 2)/p)/p",
        "r*e*T**2/2 <= r*e*((g + 2)/p)**2/2", "e*T**2/2 <= e*((g + 2)/p)**2/2",
        "(e*T**2/2 + e*g*T/p + k) <= e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)", "(e*T**2/2 + e*g*T/p + k) >= 0",
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "x", "v": "y"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))),
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "y", "v": "x"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))), "x/(1 - x)**2*(x - y) >= (e*T**2/2 + e*g*T/p + k)",
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)**2*(x - y)", "x/(1 - x)**2 > 0",
        ("Implies(And(q*l >= i, i >= 0, q > 0), l >= 0)", {"q": "x/(1 - x)**2", "l": "x - y",
        "i": "(e*T**2/2 + e*g*T/p + k)"}),
        (("Implies(And(0 < y, y <= x, x < 1, z == -log(1 - x), c == -log(1 - y)), And(z - c >= x - "
        "y, x/(1 - x) - y/(1 - y) - (z - c) >= y/(1 - y)*(z - c)))"), {"z": "-log(1 - x)"}, "",
        ((("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) <= u/v - 1, log(u/v) == "
        "log(u) - log(v)))"), {"u": "1 - y", "v": "1 - x"}), "(1 - y)/(1 - x) - 1 == (x - y)/(1 - x)",
        "1 - 1/((1 - y)/(1 - x)) == (x - y)/(1 - y)", "(x - y)/(1 - y) >= x - y",
        "x/(1 - x) - y/(1 - y) == (x - y)/(1 - x)*(1/(1 - y))", ("Implies(And(d <= f, q > 0), d*q <= f*q)",
        {"d": "z - c", "f": "(x - y)/(1 - x)", "q": "1/(1 - y)"}),
        "(z - c)*(1/(1 - y)) - (z - c) == y/(1 - y)*(z - c)")),
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)*(-log(1 - x) - c)", ("Implies(And(f > 0, i <= w, i >= f*l), l <= w/f)",
        {"l": "-log(1 - x) - c", "f": "y/(1 - y)", "w": "e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)",
        "i": "(e*T**2/2 + e*g*T/p + k)"}, "", ("f*l <= w", "1/f*(f*l) <= 1/f*w")),
        ("e*(u/p**2)/(y/(1 - y)) == e*(u*(1 - y)/y)/p**2", {"u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))"}),
        (("Implies(And(p > 0, e > 0, T > 0, p*T + e*T**2/2 == z, z < h, z - c >= 0, z - c <= "
        "e*v/p**2, c > 0), And(T <= h/p, c/p <= h/p, T - c/p <= e*(v + h**2)/p**3, c/p - T <= " "e*(v + h**2)/p**3))"),
        {"z": "-log(1 - x)", "h": "g + 2", "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)"}, "", ("p*T <= h",
        "T <= h/p", "c/p <= h/p", "T**2 <= (h/p)**2", "e*T**2/2 <= e*h**2/p**2", "e*T**2/2 >= 0",
        "p*(T - c/p) == z - c - e*T**2/2", "e*v/p**2 >= 0", "e*h**2/p**2 >= 0",
        "e*(v + h**2)/p**2 == e*v/p**2 + e*h**2/p**2",
        ("Implies(And(l == d - i, i >= 0, d >= 0, d <= u, i <= j, q == u + j), And(l <= q, -l <= q))",
        {"l": "p*(T - c/p)", "d": "z - c", "i": "e*T**2/2", "u": "e*v/p**2", "j": "e*h**2/p**2",
        "q": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "T - c/p",
        "i": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "c/p - T",
        "i": "e*(v + h**2)/p**2"}))), (("Implies(And(p > 0, T > 0, t > 0, T - t <= m, t - T <= m), And((T/p - (1 - "
        "exp(-p*T))/p**2) - (t/p - (1 - exp(-p*t))/p**2) <= m/p, (T/p - (1 - exp(-p*T))/p**2) - "
        "(t/p - (1 - exp(-p*t))/p**2) >= -m/p))"), {"t": "c/p",
        "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)"}, "",
        (("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*T"}),
        ("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*t"}), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*T",
        "v": "-p*t"}, "", ("exp(u) == exp(v)*exp(u - v)",)), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*t",
        "v": "-p*T"}, "", ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(p > 0, T - t <= m, t - T <= m, 0 < j, j < 1, 0 < f, f < 1, j >= f*(1 - p*T + "
        "p*t), f >= j*(1 - p*t + p*T)), And(T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) <= m/p, T/p "
        "- (1 - j)/p**2 - (t/p - (1 - f)/p**2) >= -m/p))"), {"j": "exp(-p*T)", "f": "exp(-p*t)"}, "",
        ("T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) == (T - t)/p + (j - f)/p**2", "j - f <= -j*p*(T - t)",
        "(j - f)/p**2 <= -j*(T - t)/p", "(1 - j)*(T - t) <= m", "(1 - j)*(T - t)/p <= m/p", "j - f >= -f*p*(T - t)",
        "(j - f)/p**2 >= -f*(T - t)/p", "(1 - f)*(T - t) >= -m", "(1 - f)*(T - t)/p >= -m/p")))),
        "exp(-p*(c/p)) == 1 - y",
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, T > 0, t > 0, T <= h, t <= h, T - t <= m, t - T "
        "<= m, i - j <= m/p, i - j >= -m/p, k <= r*e*i, k >= r*e*i - r*e**2*T**4/24), "
        "And((e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) <= e*(m*(h + (g + r)/p) + "
        "r*e*h**4), (e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) >= -e*(m*(h + (g + r)/p) " "+ r*e*h**4)))"),
        {"h": "(g + 2)/p", "t": "c/p", "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)",
        "i": "(T/p - (1 - exp(-p*T))/p**2)", "j": "c/p/p - y/p**2"}, "", ("m >= 0",
        "T**2/2 - t**2/2 == (T - t)*((T + t)/2)", "(T + t)/2 <= h", "(T + t)/2 > 0",
        ("Implies(And(l <= m, -l <= m, 0 < d, d <= h, m >= 0), And(l*d <= m*h, l*d >= -m*h))", {"l": "T - t",
        "d": "(T + t)/2"}, "", ("l*d <= m*d", "l*d >= -m*d", "m*d <= m*h")), "e*(T**2/2 - t**2/2) <= e*(m*h)",
        "e*(T**2/2 - t**2/2) >= -e*(m*h)", "e*(g*T/p - g*t/p) <= e*(m*g/p)", "e*(g*T/p - g*t/p) >= -e*(m*g/p)",
        "r*e*(i - j) <= e*(m*r/p)", "r*e*(i - j) >= -e*(m*r/p)", "T**4 <= h**4", "r*e**2*T**4 <= r*e**2*h**4",
        "r*e**2*T**4 >= 0", "r*e**2*h**4 >= 0",
        "e*(m*(h + (g + r)/p) + r*e*h**4) == e*(m*h) + e*(m*g/p) + e*(m*r/p) + r*e**2*h**4")),
        "((c**2/2 + g*c + r*(c - y))/p**2) == (c/p)**2/2 + g*(c/p)/p + r*(c/p/p - y/p**2)",
        ("e*(e*u/p**3*(h/p + (g + r)/p) + r*e*(h/p)**4) == e**2*((u*(h + g + r) + r*h**4)/p**4)",
        {"u": "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)", "h": "g + 2"}),
        (("Implies(And(e > 0, 0 < y, y <= x, x < 1, G >= y/(1 - y)**2*(x - y), x/(1 - x)**2*(x - y) "
        ">= G, x - y <= e*v, G >= 0, G <= e*u, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(x - y "
        "- e*B*((1 - y)**2/y) <= e**2*(m*((1 - y)**2/y) + u*v/y**2), x - y - e*B*((1 - y)**2/y) "
        ">= -e**2*(m*((1 - y)**2/y) + u*v/y**2)))"), {"G": "(e*T**2/2 + e*g*T/p + k)",
        "B": "((c**2/2 + g*c + r*(c - y))/p**2)",
        "m": ("((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)"), "u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2",
        "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2"}, "", ("(1 - y)**2/y > 0",
        ("Implies(And(q > 0, q*i == 1, G >= i*l), G*q >= l)", {"q": "(1 - y)**2/y", "i": "y/(1 - y)**2", "l": "x - y"},
        "", ("q*G >= q*(i*l)", "q*(i*l) == l")), ("Implies(And(q > 0, q*i == 1, i*l >= G), l >= G*q)",
        {"q": "(1 - x)**2/x", "i": "x/(1 - x)**2", "l": "x - y"}, "", ("q*(i*l) >= q*G", "q*(i*l) == l")),
        "1/y - 1/x <= (x - y)/y**2", "(1 - x)**2/x == 1/x - 2 + x", "(1 - y)**2/y == 1/y - 2 + y",
        "(1 - x)**2/x >= (1 - y)**2/y - (x - y)/y**2", ("Implies(And(G >= 0, f >= q - d), G*f >= G*q - G*d)",
        {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2"}),
        ("Implies(And(0 <= G, G <= i, 0 <= d, d <= j), And(G*d <= i*j, i*j >= 0))", {"i": "e*u", "d": "x - y",
        "j": "e*v"}), "G*((x - y)/y**2) <= e**2*(u*v/y**2)", "e**2*(u*v/y**2) >= 0",
        (("Implies(And(q > 0, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(G*q <= e*B*q + e**2*m*q, "
        "G*q >= e*B*q - e**2*m*q))"), {"q": "(1 - y)**2/y"}),
        (("Implies(And(q > 0, G*q >= l, l >= G*f, G*f >= G*q - G*d, G*d <= e**2*h, e**2*h >= 0, G*q "
        "<= e*B*q + e**2*m*q, G*q >= e*B*q - e**2*m*q), And(l - e*B*q <= e**2*(m*q + h), l - "
        "e*B*q >= -e**2*(m*q + h)))"), {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2", "l": "x - y",
        "h": "u*v/y**2"}))))),
        ("Implies(And(0 < eta, eta < p0**2/(4*(1 + beta_d*N/alpha_d))), And(0 < th(eta), th(eta) < "
        "1, cyc(th(eta), eta) == th(eta)*At(diff(cyc(x, eta), x), x, th(eta))))"),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, w > 0, e < p**2/(4*(1 + b*n/a)), 0 < q, "
        "q < 1, 0 < y, y < 1, (y/(1 - y) + log(1 - y)) == p*w/a, (a*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e))) + w + f*n*m*q) == q*At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - "
        "x))))/e) + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - "
        "x))))/e))) + w + f*n*m*x), x), x, q)), And(q - y - e*(((-log(1 - y))**2/2 + "
        "(p*w/a)*(-log(1 - y)) + (b*n/a)*((-log(1 - y)) - y))/p**2)*((1 - y)**2/y) <= "
        "e**2*(((((((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - y)/y) + "
        "((p*w/a) + 2)**2)*(2*(p*w/a) + 2 + (b*n/a)) + (b*n/a)*((p*w/a) + 2)**4)/p**4)*((1 - "
        "y)**2/y) + (((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))/p**2)*((((1 + "
        "(b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - y)/y)/p**2)/y**2), q - y - "
        "e*(((-log(1 - y))**2/2 + (p*w/a)*(-log(1 - y)) + (b*n/a)*((-log(1 - y)) - y))/p**2)*((1 "
        "- y)**2/y) >= -e**2*(((((((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - "
        "y)/y) + ((p*w/a) + 2)**2)*(2*(p*w/a) + 2 + (b*n/a)) + (b*n/a)*((p*w/a) + "
        "2)**4)/p**4)*((1 - y)**2/y) + (((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + "
        "2))/p**2)*((((1 + (b*n/a))*((p*w/a) + 2)**2/2 + (p*w/a)*((p*w/a) + 2))*(1 - " "y)/y)/p**2)/y**2)))"),
        {"a": "alpha_d", "p": "p0", "e": "eta", "b": "beta_d", "n": "N", "w": "alpha_p", "f": "beta_p", "m": "mu_L",
        "y": "theta0", "q": "th(eta)"}, "And(0 < eta, eta < p0**2/(4*(1 + beta_d*N/alpha_d)))",
        ((("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < q, q < 1), And(((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) > 0, p*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) + e*((-p + "
        "sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2 == -log(1 - q), (p + e*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e)) > 0, At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + "
        "w + f*n*m*x), x), x, q) == (a/(1 - q) + b*n)/(p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - " "q))))/e)) + f*n*m))"),
        {"q": "q"}, "", ("-log(1 - q) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"z": "-log(1 - q)"}),
        "p**2 + 2*e*(-log(1 - q)) > 0", "sqrt(p**2 + 2*e*(-log(1 - q))) > 0",
        "sqrt(p**2 + 2*e*(-log(1 - q))) == (p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))",
        "(p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)) > 0",
        ("Implies(And(v == log(1 - q), q < 1), exp(v) == 1 - q)",
        {"v": ("-p*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - " "q))))/e)**2/2")}),
        ("At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + b*Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + w + f*n*m*x), x), x, q) "
        "== (a/(1 - q) + b*n)/sqrt(p**2 + 2*e*(-log(1 - q))) + f*n*m"))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, 0 < x, x < 1, p*w == g*a, p*T + "
        "e*T**2/2 == -log(1 - x), (p + e*T) > 0, v == (a/(1 - x) + b*n)/(p + e*T) + f*n*m, a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w + f*n*m*x == x*v), (x/(1 - x) + log(1 "
        "- x)) - g == (e*T**2/2 + e*g*T/p + b/a*((p + e*T)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, T)) - n*(1 - exp(-p*T - e*T**2/2)))))"), {"x": "q", "T": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)",
        "g": "p*w/a", "v": ("At(diff((a*((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e) + b*Integral(n*exp(-p*s - "
        "e*s**2/2), (s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - x))))/e))) + w + f*n*m*x), x), x, q)")}, "",
        (("Implies(And(u == -log(1 - x), 0 < x, x < 1), And(exp(u) == 1/(1 - x), exp(-u) == 1 - x))",
        {"u": "p*T + e*T**2/2"}),
        (("Implies(And(a > 0, p > 0, h > 0, h == p + e*T, p*w == g*a, v == (a/(1 - x) + b*n)/h + l, "
        "a*T + b*i + w + l*x == x*v, p*T + e*T**2/2 == z, L == 1 - x, x < 1), x/(1 - x) - z - g "
        "== e*T**2/2 + e*g*T/p + b/a*(h*i - n*(1 - L)))"), {"h": "(p + e*T)", "L": "exp(-p*T - e*T**2/2)",
        "i": "Integral(n*exp(-p*s - e*s**2/2), (s, 0, T))", "z": "-log(1 - x)", "l": "f*n*m"}, "", ("w == g*a/p",
        "a*T + b*i + w == x*((a/(1 - x) + b*n)/h)", "a*T*h + b*i*h + w*h == a*(x/(1 - x)) + b*n*x")))),
        (("Implies(And(p > 0, e > 0, n > 0, 0 < u), ((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= 0)"), {"u": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "", (),
        ("u", "0")), (("Implies(And(p > 0, e > 0, n > 0, 0 < u), And(((p + e*u)*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) <= n*e*(u/p - (1 - exp(-p*u))/p**2), ((p + "
        "e*u)*Integral(n*exp(-p*s - e*s**2/2), (s, 0, u)) - n*(1 - exp(-p*u - e*u**2/2))) >= "
        "n*e*(u/p - (1 - exp(-p*u))/p**2) - n*e**2*u**4/24))"), {"u": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "",
        (), ("u", "0")), "p*w/a > 0", "b*n/a >= 0",
        (("Implies(And(a > 0, b >= 0, i >= 0, i <= n*e*h, i >= n*e*h - n*e**2*d**4/24), And(b/a*i "
        ">= 0, b/a*i <= b*n/a*e*h, b/a*i >= b*n/a*e*h - b*n/a*e**2*d**4/24))"),
        {"i": ("((p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) - n*(1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2)))"),
        "h": ("(((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)/p - (1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e)))/p**2)"), "d": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)"}, "", ("b/a >= 0",
        "b/a*i <= b/a*(n*e*h)", "b/a*i >= b/a*(n*e*h - n*e**2*d**4/24)")),
        ("Implies(And(r >= 0, e < p**2/(4*(1 + r))), 4*e*(1 + r) <= p**2)", {"r": "b*n/a"}, "", ("4*(1 + r) > 0",
        "e*(4*(1 + r)) < p**2/(4*(1 + r))*(4*(1 + r))")),
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, 4*e*(1 + r) <= p**2, 0 < x, x < 1, 0 < y, y < "
        "1, T > 0, p*T + e*T**2/2 == -log(1 - x), (y/(1 - y) + log(1 - y)) == g, (x/(1 - x) + "
        "log(1 - x)) - g == (e*T**2/2 + e*g*T/p + k), k >= 0, k <= r*e*(T/p - (1 - "
        "exp(-p*T))/p**2), k >= r*e*(T/p - (1 - exp(-p*T))/p**2) - r*e**2*T**4/24, c == -log(1 - "
        "y)), And(x - y - e*((c**2/2 + g*c + r*(c - y))/p**2)*((1 - y)**2/y) <= e**2*(((((((1 + "
        "r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)*((((1 + r)*(g + "
        "2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2), x - y - e*((c**2/2 + g*c + r*(c - "
        "y))/p**2)*((1 - y)**2/y) >= -e**2*(((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + "
        "(g + 2)**2)*(2*g + 2 + r) + r*(g + 2)**4)/p**4)*((1 - y)**2/y) + (((1 + r)*(g + 2)**2/2 "
        "+ g*(g + 2))/p**2)*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2)/y**2)))"), {"g": "(p*w/a)",
        "r": "(b*n/a)", "c": "(-log(1 - y))", "x": "q", "T": "((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)",
        "k": ("(b/a*((p + e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))*Integral(n*exp(-p*s - e*s**2/2), "
        "(s, 0, ((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e))) - n*(1 - exp(-p*((-p + sqrt(p**2 + "
        "2*e*(-log(1 - q))))/e) - e*((-p + sqrt(p**2 + 2*e*(-log(1 - q))))/e)**2/2))))")}, "", ("-log(1 - x) > 0",
        "c > 0", "p*T <= -log(1 - x)", "T <= -log(1 - x)/p", ("Implies(v > 0, exp(-v) <= 1 - v + v**2/2)",
        {"v": "p*T"}), "(T/p - (1 - exp(-p*T))/p**2) <= T**2/2", "r*e*(T/p - (1 - exp(-p*T))/p**2) <= r*e*(T**2/2)",
        "k <= r*e*T**2/2", "exp(-log(1 - x)) == 1/(1 - x)", "x/(1 - x) == 1/(1 - x) - 1",
        (("Implies(And(0 < p, 0 < e, 0 <= r, 0 < g, 4*e*(1 + r) <= p**2, 0 < z, 0 < T, T <= z/p, k "
        "<= r*e*T**2/2, exp(z) - 1 - z - g == (e*T**2/2 + e*g*T/p + k)), z < g + 2)"), {"z": "-log(1 - x)"}, "",
        ("exp(z) >= 1 + z + z**2/2", "e*(1 + r)*T**2 <= e*(1 + r)*(z/p)**2", "e*(1 + r)*(z/p)**2 <= z**2/4",
        "e*g*T/p <= e*g*(z/p)/p", "4*e*r >= 0", "4*e <= p**2", "g*z*(4*e) <= g*z*p**2", "e*g*(z/p)/p <= g*z/4",
        "z**2/2 <= g + z**2/8 + g*z/4", "Implies(And(z**2/2 <= g + z**2/8 + g*z/4, g > 0), z < g + 2)")),
        "T < (g + 2)/p", "T**2 <= ((g + 2)/p)**2", "e*g*T/p <= e*g*((g + 2)/p)/p",
        "r*e*T**2/2 <= r*e*((g + 2)/p)**2/2", "e*T**2/2 <= e*((g + 2)/p)**2/2",
        "(e*T**2/2 + e*g*T/p + k) <= e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)", "(e*T**2/2 + e*g*T/p + k) >= 0",
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "x", "v": "y"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))),
        (("Implies(And(0 < u, u < 1, 0 < v, v < 1), (u/(1 - u) + log(1 - u)) - (v/(1 - v) + log(1 - "
        "v)) >= v/(1 - v)**2*(u - v))"), {"u": "y", "v": "x"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) == log(u) - log(v)))", {"u": "1 - u",
        "v": "1 - v"}), "1 - 1/((1 - u)/(1 - v)) == (v - u)/(1 - u)",
        "u/(1 - u) - v/(1 - v) == (u - v)/((1 - u)*(1 - v))",
        ("(u - v)/((1 - u)*(1 - v)) + (v - u)/(1 - u) - v/(1 - v)**2*(u - v) == v*(u - v)**2/((1 - " "u)*(1 - v)**2)"),
        "v*(u - v)**2/((1 - u)*(1 - v)**2) >= 0",
        ("Implies(And(d - f == h, l - m >= i, h + i - k >= 0), d + l - (f + m) >= k)", {"d": "u/(1 - u)",
        "f": "v/(1 - v)", "h": "(u - v)/((1 - u)*(1 - v))", "l": "log(1 - u)", "m": "log(1 - v)",
        "i": "(v - u)/(1 - u)", "k": "v/(1 - v)**2*(u - v)"}))), "x/(1 - x)**2*(x - y) >= (e*T**2/2 + e*g*T/p + k)",
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)**2*(x - y)", "x/(1 - x)**2 > 0",
        ("Implies(And(q*l >= i, i >= 0, q > 0), l >= 0)", {"q": "x/(1 - x)**2", "l": "x - y",
        "i": "(e*T**2/2 + e*g*T/p + k)"}),
        (("Implies(And(0 < y, y <= x, x < 1, z == -log(1 - x), c == -log(1 - y)), And(z - c >= x - "
        "y, x/(1 - x) - y/(1 - y) - (z - c) >= y/(1 - y)*(z - c)))"), {"z": "-log(1 - x)"}, "",
        ((("Implies(And(u > 0, v > 0), And(log(u/v) >= 1 - 1/(u/v), log(u/v) <= u/v - 1, log(u/v) == "
        "log(u) - log(v)))"), {"u": "1 - y", "v": "1 - x"}), "(1 - y)/(1 - x) - 1 == (x - y)/(1 - x)",
        "1 - 1/((1 - y)/(1 - x)) == (x - y)/(1 - y)", "(x - y)/(1 - y) >= x - y",
        "x/(1 - x) - y/(1 - y) == (x - y)/(1 - x)*(1/(1 - y))", ("Implies(And(d <= f, q > 0), d*q <= f*q)",
        {"d": "z - c", "f": "(x - y)/(1 - x)", "q": "1/(1 - y)"}),
        "(z - c)*(1/(1 - y)) - (z - c) == y/(1 - y)*(z - c)")),
        "(e*T**2/2 + e*g*T/p + k) >= y/(1 - y)*(-log(1 - x) - c)", ("Implies(And(f > 0, i <= w, i >= f*l), l <= w/f)",
        {"l": "-log(1 - x) - c", "f": "y/(1 - y)", "w": "e*(((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2)",
        "i": "(e*T**2/2 + e*g*T/p + k)"}, "", ("f*l <= w", "1/f*(f*l) <= 1/f*w")),
        ("e*(u/p**2)/(y/(1 - y)) == e*(u*(1 - y)/y)/p**2", {"u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))"}),
        (("Implies(And(p > 0, e > 0, T > 0, p*T + e*T**2/2 == z, z < h, z - c >= 0, z - c <= "
        "e*v/p**2, c > 0), And(T <= h/p, c/p <= h/p, T - c/p <= e*(v + h**2)/p**3, c/p - T <= " "e*(v + h**2)/p**3))"),
        {"z": "-log(1 - x)", "h": "g + 2", "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)"}, "", ("p*T <= h",
        "T <= h/p", "c/p <= h/p", "T**2 <= (h/p)**2", "e*T**2/2 <= e*h**2/p**2", "e*T**2/2 >= 0",
        "p*(T - c/p) == z - c - e*T**2/2", "e*v/p**2 >= 0", "e*h**2/p**2 >= 0",
        "e*(v + h**2)/p**2 == e*v/p**2 + e*h**2/p**2",
        ("Implies(And(l == d - i, i >= 0, d >= 0, d <= u, i <= j, q == u + j), And(l <= q, -l <= q))",
        {"l": "p*(T - c/p)", "d": "z - c", "i": "e*T**2/2", "u": "e*v/p**2", "j": "e*h**2/p**2",
        "q": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "T - c/p",
        "i": "e*(v + h**2)/p**2"}), ("Implies(And(p > 0, p*l <= i), l <= i/p)", {"l": "c/p - T",
        "i": "e*(v + h**2)/p**2"}))), (("Implies(And(p > 0, T > 0, t > 0, T - t <= m, t - T <= m), And((T/p - (1 - "
        "exp(-p*T))/p**2) - (t/p - (1 - exp(-p*t))/p**2) <= m/p, (T/p - (1 - exp(-p*T))/p**2) - "
        "(t/p - (1 - exp(-p*t))/p**2) >= -m/p))"), {"t": "c/p",
        "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)"}, "",
        (("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*T"}),
        ("Implies(v > 0, And(exp(-v) > 0, exp(-v) < 1))", {"v": "p*t"}), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*T",
        "v": "-p*t"}, "", ("exp(u) == exp(v)*exp(u - v)",)), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "-p*t",
        "v": "-p*T"}, "", ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(p > 0, T - t <= m, t - T <= m, 0 < j, j < 1, 0 < f, f < 1, j >= f*(1 - p*T + "
        "p*t), f >= j*(1 - p*t + p*T)), And(T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) <= m/p, T/p "
        "- (1 - j)/p**2 - (t/p - (1 - f)/p**2) >= -m/p))"), {"j": "exp(-p*T)", "f": "exp(-p*t)"}, "",
        ("T/p - (1 - j)/p**2 - (t/p - (1 - f)/p**2) == (T - t)/p + (j - f)/p**2", "j - f <= -j*p*(T - t)",
        "(j - f)/p**2 <= -j*(T - t)/p", "(1 - j)*(T - t) <= m", "(1 - j)*(T - t)/p <= m/p", "j - f >= -f*p*(T - t)",
        "(j - f)/p**2 >= -f*(T - t)/p", "(1 - f)*(T - t) >= -m", "(1 - f)*(T - t)/p >= -m/p")))),
        "exp(-p*(c/p)) == 1 - y",
        (("Implies(And(p > 0, e > 0, g > 0, r >= 0, T > 0, t > 0, T <= h, t <= h, T - t <= m, t - T "
        "<= m, i - j <= m/p, i - j >= -m/p, k <= r*e*i, k >= r*e*i - r*e**2*T**4/24), "
        "And((e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) <= e*(m*(h + (g + r)/p) + "
        "r*e*h**4), (e*T**2/2 + e*g*T/p + k) - e*(t**2/2 + g*t/p + r*j) >= -e*(m*(h + (g + r)/p) " "+ r*e*h**4)))"),
        {"h": "(g + 2)/p", "t": "c/p", "m": "(e*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)/p**3)",
        "i": "(T/p - (1 - exp(-p*T))/p**2)", "j": "c/p/p - y/p**2"}, "", ("m >= 0",
        "T**2/2 - t**2/2 == (T - t)*((T + t)/2)", "(T + t)/2 <= h", "(T + t)/2 > 0",
        ("Implies(And(l <= m, -l <= m, 0 < d, d <= h, m >= 0), And(l*d <= m*h, l*d >= -m*h))", {"l": "T - t",
        "d": "(T + t)/2"}, "", ("l*d <= m*d", "l*d >= -m*d", "m*d <= m*h")), "e*(T**2/2 - t**2/2) <= e*(m*h)",
        "e*(T**2/2 - t**2/2) >= -e*(m*h)", "e*(g*T/p - g*t/p) <= e*(m*g/p)", "e*(g*T/p - g*t/p) >= -e*(m*g/p)",
        "r*e*(i - j) <= e*(m*r/p)", "r*e*(i - j) >= -e*(m*r/p)", "T**4 <= h**4", "r*e**2*T**4 <= r*e**2*h**4",
        "r*e**2*T**4 >= 0", "r*e**2*h**4 >= 0",
        "e*(m*(h + (g + r)/p) + r*e*h**4) == e*(m*h) + e*(m*g/p) + e*(m*r/p) + r*e**2*h**4")),
        "((c**2/2 + g*c + r*(c - y))/p**2) == (c/p)**2/2 + g*(c/p)/p + r*(c/p/p - y/p**2)",
        ("e*(e*u/p**3*(h/p + (g + r)/p) + r*e*(h/p)**4) == e**2*((u*(h + g + r) + r*h**4)/p**4)",
        {"u": "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)", "h": "g + 2"}),
        (("Implies(And(e > 0, 0 < y, y <= x, x < 1, G >= y/(1 - y)**2*(x - y), x/(1 - x)**2*(x - y) "
        ">= G, x - y <= e*v, G >= 0, G <= e*u, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(x - y "
        "- e*B*((1 - y)**2/y) <= e**2*(m*((1 - y)**2/y) + u*v/y**2), x - y - e*B*((1 - y)**2/y) "
        ">= -e**2*(m*((1 - y)**2/y) + u*v/y**2)))"), {"G": "(e*T**2/2 + e*g*T/p + k)",
        "B": "((c**2/2 + g*c + r*(c - y))/p**2)",
        "m": ("((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + "
        "2)**4)/p**4)"), "u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))/p**2",
        "v": "(((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y)/p**2"}, "", ("(1 - y)**2/y > 0",
        ("Implies(And(q > 0, q*i == 1, G >= i*l), G*q >= l)", {"q": "(1 - y)**2/y", "i": "y/(1 - y)**2", "l": "x - y"},
        "", ("q*G >= q*(i*l)", "q*(i*l) == l")), ("Implies(And(q > 0, q*i == 1, i*l >= G), l >= G*q)",
        {"q": "(1 - x)**2/x", "i": "x/(1 - x)**2", "l": "x - y"}, "", ("q*(i*l) >= q*G", "q*(i*l) == l")),
        "1/y - 1/x <= (x - y)/y**2", "(1 - x)**2/x == 1/x - 2 + x", "(1 - y)**2/y == 1/y - 2 + y",
        "(1 - x)**2/x >= (1 - y)**2/y - (x - y)/y**2", ("Implies(And(G >= 0, f >= q - d), G*f >= G*q - G*d)",
        {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2"}),
        ("Implies(And(0 <= G, G <= i, 0 <= d, d <= j), And(G*d <= i*j, i*j >= 0))", {"i": "e*u", "d": "x - y",
        "j": "e*v"}), "G*((x - y)/y**2) <= e**2*(u*v/y**2)", "e**2*(u*v/y**2) >= 0",
        (("Implies(And(q > 0, G - e*B <= e**2*m, G - e*B >= -e**2*m), And(G*q <= e*B*q + e**2*m*q, "
        "G*q >= e*B*q - e**2*m*q))"), {"q": "(1 - y)**2/y"}),
        (("Implies(And(q > 0, G*q >= l, l >= G*f, G*f >= G*q - G*d, G*d <= e**2*h, e**2*h >= 0, G*q "
        "<= e*B*q + e**2*m*q, G*q >= e*B*q - e**2*m*q), And(l - e*B*q <= e**2*(m*q + h), l - "
        "e*B*q >= -e**2*(m*q + h)))"), {"f": "(1 - x)**2/x", "q": "(1 - y)**2/y", "d": "(x - y)/y**2", "l": "x - y",
        "h": "u*v/y**2"}))))))),
        ("-(C1(theta0) - theta0*At(diff(C1(x), x), x, theta0))/At(diff(C0(x) - x*diff(C0(x), x), "
        "x), x, theta0)*eta == eta*(((-log(1 - theta0))**2/2 + (p0*alpha_p/alpha_d)*(-log(1 - "
        "theta0)) + (beta_d*N/alpha_d)*((-log(1 - theta0)) - theta0))/p0**2)*((1 - " "theta0)**2/theta0)"),
        "p0*alpha_p/alpha_d > 0", "beta_d*N/alpha_d >= 0", "p0**2/(4*(1 + beta_d*N/alpha_d)) > 0",
        (("Implies(And(p > 0, g > 0, r >= 0, 0 < y, y < 1), (((((((1 + r)*(g + 2)**2/2 + g*(g + "
        "2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + 2)**4)/p**4)*((1 - y)**2/y) + (((1 + "
        "r)*(g + 2)**2/2 + g*(g + 2))/p**2)*((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - " "y)/y)/p**2)/y**2) > 0)"),
        {"p": "p0", "y": "theta0", "g": "(p0*alpha_p/alpha_d)", "r": "(beta_d*N/alpha_d)"}, "",
        ("((1 + r)*(g + 2)**2/2 + g*(g + 2)) > 0", ("Implies(And(u > 0, 0 < y, y < 1), u*(1 - y)/y > 0)",
        {"u": "((1 + r)*(g + 2)**2/2 + g*(g + 2))"}),
        "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2) > 0", "r*(g + 2)**4 >= 0",
        "((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) > 0",
        ("((((((1 + r)*(g + 2)**2/2 + g*(g + 2))*(1 - y)/y) + (g + 2)**2)*(2*g + 2 + r) + r*(g + " "2)**4)/p**4) > 0"),
        "(1 - y)**2/y > 0")), (("Implies(And(l - d <= e**2*q, l - d >= -e**2*q, i == d), And(q*e**2 - (l - i) >= 0, "
        "q*e**2 + (l - i) >= 0))"), {"l": "th(eta) - theta0",
        "d": ("eta*(((-log(1 - theta0))**2/2 + (p0*alpha_p/alpha_d)*(-log(1 - theta0)) + "
        "(beta_d*N/alpha_d)*((-log(1 - theta0)) - theta0))/p0**2)*((1 - theta0)**2/theta0)"), "e": "eta",
        "q": ("(((((((1 + (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0) + "
        "((p0*alpha_p/alpha_d) + 2)**2)*(2*(p0*alpha_p/alpha_d) + 2 + (beta_d*N/alpha_d)) + "
        "(beta_d*N/alpha_d)*((p0*alpha_p/alpha_d) + 2)**4)/p0**4)*((1 - theta0)**2/theta0) + (((1 "
        "+ (beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))/p0**2)*((((1 + "
        "(beta_d*N/alpha_d))*((p0*alpha_p/alpha_d) + 2)**2/2 + "
        "(p0*alpha_p/alpha_d)*((p0*alpha_p/alpha_d) + 2))*(1 - theta0)/theta0)/p0**2)/theta0**2)"),
        "i": ("-(C1(theta0) - theta0*At(diff(C1(x), x), x, theta0))/At(diff(C0(x) - x*diff(C0(x), x), "
        "x), x, theta0)*eta")}, "And(0 < eta, eta < p0**2/(4*(1 + beta_d*N/alpha_d)))"))},
    "app-C.5.T-eta": {"rate": {"eta": ("c1", "1"), "e": ("theta*c2", "1")},
        "lemmas": ((("Implies(And(e > 0, w - a - e*b <= c*e**2, w - a - e*b >= -c*e**2), And((w - a)/e - b <= "
        "c*e, (w - a)/e - b >= -c*e))"), {"w": "W(eta)", "a": "C0(theta)", "b": "C1(theta)", "c": "c1", "e": "eta"},
        "And(0 < eta, eta < 1)"),
        (("Implies(And(e > 0, w - a - e*b <= c*e**2, w - a - e*b >= -c*e**2), And((w - a)/e - b <= "
        "c*e, (w - a)/e - b >= -c*e))"), {"w": "V(e)", "a": "C0p", "b": "C1p", "c": "c2", "e": "e"},
        "And(0 < e, e < 1)"))},
    "app-C.5.Phi-eta": {"rate": {"eta": ("c1 + theta*c2", "1")},
        "lemmas": ((("Implies(And(e > 0, w - a - e*b <= c*e**2, w - a - e*b >= -c*e**2), And((w - a)/e - b <= "
        "c*e, (w - a)/e - b >= -c*e))"), {"w": "W(eta)", "a": "C0(theta)", "b": "C1(theta)", "c": "c1", "e": "eta"},
        "And(0 < eta, eta < 1)"),
        (("Implies(And(e > 0, w - a - e*b <= c*e**2, w - a - e*b >= -c*e**2), And((w - a)/e - b <= "
        "c*e, (w - a)/e - b >= -c*e))"), {"w": "V(eta)", "a": "C0p", "b": "C1p", "c": "c2", "e": "eta"},
        "And(0 < eta, eta < 1)"))},
    "app-C.7.duration.cfr": {"lemmas": ((("Implies(And(p > 0, e > 0, t > 0, t < s, p*t + e*t**2/2 == a, p*s + e*s**2/2 == b), s - t "
        "< b/p - a/p)"), {"p": "p0", "e": "eta", "t": "T", "s": "S", "a": "zeta(theta)", "b": "zeta(phi)"}),)},
    "app-C.7.rho.every-threshold.corrected": {"lemmas": ("And(x < zeta(x), zeta(x) < x/(1 - x))",
        "2*(zeta(x) - x) > x*zeta(x) - (1 - x)*zeta(x)**2/2",
        "2/(1 - x)*(zeta(x) - x) > zeta(x)*(x/(1 - x) - zeta(x)/2)", "r*(zeta(x) - x) >= 2/(1 - x)*(zeta(x) - x)")},
    "app-C.7.rho.large": {"witness": {"r": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)/(zeta(theta0) - theta0)"},
        "lemmas": ("And(theta0 < zeta(theta0), zeta(theta0) < theta0/(1 - theta0))",
        ("Implies(And(0 < x, x < z, z < y), z*(y - z/2) > 0)", {"x": "theta0", "z": "zeta(theta0)",
        "y": "theta0/(1 - theta0)"}), ("Implies(And(c > 0, s > t/c), s*c > t)", {"c": "zeta(theta0) - theta0",
        "t": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)"}))},
    "lem-C.2": {"primitives": {"s": ()}, "lemmas": ("Implies(And(0 < phi, phi < 1), zeta(phi) > 0)",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(phi)"}, "And(0 < phi, phi < 1)"), "Implies(And(0 < phi, phi < 1), p0**2 + 2*eta*zeta(phi) > 0)",
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(phi, eta)"}, "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0)"),
        "Implies(And(0 < phi, phi < 1), cyc(phi, eta) > alpha_p)",
        ("Implies(And(u == -log(1 - x), 0 < x, x < 1), 1/exp(u) == 1 - x)",
        {"u": "(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2)", "x": "phi"},
        "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0)"), "zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), "sqrt(p0**2 + 2*eta*zeta(theta)) == p0 + eta*dur(theta, eta)",
        "diff(dur(theta, eta), theta) == 1/((1 - theta)*sqrt(p0**2 + 2*eta*zeta(theta)))",
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(theta, eta)"}), "alpha_d*dur(theta, eta) > 0", "cyc(theta, eta) > 0",
        ("Implies(And(u == -log(1 - x), 0 < x, x < 1), exp(-u) == 1 - x)",
        {"u": "p0*dur(theta, eta) + eta*dur(theta, eta)**2/2", "x": "theta"}),
        ("diff(cyc(theta, eta), theta) == (alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + "
        "2*eta*zeta(theta)) + beta_p*N*mu_L"),
        ("alpha_d*dur(theta, eta) + beta_d*cum(theta, eta) + alpha_p == (alpha_d/(1 - theta) + "
        "beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))*theta"),
        ("Implies(And(u == -log(1 - x), 0 < x, x < 1), exp(u) == 1/(1 - x))",
        {"u": "(p0*dur(theta, eta) + eta*dur(theta, eta)**2/2)", "x": "theta"}),
        ("Implies(And(q == m*x, Y == 1/(1 - x), x < 1), q - m*(1 - 1/Y) == 0)",
        {"q": ("alpha_d*dur(theta, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(theta, "
        "eta))) + alpha_p"), "m": "(alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))", "x": "theta",
        "Y": "exp(p0*dur(theta, eta) + eta*dur(theta, eta)**2/2)"}),
        ("Implies(And(a/(1 - x) + b == m*k, k == h, Y == 1/(1 - x), x < 1), a*Y + b - m*h == 0)", {"a": "alpha_d",
        "b": "beta_d*N", "k": "sqrt(p0**2 + 2*eta*zeta(theta))", "h": "(p0 + eta*dur(theta, eta))",
        "m": "(alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))", "x": "theta",
        "Y": "exp(p0*dur(theta, eta) + eta*dur(theta, eta)**2/2)"}),
        (("Implies(And(0 < t, 0 < r, alpha_d*t + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, "
        "t)) + alpha_p - m*(1 - 1/exp(p0*t + eta*t**2/2)) == 0, alpha_d*exp(p0*t + eta*t**2/2) + "
        "beta_d*N - m*(p0 + eta*t) == 0), alpha_d*r + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), "
        "(s, 0, r)) + alpha_p - m*(1 - 1/exp(p0*r + eta*r**2/2)) >= 0)"), {"t": "dur(theta, eta)",
        "r": "dur(phi, eta)", "m": "(alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))"},
        "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0)", (("alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) > m*eta",
        {}, "", (("Or(x > m*eta, x <= m*eta)", {"x": "alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t)"}),
        (("Implies(And(0 < S, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) >= 0, "
        "alpha_d*exp(p0*S + eta*S**2/2)*(p0 + eta*S) <= m*eta), alpha_d*S + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + alpha_p - m*(1 - 1/exp(p0*S + "
        "eta*S**2/2)) > alpha_p)"), {}, "", ("exp(p0*S + eta*S**2/2) > 0",
        (("ForAll(z, And(0 < z, z < S), alpha_d + beta_d*(N*exp(-p0*z - eta*z**2/2)) - exp(p0*z + "
        "eta*z**2/2)*(p0 + eta*z)*m/exp(p0*z + eta*z**2/2)**2 > 0)"), {}, "", ("exp(p0*z + eta*z**2/2) > 0",
        "Implies(And(0 < z, z < S), exp(-p0*z - eta*z**2/2) == 1/exp(p0*z + eta*z**2/2))",
        ("exp(u) >= exp(v)*(1 + u - v)", {"u": "(p0*z + eta*z**2/2)", "v": "(p0*S + eta*S**2/2)"}, "And(0 < z, z < S)",
        ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(a > 0, e > 0, P > 0, z < S, Z >= P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), "
        "a*P*(p + e*S) <= m*e, a*P + b - m*(p + e*S) >= 0), a*Z + b - m*(p + e*z) > 0)"), {"a": "alpha_d",
        "b": "beta_d*N", "p": "p0", "e": "eta", "m": "m", "P": "exp(p0*S + eta*S**2/2)", "Z": "exp(p0*z + eta*z**2/2)",
        "S": "S", "z": "z"}, "And(0 < z, z < S)",
        (("Implies(Z >= P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), a*Z >= a*P*(1 + p*z + e*z**2/2 - "
        "(p*S + e*S**2/2)))"), "a*P*e*(S - z)**2 > 0", "(m*e - a*P*(p + e*S))*(S - z) >= 0",
        ("Implies(And(a*Z >= a*P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), a*P*e*(S - z)**2 > 0, "
        "(m*e - a*P*(p + e*S))*(S - z) >= 0, a*P + b - m*(p + e*S) >= 0), a*Z + b - m*(p + e*z) > " "0)"))),
        ("Implies(And(B == 1/Z, Z > 0, a*Z + b*n - m*h > 0), a + b*(n*B) - Z*h*m/Z**2 > 0)", {"a": "alpha_d",
        "b": "beta_d", "n": "N", "m": "m", "h": "(p0 + eta*z)", "Z": "exp(p0*z + eta*z**2/2)",
        "B": "exp(-p0*z - eta*z**2/2)"}, "And(0 < z, z < S)")))), ("S", "0")),
        (("Implies(And(Or(alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) > m*eta, alpha_d*exp(p0*t + "
        "eta*t**2/2)*(p0 + eta*t) <= m*eta), alpha_d*t + beta_d*Integral(N*exp(-p0*s - "
        "eta*s**2/2), (s, 0, t)) + alpha_p - m*(1 - 1/exp(p0*t + eta*t**2/2)) == 0, "
        "alpha_d*exp(p0*t + eta*t**2/2) + beta_d*N - m*(p0 + eta*t) == 0, 0 < t), "
        "alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) > m*eta)"), {}, "",
        ((("Implies(And(0 < S, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) >= 0, "
        "alpha_d*exp(p0*S + eta*S**2/2)*(p0 + eta*S) <= m*eta), alpha_d*S + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + alpha_p - m*(1 - 1/exp(p0*S + "
        "eta*S**2/2)) > alpha_p)"), {"S": "t"}, "alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) <= m*eta"),)))),
        "exp(p0*t + eta*t**2/2) > 0", "exp(p0*r + eta*r**2/2) > 0", "Or(t <= r, r < t)",
        (("Implies(Or(t <= r, r < t), alpha_d*r + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, "
        "r)) + alpha_p - m*(1 - 1/exp(p0*r + eta*r**2/2)) >= 0)"), {}, "",
        ((("Implies(t <= r, alpha_d*r + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, r)) + "
        "alpha_p - m*(1 - 1/exp(p0*r + eta*r**2/2)) >= 0)"), {}, "",
        ((("Implies(And(0 < S, S <= T, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) >= "
        "0, alpha_d*exp(p0*S + eta*S**2/2)*(p0 + eta*S) >= m*eta, alpha_d*S + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + alpha_p - m*(1 - 1/exp(p0*S + "
        "eta*S**2/2)) >= 0), alpha_d*T + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, T)) + "
        "alpha_p - m*(1 - 1/exp(p0*T + eta*T**2/2)) >= 0)"), {"S": "t", "T": "r"}, "", ("exp(p0*S + eta*S**2/2) > 0",
        (("ForAll(z, And(S < z, z < T), alpha_d + beta_d*(N*exp(-p0*z - eta*z**2/2)) - exp(p0*z + "
        "eta*z**2/2)*(p0 + eta*z)*m/exp(p0*z + eta*z**2/2)**2 > 0)"), {}, "", ("exp(p0*z + eta*z**2/2) > 0",
        "Implies(And(S < z, z < T), exp(-p0*z - eta*z**2/2) == 1/exp(p0*z + eta*z**2/2))",
        ("exp(u) >= exp(v)*(1 + u - v)", {"u": "(p0*z + eta*z**2/2)", "v": "(p0*S + eta*S**2/2)"}, "And(S < z, z < T)",
        ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(a > 0, e > 0, P > 0, S < z, Z >= P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), "
        "a*P*(p + e*S) >= m*e, a*P + b - m*(p + e*S) >= 0), a*Z + b - m*(p + e*z) > 0)"), {"a": "alpha_d",
        "b": "beta_d*N", "p": "p0", "e": "eta", "m": "m", "P": "exp(p0*S + eta*S**2/2)", "Z": "exp(p0*z + eta*z**2/2)",
        "S": "S", "z": "z"}, "And(S < z, z < T)",
        (("Implies(Z >= P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), a*Z >= a*P*(1 + p*z + e*z**2/2 - "
        "(p*S + e*S**2/2)))"), "a*P*e*(S - z)**2 > 0", "(m*e - a*P*(p + e*S))*(S - z) >= 0",
        ("Implies(And(a*Z >= a*P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), a*P*e*(S - z)**2 > 0, "
        "(m*e - a*P*(p + e*S))*(S - z) >= 0, a*P + b - m*(p + e*S) >= 0), a*Z + b - m*(p + e*z) > " "0)"))),
        ("Implies(And(B == 1/Z, Z > 0, a*Z + b*n - m*h > 0), a + b*(n*B) - Z*h*m/Z**2 > 0)", {"a": "alpha_d",
        "b": "beta_d", "n": "N", "m": "m", "h": "(p0 + eta*z)", "Z": "exp(p0*z + eta*z**2/2)",
        "B": "exp(-p0*z - eta*z**2/2)"}, "And(S < z, z < T)")))), ("T", "S")),)),
        (("Implies(r < t, alpha_d*r + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, r)) + "
        "alpha_p - m*(1 - 1/exp(p0*r + eta*r**2/2)) >= 0)"), {}, "", (("Or(x > 0, x <= 0)",
        {"x": "alpha_d*exp(p0*r + eta*r**2/2) + beta_d*N - m*(p0 + eta*r)"}),
        (("Implies(Or(alpha_d*exp(p0*r + eta*r**2/2) + beta_d*N - m*(p0 + eta*r) > 0, "
        "alpha_d*exp(p0*r + eta*r**2/2) + beta_d*N - m*(p0 + eta*r) <= 0), alpha_d*r + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, r)) + alpha_p - m*(1 - 1/exp(p0*r + " "eta*r**2/2)) >= 0)"),
        {}, "", ((("Implies(alpha_d*exp(p0*r + eta*r**2/2) + beta_d*N - m*(p0 + eta*r) > 0, alpha_d*r + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, r)) + alpha_p - m*(1 - 1/exp(p0*r + " "eta*r**2/2)) >= 0)"),
        {}, "", (("exp(u) >= exp(v)*(1 + u - v)", {"u": "(p0*t + eta*t**2/2)", "v": "(p0*r + eta*r**2/2)"}, "",
        ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(a > 0, e > 0, P > 0, r < t, Q >= P*(1 + p*t + e*t**2/2 - (p*r + e*r**2/2)), "
        "a*Q + b - m*(p + e*t) <= 0, a*P + b - m*(p + e*r) > 0), a*P*(p + e*r) <= m*e)"), {"a": "alpha_d",
        "b": "beta_d*N", "p": "p0", "e": "eta", "m": "m", "t": "t", "r": "r", "P": "exp(p0*r + eta*r**2/2)",
        "Q": "exp(p0*t + eta*t**2/2)"}, "",
        (("Implies(Q >= P*(1 + p*t + e*t**2/2 - (p*r + e*r**2/2)), a*Q >= a*P*(1 + p*t + e*t**2/2 - "
        "(p*r + e*r**2/2)))"), "a*P*e*(t - r)**2 >= 0",
        ("Implies(And(a*Q >= a*P*(1 + p*t + e*t**2/2 - (p*r + e*r**2/2)), a*P*e*(t - r)**2 >= 0, "
        "a*Q + b - m*(p + e*t) <= 0, a*P + b - m*(p + e*r) > 0), (m*e - a*P*(p + e*r))*(t - r) > " "0)"),
        ("Implies(And(x*d > 0, d > 0), x > 0)", {"x": "m*e - a*P*(p + e*r)", "d": "t - r"}))),
        (("Implies(And(0 < S, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) >= 0, "
        "alpha_d*exp(p0*S + eta*S**2/2)*(p0 + eta*S) <= m*eta), alpha_d*S + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + alpha_p - m*(1 - 1/exp(p0*S + "
        "eta*S**2/2)) > alpha_p)"), {"S": "r"}, ""))),
        (("Implies(alpha_d*exp(p0*r + eta*r**2/2) + beta_d*N - m*(p0 + eta*r) <= 0, alpha_d*r + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, r)) + alpha_p - m*(1 - 1/exp(p0*r + " "eta*r**2/2)) >= 0)"),
        {}, "", ((("Implies(And(S < T, 0 < S, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) <= "
        "0, alpha_d*exp(p0*T + eta*T**2/2) + beta_d*N - m*(p0 + eta*T) <= 0, alpha_d*T + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, T)) + alpha_p - m*(1 - 1/exp(p0*T + "
        "eta*T**2/2)) >= 0), alpha_d*S + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + "
        "alpha_p - m*(1 - 1/exp(p0*S + eta*S**2/2)) >= 0)"), {"S": "r", "T": "t"}, "",
        ((("ForAll(z, And(S < z, z < T), alpha_d + beta_d*(N*exp(-p0*z - eta*z**2/2)) - exp(p0*z + "
        "eta*z**2/2)*(p0 + eta*z)*m/exp(p0*z + eta*z**2/2)**2 < 0)"), {}, "", ("exp(p0*z + eta*z**2/2) > 0",
        "Implies(And(S < z, z < T), exp(-p0*z - eta*z**2/2) == 1/exp(p0*z + eta*z**2/2))",
        ("exp(u) >= exp(v)*(1 + u - v)", {"u": "(p0*S + eta*S**2/2)", "v": "(p0*z + eta*z**2/2)"}, "And(S < z, z < T)",
        ("exp(u) == exp(v)*exp(u - v)",)), ("exp(u) >= exp(v)*(1 + u - v)", {"u": "(p0*T + eta*T**2/2)",
        "v": "(p0*z + eta*z**2/2)"}, "And(S < z, z < T)", ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(a > 0, e > 0, Z > 0, S < z, z < T, P >= Z*(1 + p*S + e*S**2/2 - (p*z + "
        "e*z**2/2)), Q >= Z*(1 + p*T + e*T**2/2 - (p*z + e*z**2/2)), a*P + b - m*(p + e*S) <= 0, "
        "a*Q + b - m*(p + e*T) <= 0), a*Z + b - m*(p + e*z) < 0)"), {"a": "alpha_d", "b": "beta_d*N", "p": "p0",
        "e": "eta", "m": "m", "P": "exp(p0*S + eta*S**2/2)", "Q": "exp(p0*T + eta*T**2/2)",
        "Z": "exp(p0*z + eta*z**2/2)", "S": "S", "T": "T", "z": "z"}, "And(S < z, z < T)",
        (("Implies(And(a > 0, z < T, P >= Z*(1 + p*S + e*S**2/2 - (p*z + e*z**2/2))), a*(T - z)*P "
        ">= a*(T - z)*Z*(1 + p*S + e*S**2/2 - (p*z + e*z**2/2)))"),
        ("Implies(And(a > 0, S < z, Q >= Z*(1 + p*T + e*T**2/2 - (p*z + e*z**2/2))), a*(z - S)*Q "
        ">= a*(z - S)*Z*(1 + p*T + e*T**2/2 - (p*z + e*z**2/2)))"),
        "Implies(And(a*P + b - m*(p + e*S) <= 0, z < T), (T - z)*(a*P + b - m*(p + e*S)) <= 0)",
        "Implies(And(a*Q + b - m*(p + e*T) <= 0, S < z), (z - S)*(a*Q + b - m*(p + e*T)) <= 0)",
        "a*Z*e*(z - S)*(T - z)*(T - S) > 0",
        ("Implies(And(a*(T - z)*P >= a*(T - z)*Z*(1 + p*S + e*S**2/2 - (p*z + e*z**2/2)), a*(z - "
        "S)*Q >= a*(z - S)*Z*(1 + p*T + e*T**2/2 - (p*z + e*z**2/2)), (T - z)*(a*P + b - m*(p + "
        "e*S)) <= 0, (z - S)*(a*Q + b - m*(p + e*T)) <= 0, a*Z*e*(z - S)*(T - z)*(T - S) > 0), (T "
        "- S)*(a*Z + b - m*(p + e*z)) < 0)"), ("Implies(And(x*d < 0, d > 0), x < 0)", {"x": "a*Z + b - m*(p + e*z)",
        "d": "T - S"}))), ("Implies(And(B == 1/Z, Z > 0, a*Z + b*n - m*h < 0), a + b*(n*B) - Z*h*m/Z**2 < 0)",
        {"a": "alpha_d", "b": "beta_d", "n": "N", "m": "m", "h": "(p0 + eta*z)", "Z": "exp(p0*z + eta*z**2/2)",
        "B": "exp(-p0*z - eta*z**2/2)"}, "And(S < z, z < T)"))),), ("S", "T")),)))))))))),
        ("Implies(And(q - m*(1 - 1/Y) >= 0, 1/Y == 1 - y), q >= m*y)",
        {"q": ("alpha_d*dur(phi, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(phi, "
        "eta))) + alpha_p"), "m": "(alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))",
        "Y": "exp(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2)", "y": "phi"},
        "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0, dur(phi, eta) > 0)"),
        ("Implies(And(q >= m*y, x > 0, k == m*x), x*q >= y*k)",
        {"q": ("alpha_d*dur(phi, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(phi, "
        "eta))) + alpha_p"), "m": "(alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))", "x": "theta",
        "y": "phi", "k": ("alpha_d*dur(theta, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(theta, "
        "eta))) + alpha_p")}, "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0, dur(phi, eta) > 0)"),
        "Implies(And(0 < phi, phi < 1), phi*cyc(theta, eta) <= theta*cyc(phi, eta))",
        ("Implies(And(0 < x, 0 < y, c > 0, d > 0, y*c <= x*d), y/d <= x/c)", {"x": "theta", "y": "phi",
        "c": "cyc(theta, eta)", "d": "cyc(phi, eta)"},
        "And(0 < phi, phi < 1, p0**2 + 2*eta*zeta(phi) > 0, dur(phi, eta) > 0)"))},
    "lem-C.2.convex": {"lemmas": ("zeta(theta) > 0", "sqrt(p0**2 + 2*eta*zeta(theta)) > p0",
        "sqrt(p0**2 + 2*eta*zeta(theta))**2 > eta")},
    "lem-C.2.soc": {"primitives": {"s": ()}, "lemmas": ("zeta(theta) > 0", "p0**2 + 2*eta*zeta(theta) > 0",
        "sqrt(p0**2 + 2*eta*zeta(theta)) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), "sqrt(p0**2 + 2*eta*zeta(theta)) == p0 + eta*dur(theta, eta)",
        "diff(dur(theta, eta), theta) == 1/((1 - theta)*sqrt(p0**2 + 2*eta*zeta(theta)))",
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(theta, eta)"}), "alpha_d*dur(theta, eta) > 0", "cyc(theta, eta) > 0",
        ("Implies(c > 0, And(c**2 > 0, c**3 > 0))", {"c": "cyc(theta, eta)"}),
        ("diff(R(theta), theta, 2) == (-theta*diff(cyc(theta, eta), theta, 2) - 2*(cyc(theta, eta) "
        "- theta*diff(cyc(theta, eta), theta))*diff(cyc(theta, eta), theta)/cyc(theta, "
        "eta))/cyc(theta, eta)/cyc(theta, eta)"), ("Implies(And(u == -log(1 - x), 0 < x, x < 1), exp(-u) == 1 - x)",
        {"u": "p0*dur(theta, eta) + eta*dur(theta, eta)**2/2", "x": "theta"}),
        ("diff(cyc(theta, eta), theta) == (alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + "
        "2*eta*zeta(theta)) + beta_p*N*mu_L"),
        ("alpha_d*dur(theta, eta) + beta_d*cum(theta, eta) + alpha_p == (alpha_d/(1 - theta) + "
        "beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))*theta"),
        (("Implies(And(0 < t, 0 < x, x < 1, p0*t + eta*t**2/2 == -log(1 - x), alpha_d*t + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, t)) + alpha_p == m*x, alpha_d/(1 - x) "
        "+ beta_d*N == m*(p0 + eta*t)), alpha_d*(p0 + eta*t)/(1 - x) > m*eta)"), {"t": "dur(theta, eta)", "x": "theta",
        "m": "(alpha_d/(1 - theta) + beta_d*N)/sqrt(p0**2 + 2*eta*zeta(theta))"}, "",
        (("Implies(And(u == -log(1 - x), 0 < x, x < 1), exp(u) == 1/(1 - x))", {"u": "(p0*t + eta*t**2/2)", "x": "x"}),
        ("Or(x > m*eta, x <= m*eta)", {"x": "alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t)"}),
        (("Implies(And(0 < S, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) >= 0, "
        "alpha_d*exp(p0*S + eta*S**2/2)*(p0 + eta*S) <= m*eta), alpha_d*S + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + alpha_p - m*(1 - 1/exp(p0*S + "
        "eta*S**2/2)) > alpha_p)"), {}, "", ("exp(p0*S + eta*S**2/2) > 0",
        (("ForAll(z, And(0 < z, z < S), alpha_d + beta_d*(N*exp(-p0*z - eta*z**2/2)) - exp(p0*z + "
        "eta*z**2/2)*(p0 + eta*z)*m/exp(p0*z + eta*z**2/2)**2 > 0)"), {}, "", ("exp(p0*z + eta*z**2/2) > 0",
        "Implies(And(0 < z, z < S), exp(-p0*z - eta*z**2/2) == 1/exp(p0*z + eta*z**2/2))",
        ("exp(u) >= exp(v)*(1 + u - v)", {"u": "(p0*z + eta*z**2/2)", "v": "(p0*S + eta*S**2/2)"}, "And(0 < z, z < S)",
        ("exp(u) == exp(v)*exp(u - v)",)),
        (("Implies(And(a > 0, e > 0, P > 0, z < S, Z >= P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), "
        "a*P*(p + e*S) <= m*e, a*P + b - m*(p + e*S) >= 0), a*Z + b - m*(p + e*z) > 0)"), {"a": "alpha_d",
        "b": "beta_d*N", "p": "p0", "e": "eta", "m": "m", "P": "exp(p0*S + eta*S**2/2)", "Z": "exp(p0*z + eta*z**2/2)",
        "S": "S", "z": "z"}, "And(0 < z, z < S)",
        (("Implies(Z >= P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), a*Z >= a*P*(1 + p*z + e*z**2/2 - "
        "(p*S + e*S**2/2)))"), "a*P*e*(S - z)**2 > 0", "(m*e - a*P*(p + e*S))*(S - z) >= 0",
        ("Implies(And(a*Z >= a*P*(1 + p*z + e*z**2/2 - (p*S + e*S**2/2)), a*P*e*(S - z)**2 > 0, "
        "(m*e - a*P*(p + e*S))*(S - z) >= 0, a*P + b - m*(p + e*S) >= 0), a*Z + b - m*(p + e*z) > " "0)"))),
        ("Implies(And(B == 1/Z, Z > 0, a*Z + b*n - m*h > 0), a + b*(n*B) - Z*h*m/Z**2 > 0)", {"a": "alpha_d",
        "b": "beta_d", "n": "N", "m": "m", "h": "(p0 + eta*z)", "Z": "exp(p0*z + eta*z**2/2)",
        "B": "exp(-p0*z - eta*z**2/2)"}, "And(0 < z, z < S)")))), ("S", "0")),
        (("Implies(And(Or(alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) > m*eta, alpha_d*exp(p0*t + "
        "eta*t**2/2)*(p0 + eta*t) <= m*eta), alpha_d*t + beta_d*Integral(N*exp(-p0*s - "
        "eta*s**2/2), (s, 0, t)) + alpha_p - m*(1 - 1/exp(p0*t + eta*t**2/2)) == 0, "
        "alpha_d*exp(p0*t + eta*t**2/2) + beta_d*N - m*(p0 + eta*t) == 0, 0 < t), "
        "alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) > m*eta)"), {}, "",
        ((("Implies(And(0 < S, alpha_d*exp(p0*S + eta*S**2/2) + beta_d*N - m*(p0 + eta*S) >= 0, "
        "alpha_d*exp(p0*S + eta*S**2/2)*(p0 + eta*S) <= m*eta), alpha_d*S + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, S)) + alpha_p - m*(1 - 1/exp(p0*S + "
        "eta*S**2/2)) > alpha_p)"), {"S": "t"}, "alpha_d*exp(p0*t + eta*t**2/2)*(p0 + eta*t) <= m*eta"),)))),
        (("Implies(And(0 < x, x < 1, h > 0, b >= 0, n > 0, a*h/(1 - x) > (a/(1 - x) + b*n)/h*e), (a "
        "+ b*n*(1 - x))*((h**2 - e)/((1 - x)**2*h**3)) - b*n/((1 - x)*h) > 0)"), {"x": "theta",
        "h": "sqrt(p0**2 + 2*eta*zeta(theta))", "a": "alpha_d", "b": "beta_d", "n": "N", "e": "eta"}, "",
        (("Implies(And(0 < x, x < 1, h > 0), a*h/(1 - x) - (a/(1 - x) + b*n)/h*e == (a*h**2 - (a + "
        "b*n*(1 - x))*e)/((1 - x)*h))"),
        ("Implies(And(0 < x, x < 1, h > 0), (a + b*n*(1 - x))*((h**2 - e)/((1 - x)**2*h**3)) - "
        "b*n/((1 - x)*h) == (a*h**2 - (a + b*n*(1 - x))*e)/((1 - x)*h)/((1 - x)*h**2))"))),
        ("diff(dur(theta, eta), theta, 2) == (sqrt(p0**2 + 2*eta*zeta(theta))**2 - eta)/((1 - "
        "theta)**2*sqrt(p0**2 + 2*eta*zeta(theta))**3)"),
        ("diff(cyc(theta, eta), theta, 2) == alpha_d*diff(dur(theta, eta), theta, 2) + "
        "beta_d*N*exp(-p0*dur(theta, eta) - eta*dur(theta, eta)**2/2)*(diff(dur(theta, eta), "
        "theta, 2) - sqrt(p0**2 + 2*eta*zeta(theta))*diff(dur(theta, eta), theta)**2)"),
        (("Implies(And(w == a*y2 + b*n*B*(y2 - h*y1**2), B == 1 - x, y1 == 1/((1 - x)*h), h > 0, x "
        "< 1, y2 == r, (a + b*n*(1 - x))*r - b*n/((1 - x)*h) > 0), w > 0)"), {"w": "diff(cyc(theta, eta), theta, 2)",
        "a": "alpha_d", "b": "beta_d", "n": "N", "B": "exp(-p0*dur(theta, eta) - eta*dur(theta, eta)**2/2)",
        "x": "theta", "h": "sqrt(p0**2 + 2*eta*zeta(theta))", "y1": "diff(dur(theta, eta), theta)",
        "y2": "diff(dur(theta, eta), theta, 2)",
        "r": ("(sqrt(p0**2 + 2*eta*zeta(theta))**2 - eta)/((1 - theta)**2*sqrt(p0**2 + " "2*eta*zeta(theta))**3)")},
        "", (("Implies(And(w == a*y2 + b*n*B*(y2 - h*y1**2), B == 1 - x, y1 == 1/((1 - x)*h), h > 0, x "
        "< 1, y2 == r), w == (a + b*n*(1 - x))*r - b*n/((1 - x)*h))"),)),
        ("Implies(And(w > 0, r > 0, x > 0, w == x*v, q == (-x*r - 2*(w - x*v)*v/w)/w/w), q < 0)",
        {"w": "cyc(theta, eta)", "r": "diff(cyc(theta, eta), theta, 2)", "x": "theta",
        "v": "diff(cyc(theta, eta), theta)", "q": "diff(R(theta), theta, 2)"}))},
    "lem-C.2.local-0": {"lemmas": (("Implies(And(u > 0, u != 1), log(u) < u - 1)", {"u": "(1 - x)/(1 - theta0)"},
        "And(0 < x, x < 1)"), "Implies(And(0 < x, x < 1), log((1 - x)/(1 - theta0)) == log(1 - x) - log(1 - theta0))",
        "Implies(And(0 < x, x < 1, x != theta0), (1 - x)/(1 - theta0) != 1)",
        ("Implies(And(0 < x, x < 1, x != theta0), log(1 - theta0) - log(1 - x) > (x - theta0)/(1 - " "theta0))"),
        (("Implies(And(p > 0, a > 0, 0 < y, y < 1, g == p*k/a, y/(1 - y) + m == g, m - l > (x - "
        "y)/(1 - y)), y*(k - a*l/p) > x*(k - a*m/p))"), {"p": "p0", "a": "alpha_d", "k": "alpha_p", "y": "theta0",
        "g": "p0*alpha_p/alpha_d", "m": "log(1 - theta0)", "l": "log(1 - x)", "x": "x"}, "And(0 < x, x < 1)"),
        "C0(theta0) > 0", "Implies(And(0 < x, x < 1), C0(x) > 0)",
        ("Implies(And(0 < x, x < 1, u > 0, v > 0, y*u > x*v), x/u < y/v)", {"y": "theta0", "u": "C0(x)",
        "v": "C0(theta0)", "x": "x"}, "And(0 < x, x < 1)"))},
    "lem-C.2.local": {"primitives": {"s": ()},
        "witness": {"Q": ("((alpha_d*((p0 + eta*dur(theta, eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(theta, eta) - "
        "eta*dur(theta, eta)**2/2)))*(alpha_p*p0**2)*exp(-((alpha_d*((p0 + eta*dur(theta, "
        "eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(theta, eta) - eta*dur(theta, "
        "eta)**2/2))))*exp(-(alpha_p*p0**2))*exp(-(eta*(p0 + eta*dur(theta, eta))*(2*alpha_d + "
        "beta_d*N)))*exp(-(2*(alpha_d + beta_d*N + (beta_p*N*mu_L)*((p0 + eta*dur(theta, eta)) + "
        "eta))*((p0 + eta*dur(theta, eta)) + eta)**2))"), "d": "Q*p0*(1 - theta)/2"},
        "lemmas": ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < u, u <= l), (a*((p + e*u)**2 - e) - "
        "e*b*n*exp(-p*u - e*u**2/2)) <= (a*((p + e*l)**2 - e) - e*b*n*exp(-p*l - e*l**2/2)))"), {"u": "u"}, "",
        ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u", "l": "l"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
        "e*b*n*exp(-p*u - e*u**2/2) >= e*b*n*exp(-p*l - e*l**2/2)")),
        (("Implies(And(0 < i, i <= j, j < 1, j - i < q*p*(1 - j), 0 < p, e > 0, r > 0, t > 0, p*r + "
        "e*r**2/2 == -log(1 - j), p*t + e*t**2/2 == -log(1 - i)), And(r >= t, r - t < q))"), {"q": "q"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) <= u/v - 1, log(u/v) == log(u) - log(v)))", {"u": "1 - i",
        "v": "1 - j"}), ("Implies(And(u >= v, v > 0), log(u) >= log(v))", {"u": "1 - i", "v": "1 - j"}),
        "(1 - i)/(1 - j) - 1 == (j - i)/(1 - j)", "(j - i)/(1 - j) < q*p",
        "(r - t)*(p + e*(r + t)/2) == log(1 - i) - log(1 - j)", "p + e*(r + t)/2 > 0",
        ("Implies(And(k*l == m, m >= 0, l > 0), k >= 0)", {"k": "r - t", "l": "p + e*(r + t)/2",
        "m": "log(1 - i) - log(1 - j)"}), "p*(r - t) < q*p", ("Implies(And(p*k < q*p, p > 0), k < q)",
        {"k": "r - t"}))), (("Implies(And(0 < phi, phi < 1), And(dur(phi, eta) > 0, p0*dur(phi, eta) + eta*dur(phi, "
        "eta)**2/2 == -log(1 - phi), cyc(phi, eta) >= alpha_p, At(diff(cyc(x, eta), x, 1), x, "
        "phi) == (alpha_d/(1 - phi) + beta_d*N)/(p0 + eta*dur(phi, eta)) + beta_p*N*mu_L, "
        "At(diff(R(x), x, 2), x, phi) == -(phi*(((alpha_d*((p0 + eta*dur(phi, eta))**2 - eta) - "
        "eta*beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2)))/((1 - phi)**2*(p0 + "
        "eta*dur(phi, eta))**3))*cyc(phi, eta) + 2*((alpha_d*dur(phi, eta) + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(phi, eta))) + alpha_p - "
        "(alpha_d*exp(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2) + beta_d*N - alpha_d - "
        "beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2))/(p0 + eta*dur(phi, "
        "eta))))*At(diff(cyc(x, eta), x, 1), x, phi))/cyc(phi, eta)**3, cyc(phi, eta)**3 > 0))"), {}, "",
        ("zeta(phi) > 0", (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(phi)"}), "p0**2 + 2*eta*zeta(phi) > 0", "sqrt(p0**2 + 2*eta*zeta(phi)) > 0",
        "sqrt(p0**2 + 2*eta*zeta(phi)) == (p0 + eta*dur(phi, eta))",
        ("Implies(And(u == -log(1 - y), 0 < y, y < 1), exp(u) == 1/(1 - y))",
        {"u": "p0*dur(phi, eta) + eta*dur(phi, eta)**2/2", "y": "phi"}),
        ("Implies(And(v == log(1 - x), x < 1), exp(v) == 1 - x)", {"v": "-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2",
        "x": "phi"}), "At(diff(dur(x, eta), x, 1), x, phi) == 1/((1 - phi)*sqrt(p0**2 + 2*eta*zeta(phi)))",
        ("At(diff(dur(x, eta), x, 2), x, phi) == (sqrt(p0**2 + 2*eta*zeta(phi))**2 - eta)/((1 - "
        "phi)**2*sqrt(p0**2 + 2*eta*zeta(phi))**3)"),
        ("At(diff(cyc(x, eta), x, 1), x, phi) == (alpha_d/(1 - phi) + beta_d*N)/sqrt(p0**2 + "
        "2*eta*zeta(phi)) + beta_p*N*mu_L"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(phi, eta)"}),
        (("Implies(And(a > 0, d > 0, b >= 0, i >= 0, w > 0, q >= 0, n > 0, l > 0, x > 0), And(a*d + "
        "b*i + w + q*n*l*x >= w, a*d + b*i + w + q*n*l*x > 0))"), {"a": "alpha_d", "d": "dur(phi, eta)", "b": "beta_d",
        "i": "cum(phi, eta)", "w": "alpha_p", "q": "beta_p", "n": "N", "l": "mu_L", "x": "phi"}),
        ("Implies(c > 0, And(c**2 > 0, c**3 > 0))", {"c": "cyc(phi, eta)"}),
        ("At(diff(R(x), x, 2), x, phi) == -(phi*At(diff(cyc(x, eta), x, 2), x, phi)*cyc(phi, eta) "
        "+ 2*(cyc(phi, eta) - phi*At(diff(cyc(x, eta), x, 1), x, phi))*At(diff(cyc(x, eta), x, "
        "1), x, phi))/cyc(phi, eta)**3"),
        ("At(diff(cyc(x, eta), x, 2), x, phi) == alpha_d*At(diff(dur(x, eta), x, 2), x, phi) + "
        "beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2)*(At(diff(dur(x, eta), x, 2), x, "
        "phi) - sqrt(p0**2 + 2*eta*zeta(phi))*At(diff(dur(x, eta), x, 1), x, phi)**2)"),
        (("Implies(And(w == a*y2 + b*n*B*(y2 - h*y1**2), B == u, y1 == v, y2 == r), w == a*r + "
        "b*n*u*(r - h*v**2))"), {"w": "At(diff(cyc(x, eta), x, 2), x, phi)", "a": "alpha_d", "b": "beta_d", "n": "N",
        "B": "exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2)", "u": "1 - phi", "h": "sqrt(p0**2 + 2*eta*zeta(phi))",
        "y1": "At(diff(dur(x, eta), x, 1), x, phi)", "v": "1/((1 - phi)*sqrt(p0**2 + 2*eta*zeta(phi)))",
        "y2": "At(diff(dur(x, eta), x, 2), x, phi)",
        "r": "(sqrt(p0**2 + 2*eta*zeta(phi))**2 - eta)/((1 - phi)**2*sqrt(p0**2 + 2*eta*zeta(phi))**3)"}),
        (("Implies(And(h > 0, u > 0, h == k, B == u), a*((h**2 - e)/(u**2*h**3)) + b*n*u*((h**2 - "
        "e)/(u**2*h**3) - h*(1/(u*h))**2) == (a*(k**2 - e) - e*b*n*B)/(u**2*k**3))"), {"a": "alpha_d", "b": "beta_d",
        "n": "N", "u": "1 - phi", "h": "sqrt(p0**2 + 2*eta*zeta(phi))", "e": "eta", "k": "(p0 + eta*dur(phi, eta))",
        "B": "exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2)"}, "",
        (("Implies(And(h > 0, u > 0), a*((h**2 - e)/(u**2*h**3)) + b*n*u*((h**2 - e)/(u**2*h**3) - "
        "h*(1/(u*h))**2) == (a*(h**2 - e) - e*b*n*u)/(u**2*h**3))"),)),
        (("Implies(And(w1 == (a/(1 - x) + b*n)/h + l, h == k, h > 0, x < 1, A == 1/(1 - x), B == 1 "
        "- x), a*d + b*i + w - (a*A + b*n - a - b*n*B)/k == a*d + b*i + w + l*x - x*w1)"), {"x": "phi", "a": "alpha_d",
        "b": "beta_d", "n": "N", "l": "beta_p*N*mu_L", "t": "(alpha_d*dur(phi, eta) + beta_d*cum(phi, eta) + alpha_p)",
        "A": "exp(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2)", "B": "exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2)",
        "d": "dur(phi, eta)", "i": "cum(phi, eta)", "w": "alpha_p", "w1": "At(diff(cyc(x, eta), x, 1), x, phi)",
        "h": "sqrt(p0**2 + 2*eta*zeta(phi))", "k": "(p0 + eta*dur(phi, eta))"}, "",
        ("x*((a/(1 - x) + b*n)/h) == (a*(1/(1 - x)) + b*n - a - b*n*(1 - x))/h",)),
        ("At(diff(cyc(x, eta), x, 1), x, phi) == (alpha_d/(1 - phi) + beta_d*N)/(p0 + eta*dur(phi, "
        "eta)) + beta_p*N*mu_L"),
        (("Implies(And(g == -(y*w2*W + 2*(W - y*v)*v)/W**3, w2 == z, z == s, f == a*d + b*i + w + "
        "l*y - y*v, W == a*d + b*i + w + l*y, W > 0), g == -(y*s*W + 2*f*v)/W**3)"),
        {"g": "At(diff(R(x), x, 2), x, phi)", "y": "phi", "w2": "At(diff(cyc(x, eta), x, 2), x, phi)",
        "W": "cyc(phi, eta)", "v": "At(diff(cyc(x, eta), x, 1), x, phi)",
        "z": ("alpha_d*((sqrt(p0**2 + 2*eta*zeta(phi))**2 - eta)/((1 - phi)**2*sqrt(p0**2 + "
        "2*eta*zeta(phi))**3)) + beta_d*N*(1 - phi)*((sqrt(p0**2 + 2*eta*zeta(phi))**2 - eta)/((1 "
        "- phi)**2*sqrt(p0**2 + 2*eta*zeta(phi))**3) - sqrt(p0**2 + 2*eta*zeta(phi))*(1/((1 - "
        "phi)*sqrt(p0**2 + 2*eta*zeta(phi))))**2)"),
        "s": ("((alpha_d*((p0 + eta*dur(phi, eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(phi, eta) - "
        "eta*dur(phi, eta)**2/2)))/((1 - phi)**2*(p0 + eta*dur(phi, eta))**3)"),
        "f": ("(alpha_d*dur(phi, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(phi, "
        "eta))) + alpha_p - (alpha_d*exp(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2) + beta_d*N - "
        "alpha_d - beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2))/(p0 + eta*dur(phi, " "eta)))"),
        "a": "alpha_d", "d": "dur(phi, eta)", "b": "beta_d", "i": "cum(phi, eta)", "w": "alpha_p",
        "l": "beta_p*N*mu_L"}, "", ("f == W - y*v",)))),
        (("And(dur(theta, eta) > 0, p0*dur(theta, eta) + eta*dur(theta, eta)**2/2 == -log(1 - "
        "theta), (alpha_d*dur(theta, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, "
        "dur(theta, eta))) + alpha_p - (alpha_d*exp(p0*dur(theta, eta) + eta*dur(theta, "
        "eta)**2/2) + beta_d*N - alpha_d - beta_d*N*exp(-p0*dur(theta, eta) - eta*dur(theta, "
        "eta)**2/2))/(p0 + eta*dur(theta, eta))) == 0, (alpha_d*((p0 + eta*dur(theta, eta))**2 - "
        "eta) - eta*beta_d*N*exp(-p0*dur(theta, eta) - eta*dur(theta, eta)**2/2)) > 0, "
        "beta_p*N*mu_L >= 0, eta*(p0 + eta*dur(theta, eta))*(2*alpha_d + beta_d*N) >= 0, "
        "2*(alpha_d + beta_d*N + (beta_p*N*mu_L)*((p0 + eta*dur(theta, eta)) + eta))*((p0 + "
        "eta*dur(theta, eta)) + eta)**2 >= 0)"), {}, "", ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), "p0**2 + 2*eta*zeta(theta) > 0",
        "sqrt(p0**2 + 2*eta*zeta(theta)) == (p0 + eta*dur(theta, eta))", "(p0 + eta*dur(theta, eta)) > 0",
        ("Implies(And(u == -log(1 - y), 0 < y, y < 1), exp(u) == 1/(1 - y))",
        {"u": "p0*dur(theta, eta) + eta*dur(theta, eta)**2/2", "y": "theta"}),
        ("Implies(And(v == log(1 - x), x < 1), exp(v) == 1 - x)",
        {"v": "-p0*dur(theta, eta) - eta*dur(theta, eta)**2/2", "x": "theta"}),
        ("diff(cyc(theta, eta), theta) == (alpha_d/(1 - theta) + beta_d*N)/(p0 + eta*dur(theta, "
        "eta)) + beta_p*N*mu_L"),
        (("Implies(And(k == x*w1, w1 == (a/(1 - x) + b*n)/h + l, k == t + l*x, h > 0, x < 1, A == "
        "1/(1 - x), B == 1 - x), t - (a*A + b*n - a - b*n*B)/h == 0)"), {"x": "theta", "a": "alpha_d", "b": "beta_d",
        "n": "N", "l": "beta_p*N*mu_L", "t": "(alpha_d*dur(theta, eta) + beta_d*cum(theta, eta) + alpha_p)",
        "A": "exp(p0*dur(theta, eta) + eta*dur(theta, eta)**2/2)",
        "B": "exp(-p0*dur(theta, eta) - eta*dur(theta, eta)**2/2)", "k": "cyc(theta, eta)",
        "w1": "diff(cyc(theta, eta), theta)", "h": "(p0 + eta*dur(theta, eta))"}, "",
        ("x*((a/(1 - x) + b*n)/h) == (a*(1/(1 - x)) + b*n - a - b*n*(1 - x))/h",)),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, w > 0, 0 < T, (a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n - a - "
        "b*n*exp(-p*T - e*T**2/2))/(p + e*T)) == 0), (a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - " "e*T**2/2)) > 0)"),
        {"T": "dur(theta, eta)", "a": "alpha_d", "p": "p0", "e": "eta", "b": "beta_d", "n": "N", "w": "alpha_p"}, "",
        ((("Implies((a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2)) <= 0, (a*((p + e*T)**2 - e) "
        "- e*b*n*exp(-p*T - e*T**2/2)) > 0)"), {}, "",
        ((("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, (a*((p + e*T)**2 - e) - "
        "e*b*n*exp(-p*T - e*T**2/2)) <= 0), (a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) "
        "+ w - (a*exp(p*T + e*T**2/2) + b*n - a - b*n*exp(-p*T - e*T**2/2))/(p + e*T)) - w >= 0)"), {"T": "T"}, "",
        ((("ForAll(z, And(0 < z, z < T), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - "
        "1) + b*n*(1 - exp(-p*z - e*z**2/2)))/(p + e*z)/(p + e*z)) >= 0)"), {}, "",
        ((("Implies(And(0 < z, z < T), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - "
        "1) + b*n*(1 - exp(-p*z - e*z**2/2)))/(p + e*z)/(p + e*z)) >= 0)"), {}, "",
        ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "z", "l": "T"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < u, u <= l), (a*((p + e*u)**2 - e) - "
        "e*b*n*exp(-p*u - e*u**2/2)) <= (a*((p + e*l)**2 - e) - e*b*n*exp(-p*l - e*l**2/2)))"), {"u": "z", "l": "T"},
        "", ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u", "l": "l"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
        "e*b*n*exp(-p*u - e*u**2/2) >= e*b*n*exp(-p*l - e*l**2/2)")),
        (("Implies(And(k > 0, v*q == 1), -a*(q - 1) + e*(a*(q - 1) + b*n*(1 - v))/k/k == -((q - "
        "1)*(a*(k**2 - e) - e*b*n*v))/k/k)"), {"k": "(p + e*z)", "v": "exp(-p*z - e*z**2/2)",
        "q": "exp(p*z + e*z**2/2)"}), ("Implies(And(q >= 0, s <= 0, k > 0), -(q*s)/k/k >= 0)",
        {"q": "exp(p*z + e*z**2/2) - 1", "s": "(a*((p + e*z)**2 - e) - e*b*n*exp(-p*z - e*z**2/2))", "k": "(p + e*z)"},
        "", ("q*s <= 0", "Implies(k > 0, And(1/k > 0, 1/k*(1/k) > 0))", "q*s*(1/k*(1/k)) <= 0")))),)),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, ForAll(z, And(0 < z, z < T), "
        "(-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - 1) + b*n*(1 - exp(-p*z - "
        "e*z**2/2)))/(p + e*z)/(p + e*z)) >= 0)), (a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n - a - b*n*exp(-p*T - e*T**2/2))/(p + e*T)) - w " ">= 0)"),
        {"T": "T"}, "", ("ForAll(z, z > 0, (p + e*z) > 0)",), ("T", "0")))),
        ("Implies(And(f - w >= 0, f == 0, w > 0), s > 0)",
        {"f": ("(a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n "
        "- a - b*n*exp(-p*T - e*T**2/2))/(p + e*T))"), "s": "(a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2))"}))),
        ("Or(s > 0, s <= 0)", {"s": "(a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2))"}),
        ("Implies(Or((a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2)) > 0, (a*((p + e*T)**2 - "
        "e) - e*b*n*exp(-p*T - e*T**2/2)) <= 0), (a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - " "e*T**2/2)) > 0)"))),
        "beta_p*N*mu_L >= 0", "eta*(p0 + eta*dur(theta, eta))*(2*alpha_d + beta_d*N) >= 0",
        ("2*(alpha_d + beta_d*N + (beta_p*N*mu_L)*((p0 + eta*dur(theta, eta)) + eta))*((p0 + "
        "eta*dur(theta, eta)) + eta)**2 >= 0"))),
        (("Implies(And(f >= 0, g >= 0, s > 0, m > 0, i == exp(-s), j == exp(-m), k == exp(-f), l == "
        "exp(-g)), And(s*m*i*j*k*l > 0, s*m*i*j*k*l <= 1, s*m*i*j*k*l*f < s, s*m*i*j*k*l*g < m))"),
        {"f": "eta*(p0 + eta*dur(theta, eta))*(2*alpha_d + beta_d*N)",
        "g": ("2*(alpha_d + beta_d*N + (beta_p*N*mu_L)*((p0 + eta*dur(theta, eta)) + eta))*((p0 + "
        "eta*dur(theta, eta)) + eta)**2"),
        "s": ("(alpha_d*((p0 + eta*dur(theta, eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(theta, eta) - "
        "eta*dur(theta, eta)**2/2))"), "m": "alpha_p*p0**2",
        "i": ("exp(-((alpha_d*((p0 + eta*dur(theta, eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(theta, "
        "eta) - eta*dur(theta, eta)**2/2))))"), "j": "exp(-(alpha_p*p0**2))",
        "k": "exp(-(eta*(p0 + eta*dur(theta, eta))*(2*alpha_d + beta_d*N)))",
        "l": ("exp(-(2*(alpha_d + beta_d*N + (beta_p*N*mu_L)*((p0 + eta*dur(theta, eta)) + eta))*((p0 + "
        "eta*dur(theta, eta)) + eta)**2))")}, "", (("Implies(And(z >= 0, y == exp(-z)), And(z*y < 1, y <= 1, y > 0))",
        {"z": "s", "y": "i"}, "", ("exp(z) > z", "exp(z) >= 1", "exp(z)*y == 1")),
        ("Implies(And(z >= 0, y == exp(-z)), And(z*y < 1, y <= 1, y > 0))", {"z": "m", "y": "j"}, "", ("exp(z) > z",
        "exp(z) >= 1", "exp(z)*y == 1")), ("Implies(And(z >= 0, y == exp(-z)), And(z*y < 1, y <= 1, y > 0))",
        {"z": "f", "y": "k"}, "", ("exp(z) > z", "exp(z) >= 1", "exp(z)*y == 1")),
        ("Implies(And(z >= 0, y == exp(-z)), And(z*y < 1, y <= 1, y > 0))", {"z": "g", "y": "l"}, "", ("exp(z) > z",
        "exp(z) >= 1", "exp(z)*y == 1")),
        ("Implies(And(a > 0, a <= 1, b > 0, b <= 1, c > 0, c <= 1), And(a*b*c <= 1, a*b*c > 0))", {"a": "s*i",
        "b": "m*j", "c": "k*l"}, "", ("a*b <= 1", "a*b > 0", "a*b*c <= a*b")),
        ("Implies(And(a > 0, a <= 1, b > 0, b <= 1, c > 0, c <= 1), And(a*b*c <= 1, a*b*c > 0))", {"a": "i",
        "b": "m*j", "c": "l"}, "", ("a*b <= 1", "a*b > 0", "a*b*c <= a*b")),
        ("Implies(And(a > 0, a <= 1, b > 0, b <= 1, c > 0, c <= 1), And(a*b*c <= 1, a*b*c > 0))", {"a": "s*i",
        "b": "j", "c": "k"}, "", ("a*b <= 1", "a*b > 0", "a*b*c <= a*b")), "s*(i*(m*j)*l)*(k*f) < s",
        "m*(s*i*j*k)*(l*g) < m")),
        ("Exists(Q, Q > 0, And(Q <= 1, Q*(eta*(p0 + eta*dur(theta, eta))*(2*alpha_d + beta_d*N)) < "
        "(alpha_d*((p0 + eta*dur(theta, eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(theta, eta) - "
        "eta*dur(theta, eta)**2/2)), Q*(2*(alpha_d + beta_d*N + (beta_p*N*mu_L)*((p0 + "
        "eta*dur(theta, eta)) + eta))*((p0 + eta*dur(theta, eta)) + eta)**2) < alpha_p*p0**2))"),
        (("Implies(And(0 < phi, phi < 1, theta - Q*p0*(1 - theta)/2 < phi, phi < theta + Q*p0*(1 - "
        "theta)/2), At(diff(R(x), x, 2), x, phi) < 0)"), {}, "",
        ((("Implies(And(0 < phi, phi < 1), And(dur(phi, eta) > 0, p0*dur(phi, eta) + eta*dur(phi, "
        "eta)**2/2 == -log(1 - phi), cyc(phi, eta) >= alpha_p, At(diff(cyc(x, eta), x, 1), x, "
        "phi) == (alpha_d/(1 - phi) + beta_d*N)/(p0 + eta*dur(phi, eta)) + beta_p*N*mu_L, "
        "At(diff(R(x), x, 2), x, phi) == -(phi*(((alpha_d*((p0 + eta*dur(phi, eta))**2 - eta) - "
        "eta*beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2)))/((1 - phi)**2*(p0 + "
        "eta*dur(phi, eta))**3))*cyc(phi, eta) + 2*((alpha_d*dur(phi, eta) + "
        "beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(phi, eta))) + alpha_p - "
        "(alpha_d*exp(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2) + beta_d*N - alpha_d - "
        "beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2))/(p0 + eta*dur(phi, "
        "eta))))*At(diff(cyc(x, eta), x, 1), x, phi))/cyc(phi, eta)**3, cyc(phi, eta)**3 > 0))"), {"phi": "phi"}),
        (("Implies(And(0 < q, q <= 1, 0 < p, p <= 1, x < 1, x - q*p*(1 - x)/2 < y, y < x + q*p*(1 - "
        "x)/2), And(x - y < q*p*(1 - x), y - x < q*p*(1 - y)))"), {"q": "Q", "p": "p0", "x": "theta", "y": "phi"}, "",
        ("0 < q*p", "Implies(And(0 < q, q <= 1, 0 < p, p <= 1), q*p <= 1)", "q*p*(1 - x) <= 1 - x",
        ("Implies(And(y < x + m/2, m <= 1 - x), 1 - y > (1 - x)/2)", {"m": "q*p*(1 - x)"}),
        "q*p*(1 - y) > q*p*((1 - x)/2)")),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, w > 0, c >= 0, 0 < T, 0 < P, 0 < x, x < "
        "1, 0 < y, y < 1, p*T + e*T**2/2 == -log(1 - x), p*P + e*P**2/2 == -log(1 - y), 0 < o, o "
        "<= 1, (a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2)) > 0, (a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n - a - "
        "b*n*exp(-p*T - e*T**2/2))/(p + e*T)) == 0, W >= w, V == (a/(1 - y) + b*n)/(p + e*P) + c, "
        "o*(2*(a + b*n + c*((p + e*T) + e))*((p + e*T) + e)**2) < w*p**2, o*(e*(p + e*T)*(2*a + "
        "b*n)) < (a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2)), y - x < o*p*(1 - y), x - y "
        "< o*p*(1 - x)), y*((a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/((1 - y)**2*(p + "
        "e*P)**3))*W + 2*((a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) + w - (a*exp(p*P + "
        "e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)))*V > 0)"), {"a": "alpha_d", "p": "p0", "e": "eta",
        "b": "beta_d", "n": "N", "w": "alpha_p", "c": "beta_p*N*mu_L", "o": "Q", "T": "dur(theta, eta)",
        "P": "dur(phi, eta)", "x": "theta", "y": "phi", "W": "cyc(phi, eta)",
        "V": "At(diff(cyc(x, eta), x, 1), x, phi)"}, "",
        ((("Implies(x <= y, y*((a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/((1 - y)**2*(p + "
        "e*P)**3))*W + 2*((a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) + w - (a*exp(p*P + "
        "e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)))*V > 0)"), {}, "",
        ((("Implies(And(0 < i, i <= j, j < 1, j - i < q*p*(1 - j), 0 < p, e > 0, r > 0, t > 0, p*r + "
        "e*r**2/2 == -log(1 - j), p*t + e*t**2/2 == -log(1 - i)), And(r >= t, r - t < q))"), {"i": "x", "j": "y",
        "t": "T", "r": "P", "q": "o"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) <= u/v - 1, log(u/v) == log(u) - log(v)))", {"u": "1 - i",
        "v": "1 - j"}), ("Implies(And(u >= v, v > 0), log(u) >= log(v))", {"u": "1 - i", "v": "1 - j"}),
        "(1 - i)/(1 - j) - 1 == (j - i)/(1 - j)", "(j - i)/(1 - j) < q*p",
        "(r - t)*(p + e*(r + t)/2) == log(1 - i) - log(1 - j)", "p + e*(r + t)/2 > 0",
        ("Implies(And(k*l == m, m >= 0, l > 0), k >= 0)", {"k": "r - t", "l": "p + e*(r + t)/2",
        "m": "log(1 - i) - log(1 - j)"}), "p*(r - t) < q*p", ("Implies(And(p*k < q*p, p > 0), k < q)",
        {"k": "r - t"}))), ("Implies(And(u == -log(1 - y), 0 < y, y < 1), exp(u) == 1/(1 - y))",
        {"u": "p*P + e*P**2/2"}),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < u, u <= l), (a*((p + e*u)**2 - e) - "
        "e*b*n*exp(-p*u - e*u**2/2)) <= (a*((p + e*l)**2 - e) - e*b*n*exp(-p*l - e*l**2/2)))"), {"u": "T", "l": "P"},
        "", ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u", "l": "l"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
        "e*b*n*exp(-p*u - e*u**2/2) >= e*b*n*exp(-p*l - e*l**2/2)")),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, T <= P, (a*((p + e*T)**2 - e) - "
        "e*b*n*exp(-p*T - e*T**2/2)) >= 0), (a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) "
        "+ w - (a*exp(p*P + e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)) - (a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n - a - "
        "b*n*exp(-p*T - e*T**2/2))/(p + e*T)) + (exp(p*P + e*P**2/2) - 1)*(a*((p + e*P)**2 - e) - "
        "e*b*n*exp(-p*P - e*P**2/2))/(p + e*T)/(p + e*T)*(P - T) >= 0)"), {"T": "T"}, "",
        ((("ForAll(z, And(T < z, z < P), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - "
        "1) + b*n*(1 - exp(-p*z - e*z**2/2)))/(p + e*z)/(p + e*z)) >= -((exp(p*P + e*P**2/2) - "
        "1)*(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/(p + e*T)/(p + e*T)))"), {}, "",
        ((("Implies(And(T < z, z < P), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - "
        "1) + b*n*(1 - exp(-p*z - e*z**2/2)))/(p + e*z)/(p + e*z)) >= -((exp(p*P + e*P**2/2) - "
        "1)*(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/(p + e*T)/(p + e*T)))"), {}, "",
        ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "z", "l": "P"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        (("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "T", "l": "z"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < u, u <= l), (a*((p + e*u)**2 - e) - "
        "e*b*n*exp(-p*u - e*u**2/2)) <= (a*((p + e*l)**2 - e) - e*b*n*exp(-p*l - e*l**2/2)))"), {"u": "T", "l": "z"},
        "", ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u", "l": "l"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
        "e*b*n*exp(-p*u - e*u**2/2) >= e*b*n*exp(-p*l - e*l**2/2)")),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < u, u <= l), (a*((p + e*u)**2 - e) - "
        "e*b*n*exp(-p*u - e*u**2/2)) <= (a*((p + e*l)**2 - e) - e*b*n*exp(-p*l - e*l**2/2)))"), {"u": "z", "l": "P"},
        "", ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u", "l": "l"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
        "e*b*n*exp(-p*u - e*u**2/2) >= e*b*n*exp(-p*l - e*l**2/2)")),
        (("Implies(And(k > 0, v*q == 1), -a*(q - 1) + e*(a*(q - 1) + b*n*(1 - v))/k/k == -((q - "
        "1)*(a*(k**2 - e) - e*b*n*v))/k/k)"), {"k": "(p + e*z)", "v": "exp(-p*z - e*z**2/2)",
        "q": "exp(p*z + e*z**2/2)"}),
        ("Implies(And(q >= 0, q <= g, s >= 0, s <= v, r > 0, r <= k), q*s/k/k <= g*v/r/r)",
        {"q": "exp(p*z + e*z**2/2) - 1", "g": "exp(p*P + e*P**2/2) - 1",
        "s": "(a*((p + e*z)**2 - e) - e*b*n*exp(-p*z - e*z**2/2))",
        "v": "(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))", "r": "(p + e*T)", "k": "(p + e*z)"}, "",
        ("q*s <= g*v", "q*s >= 0", "1/k <= 1/r", "Implies(k > 0, And(1/k > 0, 1/k*(1/k) > 0))",
        "1/k*(1/k) <= 1/r*(1/r)", "q*s*(1/k*(1/k)) <= g*v*(1/r*(1/r))")))),)),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < T, T <= P, ForAll(z, And(T < z, z < "
        "P), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - 1) + b*n*(1 - exp(-p*z - "
        "e*z**2/2)))/(p + e*z)/(p + e*z)) >= -m)), (a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, P)) + w - (a*exp(p*P + e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)) - "
        "(a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n "
        "- a - b*n*exp(-p*T - e*T**2/2))/(p + e*T)) + m*(P - T) >= 0)"),
        {"m": ("(exp(p*P + e*P**2/2) - 1)*(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/(p + "
        "e*T)/(p + e*T)")}, "", ("ForAll(z, z > T, (p + e*z) > 0)",), ("P", "T")))),
        ("Implies(And(u <= v, u > 0), v > 0)", {"u": "(a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2))",
        "v": "(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))"}), ("Implies(And(e > 0, T > 0), p + e*T >= p)",
        {"T": "T"}), ("p + e*u == p + e*v + e*(u - v)", {"u": "P", "v": "T"}),
        (("Implies(And(0 < y, y < 1, 0 < p, a > 0, b >= 0, n > 0, c >= 0, e > 0, r >= p, g >= 0, g "
        "< q, q <= 1, k == r + e*g, H == r + e, s > 0, W >= w, w > 0, q*(2*(a + b*n + c*H)*H**2) "
        "< w*p**2, f - t + (j - 1)*s/r/r*g >= 0, t == 0, j == 1/(1 - y), v == (a/(1 - y) + b*n)/k "
        "+ c), y*(s/((1 - y)**2*k**3))*W + 2*f*v > 0)"), {"q": "o", "r": "(p + e*T)", "g": "P - T",
        "j": "exp(p*P + e*P**2/2)", "H": "((p + e*T) + e)", "v": "V", "k": "(p + e*P)",
        "s": "(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))",
        "f": ("(a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) + w - (a*exp(p*P + e*P**2/2) + b*n "
        "- a - b*n*exp(-p*P - e*P**2/2))/(p + e*P))"),
        "t": ("(a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n "
        "- a - b*n*exp(-p*T - e*T**2/2))/(p + e*T))")}, "", ("k > 0", "k <= H", "v > 0", "j - 1 == y/(1 - y)",
        ("Implies(And(i == j - 1, r > 0, y < 1, i == y/(1 - y)), i*s/r/r*g == y*s*g/((1 - y)*r**2))", {"i": "j - 1"}),
        ("Implies(And(f - t + i >= 0, t == 0, i == m), f >= -m)", {"i": "(j - 1)*s/r/r*g",
        "m": "y*s*g/((1 - y)*r**2)"}), "f*v >= -(y*s*g/((1 - y)*r**2))*v",
        "(1 - y)*k*v == a + b*n*(1 - y) + c*k*(1 - y)", "b*n*(1 - y) <= b*n", "c*k*(1 - y) <= c*k", "c*k <= c*H",
        "(1 - y)*k*v <= a + b*n + c*H", "k**2 <= H**2",
        ("Implies(And(0 <= u, u <= z, 0 <= i, i <= m, g >= 0, g < q), 2*g*u*i <= 2*q*z*m)", {"u": "(1 - y)*k*v",
        "z": "a + b*n + c*H", "i": "k**2", "m": "H**2"}, "", ("u*i <= z*m", "u*i >= 0", "z*m >= 0",
        ("Implies(And(g >= 0, h <= l, l >= 0, g < q), g*h <= q*l)", {"h": "u*i", "l": "z*m"}, "", ("g*h <= g*l",
        "(q - g)*l >= 0")))), "p**2 <= r**2", "w*p**2 <= W*r**2", "2*g*((1 - y)*k*v)*k**2 < W*r**2",
        (("Implies(And(y > 0, s > 0, l > 0, k > 0, r > 0, 2*g*(l*k*v)*k**2 < W*r**2), "
        "y*(s/(l**2*k**3))*W > 2*(y*s*g/(l*r**2))*v)"), {"l": "1 - y"}, "", ("y*s/(l**2*k**3*r**2) > 0",
        "y*s/(l**2*k**3*r**2)*(2*g*(l*k*v)*k**2) < y*s/(l**2*k**3*r**2)*(W*r**2)")))))),
        (("Implies(y <= x, y*((a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/((1 - y)**2*(p + "
        "e*P)**3))*W + 2*((a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) + w - (a*exp(p*P + "
        "e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)))*V > 0)"), {}, "",
        ((("Implies(And(0 < i, i <= j, j < 1, j - i < q*p*(1 - j), 0 < p, e > 0, r > 0, t > 0, p*r + "
        "e*r**2/2 == -log(1 - j), p*t + e*t**2/2 == -log(1 - i)), And(r >= t, r - t < q))"), {"i": "y", "j": "x",
        "t": "P", "r": "T", "q": "o"}, "",
        (("Implies(And(u > 0, v > 0), And(log(u/v) <= u/v - 1, log(u/v) == log(u) - log(v)))", {"u": "1 - i",
        "v": "1 - j"}), ("Implies(And(u >= v, v > 0), log(u) >= log(v))", {"u": "1 - i", "v": "1 - j"}),
        "(1 - i)/(1 - j) - 1 == (j - i)/(1 - j)", "(j - i)/(1 - j) < q*p",
        "(r - t)*(p + e*(r + t)/2) == log(1 - i) - log(1 - j)", "p + e*(r + t)/2 > 0",
        ("Implies(And(k*l == m, m >= 0, l > 0), k >= 0)", {"k": "r - t", "l": "p + e*(r + t)/2",
        "m": "log(1 - i) - log(1 - j)"}), "p*(r - t) < q*p", ("Implies(And(p*k < q*p, p > 0), k < q)",
        {"k": "r - t"}))), (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < P, P <= T, T - P < q, q*(e*(p + "
        "e*T)*(2*a + b*n)) < (a*((p + e*T)**2 - e) - e*b*n*exp(-p*T - e*T**2/2))), (a*((p + "
        "e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2)) > 0)"), {"q": "o"}, "",
        ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "P", "l": "T"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "exp(-p*P - e*P**2/2) <= 1", ("exp(v) >= 1 + v", {"v": "(p*P + e*P**2/2 - (p*T + e*T**2/2))"}),
        "exp(-p*T - e*T**2/2) == exp(-p*P - e*P**2/2)*exp(p*P + e*P**2/2 - (p*T + e*T**2/2))",
        "-(p*P + e*P**2/2 - (p*T + e*T**2/2)) >= 0", "-(p*P + e*P**2/2 - (p*T + e*T**2/2)) <= (T - P)*(p + e*T)",
        ("exp(-p*P - e*P**2/2) - exp(-p*T - e*T**2/2) <= exp(-p*P - e*P**2/2)*(-(p*P + e*P**2/2 - "
        "(p*T + e*T**2/2)))"), ("Implies(And(l <= 1, 0 <= d, d <= g, f <= l*d), f <= g)", {"l": "exp(-p*P - e*P**2/2)",
        "d": "-(p*P + e*P**2/2 - (p*T + e*T**2/2))", "g": "(T - P)*(p + e*T)",
        "f": "exp(-p*P - e*P**2/2) - exp(-p*T - e*T**2/2)"}, "", ("l*d <= d",)),
        "(p + e*T)**2 - (p + e*P)**2 <= 2*e*(T - P)*(p + e*T)",
        (("Implies(And(a > 0, e > 0, b >= 0, n > 0, r > 0, i < q, u - v <= i*r, r**2 - k**2 <= "
        "2*e*i*r, q*(e*r*(2*a + b*n)) < a*(r**2 - e) - e*b*n*v), a*(k**2 - e) - e*b*n*u > 0)"),
        {"u": "exp(-p*P - e*P**2/2)", "v": "exp(-p*T - e*T**2/2)", "i": "T - P", "r": "(p + e*T)", "k": "(p + e*P)"},
        "", ("a*(r**2 - k**2) <= a*(2*e*i*r)", "e*b*n*(u - v) <= e*b*n*(i*r)", "e*r*(2*a + b*n) > 0",
        "(q - i)*(e*r*(2*a + b*n)) > 0")))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < P, P <= T, (a*((p + e*P)**2 - e) - "
        "e*b*n*exp(-p*P - e*P**2/2)) >= 0), (a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) "
        "+ w - (a*exp(p*P + e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)) - (a*T + "
        "b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n - a - "
        "b*n*exp(-p*T - e*T**2/2))/(p + e*T)) >= 0)"), {"T": "T"}, "",
        ((("ForAll(z, And(P < z, z < T), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - "
        "1) + b*n*(1 - exp(-p*z - e*z**2/2)))/(p + e*z)/(p + e*z)) <= 0)"), {}, "",
        ((("Implies(And(P < z, z < T), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - "
        "1) + b*n*(1 - exp(-p*z - e*z**2/2)))/(p + e*z)/(p + e*z)) <= 0)"), {}, "",
        ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "P", "l": "z"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < u, u <= l), (a*((p + e*u)**2 - e) - "
        "e*b*n*exp(-p*u - e*u**2/2)) <= (a*((p + e*l)**2 - e) - e*b*n*exp(-p*l - e*l**2/2)))"), {"u": "P", "l": "z"},
        "", ((("Implies(And(p > 0, e > 0, 0 < u, u <= l), And(exp(p*u + e*u**2/2) <= exp(p*l + "
        "e*l**2/2), exp(-p*u - e*u**2/2) >= exp(-p*l - e*l**2/2), (p + e*u) <= (p + e*l), exp(p*u "
        "+ e*u**2/2) > 1, exp(-p*u - e*u**2/2)*exp(p*u + e*u**2/2) == 1, (p + e*u) > 0))"), {"u": "u", "l": "l"}, "",
        ("p*u + e*u**2/2 > 0", "p*u + e*u**2/2 <= p*l + e*l**2/2", "-p*l - e*l**2/2 <= -p*u - e*u**2/2",
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "p*u + e*u**2/2", "y": "p*l + e*l**2/2"}),
        ("Implies(x <= y, exp(x) <= exp(y))", {"x": "-p*l - e*l**2/2", "y": "-p*u - e*u**2/2"}))),
        "(p + e*u)**2 <= (p + e*l)**2", "a*(p + e*u)**2 <= a*(p + e*l)**2",
        "e*b*n*exp(-p*u - e*u**2/2) >= e*b*n*exp(-p*l - e*l**2/2)")),
        (("Implies(And(k > 0, v*q == 1), -a*(q - 1) + e*(a*(q - 1) + b*n*(1 - v))/k/k == -((q - "
        "1)*(a*(k**2 - e) - e*b*n*v))/k/k)"), {"k": "(p + e*z)", "v": "exp(-p*z - e*z**2/2)",
        "q": "exp(p*z + e*z**2/2)"}), ("Implies(And(q >= 0, s >= 0, k > 0), -(q*s)/k/k <= 0)",
        {"q": "exp(p*z + e*z**2/2) - 1", "s": "(a*((p + e*z)**2 - e) - e*b*n*exp(-p*z - e*z**2/2))", "k": "(p + e*z)"},
        "", ("q*s >= 0", "Implies(k > 0, And(1/k > 0, 1/k*(1/k) > 0))", "q*s*(1/k*(1/k)) >= 0")))),)),
        (("Implies(And(a > 0, p > 0, e > 0, b >= 0, n > 0, 0 < P, P <= T, ForAll(z, And(P < z, z < "
        "T), (-a*(exp(p*z + e*z**2/2) - 1) + e*(a*(exp(p*z + e*z**2/2) - 1) + b*n*(1 - exp(-p*z - "
        "e*z**2/2)))/(p + e*z)/(p + e*z)) <= 0)), (a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, "
        "0, P)) + w - (a*exp(p*P + e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)) - "
        "(a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n "
        "- a - b*n*exp(-p*T - e*T**2/2))/(p + e*T)) >= 0)"), {"T": "T"}, "", ("ForAll(z, z > P, (p + e*z) > 0)",),
        ("P", "T")))), ("Implies(And(p > 0, e > 0, P > 0), p + e*P > 0)", {"P": "P"}),
        (("Implies(And(0 < y, y < 1, k > 0, s > 0, W > 0, a > 0, b >= 0, n > 0, c >= 0, f - t >= 0, "
        "t == 0, v == (a/(1 - y) + b*n)/k + c), y*(s/((1 - y)**2*k**3))*W + 2*f*v > 0)"), {"v": "V", "k": "(p + e*P)",
        "s": "(a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))",
        "f": ("(a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) + w - (a*exp(p*P + e*P**2/2) + b*n "
        "- a - b*n*exp(-p*P - e*P**2/2))/(p + e*P))"),
        "t": ("(a*T + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, T)) + w - (a*exp(p*T + e*T**2/2) + b*n "
        "- a - b*n*exp(-p*T - e*T**2/2))/(p + e*T))")}, "", ("v > 0", "f >= 0", "f*v >= 0", "s/((1 - y)**2*k**3) > 0",
        "y*(s/((1 - y)**2*k**3))*W > 0")))), "Or(x <= y, y <= x)",
        ("Implies(Or(x <= y, y <= x), y*((a*((p + e*P)**2 - e) - e*b*n*exp(-p*P - e*P**2/2))/((1 - "
        "y)**2*(p + e*P)**3))*W + 2*((a*P + b*Integral(n*exp(-p*s - e*s**2/2), (s, 0, P)) + w - "
        "(a*exp(p*P + e*P**2/2) + b*n - a - b*n*exp(-p*P - e*P**2/2))/(p + e*P)))*V > 0)"))),
        ("Implies(And(g == -m/W, W > 0, m > 0), g < 0)", {"g": "At(diff(R(x), x, 2), x, phi)",
        "m": ("phi*(((alpha_d*((p0 + eta*dur(phi, eta))**2 - eta) - eta*beta_d*N*exp(-p0*dur(phi, eta) "
        "- eta*dur(phi, eta)**2/2)))/((1 - phi)**2*(p0 + eta*dur(phi, eta))**3))*cyc(phi, eta) + "
        "2*((alpha_d*dur(phi, eta) + beta_d*Integral(N*exp(-p0*s - eta*s**2/2), (s, 0, dur(phi, "
        "eta))) + alpha_p - (alpha_d*exp(p0*dur(phi, eta) + eta*dur(phi, eta)**2/2) + beta_d*N - "
        "alpha_d - beta_d*N*exp(-p0*dur(phi, eta) - eta*dur(phi, eta)**2/2))/(p0 + eta*dur(phi, "
        "eta))))*At(diff(cyc(x, eta), x, 1), x, phi)"), "W": "cyc(phi, eta)**3"}))))},
    "lem-C.2.boundary.no-token-cost": {"lemmas": ("zeta(theta) > 0",
        (("Implies(And(p > 0, e > 0, z > 0), And((-p + sqrt(p**2 + 2*e*z))/e > 0, p*((-p + "
        "sqrt(p**2 + 2*e*z))/e) + e*((-p + sqrt(p**2 + 2*e*z))/e)**2/2 == z))"), {"p": "p0", "e": "eta",
        "z": "zeta(theta)"}), "beta_p*N*mu_L*theta >= 0", "alpha_d*dur(theta, eta) > 0")},
    "lem-C.2.boundary": {"rate": {"x": ("1/alpha_p", "1")}, "primitives": {"s": ()},
        "lemmas": ("Implies(And(0 < x, x < 1), zeta(x) > 0)",
        ("Implies(And(p > 0, e > 0, z > 0), (-p + sqrt(p**2 + 2*e*z))/e > 0)", {"p": "p0", "e": "eta", "z": "zeta(x)"},
        "And(0 < x, x < 1)"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(x, eta)"}, "And(0 < x, x < 1)"),
        "Implies(And(0 < x, x < 1), cyc(x, eta) > alpha_p)",
        ("Implies(And(0 < x, x < 1, a > 0, c > a), And(0 < x/c, x/c < x/a, x/c < 1/a))", {"x": "x", "a": "alpha_p",
        "c": "cyc(x, eta)"}, "And(0 < x, x < 1)"),
        "ForAll(x, And(0 < x, x < 1), And(0 < R(x), R(x) < x/alpha_p, R(x) < 1/alpha_p))",
        "Implies(And(0 < y, y < 1), zeta(y) > 0)",
        ("Implies(And(p > 0, e > 0, z > 0), (-p + sqrt(p**2 + 2*e*z))/e > 0)", {"p": "p0", "e": "eta", "z": "zeta(y)"},
        "And(0 < y, y < 1)"),
        ("Implies(And(p > 0, e > 0, n > 0, d > 0), Integral(n*exp(-p*s - e*s**2/2), (s, 0, d)) >= 0)", {"p": "p0",
        "e": "eta", "n": "N", "d": "dur(y, eta)"}, "And(0 < y, y < 1)"),
        "Implies(And(0 < y, y < 1), cyc(y, eta) > alpha_p)",
        ("Implies(And(0 < x, x < 1, a > 0, c > a), And(0 < x/c, x/c < x/a, x/c < 1/a))", {"x": "y", "a": "alpha_p",
        "c": "cyc(y, eta)"}, "And(0 < y, y < 1)"),
        "ForAll(y, And(0 < y, y < 1), And(0 < R(y), R(y) < y/alpha_p, R(y) < 1/alpha_p))")},
    "app-D.1.mean": {"rate": {"n": ("12/theta**3", "2")},
        "lemmas": ((("Implies(And(floor(n) == n, n >= 1), Sum(a*(theta*(1 - theta)**(a - 1)), (a, 1, n)) == "
        "1/theta - (1 - theta)**n*(n + 1/theta))"), {}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(floor(b) == b, b >= 2, 0 < x, x <= 1), (1 - x)**b*(1 + b*x + b*(b - " "1)*x**2/2) <= 1)"),
        {"b": "n", "x": "theta"}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(b >= 2, 0 < x, x <= 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2) <= 1), "
        "And(q*(b + 1/x) >= 0, q*(b + 1/x) <= (12/x**3)/b))"), {"b": "n", "x": "theta", "q": "(1 - theta)**n"},
        "And(floor(n) == n, n >= 2)"))},
    "app-D.1.continuing": {"rate": {"n": ("12/theta**3/(1 - theta)", "2")},
        "lemmas": ((("Implies(And(floor(n) == n, n >= 1), Sum((a - 1)*(theta*(1 - theta)**(a - 1)/(1 - "
        "theta)), (a, 2, n)) == 1/theta - (1 - theta)**n*(n + 1/theta - 1)/(1 - theta))"), {},
        "And(floor(n) == n, n >= 2)"),
        (("Implies(And(floor(b) == b, b >= 2, 0 < x, x <= 1), (1 - x)**b*(1 + b*x + b*(b - " "1)*x**2/2) <= 1)"),
        {"b": "n", "x": "theta"}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(b >= 2, 0 < x, x < 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2) <= 1), And(q*(b "
        "+ 1/x - 1)/(1 - x) >= 0, q*(b + 1/x - 1)/(1 - x) <= 12/x**3/(1 - x)/b))"), {"b": "n", "x": "theta",
        "q": "(1 - theta)**n"}, "And(floor(n) == n, n >= 2)"))},
    "app-D.3.S-mean": {"rate": {"n": ("12/p0**3", "2")},
        "lemmas": ((("Implies(And(floor(n) == n, n >= 1), Sum(o*(p0*(1 - p0)**(o - 1)), (o, 1, n)) == 1/p0 - "
        "(1 - p0)**n*(n + 1/p0))"), {}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(floor(b) == b, b >= 2, 0 < x, x <= 1), (1 - x)**b*(1 + b*x + b*(b - " "1)*x**2/2) <= 1)"),
        {"b": "n", "x": "p0"}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(b >= 2, 0 < x, x <= 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2) <= 1), "
        "And(q*(b + 1/x) >= 0, q*(b + 1/x) <= (12/x**3)/b))"), {"b": "n", "x": "p0", "q": "(1 - p0)**n"},
        "And(floor(n) == n, n >= 2)"))},
    "app-D.3.S-variance": {"rate": {"n": ("100/p0**3", "2")},
        "lemmas": ((("Implies(And(floor(n) == n, n >= 1), Sum((o - 1/p0)**2*(p0*(1 - p0)**(o - 1)), (o, 1, n)) "
        "== (1 - p0)/p0**2 - (1 - p0)**n*((1 - p0)/p0**2 + n**2))"), {}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(floor(b) == b, b >= 2, 0 < x, x <= 1), (1 - x)**b*(1 + b*x + b*(b - "
        "1)*x**2/2 + b*(b - 1)*(b - 2)*x**3/6) <= 1)"), {"b": "n", "x": "p0"}, "And(floor(n) == n, n >= 2)"),
        (("Implies(And(b >= 2, 0 < x, x <= 1, q >= 0, q*(1 + b*x + b*(b - 1)*x**2/2 + b*(b - 1)*(b "
        "- 2)*x**3/6) <= 1), And(q*((1 - x)/x**2 + b**2) >= 0, q*((1 - x)/x**2 + b**2) <= " "100/x**3/b))"), {"b": "n",
        "x": "p0", "q": "(1 - p0)**n"}, "And(floor(n) == n, n >= 2)"))},
    "app-D.3.v-n-approx.limit": {"rate": {"p0": ("sigma_L**2/2 + mu_L**2 + 2*mu_L + 2", "1")}},
    "app-D.3.v-n-approx.spread.corrected": {"rate": {"p0": ("mu_L**2 + 2*mu_L + 2", "1")}},
    "app-D.4.n-equals-N.corrected": {"lemmas": (("v(n, p0)/(2*n*p0*mu_L) == (p0**2*sigma_L**2 + (1 - p0)*(1 + (1 + "
        "p0*mu_L)**2))/(2*(p0**2*mu_L))"), "(2*N/p0)/(2*N*p0*mu_L) == 1/(p0**2*mu_L)",
        ("Implies(c > 0, And(Implies(a/(2*c) <= 1/c, a <= 2), Implies(a <= 2, a/(2*c) <= 1/c)))",
        {"a": "p0**2*sigma_L**2 + (1 - p0)*(1 + (1 + p0*mu_L)**2)", "c": "p0**2*mu_L"}))},
    "app-D.4.solve": {"lemmas": ("log(1/(1 - theta)) > 0", "m > 0",
        (("Implies(And(floor(i) == i, y > 0), And(Implies(i*y + b <= c, i <= floor((c - b)/y)), "
        "Implies(i <= floor((c - b)/y), i*y + b <= c)))"), {"i": "N", "y": "m", "b": "vbar*log(1/eps)", "c": "C"}))},
    "app-D.5.order-1.corrected": {"lemmas": ("log(1/(1 - theta)) > 0", "m > 0", "log(1/eps) >= 1",
        ("Implies(And(y > 0, b >= 0, l >= 1), (c - b*l)/y <= (c - b)/y)", {"y": "m", "b": "vbar", "c": "C",
        "l": "log(1/eps)"}), ("Implies(x <= y, floor(x) <= floor(y))", {"x": "(C - vbar*log(1/eps))/m",
        "y": "(C - vbar)/m"}))},
    "app-D.5.order-2": {"lemmas": ("log(1/(1 - theta)) > 0", "m > 0", ("Implies(And(y > 0, b >= 0), (c - b)/y <= c/y)",
        {"y": "m", "b": "vbar", "c": "C"}), ("Implies(x <= y, floor(x) <= floor(y))", {"x": "(C - vbar)/m",
        "y": "C/m"}))},
    "app-D.5.gap.difference": {"lemmas": ("log(1/(1 - theta)) > 0", "m > 0",
        ("Implies(y > 0, Abs(floor(c/y) - floor((c - b)/y) - b/y) < 1)", {"y": "m", "b": "vbar*log(1/eps)",
        "c": "C"}))},
    "eq-23.clip": {"lemmas": (("Implies(x <= y, Max(5/100, x) <= Max(5/100, y))", {"x": "u + f0", "y": "w + f0"}),
        ("Implies(x <= y, Min(6/10, x) <= Min(6/10, y))", {"x": "Max(5/100, u + f0)", "y": "Max(5/100, w + f0)"}))},
    "app-D.6.oscillation.corrected": {"lemmas": (("Implies(And(t > 0, n <= 6/10*t), 6/10 >= n/t)", {"t": "total",
        "n": "needed"}), "N*mu_O*s_KV/(b*total) >= 0", "N*mu_O*s_KV/(b*total) + f0 >= needed/total",
        ("Implies(a >= n, Max(5/100, a) >= n)", {"a": "N*mu_O*s_KV/(b*total) + f0", "n": "needed/total"}),
        ("Implies(And(a >= n, c >= n), Min(a, c) >= n)", {"a": "6/10", "c": "Max(5/100, N*mu_O*s_KV/(b*total) + f0)",
        "n": "needed/total"}), ("Implies(And(t > 0, g >= h*t, h >= n/t), g >= n)", {"t": "total", "g": "free",
        "h": "Min(6/10, Max(5/100, N*mu_O*s_KV/(b*total) + f0))", "n": "needed"}))},
    "app-D.6.orthogonal.threshold.corrected": {"lemmas": ("use(N) < use(N2)",
        ("Implies(And(x >= 5/100, x <= 6/10), Min(6/10, Max(5/100, x)) == x)", {"x": "use(N)"}),
        ("Implies(And(x >= 5/100, x <= 6/10), Min(6/10, Max(5/100, x)) == x)", {"x": "use(N2)"}),
        ("Implies(x <= 5/100, Min(6/10, Max(5/100, x)) == 5/100)", {"x": "use(N)"}),
        ("Implies(x <= 5/100, Min(6/10, Max(5/100, x)) == 5/100)", {"x": "use(N2)"}),
        ("Implies(x >= 6/10, Min(6/10, Max(5/100, x)) == 6/10)", {"x": "use(N)"}),
        ("Implies(x >= 6/10, Min(6/10, Max(5/100, x)) == 6/10)", {"x": "use(N2)"}))},
    "app-E.2.P1": {"lemmas": ("StrictlyIncreasing(Psi(u), u, And(0 < u, u < 1))",)},
    "app-E.2.P3": {"lemmas": ("p0 < q0",)},
    "app-E.3.gamma-2": {"primitives": {"u": ()},
        "lemmas": ((("Implies(And(c > 0, k > 0, l > 0), ForAll(x, x >= 0, ForAll(y, y > x, "
        "Integral(c*u**k*exp(-l*u), (u, 0, y)) > Integral(c*u**k*exp(-l*u), (u, 0, x)))))"), {"c": "C", "k": "a - 1",
        "l": "lam"}, "", (), ("y", "x")), ("Implies(x >= 0, Integral(f(u), (u, 0, x)) < 1)", {}, "",
        ("Integral(f(u), (u, 0, x + 1)) > Integral(f(u), (u, 0, x))",
        ("Exists(d, d == d, ForAll(b, b > d, And((Integral(f(u), (u, 0, x + 1)) - Integral(f(u), "
        "(u, 0, x))) > Integral(f(u), (u, 0, b)) - 1, (Integral(f(u), (u, 0, x + 1)) - "
        "Integral(f(u), (u, 0, x))) + (Integral(f(u), (u, 0, b)) - 1) > 0)))"), "(d**2 + x + 2) > d",
        "(d**2 + x + 2) > x + 1", "Integral(f(u), (u, 0, (d**2 + x + 2))) > Integral(f(u), (u, 0, x + 1))",
        ("(Integral(f(u), (u, 0, x + 1)) - Integral(f(u), (u, 0, x))) > Integral(f(u), (u, 0, "
        "(d**2 + x + 2))) - 1"),
        ("(Integral(f(u), (u, 0, x + 1)) - Integral(f(u), (u, 0, x))) + (Integral(f(u), (u, 0, "
        "(d**2 + x + 2))) - 1) > 0"), ("Implies(And(p > q, q - r > p - 1), r < 1)",
        {"p": "Integral(f(u), (u, 0, (d**2 + x + 2)))", "q": "Integral(f(u), (u, 0, x + 1))",
        "r": "Integral(f(u), (u, 0, x))"}))), "ForAll(x, x >= 0, Integral(f(u), (u, 0, x)) < 1)",
        ("Implies(And(t >= 0, s > t), f(s)/S(s) - f(t)/S(t) > 0)", {}, "", ("s > 0",
        (("Implies(And(c > 0, k > 0, l > 0, 0 <= t, t < s), ForAll(z, t < z, (c*(z + s - "
        "t)**k*exp(-l*(z + s - t)))*(c*(t)**k*exp(-l*(t))) < " "(c*(s)**k*exp(-l*(s)))*(c*(z)**k*exp(-l*(z)))))"),
        {"c": "C", "k": "a - 1", "l": "lam"}, "",
        ((("Implies(And(c > 0, k > 0, l > 0, 0 <= t, t < s, t < z), (c*(z + s - t)**k*exp(-l*(z + s "
        "- t)))*(c*(t)**k*exp(-l*(t))) < (c*(s)**k*exp(-l*(s)))*(c*(z)**k*exp(-l*(z))))"), {}, "",
        (("Implies(And(k > 0, 0 < t, t < s, t < z), (z + s - t)**k*t**k < s**k*z**k)", {}, "", ("(z + s - t)*t < s*z",
        "(z + s - t)**k*t**k == ((z + s - t)*t)**k", "s**k*z**k == (s*z)**k", "(z + s - t)*t > 0",
        ("Implies(And(k > 0, v > 0, v < w), v**k < w**k)", {"v": "(z + s - t)*t", "w": "s*z"}))),
        "exp(-l*(z + s - t))*exp(-l*t) == exp(-l*s)*exp(-l*z)",
        ("Implies(And(k > 0, 0 <= t, t <= 0, s > 0, z > 0), (z + s - t)**k*t**k < s**k*z**k)", {}, "", ("t == 0",
        "t**k == 0", "s**k*z**k > 0")), "Or(t > 0, t <= 0)",
        "Implies(Or(t > 0, t <= 0), (z + s - t)**k*t**k < s**k*z**k)",
        ("Implies(And(c > 0, e > 0, p < q, v == e), c*c*(p*v) < c*c*(q*e))", {"e": "exp(-l*s)*exp(-l*z)",
        "v": "exp(-l*(z + s - t))*exp(-l*t)", "p": "(z + s - t)**k*t**k", "q": "s**k*z**k"}))),)), "f(s) > 0",
        "f(t) >= 0", (("Implies(And(c > 0, k > 0, t >= 0, s > t, t >= t, p > 0, q >= 0, ForAll(z, z > t, (c*(z + "
        "s - t)**k*exp(-l*(z + s - t)))*q < p*(c*(z)**k*exp(-l*(z))))), ForAll(b, b > t, "
        "p*(Integral(c*u**k*exp(-l*u), (u, 0, b)) - Integral(c*u**k*exp(-l*u), (u, 0, t))) > "
        "q*(Integral(c*u**k*exp(-l*u), (u, 0, b + s - t)) - Integral(c*u**k*exp(-l*u), (u, 0, " "s)))))"), {"c": "C",
        "k": "a - 1", "l": "lam", "p": "f(s)", "q": "f(t)"}, "", ("ForAll(z, z > t, And(z > 0, z + s - t > 0))",),
        ("b", "t")), (("Implies(And(c > 0, k > 0, t >= 0, s > t, (t + 1) >= t, p > 0, q >= 0, ForAll(z, z > t, "
        "(c*(z + s - t)**k*exp(-l*(z + s - t)))*q < p*(c*(z)**k*exp(-l*(z))))), ForAll(b, b > (t "
        "+ 1), p*(Integral(c*u**k*exp(-l*u), (u, 0, b)) - Integral(c*u**k*exp(-l*u), (u, 0, (t + "
        "1)))) > q*(Integral(c*u**k*exp(-l*u), (u, 0, b + s - t)) - Integral(c*u**k*exp(-l*u), "
        "(u, 0, (t + 1) + s - t)))))"), {"c": "C", "k": "a - 1", "l": "lam", "p": "f(s)", "q": "f(t)"}, "",
        ("ForAll(z, z > t, And(z > 0, z + s - t > 0))",), ("b", "(t + 1)")), "f(s) + f(t) > 0",
        ("f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) > "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s)))"),
        ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + " "f(t)) > 0"),
        ("Exists(d, d == d, ForAll(b, b > d, And((f(s)*(Integral(f(u), (u, 0, (t + 1))) - "
        "Integral(f(u), (u, 0, t))) - f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - "
        "Integral(f(u), (u, 0, s))))/(f(s) + f(t)) > Integral(f(u), (u, 0, b)) - 1, "
        "(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + "
        "f(t)) + (Integral(f(u), (u, 0, b)) - 1) > 0)))"), "(d**2 + t + 2) > d", "(d**2 + t + 2) > (t + 1)",
        "(d**2 + t + 2) + s - t > d", ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + "
        "f(t)) > Integral(f(u), (u, 0, (d**2 + t + 2))) - 1"),
        ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + "
        "f(t)) + (Integral(f(u), (u, 0, (d**2 + t + 2))) - 1) > 0"),
        ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + "
        "f(t)) > Integral(f(u), (u, 0, (d**2 + t + 2) + s - t)) - 1"),
        ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + "
        "f(t)) + (Integral(f(u), (u, 0, (d**2 + t + 2) + s - t)) - 1) > 0"),
        ("f(s)*(Integral(f(u), (u, 0, (d**2 + t + 2))) - Integral(f(u), (u, 0, (t + 1)))) > "
        "f(t)*(Integral(f(u), (u, 0, (d**2 + t + 2) + s - t)) - Integral(f(u), (u, 0, (t + 1) + s " "- t)))"),
        ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + "
        "f(t))*(f(s) + f(t)) == (f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, "
        "t))) - f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))"),
        (("Implies(And(p > 0, q >= 0, p + q > 0, g == p*(v - i) - q*(w - j), e*(p + q) == g, e > m "
        "- 1, e + (n - 1) > 0, p*(m - v) > q*(n - w)), p*(1 - i) > q*(1 - j))"), {"p": "f(s)", "q": "f(t)",
        "g": ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))"),
        "e": ("(f(s)*(Integral(f(u), (u, 0, (t + 1))) - Integral(f(u), (u, 0, t))) - "
        "f(t)*(Integral(f(u), (u, 0, (t + 1) + s - t)) - Integral(f(u), (u, 0, s))))/(f(s) + " "f(t))"),
        "v": "Integral(f(u), (u, 0, (t + 1)))", "i": "Integral(f(u), (u, 0, t))",
        "w": "Integral(f(u), (u, 0, (t + 1) + s - t))", "j": "Integral(f(u), (u, 0, s))",
        "m": "Integral(f(u), (u, 0, (d**2 + t + 2)))", "n": "Integral(f(u), (u, 0, (d**2 + t + 2) + s - t))"}),
        "S(s) > 0", "S(t) > 0", ("Implies(And(i < 1, j < 1, p*(1 - i) > q*(1 - j)), p/(1 - j) - q/(1 - i) > 0)",
        {"p": "f(s)", "q": "f(t)", "i": "Integral(f(u), (u, 0, t))", "j": "Integral(f(u), (u, 0, s))"}))),
        "ForAll(t, t >= 0, ForAll(s, s > t, f(s)/S(s) - f(t)/S(t) > 0))", "Implies(t >= 0, S(t) > 0)")},
    "app-F.1.metrics.bound": {"lemmas": ("M**2*(1 - (M - 1)*270/289) <= 5/4",
        ("Implies(And(a >= 0, a <= b, q >= 0, q <= r), a*q <= b*r)", {"a": "V", "b": "5/4*(cv*M)**2", "q": "Q",
        "r": "1 - (M - 1)*270/289"}), ("Implies(And(u >= 0, p <= 5/4), u*p <= 5/4*u)", {"u": "cv**2",
        "p": "M**2*(1 - (M - 1)*270/289)"}), "sens**2 <= (5/4*cv)**2")},
    "app-F.2.rhs-small": {"lemmas": ("RHS(s*alpha_p, s*alpha_d, s*alpha_MB) == s*RHS(alpha_p, alpha_d, alpha_MB)",
        ("Implies(And(0 < s, s < 1), Abs(s*r) <= Abs(r))", {"r": "RHS(alpha_p, alpha_d, alpha_MB)"}))},
}
