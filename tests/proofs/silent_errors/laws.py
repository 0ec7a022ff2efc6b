"""False statements about expectations, variances and probabilities, by class, in the form of ``statements``."""

LAWS = {
    "moments of listed values": """
= E(X, (X, Finite((1, p), (3, 1 - p)))) == 3 - 2*p | 0 <= p <= 1
E(X, (X, Finite((1, p), (3, 1 - p)))) == 3 - 2*p
E(X, (X, Finite((1, p), (3, 1 - p)))) == 3 + 2*p | 0 <= p <= 1
E(X, (X, Finite((1, p), (3, 1 + p)))) == 3 + 4*p | 0 <= p <= 1
E(X, (X, Finite((1, 1/2), (3, 1/3)))) == 3/2
= Var(X, (X, Bernoulli(p))) == p*(1 - p) | 0 <= p <= 1
Var(X, (X, Bernoulli(p))) == p*(1 - p)
Var(X, (X, Bernoulli(p))) == p*(1 + p) | 0 <= p <= 1
Var(X + X, (X, Bernoulli(p))) == 2*p*(1 - p) | 0 <= p <= 1
E(1, (X, Pmf(1, 0, 3))) == 4
""",
    "geometric laws": """
= E(X, (X, Geometric(p))) == 1/p | 0 < p <= 1
E(X, (X, Geometric(p))) == 1/p | 0 <= p <= 1
E(X, (X, Geometric(p))) == (1 - p)/p | 0 < p <= 1
E(0*X, (X, Geometric(2))) == 0
= Var(X, (X, Geometric(p))) == (1 - p)/p**2 | 0 < p <= 1
Var(X, (X, Geometric(p))) == (1 - p)/p | 0 < p <= 1
= Pr(X > t, (X, Geometric(p))) == (1 - p)**t | 0 < p <= 1; t in naturals
Pr(X >= t, (X, Geometric(p))) == (1 - p)**t | 0 < p <= 1; t in naturals
Pr(X > t, (X, Geometric(p))) == (1 - p)**t | 0 < p < 1; t >= 0
Or(x > 0, x <= 0, E(X, (X, Geometric(2))) == 3)
""",
    "exponential and uniform laws": """
= E(X, (X, Exponential(r))) == 1/r | r > 0
E(X, (X, Exponential(r))) == 1/r | r != 0
E(X, (X, Exponential(r))) == r | r > 0
= Pr(X > t, (X, Exponential(r))) == exp(-r*t) | r > 0; t >= 0
Pr(X > t, (X, Exponential(r))) == exp(-r*t) | r > 0
Pr(X > t, (X, Exponential(r))) == exp(-t/r) | r > 0; t >= 0
= E(X, (X, Uniform(a, b))) == (a + b)/2 | a < b
E(X, (X, Uniform(a, b))) == (a + b)/2 | a <= b
E(X, (X, Uniform(b, a))) == (a + b)/2 | a < b
E(1/X, (X, Uniform(0, 1))) >= 0
""",
}
