"""The second reader of claims about all arrival rates of a cell, on :mod:`qtheory.networks.rereading` alone.

Written from what such claims must show (the page of ``theory/regions.py``). The free rates are the variables ``u`` that
come after those of the visits' efforts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from qtheory.networks.rereading import Form, Formula, Network, Q, exact, mix, sign, stated, stated_row, written, wrong


def formulas(text: str, claim: dict[str, Any]) -> Iterator[Formula]:
    """Everything that has to be true for the claim to hold on its cell; ValueError, TypeError or LookupError for what
    is no network or no claim about one."""
    if set(claim) != {"kind", "rates", "cell", "margin", "claim"} or claim["kind"] != "region":
        raise wrong("no claim about a region")
    net = _Free(text, claim)
    given, kind = claim["claim"], claim["claim"]["kind"]
    made: dict[str, Any] = {"pieces": net.pieces, "quadratic": net.quadratic, "stages": net.stages,
                            "overload": net.too_much, "growing": net.grows}
    for rate in net.of_types:
        yield net.known, f"{written(rate, 'u')} >= 0"
    yield from made[kind](**{key: value for key, value in given.items() if key != "kind"})


class _Free(Network):
    """A network whose types' rates are forms in the free ones."""

    def __init__(self, text: str, claim: dict[str, Any]) -> None:
        super().__init__(text)
        self.width = len(claim["margin"])
        if not 2 <= self.width <= 4:
            raise wrong("no free rates, or too many")
        self.margin = self.free(claim["margin"])
        self.known = frozenset(f"{written(self.free(row), 'u')} >= 0" for row in claim["cell"])
        self.of_types = [self.free(row) for row in claim["rates"]]
        types = tomllib.loads(text, parse_float=lambda x: Q(x.replace("_", "")))["type"]
        if len(types) != len(self.of_types):
            raise wrong("a type without a rate")
        for kind, rate in zip(types, self.of_types, strict=True):
            for visit in kind["visit"]:
                k = self.number[visit["name"]]
                often = self.rate[k][0] / exact(kind["rate"])
                self.rate[k] = mix((often, rate), (1, {k: self.rate[k][k]}))

    def free(self, raw: Any) -> Form:
        """A form in the free rates."""
        row = stated_row(raw, self.width)
        return {0: row[0], **{len(self.number) + j: c for j, c in enumerate(row) if j}}

    def too_much(self, engine: Any, growth: Any) -> Iterator[Formula]:
        if type(engine) is not int or engine < 0:
            raise wrong("no engine")
        by = stated(growth)
        yield frozenset(), f"{by} > 0"
        here = [k for g in self.lines[engine] for k in g]
        grows = mix((1, self.moves({k: self.mean[k] for k in here})), (-by, self.margin))
        idle = mix((1, {0: Q(1)}), *((-1, {k: Q(1)}) for k in here))
        yield self.known | {f"{written(idle, 'u')} >= 0"}, f"{written(grows, 'u')} >= 0"

    def grows(self, order: Any, phases: Any, growth: Any, emptying: Any) -> Iterator[Formula]:
        if self.joins or self.random_order or not phases:
            raise wrong("growing paths are not for this network")
        lines = []
        for mine, groups in zip(order, self.lines, strict=True):
            line = [k + 1 for k in mine if type(k) is int]
            at = 0
            for g in groups:
                if sorted(line[at:at + len(g)]) != sorted(g):
                    raise wrong("an order that the priorities exclude")
                at += len(g)
            if at != len(mine):
                raise wrong("an order of other visits")
            lines.append(line)
        by, down = stated(growth), stated(emptying)
        yield frozenset(), f"And({by} > 0, {down} > 0)"
        count = len(phases)
        held: list[set[int]] = []
        last: list[int] = []
        worth: list[dict[int, Fraction]] = []
        for phase in phases:
            if set(phase) != {"efforts", "full", "ends", "weights"}:
                raise wrong("no phase")
            if any(type(k) is not int for k in [*phase["full"], phase["ends"]]):
                raise wrong("no visits")
            held.append({k + 1 for k in phase["full"]})
            last.append(phase["ends"] + 1)
            worth.append(dict(zip(self.all, stated_row(phase["weights"], len(self.all)), strict=True)))
        first = held[-1] - {last[-1]}
        if first.isdisjoint(last):
            raise wrong("what the first phase begins with ends none")
        for k in first:
            yield frozenset(), f"{sign(worth[0][k])} > 0" if k in last else f"0 >= {sign(worth[0][k])}"
        for s in range(count):
            yield from self.phase(lines, [self.free(e) for e in phases[s]["efforts"]], held[s], last[s], worth[s],
                                  (by, down))
            after = (s + 1) % count
            stays = held[s] - {last[s]}
            if last[s] not in held[s] or not held[s] <= set(self.all) or not stays <= held[after]:
                raise wrong("phases that do not lead to each other")
            for k in stays:
                yield frozenset(), f"{sign(worth[after][k])} >= {sign(worth[s][k])}"

    def phase(self, lines: list[list[int]], efforts: list[Form], full: set[int], ends: int, worth: dict[int, Fraction],
              speeds: tuple[Fraction, Fraction]) -> Iterator[Formula]:
        """One phase obeys the fluid model, empties a visit, and makes the weighted content grow."""
        if len(efforts) != len(self.all):
            raise wrong("a visit without an effort")
        used = dict(zip(self.all, efforts, strict=True))

        def shown(form: Form) -> Formula:
            return self.known, f"{written(form, 'u')} >= 0"

        move = {}
        for k in self.all:
            rate = self.moves(self.buffer(k))
            plain = {v: c for v, c in rate.items() if v not in used}
            move[k] = mix((1, plain), *((c, used[v]) for v, c in rate.items() if v in used))
            yield shown(used[k])
            if k != ends:
                yield shown(move[k])
            if k not in full:
                yield shown(mix((-1, move[k])))
        for line in lines:
            for upto in range(1, len(line) + 1):
                spare = mix((1, {0: Q(1)}), *((-1, used[k]) for k in line[:upto]))
                yield shown(spare)
                if full.intersection(line[:upto]):
                    yield shown(mix((-1, spare)))
        yield shown(mix((-1, move[ends]), (-speeds[1], self.margin)))
        yield shown(mix(*((worth[k], move[k]) for k in full), (-speeds[0], self.margin)))
