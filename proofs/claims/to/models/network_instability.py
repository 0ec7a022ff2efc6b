"""A Rybko-Stolyar network of two engines, below load 1 at both, whose tokens grow without bound on almost every path.

Budget 1 and one slot a batch: a token is loaded wherever one can be, so that each work-conserving rule is an order
among tokens, here the priority that Section 4.3 prints: the long visits, type B's at engine 1 and type A's at engine 2,
come first. While one of the long classes has tokens, the other one gets none; both have tokens only where both types
end a short visit in the same slot with nothing long there, and then for type B's w_B slots at most.
"""

from __future__ import annotations

from collections.abc import Mapping

from qtheory.proofs.claims.axioms import Theorem, Use

from .instability import HALF, IID, grown, grows, slots

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
    **dict.fromkeys(SIZES[2:5], "l. 298, an instance: the tokens of a visit, all of one size, with one for each phase "
                                "at least (l. 77)"),
    "w_A >= w_B": "an instance: type A has the longer long visit",
    **dict.fromkeys(LOADS, "(4.3)'s condition, l. 290, of this network: rho < 1 at each engine, and b/t_b = 1"),
    VIRTUAL: "an instance: more than one slot's work arrives a slot for the two long visits, of which an engine each "
             "serves one", ETA: HALF,
    FLOW: "l. 298 and l. 143 to 150: A(l) and B(l) are the requests that wait for their short visit, or are in it, at "
          "engines 1 and 2; f(l) and g(l) end it in slot l and go to the other engine, where U(l) and V(l) are the "
          "tokens of the long visits, of which x(l) and y(l) are loaded",
    CONTENT: "numbers of requests and of tokens",
    ONE: "(2.5d), l. 137, with b = 1 and t_b = 1: a slot loads one token, and ends one visit at most",
    PRIORITY: "l. 316: engine 1 gives priority to type B, engine 2 to type A, and a full batch, one token, is theirs "
              "alone; work-conserving (2.6)",
    OVERLAP: "a definition: v(l) is 1 where U(l) is not 0, and o(l) is V(l) there"}
THEOREM = Theorem(
    ("a, z, f, g, x, y, A, B, U, V, o, v in functions", *SIZES, *LOADS, VIRTUAL, ETA, FLOW, CONTENT, ONE, PRIORITY,
     OVERLAP),
    ("l_A", "l_B", "s_A", "s_B", "w_A", "w_B", "eta"),
    (Use("strong-law", {"draw(l)": CAME, "mean": MEAN},
         {"iid": f"a(l) and z(l) are the requests of types A and B, and this is a function of them, {IID}",
          "mean": "by (2.2), l. 83, by type"}),),
    ("share = 1/w_A",), grows(TOKENS))
OWN_NETWORK = grown(THEOREM, SOURCES)
