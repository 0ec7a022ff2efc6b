"""What LaTeX is read as, and what is refused because two readers may read it in two ways or the field means another."""

from __future__ import annotations

import pytest

from qtheory.errors import InputError
from qtheory.proofs.derivation import derivation
from qtheory.proofs.kernel.statements import Statement
from qtheory.proofs.latexing import to_text

KNOWN = {"x", "y", "z", "a", "b", "c", "n", "i", "theta", "theta0", "lam", "rho", "T", "f", "mu", "S", "P", "R",
         "k0_star", "lam1", "xy0", "x_y", "x_lambda", "x_y_1", "x_yz"}
CALLABLE = {"T", "f", "g"}
READ = [
    (r"x(y+1) = 2(x+1)", "x*(y + 1) == 2*(x + 1)"), (r"\lambda(1-\rho) > 0", "lam*(1 - rho) > 0"),
    (r"\ln(1-x)/x < 1", "log(1 - x)/x < 1"), (r"\log x + y > 0", "log(x) + y > 0"), (r"2\log x > 0", "2*log(x) > 0"),
    (r"x \ln(y) \ln(z) > 0", "x*log(y)*log(z) > 0"), (r"\exp\left[-\frac{x}{2}\right] > 0", "exp(-x/2) > 0"),
    (r"\exp\{-x\} > 0", "exp(-x) > 0"), (r"\log{\left(x \right)} > 0", "log((x)) > 0"),
    (r"\log \frac{x}{y} > 0", "log(x/y) > 0"), (r"x^2y > 0", "x**2*y > 0"), (r"\left|x\right| y > 0", "Abs(x)*y > 0"),
    (r"2 \lvert x \rvert > 0", "2*Abs(x) > 0"), (r"\sum_{i=1}^{n} i x = y", "Sum(i*x, (i, 1, n)) == y"),
    (r"y + \sum_{i=1}^n i = z", "y + Sum(i, (i, 1, n)) == z"),
    (r"\sum_{i=1}^n (i + 1) + y = z", "Sum((i + 1), (i, 1, n)) + y == z"),
    (r"\int_0^x u(1-u)\,du + y = z", "Integral(u*(1 - u), (u, 0, x)) + y == z"),
    (r"\int_0^1 \sum_{i=1}^n u^i \,du = z", "Integral(Sum(u**i, (i, 1, n)), (u, 0, 1)) == z"),
    (r"\lim_{x \downarrow 0} x = 0", 'Limit(x, x, 0, "+") == 0'), (r"\frac{d}{dx} x^2 = 2x", "diff(x**2, x) == 2*x"),
    (r"\frac{d}{dx}(x^3) + y = z", "diff((x**3), x) + y == z"), (r"\frac{dT(x)}{dx} = y", "diff(T(x), x) == y"),
    (r"T_i > 0", "T(i) > 0"), (r"f(x)^2 > 0", "f(x)**2 > 0"), (r"f(x)(y+1) > 0", "f(x)*(y + 1) > 0"),
    (r"\frac{1}{2}(x+1) > 0", "1/2*(x + 1) > 0"), (r"\max\{x, y\} \ge x", "Max(x, y) >= x"),
    (r"e^{-x}y > 0", "exp(-x)*y > 0"), (r"x \in [0,1]", "0 <= x <= 1"), (r"10000 > x", "10000 > x"),
    (r"x \times 10^{-3} > 0", "x*10**(-3) > 0"), (r"k_0^* > 0", "k0_star > 0"),
    (r"\mathrm{e}^{-x} > 0", "exp(-x) > 0"), (r"(\lim_{x \to 0^+} f(x)) = 0", '(Limit(f(x), x, 0, "+")) == 0'),
    (r"(x > 0) \implies (y > 0)", "Implies(x > 0, y > 0)"), (r"[x + (y+1)] z > 0", "(x + (y + 1))*z > 0"),
    (r"x > 0.", "x > 0"), (r"\int_0^\infty e^{-x} dx = 1", "Integral(exp(-x), (x, 0, oo)) == 1"),
    (r"x \frac12 > 0", "x*(1/2) > 0"), (r"n! > 0", "factorial(n) > 0"),
    (r"(n+1)! > n!", "factorial(n + 1) > factorial(n)"),
    (r"\frac{x^n}{n!} > 0", "x**n/factorial(n) > 0"), (r"x/n! > 0", "x/factorial(n) > 0"),
    (r"0! = 1", "factorial(0) == 1"),
    (r"n!(n+1) = (n+1)!", "factorial(n)*(n + 1) == factorial(n + 1)"), (r"n!^2 > 0", "factorial(n)**2 > 0"),
    (r"2n! > 1", "2*factorial(n) > 1"), (r"k_0^*! > 0", "factorial(k0_star) > 0"),
    (r"x^{n!} > 0", "x**factorial(n) > 0"),
    (r"\left(n - i\right)! > 0", "factorial(n - i) > 0"), (r"-n! < 0", "-factorial(n) < 0"),
    (r"\sum_{i=1}^n i! = x", "Sum(factorial(i), (i, 1, n)) == x"), (r"\exp(n!) > 0", "exp(factorial(n)) > 0"),
    (r"x &= y + z \quad", "x == y + z"), (r"x > 0 \quad\implies\quad y > 0", "Implies(x > 0, y > 0)"),
    (r"x &= y &&+ z", "x == y + z"), (r"x~y\ z > 0", "x*y*z > 0"), (r"x = y \; z = n", "x == y*z == n"),
    (r"\int_0^1 x\ dx = y = z", "Integral(x, (x, 0, 1)) == y == z"), (r"\max\{x, \quad y\} > 0", "Max(x, y) > 0"),
    (r"\sum_{i=1}^n x_y = n x_y", "Sum(x_y, (i, 1, n)) == n*x_y"),
    (r"\binom{n}{i} > 0", "binomial(n, i) > 0"), (r"\tbinom{n+1}{2}x > 0", "binomial(n + 1, 2)*x > 0"),
    (r"\dbinom n i = x", "binomial(n, i) == x"), (r"\binom{n}{i}^2 > 0", "binomial(n, i)**2 > 0"),
]
FIELD = [
    r"E[S]^2 \ge E[S^2]", r"E > 2", r"\mathbb{E}[S] > 0", r"\mathrm{E}[S] > 0", r"\operatorname{E}(S) > 0",
    r"\Pr(S > x) > 0", r"P(S > x) > 0", r"P(S + 1) > 0", r"\mathbb{P}(S) > 0", r"Var(S) > 0",
    r"\operatorname{Var}(S) > 0", r"\mathrm{Cov}(S, T) > 0", r"2E5 > 0",
]
AMBIGUOUS = [
    r"e > 2", r"10\,000 > x", r"10,000 > x", r"10~000 > x", r"10 000 > x", r"10{,}000 > x", r"1,234,567 > x",
    r"2 3 > x", r"x 2 > 1", r"\log x y > 0", r"\ln 2x > 0", r"\log x^2 > 0", r"\log x / y > 0", r"\log x \cdot y > 0",
    r"\ln(x)^2 > 0", r"\ln(x)(y+1) > 0", r"\log{x y} > 0", r"\ln x \ln y > 0", r"a/bc > 0", r"1/2x > 0", r"a/b/c > 0",
    r"a/b \cdot c > 0", r"1/2(x+1) > 0", r"x^12 > 0", r"x_12 > 0", r"\theta_0 2 > 0", r"2\frac12 > 1",
    r"2\frac{1}{2} > 1", r"\sqrt[3]{x} > 0", r"f^{-1}(x) > 0", r"f^2(x) > 0", r"f^{2} > 0", r"|a|b|c| > 0",
    r"|a|b > 0", r"x(y) > 0", r"x(2y) > 0", r"x(-y) > 0", r"x[y+1] > 0", r"x^2(y) > 0", r"u(y) > 0", r"[x] > 0",
    r"2^{(n)} > 0", r"f^{(2)}(x) > 0", r"\sum_{i=1}^n i + i^2 > 0", r"\sum_{i=1}^n x + y > 0", r"\int_0^1 x dx y > 0",
    r"\int_0^1 dx\, x > 0", r"\int_0^1 dx / y > 0", r"x > 0 \Rightarrow y > 0 \Rightarrow z > 0", r"e^xy > 0",
    r"x^ab > 0", r"x_ij > 0", r"\lim_{x \to 0} x + y = 0", r"\frac{d}{dx} x y = y", r"\frac{d}{dx} x^2 + x = y",
    r"\frac{d}{dx}(x+1)^2 = y", r"\frac{d f(x)}{dx}(y+1) = 0", r"\lambda_1 > 0", r"f_{ij} > 0", r"f_i(x) > 0",
    r"1e5 > 0", r"maxx > 0", r"xexp(y) > 0", r"O(x) > 0", r"y = O(x + 1)", r"\sqrt12 > 0", r"\frac123 > 0",
    r"x = y \quad n = 1", r"x &= y & n &= 1", r"x > y \qquad y > z", r"x = y \quad -z = 1", r"x &= 1 & -y &= 2",
    r"f(x) = n \quad (x > 0)", r"x = y ~ z = n", r"x > y \ z > 1", r"x = y \;\; z = n", r"x > y \,\, -z > 1",
    r"\sum_{y=1}^n x_y = z", r"\sum_{y=1}^n x_{y} a = n x_y", r"\lim_{y \to \infty} x_y = 0",
    r"\int_0^1 x_y \,dy = z", r"\frac{d}{dy} (y + x_y) = 1", r"\sum_{\lambda=1}^n x_{\lambda} = z",
    r"\sum_{y=1}^n x_{y,1} = z", r"\sum_{y=1}^n x_{yz} = z",
    r"n!! > 0", r"\binom n2 > 0", r"n!=1", r"\log n! > 0", r"\log(n)! > 0", r"\log{n}! > 0",
]
OUTSIDE = [
    r"\exp -x > 0", r"2^3^4 > 0", r"x \pm y > 0", r"x \approx y", r"x \sim y", r"x := y", r"x' > 0", r"\cdots > 0",
    r"1 + \dots + n > 0", r"\{x\} > 0", r"\sum_i x > 0", r"\sum x + y > 0", r"\int x dx y > 0", r"\min_x f > 0",
    r"\min_{i} f(i) > 0", r"\max(x) > 0", r"a < b > c", r"a \ne b \ne c", r"x \in \{1,2\}",
    r"x > 0 \text{ for } y > 0", r"x > 0, y > 0", r"\log_2 x > 0", r"\sin x > 0", r"x ٣ > 0", r"x² > 0",
    r"x^n! > 0", r"e^{n}! > 0", r"\frac{n}{2}! > 0", r"f(n)! > 0", r"\sqrt{n}! > 0", r"! > 0", r"2.5! > 0", r"|n|! > 0",
    r"\binom{n}{i}! > 0", r"\binom{n} > 0", r"[n + 1]! > 0", r"\frac{d}{dx} f(x)! > 0", r"f! > 0",
    r"(x)^+ > 0", r"x^+ > 0", r"\mathrm{log}(x) > 0", r"\pi > 3", r"\lim_{x \uparrow \infty} x = 1",
    r"\mathbb{R} > 0", r"x | y", r"x\%  > 1", r"x\not> y", r"\hat x > 0",
]


def refusal(source: str) -> str:
    families = {"lam"} if r"\lambda_1" in source else set[str]()
    with pytest.raises(InputError, match=r"^LaTeX, column \d+: ") as caught:
        to_text(source, KNOWN, CALLABLE | families)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(("source", "text"), READ)
def test_what_has_one_reading_is_read(source: str, text: str) -> None:
    assert to_text(source, KNOWN, CALLABLE) == text


@pytest.mark.parametrize("source", FIELD)
def test_operators_of_the_field_are_told_as_such(source: str) -> None:
    """E is never Euler's number and brackets after it are never a product's: Jensen's inequality, turned round, was."""
    told = refusal(source)
    assert "which the statement language does not have yet" in told or "type it as text" in told


@pytest.mark.parametrize("source", AMBIGUOUS)
def test_two_readings_are_shown(source: str) -> None:
    assert "two readings" in refusal(source)


@pytest.mark.parametrize("source", OUTSIDE)
def test_the_rest_is_refused(source: str) -> None:
    refusal(source)


@pytest.mark.parametrize(("known", "source"), [
    ({"x", "y", "xy"}, "xy > 0"), ({"theta0", "theta_0"}, r"\theta_0 > 0"), ({"lam", "lambda"}, r"\lambda > 0"),
    ({"x", "d"}, r"\int_0^1 x dx > 0"), ({"x", "d"}, r"\frac{d x}{d y} > 0"), ({"k0_star", "k0star"}, "k_0^* > 0"),
    ({"a", "b", "c", "abc"}, "cabc > 0")])
def test_what_is_declared_may_make_it_ambiguous(known: set[str], source: str) -> None:
    with pytest.raises(InputError, match="two readings"):
        to_text(source, known, ())


ALIKE = [
    (r"\phi", r"\varphi", "phi"), (r"\epsilon", r"\varepsilon", "epsilon"), (r"\theta", r"\vartheta", "theta"),
    (r"\hat{x}", r"\widehat{x}", "xhat"), (r"\bar{x}", r"\overline{x}", "xbar"), (r"\mathsf{x}", "x", "x"),
    (r"\mathrm{x}", "x", "x"), (r"x_{a,b}", r"x_{a_b}", "x_a_b"), (r"k^{*}", r"k^{\star}", "k_star"),
    (r"\lambda", r"\mathrm{lam}", "lam"), (r"x_{0}", r"\mathrm{x0}", "x0"), (r"x_{\phi}", r"x_{\varphi}", "x_phi")]


@pytest.mark.parametrize(("one", "other", "name"), ALIKE)
def test_two_spellings_of_one_name_are_two_symbols(one: str, other: str, name: str) -> None:
    for spelling in (one, other):
        assert to_text(f"{spelling} - {spelling} = 0", {name}, ()) == f"{name} - {name} == 0"
    for text in (f"{one} - {other} = 0", rf"\frac{{{other}}}{{2}} > {one}"):
        with pytest.raises(InputError, match="two spellings") as caught:
            to_text(text, {name}, ())
        assert one in str(caught.value) and other in str(caught.value)


def test_a_derivative_at_a_constant() -> None:
    d = derivation("Constants", budget=0.5)
    d.let("c = 3", "g(x) = x**2")
    assert d.latex("g'(c) = 6").proved and d.latex("g''(c) = 2").proved and d.latex("g'(c) = 5").standing == "refuted"


def test_a_derivation_keeps_to_one_spelling() -> None:
    d = derivation("Spellings")
    d.symbol("phi", "phi > 0")
    d.function("f")
    with pytest.raises(InputError):
        d.latex(r"\varphi > 0 > y")
    assert d.latex(r"\phi > 0").proved and d.latex(r"f(\phi) = f(\phi)").proved
    with pytest.raises(InputError, match="two spellings"):
        d.latex(r"\varphi > 0")
    with pytest.raises(InputError, match="two spellings"):
        d.latex(r"\mathrm{f}(1) = f(1)")


@pytest.mark.parametrize(("source", "text"), [
    ("f'(y) = 0", "At(diff(f(u1), u1, 1), u1, y) == 0"), ("f''(x) = 0", "diff(f(x), x, 2) == 0"),
    ("f(y) = 0", "f(y) == 0"), ("f'(2x) = 0", "At(diff(f(u1), u1, 1), u1, 2*x) == 0")])
def test_a_derivative_is_taken_in_a_variable_of_which_no_definition_speaks(source: str, text: str) -> None:
    assert to_text(source, {"x", "y", "u0", "f"}, {"f"}, {"g": {"y", "u0"}}) == text


@pytest.mark.parametrize("source", [
    r"\frac{dx}{dy} = 0", r"\frac{d}{dy} x = 0", r"\frac{d^2 x}{dy^2} = 0", r"\frac{\mathrm{d}}{\mathrm{d}y} f(x) = 0"])
def test_a_derivative_of_what_does_not_show_its_variable_has_two_readings(source: str) -> None:
    with pytest.raises(InputError, match="two readings, 0"):
        to_text(source, {"x", "y", "f"}, {"f"})
    assert to_text(source, {"x", "y", "f"}, {"f"}, {"x": {"y"}, "f": {"y"}})  # a definition that speaks of y
    assert to_text(r"\frac{d}{dy} 3 = 0", {"y"}, ()) == "diff(3, y) == 0"


def test_a_derivative_leaves_what_is_free_in_the_definition() -> None:
    d = derivation("Slopes", budget=0.5)
    for name in ("y", "u0"):
        d.symbol(name)
    d.let("f(x) = x*y", "g(x) = f(x)**2*u0")
    for source, standing in (("f'(y) = y", "proved"), ("f'(y) = 2y", "refuted"), ("f''(y) = 0", "proved"),
                             ("g'(y) = 2y^3 u_0", "proved"), (r"g'(u_0) = 2y^2 u_0^2", "proved")):
        assert d.latex(source).standing == standing, source


def test_an_upright_d_and_a_declared_d() -> None:
    assert to_text(r"\int_0^1 x\,\mathrm{d}x > d", {"x", "d"}, ()) == "Integral(x, (x, 0, 1)) > d"


@pytest.mark.parametrize("source", [r"\log " * 3000 + "x > 0", r"\frac{d}{dx} " * 900 + "x > 0", "(" * 9000 + "x > 0",
                                    "(x > 0 \\implies " * 1000, r"\sum_{i=1}^{n} " * 900, "x^{" * 5000, "a" * 20_000,
                                    "|" * 9000, "1,000" * 3000, "_{" * 9000])
def test_hostile_texts_end_in_one_line(source: str) -> None:
    refusal(source)


def test_what_is_read_is_shown() -> None:
    """The step's text and its standing's statement are the statement that was read, whatever the LaTeX looked like."""
    d = derivation("Shown", budget=0.5)
    d.symbol("x", "0 < x < 1")
    step = d.latex(r"\ln x + e^{-x} < x(1+x)")
    assert step.goal == "log(x) + exp(-x) < x*(1 + x)" and step.goal in str(step)
    assert step.verdict.statement.startswith(step.goal)


@pytest.mark.sliced(3)
@pytest.mark.parametrize("goal", [
    "binomial(n, k)*factorial(k + 1) >= 0", "factorial(2*k) >= 0", "2*factorial(k)**2 >= 0", "x**factorial(k) > 0",
    "binomial(n, k)**2 >= 0", "exp(-factorial(k)) > 0", "factorial(factorial(k)) > 0", "factorial(binomial(n, k)) > 0",
    "factorial(floor(x)) > 0", "log(factorial(k)) >= 0", "factorial(k)/factorial(n) <= 1", "binomial(2*n, n) > 0",
    "factorial(Max(k, n)) > 0", "factorial(floor(log(x + 1))) > 0", "factorial(n - k)*binomial(n, k) > 0"])
def test_own_factorials_are_read_back(goal: str) -> None:
    d = derivation("Shown", budget=0.1)
    d.symbol("k", "k in naturals")
    d.symbol("n", "n in naturals", "k <= n")
    d.symbol("x", "x > 0")
    read = d.latex(d.step(goal).latex).goal
    assert Statement(read).conclusion == Statement(goal).conclusion


def test_a_reader_that_lies_proves_nothing_but_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the reader makes of the LaTeX, the statement that is decided is the one that the step shows."""
    d = derivation("Lies", budget=0.5)
    d.symbol("x", "0 < x < 1")
    for lie, standing in (("x < 1", "proved"), ("x > 1", "refuted")):
        monkeypatch.setattr("qtheory.proofs.derivation.to_text", lambda *_, lie=lie: lie)
        step = d.latex("x = 5")
        assert (step.goal, step.standing) == (lie, standing) and lie in str(step) and "5" not in step.goal
        assert step.verdict.statement.startswith(lie) and "5" not in step.latex
