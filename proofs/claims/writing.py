"""A note for the referee to begin with: the template of ``qtheory referee --new``."""

from __future__ import annotations

TEMPLATE = """# A note on one queue

<!-- The title above. Comments like this one may stay; nothing in this file is run. "qtheory referee" reads it at once.

Each symbol has a row. "where" is all, or sections such as 1, 2.3. In the fourth column stand conditions with commas
between them ("> 0" is short for "lam > 0"; "natural", "integer" and "function" declare), or "= a definition", or
nothing: then the symbol is any real number. A "?" says that this is still to be written: the claims that speak of the
symbol stay unknown. -->

| symbol | where | meaning | conditions or definition | source |
| --- | --- | --- | --- | --- |
| lam, mu | all | rates of arrival and of service (1/s) | > 0 | Section 1, first sentence |
| rho | all | load | = lam/mu | Section 1 |
| W | all | mean wait (s) | = rho/(mu - lam) | (1) |
| n | 2 | requests | natural | Section 2 |

## Section 1. The wait

<!-- A claim: its id, its kind (identity, inequality, existence/uniqueness, limit, theorem, ..) and, if you like, the
lines of the paper ("l. 12-14"). Then the quoted sentence; the statement, with the conditions that the table does not
give; and a note in words. -->

::::{claim} note.wait.positive, inequality

> Below a load of 1 the wait is positive.

    given: rho < 1  # the sentence
    goal: W > 0
::::

::::{claim} note.wait.half, inequality

> At half load the wait is less than a service.

    given: rho == 1/2  # the sentence
    goal: W < 1/mu

False, and so left here: it shows what a counterexample looks like. The claim below corrects it.
::::

::::{claim} note.wait.half.corrected, inequality

    given: rho == 1/2  # the sentence
    goal: W <= 1/mu
::::

## Section 2. The number of requests

::::{claim} note.sum, identity

> The probabilities of 0 to n requests sum to 1 - rho^(n+1).

    given: rho < 1  # the sentence
    goal: Sum((1 - rho)*rho**k, (k, 0, n)) == 1 - rho**(n + 1)
::::

<!-- What no formula says yet stays in words, with its obstacle in the note. -->

::::{claim} note.words, theorem, unknown

> The queue empties infinitely often.

Not stated yet.
::::
"""

__all__ = ["TEMPLATE"]
