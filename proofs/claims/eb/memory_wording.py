"""What the claims on memory share: conditions of Section 3.3 and Appendix D, and the paper's quantities as texts."""

from __future__ import annotations

from typing import Any

from qtheory.proofs.claims.model import Claim

from .memory_hints import HINTS
from .wording import claim

# condition -> the paper's own sentence (line of the seed file) that states it
MEMORY: dict[str, str] = {
    "C > 0": "Sec. 3.1, l. 79: C denotes the KV-cache capacity",
    "0 < eps < 1": "(2), l. 83: Pr(...) <= eps, a risk level",
    "sigma_L >= 0": "App. D.3, l. 1010: sigma_L^2 is the variance of the input length",
    "n > 0": "App. D.3, l. 990: n active requests",
    "n in naturals": "App. D.3, l. 990: n active requests",
    "j in naturals": "App. D.3, l. 992: j completions",
    "x >= 0": "(22), l. 1022: a level above the start",
    "0 < theta < 1": "Lemma B.2, l. 655: theta0 in (0, 1); App. D.1, l. 966: theta = k/N, of k = floor(theta0 N)",
    "k < N": "Prop. 3.3, l. 145: k = floor(theta0 N), with theta0 < 1 (Lemma B.2)",
}
W = ("0 < p0 <= 1", "mu_L > 0", "0 < theta < 1")
SIZES = (*W, "0 < eps < 1", "C > 0")

MEAN = "m = mu_L + (1 - theta)/(theta*p0)*log(1/(1 - theta))"  # the denominator of (6)
VBAR = "vbar = 1/(p0**2*mu_L)"
STATIC, EXPECTED = "floor(C/m)", "floor((C - vbar)/m)"
SAFE = "floor((C - vbar*log(1/eps))/m)"
INCREMENT_VARIANCE = ("v(i, q) = i*q*(sigma_L**2 + (1 - q)/q**2) + i*q*(1 - q)*(mu_L + 1/q)**2")


def stated(id: str, place: str, quote: str, lines: tuple[int, int], kind: str, goal: str,
           where: tuple[str, ...] = (), let: tuple[str, ...] = (), **more: Any) -> Claim:
    """`wording.claim` with the sources and the strategies of this part."""
    return claim(id, place, quote, lines, kind, goal, where, let, table=MEMORY,
                 hint={**HINTS.get(id, {}), **more.pop("hint", {})}, **more)
