"""Section 3.4: does the one-step update of the online controller converge?"""

from __future__ import annotations

from qtheory.proofs.claims.model import Claim

from . import fixed_point as replayed
from .fixed_point import CLIPPED
from .increasing import DELTA_N
from .memory_wording import MEAN, MEMORY, VBAR
from .wording import ZETA, claim

UPDATE = ("we evaluate (5) using the previous cycle's Nhat*, yielding a one-step fixed-point update that we "
          "empirically observe to converge within a few cycles")
PLACE, LINES = "Section 3.4", (159, 159)
RAW = (" Raw line 159: 'yielding a one-step fixed-point update that we empirically observe to converge within a few "
       "cycles'. Independent use: Algorithm 1, lines 1092 and 1093, (5) at the N*hat in force and (6) at its outcome.")
MEAN_AT = MEAN.replace("m = ", "m(x) = ").replace("theta", "x")
FITS = "fits(x) = (C - vbar*log(1/eps))/m(x)"
LOG = "Implies(And(0 < u, u < 1), And(log(1/(1 - u)) == -log(1 - u), -log(1 - u) > u))"
RANGE = ("0 < theta_min", "theta_min <= theta_max", "theta_max < 1")
ROOM = "C >= vbar*log(1/eps)"
SHIFT = {"u": "theta0 + deltaN(theta0, eta, n)", "v": "theta0 + deltaN(theta0, eta, l)"}
CLAMPED = {"u": f"Max({SHIFT['u']}, theta_min)", "v": f"Max({SHIFT['v']}, theta_min)"}
THRESHOLD_HINT = {"lemmas": (
    (LOG, {"u": "theta0"}),
    ("Implies(And(c >= 0, b >= 0, d > 0, j >= i, r > 0), c*(w + b*i/r*d) <= c*(w + b*j/r*d))",
     {"c": "eta*(1 - theta0)**2/(p0**2*theta0)", "b": "beta_d", "r": "alpha_d", "d": "zeta(theta0) - theta0",
      "i": "n", "j": "l", "w": "zeta(theta0)*(theta0/(1 - theta0) - zeta(theta0)/2)"}),
    ("Implies(u <= v, Max(u, a) <= Max(v, a))", {**SHIFT, "a": "theta_min"}),
    ("Implies(u <= v, Min(u, b) <= Min(v, b))", {**CLAMPED, "b": "theta_max"}))}
BATCH_HINT = {"lemmas": (
    (LOG, {"u": "x"}), (LOG, {"u": "y"}),
    ("Implies(And(0 < u, u <= v, v < 1), log(1 - u) - log(1 - v) <= (v - u)/(1 - v))", {"u": "x", "v": "y"}),
    ("Implies(And(0 < x, x <= y, y < 1, p > 0, f >= x, g >= y, g - f <= (y - x)/(1 - y), h > 0), "
     "And(h + (1 - y)/(y*p)*g > 0, h + (1 - y)/(y*p)*g <= h + (1 - x)/(x*p)*f))",
     {"f": "log(1/(1 - x))", "g": "log(1/(1 - y))", "p": "p0", "h": "mu_L"}),
    ("Implies(And(r >= 0, 0 < b, b <= a), r/a <= r/b)", {"r": "C - vbar*log(1/eps)", "a": "m(x)", "b": "m(y)"}),
    ("Implies(u <= v, floor(u) <= floor(v))", {"u": "fits(x)", "v": "fits(y)"}))}

CLAIMS: tuple[Claim, ...] = (
    Claim("eb.sec-3.4.converges", PLACE, UPDATE, LINES, "limit", verdict="imprecise",
          readings=("eb.sec-3.4.converges.settles", "eb.sec-3.4.converges.few", "eb.sec-3.4.converges.sign",
                    "eb.sec-3.4.converges.process"),
          note="'Empirically observe' and 'a few' have no figure, and the estimates change with every window. Weak "
               "reading: with the estimates held, and a slope that is not negative, the update settles (true: the next "
               "N*hat does not fall as N*hat grows, eb.sec-3.4.converges.threshold and .batch, so that the values go "
               "one way from the first cycle on, within a finite range). Strong readings: within five cycles; whatever "
               "the sign of the slope; with the windows of Algorithm 1."),
    Claim("eb.sec-3.4.converges.settles", PLACE, UPDATE, LINES, "algorithm",
          run=replayed.settles_run, says=replayed.SETTLES,
          corrects="eb.sec-3.4.converges.few"),
    claim("eb.sec-3.4.converges.threshold", PLACE, "", LINES, "inequality", "clipped(n) <= clipped(l)",
          ("0 < p0 <= 1", "alpha_d > 0", "beta_d >= 0", "0 < theta0 < 1", "eta >= 0", "n >= 0", "l >= n", *RANGE),
          (ZETA, DELTA_N, CLIPPED), hint=THRESHOLD_HINT,
          sources={"eta >= 0": "the fitted slope is not negative", "n >= 0": "the N*hat before", "l >= n": "a larger "
                   "one", **dict.fromkeys(RANGE, "l. 159: a practical range [theta_min, theta_max]; Lemma B.2, l. 655: "
                                          "in (0, 1)")},
          note="With the estimates held, theta*hat does not fall as the N*hat before grows; theta0 is any base "
               "threshold."),
    claim("eb.sec-3.4.converges.batch", PLACE, "", LINES, "inequality", "floor(fits(x)) <= floor(fits(y))",
          ("0 < p0 <= 1", "mu_L > 0", "0 < eps < 1", ROOM, "0 < x", "x <= y", "y < 1"), (VBAR, MEAN_AT, FITS),
          hint=BATCH_HINT, sources={
              "0 < eps < 1": MEMORY["0 < eps < 1"], ROOM: "(6) is no negative number",
              **dict.fromkeys(("0 < x", "x <= y", "y < 1"), "Lemma B.2, l. 655: two thresholds in (0, 1)")},
          note="With the estimates held, (6) does not fall as theta*hat grows."),
    Claim("eb.sec-3.4.converges.few", PLACE, UPDATE, LINES, "algorithm", run=replayed.few_run, says=replayed.SOON,
          corrected_by="eb.sec-3.4.converges.settles", severity="substantive",
          note="From N = 256 it takes 93 cycles: the slope of the map has no bound below 1, and where it comes near 1 "
               "the values creep. Reading: five cycles. From N = 2,000 on the same estimates are settled after one."
               + RAW),
    Claim("eb.sec-3.4.converges.sign", PLACE, UPDATE, LINES, "algorithm", run=replayed.sign_run, says=replayed.ANY_SIGN,
          corrected_by="eb.sec-3.4.converges.settles", severity="edge",
          note="Where the fitted slope is negative, as for about half of the windows under a constant rate, the map "
               "falls, and two values of N*hat, here one slot apart, follow each other for ever. Reading: whatever the "
               "estimates." + RAW),
    Claim("eb.sec-3.4.converges.process", PLACE, UPDATE, LINES, "algorithm", studies=replayed.process_studies,
          says=replayed.PROCESS,
          corrected_by="eb.sec-3.4.converges.settles", severity="substantive",
          note="On Table 13's Gamma workload N*hat changes by 6 percent from one cycle to the next and wanders over a "
               "factor of 2 at W = 1000: the fitted intercept is noisy, and (5) and (6) grow steeply as it falls. "
               "Reading: with windows that move on, within 1 percent from one cycle to the next." + RAW),
)
