"""Plain text is read back as the same formula; LaTeX is what an author would write, and compiles."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qtheory.proofs.derivation import Derivation
from qtheory.proofs.kernel.grammar import Parser, StatementError
from qtheory.proofs.kernel.poly import Forms
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.kernel.terms import KernelError, Node, free, minus, substitute
from qtheory.proofs.notation import recognise
from qtheory.proofs.plain import term_text
from qtheory.proofs.printing import latex, statement_latex, statement_text

NOTATIONS = {
    "Eq(Limit(exp(x), x, 0), 1)": "Limit", 'limit(a*x, x, b, "-") == a*b': "Limit",
    "limit(a*x, x, 1/b) == a/b": "Limit", "limit(1/x, x, oo) == a/b": "Limit", "BigO(x, x**2, x, 1/b)": "BigO",
    "Integral(exp(-t), (t, 1/b, oo)) == c": "Limit", "Sum(2**(-n), (n, sqrt(a), oo)) == 1/c": "SequenceLimit",
    "SequenceLimit(b/n, n, sqrt(a) - sqrt(a))": "SequenceLimit",
    "ExistsUnique(x, x > 0, ExistsUnique(z, z > x, z == 2*x))": "ExistsUnique",
    "limit(a + x, x, -oo) == -oo": "Limit", "Limit(x**2/(1 - x), x, oo) == oo": "Limit",
    "Eq(Integral(exp(-t), (t, 0, oo)), 1)": "Limit", "Sum(2**(-n), (n, 0, oo)) == 2": "SequenceLimit",
    "SequenceLimit(1/n, n, 0)": "SequenceLimit", 'BigO(x**2, x, x, 0, "+")': "BigO", "BigO(x, x**2, x, oo)": "BigO",
    "ExistsUnique(x, x > 0, Eq(x*exp(x), a))": "ExistsUnique", "Exists(x, x > 0, Eq(x, 1))": "Exists",
    "ForAll(x, x > 0, x + 1 > 0)": "ForAll", "Increasing(x**2, x, And(x > 0, x < 1))": "Increasing",
    "StrictlyIncreasing(x**3, x, x > 0)": "StrictlyIncreasing", "Decreasing(1/x, x, x > 0)": "Decreasing",
    "StrictlyDecreasing(1/x, x, x > 0)": "StrictlyDecreasing", "Convex(x**2, x, x > 0)": "Convex",
    "StrictlyConvex(x**2, x, x > 0)": "StrictlyConvex", "Concave(log(x), x, x > 0)": "Concave",
    "StrictlyConcave(log(x), x, 0 < x < 1)": "StrictlyConcave",
}
WRITTEN = {
    ("-log(1-x) > x", "0 < x < 1"): r"-\ln(1 - x) > x \quad \text{for } 0 < x < 1",
    ("x/(1-x) - (-log(1-x))/2 > 0", "0<x<1"):
        r"\frac{x}{1 - x} > -\frac{\ln(1 - x)}{2} \quad \text{for } 0 < x < 1",
    ("(1+x)**n >= 1 + n*x", "n in naturals"): r"(1 + x)^{n} \ge 1 + n \, x \quad \text{for } n \in \mathbb{N}",
    ("theta0/(1-theta0) + log(1-theta0) == p0*alpha_p/alpha_d", "0 <= theta0 < 1"):
        r"\frac{\theta_{0}}{1 - \theta_{0}} + \ln(1 - \theta_{0}) = \frac{p_{0} \, \alpha_{p}}{\alpha_{d}} \quad "
        r"\text{for } 0 \le \theta_{0} < 1",
    ("Min(x, y) + Abs(x - y) <= ceiling(khat) - floor(mu_O)", ""):
        r"\left\lceil \hat{k} \right\rceil - \left\lfloor \mu_{O} \right\rfloor \ge \min(x, y) + \left| x - y \right|",
    ("Eq(diff(t**3, t, 2), 6*t)", ""): r"\frac{\mathrm{d}^{2}}{\mathrm{d}t^{2}} (t^{3}) = 6 \, t",
    ("Eq(Integral(exp(-t), (t, 0, oo)), 1)", ""): r"\int_{0}^{\infty} e^{-t} \,\mathrm{d}t = 1",
    ("TP_EB*beta_MB_e > x**(1/2)/3", ""):
        r"\mathrm{TP}_{\mathrm{EB}} \, \beta_{\mathrm{MB},e} > \frac{x^{1/2}}{3}",
    ("limit(log(x), x, 0, \"+\") == -oo", ""): r"\lim_{x \to 0^{+}} \ln(x) = -\infty",
    ("x > 0", "limit(x, x, 1/p) == 1/q"): r"x > 0 \quad \text{for } \lim_{x \to \frac{1}{p}} x = \frac{1}{q}",
    ("Integral(x, (x, 0, x)) == x**2/2", ""): r"\int_{0}^{x} x' \,\mathrm{d}x' = \frac{x^{2}}{2}",
    ("Sum(i**2, (i, 1, n)) > W(x)", "W in functions"):
        r"\sum_{i=1}^{n} i^{2} > \mathrm{W}(x) \quad \text{for } W \text{ a function}",
}
A, V = r" \;\wedge\; ", r" \;\vee\; "
APART = {  # what would be read as something else without its brackets, or with its names made pretty
    ("And(Or(x == x, 1 == 2), 1 == 2)",): rf"(x = x{V}1 = 2){A}1 = 2",
    ("And(x > 0, Or(x > 1, x > 2))",): rf"x > 0{A}(x > 1{V}x > 2)",
    ("Or(And(x > 0, y > 0), x > 1)",): rf"(x > 0{A}y > 0){V}x > 1",
    ("And(ForAll(y, y > 0, x > y), x > 1)",): rf"(\forall\, y,\; y > 0: \; x > y){A}x > 1",
    ("Implies(Implies(x > 0, y > 0), x > 1)",): r"(x > 0 \;\Longrightarrow\; y > 0) \;\Longrightarrow\; x > 1",
    ("ForAll(x, ForAll(y, y > 0, x > y), x > 2)",): r"\forall\, x,\; (\forall\, y,\; y > 0: \; x > y): \; x > 2",
    ("x > 0", "ForAll(y, y > 0, x > y)", "x > 1"):
        r"x > 0 \quad \text{for } (\forall\, y,\; y > 0: \; x > y),\; x > 1",
    ("Sum(k, (k, 1, 3)) + 1 == 7",): r"\left(\sum_{k=1}^{3} k\right) + 1 = 7",
    ("1 + Sum(k, (k, 1, 3)) == 7",): r"1 + \sum_{k=1}^{3} k = 7",
    ("Sum(k, (k, 1, 3))*x == 6*x",): r"\left(\sum_{k=1}^{3} k\right) \, x = 6 \, x",
    ("Integral(k, (k, 1, 3)) + 1 == 5",): r"\int_{1}^{3} k \,\mathrm{d}k + 1 = 5",
    ("diff(x, x)*y == y",): r"\left(\frac{\mathrm{d}}{\mathrm{d}x} (x)\right) \, y = y",
    ("factorial(factorial(3)) == 720",): r"(3!)! = 720",
    ("binomial(factorial(3), 2) == 15",): r"\binom{3!}{2} = 15",
    ("And(Pr(X + Y > 9, (X, Poisson(1)), (Y, Poisson(1))) < 1, 1 > 0)",):
        r"\Pr_{X \sim \mathrm{Poisson}(1),\; Y \sim \mathrm{Poisson}(1)}\left[X + Y > 9\right] < 1" + rf"{A}1 > 0",
    ("x1 > x_1",): r"\mathrm{x1} > \mathrm{x\_1}",
    ("lambda1 > lambda_1",): r"\mathrm{lambda1} > \mathrm{lambda\_1}",
    ("a_b > a__b",): r"\mathrm{a\_b} > \mathrm{a\_\_b}",
    ("lam > lambda0*lambda",): r"\mathrm{lam} > \lambda_{0} \, \mathrm{lambda}",
    ("eps > epsilon",): r"\mathrm{eps} > \mathrm{epsilon}",
    ("limit(eps*x, x, 0) == eps",): r"\lim_{x \to 0} \varepsilon \, x = \varepsilon",
    ("e > exp(1)*exp(x)",): r"\mathrm{e} > \exp(1) \, \exp(x)",
    ("W0(x) > LambertW(x)", "W0 in functions"):
        r"\mathrm{W0}(x) > W_{0}(x) \quad \text{for } \mathrm{W0} \text{ a function}",
    ("f(x) > 0", "x > 1", "f, g in functions"):
        r"f(x) > 0 \quad \text{for } x > 1,\; f \text{ a function},\; g \text{ a function}",
}


def test_a_bound_variable_is_written_as_it_was_typed() -> None:
    for goal in ("Integral(x, (x, 0, x)) == x**2/2", "Sum(Sum(k, (k, 0, k)), (k, 1, k)) > 0"):
        conclusion = statement(goal).conclusion
        assert "'" not in term_text(conclusion) and statement(term_text(conclusion)).conclusion == conclusion


@pytest.mark.parametrize(("goal", "y", "to"), [
    ("Sum(n*y, (n, 1, n)) > 0", "y", "n"), ("Sum(Sum(n*y, (n, 0, n)), (n, 1, n)) > 0", "y", "n"),
    ("Integral(x**2*y, (x, 0, x)) > 0", "y", "x"), ("Sum(y**n, (n, 1, n)) > x", "y", "n + x"),
    ("Sum(n*y*n_1, (n, 1, n)) > 0", "y", "n*n_1")])
def test_no_bound_variable_is_written_as_one_that_stands_beside_it(goal: str, y: str, to: str) -> None:
    """A bound variable that was renamed apart takes another name where the one that was typed has another meaning."""
    put = substitute(statement(goal).conclusion, y, Parser(to, {}, set()).whole())
    again = statement(term_text(put)).conclusion
    assert "'" not in term_text(put) and free(again) == free(put) and numerically_equal(put, again)


def statement(goal: str, *where: str) -> Statement:
    return Statement(goal, tuple(w for w in where if w)).parsed()


@pytest.mark.parametrize("goal", NOTATIONS)
def test_notations_are_read_back(goal: str) -> None:
    conclusion = statement(goal).conclusion
    notation = recognise(conclusion)
    assert notation is not None and notation.name == NOTATIONS[goal]
    assert statement(term_text(conclusion)).conclusion == conclusion


def test_no_notation_where_the_formula_is_another() -> None:
    unique = statement("ExistsUnique(x, x > 0, Eq(x, 1))").conclusion
    weaker = ("ex", unique[1], ("and", *unique[2][1:3], ("all", "y'", ("imp", unique[2][3][2][1], (">", "y'")))))
    assert recognise(weaker) is None
    assert "y'" in term_text(weaker)


@pytest.mark.parametrize("texts", WRITTEN)
def test_latex_as_written_by_hand(texts: tuple[str, str]) -> None:
    expected = WRITTEN[texts].replace(r"\mathrm{W}(x)", "W(x)")
    shown = statement_latex(statement(*texts))
    assert shown == expected


@pytest.mark.parametrize("texts", APART)
def test_latex_says_nothing_else(texts: tuple[str, ...]) -> None:
    assert statement_latex(statement(*texts)) == APART[texts]


def test_a_step_with_names_that_look_alike_shows_them_as_typed() -> None:
    d = Derivation("Alike")
    d.symbol("x1")
    d.symbol("x_1")
    assert d.step("x1 > x_1").latex == r"\mathrm{x1} > \mathrm{x\_1}"


@pytest.mark.parametrize("goal", [
    "Sum(x_i, (i, 1, 2)) == 2*x_i", "Integral(x_i, (i, 0, 1)) == x_i", "limit(x_i, i, oo) == x_i", "diff(x_i, i) == 0",
    "ForAll(i, i > 0, x_i >= x_i)", "Increasing(x_i, i, i > 0)", "Sum(x_i_1, (i, 1, 2)) == 2*x_i_1",
    "Sum(x_ij, (i, 1, 2)) == 2*x_ij", "E(x_i, (i, Bernoulli(1/2))) == x_i"])
def test_a_symbol_is_not_written_as_one_of_many_that_a_bound_variable_counts(goal: str) -> None:
    """That the x_i, for i from 1 to 2, have the sum 2 x_i is said of no one x_i."""
    name = goal.partition("x_i")[1] + goal.partition("x_i")[2].split(",")[0].split(" ")[0]
    shown = statement_latex(statement(goal))
    assert rf"\mathrm{{{name}}}".replace("_", r"\_") in shown and "x_" not in shown.replace(r"x\_", "")
    assert statement_latex(statement("x_i > i")) == "x_{i} > i"


def test_a_symbol_O_before_brackets_is_no_order_of_magnitude() -> None:
    assert statement_latex(statement("y == O*(x + 1)")) == r"y = O \cdot (x + 1)"
    assert statement_latex(statement("y == O*x")) == r"y = O \, x"


def test_statement_text_is_what_was_typed() -> None:
    s = Statement("f(x) >= 0", ("x > 0", "n in naturals"), ("f(t) = t**2",))
    assert statement_text(s) == "f(x) >= 0  for x > 0, n in naturals  where f(t) = t**2"


def test_conditions_join_into_chains_and_memberships() -> None:
    shown = statement_latex(statement("x > 0", "n in naturals", "a <= x", "x < b", "k in integers", "Ne(y, 0)"))
    assert shown.endswith(r"n \in \mathbb{N},\; a \le x < b,\; k \in \mathbb{Z},\; y \ne 0")


numbers = st.integers(0, 9).map(str) | st.sampled_from(["1/2", "0.25", "(-3)"])
names = st.sampled_from(["x", "y", "theta0", "alpha_p", "N"])


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    binary = st.tuples(inner, st.sampled_from(["+", "-", "*", "/"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})")
    unary = st.tuples(st.sampled_from(["exp", "log", "sqrt", "-", "floor", "ceiling", "Abs"]), inner).map(
        lambda t: f"{t[0]}({t[1]})")
    pair = st.tuples(st.sampled_from(["Max", "Min"]), inner, inner).map(lambda t: f"{t[0]}({t[1]}, {t[2]})")
    power = st.tuples(inner, st.sampled_from(["2", "(-1)", "(1/2)", "n", "(-x)"])).map(lambda t: f"({t[0]})**{t[1]}")
    span = st.tuples(inner, st.sampled_from(["Sum({}, (i, 1, n))", "Integral({}, (t, 0, x))", "diff({}, x)",
                                             "LambertW({}, -1)", "At({}, x, 2)"])).map(lambda t: t[1].format(t[0]))
    return binary | unary | pair | power | span


terms = st.recursive(numbers | names, compound, max_leaves=10)
goals = st.tuples(terms, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), terms).map(" ".join)


def same(a: Node, b: Node) -> bool:
    """Equal as trees, or formally equal terms in atoms of one relation; up to sign where that is all the same."""
    if a == b:
        return True
    signs = [minus(a[1], b[1])] + ([("+", a[1], b[1])] if a[0] in ("=", "!=") else [])
    try:
        return a[0] == b[0] and any(Forms().zero(s) for s in signs)
    except KernelError:
        return False


def readable(goal: str) -> bool:
    try:
        return bool(statement(goal).conclusion)
    except StatementError:  # a bound variable outside its binder, or an At without its variable
        return False


@pytest.mark.slow
@settings(max_examples=300, derandomize=True, deadline=None)
@given(goals.filter(readable))
def test_plain_text_is_read_back_as_the_same_formula(goal: str) -> None:
    conclusion = statement(goal).conclusion
    again = statement(term_text(conclusion)).conclusion
    if not same(again, conclusion):  # binders and functions are opaque to the normal forms: a second round settles
        assert statement(term_text(again)).conclusion == again
        assert numerically_equal(conclusion, again)


def numerically_equal(a: Node, b: Node) -> bool:
    from math import isclose, isnan

    from qtheory.proofs.tactics.numeric import evaluate

    at = {"x": 0.6, "y": 1.7, "theta0": 0.3, "alpha_p": 2.2, "N": 3.0, "n": 2.0, "n_1": 1.3}
    for sign in (1, -1):  # where one of the places has no value, another may have
        for large in at:
            place = {v: value * (sign if v != "n" else 1) * (5 if v == large else 1) for v, value in at.items()}
            values = [evaluate(f[1], place) for f in (a, b)]
            if a[0] in ("=", "!="):
                values = [abs(v) for v in values]
            if not (all(map(isnan, values)) or isclose(*values, rel_tol=1e-6, abs_tol=1e-9)):
                return False
    return a[0] == b[0]


@settings(max_examples=1, derandomize=True, deadline=None)
@given(st.lists(goals.filter(readable), min_size=60, max_size=60))
def test_latex_compiles(tmp_path_factory: pytest.TempPathFactory, tex: Callable[[], None], drawn: list[str]) -> None:
    tex()
    folder = tmp_path_factory.mktemp("latex")
    shown = [statement_latex(statement(*texts)) for texts in (*WRITTEN, *APART)] + [
        latex(statement(goal).conclusion) for goal in [*NOTATIONS, *drawn]]
    shown.append(latex(statement("Implies(And(x > 0, y > 0), Or(x*y > 0, ForAll(z, z > 0, Ne(z, x))))").conclusion))
    compile_latex(folder, shown)


def compile_latex(folder: Path, formulas: list[str]) -> None:
    body = "\n".join(rf"\[ {f} \]" for f in formulas)
    (folder / "t.tex").write_text(r"\documentclass{article}\usepackage{amsmath,amssymb}\begin{document}" + "\n" + body
                                  + "\n" + r"\end{document}" + "\n")
    run = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"], cwd=folder,
                         capture_output=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-800:]
    assert (folder / "t.pdf").stat().st_size > 1000
