"""Steps of the exclusive-batching paper's proofs after Appendix B, typed as its appendices print them."""

from __future__ import annotations

from qtheory.proofs.derivation import Derivation, derivation


def _begin(title: str, budget: float, *, units: bool = False) -> Derivation:
    """``units``: p0 is a rate; elsewhere it is a probability as well."""
    d = derivation(title, budget=budget)
    d.symbol("p0", "0 < p0 <= 1", unit="1/iteration" if units else None)
    d.symbol("N", "N > 0", unit="request" if units else None)
    return d


def appendix_c(budget: float = 0.9) -> Derivation:
    """Increasing hazard: Appendices C.1 to C.7 in 16 steps."""
    d = _begin("Increasing hazard", budget, units=True)
    d.symbol("theta", "0 < theta < 1", unit="1")
    d.symbol("alpha_d", "alpha_d > 0", unit="s/iteration")
    d.symbol("alpha_p", "alpha_p > 0", unit="s")
    d.symbol("beta_d", "beta_d >= 0", unit="s/(request*iteration)")
    d.symbol("b", "b >= 0", unit="s")
    d.symbol("eta", "eta > 0", unit="1/iteration**2")
    d.symbol("t", "t >= 0", unit="iteration")
    d.let("n(u) = N*exp(-p0*u - eta*u**2/2)", "zeta(x) = -log(1 - x)",
          "C0(x) = alpha_d*zeta(x)/p0 + beta_d*N*x/p0 + alpha_p + b*x",
          "C1(x) = -alpha_d*zeta(x)**2/(2*p0**3) + beta_d*N/p0**3*((1 - x)*zeta(x) - x)")
    d.differentiate("n(t)", "t", "-(p0 + eta*t)*n(t)")                                       # C.1, (16)
    d.equal("n(0)", "N")
    d.at_most("N*exp(-p0*t - eta*t**2/2)", "N*exp(-p0*t)")                                   # C.7
    d.equal("-1/2*zeta(theta)**2/p0**3", "-zeta(theta)**2/(2*p0**3)")                        # C.2, (17)
    d.differentiate("C0(theta)", "theta", "alpha_d/(p0*(1 - theta)) + beta_d*N/p0 + b")      # C.5
    d.equal("C0(theta) - theta*diff(C0(theta), theta)",
            "alpha_p + alpha_d/p0*(zeta(theta) - theta/(1 - theta))")
    d.differentiate("C0(theta) - theta*diff(C0(theta), theta)", "theta", "-theta*alpha_d/(p0*(1 - theta)**2)")
    d.less("-theta*alpha_d/(p0*(1 - theta)**2)", "0")
    d.differentiate("C1(theta)", "theta", "-alpha_d*zeta(theta)/(p0**3*(1 - theta)) - beta_d*N*zeta(theta)/p0**3")
    d.equal("C1(theta) - theta*diff(C1(theta), theta)",
            "1/p0**3*(-alpha_d*zeta(theta)**2/2 + theta*alpha_d*zeta(theta)/(1 - theta) "
            "+ beta_d*N*(zeta(theta) - theta))")
    d.equal("-zeta(theta)**2/2 + theta*zeta(theta)/(1 - theta)",
            "zeta(theta)*(theta/(1 - theta) - zeta(theta)/2)")
    d.less("theta", "zeta(theta)")                                                           # C.6
    d.less("zeta(theta)", "theta/(1 - theta)")
    d.less("0", "theta/(1 - theta) - zeta(theta)/2")
    d.at_most("0", "beta_d*N*(zeta(theta) - theta)")
    d.less("0", "zeta(theta)*(theta/(1 - theta) - zeta(theta)/2)")
    return d


def appendix_d(budget: float = 0.9) -> Derivation:
    """Memory: Appendices D.2 to D.5 in 14 steps."""
    d = _begin("Memory", budget)
    d.symbol("theta", "0 < theta < 1")
    d.symbol("mu_L", "mu_L > 0")
    d.symbol("sigma_L", "sigma_L >= 0")
    d.symbol("eps", "0 < eps < 1")
    d.symbol("C", "C > 0")
    d.natural("k", "1 <= k")
    d.natural("m")
    d.let("G(x) = 1/(x*p0)*log(1/(1 - x))", "vbar = 1/(p0**2*mu_L)", "V = sigma_L**2 + (1 - p0)/p0**2")
    d.equal("log(1/(1 - theta))", "-log(1 - theta)")                                         # D.2
    d.less("0", "G(theta)")
    d.equal("theta*N*mu_L + (N - theta*N)*(mu_L + G(theta))",
            "N*mu_L + N*(1 - theta)/(theta*p0)*log(1/(1 - theta))")
    d.expand("N - N*p0*(mu_L + 1/p0)", "-N*p0*mu_L")                                         # D.3
    d.less("-N*p0*mu_L", "0")
    d.step("Sum(p0, (i, 1, m))*V == m*p0*V")
    d.equal("N*p0*V + (mu_L + 1/p0)**2*N*p0*(1 - p0)",
            "N*p0*(sigma_L**2 + (1 - p0)/p0**2) + N*p0*(1 - p0)*(mu_L + 1/p0)**2")
    d.less("0", "vbar")                                                                      # D.4
    d.equal("(2*N/p0)/(2*N*p0*mu_L)", "vbar")
    d.equal("exp(-(vbar*log(1/eps))/vbar)", "eps")
    d.less("0", "log(1/eps)")
    d.less("0", "vbar*log(1/eps)")
    d.equal("(C - vbar*log(1/eps)) + vbar*log(1/eps)", "C")                                  # D.5
    d.less("C - vbar*log(1/eps)", "C")
    return d


def appendix_a(budget: float = 0.9) -> Derivation:
    """Mixed batches: Appendix A.3 and Section 3.5 in 12 steps."""
    d = _begin("Mixed batches", budget)
    d.symbol("r", "0 <= r <= 1")
    for name in ("c0", "c1", "c2"):
        d.symbol(name)
    d.assume("c0 > 0", "c0 + c1 + c2 > 0", "c2 < 0")
    for name in ("mu_L", "mu_O", "beta_p", "beta_d", "beta_MB", "alpha_MB"):
        d.symbol(name, f"{name} > 0")
    d.let("K(x) = c0 + c1*x + c2*x**2", "Kbar(x) = (1 - x)*K(0) + x*K(1)", "kappa = 2*c2/K(1)")
    d.equal("K(0)", "c0")                                                                    # A.3
    d.equal("K(r) - Kbar(r)", "c2*r**2 - c2*r", "-c2*r*(1 - r)")                             # (10)
    d.differentiate("K(r)", "r", "2*c2", order=2)
    d.equal("-c2*r*(1 - r)", "-kappa*K(1)/2*r*(1 - r)")
    d.at_most("r*(1 - r)", "1/4")
    d.at_most("0", "-c2*r*(1 - r)")
    d.at_most("K(r) - Kbar(r)", "K(1/2) - Kbar(1/2)")
    d.less("kappa", "0")
    d.let("TP = 1/(alpha_MB*(1 + mu_O)/N + beta_MB*(mu_L + mu_O))", "w = (beta_p*mu_L + beta_d*mu_O)/(mu_L + mu_O)")
    d.less("0", "TP")                                                                        # 3.5
    d.equal("N/(1 + mu_O)/(alpha_MB + beta_MB*(N/(1 + mu_O)*mu_L + N/(1 + mu_O)*mu_O))", "TP")
    d.equal("beta_MB - w", "(beta_MB*(mu_L + mu_O) - (beta_p*mu_L + beta_d*mu_O))/(mu_L + mu_O)")
    d.step("StrictlyIncreasing(x/(mu_L + x), x, x > 0)")
    return d
