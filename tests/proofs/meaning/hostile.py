"""Hostile statements: texts and declarations that a careless reader would misread.

Unicode look-alikes, odd declarations, definitions used as bound variables, infinity in odd places, numbers at the edge
of their grammar, captured and shadowed names, sizes at the limits.  Each is (let, where, goal).
"""

from __future__ import annotations

DECLARATIONS: list[str] = [
    '\xe9 in naturals', '\uff58 in naturals', '\u0445 in reals', "_x in naturals", 'x\xa0in\xa0naturals',
    "x in naturals,", "x,,y in reals", "in in naturals", "x in in", "x y in reals", "x, y in functions",
    "x in naturals integers", "x in Naturals", "2 in naturals", "x' in naturals", "x in functions", "oo in reals",
    "E in reals", "Pr in functions", "Var in functions", "exp in functions", "f, f in functions", "None in reals",
    "lambda in reals", '\xaa in reals', 'x\u200b in reals', 'x in\treals', 'x\nin\nreals', 'x in reals\u2028',
    "d in reals", "x in reals # c", "(x) in reals", "x in reals, integers", "(x in naturals)", "x in naturals > 0",
]
DEFINITIONS: list[str] = [
    '\uff46(x) = x', 'f(\uff58) = \uff58', 'f(x) = \u0445', "_f(x) = x", "f_(x) = x", "f (x) = x", "f( x ) = x",
    "f(x ) = x ", "f(x,) = x", "f(x) == x", "f(x)=x=x", "f = x = y", "f(x) = f(x)", "f(x) = oo", "f(x) = x*oo",
    "f = oo", "f = -oo", "f(E) = E", "E(x) = x", "Var(x) = x", "Pr = 1", "f(f) = f", "x = x",
    "f(x) = Sum(x, (k,1,oo))", "f(x) = limit(x,x,0)", "f(x) = (x, 1)", "f(x) = 'x'", "f(x)(y) = x", "f((x)) = x",
    "f(x, y) = x + y", "in = 3", "f(in) = in", "if(x) = x", "lambda = 3", "f(x)) = x", 'f(x) = "="', 'f(x\xa0) = x',
    "f[x] = x", "f(x):=x", "f(1) = 1", "f(-x) = x", "f(x) = x where x > 0", 'f(x) = x\n', '\xa0f = 1',
]
LET: list[str] = [
    "k = y", "n2 = 2", "g(u) = u + x", "h(u) = Sum(u, (i, 1, 0))", "c = sqrt(-1)", "s = x",
]
WITH_LET: list[str] = [
    "diff(y**2, k) == 2*y", "At(y**2, k, 3) == 9", "Sum(y, (k, 1, 2)) == 3", "diff(y**3, y, n2) == 6*y",
    "LambertW(y, n2) > 0", "limit(y, k, 0) == 0", "Exists(k, k > 0, k > 1)", "ForAll(y, y > 0, k > 0)",
    "ForAll(k, y > 0, y > 0)", "Increasing(y, k, y > 0)", "SequenceLimit(1/y, k, 0)", "BigO(y, y, k, 0)",
    "At(s, x, 3) == 3", "diff(s*x, x) == 2*x", "Sum(s, (x, 1, 2)) == 3", "Integral(s, (x, 0, x)) == x",
    "Integral(s*t, (t, 0, x)) == x", "g(1) == x + 1", "ForAll(x, x > 0, g(x) > 0)", "At(g(x), x, 2) == 4",
    "Sum(g(i), (i, 1, 2)) == 3 + 2*x", "h(c) == 0", "h(1/x) == 0", "h(h(1/x)) == 0", "At(h(x), x, 1/x) == 0",
    "At(At(h(x), x, y), y, sqrt(-1)) == 0", "Sum(h(1/i), (i, 0, 1)) == 0", "Integral(h(log(t)), (t, 0, 1)) == 0",
    "diff(h(sqrt(x)), x) == 0", "g() == 1", "g == 1", "g(1,2)==1", "c(1) == 1", "k() == 1", "limit(c, x, 0) == 1",
    "limit(x, x, c) == 17", "limit(u, u, g(1/x)) == 3", "c == c", "Or(c == c, 1 > 0)", "x == limit(t, t, s)",
    "limit(s, x, 0) == 0", "limit(x*t, t, 0) == s", "Max(c) == c", "exp(c)*0 == 0",
]
GOALS: list[str] = [
    "x > 0", "(x > 0) > (y > 0)", "Eq(x > 0, y > 0)", "And(x > 0) == And()", "And()", "Or()", "And(And())",
    "Implies(Or(), x > x)", "Implies(And(), Or())", "0 < x < (y < 1)", "(0 < x) + 1 > 0", "-(0 < x) > 0",
    "exp(x > 0) > 0", "x > 0,", "(x > 0,)", "((x > 0))", "(x, y) > 0", "x < y > z != w == v >= u",
    "x == limit(t, t, x) == x", "limit(t,t,1) == limit(t,t,1)", "limit(t,t,1) < 2", "2 > limit(t,t,1)",
    "limit(t,t,1) != 1", "limit(t,t,1) + 0 == 1", "(limit(t,t,1)) == 1", "1 == (limit(t,t,1))", "Eq(1, limit(t,t,1))",
    "Ne(1, limit(t,t,1))", "And(limit(t,t,1))", "Sum(1,(k,1,oo)) == oo", "oo == Sum(1,(k,1,oo))",
    "Sum(1,(k,1,oo)) == Sum(1,(k,1,oo))", "Sum(1,(k,1,oo)) == Sum(1,(k,1,3))", "Sum(1,(k,1,3)) == Sum(1,(k,1,oo))",
    "limit(t,t,1) == Sum(1,(k,1,oo))", "Sum(1,(k,1,oo)) == limit(t,t,1)", "Integral(0,(t,0,oo)) == 0",
    "Integral(0,(t,-oo,oo)) == 0", "Integral(t,(t,0,t)) == t**2/2", "Sum(k,(k,1,k)) == k",
    "Integral(x,(x,x,oo)) == 1", "Sum(2**-k,(k,k,oo)) == 1", "Sum(x,(k,1,oo)) > 0", "1 == Sum(0,(k,1,oo)) == 0",
    "-Sum(0,(k,1,oo)) == 0", "oo == oo", "oo > 1", "x == oo", "-oo < x", "limit(1/t,t,-oo) == 0",
    "limit(1/t,t,(-oo)) == 0", "limit(1/t,t,-(oo)) == 0", "limit(1/t,t,2*oo) == 0", "limit(1/t,t,+oo) == 0",
    "limit(1/t,t,oo+0)==0", "limit(1/t,t,--oo)==0", "limit(t,t,oo) == --oo", "limit(t,t,oo) == -(-oo)",
    "limit(t,t,oo) == 1*oo", "limit(t,t,0,'-+') == 0", "limit(t,t,0,'+ ') == 0", "limit(t,t,0,+) == 0",
    'limit(t,t,0,"+") == 0', "limit(t,t,0,'+-') == 0", "limit(t,t,0,1) == 0", "limit(t,t,0,'+','-') == 0",
    "limit(t,2,0) == 0", "limit(t,t+0,0) == 0", "limit(t,(t),0) == 0", "limit(t,t,t) == 0", "limit(t,t,0) == t",
    "BigO(t,t,t,t)", "BigO(t,t,t,0,'x')", "BigO(t,t,oo,0)", "SequenceLimit(n,n,-oo)", "SequenceLimit(n,n,oo)",
    "SequenceLimit(oo,n,oo)", "SequenceLimit(n,oo,0)", "limit(oo,t,0) == oo", "BigO(oo,t,t,0)", "Max(oo,1) > 0",
    "f(oo) > 0", "At(t,t,-oo) > 0", "diff(oo,oo) == 1", "ForAll(oo, oo > 0, 1 > 0)", "Sum(oo,(k,1,2)) == oo",
    "Sum(1,(oo,1,2)) == 2", "Sum(1,(k,oo,oo)) == 2", "Sum(1,(k,1,-oo))==0", "Integral(1,(x,oo,0)) == 0", "1e400 > 0",
    "1e401 > 0", "1e-400 > 0", "1.e5 == 100000", "1.5.5 > 0", "1..5 > 0", ".5 == 1/2", "5. == 5", "1e > 0", "1e+ > 0",
    "1E5 == 100000", "0x10 > 0", "1_000 == 1000", "1,000 > 0", "10 000 > 0", "1e5e5 > 0", "1.2e-3 == 0.0012",
    "007 == 7", "1e05 == 100000", "1e+05 == 100000", '\u0663 > 0', '\xb2 > 0', 'x\xb2 > 0', "1/2/3 == 1/6",
    "2/0 == 1", "x/2/0 == 1", "-2/3 == -(2/3)", "-1**2 == -1", "2**-1 == 1/2", "2**-1**2 == 1/2", "2*-1 == -2",
    "2--1 == 3", "+x == x", "2*+x == 2", "-+x == 1", "- -x == x", "x*4/2 == 2*x", "4/2*x == 2*x", "4/x/2 == 2/x",
    "4/2/x == 2/x", "x/4/2 == x/8", "1e400**1e400 > 0", "9**9**9**9 > 0", "0**0 == 1", "0**-0 == 1", "-0 == 0",
    "0*oo == 0", "x**1e400 > 0", "1e-5 == 0.00001", "1e0.5 > 0", "1e5.0 > 0", ".e5 > 0", ". > 0", "1.2.3.4 > 0",
    "1.x > 0", "1.(x) > 0", "1(x) > 0", "(1)(x) > 0", "x(1) > 0", "x (1) > 0", "exp (x) > 0", 'exp\n(x) > 0',
    "exp(x,) > 0", "exp(,) > 0", "exp(,x) > 0", "exp(x,,) > 0", "Max(x,y,) >= x", "Max() > 0", "Max(x) == x",
    "Min(x, y, 3, 4) <= x", "floor() > 0", "exp((x,)) > 0", "exp((x,y)) > 0", "Sum(x,(x,1,2),) == 3",
    "Sum(x,((x,1,2))) == 3", "Sum((x),(x,1,2)) == 3", "Sum(x,(x,1,(2))) == 3", "Sum(x,(x,1,2,3)) == 3",
    "Sum(x,(x,1)) == 3", "Sum(x,(x)) == 3", "Sum(x,((x),1,2)) == 3", "Sum(x,(x+0,1,2)) == 3",
    "Sum((x,1,2),(x,1,2)) == 3", "Sum(x > 0,(x,1,2)) == 3", "Sum(x,(x,1 > 0,2)) == 3", "Sum(x,(x,(1,2),2)) == 3",
    "x == 'x'", "'x' == 'x'", 'x > "0"', "'", '"', "x > 0'", "x' > 0", "x'' > 0", "d' > 0", "x > 0;",
    "x > 0 and y > 0", "not x > 0", "x >= > 0", "x = 0", "x === 0", "x <> 0", "x =< 0", "x => 0", "x ! = 0", "x !=0",
    "x!=0", 'x\u22650', 'x \u2260 0', 'x\u22121 > 0', 'x \xd7 2 > 0', "2 x > 0", "x y > 0", "|x| > 0", "x! > 0",
    "x% > 0", "{x} > 0", "[x] > 0", 'x\\y > 0', "x//y > 0", "x***2 > 0", "x* *2 > 0", "x^2 > 0", "x^-2 > 0",
    "x**-y**2 > 0", "x**+2 > 0", "x@y > 0", "x:y > 0", "lambda x: x > 0", "True", "False", "None > 0", '\x00 > 0',
    'x\x00 > 0', 'x\x1c> 0', 'x\u3000> 0', '\ufeffx > 0', 'x > 0\u2028', 'x\x85> 0', "ForAll(x, x > 0, x > 0, x > 0)",
    "ForAll(x, x > 0)", "ForAll(x > 0, x > 0)", "ForAll(2, x > 0, x > 0)", "ForAll((x), x > 0, x > 0)",
    "ForAll(x+0, x > 0, x > 0)", "ForAll((x,y), x > 0, y > 0)", "ForAll(x, 1, x > 0)", "Exists(x, x > 0, 1)",
    "Exists(E, E > 0, E > 0)", "Exists(exp, exp > 0, exp > 0)", "Exists(f, f > 0, f > 0)",
    "Exists(x, Exists(x, x > 0, x < 1), x < 0)", "ForAll(x, Exists(x, x > 0, x < x), x < x)",
    "ExistsUnique(x, ExistsUnique(x, x == 1, x == 1), x == 2)",
    "ExistsUnique(y, y > 0, ExistsUnique(x, x > y, x == y + 1))",
    "ExistsUnique(y, Increasing(x*y, x, x > 0), y == 0)", "Increasing(Sum(x, (x, 1, 2)), x, x > 0)",
    "Increasing(y, x, x > 0)", "Increasing(x, x, y > 0)", "Increasing(x, y, x > 0)",
    "Convex(x*y, x, Convex(x*y, y, x*y > 0))", "Convex(diff(x**2,x), x, x > 0)", "Convex(At(x, x, 3), x, x > 0)",
    "StrictlyConvex(Integral(x, (x, 0, x)), x, x > 0)", "StrictlyIncreasing(Sum(x, (k, 1, 3)), x, x > 0)",
    "Increasing(x, x, limit(x*t, t, 0) == 0)", "Increasing(x, x, limit(t, t, 1/x) == 0)",
    "Convex(x, x, limit(t, t, 1/x) == x)", "Increasing(x, x, BigO(t, t, t, x))",
    "ForAll(d, d > 0, limit(t, t, d) == d)", "ForAll(e, e > 0, limit(t, t, e) == e)", "limit(d, d, e) == e",
    "limit(e*d, d, e) == e**2", "limit(m, m, oo) == oo", "limit(c*b, b, d) == c*d", "BigO(c, c, c, d)",
    "BigO(c*x, x, x, c)", "SequenceLimit(1/d, d, 0)", "Sum(d**-b, (b, 1, oo)) == e", "Integral(b, (b, 0, oo)) == oo",
    "Integral(x, (b, 0, oo)) == oo", "diff(x) == 1", "diff(x, x, 0) == x", "diff(x, x, 1) == 1", "diff(x, x, 6) == 0",
    "diff(x, x, 7) == 0", "diff(x, x, 1.5) == 0", "diff(x, x, -1) == 0", "diff(x, x, n) == 0", "diff(x, x, 4/2) == 0",
    "diff(x, x, 2**1) == 0", "diff(x, x, (2)) == 0", "diff(x, 2) == 0", "diff(x, x*y) == 0", "diff(x, y) == 0",
    "diff(x, x, y) == 0", "diff(x > 0, x) == 0", "diff(x**2, x, 1, 1) == 2*x", "LambertW(x, 1) > 0",
    "LambertW(x, 0) == LambertW(x)", "LambertW(x, -1) < 0", "LambertW(x, -1.0) < 0", "LambertW(x, 1-2) < 0",
    "LambertW(x, y) < 0", "LambertW(x, -(1)) < 0", "LambertW(x, 0/1) < 0", "Integer(x > 0)", "Natural(x, y)",
    "Integer()", "Implies(x > 0)", "Implies(x > 0, x > 0, x > 0)", "And(x > 0, x)", "Gt(x, y, z)", "Gt(x)",
    "Eq(x, 0)", "Eq(0, x)", "Ne(x, 0)", "Le(x, 0)", "Lt(x, 0)", "Ge(x, 0)", "Gt(x, 0)", "x > 0.0", "x > -0",
    "x > 0/1", "0 < 0", "0 > 0", "x >= 1-1", "And(x > 0, And(y > 0, z > 0), Or())",
    "Or(And(x > 0, y > 0), 0 < z < 1)", "Exists(x, And(), And())", "Exists(x, Or(), And())", "ForAll(x, Or(), Or())",
    "And(x in naturals)", "ForAll(x, x in reals, x**2 >= 0)", "Exists(x, x in integers, x > y)", "And(oo in reals)",
    "And(x in naturals > 0)", "And(x in functions)", "And(f in naturals)", "And(pi in reals)", "And(x in)",
    "And(in in in)", "And(x + 1 in naturals)", "And(x in naturals integers)", "And(x in 'naturals')",
    "And(x 'in' reals)", "x in reals",
    "log(x in reals) > 0", "Sum(x, (x in reals, 0, 1)) > 0", "(x in naturals)", "f(x in naturals) > 0",
    "f(x) > 0", "Or(x > 0, y > 0)", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx > 0",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx > 0",
]
CONDITIONS: list[list[str]] = [
    ["x > 0", "x > 0", "And(x > 0, y > 0)"],
    ["And()"],
    ["Or()"],
    ["And(And(And(x > 0)))"],
    ["x > 0 > y"],
    ["x"],
    [""],
    [" "],
    ["x > 0, y > 0"],
    ["limit(t,t,x) == 0"],
    ["limit(t,t,1/x) == 0"],
    ["Or(x > 0, 1/x > 0)"],
    ["0 < x < y < 1"],
    ["ForAll(t, t > 0, x > t)"],
    ["f in functions", "f(x) > 0"],
    ["f(x) > 0", "f in functions"],
    ["x > oo"],
    ["x == oo"],
    ["not x"],
    ["x == limit(t,t,0)"],
    ["1 == 1"],
    ["Exists(x, x > 0, x > y)"],
    ["E > 0"],
    ["Pr(x) > 0"],
]
SIZES: list[str] = [
    *(f"Max({', '.join(['x']*n)}) > 0" for n in (140, 155, 310, 390, 500)),
    *(f"Min({', '.join(['x']*n)}) > 0" for n in (60, 100, 120)),
    *("+".join(["x"]*n) + " > 0" for n in (400, 401, 1000)), "*".join(["x"]*500) + " > 0", " < ".join(["x"]*500),
    f"And({', '.join(['x > 0']*3000)})", "/".join(["x"]*300) + " > 0", *("x"*n + " > 0" for n in (41, 42, 500))]


def statements() -> list[tuple[list[str], list[str], str]]:
    """Each text where it belongs: (let, where, goal)."""
    functions = ["f in functions"]
    found: list[tuple[list[str], list[str], str]] = [([], [d], "x > 0") for d in DECLARATIONS]
    for d in DEFINITIONS:
        found += [([d], [], "x > 0"), ([d], [], "f(x) > 0"), ([d], functions, "f(1/x) > 0")]
    found += [(LET, [], g) for g in WITH_LET]
    found += [([], functions, g) for g in [*GOALS, *SIZES]]
    found += [([], [*c, *more], g) for c in CONDITIONS for more in ([], ["x > 0"]*58) for g in ("x > 0", "f(x) > 0")]
    return found


# Terms without a value, and statements that would be true but for such a term in one slot of one notation.
UNDEFINED = ["sqrt(-1)", "1/0", "log(0)", "LambertW(-1)", "0**(-1)", "(-2)**(1/2)", "Sum(1, (j, 1, 1/2))", "c",
             "h(sqrt(-1))", "log(-a**2)"]
SLOT_LET = ["c = sqrt(-1)", "h(u) = Sum(u, (i, 1, 0))", "k(u, v) = u + Sum(v, (i, 1, 0))",
            "z(u) = Integral(u*v, (v, 1, 1))", "p(u) = u**0", "o(u) = 0*u"]
SLOTS = [
    "limit(x, x, {}) == 17", "limit(x, x, {}) == {}", "limit(1, x, {}) == 1", "limit(x, x, {}, '+') == 3",
    "limit(x, x, {}, '-') == 3", "3 == limit(x, x, {})", "Eq(limit(5, x, {}), 5)", "limit(x, x, 0) == {}",
    "limit(1/x, x, oo) == {}", "SequenceLimit(1/n, n, {})", "SequenceLimit({}, n, 0)", "limit({}, x, 0) == 0",
    "limit({}*x, x, 0) == 0", "BigO(x, x**2, x, {})", "BigO(1, 1, x, {}, '+')", "BigO({}, 1, x, 0)",
    "BigO(0, {}, x, 0)", "Integral(0, (x, {}, oo)) == 0", "Sum(0, (n, {}, oo)) == 0", "Integral(0, (x, 0, oo)) == {}",
    "Sum(0, (n, 0, oo)) == {}", "Integral({}, (x, 0, oo)) == 0", "Sum({}, (n, 0, oo)) == 0",
    "Sum({}, (n, 1, 2)) == 0", "Sum(0, (n, {}, 2)) == 0", "Sum(0, (n, 1, {})) == 0", "Integral({}, (x, 1, 1)) == 0",
    "Integral(0, (x, {}, 1)) == 0", "Integral(0, (x, 0, {})) == 0", "diff({}*x, x) == 0", "diff({}, x) == 0",
    "diff(x**0 + {}, x, 2) == 0", "At(x - x, x, {}) == 0", "At(Sum(x, (i, 1, 0)), x, {}) == 0",
    "At(Integral(x*y, (y, 1, 1)), x, {}) == 0", "At(diff(5*x, x), x, {}) == 5", "At(x**0, x, {}) == 1",
    "At(At(Sum(x, (i, 1, 0)), x, y), y, {}) == 0", "h({}) == 0", "h(h({})) == 0", "k(1, {}) == 1", "k({}, 1) == {}",
    "z({}) == 0", "p({}) == 1", "o({}) == 0", "h(0*{}) == 0", "Sum(h({}), (l, 1, 2)) == 0", "f({}) == f({})",
    "f(h({})) == f(0)", "exp({})*0 == 0", "Max(1, {}) >= 1", "Min(1, {}) <= 1", "Abs({}) >= 0", "floor({}) <= {}",
    "ceiling({}) >= {}", "{} == {}", "{} <= {}", "0*{} == 0", "({})**0 == 1", "{} - {} == 0", "{}/{} == 1",
    "0 < {} + 1 - {} < 2", "Or(1 > 0, {} > 0)", "Or({} != {}, 1 > 0)", "And(1 > 0, {} == {})",
    "Implies(1 > 0, {} == {})", "Or(1 > 0, limit(x, x, {}) == 1)", "Or(1 > 0, BigO(x, x, x, {}))",
    "Or(1 > 0, SequenceLimit(1/n, n, {}))", "Or(1 > 0, Sum(0, (n, {}, oo)) == 0)", "Or(1 > 0, h({}) == 0)",
    "ForAll(x, x > 0, {} == {})", "ForAll(x, x > 0, limit(y, y, {}) == x)", "Exists(x, x > 0, {} == {})",
    "Exists(x, {} == {}, x > 0)", "ExistsUnique(x, x == 1, {} == {})", "ExistsUnique(x, x == {}, 1 > 0)",
    "Increasing({}, x, x > 0)", "Increasing(x + {}, x, x > 0)", "Convex({}*x, x, x > 0)",
    "StrictlyDecreasing(-x + 0*{}, x, x > 0)", "Concave(h({}), x, x > 0)", "Integer({})", "Integer({} - {})",
    "Natural(0*{})", "Ne({}, 1)", "Ge({}, {})",
]
