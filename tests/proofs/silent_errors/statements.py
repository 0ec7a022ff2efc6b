"""False and undefined statements as texts, by class.

A line is ``goal | condition; condition | definition; definition``.  A line with ``=`` before it is true, and the false
ones below it, down to the next such line or a blank one, are one sign, quantifier, domain, index or factor away from
it.  At most ten false ones stand in a class.
"""

QUEUES = {
    "load of a single server": """
= rho/(1 - rho) >= rho | 0 <= rho < 1
rho/(1 - rho) >= rho | 0 <= rho <= 1
rho/(1 - rho) > rho | 0 <= rho < 1
rho/(1 - rho) >= rho | rho >= 0; rho != 1
rho/(1 - rho) <= rho | 0 <= rho < 1
rho/(1 + rho) >= rho | 0 <= rho < 1
= rho**2/(1 - rho) == rho/(1 - rho) - rho | 0 <= rho < 1
rho**2/(1 - rho) == rho/(1 - rho) + rho | 0 <= rho < 1
rho**2/(1 - rho) == rho/(1 - rho) - rho
rho**2/(1 - rho) == rho/(1 - rho) - rho | 0 <= rho <= 1
rho**2/(1 - rho) == rho/(1 - rho) - 1 | 0 <= rho < 1
""",
    "Little's law": """
= W == N/lam | N == lam*W; lam > 0
W == N*lam | N == lam*W; lam > 0
W == N/lam | N == lam*W; lam >= 0
W == N/lam | N == lam*W
= lam*(W1 + W2) == N1 + N2 | N1 == lam*W1; N2 == lam*W2
lam*(W1 + W2) == N1 - N2 | N1 == lam*W1; N2 == lam*W2
lam*W1*W2 == N1*N2 | N1 == lam*W1; N2 == lam*W2
lam*(W1 + W2) > N1 + N2 | N1 == lam*W1; N2 == lam*W2
W1 <= W2 | N1 == lam*W1; N2 == lam*W2; N1 <= N2
W1 < W2 | N1 == lam*W1; N2 == lam*W2; N1 <= N2; lam > 0
= W1 <= W2 | N1 == lam*W1; N2 == lam*W2; N1 <= N2; lam > 0
W1 >= W2 | N1 == lam*W1; N2 == lam*W2; N1 <= N2; lam > 0
""",
    "Pollaczek and Khinchine": """
= lam*m2/(2*(1 - rho)) >= lam*m**2/(2*(1 - rho)) | m2 >= m**2; lam > 0; 0 <= rho < 1
lam*m2/(2*(1 - rho)) >= lam*m**2/(2*(1 - rho)) | m2 >= m**2; lam > 0; rho >= 0; rho != 1
lam*m2/(2*(1 - rho)) >= lam*m**2/(2*(1 - rho)) | m2 <= m**2; lam > 0; 0 <= rho < 1
lam*m2/(2*(1 - rho)) > lam*m**2/(2*(1 - rho)) | m2 >= m**2; lam > 0; 0 <= rho < 1
lam*m2/(2*(1 - rho)) >= lam*m**2/(2*(1 - rho)) | m2 >= m**2; 0 <= rho < 1
lam*m2/(2*(1 - rho)) >= lam*m2/(1 - rho) | m2 > 0; lam > 0; 0 <= rho < 1
lam*m2/(2*(1 - lam*m)) >= 0 | m2 > 0; lam > 0; m > 0
= lam*m2/(2*(1 - lam*m)) >= 0 | m2 > 0; lam > 0; m > 0; lam*m < 1
lam*m2/(2*(1 - lam*m)) >= 0 | m2 > 0; lam > 0; m > 0; lam*m <= 1
lam*m2/(2*(1 - lam*m)) <= 0 | m2 > 0; lam > 0; m > 0; lam*m < 1
lam*m2/(2*(1 - lam*m)) >= 1 | m2 > 0; lam > 0; m > 0; lam*m < 1
lam*m2/(2*(1 + lam*m)) >= lam*m2/2 | m2 > 0; lam > 0; m > 0; lam*m < 1
""",
    "Erlang's loss": """
= a/(1 + a) < a | a > 0
a/(1 + a) < a | a >= 0
a/(1 + a) > a | a > 0
a/(1 + a) < a/2 | a > 0
a/(1 + a) < a | a > -1
= a**2/2/(1 + a + a**2/2) < a/(1 + a) | a > 0
a**2/2/(1 + a + a**2/2) > a/(1 + a) | a > 0
a**2/2/(1 + a + a**2/2) < a/(1 + a) | a >= 0
a**2/(1 + a + a**2) < a/(1 + a)/2 | a > 0
a**2/2/(1 + a + a**2/2) < a/(2 + a)/2 | a > 0
a**2/2/(1 + a + a**2/2) < a/(1 + a) | a > -1
a**2/2/(1 + a + a**2/2) == 1 - (1 + a)/(1 + a + a**2) | a > 0
""",
    "drift of a walk": """
= p*((x + 1)**2 - x**2) + (1 - p)*((x - 1)**2 - x**2) == 1 + 2*(2*p - 1)*x
p*((x + 1)**2 - x**2) + (1 - p)*((x - 1)**2 - x**2) == 1 - 2*(2*p - 1)*x
p*((x + 1)**2 - x**2) + (1 - p)*((x - 1)**2 - x**2) == 2*(2*p - 1)*x
p*((x + 1)**2 - x**2) - (1 - p)*((x - 1)**2 - x**2) == 1 + 2*(2*p - 1)*x
= 1 + 2*(2*p - 1)*x <= -1 | p <= 1/4; x >= 2
1 + 2*(2*p - 1)*x <= -1 | p <= 1/4; x >= 1
1 + 2*(2*p - 1)*x <= -1 | p <= 1/2; x >= 2
1 + 2*(2*p - 1)*x <= -1 | p >= 1/4; x >= 2
1 + 2*(2*p - 1)*x < -1 | p <= 1/4; x >= 2
p*(x + 1) + (1 - p)*(x - 1) < x | 0 <= p <= 1
p*(x + 1) + (1 - p)*Max(x - 1, 0) < x | 0 <= p < 1/2; x >= 0
""",
    "Lindley's recursion": """
= Max(w + s - t, 0) >= w + s - t
Max(w + s - t, 0) > w + s - t
Max(w + s - t, 0) >= w - s + t
Max(w + s - t, 0) <= w + s - t
Min(w + s - t, 0) >= w + s - t
= Max(v + s - t, 0) >= Max(w + s - t, 0) | v >= w
Max(v + s - t, 0) > Max(w + s - t, 0) | v > w
Max(v - s - t, 0) >= Max(w + s - t, 0) | v >= w
= Max(v + s - t, 0) - Max(w + s - t, 0) <= v - w | v >= w
Max(v + s - t, 0) - Max(w + s - t, 0) <= v - w
Max(v + s - t, 0) - Max(w + s - t, 0) == v - w | v >= w
Max(v + s - t, 0) - Max(w + s - t, 0) >= v - w | v >= w
""",
}

MEMORY = {
    "batches and blocks": """
= ceil(n/c)*c >= n | c > 0
ceil(n/c)*c >= n
ceil(n/c)*c >= n | c >= 0
ceil(n/c)*c > n | c > 0
floor(n/c)*c >= n | c > 0
= floor(M/k)*k <= M | k > 0
floor(M/k)*k <= M
floor(M/k)*k < M | k > 0
floor(M/k)*k >= M - 1 | k > 0
ceil(M/k)*k <= M | k > 0
ceil(n/c) <= n/c | c > 0
ceil(n/c) < n/c + 1/2 | c > 0
""",
    "what fits into the KV cache": """
= n*k <= M | n <= M/k; k > 0
n*k <= M | n <= M/k
n*k <= M | n <= M/k; k >= 0; n >= 0
n*k < M | n <= M/k; k > 0
n/k <= M | n <= M/k; k > 0
n*k >= M | n <= M/k; k > 0
= n*(a + b/2) <= n*(a + b) | n >= 0; a >= 0; b >= 0
n*(a + b/2) <= n*(a + b) | n >= 0; a >= 0
n*(a + b/2) <= n*(a + b) | a >= 0; b >= 0
n*(a + b/2) < n*(a + b) | n >= 0; a >= 0; b >= 0
n*(a + b/2) <= n*a | n >= 0; a >= 0; b >= 0
n*(a - b/2) >= n*(a + b) | n >= 0; a >= 0; b >= 0
""",
    "tokens of an output": """
= Sum(k, (k, 1, n)) == n*(n + 1)/2 | n in naturals
Sum(k, (k, 1, n)) == n*(n - 1)/2 | n in naturals
Sum(k, (k, 1, n)) == n**2/2 | n in naturals
Sum(k, (k, 1, n)) == n*(n + 1)/2 | n in integers
Sum(k, (k, 1, n)) == n*(n + 1)/2 | n >= 0
Sum(k, (k, 0, n - 1)) == n*(n + 1)/2 | n in naturals
Sum(k, (k, 2, n)) == n*(n + 1)/2 | n in naturals
Sum(k, (k, 1, n)) > n | n in naturals
= Sum(a + k, (k, 1, n)) == a*n + n*(n + 1)/2 | n in naturals
Sum(a + k, (k, 1, n)) == a + n*(n + 1)/2 | n in naturals
Sum(a*k, (k, 1, n)) == a*n + n*(n + 1)/2 | n in naturals
Sum(a + k, (k, 0, n)) == a*n + n*(n + 1)/2 | n in naturals
""",
    "iteration times": """
= T(b)/b >= T(c)/c | 0 < b <= c; al >= 0; be >= 0 | T(x) = al + be*x
T(b)/b >= T(c)/c | 0 <= b <= c; al >= 0; be >= 0 | T(x) = al + be*x
T(b)/b > T(c)/c | 0 < b <= c; al >= 0; be >= 0 | T(x) = al + be*x
T(b)/b >= T(c)/c | 0 < b <= c; be >= 0 | T(x) = al + be*x
T(b)/b <= T(c)/c | 0 < b <= c; al >= 0; be >= 0 | T(x) = al + be*x
T(b)/b >= T(c)/c | 0 < c <= b; al >= 0; be >= 0 | T(x) = al + be*x
= T(b) + T(c) == T(b + c) + al | al >= 0 | T(x) = al + be*x
T(b) + T(c) == T(b + c) | al >= 0 | T(x) = al + be*x
T(b) + T(c) == T(b + c) - al | al >= 0 | T(x) = al + be*x
T(b)*T(c) == T(b*c) + al | al >= 0 | T(x) = al + be*x
T(b) - T(c) == T(b - c) + al | al >= 0 | T(x) = al + be*x
T(b) <= T(b + c) | c >= 0; al >= 0 | T(x) = al + be*x
""",
    "work-conserving shares": """
= x1 + x2 <= C | x1 == C*w1/(w1 + w2); x2 == C*w2/(w1 + w2); w1 > 0; w2 > 0; C >= 0
x1 + x2 < C | x1 == C*w1/(w1 + w2); x2 == C*w2/(w1 + w2); w1 > 0; w2 > 0; C >= 0
x1 + x2 <= C/2 | x1 == C*w1/(w1 + w2); x2 == C*w2/(w1 + w2); w1 > 0; w2 > 0; C >= 0
x1 <= x2 | x1 == C*w1/(w1 + w2); x2 == C*w2/(w1 + w2); w1 > 0; w2 > 0; C >= 0
x1 - x2 >= C | x1 == C*w1/(w1 + w2); x2 == C*w2/(w1 + w2); w1 > 0; w2 > 0; C >= 0
w1/(w1 + w2) + w2/(w1 + w2) == 1
= w1/(w1 + w2) + w2/(w1 + w2) == 1 | w1 > 0; w2 > 0
w1/(w1 + w2) + w2/(w1 + w2) == 1 | w1 >= 0; w2 >= 0
w1/(w1 + w2) - w2/(w1 + w2) == 1 | w1 > 0; w2 > 0
w1/(w1 + w2)*w2/(w1 + w2) == 1/4 | w1 > 0; w2 > 0
w1/(w1 + w2) + w2/(w1 + w2) == 1 | w1 > 0; w2 < 0
w1/(w1 + w2) + w2/(w1 + w2) > 1 | w1 > 0; w2 > 0
""",
}

LOGARITHMS = {
    "log-moment bounds": """
= -log(1 - x) > x | 0 < x < 1
-log(1 - x) > x | 0 <= x < 1
-log(1 - x) > x | 0 < x <= 1
-log(1 - x) < x | 0 < x < 1
log(1 - x) > x | 0 < x < 1
-log(1 + x) > x | 0 < x < 1
= -log(1 - x) >= x + x**2/2 | 0 <= x < 1
-log(1 - x) >= x + x**2/2 | -1 < x < 1
-log(1 - x) >= x + x**2 | 0 <= x < 1
-log(1 - x) <= x + x**2/2 | 0 <= x < 1
-log(1 - x) > x + x**2/2 | 0 <= x < 1
-log(1 - x) >= x + x**2/2 + x**3/2 | 0 <= x < 1
""",
    "the threshold's function": """
= Psi(t) > 0 | 0 < t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
Psi(t) > 0 | 0 <= t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
Psi(t) > 0 | 0 < t <= 1 | Psi(t) = t/(1 - t) + log(1 - t)
Psi(t) < 0 | 0 < t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
Psi(t) > 0 | 0 < t < 1 | Psi(t) = t/(1 + t) + log(1 - t)
Psi(t) > t**2 | 0 < t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
= Psi(t) >= t**2/2 | 0 <= t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
Psi(t) <= t**2/2 | 0 <= t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
Psi(t) > t**2/2 | 0 <= t < 1 | Psi(t) = t/(1 - t) + log(1 - t)
= StrictlyIncreasing(Psi(t), t, And(0 < t, t < 1)) | | Psi(t) = t/(1 - t) + log(1 - t)
StrictlyDecreasing(Psi(t), t, And(0 < t, t < 1)) | | Psi(t) = t/(1 - t) + log(1 - t)
StrictlyIncreasing(Psi(t), t, And(0 < t, t <= 1)) | | Psi(t) = t/(1 - t) + log(1 - t)
""",
    "the logarithm's sign": """
= log(x) <= x - 1 | x > 0
log(x) < x - 1 | x > 0
log(x) <= x - 1
log(x) <= x - 1 | x >= 0
log(x) >= x - 1 | x > 0
log(x) <= x - 2 | x > 0
= log(x*y) == log(x) + log(y) | x > 0; y > 0
log(x*y) == log(x) + log(y) | x*y > 0
log(x*y) == log(x)*log(y) | x > 0; y > 0
log(x + y) == log(x) + log(y) | x > 0; y > 0
log(x/y) == log(x) + log(y) | x > 0; y > 0
log(x**2) == 2*log(x)
""",
    "exponentials": """
= exp(x) >= 1 + x
exp(x) > 1 + x
exp(x) >= 1 + 2*x
exp(-x) >= 1 + x
exp(x) >= 1 + x + x**2/2
= exp(-x) <= 1/(1 + x) | x >= 0
exp(-x) <= 1/(1 + x)
exp(-x) < 1/(1 + x) | x >= 0
exp(-x) >= 1/(1 + x) | x >= 0
exp(-x) <= 1/(1 + 2*x) | x >= 0
= exp(x + y) == exp(x)*exp(y)
exp(x + y) == exp(x) + exp(y)
exp(x*y) == exp(x)*exp(y)
""",
    "Lambert's function": """
= LambertW(x)*exp(LambertW(x)) == x | x >= 0
LambertW(x)*exp(LambertW(x)) == x
LambertW(x)*exp(LambertW(x)) == x | x >= -1
LambertW(x)*exp(-LambertW(x)) == x | x >= 0
LambertW(x)*log(LambertW(x)) == x | x > 0
LambertW(x, -1)*exp(LambertW(x, -1)) == x | x >= 0
= LambertW(-exp(-1)/2, -1) < -1
LambertW(-exp(-1)/2, -1) > -1
LambertW(-exp(-1)/2) < -1
LambertW(exp(-1)/2, -1) < -1
LambertW(-exp(1)/2, -1) < -1
LambertW(-1) < 0
""",
}

MOMENTS = {
    "Jensen's inequality": """
= (a*x + b*y)**2 <= a*x**2 + b*y**2 | a + b == 1; a >= 0; b >= 0
(a*x + b*y)**2 >= a*x**2 + b*y**2 | a + b == 1; a >= 0; b >= 0
(a*x + b*y)**2 < a*x**2 + b*y**2 | a + b == 1; a >= 0; b >= 0
(a*x + b*y)**2 <= a*x**2 + b*y**2 | a >= 0; b >= 0
(a*x + b*y)**2 <= a*x**2 + b*y**2 | a + b == 1; a >= 0
(a*x - b*y)**2 <= a*x**2 - b*y**2 | a + b == 1; a >= 0; b >= 0
= exp((x + y)/2) <= (exp(x) + exp(y))/2
exp((x + y)/2) >= (exp(x) + exp(y))/2
exp((x + y)/2) < (exp(x) + exp(y))/2
log((x + y)/2) <= (log(x) + log(y))/2 | x > 0; y > 0
1/((x + y)/2) >= (1/x + 1/y)/2 | x > 0; y > 0
""",
    "means": """
= (x + y)/2 >= sqrt(x*y) | x >= 0; y >= 0
(x + y)/2 >= sqrt(x*y)
(x + y)/2 > sqrt(x*y) | x >= 0; y >= 0
(x + y)/2 <= sqrt(x*y) | x >= 0; y >= 0
(x - y)/2 >= sqrt(x*y) | x >= 0; y >= 0
(x + y)/2 >= sqrt(x*y) | x <= 0; y <= 0
= 2/(1/x + 1/y) <= (x + y)/2 | x > 0; y > 0
2/(1/x + 1/y) <= (x + y)/2 | x >= 0; y >= 0
2/(1/x + 1/y) <= (x + y)/2
2/(1/x + 1/y) >= (x + y)/2 | x > 0; y > 0
2/(1/x - 1/y) <= (x + y)/2 | x > 0; y > 0
2/(1/x + 1/y) < (x + y)/2 | x > 0; y > 0
""",
    "variance and correlation": """
= (a*x + b*y)**2 <= (a**2 + b**2)*(x**2 + y**2)
(a*x + b*y)**2 >= (a**2 + b**2)*(x**2 + y**2)
(a*x + b*y)**2 < (a**2 + b**2)*(x**2 + y**2)
(a*x + b*y)**2 <= (a**2 - b**2)*(x**2 + y**2)
(a*x + b*y)**2 <= a**2*x**2 + b**2*y**2
(a*x + b*y)**2 <= (a + b)**2*(x + y)**2
= p*(1 - p) <= 1/4
p*(1 - p) < 1/4
p*(1 + p) <= 1/4
p*(1 - p) >= 0
p*(1 - p) <= 1/5 | 0 <= p <= 1
p*(1 - p) > 0 | 0 <= p <= 1
""",
    "probability vectors": """
= p*q <= 1/4 | p + q == 1
p*q < 1/4 | p + q == 1
p*q <= 1/4 | p + q <= 1
p*q >= 0 | p + q == 1
p*q*r <= 1/30 | p + q + r == 1; p >= 0; q >= 0; r >= 0
= p**2 + q**2 >= 1/2 | p + q == 1
p**2 + q**2 > 1/2 | p + q == 1
p**2 + q**2 >= 1/2 | p + q <= 1
p**2 - q**2 >= 1/2 | p + q == 1
p**2 + q**2 <= 1 | p + q == 1
p**2 + q**2 >= 1 | p + q == 1
""",
}
