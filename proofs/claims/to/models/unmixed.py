"""An algorithm that never mixes prefill and decode tokens and is stable at every load below (2.7)'s all the same."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from qtheory.proofs.chains import each
from qtheory.proofs.claims.cases import shown
from qtheory.proofs.claims.outcomes import Outcome

from .algorithms import loaded, states
from .chain import Engine, by_2_3, run
from .recurrence import CONSERVING, SKETCHED, recurrent, total
from .schedulers import Batch, _decode, _prefill, infeasible
from .schedulers import State as Requests

UNMIXED = each("Or(Sp == 0, dd(i) == 0)")
PROMPTS = f"Sp == {total('dp(i)')}"
WAITING = (f"P == {total('p(i)')}", f"Ed == {total('1 - u(i)')}")
FULL = "Or(r > 0, S == b, And(P < b, Ed < b))"
FULL_BATCHES = replace(SKETCHED, chain=replace(SKETCHED.chain, choices=(
    *(FULL if w == CONSERVING else w for w in SKETCHED.chain.choices), PROMPTS, UNMIXED, *WAITING)),
    most="(2 + longest + kinds)*(2*b)", exception="And(r <= 0, M < 2*b)")
FULL_SOURCES = {
    FULL: "an algorithm: where R = 0 it loads b prefill tokens if so many wait, or else b decode tokens if so many can "
          "be loaded, or else what it likes", PROMPTS: "Sp are the prefill tokens of the batch",
    UNMIXED: "l. 32: non-mixed: a batch with prefill tokens has no decode token",
    WAITING[0]: "P are the prefill tokens that wait", WAITING[1]: "Ed are the requests that decode"}


def full_batches(state: Requests, b: int) -> Batch:
    """A full batch of prefill tokens if there are so many, or else of decode tokens, or else what there is of one."""
    prefill, decode = _prefill(state, b), _decode(state, b)
    none = [0] * len(state)
    if sum(prefill) == b or (sum(decode) < b and any(prefill)):
        return list(zip(prefill, none, strict=True))
    return list(zip(none, decode, strict=True))


def any_run() -> Outcome:
    """A run of an unmixed algorithm that comes back to a state after full batches alone, at a load of 1."""
    b = 2
    engine: Engine = by_2_3(b, 1, 0, 1)
    feasible = all(not infeasible(s, full_batches(s, j), j) and 0 in loaded(full_batches(s, j))
                   for j, s in product((1, 2, 3, 4), states()))
    path = list(run(engine, full_batches, (0, ((0, 1), (0, 1), (1, 1))), [((1, 1),)] * 2))
    batches = [full_batches(requests, b) for _, requests in path[:-1]]
    return shown(feasible and path[2] == path[0] and all(sum(loaded(x)) == b for x in batches), {
        "algorithm": "a full batch of prefill tokens where b wait, or else of decode tokens, or else what there is of "
        "one kind", "b": b, "t_b": 1, "arrivals of each slot": "(1, 1)",
        "trace": "; ".join(f"{list(x)} loads {y}" for (_, x), y in zip(path, batches, strict=False))},
        "an algorithm's run, replayed to the state from which it came")


BY_FULL_BATCHES = recurrent(FULL_BATCHES, FULL_SOURCES)
