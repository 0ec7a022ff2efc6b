"""A Rybko-Stolyar network of two engines, below load 1 at both, whose tokens grow without bound on almost every path.

Budget 1 and one slot a batch: a token is loaded wherever one can be, so that each work-conserving rule is an order
among tokens, here the priority that Section 4.3 prints: the long visits, type B's at engine 1 and type A's at engine 2,
come first. While one of the long classes has tokens, the other one gets none; both have tokens only where both types
end a short visit in the same slot with nothing long there, and then for type B's w_B slots at most.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.claims.axioms import STRONG_LAW, Step, Theorem, Use

from .instability import HALF, IID, Shown, after, at_each, each, grows, lemma, since_first, slots, total

CAME = "(w_A - w_B)*a(l) + w_B*z(l)"
MEAN = "(w_A - w_B)*l_A + w_B*l_B"
SIZES = ("l_A >= 0", "l_B >= 0", "s_A >= 2", "s_B >= 2", "w_B >= 2", "w_A >= w_B")
LOADS = ("l_A*s_A + l_B*w_B < 1", "l_A*w_A + l_B*s_B < 1")
VIRTUAL = f"{MEAN} > 1"
ETA = f"2*eta == {MEAN} - 1"
FLOW = slots("A(l + 1) == A(l) + a(l) - f(l)", "B(l + 1) == B(l) + z(l) - g(l)",
             "U(l + 1) == U(l) + w_A*f(l) - x(l)", "V(l + 1) == V(l) + w_B*g(l) - y(l)")
CONTENT = slots("A(l) >= 0", "B(l) >= 0", "U(l) >= 0", "V(l) >= 0")
ONE = slots("Or(f(l) == 0, f(l) == 1)", "Or(g(l) == 0, g(l) == 1)")
PRIORITY = slots("Or(And(V(l) >= 1, y(l) == 1, f(l) == 0), And(V(l) == 0, y(l) == 0))",
                 "Or(And(U(l) >= 1, x(l) == 1, g(l) == 0), And(U(l) == 0, x(l) == 0))")
OVERLAP = slots("Or(And(U(l) == 0, v(l) == 0), And(U(l) >= 1, v(l) == 1))", "o(l) == V(l)*v(l)")
TOKENS = "A(n + 1) + U(n + 1) + B(n + 1) + V(n + 1)"
SOURCES: Mapping[str, str] = {
    **dict.fromkeys(SIZES[:2], "l. 310 and (2.2), l. 83: requests of a type a slot, in the mean"),
    **dict.fromkeys(SIZES[2:5], "l. 296, an instance: the tokens of a visit, all of one size, with one for each phase "
                                "at least (l. 77)"),
    "w_A >= w_B": "an instance: type A has the longer long visit",
    **dict.fromkeys(LOADS, "(4.3)'s condition, l. 290, of this network: rho < 1 at each engine, and b/t_b = 1"),
    VIRTUAL: "an instance: more than one slot's work arrives a slot for the two long visits, of which an engine each "
             "serves one", ETA: HALF,
    FLOW: "l. 296 and l. 143 to 150: A(l) and B(l) are the requests that wait for their short visit, or are in it, at "
          "engines 1 and 2; f(l) and g(l) end it in slot l and go to the other engine, where U(l) and V(l) are the "
          "tokens of the long visits, of which x(l) and y(l) are loaded",
    CONTENT: "numbers of requests and of tokens",
    ONE: "(2.5d), l. 137, with b = 1 and t_b = 1: a slot loads one token, and ends one visit at most",
    PRIORITY: "l. 316: engine 1 gives priority to type B, engine 2 to type A, and a full batch, one token, is theirs "
              "alone; work-conserving (2.6)",
    OVERLAP: "a definition: v(l) is 1 where U(l) is not 0, and o(l) is V(l) there"}
WEIGHED = "((w_A - w_B)*A({0}) + w_B*B({0}) + U({0}) + V({0}))"
NOW, NEXT, LAST, FIRST = (WEIGHED.format(at) for at in ("l", "l + 1", "n + 1", "1"))
THEOREM = Theorem(
    ("a, z, f, g, x, y, A, B, U, V, o, v in functions", *SIZES, *LOADS, VIRTUAL, ETA, FLOW, CONTENT, ONE, PRIORITY,
     OVERLAP),
    ("l_A", "l_B", "s_A", "s_B", "w_A", "w_B", "eta"),
    (Use("strong-law", {"draw(l)": CAME, "mean": MEAN},
         {"iid": f"a(l) and z(l) are the requests of types A and B, and this is a function of them, {IID}",
          "mean": "by (2.2), l. 83, by type"}),),
    ("share = 1/w_A",), grows(TOKENS))
ENDS = ("w_B >= 2", "w_A >= w_B")
STEPS: Mapping[str, Step] = {
    "excess": lemma("eta > 0", ETA, VIRTUAL),
    "share": lemma("And(share > 0, share*w_A == 1)", *ENDS),
    "least": each(OVERLAP, goal=slots("Min(U(l), 1) == v(l)")),
    "least then": lemma(slots("Min(U(l + 1), 1) == v(l + 1)"), "least"),
    "product": each(OVERLAP, goal=slots("o(l) == V(l)*v(l)")),
    "product then": lemma(slots("o(l + 1) == V(l + 1)*v(l + 1)"), "product"),
    "here": each(OVERLAP, goal=slots("Or(And(U(l) == 0, o(l) == 0), And(U(l) >= 1, o(l) == V(l)))")),
    "content then": lemma(slots("A(l + 1) >= 0", "B(l + 1) >= 0", "U(l + 1) >= 0", "V(l + 1) >= 0"), CONTENT),
    "marked": each("content then", "least then", goal=slots("v(l + 1) >= 0", "v(l + 1) <= 1", "v(l + 1) <= U(l + 1)")),
    "there": each("content then", "product then", "marked", goal=slots("o(l + 1) <= V(l + 1)", "o(l + 1) >= 0")),
    "there, empty": each("content then", "product then", "marked", split=("U(l + 1)",),
                         goal=slots("Or(U(l + 1) > 0, o(l + 1) == 0)")),
    "loaded": each(FLOW, ONE, PRIORITY, "here", "there", "there, empty", *ENDS,
                   goal=slots("x(l) + y(l) - 1 <= o(l) - o(l + 1) + w_B*f(l)")),
    "slot": each(FLOW, "loaded", goal=slots(f"{NEXT} - o(l + 1) >= {NOW} - o(l) + ({CAME}) - 1")),
    "slots": lemma(after(f"{LAST} - o(n + 1) >= {FIRST} - o(1) + {total(CAME)} - n"), "slot"),
    "at the end": lemma(after("And(A(n + 1) >= 0, B(n + 1) >= 0, U(n + 1) >= 0, V(n + 1) >= 0)"), "content then"),
    "overlap at the end": lemma(after("o(n + 1) >= 0"), "there"),
    "at the start": lemma(f"{FIRST} >= 0", CONTENT, *ENDS),
    "overlaps": each("here", CONTENT, goal=slots("o(l) >= 0")),
    "first overlap": lemma("o(1) >= 0", "overlaps"),
    "weights": each("at the end", *ENDS, goal=after(f"{LAST} <= w_A*({TOKENS})")),
    "weighed": each("slots", "at the start", "overlap at the end", "weights",
                    goal=after(f"w_A*({TOKENS}) >= {total(CAME)} - n - o(1)")),
    "tokens": each("weighed", *ENDS, goal=after(f"{TOKENS} >= share*({total(CAME)} - n - o(1))")),
    "conclusion": Step(
        given=("excess", "tokens", "share", "first overlap", "w_B >= 2", "w_A >= w_B", ETA, STRONG_LAW.conclusion),
        near="eta", level="Max(N0, (w_A*h + o(1) + 1)/eta)",
        through=("n >= N0", "n >= 1", f"{total(CAME)} >= (mean - eta)*n", "(mean - eta)*n - n == eta*n",
                 "n >= (w_A*h + o(1) + 1)/eta", "eta*n >= w_A*h + o(1) + 1",
                 f"{total(CAME)} - n - o(1) >= w_A*h + 1",
                 f"share*({total(CAME)} - n - o(1)) >= share*(w_A*h + 1)", "share*(w_A*h + 1) == h + share"))}
INSTANCE = ("low = 12/25", "high = 22212/25", "l_A = 1/1000", "l_B = 1/25", "s_A = 2", "s_B = 2", "w_A = 900",
            "w_B = 12", "eta = 23/125", "a(l) = (coin(l) - 12/25)/888", "z(l) = 1/25 + 0*l",
            *(f"{x}(l) = 0*l" for x in "fgxyUVov"), "A(1) = 0; A(l + 1) = A(l) + a(l)",
            "B(1) = 0; B(l + 1) = B(l) + z(l)")
MET = {"at engine 1": since_first("A(l) >= 0"), "at engine 2": since_first("B(l) >= 0"),
       **at_each(FLOW, CONTENT, ONE, PRIORITY, OVERLAP)}
OWN_NETWORK = Shown(THEOREM, STEPS, INSTANCE, MET, SOURCES).model
