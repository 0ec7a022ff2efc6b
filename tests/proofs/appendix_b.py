"""The proof of the base threshold, typed step by step as its appendix prints it."""

from __future__ import annotations

from qtheory.proofs.derivation import Derivation, derivation

PSI = "theta/(1 - theta) + log(1 - theta)"


def declared(budget: float = 0.9) -> Derivation:
    """Symbols with units, and the definitions of Appendices B.2 to B.9."""
    d = derivation("The base threshold", budget=budget)
    d.symbol("p0", "0 < p0 <= 1", unit="1/iteration")
    d.symbol("theta", "0 < theta < 1", unit="1")
    d.symbol("alpha_d", "alpha_d > 0", unit="s/iteration")
    d.symbol("alpha_p", "alpha_p > 0", unit="s")
    d.symbol("beta_d", "beta_d >= 0", unit="s/(request*iteration)")
    d.symbol("beta_p", "beta_p >= 0", unit="s/token")
    d.symbol("N", "N > 0", unit="request")
    d.symbol("mu_L", "mu_L > 0", unit="token/request")
    d.symbol("t", "t >= 0", unit="iteration")
    d.symbol("s", "s >= 0", unit="iteration")
    d.symbol("gamma", "gamma > 0", unit="1")
    d.let("zeta(x) = -log(1 - x)", "Psi(x) = x/(1 - x) + log(1 - x)",
          "T(x) = alpha_d*zeta(x)/p0 + alpha_p + (beta_d*N/p0 + beta_p*N*mu_L)*x", "R(x) = x*N/T(x)",
          "Phi(x) = T(x) - x*diff(T(x), x)")
    return d


def appendix_b(budget: float = 0.9) -> Derivation:
    """Appendices B.1 to B.9 in 24 steps."""
    d = declared(budget)
    d.differentiate("exp(-p0*t)", "t", "-p0*exp(-p0*t)")                                     # B.1
    d.integrate("exp(-p0*u)", "u", "0", "s", "(1 - exp(-p0*s))/p0")                          # B.2
    d.integrate("alpha_d + beta_d*N*exp(-p0*u)", "u", "0", "s", "alpha_d*s + beta_d*N*(1 - exp(-p0*s))/p0")
    d.latex(r"\frac{\alpha_d \zeta(\theta)}{p_0} + \frac{\beta_d N \theta}{p_0} + \alpha_p + \beta_p N \mu_L \theta "
            r"= T(\theta)")                                                                  # B.5
    d.differentiate("zeta(theta)", "theta", "1/(1 - theta)")                                 # B.6
    slope = "alpha_d/(p0*(1 - theta)) + beta_d*N/p0 + beta_p*N*mu_L"
    d.differentiate("T(theta)", "theta", slope)
    d.expand(f"theta*({slope})", "alpha_d*theta/(p0*(1 - theta)) + beta_d*N*theta/p0 + beta_p*N*mu_L*theta")
    d.equal("T(theta) - theta*diff(T(theta), theta)", "alpha_p - alpha_d/p0*Psi(theta)")
    d.equal("diff(R(theta), theta)", "N*(T(theta) - theta*diff(T(theta), theta))/T(theta)**2", by=[])
    d.step("Implies(T(theta) == theta*diff(T(theta), theta), Psi(theta) == p0*alpha_p/alpha_d)", by=[])  # (15)
    d.step("Implies(Psi(theta) == p0*alpha_p/alpha_d, T(theta) == theta*diff(T(theta), theta))", by=[])
    d.differentiate("Psi(theta)", "theta", "1/(1 - theta)**2 - 1/(1 - theta)")               # B.7
    d.equal("1/(1 - theta)**2 - 1/(1 - theta)", "(1 - (1 - theta))/(1 - theta)**2", "theta/(1 - theta)**2")
    d.less("0", "diff(Psi(theta), theta)")
    d.step("StrictlyIncreasing(Psi(x), x, And(0 < x, x < 1))")
    d.latex(r"\lim_{\theta \to 0^+} \Psi(\theta) = 0")
    d.less("0", "Psi(theta)")
    d.less("0", "p0*alpha_p/alpha_d")
    d.assume("t <= s")
    d.integrate("beta_d*(N*exp(-p0*u))", "u", "t", "s", "beta_d/p0*(N*exp(-p0*t) - N*exp(-p0*s))")  # B.8
    d.differentiate("T(theta)", "theta", "alpha_d/(p0*(1 - theta)**2)", order=2)             # B.9
    d.less("0", "alpha_d/(p0*(1 - theta)**2)")
    d.differentiate("Phi(theta)", "theta", "-theta*(alpha_d/(p0*(1 - theta)**2))")
    d.less("-theta*(alpha_d/(p0*(1 - theta)**2))", "0")
    d.less("diff(Phi(theta), theta)", "0")
    return d
