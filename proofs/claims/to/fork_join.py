"""Conjecture 1 for bounded sizes, by Foster's theorem: the fork-join network is fed forward.

T_j are agent j's tokens of all requests in the network, those that are yet to reach it too, and F_j is T_j + R_j b/t_b.
Where agent j works F_j falls, in the mean, by b/t_b - lambda (m_p + m_d) a slot; where it does not, (2.6) leaves fewer
than b tokens that can be loaded there, so that T_j is at most a multiple of b and of the tokens upstream. The sum of
k_j F_j^2 falls, with weights k_j that decrease downstream. A request is at agent 0, then at 1 and at 2, and when both
are done at 3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qtheory.proofs.claims.axioms import State, Step, Theorem, Use
from qtheory.proofs.claims.model import Claim

from .recurrence import FOSTER, each, recurrent, total
from .wording import STATED

UPSTREAM: Mapping[int, tuple[int, ...]] = {0: (), 1: (0,), 2: (0,), 3: (0, 1, 2)}


def plus(parts: Sequence[str]) -> str:
    return " + ".join(parts) or "0"


def present(j: int) -> str:
    """n_j(i): the tokens of request i that can be loaded at agent j, none unless it is there."""
    before = [f"d{k}(i)" for k in UPSTREAM[j]]
    there = [f"{d} == 0" for d in before]
    away = [f"And({plus(before)} >= 1, n{j}(i) == 0)"] if before else []
    here = f"And({', '.join([*there, f'd{j}(i) >= 1', f'n{j}(i) >= 1'])})"
    done = f"And(p{j}(i) == 0, d{j}(i) == 0, n{j}(i) == 0)"
    return each(f"Or({', '.join([*away, here, done])})")


CONSTANTS = ("b", "t", "mp", "md", "s", "w", "al", "C")


def numbers(j: int, agents: Sequence[int]) -> dict[str, str]:
    """What describes agent j, its load, and the weight of its square, each with its source."""
    below = [f"k{i}*C({i})" for i in agents if j in UPSTREAM[i]]
    return {
        **dict.fromkeys((f"Natural(b({j}))", f"b({j}) >= 1"), f"l. 290: b^{j}, a token budget"),
        **dict.fromkeys((f"Natural(t({j}))", f"t({j}) >= 1"), f"l. 290: t_b^{j}, a number of slots"),
        **dict.fromkeys((f"mp({j}) >= 1", f"md({j}) >= 1"), f"l. 282: mean token sizes at agent {j}; l. 77"),
        f"s({j}) >= 0": f"added: the square of the tokens for agent {j} of a slot's requests has a mean, s({j})",
        f"w({j}) == b({j})/t({j})": "a definition: tokens a slot",
        f"al({j}) == lam*(mp({j}) + md({j}))": "a definition",
        f"al({j}) < w({j})": "(4.3), l. 290", f"C({j}) == 4*L*b({j})**2 + 3*b({j})**2 + s({j})": "a definition",
        f"2*k{j}*(w({j}) - al({j})) == {plus(['1', *below])}": "a definition: the weight of its square"}


def state(j: int) -> dict[str, str]:
    """The tokens for agent j, its clock, and what a slot does there, each with its source."""
    return {
        each(f"Natural(p{j}(i))", f"Natural(d{j}(i))"): f"l. 124 and 145: the tokens of request i for agent {j}",
        each(f"p{j}(i) + d{j}(i) <= L"): "added: sizes are bounded, as l. 204 has it",
        present(j): f"l. 282: request i is at agent {j} when {'it arrives' if not j else 'the ones before are done'}; "
                    f"n{j}(i) are the tokens of it that can be loaded there, p + 1(p = 0), l. 168",
        f"r{j} in naturals": f"l. 126: R(n) of agent {j}", f"r{j} <= t({j})": "l. 154; (2.3): no batch takes longer",
        f"T({j}) == {total(f'p{j}(i) + d{j}(i)')}": "a definition", f"M({j}) == {total(f'n{j}(i)')}": "a definition",
        f"f({j}) == T({j}) + r{j}*w({j})": "a definition", f"g({j}) == T({j}) - S({j}) + R({j})*w({j})": "a definition",
        f"Or(And(r{j} > 0, S({j}) == 0, R({j}) == r{j} - 1), And(r{j} == 0, S({j}) == b({j}), R({j}) == t({j}) - 1), "
        f"And(r{j} == 0, 0 <= S({j}), S({j}) <= T({j}), 0 <= R({j}), R({j}) <= t({j}) - 1, M({j}) < b({j})))":
            f"l. 139 and 154, and (2.6), l. 166 and 168, at agent {j}: S({j}) tokens are loaded, and a batch is full "
            "unless fewer than b tokens can be loaded"}


# of one agent, in these steps: where it works, where it does not, and what that is at most
SERVED = ("Implies(And(ww <= bb, ww > 0, aa >= 0, aa < ww, Ff >= 0), "
          "(Ff - ww)**2 + 2*(Ff - ww)*aa - Ff**2 <= -2*(ww - aa)*Ff + bb**2)")
GROWN = "Implies(And(Gg >= 0, Gg <= Ff + bb, aa >= 0), Gg**2 + 2*Gg*aa <= (Ff + bb)**2 + 2*(Ff + bb)*aa)"
IDLE = ("Implies(And(Ff >= 0, bb >= 1, ww <= bb, aa >= 0, aa < ww), "
        "(Ff + bb)**2 + 2*(Ff + bb)*aa - Ff**2 <= -2*(ww - aa)*Ff + 4*bb*Ff + 3*bb**2)")
LITTLE = ("Implies(And(bb >= 1, L >= 0, Uu >= 0, ss >= 0, Ff <= L*(bb + Uu)), "
          "4*bb*Ff + 3*bb**2 + ss <= (4*L*bb**2 + 3*bb**2 + ss)*(1 + Uu))")
SQUARE = "Implies(And(bb >= 1, L >= 0, Uu >= 0, ss >= 0), bb**2 + ss <= (4*L*bb**2 + 3*bb**2 + ss)*(1 + Uu))"


def falls(j: int, agents: Sequence[int]) -> dict[str, Step]:
    """That agent j's square falls by as much as its weight is for, but for what is upstream."""
    own, here, up = list(numbers(j, agents)), list(state(j)), UPSTREAM[j]
    b, t, s, w, al, less, C, k = (own[n] for n in (1, 3, 6, 7, 8, 9, 10, 11))
    whole, small, there, clock, T, M, f, g, slot = (here[n] for n in (0, 1, 2, 3, 5, 6, 7, 8, 9))
    held, sums = f"p{j}(i) + d{j}(i)", [f"p{k}(i) + d{k}(i)" for k in up]
    most = f"L*({plus([f'n{j}(i)', *(f'({x})' for x in sums)])})"
    ahead = f"({plus([f'T({k})' for k in up])})"
    square = f"g({j})**2 + 2*g({j})*al({j}) + s({j})"
    met = {"bb": f"b({j})", "ww": f"w({j})", "aa": f"al({j})", "ss": f"s({j})", "L": "L", "Uu": ahead, "Ff": f"f({j})",
           "Gg": f"g({j})"}

    def by(lemma: str) -> tuple[str, dict[str, str]]:
        return lemma, {x: y for x, y in met.items() if re.search(rf"\b{x}\b", lemma)}

    below = plus(["1", *(f"k{i}*C({i})" for i in agents if j in UPSTREAM[i])])
    signs = [f"sign {k}" for k in (j, *up)]
    change, fallen = f"{square} - f({j})**2", f"-2*(w({j}) - al({j}))*f({j}) + C({j})*(1 + {ahead})"
    idle = (f"And(f({j}) == T({j}), 0 <= g({j}), g({j}) <= f({j}) + b({j}), "
            f"T({j}) <= L*(b({j}) + {ahead}))")
    common = (f"roof {j}", f"rate {j}", b, s, "L >= 0", f"clock {j}", f"sign {j}", f"no tokens {j}", less)
    paid = plus([f"k{j}*C({j})", *(f"k{j}*C({j})*f({i})" for i in up)])
    return {
        f"few {j}": Step(each(f"{held} <= {most}"), (
            whole, small, there, *(next(iter(state(k))) for k in up), "L >= 0"), pointwise=True),
        f"few in all {j}": Step(f"{total(held)} <= {total(most)}", (f"few {j}", "q in naturals"), pointwise=True),
        f"apart {j}": Step(f"{total(most)} == L*({plus([total(f'n{j}(i)'), *map(total, sums)])})",
                            ("q in naturals",), pointwise=True),
        f"content {j}": Step(f"T({j}) <= L*(M({j}) + {ahead})", (f"few in all {j}", f"apart {j}", T, M,
                                                            *(list(state(k))[5] for k in up))),
        f"sign of each {j}": Step(each(f"{held} >= 0"), (whole,), pointwise=True),
        f"sum {j}": Step(f"{total(held)} >= 0", (f"sign of each {j}", "q in naturals"), pointwise=True),
        f"sign {j}": Step(f"T({j}) >= 0", (f"sum {j}", T)),
        f"rate {j}": Step(f"And(w({j}) > 0, w({j}) <= b({j}), w({j})*t({j}) == b({j}), al({j}) >= 0)",
                          (b, t, own[4], own[5], w, al, "lam >= 0"),
                          hint={"lemmas": (f"w({j})*t({j}) == b({j})", f"w({j}) > 0", f"w({j})*(t({j}) - 1) >= 0")}),
        f"clock {j}": Step(f"f({j}) >= T({j})", (f, f"rate {j}", clock), hint={"lemmas": (f"r{j}*w({j}) >= 0",)}),
        f"busy or not {j}": Step(
            f"Or(g({j}) == f({j}) - w({j}), {idle})",
            (slot, f, g, f"rate {j}", b, t, clock, *signs, "L >= 0", f"content {j}"),
            hint={"lemmas": (f"r{j}*w({j}) >= 0", f"w({j})*(t({j}) - 1) == b({j}) - w({j})")}),
        f"constant {j}": Step(f"C({j}) > 0", (C, s, b, "L >= 0"), hint={"lemmas": (f"L*b({j})**2 >= 0",)}),
        f"no tokens {j}": Step(f"{ahead} >= 0", tuple(f"sign {k}" for k in up)),
        f"roof {j}": Step(f"C({j})*(1 + {ahead}) == (4*L*b({j})**2 + 3*b({j})**2 + s({j}))*(1 + {ahead})", (C,)),
        f"served {j}": Step(
            f"Or({change} <= {fallen}, {idle})",
            (f"busy or not {j}", *common), hint={"lemmas": (by(SERVED), by(SQUARE))}),
        f"fall {j}": Step(f"{change} <= {fallen}", (f"served {j}", *common),
                          hint={"lemmas": (by(GROWN), by(IDLE), by(LITTLE))}),
        f"weight {j}": Step(f"k{j} > 0", (k, less, *(f"{x} {i}" for i in agents if j in UPSTREAM[i]
                                                   for x in ("weight", "constant")))),
        f"pays {j}": Step(
            f"k{j}*({change}) <= {paid} - ({below})*f({j})",
            (f"fall {j}", f"weight {j}", f"constant {j}", k, *(f"clock {i}" for i in up)),
            hint={"lemmas": (f"2*k{j}*(w({j}) - al({j}))*f({j}) == ({below})*f({j})",
                             f"k{j}*({change}) <= k{j}*({fallen})",
                             f"k{j}*C({j}) > 0", *(f"k{j}*C({j})*(f({i}) - T({i})) >= 0" for i in up))})}


def fed_forward(agents: Sequence[int]) -> tuple[Theorem, Mapping[str, Step], Mapping[str, str], tuple[str, ...]]:
    """The theorem for agents 0, 1, ..., how it is proved, its conditions' sources, and an instance."""
    held = " + ".join(f"d{j}(i)" for j in agents)
    rows = (*(f"{x}{j}" for j in agents for x in "pd"), "z")
    numbered = {c: x for j in agents for c, x in numbers(j, agents).items()}
    states = {c: x for j in agents for c, x in state(j).items()}
    functions = f"{', '.join((*rows, *(f'n{j}' for j in agents), *CONSTANTS, *'SRfgTM'))} in functions"
    some = each(f"{held} >= 1")
    kinds = each("Natural(z(i))", "z(i) <= kinds")
    common = {functions: "of the requests 1, ..., q in the network: tokens left for agent j, features, tokens that can "
                         "be loaded at agent j; and of agent j what the conditions say",
              "q in naturals": "the number of requests in the network", "lam >= 0": STATED["lam >= 0"],
              "L >= 0": "added: a bound of the sizes", "kinds in naturals": "Sec. 2.1, l. 77: K is a finite set",
              some: "a request leaves when its last token is loaded, l. 145", kinds: "l. 77: features, numbered"}
    everything, level = plus([f"f({j})" for j in agents]), f"(1 + {plus([f'k{j}*C({j})' for j in agents])})"
    value = plus([f"k{j}*({total(f'p{j}(i) + d{j}(i)')} + r{j}*(b({j})/t({j})))**2" for j in agents])
    after = plus([f"k{j}*(g({j})**2 + 2*g({j})*al({j}) + s({j}))" for j in agents])
    theorem = Theorem(
        (*common, *numbered, *states),
        ("lam", "L", "kinds", *CONSTANTS, *(f"k{j}" for j in agents)),
        (Use(FOSTER, {"value": value, "change": f"{after} - ({value})", "lowest": "0", "rate": "1",
                      "most": f"{plus([f't({j})' for j in agents])} + (2 + kinds)*{level}"},
             {"chain": "the DTMC of l. 292, assumed irreducible, l. 176, under algorithms that meet the conditions",
              "state": "of each agent R(n), and of each request in the network the tokens left for each agent and its "
                       "feature",
              "change": "by l. 143 to 154 at each agent: for agent j a slot's requests bring al_j tokens in the mean "
                        "and s_j in the mean of the square, independent of the state, to g_j that are left"},
             {"exception": f"{everything} < {level}"}, State(tuple(f"r{j}" for j in agents), rows, "q")),))
    squares = plus([f"k{j}*f({j})**2" for j in agents])
    size = " + ".join(rows[:-1][n] + "(i)" for n in range(len(rows) - 1))
    defined = [list(state(j))[n] for j in agents for n in (5, 7)] + [list(numbers(j, agents))[7] for j in agents]
    proof: dict[str, Step] = {}
    for j in agents:
        proof |= {k: x for k, x in falls(j, agents).items() if k.partition(" ")[0] in ("sign", "sum", "rate", "clock")}
    for j in reversed(agents):
        proof |= falls(j, agents)
    proof |= {
        "value": Step(f"{value} == {squares}", tuple(defined)),
        f"{FOSTER}: positive rate": Step(given=()),
        f"{FOSTER}: bounded below": Step(given=("value", *(f"weight {j}" for j in agents)),
                                         hint={"lemmas": tuple(f"k{j}*f({j})**2 >= 0" for j in agents)}),
        "change": Step(f"{after} - ({squares}) <= {plus([f'k{j}*C({j})' for j in agents])} - ({everything})",
                       tuple(f"pays {j}" for j in agents)),
        f"{FOSTER}: drift": Step(given=("value", "change"), split=(f"{everything} - {level}",)),
        f"{FOSTER}: finite mean": Step(given=("value",)),
        f"{FOSTER}: states": Step(given=("q in naturals", kinds, *(list(state(j))[n] for j in agents for n in (0, 3)))),
        "one token": Step(each(f"1 <= {size}"), (some, *(next(iter(state(j))) for j in agents)), pointwise=True),
        "requests": Step(f"q <= {total(size)}", ("one token", "q in naturals"), pointwise=True),
        "features": Step(each(f"{size} + z(i) <= {size} + kinds"), (kinds,), pointwise=True),
        "features in all": Step(f"{total(f'{size} + z(i)')} <= {total(f'{size} + kinds')}",
                                ("features", "q in naturals"), pointwise=True),
        "features apart": Step(f"{total(f'{size} + kinds')} == {total(size)} + q*kinds",
                               ("q in naturals",), pointwise=True),
        "by agents": Step(f"{total(size)} == {plus([total(f'p{j}(i) + d{j}(i)') for j in agents])}",
                          ("q in naturals",), pointwise=True),
        "tokens": Step(f"{total(size)} <= {everything}", (
            "by agents", *(list(state(j))[5] for j in agents), *(f"clock {j}" for j in agents))),
        f"{FOSTER}: finite set": Step(
            given=("features in all", "features apart", "tokens", "requests", "kinds in naturals", "q in naturals",
                   *(list(state(j))[4] for j in agents)),
            hint={"lemmas": (("Implies(And(x >= 0, q <= y, y < v), q*x <= v*x)",
                              {"x": "kinds", "q": "q", "y": everything, "v": level}),)})}
    return theorem, proof, {**common, **numbered, **states}, instance(agents)


def instance(agents: Sequence[int]) -> tuple[str, ...]:
    """An empty network; requests beyond q, of no matter, are at agent 0."""
    everywhere = {"b": 2, "t": 1, "mp": 1, "md": 1, "s": 1, "w": 2, "al": "1/2", "C": 45, **dict.fromkeys("SRfgTM", 0)}
    found = ["lam = 1/4", "L = 2", "kinds = 1", "q = 0", "z(i) = 0*i", *(f"{x}(j) = {y} + 0*j" for x, y in
                                                                        everywhere.items())]
    weights = dict[int, str]()
    for j in reversed(agents):
        weights[j] = "(" + plus(["1", *(f"{weights[i]}*45" for i in agents if j in UPSTREAM[i])]) + ")/3"
        found += [f"k{j} = {weights[j]}", f"r{j} = 0", f"p{j}(i) = 0*i",
                  f"d{j}(i) = {'1 + ' if j in (0, max(agents)) else ''}0*i", f"n{j}(i) = {'1 + ' if j == 0 else ''}0*i"]
    return tuple(found)


NOTE = ("Under every algorithm that meets (2.6) at each agent, (K_p, K_d)-FCFS ones among them. Added: sizes are "
        "bounded, as in l. 204, and the tokens of a slot's requests have a second moment. A request leaves an agent "
        "when its last token is loaded, as l. 145 has it: where t_b > 1 it is at the next one before that batch ends. ")


def bounded(id: str, place: str, line: int | tuple[int, int], agents: Sequence[int], note: str) -> Claim:
    theorem, steps, sources, met = fed_forward(agents)
    return recurrent(id, place, "", line, theorem, steps, sources, met, NOTE + note)


CLAIMS: tuple[Claim, ...] = (
    bounded("to.sec-4.3.fj-without-3.bounded", "Section 4.3", 294, (0, 1, 2),
            "Without agent 3 three agents are left; a request leaves when tasks 1 and 2 are done."),
    bounded("to.conj-1.bounded", "Conjecture 1", (288, 292), (0, 1, 2, 3),
            "Of the conjecture this leaves open sizes without a bound."),
)
