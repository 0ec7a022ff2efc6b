"""The theorems of textbooks that a claim may rest on, each in full: the only facts that are taken without a proof.

An axiom speaks of its own symbols, and names none of a paper. What the statement language can say of its hypotheses
is in ``hypotheses``; a claim that uses the axiom puts terms for the symbols, and owes a proof of each hypothesis. What
the language cannot say is in ``words``: it is part of the claim's statement, wherever that is shown, and of it the
claim says what it means there and where its paper states it.
``qtheory.proofs.axiomatic`` makes the obligations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CONSTANT, ANY = "constant", "any"  # what the term for a symbol may speak of


@dataclass(frozen=True)
class Axiom:
    """``terms`` are its symbols, each with what it may speak of: parameters alone, or functions too. A
    symbol with ``#`` in it stands for several ones,
    1, 2, ..., as many as the claim gives: a hypothesis with ``#`` in its name is owed for each, and what stands in
    braces with ``#`` in it is written once for each.

    ``words`` are the hypotheses that are no formulas; they are shown with every statement that rests on them.
    ``tossed``: if they are about random variables, what is owed at a witness, in which these are tosses of a coin.
    ``gives``: symbols of which its conclusion, a formula, says that they exist. What is said of a Markov chain is made
    from the chain, in ``qtheory.proofs.chains``."""

    name: str
    source: str
    says: str
    terms: Mapping[str, str]
    hypotheses: Mapping[str, str]
    conclusion: str
    words: Mapping[str, str] = field(default_factory=dict)
    tossed: Mapping[str, str] = field(default_factory=dict)
    gives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Use:
    """An axiom with the claim's terms for its symbols, and the claim's own words for its words."""

    axiom: str
    terms: Mapping[str, str]
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Theorem:
    """What a claim concludes by axioms: for all values of the ``parameters`` that meet those conditions of ``where``
    that speak of parameters alone, and then for all functions that meet the other conditions, with the definitions
    ``let``: the ``goal`` follows from the axioms' conclusions."""

    where: tuple[str, ...]
    parameters: tuple[str, ...]
    uses: tuple[Use, ...]
    let: tuple[str, ...] = ()
    goal: str = ""


FOSTER = Axiom(
    "foster-lyapunov",
    "Brémaud, Markov Chains (Springer, 1999), Chapter 5, Theorem 1.1 (Foster's theorem)",
    "An irreducible homogeneous Markov chain on a countable set is positive recurrent if some function of its states "
    "is bounded below, has a finite mean after a step from every state, and this mean is less than its value by a "
    "positive constant at least, except in a finite set of states.",
    terms={}, hypotheses={}, conclusion="")  # owed, and concluded, as qtheory.proofs.chains says

STATE_DEPENDENT = Axiom(
    "foster-lyapunov-state-dependent",
    "Meyn and Tweedie, Markov Chains and Stochastic Stability (2nd ed., Cambridge, 2009), Theorem 19.1.2; Malyshev and "
    "Menshikov, Trans. Moscow Math. Soc. 39 (1979)",
    "The same, where the mean is that after n(x) steps from x, a positive natural number of the state, finite for "
    "every x, and less than the function's value at x by n(x) times a positive constant at least, except in a finite "
    "set.",
    terms={}, hypotheses={}, conclusion="")

LIPSCHITZ = "ForAll(s, And(0 <= s, s <= t), And({0} - {1} <= pace*(t - s), {1} - {0} <= pace*(t - s)))"  # to time t

STRONG_LAW = Axiom(
    "strong-law",
    "Durrett, Probability: Theory and Examples (5th ed., Cambridge, 2019), Theorem 2.4.1",
    "The averages of independent and identically distributed random variables with a finite mean tend to this mean "
    "with probability 1.",
    words={"iid": "draw(1), draw(2), ... are independent and identically distributed random variables",
           "mean": "their mean exists, is finite, and is the number mean"},
    terms={"draw(l)": ANY, "mean": CONSTANT},
    hypotheses={"finite mean": "Abs(mean) >= 0", "draws": "ForAll(l, And(Integer(l), l >= 1), Abs(draw(l)) >= 0)"},
    conclusion="ForAll(e, e > 0, Exists(N, N >= 1, ForAll(n, And(Integer(n), n >= N), "
               "And(Sum(draw(l), (l, 1, n)) >= (mean - e)*n, Sum(draw(l), (l, 1, n)) <= (mean + e)*n))))",
    tossed={"low": "low < mean", "high": "mean < high",
            "draws": "ForAll(l, And(Integer(l), l >= 1), draw(l) == coin(l))"})

RETURNS = Axiom(
    "positive-recurrent",
    "Norris, Markov Chains (Cambridge, 1997), Theorems 1.5.3 and 1.5.7",
    "An irreducible positive recurrent Markov chain is with probability 1 in each of its states infinitely often, so "
    "that a function of its state has a value to which it comes back again and again.",
    words={"chain": "size(1), size(2), ... are a function of the state, at these times, of a Markov chain on a "
                    "countable set that is irreducible and positive recurrent"},
    terms={"size(n)": ANY},
    hypotheses={"numbers": "ForAll(n, And(Integer(n), n >= 1), Abs(size(n)) >= 0)"},
    conclusion="ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), size(n) == level))",
    tossed={"two values": "low < high", "tosses": "ForAll(l, And(Integer(l), l >= 1), size(l) == coin(l))"},
    gives=("level",))

DAI_WEISS = Axiom(
    "dai-weiss",
    "Dai and Harrison, Processing Networks (Cambridge, 2020), Lemma 8.5, and Dai and Weiss, Math. Oper. Res. 21 (1996),"
    " Lemma 2.2; that Lipschitz continuous functions have a derivative almost everywhere, of which they are the "
    "integral: Royden and Fitzpatrick, Real Analysis (4th ed., Pearson, 2010), Chapter 6, Proposition 7 and Theorem 10",
    "A nonnegative function of the times t >= 0 is the sum of its first value, of a multiple of the time and of "
    "multiples of Lipschitz continuous functions. If, at every time at which all of these have derivatives and the sum "
    "is positive, the same sum of the derivatives is at most -rate, a negative constant, then it is 0 from its first "
    "value over rate on.",
    terms={"load(t)": ANY, "part#(t)": ANY, "weight#": CONSTANT, "growth": CONSTANT, "pace": CONSTANT,
           "rate": CONSTANT},
    hypotheses={
        "nonnegative": "ForAll(t, t >= 0, load(t) >= 0)", "positive rate": "rate > 0",
        "sum": "ForAll(t, t >= 0, load(t) == load(0) + growth*t{ + weight#*(part#(t) - part#(0))})",
        "Lipschitz #": f"ForAll(t, t >= 0, {LIPSCHITZ.format('part#(t)', 'part#(s)')})",
        "drift": "ForAll(t, And(t > 0{, Abs(diff(part#(t), t)) >= 0}), "
                 "Or(load(t) <= 0, growth{ + weight#*diff(part#(t), t)} <= -rate))"},
    conclusion="ForAll(t, And(t >= 0, rate*t >= load(0)), load(t) == 0)")

BOLZANO_WEIERSTRASS = Axiom(
    "bolzano-weierstrass",
    "Rudin, Principles of Mathematical Analysis (3rd ed., McGraw-Hill, 1976), Theorem 3.6(b)",
    "A bounded sequence of lists of real numbers has a cluster point: a list to which it is as near as one likes, "
    "however late.",
    terms={"sequence#(n)": ANY, "most": CONSTANT},
    hypotheses={"bounded #": "ForAll(n, And(Integer(n), n >= 1), And(sequence#(n) <= most, -most <= sequence#(n)))"},
    conclusion="ForAll(e, e > 0, ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), "
               "And(e > 0{, sequence#(n) - cluster# <= e, cluster# - sequence#(n) <= e}))))",
    gives=("cluster#",))

ARZELA_ASCOLI = Axiom(
    "arzela-ascoli",
    "Folland, Real Analysis (2nd ed., Wiley, 1999), Theorem 4.44",
    "A sequence of lists of functions of the times t >= 0, all Lipschitz continuous with one constant and bounded at "
    "time 0, has a cluster point: a list of functions to which it is, on any interval [0, T], uniformly as near as one "
    "likes, however late.",
    terms={"path#(n, t)": ANY, "most": CONSTANT, "pace": CONSTANT},
    hypotheses={
        "bounded #": "ForAll(n, And(Integer(n), n >= 1), And(path#(n, 0) <= most, -most <= path#(n, 0)))",
        "Lipschitz #": "ForAll(n, And(Integer(n), n >= 1), ForAll(t, t >= 0, "
                       f"{LIPSCHITZ.format('path#(n, t)', 'path#(n, s)')}))"},
    conclusion="ForAll(e, e > 0, ForAll(T, T > 0, ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), "
               "ForAll(t, And(0 <= t, t <= T), "
               "And(e > 0{, path#(n, t) - cluster#(t) <= e, cluster#(t) - path#(n, t) <= e}))))))",
    gives=("cluster#(t)",))

AXIOMS: Mapping[str, Axiom] = {a.name: a for a in (
    FOSTER, STATE_DEPENDENT, STRONG_LAW, RETURNS, DAI_WEISS, BOLZANO_WEIERSTRASS, ARZELA_ASCOLI)}
