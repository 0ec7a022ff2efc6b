"""What the claims of this paper share: where each condition is stated, and the paper's definitions as texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qtheory.proofs.claims.model import Claim, sourced
from qtheory.proofs.kernel.statements import Statement

from .hints import HINTS
from .integer_optimum import INTEGER_OPTIMUM
from .operating_points import OPERATING
from .optimum import OPTIMUM
from .shifted_hints import SHIFTED
from .tails import TAILS

# condition -> the paper's own sentence (line of the seed file) that states it
STATED: dict[str, str] = {
    "0 < p0 <= 1": "App. B.1, l. 520: each active request independently completes with probability p0; mu_O = 1/p0",
    "3/1000 <= p0 <= 1/100": "App. B.3, l. 576: our operating regime p0 in [0.003, 0.01]",
    "alpha_p > 0": "Lemma B.4, proof, l. 705: Phi(0+) = alpha_p > 0",
    "alpha_d > 0": "App. C, l. 918: beta_d, N, alpha_d > 0",
    "beta_d >= 0": "App. C, l. 918: beta_d > 0 (or zero if beta_d = 0); the per-request cost of App. B.2",
    "beta_p >= 0": "Sec. 3.1, l. 77: the per-token prefill cost",
    "mu_L > 0": "Sec. 3.1, l. 77: the mean of the input lengths (tokens)",
    "eta > 0": "Theorem 3.2, l. 131: h(t) = p0 + eta t with eta > 0",
    "N > 0": "App. C, l. 918: beta_d, N, alpha_d > 0",
    "N in naturals": "Sec. 3.1, l. 71: N slots",
    "N >= 1": "Sec. 3.1, l. 71: N slots",
    "k in naturals": "(1), l. 82: k in {1, ..., N}",
    "1 <= k <= N": "(1), l. 82: k in {1, ..., N}",
    "0 < theta < 1": "Lemma B.2, l. 655: theta in (0, 1); App. B.2: e^{-p0 t*} = 1 - theta",
    "0 < theta0 < 1": "Lemma B.2, l. 645: theta0 in (0, 1)",
    "0 <= theta0 <= 1": "Prop. 3.1, l. 111: theta0 = lim k*/N, with k in {1, ..., N}",
    "gamma > 0": "Lemma B.2, l. 645: any gamma > 0",
    "p0*alpha_p/alpha_d > 0": "Lemma B.2, l. 645: any gamma = p0 alpha_p/alpha_d > 0",
    "exp(-p0*s) == 1 - theta": "App. B.2, l. 544-546: t* satisfies n(t*) = 1 - theta; s is t*",
    "Psi(theta0) == p0*alpha_p/alpha_d": "(3), l. 113, and (15), l. 639",
    "T(theta) == theta*diff(T(theta), theta)": "(14), l. 615",
    # the same conditions for a second system, or a second threshold
    "0 < q0 <= 1": "as for p0, of a second system",
    "0 < phi < 1": "as for theta, of a second system",
    "alpha_p2 > 0": "as for alpha_p, of a second system",
    "alpha_d2 > 0": "as for alpha_d, of a second system",
    "beta_d2 >= 0": "as for beta_d, of a second system",
    "beta_p2 >= 0": "as for beta_p, of a second system",
    "mu_L2 > 0": "as for mu_L, of a second system",
    "N2 > 0": "as for N, of a second system",
}

REGIME = "3/1000 <= p0 <= 1/100"
POSITIVE = ("0 < p0 <= 1", "alpha_p > 0", "alpha_d > 0")
COSTS = (*POSITIVE, "beta_d >= 0", "beta_p >= 0", "mu_L > 0")
FLUID = (*COSTS, "N > 0", "0 < theta < 1")
SLOTS = ("N in naturals", "k in naturals", "1 <= k <= N")

STRATEGIES = {**HINTS, **OPTIMUM, **INTEGER_OPTIMUM, **TAILS, **SHIFTED, **OPERATING}

PSI = "Psi(x) = x/(1 - x) + log(1 - x)"
ZETA = "zeta(x) = -log(1 - x)"
# the cycle time of Appendix B.5, grouped as printed there
CYCLE = "T(x) = alpha_d*zeta(x)/p0 + alpha_p + (beta_d*N/p0 + beta_p*N*mu_L)*x"
CYCLE2 = "T2(x) = alpha_d2*zeta(x)/q0 + alpha_p2 + (beta_d2*N2/q0 + beta_p2*N2*mu_L2)*x"
RATE = "R(x) = x/T(x)"
PHI = "Phi(x) = T(x) - x*At(diff(T(u), u), u, x)"
DERIVED = (ZETA, CYCLE, RATE)


def iff(left: str, right: str) -> str:
    return f"And(Implies({left}, {right}), Implies({right}, {left}))"


def claim(id: str, place: str, quote: str, lines: tuple[int, int], kind: str, goal: str,
          where: tuple[str, ...] = (), let: tuple[str, ...] = (), *,
          sources: Mapping[str, str] | None = None, table: Mapping[str, str] | None = None, **more: Any) -> Claim:
    """A claim with a statement; its conditions' sources are its own, its section's (``table``), or else in STATED."""
    stated = sourced(id, where, sources, table, STATED)
    hint = {**STRATEGIES.get(id, {}), **more.pop("hint", {})}
    return Claim(id, place, quote, lines, kind, Statement(goal, where, let), sources=stated, hint=hint, **more)


def correction(of: str, place: str, lines: tuple[int, int], kind: str, goal: str, where: tuple[str, ...] = (),
               let: tuple[str, ...] = (), **more: Any) -> Claim:
    return claim(f"{of}.corrected", place, "", lines, kind, goal, where, let, corrects=of, **more)


def checked(of: str, place: str, lines: tuple[int, int], kind: str, **more: Any) -> Claim:
    """A correction whose verdict is computed."""
    return Claim(f"{of}.corrected", place, "", lines, kind, corrects=of, **more)
