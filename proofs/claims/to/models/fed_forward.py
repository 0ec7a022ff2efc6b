"""Networks of agents that are fed forward, with bounded sizes: positive recurrence by Foster's theorem.

A queue j is a set of classes of tokens at one agent, such that b of them that can be loaded make a full batch of them:
all of an agent's, or those to which it gives priority. T_j are its tokens of all requests in the network, those that
are yet to reach it too, and F_j is T_j + R b/t_b with the agent's R. Where it has b tokens that can be loaded F_j
falls, in the mean, by b/t_b less what arrives a slot; where not, T_j is at most a multiple of b and of the tokens
upstream. The sum of k_j F_j^2 falls, with weights k_j that decrease downstream.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State, at, each, joined
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.proving.lines import Line, Proof, named, since

from .recurrence import recurrent, total


@dataclass(frozen=True)
class Network:
    """Queues 0, 1, ..., and as many classes of tokens; class j of a request can be loaded when its classes
    ``upstream[j]``, each a queue by itself, are done.

    ``classes[j]``: those of queue j; ``agent[j]``: where it is; ``all_there``: queues that have each class once;
    ``brings[j]``: tokens for queue j a slot, in the mean; ``rates``: the arrival rates; ``follows[j]``: a queue at the
    same agent which has all of queue j's tokens, so that its load condition is j's too; ``told``: sources by topic.
    """

    upstream: Mapping[int, tuple[int, ...]]
    classes: Mapping[int, tuple[int, ...]]
    agent: Mapping[int, int]
    brings: Mapping[int, str]
    rates: tuple[str, ...]
    all_there: tuple[int, ...]
    follows: Mapping[int, int]
    told: Mapping[str, str]

    @property
    def queues(self) -> tuple[int, ...]:
        return tuple(self.upstream)

    @property
    def agents(self) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.agent.values()))

    def below(self, j: int) -> list[int]:
        return [i for i in self.queues if j in self.upstream[i]]

    def held(self, j: int) -> str:
        """The tokens of request i for queue j."""
        return plus([f"p{c}(i) + d{c}(i)" for c in self.classes[j]])


def plus(parts: Sequence[str]) -> str:
    return " + ".join(parts) or "0"


def by_index(formula: str, *by: str, cases: Sequence[str] = ()) -> Line:
    """A step that is proved index by index."""
    return Line(formula, by, way="index by index", cases=tuple(cases))


def present(net: Network, c: int) -> str:
    """n_c(i): the tokens of class c of request i that can be loaded, none unless those before are done."""
    before = [f"d{k}(i)" for k in net.upstream[c]]
    there = [f"{d} == 0" for d in before]
    away = [f"And({plus(before)} >= 1, n{c}(i) == 0)"] if before else []
    here = f"And({', '.join([*there, f'd{c}(i) >= 1', f'n{c}(i) >= 1'])})"
    done = f"And(p{c}(i) == 0, d{c}(i) == 0, n{c}(i) == 0)"
    return each(f"Or({', '.join([*away, here, done])})")


def rows(net: Network) -> tuple[str, ...]:
    return (*(f"{x}{j}" for j in net.queues for x in "pd"), "z")


def whole(net: Network) -> str:
    """That the numbers of a request are natural ones."""
    return each(*(f"Natural({f}(i))" for f in rows(net)))


def entered(net: Network, p: str, d: str) -> dict[str, str]:
    """Other functions for the tokens of each class."""
    return {f"{x}{j}": f"{y}{j}" for j in net.queues for x, y in (("p", p), ("d", d))}


CONSTANTS = ("b", "t", "mp", "md", "s", "w", "al", "C")


@dataclass(frozen=True)
class Numbers:
    """Conditions on what describes queue j and its agent, its load, and the weight of its square."""

    budget: str
    slots: str
    second: str
    rate: str
    brought: str
    load: str
    level: str
    weight: str
    sources: Mapping[str, str]


def numbers(net: Network, j: int) -> Numbers:
    e, told = net.agent[j], net.told
    said = Numbers(
        f"b({e}) >= 1", f"t({e}) >= 1", f"s({j}) >= 0", f"w({e}) == b({e})/t({e})", f"al({j}) == {net.brings[j]}",
        f"al({j}) < w({e})", f"C({j}) == 4*L*b({e})**2 + 3*b({e})**2 + s({j})",
        f"2*k{j}*(w({e}) - al({j})) == {plus(['1', *(f'k{i}*C({i})' for i in net.below(j))])}", {})
    load = {} if j in net.follows else {said.load: told["load"]}
    return replace(said, sources={
        **dict.fromkeys((f"Natural(b({e}))", said.budget), told["budget"].format(e)),
        **dict.fromkeys((f"Natural(t({e}))", said.slots), told["slots"].format(e)),
        **dict.fromkeys((f"mp({j}) >= 1", f"md({j}) >= 1"), told["means"].format(j)),
        said.second: f"added: the square of the tokens for {told['queue'].format(j)} of a slot's requests has a mean, "
                     f"s({j})",
        said.rate: "a definition: tokens a slot", said.brought: "a definition", **load, said.level: "a definition",
        said.weight: "a definition: the weight of its square"})


@dataclass(frozen=True)
class Queue:
    """Conditions on a class of tokens, and on queue j: its tokens, its clock, and what a slot does there."""

    small: str
    ends: str
    there: str
    clock: str
    tokens: str
    able: str
    before: str
    after: str
    slot: str
    left: str
    loaded: str
    clocked: str
    sources: Mapping[str, str]


def state(net: Network, j: int) -> Queue:
    e, told = net.agent[j], net.told
    said = Queue(
        f"p{j}(i) + d{j}(i) <= L", f"p{j}(i) <= L*d{j}(i)", present(net, j),
        f"r{e} <= t({e})", f"T({j}) == {total(net.held(j))}",
        f"M({j}) == {total(plus([f'n{c}(i)' for c in net.classes[j]]))}", f"f({j}) == T({j}) + r{e}*w({e})",
        f"g({j}) == T({j}) - S({j}) + R({e})*w({e})",
        f"Or(And(r{e} > 0, S({j}) == 0, R({e}) == r{e} - 1), And(r{e} == 0, S({j}) == b({e}), R({e}) == t({e}) - 1), "
        f"And(r{e} == 0, 0 <= S({j}), S({j}) <= T({j}), 0 <= R({e}), R({e}) <= t({e}) - 1, M({j}) < b({e})))",
        each(f"Natural(x{j}(i))", f"Natural(y{j}(i))", f"x{j}(i) <= p{j}(i)", f"y{j}(i) <= d{j}(i)",
             f"x{j}(i) <= L*y{j}(i)"),
        f"S({j}) == T({j}) - {total(at(net.held(j), entered(net, 'x', 'y')))}", f"Natural(R({e}))", {})
    return replace(said, sources={
        each(said.small): "added: sizes are bounded, as l. 204 has it",
        each(said.ends): "(2.5c), l. 136, and l. 145: no prefill tokens (of at most L) are left where "
                         "no decode token is",
        said.left: f"(2.5a) to (2.5c), l. 134 to 136: x{j} and y{j} are what is left of p{j} and d{j}",
        said.loaded: f"(2.5d), l. 137: S({j}) tokens are loaded", said.clocked: f"l. 126 and 154: agent {e}'s R(n+1)",
        said.there: told["there"].format(told["class"].format(j), "it arrives" if not net.upstream[j] else
                                         "the ones before are done") + f"; n{j}(i) are the tokens of it that can be "
                    "loaded there, p + 1(p = 0), l. 168",
        f"r{e} in naturals": f"l. 126: R(n) of agent {e}", said.clock: "l. 154; (2.3): no batch takes longer",
        said.tokens: "a definition", said.able: "a definition", said.before: "a definition", said.after: "a definition",
        said.slot: f"l. 139 and 154, and {told['rule'].format(j)}: S({j}) tokens are loaded, and a batch is full of "
                   "them unless fewer than b tokens of them can be loaded"})


# of one queue, in these steps: where it works, where it does not, and what that is at most
SERVED = ("Implies(And(ww <= bb, ww > 0, aa >= 0, aa < ww, Ff >= 0), "
          "(Ff - ww)**2 + 2*(Ff - ww)*aa - Ff**2 <= -2*(ww - aa)*Ff + bb**2)")
GROWN = "Implies(And(Gg >= 0, Gg <= Ff + bb, aa >= 0), Gg**2 + 2*Gg*aa <= (Ff + bb)**2 + 2*(Ff + bb)*aa)"
IDLE = ("Implies(And(Ff >= 0, bb >= 1, ww <= bb, aa >= 0, aa < ww), "
        "(Ff + bb)**2 + 2*(Ff + bb)*aa - Ff**2 <= -2*(ww - aa)*Ff + 4*bb*Ff + 3*bb**2)")
LITTLE = ("Implies(And(bb >= 1, L >= 0, Uu >= 0, ss >= 0, Ff <= L*(bb + Uu)), "
          "4*bb*Ff + 3*bb**2 + ss <= (4*L*bb**2 + 3*bb**2 + ss)*(1 + Uu))")
SQUARE = "Implies(And(bb >= 1, L >= 0, Uu >= 0, ss >= 0), bb**2 + ss <= (4*L*bb**2 + 3*bb**2 + ss)*(1 + Uu))"


def falls(net: Network, j: int) -> dict[str, Line]:
    """That queue j's square falls by as much as its weight is for, but for what is upstream."""
    own, here, up, e = numbers(net, j), state(net, j), net.upstream[j], net.agent[j]
    kept = [state(net, c) for c in net.classes[j]]
    held, sums = net.held(j), [net.held(k) for k in up]
    most = f"L*({plus([*(f'n{c}(i)' for c in net.classes[j]), *(f'({x})' for x in sums)])})"
    able = plus([f"n{c}(i)" for c in net.classes[j]])
    ahead = f"({plus([f'T({k})' for k in up])})"
    square = f"g({j})**2 + 2*g({j})*al({j}) + s({j})"
    met = {"bb": f"b({e})", "ww": f"w({e})", "aa": f"al({j})", "ss": f"s({j})", "L": "L", "Uu": ahead, "Ff": f"f({j})",
           "Gg": f"g({j})"}

    def by(lemma: str) -> Line:
        return Line(lemma, at=tuple((x, y) for x, y in met.items() if re.search(rf"\b{x}\b", lemma)))

    below = plus(["1", *(f"k{i}*C({i})" for i in net.below(j))])
    signs = [f"sign {k}" for k in (j, *up)]
    change, fallen = f"{square} - f({j})**2", f"-2*(w({e}) - al({j}))*f({j}) + C({j})*(1 + {ahead})"
    idle = (f"And(f({j}) == T({j}), 0 <= g({j}), g({j}) <= f({j}) + b({e}), "
            f"T({j}) <= L*(b({e}) + {ahead}))")
    common = (f"roof {j}", f"rate {j}", own.budget, own.second, "L >= 0", f"clock {j}", f"sign {j}", f"no tokens {j}",
              own.load)
    paid = plus([f"k{j}*C({j})", *(f"k{j}*C({j})*f({i})" for i in up)])
    return {
        f"few {j}": by_index(each(f"{held} <= {most}"), whole(net), *(
            x for c in kept for x in (each(c.small), c.there)), "L >= 0"),
        f"few in all {j}": by_index(f"{total(held)} <= {total(most)}", f"few {j}", "q in naturals"),
        f"apart {j}": by_index(f"{total(most)} == L*({plus([total(able), *map(total, sums)])})", "q in naturals"),
        f"content {j}": Line(f"T({j}) <= L*(M({j}) + {ahead})", (
            f"few in all {j}", f"apart {j}", here.tokens, here.able, *(state(net, k).tokens for k in up))),
        f"sign of each {j}": by_index(each(f"{held} >= 0"), whole(net)),
        f"sum {j}": by_index(f"{total(held)} >= 0", f"sign of each {j}", "q in naturals"),
        f"sign {j}": Line(f"T({j}) >= 0", (f"sum {j}", here.tokens)),
        f"brought {j}": Line(f"al({j}) >= 0", (own.brought, *net.rates, *(
            f"{m}({i}) >= 1" for i in net.queues for m in ("mp", "md") if f"{m}({i})" in own.brought))),
        f"rate {j}": Line(f"And(w({e}) > 0, w({e}) <= b({e}), w({e})*t({e}) == b({e}), al({j}) >= 0)",
                          (own.budget, own.slots, own.rate, f"brought {j}"),
                          proof=since(f"w({e})*t({e}) == b({e})", f"w({e}) > 0", f"w({e})*(t({e}) - 1) >= 0")),
        f"clock {j}": Line(f"f({j}) >= T({j})", (here.before, f"rate {j}", f"r{e} in naturals"),
                           proof=since(f"r{e}*w({e}) >= 0")),
        f"busy or not {j}": Line(
            f"Or(g({j}) == f({j}) - w({e}), {idle})",
            (here.slot, here.before, here.after, f"rate {j}", own.budget, own.slots, f"r{e} in naturals", *signs,
             "L >= 0", f"content {j}"),
            proof=since(f"r{e}*w({e}) >= 0", f"w({e})*(t({e}) - 1) == b({e}) - w({e})")),
        f"constant {j}": Line(f"C({j}) > 0", (own.level, own.second, own.budget, "L >= 0"),
                              proof=since(f"L*b({e})**2 >= 0")),
        f"no tokens {j}": Line(f"{ahead} >= 0", tuple(f"sign {k}" for k in up)),
        f"roof {j}": Line(f"C({j})*(1 + {ahead}) == (4*L*b({e})**2 + 3*b({e})**2 + s({j}))*(1 + {ahead})",
                          (own.level,)),
        f"served {j}": Line(
            f"Or({change} <= {fallen}, {idle})",
            (f"busy or not {j}", *common), proof=since(by(SERVED), by(SQUARE))),
        f"fall {j}": Line(f"{change} <= {fallen}", (f"served {j}", *common),
                          proof=since(by(GROWN), by(IDLE), by(LITTLE))),
        f"weight {j}": Line(f"k{j} > 0", (own.weight, own.load, *(
            f"{x} {i}" for i in net.below(j) for x in ("weight", "constant")))),
        f"pays {j}": Line(
            f"k{j}*({change}) <= {paid} - ({below})*f({j})",
            (f"fall {j}", f"weight {j}", f"constant {j}", own.weight, *(f"clock {i}" for i in up)),
            proof=since(f"2*k{j}*(w({e}) - al({j}))*f({j}) == ({below})*f({j})",
                             f"k{j}*({change}) <= k{j}*({fallen})",
                             f"k{j}*C({j}) > 0", *(f"k{j}*C({j})*(f({i}) - T({i})) >= 0" for i in up)))}


def fed_forward(net: Network) -> tuple[Recurrence, tuple[Line, ...], Mapping[str, str]]:
    """The theorem of a network, how it is proved, and its conditions' sources."""
    queues, of, own = net.queues, [numbers(net, j) for j in net.queues], [state(net, j) for j in net.queues]
    some, kinds = f"{' + '.join(f'd{j}(i)' for j in queues)} >= 1", "z(i) <= kinds"
    left, came = entered(net, "x", "y"), {**entered(net, "vp", "vd"), "z": "vz"}
    names = (*rows(net), *(f"n{j}" for j in queues), *left.values(), *CONSTANTS, *"SRfgTM")
    functions = (f"{', '.join(names)} in functions", f"{', '.join(came.values())} in functions")
    given = (*net.rates, "L >= 1", "kinds in naturals", *dict.fromkeys(c for x in of for c in x.sources))
    row = (*(t for x in own for t in (x.small, x.ends)), some, kinds)
    space = tuple(dict.fromkeys(x.clock for x in own))
    sources = {functions[0]: f"of the requests 1, ..., q in the network: tokens for {net.told['class'].format('j')}, "
                             "features, tokens that can be loaded, and what is left; and of "
                             f"{net.told['queue'].format('j')} what the conditions say",
               functions[1]: "the same of the requests 1, ..., m that arrive in a slot",
               "q in naturals": "the number of requests in the network", **dict.fromkeys(net.rates, net.told["rates"]),
               "L >= 1": "added: a bound of the sizes", "kinds in naturals": "Sec. 2.1, l. 77: K is a finite set",
               whole(net): "l. 124 and 145: the tokens of each request for each class; l. 77: features, numbered",
               each(some): "a request leaves when its last token is loaded, l. 145", each(kinds): "l. 77: features",
               **{c: x for numbers_of in of for c, x in numbers_of.sources.items()},
               **{c: x for queue in own for c, x in queue.sources.items()}}
    choices = tuple(dict.fromkeys(c for x in own for c in (
        x.left, x.there, x.tokens, x.able, x.before, x.after, x.loaded, x.clocked, x.slot)))
    everything, level = plus([f"f({j})" for j in queues]), f"(1 + {plus([f'k{j}*C({j})' for j in queues])})"
    clocks = {j: f"r{net.agent[j]}*(b({net.agent[j]})/t({net.agent[j]}))" for j in queues}
    value = plus([f"k{j}*(N{j} + {clocks[j]})**2" for j in queues])
    after = plus([f"k{j}*(g({j})**2 + 2*g({j})*al({j}) + s({j}))" for j in queues])
    arrive = ("Natural(m)", each(*(f"Natural({f}(i))" for f in came.values()), *(at(t, came) for t in row)))
    chain = Chain(
        given, State(tuple(f"r{e}" for e in net.agents), rows(net), "q"), (Outcome(
            {f"r{e}": f"R({e})" for e in net.agents}, "1", left, came,
            {"": plus([f"k{j}*g({j})**2" for j in queues]), **{k: v for j in queues for k, v in (
                (f"N{j}_came", f"2*k{j}*g({j})"), (f"N{j}_came**2", f"k{j}"))}}),),
        functions, space, row, {f: "1" if f == f"d{queues[0]}" else "0" for f in rows(net)},
        {f"N{j}": net.held(j) for j in queues}, choices, inputs=("m", *came.values()), input=arrive,
        moments={k: v for j in queues for k, v in ((f"N{j}_came", f"al({j})"), (f"N{j}_came**2", f"s({j})"))},
        stay=plus([f"y{j}(i)" for j in queues]), many="m")
    theorem = Recurrence(
        chain, (*(w.partition(" ")[0] for w in net.rates), "L", "kinds", *CONSTANTS, *(f"k{j}" for j in queues)),
        value, f"{everything} < {level}", "1", f"{plus([f't({e})' for e in net.agents])} + (2 + kinds)*{level}",
        f"{net.told['chain']}; its state is of each agent R(n), and of each request in the network the tokens left for "
        f"each {net.told['class'].format('').strip()} and its feature; by l. 143 to 154 at each agent, for "
        f"{net.told['queue'].format('j')} a slot's requests bring al_j tokens in the mean and s_j in the mean of the "
        "square, independent of the state, to g_j that are left", assumed=True)
    squares = plus([f"k{j}*f({j})**2" for j in queues])
    size = " + ".join(f"{x}(i)" for x in rows(net)[:-1])
    proof: dict[str, Line] = {
        "L >= 0": Line("L >= 0", ("L >= 1",)),
        f"{FOSTER}: next": Line(by=(*space, *(c for x in own for c in (x.clocked, x.slot)))),
        f"{FOSTER}: rows left": Line(by=(
            whole(net), each(kinds), "gone", *(c for x in own for c in (each(x.small), x.left))), way="index by index"),
        f"{FOSTER}: rows came": Line(by=(), way="guard by guard"),
        f"{FOSTER}: blank row": Line(by=("L >= 1", "kinds in naturals"))}
    lefts = tuple(x.left for x in own)
    proof |= {f"ended {j}": by_index(each(f"Or(y{j}(i) >= 1, x{j}(i) == 0)"), own[j].left, cases=[f"y{j}(i)"])
              for j in queues}
    gone = joined([f"{at(net.held(j), left)} == 0" for j in queues])
    proof["gone"] = by_index(each(f"Implies({chain.stay} <= 0, {gone})"), *(f"ended {j}" for j in queues), *lefts)
    for j in queues:
        e = net.agent[j]
        term, met = f"k{j}*(N{j}_left + N{j}_came + R({e})*(b({e})/t({e})))**2", {
            "aa": f"g({j})", "yy": f"N{j}_left", "vv": f"R({e})*(b({e})/t({e}))", "nn": f"N{j}_came", "kk": f"k{j}"}
        proof |= {
            f"left {j}": Line(f"g({j}) == N{j}_left + R({e})*(b({e})/t({e}))", (
                own[j].after, own[j].loaded, own[j].tokens, of[j].rate, of[j].slots, "q in naturals")),
            f"next square {j}": Line(
                f"Implies({joined(arrive)}, {term} == k{j}*g({j})**2 + 2*k{j}*g({j})*N{j}_came + k{j}*N{j}_came**2)",
                (f"left {j}", of[j].slots, "q in naturals"), proof=since(Line(
                    "Implies(aa == yy + vv, kk*(yy + nn + vv)**2 == kk*aa**2 + 2*kk*aa*nn + kk*nn**2)",
                    at=tuple(met.items()))),
                way="guard by guard")}
    proof |= {f"{FOSTER}: mean": Line(by=(*(f"next square {j}" for j in queues), "q in naturals", *(
        x.slots for x in of)), way="guard by guard")}
    for j in queues:
        proof |= {k: x for k, x in falls(net, j).items() if k.partition(" ")[0] in ("sign", "sum", "brought")}
    for j, i in net.follows.items():
        proof[of[j].load] = Line(of[j].load, (of[j].brought, of[i].brought, of[i].load, *net.rates, *(
            f"{m}({c}) >= 1" for c in queues for m in ("mp", "md") if f"{m}({c})" in of[i].brought)))
    for j in queues:
        proof |= {k: x for k, x in falls(net, j).items() if k.partition(" ")[0] in ("rate", "clock")}
    for j in reversed(queues):
        proof |= falls(net, j)
    proof |= {
        "value": Line(f"value == {squares}", tuple(x for j in queues for x in (
            own[j].tokens, own[j].before, of[j].rate))),
        f"{FOSTER}: positive rate": Line(by=()),
        f"{FOSTER}: bounded below": Line(by=("value", *(f"weight {j}" for j in queues)),
                                         proof=since(*(f"k{j}*f({j})**2 >= 0" for j in queues))),
        "change": Line(f"{after} - ({squares}) <= {plus([f'k{j}*C({j})' for j in queues])} - ({everything})",
                       tuple(f"pays {j}" for j in queues)),
        f"{FOSTER}: drift": Line(by=("value", "change"), cases=(f"{everything} - {level}",)),
        "one token": by_index(each(f"1 <= {size}"), each(some), whole(net)),
        "requests": by_index(f"q <= {total(size)}", "one token", "q in naturals"),
        "features": by_index(each(f"{size} + z(i) <= {size} + kinds"), each(kinds)),
        "features in all": by_index(
            f"{total(f'{size} + z(i)')} <= {total(f'{size} + kinds')}", "features", "q in naturals"),
        "features apart": by_index(f"{total(f'{size} + kinds')} == {total(size)} + q*kinds", "q in naturals"),
        "by queues": by_index(f"{total(size)} == {plus([total(net.held(j)) for j in net.all_there])}", "q in naturals"),
        "tokens": Line(f"{total(size)} <= {everything}", (
            "by queues", *(x.tokens for x in own), *(f"{x} {j}" for j in queues for x in ("clock", "sign")))),
        f"{FOSTER}: finite set": Line(
            by=("features in all", "features apart", "tokens", "requests", "kinds in naturals", "q in naturals",
                   *(own[j].clock for j in queues)),
            proof=since(Line("Implies(And(x >= 0, q <= y, y < v), q*x <= v*x)", at=(
                ("x", "kinds"), ("q", "q"), ("y", everything), ("v", level)))))}
    return theorem, named(proof), sources


def instance(net: Network, rates: Mapping[str, str], brings: str, second: str = "1") -> tuple[str, ...]:
    """An empty network, ``brings`` al(j), ``second`` s(j), at which requests of (1, 1) arrive; those beyond q, of no
    matter, have tokens of the first and last class."""
    everywhere = {"b": 2, "t": 1, "mp": 1, "md": 1, "s": second, "w": 2, "al": brings, "C": f"44 + {second}",
                  **dict.fromkeys("SRfgTM", 0)}
    found = [*(f"{x} = {y}" for x, y in rates.items()), "L = 2", "kinds = 1", "q = 0", "z(i) = 0*i", "vz(i) = 0*i",
             *(f"{x}(j) = {y} + 0*j" for x, y in everywhere.items()), *(f"r{e} = 0" for e in net.agents)]
    weights = dict[int, str]()
    for j in reversed(net.queues):
        margin, level = f"(4 - 2*({brings.replace('j', str(j))}))", f"(44 + {second.replace('j', '{}')})"
        weights[j] = f"({plus(['1', *(f'{weights[i]}*{level.format(i)}' for i in net.below(j))])})/{margin}"
        found += [f"k{j} = {weights[j]}", f"p{j}(i) = 0*i",
                  f"d{j}(i) = {'1 + ' if j in (0, net.queues[-1]) else ''}0*i",
                  f"n{j}(i) = {'1 + ' if j == 0 else ''}0*i", f"x{j}(i) = 0*i", f"y{j}(i) = 0*i",
                  f"vp{j}(i) = 1 + 0*i", f"vd{j}(i) = 1 + 0*i"]
    return tuple(found)


def bounded(net: Network, met: tuple[str, ...], law: tuple[tuple[str, tuple[str, ...]], ...]) -> Model:
    theorem, steps, sources = fed_forward(net)
    return recurrent(theorem, sources, Proof(steps, instance=met, law=law))
