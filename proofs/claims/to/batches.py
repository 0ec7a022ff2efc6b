"""That in every state there is a batch as the theorems of recurrence ask for it: the tokens of the first requests.

Of request i what can be loaded is A(i), P(n) is that of the first n, and F(n) is P(n) or the budget if that is less. A
batch has G(i) = F(i) - F(i - 1) tokens of request i: whole numbers, at most A(i), and F(q) in all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qtheory.proofs.chains import FOSTER, each
from qtheory.proofs.claims.axioms import Step

EVERY = "ForAll(l, And(Integer(l), l >= 0), {})"
GROWS = ("Implies(And(y == x + a, a >= 0), And(Min(c, y) - Min(c, x) >= 0, Min(c, y) - Min(c, x) <= a))")


def named(text: str, *names: str) -> str:
    """With the names of the way's definitions."""
    return re.sub(rf"\b({'|'.join(names)})\b", r"\1_1", text)


def lemma(goal: str, *given: str, **how: object) -> Step:
    return Step(goal, given, concluding=True, **how)  # type: ignore[arg-type]


def greedy(able: str, cap: str, whole_by: tuple[str, ...], tag: str = "") -> tuple[str, dict[str, Step]]:
    """The tokens G of request i, and what is known of them; ``able`` is A(i), a whole number, by a step of this name
    with the tag, as ``cap`` is one that is not negative."""
    def first(n: str) -> str:
        return f"Sum({re.sub(r'[(]i[)]', '(j)', able)}, (j, 1, {n}))"

    def filled(n: str) -> str:
        return f"Min({cap}, {first(n)})"

    share = f"({filled('i')} - {filled('i - 1')})"
    a, c = f"able{tag}", f"cap{tag}"
    prefix, whole = f"prefix{tag}", {"prefixes": True}
    return share, {
        prefix: lemma(EVERY.format(
            f"And(Integer({first('l')}), {first('l')} >= 0, Integer({filled('l')}), "
            f"Sum({share}, (i, 1, l)) == {filled('l')} - {filled('0')})"), a, c, *whole_by, hint=whole),
        f"next{tag}": lemma(each(f"{first('i')} == {first('i - 1')} + {able}"), a, pointwise=True),
        f"shares{tag}": lemma(each(f"Integer({share})"), prefix, a, c, *whole_by, hint=whole),
        f"shared{tag}": lemma(each(f"{share} >= 0", f"{share} <= {able}"), a, c, f"next{tag}", hint={**whole,
            "lemmas": ((GROWS, {"y": first("i"), "x": first("i - 1"), "a": able, "c": cap}),)}),
        f"none{tag}": lemma(f"{filled('0')} == 0", c),
        f"all{tag}": lemma(f"Sum({share}, (i, 1, q)) == {filled('q')}", prefix, f"none{tag}", "q in naturals")}


def check() -> Sequence[Mapping[str, Step]]:
    raise NotImplementedError(FOSTER)
