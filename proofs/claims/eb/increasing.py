"""What the claims on increasing hazard share: Appendix C's model as texts, and the sources of its conditions."""

from __future__ import annotations

from typing import Any

from qtheory.proofs.claims.model import Claim

from .cumulative import CUMULATIVE
from .fluid_hints import FLUID
from .ifr_hints import HINTS
from .local_hints import LOCAL
from .maximum_hints import MAXIMUM
from .witnesses import MET
from .wording import POSITIVE, ZETA, claim

# C.2, C.3 and C.4 as printed, e for eta
DUR = "dur(x, e) = (-p0 + sqrt(p0**2 + 2*e*zeta(x)))/e"
CUM = "cum(x, e) = Integral(N*exp(-p0*s - e*s**2/2), (s, 0, dur(x, e)))"
CYC = "cyc(x, e) = alpha_d*dur(x, e) + beta_d*cum(x, e) + alpha_p + beta_p*N*mu_L*x"
CYC_0 = "C0(x) = alpha_d*zeta(x)/p0 + beta_d*N*x/p0 + alpha_p + beta_p*N*mu_L*x"
CYC_1 = "C1(x) = -alpha_d*zeta(x)**2/(2*p0**3) + beta_d*N/p0**3*((1 - x)*zeta(x) - x)"
DELTA = ("delta(x, e) = e*(1 - x)**2/(p0**2*x)*(zeta(x)*(x/(1 - x) - zeta(x)/2) + beta_d*N/alpha_d*(zeta(x) - x))")
DELTA_N = ("deltaN(x, e, n) = e*(1 - x)**2/(p0**2*x)*(zeta(x)*(x/(1 - x) - zeta(x)/2) "
           "+ beta_d*n/alpha_d*(zeta(x) - x))")
MODEL = (ZETA, DUR, CUM, CYC)

IFR = (*POSITIVE, "beta_d >= 0", "N > 0", "eta > 0")
IFR_COSTS = (*POSITIVE, "beta_d >= 0", "beta_p >= 0", "mu_L > 0", "N > 0")
BASE = ("0 < theta0 < 1", "Psi(theta0) == p0*alpha_p/alpha_d")

OPTIMA = ("th in functions", "ForAll(eta, eta > 0, And(0 < th(eta), th(eta) < 1, "
          "cyc(th(eta), eta) == th(eta)*At(diff(cyc(x, eta), x), x, th(eta))))")
OPTIMA_SOURCE = {"th in functions": "Theorem 3.2: the optimal threshold, as eta varies",
                 OPTIMA[1]: "App. C.5, l. 810: it satisfies Phi(theta*, eta) = 0"}


def ifr(id: str, place: str, quote: str, lines: tuple[int, int], kind: str, goal: str, where: tuple[str, ...] = (),
        let: tuple[str, ...] = (), **more: Any) -> Claim:
    """`claim`, with the hints of `ifr_hints`, `cumulative`, `maximum_hints`, `local_hints` and `fluid_hints`."""
    found = (hints.get(id, {}) for hints in (HINTS, CUMULATIVE, MAXIMUM, LOCAL, FLUID, MET))
    hint = {k: v for some in (*found, more.pop("hint", {})) for k, v in some.items()}
    return claim(id, place, quote, lines, kind, goal, where, let, hint=hint, **more)
