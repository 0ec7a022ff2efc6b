"""The proof of the fork-join network's theorem (``forked_chain``): of phi and psi, of what a slot does at an agent, and
that the sum falls."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from qtheory.proofs.chains import FOSTER, at, each, joined
from qtheory.proofs.claims.cases import Model
from qtheory.proofs.proving.lines import Line, Proof, named, since

from .fed_forward import by_index, plus
from .fork_join import UPSTREAM
from .forked_chain import (
    AFTER,
    ALL,
    BATCH,
    BUDGET,
    CLOCK,
    CURVE,
    END,
    KINDS,
    LEVEL,
    LOAD,
    LONG,
    MEAN,
    MEANS,
    PACE,
    RATE,
    ROOM,
    SLOT,
    SLOTS,
    SPREAD,
    STAR,
    SUMMED,
    SUMS,
    WEIGHT,
    Agents,
    chosen,
    conditions,
    fed,
    gain,
    held,
    higher,
    instance,
    moved,
    noise,
    share,
    slopes,
    then,
    theorem,
    waits,
    weight_of,
    whole,
    work,
    worth,
)
from .recurrence import recurrent, total
from .recurrence_parallel import GROWS
from .reversed_priorities import CAME, ENDS, LEFT, TAKEN, bundled, loaded, summed


def of_all(first: str, *of: str) -> str:
    """The formula, the last of these, for all numbers >= 0 and what is said of further ones."""
    *more, formula = of
    for text in reversed((f"{first}, {first} >= 0", *more)):
        formula = f"ForAll({text}, {formula})"
    return formula


def of_slopes() -> dict[str, Line]:
    """What is so of phi and psi; h is how far v and y are apart, at most."""
    pair, less = ("n", "u, u >= 0"), ("v", "y, And(y >= 0, y <= v)")
    good = "And(phi(y) <= phi(v), psi(y) <= psi(v) - h*phi(v) + h*phi(h))"
    bad = "And(phi(y) <= phi(v) + phi(h), psi(y) <= psi(v) + h*phi(v) + h*phi(h))"
    back, on = ("v", "h, And(h >= 0, h <= v)"), ("v", "h, h >= 0")
    return {
        "monotone": Line(of_all(*pair, "And(phi(n) >= 0, psi(n) >= 0, Or(n > u, phi(n) <= phi(u)))"), (STAR, CURVE),
                         points=("n", "u"), cases=("n - u",)),
        "sign": Line(of_all("n", "phi(n) >= 0"), (STAR,), points=("n",)),
        "slope": Line(of_all(*pair, "psi(u) <= psi(n) + phi(u)*(u - n)"), (CURVE,), points=("n", "u")),
        "sum times": Line(of_all(*pair, "(n + u)*phi(n + u) <= (n + u)*(phi(n) + phi(u))"), (STAR,),
                          points=("n", "u", "n + u")),
        "sum": Line(of_all(*pair, "phi(n + u) <= phi(n) + phi(u)"), ("sum times", "monotone"),
                    points=("n", "u", "n + u"), cases=("u",)),
        "times": Line(of_all("n", "u, u >= 1", "phi(u*n) <= u*phi(n)"), (STAR,), points=("n", "u*n"), cases=("n",)),
        "drop": Line(of_all(*less, "(v - y)*phi(y) >= 0"), ("monotone",), points=("v", "y")),
        "below": Line(of_all(*less, "And(phi(y) >= 0, phi(y) <= phi(v), psi(y) <= psi(v))"),
                      ("monotone", "slope", "drop"), points=("v", "y")),
        "off": Line(of_all(*pair, "l, And(l >= 0, l <= n + u)",
                           "And(phi(l) <= phi(n) + phi(u), psi(l) <= psi(n + u))"),
                    ("sum", "below"), points=("n", "u", "n + u", "l")),
        "near": Line(of_all(*on, "y, And(y >= 0, y <= v + h, v <= y + h)", "And((phi(h) + phi(y) - phi(v))*(h - y + v) "
                            ">= 0, (phi(h) - phi(y) + phi(v))*(h + y - v) >= 0)"), ("off",), points=("v", "h", "y")),
        "rises": Line(of_all(*on, "y, And(y >= 0, y <= v + h, v <= y + h)", "psi(y) <= psi(v) + phi(v)*(y - v) + "
                             "h*phi(h)"), ("slope", "near"), points=("v", "h", "y")),
        "worked": Line(of_all(*back, "And(h*(phi(v - h) + phi(h) - phi(v)) >= 0, psi(v - h) <= psi(v) - h*phi(v - h))"),
                       ("slope", "sum"), points=("v - h", "h", "v")),
        "works": Line(of_all(*on, "y, And(y >= 0, y <= v - h)", good), ("below", "worked"),
                      points=("v", "v - h", "y", "h")),
        "idled": Line(of_all(*on, "And(h*(phi(v) + phi(h) - phi(v + h)) >= 0, psi(v + h) <= psi(v) + h*phi(v + h))"),
                      ("sum", "slope"), points=("v", "h", "v + h")),
        "idles": Line(of_all(*on, "y, And(y >= 0, y <= v + h)", bad), ("off", "idled"), points=("v", "h", "y"))}


SHORT = "Implies(And(cc > 0, long*cc == bb), Or(cc*dd >= bb, dd <= long))"
SMALL = "Implies(And(cc > 0, dd >= 0, cc*dd < bb, dd <= long), cc*dd*(1 + dd) <= bb*(1 + long))"
GOOD = ("Implies(And(pg <= pf, sg <= sf - ww*pf + ww*pw, aa >= 0, aa + cc == ww, ww > 0, ww <= bb, pw >= 0, pw <= pb), "
        "sg + pg*aa - sf <= -cc*pf + bb*pb)")


def of_agent(agents: Agents, e: int) -> dict[str, Line]:
    """What a slot does at agent e: its V falls by the pace, or what is there is little."""
    own, kept, natural = worth(e), at(worth(e), LEFT), whole(agents)
    first, sums = [f"Sum({SUMS[e][x]}, (i, 1, n))" for x in ("pre", "dec", "V")], SUMMED[e]
    ps, ds = total(f"p{e}(i)"), total(f"d{e}(i)")
    v, n, p, d, w, b, s = (f"{x}({e})" for x in ("V", "L", "pre", "dec", "w", "b", "S"))
    more, weighed, ups = (f" + mu({e})*U({e})", f"c({e})*{d}", UPSTREAM[e]) if e else ("", f"c({e})*{d}", ())
    f, g, clock, ahead = work(e), f"g({e})", f"r{e}*w({e})", f"R({e})*w({e})"
    waiting = total(waits(e))
    there = {
        f"goes {e}": summed(f"ends({e}) == U({e}) - {total(at(waits(e), LEFT))}", END[e], sums["U"]),
        f"one each {e}": by_index(each(f"And({waits(e)} >= 0, {waits(e)} <= {plus([worth(u) for u in ups])})"),
                                  natural, *(f"weight {u}" for u in ups)),
        **{f"many {e}{x}": summed(y, f"one each {e}") for x, y in (
            ("", f"{waiting} >= 0"), (" at most", f"{waiting} <= {plus([total(worth(u)) for u in ups])}"))},
        f"upstream {e}": Line(f"And(U({e}) >= 0, U({e}) <= {plus([work(u) for u in ups])}, mu({e})*U({e}) >= 0)", (
            f"many {e}", f"many {e} at most", f"mean of {e}", sums["U"], *(f"signs {u}" for u in ups), *(
                SUMMED[u]["V"] for u in ups)), proof=since(f"U({e}) >= 0", f"mu({e})*U({e}) >= 0"))} if e else {}
    return {
        f"marks {e}": by_index(each(f"And(Min(x{e}(i), 1) >= 0, Min(x{e}(i), 1) <= Min(p{e}(i), 1))"), natural,
                               TAKEN[e]),
        f"fewer {e}": by_index(each(f"And(c({e})*(d{e}(i) - y{e}(i))*(d{e}(i) + Min(p{e}(i), 1)) >= 0, c({e})*y{e}(i)*("
                                    f"d{e}(i) + Min(p{e}(i), 1) - y{e}(i) - Min(x{e}(i), 1)) >= 0)"), natural, TAKEN[e],
                               f"weight {e}", f"marks {e}"),
        f"served {e}": by_index(each(f"And({own} >= 0, {kept} >= 0, {kept} <= {own} - ({loaded(e)}))"), natural,
                                TAKEN[e], f"weight {e}", f"marks {e}", f"fewer {e}"),
        f"natural {e}": by_index(each(f"y{e}(i) >= 0"), TAKEN[e]),
        f"ended {e}": by_index(each(f"Or(y{e}(i) >= 1, x{e}(i) == 0)"), TAKEN[e], natural,
                               each(ENDS[e]), cases=[f"y{e}(i)"]),
        f"two {e}": Line(f"Or(K({e}) == 0, K({e}) == 1)", (SLOT[e],)),
        f"loads {e}": by_index(each(
            f"And({kept} <= {own} - K({e})*c({e})*d{e}(i), K({e})*p{e}(i) <= K({e})*({loaded(e)}))"), natural,
            each(ENDS[e]), TAKEN[e], f"two {e}", f"weight {e}", ALL[e]),
        **{f"sum of {x} {e}": summed(f"{total(SUMS[e][x])} >= 0", f"served {e}") for x in ("V", "L")},
        f"sum of tokens {e}": summed(f"{total(kept)} <= {total(own)} - {total(loaded(e))}", f"served {e}"),
        f"sum of decodes {e}": summed(f"{total(kept)} <= {total(own)} - K({e})*c({e})*{ds}", f"loads {e}"),
        f"sum of prompts {e}": summed(f"K({e})*{ps} <= K({e})*{total(loaded(e))}", f"loads {e}"),
        f"fall {e}": Line(f"And({v} >= 0, {n} >= 0, {n} <= {v} - {s}, {n} <= {v} - K({e})*{weighed}, K({e})*{p} <= "
                          f"K({e})*{s})", (*(f"sum of {x} {e}" for x in ("V", "L", "tokens", "decodes", "prompts")),
                                           *(sums[x] for x in ("V", "L", "pre", "dec")), BATCH[e])),
        f"fall below {e}": Line(f"Or(K({e}) == 0, And(K({e}) == 1, {n} <= {v} - {weighed}, {p} <= {s}))",
                                (f"fall {e}", f"two {e}")),
        f"held {e}": by_index(each(f"And(p{e}(i) >= 0, d{e}(i) >= 0, {own} <= p{e}(i) + d{e}(i) + "
                                   f"c({e})*d{e}(i)*(1 + d{e}(i)))"), natural, f"weight {e}"),
        f"parts {e}": Line(
            f"ForAll(n, And(Integer(n), n >= 0), And({first[0]} >= 0, {first[1]} >= 0, {first[2]} <= {first[0]} + "
            f"{first[1]} + c({e})*{first[1]}*(1 + {first[1]})))", (f"held {e}", f"weight {e}"),
            way="first parts of sums"),
        f"sums {e}": Line(f"And({ps} >= 0, {ds} >= 0, {total(own)} <= {ps} + {ds} + c({e})*{ds}*(1 + {ds}))",
                          (f"parts {e}", "q in naturals"), points=("q",)),
        f"content {e}": Line(f"And({p} >= 0, {d} >= 0, {v} <= {p} + {d} + {weighed}*(1 + {d}))",
                             (f"sums {e}", *(sums[x] for x in ("V", "pre", "dec")))),
        f"short {e}": Line(f"Or({weighed} >= {b}, {d} <= D({e}))", (f"content {e}", f"long {e}", f"weight {e}"),
                           proof=bundled(SHORT, cc=f"c({e})", dd=d, bb=b, long=f"D({e})")),
        f"small {e}": Line(f"Or({weighed} >= {b}, {weighed}*(1 + {d}) <= {b}*(1 + D({e})))",
                           (f"content {e}", f"short {e}", f"weight {e}"), proof=bundled(
                               SMALL, cc=f"c({e})", dd=d, bb=b, long=f"D({e})")),
        f"little {e}": Line(f"Or({weighed} >= {b}, {p} > {b}, {v} <= room({e}))",
                            (f"short {e}", f"small {e}", f"content {e}", ROOM[e])),
        f"decodes {e}": Line(f"{weighed} >= 0", (f"content {e}", f"weight {e}")),
        f"slot {e}": Line(
            f"And({ahead} >= 0, {clock} >= 0, Or(And(K({e}) == 0, {ahead} == {clock} - {w} + {s}), "
            f"And(K({e}) == 1, {clock} == 0, {s} < {b}, {ahead} <= {b} - {w})))",
            (SLOT[e], f"pace {e}", f"r{e} in naturals", f"Natural(R({e}))"), proof=since(
                f"{ahead} >= 0", f"{clock} >= 0", f"Or(R({e}) > t({e}) - 1, (t({e}) - 1 - R({e}))*{w} >= 0)")),
        f"rest {e}": summed(f"N{e}_left == {n}" + (f" + mu({e})*{total(at(waits(e), LEFT))}" if e else ""), sums["L"]),
        **there,
        f"value {e}": summed(f"{f} == {v} + {clock}{more}", sums["V"], *([sums["U"]] if e else [])),
        f"after {e}": Line(f"{g} == {n} + {ahead}{more}", (AFTER[e], f"rest {e}", *([f"goes {e}"] if e else []))),
        f"signs {e}": Line(f"And({g} >= 0, {f} >= {v}, {v} >= 0)", (*(f"{x} {e}" for x in (
            "value", "after", "fall", "slot")), *([f"upstream {e}"] if e else []))),
        f"busy {e}": Line(f"Or(K({e}) == 1, {n} + {ahead} <= {v} + {clock} - {w})", (f"fall {e}", f"slot {e}")),
        f"split {e}": Line(
            f"Or({n} + {ahead} <= {v} + {clock} - {w}, And({n} + {ahead} <= {v} + {clock} + {b}, {clock} == 0, "
            f"{weighed} < {b}, {p} <= {b}))",
            tuple(f"{x} {e}" for x in ("busy", "fall below", "decodes", "slot", "pace"))),
        f"now {e}": Line(f"Or({g} <= {f} - {w}, And({g} <= {f} + {b}, {f} <= room({e}){more}))",
                         tuple(f"{x} {e}" for x in ("split", "value", "after", "little")))}


def of_change(agents: Agents, e: int) -> dict[str, Line]:
    """That psi of it falls, but for what is upstream."""
    f, g, ups = work(e), f"g({e})", UPSTREAM[e]
    sums = [plus([f"room({e})", *(work(u) for u in ups[:n])]) for n in range(len(ups) + 1)]
    above, signs = plus([f"phi{work(u)}" for u in ups]), tuple(f"signs {u}" for u in (*ups, e))
    high, own = f"mu({e})*({sums[-1]})", (f"room {e}", f"mean of {e}")
    gap, tops = f"(psi({g}) + phi({g})*al({e}) - psi{f})", f"mu({e})*(phi(room({e})) + {above})"
    numbers = (BUDGET[e], *(f"{x} {e}" for x in ("slopes", "short of", "pace", "rate", "weight")))
    met = (("pg", f"phi({g})"), ("pf", f"phi{f}"), ("sg", f"psi({g})"), ("sf", f"psi{f}"), ("bb", f"b({e})"),
           ("pb", f"phi(b({e}))"), ("aa", f"al({e})"), ("cc", f"c({e})"))
    most = f"2*b({e})*mu({e})*({above}) + C({e})"
    return {
        f"roof {e}": Line(f"Or({g} <= {f} - w({e}), And({g} <= {f} + b({e}), {f} <= {high}))", (
            f"now {e}", *own, *([f"upstream {e}"] if e else [])), proof=since(f"(mu({e}) - 1)*room({e}) >= 0", *(
                [f"mu({e})*({plus([work(u) for u in ups])} - U({e})) >= 0"] if e else []))),
        f"high {e}": Line(f"{high} >= 0", (*own, *signs)),
        **{f"apart {e}{n}": Line(f"phi({x}) <= phi({y}) + phi{work(ups[n])}", ("sum", f"room {e}", *signs),
                                 points=(y, work(ups[n]))) for n, (y, x) in enumerate(pairwise(sums))},
        f"stretched {e}": Line(f"phi({high}) <= mu({e})*phi({sums[-1]})", ("times", *own, *signs),
                               points=(sums[-1], f"mu({e})")),
        f"beneath {e}": Line(f"Or({f} > {high}, phi{f} <= phi({high}))", ("monotone", f"high {e}", *signs),
                             points=(f, high)),
        f"bends {e}": Line(f"psi{f} >= 0", (CURVE, *signs), points=(f,)),
        f"slopes {e}": Line(f"And({', '.join(f'phi({x}) >= 0' for x in (f, f'b({e})', f'w({e})', f'room({e})'))})",
                            ("sign", BUDGET[e], f"pace {e}", f"room {e}", *signs), points=(
                                f, f"b({e})", f"w({e})", f"room({e})")),
        f"short of {e}": Line(f"phi(w({e})) <= phi(b({e}))", ("monotone", BUDGET[e], f"pace {e}"), points=(
            f"w({e})", f"b({e})")),
        f"tops {e}": Line(f"And(2*b({e})*{tops} >= 0, b({e})*phi(b({e})) >= 0)", (
            f"slopes {e}", BUDGET[e], f"mean of {e}", *(f"slopes {u}" for u in ups)), proof=since(
                f"{tops} >= 0", f"b({e})*phi(b({e})) >= 0")),
        f"flat {e}": Line(f"Or({f} > {high}, phi{f} <= mu({e})*(phi(room({e})) + {above}))", (
            f"mean of {e}", f"beneath {e}", f"stretched {e}", *(f"apart {e}{n}" for n in range(len(ups)))), proof=since(
            f"mu({e})*(phi(room({e})) + {above} - phi({sums[-1]})) >= 0")),
        f"good {e}": Line(f"Or({g} > {f} - w({e}), And(phi({g}) <= phi{f}, psi({g}) <= psi{f} - w({e})*phi{f} + "
                          f"w({e})*phi(w({e}))))", ("works", f"pace {e}", *signs), points=(f, f"w({e})", g),
                          cases=(f"{f} - w({e}) - {g}",)),
        f"bad {e}": Line(f"Or({g} > {f} + b({e}), And(phi({g}) <= phi{f} + phi(b({e})), psi({g}) <= psi{f} + "
                         f"b({e})*phi{f} + b({e})*phi(b({e}))))", ("idles", BUDGET[e], *signs),
                         points=(f, f"b({e})", g), cases=(f"{f} + b({e}) - {g}",)),
        f"serves {e}": Line(f"Or({g} > {f} - w({e}), {gap} <= -c({e})*phi{f} + b({e})*phi(b({e})))", (
            f"good {e}", *numbers), proof=since(Line(GOOD, at=(*met, ("ww", f"w({e})"), ("pw", f"phi(w({e}))"))))),
        f"quick {e}": Line(f"And((b({e}) - al({e}) - c({e}))*phi{f} >= 0, (b({e}) - al({e}))*phi(b({e})) >= 0)",
                           numbers),
        f"brings {e}": Line(f"Or({g} > {f} + b({e}), al({e})*(phi{f} + phi(b({e})) - phi({g})) >= 0)",
                            (f"bad {e}", f"rate {e}")),
        f"under {e}": Line(f"Or({f} > {high}, b({e})*({tops} - phi{f}) >= 0)", (f"flat {e}", BUDGET[e])),
        f"idle {e}": Line(f"Or({g} > {f} + b({e}), {f} > {high}, {gap} <= -c({e})*phi{f} + 2*b({e})*{tops} + "
                          f"2*b({e})*phi(b({e})))", tuple(f"{x} {e}" for x in ("bad", "quick", "brings", "under"))),
        f"change {e}": Line(f"{gap} + Q({e}) <= -c({e})*phi{f} + {most}", (
            f"roof {e}", f"serves {e}", f"idle {e}", f"slopes {e}", SPREAD[e], LEVEL[e], f"tops {e}")),
        f"pays {e}": Line(
            f"k({e})*({gap} + Q({e})) <= k({e})*({most}) - ({share(agents, e)})*phi{f}",
            (f"change {e}", f"constant {e}", weight_of(agents, e)),
            proof=since(f"k({e})*c({e})*phi{f} == ({share(agents, e)})*phi{f}"))}


def arriving(agents: Agents, formula: str) -> str:
    return f"Implies({joined(theorem(agents).chain.input)}, {formula})"


def of_mean(agents: Agents, e: int) -> dict[str, Line]:
    """The bound of what psi is next, in which what comes stands apart."""
    g, ended, held_came = f"g({e})", f" - ends({e})*mu({e})" if e else "", at(held(e), CAME)
    kept, at_n = at(held(e), LEFT), f"(N{e}_left + n + R({e})*w({e}))"
    apart, higher_n = f"Abs(n{ended})", f"Abs(n{ended})*phi(Abs(n{ended}))"
    bound = f"psi(N{e}_left + {{0}} + R({e})*w({e})) <= psi({g}) + phi({g})*({{0}}{ended}) + {{1}}"

    def next_psi(n: str) -> str:
        """That it is at most this where n comes."""
        return bound.format(n, higher_n.replace("(n", f"({n}"))

    return {
        f"kept {e}": by_index(each(f"{kept} >= 0"), f"served {e}", f"mean of {e}", *(TAKEN[u] for u in UPSTREAM[e])),
        f"kept in all {e}": by_index(f"N{e}_left >= 0", f"kept {e}", "q in naturals"),
        f"level {e}": Line(f"phi({g})*(N{e}_left + R({e})*w({e}){ended.replace('-', '+')} - {g}) == 0", (AFTER[e],)),
        f"apart {e}": Line(
            f"ForAll(n, n >= 0, And({apart} >= 0, {at_n} >= 0, {at_n} <= {g} + {apart}, {g} <= {at_n} + {apart}, "
            f"{g} >= 0))", (AFTER[e], f"kept in all {e}", f"slot {e}", f"signs {e}"), points=("n",)),
        f"risen {e}": Line(f"ForAll(n, n >= 0, psi{at_n} <= psi({g}) + phi({g})*({at_n} - {g}) + {higher_n})",
                           ("rises", f"apart {e}"), points=("n", g, apart, at_n)),
        f"any {e}": Line(f"ForAll(n, n >= 0, {next_psi('n')})", (f"level {e}", f"risen {e}"), points=("n",)),
        f"new {e}": Line(arriving(agents, each(f"And(vp{e}(i) >= 0, c({e})*vd{e}(i)*(vd{e}(i) + Min(vp{e}(i), 1)) >= 0)"
                                               )), (f"weight {e}",), way="guard by guard"),
        f"comes {e}": Line(arriving(agents, each(f"{held_came} >= 0")), (f"new {e}", f"mean of {e}"),
                           way="guard by guard"),
        f"came {e}": Line(arriving(agents, f"N{e}_came >= 0"), (f"comes {e}",), way="guard by guard"),
        f"grown {e}": Line(arriving(agents, next_psi(f"N{e}_came")), (f"came {e}", f"any {e}"), way="guard by guard",
                           proof=since(Line(f"Implies(nn >= 0, {next_psi('nn')})", at=(("nn", f"N{e}_came"),)))),
        f"grows {e}": Line(arriving(agents, f"k({e})*psi{then(e)} <= k({e})*psi({g}) + (k({e})*phi({g}))*({gain(e)}) + "
                                            f"k({e})*({higher(e)})"), (f"grown {e}", f"constant {e}"),
                           way="guard by guard")}


def steps(agents: Agents) -> dict[str, Line]:
    everything, size = plus([work(e) for e in agents]), plus([f"{x}(i)" for x in moved(agents)])
    stay, gone = plus([f"y{e}(i)" for e in agents]), [f"{at(held(e), LEFT)} == 0" for e in agents]
    few = f"{slopes(agents)} < far"
    proof = of_slopes()
    for e in agents:
        proof |= {
            f"pace {e}": Line(f"And(w({e}) > 0, w({e}) <= b({e}), w({e})*t({e}) == b({e}))",
                              (PACE[e], BUDGET[e], SLOTS[e]), proof=since(
                                  f"w({e})*t({e}) == b({e})", f"w({e}) > 0", f"w({e})*(t({e}) - 1) >= 0")),
            f"weight {e}": Line(f"c({e}) > 0", (WEIGHT[e], LOAD[e], PACE[e], *MEANS[e], "lam >= 0"), proof=since(
                f"lam*sq({e}) >= 0", f"c({e})*(1 + lam*sq({e})) > 0")),
            f"long {e}": Line(f"D({e})*c({e}) == b({e})", (LONG[e], f"weight {e}")),
            f"room {e}": Line(f"room({e}) >= 0", (ROOM[e], LONG[e], BUDGET[e], f"weight {e}"), proof=since(
                f"D({e}) > 0")),
            f"mean of {e}": Line(f"mu({e}) >= 1", (MEAN[e], *MEANS[e], f"weight {e}"), proof=since(
                f"c({e})*sq({e}) >= 0")),
            f"rate {e}": Line(f"And(al({e}) >= 0, al({e}) + c({e}) == w({e}))",
                              (RATE[e], MEAN[e], WEIGHT[e], f"mean of {e}", "lam >= 0"), proof=since(
                                  f"lam*mu({e}) >= 0"))}
    for e in reversed(agents):
        proof[f"constant {e}"] = Line(f"k({e}) > 0", (weight_of(agents, e), f"weight {e}", *(
            x for j in fed(agents, e) for x in (f"constant {j}", f"mean of {j}", BUDGET[j]))), proof=since(
            *(f"b({j})*mu({j})*k({j}) >= 0" for j in fed(agents, e)), f"k({e})*c({e}) > 0"))
    for e in agents:
        proof |= of_agent(agents, e) | of_change(agents, e) | of_mean(agents, e)
    return proof | {
        **{f"stays {e}": by_index(each(f"Or({stay} > 0, y{e}(i) == 0)"), *(f"natural {u}" for u in agents))
           for e in agents},
        "stays": by_index(each(f"Or({stay} > 0, {joined([f'y{e}(i) == 0' for e in agents])})"), *(
            f"stays {e}" for e in agents)),
        **{f"empty {e}": by_index(each(f"Or({stay} > 0, {gone[e]})"), f"ended {e}", "stays") for e in agents},
        "gone": by_index(each(f"Implies({stay} <= 0, {joined(gone)})"), *(f"empty {e}" for e in agents)),
        **{f"clock {e}": Line(f"And(Natural(R({e})), R({e}) <= t({e}) - 1)", (
            CLOCK[e], f"Natural(R({e}))", SLOT[e], SLOTS[e])) for e in agents},
        f"{FOSTER}: next": Line(by=tuple(f"clock {e}" for e in agents)),
        **{f"left {e}": by_index(each(f"And(Natural(x{e}(i)), Natural(y{e}(i)), Or(y{e}(i) >= 1, x{e}(i) == 0))"),
                                 TAKEN[e], f"ended {e}") for e in agents},
        "feature": by_index(each("And(Natural(z(i)), z(i) <= kinds)"), whole(agents), each(KINDS)),
        f"{FOSTER}: rows left": by_index("", "gone", "feature", *(f"left {e}" for e in agents)),
        f"{FOSTER}: rows came": Line(by=(), way="guard by guard"),
        f"{FOSTER}: blank row": Line(by=("kinds in naturals",)),
        f"{FOSTER}: mean": Line(by=tuple(f"grows {e}" for e in agents), way="guard by guard"),
        f"{FOSTER}: positive rate": Line(by=()),
        **{f"curve {e}": Line(f"k({e})*psi{work(e)} >= 0", (f"bends {e}", f"constant {e}")) for e in agents},
        f"{FOSTER}: bounded below": Line(by=tuple(f"curve {e}" for e in agents)),
        "change": Line(f"change <= {noise(agents)} - ({slopes(agents)})", tuple(f"pays {e}" for e in agents)),
        f"{FOSTER}: drift": Line(by=("change", f"far == 1 + {noise(agents)}"), cases=(f"{slopes(agents)} - far",)),
        **{f"top {e}": Line(f"Or(phi{work(e)} >= far, {work(e)} <= top)", (GROWS, f"signs {e}"), points=(work(e),))
           for e in agents},
        "one token": by_index(each(f"1 <= {size}"), each(theorem(agents).chain.row[0]), whole(agents)),
        "requests": summed(f"q <= {total(size)}", "one token"),
        "features": by_index(each(f"{size} + z(i) <= {size} + kinds"), each(KINDS)),
        "features in all": by_index(f"{total(f'{size} + z(i)')} <= {total(size)} + q*kinds", "features",
                                    "q in naturals"),
        **{f"tokens {e}": by_index(each(f"p{e}(i) + d{e}(i) <= {worth(e)}"), whole(agents), f"weight {e}")
           for e in agents},
        **{f"tokens in all {e}": summed(f"{total(f'p{e}(i) + d{e}(i)')} <= {total(worth(e))}", f"tokens {e}")
           for e in agents},
        "by agents": summed(f"{total(size)} == {plus([total(f'p{e}(i) + d{e}(i)') for e in agents])}"),
        "tokens here": Line(f"{total(size)} <= {everything}", ("by agents", *(f"{x} {e}" for e in agents for x in (
            "tokens in all", "signs")), *(SUMMED[e]["V"] for e in agents))),
        "tops": Line(f"Implies({few}, {everything} <= {len(agents)}*top)", tuple(
            f"{x} {e}" for e in agents for x in ("top", "slopes"))),
        "kinds in all": Line(f"Implies({few}, q*kinds <= {len(agents)}*top*kinds)", (
            "tops", "requests", "tokens here", "kinds in naturals"), way="guard by guard", proof=since(
                f"({len(agents)}*top - q)*kinds >= 0")),
        f"{FOSTER}: finite set": Line(by=("kinds in all", "tops", "features in all", "requests", "tokens here", *(
            CLOCK[e] for e in agents)), way="guard by guard")}


def among(agents: Agents) -> Model:
    proved = theorem(agents)
    sources = {
        proved.chain.functions[0]: "of the requests 1, ..., q in the network: tokens p and d at each agent, a number "
                                   "for features, and what is left of the tokens; of agents what the conditions say",
        proved.chain.functions[1]: "the same of the requests 1, ..., m of which a stage begins at the end of a slot",
        "q in naturals": "the number of requests in the network",
        whole(agents): "l. 124 and 145: the tokens of each request at each agent; l. 77: features, numbered",
        each(proved.chain.row[0]): "l. 145 and 284: a stage ends when its last token is loaded; by l. 120 when "
                                   "that batch ends, up to t_b - 1 slots later",
        each(KINDS): "l. 77: features",
        **{each(ENDS[e]): "l. 145: no prefill tokens are left where no decode token is" for e in agents},
        **{f"r{e} in naturals": f"l. 126: R(n) of agent {e}" for e in agents},
        **{CLOCK[e]: "l. 154, and (2.3), l. 114, with line 116's constants: no batch takes longer than a full one"
           for e in agents}}
    proof = Proof(named(steps(agents)), instance=instance(agents), law=(("3/4", ("m = 0",)), ("1/4", ("m = 1",))))
    return replace(recurrent(proved, {**sources, **conditions(agents), **chosen(agents)}, proof), budget=600)


WITHOUT_3 = among((0, 1, 2))
ALL_AGENTS = among((0, 1, 2, 3))
