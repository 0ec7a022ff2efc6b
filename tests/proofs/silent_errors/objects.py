"""False and undefined statements in LaTeX, as SymPy objects, and in the shape of forged certificates, by class.

The lines are as in the other tables; conditions stand behind ``;;``, and a certificate's change behind ``>>``.
"""

LATEX = {
    "Jensen's inequality, turned round": r"""
E[S]^2 \ge E[S^2]
E[S^2] \le E[S]^2
E S^2 \ge S^2
\mathbb{E}[S]^2 \ge \mathbb{E}[S^2]
\mathrm{E}[S^2] < 0
\operatorname{E}(S) > S
\mathbb{E} S = S + 1
E(S) E(T) = E(S + T)
E^{x} = 0
E > 3
""",
    "probabilities and variances": r"""
\Pr(X > x) > 1
P(X > x) \ge 2
\mathbb{P}(X + x) \ge 2
P(X + Y) = P(X) + P(Y) + 1
\operatorname{Var}(X) < 0
\mathrm{Var}(X + Y) = 0
Var(X) < 0
\mathrm{Cov}(X, X) < 0
\mathbb{V}(X) < 0
\Pr[X] = 2
""",
    "numbers with separators": r"""
10\,000 < 5000
10,000 < 5000
10~000 < 5000
10 000 < 1
10{,}000 = 0
1,000,000 < 1
2 3 = 6
x 2 = 2x
2\frac12 = 1
1e5 < 10
""",
    "functions without brackets": r"""
\log x y = \log(x) y
\ln 2x = x \ln 2
\log x^2 = (\log x)^2
\log x / y = \log(x/y)
\exp -x = x
\ln(x)^2 = \ln(x^2)
\ln x \ln y = 0
\log(x)(y+1) = 0
\log_2 x = \ln(x)
\max x = x
""",
    "slashes and scripts": r"""
1/2x = x/2
a/bc = ac/b
a/b/c = ac/b
a/b \cdot c = 1
x^10 = x
x_12 = 2
x^ab = 1
2^3^4 = 1
\sqrt[3]{x} = x
f^2(x) = f(x)^2
""",
    "sums and integrals without an end": r"""
\sum_{i=1}^{n} i + n = n
\sum_i i = 1
\sum x + y = 0
\int x dx y = 0
\int_0^1 x dx y = 1
\frac{d}{dx} x y = 0
\frac{d}{dx} x^2 + x = x
\lim_{x \to 0} x + y = 0
x(y) = 0
|a|b|c| = 1
""",
    "relations": r"""
a < b > c
a \ne b \ne c
x \approx y
x \pm y > 0
x := y
x > 0 \Rightarrow y > 0 \Rightarrow z > 0
x \in \{1, 2\}
x > 0, y > 0
x > 0 \text{ for } y > 0
x \sim y
""",
    "the threshold in LaTeX": r"""
= \frac{\theta}{1-\theta} + \ln(1-\theta) > 0 ;; 0 < theta; theta < 1
\frac{\theta}{1-\theta} + \ln(1-\theta) > 0 ;; 0 <= theta; theta < 1
\frac{\theta}{1-\theta} + \ln(1-\theta) < 0 ;; 0 < theta; theta < 1
\frac{\theta}{1-\theta} - \ln(1-\theta) < 0 ;; 0 < theta; theta < 1
\frac{\theta}{1+\theta} + \ln(1-\theta) > 0 ;; 0 < theta; theta < 1
\frac{\theta}{1-\theta} + \ln(1-\theta) > 0 ;; theta > 0
= -\ln(1-\theta) > \theta ;; 0 < theta; theta < 1
\ln(1-\theta) > \theta ;; 0 < theta; theta < 1
-\ln(1-\theta) > \theta ;; 0 < theta; theta <= 1
-\ln(1-\theta) > 2\theta ;; 0 < theta; theta < 1
-\ln(1+\theta) > \theta ;; 0 < theta; theta < 1
-\ln(1-\theta) \le \theta ;; 0 < theta; theta < 1
""",
    "exponentials in LaTeX": r"""
= e^{-x} \ge 1 - x
e^{-x} > 1 - x
e^{x} \ge 1 + 2x
e^{-x} \ge 1 + x
\mathrm{e}^{x} \le 1 + x
\exp(-x) \le 1 ;; x >= -1
= \int_0^x e^{-u} \,du = 1 - e^{-x}
\int_0^x e^{-u} \,du = 1 + e^{-x}
\int_0^x e^{u} \,du = 1 - e^{-x}
\int_0^y e^{-u} \,du = 1 - e^{-x}
\int_0^\infty e^{-x} \,dx = 2
\lim_{x \downarrow 0} \frac{1}{x} = 0
""",
    "sums in LaTeX": r"""
= \sum_{i=1}^{n} i = \frac{n(n+1)}{2}
\sum_{i=1}^{n} i = \frac{n(n-1)}{2}
\sum_{i=0}^{n} i = \frac{n(n-1)}{2}
\sum_{i=1}^{n} i^2 = \frac{n(n+1)}{2}
\sum_{i=1}^{n} n = \frac{n(n+1)}{2}
\sum_{i=1}^{n} i < \frac{n(n+1)}{2}
\sum_{i=1}^{x} i = \frac{x(x+1)}{2}
\sum_{n=0}^{\infty} x^n = \frac{1}{1-x}
(\sum_{i=1}^{n} i) + 1 = \frac{n(n+1)}{2}
\frac{d}{dx} x^2 = x
f(x) < 0
""",
}

SYMPY = {
    "one name, two symbols": """
Eq(Sum(ki*k, (ki, 1, 2)), 5)
Eq(Sum(ki*k, (k, 1, 2)), 5)
Eq(Sum(kd*k, (kd, 1, 2)), 5)
Eq(Sum(kd*Dummy('k'), (kd, 1, 2)), 5)
Eq(Integral(t*ti, (t, 0, 1)), t)
Eq(Integral(t, (t, 0, ti)), 1)
Eq(Limit(x*xp, x, 0), 0)
Eq(Derivative(x*xp, x), x)
Gt(x, xr)
Gt(x, y) ;; Gt(xp, 0, evaluate=False)
""",
    "symbols that are not real": """
Gt(xc**2 + 1, 0, evaluate=False)
Eq(xc*xc, Abs(x)**2)
Gt(xe + 1, y)
Eq(xi**2 + y, 1)
Eq(nc*y, y)
Eq(Sum(xc, (xc, 1, 2)), 3)
Gt(pr, x)
Gt(Symbol('r', rational=True), x)
Gt(Symbol('r', algebraic=True), x)
Gt(Symbol('E'), x)
""",
    "what is no statement": """
true
Gt(xp, -1)
Eq(x, pi)
Eq(I*x, x)
Eq(x, zoo)
Gt(x, Float('0.1'))
Eq(a, Piecewise((1, t > 0), (0, True)))
Contains(x, Interval(0, 1))
Eq(Product(k, (k, 1, n)), 2)
Eq(Sum(k, (k, 1, -2)), 1)
""",
    "logarithms as objects": """
= Gt(-log(1 - x), x) ;; Gt(x, 0) ;; Lt(x, 1)
Gt(-log(1 - x), x) ;; Ge(x, 0) ;; Lt(x, 1)
Gt(-log(1 - x), x) ;; Gt(x, 0) ;; Le(x, 1)
Lt(-log(1 - x), x) ;; Gt(x, 0) ;; Lt(x, 1)
Gt(log(1 - x), x) ;; Gt(x, 0) ;; Lt(x, 1)
Gt(-log(1 - x), x)
= Le(log(xp), xp - 1)
Lt(log(xp), xp - 1)
Ge(log(xp), xp - 1)
Le(log(x), x - 1)
Le(log(xn), xn - 1)
Le(log(2*xp), xp - 1)
""",
    "assumptions as conditions": """
= Ge(xp + 1/xp, 2)
Ge(x + 1/x, 2)
Ge(xn + 1/xn, 2)
Gt(xp + 1/xp, 2)
Ge(xp - 1/xp, 2)
Ge(xr + 1/xr, 2)
= Ge(nn**2, nn)
Gt(nn**2, nn)
Ge(xp**2, xp)
Le(ni**2, ni)
Ge(ni**3, ni)
Ge(ev, 0)
""",
    "sums and integrals as objects": """
= Eq(Sum(ki, (ki, 1, nn)), nn*(nn + 1)/2)
Eq(Sum(ki, (ki, 1, nn)), nn*(nn - 1)/2)
Eq(Sum(ki, (ki, 1, ni)), ni*(ni + 1)/2)
Eq(Sum(ki, (ki, 1, n)), n*(n + 1)/2)
Eq(Sum(ki, (ki, 2, nn)), nn*(nn + 1)/2)
Eq(Sum(ki**2, (ki, 1, nn)), nn*(nn + 1)/2)
= Eq(Integral(t**2, (t, 0, 1)), Rational(1, 3), evaluate=False)
Eq(Integral(t**2, (t, 0, 1)), Rational(1, 2), evaluate=False)
Eq(Integral(t**2, (t, 1, 0)), Rational(1, 3), evaluate=False)
Eq(Integral(1/t, (t, -1, 1)), 0, evaluate=False)
Eq(Integral(t, (t, 0, 1)), t)
Eq(Integral(x, (t, 0, 1)), Rational(1, 2))
""",
    "limits and derivatives as objects": """
= Eq(Limit(sqrt(t), t, 0), 0)
Eq(Limit(sqrt(t), t, 0, '-'), 0)
Eq(Limit(sqrt(t), t, 0), 1)
Eq(Limit(1/t, t, 0), 0)
Eq(Limit(1/t, t, 0, '-'), oo)
Eq(Limit(t, t, sqrt(a)), 17) ;; Lt(a, 0)
= Eq(Derivative(t**3, t), 3*t**2)
Eq(Derivative(t**3, t), 2*t**2)
Eq(Derivative(t**3, t, 2), 3*t**2)
Eq(Derivative(Abs(t), t), 1)
Eq(Derivative(log(t), t), 1/t)
Eq(Derivative(t**2, t), 2*x)
""",
}

AS_ANOTHER = {
    "another goal in the file": """
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) < x | 0 < x < 1
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) > 2*x | 0 < x < 1
-log(1 - x) > x | 0 < x < 1 >> log(1 - x) > x | 0 < x < 1
log(x) <= x - 1 | x > 0 >> log(x) < x - 1 | x > 0
exp(x) >= 1 + x >> exp(x) > 1 + x
x/x == 1 | x != 0 >> x/x == 2 | x != 0
1/x > 0 | x > 0 >> 1/x < 0 | x > 0
limit(x, x, 4) == 4 >> limit(x, x, sqrt(-1)) == 17
Abs(x + y) <= Abs(x) + Abs(y) >> Abs(x + y) >= Abs(x) + Abs(y)
Max(x, y) >= x >> Max(x, y) > x
""",
    "other conditions in the file": """
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) > x
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) > x | 0 <= x < 1
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) > x | 0 < x <= 1
log(x) <= x - 1 | x > 0 >> log(x) <= x - 1
log(x) <= x - 1 | x > 0 >> log(x) <= x - 1 | x >= 0
x/x == 1 | x != 0 >> x/x == 1
1/x > 0 | x > 0 >> 1/x > 0 | x != 0
n >= 0 | n in naturals >> n >= 0 | n in integers
f(2) == 4 | | f(x) = x**2 >> f(2) == 4 | | f(x) = x**3
T > 0 | T == al + be; al > 0; be > 0 >> T > 0 | T == al - be; al > 0; be > 0
""",
}

SHOWN_FOR = {
    "shown for another statement": """
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) < x | 0 < x < 1
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) > x
-log(1 - x) > x | 0 < x < 1 >> -log(1 - x) > x | 0 <= x < 1
log(x) <= x - 1 | x > 0 >> log(x) <= x - 1 | x >= 0
exp(x) >= 1 + x >> exp(x) > 1 + x
x/x == 1 | x != 0 >> x/x == 1
1/x > 0 | x > 0 >> 1/x > 0
limit(x, x, 4) == 4 >> limit(x, x, 4) == 5
f(2) == 4 | | f(x) = x**2 >> f(2) == 4 | | f(x) = x**3
n >= 0 | n in naturals >> n >= 0 | n in integers
""",
}

TURNED = {
    "a refutation turned round": """
-log(1 - x) < x | 0 < x < 1
x/x == 1
exp(x) > 1 + x
limit(x, x, sqrt(-1)) == 17
log(x) <= x - 1
1/x > 0
Sum(k, (k, 1, n)) == n**2/2 | n in naturals
ForAll(x, x > 0, log(x) > x)
Convex(x**3, x, x < 1)
n >= 1 | n in naturals
""",
}

SPOILT = {
    "a proof with a hole": """
exp(x) >= 1 + x >> no steps
exp(x) >= 1 + x >> an older schema
exp(x) >= 1 + x >> no schema
exp(x) >= 1 + x >> main elsewhere
exp(x) >= 1 + x >> main before the beginning
exp(x) >= 1 + x >> main behind the end
exp(x) >= 1 + x >> the last step taken away
exp(x) >= 1 + x >> the last rule renamed
exp(x) >= 1 + x >> a goal that is assumed
exp(x) >= 1 + x >> checked
""",
}
