"""Limits of scaled slotted processes by the Arzela-Ascoli theorem: the theorem, and its proof. And of their first
values, by the Bolzano-Weierstrass theorem.

F(n, k), of the n-th run, is what has been done by the end of slot k: nothing at first, and between 0 and b in a slot.
Scaled by X(n) >= n it is F(n, floor(X(n) t))/X(n), a step function of the time t. Joined by lines between slots it is
Lipschitz continuous with constant b, and no farther from the step function than b/X(n). So the runs have a cluster
point: for each e > 0, T > 0 and N >= 1 some run n >= N is within e of it on [0, T], all processes at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from qtheory.proofs.claims.axioms import ARZELA_ASCOLI, BOLZANO_WEIERSTRASS, Theorem, Use
from qtheory.proofs.proving.lines import Line, Proof

LARGE = "ForAll(n, And(Integer(n), n >= 1), X(n) >= n)"
TIMES = "ForAll(t, t >= 0, ForAll(s, And(0 <= s, s <= t{}), {}))"
LATER = "floor(t) >= floor(s) + 1"
SAME = "floor(t) == floor(s)"
UNIT = ("b >= 1",)


def runs(formula: str) -> str:
    """The formula, of each run."""
    return f"ForAll(n, And(Integer(n), n >= 1), {formula})"


def slots(f: str) -> str:
    """What is known of a process."""
    return runs(f"And({f}(n, 0) == 0, ForAll(j, And(Integer(j), j >= 0), ForAll(k, And(Integer(k), k >= j), And(0 <= "
                f"{f}(n, k) - {f}(n, j), {f}(n, k) - {f}(n, j) <= b*(k - j)))))")


def batches(f: str) -> str:
    """What is known of a process of which so much is done in t_b slots that one batch at most ends: what is done does
    not fall, and in m - l times t_b slots, from the l-th such time on, it grows by (m - l) b at most."""
    later = "ForAll(l, And(Integer(l), l >= 0), ForAll(m, And(Integer(m), m >= l{}), {}))"
    return runs(f"And({f}(n, 0) == 0, {later.format('', f'{f}(n, l) <= {f}(n, m)')}, "
                f"{later.format(' + 1', f'{f}(n, m*t_b) - {f}(n, l*t_b) <= (m - l)*b')})")


def theorem(processes: Sequence[str], known: Callable[[str], str] = slots, unit: Sequence[str] = UNIT) -> Theorem:
    """That they have a cluster point, ``cluster1(t)`` of the first, and so on, by what is ``known`` of each."""
    paths = {f"path{i}(n, t)": f"joined{i}(n, X(n)*t)/X(n)" for i in range(1, len(processes) + 1)}
    near = [f"{at} - cluster{i}(t) <= e, cluster{i}(t) - {at} <= e" for i, f in enumerate(processes, 1)
            for at in (f"{f}(n, floor(X(n)*t))/X(n)",)]
    return Theorem(
        (f"{', '.join(processes)}, X in functions", *unit, LARGE, *map(known, processes)), tuple(
            x for x in ("b", "t_b") if f"{x} >= 1" in unit),
        (Use(ARZELA_ASCOLI.name, {**paths, "most": "1", "pace": "b"}),),
        tuple(f"joined{i}(n, s) = {f}(n, floor(s)) + (s - floor(s))*{_slope(f, 's')}"
              for i, f in enumerate(processes, 1)),
        "ForAll(e, e > 0, ForAll(T, T > 0, ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), "
        f"ForAll(t, And(0 <= t, t <= T), And({', '.join(near)}))))))")


def proof(processes: Sequence[str]) -> Proof:
    """Its proof."""
    steps = [
        _step("order", runs(TIMES.format("", f"Or({SAME}, {LATER})")), UNIT, "n", cases=("floor(t) - floor(s)",)),
        _step("times", runs(TIMES.format("", "And(X(n) >= 1, X(n)*t >= 0, X(n)*s >= 0, X(n)*s <= X(n)*t)")), (LARGE,),
              "n t s")]
    steps += [line for i, f in enumerate(processes, 1) for line in (*_in_slots(i, f, ""), *_lipschitz(i, f))]
    end = [
        _step("first times", runs("ForAll(t, t >= 0, And(X(n) >= 1, X(n)*t >= 0))"), (LARGE,), "n t", end=True),
        _step("small", runs("ForAll(e, And(e > 0, n >= 2*b/e), b/X(n) <= e/2)"), (LARGE, *UNIT), "n e", end=True)]
    end += [line for i, f in enumerate(processes, 1) for line in (*_in_slots(i, f, " then"), *_joined_is_near(i, f))]
    many = range(1, len(processes) + 1)

    def close(e: str) -> str:
        each = (f"path{i}(n, t) - cluster{i}(t) <= {e}, cluster{i}(t) - path{i}(n, t) <= {e}" for i in many)
        return f"ForAll(t, And(0 <= t, t <= T), And({e} > 0, {', '.join(each)}))"

    def some(where: str, e: str = "e/2") -> str:
        return ("ForAll(e, e > 0, ForAll(T, T > 0, ForAll(N, N >= 1, Exists(n, And(Integer(n), "
                f"{where}), {close(e)}))))")

    end += [
        _step("half", some("n >= N"), (some("n >= N", "e"),), "e/2 T N", end=True),
        _step("late", some("n >= N + 2*b/e"), ("half", *UNIT), "e T N+2*b/e", end=True),
        _step("a step", "ForAll(e, e > 0, 2*b/e > 0)", UNIT, "e", end=True),
        _step("later", some("n >= N, n >= 1, n >= 2*b/e"), ("late", "a step"), "e T N", end=True),
        _step("latest", some("n >= N, n >= 1, b/X(n) <= e/2"), ("later", "small"), "e T N", end=True),
        _step("conclusion", "", ("latest", *(f"near {i}" for i in many)), "e T N t", end=True)]
    return Proof((*steps, *end), instance=("b = 1", "X(n) = n", *(f"{f}(n, k) = 0*n + 0*k" for f in processes)))


def proof_by_batches(processes: Sequence[str]) -> Proof:
    """Its proof, by what is known of ``batches``: a slot lies between two of their times, so that it brings b."""
    made, labels = proof(processes), {slots(f): f"slots {f}" for f in processes}
    first = [*_times_of_batches(), *(line for f in processes for line in _by_batches(f))]
    new, old = {line.label for line in first}, [line for line in made.steps if not line.concluding]

    def then(line: Line) -> Line:
        """The same where the axiom's conclusion is at hand: what is shown for the axiom is not."""
        return replace(line, label=f"{line.label} then", concluding=True,
                       by=tuple(f"{x} then" if x in new else x for x in line.by or ()))

    def rests(line: Line) -> Line:
        tail = " then" if line.concluding else ""
        return replace(line, by=tuple(f"{labels[x]}{tail}" if x in labels else x for x in line.by or ()))

    return replace(made, instance=("t_b = 1", *made.instance), steps=(
        *first, *map(rests, old), *map(then, first), *map(rests, made.steps[len(old):])))


WHOLE = ("Natural(t_b)", "t_b >= 1")
FIRST = "ForAll(j, And(Integer(j), j >= 0), ForAll(k, And(Integer(k), {}), {}))"
TWO = FIRST.format("k >= j + 1", "{}")
FROM, TO = "floor(j/t_b)", "(floor((k-1)/t_b)+1)"  # the batches' times around the slots j + 1, ..., k


def _times_of_batches() -> list[Line]:
    """Where they stand, and how many lie between."""
    quotients = "And((k - 1)/t_b >= 0, j/t_b >= 0, (k - 1)/t_b*t_b == k - 1, j/t_b*t_b == j)"
    return [
        _step("quotients", TWO.format(quotients), WHOLE, "j k"),
        _step("before", TWO.format(f"And({FROM} >= 0, Integer({FROM}), Integer({FROM}*t_b), 0 <= {FROM}*t_b, "
                                   f"{FROM}*t_b <= j, j < ({FROM} + 1)*t_b)"), ("quotients", *WHOLE), "j k"),
        _step("after", TWO.format(f"And({TO} >= 1, Integer({TO}), Integer({TO}*t_b), {TO}*t_b - t_b <= k - 1, "
                                  f"{TO}*t_b >= k)"), ("quotients", *WHOLE), "j k"),
        _step("between", TWO.format(f"And({TO} >= {FROM} + 1, {TO} - {FROM} <= k - j)"),
              ("before", "after", *WHOLE), "j k")]


def _by_batches(f: str) -> list[Line]:
    """What is done in slots, by what is done between these times."""
    some, whole = f"{f}(n, k) - {f}(n, j)", ("before", "after", "between")
    wide = f"{f}(n, {TO}*t_b) - {f}(n, {FROM}*t_b)"
    return [
        _step(f"no less {f}", runs(TWO.format(f"{f}(n, {FROM}*t_b) <= {f}(n, j)")), (batches(f), "before"),
              f"n j k {FROM}*t_b"),
        _step(f"no more {f}", runs(TWO.format(f"{f}(n, k) <= {f}(n, {TO}*t_b)")), (batches(f), "after"),
              f"n j k {TO}*t_b"),
        _step(f"no fall {f}", runs(TWO.format(f"0 <= {some}")), (batches(f),), "n j k"),
        _step(f"wider {f}", runs(TWO.format(f"And(0 <= {some}, {some} <= {wide})")),
              (f"no less {f}", f"no more {f}", f"no fall {f}"), "n j k"),
        _step(f"in batches {f}", runs(TWO.format(f"{wide} <= ({TO} - {FROM})*b")), (batches(f), *whole),
              f"n j k {FROM} {TO}"),
        _step(f"later slots {f}", runs(TWO.format(f"And(0 <= {some}, {some} <= b*(k - j))")),
              (f"wider {f}", f"in batches {f}", "between", *UNIT), "n j k"),
        _step(f"none {f}", runs(f"{f}(n, 0) == 0"), (batches(f),), "n"),
        _step(f"no slot {f}", runs(FIRST.format("k == j", f"{f}(n, k) == {f}(n, j)")), UNIT, "n j k"),
        _step(f"slots or none {f}", runs(FIRST.format("k >= j", "Or(k == j, k >= j + 1)")), UNIT, "n j k",
              cases=("k - j",)),
        _step(f"some slots {f}", runs(FIRST.format("k >= j", f"And(0 <= {some}, {some} <= b*(k - j))")),
              (f"later slots {f}", f"no slot {f}", f"slots or none {f}"), "n j k", cases=("k - j",)),
        _step(f"slots {f}", slots(f), (f"some slots {f}", f"none {f}"), "n j k")]


def _slope(f: str, s: str) -> str:
    return f"({f}(n, floor({s}) + 1) - {f}(n, floor({s})))"


def _step(label: str, formula: str, by: Sequence[str], at: str, cases: tuple[str, ...] = (), end: bool = False) -> Line:
    return Line(formula, tuple(by), label=label, points=tuple(at.split()), cases=cases, concluding=end)


def _in_slots(i: int, f: str, tail: str) -> list[Line]:
    """What is done in a slot, and in a part of it."""
    slope, end = _slope(f, "s"), bool(tail)
    part = [f"And(0 <= {u}*{slope}, {u}*{slope} <= b*{u})" for u in ("(s - floor(s))", "(1 - (s - floor(s)))")]
    return [
        _step(f"floors {i}{tail}", runs("ForAll(s, s >= 0, And(Integer(floor(s)), floor(s) >= 0))"), UNIT, "n s",
              end=end),
        _step(f"slot {i}{tail}", runs(f"ForAll(s, s >= 0, And(0 <= {slope}, {slope} <= b))"),
              (slots(f), f"floors {i}{tail}"), "n s floor(s) floor(s)+1", end=end),
        _step(f"part {i}{tail}", runs(f"ForAll(s, s >= 0, And({', '.join(part)}))"), (f"slot {i}{tail}",), "n s",
              end=end)]


def _lipschitz(i: int, f: str) -> list[Line]:
    """That it is Lipschitz continuous, joined by lines: of times in one slot, and in two."""
    slope, between = _slope(f, "s"), f"{f}(n, floor(t)) - {f}(n, floor(s) + 1)"
    grown = f"And(0 <= joined{i}(n, t) - joined{i}(n, s), joined{i}(n, t) - joined{i}(n, s) <= b*(t - s))"
    scaled = grown.replace("n, t)", "n, X(n)*t)").replace("n, s)", "n, X(n)*s)").replace("(t - s)", "(X(n)*t - X(n)*s)")
    equal = f"And({f}(n, floor(t)) == {f}(n, floor(s)), {f}(n, floor(t) + 1) == {f}(n, floor(s) + 1))"
    line = (f"And(joined{i}(n, t) == joined{i}(n, s) + (t - s)*{slope}, 0 <= (t - s)*{slope}, "
            f"(t - s)*{slope} <= b*(t - s))")
    whole = f"And(0 <= {between}, {between} <= b*(floor(t) - floor(s) - 1))"
    return [
        _step(f"between {i}", runs(TIMES.format(f", {LATER}", whole)), (slots(f), f"floors {i}"),
              "n t s floor(s)+1 floor(t)"),
        _step(f"two slots {i}", runs(TIMES.format(f", {LATER}", grown)), (f"between {i}", f"part {i}"), "n t s"),
        _step(f"equal {i}", runs(TIMES.format(f", {SAME}", equal)), UNIT, "n"),
        _step(f"line {i}", runs(TIMES.format(f", {SAME}", line)), (f"equal {i}", f"slot {i}"), "n t s"),
        _step(f"one slot {i}", runs(TIMES.format(f", {SAME}", grown)), (f"line {i}",), "n t s"),
        _step(f"joined {i}", runs(TIMES.format("", grown)), ("order", f"two slots {i}", f"one slot {i}"), "n t s",
              cases=("floor(t) - floor(s)",)),
        _step(f"at scaled times {i}", runs(TIMES.format(", X(n)*t >= 0, X(n)*s >= 0, X(n)*s <= X(n)*t", scaled)),
              (f"joined {i}",), "n X(n)*t X(n)*s"),
        _step(f"scaled {i}", runs(TIMES.format("", f"And(X(n) >= 1, {scaled})")), ("times", f"at scaled times {i}"),
              "n t s"),
        _step(f"{ARZELA_ASCOLI.name}: Lipschitz {i}", "", (f"scaled {i}", *UNIT), "n t s"),
        _step(f"start {i}", runs(f"{f}(n, 0) == 0"), (slots(f),), "n"),
        _step(f"{ARZELA_ASCOLI.name}: bounded {i}", "", (f"start {i}", LARGE), "n")]


def _joined_is_near(i: int, f: str) -> list[Line]:
    """That the lines are near the step function."""
    done, at = f"(X(n)*t - floor(X(n)*t))*{_slope(f, 'X(n)*t')}", f"{f}(n, floor(X(n)*t))/X(n)"
    near = f"And({at} - path{i}(n, t) <= b/X(n), path{i}(n, t) - {at} <= b/X(n))"
    return [
        _step(f"in a slot {i}", runs(f"ForAll(t, t >= 0, And(X(n) >= 1, 0 <= {done}, {done} <= b))"),
              ("first times", f"part {i} then", *UNIT), "n t X(n)*t", end=True),
        _step(f"near {i}", runs(f"ForAll(t, t >= 0, {near})"), (f"in a slot {i}", *UNIT), "n t", end=True)]


# ---- first values ----

def shares(parts: Sequence[str]) -> str:
    """Nonnegative numbers, X(n) in all at most."""
    return runs(f"And({', '.join(f'{z}(n) >= 0' for z in parts)}, {' + '.join(f'{z}(n)' for z in parts)} <= X(n), "
                "X(n) >= 1)")


def first_values(parts: Sequence[str]) -> Theorem:
    """That their shares have a cluster point, ``cluster1`` of the first, and so on, which is not negative."""
    signs = (f"cluster{i} >= 0" for i in range(1, len(parts) + 1))
    return Theorem(
        (f"{', '.join(parts)}, X in functions", shares(parts)), (),
        (Use(BOLZANO_WEIERSTRASS.name, {**{f"sequence{i}(n)": f"{z}(n)/X(n)" for i, z in enumerate(parts, 1)},
                                        "most": "1"}),),
        goal=f"And({', '.join(signs)}, {_often([f'{z}(n)/X(n)' for z in parts])})")


def proof_of_first_values(parts: Sequence[str]) -> Proof:
    """Its proof."""
    given, named = shares(parts), [f"sequence{i}(n)" for i in range(1, len(parts) + 1)]
    steps, often = list[Line](), _often(named, "e > 0, ")
    for i, z in enumerate(parts, 1):
        share, cluster = (("x", f"{z}(n)"), ("y", "X(n)")), f"cluster{i}"
        steps += [
            Line("", (given,), label=f"{BOLZANO_WEIERSTRASS.name}: bounded {i}", points=("n",), proof=(Line(
                "And(x/y <= 1, -1 <= x/y)", given=("x >= 0", "x <= y", "y >= 1"), at=share),)),
            _step(f"positive {i}", runs(f"sequence{i}(n) >= 0"), (given,), "n", end=True),
            _step(f"above {i}", f"ForAll(e, e > 0, {cluster} >= -e)", (f"positive {i}", often), "e 1", end=True),
            Line(f"{cluster} >= 0", (f"above {i}",), label=f"sign {i}", concluding=True, proof=(Line(
                "c >= -z/2", given=("z > 0", "ForAll(e, e > 0, c >= -e)"), at=(("z", f"-{cluster}"), ("c", cluster))),
            ))]
    limit = _step("limit", _often([f"{z}(n)/X(n)" for z in parts]), (often,), "e N", end=True)
    last = Line("", (*(f"sign {i}" for i in range(1, len(parts) + 1)), "limit"), label="conclusion", concluding=True)
    met = (f"{z}(n) = {int(z == parts[0])} + 0*n" for z in parts)
    return Proof((*steps, limit, last), instance=(*met, "X(n) = n"))


def _often(terms: Sequence[str], more: str = "") -> str:
    near = (f"{t} - cluster{i} <= e, cluster{i} - {t} <= e" for i, t in enumerate(terms, 1))
    return ("ForAll(e, e > 0, ForAll(N, N >= 1, Exists(n, And(Integer(n), n >= N), "
            f"And({more}{', '.join(near)}))))")
