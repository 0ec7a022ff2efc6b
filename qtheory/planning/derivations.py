"""The Lyapunov functions of the fluid model as derivations, for two classes: each step by both checkers.

Source: arXiv:2602.02987v1, EC.3.2 and EC.6. With two classes every sum is written out; the steps are those of the
paper's proofs, from the flow balances and the rates (4).
"""

from __future__ import annotations

from qtheory.proofs.derivation import Derivation

RATES = ("mp1 = C/(P1*tau)", "mp2 = C/(P2*tau)", "mm1 = 1/(D1*tau)", "mm2 = 1/(D2*tau)", "ms1 = gamma/D1",
         "ms2 = gamma/D2", "kappa = gamma*tau")
POSITIVE = ("C", "P1", "P2", "D1", "D2", "tau", "gamma")
STATE = ("x1", "x2", "q1", "q2", "ym1", "ym2", "ys1", "ys2", "theta1", "theta2")


def decode_work() -> Derivation:
    """W_d = sum of (q_d + y_m + y_s)/mu_m: its drift (EC.12), and that it falls while anybody waits (Lemma EC.6)."""
    d = Derivation("The decode work W_d is a Lyapunov function", budget=5.0)
    for name in POSITIVE:
        d.symbol(name, f"{name} > 0")
    for name in STATE:
        d.symbol(name, f"{name} >= 0")
    for name in ("u1", "u2", "v1", "v2"):  # admissions to mixed and solo slots, of whatever size
        d.symbol(name)
    d.let(*RATES)
    d.let("dW = ((mp1*x1 - u1 - v1 - theta1*q1) + (u1 - mm1*ym1) + (v1 - ms1*ys1))/mm1"
          " + ((mp2*x2 - u2 - v2 - theta2*q2) + (u2 - mm2*ym2) + (v2 - ms2*ys2))/mm2")
    d.equal("ms1/mm1", "kappa")
    d.equal("ms2/mm2", "kappa")
    d.equal("dW", "mp1/mm1*x1 + mp2/mm2*x2 - (ym1 + ym2 + kappa*(ys1 + ys2)) - (theta1/mm1*q1 + theta2/mm2*q2)")
    for name in ("a1", "a2", "X", "B"):
        d.symbol(name, f"{name} >= 0")
    d.assume("x1 <= a1", "x2 <= a2")  # Lemma EC.1
    d.assume("mp1/mm1*a1 + mp2/mm2*a2 <= X*(B - 1) + kappa*(1 - X)*B")  # the plan's decode flow balances, summed
    d.assume("ym1 + ym2 == X*(B - 1)", "ys1 + ys2 == (1 - X)*B")  # Lemma EC.4: somebody waits
    d.at_most("dW", "-(theta1/mm1*q1 + theta2/mm2*q2)")
    return d


def pool_work() -> Derivation:
    """W_m and W_s of the two pools under the SLI-aware router: their drifts (EC.14), (EC.15)."""
    d = Derivation("The pools' work W_m and W_s", budget=5.0)
    for name in POSITIVE:
        d.symbol(name, f"{name} > 0")
    for name in ("x1", "x2", "qm1", "qm2", "qs1", "qs2", "ym1", "ym2", "ys1", "ys2", "theta1", "theta2"):
        d.symbol(name, f"{name} >= 0")
    for name in ("u1", "u2", "v1", "v2"):
        d.symbol(name)
    for name in ("p1", "p2"):
        d.symbol(name, f"0 <= {name} <= 1")
    d.let(*RATES)
    d.equal("(((1 - p1)*mp1*x1 - u1 - theta1*qm1) + (u1 - mm1*ym1))/mm1"
            " + (((1 - p2)*mp2*x2 - u2 - theta2*qm2) + (u2 - mm2*ym2))/mm2",
            "(1 - p1)*mp1/mm1*x1 + (1 - p2)*mp2/mm2*x2 - (ym1 + ym2) - (theta1/mm1*qm1 + theta2/mm2*qm2)")
    d.equal("((p1*mp1*x1 - v1 - theta1*qs1) + (v1 - ms1*ys1))/ms1"
            " + ((p2*mp2*x2 - v2 - theta2*qs2) + (v2 - ms2*ys2))/ms2",
            "p1*mp1/ms1*x1 + p2*mp2/ms2*x2 - (ys1 + ys2) - (theta1/ms1*qs1 + theta2/ms2*qs2)")
    return d


def conserved_mass() -> Derivation:
    """1' A = 0 for A = v mu' - diag(mu) (Lemma EC.8): a full pool's occupancy stays; and its only rest is D^-1 v."""
    d = Derivation("The matrix of a full pool", budget=5.0)
    for name in ("m1", "m2"):
        d.symbol(name, f"{name} > 0")
    d.symbol("v", "0 < v < 1")
    for name in ("y1", "y2"):
        d.symbol(name, f"{name} >= 0")
    d.equal("(v*(m1*y1 + m2*y2) - m1*y1) + ((1 - v)*(m1*y1 + m2*y2) - m2*y2)", "0")
    d.assume("v*(m1*y1 + m2*y2) - m1*y1 == 0")
    d.equal("y1*(v/m1 + (1 - v)/m2)", "(y1 + y2)*v/m1")
    return d


DERIVATIONS = {"decode-work": decode_work, "pool-work": pool_work, "conserved-mass": conserved_mass}
