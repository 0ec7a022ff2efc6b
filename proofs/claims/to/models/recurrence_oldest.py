"""Positive recurrence under (K_p, K_d)-FCFS, whatever the rule among the K_p and K_d oldest requests."""

from __future__ import annotations

from dataclasses import replace

from qtheory.proofs.chains import each

from .recurrence import (
    LOADS_ALL,
    SQUARES,
    SQUARES_SOURCES,
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
    "K_d >= b": "added: the class has no work-conserving algorithm for K_d < b, to.sec-2.3.kfcfs-empty",
    "K_p >= b": "added: the class has no work-conserving algorithm for K_p < b, to.sec-2.3.kfcfs-empty"}
GIVEN = ("yd, yp in functions", "K_d >= b", "K_p >= b")
BELOW = "Or(k == 0, And(k == 1, r <= 0, S < b))"

CHOICES = (*(w for w in SQUARES.chain.choices if w != LOADS_ALL), *(w for w in SOURCES if w not in GIVEN))
CHAIN = replace(SQUARES.chain, functions=(*SQUARES.chain.functions, "yd, yp in functions"), choices=CHOICES,
                given=(*SQUARES.chain.given, *GIVEN[1:]))

OF_THE_OLDEST = recurrent(
    replace(SQUARES, chain=CHAIN, parameters=(*SQUARES.parameters, "K_p", "K_d")), {**SQUARES_SOURCES, **SOURCES})
