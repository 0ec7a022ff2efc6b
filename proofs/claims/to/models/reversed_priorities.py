"""The network of Rybko-Stolyar type with the priorities reversed, sizes without a bound: Foster's theorem.

A row is a visit of a request, to one agent: class 0 is type A's first one, to agent 1, 3 its second one, to agent 2; 1
and 2 are type B's, to agent 2 and to agent 1. The sizes of the second visit come with it, as they are independent of
the first one's. V_j are p + d + c d (d + p), summed over the visits that queue j serves: each type's first visits, 0
and 1, which have priority, and all visits to an agent, 2 and 3. N_j adds, for each first visit that a visit to the
agent is to follow, what this brings in the mean. A full batch takes b off V_j; a batch that is not full has a token of
each visit, and takes c d off for each; where this is less than b, V_j is small, and N_j at most a multiple of the other
type's first visits. The sum of k_j N_j^2 falls, with weights k_j that are larger for first visits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qtheory.proofs.chains import FOSTER, Chain, Outcome, Recurrence, State, at, each, joined
from qtheory.proofs.proving.lines import Line, Proof, named, since

from .fed_forward import plus
from .recurrence import recurrent, total

CLASSES = QUEUES = (0, 1, 2, 3)
SERVES = {0: (0,), 1: (1,), 2: (0, 2), 3: (1, 3)}  # classes, by queue
UP = {2: 1, 3: 0}  # the first visits that one to this agent is to follow: that is class 2 of queue 2, 3 of 3
RATES = {0: "l_A*mu(0)", 1: "l_B*mu(1)", 2: "l_A*mu(0) + l_B*mu(2)", 3: "l_B*mu(1) + l_A*mu(3)"}
TOKENS = {2: "l_A*(mp(0) + md(0)) + l_B*(mp(2) + md(2))", 3: "l_B*(mp(1) + md(1)) + l_A*(mp(3) + md(3))"}
PRODUCTS = {2: "1 + l_A*sq(0) + l_B*sq(2)", 3: "1 + l_B*sq(1) + l_A*sq(3)"}
LEFT = {f"{x}{j}": f"{y}{j}" for j in CLASSES for x, y in (("p", "x"), ("d", "y"))}
CAME = {f"{x}{j}": f"v{x}{j}" for j in CLASSES for x in "pd"}
PARAMETERS = ("l_A", "l_B", "b", "c", "D", "room", "mp", "md", "sq", "mu", "al", "s", "C", "gap", "big",
              *(f"k{j}" for j in QUEUES))


def worth(c: int) -> str:
    return f"p{c}(i) + d{c}(i) + c*d{c}(i)*(d{c}(i) + p{c}(i))"


def served(j: int) -> str:
    return plus([worth(c) for c in SERVES[j]])


def loaded(c: int) -> str:
    return f"p{c}(i) - x{c}(i) + d{c}(i) - y{c}(i)"


def waiting(j: int) -> str:
    return f"Min(d{UP[j]}(i), 1)"


def queued(j: int) -> str:
    return f"{served(j)} + mu({j})*{waiting(j)}" if j in UP else served(j)


def ended(j: int, sign: str) -> str:
    """What the first visits that end are to bring in the mean."""
    return f" {sign} ends({UP[j]})*mu({j})" if j in UP else ""


def below(j: int) -> str:
    return plus(["1", *(f"k{i}*C({i})" for i in UP if UP[i] == j)])


WHOLE = each(*(f"Natural({x}{c}(i))" for c in CLASSES for x in "pd"))
SOME = "d0(i) + d1(i) + d2(i) + d3(i) >= 1"
ENDS = {c: f"Or(d{c}(i) >= 1, p{c}(i) == 0)" for c in CLASSES}
TAKEN = {c: each(f"Natural(x{c}(i))", f"Natural(y{c}(i))", f"x{c}(i) <= p{c}(i)", f"y{c}(i) <= d{c}(i)",
                 f"d{c}(i) - 1 <= y{c}(i)", f"Or(p{c}(i) == 0, y{c}(i) == d{c}(i))") for c in CLASSES}
BATCH = {j: f"S({j}) == {total(plus([loaded(c) for c in SERVES[j]]))}" for j in QUEUES}
SLOT = {j: f"Or(And(K({j}) == 0, S({j}) == b), And(K({j}) == 1, S({j}) <= b))" for j in QUEUES}
ALL = {(j, c): each(f"Or(K({j}) == 0, d{c}(i) == 0, And(p{c}(i) >= 1, x{c}(i) == 0), "
                    f"And(p{c}(i) == 0, y{c}(i) == d{c}(i) - 1))") for j in QUEUES for c in SERVES[j]}
END = {c: f"ends({c}) == {total(f'Min(d{c}(i), 1) - Min(y{c}(i), 1)')}" for c in (0, 1)}
SPREAD = {j: f"Q({j}) <= s({j})" for j in QUEUES}
MEANS = {c: (f"mp({c}) >= 1", f"md({c}) >= 1", f"sq({c}) >= 0") for c in CLASSES}
LOAD = {j: f"{TOKENS[j]} < b" for j in UP}
GAP = {j: f"gap({j}) == b - ({TOKENS[j]})" for j in UP}
BIG = {j: f"big({j}) == {PRODUCTS[j]}" for j in UP}
WEIGHT = "c == Min(gap(2)/big(2), gap(3)/big(3))"
MEAN = {c: f"mu({c}) == mp({c}) + md({c}) + c*sq({c})" for c in CLASSES}
RATE = {j: f"al({j}) == {RATES[j]}" for j in QUEUES}
SECOND = {j: f"s({j}) >= 0" for j in QUEUES}
LONG, ROOM = "D == b/c", "room == b + D + b*(b + D)"
LEVEL = {j: f"C({j}) == b**2 + 2*b*{f'(room + mu({j}))' if j in UP else 'room'} + s({j})" for j in QUEUES}
SQUARE = {j: f"2*k{j}*(b - al({j})) == {below(j)}" for j in QUEUES}
FUNCTIONS = (f"{', '.join((*LEFT, *LEFT.values()))}, mp, md, sq, mu, al, s, C, gap, big, S, K, ends, Q in functions",
             f"{', '.join(CAME.values())} in functions")
RULE = ("l. 318, with the priorities of l. 322, and l. 222: tokens of {0} fill the batch, or it has all of these that "
        "can be loaded, as decode-priority has it, in whatever order")
NAMES = {0: "type A's first visits",
         1: "type B's first visits", 2: "visits to agent 1", 3: "visits to agent 2"}
SOURCES: Mapping[str, str] = {
    FUNCTIONS[0]: "of the visits 1, ..., q that are there: tokens to load of each class j, and what is left of them; "
                  "of classes and queues j, what the conditions say",
    FUNCTIONS[1]: "the same of the visits 1, ..., m that begin at the end of a slot",
    "q in naturals": "the number of visits that are there", **dict.fromkeys(
        ("l_A >= 0", "l_B >= 0"), "l. 308: requests of a type a slot, in the mean; there they are equal"),
    "b in naturals": "l. 308: the token budget of each agent, 768", "b >= 1": "l. 308: the token budget of each agent",
    **{t: "(4.4) and (4.5), l. 310 to 316: mean token sizes of class j; l. 77" for c in CLASSES for t in MEANS[c][:2]},
    **{MEANS[c][2]: "the mean of v_d (v_d + v_p) of class j, finite as sizes are Poisson, l. 310" for c in CLASSES},
    **{LOAD[j]: "l. 308 and 318: the load of the agent is below 1, of b tokens a slot (t_b = 1)" for j in UP},
    **dict.fromkeys(SECOND.values(), "l. 308 and 310: numbers of requests and sizes are Poisson, with all moments"),
    **dict.fromkeys((*GAP.values(), *BIG.values(), WEIGHT, *MEAN.values(), *RATE.values(), LONG, ROOM, *LEVEL.values()),
                    "a definition"), **dict.fromkeys(SQUARE.values(), "a definition: the weight of a square"),
    WHOLE: "l. 124: the tokens of each visit", each(SOME): "l. 145: a visit ends with its last token",
    **{each(t): "l. 145: no prefill tokens are left where no decode token is" for t in ENDS.values()},
    **{t: "(2.5a) to (2.5c), l. 134 to 136: x and y are what is left of p and d" for t in TAKEN.values()},
    **{BATCH[j]: f"(2.5d), l. 137: tokens of {NAMES[j]} in a batch" for j in QUEUES},
    **{SLOT[j]: RULE.format(NAMES[j]) + "; K is 1 where the latter is said" for j in QUEUES},
    **{ALL[j, c]: RULE.format(NAMES[j]) for j, c in ALL},
    **dict.fromkeys(END.values(), "first visits that end in the slot"),
    **dict.fromkeys(SPREAD.values(), "at most b first visits end in a slot; moments as at s(j)")}
WORDS = (
    "the Markov chain of l. 322, slot by slot, as each batch takes one slot, l. 308; its state is the visits that are "
    "there with their tokens, in the order in which they began, and it is assumed irreducible on the states that it "
    "can take, as in l. 176; visits that come are those of requests that arrive in the slot, and the second ones of "
    "those whose first one ends, ends(0) of type A and ends(1) of type B, with sizes independent of all before, l. "
    "320; with c d (d + p) for each they bring, N_j_came, beyond ends mu_j for second ones, al_j in the mean, and Q_j "
    "in the mean of the square, given the state")


def theorem() -> Recurrence:
    given = ("l_A >= 0", "l_B >= 0", "b in naturals", "b >= 1", *(t for c in CLASSES for t in MEANS[c]), *LOAD.values(),
             *SECOND.values(), *GAP.values(), *BIG.values(), WEIGHT, *MEAN.values(), *RATE.values(), LONG, ROOM,
             *LEVEL.values(), *SQUARE.values())
    row = (SOME, *ENDS.values())
    gains = {j: f"N{j}_came{ended(j, '-')}" for j in QUEUES}
    kept = {j: f"(N{j}_left{ended(j, '+')})" for j in QUEUES}
    chain = Chain(
        given, State((), tuple(LEFT), "q"), (Outcome({}, "1", LEFT, CAME, {
            "": plus([f"k{j}*{kept[j]}**2" for j in QUEUES]),
            **{gains[j]: f"2*k{j}*{kept[j]}" for j in QUEUES}, **{f"({gains[j]})**2": f"k{j}" for j in QUEUES}}),),
        FUNCTIONS, (), row, {x: "1" if x == "d0" else "0" for x in LEFT}, {f"N{j}": queued(j) for j in QUEUES},
        (*TAKEN.values(), *BATCH.values(), *SLOT.values(), *ALL.values(), *END.values(), *SPREAD.values()),
        inputs=("m", *CAME.values()),
        input=("Natural(m)", each(*(f"Natural({f}(i))" for f in CAME.values()), *(at(t, CAME) for t in row))),
        moments={**{gains[j]: f"al({j})" for j in QUEUES}, **{f"({gains[j]})**2": f"Q({j})" for j in QUEUES}},
        stay="y0(i) + y1(i) + y2(i) + y3(i)", many="m")
    level = f"(1 + {plus([f'k{j}*C({j})' for j in QUEUES])})"
    return Recurrence(chain, PARAMETERS, plus([f"k{j}*N{j}**2" for j in QUEUES]),
                      f"{plus([f'N{j}' for j in QUEUES])} < {level}", "1", f"2*{level}", WORDS, assumed=True)


FULL = ("Implies(And(g >= 0, g <= f - b, aa >= 0, aa < b, b >= 1, qq <= ss, ss >= 0, rr >= 0, uu >= 0, nn >= 0), "
        "g**2 + 2*g*aa + qq - f**2 <= -2*(b - aa)*f + (b**2 + 2*b*(rr + uu) + ss)*(1 + nn))")
IDLE = ("Implies(And(g >= 0, g <= f, f <= rr + uu*nn, aa >= 0, aa < b, b >= 1, qq <= ss, ss >= 0, rr >= 0, uu >= 0, "
        "nn >= 0), g**2 + 2*g*aa + qq - f**2 <= -2*(b - aa)*f + (b**2 + 2*b*(rr + uu) + ss)*(1 + nn))")
SPLIT = ("Implies(And(Or(And(kk == 0, ss == b), And(kk == 1, ss <= b)), ll <= vv - ss, ll <= vv - kk*c*dd, "
         "kk*pp <= kk*ss, dd >= 0, pp >= 0, c > 0, b >= 1), "
         "Or(ll <= vv - b, And(ll <= vv, c*dd < b, pp <= b)))")
SMALL = ("Implies(And(c > 0, D == b/c, dd >= 0, pp >= 0, b >= 1), "
         "Or(c*dd >= b, pp > b, And(dd <= D, c*dd*(dd + pp) <= b*(b + D))))")


def of_class(c: int) -> dict[str, Line]:
    """What a slot does to the visits of a class."""
    own, kept = worth(c), at(worth(c), LEFT)
    return {
        f"sign {c}": Line(each(f"{own} >= 0"), (WHOLE, "weight"), way="index by index"),
        f"sign left {c}": Line(each(f"{kept} >= 0"), (TAKEN[c], "weight"), way="index by index"),
        f"served {c}": Line(each(f"{kept} <= {own} - ({loaded(c)})"), (WHOLE, TAKEN[c], "weight"),
                            way="index by index"),
    }


def of_queue(j: int) -> dict[str, Line]:
    """That its square falls by as much as its weight is for, but for what is upstream."""
    classes = SERVES[j]
    own, kept = served(j), at(served(j), LEFT)
    prompts, decodes = (plus([f"{x}{c}(i)" for c in classes]) for x in "pd")
    tokens = plus([loaded(c) for c in classes])
    held = f"{prompts} + ({decodes}) + c*({decodes})*(({decodes}) + {prompts})"
    ps, ds, vs, ls = total(prompts), total(decodes), total(own), total(kept)
    first = {x: f"Sum({x}, (i, 1, n))" for x in (prompts, decodes, own)}
    out: dict[str, Line] = {}
    for c in classes:
        out |= {
            f"decoded {j} {c}": Line(
                each(f"{at(worth(c), LEFT)} <= {worth(c)} - K({j})*c*d{c}(i)"),
                (WHOLE, each(ENDS[c]), TAKEN[c], ALL[j, c], f"two {j}", "weight"), way="index by index"),
            f"prompts {j} {c}": Line(
                each(f"K({j})*p{c}(i) <= K({j})*({loaded(c)})"),
                (WHOLE, each(ENDS[c]), TAKEN[c], ALL[j, c], f"two {j}"), way="index by index")}
    nonneg = each(f"And({prompts} >= 0, {decodes} >= 0)")
    out = {f"two {j}": Line(f"Or(K({j}) == 0, K({j}) == 1)", (SLOT[j],)), **out,
        f"fall {j}": Line(f"{ls} <= {vs} - {total(tokens)}", (*(f"served {c}" for c in classes), "q in naturals")),
        f"fall below {j}": Line(f"{ls} <= {vs} - K({j})*c*{ds}", (
            *(f"decoded {j} {c}" for c in classes), "q in naturals")),
        f"prompts in all {j}": Line(f"K({j})*{ps} <= K({j})*{total(tokens)}", (
            *(f"prompts {j} {c}" for c in classes), "q in naturals")),
        f"counts {j}": Line(nonneg, (WHOLE,), way="index by index"),
        f"held {j}": Line(each(f"{own} <= {held}"), (WHOLE, "weight"), way="index by index"),
        f"parts {j}": Line(
            f"ForAll(n, And(Integer(n), n >= 0), And({first[prompts]} >= 0, {first[decodes]} >= 0, "
            f"{first[own]} <= {first[prompts]} + {first[decodes]} + "
            f"c*{first[decodes]}*({first[decodes]} + {first[prompts]})))",
            (f"held {j}", f"counts {j}", "weight"), way="first parts of sums"),
        f"content {j}": Line(f"And({ps} >= 0, {ds} >= 0, {vs} <= {ps} + {ds} + c*{ds}*({ds} + {ps}))",
                             (f"parts {j}", "q in naturals"), points=("q",)),
        f"rest {j}": Line(f"And({ls} >= 0, {vs} >= 0)", (
            *(f"sign {c}" for c in classes), *(f"sign left {c}" for c in classes), "q in naturals")),
        f"loaded {j}": Line(f"Or(And(K({j}) == 0, {total(tokens)} == b), And(K({j}) == 1, {total(tokens)} <= b))",
                            (BATCH[j], SLOT[j])),
        f"split {j}": Line(
            f"Or({ls} <= {vs} - b, And({ls} <= {vs}, c*{ds} < b, {ps} <= b))",
            (f"fall {j}", f"fall below {j}", f"prompts in all {j}", f"content {j}", f"loaded {j}", "weight", "b >= 1"),
            proof=since(Line(SPLIT, at=(("kk", f"K({j})"), ("ss", total(tokens)), ("ll", ls), ("vv", vs), ("dd", ds),
                                        ("pp", ps), ("c", "c"), ("b", "b"))))),
        f"small {j}": Line(
            f"Or(c*{ds} >= b, {ps} > b, And({ds} <= D, c*{ds}*({ds} + {ps}) <= b*(b + D)))",
            (f"content {j}", "weight", LONG, "b >= 1"),
            proof=since(Line(SMALL, at=(("c", "c"), ("dd", ds), ("b", "b"), ("D", "D"), ("pp", ps))))),
        f"either {j}": Line(f"Or({ls} <= {vs} - b, And({ls} <= {vs}, {vs} <= room))",
                            (f"split {j}", f"small {j}", f"content {j}", ROOM)),
    }
    g, f = f"(N{j}_left{ended(j, '+')})", f"N{j}"
    up = f"N{UP[j]}" if j in UP else "0"
    many = total(waiting(j)) if j in UP else "0"
    mean = f"mu({j})" if j in UP else "0"
    if j in UP:
        out |= {
            f"one each {j}": Line(each(f"And({waiting(j)} >= 0, {waiting(j)} <= {worth(UP[j])})"), (WHOLE, "weight"),
                                  way="index by index"),
            f"numbers {j}": Line(f"And({many} >= 0, {many} <= {up})", (f"one each {j}", "q in naturals"))}
    else:
        out |= {f"numbers {j}": Line("0 <= 0", ())}
    out |= {
        f"value {j}": Line(f"{f} == {vs} + {mean}*{many}", ("q in naturals",)),
        f"left {j}": Line(f"{g} == {ls} + {mean}*{many}", ("q in naturals", *([END[UP[j]]] if j in UP else []))),
        f"now {j}": Line(
            f"And({g} >= 0, {f} >= 0, Or({g} <= {f} - b, And({g} <= {f}, {f} <= room + {mean}*{up})))",
            (f"value {j}", f"left {j}", f"either {j}", f"rest {j}", f"numbers {j}", f"mean {j}")),
        f"change {j}": Line(
            f"{g}**2 + 2*{g}*al({j}) + Q({j}) - {f}**2 <= -2*(b - al({j}))*{f} + C({j})*(1 + {up})",
            (f"now {j}", f"rate {j}", "b >= 1", SPREAD[j], SECOND[j], "room", f"mean {j}", LEVEL[j],
             *([f"now {UP[j]}"] if j in UP else [])),
            proof=since(*(Line(x, at=(("g", g), ("f", f), ("b", "b"), ("aa", f"al({j})"), ("qq", f"Q({j})"),
                                      ("ss", f"s({j})"), ("rr", "room"), ("uu", mean), ("nn", up)))
                          for x in (FULL, IDLE)))),
        f"constant {j}": Line(f"C({j}) > 0", (LEVEL[j], SECOND[j], "room", f"mean {j}", "b >= 1")),
        f"weight {j}": Line(f"k{j} > 0", (SQUARE[j], f"rate {j}", *(
            f"{x} {i}" for i in UP if UP[i] == j for x in ("weight", "constant")))),
        f"pays {j}": Line(
            f"k{j}*({g}**2 + 2*{g}*al({j}) + Q({j}) - {f}**2) <= k{j}*C({j})*(1 + {up}) - ({below(j)})*{f}",
            (f"change {j}", f"weight {j}", SQUARE[j]),
            proof=since(f"2*k{j}*(b - al({j}))*{f} == ({below(j)})*{f}"))}
    return out


def steps() -> dict[str, Line]:
    claim = theorem()
    chain, everything = claim.chain, plus([f"N{j}" for j in QUEUES])
    gone = joined([f"{at(queued(j), LEFT)} == 0" for j in QUEUES])
    size = plus(LEFT_SIZES)
    proof: dict[str, Line] = {}
    for j in UP:
        proof |= {f"gap {j}": Line(f"gap({j}) > 0", (GAP[j], LOAD[j])),
                  f"big {j}": Line(f"big({j}) >= 1", (BIG[j], "l_A >= 0", "l_B >= 0", *(MEANS[c][2] for c in CLASSES)))}
    proof |= {
        "quotients": Line("And(gap(2)/big(2) > 0, gap(3)/big(3) > 0)", (
            *(f"{x} {j}" for j in UP for x in ("gap", "big")),)),
        "weights": Line("And(c > 0, c <= gap(2)/big(2), c <= gap(3)/big(3))", (WEIGHT, "quotients"), proof=since(Line(
            "Implies(And(c == Min(y, z), y > 0, z > 0), And(c > 0, c <= y, c <= z))",
            at=(("c", "c"), ("y", "gap(2)/big(2)"), ("z", "gap(3)/big(3)"))))),
        "weight": Line("c > 0", ("weights",)),
        **{f"share {j}": Line(f"c*big({j}) <= gap({j})", ("weights", f"big {j}"), proof=since(Line(
            "Implies(And(y <= g/x, x >= 1), y*x <= g)",
            at=(("y", "c"), ("g", f"gap({j})"), ("x", f"big({j})"))))) for j in UP},
        "room": Line("And(room >= 0, D > 0)", (LONG, ROOM, "weight", "b >= 1"), proof=since("D > 0")),
        **{f"mean of {c}": Line(f"mu({c}) >= 0", (MEAN[c], *MEANS[c], "weight")) for c in CLASSES},
        **{f"mean {j}": Line(f"mu({j}) >= 0", (f"mean of {j}",)) for j in UP},
        **{f"mean {j}": Line("0 <= 0", ()) for j in (0, 1)},
        **{f"comes {j}": Line(f"al({j}) >= 0", (RATE[j], "l_A >= 0", "l_B >= 0", *(f"mean of {c}" for c in CLASSES)))
           for j in QUEUES},
        **{f"brought {j}": Line(f"al({j}) == {TOKENS[j]} + c*(big({j}) - 1)", (
            RATE[j], BIG[j], *(MEAN[c] for c in SERVES[j] if c < 2), *(MEAN[c] for c in (j,)))) for j in UP},
        **{f"below {j}": Line(f"al({j}) < b", (f"brought {j}", f"share {j}", GAP[j], "weight")) for j in UP},
        **{f"rate {j}": Line(f"And(al({j}) >= 0, al({j}) < b)", (f"comes {j}", f"below {j}")) for j in UP},
        **{f"rate {i}": Line(f"And(al({i}) >= 0, al({i}) < b)", (
            f"comes {i}", f"below {j}", RATE[i], RATE[j], "l_A >= 0", "l_B >= 0", *(f"mean of {c}" for c in CLASSES)))
           for i, j in ((0, 2), (1, 3))},
        f"{FOSTER}: next": Line(by=())}
    for c in CLASSES:
        proof |= of_class(c)
        proof[f"ended {c}"] = Line(each(f"Or(y{c}(i) >= 1, And(x{c}(i) == 0, y{c}(i) == 0))"),
                                   (TAKEN[c], WHOLE, each(ENDS[c])), way="index by index", cases=(f"y{c}(i)",))
    for c in (0, 1):
        proof[f"no more {c}"] = Line(each(f"Or(y{c}(i) >= 1, Min(y{c}(i), 1) == 0)"), (f"ended {c}",),
                                     way="index by index")
    proof |= {
        "gone": Line(each(f"Implies({chain.stay} <= 0, {gone})"), (
            *(f"ended {c}" for c in CLASSES), *TAKEN.values(), "no more 0", "no more 1"), way="index by index"),
        f"{FOSTER}: rows left": Line(by=(*TAKEN.values(), "gone", *(f"ended {c}" for c in CLASSES)),
                                     way="index by index"),
        f"{FOSTER}: rows came": Line(by=(), way="guard by guard"),
        f"{FOSTER}: blank row": Line(by=()),
        f"{FOSTER}: mean": Line(by=("q in naturals",), way="guard by guard")}
    for j in QUEUES:
        proof |= {k: x for k, x in of_queue(j).items() if k.split()[0] not in ("weight", "pays")}
    for j in reversed(QUEUES):
        proof |= {k: x for k, x in of_queue(j).items() if k.split()[0] in ("weight", "pays")}
    level = f"(1 + {plus([f'k{j}*C({j})' for j in QUEUES])})"
    proof |= {
        f"{FOSTER}: positive rate": Line(by=()),
        f"{FOSTER}: bounded below": Line(by=("q in naturals", *(f"weight {j}" for j in QUEUES)), proof=since(
            *(f"k{j}*N{j}**2 >= 0" for j in QUEUES))),
        "change": Line(f"change <= {plus([f'k{j}*C({j})' for j in QUEUES])} - ({everything})",
                       ("q in naturals", *(f"pays {j}" for j in QUEUES))),
        f"{FOSTER}: drift": Line(by=("change", "q in naturals"), cases=(f"{everything} - {level}",)),
        "one token": Line(each(f"1 <= {size}"), (each(SOME), WHOLE), way="index by index"),
        "visits": Line(f"q <= {total(size)}", ("one token", "q in naturals")),
        "tokens": Line(each(f"{size} <= {served(2)} + {served(3)}"), (WHOLE, "weight"), way="index by index"),
        "tokens in all": Line(f"{total(size)} <= {total(served(2))} + {total(served(3))}", ("tokens", "q in naturals")),
        f"{FOSTER}: finite set": Line(by=("visits", "tokens in all", "q in naturals", *(
            f"{x} {j}" for j in QUEUES for x in ("now", "value", "numbers", "mean"))))}
    return proof


LEFT_SIZES = tuple(f"{x}(i)" for x in LEFT)
INSTANCE = (
    "l_A = 1/8", "l_B = 1/8", "b = 2", "mp(j) = 1 + 0*j", "md(j) = 1 + 0*j", "sq(j) = 2 + 0*j", "gap(j) = 3/2 + 0*j",
    "big(j) = 3/2 + 0*j", "c = 1", "mu(j) = 4 + 0*j", "al(j) = 1/2 + floor(j/2)/2", "s(j) = 4 + 0*j", "D = 2",
    "room = 12", "C(j) = 56 + 16*floor(j/2)", "k2 = 1/2", "k3 = 1/2", "k0 = 37/3", "k1 = 37/3", "q = 0",
    *(f"{x}{j}(i) = {int(j == 0 and x == 'd')} + 0*i" for j in CLASSES for x in "pdxy"), "S(j) = 0*j", "K(j) = 1 + 0*j",
    "ends(j) = 0*j", "Q(j) = 2 + 2*floor(j/2)", *(f"{v}(i) = {int(v == 'vd0')} + 0*i" for v in CAME.values()))
LAW = (("3/4", ("m = 0",)), *(("1/8", ("m = 1", *(f"{x}{j}(i) = {int(j == c)} + 0*i" for j in CLASSES
                                                  for x in ("vp", "vd")))) for c in (0, 1)))
PROVED = replace(recurrent(theorem(), SOURCES, Proof(named(steps()), instance=INSTANCE, law=LAW)), budget=300)
