"""Positive recurrence under (K_p, K_d)-FCFS, whatever the rule among the K_p and K_d oldest requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qtheory.proofs.chains import each
from qtheory.proofs.claims.axioms import Step

from .recurrence import (
    BATCH,
    FEASIBLE,
    INSTANCE,
    LOADS_ALL,
    MARK,
    RATES,
    SLOT,
    SQUARES,
    SQUARES_SOURCES,
    SQUARES_STEPS,
    recurrent,
    total,
)

AMONG = each("Or(yd(i) == 0, And(yd(i) == 1, p(i) == 0))", "Or(yp(i) == 0, And(yp(i) == 1, p(i) >= 1))")
MANY_Y, MANY_W = f"Yd == {total('yd(i)')}", f"Wp == {total('yp(i)')}"
OLDEST = each("Or(Yd >= K_d, yd(i) == 1 - u(i))", "Or(Wp >= K_p, yp(i) == u(i))")
RULE = each("Or(r > 0, S == b, And(Or(yd(i) == 0, dd(i) == 1), Or(yp(i) == 0, dp(i) == p(i))))")
SOURCES = {
    "yd, yp in functions": "l. 174: yd(i) is 1 for the K_d oldest that decode, yp(i) for the K_p oldest others",
    AMONG: "l. 174: the phase of each of them", MANY_Y: "their number", MANY_W: "their number",
    OLDEST: "l. 174: there are K_f of them, or all requests of the phase are among them",
    RULE: "l. 174, 'tokens can be selected in any rule', and work-conserving, l. 164: the batch is full, or it has all "
          "tokens of these requests that can be loaded (added)",
    "K_d >= b": "added: the class has no work-conserving algorithm for K_d < b, to.sec-2.3.kfcfs-values.any",
    "K_p >= b": "added: the class has no work-conserving algorithm for K_p < b, to.sec-2.3.kfcfs-values.any"}
GIVEN = ("yd, yp in functions", "K_d >= b", "K_p >= b")
BELOW = "Or(k == 0, And(k == 1, r <= 0, S < b))"
STEPS: Mapping[str, Step] = {
    "formed": Step(BELOW, (SLOT,)),
    "of the oldest": Step(each("k*(dp(i) + dd(i)) >= k*(yd(i) + yp(i))"), ("formed", AMONG, FEASIBLE, RULE),
                          pointwise=True),
    "of the oldest in all": Step(f"k*{total('dp(i) + dd(i)')} >= k*{total('yd(i) + yp(i)')}",
                                 ("of the oldest", "q in naturals")),
    "signs": Step(each("yd(i) >= 0"), (AMONG,), pointwise=True),
    "other signs": Step(each("yp(i) >= 0"), (AMONG,), pointwise=True),
    "some": Step("Yd >= 0", ("signs", MANY_Y, "q in naturals"), hint={"lemmas": (f"{total('yd(i)')} >= 0",)}),
    "others": Step("Wp >= 0", ("other signs", MANY_W, "q in naturals"), hint={"lemmas": (f"{total('yp(i)')} >= 0",)}),
    "apart": Step(f"{total('yd(i) + yp(i)')} == {total('yd(i)')} + {total('yp(i)')}", ("q in naturals",)),
    "fewer": Step("k*S >= k*(Yd + Wp)", ("of the oldest in all", "apart", BATCH, MANY_Y, MANY_W)),
    "few": Step("Or(k == 0, And(k == 1, r <= 0, S < b, Yd < b, Wp < b))", ("formed", "fewer", "some", "others")),
    "all": Step(each("Or(k == 0, And(k == 1, r <= 0, S < b, yd(i) == 1 - u(i), yp(i) == u(i)))"),
                ("few", OLDEST, "K_d >= b", "K_p >= b"), pointwise=True),
    LOADS_ALL: Step(LOADS_ALL, ("all", RULE, MARK, FEASIBLE), pointwise=True),
    **SQUARES_STEPS}

CHOICES = (*(w for w in SQUARES.chain.choices if w != LOADS_ALL), *(w for w in SOURCES if w not in GIVEN))
CHAIN = replace(SQUARES.chain, functions=(*SQUARES.chain.functions, "yd, yp in functions"), choices=CHOICES,
                given=(*SQUARES.chain.given, *GIVEN[1:]))

OF_THE_OLDEST = recurrent(
    replace(SQUARES, chain=CHAIN, parameters=(*SQUARES.parameters, "K_p", "K_d")), STEPS, {**SQUARES_SOURCES, **SOURCES},
    (*RATES, *INSTANCE, "yd(i) = 1 + 0*i", "yp(i) = 0*i", "Yd = 2", "Wp = 0", "K_d = 2", "K_p = 2"))
