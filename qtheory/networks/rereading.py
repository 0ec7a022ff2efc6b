"""The second reader: from the text of a network file and a claim to the formulas that have to be proved.

It is written from the definition of the fluid model (the page of ``theory/fluid.py``), from what claims must show (that
of ``theory/obligations.py``) and from the network file's format, on the standard library alone, and shares no code
with the first reader. The second checker is asked for this module's formulas, the kernel for the first reader's. Both
write a formula in one way, so that one certificate serves both:

- a linear form is its constant, unless that is 0 and a term follows, and its terms ``c*u1``, in the order of the
  variables' numbers, joined by a plus between blanks; a negative number stands in parentheses;
- efforts are u1, u2, .., what is left to end is R1, R2, .., contents are z1, z2, ..;
- a formula is ``(what may be used, what is wanted)``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

Form = dict[int, Fraction]  # coefficients by variable; the constant at 0
Formula = tuple[frozenset[str], str]
Q = Fraction


def formulas(text: str, claim: dict[str, Any]) -> Iterator[Formula]:
    """Everything that has to be true for the claim to decide the network in the file; ValueError, TypeError or
    LookupError for what is no network or no claim about it."""
    net, kind = Network(text), claim["kind"]
    known: dict[str, Any] = {"pieces": net.pieces, "quadratic": net.quadratic, "stages": net.stages,
                             "product": net.product, "paths": net.paths, "overload": net.overload}
    return known[kind](**{key: value for key, value in claim.items() if key != "kind"})  # type: ignore[no-any-return]


def wrong(what: str) -> ValueError:
    return ValueError(f"the second reader: {what}")


def exact(raw: Any) -> Fraction:
    """A number of a network file: 3, 0.5 (read as 1/2), "2/3"."""
    if isinstance(raw, bool) or not isinstance(raw, int | str | Fraction):
        raise wrong("no number")
    if isinstance(raw, str) and not set(raw := raw.strip(" ")) <= set("0123456789+-./eE"):  # Python reads more digits
        raise wrong("no number")
    return Q(raw)


def stated(raw: Any) -> Fraction:
    """A number of a claim, a text in lowest terms."""
    if not isinstance(raw, str) or len(raw) > 802 or str(Q(raw)) != raw:
        raise wrong("a number is no text in lowest terms")
    return Q(raw)


def stated_row(raw: Any, length: int) -> list[Fraction]:
    if not isinstance(raw, list) or len(raw) != length:
        raise wrong(f"no list of {length} numbers")
    return [stated(x) for x in raw]


def names(raw: Any) -> list[str]:
    return [raw] if isinstance(raw, str) else list(raw)


def sign(x: Fraction) -> str:
    return f"({x})" if x < 0 else f"{x}"


def written(form: Form, letter: str) -> str:
    parts = [f"{sign(form[v])}*{letter}{v}" for v in sorted(form) if v and form[v]]
    if form.get(0) or not parts:
        parts.insert(0, sign(form.get(0, Q(0))))
    return " + ".join(parts)


def mix(*scaled: tuple[Fraction | int, Form]) -> Form:
    """A sum of multiples of forms."""
    out: Form = {}
    for scale, form in scaled:
        for v, c in form.items():
            out[v] = out.get(v, Q(0)) + scale * c
    return out


class Network:
    """What the fluid model needs of a file: visits are numbered from 1 here.

    ``rate``: by visit its growth as a form in efforts, R'; ``come``: the visits that it follows, with the share of
    these that come; ``joins``: whether it waits for all of ``come`` in place of being fed by each; ``lines``: by engine
    its groups of visits.
    """

    def __init__(self, text: str) -> None:
        data = tomllib.loads(text, parse_float=lambda x: Q(x.replace("_", "")))
        self.rate: dict[int, Form] = {}
        self.come: dict[int, list[tuple[int, Fraction]]] = {}
        self.joins: set[int] = set()
        self.late: set[int] = set()  # the visits of types that join
        self.forked = False
        self.outside: dict[int, Fraction] = {}
        self.rules: list[str | None] = []
        here: dict[str, list[int]] = {e["name"]: [] for e in data["engine"]}
        self.number: dict[str, int] = {}
        self.mean: dict[int, Fraction] = {}
        cost = {e["name"]: seconds_a_token(e) for e in data["engine"]}
        for kind in data["type"]:
            visits = self.in_order(kind["visit"])
            for v in visits:
                k = self.number[v["name"]] = len(self.number) + 1
                here[v["engine"]].append(k)
                prompt, output = cost[v["engine"]]
                self.mean[k] = exact(v["prompt"] if "prompt" in v else v["length"]) * prompt \
                    + exact(v.get("output", 0)) * output
            self.flows(exact(kind["rate"]), visits, kind["visit"][0]["name"])
        self.lines: list[list[list[int]]] = []
        self.random_order = False
        for e in data["engine"]:
            policy, given = e.get("policy"), e.get("priority")
            known = (None, "work-conserving", "fcfs", "processor-sharing", "sarathi", "priority")
            if policy not in known or bool(given) != (policy == "priority" or (policy is None and "priority" in e)):
                raise wrong("a policy")
            groups = [[self.number[n] for n in names(g)] for g in given] if given else [here[e["name"]]]
            if sorted(chain(*groups)) != sorted(here[e["name"]]):
                raise wrong("priorities of other visits")
            self.lines.append([g for g in groups if g])
            self.random_order |= policy in ("fcfs", "processor-sharing", "sarathi") and len(here[e["name"]]) > 1
            self.rules.append(policy)
            if policy in ("processor-sharing", "sarathi") and self.late.intersection(here[e["name"]]):
                raise wrong("visits that join share no engine")
        self.all = range(1, len(self.number) + 1)
        self.margin: Form = {0: Q(1)}  # what a decay is a multiple of
        self.known = frozenset[str]()  # of the free rates, if there are any

    @staticmethod
    def in_order(raw: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """A type's visits, each after those that it waits for, which are by default the one above it."""
        routed = any(v.get("routes") for v in raw)
        waits = {v["name"]: names(v["after"]) if "after" in v else [raw[i - 1]["name"]] if i and not routed else []
                 for i, v in enumerate(raw)}
        left, out = list(raw), list[dict[str, Any]]()
        while left:
            v = next(v for v in left if all(any(w["name"] == n for w in out) for n in waits[v["name"]]))
            left.remove(v)
            out.append({**v, "after": waits[v["name"]]})
        return out

    def flows(self, rate: Fraction, visits: list[dict[str, Any]], first: str) -> None:
        """Which visits follow which, and how many requests a second make each."""
        ks = [self.number[v["name"]] for v in visits]
        routed = any(v.get("routes") for v in visits)
        for k, v in zip(ks, visits, strict=True):
            if routed:
                self.come[k] = [(self.number[w["name"]], exact(w["routes"][v["name"]]))
                                for w in visits if w.get("routes", {}).get(v["name"])]
            else:
                self.come[k] = [(self.number[n], Q(1)) for n in dict.fromkeys(v["after"])]
                if len(self.come[k]) > 1:
                    self.joins.add(k)
        made = dict.fromkeys(ks, rate)
        if routed:
            rows = [[Q(int(k == j)) - dict(self.come[k]).get(j, 0) for j in ks] + [rate * (k == self.number[first])]
                    for k in ks]
            made = dict(zip(ks, solved(rows), strict=True))
        self.outside |= {k: rate if (k == self.number[first] if routed else not self.come[k]) else Q(0) for k in ks}
        before = [j for k in ks for j, _ in self.come[k]]
        if not routed and (len(before) != len(ks) - 1 or len(set(before)) != len(before)):
            self.forked = True
        if self.joins.intersection(ks):
            self.late.update(ks)
        for k in ks:
            self.rate[k] = {0: made[k], k: -1 / self.mean[k]}

    # ---- parts of formulas ----

    def buffer(self, k: int, before: int | None = None) -> Form:
        """Z_k in R; of a visit that joins, against the one that decides."""
        come = [(before, Q(1))] if before else self.come[k]
        return mix((1, {k: Q(1)}), *((-p, {j: Q(1)}) for j, p in come))

    def moves(self, form: Form) -> Form:
        """The growth of a form in R, in efforts."""
        return mix(*((c, self.rate[k]) for k, c in form.items()))

    def levels(self) -> Iterator[tuple[int, ...]]:
        """By engine how many groups are empty before its first nonempty one, all of them if there is none; without
        the empty network."""
        ways = product(*(range(len(groups) + 1) for groups in self.lines))
        return (at for at in ways if any(a < len(groups) for a, groups in zip(at, self.lines, strict=True)))

    def deciding(self, empty: list[int]) -> Iterator[dict[int, int]]:
        """For each of these that joins others the one that decides, in every way."""
        joins = [k for k in empty if k in self.joins]
        return (dict(zip(joins, p, strict=True)) for p in product(*([j for j, _ in self.come[k]] for k in joins)))

    def cases(self) -> Iterator[tuple[tuple[int, ...], frozenset[str]]]:
        """(levels, what holds of the efforts there), in every way."""
        for at in self.levels():
            empty = [k for a, groups in zip(at, self.lines, strict=True) for g in groups[:a] for k in g]
            says = {f"{written({k: Q(1)}, 'u')} >= 0" for k in self.all}
            for a, groups in zip(at, self.lines, strict=True):
                idle = mix((1, {0: Q(1)}), *((-1, {k: Q(1)}) for g in groups[:a + 1] for k in g))
                says.add(f"Eq({written(idle, 'u')}, 0)" if a < len(groups) else f"{written(idle, 'u')} >= 0")
                says |= {f"Eq({written({k: Q(1)}, 'u')}, 0)" for g in groups[a + 1:] for k in g}
            for by in self.deciding(empty):
                still = {f"Eq({written(self.moves(self.buffer(k, by.get(k))), 'u')}, 0)" for k in empty}
                yield at, frozenset(says | still | self.known)

    # ---- the claims ----

    def pieces(self, pieces: Any, decay: Any, floor: Any) -> Iterator[Formula]:
        c, b = stated(decay), stated(floor)
        yield frozenset(), f"And({c} > 0, {b} > 0)"
        values = [dict(zip(self.all, stated_row(row, len(self.all)), strict=True)) for row in pieces]
        count = len(values)
        if count != 1 and count != len(self.lines):
            raise wrong("pieces that belong to no engine")
        buffers = {(k, j): self.buffer(k, j) for k in self.all
                   for j in ([p for p, _ in self.come[k]] if k in self.joins else [0])}
        whole = mix(*((1, value) for value in values), *((-b * count, {k: Q(1)}) for k in self.all))
        yield frozenset(f"{written(z, 'R')} >= 0" for z in buffers.values()), f"{written(whole, 'R')} >= 0"
        for at, says in self.cases():
            busy = [i for i, a in enumerate(at) if a < len(self.lines[i])]
            for j in busy if count > 1 else [0]:
                yield says, f"{written(mix((-c, self.margin), (-1, self.moves(values[j]))), 'u')} >= 0"
        if count == 1:
            return
        there = [i for i, groups in enumerate(self.lines) if groups]
        for some in chain.from_iterable(combinations(there, r) for r in range(1, len(there) + 1)):
            empty = [k for i, groups in enumerate(self.lines) if i not in some for g in groups for k in g]
            for by in self.deciding(empty):
                says = frozenset(f"Eq({written(z, 'R')}, 0)" if k in empty and by.get(k, 0) == j else
                                 f"{written(z, 'R')} >= 0" for (k, j), z in buffers.items())
                for other in set(range(count)) - set(some):
                    mean = mix(*((Q(1, len(some)), values[i]) for i in some), (-1, values[other]))
                    yield says, f"{written(mean, 'R')} >= 0"

    def quadratic(self, matrix: Any, decay: Any, floor: Any) -> Iterator[Formula]:
        c, b = stated(decay), stated(floor)
        if self.joins or len(matrix) != len(self.all):
            raise wrong("no matrix for contents")
        half = {(k, j): q for k, row in enumerate(matrix, 1) for j, q in enumerate(stated_row(row, k), 1)}
        q = {**half, **{(j, k): x for (k, j), x in half.items()}}
        yield frozenset(), f"And({c} > 0, {b} > 0)"
        terms = [f"{sign(x - b)}*z{k}^2" if j == k else f"{sign(2 * x)}*z{k}*z{j}" for (k, j), x in half.items()
                 if x != (b if j == k else 0)]
        yield frozenset(f"z{k} >= 0" for k in self.all), f"{' + '.join(terms) if terms else '0'} >= 0"
        grow = {k: self.moves(self.buffer(k)) for k in self.all}
        for at, says in self.cases():
            for a, groups in zip(at, self.lines, strict=True):
                for k in (k for g in groups[a:] for k in g):
                    falls = mix((-c, self.margin), *((-q[k, j], grow[j]) for j in self.all))
                    yield says, f"{written(falls, 'u')} >= 0"

    def stages(self, stages: Any) -> Iterator[Formula]:
        if self.joins:
            raise wrong("stages are not for visits that join")
        gone: set[int] = set()
        for stage in stages:
            weight = dict(zip(self.all, stated_row(stage["weights"], len(self.all)), strict=True))
            here, c = {k for k in self.all if weight[k]}, stated(stage["decay"])
            if len(stage) != 3 or here & gone or min(weight.values()) < 0:
                raise wrong("no stage")
            yield frozenset(), f"{c} > 0"
            falls = mix((-c, self.margin), *((-weight[k], self.moves(self.buffer(k))) for k in here))
            bounds = [(0, len(groups)) for groups in self.lines]
            for says in self.shown(stage["tree"], bounds, here, gone):
                yield says, f"{written(falls, 'u')} >= 0"
            gone |= here
        if gone != set(self.all):
            raise wrong("a visit without a stage")

    def shown(self, tree: Any, bounds: list[tuple[int, int]], here: set[int], gone: set[int]
              ) -> Iterator[frozenset[str]]:
        """What is known of the efforts at each end of a stage's tree, where some of ``here`` is left.

        ``bounds``: by engine (a, b); its first a groups are empty, and so is not one of its first b + 1.
        """
        if type(tree) is not list:
            raise wrong("no tree")
        if tree:
            i, at, some, none = tree
            if type(i) is not int or type(at) is not int or i < 0 or not bounds[i][0] <= at < bounds[i][1]:
                raise wrong("no split")
            a, b = bounds[i]
            yield from self.shown(some, [*bounds[:i], (a, at), *bounds[i + 1:]], here, gone)
            yield from self.shown(none, [*bounds[:i], (at + 1, b), *bounds[i + 1:]], here, gone)
            return
        empty, says = set(gone), {f"{written({k: Q(1)}, 'u')} >= 0" for k in self.all}
        for (a, b), groups in zip(bounds, self.lines, strict=True):
            empty.update(chain(*groups[:a]))
            left = mix((1, {0: Q(1)}), *((-1, {k: Q(1)}) for k in chain(*groups[:b + 1])))
            says.add(f"{written(left, 'u')} >= 0" if b == len(groups) else f"Eq({written(left, 'u')}, 0)")
            says |= {f"Eq({written({k: Q(1)}, 'u')}, 0)" for k in chain(*groups[b + 1:])}
            if b < len(groups) and gone.issuperset(chain(*groups[a:b + 1])):
                return  # what has been emptied is not nonempty
        if not here <= empty:
            yield frozenset(says | self.known
                            | {f"Eq({written(self.moves(self.buffer(k)), 'u')}, 0)" for k in empty})

    def product(self, rates: Any) -> Iterator[Formula]:
        if self.forked or self.joins:
            raise wrong("requests at several visits at once have no product form")
        made = dict(zip(self.all, stated_row(rates, len(self.all)), strict=True))
        for k in self.all:
            from_all = "".join(f" + {sign(p)}*{sign(made[j])}" for j, p in sorted(self.come[k]))
            yield frozenset(), f"And({made[k]} > 0, Eq({sign(self.outside[k])}{from_all}, {made[k]}))"
        for rule, groups in zip(self.rules, self.lines, strict=True):
            here = sorted(chain(*groups))
            if rule == "sarathi" or (len(here) > 1 and rule not in ("fcfs", "processor-sharing")):
                raise wrong("an order without a product form")
            if rule == "fcfs":
                yield from ((frozenset(), f"Eq({self.mean[k]}, {self.mean[here[0]]})") for k in here[1:])
            if here:
                yield frozenset(), "1 > " + " + ".join(f"{sign(made[k])}*{self.mean[k]}" for k in here)

    def overload(self, engine: Any) -> Iterator[Formula]:
        if type(engine) is not int or engine < 0:
            raise wrong("no engine")
        here = [k for g in self.lines[engine] for k in g]
        work = self.moves({k: self.mean[k] for k in here})
        idle = mix((1, {0: Q(1)}), *((-1, {k: Q(1)}) for k in here))
        yield frozenset([f"{written(idle, 'u')} >= 0"]), f"{written(work, 'u')} > 0"

    def paths(self, order: Any, efforts: Any, rays: Any) -> Iterator[Formula]:
        if self.joins or self.random_order or not rays or not efforts:
            raise wrong("paths are not for this network")
        lines = []
        for mine, groups in zip(order, self.lines, strict=True):
            rest = [type(k) is int and k + 1 for k in mine]
            for g in groups:
                head, rest = rest[:len(g)], rest[len(g):]
                if sorted(head) != sorted(g):
                    raise wrong("an order that the priorities exclude")
            if rest:
                raise wrong("an order of other visits")
            lines.append([k + 1 for k in mine])
        n, last = len(self.all), len(efforts) - 1
        u = [dict(zip(self.all, stated_row(row, n), strict=True)) for row in efforts]
        z = [[stated_row(row, n) for row in ray["starts"]] for ray in rays]
        d = [stated_row(ray["durations"], len(u)) for ray in rays]
        w = [stated_row(ray["weights"], len(rays)) for ray in rays]
        if any(len(starts) != len(u) for starts in z) or any(len(ray) != 3 for ray in rays):
            raise wrong("segments of another number")
        for s, used in enumerate(u):
            busy = {k for i, starts in enumerate(z) for k in self.all if starts[s][k - 1] or (
                starts[s + 1][k - 1] if s < last else sum(x * r[0][k - 1] for x, r in zip(w[i], z, strict=True)))}
            says = [f"{used[k]} >= 0" for k in self.all]
            for line in lines:
                for upto in range(len(line)):
                    sums = " + ".join(sign(used[k]) for k in line[:upto + 1])
                    says.append(f"Eq({sums}, 1)" if busy.intersection(line[:upto + 1]) else f"{sums} <= 1")
            yield frozenset(), f"And({', '.join(says)})"
            for i, starts in enumerate(z):
                says = [f"{d[i][s]} >= 0"]
                for k in self.all:
                    grow = self.moves(self.buffer(k))
                    rate = " + ".join([sign(grow.get(0, Q(0))), *(f"{sign(grow[v])}*{sign(used[v])}"
                                                                  for v in sorted(grow) if v and grow[v])])
                    now = starts[s][k - 1]
                    then = f"{starts[s + 1][k - 1]}" if s < last else \
                        " + ".join(f"{sign(x)}*{sign(r[0][k - 1])}" for x, r in zip(w[i], z, strict=True))
                    says += [f"{now} >= 0", f"Eq({now} + {sign(d[i][s])}*({rate}), {then})"]
                yield frozenset(), f"And({', '.join(says)})"
        held = [" + ".join(map(sign, starts[0])) for starts in z]
        for i in range(len(z)):
            back = " + ".join(f"{sign(x)}*({h})" for x, h in zip(w[i], held, strict=True))
            yield frozenset(), (f"And({', '.join([f'{x} >= 0' for x in w[i]])}, {' + '.join(map(sign, d[i]))} > 0, "
                                f"{held[i]} > 0, {back} > {held[i]})")


def seconds_a_token(engine: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """Of a prompt's and of an output's token, in full batches."""
    budget = exact(engine.get("budget", 1))
    if "time" not in engine:
        batch = exact(engine.get("batch_time", 1))
        return batch / budget, exact(engine.get("decode_time", batch)) / budget
    law = engine["time"]["law"]
    if any(isinstance(value, str) for value in engine["time"]["constants"].values()):
        raise wrong("no number")
    c = {key: exact(value) for key, value in engine["time"]["constants"].items()}
    if law == "prefill_decode":
        return c["alpha_p"] / budget + c["beta_p"], c["alpha_d"] / budget + c["beta_d"]
    times = {"affine": lambda: c["alpha"] + c["beta"] * budget,
             "piecewise_linear": lambda: c["c"] + c["a"] * max(Q(0), budget - c["b0"]),
             "concave": lambda: c["alpha"] + c["beta"] * budget + c["eta"] * min(budget, c["b0"]),
             "staircase": lambda: c["tile_time"] * -(-budget // c["t_col"]) + c["token_time"] * budget}
    return (times[law]() / budget,) * 2


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, the right side last in each row."""
    for i in range(len(rows)):
        pivot = next(r for r in range(i, len(rows)) if rows[r][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(len(rows)):
            if r != i and rows[r][i]:
                rows[r] = [x - rows[r][i] * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] for row in rows]
