"""The fork-join network, with and without its last agent, for sizes without a bound: by Foster's theorem.

A row is a stage of a request: at agent 0; at 1 and at 2; at 3 when both are done. A stage's sizes are drawn when it
begins, of any joint law. N_e is p + d + c d (d + min(p, 1)), summed over the tasks at agent e, and for each
request that is yet to come there what it brings in the mean; F_e is N_e + R b/t_b. A full batch lowers F_e by b/t_b,
and so does one below the budget where there are many decode tokens; else what is at agent e is worth ``room`` at most,
and F_e at most that and a multiple of the F_u of agents u before e, as each request that is yet to come has a token at
one of them. The sum of k_e psi(F_e), psi convex with slope phi, falls by that of phi(F_e), less a constant, with
weights k_e that are set from the last agent back.

phi and psi are the proof's to choose, bounded slopes among them: to.conj-1.slope.
"""

from __future__ import annotations

from collections.abc import Sequence

from qtheory.proofs.chains import Chain, Outcome, Recurrence, State, at, each

from .fed_forward import plus
from .fork_join import UPSTREAM
from .recurrence import MEANT, total
from .recurrence_parallel import GROWS
from .reversed_priorities import CAME, ENDS, LEFT, TAKEN, loaded
from .sources import STATED

OF_AGENT = ("b", "t", "w", "mp", "md", "sq", "c", "mu", "al", "s", "D", "room", "C", "k")
OF_SLOT = ("S", "R", "K", "V", "L", "U", "pre", "dec", "ends", "g", "Q")
Agents = Sequence[int]


def fed(agents: Agents, u: int) -> list[int]:
    return [e for e in agents if u in UPSTREAM[e]]


def worth(e: int) -> str:
    return f"p{e}(i) + d{e}(i) + c({e})*d{e}(i)*(d{e}(i) + Min(p{e}(i), 1))"


def waits(e: int) -> str:
    """1 for a request that is yet to come to agent e."""
    return f"Min({plus([f'd{u}(i)' for u in UPSTREAM[e]])}, 1)" if e else "0"


def held(e: int) -> str:
    return f"{worth(e)} + mu({e})*{waits(e)}" if e else worth(e)


def work(e: int) -> str:
    return f"(N{e} + r{e}*w({e}))"


def then(e: int) -> str:
    return f"(N{e}_left + N{e}_came + R({e})*w({e}))"


def gain(e: int) -> str:
    """What comes, beyond what requests that end a stage are to bring in the mean."""
    return f"N{e}_came - ends({e})*mu({e})" if e else "N0_came"


def higher(e: int) -> str:
    return f"Abs({gain(e)})*phi(Abs({gain(e)}))"


STAR = "ForAll(v, v >= 0, ForAll(y, y >= v, And(0 <= phi(v), phi(v) <= phi(y), v*phi(y) <= y*phi(v))))"
CURVE = "ForAll(v, v >= 0, And(psi(v) >= 0, ForAll(y, y >= 0, psi(y) <= psi(v) + phi(y)*(y - v))))"
KINDS = "z(i) <= kinds"
CLOCK = {e: f"r{e} <= t({e}) - 1" for e in UPSTREAM}
TOKENS = {e: f"lam*(mp({e}) + md({e}))" for e in UPSTREAM}
BUDGET, SLOTS = {e: f"b({e}) >= 1" for e in UPSTREAM}, {e: f"t({e}) >= 1" for e in UPSTREAM}
MEANS = {e: (f"mp({e}) >= 1", f"md({e}) >= 1", f"sq({e}) >= 0") for e in UPSTREAM}
LOAD = {e: f"{TOKENS[e]} < b({e})/t({e})" for e in UPSTREAM}
PACE = {e: f"w({e}) == b({e})/t({e})" for e in UPSTREAM}
WEIGHT = {e: f"c({e})*(1 + lam*sq({e})) == w({e}) - {TOKENS[e]}" for e in UPSTREAM}
MEAN = {e: f"mu({e}) == mp({e}) + md({e}) + c({e})*sq({e})" for e in UPSTREAM}
RATE = {e: f"al({e}) == lam*mu({e})" for e in UPSTREAM}
LONG = {e: f"D({e}) == b({e})/c({e})" for e in UPSTREAM}
ROOM = {e: f"room({e}) == b({e}) + D({e}) + b({e})*(1 + D({e}))" for e in UPSTREAM}
LEVEL = {e: f"C({e}) == 2*b({e})*(mu({e})*phi(room({e})) + phi(b({e}))) + s({e})" for e in UPSTREAM}
BATCH = {e: f"S({e}) == {total(loaded(e))}" for e in UPSTREAM}
SLOT = {e: f"Or(And(r{e} > 0, S({e}) == 0, R({e}) == r{e} - 1, K({e}) == 0), "
           f"And(r{e} == 0, S({e}) == b({e}), R({e}) == t({e}) - 1, K({e}) == 0), "
           f"And(r{e} == 0, S({e}) < b({e}), 0 <= R({e}), R({e}) <= t({e}) - 1, K({e}) == 1))" for e in UPSTREAM}
ALL = {e: each(f"Or(K({e}) == 0, d{e}(i) == 0, And(p{e}(i) >= 1, x{e}(i) == 0), "
               f"And(p{e}(i) == 0, y{e}(i) == d{e}(i) - 1))") for e in UPSTREAM}
END = {e: f"ends({e}) == {total(f'{waits(e)} - {at(waits(e), LEFT)}')}" for e in UPSTREAM if e}
AFTER = {e: f"g({e}) == N{e}_left + R({e})*w({e}){f' + ends({e})*mu({e})' if e else ''}" for e in UPSTREAM}
SUMS = {e: {"V": worth(e), "L": at(worth(e), LEFT), "pre": f"p{e}(i)", "dec": f"d{e}(i)"} for e in UPSTREAM}
SUMS |= {e: {**SUMS[e], "U": waits(e)} for e in UPSTREAM if e}
SUMMED = {e: {x: f"{x}({e}) == {total(term)}" for x, term in SUMS[e].items()} for e in UPSTREAM}
SPREAD = {e: f"Q({e}) <= s({e})" for e in UPSTREAM}


def share(agents: Agents, e: int) -> str:
    return plus(["1", *(f"2*b({j})*mu({j})*k({j})" for j in fed(agents, e))])


def weight_of(agents: Agents, e: int) -> str:
    return f"k({e})*c({e}) == {share(agents, e)}"


def noise(agents: Agents) -> str:
    return plus([f"k({e})*C({e})" for e in agents])


def slopes(agents: Agents) -> str:
    return plus([f"phi{work(e)}" for e in agents])


def moved(agents: Agents) -> list[str]:
    return [f"{x}{e}" for e in agents for x in "pd"]


def whole(agents: Agents) -> str:
    return each(*(f"Natural({x}(i))" for x in (*moved(agents), "z")))


def conditions(agents: Agents) -> dict[str, str]:
    """Those on parameters, with their sources."""
    said = {"lam >= 0": STATED["lam >= 0"], "kinds in naturals": "Sec. 2.1, l. 77: K is a finite set",
            STAR: "phi is the proof's: it grows, no faster than v; 2 Min(v/top, 1), say, of to.conj-1.slope",
            CURVE: "psi is the proof's: an integral of phi, and so convex",
            GROWS: "top is so large that this holds: for 2 Min(v/top, 1) there is such a number where a_n, v_p and "
                   "v_d^2 have means, (2.2), l. 83, and l. 180: far falls to 1 then (dominated convergence, unchecked)"}
    for e in agents:
        said |= {
            **dict.fromkeys((f"Natural(b({e}))", BUDGET[e]), f"l. 290: b^{e}, a token budget"),
            **dict.fromkeys((f"Natural(t({e}))", SLOTS[e]), f"l. 290: t_b^{e}; l. 154 to 156: a number of slots"),
            **dict.fromkeys(MEANS[e][:2], f"l. 284: mean token sizes at agent {e}; l. 77"),
            MEANS[e][2]: f"the mean of v_d (v_d + 1) at agent {e}: of v_d^2 as in Theorem 1, l. 180; l. 284 to 290 do "
                         "not name it",
            LOAD[e]: "(4.3), l. 290", **dict.fromkeys((PACE[e], WEIGHT[e], MEAN[e], RATE[e], LONG[e], ROOM[e], LEVEL[e],
                                                       weight_of(agents, e)), "a definition"),
            f"s({e}) >= 0": "a number"}
    return said | {f"far == 1 + {noise(agents)}": "a definition"}


def chosen(agents: Agents) -> dict[str, str]:
    """Conditions on what a slot does, with their sources."""
    said = dict[str, str]()
    for e in agents:
        said |= {
            TAKEN[e]: "(2.5a) to (2.5c), l. 134 to 136: x and y are what is left of p and d",
            BATCH[e]: f"(2.5d), l. 137: tokens in agent {e}'s batch",
            SLOT[e]: f"l. 139, l. 154 and (2.3), l. 114, at agent {e}; K is 1 where a batch below the budget is formed",
            f"Natural(R({e}))": f"l. 126 and 154: agent {e}'s R(n+1)", ALL[e]: MEANT,
            **({END[e]: f"requests yet to come to agent {e} that end a stage, l. 284"} if e else {}),
            AFTER[e]: "a definition", **dict.fromkeys(SUMMED[e].values(), "a definition"),
            SPREAD[e]: "s is a bound of the mean of |Y| phi(|Y|), of what a slot brings to the agent beyond what "
                       "stages that end were counted for, Y, in every state; for bounded phi there is one where Y has "
                       "a mean: it has one of finitely many laws, as at most b requests leave each agent in a slot"}
    return said


WORDS = (
    "{network} under algorithms that meet the conditions; its states are those of these that it can take, l. 130, and "
    "it is assumed irreducible on them, as in l. 176; its state is of each agent R(n), and of each request in the "
    "network, in an order, as that in which their stages began or the requests arrived, the tokens left at the agents "
    "where it is, {where}, and a number for its features; by l. 143 to 154 at each agent, what comes are m requests: "
    "those that arrive, at agent 0, and the next stages of those that end one, with sizes and features that are drawn "
    "then for each stage anew, by one law, as (2.1), l. 81, draws a request's; N_e is V(e) + mu(e) U(e), N_e_left what "
    "a slot leaves of it, N_e_came what comes; the latter is in the mean ends(e) mu(e), for stages that end (nothing "
    "at agent 0), and al(e), and the mean of |Y| phi(|Y|), Y being it less ends(e) mu(e), is Q(e), given the state")


def words(agents: Agents) -> str:
    return WORDS.format(network="the DTMC of l. 292", where="at 0, at 1 and 2, or at 3, l. 284") if 3 in agents else \
        WORDS.format(network="the DTMC of l. 294, without agent 3", where="at 0, or at 1 and 2, l. 284 and 294")


def theorem(agents: Agents) -> Recurrence:
    rows, row = moved(agents), (plus([f"d{e}(i)" for e in agents]) + " >= 1", *(ENDS[e] for e in agents), KINDS)
    left, came = {x: LEFT[x] for x in rows}, {**{x: CAME[x] for x in rows}, "z": "vz"}
    functions = (f"{', '.join((*rows, 'z', *left.values(), *OF_AGENT, *OF_SLOT))}, phi, psi in functions",
                 f"{', '.join(came.values())} in functions")
    mean = {"": plus([f"k({e})*psi(g({e}))" for e in agents]),
            **{gain(e): f"k({e})*phi(g({e}))" for e in agents}, **{higher(e): f"k({e})" for e in agents}}
    chain = Chain(
        tuple(conditions(agents)), State(tuple(f"r{e}" for e in agents), (*rows, "z"), "q"), (Outcome(
            {f"r{e}": f"R({e})" for e in agents}, "1", left, came, mean),),
        functions, tuple(CLOCK[e] for e in agents), row, {x: "1" if x == "d0" else "0" for x in (*rows, "z")},
        {f"N{e}": held(e) for e in agents}, tuple(chosen(agents)), inputs=("m", *came.values()),
        input=("Natural(m)", each(*(f"Natural({f}(i))" for f in came.values()), *(at(t, came) for t in row))),
        moments={**{gain(e): f"al({e})" for e in agents}, **{higher(e): f"Q({e})" for e in agents}},
        stay=plus([f"y{e}(i)" for e in agents]), many="m")
    return Recurrence(
        chain, ("lam", "kinds", "far", "top", *OF_AGENT, "phi", "psi"), plus([f"k({e})*psi{work(e)}" for e in agents]),
        f"{slopes(agents)} < far", "1", f"{plus([f't({e})' for e in agents])} + (2 + kinds)*{len(agents)}*top",
        words(agents), assumed=True)


def instance(agents: Agents) -> tuple[str, ...]:
    """An empty network, at which requests of (1, 1) at agent 0 arrive, with squares."""
    everywhere = {"b": 2, "t": 1, "w": 2, "mp": 1, "md": 1, "sq": 2, "c": 1, "mu": 4, "al": 1, "s": 4, "D": 2,
                  "room": 10, "C": 172, "S": 0, "R": 0, "K": 1, "V": 0, "L": 0, "U": 0, "pre": 0, "dec": 0, "ends": 0,
                  "g": 0, "Q": 4}
    k = dict[int, int]()
    for e in reversed(agents):
        k[e] = 1 + sum(16*k[j] for j in fed(agents, e))
    far = 1 + 172*sum(k.values())
    weights = " + ".join(f"{x}*Max(1 - (j - {e})**2, 0)" for e, x in k.items())
    return ("lam = 1/4", "kinds = 1", f"far = {far}", f"top = {far}", "phi(v) = v", "psi(v) = v**2/2",
            *(f"{x}(j) = {y} + 0*j" for x, y in everywhere.items()), f"k(j) = {weights}", "q = 0",
            *(f"r{e} = 0" for e in agents), "z(i) = 0*i", "vz(i) = 0*i",
            *(f"{x}{e}(i) = {int(x + str(e) == 'd0')} + 0*i" for e in agents for x in "pdxy"),
            *(f"v{x}{e}(i) = {int(e == 0)} + 0*i" for e in agents for x in "pd"))
