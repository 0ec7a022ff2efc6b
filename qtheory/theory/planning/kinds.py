"""The steady-state program of a cluster with several kinds of GPU, in whole GPUs and requests instead of per GPU.

Each kind has its own iteration times, so that (40) is asked of each: requests of a class are split among the kinds, and
decode where they were prefilled. Limits on means are linear by Little's law: of the arrivals' mean time until their
prefill ends, ``sum of q_p + x <= limit * sum of lambda``; of the mean time per output token over all tokens, ``sum of
y_m + y_s + q_d <= limit * sum of (y_m/tau + y_s gamma)``. Units as in :mod:`qtheory.theory.planning.instance`, rates
and prices of the whole cluster.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from qtheory.errors import InputError
from qtheory.numerics.linprog import LinearProgram, Optimum, Row, solve
from qtheory.theory.planning.instance import Instance, IterationTimes, Prices, RequestClass, exact

ZERO, ONE = Fraction(0), Fraction(1)
TTFT, TPOT = "ttft", "tpot"


@dataclass(frozen=True)
class Kind:
    """``count`` GPUs (a number above 0) with the same times and batch size."""

    name: str
    times: IterationTimes
    batch: int
    count: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", exact(self.count, f"the number of GPUs of kind {self.name!r}"))
        if self.count <= 0:
            raise InputError(f"there are {float(self.count):g} GPUs of kind {self.name!r}; at least one is needed")


@dataclass(frozen=True)
class MixedCluster:
    """Kinds of GPU and classes with the rates of the whole cluster. ``ttft``, ``tpot``: limits on means (s), or None;
    ``prefill_fairness``, ``decode_fairness``: the most by which the classes' occupancies, over all GPUs, may differ."""

    kinds: tuple[Kind, ...]
    classes: tuple[RequestClass, ...]
    prices: Prices
    charging: str = "bundled"
    ttft: Fraction | None = None
    tpot: Fraction | None = None
    prefill_fairness: Fraction | None = None
    decode_fairness: Fraction | None = None

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        """The classes as each kind sees them."""
        return tuple(Instance(self.classes, k.times, k.batch, self.prices) for k in self.kinds)

    @cached_property
    def program(self) -> LinearProgram:
        """The program: variables ``x_i_g`` and so on for class i on kind g, ``qp_i``, ``qd_i_g``."""
        from qtheory.theory.planning.programs import revenue

        rows, objective = list[Row](), dict[str, Fraction]()
        for g, (kind, it) in enumerate(zip(self.kinds, self.instances, strict=True), 1):
            rows += self._capacities(g, kind)
            objective |= {f"{v}_{g}": c for v, c in revenue(it, self.charging).items()}
        rows += [row for i in range(1, len(self.classes) + 1) for row in self._balances(i)]
        return LinearProgram(objective, (*rows, *self._limits()))

    def _each(self, kind: str, g: int) -> list[str]:
        return [f"{kind}_{i}_{g}" for i in range(1, len(self.classes) + 1)]

    def _capacities(self, g: int, kind: Kind) -> list[Row]:
        x, batch = dict.fromkeys(self._each("x", g), ONE), Fraction(kind.batch)
        name = kind.name
        return [
            Row(f"prefill_capacity_{g}", x, "<=", kind.count, f"at most one prefill on each {name}"),
            Row(f"mixed_capacity_{g}", dict.fromkeys(self._each("ym", g), ONE) | dict.fromkeys(x, 1 - batch), "<=",
                ZERO, f"at most {kind.batch - 1} decodes beside a prefill on each {name}"),
            Row(f"solo_capacity_{g}", dict.fromkeys(self._each("ys", g), ONE) | dict.fromkeys(x, batch), "<=",
                batch * kind.count, f"at most {kind.batch} decodes on each {name} without prefill"),
        ]

    def _balances(self, i: int) -> list[Row]:
        c = self.classes[i - 1]
        waits = {f"qp_{i}": c.patience} if c.patience else {}
        gives = " or give up" if waits else ""
        prefills = {f"x_{i}_{g}": it.mu_p[i - 1] for g, it in enumerate(self.instances, 1)}
        rows = [Row(f"prefill_{i}", prefills | waits, "==", c.rate, f"all requests of {c.name!r} are prefilled{gives}")]
        for g, it in enumerate(self.instances, 1):
            waits = {f"qd_{i}_{g}": -c.patience} if c.patience else {}
            rows.append(Row(f"decode_{i}_{g}", {f"x_{i}_{g}": it.mu_p[i - 1], f"ym_{i}_{g}": -it.mu_m[i - 1],
                                                f"ys_{i}_{g}": -it.mu_s[i - 1], **waits}, "==", ZERO,
                            f"what is prefilled of {c.name!r} on {self.kinds[g - 1].name} is decoded there"))
        return rows

    def _limits(self) -> list[Row]:
        each = range(1, len(self.classes) + 1)
        rows = []
        if self.ttft is not None:
            waiting = {f"x_{i}_{g}": ONE for i in each for g in range(1, len(self.kinds) + 1)}
            waiting |= {f"qp_{i}": ONE for i in each if self.classes[i - 1].patience}
            rows.append(Row(TTFT, waiting, "<=", self.ttft * sum((c.rate for c in self.classes), ZERO),
                            f"the mean time to the first token is at most {float(self.ttft):g} s"))
        if self.tpot is not None:
            late = dict[str, Fraction]()
            for g, kind in enumerate(self.kinds, 1):
                late |= dict.fromkeys(self._each("ym", g), 1 - self.tpot / kind.times.mixed)
                late |= dict.fromkeys(self._each("ys", g), 1 - self.tpot / kind.times.solo)
                late |= {f"qd_{i}_{g}": ONE for i in each if self.classes[i - 1].patience}
            rows.append(Row(TPOT, late, "<=", ZERO,
                            f"the mean time per output token is at most {float(self.tpot):g} s"))
        for name, at, bound in (("prefill_fairness", "x", self.prefill_fairness),
                                ("decode_fairness", "ys", self.decode_fairness)):
            if bound is None:
                continue
            for i in each:
                whole = {f"{at}_{i}_{g}": ONE for g in range(1, len(self.kinds) + 1)}
                about = f"{self.classes[i - 1].name!r} lies between the least and the largest ({name})"
                rows += [Row(f"{at}max_{i}", whole | {f"{at}max": -ONE}, "<=", ZERO, about),
                         Row(f"{at}min_{i}", whole | {f"{at}min": -ONE}, ">=", ZERO, about)]
            rows.append(Row(name, {f"{at}max": ONE, f"{at}min": -ONE}, "<=", bound,
                            f"{name.replace('_', ' ')} is at most {float(bound):g}"))
        return rows


@dataclass(frozen=True)
class MixedPlan:
    """The optimal plan of a cluster with several kinds of GPU, exact."""

    cluster: MixedCluster
    optimum: Optimum

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows; ``repr`` has all of it."""
        kinds = ", ".join(k.name for k in self.cluster.kinds)
        printer.text(f"<plan of {len(self.cluster.classes)} classes on {kinds}: {float(self.value):.6g} $/s>")

    @property
    def value(self) -> Fraction:
        """$ a second of the whole cluster."""
        return self.optimum.value

    def amount(self, kind: str, i: int, g: int | None = None) -> Fraction:
        """A variable's value: ``x``, ``ym``, ``ys``, ``qd`` of class i (from 1) on kind g, ``qp`` of class i."""
        return self.optimum.point.get(f"{kind}_{i}" if g is None else f"{kind}_{i}_{g}", ZERO)

    def mixed(self, g: int) -> Fraction:
        """GPUs of kind g (from 1) that take prefills."""
        return sum((self.amount("x", i, g) for i in range(1, len(self.cluster.classes) + 1)), ZERO)

    def gpu_worth(self, g: int) -> Fraction:
        """$ a second that one more GPU of kind g is worth: the optimum with it, less this one."""
        return self._with(g, count=self.cluster.kinds[g - 1].count + 1) - self.value

    def slot_worth(self, g: int) -> Fraction:
        """$ a second that one more slot on every GPU of kind g is worth, its iterations taking as long as before."""
        return self._with(g, batch=self.cluster.kinds[g - 1].batch + 1) - self.value

    def _with(self, g: int, **change: Any) -> Fraction:
        """The optimum's value with another kind g; more of it keeps every plan possible."""
        kinds = [replace(k, **change) if i == g else k for i, k in enumerate(self.cluster.kinds, 1)]
        return solve(replace(self.cluster, kinds=tuple(kinds)).program).value


def plan_kinds(cluster: MixedCluster) -> MixedPlan:
    """The optimal plan. Infeasible, with the rows that conflict, if there is none."""
    return MixedPlan(cluster, solve(cluster.program))


def single(instance: Instance, gpus: int) -> MixedCluster:
    """The cluster of ``gpus`` GPUs whose classes have the instance's rates a GPU."""
    classes = instance.scaled(gpus).classes
    return MixedCluster((Kind("GPU", instance.times, instance.batch, Fraction(gpus)),), classes, instance.prices)


__all__ = ["TPOT", "TTFT", "Kind", "MixedCluster", "MixedPlan", "plan_kinds", "single"]
