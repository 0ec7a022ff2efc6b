"""A note of one's own on a queue of requests, as claims: what it says, where, and under which conditions."""

from qtheory.proofs.claims.model import Claim
from qtheory.proofs.kernel.statements import Statement

STABLE = ("lam > 0", "mu > lam")  # the arrival and the service rate, requests/s
TIME = "W(x) = 1/(mu - x)"        # the mean time in the system at the arrival rate x

CLAIMS = [
    Claim(id="note.eq-1", place="equation (1)", lines=(3, 3), kind="identity",
          quote="the mean number of requests is rho/(1 - rho) with rho = lam/mu",
          statement=Statement("lam*W(lam) == (lam/mu)/(1 - lam/mu)", STABLE, (TIME,))),
    Claim(id="note.convex", place="remark 1", lines=(4, 4), kind="inequality",
          quote="the mean time is convex in the arrival rate",
          statement=Statement("Convex(W(x), x, And(0 < x, x < mu))", ("mu > 0",), (TIME,))),
    Claim(id="note.doubling", place="remark 2", lines=(5, 5), kind="inequality",
          quote="twice the service rate halves the mean time, at any load",
          statement=Statement("1/(2*mu - lam) == W(lam)/2", STABLE, (TIME,)), severity="substantive",
          corrected_by="note.doubling.corrected"),
    Claim(id="note.doubling.corrected", place="remark 2", lines=(5, 5), kind="inequality", quote="",
          corrects="note.doubling",
          statement=Statement("1/(2*mu - lam) < W(lam)/2", STABLE, (TIME,))),
]
