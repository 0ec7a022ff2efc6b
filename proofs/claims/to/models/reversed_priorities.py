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

from .fed_forward import by_index, plus
from .recurrence import recurrent, total

CLASSES = QUEUES = (0, 1, 2, 3)
SERVES = {0: (0,), 1: (1,), 2: (0, 2), 3: (1, 3)}  # classes, by queue
UP = {2: 1, 3: 0}  # the first visits that one to this agent is to follow: that is class 2 of queue 2, 3 of 3
RATES = {0: "l_A*mu(0)", 1: "l_B*mu(1)", 2: "l_A*mu(0) + l_B*mu(2)", 3: "l_B*mu(1) + l_A*mu(3)"}
TOKENS = {2: "l_A*(mp(0) + md(0)) + l_B*(mp(2) + md(2))", 3: "l_B*(mp(1) + md(1)) + l_A*(mp(3) + md(3))"}
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
STAY = "y0(i) + y1(i) + y2(i) + y3(i)"
SIGNS = ("l_A >= 0", "l_B >= 0")
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
BIG = {2: "big(2) == 1 + l_A*sq(0) + l_B*sq(2)", 3: "big(3) == 1 + l_B*sq(1) + l_A*sq(3)"}
WEIGHT = "c == Min(gap(2)/big(2), gap(3)/big(3))"
MEAN = {c: f"mu({c}) == mp({c}) + md({c}) + c*sq({c})" for c in CLASSES}
RATE = {j: f"al({j}) == {RATES[j]}" for j in QUEUES}
SECOND = {j: f"s({j}) >= 0" for j in QUEUES}
LONG, ROOM = "D == b/c", "room == b + D + b*(b + D)"
LEVEL = {j: f"C({j}) == b**2 + 2*b*{f'(room + mu({j}))' if j in UP else 'room'} + s({j})" for j in QUEUES}
SQUARE = {j: f"2*k{j}*(b - al({j})) == {below(j)}" for j in QUEUES}
FUNCTIONS = (f"{', '.join((*LEFT, *LEFT.values()))}, mp, md, sq, mu, al, s, C, gap, big, S, K, ends, Q in functions",
             f"{', '.join(CAME.values())} in functions")
RULE = ("l. 316, with the priorities of l. 322, and l. 222: tokens of {0} fill the batch, or it has all of these that "
        "can be loaded, as decode-priority has it, in whatever order")
NAMES = {0: "type A's first visits", 1: "type B's first visits", 2: "visits to agent 1", 3: "visits to agent 2"}
OF_SIZES = (*["(4.4) and (4.5), l. 310 to 316: mean token sizes of class j; l. 77"]*2,
            "the mean of v_d (v_d + v_p) of class j, finite as sizes are Poisson, l. 310")
GIVEN: Mapping[str, str] = {
    **dict.fromkeys(SIGNS, "l. 308: requests of a type a slot, in the mean; there they are equal"),
    "b in naturals": "l. 308: the token budget of each agent, 768", "b >= 1": "l. 308: the token budget of each agent",
    **{t: told for c in CLASSES for t, told in zip(MEANS[c], OF_SIZES, strict=True)},
    **dict.fromkeys(LOAD.values(), "l. 308 and 318: the load of the agent is below 1, of b tokens a slot (t_b = 1)"),
    **dict.fromkeys(SECOND.values(), "l. 308 and 310: numbers of requests and sizes are Poisson, with all moments"),
    **dict.fromkeys((*GAP.values(), *BIG.values(), WEIGHT, *MEAN.values(), *RATE.values(), LONG, ROOM, *LEVEL.values()),
                    "a definition"), **dict.fromkeys(SQUARE.values(), "a definition: the weight of a square")}
CHOICES: Mapping[str, str] = {
    **dict.fromkeys(TAKEN.values(), "(2.5a) to (2.5c), l. 134 to 136: x and y are what is left of p and d"),
    **{BATCH[j]: f"(2.5d), l. 137: tokens of {NAMES[j]} in a batch" for j in QUEUES},
    **{SLOT[j]: RULE.format(NAMES[j]) + "; K is 1 where the latter is said" for j in QUEUES},
    **{ALL[j, c]: RULE.format(NAMES[j]) for j, c in ALL},
    **dict.fromkeys(END.values(), "first visits that end in the slot"),
    **dict.fromkeys(SPREAD.values(), "at most b first visits end in a slot; moments as at s(j)")}
SOURCES: Mapping[str, str] = {
    FUNCTIONS[0]: "of the visits 1, ..., q that are there: tokens to load of each class j, and what is left of them; "
                  "of classes and queues j, what the conditions say", **GIVEN, **CHOICES,
    FUNCTIONS[1]: "the same of the visits 1, ..., m that begin at the end of a slot",
    "q in naturals": "the number of visits that are there",
    WHOLE: "l. 124: the tokens of each visit", each(SOME): "l. 145: a visit ends with its last token",
    **{each(t): "l. 145: no prefill tokens are left where no decode token is" for t in ENDS.values()}}
WORDS = (
    "the Markov chain of l. 322, slot by slot, as each batch takes one slot, l. 308; its state is the visits that are "
    "there with their tokens, in the order in which they began, and it is assumed irreducible on the states that it "
    "can take, as in l. 176; visits that come are those of requests that arrive in the slot, and the second ones of "
    "those whose first one ends, ends(0) of type A and ends(1) of type B, with sizes independent of all before, l. "
    "320; with c d (d + p) for each they bring, N_j_came, beyond ends mu_j for second ones, al_j in the mean, and Q_j "
    "in the mean of the square, given the state")


def theorem() -> Recurrence:
    row = (SOME, *ENDS.values())
    gains = {j: f"N{j}_came{ended(j, '-')}" for j in QUEUES}
    kept = {j: f"(N{j}_left{ended(j, '+')})" for j in QUEUES}
    chain = Chain(
        tuple(GIVEN), State((), tuple(LEFT), "q"), (Outcome({}, "1", LEFT, CAME, {
            "": plus([f"k{j}*{kept[j]}**2" for j in QUEUES]),
            **{gains[j]: f"2*k{j}*{kept[j]}" for j in QUEUES}, **{f"({gains[j]})**2": f"k{j}" for j in QUEUES}}),),
        FUNCTIONS, (), row, {x: "1" if x == "d0" else "0" for x in LEFT}, {f"N{j}": queued(j) for j in QUEUES},
        tuple(CHOICES), inputs=("m", *CAME.values()),
        input=("Natural(m)", each(*(f"Natural({f}(i))" for f in CAME.values()), *(at(t, CAME) for t in row))),
        moments={**{gains[j]: f"al({j})" for j in QUEUES}, **{f"({gains[j]})**2": f"Q({j})" for j in QUEUES}},
        stay=STAY, many="m")
    level = f"(1 + {plus([f'k{j}*C({j})' for j in QUEUES])})"
    return Recurrence(chain, PARAMETERS, plus([f"k{j}*N{j}**2" for j in QUEUES]),
                      f"{plus([f'N{j}' for j in QUEUES])} < {level}", "1", f"2*{level}", WORDS, assumed=True)


ROOF = ("Implies(And(qq <= ss, b >= 1, ss >= 0, rr >= 0, uu >= 0, nn >= 0), "
        "And(b**2 + qq <= (b**2 + 2*b*(rr + uu) + ss)*(1 + nn), "
        "2*b*(rr + uu*nn) + qq <= (b**2 + 2*b*(rr + uu) + ss)*(1 + nn)))")
CHANGE = ("Implies(And(g >= 0, Or(g <= f - b, And(g <= f, f <= w)), b**2 + qq <= r, 2*b*w + qq <= r, aa >= 0, b >= 1), "
          "g**2 + 2*g*aa + qq - f**2 <= -2*(b - aa)*f + r)")
SPLIT = ("Implies(And(Or(And(kk == 0, ss == b), And(kk == 1, ss <= b)), ll <= vv - ss, ll <= vv - kk*c*dd, "
         "kk*pp <= kk*ss, dd >= 0, pp >= 0, c > 0, b >= 1), Or(ll <= vv - b, And(ll <= vv, c*dd < b, pp <= b)))")
SMALL = ("Implies(And(c > 0, D == b/c, dd >= 0, pp >= 0, b >= 1), "
         "Or(c*dd >= b, pp > b, And(dd <= D, c*dd*(dd + pp) <= b*(b + D))))")


def bundled(lemma: str, **terms: str) -> tuple[Line, ...]:
    return since(Line(lemma, at=tuple(terms.items())))


def summed(formula: str, *by: str) -> Line:
    return Line(formula, (*by, "q in naturals"))


def of_class(c: int) -> dict[str, Line]:
    """What a slot does to the visits of a class."""
    own, kept = worth(c), at(worth(c), LEFT)
    return {
        f"served {c}": by_index(each(f"And({own} >= 0, {kept} >= 0, {kept} <= {own} - ({loaded(c)}))"), WHOLE, TAKEN[c],
                                "weight"),
        f"natural {c}": by_index(each(f"y{c}(i) >= 0"), TAKEN[c]),
        f"ended {c}": by_index(each(f"Or(y{c}(i) >= 1, And(x{c}(i) == 0, y{c}(i) == 0))"), TAKEN[c], WHOLE,
                               each(ENDS[c]), cases=[f"y{c}(i)"])}


def of_queue(j: int) -> dict[str, Line]:
    """That its square falls by as much as its weight is for, but for what is upstream."""
    classes, own, kept = SERVES[j], served(j), at(served(j), LEFT)
    prompts, decodes = (plus([f"{x}{c}(i)" for c in classes]) for x in "pd")
    ps, ds, vs, ls = map(total, (prompts, decodes, own, kept))
    first = [f"Sum({x}, (i, 1, n))" for x in (prompts, decodes, own)]
    row = (WHOLE, *(each(ENDS[c]) for c in classes), *(TAKEN[c] for c in classes), f"two {j}", "weight")
    many, mean, up = (total(waiting(j)), f"mu({j})", f"N{UP[j]}") if j in UP else ("0", "0", "0")
    g, f, small, most = f"(N{j}_left{ended(j, '+')})", f"N{j}", f"room + {mean}*{up}", f"C({j})*(1 + {up})"
    some, change, numbers = total(plus([loaded(c) for c in classes])), f"{g}**2 + 2*{g}*al({j}) + Q({j}) - {f}**2", (
        "b >= 1", "weight", LONG, ROOM, "q in naturals")
    waits = {
        f"one each {j}": by_index(each(f"And({waiting(j)} >= 0, {waiting(j)} <= {worth(UP[j])})"), WHOLE, "weight"),
        f"waiting {j}": summed(f"And({many} >= 0, {many} <= {up}, {up} >= 0)", f"one each {j}")} if j in UP else {}
    return waits | {
        f"two {j}": Line(f"Or(K({j}) == 0, K({j}) == 1)", (SLOT[j],)),
        **{f"batch {j} {c}": by_index(each(f"And({at(worth(c), LEFT)} <= {worth(c)} - K({j})*c*d{c}(i), "
                                           f"K({j})*p{c}(i) <= K({j})*({loaded(c)}))"), *row, ALL[j, c])
           for c in classes},
        f"fall {j}": summed(f"And({vs} >= 0, {ls} >= 0, {ls} <= {vs} - {some})", *(f"served {c}" for c in classes)),
        f"fall below {j}": summed(f"And({ls} <= {vs} - K({j})*c*{ds}, K({j})*{ps} <= K({j})*{some})", *(
            f"batch {j} {c}" for c in classes)),
        f"loaded {j}": Line(f"Or(And(K({j}) == 0, {some} == b), And(K({j}) == 1, {some} <= b))", (BATCH[j], SLOT[j])),
        f"held {j}": by_index(each(f"And({prompts} >= 0, {decodes} >= 0, {own} <= {prompts} + ({decodes}) + "
                                   f"c*({decodes})*(({decodes}) + {prompts}))"), WHOLE, "weight"),
        f"parts {j}": Line(
            f"ForAll(n, And(Integer(n), n >= 0), And({first[0]} >= 0, {first[1]} >= 0, {first[2]} <= {first[0]} + "
            f"{first[1]} + c*{first[1]}*({first[1]} + {first[0]})))", (f"held {j}", "weight"),
            way="first parts of sums"),
        f"content {j}": Line(f"And({ps} >= 0, {ds} >= 0, {vs} <= {ps} + {ds} + c*{ds}*({ds} + {ps}))",
                             (f"parts {j}", "q in naturals"), points=("q",)),
        f"split {j}": Line(f"Or({ls} <= {vs} - b, And({ls} <= {vs}, c*{ds} < b, {ps} <= b))", (*(
            f"{x} {j}" for x in ("fall", "fall below", "content", "loaded")), *numbers), proof=bundled(
            SPLIT, kk=f"K({j})", ss=some, ll=ls, vv=vs, dd=ds, pp=ps, c="c", b="b")),
        f"small {j}": Line(f"Or(c*{ds} >= b, {ps} > b, And({ds} <= D, c*{ds}*({ds} + {ps}) <= b*(b + D)))",
                           (f"content {j}", *numbers), proof=bundled(SMALL, c="c", dd=ds, b="b", D="D", pp=ps)),
        f"either {j}": Line(f"Or({ls} <= {vs} - b, And({ls} <= {vs}, {vs} <= room))",
                            (f"split {j}", f"small {j}", f"content {j}", ROOM)),
        f"value {j}": summed(f"{f} == {vs} + {mean}*{many}"),
        f"left {j}": summed(f"{g} == {ls} + {mean}*{many}", *(END[UP[i]] for i in UP if i == j)),
        f"now {j}": Line(f"And({g} >= 0, {f} >= 0, Or({g} <= {f} - b, And({g} <= {f}, {f} <= {small})))",
                         (*(f"{x} {j}" for x in ("value", "left", "either", "fall", "mean of")), *waits)),
        f"roof {j}": Line(f"And(b**2 + Q({j}) <= {most}, 2*b*({small}) + Q({j}) <= {most})",
                          (LEVEL[j], SPREAD[j], "b >= 1", SECOND[j], "room", f"mean of {j}", *waits),
                          proof=bundled(ROOF, b="b", rr="room", uu=mean, ss=f"s({j})", qq=f"Q({j})", nn=up)),
        f"change {j}": Line(f"{change} <= -2*(b - al({j}))*{f} + {most}",
                            (f"now {j}", f"rate {j}", "b >= 1", f"roof {j}"), proof=bundled(
            CHANGE, g=g, f=f, b="b", aa=f"al({j})", qq=f"Q({j})", w=small, r=most)),
        f"constant {j}": Line(f"C({j}) > 0", (LEVEL[j], SECOND[j], "room", f"mean of {j}", "b >= 1")),
        f"weight {j}": Line(f"k{j} > 0", (SQUARE[j], f"rate {j}", *(
            f"{x} {i}" for i in UP if UP[i] == j for x in ("weight", "constant")))),
        f"pays {j}": Line(f"k{j}*({change}) <= k{j}*{most} - ({below(j)})*{f}",
                          (f"change {j}", f"weight {j}", SQUARE[j]),
                          proof=since(f"2*k{j}*(b - al({j}))*{f} == ({below(j)})*{f}"))}


def steps() -> dict[str, Line]:
    everything = plus([f"N{j}" for j in QUEUES])
    gone = [f"{at(queued(j), LEFT)} == 0" for j in QUEUES]
    size, more = plus([f"{x}(i)" for x in LEFT]), plus([f"k{j}*C({j})" for j in QUEUES])
    worths = tuple(f"mean of {c}" for c in CLASSES)
    proof = {f"gap {j}": Line(f"gap({j}) > 0", (GAP[j], LOAD[j])) for j in UP}
    proof |= {f"big {j}": Line(f"big({j}) >= 1", (BIG[j], *SIGNS, *(MEANS[c][2] for c in CLASSES))) for j in UP}
    return proof | {
        "quotients": Line("And(gap(2)/big(2) > 0, gap(3)/big(3) > 0)", tuple(proof)),
        "weights": Line("And(c > 0, c <= gap(2)/big(2), c <= gap(3)/big(3))", (WEIGHT, "quotients"), proof=bundled(
            "Implies(And(c == Min(y, z), y > 0, z > 0), And(c > 0, c <= y, c <= z))",
            c="c", y="gap(2)/big(2)", z="gap(3)/big(3)")),
        "weight": Line("c > 0", ("weights",)),
        **{f"share {j}": Line(f"c*big({j}) <= gap({j})", ("weights", f"big {j}"), proof=bundled(
            "Implies(And(y <= g/x, x >= 1), y*x <= g)", y="c", g=f"gap({j})", x=f"big({j})")) for j in UP},
        "room": Line("And(room >= 0, D > 0)", (LONG, ROOM, "weight", "b >= 1"), proof=since("D > 0")),
        **{f"mean of {c}": Line(f"mu({c}) >= 0", (MEAN[c], *MEANS[c], "weight")) for c in CLASSES},
        **{f"brought {j}": Line(f"al({j}) == {TOKENS[j]} + c*(big({j}) - 1)", (
            RATE[j], BIG[j], MEAN[j - 2], MEAN[j])) for j in UP},
        **{f"rate {j}": Line(f"And(al({j}) >= 0, al({j}) < b)", (
            f"brought {j}", f"share {j}", GAP[j], "weight", RATE[j], *SIGNS, *worths)) for j in UP},
        **{f"rate {j}": Line(f"And(al({j}) >= 0, al({j}) < b)", (
            f"rate {j + 2}", RATE[j], RATE[j + 2], *SIGNS, *worths)) for j in (0, 1)},
        **{k: x for c in CLASSES for k, x in of_class(c).items()},
        **{f"stays {c}": by_index(each(f"Or({STAY} > 0, y{c}(i) <= 0)"), *(f"natural {k}" for k in CLASSES))
           for c in CLASSES},
        **{f"gone {c}": by_index(each(f"Or({STAY} > 0, And({at(worth(c), LEFT)} == 0, Min(y{c}(i), 1) == 0))"),
                                 f"ended {c}", f"stays {c}") for c in CLASSES},
        "gone": by_index(each(f"Implies({STAY} <= 0, {joined(gone)})"), *(f"gone {c}" for c in CLASSES)),
        f"{FOSTER}: next": Line(by=()),
        f"{FOSTER}: rows left": by_index("", *TAKEN.values(), "gone", *(f"ended {c}" for c in CLASSES)),
        f"{FOSTER}: rows came": Line(by=(), way="guard by guard"), f"{FOSTER}: blank row": Line(by=()),
        f"{FOSTER}: mean": Line(by=("q in naturals",), way="guard by guard"),
        **{k: x for j in reversed(QUEUES) for k, x in of_queue(j).items()},
        f"{FOSTER}: positive rate": Line(by=()),
        f"{FOSTER}: bounded below": Line(by=("q in naturals", *(f"weight {j}" for j in QUEUES)), proof=since(
            *(f"k{j}*N{j}**2 >= 0" for j in QUEUES))),
        "change": summed(f"change <= {more} - ({everything})", *(f"pays {j}" for j in QUEUES)),
        f"{FOSTER}: drift": Line(by=("change", "q in naturals"), cases=(f"{everything} - (1 + {more})",)),
        "one token": by_index(each(f"1 <= {size}"), each(SOME), WHOLE),
        "visits": summed(f"q <= {total(size)}", "one token"),
        "tokens": by_index(each(f"{size} <= {served(2)} + {served(3)}"), WHOLE, "weight"),
        "tokens in all": summed(f"{total(size)} <= {total(served(2))} + {total(served(3))}", "tokens"),
        "tokens here": Line(f"{total(size)} <= {everything}", ("tokens in all", "waiting 2", "waiting 3", *(
            f"{x} {j}" for j in QUEUES for x in ("now", "value", "mean of")))),
        f"{FOSTER}: finite set": summed("", "visits", "tokens here")}


INSTANCE = (
    "l_A = 1/8", "l_B = 1/8", "b = 2", "mp(j) = 1 + 0*j", "md(j) = 1 + 0*j", "sq(j) = 2 + 0*j", "gap(j) = 3/2 + 0*j",
    "big(j) = 3/2 + 0*j", "c = 1", "mu(j) = 4 + 0*j", "al(j) = 1/2 + floor(j/2)/2", "s(j) = 4 + 0*j", "D = 2",
    "room = 12", "C(j) = 56 + 16*floor(j/2)", "k2 = 1/2", "k3 = 1/2", "k0 = 37/3", "k1 = 37/3", "q = 0",
    *(f"{x}{j}(i) = {int(j == 0 and x == 'd')} + 0*i" for j in CLASSES for x in "pdxy"), "S(j) = 0*j", "K(j) = 1 + 0*j",
    "ends(j) = 0*j", "Q(j) = 2 + 2*floor(j/2)", *(f"{v}(i) = {int(v == 'vd0')} + 0*i" for v in CAME.values()))
LAW = (("3/4", ("m = 0",)), *(("1/8", ("m = 1", *(f"{x}{j}(i) = {int(j == c)} + 0*i" for j in CLASSES
                                                  for x in ("vp", "vd")))) for c in (0, 1)))
PROVED = replace(recurrent(theorem(), SOURCES, Proof(named(steps()), instance=INSTANCE, law=LAW)), budget=300)
