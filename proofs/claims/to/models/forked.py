"""The fork-join network, with and without its last agent, for sizes without a bound: by Foster's theorem.

A request is at agent 0, then at 1 and at 2, and when both tasks are done at 3; all sizes are known when it arrives. N_e
are p + d + c d (d + p) of agent e's tasks, summed over the requests in the network, F_e is N_e + R b/t_b; for u before
e, A_ue is the part of N_e of requests that are not done at u, and X_ue the sum of the products of a request's parts
of N_u and N_e. A full batch lowers F_e by b/t_b, and so does one below the budget where there are many decode tokens;
else what is at agent e is worth ``room`` at most, and F_e at most the A_ue and room. A_ue F_u falls by a multiple of
A_ue while agent u works, and X_ue by A_ue, less what is further upstream, where a batch below the budget loads a token
of each request there. So the sum of k_e F_e^2 and of h_ue (A_ue F_u + 2 b X_ue) falls, with weights that decrease
downstream.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State, at, each, joined
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.proving.lines import Line, Proof, named, since

from .fed_forward import by_index, plus
from .recurrence import MEANT, recurrent, total
from .reversed_priorities import bundled, summed
from .sources import STATED

UPSTREAM: Mapping[int, tuple[int, ...]] = {0: (), 1: (0,), 2: (0,), 3: (0, 1, 2)}
OF_AGENT = ("b", "t", "w", "mp", "md", "sq", "c", "al", "s", "D", "room", "C")
Agents = Sequence[int]


def pairs(agents: Agents) -> list[tuple[int, int]]:
    return [(u, e) for e in agents for u in UPSTREAM[e]]


def fed(agents: Agents, u: int) -> list[int]:
    return [e for e in agents if u in UPSTREAM[e]]


def left(agents: Agents) -> dict[str, str]:
    return {f"{x}{e}": f"{y}{e}" for e in agents for x, y in (("p", "x"), ("d", "y"))}


LEFT = left(tuple(UPSTREAM))


def worth(e: int) -> str:
    return f"(p{e}(i) + d{e}(i) + c({e})*d{e}(i)*(d{e}(i) + p{e}(i)))"


def loaded(e: int) -> str:
    return f"p{e}(i) - x{e}(i) + d{e}(i) - y{e}(i)"


def ahead(e: int) -> str:
    """The decode tokens before agent e: none where the request is there."""
    return plus([f"d{u}(i)" for u in UPSTREAM[e]])


def here(e: int, text: str) -> str:
    """Of requests that are at agent e, or past it, alone."""
    return f"(1 - Min({ahead(e)}, 1))*{text}" if e else text


def away(u: int, e: int) -> str:
    return f"Min(d{u}(i), 1)*{worth(e)}"


def before(e: int, of: int | None = None) -> str:
    """What is upstream of agent e, in worth at e, or at another agent."""
    return plus([f"A{u}{e if of is None else of}" for u in UPSTREAM[e]])


def work(e: int) -> str:
    return f"(N{e} + r{e}*w({e}))"


def then(e: int) -> str:
    return f"(N{e}_left + R({e})*w({e}))"


def ends(e: int) -> str:
    return f"Or(d{e}(i) >= 1, p{e}(i) == 0)"


def taken(e: int) -> str:
    return each(f"Natural(x{e}(i))", f"Natural(y{e}(i))", f"x{e}(i) <= p{e}(i)", f"y{e}(i) <= d{e}(i)",
                f"d{e}(i) - 1 <= y{e}(i)", f"Or(p{e}(i) == 0, y{e}(i) == d{e}(i))")


def absent(e: int) -> str:
    return each(f"Or({ahead(e)} == 0, And(x{e}(i) == p{e}(i), y{e}(i) == d{e}(i)))")


def batch(e: int) -> str:
    return f"S({e}) == {total(loaded(e))}"


def slot(e: int) -> str:
    return (f"Or(And(r{e} > 0, S({e}) == 0, R({e}) == r{e} - 1, K({e}) == 0), "
            f"And(r{e} == 0, S({e}) == b({e}), R({e}) == t({e}) - 1, K({e}) == 0), "
            f"And(r{e} == 0, S({e}) < b({e}), 0 <= R({e}), R({e}) <= t({e}) - 1, K({e}) == 1))")


def loads_all(e: int) -> str:
    return each(f"Or(K({e}) == 0, d{e}(i) == 0{f', {ahead(e)} >= 1' if e else ''}, And(p{e}(i) >= 1, x{e}(i) == 0), "
                f"And(p{e}(i) == 0, y{e}(i) == d{e}(i) - 1))")


def whole(agents: Agents) -> str:
    return each(*(f"Natural({x}{e}(i))" for e in agents for x in "pd"), "Natural(z(i))")


KINDS = "z(i) <= kinds"
CLOCK = {e: f"r{e} <= t({e}) - 1" for e in UPSTREAM}
TOKENS = {e: f"lam*(mp({e}) + md({e}))" for e in UPSTREAM}
BUDGET, SLOTS = {e: f"b({e}) >= 1" for e in UPSTREAM}, {e: f"t({e}) >= 1" for e in UPSTREAM}
MEANS = {e: (f"mp({e}) >= 1", f"md({e}) >= 1", f"sq({e}) >= 0") for e in UPSTREAM}
LOAD = {e: f"{TOKENS[e]} < b({e})/t({e})" for e in UPSTREAM}
PACE = {e: f"w({e}) == b({e})/t({e})" for e in UPSTREAM}
WEIGHT = {e: f"c({e})*(1 + sq({e})) == w({e}) - {TOKENS[e]}" for e in UPSTREAM}
RATE = {e: f"al({e}) == {TOKENS[e]} + c({e})*sq({e})" for e in UPSTREAM}
LONG = {e: f"D({e}) == b({e})/c({e})" for e in UPSTREAM}
ROOM = {e: f"room({e}) == b({e}) + D({e}) + b({e})*(b({e}) + D({e}))" for e in UPSTREAM}
LEVEL = {e: f"C({e}) == 4*b({e})*room({e}) + 3*b({e})**2 + s({e})" for e in UPSTREAM}


def owes(agents: Agents, e: int) -> str:
    return plus(["1", *(f"h{e}{j}*al({j})" for j in fed(agents, e))])


def square_of(agents: Agents, e: int) -> str:
    return f"2*k{e}*c({e}) == {owes(agents, e)}"


def product_of(agents: Agents, u: int, e: int) -> str:
    between = [v for v in fed(agents, u) if v in UPSTREAM[e]]
    return f"h{u}{e}*c({u}) == {plus([f'4*b({e})*k{e}', *(f'2*b({v})*h{v}{e}' for v in between)])}"


def noises(u: int, e: int) -> str:
    return f"h{u}{e}*(b({u})*al({e}) + mx({u}, {e}) + 2*b({u})*xx({u}, {e}))"


def noise(agents: Agents) -> str:
    return plus([*(f"k{e}*C({e})" for e in agents), *(noises(u, e) for u, e in pairs(agents))])


def conditions(agents: Agents) -> dict[str, str]:
    """Those on parameters, with their sources."""
    said: dict[str, str] = {"lam >= 0": STATED["lam >= 0"], "kinds in naturals": "Sec. 2.1, l. 77: K is a finite set"}
    for e in agents:
        said |= {
            **dict.fromkeys((f"Natural(b({e}))", BUDGET[e]), f"l. 290: b^{e}, a token budget"),
            **dict.fromkeys((f"Natural(t({e}))", SLOTS[e]), f"l. 290: t_b^{e}, a number of slots"),
            **dict.fromkeys(MEANS[e][:2], f"l. 282: mean token sizes at agent {e}; l. 77"),
            MEANS[e][2]: f"added: the mean of the sum of v_d (v_d + v_p) at agent {e} over a slot's requests",
            LOAD[e]: "(4.3), l. 290", PACE[e]: "a definition", WEIGHT[e]: "a definition: the weight of the squares",
            RATE[e]: "a definition: the mean of a slot's p + d + c d (d + p)",
            f"s({e}) >= 0": "added: the square of that sum has a mean, s: fourth moments of decode sizes",
            LONG[e]: "a definition", ROOM[e]: "a definition", LEVEL[e]: "a definition"}
    for u, e in pairs(agents):
        said |= {**dict.fromkeys((f"mx({u}, {e}) >= 0", f"xx({u}, {e}) >= 0"), "means of products, finite as s is"),
                 product_of(agents, u, e): "a definition: the weight of a product"}
    return said | {square_of(agents, e): "a definition: the weight of a square" for e in agents}


def chosen(agents: Agents) -> dict[str, str]:
    """Conditions on what a slot does, with their sources."""
    said = dict[str, str]()
    for e in agents:
        there = [f"l. 282: agent {e} has a request when the ones before are done with it"]*bool(e)
        said |= {taken(e): "(2.5a) to (2.5c), l. 134 to 136: x and y are what is left of p and d",
                 **dict.fromkeys([absent(e)]*bool(e), *there),
                 batch(e): f"(2.5d), l. 137: tokens in agent {e}'s batch",
                 slot(e): f"l. 139, l. 154 and (2.3), l. 114, at agent {e}; K is 1 where a batch below the budget is "
                          "formed",
                 f"Natural(R({e}))": f"l. 126 and 154: agent {e}'s R(n+1)", loads_all(e): MEANT}
    return said


WORDS = (
    "the DTMC of l. 292 under algorithms that meet the conditions; its states are those of these that it can take, l. "
    "130, and it is assumed irreducible on them, as in l. 176; its state is of each agent R(n), and of each request in "
    "the network the tokens left for each agent and its feature; by l. 143 to 154 at each agent, (2.1) and (2.2), a "
    "slot's requests bring N_e_came, with c d (d + p) for each, al_e in the mean and s_e in the mean of the square, "
    "independent of the state; they arrive at agent 0, so that A_ue_came is N_e_came, its product with N_u_came has "
    "the mean mx(u, e), and the sum of the products, request by request, xx(u, e)")


def theorem(agents: Agents) -> Recurrence:
    moved, row = left(agents), (plus([f"d{e}(i)" for e in agents]) + " >= 1", *map(ends, agents), KINDS)
    came, links = {**{f"{x}{e}": f"v{x}{e}" for e in agents for x in "pd"}, "z": "vz"}, pairs(agents)
    functions = (f"{', '.join((*moved, 'z', *moved.values(), *OF_AGENT))}, mx, xx, S, R, K in functions",
                 f"{', '.join(came.values())} in functions")
    mean = {
        "": plus([*(f"k{e}*{then(e)}**2" for e in agents),
                  *(f"h{u}{e}*(A{u}{e}_left*{then(u)} + 2*b({u})*X{u}{e}_left)" for u, e in links)]),
        **{f"N{u}_came": plus([f"2*k{u}*{then(u)}", *(f"h{u}{e}*A{u}{e}_left" for e in fed(agents, u))])
           for u in agents},
        **{f"A{u}{e}_came": f"h{u}{e}*{then(u)}" for u, e in links}, **{f"N{e}_came**2": f"k{e}" for e in agents},
        **{f"A{u}{e}_came*N{u}_came": f"h{u}{e}" for u, e in links},
        **{f"X{u}{e}_came": f"2*b({u})*h{u}{e}" for u, e in links}}
    moments = {**{f"N{e}_came": f"al({e})" for e in agents}, **{f"A{u}{e}_came": f"al({e})" for u, e in links},
               **{f"N{e}_came**2": f"s({e})" for e in agents},
               **{f"A{u}{e}_came*N{u}_came": f"mx({u}, {e})" for u, e in links},
               **{f"X{u}{e}_came": f"xx({u}, {e})" for u, e in links}}
    chain = Chain(
        tuple(conditions(agents)), State(tuple(f"r{e}" for e in agents), (*moved, "z"), "q"), (Outcome(
            {f"r{e}": f"R({e})" for e in agents}, "1", moved, came, mean),),
        functions, tuple(CLOCK[e] for e in agents), row, {x: "1" if x == "d0" else "0" for x in (*moved, "z")},
        {**{f"N{e}": worth(e) for e in agents}, **{f"A{u}{e}": away(u, e) for u, e in links},
         **{f"X{u}{e}": f"{worth(u)}*{worth(e)}" for u, e in links}},
        tuple(chosen(agents)), inputs=("m", *came.values()),
        input=("Natural(m)", each(*(f"Natural({f}(i))" for f in came.values()), *(at(t, came) for t in row))),
        moments=moments, stay=plus([f"y{e}(i)" for e in agents]), many="m")
    value = plus([*(f"k{e}*{work(e)}**2" for e in agents),
                  *(f"h{u}{e}*(A{u}{e}*{work(u)} + 2*b({u})*X{u}{e})" for u, e in links)])
    everything, level = plus([work(e) for e in agents]), f"(1 + {noise(agents)})"
    return Recurrence(
        chain, ("lam", "kinds", *OF_AGENT, "mx", "xx", *(f"k{e}" for e in agents), *(f"h{u}{e}" for u, e in links)),
        value, f"{everything} < {level}", "1", f"{plus([f't({e})' for e in agents])} + (2 + kinds)*{level}", WORDS,
        assumed=True)


SHORT = "Implies(And(cc > 0, long*cc == bb), Or(cc*dd >= bb, dd <= long))"
SMALL = ("Implies(And(cc > 0, dd >= 0, pp >= 0, cc*dd < bb, pp <= bb, dd <= long), "
         "cc*dd*(dd + pp) <= bb*(bb + long))")
GROWN = "Implies(And(gg >= 0, gg <= hh, aa >= 0), gg**2 + 2*gg*aa <= hh**2 + 2*hh*aa)"
FULL = ("Implies(And(ff >= 0, aa >= 0, cc > 0, aa + cc <= bb, vv >= 0), "
        "(ff - aa - cc)**2 + 2*(ff - aa - cc)*aa - ff**2 <= -2*cc*ff + 4*bb*vv + 3*bb**2)")
IDLE = ("Implies(And(ff >= 0, ff <= vv, aa >= 0, cc > 0, aa + cc <= bb), "
        "(ff + bb)**2 + 2*(ff + bb)*aa - ff**2 <= -2*cc*ff + 4*bb*vv + 3*bb**2)")
RISE = "Implies(And(0 <= an, an <= aa, 0 <= gg, gg <= hh, rr >= 0), an*(gg + rr) <= aa*(hh + rr))"
PAIR = "an*gg + an*rr + gg*jj + 2*bb*yn - (aa*ff + 2*bb*yy) <= -cc*aa + 2*bb*ee + jj*ff + bb*jj)"
PAIR_FULL = ("Implies(And(rr >= 0, cc > 0, aa >= 0, gg <= ff - rr - cc, an*(gg + rr) <= aa*(ff - cc), yn <= yy + ee, "
             f"bb >= 1, jj >= 0), {PAIR}")
PAIR_IDLE = ("Implies(And(aa >= 0, gg <= ff + bb, an*(gg + rr) <= aa*(ff + bb + rr), yn <= yy - aa + ee, bb >= 1, "
             f"jj >= 0, rr + cc <= bb), {PAIR}")


def of_agent(agents: Agents, e: int) -> dict[str, Line]:
    """What a slot does at agent e: F falls by the pace, or what is there is little."""
    own, kept, natural = worth(e), at(worth(e), LEFT), whole(agents)
    prompts, decodes = (here(e, f"{x}{e}(i)") for x in "pd")
    ps, ds, vs, ls = map(total, (prompts, decodes, own, kept))
    first = [f"Sum({x}, (i, 1, n))" for x in (prompts, decodes, here(e, own))]
    there, some, f, g = total(here(e, own)), total(loaded(e)), work(e), then(e)
    waits = {
        f"there or not {e}": by_index(each(f"Or({ahead(e)} == 0, {ahead(e)} >= 1)"), natural, cases=[ahead(e)]),
        f"mark {e}": by_index(each(f"Or(And({ahead(e)} == 0, Min({ahead(e)}, 1) == 0), And({ahead(e)} >= 1, "
                                   f"Min({ahead(e)}, 1) == 1))"), f"there or not {e}"),
        f"there {e}": by_index(each(
            f"Or(And({ahead(e)} == 0, {prompts} == p{e}(i), {decodes} == d{e}(i), {here(e, own)} == {own}), "
            f"And({ahead(e)} >= 1, {prompts} == 0, {decodes} == 0, {here(e, own)} == 0))"), f"mark {e}")}
    return {
        f"served {e}": by_index(each(f"And({own} >= 0, {kept} >= 0, {kept} <= {own} - ({loaded(e)}))"), natural,
                                taken(e), f"weight {e}"),
        f"natural {e}": by_index(each(f"y{e}(i) >= 0"), taken(e)),
        f"ended {e}": by_index(each(f"Or(y{e}(i) >= 1, And(x{e}(i) == 0, y{e}(i) == 0))"), taken(e), natural,
                               each(ends(e)), cases=[f"y{e}(i)"]),
        f"two {e}": Line(f"Or(K({e}) == 0, K({e}) == 1)", (slot(e),)),
        **(waits if e else {}),
        f"loads {e}": by_index(each(
            f"Or({f'{ahead(e)} >= 1' if e else '1 < 0'}, And({kept} <= {own} - K({e})*c({e})*d{e}(i), "
            f"K({e})*p{e}(i) <= K({e})*({loaded(e)})))"), natural, each(ends(e)), taken(e), f"two {e}", f"weight {e}",
            loads_all(e)),
        f"batch {e}": by_index(
            each(f"And({kept} <= {own} - K({e})*c({e})*{decodes}, K({e})*{prompts} <= K({e})*({loaded(e)}))"),
            f"loads {e}", *([f"there {e}", absent(e)] if e else [])),
        f"fall {e}": by_index(f"And({vs} >= 0, {ls} >= 0, {ls} <= {vs} - {some})", f"served {e}", "q in naturals"),
        f"fall below {e}": by_index(f"And({ls} <= {vs} - K({e})*c({e})*{ds}, K({e})*{ps} <= K({e})*{some})",
                                    f"batch {e}", "q in naturals"),
        f"held {e}": by_index(each(f"And({prompts} >= 0, {decodes} >= 0, {here(e, own)} <= {prompts} + {decodes} + "
                                   f"c({e})*{decodes}*({decodes} + {prompts}))"), natural, f"weight {e}",
                              *([f"there {e}"] if e else [])),
        f"parts {e}": Line(
            f"ForAll(n, And(Integer(n), n >= 0), And({first[0]} >= 0, {first[1]} >= 0, {first[2]} <= {first[0]} + "
            f"{first[1]} + c({e})*{first[1]}*({first[1]} + {first[0]})))", (f"held {e}", f"weight {e}"),
            way="first parts of sums"),
        f"content {e}": Line(f"And({ps} >= 0, {ds} >= 0, {there} <= {ps} + {ds} + c({e})*{ds}*({ds} + {ps}))",
                             (f"parts {e}", "q in naturals"), points=("q",)),
        f"short {e}": Line(f"Or(c({e})*{ds} >= b({e}), {ds} <= D({e}))", (f"content {e}", f"long {e}", f"weight {e}"),
                           proof=bundled(SHORT, cc=f"c({e})", dd=ds, bb=f"b({e})", long=f"D({e})")),
        f"small {e}": Line(
            f"Or(c({e})*{ds} >= b({e}), {ps} > b({e}), c({e})*{ds}*({ds} + {ps}) <= b({e})*(b({e}) + D({e})))",
            (f"content {e}", f"short {e}", f"weight {e}"), proof=bundled(
                SMALL, cc=f"c({e})", dd=ds, bb=f"b({e})", long=f"D({e})", pp=ps)),
        f"little {e}": Line(
            f"And(c({e})*{ds} >= 0, Or(c({e})*{ds} >= b({e}), {ps} > b({e}), {there} <= room({e})))",
            (f"short {e}", f"small {e}", f"content {e}", ROOM[e], f"weight {e}"), proof=since(f"c({e})*{ds} >= 0")),
        f"slot {e}": Line(
            f"And(R({e})*w({e}) >= 0, r{e}*w({e}) >= 0, Or(And(K({e}) == 0, R({e})*w({e}) == r{e}*w({e}) - w({e}) + "
            f"S({e})), And(K({e}) == 1, r{e}*w({e}) == 0, S({e}) < b({e}), R({e})*w({e}) <= b({e}) - w({e}))))",
            (slot(e), f"pace {e}", f"r{e} in naturals", f"Natural(R({e}))"), proof=since(
                f"R({e})*w({e}) >= 0", f"r{e}*w({e}) >= 0",
                f"Or(R({e}) > t({e}) - 1, (t({e}) - 1 - R({e}))*w({e}) >= 0)")),
        f"now {e}": summed(
            f"And({g} >= 0, {f} >= 0, Or({g} <= {f} - w({e}), And({g} <= {f} + b({e}), r{e}*w({e}) == 0, K({e}) == 1, "
            f"{there} <= room({e}))))",
            *(f"{x} {e}" for x in ("fall", "fall below", "little", "slot", "pace")), batch(e)),
        f"known {e}": Line(
            f"And({g} >= 0, {f} >= 0, Or({g} <= {f} - al({e}) - c({e}), And({g} <= {f} + b({e}), K({e}) == 1)), "
            f"b({e}) >= 1, c({e}) > 0, al({e}) >= 0, al({e}) + c({e}) <= b({e}))",
            (BUDGET[e], *(f"{x} {e}" for x in ("now", "weight", "pace", "rate"))))}


def squared(e: int) -> str:
    return f"({then(e)}**2 + 2*{then(e)}*al({e}) - {work(e)}**2)"


def paired(u: int, e: int) -> str:
    return (f"(A{u}{e}_left*{then(u)} + A{u}{e}_left*al({u}) + {then(u)}*al({e}) + 2*b({u})*X{u}{e}_left - "
            f"(A{u}{e}*{work(u)} + 2*b({u})*X{u}{e}))")


def paid(agents: Agents, e: int) -> Line:
    """The square, and the products that pay for what is upstream."""
    change = plus([f"k{e}*({squared(e)} + s({e}))", *(
        f"h{u}{e}*({paired(u, e)} + mx({u}, {e}) + 2*b({u})*xx({u}, {e}))" for u in UPSTREAM[e])])
    most = plus([f"k{e}*C({e})", *(f"h{u}{e}*al({e})*{work(u)} + {noises(u, e)}" for u in UPSTREAM[e])])
    return Line(f"{change} <= {most} - ({owes(agents, e)})*{work(e)}", (f"pays {e}", *(
        x for u in UPSTREAM[e] for x in (f"pays for {u}{e}", product_of(agents, u, e)))), proof=since(*(
            f"h{u}{e}*c({u})*A{u}{e} == ({product_of(agents, u, e).partition(' == ')[2]})*A{u}{e}"
            for u in UPSTREAM[e])))


def upstream(agents: Agents, u: int) -> dict[str, Line]:
    """What a slot does there to those that are to go on."""
    own, kept, on = worth(u), at(worth(u), LEFT), f"Min(y{u}(i), 1)"
    up = plus([f"Min(d{v}(i), 1)" for v in UPSTREAM[u]])
    return {
        f"done or not {u}": by_index(each(f"Or(d{u}(i) == 0, d{u}(i) >= 1)"), whole(agents), cases=[f"d{u}(i)"]),
        f"past {u}": by_index(each(
            f"And(y{u}(i) >= 0, Or(d{u}(i) >= 1, And(d{u}(i) == 0, p{u}(i) == 0, x{u}(i) == 0, y{u}(i) == 0)))"),
            taken(u), each(ends(u)), f"done or not {u}"),
        f"passed {u}": by_index(each(
            f"And({on} >= 0, {on} <= 1, Or(And(d{u}(i) >= 1, Min(d{u}(i), 1) == 1), And(d{u}(i) == 0, "
            f"Min(d{u}(i), 1) == 0, {own} == 0, {kept} == 0, {on} == 0)))"), f"past {u}"),
        f"loses {u}": by_index(each(f"Or({up} >= 1, d{u}(i) == 0, "
                                    f"{kept} <= {own} - K({u}))"), whole(agents), taken(u), f"two {u}", f"served {u}",
                               loads_all(u), *(f"passed {v}" for v in UPSTREAM[u])),
        f"loaded {u}": by_index(each(f"{kept} <= {own}"), f"served {u}", taken(u)),
        f"drops {u}": by_index(each(f"And({up} >= 0, {kept} <= {own} - K({u})*Min(d{u}(i), 1) + {up})"), f"loses {u}",
                               f"two {u}", f"served {u}", f"loaded {u}", *(f"passed {v}" for v in (*UPSTREAM[u], u)))}


def of_pair(agents: Agents, u: int, e: int) -> dict[str, Line]:
    """Of requests that are not done at agent u: their worth at agent e, and the products."""
    own, kept, first, gone = worth(e), at(worth(e), LEFT), worth(u), at(worth(u), LEFT)
    f, g, on, name = work(u), then(u), f"Min(y{u}(i), 1)", f"{u}{e}"
    numbers = (f"known {u}", f"rate {e}", f"fewer {name}", f"away in all {name}")
    pair = paired(u, e)
    up, more_up = before(u, e), plus([away(v, e) for v in UPSTREAM[u]])
    fallen = f"-c({u})*A{name} + 2*b({u})*({up}) + al({e})*{f} + b({u})*al({e})"
    met = (("an", f"A{name}_left"), ("aa", f"A{name}"), ("gg", g), ("rr", f"al({u})"))
    more = (("ff", f), ("yn", f"X{name}_left"), ("yy", f"X{name}"), ("bb", f"b({u})"), ("cc", f"c({u})"),
            ("jj", f"al({e})"), ("ee", up))
    return {
        f"same {name}": by_index(each(f"Or(d{u}(i) == 0, {kept} == {own})"), absent(e), whole(agents)),
        f"away {name}": by_index(each(f"And({on}*{kept} >= 0, {on}*{kept} <= {away(u, e)})"),
                                 f"passed {u}", f"same {name}", f"served {e}"),
        f"cross {name}": by_index(
            each(f"And({first}*{own} >= 0, {gone}*{kept} <= {first}*{own} - K({u})*({away(u, e)}) + {more_up})"),
            f"same {name}", f"served {e}", f"served {u}", f"drops {u}", f"passed {u}"),
        f"away in all {name}": by_index(f"And(A{name}_left >= 0, A{name}_left <= A{name}, A{name} >= 0)",
                                        f"away {name}", "q in naturals"),
        f"cross in all {name}": by_index(f"And(X{name} >= 0, X{name}_left <= X{name} - K({u})*A{name} + {up})",
                                         f"cross {name}", "q in naturals"),
        f"fewer {name}": Line(f"And({up} >= 0, X{name}_left <= X{name} + {up}, Or(K({u}) == 0, X{name}_left <= "
                              f"X{name} - A{name} + {up}))", (f"cross in all {name}", f"two {u}", *(
                                  f"away in all {v}{e}" for v in (*UPSTREAM[u], u)))),
        f"pair at work {name}": Line(
            f"Or({pair} <= {fallen}, And({g} <= {f} + b({u}), K({u}) == 1))", numbers, proof=since(
                Line(RISE, at=(*met, ("hh", f"{f} - al({u}) - c({u})"))), Line(PAIR_FULL, at=(*met, *more)))),
        f"pair {name}": Line(f"{pair} <= {fallen}", (f"pair at work {name}", *numbers), proof=since(
            Line(RISE, at=(*met, ("hh", f"{f} + b({u})"))), Line(PAIR_IDLE, at=(*met, *more)))),
        f"pays for {name}": Line(
            f"h{name}*({pair} + mx({u}, {e}) + 2*b({u})*xx({u}, {e})) <= -h{name}*c({u})*A{name} + "
            f"2*b({u})*h{name}*({up}) + h{name}*al({e})*{f} + {noises(u, e)}", (f"pair {name}", f"share {name}"))}


def square(agents: Agents, e: int) -> dict[str, Line]:
    """That its square falls, but for what is upstream."""
    f, g, up, further = work(e), then(e), before(e), plus([away(u, e) for u in UPSTREAM[e]])
    change = squared(e)
    fallen, met = f"-2*c({e})*{f} + 4*b({e})*({up} + room({e})) + 3*b({e})**2", (("gg", g), ("aa", f"al({e})"))
    more = (("ff", f), ("aa", f"al({e})"), ("cc", f"c({e})"), ("bb", f"b({e})"), ("vv", f"{up} + room({e})"))
    numbers = (f"known {e}", f"roof {e}")
    return {
        f"room {e}": Line(f"room({e}) >= 0", (ROOM[e], LONG[e], BUDGET[e], f"weight {e}"), proof=since(f"D({e}) > 0")),
        f"roof {e}": Line(f"{up} + room({e}) >= 0", (f"room {e}", *(f"away in all {u}{e}" for u in UPSTREAM[e]))),
        **({f"either {e}": by_index(each(f"{worth(e)} <= {further} + {here(e, worth(e))}"),
                                    f"there {e}", f"served {e}", *(f"passed {u}" for u in UPSTREAM[e])),
            f"apart {e}": by_index(f"N{e} <= {up} + {total(here(e, worth(e)))}", f"either {e}", "q in naturals")}
           if e else {}),
        f"most {e}": Line(f"Or({g} <= {f} - al({e}) - c({e}), And({g} <= {f} + b({e}), {f} <= {up} + room({e})))", (
            f"now {e}", f"rate {e}", *([f"apart {e}"] if e else []))),
        f"at work {e}": Line(f"Or({change} <= {fallen}, And({g} <= {f} + b({e}), {f} <= {up} + room({e})))", (
            f"most {e}", *numbers), proof=since(
            Line(GROWN, at=(*met, ("hh", f"{f} - al({e}) - c({e})"))), Line(FULL, at=more))),
        f"change {e}": Line(f"{change} <= {fallen}", (f"at work {e}", *numbers), proof=since(
            Line(GROWN, at=(*met, ("hh", f"{f} + b({e})"))), Line(IDLE, at=more))),
        f"pays {e}": Line(f"k{e}*({change} + s({e})) <= -({owes(agents, e)})*{f} + 4*b({e})*k{e}*({up}) + "
                          f"k{e}*C({e})", (f"change {e}", f"constant {e}", square_of(agents, e), LEVEL[e]), proof=since(
            f"2*k{e}*c({e})*{f} == ({owes(agents, e)})*{f}"))}


def weights(agents: Agents) -> dict[str, Line]:
    """That all weights are positive, from the last agent on."""
    proof = dict[str, Line]()
    for e in reversed(agents):
        proof[f"constant {e}"] = Line(
            f"k{e} > 0", (square_of(agents, e), f"weight {e}", *(
                x for j in fed(agents, e) for x in (f"share {e}{j}", f"rate {j}"))),
            proof=since(*(f"h{e}{j}*al({j}) >= 0" for j in fed(agents, e)), f"k{e}*c({e}) > 0"))
        for u in reversed(UPSTREAM[e]):
            on = [v for v in fed(agents, u) if v in UPSTREAM[e]]
            proof[f"share {u}{e}"] = Line(
                f"h{u}{e} > 0", (product_of(agents, u, e), f"constant {e}", f"weight {u}", BUDGET[e], *(
                    x for v in on for x in (f"share {v}{e}", BUDGET[v]))),
                proof=since(f"b({e})*k{e} > 0", *(f"b({v})*h{v}{e} > 0" for v in on), f"h{u}{e}*c({u}) > 0"))
    return proof


def steps(agents: Agents) -> dict[str, Line]:
    links, moved = pairs(agents), left(agents)
    everything, size = plus([work(e) for e in agents]), plus([f"{x}(i)" for x in moved])
    level, stay = f"(1 + {noise(agents)})", plus([f"y{e}(i)" for e in agents])
    proof = {
        f"pace {e}": Line(f"And(w({e}) > 0, w({e}) <= b({e}), w({e})*t({e}) == b({e}))", (PACE[e], BUDGET[e], SLOTS[e]),
                          proof=since(f"w({e})*t({e}) == b({e})", f"w({e}) > 0", f"w({e})*(t({e}) - 1) >= 0"))
        for e in agents}
    proof |= {f"weight {e}": Line(f"c({e}) > 0", (WEIGHT[e], LOAD[e], PACE[e], *MEANS[e]),
                                  proof=since(f"c({e})*(1 + sq({e})) > 0")) for e in agents}
    proof |= {f"long {e}": Line(f"D({e})*c({e}) == b({e})", (LONG[e], f"weight {e}")) for e in agents}
    proof |= {f"rate {e}": Line(f"And(al({e}) >= 0, al({e}) + c({e}) == w({e}))",
                                (RATE[e], WEIGHT[e], f"weight {e}", *MEANS[e], "lam >= 0")) for e in agents}
    proof |= weights(agents)
    for part in (*(of_agent(agents, e) for e in agents), *(upstream(agents, u) for u in agents if fed(agents, u)),
                 *(of_pair(agents, u, e) for u, e in links), *(square(agents, e) for e in agents)):
        proof |= part
    gone = [f"{at(x, LEFT)} == 0" for x in (
        *map(worth, agents), *(away(u, e) for u, e in links), *(f"{worth(u)}*{worth(e)}" for u, e in links))]
    return proof | {
        **{f"stays {e}": by_index(each(f"Or({stay} > 0, y{e}(i) <= 0)"), *(f"natural {k}" for k in agents))
           for e in agents},
        **{f"empty {e}": by_index(each(f"Or({stay} > 0, {at(worth(e), LEFT)} == 0)"), f"ended {e}", f"stays {e}")
           for e in agents},
        "gone": by_index(each(f"Implies({stay} <= 0, {joined(gone)})"), *(f"empty {e}" for e in agents)),
        **{f"next {e}": Line(f"And(Natural(R({e})), R({e}) <= t({e}) - 1)", (
            CLOCK[e], f"Natural(R({e}))", slot(e), SLOTS[e])) for e in agents},
        f"{FOSTER}: next": Line(by=tuple(f"next {e}" for e in agents)),
        **{f"left {e}": by_index(each(f"And(Natural(x{e}(i)), Natural(y{e}(i)), Or(y{e}(i) >= 1, x{e}(i) == 0))"),
                                 taken(e), f"ended {e}") for e in agents},
        "feature": by_index(each("And(Natural(z(i)), z(i) <= kinds)"), whole(agents), each(KINDS)),
        f"{FOSTER}: rows left": by_index("", "gone", "feature", *(f"left {e}" for e in agents)),
        f"{FOSTER}: rows came": Line(by=(), way="guard by guard"),
        f"{FOSTER}: blank row": Line(by=("kinds in naturals",)),
        f"{FOSTER}: mean": Line(by=("q in naturals",), way="guard by guard"),
        f"{FOSTER}: positive rate": Line(by=()),
        **{f"sign {e}": Line(f"k{e}*{work(e)}**2 >= 0", (f"constant {e}", f"known {e}", "q in naturals"))
           for e in agents},
        **{f"sign {u}{e}": Line(f"h{u}{e}*(A{u}{e}*{work(u)} + 2*b({u})*X{u}{e}) >= 0", (f"known {u}", *(
            f"{x} {u}{e}" for x in ("share", "away in all", "cross in all"))), proof=since(
            f"A{u}{e}*{work(u)} >= 0", f"b({u})*X{u}{e} >= 0")) for u, e in links},
        f"{FOSTER}: bounded below": Line(by=(*(f"sign {e}" for e in agents), *(f"sign {u}{e}" for u, e in links))),
        **{f"paid {e}": paid(agents, e) for e in agents},
        "change": summed(f"change <= {noise(agents)} - ({everything})", *(f"paid {e}" for e in agents)),
        f"{FOSTER}: drift": Line(by=("change", "q in naturals"), cases=(f"{everything} - {level}",)),
        "one token": by_index(each(f"1 <= {size}"), each(theorem(agents).chain.row[0]), whole(agents)),
        "requests": summed(f"q <= {total(size)}", "one token"),
        "features": by_index(each(f"{size} + z(i) <= {size} + kinds"), each(KINDS)),
        "features in all": by_index(f"{total(f'{size} + z(i)')} <= {total(size)} + q*kinds", "features",
                                    "q in naturals"),
        "tokens": by_index(each(f"{size} <= {plus([worth(e) for e in agents])}"), whole(agents), *(
            f"weight {e}" for e in agents)),
        "tokens in all": by_index(f"{total(size)} <= {plus([f'N{e}' for e in agents])}", "tokens", "q in naturals"),
        "tokens here": Line(f"{total(size)} <= {everything}", ("tokens in all", *(
            f"slot {e}" for e in agents))),
        f"{FOSTER}: finite set": Line(
            by=("features in all", "tokens here", "requests", "kinds in naturals", "q in naturals", *(
                CLOCK[e] for e in agents)),
            proof=since(Line("Implies(And(nn >= 0, qq <= uu, uu < vv), qq*nn <= vv*nn)", at=(
                ("nn", "kinds"), ("qq", "q"), ("uu", everything), ("vv", level)))))}


def instance(agents: Agents) -> tuple[str, ...]:
    """An empty network, at which requests of (1, 1) at each agent arrive."""
    everywhere = {"b": 2, "t": 1, "w": 2, "mp": 1, "md": 1, "sq": "1/2", "c": 1, "al": 1, "s": 4, "D": 2, "room": 12,
                  "C": 112, "S": 0, "R": 0, "K": 1}
    k, h = dict[int, Fraction](), dict[tuple[int, int], Fraction]()
    for e in reversed(agents):
        k[e] = (1 + sum((h[e, j] for j in fed(agents, e)), Fraction(0)))/2
        for u in reversed(UPSTREAM[e]):
            h[u, e] = 8*k[e] + sum(4*h[v, e] for v in fed(agents, u) if v in UPSTREAM[e])
    return ("lam = 1/4", "kinds = 1", *(f"{x}(j) = {y} + 0*j" for x, y in everywhere.items()),
            *(f"{x}(j, l) = 4 + 0*j + 0*l" for x in ("mx", "xx")), *(f"k{e} = {k[e]}" for e in agents),
            *(f"h{u}{e} = {h[u, e]}" for u, e in pairs(agents)), "q = 0", *(f"r{e} = 0" for e in agents), "z(i) = 0*i",
            "vz(i) = 0*i", *(f"{x}{e}(i) = {int(x + str(e) == 'd0')} + 0*i" for e in agents for x in "pdxy"),
            *(f"v{x}{e}(i) = 1 + 0*i" for e in agents for x in "pd"))


def among(agents: Agents) -> Model:
    proved = theorem(agents)
    sources = {
        proved.chain.functions[0]: "of the requests 1, ..., q in the network: tokens p and d for each agent, a "
                                   "feature, and what is left of the tokens; of agents what the conditions say",
        proved.chain.functions[1]: "the same of the requests 1, ..., m that arrive in a slot",
        "q in naturals": "the number of requests in the network",
        whole(agents): "l. 124 and 145: the tokens of each request for each agent; l. 77: features, numbered",
        each(proved.chain.row[0]): "a request leaves when its last token is loaded, l. 145",
        each(KINDS): "l. 77: features",
        **{each(ends(e)): "l. 145: no prefill tokens are left where no decode token is" for e in agents},
        **{f"r{e} in naturals": f"l. 126: R(n) of agent {e}" for e in agents},
        **{CLOCK[e]: "l. 154, and (2.3), l. 114: no batch takes longer than a full one" for e in agents}}
    proof = Proof(named(steps(agents)), instance=instance(agents), law=(("3/4", ("m = 0",)), ("1/4", ("m = 1",))))
    return replace(recurrent(proved, {**sources, **conditions(agents), **chosen(agents)}, proof), budget=600)


WITHOUT_3 = among((0, 1, 2))
ALL_AGENTS = among((0, 1, 2, 3))
