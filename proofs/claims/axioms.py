"""The theorems of textbooks that a claim may rest on, each in full: the only facts that are taken without a proof.

An axiom speaks of its own symbols, and names none of a paper. What the statement language can say of its hypotheses
is in ``hypotheses``; a claim that uses the axiom puts terms for the symbols, and owes a proof of each hypothesis. What
the language cannot say is in ``words``; of these the claim says what they mean for it and where its paper states them.
``qtheory.proofs.axiomatic`` makes the obligations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

CONSTANT, STATE, ANY = "constant", "of the state", "any"  # what the term for a symbol may speak of


@dataclass(frozen=True)
class Axiom:
    """``terms`` and ``sets`` are its symbols (a set is given by a formula), each with what it may speak of: parameters
    alone, parameters and the state, or anything. ``on_states``: it is about a process whose states are lists of natural
    numbers; ``size`` is then the sum of the list's numbers and of its length, so that of the lists with a bounded size
    there are finitely many. ``conclusion`` is a formula (``formal``), which may hold ``almost_surely`` alone, or else a
    sentence."""

    name: str
    source: str
    says: str
    words: Mapping[str, str]
    terms: Mapping[str, str]
    hypotheses: Mapping[str, str]
    conclusion: str
    sets: Mapping[str, str] = field(default_factory=dict)
    on_states: bool = False
    formal: bool = False
    almost_surely: bool = False


@dataclass(frozen=True)
class State:
    """A state as a list of natural numbers: ``scalars``, and ``length`` rows with an entry of each function in ``rows``
    at 1, ..., length."""

    scalars: tuple[str, ...]
    rows: tuple[str, ...] = ()
    length: str = ""


@dataclass(frozen=True)
class Use:
    """An axiom with the claim's terms and formulas for its symbols, and the claim's own words for its words."""

    axiom: str
    terms: Mapping[str, str]
    words: Mapping[str, str]
    sets: Mapping[str, str] = field(default_factory=dict)
    state: State | None = None


@dataclass(frozen=True)
class Theorem:
    """What a claim concludes by axioms: under the conditions ``where``, with the definitions ``let``, and for each
    value of the ``parameters``, the axioms' conclusions; or, where these are formulas, the ``goal`` that follows."""

    where: tuple[str, ...]
    parameters: tuple[str, ...]
    uses: tuple[Use, ...]
    let: tuple[str, ...] = ()
    goal: str | None = None


@dataclass(frozen=True)
class Step:
    """How to prove an obligation, or a lemma (``goal``) that serves one; a strategy, which needs no trust.

    ``given``: the conditions, and labels of steps before it, that it may use (all conditions by default); ``hint`` is
    the search's; ``pointwise``: index by index; ``guarded``: an implication, by its guard and others with this guard; ``split``: in the cases of these terms' signs; ``concluding``: a lemma
    that the axioms' conclusions are needed for. ``near``, ``level`` and ``through``: beyond every level in the end,
    from a limit (``qtheory.proofs.tactics.eventually``).
    """

    goal: str = ""
    given: tuple[str, ...] | None = None
    hint: Mapping[str, Any] = field(default_factory=dict)
    pointwise: bool = False
    guarded: bool = False
    split: tuple[str, ...] = ()
    concluding: bool = False
    near: str = ""
    level: str = ""
    through: tuple[str, ...] = ()


FOSTER = Axiom(
    "foster-lyapunov",
    "Brémaud, Markov Chains (Springer, 1999), Chapter 5, Theorem 1.1 (Foster's theorem)",
    "An irreducible homogeneous Markov chain on a countable set is positive recurrent if some function of its states "
    "is bounded below, has a finite mean after a step from every state, and this mean is less than its value by a "
    "positive constant at least, except in a finite set of states.",
    words={}, terms={}, hypotheses={}, conclusion="X is positive recurrent")  # owed as qtheory.proofs.chains says

STATE_DEPENDENT = Axiom(
    "foster-lyapunov-state-dependent",
    "Meyn and Tweedie, Markov Chains and Stochastic Stability (2nd ed., Cambridge, 2009), Theorem 19.1.2; Malyshev and "
    "Menshikov, Trans. Moscow Math. Soc. 39 (1979)",
    "The same, where the mean is that after n(x) steps from x, a positive natural number of the state, finite for every "
    "x, and less than the function's value at x by n(x) times a positive constant at least, except in a finite set.",
    words={}, terms={}, hypotheses={}, conclusion="X is positive recurrent")

STRONG_LAW = Axiom(
    "strong-law",
    "Durrett, Probability: Theory and Examples (5th ed., Cambridge, 2019), Theorem 2.4.1",
    "The averages of independent and identically distributed random variables with a finite mean tend to this mean "
    "with probability 1.",
    words={"iid": "draw(1), draw(2), ... are independent and identically distributed random variables",
           "mean": "the mean of draw(1) exists, is finite, and is mean"},
    terms={"draw(l)": ANY, "mean": CONSTANT},
    hypotheses={"finite mean": "Abs(mean) >= 0"},
    conclusion="ForAll(e, e > 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), "
               "And(Sum(draw(l), (l, 1, n)) >= (mean - e)*n, Sum(draw(l), (l, 1, n)) <= (mean + e)*n))))",
    formal=True, almost_surely=True)

DAI_WEISS = Axiom(
    "dai-weiss",
    "Dai and Harrison, Processing Networks (Cambridge, 2020), Lemma 8.5; Dai and Weiss, Math. Oper. Res. 21 (1996), "
    "Lemma 2.2",
    "A nonnegative, absolutely continuous function of the times t >= 0, whose derivative is at most -rate, a negative "
    "constant, at almost every time at which the function is positive, is 0 from its first value over rate on.",
    words={"continuity": "load is an absolutely continuous function of the times t >= 0",
           "slope": "at almost every t > 0 smooth(t) is 1, and where it is, slope(t) is the derivative of load at t"},
    terms={"load(t)": ANY, "slope(t)": ANY, "smooth(t)": ANY, "rate": CONSTANT},
    hypotheses={"nonnegative": "ForAll(t, t >= 0, load(t) >= 0)", "positive rate": "rate > 0",
                "drift": "ForAll(t, And(t > 0, smooth(t) == 1), Or(load(t) <= 0, slope(t) <= -rate))"},
    conclusion="ForAll(t, And(t >= 0, rate*t >= load(0)), load(t) == 0)",
    formal=True)

AXIOMS: Mapping[str, Axiom] = {a.name: a for a in (FOSTER, STATE_DEPENDENT, STRONG_LAW, DAI_WEISS)}
