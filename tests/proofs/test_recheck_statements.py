"""The two statement readers agree: on what is a statement, and on what it means."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recheck_support import kernel_reads, recheck_reads

NAMES = st.sampled_from([*["x", "y", "n", "c"] * 6, "E", "oo"])
NUMBERS = st.sampled_from(["0", "1", "2", "0.5", "3/4", "1e2", ".25", "-1"])


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger terms out of smaller ones."""
    binary = st.tuples(inner, st.sampled_from([" + ", " - ", "*", "/", "**", "^"]), inner).map("".join)
    name = st.sampled_from(["exp", "log", "sqrt", "Abs", "floor", "ceil", "LambertW", "f", "h", "g"])
    call = st.tuples(name, inner).map(lambda p: f"{p[0]}({p[1]})")
    two = st.tuples(st.sampled_from(["Max", "min", "Min", "LambertW", "g", "diff"]), inner, inner).map(
        lambda p: f"{p[0]}({p[1]}, {p[2]})")
    spans = st.sampled_from(["Sum", "Integral"]), inner, st.sampled_from(["x", "i", "n"]), inner, inner
    ranged = st.tuples(*spans).map(
        lambda p: f"{p[0]}({p[1]}, ({p[2]}, {p[3]}, {p[4]}))")
    pointed = st.tuples(st.sampled_from(["At", "Limit", "diff"]), inner, st.sampled_from(["x", "y"]), inner).map(
        lambda p: f"{p[0]}({p[1]}, {p[2]}, {p[3]})")
    bracket = inner.map(lambda t: f"({t})")
    return st.one_of(binary, binary, call, two, ranged, pointed, bracket, inner.map(lambda t: f"-({t})"))


TERMS = st.recursive(st.one_of(NAMES, NUMBERS), combined, max_leaves=8)
SIGNS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
CHAINS = st.tuples(TERMS, SIGNS, TERMS, st.one_of(st.just(""), st.tuples(SIGNS, TERMS).map(" ".join))).map(" ".join)


def connected(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Larger formulas out of smaller ones."""
    name = st.sampled_from(["x", "y", "n"])
    two = st.tuples(st.sampled_from(["And", "Or", "Implies"]), inner, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]})")
    quantified = st.tuples(st.sampled_from(["ForAll", "Exists", "ExistsUnique"]), name, inner, inner).map(
        lambda p: f"{p[0]}({p[1]}, {p[2]}, {p[3]})")
    shapes = st.sampled_from(["Increasing", "StrictlyDecreasing", "Convex", "StrictlyConcave"])
    shaped = st.tuples(shapes, TERMS, name, inner).map(lambda p: f"{p[0]}({p[1]}, {p[2]}, {p[3]})")
    limits = st.tuples(st.sampled_from(["Limit({}, x, {}) == {}", "SequenceLimit({}, n, {}) # {}",
                                        'Limit({}, x, {}, "+") == {}', "BigO({}, {}, x, {})",
                                        "Eq(Integral({}, (x, {}, oo)), {})", "Sum({}, (n, {}, oo)) == {}"]),
                       TERMS, TERMS, TERMS).map(lambda p: p[0].format(*p[1:]).split("#")[0])
    return st.one_of(two, quantified, shaped, limits, st.tuples(st.sampled_from(["Integer", "Natural"]), TERMS).map(
        lambda p: f"{p[0]}({p[1]})"))


FORMULAS = st.recursive(CHAINS, connected, max_leaves=4)
WHERE = st.lists(st.one_of(CHAINS, st.sampled_from(["n in naturals", "x, y in reals", "i in integers", "f in functions",
                                                    "c in naturals", "n in x", "f, h in functions"])), max_size=2)
LET = st.lists(st.sampled_from(["c = 3/4", "c = y", "g(a) = a/(1 - a)", "g(a, b) = a*b + x", "g(a) = 2", "exp(a) = a",
                                "h(E) = E", "k(x) = Sum(x*i, (i, 0, 2))", "g = x", "d(c) = c"]),
               max_size=2, unique=True)


@pytest.mark.slow
@settings(max_examples=400, derandomize=True, deadline=None)
@given(LET, WHERE, FORMULAS)
def test_statements_are_read_alike(let: list[str], where: list[str], goal: str) -> None:
    assert kernel_reads(let, where, goal) == recheck_reads(let, where, goal)


@pytest.mark.slow
@settings(max_examples=300, derandomize=True, deadline=None)
@given(FORMULAS)
def test_statements_under_good_definitions_are_read_alike(goal: str) -> None:
    let = ["g(a, b) = a*b + 1", "h(a) = a/2"]
    where = ["f in functions", "x, n in integers", "Or(0 < y < 1, g(x, y) != n)"]
    assert kernel_reads(let, where, goal) == recheck_reads(let, where, goal)


ALPHABET = ["x", "y", "exp", "(", ")", ",", "+", "-", "*", "/", "**", "<", "==", "=", " ", "1", "2.5", ".", "e3",
            "'", '"', "Sum", "And", "in", "oo", "Limit", "!", "\t", "\u00a0", "_"]


@pytest.mark.slow
@settings(max_examples=400, derandomize=True, deadline=None)
@given(st.lists(st.sampled_from(ALPHABET), max_size=12).map("".join))
def test_arbitrary_texts_are_read_alike(text: str) -> None:
    for goal in (text, text + " > 0", f"exp({text}) > x"):
        assert kernel_reads([], [], goal) == recheck_reads([], [], goal)
    assert kernel_reads([text], [text], "x > 0") == recheck_reads([text], [text], "x > 0")


VALUES = ["limit(t, t, sqrt(x + 1)) == 1/y", "17 == limit(t, t, log(-1))", "2 == Sum(2**-k, (k, log(x), oo))",
          "Integral(x, (x, 0, x)) == Sum(x*k, (k, 1, x + k))", "SequenceLimit(1/n, n, x/y)", "BigO(t, t, t, 1/x, '-')",
          "limit(1/t, t, -oo, '+') == 0", "At(Sum(x*k, (k, 1, 0)), x, log(y)) == 0", "At(diff(x**2, x), x, 1/y) == 0",
          "ExistsUnique(t, t > 0, ExistsUnique(s, s > t, ExistsUnique(r, r > s + t, r == 1)))",
          "Increasing(t, t, Convex(s*t, s, ExistsUnique(r, r > t, r == s)))",
          "StrictlyConcave(u, u, StrictlyDecreasing(u*v, v, ExistsUnique(w, w > u*v, w == 1)))"]
LAWS = [f"{average}(n*x, (n, {law})) > y" for average in ("E", "Var") for law in (
    "Finite((1, x), (2, 1 - x))", "Finite((x, 1))", "Bernoulli(x)", "Empirical(1, x, 3)", "Binomial(3, x)",
    "Geometric(x)", "Poisson(x)", "Uniform(x, y)", "Exponential(x)", "Gamma(2, x)", "Pmf(x*(1 - x)**n, 0, y)",
    "Pmf(x**n, 0, oo)", "Density(1/x, 0, x)")]
READ = ["x > 0", "-x**2/3 >= 2**-x", "0 < x <= y != 2", "Max(x, y, 2) == Min(x, -y)", "Eq(diff(f(x), x, 2), 0)",
        "Limit((1 + x)**(1/x), x, 0) == exp(1)", "Limit(1/x, x, 0, \"+\") == oo", "Eq(-oo, Limit(log(x), x, 0, '+'))",
        "Eq(Sum(1/n**2, (n, 1, oo)), 2)", "Integral(exp(-x), (x, 0, oo)) == 1", "SequenceLimit(1/n, n, 0)",
        "BigO(exp(x) - 1, x, x, 0)", "ExistsUnique(t, 0 < t < 1, t + log(1 - t) == -x)", "Convex(x**2, x, x > 0)",
        *VALUES, *LAWS,
        "Or(log(x) > 0, x < 3)", "Exists(t, t > 0, Or(log(-t) > 0, t > 1))", "Implies(x > 0, Or(x > 1, 1/x > 1))",
        "LambertW(x, -1) < -1", "Abs(abs(x)) >= floor(ceil(x))", "At(x**2, x, y + 1) > 0", "Natural(n + 1)",
        "StrictlyDecreasing(1/x, x, x > 0)", "1e2*x > .5", "((x)) > (0)", "exp((x)) > 0", "And()"]
REFUSED = ["x", "", "x >", "> x", "x > > y", "2x > 0", "x = 0", "f(x) > 0 > (x > 0)", "x - (y > 0) > 0", "sin(x) > 0",
           "exp(x, y) > 0", "exp() > 0", "Limit(x, x, 0) == x", "Limit(5, x, x) == 7", "SequenceLimit(n, n, n)",
           "BigO(exp(x), 0, x, x)", "Limit(x, x, 0) > 1", "x > oo", "E > 0", "E(x) > 0", "Pr(x) > 0", "Var > 0",
           "limit(1/x, x, oo, '+') == 0", "limit(1/x, x, -oo, '-') == 0", "BigO(1, x, x, oo, '+')",
           "At(x + 1, x, oo) > 0", "At(1/x, x, oo) == 0", "Sum(x, (x, oo, 2)) == 0", "Sum(x, (x, 1, oo)) + 1 == 0",
           "Sum(x, (x, 1, -oo)) == 0", "Max(oo, x) == oo", "At(3, x, 1/0) == 3", "diff(x, x, 7) > 0",
           "Sum(x, (2, 1, 3)) > 0", "Sum(x, (x, 1)) > 0", "Sum(x, x) > 0", "I > 0", "zoo > 0", "exp > 0",
           "x in naturals", "Exists(x > 0, x > 0, x > 0)", "Exists(oo, oo > 0, oo > 1)", "x + (1, 2) > 0",
           "exp(\"a\") > 0", "x # 1 > 0", "(x > 0", "x > 0)", "\"x\" > 0", "And(x)", "Or(x in foo, x > 0)",
           "__import__(1) > 0", "\u0663 > 0", "x < 1\u0663", "x < .\u0663", "x < 1e\u0663", "x < \uff11", "1e999 > x",
           "9" * 500 + " > x", "(" * 100 + "x" + ")" * 100 + " > 0", "2**" * 100 + "x > 0", "x" * 20_001,
           "exp((" * 40 + "x" + "))" * 40 + " > 0"]


@pytest.mark.parametrize("goal", READ)
def test_both_read(goal: str) -> None:
    formulas = recheck_reads(["half = 1/2"], ["f in functions", "0 < x < half"], goal)
    assert formulas is not None
    assert formulas == kernel_reads(["half = 1/2"], ["f in functions", "0 < x < half"], goal)


@pytest.mark.parametrize("goal", REFUSED)
def test_both_refuse(goal: str) -> None:
    assert recheck_reads([], [], goal) is None
    assert kernel_reads([], [], goal) is None


@pytest.mark.parametrize("let", [["f(x) > 1"], ["f(x = 1"], ["f(x, x) = x"], ["f() = 1"], ["exp(x) = x"], ["E = 2"],
                                 ["f(E) = E"], ["c = 3", "f(c) = c"], ["f(x) = 1"], ["f(x) = x > 0"],
                                 ["c = 1", "c = 2"], ["_a = 1"], ["c = k", "d = Sum(c, (k, 1, 3))"], ["2 = 3"],
                                 ["é = 1"], [""], ["a = x", "f(x) = a + x"], ["a(y) = x*y", "f(x) = a(1) + x"],
                                 ["c = k", "d = E(c, (k, Bernoulli(1/2)))"],
                                 ["c = k", "d = E(k + c, (k, Empirical(1)))"],
                                 ["c(t) = t + k", "d = Var(c(k), (k, Finite((1, 1/2), (2, 1/2))))"],
                                 ["c = d", "d = 1"], ["f(t) = t*c", "c = 2"], ["c = 2*c"], ["f(t) = t*f"],
                                 ["c = d + 1", "e = 2*c", "d = 1"], ["c = Sum(k + d, (k, 1, 3))", "d(t) = t"]])
def test_definitions_refused_by_both(let: list[str]) -> None:
    assert recheck_reads(let, [], "x > 0") is None
    assert kernel_reads(let, [], "x > 0") is None


@pytest.mark.parametrize(("let", "alone"), [
    (["d = 1", "c = d"], "c = 1"), (["c = 2", "f(t) = t*c"], "f(t) = t*2"), (["t = 3", "c = 2*t"], "c = 2*3"),
    (["f(t) = t*x", "c = f(2)"], "c = 2*x"), (["d = Sum(c, (c, 1, 3))", "c = 2"], "c = 2")])
def test_definitions_stand_before_their_use(let: list[str], alone: str) -> None:
    goal = "x > f(x)" if alone[0] == "f" else "x > c"
    assert recheck_reads(let, [], goal) == kernel_reads(let, [], goal) == kernel_reads([alone], [], goal) is not None


@pytest.mark.parametrize(("goal", "meant"), [
    ("diff(f(y), y) == 2*y", "diff(y*y, y) == 2*y"), ("diff(f(3), y) == 3", "diff(3*y, y) == 3"),
    ("At(f(3), y, 2) == 6", "At(3*y, y, 2) == 6"), ("At(diff(f(y), y), y, 2) == 4", "At(diff(y*y, y), y, 2) == 4")])
def test_derivatives_and_points_take_the_term_of_a_definition_as_it_stands(goal: str, meant: str) -> None:
    read = recheck_reads(["f(t) = t*y"], [], goal)
    assert read == kernel_reads(["f(t) = t*y"], [], goal) == kernel_reads([], [], meant) is not None


@pytest.mark.parametrize("goal", [
    "Sum(f(y), (y, 1, 2)) > 0", "Integral(f(3), (y, 0, 1)) > 0", "Limit(f(y), y, 0) == 0", "ForAll(y, y > 0, f(y) > 0)",
    "Exists(y, y > 0, f(3) > 0)", "Increasing(f(y), y, y > 0)", "Convex(f(3), y, y > 0)", "BigO(f(y), y, y, 0)",
    "SequenceLimit(f(1/y), y, 0)", "E(f(y), (y, Bernoulli(1/2))) > 0", "Pr(f(y) > 0, (y, Exponential(1))) > 0",
    "ExistsUnique(y, y > 0, f(y) == 1)"])
def test_all_that_binds_a_name_but_these_refuses_one_that_is_free_in_a_definition(goal: str) -> None:
    assert recheck_reads(["f(t) = t*y"], [], goal) is None
    assert kernel_reads(["f(t) = t*y"], [], goal) is None


def test_definitions_that_double_do_not_hang() -> None:
    let = ["f0(x) = x + x", *(f"f{k + 1}(x) = f{k}(f{k}(x))" for k in range(8))]
    assert recheck_reads(let, [], "f8(x) > 0") is None
    assert recheck_reads([], [], "abs(" * 50 + "x" + ")" * 50 + " > 0") is None
