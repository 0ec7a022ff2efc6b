"""Appendix B's drift inequality (B.1) on the Markov chain of Section 2.2, state by state in exact arithmetic."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

from .chain import Engine, Law, State, by_2_3, chosen, decrease, drift, mean_tokens, squared
from .schedulers import Scheduler, sarathi

# Laws of one request a slot at most, with bounded token sizes: (probability, arrivals). A long prompt, with lambda =
# 1/2, E[d^2] = 1 = L and load 5/2; and Figure 1's requests, ten a second in slots of 0.1 ms, with E[d^2] = 112^2 = L.
LONG_PROMPTS: Law = ((Fraction(1, 2), ()), (Fraction(1999, 4000), ((3, 1),)), (Fraction(1, 4000), ((2003, 1),)))
SHORT: Law = ((Fraction(1, 2), ()), (Fraction(1, 2), ((1, 1),)))
FIGURE_1: Law = ((Fraction(999, 1000), ()), (Fraction(1, 1000), ((129, 112),)))


# the f of line 420, for the numbers of a state
F = "the sum over the requests of p_i + d_i + eps (1(p_i > 0) + d_i)^2/(4 L lambda)"


def told_law(law: Law) -> str:
    """The arrivals of a slot with their probabilities, in words."""
    return "; ".join(f"{', '.join(f'(p, d) = {size}' for size in sizes) or 'none'} with chance {w}" for w, sizes in law)


def told_state(state: State) -> str:
    """R, and how many requests there are of each kind, in words."""
    remaining, requests = state
    there = [f"{many} of (p_i, d_i) = {size}" for size, many in Counter(requests).items()]
    return f"(R = {remaining}; {', '.join(there) or 'no request'})"


def constants(engine: Engine, law: Law, L: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """(eps, the weight eps/(4 L lambda), B) of Appendix B."""
    rate = sum((w * len(arrivals) for w, arrivals in law), Fraction(0))
    eps = min(engine.b - mean_tokens(law), L * rate)
    return eps, eps / (4 * L * rate), 2 * engine.b * (4 * L * rate / eps * engine.b) ** 2 + engine.b


def breaks(engine: Engine, scheduler: Scheduler, law: Law, L: Fraction, state: State) -> dict[str, str] | None:
    """The numbers of a state with f >= B where (B.1)'s last bound fails; None where it holds."""
    eps, weight, least = constants(engine, law, L)
    f = squared(weight)
    change = drift(engine, scheduler, law, f, state)
    if f(state) < least or change <= -eps / 2:
        return None
    printed = decrease(weight, state, chosen(engine, scheduler, state), printed=True)
    return {"b": str(engine.b), "t_1, t_b": f"{engine.times[1]}, {engine.times[-1]}",
            "arrivals of a slot": told_law(law), "f": F, "L": str(L), "eps": str(eps),
            "B": str(least), "X": told_state(state), "f(X)": str(f(state)), "Delta(X)": str(printed),
            "E f(X(n+1)) - f(X(n))": str(change), "-eps/2": str(-eps / 2)}


# what fails: engine, scheduler, arrivals, L, and a state with so many requests that f >= B, as it is with any more of
# them; the first is what is shown
STATES: dict[str, tuple[Engine, Scheduler, Law, Fraction, State]] = {
    "f has no R: line 116's times, in slots of 0.1 ms": (
        by_2_3(256, 455, 3, 64), sarathi, FIGURE_1, Fraction(112**2), (1030, ((129, 112),) * 160_000)),
    "E[(d + 1)^2] <= 2 E[d^2]": (
        Engine((1, 1, 1, 1)), sarathi, LONG_PROMPTS, Fraction(1), (0, ((2003, 1),) * 1000)),
}


def conclusion_run() -> Outcome:
    found = {why: breaks(*case) for why, case in STATES.items()}
    (first, point), *others = found.items()
    return shown(all(found.values()), {"because": first, **(point or {})},
                 "one-step laws of the chain, enumerated",
                 others={why: {name: told for name, told in at.items() if name != "f"} for why, at in others if at})


def over(law: Law, state: State, full: bool) -> Outcome:
    """Is the drift beyond lambda (p + d) + eps/2 less the printed Delta, or less b where the batch is ``full``?"""
    engine, L = Engine((1, 1, 1, 1)), Fraction(1)
    eps, weight, _ = constants(engine, law, L)
    change = drift(engine, sarathi, law, squared(weight), state)
    served = Fraction(engine.b) if full else decrease(weight, state, chosen(engine, sarathi, state), printed=True)
    bound = mean_tokens(law) + eps / 2 - served
    return shown(change > bound, {
        "b": engine.b, "arrivals of a slot": told_law(law), "f": F, "L = E[d_l^2]": L, "eps": eps,
        "X": told_state(state), "sum of p_i' + 1(p_i' = 0)": sum(p or 1 for p, _ in state[1]),
        "E f(X(n+1)) - f(X(n))": change, "the bound": bound},
        "one-step laws of the chain, enumerated")


def one_step_run() -> Outcome:
    return over(SHORT, (0, ()), full=False)


def full_run() -> Outcome:
    return over(LONG_PROMPTS, (0, ((2003, 1),)), full=True)
