"""False and undefined statements as texts, by class: analysis, quantifiers, definitions, numbers. Lines as before."""

CALCULUS = {
    "derivatives": """
= diff(-log(1 - t), t) == 1/(1 - t) | t < 1
diff(-log(1 - t), t) == 1/(1 - t)
diff(-log(1 - t), t) == 1/(1 - t) | t <= 1
diff(-log(1 - t), t) == -1/(1 - t) | t < 1
diff(log(1 - t), t) == 1/(1 - t) | t < 1
diff(-log(1 - t), t) == 1/(1 + t) | -1 < t < 1
= At(diff(x**2, x), x, 3) == 6
At(diff(x**2, x), x, 3) == 9
At(x**2, x, 3) == 6
At(diff(x**3, x), x, 3) == 6
At(diff(sqrt(x), x), x, 0) == 0
diff(Abs(x), x) == 1
""",
    "higher derivatives": """
= diff(x**3, x, 2) == 6*x
diff(x**3, x) == 6*x
diff(x**3, x, 3) == 6*x
diff(x**3, x, 2) == 3*x
diff(x**2, x, 2) == 6*x
diff(abs(x)**3, x, 3) == 6*x
diff(Max(x, 0), x, 2) == 0
diff(1/x, x, 2) == 2/x**3
= diff(1/x, x, 2) == 2/x**3 | x > 0
diff(1/x, x, 2) == -2/x**3 | x != 0
diff(1/x, x, 2) == 2/x**2 | x != 0
diff(1/x, x, 2) > 0 | x != 0
""",
    "integrals": """
= Integral(t, (t, 0, x)) == x**2/2
Integral(t, (t, 0, x)) == x**2
Integral(t, (t, 0, -x)) == -x**2/2
Integral(t, (t, x, 0)) == x**2/2
Integral(x, (t, 0, x)) == x**2/2
Integral(t**2, (t, 0, x)) == x**2/2
= Integral(exp(-p*t), (t, 0, s)) == (1 - exp(-p*s))/p | p > 0
Integral(exp(-p*t), (t, 0, s)) == (1 - exp(-p*s))/p
Integral(exp(-p*t), (t, 0, s)) == (1 - exp(p*s))/p | p > 0
Integral(exp(-p*t), (t, 0, s)) == 1 - exp(-p*s) | p > 0
Integral(exp(p*t), (t, 0, s)) == (1 - exp(-p*s))/p | p > 0
Integral(exp(-p*t), (t, 0, s)) >= 1/p | p > 0
""",
    "integrals across a gap": """
= Integral(1/t, (t, 1, 2)) > 1/2
Integral(1/t, (t, -1, 2)) > 1/2
Integral(1/t, (t, 0, 2)) > 1/2
Integral(1/t, (t, 1, 2)) > 1
Integral(1/t, (t, 2, 1)) > 1/2
Integral(1/t, (t, -2, -1)) > 1/2
Integral(1/t, (t, -1, 1)) == 0
Integral(1/t, (t, 0, 0)) == 0
Integral(log(t), (t, 0, 1)) == -1
Integral(1/t**2, (t, -1, 1)) == -2
Integral(sqrt(t), (t, -1, 0)) == 0
""",
    "integrals to infinity": """
Integral(exp(-mu*t), (t, 0, oo)) == 1/mu
Integral(exp(-mu*t), (t, 0, oo)) == mu | mu > 0
Integral(exp(mu*t), (t, 0, oo)) == 1/mu | mu > 0
Integral(exp(-mu*t), (t, 1, oo)) == 1/mu | mu > 0
Integral(exp(-mu*t), (t, 0, oo)) == 1/mu | mu >= 0
Integral(exp(-t), (t, 0, oo)) == 2
Integral(exp(-t), (t, log(-1), oo)) == 1
Integral(1/t, (t, 1, oo)) == 1
Integral(exp(-t), (t, 0, oo)) == 1/0
""",
    "sums to infinity": """
Sum(q**k, (k, 0, oo)) == 1/(1 - q) | 0 <= q <= 1
Sum(q**k, (k, 0, oo)) == 1/(1 - q) | q < 1
Sum(q**k, (k, 0, oo)) == 1/(1 + q) | 0 <= q < 1
Sum(q**k, (k, 1, oo)) == 1/(1 - q) | 0 <= q < 1
Sum(q**k, (k, 0, oo)) == q/(1 - q) | 0 <= q < 1
Sum(2**-k, (k, 0, oo)) == 3
Sum(2**k, (k, 0, oo)) == -1
Sum(2**-k, (k, 0, oo)) == 1/0
Sum(1, (k, 1, oo)) == 1
""",
    "fluid limits": """
= limit(x**2, x, 1) == 1
limit(x**2, x, 1) == 2
limit(x**2, x, -1) == -1
limit(1/x, x, 0) == 0
limit(1/x, x, 0) == oo
limit(abs(x)/x, x, 0) == 1
limit(floor(x), x, 1) == 1
= limit((n + 1)/n, n, oo) == 1
limit((n + 1)/n, n, oo) == 0
limit((n + 1)/n, n, 0, "+") == 1
limit(n/(n + 1), n, oo) == oo
limit((2*n + 1)/n, n, oo) == 1
""",
    "one-sided limits": """
= limit(sqrt(x), x, 0, "+") == 0
limit(sqrt(x), x, 0) == 0
limit(sqrt(x), x, 0, "-") == 0
limit(sqrt(x), x, -1, "+") == 0
limit(sqrt(x), x, 0, "+") == 1
limit(1/x, x, 0, "+") == 0
= limit(1/x, x, 0, "+") == oo
limit(1/x, x, 0, "+") == -oo
limit(1/x, x, 0, "-") == oo
limit(1/x**2, x, 0, "-") == -oo
limit(x*log(x), x, 0, "-") == 0
limit(log(x), x, 0, "+") == 0
""",
    "values in limits that are undefined": """
= limit(x, x, 4) == 4
limit(x, x, sqrt(-1)) == 17
limit(x, x, sqrt(-1)) == sqrt(-1)
limit(x, x, log(0)) == 0
limit(x, x, LambertW(-1)) == 3
limit(x, x, 1/0) == 0
limit(x, x, 0) == sqrt(-1)
limit(x, x, 0) == 1/0 - 1/0
limit(1/x, x, oo) == 0/0
limit(x, x, (-1)**(1/2)) == 5
limit(x, x, sqrt(a)) == sqrt(a)
""",
    "values that are undefined somewhere": """
= limit(2*x, x, a) == 2*a
limit(x, x, sqrt(a)) == 17 | a < 0
limit(x, x, 1/a) == 1/a
limit(x, x, log(a)) == log(a) | a <= 1
limit(2*x, x, a) == 2*a + 1/a - 1/a
SequenceLimit(1/n, n, 1/a - 1/a)
SequenceLimit(a/n, n, sqrt(-a**2 - 1))
BigO(x, x**2, x, sqrt(-1))
BigO(x, x, x, log(a)) | a <= 0
Sum(k, (k, 1, sqrt(-1))) == 0
Integral(t, (t, 0, 1/a)) == 1/(2*a**2)
""",
    "orders of growth": """
= BigO(x**2, x, x, 0)
BigO(x, x**2, x, 0)
BigO(x**2, x, x, oo)
BigO(1, x, x, 0)
BigO(1/x, x, x, 0)
BigO(log(x), x, x, 0)
= BigO(x, x**2, x, oo)
BigO(x**3, x**2, x, oo)
BigO(x, 1, x, oo)
BigO(exp(x), x, x, oo)
BigO(1/x, x**2, x, 0)
BigO(x, x**2, x, -1/0)
""",
    "sequences": """
= SequenceLimit(1/n, n, 0)
SequenceLimit(1/n, n, 1)
SequenceLimit(n, n, 0)
SequenceLimit((-1)**n, n, 1)
SequenceLimit((-1)**n, n, 0)
SequenceLimit((n + 1)/n, n, 0)
SequenceLimit(n/(n + 1), n, oo)
SequenceLimit(2**n, n, 0)
SequenceLimit(-n, n, oo)
SequenceLimit(1/n, n, -1)
SequenceLimit(log(-n), n, 0)
""",
    "monotone functions": """
= Increasing(x**3, x, x > 0)
StrictlyDecreasing(x**3, x, x > 0)
Increasing(x**2, x, x > -1)
Increasing(-x**3, x, x > 0)
Increasing(1/x, x, x > 0)
Increasing(1/x, x, x >= 0)
= StrictlyIncreasing(x/(1 + x), x, x >= 0)
StrictlyIncreasing(x/(1 + x), x, x > -2)
StrictlyIncreasing(x/(1 + x), x, x != -1)
StrictlyIncreasing(floor(x), x, x >= 0)
StrictlyIncreasing(Max(x, 1), x, x >= 0)
StrictlyDecreasing(x/(1 + x), x, x >= 0)
""",
    "convex functions": """
= Convex(x**2, x, x > 0)
Concave(x**2, x, x > 0)
Convex(-x**2, x, x > 0)
Convex(x**3, x, x < 1)
Convex(log(x), x, x > 0)
Convex(1/x, x, x != 0)
StrictlyConvex(2*x, x, x > 0)
= Concave(log(x), x, x > 0)
Concave(log(x), x, x >= 0)
StrictlyConcave(x, x, x > 0)
Concave(exp(x), x, x > 0)
Concave(-log(x), x, x > 0)
""",
}

QUANTIFIERS = {
    "for all and there is": """
= ForAll(x, x > 0, Exists(y, y > 0, y < x))
Exists(y, y > 0, ForAll(x, x > 0, y < x))
ForAll(x, x >= 0, Exists(y, y > 0, y < x))
ForAll(x, x > 0, Exists(y, y < 0, y > x))
ForAll(x, x > 0, ForAll(y, y > 0, y < x))
= Exists(x, x > 0, log(x) == 0)
ForAll(x, x > 0, log(x) == 0)
Exists(x, x > 1, log(x) == 0)
Exists(x, x > 0, log(x) == x)
Exists(x, x < 0, log(x) == 0)
Exists(x, x > 0, x < log(-1))
""",
    "guards": """
= ForAll(x, x > 0, log(x) < x)
ForAll(x, x >= 0, log(x) < x)
ForAll(x, x > 0, log(x) > x)
ForAll(x, x > -1, log(x) < x)
ForAll(x, x > 0, log(x) < x - 1)
= Implies(x > 1, log(x) > 0)
Implies(x > 0, log(x) > 0)
Implies(log(x) > 0, x > 3)
Implies(x > -1, log(x) < x)
Implies(x >= 1, log(x) > 0)
Implies(x > 1, log(x) > 1)
""",
    "parts of a disjunction": """
= Or(x >= 0, x <= 0)
Or(x > 0, x < 0)
Or(x >= 1, x <= 0)
Or(x <= 0, log(x) < x)
Or(log(x) > 0, 1 > 0)
Or(1 > 0, 1/x > 0)
Or(1 > 0, ForAll(y, y > -1, 1/y != 0))
Or(Implies(x >= 0, log(x) > 5), 1 > 0)
And(x >= 0, x <= 0)
And(x**2 >= 0, 1/x != 0)
And(Or(x > 0, x <= 0), Or(x > 1, x < 1))
""",
    "roots and uniqueness": """
= ExistsUnique(x, x > 0, x**2 == 2)
ExistsUnique(x, x > -5, x**2 == 2)
ExistsUnique(x, x > 0, x**2 == -2)
ExistsUnique(x, x > 2, x**2 == 2)
ExistsUnique(x, x > 0, x**2 >= 2)
ExistsUnique(x, x**2 > 0, x**2 == 4)
ExistsUnique(x, x > 0, exp(x) == 3*x)
Exists(x, x > 0, exp(x) == x)
Exists(x, x > 0, x == log(-1))
ExistsUnique(x, x > 0, x == sqrt(-1))
Exists(x, x > 0, x < y) | y >= 0
""",
    "integers": """
= n >= 0 | n in naturals
n >= 1 | n in naturals
n > 0 | n in naturals
n >= 0 | n in integers
n**2 > n | n in naturals
1/n > 0 | n in naturals
= n**2 >= n | n in integers
n**2 >= n
n**2 > n | n in integers
n**3 >= n | n in integers
n**2 <= n | n in integers
n**2 >= 2*n | n in integers
""",
    "parity": """
= Integer(n*(n + 1)/2) | n in naturals
Integer(n/2) | n in naturals
Integer(n*(n + 1)/3) | n in naturals
Integer(n*(n + 2)/2) | n in naturals
Integer(n*(n + 1)/2)
Integer((n + 1)/2) | n in naturals
Integer(1/n) | n in naturals
Natural(n - 1) | n in naturals
Integer(sqrt(n)) | n in naturals
Natural(n) | n in integers
Exists(m, Integer(m), 2*m == n) | n in integers
""",
    "floors": """
= floor(x) <= x
floor(x) < x
floor(x) >= x
floor(x) == x
ceil(x) <= x
floor(x) > x - 1/2
= floor(x + 1) == floor(x) + 1
floor(x + 1/2) == floor(x) + 1
floor(2*x) == 2*floor(x)
floor(-x) == -floor(x)
floor(x + y) == floor(x) + floor(y)
floor(x*y) >= floor(x)*floor(y)
""",
    "an arbitrary function": """
= f(x) == f(y) | x == y; f in functions
f(x) == f(y) | x <= y; f in functions
f(x) <= f(y) | x <= y; f in functions
f(x) != f(y) | x != y; f in functions
f(x + y) == f(x) + f(y) | f in functions
f(2*x) == 2*f(x) | f in functions
f(x) + 1 < f(x) | f in functions
f(x) > 0 | x > 0; f in functions
f(1/x) == f(1/x) | f in functions
f(x)**2 > 0 | f in functions
f(f(x)) == x | f in functions
""",
}

LANGUAGE = {
    "division": """
= x/x == 1 | x != 0
x/x == 1
x/x == 1 | x >= 0
1/(1/x) == x
(x**2 - 1)/(x - 1) == x + 1
0*(1/x) == 0
= 1/x > 0 | x > 0
1/x > 0 | x >= 0
1/x > 0
1/x < 0 | x > 0
1/x > 0 | x != 0
x - x/x < x
""",
    "powers": """
= x**0 == 1
(1/x)**0 == 1
0**x == 0 | x >= 0
0**0 == 0
x**1 == 1
= x**(1/2) >= 0 | x >= 0
(x**2)**(1/2) == x
(x**(1/2))**2 == x
(-8)**(1/3) == -2
x**(1/2) > 0 | x >= 0
x**-1 > 0 | x != 0
2**x*3**x == 5**x
""",
    "square roots": """
= sqrt(x)**2 == x | x >= 0
sqrt(x)**2 == x
sqrt(x**2) == x
sqrt(x)**2 == -x | x >= 0
sqrt(x**2) == -x | x >= 0
= sqrt(x*y) == sqrt(x)*sqrt(y) | x >= 0; y >= 0
sqrt(x*y) == sqrt(x)*sqrt(y) | x*y >= 0
sqrt(x + y) == sqrt(x) + sqrt(y) | x >= 0; y >= 0
sqrt(x) < x | x > 0
sqrt(-1)**2 == -1
sqrt(-1) == sqrt(-1)
""",
    "absolute values": """
= Abs(x + y) <= Abs(x) + Abs(y)
Abs(x + y) >= Abs(x) + Abs(y)
Abs(x + y) < Abs(x) + Abs(y)
Abs(x + y) == Abs(x) + Abs(y)
Abs(x - y) <= Abs(x) - Abs(y)
Abs(x*y) <= Abs(x) + Abs(y)
= Max(x, y) >= x
Max(x, y) > x
Max(x, y) == x
Min(x, y) >= x
Max(x, log(x)) >= x
Max(1, 1/x) >= 1
""",
    "definitions": """
= f(2) == 4 | | f(x) = x**2
f(2) == 5 | | f(x) = x**2
f(2) == 4 | | f(x) = x**3
f(-2) == -4 | | f(x) = x**2
f(0) == 0 | | f(x) = 1/x
f(y) == f(y) | | f(x) = 1/x
f(log(-1)) == 0 | | f(x) = Sum(x, (k, 1, 0))
f(1/y) == 0 | | f(x) = Integral(x, (t, 1, 1))
f(sqrt(y)) == 0 | | f(x) = 0*x
c > 0 | | c = log(1/2)
f(y) > g(y) | y > 0 | f(x) = x; g(x) = f(f(x)) + x
""",
    "arguments under a binder": """
= At(Sum(x, (k, 1, 0)), x, 2) == 0
At(Sum(x, (k, 1, 0)), x, 2) == 2
At(Sum(x, (k, 1, 0)), x, sqrt(-1)) == 0
At(Sum(x, (k, 1, 0)), x, 1/y) == 0
At(Integral(x, (t, 0, 0)), x, log(0)) == 0
At(x**2, x, 1/0) == 0
At(0*x, x, log(-1)) == 0
Sum(log(-1), (k, 1, 1)) == Sum(log(-1), (k, 1, 1))
Sum(1/k, (k, -1, 1)) == 0
Sum(1/k, (k, 0, 2)) >= 1
Sum(sqrt(k), (k, -1, 3)) >= 0
""",
    "ends of sums": """
= Sum(k, (k, 3, 3)) == 3
Sum(k, (k, 1, 2)) == 2
Sum(k, (k, 1, 5/2)) == 3
Sum(k, (k, 1, -1)) == 0
Sum(k, (k, 1, 0)) == 1
Sum(k, (k, 1/2, 3)) == 6
Sum(k, (k, n, n)) == n
= Sum(k, (k, n, n)) == n | n in integers
Sum(k, (k, n, n + 1)) == n | n in integers
Sum(k, (k, n, n - 2)) == 0 | n in integers
Sum(n, (k, n, n)) == n + 1 | n in integers
Sum(k*n, (k, 1, n)) == n*(n + 1)/2 | n in naturals
""",
    "bound names": """
= Integral(x, (x, 0, x)) == x**2/2
Integral(x, (x, 0, x)) == x**2
Integral(x, (x, 0, 1)) == x**2/2
Integral(x, (x, 0, 1/x)) >= 0
Sum(k, (k, 1, 2)) == 3*k
Sum(k, (k, 1, 3)) == 3*k
ForAll(x, x > 0, x > 0) == 1
Exists(x, x > 0, x == y)
diff(x*y, x) == x
diff(k, k) == k
limit(x, x, 0) == y
""",
    "numbers": """
= 0.1 + 2/3 == 23/30
0.1 + 0.2 == 0.30000000000000004
0.3 == 1/3
1e-3 == 0
2/3 == 0.6667
exp(1) == 2.718281828
log(2) == 0.6931
sqrt(2) == 1.41421356
1/3 + 1/3 + 1/3 == 0.999999
10**20 + 1 == 10**20
3.14 > 3.14
""",
    "chains": """
= 0 < x < 2 | x == 1
0 < x < 1 | x == 1
0 <= x <= 1 | x == 2
0 < x < 2 | 0 <= x <= 2
0 <= sqrt(x) <= x + 1
a < b < c | a < c
= a < c | a < b < c
a > c | a < b < c
b < a | a < b < c
a < c | a <= b <= c
a != c | a != b != c
c - a > b | a < b < c
""",
    "conditions that are undefined somewhere": """
= x > 0 | log(x) < 1
x > 1 | log(x) < 1
x < 0 | log(x) < 1
log(x - 1) < 1 | log(x) < 1
x < 5/2 | log(x) < 1
= x**2 > 1 | Or(x > 1, x < -1)
x > 1 | Or(x > 1, x < -1)
x**2 > 2 | Or(x > 1, x < -1)
1/x < 1 | Or(x > 1, x <= 0)
log(x) > -1 | x < 1
sqrt(x) > 1 | Or(x > 1, 1/x < 0)
""",
}
