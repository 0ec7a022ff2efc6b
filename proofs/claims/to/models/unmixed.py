"""An algorithm that never mixes prefill and decode tokens and is stable at every load below (2.7)'s all the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from qtheory.proofs.chains import each
from qtheory.proofs.claims.cases import Case, every

from .algorithms import loaded, states
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


@every("b in {1, 2, 3, 4}; 1 to 3 requests with 0 to 3 prefill tokens and 1 or 2 decode tokens to come", "enumeration")
def exists_run() -> Iterator[Case]:
    """`full_batches` is feasible, never mixes, and is full unless fewer than b tokens of either phase can be loaded."""
    for b, state in product((1, 2, 3, 4), states()):
        batch = full_batches(state, b)
        most = max(sum(p for p, _ in state), sum(p == 0 for p, _ in state))
        good = not infeasible(state, batch, b) and 0 in loaded(batch) and (sum(loaded(batch)) == b or most < b)
        yield None if good else {"b": b, "state": state, "batch": batch}


BY_FULL_BATCHES = recurrent(FULL_BATCHES, FULL_SOURCES)
